"""What an action can lead to and how probably, from the code that plays it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random
from typing import Any

from msgspec import Struct

from ..kernel import Action, Game, Seat, Seeded, State, TooManyOutcomes, outcomes, say
from ..kernel.engine import try_action
from .stats import wilson

Row = dict[str, int]


class Odds(Struct, frozen=True):
    """The distribution of every column that the game measures, and of all columns together."""

    action: str
    exact: bool  # else: the frequencies of so many samples
    runs: int  # branches of luck, or samples
    columns: dict[str, dict[int, Fraction]]  # by column: value, in ascending order, to probability
    joint: tuple[tuple[Row, Fraction], ...]  # the most probable first
    possible: tuple[Fraction, ...] = ()  # of a sequence: how probably each of its actions could be done

    def mean(self, column: str) -> Fraction:
        return sum((p * value for value, p in self.columns[column].items()), Fraction(0))

    def plain(self) -> dict[str, Any]:
        """For JSON: every probability as a number ``p`` and as a text ``odds``, such as ``"5/36"``.

        Where it was sampled, ``low`` and ``high`` are its 95 % interval.
        """
        _chance = self._chance
        plain: dict[str, Any] = {
            "action": self.action,
            "exact": self.exact,
            "runs": self.runs,
            "columns": {
                name: {
                    "mean": float(self.mean(name)),
                    "values": [{"value": value, **_chance(p)} for value, p in values.items()],
                }
                for name, values in self.columns.items()
            },
            "joint": [{"values": row, **_chance(p)} for row, p in self.joint],
        }
        return plain | ({"possible": [_chance(p) for p in self.possible]} if self.possible else {})

    def interval(self, p: Fraction) -> tuple[float, float]:
        """The 95 % interval of a frequency; exact odds are what they are."""
        return (float(p), float(p)) if self.exact else wilson(round(p * self.runs), self.runs)

    def _chance(self, p: Fraction) -> dict[str, Any]:
        chance: dict[str, Any] = {"p": float(p), "odds": f"{p.numerator}/{p.denominator}"}
        if not self.exact:
            chance["low"], chance["high"] = self.interval(p)
        return chance


def odds(
    game: Game,
    state: State,
    action: Action,
    limit: int | None = None,
    samples: int | None = None,
    seed: int | str = 0,
) -> Odds:
    """The odds of a legal action: exact up to ``limit`` branches of luck, beyond from ``samples`` trials.

    Of both there are as many as the game has ``trials``, unless told otherwise.

    They are those of the action and of what it sets going, not of what waited already, such as the next turn.
    The state knows all secrets: for a player, use ``seen_odds``.
    """
    return _odds(game, [(Fraction(1), state)], action, limit or game.trials, samples or game.trials, seed)


def seen_odds(game: Game, view: Any, seat: Seat, action: Action, rng: Random) -> Odds:
    """The same from what ``seat`` knows; where they hang on a secret, over all that it can be."""
    return _odds(game, game.cases(view, seat, action, rng), action, game.trials, game.trials, 0)


def _odds(
    game: Game, cases: list[tuple[Fraction, Any]], action: Action, limit: int, samples: int, seed: int | str
) -> Odds:
    found: list[tuple[Fraction, Row]] = []
    exact = True
    for weight, state in cases:
        try:
            branches = [
                (weight * p, game.measure(state, after))
                for p, after in outcomes(state, action, limit, alone=True)
            ]
        except TooManyOutcomes:
            dice, share = Seeded(f"odds/{seed}"), weight / samples
            tries = (try_action(state, action, dice, alone=True) for _ in range(samples))
            branches = [(share, game.measure(state, after)) for after in tries]
            exact = False
        found += branches
    return tabulate(say(action), exact, found)


def tabulate(name: str, exact: bool, found: list[tuple[Fraction, Row]]) -> Odds:
    """The table of what was found, each with its weight."""
    joint = _merge(found)
    columns = {column: _column(column, joint) for column in (joint[0][0] if joint else ())}
    return Odds(name, exact, len(found), columns, joint)


def _merge(found: Iterable[tuple[Fraction, Row]]) -> tuple[tuple[Row, Fraction], ...]:
    """Equal rows together, the most probable first; a column that a row lacks counts 0 there."""
    rows: dict[tuple[tuple[str, int], ...], Fraction] = {}
    for p, row in found:
        key = tuple(row.items())
        rows[key] = rows.get(key, Fraction(0)) + p
    names = list(dict.fromkeys(name for key in rows for name, _ in key))
    merged: dict[tuple[int, ...], Fraction] = {}
    for key, p in rows.items():
        row = dict(key)
        values = tuple(row.get(name, 0) for name in names)
        merged[values] = merged.get(values, Fraction(0)) + p
    ranked = sorted(merged.items(), key=lambda item: (-item[1], item[0]))
    return tuple((dict(zip(names, values, strict=True)), p) for values, p in ranked)


def _column(name: str, joint: Iterable[tuple[Row, Fraction]]) -> dict[int, Fraction]:
    values: dict[int, Fraction] = {}
    for row, p in joint:
        values[row[name]] = values.get(row[name], Fraction(0)) + p
    return dict(sorted(values.items()))
