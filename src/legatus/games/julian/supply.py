"""15 Supply and attrition, an option (JQ.III.C, JH.25_0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step
from .markers import Asked, Spy
from .retreat import destroy
from .state import (
    BARBARIAN,
    NOBODY,
    ROMAN,
    SEATS,
    JulianState,
    hex_name,
    holds,
    is_winter,
    men_at,
    names,
    other,
    troops_at,
)
from .throws import throw

REACH = 2  # JH.25_0: hexes to a city
LARGE = 3  # JH.25_0: more than so many need a city in winter


def is_supplied(state: JulianState, side: int, cell: int) -> bool:
    """JH.25_0: near a city of its side; a barbarian in his land; a Roman along a road to a city."""
    if side == BARBARIAN and not state.roster.gaul[cell]:
        return True
    road = side == ROMAN and _reaches(state, side, cell, state.roster.grid.size, by_road=True)
    return road or _reaches(state, side, cell, REACH, by_road=False)


def _reaches(state: JulianState, side: int, start: int, hexes: int, by_road: bool) -> bool:
    """Whether a city of a side lies within so many hexes, by hexes free of enemies."""
    seen, ring = {start}, [start]
    for _ in range(hexes + 1):
        if any(holds(state, side, cell) for cell in ring):
            return True
        ring = [
            to
            for cell in ring
            for to in state.roster.around[cell]
            if to not in seen
            and not men_at(state, other(side), to)
            and (not by_road or (cell, to) in state.roster.road)
        ]
        ring = list(dict.fromkeys(ring))
        seen.update(ring)
        if not ring:
            return False
    return False


def suffers(state: JulianState, side: int, cell: int) -> bool:
    """JH.25_0: out of supply; or in winter too many outside a city."""
    crowded = is_winter(state) and men_at(state, side, cell) > LARGE and cell not in state.roster.city_at
    return crowded or not is_supplied(state, side, cell)


class Supply(Step):
    """JQ.III.C: stacks of the Roman, then of the barbarian; neutral peoples do not roll."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        play.tell("JQ.III.C", "event.supply")
        steps: list[Step] = []
        for side in (ROMAN, BARBARIAN):
            cells = sorted({cell for i, cell in enumerate(state.cell) if cell >= 0 and state.side[i] == side})
            for cell in cells:
                if men_at(state, side, cell) > 1 and suffers(state, side, cell):
                    steps.append(Attrition(side, cell))
        play.then(*steps)


class Spare(Action):
    """JH.25_0: the unit that does not roll."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        stack = state.decision
        if isinstance(stack, Attrition):
            i = state.roster.index.get(self.unit, NOBODY)
            if i not in troops_at(state, stack.cell, stack.seat):
                yield Refusal("JH.25_0", "refusal.not_in_stack", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        stack: Attrition = play.taken
        spared = state.roster.index[self.unit]
        rest = [i for i in troops_at(state, stack.cell, stack.seat) if i != spared]
        play.then(*(Hunger(i) for i in rest))


class Attrition(Asked):
    """JH.25_0: every combat unit of the stack rolls but one, of the owner's choice."""

    clause = "JH.25_0"
    accepts = (Spare, Spy)

    def __init__(self, seat: int, cell: int) -> None:
        super().__init__(seat)
        self.cell: Final = cell

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.spare", {"side": SEATS[self.seat], "hex": hex_name(state, self.cell)})

    def options(self, state: JulianState) -> list[Action]:
        return [Spare(name) for name in names(state, troops_at(state, self.cell, self.seat))]


class Hunger(Step):
    def __init__(self, unit: int) -> None:
        self.unit: Final = unit

    def run(self, play: Play) -> None:
        throw(play, "JH.25_0", "attrition", play.state.side[self.unit], Starved(self.unit))


class Starved(Step):
    """JH.25_0: lost on 1; Romans east of the Rhine in winter on 2, too."""

    def __init__(self, unit: int) -> None:
        self.unit: Final = unit

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        east = not state.roster.gaul[state.cell[self.unit]]
        hard = state.side[self.unit] == ROMAN and east and is_winter(state)
        if state.face <= (2 if hard else 1):
            destroy(play, [self.unit], "JH.25_0")
        else:
            play.tell("JH.25_0", "event.holds_out", unit=state.roster.units[self.unit].id)
