"""An open table seen from above, and below it a list that says the same in figures.

A row is twice as high as a column is wide, as the cells of a terminal are; numbers along the edges stand
where that unit of distance begins.  A card is drawn with its side's sign, filled in its front half and empty
in its rear half, and on it a tag with an arrow: ``H1↗`` is the first of the hastati, facing north-east.  Odd
sides have small letters.  The list gives every position exactly: it is enough to play from.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import ceil, cos, dist, floor, radians, sin

from rich.text import Text

from ..model import Area, Piece, Scene
from .ink import SIGNS, STYLES, Line
from .listed import ACTING, GROUNDS, OTHER, REARS, STATES, UNIT, XY, arrow, kind_of, middle_of, tags, tell

SCALES = (4, 3, 2, 1)  # columns to a unit of distance
COUNTED = {4: (1, 1), 3: (1, 2), 2: (2, 1), 1: (5, 2)}  # every which unit has its number, across and down
MARGIN = 3  # columns for the numbers of rows and the left edge
FRAME = MARGIN + 2  # and for the right edge and the end of the last number
POINT = "·"
THIN = 0.6  # the part of a shape that must be seen, or cells are drawn of which it covers less than half
SHARES = (0.5, 0.35, 0.2, 0.01)
SAMPLES = (5, 12)  # in a cell, across and down
TINY = 1e-6

Cell = tuple[int, int]  # row and column
Corners = tuple[XY, ...]


def draw(scene: Scene, width: int, lang: str) -> list[Line]:
    """The table, what its signs mean, and everything on it as a list."""
    lines = [*_Table(scene, width).lines(), *tell(scene, width, lang)]
    for line in lines:
        line.rstrip()
    return lines


# --- the table -----------------------------------------------------------------------------------


class _Table:
    """Cells with a sign each: ground, then structures, then cards, then what is written on them."""

    def __init__(self, scene: Scene, width: int) -> None:
        self.scene = scene
        wide, high = scene.size
        room = (width - FRAME) * UNIT
        self.scale = next((scale for scale in SCALES if wide * scale <= room), 0)
        if not (wide and high):
            self.scale = 0
        step = UNIT / max(self.scale, 1)
        self.step = (step, 2 * step)  # width and height of a cell
        self.columns, self.rows = ceil(wide / step - TINY), ceil(high / (2 * step) - TINY)
        self.cells: dict[Cell, tuple[str, str]] = {}
        self.written: set[Cell] = set()
        self.tags = tags(scene.pieces)

    def lines(self) -> list[Line]:
        """Nothing if there is not even a column for each unit of distance: the list says it all."""
        if not self.scale:
            return []
        self._points()
        for area in sorted(self.scene.areas, key=lambda area: area.heading is not None):
            if area.outline:
                self._area(area)
        places = {area.id for area in self.scene.areas}
        on = [piece for piece in self.scene.pieces if piece.pose]
        own = {piece.id: self._seen(card(piece, self.step[0] / 10)) for piece in on}
        for piece in on:
            if piece.place not in places:
                self._fill(piece, own[piece.id])
        for piece in sorted(on, key=lambda piece: not piece.acting):
            self._write(piece, own[piece.id])
        return list(self._framed())

    def _cell(self, place: XY) -> Cell:
        return cell_of(place, self.step)

    def _middle(self, cell: Cell) -> XY:
        return place_in(cell, self.step)

    def _is_on(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def _points(self) -> None:
        """A point for every whole unit of distance."""
        across, down = COUNTED[self.scale]
        wide, high = (size // UNIT + 1 for size in self.scene.size)
        for x, y in product(range(0, wide, across), range(0, high, down)):
            self.cells[self._cell((x * UNIT, y * UNIT))] = (POINT, "dim")

    def _seen(self, corners: Corners) -> list[Cell]:
        return [cell for cell in seen(corners, self.step) if self._is_on(cell)]

    def _area(self, area: Area) -> None:
        mark = GROUNDS.get(kind_of(area), (OTHER, "dim"))
        state = next((STATES[name] for name in area.states if name in STATES), mark)
        for row, column in self._seen(area.outline):
            self.cells[row, column] = state if (row + column) % 2 else mark

    def _fill(self, piece: Piece, cells: list[Cell]) -> None:
        assert piece.pose is not None
        x, y, turn = piece.pose
        front, style = SIGNS[piece.side % len(SIGNS)], STYLES[piece.side % len(STYLES)]
        for cell in cells:
            there = self._middle(cell)
            ahead = (there[0] - x) * sin(radians(turn / 10)) - (there[1] - y) * cos(radians(turn / 10))
            self.cells[cell] = (front if ahead > -TINY else REARS[front], style)

    def _write(self, piece: Piece, own: list[Cell]) -> None:
        """Its tag and where it faces, on the card if there is room, and on no other tag."""
        assert piece.pose is not None
        text = self.tags[piece.id] + (arrow(piece.pose[2]) if self.scale > 1 else "")
        text += ACTING * (piece.acting and self.scale > 2)
        middle = self._cell((piece.pose[0], piece.pose[1]))
        style = f"bold {STYLES[piece.side % len(STYLES)]}" + " reverse" * piece.acting
        rows = range(min((middle, *own))[0] - 1, max((middle, *own))[0] + 2)
        starts = range(middle[1] - 2 * len(text), middle[1] + len(text) + 1)
        spans = [[(row, start + i) for i in range(len(text))] for row, start in product(rows, starts)]
        on = [span for span in spans if all(map(self._is_on, span))]
        if not on:
            return

        def price(span: list[Cell]) -> float:
            hidden, foreign = len(self.written.intersection(span)), len(set(span).difference(own))
            there = self._middle(span[0])[0] + self._middle(span[-1])[0], 2 * self._middle(span[0])[1]
            aside = dist(there, (2 * self._middle(middle)[0], 2 * self._middle(middle)[1])) / self.step[0]
            return 100 * hidden + 10 * foreign + aside

        best = min(on, key=price)
        for cell, character in zip(best, text, strict=True):
            self.cells[cell] = (character, style)
            self.written.add(cell)

    def _framed(self) -> Iterator[Line]:
        across, down = COUNTED[self.scale]
        wide, high = self.scene.size
        ticks = {x * self.scale: str(x) for x in range(0, wide // UNIT + 1, across)}
        sides = {self._cell((0, y * UNIT))[0]: str(y) for y in range(0, high // UNIT + 1, down)}
        numbers = Text(style="dim")
        for column, text in ticks.items():
            numbers.append(" " * (MARGIN + column - numbers.cell_len) + text)
        edge = ["┴" if column in ticks else "─" for column in range(self.columns)]
        yield numbers
        yield Text("  ┌" + "".join(edge).replace("┴", "┬") + "┐", style="dim")
        for row in range(self.rows):
            line = Text.assemble((f"{sides.get(row, ''):>2}{'├' if row in sides else '│'}", "dim"))
            for column in range(self.columns):
                line.append(*self.cells.get((row, column), (" ", "")))
            yield Text.assemble(line, ("┤" if row in sides else "│", "dim"))
        yield Text(f"{sides.get(self.rows, ''):>2}└" + "".join(edge) + "┘", style="dim")
        yield numbers


# --- shapes in cells -----------------------------------------------------------------------------


def cell_of(place: XY, step: XY) -> Cell:
    return floor(place[1] / step[1] + TINY), floor(place[0] / step[0] + TINY)


def place_in(cell: Cell, step: XY, across: float = 0.5, down: float = 0.5) -> XY:
    """The middle of a cell, or another place in it."""
    return (cell[1] + across) * step[0], (cell[0] + down) * step[1]


def card(piece: Piece, inset: float) -> Corners:
    """A little smaller than it is, so that a gap between two cards is seen."""
    assert piece.pose is not None
    x, y, turn = piece.pose
    half, deep = (max(size / 2 - inset, 1) for size in piece.size)
    s, c = sin(radians(turn / 10)), cos(radians(turn / 10))
    offsets = ((-half, deep), (half, deep), (half, -deep), (-half, -deep))
    return tuple((x + along * c + ahead * s, y + along * s - ahead * c) for along, ahead in offsets)


@lru_cache(maxsize=1000)
def seen(corners: Corners, step: XY) -> list[Cell]:
    """The cells whose middles it covers; if it is too thin for that, those of which it covers the most."""
    xs, ys = zip(*corners, strict=True)
    (top, left), (bottom, right) = cell_of((min(xs), min(ys)), step), cell_of((max(xs), max(ys)), step)
    box = list(product(range(top, bottom + 1), range(left, right + 1)))
    enough = THIN * _surface(corners) / (step[0] * step[1])
    found = [cell for cell in box if _covers(corners, place_in(cell, step))]
    if found and len(found) >= enough:
        return found
    shares = {cell: _share(corners, cell, step) for cell in box}
    for least in SHARES:
        found = [cell for cell, share in shares.items() if share >= least]
        if found and len(found) >= enough:
            return found
    return found or [cell_of(middle_of(corners), step)]


def _share(corners: Corners, cell: Cell, step: XY) -> float:
    """How much of a cell it covers."""
    across, down = ([(n + 0.5) / number for n in range(number)] for number in SAMPLES)
    hits = [_covers(corners, place_in(cell, step, x, y)) for x, y in product(across, down)]
    return sum(hits) / len(hits)


def _edges(corners: Corners) -> Iterator[tuple[XY, XY]]:
    return zip(corners, (*corners[1:], *corners[:1]), strict=True)


def _covers(corners: Corners, place: XY) -> bool:
    """Whether a place is inside: a line to the east crosses an odd number of edges."""
    x, y = place
    crossed = [(ax, ay, bx, by) for (ax, ay), (bx, by) in _edges(corners) if (ay > y) != (by > y)]
    return sum(x < ax + (y - ay) * (bx - ax) / (by - ay) for ax, ay, bx, by in crossed) % 2 == 1


def _surface(corners: Corners) -> float:
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in _edges(corners))) / 2
