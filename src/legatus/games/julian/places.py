"""8 Cities and leaders: what comes of it when somebody enters a hex, and who must go elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step, Values
from .markers import Asked, Spy
from .state import (
    ASIDE,
    BARBARIAN,
    DIE,
    NEUTRAL,
    NOBODY,
    POOL,
    ROMAN,
    SEATS,
    JulianState,
    cell_of,
    fits,
    hex_name,
    holds,
    is_open,
    leaders_at,
    men_at,
    nearest,
    other,
    put,
)
from .throws import throw

RAIDERS = "raiders"  # JH.cities: they sack a city, and do not take it
LOST = 2  # JH.retreat: a leader is lost on 1 and 2
NEAREST, REFUGE, CITY = "nearest", "refuge", "city"  # which hexes are sought

# --- entering a hex ------------------------------------------------------------------------------


def enter(play: Play, units: Sequence[int], cell: int, combat: bool = False) -> None:
    """JH.cities JH.leaders: combat units come into a hex by any kind of move, perhaps in a combat."""
    _come(play, units, cell, combat, True)


def flee_into(play: Play, units: Sequence[int], cell: int) -> None:
    """JH.retreat: beaten units come into a hex; they neither sack nor take a city."""
    _come(play, units, cell, True, False)


def _come(play: Play, units: Sequence[int], cell: int, combat: bool, conquers: bool) -> None:
    state: JulianState = play.state
    troops = [i for i in units if not state.roster.units[i].leader]
    if not troops:
        return
    side = state.side[troops[0]]
    city = state.roster.city_at.get(cell, NOBODY)
    if conquers and city >= 0 and state.holder[city] != side:
        if side == BARBARIAN:
            _sack(play, city)
        if any(state.roster.units[i].kind != RAIDERS for i in troops):
            state.holder[city] = side
            play.tell("JH.cities", "event.takes", side=SEATS[side], city=state.roster.cities[city].id)
    play.then(*(Escape(i, combat) for i in leaders_at(state, cell, other(side))))


def _sack(play: Play, city: int) -> None:
    """JH.cities: its value once a turn; it pays no taxes until it is repaired."""
    state: JulianState = play.state
    state.sacked[city] = 1
    value = 0 if state.plundered[city] else state.roster.cities[city].value
    state.plundered[city] = 1
    state.plunder += value
    play.tell("JH.cities", "event.sacks", city=state.roster.cities[city].id, value=value)


# --- leaders -------------------------------------------------------------------------------------


class Escape(Step):
    """JH.leaders JH.retreat: a leader who is left alone throws a die; in a combat it is not thrown again."""

    def __init__(self, leader: int, combat: bool) -> None:
        self.leader: Final = leader
        self.combat: Final = combat

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        cell = state.cell[self.leader]
        side = state.side[self.leader]
        if cell < 0 or men_at(state, side, cell):
            return
        if self.combat:
            state.face = play.roll(DIE)
            clause = "JS.imperium.2.exception"
            play.tell(clause, "event.throws.escape", side=SEATS[side], face=state.face)
            play.then(Escaped(self.leader))
        else:
            throw(play, "JH.leaders", "escape", side, Escaped(self.leader))


class Escaped(Step):
    """JH.retreat: lost on 1 and 2 or without a place to go; else in the nearest refuge."""

    def __init__(self, leader: int) -> None:
        self.leader: Final = leader

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        if state.face <= LOST:
            play.tell("JH.retreat", "event.leader_lost", unit=state.roster.units[self.leader].id)
            put(state, self.leader, POOL)
        else:
            displace(play, self.leader, "JH.retreat", REFUGE)


# --- going elsewhere -----------------------------------------------------------------------------


def refuges(state: JulianState, i: int, sought: str) -> list[int]:
    """The nearest of the hexes sought that a unit may be put into."""
    unit, side = state.roster.units[i], state.side[i]
    more = 0 if unit.leader else 1
    legal = (
        cell
        for cell in range(state.roster.grid.size)
        if is_open(state, side, cell) and fits(state, side, cell, more) and _is(state, i, cell, sought)
    )
    return nearest(state, state.cell[i], legal)


def _is(state: JulianState, i: int, cell: int, sought: str) -> bool:
    unit, side = state.roster.units[i], state.side[i]
    if sought != CITY and cell == state.cell[i]:  # JH.retreat: he leaves his hex
        return False
    if sought == NEAREST:
        return True
    if sought == CITY or side == ROMAN:  # JH.retreat: a city of his side without an enemy
        return holds(state, side, cell) and not men_at(state, other(side), cell)
    at_home = side == BARBARIAN and cell in state.roster.commands[unit.command].home
    return at_home or holds(state, side, cell)


class Settle(Action):
    """Where a unit goes that cannot stay."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, Displace) and cell_of(state, self.hex) not in decision.cells(state):
            yield Refusal(decision.why, "refusal.not_nearest", {"hex": self.hex})

    def perform(self, play: Play) -> None:
        play.taken.move(play, cell_of(play.state, self.hex))


class Displace(Asked):
    """JH.5_9_4 JH.return JH.retreat: a unit is moved by its owner to the nearest hex of those sought."""

    clause = "JH.return"
    accepts = (Settle, Spy)

    def __init__(self, seat: int, unit: int, why: str, sought: str = NEAREST) -> None:
        super().__init__(seat)
        self.unit: Final = unit
        self.why: Final = why
        self.sought: Final = sought

    def prompt(self, state: JulianState) -> Message:
        values: Values = {"side": SEATS[self.seat], "unit": state.roster.units[self.unit].id}
        return Message("prompt.settle", values)

    def cells(self, state: JulianState) -> list[int]:
        return refuges(state, self.unit, self.sought)

    def is_moot(self, state: JulianState) -> bool:
        return state.cell[self.unit] < 0

    def options(self, state: JulianState) -> list[Action]:
        return [Settle(hex_name(state, cell)) for cell in self.cells(state)]

    def move(self, play: Play, cell: int) -> None:
        state: JulianState = play.state
        unit = state.roster.units[self.unit]
        play.tell(self.why, "event.settles", unit=unit.id, hex=hex_name(state, cell))
        put(state, self.unit, cell)
        enter(play, [self.unit], cell)


def displace(play: Play, i: int, why: str, sought: str = NEAREST) -> None:
    """Put a unit elsewhere: ask its owner if there are several nearest hexes; without any it is lost."""
    state: JulianState = play.state
    question = Displace(state.side[i], i, why, sought)
    cells = question.cells(state)
    if len(cells) == 1:
        question.move(play, cells[0])
    elif cells:
        play.then(question)
    else:
        unit = state.roster.units[i]
        play.tell(why, "event.nowhere", unit=unit.id)
        put(state, i, ASIDE if unit.people >= 0 else POOL)


class Displaced(Step):
    """The same, when its turn comes; who has gone home himself by then is not moved (JH.return)."""

    def __init__(self, unit: int, why: str, sought: str = NEAREST) -> None:
        self.unit: Final = unit
        self.why: Final = why
        self.sought: Final = sought

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        if state.cell[self.unit] >= 0 and state.side[self.unit] != NEUTRAL:
            displace(play, self.unit, self.why, self.sought)
