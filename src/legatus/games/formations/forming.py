"""5 Merge, 6 Change mode, 7 Join, 8 Constitute, 9 Leave and 10 Break a formation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, Final

from ...kernel import Play, Term
from ...parts.hexes import FLANK, OFF
from .cohesion import two_dice
from .sheet import Condition, UnitAction
from .state import (
    ACTIVATED,
    CHARACTER,
    CHARGED,
    CLEAR,
    CONTACT,
    EXHAUSTED,
    FORMATION,
    GROUND,
    HEDGEHOG,
    LARGEST,
    LIMIT,
    MARCH,
    MODES,
    NOBODY,
    ROTATION,
    SIMPLE,
    SMALLEST,
    TORTOISE,
    WALL,
    WHOLE,
    FormationsState,
    Type,
)
from .units import (
    add,
    angle_from,
    before,
    behind,
    cells_of,
    engagers,
    is_bad,
    is_regrouped,
    kind_of,
    load,
    neighbours_of,
    points_per_step,
    remove,
    stack,
    unit_of,
)

LEAVERS, BREAKERS = 6, 8  # A.leave.c1 A.break.c1: steps
Shares = tuple[tuple[int, ...], tuple[int, ...]]  # the steps of the troops in the left hex and the right one


def fit(state: FormationsState, i: int) -> bool:
    """Neither Shaken (nor in Rout) nor Exhausted."""
    return not is_bad(state, i) and state.fatigue[i] != EXHAUSTED


def worst(state: FormationsState, into: int, units: list[int]) -> None:
    """The worst fatigue and the worst ammunition carry over."""
    for column in (state.fatigue, state.ammo):
        column[into] = max(column[i] for i in units)


def troops_at(state: FormationsState, cells: tuple[int, ...]) -> list[int]:
    """All troops in some hexes; characters are ignored."""
    return list(dict.fromkeys(i for cell in cells for i in stack(state, cell) if state.kind[i] != CHARACTER))


class PairAction(UnitAction):
    """Two troops, in any order: both lines are the same action.  Of two wings the active one's troop acts."""

    def __init__(self, unit: str, partner: str) -> None:
        super().__init__(min(unit, partner))
        self.partner: Final = max(unit, partner)

    def actor(self, state: FormationsState) -> str:
        """A.merge.c2: the first of the pair, unless only the second is of the wing that acts."""
        decision = state.decision
        wing, seat = getattr(decision, "wing", NOBODY), decision.seat if decision else NOBODY
        numbers = [unit_of(state, seat, name) for name in (self.unit, self.partner)]
        called = [i >= 0 and state.wing[i] == wing for i in numbers]
        return self.partner if called == [False, True] else self.unit

    def other(self, state: FormationsState) -> str:
        """The one that does not act."""
        return self.partner if self.actor(state) == self.unit else self.unit


class Merge(PairAction):
    """5 Merge: ``unit`` and ``partner`` become one troop, of the wing of the one that acts."""

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        j = unit_of(state, state.side[i], self.other(state))
        known = j >= 0 and j != i
        pair = [i, j] if known else [i]
        large = all(state.kind[k] == SIMPLE and not kind_of(state, k).small for k in pair)
        alike = known and state.type[i] == state.type[j] and state.cell[i] == state.cell[j]
        yield "A.merge.c1", known and large and alike, "no_such_pair"
        yield "A.merge.c2", known and state.facing[i] == state.facing[j], "other_facing"
        yield "A.merge.c3", all(state.steps[k] == 1 for k in pair), "not_one_step"
        yield "A.merge.c4", not any(neighbours_of(state, k) for k in pair), "enemy_adjacent"
        yield "A.merge.c5", all(fit(state, k) for k in pair), "shaken_or_exhausted"
        yield "A.merge.c6", all(is_regrouped(state, k) for k in pair), "not_regrouped"
        here = troops_at(state, (state.cell[i],))
        yield "A.merge.c7", not any(state.flags[k] & ACTIVATED for k in here), "some_activated"

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        j = state.ids.index(self.other(state))
        new = add(state, i, SIMPLE, WHOLE, (state.cell[i],), min(state.depth[i], state.depth[j]))
        worst(state, new, [i, j])  # A.merge.p2
        state.flags[new] = ACTIVATED  # A.merge.p3
        play.tell("A.merge.p1", "event.merges", unit=self.unit, partner=self.partner, made=state.ids[new])
        remove(state, i)
        remove(state, j)


