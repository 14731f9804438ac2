"""House rules: flight, units that are lost, and what becomes of the characters with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from ...parts.hexes import CORNERS, OFF
from .ranking import Ranking
from .reach import price
from .state import (
    BLAZE,
    CHARACTER,
    DIE,
    DIFFICULT,
    FORMATION,
    LEAGUE,
    MOVES,
    ROUT,
    FormationsState,
)
from .units import (
    cells_of,
    distance,
    enemies_at,
    fits,
    is_troop,
    kind_of,
    put,
    remove,
    stack,
    troops,
)

HASTE = 1  # AH7.move: points more for a unit in Rout
LOST = 3  # AH28.characters: on 1 to 3


# --- units that are lost, and characters in danger ------------------------------------------------


def take_off(play: Play, i: int) -> None:
    """AH17.losses: a unit is lost with all its steps."""
    play.tell("AH17.losses", "event.lost", unit=play.state.ids[i])
    remove(play.state, i)


def lose(play: Play, i: int) -> None:
    """AH28.characters: a unit is lost where it stands; who leaves the map is not destroyed in a hex."""
    state: FormationsState = play.state
    cells = cells_of(state, i)
    take_off(play, i)
    for cell in cells if is_troop(state, i) else ():
        expose(play, state.side[i], cell)


def expose(play: Play, side: int, cell: int) -> None:
    """AH28.characters: characters of ``side`` left in a hex without a friendly troop are in danger."""
    state: FormationsState = play.state
    here = stack(state, cell)
    if any(state.side[i] == side and is_troop(state, i) for i in here):
        return
    play.then(*(Danger(i) for i in here if state.side[i] == side and state.kind[i] == CHARACTER))


class Danger(Step):
    """AH28.characters: on 1 to 3 lost, else with the nearest friendly troop that is not in Rout."""

    def __init__(self, character: int) -> None:
        self.character: Final = character

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


# --- flight ----------------------------------------------------------------------------------------


def rout_steps(state: FormationsState, i: int) -> list[Step]:
    """AH16.rout AH28.characters: the flight, and whether characters go along."""
    here = dict.fromkeys(c for cell in cells_of(state, i) for c in stack(state, cell))
    riders = [c for c in here if state.kind[c] == CHARACTER and state.side[c] == state.side[i]]
    return [*(GoAlong(state.side[i], c, i) for c in riders), flight(state, i)]


def flight(state: FormationsState, i: int) -> Flight:
    """AH7.move AH16.rout: with the full allowance of its type, and the bonus of those who run."""
    return Flight(i, MOVES[kind_of(state, i).move] + HASTE, ())


class Flight(Step):
    """AH16.rout: one hex after the other towards its own edge.  ``way`` are the poses it came through."""

    def __init__(self, unit: int, left: int, way: tuple[tuple[int, ...], ...]) -> None:
        self.unit: Final = unit
        self.left: Final = left
        self.way: Final = way

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
            take_off(play, i)
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
    opens = [pose for pose in poses if all(is_open(state, i, cell) for cell in pose)]
    return sorted(opens, key=lambda pose: price(state, pose))


def is_open(state: FormationsState, i: int, cell: int) -> bool:
    """AH16.rout: neither enemy troops nor a blaze, and for a formation not Difficult."""
    if cell == OFF or state.fire[cell] >= BLAZE or enemies_at(state, state.side[i], cell):
        return False
    return state.kind[i] != FORMATION or state.roster.terrain[cell] != DIFFICULT


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
    pose = next((pose for pose in poses if fits(state, i, pose)), way[0])
    came_on = pose != way[0]
    facing = home(state, i)
    if len(pose) > 1 and facing != state.facing[i]:  # AH2.footprint: turned about, its left is its right
        pose = pose[::-1]
    state.facing[i] = facing
    put(state, i, pose)
    names = tuple(state.roster.grid.names[cell] for cell in pose)
    play.tell("AH16.rout", "event.flees", unit=state.ids[i], hexes=names)
    if came_on:
        play.then(Ranking(state.side[i], i))


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


class Flee(Action):
    """AH16.rout: which way a unit in rout runs; of a formation, where its first hex goes."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

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


class FlightChoice(Decision):
    """AH16.rout: the owner chooses between two hexes."""

    clause = "AH16.rout"
    accepts = (Flee,)

    def __init__(self, seat: int, unit: int, left: int, way: tuple[tuple[int, ...], ...]) -> None:
        super().__init__(seat)
        self.unit: Final = unit
        self.left: Final = left
        self.way: Final = way

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.flee", {"unit": state.ids[self.unit]})

    def candidates(self, state: FormationsState) -> list[Action]:
        return [Flee(state.roster.grid.names[pose[0]]) for pose in onward(state, self.unit)]


# --- characters that go along --------------------------------------------------------------------


class Follow(Action):
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


class Remain(Action):
    """AH28.characters: the character stays where it is."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        pass


class GoAlong(Decision):
    """AH28.characters: a character whose troop routs may go along or stay."""

    clause = "AH28.characters"
    accepts = (Follow, Remain)

    def __init__(self, seat: int, character: int, troop: int) -> None:
        super().__init__(seat)
        self.character: Final = character
        self.troop: Final = troop

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.follow", {"unit": state.ids[self.character], "troop": state.ids[self.troop]})

    def candidates(self, state: FormationsState) -> list[Action]:
        return [Follow(), Remain()]


class Rejoin(Step):
    """AH28.characters: where the troop has run to; if it is lost, the character stays behind alone."""

    def __init__(self, character: int, troop: int) -> None:
        self.character: Final = character
        self.troop: Final = troop

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        if state.cell[self.character] < 0:
            return
        if state.cell[self.troop] >= 0:
            put(state, self.character, (state.cell[self.troop],))
        else:
            play.tell("AH28.characters", "event.left_behind", unit=state.ids[self.character])
