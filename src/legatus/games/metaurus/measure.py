"""What matters of an action's result: the columns of an odds table."""

from __future__ import annotations

from .combat import AgainChoice
from .retreat import Fallback
from .state import DISORDERED, MetaurusState

COLUMNS = (
    "foes_disordered",
    "foes_lost",
    "own_disordered",
    "own_lost",
    "engaged",
    "reformed",
    "again",
    "retreat",
)


def measure(before: MetaurusState, after: MetaurusState) -> dict[str, int]:
    """Units disordered and lost, enemies and own as seen by who decides; engagements; another attack."""
    seat = before.decision.seat if before.decision else before.active
    counts = dict.fromkeys(COLUMNS, 0)
    for i, unit in enumerate(after.roster.units):
        whose = "own" if unit.side == seat else "foes"
        then, now = before.flags[i] & DISORDERED, after.flags[i] & DISORDERED
        if before.cell[i] >= 0 and after.cell[i] == -1:
            counts[f"{whose}_lost"] += 1
        elif now and not then:
            counts[f"{whose}_disordered"] += 1
        elif then and not now:
            counts["reformed"] += 1
    counts["engaged"] = len(set(after.links) - set(before.links))
    asked = after.decision if after.decision not in before.todo[:-1] else None  # else it waited already
    counts["again"] = int(isinstance(asked, AgainChoice))
    counts["retreat"] = int(isinstance(asked, Fallback))  # nothing is fought yet
    return counts
