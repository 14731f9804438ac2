"""6 Movement: the moves of the segment in hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message
from .closing import Closing, EndOfSegment
from .generals import Ride, rides
from .markers import may_hide_units
from .movement import MOVE, Form, Move, paths
from .state import (
    CHANGED,
    CHARGING,
    FORMATIONS,
    FOUGHT,
    HELD,
    MOVED,
    NORMAL,
    ORBIS,
    RETREATED,
    SEATS,
    SEGMENTS,
    SHIELDWALL,
    STRIDE,
    TESTUDO,
    VirtusState,
    say_points,
)
from .troops import Hold, is_compelled


class Moves(Closing):
    """V6.1a: moves that the segment in hand pays for; formations; holding impetuous units; generals."""

    clause = "V6.1a"
    accepts = (Move, Form, Hold, Ride, EndOfSegment)
    ending = EndOfSegment

    def __init__(self, seat: int, segment: int) -> None:
        super().__init__(seat)
        self.segment: Final = segment

    def prompt(self, state: VirtusState) -> Message:
        return Message(
            "prompt.moves",
            {
                "segment": SEGMENTS[self.segment],
                "points": say_points(state.points[self.segment]),
                "side": SEATS[self.seat],
            },
        )

    def is_moot(self, state: VirtusState) -> bool:
        """V7d: who may have hidden units is asked, even if all of them are decoys."""
        if state.points[self.segment] < MOVE:
            return True
        if may_hide_units(state, self.seat, self.segment):
            return False
        return not any(next(action.refuse(state), None) is None for action in self._unit_moves(state))

    def offers(self, state: VirtusState) -> Iterator[Action]:
        yield from self._unit_moves(state)
        yield from rides(state, self.seat)

    def _unit_moves(self, state: VirtusState) -> Iterator[Action]:
        if state.points[self.segment] < MOVE:
            return
        for i in state.roster.of[self.seat]:
            place = state.place[i]
            if place < 0 or state.flags[i] & (RETREATED | CHARGING | MOVED | HELD | CHANGED):
                continue
            if place % STRIDE in (0, self.segment):
                if not state.flags[i] & FOUGHT or state.roster.units[i].dispersed:
                    yield from self._along(state, i)
                if place % STRIDE and not state.flags[i] & FOUGHT:
                    yield from self._in_place(state, i)

    def _along(self, state: VirtusState, i: int) -> Iterator[Action]:
        """Moves, and a testudo's changes that go with one."""
        unit, form, place = state.roster.units[i], state.form[i], state.place[i]
        if form not in (NORMAL, TESTUDO) or not unit.mvt:
            return
        longest = unit.mvt if unit.artillery or form else unit.mvt + 1
        change = FORMATIONS[NORMAL if form else TESTUDO] if unit.testudo else ""
        for way, names in paths(state.roster.rules.columns, self.seat, place, longest):
            if place % STRIDE == 0 and way[0] % STRIDE != self.segment:
                continue
            yield Move(unit.id, names)
            if change and len(way) <= unit.mvt:
                yield Form(unit.id, change, names)

    def _in_place(self, state: VirtusState, i: int) -> Iterator[Action]:
        """Changes of formation without a move; holding an impetuous unit."""
        unit = state.roster.units[i]
        if state.form[i]:
            yield Form(unit.id, FORMATIONS[NORMAL])
            return
        for form, able in ((TESTUDO, unit.testudo), (SHIELDWALL, unit.shieldwall), (ORBIS, unit.orbis)):
            if able:
                yield Form(unit.id, FORMATIONS[form])
        if is_compelled(state, i):
            yield Hold(unit.id)
