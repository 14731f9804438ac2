"""9 Rally: a unit that spends its turn in the reserve may recover a lost point."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.virtus.moves import Moves
from legatus.games.virtus.rally import Rallies
from legatus.games.virtus.saves import Saves
from legatus.games.virtus.segments import Segments
from legatus.games.virtus.sequence import BeginTurn
from legatus.games.virtus.state import VirtusState
from legatus.kernel.objects import replace
from tests.rules import rule

from .field import (
    at,
    battle,
    cohesion,
    do,
    give_hand,
    go_on,
    legal_lines,
    place,
    rallies,
    refusals,
    run,
    told,
    whole_turn,
)

FOE = "X horde barb3 tokens=w"  # his test comes next: play stops there
OTHER = "B legionaries rome-reserve vc=3"  # he could rally too, so the step stays open


def resting(rome: str, **more: Any) -> VirtusState:
    """Rome may rally, in a turn that has just begun."""
    return rallies(battle(f"{rome}; {OTHER}", FOE, **more))


@rule("V9a")
@pytest.mark.parametrize(("face", "won"), [(1, 1), (2, 1), (3, 0), (6, 0)])
def test_a_die_at_or_below_cohesion_gives_back_one_point(face: int, won: int) -> None:
    play = do(resting("A legionaries rome-reserve vc=2"), "rally A", dice=[face])
    assert (cohesion(play.state, "A"), place(play.state, "A")) == (2 + won, "rome-reserve")
    assert ("V9a", "event.rallied" if won else "event.not_rallied") in told(play)


@rule("V9a")
def test_a_rally_costs_no_point() -> None:
    state = resting("A legionaries rome-reserve vc=2")
    assert state.points == [0] * 5
    assert do(state, "rally A", dice=[1]).state.points == [0] * 5


@rule("V9a")
@pytest.mark.parametrize("face", [1, 6])
def test_a_unit_rallies_once_a_turn_whether_it_succeeds_or_not(face: int) -> None:
    state = do(resting("A legionaries rome-reserve vc=1"), "rally A", dice=[face]).state
    assert isinstance(state.decision, Rallies)
    assert refusals(state, "rally A") == ["V9a"]
    assert legal_lines(state) == ["rally B", "end-turn"]


@rule("V9a")
def test_a_unit_without_losses_does_not_rally_and_none_rises_above_its_initial_cohesion() -> None:
    state = resting("A legionaries rome-reserve; C legionaries rome-reserve vc=3")
    assert refusals(state, "rally A") == ["V9a"]
    assert cohesion(do(state, "rally C", dice=[1]).state, "C") == 4


@rule("V9a")
def test_only_own_units_in_the_own_reserve_rally() -> None:
    state = rallies(
        battle(
            f"{OTHER}; C legionaries rome1 vc=2; D legionaries barb2 vc=2",
            f"{FOE}; Y horde barb-reserve vc=1",
        )
    )
    assert refusals(state, "rally B") == []
    for name in ("C", "D", "Y", "nobody"):
        assert refusals(state, f"rally {name}") == ["V9a"], name


@rule("V9a")
def test_a_unit_that_came_into_the_reserve_this_turn_does_not_rally() -> None:
    state = at(battle(f"{OTHER}; A legionaries rome1 vc=2", FOE), BeginTurn(0, 5), Moves(0, 1), Rallies(0))
    state.points[1] = 9
    state = run(go_on(state).state, "move A rome-reserve", "done")
    assert (place(state, "A"), set(refusals(state, "rally A"))) == ("rome-reserve", {"V9a"})
    assert refusals(state, "rally B") == []


@rule("V9a")
def test_a_unit_that_left_the_reserve_does_not_rally() -> None:
    state = at(
        battle(f"{OTHER}; A legionaries rome-reserve vc=2", FOE), BeginTurn(0, 5), Moves(0, 1), Rallies(0)
    )
    state.points[1] = 9
    state = run(go_on(state).state, "move A rome1", "done")
    assert "V9a" in refusals(state, "rally A")


@rule("V9a", "V3.3a")
def test_a_unit_that_retreated_into_the_reserve_this_turn_does_not_rally() -> None:
    state = at(
        battle(f"{OTHER}; A legionaries rome1 vc=3 tokens=w", FOE), BeginTurn(0, 5), Saves(0), Rallies(0)
    )
    state = do(go_on(state).state, "save A white", dice=[6, 6]).state
    assert isinstance(state.decision, Rallies)
    assert (place(state, "A"), cohesion(state, "A")) == ("rome-reserve", 2)
    assert set(refusals(state, "rally A")) == {"V9a", "V3.3a"}


@rule("V9a")
def test_rallies_come_last_in_the_turn() -> None:
    state = battle(f"{OTHER}; A legionaries rome1", FOE, generals="G rome rome1")
    state = do(go_on(whole_turn(give_hand(state, "rome", "face"))).state, "done").state
    assert isinstance(state.decision, Segments)
    assert refusals(state, "rally B") == ["V4.3a"]
    state = do(state, "done").state
    assert isinstance(state.decision, Rallies)
    state = do(state, "rally B", dice=[3]).state
    assert (state.active, cohesion(state, "B")) == (1, 4)


@rule("V9a", "V8b")
@pytest.mark.parametrize(
    ("generals", "bonus"),
    [
        ("G rome rome-reserve charismatic", 1),
        ("G rome rome-reserve charismatic; H rome rome-reserve charismatic", 1),
        ("G rome rome-reserve superior", 0),
        ("G rome rome1 charismatic", 0),
        ("H barbarians barb-reserve charismatic", 0),
    ],
)
def test_a_charismatic_general_in_the_reserve_adds_1(generals: str, bonus: int) -> None:
    state = resting("A legionaries rome-reserve vc=2; C legionaries rome1", generals=generals)
    assert cohesion(do(state, "rally A", dice=[2 + bonus]).state, "A") == 3
    assert cohesion(do(state, "rally A", dice=[3 + bonus]).state, "A") == 2


@rule("V10-troops.4b", "V9a")
@pytest.mark.parametrize(("generals", "value"), [("", 4), ("G rome rome-reserve charismatic", 5)])
def test_elite_units_rally_by_their_initial_cohesion(generals: str, value: int) -> None:
    state = resting("A legionaries rome-reserve vc=1 elite", generals=generals)
    assert cohesion(do(state, "rally A", dice=[value]).state, "A") == 2
    assert cohesion(do(state, "rally A", dice=[value + 1]).state, "A") == 1


@rule("V9a", "V10-troops.3a", "V10-troops.5a")
@pytest.mark.parametrize("mark", ["stoic", "rabble"])
def test_stoic_and_rabble_units_rally_by_their_current_cohesion(mark: str) -> None:
    state = resting(f"A legionaries rome-reserve vc=2 {mark}")
    assert cohesion(do(state, "rally A", dice=[2]).state, "A") == 3
    assert cohesion(do(state, "rally A", dice=[3]).state, "A") == 2


@rule("V9a", "V10-troops.2a", "V16d")
@pytest.mark.parametrize("kind", ["fanatics", "elephants"])
def test_fanatics_and_elephants_rally_like_others(kind: str) -> None:
    state = resting(f"A {kind} rome-reserve vc=2")
    assert cohesion(do(state, "rally A", dice=[2]).state, "A") == 3
    assert cohesion(do(state, "rally A", dice=[3]).state, "A") == 2
    elite = resting(f"A {kind} rome-reserve vc=1 elite", generals="G rome rome-reserve charismatic")
    assert cohesion(do(elite, "rally A", dice=[5]).state, "A") == 2
    assert cohesion(do(elite, "rally A", dice=[6]).state, "A") == 1


@rule("V9a")
def test_a_natural_6_means_nothing_here() -> None:
    """A troop type of an army's own may have cohesion 6 and rallies on a 6 with 5 left and charisma."""
    state = resting("A legionaries rome-reserve", generals="G rome rome-reserve charismatic")
    stout = replace(state.roster.units[0], vc=6)
    state.roster = replace(state.roster, units=(stout, *state.roster.units[1:]))
    state.vc[0] = 5
    assert cohesion(do(state, "rally A", dice=[6]).state, "A") == 6
    state.vc[0] = 4
    assert cohesion(do(state, "rally A", dice=[6]).state, "A") == 4
