"""7 Terrain: face-down markers and decoys in thick forest (V7d)."""

from __future__ import annotations

from ...kernel import Play
from .state import FACEDOWN, PLACES, VirtusState, is_contested, owner, sector, units_at


def may_hide_units(state: VirtusState, side: int, segment: int) -> bool:
    """V7d: whether units of a side may lie face down there, for all that the enemy knows."""
    return state.markers[sector(side, segment)] > 0


def turn_up(play: Play, i: int) -> None:
    """V7d: an activated unit turns its own marker up."""
    state: VirtusState = play.state
    if state.flags[i] & FACEDOWN:
        state.flags[i] &= ~FACEDOWN
        state.markers[state.place[i]] -= 1
        play.reveal("V7d", "event.turned_up", unit=state.roster.units[i].id, place=PLACES[state.place[i]])


def turn_up_sector(play: Play, place: int) -> None:
    """V7d: an attack turns every marker up; decoys vanish."""
    state: VirtusState = play.state
    if not state.markers[place]:
        return
    for i in units_at(state, owner(place), place):
        turn_up(play, i)
    decoys = state.markers[place]
    state.markers[place] = 0
    state.decoys[place] = 0
    if decoys:
        play.reveal("V7d", "event.decoys", number=decoys, place=PLACES[place])


def turn_up_if_engaged(play: Play, place: int, mover: int) -> None:
    """V7d: an enemy who enters the forest engages it, or finds only decoys there."""
    state: VirtusState = play.state
    if (owner(place) != mover and state.markers[place]) or is_contested(state, place):
        turn_up_sector(play, place)
