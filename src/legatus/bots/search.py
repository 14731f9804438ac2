"""The bot that looks further: it plays what looks likeliest on, beyond the end of the turn, and compares.

What looks best at one look, the greedy bot's choice, is the one to beat.  Its rivals are played on together
with it, in guessed worlds and with the same dice: both sides do what looks best to them at one look, until
enough has happened and a turn is over.  Who does worst drops out, half of them at a time, and who is surely
behind at once.  A rival is chosen only if it did better by more than the luck of the trials explains; so a
small budget does little, and no harm.

The budget is counted in trials, not in seconds, and what happens in a world depends on its name only: the
same decision can be made again, on any machine and by any number of processes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import ceil, inf, sqrt
from random import Random
from statistics import fmean, pstdev
from typing import Any

from ..kernel import Action, Game, Seat, Seeded, legal
from ..kernel.engine import DeadEnd, run_on, try_action
from .crew import Crew
from .greedy import WON, Counted, GreedyBot, worth
from .thoughts import Thought

RIVALS = 5  # that are played on, beside what looks best ...
EACH = 16  # ... one for each of so many trials of the budget
AHEAD = 20  # decisions of a trial at least; then it ends with the turn ...
LONGEST = 80  # ... or here
DOUBT = 1.0  # standard errors by which a rival must have done better
TRIFLE = 0.02  # of the spread of what the first brought: a lead that is not worth a change
SURE = 2.0  # standard errors behind the first, and a rival is out ...
ENOUGH = 4  # ... after so many trials
GLANCE = 5  # actions that are looked at again, where some are known from a like decision
BEYOND = 1.5  # what an end is worth, compared to the best and worst that was seen before the end


Merits = dict[Hashable, dict[Action, float]]
"""By kind of decision: what actions were worth when last looked at, less what the best was worth then.

Most decisions of a turn are like the one before it: who did badly there is not looked at again.
"""


class SearchBot:
    """Plays ``trials`` on at every decision; with the chance ``noise`` it does not think at all.

    ``jobs`` processes share the trials; how many there are changes nothing but the time.
    """

    def __init__(self, trials: int, noise: float = 0.0, jobs: int = 1) -> None:
        self.trials, self.noise, self.jobs = trials, noise, jobs
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
        rivals = min(RIVALS, ceil(self.trials / EACH), len(self.thoughts) - 1)
        if rivals > 0:
            actions = [thought.action for thought in self.thoughts[: rivals + 1]]
            contest = Contest(Crew(self.jobs, meet, game, view, seat), actions)
            best = contest.run(self.trials, rng)
            self.thoughts = contest.thoughts() or self.thoughts
        return best


class Contest:
    """Some actions, the first of which is the one to beat, and how they did in the worlds so far."""

    def __init__(self, crew: Crew, actions: Sequence[Action]) -> None:
        self.crew, self.actions = crew, actions
        self.values: list[list[float]] = [[] for _ in actions]
        self.best = 0

    def run(self, trials: int, rng: Random) -> Action:
        """The action that did best, within a budget: each round takes an equal part of it.

        Who dropped out is not chosen, however well his few trials went.
        """
        rivals = list(range(1, len(self.actions)))
        rounds = len(rivals).bit_length()
        leads = [0.0] * len(self.actions)
        while rivals and rounds:
            share = trials // rounds
            worlds = max(1, share // (2 * len(rivals) + 2))
            self._meet([0, *rivals], [f"{rng.random()}" for _ in range(worlds)])
            trials, rounds = trials - share, rounds - 1
            leads, hopes = self.leads(DOUBT), self.leads(-SURE)
            rivals = sorted(rivals, key=lambda i: -leads[i])[: max(1, len(rivals) // 2)]
            if len(self.values[0]) >= ENOUGH:
                rivals = [i for i in rivals if hopes[i] > 0]
        if rivals and leads[rivals[0]] > TRIFLE * pstdev(self._scores()[0]):
            self.best = rivals[0]
        return self.actions[self.best]

    def _meet(self, those: Sequence[int], worlds: Sequence[str]) -> None:
        """Play some of the actions on in the same worlds."""
        for met in self.crew.map(worlds, [self.actions[i] for i in those]):
            for i, values in zip(those, met, strict=True):
                self.values[i] += values

    def leads(self, doubt: float) -> list[float]:
        """By how much each did better than the first, less a doubt in standard errors."""
        scores = self._scores()
        found = [0.0]
        for row in scores[1:]:
            ahead = [mine - first for mine, first in zip(row, scores[0], strict=False)]
            found.append(fmean(ahead) - doubt * pstdev(ahead) / sqrt(len(ahead) - 1) if ahead else -inf)
        return found

    def _scores(self) -> list[list[float]]:
        """What the trials brought; an end counts for a little more than the best or worst seen before it."""
        seen = [abs(value) for row in self.values for value in row if abs(value) < WON]
        most = BEYOND * max(seen, default=1.0)
        return [[max(-most, min(most, value)) for value in row] for row in self.values]

    def thoughts(self) -> tuple[Thought, ...]:
        """What was considered: the chosen one first, then who stayed in longest."""
        scores, leads = self._scores(), self.leads(DOUBT)
        tried = [i for i, row in enumerate(scores) if row]
        ranked = sorted(tried, key=lambda i: (i != self.best, -len(scores[i]), -leads[i]))
        return tuple(Thought(self.actions[i], fmean(scores[i]), len(scores[i])) for i in ranked)


def meet(game: Game, view: Any, seat: Seat, world: str, actions: Sequence[Action]) -> list[list[float]]:
    """What actions bring in a world, each played on once, and once more with all luck the other way round."""
    full = game.guess(view, seat, Random(world))
    merits: Merits = {}
    return [
        [Trial(game, seat, world, kind, merits).run(full, action) for kind in (Seeded, Turned)]
        for action in actions
    ]


class Turned(Seeded):
    """The luck of a name the other way round, high where that is low: two such trials cancel much of it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        straight = self._random
        self._random = lambda: 1.0 - 2**-53 - straight()


