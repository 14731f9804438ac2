"""6 Fire: torches, what burns at the end of a turn, and who puts it out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Term, Values
from .cards import MELEE
from .combat import Combat, CombatOver, RandomEvent, has, with_events
from .contact import in_melee
from .damage import (
    CLOSED,
    CREW,
    Square,
    can_burn,
    is_burning,
    is_own,
    sections_at,
    sections_at_gate,
    targets,
)
from .ladders import best_wrap
from .orders import Done
from .pieces import unit_named
from .ramparts import is_gate_down
from .razing import Collateral, Razed, batter, harm, light
from .sorts import GATE
from .state import (
    ACTIVATED,
    DONE,
    DOUSED,
    FIELD,
    IDLE,
    INSIDE,
    MOVED,
    NOBODY,
    SEATS,
    SECTION,
    SIEGE,
    STOOD,
    TOWERS,
    OnusState,
)
from .table import ELEPHANTS, front_row, units_on

FIRE = 2  # OH.fire.1: what is added to the dice of a fire


# --- torches -------------------------------------------------------------------------------------


def torch_dice(state: OnusState, i: int, n: int, gate: bool) -> int:
    """O6.ignite.dice O6.ignite.split: one die less than sections in contact, with each structure anew."""
    if gate:
        return max(0, len(sections_at_gate(state, i, n)) - 1)
    touching = sections_at(state, i, n)
    return max(0, len(touching) + (wrapping(state, i, n) if touching else 0) - 1)


def wrapping(state: OnusState, i: int, n: int) -> int:
    """O6.ignite.split O4.tower.width: how many sections that touch nothing else it wraps round a tower."""
    if state.roster.structures[n].kind not in TOWERS:
        return 0
    busy = {square for m in targets(state) for square in sections_at(state, i, m)}
    row = front_row(state.wings[i], state.pose[i])[1].front // SECTION
    free = row - sum(square[1] == 0 for square in busy)
    return min(free, sum(best_wrap(state, i, n)))


def may_ignite(state: OnusState, i: int) -> Iterator[Refusal]:
    """O6.ignite.who OH.turn.4: who uses torches: an activated unit in the open with its hands free."""
    unit = state.roster.units[i]
    name: Values = {"unit": unit.id}
    if SIEGE in unit.kind.traits or unit.kind.id == ELEPHANTS:
        yield Refusal("O6.ignite.who", "refusal.no_torches", name)
    if not state.flags[i] & ACTIVATED:
        yield Refusal("O6.ignite.who", "refusal.not_activated", name)
    if state.flags[i] & DONE & ~MOVED:
        yield Refusal("OH.turn.2", "refusal.busy", name)
    if state.where[i] != FIELD:
        yield Refusal("O6.ignite.who", "refusal.not_in_the_open", name)
    if state.fleeing[i]:
        yield Refusal("OH.flight.1", "refusal.fleeing", name)
    if state.backward:
        yield Refusal("OH.order.8", "refusal.only_back", name)
    if state.ram[i]:
        yield Refusal("O5.ram.not-incendiary", "refusal.carries_ram", name)
    if state.climbs[i] != NOBODY:
        yield Refusal("O6.fire.no-climbing", "refusal.climbing", name)
    if in_melee(state, i):
        yield Refusal("OH.turn.4", "refusal.in_melee", name)


def ignite_bars(state: OnusState, i: int, n: int, gate: bool) -> Iterator[Refusal]:
    """What keeps a unit from setting a structure on fire, or the gate in it."""
    structure = state.roster.structures[n]
    values: Values = {"unit": state.roster.units[i].id, "structure": structure.id}
    if is_own(state, state.roster.units[i].side, n):
        yield Refusal("O6.ignite.who", "refusal.own_structure", values)
    if gate and (structure.kind != GATE or is_gate_down(state, n)):
        yield Refusal("O4.gate.melee-choice", "refusal.no_gate", values)
    elif not can_burn(state, n) or (structure.sort.burns == GATE and not gate):
        yield Refusal("O4.gate.material", "refusal.no_wood", values)
    if not torch_dice(state, i, n, gate):
        yield Refusal("O6.ignite.dice", "refusal.too_few_sections", values)


class Ignite(Action):
    """O6.ignite.who: torches against a structure; O4.gate.melee-choice: or against the gate in it."""

    weighed = True

    def __init__(self, unit: str, structure: str, gate: bool = False) -> None:
        self.unit: Final = unit
        self.structure: Final = structure
        self.gate: Final = gate

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        torches = state.decision
        if not isinstance(torches, Torches):
            return
        i = unit_named(state, torches.seat, self.unit)
        n = state.roster.structure_index.get(self.structure, NOBODY)
        if i < 0:
            yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": self.unit})
        if n not in targets(state):
            values: Values = {"structure": self.structure}
            yield Refusal("O4.value.durability", "refusal.no_such_structure", values)
        elif i >= 0:
            if (i, n) in torches.tried:
                yield Refusal("O6.ignite.who", "refusal.torched", {"unit": self.unit})
            yield from may_ignite(state, i)
            yield from ignite_bars(state, i, n, self.gate)

    def terms(self, state: OnusState) -> list[Term]:
        i = state.roster.index.get(self.unit, NOBODY)
        return torch_terms(state, i) if i >= 0 else []

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        torches: Torches = play.taken
        i, n = state.roster.index[self.unit], state.roster.structure_index[self.structure]
        key = "event.torches_gate" if self.gate else "event.torches"
        play.tell("O6.ignite.who", key, unit=self.unit, structure=self.structure)
        combat = Combat(MELEE, i, NOBODY, n)
        left = Torches(torches.seat, (*torches.tried, (i, n)))
        play.then(RandomEvent(combat), Torch(i, n, self.gate), CombatOver(), left)


def torch_terms(state: OnusState, i: int) -> list[Term]:
    """OH.broken.1: what is added to the melee values of a unit against a structure."""
    return [Term("OH.broken.1", "term.broken", -1)] if state.broken[i] else []


class Torches(Decision):
    """OH.turn.4 O6.ignite.split: torches are used in the melee step, on each structure once a unit."""

    clause = "O6.ignite.who"
    accepts = (Ignite, Done)

    def __init__(self, seat: int, tried: tuple[tuple[int, int], ...] = ()) -> None:
        super().__init__(seat)
        self.tried: Final = tried

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.torches", {"side": SEATS[self.seat]})

    def tries(self, state: OnusState) -> Iterator[tuple[int, int, bool]]:
        wood = [n for n in targets(state) if can_burn(state, n)]
        if not wood:
            return
        for i in units_on(state, self.seat):
            near = [n for n in wood if (i, n) not in self.tried and sections_at(state, i, n)]
            if near and not any(may_ignite(state, i)):
                for n in near:
                    for gate in (False, True):
                        if not any(ignite_bars(state, i, n, gate)):
                            yield i, n, gate

    def is_moot(self, state: OnusState) -> bool:
        return next(self.tries(state), None) is None

    def candidates(self, state: OnusState) -> list[Action]:
        units, structures = state.roster.units, state.roster.structures
        found = [Ignite(units[i].id, structures[n].id, gate) for i, n, gate in self.tries(state)]
        return [*found, Done()]


class Torch(Step):
    """O6.ignite.who OH.dice.4: melee values against the resistance; each success is a fire marker."""

    def __init__(self, unit: int, structure: int, gate: bool) -> None:
        self.unit: Final = unit
        self.structure: Final = structure
        self.gate: Final = gate

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i, n = self.unit, self.structure
        sort, melee = state.roster.structures[n].sort, state.roster.units[i].kind.melee
        added = sum(term.value for term in torch_terms(state, i))
        dice = torch_dice(state, i, n, self.gate) - has(state, "confusion")  # OH.event.7
        values = with_events(state, (melee[0] + added, melee[1] + added))
        markers = batter(play, i, dice, values, sort.gate_resistance if self.gate else sort.resistance)
        unit = state.roster.units[i].id
        play.tell("OH.dice.4", "event.torch", unit=unit, dice=dice, markers=markers)
        light(play, n, markers, "O6.ignite.who")


# --- the end of a turn ---------------------------------------------------------------------------


class Structures(Step):
    """OH.turn.6 O6.fire.timing: fires that are older than the turn burn; those of this turn do not yet."""

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        hurt = [n for n in targets(state) if state.damage[n]]
        burning = [n for n in targets(state) if state.fire[n]]
        play.then(*(Razed(n) for n in hurt), *(Burn(n) for n in burning), Kindle())


def burn_damage(state: OnusState, n: int) -> int:
    """OH.fire.2 O4.gate.material: a point for each marker; in a stone wall no more than the gate can take."""
    sort = state.roster.structures[n].sort
    if sort.burns != GATE:
        return state.fire[n]
    return min(state.fire[n], max(0, sort.gate_durability - state.damage[n]))


class Burn(Step):
    """OH.fire.2 O6.fire.cumulative O6.fire.collateral: a point of damage for each marker, and they stay.

    O6.fire.collapse: what it brings down falls.
    """

    def __init__(self, structure: int) -> None:
        self.structure: Final = structure

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        n = self.structure
        points = burn_damage(state, n)
        if state.gone[n] or not points:
            return
        name = state.roster.structures[n].id
        play.tell("OH.fire.2", "event.burns", structure=name, damage=points)
        harm(play, n, points)
        play.then(Collateral(n, points, FIRE))


class Kindle(Step):
    """O6.fire.timing: the markers of this turn burn from the next turn's end on."""

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        for n, markers in enumerate(state.lit):
            state.fire[n] += markers
            state.lit[n] = 0


