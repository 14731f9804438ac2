"""The toy game by its clauses: the kernel's own example of a game and of its tests."""

from collections import Counter

import pytest

from legatus.kernel import Scripted, Seeded, State, apply, legal, start, why_not
from tests.rules import rule
from tests.toy import (
    BLUE,
    CLEAR,
    INDEX,
    OUTPOST,
    RAIN,
    RED,
    STORM,
    TOY,
    UNITS,
    Attack,
    Done,
    EndOfGame,
    Hold,
    March,
    Orders,
    Retreat,
    TakeHits,
    ToyState,
    Turn,
)

from .positions import duel, position


def refused(state: State, action: object) -> list[tuple[str, str]]:
    return [(refusal.clause, refusal.key) for refusal in why_not(state, action)]


@rule("T1.2")
def test_strengths_are_rolled_and_told_to_their_side_only() -> None:
    play = start(TOY, TOY.configure(weather=False), Scripted([1, 2, 3, 1, 2, 3, 3, 3, 2, 1]))
    assert play.state.strength == [1, 2, 3, 1, 2, 3, 3, 3, 2, 1]
    secrets = {event.to: event.values["strengths"] for event in play.events if event.to is not None}
    assert secrets == {RED: (1, 2, 3, 1, 2), BLUE: (3, 3, 3, 2, 1)}
    assert TOY.view(play.state, RED).strength == [1, 2, 3, 1, 2, 0, 0, 0, 0, 0]
    assert TOY.view(play.state, None).strength == [0] * len(UNITS)


@rule("T1.3")
def test_a_card_is_drawn_each_turn_and_put_aside() -> None:
    play = start(TOY, TOY.configure(), Scripted([1] * 10 + [RAIN]))
    assert (play.state.card, play.state.deck) == (RAIN, [5, 2, 1])
    assert start(TOY, TOY.configure(weather=False), Scripted([1] * 10)).state.card == -1


@rule("T2.1")
def test_red_then_blue_gives_orders() -> None:
    state = start(TOY, TOY.configure(weather=False), Scripted([1] * 10)).state
    assert state.decision == Orders(RED)
    assert refused(state, March("blue0", ("0300",))) == [("T2.1", "no.unit")]
    state = apply(state, Done(), Scripted()).state
    assert state.decision == Orders(BLUE)
    state = apply(state, Done(), Scripted()).state
    assert (state.decision, state.turn) == (Orders(RED), 2)


@rule("T2.2")
@pytest.mark.parametrize(("length", "turns"), [("short", 3), ("long", 6)])
def test_the_game_lasts_three_turns_or_six(length: str, turns: int) -> None:
    state: ToyState = start(TOY, TOY.configure(length=length), Seeded("x")).state
    for _ in range(2 * turns):
        assert state.outcome is None
        state = apply(state, Done(), Seeded("x")).state
    assert (state.turn, state.outcome.key) == (turns, "end.nobody")


@rule("T3.1")
@pytest.mark.parametrize(
    ("card", "path", "reasons"),
    [
        (CLEAR, ("0101",), []),
        (CLEAR, ("0101", "0100"), []),
        (RAIN, ("0101",), []),
        (RAIN, ("0101", "0100"), [("T3.1", "no.length")]),
        (CLEAR, (), [("T3.1", "no.length")]),
        (CLEAR, ("0100",), [("T3.1", "no.step")]),
        (CLEAR, ("9999",), [("T3.1", "no.step")]),
        (CLEAR, ("0202",), [("T3.1", "no.occupied")]),
        (CLEAR, ("0202", "0302"), [("T3.1", "no.occupied")]),
        (CLEAR, ("0101", "0100", "0000"), [("T3.1", "no.length"), ("T3.1", "no.occupied")]),
    ],
)
def test_a_march_is_one_empty_hex_or_two_when_it_is_clear(
    card: int, path: tuple[str, ...], reasons: list[tuple[str, str]]
) -> None:
    state = duel(card)
    assert refused(state, March("red0", path)) == reasons
    if not reasons:
        assert apply(state, March("red0", path), Scripted()).state.at[INDEX["red0"]] == path[-1]


@rule("T3.2")
def test_a_unit_acts_once() -> None:
    state = apply(duel(), March("red0", ("0101",)), Scripted()).state
    assert refused(state, March("red0", ("0100",))) == [("T3.2", "no.acted")]
    assert refused(state, Attack("red0", "blue0")) == [("T3.2", "no.acted")]
    assert refused(state, March("red1", ("0100",))) == []


