"""12 Retreat: hex by hex away from the enemy, by the owner or, in a rout, by the enemy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step
from .markers import Asked, Spy
from .places import flee_into
from .state import (
    ASIDE,
    DIE,
    NOBODY,
    POOL,
    SEATS,
    JulianState,
    cell_of,
    fits,
    hex_name,
    is_open,
    names,
    put,
)

Left = tuple[tuple[int, int], ...]  # units and how far they have to go


def destroy(play: Play, units: Iterable[int], clause: str) -> None:
    """JH.15_10 JH.6_0: back into the force pool; federates are set aside."""
    state: JulianState = play.state
    gone = list(units)
    for i in gone:
        put(state, i, ASIDE if state.roster.units[i].people >= 0 else POOL)
    if gone:
        play.tell(clause, "event.destroyed", units=names(state, gone))


# --- ways ----------------------------------------------------------------------------------------


def onward(state: JulianState, i: int, feared: tuple[int, ...], path: tuple[int, ...]) -> list[int]:
    """JH.retreat: the next hexes: nearer to no enemy and farther from one; failing that, next to none."""
    apart, cell, side = state.roster.grid.distances, path[-1], state.side[i]
    free = [to for to in state.roster.around[cell] if to not in path and is_open(state, side, to)]
    gains = {to: [apart[to][foe] - apart[cell][foe] for foe in feared] for to in free}
    away = [to for to, gain in gains.items() if min(gain) >= 0 and max(gain) > 0]
    return away or [to for to in free if all(apart[to][foe] > 1 for foe in feared)]


def leads(state: JulianState, i: int, feared: tuple[int, ...], path: tuple[int, ...], left: int) -> bool:
    """JH.retreat: whether a way of full length goes on from here, to a hex in which the unit may stay."""
    if not left:
        return fits(state, state.side[i], path[-1])
    return any(leads(state, i, feared, (*path, to), left - 1) for to in onward(state, i, feared, path))


# --- retreating ----------------------------------------------------------------------------------


class Fallback(Step):
    """JC.AD.2 JC.DD.2 JC.AR.2.roll JC.DR.2.roll: how far everybody goes; garrisons go nowhere."""

    def __init__(
        self,
        chooser: int,
        feared: tuple[int, ...],
        units: tuple[int, ...],
        hexes: int,  # 0: a die for each unit
        part: str,
    ) -> None:
        self.chooser: Final = chooser
        self.feared: Final = feared
        self.units: Final = units
        self.hexes: Final = hexes
        self.part: Final = part

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        units = state.roster.units
        destroy(play, [i for i in self.units if not units[i].move], "JH.retreat")
        left = []
        for i in self.units:
            if not units[i].move:
                continue
            hexes = self.hexes or play.roll(DIE)
            if not self.hexes:
                play.tell(self.part, "event.routs", unit=units[i].id, hexes=hexes)
            left.append((i, hexes))
        play.then(Falling(self.chooser, self.feared, tuple(left), (), self.part))


class Falling(Step):
    """JH.retreat: ask for the next hex; who has no way is eliminated."""

    def __init__(
        self,
        chooser: int,
        feared: tuple[int, ...],
        left: Left,
        path: tuple[int, ...],  # of the first unit, if it is on its way
        part: str,
    ) -> None:
        self.chooser: Final = chooser
        self.feared: Final = feared
        self.left: Final = left
        self.path: Final = path
        self.part: Final = part

    def run(self, play: Play) -> None:
        if not self.left:
            return
        question = Retreating(self.chooser, self.feared, self.left, self.path, self.part)
        steps = question.steps(play.state)
        if not steps:
            destroy(play, [i for i, _ in self.left], "JH.retreat")
        elif len(steps) == 1:
            question.move(play, *steps[0])
        else:
            play.then(question)


class FallBack(Action):
    """JH.retreat: a unit one hex farther."""

    def __init__(self, unit: str, hex: str) -> None:
        self.unit: Final = unit
        self.hex: Final = hex

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        question = state.decision
        if not isinstance(question, Retreating):
            return
        i, cell = state.roster.index.get(self.unit, NOBODY), cell_of(state, self.hex)
        if i not in question.going():
            yield Refusal("JH.retreat", "refusal.not_retreating", {"unit": self.unit})
        elif (i, cell) not in question.steps(state):
            yield Refusal("JH.retreat", "refusal.no_way_back", {"unit": self.unit, "hex": self.hex})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        play.taken.move(play, state.roster.index[self.unit], cell_of(state, self.hex))


class Retreating(Asked):
    """JC.AR.2.path JC.DR.2.path JC.AD.2 JC.DD.2: which unit goes where?"""

    clause = "JH.retreat"
    accepts = (FallBack, Spy)

    def __init__(
        self, seat: int, feared: tuple[int, ...], left: Left, path: tuple[int, ...], part: str
    ) -> None:
        super().__init__(seat)
        self.feared: Final = feared
        self.left: Final = left
        self.path: Final = path
        self.part: Final = part

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.retreat", {"side": SEATS[self.seat]})

    def going(self) -> list[int]:
        """One after the other: who is on his way goes on."""
        return [i for i, _ in (self.left[:1] if self.path else self.left)]

    def steps(self, state: JulianState) -> list[tuple[int, int]]:
        """Every unit and hex to choose from, on ways of full length only."""
        found = []
        for i, left in self.left[:1] if self.path else self.left:
            path = self.path or (state.cell[i],)
            found += [
                (i, to)
                for to in onward(state, i, self.feared, path)
                if leads(state, i, self.feared, (*path, to), left - 1)
            ]
        return found

    def options(self, state: JulianState) -> list[Action]:
        units = state.roster.units
        return [FallBack(units[i].id, hex_name(state, to)) for i, to in self.steps(state)]

    def move(self, play: Play, i: int, cell: int) -> None:
        state: JulianState = play.state
        path = (*(self.path or (state.cell[i],)), cell)
        left = dict(self.left)[i] - 1
        others = tuple(pair for pair in self.left if pair[0] != i)
        going = (((i, left),) if left else ()) + others
        play.tell(self.part, "event.falls_back", unit=state.roster.units[i].id, hex=hex_name(state, cell))
        put(state, i, cell)
        play.then(Falling(self.seat, self.feared, going, path if left else (), self.part))
        flee_into(play, [i], cell)
