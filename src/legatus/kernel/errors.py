"""What can go wrong while a game is played.  They have a module: mypyc takes no subclasses of ValueError."""

from __future__ import annotations

from .model import Refusal


class IllegalAction(ValueError):
    """The action is not allowed now; ``refusals`` say why."""

    def __init__(self, refusals: list[Refusal]) -> None:
        super().__init__("; ".join(f"[{r.clause}] {r.key}" for r in refusals))
        self.refusals = refusals


class TooManyOutcomes(ValueError):
    """Luck branches too often for exact odds here: sample instead."""


class DeadEnd(RuntimeError):
    """A decision without a legal action: a fault in the game."""


class GameFailed(RuntimeError):
    """One of many games broke down; the message says which one, so that it can be played again."""
