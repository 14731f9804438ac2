"""The elephant (M3.elephant): a die before it is played, and whom it frightens."""

from __future__ import annotations

import pytest

from legatus.games.metaurus.activation import Activations, FoeFright, OwnFright
from legatus.games.metaurus.combat import Combats
from legatus.games.metaurus.movement import Moves
from legatus.games.metaurus.state import MetaurusState
from legatus.kernel import NeedLuck, Play
from tests.rules import rule

from .stage import (
    activations,
    battle,
    decision,
    disordered,
    do,
    legal_lines,
    over,
    place,
    refusals,
    run,
    told,
)


def camp(rome: str, carthage: str, orders: str = "", **more) -> MetaurusState:
    """Carthage is about to activate its groups; the elephant E stands in 0505 and is white."""
    return activations(battle(rome, f"E EL 0505; {carthage}", orders=orders, active="carthage", **more))


def beast(state: MetaurusState, *dice: int) -> Play:
    return do(state, "activate white", dice=dice)


def hurt(state: MetaurusState) -> list[str]:
    return [unit.id for unit in state.roster.units if disordered(state, unit.id)]


# --- the roll ------------------------------------------------------------------------------------


@rule("M3.elephant.1", "M3.elephant.2", "M3.elephant.3", "M3.elephant.4")
@pytest.mark.parametrize("face", range(10))
def test_the_whole_table(face: int) -> None:
    state = camp("A LEGION 0510; B LEGION 0811", "Y HI 0501; Z HI 0800")
    play = beast(state, face)
    victim, clause, key = (
        ([], "M3.elephant.2", "event.calm")
        if face <= 5
        else (["A"], "M3.elephant.3", "event.rages")
        if face <= 7
        else (["Y"], "M3.elephant.4", "event.runs_wild")
    )
    assert hurt(play.state) == victim
    assert (clause, key) in told(play)
    assert ((clause, "event.disordered") in told(play)) == bool(victim)
    (event,) = (event for event in play.events if event.key == key)
    assert event.dice == (face,)
    assert over(play.state)


@rule("M3.elephant.1")
@pytest.mark.parametrize("order", ["attack", "stand", "move", "move-to-attack", "reform"])
def test_there_is_a_roll_under_any_order_and_before_anything_else(order: str) -> None:
    """Also before disordered units reform, and before moves and combats."""
    state = camp("A LEGION 0506 n", "Y HI 0404 disordered", orders=f"white={order}", reserves=True)
    with pytest.raises(NeedLuck) as need:
        beast(state)
    assert [event.key for event in need.value.told if event.key != "event.reveals"] == ["event.activates"]
    dice = [5, 0] if order == "reform" else [5]
    play = beast(state, *dice)
    keys = [event.key for event in play.events]
    assert keys.count("event.calm") == 1
    if order == "reform":
        assert keys.index("event.calm") < keys.index("event.reforms")
    kind = {"move": Moves, "move-to-attack": Moves, "attack": Combats}.get(order, Activations)
    assert isinstance(decision(play.state), kind)


@rule("M3.elephant.1", "M2.independent")
def test_with_a_marker_of_its_own_it_is_rolled_for_when_that_is_activated() -> None:
    state = camp("A LEGION 0511", "Y HI 0500", orders="elephants=stand")
    state = beast(state).state  # white: no die
    assert legal_lines(state) == ["activate elephants"]
    assert hurt(do(state, "activate elephants", dice=[6]).state) == ["A"]


@rule("M3.elephant.1")
def test_it_is_rolled_for_once_a_turn() -> None:
    state = camp("A LEGION 0511", "Y HI 0500; M MI 0800")
    state = beast(state, 0).state
    assert refusals(state, "activate white") == ["MH17.activation"]
    assert over(run(state, "activate yellow"))  # no die


@rule("M3.elephant.1")
def test_other_groups_and_armies_without_an_elephant_do_not_roll() -> None:
    state = activations(battle("A LEGION 0511", "Y HI 0500", active="carthage"))
    assert over(run(state, "activate white"))
    state = activations(battle("A LEGION 0511", "E EL 0505"))
    assert over(run(state, "activate red"))


@rule("M3.elephant.1")
def test_afterwards_the_elephant_carries_out_its_order() -> None:
    state = beast(camp("A LEGION 0506 n; B LEGION 1111", ""), 7).state
    assert hurt(state) == ["A"]
    assert legal_lines(state) == ["attack E A"]
    state = beast(camp("A LEGION 0606 n disordered; B LEGION 0506 n", ""), 9).state
    assert legal_lines(state)[0].startswith("attack E")


