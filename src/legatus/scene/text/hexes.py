"""A map of hexes, two lines to a row, and below it the pieces by their groups.

In a hex stand the side's sign, the facing, the initials of marks and the ground, and below them a short name:
``■↑d1`` over ``Li12`` is livius-12, which faces north, is disordered and stands on a height.  Odd sides have
small letters.  A piece that covers two hexes stands in both, as ``Sp3=``; ``■+13`` is a stack that counts 13
in all, ``@▲3`` a city of the second side that is worth 3.  A map wider than the terminal is drawn in parts,
from west to east; what lies to the left or right of it is told below it, and so are roads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby

from rich.text import Text

from ..model import Area, Marker, Piece, Scene
from .ink import SIGNS, STYLES, WATER, Line, condition, figures, flow, sign

FACINGS = ("↑n", "↗ne", "↘se", "↓s", "↙sw", "↖nw")  # clockwise from north
MARGIN = 3  # columns for the numbers of rows
CELL, WIDE = 4, 6  # columns of a hex: at least, and where there is room
CLEAR, FOREST, BETWEEN = "·", "♣", "≈"
GROUNDS = {"forest": FOREST, "difficult": FOREST, "rough": "∴", "field": "″", "indoor": "⌂"}
GROUNDS |= {"mountain": "^", "sea": "~", "peaks": "^^"}
MARKERS = {"fire": "°", "blaze": "¤", "stakes": "#", "beacon": "!", "granary": "$", "device": "%"}
MARKERS |= {"city": "@", "sacked": "×"}
WRITTEN = ("land",)  # markers that are names and nothing else
ROADS = ("road", "voie")
FIGURES = ("×", "Σ", "+")  # how the badge begins that is no order
OTHER = "?"  # a marker of another kind
ACTING, MORE, BOTH = "*", "+", "="
LEADER = "general"

Words = dict[str, str]


def draw(scene: Scene, width: int, key: tuple[str, ...], words: Words) -> list[Line]:
    """The map, what its signs mean, and the pieces."""
    lines = [*_Map(scene, width).lines(), *flow(_legend(scene, words), width)]
    lines += flow(_things(scene), width) if scene.markers else []
    lines += flow(_roads(scene, words), width)
    aside = {area.id: area.label for area in scene.areas if is_aside(area, scene)}
    for place, label in aside.items():
        lines += _beside(label, [piece for piece in scene.pieces if piece.place == place], width, key, words)
    lines += _roster(scene, [piece for piece in scene.pieces if piece.place not in aside], width, key, words)
    for line in lines:
        line.rstrip()
    return lines


# --- short names ---------------------------------------------------------------------------------


def split_id(ident: str) -> tuple[str, str]:
    """``livius-horse-2`` is livius-horse, number 2."""
    stem = ident.rstrip("0123456789")
    return stem.rstrip("-"), ident[len(stem) :]


def codes(pieces: Iterable[Piece]) -> dict[str, str]:
    """A short name for each piece: two letters for its kind, and its number."""
    letters: dict[tuple[int, str], str] = {}
    found = {}
    for piece in pieces:
        stem, number = split_id(piece.id)
        kind = (piece.side, stem)
        if kind not in letters:
            tries = [name.lower() if piece.side % 2 else name for name in _abbreviations(stem)]
            letters[kind] = next((name for name in tries if name not in letters.values()), tries[0])
        found[piece.id] = letters[kind] + number
    return found


def _abbreviations(stem: str) -> list[str]:
    """LH or Li, then others."""
    rest = [*(word[:1].upper() for word in stem.split("-")[1:]), *stem[1:].replace("-", "")]
    return [stem[:1].upper() + letter for letter in rest] or [stem.upper()]


def initials(marks: Iterable[str]) -> dict[str, str]:
    """A letter of its own for each mark, if possible the first of its longest word: d is "en désordre"."""
    found: dict[str, str] = {}
    for mark in sorted(set(marks)):
        letters = max(mark.lower().split(), key=len, default="")
        found[mark] = next((letter for letter in letters if letter not in found.values()), "!")
    return found


# --- the map -------------------------------------------------------------------------------------


class _Map:
    """Hexes in columns of equal width; what lies between two rows has a line of its own."""

    def __init__(self, scene: Scene, width: int) -> None:
        self.scene, self.width = scene, width
        self.hexes = {area.id: area for area in scene.areas if area.width == 1}
        self.codes = codes(scene.pieces)
        self.initials = initials(_marks(scene))
        self.here: dict[str, list[Piece]] = {}
        for piece in scene.pieces:
            for place in covers(piece):
                self.here.setdefault(place, []).append(piece)
        self.things: dict[str, list[Marker]] = {}
        for marker in scene.markers:
            if marker.kind not in WRITTEN:
                self.things.setdefault(marker.place, []).append(marker)
        self.between = [line for line in scene.lines if line[2] not in ROADS]
        longest = max((len(self.codes[piece.id]) + bool(piece.beside) for piece in scene.pieces), default=0)
        least = max(CELL, longest + longest % 2)
        self.columns = max((area.column + 1 for area in self.hexes.values()), default=0)
        parts = -(-self.columns // max(1, _fitting(width, least)))
        self.part = -(-self.columns // max(1, parts))  # columns drawn side by side
        self.cell = WIDE if least < WIDE and _fitting(width, WIDE) >= self.part else least
        near = [(a, b) for a, b, _ in self.between if self._is_beside(a, b)]
        self.banks = {min(pair, key=lambda name: self.hexes[name].column) for pair in near}

    def lines(self) -> list[Line]:
        lines = []
        for first in range(0, self.columns, max(1, self.part)):
            lines += [*([Text()] if first else []), *self._part(first)]
        for a, b, what in self.between:
            if not self._is_border(a, b) and not self._is_beside(a, b):
                lines += flow([Text(f"{a} {BETWEEN} {b}: {what}", style=WATER)], self.width)
        return lines

    def _part(self, first: int) -> list[Line]:
        last = min(first + self.part, self.columns)
        heads = Text(" " * (MARGIN + self.cell // 2 - 1), style="dim")
        heads.append("".join(f"{column:02}".ljust(self.cell) for column in range(first, last)).rstrip())
        lines = [heads]
        areas = [area for area in self.scene.areas if not is_aside(area, self.scene)]
        areas.sort(key=lambda area: (area.row, area.column))
        for row, group in groupby(areas, key=lambda area: area.row):
            inside = [area for area in group if area.column < last and area.column + area.width > first]
            lines += self._borders(row, first, last)
            for area in inside:
                lines += self._strip(area, first, last) if area.width > 1 else []
            lines += self._row(row, [area for area in inside if area.width == 1], first)
        return [*lines, heads]

    def _row(self, row: int, areas: list[Area], first: int) -> list[Line]:
        if not areas:
            return []
        lines = [Text(), Text()]
        lines[0].append(f"{row:02}", style="dim")
        for area in areas:
            left = self._left(area) - first * self.cell
            for line, text in zip(lines, self._hex(area), strict=True):
                _put(line, left, text)
                if area.id in self.banks and line.cell_len < left + self.cell:
                    _put(line, left + self.cell - 1, Text(BETWEEN, style=WATER))
        return lines

    def _left(self, area: Area) -> int:
        """Where a hex begins on the whole map."""
        return MARGIN + area.column * self.cell + area.row % 2 * (self.cell // 2)

    def _hex(self, area: Area) -> tuple[Text, Text]:
        ground, things = _ground(area), self.things.get(area.id, [])
        style = "green" if FOREST in ground else "yellow" if ground else "dim"
        pieces = self.here.get(area.id)
        if not pieces:
            shown = [(_thing(marker) + _worth(marker), _colour(marker)) for marker in things]
            empty = Text.assemble(" ", (ground or CLEAR * (not things), style), *shown)
            return empty[: self.cell], Text()
        piece = min(
            pieces, key=lambda piece: (not piece.acting, piece.icon == LEADER)
        )  # of equals the foremost
        first, *others = [self.initials[mark] for mark in piece.marks] or [""]
        sums = [one.badge[1:] for one in pieces if one.badge.startswith("Σ")]
        marks = first + ACTING * piece.acting + MORE * (len(pieces) > 1) + "".join([*sums, *others])
        room = self.cell - bool(ground) - bool(things)
        seen = (SIGNS[piece.side % len(SIGNS)] + arrow(piece) + marks)[:room]
        colour = STYLES[piece.side % len(STYLES)] + " reverse" * piece.acting
        lying = [(_thing(marker), _colour(marker)) for marker in things[:1]]
        above = Text.assemble((seen, f"bold {colour}"), *lying, (ground, style))
        return above[: self.cell], Text(self.codes[piece.id] + BOTH * bool(piece.beside), style=colour)

    def _strip(self, area: Area, first: int, last: int) -> list[Line]:
        name = area.id if area.label.lower() in ("", area.id) else f"{area.id} ({area.label})"
        room = (last - first) * self.cell + self.cell // 2
        lines = flow([Text(f" {name} ".center(room, "─"), style="dim")], room, 0)
        return [Text.assemble(" " * MARGIN, line) for line in lines]

    def _borders(self, row: int, first: int, last: int) -> list[Line]:
        """The line above a row, if something lies there."""
        line = Text()
        start, end = MARGIN, MARGIN + (last - first) * self.cell + self.cell // 2
        edges = []
        for a, b, _ in self.between:
            if self._is_border(a, b) and max(self.hexes[a].row, self.hexes[b].row) == row:
                left, right = (x - first * self.cell for x in self._edge(a, b))
                edges.append((max(left, start), min(right, end)))
        for left, right in sorted(edges):
            if left < right:
                _put(line, left, Text(BETWEEN * (right - left), style=WATER))
        return [line] if line else []

    def _edge(self, a: str, b: str) -> tuple[int, int]:
        """The columns that two hexes, one above the other, have in common."""
        lefts = [self._left(self.hexes[hex]) for hex in (a, b)]
        return max(lefts), min(lefts) + self.cell

    def _is_border(self, a: str, b: str) -> bool:
        if a not in self.hexes or b not in self.hexes or abs(self.hexes[a].row - self.hexes[b].row) != 1:
            return False
        left, right = self._edge(a, b)
        return left < right

    def _is_beside(self, a: str, b: str) -> bool:
        """Whether two hexes are neighbours in a row, and there is room between them."""
        one, two = self.hexes.get(a), self.hexes.get(b)
        if one is None or two is None or self.cell < WIDE:
            return False
        return one.row == two.row and abs(one.column - two.column) == 1


def is_aside(area: Area, scene: Scene) -> bool:
    """Whether it lies to the left or right of the map."""
    columns = [hex.column for hex in scene.areas if hex.width == 1]
    return area.width > 1 and (area.column + area.width <= min(columns) or area.column > max(columns))


def _marks(scene: Scene) -> list[str]:
    """The marks of pieces that are drawn on the map."""
    aside = {area.id for area in scene.areas if is_aside(area, scene)}
    return [mark for piece in scene.pieces if piece.place not in aside for mark in piece.marks]


def _fitting(width: int, cell: int) -> int:
    """How many hexes of ``cell`` columns stand side by side."""
    return (width - MARGIN - cell // 2) // cell


def _put(line: Line, x: int, text: Text) -> None:
    if text:
        line.append(" " * (x - line.cell_len))
        line.append_text(text)


def covers(piece: Piece) -> list[str]:
    """The places in which it stands: one, or two."""
    return [piece.place, piece.beside] if piece.beside else [piece.place]


def _ground(area: Area) -> str:
    return GROUNDS.get(area.ground, "") + (str(area.level) if area.level else "")


def _thing(marker: Marker) -> str:
    return MARKERS.get(marker.kind, OTHER)


def _worth(marker: Marker) -> str:
    """Whose it is and what it is worth."""
    side = SIGNS[marker.side % len(SIGNS)] if marker.note and marker.side is not None else ""
    return side + marker.note


def _colour(marker: Marker) -> str:
    """Of its holder, if that is to be seen."""
    if marker.side is None or not marker.note:
        return "bold red"
    return f"bold {STYLES[marker.side % len(STYLES)]}"


def arrow(piece: Piece | Marker) -> str:
    return FACINGS[piece.heading // 60 % 6][0] if piece.heading is not None else ""


# --- below it ------------------------------------------------------------------------------------


def _legend(scene: Scene, words: Words) -> list[Text]:
    """What the signs mean of which there are any."""
    levels = sorted({area.level for area in scene.areas if area.level})
    places = [place for piece in scene.pieces for place in covers(piece)]
    hexes = {area.id for area in scene.areas if area.width == 1}
    grounds: dict[str, dict[str, None]] = {}
    for area in scene.areas:
        if area.ground in GROUNDS:
            named = words.get(area.ground, ", ".join(area.marks) or area.ground)
            grounds.setdefault(GROUNDS[area.ground], {})[named] = None
    letters = initials(_marks(scene))
    kinds = dict.fromkeys(marker.kind for marker in scene.markers)
    signs = [
        *((shown, " / ".join(named)) for shown, named in grounds.items()),
        (" ".join(map(str, levels)), words["height"] if levels else ""),
        (BETWEEN, " / ".join(dict.fromkeys(what for _, _, what in scene.lines if what not in ROADS))),
        *((MARKERS[kind], words[kind]) for kind in kinds if kind in words),
        *((letter, mark) for mark, letter in letters.items()),
        (ACTING, words["acting"] if any(piece.acting for piece in scene.pieces) else ""),
        (MORE, words["more"] if any(place in hexes and places.count(place) > 1 for place in places) else ""),
        (BOTH, words["both"] if any(piece.beside for piece in scene.pieces) else ""),
    ]
    chunks = [Text(" ".join(FACINGS))] if any(piece.heading is not None for piece in scene.pieces) else []
    chunks += [Text(f"· {shown} {text}") for shown, text in signs if text]
    for chunk in chunks:
        chunk.stylize("dim")
    return chunks


def _things(scene: Scene) -> list[Text]:
    """What lies in hexes and is no piece: ``# Stakes 0501↑ 0703↗``, a thing to hold with its holder."""
    found: dict[tuple[str, str], list[str]] = {}
    for marker in scene.markers:
        if marker.kind in WRITTEN:
            continue
        held = (
            "" if marker.side is None or marker.side >= len(scene.sides) else f" ({scene.sides[marker.side]})"
        )
        held = "" if marker.name else held  # it is said before the name
        shown, label = _thing(marker) + _worth(marker), marker.name or marker.label
        found.setdefault((shown, label), []).append(marker.place + arrow(marker) + held)
    said = [f"{shown} {label} {' '.join(places)}" for (shown, label), places in found.items()]
    return [Text(text if i == 0 else f"· {text}", style="dim") for i, text in enumerate(said)]


