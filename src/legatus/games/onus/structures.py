"""4 Structures in the open: villages, watchtowers, trenches, barricades, caltrops."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from ...kernel import Action, Play, Refusal, Step, Values
from ...parts import plane
from ...parts.plane import TOLERANCE
from .morale import MoraleCheck, wound
from .state import (
    ACTIVATED,
    CALTROPS,
    CARD,
    DIE,
    DONE,
    FIELD,
    IDLE,
    MOVED,
    NOBODY,
    SECTION,
    WORKS,
    OnusState,
    other,
)
from .table import enemies_touching, shape_of, standing, structure_shape, units_on

BODY = CARD.front // SECTION  # the columns of a card
# O4.caltrops.roll: its columns of sections: how far right of its middle and before it, and how big;
# OH.formation.6: the sections that are added to its front on the left and on the right come last
COLUMNS = (
    *(((column - (BODY - 1) / 2) * SECTION, 0, plane.Size(SECTION, CARD.depth)) for column in range(BODY)),
    *((side * (CARD.front + SECTION) / 2, SECTION / 2, plane.Size(SECTION, SECTION)) for side in (-1, 1)),
)


def structure_of(state: OnusState, name: str) -> int:
    n = state.roster.structure_index.get(name, NOBODY)
    return n if n >= 0 and not state.gone[n] else NOBODY


def touched(state: OnusState, i: int, n: int) -> bool:
    """Whether a unit lies against a structure or over it."""
    return plane.touches(shape_of(state, i), structure_shape(state, n))


def _free_hands(state: OnusState, i: int) -> Iterator[Refusal]:
    """OH.turn.2: an activation spent on works: activated, not moved yet, not in melee."""
    name: Values = {"unit": state.roster.units[i].id}
    if not state.flags[i] & ACTIVATED:
        yield Refusal("OH.turn.1", "refusal.not_activated", name)
    if state.flags[i] & DONE:
        yield Refusal("OH.turn.2", "refusal.moved", name)
    if state.fleeing[i]:
        yield Refusal("OH.flight.1", "refusal.fleeing", name)
    if state.backward:
        yield Refusal("OH.order.8", "refusal.only_back", name)


class OnUnit(Action):
    """What an activated unit does with a structure instead of moving."""

    def meant(self, state: OnusState) -> tuple[int, int]:
        decision = state.decision
        assert decision is not None
        i = state.roster.index.get(getattr(self, "unit", ""), NOBODY)
        if i not in units_on(state, decision.seat):
            i = NOBODY
        return i, structure_of(state, getattr(self, "structure", ""))

    def bars(self, state: OnusState, i: int, n: int) -> Iterator[Refusal]:
        raise NotImplementedError

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        i, n = self.meant(state)
        if i < 0:
            yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": getattr(self, "unit", "")})
        if n < 0:
            name = getattr(self, "structure", "")
            yield Refusal("O4.value.durability", "refusal.no_such_structure", {"structure": name})
        if i >= 0 and n >= 0:
            yield from _free_hands(state, i)
            yield from self.bars(state, i, n)


class Clear(OnUnit):
    """O4.caltrops.clear O4.caltrops.clear-safe: the tile is removed, and nothing else is done."""

    def __init__(self, unit: str, structure: str) -> None:
        self.unit: Final = unit
        self.structure: Final = structure

    def bars(self, state: OnusState, i: int, n: int) -> Iterator[Refusal]:
        if state.roster.structures[n].kind != CALTROPS or not touched(state, i, n):
            yield Refusal("O4.caltrops.clear", "refusal.no_caltrops", {"unit": self.unit})
        if enemies_touching(state, i):
            yield Refusal("O4.caltrops.clear", "refusal.in_melee", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        _remove(play, self, "O4.caltrops.clear")


class TearDown(OnUnit):
    """O4.works.remove: a trench or barricade that no enemy guards is removed."""

    def __init__(self, unit: str, structure: str) -> None:
        self.unit: Final = unit
        self.structure: Final = structure

    def bars(self, state: OnusState, i: int, n: int) -> Iterator[Refusal]:
        if state.roster.structures[n].kind not in WORKS or not touched(state, i, n):
            yield Refusal("O4.works.remove", "refusal.no_work", {"unit": self.unit})
        foes = units_on(state, other(state.roster.units[i].side))
        if any(touched(state, j, n) for j in foes):
            yield Refusal("O4.works.remove", "refusal.guarded", {"structure": self.structure})

    def perform(self, play: Play) -> None:
        _remove(play, self, "O4.works.remove")


def _remove(play: Play, action: Any, clause: str) -> None:
    state: OnusState = play.state
    state.gone[state.roster.structure_index[action.structure]] = 1
    state.flags[state.roster.index[action.unit]] |= IDLE
    play.tell(clause, "event.removes", unit=action.unit, structure=action.structure)
    play.then(play.taken)


def structure_actions() -> tuple[type[Action], ...]:
    return Clear, TearDown


def entry_actions(state: OnusState, i: int) -> list[Action]:
    """What an activated unit may do with what it touches."""
    unit, found = state.roster.units[i].id, list[Action]()
    for n in standing(state, (CALTROPS, *WORKS)):
        structure = state.roster.structures[n]
        if touched(state, i, n):
            found.append((Clear if structure.kind == CALTROPS else TearDown)(unit, structure.id))
    return found


# --- caltrops ------------------------------------------------------------------------------------


class Caltropped(Step):
    """O4.caltrops.roll O4.caltrops.before-combat O4.caltrops.no-events: a die for each section on them."""

    def __init__(self, unit: int) -> None:
        self.unit: Final = unit

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i = self.unit
        columns, state.pricked[i] = state.pricked[i] | columns_touching(state, i), 0
        if state.where[i] != FIELD or not state.flags[i] & MOVED or not columns:
            return
        dice = columns.bit_count()
        hits = sum(face == DIE for face in play.roll_pool(dice, DIE, (DIE - 1, DIE)))
        play.tell("O4.caltrops.roll", "event.caltrops", unit=state.roster.units[i].id, dice=dice, wounds=hits)
        if hits:
            wound(play, i, hits, "O4.caltrops.roll")
            play.then(MoraleCheck(i))


def columns_crossing(state: OnusState, i: int, stations: tuple[plane.Pose, ...]) -> int:
    """O4.caltrops.roll O4.caltrops.stay: the columns of sections that come over caltrops, as bits."""
    return _columns(state, i, stations, 0, TOLERANCE)


def columns_touching(state: OnusState, i: int) -> int:
    """O4.caltrops.roll: the columns that lie on caltrops or against them, as bits."""
    return _columns(state, i, (state.pose[i], state.pose[i]), 4 * TOLERANCE, -TOLERANCE)


def _columns(state: OnusState, i: int, stations: tuple[plane.Pose, ...], slimmer: int, inset: int) -> int:
    """The columns that come over caltrops; ``slimmer`` keeps them off what their neighbours touch."""
    tiles = [state.roster.structures[n].patch for n in standing(state, (CALTROPS,))]
    found = 0
    for bit, (along, onward, size) in enumerate(COLUMNS) if tiles else ():
        if bit >= BODY and not state.wings[i] & (1 << (bit - BODY)):
            continue
        ways = [plane.moved(pose, along, onward) for pose in stations]
        slim = plane.Size(size.front - slimmer, size.depth)
        if any(_strip_meets(a, b, slim, tile, inset) for a, b in pairwise(ways) for tile in tiles):
            found |= 1 << bit
    return found


def _strip_meets(a: plane.Pose, b: plane.Pose, size: plane.Size, tile: plane.Patch, inset: int) -> bool:
    """Whether one column of a card comes over a tile between two poses."""
    if a.turn == b.turn:
        return bool(plane.over(a, size, (b.x - a.x, b.y - a.y), tile.points, inset))
    return bool(plane.hull(a, b, size, inset).intersects(tile.shape))
