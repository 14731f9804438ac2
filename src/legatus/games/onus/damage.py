"""4 and 6 Damage: what structures withstand, what burns, who is in them, which sections touch them."""

from __future__ import annotations

from functools import lru_cache

from shapely.geometry.base import BaseGeometry

from ...parts import plane
from ...parts.plane import FRONT, REAR, RIGHT, SIDES, TOLERANCE, Pose
from .ramparts import is_gate_down, is_within
from .sorts import GATE
from .state import (
    BRIDGES,
    CARD,
    CROSSING,
    FIELD,
    LEAST,
    NOBODY,
    SECTION,
    SIEGE_TOWER,
    TOWERS,
    VILLAGE,
    WALLS,
    OnusState,
    Structure,
)
from .table import LEFT_WING, position, sections_on, shape_at, standing, structure_shape, units_in, units_on

CLOSED = (*TOWERS, VILLAGE)  # O6.razed.closed: who is inside is lost with it
CREW = 4  # O6.extinguish.action: the sections of a unit in a closed structure
COLUMNS = CARD.front // SECTION

Square = tuple[int, int]  # a section of a card: its column from the left, its row from the front


# --- what stands and what burns ------------------------------------------------------------------


def targets(state: OnusState) -> list[int]:
    """O5.artillery.targets: the structures that can be damaged at all."""
    structures = state.roster.structures
    return [n for n in standing(state) if structures[n].sort.resistance]


def can_burn(state: OnusState, n: int) -> bool:
    """O4.gate.material: wood burns; of a stone wall the gate does, as long as it stands."""
    burns = state.roster.structures[n].sort.burns
    return not state.gone[n] and (burns == "yes" or (burns == "gate" and not is_gate_down(state, n)))


def is_burning(state: OnusState, n: int) -> bool:
    """O1.fire-marker: whether there are fire markers on a structure, older ones or new ones."""
    return bool(state.fire[n] + state.lit[n])


def near_of(state: OnusState, n: int) -> BaseGeometry:
    """A structure where it stands, grown by the tolerance."""
    return _near_at(state.roster.structures[n], state.spots[n])


def _near_at(structure: Structure, spot: Pose) -> BaseGeometry:
    return plane.grown(shape_at(structure, spot)) if structure.kind == SIEGE_TOWER else structure.near


def adjoining(state: OnusState, n: int) -> list[int]:
    """O6.spread: the structures that adjoin the sides of one and can burn."""
    keep = state.roster.keep
    pieces = keep.pieces if keep is not None else ()
    found = []
    for m in standing(state):
        if m == n or not can_burn(state, m):
            continue
        if keep is not None and n in pieces and m in pieces:
            beside = m in keep.neighbours[pieces.index(n)]
        else:
            side = structure_shape(state, m).exterior.intersection(near_of(state, n))
            beside = bool(side.length >= LEAST)
        if beside:
            found.append(m)
    return found


# --- sections ------------------------------------------------------------------------------------


def _squares_on(pose: Pose, wings: int, near: BaseGeometry) -> frozenset[Square]:
    """OH.contact.1: the sections of a unit that lie against a shape, grown by the tolerance; each once."""
    left = bool(wings & LEFT_WING)
    pairs = [(side, number) for side in SIDES for number in sections_on(pose, CARD, wings, side, near)]
    return frozenset(_square(side, number, left) for side, number in pairs)


def _square(side: int, number: int, left: bool) -> Square:
    """The section at a place of a side; the sides are counted clockwise from the front left corner."""
    if side == FRONT:
        return number - left, 0
    if side == REAR:
        return COLUMNS - 1 - number, 1
    return (COLUMNS - 1, number) if side == RIGHT else (0, 1 - number)


def sections_at(state: OnusState, i: int, n: int) -> frozenset[Square]:
    """The sections of a unit in the open that lie against a structure."""
    if state.where[i] != FIELD:
        return frozenset()
    return _squares_at(state.pose[i], state.wings[i], state.roster.structures[n], state.spots[n])


@lru_cache(maxsize=20_000)
def _squares_at(pose: Pose, wings: int, structure: Structure, spot: Pose) -> frozenset[Square]:
    if not plane.touches(plane.card(pose, CARD, -SECTION), shape_at(structure, spot)):
        return frozenset()
    return _squares_on(pose, wings, _near_at(structure, spot))


def sections_at_gate(state: OnusState, i: int, n: int) -> frozenset[Square]:
    """O4.gate.melee-choice OH.piece.1: its sections before the gate, the two middle sections of the wall."""
    pose, size = state.spots[n], plane.Size(2 * SECTION, state.roster.structures[n].size.depth)
    if state.where[i] != FIELD or state.roster.structures[n].kind != GATE:
        return frozenset()
    return _squares_on(state.pose[i], state.wings[i], plane.card(pose, size, -plane.TOLERANCE))


# --- who is in it --------------------------------------------------------------------------------


def occupants(state: OnusState, n: int) -> list[int]:
    """O5.collateral.roll O4.overlap.wall-collateral: who is in a structure or on it.

    On a wall: all who touch it from within, in a stack the covered ones too, and who is in its gate.
    """
    kind = state.roster.structures[n].kind
    if kind in WALLS:
        memo, key = position(state).memo, ("occupants", n)
        if key not in memo:
            near = units_in(state, state.roster.structures[n].patch.box, TOLERANCE)
            inner = [i for i in near if is_within(state, i) and sections_at(state, i, n)]
            memo[key] = [*inner, *(i for i in near if state.where[i] == CROSSING and state.inside[i] == n)]
        return list(memo[key])
    if kind in CLOSED or kind in BRIDGES:
        return [i for i in units_on(state) if state.inside[i] == n]
    return []


def is_own(state: OnusState, seat: int, n: int) -> bool:
    """O5.artillery.targets: held by units of this side only, or built by it and held by nobody."""
    sides = {state.roster.units[i].side for i in occupants(state, n)}
    return sides == {seat} or (not sides and state.roster.structures[n].owner == seat != NOBODY)
