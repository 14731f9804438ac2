"""6 Movement: the graph and its steps (6.1), allowances (6.2), forced marches (6.4); 12: formations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from ...kernel import Action, Message, Play, Refusal
from .attack import price
from .capture import capture_lone_generals
from .markers import turn_up, turn_up_if_engaged
from .saves import lose_cohesion
from .state import (
    ACTIVATED,
    CHANGED,
    CHARGING,
    FORMATIONS,
    FOUGHT,
    MOVED,
    ORBIS,
    PLACE,
    PLACES,
    RETREATED,
    SHIELDWALL,
    TESTUDO,
    Unit,
    VirtusState,
    attached_to,
    column,
    facing,
    has_units,
    is_engaged,
    other,
    owner,
    put,
    reserve,
    sector,
    unit_of,
)
from .terrain import GROUND

MOVE, PIKE_MARCH = 1, 1  # V4.3h: activation points


# --- steps ---------------------------------------------------------------------------------------


@cache
def steps_from(columns: int, side: int, place: int) -> tuple[int, ...]:
    """V6.1b V6.1c: reserve to own sector, own sector to the one opposite, and back; nothing else."""
    if place == reserve(side):
        return tuple(sector(side, segment) for segment in range(1, columns + 1))
    if owner(place) == side:
        return reserve(side), facing(place)
    return (facing(place),)


@cache
def paths(
    columns: int, side: int, start: int, longest: int
) -> tuple[tuple[tuple[int, ...], tuple[str, ...]], ...]:
    """Every path without a place twice, up to a length, and the names of its places."""
    found: list[tuple[int, ...]] = []
    edge: list[tuple[int, ...]] = [(start,)]
    for _ in range(longest):
        edge = [(*way, to) for way in edge for to in steps_from(columns, side, way[-1]) if to not in way]
        found += [way[1:] for way in edge]
    return tuple((way, tuple(PLACES[p] for p in way)) for way in found)


def step_refusals(
    state: VirtusState, unit: Unit, start: int, to: int, crossing: int, engaged_in: int
) -> Iterator[Refusal]:
    """Yield what forbids one step: the graph, enemies who hold the unit, the ground, the river."""
    side = unit.side
    if to not in steps_from(state.roster.rules.columns, side, start):
        yield Refusal("V6.1b", "refusal.no_such_step", {"start": PLACES[start], "place": PLACES[to]})
        return
    if owner(to) != side and has_units(state, other(side), engaged_in):
        yield Refusal("V6.1d", "refusal.engaged_advance", {"unit": unit.id, "place": PLACES[engaged_in]})
    if unit.artillery and GROUND[state.terrain[to]].no_artillery:
        yield Refusal("V7f", "refusal.no_artillery", {"unit": unit.id, "place": PLACES[to]})
    if to == facing(start):
        limit = state.roster.rivers[column(to)]
        if limit and state.crossed[column(to)] + crossing >= limit:
            yield Refusal("V14.1a", "refusal.river_full", {"place": PLACES[to], "limit": limit})


def path_refusals(state: VirtusState, i: int, path: tuple[int, ...], marching: bool) -> Iterator[Refusal]:
    """V6.2a V7e: every step must be legal, and ground that stops a unit may only be the last.

    V6.1d: a unit that is engaged when its move begins enters no enemy sector in that move.
    """
    unit, start = state.roster.units[i], state.place[i]
    at, seen, crossing = start, {start}, 0
    engaged = is_engaged(state, i)
    for n, to in enumerate(path):
        yield from step_refusals(state, unit, at, to, crossing, start if engaged else at)
        if to in seen:
            yield Refusal("V6.1b", "refusal.place_twice", {"place": PLACES[to]})
        stops = GROUND[state.terrain[at]].stops
        if n and stops:
            yield Refusal(stops, "refusal.ground_stops", {"unit": unit.id, "place": PLACES[at]})
        crossing += to == facing(at)
        seen.add(to)
        at = to
    if len(path) > unit.mvt + marching:
        yield Refusal("V6.2a", "refusal.too_far", {"unit": unit.id, "steps": len(path), "mvt": unit.mvt})
    elif len(path) > unit.mvt:
        yield from _no_forced_march(state, i)


def _no_forced_march(state: VirtusState, i: int) -> Iterator[Refusal]:
    """V6.4-march-a V12.2c: any unit but artillery, in normal formation."""
    unit = state.roster.units[i]
    if unit.artillery:
        yield Refusal("V6.4-march-a", "refusal.artillery_march", {"unit": unit.id})
    if state.form[i] == TESTUDO:
        yield Refusal("V12.2c", "refusal.testudo_march", {"unit": unit.id})


def paying_segment(state: VirtusState, i: int, path: tuple[int, ...]) -> int:
    """V4.3f V4.3g: the segment of departure pays; out of the reserve, that of arrival."""
    return column(state.place[i]) or (column(path[0]) if path else 0)


def move_cost(unit: Unit, path: tuple[int, ...]) -> int:
    """V6.1a V11.4d: one point a unit; pikemen pay one more for a forced march."""
    return MOVE + unit.surcharge + (PIKE_MARCH if unit.pikes and len(path) > unit.mvt else 0)


@lru_cache(1024)
def parse_path(names: tuple[str, ...]) -> tuple[int, ...]:
    """The places of a path; an unknown name makes it empty."""
    path = tuple(PLACE.get(name, -1) for name in names)
    return () if -1 in path else path


def cannot_act(state: VirtusState, name: str, bars: int) -> Iterator[Refusal]:
    """V6.1a V3.3a: what bars any move of a unit: it acted, retreated, or will charge."""
    i = unit_of(state, state.active, name)
    if i < 0:
        yield Refusal("V4a", "refusal.not_your_unit", {"unit": name})
        return
    flags = state.flags[i]
    if attached_to(state, i) >= 0 and not flags & FOUGHT:
        yield Refusal("V13.1b", "refusal.led_unit_stays", {"unit": name})
    if flags & RETREATED:
        yield Refusal("V3.3a", "refusal.retreated", {"unit": name})
    if flags & CHARGING:
        yield Refusal("V5.2c", "refusal.will_charge", {"unit": name})
    if flags & FOUGHT and bars & FOUGHT:
        yield Refusal("V5a", "refusal.fought", {"unit": name})
    if flags & (bars & ~FOUGHT):
        yield Refusal("V6.1a", "refusal.acted", {"unit": name})


def cannot_pay(state: VirtusState, i: int, path: tuple[int, ...], cost: int) -> Iterator[Refusal]:
    """V4.3a: the segment in hand must be the one that pays, and have the points."""
    segment = getattr(state.decision, "segment", 0)
    if paying_segment(state, i, path) != segment:
        clause = "V4.3g" if column(state.place[i]) == 0 else "V4.3f"
        yield Refusal(clause, "refusal.other_segment_pays", {"unit": state.roster.units[i].id})
    if cost > state.points[segment]:
        yield Refusal("V4.3a", "refusal.points", {"needed": cost, "left": state.points[segment]})


# --- moving --------------------------------------------------------------------------------------


def go(play: Play, i: int, path: tuple[int, ...]) -> None:
    """Carry a unit along a path; V8e: it captures a lone general, V7d: it turns markers up, where it ends."""
    state: VirtusState = play.state
    at = state.place[i]
    turn_up(play, i)
    for to in path:
        state.crossed[column(to)] += to == facing(at)
        at = to
    _arrive(play, i, at)
    state.flags[i] |= MOVED


def _arrive(play: Play, i: int, at: int) -> None:
    state: VirtusState = play.state
    side = state.roster.units[i].side
    put(state, i, at)
    turn_up_if_engaged(play, at, side)
    capture_lone_generals(play, other(side))


class Move(Action):
    """V6.1a: move a unit sector by sector; one sector more than its allowance is a forced march."""

    def __init__(self, unit: str, path: tuple[str, ...]) -> None:
        self.unit: Final = unit
        self.path: Final = path

    def remark(self, state: VirtusState) -> Message | None:
        unit = state.roster.units[state.roster.index[self.unit]]
        if len(self.path) <= unit.mvt:
            return price(state, self.unit, MOVE)
        points = move_cost(unit, parse_path(self.path))
        return Message("remark.march", {"march": unit.march, "points": points})

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        i = unit_of(state, state.active, self.unit)
        # V6.4-evade-b: dispersed units may move after a fight
        free = i >= 0 and state.roster.units[i].dispersed
        yield from cannot_act(state, self.unit, ACTIVATED & ~FOUGHT if free else ACTIVATED)
        path = parse_path(self.path)
        if i < 0:
            return
        if not path:
            yield Refusal("V6.1b", "refusal.no_path", {"unit": self.unit})
            return
        if state.form[i] in (SHIELDWALL, ORBIS):
            clause = "V12.3a" if state.form[i] == SHIELDWALL else "V12.4b"
            yield Refusal(clause, "refusal.immobile", {"unit": self.unit, "form": FORMATIONS[state.form[i]]})
        yield from path_refusals(state, i, path, marching=True)
        yield from cannot_pay(state, i, path, move_cost(state.roster.units[i], path))

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        i = state.roster.index[self.unit]
        unit, path = state.roster.units[i], parse_path(self.path)
        state.points[paying_segment(state, i, path)] -= move_cost(unit, path)
        marches = len(path) > unit.mvt
        play.then(play.taken)
        play.tell("V6.1a", "event.marches" if marches else "event.moves", unit=self.unit, place=self.path[-1])
        if not marches:
            go(play, i, path)
        elif unit.pikes:  # V11.4d: the test comes before the extra step, which is lost if it fails
            ok = _march_test(play, i)
            go(play, i, path if ok else path[:-1])
            if not ok:
                lose_cohesion(play, i, "V6.4-march-b")
        else:
            go(play, i, path)
            if not _march_test(play, i):
                lose_cohesion(play, i, "V6.4-march-b")


def _march_test(play: Play, i: int) -> bool:
    """V6.4-march-a: one die at or below the threshold of the unit's order."""
    unit: Unit = play.state.roster.units[i]
    face = play.roll(6, unit.march)
    play.tell("V6.4-march-a", "event.march_test", unit=unit.id, face=face, march=unit.march)
    return face <= unit.march


