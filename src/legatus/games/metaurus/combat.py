"""4 Combat: who may strike whom, modifiers, and what the die brings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from ...kernel.model import Term
from ...parts.hexes import FLANK, FRONT, OFF, REAR, SIDES, turn
from .facing import Advance
from .force import Force
from .orders import reveal_attacked
from .retreat import Fallback
from .state import (
    ADVANCE,
    ARMS,
    ATTACK,
    ATTACKED,
    DIE,
    DISORDERED,
    HIDDEN,
    LIGHT,
    MOVE,
    ORDERS,
    REFORM,
    SEATS,
    STAND,
    MetaurusState,
    engage,
    engagers,
    order_of,
    other,
    sees,
    touches_enemy,
    unit_of,
)
from .victory import disorder

# M4.matrix: what is added to the attacker's die, by attacker and defender; a pair that is not here is N/A.
MATRIX: dict[tuple[str, str], int] = {
    ("EL", "CAV"): 3,
    ("EL", "LEGION"): 1,
    ("CAV", "CAV"): 0,
    ("CAV", "LEGION"): -1,
    ("CAV", "HI"): -1,
    ("CAV", "MI"): 0,
    ("CAV", "LI"): 3,
    ("LEGION", "EL"): -2,
    ("LEGION", "CAV"): 1,
    ("LEGION", "HI"): 0,
    ("LEGION", "MI"): 1,
    ("LEGION", "LI"): 4,
    ("HI", "CAV"): 1,
    ("HI", "LEGION"): -1,
    ("MI", "CAV"): 1,
    ("MI", "LEGION"): -2,
}
RESULTS = (1, 2, 3, 5, 7, 8, 9)  # M4.crt: the highest number of each result
LOWEST, HIGHEST = 1, 9
ANGLE = {FRONT: 0, FLANK: 2, REAR: 3}
COMBINED = 4
CRT = {
    1: "M4.crt.1",
    2: "M4.crt.2",
    3: "M4.crt.3",
    4: "M4.crt.4_5",
    5: "M4.crt.4_5",
    6: "M4.crt.6_7",
    7: "M4.crt.6_7",
    8: "M4.crt.8",
    9: "M4.crt.9",
}
CLAUSES = {STAND: "M2.stand.1", MOVE: "M2.move.1", REFORM: "M2.reform.1"}


# --- who may strike whom -------------------------------------------------------------------------


def can_fight(state: MetaurusState, i: int, j: int) -> bool:
    """M4.matrix.na M4.matrix.no_li: whether the arms allow ``i`` to attack ``j``."""
    units = state.roster.units
    return (units[i].arm, units[j].arm) in MATRIX


def bound_targets(state: MetaurusState, i: int) -> list[int]:
    """M2.engaged_must: the engagers of a unit that it can attack; while there are some, it must."""
    if not state.links:
        return []
    return [j for j in engagers(state, i) if can_fight(state, i, j)]


def lawful_targets(state: MetaurusState, i: int) -> list[int]:
    """Those whom a unit must attack one of, in whichever hex around it they stand (MH3.attack_front).

    M2.engaged_must: its engagers, whatever its order.  M2.attack.2: under Attack and Move to Attack every
    adjacent enemy that the arms allow.  MH5.one_combat: once an activation.
    """
    if state.flags[i] & ATTACKED:
        return []
    bound = bound_targets(state, i)
    if bound:
        return bound
    side, cell = state.roster.units[i].side, state.cell[i]
    if not touches_enemy(state, side, cell) or order_of(state, i) not in (ATTACK, ADVANCE):
        return []
    around = [state.at[there] for there in state.roster.grid.neighbours[cell] if there != OFF]
    return [j for j in around if j >= 0 and state.roster.units[j].side != side and can_fight(state, i, j)]


def pivot(state: MetaurusState, i: int, j: int) -> tuple[int, int]:
    """MH3.attack_front: by how many corners a unit must turn to face a neighbour, and its facing then."""
    direction = state.roster.grid.direction(state.cell[i], state.cell[j])
    facings = (direction, (direction - 1) % SIDES)
    return min((turn(state.facing[i], facing), facing) for facing in facings)


def turn_to(play: Play, i: int, target: int) -> None:
    """MH3.attack_front: an attacker turns to its enemy, by as few corners as needed."""
    state: MetaurusState = play.state
    turned, facing = pivot(state, i, target)
    if turned:
        state.facing[i] = facing
        play.tell("MH3.attack_front", "event.pivots", unit=state.roster.units[i].id)


# --- modifiers -----------------------------------------------------------------------------------


def modifiers(state: MetaurusState, lead: int, target: int, support: tuple[int, ...] = ()) -> Iterator[Term]:
    """M4.roll MH6.lead: all that is added to the die of an attack, each with its clause."""
    roster = state.roster
    attacker, defender = roster.units[lead], roster.units[target]
    arm = MATRIX[attacker.arm, defender.arm]
    yield Term("M4.matrix", "term.arms", arm, {"attacker": attacker.arm, "defender": defender.arm})
    if state.flags[lead] & DISORDERED:
        yield Term("M4.mod.disorder", "term.disorder", -2)
    order = order_of(state, target)
    if order == STAND:
        yield Term("M4.mod.order_stand", "term.stand", -1)
    elif order == MOVE:
        yield Term("M4.mod.order_move", "term.move", 1)
    elif order == REFORM:
        yield Term("M4.mod.order_reform", "term.reform", 2)
    elif order == HIDDEN:
        yield Term("M2.reveal", "term.hidden", 0)
    if order_of(state, lead) == ADVANCE:  # M2.mta.2; M2.attack.3: Attack adds nothing
        yield Term("M4.mod.order_mta", "term.advance", 1)
    yield from _angle(state, target, (lead, *support))
    here, there = state.cell[lead], state.cell[target]
    if there in roster.wooded:
        yield Term("M4.mod.forest", "term.forest", -1)
    if roster.levels[there] > roster.levels[here]:
        yield Term("M4.mod.def_up", "term.higher", -1)
    elif roster.levels[there] < roster.levels[here]:
        yield Term("M4.mod.att_up", "term.lower", 1)
    if (here, there) in roster.river:
        yield Term("M4.mod.river", "term.river", -1)


def _angle(state: MetaurusState, target: int, attackers: tuple[int, ...]) -> Iterator[Term]:
    """M4.mod.flank M4.mod.rear M4.mod.combo: the best one counts, and two different angles are the best."""
    angles = {sees(state, target, state.cell[i]) for i in attackers}
    if len(angles) > 1:
        yield Term("M4.mod.combo", "term.combined", COMBINED)
    elif REAR in angles:
        yield Term("M4.mod.rear", "term.rear", ANGLE[REAR])
    elif FLANK in angles:
        yield Term("M4.mod.flank", "term.flank", ANGLE[FLANK])


def total(state: MetaurusState, lead: int, target: int, support: tuple[int, ...] = ()) -> int:
    return sum(term.value for term in modifiers(state, lead, target, support))


def clamp(number: int) -> int:
    """M4.crt: below 1 counts as 1, above 9 as 9."""
    return max(LOWEST, min(number, HIGHEST))


# --- announcing ----------------------------------------------------------------------------------


class Attack(Action):
    """MH5.one_combat MH6.lead: ``lead`` attacks ``target``, with ``support`` in the same combat."""

    weighed = True

    def __init__(self, lead: str, target: str, support: tuple[str, ...] = ()) -> None:
        self.lead: Final = lead
        self.target: Final = target
        self.support: Final = support

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        decision = state.decision
        if not isinstance(decision, Combats):
            return
        target = unit_of(state, other(decision.seat), self.target)
        if target < 0:
            yield Refusal("MH5.one_combat", "refusal.no_such_enemy", {"unit": self.target})
        for name in (self.lead, *self.support):
            i = unit_of(state, decision.seat, name)
            if i < 0:
                yield Refusal("M2.scope", "refusal.not_yours", {"unit": name})
            elif not decision.force.has(state, i):
                yield Refusal("MH5.one_combat", "refusal.not_in_force", {"unit": name})
            elif target >= 0 and target not in lawful_targets(state, i):
                yield from _unlawful(state, i, target)
        if len({self.lead, *self.support}) <= len(self.support):
            yield Refusal("MH5.one_combat", "refusal.twice")

    def perform(self, play: Play) -> None:
        state: MetaurusState = play.state
        index = state.roster.index
        lead, target = index[self.lead], index[self.target]
        support = tuple(index[name] for name in self.support)
        play.then(play.taken)
        for i in (lead, *support):
            state.flags[i] |= ATTACKED
            turn_to(play, i, target)
        announce(play, lead, target, support)

    def terms(self, state: MetaurusState) -> list[Term]:
        index = state.roster.index
        support = tuple(index[name] for name in self.support)
        return list(modifiers(state, index[self.lead], index[self.target], support))


def _unlawful(state: MetaurusState, i: int, target: int) -> Iterator[Refusal]:
    """Every reason why one unit may not attack another."""
    units = state.roster.units
    unit, foe = units[i].id, units[target].id
    if units[i].arm == LIGHT:
        yield Refusal("M4.matrix.no_li", "refusal.light", {"unit": unit})
    elif not can_fight(state, i, target):
        yield Refusal("M4.matrix.na", "refusal.not_applicable", {"unit": unit, "target": foe})
    if state.flags[i] & ATTACKED:
        yield Refusal("MH5.one_combat", "refusal.attacked", {"unit": unit})
        return
    bound = bound_targets(state, i)
    if bound:
        yield Refusal("M2.engaged_must", "refusal.engaged_elsewhere", {"unit": unit})
        return
    order = order_of(state, i)
    if order in CLAUSES:
        yield Refusal(CLAUSES[order], "refusal.no_attack_order", {"unit": unit, "order": ORDERS[order]})
    if sees(state, i, state.cell[target]) == OFF:
        yield Refusal("MH3.attack_front", "refusal.not_adjacent", {"unit": unit, "target": foe})


class Combats(Decision):
    """M4.after_moves M2.attack.2 M2.engaged_must: attacks are made until none is due any more."""

    clause = "M2.attack.2"
    accepts = (Attack,)

    def __init__(self, seat: int, force: Force) -> None:
        super().__init__(seat)
        self.force: Final = force

    def prompt(self, state: MetaurusState) -> Message:
        return Message("prompt.combats", {"side": SEATS[self.seat], "groups": self.force.names(state)})

    def is_moot(self, state: MetaurusState) -> bool:
        return not any(lawful_targets(state, i) for i in self.force.units(state))

    def candidates(self, state: MetaurusState) -> list[Action]:
        by_target: dict[int, list[int]] = {}
        for i in self.force.units(state):
            for j in lawful_targets(state, i):
                by_target.setdefault(j, []).append(i)
        units = state.roster.units
        return [
            Attack(units[lead].id, units[target].id, tuple(units[i].id for i in support))
            for target, attackers in by_target.items()
            for lead in attackers
            for n in range(len(attackers))
            for support in combinations([i for i in attackers if i != lead], n)
        ]


def announce(play: Play, lead: int, target: int, support: tuple[int, ...] = ()) -> None:
    """M2.reveal M3.retreat.1: the defender's order is turned up, he may fall back, then the dice fall."""
    state: MetaurusState = play.state
    units = state.roster.units
    one, foe = units[lead].id, units[target].id
    if support:
        others = tuple(units[i].id for i in support)
        play.tell("MH6.lead", "event.attack_with", lead=one, target=foe, support=others)
    else:
        play.tell("MH5.one_combat", "event.attack", lead=one, target=foe)
    reveal_attacked(play, target)
    if state.roster.groups[units[target].group].gallic:
        state.provoked = True
    play.then(Fallback(units[target].side, target, lead), Clash(lead, target, support))


