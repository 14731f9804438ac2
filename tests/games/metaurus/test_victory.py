"""5 Victory: what counts (M5.roman, M5.carthage.1), when (MH11.length), and the end of the time."""

from __future__ import annotations

import pytest

from legatus.games.metaurus import METAURUS
from legatus.games.metaurus.state import CARTHAGE, EXITED, GONE, ROME, Goals, MetaurusState, put
from legatus.games.metaurus.turn import EndTurn
from legatus.kernel import Outcome, legal
from tests.rules import rule

from .stage import (
    activations,
    at,
    battle,
    combats,
    decision,
    disordered,
    do,
    go_on,
    index,
    moves,
    place,
    refusals,
    run,
    told,
)


def brink(
    rome: str, carthage: str, *, destroyed: int = 0, lost: int = 0, exits: int = 0, **more: object
) -> MetaurusState:
    """A position in which Rome has ``destroyed`` units that count and ``lost`` some, and ``exits`` have left.

    They stood in the four last rows; RR and PP stand far away, so that nobody is the last of his side.
    """
    dead = [f"P{n} MI {n % 12:02}{n // 12 + 8:02}" for n in range(destroyed + exits)]
    ghosts = [f"R{n} LEGION {n:02}07" for n in range(lost)]
    more.setdefault("reserves", True)
    state = battle("; ".join([rome, *ghosts]), "; ".join([carthage, *dead]), rows=13, **more)  # type: ignore[arg-type]
    for n in range(destroyed + exits):
        put(state, index(state, f"P{n}"), GONE if n < destroyed else EXITED)
    for n in range(lost):
        put(state, index(state, f"R{n}"), GONE)
    state.killed = [destroyed, lost]
    state.exits = exits
    assert not list(METAURUS.invariants(state))
    return state


# --- Rome ----------------------------------------------------------------------------------------


@rule("M5.roman", "MH11.length")
@pytest.mark.parametrize("destroyed", [17, 18])
@pytest.mark.parametrize("arm", ["CAV", "HI", "MI"])
def test_rome_wins_with_the_nineteenth_carthaginian_unit(arm: str, destroyed: int) -> None:
    state = brink("A LEGION 0505", f"X {arm} 0504 disordered", destroyed=destroyed)
    play = do(combats(state, "red"), "attack A X", [9])
    assert place(play.state, "X") == "gone"
    assert play.state.killed == [destroyed + 1, 0]
    assert ("M5.roman", "event.counts") in told(play)
    won = Outcome(ROME, "M5.roman", "end.rome")
    assert play.state.outcome == (won if destroyed == 18 else None)


@rule("M5.roman", "M4.disorder")
def test_a_unit_that_is_only_disordered_does_not_count() -> None:
    state = brink("A LEGION 0505", "X MI 0504", destroyed=18)
    after = run(combats(state, "red"), "attack A X", dice=[7])  # 8 with the arms
    assert disordered(after, "X")
    assert (after.killed, after.outcome) == ([18, 0], None)


@rule("M5.roman.ex1", "M5.roman.ex2")
@pytest.mark.parametrize("arm", ["EL", "LI"])
def test_the_elephant_and_light_troops_do_not_count(arm: str) -> None:
    state = brink("A LEGION 0505", f"X {arm} 0504 n disordered", destroyed=18)
    play = do(combats(state, "red"), "attack A X", [9])  # from the rear: 9 and more in any case
    assert place(play.state, "X") == "gone"
    assert ("M5.roman", "event.counts_not") in told(play)
    assert (play.state.killed, play.state.outcome) == ([18, 0], None)


@rule("M5.roman.ex3", "M3.elephant.4")
def test_victims_of_the_elephant_do_not_count() -> None:
    state = brink("A LEGION 0005", "E EL 0504; X HI 0505 disordered", destroyed=18, active="carthage")
    play = do(activations(state), "activate white", [8])
    assert place(play.state, "X") == "gone"
    assert ("M5.roman", "event.counts_not") in told(play)
    assert (play.state.killed, play.state.outcome) == ([18, 0], None)


@rule("M5.roman.ex3", "M3.elephant.4")
def test_also_those_that_rome_has_chosen_do_not_count() -> None:
    carthage = "E EL 0504; X HI 0505 disordered; Y HI 0503 disordered"
    state = brink("A LEGION 0005", carthage, destroyed=18, active="carthage")
    after = run(activations(state), "activate white", "frighten Y", dice=[9])
    assert (place(after, "Y"), after.killed, after.outcome) == ("gone", [18, 0], None)


@rule("M5.roman.ex3", "M3.retreat.8")
def test_a_unit_that_fails_its_roll_after_a_retreat_counts() -> None:
    state = brink("A LEGION 0505", "X MI 0504 disordered", destroyed=18, orders="yellow=move")
    after = run(combats(state, "red"), "attack A X", "retreat 0503", "face s", dice=[9])
    assert (place(after, "X"), after.killed) == ("gone", [19, 0])
    assert after.outcome == Outcome(ROME, "M5.roman", "end.rome")


