"""How good a position looks: points, units as they are, blows to come, prizes, ways and commands.

A bot that looks one action ahead maximises this.  The weights are ours; they are not rules.  One is about a
point of AH27.victory.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ...parts.hexes import FRONT, OFF
from .cohesion import DOUBLE_ONE, DOUBLE_SIX, passes
from .manipulation import CLASS_TERMS, DOUSE, SET_FIRE
from .melee import blow_terms, result, side_of
from .movement import Moving
from .reach import allowance
from .state import (
    ADVANCE,
    BLAZE,
    CHARACTER,
    CHARGED,
    EXHAUSTED,
    FORMATION,
    FRESH,
    HEDGEHOG,
    HORDE,
    LARGEST,
    LEAGUE,
    MARCH,
    MORALES,
    MOVED,
    NO_FIRE,
    NO_STAKES,
    NOBODY,
    ORDERED,
    ROUT,
    SHAKEN,
    SIMPLE,
    SPENT,
    START,
    STEADY,
    TORTOISE,
    WHOLE,
    Device,
    FormationsState,
    Type,
    other,
)
from .units import around, cells_of, front, is_regrouped, kind_of, limited_by, troops
from .victory import score

# units
ARM = 0.5  # a troop that can strike
REDUCED = 0.45  # a troop of one step: its rout costs as much as that of a whole one
SHAKE, SHAKES = 0.3, 0.25  # a unit that is Shaken, and each step of it
HEAP = 1.5  # a step of a Shaken formation: it would rout as a whole
FLED = 0.8  # a step in Rout beyond those that the score counts
BREATH = (0.0, 0.3, 0.8)  # fresh, Winded, Exhausted
ARROWS = (0.0, 0.25, 0.7)  # full, Diminished, Spent
# a formation, by steps: one of 3 is soon none at all (AH17.losses)
BODY = (0.0, 0.0, 0.0, -0.3, 0.4, 0.5, 0.75, 2.0, 2.1, 2.1, 2.25)
DRILL = 0.3  # a formation with Manoeuvre
# melee
OURS, THEIRS = 1.0, 0.75  # of what a blow may be expected to bring
ALONE, CROWD = 0.15, 2  # an enemy more than friends, within so many hexes
# prizes
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
# ways
APPROACH = (0.05, 0.13)  # a hex nearer to the enemy, by side: the Horde must come
TURNING, GLANCE = 0.4, 0.1  # hexes that a corner off the way counts for; to small units, who turn free
REACH = 8  # a way that is neither good nor bad
AWAY, SAFE = 15, 5  # for who cannot fight: the worst way, and how far he keeps away
BESIDE = 0.4  # a shooter next to the enemy
UNWIELDY = 0.9  # a formation as the one to hold a hex
PROMISE, LEG = 0.5, 3  # of what a move may bring that has just begun; the hexes of such a move
BEGUN = 0.004  # to have taken a unit rather than none
# command
ORDER, FORMS, MERGES, BREATHES = 0.5, 0.25, 0.3, 0.1  # who can recover, form up, merge, rest more easily
SPARE = (3, 6, 9, 10)  # steps of a formation that is too small, or strikes as well without two
EAGER, EAGERLY = 0.25, 5  # a unit held back with the enemy so near
SAVED = 0.01  # an order that is not given
LEADER, BY, ASTRAY, LONELY = 2.0, 0.03, 0.04, 0.15  # lost; a unit that he reaches; hexes from all; in danger
FENCE, IDLE = 0.25, 0.06  # stakes that serve, stakes that do not

FAR = 12
MOST_BLOWS, MOST_LOOKS = 50_000, 500
WEIGHED = CHARGED | MOVED | ORDERED


def evaluate(state: FormationsState, seat: int) -> float:
    """Good for ``seat`` is positive.  Looks that come to the same, as most that fail, are weighed once."""
    known: dict[object, float] = state.roster.kept.setdefault("looks", {})
    key = _key(state, seat)
    value = known.get(key)
    if value is None:
        value = _weigh(state, seat)
        if len(known) >= MOST_LOOKS:
            known.clear()
        known[key] = value
    return value


def _key(state: FormationsState, seat: int) -> object:
    """All that is weighed."""
    decision = state.todo[-1] if state.todo else None
    moving = decision if isinstance(decision, Moving) else None
    units = (state.type, state.wing, state.kind, state.steps, state.cell, state.cell2, state.facing)
    states = (state.fatigue, state.cohesion, state.ammo, state.mode, state.at, state.fire, state.stakes)
    sides = (state.instruction, state.done, state.worked, state.blows)
    flags = tuple([flag & WEIGHED for flag in state.flags])
    columns: tuple[Sequence[object], ...] = (*units, *states, *sides)
    packed = [tuple(column) for column in columns]
    return (seat, moving, state.weather, state.beacon, state.burnt, flags, *packed)


def _weigh(state: FormationsState, seat: int) -> float:
    """Both sides are weighed; ways and commands are his own only."""
    foe = other(seat)
    own, foes = troops(state, seat), troops(state, foe)
    points, near = score(state), _near(state, seat, foes)
    value = points[seat] - points[foe] + _units(state, own, near) - _units(state, foes, ())
    value += _melee(state, own, foes, near)
    value += _beacon(state, seat, own) + _devices(state, seat, own) + _fires(state, seat)
    value += _granary(state, seat, own, foes) * (1 if seat == HORDE else -1)
    value += _ways(state, seat, own, near) + _begun(state, seat, own, near)
    value += _leaders(state, seat, own, near) + _stakes(state, own, near)
    return value if any(state.done) else value + _command(state, own, near)


# --- distances -----------------------------------------------------------------------------------


def _near(state: FormationsState, seat: int, foes: list[int]) -> Sequence[int]:
    """How far the next enemy is from every hex; kept from one look to the next, while he does not move."""
    kept, rows = state.roster.kept.setdefault("near", {}), state.roster.grid.distances
    where = tuple([cell for j in foes for cell in cells_of(state, j)])
    known: tuple[tuple[int, ...], Sequence[int]] | None = kept.get(seat)
    if known is None or known[0] != where:
        limit = (FAR,) * state.roster.grid.size
        known = kept[seat] = (where, tuple(map(min, limit, limit, *(rows[cell] for cell in where))))
    return known[1]


def _apart(state: FormationsState, i: int, row: Sequence[int]) -> int:
    """What a row of distances says of a unit: of two hexes the nearer."""
    second = state.cell2[i]
    return row[state.cell[i]] if second < 0 else min(row[state.cell[i]], row[second])


def _way(state: FormationsState, i: int, row: Sequence[int]) -> float:
    """AH7.move: how far a unit has to go and to turn."""
    cell, second, facing = state.cell[i], state.cell2[i], state.facing[i]
    far = row[cell] if second < 0 else min(row[cell], row[second])
    if not far:
        return 0.0
    weight = GLANCE if second < 0 and kind_of(state, i).small else TURNING
    neighbours = state.roster.grid.neighbours
    one, two = neighbours[cell][facing], neighbours[cell if second < 0 else second][(facing + 1) % 6]
    ahead = (row[one] if one != OFF else far + 1) + (row[two] if two != OFF else far + 1)
    return far + weight * (ahead - 2 * far + 2)


# --- units ---------------------------------------------------------------------------------------


def _units(state: FormationsState, units: list[int], near: Sequence[int]) -> float:
    """What they are worth beyond their steps: arms, order, breath, ammunition, formations."""
    value, types = 0.0, state.roster.types
    for i in units:
        kind, steps, cohesion, fatigue = (
            types[state.type[i]],
            state.steps[i],
            state.cohesion[i],
            state.fatigue[i],
        )
        value -= BREATH[fatigue]
        if kind.range:
            value -= ARROWS[state.ammo[i]]
        if cohesion == ROUT:
            value -= FLED * max(0, steps - WHOLE)
            continue
        value += ARM * kind.number / 8
        if state.flags[i] & CHARGED and fatigue != EXHAUSTED:
            value -= BREATH[fatigue + 1] - BREATH[fatigue]
        if cohesion == SHAKEN:
            value -= SHAKE + SHAKES * steps * (HEAP if state.kind[i] == FORMATION else 1.0)
        if steps == 1:
            value -= REDUCED
        elif state.kind[i] == FORMATION and cohesion == STEADY and fatigue != EXHAUSTED:
            value += BODY[steps] + DRILL * kind.manoeuvre
            value += _mode(state, i, _apart(state, i, near)) if near else 0.0
    return value


def _mode(state: FormationsState, i: int, near: int) -> float:
    """AH21.modes: marching where no enemy is near, a front where he comes."""
    mode = state.mode[i]
    if mode == MARCH:
        return 0.3 if near > 3 else 0.1
    if near > 3:
        return -0.2
    foes = [kind_of(state, j) for j in troops(state, other(state.side[i]))]
    if mode == HEDGEHOG:
        return 0.4 if 2 * sum(kind.mounted or kind.weapon == "bestial" for kind in foes) > len(foes) else 0.0
    if mode == TORTOISE:
        return 0.35 if 3 * sum(kind.range > 0 for kind in foes) > len(foes) and near > 1 else -0.2
    return 0.25


# --- melee ---------------------------------------------------------------------------------------


def _melee(state: FormationsState, own: list[int], foes: list[int], near: Sequence[int]) -> float:
    """AH11.melee: what the blows of both sides may be expected to bring."""
    close = [i for i in own if _apart(state, i, near) <= 1]
    if not close:
        return 0.0
    chosen = dict(state.blows)
    ours = sum([_best(state, i, chosen) for i in close])
    theirs = sum([_best(state, j, chosen) for j in foes])
    return OURS * ours - THEIRS * theirs - ALONE * sum([_alone(state, i, own, foes) for i in close])


def _alone(state: FormationsState, i: int, own: list[int], foes: list[int]) -> int:
    """By how many more enemies than friends a unit is surrounded: they can strike it next."""
    row, cells = state.roster.grid.distances[state.cell[i]], state.cell
    return max(0, sum([row[cells[j]] <= CROWD for j in foes]) - sum([row[cells[k]] <= CROWD for k in own]))


def _best(state: FormationsState, i: int, chosen: dict[int, int]) -> float:
    """The blow that a unit has chosen, or the best that it has at the foremost of a hex."""
    if i in chosen:
        return _blow(state, i, chosen[i])
    side, best = state.side[i], 0.0
    for cell in _ahead(state, i) if state.cohesion[i] != ROUT else ():
        for j in state.at[cell]:
            if state.side[j] != side and state.kind[j] != CHARACTER:
                best = max(best, _blow(state, i, j))
                break
    return best


def _ahead(state: FormationsState, i: int) -> Sequence[int]:
    """AH11.melee: the hexes into which a unit strikes, kept by where and how it stands."""
    known: dict[tuple[int, ...], Sequence[int]] = state.roster.kept.setdefault("ahead", {})
    spiked = state.kind[i] == FORMATION and state.mode[i] == HEDGEHOG
    key = (state.cell[i], state.cell2[i], state.facing[i], spiked)
    if key not in known:
        known[key] = around(state, i) if spiked else front(state, i)
    return known[key]


def _blow(state: FormationsState, i: int, j: int) -> float:
    """AH11.melee: what a blow may be expected to cost; kept from one look to the next, for few change."""
    cell, second, struck, beside = state.cell[i], state.cell2[i], state.cell[j], state.cell2[j]
    key = (
        (state.type[i], state.kind[i], state.steps[i], state.fatigue[i], state.cohesion[i], state.mode[i]),
        (cell, second, state.facing[i], state.flags[i] & CHARGED, state.at[cell], state.fire[cell]),
        (state.at[second], state.fire[second]) if second >= 0 else (),
        (state.type[j], state.kind[j], state.steps[j], state.fatigue[j], state.cohesion[j], state.mode[j]),
        (struck, beside, state.facing[j], state.stakes[struck], state.stakes[beside]),
    )
    known: dict[object, float] = state.roster.kept.setdefault("blows", {})
    value = known.get(key)
    if value is None:
        margin = kind_of(state, i).number - sum(term.value for term in blow_terms(state, i, j))
        number = MORALES[kind_of(state, j).morale] - state.fatigue[j] - (side_of(state, i, j) != FRONT)
        value = _harm(margin, number, state.steps[j], state.cohesion[j])
        if len(known) >= MOST_BLOWS:
            known.clear()
        known[key] = value
    return value


@cache
def _harm(margin: int, number: int, steps: int, cohesion: int) -> float:
    """AH11.melee AH12.cohesion: points and order lost, by the attack's margin and the test's number."""
    total = 0.0
    for natural in (one + two for one in range(1, 7) for two in range(1, 7)):
        below = margin - natural
        if natural == DOUBLE_SIX or (below < 0 and natural != DOUBLE_ONE):
            continue
        lost, extra = result(below)
        lost = min(steps, max(lost, int(natural == DOUBLE_ONE)))
        total += lost
        if lost == steps:
            total += ARM
        elif cohesion != ROUT:
            total += _fails(number - lost - extra) * _worse(steps - lost, cohesion)
    return total / 36


@cache
def _fails(number: int) -> float:
    """AH12.cohesion: how often a test against so much fails."""
    return sum(not passes(one + two, 0, number) for one in range(1, 7) for two in range(1, 7)) / 36


def _worse(steps: int, cohesion: int) -> float:
    """What a level of cohesion is worth to a unit."""
    if cohesion == STEADY:
        return SHAKE + SHAKES * steps
    return ARM + max(WHOLE, FLED * steps) - SHAKES * steps


# --- prizes --------------------------------------------------------------------------------------


def _stands(state: FormationsState, side: int, cell: int) -> bool:
    """Whether a troop of a side that is not in Rout is in a hex."""
    for i in state.at[cell]:
        if state.side[i] == side and state.kind[i] != CHARACTER and state.cohesion[i] != ROUT:
            return True
    return False


def _beacon(state: FormationsState, seat: int, own: list[int]) -> float:
    """AH27.victory: who will have the beacon, beyond what the score says; a blaze settles it (AH22.fire)."""
    cell, worth = state.roster.prize.beacon, state.roster.prize.beacon_points
    if cell < 0 or state.fire[cell] >= BLAZE:
        return 0.0
    now = 0 if state.beacon < 0 else worth if state.beacon == seat else -worth
    if _stands(state, seat, cell):
        burns = BURNS if state.fire[cell] == START else 0.0
        return burns * now + (1 - burns) * STOOD * worth - now
    row = state.roster.grid.distances[cell]
    way = min([_way(state, i, row) for i in own if state.cohesion[i] == STEADY], default=FAR)
    hope = (worth + LEFT * abs(now)) * NEARER**way
    if _stands(state, other(seat), cell):
        return OUSTED * hope - STOOD * worth - now
    return LEFT * now - now + (hope if now <= 0 else (STOOD - LEFT) * hope)


def _granary(state: FormationsState, seat: int, own: list[int], foes: list[int]) -> float:
    """AH22.fire AH27.victory: what the Horde may hope for from the granary, by hand or by a creeping fire."""
    cell, worth = state.roster.prize.granary, 2 * BURNS * state.roster.prize.granary_points
    if cell < 0 or state.burnt or not state.roster.rules.fire:
        return 0.0
    everybody = own + _characters(state, seat)
    league, horde = (everybody, foes) if seat == LEAGUE else (foes, everybody)
    if state.fire[cell] == START:
        doused = (
            0.0 if _stands(state, HORDE, cell) else _hope(state, league, DOUSE[state.weather], [(cell, 1.0)])
        )
        return worth * (1 - doused)
    guarded = _stands(state, LEAGUE, cell)
    straws = _straws(state)
    creeps = max([CREEPS**n for straw, n in straws if state.fire[straw] != NO_FIRE], default=0.0)
    places = [
        (straw, CREEPS**n) for straw, n in straws if state.fire[straw] == NO_FIRE and CREEPS**n > creeps
    ]
    places.append((cell, KEPT if guarded else 1.0))
    hope = worth * max(creeps, _hope(state, horde, SET_FIRE[state.weather], places))
    if guarded or not hope:
        return hope
    row = state.roster.grid.distances[cell]
    guards = [_way(state, i, row) for i in league if state.kind[i] != CHARACTER and state.cohesion[i] != ROUT]
    return hope * (1 - (1 - KEPT) * NEARER ** (1 + min(guards, default=FAR)))


def _straws(state: FormationsState) -> list[tuple[int, int]]:
    """AH22.fire: the Inflammable hexes from which fire can creep to the granary, and in how many steps."""
    roster = state.roster
    if "straws" not in roster.kept:
        edge, found = [roster.prize.granary], {roster.prize.granary: 0}
        for cell in edge:
            beyond = roster.grid.neighbours[cell] if cell in roster.burns and found[cell] < FUSE else ()
            fresh = [to for to in beyond if to in roster.burns and to not in found]
            found.update(dict.fromkeys(fresh, found[cell] + 1))
            edge += fresh
        roster.kept["straws"] = [(cell, n) for cell, n in found.items() if n]
    straws: list[tuple[int, int]] = roster.kept["straws"]
    return straws


def _devices(state: FormationsState, seat: int, own: list[int]) -> float:
    """AH31.devices: what he may hope for from those that are not his."""
    value = 0.0
    for device, side in _untaken(state, seat):
        worth = device.points if side == NOBODY else 2 * device.points
        hands = own + _characters(state, seat)
        value += worth * _hope(state, hands, device.difficulty, [(device.cell, 1.0)])
    return value


def _untaken(state: FormationsState, seat: int) -> list[tuple[Device, int]]:
    """AH31.devices: those that are not his, and whose they are."""
    pairs = zip(state.roster.devices, state.worked, strict=True)
    return [(device, side) for device, side in pairs if side != seat]


def _hope(
    state: FormationsState, units: list[int], difficulty: int, places: list[tuple[int, float]]
) -> float:
    """The best that hands may bring about in some hexes, each with its share, the way there reckoned in."""
    rows, best = state.roster.grid.distances, 0.0
    for i in units:
        chance = _hands(state, i, difficulty)
        for cell, share in places if chance else ():
            way = _way(state, i, rows[cell])
            best = max(best, share * chance * (THERE * NEARER**way if way else 1.0))
    return TRIES * best


def _hands(state: FormationsState, i: int, difficulty: int) -> float:
    """A.manipulate.c1 A.manipulate.c2: the chance of a unit in a manipulation, as it is now."""
    if state.kind[i] == FORMATION or state.fatigue[i] != FRESH or state.cohesion[i] != STEADY:
        return 0.0
    return _chance(kind_of(state, i), difficulty) * (SPARES if state.kind[i] == CHARACTER else 1.0)


@cache
def _chance(kind: Type, difficulty: int) -> float:
    """A.manipulate.p2 A.manipulate.p3 A.manipulate.p4: of a unit alone in its hex."""
    added = difficulty + (CLASS_TERMS[kind.weapon].value if kind.weapon else 0) + (2 if kind.small else 0)
    rolls = [one + two for one in range(1, 7) for two in range(1, 7)]
    good = [r for r in rolls if r != DOUBLE_SIX and (r == DOUBLE_ONE or r + added <= kind.number)]
    return len(good) / len(rolls)


def _characters(state: FormationsState, side: int) -> list[int]:
    """AH28.characters: those who are still there."""
    everybody = (*state.roster.leaders, *state.roster.chiefs)
    return [c for c in everybody if c >= 0 and state.side[c] == side and state.cell[c] >= 0]


def _fires(state: FormationsState, seat: int) -> float:
    """AH22.fire: a fire start under a unit."""
    if START not in state.fire:
        return 0.0
    burning = [i for cell, fire in enumerate(state.fire) if fire == START for i in state.at[cell]]
    return SCORCHED * sum([-1 if state.side[i] == seat else 1 for i in burning])


# --- ways ----------------------------------------------------------------------------------------


def _ways(state: FormationsState, seat: int, own: list[int], near: Sequence[int]) -> float:
    """The way to the enemy, or away from him for who cannot fight; by steps: to split up is no gain."""
    value, beside, types = 0.0, 0, state.roster.types
    for i in own:
        if state.cohesion[i] == ROUT:
            continue
        if _is_weak(state, i):
            way: float = AWAY - min(_apart(state, i, near), SAFE)
        else:
            way, reach = _way(state, i, near), types[state.type[i]].range
            if reach:
                beside += way < 2
                way = max(way, 2, reach // 2)
        value += (REACH - way) * state.steps[i] / WHOLE
    return APPROACH[seat] * value - BESIDE * beside


def _is_weak(state: FormationsState, i: int) -> bool:
    """Whether a unit had better keep away from the enemy."""
    spent = state.ammo[i] == SPENT and kind_of(state, i).range > 0
    return state.cohesion[i] == SHAKEN or state.fatigue[i] == EXHAUSTED or spent


def _begun(state: FormationsState, seat: int, own: list[int], near: Sequence[int]) -> float:
    """What a move may bring that has just begun; one that goes on for nothing had better end."""
    decision = state.todo[-1] if state.todo else None
    if not isinstance(decision, Moving) or decision.seat != seat:
        return 0.0
    i, left = decision.unit, decision.left
    if left < allowance(state, i):
        return -BEGUN
    if state.kind[i] == CHARACTER:
        return BEGUN if near[state.cell[i]] <= 3 or not _stands(state, seat, state.cell[i]) else -BEGUN
    way = SAFE - _apart(state, i, near) if _is_weak(state, i) else _way(state, i, near) - 1
    promise = APPROACH[seat] * max(0.0, min(left, way)) * state.steps[i] / WHOLE
    return PROMISE * max(promise, _errand(state, seat, i, own)) + BEGUN


def _errand(state: FormationsState, seat: int, i: int, own: list[int]) -> float:
    """What a unit may bring on its way to a prize, if nobody of its side is better placed."""
    prize, rows, value = state.roster.prize, state.roster.grid.distances, 0.0
    goals = [(d.cell, d.points, d.difficulty) for d, _ in _untaken(state, seat)]
    if seat == HORDE and prize.granary >= 0 and not state.burnt and state.roster.rules.fire:
        goals.append((prize.granary, 2 * prize.granary_points, SET_FIRE[state.weather]))
    if prize.beacon >= 0 and not _stands(state, seat, prize.beacon):
        goals.append((prize.beacon, prize.beacon_points, NOBODY))
    for cell, worth, difficulty in goals:
        hopes = {j: _able(state, j, difficulty) * NEARER ** _way(state, j, rows[cell]) for j in own}
        if state.cell[i] != cell and hopes[i] and hopes[i] >= max(hopes.values()):
            value = max(value, worth * hopes[i] * (NEARER**-LEG - 1))
    return value


def _able(state: FormationsState, i: int, difficulty: int) -> float:
    """The chance of a unit in a manipulation; without one, whether it can hold a hex."""
    if difficulty == NOBODY:
        return (UNWIELDY if state.kind[i] == FORMATION else 1.0) * (state.cohesion[i] == STEADY)
    return TRIES * _hands(state, i, difficulty)


# --- leaders, stakes and commands ----------------------------------------------------------------


def _leaders(state: FormationsState, seat: int, own: list[int], near: Sequence[int]) -> float:
    """AH5.command AH12.cohesion AH28.characters: leaders with their wings, and not alone before the enemy."""
    value, rows = 0.0, state.roster.grid.distances
    for c in (*state.roster.leaders, *state.roster.chiefs):
        if c < 0 or state.side[c] != seat:
            continue
        cell, wing = state.cell[c], state.wing[c]
        if cell < 0:
            value -= LEADER
            continue
        led = [rows[cell][state.cell[i]] for i in own if wing in (NOBODY, state.wing[i])]
        value += BY * sum([(far <= 4) + (far <= 2) for far in led]) - ASTRAY * min(led, default=0)
        if near[cell] <= 3 and not _stands(state, seat, cell):
            value -= LONELY * (4 - near[cell])
    return value


def _stakes(state: FormationsState, own: list[int], near: Sequence[int]) -> float:
    """AH23.stakes: before a unit that awaits the enemy; they are in the way of one that goes on."""
    value = 0.0
    for i in own if max(state.stakes) != NO_STAKES else ():
        cell = state.cell[i]
        if state.stakes[cell] != NO_STAKES and state.at[cell][0] == i:
            serve = 1 < near[cell] <= 4 and state.stakes[cell] == state.facing[i] and _stays(state, i)
            value += FENCE if serve else -IDLE
    return value


def _stays(state: FormationsState, i: int) -> bool:
    """Whether a unit awaits the enemy where it is: it shoots, is worn or holds a prize."""
    worn = state.fatigue[i] != FRESH or state.cohesion[i] != STEADY
    prize = state.roster.prize
    return worn or kind_of(state, i).range > 0 or state.cell[i] in (prize.beacon, prize.granary)


def _command(state: FormationsState, own: list[int], near: Sequence[int]) -> float:
    """AH5.command AH6.instructions: what orders and instructions open to units, and what they forbid."""
    value = 0.0
    for i in own:
        far = _apart(state, i, near)
        if is_regrouped(state, i):
            value += _use(state, i, far)
        if state.flags[i] & ORDERED:
            value -= SAVED
        if limited_by(state, i) != ADVANCE and far <= EAGERLY and not _is_weak(state, i):
            value -= EAGER if state.cohesion[i] == STEADY else 0.0
    return value


def _use(state: FormationsState, i: int, far: int) -> float:
    """What a unit can do under a Regroup instruction or a special order."""
    morale, here = kind_of(state, i).morale, state.at[state.cell[i]]
    if state.cohesion[i] == ROUT:
        return ORDER if morale == "steady" and state.flags[i] & ORDERED else 0.0
    if far <= 1:
        return 0.0
    if state.cohesion[i] == SHAKEN:
        return ORDER if morale != "elite" else 0.0
    if state.kind[i] == FORMATION:
        joined = any(_like(state, i, j) for cell in cells_of(state, i) for j in state.at[cell])
        return FORMS if joined or state.fatigue[i] == EXHAUSTED or state.steps[i] in SPARE else 0.0
    if state.fatigue[i] == EXHAUSTED:
        return BREATHES
    if any(state.kind[j] == FORMATION and state.type[j] == state.type[i] for j in here):
        return FORMS
    merges = state.steps[i] == 1 and any(_like(state, i, j) and state.steps[j] == 1 for j in here)
    return MERGES * merges + FORMS * _has_partner(state, i)


def _has_partner(state: FormationsState, i: int) -> bool:
    """A.constitute.c1 A.constitute.c2 A.constitute.c9: a troop beside it with which it may form up."""
    if not LARGEST[kind_of(state, i).profile]:
        return False
    neighbours, facing = state.roster.grid.neighbours[state.cell[i]], state.facing[i]
    beside = (neighbours[(facing + 2) % 6], neighbours[(facing + 5) % 6])
    return any(_like(state, i, j) for to in beside if to != OFF for j in state.at[to])


def _like(state: FormationsState, i: int, j: int) -> bool:
    """Another simple troop of its type that faces as it does."""
    alike = state.type[i] == state.type[j] and state.facing[i] == state.facing[j]
    return i != j and state.kind[j] == SIMPLE and alike
