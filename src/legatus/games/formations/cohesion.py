"""House rules: cohesion, losses, rout, and what becomes of characters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Term
from ...parts.hexes import CORNERS, OFF
from .state import (
    BLAZE,
    CHARACTER,
    DIE,
    DIFFICULT,
    EXHAUSTED,
    FORMATION,
    LEAGUE,
    LIMIT,
    MORALES,
    MOVES,
    ROUT,
    SIMPLE,
    START,
    WHOLE,
    WINDED,
    FormationsState,
    add,
    behind,
    cells_of,
    distance,
    enemies_at,
    fits,
    has_leader_near,
    is_troop,
    kind_of,
    load,
    points_per_step,
    put,
    remove,
    stack,
    troops,
)

LOST = 3  # AH28.characters: on 1 to 3
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


class CohesionTest(Step, frozen=True):
    """AH12.cohesion: two dice against the morale number; failure makes it Shaken, and Shaken Rout."""

    unit: int
    lost: int = 0
    outflanked: bool = False
    extra: int = 0

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
        play.then(*rout_steps(state, i))


# --- rout ----------------------------------------------------------------------------------------


def rout_steps(state: FormationsState, i: int) -> list[Step]:
    """AH16.rout AH28.characters: the flight, and whether characters go along."""
    here = dict.fromkeys(c for cell in cells_of(state, i) for c in stack(state, cell))
    riders = [c for c in here if state.kind[c] == CHARACTER and state.side[c] == state.side[i]]
    return [*(GoAlong(state.side[i], c, i) for c in riders), Flight(i, allowance(state, i), ())]


def allowance(state: FormationsState, i: int) -> int:
    """AH7.move AH16.rout: the full allowance of its type, and the bonus of those who run."""
    return MOVES[kind_of(state, i).move] + 1


class Flight(Step, frozen=True):
    """AH16.rout: one hex after the other towards its own edge.  ``way`` are the poses it came through."""

    unit: int
    left: int
    way: tuple[tuple[int, ...], ...]

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        i = self.unit
        if state.cell[i] < 0:
            return
        cells = cells_of(state, i)
        edge = state.roster.edges[state.side[i]]
        at_edge = any(state.roster.grid.row(cell) == edge for cell in cells)
        ways = [] if at_edge else onward(state, i)
        if at_edge and self.left > 0:
            play.tell("AH16.rout", "event.runs_off", unit=state.ids[i])
            lose(play, i)
        elif not ways and not self.way:
            play.tell("AH16.rout", "event.cut_off", unit=state.ids[i])
            lose(play, i)
        elif not ways or (self.way and price(state, ways[0]) > self.left):
            _end_flight(play, i, self.way)
        elif len(ways) == 1 or price(state, ways[1]) > max(self.left, price(state, ways[0])):
            run_to(play, self, ways[0])
        else:
            play.then(FlightChoice(state.side[i], i, self.left, self.way))


def onward(state: FormationsState, i: int) -> list[tuple[int, ...]]:
    """AH16.rout: the open poses of the next row; the cheaper first."""
    grid, cells = state.roster.grid, cells_of(state, i)
    edge = state.roster.edges[state.side[i]]
    directions = (2, 3) if edge > grid.row(cells[0]) else (5, 0)
    poses = [tuple(grid.neighbours[cell][d] for cell in cells) for d in directions]
    opens = [pose for pose in poses if all(_is_open(state, i, cell) for cell in pose)]
    return sorted(opens, key=lambda pose: price(state, pose))


def _is_open(state: FormationsState, i: int, cell: int) -> bool:
    if cell == OFF or state.fire[cell] >= BLAZE or enemies_at(state, state.side[i], cell):
        return False
    return state.kind[i] != FORMATION or state.roster.terrain[cell] != DIFFICULT


def price(state: FormationsState, cells: tuple[int, ...]) -> int:
    """AH7.move: to enter; of two hexes the dearer one."""
    return max(1 + state.roster.terrain[cell] for cell in cells)


def run_to(play: Play, flight: Flight, pose: tuple[int, ...]) -> None:
    state: FormationsState = play.state
    i = flight.unit
    way = (*flight.way, cells_of(state, i))
    put(state, i, pose)
    play.then(Flight(i, flight.left - price(state, pose), way))


def _end_flight(play: Play, i: int, way: tuple[tuple[int, ...], ...]) -> None:
    """AH16.rout: in the last pose of its way that keeps the stacking limit, facing its edge."""
    state: FormationsState = play.state
    poses = [*reversed((*way, cells_of(state, i)))]
    pose = next((pose for pose in poses if fits(state, i, pose)), poses[-1])
    facing = home(state, i)
    if len(pose) > 1 and facing != state.facing[i]:  # AH2.footprint: turned about, its left is its right
        pose = pose[::-1]
    state.facing[i] = facing
    put(state, i, pose, behind(state, pose))
    names = tuple(state.roster.grid.names[cell] for cell in pose)
    play.tell("AH16.rout", "event.flees", unit=state.ids[i], hexes=names)


def home(state: FormationsState, i: int) -> int:
    """AH16.rout: the facing towards its own edge, as nearly as its kind allows."""
    south = state.roster.edges[state.side[i]] > state.roster.grid.row(state.cell[i])
    if state.roster.edges[state.side[i]] == state.roster.grid.row(state.cell[i]):
        south = state.side[i] == LEAGUE
    wanted = CORNERS.index("s" if south else "n")
    if state.kind[i] != FORMATION:
        return wanted
    across = (state.facing[i], (state.facing[i] + 3) % 6)
    return min(across, key=lambda facing: min((facing - wanted) % 6, (wanted - facing) % 6))


class Flee(Action, frozen=True):
    """AH16.rout: which way a unit in rout runs; of a formation, where its first hex goes."""

    hex: str

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, FlightChoice):
            ways = [state.roster.grid.names[pose[0]] for pose in onward(state, decision.unit)]
            if self.hex not in ways:
                yield Refusal("AH16.rout", "refusal.no_way", {"hex": self.hex})

    def perform(self, play: Play) -> None:
        choice: FlightChoice = play.taken
        state: FormationsState = play.state
        pose = next(p for p in onward(state, choice.unit) if state.roster.grid.names[p[0]] == self.hex)
        run_to(play, Flight(choice.unit, choice.left, choice.way), pose)


class FlightChoice(Decision, frozen=True):
    """AH16.rout: the owner chooses between two hexes."""

    unit: int
    left: int
    way: tuple[tuple[int, ...], ...]
    clause = "AH16.rout"
    accepts = (Flee,)

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.flee", {"unit": state.ids[self.unit]})

    def candidates(self, state: FormationsState) -> list[Action]:
        return [Flee(state.roster.grid.names[pose[0]]) for pose in onward(state, self.unit)]


# --- losses --------------------------------------------------------------------------------------


def lose(play: Play, i: int) -> None:
    """A unit is lost with all its steps."""
    state: FormationsState = play.state
    cells = cells_of(state, i)
    play.tell("AH17.losses", "event.lost", unit=state.ids[i])
    remove(state, i)
    for cell in cells if is_troop(state, i) else ():
        expose(play, state.side[i], cell)


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


class Stay(Action, frozen=True):
    """AH17.losses: in which of its hexes the rest of a formation stands."""

    hex: str

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


class RemnantChoice(Decision, frozen=True):
    """AH17.losses: the owner chooses the hex."""

    unit: int
    clause = "AH17.losses"
    accepts = (Stay,)

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.remnant", {"unit": state.ids[self.unit]})

    def is_moot(self, state: FormationsState) -> bool:
        return state.cell[self.unit] < 0

    def candidates(self, state: FormationsState) -> list[Action]:
        return [Stay(state.roster.grid.names[cell]) for cell in remnant_hexes(state, self.unit)]


# --- characters ----------------------------------------------------------------------------------


def expose(play: Play, side: int, cell: int) -> None:
    """AH28.characters: characters of ``side`` left in a hex without a friendly troop are in danger."""
    state: FormationsState = play.state
    here = stack(state, cell)
    if any(state.side[i] == side and is_troop(state, i) for i in here):
        return
    play.then(*(Danger(i) for i in here if state.side[i] == side and state.kind[i] == CHARACTER))


class Danger(Step, frozen=True):
    """AH28.characters: on 1 to 3 lost, else with the nearest friendly troop that is not in Rout."""

    character: int

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        i = self.character
        if state.cell[i] < 0:
            return
        face = play.roll(DIE, LOST)
        friends = [j for j in troops(state, state.side[i]) if state.cohesion[j] != ROUT]
        if face <= LOST or not friends:
            play.tell("AH28.characters", "event.character_lost", unit=state.ids[i], face=face)
            remove(state, i)
            return
        refuge = min(friends, key=lambda j: (distance(state, i, j), j))
        put(state, i, (state.cell[refuge],))
        play.tell(
            "AH28.characters", "event.character_saved", unit=state.ids[i], face=face, friend=state.ids[refuge]
        )


class Follow(Action, frozen=True):
    """AH28.characters: the character runs with its troop."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        choice: GoAlong = play.taken
        play.tell("AH28.characters", "event.follows", unit=play.state.ids[choice.character])
        # it is set down with the troop when the flight is over: the flight is the next step but these choices
        todo = play.state.todo
        at = next(n for n in range(len(todo) - 1, -1, -1) if isinstance(todo[n], Flight))
        todo.insert(at, Rejoin(choice.character, choice.troop))


class Remain(Action, frozen=True):
    """AH28.characters: the character stays where it is."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        pass


class GoAlong(Decision, frozen=True):
    """AH28.characters: a character whose troop routs may go along or stay."""

    character: int
    troop: int
    clause = "AH28.characters"
    accepts = (Follow, Remain)

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.follow", {"unit": state.ids[self.character], "troop": state.ids[self.troop]})

    def candidates(self, state: FormationsState) -> list[Action]:
        return [Follow(), Remain()]


class Rejoin(Step, frozen=True):
    """AH28.characters: where the troop has run to; if it is lost, the character stays behind alone."""

    character: int
    troop: int

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        if state.cell[self.troop] >= 0 and state.cell[self.character] >= 0:
            put(state, self.character, (state.cell[self.troop],))
