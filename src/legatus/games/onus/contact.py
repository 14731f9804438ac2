"""13 Melee: who lies against whom, with which sections, across which work, and who can fight whom."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import shapely
from shapely.geometry.base import BaseGeometry

from ...parts import plane
from ...parts.plane import FRONT, REAR, SIDES, TOLERANCE, Pose, Size
from .ramparts import (
    NONE,
    Sections,
    covering,
    fronts,
    in_siege_tower,
    is_mixed,
    is_up,
    is_within,
    level,
    manned,
    opposite,
    pushed,
)
from .state import (
    BARRICADE,
    CARD,
    CROSSING,
    FIELD,
    INSIDE,
    NOBODY,
    SECTION,
    SQUARE,
    TOWERS,
    TRENCH,
    VILLAGE,
    WORKS,
    OnusState,
    Structure,
    other,
)
from .table import across_barricade, body, extended, front_row, position, sections_on, standing, units_on
from .walls import clear_sections

FLANKS = (plane.LEFT, plane.RIGHT)
FAR = 340  # cards whose middles are farther apart cannot touch
SLIM = Size(SECTION - 4 * TOLERANCE, SECTION)  # a section, not reaching to what its neighbours touch


class Spot(NamedTuple):
    """What a unit takes on the table: its own card, or the structure in which it is."""

    pose: Pose
    size: Size
    wings: int = 0


def spot(state: OnusState, i: int) -> Spot:
    return Spot(*body(state, i), state.wings[i] if state.where[i] == FIELD else 0)


def _near(one: Spot) -> BaseGeometry:
    """Its shape, grown by the tolerance."""
    if one.wings:
        return extended(one.wings, one.pose, -TOLERANCE)
    return plane.card(one.pose, one.size, -TOLERANCE)


def _against(one: Spot, near: BaseGeometry) -> Sections:
    return tuple(tuple(sections_on(*one, side, near)) for side in SIDES)


@lru_cache(maxsize=10_000)
def meets(one: Spot, two: Spot) -> Sections:
    """OH.contact.1: the sections of one card of which a quarter or more lies against another."""
    return _against(one, _near(two))


def sections(state: OnusState, i: int, j: int) -> Sections:
    """OH.contact.1 OH.contact.2: the sections of unit ``i`` in contact with unit ``j``, side by side."""
    if not _are_near(state, i, j):
        return NONE
    memo, key = position(state).memo, ("sections", i, j)
    if key not in memo:
        memo[key] = _sections(state, i, j)
    found: Sections = memo[key]
    return found


def _sections(state: OnusState, i: int, j: int) -> Sections:
    found = meets(spot(state, i), spot(state, j)) if not state.over else _uncovered(state, i, j)
    if any(found):
        return clear_sections(state, i, found)
    if state.roster.keep is not None and is_within(state, i) != is_within(state, j):
        return across_wall(state, i, j)
    return (tuple(across_barricade(state, i, j)), (), (), ())


def _middle(state: OnusState, i: int) -> Pose:
    return state.pose[i] if state.where[i] != INSIDE else state.spots[state.inside[i]]


def _are_near(state: OnusState, i: int, j: int) -> bool:
    """Whether two units are near enough to touch each other at all."""
    one, two = _middle(state, i), _middle(state, j)
    return (one.x - two.x) ** 2 + (one.y - two.y) ** 2 <= FAR**2


def across_wall(state: OnusState, i: int, j: int) -> Sections:
    """O2.melee-same-height: the sections of ``i`` that can fight ``j`` on the other side of a wall."""
    if CROSSING in (state.where[i], state.where[j]):
        return NONE
    inner = is_within(state, i)
    out, within = (j, i) if inner else (i, j)
    found = fronts(state, out, within)[inner]
    return found if any(found) else pushed(state, out, within)[inner]


def over_climber(state: OnusState, j: int, i: int) -> Sections:
    """O5.defender.stones: the sections of ``j``, on a wall or in a tower, under which ``i`` climbs."""
    if state.climbs[i] == NOBODY:
        return NONE
    if state.where[j] == INSIDE:
        return sections(state, j, i) if state.climbs[i] == state.inside[j] else NONE
    return opposite(state, i, j)[1] if is_within(state, j) else NONE


def _uncovered(state: OnusState, i: int, j: int) -> Sections:
    """O4.overlap.top-fights O4.overlap.target: the same without sections on which a friend lies."""
    one, two = spot(state, i), spot(state, j)
    found = meets(one, two)
    if not any(found):
        return found
    tops, mine = covering(state, j), covering(state, i)
    if tops:
        found = _against(one, _near(two).difference(shapely.union_all([plane.grown(top) for top in tops])))
    if not mine or not any(found):
        return found
    return tuple(
        tuple(number for number in numbers if not _is_covered(one, side, number, mine))
        for side, numbers in enumerate(found)
    )


def _is_covered(one: Spot, side: int, number: int, tops: list[BaseGeometry]) -> bool:
    """Whether the square of a section lies under one of some cards."""
    middle = _square(one, side, number)
    return any(plane.contains(top, middle) for top in tops)


def _square(one: Spot, side: int, number: int) -> Pose:
    """The middle of a section of a card."""
    pose, size = front_row(one.wings, one.pose) if side == FRONT else (one.pose, one.size)
    (x1, y1), (x2, y2) = plane.sections(pose, size, side, SECTION)[number]
    turn = (pose.turn + side * plane.RIGHT_ANGLE) % plane.FULL
    return plane.moved(Pose(round((x1 + x2) / 2), round((y1 + y2) / 2), turn), 0, -SECTION / 2)


def in_contact(state: OnusState, i: int, j: int) -> bool:
    return any(sections(state, i, j))


def faces(state: OnusState, i: int, j: int) -> bool:
    """Whether unit ``i`` touches unit ``j`` with its front."""
    return state.where[i] == FIELD and bool(sections(state, i, j)[FRONT])


# --- across works --------------------------------------------------------------------------------


def hooked(state: OnusState, i: int, j: int, side: int | None = None) -> int:
    """OH.melee.7: how many of its sections unit ``i`` has put on a side of unit ``j``, or on any."""
    return sum(n for a, b, where, n in state.hooks if (a, b) == (i, j) and side in (None, where))


def wrapped(state: OnusState, i: int, n: int) -> list[int]:
    """O5.assault.envelop-first: the sections that unit ``i`` wraps round each further side of a tower."""
    return [count for a, b, _, count in state.hooks if (a, b) == (i, ~n)]


def work_between(state: OnusState, i: int, j: int) -> Structure | None:
    """O4.works.bonus O4.works.bypass O4.works.example: across it all sections of ``i`` strike ``j``.

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
    one = spot(state, i)
    touching = sections(state, i, j)
    pairs = [(side, number) for side, numbers in enumerate(touching) for number in numbers]
    return [plane.card(_square(one, side, number), SLIM) for side, number in pairs]


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
    """OH.level.1: ground 0, hill and wall 1, tower 2; of who climbs, the levels that he has gained."""
    return level(state, i)


