"""The scene: one description of a screen for all games and all renderers.

Ids in the scene are ids in actions: clicks on ``legion-2`` and ``barb2`` say ``move legion-2 barb2``.
Texts are already in the player's language.
"""

from __future__ import annotations

from msgspec import Struct


class Area(Struct, frozen=True):
    """A place on a board of areas, laid out on a grid of rows and columns."""

    id: str
    label: str
    row: int
    column: int
    width: int = 1  # columns it spans
    ground: str = "clear"
    side: int | None = None  # whose half it is
    marks: tuple[str, ...] = ()  # what to know about it: terrain by name, camp, holder, river


class Piece(Struct, frozen=True):
    """A counter.  ``values`` are the sheet's figures, ``marks`` its present state."""

    id: str
    label: str
    place: str
    side: int
    kind: str  # silhouette
    values: dict[str, str] = {}
    losses: int = 0
    marks: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    facing: str = "front"  # front, side or back
    hidden: bool = False  # face down


class Card(Struct, frozen=True):
    """A card in a hand or on the table; without a face it is seen from the back."""

    id: str
    label: str
    side: int
    place: str  # "hand", or the id of an area or segment


class Track(Struct, frozen=True):
    """A number that everybody watches: turn, points left, cards left."""

    id: str
    label: str
    value: str


class Scene(Struct, frozen=True):
    """All that is to be seen."""

    title: str
    areas: tuple[Area, ...] = ()
    pieces: tuple[Piece, ...] = ()
    cards: tuple[Card, ...] = ()
    tracks: tuple[Track, ...] = ()
    lines: tuple[tuple[str, str, str], ...] = ()  # (area, area, what lies between them)
