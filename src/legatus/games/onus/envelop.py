"""13 Melee: enveloping."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shapely.geometry.base import BaseGeometry

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from ...parts import plane
from ...parts.plane import FRONT, SIDES, TOLERANCE, UNIT, Pose, Size
from .contact import hooked, in_contact, in_melee, sections, spot
from .morale import unhook
from .motion import off_table, solid
from .orders import Done
from .pieces import unit_named
from .ramparts import is_up
from .state import (
    ACTIVATED,
    CARD,
    CHARGED,
    DONE,
    EMERGED,
    FIELD,
    GAINED,
    IDLE,
    NOBODY,
    SEATS,
    SECTION,
    OnusState,
    other,
)
from .table import front_row, shape_of, units_on

MOST = 2  # OH.melee.7
SIDE_NAMES = ("front", "right", "rear", "left")
MARKER = Size(SECTION, SECTION)  # OH.marker.1


# --- where markers lie ---------------------------------------------------------------------------


def touched_side(state: OnusState, i: int, j: int) -> int:
    """The side of an enemy that the front of a unit touches most, or -1."""
    counts = [len(numbers) for numbers in sections(state, j, i)]
    return counts.index(max(counts)) if any(counts) else NOBODY


def markers(state: OnusState, i: int, j: int, side: int) -> list[Pose]:
    """OH.marker.1: the places of two markers on a side of an enemy, from the corner by his attacker on."""
    facing = touched_side(state, i, j)
    if facing == NOBODY or (side - facing) % 4 not in (1, 3):
        return []
    one = spot(state, j)
    edges = plane.sections(one.pose, one.size, side, SECTION)
    turn = (one.pose.turn + side * plane.RIGHT_ANGLE) % plane.FULL
    middles = [Pose(round((a[0] + b[0]) / 2), round((a[1] + b[1]) / 2), turn) for a, b in edges]
    found = [plane.moved(middle, 0, SECTION / 2) for middle in middles]
    return (found if (side - facing) % 4 == 1 else found[::-1])[:MOST]


def free_sections(state: OnusState, i: int) -> int:
    """OH.melee.7: the sections of its front that touch no enemy and are not used as markers yet."""
    _, size = front_row(state.wings[i], state.pose[i])
    foes = units_on(state, other(state.roster.units[i].side))
    used = {number for j in foes for number in sections(state, i, j)[FRONT]}
    return size.front // SECTION - len(used) - sum(hook[3] for hook in state.hooks if hook[0] == i)


def room(state: OnusState, i: int, j: int, side: int) -> int:
    """OH.marker.1: how many markers find a place: against the enemy and the own unit, on nothing else."""
    shapes: list[BaseGeometry] = [*solid(state, i)]
    shapes += [shape_of(state, k) for k in units_on(state, state.roster.units[i].side)]
    count = 0
    own = shape_of(state, i)
    if state.climbs[i] != NOBODY:  # O4.wall.envelop-inside: as though the wall had no thickness
        own = own.union(plane.card(plane.moved(state.pose[i], 0, SECTION), CARD))
    for pose in markers(state, i, j, side):
        square, inner = plane.card(pose, MARKER), plane.card(pose, MARKER, TOLERANCE)
        if not plane.touches(square, own) or off_table(state, inner):
            break
        if any(inner.intersects(shape) for shape in shapes):
            break
        own = own.union(square)
        count += 1
    return min(count, free_sections(state, i))


def is_hemmed(state: OnusState, i: int, j: int) -> bool:
    """O3.choke.example: it has just left a choke point, and another enemy is near enough to touch it."""
    if not state.flags[i] & EMERGED:
        return False
    foes = [k for k in units_on(state, other(state.roster.units[i].side)) if k != j]
    return any(plane.reaches(shape_of(state, i), shape_of(state, k), UNIT) for k in foes)


# --- enveloping ----------------------------------------------------------------------------------


class Envelop(Action):
    """OH.melee.7: front sections that touch nobody are placed as markers on the enemy's side."""

    def __init__(self, unit: str, target: str, side: str, sections: int) -> None:
        self.unit: Final = unit
        self.target: Final = target
        self.side: Final = side
        self.sections: Final = sections

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        i = unit_named(state, decision.seat, self.unit)
        j = unit_named(state, other(decision.seat), self.target)
        if i < 0:
            yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": self.unit})
        if j < 0:
            yield Refusal("OH.melee.7", "refusal.no_such_enemy", {"unit": self.target})
        if self.side not in SIDE_NAMES or self.side == "front":
            yield Refusal("OH.melee.7", "refusal.no_such_side", {"side": self.side})
        elif i >= 0 and j >= 0:
            yield from self._bars(state, i, j)

    def _bars(self, state: OnusState, i: int, j: int) -> Iterator[Refusal]:
        names: Values = {"unit": self.unit, "target": self.target}
        if not state.flags[i] & ACTIVATED:
            yield Refusal("OH.melee.7", "refusal.not_activated", {"unit": self.unit})
        if (state.flags[i] & DONE and not state.flags[i] & CHARGED) or state.flags[i] & IDLE:
            yield Refusal("OH.turn.2", "refusal.moved", {"unit": self.unit})
        if state.backward:
            yield Refusal("OH.order.8", "refusal.only_back", {"unit": self.unit})
        if state.climbs[i] != NOBODY and (state.flags[i] & GAINED or not is_up(state, i)):
            yield Refusal("O5.assault.envelop-first", "refusal.still_climbing", {"unit": self.unit})
        engaged = state.where[i] == state.where[j] == FIELD and j in in_melee(state, i)
        if not engaged or state.fleeing[i]:
            yield Refusal("OH.melee.7", "refusal.not_engaged", names)
            return
        if is_hemmed(state, i, j):
            yield Refusal("O3.choke.example", "refusal.hemmed", names)
        if not 0 < self.sections <= room(state, i, j, SIDE_NAMES.index(self.side)):
            yield Refusal("OH.marker.1", "refusal.no_markers", {**names, "sections": self.sections})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i, j = state.roster.index[self.unit], state.roster.index[self.target]
        state.hooks = [*state.hooks, (i, j, SIDE_NAMES.index(self.side), self.sections)]
        state.flags[i] |= IDLE
        play.tell("OH.melee.7", "event.envelops", unit=self.unit, target=self.target, sections=self.sections)
        play.then(play.taken)


