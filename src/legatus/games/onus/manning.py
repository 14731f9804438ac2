"""4 Walls: who lies on top behind them, and how a defender lets himself down on the outer side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Play, Refusal, Values
from ...kernel.objects import replace
from ...parts import plane
from ...parts.plane import FRONT, Pose
from .hidden import label
from .motion import Path, has_room
from .pieces import OnTheMove, follow, touches_enemy
from .ramparts import faces, manned, strips
from .state import CARD, FIELD, MOVED, NO_FORMATION, SECTION, OnusState
from .table import engaged
from .walls import friends_at, is_in_line, tuck

DOWN = SECTION + CARD.depth  # from behind a wall to before it


class Stack(Action):
    """O4.overlap.choose-top: under a friend instead of on top of him, or the other way round; once a move."""

    def __init__(self, friend: str) -> None:
        self.friend: Final = friend

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        values: Values = {"unit": label(state, moving.unit), "friend": self.friend}
        if self.friend not in stacked(state, moving.unit):
            yield Refusal("O4.overlap.choose-top", "refusal.no_overlap", values)
            return
        if _token(self.friend) in moving.aligned:
            yield Refusal("O4.overlap.choose-top", "refusal.stacked_already", values)
        if not state.flags[moving.unit] & MOVED:
            yield Refusal("O4.overlap.choose-top", "refusal.not_moved_yet", values)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        moving: OnTheMove = play.taken
        i, j = moving.unit, state.roster.index[self.friend]
        tuck(state, i, j)
        upper, lower = (i, j) if (i, j) in state.over else (j, i)
        play.tell(
            "O4.overlap.choose-top", "event.lies_on", unit=label(state, upper), friend=label(state, lower)
        )
        play.then(replace(moving, aligned=(*moving.aligned, _token(self.friend))))


def _token(friend: str) -> str:
    return f"stack {friend}"


def stacked(state: OnusState, i: int) -> list[str]:
    """The friends over or under whom a unit lies, front in line."""
    if state.where[i] != FIELD or state.roster.keep is None:
        return []
    found = friends_at(state, i, state.pose[i])
    return [state.roster.units[j].id for j in found if is_in_line(state.pose[i], state.pose[j])]


class ClimbDown(Action):
    """O4.wall.climb-down: a defender who faces a wall lets himself down outside, with all his movement."""

    def __init__(self, structure: str) -> None:
        self.structure: Final = structure

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        values: Values = {"unit": label(state, i), "structure": self.structure}
        if self.structure not in fronting(state, i):
            yield Refusal("O4.wall.climb-down", "refusal.not_facing", values)
            return
        if moving.spent or state.flags[i] & MOVED:
            yield Refusal("O4.wall.climb-down", "refusal.moved", values)
        if engaged(state, i):
            yield Refusal("OH.melee.9", "refusal.engaged", values)
        if state.backward:
            yield Refusal("OH.order.8", "refusal.only_back", values)
        if state.formation[i] != NO_FORMATION:
            yield Refusal("O5.assault.no-formations", "refusal.no_formation_here", values)
        end = foot(state, i)
        if not has_room(state, i, end):
            yield Refusal("O4.wall.climb-down", "refusal.no_room", values)
        elif touches_enemy(state, i, Path((end,), 0)):
            yield Refusal("O4.wall.climb-down", "refusal.contact_by_charge", values)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i = play.taken.unit
        follow(play, i, Path((foot(state, i),), 0))
        state.flags[i] |= MOVED
        play.tell("O4.wall.climb-down", "event.climbs_down", unit=label(state, i), structure=self.structure)


def foot(state: OnusState, i: int) -> Pose:
    """Beyond the wall, its rear against the outer face."""
    return plane.moved(state.pose[i], 0, DOWN)


def fronting(state: OnusState, i: int) -> list[str]:
    """O4.mounted.no-defences: the walls of its side that a unit on foot mans with its front."""
    structures, side = state.roster.structures, state.roster.units[i].side
    if state.where[i] != FIELD:
        return []
    own = [n for n in manned(state, i) if structures[n].owner == side]
    return [structures[n].id for n in own if _is_fronting(state, i, n)]


def _is_fronting(state: OnusState, i: int, n: int) -> bool:
    pose, wings = state.pose[i], state.wings[i]
    found = [strip for face in faces(state, n) for strip in strips(pose, CARD, wings, face.inner)]
    return any(strip.side == FRONT for strip in found)
