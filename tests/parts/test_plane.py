"""The open table: poses, what a card covers on its way, what it touches."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon

from legatus.parts import plane
from legatus.parts.plane import CORNERS, FRONT, FULL, TOLERANCE, Pose, Size

CARD = Size(176, 88)
SQUARE = [(0.0, 0.0), (200.0, 0.0), (200.0, 200.0), (0.0, 200.0)]
HOOK = [(0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (300.0, 400.0), (300.0, 100.0), (0.0, 100.0)]
poses = st.builds(Pose, st.integers(-500, 500), st.integers(-500, 500), st.integers(0, FULL - 1))
ways = st.tuples(st.integers(-600, 600), st.integers(-600, 600))


def test_a_pose_is_three_whole_numbers_whatever_is_done_to_it() -> None:
    pose = Pose(1000, 900, 123)
    for new in (
        plane.moved(pose, 33.3, 71.7),
        plane.turned(pose, -500),
        plane.wheeled(pose, CARD, 1, 777),
    ):
        assert all(isinstance(number, int) for number in new)
        assert 0 <= new.turn < FULL


@pytest.mark.parametrize(
    ("turn", "end"), [(0, (0, -100)), (900, (100, 0)), (1800, (0, 100)), (2700, (-100, 0))]
)
def test_north_is_0_and_angles_grow_clockwise(turn: int, end: tuple[int, int]) -> None:
    assert plane.moved(Pose(0, 0, turn), 0, 100)[:2] == end


@given(poses, st.sampled_from(CORNERS), st.integers(-900, 900))
def test_a_wheel_keeps_its_corner(pose: Pose, corner: int, tenths: int) -> None:
    new = plane.wheeled(pose, CARD, corner, tenths)
    (x, y), (a, b) = plane.corners(pose, CARD)[corner], plane.corners(new, CARD)[corner]
    assert abs(x - a) < 1
    assert abs(y - b) < 1


@given(poses, st.integers(-500, 500), st.integers(-500, 500))
def test_what_a_card_sees_is_where_it_is(pose: Pose, along: int, ahead: int) -> None:
    seen = plane.seen(pose, plane.at(pose, along, ahead))
    assert seen == pytest.approx((along, ahead), abs=1e-6)


@settings(max_examples=150)
@given(poses, ways, st.sampled_from([SQUARE, HOOK]))
def test_over_says_on_which_parts_of_a_way_a_card_covers_a_shape(
    pose: Pose, way: tuple[int, int], points: list[tuple[float, float]]
) -> None:
    shape = Polygon(points)
    spans = plane.over(pose, CARD, way, points)
    for step in range(21):
        part = step / 20
        card = Polygon(
            [(x + way[0] * part, y + way[1] * part) for x, y in plane.corners(pose, CARD, TOLERANCE)]
        )
        common = card.intersection(shape).area
        if common > 1:
            assert any(low - 1e-9 <= part <= high + 1e-9 for low, high in spans)
        elif card.distance(shape) > 0.01:
            assert not any(low < part < high for low, high in spans)


def test_over_knows_two_woods_with_a_gap_between_them() -> None:
    spans = plane.over(Pose(-300, 50, 900), Size(10, 10), (900, 0), HOOK, 0)
    assert spans == [(pytest.approx(295 / 900), pytest.approx(705 / 900))]
    spans = plane.over(Pose(-300, 200, 900), Size(10, 10), (900, 0), HOOK, 0)
    assert spans == [(pytest.approx(595 / 900), pytest.approx(705 / 900))]
    spans = plane.over(Pose(-300, 50, 900), Size(10, 10), (200, 0), HOOK, 0)
    assert spans == []


def test_a_card_within_a_shape_lies_over_it_all_the_way() -> None:
    assert plane.over(Pose(100, 100), Size(10, 10), (5, 5), SQUARE) == [(0, 1)]
    assert plane.rests_on(Pose(100, 100), Size(10, 10), SQUARE)
    assert not plane.rests_on(Pose(300, 300), Size(10, 10), SQUARE)


def test_flush_is_not_over() -> None:
    assert not plane.rests_on(Pose(100, -44), CARD, SQUARE)
    assert plane.rests_on(Pose(100, -41), CARD, SQUARE)
    assert plane.touches(plane.card(Pose(100, -44), CARD), Polygon(SQUARE))
    assert not plane.touches(plane.card(Pose(100, -47), CARD), Polygon(SQUARE))


@given(poses, st.integers(-1800, 1800))
def test_the_stations_of_a_turn_lead_from_the_start_to_the_end(pose: Pose, tenths: int) -> None:
    stations = plane.stations(pose, CARD, None, tenths)
    assert stations[0] == pose
    assert stations[-1] == plane.turned(pose, tenths)
    assert all(abs(plane.between(a.turn, b.turn)) <= plane.FINE + 1 for a, b in itertools.pairwise(stations))


@given(poses, poses)
def test_the_box_of_a_way_holds_both_ends(pose: Pose, other: Pose) -> None:
    new = Pose(other.x, other.y, pose.turn)
    box = plane.way_box(pose, new, CARD)
    for x, y in (*plane.corners(pose, CARD), *plane.corners(new, CARD)):
        assert box[0] - 1 <= x <= box[2] + 1
        assert box[1] - 1 <= y <= box[3] + 1


def test_boxes_meet_or_not() -> None:
    assert plane.meet((0, 0, 10, 10), (10, 10, 20, 20))
    assert not plane.meet((0, 0, 10, 10), (11, 0, 20, 10))
    assert plane.meet((0, 0, 10, 10), (11, 0, 20, 10), 1)


@given(poses, st.sampled_from([SQUARE, HOOK]))
def test_a_card_lies_on_a_patch_if_its_middle_does(pose: Pose, points: list[tuple[float, float]]) -> None:
    assert plane.lies_on(plane.Patch(points), pose) == plane.contains(Polygon(points), pose)


def test_the_border_of_a_patch_belongs_to_it() -> None:
    assert plane.lies_on(plane.Patch(HOOK), Pose(200, 100))
    assert not plane.lies_on(plane.Patch(HOOK), Pose(200, 101))


@given(poses, st.integers(0, 5))
def test_the_corners_of_a_card_are_seen_from_its_middle(pose: Pose, inset: int) -> None:
    half, deep = CARD.front / 2 - inset, CARD.depth / 2 - inset
    places = ((-half, deep), (half, deep), (half, -deep), (-half, -deep))
    assert plane.corners(pose, CARD, inset) == tuple(plane.at(pose, *place) for place in places)


def test_a_box_around_two_boxes_holds_both() -> None:
    assert plane.joint((0, 5, 10, 8), (-3, 6, 4, 20)) == (-3, 5, 10, 20)


@pytest.mark.parametrize(
    ("shift", "found"), [(0, [0, 1, 2, 3]), (44, [0, 1, 2]), (33, [0, 1, 2, 3]), (40, [0, 1, 2]), (170, [])]
)
def test_a_quarter_of_a_section_must_lie_against_it(shift: int, found: list[int]) -> None:
    near = plane.card(Pose(-shift, -88), CARD, -TOLERANCE)
    assert plane.against(Pose(0, 0), CARD, FRONT, 44, 11, near) == found


def test_the_sides_of_a_card_from_a_point() -> None:
    assert plane.seen_side(Pose(0, 0), CARD, (0, -60)) == plane.FRONT
    assert plane.seen_side(Pose(0, 0), CARD, (0, 60)) == plane.REAR
    assert plane.seen_side(Pose(0, 0), CARD, (100, 0)) == plane.RIGHT
    assert plane.seen_side(Pose(0, 0), CARD, (-100, 0)) == plane.LEFT
