"""House rules: tests of cohesion, and steps that are lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Term
from .rout import lose, rout_steps
from .state import (
    DIE,
    EXHAUSTED,
    FORMATION,
    GROUND,
    LIMIT,
    MORALES,
    ROUT,
    SIMPLE,
    START,
    WHOLE,
    WINDED,
    FormationsState,
)
from .units import add, cells_of, has_leader_near, is_troop, kind_of, load, points_per_step, remove

DOUBLE_ONE, DOUBLE_SIX = 2, 12


# --- two dice ------------------------------------------------------------------------------------


def two_dice(play: Play) -> tuple[int, int]:
    return play.roll(DIE), play.roll(DIE)


def passes(natural: int, added: int, number: int) -> bool:
    """AH12.cohesion AH13.tests: equal to or under the number; a natural 2 passes, a natural 12 fails."""
    if natural in (DOUBLE_ONE, DOUBLE_SIX):
        return natural == DOUBLE_ONE
    return natural + added <= number


def on_fire(state: FormationsState, i: int) -> bool:
    """AH22.fire: in a hex with a fire start."""
    return any(state.fire[cell] == START for cell in cells_of(state, i))


def morale(state: FormationsState, i: int) -> int:
    return MORALES[kind_of(state, i).morale]


# --- the cohesion test ---------------------------------------------------------------------------


def cohesion_terms(
    state: FormationsState, i: int, lost: int, outflanked: bool, extra: int = 0
) -> Iterator[Term]:
    """AH12.cohesion: what is added to the test."""
    if lost:
        yield Term("AH12.cohesion", "term.steps_lost", lost)
    if extra:
        yield Term("AH11.melee", "term.crushed", extra)
    if state.fatigue[i] == WINDED:
        yield Term("AH12.cohesion", "term.winded", 1)
    if state.fatigue[i] == EXHAUSTED:
        yield Term("AH12.cohesion", "term.exhausted", 2)
    if outflanked:
        yield Term("AH12.cohesion", "term.outflanked", 1)
    if has_leader_near(state, i):
        yield Term("AH12.cohesion", "term.leader", -1)
    if on_fire(state, i):
        yield Term("AH22.fire", "term.fire", 1)


class CohesionTest(Step):
    """AH12.cohesion: two dice against the morale number; failure makes it Shaken, and Shaken Rout."""

    def __init__(self, unit: int, lost: int = 0, outflanked: bool = False, extra: int = 0) -> None:
        self.unit: Final = unit
        self.lost: Final = lost
        self.outflanked: Final = outflanked
        self.extra: Final = extra

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        i = self.unit
        if state.cell[i] < 0 or state.cohesion[i] == ROUT or not is_troop(state, i):
            return
        one, two = two_dice(play)
        added = sum(term.value for term in cohesion_terms(state, i, self.lost, self.outflanked, self.extra))
        told: dict[str, Any] = {
            "unit": state.ids[i],
            "roll": one + two,
            "added": f"{added:+}",
            "number": morale(state, i),
        }
        if passes(one + two, added, morale(state, i)):
            play.tell("AH12.cohesion", "event.steady", **told)
        else:
            play.tell("AH12.cohesion", "event.fails", **told)
            worsen(play, i)


def worsen(play: Play, i: int) -> None:
    """A.def.cohesion: one level worse."""
    state: FormationsState = play.state
    if state.cohesion[i] == ROUT:
        return
    state.cohesion[i] += 1
    routs = state.cohesion[i] == ROUT
    play.tell("A.def.cohesion", "event.routs" if routs else "event.shaken", unit=state.ids[i])
    if routs:
        state.position[i] = GROUND  # AH25.special_positions
        play.then(*rout_steps(state, i))


# --- losses --------------------------------------------------------------------------------------


def lose_steps(play: Play, i: int, steps: int) -> None:
    """AH17.losses: steps come off; a formation of 1 or 2 steps is a formation no more."""
    state: FormationsState = play.state
    if state.cell[i] < 0:
        return
    gone = min(steps, state.steps[i])
    state.steps[i] -= gone
    play.tell("AH17.losses", "event.loses", unit=state.ids[i], steps=gone, left=state.steps[i])
    if state.steps[i] == 0:
        lose(play, i)
    elif state.kind[i] == FORMATION and state.steps[i] <= WHOLE:
        if remnant_hexes(state, i):
            play.then(RemnantChoice(state.side[i], i))
        else:
            lose(play, i)


def remnant_hexes(state: FormationsState, i: int) -> list[int]:
    """AH17.losses AH18.stacking: its hexes in which a simple troop of its steps has room."""
    needed = state.steps[i] * points_per_step(kind_of(state, i))
    return [cell for cell in cells_of(state, i) if load(state, cell, (i,)) + needed <= LIMIT]


class Stay(Action):
    """AH17.losses: in which of its hexes the rest of a formation stands."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, RemnantChoice):
            names = [state.roster.grid.names[cell] for cell in remnant_hexes(state, decision.unit)]
            if self.hex not in names:
                yield Refusal("AH17.losses", "refusal.not_its_hex", {"hex": self.hex})

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i = play.taken.unit
        cell = state.roster.grid.cells[self.hex]
        rest = add(state, i, SIMPLE, state.steps[i], (cell,), state.depth[i])
        for column in (state.fatigue, state.cohesion, state.ammo, state.flags):
            column[rest] = column[i]
        play.tell("AH17.losses", "event.remnant", unit=state.ids[i], made=state.ids[rest], hex=self.hex)
        remove(state, i)
        state.blows = [(rest if a == i else a, rest if b == i else b) for a, b in state.blows]
        worsen(play, rest)


class RemnantChoice(Decision):
    """AH17.losses: the owner chooses the hex."""

    clause = "AH17.losses"
    accepts = (Stay,)

    def __init__(self, seat: int, unit: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.remnant", {"unit": state.ids[self.unit]})

    def is_moot(self, state: FormationsState) -> bool:
        return state.cell[self.unit] < 0

    def candidates(self, state: FormationsState) -> list[Action]:
        return [Stay(state.roster.grid.names[cell]) for cell in remnant_hexes(state, self.unit)]