# --- the die -------------------------------------------------------------------------------------


class Clash(Step):
    """M4.roll: one die for one combat, if the defender is still there."""

    def __init__(self, lead: int, target: int, support: tuple[int, ...] = ()) -> None:
        self.lead: Final = lead
        self.target: Final = target
        self.support: Final = support

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        lead, target, units = self.lead, self.target, state.roster.units
        added = total(state, lead, target, self.support)
        face = play.roll(DIE, *(top - added for top in RESULTS[:-1]), low=0)
        result = clamp(face + added)
        play.tell(CRT[result], "event.result", face=face, added=f"{added:+}", result=result)
        if state.roster.rules.lifted and result not in (4, 5):
            _lift(play, target, (lead, *self.support))
        hex_before = state.cell[target]
        if result <= 2:
            disorder(play, lead, CRT[result])
            if result == 1:
                _counter(play, target, lead)
        elif result == 3:
            check_morale(play, lead, CRT[result])
        elif result <= 5:
            for i in (lead, *self.support):
                engage(state, i, target)
            attackers = tuple(units[i].id for i in (lead, *self.support))
            play.tell(CRT[result], "event.engaged", attackers=attackers, target=units[target].id)
        elif result <= 7:
            check_morale(play, target, CRT[result])
        else:
            disorder(play, target, CRT[result])
            if result == 9:
                play.then(AgainChoice(units[lead].side, lead, target, self.support))
        if state.cell[target] < 0:
            play.then(Advance(lead, hex_before))


