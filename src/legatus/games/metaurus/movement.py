"""3 The players' turns: movement, facing, and leaving by the south."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Values
from ...parts.hexes import OFF, field
from .combat import bound_targets
from .facing import Turning
from .force import Force
from .orders import Done
from .state import (
    ADVANCE,
    CARTHAGE,
    CAVALRY,
    MOVE,
    MOVED,
    NOBODY,
    ORDERS,
    SEATS,
    SOUTH,
    MetaurusState,
    Unit,
    make_room,
    on_map,
    order_of,
    other,
    places,
    put,
    touches_enemy,
    unit_of,
)
from .victory import leave

MOST_WAYS = 200  # that are kept of a battle


def reach(state: MetaurusState, i: int) -> dict[int, int]:
    """Where a unit can go under its order, with the price; OFF is beyond the southern edge.

    M2.move.1 M2.move.2 M2.move.3: under Move as far as its points allow, never next to an enemy.
    M2.mta.1: under Move to Attack one hex.  MH4.stacking: through friends, never into enemies.
    """
    roster, start = state.roster, state.cell[i]
    unit = roster.units[i]
    order = order_of(state, i)
    if order == ADVANCE:
        prices = roster.prices[unit.arm == CAVALRY]
        steps = zip(roster.grid.neighbours[start], prices[start], strict=True)
        found = {start: 0, **{to: price for to, price in steps if to >= 0 and price <= unit.move}}
        can_exit = {start: 1}
    else:
        found = _ways(state, start, unit)
        can_exit = {cell: price + 1 for cell, price in found.items() if price < unit.move}
    free = {cell: price for cell, price in found.items() if state.at[cell] in (NOBODY, i)}
    if unit.side == CARTHAGE:  # MH8.exit
        exits = [price for cell, price in can_exit.items() if roster.grid.row(cell) == roster.rows - 1]
        if exits:
            free[OFF] = min(exits)
    return free


def _ways(state: MetaurusState, start: int, unit: Unit) -> dict[int, int]:
    """M2.move.1: the hexes within the points of a unit, with the price; kept while no enemy moves."""
    roster, cavalry = state.roster, unit.arm == CAVALRY
    kept: dict[tuple[object, ...], dict[int, int]] = roster.kept.setdefault("ways", {})
    key = (start, unit.move, cavalry, unit.side, places(state, other(unit.side)))
    found = kept.get(key)
    if found is None:
        make_room(kept, MOST_WAYS)
        barred = _barred(state, unit.side)
        found = kept[key] = field(roster.grid.neighbours, roster.prices[cavalry], start, unit.move, barred)
    return found


def _barred(state: MetaurusState, side: int) -> list[int]:
    """M2.move.2 MH4.stacking: hexes that ``side`` may not enter: next to an enemy or with one."""
    size, foe = state.roster.grid.size, other(side)
    barred = state.near[foe * size : (foe + 1) * size]
    for i in on_map(state, foe):
        barred[state.cell[i]] = 1
    return barred


class March(Action):
    """M2.move.1 M2.mta.1: take a unit of the group to move it, or only to turn it."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        decision = state.decision
        i = unit_of(state, decision.seat if decision else NOBODY, self.unit)
        if i < 0:
            yield Refusal("M2.scope", "refusal.not_yours", {"unit": self.unit})
        elif isinstance(decision, Moves):
            yield from decision.keeps(state, i)

    def perform(self, play: Play) -> None:
        state: MetaurusState = play.state
        i = state.roster.index[self.unit]
        play.then(Marching(play.taken.seat, i, tuple(sorted(reach(state, i)))), play.taken)