def _roads(scene: Scene, words: Words) -> list[Text]:
    """Roads from end to end or crossing to crossing: ``0310-0309-0308``."""
    ways = [(a, b) for a, b, what in scene.lines if what in ROADS]
    if not ways:
        return []
    ends = Counter(end for way in ways for end in way)
    chains = []
    while ways:
        start = next((way for way in ways if any(ends[end] != 2 for end in way)), ways[0])
        ways.remove(start)
        chain = list(start if ends[start[0]] != 2 else start[::-1])
        while ends[chain[-1]] == 2 and (on := next((way for way in ways if chain[-1] in way), None)):
            ways.remove(on)
            chain.append(on[on[0] == chain[-1]])
        chains.append("-".join(chain))
    return [Text(words["roads"], style="dim"), *(Text(chain, style="dim") for chain in chains)]


def _beside(label: str, pieces: list[Piece], width: int, key: tuple[str, ...], words: Words) -> list[Line]:
    """What lies to the left or right of the map."""
    chunks = [Text(label + words["colon"], style="bold")]
    for piece in pieces:
        badge = [Text(piece.badge, style="bold")] if piece.badge.startswith(FIGURES) else []
        said = [Text(figure) for figure in figures(piece, key)]
        style = STYLES[piece.side % len(STYLES)] + " reverse" * piece.acting
        name = Text.assemble(sign(piece.side), " ", (ACTING * piece.acting + piece.id, style))
        chunks.append(Text.assemble(Text(" ").join([name, *badge, *said, *condition(piece, words)]), " "))
    return flow(chunks, width)


