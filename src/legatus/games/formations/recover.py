"""1 Rest, 2 Reorganise, 3 Rally, 4 Reload."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from ...kernel import Play, Refusal, Term
from .cohesion import morale, on_fire, passes, two_dice
from .sheet import Condition, UnitAction
from .state import (
    DIFFICULT,
    EXHAUSTED,
    FORMATION,
    FRESH,
    FULL,
    GROUND,
    HEAT,
    NOBODY,
    ROUT,
    SHAKEN,
    STEADY,
    FormationsState,
)
from .units import (
    cells_of,
    complies,
    engagers,
    fits,
    has_leader_near,
    has_order,
    is_bad,
    is_regrouped,
    kind_of,
    nearest_enemy,
    stack,
)

REST = 8  # AH13.tests
RELOAD = 12  # A.reload.p4


class Test(UnitAction):
    """An action that is a test of two dice."""

    weighed = True
    test: ClassVar[str] = ""  # what the log calls it

    def number(self, state: FormationsState, i: int) -> int:
        return morale(state, i)

    def added(self, state: FormationsState, i: int) -> Iterator[Term]:
        """AH13.tests: what is added to the dice."""
        yield from ()

    def terms(self, state: FormationsState) -> list[Term]:
        return list(self.added(state, state.ids.index(self.unit)))

    def throw(self, play: Play, i: int, clause: str) -> tuple[bool, bool]:
        """Whether the test is passed, and whether a double fell."""
        state: FormationsState = play.state
        one, two = two_dice(play)
        added, number = sum(term.value for term in self.added(state, i)), self.number(state, i)
        passed = passes(one + two, added, number)
        key = "event.passes" if passed else "event.fails_test"
        told: dict[str, Any] = {"roll": one + two, "added": f"{added:+}", "number": number}
        play.tell(clause, key, unit=self.unit, test=self.test, **told)
        return passed, one == two


def common(state: FormationsState, i: int, leader: bool) -> Iterator[Term]:
    """AH13.tests AH22.fire: what all three tests have."""
    if state.fatigue[i] == EXHAUSTED:
        yield Term("AH13.tests", "term.exhausted", 1)
    if leader and has_leader_near(state, i):
        yield Term("AH13.tests", "term.leader", -1)
    if on_fire(state, i):
        yield Term("AH22.fire", "term.fire", 1)


class Rest(Test):
    """1 Rest."""

    test = "rest-test"

    def in_rout(self) -> bool:
        return True

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "A.rest.c1", state.fatigue[i] != FRESH, "not_tired"
        yield "A.rest.c2", not engagers(state, i), "engaged"

    def number(self, state: FormationsState, i: int) -> int:
        return REST

    def added(self, state: FormationsState, i: int) -> Iterator[Term]:
        yield from common(state, i, leader=False)
        if state.weather == HEAT:
            yield Term("AH13.tests", "term.heat", 1)
        if nearest_enemy(state, i) <= 3:
            yield Term("AH13.tests", "term.enemy_near", 1)
        if complies(state, i):
            yield Term("AH13.tests", "term.regroup", -1)

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        passed, double = self.throw(play, i, "A.rest.p1")
        if passed:
            state.fatigue[i] -= 1
            play.tell("A.rest.p2", "event.rests", unit=self.unit)
        if double and regenerates(state, i):
            state.steps[i] += 1
            play.tell("A.rest.p3", "event.regenerates", unit=self.unit, steps=state.steps[i])


def regenerates(state: FormationsState, i: int) -> bool:
    """A.rest.p3 AH18.stacking: never above its original number, nor above what its hex holds."""
    able = kind_of(state, i).regeneration and state.kind[i] != FORMATION
    return able and state.steps[i] < state.full[i] and fits(state, i, cells_of(state, i), state.steps[i] + 1)


class Reorganise(Test):
    """2 Reorganisation."""

    test = "reorganisation-test"

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "A.reorganise.c1", state.cohesion[i] == SHAKEN, "not_shaken"
        yield "A.reorganise.c2", not engagers(state, i), "engaged"
        yield "A.reorganise.c3", kind_of(state, i).small or not other_large(state, i), "crowded"
        elite = kind_of(state, i).morale == "elite"
        yield "A.reorganise.c4", elite or is_regrouped(state, i), "not_elite_or_regrouped"

    def added(self, state: FormationsState, i: int) -> Iterator[Term]:
        yield from common(state, i, leader=True)
        if nearest_enemy(state, i) <= 3:
            yield Term("AH13.tests", "term.enemy_near", 1)

    def carry_out(self, play: Play, i: int) -> None:
        if self.throw(play, i, "A.reorganise.p1")[0]:
            play.state.cohesion[i] = STEADY
            play.tell("A.reorganise.p2", "event.reorganises", unit=self.unit)


def other_large(state: FormationsState, i: int) -> int:
    """Other large units in the hexes of a unit."""
    here = {j for cell in cells_of(state, i) for j in stack(state, cell) if j != i}
    return sum(not kind_of(state, j).small for j in here)


class Rally(Test):
    """3 Rally."""

    test = "rally-test"

    def in_rout(self) -> bool:
        return True

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "A.rally.c1", state.cohesion[i] == ROUT, "not_in_rout"
        yield "A.rally.c2", all(len(stack(state, cell)) == 1 for cell in cells_of(state, i)), "stacked"
        yield "A.rally.c3", not engagers(state, i), "engaged"
        yield "A.rally.c4", kind_of(state, i).morale != "fragile", "fragile"
        elite = kind_of(state, i).morale == "elite"
        yield "A.rally.c5", elite or has_order(state, i), "not_elite_or_ordered"

    def added(self, state: FormationsState, i: int) -> Iterator[Term]:
        yield from common(state, i, leader=True)
        if nearest_enemy(state, i) <= 4:
            yield Term("AH13.tests", "term.enemy_near", 2)

    def carry_out(self, play: Play, i: int) -> None:
        """A.rally.p3: it keeps its orientation."""
        if self.throw(play, i, "A.rally.p1")[0]:
            play.state.cohesion[i] = SHAKEN
            play.tell("A.rally.p2", "event.rallies", unit=self.unit)


class Reload(UnitAction):
    """4 Reload."""

    weighed = True

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "A.reload.c1", not is_bad(state, i) and state.fatigue[i] != EXHAUSTED, "shaken_or_exhausted"
        yield "A.reload.c2", state.position[i] == GROUND, "not_on_ground"
        yield "A.reload.c3", not engagers(state, i), "engaged"
        yield "A.reload.c4", state.ammo[i] != FULL, "ammunition_full"
        yield "A.reload.source.2", source(state, state.side[i]) >= 0, "no_source"

    def judge(self, state: FormationsState, i: int) -> Iterator[Refusal]:
        yield from super().judge(state, i)
        if source(state, state.side[i]) >= 0 and supply(state, i) is None:
            yield Refusal("A.reload.p1", "refusal.no_supply", {"unit": self.unit})

    def terms(self, state: FormationsState) -> list[Term]:
        far = supply(state, state.ids.index(self.unit)) or 0
        return [Term("A.reload.p3", "term.distance", far // 3, {"hexes": far})]

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        far = supply(state, i) or 0
        if far < 3:
            play.tell("A.reload.p1", "event.reloads", unit=self.unit)
            state.ammo[i] = FULL
            return
        one, two = two_dice(play)
        added = far // 3  # A.reload.p3
        passed = one + two + added <= RELOAD
        key = "event.passes" if passed else "event.fails_test"
        told: dict[str, Any] = {"roll": one + two, "added": f"{added:+}", "number": RELOAD}
        play.tell("A.reload.p2", key, unit=self.unit, test="reloading", **told)
        if passed:
            state.ammo[i] = FULL
            play.tell("A.reload.p4", "event.reloads", unit=self.unit)


def source(state: FormationsState, side: int) -> int:
    """A.reload.source.1: the hex of the scenario's source, else of the commander in chief; GONE with him."""
    given = state.roster.sources[side]
    chief = state.roster.chiefs[side]
    return given if given >= 0 else state.cell[chief] if chief >= 0 else NOBODY


def supply(state: FormationsState, i: int) -> int | None:
    """A.reload.p1: hexes to the source, those strictly between Clear or Rough; None without a way."""
    goal, grid = source(state, state.side[i]), state.roster.grid
    reached = set(cells_of(state, i))
    edge, far = list(reached), 0
    while edge:
        if goal in reached:
            return far
        edge = [
            to
            for cell in edge
            for to in grid.neighbours[cell]
            if to >= 0 and to not in reached and (to == goal or state.roster.terrain[to] != DIFFICULT)
        ]
        reached.update(edge)
        edge = list(dict.fromkeys(edge))
        far += 1
    return None
