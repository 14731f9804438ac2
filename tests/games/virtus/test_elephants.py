"""15 Dromedaries and 16 Elephants: how they march, save, retreat and trample.  Their tokens: test_damage."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.moves import Moves
from legatus.games.virtus.rally import Rallies
from legatus.games.virtus.saves import EvadeChoice, RerollChoice, Saves
from legatus.games.virtus.sequence import BeginTurn
from legatus.games.virtus.state import FACEDOWN, PLACE, RETREATED, VirtusState
from legatus.kernel.chance import WrongLuck
from tests.rules import rule

from .field import (
    at,
    battle,
    cohesion,
    declares,
    do,
    fights,
    go_on,
    moves,
    place,
    refusals,
    run,
    tokens,
    told,
    unit,
    whole_turn,
)
from .field import tests as saves  # a name that pytest does not collect

FOE = "X horde barb3 tokens=w"  # his test comes next: play stops there


def hurt(rome: str, **more: Any) -> VirtusState:
    """Rome's units are about to be tested."""
    return saves(battle(rome, FOE, **more))


# --- 15 dromedaries ------------------------------------------------------------------------------


@rule("V15b")
@pytest.mark.parametrize(
    ("kind", "march"), [("dromedarii", 4), ("cataphract_dromedaries", 3), ("light_cavalry", 5)]
)
def test_dromedaries_march_as_medium_troops_and_armoured_ones_as_heavy(kind: str, march: int) -> None:
    state = moves(battle(f"A {kind} rome1; B legionaries rome1", FOE), 1)
    full = cohesion(state, "A")
    line = "move A rome-reserve>rome2>barb2"
    assert cohesion(do(state, line, dice=[march]).state, "A") == full
    assert cohesion(do(state, line, dice=[march + 1]).state, "A") == full - 1


@rule("V15b")
@pytest.mark.parametrize(("kind", "evades"), [("dromedarii", True), ("cataphract_dromedaries", False)])
def test_dromedaries_evade_and_armoured_ones_do_not(kind: str, evades: bool) -> None:
    state = hurt(f"A {kind} rome1 tokens=w; B legionaries rome2 tokens=w")
    after = do(state, "save A white", dice=[6, 3]).state
    assert isinstance(after.decision, EvadeChoice) == evades
    state = battle(f"A {kind} rome1; B legionaries rome1", f"{FOE}; Y horde rome1")
    state = at(state, Fights(0, 1), Moves(0, 1))
    state.points[1] = 9
    state = run(state, "fight A", "done", dice=[6, 6, 6])
    assert refusals(state, "move A rome-reserve") == ([] if evades else ["V5a"])


@rule("V15b", "V16b")
@pytest.mark.parametrize(("kind", "value"), [("dromedarii", 4), ("cataphract_dromedaries", 2)])
def test_dromedaries_face_elephants_as_light_troops_and_armoured_ones_as_heavy(kind: str, value: int) -> None:
    state = hurt(f"A {kind} rome1 tokens=k; B legionaries rome2 tokens=w")
    assert ("V3.1c", "event.saved") in told(do(state, "save A black", dice=[value, 6]))
    assert ("V3.1d", "event.failed") in told(do(state, "save A black", dice=[value + 1, 6]))


@rule("V15a")
@pytest.mark.parametrize("kind", ["dromedarii", "cataphract_dromedaries"])
def test_horsemen_hit_by_dromedaries_save_on_a_1_only(kind: str) -> None:
    rome = "A heavy_cavalry rome1; B legionaries rome2 tokens=w"
    state = battle(rome, f"Y {kind} rome1; Z horde rome1", active="barbarians")
    state = do(fights(state, 1), "fight Y", dice=[1, 6, 6]).state
    assert tokens(state, "A") == "y"
    state.active = 0
    assert cohesion(do(saves(state), "save A yellow", dice=[1, 6]).state, "A") == 4
    assert cohesion(do(saves(state), "save A yellow", dice=[2, 1]).state, "A") == 3


# --- 16 what elephants are -----------------------------------------------------------------------


@rule("V16a")
def test_elephants_fight_in_woods_like_other_horse() -> None:
    state = battle("A elephants rome1", f"{FOE}; Y horde rome1", terrain={"rome1": "woods"})
    assert tokens(do(fights(state, 1), "fight A", dice=[1, 2, 2, 2]).state, "Y") == "k"


