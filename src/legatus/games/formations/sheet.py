"""The form of the sheet: an action has conditions, which are told all if they fail, and a procedure.

A class is an action, a line of ``conditions`` a condition of the card with its clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Play, Refusal
from .state import ACTIVATED, NOBODY, ROUT, FormationsState
from .units import unit_of

Condition = tuple[str, bool, str]  # clause, whether it holds, and the key of what is said if it does not


class UnitAction(Action):
    """A.def.sheet AH4.activation: one thing that a unit of the wing may do; then it is Activated."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        decision = state.decision
        i = unit_of(state, decision.seat, self.actor(state)) if decision else NOBODY
        if i < 0:
            yield Refusal("A.def.kinds", "refusal.not_yours", {"unit": self.unit})
            return
        if state.flags[i] & ACTIVATED:
            yield Refusal("A.def.activated", "refusal.activated", {"unit": self.unit})
        elif state.wing[i] not in (getattr(decision, "wing", NOBODY), NOBODY):  # the chief acts with any wing
            yield Refusal("AH4.activation", "refusal.other_wing", {"unit": self.unit})
        if state.cohesion[i] == ROUT and not self.in_rout():
            yield Refusal("AH16.rout", "refusal.in_rout", {"unit": self.unit})
        yield from self.judge(state, i)

    def actor(self, state: FormationsState) -> str:
        """The unit that acts."""
        return self.unit

    def judge(self, state: FormationsState, i: int) -> Iterator[Refusal]:
        """Every condition that does not hold."""
        for clause, holds, key in self.conditions(state, i):
            if not holds:
                yield Refusal(clause, f"refusal.{key}", {"unit": self.unit})

    def in_rout(self) -> bool:
        """AH16.rout: whether a unit in Rout can do this."""
        return False

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield from ()

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        play.then(play.taken)
        i = state.ids.index(self.actor(state))
        state.flags[i] |= ACTIVATED
        self.carry_out(play, i)

    def carry_out(self, play: Play, i: int) -> None:
        raise NotImplementedError
