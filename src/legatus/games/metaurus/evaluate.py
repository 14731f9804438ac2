"""How good a position looks: victims, disorder, who can strike whom, bare flanks, the way, orders to come.

A bot that looks one action ahead maximises this.  The weights are ours; they are not rules.
"""

from __future__ import annotations

from functools import cache

from ...parts.hexes import OFF, SIDES, angle
from .combat import ANGLE, COMBINED, Combats, can_fight, clamp, total
from .facing import Turning
from .movement import Marching
from .state import (
    ADVANCE,
    ATTACK,
    ATTACKED,
    CARTHAGE,
    DISORDERED,
    ELEPHANT,
    HIDDEN,
    LIGHT,
    MOVE,
    NOBODY,
    REFORM,
    ROME,
    STAND,
    MetaurusState,
    Roster,
    Unit,
    group_of,
    make_room,
    order_of,
    other,
    places,
)

WHOLE = 100.0  # all that a side needs for its victory
DISORDER = 0.35  # of a unit's worth
AGAIN = 0.2  # of a unit's worth, by a counter-attack
NOW = 0.8  # of what an attack may be expected to bring that can still be made this turn ...
LATER = 0.4  # ... and of one that cannot, if it is worth making
MINOR = 2.0  # a unit that does not count
APPROACH = (0.35, 0.45)  # a hex nearer to the enemy, by side
SOUTHWARD = 0.2  # a row nearer to the southern edge
FACING = 0.08  # a hex by which the front is farther from the enemy than it could be
EXPOSED = 0.06  # of a unit's worth, a flank or rear hex that an enemy can reach
LESSER = 0.5  # of what Carthage has done towards the victory that it is farther from
ADVANCING = (0.0, 1.6, 1.2, 0.6)  # what Move to Attack promises a unit, by the way to the enemy
BOTH = 5.0  # to have tried two orders at once, after which legions may be idle
BEGUN = 0.01  # to have taken a unit rather than none
FAR = 10
MOST_GAINS, MOST_ORDERS, MOST_GROUNDS = 20_000, 500, 50  # that are kept of a battle
NOTHING = ((0.0,) * (FAR + 1),) * 2

Spot = tuple[int, float, tuple[int, ...]]
"""The way to the enemy, what it is worth to stand so, and the flank and rear hexes that enemies can reach."""
Promises = tuple[tuple[float, ...], ...]
"""What an order promises a unit, by whether it is in disorder and by the way to the enemy."""
Laid = tuple[tuple[int, ...], tuple[bool, ...], tuple[Promises, ...]]
"""By unit: its order, whether this lets it attack this turn yet, and what it promises."""
Blow = tuple[int, int, float, int]
"""An attacker, the side of the victim that it strikes, what it brings alone, and what is added to its die."""


def evaluate(state: MetaurusState, seat: int) -> float:
    """Good for ``seat`` is positive.  Both sides are weighed; of plans only his own are known."""
    kept = state.roster.kept
    known: Known = kept.get("outlook") or kept.setdefault("outlook", Known(state))
    laid, ground = known.orders(state), known.ground(state, seat)
    decision = state.todo[-1] if state.todo else None
    if isinstance(decision, Turning) and decision.seat == seat and state.cell[decision.unit] >= 0:
        before = state.facing[decision.unit]
        state.facing[decision.unit] = _best_facing(state, decision.unit, known, laid, ground)
        value = _position(state, seat, known, laid, ground)
        state.facing[decision.unit] = before
        return value
    value = _position(state, seat, known, laid, ground)
    if isinstance(decision, Marching):
        value += BEGUN if decision.seat == seat else -BEGUN
    return value


def worth(roster: Roster, unit: Unit) -> float:
    """What its loss brings the enemy."""
    if unit.side == ROME:
        return WHOLE / roster.goals.carthage
    return MINOR if unit.arm in (ELEPHANT, LIGHT) else WHOLE / roster.goals.rome


def _best_facing(state: MetaurusState, i: int, known: Known, laid: Laid, ground: Ground) -> int:
    """A unit that has still to choose its facing will turn to whom it strikes best, or to the next enemy."""
    cell, prey, at = state.cell[i], known.prey[i], state.at
    if ground.near(cell) > 2:  # it hardly matters
        return state.facing[i]
    best, most = ground.front(cell), 0.0
    if state.near[other(ground.side) * ground.grid.size + cell]:
        for k, there in enumerate(ground.grid.neighbours[cell]):
            if there != OFF and at[there] in prey:
                gain = known.blow(state, i, at[there], laid[0])[2]
                if gain > most:
                    best, most = k, gain
    return best


def _position(state: MetaurusState, seat: int, known: Known, laid: Laid, ground: Ground) -> float:
    lead = _lead(state)
    value = lead if seat == ROME else -lead
    return value + _own(state, known, laid, ground) - _theirs(state, other(seat), known, laid)


