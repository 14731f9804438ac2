"""7 Movement: a stack, how far it gets, what stops it, and a Military that doubles its march."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Values
from .markers import Asked, Pass, Spy, could, lacks, spend
from .places import enter
from .state import (
    HALVES,
    MILITARY,
    MOVED,
    NEUTRAL,
    SEATS,
    JulianState,
    activated,
    at_hex,
    cell_of,
    fits,
    hex_name,
    is_activated,
    is_frozen,
    is_open,
    men_at,
    names,
    other,
    printed,
    put,
    unit_of,
)

MOST_KEPT = 1_000


def slowest(state: JulianState, group: tuple[int, ...]) -> int:
    """Half points of a stack: those of its slowest unit."""
    return HALVES * min(state.roster.units[i].move for i in group)


Ways = dict[int, tuple[int, tuple[int, ...]]]  # by hex: the points left there, and the way to it


def ways(state: JulianState, group: tuple[int, ...], left: int, begun: bool) -> Ways:
    """JH.move: every hex in which a stack may end; kept, for who looks ahead asks again and again."""
    if begun and not left:
        return {}
    kept: dict[object, Ways] = state.roster.kept.setdefault("ways", {})
    key = (group, left, begun, is_frozen(state), tuple(state.cell), tuple(state.side))
    found = kept.get(key)
    if found is None:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        found = kept[key] = _ways(state, group, left, begun)
    return found


def _ways(state: JulianState, group: tuple[int, ...], left: int, begun: bool) -> Ways:
    """JH.move: the cheapest way to each.

    A stop leaves nothing; a unit that has not begun to move may always enter one hex.
    """
    roster, side, start = state.roster, state.side[group[0]], state.cell[group[0]]
    prices, stops, foe = _prices(state), _stops(state, group), other(side) * roster.grid.size
    closed = state.men[foe : foe + roster.grid.size]
    best: Ways = {}
    queue: list[tuple[int, int, tuple[int, ...]]] = [(-left, start, ())]
    while queue:
        points, cell, way = heappop(queue)
        if cell in best:
            continue
        best[cell] = (-points, way)
        first = cell == start and not begun
        for to, price in prices[cell] if points or first else ():
            after = -points - price
            if (after >= 0 or first) and to not in best and not closed[to]:
                heappush(queue, (0 if to in stops else min(0, -after), to, (*way, to)))
    more = sum(not roster.units[i].leader for i in group)
    return {cell: found for cell, found in best.items() if found[1] and fits(state, side, cell, more)}


def _prices(state: JulianState) -> tuple[tuple[tuple[int, int], ...], ...]:
    """JH.move: what it costs to go on from each hex, in summer and in winter; made once."""
    roster, frozen = state.roster, is_frozen(state)
    key = "prices-frozen" if frozen else "prices"
    if key not in roster.kept:
        around = enumerate(roster.around)
        roster.kept[key] = tuple(
            tuple((to, roster.price(c, to, frozen)) for to in near) for c, near in around
        )
    prices: tuple[tuple[tuple[int, int], ...], ...] = roster.kept[key]
    return prices


def _stops(state: JulianState, group: tuple[int, ...]) -> set[int]:
    """JH.move: hexes next to an enemy stack of at least half the printed factors of those who move."""
    foe, own, roster = other(state.side[group[0]]), printed(state, group), state.roster
    first = foe * roster.grid.size
    held = [cell for cell, men in enumerate(state.men[first : first + roster.grid.size]) if men]
    strong = [cell for cell in held if 2 * state.force[first + cell] >= own]
    return {to for cell in strong for to in roster.around[cell]}


# --- taking a stack ------------------------------------------------------------------------------


def movable(state: JulianState, seat: int, cell: int) -> list[int]:
    """JH.ops_phase: the activated units of a hex that have not moved and can."""
    return [i for i in at_hex(state, cell, seat) if not any(_keeps(state, i))]


def _keeps(state: JulianState, i: int) -> Iterator[Refusal]:
    unit = state.roster.units[i]
    if not is_activated(state, i):
        yield Refusal("JH.ops_phase", "refusal.not_activated", {"unit": unit.id})
    if state.flags[i] & MOVED:
        yield Refusal("JH.move", "refusal.moved", {"unit": unit.id})
    if not unit.move:
        yield Refusal("JH.units", "refusal.never_moves", {"unit": unit.id})


class March(Action):
    """JH.move: take the stack of a hex, all who can move; some may be left before it sets out."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        cell = cell_of(state, self.hex)
        here = at_hex(state, cell, decision.seat) if cell >= 0 else []
        if not here:
            yield Refusal("JH.move", "refusal.nobody_there", {"hex": self.hex})
        elif not movable(state, decision.seat, cell):
            for i in here:
                yield from _keeps(state, i)

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        seat = play.taken.seat
        group = tuple(movable(state, seat, cell_of(state, self.hex)))
        play.then(marching(state, seat, group, slowest(state, group)), play.taken)


class Moves(Asked):
    """JH.ops_phase (3): the movement sub-phase; each move is finished before the next."""

    clause = "JH.move"
    accepts = (March, Pass, Spy)

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.moves", {"side": SEATS[self.seat]})

    def cells(self, state: JulianState) -> list[int]:
        movers = (i for i in activated(state) if state.cell[i] >= 0 and state.side[i] == self.seat)
        return sorted({state.cell[i] for i in movers if not any(_keeps(state, i))})

    def is_moot(self, state: JulianState) -> bool:
        return not self.cells(state)

    def options(self, state: JulianState) -> list[Action]:
        return [*(March(hex_name(state, cell)) for cell in self.cells(state)), Pass()]


