"""House rules: movement, contact, charge and disengagement."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from ...parts.hexes import CORNERS, OFF
from .cohesion import expose, price
from .sheet import Condition, UnitAction
from .state import (
    ADVANCE,
    BLAZE,
    CHARACTER,
    CHARGED,
    CONTACT,
    DIFFICULT,
    EXHAUSTED,
    FORMATION,
    HEDGEHOG,
    HOLD,
    MARCH,
    MOVED,
    MOVES,
    NO_STAKES,
    REGROUP,
    ROTATION,
    TORTOISE,
    WALL,
    FormationsState,
    before,
    behind,
    cells_of,
    enemies_at,
    engagers,
    engagers_at,
    fits,
    front_of,
    is_bad,
    is_troop,
    kind_of,
    limited_by,
    other,
    put,
    stack,
    tire,
    troops,
)

Cells = tuple[int, ...]
Pose = tuple[Cells, int]  # where, and facing
NEAR = 4  # AH6.instructions


# --- what a step costs and what bars it ----------------------------------------------------------


def allowance(state: FormationsState, i: int) -> int:
    """AH7.move AH21.modes: movement points; Rank Rotation has 2, a Hedgehog none."""
    whole = MOVES[kind_of(state, i).move]
    if state.kind[i] != FORMATION:
        return whole
    return {ROTATION: 2, HEDGEHOG: 0}.get(state.mode[i], whole)


def is_single(state: FormationsState, i: int) -> bool:
    """AH21.modes: Tortoise and Shield Wall make one step, wheel or turn about and no more."""
    return state.kind[i] == FORMATION and state.mode[i] in (TORTOISE, WALL)


def cost(state: FormationsState, old: Cells, new: Cells) -> int:
    """AH7.move: the dearer hex; AH23.stakes: a point more to go out through stakes."""
    fenced = any(a != b and is_fenced(state, a, b) for a, b in zip(old, new, strict=True))
    return price(state, new) + int(fenced)


def is_fenced(state: FormationsState, cell: int, to: int) -> bool:
    """AH23.stakes: whether stakes in ``cell`` stand towards ``to``."""
    if state.stakes[cell] == NO_STAKES:
        return False
    facing = state.stakes[cell]
    around = state.roster.grid.neighbours[cell]
    return to in (around[facing], around[(facing + 1) % 6])


def bars(state: FormationsState, i: int, start: Cells, cells: Cells) -> Iterator[Refusal]:
    """AH7.move AH6.instructions: what forbids a unit to enter some hexes, but for their price."""
    unit, side = {"unit": state.ids[i]}, state.side[i]
    if OFF in cells:
        yield Refusal("AH7.move", "refusal.off_map", {**unit})
        return
    if any(enemies_at(state, side, cell) for cell in cells):
        yield Refusal("AH7.move", "refusal.enemy_there", {**unit})
    if any(state.fire[cell] >= BLAZE for cell in cells):
        yield Refusal("AH7.move", "refusal.blaze_there", {**unit})
    if state.kind[i] == FORMATION and any(state.roster.terrain[cell] == DIFFICULT for cell in cells):
        yield Refusal("AH7.move", "refusal.difficult", {**unit})
    if state.kind[i] == CHARACTER:
        return
    bound = limited_by(state, i)
    if bound == HOLD and engagers_at(state, side, cells):
        yield Refusal("AH6.instructions", "refusal.holds", {**unit})
    if bound == REGROUP and comes_closer(state, side, start, cells):
        yield Refusal("AH6.instructions", "refusal.regroups", {**unit})


def comes_closer(state: FormationsState, side: int, start: Cells, cells: Cells) -> bool:
    """AH6.instructions: nearer to an enemy within four hexes than it was."""
    rows = state.roster.grid.distances
    for j in troops(state, other(side)):
        theirs = cells_of(state, j)
        was = min(rows[a][b] for a in start for b in theirs)
        if was <= NEAR and min(rows[a][b] for a in cells for b in theirs) < was:
            return True
    return False


def shifted(state: FormationsState, cells: Cells, direction: int) -> Cells:
    return tuple(state.roster.grid.neighbours[cell][direction % 6] for cell in cells)


def is_free(state: FormationsState, i: int) -> bool:
    """AH7.move: small units and characters go any way and turn free."""
    return kind_of(state, i).small


def step_directions(state: FormationsState, i: int, facing: int) -> range:
    return range(6) if is_free(state, i) else range(facing, facing + 2)


def may_end(state: FormationsState, i: int, start: Cells, pose: Pose, left: int) -> bool:
    """AH7.move: friends may be passed: a full hex may be entered by who can get on to one with room."""
    cells, facing = pose
    if fits(state, i, cells):
        return True
    if engagers_at(state, state.side[i], cells) or is_single(state, i):
        return False
    for direction in step_directions(state, i, facing):
        new = shifted(state, cells, direction)
        if next(bars(state, i, start, new), None) is None:
            rest = left - cost(state, cells, new)
            if rest >= 0 and may_end(state, i, start, (new, facing), rest):
                return True
    return False


# --- moving --------------------------------------------------------------------------------------


class Move(UnitAction, frozen=True):
    """AH7.move: take a unit to move it, step by step."""

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "AH8.engage", not engagers(state, i), "engaged_moves"
        yield "AH21.modes", allowance(state, i) > 0, "hedgehog"

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        start = cells_of(state, i)
        play.then(Moving(state.side[i], i, allowance(state, i), start, faced_by(state, i)))


def wheels(state: FormationsState, cells: Cells) -> Iterator[tuple[int, int]]:
    """AH7.move: (hex about which it wheels, hex to which the other one swings)."""
    grid = state.roster.grid
    for pivot, swings in ((cells[0], cells[1]), (cells[1], cells[0])):
        direction = grid.direction(pivot, swings)
        for way in (-1, 1):
            to = grid.neighbours[pivot][(direction + way) % 6]
            if to != OFF:
                yield pivot, to


def _moving(state: FormationsState) -> Moving | None:
    decision = state.decision
    return decision if isinstance(decision, Moving) else None


def _enter(state: FormationsState, moving: Moving, pose: Pose, paid: int) -> Iterator[Refusal]:
    """What is against a pose: what bars it, its price, and no room to end in."""
    i = moving.unit
    barred = list(bars(state, i, moving.start, pose[0]))
    yield from barred
    if paid > moving.left:
        yield Refusal(
            "AH7.move", "refusal.too_dear", {"unit": state.ids[i], "cost": paid, "left": moving.left}
        )
    elif not barred and not may_end(state, i, moving.start, pose, moving.left - paid):
        yield Refusal("AH18.stacking", "refusal.no_room", {"unit": state.ids[i]})


class StepTo(Action, frozen=True):
    """AH7.move: one hex on; of a formation, the outer front hex towards which it goes."""

    hex: str

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        moving = _moving(state)
        if moving is None:
            return
        to = state.roster.grid.cells.get(self.hex, OFF)
        pose = self._pose(state, moving.unit, to)
        if to == OFF or pose is None:
            yield Refusal("AH7.move", "refusal.not_ahead", {"unit": state.ids[moving.unit], "hex": self.hex})
            return
        paid = cost(state, cells_of(state, moving.unit), pose[0]) if OFF not in pose[0] else 0
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
        paid = cost(state, cells_of(state, i), pose[0])
        put(state, i, pose[0])
        names = tuple(state.roster.grid.names[cell] for cell in pose[0])
        play.tell("AH7.move", "event.steps", unit=state.ids[i], hexes=names)
        moving.goes_on(play, paid, entered=True)


class Turn(Action, frozen=True):
    """AH7.move: a large simple troop turns by a corner, for a point."""

    way: str

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        moving = _moving(state)
        if moving is None:
            return
        i = moving.unit
        if self.way not in ("left", "right"):
            yield Refusal("AH7.move", "refusal.no_such_way", {"way": self.way})
        if state.kind[i] == FORMATION or is_free(state, i):
            yield Refusal("AH7.move", "refusal.turns_otherwise", {"unit": state.ids[i]})
        elif not may_end(state, i, moving.start, self._pose(state, i), moving.left - 1):
            yield Refusal("AH18.stacking", "refusal.no_room", {"unit": state.ids[i]})

    def _pose(self, state: FormationsState, i: int) -> Pose:
        return cells_of(state, i), (state.facing[i] + (1 if self.way == "right" else -1)) % 6

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i = play.taken.unit
        _, state.facing[i] = self._pose(state, i)
        play.tell("AH7.move", "event.turns", unit=state.ids[i], corner=CORNERS[state.facing[i]])
        play.taken.goes_on(play, 1, entered=False)


class Wheel(Action, frozen=True):
    """AH7.move: a formation wheels about one of its hexes; the other swings to ``to``, for two points."""

    pivot: str
    to: str

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        moving = _moving(state)
        if moving is None:
            return
        cells = state.roster.grid.cells
        pivot, to = cells.get(self.pivot, OFF), cells.get(self.to, OFF)
        is_formation = state.kind[moving.unit] == FORMATION
        if not is_formation or (pivot, to) not in wheels(state, cells_of(state, moving.unit)):
            yield Refusal("AH7.move", "refusal.no_wheel", {"unit": state.ids[moving.unit]})
            return
        yield from _enter(state, moving, wheeled(state, moving.unit, pivot, to), 2)

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i, cells = play.taken.unit, state.roster.grid.cells
        where, facing = wheeled(state, i, cells[self.pivot], cells[self.to])
        put(state, i, where)
        state.facing[i] = facing
        names = tuple(state.roster.grid.names[cell] for cell in where)
        play.tell("AH7.move", "event.wheels", unit=state.ids[i], hexes=names, corner=CORNERS[facing])
        play.taken.goes_on(play, 2, entered=True)


def wheeled(state: FormationsState, i: int, pivot: int, to: int) -> Pose:
    """AH7.move: the facing turns by one corner with the hex that swings."""
    grid = state.roster.grid
    left, right = cells_of(state, i)
    swings = right if pivot == left else left
    way = (grid.direction(pivot, to) - grid.direction(pivot, swings) + 1) % 6 - 1  # -1 or 1
    facing = (state.facing[i] + way) % 6
    return ((pivot, to) if pivot == left else (to, pivot)), facing


class TurnAbout(Action, frozen=True):
    """AH7.move: a formation turns about, for two points, with Manoeuvre for one."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        moving = _moving(state)
        if moving is None:
            return
        if state.kind[moving.unit] != FORMATION:
            yield Refusal("AH7.move", "refusal.turns_otherwise", {"unit": state.ids[moving.unit]})
        elif self._price(state, moving.unit) > moving.left:
            paid = self._price(state, moving.unit)
            values: Values = {"unit": state.ids[moving.unit], "cost": paid, "left": moving.left}
            yield Refusal("AH7.move", "refusal.too_dear", values)
        elif not fits(state, moving.unit, cells_of(state, moving.unit)):
            yield Refusal("AH18.stacking", "refusal.no_room", {"unit": state.ids[moving.unit]})

    @staticmethod
    def _price(state: FormationsState, i: int) -> int:
        return 1 if kind_of(state, i).manoeuvre else 2

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i = play.taken.unit
        paid = self._price(state, i)
        state.facing[i] = (state.facing[i] + 3) % 6
        put(state, i, tuple(reversed(cells_of(state, i))))
        play.tell("AH7.move", "event.turns", unit=state.ids[i], corner=CORNERS[state.facing[i]])
        play.taken.goes_on(play, paid, entered=False)


