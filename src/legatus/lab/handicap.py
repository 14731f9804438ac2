"""What would make an unequal battle even: points taken from the stronger list, or a lead of evaluation.

Points: the stronger army is thinned step by step and fights on; a logistic curve says at how many points
less its chance is one half.  Where armies have no price, the games themselves are looked at: by how much the
position's evaluation, at the last moment that nearly all games reached, must differ for an even chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from ..kernel import Game
from .stats import Estimate, even_point

STEPS = (0.1, 0.2, 0.3)  # of an army's cost that it fights without
LOOKS = (16, 32, 64, 128, 256, 512, 1024)  # decisions after which the evaluation is noted
NEARLY_ALL = 0.9  # of the games
LANG = "en"  # prices are the same in all


class Handicap(Struct, frozen=True):
    """What to take from the stronger side of a battle, so that the computer finds it even."""

    scenario: str
    armies: tuple[str, ...]
    seat: int  # the stronger
    unit: str  # points or evaluation
    size: Estimate | None  # None: it was not found
    tried: tuple[tuple[float, int, float], ...]  # points less, games, share of the stronger


def thinned(game: Game, army: dict[str, Any], points: float) -> tuple[dict[str, Any], int]:
    """A list without units for at least so many points, and for how many.

    One unit after the other goes, always of the line that has most: the army keeps its look.
    """
    typed = {recruit.section for recruit in game.recruits(LANG) if recruit.shape == "typed"}
    saved = 0
    while saved < points:
        lines = [line for line in game.muster(army, LANG).lines if line.place.partition("[")[0] in typed]
        if sum(line.count for line in lines) <= 1:
            break
        most = max(lines, key=lambda line: line.count)
        army = _without_one(army, most.place)
        saved += most.each
    return army, saved


def _without_one(army: dict[str, Any], place: str) -> dict[str, Any]:
    section, _, rest = place.partition("[")
    at = int(rest.partition("]")[0])
    lines = [dict(line) for line in army[section]]
    lines[at]["count"] = lines[at].get("count", 1) - 1
    return {**army, section: [line for line in lines if line.get("count", 1)]}


def steps(game: Game, army: dict[str, Any]) -> Iterator[tuple[dict[str, Any], int]]:
    """The armies that the stronger side fights with, and how many points each is short of."""
    cost, last = game.muster(army, LANG).cost, 0
    for part in STEPS:
        fewer, saved = thinned(game, army, part * cost)
        if saved > last:
            yield fewer, saved
            last = saved


def in_points(points: Sequence[tuple[float, float]], seed: str) -> Estimate | None:
    """By games with more and more points less, and what each brought the stronger side.

    It is told only as far as it was tried: the curve is not believed beyond.
    """
    found = even_point(points, seed)
    most = max((x for x, _ in points), default=0.0)
    return found if found is not None and 0 <= found.value <= most else None


def in_evaluation(games: Sequence[tuple[Sequence[float], float]], seed: str) -> Estimate | None:
    """By leads of the stronger side on the way, and what each game brought it; how much less is even."""
    reached = [n for n in range(len(LOOKS)) if _part(games, n) >= NEARLY_ALL]
    if not reached:
        return None
    at = reached[-1]
    seen = [(-leads[at], result) for leads, result in games if len(leads) > at]
    usual = sum(x for x, _ in seen) / len(seen)
    return even_point([(x - usual, result) for x, result in seen], seed)


def _part(games: Sequence[tuple[Sequence[float], float]], n: int) -> float:
    return sum(len(leads) > n for leads, _ in games) / len(games) if games else 0.0
