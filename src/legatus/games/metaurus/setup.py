"""7 Units and set-up: free deployment (MH15.free_setup)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from .facing import Turning
from .state import CARTHAGE, NOBODY, SEATS, WAITING, MetaurusState, put


class Array(Step):
    """MH10.setup: everybody to his place."""

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        for i, unit in enumerate(state.roster.units):
            put(state, i, unit.start)
        play.tell("MH10.setup", "event.array")


class Deploy(Action):
    """MH15.free_setup: take a unit to set it down."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        decision = state.decision
        i = state.roster.index.get(self.unit, NOBODY)
        if decision is None or i < 0 or state.roster.units[i].side != decision.seat:
            yield Refusal("MH15.free_setup", "refusal.not_yours", {"unit": self.unit})
        elif state.cell[i] != WAITING:
            yield Refusal("MH15.free_setup", "refusal.deployed", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        i = play.state.roster.index[self.unit]
        play.then(Spot(play.taken.seat, i), play.taken)


class DeployRest(Action):
    """MH15.free_setup: all that wait, as in the historical set-up.

    Where somebody stands already, near by: not in a forest nor ahead of the line while there is other room.
    """

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        state: MetaurusState = play.state
        seat = play.taken.seat
        for i in waiting(state, seat):
            start = state.roster.units[i].start
            if state.at[start] == NOBODY and start in zone(state, seat):
                put(state, i, start)
        for i in waiting(state, seat):
            free = [cell for cell in zone(state, seat) if state.at[cell] == NOBODY]
            put(state, i, _nearest(state, i, free))
        play.tell("MH15.free_setup", "event.deploys_rest", side=SEATS[seat])


def _nearest(state: MetaurusState, i: int, free: list[int]) -> int:
    """MH15.free_setup: where a unit goes whose place in the historical set-up is taken."""
    unit, roster = state.roster.units[i], state.roster
    grid, start = roster.grid, unit.start
    forward = 1 if unit.side == CARTHAGE else -1

    def demerits(cell: int) -> tuple[bool, bool, int, int]:
        ahead = forward * (grid.row(cell) - grid.row(start)) > 0
        return cell in roster.wooded, ahead, grid.distance(start, cell), cell

    return min(free, key=demerits)


def waiting(state: MetaurusState, seat: int) -> list[int]:
    return [i for i in state.roster.of[seat] if state.cell[i] == WAITING]


def zone(state: MetaurusState, seat: int) -> range:
    """MH15.free_setup: the hexes in which a side may deploy."""
    first, last = state.roster.zones[seat]
    columns = state.roster.columns
    return range(first * columns, (last + 1) * columns)


class Deployment(Decision):
    """MH15.free_setup: one unit after the other."""

    clause = "MH15.free_setup"
    accepts = (Deploy, DeployRest)

    def prompt(self, state: MetaurusState) -> Message:
        return Message("prompt.deploy", {"side": SEATS[self.seat], "left": len(waiting(state, self.seat))})

    def is_moot(self, state: MetaurusState) -> bool:
        return not waiting(state, self.seat)

    def candidates(self, state: MetaurusState) -> list[Action]:
        units = state.roster.units
        return [*(Deploy(units[i].id) for i in waiting(state, self.seat)), DeployRest()]


class Place(Action):
    """MH15.free_setup: set the unit down in a free hex of one's own rows."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        decision = state.decision
        cell = state.roster.grid.cells.get(self.hex, NOBODY)
        if cell < 0:
            yield Refusal("MH1.map", "refusal.no_such_hex", {"hex": self.hex})
            return
        if decision is not None and cell not in zone(state, decision.seat):
            first, last = state.roster.zones[decision.seat]
            yield Refusal(
                "MH15.free_setup", "refusal.outside", {"hex": self.hex, "first": first, "last": last}
            )
        if state.at[cell] != NOBODY:
            yield Refusal("MH4.stacking", "refusal.hex_taken", {"hex": self.hex})

    def perform(self, play: Play) -> None:
        state: MetaurusState = play.state
        i = play.taken.unit
        put(state, i, state.roster.grid.cells[self.hex])
        play.tell("MH15.free_setup", "event.deploys", unit=state.roster.units[i].id, hex=self.hex)
        play.then(Turning(play.taken.seat, i))


class Spot(Decision):
    """MH15.free_setup: where does this unit stand?"""

    clause = "MH15.free_setup"
    accepts = (Place,)

    def __init__(self, seat: int, unit: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit

    def prompt(self, state: MetaurusState) -> Message:
        return Message("prompt.place", {"unit": state.roster.units[self.unit].id})

    def candidates(self, state: MetaurusState) -> list[Action]:
        names = state.roster.grid.names
        return [Place(names[cell]) for cell in zone(state, self.seat)]