class ChangeMode(UnitAction):
    """6 Change mode."""

    weighed = True

    def __init__(self, unit: str, mode: str) -> None:
        super().__init__(unit)
        self.mode: Final = mode

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "A.def.modes", state.kind[i] == FORMATION, "not_a_formation"
        yield "A.mode.c1", fit(state, i), "shaken_or_exhausted"
        marked = all(state.flags[j] & (CONTACT | CHARGED) for j in neighbours_of(state, i))
        yield "A.mode.c2", marked, "enemy_unmarked"
        manoeuvre = kind_of(state, i).manoeuvre
        clause = "A.mode.p1" if manoeuvre else "A.mode.p2"
        yield clause, self.mode in [MODES[m] for m in modes_of(kind_of(state, i))], "mode_closed"
        yield "A.mode.p10", self.mode != MODES[state.mode[i]], "same_mode"

    def terms(self, state: FormationsState) -> list[Term]:
        return list(organisation(state, state.ids.index(self.unit)))

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        if neighbours_of(state, i):  # A.mode.p4
            one, two = two_dice(play)
            added = sum(term.value for term in organisation(state, i))
            number = kind_of(state, i).number
            passed = one == two == 1 or one + two + added <= number  # A.mode.p8 A.mode.p9
            key = "event.passes" if passed else "event.fails_test"
            told: dict[str, Any] = {"roll": one + two, "added": f"{added:+}", "number": number}
            play.tell("A.mode.p5", key, unit=self.unit, test="organisation-test", **told)
            if not passed:
                return
        state.mode[i] = MODES.index(self.mode)
        play.tell("A.mode.p10", "event.mode", unit=self.unit, mode=self.mode)


def modes_of(kind: Type) -> tuple[int, ...]:
    """A.mode.p1 A.mode.p2: Shield Wall is for those without Manoeuvre."""
    return (MARCH, TORTOISE, ROTATION, HEDGEHOG) if kind.manoeuvre else (MARCH, WALL)


def organisation(state: FormationsState, i: int) -> Iterator[Term]:
    """A.mode.p3 A.mode.p4: the Organisation test, if enemies are adjacent."""
    if not neighbours_of(state, i):
        return
    if kind_of(state, i).manoeuvre:
        yield Term("A.mode.p6", "term.manoeuvre", -2)
    engaged = len(engagers(state, i))
    if engaged:
        yield Term("A.mode.p7", "term.engagers", engaged)


class Join(UnitAction):
    """7 Join: the simple troops in its hexes become part of the formation ``unit``."""

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        cells = cells_of(state, i)
        joining = [j for j in troops_at(state, cells) if j != i]
        yield "A.join.c1", state.kind[i] == FORMATION and fit(state, i), "no_fit_formation"
        yield (
            "A.join.c2",
            1 <= len(joining) <= 2 and all(state.kind[j] == SIMPLE for j in joining),
            "one_or_two",
        )
        yield "A.join.c3", all(alike(state, i, j) for j in joining), "unlike"
        bad = any(not fit(state, j) or state.flags[j] & ACTIVATED for j in joining)
        yield "A.join.c4", not bad, "joiners_unfit"
        yield "A.join.c5", all(state.depth[j] > state.depth[i] for j in joining), "not_behind"
        yield "A.join.c6", all(is_regrouped(state, j) for j in (i, *joining)), "not_regrouped"
        steps = sum(state.steps[j] for j in (i, *joining))
        yield "A.join.c7", steps <= largest(state, i), "too_large"
        yield "A.join.c8", not any(state.flags[j] & ACTIVATED for j in (i, *joining)), "some_activated"

    def carry_out(self, play: Play, i: int) -> None:
        """A.join.p1 A.join.p2 A.join.p4: all steps together; the counter and its face follow from them."""
        state: FormationsState = play.state
        joining = [j for j in troops_at(state, cells_of(state, i)) if j != i]
        state.steps[i] += sum(state.steps[j] for j in joining)
        worst(state, i, [i, *joining])  # A.join.p3
        for j in joining:
            play.tell(
                "A.join.p1", "event.joins", unit=state.ids[j], formation=self.unit, steps=state.steps[i]
            )
            remove(state, j)


