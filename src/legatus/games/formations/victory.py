"""House rules: points and victory."""

from __future__ import annotations

from ...kernel import Play
from .state import HORDE, LEAGUE, NOBODY, ROUT, FormationsState
from .units import troops

ROUTED = 2  # AH27.victory: a troop in Rout


def score(state: FormationsState) -> list[int]:
    """AH27.victory AH31.devices: the points of both sides as they stand."""
    return tally(state, troops(state, LEAGUE), troops(state, HORDE))


def tally(state: FormationsState, league: list[int], horde: list[int]) -> list[int]:
    """The score, by the troops of both sides."""
    prize, steps, cohesion = state.roster.prize, state.steps, state.cohesion
    points = [0, 0]
    for side, mine in ((LEAGUE, league), (HORDE, horde)):
        missing = state.roster.total[side] - sum([steps[i] for i in mine])
        points[1 - side] += missing + ROUTED * [cohesion[i] for i in mine].count(ROUT)
    if state.beacon >= 0:
        points[state.beacon] += prize.beacon_points
    if prize.granary >= 0:
        points[HORDE if state.burnt else LEAGUE] += prize.granary_points
    for device, side in zip(state.roster.devices, state.worked, strict=True):
        if side != NOBODY:
            points[side] += device.points
    return points


def is_beaten(state: FormationsState, side: int) -> bool:
    """AH27.victory: no troop left that is not in Rout."""
    return all(state.cohesion[i] == ROUT for i in troops(state, side))


def judge(play: Play) -> None:
    """AH27.victory: checked in each end phase."""
    state: FormationsState = play.state
    prize = state.roster.prize
    if state.turn < prize.turns and not is_beaten(state, LEAGUE) and not is_beaten(state, HORDE):
        return
    league, horde = score(state)
    play.tell("AH27.victory", "event.score", league=league, horde=horde)
    if league - horde >= prize.lead:
        play.win(LEAGUE, "AH27.victory", "end.league")
    elif horde - league >= prize.lead:
        play.win(HORDE, "AH27.victory", "end.horde")
    else:
        play.win(None, "AH27.victory", "end.draw")
