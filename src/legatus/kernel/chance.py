"""The only door through which luck enters a game.

Luck is asked for in two ways: dice (``n`` of them, with as many sides) and a draw (one of several things,
each with a weight).  Its answer is always a list of whole numbers, so a journal is a list of whole numbers.

Dice say which results matter by ``bands``, the upper ends of the ranges that the rules tell apart: three dice
against a value of 4 ask for ``Luck(3, 6, (4, 6))``.  A table rolls faces; exact odds branch on bands only.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count as numbers
from math import factorial
from random import Random
from struct import unpack

from mypy_extensions import mypyc_attr

from .words import Complaint, Message, Values


class Luck:
    """A question to luck: ``n`` dice of ``sides``; or, with ``weights``, one draw among named things."""

    __slots__ = ("bands", "low", "n", "names", "sides", "weights")

    def __init__(
        self,
        n: int,
        sides: int,
        bands: Sequence[int] = (),
        weights: Sequence[int] = (),
        names: Sequence[str] = (),
        low: int = 1,
    ) -> None:
        self.n = n
        self.low = low  # the lowest face: some dice are marked from 0 on
        self.sides = sides
        self.bands: tuple[int, ...] = tuple(bands)
        self.weights: tuple[int, ...] = tuple(weights)
        self.names: tuple[str, ...] = tuple(names)

    @property
    def high(self) -> int:
        """The highest face."""
        return self.low + self.sides - 1

    def wrong(self, answer: Sequence[int]) -> Message | None:
        """What is wrong with an answer typed by a person or read from a file; None if nothing is."""
        if len(answer) != self.n:
            return Message("luck.count", {"expected": self.n, "found": len(answer)})
        for face in answer:
            if self.weights:
                if not 0 <= face < len(self.weights) or self.weights[face] <= 0:
                    return Message("luck.draw", {"face": face})
            elif not self.low <= face <= self.high:
                if self.low == 1:
                    return Message("luck.face", {"face": face, "sides": self.sides})
                values: Values = {"face": face, "sides": self.sides, "low": self.low, "high": self.high}
                return Message("luck.marked", values)
        return None

    def branches(self) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
        """Every distinguishable answer with its probability; a band is stood for by its highest face."""
        if self.weights:
            total = sum(self.weights)
            for i, weight in enumerate(self.weights):
                if weight > 0:
                    yield Fraction(weight, total), (i,)
            return
        tops = sorted({b for b in self.bands if self.low <= b < self.high} | {self.high})
        if not self.bands:
            tops = list(range(self.low, self.high + 1))
        sizes = [top - below for top, below in zip(tops, [self.low - 1, *tops], strict=False)]
        whole = self.sides**self.n
        for counts in _compositions(self.n, len(tops)):
            ways = factorial(self.n)
            faces: tuple[int, ...] = ()
            for count, size, top in zip(counts, sizes, tops, strict=True):
                ways = ways // factorial(count) * size**count
                faces += (top,) * count
            yield Fraction(ways, whole), faces


def _compositions(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in _compositions(n - first, parts - 1):
            yield (first, *rest)


class NeedLuck(Exception):
    """The script has run out: somebody must say what fell.  ``told`` is the log so far: what it is for."""

    def __init__(self, luck: Luck) -> None:
        super().__init__("dice wanted")
        self.luck = luck
        self.told: Sequence[object] = ()
        self.sealed = False  # luck has spoken before, or a secret was shown: whoever began must go on


class WrongLuck(Complaint):
    """The script says something that cannot have fallen."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Dice:
    """A source of luck.  ``answer`` serves every source; ``roll`` is the short way for a single die."""

    def answer(self, luck: Luck) -> list[int]:
        raise NotImplementedError

    def roll(self, sides: int, bands: Sequence[int], low: int = 1) -> int:
        return self.answer(Luck(1, sides, bands, low=low))[0]


class Seeded(Dice):
    """A stream of luck that depends only on its name, e.g. ``Seeded("match-7/42")``."""

    def __init__(self, name: str) -> None:
        self._random = Random(name).random

    def roll(self, sides: int, bands: Sequence[int], low: int = 1) -> int:
        return int(self._random() * sides) + low

    def answer(self, luck: Luck) -> list[int]:
        random = self._random
        if luck.weights:
            left = int(random() * sum(luck.weights))
            for i, weight in enumerate(luck.weights):
                left -= weight
                if left < 0:
                    return [i]
        sides = luck.sides
        return [int(random() * sides) + luck.low for _ in range(luck.n)]


WORDS = 2**32  # how many values a word of the stream has


class Committed(Dice):
    """Dice that follow from a seed, from what the players contributed and from the number of a row.

    The seed is secret until the match is over; its hash is published beforehand.  ``contributions`` are in
    seat order, empty where a seat has given none.  docs/concepts/luck.md tells how to recompute the dice.
    """

    def __init__(self, seed: str, row: int, contributions: Sequence[str] = ()) -> None:
        self._stream = _words(seed.encode(), row, "/".join(contributions))

    def answer(self, luck: Luck) -> list[int]:
        if not luck.weights:
            return [luck.low + self._below(luck.sides) for _ in range(luck.n)]
        left = self._below(sum(luck.weights))
        for i, weight in enumerate(luck.weights):
            left -= weight
            if left < 0:
                return [i]
        raise AssertionError("weights add up")

    def _below(self, n: int) -> int:
        """A number below n, each as likely: words beyond the last whole multiple of n are passed over."""
        fair = WORDS - WORDS % n
        return next(word for word in self._stream if word < fair) % n


def _words(seed: bytes, row: int, contributions: str) -> Iterator[int]:
    """The stream of a row: HMAC-SHA256 of numbered blocks, eight words of 32 bits each."""
    for block in numbers():
        text = f"dice/{row}/{block}/{contributions}"
        yield from unpack(">8I", hmac.digest(seed, text.encode(), "sha256"))


class Scripted(Dice):
    """Known results first (records, tests, a person's dice); then ask for more."""

    def __init__(self, faces: Sequence[int] = ()) -> None:
        self._faces: list[int] = list(faces)
        self._next = 0

    def answer(self, luck: Luck) -> list[int]:
        end = self._next + luck.n
        if self._next >= len(self._faces) and luck.n:
            raise NeedLuck(luck)
        answer = self._faces[self._next : end]
        wrong = luck.wrong(answer)
        if wrong is not None:
            raise WrongLuck(wrong)
        self._next = end
        return answer

    @property
    def unused(self) -> int:
        """How many results of the script nobody asked for."""
        return len(self._faces) - self._next
