"""9 Rally: a unit that spends its turn in the reserve may recover a lost point (V9a)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal
from .closing import Closing, EndOfTurn
from .generals import Ride, rides
from .saves import has_charisma
from .state import ACTIVATED, FRESH, HELD, RETREATED, SEATS, VirtusState, reserve, unit_of


def rally_value(state: VirtusState, i: int) -> int:
    """V9a V10-troops.4b: current VC, or the initial one if elite; one more near a charismatic general."""
    unit = state.roster.units[i]
    value = unit.vc if unit.elite else state.vc[i]
    return value + has_charisma(state, unit.side, state.place[i])


class Rally(Action):
    """V9a: one die at or below the unit's cohesion gives back one lost point."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        i = unit_of(state, state.active, self.unit)
        if i < 0:
            yield Refusal("V9a", "refusal.not_your_unit", {"unit": self.unit})
            return
        flags = state.flags[i]
        if state.place[i] != reserve(state.active) or not flags & FRESH:
            yield Refusal("V9a", "refusal.not_in_reserve", {"unit": self.unit})
        if flags & RETREATED:
            yield Refusal("V3.3a", "refusal.retreated", {"unit": self.unit})
        if flags & ACTIVATED:
            yield Refusal("V9a", "refusal.acted", {"unit": self.unit})
        if state.vc[i] >= state.roster.units[i].vc:
            yield Refusal("V9a", "refusal.no_losses", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        i = state.roster.index[self.unit]
        value = rally_value(state, i)
        face = play.roll(6, min(value, 6))
        state.flags[i] |= HELD
        won = face <= value
        if won:
            state.vc[i] += 1
        key = "event.rallied" if won else "event.not_rallied"
        play.tell("V9a", key, unit=self.unit, face=face, value=value)
        play.then(play.taken)


class Rallies(Closing):
    """V9a: rallies come last in the turn."""

    clause = "V9a"
    accepts = (Rally, Ride, EndOfTurn)
    ending = EndOfTurn

    def prompt(self, state: VirtusState) -> Message:
        return Message("prompt.rally", {"side": SEATS[self.seat]})

    def is_moot(self, state: VirtusState) -> bool:
        return not any(next(action.refuse(state), None) is None for action in self._rallies(state))

    def offers(self, state: VirtusState) -> Iterator[Action]:
        yield from self._rallies(state)
        yield from rides(state, self.seat)

    def _rallies(self, state: VirtusState) -> Iterator[Action]:
        home, units = reserve(self.seat), state.roster.units
        for i in state.roster.of[self.seat]:
            if state.place[i] == home and state.vc[i] < units[i].vc:
                yield Rally(units[i].id)