def in_tower(state: OnusState, i: int) -> bool:
    """O4.siege-tower.as-tower: in a tower of any kind; a siege tower is one like the others."""
    return state.where[i] == INSIDE and state.roster.structures[state.inside[i]].kind in TOWERS


def from_inside(state: OnusState, i: int, j: int) -> bool:
    """O5.assault.from-inside O5.assault.from-inside-example: ``j`` is in a tower, ``i`` inside the walls."""
    keep = state.roster.keep
    held = keep is not None and state.where[j] == INSIDE and state.inside[j] in keep.pieces
    return held and state.where[i] == FIELD and is_within(state, i)


def on_one_level(state: OnusState, i: int, j: int) -> bool:
    """O2.melee-same-height O4.watchtower.rules: who is in a tower is fought by who has come up to it.

    O5.assault.from-inside: from within the fortress nobody has to climb.  O4.siege-tower.melee: who is in a
    siege tower reaches walls and towers.
    """
    for a, b in ((i, j), (j, i)):
        if in_siege_tower(state, a) and (manned(state, b) or in_tower(state, b)):
            return True
        if from_inside(state, a, b):
            return True
    for a, b in ((i, j), (j, i)):
        if in_tower(state, b) and not in_tower(state, a):
            return state.climbs[a] == state.inside[b] and level_of(state, a) == level_of(state, b)
    return True


