"""Fortresses as people design them: of what, in what places, at what price.

Texts are in the player's language.  Places are in hundredths, to the right and backwards, and directions
in tenths of a degree, clockwise from the front.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from .muster import MusterLine, MusterProblem

Place = tuple[int, int]
Joint = tuple[int, int, int]  # a place and a direction, as the piece sees them: to its right, backwards


class Way(Struct, frozen=True):
    """How a wall goes on through a piece: where the one before it joins, and where the next."""

    bend: str
    start: Joint
    end: Joint


class Part(Struct, frozen=True):
    """A sort of piece."""

    key: str
    kind: str
    material: str
    label: str
    price: int
    outline: tuple[Place, ...]  # around its middle
    ways: tuple[Way, ...]


class ReadyDesign(Struct, frozen=True):
    """A design that a game has ready, as a file."""

    key: str
    name: str
    text: str
    cost: int
    file: str


class Workshop(Struct, frozen=True):
    """All that designs are made of."""

    parts: tuple[Part, ...]
    designs: tuple[ReadyDesign, ...]


class CheckedDesign(Struct, frozen=True):
    """A design, priced and judged."""

    design: dict[str, Any]  # as a file has it, with the places of its pieces
    names: tuple[str, ...]  # of its pieces
    file: str  # its text, the pieces in their order
    do: str  # the action that builds it in a match; empty if none does
    cost: int
    materials: dict[str, int]  # what it costs if all is of one of them
    size: Place
    ok: bool
    closed: bool
    gates: int
    floor: tuple[Place, ...]  # the ground inside
    lines: tuple[MusterLine, ...]
    problems: tuple[MusterProblem, ...]
