"""What a side may hope for and fear from prizes: the beacon, the granary and fire, devices."""

from __future__ import annotations

from collections.abc import Sequence

from .cohesion import DOUBLE_ONE, DOUBLE_SIX
from .manipulation import CLASS_TERMS, DOUSE, SET_FIRE
from .state import (
    BLAZE,
    CHARACTER,
    FORMATION,
    FRESH,
    HORDE,
    LEAGUE,
    NO_FIRE,
    NOBODY,
    ROUT,
    START,
    STEADY,
    Device,
    FormationsState,
    Type,
    other,
)
from .survey import FAR, Survey

STOOD, LEFT = 0.8, 0.6  # how sure the beacon is to who stands there, to who held it last
NEARER = 0.8  # what is left of a prize for each hex of the way to it
THERE = 0.7  # if it is not reached yet, so that it takes another turn
OUSTED = 0.4  # if an enemy stands there
BURNS = 0.8  # how sure a fire start is to become a blaze
CREEPS, FUSE = 0.4, 3  # how sure a fire is to spread by a hex, and how far it is looked for
TRIES = 0.75  # how much of a manipulation's chance is hoped for
SPARES = 0.7  # how readily a character is sent to do it
KEPT = 0.3  # of the danger to the granary where a guard stands on it
SCORCHED = 0.4  # a unit on a fire start

MOST_PLACES, MOST_HOPES = 50, 1_000
Places = tuple[tuple[int, float], ...]  # hexes, each with its share


def beacon(view: Survey) -> float:
    """AH27.victory: who will have the beacon, beyond what the score says; a blaze settles it (AH22.fire)."""
    state, seat, prize = view.state, view.seat, view.state.roster.prize
    cell, worth = prize.beacon, prize.beacon_points
    if cell < 0 or state.fire[cell] >= BLAZE:
        return 0.0
    now = 0 if state.beacon < 0 else worth if state.beacon == seat else -worth
    if view.stands(seat, cell):
        burns = BURNS if state.fire[cell] == START else 0.0
        return burns * now + (1 - burns) * STOOD * worth - now
    field, cohesion = view.field(cell), state.cohesion
    way = min([view.way(i, field) for i in view.own if cohesion[i] == STEADY], default=FAR)
    hope = (worth + LEFT * abs(now)) * NEARER**way
    if view.stands(other(seat), cell):
        return OUSTED * hope - STOOD * worth - now
    return LEFT * now - now + (hope if now <= 0 else (STOOD - LEFT) * hope)


def granary(view: Survey) -> float:
    """AH22.fire AH27.victory: what the Horde may hope for from the granary, by hand or by a creeping fire."""
    state, prize = view.state, view.state.roster.prize
    cell, worth = prize.granary, 2 * BURNS * prize.granary_points
    if cell < 0 or state.burnt or not state.roster.rules.fire:
        return 0.0
    hands = _hands(view)
    league, horde = (hands, view.foes) if view.seat == LEAGUE else (view.foes, hands)
    if state.fire[cell] == START:
        saved = not view.stands(HORDE, cell)
        return worth * (1 - (_hope(view, league, DOUSE[state.weather], ((cell, 1.0),)) if saved else 0.0))
    guarded = view.stands(LEAGUE, cell)
    straws = _straws(state)
    creeps = max([sure for straw, sure in straws if state.fire[straw] != NO_FIRE], default=0.0)
    dry = [(straw, sure) for straw, sure in straws if sure > creeps and state.fire[straw] == NO_FIRE]
    places = (*dry, (cell, KEPT if guarded else 1.0))
    hope = worth * max(creeps, _hope(view, horde, SET_FIRE[state.weather], places))
    if guarded or not hope:
        return hope
    field = view.field(cell)
    able = [i for i in league if state.kind[i] != CHARACTER and state.cohesion[i] != ROUT]
    return hope * (1 - (1 - KEPT) * NEARER ** (1 + min([view.way(i, field) for i in able], default=FAR)))


