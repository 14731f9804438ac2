"""3 The players' turns, 4 Combat: facing (M3.facing.2), and the advance after combat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from ...parts.hexes import CORNERS
from .state import NOBODY, MetaurusState, put


class Face(Action):
    """M3.facing.2 MH2.facing: choose the corner that a unit faces."""

    def __init__(self, corner: str) -> None:
        self.corner: Final = corner

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        if self.corner not in CORNERS:
            yield Refusal("MH2.facing", "refusal.no_such_corner", {"corner": self.corner})

    def perform(self, play: Play) -> None:
        state: MetaurusState = play.state
        i, corner = play.taken.unit, CORNERS.index(self.corner)
        if corner != state.facing[i]:
            state.facing[i] = corner
            play.tell("M3.facing.2", "event.faces", unit=state.roster.units[i].id, corner=self.corner)


class Turning(Decision):
    """M3.facing.2: a unit that has moved is given a facing."""

    clause = "M3.facing.2"
    accepts = (Face,)

    def __init__(self, seat: int, unit: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit

    def prompt(self, state: MetaurusState) -> Message:
        return Message("prompt.face", {"unit": state.roster.units[self.unit].id})

    def is_moot(self, state: MetaurusState) -> bool:
        return state.cell[self.unit] < 0

    def candidates(self, state: MetaurusState) -> list[Action]:
        return [Face(corner) for corner in CORNERS]


class Advance(Step):
    """M4.advance: the lead must occupy the hex that the enemy has left, whatever its order."""

    def __init__(self, unit: int, cell: int) -> None:
        self.unit: Final = unit
        self.cell: Final = cell

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        unit = state.roster.units[self.unit]
        if state.cell[self.unit] < 0 or state.at[self.cell] != NOBODY:
            return
        put(state, self.unit, self.cell)
        play.tell("M4.advance", "event.advances", unit=unit.id, hex=state.roster.grid.names[self.cell])
        play.then(Turning(unit.side, self.unit))
