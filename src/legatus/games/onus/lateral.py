"""4 Walls: the charge along a wall, the only one to the side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Play, Refusal, Values
from ...parts.plane import RIGHT_ANGLE, TOLERANCE
from .contact import FLANKS, sections
from .hidden import Spotted
from .motion import LIMITED, REDUCED, Path, ahead, allowance, has_room, is_barred, spans_over
from .pieces import OnTheMove, follow, unit_named
from .ramparts import is_within
from .state import CHARGED, FIELD, MOVED, OnusState, other
from .state import LIMITED as WAS_LIMITED
from .table import laid
from .walls import stands_along

SIDEWAYS = (RIGHT_ANGLE, 3 * RIGHT_ANGLE)


def run_along(state: OnusState, i: int, j: int) -> Path | None:
    """O4.lateral.charge: sideways along the wall until the flank meets an enemy inside, if it does."""
    if not stands_along(state, i) or state.where[j] != FIELD or not is_within(state, j):
        return None
    far = allowance(state, i, LIMITED)
    for angle in SIDEWAYS:
        stations = (state.pose[i], ahead(state.pose[i], angle, far))
        spans = [span for patch in laid(state)[j] for span in spans_over(state, i, stations, patch, 0)]
        if not spans or far <= 0:
            continue
        distance = int(min(low for low, _ in spans) * far)
        path = Path(
            (state.pose[i], ahead(state.pose[i], angle, distance)), distance, False, "O4.lateral.charge"
        )
        if (
            not is_barred(state, i, path, j)
            and has_room(state, i, path.end, j)
            and _flanks(state, i, j, path)
        ):
            return path
    return None


def _flanks(state: OnusState, i: int, j: int, path: Path) -> bool:
    after = state.copy()
    after.pose[i] = path.end
    return any(sections(after, i, j)[side] for side in FLANKS)


class ChargeAlong(Action):
    """O4.lateral.charge O4.beat-defender.example: sideways along the wall, limited, against who is inside."""

    def __init__(self, target: str) -> None:
        self.target: Final = target

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        j = unit_named(state, other(moving.seat), self.target)
        if j < 0:
            yield Refusal("OH.move.9", "refusal.no_such_enemy", {"unit": self.target})
            return
        yield from moving.stance_bars(state)
        name: Values = {"unit": state.roster.units[i].id}
        if moving.mode == REDUCED or moving.on:
            yield Refusal("OH.move.3", "refusal.reduced_no_charge", name)
        if state.broken[i]:
            yield Refusal("OH.broken.1", "refusal.broken_no_charge", name)
        path = run_along(state, i, j)
        if path is None:
            yield Refusal("O4.lateral.charge", "refusal.no_way_along", {"unit": self.target})
        else:
            yield from moving.cost_bars(state, path, moving.mode, TOLERANCE)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        moving: OnTheMove = play.taken
        i, j = moving.unit, state.roster.index[self.target]
        path = run_along(state, i, j)
        assert path is not None
        follow(play, i, path)
        state.flags[i] |= MOVED | CHARGED | WAS_LIMITED
        unit = state.roster.units[i].id
        play.tell("O4.lateral.charge", "event.charges_along", unit=unit, target=self.target)
        play.then(Spotted())
