"""The bot that looks further: on the toy game, and once in every game."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from random import Random
from statistics import fmean
from zlib import crc32

import pytest

from legatus.bots import GreedyBot, SearchBot, crew, search
from legatus.bots.crew import Crew
from legatus.bots.greedy import WON
from legatus.bots.search import Contest, Fate, Glance, Trial, Turned, likely, meet
from legatus.games import GAMES
from legatus.kernel import Action, Luck, Seeded, legal, start
from legatus.kernel.codec import state_to_json
from legatus.kernel.engine import apply, random_action

from ..toy import RED, TOY, Done, EndOfGame, Orders, Toy, ToyState
from .test_bots import opening, under_attack


class Late(Toy):
    """Nothing shows before the turn is over; then the outpost is all that counts."""

    def evaluate(self, state: ToyState, seat: int) -> float:
        return 0.0


class Fickle(Toy):
    """Every position looks as good as any other, by chance better or worse."""

    def evaluate(self, state: ToyState, seat: int) -> float:
        return crc32(state_to_json(state)) % 100


@pytest.mark.parametrize("key", GAMES)
def test_it_plays_every_game_from_a_view_and_says_what_it_considered(key: str) -> None:
    game = GAMES[key]
    dice, rng = Seeded(f"search/{key}"), Random(key)
    state = start(game, game.configure(), dice).state
    for _ in range(6):
        decision = state.decision
        assert decision is not None
        view, bot = game.view(state, decision.seat), SearchBot(12)
        chosen = bot.choose(game, view, decision.seat, rng)
        assert chosen in legal(view)
        if len(legal(view)) > 1:
            assert bot.thoughts[0].action == chosen
            assert all(thought.tries >= 1 for thought in bot.thoughts)
        state = apply(state, chosen, dice).state


def test_without_a_budget_it_is_greedy_and_with_noise_it_is_careless() -> None:
    view = TOY.view(under_attack(1), RED)
    assert SearchBot(0).choose(TOY, view, RED, Random(3)) in {
        GreedyBot().choose(TOY, view, RED, Random(seed)) for seed in range(20)
    }
    careless = {SearchBot(0, noise=1.0).choose(TOY, view, RED, Random(seed)) for seed in range(100)}
    assert careless == set(legal(view))


def test_it_sees_what_the_turn_will_bring() -> None:
    """All orders look the same at once; only who goes on from them to the end of the turn sees the end."""
    state = under_attack(1)
    state.todo = [EndOfGame(), Orders(RED)]
    view = TOY.view(state, RED)
    won = Trial(Late(), RED, "1", Seeded).run(Late().guess(view, RED, Random(1)), Done())
    assert won > 1000


def test_a_trial_goes_on_to_the_end_of_a_turn_when_enough_has_happened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = opening()
    seen: list[object] = []

    class Watched(Trial):
        def _next(self, state: ToyState) -> ToyState:
            seen.append(TOY.stage(state))
            return super()._next(state)

    def lengths(ahead: int, longest: int) -> list[object]:
        monkeypatch.setattr(TOY, "ahead", ahead)
        monkeypatch.setattr(search, "LONGEST", longest)
        seen.clear()
        Watched(TOY, RED, "1", Seeded).run(state, legal(state)[0])
        return list(seen)

    whole = lengths(0, 80)
    assert len(set(whole)) == 1, "the turn that was begun, to its end"
    two = lengths(len(whole), 80)
    assert len(set(two)) == 2, "and on through the next"
    assert len(two) > len(whole) + 1
    assert len(lengths(len(whole), 3)) == 3


def test_all_trials_of_a_world_end_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who gives no more orders has ended his turn sooner; he is judged when the others are."""
    state, ends = opening(), []

    class Watched(Trial):
        def run(self, full: ToyState, action: Action, turns: int = 0) -> float:
            value = super().run(full, action, turns)
            ends.append(self.turns)
            return value

        def _value(self, state: ToyState) -> float:
            ends.append(TOY.stage(state))
            return 0.0

    monkeypatch.setattr(search, "Trial", Watched)
    for first, second in (Done(), legal(state)[0]), (legal(state)[0], Done()):
        for ahead in (0, 4, 9):
            monkeypatch.setattr(TOY, "ahead", ahead)
            ends.clear()
            meet(TOY, TOY.view(state, RED), RED, "w", [first, second])
            assert len(ends) == 8
            assert len(set(ends)) == 2, "one time, one count"


