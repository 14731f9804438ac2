"""The five pure functions, and playing on in place."""

from collections import Counter
from fractions import Fraction
from random import Random
from typing import ClassVar

import pytest

from legatus.kernel import (
    Action,
    Decision,
    Dice,
    IllegalAction,
    NeedLuck,
    Outcome,
    Play,
    Scripted,
    Seeded,
    TooManyOutcomes,
    apply,
    legal,
    outcomes,
    playout,
    start,
    why_not,
)
from legatus.kernel.engine import random_action, try_action
from legatus.kernel.errors import DeadEnd
from tests.toy import BLUE, INDEX, RED, TOY, Attack, Done, Hold, March, Orders, Ready, Retreat, TakeHits, Turn

from .positions import duel, position


def test_start_runs_to_the_first_decision() -> None:
    play = start(TOY, TOY.configure(), Scripted([3] * 10 + [2]))
    assert play.state.decision == Orders(RED)
    assert play.faces == [3] * 10 + [2]
    assert play.sealed
    assert [event.key for event in play.events] == [
        "set.strengths",
        "set.strengths",
        "turn.begins",
        "turn.weather",
    ]


def test_start_asks_for_the_luck_that_it_needs() -> None:
    with pytest.raises(NeedLuck) as needed:
        start(TOY, TOY.configure(), Scripted([3] * 10))
    assert needed.value.luck.weights == (5, 3, 1)


def test_legal_are_the_candidates_that_are_not_refused() -> None:
    state = duel()
    candidates = state.decision.candidates(state)
    assert legal(state) == [action for action in candidates if not why_not(state, action)]
    assert 0 < len(legal(state)) < len(candidates)
    assert Done() in legal(state)


def test_why_not_gives_every_reason_in_order() -> None:
    reasons = why_not(duel(), March("red0", ("0101", "0100", "0000")))
    assert [reason.key for reason in reasons] == ["no.length", "no.occupied"]


def test_another_decision_comes_first() -> None:
    (reason,) = why_not(duel(), Hold())
    assert (reason.clause, reason.key) == (Orders.clause, "kernel.not_now")
    said = TOY.folder.messages["en"].render(reason, str.upper)  # verbs are no ids: they have no other names
    assert said.endswith("(march, attack, done).")


def test_nothing_is_legal_when_the_game_is_over() -> None:
    state = duel()
    state.outcome = Outcome(RED, "T5.1", "end.blue_gone")
    (reason,) = why_not(state, Done())
    assert (reason.clause, reason.key) == ("T5.1", "kernel.over")
    assert state.decision is None
    assert legal(state) == []
    with pytest.raises(IllegalAction):
        apply(state, Done(), Scripted())


def test_apply_refuses_what_is_not_legal_with_all_reasons() -> None:
    with pytest.raises(IllegalAction, match=r"\[T3.1\] no.length; \[T3.1\] no.occupied") as refused:
        apply(duel(), March("red0", ("0101", "0100", "0000")), Scripted())
    assert [reason.clause for reason in refused.value.refusals] == ["T3.1", "T3.1"]


def test_apply_works_on_a_copy_and_records_luck() -> None:
    state = duel()
    before = state.copy()
    play = apply(state, Attack("red0", "blue0"), Scripted([2, 5]))
    assert state == before
    assert play.state is not state
    assert (play.faces, play.sealed, play.taken) == ([2, 5], True, Orders(RED))


def test_an_action_without_luck_or_reveal_is_not_sealed() -> None:
    play = apply(duel(), March("red0", ("0101",)), Scripted())
    assert (play.faces, play.sealed) == ([], False)


def test_a_reaction_interrupts_and_the_turn_goes_on() -> None:
    state = apply(duel(), Attack("red0", "blue0"), Scripted([6, 1])).state
    assert state.todo[-2:] == [Orders(RED), TakeHits(BLUE, "0102", "blue0", 1)]
    assert apply(state, Retreat("0302"), Scripted()).state.decision == Orders(RED)


