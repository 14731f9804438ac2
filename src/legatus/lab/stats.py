"""What can be said of numbers that chance had a part in: intervals, differences of pairs, an even point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, sqrt
from random import Random

from msgspec import Struct

Z95 = 1.959963984540054  # two-sided 95 % of a normal distribution
ROUNDS, CLOSE = 25, 1e-6  # of Newton's method
RIDGE = 1e-3  # keeps a slope finite where all games went one way
REDRAWS = 400  # fits to games drawn anew, for an interval
Point = tuple[float, float]
"""Where a game was played, and what it brought: 1 a win, 0 a loss, ½ a draw."""


class Estimate(Struct, frozen=True):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(wins: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a proportion, by default at 95 %; a draw is half a win."""
    if games == 0:
        return 0.0, 1.0
    p = wins / games
    shrink = 1 + z * z / games
    centre = (p + z * z / (2 * games)) / shrink
    half = z / shrink * sqrt(p * (1 - p) / games + z * z / (4 * games * games))
    return max(0.0, centre - half), min(1.0, centre + half)


def share(wins: float, games: int) -> Estimate:
    """How large a part was won."""
    return Estimate(wins / games if games else 0.5, *wilson(wins, games))


def mean(values: Sequence[float]) -> Estimate:
    """The mean with a normal interval: for differences of pairs, of which there should be some dozens."""
    n = len(values)
    middle = sum(values) / n if n else 0.0
    spread = sum((value - middle) ** 2 for value in values)
    half = Z95 * sqrt(spread / (n - 1) / n) if n > 1 else float("inf")
    return Estimate(middle, middle - half, middle + half)


def quartiles(values: Sequence[int]) -> tuple[int, int, int, int, int]:
    """Least, lower quartile, median, upper quartile, most."""
    ranked = sorted(values) or [0]
    a, b, c, d, e = (ranked[round(part * (len(ranked) - 1) / 4)] for part in range(5))
    return a, b, c, d, e


def even_point(points: Sequence[Point], seed: str) -> Estimate | None:
    """Where the chance to win is one half, by a logistic curve; None where the games do not tell.

    The interval is that of fits to the games drawn anew; it is open where more than 2.5 % of these do not
    fall with ``x`` at all.
    """
    best = _root(_fit(points))
    if best is None:
        return None
    rng, found = Random(seed), []
    for _ in range(REDRAWS):
        root = _root(_fit(rng.choices(points, k=len(points))))
        found.append(float("inf") if root is None else root)
    found.sort()
    return Estimate(best, found[int(0.025 * REDRAWS)], found[int(0.975 * REDRAWS) - 1])


def _root(weights: tuple[float, float]) -> float | None:
    a, b = weights
    return -a / b if b < -RIDGE else None


def _fit(points: Sequence[Point]) -> tuple[float, float]:
    """Intercept and slope of a logistic curve, by Newton's method."""
    counted = Counter(points)
    scale = max((abs(x) for x, _ in counted), default=0.0) or 1.0
    a = b = 0.0
    for _ in range(ROUNDS):
        ga, gb, haa, hab, hbb = -RIDGE * a, -RIDGE * b, RIDGE, 0.0, RIDGE
        for (x, y), n in counted.items():
            z = x / scale
            p = 1 / (1 + exp(-max(-30.0, min(30.0, a + b * z))))
            ga, gb = ga + n * (y - p), gb + n * (y - p) * z
            w = n * p * (1 - p)
            haa, hab, hbb = haa + w, hab + w * z, hbb + w * z * z
        det = haa * hbb - hab * hab
        da, db = (hbb * ga - hab * gb) / det, (haa * gb - hab * ga) / det
        a, b = a + da, b + db
        if abs(da) + abs(db) < CLOSE:
            break
    return a, b / scale
