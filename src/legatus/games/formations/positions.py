"""House rules: flying and infiltrating."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Play
from .sheet import Condition, UnitAction
from .state import FORMATION, GROUND, POSITIONS, FormationsState
from .units import engagers, kind_of


class TakePosition(UnitAction):
    """AH25.special_positions: take off or land, slip away or come out."""

    def __init__(self, unit: str, position: str) -> None:
        super().__init__(unit)
        self.position: Final = position

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        able = self.position in positions_of(state, i) and self.position != POSITIONS[state.position[i]]
        yield "AH25.special_positions", able, "position_closed"
        rises = self.position != POSITIONS[GROUND]
        yield "AH25.special_positions", not (able and rises and engagers(state, i)), "engaged"

    def carry_out(self, play: Play, i: int) -> None:
        play.state.position[i] = POSITIONS.index(self.position)
        play.tell("AH25.special_positions", "event.position", unit=self.unit, position=self.position)


def positions_of(state: FormationsState, i: int) -> tuple[str, ...]:
    """AH25.special_positions: the ground, and for a simple troop what its type can do."""
    special = kind_of(state, i).special
    return (POSITIONS[GROUND], special) if special and state.kind[i] != FORMATION else (POSITIONS[GROUND],)
