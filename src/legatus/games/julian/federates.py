"""9 Federates: the four peoples, whom they serve, and when they go home (JH.6_0)."""

from __future__ import annotations

from ...kernel import Play
from .places import Displaced
from .state import NEUTRAL, SEATS, JulianState, at_hex, put


def object_of(state: JulianState, p: int, seat: int) -> bool:
    """JH.7_9_3: whether a player has played a Federate for a people this turn."""
    return bool(state.objects[2 * p + seat])


def tire(state: JulianState, p: int, seat: int) -> None:
    """JH.7_9_3: a people is the object of an uncancelled Federate."""
    state.objects[2 * p + seat] = 1


def serve(play: Play, p: int, side: int, clause: str) -> None:
    """JH.6_0: a people becomes allied to a side, where it stands."""
    state: JulianState = play.state
    if state.ally[p] != side:
        play.tell(clause, "event.serves", people=state.roster.peoples[p].id, side=SEATS[side])
    state.ally[p] = side
    for i in state.roster.of_people[p]:
        put(state, i, state.cell[i], side)


def go_home(play: Play, p: int, clause: str) -> None:
    """JH.return JH.6_0: neutral again and in its home; others who stand there make room."""
    state: JulianState = play.state
    people = state.roster.peoples[p]
    play.tell(clause, "event.goes_home", people=people.id)
    state.ally[p] = NEUTRAL
    own = state.roster.of_people[p]
    there = any(state.cell[i] >= 0 for i in own)
    for i in own:
        put(state, i, people.home if state.cell[i] >= 0 else state.cell[i], NEUTRAL)
    if there:
        others = [i for i in at_hex(state, people.home) if i not in own]
        play.then(*(Displaced(i, clause) for i in others))