# --- putting it out ------------------------------------------------------------------------------


def doused(state: OnusState, i: int) -> dict[int, int]:
    """O6.extinguish.action: how many markers a unit takes off each burning structure: one a section.

    In a closed structure it has 4 sections.  A section that touches two structures works at one of them.
    """
    if state.where[i] == INSIDE:
        n = state.inside[i]
        burns = state.roster.structures[n].kind in CLOSED and is_burning(state, n)
        return {n: min(CREW, state.fire[n] + state.lit[n])} if burns else {}
    found: dict[int, int] = {}
    used: set[Square] = set()
    for n in targets(state):
        if is_burning(state, n):
            free = sorted(sections_at(state, i, n) - used)[: state.fire[n] + state.lit[n]]
            used.update(free)
            if free:
                found[n] = len(free)
    return found


class Extinguish(Action):
    """O6.extinguish.action O6.extinguish.no-mix: the whole unit fights the fire that it touches."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        i = unit_named(state, decision.seat, self.unit)
        if i < 0:
            yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": self.unit})
            return
        yield from extinguish_bars(state, i)
        if not doused(state, i):
            yield Refusal("O6.extinguish.action", "refusal.no_fire", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i = state.roster.index[self.unit]
        for n, markers in doused(state, i).items():
            old = min(markers, state.fire[n])
            state.fire[n] -= old
            state.lit[n] -= markers - old
            name, left = state.roster.structures[n].id, state.fire[n] + state.lit[n]
            key, clause = "event.douses", "O6.extinguish.action"
            play.tell(clause, key, unit=self.unit, structure=name, markers=markers, left=left)
        state.flags[i] |= IDLE | DOUSED
        play.then(play.taken)


def extinguish_bars(state: OnusState, i: int) -> Iterator[Refusal]:
    """O6.extinguish.action O6.extinguish.nothing-else: an activation that is spent on nothing else."""
    name: Values = {"unit": state.roster.units[i].id}
    if not state.flags[i] & ACTIVATED:
        yield Refusal("O6.extinguish.action", "refusal.not_activated", name)
    if state.flags[i] & (DONE | STOOD):
        yield Refusal("O6.extinguish.nothing-else", "refusal.moved", name)
    if state.fleeing[i]:
        yield Refusal("OH.flight.1", "refusal.fleeing", name)
    if state.backward:
        yield Refusal("OH.order.8", "refusal.only_back", name)


def dousing(state: OnusState, i: int) -> list[Action]:
    """What an activated unit may do against a fire."""
    if not any(state.fire) and not any(state.lit):
        return []
    return [Extinguish(state.roster.units[i].id)] if doused(state, i) else []
