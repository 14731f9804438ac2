"""No defender blocks a gate, a breach or a wall without being within reach.

Run all of it with ``python -m tests.games.onus.sweep``; a seeded sample is a test of the suite.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple

from legatus.games.onus.assault import Ascent, Atop, StepIn
from legatus.games.onus.charges import Charge
from legatus.games.onus.contact import in_melee
from legatus.games.onus.crossing import Cross
from legatus.games.onus.design import Design
from legatus.games.onus.motion import has_room
from legatus.games.onus.movement import Halt, Move, Moves
from legatus.games.onus.pieces import Advance
from legatus.games.onus.ramparts import is_within
from legatus.games.onus.scenario import FortressEntry
from legatus.games.onus.state import ACTIVATED, CROSSING, FIELD, OnusState
from legatus.kernel import why_not
from legatus.parts import plane
from legatus.parts.plane import Pose

from .stage import at, battle, go_on, run

PLACES = ("gate", "breach", "wall")
DEPTHS = range(201)  # hundredths of a DU behind the inner face
OFFSETS = (-88, -53, 0, 44, 88)
HEADINGS = (0, 448, 900, 1800, 2700)
WALK = (
    "tower-right wall gate wall",
    "tower-right wall wall",
    "tower-right wall wall wall",
    "tower-right wall wall",
)
FORT = FortressEntry(at=(10, 9), plan=Design("deep", "wood", WALK))
TURNS = 4
HALF_FRONT, HALF_DEPTH = 88, 44


class Case(NamedTuple):
    """Behind what a defender stands, how far, how far aside, and where he looks to."""

    place: str
    depth: int
    offset: int
    heading: int


def cases() -> Iterator[Case]:
    """All of them."""
    return (
        Case(place, depth, offset, heading)
        for place in PLACES
        for depth in DEPTHS
        for offset in OFFSETS
        for heading in HEADINGS
    )


# --- one case ------------------------------------------------------------------------------------


def position(case: Case) -> OnusState | None:
    """An attacker before the place, or on top of the wall, and the defender; None without room for him."""
    up = "climbs=wall-1 climbed=1" if case.place == "wall" else ""
    state = battle(f"A hastati 2 16 {up}", "X sacred-band 2 2", fortress=FORT, size=(20, 18))
    piece = "gate-1" if case.place == "gate" else "wall-1"
    n = state.roster.structure_index[piece]
    outward = state.roster.structures[n].pose
    if case.place == "gate":
        state.damage[n] = state.roster.structures[n].sort.gate_durability
    elif case.place == "breach":
        state.gone[n] = 1
    inward = plane.turned(outward, 1800)
    state.pose[0] = plane.moved(inward, 0, -22 - HALF_DEPTH)
    across = case.heading % 1800 == 900
    reach = HALF_FRONT if across else HALF_DEPTH
    spot = plane.moved(inward, case.offset, 22 + case.depth + reach)
    state.pose[1] = Pose(spot.x, spot.y, (inward.turn + case.heading) % 3600)
    return state if has_room(state, 1, state.pose[1]) else None


def is_within_reach(state: OnusState) -> bool:
    """Whether the attacker can fight the defender or get past him, in a few turns of his own."""
    for _ in range(TURNS):
        if 1 in in_melee(state, 0):
            return True
        state = _next_turn(state)
        if state.climbs[0] >= 0:
            if not isinstance(state.decision, Atop) or why_not(state, StepIn()):
                return False
            state = run(state, StepIn())
            return 1 in in_melee(state, 0) or is_within(state, 0)
        if not why_not(state, Charge("X")):
            return 1 in in_melee(run(state, Charge("X")), 0)
        state = _onward(state)
        if state.where[0] == FIELD and is_within(state, 0):
            return True
    return False


def _next_turn(state: OnusState) -> OnusState:
    new = state.copy()
    new.turn, new.flags = new.turn + 2, [ACTIVATED, 0]
    if new.climbs[0] >= 0:
        return go_on(at(new, Ascent(0))).state
    return run(at(new, Moves(0)), Move("A"))


def _onward(state: OnusState) -> OnusState:
    """As far straight on as is legal."""
    piece = Cross if state.where[0] == CROSSING else Advance
    for distance in range(150, 0, -1):
        if not why_not(state, piece(distance)):
            state = run(state, piece(distance))
            break
    return run(state, Halt())


def main() -> None:
    """Go through all cases, and tell how far it is and which ones failed."""
    every = list(cases())
    failed, skipped = [], 0
    for number, case in enumerate(every, 1):
        state = position(case)
        if state is None:
            skipped += 1
        elif not is_within_reach(state):
            failed.append(case)
        if number % 200 == 0 or number == len(every):
            print(f"\r{number} of {len(every)}, {skipped} without room, {len(failed)} out of reach", end="")
    print()
    for case in failed[:40]:
        print(*case)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