class Halt(Action, frozen=True):
    """AH7.move: the move ends here."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        moving = _moving(state)
        if moving is not None and not fits(state, moving.unit, cells_of(state, moving.unit)):
            yield Refusal("AH18.stacking", "refusal.no_room", {"unit": state.ids[moving.unit]})

    def perform(self, play: Play) -> None:
        finish(play, play.taken)


class Moving(Decision, frozen=True):
    """AH7.move: which step next?  ``left`` are the points left, ``start`` is where it came from."""

    unit: int
    left: int
    start: Cells
    faced: tuple[int, ...]  # the enemies in front when it set out
    clause = "AH7.move"
    accepts = (StepTo, Turn, Wheel, TurnAbout, Halt)

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
        stopped = entered and state.kind[i] != CHARACTER and bool(engagers_at(state, state.side[i], cells))
        if left <= 0 or stopped or is_single(state, i):
            finish(play, self)
        else:
            play.then(Moving(self.seat, i, left, self.start, self.faced))
        if entered:
            endanger(play, i, cells)


def finish(play: Play, moving: Moving) -> None:
    """AH9.contact AH29.stack_order: the end of a move: facing, place in the stack, Contact."""
    state: FormationsState = play.state
    i = moving.unit
    steps: list[Step] = []
    if cells_of(state, i) != moving.start:
        state.flags[i] |= MOVED
        steps.append(Ranking(moving.seat, i))
    if is_free(state, i) and state.kind[i] != CHARACTER:
        steps.append(Facing(moving.seat, i))
    play.then(*steps, Touch(i, moving.faced))


class Face(Action, frozen=True):
    """AH7.move: small units turn free."""

    corner: str

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


class Facing(Decision, frozen=True):
    """AH7.move: which corner does a small unit face?"""

    unit: int
    clause = "AH7.move"
    accepts = (Face,)

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.face", {"unit": state.ids[self.unit]})

    def is_moot(self, state: FormationsState) -> bool:
        return state.cell[self.unit] < 0

    def candidates(self, state: FormationsState) -> list[Action]:
        return [Face(corner) for corner in CORNERS]


class InFront(Action, frozen=True):
    """AH29.stack_order: before the friends that are there."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i = play.taken.unit
        put(state, i, cells_of(state, i), before(state, cells_of(state, i)))