def check_morale(play: Play, i: int, clause: str) -> None:
    """M0.counters.1 M4.crt.3 M4.crt.6_7: a roll above its morale disorders a unit."""
    unit = play.state.roster.units[i]
    face = play.roll(DIE, unit.morale, low=0)
    passed = face <= unit.morale
    key = "event.holds" if passed else "event.wavers"
    play.tell("M0.counters.1", key, unit=unit.id, face=face, morale=unit.morale)
    if not passed:
        disorder(play, i, clause)


def _lift(play: Play, target: int, attackers: tuple[int, ...]) -> None:
    """M4.crt.4_5, the variant: any other result between two ends their engagement."""
    state: MetaurusState = play.state
    for i in attackers:
        if target in engagers(state, i):
            state.links.remove((min(i, target), max(i, target)))
            units = state.roster.units
            play.tell("M4.crt.4_5", "event.lifted", unit=units[i].id, target=units[target].id)


def _counter(play: Play, defender: int, lead: int) -> None:
    """M4.crt.1 MH6.lead: the defender turns to the lead and strikes back at once, alone, if it can."""
    state: MetaurusState = play.state
    if can_strike(state, defender, lead):
        play.tell("M4.crt.1", "event.counter", unit=state.roster.units[defender].id)
        turn_to(play, defender, lead)
        announce(play, defender, lead)