@rule("V16a")
def test_elephants_charge_for_one_point_and_shy_at_pikes_like_other_horse() -> None:
    state = battle("A elephants rome1 vc=2; B legionaries rome2", f"{FOE}; Y horde rome1 pikes")
    state = run(declares(state, {1: 1}), "declare-charge A", "activate seg1")
    after = do(state, "charge A Y", dice=[3, 1]).state  # the test fails: one die is left
    assert (cohesion(after, "A"), tokens(after, "Y")) == (1, "k")
    after = do(state, "charge A Y", dice=[2, 1, 1]).state
    assert (cohesion(after, "A"), tokens(after, "Y")) == (2, "kk")


@rule("V16a")
def test_elephants_march_and_save_as_dense_troops() -> None:
    state = moves(battle("A elephants rome-reserve; B legionaries rome1", FOE), 1)
    assert cohesion(do(state, "move A rome1>barb1", dice=[3]).state, "A") == 4
    assert cohesion(do(state, "move A rome1>barb1", dice=[4]).state, "A") == 3
    state = hurt("A elephants rome1 tokens=k")
    assert cohesion(do(state, "save A black", dice=[2]).state, "A") == 4
    assert cohesion(do(state, "save A black", dice=[3]).state, "A") == 3


@rule("V16b")
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("veteran_legionaries", 2),  # dense, whatever its VD
        ("fanatics", 2),
        ("cataphracts", 2),
        ("scorpions", 2),  # artillery
        ("javelinmen", 4),  # dispersed
        ("light_cavalry", 4),
        ("warriors", 3),  # others
        ("medium_cavalry", 3),
    ],
)
def test_black_tokens_are_saved_by_the_order_of_the_unit(kind: str, value: int) -> None:
    state = hurt(f"A {kind} rome1 tokens=k; B legionaries rome2 tokens=w")
    dark = [] if kind == "fanatics" else [6]
    passed = {clause for clause, _ in told(do(state, "save A black", dice=[value, *dark]))}
    failed = {clause for clause, _ in told(do(state, "save A black", dice=[value + 1, *dark]))}
    assert "V3.1c" in passed
    assert "V3.1c" not in failed


@rule("V16b")
def test_the_dark_die_is_as_usual_against_black_tokens() -> None:
    state = hurt("A legionaries rome1 tokens=k")
    assert place(do(state, "save A black", dice=[3, 4]).state, "A") == "rome1"
    assert place(do(state, "save A black", dice=[3, 5]).state, "A") == "rome-reserve"


@rule("V16b")
def test_hits_of_elephants_are_tested_against_order() -> None:
    rome = "A veteran_legionaries rome1; B legionaries rome2 tokens=w"
    state = battle(rome, "E elephants rome1; Z horde rome1", active="barbarians")
    state = do(fights(state, 1), "fight E", dice=[4, 5, 6, 6]).state
    assert tokens(state, "A") == "k"
    state.active = 0
    assert cohesion(do(saves(state), "save A black", dice=[3, 1]).state, "A") == 3


# --- 16 their saves ------------------------------------------------------------------------------


@rule("V16d")
def test_elephants_roll_no_dark_die_and_a_failure_costs_a_point_and_a_retreat() -> None:
    state = hurt("E elephants barb1 tokens=w")
    held = do(state, "save E white", dice=[3]).state
    assert (cohesion(held, "E"), place(held, "E")) == (4, "barb1")
    play = do(state, "save E white", dice=[4])
    assert (cohesion(play.state, "E"), place(play.state, "E")) == (3, "rome1")
    assert ("V16d", "event.retreats") in told(play)


@rule("V16d", "V3.1e")
def test_a_second_failure_of_elephants_in_a_turn_is_a_rout() -> None:
    state = do(hurt("E elephants barb1 tokens=ww; B legionaries rome2"), "save E white", dice=[4]).state
    play = do(state, "save E white", dice=[4])
    assert place(play.state, "E") == "gone"
    assert ("V3.1e", "event.routs") in told(play)


@rule("V16d")
@pytest.mark.parametrize("mark", ["stoic", "elite"])
def test_charisma_stoicism_and_elite_do_not_help_elephants(mark: str) -> None:
    state = hurt(
        f"E elephants barb1 tokens=w {mark}; B legionaries barb1", generals="G rome barb1 charismatic"
    )
    after = do(state, "save E white", dice=[4]).state
    assert not isinstance(after.decision, RerollChoice)
    assert (cohesion(after, "E"), place(after, "E")) == (3, "rome1")