class Moves(Decision):
    """M3.resolve M4.after_moves: all moves of an order come before its combats."""

    clause = "M2.move.1"
    accepts = (March, Done)

    def __init__(self, seat: int, force: Force) -> None:
        super().__init__(seat)
        self.force: Final = force

    def prompt(self, state: MetaurusState) -> Message:
        return Message("prompt.moves", {"side": SEATS[self.seat], "groups": self.force.names(state)})

    def keeps(self, state: MetaurusState, i: int) -> Iterator[Refusal]:
        """What keeps a unit from moving."""
        unit, order = state.roster.units[i], order_of(state, i)
        if not self.force.has(state, i):
            yield Refusal("M3.resolve", "refusal.not_in_force", {"unit": unit.id})
            return
        if order not in (MOVE, ADVANCE):
            clauses = {"stand": "M2.stand.1", "reform": "M2.reform.1"}
            clause = clauses.get(ORDERS[order], "M2.attack.1")
            yield Refusal(clause, "refusal.no_move_order", {"unit": unit.id, "order": ORDERS[order]})
        if state.flags[i] & MOVED:
            yield Refusal("M2.move.1", "refusal.moved", {"unit": unit.id})
        if bound_targets(state, i):
            yield Refusal("M2.engaged_must", "refusal.engaged", {"unit": unit.id})

    def is_moot(self, state: MetaurusState) -> bool:
        return not any(next(self.keeps(state, i), None) is None for i in self.force.units(state))

    def candidates(self, state: MetaurusState) -> list[Action]:
        return [*(March(state.roster.units[i].id) for i in self.force.units(state)), Done()]


class Go(Action):
    """M3.facing.1: to a hex that the unit can reach, or to where it is, or off the map by ``south``."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        decision = state.decision
        if not isinstance(decision, Marching):
            return
        cell = OFF if self.hex == SOUTH else state.roster.grid.cells.get(self.hex, NOBODY - 1)
        if cell not in decision.reach:
            yield from _unreachable(state, decision.unit, self.hex, cell)

    def perform(self, play: Play) -> None:
        state: MetaurusState = play.state
        i = play.taken.unit
        state.flags[i] |= MOVED
        if self.hex == SOUTH:
            leave(play, i)
            return
        cell = state.roster.grid.cells[self.hex]
        if cell != state.cell[i]:
            clause = "M2.move.1" if order_of(state, i) == MOVE else "M2.mta.1"
            play.tell(clause, "event.moves", unit=state.roster.units[i].id, hex=self.hex)
            put(state, i, cell)
        play.then(Turning(play.taken.seat, i))


def _unreachable(state: MetaurusState, i: int, name: str, cell: int) -> Iterator[Refusal]:
    """Every reason why a unit cannot end its move there."""
    unit, order = state.roster.units[i], order_of(state, i)
    if name == SOUTH:
        yield Refusal("MH8.exit", "refusal.no_exit", {"unit": unit.id})
        return
    if cell < 0:
        yield Refusal("MH1.map", "refusal.no_such_hex", {"hex": name})
        return
    if state.at[cell] >= 0:
        yield Refusal("MH4.stacking", "refusal.hex_taken", {"hex": name})
    if order == ADVANCE:
        if state.roster.grid.distance(state.cell[i], cell) > 1:
            yield Refusal("M2.mta.1", "refusal.one_hex", {"unit": unit.id})
        elif state.at[cell] < 0:
            yield Refusal("M2.mta.1", "refusal.too_dear", {"unit": unit.id, "hex": name, "move": unit.move})
        return
    if touches_enemy(state, unit.side, cell):
        yield Refusal("M2.move.2", "refusal.next_to_enemy", {"unit": unit.id, "hex": name})
    elif state.at[cell] < 0:
        around, prices = state.roster.grid.neighbours, state.roster.prices[unit.arm == CAVALRY]
        nobody = [0] * state.roster.grid.size
        if cell in field(around, prices, state.cell[i], unit.move, nobody):
            yield Refusal("M2.move.2", "refusal.no_way_past", {"unit": unit.id, "hex": name})
        else:
            values: Values = {"unit": unit.id, "hex": name, "move": unit.move}
            yield Refusal("M0.counters.2", "refusal.too_far", values)


class Marching(Decision):
    """M3.facing.1: where does the unit go?  ``reach`` is where it can, reckoned once."""

    clause = "M3.facing.1"
    accepts = (Go,)

    def __init__(self, seat: int, unit: int, reach: tuple[int, ...]) -> None:
        super().__init__(seat)
        self.unit: Final = unit
        self.reach: Final = reach

    def prompt(self, state: MetaurusState) -> Message:
        return Message("prompt.go", {"unit": state.roster.units[self.unit].id})

    def candidates(self, state: MetaurusState) -> list[Action]:
        names = state.roster.grid.names
        return [Go(SOUTH if cell == OFF else names[cell]) for cell in self.reach]
