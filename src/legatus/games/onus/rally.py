"""14 Rallying: how units come to their senses again."""

from __future__ import annotations

from typing import Final

from ...kernel import Play, Step
from .combat import total
from .morale import ON_TABLE, morale_terms, passes
from .state import OnusState


class Rallying(Step):
    """OH.flight.4: a check, and who passes is neither fleeing nor broken."""

    def __init__(self, unit: int, extra: int, rule: str) -> None:
        self.unit: Final = unit
        self.extra: Final = extra
        self.rule: Final = rule

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i = self.unit
        if state.where[i] not in ON_TABLE or not (state.broken[i] or state.fleeing[i]):
            return
        if passes(play, i, total(morale_terms(state, i)) + self.extra):
            rally(play, i, self.rule)


def rally(play: Play, i: int, clause: str) -> None:
    """OH.flight.4: it flees no more, and is not broken any more."""
    state: OnusState = play.state
    state.broken[i] = state.fleeing[i] = 0
    play.tell(clause, "event.rallied", unit=state.roster.units[i].id)
