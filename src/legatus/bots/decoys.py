"""Thinking where there is nothing to choose, so that the time a bot takes does not tell what it holds.

Whoever is asked for a reaction follows from what all know, and a bot without a fitting card has one legal
action.  If it answered at once and thought only with the card in its hand, a watch would see the hand.
"""

from __future__ import annotations

from random import Random
from typing import Any

from ..kernel import Game, Seat, legal
from . import make_bot
from .search import SearchBot

TRIES = 12  # deals, until one of them leaves a choice


def is_searching(name: str) -> bool:
    """Whether a bot takes so long that its time can be told from that of no thought at all."""
    bot = make_bot(name)
    return isinstance(bot, SearchBot) and bot.trials > 0


def decoy(game: Game, view: Any, seat: Seat, rng: Random) -> Any | None:
    """A view like this one with other secrets of ``seat``, in which it has a choice.

    None if it has one already, or if others can tell that it has none: no deal leaves a choice then.
    """
    if len(legal(view)) != 1:
        return None
    other = next(one for one in range(len(game.seats)) if one != seat)
    outside = game.view(view, other)
    for _ in range(TRIES):
        dealt = game.view(game.guess(outside, other, rng), seat)
        if len(legal(dealt)) > 1:
            return dealt
    return None


def ponder(name: str, game: Game, view: Any, seat: Seat, rng: Random) -> None:
    """Think about a decoy, if there is one, for as long as about a real choice."""
    dealt = decoy(game, view, seat, rng) if is_searching(name) else None
    if dealt is not None:
        make_bot(name).choose(game, dealt, seat, rng)
