"""3 Choke points: over a bridge, through a gate or a breach, section by section, and the fight beyond."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from typing import Final

import shapely

from ...kernel import Play, Refusal, Values
from ...kernel.objects import replace
from ...parts import plane
from ...parts.plane import FRONT, FULL, TOLERANCE, UNIT, Patch, Pose, Size
from .choke import HALF, approach, is_hindered, is_in_way, ways
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
from .passages import passage_at, passage_of, passages
from .pieces import OnTheMove, Piece
from .state import (
    BRIDGES,
    CARD,
    CROSSING,
    EMERGED,
    FIELD,
    LEAST,
    NOBODY,
    SECTION,
    OnusState,
    other,
)
from .table import body, difficult, holder, laid, near_shape, shape_of, touching, units_on
from .walls import crosses, is_clear, pieces, solid_patches

FARTHER = 6 * UNIT  # how far from a fallen bridge its unit looks for a place
RUN = 4 * UNIT  # no charge out of a passage is longer


# --- onto a bridge -------------------------------------------------------------------------------


def bank(state: OnusState, i: int, n: int) -> int | None:
    """O3.bridge.choke-reference: at which end a unit lies against a bridge: the direction across; or None."""
    passage = passages(state, n)[0]
    pose, _ = body(state, i)
    _, onward = plane.seen(passage.place, (pose.x, pose.y))
    turn = passage.place.turn if onward < 0 else (passage.place.turn + FULL // 2) % FULL
    end = plane.card(passage.pose_at(turn, 0), passage.markers)
    fits = plane.touches(shape_of(state, i), passage.patch.shape)
    return turn if fits and end.intersects(shape_of(state, i, TOLERANCE)) else None


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
        yield Refusal("O3.choke.when", "refusal.passage_taken", values)


def mount(play: Play, i: int, n: int) -> None:
    """O3.choke.when O3.bridge.markers: aligned with a bridge, its first sections are on it."""
    state: OnusState = play.state
    turn = bank(state, i, n)
    assert turn is not None
    state.where[i], state.inside[i], state.way[i], state.wings[i] = CROSSING, n, SECTION, 0
    state.pose[i] = passage_at(state, n, turn).pose_at(turn, SECTION)
    unit, bridge = state.roster.units[i].id, state.roster.structures[n].id
    play.tell("O3.choke.when", "event.in_passage", unit=unit, structure=bridge)


def sections_wide(state: OnusState, i: int) -> int:
    """O3.bridge.width O3.bridge.markers O3.bridge.example: the sections that fit into its passage."""
    return passage_of(state, i).sections


# --- going on ------------------------------------------------------------------------------------


def clause_of(state: OnusState, n: int) -> str:
    """What makes the way through a passage a limited move."""
    return "O3.bridge.movement" if state.roster.structures[n].kind in BRIDGES else "O3.choke.free-way"


class Cross(Piece):
    """O3.bridge.movement O3.choke.free-way: on through a passage, a limited move; backwards a reduced one."""

    def __init__(self, distance: int) -> None:
        self.distance: Final = distance

    def mode(self, state: OnusState, i: int) -> str:
        return REDUCED if self.distance < 0 else REGULAR

    def path(self, state: OnusState, i: int) -> Path | None:
        if state.where[i] != CROSSING or not 0 < abs(self.distance) <= 2000:
            return None
        passage, start = passage_of(state, i), state.pose[i]
        way = max(0, state.way[i] + self.distance)
        end = passage.pose_at(start.turn, way)
        cost = abs(way - state.way[i])
        dearer = rough_way(state, i, (start, end), cost)
        where = FIELD if way == 0 or way >= passage.length else CROSSING
        n = state.inside[i]
        return Path((start, end), cost + dearer, dearer > 0, clause_of(state, n), where, n)

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        name: Values = {"unit": state.roster.units[i].id}
        path = self.path(state, i)
        if path is None:
            yield Refusal("O3.choke.when", "refusal.not_in_passage", name)
            return
        if state.backward and self.distance > 0:
            yield Refusal("OH.order.8", "refusal.only_back", name)
        yield from moving.cost_bars(state, path, self.mode(state, i))
        if self.distance > 0 and held(state, i):
            yield Refusal("O3.bridge.width", "refusal.engaged", name)
        if is_in_way(state, i, passage_of(state, i), *path.stations):
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
        moving.go(play, path, self.mode(state, i))


def come_off(state: OnusState, i: int) -> None:
    """O3.choke.free-way: all of a unit is beyond the passage, or back where it came from."""
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


# --- charging out of a passage -------------------------------------------------------------------


def lane(state: OnusState, i: int) -> Patch:
    """O3.choke.partial-block: where an enemy blocks the way: beyond a bridge as deep as a card.

    Beyond a gate or a breach only right at it: who leaves a structure may lie over it (O4.exit-overlap.when).
    """
    passage, turn = passage_of(state, i), state.pose[i].turn
    deep = CARD.depth if state.roster.structures[passage.structure].kind in BRIDGES else TOLERANCE
    pose = plane.moved(passage.pose_at(turn, passage.size.depth), 0, HALF + deep / 2)
    return plane.patch(pose, Size(passage.size.front, deep))


def blocks(state: OnusState, i: int, j: int) -> bool:
    """O3.bridge.markers O3.choke.partial-block: an enemy closes the way out in all its width."""
    way = lane(state, i)
    if not any(plane.meet(way.box, patch.box) for patch in laid(state)[j]):
        return False
    common = shape_of(state, j).intersection(way.shape)
    marks = [plane.seen(state.pose[i], (x, y))[0] for x, y in shapely.get_coordinates(common)]
    if not marks:
        return False
    return max(marks) - min(marks) >= passage_of(state, i).size.front - 2 * TOLERANCE


def run_off(state: OnusState, i: int, j: int) -> Path | None:
    """O3.bridge.width O3.choke.partial-block: the way of a charge out of a passage; None if there is none."""
    if state.where[j] != FIELD:
        return None
    if blocks(state, i, j):
        return _meet_narrow(state, i, j)
    return _spread(state, i, j)


def run_through(state: OnusState, i: int, j: int) -> Path | None:
    """O3.choke.partial-block O4.wall.breach-defended: a charge from before a gate or a breach through it."""
    if state.where[i] != FIELD or state.where[j] != FIELD:
        return None
    start = state.pose[i]
    leg = plane.at(start, 0, HALF), plane.at(start, 0, HALF + RUN)
    for gap, passage in ways(state, i):
        turn = passage.towards(start.turn)
        if turn is None or not crosses(leg, passage.patch) or holder(state, gap.structure) >= 0:
            continue
        mouth = approach(passage, start, turn)
        if is_hindered(state, i, passage, (start, mouth), j):
            continue
        inside = state.copy()
        inside.where[i], inside.inside[i], inside.way[i], inside.wings[i] = CROSSING, gap.structure, 0, 0
        inside.pose[i] = passage.pose_at(turn, 0)
        path = run_off(inside, i, j)
        if path is not None:
            cost = path.cost + _apart(start, mouth)
            return replace(path, stations=(start, *path.stations), cost=cost, limited=gap.clause)
    return None


def _apart(a: Pose, b: Pose) -> int:
    return round(hypot(a.x - b.x, a.y - b.y))


def _meet_narrow(state: OnusState, i: int, j: int) -> Path | None:
    """O3.bridge.width O3.bridge.defender-not-facing: on the width of the passage, if the enemy faces it."""
    start, passage = state.pose[i], passage_of(state, i)
    end = ahead(start, 0, RUN)
    way = (end.x - start.x, end.y - start.y)
    size = passage.markers
    spans = [span for patch in laid(state)[j] for span in plane.over(start, size, way, patch.points, 0)]
    if not spans:
        return None
    distance = int(min(low for low, _ in spans) * RUN)
    stop = ahead(start, 0, distance)
    if plane.seen_side(*body(state, j), plane.at(start, 0, HALF)) != FRONT:
        found = _placed(state, i, j, stop, distance)
        if found is not None:
            return found
    clause = clause_of(state, passage.structure)
    return Path((start, stop), distance, limited=clause, where=CROSSING, passage=passage.structure)


def _spread(state: OnusState, i: int, j: int) -> Path | None:
    """O3.choke.partial-block: out of the passage in all its width, against an enemy beside the way."""
    passage, start = passage_of(state, i), state.pose[i]
    distance = meeting(state, i, j, start, RUN)
    if distance < 0:
        return None
    others = [k for k in units_on(state, other(state.roster.units[i].side)) if k != j]
    firsts = [meeting(state, i, k, start, RUN) for k in others]
    if any(0 <= first < distance - 2 * TOLERANCE for first in firsts):
        return None  # another one is met first
    stop = ahead(start, 0, distance)
    if is_in_way(state, i, passage, start, stop, (j, *others)):
        return None
    return _placed(state, i, j, stop, distance)


def _placed(state: OnusState, i: int, j: int, stop: Pose, distance: int) -> Path | None:
    """O3.choke.overlap O3.choke.example: with as many sections as can be, over the river if need be."""
    n = state.inside[i]
    found = formed_up(state, i, j, stop, (n,))
    if found is None:
        return None
    end, _ = found
    return Path((state.pose[i], stop, end), distance, limited=clause_of(state, n), passage=n)


def formed_up(state: OnusState, i: int, j: int, stop: Pose, left: Sequence[int]) -> tuple[Pose, int] | None:
    """O3.choke.overlap O4.exit-overlap.when: where a card lies with most sections against an enemy.

    It may lie over what it is leaving (one of ``left``, which is told), and over walls of the fortress with
    sections that then do not fight; over nobody else's card and nothing else.
    """
    target = near_shape(state, j)
    solid = [patch for k, found in laid(state).items() if k not in (i, j) for patch in found]
    fort = pieces(state) if left[0] in pieces(state) else ()
    spared = (*fort, state.inside[i])
    solid += [patch for n in closed(state, i) if n not in spared for patch in solid_patches(state, n)]
    most: int = 0
    best: tuple[Pose, int] | None = None
    for end in squarings(state, i, j, stop):
        found = plane.against(end, CARD, FRONT, SECTION, LEAST, target)
        if len(found) <= most or leaves_table(state, i, end) or swept(state, i, (end, end), solid):
            continue
        for n in left:
            clear = [k for k in found if not fort or is_clear(state, end, FRONT, k, n)]
            if len(clear) > most:
                most, best = len(clear), (end, n)
        if most == CARD.front // SECTION:
            break
    return best


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
    home = passage_of(state, i).pose_at(state.pose[i].turn, 0)
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