def test_a_larger_budget_buys_more_trials() -> None:
    view = TOY.view(opening(), RED)
    tries = []
    for trials in (12, 48, 192):
        bot = SearchBot(trials)
        bot.choose(Fickle(), view, RED, Random(1))
        tries.append(sum(thought.tries for thought in bot.thoughts))
        assert tries[-1] <= trials
    assert tries[0] < tries[1] < tries[2]


class Rigged(Crew):
    """Worlds in which it is settled what actions bring, by their numbers; ``met`` is what was asked for."""

    def __init__(self, brings: Callable[[int, int], float]) -> None:
        self.brings = brings
        self.met: list[tuple[int, int]] = []
        self.actions = legal(opening())
        self.worlds = 0

    def map(self, worlds: Sequence[str], actions: Sequence[Action]) -> list[list[list[float]]]:
        self.met.append((len(worlds), len(actions)))
        self.worlds += len(worlds)
        first = self.worlds - len(worlds)
        numbers = [self.actions.index(action) for action in actions]
        return [[[self.brings(i, n)] * 2 for i in numbers] for n in range(first, self.worlds)]

    def contest(self, actions: int) -> Contest:
        return Contest(self, self.actions[:actions])


def test_who_is_surely_behind_drops_out_at_once() -> None:
    crew = Rigged(lambda i, n: -5.0 * i + 0.1 * (n % 2) * i)
    contest = crew.contest(6)
    assert contest.run(96, Random(1)) == contest.actions[0]
    assert crew.met == [(3, 6)], "three worlds, and nobody is left"


def test_who_brings_the_same_as_the_first_is_not_tried_on() -> None:
    crew = Rigged(lambda i, n: float(n))
    contest = crew.contest(6)
    assert contest.run(96, Random(1)) == contest.actions[0]
    assert crew.met == [(3, 6)]


def test_the_first_drops_out_too_and_the_others_race_on() -> None:
    crew = Rigged(lambda i, n: 0.0 if i == 0 else 9.0 + [0.0, 0.0, 2.0][i] * (1 if n % 2 else -1))
    contest = crew.contest(3)
    assert contest.run(40, Random(1)) in contest.actions[1:]
    assert crew.met[0] == (3, 3)
    assert {actions for _, actions in crew.met[1:]} == {2}, "who is as good on average stays in"
    assert sum(2 * worlds * actions for worlds, actions in crew.met) <= 40


def test_a_sure_lead_ends_the_race() -> None:
    crew = Rigged(lambda i, n: 5.0 * i + 0.1 * (n % 2) * i)
    contest = crew.contest(3)
    assert contest.run(96, Random(1)) == contest.actions[2]
    assert crew.met == [(3, 3)]


def test_who_dropped_out_is_not_chosen_for_the_luck_of_few_trials() -> None:
    """The second rival drops out with a lead, behind the first one, whose lead then melts away."""

    def brings(i: int, n: int) -> float:
        if n >= 3:
            return [0.0, -9.0][i]
        return [0.0, [60.0, 55.0, -50.0][n], [29.0, 24.0, -81.0][n]][i]

    crew = Rigged(brings)
    contest = crew.contest(3)
    assert contest.run(96, Random(1)) == contest.actions[0]
    assert crew.met[:2] == [(3, 3), (2, 2)]
    assert len(contest.values[2]) == 3, "it was not tried on"