class Behind(Action, frozen=True):
    """AH29.stack_order: behind them."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i = play.taken.unit
        put(state, i, cells_of(state, i), behind(state, cells_of(state, i)))


class Ranking(Decision, frozen=True):
    """AH29.stack_order: before or behind the friends in the hex."""

    unit: int
    clause = "AH29.stack_order"
    accepts = (InFront, Behind)

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.ranking", {"unit": state.ids[self.unit]})

    def is_moot(self, state: FormationsState) -> bool:
        i = self.unit
        if state.cell[i] < 0 or state.kind[i] == CHARACTER:
            return True
        here = {j for cell in cells_of(state, i) for j in stack(state, cell) if j != i}
        return not any(state.kind[j] != CHARACTER for j in here)

    def candidates(self, state: FormationsState) -> list[Action]:
        return [InFront(), Behind()]


class Touch(Step, frozen=True):
    """AH9.contact: a unit that has come to have an enemy before it gets a Contact marker."""

    unit: int
    faced: tuple[int, ...]

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


# --- charging and disengaging --------------------------------------------------------------------


class Charge(UnitAction, frozen=True):
    """AH10.charge: at least two hexes straight on, to an enemy; ``hex`` is where it ends, its left hex."""

    hex: str

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "AH28.characters", state.kind[i] != CHARACTER, "character"
        yield "AH10.charge", not engagers(state, i), "engaged"
        yield "AH10.charge", not is_bad(state, i) and state.fatigue[i] != EXHAUSTED, "shaken_or_exhausted"
        march = state.kind[i] != FORMATION or state.mode[i] == MARCH
        yield "AH21.modes", march, "march_only"
        yield "AH6.instructions", limited_by(state, i) == ADVANCE, "no_charge_order"
        yield (
            "AH10.charge",
            self.hex in [state.roster.grid.names[c[0]] for c in charges(state, i)],
            "no_charge",
        )

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        way = charges(state, i)[
            next(c for c in charges(state, i) if state.roster.grid.names[c[0]] == self.hex)
        ]
        put(state, i, way[-1])
        state.flags[i] |= MOVED | CHARGED
        names = tuple(state.roster.grid.names[cell] for cell in way[-1])
        play.tell("AH10.charge", "event.charges", unit=self.unit, hexes=names)
        play.then(Ranking(state.side[i], i))
        endanger(play, i, tuple(dict.fromkeys(cell for cells in way for cell in cells)))


def charges(state: FormationsState, i: int) -> dict[Cells, tuple[Cells, ...]]:
    """AH10.charge: where a unit can charge to, each with one way there."""
    start, facing, side = cells_of(state, i), state.facing[i], state.side[i]
    if state.kind[i] == CHARACTER:
        return {}
    found: dict[Cells, tuple[Cells, ...]] = {}
    ways: list[tuple[tuple[Cells, ...], int]] = [((start,), allowance(state, i))]
    seen: dict[Cells, int] = {}  # the points left where it has been
    while ways:
        way, left = ways.pop()
        for direction in (facing, facing + 1):
            new = shifted(state, way[-1], direction)
            if OFF in new or not _can_charge_into(state, i, new):
                continue
            rest = left - cost(state, way[-1], new)
            if rest <= seen.get(new, -1):
                continue
            seen[new] = rest
            longer = (*way, new)
            meets = any(enemies_at(state, side, cell) for cell in front_of(state, new, facing))
            if len(longer) > 2 and meets and fits(state, i, new):
                found.setdefault(new, longer[1:])
            if not engagers_at(state, side, new):
                ways.append((longer, rest))
    return found


def _can_charge_into(state: FormationsState, i: int, cells: Cells) -> bool:
    """AH7.move AH10.charge: without enemies, blaze or Difficult ground."""
    return not any(
        enemies_at(state, state.side[i], cell)
        or state.fire[cell] >= BLAZE
        or state.roster.terrain[cell] == DIFFICULT
        for cell in cells
    )


class Disengage(UnitAction, frozen=True):
    """AH8.engage: one hex any way, to where nobody engages it; a formation's left hex is told."""

    hex: str

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "AH8.engage", bool(engagers(state, i)), "not_engaged"
        yield "AH21.modes", allowance(state, i) > 0, "hedgehog"

    def judge(self, state: FormationsState, i: int) -> Iterator[Refusal]:
        yield from super().judge(state, i)
        new = self._cells(state, i)
        if OFF in new:
            yield Refusal("AH8.engage", "refusal.one_hex", {"unit": self.unit})
            return
        yield from bars(state, i, cells_of(state, i), new)
        if engagers_at(state, state.side[i], new):
            yield Refusal("AH8.engage", "refusal.engaged_there", {"unit": self.unit})
        if not fits(state, i, new):
            yield Refusal("AH18.stacking", "refusal.no_room", {"unit": self.unit})

    def _cells(self, state: FormationsState, i: int) -> Cells:
        grid, cells = state.roster.grid, cells_of(state, i)
        direction = grid.direction(cells[0], grid.cells.get(self.hex, OFF))
        return (OFF,) if direction == OFF else shifted(state, cells, direction)

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        put(state, i, self._cells(state, i))
        state.flags[i] |= MOVED
        names = tuple(state.roster.grid.names[cell] for cell in cells_of(state, i))
        play.tell("AH8.engage", "event.disengages", unit=self.unit, hexes=names)
        if tire(state, i):
            play.tell("AH8.engage", "event.tires", unit=self.unit)
        play.then(Ranking(state.side[i], i))
        endanger(play, i, cells_of(state, i))
