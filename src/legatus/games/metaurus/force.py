"""3 The players' turns: the units of one activation."""

from __future__ import annotations

from typing import Final

from ...kernel.objects import ValueObject
from .state import LEGION, MetaurusState, group_of, on_map

ALL, LEGIONS, OTHERS = 0, 1, 2  # M3.two_orders.2: which units of the groups


class Force(ValueObject):
    """The units of one group, or the legions of two (M3.two_orders.1), or the rest of both."""

    def __init__(self, side: int, groups: tuple[int, ...], part: int = ALL) -> None:
        self.side: Final = side
        self.groups: Final = groups
        self.part: Final = part

    def has(self, state: MetaurusState, i: int) -> bool:
        if group_of(state, i) not in self.groups:
            return False
        return self.part == ALL or (state.roster.units[i].arm == LEGION) == (self.part == LEGIONS)

    def units(self, state: MetaurusState) -> list[int]:
        return [i for i in on_map(state, self.side) if self.has(state, i)]

    def names(self, state: MetaurusState) -> tuple[str, ...]:
        return tuple(state.roster.groups[g].id for g in self.groups)