class Trial:
    """An action played on in a world."""

    def __init__(self, game: Game, seat: Seat, luck: str, kind: type[Seeded], merits: Merits) -> None:
        self.game, self.seat, self.merits = game, seat, merits
        self.first, self.then = kind(f"{luck}/first"), kind(f"{luck}/then")
        self.rng = Random(luck)

    def run(self, full: Any, action: Action) -> float:
        state = try_action(full, action, self.first)
        begun = stage(state)
        for made in range(LONGEST):
            if state.outcome is not None or (made > AHEAD and stage(state) != begun):
                break
            if made <= AHEAD:
                begun = stage(state)
            state = self._next(state)
        return self._value(state)

    def _value(self, state: Any) -> float:
        """What a position is worth, as both sides see it."""
        if state.outcome is not None:
            return worth(self.game, state, self.seat)
        others = [seat for seat in range(len(self.game.seats)) if seat != self.seat]
        theirs = fmean(self.game.evaluate(state, seat) for seat in others)
        return (self.game.evaluate(state, self.seat) - theirs) / 2

    def _next(self, state: Any) -> Any:
        """After what looks best at one look to who decides; he is not asked what he may know."""
        decision, actions = state.decision, legal(state)
        if not actions:
            raise DeadEnd(repr(decision))
        if len(actions) == 1:
            return try_action(state, actions[0], self.then)
        luck = f"glance/{self.rng.random()}"
        known = self.merits.setdefault((type(decision), decision.seat), {})
        best, top, certain, found = actions[0], -inf, False, state
        values = {}
        for action in likely(actions, known):
            dice = Counted(luck)
            after = try_action(state, action, dice, True)
            values[action] = value = worth(self.game, after, decision.seat)
            if value > top:
                best, top, certain, found = action, value, dice.asked is None, after
        known.update({action: value - top for action, value in values.items()})
        if not certain:
            return try_action(state, best, self.then)
        run_on(found, self.then)
        return found


def likely(actions: list[Action], known: dict[Action, float]) -> list[Action]:
    """Those that are new, and the best of those that are not."""
    old = [action for action in actions if action in known]
    if len(old) <= GLANCE:
        return actions
    poor = set(sorted(old, key=known.__getitem__)[:-GLANCE])
    return [action for action in actions if action not in poor]


def stage(state: Any) -> Hashable:
    """The turn that a position belongs to, and whose it is."""
    return getattr(state, "turn", 0), getattr(state, "active", 0)
