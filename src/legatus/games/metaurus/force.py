"""3 The players' turns: the units of one activation."""

from __future__ import annotations

from msgspec import Struct

from .state import LEGION, MetaurusState, group_of, on_map

ALL, LEGIONS, OTHERS = 0, 1, 2  # M3.two_orders.2: which units of the groups


class Force(Struct, frozen=True):
    """The units of one group, or the legions of two (M3.two_orders.1), or the rest of both."""

    side: int
    groups: tuple[int, ...]
    part: int = ALL

    def has(self, state: MetaurusState, i: int) -> bool:
        if group_of(state, i) not in self.groups:
            return False
        return self.part == ALL or (state.roster.units[i].arm == LEGION) == (self.part == LEGIONS)

    def units(self, state: MetaurusState) -> list[int]:
        return [i for i in on_map(state, self.side) if self.has(state, i)]

    def names(self, state: MetaurusState) -> tuple[str, ...]:
        return tuple(state.roster.groups[g].id for g in self.groups)