def _lead(state: MetaurusState) -> float:
    """M5.roman M5.carthage.1 M5.carthage.2: how much nearer Rome is to its victory; and M3.two_orders.1."""
    goals, (rome, carthage), exits = state.roster.goals, state.killed, state.exits
    value = WHOLE * (rome / goals.rome - carthage / goals.carthage)
    if exits:
        killed, led = carthage / goals.carthage, exits / goals.exits
        value += WHOLE * (killed - max(killed, led) - LESSER * min(killed, led))
    return value - BOTH if state.tried else value


def _own(state: MetaurusState, known: Known, laid: Laid, ground: Ground) -> float:
    """Disorder, what may be struck, where everybody stands, bare flanks, and orders not yet carried out."""
    where, facing, flags, at, promises = state.cell, state.facing, state.flags, state.at, laid[2]
    value, close = 0.0, []
    for i in state.roster.of[ground.side]:
        cell = where[i]
        if cell >= 0:
            disorder = flags[i] & DISORDERED
            near, stands, bare = ground[cell * SIDES + facing[i]]
            value += stands + promises[i][disorder][near]
            if disorder:
                value -= known.lost[i]
            if near == 1:
                close.append(i)
            for there in bare:
                if at[there] == NOBODY:
                    value -= known.risk[i]
    return value + _strikes(state, close, known, laid) if close else value


def _theirs(state: MetaurusState, side: int, known: Known, laid: Laid) -> float:
    """Disorder, and what may be struck."""
    where, flags, near, value, close = state.cell, state.flags, state.near, 0.0, []
    foes = other(side) * state.roster.grid.size
    for i in state.roster.of[side]:
        cell = where[i]
        if cell >= 0:
            if flags[i] & DISORDERED:
                value -= known.lost[i]
            if near[foes + cell]:
                close.append(i)
    return value + _strikes(state, close, known, laid) if close else value


