"""What matters of an action's result: the columns of an odds table."""

from __future__ import annotations

from .combat import Clash, Defence
from .results import RESULTS, Losses
from .state import FOUGHT, JulianState, printed

COLUMNS = (*(result.lower() for result in RESULTS), "own_lost", "foes_lost")


def measure(before: JulianState, after: JulianState) -> dict[str, int]:
    """Which of the seven results, and the factors that each side loses or has still to lose."""
    seat = before.decision.seat if before.decision else before.active
    counts = dict.fromkeys(COLUMNS, 0)
    if _fought(before, after):
        counts[RESULTS[after.result].lower()] = 1
    for i, cell in enumerate(before.cell):
        if cell >= 0 and after.cell[i] < 0:
            counts["own_lost" if before.side[i] == seat else "foes_lost"] += printed(before, [i])
    for step in after.todo:
        if isinstance(step, Losses) and step not in before.todo:  # else they were owed before
            counts["own_lost" if step.seat == seat else "foes_lost"] += step.least(after)
    return counts


def _fought(before: JulianState, after: JulianState) -> bool:
    """JC.0: a combat was decided in between; ``result`` alone may be that of an earlier one."""
    if any(isinstance(step, (Defence, Clash)) for step in after.todo):
        return False
    pending = any(isinstance(step, (Defence, Clash)) for step in before.todo)
    pairs = zip(before.flags, after.flags, strict=True)
    return pending or any(now & FOUGHT and not was & FOUGHT for was, now in pairs)
