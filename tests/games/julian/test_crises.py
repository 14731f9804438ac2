"""13 Crises, an option: the table, and what each crisis does in this turn or in the next."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.julian.crises import Crisis, Feud, Recall
from legatus.games.julian.interphase import Back
from legatus.games.julian.state import ROMAN, JulianState, is_frozen
from legatus.games.julian.throws import Again
from legatus.games.julian.turn import PickChit
from legatus.kernel import Play
from tests.rules import rule

from .stage import at, campaign, clauses, do, go_on, hand, legal_lines, run, told, where


def crisis(units: str = "", *, turn: int = 3, **settings: Any) -> JulianState:
    return at(campaign(units, operating=False, crises=True, turn=turn, **settings), Crisis())


def befallen(face: int, *dice: int, **settings: Any) -> Play:
    return go_on(crisis(**settings), [face, *dice])


@rule("JQ.III.D", "JH.23_0")
@pytest.mark.parametrize("turn", [1, 2, 3, 8])
def test_a_die_is_thrown_from_turn_2_on(turn: int) -> None:
    play = go_on(crisis(turn=turn), [4] if turn > 1 else [])
    assert (("JH.23_0", "event.crisis.4") in told(play)) == (turn > 1)
    thrown = [event.values["side"] for event in play.events if event.key == "event.throws.crisis"]
    assert thrown == (["roman"] if turn > 1 else [])


@rule("JH.23_0")
@pytest.mark.parametrize(("face", "dice"), [(1, (1,)), (2, ()), (3, ()), (4, ()), (5, ()), (6, ())])
def test_every_face_has_its_crisis(face: int, dice: tuple[int, ...]) -> None:
    assert ("JH.23_0", f"event.crisis.{face}") in told(befallen(face, *dice))


@rule("JH.23_0")
def test_4_is_a_quiet_season() -> None:
    before = crisis("caesar-auxilia-1 0105", hands=("dux", "dux"))
    state = go_on(before, [4]).state
    while isinstance(state.decision, Again):
        state = run(state, "pass")
    assert (state.tp, state.hands, state.cell) == (before.tp, before.hands, before.cell)
    assert (state.frozen, state.feud_turn, state.barred_turn) == (0, 0, 0)


# --- 1 -------------------------------------------------------------------------------------------


@rule("JH.23_0", "JH.treasury")
@pytest.mark.parametrize(("tp", "face", "left"), [(20, 1, 19), (20, 6, 14), (3, 6, 0), (0, 4, 0), (4, 4, 0)])
def test_1_rumours_cost_the_roman_a_die_of_points(tp: int, face: int, left: int) -> None:
    assert befallen(1, face, tp=tp).state.tp == left


@rule("JH.23_0")
def test_1_and_the_third_command_is_not_picked_next_turn() -> None:
    state = befallen(1, 1, turn=3).state
    for turn, clause in ((3, []), (4, ["JH.23_0"]), (5, [])):
        picking = at(state, PickChit(ROMAN))
        picking.turn = turn
        assert clauses(picking, "pick peditum") == clause
        assert clauses(picking, "pick caesar") == []


# --- 2 -------------------------------------------------------------------------------------------

ARMY = "caesar-comitatenses-1 0105; peditum-auxilia-1 0106; caesar-equites-1 0105; equitum-limitanei-1 0105"


@rule("JH.23_0", "JH.15_10")
def test_2_recalls_a_unit_of_the_field_army_with_the_longest_delay() -> None:
    state = befallen(2, units=f"{ARMY}; franks-retinue-1 0205; garrison-1 0105", turn=3).state
    assert state.decision == Recall(ROMAN)
    assert legal_lines(state) == ["send-east caesar-comitatenses-1", "send-east peditum-auxilia-1"]
    for name in ("caesar-equites-1", "equitum-limitanei-1", "garrison-1", "caesar-auxilia-1", "nobody"):
        assert clauses(state, f"send-east {name}") == ["JH.23_0"]
    play = do(state, "send-east peditum-auxilia-1")
    assert where(play.state, "peditum-auxilia-1") == "delayed"
    assert ("JH.23_0", "event.recalled") in told(play)
    for turn, place in ((4, "delayed"), (5, "pool")):
        later = at(play.state, Back())
        later.turn = turn
        assert where(go_on(later).state, "peditum-auxilia-1") == place


@rule("JH.23_0")
def test_2_takes_nobody_if_none_is_on_the_map() -> None:
    state = befallen(2, units="caesar-equites-1 0105; franks-warband-1 0205").state
    assert state.decision is None


# --- 3 -------------------------------------------------------------------------------------------


@rule("JH.23_0", "JH.treasury")
@pytest.mark.parametrize(
    ("taxed", "tp", "left"),
    [(24, 30, 18), (12, 20, 14), (11, 20, 14), (1, 20, 19), (0, 20, 20), (12, 5, 0), (11, 6, 0)],
)
def test_3_a_bad_harvest_halves_the_taxes_of_the_turn(taxed: int, tp: int, left: int) -> None:
    state = crisis(tp=tp)
    state.taxed = taxed
    assert go_on(state, [3]).state.tp == left


# --- 5 -------------------------------------------------------------------------------------------


@rule("JH.23_0")
def test_5_a_feud_among_the_kings() -> None:
    state = crisis(turn=3)
    state = go_on(state, [5]).state
    assert isinstance(state.decision, Feud)
    assert state.decision.seat == 1
    assert legal_lines(state) == ["quarrel alamanni", "quarrel southern", "quarrel franks"]
    for name in ("caesar", "gauls"):
        assert clauses(state, f"quarrel {name}") == ["JH.23_0"]
    play = do(state, "quarrel southern")
    assert play.state.feud == play.state.roster.command_index["southern"]
    assert play.state.feud_turn == 4
    assert ("JH.23_0", "event.returns_nothing") in told(play)


@rule("JH.23_0")
def test_5_costs_the_barbarian_a_random_marker() -> None:
    state = go_on(crisis(hands=("dux", "dux military")), [5]).state
    while isinstance(state.decision, Again):
        state = run(state, "pass")
    state = run(state, "quarrel alamanni", dice=[5])
    assert (hand(state, "roman"), hand(state, "barbarian")) == ({"dux": 1}, {"dux": 1})
    assert state.pool[5] == 7


# --- 6 -------------------------------------------------------------------------------------------


@rule("JH.23_0")
def test_6_the_rhine_freezes_for_the_next_turn() -> None:
    state = befallen(6, turn=3).state
    for turn in (3, 4, 5):
        state.turn = turn
        assert is_frozen(state) == (turn == 4)


@rule("JH.23_0", "JS.imperium.2")
def test_a_crisis_may_be_averted_by_an_imperium() -> None:
    state = go_on(crisis(hands=("imperium", "")), [1]).state
    assert isinstance(state.decision, Again)
    assert state.decision.seat == ROMAN
    assert run(state, "reroll", dice=[4]).tp == 20
    after = run(state, "pass", dice=[6])
    assert isinstance(after.decision, Again)  # the die of the rumours
    assert run(after, "reroll", dice=[1]).tp == 19
