"""The bot that looks one action ahead."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ..kernel import Action, Dice, Game, Luck, Seat, Seeded, legal
from ..kernel.engine import run_on, try_action
from ..kernel.errors import DeadEnd
from .thoughts import Thought

SAMPLES = 3
WON = 1_000_000.0  # beyond any evaluation of a game that goes on

Seen = tuple[list[Action], list[float], int, int]
"""Actions, the sums of what they were worth, how often each was looked at, and which one was chosen."""


class GreedyBot:
    """Tries every legal action on guessed states and takes the one after which the position looks best.

    Every action meets the same guesses and the same dice, so that they differ by their merit and not by luck.
    The look stops where what the action set going is over: what comes after it is not its merit.
    Where no action asks luck for anything and there is nothing to guess, one look is enough.
    """

    def __init__(self, samples: int = SAMPLES) -> None:
        self.samples = samples
        self._seen: Seen = ([], [], 0, 0)

    @property
    def thoughts(self) -> Sequence[Thought]:
        """What it considered for its last choice, the best first, and the chosen one before its equals."""
        actions, scores, looks, chosen = self._seen
        ranked = sorted(range(len(actions)), key=lambda i: (-scores[i], i != chosen))
        return tuple(Thought(actions[i], scores[i] / max(1, looks), looks) for i in ranked)

    def options(self, view: Any) -> list[Action]:
        """What it considers."""
        return sensible(view)

    def choose(self, game: Game, view: Any, seat: Seat, rng: Random) -> Action:
        actions = self.options(view)
        if not actions:
            raise DeadEnd(repr(view.decision))
        scores, looks = [0.0] * len(actions), 0
        if len(actions) == 1:
            self._seen = (actions, scores, looks, 0)
            return actions[0]
        guesses = [game.guess(view, seat, rng) for _ in range(self.samples)]
        certain = all(full == guesses[0] for full in guesses)
        for full in guesses:
            luck = f"greedy/{rng.random()}"
            dice = [Counted(luck) for _ in actions]
            for i, action in enumerate(actions):
                scores[i] += look(game, full, action, dice[i], seat)
            looks += 1
            if certain and not any(one.asked for one in dice):
                break
        top = max(scores)
        best = [i for i, score in enumerate(scores) if score == top]
        chosen = best[int(rng.random() * len(best))]
        self._seen = (actions, scores, looks, chosen)
        return actions[chosen]


class Counted(Dice):
    """Luck of a name, made only if it is asked for."""

    def __init__(self, name: str, kind: type[Seeded] = Seeded) -> None:
        self.name, self.kind = name, kind
        self.asked: Seeded | None = None

    def _source(self) -> Seeded:
        if self.asked is None:
            self.asked = self.kind(self.name)
        return self.asked

    def answer(self, luck: Luck) -> list[int]:
        return self._source().answer(luck)

    def roll(self, sides: int, bands: Sequence[int], low: int = 1) -> int:
        return self._source().roll(sides, bands, low)


def sensible(state: Any) -> list[Action]:
    """The legal actions, without those that are for nothing: they would put off what is to be decided."""
    actions = legal(state)
    return [action for action in actions if not action.is_vain(state)] or actions


def look(game: Game, full: Any, action: Action, dice: Dice, seat: Seat) -> float:
    """What an action is worth by its own consequences; but if the game ends at once, that is seen."""
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