# --- marching ------------------------------------------------------------------------------------


class Leave(Action):
    """JH.move: a unit does not go along; it may still move for itself."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        march = state.decision
        if not isinstance(march, Marching):
            return
        i = unit_of(state, march.seat, self.unit)
        if i not in march.group:
            yield Refusal("JH.move", "refusal.not_in_stack", {"unit": self.unit})
        elif len(march.group) == 1:
            yield Refusal("JH.move", "refusal.last_in_stack", {"unit": self.unit})
        if march.forced:
            yield Refusal("JS.military.1.together", "refusal.together")
        elif march.begun:
            yield Refusal("JH.move", "refusal.on_the_way")

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        march: Marching = play.taken
        group = tuple(i for i in march.group if i != state.roster.index[self.unit])
        play.then(marching(state, march.seat, group, slowest(state, group)))


class ForceMarch(Action):
    """JS.military.1 JS.military.limit: a Military doubles the movement of the stack before it sets out."""

    def __init__(self, imperium: bool = False) -> None:
        self.imperium: Final = imperium

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        march = state.decision
        if not isinstance(march, Marching):
            return
        yield from lacks(state, march.seat, MILITARY, self.imperium)
        if march.forced:
            yield Refusal("JS.military.limit", "refusal.one_military")
        elif march.begun:
            yield Refusal("JS.military.1", "refusal.on_the_way")

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        march: Marching = play.taken
        units = names(state, march.group)
        play.tell("JS.military.1", "event.force_march", side=SEATS[march.seat], units=units)
        spend(play, march.seat, MILITARY, self.imperium)
        play.then(marching(state, march.seat, march.group, 2 * march.left, forced=True))


class Go(Action):
    """JH.move: to a hex by the cheapest way; with points left the stack may go on from there."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        march = state.decision
        if isinstance(march, Marching):
            cell = cell_of(state, self.hex)
            if cell < 0:
                yield Refusal("JH.map", "refusal.no_such_hex", {"hex": self.hex})
            elif cell not in march.ends:
                yield from _unreachable(state, march, cell)

    def remark(self, state: JulianState) -> Message | None:
        march = state.decision
        if not isinstance(march, Marching):
            return None
        _, way = march.reach(state).get(cell_of(state, self.hex), (0, ()))
        through = tuple(hex_name(state, cell) for cell in way[:-1])
        return Message("remark.way", {"through": through}) if through else None

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        march: Marching = play.taken
        left, way = march.reach(state)[cell_of(state, self.hex)]
        path = tuple(hex_name(state, cell) for cell in way)
        play.tell("JH.move", "event.moves", units=names(state, march.group), path=path)
        for i in march.group:
            put(state, i, way[-1])
            state.flags[i] |= MOVED
        play.then(marching(state, march.seat, march.group, left, march.forced, True))
        for cell in way:
            enter(play, march.group, cell)


def _unreachable(state: JulianState, march: Marching, cell: int) -> Iterator[Refusal]:
    """Every reason why a stack cannot end its move there."""
    name: Values = {"hex": hex_name(state, cell)}
    side = march.seat
    more = sum(not state.roster.units[i].leader for i in march.group)
    reasons = []
    if not is_open(state, side, cell):
        reasons.append(Refusal("JH.move", "refusal.enemy_there", name))
    if men_at(state, NEUTRAL, cell):
        reasons.append(Refusal("JH.6_0", "refusal.neutrals_there", name))
    elif not fits(state, side, cell, more):
        reasons.append(Refusal("JH.stack", "refusal.stack_full", name))
    yield from reasons
    if not reasons:
        yield Refusal("JH.move", "refusal.too_far", name)


class Marching(Asked):
    """JH.move: where does the stack go?  ``left`` are half points, ``ends`` the hexes that it can reach."""

    clause = "JH.move"
    accepts = (Go, Leave, ForceMarch, Pass, Spy)

    def __init__(
        self, seat: int, group: tuple[int, ...], left: int, ends: tuple[int, ...], forced: bool, begun: bool
    ) -> None:
        super().__init__(seat)
        self.group: Final = group
        self.left: Final = left
        self.ends: Final = ends
        self.forced: Final = forced
        self.begun: Final = begun

    def prompt(self, state: JulianState) -> Message:
        values: Values = {"units": names(state, self.group), "points": f"{self.left / HALVES:g}"}
        return Message("prompt.marching", values)

    def reach(self, state: JulianState) -> dict[int, tuple[int, tuple[int, ...]]]:
        return ways(state, self.group, self.left, self.begun)

    def is_moot(self, state: JulianState) -> bool:
        return self.begun and not self.ends

    def passed(self, play: Play) -> None:
        """JH.move: who stays has finished his move, too."""
        for i in self.group:
            play.state.flags[i] |= MOVED

    def options(self, state: JulianState) -> list[Action]:
        found: list[Action] = [Go(hex_name(state, cell)) for cell in self.ends]
        if not self.begun and not self.forced:
            if len(self.group) > 1:
                found += [Leave(name) for name in names(state, self.group)]
            found += [ForceMarch(imperium) for imperium in could(state, self.seat, MILITARY)]
        return [*found, Pass()]


def marching(
    state: JulianState,
    seat: int,
    group: tuple[int, ...],
    left: int,
    forced: bool = False,
    begun: bool = False,
) -> Marching:
    """The question, with the hexes in reach."""
    ends = tuple(sorted(ways(state, group, left, begun)))
    return Marching(seat, group, left, ends, forced, begun)
