"""15 Formations: taking one up, leaving it, extending the front."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Play, Refusal, Values
from ...kernel.objects import replace
from .hidden import reveal
from .motion import REDUCED, Path, has_room, in_ford, in_the_open
from .pieces import OnTheMove, touches_enemy
from .ramparts import manned
from .state import FIELD, FORMATIONS, MOVED, NO_FORMATION, NOBODY, WEDGE, OnusState
from .state import REDUCED as WAS_REDUCED
from .table import LEFT_WING, RIGHT_WING, engaged
from .walls import lay


def form_bars(state: OnusState, moving: OnTheMove) -> Iterator[Refusal]:
    """OH.move.3 OH.melee.9 OH.order.8: a change of formation is a reduced move of a unit in the open."""
    i = moving.unit
    name: Values = {"unit": state.roster.units[i].id}
    if state.where[i] != FIELD:
        yield Refusal("OH.formation.5", "refusal.not_in_the_open", name)
    elif engaged(state, i):
        yield Refusal("OH.melee.9", "refusal.engaged", name)
    if state.backward:
        yield Refusal("OH.order.8", "refusal.only_back", name)
    if state.climbs[i] != NOBODY:  # O5.assault.no-formations O5.assault.uses-all-movement
        yield Refusal("O5.assault.no-formations", "refusal.climbing", name)


def formed(play: Play, moving: OnTheMove) -> None:
    """OH.move.3 O4.hidden.reveal: the whole move is a reduced one now; what forms up is seen."""
    reveal(play, moving.unit, "O4.hidden.reveal")
    play.then(replace(moving, mode=REDUCED))
    play.state.flags[moving.unit] |= MOVED | WAS_REDUCED


class Form(Action):
    """OH.formation.1 ... OH.formation.5: take a special formation or leave it, a reduced move."""

    def __init__(self, formation: str) -> None:
        self.formation: Final = formation

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        if self.formation not in FORMATIONS:
            yield Refusal("OH.formation.1", "refusal.no_such_formation", {"formation": self.formation})
            return
        yield from form_bars(state, moving)
        new = FORMATIONS.index(self.formation)
        if new == state.formation[i]:
            yield Refusal("OH.formation.1", "refusal.same_formation", {"formation": self.formation})
        elif new != NO_FORMATION and new not in state.roster.units[i].kind.formations:
            clause = "OH.formation.4" if new == WEDGE else "OH.unit.1"
            yield Refusal(clause, "refusal.not_its_formation", {"formation": self.formation})
        if state.broken[i]:
            yield Refusal("OH.broken.1", "refusal.broken_no_formation")
        if new != NO_FORMATION and in_ford(state, i):
            yield Refusal("O3.ford.formations", "refusal.no_formation_here")
        if new != NO_FORMATION and manned(state, i):
            yield Refusal("O5.withdrawal.formations", "refusal.no_formation_here")
        if new != NO_FORMATION and state.ram[i]:
            yield Refusal("O5.ram.no-ranged", "refusal.no_formation_here")
        if moving.spent > in_the_open(state, i, REDUCED):
            yield Refusal("OH.move.3", "refusal.too_far_for_reduced")

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        moving: OnTheMove = play.taken
        state.formation[moving.unit] = FORMATIONS.index(self.formation)
        unit = state.roster.units[moving.unit].id
        formed(play, moving)
        play.tell("OH.move.3", "event.forms", unit=unit, formation=self.formation)


ENDS = {"left": LEFT_WING, "right": RIGHT_WING, "both": LEFT_WING | RIGHT_WING, "neither": 0}


class Extend(Action):
    """OH.formation.6: a section more at one end of the front or at both, or none again; a reduced move."""

    def __init__(self, ends: str) -> None:
        self.ends: Final = ends

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        name: Values = {"unit": state.roster.units[i].id}
        if self.ends not in ENDS:
            yield Refusal("OH.formation.6", "refusal.no_such_end", {"ends": self.ends})
            return
        yield from form_bars(state, moving)
        if ENDS[self.ends] == state.wings[i]:
            yield Refusal("OH.formation.6", "refusal.same_width", name)
        elif ENDS[self.ends] and not self._has_room(state, i):
            yield Refusal("OH.formation.6", "refusal.no_room_to_extend", name)
        if moving.spent > in_the_open(state, i, REDUCED):
            yield Refusal("OH.move.3", "refusal.too_far_for_reduced")

    def _has_room(self, state: OnusState, i: int) -> bool:
        wide = state.copy()
        wide.wings[i] = ENDS[self.ends]
        pose = state.pose[i]
        return has_room(wide, i, pose) and not touches_enemy(wide, i, Path((pose,), 0))

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        moving: OnTheMove = play.taken
        state.wings[moving.unit] = ENDS[self.ends]
        lay(state, moving.unit)
        unit = state.roster.units[moving.unit].id
        formed(play, moving)
        play.tell("OH.formation.6", "event.extends" if ENDS[self.ends] else "event.closes_up", unit=unit)
