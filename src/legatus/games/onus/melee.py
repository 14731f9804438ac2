"""13 Melee: who fights whom, who strikes first, blows, and morale."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step, Term, Values
from ...parts.plane import Pose
from .aftermath import After
from .cards import MELEE
from .combat import Aim, Combat, CombatOver, RandomEvent, event_morale, has, strike, total
from .contact import angle_of, faces, in_contact, is_across, is_optional, on_one_level, opponents
from .modifiers import against, attack_terms, defence_of, defence_terms, dice_of, formation_of, has_priority
from .morale import MoraleCheck, destroy, disturb, wound
from .orders import Done, Unfinished
from .pieces import unit_named
from .ramparts import beneath, opposite
from .rams import Batter, batterings, bears
from .state import (
    DOUSED,
    FOUGHT,
    INSIDE,
    LOST,
    MOUNTED,
    NO_FORMATION,
    NOBODY,
    PHALANX,
    RAMMED,
    SEATS,
    OnusState,
    other,
)
from .table import at_truce, units_on

# --- who fights ----------------------------------------------------------------------------------


def fight_bars(state: OnusState, i: int, j: int) -> Iterator[Refusal]:
    """What keeps a unit from attacking an enemy in melee."""
    units = state.roster.units
    names: Values = {"unit": units[i].id, "target": units[j].id}
    if not in_contact(state, i, j):
        facing = any(opposite(state, i, j)[0]) or any(opposite(state, j, i)[0])
        if facing:  # O4.wall.ranged-while-facing
            yield Refusal("O2.melee-same-height", "refusal.not_level", names)
        else:
            yield Refusal("OH.contact.1", "refusal.not_touching_enemy", {"unit": units[j].id})
    elif not on_one_level(state, i, j):
        yield Refusal("O2.melee-same-height", "refusal.not_level", names)
    if at_truce(state, i, j):
        yield Refusal("OH.melee.9", "refusal.withdrawn", names)
    if state.fleeing[i]:
        yield Refusal("OH.flight.1", "refusal.fleeing", {"unit": units[i].id})
    if MOUNTED in units[i].kind.traits and state.where[j] == INSIDE:
        yield Refusal("O2.cavalry.no-assault", "refusal.no_storming", names)
    if state.flags[i] & RAMMED and is_across(state, i, j):
        yield Refusal("O4.gate.example-ram", "refusal.busy", {"unit": units[i].id})


def is_voluntary(state: OnusState, i: int, j: int) -> bool:
    """O4.gate.example-ram: who has a ram may go on with it instead of fighting through the gate."""
    return is_optional(state, i, j) or (bears(state, i) and is_across(state, i, j))


def pairs(state: OnusState, seat: int) -> list[tuple[int, int]]:
    """OH.turn.4: the units of the active side with the enemies whom they can attack."""
    own = [i for i in units_on(state, seat) if not state.fleeing[i]]
    found = [(i, j) for i in own for j in opponents(state, i)]
    return [pair for pair in found if not any(fight_bars(state, *pair))]


class Engage(Action):
    """OH.melee.2: a pair in contact fights."""

    weighed = True

    def __init__(self, unit: str, target: str) -> None:
        self.unit: Final = unit
        self.target: Final = target

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        fights = state.decision
        if not isinstance(fights, Fights):
            return
        i = unit_named(state, fights.seat, self.unit)
        j = unit_named(state, other(fights.seat), self.target)
        if i < 0:
            yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": self.unit})
        if j < 0:
            yield Refusal("OH.melee.2", "refusal.no_such_enemy", {"unit": self.target})
        if i < 0 or j < 0:
            return
        if (i, j) in fights.fought:
            yield Refusal("OH.melee.2", "refusal.fought", {"unit": self.unit})
        yield from fight_bars(state, i, j)

    def terms(self, state: OnusState) -> list[Term]:
        """What is added to the hit die: for the attacker, and against him what covers the target."""
        i, j = (state.roster.index.get(name, NOBODY) for name in (self.unit, self.target))
        if min(i, j) < 0:
            return []
        return [*attack_terms(state, i, j), *against(defence_terms(state, i, j))]

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        fights: Fights = play.taken
        i, j = state.roster.index[self.unit], state.roster.index[self.target]
        play.tell("OH.melee.2", "event.engages", unit=self.unit, target=self.target)
        combat = Combat(MELEE, i, j)
        left = Fights(fights.seat, (*fights.fought, (i, j)))
        play.then(RandomEvent(combat), Clash(combat), CombatOver(), left)


Pairs = tuple[tuple[int, int], ...]


class Fights(Unfinished):
    """OH.turn.4 OH.combat.1 O4.wall.example-two-fights: all engaged fight, in the order that one likes."""

    clause = "OH.turn.4"
    accepts = (Engage, Batter, Done)

    def __init__(self, seat: int, fought: Pairs = ()) -> None:
        super().__init__(seat)
        self.fought: Final = fought

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.fights", {"side": SEATS[self.seat]})

    def left(self, state: OnusState) -> list[tuple[int, int]]:
        return [pair for pair in pairs(state, self.seat) if pair not in self.fought]

    def is_moot(self, state: OnusState) -> bool:
        return not self.left(state) and not any(batterings(state, self.seat))

    def duties(self, state: OnusState) -> Iterator[Refusal]:
        """OH.turn.4: who is engaged fights, like it or not."""
        units = state.roster.units
        for i, j in self.left(state):
            if not is_voluntary(state, i, j):
                names = {"unit": units[i].id, "target": units[j].id}
                yield Refusal("OH.turn.4", "refusal.must_fight", {**names})

    def candidates(self, state: OnusState) -> list[Action]:
        units = state.roster.units
        found: list[Action] = [Engage(units[i].id, units[j].id) for i, j in self.left(state)]
        return [*found, *batterings(state, self.seat), Done()]


# --- blows ---------------------------------------------------------------------------------------


class Clash(Step):
    """OH.melee.2 OH.melee.5 OH.melee.6: who strikes first.

    O4.trench.simultaneous: both at once if both have priority; the active player's unit if nobody has.
    """

    def __init__(self, combat: Combat) -> None:
        self.combat: Final = combat

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        combat = self.combat
        i, j = combat.attacker, combat.target
        if LOST in (state.where[i], state.where[j]):
            return
        under = tuple(beneath(state, i)), tuple(beneath(state, j))
        after = After(i, j, _place(state, i), _place(state, j), under)
        rest = after, *(Anew(j, i, k) for k in under[0]), *(Anew(i, j, k) for k in under[1])
        mine, theirs = has_priority(state, i, j), has_priority(state, j, i)
        if state.flags[i] & DOUSED:  # O6.extinguish.nothing-else
            play.then(Blow(combat, j, i), *rest)
        elif state.fleeing[j]:  # OH.flight.2
            play.then(Blow(combat, i, j), *rest)
        elif mine and theirs:
            aims = aim(state, i, j), aim(state, j, i)
            first, second = blow(play, i, j, aims[0]), blow(play, j, i, aims[1])
            play.then(*rest)
            hurt(play, combat, i, j, second)
            hurt(play, combat, j, i, first)
        elif theirs:
            play.then(Blow(combat, j, i), Blow(combat, i, j), *rest)
        else:
            play.then(Blow(combat, i, j), Blow(combat, j, i), *rest)


def _place(state: OnusState, i: int) -> tuple[int, Pose]:
    """Where a unit is: the structure that it holds, or -1, and its pose."""
    return (state.inside[i] if state.where[i] == INSIDE else NOBODY), state.pose[i]


class Anew(Step):
    """O4.overlap.new-combat: at once a combat with who lay beneath, with new events.

    O4.overlap.broken-below: if the unit on top of him has fled, he is broken.
    """

    def __init__(self, winner: int, loser: int, below: int) -> None:
        self.winner: Final = winner
        self.loser: Final = loser
        self.below: Final = below

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i, k = self.winner, self.below
        beaten = state.where[self.loser] == LOST or state.fleeing[self.loser]
        if not beaten or LOST in (state.where[i], state.where[k]) or state.fleeing[i]:
            return
        if state.fleeing[self.loser]:
            disturb(play, k, "O4.overlap.broken-below")
        if state.roster.units[i].side != state.active:
            i, k = k, i
        if not in_contact(state, i, k) or not on_one_level(state, i, k):
            return
        units, combat = state.roster.units, Combat(MELEE, i, k)
        play.tell("O4.overlap.new-combat", "event.engages", unit=units[i].id, target=units[k].id)
        settle(state, lambda fought: (*fought, (i, k)))
        play.then(RandomEvent(combat), Clash(combat), CombatOver())


def settle(state: OnusState, change: Callable[[Pairs], Pairs]) -> None:
    """The pairs that have fought are others now."""
    for n, step in enumerate(state.todo):
        if isinstance(step, Fights):
            state.todo[n] = Fights(step.seat, change(step.fought))


def aim(state: OnusState, i: int, j: int) -> Aim:
    """OH.melee.1 OH.melee.3 OH.melee.4: with how many dice and which values ``i`` strikes ``j``."""
    unit, attacks = state.roster.units[i], state.roster.units[i].side == state.active
    terms, cover = attack_terms(state, i, j), defence_terms(state, i, j)
    added = total(terms)
    dice = dice_of(state, i, j) - (has(state, "confusion") if attacks else 0)  # OH.event.7
    damage = unit.kind.melee[1] + added + has(state, "weak-point")  # OH.event.10
    values = unit.kind.melee[0] + added, damage
    return Aim(dice, values, defence_of(state, j, cover), (*terms, *against(cover)))


def blow(play: Play, i: int, j: int, how: Aim) -> int:
    """The wounds of one side's dice; whatever helps only the first attack is used up."""
    state: OnusState = play.state
    wounds = strike(play, i, how, "OH.melee.2")
    state.flags[i] |= FOUGHT
    if formation_of(state, i) == PHALANX and faces(state, i, j):  # OH.formation.2
        state.formation[i] = NO_FORMATION
        play.tell("OH.formation.2", "event.phalanx_spent", unit=state.roster.units[i].id)
    return wounds


def hurt(play: Play, combat: Combat, victim: int, striker: int, wounds: int) -> None:
    """OH.value.5 OH.morale.2: wounds, and the check that follows."""
    state: OnusState = play.state
    if wounds and state.where[victim] != LOST:
        flank, rear = angle_of(state, striker, victim)
        extra = total(event_morale(state, combat, victim))
        play.then(MoraleCheck(victim, striker, 2 if rear else int(flank), extra))
        wound(play, victim, wounds, "OH.melee.2")


class Blow(Step):
    """OH.melee.2 O3.hill.morale-before-counter: one side strikes; its victim checks morale before it does."""

    def __init__(self, combat: Combat, striker: int, victim: int) -> None:
        self.combat: Final = combat
        self.striker: Final = striker
        self.victim: Final = victim

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i, j = self.striker, self.victim
        if LOST in (state.where[i], state.where[j]) or state.fleeing[i] or not in_contact(state, i, j):
            return
        wounds = blow(play, i, j, aim(state, i, j))
        if wounds and state.fleeing[j]:
            destroy(play, j, "OH.flight.2")
        else:
            hurt(play, self.combat, j, i, wounds)
