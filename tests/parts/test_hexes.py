"""Maps of hexes: neighbours, distances, rings, lines, fields of movement, facings and names."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from math import atan2, cos, degrees, isclose, pi, sin, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legatus.parts.hexes import (
    CORNERS,
    DIRECTIONS,
    FLANK,
    FRONT,
    OFF,
    REAR,
    SIDES,
    Grid,
    _rounded,
    angle,
    field,
    grid,
    heading,
    turn,
)

SIZES = st.tuples(st.integers(1, 9), st.integers(1, 9))


@st.composite
def maps(draw: st.DrawFn, cells: int = 1) -> tuple[Grid, ...]:
    """A small map, and so many of its cells."""
    field = grid(*draw(SIZES))
    return (field, *(draw(st.integers(0, field.size - 1)) for _ in range(cells)))


def centre(g: Grid, cell: int) -> tuple[float, float]:
    """Where the middle of a hex is on paper, y growing to the south; neighbours are 1 apart."""
    column, row = cell % g.columns, cell // g.columns
    return column + (row % 2) / 2, row * sqrt(3) / 2


def walks(g: Grid, start: int) -> dict[int, int]:
    """The steps from ``start`` to every cell, by walking."""
    found, queue = {start: 0}, deque([start])
    while queue:
        cell = queue.popleft()
        for to in g.neighbours[cell]:
            if to != OFF and to not in found:
                found[to] = found[cell] + 1
                queue.append(to)
    return found


# --- neighbours ----------------------------------------------------------------------------------


@given(maps(1))
def test_neighbours_are_what_lies_one_apart_on_paper_in_that_direction(drawn: tuple) -> None:
    """NE, E, SE, SW, W and NW, that is 30, 90 ... degrees clockwise from north."""
    g, cell = drawn
    x, y = centre(g, cell)
    on_paper = {(round(a, 3), round(b, 3)): n for n in range(g.size) for a, b in [centre(g, n)]}
    for direction, to in enumerate(g.neighbours[cell]):
        bearing = (30 + 60 * direction) * pi / 180
        spot = (round(x + sin(bearing), 3), round(y - cos(bearing), 3))
        assert to == on_paper.get(spot, OFF)


@given(maps(2))
def test_neighbours_are_mutual_and_lie_in_opposite_directions(drawn: tuple) -> None:
    g, a, b = drawn
    assert len(g.neighbours[a]) == SIDES
    for direction, to in enumerate(g.neighbours[a]):
        if to != OFF:
            assert g.neighbours[to][(direction + 3) % SIDES] == a
            assert g.direction(a, to) == direction
    if b not in g.neighbours[a]:
        assert g.direction(a, b) == OFF
    assert g.direction(a, a) == OFF


def test_inside_a_map_there_are_six_and_in_a_corner_two_or_three() -> None:
    g = grid(5, 5)
    assert sum(n != OFF for n in g.neighbours[12]) == 6
    assert [g.names[n] for n in g.neighbours[0] if n != OFF] == ["0100", "0001"]
    assert [g.names[n] for n in g.neighbours[9] if n != OFF] == ["0402", "0301", "0400"]


# --- names and coordinates -----------------------------------------------------------------------


@given(maps(1))
def test_names_are_column_and_row_and_lead_back(drawn: tuple) -> None:
    g, cell = drawn
    assert g.names[cell] == f"{g.column(cell):02}{g.row(cell):02}"
    assert g.cells[g.names[cell]] == cell
    assert len(set(g.names)) == g.size == g.columns * g.rows
    assert g.at(*g.axial[cell]) == cell


@given(SIZES, st.integers(-12, 12), st.integers(-12, 12))
def test_coordinates_beyond_the_edge_are_off(size: tuple[int, int], q: int, r: int) -> None:
    g = grid(*size)
    assert g.at(q, r) == (g.axial.index((q, r)) if (q, r) in g.axial else OFF)


# --- distance ------------------------------------------------------------------------------------


@given(maps(1))
def test_the_distance_is_the_steps_of_the_shortest_walk(drawn: tuple) -> None:
    """On a rectangle the shortest walk never needs to leave the map."""
    g, start = drawn
    assert walks(g, start) == {cell: g.distance(start, cell) for cell in range(g.size)}


@given(maps(3))
def test_the_distance_is_a_metric(drawn: tuple) -> None:
    g, a, b, c = drawn
    assert (g.distance(a, b) == 0) == (a == b)
    assert g.distance(a, b) == g.distance(b, a)
    assert g.distance(a, c) <= g.distance(a, b) + g.distance(b, c)
    assert (g.distance(a, b) == 1) == (b in g.neighbours[a])


def test_some_distances_by_hand() -> None:
    g = grid(22, 16)
    for a, b, apart in [("0505", "0505", 0), ("0505", "0905", 4), ("0505", "0511", 6), ("0000", "2115", 29)]:
        assert g.distance(g.cells[a], g.cells[b]) == apart


@given(maps(1), st.integers(0, 12))
def test_a_ring_is_all_that_is_so_far_away(drawn: tuple, radius: int) -> None:
    g, cell = drawn
    ring = g.ring(cell, radius)
    assert len(set(ring)) == len(ring)
    assert set(ring) == {to for to in range(g.size) if g.distance(cell, to) == radius}


@pytest.mark.parametrize("radius", range(1, 5))
def test_a_ring_inside_the_map_has_six_times_its_radius(radius: int) -> None:
    g = grid(11, 11)
    assert len(g.ring(g.cells["0505"], radius)) == 6 * radius
    assert g.ring(g.cells["0505"], 0) == [g.cells["0505"]]


# --- lines ---------------------------------------------------------------------------------------


def check_line(g: Grid, a: int, b: int) -> None:
    line = g.line(a, b)
    assert (line[0], line[-1]) == (a, b)
    assert len(line) == g.distance(a, b) + 1
    assert OFF not in line
    assert all(g.distance(one, two) == 1 for one, two in pairwise(line))
    # straight: no middle is farther than the inner half of a hex and a hair from the line on paper
    (x1, y1), (x2, y2) = centre(g, a), centre(g, b)
    for cell in line[1:-1]:
        x, y = centre(g, cell)
        off = abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / sqrt((x2 - x1) ** 2 + (y2 - y1) ** 2)
        assert off < 1 / sqrt(3) + 1e-4


@given(maps(2))
def test_a_line_goes_straight_step_by_step_and_stays_on_the_map(drawn: tuple) -> None:
    g, a, b = drawn
    check_line(g, a, b)


@pytest.mark.parametrize("size", [(1, 9), (2, 2), (2, 7), (7, 2), (3, 6), (6, 5), (2, 12)])
def test_every_line_of_a_small_map(size: tuple[int, int]) -> None:
    g = grid(*size)
    for a in range(g.size):
        for b in range(g.size):
            check_line(g, a, b)


@given(st.floats(-4, 4), st.floats(-4, 4))
def test_a_point_lies_in_the_hex_whose_middle_is_nearest(q: float, r: float) -> None:
    def apart(a: float, b: float) -> float:
        """On paper, squared."""
        x, y = (q - a) + (r - b) / 2, (r - b) * sqrt(3) / 2
        return x * x + y * y

    nearest = min(apart(a, b) for a in range(-6, 7) for b in range(-6, 7))
    assert isclose(apart(*_rounded(q, r)), nearest, abs_tol=1e-9)


@given(st.integers(0, 351), st.integers(0, 351))
def test_lines_of_the_map_of_the_metaurus(a: int, b: int) -> None:
    check_line(grid(22, 16), a, b)


# --- fields --------------------------------------------------------------------------------------


@given(maps(1), st.data())
def test_a_field_is_what_brute_force_finds(drawn: tuple, data: st.DataObject) -> None:
    """All prices are let down again and again until none falls any more."""
    g, start = drawn
    draw, size = data.draw, g.size
    dear = [[draw(st.integers(1, 4)) for _ in range(SIDES)] for _ in range(min(size, 12))]
    prices = [dear[cell % len(dear)] for cell in range(size)]
    barred = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    budget = draw(st.integers(0, 10))
    best = {start: 0}
    while True:
        lower = {
            to: best[cell] + price
            for cell in best
            for to, price in zip(g.neighbours[cell], prices[cell], strict=True)
            if to != OFF and not barred[to] and best[cell] + price <= min(budget, best.get(to, 99) - 1)
        }
        if not lower:
            break
        for to, price in lower.items():
            best[to] = min(price, best.get(to, 99))
    assert field(g.neighbours, prices, start, budget, barred) == best


def test_who_stands_in_a_barred_hex_may_leave_it_and_goes_round_what_is_dear() -> None:
    g = grid(5, 3)
    ones = [[1] * SIDES for _ in range(g.size)]
    barred = [0] * g.size
    start = g.cells["0001"]
    barred[start] = 1
    assert field(g.neighbours, ones, start, 1, barred).keys() == {
        start,
        *(n for n in g.neighbours[start] if n != OFF),
    }
    ones[start] = [1, 9, 9, 9, 9, 9]  # only to the north-east, 0100
    found = field(g.neighbours, ones, start, 3, [0] * g.size)
    assert found[g.cells["0101"]] == 2
    assert g.cells["0002"] not in found
    assert field(g.neighbours, ones, start, 4, [0] * g.size)[g.cells["0002"]] == 4
    assert field(g.neighbours, ones, start, 0, barred) == {start: 0}


# --- facing --------------------------------------------------------------------------------------


def test_the_corners_of_a_hex_and_what_lies_round_them() -> None:
    """MH2.facing, as the rulebook prints it."""
    ways = ("NE", "E", "SE", "SW", "W", "NW")
    table = {
        "ne": ("NE E", "NW SE", "SW W"),
        "se": ("E SE", "NE SW", "W NW"),
        "s": ("SE SW", "E W", "NW NE"),
        "sw": ("SW W", "SE NW", "NE E"),
        "nw": ("W NW", "SW NE", "E SE"),
        "n": ("NW NE", "W E", "SE SW"),
    }
    assert set(table) == set(CORNERS)
    for corner, rows in table.items():
        for kind, row in zip((FRONT, FLANK, REAR), rows, strict=True):
            for way in row.split():
                assert angle(CORNERS.index(corner), ways.index(way)) == kind


@given(st.integers(0, 5), st.integers(0, 5))
def test_the_angle_is_told_by_the_degrees_between(corner: int, direction: int) -> None:
    dq, dr = DIRECTIONS[direction]
    bearing = degrees(atan2(dq + dr / 2, -dr * sqrt(3) / 2)) % 360
    assert isclose(bearing, 30 + 60 * direction)
    apart = abs((bearing - heading(corner) + 180) % 360 - 180)
    assert angle(corner, direction) == (FRONT if apart < 60 else FLANK if apart < 120 else REAR)


@pytest.mark.parametrize(
    ("corner", "degrees_"), [("n", 0), ("ne", 60), ("se", 120), ("s", 180), ("sw", 240), ("nw", 300)]
)
def test_headings_are_degrees_clockwise_from_north(corner: str, degrees_: int) -> None:
    assert heading(CORNERS.index(corner)) == degrees_


@given(st.integers(0, 5), st.integers(0, 5))
def test_a_turn_goes_the_short_way_round(one: int, two: int) -> None:
    apart = abs(heading(one) - heading(two))
    assert turn(one, two) == min(apart, 360 - apart) // 60
    assert turn(one, two) == turn(two, one)
    assert 0 <= turn(one, two) <= 3


def test_a_map_is_made_once() -> None:
    assert grid(7, 4) is grid(7, 4)