def test_then_does_steps_in_the_order_given_before_what_waits() -> None:
    state = duel()
    Play(state, Scripted()).then(Ready(), Orders(BLUE), Turn(3))
    assert state.todo[::-1][:4] == [Ready(), Orders(BLUE), Turn(3), Orders(RED)]


def test_the_first_ending_stands() -> None:
    play = Play(duel(), Scripted())
    play.win(RED, "T5.1", "end.blue_gone")
    play.win(BLUE, "T5.1", "end.red_gone")
    assert play.state.outcome == Outcome(RED, "T5.1", "end.blue_gone")
    assert [event.key for event in play.events] == ["end.blue_gone"]


def test_a_quiet_play_keeps_no_log_and_no_dice() -> None:
    play = Play(duel(), Seeded("x"), quiet=True)
    play.roll(6)
    play.roll_pool(3, 6, (4, 6))
    play.draw([1, 2])
    play.tell("T2.1", "done", side="red")
    play.win(None, "T5.2", "end.nobody")
    assert (play.faces, play.events) == ([], [])
    assert play.sealed
    assert play.state.outcome is not None


def test_an_empty_pool_asks_for_nothing() -> None:
    play = Play(duel(), Scripted())
    assert play.roll_pool(0, 6, (4, 6)) == []
    assert not play.sealed


def test_a_secret_is_told_to_its_seat_and_a_reveal_to_all() -> None:
    play = Play(duel(), Scripted())
    play.tell("T1.2", "set.strengths", to=BLUE, strengths=(1, 2))
    assert not play.sealed
    play.reveal("T4.1", "attack", unit="red0", target="blue0", strengths=(1, 2))
    assert [event.to for event in play.events] == [BLUE, None]
    assert play.sealed


def test_outcomes_are_the_binomial_of_the_pool() -> None:
    chances: Counter[int] = Counter()
    for chance, after in outcomes(duel(), Attack("red0", "blue0")):
        chances[after.decision.hits if isinstance(after.decision, TakeHits) else 0] += chance
    assert chances == {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}


def test_outcomes_branch_on_every_question_of_an_action() -> None:
    """The weather of the next turn: 5, 3 and 1 of nine cards."""
    state = position(todo=(Orders(BLUE),), red0=("0102", 2), blue0=("0202", 3))
    assert {after.card: chance for chance, after in outcomes(state, Done())} == {
        0: Fraction(5, 9),
        1: Fraction(3, 9),
        2: Fraction(1, 9),
    }


def test_outcomes_of_bands_not_of_faces() -> None:
    """Four dice in three bands: 15 ways to fall, not 1,296."""
    assert len(list(outcomes(duel(), Attack("red0", "blue0", all_out=True)))) == 15


def test_too_many_outcomes_are_told() -> None:
    with pytest.raises(TooManyOutcomes, match="more than 5 branches"):
        list(outcomes(duel(), Attack("red0", "blue0", all_out=True), limit=5))


def test_outcomes_of_an_illegal_action_are_refused() -> None:
    with pytest.raises(IllegalAction):
        list(outcomes(duel(), Attack("red0", "blue1")))


def test_an_action_alone_stops_before_what_waited_already() -> None:
    """Done ends Blue's orders; the weather of the next turn is not its doing."""
    state = position(todo=(Orders(BLUE),), red0=("0102", 2), blue0=("0202", 3))
    after = apply(state, Done(), Scripted(), alone=True)
    assert after.faces == []
    assert after.state.todo == [Turn(2)]
    assert list(outcomes(state, Done(), alone=True)) == [(1, after.state)]


def test_an_action_alone_does_what_it_set_going_itself() -> None:
    after = apply(duel(), Attack("red0", "blue0"), Scripted([6, 6]), alone=True).state
    assert after.decision == TakeHits(BLUE, "0102", "blue0", 2)


def test_trying_is_applying_without_a_log() -> None:
    state = duel()
    before = state.copy()
    action = Attack("red0", "blue0")
    assert try_action(state, action, Scripted([6, 1])) == apply(state, action, Scripted([6, 1])).state
    assert state == before


def test_a_question_without_an_answer_is_dropped() -> None:
    state = position(todo=(Orders(BLUE), Moot(RED), Orders(RED)), red0=("0102", 2), blue0=("0202", 3))
    assert apply(state, Done(), Scripted()).state.decision == Orders(BLUE)


