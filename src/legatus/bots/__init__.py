"""Players that are programs.  A bot is one method and knows no game: it is given a view and says an action.

``BOTS`` is the only registration: add a line and the bot can be named on every command line.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from ..kernel import Action, Complaint, Game, Message, Seat
from .greedy import GreedyBot
from .random import RandomBot

__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot", "UnknownBot", "bot_name", "make_bot"]


class Bot(Protocol):
    """Chooses for ``seat`` from what ``seat`` may know: a view of the game, never its state."""

    def choose(self, game: Game, view: Any, seat: Seat, rng: Random) -> Action:
        """A legal action.  All chance comes from ``rng``, so that a game can be played again."""
        ...


BOTS: dict[str, Callable[[], Bot]] = {
    "random": RandomBot,
    "r": RandomBot,
    "greedy": GreedyBot,
    "g": GreedyBot,
}


class UnknownBot(Complaint):
    """No bot has that name; the message lists the names."""


def bot_name(name: str) -> str:
    """The full name of a bot that was called by its name or its letter."""
    if name not in BOTS:
        raise UnknownBot(Message("bot.unknown", {"name": repr(name), "known": _names()}))
    return next(full for full, make in BOTS.items() if make is BOTS[name])


def make_bot(name: str) -> Bot:
    """A new bot by its name or its letter."""
    return BOTS[bot_name(name)]()


def _names() -> tuple[str, ...]:
    """``random (r), greedy (g)``: the names with their letters."""
    letters: dict[str, list[str]] = {}
    for name in BOTS:
        aliases = letters.setdefault(bot_name(name), [])
        if name not in letters:
            aliases.append(name)
    return tuple(f"{full} ({', '.join(short)})" if short else full for full, short in letters.items())