def test_a_rival_must_have_done_better_by_more_than_luck_explains() -> None:
    contest = Contest(Crew(1, meet, TOY, opening(), RED), legal(opening())[:4])
    contest.values = [
        [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]],
        [[1.0, 3.0], [3.0, 3.0], [4.0, 4.0]],
        [[9.0, 9.0], [-9.0, -9.0], [9.0, 9.0]],
        [[1.0, 1.0], [2.0, 2.0]],
    ]
    assert contest.lead(1, 0, 1.0) == 1.0  # always one better; the two trials of a world are one result
    assert contest.lead(2, 0, 1.0) < 0 < contest.lead(2, 0, 0.0)
    assert contest.lead(3, 0, 1.0) == 0.0  # dropped out early: compared where both were tried
    assert [contest.actions.index(thought.action) for thought in contest.thoughts()] == [0, 1, 2, 3]
    assert [thought.tries for thought in contest.thoughts()] == [6, 6, 6, 4]
    contest.best = 1
    assert contest.thoughts()[0].action == contest.actions[1]


def test_an_end_counts_for_a_little_more_than_what_was_seen_before_it() -> None:
    contest = Contest(Crew(1, meet, TOY, opening(), RED), legal(opening())[:2])
    contest.values = [[[4.0, WON]], [[-2.0, -WON]]]
    assert contest.scores() == [[(4 + 6) / 2], [(-2 - 6) / 2]]


def test_luck_belongs_to_the_occasion() -> None:
    """Who does the same in the same turn throws the same dice, whatever was thrown for others before."""
    luck = Luck(12, 6)
    one, other = Fate("w", Seeded), Fate("w", Seeded)
    one.dice((1, 0), "wing").answer(luck)
    fallen = one.dice((1, 0), "centre").answer(luck)
    assert other.dice((1, 0), "centre").answer(luck) == fallen
    assert other.dice((1, 0), "centre").answer(luck) != fallen, "the second time it is another throw"
    assert other.dice((2, 0), "centre").answer(luck) != fallen, "and in the next turn"
    assert Fate("v", Seeded).dice((1, 0), "centre").answer(luck) != fallen
    turned = Fate("w", Turned).dice((1, 0), "centre").answer(luck)
    assert [a + b for a, b in zip(fallen, turned, strict=True)] == [7] * 12


def test_trials_that_do_the_same_bring_the_same() -> None:
    """A trial remembers nothing of another one: in a world an action brings what it brings."""
    game = GAMES["metaurus"]
    state = start(game, game.configure("vanguard"), Seeded("same")).state
    view, seat = game.view(state, state.decision.seat), state.decision.seat
    first, second = legal(view)[:2]
    together = meet(game, view, seat, "w", [first, second, first])
    assert together[0] == together[2]
    assert together == [*meet(game, view, seat, "w", [first, second]), together[0]]


def test_a_glance_cancels_the_luck_of_its_dice() -> None:
    """An attack is looked at with dice and with the same turned round, a move only once."""
    looked = []

    class Seen(Toy):
        def evaluate(self, state: ToyState, seat: int) -> float:
            looked.append(super().evaluate(state, seat))
            return looked[-1]

    state = under_attack(1)
    state.todo = [EndOfGame(), Orders(RED)]
    glance = Glance(Seen(), state, "luck")
    tried = {}
    for action in legal(state):
        looked.clear()
        tried[action] = glance.at(action), list(looked), glance.certain
    certain = {action for action, (_, values, _) in tried.items() if len(values) == 1}
    assert 0 < len(certain) < len(tried)
    for action, (value, values, after) in tried.items():
        assert value == fmean(values)
        assert (after is not None) == (action in certain)


