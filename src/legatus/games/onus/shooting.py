"""12 Shooting: who may shoot at what, the modifiers, the dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Term, Values
from ...kernel.objects import replace
from ...parts.plane import TOLERANCE, UNIT
from .bombard import Bombardment
from .cards import RANGED
from .combat import Aim, Combat, CombatOver, RandomEvent, event_morale, has, strike, total, wind_terms
from .contact import faces, in_melee
from .damage import is_own, targets
from .hidden import foes_on, label, reveal, under
from .modifiers import Cover, against, both, defence_of, standing_cover, structure_cover
from .morale import ON_TABLE, MoraleCheck, wound
from .orders import Done
from .pieces import unit_named
from .ramparts import is_buried, is_within
from .sight import ARC as ARC
from .sight import Mark, Sight, distance, is_higher, is_in_arc, mark_box, mark_of, sight
from .sorts import GATE
from .state import (
    ACTIVATED,
    CHARGED,
    DONE,
    JAVELINS,
    MOVED,
    NOBODY,
    PARABOLIC,
    REDUCED,
    ROLLED,
    SEATS,
    SHOT,
    SIEGE,
    OnusState,
    other,
)
from .stones import Stones, defends, free_bars, stone_actions
from .table import body, units_on

SHORT_DICE, LONG_DICE = 4, 2  # OH.ranged.1
STONES = ("slingers",)  # O6.incendiary.who: they throw nothing that burns


# --- range and dice ------------------------------------------------------------------------------


def ranges(state: OnusState, i: int, mark: Mark) -> tuple[int, int]:
    """O2.height-ranged.range O4.siege-tower.example O3.hill.ranged OH.value.4: from higher up 1 DU more."""
    kind = state.roster.units[i].kind
    short = kind.short + (UNIT if is_higher(state, i, mark) else 0)
    return short, max(kind.long, short)


def shot_dice(state: OnusState, i: int, mark: Mark) -> int:
    """OH.ranged.1: by range."""
    close = distance(state, i, mark) <= ranges(state, i, mark)[0] + TOLERANCE
    return SHORT_DICE if close else LONG_DICE


def ranged_terms(state: OnusState, i: int, mark: Mark, seen: Sight | None = None) -> list[Term]:
    """OH.ranged.2: what is added to the ranged value."""
    found = []
    if is_higher(state, i, mark):
        found.append(Term("O2.height-ranged.value", "term.higher", 1))
    seen = seen or sight(state, i, mark)
    if seen.hindered:
        found.append(Term(seen.clause, "term.no_sight", -1))
    elif mark.unit != NOBODY and state.hidden[mark.unit] and PARABOLIC in state.roster.units[i].kind.traits:
        found.append(Term("O4.hidden.shot-at", "term.hidden", -1))  # instead of the other -1
    if state.broken[i]:
        found.append(Term("OH.broken.1", "term.broken", -1))
    return found


def cover_terms(state: OnusState, j: int, i: int = NOBODY) -> list[Cover]:
    """OH.melee.4: what is added to the defence of ``j`` against the missiles of ``i``."""
    found = [*standing_cover(state, j), *structure_cover(state, j, i, ranged=True)]
    if has(state, "stand-firm"):
        found.append(both("OH.event.2", "term.stand_firm", has(state, "stand-firm")))
    return found


# --- who may shoot -------------------------------------------------------------------------------


def may_shoot(state: OnusState, i: int) -> Iterator[Refusal]:
    """OH.turn.3: who shoots: activated, once, not after a reduced move."""
    unit, flags = state.roster.units[i], state.flags[i]
    name: Values = {"unit": unit.id}
    if not unit.kind.shoots:
        yield Refusal("OH.value.3", "refusal.no_missiles", name)
    if not flags & ACTIVATED and not defends(state, i):
        yield Refusal("OH.turn.3", "refusal.not_activated", name)
    if flags & SHOT:
        yield Refusal("OH.turn.3", "refusal.shot_already", name)
    if flags & REDUCED:
        yield Refusal("OH.move.3", "refusal.reduced_no_shot", name)
    if flags & DONE & ~MOVED:
        yield Refusal("OH.turn.2", "refusal.busy", name)
    if flags & MOVED and SIEGE in unit.kind.traits:
        yield Refusal("O5.artillery.move-or-shoot", "refusal.moved_no_shot", name)
    if state.backward and flags & ACTIVATED:
        yield Refusal("OH.order.8", "refusal.only_back", name)
    if state.fleeing[i]:
        yield Refusal("OH.flight.1", "refusal.fleeing", name)
    if state.ram[i]:
        yield Refusal("O5.ram.no-ranged", "refusal.ram_no_shot", name)
    if flags & ROLLED:
        yield Refusal("O4.siege-tower.ranged", "refusal.moved_no_shot", name)
    if is_buried(state, i):
        yield Refusal("O4.overlap.ranged", "refusal.covered", name)


def is_charge_throw(state: OnusState, i: int, j: int) -> bool:
    """OH.ranged.5 OH.trait.4: javelins at the enemy whom the unit has charged in this turn."""
    javelins = JAVELINS in state.roster.units[i].kind.traits
    return javelins and bool(state.flags[i] & CHARGED) and faces(state, i, j)


def melee_bars(state: OnusState, i: int, mark: Mark) -> Iterator[Refusal]:
    """OH.ranged.6 O2.no-shooting-into-melee: nobody shoots out of a melee or into one."""
    if mark.unit != NOBODY and is_charge_throw(state, i, mark.unit):
        return
    units = state.roster.units
    if in_melee(state, i):
        yield Refusal("OH.ranged.6", "refusal.in_melee", {"unit": units[i].id})
    if mark.unit != NOBODY and in_melee(state, mark.unit):
        values: Values = {"unit": units[i].id, "target": label(state, mark.unit)}
        walls = [k for k in in_melee(state, mark.unit) if is_within(state, k) != is_within(state, mark.unit)]
        clause = "O2.no-shooting-into-melee" if walls else "OH.ranged.6"
        yield Refusal(clause, "refusal.target_in_melee", values)


def fire_bars(state: OnusState, i: int, mark: Mark) -> Iterator[Refusal]:
    """O6.incendiary.who: incendiary missiles are javelins, arrows and bolts, never sling stones; wood burns.

    O4.gate.ranged: a gate cannot be aimed at, so in a stone wall nothing burns.
    """
    kind = state.roster.units[i].kind
    values: Values = {"unit": state.roster.units[i].id, "target": name_of(state, mark)}
    if kind.id in STONES:
        yield Refusal("O6.incendiary.who", "refusal.only_stones", values)
    if mark.structure == NOBODY:
        yield Refusal("O6.incendiary.who", "refusal.fire_at_unit", values)
    elif state.roster.structures[mark.structure].sort.burns == GATE:
        yield Refusal("O4.gate.ranged", "refusal.does_not_burn", values)
    elif state.roster.structures[mark.structure].sort.burns != "yes":
        yield Refusal("O6.incendiary.who", "refusal.does_not_burn", values)


def shot_bars(state: OnusState, i: int, mark: Mark, incendiary: bool = False) -> Iterator[Refusal]:
    """What keeps a unit from shooting at something: what it is, range, arc, melee, sight."""
    units = state.roster.units
    values: Values = {"unit": units[i].id, "target": name_of(state, mark)}
    yield from free_bars(state, i, mark.unit)
    if mark.unit != NOBODY and is_buried(state, mark.unit):
        yield Refusal("O4.overlap.target", "refusal.covered", {"unit": values["target"]})
    if incendiary:
        yield from fire_bars(state, i, mark)
    elif mark.structure != NOBODY and SIEGE not in units[i].kind.traits:  # O5.artillery.targets
        yield Refusal("O4.damage-sources", "refusal.not_siege", values)  # O6.shooting.normal
    if mark.structure != NOBODY and is_own(state, units[i].side, mark.structure):
        yield Refusal("O5.artillery.targets", "refusal.own_target", values)
    if not _within(state, i, mark) or not _reaches(state, i, mark):
        yield Refusal("OH.value.3", "refusal.out_of_range", values)
        return
    if not is_in_arc(state, i, mark):
        yield Refusal("OH.ranged.4", "refusal.out_of_arc", values)
        return
    yield from melee_bars(state, i, mark)
    seen = sight(state, i, mark)
    if not seen.visible:
        yield Refusal(seen.clause, "refusal.no_sight", values)


def _within(state: OnusState, i: int, mark: Mark) -> bool:
    """Whether the target can be in range at all: a quick look at the boxes."""
    left, top, right, bottom = mark_box(state, mark)
    pose, reach = body(state, i)[0], state.roster.units[i].kind.long + 3 * UNIT
    return left - reach < pose.x < right + reach and top - reach < pose.y < bottom + reach


def _reaches(state: OnusState, i: int, mark: Mark) -> bool:
    """OH.value.3: whether the target is in range."""
    return distance(state, i, mark) <= ranges(state, i, mark)[1] + TOLERANCE


def name_of(state: OnusState, mark: Mark) -> str:
    """O4.hidden.shot-at: what everybody calls a target."""
    return label(state, mark.unit) if mark.unit != NOBODY else state.roster.structures[mark.structure].id


# --- the attack ----------------------------------------------------------------------------------


class Shoot(Action):
    """OH.ranged.3: an attack with missiles on a unit or, by artillery, on a structure.

    O6.incendiary.declare: or with incendiary ones on a structure, which is said now, before any event.
    """

    weighed = True

    def __init__(self, unit: str, target: str, incendiary: bool = False) -> None:
        self.unit: Final = unit
        self.target: Final = target
        self.incendiary: Final = incendiary

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        i, mark = unit_named(state, decision.seat, self.unit), mark_of(state, self.target)
        if i < 0:
            yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": self.unit})
        own = mark.unit != NOBODY and state.roster.units[mark.unit].side == decision.seat
        if mark == Mark() or own:
            yield Refusal("OH.ranged.3", "refusal.no_such_enemy", {"unit": self.target})
        elif i >= 0:
            yield from may_shoot(state, i)
            yield from shot_bars(state, i, mark, self.incendiary)

    def terms(self, state: OnusState) -> list[Term]:
        """What is added to the hit die: for the shooter, and against him what covers the target."""
        i, mark = state.roster.index.get(self.unit, NOBODY), mark_of(state, self.target)
        if i < 0 or mark == Mark():
            return []
        cover = cover_terms(state, mark.unit, i) if mark.unit != NOBODY else []
        return [*ranged_terms(state, i, mark), *against(cover)]

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i, mark = state.roster.index[self.unit], mark_of(state, self.target)
        state.flags[i] |= SHOT
        reveal(play, i, "O4.hidden.reveal")
        back = state.hidden[mark.unit] if mark.unit != NOBODY else 0
        key = "event.shoots_fire" if self.incendiary else "event.shoots"
        play.tell("OH.ranged.3", key, unit=self.unit, target=self.target)
        target = NOBODY if back else mark.unit
        combat = Combat(RANGED, i, target, mark.structure, self.incendiary, back)
        play.then(RandomEvent(combat), Volley(combat), CombatOver(), play.taken)


class Shooting(Decision):
    """OH.turn.3: activated units shoot."""

    clause = "OH.turn.3"
    accepts = (Shoot, Stones, Done)

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.shooting", {"side": SEATS[self.seat]})

    def marks(self, state: OnusState, i: int) -> list[tuple[Mark, bool]]:
        """What a unit may think of shooting at, and whether with incendiary missiles."""
        kind = state.roster.units[i].kind
        found = [(Mark(unit=j), False) for j in foes_on(state, other(self.seat))]
        for n in targets(state):
            found += [(Mark(structure=n), False)] if SIEGE in kind.traits else []
            found += [(Mark(structure=n), True)] if kind.id not in STONES else []
        return [(mark, fire) for mark, fire in found if _within(state, i, mark)]

    def shots(self, state: OnusState) -> Iterator[tuple[int, Mark, bool]]:
        for i in units_on(state, self.seat):
            if not any(may_shoot(state, i)):
                for mark, incendiary in self.marks(state, i):
                    if _reaches(state, i, mark) and not any(shot_bars(state, i, mark, incendiary)):
                        yield i, mark, incendiary

    def is_moot(self, state: OnusState) -> bool:
        return not any(self.shots(state)) and not any(stone_actions(state, self.seat))

    def candidates(self, state: OnusState) -> list[Action]:
        units = state.roster.units
        shots = [Shoot(units[i].id, name_of(state, mark), fire) for i, mark, fire in self.shots(state)]
        return [*shots, *stone_actions(state, self.seat), Done()]


class Volley(Step):
    """OH.ranged.3: dice by range, hits, damage, and the morale of who was wounded."""

    def __init__(
        self,
        combat: Combat,
        again: int = 0,  # OH.event.4: which of the further volleys this is
    ) -> None:
        self.combat: Final = combat
        self.again: Final = again

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        if self.combat.back:
            self._uncover(play)
            return
        i, j = self.combat.attacker, self.combat.target
        mark = Mark(j, self.combat.structure)
        if self.combat.structure != NOBODY:
            self._bombard(play, i, mark)
        elif state.where[j] in ON_TABLE and not (self.again and any(shot_bars(state, i, mark))):
            self._shoot(play, i, j, ranged_terms(state, i, mark))

    def _bombard(self, play: Play, i: int, mark: Mark) -> None:
        """O5.artillery.hit O6.incendiary.dice OH.event.4 OH.event.7: at a structure, as long as it stands."""
        state: OnusState = play.state
        if state.gone[mark.structure]:
            return
        value = state.roster.units[i].kind.ranged + total(ranged_terms(state, i, mark))
        fire = self.combat.incendiary
        dice = shot_dice(state, i, mark) - fire - has(state, "confusion")
        if self.again < has(state, "second-volley"):
            play.then(Volley(self.combat, self.again + 1))
        play.then(Bombardment(i, mark.structure, dice, value, fire))

    def _uncover(self, play: Play) -> None:
        """O4.hidden.reveal-on-shot: after the events the target is turned up; the -1 stays."""
        state: OnusState = play.state
        i, j = self.combat.attacker, under(state, self.combat.back)
        known = replace(self.combat, target=j, back=0)
        terms = ranged_terms(state, i, Mark(j))
        reveal(play, j, "O4.hidden.reveal-on-shot")
        Volley(known, self.again)._shoot(play, i, j, terms)

    def _shoot(self, play: Play, i: int, j: int, given: list[Term]) -> None:
        state: OnusState = play.state
        mark = Mark(j)
        dice = shot_dice(state, i, mark) - has(state, "confusion")  # OH.event.7
        terms = [*given, *wind_terms(state)]
        value = state.roster.units[i].kind.ranged + total(terms)
        damage = value + has(state, "weak-point")  # OH.event.10
        cover = cover_terms(state, j, i)
        aim = Aim(dice, (value, damage), defence_of(state, j, cover), (*terms, *against(cover)))
        if self.again < has(state, "second-volley"):  # OH.event.4
            play.then(Volley(self.combat, self.again + 1))
        wounds = strike(play, i, aim, "OH.ranged.3")
        if wounds:
            wound(play, j, wounds, "OH.ranged.3")
            play.then(MoraleCheck(j, i, 0, total(event_morale(state, self.combat, j))))