def alike(state: FormationsState, i: int, j: int) -> bool:
    """Of the same type, wing and orientation."""
    return all(column[i] == column[j] for column in (state.type, state.wing, state.facing))


def largest(state: FormationsState, i: int) -> int:
    """A.def.command_profile AH20.command_profile: the steps that a formation of its type may have."""
    return LARGEST[kind_of(state, i).profile]


class Constitute(PairAction):
    """8 Constitute: the simple troops of its hex and of that of ``partner`` beside it become a formation."""

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        j = unit_of(state, state.side[i], self.other(state))
        pair = [i, j] if j >= 0 and j != i else [i]
        cells = meeting(state, *pair)
        angle = angle_from(state, i, cells[-1]) if len(cells) == 2 else OFF
        simple = all(state.kind[k] == SIMPLE for k in pair)
        partner = len(pair) == 2 and simple and alike(state, i, j)
        yield "A.constitute.c1", partner and angle != OFF, "no_partner"
        yield "A.constitute.c2", angle == FLANK, "not_beside"
        level = all(state.position[k] == GROUND for k in pair)
        clear = all(state.roster.terrain[cell] == CLEAR for cell in cells)
        yield "A.constitute.c3", level and clear, "not_clear"
        all_in = troops_at(state, cells)
        stacked = (k for cell in cells for k in stack(state, cell) if k not in pair)
        others = all(state.kind[k] == SIMPLE and alike(state, i, k) for k in stacked)
        yield "A.constitute.c4", others, "others_there"
        yield "A.constitute.c5", not any(neighbours_of(state, k) for k in all_in), "enemy_adjacent"
        steps = sum(state.steps[k] for k in all_in)
        yield "A.constitute.c6", len(cells) < 2 or steps >= SMALLEST, "too_small"
        yield "A.constitute.c7", all(fit(state, k) for k in all_in), "shaken_or_exhausted"
        yield "A.constitute.c8", all(is_regrouped(state, k) for k in all_in), "not_regrouped"
        yield "A.constitute.c9", largest(state, i) > 0, "no_formations"
        yield "A.constitute.c10", largest(state, i) == 0 or steps <= largest(state, i), "too_large"
        yield "A.constitute.c11", not any(state.flags[k] & ACTIVATED for k in all_in), "some_activated"

    def carry_out(self, play: Play, i: int) -> None:
        """A.constitute.p1 A.constitute.p2: one formation of all their steps."""
        state: FormationsState = play.state
        pair = [state.ids.index(name) for name in (self.unit, self.partner)]
        cells = in_order(state, i, (state.cell[pair[0]], state.cell[pair[1]]))
        all_in = troops_at(state, cells)
        new = add(state, i, FORMATION, sum(state.steps[k] for k in all_in), cells, before(state, cells))
        worst(state, new, all_in)  # A.constitute.p3
        state.flags[new] = ACTIVATED  # A.constitute.p4
        names = tuple(state.ids[k] for k in all_in)
        play.tell(
            "A.constitute.p1", "event.constitutes", units=names, made=state.ids[new], steps=state.steps[new]
        )
        for k in all_in:
            remove(state, k)


