"""6 Damage: the one door of damage to structures, who suffers with them, collapse, and fire that spreads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from .combat import is_professional, needed, succeed
from .crossing import bridge_falls
from .damage import CLOSED, adjoining, occupants, sections_at
from .modifiers import defence_of, standing_cover, structure_cover
from .morale import MoraleCheck, destroy, unhook, wound
from .passages import passage_of
from .ramparts import is_gate_down
from .sorts import GATE, TOWER
from .state import BRIDGES, CROSSING, DIE, NOBODY, SEATS, OnusState

DEFENDER = 1


# --- damage --------------------------------------------------------------------------------------


def harm(play: Play, n: int, points: int) -> None:
    """O4.gate.shared-damage O6.razed.threshold: damage to a structure; what it brings down falls at once.

    O4.gate.material: with the gate of a stone wall its fire is gone.
    """
    state: OnusState = play.state
    structure, stood = state.roster.structures[n], not is_gate_down(state, n)
    state.damage[n] += points
    play.then(Razed(n))
    if stood and is_gate_down(state, n) and state.damage[n] < structure.sort.durability:
        play.tell("O4.gate.shared-damage", "event.gate_falls", structure=structure.id)
        if structure.sort.burns == GATE:
            state.fire[n] = state.lit[n] = 0


def batter(play: Play, i: int, dice: int, values: tuple[int, int], resistance: int) -> int:
    """OH.dice.4: rams, elephants and torches hit and damage against the resistance, without criticals."""
    low, ones = needed(values[0], resistance), is_professional(play.state, i)
    faces = play.roll_pool(dice, DIE, tuple(sorted({*((1,) if ones else ()), low - 1, DIE})))
    if ones:  # OH.trait.2
        again = play.roll_pool(faces.count(1), DIE, (low - 1, DIE))
        faces = [face for face in faces if face != 1] + again
    return succeed(play, sum(face >= low for face in faces), values[1], resistance)


class Collateral(Step):
    """O5.collateral.roll O3.bridge.collateral O6.fire.collateral: a die for each point against who is in it.

    O4.overlap.wall-collateral: on a wall against everybody who touches it, the covered ones of a stack too.
    O5.collateral.no-events O5.collateral.no-critical O5.collateral.example-2: no events, a 6 counts once.
    """

    def __init__(
        self,
        structure: int,
        damage: int,
        value: int,
        shooter: int = NOBODY,  # nobody: fire (OH.fire.1)
    ) -> None:
        self.structure: Final = structure
        self.damage: Final = damage
        self.value: Final = value
        self.shooter: Final = shooter

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        clause = "O6.fire.collateral" if self.shooter == NOBODY else "O5.collateral.roll"
        checks = []
        for i in occupants(state, self.structure):
            wounds = succeed(play, self.damage, self.value, armour(state, i, self.shooter))
            unit = state.roster.units[i].id
            play.tell(clause, "event.collateral", unit=unit, dice=self.damage, wounds=wounds)
            if wounds:
                wound(play, i, wounds, clause)
                checks.append(MoraleCheck(i, self.shooter))
        play.then(*checks)


def armour(state: OnusState, i: int, shooter: int = NOBODY) -> int:
    """The second defence value, without events; from fire a village does not shelter anybody."""
    cover = structure_cover(state, i, shooter, ranged=True) if shooter != NOBODY else []
    return defence_of(state, i, [*standing_cover(state, i), *cover])[1]


# --- collapse ------------------------------------------------------------------------------------


class Razed(Step):
    """O6.razed.threshold O6.fire.collapse O3.bridge.destroyed: what has as much damage as durability falls.

    O7.design.destroyed: it is removed; for the rules it no longer exists.
    """

    def __init__(self, structure: int) -> None:
        self.structure: Final = structure

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        n = self.structure
        structure = state.roster.structures[n]
        if state.gone[n] or not structure.sort.durability or state.damage[n] < structure.sort.durability:
            return
        buried = [(i, _sections_in(state, i, n)) for i in occupants(state, n)]
        markers = state.fire[n] + state.lit[n]
        state.gone[n] = 1
        state.fire[n] = state.lit[n] = 0
        play.tell("O6.razed.threshold", "event.razed", structure=structure.id)
        play.then(Spread(n, markers))
        come_down(play, n, "O6.razed.threshold")
        if structure.kind in BRIDGES:
            bridge_falls(play, n)
        elif structure.kind in CLOSED:
            for i, _ in buried:
                destroy(play, i, "O4.tower.collapse" if structure.kind == TOWER else "O6.razed.closed")
        else:
            _bury(play, buried)


def _sections_in(state: OnusState, i: int, n: int) -> int:
    """O6.razed.wounds: how many of its sections are at a structure or in its passage."""
    return passage_of(state, i).sections if state.where[i] == CROSSING else len(sections_at(state, i, n))


def _bury(play: Play, buried: list[tuple[int, int]]) -> None:
    """O4.wall.collapse O6.razed.wounds: a wound for each section at the wall, and a check in any case."""
    for i, sections in buried:
        wound(play, i, sections, "O4.wall.collapse")
    play.then(*(MoraleCheck(i) for i, _ in buried))


def come_down(play: Play, n: int, clause: str) -> None:
    """O6.fire.no-climbing: who climbs a structure that catches fire or falls is back on the ground."""
    state: OnusState = play.state
    for i, climbed in enumerate(state.climbs):
        if climbed == n:
            state.climbs[i], state.climbed[i] = NOBODY, 0
            unhook(state, i)
            play.tell(clause, "event.comes_down", unit=state.roster.units[i].id)


# --- fire that breaks out and spreads ------------------------------------------------------------


def light(play: Play, n: int, markers: int, clause: str) -> None:
    """O6.fire.timing O6.fire.example O1.fire-marker: new markers, which burn after this turn."""
    state: OnusState = play.state
    if not markers:
        return
    state.lit[n] += markers
    total = state.fire[n] + state.lit[n]
    play.tell(clause, "event.lit", structure=state.roster.structures[n].id, markers=markers, total=total)
    come_down(play, n, "O6.fire.no-climbing")


class Spread(Step):
    """O6.spread O6.spread.example: the markers of what collapses go to its neighbours, in equal shares."""

    def __init__(self, structure: int, markers: int) -> None:
        self.structure: Final = structure
        self.markers: Final = markers

    def run(self, play: Play) -> None:
        if not self.markers:
            return
        state: OnusState = play.state
        places = adjoining(state, self.structure)
        name = state.roster.structures[self.structure].id
        if not places:
            play.tell("O6.spread", "event.fire_dies", structure=name)
            return
        play.tell("O6.spread", "event.spreads", structure=name, markers=self.markers)
        share, rest = divmod(self.markers, len(places))
        for n in places:
            light(play, n, share, "O6.spread")
        play.then(Remainder(DEFENDER, tuple(places), rest))


class PlaceFire(Action):
    """O6.spread: where a marker that is left over goes."""

    def __init__(self, structure: str) -> None:
        self.structure: Final = structure

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        rest = state.decision
        n = state.roster.structure_index.get(self.structure, NOBODY)
        if isinstance(rest, Remainder) and n not in rest.places:
            yield Refusal("O6.spread", "refusal.not_beside_fire", {"structure": self.structure})

    def perform(self, play: Play) -> None:
        rest: Remainder = play.taken
        n = play.state.roster.structure_index[self.structure]
        light(play, n, 1, "O6.spread")
        play.then(Remainder(rest.seat, tuple(m for m in rest.places if m != n), rest.left - 1))


class Remainder(Decision):
    """O6.spread: the defender places what is left over after equal shares."""

    clause = "O6.spread"
    accepts = (PlaceFire,)

    def __init__(self, seat: int, places: tuple[int, ...], left: int) -> None:
        super().__init__(seat)
        self.places: Final = places
        self.left: Final = left

    def prompt(self, state: OnusState) -> Message:
        values: Values = {"side": SEATS[self.seat], "markers": self.left}
        return Message("prompt.spread", values)

    def is_moot(self, state: OnusState) -> bool:
        return not self.left

    def candidates(self, state: OnusState) -> list[Action]:
        return [PlaceFire(state.roster.structures[n].id) for n in self.places]
