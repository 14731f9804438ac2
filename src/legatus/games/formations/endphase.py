"""House rules: the end phase: fatigue, flight, fire, and markers that come off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from ...parts.hexes import OFF
from .cohesion import CohesionTest
from .ranking import Ranking
from .rout import expose, flight, is_open, lose
from .state import (
    BLAZE,
    CHARACTER,
    CHARGED,
    CLOUDY,
    DIE,
    EXHAUSTED,
    FAIR,
    FLYING,
    FORMATION,
    FOUGHT,
    GROUND,
    HEAT,
    NEW_BLAZE,
    NO_FIRE,
    POSITIONS,
    RAIN,
    ROTATION,
    ROUT,
    START,
    FormationsState,
    other,
)
from .units import can_strike, cells_of, fits, on_map, put, stack, tire, troops
from .victory import judge

TIRES = 3  # AH15.fatigue: on 1 to 3; in Rank Rotation on 1
BLAZES = {HEAT: 3, FAIR: 4, CLOUDY: 5}  # AH22.fire: from this on a fire start becomes a blaze
GOES_OUT = 4  # AH22.fire: in rain
SPREADS = 5  # AH22.fire: one less in a heat wave
REFUGE = 2  # AH22.fire: hexes


class EndPhase(Step):
    """AH3.turn: fatigue, rout moves, fires, markers, victory."""

    def run(self, play: Play) -> None:
        play.then(Fatigue(), Routs(), Fires(), CleanUp(), Judgement())


class Fatigue(Step):
    """AH15.fatigue AH10.charge AH25.special_positions: who fought or flies may tire, who charged does."""

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        for side in (state.first, other(state.first)):
            for i in troops(state, side):
                if state.flags[i] & CHARGED and tire(state, i):
                    play.tell("AH10.charge", "event.tires", unit=state.ids[i])
                if state.flags[i] & FOUGHT or state.position[i] == FLYING:
                    limit = 1 if state.kind[i] == FORMATION and state.mode[i] == ROTATION else TIRES
                    face = play.roll(DIE, limit)
                    if face > limit:
                        play.tell("AH15.fatigue", "event.bears_up", unit=state.ids[i], face=face)
                    else:
                        key = "event.tires" if tire(state, i) else "event.worn_out"
                        play.tell("AH15.fatigue", key, unit=state.ids[i])
                if state.position[i] == FLYING and state.fatigue[i] == EXHAUSTED:
                    state.position[i] = GROUND
                    landed = POSITIONS[GROUND]
                    play.tell("AH25.special_positions", "event.position", unit=state.ids[i], position=landed)


class Routs(Step):
    """AH16.rout: who is in Rout runs on."""

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        fleeing = [i for side in (state.first, other(state.first)) for i in troops(state, side)]
        play.then(*(flight(state, i) for i in fleeing if state.cohesion[i] == ROUT))


class Fires(Step):
    """AH22.fire: old blazes spread, fire starts become blazes or go out, and units run from them."""

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        if not state.roster.rules.fire:
            return
        grid = state.roster.grid
        starts = [cell for cell, fire in enumerate(state.fire) if fire == START]
        needed = SPREADS - (state.weather == HEAT)
        for blaze in [cell for cell, fire in enumerate(state.fire) if fire == BLAZE]:
            for cell in grid.neighbours[blaze]:
                if cell != OFF and cell in state.roster.burns and state.fire[cell] == NO_FIRE:
                    face = play.roll(DIE, needed - 1)
                    if face >= needed:
                        state.fire[cell] = START
                        play.tell("AH22.fire", "event.spreads", hex=grid.names[cell], face=face)
                    else:
                        play.tell("AH22.fire", "event.spreads_not", hex=grid.names[cell], face=face)
        blazes = [cell for cell in starts if self._blazes(play, cell)]
        caught = dict.fromkeys(i for cell in blazes for i in stack(state, cell))
        sides = (state.first, other(state.first))
        play.then(*(Escape(side, i) for side in sides for i in caught if state.side[i] == side))

    @staticmethod
    def _blazes(play: Play, cell: int) -> bool:
        """AH22.fire: whether a fire start becomes a blaze; in rain it may go out."""
        state: FormationsState = play.state
        name = state.roster.grid.names[cell]
        if state.weather == RAIN:
            face = play.roll(DIE, GOES_OUT - 1)
            out = face >= GOES_OUT
            if out:
                state.fire[cell] = NO_FIRE
            play.tell("AH22.fire", "event.goes_out" if out else "event.smoulders", hex=name, face=face)
            return False
        needed = BLAZES[state.weather]
        face = play.roll(DIE, needed - 1)
        if face < needed:
            play.tell("AH22.fire", "event.smoulders", hex=name, face=face)
            return False
        state.fire[cell] = NEW_BLAZE
        state.burnt = state.burnt or cell == state.roster.prize.granary
        play.tell("AH22.fire", "event.blazes", hex=name, face=face)
        return True


def refuges(state: FormationsState, i: int) -> list[tuple[int, ...]]:
    """AH22.fire: the nearest open hexes with room, within two; a formation goes as a whole."""
    grid, cells = state.roster.grid, cells_of(state, i)
    q, r = grid.axial[cells[0]]
    for far in range(1, REFUGE + 1):
        found = []
        for to in grid.ring(cells[0], far):
            dq, dr = grid.axial[to][0] - q, grid.axial[to][1] - r
            pose = tuple(grid.at(grid.axial[cell][0] + dq, grid.axial[cell][1] + dr) for cell in cells)
            if all(is_open(state, i, cell) for cell in pose) and fits(state, i, pose):
                found.append(pose)
        if found:
            return found
    return []


class Escape(Step):
    """AH22.fire: out of a blaze, or lost."""

    def __init__(self, seat: int, unit: int) -> None:
        self.seat: Final = seat
        self.unit: Final = unit

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        i = self.unit
        if state.cell[i] < 0 or not any(state.fire[cell] >= BLAZE for cell in cells_of(state, i)):
            return
        ways = refuges(state, i)
        if not ways:
            play.tell("AH22.fire", "event.burns", unit=state.ids[i])
            lose(play, i)
        elif len(ways) == 1:
            run_from(play, i, ways[0])
        else:
            play.then(EscapeChoice(self.seat, i))


def run_from(play: Play, i: int, pose: tuple[int, ...]) -> None:
    """AH22.fire AH29.stack_order AH28.characters: it has its place there before the test is taken."""
    state: FormationsState = play.state
    put(state, i, pose)
    names = tuple(state.roster.grid.names[cell] for cell in pose)
    play.tell("AH22.fire", "event.escapes", unit=state.ids[i], hexes=names)
    if state.kind[i] != CHARACTER:
        play.then(Ranking(state.side[i], i), CohesionTest(i))
        for cell in pose:
            expose(play, other(state.side[i]), cell)


class RunTo(Action):
    """AH22.fire: where a unit runs to from a blaze; of a formation, its left hex."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        decision = state.decision
        ways = refuges(state, decision.unit) if isinstance(decision, EscapeChoice) else []
        if self.hex not in [state.roster.grid.names[pose[0]] for pose in ways]:
            yield Refusal("AH22.fire", "refusal.no_refuge", {"hex": self.hex})

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i, cell = play.taken.unit, state.roster.grid.cells[self.hex]
        run_from(play, i, next(pose for pose in refuges(state, i) if pose[0] == cell))


