"""The two sides on the map, as bots look at them: worth, places, who could act, what could be attacked."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from . import weights
from .combat import Combats, Gathering
from .movement import Marching, Moves
from .places import RAIDERS
from .promises import prizes
from .prospects import Atlas, Body, Host, Post, Wave, Waves, atlas, wave_of, waves_of
from .state import (
    BARBARIAN,
    FIELD_MOVE,
    FOUGHT,
    HALVES,
    MOUNTAIN,
    MOVED,
    NEUTRAL,
    POOL,
    ROMAN,
    JulianState,
    Roster,
    Unit,
    counted_plunder,
)
from .turn import EndOperations

NOW = -1  # the wave of those who act in this phase; the others are commands, and then peoples
PEOPLES = 100
FIRM = 3  # factors by which a stack stops more than raiders
MOST_KEPT = {"positions": 2000, "sides": 300, "goals": 100, "waves": 300, "prizes": 100, "troops": 100}
MOST_BESIDE = 50  # of each kind, beside a side


def shelf(roster: Roster, name: str) -> dict[Any, Any]:
    """For what is kept from one look to the next; a full shelf is cleared."""
    found: dict[Any, Any] = roster.kept.setdefault(name, {})
    if len(found) >= MOST_KEPT[name]:
        found.clear()
    return found


def beside(kept: dict[Any, Any]) -> dict[Any, Any]:
    """The same for what is kept beside a side, while it stands still."""
    if len(kept) >= MOST_BESIDE:
        kept.clear()
    return kept


# --- the moment ----------------------------------------------------------------------------------


class Moment(NamedTuple):
    """Where in an operations phase a state is."""

    stage: int  # 2 before the moves are over, 1 before the combats are, 0 otherwise
    march: Marching | None  # a stack that is taken and has not set out
    bound: tuple[int, ...]  # units in a declared attack
    barred: tuple[int, ...]  # hexes that are attacked or have been


IDLE = Moment(0, None, (), ())


def moment_of(state: JulianState) -> Moment:
    if not state.operating:
        return IDLE
    stage = 1
    march: Marching | None = None
    bound: tuple[int, ...] = ()
    barred: tuple[int, ...] = ()
    for step in reversed(state.todo):
        kind = type(step)
        if kind is Marching:
            march = None if step.begun else step  # type: ignore[attr-defined, assignment]
        elif kind is Moves:
            stage = 2
        elif isinstance(step, Gathering):
            bound, barred = step.units, (step.hex,)
        elif isinstance(step, Combats):
            return Moment(stage, march, bound, (*barred, *step.fought))
        elif kind is EndOperations:
            break
    return IDLE


# --- a side --------------------------------------------------------------------------------------


class Side(NamedTuple):
    """A side on the map."""

    value: float  # its troops and leaders
    cells: tuple[int, ...]  # where its combat units are
    fields: set[int]  # where units are that make a battle important
    led: dict[int, list[int]]  # where (+1) leaders are, and of which commands
    mobile: tuple[tuple[int, int], ...]  # hexes, and the factors there that can go somewhere
    zone: int  # see Host
    firm: int
    held: int
    bodies: dict[Hashable, tuple[Body, ...]]  # kept beside it: see bodies_of, waves_at, host_of, goals
    waves: dict[Hashable, Waves]
    hosts: dict[Hashable, Host]
    goals: dict[Hashable, tuple[float, ...]]


Row = tuple[int, int, int, int, bool, bool, bool, float]


class Book(NamedTuple):
    """What does not change of the units: number, factors, half points, wave, leader, captor, field, worth."""

    rows: tuple[tuple[Row, ...], ...]  # by side, its units and those of all peoples
    cells: tuple[Any, ...]  # by side, picks their hexes out of a column


def book_of(roster: Roster) -> Book:
    book: Book | None = roster.kept.get("book")
    if book is None:
        worth, rows = weights.worth_of(roster), []
        for side in (ROMAN, BARBARIAN):
            own = [(i, unit) for i, unit in enumerate(roster.units) if unit.side in (side, NEUTRAL)]
            rows.append(tuple(_row(i, unit, worth[i]) for i, unit in own))
        cells = [itemgetter(*(row[0] for row in those)) for those in rows]
        book = roster.kept["book"] = Book(tuple(rows), tuple(cells))
    return book


def _row(i: int, unit: Unit, worth: float) -> Row:
    number = PEOPLES + unit.people if unit.people >= 0 else unit.command
    captor, field = unit.kind != RAIDERS, unit.move == FIELD_MOVE
    return i, unit.combat, unit.move * HALVES, number, unit.leader, captor, field, worth


def side_of(state: JulianState, side: int) -> Side:
    """A side as it stands; kept while it stands still."""
    cells = book_of(state.roster).cells[side](state.cell)
    key = (side, state.turn, *state.ally, *cells)
    kept = shelf(state.roster, "sides")
    found: Side | None = kept.get(key)
    if found is None:
        found = kept[key] = _survey(state, side, cells)
    return found


def _survey(state: JulianState, side: int, places: tuple[int, ...]) -> Side:
    """Look at every unit of a side, and at neutrals who may come to serve it."""
    factor, owners, units = weights.factor(state, side), state.side, state.roster.units
    pooled = weights.POOLED * factor * (1 - weights.share(state)) if side == BARBARIAN else 0.0
    value = 0.0
    fields: set[int] = set()
    cells: set[int] = set()
    mobile: dict[int, int] = {}
    leaders: list[int] = []
    for row, cell in zip(book_of(state.roster).rows[side], places, strict=True):
        i, force, budget, wave, leader, _, field, worth = row
        if cell < 0:
            value += pooled * worth if cell == POOL else 0.0
        elif leader:
            leaders.append(i)
        elif owners[i] == side:
            cells.add(cell)
            if field:
                fields.add(cell)
            if wave >= PEOPLES:
                value += weights.ALLY * force
                continue
            value += factor * worth
            if budget:
                mobile[cell] = mobile.get(cell, 0) + force
    led: dict[int, list[int]] = {}
    for i in leaders:
        if units[i].bonus > 0:
            led.setdefault(state.cell[i], []).append(units[i].command)
    zones = _zones(state, side, cells, atlas(state.roster))
    value += _leading(state, side, leaders)
    return Side(value, tuple(sorted(cells)), fields, led, tuple(mobile.items()), *zones, {}, {}, {}, {})


def _leading(state: JulianState, side: int, leaders: list[int]) -> float:
    """A leader is worth the more, the larger his army."""
    units, size, value = state.roster.units, state.roster.grid.size, 0.0
    for i in leaders:
        army = min(state.force[side * size + state.cell[i]], weights.ARMY) / weights.ARMY
        value += weights.LEADER + (weights.BONUS if units[i].bonus > 0 else weights.PLAIN) * army
    return value


def _zones(state: JulianState, side: int, cells: set[int], ways: Atlas) -> tuple[int, int, int]:
    base = side * state.roster.grid.size
    zone = firm = held = 0
    for cell in cells:
        zone |= ways.zone[cell]
        held |= ways.bit[cell]
        firm |= ways.zone[cell] if state.force[base + cell] >= FIRM else ways.bit[cell]
    return zone, firm, held


# --- who could act -------------------------------------------------------------------------------


def bodies_of(state: JulianState, side: int, own: Side, moment: Moment) -> tuple[Body, ...]:
    """Who acts in this phase."""
    key = _acting(state, side, moment)
    if not key:
        return ()
    found = own.bodies.get(key)
    if found is None:
        bodies = _bodies(state, moment, own, _groups(state, side, moment, _troops(state, side)))
        found = beside(own.bodies)[key] = tuple(bodies.get(NOW, ()))
    return found


def waves_at(state: JulianState, side: int, own: Side, moment: Moment) -> Waves:
    """Who may act, for the enemy to think of."""
    key = _acting(state, side, moment)
    found = own.waves.get(key)
    if found is None:
        roster, kept = state.roster, shelf(state.roster, "waves")
        waves = {}
        groups = _groups(state, side, moment if key else IDLE, _troops(state, side, every=True))
        for number, those in _bodies(state, moment if key else IDLE, own, groups).items():
            bodies = tuple(those)
            wave: Wave | None = kept.get(bodies)
            if wave is None:
                wave = kept[bodies] = wave_of(atlas(roster), bodies, roster.city_at.keys())
            waves[number] = wave
        found = beside(own.waves)[key] = waves_of(waves)
    return found


def _acting(state: JulianState, side: int, moment: Moment) -> tuple[Hashable, ...]:
    """What it depends on who acts; empty if the side does not act."""
    if not moment.stage or state.active != side:
        return ()
    flags = book_of(state.roster).cells[side](state.flags)
    return (moment.stage, moment.bound, flags, *state.acting, *state.called)


Groups = dict[tuple[int, int, int], tuple[int, int, bool, bool]]  # by wave, hex and budget: see Body


def _groups(state: JulianState, side: int, moment: Moment, rows: list[Row]) -> Groups:
    """Those who act now by what they have left to do, and all others."""
    groups: Groups = {}
    stage, flags, owners = moment.stage, state.flags, state.side
    active = _active(state) if stage else ()
    for i, force, budget, wave, _, captor, field, _ in rows:
        cell, owner = state.cell[i], owners[i]
        if cell < 0 or (owner != side and owner != NEUTRAL):
            continue
        if wave in active and owner == side:
            if flags[i] & FOUGHT or i in moment.bound:
                continue
            wave, budget = NOW, 0 if stage == 1 or flags[i] & MOVED else budget
        key = (wave, cell, budget)
        if key in groups:
            all_force, men, captors, fields = groups[key]
            groups[key] = (all_force + force, men + 1, captors or captor, fields or field)
        else:
            groups[key] = (force, 1, captor, field)
    return groups


def _troops(state: JulianState, side: int, every: bool = False) -> list[Row]:
    """The combat units of those who act in this phase, or of all who ever act."""
    key = (side,) if every else (side, *state.acting, *state.called)
    kept = shelf(state.roster, "troops")
    found: list[Row] | None = kept.get(key)
    if found is None:
        active, rows = _active(state), book_of(state.roster).rows[side]
        found = [row for row in rows if not row[4] and (row[3] in active or (every and row[3] >= 0))]
        kept[key] = found
    return found


def _active(state: JulianState) -> list[int]:
    """The waves that act in this phase."""
    commands = [c for c, acts in enumerate(state.acting) if acts]
    return commands + [PEOPLES + p for p, called in enumerate(state.called) if called]


def _bodies(state: JulianState, moment: Moment, own: Side, groups: Groups) -> dict[int, list[Body]]:
    """By wave; a (+1) leader counts for those who act with him."""
    led = {
        (NOW if moment.stage and state.acting[command] else command, cell)
        for cell, commands in own.led.items()
        for command in commands
    }
    found: dict[int, list[Body]] = {}
    for (wave, cell, budget), (force, men, captor, field) in groups.items():
        body = Body(cell, budget, force, men, captor, field, (wave, cell) in led)
        found.setdefault(wave, []).append(body)
    return found


# --- a side as its enemy sees it -----------------------------------------------------------------


def host_of(state: JulianState, side: int, own: Side, barred: tuple[int, ...] = ()) -> Host:
    """Posts that are not barred, and bare cities; kept while nobody moves and no city changes hands."""
    key = (barred, counted_plunder(state), *state.holder, *state.plundered)
    found = own.hosts.get(key)
    if found is None:
        found = beside(own.hosts)[key] = _array(state, side, own, barred)
    return found


def _array(state: JulianState, side: int, own: Side, barred: tuple[int, ...]) -> Host:
    ground, base = state.roster.ground, side * state.roster.grid.size
    force, fields, led = state.force, own.fields, own.led
    worth = _all_prizes(state)[side]
    posts = {}
    for cell in own.cells:
        prize = worth.get(cell)
        factor = 2 if prize or ground[cell] == MOUNTAIN else 1
        posts[cell] = _post(force[base + cell], factor, cell in fields, cell in led, prize)
    bare = {cell: prize for cell, prize in worth.items() if cell not in posts}
    for cell in barred:
        posts.pop(cell, None)
    return Host(posts, bare, own.zone, own.firm, own.held, {}, {})


@lru_cache(5_000)
def _post(force: int, factor: int, field: bool, led: bool, prize: tuple[float, float] | None) -> Post:
    return Post(force, factor, field, led, *(prize or (0.0, 0.0)))


def _all_prizes(state: JulianState) -> list[dict[int, tuple[float, float]]]:
    """By side what its cities are worth to the enemy, by hex."""
    key = (state.turn, counted_plunder(state), *state.holder, *state.plundered)
    kept = shelf(state.roster, "prizes")
    found: list[dict[int, tuple[float, float]]] | None = kept.get(key)
    if found is None:
        found = kept[key] = [{}, {}]
        for n, city in enumerate(state.roster.cities):
            found[state.holder[n]][city.cell] = prizes(state, n)
    return found
