"""8 Generals: how a general leaves the table (V8e)."""

from __future__ import annotations

from ...kernel import Play
from .state import GONE, VirtusState, has_units, other

NOBODY = -1


def remove_general(play: Play, g: int, clause: str, key: str) -> None:
    state: VirtusState = play.state
    state.gplace[g] = GONE
    state.gtokens[g] = 0
    state.attached[g] = NOBODY
    play.tell(clause, key, general=state.roster.generals[g].id)


def capture_lone_generals(play: Play, side: int) -> None:
    """V8e: in an enemy turn a general among enemies, with no friendly unit beside him, is captured."""
    state: VirtusState = play.state
    for g in state.roster.generals_of[side]:
        place = state.gplace[g]
        if place >= 0 and has_units(state, other(side), place) and not has_units(state, side, place):
            remove_general(play, g, "V8e", "event.captured")
