"""The bot that plays anything legal: the yardstick for every other."""

from __future__ import annotations

from random import Random
from typing import Any

from ..kernel import Action, Game, Seat
from ..kernel.engine import random_action


class RandomBot:
    """Every legal action is as likely as any other."""

    def choose(self, game: Game, view: Any, seat: Seat, rng: Random) -> Action:
        return random_action(view, view.decision, rng)
