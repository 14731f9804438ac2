"""A small position of the toy game for the tests of bots and lab."""

from __future__ import annotations

from legatus.kernel import Seeded, start

from ..toy import GONE, HEIGHT, HEXES, NEIGHBOURS, OUTPOST, TOY, UNITS, ToyState

RED_UNIT, BLUE_UNIT = 0, HEIGHT
FOE = NEIGHBOURS[OUTPOST][0]
AWAY = [at for at in NEIGHBOURS[OUTPOST] if at != FOE and at not in NEIGHBOURS[FOE]]  # where to retreat


def duel(strength: int) -> ToyState:
    """red0 on the outpost next to blue0 (3), red1 and blue1 in the corners; Red to move, no weather."""
    state = start(TOY, TOY.configure(weather=False), Seeded("duel")).state
    for i in range(len(UNITS)):
        state.at[i], state.strength[i] = GONE, 0
    places = {RED_UNIT: OUTPOST, RED_UNIT + 1: HEXES[0], BLUE_UNIT: FOE, BLUE_UNIT + 1: HEXES[-1]}
    strengths = {RED_UNIT: strength, RED_UNIT + 1: 1, BLUE_UNIT: 3, BLUE_UNIT + 1: 1}
    for i, at in places.items():
        state.at[i], state.strength[i] = at, strengths[i]
    assert isinstance(state, ToyState)
    return state
