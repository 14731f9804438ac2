"""Areas as boxes on a grid.  A terminal too narrow for boxes gets a list of areas instead."""

from __future__ import annotations

from rich.text import Text

from ..model import SEGMENT, Area, Scene
from .ink import WATER, Line, flow, piece_line

GROUND_STYLES = (
    ("wood", "green"),
    ("forest", "green"),
    ("hill", "yellow"),
    ("height", "yellow"),
    ("marsh", "cyan"),
    ("rock", "bright_black"),
    ("crevasse", "magenta"),
)
NARROWEST = 13  # characters of text in a box, below which areas are listed
ABREAST = 25  # characters that a piece needs to stand beside another in a wide area
LABELLED = 24  # characters of text in a box, from which on an area's name stands beside its id

# Which of up, down, left, right a corner joins, as bits 8, 4, 2, 1.
_CORNERS = " ╶╴─╷┌┐┬╵└┘┴│├┤┼"


class Board:
    """Areas as boxes: rows share their borders, and what lies between two areas is drawn on the border."""

    def __init__(self, scene: Scene, width: int, key: tuple[str, ...], words: dict[str, str]) -> None:
        self.scene, self.width, self.key, self.words = scene, width, key, words
        self.areas = [area for area in scene.areas if area.ground != SEGMENT]
        self.columns = max((a.column + a.width for a in self.areas), default=1)
        self.rows: dict[int, list[Area]] = {}
        for area in sorted(self.areas, key=lambda a: (a.row, a.column)):
            self.rows.setdefault(area.row, []).append(area)
        self.top = next((row[0].side for row in self.rows.values()), None)  # whose pieces stand above

    def lines(self) -> list[Line]:
        if not self.rows:
            return []
        if (self.width - 1) // self.columns - 2 < NARROWEST:
            return self._listed()
        lines: list[Line] = []
        above: list[Area] = []
        for row in self.rows.values():
            lines += [self._border(above, row), *self._row(row)]
            above = row
        lines.append(self._border(above, []))
        for a, b, what in self.scene.lines:
            if not self._is_drawn(a, b):
                lines.append(Text(f"{a} ≈ {b}: {what}", style=WATER))
        return lines

    def _edge(self, column: int) -> int:
        return column * (self.width - 1) // self.columns

    def _span(self, area: Area) -> tuple[int, int]:
        return self._edge(area.column), self._edge(area.column + area.width)

    def _contents(self, area: Area, width: int) -> list[Line]:
        head = [Text(area.id, style="bold")]
        if area.label not in ("", area.id) and width >= LABELLED:
            head.append(Text(area.label))
        style = next((s for word, s in GROUND_STYLES if word in area.ground), "dim")
        head += [Text(mark, style=style) for mark in area.marks]
        here = [piece for piece in self.scene.pieces if piece.place == area.id]
        here.sort(key=lambda piece: piece.side != self.top)
        pieces = [piece_line(piece, self.key, self.words) for piece in here]
        return flow(head, width) + _abreast(pieces, width, area.width)

    def _listed(self) -> list[Line]:
        """Areas one below the other, for narrow terminals."""
        lines = []
        for row in self.rows.values():
            for area in row:
                lines += [Text("─" * self.width, style="dim"), *self._contents(area, self.width)]
        for a, b, what in self.scene.lines:
            lines += flow([Text(f"{a} ≈ {b}: {what}", style=WATER)], self.width)
        return lines

    def _row(self, row: list[Area]) -> list[Line]:
        cells = []
        for area in row:
            left, right = self._span(area)
            cells.append((left, right, self._contents(area, right - left - 2)))
        height = max(len(contents) for _, _, contents in cells)
        lines = []
        for i in range(height):
            line = Text()
            for left, right, contents in cells:
                if line.cell_len <= left:
                    line.append(" " * (left - line.cell_len) + "│", style="dim")
                line.append(" ")
                if i < len(contents):
                    line.append_text(contents[i])
                line.append(" " * (right - line.cell_len))
                line.append("│", style="dim")
            lines.append(line)
        return lines

    def _border(self, above: list[Area], below: list[Area]) -> Line:
        upper, lower = [self._span(a) for a in above], [self._span(a) for a in below]
        spans = upper + lower
        line = Text(style="dim")
        for x in range(self.width):
            joins = 8 * any(x in span for span in upper) + 4 * any(x in span for span in lower)
            joins += 2 * any(a < x <= b for a, b in spans) + any(a <= x < b for a, b in spans)
            line.append(_CORNERS[joins])
        line.rstrip()
        for a in above:
            for b in below:
                what = self._between(a.id, b.id)
                if what is not None:
                    left = max(self._span(a)[0], self._span(b)[0])
                    right = min(self._span(a)[1], self._span(b)[1])
                    line = _overlay(line, left + 1, right, what)
        return line

    def _between(self, a: str, b: str) -> str | None:
        return next((what for x, y, what in self.scene.lines if {x, y} == {a, b}), None)

    def _is_drawn(self, a: str, b: str) -> bool:
        rows = list(self.rows)
        index = {area.id: rows.index(area.row) for area in self.areas}
        if a not in index or b not in index or abs(index[a] - index[b]) != 1:
            return False
        one, two = (self._span(area) for area in self.areas if area.id in (a, b))
        return max(one[0], two[0]) < min(one[1], two[1])


def _overlay(line: Line, left: int, right: int, what: str) -> Line:
    """``what`` lies on this part of a border: ≈≈ river ≈≈."""
    room = right - left
    label = f" {what} " if what and len(what) + 4 <= room else what[: max(room, 0)]
    drawn = Text(label.center(room, "≈") if room > 0 else "", style=f"not dim {WATER}")
    before, _, after = line.divide([left, right]) if right < line.cell_len else (*line.divide([left]), Text())
    return Text.assemble(before, drawn, after)


def _abreast(pieces: list[list[Text]], width: int, columns: int) -> list[Line]:
    """Pieces one below the other or, in an area of several columns, beside each other."""
    columns = max(1, min(columns, width // ABREAST, len(pieces)))
    room = width // columns
    lines: list[Line] = []
    for first in range(0, len(pieces), columns):
        cells = [flow(chunks, room - (columns > 1)) for chunks in pieces[first : first + columns]]
        for i in range(max(map(len, cells))):
            line = Text()
            for n, cell in enumerate(cells):
                line.append(" " * (n * room - line.cell_len))
                line.append_text(cell[i] if i < len(cell) else Text())
            lines.append(line)
    return lines
