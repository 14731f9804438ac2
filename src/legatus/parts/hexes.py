"""Maps of hexes, corner up, odd rows half a hex further east.

Axial coordinates (q, r) inside: r is the row from the north, q counts eastwards along it, and a step in one
of the six DIRECTIONS adds a fixed pair.  A hex is told by the number of its cell, row by row; people write
its column and its row in two digits each: 0511.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

DIRECTIONS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))  # NE, E, SE, SW, W, NW
SIDES = 6
OFF = -1  # no cell: beyond the edge
FRONT, FLANK, REAR = 0, 1, 2

# Who faces a corner faces corner k, between directions k and k + 1: 2 is south, 5 is north.
CORNERS = ("ne", "se", "s", "sw", "nw", "n")
ANGLES = (FRONT, FRONT, FLANK, REAR, REAR, FLANK)  # by direction, counted from the one left of the corner


def angle(corner: int, direction: int) -> int:
    """From where somebody who faces ``corner`` sees what lies in ``direction``: FRONT, FLANK or REAR."""
    return ANGLES[(direction - corner) % SIDES]


def turn(corner: int, other: int) -> int:
    """The corners between two facings, the short way round."""
    apart = (other - corner) % SIDES
    return min(apart, SIDES - apart)


def heading(corner: int) -> int:
    """Degrees clockwise from north."""
    return (corner + 1) % SIDES * 60


class Grid:
    """A rectangle of hexes."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.size = columns * rows
        self.axial = tuple((n % columns - n // columns // 2, n // columns) for n in range(self.size))
        self.names = tuple(f"{n % columns:02}{n // columns:02}" for n in range(self.size))
        self.cells = {name: n for n, name in enumerate(self.names)}
        self._distances: tuple[tuple[int, ...], ...] | None = None
        self.neighbours = tuple(
            tuple(self.at(q + dq, r + dr) for dq, dr in DIRECTIONS) for q, r in self.axial
        )

    def at(self, q: int, r: int) -> int:
        """The cell at axial coordinates, or OFF."""
        column = q + r // 2
        inside = 0 <= r < self.rows and 0 <= column < self.columns
        return r * self.columns + column if inside else OFF

    def row(self, cell: int) -> int:
        return cell // self.columns

    def column(self, cell: int) -> int:
        return cell % self.columns

    @property
    def distances(self) -> tuple[tuple[int, ...], ...]:
        """The hexes from each cell to each."""
        if self._distances is None:
            self._distances = tuple(tuple(_apart(a, b) for b in self.axial) for a in self.axial)
        return self._distances

    def distance(self, a: int, b: int) -> int:
        return self.distances[a][b]

    def direction(self, a: int, b: int) -> int:
        """In which direction ``b`` lies next to ``a``; OFF if it does not."""
        return self.neighbours[a].index(b) if b in self.neighbours[a] else OFF

    def ring(self, centre: int, radius: int) -> list[int]:
        """The cells at a distance, as far as they are on the map."""
        return [cell for cell, apart in enumerate(self.distances[centre]) if apart == radius]

    def line(self, a: int, b: int) -> list[int]:
        """A straight line of cells from one to the other, with both.

        Where it runs between two cells it keeps to one of both sides, to one that is on the map.
        """
        for aside in (1e-6, -1e-6):
            cells = self._line(a, b, aside)
            if OFF not in cells:
                break
        return cells

    def _line(self, a: int, b: int, aside: float) -> list[int]:
        n = self.distance(a, b)
        (q1, r1), (q2, r2) = self.axial[a], self.axial[b]
        steps = ((q1 + (q2 - q1) * i / n + aside, r1 + (r2 - r1) * i / n + 2 * aside) for i in range(1, n))
        return [a, *(self.at(*_rounded(q, r)) for q, r in steps), b] if n else [a]


def _apart(a: tuple[int, int], b: tuple[int, int]) -> int:
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def _rounded(q: float, r: float) -> tuple[int, int]:
    """The hex in which a point lies."""
    s = -q - r
    a, b, c = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(a - q), abs(b - r), abs(c - s)
    if off_q > off_r and off_q > off_s:
        a = -b - c
    elif off_r > off_s:
        b = -a - c
    return a, b


@cache
def grid(columns: int, rows: int) -> Grid:
    return Grid(columns, rows)


def field(
    around: Sequence[Sequence[int]],
    prices: Sequence[Sequence[int]],
    start: int,
    budget: int,
    barred: Sequence[int],
) -> dict[int, int]:
    """The least price at which each cell can be reached from ``start`` within ``budget``.

    ``prices[cell][direction]`` is what a step costs, at least 1; where ``barred`` is true nobody enters.
    """
    best = {start: 0}
    open_at: list[list[int]] = [[] for _ in range(budget + 1)]
    open_at[0].append(start)
    for spent, here in enumerate(open_at):
        for cell in here:
            if best[cell] < spent:
                continue
            for to, price in zip(around[cell], prices[cell], strict=True):
                total = spent + price
                if to >= 0 and total <= budget and not barred[to] and total < best.get(to, budget + 1):
                    best[to] = total
                    open_at[total].append(to)
    return best