class Form(Action):
    """12 Tactics: take up a formation or return to normal, for a point; V12.2b: testudo may move too."""

    def __init__(self, unit: str, formation: str, path: tuple[str, ...] = ()) -> None:
        self.unit: Final = unit
        self.formation: Final = formation
        self.path: Final = path

    def remark(self, state: VirtusState) -> Message | None:
        return price(state, self.unit, MOVE)

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from cannot_act(state, self.unit, ACTIVATED)
        i = unit_of(state, state.active, self.unit)
        if i < 0:
            return
        yield from self._wrong_formation(state, i)
        path = parse_path(self.path)
        if len(path) != len(self.path):
            yield Refusal("V6.1b", "refusal.no_path", {"unit": self.unit})
            return
        if path:
            if TESTUDO not in (state.form[i], _formation(self.formation)):
                clause = "V12.4b" if ORBIS in (state.form[i], _formation(self.formation)) else "V12.3a"
                yield Refusal(clause, "refusal.no_move_with_change", {"unit": self.unit})
            yield from path_refusals(state, i, path, marching=False)
        yield from cannot_pay(state, i, path, MOVE + state.roster.units[i].surcharge)

    def _wrong_formation(self, state: VirtusState, i: int) -> Iterator[Refusal]:
        wanted, unit = _formation(self.formation), state.roster.units[i]
        values = {"unit": self.unit, "form": self.formation}
        if wanted < 0 or wanted == state.form[i]:
            yield Refusal("V12.2b", "refusal.no_change", {"unit": self.unit, "form": self.formation})
        elif wanted and state.form[i]:
            yield Refusal("V12.4b", "refusal.one_formation", {"unit": self.unit})
        elif wanted == TESTUDO and not unit.testudo:
            yield Refusal("V12.2a", "refusal.cannot_form", dict(values))
        elif wanted == SHIELDWALL and not unit.shieldwall:
            yield Refusal("V12.3a", "refusal.cannot_form", dict(values))
        elif wanted == ORBIS and not unit.orbis:
            yield Refusal("V12.4b", "refusal.cannot_form", dict(values))

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        i, path = state.roster.index[self.unit], parse_path(self.path)
        state.points[paying_segment(state, i, path)] -= MOVE + state.roster.units[i].surcharge
        state.form[i] = _formation(self.formation)
        state.flags[i] |= CHANGED
        play.then(play.taken)
        play.tell("V12.2b", "event.forms", unit=self.unit, form=self.formation)
        turn_up(play, i)
        if path:
            go(play, i, path)


def _formation(name: str) -> int:
    return FORMATIONS.index(name) if name in FORMATIONS else -1
