"""9 Cities and 10 leaders: who takes a city, who sacks it, and what a leader alone is worth."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.julian.movement import Moves
from legatus.games.julian.places import Displace
from legatus.games.julian.state import BARBARIAN, ROMAN, SEATS, JulianState
from legatus.games.julian.throws import Again
from legatus.games.julian.turn import Turn
from legatus.kernel import Play, Scripted
from tests.rules import rule

from .stage import at, campaign, clauses, do, fought, go_on, holder, legal_lines, run, told, where

ROMANS, BARBARIANS = "caesar equitum peditum", "alamanni southern franks"


def moving(units: str, seat: int = BARBARIAN, **more: Any) -> JulianState:
    settings = {"acting": (ROMANS, BARBARIANS)[seat], "active": SEATS[seat], **more}
    return at(campaign(units, **settings), Moves(seat))


def entering(unit: str, start: str, city: str, seat: int = BARBARIAN, **more: Any) -> JulianState:
    """A unit goes into the hex of a city and no farther."""
    return run(moving(f"{unit} {start}", seat, **more), f"march {start}", f"go {city}")


# --- control -------------------------------------------------------------------------------------


@rule("JH.cities")
@pytest.mark.parametrize(
    ("unit", "takes"),
    [
        ("franks-warband-1", True),
        ("franks-retinue-1", True),
        ("franks-raiders-1", False),
        ("nebisgast", False),
    ],
)
def test_who_takes_a_roman_city(unit: str, takes: bool) -> None:
    state = entering(unit, "0105", "0005")
    assert holder(state, "lutetia") == ("barbarian" if takes else "roman")


@rule("JH.cities")
@pytest.mark.parametrize(
    ("unit", "takes"),
    [
        ("caesar-comitatenses-1", True),
        ("caesar-auxilia-1", True),
        ("caesar-equites-1", True),
        ("equitum-limitanei-1", True),
        ("julian", False),
    ],
)
def test_who_takes_a_barbarian_city(unit: str, takes: bool) -> None:
    state = entering(unit, "0404", "0405", ROMAN)
    assert holder(state, "tres-tabernae") == ("roman" if takes else "barbarian")
    assert state.plunder == 0
    assert not any(state.sacked)


@rule("JH.cities", "JH.6_0")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_federates_take_cities_for_the_side_that_they_serve(seat: int) -> None:
    side = SEATS[seat]
    other = SEATS[1 - seat]
    state = entering(
        "laeti-band-1",
        "0105",
        "0005",
        seat,
        allies=f"laeti={side}",
        called="laeti",
        holders=f"lutetia={other}",
    )
    assert holder(state, "lutetia") == side
    assert state.plunder == (2 if seat == BARBARIAN else 0)


@rule("JH.cities")
def test_raiders_among_others_do_not_keep_them_from_taking_it() -> None:
    state = moving("franks-raiders-1 0105; franks-warband-1 0105")
    state = run(state, "march 0105", "go 0005")
    assert (holder(state, "lutetia"), state.plunder) == ("barbarian", 2)


@rule("JH.cities")
def test_a_city_of_the_own_side_remains_what_it_is() -> None:
    state = entering("franks-warband-1", "0504", "0505")
    assert (holder(state, "argentoratum"), state.plunder, any(state.sacked)) == ("barbarian", 0, False)
    state = entering("caesar-auxilia-1", "0105", "0005", ROMAN, sacked="lutetia")
    assert state.sacked[state.roster.city_index["lutetia"]] == 1  # it is not repaired by that


@rule("JH.cities")
def test_a_city_that_is_left_is_still_held() -> None:
    state = moving("caesar-equites-1 0404", ROMAN)
    state = run(state, "march 0404", "go 0405", "go 0404", "pass")
    assert holder(state, "tres-tabernae") == "roman"


# --- sack ----------------------------------------------------------------------------------------


@rule("JH.cities")
@pytest.mark.parametrize(
    ("start", "hex_", "city", "value"),
    [("0105", "0005", "lutetia", 2), ("0105", "0106", "agedincum", 1), ("0209", "0310", "lugdunum", 3)],
)
@pytest.mark.parametrize("unit", ["franks-warband-1", "franks-raiders-1", "franks-retinue-1"])
def test_a_roman_city_that_is_entered_is_sacked(
    unit: str, start: str, hex_: str, city: str, value: int
) -> None:
    state = entering(unit, start, hex_)
    assert state.plunder == value
    assert state.sacked[state.roster.city_index[city]] == 1
    assert sum(state.sacked) == 1


@rule("JH.cities", "JH.leaders")
def test_a_leader_alone_sacks_nothing() -> None:
    state = entering("nebisgast", "0105", "0005")
    assert (state.plunder, any(state.sacked)) == (0, False)


@rule("JH.cities")
def test_a_city_is_plundered_once_a_turn() -> None:
    """The example of the rulebook: first raiders, then a warband."""
    state = moving("franks-raiders-1 0105; franks-warband-1 0006")
    play = do(run(state, "march 0105"), "go 0005")
    assert ("JH.cities", "event.sacks") in told(play)
    state = run(play.state, "pass")
    assert (state.plunder, holder(state, "lutetia")) == (2, "roman")
    play = do(run(state, "march 0006"), "go 0005")
    assert (play.state.plunder, holder(play.state, "lutetia")) == (2, "barbarian")
    sack = next(event for event in play.events if event.key == "event.sacks")
    assert sack.values["value"] == 0


@rule("JH.cities")
def test_and_again_in_the_next_turn() -> None:
    state = entering("franks-raiders-1", "0105", "0005")
    assert [state.roster.cities[n].id for n, done in enumerate(state.plundered) if done] == ["lutetia"]
    play = Play(at(state), Scripted([]))
    Turn().run(play)
    assert not any(play.state.plundered)
    state = moving("franks-raiders-1 0105", sacked="lutetia")
    state.plunder = 2
    assert run(state, "march 0105", "go 0005").plunder == 4


@rule("JH.cities")
def test_a_city_that_was_lost_and_retaken_is_sacked_still() -> None:
    more = {"holders": "lutetia=barbarian", "sacked": "lutetia"}
    state = entering("caesar-equites-1", "0105", "0005", ROMAN, **more)
    assert holder(state, "lutetia") == "roman"
    assert state.sacked[state.roster.city_index["lutetia"]] == 1


# --- leaders alone -------------------------------------------------------------------------------


@rule("JH.leaders")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_leader_alone_throws_a_die_when_an_enemy_comes(face: int) -> None:
    state = moving("barbatio 0408; franks-warband-1 0407")
    play = do(run(state, "march 0407"), "go 0408", [face])
    assert ("JH.leaders", "event.throws.escape") in told(play)
    if face <= 2:
        assert where(play.state, "barbatio") == "pool"
        assert ("JH.retreat", "event.leader_lost") in told(play)
    else:
        question = play.state.decision
        assert isinstance(question, Displace)
        assert question.seat == ROMAN
        assert {line for line in legal_lines(play.state) if line.startswith("settle")} == {
            "settle 0307",
            "settle 0308",
        }
        assert clauses(play.state, "settle 0408") == ["JH.retreat"]  # taken by the enemy
        assert where(run(play.state, "settle 0308"), "barbatio") == "0308"


@rule("JH.leaders", "JS.imperium.2")
def test_outside_of_combat_the_die_may_be_thrown_again() -> None:
    state = moving("barbatio 0408; franks-warband-1 0407", hands=("imperium", ""))
    state = run(state, "march 0407", "go 0408", dice=[1])
    assert isinstance(state.decision, Again)
    assert state.decision.seat == ROMAN
    after = run(state, "reroll", dice=[3])
    assert isinstance(after.decision, Displace)
    assert where(run(state, "pass"), "barbatio") == "pool"


@rule("JH.leaders")
def test_not_if_he_is_with_a_unit_or_a_mere_leader_comes() -> None:
    state = run(moving("barbatio 0005; nebisgast 0105"), "march 0105", "go 0005")
    assert where(state, "barbatio") == "0005"


@rule("JH.leaders", "JH.move")
def test_he_blocks_no_hex_and_is_in_danger_from_who_only_passes() -> None:
    state = moving("barbatio 0008; franks-raiders-1 0009")
    state = run(state, "march 0009", "go 0007", dice=[2])
    assert where(state, "franks-raiders-1") == "0007"
    assert where(state, "barbatio") == "pool"


@rule("JH.leaders")
def test_several_leaders_throw_one_after_the_other() -> None:
    state = moving("barbatio 0008; julian 0008; franks-raiders-1 0009")
    state = run(state, "march 0009", "go 0008", dice=[2, 1])
    assert (where(state, "barbatio"), where(state, "julian")) == ("pool", "pool")


@rule("JH.leaders", "JH.cities")
def test_a_leader_alone_holds_no_city() -> None:
    state = moving("barbatio 0005; franks-warband-1 0105")
    state = run(state, "march 0105", "go 0005", dice=[1])
    assert holder(state, "lutetia") == "barbarian"


@rule("JH.leaders", "JH.retreat")
def test_barbarian_leaders_flee_home() -> None:
    state = moving("vadomar 0706; caesar-equites-1 0705", ROMAN)
    state = run(state, "march 0705", "go 0706", dice=[6])
    assert {line.split()[1] for line in legal_lines(state)} == {"0806", "0707", "0607", "0606"}


@rule("JH.cities")
def test_displaced_units_enter_cities_too() -> None:
    """Who makes room for a people that goes home comes into a city by this."""
    state = campaign("franks-warband-1 0207", holders="autessiodurum=roman")
    question = Displace(BARBARIAN, state.roster.index["franks-warband-1"], "JH.return")
    state = at(state, question)
    assert {line.split()[1] for line in legal_lines(state)} == {
        "0306",
        "0307",
        "0308",
        "0208",
        "0107",
        "0206",
    }
    after = run(state, "settle 0107")
    assert (holder(after, "autessiodurum"), after.plunder) == ("barbarian", 1)


@rule("JH.15_10")
def test_units_lost_outside_of_a_catastrophe_are_in_the_pool_at_once() -> None:
    state = campaign("caesar-auxilia-1 0105; franks-warband-1 0205", acting="caesar")
    after = go_on(fought(state, "DC", "0205", "caesar-auxilia-1")).state
    assert where(after, "franks-warband-1") == "pool"
    assert after.due[after.roster.index["franks-warband-1"]] == 0
