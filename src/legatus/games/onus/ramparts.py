"""4 Walls: their faces, who mans them from within, who faces them from without, and who meets across them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from shapely.geometry.base import BaseGeometry

from ...parts import plane
from ...parts.plane import FRONT, FULL, RIGHT_ANGLE, SIDES, TOLERANCE, Pose, Size
from .passages import OPENING, Edge, Face, faces_of
from .sorts import GATE
from .state import (
    CARD,
    CROSSING,
    FIELD,
    HILL,
    INSIDE,
    LEAST,
    MOUNTED,
    NOBODY,
    SECTION,
    SIEGE,
    SIEGE_TOWER,
    TOWERS,
    WALLS,
    OnusState,
)
from .table import LEFT_WING, RIGHT_WING, body, front_row, is_in, position, shape_of

FAR = 240  # a card whose middle is farther from that of a piece does not touch it

Sections = tuple[tuple[int, ...], ...]  # for each side of a card the numbers of its sections in contact
NONE: Sections = ((), (), (), ())


class Strip(NamedTuple):
    """A section of a card that lies against an edge, and from where to where along it."""

    side: int
    number: int
    ends: Edge


# --- faces ---------------------------------------------------------------------------------------


def faces(state: OnusState, n: int) -> tuple[Face, ...]:
    kept: dict[int, tuple[Face, ...]] = state.roster.kept.setdefault("faces", {})
    if n not in kept:
        kept[n] = faces_of(state.roster.structures[n])
    return kept[n]


def walls_by(state: OnusState, i: int) -> list[int]:
    """The walls of the fortress, fallen ones too, that are near enough to a unit to be touched."""
    x, y, _ = body(state, i)[0]
    return [n for n, (a, b, _) in walls_at(state) if -FAR < a - x < FAR and -FAR < b - y < FAR]


def walls_at(state: OnusState) -> list[tuple[int, Pose]]:
    """The walls of the fortress, fallen ones too, and where they are."""
    kept = state.roster.kept
    if "walls" not in kept:
        structures, keep = state.roster.structures, state.roster.keep
        pieces = keep.pieces if keep is not None else ()
        kept["walls"] = [(n, structures[n].pose) for n in pieces if structures[n].kind in WALLS]
    found: list[tuple[int, Pose]] = kept["walls"]
    return found


@lru_cache(maxsize=20_000)
def strips(pose: Pose, size: Size, wings: int, edge: Edge) -> tuple[Strip, ...]:
    """OH.contact.1: the sections of a card that lie against an edge."""
    near = _near(edge)
    found = []
    for side in SIDES:
        row = front_row(wings, pose) if side == FRONT and wings else (pose, size)
        numbers = plane.against(*row, side, SECTION, LEAST, near)
        ends = plane.sections(*row, side, SECTION) if numbers else []
        found += [Strip(side, number, ends[number]) for number in numbers]
    return (*found, *_wing_strips(pose, wings, near))


def _wing_strips(pose: Pose, wings: int, near: BaseGeometry) -> Iterator[Strip]:
    """O7.design.extended-corner: the outer ends of added sections, numbered as the front of the flanks."""
    for wing, side, number in ((LEFT_WING, plane.LEFT, 1), (RIGHT_WING, plane.RIGHT, 0)):
        row = front_row(wings, pose)
        if wings & wing and plane.against(*row, side, SECTION, LEAST, near):
            yield Strip(side, number, plane.edge(*row, side))


@lru_cache(maxsize=2_000)
def _near(edge: Edge) -> BaseGeometry:
    """A thin strip about an edge."""
    (x1, y1), (x2, y2) = edge
    turn = plane.bearing(*edge) - RIGHT_ANGLE
    length = round(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    middle = Pose(round((x1 + x2) / 2), round((y1 + y2) / 2), turn % FULL)
    return plane.card(middle, Size(length, 2 * TOLERANCE + 2))


def strips_of(state: OnusState, i: int, edge: Edge) -> tuple[Strip, ...]:
    """O4.wall.top-defends: the sections of a unit against an edge, without those on which a friend lies."""
    pose, size = body(state, i)
    found = strips(pose, size, state.wings[i] if state.where[i] == FIELD else 0, edge)
    tops = covering(state, i) if found else []
    return tuple(strip for strip in found if not _is_under(strip, pose, tops)) if tops else found


def _is_under(strip: Strip, pose: Pose, tops: list[BaseGeometry]) -> bool:
    """O4.overlap.top-fights: the square of a section, from its edge inwards, is covered."""
    (x1, y1), (x2, y2) = strip.ends
    turn = (pose.turn + strip.side * RIGHT_ANGLE) % FULL
    middle = plane.moved(Pose(round((x1 + x2) / 2), round((y1 + y2) / 2), turn), 0, -SECTION / 2)
    return any(plane.contains(top, middle) for top in tops)


# --- who is where --------------------------------------------------------------------------------


def covering(state: OnusState, i: int) -> list[BaseGeometry]:
    """O4.overlap.top-fights: what lies on top of a unit, added sections too."""
    over = [a for a, b in state.over if b == i and state.where[a] == FIELD]
    return [shape_of(state, a) for a in over if state.where[i] == FIELD]


def is_buried(state: OnusState, i: int) -> bool:
    """O4.overlap.ranged O4.overlap.target: no section of its card is uncovered."""
    tops = covering(state, i)
    if not tops:
        return False
    places = [(across, deep) for across in (-66, -22, 22, 66) for deep in (-22, 22)]
    squares = [plane.moved(state.pose[i], *place) for place in places]
    return all(any(plane.contains(top, square) for top in tops) for square in squares)


def beneath(state: OnusState, i: int) -> list[int]:
    """O4.overlap.new-combat: the units on which a unit lies."""
    if state.where[i] != FIELD:
        return []
    return [b for a, b in state.over if a == i and state.where[b] == FIELD]


def is_within(state: OnusState, i: int) -> bool:
    """Whether a unit is inside the fortress or on it: the middle of its card or markers, or its tower."""
    keep = state.roster.keep
    if keep is None or state.where[i] not in (FIELD, INSIDE, CROSSING):
        return False
    if state.where[i] == INSIDE:
        return state.inside[i] in keep.pieces
    return plane.lies_on(keep.patch, state.pose[i])


def can_man(state: OnusState, i: int) -> bool:
    """O4.mounted.no-defences O5.artillery.no-wall-facing: foot, and no artillery."""
    traits = state.roster.units[i].kind.traits
    return state.where[i] == FIELD and MOUNTED not in traits and SIEGE not in traits


def manned(state: OnusState, i: int) -> list[int]:
    """O4.wall.inner-contact: the standing walls whose inner faces a unit touches."""
    if state.roster.keep is None or not can_man(state, i) or not is_within(state, i):
        return []
    memo, key = position(state).memo, ("manned", i)
    if key not in memo:
        memo[key] = _manned(state, i)
    return list(memo[key])


def _manned(state: OnusState, i: int) -> list[int]:
    near = [n for n in walls_by(state, i) if not state.gone[n]]
    pose = state.pose[i]
    return [
        n for n in near if any(strips(pose, CARD, state.wings[i], face.inner) for face in faces(state, n))
    ]


def faced(state: OnusState, i: int) -> list[int]:
    """O4.wall.face O4.siege-tower.melee: the standing walls against whose outer faces a unit stands.

    A unit with its front, a siege tower with any of its sides.
    """
    if state.roster.keep is None or is_within(state, i):
        return []
    near = [n for n in walls_by(state, i) if not state.gone[n]]
    return [n for n in near if any(_facing(state, i, face) for face in faces(state, n))]


def _facing(state: OnusState, i: int, face: Face) -> list[Strip]:
    """The sections of a unit that stand against an outer face."""
    found = strips_of(state, i, face.outer)
    return [strip for strip in found if strip.side == FRONT or state.where[i] == INSIDE]


def in_siege_tower(state: OnusState, i: int) -> bool:
    return state.where[i] == INSIDE and state.roster.structures[state.inside[i]].kind == SIEGE_TOWER


def level(state: OnusState, i: int) -> int:
    """OH.level.1 O5.assault.marker-green: ground 0, hill and wall 1, tower 2; who climbs, what he gained."""
    if state.where[i] == INSIDE:
        structure = state.roster.structures[state.inside[i]]
        return structure.sort.height if structure.kind in TOWERS else 0
    if state.climbs[i] != NOBODY:
        return state.climbed[i]
    memo, key = position(state).memo, ("level", i)
    if key not in memo:
        memo[key] = 1 if is_in(state, i, HILL) or manned(state, i) else 0
    return int(memo[key])


def is_up(state: OnusState, i: int) -> bool:
    """O2.melee-same-height: it has climbed a wall, or is in a siege tower."""
    if state.climbs[i] != NOBODY:
        structure = state.roster.structures[state.climbs[i]]
        return structure.kind in WALLS and state.climbed[i] >= structure.sort.height
    return in_siege_tower(state, i)


def is_mixed(state: OnusState, i: int) -> bool:
    """O6.razed.mixed-front: its front lies along a fallen piece of the wall and along a standing one."""
    near = [n for n in walls_by(state, i) if any(_facing(state, i, face) for face in faces(state, n))]
    return len({state.gone[n] for n in near}) > 1


def is_gate_down(state: OnusState, n: int) -> bool:
    """O4.gate.shared-damage: a gate that has taken as much damage as its durability."""
    structure = state.roster.structures[n]
    return structure.kind == GATE and state.damage[n] >= structure.sort.gate_durability


# --- across a wall -------------------------------------------------------------------------------

Span = tuple[float, float]


def span(face: Face, strip: Strip) -> Span:
    """From where to where along a face a section lies."""
    a, b = (face.along(point) for point in strip.ends)
    return min(a, b), max(a, b)


def _shared(one: Span, others: list[Span]) -> float:
    """How much of a span lies opposite some others."""
    return max([min(one[1], high) - max(one[0], low) for low, high in others], default=0)


def _clipped(spans: list[Span], way: Span) -> list[Span]:
    return [(max(low, way[0]), min(high, way[1])) for low, high in spans]


def _way(state: OnusState, n: int, up: bool) -> Span | None:
    """O2.melee-same-height: where along a wall enemies can fight: on top of it, or where it has fallen."""
    if state.gone[n] or up:
        return -FAR, FAR
    return (-OPENING, OPENING) if is_gate_down(state, n) else None


def opposite(state: OnusState, i: int, j: int) -> tuple[Sections, Sections]:
    """OH.contact.2: of a unit without and one within the sections that lie opposite each other.

    As though the wall between them had no thickness, whatever their levels.
    """
    return _across(state, i, j, lambda n: None if state.gone[n] else (-FAR, FAR))


def fronts(state: OnusState, i: int, j: int) -> tuple[Sections, Sections]:
    """O2.melee-same-height O4.wall.breach-defended: those of them that can fight, as the wall is now."""
    up = is_up(state, i) and can_man(state, j)
    return _across(state, i, j, lambda n: _way(state, n, up))


def _across(
    state: OnusState, i: int, j: int, way_of: Callable[[int], Span | None]
) -> tuple[Sections, Sections]:
    ways = [(n, way) for n in walls_by(state, i) if (way := way_of(n)) is not None]
    if not ways:
        return NONE, NONE
    mine: list[set[int]] = [set() for _ in SIDES]
    theirs: list[set[int]] = [set() for _ in SIDES]
    for n, way in ways:
        for face in faces(state, n):
            out = _facing(state, i, face)
            within = strips_of(state, j, face.inner) if out else ()
            if not within:
                continue
            outer, inner = (_clipped([span(face, strip) for strip in row], way) for row in (out, within))
            for strip, part in zip(out, outer, strict=True):
                if _shared(part, inner) >= LEAST - TOLERANCE:
                    mine[strip.side].add(strip.number)
            for strip, part in zip(within, inner, strict=True):
                if _shared(part, outer) >= LEAST - TOLERANCE:
                    theirs[strip.side].add(strip.number)
    return _sorted(mine), _sorted(theirs)


def _sorted(found: list[set[int]]) -> Sections:
    return tuple(tuple(sorted(numbers)) for numbers in found)


# --- through a gate ------------------------------------------------------------------------------


def pushed(state: OnusState, i: int, j: int) -> tuple[Sections, Sections]:
    """O4.wall.breach-defended O4.wall.breach-example: sections pushed through a fallen gate reach a side.

    Two squares behind the opening, where no enemy stands; they touch whoever stands beside them.
    """
    if state.where[j] != FIELD or state.where[i] != FIELD:
        return NONE, NONE
    for n in walls_by(state, i):
        if state.gone[n] or not is_gate_down(state, n):
            continue
        through = _through(state, i, faces(state, n)[0])
        found = [_sides_at(state, j, square) for _, square in through]
        if any(map(any, found)):
            mine = tuple(sorted(strip.number for strip, _ in through))
            sides = [{number for one in found for number in one[side]} for side in SIDES]
            return (mine, (), (), ()), _sorted(sides)
    return NONE, NONE


def _through(state: OnusState, i: int, face: Face) -> list[tuple[Strip, BaseGeometry]]:
    """The front sections at an opening, each with the square behind it that it is pushed to."""
    found: list[tuple[Strip, BaseGeometry]] = []
    side = state.roster.units[i].side
    foes = [
        plane.card(state.pose[k], CARD, TOLERANCE)
        for k, unit in enumerate(state.roster.units)
        if unit.side != side and state.where[k] == FIELD
    ]
    for strip in _facing(state, i, face):
        low, high = span(face, strip)
        if min(high, OPENING) - max(low, -OPENING) < SECTION - 2 * TOLERANCE:
            continue
        place = plane.moved(face.place, (low + high) / 2, -SECTION)
        inner = plane.card(place, Size(SECTION, SECTION), TOLERANCE)
        if not any(inner.intersects(foe) for foe in foes):
            found.append((strip, plane.card(place, Size(SECTION, SECTION), -TOLERANCE)))
    return found


def _sides_at(state: OnusState, j: int, square: BaseGeometry) -> Sections:
    """The sections of a unit's flanks and rear that touch a square."""
    pose = state.pose[j]
    found = [tuple(plane.against(pose, CARD, side, SECTION, LEAST, square)) for side in SIDES]
    found[FRONT] = ()
    return tuple(found)
