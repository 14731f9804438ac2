"""Intervals, differences of pairs, and where a battle is even."""

from __future__ import annotations

from math import exp, inf
from random import Random

import pytest

from legatus.lab.stats import even_point, mean, quartiles, share


def test_a_share_is_the_wilson_interval_and_draws_are_half_a_win() -> None:
    found = share(5.0, 10)
    assert found.value == 0.5
    assert (found.low, found.high) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))
    assert share(0, 0).value == 0.5


def test_the_mean_of_differences() -> None:
    found = mean([1.0, 0.0, -1.0, 0.0, 1.0, 0.0])
    assert found.value == pytest.approx(1 / 6)
    assert found.high - found.value == pytest.approx(1.96 * 0.75277 / 6**0.5, abs=1e-3)
    assert mean([2.0]).high == inf
    assert mean([]).value == 0.0


def test_quartiles() -> None:
    assert quartiles([5, 1, 4, 2, 3]) == (1, 2, 3, 4, 5)
    assert quartiles([]) == (0, 0, 0, 0, 0)


def falling(middle: float, slope: float, games: int, seed: int = 0) -> list[tuple[float, float]]:
    """Games at 0, 10, 20 and 30 points less; the chance is one half at ``middle``."""
    rng = Random(f"games/{seed}")
    levels = [float(x) for x in (0, 10, 20, 30) for _ in range(games)]
    return [(x, float(rng.random() < 1 / (1 + exp(slope * (x - middle))))) for x in levels]


def test_the_even_point_is_within_its_interval_nearly_always() -> None:
    missed = 0
    for seed in range(20):
        found = even_point(falling(17, 0.15, 60, seed), "seed")
        assert found is not None
        assert abs(found.value - 17) < 5
        missed += not found.low <= 17 <= found.high
    assert missed <= 3, "one in twenty"
    assert even_point(falling(17, 0.15, 60), "seed") == even_point(falling(17, 0.15, 60), "seed")


def test_few_games_say_less() -> None:
    few, many = (even_point(falling(17, 0.15, n), "seed") for n in (20, 200))
    assert few is not None
    assert many is not None
    assert few.high - few.low > many.high - many.low


def test_what_does_not_fall_has_no_even_point() -> None:
    assert even_point([(x, 1.0) for x in (0.0, 10.0, 20.0)] * 10, "seed") is None
    assert even_point([(0.0, 0.0), (10.0, 1.0)] * 10, "seed") is None
    assert even_point([], "seed") is None