@rule("M5.roman")
def test_an_attacker_that_is_destroyed_counts_for_the_defender() -> None:
    state = brink("A LEGION 0505", "X MI 0504 disordered", destroyed=18, active="carthage")
    after = run(combats(state, "yellow"), "attack X A", dice=[0])
    assert (place(after, "X"), after.killed) == ("gone", [19, 0])
    assert after.outcome == Outcome(ROME, "M5.roman", "end.rome")


# --- Carthage ------------------------------------------------------------------------------------


@rule("M5.carthage.1", "MH11.length")
@pytest.mark.parametrize("lost", [10, 11])
@pytest.mark.parametrize("arm", ["LEGION", "CAV"])
def test_carthage_wins_with_the_twelfth_roman_unit(arm: str, lost: int) -> None:
    state = brink(f"A {arm} 0505 s disordered", "X HI 0504", lost=lost, active="carthage")
    play = do(combats(state, "white"), "attack X A", [9])  # from the rear
    assert (place(play.state, "A"), play.state.killed) == ("gone", [0, lost + 1])
    assert ("M5.carthage.1", "event.counts") in told(play)
    won = Outcome(CARTHAGE, "M5.carthage.1", "end.carthage")
    assert play.state.outcome == (won if lost == 11 else None)


@rule("M5.carthage.1", "M3.elephant.3")
def test_romans_that_the_elephant_destroys_count() -> None:
    state = brink("A LEGION 0505 disordered", "E EL 0503", lost=11, active="carthage")
    after = run(activations(state), "activate white", dice=[6])
    assert (place(after, "A"), after.killed) == ("gone", [0, 12])
    assert after.outcome == Outcome(CARTHAGE, "M5.carthage.1", "end.carthage")


@rule("M5.carthage.2", "MH8.exit")
@pytest.mark.parametrize("exits", [18, 19])
@pytest.mark.parametrize("arm", ["EL", "CAV", "HI", "MI", "LI"])
def test_carthage_wins_when_the_twentieth_unit_of_any_arm_has_left(arm: str, exits: int) -> None:
    state = brink(
        "A LEGION 0505",
        f"X {arm} 0512 group=white; Y HI 0212",
        exits=exits,
        orders="white=move",
        active="carthage",
    )
    after = run(moves(state, "white"), "march X", "go south")
    assert (place(after, "X"), after.exits) == ("exited", exits + 1)
    won = Outcome(CARTHAGE, "M5.carthage.2", "end.exits")
    assert after.outcome == (won if exits == 19 else None)


@rule("M5.carthage.2")
def test_units_destroyed_and_units_led_off_are_not_added_up() -> None:
    state = brink(
        "A LEGION 0505", "X HI 0512; Y HI 0212", lost=11, exits=18, orders="white=move", active="carthage"
    )
    after = run(moves(state, "white"), "march X", "go south")
    assert (after.killed, after.exits, after.outcome) == ([0, 11], 19, None)


@rule("M5.carthage.2", "M5.roman")
def test_who_has_left_is_not_destroyed() -> None:
    state = brink(
        "A LEGION 0505", "X HI 0512; Y HI 0212", destroyed=18, orders="white=move", active="carthage"
    )
    after = run(moves(state, "white"), "march X", "go south")
    assert (after.killed, after.exits, after.outcome) == ([18, 0], 1, None)


# --- when ----------------------------------------------------------------------------------------


@rule("MH11.length")
def test_the_first_to_reach_his_number_wins_on_the_spot() -> None:
    """Neither the advance nor the other attacks follow."""
    rome, carthage = "A LEGION 0505; B LEGION 0905", "X MI 0504 disordered; Y MI 0904"
    state = brink(rome, carthage, destroyed=18)
    after = run(combats(state, "red"), "attack A X", dice=[9])
    assert (place(after, "A"), decision(after), legal(after)) == ("0505", None, [])
    assert refusals(after, "attack B Y") == ["M5.roman"]


@rule("MH11.length")
@pytest.mark.parametrize(("active", "winner"), [("rome", ROME), ("carthage", CARTHAGE)])
def test_if_both_have_reached_theirs_the_active_player_wins(active: str, winner: int) -> None:
    """It cannot happen by itself, as each number is looked at whenever it grows; the rule is there."""
    state = brink("A LEGION 0505", "X MI 0504 disordered", destroyed=18, lost=12, active=active)
    line = ("red", "attack A X", 9) if winner == ROME else ("yellow", "attack X A", 0)
    after = run(combats(state, line[0]), line[1], dice=[line[2]])
    assert (place(after, "X"), after.killed) == ("gone", [19, 12])
    assert after.outcome is not None
    assert after.outcome.winner == winner


@rule("MH11.length", "M5.roman", "M5.carthage.1", "M5.carthage.2")
@pytest.mark.parametrize(
    ("goals", "winner"), [(Goals(rome=1), ROME), (Goals(rome=2), None), (Goals(carthage=1, exits=1), None)]
)
def test_a_scenario_may_set_other_numbers(goals: Goals, winner: int | None) -> None:
    state = brink("A LEGION 0505", "X MI 0504 disordered", goals=goals)
    play = do(combats(state, "red"), "attack A X", [9])
    assert (play.state.outcome and play.state.outcome.winner) == winner


