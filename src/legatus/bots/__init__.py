"""Players that are programs.  A bot is one method and knows no game: it is given a view and says an action.

``BOTS`` is the only registration: add a line and the bot can be named on every command line.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, Protocol

import msgspec

from ..kernel import Action, Complaint, Game, Message, Seat
from ..kernel.codec import state_from
from .greedy import GreedyBot
from .random import RandomBot
from .search import SearchBot
from .thoughts import Choice, Thought, mood

__all__ = [
    "BOTS",
    "HUMAN",
    "Bot",
    "Choice",
    "GreedyBot",
    "RandomBot",
    "SearchBot",
    "Thought",
    "UnknownBot",
    "bot_name",
    "decide",
    "make_bot",
    "mood",
]

HUMAN = "human"  # who sits where no bot does


class Bot(Protocol):
    """Chooses for ``seat`` from what ``seat`` may know: a view of the game, never its state.

    What it remembers from one choice to the next changes nothing: a new bot of its name chooses the same.
    One that can tell has ``thoughts``, a sequence of Thought: what it considered last, the best first.
    """

    def choose(self, game: Game, view: Any, seat: Seat, rng: Random) -> Action:
        """A legal action.  All chance comes from ``rng``, so that a game can be played again."""
        ...


_EASY = partial(SearchBot, looks=0, noise=0.3)
_NORMAL = partial(SearchBot, looks=1_000)
_HARD = partial(SearchBot, looks=4_000)

BOTS: dict[str, Callable[[], Bot]] = {
    "random": RandomBot,
    "r": RandomBot,
    "easy": _EASY,
    "e": _EASY,
    "greedy": GreedyBot,
    "g": GreedyBot,
    "normal": _NORMAL,
    "n": _NORMAL,
    "hard": _HARD,
    "h": _HARD,
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


def decide(name: str, game: Game, known: bytes, seat: Seat, rng: Random) -> Choice:
    """What a new bot does that is given nothing but ``known``, a view as JSON."""
    bot = make_bot(name)
    action = bot.choose(game, state_from(game, msgspec.json.decode(known)), seat, rng)
    return Choice(action, getattr(bot, "thoughts", ()))


def _names() -> tuple[str, ...]:
    """``random (r), greedy (g)``: the names with their letters."""
    letters: dict[str, list[str]] = {}
    for name in BOTS:
        aliases = letters.setdefault(bot_name(name), [])
        if name not in letters:
            aliases.append(name)
    return tuple(f"{full} ({', '.join(short)})" if short else full for full, short in letters.items())
