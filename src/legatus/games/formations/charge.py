"""House rules: charging and disengaging."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Play, Refusal
from ...parts.hexes import OFF
from .movement import endanger
from .ranking import Ranking
from .reach import Cells, allowance, bars, cost, is_apart, shifted
from .sheet import Condition, UnitAction
from .state import (
    ADVANCE,
    BLAZE,
    CHARACTER,
    CHARGED,
    DIFFICULT,
    EXHAUSTED,
    FORMATION,
    MARCH,
    MOVED,
    FormationsState,
)
from .units import (
    cells_of,
    enemies_at,
    engagers,
    engagers_at,
    fits,
    front_of,
    is_bad,
    limited_by,
    put,
    tire,
)


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
