"""The two sides on the map, as bots look at them: worth, places, who could act, what could be attacked."""

from __future__ import annotations

from collections.abc import Hashable
from operator import itemgetter
from typing import Any, NamedTuple

from . import weights
from .combat import Combats, Gathering
from .movement import Marching, Moves
from .places import RAIDERS
from .promises import prizes
from .prospects import Atlas, Body, Host, Post, Wave, atlas, wave_of
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
)
from .turn import EndOperations

NOW = -1  # the wave of those who act in this phase; the others are commands, and then peoples
PEOPLES = 100
FIRM = 3  # factors by which a stack stops more than raiders
MOST_KEPT = {"positions": 2000, "sides": 300, "hosts": 300, "goals": 100, "prizes": 100}


def shelf(roster: Roster, name: str) -> dict[Any, Any]:
    """For what is kept from one look to the next; a full shelf is cleared."""
    found: dict[Any, Any] = roster.kept.setdefault(name, {})
    if len(found) >= MOST_KEPT[name]:
        found.clear()
    return found


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

    key: Hashable  # where its units are
    value: float  # its troops and leaders
    cells: tuple[int, ...]  # where its combat units are
    fields: frozenset[int]  # where units are that make a battle important
    led: frozenset[int]  # where (+1) leaders are
    mobile: tuple[tuple[int, int], ...]  # hexes, and the factors there that can go somewhere
    now: tuple[Body, ...]  # who acts in this phase
    waves: tuple[Wave, ...]  # who may act, for the enemy to think of
    zone: int  # see Host
    firm: int
    held: int


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


def side_of(state: JulianState, side: int, moment: Moment, foe: bool) -> Side:
    """A side as it stands; kept while it stands still.  Waves are made of a ``foe`` only."""
    book = book_of(state.roster)
    now: tuple[Hashable, ...] = ()
    if moment.stage and state.active == side:
        now = (moment.stage, moment.bound, *state.flags, *state.acting, *state.called)
    places = (side, state.turn, *state.ally, *book.cells[side](state.cell))
    key = (places, foe, now)
    kept = shelf(state.roster, "sides")
    found: Side | None = kept.get(key)
    if found is None:
        rows = book.rows[side]
        found = kept[key] = _survey(state, side, moment if now else IDLE, rows, foe)._replace(key=places)
    return found


def _survey(state: JulianState, side: int, moment: Moment, rows: tuple[Row, ...], foe: bool) -> Side:
    """Look at every unit of a side, and at neutrals who may come to serve it."""
    factor, where = weights.factor(state, side), state.cell
    pooled = weights.POOLED * factor * (1 - weights.share(state)) if side == BARBARIAN else 0.0
    value = 0.0
    fields: set[int] = set()
    cells: set[int] = set()
    mobile: dict[int, int] = {}
    leaders: list[int] = []
    for i, force, budget, wave, leader, _, field, worth in rows:
        cell = where[i]
        if cell < 0:
            value += pooled * worth if pooled and cell == POOL else 0.0
        elif leader:
            leaders.append(i)
        elif state.side[i] == side:
            cells.add(cell)
            if field:
                fields.add(cell)
            if wave >= PEOPLES:
                value += weights.ALLY * force
                continue
            value += factor * worth
            if budget:
                mobile[cell] = mobile.get(cell, 0) + force
    units, ways, cities = state.roster.units, atlas(state.roster), state.roster.city_at.keys()
    bodies = _bodies(state, moment, leaders, _groups(state, side, moment, rows, foe))
    return Side(
        None,
        value + _leading(state, side, leaders),
        tuple(sorted(cells)),
        frozenset(fields),
        frozenset(where[i] for i in leaders if units[i].bonus > 0),
        tuple(mobile.items()),
        tuple(bodies.get(NOW, ())),
        tuple(wave_of(ways, n, those, cities) for n, those in bodies.items()) if foe else (),
        *_zones(state, side, cells, ways),
    )


Groups = dict[tuple[int, int, int], tuple[int, int, bool, bool]]  # by wave, hex and budget: see Body