def meeting(state: FormationsState, i: int, j: int | None = None) -> tuple[int, ...]:
    """A.constitute.c1 A.constitute.c2: the hexes of two units that lie best to be united, or the only one."""
    if j is None:
        return cells_of(state, i)[:1]
    grid = state.roster.grid
    own, other = min(
        ((a, b) for a in cells_of(state, i) for b in cells_of(state, j)),
        key=lambda ab: (grid.direction(*ab) == OFF, angle_from(state, i, ab[1]) != FLANK, grid.distance(*ab)),
    )
    return (own,) if own == other else (own, other)


def in_order(state: FormationsState, i: int, cells: tuple[int, int]) -> tuple[int, int]:
    """AH2.footprint: the left hex of a formation first, as seen by who stands in it."""
    right = state.roster.grid.neighbours[cells[0]][(state.facing[i] + 2) % 6]
    return cells if right == cells[1] else (cells[1], cells[0])


class Leave(UnitAction):
    """9 Leave: one complete troop splits off in each of ``hexes``, one of the formation's or both."""

    def __init__(self, unit: str, hexes: tuple[str, ...]) -> None:
        super().__init__(unit)
        self.hexes: Final = hexes

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        cells = cells_of(state, i)
        named = [state.roster.grid.cells.get(name, NOBODY) for name in self.hexes]
        is_formation = state.kind[i] == FORMATION
        yield "A.leave.c1", is_formation and state.steps[i] >= LEAVERS, "too_few_steps"
        yield "A.leave.c2", fit(state, i), "shaken_or_exhausted"
        yield "A.leave.c3", not neighbours_of(state, i), "enemy_adjacent"
        yield "A.leave.c4", all(state.roster.terrain[cell] == CLEAR for cell in cells), "not_clear"
        yield "A.leave.c5", is_regrouped(state, i), "not_regrouped"
        own = 1 <= len(named) <= 2 and len(set(named)) == len(named) and all(cell in cells for cell in named)
        yield "A.leave.p1", own, "one_a_hex"
        left = state.steps[i] - WHOLE * len(named)
        yield "A.leave.p3", left >= SMALLEST, "too_small"
        each = WHOLE * points_per_step(kind_of(state, i))
        full = any(load(state, cell, (i,)) + left + each * named.count(cell) > LIMIT for cell in cells)
        yield "A.leave.c6", not (own and is_formation) or not full, "overstacked"

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        cells = tuple(state.roster.grid.cells[name] for name in self.hexes)
        state.steps[i] -= WHOLE * len(cells)  # A.leave.p2 A.leave.p5 A.leave.p6
        made = [add(state, i, SIMPLE, WHOLE, (cell,), behind(state, (cell,))) for cell in cells]  # A.leave.p4
        inherit(state, i, made)  # A.leave.p8
        names = tuple(state.ids[k] for k in made)
        play.tell("A.leave.p1", "event.leaves", unit=self.unit, made=names, steps=state.steps[i])


def inherit(state: FormationsState, i: int, made: list[int]) -> None:
    """A.leave.p7 A.break.p4: Activated, with the fatigue, cohesion and ammunition of the formation."""
    for k in made:
        state.flags[k] = ACTIVATED
        for column in (state.fatigue, state.cohesion, state.ammo):
            column[k] = column[i]


