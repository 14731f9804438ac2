"""8 The table: both sides deploy, the defender first; then hands are dealt and the attacker begins."""

from __future__ import annotations

from collections.abc import Iterator

from shapely import box

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from ...parts import plane
from ...parts.plane import FULL, TOLERANCE, Pose
from .motion import others_of
from .orders import Done
from .state import (
    CARD,
    FIELD,
    INSIDE,
    MOUNTED,
    NOBODY,
    RESERVE,
    SEATS,
    WATCHTOWER,
    OnusState,
)
from .table import holder, impassable, standing

FACING = (0, FULL // 2)  # the attacker comes from the south
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
    return i if i >= 0 and decision and state.roster.units[i].side == decision.seat else NOBODY


def bars(state: OnusState, i: int, pose: Pose) -> Iterator[Refusal]:
    """OH.field.2 O3.impassable: where a unit may not be drawn up."""
    name: Values = {"unit": state.roster.units[i].id}
    shape = plane.card(pose, CARD, TOLERANCE)
    if not box(*zone(state, state.roster.units[i].side)).covers(shape):
        yield Refusal("OH.field.2", "refusal.outside_zone", name)
    closed = [state.roster.structures[n].shape for n in standing(state, (WATCHTOWER,))]
    if any(shape.intersects(one) for one in (*impassable(state), *closed)):
        yield Refusal("O3.impassable", "refusal.in_the_way", name)
    if any(shape.intersects(one) for one in others_of(state, i)):
        yield Refusal("OH.move.8", "refusal.on_friend", name)


class Place(Action, frozen=True):
    """OH.field.2: a unit is drawn up in the zone of its side; while one deploys it may be moved again."""

    unit: str
    x: int
    y: int
    turn: int

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
        play.tell("OH.field.2", "event.deploys", unit=self.unit)
        play.then(play.taken)

    def clicks(self) -> tuple[str, ...]:
        return (self.unit,)


def put(state: OnusState, i: int, pose: Pose) -> None:
    state.where[i], state.inside[i], state.pose[i] = FIELD, NOBODY, pose


class Garrison(Action, frozen=True):
    """O4.watchtower.deployment: a unit begins in a watchtower of the zone of its side."""

    unit: str
    structure: str

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
        i, n = state.roster.index[self.unit], state.roster.structure_index[self.structure]
        pose = state.roster.structures[n].pose
        state.where[i], state.inside[i] = INSIDE, n
        state.pose[i] = Pose(pose.x, pose.y, FACING[state.roster.units[i].side])
        play.tell("O4.watchtower.deployment", "event.occupies", unit=self.unit, structure=self.structure)
        play.then(play.taken)


def towers(state: OnusState, seat: int) -> list[int]:
    """The watchtowers of a zone."""
    field = box(*zone(state, seat))
    return [n for n in standing(state, (WATCHTOWER,)) if field.covers(state.roster.structures[n].inner)]


class Arrange(Action, frozen=True):
    """OH.field.2: all that still wait are drawn up in rows, as well as the ground allows."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        if decision is not None and not waiting(state, decision.seat):
            yield Refusal("OH.field.2", "refusal.all_placed")

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        for i in waiting(state, play.taken.seat):
            pose = next(slots(state, i), None)
            if pose is not None:
                put(state, i, pose)
        play.tell("OH.field.2", "event.deploys_all", side=SEATS[play.taken.seat])
        play.then(play.taken)


def slots(state: OnusState, i: int) -> Iterator[Pose]:
    """Where a unit can be drawn up: in rows from the front of the zone, from the middle outwards."""
    seat = state.roster.units[i].side
    left, top, right, bottom = zone(state, seat)
    middle, pace = (left + right) // 2, CARD.front + GAP
    for row in range(ROWS):
        depth = CARD.depth // 2 + TOLERANCE + row * (CARD.depth + GAP)
        y = top + depth if FACING[seat] == 0 else bottom - depth
        for n in range((right - left) // pace + 1):
            x = middle + (n + 1) // 2 * pace * (-1 if n % 2 else 1)
            pose = Pose(x, y, FACING[seat])
            if not any(bars(state, i, pose)):
                yield pose


class Deploying(Decision, frozen=True):
    """OH.field.2 O7.deploy.attacker: one side draws up all its units, then the other."""

    clause = "OH.field.2"
    accepts = (Place, Garrison, Arrange, Done)

    def prompt(self, state: OnusState) -> Message:
        values: Values = {"side": SEATS[self.seat], "number": len(waiting(state, self.seat))}
        return Message("prompt.deploy", values)

    def is_moot(self, state: OnusState) -> bool:
        return not any(unit.side == self.seat and unit.start is None for unit in state.roster.units)

    def candidates(self, state: OnusState) -> list[Action]:
        rest = waiting(state, self.seat)
        if not rest:
            return [Done()]
        unit = state.roster.units[rest[0]].id
        places: list[Action] = [Place(unit, *pose) for pose in list(slots(state, rest[0]))[::3][:8]]
        inside: list[Action] = [
            Garrison(unit, state.roster.structures[n].id) for n in towers(state, self.seat)
        ]
        return [Arrange(), *places, *inside]


class Deployment(Step, frozen=True):
    """O7.deploy.attacker: the defender first; units with a place of their own stand there already."""

    def run(self, play: Play) -> None:
        play.then(Deploying(1), Deploying(0))
