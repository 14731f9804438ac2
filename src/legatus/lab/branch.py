"""What if?  A match that leaves another one at some moment and goes its own way."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from msgspec.structs import replace

from ..kernel import Branch, Complaint, Game, Match, Message, Scripted, Seat, Setup
from ..kernel.codec import state_to_json


class CannotBranch(Complaint):
    """Nothing is left to decide at that moment."""


def branch(
    match: Match, entry: int, seat: Seat, of: str, rng: Random | None = None, shown: int | None = None
) -> Match:
    """A new match that begins where ``match`` stood after ``entry``; the old one is not touched.

    With ``rng`` all that ``seat`` cannot know then is dealt anew: nothing but its view is looked at.
    Without, the secrets are those that were there, which is for matches that are over.
    ``shown`` is how ``seat`` counts the entry, if that is not its number.
    """
    number = entry if shown is None else shown
    return branch_at(match.game, match.setup, match.states[entry], number, seat, of, rng)


def branch_at(
    game: Game, setup: Setup, state: Any, number: int, seat: Seat, of: str, rng: Random | None = None
) -> Match:
    """A new match that begins at the state after the entry ``number`` of another one."""
    if state.decision is None:
        raise CannotBranch(Message("branch.over", {"entry": number}))
    start: Any = state if rng is None else game.guess(game.view(state, seat), seat, rng)
    left = Branch(of, number, game.seats[seat], rng is not None, json.loads(state_to_json(start)))
    return Match.new(game, replace(setup, branch=left), Scripted())
