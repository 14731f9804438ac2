"""13 Pursuit: into the hex that the enemy has left, and perhaps one farther."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal
from .markers import Asked, Pass, Spy
from .places import enter
from .state import (
    NOBODY,
    SEATS,
    JulianState,
    cell_of,
    fits,
    hex_name,
    is_open,
    men_at,
    put,
)


class Pursue(Action):
    """JH.pursuit: a unit follows: ``0505``, or after a catastrophe ``0505>0506``."""

    def __init__(self, unit: str, path: tuple[str, ...]) -> None:
        self.unit: Final = unit
        self.path: Final = path

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        pursuit = state.decision
        if not isinstance(pursuit, Pursuit):
            return
        i = state.roster.index.get(self.unit, NOBODY)
        cells = tuple(cell_of(state, name) for name in self.path)
        if i not in pursuit.units:
            yield Refusal("JH.pursuit", "refusal.not_pursuing", {"unit": self.unit})
        elif not cells or cells[0] != pursuit.hex or len(cells) > pursuit.hexes:
            yield Refusal(pursuit.part, "refusal.pursuit_way", {"hexes": pursuit.hexes})
        else:
            if cells[-1] == state.cell[i]:
                yield Refusal("JH.pursuit", "refusal.pursuit_back", {"unit": self.unit})
            yield from pursuit.bars(state, state.roster.units[i].leader, cells)

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        pursuit: Pursuit = play.taken
        i = state.roster.index[self.unit]
        play.tell(pursuit.part, "event.pursues", unit=self.unit, path=self.path)
        rest = tuple(j for j in pursuit.units if j != i)
        play.then(Pursuit(pursuit.seat, pursuit.hex, rest, pursuit.hexes, pursuit.part))
        cells = [cell_of(state, name) for name in self.path]
        put(state, i, cells[-1])
        for cell in cells:
            enter(play, [i], cell, combat=True)


class Pursuit(Asked):
    """JC.BB.3 JC.DC.2 JC.DD.3 JC.DR.3: each unit may pursue or stay; leaders go with units."""

    clause = "JH.pursuit"
    accepts = (Pursue, Pass, Spy)

    def __init__(self, seat: int, hex: int, units: tuple[int, ...], hexes: int, part: str) -> None:
        super().__init__(seat)
        self.hex: Final = hex
        self.units: Final = units
        self.hexes: Final = hexes
        self.part: Final = part

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.pursuit", {"side": SEATS[self.seat], "hex": hex_name(state, self.hex)})

    def bars(self, state: JulianState, leader: bool, cells: tuple[int, ...]) -> Iterator[Refusal]:
        """JH.pursuit JH.stack JH.6_0: what keeps a leader or a combat unit from pursuing there."""
        end = cells[-1]
        name = {"hex": hex_name(state, end) if end >= 0 else "?"}
        if end < 0 or (len(cells) > 1 and end not in state.roster.around[self.hex]):
            yield Refusal("JH.pursuit", "refusal.not_adjacent", dict(name))
            return
        if not all(is_open(state, self.seat, cell) for cell in cells):
            yield Refusal("JH.pursuit", "refusal.enemy_there", dict(name))
        if leader and not men_at(state, self.seat, end):
            yield Refusal("JH.leaders", "refusal.leader_alone", dict(name))
        if not fits(state, self.seat, end, 0):
            yield Refusal("JH.6_0", "refusal.neutrals_there", dict(name))
        elif not leader and not fits(state, self.seat, end):
            yield Refusal("JH.stack", "refusal.stack_full", dict(name))

    def ends(self, state: JulianState) -> list[tuple[int, ...]]:
        first = (self.hex,)
        far = [(self.hex, to) for to in state.roster.around[self.hex]] if self.hexes > 1 else []
        return [first, *far]

    def _open(self, state: JulianState) -> list[tuple[int, tuple[int, ...]]]:
        units, ends = state.roster.units, self.ends(state)
        free = {
            leader: [cells for cells in ends if not any(self.bars(state, leader, cells))]
            for leader in {units[i].leader for i in self.units}
        }
        return [
            (i, cells) for i in self.units for cells in free[units[i].leader] if cells[-1] != state.cell[i]
        ]

    def is_moot(self, state: JulianState) -> bool:
        return not self._open(state)

    def options(self, state: JulianState) -> list[Action]:
        units = state.roster.units
        found = self._open(state)
        return [
            *(Pursue(units[i].id, tuple(hex_name(state, cell) for cell in cells)) for i, cells in found),
            Pass(),
        ]
