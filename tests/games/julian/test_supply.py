"""13 Supply and attrition, an option: who is in supply, which stacks suffer, and who is lost."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.julian.state import BARBARIAN, ROMAN, SEATS, JulianState
from legatus.games.julian.supply import Attrition, Supply, is_supplied
from legatus.games.julian.throws import Again
from tests.rules import rule

from .stage import at, campaign, clauses, do, go_on, legal_lines, run, told, where

EMPTY = " ".join(f"{city.id}=barbarian" for city in campaign().roster.cities)  # no city is Roman but ...
TAKEN = " ".join(f"{city.id}=roman" for city in campaign().roster.cities)


def hungry(units: str, **settings: Any) -> JulianState:
    """III C of a summer turn, as far as the first question."""
    return go_on(at(campaign(units, operating=False, supply=True, **settings), Supply())).state


def supplied(side: int, hex_: str, units: str = "", **settings: Any) -> bool:
    state = campaign(units, **settings)
    return is_supplied(state, side, state.roster.grid.cells[hex_])


# --- who is in supply ----------------------------------------------------------------------------


@rule("JH.25_0")
@pytest.mark.parametrize(
    ("hex_", "holders", "fed"),
    [
        ("0209", f"{EMPTY} lugdunum=roman", True),  # next to it
        ("0310", f"{EMPTY} lugdunum=roman", True),  # in it
        ("0109", f"{EMPTY} lugdunum=roman", True),  # two hexes
        ("0108", f"{EMPTY} lugdunum=roman", False),  # three hexes, no road
        ("0108", EMPTY, False),
        ("0308", f"{EMPTY} lugdunum=roman", True),
        ("0306", f"{EMPTY} lugdunum=roman", True),  # along the road, over any length
        ("0402", f"{EMPTY} lugdunum=roman", True),
        ("0303", f"{EMPTY} lugdunum=roman", False),  # beside the road
        ("0605", f"{EMPTY} lugdunum=roman", False),
        ("0605", f"{EMPTY} argentoratum=roman", True),
    ],
)
def test_romans_live_near_a_city_or_on_a_road_to_one(hex_: str, holders: str, fed: bool) -> None:
    assert supplied(ROMAN, hex_, holders=holders) == fed


@rule("JH.25_0")
@pytest.mark.parametrize(
    ("hex_", "holders", "fed"),
    [
        ("0305", f"{TAKEN} argentoratum=barbarian", True),  # two hexes
        ("0306", f"{TAKEN} argentoratum=barbarian", False),  # three
        ("0304", f"{TAKEN} argentoratum=barbarian", False),  # a road helps no barbarian
        ("0605", TAKEN, True),  # barbarian land
        ("0800", TAKEN, True),
        ("0506", TAKEN, False),
    ],
)
def test_barbarians_live_near_a_city_of_theirs_or_in_their_land(hex_: str, holders: str, fed: bool) -> None:
    assert supplied(BARBARIAN, hex_, holders=holders) == fed


@rule("JH.25_0")
def test_enemy_combat_units_cut_the_way() -> None:
    only = f"{EMPTY} lugdunum=roman"
    wall = "franks-warband-1 0209; franks-warband-2 0210"
    assert not supplied(ROMAN, "0109", wall, holders=only)
    assert supplied(ROMAN, "0109", "franks-warband-1 0209", holders=only)  # by 0210
    assert supplied(ROMAN, "0109", "nebisgast 0209; nebisgast 0210", holders=only)
    assert supplied(ROMAN, "0109", "laeti-band-1 0209; salii-band-1 0210", holders=only)  # neutrals do not
    assert supplied(ROMAN, "0306", holders=only)
    assert not supplied(ROMAN, "0306", "franks-raiders-1 0308", holders=only)  # on the road
    assert not supplied(ROMAN, "0109", "franks-raiders-1 0310", holders=only)  # in the city
    foes = "garrison-1 0405; garrison-2 0504; garrison-3 0506; garrison-4 0406"
    assert not supplied(BARBARIAN, "0305", foes, holders=f"{TAKEN} argentoratum=barbarian")


# --- which stacks suffer -------------------------------------------------------------------------

LOST = "0108"  # far from Lugdunum
ONLY = f"{EMPTY} lugdunum=roman"


@rule("JQ.III.C", "JH.25_0")
def test_a_stack_out_of_supply_rolls_for_all_but_one_of_the_owners_choice() -> None:
    units = f"caesar-auxilia-1 {LOST}; caesar-equites-1 {LOST}; garrison-1 {LOST}; julian {LOST}"
    state = hungry(f"{units}; caesar-auxilia-2 0209; franks-warband-1 0207", holders=ONLY)
    assert state.decision == Attrition(ROMAN, state.roster.grid.cells[LOST])
    assert set(legal_lines(state)) == {"spare caesar-auxilia-1", "spare caesar-equites-1", "spare garrison-1"}
    for name in ("julian", "caesar-auxilia-2", "franks-warband-1", "nobody"):
        assert clauses(state, f"spare {name}") == ["JH.25_0"]
    play = do(state, "spare caesar-equites-1", dice=[1, 2])
    assert where(play.state, "caesar-auxilia-1") == "pool"
    assert where(play.state, "garrison-1") == where(play.state, "caesar-equites-1") == LOST
    assert [key for _, key in told(play) if key == "event.throws.attrition"] == ["event.throws.attrition"] * 2
    assert play.state.decision is None


@rule("JH.25_0")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_unit_is_lost_on_1(face: int) -> None:
    units = f"caesar-auxilia-1 {LOST}; caesar-equites-1 {LOST}"
    state = run(hungry(units, holders=ONLY, turn=2), "spare caesar-equites-1", dice=[face])
    assert where(state, "caesar-auxilia-1") == ("pool" if face == 1 else LOST)


@rule("JH.25_0")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(("turn", "limit"), [(1, 1), (2, 2), (7, 1), (8, 2)])
def test_romans_beyond_the_rhine_in_winter_on_2_too(turn: int, limit: int, face: int) -> None:
    units = "caesar-auxilia-1 0805; caesar-equites-1 0805"
    state = run(hungry(units, turn=turn), "spare caesar-equites-1", dice=[face])
    assert where(state, "caesar-auxilia-1") == ("pool" if face <= limit else "0805")


@rule("JH.25_0")
def test_barbarians_in_winter_only_on_1() -> None:
    units = "; ".join(f"franks-warband-{n} 0805" for n in (1, 2, 3, 4))
    state = run(hungry(units, turn=2), "spare franks-warband-1", dice=[1, 2, 2])
    assert [where(state, f"franks-warband-{n}") for n in (1, 2, 3, 4)] == ["0805", "pool", "0805", "0805"]


@rule("JH.25_0", "JH.6_0")
def test_federates_suffer_with_the_side_that_they_serve_and_neutrals_do_not() -> None:
    units = "laeti-band-1 0805; laeti-band-2 0805"
    state = hungry(units, turn=2, allies="laeti=roman")
    assert isinstance(state.decision, Attrition)
    state = run(state, "spare laeti-band-1", dice=[2])
    assert where(state, "laeti-band-2") == "aside"
    assert hungry(units, turn=2).decision is None


@rule("JH.25_0")
@pytest.mark.parametrize(
    ("turn", "number", "hex_", "suffers"),
    [
        (2, 4, "0209", True),
        (2, 3, "0209", False),
        (1, 4, "0209", False),  # in summer
        (2, 4, "0310", False),  # in a city
        (8, 5, "0209", True),
    ],
)
def test_a_large_stack_needs_a_city_in_winter(turn: int, number: int, hex_: str, suffers: bool) -> None:
    names = ("caesar-auxilia-1", "caesar-auxilia-2", "garrison-1", "caesar-equites-1", "garrison-2")
    units = "; ".join(f"{name} {hex_}" for name in names[:number])
    state = hungry(f"{units}; julian {hex_}", turn=turn)
    assert isinstance(state.decision, Attrition) == suffers


@rule("JH.25_0")
def test_a_unit_alone_does_not_roll() -> None:
    assert hungry(f"caesar-auxilia-1 {LOST}; julian {LOST}", holders=ONLY).decision is None
    assert hungry(f"julian {LOST}; barbatio {LOST}", holders=ONLY).decision is None


@rule("JH.25_0")
def test_roman_stacks_come_first_and_all_are_judged_before_any_die() -> None:
    units = (
        f"caesar-auxilia-1 {LOST}; caesar-equites-1 {LOST}; caesar-auxilia-2 0006; garrison-1 0006;"
        "franks-warband-1 0002; franks-warband-2 0002"
    )
    state = hungry(units, holders=ONLY)
    order = []
    while isinstance(state.decision, Attrition):
        order.append((SEATS[state.decision.seat], state.roster.grid.names[state.decision.cell]))
        state = run(state, legal_lines(state)[0], dice=[6])
    assert order == [("roman", "0006"), ("roman", LOST)]
    state = hungry(f"{units}; franks-raiders-1 0306; franks-raiders-2 0306", holders=TAKEN)
    order = []
    while isinstance(state.decision, Attrition):
        order.append((SEATS[state.decision.seat], state.roster.grid.names[state.decision.cell]))
        state = run(state, legal_lines(state)[0], dice=[6])
    assert order == [("barbarian", "0002"), ("barbarian", "0306")]


@rule("JH.25_0", "JS.imperium.2")
def test_the_dice_of_attrition_may_be_thrown_again() -> None:
    units = f"caesar-auxilia-1 {LOST}; caesar-equites-1 {LOST}"
    state = run(hungry(units, holders=ONLY, hands=("imperium", "")), "spare caesar-equites-1", dice=[1])
    assert isinstance(state.decision, Again)
    assert where(run(state, "reroll", dice=[2]), "caesar-auxilia-1") == LOST
    assert where(run(state, "pass"), "caesar-auxilia-1") == "pool"
