"""House rules: charging and disengaging."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Play, Refusal
from ...parts.hexes import OFF
from .movement import endanger
from .ranking import Ranking
from .reach import Cells, Pose, allowance, bars, cost, is_apart, shifted
from .sheet import Condition, UnitAction
from .state import (
    ADVANCE,
    BLAZE,
    CHARACTER,
    CHARGED,
    DIFFICULT,
    EXHAUSTED,
    FORMATION,
    GROUND,
    MARCH,
    MOVED,
    FormationsState,
)
from .units import (
    cells_of,
    enemy_ground,
    engagers,
    engagers_at,
    fits,
    front_of,
    is_bad,
    limited_by,
    put,
    tire,
)


class Charge(UnitAction):
    """AH10.charge: at least two hexes straight on, to an enemy; ``hex`` is where it ends, its left hex."""

    def __init__(self, unit: str, hex: str) -> None:
        super().__init__(unit)
        self.hex: Final = hex

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "AH28.characters", state.kind[i] != CHARACTER, "character"
        yield "AH25.special_positions", state.position[i] == GROUND, "only_on_ground"
        yield "AH10.charge", not engagers(state, i), "engaged"
        yield "AH10.charge", not is_bad(state, i) and state.fatigue[i] != EXHAUSTED, "shaken_or_exhausted"
        march = state.kind[i] != FORMATION or state.mode[i] == MARCH
        yield "AH21.modes", march, "march_only"
        yield "AH6.instructions", limited_by(state, i) == ADVANCE, "no_charge_order"
        end = state.roster.grid.cells.get(self.hex, OFF)
        yield "AH10.charge", any(way[-1][0] == end for way in charges(state, i)), "no_charge"

    def carry_out(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        end = state.roster.grid.cells[self.hex]
        way = next(way for way in charges(state, i) if way[-1][0] == end)
        put(state, i, way[-1])
        state.flags[i] |= MOVED | CHARGED
        names = tuple(state.roster.grid.names[cell] for cell in way[-1])
        play.tell("AH10.charge", "event.charges", unit=self.unit, hexes=names)
        play.then(Ranking(state.side[i], i))
        endanger(play, i, tuple(dict.fromkeys(cell for cells in way for cell in cells)))


def charges(state: FormationsState, i: int) -> Iterator[tuple[Cells, ...]]:
    """AH10.charge: one way to each place where a unit can charge to; enemies and blazes bar it."""
    if state.kind[i] == CHARACTER:
        return
    start, facing = cells_of(state, i), state.facing[i]
    held, engaging = enemy_ground(state, state.side[i])
    found: set[Cells] = set()
    ways: list[tuple[tuple[Cells, ...], int]] = [((start,), allowance(state, i))]
    seen: dict[Cells, int] = {}  # the points left where it has been
    while ways:
        way, left = ways.pop()
        for new, ahead in _onward(state, way[-1], facing):
            rest = left - cost(state, i, way[-1], new)
            if rest <= seen.get(new, -1) or not held.isdisjoint(new):
                continue
            if any(state.fire[cell] >= BLAZE for cell in new):
                continue
            seen[new] = rest
            longer = (*way, new)
            meets = len(longer) > 2 and not held.isdisjoint(ahead)
            if meets and new not in found and fits(state, i, new):
                found.add(new)
                yield longer[1:]
            if engaging.isdisjoint(new):
                ways.append((longer, rest))


def _onward(state: FormationsState, cells: Cells, facing: int) -> list[tuple[Cells, Cells]]:
    """AH7.move AH10.charge: steps straight on to open ground, each with its front hexes; kept by pose."""
    known: dict[Pose, list[tuple[Cells, Cells]]] = state.roster.kept.setdefault("lunges", {})
    pose = (cells, facing)
    if pose not in known:
        steps = [shifted(state, cells, direction) for direction in (facing, facing + 1)]
        ground = state.roster.terrain
        open_ = [new for new in steps if OFF not in new and DIFFICULT not in [ground[cell] for cell in new]]
        known[pose] = [(new, front_of(state, new, facing)) for new in open_]
    return known[pose]


class Disengage(UnitAction):
    """AH8.engage: one hex any way, to where nobody engages it; a formation's left hex is told."""

    def __init__(self, unit: str, hex: str) -> None:
        super().__init__(unit)
        self.hex: Final = hex

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "AH8.engage", bool(engagers(state, i)), "not_engaged"
        yield "AH21.modes", allowance(state, i) > 0, "hedgehog"

    def judge(self, state: FormationsState, i: int) -> Iterator[Refusal]:
        yield from super().judge(state, i)
        new = self._cells(state, i)
        if OFF in new:
            yield Refusal("AH8.engage", "refusal.one_hex", {"unit": self.unit})
            return
        yield from bars(state, i, new)
        if not is_apart(state, i, cells_of(state, i), new):
            yield Refusal("AH6.instructions", "refusal.regroups", {"unit": self.unit})
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