class Break(UnitAction):
    """10 Break: into ``troops`` simple troops, 2 to 4; ``hex`` gets the larger part, where the two differ.

    Left out, the larger part goes to the left hex, or to the right one if only there is room for it.  The
    troops are divided as evenly as the steps; ``singly`` makes troops of one step of the larger part instead.
    """

    def __init__(self, unit: str, troops: int, hex: str = "", singly: bool = False) -> None:
        super().__init__(unit)
        self.troops: Final = troops
        self.hex: Final = hex
        self.singly: Final = singly

    def in_rout(self) -> bool:
        return True

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        cells = cells_of(state, i)
        is_formation = state.kind[i] == FORMATION
        yield "A.break.c1", is_formation and state.steps[i] <= BREAKERS, "too_many_steps"
        yield "A.break.c2", not neighbours_of(state, i), "enemy_adjacent"
        yield "A.break.c3", all(state.roster.terrain[cell] == CLEAR for cell in cells), "not_clear"
        yield "A.break.c4", is_regrouped(state, i), "not_regrouped"
        possible = is_formation and can_split(state.steps[i], self.troops)
        yield "A.break.p1", possible, "two_to_four"
        if not possible:
            return
        ways = self.ways(state, i)
        even = bool(split(state.steps[i], self.troops, self.singly))
        yield "A.break.p2", even, "uneven"
        yield "A.break.p2", not even or bool(ways), "no_larger_part"
        yield "A.break.c5", not ways or any(has_room(state, i, way) for way in ways), "overstacked"

    def ways(self, state: FormationsState, i: int) -> tuple[Shares, ...]:
        """A.break.p2: the even arrangements that are meant."""
        found = split(state.steps[i], self.troops, self.singly)
        if not self.hex:
            return found
        names = [state.roster.grid.names[cell] for cell in cells_of(state, i)]
        known = len(found) == len(names) and self.hex in names
        return (found[names.index(self.hex)],) if known else ()

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        shares = next(way for way in self.ways(state, i) if has_room(state, i, way))
        made = []
        for cell, share in zip(cells_of(state, i), shares, strict=True):
            made += [add(state, i, SIMPLE, steps, (cell,), behind(state, (cell,))) for steps in share]
        inherit(state, i, made)  # A.break.p2b A.break.p4 A.break.p5
        names = tuple(state.ids[k] for k in made)
        play.tell("A.break.p1", "event.breaks", unit=self.unit, made=names)
        remove(state, i)  # A.break.p3


def breaks(state: FormationsState, i: int) -> Iterator[Break]:
    """A.break.p2: every way to break a formation up; its owner says where the larger part goes."""
    for troops, singly in product((2, 3, 4), (False, True)):
        ways = split(state.steps[i], troops, singly)
        cells = cells_of(state, i) if len(ways) > 1 else ()
        hexes = [state.roster.grid.names[cell] for cell in cells] or [""]
        if ways or not singly:
            yield from (Break(state.ids[i], troops, name, singly) for name in hexes)


def has_room(state: FormationsState, i: int, shares: Shares) -> bool:
    """A.break.c5: whether the troops can stand where the formation stood."""
    each = points_per_step(kind_of(state, i))
    hexes = zip(cells_of(state, i), shares, strict=True)
    return all(load(state, cell, (i,)) + each * sum(share) <= LIMIT for cell, share in hexes)


def can_split(steps: int, troops: int) -> bool:
    """A.break.p1: 2 to 4 troops of one or two steps each."""
    return 2 <= troops <= 4 and troops <= steps <= WHOLE * troops


@cache
def split(steps: int, troops: int, singly: bool = False) -> tuple[Shares, ...]:
    """A.break.p2: even in steps, then in troops; if there are two ways, the larger part is left and right.

    ``singly``: the other way there is, with the larger part in single steps; none if that is the same.
    """
    fewer_steps, fewer_troops = steps // 2, troops // 2
    if singly:
        fewer_troops = troops - (steps - fewer_steps)
    same = singly and fewer_troops == troops // 2
    if same or not can_split(steps, troops) or not fewer_troops <= fewer_steps <= WHOLE * fewer_troops:
        return ()
    larger = _shares(steps - fewer_steps, troops - fewer_troops)
    smaller = _shares(fewer_steps, fewer_troops)
    return ((larger, smaller),) if larger == smaller else ((larger, smaller), (smaller, larger))


def _shares(steps: int, troops: int) -> tuple[int, ...]:
    """Whole troops first."""
    whole = steps - troops
    return (WHOLE,) * whole + (1,) * (troops - whole)
