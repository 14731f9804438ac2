"""11 Movement: activated units move one at a time, piece by piece; skirmishers move on after their shot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shapely import Polygon

from ...kernel import Action, Decision, Message, Play, Refusal, Values
from ...parts.plane import TOLERANCE
from .assault import Climb, Descend, StepIn
from .charges import Charge, Withdraw, run_in
from .crossing import Cross
from .entering import Align, Occupy, Sally
from .fire import Extinguish, dousing
from .forming import Extend, Form
from .lateral import ChargeAlong
from .manning import ClimbDown, Stack
from .motion import REGULAR, in_ford
from .orders import Done
from .pieces import (
    CORNER_NAMES,
    Advance,
    OnTheMove,
    Piece,
    Slide,
    Turn,
    Wheel,
    unit_named,
)
from .rams import DropRam, TakeRam, ram_moves
from .sensible import sensible
from .state import (
    ACTIVATED,
    CHARGED,
    DONE,
    FIELD,
    INSIDE,
    LOST,
    MOVED,
    MOVED_ON,
    RESERVE,
    SEATS,
    SHOT,
    SKIRMISHER,
    STOOD,
    OnusState,
    other,
)
from .state import LIMITED as WAS_LIMITED
from .structures import Caltropped, entry_actions, structure_actions
from .table import enemies_touching, fords, shape_of, units_on
from .towers import Dock, Haul, Pivot

__all__ = [
    "CORNER_NAMES",
    "Advance",
    "Charge",
    "Moves",
    "Moving",
    "MovingOn",
    "Piece",
    "Slide",
    "Turn",
    "Wheel",
    "run_in",
    "unit_named",
]


# --- taking a unit -------------------------------------------------------------------------------


def keeps(state: OnusState, i: int) -> Iterator[Refusal]:
    """OH.turn.2: what keeps a unit from moving."""
    name: Values = {"unit": state.roster.units[i].id}
    if not state.flags[i] & ACTIVATED:
        yield Refusal("OH.turn.1", "refusal.not_activated", name)
    if state.flags[i] & (DONE | STOOD):
        yield Refusal("OH.turn.2", "refusal.moved", name)
    if state.fleeing[i]:
        yield Refusal("OH.flight.1", "refusal.fleeing", name)


class Move(Action):
    """OH.turn.2: an activated unit begins its move."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        i = unit_named(state, decision.seat, self.unit)
        if i < 0:
            yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": self.unit})
        else:
            yield from keeps(state, i)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i = state.roster.index[self.unit]
        state.spent[i] = state.pricked[i] = 0
        play.then(Moving(play.taken.seat, i, 0, REGULAR, ""), Caltropped(i), play.taken)


class Moves(Decision):
    """OH.turn.2: activated units move one at a time, or spend their activation on something else."""

    clause = "OH.turn.2"
    accepts = (Move, *structure_actions(), Extinguish, Done)

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.moves", {"side": SEATS[self.seat]})

    def units(self, state: OnusState) -> list[int]:
        return [i for i in units_on(state, self.seat) if not any(keeps(state, i))]

    def is_moot(self, state: OnusState) -> bool:
        return not self.units(state)

    def candidates(self, state: OnusState) -> list[Action]:
        found: list[Action] = []
        for i in self.units(state):
            found.append(Move(state.roster.units[i].id))
            found += [*entry_actions(state, i), *dousing(state, i)]
        return [*found, Done()]


# --- a move --------------------------------------------------------------------------------------


class Halt(Action):
    """OH.move.1: the end of a move."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if isinstance(moving, OnTheMove):
            for name in bank_holders(state, moving):
                yield Refusal("O3.ford.must-engage", "refusal.must_engage", {"unit": name})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        if not state.flags[play.taken.unit] & MOVED:
            state.flags[play.taken.unit] |= STOOD


def bank_holders(state: OnusState, moving: OnTheMove) -> list[str]:
    """O3.ford.must-engage O3.ford.not-facing: enemies at the ford in which a unit is, whom it can charge."""
    i = moving.unit
    if not state.flags[i] & MOVED or not in_ford(state, i):
        return []
    water = [ford.shape for ford in fords(state)]
    foes = units_on(state, other(moving.seat))
    bank = [j for j in foes if state.where[j] == FIELD and _is_at(state, j, water)]
    names = [state.roster.units[j].id for j in bank]
    return [name for name in names if next(Charge(name).refuse(state), None) is None]


def _is_at(state: OnusState, j: int, water: list[Polygon]) -> bool:
    """A unit lies against a ford, and not in it."""
    outside = not in_ford(state, j)
    return outside and any(shape_of(state, j).dwithin(shape, TOLERANCE) for shape in water)


class Moving(OnTheMove):
    """OH.move.1: a move in hand."""

    accepts = (
        Advance,
        Wheel,
        Slide,
        Turn,
        Charge,
        Form,
        Extend,
        Align,
        Occupy,
        Sally,
        Cross,
        ClimbDown,
        Stack,
        Withdraw,
        Climb,
        Descend,
        StepIn,
        ChargeAlong,
        DropRam,
        TakeRam,
        Haul,
        Pivot,
        Dock,
        Halt,
    )

    def is_moot(self, state: OnusState) -> bool:
        gone = state.where[self.unit] in (LOST, RESERVE) or bool(state.fleeing[self.unit])
        return gone or bool(state.flags[self.unit] & CHARGED)

    def candidates(self, state: OnusState) -> list[Action]:
        return [*sensible(state, self), *ram_moves(state, self), Halt()]


# --- moving on -----------------------------------------------------------------------------------


def may_move_on(state: OnusState, i: int) -> bool:
    """OH.trait.1: a skirmisher that has shot, is not engaged and has some of its movement left."""
    flags = state.flags[i]
    if (
        SKIRMISHER not in state.roster.units[i].kind.traits
        or not flags & SHOT
        or flags & (CHARGED | MOVED_ON)
    ):
        return False
    if state.fleeing[i] or state.where[i] == INSIDE or enemies_touching(state, i):
        return False
    return going_on(state, i).left(state) > 0


def going_on(state: OnusState, i: int) -> Moving:
    """OH.trait.1: its move, with what it has spent already."""
    spent = state.spent[i] if state.flags[i] & MOVED else 0
    limited = "OH.move.2" if state.flags[i] & WAS_LIMITED else ""
    return Moving(state.roster.units[i].side, i, spent, REGULAR, limited, on=True)


class MoveOn(Action):
    """OH.trait.1: a skirmisher moves on after its shot, with the movement that it has left."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        i = unit_named(state, decision.seat, self.unit)
        if i < 0:
            yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": self.unit})
        elif not may_move_on(state, i):
            yield Refusal("OH.trait.1", "refusal.cannot_move_on", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i = state.roster.index[self.unit]
        moving = going_on(state, i)
        state.flags[i] |= MOVED_ON
        play.then(moving, Caltropped(i), play.taken)


class MovingOn(Decision):
    """OH.trait.1: after the shooting, skirmishers move on."""

    clause = "OH.trait.1"
    accepts = (MoveOn, Done)

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.moving_on", {"side": SEATS[self.seat]})

    def units(self, state: OnusState) -> list[int]:
        return [i for i in units_on(state, self.seat) if may_move_on(state, i)]

    def is_moot(self, state: OnusState) -> bool:
        return not self.units(state)

    def candidates(self, state: OnusState) -> list[Action]:
        return [*(MoveOn(state.roster.units[i].id) for i in self.units(state)), Done()]
