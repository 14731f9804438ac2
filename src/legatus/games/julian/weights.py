"""What a bot counts by: points of score for everything.  The weights are ours; they are not rules."""

from __future__ import annotations

from functools import lru_cache

from .state import JulianState, Roster

WON = 1000.0

# Pairs: in the first turn and in the last.
HELD = (0.5, 1.0)  # a point of a city that is held; a point of plunder is 1
ROMAN_FACTOR = (0.45, 0.18)  # a combat factor on the map
BARBARIAN_FACTOR = (0.36, 0.15)
POOLED = 0.25  # a barbarian unit in the pool, of its worth on the map
POSTED = {"garrison": 0.5, "limitanei": 0.7}  # who hardly moves is worth less
ALLY = 0.12  # a factor of a people that serves until the end of the turn
TREASURE, LAST_TREASURE = 0.3, 0.2  # a treasury point, and one in the last turn as long as it can be spent
RUINED = 3  # turns of taxes that a sacked city is thought to miss
SUDDEN = 3.0  # a city of the two that end the campaign
RETAKEN = 0.1  # a point of a city that will pay taxes

MARKER = (0.3, 0.8, 0.9, 0.7, 1.1, 1.0)  # by kind
ANY_MARKER = 0.75
AGAIN = 0.8  # the next marker of the same kind
KNOWN = 0.06  # a marker of the other's that is known

LEADER = 0.6
BONUS, PLAIN = 1.0, 0.2  # what a (+1) adds with a whole army, and what another does ...
ARMY = 9  # ... of so many factors

UNMET = 0.9  # an attack for which somebody must still come up
THREAT = 0.65  # what the enemy could do
NEXT, AFTER, NEVER, CALLED, NEUTRALS = 0.8, 0.5, 0.05, 0.25, 0.1  # how likely a wave comes before an answer
SPREAD = 0.8  # the next best that the same wave could do
APPROACH = 0.05  # a factor nearer to a goal
GUARDED = (1.0, 0.7, 0.5)  # a goal without troops, with few, with many
MANY = 5
INTRUDER = 0.7  # barbarians in Gaul, as a goal
STRIDE = 6  # half points at which a goal is worth half

TAKEN = 0.01  # the trouble to take a stack
LOOKS = 4  # so many ends of a march are thought of before the stack is taken
TWIN = 1.0  # nobody is left behind for another like him
CRISIS = (-1.2, -1.0, -0.8, 0.0, 0.8, -0.6)  # by face, for the Roman


def share(state: JulianState) -> float:
    """How much of the campaign is over, from 0 to 1."""
    return _share(state.turn, state.roster.values.turns)


def _share(turn: int, turns: int) -> float:
    return max(0, turn - 1) / (turns - 1) if turns > 1 else 1.0


@lru_cache(200)
def _between(ends: tuple[float, float], turn: int, turns: int) -> float:
    return ends[0] + (ends[1] - ends[0]) * _share(turn, turns)


def held(state: JulianState) -> float:
    return _between(HELD, state.turn, state.roster.values.turns)


def factor(state: JulianState, side: int) -> float:
    """A combat factor of a side on the map."""
    ends = BARBARIAN_FACTOR if side else ROMAN_FACTOR
    return _between(ends, state.turn, state.roster.values.turns)


def worth_of(roster: Roster) -> tuple[float, ...]:
    """What each unit is worth, in factors; made once."""
    found: tuple[float, ...] | None = roster.kept.get("worth")
    if found is None:
        found = tuple(unit.combat * POSTED.get(unit.kind, 1.0) for unit in roster.units)
        roster.kept["worth"] = found
    return found