def _strikes(state: MetaurusState, close: list[int], known: Known, laid: Laid) -> float:
    """What the attacks of these units may be expected to bring, each made once, together or alone."""
    engaged = {i for pair in state.links for i in pair} if state.links else ()
    flags, at, where, around = state.flags, state.at, state.cell, state.roster.grid.neighbours
    blow, (orders, ready, _), value = known.blow, laid, 0.0
    attacks: dict[int, list[Blow]] = {}  # by victim, and whether they will be made this turn
    for i in close:
        prey, best, victim = known.prey[i], None, NOBODY
        for cell in around[where[i]]:
            j = at[cell] if cell != OFF else NOBODY
            if j in prey:
                found = blow(state, i, j, orders)
                if best is None or found[2] > best[2]:
                    best, victim = found, j
        if best is not None:
            now = (ready[i] or i in engaged) and not flags[i] & ATTACKED
            attacks.setdefault(2 * victim + now, []).append(best)
    for key, blows in attacks.items():
        gain = blows[0][2] if len(blows) == 1 else known.together(state, key // 2, blows)
        if key % 2:
            value += NOW * gain
        elif gain > 0:
            value += LATER * gain
    return value


# --- what is reckoned once -----------------------------------------------------------------------


class Known:
    """What never changes in a battle, and what was found already and will be asked again."""

    def __init__(self, state: MetaurusState) -> None:
        roster, units = state.roster, state.roster.units
        self.worth = [worth(roster, unit) for unit in units]
        self.lost = [DISORDER * value for value in self.worth]  # by disorder
        self.prey = [
            {j for j in roster.of[other(unit.side)] if can_fight(state, i, j)} for i, unit in enumerate(units)
        ]
        self.promises = [
            [_promises(unit, order, left) for order in range(HIDDEN + 1)]
            for unit, left in zip(units, self.lost, strict=True)
        ]
        self.risk = [EXPOSED * value for value in self.worth]
        self.blows: dict[tuple[int, ...], Blow] = {}
        self.laid: dict[tuple[int, ...], Laid] = {}
        self.grounds: dict[tuple[int, tuple[int, ...]], Ground] = {}

    def orders(self, state: MetaurusState) -> Laid:
        """The order of each unit, and what it promises as long as its group has not been activated."""
        acting: tuple[int, ...] = ()
        for step in state.todo[:-5:-1]:
            if type(step) is Combats:
                acting = step.force.groups
                break
        key = (*state.order, *state.held, *state.done, *acting)
        found = self.laid.get(key)
        if found is None:
            make_room(self.laid, MOST_ORDERS)
            groups = [group_of(state, i) for i in range(len(state.cell))]
            orders = tuple(order_of(state, i) for i in range(len(state.cell)))
            ready = tuple(
                order in (ATTACK, ADVANCE) and (not state.done[g] or g in acting)
                for g, order in zip(groups, orders, strict=True)
            )
            promises = tuple(
                NOTHING if state.done[g] else self.promises[i][order]
                for i, (g, order) in enumerate(zip(groups, orders, strict=True))
            )
            found = self.laid[key] = orders, ready, promises
        return found

    def ground(self, state: MetaurusState, side: int) -> Ground:
        """The map as ``side`` sees it while no enemy moves."""
        key = (side, places(state, other(side)))
        found = self.grounds.get(key)
        if found is None:
            make_room(self.grounds, MOST_GROUNDS)
            found = self.grounds[key] = Ground(state.roster, *key)
        return found

    def blow(self, state: MetaurusState, i: int, j: int, orders: tuple[int, ...]) -> Blow:
        """What an attack may be expected to bring."""
        where, flags = state.cell, state.flags
        mine, theirs = flags[i] & DISORDERED, flags[j] & DISORDERED
        key = (i, j, where[i], where[j], state.facing[j], mine, theirs, orders[i], orders[j])
        found = self.blows.get(key)
        if found is None:
            make_room(self.blows, MOST_GAINS)
            seen = angle(state.facing[j], state.roster.grid.direction(where[j], where[i]))
            added = total(state, i, j)
            found = self.blows[key] = i, seen, self._gain(state, i, j, added), added
        return found

    def together(self, state: MetaurusState, j: int, blows: list[Blow]) -> float:
        """What several attackers of one unit may be expected to bring: in one combat or each for himself."""
        best = sum([blow[2] for blow in blows], 0.0)
        if len({blow[1] for blow in blows}) > 1:
            for i, seen, _, added in blows:
                best = max(best, self._gain(state, i, j, added - ANGLE[seen] + COMBINED))
        return min(best, self.worth[j])

    def _gain(self, state: MetaurusState, i: int, j: int, added: int) -> float:
        units, flags = state.roster.units, state.flags
        mine, theirs = flags[i] & DISORDERED, flags[j] & DISORDERED
        hurt, harm = _brings(added, units[i].morale, units[j].morale, mine, theirs)
        return hurt * self.worth[j] - harm * self.worth[i]


class Ground(dict[int, Spot]):
    """What each hex and facing is worth while no enemy moves, found when a unit first stands so."""

    def __init__(self, roster: Roster, side: int, foes: tuple[int, ...]) -> None:
        self.grid, self.side = roster.grid, side
        self.foes = [cell for cell in foes if cell >= 0]
        self.ways: dict[int, int] = {OFF: FAR}
        self.fronts: dict[int, int] = {}

    def __missing__(self, spot: int) -> Spot:
        cell, facing = divmod(spot, SIDES)
        around, near = self.grid.neighbours[cell], self.near(cell)
        ahead = min(self.near(around[facing]), self.near(around[(facing + 1) % SIDES]))
        value = -APPROACH[self.side] * near - FACING * ahead
        if self.side == CARTHAGE:
            value += SOUTHWARD * self.grid.row(cell)
        bare: tuple[int, ...] = ()
        if near <= 2:
            sides = [around[(facing + k) % SIDES] for k in range(2, SIDES)]
            bare = tuple([side for side in sides if self.near(side) == 1])
        found = self[spot] = near, value, bare
        return found

    def front(self, cell: int) -> int:
        """The facing that brings the front nearest to the enemy."""
        found = self.fronts.get(cell)
        if found is None:
            ways = [self.near(there) for there in self.grid.neighbours[cell]]
            pairs = [sorted((ways[k], ways[(k + 1) % SIDES])) for k in range(SIDES)]
            found = self.fronts[cell] = pairs.index(min(pairs))
        return found

    def near(self, cell: int) -> int:
        """How far the next enemy is."""
        found = self.ways.get(cell)
        if found is None:
            row = self.grid.distances[cell]
            found = self.ways[cell] = min([FAR, *[row[foe] for foe in self.foes]])
        return found


@cache
def _brings(added: int, attacker: int, defender: int, mine: int, theirs: int) -> tuple[float, float]:
    """M4.crt: what part of its worth the defender and the attacker may be expected to lose.

    ``mine`` and ``theirs``: the attacker and the defender are in disorder.
    """
    step = (DISORDER, 1 - DISORDER)
    hurt = harm = 0.0
    for face in range(10):
        result = clamp(face + added)
        if result <= 2:
            harm += step[mine] + (AGAIN if result == 1 and not mine else 0.0)
        elif result == 3:
            harm += step[mine] * (9 - attacker) / 10
        elif result in (6, 7):
            hurt += step[theirs] * (9 - defender) / 10
        elif result >= 8:
            hurt += step[theirs]
            if result == 9 and not theirs:
                more, back = _brings(added, attacker, defender, mine, 1)
                if more > back:
                    hurt, harm = hurt + more, harm + back
    return hurt / 10, harm / 10


def _promises(unit: Unit, order: int, left: float) -> Promises:
    ways = range(FAR + 1)
    return tuple(tuple(_promise(unit, order, near, lost) for near in ways) for lost in (0.0, left))


def _promise(unit: Unit, order: int, near: int, disorder: float) -> float:
    """What an order promises a unit; ``disorder`` is what its disorder costs it, if it is in disorder."""
    step = APPROACH[unit.side]
    if order == MOVE:
        return step * min(unit.move, near - 2) * 0.9 if near > 2 else -0.8
    if order == ADVANCE:
        return ADVANCING[near] if near < 4 else step * 0.9
    if order == ATTACK:
        return 0.3 if near == 1 else 0.0
    if order == STAND:
        return 0.5 if near <= 2 else 0.1
    if order == REFORM and disorder:
        return disorder * (unit.morale + 1) / 10 - (0.9 if near == 1 else 0.0)
    return -0.4 if near <= 2 else -0.1