def test_who_asks_for_luck_says_what_was_told_so_far() -> None:
    """A person at a real table must know what he rolls for."""
    with pytest.raises(NeedLuck) as needed:
        apply(duel(), Attack("red0", "blue0"), Scripted())
    assert [event.key for event in needed.value.told] == ["attack"]


def test_playout_ends_in_place_and_counts_its_decisions() -> None:
    state = duel()
    made = playout(state, Seeded("x"), Random(1))
    assert made > 0
    assert state.outcome is not None


def test_playout_stops_at_its_limit_and_takes_a_chooser() -> None:
    state = duel()
    assert (
        playout(state, Seeded("x"), Random(1), choose=lambda s, d, r: March("red0", ("0101",)), limit=1) == 1
    )
    assert state.at[INDEX["red0"]] == "0101"
    assert state.decision == Orders(RED)


def test_playout_says_the_same_for_the_same_seeds() -> None:
    one, two = duel(), duel()
    playout(one, Seeded("x"), Random(1))
    playout(two, Seeded("x"), Random(1))
    assert one == two


def test_a_random_action_is_any_legal_one_alike() -> None:
    state, rng = duel(), Random(1)
    options = legal(state)
    n = 200 * len(options)
    chosen = Counter(random_action(state, state.decision, rng) for _ in range(n))
    assert set(chosen) == set(options)
    assert all(100 < times < 300 for times in chosen.values())


class Nothing(Decision):
    """A decision that forgot its candidates."""

    accepts: ClassVar[tuple[type[Action], ...]] = (Done,)

    def candidates(self, state: object) -> list[Action]:
        return []


class Moot(Nothing):
    """A decision about nothing."""

    def is_moot(self, state: object) -> bool:
        return True


def test_a_dead_end_is_a_fault() -> None:
    with pytest.raises(DeadEnd, match="Nothing"):
        playout(position(todo=(Nothing(RED),), red0=("0102", 2)), Seeded("x"), Random(1))


def test_whoever_forgets_a_method_hears_of_it() -> None:
    for call in (
        lambda: Dice().roll(6, ()),
        lambda: Action().perform(None),
        lambda: Action().refuse(None),
        lambda: Nothing(RED).prompt(None),
        lambda: Nothing(RED).run(None),
    ):
        with pytest.raises(NotImplementedError):
            call()


def test_clicks_are_the_ids_in_order_without_flags() -> None:
    assert March("red0", ("0101", "0100")).clicks() == ("red0", "0101", "0100")
    assert Attack("red0", "blue0", all_out=True).clicks() == ("red0", "blue0")
    assert Done().clicks() == ()


# --- dice in the log -----------------------------------------------------------------------------


def test_the_next_public_line_shows_the_dice_that_were_thrown() -> None:
    play = Play(position(), Scripted([3, 5, 1, 2]))
    play.tell("T1.1", "first")
    play.roll(6)
    play.roll_pool(2, 6, (4, 6))
    play.draw((1, 1, 1))  # a draw is not a die
    play.tell("T1.1", "second")
    play.reveal("T1.1", "third")
    assert [event.dice for event in play.events] == [(), (3, 5, 1), ()]
    assert play.faces == [3, 5, 1, 2]


def test_dice_of_a_secret_are_shown_to_nobody() -> None:
    play = start(TOY, TOY.configure(), Scripted([3] * 10 + [2]))
    assert [event.dice for event in play.events] == [()] * 4
    play = Play(position(), Scripted([3, 4]))
    play.roll(6)
    play.tell("T1.1", "private", to=RED)
    play.roll(6)
    play.tell("T1.1", "public")
    assert [event.dice for event in play.events] == [(), (4,)]


def test_nothing_is_remembered_in_quiet_mode() -> None:
    play = Play(position(), Scripted([3, 4, 5]), quiet=True)
    play.roll(6)
    play.roll_pool(2, 6, (4, 6))
    play.tell("T1.1", "anything")
    assert (play.events, play.faces, play.thrown) == ([], [], [])
