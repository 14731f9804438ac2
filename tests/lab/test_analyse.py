"""Analyses: values add up, luck is luck, a blunder is seen, and the same plan gives the same analysis."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from legatus.games import GAMES
from legatus.kernel import Game, Match, Seeded, legal, say
from legatus.kernel.engine import random_action
from legatus.lab.analyse import Analysis, Plan, analyse, jobs_of
from legatus.lab.curve import Rehearsal, fit

from ..toy import TOY

QUICK = Plan(bot="random", playouts=12, samples=6, seed="7")


def played(game: Game = TOY, seed: str = "d", most: int = 2_000) -> Match:
    match = Match.new(game, game.configure(), Seeded(f"{seed}/0"))
    rng = Random(seed)
    while match.state.decision is not None and len(match.journal) < most:
        match.play(random_action(match.state, match.state.decision, rng), match.seeded(seed))
    return match


@pytest.fixture(scope="module")
def match() -> Match:
    return played()


@pytest.fixture(scope="module")
def found(match: Match) -> Analysis:
    return analyse(match, QUICK)


def test_every_entry_has_its_moment_and_the_values_add_up(match: Match, found: Analysis) -> None:
    assert [moment.entry for moment in found.moments] == list(range(len(match.journal)))
    for before, after in pairwise(found.moments):
        change = after.luck.by + after.decision.by + after.rest
        assert after.value - before.value == pytest.approx(change, abs=1e-12)
    for moment in found.moments:
        assert 0 <= moment.low <= moment.value <= moment.high <= 1


def test_the_end_is_certain(match: Match, found: Analysis) -> None:
    assert match.state.outcome is not None
    winner = match.state.outcome.winner
    assert found.moments[-1].value == (0.5 if winner is None else float(winner == 0))
    assert found.moments[-1].low == found.moments[-1].high


def test_luck_only_where_something_fell_and_decisions_only_where_there_was_a_choice(
    match: Match, found: Analysis
) -> None:
    assert any(moment.luck.by for moment in found.moments)
    assert any(moment.decision.by for moment in found.moments)
    for moment, entry, before in zip(found.moments[1:], match.journal[1:], match.states, strict=False):
        if not entry.dice:
            assert moment.luck.by == 0
        if len(legal(before)) == 1:
            assert moment.decision.by == 0
        sign = 1 if entry.seat == 0 else -1
        assert moment.decision.by * sign <= 0, "nobody does better than the best found"
        assert bool(moment.best) == bool(moment.decision.by)
        if moment.best:
            assert moment.best in {say(action) for action in legal(before)} - {moment.do}


def test_what_decisions_cost_is_never_a_gain_and_luck_is_shared(found: Analysis) -> None:
    assert found.decisions(0) <= 0
    assert found.decisions(1) <= 0
    assert found.luck(0) == pytest.approx(-found.luck(1))
    whole = found.luck(0) + found.decisions(0) - found.decisions(1) + found.outlook(0)
    assert found.moments[-1].value - found.moments[0].value == pytest.approx(whole)


def test_turning_points_are_the_largest_swings_that_were_measured_again(found: Analysis) -> None:
    assert len(found.turning) == 5
    swings = [abs(found.moments[entry].swing) for entry in found.turning]
    assert swings == sorted(swings, reverse=True)
    assert swings[0] > 0


def test_the_same_plan_gives_the_same_analysis_and_jobs_do_not_matter(match: Match, found: Analysis) -> None:
    steps: list[tuple[int, int]] = []
    again = analyse(match, QUICK, jobs=2, progress=lambda done, total: steps.append((done, total)))
    assert again == found
    total = jobs_of(QUICK, len(match.journal))
    assert steps[-1] == (total, total)
    assert [done for done, _ in steps] == list(range(1, total + 1))
    assert analyse(match, Plan(bot="random", playouts=12, samples=6, seed="8")) != found


def test_the_match_is_not_touched(match: Match) -> None:
    states, journal = [state.copy() for state in match.states], list(match.journal)
    analyse(match, Plan(bot="random", playouts=2, samples=2))
    assert match.states == states
    assert match.journal == journal


def test_ctrl_c_goes_through(match: Match) -> None:
    def stop(done: int, _: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analyse(match, QUICK, progress=stop)


def test_a_blunder_is_found() -> None:
    """In a random battle the costliest decision is one with a better action beside it."""
    game = GAMES["virtus"]
    match = played(game, "blunder", 260)
    found = analyse(match, Plan(bot="random", playouts=10, samples=6, seed="1"))
    costs = [abs(moment.decision.by) for moment in found.moments]
    assert max(costs) > 0.01, "in a random battle somebody does something silly"
    silly = max(found.moments, key=lambda moment: abs(moment.decision.by))
    assert silly.options > 1
    assert silly.best


@pytest.mark.parametrize("key", GAMES)
def test_every_game_can_be_analysed(key: str) -> None:
    match = played(GAMES[key], "all", 14)
    found = analyse(match, Plan(bot="random", playouts=2, samples=2))
    assert len(found.moments) == len(match.journal)


# --- the curve -----------------------------------------------------------------------------------


def test_the_curve_learns_what_a_lead_is_worth() -> None:
    rng = Random(1)
    games = []
    for _ in range(200):
        lead = rng.uniform(-10, 10)
        games.append(Rehearsal(((lead, 0.5),), float(rng.random() < 1 / (1 + 2.718281828 ** (-0.5 * lead)))))
    curve = fit(games, "x")
    assert curve.chance((0.0, 0.5)) == pytest.approx(0.5, abs=0.12)
    assert curve.chance((6.0, 0.5)) == pytest.approx(0.95, abs=0.06)
    assert curve.chance((-6.0, 0.5)) == pytest.approx(0.05, abs=0.06)
    assert curve.error < 0.15
    chances = sorted(curve.chances((2.0, 0.5)))
    assert chances[0] < curve.chance((2.0, 0.5)) < chances[-1]
    assert curve == fit(games, "x")


def test_without_games_nothing_is_known() -> None:
    curve = fit([], "x")
    assert curve.chance((100.0, 1.0)) == 0.5
    assert fit([Rehearsal((), 1.0)], "x").chance((3.0, 0.0)) == 0.5
