"""What is worth thinking of in a move: a finite choice for bots and menus."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Action
from ...parts import plane
from ...parts.plane import FRONT_LEFT, FRONT_RIGHT, TOLERANCE, UNIT, Patch, Pose
from .assault import assault_moves
from .charges import Charge, Withdraw, half, run_in
from .choke import squeezed
from .contact import held_at_wall
from .crossing import Cross
from .entering import SIDE_NAMES, Align, Occupy, Sally, alignable, houses_touched
from .forming import ENDS, Extend, Form
from .hidden import label
from .ladders import footholds
from .manning import ClimbDown, Stack, fronting, stacked
from .morale import nearest_enemy
from .motion import (
    LIMITED,
    REDUCED,
    REGULAR,
    WIDEST,
    Path,
    ahead,
    allowance,
    farthest,
    limits,
    near,
    path_box,
    rough_parts,
    spans_over,
    walls,
)
from .passages import passage_of
from .pieces import BACK, CORNER_NAMES, Advance, OnTheMove, Slide, Turn, Wheel
from .ramparts import is_within
from .state import (
    BRIDGES,
    CARD,
    CROSSING,
    FORD,
    FOREST,
    FORMATIONS,
    HILL,
    INSIDE,
    NO_FORMATION,
    NOBODY,
    ROLLED,
    SECTION,
    VILLAGE,
    WATCHTOWER,
    WORKS,
    OnusState,
    other,
)
from .table import engaged, fords, laid, near_units, shape_of, standing, tiles, units_on
from .towers import tower_moves
from .walls import beside, closed_pieces, openings, stands_along, through

LEAST_STEP = 10  # hundredths: shorter steps are not worth a thought
LEAST_TURN = 50  # tenths of a degree
NEAREST = 3  # enemies
FAR = 8 * UNIT
BEFORE = 3 * UNIT  # so near to a wall one gets ready to climb it


def sensible(state: OnusState, moving: OnTheMove) -> list[Action]:
    """To contact, to range, into cover, to a crossing, straight on, towards the enemy, back."""
    i = moving.unit
    if state.where[i] == INSIDE:
        out = [Sally(side) for side in SIDE_NAMES] if not state.flags[i] & ROLLED else []
        return [*tower_moves(state, moving), *_charges(state, moving), *out]
    if state.where[i] == CROSSING:
        return [*_charges(state, moving), *_crossings(state, moving)]
    if state.climbs[i] != NOBODY:
        return assault_moves(state, moving)
    if engaged(state, i) or held_at_wall(state, i):
        back = farthest(half(state, i), lambda n: n == 0 or _is_clear(state, i, BACK, n))
        return [Withdraw(n) for n in dict.fromkeys((back, back // 2)) if n > 0]
    found: list[Action] = [Align(name) for name in alignable(state, i) if name not in moving.aligned]
    found += [Occupy(name) for name in houses_touched(state, i)]
    found += _on_walls(state, moving)
    found += assault_moves(state, moving)
    found += _charges(state, moving)
    if moving.mode == REGULAR and moving.left(state) > 0:
        found += [Advance(distance) for distance in _distances(state, moving)]
        found += _wheels(state, moving)
    return found + _reduced(state, moving)


def _on_walls(state: OnusState, moving: OnTheMove) -> list[Action]:
    """O4.overlap.choose-top O4.wall.climb-down O4.lateral.move: what one does behind a wall."""
    i = moving.unit
    if state.roster.keep is None:
        return []
    found: list[Action] = [Stack(name) for name in stacked(state, i)]
    found += [ClimbDown(name) for name in fronting(state, i)]
    if stands_along(state, i):
        left = moving.left(state, LIMITED)
        steps = dict.fromkeys((left - left % SECTION, 2 * SECTION, SECTION))
        found += [Slide(angle, n) for n in steps if 0 < n <= left for angle in (900, 2700)]
    return found


def _foes(state: OnusState, i: int) -> list[int]:
    """The enemies, the nearest first."""
    pose = state.pose[i]
    foes = units_on(state, other(state.roster.units[i].side))
    return sorted(foes, key=lambda j: (_gap(pose, state.pose[j]), state.hidden[j], j))


def _gap(a: Pose, b: Pose) -> int:
    return (a.x - b.x) ** 2 + (a.y - b.y) ** 2


def _charges(state: OnusState, moving: OnTheMove) -> list[Action]:
    """OH.move.9: against whom it can run straight on."""
    if moving.mode == REDUCED or moving.on:
        return []
    i = moving.unit
    reach = (moving.left(state) + CARD.front + CARD.depth) ** 2
    foes = [j for j in _foes(state, i) if _gap(state.pose[i], state.pose[j]) <= reach]
    return [Charge(label(state, j)) for j in foes if run_in(state, i, j) is not None]


def _crossings(state: OnusState, moving: OnTheMove) -> list[Action]:
    """O3.choke.free-way: to the far end, out of the passage, as far as can be, or back."""
    i = moving.unit
    passage, way = passage_of(state, i), state.way[i]
    left, back = moving.left(state, LIMITED), moving.left(state, REDUCED)
    marks = (left, passage.size.depth - way, passage.length - way, left // 2)
    found: list[Action] = [Cross(n) for n in dict.fromkeys(marks) if 0 < n <= left]
    return [*found, *(Cross(-n) for n in dict.fromkeys((min(back, way),)) if n > 0)]


# --- straight on ---------------------------------------------------------------------------------


def _is_clear(state: OnusState, i: int, bearing: int, distance: int) -> bool:
    """Nothing solid on a way, and nothing touched at its end."""
    stations = (state.pose[i], ahead(state.pose[i], bearing, distance))
    patches = near(walls(state, i), path_box(state, i, stations), TOLERANCE)
    held = [patch for j in engaged(state, i) for patch in laid(state)[j]]
    return not any(spans_over(state, i, stations, patch) for patch in patches if patch not in held)


def _distances(state: OnusState, moving: OnTheMove) -> list[int]:
    """As far as it goes and half of that, to the next things in its way, and to where it can shoot."""
    most = _farthest(state, moving)
    beyond = [*_to_walls(state, moving), *_through(state, moving)]
    if most <= 0:
        return list(dict.fromkeys(beyond))
    found = [most, most // 2, *_marks(state, moving, most)]
    near = [distance for distance in dict.fromkeys(found) if LEAST_STEP < distance <= most][:9]
    return list(dict.fromkeys((*near, *beyond)))


def _to_walls(state: OnusState, moving: OnTheMove) -> list[int]:
    """O5.assault.equipment: right up to the walls before it, from without; the nearest."""
    i, left = moving.unit, moving.left(state)
    if state.roster.keep is None or left <= 0 or is_within(state, i):
        return []
    stations = (state.pose[i], ahead(state.pose[i], 0, left))
    patches = [state.roster.structures[n].patch for n in closed_pieces(state)]
    low = [
        span[0]
        for patch in near(patches, path_box(state, i, stations), TOLERANCE)
        for span in spans_over(state, i, stations, patch)
    ]
    way = int(min(low, default=0) * left) - 1
    return [way] if way > 0 else []


def _through(state: OnusState, moving: OnTheMove) -> list[int]:
    """O4.gate.pass O4.wall.breach-move: through an opening and on, or as far into it as can be."""
    i, left = moving.unit, moving.left(state, LIMITED)
    if state.roster.keep is None or left <= 0:
        return []
    stations = (state.pose[i], ahead(state.pose[i], 0, left))
    gaps = through(state, i, stations)
    found = []
    for patch in beside(state, gaps) if gaps else []:
        found += [int(high * left) + 1 for _, high in spans_over(state, i, stations, patch, TOLERANCE)]
    inside = squeezed(state, i, Path(stations, left)).where == CROSSING
    return [n for n in dict.fromkeys((max(found, default=0), left)) if 0 < n <= left and (gaps or inside)]


def _farthest(state: OnusState, moving: OnTheMove) -> int:
    """How far straight on its movement leads, up to what is solid or to where an enemy would be touched."""
    i, left = moving.unit, moving.left(state)
    stations = (state.pose[i], ahead(state.pose[i], 0, left))
    free = min([left, *_stops(state, i, stations, left)])
    rough = rough_parts(state, i, stations)
    edge = _edge(state, moving, left)

    def fits(n: int) -> bool:
        part = n / left
        dearer = sum(min(high, part) - low for low, high in rough if low < part) * left
        most = allowance(state, i, LIMITED if moving.limited or n >= edge else moving.mode)
        return moving.spent + n + round(dearer) <= most

    return farthest(free, fits)


def _stops(state: OnusState, i: int, stations: tuple[Pose, Pose], far: int) -> Iterator[int]:
    """How far it is to what is solid, and to where it would touch an enemy."""
    foes = {id(patch) for j in units_on(state, other(state.roster.units[i].side)) for patch in laid(state)[j]}
    for patch in near(walls(state, i), path_box(state, i, stations), 2 * TOLERANCE):
        margin = TOLERANCE + 1 if id(patch) in foes else 0
        for low, _ in spans_over(state, i, stations, patch, -margin):
            yield max(0, int(low * far) - 1)


def _edge(state: OnusState, moving: OnTheMove, left: int) -> int:
    """O2.limited.half: where a move becomes a limited one; beyond its end if it does not."""
    i, pose = moving.unit, state.pose[moving.unit]
    if not limits(state, i, (pose, ahead(pose, 0, left))):
        return left + 1
    return 1 + farthest(left, lambda n: not limits(state, i, (pose, ahead(pose, 0, n))))


def _marks(state: OnusState, moving: OnTheMove, most: int) -> Iterator[int]:
    """The distances at which something begins: cover, a crossing, a friend, the range of missiles."""
    i, pose = moving.unit, state.pose[moving.unit]
    stations = (pose, ahead(pose, 0, most))
    box = path_box(state, i, stations)
    edge = _edge(state, moving, most)
    if edge <= most:
        yield edge - 1
    for patch in near(_things(state, i), box):
        spans = spans_over(state, i, stations, patch, 0)
        if spans:
            yield int(spans[0][0] * most) - 1
    for wood in tiles(state, FOREST, HILL):
        if plane.meet(wood.patch.box, box):
            yield from _into(pose, wood.patch, most)
    kind = state.roster.units[i].kind
    if kind.shoots:
        shape = shape_of(state, i)
        for j in _foes(state, i)[:NEAREST]:
            gap = plane.apart(shape, shape_of(state, j))
            yield from (round(gap) - reach for reach in (kind.short, kind.long))


def _things(state: OnusState, i: int) -> list[Patch]:
    """What one stops before: works, houses, bridges, fords, friends."""
    structures, units = state.roster.structures, state.roster.units
    found = [structures[n].patch for n in standing(state, (*WORKS, VILLAGE, WATCHTOWER, *BRIDGES))]
    found += [ford.patch for ford in fords(state)]
    friends = [j for j in laid(state) if j != i and units[j].side == units[i].side]
    return found + [patch for j in friends for patch in laid(state)[j]]


def _into(pose: Pose, wood: Patch, most: int) -> Iterator[int]:
    """O3.forest.centre O3.hill.on-top: until the middle of the card is in it."""
    far = ahead(pose, 0, most)
    spans = plane.over(pose, plane.Size(0, 0), (far.x - pose.x, far.y - pose.y), wood.points, 0)
    for low, _ in spans[:1]:
        if low > 0:
            yield int(low * most) + TOLERANCE


# --- turns and reduced moves ---------------------------------------------------------------------


def _towards(a: Pose, b: Pose) -> int:
    return plane.bearing((a.x, a.y), (b.x, b.y))


def _wheels(state: OnusState, moving: OnTheMove) -> list[Action]:
    """Towards the nearest enemies and the nearest crossing or wood, and a half turn to either side."""
    i = moving.unit
    if moving.left(state) < UNIT:
        return []
    pose = state.pose[i]
    goals = [state.pose[j] for j in _foes(state, i)[:NEAREST]] + _goals(state, i) + _pieces(state, i)
    angles = {max(-WIDEST, min(WIDEST, plane.between(pose.turn, _towards(pose, goal)))) for goal in goals}
    found: list[Action] = []
    for angle in sorted({*angles, -450, 450}):
        if abs(angle) >= LEAST_TURN:
            corner = FRONT_RIGHT if angle > 0 else FRONT_LEFT
            found.append(Wheel(CORNER_NAMES[corner], angle))
    return found


def _goals(state: OnusState, i: int) -> list[Pose]:
    """The nearest bridge or ford, and the nearest wood or house."""
    structures, pose = state.roster.structures, state.pose[i]
    ways = [structures[n].pose for n in standing(state, BRIDGES)]
    ways += [_middle(ground.patch) for ground in tiles(state, FORD)]
    cover = [structures[n].pose for n in standing(state, (VILLAGE, WATCHTOWER))]
    cover += [_middle(ground.patch) for ground in tiles(state, FOREST)]
    groups = [[spot for spot in group if _gap(pose, spot) <= FAR**2] for group in (ways, cover)]
    return [min(group, key=lambda spot: _gap(pose, spot)) for group in groups if group]


def _pieces(state: OnusState, i: int) -> list[Pose]:
    """The nearest wall that stands, the nearest opening."""
    pose, structures = state.pose[i], state.roster.structures
    gaps = openings(state, state.roster.units[i].side, i) if state.roster.keep else []
    groups = [[gap.structure for gap in gaps], closed_pieces(state)]
    return [
        min((structures[n].pose for n in group), key=lambda spot: _gap(pose, spot))
        for group in groups
        if group
    ]


def _middle(patch: Patch) -> Pose:
    left, top, right, bottom = patch.box
    return Pose(round((left + right) / 2), round((top + bottom) / 2))


def _reduced(state: OnusState, moving: OnTheMove) -> list[Action]:
    """OH.move.3: back, sideways, one turn towards the nearest enemy, formations."""
    i, back = moving.unit, moving.left(state, REDUCED)
    found: list[Action] = []
    if back > 0 and not moving.spent and not moving.turned:
        found += [Slide(angle, back) for angle in (BACK, 900, 2700)]
        found += [Slide(BACK, back // 2), *_sidesteps(state, i, back)]
        foe = nearest_enemy(state, i)
        angle = plane.between(state.pose[i].turn, _towards(state.pose[i], state.pose[foe])) if foe >= 0 else 0
        found += [Turn(angle)] if abs(angle) > LEAST_TURN else []
    if not moving.spent and moving.mode == REGULAR:
        found += [Form(FORMATIONS[kind]) for kind in (NO_FORMATION, *state.roster.units[i].kind.formations)]
        if near_units(state, i, FAR):
            found += [Extend(ends) for ends in ENDS]
    return found


def _sidesteps(state: OnusState, i: int, most: int) -> list[Action]:
    """O5.assault.align-marks: sideways to right before a wall that a besieger faces."""
    pose = state.pose[i]
    if state.roster.keep is None or is_within(state, i):
        return []
    found: list[Action] = []
    for n in closed_pieces(state):
        for place in footholds(state, n):
            across, away = plane.seen(pose, (place.x, place.y))
            if plane.between(pose.turn, place.turn) == 0 and 0 <= away <= BEFORE and 0 < abs(across) <= most:
                found.append(Slide(900 if across > 0 else 2700, round(abs(across))))
    return found
