"""Decisions that go on until the player ends them: a step with ``done``, or with a word of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ...kernel import Action, Decision, Play, Refusal
from .state import VirtusState


class Ending(Action):
    """The end of a decision, where nothing is unfinished."""

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, Closing):
            yield from decision.unfinished(state)

    def perform(self, play: Play) -> None:
        pass


class Done(Ending):
    """Nothing more of this step: go on.  V4.3a: points that are left are lost."""


class EndOfSegment(Ending):
    """V4.3a: nothing more in this segment.  Other words than ``done``: nobody goes too far by a slip."""

    tag: ClassVar[str] = "end-segment"

    def perform(self, play: Play) -> None:
        play.state.points[play.taken.segment] = 0  # so that no moves are asked for; charges are paid for


class EndOfTurn(Ending):
    """V2a: nothing more this turn."""

    tag: ClassVar[str] = "end-turn"


class Closing(Decision):
    """A decision that goes on until it is ended, which is refused while something is unfinished."""

    ending: ClassVar[type[Ending]] = Done

    def unfinished(self, state: VirtusState) -> Iterator[Refusal]:
        """What must still be done before."""
        yield from ()

    def offers(self, state: VirtusState) -> Iterator[Action]:
        """The candidates but for the end."""
        raise NotImplementedError

    def candidates(self, state: VirtusState) -> list[Action]:
        return [*self.offers(state), self.ending()]

    def has_choice(self, state: VirtusState) -> bool:
        """Whether anything but the end is legal."""
        return any(next(action.refuse(state), None) is None for action in self.offers(state))
