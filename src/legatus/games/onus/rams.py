"""5 Assault: rams and elephants: who carries a ram, and how they batter structures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shapely import Point

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Term, Values
from ...kernel.objects import replace
from ...parts import plane
from .cards import MELEE
from .combat import Combat, CombatOver, RandomEvent, has, total, with_events
from .contact import in_melee, is_across
from .damage import is_own, sections_at, sections_at_gate
from .morale import is_elephants
from .motion import REGULAR, Path
from .orders import Done
from .pieces import OnTheMove, unit_named
from .ramparts import is_gate_down
from .razing import batter, harm
from .sorts import GATE, WOOD
from .state import (
    ACTIVATED,
    CARD,
    DOUSED,
    FIELD,
    FOUGHT,
    IDLE,
    MOUNTED,
    MOVED,
    NOBODY,
    RAMMED,
    REDUCED,
    SEATS,
    SIEGE,
    TOWERS,
    VILLAGE,
    WALLS,
    OnusState,
)
from .structures import structure_of
from .table import shape_of, standing, units_on

DICE = 4  # O5.ram.dice
MOST = 5  # O5.ram.value
STRIKING = 2  # O5.ram.continues: a ram that has begun to strike
BATTERED = (*WALLS, *TOWERS, VILLAGE)


# --- who carries a ram ---------------------------------------------------------------------------


def bears(state: OnusState, i: int) -> bool:
    """O5.ram.movement: it carries a ram; elephants do its work without one."""
    return bool(state.ram[i]) and not is_elephants(state, i)


def can_bear(state: OnusState, i: int) -> bool:
    """O2.cavalry.no-ram OH.trait.5: foot, and no artillery."""
    traits = state.roster.units[i].kind.traits
    return MOUNTED not in traits and SIEGE not in traits


def lying(state: OnusState, i: int) -> tuple[int, int] | None:
    """O5.ram.left-behind: a ram over which a unit lies."""
    if state.where[i] != FIELD:
        return None
    shape = shape_of(state, i)
    return next((place for place in state.rams if plane.touches(shape, Point(place))), None)


class DropRam(Action):
    """O5.ram.drop: an activated unit lets go of its ram, and then moves as it can without it."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if isinstance(moving, OnTheMove) and not bears(state, moving.unit):
            yield Refusal("O5.ram.drop", "refusal.no_ram", {"unit": state.roster.units[moving.unit].id})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i = play.taken.unit
        x, y = plane.at(state.pose[i], 0, CARD.depth / 2)
        state.ram[i] = 0
        state.rams = sorted([*state.rams, (round(x), round(y))])
        play.tell("O5.ram.drop", "event.drops_ram", unit=state.roster.units[i].id)
        play.then(replace(play.taken, dropped=True))


