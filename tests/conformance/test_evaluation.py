"""How bots judge positions, in every game."""

from __future__ import annotations

import msgspec
import pytest

from legatus.kernel import Game, Match, legal
from legatus.kernel.chance import Seeded
from legatus.kernel.codec import state_from, state_to_json
from legatus.kernel.engine import try_action

EVERY = 15  # states that are judged anew: a fresh roster is dear
LOOKS = 3  # actions that a bot looks at on the way


def fresh(game: Game, state: object) -> object:
    """The same position as another process has it, which remembers nothing."""
    return state_from(game, msgspec.json.decode(state_to_json(state)))


def test_what_was_judged_before_changes_no_value(match: Match) -> None:
    """A bot keeps a lot from one look to the next; an audit in another process must find the same values."""
    game = match.game
    for number, state in enumerate(match.states):
        if state.decision is None:
            continue
        for action in legal(state)[:LOOKS]:
            game.evaluate(try_action(state, action, Seeded(f"{number}"), True), state.decision.seat)
        for seat in range(len(game.seats)):
            value = game.evaluate(state, seat)
            if number % EVERY == 0:
                assert value == pytest.approx(game.evaluate(fresh(game, state), seat), rel=1e-12, abs=1e-12)