# --- the nearest ---------------------------------------------------------------------------------


@rule("M3.elephant.3")
def test_the_nearest_roman_is_frightened_wherever_it_stands() -> None:
    """By hexes: 0809 is 5 away (4 rows and 1 hex more), 0900 is 6, and 0905 is 4 though farthest east."""
    state = camp("A LEGION 0809; B LEGION 0900; C CAV 0905", "Y HI 0504")
    assert hurt(beast(state, 6).state) == ["C"]


@rule("M3.elephant.4")
def test_the_nearest_carthaginian_is_frightened_but_not_the_elephant_itself() -> None:
    state = camp("A LEGION 0506", "Y HI 0305; M MI 0605; L LI 0808", orders="white=stand")
    assert hurt(beast(state, 8).state) == ["M"]


@rule("M3.elephant.4")
def test_nothing_happens_if_the_elephant_is_the_last() -> None:
    play = beast(camp("A LEGION 0511", ""), 9)
    assert ("M3.elephant.4", "event.runs_wild") in told(play)
    assert hurt(play.state) == []
    assert over(play.state)


@rule("M3.elephant.3")
def test_among_equals_the_carthaginian_player_chooses() -> None:
    state = beast(
        camp("A LEGION 0705; B CAV 0305; C LEGION 0805", "Y HI 0500", orders="white=stand"), 7
    ).state
    choice = decision(state)
    assert isinstance(choice, FoeFright)
    assert not isinstance(choice, OwnFright)
    assert (choice.seat, choice.clause) == (1, "M3.elephant.3")
    assert legal_lines(state) == ["frighten A", "frighten B"]
    for name in ("C", "Y", "E", "nobody"):
        assert refusals(state, f"frighten {name}") == ["M3.elephant.3"]
    play = do(state, "frighten B")
    assert hurt(play.state) == ["B"]
    assert ("M3.elephant.3", "event.disordered") in told(play)
    assert over(play.state)


@rule("M3.elephant.4")
def test_among_its_own_the_roman_player_chooses() -> None:
    state = beast(camp("A LEGION 0605", "Y HI 0705; M MI 0305; Z HI 0805", orders="white=stand"), 8).state
    choice = decision(state)
    assert isinstance(choice, OwnFright)
    assert (choice.seat, choice.clause) == (0, "M3.elephant.4")
    assert legal_lines(state) == ["frighten Y", "frighten M"]
    for name in ("A", "Z", "E"):
        assert refusals(state, f"frighten {name}") == ["M3.elephant.4"]
    play = do(state, "frighten M")
    assert hurt(play.state) == ["M"]
    assert ("M3.elephant.4", "event.disordered") in told(play)


# --- twice ---------------------------------------------------------------------------------------


@rule("M3.elephant.3", "M4.disorder", "M5.carthage.1")
def test_a_disordered_roman_is_eliminated_and_scores() -> None:
    play = beast(camp("A LEGION 0511 disordered; B LEGION 0911", ""), 6)
    assert place(play.state, "A") == "gone"
    assert play.state.killed == [0, 1]
    assert ("M4.disorder", "event.breaks") in told(play)
    assert place(play.state, "E") == "0505"  # it has not attacked, and does not advance


@rule("M3.elephant.4", "M4.disorder", "M5.roman.ex3")
@pytest.mark.parametrize("arm", ["HI", "MI", "CAV", "LI"])
def test_a_disordered_carthaginian_is_eliminated_and_does_not_score(arm: str) -> None:
    play = beast(camp("A LEGION 0511", f"Y {arm} 0500 group=white disordered"), 8)
    assert place(play.state, "Y") == "gone"
    assert play.state.killed == [0, 0]


@rule("M3.elephant.3", "M3.elephant.4", "M4.disorder", "M5.roman.ex3", "M5.carthage.1")
def test_the_same_holds_for_victims_that_were_chosen() -> None:
    state = camp(
        "A LEGION 0705 disordered; B LEGION 0305", "Y HI 0503 disordered; Z HI 0507", orders="white=stand"
    )
    after = run(state, "activate white", "frighten A", dice=[6])
    assert place(after, "A") == "gone"
    assert after.killed == [0, 1]
    after = run(state, "activate white", "frighten Y", dice=[9])
    assert place(after, "Y") == "gone"
    assert after.killed == [0, 0]