@rule("T4.1")
def test_an_attack_is_on_an_adjacent_enemy_and_shows_both() -> None:
    assert refused(duel(), Attack("red0", "red1")) == [("T4.1", "no.enemy")]
    assert refused(duel(), Attack("red0", "blue1")) == [("T4.1", "no.adjacent")]
    assert refused(duel(), Attack("red0", "blue4")) == [("T4.1", "no.enemy")]
    play = apply(duel(), Attack("red0", "blue0"), Scripted([1, 1]))
    assert play.sealed
    assert [UNITS[i] for i, shown in enumerate(play.state.shown) if shown] == ["red0", "blue0"]
    assert play.events[0].values["strengths"] == (2, 3)


@rule("T4.2", "T4.6")
@pytest.mark.parametrize(
    ("card", "faces", "hits"), [(CLEAR, [5, 4], 1), (CLEAR, [6, 5], 2), (RAIN, [6, 5], 1)]
)
def test_five_and_six_hit_in_rain_six_only(card: int, faces: list[int], hits: int) -> None:
    state = apply(duel(card), Attack("red0", "blue0"), Scripted(faces)).state
    assert state.decision == TakeHits(BLUE, "0102", "blue0", hits)


@rule("T4.2")
def test_a_miss_changes_nothing_and_nobody_attacks_in_a_storm() -> None:
    assert apply(duel(), Attack("red0", "blue0"), Scripted([4, 1])).state.decision == Orders(RED)
    assert refused(duel(STORM), Attack("red0", "blue0")) == [("T4.2", "no.storm")]


@rule("T4.3")
def test_a_unit_that_is_hit_holds_or_retreats_away() -> None:
    state = apply(duel(), Attack("red0", "blue0"), Scripted([6, 6])).state
    assert refused(state, Done()) == [("T4.3", "kernel.not_now")]
    assert refused(state, Retreat("0201")) == [("T4.3", "no.away")]
    assert refused(state, Retreat("0404")) == [("T4.3", "no.retreat")]
    held = apply(state, Hold(), Scripted()).state
    assert (held.strength[INDEX["blue0"]], held.decision) == (1, Orders(RED))
    fled = apply(state, Retreat("0302"), Scripted()).state
    assert (fled.strength[INDEX["blue0"]], fled.at[INDEX["blue0"]]) == (2, "0302")


@rule("T4.4", "T5.1")
def test_a_unit_without_strength_is_gone_and_the_last_one_loses() -> None:
    hit = (Orders(RED), TakeHits(BLUE, "0102", "blue0", 2))
    state = position(todo=hit, red0=("0102", 2), blue0=("0202", 2), blue1=("0404", 1))
    after = apply(state, Hold(), Scripted())
    assert (after.state.at[INDEX["blue0"]], after.state.outcome) == ("", None)
    state = position(todo=hit, red0=("0102", 2), blue0=("0202", 2))
    outcome = apply(state, Hold(), Scripted()).state.outcome
    assert (outcome.winner, outcome.clause, outcome.key) == (RED, "T5.1", "end.blue_gone")


@rule("T4.5")
def test_an_all_out_attack_rolls_two_more_and_pays_for_ones() -> None:
    after = apply(duel(), Attack("red0", "blue0", all_out=True), Scripted([1, 4, 5, 2])).state
    assert (after.strength[INDEX["red0"]], after.decision.hits) == (1, 1)
    after = apply(duel(), Attack("red0", "blue0", all_out=True), Scripted([1, 1, 1, 1])).state
    assert (after.at[INDEX["red0"]], after.decision) == ("", Orders(RED))
    after = apply(duel(), Attack("red0", "blue0", all_out=True), Scripted([1, 1, 6, 6])).state
    assert legal(after) == [Hold(), Retreat("0302"), Retreat("0203"), Retreat("0301")]


@rule("T5.2")
@pytest.mark.parametrize(
    ("unit", "at", "winner", "key"),
    [
        ("red0", OUTPOST, RED, "end.red_holds"),
        ("blue0", OUTPOST, BLUE, "end.blue_holds"),
        ("red0", "0000", None, "end.nobody"),
    ],
)
def test_who_holds_the_outpost_wins(unit: str, at: str, winner: int | None, key: str) -> None:
    state = position(todo=(EndOfGame(), Orders(BLUE)), **{unit: (at, 1)})
    outcome = apply(state, Done(), Scripted()).state.outcome
    assert (outcome.winner, outcome.clause, outcome.key) == (winner, "T5.2", key)


def test_a_turn_says_who_is_next() -> None:
    state = start(TOY, TOY.configure(weather=False), Scripted([1] * 10)).state
    assert Counter(type(step) for step in state.todo)[Orders] == 2
    assert state.todo[0] == Turn(2)
