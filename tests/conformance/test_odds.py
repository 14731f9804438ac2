"""Exact odds: they sum to one, and they are what really happens."""

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

from msgspec.structs import astuple

from legatus.kernel import Action, Game, Match, Seeded, TooManyOutcomes, outcomes
from legatus.kernel.engine import try_action
from legatus.kernel.records import digest

from .common import CASES, FUZZ, random_match

BRANCHES = 3000  # more would take too long for a test; the kernel's own limit is higher
FEWER = 1000  # where many actions are asked; a roll that is made again on a tie never ends
ROLLS = 12  # rolling actions of each match whose odds are summed
COMPARED = 6 * FUZZ  # kinds of rolling actions of each game that are sampled
SAMPLES = 10_000
RARE = 5  # results expected less often than this are counted together
FAR = 5.0  # standard deviations that nobody has seen in 10,000 samples


def rolling(match: Match) -> list[tuple[Any, Action]]:
    """The actions of a match that asked for luck, with the states before them."""
    return [(match.states[i], entry.action) for i, entry in enumerate(match.journal[1:]) if entry.dice]


def exact(state: Any, action: Action, alone: bool = False) -> dict[str, Fraction] | None:
    """The probability of every state that may follow; None if there are too many."""
    chances: dict[str, Fraction] = {}
    try:
        for chance, after in outcomes(state, action, BRANCHES, alone):
            name = digest(after)
            chances[name] = chances.get(name, Fraction(0)) + chance
    except TooManyOutcomes:
        return None
    return chances


def test_outcomes_sum_to_one_and_are_seldom_too_many(match: Match) -> None:
    asked = rolling(match)
    asked = Random(1).sample(asked, min(ROLLS, len(asked)))
    found = [chance for state, action in asked if (chance := whole(state, action)) is not None]
    assert all(chance == 1 for chance in found)
    assert len(found) * 2 >= len(asked), f"only {len(found)} of {len(asked)} have exact odds"


def whole(state: Any, action: Action) -> Fraction | None:
    """The probabilities of all that may follow, added up; of its own consequences, where those are too many.

    None if even they are too many.
    """
    for alone in (False, True):
        with suppress(TooManyOutcomes):
            return sum((chance for chance, _ in outcomes(state, action, FEWER, alone)), Fraction(0))
    return None


def test_outcomes_of_an_action_without_luck_are_certain(match: Match) -> None:
    sure = [i for i, entry in enumerate(match.journal[1:]) if not entry.dice]
    for i in sure[:: max(1, len(sure) // 10)]:
        after = list(outcomes(match.states[i], match.journal[i + 1].action))
        assert after == [(1, match.states[i + 1])]


def test_outcomes_agree_with_ten_thousand_samples(game: Game) -> None:
    compared: set[tuple[Any, ...]] = set()
    for case in CASES:
        if case.key == game.key:
            for state, action in rolling(random_match(case)):
                kind = (type(action), *(value for value in astuple(action) if isinstance(value, bool)))
                if kind not in compared and len(compared) < COMPARED and compare(state, action):
                    compared.add(kind)
    assert compared, "no rolling action with exact odds"


def compare(state: Any, action: Action) -> bool:
    chances = exact(state, action, alone=True)
    if chances is None or len(chances) < 2:
        return False
    dice = Seeded("sample")
    seen = Counter(digest(try_action(state, action, dice, alone=True)) for _ in range(SAMPLES))
    unknown = seen.keys() - chances.keys()
    assert not unknown, f"{action}: {sum(seen[name] for name in unknown)} samples are no outcome"
    assert deviation(chances, seen) < FAR, f"{action}: {seen.most_common(5)} are not the odds"
    return True


def deviation(chances: dict[str, Fraction], seen: Counter[str]) -> float:
    """Chi-square of the samples as standard deviations of a normal (Wilson and Hilferty)."""
    bins: list[tuple[float, int]] = []
    expected, found = 0.0, 0
    for name, chance in sorted(chances.items(), key=lambda pair: -pair[1]):
        expected, found = expected + float(chance) * SAMPLES, found + seen[name]
        if expected >= RARE:
            bins.append((expected, found))
            expected, found = 0.0, 0
    bins[-1] = (bins[-1][0] + expected, bins[-1][1] + found)
    free = len(bins) - 1
    if free < 1:
        return 0.0
    chi = sum((found - expected) ** 2 / expected for expected, found in bins)
    return ((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / sqrt(2 / (9 * free))
