"""What lies on an open table, as a list in figures: it is enough to play from, without the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import dist
from string import ascii_uppercase

from rich.text import Text

from ..model import OPEN, Area, Card, Piece, Scene
from .hexes import split_id
from .ink import OPEN_WORDS, SIGNS, STYLES, WATER, WORDS, Line, flow, sign

ARROWS = "↑↗→↘↓↙←↖"  # clockwise from north
FULL, EIGHTH = 3600, 450  # tenths of a degree
UNIT = 100  # hundredths
REARS = dict(zip(SIGNS, "□△○◇", strict=True))
OTHER, ACTING = "%", "*"
GROUNDS = {
    "forest": ("♣", "green"),
    "hill": ("∩", "yellow"),
    "mountain": ("^", "bright_black"),
    "lake": ("~", WATER),
    "river": ("≈", WATER),
    "ford": (":", "cyan"),
    "wooden-bridge": ("=", "yellow"),
    "stone-bridge": ("≡", "bright_black"),
    "village": ("⌂", "magenta"),
    "watchtower": ("♜", "magenta"),
    "trench": ("_", "yellow"),
    "barricade": ("#", "yellow"),
    "caltrops": ("×", "red"),
    "wall": ("▒", "bright_black"),
    "tower": ("▓", "bright_black"),
    "corner": ("▓", "bright_black"),
    "gate": ("∏", "yellow"),
    "moat": ("~", WATER),
}
STATES = {"burning": ("¤", "bold red"), "collapsed": ("∴", "bright_black")}
ROOMY = 110  # columns from which on the list stands in columns of its own

Words = dict[str, str]
XY = tuple[float, float]


def vocabulary(lang: str) -> Words:
    return WORDS[lang] | OPEN_WORDS[lang]


def acting(scene: Scene, width: int, lang: str) -> list[Line]:
    """Where the pieces stand about which is decided now: what changes between two looks at the table."""
    words = vocabulary(lang)
    on = [piece for piece in scene.pieces if piece.acting and piece.pose] if scene.grid == OPEN else []
    short = tags(scene.pieces) if on else {}
    return [line for piece in on for line in flow(_entry(scene, piece, short[piece.id], words), width, 4)]


# --- figures -------------------------------------------------------------------------------------


def arrow(turn: int) -> str:
    """The nearest of eight directions."""
    return ARROWS[(turn + EIGHTH // 2) // EIGHTH % len(ARROWS)]


def figure(number: float, words: Words) -> str:
    return f"{number:g}".replace(".", words["point"])


def length(hundredths: float, words: Words) -> str:
    return figure(round(hundredths) / UNIT, words)


def middle_of(corners: tuple[XY, ...]) -> XY:
    xs, ys = zip(*corners, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def at(place: XY, words: Words) -> str:
    return f"x {length(place[0], words)} y {length(place[1], words)}"


def facing(turn: int, words: Words) -> str:
    return f"{arrow(turn)} {figure(turn % FULL / 10, words)}°"


# --- tags ----------------------------------------------------------------------------------------


def tags(pieces: Iterable[Piece]) -> dict[str, str]:
    """A letter for each kind and the number of the piece; two letters for a piece without a number."""
    pieces = list(pieces)
    letters: dict[tuple[int, str], str] = {}
    found = {}
    for piece in pieces:
        stem, number = split_id(_own(piece, pieces))
        kind = (piece.side, stem)
        if kind not in letters:
            tries = [name.lower() if piece.side % 2 else name for name in _names(stem, bool(number))]
            letters[kind] = next((name for name in tries if name not in letters.values()), tries[0])
        found[piece.id] = letters[kind] + number
    return found


def _own(piece: Piece, pieces: list[Piece]) -> str:
    """An id without the word with which all ids of its side begin."""
    first, _, rest = piece.id.partition("-")
    ids = [other.id for other in pieces if other.side == piece.side]
    if not split_id(rest)[0] or any(not split_id(ident.partition("-")[2])[0] for ident in ids):
        return piece.id
    return rest if all(ident.startswith(f"{first}-") for ident in ids) else piece.id


def _names(stem: str, numbered: bool) -> Iterator[str]:
    """First letters of its words, then its other letters, then any; pairs of them if one is not enough."""
    own = [word[:1] for word in stem.split("-")] + list(stem.replace("-", ""))
    known = [letter for letter in "".join(own).upper() if letter.isalpha()]
    letters = list(dict.fromkeys([*known, *ascii_uppercase]))
    if numbered:
        yield from letters
    yield from (one + two.lower() for one, two in product(letters, letters[1:]))


# --- the list ------------------------------------------------------------------------------------


def tell(scene: Scene, width: int, lang: str) -> list[Line]:
    """What the signs mean, then grounds, structures and cards."""
    words = vocabulary(lang)
    lines = flow(_legend(scene, words), width)
    for note in (*_grounds(scene, words), *_things(scene)):
        lines += flow(note, width, 2)
    return lines + _units(scene, width, words)


def _legend(scene: Scene, words: Words) -> list[Text]:
    """The size of the table, how places are counted, and the signs of which there are any."""
    wide, high = (length(size, words) for size in scene.size)
    chunks = [words["table"].format(wide=wide, high=high), f"· {words['axes']}", f"· {words['degrees']}"]
    for side in sorted({piece.side for piece in scene.pieces if piece.pose}):
        front = SIGNS[side % len(SIGNS)]
        chunks.append(f"· {front}{REARS[front]} {_side(scene, side)}")
    chunks += [f"· {words['halves']}"] if any(piece.pose for piece in scene.pieces) else []
    grounds: dict[str, list[str]] = {}
    for area in scene.areas:
        named = grounds.setdefault(_ground(area), [])
        name = words.get(area.ground) or words.get(kind_of(area), area.ground)
        named += [name] if name not in named else []
    chunks += [f"· {shown} {' / '.join(named)}" for shown, named in grounds.items()]
    states = dict.fromkeys(name for area in scene.areas for name in area.states if name in STATES)
    chunks += [f"· {STATES[name][0]} {words[name]}" for name in states]
    chunks += [f"· {ACTING} {words['acting']}"] if any(piece.acting for piece in scene.pieces) else []
    chunks += [f"· ✗ {words['wounds']}"] if any(piece.strength for piece in scene.pieces) else []
    return [Text(chunk, style="dim") for chunk in chunks]


def _side(scene: Scene, side: int) -> str:
    return scene.sides[side] if side < len(scene.sides) else str(side + 1)


def kind_of(area: Area) -> str:
    """What it is drawn as: a ``wooden-wall`` as a wall."""
    return area.ground if area.ground in GROUNDS else area.ground.rpartition("-")[2]


def _ground(area: Area) -> str:
    return GROUNDS.get(kind_of(area), (OTHER, ""))[0]


def _grounds(scene: Scene, words: Words) -> Iterator[list[Text]]:
    """Every piece of ground and every structure, with its place."""
    for area in scene.areas:
        shown, style = GROUNDS.get(kind_of(area), (OTHER, "dim"))
        name = "" if area.label.lower() in ("", area.id) else f" {area.label}"
        chunks = [Text.assemble((shown, style), f" {area.id}{name}{words['colon']}")]
        chunks += [Text(text) for text in _extent(area, words)]
        chunks += [Text(words["level"].format(n=area.level))] if area.level else []
        if area.losses or area.strength:
            chunks.append(_losses(area.losses, area.strength))
        if area.side is not None:
            chunks.append(Text.assemble(sign(area.side), " ", _side(scene, area.side)))
        yield chunks + [Text(mark, style="italic dim") for mark in area.marks]


def _extent(area: Area, words: Words) -> list[str]:
    """A structure by its middle, size and front; ground by its edges, or by its corners if they are askew."""
    points = area.outline
    if not points:
        return []
    if area.heading is not None and len(points) == 4:
        middle = middle_of(points)
        front, deep = (length(dist(points[i], points[i + 1]), words) for i in (0, 1))
        return [at(middle, words), f"{front}×{deep}", facing(area.heading * 10, words)]
    xs, ys = sorted({x for x, _ in points}), sorted({y for _, y in points})
    if len(points) == 4 and len(xs) == len(ys) == 2:
        (left, right), (top, bottom) = ([length(n, words) for n in side] for side in (xs, ys))
        return [f"x {left}–{right}", f"y {top}–{bottom}"]
    return [words["corners"], *(f"({length(x, words)}; {length(y, words)})" for x, y in points)]


def _losses(taken: int, strength: int) -> Text:
    text = f"✗{taken}/{strength}" if strength else f"✗{taken}"
    return Text(text, style="bold red" if taken else "dim")


def _things(scene: Scene) -> list[list[Text]]:
    """What lies on it and is no piece."""
    return [[Text(f"{OTHER} {marker.label}"), Text(marker.place)] for marker in scene.markers]


def _units(scene: Scene, width: int, words: Words) -> list[Line]:
    """The cards of each side, then those that are not on the table."""
    short = tags(scene.pieces)
    wide = _columns(scene, short, words) if width >= ROOMY else (0, 0, 0)
    lines: list[Line] = []
    for side, on in product(sorted({piece.side for piece in scene.pieces}), (True, False)):
        pieces = [p for p in scene.pieces if p.side == side and (p.pose is not None) == on]
        if pieces:
            name = _side(scene, side) if on else f"{_side(scene, side)}, {words['waiting']}"
            lines += flow([Text.assemble(sign(side), " ", (name, "bold"))], width)
        for piece in pieces:
            lines += flow(_entry(scene, piece, short[piece.id], words, wide), width, 4)
    return lines


def _columns(scene: Scene, short: dict[str, str], words: Words) -> tuple[int, int, int]:
    """How wide tags, names and places are."""
    rows = [(short[piece.id], _name(piece), place_of(scene, piece, words)) for piece in scene.pieces]
    first, second, third = (max((len(row[i]) for row in rows), default=0) for i in (0, 1, 2))
    return first, second, third


def _name(piece: Piece) -> str:
    label = "" if piece.label.lower() in ("", piece.id) else f" {piece.label}"
    return f"{ACTING * piece.acting}{piece.id}{label}"


def place_of(scene: Scene, piece: Piece, words: Words) -> str:
    """Its middle and its facing, and in what it is."""
    if piece.pose is None:
        return ""
    x, y, turn = piece.pose
    inside = any(area.id == piece.place for area in scene.areas)
    within = f" {words['within'].format(place=piece.place)}" if inside else ""
    return f"{at((x, y), words)} {facing(turn, words)}{within}"


def _entry(
    scene: Scene, piece: Piece, tag: str, words: Words, wide: tuple[int, int, int] = (0, 0, 0)
) -> list[Text]:
    """``H1 a-hastati-1 Hastati 1 x 4 y 9 ↑ 0° A 3/2 D 6/5 M 3 Mo 7 ✗1/4 activated``."""
    style = STYLES[piece.side % len(STYLES)]
    name = Text(_name(piece), style=style + " reverse" * piece.acting)
    name.pad_right(max(0, wide[1] - name.cell_len))
    chunks = [Text(f"  {tag:<{wide[0]}}", style=f"bold {style}"), name]
    place = place_of(scene, piece, words)
    chunks += [Text(f"{place:<{wide[2]}}")] if piece.pose else []
    chunks += [Text(f"({words['unseen']})", style="italic")] if piece.hidden else []
    chunks += [Text(f"{key} {value}".strip()) for key, value in piece.values.items()]
    if piece.losses or piece.strength:
        chunks.append(_losses(piece.losses, piece.strength))
    chunks += [Text(f"●{token}", style="bold") for token in piece.tokens]
    return chunks + [Text(mark, style="italic dim") for mark in piece.marks]


def hands(cards: Iterable[Card]) -> Iterator[list[Text]]:
    """Cards with a text, one by one with their ids: that is what a player types."""
    for card in cards:
        name = Text.assemble(sign(card.side), f" {card.id} ", (f"[{card.label}]", "bold"))
        yield [name, *map(Text, card.text.split())]
