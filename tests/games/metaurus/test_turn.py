"""0 The game, 1 Initiative: the die, the course of a turn, and who plays first."""

from __future__ import annotations

from functools import partial

import pytest

from legatus.games.metaurus.activation import Activations, Reforming, Restless
from legatus.games.metaurus.orders import Placing
from legatus.games.metaurus.retreat import RetreatTest
from legatus.games.metaurus.state import (
    ATTACKED,
    CARTHAGE,
    DISORDERED,
    MOVED,
    ROME,
    SEATS,
    MetaurusState,
)
from legatus.games.metaurus.turn import EndTurn, FirstChoice, Initiative, PlayerTurns, Turn
from legatus.kernel import NeedLuck, Play, Scripted
from legatus.kernel.chance import WrongLuck
from tests.rules import rule

from .stage import (
    activations,
    at,
    battle,
    combats,
    decision,
    do,
    force,
    go_on,
    index,
    order,
    refusals,
    run,
    told,
)

FIELD = {"rome": "A LEGION 0511; B LEGION 0611 group=orange", "carthage": "V HI 0500; W MI 0600"}


def new_turn(state: MetaurusState | None = None, dice: tuple[int, ...] = (9, 0)) -> Play:
    """A whole turn from its beginning to its first decision."""
    state = battle(**FIELD) if state is None else state.copy()
    state.todo = [Turn()]
    return go_on(state, dice)


# --- the die -------------------------------------------------------------------------------------


def wanted(state: MetaurusState, line: str = "", dice: tuple[int, ...] = ()) -> tuple[int, int, int]:
    """How many dice are asked for next, and their lowest and highest face."""
    ask = partial(do, state, line, dice) if line else partial(go_on, state, dice)
    with pytest.raises(NeedLuck) as need:
        ask()
    luck = need.value.luck
    return luck.n, luck.low, luck.high


@rule("M0.die")
def test_every_roll_is_made_with_one_die_from_0_to_9() -> None:
    one = (1, 0, 9)
    assert wanted(at(battle(), Initiative())) == one
    assert wanted(at(battle(), Initiative()), dice=(3,)) == one
    fight = battle("A LEGION 0505", "X MI 0504", reserves=True)
    assert wanted(combats(fight, "red"), "attack A X") == one
    assert wanted(combats(fight, "red"), "attack A X", (5,)) == one  # the morale of the defender
    assert wanted(combats(fight, "red"), "attack A X", (2,)) == one  # of the attacker
    assert wanted(activations(battle(**FIELD, orders="red=move")), "two-orders red orange") == one
    elephant = battle("A LEGION 0511", "E EL 0500", active="carthage")
    assert wanted(activations(elephant), "activate white") == one
    hurt = battle("A LEGION 0505 disordered", orders="red=reform")
    assert wanted(at(hurt, Reforming(force(hurt, "red")))) == one
    gauls = battle("", "G MI 0500 group=green", orders="green=move", active="carthage", gauls=True)
    assert wanted(at(gauls, Restless(force(gauls, "green")))) == one
    assert wanted(at(fight, RetreatTest(index(fight, "X"), 1))) == one


@rule("M0.die", "M1.initiative.1")
@pytest.mark.parametrize("face", [-1, 10])
def test_there_is_no_ten(face: int) -> None:
    with pytest.raises(WrongLuck):
        go_on(at(battle(), Initiative()), [face, 0])


@rule("M0.die", "M1.initiative.1")
def test_the_zero_is_worth_nothing() -> None:
    assert decision(go_on(at(battle(), Initiative()), [0, 1]).state) == FirstChoice(CARTHAGE)
    assert decision(go_on(at(battle(), Initiative()), [1, 0]).state) == FirstChoice(ROME)


# --- initiative ----------------------------------------------------------------------------------


@rule("M1.initiative.1", "M1.initiative.2")
@pytest.mark.parametrize(
    ("dice", "winner"), [((9, 0), ROME), ((5, 4), ROME), ((4, 5), CARTHAGE), ((0, 9), CARTHAGE)]
)
def test_whoever_rolls_higher_decides(dice: tuple[int, ...], winner: int) -> None:
    play = new_turn(dice=dice)
    assert decision(play.state) == FirstChoice(winner)
    assert ("M1.initiative.1", "event.initiative") in told(play)
    (rolled,) = (event for event in play.events if event.key == "event.initiative")
    assert rolled.values == {"rome": dice[0], "carthage": dice[1]}
    assert rolled.dice == dice