def _groups(state: JulianState, side: int, moment: Moment, rows: tuple[Row, ...], foe: bool) -> Groups:
    """Those who act now by what they have left to do; of a foe all others, too."""
    groups: Groups = {}
    stage, flags = moment.stage, state.flags
    if not stage and not foe:
        return groups
    for i, force, budget, wave, leader, captor, field, _ in rows:
        cell, owner = state.cell[i], state.side[i]
        if cell < 0 or leader or wave < 0 or (owner != side and owner != NEUTRAL):
            continue
        if stage and owner == side and _acts(state, wave):
            if flags[i] & FOUGHT or i in moment.bound:
                continue
            wave, budget = NOW, 0 if stage == 1 or flags[i] & MOVED else budget
        elif not foe:
            continue
        key = (wave, cell, budget)
        if key in groups:
            all_force, men, captors, fields = groups[key]
            groups[key] = (all_force + force, men + 1, captors or captor, fields or field)
        else:
            groups[key] = (force, 1, captor, field)
    return groups


def _acts(state: JulianState, wave: int) -> int:
    return state.called[wave - PEOPLES] if wave >= PEOPLES else state.acting[wave]


def _leading(state: JulianState, side: int, leaders: list[int]) -> float:
    """A leader is worth the more, the larger his army."""
    units, size, value = state.roster.units, state.roster.grid.size, 0.0
    for i in leaders:
        army = min(state.force[side * size + state.cell[i]], weights.ARMY) / weights.ARMY
        value += weights.LEADER + (weights.BONUS if units[i].bonus > 0 else weights.PLAIN) * army
    return value


def _bodies(state: JulianState, moment: Moment, leaders: list[int], groups: Groups) -> dict[int, list[Body]]:
    """By wave; a (+1) leader counts for those who act with him."""
    led = set()
    for unit, cell in ((state.roster.units[i], state.cell[i]) for i in leaders):
        if unit.bonus > 0:
            led.add((NOW if moment.stage and state.acting[unit.command] else unit.command, cell))
    found: dict[int, list[Body]] = {}
    for (wave, cell, budget), (force, men, captor, field) in groups.items():
        body = Body(cell, budget, force, men, captor, field, (wave, cell) in led)
        found.setdefault(wave, []).append(body)
    return found


def _zones(state: JulianState, side: int, cells: set[int], ways: Atlas) -> tuple[int, int, int]:
    base = side * state.roster.grid.size
    zone = firm = held = 0
    for cell in cells:
        zone |= ways.zone[cell]
        held |= ways.bit[cell]
        firm |= ways.zone[cell] if state.force[base + cell] >= FIRM else ways.bit[cell]
    return zone, firm, held


# --- a side as its enemy sees it -----------------------------------------------------------------


def host_of(state: JulianState, side: int, own: Side) -> Host:
    """Posts and bare cities; kept while nobody there moves and no city changes hands."""
    key = (own.key, *state.holder, *state.plundered)
    kept = shelf(state.roster, "hosts")
    found: Host | None = kept.get(key)
    if found is None:
        found = kept[key] = _array(state, side, own)
    return found


def _array(state: JulianState, side: int, own: Side) -> Host:
    roster, base = state.roster, side * state.roster.grid.size
    worth = _all_prizes(state)[side]
    posts = {}
    for cell in own.cells:
        prize = worth[roster.city_at[cell]] if cell in roster.city_at else None
        factor = 2 if prize or roster.ground[cell] == MOUNTAIN else 1
        force = state.force[base + cell]
        posts[cell] = Post(force, factor, cell in own.fields, cell in own.led, *(prize or (0.0, 0.0)))
    bare = {
        city.cell: prize
        for city, prize in zip(roster.cities, worth, strict=True)
        if prize and city.cell not in posts
    }
    return Host(posts, bare, own.zone, own.firm, own.held)


def _all_prizes(state: JulianState) -> list[list[tuple[float, float] | None]]:
    """By side and city what its cities are worth to the enemy."""
    key = (state.turn, *state.holder, *state.plundered)
    kept = shelf(state.roster, "prizes")
    found: list[list[tuple[float, float] | None]] | None = kept.get(key)
    if found is None:
        every = [prizes(state, n) for n in range(len(state.holder))]
        found = kept[key] = [
            [prize if holder == side else None for prize, holder in zip(every, state.holder, strict=True)]
            for side in (ROMAN, BARBARIAN)
        ]
    return found