# --- the end of the time -------------------------------------------------------------------------


def judged(killed: int, lost: int, exits: int, goals: Goals | None = None) -> tuple[int | None, str, str]:
    """How a battle ends that comes to its last turn like this."""
    state = brink("A LEGION 0505", "X HI 0500", destroyed=killed, lost=lost, exits=exits, goals=goals)
    state.turn = state.roster.goals.turns
    outcome = go_on(at(state, EndTurn())).state.outcome
    assert outcome is not None
    return outcome.winner, outcome.clause, outcome.key


@rule("MH12.time_out")
@pytest.mark.parametrize(
    ("killed", "lost", "exits", "winner"),
    [
        (0, 0, 0, ROME),  # Hasdrubal has not reached his brother
        (1, 0, 0, ROME),
        (0, 1, 0, CARTHAGE),
        (0, 0, 1, CARTHAGE),
        (3, 2, 0, CARTHAGE),  # 0.158 and 0.167
        (4, 2, 0, ROME),  # 0.211 and 0.167
        (3, 0, 3, ROME),  # 0.158 and 0.150
        (2, 0, 3, CARTHAGE),  # 0.105 and 0.150
        (3, 1, 3, ROME),  # 0.158; 0.083 and 0.150 are not added up
        (10, 6, 10, ROME),  # 0.526 and 0.5
        (9, 6, 2, CARTHAGE),  # 0.474 and 0.5
        (9, 2, 10, CARTHAGE),
    ],
)
def test_at_the_end_of_the_last_turn_progress_decides(
    killed: int, lost: int, exits: int, winner: int
) -> None:
    key = "end.rome_on_time" if winner == ROME else "end.carthage_on_time"
    assert judged(killed, lost, exits) == (winner, "MH12.time_out", key)


@rule("MH12.time_out")
@pytest.mark.parametrize(
    ("killed", "lost", "exits", "winner"),
    [(1, 1, 0, ROME), (2, 3, 0, CARTHAGE), (2, 0, 4, ROME), (1, 0, 3, CARTHAGE)],
)
def test_the_numbers_of_the_scenario_are_the_divisors(
    killed: int, lost: int, exits: int, winner: int
) -> None:
    """Of 4, 4 and 8: equal progress is Rome's."""
    goals = Goals(rome=4, carthage=4, exits=8, turns=6)
    assert judged(killed, lost, exits, goals)[0] == winner


@rule("MH12.time_out")
def test_progress_is_compared_as_soon_as_a_side_has_no_units_left() -> None:
    state = brink("A LEGION 0505", "X MI 0504 disordered", reserves=False)
    after = run(combats(state, "red"), "attack A X", dice=[9])
    assert after.outcome == Outcome(ROME, "MH12.time_out", "end.rome_on_time")
    state = brink("A LEGION 0505 s disordered", "X HI 0504", reserves=False, active="carthage", destroyed=1)
    after = run(combats(state, "white"), "attack X A", dice=[9])
    assert after.outcome == Outcome(CARTHAGE, "MH12.time_out", "end.carthage_on_time")


@rule("MH12.time_out", "MH8.exit")
@pytest.mark.parametrize(("destroyed", "winner"), [(0, CARTHAGE), (2, ROME)])
def test_also_when_the_last_carthaginian_has_left(destroyed: int, winner: int) -> None:
    """One of twenty against none or two of nineteen."""
    state = brink(
        "A LEGION 0505",
        "X HI 0512",
        reserves=False,
        orders="white=move",
        active="carthage",
        destroyed=destroyed,
    )
    after = run(moves(state, "white"), "march X", "go south")
    assert after.outcome is not None
    assert (after.outcome.winner, after.outcome.clause) == (winner, "MH12.time_out")


@rule("MH12.time_out", "M5.roman.ex2")
def test_the_last_light_troops_do_not_count_for_progress() -> None:
    """Rome destroys them and wins nothing by it: but equal progress is Rome's."""
    state = brink("A LEGION 0505", "X LI 0504 disordered", reserves=False, lost=1)
    after = run(combats(state, "red"), "attack A X", dice=[9])
    assert after.outcome == Outcome(CARTHAGE, "MH12.time_out", "end.carthage_on_time")
    state = brink("A LEGION 0505", "X LI 0504 disordered", reserves=False)
    after = run(combats(state, "red"), "attack A X", dice=[9])
    assert after.outcome == Outcome(ROME, "MH12.time_out", "end.rome_on_time")


@rule("M5.carthage.1", "M5.carthage.2", "M5.roman")
def test_wrong_counts_are_noticed() -> None:
    for name, value in (("killed", [0, 1]), ("killed", [1, 0]), ("exits", 1)):
        state = battle("A LEGION 0505", "X HI 0500")
        setattr(state, name, value)
        assert list(METAURUS.invariants(state))
