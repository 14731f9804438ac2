"""What matters of an action's result: the columns of an odds table."""

from __future__ import annotations

from .state import CHARACTER, HORDE, LEAGUE, ROUT, SHAKEN, FormationsState
from .units import troops
from .victory import score

COLUMNS = ("passed", "steps", "shaken", "routs", "tired", "ammunition", "points")


def measure(before: FormationsState, after: FormationsState) -> dict[str, int]:
    """Whether a test was passed; steps lost, units shaken and routed; what it costs the one who acts."""
    counts = dict.fromkeys(COLUMNS, 0)
    better = 0
    for side in (LEAGUE, HORDE):
        counts["steps"] += max(0, _steps(before, side) - _steps(after, side))
    for i, cell in enumerate(before.cell):
        if cell < 0 or before.kind[i] == CHARACTER:
            continue
        better += after.fatigue[i] < before.fatigue[i] or after.cohesion[i] < before.cohesion[i]
        better += after.ammo[i] < before.ammo[i] or after.mode[i] != before.mode[i]
        counts["shaken"] += after.cohesion[i] == SHAKEN and before.cohesion[i] < SHAKEN
        counts["routs"] += after.cohesion[i] == ROUT and before.cohesion[i] < ROUT
        counts["tired"] += max(0, after.fatigue[i] - before.fatigue[i])
        counts["ammunition"] += max(0, after.ammo[i] - before.ammo[i])
    marks = after.fire != before.fire or after.stakes != before.stakes or after.worked != before.worked
    counts["passed"] = int(better > 0 or marks)
    seat = before.decision.seat if before.decision else 0
    gained = [now - then for now, then in zip(score(after), score(before), strict=True)]
    counts["points"] = gained[seat] - gained[1 - seat]
    return counts


def _steps(state: FormationsState, side: int) -> int:
    """On the map: a troop that has become part of another is no loss."""
    return sum(state.steps[i] for i in troops(state, side))