def _straws(state: FormationsState) -> list[tuple[int, float]]:
    """AH22.fire: the Inflammable hexes from which fire can creep to the granary, and how surely."""
    roster = state.roster
    if "straws" not in roster.kept:
        edge, found = [roster.prize.granary], {roster.prize.granary: 0}
        for cell in edge:
            beyond = roster.grid.neighbours[cell] if cell in roster.burns and found[cell] < FUSE else ()
            fresh = [to for to in beyond if to in roster.burns and to not in found]
            found.update(dict.fromkeys(fresh, found[cell] + 1))
            edge += fresh
        roster.kept["straws"] = [(cell, CREEPS**n) for cell, n in found.items() if n]
    straws: list[tuple[int, float]] = roster.kept["straws"]
    return straws


def devices(view: Survey) -> float:
    """AH31.devices: what he may hope for from those that are not his."""
    value = 0.0
    for device, side in untaken(view):
        worth = device.points if side == NOBODY else 2 * device.points
        value += worth * _hope(view, _hands(view), device.difficulty, ((device.cell, 1.0),))
    return value


def untaken(view: Survey) -> list[tuple[Device, int]]:
    """AH31.devices: those that are not his, and whose they are."""
    pairs = zip(view.state.roster.devices, view.state.worked, strict=True)
    return [(device, side) for device, side in pairs if side != view.seat]


def _hope(view: Survey, units: list[int], difficulty: int, places: Places) -> float:
    """The best that hands may bring about in some hexes, each with its share, the way there reckoned in."""
    state, odds = view.state, odds_of(view.state, difficulty)
    known: dict[object, float] = view.shelf("hopes", MOST_PLACES).setdefault(places, {})
    if len(known) >= MOST_HOPES:
        known.clear()
    best = 0.0
    for i in units:
        chance = chance_of(state, i, odds)
        if chance:
            key = (view.poses[i], chance)
            hope = known.get(key)
            if hope is None:
                hope = known[key] = max([_share(view, i, cell, share * chance) for cell, share in places])
            if hope > best:
                best = hope
    return TRIES * best


def _share(view: Survey, i: int, cell: int, share: float) -> float:
    """What the way to a hex leaves of a share."""
    way = view.way(i, view.field(cell))
    return share * (THERE * NEARER**way if way else 1.0)


def chance_of(state: FormationsState, i: int, odds: Sequence[float]) -> float:
    """A.manipulate.c1 A.manipulate.c2: the chance of a unit in a manipulation, as it is now."""
    if state.kind[i] == FORMATION or state.fatigue[i] != FRESH or state.cohesion[i] != STEADY:
        return 0.0
    chance = odds[state.type[i]]
    return SPARES * chance if state.kind[i] == CHARACTER else chance


def odds_of(state: FormationsState, difficulty: int) -> Sequence[float]:
    """By type, the chance in a manipulation."""
    known: dict[int, Sequence[float]] = state.roster.kept.setdefault("odds", {})
    if difficulty not in known:
        known[difficulty] = [_chance(kind, difficulty) for kind in state.roster.types]
    return known[difficulty]


def _chance(kind: Type, difficulty: int) -> float:
    """A.manipulate.p2 A.manipulate.p3 A.manipulate.p4: of a unit alone in its hex."""
    added = difficulty + (CLASS_TERMS[kind.weapon].value if kind.weapon else 0) + (2 if kind.small else 0)
    rolls = [one + two for one in range(1, 7) for two in range(1, 7)]
    good = [r for r in rolls if r != DOUBLE_SIX and (r == DOUBLE_ONE or r + added <= kind.number)]
    return len(good) / len(rolls)


def _hands(view: Survey) -> list[int]:
    """AH28.characters: all of his who are still there."""
    state = view.state
    everybody = (*state.roster.leaders, *state.roster.chiefs)
    there = [c for c in everybody if c >= 0 and state.side[c] == view.seat and state.cell[c] >= 0]
    return view.own + there


def fires(view: Survey) -> float:
    """AH22.fire: a fire start under a unit."""
    state = view.state
    if START not in state.fire:
        return 0.0
    burning = [i for cell, fire in enumerate(state.fire) if fire == START for i in state.at[cell]]
    return SCORCHED * sum([-1 if state.side[i] == view.seat else 1 for i in burning])