class TakeRam(Action):
    """O5.ram.left-behind: a unit takes up a ram over which it passes, by a limited move."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        name: Values = {"unit": state.roster.units[i].id}
        yield from moving.stance_bars(state)
        if not can_bear(state, i):
            yield Refusal("O2.cavalry.no-ram", "refusal.cannot_bear", name)
        if bears(state, i) or lying(state, i) is None:
            yield Refusal("O5.ram.left-behind", "refusal.no_ram_here", name)
        if moving.dropped:
            yield Refusal("O5.ram.left-behind", "refusal.let_go", name)
        yield from moving.cost_bars(state, _in_passing(state, i), REGULAR)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        moving: OnTheMove = play.taken
        i, place = moving.unit, lying(state, moving.unit)
        assert place is not None
        left = list(state.rams)
        left.remove(place)
        state.rams, state.ram[i] = left, 1
        state.flags[i] |= MOVED
        play.tell("O5.ram.left-behind", "event.takes_ram", unit=state.roster.units[i].id)
        play.then(replace(moving, limited=moving.limited or "O5.ram.left-behind"))


def _in_passing(state: OnusState, i: int) -> Path:
    """What taking a ram makes of a move: a limited one, at no further cost."""
    return Path((state.pose[i],), 0, False, "O5.ram.left-behind")


def ram_moves(state: OnusState, moving: OnTheMove) -> list[Action]:
    """What a unit may think of doing with a ram."""
    if bears(state, moving.unit):
        return [DropRam()]
    return [TakeRam()] if state.rams and lying(state, moving.unit) is not None else []


# --- at the start --------------------------------------------------------------------------------


class GiveRam(Action):
    """O5.ram.movement OH.army.3: a unit begins the battle with a ram."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        i = unit_named(state, decision.seat, self.unit)
        if i < 0:
            yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": self.unit})
        elif not can_bear(state, i):
            yield Refusal("O2.cavalry.no-ram", "refusal.cannot_bear", {"unit": self.unit})
        elif state.ram[i] or state.where[i] != FIELD:
            yield Refusal("O5.ram.movement", "refusal.no_more_rams", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        state.ram[state.roster.index[self.unit]] = 1
        play.tell("O5.ram.movement", "event.takes_ram", unit=self.unit)
        play.then(play.taken)


class Bearers(Decision):
    """O5.ram.movement: the attacker gives out rams before the battle begins."""

    clause = "O5.ram.movement"
    accepts = (GiveRam, Done)

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.bearers", {"side": SEATS[self.seat], "number": self.left(state)})

    def left(self, state: OnusState) -> int:
        return state.roster.rams - sum(map(bool, state.ram))

    def units(self, state: OnusState) -> list[int]:
        own = units_on(state, self.seat)
        return [i for i in own if can_bear(state, i) and state.where[i] == FIELD and not state.ram[i]]

    def is_moot(self, state: OnusState) -> bool:
        return self.left(state) <= 0 or not self.units(state)

    def candidates(self, state: OnusState) -> list[Action]:
        return [*(GiveRam(state.roster.units[i].id) for i in self.units(state)), Done()]


# --- battering -----------------------------------------------------------------------------------

WALL_PART, GATE_PART = "wall", "gate"


def parts(state: OnusState, i: int, n: int) -> list[str]:
    """O4.gate.melee-choice O4.gate.material O4.damage-sources: what of a structure it can strike.

    Wood, and every gate that still stands; of a gate only who stands before it.
    """
    structure = state.roster.structures[n]
    if state.gone[n] or not sections_at(state, i, n):
        return []
    found = []
    if structure.kind == GATE and not is_gate_down(state, n) and sections_at_gate(state, i, n):
        found.append(GATE_PART)
    if structure.sort.material == WOOD:
        found.append(WALL_PART)
    return found


def resistance(state: OnusState, n: int, part: str) -> int:
    """O4.gate.resistance: of the gate, or of the structure."""
    sort = state.roster.structures[n].sort
    return sort.gate_resistance if part == GATE_PART else sort.resistance


def ram_terms(state: OnusState, i: int) -> list[tuple[Term, int]]:
    """O5.ram.value O5.elephants: +1/+1 up to 5/5; elephants have nothing but their own values."""
    hit, harm = state.roster.units[i].kind.melee
    found = []
    if not is_elephants(state, i):
        found.append((Term("O5.ram.value", "term.ram", min(1, MOST - hit)), min(1, MOST - harm)))
    if state.broken[i]:
        found.append((Term("OH.broken.1", "term.broken", -1), -1))
    return found


def ram_values(state: OnusState, i: int) -> tuple[int, int]:
    """O5.ram.value: with what it strikes a structure."""
    hit, harm = state.roster.units[i].kind.melee
    terms = ram_terms(state, i)
    return hit + total(term for term, _ in terms), harm + sum(more for _, more in terms)


def batter_bars(state: OnusState, i: int) -> Iterator[Refusal]:
    """O5.ram.continues O5.elephants: who may batter: with a ram, activated or already at it, once a turn.

    O2.limited.reduced-prevails: not after a reduced move, which keeps elephants from charging.
    """
    name: Values = {"unit": state.roster.units[i].id}
    flags = state.flags[i]
    if not bears(state, i) and not is_elephants(state, i):
        yield Refusal("O5.ram.dice", "refusal.no_ram", name)
    if not flags & ACTIVATED and state.ram[i] != STRIKING:
        yield Refusal("O5.ram.continues", "refusal.not_activated", name)
    if flags & REDUCED:
        yield Refusal("O2.limited.reduced-prevails", "refusal.reduced_no_ram", name)
    if flags & (FOUGHT | RAMMED | DOUSED | IDLE):
        yield Refusal("OH.turn.4", "refusal.busy", name)
    if any(not is_across(state, i, j) for j in in_melee(state, i)):
        yield Refusal("OH.turn.4", "refusal.in_melee", name)
    if state.fleeing[i]:
        yield Refusal("OH.flight.1", "refusal.fleeing", name)
    if state.backward and flags & ACTIVATED:
        yield Refusal("OH.order.8", "refusal.only_back", name)


class Batter(Action):
    """O5.ram.dice O5.ram.choose-section O4.gate.melee-choice: a ram or elephants strike what they touch.

    Of a wall with a gate one names the part: ``gate`` or ``wall``.
    """

    weighed = True

    def __init__(self, unit: str, structure: str, part: str = WALL_PART) -> None:
        self.unit: Final = unit
        self.structure: Final = structure
        self.part: Final = part

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        i, n = unit_named(state, decision.seat, self.unit), structure_of(state, self.structure)
        values: Values = {"unit": self.unit, "structure": self.structure}
        if i < 0:
            yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": self.unit})
            return
        yield from batter_bars(state, i)
        if n < 0 or state.roster.structures[n].kind not in BATTERED or not sections_at(state, i, n):
            yield Refusal("O5.ram.dice", "refusal.not_touching", values)
        elif self.part not in parts(state, i, n):
            gate = self.part == GATE_PART
            clause = "O4.gate.melee-choice" if gate else "O4.damage-sources"
            yield Refusal(clause, "refusal.no_gate" if gate else "refusal.not_wood", values)

    def terms(self, state: OnusState) -> list[Term]:
        """O5.ram.value: what is added to the hit die."""
        i = state.roster.index.get(self.unit, NOBODY)
        return [term for term, _ in ram_terms(state, i)] if i >= 0 else []

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i, n = state.roster.index[self.unit], state.roster.structure_index[self.structure]
        state.ram[i] = STRIKING
        state.flags[i] |= RAMMED
        play.tell("O5.ram.dice", "event.batters", unit=self.unit, structure=self.structure)
        combat = Combat(MELEE, i, NOBODY, n)  # O5.ram.events O5.ram.no-defender-event
        play.then(RandomEvent(combat), Stroke(combat, self.part), CombatOver(), play.taken)


class Stroke(Step):
    """O5.ram.dice OH.dice.4 O5.ram.not-incendiary: 4 dice, hits and damage, no criticals and no fire."""

    def __init__(self, combat: Combat, part: str) -> None:
        self.combat: Final = combat
        self.part: Final = part

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i, n = self.combat.attacker, self.combat.structure
        values = with_events(state, ram_values(state, i))
        dice = DICE - has(state, "confusion")  # OH.event.7
        points = batter(play, i, dice, values, resistance(state, n, self.part))
        units, structures = state.roster.units, state.roster.structures
        unit, structure = units[i].id, structures[n].id
        play.tell("O5.ram.dice", "event.rams", unit=unit, structure=structure, dice=dice, damage=points)
        if points:
            harm(play, n, points)


def batterings(state: OnusState, seat: int) -> Iterator[Action]:
    """What is worth battering: nothing of one's own."""
    for i in units_on(state, seat):
        if state.where[i] != FIELD or any(batter_bars(state, i)):
            continue
        for n in standing(state, BATTERED):
            if not is_own(state, seat, n):
                for part in parts(state, i, n):
                    yield Batter(state.roster.units[i].id, state.roster.structures[n].id, part)
