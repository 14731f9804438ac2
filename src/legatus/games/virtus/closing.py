"""Decisions that go on until the player says ``done``."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Action, Decision, Play, Refusal
from .state import VirtusState


class Done(Action, frozen=True):
    """Nothing more of this: go on.  V4.3a: points that are left are lost."""

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, Closing):
            yield from decision.unfinished(state)

    def perform(self, play: Play) -> None:
        pass


class Closing(Decision, frozen=True):
    """A decision that ends with ``done``, unless something is unfinished."""

    def unfinished(self, state: VirtusState) -> Iterator[Refusal]:
        """What must still be done before ``done``."""
        yield from ()

    def offers(self, state: VirtusState) -> Iterator[Action]:
        """The candidates but for ``done``."""
        raise NotImplementedError

    def candidates(self, state: VirtusState) -> list[Action]:
        return [*self.offers(state), Done()]

    def has_choice(self, state: VirtusState) -> bool:
        """Whether anything but ``done`` is legal."""
        return any(next(action.refuse(state), None) is None for action in self.offers(state))
