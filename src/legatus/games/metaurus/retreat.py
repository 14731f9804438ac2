"""3 The players' turns: retreat before combat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from ...parts.hexes import OFF
from .facing import Advance, Turning
from .state import CAVALRY, DIE, MOVE, NOBODY, MetaurusState, order_of, put, touches_enemy
from .victory import disorder

FARTHEST = 2  # M3.retreat.2


def ways(state: MetaurusState, i: int, lead: int) -> Iterator[tuple[int, ...]]:
    """M3.retreat.2 MH7.zones: one or two hexes, each farther from the attacker, free and clear of enemies."""
    for first in _back(state, i, lead, state.cell[i]):
        yield (first,)
        for second in _back(state, i, lead, first):
            yield (first, second)


def _back(state: MetaurusState, i: int, lead: int, cell: int) -> list[int]:
    return [
        to
        for to in state.roster.grid.neighbours[cell]
        if to != OFF and not any(_bars(state, i, lead, cell, to))
    ]


def _bars(state: MetaurusState, i: int, lead: int, cell: int, to: int) -> Iterator[Refusal]:
    """MH7.zones: what forbids to fall back from one hex to another."""
    grid, foe = state.roster.grid, state.cell[lead]
    name: Values = {"hex": grid.names[to]}
    if grid.distance(cell, to) != 1 or grid.distance(to, foe) <= grid.distance(cell, foe):
        yield Refusal("MH7.zones", "refusal.not_back", name)
    if state.at[to] != NOBODY:
        yield Refusal("MH7.zones", "refusal.hex_taken", name)
    if touches_enemy(state, state.roster.units[i].side, to):
        yield Refusal("MH7.zones", "refusal.enemy_there", name)


class Retreat(Action):
    """M3.retreat.2: fall back one hex, or two: ``0507>0506``."""

    def __init__(self, path: tuple[str, ...]) -> None:
        self.path: Final = path

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        choice = state.decision
        if not isinstance(choice, Fallback):
            return
        if not 1 <= len(self.path) <= FARTHEST:
            yield Refusal("M3.retreat.2", "refusal.one_or_two")
            return
        cell = state.cell[choice.unit]
        for name in self.path:
            to = state.roster.grid.cells.get(name, OFF)
            if to == OFF:
                yield Refusal("MH1.map", "refusal.no_such_hex", {"hex": name})
                return
            yield from _bars(state, choice.unit, choice.lead, cell, to)
            cell = to

    def perform(self, play: Play) -> None:
        state: MetaurusState = play.state
        choice: Fallback = play.taken
        left = state.cell[choice.unit]
        state.todo.pop()  # the clash that would have followed
        play.tell("M3.retreat.2", "event.retreats", unit=state.roster.units[choice.unit].id, path=self.path)
        put(state, choice.unit, state.roster.grid.cells[self.path[-1]])
        play.then(
            Turning(choice.seat, choice.unit),
            RetreatTest(choice.unit, len(self.path)),
            Advance(choice.lead, left),
        )


class StandFast(Action):
    """M3.retreat.1: take the attack."""

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        pass


class Fallback(Decision):
    """M2.move.4 M3.retreat.1: a unit under Move may fall back when it is attacked."""

    clause = "M3.retreat.1"
    accepts = (Retreat, StandFast)

    def __init__(self, seat: int, unit: int, lead: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit
        self.lead: Final = lead

    def prompt(self, state: MetaurusState) -> Message:
        units = state.roster.units
        return Message("prompt.retreat", {"unit": units[self.unit].id, "lead": units[self.lead].id})

    def is_moot(self, state: MetaurusState) -> bool:
        if order_of(state, self.unit) != MOVE:
            return True
        return next(ways(state, self.unit, self.lead), None) is None

    def candidates(self, state: MetaurusState) -> list[Action]:
        names = state.roster.grid.names
        back = [Retreat(tuple(names[cell] for cell in way)) for way in ways(state, self.unit, self.lead)]
        return [*back, StandFast()]


class RetreatTest(Step):
    """M3.retreat.3 M3.retreat.4 M3.retreat.5: a die, 1 more after two hexes, but not for cavalry."""

    def __init__(self, unit: int, hexes: int) -> None:
        self.unit: Final = unit
        self.hexes: Final = hexes

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        unit = state.roster.units[self.unit]
        added = 1 if self.hexes == FARTHEST and unit.arm != CAVALRY else 0
        face = play.roll(DIE, unit.morale - added, low=0)
        told: dict[str, Any] = {"unit": unit.id, "result": face + added, "morale": unit.morale}
        if face + added <= unit.morale:
            play.tell("M3.retreat.6", "event.retreat_holds", **told)
        else:
            play.tell("M3.retreat.7", "event.retreat_fails", **told)
            disorder(play, self.unit, "M3.retreat.7")  # M3.retreat.8: eliminated if it was disordered
