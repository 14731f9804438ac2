"""Players that are programs.  A bot is one method and knows no game: it is given a view and says an action.

``BOTS`` is the only registration: add a line and the bot can be named on every command line.
"""

from __future__ import annotations

import re
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
    "level_name",
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


_EASY = partial(SearchBot, trials=0, noise=0.3)
_NORMAL = partial(SearchBot, trials=24)
_HARD = partial(SearchBot, trials=96)

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
BUDGET = re.compile(r"search:([1-9][0-9]{0,5})")  # ``search:48``: the search with a budget of one's own


class UnknownBot(Complaint):
    """No bot has that name; the message lists the names."""


def bot_name(name: str) -> str:
    """The full name of a bot that was called by its name or its letter; ``search:N`` may have any budget."""
    return name if BUDGET.fullmatch(name) else _found(name, "search:N")


def level_name(name: str) -> str:
    """The full name of one of ``BOTS``: what strangers may ask for."""
    return _found(name)


def _found(name: str, *others: str) -> str:
    if name not in BOTS:
        raise UnknownBot(Message("bot.unknown", {"name": repr(name), "known": (*_names(), *others)}))
    return next(full for full, make in BOTS.items() if make is BOTS[name])


def make_bot(name: str) -> Bot:
    """A new bot by its name or its letter."""
    budget = BUDGET.fullmatch(name)
    return SearchBot(int(budget[1])) if budget else BOTS[bot_name(name)]()


def decide(name: str, game: Game, known: bytes, seat: Seat, rng: Random) -> Choice:
    """What a new bot does that is given nothing but ``known``, a view as JSON."""
    bot = make_bot(name)
    action = bot.choose(game, state_from(game, msgspec.json.decode(known)), seat, rng)
    return Choice(action, getattr(bot, "thoughts", ()))


def _names() -> tuple[str, ...]:
    """``random (r), greedy (g)``: the names with their letters."""
    letters: dict[str, list[str]] = {}
    for name in BOTS:
        aliases = letters.setdefault(level_name(name), [])
        if name not in letters:
            aliases.append(name)
    return tuple(f"{full} ({', '.join(short)})" if short else full for full, short in letters.items())