def opponents(state: OnusState, i: int) -> list[int]:
    """The enemies in contact with whom a unit can fight."""
    memo, key = position(state).memo, ("opponents", i)
    if key not in memo:
        memo[key] = _opponents(state, i)
    return list(memo[key])


def _opponents(state: OnusState, i: int) -> list[int]:
    (x, y, _), where, pose = _middle(state, i), state.where, state.pose
    foes = units_on(state, other(state.roster.units[i].side))
    near = [j for j in foes if where[j] == INSIDE or abs(pose[j].x - x) <= FAR >= abs(pose[j].y - y)]
    return [j for j in near if in_contact(state, i, j) and on_one_level(state, i, j)]


def in_village(state: OnusState, i: int) -> bool:
    return state.where[i] == INSIDE and state.roster.structures[state.inside[i]].kind == VILLAGE


def is_optional(state: OnusState, i: int, j: int) -> bool:
    """O4.village.shared O4.village.example O4.barricade.contact O4.barricade.attack: fought at will."""
    if in_village(state, i) and in_village(state, j):
        return True
    return not any(meets(spot(state, i), spot(state, j))) and any(across_barricade(state, i, j))


def in_melee(state: OnusState, i: int) -> list[int]:
    """OH.turn.4 OH.ranged.6: the enemies with whom a unit is engaged, whether it likes it or not."""
    memo, key = position(state).memo, ("melee", i)
    if key not in memo:
        memo[key] = [j for j in opponents(state, i) if not is_optional(state, i, j)]
    return list(memo[key])


def is_across(state: OnusState, i: int, j: int) -> bool:
    """Whether a wall, or what is left of it, is between them."""
    return state.roster.keep is not None and is_within(state, i) != is_within(state, j)


def held_at_wall(state: OnusState, i: int) -> list[int]:
    """OH.melee.9 O5.withdrawal.defender: the enemies with whom it is in melee across a wall."""
    if state.roster.keep is None:
        return []
    return [j for j in in_melee(state, i) if is_across(state, i, j) and not state.fleeing[j]]


def has_no_flank(state: OnusState, j: int) -> bool:
    """O2.structure-flank.outside O4.tower.no-flank OH.formation.3: in a village or tower, and in square."""
    return state.where[j] == INSIDE or state.formation[j] == SQUARE


def is_over_wall(state: OnusState, i: int, j: int) -> bool:
    """O4.wall.defender-bonus: ``i`` has come up to ``j`` from without, and fights him over the wall.

    O4.wall.envelop-inside: no longer once it has put sections on his flank or rear.  O6.razed.mixed-front:
    nor if a part of the wall before it has fallen.
    """
    return not hooked(state, i, j) and _comes_over(state, i, j) and not is_mixed(state, i)


def _comes_over(state: OnusState, i: int, j: int) -> bool:
    """``i`` is up on the outer side of a wall, ``j`` behind it."""
    if state.roster.keep is None or not is_up(state, i) or state.where[j] != FIELD:
        return False
    return is_within(state, j) and not is_within(state, i)


def angle_of(state: OnusState, i: int, j: int) -> tuple[bool, bool]:
    """OH.melee.8: whether unit ``i`` attacks unit ``j`` on its flank, and in its rear.

    O2.structure-flank.outside O2.structure-flank.inside O4.corner.no-flank: on a wall it has neither for who
    comes over it; sections that have got inside find both.
    """
    if has_no_flank(state, j) or is_over_wall(state, i, j):
        return False, False
    touched = NONE if _comes_over(state, i, j) else sections(state, j, i)
    flank = any(touched[side] or hooked(state, i, j, side) for side in FLANKS)
    return flank, bool(touched[REAR] or hooked(state, i, j, REAR))
