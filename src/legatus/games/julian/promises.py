"""What steps that wait may be expected to bring: dice that lie on the table, losses, attacks declared.

A bot looks at one action; what that action has set going but not resolved is judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from ...kernel import Step
from . import weights
from .activation import Activation, Swayed, Swaying
from .combat import Defence, Gathering, able, defence_factor, die_terms
from .crises import Befalls
from .interphase import Homeward
from .markers import ShowHand, hand_size
from .places import RAIDERS, Escaped
from .prospects import Worth, battle, met
from .pursuit import Pursuit
from .reinforcement import Found, Levy, LotChoice, Raised, Restored, Return
from .results import Delays, Losses, is_field_battle
from .setup import Deployment, waiting
from .state import (
    BARBARIAN,
    IMPERIUM,
    MILITARY,
    NEUTRAL,
    NOBODY,
    ROMAN,
    Battle,
    JulianState,
    counted_plunder,
    other,
    printed,
)
from .stratagems import FREE, FreeMarkers
from .supply import Starved

DEEP = 8  # so many steps are looked at, from the top
DECIDED = 20.0  # more than any combat brings
NEUTRALITY = -3.0  # an attack on those who would have stayed out of it


def promised(state: JulianState, seat: int) -> float:
    """What the steps to come bring that an action has set going."""
    value = 0.0
    for step in reversed(state.todo[-DEEP:]):
        judge = JUDGES.get(type(step))
        if judge is not None:
            side, gain = judge(state, step, seat)
            value += gain if side == seat else -gain
    return value


# --- dice and units ------------------------------------------------------------------------------

Verdict = tuple[int, float]  # a side, and what it gains


def _by_face(state: JulianState, gains: Sequence[float]) -> float:
    """By the die that lies there; one that is thrown again may show anything."""
    return sum(gains) / len(gains) if state.rerolled else gains[state.face - 1]


def _lot(state: JulianState, lot: Sequence[str]) -> float:
    """What units of these kinds are worth on the map."""
    combat: dict[str, int] = state.roster.kept.setdefault(
        "combat", {unit.kind: unit.combat for unit in state.roster.units}
    )
    return sum(combat.get(kind, 0) for kind in lot) * weights.factor(state, BARBARIAN)


def _levy(state: JulianState, step: Any, seat: int) -> Verdict:
    return BARBARIAN, _lot(state, step.lot)


def _lots(state: JulianState, step: Any, seat: int) -> Verdict:
    return BARBARIAN, max(_lot(state, lot) for lot in step.lots)


def _raised(state: JulianState, step: Any, seat: int) -> Verdict:
    raising = state.roster.values.raising
    return BARBARIAN, _by_face(state, [max(_lot(state, lot) for lot in lots) for lots in raising])


def _free_markers(state: JulianState, step: Any, seat: int) -> Verdict:
    return BARBARIAN, _by_face(state, [weights.ANY_MARKER * number for number in FREE])


def _found(state: JulianState, step: Any, seat: int) -> Verdict:
    return BARBARIAN, _by_face(state, (0.0,) * 3 + (weights.LEADER,) * 3)


def _return(state: JulianState, step: Any, seat: int) -> Verdict:
    return BARBARIAN, weights.LEADER / 2


def _escaped(state: JulianState, step: Any, seat: int) -> Verdict:
    return state.side[step.leader], -_by_face(state, (weights.LEADER,) * 2 + (0.0,) * 4)


def _delays(state: JulianState, step: Any, seat: int) -> Verdict:
    return state.side[step.unit], -_by_face(state, (0.0, 0.0, 0.1, 0.1, 0.2, 0.2))


def _starved(state: JulianState, step: Any, seat: int) -> Verdict:
    side = state.side[step.unit]
    worth = state.roster.units[step.unit].combat * weights.factor(state, side)
    return side, -_by_face(state, (worth, worth / 2, 0.0, 0.0, 0.0, 0.0))


def _crisis(state: JulianState, step: Any, seat: int) -> Verdict:
    return ROMAN, _by_face(state, weights.CRISIS)


def _people(state: JulianState, p: int) -> int:
    """The factors of a people on the map."""
    return printed(state, [i for i in state.roster.of_people[p] if state.cell[i] >= 0])


def _swaying(state: JulianState, step: Any, seat: int) -> Verdict:
    """JH.5_9_4: nothing, it goes home, it changes sides."""
    force = _people(state, step.people)
    gains = (0.0, 0.0) + (0.2 * force,) * 2 + (0.45 * force,) * 2
    return step.seat, sum(gains) / 6 if type(step) is Swaying else _by_face(state, gains)


def _restored(state: JulianState, step: Any, seat: int) -> Verdict:
    unit = state.roster.units[state.roster.index[step.unit]]
    return step.seat, 2 * weights.ALLY * unit.combat


def _shown(state: JulianState, step: Any, seat: int) -> Verdict:
    """JS.agentes.1: a bot spies before it acts or not at all."""
    if type(state.todo[state.todo.index(step) - 1]) is not Activation:
        return step.seat, -DECIDED
    unseen = hand_size(state, other(step.seat)) - sum(state.known[step.seat])
    return step.seat, weights.KNOWN * unseen


def _homeward(state: JulianState, step: Any, seat: int) -> Verdict:
    """JH.return: who is not kept goes home."""
    gone = [0, 0]
    for p, ally in enumerate(state.ally):
        if ally != NEUTRAL and not state.called[p]:
            gone[ally] += _people(state, p)
    return seat, weights.ALLY * 2 * (gone[other(seat)] - gone[seat])


def _deployment(state: JulianState, step: Any, seat: int) -> Verdict:
    """JH.setup: who is not placed yet is worth as much as if he were."""
    worth = weights.worth_of(state.roster)
    left = waiting(state, step.seat)
    factors = sum(worth[i] for i in left) * weights.factor(state, step.seat)
    leaders = sum(state.roster.units[i].leader for i in left)
    return step.seat, factors + leaders * weights.LEADER + 0.3


# --- combat --------------------------------------------------------------------------------------


def _losses(state: JulianState, step: Any, seat: int) -> Verdict:
    least = least_loss(state, step.units, step.points)
    return step.seat, -least * weights.factor(state, step.seat)


def least_loss(state: JulianState, units: Sequence[int], points: int) -> float:
    """JC.losses: the least worth that makes up so many points."""
    worth = weights.worth_of(state.roster)
    best = {0: 0.0}
    for i in units:
        for made, cost in list(best.items()):
            more = min(points, made + state.roster.units[i].combat)
            best[more] = min(best.get(more, cost + worth[i]), cost + worth[i])
    return best.get(points, 0.0)


def prizes(state: JulianState, n: int) -> tuple[float, float]:
    """JH.cities: what a city brings to who takes it from its holder, and to who only sacks it."""
    value = state.roster.cities[n].value
    prize = 2 * weights.held(state) * value
    if state.holder[n] == BARBARIAN:
        return prize + weights.RETAKEN * value, 0.0
    room = state.roster.values.most_plunder - counted_plunder(state)
    loot = 0.0 if state.plundered[n] else float(min(value, room))
    sudden = weights.SUDDEN if n in state.roster.values.sudden_cities else 0.0
    return prize + loot + sudden, loot


def _pursuit(state: JulianState, step: Any, seat: int) -> Verdict:
    city = state.roster.city_at.get(step.hex, NOBODY)
    free = city >= 0 and state.holder[city] != step.seat
    return step.seat, 0.9 * prizes(state, city)[0] if free else 0.0


def _gathering(state: JulianState, step: Any, seat: int) -> Verdict:
    """JH.combat: where the die would fall at once, who is held back is held back for a reason, or not."""
    fight = step.battle(state)
    if any(state.side[i] == NEUTRAL for i in fight.defenders):
        return step.seat, NEUTRALITY
    value = expected(state, fight, seat)
    if step.seat == seat and not hand_size(state, other(seat)):
        rest = [i for i in able(state, seat, step.hex) if i not in step.units]
        more = [expected(state, _joined(state, fight, i), seat) for i in rest]
        if more:
            value += DECIDED if value > max(more) + 0.1 else -DECIDED
    return step.seat, value


def _joined(state: JulianState, fight: Battle, i: int) -> Battle:
    attackers, stood = (*fight.attackers, i), (*fight.stood, state.cell[i])
    return Battle(fight.seat, fight.hex, attackers, stood, fight.defenders)


def _defence(state: JulianState, step: Any, seat: int) -> Verdict:
    return step.battle.seat, expected(state, step.battle, seat, (step.doubled,))


def expected(state: JulianState, fight: Battle, seat: int, declared: tuple[bool, ...] = ()) -> float:
    """What an attack may be expected to bring the attacker; ``declared``: with a Military, or without."""
    roster = state.roster
    attacker, foe = fight.seat, other(fight.seat)
    ours, theirs = printed(state, fight.attackers), printed(state, fight.defenders)
    factor = defence_factor(state, foe, fight.hex, fight.attackers)
    added = sum(term.value for term in die_terms(state, fight))
    city = roster.city_at.get(fight.hex, NOBODY)
    prize = 0.0
    if city >= 0 and state.holder[city] == foe:
        captor = any(roster.units[i].kind != RAIDERS for i in fight.attackers)
        prize = prizes(state, city)[not captor]
    worth = worth_to(state, attacker, seat, militaries(state, seat))
    args = (ours, theirs, factor, added, is_field_battle(state, fight), prize, worth)
    return met(*args, int(declared[0])) if declared else battle(*args)


def worth_to(state: JulianState, attacker: int, seat: int, arms: tuple[float, float]) -> Worth:
    """What an attacker counts by, as far as ``seat`` knows the hands; ``arms``: see militaries."""
    own, foe = weights.factor(state, attacker), weights.factor(state, other(attacker))
    return _worth(own, foe, *(arms if attacker == seat else arms[::-1]))


@lru_cache(2_000)
def _worth(own: float, foe: float, helped: float, opposed: float) -> Worth:
    return Worth(own, foe, weights.ANY_MARKER, weights.MARKER[MILITARY], helped, opposed)


def militaries(state: JulianState, seat: int) -> tuple[float, float]:
    """How likely a seat and the other hold a Military, by what the seat can know."""
    return _has_military(state, seat), _may_have_military(state, seat)


def _has_military(state: JulianState, seat: int) -> float:
    hand = state.hands[seat]
    return float(hand[MILITARY] > 0 or (hand[IMPERIUM] > 0 and not state.imperium[seat]))


def _may_have_military(state: JulianState, seat: int) -> float:
    known, hand, pool = state.known[seat], state.hands[other(seat)], state.pool
    unseen = sum(hand) - sum(known)
    if known[MILITARY] or unseen <= 0:
        return float(known[MILITARY] > 0)
    hidden = pool[MILITARY] + hand[MILITARY]
    return round(1 - (1 - hidden / (sum(pool) + unseen)) ** unseen, 2)


Judge = Callable[[JulianState, Any, int], Verdict]
JUDGES: dict[type[Step], Judge] = {
    Levy: _levy,
    LotChoice: _lots,
    Raised: _raised,
    FreeMarkers: _free_markers,
    Found: _found,
    Return: _return,
    Escaped: _escaped,
    Delays: _delays,
    Starved: _starved,
    Befalls: _crisis,
    Swaying: _swaying,
    Swayed: _swaying,
    Restored: _restored,
    ShowHand: _shown,
    Homeward: _homeward,
    Deployment: _deployment,
    Losses: _losses,
    Pursuit: _pursuit,
    Gathering: _gathering,
    Defence: _defence,
}
