"""House rules: movement and contact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from ...parts.hexes import CORNERS, OFF
from .ranking import Ranking
from .reach import (
    TURN,
    WHEEL,
    Cells,
    Pose,
    about_price,
    allowance,
    bars,
    cost,
    is_free,
    is_single,
    no_end,
    shifted,
    step_directions,
    turned_about,
    wheeled,
    wheels,
)
from .rout import expose
from .sheet import Condition, UnitAction
from .state import CHARACTER, CONTACT, FORMATION, MOVED, FormationsState, other
from .units import cells_of, enemies_at, engagers, front_of, is_stopped, is_troop, put


class Move(UnitAction):
    """AH7.move: take a unit to move it, step by step."""

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "AH8.engage", not engagers(state, i), "engaged_moves"
        yield "AH21.modes", allowance(state, i) > 0, "hedgehog"

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        start = cells_of(state, i)
        play.then(Moving(state.side[i], i, allowance(state, i), start, faced_by(state, i)))


def _moving(state: FormationsState) -> Moving | None:
    decision = state.decision
    return decision if isinstance(decision, Moving) else None


def _pose_of(state: FormationsState, i: int) -> Pose:
    return cells_of(state, i), state.facing[i]


def _enter(state: FormationsState, moving: Moving, pose: Pose, paid: int) -> Iterator[Refusal]:
    """What is against a pose with new hexes: what bars it, its price, and no end from there."""
    barred = list(bars(state, moving.unit, pose[0]))
    yield from barred
    if paid > moving.left or not barred:
        yield from _take(state, moving, pose, paid)


def _take(state: FormationsState, moving: Moving, pose: Pose, paid: int) -> Iterator[Refusal]:
    """AH7.move: what is against a pose: its price, and no end from there."""
    if paid > moving.left:
        values: Values = {"unit": state.ids[moving.unit], "cost": paid, "left": moving.left}
        yield Refusal("AH7.move", "refusal.too_dear", values)
    else:
        yield from no_end(state, moving.unit, moving.start, pose, moving.left - paid)


class StepTo(Action):
    """AH7.move: one hex on; of a formation, the outer front hex towards which it goes."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        moving = _moving(state)
        if moving is None:
            return
        to = state.roster.grid.cells.get(self.hex, OFF)
        pose = self._pose(state, moving.unit, to)
        if to == OFF or pose is None:
            yield Refusal("AH7.move", "refusal.not_ahead", {"unit": state.ids[moving.unit], "hex": self.hex})
            return
        paid = cost(state, moving.unit, cells_of(state, moving.unit), pose[0]) if OFF not in pose[0] else 0
        yield from _enter(state, moving, pose, paid)

    @staticmethod
    def _pose(state: FormationsState, i: int, to: int) -> Pose | None:
        """Where the unit stands after the step; None if it is none."""
        cells, facing, grid = cells_of(state, i), state.facing[i], state.roster.grid
        if state.kind[i] == FORMATION:
            if to == grid.neighbours[cells[0]][facing]:
                return shifted(state, cells, facing), facing
            if to == grid.neighbours[cells[1]][(facing + 1) % 6]:
                return shifted(state, cells, facing + 1), facing
            return None
        direction = grid.direction(cells[0], to)
        ways = [d % 6 for d in step_directions(state, i, facing)]
        return ((to,), facing) if direction in ways else None

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        moving: Moving = play.taken
        i = moving.unit
        pose = self._pose(state, i, state.roster.grid.cells[self.hex])
        assert pose is not None
        paid = cost(state, i, cells_of(state, i), pose[0])
        put(state, i, pose[0])
        names = tuple(state.roster.grid.names[cell] for cell in pose[0])
        play.tell("AH7.move", "event.steps", unit=state.ids[i], hexes=names)
        moving.goes_on(play, paid, entered=True)


