"""3 Bridges and choke points: who is wider than the way before him crosses it on section markers."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from ...kernel import Play, Refusal, Values
from ...parts import plane
from ...parts.plane import FRONT, FULL, TOLERANCE, UNIT, Patch, Pose, Size
from .morale import MoraleCheck, destroy, wound
from .motion import (
    REDUCED,
    REGULAR,
    Path,
    ahead,
    closed,
    has_room,
    leaves_table,
    meeting,
    near,
    squarings,
    swept,
)
from .pieces import OnTheMove, Piece
from .state import (
    BRIDGES,
    CARD,
    CROSSING,
    EMERGED,
    FIELD,
    INSIDE,
    LEAST,
    NOBODY,
    SECTION,
    OnusState,
    Structure,
    other,
)
from .table import body, difficult, holder, laid, near_shape, shape_of, structure_patch, touching, units_on

FARTHER = 6 * UNIT  # how far from a fallen bridge its unit looks for a place


# --- where a unit is on a bridge -----------------------------------------------------------------


def pose_on(bridge: Structure, turn: int, way: int) -> Pose:
    """The pose of a unit whose front is so far on a bridge, counted from the bank that it came from."""
    middle = Pose(bridge.pose.x, bridge.pose.y, turn)
    return plane.moved(middle, 0, way - bridge.size.depth / 2 - CARD.depth / 2)


def bank(state: OnusState, i: int, n: int) -> int | None:
    """O3.bridge.choke-reference: at which end a unit lies against a bridge: the direction across; or None."""
    bridge = state.roster.structures[n]
    pose, _ = body(state, i)
    _, onward = plane.seen(bridge.pose, (pose.x, pose.y))
    turn = bridge.pose.turn if onward < 0 else (bridge.pose.turn + FULL // 2) % FULL
    end = plane.card(pose_on(bridge, turn, 0), Size(bridge.size.front, CARD.depth))
    fits = plane.touches(shape_of(state, i), bridge.shape) and end.intersects(shape_of(state, i, TOLERANCE))
    return turn if fits else None


def sections_wide(state: OnusState, i: int) -> int:
    """O3.bridge.width O3.bridge.markers O3.bridge.example: the sections that fight on a bridge, 1 or 2."""
    return round(state.roster.structures[state.inside[i]].size.front / SECTION)


def bridge_of(state: OnusState, name: str) -> int:
    n = state.roster.structure_index.get(name, NOBODY)
    usable = n >= 0 and not state.gone[n] and state.roster.structures[n].kind in BRIDGES
    return n if usable else NOBODY


def mount_bars(state: OnusState, i: int, n: int) -> Iterator[Refusal]:
    """O3.choke.when: who may set its sections on a bridge: one unit at a time, from its end."""
    values: Values = {"unit": state.roster.units[i].id, "structure": state.roster.structures[n].id}
    if bank(state, i, n) is None:
        yield Refusal("O3.choke.when", "refusal.not_at_bridge", values)
    if holder(state, n) >= 0:
        yield Refusal("O3.choke.when", "refusal.bridge_taken", values)


def mount(play: Play, i: int, n: int) -> None:
    """O3.choke.when O3.bridge.markers: aligned with a bridge, its first sections are on it."""
    state: OnusState = play.state
    turn = bank(state, i, n)
    assert turn is not None
    state.where[i], state.inside[i], state.way[i], state.wings[i] = CROSSING, n, SECTION, 0
    state.pose[i] = pose_on(state.roster.structures[n], turn, SECTION)
    unit, bridge = state.roster.units[i].id, state.roster.structures[n].id
    play.tell("O3.choke.when", "event.mounts_bridge", unit=unit, structure=bridge)


# --- going across --------------------------------------------------------------------------------


class Cross(Piece, frozen=True):
    """O3.bridge.movement O3.choke.free-way: on over a bridge, a limited move; backwards a reduced one."""

    distance: int

    def mode(self, state: OnusState, i: int) -> str:
        return REDUCED if self.distance < 0 else REGULAR

    def path(self, state: OnusState, i: int) -> Path | None:
        if state.where[i] != CROSSING or not 0 < abs(self.distance) <= 2000:
            return None
        bridge = state.roster.structures[state.inside[i]]
        way = max(0, state.way[i] + self.distance)
        end = pose_on(bridge, state.pose[i].turn, way)
        off = way == 0 or way >= bridge.size.depth + CARD.depth
        cost = abs(way - state.way[i])
        stations = (state.pose[i], end)
        dearer = rough_way(state, i, stations, cost)
        return Path(stations, cost + dearer, dearer > 0, "O3.bridge.movement", FIELD if off else CROSSING)

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        name: Values = {"unit": state.roster.units[i].id}
        path = self.path(state, i)
        if path is None:
            yield Refusal("O3.choke.when", "refusal.not_on_bridge", name)
            return
        if state.backward and self.distance > 0:
            yield Refusal("OH.order.8", "refusal.only_back", name)
        yield from moving.cost_bars(state, path, self.mode(state, i))
        if self.distance > 0 and held(state, i):
            yield Refusal("O3.bridge.width", "refusal.engaged", name)
        if is_blocked(state, i, path):
            yield Refusal("O3.choke.free-way", "refusal.in_the_way", name)
        elif path.where == FIELD and not has_room(state, i, path.end):
            yield Refusal("O3.choke.free-way", "refusal.no_room_beyond", name)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        moving: OnTheMove = play.taken
        i = moving.unit
        path = self.path(state, i)
        assert path is not None
        if path.where == FIELD:
            come_off(state, i)
        else:
            state.way[i] = max(0, state.way[i] + self.distance)
        moving.go(play, path, self.mode(state, i))


def come_off(state: OnusState, i: int) -> None:
    """O3.choke.free-way: all of a unit is beyond the bridge, or back on its bank."""
    state.where[i], state.inside[i], state.way[i] = FIELD, NOBODY, 0
    state.flags[i] |= EMERGED


def held(state: OnusState, i: int) -> bool:
    foes = units_on(state, other(state.roster.units[i].side))
    return any(touching(state, i, j) for j in foes)


def rough_way(state: OnusState, i: int, stations: tuple[Pose, Pose], distance: int) -> int:
    """O2.difficult.cost: how much of a way of markers leads through difficult ground."""
    old, new = stations
    size = body(state, i)[1]
    box = plane.way_box(old, new, size)
    spans = [
        span
        for patch in near(difficult(state), box)
        for span in plane.over(old, size, (new.x - old.x, new.y - old.y), patch.points)
    ]
    return round(sum(high - low for low, high in plane.joined(sorted(spans))) * distance)


def is_blocked(state: OnusState, i: int, path: Path) -> bool:
    """O3.choke.free-way: an enemy or a tower is in the way of the markers, or a friend at its end."""
    old, new = path.stations[0], path.end
    size = body(state, i)[1]
    box = plane.way_box(old, new, size)
    way = (new.x - old.x, new.y - old.y)
    units, side = state.roster.units, state.roster.units[i].side
    for j, patches in laid(state).items():
        if j == i or state.where[j] == INSIDE or touching(state, i, j):
            continue
        start, step, inset = (old, way, -TOLERANCE) if units[j].side != side else (new, (0, 0), TOLERANCE)
        if any(plane.over(start, size, step, patch.points, inset) for patch in near(patches, box, 9)):
            return True
    walls = [structure_patch(state, n) for n in closed(state, i)]
    return any(plane.over(old, size, way, patch.points) for patch in near(walls, box))


# --- charging off a bridge -----------------------------------------------------------------------


def lane(state: OnusState, i: int) -> Patch:
    """The way off a bridge, as wide as it is and as deep as a card."""
    bridge = state.roster.structures[state.inside[i]]
    pose = pose_on(bridge, state.pose[i].turn, bridge.size.depth + CARD.depth)
    return plane.patch(pose, Size(bridge.size.front, CARD.depth))


def blocks(state: OnusState, i: int, j: int) -> bool:
    """O3.bridge.markers O3.choke.partial-block: an enemy closes the way off a bridge in all its width."""
    bridge = state.roster.structures[state.inside[i]]
    way = lane(state, i)
    if not any(plane.meet(way.box, patch.box) for patch in laid(state)[j]):
        return False
    common = shape_of(state, j).intersection(way.shape)
    marks = [plane.seen(state.pose[i], (x, y))[0] for x, y in shapely.get_coordinates(common)]
    if not marks:
        return False
    return max(marks) - min(marks) >= bridge.size.front - 2 * TOLERANCE


def run_off(state: OnusState, i: int, j: int) -> Path | None:
    """O3.bridge.width O3.choke.partial-block: the way of a charge from a bridge; None if there is none."""
    if state.where[j] != FIELD:
        return None
    if blocks(state, i, j):
        return _meet_narrow(state, i, j)
    return _spread(state, i, j)


def _meet_narrow(state: OnusState, i: int, j: int) -> Path | None:
    """O3.bridge.width O3.bridge.defender-not-facing: on the width of the bridge, if the enemy faces it."""
    start = state.pose[i]
    size, far = body(state, i)[1], 4 * UNIT
    end = ahead(start, 0, far)
    way = (end.x - start.x, end.y - start.y)
    spans = [span for patch in laid(state)[j] for span in plane.over(start, size, way, patch.points, 0)]
    if not spans:
        return None
    distance = int(min(low for low, _ in spans) * far)
    stop = ahead(start, 0, distance)
    if plane.seen_side(*body(state, j), plane.at(start, 0, CARD.depth / 2)) != FRONT:
        return _placed(state, i, j, stop, distance)
    return Path((start, stop), distance, limited="O3.bridge.movement", where=CROSSING)


def _spread(state: OnusState, i: int, j: int) -> Path | None:
    """O3.choke.partial-block: off the bridge in all its width, against an enemy beside the way."""
    bridge = state.roster.structures[state.inside[i]]
    start = state.pose[i]
    distance = meeting(state, i, j, start, 4 * UNIT)
    if distance < 0 or state.way[i] + distance < bridge.size.depth:
        return None
    others = [k for k in units_on(state, other(state.roster.units[i].side)) if k != j]
    firsts = [meeting(state, i, k, start, 4 * UNIT) for k in others]
    if any(0 <= first < distance - 2 * TOLERANCE for first in firsts):
        return None  # another one is met first
    return _placed(state, i, j, ahead(start, 0, distance), distance)


def _placed(state: OnusState, i: int, j: int, stop: Pose, distance: int) -> Path | None:
    """O3.choke.overlap O3.choke.example: with as many sections as can be, over the river if need be."""
    target = near_shape(state, j)
    solid = [patch for k, found in laid(state).items() if k not in (i, j) for patch in found]
    solid += [structure_patch(state, n) for n in closed(state, i)]
    most, best = 0, stop
    for end in squarings(state, i, j, stop):
        number = len(plane.against(end, CARD, FRONT, SECTION, LEAST, target))
        if number > most and not leaves_table(state, i, end) and not swept(state, i, (end, end), solid):
            most, best = number, end
        if most == CARD.front // SECTION:
            break
    return Path((state.pose[i], stop, best), distance, limited="O3.bridge.movement") if most else None


# --- a bridge falls ------------------------------------------------------------------------------


def bridge_falls(play: Play, n: int) -> None:
    """O3.bridge.destroyed: its unit goes back to its bank; a wound for each section, and a check."""
    state: OnusState = play.state
    i = holder(state, n)
    if i < 0 or state.where[i] != CROSSING:
        return
    wounds = sections_wide(state, i)
    unit = state.roster.units[i].id
    if not to_bank(state, i):
        destroy(play, i, "O3.bridge.destroyed")
        return
    play.tell("O3.bridge.destroyed", "event.back_to_bank", unit=unit)
    wound(play, i, wounds, "O6.razed.wounds")
    play.then(MoraleCheck(i))


def to_bank(state: OnusState, i: int) -> bool:
    """O3.bridge.destroyed: to the nearest free place on the bank from which it came; False without any."""
    bridge = state.roster.structures[state.inside[i]]
    home = pose_on(bridge, state.pose[i].turn, 0)
    come_off(state, i)
    state.flags[i] &= ~EMERGED
    steps = range(FARTHER // SECTION + 1)
    shifts = [sign * SECTION * n for n in steps for sign in (1, -1)]
    places = {(along**2 + (SECTION * n) ** 2, along, SECTION * n) for n in steps for along in shifts}
    for _, along, back in sorted(places):
        pose = plane.moved(home, along, -back)
        if has_room(state, i, pose):
            state.pose[i] = pose
            return True
    return False
