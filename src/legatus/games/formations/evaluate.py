"""How good a position looks: points, units as they are, blows to come, prizes, ways and commands.

A bot that looks one action ahead maximises this.  The weights are ours; they are not rules.  One is about a
point of AH27.victory.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

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
    FormationsState,
    Type,
    other,
)
from .units import around, cells_of, front, is_regrouped, kind_of, limited_by, troops
from .victory import score

# units
ARM = 0.5  # a troop that can strike
REDUCED = 0.45  # of one step
SHAKE, SHAKES = 0.3, 0.25  # Shaken, and a step of it
FLED = 0.8  # a step in Rout beyond those that the score counts
BREATH = (0.0, 0.3, 0.8)  # fresh, Winded, Exhausted
ARROWS = (0.0, 0.25, 0.7)  # full, Diminished, Spent
BODY = (0.0, 0.0, 0.0, 0.3, 0.4, 0.5, 0.75, 2.0, 2.1, 2.1, 2.25)  # a formation, by steps
DRILL = 0.3  # and if it has Manoeuvre
# melee
OURS, THEIRS = 1.0, 0.75  # what a blow may be expected to bring
# prizes
STOOD, LEFT = 0.8, 0.6  # how sure the beacon is to who stands there, to who held it last
NEARER = 0.8  # what is left of a prize for each hex of the way to it
OUSTED = 0.4  # and if an enemy stands there
BURNS = 0.8  # how sure a fire start is to become a blaze
CREEPS, FUSE = 0.4, 3  # how sure a fire is to spread by a hex, and how far it is looked for
TRIES = 0.75  # how much of a manipulation's chance is hoped for
SPARES = 0.5  # how readily a character is sent to do it
KEPT = 0.3  # of the danger to the granary, where a guard stands on it
# ways
APPROACH = (0.05, 0.13)  # a hex nearer to the enemy, by side: the Horde must come
TURNING, GLANCE = 0.4, 0.1  # hexes that a corner off the way counts for; to small units, who turn free
PROMISE = 0.5  # of the way that a unit on the move has still before it
BEGUN = 0.004  # to have taken a unit rather than none
FAR = 12
MOST_KEPT, MOST_LOOKS = 50_000, 500
WEIGHED = CHARGED | MOVED | ORDERED
BESIDE = 0.4  # a shooter next to the enemy
REACH = 8  # a way that is neither good nor bad
AWAY, SAFE = 15, 5  # who cannot fight keeps so far away
# command
WORSE, FORMS, MERGES, EAGER = 0.5, 0.25, 0.3, 0.25
SPARE = (6, 9, 10)  # steps of a formation that strikes as well without two of them
SPARED = 0.01  # an order that is not given
FENCE, IDLE = 0.25, 0.06  # stakes that serve, stakes that do not


def evaluate(state: FormationsState, seat: int) -> float:
    """Good for ``seat`` is positive.  Looks that come to the same are weighed once."""
    known: dict[object, float] = state.roster.kept.setdefault("worth", {})
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
    units = (state.type, state.wing, state.kind, state.steps, state.cell, state.cell2, state.facing)
    states: tuple[list[Any], ...] = (
        state.fatigue,
        state.cohesion,
        state.ammo,
        state.mode,
        state.at,
        state.fire,
        state.stakes,
    )
    sides: tuple[list[Any], ...] = (state.instruction, state.done, state.worked, state.blows)
    flags = tuple([flag & WEIGHED for flag in state.flags])
    moving = decision if isinstance(decision, Moving) else None
    return (
        seat,
        moving,
        state.beacon,
        state.burnt,
        flags,
        *[tuple(column) for column in units],
        *[tuple(column) for column in states],
        *[tuple(column) for column in sides],
    )


def _weigh(state: FormationsState, seat: int) -> float:
    """Both sides are weighed; ways and commands are his own only."""
    foe = other(seat)
    own, foes = troops(state, seat), troops(state, foe)
    points = score(state)
    near = _near(state, seat, foes)
    value = float(points[seat] - points[foe])
    value += _units(state, own, near) - _units(state, foes, ())
    value += _melee(state, own, foes, near)
    sign = 1 if seat == HORDE else -1
    value += _beacon(state, seat, own, foes) + sign * _granary(state, seat, own, foes)
    value += _devices(state, seat, own)
    value += _ways(state, seat, own, near) + _begun(state, seat, near) + _leaders(state, seat, own, near)
    value += _stakes(state, own, near) + _fires(state, seat)
    if not any(state.done):
        value += _command(state, own, near)
    return value


# --- distances -----------------------------------------------------------------------------------


def _near(state: FormationsState, seat: int, foes: list[int]) -> Sequence[int]:
    """How far the next enemy is from every hex; kept from one look to the next, while he does not move."""
    kept, rows = state.roster.kept, state.roster.grid.distances
    where = tuple(cell for j in foes for cell in cells_of(state, j))
    known = kept.get(f"near{seat}")
    if known is None or known[0] != where:
        limit = (FAR,) * state.roster.grid.size
        known = kept[f"near{seat}"] = (
            where,
            tuple(map(min, limit, *(rows[cell] for cell in where))) if where else limit,
        )
    nearest: Sequence[int] = known[1]
    return nearest


def _apart(state: FormationsState, i: int, row: Sequence[int]) -> int:
    """What a row of distances says of a unit: of two hexes the nearer."""
    second = state.cell2[i]
    return row[state.cell[i]] if second < 0 else min(row[state.cell[i]], row[second])


def _way(state: FormationsState, i: int, row: Sequence[int]) -> float:
    """AH7.move: how far a unit has to go and to turn."""
    cell, second, facing = state.cell[i], state.cell2[i], state.facing[i]
    far = row[cell] if second < 0 else min(row[cell], row[second])
    weight = GLANCE if second < 0 and kind_of(state, i).small else TURNING
    around = state.roster.grid.neighbours
    one, two = around[cell][facing], around[cell if second < 0 else second][(facing + 1) % 6]
    ahead = (row[one] if one != OFF else far + 1) + (row[two] if two != OFF else far + 1)
    return far + weight * (ahead - 2 * far + 2)


# --- units ---------------------------------------------------------------------------------------


def _units(state: FormationsState, units: list[int], near: Sequence[int]) -> float:
    """What they are worth beyond their steps: arms, order, breath, ammunition, formations."""
    value = 0.0
    types = state.roster.types
    for i in units:
        kind, steps, cohesion = types[state.type[i]], state.steps[i], state.cohesion[i]
        value -= BREATH[state.fatigue[i]]
        if kind.range:
            value -= ARROWS[state.ammo[i]]
        if cohesion == ROUT:
            value -= FLED * max(0, steps - WHOLE)
            continue
        value += ARM * kind.number / 8
        if state.flags[i] & CHARGED and state.fatigue[i] != EXHAUSTED:
            value -= BREATH[state.fatigue[i] + 1] - BREATH[state.fatigue[i]]
        if cohesion == SHAKEN:
            value -= SHAKE + SHAKES * steps
        if steps == 1:
            value -= REDUCED
        elif state.kind[i] == FORMATION and cohesion == STEADY and state.fatigue[i] != EXHAUSTED:
            value += (
                BODY[steps]
                + DRILL * kind.manoeuvre
                + (_mode(state, i, _apart(state, i, near)) if near else 0.0)
            )
    return value


def _mode(state: FormationsState, i: int, near: int) -> float:
    """AH21.modes: marching where no enemy is near, a front where he comes."""
    mode = state.mode[i]
    if mode == MARCH:
        return 0.3 if near > 3 else 0.1
    if near > 3:
        return -0.2
    foes = troops(state, other(state.side[i]))
    if mode == HEDGEHOG:
        riders = sum(kind_of(state, j).mounted or kind_of(state, j).weapon == "bestial" for j in foes)
        return 0.4 if 2 * riders > len(foes) else 0.0
    if mode == TORTOISE:
        archers = sum(kind_of(state, j).range > 0 and state.ammo[j] != SPENT for j in foes)
        return 0.35 if 3 * archers > len(foes) and near > 1 else -0.2
    return 0.25


# --- melee ---------------------------------------------------------------------------------------


def _melee(state: FormationsState, own: list[int], foes: list[int], near: Sequence[int]) -> float:
    """AH11.melee: what the blows of both sides may be expected to bring."""
    chosen = dict(state.blows)
    close = [
        i for i in own if near[state.cell[i]] <= 1 or (state.cell2[i] >= 0 and near[state.cell2[i]] <= 1)
    ]
    if not close:
        return 0.0
    ours = sum([_best(state, i, chosen) for i in close])
    return OURS * ours - THEIRS * sum([_best(state, j, chosen) for j in foes])


def _best(state: FormationsState, i: int, chosen: dict[int, int]) -> float:
    """The blow that a unit has chosen, or the best that it has."""
    if i in chosen:
        return _blow(state, i, chosen[i])
    side, best = state.side[i], 0.0
    if state.cohesion[i] == ROUT:
        return best
    for cell in _ahead(state, i):
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
    cell, second, struck, other_ = state.cell[i], state.cell2[i], state.cell[j], state.cell2[j]
    striker = (
        state.type[i],
        state.kind[i],
        state.steps[i],
        state.fatigue[i],
        state.cohesion[i],
        state.mode[i],
    )
    stands = (cell, second, state.facing[i], state.flags[i] & CHARGED, state.at[cell], state.fire[cell])
    beside = (state.at[second], state.fire[second]) if second >= 0 else ()
    target = (
        state.type[j],
        state.kind[j],
        state.steps[j],
        state.fatigue[j],
        state.cohesion[j],
        state.mode[j],
    )
    key = (
        striker,
        stands,
        beside,
        target,
        struck,
        other_,
        state.facing[j],
        state.stakes[struck],
        state.stakes[other_],
    )
    known: dict[tuple[object, ...], float] = state.roster.kept.setdefault("blows", {})
    value = known.get(key)
    if value is None:
        value = _costs(state, i, j)
        if len(known) >= MOST_KEPT:
            known.clear()
        known[key] = value
    return value


def _costs(state: FormationsState, i: int, j: int) -> float:
    """AH11.melee AH12.cohesion: the points and the order."""
    kind = kind_of(state, j)
    margin = kind_of(state, i).number - sum(term.value for term in blow_terms(state, i, j))
    number = MORALES[kind.morale] - state.fatigue[j] - (side_of(state, i, j) != FRONT)
    return _harm(margin, number, state.steps[j], state.cohesion[j])


@cache
def _harm(margin: int, number: int, steps: int, cohesion: int) -> float:
    """By the margin of the attack and the number of the test."""
    total = 0.0
    for one in range(1, 7):
        for two in range(1, 7):
            below = margin - one - two
            if one + two == DOUBLE_SIX or (below < 0 and one + two != DOUBLE_ONE):
                continue
            lost, extra = result(below) if below >= 0 else (0, 0)
            lost = min(steps, max(lost, 1) if one + two == DOUBLE_ONE else lost)
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
    return SHAKE + SHAKES * steps if cohesion == STEADY else ARM + max(WHOLE, FLED * steps) - SHAKES * steps


# --- prizes --------------------------------------------------------------------------------------


def _stands(state: FormationsState, side: int, cell: int) -> bool:
    """Whether a troop of a side that is not in Rout is in a hex."""
    return any(
        state.side[i] == side and state.kind[i] != CHARACTER and state.cohesion[i] != ROUT
        for i in state.at[cell]
    )


def _beacon(state: FormationsState, seat: int, own: list[int], foes: list[int]) -> float:
    """AH27.victory: who will have the beacon, beyond what the score says of it, and the way there."""
    prize = state.roster.prize
    if prize.beacon < 0:
        return 0.0
    worth = prize.beacon_points
    now = 0 if state.beacon < 0 else worth if state.beacon == seat else -worth
    fire = state.fire[prize.beacon]
    if fire >= BLAZE:
        return 0.0
    if _stands(state, seat, prize.beacon):
        if fire == START:
            return BURNS * now + (1 - BURNS) * STOOD * worth - now
        return STOOD * worth - now
    taken = worth + LEFT * abs(now)
    row = state.roster.grid.distances[prize.beacon]
    hope = taken * NEARER ** min(
        (_way(state, i, row) for i in own if state.cohesion[i] == STEADY), default=FAR
    )
    if _stands(state, other(seat), prize.beacon):
        return OUSTED * hope - STOOD * worth - now
    return hope + LEFT * now - now if now <= 0 else LEFT * now - now + (STOOD - LEFT) * hope


def _granary(state: FormationsState, seat: int, own: list[int], foes: list[int]) -> float:
    """AH22.fire AH27.victory: what the Horde may hope for from the granary."""
    cell, rules = state.roster.prize.granary, state.roster.rules
    if cell < 0 or state.burnt or not rules.fire:
        return 0.0
    worth = 2 * state.roster.prize.granary_points
    league, horde = (own, foes) if seat == LEAGUE else (foes, own)
    mine = _characters(state, seat)
    league, horde = (league + mine, horde) if seat == LEAGUE else (league, horde + mine)
    rows = state.roster.grid.distances
    row = rows[cell]
    if state.fire[cell] == START:
        hands = ((_hands(state, i, DOUSE[state.weather]), i) for i in league)
        ways = (chance * NEARER ** _way(state, i, row) for chance, i in hands if chance)
        doused = 0.0 if _stands(state, HORDE, cell) else max(ways, default=0.0)
        return BURNS * worth * (1 - TRIES * doused)
    straws = _straws(state)
    creeps = max((CREEPS**n for straw, n in straws if state.fire[straw]), default=0.0)
    lit = [(cell, KEPT if _stands(state, LEAGUE, cell) else 1.0)]
    lit += [(straw, CREEPS**n) for straw, n in straws if state.fire[straw] == NO_FIRE and CREEPS**n > creeps]
    hope = creeps * BURNS * worth
    for i in horde:
        chance = _hands(state, i, SET_FIRE[state.weather])
        if chance:
            hoped = max(share * NEARER ** _way(state, i, rows[to]) for to, share in lit)
            hope = max(hope, TRIES * BURNS * worth * chance * hoped)
    if not hope or _stands(state, LEAGUE, cell):
        return hope
    guards = [_way(state, i, row) for i in league if state.kind[i] != CHARACTER and state.cohesion[i] != ROUT]
    return hope * (1 - (1 - KEPT) * NEARER ** (1 + min(guards, default=FAR)))


def _straws(state: FormationsState) -> list[tuple[int, int]]:
    """AH22.fire: Inflammable hexes from which fire can creep to the granary, each with the hexes between."""
    kept, roster = state.roster.kept, state.roster
    if "straws" not in kept:
        found = {roster.prize.granary: 0}
        for cell in (edge := [roster.prize.granary]):
            if cell not in roster.burns or found[cell] >= FUSE:
                continue
            for to in roster.grid.neighbours[cell]:
                if to in roster.burns and to not in found:
                    found[to] = found[cell] + 1
                    edge.append(to)
        kept["straws"] = [(cell, n) for cell, n in found.items() if n]
    straws: list[tuple[int, int]] = kept["straws"]
    return straws


def _devices(state: FormationsState, seat: int, own: list[int]) -> float:
    """AH31.devices: the way to a device that is not his, for who can work it."""
    value = 0.0
    for device, side in zip(state.roster.devices, state.worked, strict=True):
        if side == seat:
            continue
        worth = device.points * (1 if side == NOBODY else 2)
        row = state.roster.grid.distances[device.cell]
        hopes = (
            TRIES * worth * chance * NEARER ** _way(state, i, row)
            for i in (*own, *_characters(state, seat))
            if (chance := _hands(state, i, device.difficulty))
        )
        value += max(hopes, default=0.0)
    return value


def _hands(state: FormationsState, i: int, difficulty: int) -> float:
    """A.manipulate.c1 A.manipulate.c2: the chance of a unit in a manipulation, as it is now."""
    if state.kind[i] == FORMATION or state.fatigue[i] != FRESH or state.cohesion[i] != STEADY:
        return 0.0
    return _chance(kind_of(state, i), difficulty) * (SPARES if state.kind[i] == CHARACTER else 1.0)


def _characters(state: FormationsState, side: int) -> list[int]:
    """AH28.characters: those who are still there."""
    everybody = (*state.roster.leaders, *state.roster.chiefs)
    return [c for c in everybody if c >= 0 and state.side[c] == side and state.cell[c] >= 0]


@cache
def _chance(kind: Type, difficulty: int) -> float:
    """A.manipulate.p2 A.manipulate.p3 A.manipulate.p4: of a unit alone in its hex."""
    added = difficulty + (CLASS_TERMS[kind.weapon].value if kind.weapon else 0) + (2 if kind.small else 0)
    rolls = [one + two for one in range(1, 7) for two in range(1, 7)]
    good = [r for r in rolls if r != DOUBLE_SIX and (r == DOUBLE_ONE or r + added <= kind.number)]
    return len(good) / len(rolls)


# --- ways ----------------------------------------------------------------------------------------


def _ways(state: FormationsState, seat: int, own: list[int], near: Sequence[int]) -> float:
    """The way to the enemy; away from him for who cannot fight; and what a move may still bring."""
    value, beside = 0.0, 0
    types = state.roster.types
    for i in own:
        if state.cohesion[i] == ROUT:
            continue
        kind = types[state.type[i]]
        if _is_weak(state, i):
            way: float = AWAY - min(_apart(state, i, near), SAFE)
        else:
            way = _way(state, i, near)
            if kind.range:
                beside += way < 2
                way = max(way, 2, kind.range // 2)
        value += (REACH - way) * state.steps[i] / WHOLE
    return APPROACH[seat] * value - BESIDE * beside


def _is_weak(state: FormationsState, i: int) -> bool:
    """Whether a unit had better keep away from the enemy."""
    spent = state.ammo[i] == SPENT and kind_of(state, i).range > 0
    return state.cohesion[i] == SHAKEN or state.fatigue[i] == EXHAUSTED or spent


def _begun(state: FormationsState, seat: int, near: Sequence[int]) -> float:
    """What a move may bring that has just begun; one that goes on for nothing had better end."""
    decision = state.todo[-1] if state.todo else None
    if not isinstance(decision, Moving) or decision.seat != seat:
        return 0.0
    i, left = decision.unit, decision.left
    if left < allowance(state, i):
        return -BEGUN
    if state.kind[i] == CHARACTER:
        return BEGUN if near[state.cell[i]] <= 3 or not _stands(state, seat, state.cell[i]) else -BEGUN
    far = _apart(state, i, near)
    if _is_weak(state, i):
        way: float = SAFE - far
    else:
        way = _way(state, i, near) - 1
    return PROMISE * APPROACH[seat] * max(0.0, min(left, way)) * state.steps[i] / WHOLE + BEGUN


def _leaders(state: FormationsState, seat: int, own: list[int], near: Sequence[int]) -> float:
    """AH5.command AH12.cohesion AH28.characters: leaders with their wings, and not alone before the enemy."""
    value = 0.0
    rows = state.roster.grid.distances
    for c in (*state.roster.leaders, *state.roster.chiefs):
        if c < 0 or state.side[c] != seat:
            continue
        cell, wing = state.cell[c], state.wing[c]
        if cell < 0:
            value -= 2.0
            continue
        row = rows[cell]
        led = [row[state.cell[i]] for i in own if wing in (NOBODY, state.wing[i])]
        value += 0.03 * sum((far <= 4) + (far <= 2) for far in led) - 0.04 * min(led, default=0)
        if near[cell] <= 3 and not _stands(state, seat, cell):
            value -= 0.15 * (4 - near[cell])
    return value


# --- stakes and fires ----------------------------------------------------------------------------


def _stakes(state: FormationsState, own: list[int], near: Sequence[int]) -> float:
    """AH23.stakes: before a unit that awaits the enemy; they are in the way of one that goes on."""
    value = 0.0
    if max(state.stakes) == NO_STAKES:
        return value
    for i in own:
        cell = state.cell[i]
        if state.stakes[cell] != NO_STAKES and state.at[cell][0] == i:
            serve = 1 < near[cell] <= 4 and state.stakes[cell] == state.facing[i] and _stays(state, i)
            value += FENCE if serve else -IDLE
    return value


def _stays(state: FormationsState, i: int) -> bool:
    """Whether a unit awaits the enemy where it is: it shoots, is tired or holds a prize."""
    prize = state.roster.prize
    at_prize = state.cell[i] in (prize.beacon, prize.granary)
    return at_prize or state.fatigue[i] != FRESH or state.cohesion[i] != STEADY or kind_of(state, i).range > 0


def _fires(state: FormationsState, seat: int) -> float:
    """AH22.fire: a fire start under a unit."""
    value = 0.0
    if START not in state.fire:
        return value
    for cell, fire in enumerate(state.fire):
        if fire == START:
            for i in state.at[cell]:
                value += -0.4 if state.side[i] == seat else 0.4
    return value


# --- command -------------------------------------------------------------------------------------


def _command(state: FormationsState, own: list[int], near: Sequence[int]) -> float:
    """AH5.command AH6.instructions: what orders and instructions open to units, and what they forbid."""
    value = 0.0
    for i in own:
        far = _apart(state, i, near)
        if is_regrouped(state, i):
            value += _use(state, i, far)
        if state.flags[i] & ORDERED:
            value -= SPARED
        bound = limited_by(state, i)
        if bound != ADVANCE and far <= 5 and state.cohesion[i] == STEADY and state.fatigue[i] != EXHAUSTED:
            value -= EAGER
    return value


def _use(state: FormationsState, i: int, far: int) -> float:
    """What a unit can do under a Regroup instruction or a special order."""
    kind, cohesion = kind_of(state, i), state.cohesion[i]
    if cohesion == ROUT:
        return WORSE if kind.morale == "steady" and state.flags[i] & ORDERED else 0.0
    if far <= 1:
        return 0.0
    if cohesion == SHAKEN:
        return WORSE if kind.morale != "elite" else 0.05
    if state.kind[i] == FORMATION:
        joined = any(_like(state, i, j) for cell in cells_of(state, i) for j in state.at[cell])
        return FORMS if joined or state.fatigue[i] == EXHAUSTED or state.steps[i] in SPARE else 0.0
    if state.fatigue[i] == EXHAUSTED:
        return 0.1
    around, value = state.roster.grid.neighbours[state.cell[i]], 0.0
    if any(state.kind[j] == FORMATION and state.type[j] == state.type[i] for j in state.at[state.cell[i]]):
        return FORMS
    if state.steps[i] == 1 and any(
        _like(state, i, j) and state.steps[j] == 1 for j in state.at[state.cell[i]]
    ):
        value += MERGES
    if LARGEST[kind.profile]:
        beside = (around[(state.facing[i] + 2) % 6], around[(state.facing[i] + 5) % 6])
        if any(_like(state, i, j) for to in beside if to != OFF for j in state.at[to]):
            value += FORMS
    return value


def _like(state: FormationsState, i: int, j: int) -> bool:
    """Another simple troop of its type that faces as it does."""
    return (
        i != j
        and state.kind[j] == SIMPLE
        and state.type[i] == state.type[j]
        and state.facing[i] == state.facing[j]
    )
