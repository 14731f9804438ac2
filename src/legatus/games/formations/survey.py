"""The field as a side looks at it: who is there, who can fight, how far the enemy and other places are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...parts.hexes import OFF
from .state import CHARACTER, EXHAUSTED, SHAKEN, SPENT, FormationsState, other
from .units import can_strike, troops

TURNING, GLANCE = 0.4, 0.1  # hexes that a corner off the way counts for; to small units, who turn free
FAR = 12
MOST_WAYS = 2_000

Pose = tuple[int, int, int, int]  # the hexes of a unit, its facing and its type


class Field:
    """How far each hex is from some place, and the ways of units to it that have been asked for."""

    __slots__ = ("row", "ways")

    def __init__(self, row: Sequence[int]) -> None:
        self.row = row
        self.ways: dict[Pose, float] = {}


class Survey:
    """The two sides, as ``seat`` sees them; ``near`` is how far the next enemy is from every hex."""

    __slots__ = ("enemy", "foes", "near", "own", "poses", "seat", "state")

    def __init__(self, state: FormationsState, seat: int) -> None:
        self.state, self.seat = state, seat
        self.own, self.foes = troops(state, seat), troops(state, other(seat))
        self.poses = list(zip(state.cell, state.cell2, state.facing, state.type, strict=True))
        self.enemy = self._enemy()
        self.near = self.enemy.row

    def _enemy(self) -> Field:
        """The way to the next enemy; kept from one look to the next, while he does not move."""
        state, foes, grid = self.state, self.foes, self.state.roster.grid
        kept: dict[int, tuple[list[int], Field]] = state.roster.kept.setdefault("near", {})
        cells, seconds = state.cell, state.cell2
        where = [cells[j] for j in foes] + [seconds[j] for j in foes if seconds[j] >= 0]
        known = kept.get(self.seat)
        if known is None or known[0] != where:
            limit, rows = (FAR,) * grid.size, [grid.distances[cell] for cell in where]
            known = kept[self.seat] = (where, Field(tuple(map(min, limit, limit, *rows))))
        return known[1]

    def shelf(self, name: str, most: int) -> dict[Any, Any]:
        """For what is kept from one look to the next; a full shelf is cleared."""
        found: dict[Any, Any] = self.state.roster.kept.setdefault(name, {})
        if len(found) >= most:
            found.clear()
        return found

    def field(self, cell: int) -> Field:
        """The way to a hex."""
        kept: dict[int, Field] = self.state.roster.kept.setdefault("fields", {})
        if cell not in kept:
            kept[cell] = Field(self.state.roster.grid.distances[cell])
        return kept[cell]

    def apart(self, i: int) -> int:
        """How far the next enemy is from a unit: of two hexes from the nearer."""
        cell, second, _, _ = self.poses[i]
        return self.near[cell] if second < 0 else min(self.near[cell], self.near[second])

    def way(self, i: int, field: Field) -> float:
        """AH7.move: how far a unit has to go and to turn."""
        pose = self.poses[i]
        known = field.ways.get(pose)
        if known is None:
            if len(field.ways) >= MOST_WAYS:
                field.ways.clear()
            known = field.ways[pose] = self._way(pose, field.row)
        return known

    def _way(self, pose: Pose, row: Sequence[int]) -> float:
        cell, second, facing, kind = pose
        roster = self.state.roster
        far = row[cell] if second < 0 else min(row[cell], row[second])
        if not far:
            return 0.0
        weight = GLANCE if second < 0 and roster.types[kind].small else TURNING
        around = roster.grid.neighbours
        one, two = around[cell][facing], around[cell if second < 0 else second][(facing + 1) % 6]
        ahead = (row[one] if one != OFF else far + 1) + (row[two] if two != OFF else far + 1)
        return far + weight * (ahead - 2 * far + 2)

    def is_weak(self, i: int) -> bool:
        """Whether a unit had better keep away from the enemy."""
        state = self.state
        if state.cohesion[i] == SHAKEN or state.fatigue[i] == EXHAUSTED:
            return True
        return state.ammo[i] == SPENT and state.roster.types[state.type[i]].range > 0

    def stands(self, side: int, cell: int) -> bool:
        """Whether a troop of a side that is on the ground and not in Rout is in a hex."""
        state = self.state
        for i in state.at[cell]:
            if state.side[i] == side and state.kind[i] != CHARACTER and can_strike(state, i):
                return True
        return False
