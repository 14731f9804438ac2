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
    "orc",
    "goblin",
    "wolf",
    "troll",
    "dragon",
    "general",
    "chit",  # of a command
    "marker",  # face down: whatever it is
    "decoy",  # face down, and nothing
)
"""What a piece looks like.  A renderer draws every one of them; a game uses those that it needs."""

SEGMENT = "segment"
"""The ground of an area in which nothing stands: it groups those above and below it, and holds cards."""


HEXES = "hexes"
"""A map of hexes, corner up: rows from the north, odd rows half a hex further east; an area is a hex.

An area wider than one column is a strip above or below the map, such as an edge by which units leave.  If it
is outside the columns of the map, it lies to the left or to the right, where there is room for that.
"""


OPEN = "open"
"""A table without a grid, seen from above.

Lengths are hundredths of a unit of distance, directions tenths of a degree clockwise from north; x grows
eastwards and y southwards.

An area is a piece of ground or a structure with its outline; a piece is a card with its pose and size.
"""


class Area(Struct, frozen=True):
    """A place on a board of areas, laid out on a grid of rows and columns."""

    id: str
    label: str
    row: int
    column: int
    width: int = 1  # columns it spans
    ground: str = "clear"
    side: int | None = None  # whose half it is; of a hex, whose land
    marks: tuple[str, ...] = ()  # what to know about it: terrain by name, camp, holder, river
    note: str = ""  # a few characters to print in it: points left
    clauses: tuple[str, ...] = ()  # of the rulebook, that concern it now; the most important first
    level: int = 0  # of a hex: how high it lies; on an open table: how high one stands there
    outline: tuple[tuple[int, int], ...] = ()  # on an open table
    losses: int = 0  # of a structure: damage taken
    strength: int = 0  # of a structure: the damage that it can take when it is whole
    states: tuple[str, ...] = ()  # of a structure: burning, collapsed...: for a renderer that draws them
    heading: int | None = None  # of a structure: where its outer side or its front looks to, in degrees


class Piece(Struct, frozen=True):
    """A counter.  ``values`` are the sheet's figures, ``marks`` its state in words, ``states`` in keys.

    Of several in one place the foremost comes first.
    """

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
    states: tuple[str, ...] = ()  # disordered, engaged, winded, rout...: for a renderer that draws them
    beside: str = ""  # a second place that it covers: a formation in two hexes
    heading: int | None = None  # on a map: where it faces, in degrees clockwise from north
    group: str = ""  # of an army in parts: which, by its colour: white, yellow, green, red, orange, purple...
    acting: bool = False  # it is the one about which is decided now
    badge: str = ""  # what lies on it, in a word: its order; "?" if it lies face down; ×3, Σ12, +1: a figure
    pose: tuple[int, int, int] | None = None  # on an open table: its middle and where it faces
    size: tuple[int, int] = (0, 0)  # on an open table: front and depth
    sections: tuple[int, int] = (0, 0)  # on an open table: into how many its front and its depth are divided
    wings: tuple[int, int] = (0, 0)  # on an open table: sections added to its front row, left and right
    grips: tuple[str, ...] = ()  # on an open table: by what the reader can drag it now, see ``Game.ghost``


class Marker(Struct, frozen=True):
    """Something that lies in a place and is no piece: fire, stakes, a thing to fight for, a city."""

    id: str
    kind: str  # to be drawn: fire, blaze, stakes, beacon, granary, device, city, sacked, land
    label: str
    place: str
    heading: int | None = None
    side: int | None = None  # whose it is now
    clauses: tuple[str, ...] = ()
    name: str = ""  # to be written on a map
    note: str = ""  # a few characters to print with it: what it is worth


class Card(Struct, frozen=True):
    """A card in a hand or on the table; without a face it is seen from the back."""

    id: str
    label: str
    side: int
    place: str  # "hand", or the id of an area
    text: str = ""  # one line: what it does
    kind: str = ""  # its face, for a renderer that draws it: number, face, joker, die, stratagem or back


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
    grid: str = ""  # how areas lie: in a table, as HEXES, or OPEN
    markers: tuple[Marker, ...] = ()
    size: tuple[int, int] = (0, 0)  # of an open table: width and height


class Zone(Struct, frozen=True):
    """Places around a piece that mean something: its front, its flanks."""

    kind: str  # front, flank or rear: for a renderer that colours them
    label: str
    places: tuple[str, ...]
    clause: str = ""


class Reach(Struct, frozen=True):
    """On an open table: how far a piece moves or shoots from its front."""

    kind: str  # move, short or long: for a renderer that draws them
    label: str
    far: int
    spread: int = 0  # to each side of straight ahead, in tenths of a degree; 1800: all round
    clause: str = ""


class Look(Struct, frozen=True):
    """What somebody learns who looks at one piece closely: not worth showing of all of them all the time."""

    zones: tuple[Zone, ...] = ()
    costs: dict[str, str] = {}  # places that it can reach, with the price
    lines: tuple[tuple[str, str], ...] = ()  # (sentence, clause)
    reaches: tuple[Reach, ...] = ()


class Line(Struct, frozen=True):
    """A straight line on an open table: a tape measure, a line of sight, the way of a move."""

    kind: str  # tape, sight, blocked or way: for a renderer that draws them
    start: tuple[int, int]
    end: tuple[int, int]
    label: str = ""  # a few characters to print beside it: a distance
    clause: str = ""


class Ghost(Struct, frozen=True):
    """What becomes of a card that somebody drags: the nearest legal pose, and what decided it."""

    pose: tuple[int, int, int]
    do: str = ""  # the action that brings it there; empty: none does
    cost: str = ""  # of this move
    left: str = ""  # of what it may move, after it
    touches: tuple[str, ...] = ()  # ids of what it would lie against
    lines: tuple[Line, ...] = ()
    reasons: tuple[tuple[str, str], ...] = ()  # why it is not where the pointer is: (sentence, clause)
