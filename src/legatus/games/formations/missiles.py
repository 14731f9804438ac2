"""House rules: shooting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Play, Refusal, Term
from ...parts.hexes import FRONT, OFF
from .cohesion import DOUBLE_ONE, DOUBLE_SIX, CohesionTest, lose_steps, on_fire, two_dice
from .sheet import Condition, UnitAction
from .state import (
    CHARACTER,
    DIFFICULT,
    DIMINISHED,
    FLYING,
    FORMATION,
    INFILTRATING,
    RAIN,
    REGROUP,
    ROUGH,
    SPENT,
    TORTOISE,
    WALL,
    WINDED,
    FormationsState,
    other,
)
from .units import (
    angle_from,
    cells_of,
    distance,
    enemies_at,
    engagers,
    is_troop,
    kind_of,
    limited_by,
    stack,
    unit_of,
)

SEEN = 2  # AH25.special_positions: hexes from which who infiltrates can be shot at
TELLING = 4  # AH14.missile: so many below the number cost a step


class Shoot(UnitAction):
    """AH14.missile: a unit with a range shoots instead of moving."""

    weighed = True

    def __init__(self, unit: str, target: str) -> None:
        super().__init__(unit)
        self.target: Final = target

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "AH14.missile", kind_of(state, i).range > 0, "no_range"
        yield "AH14.missile", not engagers(state, i), "engaged"
        yield "AH14.missile", state.ammo[i] != SPENT, "spent"
        yield "AH25.special_positions", state.position[i] != INFILTRATING, "infiltrating"
        yield "AH6.instructions", limited_by(state, i) != REGROUP, "regroup_shoots_not"

    def judge(self, state: FormationsState, i: int) -> Iterator[Refusal]:
        yield from super().judge(state, i)
        j = unit_of(state, other(state.side[i]), self.target)
        if j < 0 or not is_troop(state, j):
            yield Refusal("AH28.characters", "refusal.no_target", {"target": self.target})
        elif distance(state, i, j) > kind_of(state, i).range or j not in targets(state, i):
            yield Refusal("AH14.missile", "refusal.no_shot", {"unit": self.unit, "target": self.target})

    def terms(self, state: FormationsState) -> list[Term]:
        return list(shot_terms(state, state.ids.index(self.unit), state.ids.index(self.target)))

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        j, number = state.ids.index(self.target), kind_of(state, i).number
        play.tell("AH14.missile", "event.shoots", unit=self.unit, target=self.target)
        one, two = two_dice(play)
        natural, added = one + two, sum(term.value for term in shot_terms(state, i, j))
        play.tell("AH14.missile", "event.shot", roll=natural, added=f"{added:+}", number=number)
        if one == two and one >= 4 and state.ammo[i] < SPENT:
            state.ammo[i] += 1
            key = "event.spent" if state.ammo[i] == SPENT else "event.diminished"
            play.tell("AH14.missile", key, unit=self.unit)
        below = number - natural - added
        if natural == DOUBLE_SIX or (below < 0 and natural != DOUBLE_ONE):
            return
        lost = int(below >= TELLING or natural == DOUBLE_ONE)
        outflanked = angle_from_afar(state, i, j) != FRONT
        play.then(CohesionTest(j, lost, outflanked))
        if lost:
            lose_steps(play, j, lost)


def angle_from_afar(state: FormationsState, i: int, j: int) -> int:
    """AH12.cohesion: from where a shot comes: by the hex next to the target on the way."""
    grid = state.roster.grid
    a, b = min(
        ((a, b) for a in cells_of(state, i) for b in cells_of(state, j)),
        key=lambda pair: grid.distance(*pair),
    )
    last = grid.line(a, b)[-2]
    return angle_from(state, j, last) if last not in cells_of(state, j) else FRONT


def targets(state: FormationsState, i: int) -> list[int]:
    """AH14.missile AH29.stack_order: the foremost troops within range and in the wedge of its front."""
    reach, side = kind_of(state, i).range, state.side[i]
    around = state.roster.grid.neighbours
    found: list[int] = []
    edge = list(cells_of(state, i))
    seen = set(edge)
    for far in range(1, reach + 1):
        ahead = [around[cell][(state.facing[i] + d) % 6] for cell in edge for d in (0, 1)]
        ahead = [cell for cell in dict.fromkeys(ahead) if cell != OFF and cell not in seen]
        seen.update(ahead)
        for cell in ahead:
            foes = enemies_at(state, side, cell)
            found += [j for j in foes if far <= SEEN or state.position[j] != INFILTRATING][:1]
        edge = [cell for cell in ahead if not any(state.kind[j] != CHARACTER for j in stack(state, cell))]
    return list(dict.fromkeys(found))


def shot_terms(state: FormationsState, i: int, j: int) -> Iterator[Term]:
    """AH14.missile: what is added to the roll."""
    kind = kind_of(state, i)
    if 2 * distance(state, i, j) > kind.range:
        yield Term("AH14.missile", "term.far", 1)
    if state.ammo[i] == DIMINISHED:
        yield Term("AH14.missile", "term.diminished", 1)
    if state.fatigue[i] == WINDED:
        yield Term("AH14.missile", "term.winded", 1)
    if kind_of(state, j).small:
        yield Term("AH14.missile", "term.target_small", 1)
    if state.position[j] == FLYING:
        yield Term("AH25.special_positions", "term.target_flying", 1)
    ground = max(state.roster.terrain[cell] for cell in cells_of(state, j))
    if ground == ROUGH:
        yield Term("AH14.missile", "term.rough", 1)
    if ground == DIFFICULT:
        yield Term("AH14.missile", "term.difficult", 2)
    if state.weather == RAIN:
        yield Term("AH14.missile", "term.rain", 2)
    if state.kind[j] == FORMATION:
        yield Term("AH14.missile", "term.target_formation", -1)
        if state.mode[j] == TORTOISE:
            yield Term("AH21.modes", "term.tortoise", 4)
        if state.mode[j] == WALL and angle_from_afar(state, i, j) == FRONT:
            yield Term("AH21.modes", "term.wall", 2)
    if on_fire(state, i):
        yield Term("AH22.fire", "term.fire", 1)