@rule("M1.initiative.1")
def test_equal_rolls_are_rolled_again() -> None:
    play = new_turn(dice=(3, 3, 0, 0, 7, 8))
    assert decision(play.state) == FirstChoice(CARTHAGE)
    assert [key for _, key in told(play)].count("event.initiative_tie") == 2
    play = new_turn(dice=(9, 9, 8, 7))
    assert decision(play.state) == FirstChoice(ROME)


@rule("M1.initiative.2", "M3.turns")
@pytest.mark.parametrize(
    ("dice", "line", "first"),
    [
        ((9, 0), "go-first", ROME),
        ((9, 0), "go-second", CARTHAGE),
        ((0, 9), "go-first", CARTHAGE),
        ((0, 9), "go-second", ROME),
    ],
)
def test_the_winner_says_who_plays_first(dice: tuple[int, ...], line: str, first: int) -> None:
    play = do(new_turn(dice=dice).state, line)
    assert play.events[0].values == {"side": SEATS[first]}
    state = run(play.state, "done", "done")
    assert decision(state) == Activations(first)
    assert state.active == first


@rule("M1.initiative.2")
def test_that_is_decided_before_any_order_is_placed() -> None:
    state = new_turn().state
    assert refusals(state, "lay red move") == refusals(state, "activate red") == ["M1.initiative.2"]
    state = run(state, "go-first")
    assert isinstance(decision(state), Placing)
    assert refusals(state, "go-second") == ["M2.place"]


# --- the course of a turn ------------------------------------------------------------------------


@rule("M0.turn", "M3.turns", "MH17.activation")
def test_a_turn_is_initiative_orders_and_the_two_player_turns() -> None:
    play = new_turn(dice=(0, 9))
    seen = [decision(play.state)]
    lines = ["go-first", "done", "done", "activate yellow", "activate white", "activate red"]
    state = play.state
    for line in lines:
        state = run(state, line)
        seen.append(decision(state))
    assert seen == [
        FirstChoice(CARTHAGE),
        Placing(ROME),
        Placing(CARTHAGE),
        Activations(CARTHAGE),
        Activations(CARTHAGE),
        Activations(ROME),
        Activations(ROME),
    ]
    assert (state.turn, state.active) == (4, ROME)
    last = do(state, "activate orange", [2, 1])
    assert (last.state.turn, decision(last.state)) == (5, FirstChoice(ROME))
    assert ("M0.turn", "event.turn") in told(last)


@rule("M3.turns")
def test_one_player_is_done_before_the_other_begins() -> None:
    state = at(battle(**FIELD), PlayerTurns())
    state.first = CARTHAGE
    play = go_on(state)
    assert told(play) == [("M3.turns", "event.player_turn")]
    assert refusals(play.state, "activate red") == ["M2.scope"]
    state = run(play.state, "activate white")
    assert refusals(state, "activate red") == ["M2.scope"]
    state = run(state, "activate yellow")
    assert refusals(state, "activate red") == []
    assert refusals(state, "activate white") == ["M2.scope"]


@rule("M0.turn", "M4.disorder")
def test_what_was_done_in_a_turn_is_forgotten_in_the_next_but_disorder_is_not() -> None:
    state = battle("A LEGION 0511 disordered moved attacked", "V HI 0500 moved", orders="red=move")
    state.tried = True
    state.done[0] = state.held[6] = 1
    after = new_turn(state).state
    assert [after.flags[index(after, name)] for name in "AV"] == [DISORDERED, 0]
    assert not after.flags[index(after, "V")] & (MOVED | ATTACKED)
    assert not after.tried
    assert not any(after.done + after.held)
    assert order(after, "red") == "move"


@rule("MH11.length")
@pytest.mark.parametrize(("turn", "last"), [(11, False), (12, True), (1, False)])
def test_the_battle_lasts_twelve_turns(turn: int, last: bool) -> None:
    state = at(battle(**FIELD, turn=turn), EndTurn())
    if last:
        assert go_on(state).state.outcome is not None
    else:
        after = go_on(state, [9, 0]).state
        assert (after.outcome, after.turn) == (None, turn + 1)


def test_dice_that_nobody_asked_for_are_noticed() -> None:
    """A test of the tests: the stage counts its dice."""
    with pytest.raises(AssertionError, match="not asked for"):
        new_turn(dice=(9, 0, 4))
    assert Scripted([1]).unused == 1
