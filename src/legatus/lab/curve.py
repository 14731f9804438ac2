"""From how good a position looks to how probably it wins: a curve fitted on games played to their end.

The chance of the first seat is ``1 / (1 + exp(-(b + e·(w + u·t))))``: ``e`` is what the game's evaluation
says for the first seat less what it says for the second, ``t`` how much of the battle is over.  A lead may
count more late than early; that is what ``u`` is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from random import Random
from typing import Any

from msgspec import Struct

from ..kernel import Game

Look = tuple[float, float]
"""What is seen of a position: (e, t)."""
Weights = tuple[float, float, float]

ROUNDS = 12  # of Newton's method
RIDGE = 0.5  # holds the weights near 0 where few games tell of them
DRAWS = 40  # fits to games drawn anew, for the intervals
SUREST = 0.995  # nothing is certain before the end


class Rehearsal(Struct, frozen=True):
    """A game played on from some moment: what was seen on the way, and what it brought the first seat."""

    looks: tuple[Look, ...]
    result: float  # 1 won, 0.5 drawn or not finished, 0 lost


class Curve(Struct, frozen=True):
    """A fit; ``others`` are fits to the same games drawn anew, and tell how sure it is."""

    scale: float
    weights: Weights
    others: tuple[Weights, ...]
    error: float  # mean squared error over the games (Brier); that of a guess of one half is 0.25

    def chance(self, look: Look, weights: Weights | None = None) -> float:
        """The chance of the first seat."""
        b, w, u = weights or self.weights
        e, t = look
        return _held(_squash(b + e / self.scale * (w + u * t)))

    def chances(self, look: Look) -> list[float]:
        """The same by the other fits."""
        return [self.chance(look, weights) for weights in self.others]


def seen(game: Game, state: Any, t: float) -> Look:
    """What the curve looks at."""
    return game.evaluate(state, 0) - game.evaluate(state, 1), min(1.0, t)


def result_of(state: Any) -> float:
    """What an ending brought the first seat; a draw is half a win."""
    outcome = state.outcome
    return 0.5 if outcome is None or outcome.winner is None else float(outcome.winner == 0)


def fit(games: Sequence[Rehearsal], seed: str) -> Curve:
    """The curve of these games; it depends on them and on the seed only."""
    told = [game for game in games if game.looks]
    scale = sqrt(_mean([e * e for game in told for e, _ in game.looks])) or 1.0
    weights = _newton(told, scale)
    rng = Random(seed)
    draws = ([told[int(rng.random() * len(told))] for _ in told] for _ in range(DRAWS))
    others = tuple(_newton(draw, scale) for draw in draws) if told else ()
    curve = Curve(scale, weights, others, 0.0)
    misses = [(curve.chance(look) - game.result) ** 2 for game in told for look in game.looks]
    return Curve(scale, weights, others, _mean(misses))


def _newton(games: Sequence[Rehearsal], scale: float) -> Weights:
    """Logistic regression; every game weighs the same, however many positions were seen in it."""
    rows = [
        ((1.0, e / scale, e / scale * t), game.result, 1 / len(game.looks))
        for game in games
        for e, t in game.looks
    ]
    weights = [0.0, 0.0, 0.0]
    for _ in range(ROUNDS):
        slope = [-RIDGE * 0.1 * weights[0], -RIDGE * weights[1], -RIDGE * weights[2]]
        bend = [[RIDGE * 0.1, 0.0, 0.0], [0.0, RIDGE, 0.0], [0.0, 0.0, RIDGE]]
        for x, y, weight in rows:
            p = _squash(sum(a * b for a, b in zip(x, weights, strict=True)))
            pull, stiff = weight * (y - p), weight * p * (1 - p)
            for i in range(3):
                slope[i] += pull * x[i]
                for j in range(3):
                    bend[i][j] += stiff * x[i] * x[j]
        weights = [a + b for a, b in zip(weights, _solve(bend, slope), strict=True)]
    return weights[0], weights[1], weights[2]


def _solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Gauss, for a small positive definite matrix."""
    n = len(vector)
    rows = [[*row, value] for row, value in zip(matrix, vector, strict=True)]
    for i in range(n):
        for k in range(i + 1, n):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    found = [0.0] * n
    for i in reversed(range(n)):
        found[i] = (rows[i][n] - sum(rows[i][j] * found[j] for j in range(i + 1, n))) / rows[i][i]
    return found


def _squash(x: float) -> float:
    return 1 / (1 + exp(-max(-40.0, min(40.0, x))))


def _held(p: float) -> float:
    return max(1 - SUREST, min(SUREST, p))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
