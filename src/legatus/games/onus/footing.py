"""8 The table: where a card can lie before the battle, whoever puts it there."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Refusal, Values
from ...parts import plane
from ...parts.plane import TOLERANCE, Pose
from .motion import villages_on
from .pieces import OVERLAPS
from .state import CARD, SIEGE, TOWERS, WALLS, OnusState, other
from .table import impassable, shape_of, standing, structure_shape, units_on
from .walls import faces_wall, overlap_fault, overlapped


def bars(state: OnusState, i: int, pose: Pose) -> Iterator[Refusal]:
    """OH.field.2 O3.impassable O4.village.pass-friends: what a unit cannot stand on, and on whom."""
    name: Values = {"unit": state.roster.units[i].id}
    shape = plane.card(pose, CARD, TOLERANCE)
    spared = overlapped(state, pose)
    closed = [n for n in standing(state, (*TOWERS, *WALLS)) if n not in spared]
    shut = [structure_shape(state, n) for n in closed]
    if any(shape.intersects(one) for one in (*impassable(state), *shut)):
        yield Refusal("O3.impassable", "refusal.in_the_way", name)
    if villages_on(state, i, pose):
        yield Refusal("O4.village.pass-friends", "refusal.over_village", name)
    clause = overlap_fault(state, i, pose)
    if clause:
        yield Refusal(clause, OVERLAPS[clause], name)
    foes = units_on(state, other(state.roster.units[i].side))
    if any(shape.intersects(shape_of(state, j)) for j in foes):
        yield Refusal("O7.deploy.attacker", "refusal.in_the_way", name)
    if SIEGE in state.roster.units[i].kind.traits and faces_wall(state, i, pose):
        yield Refusal("O5.artillery.no-wall-facing", "refusal.faces_no_wall", name)