def _roster(
    scene: Scene, pieces: Iterable[Piece], width: int, key: tuple[str, ...], words: Words
) -> list[Line]:
    """The pieces by group and order, those of a kind on a line."""
    short = codes(scene.pieces)
    names = group_names(scene)
    groups: dict[tuple[int, str, str], dict[tuple[str, ...], list[Piece]]] = {}
    for piece in pieces:
        _, number = split_id(piece.id)
        label = piece.label.removesuffix(f" ({names.get(piece.group, '')})")
        label = label.removesuffix(number).rstrip() if number else label
        label += "" if piece.kind.casefold() in label.casefold() else f" ({piece.kind})"
        code = short[piece.id].removesuffix(number)
        # the order of a formation is among its marks
        order = "" if piece.beside or piece.badge.startswith(FIGURES) else piece.badge
        kinds = groups.setdefault((piece.side, piece.group, order), {})
        kinds.setdefault((code, label, *figures(piece, key)), []).append(piece)
    lines = []
    for (side, group, badge), kinds in groups.items():
        style = STYLES[side % len(STYLES)]
        name = names.get(group, group) or (scene.sides[side] if side < len(scene.sides) else "")
        head = [sign(side), Text(name, style="bold"), Text(f"[{badge}]" if badge else "", style="bold")]
        lines += flow([chunk for chunk in head if chunk], width)
        for (code, *said), pieces in kinds.items():
            chunks = [Text(f"  {code}", style=style), Text(" ".join(said) + words["colon"])]
            lines += flow([*chunks, *(_entry(piece, words) for piece in pieces)], width, 5)
    return lines


def group_names(scene: Scene) -> dict[str, str]:
    """What groups are called: by a track, or in brackets after the name of each of their units."""
    found = {
        track.id.removeprefix("wing-"): track.label for track in scene.tracks if track.id.startswith("wing-")
    }
    for piece in scene.pieces:
        _, bracket, name = piece.label.removesuffix(")").partition(" (")
        if bracket and piece.group:
            found.setdefault(piece.group, name)
    return found


def _entry(piece: Piece, words: Words) -> Text:
    """``livius-2 0311↑ disordered``, with a space behind it."""
    style = STYLES[piece.side % len(STYLES)] + " reverse" * piece.acting
    where = Text((MORE.join(covers(piece)) or words["off"]) + arrow(piece))
    hidden = [Text(f"({words['unseen']})", style="italic")] if piece.hidden else []
    chunks = [Text(ACTING * piece.acting + piece.id, style=style), where, *hidden, *condition(piece, words)]
    return Text.assemble(Text(" ").join(chunks), " ")