# --- 16 trampling --------------------------------------------------------------------------------


@rule("V16c")
def test_retreating_elephants_trample_each_friend_where_they_arrive_and_nobody_else() -> None:
    """Vets save white on 4 but elephants on 2; nobody tests in the sector left, the reserve or beside."""
    rome = (
        "E elephants barb1 tokens=w; A veteran_legionaries rome1; B javelinmen rome1;"
        "C legionaries rome-reserve; D legionaries barb1; F legionaries rome2"
    )
    play = do(hurt(rome), "save E white", dice=[6, 3, 1, 4, 6])
    assert [cohesion(play.state, name) for name in "ABCDF"] == [3, 2, 4, 4, 4]
    assert told(play).count(("V16c", "event.trampled")) == 2


@rule("V16c")
def test_elephants_that_retreat_to_the_reserve_trample_there() -> None:
    state = hurt("E elephants rome1 tokens=w; A legionaries rome-reserve; B legionaries rome1")
    after = do(state, "save E white", dice=[6, 3, 1]).state
    assert [cohesion(after, name) for name in "EAB"] == [3, 3, 4]


@rule("V16c")
def test_enemies_where_they_arrive_are_not_trampled() -> None:
    state = saves(battle("E elephants barb1 tokens=w", f"{FOE}; Y horde rome1"))
    after = do(state, "save E white", dice=[6]).state
    assert (place(after, "E"), cohesion(after, "Y")) == ("rome1", 4)


@rule("V16c")
def test_each_retreat_tramples_once_and_a_rout_does_not() -> None:
    state = hurt("E elephants barb1 tokens=ww; A legionaries rome1; C legionaries rome-reserve")
    state = do(state, "save E white", dice=[6, 1, 1]).state
    assert place(state, "E") == "rome1"
    after = do(state, "save E white", dice=[6]).state
    assert place(after, "E") == "gone"
    assert [cohesion(after, name) for name in "AC"] == [4, 4]


@rule("V16c")
def test_elephants_that_die_trample_nobody() -> None:
    state = hurt("E elephants barb1 vc=1 tokens=w; A legionaries rome1")
    assert place(do(state, "save E white", dice=[6]).state, "E") == "gone"


@rule("V16c")
def test_elephants_that_hold_trample_nobody() -> None:
    state = hurt("E elephants barb1 tokens=w; A legionaries rome1")
    assert place(do(state, "save E white", dice=[3]).state, "E") == "barb1"


@rule("V16c")
def test_elephants_that_are_trampled_and_fail_retreat_and_trample_in_turn() -> None:
    """E falls back on F and B; F falls back on C in the reserve; B is tested once, by E alone."""
    rome = "E elephants barb1 tokens=w; F elephants rome1; B legionaries rome1; C horde rome-reserve"
    after = do(hurt(rome), "save E white", dice=[6, 3, 3, 1, 2, 6]).state
    assert [place(after, name) for name in "EFBC"] == ["rome1", "rome-reserve", "rome1", "rome-reserve"]
    assert [cohesion(after, name) for name in "EFBC"] == [3, 3, 4, 3]


@rule("V16c")
def test_elephants_that_are_trampled_and_hold_end_the_chain() -> None:
    state = hurt("E elephants barb1 tokens=w; F elephants rome1; C legionaries rome-reserve")
    after = do(state, "save E white", dice=[6, 2]).state
    assert (place(after, "F"), cohesion(after, "C")) == ("rome1", 4)


@rule("V16c", "V3.1e")
def test_a_trampled_unit_that_breaks_has_retreated_once() -> None:
    state = hurt("E elephants barb1 tokens=w; A legionaries rome1 tokens=w; B legionaries rome2")
    state = do(state, "save E white", dice=[6, 3, 5]).state
    assert (place(state, "A"), cohesion(state, "A"), tokens(state, "A")) == ("rome-reserve", 3, "w")
    play = do(state, "save A white", dice=[6, 4])
    assert place(play.state, "A") == "gone"
    assert ("V3.1e", "event.routs") in told(play)


