"""3 Choke points: a straight move that ends in a gate or a breach goes on section markers.

How a unit goes on from there, and how it charges, is in ``crossing``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...kernel import Play, Refusal, Values
from ...parts import plane
from ...parts.plane import TOLERANCE, Patch, Pose
from .motion import Path, closed, friends_on, near, swept, walls
from .passages import Passage, passage_at, passages
from .state import CARD, CROSSING, FIELD, INSIDE, NOBODY, OnusState
from .table import holder, laid, touching, units_in
from .walls import Opening, beside, crosses, openings, pieces, solid_patches

HALF = CARD.depth / 2


def ways(state: OnusState, i: int) -> list[tuple[Opening, Passage]]:
    """O4.gate.pass O4.wall.breach-move: the gates and breaches that a unit may use, with their passages."""
    if state.roster.keep is None:
        return []
    gaps = openings(state, state.roster.units[i].side, i)
    return [(gap, passage) for gap in gaps for passage in passages(state, gap.structure)]


def sides(state: OnusState, n: int) -> list[Patch]:
    """O3.choke.overlap: what hinders nobody in a passage: what is left of its piece, and its neighbours."""
    if n not in pieces(state):
        return []
    return beside(state, [Opening(n, "", state.roster.structures[n].patch)])


# --- into it -------------------------------------------------------------------------------------


def squeezed(state: OnusState, i: int, path: Path) -> Path:
    """O3.choke.when: a move straight on or back that ends where the card does not fit ends on markers.

    The middle of the edge that leads must come into the passage; aligning with it is free (O2.facing-free).
    """
    start, end = path.stations
    if state.where[i] != FIELD or start == end:
        return path
    lead = _leading(start, end)
    for gap, passage in ways(state, i) if lead else ():
        turn = passage.towards(start.turn)
        leg = plane.at(start, 0, lead), plane.at(end, 0, lead)
        if turn is None or not crosses(leg, passage.patch):
            continue
        way = round(passage.way_of(turn, plane.at(end, 0, HALF))[1])
        if not 0 < way < passage.length or not swept(state, i, (end, end), sides(state, gap.structure)):
            continue
        stations = (start, passage.pose_at(turn, way))
        return Path(stations, path.cost, path.ground, gap.clause, CROSSING, gap.structure)
    return path


def _leading(start: Pose, end: Pose) -> float:
    """Where the edge that leads is, ahead of the middle of a card; 0 if it goes neither straight nor back."""
    across, ahead = plane.seen(start, (end.x, end.y))
    if abs(across) > TOLERANCE:
        return 0
    return HALF if ahead > 0 else -HALF


def entry_bars(state: OnusState, i: int, path: Path) -> Iterator[Refusal]:
    """O3.choke.when O3.choke.free-way: who may go into a passage: one unit, if nobody is in its way."""
    n = path.passage
    names: Values = {"unit": state.roster.units[i].id, "structure": state.roster.structures[n].id}
    if holder(state, n) >= 0:
        yield Refusal("O3.choke.when", "refusal.passage_taken", names)
    start, end = path.stations[0], path.end
    passage = passage_at(state, n, end.turn)
    back = abs(plane.between(plane.bearing((start.x, start.y), (end.x, end.y)), end.turn)) > plane.RIGHT_ANGLE
    mouth = passage.pose_at(end.turn, passage.length if back else 0)
    if is_hindered(state, i, passage, (start, approach(passage, start, end.turn, back))) or is_in_way(
        state, i, passage, mouth, end
    ):
        yield Refusal("O3.choke.free-way", "refusal.in_the_way", names)


def approach(passage: Passage, start: Pose, turn: int, back: bool = False) -> Pose:
    """Where a card is whose leading edge has come to the end of a passage."""
    lead = -HALF if back else HALF
    along = passage.way_of(turn, plane.at(start, 0, lead))[1]
    gap = along - passage.size.depth if back else -along
    slope = plane.cosine(plane.between(start.turn, turn)) / 10**9
    distance = max(0.0, gap / slope)
    return plane.moved(start, 0, -distance if back else distance)


def is_hindered(
    state: OnusState, i: int, passage: Passage, stations: tuple[Pose, Pose], spare: int = NOBODY
) -> bool:
    """Something is in the way of a card up to a passage, but for what is beside it."""
    free = sides(state, passage.structure)
    here = swept(state, i, (stations[0], stations[0]), walls(state, i, spare))
    met = swept(state, i, stations, walls(state, i, spare))
    return any(patch not in free and patch not in here for patch in met)


def friends_met(state: OnusState, i: int, path: Path) -> list[int]:
    """OH.move.8: the friends through whom a unit goes; in a passage only its markers do."""
    if path.passage == NOBODY:
        return friends_on(state, i, path.stations)
    start = path.stations[0]
    passage = passage_at(state, path.passage, start.turn)
    turn = passage.towards(start.turn)
    found = []
    if state.where[i] == FIELD and turn is not None:
        found = friends_on(state, i, (start, approach(passage, start, turn)))
    side, size = state.roster.units[i].side, passage.markers
    for a, b in pairwise(path.stations):
        if a.turn != b.turn:
            continue
        box, way = plane.way_box(a, b, size), (b.x - a.x, b.y - a.y)
        for j in units_in(state, box, 0, side):
            if j != i and state.where[j] != INSIDE and j not in found:
                met = any(plane.over(a, size, way, patch.points) for patch in laid(state)[j])
                found += [j] if met else []
    return found


def enter(play: Play, i: int, path: Path) -> None:
    """O3.choke.when: the unit is shown by markers; an extended one closes up."""
    state: OnusState = play.state
    if state.where[i] == FIELD:
        structure = state.roster.structures[path.passage].id
        play.tell("O3.choke.when", "event.in_passage", unit=state.roster.units[i].id, structure=structure)
    turn = path.end.turn
    passage = passage_at(state, path.passage, turn)
    state.where[i], state.inside[i], state.wings[i] = CROSSING, path.passage, 0
    state.pose[i] = path.end
    state.way[i] = round(passage.way_of(turn, plane.at(path.end, 0, HALF))[1])


# --- in it ---------------------------------------------------------------------------------------


def is_in_way(
    state: OnusState, i: int, passage: Passage, old: Pose, new: Pose, spared: Sequence[int] = ()
) -> bool:
    """O3.choke.free-way: an enemy or a tower is in the way of the markers, or a friend at its end."""
    size = passage.markers
    box = plane.way_box(old, new, size)
    way = (new.x - old.x, new.y - old.y)
    units, side = state.roster.units, state.roster.units[i].side
    for j, patches in laid(state).items():
        if j == i or j in spared or state.where[j] == INSIDE or touching(state, i, j):
            continue
        start, step, inset = (old, way, -TOLERANCE) if units[j].side != side else (new, (0, 0), TOLERANCE)
        if any(plane.over(start, size, step, patch.points, inset) for patch in near(patches, box, 9)):
            return True
    free = sides(state, passage.structure)
    shut = [patch for n in closed(state, i) for patch in solid_patches(state, n) if patch not in free]
    return any(plane.over(old, size, way, patch.points) for patch in near(shut, box))
