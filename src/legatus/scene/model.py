"""The scene: one description of a screen for all games and all renderers.

Ids in the scene are ids in actions: clicks on ``legion-2`` and ``barb2`` say ``move legion-2 barb2``.
Texts are already in the player's language.
"""

from __future__ import annotations

from msgspec import Struct

ICONS = (
    "heavy-infantry",
    "infantry",
    "light-infantry",
    "warriors",
    "fanatics",
    "pikemen",
    "archers",
    "slingers",
    "javelins",
    "cavalry",
    "heavy-cavalry",
    "light-cavalry",
    "horse-archers",
    "cataphracts",
    "camels",
    "chariot",
    "elephant",
    "artillery",
    "general",
    "marker",  # face down: whatever it is
    "decoy",  # face down, and nothing
)
"""What a piece looks like.  A renderer draws every one of them; a game uses those that it needs."""

SEGMENT = "segment"
"""The ground of an area in which nothing stands: it groups those above and below it, and holds cards."""


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
    note: str = ""  # a few characters to print in it: points left
    clauses: tuple[str, ...] = ()  # of the rulebook, that concern it now; the most important first


class Piece(Struct, frozen=True):
    """A counter.  ``values`` are the sheet's figures, ``marks`` its present state."""

    id: str
    label: str
    place: str
    side: int
    kind: str  # what the game calls its type
    values: dict[str, str] = {}
    losses: int = 0  # taken so far
    marks: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    facing: str = "front"  # front, side or back
    hidden: bool = False  # face down
    icon: str = ""  # one of ICONS; empty: none fits
    strength: int = 0  # the losses that it can take when it is whole; 0: they are not counted
    clauses: tuple[str, ...] = ()  # of the rulebook, that concern it now; the most important first


class Card(Struct, frozen=True):
    """A card in a hand or on the table; without a face it is seen from the back."""

    id: str
    label: str
    side: int
    place: str  # "hand", or the id of an area
    text: str = ""  # one line: what it does
    kind: str = ""  # its face, for a renderer that draws it: number, face, joker, die or back


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
    sides: tuple[str, ...] = ()  # the seats by their names; ``side`` counts in it
