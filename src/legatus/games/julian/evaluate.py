"""How good a position looks: cities, plunder, troops, treasury, hands, and what both sides may do from here.

A bot that looks one action ahead maximises this.  A stack that is taken counts as if it stood at its best
goal, an attack that is named by what it may be expected to bring; so a plan's first step is worth its second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from . import weights
from .activation import Called
from .markers import hand_size
from .movement import Marching, ways
from .places import RAIDERS
from .promises import militaries, promised, worth_to
from .prospects import Host, Waves, Worth, atlas, menaces, plan
from .state import (
    BARBARIAN,
    MOVED,
    NEUTRAL,
    NOBODY,
    ROMAN,
    JulianState,
    counted_plunder,
    other,
    put,
)
from .survey import (
    NOW,
    PEOPLES,
    Moment,
    Side,
    beside,
    bodies_of,
    host_of,
    moment_of,
    shelf,
    side_of,
    waves_at,
)

Arms = tuple[float, float]  # see militaries


def evaluate(state: JulianState, seat: int) -> float:
    """Good for ``seat`` is positive."""
    if state.outcome is not None:
        winner = state.outcome.winner
        return 0.0 if winner is None else weights.WON if winner == seat else -weights.WON
    state = _foreseen(state)
    position = _position(state, seat, moment_of(state), militaries(state, seat))
    return position + _hands(state, seat) + promised(state, seat)


def _foreseen(state: JulianState) -> JulianState:
    """JH.7_11: a people that is about to be called serves already."""
    for call in state.todo[-3:]:
        if type(call) is Called:
            break
    else:
        return state
    after = state.copy()
    for i in state.roster.of_people[call.people]:
        put(after, i, after.cell[i], call.seat)
    after.ally[call.people] = call.seat
    after.called[call.people] = 1
    if not call.along:
        after.acting = [0] * len(after.acting)
    return after


# --- a position ----------------------------------------------------------------------------------


def _position(state: JulianState, seat: int, moment: Moment, arms: Arms) -> float:
    """All but hands and promises; kept from one look to the next."""
    march = moment.march
    key = (
        seat,
        moment.stage,
        (march.group, march.left) if march else None,
        moment.bound,
        moment.barred,
        tuple(state.cell),
        (*state.holder, *state.ally, *state.sacked, *state.plundered),
        (state.turn, state.active, state.operating, state.frozen, state.tp, state.plunder),
        (*state.drawn, *state.acting, *state.called),
        tuple(state.flags) if moment.stage else (),
        arms,
    )
    kept = shelf(state.roster, "positions")
    value: float | None = kept.get(key)
    if value is None:
        value = _march(state, seat, moment, march, arms) if march else _weigh(state, seat, moment, arms)
        kept[key] = value
    return value


def _weigh(state: JulianState, seat: int, moment: Moment, arms: Arms) -> float:
    """Both sides as they stand, the way to goals, what may be done now, and what the enemy may do."""
    foe = other(seat)
    ours, theirs = side_of(state, seat), side_of(state, foe)
    goals = _goals(state, seat, theirs)
    total = ours.value - theirs.value
    total += weights.APPROACH * sum(force * goals[cell] for cell, force in ours.mobile)
    rome = _rome(state, (theirs if seat == ROMAN else ours).zone)
    total += rome if seat == ROMAN else -rome
    bodies = bodies_of(state, seat, ours, moment)
    if bodies:
        host = host_of(state, foe, theirs, moment.barred)
        total += plan(atlas(state.roster), bodies, host, worth_to(state, seat, seat, arms))
    waves, host = waves_at(state, foe, theirs, moment), host_of(state, seat, ours)
    return total - weights.THREAT * _threat(state, waves, host, worth_to(state, foe, seat, arms))


def _threat(state: JulianState, waves: Waves, host: Host, worth: Worth) -> float:
    """What the enemy may do, wave by wave; of each hex the worst counts."""
    worst: dict[int, float] = {}
    for number, gains in zip(waves.numbers, menaces(waves, host, worth), strict=True):
        urgency = _urgency(state, number) if gains else 0.0
        for gain, cell in gains:
            feared = urgency * gain
            if feared > worst.get(cell, 0.0):
                worst[cell] = feared
            urgency *= weights.SPREAD
    return sum(worst.values(), 0.0)


def _urgency(state: JulianState, wave: int) -> float:
    """How likely a wave comes before an answer."""
    if wave == NOW:
        return 1.0
    if wave >= PEOPLES:
        return weights.NEUTRALS if state.ally[wave - PEOPLES] == NEUTRAL else weights.CALLED
    if not state.drawn[wave]:
        return weights.NEXT
    return weights.AFTER if state.turn < state.roster.values.turns else weights.NEVER


# --- marching ------------------------------------------------------------------------------------


def _march(state: JulianState, seat: int, moment: Moment, march: Marching, arms: Arms) -> float:
    """JH.move: a stack that is taken is worth what it is at its best goal, or where it stands."""
    settled = moment._replace(march=None)
    stays = state.copy()
    for i in march.group:
        stays.flags[i] |= MOVED
    best = _position(stays, seat, settled, arms)
    if _is_twin(state, march):
        return best - weights.TWIN
    found = ways(state, march.group, march.left, False)
    for end in _likely(state, seat, march, found):
        path = found[end][1]
        there = stays.copy()
        for i in march.group:
            put(there, i, end)
        _pass_through(there, march, path)
        best = max(best, _position(there, seat, settled, arms))
    return best - weights.TAKEN


def _likely(state: JulianState, seat: int, march: Marching, ends: Iterable[int]) -> list[int]:
    """The ends that are worth a look: next to the enemy, cities, friends, and on the way to a goal."""
    roster, size = state.roster, state.roster.grid.size
    theirs = side_of(state, other(seat))
    goals, bit, zone = _goals(state, seat, theirs), atlas(roster).bit, theirs.zone

    def rank(end: int) -> float:
        hot = 1.0 if zone & bit[end] else 0.0
        city = roster.city_at.get(end, NOBODY)
        if city >= 0:
            hot += 0.7 if state.holder[city] != seat else 0.3
        return hot + goals[end] + (0.2 if state.men[seat * size + end] else 0.0)

    return sorted(ends, key=rank, reverse=True)[: weights.LOOKS]


def _is_twin(state: JulianState, march: Marching) -> bool:
    """Somebody was left behind though another just like him was not: of both, one is thought of."""
    units, flags, cell = state.roster.units, state.flags, state.cell[march.group[0]]
    kinds = [(units[i].kind, units[i].command, i) for i in march.group]
    for i, where in enumerate(state.cell):
        if where == cell and i not in march.group and not flags[i] & MOVED:
            unit = units[i]
            if any(kind == unit.kind and c == unit.command and j < i for kind, c, j in kinds):
                return True
    return False


def _pass_through(state: JulianState, march: Marching, path: Sequence[int]) -> None:
    """JH.cities: cities on the way are sacked, and taken."""
    roster = state.roster
    units = [roster.units[i] for i in march.group if not roster.units[i].leader]
    for cell in path if units else ():
        city = roster.city_at.get(cell, NOBODY)
        if city < 0 or state.holder[city] == march.seat:
            continue
        if march.seat == BARBARIAN:
            state.plunder += 0 if state.plundered[city] else roster.cities[city].value
            state.sacked[city] = state.plundered[city] = 1
        if any(unit.kind != RAIDERS for unit in units):
            state.holder[city] = march.seat


# --- cities, treasury, goals ---------------------------------------------------------------------


def _rome(state: JulianState, zone: int) -> float:
    """What the Roman has of cities and treasury, less what the barbarian has of cities and plunder."""
    roster, bit = state.roster, atlas(state.roster).bit
    left = roster.values.turns - state.turn
    standing, taxes, value = 0, 0, -float(counted_plunder(state))
    for city, holder, sacked in zip(roster.cities, state.holder, state.sacked, strict=True):
        if holder == BARBARIAN:
            standing -= city.value
            continue
        standing += city.value
        if not sacked:
            taxes += 0 if zone & bit[city.cell] else city.value
        else:
            taxes -= city.value * min(left - 1, weights.RUINED)
    if left > 0:
        value += weights.TREASURE * taxes / roster.values.tax_divisor
    return value + weights.held(state) * standing + state.tp * _treasure(state, left <= 0)


def _treasure(state: JulianState, last: bool) -> float:
    """A treasury point; in the last turn it is worth something as long as it can be spent."""
    if not last:
        return weights.TREASURE
    roman = [c for c, command in enumerate(state.roster.commands) if command.side == ROMAN]
    left = sum(not state.drawn[c] or (state.operating and bool(state.acting[c])) for c in roman)
    return weights.LAST_TREASURE * left / len(roman)


def _goals(state: JulianState, seat: int, theirs: Side) -> Sequence[float]:
    """By hex, how near the best goals of a side are; kept while the enemy stands still."""
    key = tuple(state.holder)
    found = theirs.goals.get(key)
    if found is None:
        marks, kept = tuple(_marks(state, seat, theirs)), shelf(state.roster, "goals")
        found = kept.get(marks)
        if found is None:
            found = kept[marks] = _nearness(state, marks)
        beside(theirs.goals)[key] = found
    return found


def _nearness(state: JulianState, marks: Iterable[tuple[int, float]]) -> tuple[float, ...]:
    towards, size = atlas(state.roster).towards, state.roster.grid.size
    rows = [[worth / (1 + price / weights.STRIDE) for price in towards[cell]] for cell, worth in marks]
    return tuple(map(max, (0.0,) * size, *rows)) if rows else (0.0,) * size


def _marks(state: JulianState, seat: int, theirs: Side) -> Iterator[tuple[int, float]]:
    """The cities of the enemy; for the Roman also barbarians in Gaul."""
    roster, foe = state.roster, other(seat)
    for n, city in enumerate(roster.cities):
        if state.holder[n] == foe:
            guard = state.force[foe * roster.grid.size + city.cell]
            manned = (guard > 0) + (guard >= weights.MANY)
            yield city.cell, (city.value + 0.5) * weights.GUARDED[manned]
    if seat == ROMAN:
        yield from ((cell, weights.INTRUDER) for cell in theirs.cells if roster.gaul[cell])


# --- hands ---------------------------------------------------------------------------------------


def _hands(state: JulianState, seat: int) -> float:
    """Markers in both hands, by what is left of the campaign to play them in."""
    value = _markers(tuple(state.hands[seat]))
    value -= weights.ANY_MARKER * hand_size(state, other(seat))
    value += weights.KNOWN * (sum(state.known[seat]) - sum(state.known[other(seat)]))
    if state.turn < state.roster.values.turns:
        return value
    return value * (0.1 + 0.8 * state.drawn.count(0) / len(state.drawn))


@lru_cache(2_000)
def _markers(hand: tuple[int, ...]) -> float:
    """The markers of a hand by kind; another one of a kind is worth less."""
    value = 0.0
    for worth, number in zip(weights.MARKER, hand, strict=False):
        for n in range(number):
            value += worth * weights.AGAIN**n
    return value
