"""The bot that looks one action ahead."""

from __future__ import annotations

from random import Random
from typing import Any

from ..kernel import Action, Game, Seat, Seeded, legal
from ..kernel.engine import DeadEnd, run_on, try_action

SAMPLES = 3
WON = 1_000_000.0  # beyond any evaluation of a game that goes on


class GreedyBot:
    """Tries every legal action on guessed states and takes the one after which the position looks best.

    Every action meets the same guesses and the same dice, so that they differ by their merit and not by luck.
    The look stops where what the action set going is over: what comes after it is not its merit.
    """

    def __init__(self, samples: int = SAMPLES) -> None:
        self.samples = samples

    def choose(self, game: Game, view: Any, seat: Seat, rng: Random) -> Action:
        actions = legal(view)
        if not actions:
            raise DeadEnd(repr(view.decision))
        if len(actions) == 1:
            return actions[0]
        trials = [(game.guess(view, seat, rng), f"greedy/{rng.random()}") for _ in range(self.samples)]
        best: list[Action] = []
        best_score = float("-inf")
        for action in actions:
            score = sum(look(game, full, action, luck, seat) for full, luck in trials)
            if score > best_score:
                best, best_score = [action], score
            elif score == best_score:
                best.append(action)
        return best[int(rng.random() * len(best))]


def look(game: Game, full: Any, action: Action, luck: str, seat: Seat) -> float:
    """What an action is worth by its own consequences; but if the game ends at once, that is seen."""
    dice = Seeded(luck)
    state = try_action(full, action, dice, alone=True)
    value = worth(game, state, seat)
    run_on(state, dice)
    return value if state.outcome is None else worth(game, state, seat)


def worth(game: Game, state: Any, seat: Seat) -> float:
    """What a state is worth to ``seat``: by its result if it has one, else as the game judges it."""
    if state.outcome is None:
        return game.evaluate(state, seat)
    if state.outcome.winner is None:
        return 0.0
    return WON if state.outcome.winner == seat else -WON
