"""13 Melee: who lies against whom, with which sections, across which work, and who can fight whom."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import shapely
from shapely.geometry.base import BaseGeometry

from ...parts import plane
from ...parts.plane import FRONT, REAR, SIDES, TOLERANCE, Pose, Size
from .state import (
    BARRICADE,
    CARD,
    FIELD,
    INSIDE,
    LEAST,
    SECTION,
    SQUARE,
    TRENCH,
    WATCHTOWER,
    WORKS,
    OnusState,
    Structure,
    other,
)
from .table import across_barricade, body, front_row, level, standing, units_on

FLANKS = (plane.LEFT, plane.RIGHT)
FAR = 340  # cards whose middles are farther apart cannot touch
SLIM = Size(SECTION - 4 * TOLERANCE, SECTION)  # a section, not reaching to what its neighbours touch
TOWERS = (WATCHTOWER,)  # fought only by who stands as high

Sections = tuple[tuple[int, ...], ...]  # for each side of a card the numbers of its sections in contact
NONE: Sections = ((), (), (), ())


class Spot(NamedTuple):
    """What a unit takes on the table: its own card, or the structure in which it is."""

    pose: Pose
    size: Size
    wings: int = 0


def spot(state: OnusState, i: int) -> Spot:
    return Spot(*body(state, i), state.wings[i] if state.where[i] == FIELD else 0)


def _near(one: Spot) -> BaseGeometry:
    """Its shape, grown by the tolerance."""
    body = plane.card(one.pose, one.size, -TOLERANCE)
    return shapely.union(body, plane.card(*front_row(one.wings, one.pose), -TOLERANCE)) if one.wings else body


def _against(one: Spot, near: BaseGeometry) -> Sections:
    found = []
    for side in SIDES:
        pose, size = front_row(one.wings, one.pose) if side == FRONT and one.wings else (one.pose, one.size)
        found.append(tuple(plane.against(pose, size, side, SECTION, LEAST, near)))
    return tuple(found)


@lru_cache(maxsize=50_000)
def meets(one: Spot, two: Spot) -> Sections:
    """OH.contact.1: the sections of one card of which a quarter or more lies against another."""
    return _against(one, _near(two))


def sections(state: OnusState, i: int, j: int) -> Sections:
    """OH.contact.1 OH.contact.2: the sections of unit ``i`` in contact with unit ``j``, side by side."""
    one, two = spot(state, i), spot(state, j)
    if abs(one.pose.x - two.pose.x) + abs(one.pose.y - two.pose.y) > 2 * FAR:
        return NONE
    found = meets(one, two)
    if any(found):
        return found
    return (tuple(across_barricade(state, i, j)), (), (), ())


def in_contact(state: OnusState, i: int, j: int) -> bool:
    return any(sections(state, i, j))


def faces(state: OnusState, i: int, j: int) -> bool:
    """Whether unit ``i`` touches unit ``j`` with its front."""
    return state.where[i] == FIELD and bool(sections(state, i, j)[FRONT])


# --- across works --------------------------------------------------------------------------------


def hooked(state: OnusState, i: int, j: int, side: int | None = None) -> int:
    """OH.melee.7: how many of its sections unit ``i`` has put on a side of unit ``j``, or on any."""
    return sum(n for a, b, where, n in state.hooks if (a, b) == (i, j) and side in (None, where))


def work_between(state: OnusState, i: int, j: int) -> Structure | None:
    """O4.works.bonus O4.works.bypass: the work across which ``i`` strikes ``j``: all its sections must.

    It lies along the card of ``j``, who stands behind it and not over it.
    """
    works = standing(state, WORKS)
    if not works or state.where[i] != FIELD or state.where[j] != FIELD or hooked(state, i, j):
        return None
    squares = _squares(state, i, j)
    for n in works:
        work = state.roster.structures[n]
        behind = plane.touches(work.shape, plane.card(state.pose[j], CARD)) and not work.inner.intersects(
            plane.card(state.pose[j], CARD, TOLERANCE)
        )
        if behind and squares and all(work.near.intersects(square) for square in squares):
            return work
    return None


def _squares(state: OnusState, i: int, j: int) -> list[BaseGeometry]:
    """The sections of unit ``i`` in contact with ``j``, as squares along its edges."""
    found: list[BaseGeometry] = []
    for side, numbers in enumerate(sections(state, i, j)):
        one = spot(state, i)
        pose, size = front_row(one.wings, one.pose) if side == FRONT else (one.pose, one.size)
        edges = plane.sections(pose, size, side, SECTION)
        for number in numbers:
            (x1, y1), (x2, y2) = edges[number]
            turn = (pose.turn + side * plane.RIGHT_ANGLE) % plane.FULL
            middle = Pose(round((x1 + x2) / 2), round((y1 + y2) / 2), turn)
            found.append(plane.card(plane.moved(middle, 0, -SECTION / 2), SLIM))
    return found


def shelter(state: OnusState, i: int, j: int) -> str:
    """O4.trench.charged O4.trench.lined O4.barricade.both: the kind of work that shelters ``j`` from ``i``.

    A trench shelters the side of its owner, a barricade whoever is attacked across it.
    """
    work = work_between(state, i, j)
    side = state.roster.units[j].side
    if work is None:
        return ""
    if work.kind == TRENCH:
        return TRENCH if work.owner == side else ""
    return BARRICADE if side != state.active else ""


# --- who fights ----------------------------------------------------------------------------------


def level_of(state: OnusState, i: int) -> int:
    """OH.level.1: ground 0, hill 1, watchtower 2."""
    return level(state, i)


def in_tower(state: OnusState, i: int) -> bool:
    return state.where[i] == INSIDE and state.roster.structures[state.inside[i]].kind in TOWERS


def on_one_level(state: OnusState, i: int, j: int) -> bool:
    """O2.melee-same-height O4.watchtower.rules: who is in a tower is fought by who has come up to it."""
    if in_tower(state, i) or in_tower(state, j):
        return level_of(state, i) == level_of(state, j)
    return True


def opponents(state: OnusState, i: int) -> list[int]:
    """The enemies in contact with whom a unit can fight."""
    foes = units_on(state, other(state.roster.units[i].side))
    return [j for j in foes if in_contact(state, i, j) and on_one_level(state, i, j)]


def is_optional(state: OnusState, i: int, j: int) -> bool:
    """O4.village.shared O4.barricade.contact O4.barricade.attack: fought only if the active player wishes."""
    if state.where[i] == INSIDE and state.where[j] == INSIDE:
        return True
    one, two = spot(state, i), spot(state, j)
    return not any(meets(one, two)) and in_contact(state, i, j)


def in_melee(state: OnusState, i: int) -> list[int]:
    """OH.turn.4 OH.ranged.6: the enemies with whom a unit is engaged, whether it likes it or not."""
    return [j for j in opponents(state, i) if not is_optional(state, i, j)]


def has_no_flank(state: OnusState, j: int) -> bool:
    """O2.structure-flank.outside O4.tower.no-flank OH.formation.3: in a village or tower, and in square."""
    return state.where[j] == INSIDE or state.formation[j] == SQUARE


def angle_of(state: OnusState, i: int, j: int) -> tuple[bool, bool]:
    """OH.melee.8: whether unit ``i`` attacks unit ``j`` on its flank, and in its rear."""
    if has_no_flank(state, j):
        return False, False
    touched = sections(state, j, i)
    flank = any(touched[side] or hooked(state, i, j, side) for side in FLANKS)
    return flank, bool(touched[REAR] or hooked(state, i, j, REAR))
