"""A map of hexes, two lines to a row, and below it the pieces by their groups.

In a hex stand the side's sign, the facing, the initials of marks and the ground, and below them a short name:
``■↑d1`` over ``Li12`` is livius-12, which faces north, is disordered and stands on a height.  Odd sides have
small letters.  A map wider than the terminal is drawn in parts, from west to east.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from rich.text import Text

from ..model import Area, Piece, Scene
from .ink import SIGNS, STYLES, WATER, Line, condition, figures, flow, sign

FACINGS = ("↑n", "↗ne", "↘se", "↓s", "↙sw", "↖nw")  # clockwise from north
MARGIN = 3  # columns for the numbers of rows
CELL, WIDE = 4, 6  # columns of a hex: at least, and where there is room
CLEAR, FOREST, BETWEEN = "·", "♣", "≈"
ACTING, MORE = "*", "+"

Words = dict[str, str]


def draw(scene: Scene, width: int, key: tuple[str, ...], words: Words) -> list[Line]:
    """The map, what its signs mean, and the pieces."""
    lines = [*_Map(scene, width).lines(), *flow(_legend(scene, words), width)]
    lines += _roster(scene, width, key, words)
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
        self.initials = initials(mark for piece in scene.pieces for mark in piece.marks)
        self.here: dict[str, list[Piece]] = {}
        for piece in scene.pieces:
            self.here.setdefault(piece.place, []).append(piece)
        longest = max(map(len, self.codes.values()), default=0)
        least = max(CELL, longest + longest % 2)
        self.columns = max((area.column + 1 for area in self.hexes.values()), default=0)
        parts = -(-self.columns // max(1, _fitting(width, least)))
        self.part = -(-self.columns // max(1, parts))  # columns drawn side by side
        self.cell = WIDE if least < WIDE and _fitting(width, WIDE) >= self.part else least

    def lines(self) -> list[Line]:
        lines = []
        for first in range(0, self.columns, max(1, self.part)):
            lines += [*([Text()] if first else []), *self._part(first)]
        for a, b, what in self.scene.lines:
            if not self._is_border(a, b):
                lines += flow([Text(f"{a} {BETWEEN} {b}: {what}", style=WATER)], self.width)
        return lines

    def _part(self, first: int) -> list[Line]:
        last = min(first + self.part, self.columns)
        heads = Text(" " * (MARGIN + self.cell // 2 - 1), style="dim")
        heads.append("".join(f"{column:02}".ljust(self.cell) for column in range(first, last)).rstrip())
        lines = [heads]
        areas = sorted(self.scene.areas, key=lambda area: (area.row, area.column))
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
            for line, text in zip(lines, self._hex(area), strict=True):
                _put(line, self._left(area) - first * self.cell, text)
        return lines

    def _left(self, area: Area) -> int:
        """Where a hex begins on the whole map."""
        return MARGIN + area.column * self.cell + area.row % 2 * (self.cell // 2)

    def _hex(self, area: Area) -> tuple[Text, Text]:
        ground = _ground(area)
        style = "green" if FOREST in ground else "yellow" if ground else "dim"
        pieces = self.here.get(area.id)
        if not pieces:
            return Text(f" {ground or CLEAR}", style=style), Text()
        piece = next((piece for piece in pieces if piece.acting), pieces[0])
        marks = "".join(self.initials[mark] for mark in piece.marks)
        marks += ACTING * piece.acting + MORE * (len(pieces) > 1)
        seen = (SIGNS[piece.side % len(SIGNS)] + _arrow(piece) + marks)[: self.cell - bool(ground)]
        colour = STYLES[piece.side % len(STYLES)] + " reverse" * piece.acting
        above = Text.assemble((seen, f"bold {colour}"), (ground, style))
        return above[: self.cell], Text(self.codes[piece.id], style=colour)

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
        for a, b, _ in self.scene.lines:
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


def _fitting(width: int, cell: int) -> int:
    """How many hexes of ``cell`` columns stand side by side."""
    return (width - MARGIN - cell // 2) // cell


def _put(line: Line, x: int, text: Text) -> None:
    if text:
        line.append(" " * (x - line.cell_len))
        line.append_text(text)


def _ground(area: Area) -> str:
    return FOREST * (area.ground == "forest") + (str(area.level) if area.level else "")


def _arrow(piece: Piece) -> str:
    return FACINGS[piece.heading // 60 % 6][0] if piece.heading is not None else ""


# --- below it ------------------------------------------------------------------------------------


def _legend(scene: Scene, words: Words) -> list[Text]:
    """What the signs mean of which there are any."""
    levels = sorted({area.level for area in scene.areas if area.level})
    places = [piece.place for piece in scene.pieces]
    hexes = {area.id for area in scene.areas if area.width == 1}
    letters = initials(mark for piece in scene.pieces for mark in piece.marks)
    signs = [
        (FOREST, words["forest"] if any(area.ground == "forest" for area in scene.areas) else ""),
        (" ".join(map(str, levels)), words["height"] if levels else ""),
        (BETWEEN, " / ".join(dict.fromkeys(what for _, _, what in scene.lines))),
        *((letter, mark) for mark, letter in letters.items()),
        (ACTING, words["acting"] if any(piece.acting for piece in scene.pieces) else ""),
        (MORE, words["more"] if any(place in hexes and places.count(place) > 1 for place in places) else ""),
    ]
    chunks = [Text(" ".join(FACINGS))] if any(piece.heading is not None for piece in scene.pieces) else []
    chunks += [Text(f"· {shown} {text}") for shown, text in signs if text]
    for chunk in chunks:
        chunk.stylize("dim")
    return chunks


def _roster(scene: Scene, width: int, key: tuple[str, ...], words: Words) -> list[Line]:
    """The pieces by group and order, those of a kind on a line."""
    short = codes(scene.pieces)
    groups: dict[tuple[int, str, str], dict[tuple[str, ...], list[Piece]]] = {}
    for piece in scene.pieces:
        _, number = split_id(piece.id)
        label = piece.label.removesuffix(number).rstrip() if number else piece.label
        code = short[piece.id].removesuffix(number)
        kinds = groups.setdefault((piece.side, piece.group, piece.badge), {})
        kinds.setdefault((code, label, *figures(piece, key)), []).append(piece)
    lines = []
    for (side, group, badge), kinds in groups.items():
        style = STYLES[side % len(STYLES)]
        name = group or (scene.sides[side] if side < len(scene.sides) else "")
        head = [sign(side), Text(name, style="bold"), Text(f"[{badge}]" if badge else "", style="bold")]
        lines += flow([chunk for chunk in head if chunk], width)
        for (code, *said), pieces in kinds.items():
            chunks = [Text(f"  {code}", style=style), Text(" ".join(said) + words["colon"])]
            lines += flow([*chunks, *(_entry(piece, words) for piece in pieces)], width, 5)
    return lines


def _entry(piece: Piece, words: Words) -> Text:
    """``livius-2 0311↑ disordered``, with a space behind it."""
    style = STYLES[piece.side % len(STYLES)] + " reverse" * piece.acting
    where = Text((piece.place or words["off"]) + _arrow(piece))
    hidden = [Text(f"({words['unseen']})", style="italic")] if piece.hidden else []
    chunks = [Text(ACTING * piece.acting + piece.id, style=style), where, *hidden, *condition(piece, words)]
    return Text.assemble(Text(" ").join(chunks), " ")