class Turn(Action):
    """AH7.move: a large simple troop turns by a corner, for a point."""

    def __init__(self, way: str) -> None:
        self.way: Final = way

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        moving = _moving(state)
        if moving is None:
            return
        i = moving.unit
        if self.way not in ("left", "right"):
            yield Refusal("AH7.move", "refusal.no_such_way", {"way": self.way})
        if state.kind[i] == FORMATION or is_free(state, i):
            yield Refusal("AH7.move", "refusal.turns_otherwise", {"unit": state.ids[i]})
        else:
            yield from _take(state, moving, self._pose(state, i), TURN)

    def _pose(self, state: FormationsState, i: int) -> Pose:
        return cells_of(state, i), (state.facing[i] + (1 if self.way == "right" else -1)) % 6

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i = play.taken.unit
        _, state.facing[i] = self._pose(state, i)
        play.tell("AH7.move", "event.turns", unit=state.ids[i], corner=CORNERS[state.facing[i]])
        play.taken.goes_on(play, TURN, entered=False)


class Wheel(Action):
    """AH7.move: a formation wheels about one of its hexes; the other swings to ``to``, for two points."""

    def __init__(self, pivot: str, to: str) -> None:
        self.pivot: Final = pivot
        self.to: Final = to

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        moving = _moving(state)
        if moving is None:
            return
        cells = state.roster.grid.cells
        pivot, to = cells.get(self.pivot, OFF), cells.get(self.to, OFF)
        is_formation = state.kind[moving.unit] == FORMATION
        if not is_formation or (pivot, to) not in tuple(wheels(state, cells_of(state, moving.unit))):
            yield Refusal("AH7.move", "refusal.no_wheel", {"unit": state.ids[moving.unit]})
            return
        pose = wheeled(state, _pose_of(state, moving.unit), pivot, to)
        yield from _enter(state, moving, pose, WHEEL)

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i, cells = play.taken.unit, state.roster.grid.cells
        where, facing = wheeled(state, _pose_of(state, i), cells[self.pivot], cells[self.to])
        put(state, i, where)
        state.facing[i] = facing
        names = tuple(state.roster.grid.names[cell] for cell in where)
        play.tell("AH7.move", "event.wheels", unit=state.ids[i], hexes=names, corner=CORNERS[facing])
        play.taken.goes_on(play, WHEEL, entered=True)


class TurnAbout(Action):
    """AH7.move: a formation turns about, for two points, with Manoeuvre for one."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        moving = _moving(state)
        if moving is None:
            return
        if state.kind[moving.unit] != FORMATION:
            yield Refusal("AH7.move", "refusal.turns_otherwise", {"unit": state.ids[moving.unit]})
        else:
            i = moving.unit
            yield from _take(state, moving, turned_about(_pose_of(state, i)), about_price(state, i))

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i = play.taken.unit
        cells, state.facing[i] = turned_about(_pose_of(state, i))
        put(state, i, cells)
        play.tell("AH7.move", "event.turns", unit=state.ids[i], corner=CORNERS[state.facing[i]])
        play.taken.goes_on(play, about_price(state, i), entered=False)


class Halt(Action):
    """AH7.move: the move ends here."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        moving = _moving(state)
        if moving is not None:
            yield from no_end(state, moving.unit, moving.start, _pose_of(state, moving.unit), 0)

    def perform(self, play: Play) -> None:
        finish(play, play.taken)


