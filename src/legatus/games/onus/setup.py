"""8 The table: both sides deploy, the defender first; then hands are dealt and the attacker begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shapely import box

from ...kernel import Action, Message, Play, Refusal, Step, Values
from ...parts import plane
from ...parts.plane import FULL, TOLERANCE, UNIT, Pose
from . import footing
from .entering import go_in
from .hidden import hide
from .orders import Done, Unfinished
from .scenario import BESIEGER
from .sorts import TOWER
from .state import (
    CARD,
    FIELD,
    MOUNTED,
    NOBODY,
    RESERVE,
    SEATS,
    SECTION,
    SIEGE,
    SIEGE_TOWER,
    WALLS,
    WATCHTOWER,
    OnusState,
)
from .table import holder, standing
from .walls import friends_at, lay, lies_within, manning

FACING = (0, FULL // 2)  # the attacker comes from the south
ATTACKER, DEFENDER = 0, 1
AWAY = BESIEGER  # OH.field.2 O7.deploy.depth: so far from the walls a besieger begins
GAP = 22  # between cards that are drawn up by themselves
ROWS = 3


def zone(state: OnusState, seat: int) -> tuple[int, int, int, int]:
    """OH.field.2: left, top, right, bottom."""
    x, y, width, height = state.roster.zones[seat]
    return x, y, x + width, y + height


def waiting(state: OnusState, seat: int) -> list[int]:
    units = state.roster.units
    return [i for i, unit in enumerate(units) if unit.side == seat and state.where[i] == RESERVE]


def own_unit(state: OnusState, name: str) -> int:
    """A unit of the side that deploys, or -1."""
    decision, i = state.decision, state.roster.index.get(name, NOBODY)
    if i < 0 or decision is None or state.roster.units[i].side != decision.seat:
        return NOBODY
    return i


def is_central(state: OnusState) -> bool:
    """O7.deploy.fortress: a fortress with room for the attacker on every side of it."""
    keep = state.roster.keep
    if keep is None:
        return False
    left, top, right, bottom = keep.shape.bounds
    room = AWAY + CARD.depth
    return min(left, top, state.roster.width - right, state.roster.height - bottom) >= room


def zones(state: OnusState, seat: int) -> list[tuple[int, int, int, int]]:
    """OH.field.2 O7.deploy.fortress: the strip along the own edge; around a central fortress all edges."""
    if seat != ATTACKER or not is_central(state):
        return [zone(state, seat)]
    width, height = state.roster.width, state.roster.height
    deep = state.roster.zones[seat][3]
    return [
        zone(state, seat),
        (0, 0, width, deep),
        (0, 0, deep, height),
        (width - deep, 0, width, height),
    ]


def zone_bars(state: OnusState, i: int, pose: Pose) -> Iterator[Refusal]:
    """OH.field.2 O7.deploy.defender O7.deploy.depth: in the own zone, far from the walls, or within them."""
    side, keep = state.roster.units[i].side, state.roster.keep
    name: Values = {"unit": state.roster.units[i].id}
    shape = plane.card(pose, CARD, TOLERANCE)
    within = side == DEFENDER and lies_within(state, pose)
    if not within and not any(box(*one).covers(shape) for one in zones(state, side)):
        yield Refusal("OH.field.2", "refusal.outside_zone", name)
    if keep and side == ATTACKER and plane.apart(plane.card(pose, CARD), keep.shape) < AWAY - TOLERANCE:
        yield Refusal("OH.field.2", "refusal.near_walls", name | {"far": AWAY // UNIT})


def bars(state: OnusState, i: int, pose: Pose) -> Iterator[Refusal]:
    """OH.field.2 O3.impassable: where a unit may not be drawn up."""
    yield from zone_bars(state, i, pose)
    yield from footing.bars(state, i, pose)


class Place(Action):
    """OH.field.2: a unit is drawn up in the zone of its side; while one deploys it may be moved again."""

    def __init__(self, unit: str, x: int, y: int, turn: int) -> None:
        self.unit: Final = unit
        self.x: Final = x
        self.y: Final = y
        self.turn: Final = turn

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        i = own_unit(state, self.unit)
        if i < 0:
            yield Refusal("OH.field.2", "refusal.not_yours", {"unit": self.unit})
        elif not (0 <= self.turn < FULL and max(abs(self.x), abs(self.y)) < 10_000):
            yield Refusal("OH.field.2", "refusal.outside_zone", {"unit": self.unit})
        else:
            yield from bars(state, i, Pose(self.x, self.y, self.turn))

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i = state.roster.index[self.unit]
        put(state, i, Pose(self.x, self.y, self.turn))
        if state.hidden[i]:
            seat = play.taken.seat
            play.tell("O7.deploy.defender", "event.deploys_hidden", to=seat, side=SEATS[seat])
        else:
            play.tell("OH.field.2", "event.deploys", unit=self.unit)
        play.then(play.taken)

    def clicks(self) -> tuple[str, ...]:
        return (self.unit,)


def put(state: OnusState, i: int, pose: Pose) -> None:
    """O7.deploy.defender O7.deploy.attacker: face up, but for defenders inside who man nothing."""
    state.where[i], state.inside[i], state.pose[i] = FIELD, NOBODY, pose
    lay(state, i)
    hide(state)


class Garrison(Action):
    """O4.watchtower.deployment O4.siege-tower.deployment O7.deploy.defender: in an own tower."""

    def __init__(self, unit: str, structure: str) -> None:
        self.unit: Final = unit
        self.structure: Final = structure

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        i = own_unit(state, self.unit)
        n = state.roster.structure_index.get(self.structure, NOBODY)
        if i < 0:
            yield Refusal("OH.field.2", "refusal.not_yours", {"unit": self.unit})
        elif n not in towers(state, state.roster.units[i].side):
            yield Refusal("O4.watchtower.deployment", "refusal.no_tower", {"structure": self.structure})
        else:
            if holder(state, n) not in (NOBODY, i):
                yield Refusal("O4.watchtower.values", "refusal.held", {"structure": self.structure})
            if MOUNTED in state.roster.units[i].kind.traits:
                yield Refusal("OH.trait.5", "refusal.no_boarding", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        install(state, state.roster.index[self.unit], state.roster.structure_index[self.structure])
        play.tell("O4.watchtower.deployment", "event.occupies", unit=self.unit, structure=self.structure)
        play.then(play.taken)


def install(state: OnusState, i: int, n: int) -> None:
    """O4.tower.marker O4.unit-markers.twin: a unit begins in a tower."""
    go_in(state, i, n)
    state.pose[i] = Pose(state.pose[i].x, state.pose[i].y, FACING[state.roster.units[i].side])
    hide(state)


def towers(state: OnusState, seat: int) -> list[int]:
    """The towers of the own fortress, siege towers, and the watchtowers of a zone."""
    field = [box(*one) for one in zones(state, seat)]
    structures = state.roster.structures
    found = [n for n in standing(state, (TOWER, SIEGE_TOWER)) if structures[n].owner == seat]
    watch = standing(state, (WATCHTOWER,))
    return found + [n for n in watch if any(one.covers(structures[n].inner) for one in field)]


class Arrange(Action):
    """OH.field.2: all that still wait are drawn up in rows, as well as the ground allows."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        if decision is None:
            return
        rest = waiting(state, decision.seat)
        if not rest:
            yield Refusal("OH.field.2", "refusal.all_placed")
        elif not any(has_place(state, i) for i in rest):
            yield Refusal("OH.field.2", "refusal.no_room", {"unit": state.roster.units[rest[0]].id})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        rest = waiting(state, play.taken.seat)
        for i in rest:
            draw_up(state, i)
        shuffle(play, [i for i in rest if state.hidden[i]])
        play.tell("OH.field.2", "event.deploys_all", side=SEATS[play.taken.seat])
        play.then(play.taken)