class Enveloping(Decision):
    """OH.melee.7: activated units that are engaged may envelop their enemies."""

    clause = "OH.melee.7"
    accepts = (Envelop, Done)

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.enveloping", {"side": SEATS[self.seat]})

    def options(self, state: OnusState) -> Iterator[Envelop]:
        units = state.roster.units
        for i in units_on(state, self.seat):
            if state.where[i] != FIELD or not state.flags[i] & ACTIVATED or state.flags[i] & IDLE:
                continue
            for j in in_melee(state, i):
                for side in SIDES[1:]:
                    most = room(state, i, j, side) if not hooked(state, i, j, side) else 0
                    if most:
                        yield Envelop(units[i].id, units[j].id, SIDE_NAMES[side], most)

    def is_moot(self, state: OnusState) -> bool:
        return not any(next(option.refuse(state), None) is None for option in self.options(state))

    def candidates(self, state: OnusState) -> list[Action]:
        return [*self.options(state), Done()]


class Tidy(Step):
    """OH.marker.1: markers of units that have come apart are taken up."""

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        for i, j, *_ in state.hooks:
            if j < 0:  # O5.assault.envelop-first: round a tower they lie as long as it climbs
                continue
            if state.where[i] != FIELD or state.where[j] != FIELD or not in_contact(state, i, j):
                unhook(state, i)
