"""Fortresses as pictures: for a terminal, one section to a pair of signs, and as SVG; the front is above."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import ceil

import shapely
from shapely import Polygon

from .design import named
from .fortress import Fortress, Piece
from .sorts import CORNER, GATE, STONE, TOWER, WALL, WOOD
from .state import SECTION

SIGNS = {WALL: "▒▒", CORNER: "▓▓", TOWER: "██", GATE: "╌╌"}  # the gate is the opening in its wall
EDGE, NOTHING = "══", "  "
FILLS = {WOOD: "#9a7340", STONE: "#80858c"}
OPENING, FLOOR, LINE = "#4f3414", "#efe8d6", "#2d2a26"
MARGIN = SECTION


def sketched(fortress: Fortress) -> str:
    """The plan in signs, a line for every row of sections."""
    west, north, east, south = fortress.bounds
    columns, rows = ceil((east - west) / SECTION), ceil((south - north) / SECTION)
    signs = [[NOTHING] * columns for _ in range(rows)]
    for piece in fortress.pieces:
        _mark(signs, piece.shape, SIGNS[WALL if piece.kind == GATE else piece.kind], west, north)
        if piece.opening is not None:
            _mark(signs, piece.opening, SIGNS[GATE], west, north)
    lines = ["".join(row).rstrip() for row in signs]
    if fortress.edge:
        lines.append(EDGE * columns)
    return "\n".join(lines)


def _mark(signs: list[list[str]], shape: Polygon, sign: str, west: int, north: int) -> None:
    """Put a sign wherever the middle of a section is covered."""
    x1, y1, x2, y2 = shape.bounds
    for row in range(int(y1 - north) // SECTION, ceil((y2 - north) / SECTION)):
        for column in range(int(x1 - west) // SECTION, ceil((x2 - west) / SECTION)):
            x, y = west + (column + 0.5) * SECTION, north + (row + 0.5) * SECTION
            if shapely.contains_xy(shape, x, y):
                signs[row][column] = sign


def drawn(fortress: Fortress, lang: str = "en") -> str:
    """The plan as an SVG document; a unit of its grid is a hundredth of a DU."""
    west, north, east, south = fortress.bounds
    box = f"{west - MARGIN} {north - MARGIN} {east - west + 2 * MARGIN} {south - north + 2 * MARGIN}"
    title = escape(fortress.name_fr if lang == "fr" else fortress.name)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img">',
        f"<title>{title}</title>",
    ]
    if not fortress.floor.is_empty:
        floor = _points(list(fortress.floor.exterior.coords)[:-1])
        parts.append(f'<polygon points="{floor}" fill="{FLOOR}"/>')
    parts += [_piece(piece, lang) for piece in fortress.pieces]
    if fortress.edge:
        parts.append(
            f'<line x1="{west - MARGIN}" y1="{south}" x2="{east + MARGIN}" y2="{south}" '
            f'stroke="{LINE}" stroke-width="6" stroke-dasharray="20 10"/>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _piece(piece: Piece, lang: str) -> str:
    shape = f'<polygon points="{_points(piece.outline)}" fill="{FILLS[piece.material]}"/>'
    if piece.opening is not None:
        gate = _points(list(piece.opening.exterior.coords)[:-1])
        shape += f'<polygon points="{gate}" fill="{OPENING}"/>'
    title = escape(f"{named(piece.id, lang)} ({named(piece.sort.id, lang)})")
    return f'<g stroke="{LINE}" stroke-width="2"><title>{title}</title>{shape}</g>'


def _points(points: Iterable[tuple[float, ...]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
