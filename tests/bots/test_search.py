"""The bot that looks further: on the toy game, and once in every game."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from random import Random
from statistics import fmean
from zlib import crc32

import pytest

from legatus.bots import GreedyBot, SearchBot, crew, search
from legatus.bots.crew import Crew
from legatus.bots.search import Contest, Trial, Turned, likely, meet, stage
from legatus.games import GAMES
from legatus.kernel import Luck, Seeded, legal, start
from legatus.kernel.codec import state_to_json
from legatus.kernel.engine import apply, try_action

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
    won = Trial(Late(), RED, "1", Seeded, {}).run(Late().guess(view, RED, Random(1)), Done())
    assert won > 1000


def test_a_trial_goes_on_to_the_end_of_a_turn_when_enough_has_happened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = opening()
    seen: list[object] = []

    class Watched(Trial):
        def _next(self, state: ToyState) -> ToyState:
            seen.append(stage(state))
            return super()._next(state)

    def lengths(ahead: int, longest: int) -> list[object]:
        monkeypatch.setattr(search, "AHEAD", ahead)
        monkeypatch.setattr(search, "LONGEST", longest)
        seen.clear()
        Watched(TOY, RED, "1", Seeded, {}).run(state, legal(state)[0])
        return list(seen)

    whole = lengths(0, 80)
    assert len(set(whole)) == 1, "the turn that was begun, to its end"
    two = lengths(len(whole), 80)
    assert len(set(two)) == 2, "and on through the next"
    assert len(two) > len(whole) + 1
    assert len(lengths(len(whole), 3)) == 3


def test_a_larger_budget_buys_more_trials() -> None:
    view = TOY.view(opening(), RED)
    tries = []
    for trials in (12, 48, 192):
        bot = SearchBot(trials)
        bot.choose(Fickle(), view, RED, Random(1))
        tries.append(sum(thought.tries for thought in bot.thoughts))
        assert tries[-1] <= trials
    assert tries[0] < tries[1] < tries[2]


def test_who_is_surely_behind_drops_out_at_once() -> None:
    class Rigged(Crew):
        def map(self, worlds, actions):  # type: ignore[no-untyped-def]
            met.append((len(worlds), len(actions)))
            return [[[-5.0 * i + noise for noise in (0.0, 0.1)] for i in range(len(actions))] for _ in worlds]

    met: list[tuple[int, int]] = []
    actions = legal(opening())[:6]
    contest = Contest(Rigged(1, meet, TOY, opening(), RED), actions)
    assert contest.run(96, Random(1)) == actions[0]
    assert met == [(2, 6)], "one round, and nobody is left"


def test_who_dropped_out_is_not_chosen_for_the_luck_of_few_trials() -> None:
    """The second rival drops out with a lead, behind the first one, whose lead then melts away."""

    class Rigged(Crew):
        def map(self, worlds, actions):  # type: ignore[no-untyped-def]
            seen.append(len(actions))
            ahead = [0.0, 3.0, 2.0] if len(seen) == 1 else [0.0, -9.0]
            return [[[value, value + 0.1] for value in ahead] for _ in worlds]

    seen: list[int] = []
    actions = legal(opening())[:3]
    contest = Contest(Rigged(1, meet, TOY, opening(), RED), actions)
    assert contest.run(48, Random(1)) == actions[0]
    assert seen == [3, 2]
    assert contest.leads(1.0)[2] > 0


def test_a_rival_must_have_done_better_by_more_than_luck_explains() -> None:
    contest = Contest(Crew(1, meet, TOY, opening(), RED), legal(opening())[:4])
    contest.values = [[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [9.0, -9.0, 9.0], [1.0, 2.0]]
    leads = contest.leads(1.0)
    assert leads[1] == 1.0  # always one better
    assert leads[2] < 0 < fmean(contest.values[2]) - fmean(contest.values[0])
    assert leads[3] == 0.0  # dropped out early: compared with what it met
    assert contest.leads(-1.0)[2] > fmean(contest.values[2]) - fmean(contest.values[0])
    assert [contest.actions.index(thought.action) for thought in contest.thoughts()] == [0, 1, 2, 3]
    contest.best = 1
    assert contest.thoughts()[0].action == contest.actions[1]


def test_it_goes_on_from_what_it_looked_at_as_if_it_had_done_it_anew() -> None:
    """A look at an action that asks luck for nothing is taken over; the next position must be the same."""
    game = GAMES["virtus"]
    state = start(game, game.configure(), Seeded("again")).state
    for _ in range(40):
        trial = Trial(game, 0, "again", Seeded, {})
        after = trial._next(state)
        found = [try_action(state, action, Seeded("again/then")) for action in legal(state)]
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

    trial = Trial(Seen(), RED, "1", Seeded, {})
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


def test_a_stage_is_a_turn_of_one_side() -> None:
    state = start(GAMES["virtus"], GAMES["virtus"].configure(), Seeded("1")).state
    before = stage(state)
    state.active = 1 - state.active
    assert stage(state) != before