def test_it_goes_on_from_what_it_looked_at_as_if_it_had_done_it_anew() -> None:
    """A look at an action that asks luck for nothing is taken over; the next position must be the same."""
    game = GAMES["virtus"]
    state = start(game, game.configure(), Seeded("again")).state
    for _ in range(40):
        after = Trial(game, 0, "again", Seeded)._next(state)
        found = [Trial(game, 0, "again", Seeded)._do(state, action) for action in legal(state)]
        assert after in found
        state = after


def test_who_did_badly_in_a_like_decision_is_not_looked_at_again() -> None:
    actions = legal(opening())
    assert len(actions) > search.GLANCE + 3
    known = {action: -float(n) for n, action in enumerate(actions)}
    assert likely(actions, known) == actions[: search.GLANCE]
    del known[actions[-1]]
    assert likely(actions, known) == [*actions[: search.GLANCE], actions[-1]], "what is new is looked at"
    few = dict.fromkeys(actions[: search.GLANCE], 0.0)
    assert likely(actions, few) == actions
    looked = []

    class Seen(Toy):
        def evaluate(self, state: ToyState, seat: int) -> float:
            looked.append(1)
            return super().evaluate(state, seat)

    trial = Trial(Seen(), RED, "1", Seeded)
    trial._next(opening())
    first = len(looked)
    trial._next(opening())
    assert first == len(actions)
    assert len(looked) - first < first


# --- several processes ---------------------------------------------------------------------------


@pytest.fixture
def hands() -> Iterator[None]:
    """Processes may be wanted; none is left behind."""
    yield
    crew.dismiss()
    assert not multiprocessing.active_children()


@pytest.mark.usefixtures("hands")
@pytest.mark.parametrize("key", ["metaurus", "onus"])
def test_several_processes_choose_as_one_does(key: str) -> None:
    game = GAMES[key]
    state = start(game, game.configure(), Seeded("crew")).state
    view, seat = game.view(state, state.decision.seat), state.decision.seat
    alone, together = SearchBot(24), SearchBot(24, jobs=2)
    assert alone.choose(game, view, seat, Random(5)) == together.choose(game, view, seat, Random(5))
    assert alone.thoughts == together.thoughts


@pytest.mark.usefixtures("hands")
def test_a_process_that_dies_costs_nothing_but_time() -> None:
    game = GAMES["metaurus"]
    state = start(game, game.configure("vanguard"), Seeded("crew")).state
    view, seat = game.view(state, state.decision.seat), state.decision.seat
    actions, worlds = legal(view)[:2], ["a", "b", "c"]
    pool = crew.pool(2)
    broken = pool.submit(os._exit, 1)
    with suppress(BrokenProcessPool):
        broken.result()
    expected = [meet(game, view, seat, world, actions) for world in worlds]
    assert Crew(2, meet, game, view, seat).map(worlds, actions) == expected
    assert crew.pool(2) is not pool
    assert Crew(2, meet, game, view, seat).map(worlds, actions) == expected, "and others take over"


def test_turned_luck_is_high_where_the_other_is_low() -> None:
    luck = Luck(20, 6)
    straight, turned = Seeded("x").answer(luck), Turned("x").answer(luck)
    assert [a + b for a, b in zip(straight, turned, strict=True)] == [7] * 20
    assert luck.wrong(turned) is None


@pytest.mark.parametrize("key", GAMES)
def test_a_stage_is_a_time_that_does_not_hang_on_what_is_chosen(key: str) -> None:
    """It is a turn, in Julian a phase of one; the same stages come whoever goes first."""
    game = GAMES[key]
    courses = []
    for name in ("one", "other"):
        dice, rng = Seeded(name), Random(name)
        state = start(game, game.configure(), dice).state
        course = [game.stage(state)]
        while state.outcome is None and state.turn < 3:
            state = apply(state, random_action(state, state.decision, rng), dice).state
            if game.stage(state) != course[-1]:
                course.append(game.stage(state))
        courses.append(course)
    assert courses[0] == courses[1] == sorted(courses[0])
    assert len(courses[0]) == len(set(courses[0])) >= 3
