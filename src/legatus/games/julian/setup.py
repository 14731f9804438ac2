"""Set-up: units are placed, garrisons and peoples stand ready, treasury and hands are rolled for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step
from .markers import Asked, Spy, draw
from .state import (
    BARBARIAN,
    NOBODY,
    POOL,
    ROMAN,
    SEATS,
    JulianState,
    cell_of,
    hex_name,
    put,
    troops_at,
)

START_STACK = 3  # JH.setup: not counting garrisons


def waiting(state: JulianState, seat: int) -> list[int]:
    """JH.commands: those that begin on the map and are not placed yet, leaders last."""
    return [
        i
        for command in state.roster.commands
        if command.side == seat
        for i in command.opening
        if state.cell[i] == POOL
    ]


def places(state: JulianState, i: int) -> list[int]:
    """JH.setup: the start places of its command with room; of a leader, those with a unit of it."""
    unit = state.roster.units[i]
    start = state.roster.commands[unit.command].start
    if unit.leader:
        mates = {state.cell[j] for j in state.roster.of_command[unit.command] if j != i}
        return [cell for cell in start if cell in mates]
    return [cell for cell in start if _room(state, unit.side, cell)]


def _room(state: JulianState, side: int, cell: int) -> bool:
    counted = [i for i in troops_at(state, cell, side) if state.roster.units[i].command >= 0]
    return len(counted) < START_STACK


class Place(Action):
    """JH.setup: the next unit in a start place."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, Deployment):
            i = waiting(state, decision.seat)[0]
            unit = state.roster.units[i]
            cell = cell_of(state, self.hex)
            if cell not in state.roster.commands[unit.command].start:
                yield Refusal("JH.setup", "refusal.no_start_place", {"hex": self.hex, "unit": unit.id})
            elif cell not in places(state, i):
                key = "refusal.no_mates" if unit.leader else "refusal.three_a_hex"
                yield Refusal("JH.setup", key, {"hex": self.hex, "unit": unit.id})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        i = waiting(state, play.taken.seat)[0]
        put(state, i, cell_of(state, self.hex))
        play.tell("JH.setup", "event.placed", unit=state.roster.units[i].id, hex=self.hex)
        play.then(play.taken)


class PlaceRest(Action):
    """JH.setup: place everybody who is left: troops evenly, leaders with the strongest of their command."""

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        for i in waiting(state, play.taken.seat):
            put(state, i, _best_place(state, i))
        play.tell("JH.setup", "event.placed_rest", side=SEATS[play.taken.seat])


def _best_place(state: JulianState, i: int) -> int:
    """JH.setup: the start place with the fewest troops, or for a leader the one with most of his own."""
    units = state.roster.units
    unit = units[i]
    if not unit.leader:
        return min(places(state, i), key=lambda cell: len(troops_at(state, cell, unit.side)))
    own = state.roster.of_command[unit.command]
    force = {cell: sum(units[j].combat for j in own if state.cell[j] == cell) for cell in places(state, i)}
    return max(force, key=force.__getitem__)


class Deployment(Asked):
    """JH.setup: the barbarian first, then the Roman."""

    clause = "JH.setup"
    accepts = (Place, PlaceRest, Spy)

    def prompt(self, state: JulianState) -> Message:
        i = waiting(state, self.seat)[0]
        return Message("prompt.place", {"side": SEATS[self.seat], "unit": state.roster.units[i].id})

    def is_moot(self, state: JulianState) -> bool:
        return not waiting(state, self.seat)

    def options(self, state: JulianState) -> list[Action]:
        i = waiting(state, self.seat)[0]
        start = state.roster.commands[state.roster.units[i].command].start
        return [*(Place(hex_name(state, cell)) for cell in start), PlaceRest()]


class Array(Step):
    """JH.setup: garrisons in their cities and peoples in their homes."""

    def __init__(
        self,
        garrisons: tuple[tuple[int, int], ...],  # unit and hex
    ) -> None:
        self.garrisons: Final = garrisons

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        for i, cell in self.garrisons:
            put(state, i, cell)
        for i, unit in enumerate(state.roster.units):
            if unit.people != NOBODY:
                put(state, i, state.roster.peoples[unit.people].home)


class Opening(Step):
    """JH.treasury JH.pool JH.setup: the treasury, then both hands; no marker may be played yet."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        face = play.roll()
        state.tp = state.roster.values.treasury + 2 * face
        play.tell("JH.treasury", "event.treasury", face=face, tp=state.tp)
        for seat in (ROMAN, BARBARIAN):
            face = play.roll(6, 2, 4)
            play.tell("JH.pool", "event.opening_hand", side=SEATS[seat], face=face)
            draw(play, seat, (face + 1) // 2, "JH.pool")