def shuffle(play: Play, units: list[int]) -> None:
    """O4.hidden.who: chance says which of them lies where, or the order of the army would betray it."""
    state: OnusState = play.state
    names, left = tuple(state.roster.units[i].id for i in units), [1] * len(units)
    for pose in [state.pose[i] for i in units]:
        n = play.draw(left, names) if sum(left) > 1 else left.index(1)
        left[n], state.pose[units[n]] = 0, pose
    hide(state)


def free_towers(state: OnusState, i: int) -> list[int]:
    """The empty towers in which a shooter can begin."""
    kind = state.roster.units[i].kind
    if not kind.shoots or MOUNTED in kind.traits:
        return []
    return [n for n in towers(state, state.roster.units[i].side) if holder(state, n) < 0]


def has_place(state: OnusState, i: int) -> bool:
    return bool(free_towers(state, i)) or next(slots(state, i), None) is not None


def draw_up(state: OnusState, i: int) -> None:
    """Shooters into towers, foot to the walls, all others where there is room."""
    free = free_towers(state, i)
    if free:
        install(state, i, min(free, key=lambda n: _exposure(state, n)))
        return
    pose = next(slots(state, i), None)
    if pose is not None:
        put(state, i, pose)


def _exposure(state: OnusState, n: int) -> tuple[int, int]:
    """The pieces that look to the attacker first, from the middle outwards."""
    structure = state.roster.structures[n]
    away = abs(plane.between(structure.pose.turn, FACING[DEFENDER]))
    spot, (left, _, right, _) = state.spots[n], zone(state, ATTACKER)
    return (away if structure.kind in WALLS else -spot.y), abs(spot.x - (left + right) // 2)


def slots(state: OnusState, i: int) -> Iterator[Pose]:
    """Where a unit can be drawn up: behind the walls, in the court, over others there, and in rows."""
    if state.roster.keep and state.roster.units[i].side == DEFENDER:
        yield from wall_slots(state, i)
        yield from court_slots(state, i)
        yield from wall_slots(state, i, shared=True)
    yield from rows(state, i)


def wall_slots(state: OnusState, i: int, shared: bool = False) -> Iterator[Pose]:
    """O4.wall.inner-contact O4.mounted.no-defences: foot along the walls, those to the attacker first.

    O2.overlap: ``shared`` with others who stand there.
    """
    traits = state.roster.units[i].kind.traits
    if MOUNTED in traits or SIEGE in traits:
        return
    for n in sorted(standing(state, WALLS), key=lambda n: _exposure(state, n)):
        for pose in manning(state, n):
            if (shared or not friends_at(state, i, pose)) and not any(bars(state, i, pose)):
                yield pose


def court_slots(state: OnusState, i: int) -> Iterator[Pose]:
    """O4.mounted.where: in the interior."""
    keep = state.roster.keep
    assert keep is not None
    left, top, right, bottom = (round(side) for side in keep.court.bounds)
    for y in range(top + CARD.depth // 2 + CARD.depth, bottom, CARD.depth):
        for x in range(left + CARD.front // 2 + SECTION, right, CARD.front):
            pose = Pose(x, y, FACING[DEFENDER])
            if not friends_at(state, i, pose) and not any(bars(state, i, pose)):
                yield pose


def rows(state: OnusState, i: int) -> Iterator[Pose]:
    """In rows from the front of the zone, from the middle outwards; before a siege tower at last."""
    lanes = {pose: is_in_lane(state, i, pose) for pose in _ranks(state, state.roster.units[i].side)}
    for pose in sorted(lanes, key=lambda pose: lanes[pose]):
        if not friends_at(state, i, pose) and not any(bars(state, i, pose)):
            yield pose


def is_in_lane(state: OnusState, i: int, pose: Pose) -> bool:
    """O4.siege-tower.move: true if a card would bar the way of a siege tower of its side."""
    structures = state.roster.structures
    for n in standing(state, (SIEGE_TOWER,)):
        across, onward = plane.seen(state.spots[n], (pose.x, pose.y))
        near = abs(across) < (structures[n].size.front + CARD.front) / 2
        if structures[n].owner == state.roster.units[i].side and near and onward > 0:
            return True
    return False


def _ranks(state: OnusState, seat: int) -> Iterator[Pose]:
    """The places of the rows."""
    left, top, right, bottom = zone(state, seat)
    if state.roster.keep and seat == ATTACKER:
        top = max(top, round(state.roster.keep.shape.bounds[3]) + AWAY)
    middle, pace = (left + right) // 2, CARD.front + GAP
    for row in range(ROWS):
        depth = CARD.depth // 2 + TOLERANCE + row * (CARD.depth + GAP)
        y = top + depth if FACING[seat] == 0 else bottom - depth
        for n in range((right - left) // pace + 1):
            yield Pose(middle + (n + 1) // 2 * pace * (-1 if n % 2 else 1), y, FACING[seat])


class Deploying(Unfinished):
    """OH.field.2 O7.deploy.attacker: one side draws up all its units, then the other."""

    secret = True
    clause = "OH.field.2"
    accepts = (Place, Garrison, Arrange, Done)

    def prompt(self, state: OnusState) -> Message:
        values: Values = {"side": SEATS[self.seat], "number": len(waiting(state, self.seat))}
        return Message("prompt.deploy", values)

    def is_moot(self, state: OnusState) -> bool:
        return not any(unit.side == self.seat and unit.start is None for unit in state.roster.units)

    def duties(self, state: OnusState) -> Iterator[Refusal]:
        """OH.field.2: everybody for whom there is room is drawn up."""
        rest = waiting(state, self.seat)
        if any(has_place(state, i) for i in rest):
            yield Refusal("OH.field.2", "refusal.units_wait", {"number": len(rest)})

    def candidates(self, state: OnusState) -> list[Action]:
        rest = waiting(state, self.seat)
        if not rest:
            return [Done()]
        unit = state.roster.units[rest[0]].id
        some = list(dict.fromkeys(slots(state, rest[0])))
        places: list[Action] = [Place(unit, *pose) for pose in some[:: 1 + len(some) // 8]]
        inside: list[Action] = [
            Garrison(unit, state.roster.structures[n].id) for n in towers(state, self.seat)
        ]
        found = [*places, *inside]
        return [Arrange(), *found, Done()]


class Deployment(Step):
    """O7.deploy.attacker: the defender first; units with a place of their own stand there already."""

    def run(self, play: Play) -> None:
        hide(play.state)
        play.then(Deploying(1), Deploying(0))
