"""House rules: sides activate their wings in turn, and each unit does one thing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from ...parts.hexes import CORNERS, OFF
from .charge import Charge, Disengage, charges
from .forming import Break, ChangeMode, Constitute, Join, Leave, Merge, PairAction, breaks
from .manipulation import Douse, PlantStakes, RemoveStakes, SetFire, Work
from .missiles import Shoot
from .movement import Move
from .positions import TakePosition, positions_of
from .recover import Rally, Reload, Reorganise, Rest
from .state import (
    ACTIVATED,
    CHARACTER,
    FORMATION,
    MODES,
    MOVES,
    NOBODY,
    SEATS,
    SIMPLE,
    FormationsState,
    other,
)
from .units import cells_of, engagers, has_units, kind_of, nearest_enemy, stack, troops, wing_units


def wings_left(state: FormationsState, side: int) -> list[int]:
    """AH3.turn: wings with a unit that have not been activated this turn."""
    wings = enumerate(state.roster.wings)
    return [w for w, wing in wings if wing.side == side and not state.done[w] and has_units(state, w)]


class Activation(Step):
    """AH3.turn: the sides alternate wing by wing, until all wings are done."""

    def run(self, play: Play) -> None:
        play.then(NextWing(play.state.first))


class NextWing(Step):
    """AH3.turn: whose wing is next; a side without one is passed over."""

    def __init__(self, side: int) -> None:
        self.side: Final = side

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        side = self.side if wings_left(state, self.side) else other(self.side)
        if wings_left(state, side):
            state.active = side
            play.then(WingChoice(side), NextWing(other(side)))


class ActivateWing(Action):
    """AH4.activation: a wing acts."""

    def __init__(self, wing: str) -> None:
        self.wing: Final = wing

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        decision = state.decision
        w = state.roster.wing_index.get(self.wing, NOBODY)
        if w < 0 or decision is None or state.roster.wings[w].side != decision.seat:
            yield Refusal("AH4.activation", "refusal.no_such_wing", {"wing": self.wing})
        elif state.done[w]:
            yield Refusal("AH4.activation", "refusal.wing_done", {"wing": self.wing})
        elif not has_units(state, w):
            yield Refusal("AH3.turn", "refusal.empty_wing", {"wing": self.wing})

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        w = state.roster.wing_index[self.wing]
        state.done[w] = 1
        play.tell("AH4.activation", "event.activates", wing=self.wing)
        play.then(WingTurn(play.taken.seat, w), EndOfWing(w))


class WingChoice(Decision):
    """AH3.turn: which wing?"""

    clause = "AH3.turn"
    accepts = (ActivateWing,)

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.wing", {"side": SEATS[self.seat]})

    def candidates(self, state: FormationsState) -> list[Action]:
        return [ActivateWing(wing.id) for wing in state.roster.wings if wing.side == self.seat]


class EndWing(Action):
    """AH4.activation: the rest of the wing does nothing."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        pass


class EndOfWing(Step):
    """AH4.activation: all units of a wing that is done count as Activated."""

    def __init__(self, wing: int) -> None:
        self.wing: Final = wing

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        for i in wing_units(state, self.wing):
            state.flags[i] |= ACTIVATED


class WingTurn(Decision):
    """AH4.activation: each unit of the wing does one thing; the commander in chief acts with one wing."""

    clause = "AH4.activation"
    accepts = (
        Move,
        Charge,
        Disengage,
        Shoot,
        Rest,
        Reorganise,
        Rally,
        Reload,
        Merge,
        ChangeMode,
        Join,
        Constitute,
        Leave,
        Break,
        Work,
        SetFire,
        Douse,
        PlantStakes,
        RemoveStakes,
        TakePosition,
        EndWing,
    )

    def __init__(self, seat: int, wing: int) -> None:
        super().__init__(seat)
        self.wing: Final = wing

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.units", {"wing": state.roster.wings[self.wing].id})

    def called(self, state: FormationsState) -> Iterator[int]:
        """The units that may still act."""
        chief, cells, flags = state.roster.chiefs[self.seat], state.cell, state.flags
        for i, wing in enumerate(state.wing):
            if wing == self.wing and cells[i] >= 0 and not flags[i] & ACTIVATED:
                yield i
        if chief >= 0 and cells[chief] >= 0 and not flags[chief] & ACTIVATED:
            yield chief

    def is_moot(self, state: FormationsState) -> bool:
        return next(self.called(state), None) is None

    def candidates(self, state: FormationsState) -> list[Action]:
        found: list[Action] = []
        pairs: set[Action] = set()  # of two units: each of them thinks of it, and it is offered once
        for i in self.called(state):
            for action in options(state, i):
                if isinstance(action, PairAction):
                    if action in pairs:
                        continue
                    pairs.add(action)
                found.append(action)
        found.append(EndWing())
        return found


def options(state: FormationsState, i: int) -> Iterator[Action]:
    """All that a unit may think of."""
    unit, names, grid = state.ids[i], state.roster.grid.names, state.roster.grid
    cells = cells_of(state, i)
    yield Move(unit)
    if kind_of(state, i).special:
        yield from (TakePosition(unit, position) for position in positions_of(state, i))
    if state.kind[i] == CHARACTER:
        yield from (Work(unit), SetFire(unit), Douse(unit), RemoveStakes(unit))
        yield from (PlantStakes(unit, corner) for corner in CORNERS)
        return
    if not state.flags[i] & ACTIVATED and nearest_enemy(state, i) <= MOVES[kind_of(state, i).move] + 1:
        yield from (Charge(unit, names[way[-1][0]]) for way in charges(state, i))
    if engagers(state, i):
        yield from (Disengage(unit, names[to]) for to in grid.neighbours[cells[0]] if to != OFF)
    if kind_of(state, i).range:
        yield from (Shoot(unit, state.ids[j]) for j in troops(state, other(state.side[i])))
        yield Reload(unit)
    yield from (Rest(unit), Reorganise(unit), Rally(unit))
    if state.kind[i] == FORMATION:
        yield from (ChangeMode(unit, mode) for mode in MODES)
        yield Join(unit)
        hexes = [names[cell] for cell in cells]
        yield from (Leave(unit, chosen) for n in (1, 2) for chosen in combinations(hexes, n))
        yield from breaks(state, i)
        return
    yield from _pairs(state, i)
    yield from (Work(unit), SetFire(unit), Douse(unit), PlantStakes(unit), RemoveStakes(unit))


def _pairs(state: FormationsState, i: int) -> Iterator[Action]:
    """Merging and constituting, with whoever stands in the same hex or in the next ones."""
    unit, around = state.ids[i], state.roster.grid.neighbours[state.cell[i]]
    for j in stack(state, state.cell[i]):
        if j != i and state.side[j] == state.side[i] and state.kind[j] == SIMPLE:
            yield Merge(unit, state.ids[j])
    for to in around:
        for j in stack(state, to) if to != OFF else ():
            if state.side[j] == state.side[i] and state.kind[j] == SIMPLE and state.type[j] == state.type[i]:
                yield Constitute(unit, state.ids[j])
