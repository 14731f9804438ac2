"""The bot that looks further: on the toy game, and once in every game."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from legatus.bots import GreedyBot, SearchBot
from legatus.bots.search import Contest, Trial, Turned, stage
from legatus.games import GAMES
from legatus.kernel import Luck, Seeded, legal, start
from legatus.kernel.engine import apply

from ..toy import RED, TOY, Done, EndOfGame, Orders, Toy, ToyState
from .test_bots import opening, under_attack


class Late(Toy):
    """Nothing shows before the turn is over; then the outpost is all that counts."""

    def evaluate(self, state: ToyState, seat: int) -> float:
        return 0.0


@pytest.mark.parametrize("key", GAMES)
def test_it_plays_every_game_from_a_view_and_says_what_it_considered(key: str) -> None:
    game = GAMES[key]
    dice, rng = Seeded(f"search/{key}"), Random(key)
    state = start(game, game.configure(), dice).state
    for _ in range(6):
        decision = state.decision
        assert decision is not None
        view, bot = game.view(state, decision.seat), SearchBot(300)
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


def test_a_larger_budget_buys_more_trials() -> None:
    view = TOY.view(opening(), RED)
    tries = []
    for looks in (2000, 4000, 8000):
        bot = SearchBot(looks)
        bot.choose(TOY, view, RED, Random(1))
        tries.append(sum(thought.tries for thought in bot.thoughts))
    assert tries[0] < tries[1] < tries[2]


def test_a_rival_must_have_done_better_by_more_than_luck_explains() -> None:
    contest = Contest(TOY, None, RED, legal(opening())[:4])
    contest.values = [[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [9.0, -9.0, 9.0], [1.0]]
    contest.values[3] = [1.0, 2.0]
    leads = contest.leads()
    assert leads[1] == 1.0  # always one better
    assert leads[2] < 0 < fmean(contest.values[2]) - fmean(contest.values[0])
    assert leads[3] == 0.0  # dropped out early: compared with what it met
    assert [contest.actions.index(thought.action) for thought in contest.thoughts()] == [0, 1, 2, 3]
    contest.best = 1
    assert contest.thoughts()[0].action == contest.actions[1]


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