class Moving(Decision):
    """AH7.move: which step next?  ``left`` are the points left, ``start`` is where it came from."""

    clause = "AH7.move"
    accepts = (StepTo, Turn, Wheel, TurnAbout, Halt)

    def __init__(
        self,
        seat: int,
        unit: int,
        left: int,
        start: Cells,
        faced: tuple[int, ...],  # the enemies in front when it set out
        entered: bool = False,  # it has not only turned
    ) -> None:
        super().__init__(seat)
        self.unit: Final = unit
        self.left: Final = left
        self.start: Final = start
        self.faced: Final = faced
        self.entered: Final = entered

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.moving", {"unit": state.ids[self.unit], "left": self.left})

    def candidates(self, state: FormationsState) -> list[Action]:
        names, i = state.roster.grid.names, self.unit
        cells, facing = cells_of(state, i), state.facing[i]
        steps: list[Action] = []
        if state.kind[i] == FORMATION:
            ahead = front_of(state, cells, facing)
            steps += [StepTo(names[to]) for to in ahead]
            steps += [Wheel(names[a], names[b]) for a, b in wheels(state, cells)]
            steps.append(TurnAbout())
        else:
            around = state.roster.grid.neighbours[cells[0]]
            steps += [StepTo(names[to]) for to in around if to != OFF]
            steps += [] if is_free(state, i) else [Turn("left"), Turn("right")]
        return [*steps, Halt()]

    def goes_on(self, play: Play, paid: int, entered: bool) -> None:
        """AH7.move: on, unless there is nothing left or it has entered an enemy's front."""
        state: FormationsState = play.state
        i, left = self.unit, self.left - paid
        cells = cells_of(state, i)
        state.flags[i] |= MOVED
        stopped = entered and is_stopped(state, i, cells)
        after = Moving(self.seat, i, left, self.start, self.faced, self.entered or entered)
        if left <= 0 or stopped or is_single(state, i):
            finish(play, after)
        else:
            play.then(after)
        if entered:
            endanger(play, i, cells)


def finish(play: Play, moving: Moving) -> None:
    """AH9.contact AH29.stack_order: the end of a move: facing, place in the stack, Contact."""
    state: FormationsState = play.state
    i = moving.unit
    steps: list[Step] = []
    if moving.entered:
        steps.append(Ranking(moving.seat, i))
    if is_free(state, i) and state.kind[i] != CHARACTER:
        steps.append(Facing(moving.seat, i))
    play.then(*steps, Touch(i, moving.faced))


class Face(Action):
    """AH7.move: small units turn free."""

    def __init__(self, corner: str) -> None:
        self.corner: Final = corner

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        if self.corner not in CORNERS:
            yield Refusal("AH1.grid", "refusal.no_such_corner", {"corner": self.corner})

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i, corner = play.taken.unit, CORNERS.index(self.corner)
        if corner != state.facing[i]:
            state.facing[i] = corner
            state.flags[i] |= MOVED
            play.tell("AH7.move", "event.turns", unit=state.ids[i], corner=self.corner)


class Facing(Decision):
    """AH7.move: which corner does a small unit face?"""

    clause = "AH7.move"
    accepts = (Face,)

    def __init__(self, seat: int, unit: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.face", {"unit": state.ids[self.unit]})

    def is_moot(self, state: FormationsState) -> bool:
        return state.cell[self.unit] < 0

    def candidates(self, state: FormationsState) -> list[Action]:
        return [Face(corner) for corner in CORNERS]


class Touch(Step):
    """AH9.contact: a unit that has come to have an enemy before it gets a Contact marker."""

    def __init__(self, unit: int, faced: tuple[int, ...]) -> None:
        self.unit: Final = unit
        self.faced: Final = faced

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        i = self.unit
        if state.cell[i] < 0 or state.kind[i] == CHARACTER or set(faced_by(state, i)) <= set(self.faced):
            return
        state.flags[i] |= CONTACT
        play.tell("AH9.contact", "event.contact", unit=state.ids[i])


def faced_by(state: FormationsState, i: int) -> tuple[int, ...]:
    """The enemy troops in its front hexes."""
    ahead = front_of(state, cells_of(state, i), state.facing[i])
    return tuple(dict.fromkeys(j for cell in ahead for j in enemies_at(state, state.side[i], cell)))


def endanger(play: Play, i: int, cells: Cells) -> None:
    """AH28.characters: enemy characters alone in hexes that a troop enters."""
    if is_troop(play.state, i):
        for cell in cells:
            expose(play, other(play.state.side[i]), cell)