def can_strike(state: MetaurusState, i: int, j: int) -> bool:
    """Whether both are still there, side by side, and the arms allow ``i`` to attack ``j``."""
    if state.cell[i] < 0 or state.cell[j] < 0 or not can_fight(state, i, j):
        return False
    return sees(state, i, state.cell[j]) != OFF


class Again(Action):
    """M4.crt.9: attack again, the same against the same."""

    weighed = True

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        choice: AgainChoice = play.taken
        announce(play, choice.lead, choice.target, choice.still(play.state))

    def terms(self, state: MetaurusState) -> list[Term]:
        choice = state.decision
        assert isinstance(choice, AgainChoice)
        return list(modifiers(state, choice.lead, choice.target, choice.still(state)))


class LetBe(Action):
    """M4.crt.9: leave it at that."""

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        pass


class AgainChoice(Decision):
    """M4.crt.9: the attacker may attack again."""

    clause = "M4.crt.9"
    accepts = (Again, LetBe)

    def __init__(self, seat: int, lead: int, target: int, support: tuple[int, ...]) -> None:
        super().__init__(seat)
        self.lead: Final = lead
        self.target: Final = target
        self.support: Final = support

    def still(self, state: MetaurusState) -> tuple[int, ...]:
        """The supporters that can still strike."""
        return tuple(i for i in self.support if can_strike(state, i, self.target))

    def prompt(self, state: MetaurusState) -> Message:
        units = state.roster.units
        return Message("prompt.again", {"lead": units[self.lead].id, "target": units[self.target].id})

    def is_moot(self, state: MetaurusState) -> bool:
        return not can_strike(state, self.lead, self.target)

    def candidates(self, state: MetaurusState) -> list[Action]:
        return [Again(), LetBe()]


assert {arm for pair in MATRIX for arm in pair} == set(ARMS)