@rule("V16c", "V3.3a")
def test_a_unit_trampled_in_the_reserve_stays_and_does_not_rally() -> None:
    rome = "E elephants rome1 tokens=w; A legionaries rome-reserve vc=3; B legionaries rome-reserve vc=3"
    state = go_on(at(battle(rome, FOE), BeginTurn(0, 5), Saves(0), Rallies(0))).state
    state = do(state, "save E white", dice=[6, 3, 4, 3, 3]).state
    assert isinstance(state.decision, Rallies)
    assert [place(state, name) for name in "AB"] == ["rome-reserve"] * 2
    assert [cohesion(state, name) for name in "AB"] == [2, 2]
    assert refusals(state, "rally A") == ["V3.3a"]
    assert refusals(state, "rally B") == []


@rule("V16c", "V6.4-evade-c")
def test_a_trampled_light_unit_may_evade_and_the_next_is_tested_after_it() -> None:
    state = hurt("E elephants barb1 tokens=w; L light_cavalry rome1; A legionaries rome1")
    state = do(state, "save E white", dice=[6, 5, 2]).state
    assert isinstance(state.decision, EvadeChoice)
    after = do(state, "evade", dice=[3, 1]).state
    assert (place(after, "L"), cohesion(after, "L"), cohesion(after, "A")) == ("rome-reserve", 2, 3)


@rule("V16c", "V6.4-evade-c")
@pytest.mark.parametrize("kind", ["light_cavalry", "horse_archers", "light_chariots", "dromedarii"])
def test_a_light_unit_trampled_in_the_reserve_has_nowhere_to_evade_to(kind: str) -> None:
    state = hurt(f"E elephants rome1 tokens=w; L {kind} rome-reserve; B legionaries rome2 tokens=w")
    full = cohesion(state, "L")
    after = do(state, "save E white", dice=[6, 5, 1]).state
    assert isinstance(after.decision, Saves)
    assert (place(after, "L"), cohesion(after, "L")) == ("rome-reserve", full - 1)
    assert not after.flags[unit(after, "L")] & RETREATED


@rule("V16c", "V10-troops.2a")
def test_trampled_fanatics_roll_one_die() -> None:
    state = hurt("E elephants barb1 tokens=w; A fanatics rome1")
    after = do(state, "save E white", dice=[6, 3]).state
    assert (place(after, "A"), cohesion(after, "A")) == ("rome1", 3)


@rule("V16c")
@pytest.mark.parametrize(("holder", "lost"), [("rome", 0), ("barbarians", 1)])
def test_units_that_are_trampled_in_their_camp_save_as_in_a_camp(holder: str, lost: int) -> None:
    rome = "E elephants barb1 tokens=w; A legionaries rome1"
    state = hurt(rome, camps=["rome1"], holder={"rome1": holder})
    assert cohesion(do(state, "save E white", dice=[6, 4, 1]).state, "A") == 4 - lost


@rule("V16c", "V10-troops.5a")
def test_trampled_rabble_roll_their_d8() -> None:
    state = hurt("E elephants barb1 tokens=w; A legionaries rome1 rabble; B legionaries rome2")
    assert place(do(state, "save E white", dice=[6, 3, 8]).state, "A") == "rome-reserve"
    with pytest.raises(WrongLuck):
        do(hurt("E elephants barb1 tokens=w; A legionaries rome1"), "save E white", dice=[6, 3, 8])


@rule("V16c", "V13.1d")
def test_elephants_that_retreat_for_the_loss_of_their_general_trample_too() -> None:
    rome = "E elephants rome1; A legionaries rome-reserve; B legionaries rome2 tokens=w"
    state = whole_turn(battle(rome, FOE, generals="G rome rome1 tokens=1 with=E"))
    after = go_on(state, dice=[5, 5, 3, 1]).state
    assert (place(after, "E"), cohesion(after, "E"), cohesion(after, "A")) == ("rome-reserve", 4, 3)


@rule("V16c")
@pytest.mark.parametrize(("vc", "end"), [(2, "rome-reserve"), (1, "gone")])
def test_a_face_down_unit_that_is_trampled_away_leaves_no_marker_behind(vc: int, end: str) -> None:
    rome = f"E elephants barb1 tokens=w; U javelinmen rome1 vc={vc}; B legionaries rome2 tokens=w"
    state = battle(rome, FOE, terrain={"rome1": "thick_forest"})
    state.flags[unit(state, "U")] |= FACEDOWN
    state.markers[PLACE["rome1"]] = 1
    assert not [said for said in VIRTUS.invariants(state) if "V7d" in said]
    after = do(saves(state), "save E white", dice=[6, 5, 6]).state
    assert place(after, "U") == end
    assert [said for said in VIRTUS.invariants(after) if "V7d" in said] == []