class EscapeChoice(Decision):
    """AH22.fire: the owner moves his unit."""

    clause = "AH22.fire"
    accepts = (RunTo,)

    def __init__(self, seat: int, unit: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.escape", {"unit": state.ids[self.unit]})

    def candidates(self, state: FormationsState) -> list[Action]:
        return [RunTo(state.roster.grid.names[pose[0]]) for pose in refuges(state, self.unit)]


class CleanUp(Step):
    """AH3.turn AH9.contact A.def.activated: markers and special orders come off."""

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        state.flags = [0] * len(state.flags)
        state.given = [0] * len(state.given)
        state.done = [0] * len(state.done)
        state.told = [0] * len(state.told)
        state.blows = []
        state.fire = [BLAZE if fire == NEW_BLAZE else fire for fire in state.fire]


class Judgement(Step):
    """AH27.victory: who holds the beacon, and is it over?"""

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        hex_ = state.roster.prize.beacon
        for side in (0, 1):
            here = [i for i in on_map(state, side) if hex_ in cells_of(state, i)]
            if any(state.kind[i] != CHARACTER and can_strike(state, i) for i in here):
                if state.beacon != side:
                    play.tell("AH27.victory", "event.beacon", side=("league", "horde")[side])
                state.beacon = side
        judge(play)
