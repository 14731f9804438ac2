"""The bot that looks further: it plays what looks likeliest on to the end of the turn, and compares.

What looks best at one look, the greedy bot's choice, is the one to beat.  Its rivals are played on together
with it, in guessed worlds and with the same dice: both sides do what looks best to them at one look until the
turn is over.  Those that do worst drop out, half of them at a time.  A rival is chosen only if it did better
by more than the luck of the trials explains; so a small budget does little, and no harm.

The budget is counted in looks (positions judged), not in seconds: the same decision can be made again, on any
machine.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import inf, sqrt
from random import Random
from statistics import fmean, pstdev
from typing import Any

from ..kernel import Action, Decision, Game, Seat, Seeded, legal
from ..kernel.engine import DeadEnd, playout, try_action
from .greedy import WON, Counted, GreedyBot, worth
from .thoughts import Thought

RIVALS = 5  # that are played on, beside what looks best
LONGEST = 60  # decisions of a trial
FEWEST = 4  # trials of every rival, or there are fewer rivals
DOUBT = 1.0  # standard errors by which a rival must have done better
BEYOND = 1.5  # what an end is worth, compared to the best and worst that was seen before the end


class SearchBot:
    """Looks as often as ``looks`` allows; with the chance ``noise`` it does not think at all."""

    def __init__(self, looks: int, noise: float = 0.0) -> None:
        self.looks, self.noise = looks, noise
        self.thoughts: Sequence[Thought] = ()

    def choose(self, game: Game, view: Any, seat: Seat, rng: Random) -> Action:
        if rng.random() < self.noise:
            self.thoughts, actions = (), legal(view)
            if not actions:
                raise DeadEnd(repr(view.decision))
            return actions[int(rng.random() * len(actions))]
        sight = GreedyBot()
        best = sight.choose(game, view, seat, rng)
        self.thoughts = sight.thoughts
        rivals = [thought.action for thought in self.thoughts[1 : RIVALS + 1]]
        if self.looks and rivals:
            contest = Contest(game, view, seat, [best, *rivals])
            best = contest.run(self.looks, rng)
            self.thoughts = contest.thoughts() or self.thoughts
        return best


class Contest:
    """Some actions, the first of which is the one to beat, and how they did in the trials so far."""

    def __init__(self, game: Game, view: Any, seat: Seat, actions: Sequence[Action]) -> None:
        self.game, self.view, self.seat = game, view, seat
        self.actions = actions
        self.values: list[list[float]] = [[] for _ in actions]
        self.spent = 0
        self.best = 0

    def run(self, looks: int, rng: Random) -> Action:
        """The action that did best, within a budget: each round takes an equal part of it."""
        able = looks // (FEWEST * self._cost(rng))
        rivals = list(range(1, min(len(self.actions), able)))
        rounds = len(rivals).bit_length()
        for number in range(1, rounds + 1):
            self._meet(rivals, rng)
            while self.spent < looks * number / rounds:
                self._meet(rivals, rng)
            leads = self.leads()
            rivals.sort(key=lambda i: -leads[i])
            self.best = rivals[0] if leads[rivals[0]] > 0 else 0
            rivals = rivals[: max(1, len(rivals) // 2)]
        return self.actions[self.best]

    def _cost(self, rng: Random) -> int:
        """What a trial costs, by one that does not count."""
        trial = Trial(self.game, self.seat, f"{rng.random()}", Seeded)
        trial.run(self.game.guess(self.view, self.seat, rng), self.actions[0])
        self.spent += trial.looks
        return max(1, trial.looks)

    def _meet(self, rivals: Sequence[int], rng: Random) -> None:
        """Play all on in the same world, and once more with all luck the other way round."""
        full, luck = self.game.guess(self.view, self.seat, rng), rng.random()
        for kind in (Seeded, Turned):
            for i in (0, *rivals):
                trial = Trial(self.game, self.seat, f"{luck}", kind)
                self.values[i].append(trial.run(full, self.actions[i]))
                self.spent += trial.looks

    def leads(self) -> list[float]:
        """By how much each did better than the first, less a doubt."""
        scores = self._scores()
        found = [0.0]
        for row in scores[1:]:
            ahead = [mine - first for mine, first in zip(row, scores[0], strict=False)]
            found.append(fmean(ahead) - DOUBT * pstdev(ahead) / sqrt(len(ahead) - 1) if ahead else -inf)
        return found

    def _scores(self) -> list[list[float]]:
        """What the trials brought; an end counts for a little more than the best or worst seen before it."""
        seen = [abs(value) for row in self.values for value in row if abs(value) < WON]
        most = BEYOND * max(seen, default=1.0)
        return [[max(-most, min(most, value)) for value in row] for row in self.values]

    def thoughts(self) -> tuple[Thought, ...]:
        """What was considered: the chosen one first, then who stayed in longest."""
        scores, leads = self._scores(), self.leads()
        tried = [i for i, row in enumerate(scores) if row]
        ranked = sorted(tried, key=lambda i: (i != self.best, -len(scores[i]), -leads[i]))
        return tuple(Thought(self.actions[i], fmean(scores[i]), len(scores[i])) for i in ranked)


class Turned(Seeded):
    """The luck of a name the other way round, high where that is low: two such trials cancel much of it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        straight = self._random
        self._random = lambda: 1.0 - 2**-53 - straight()


class Trial:
    """An action played on to the end of the turn; ``looks`` is what it cost."""

    def __init__(self, game: Game, seat: Seat, luck: str, kind: type[Seeded]) -> None:
        self.game, self.seat, self.luck, self.kind = game, seat, luck, kind
        self.rng = Random(luck)
        self.looks = 0

    def run(self, full: Any, action: Action) -> float:
        state = try_action(full, action, self.kind(f"{self.luck}/first"))
        dice = self.kind(f"{self.luck}/then")
        begun = stage(state)
        for _ in range(LONGEST):
            if state.outcome is not None or stage(state) != begun:
                break
            playout(state, dice, self.rng, self._glance, 1)
        return self._value(state)

    def _value(self, state: Any) -> float:
        """What a position is worth, as both sides see it."""
        if state.outcome is not None:
            return worth(self.game, state, self.seat)
        self.looks += 2
        others = [seat for seat in range(len(self.game.seats)) if seat != self.seat]
        theirs = fmean(self.game.evaluate(state, seat) for seat in others)
        return (self.game.evaluate(state, self.seat) - theirs) / 2

    def _glance(self, state: Any, decision: Decision, rng: Random) -> Action:
        """What looks best at one look to who decides; he is not asked what he may know."""
        actions = legal(state)
        if not actions:
            raise DeadEnd(repr(decision))
        if len(actions) == 1:
            return actions[0]
        self.looks += len(actions)
        luck = f"glance/{rng.random()}"
        return max(
            actions,
            key=lambda action: worth(
                self.game, try_action(state, action, Counted(luck), True), decision.seat
            ),
        )


def stage(state: Any) -> Hashable:
    """The turn that a position belongs to, and whose it is."""
    return getattr(state, "turn", 0), getattr(state, "active", 0)
