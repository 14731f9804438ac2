"""The bot that looks further: it plays what looks likeliest on, to the end of a turn, and compares.

What looks best at one look, the greedy bot's choice, is the one to beat.  Its rivals are played on together
with it, in guessed worlds: both sides do what looks best to them at one look, until enough has happened and a
turn is over.  In a world luck belongs to the occasion, so that a fight that has nothing to do with what is
compared goes the same way in every trial.  It is a race: who is surely behind drops out.  A rival is chosen
only if it did better than the first by more than the luck of the worlds explains; so a small budget does
little, and no harm.

The budget is counted in trials, not in seconds, and what happens in a world depends on its name only: the
same decision can be made again, on any machine and by any number of processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import inf, sqrt
from random import Random
from statistics import fmean, pstdev, stdev
from typing import Any

from ..kernel import Action, Game, Seat, Seeded, legal
from ..kernel.engine import run_on, try_action
from ..kernel.errors import DeadEnd
from .crew import Crew
from .greedy import WON, Counted, GreedyBot, sensible, worth
from .thoughts import Thought

RIVALS = 7  # that are played on, beside what looks best ...
EACH = 12  # ... one for each of so many trials of the budget
LONGEST = 80  # decisions of a trial, wherever it is then; else it ends with a turn (see ``Game.ahead``)
DOUBT = 1.0  # standard errors by which a rival must have done better
TRIFLE = 0.02  # of the spread of what the first brought: a lead that is not worth a change
SURE = 2.0  # standard errors behind who did best, and one is out ...
ENOUGH, STEP = 3, 2  # ... after so many worlds at first, and after each of so many more
GLANCE = 5  # actions that are looked at again, where some are known from a like decision
BEYOND = 1.5  # what an end is worth, compared to the best and worst that was seen before the end


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
        rivals = min(RIVALS, self.trials // EACH, len(self.thoughts) - 1)
        if rivals > 0:
            actions = [thought.action for thought in self.thoughts[: rivals + 1]]
            contest = Contest(Crew(self.jobs, meet, game, view, seat), actions)
            best = contest.run(self.trials, rng)
            self.thoughts = contest.thoughts()
        return best


class Contest:
    """Some actions, the first of which is the one to beat, and what their trials brought world by world."""

    def __init__(self, crew: Crew, actions: Sequence[Action]) -> None:
        self.crew, self.actions = crew, actions
        self.values: list[list[list[float]]] = [[] for _ in actions]
        self.best = 0

    def run(self, trials: int, rng: Random) -> Action:
        """The action that did best, within a budget: a race, in which who is surely behind drops out.

        Who dropped out is not chosen, however well his few trials went.
        """
        left, worlds = list(range(len(self.actions))), ENOUGH
        while len(left) > 1 and worlds:
            self._meet(left, [f"{rng.random()}" for _ in range(worlds)])
            trials -= 2 * worlds * len(left)
            self.best = self._leader(left)
            left = [i for i in left if i == self.best or self.lead(self.best, i, SURE) < 0]
            worlds = min(STEP, trials // (2 * len(left)))
        if 0 in left and self.lead(self.best, 0, DOUBT) <= TRIFLE * pstdev(self.scores()[0]):
            self.best = 0
        return self.actions[self.best]

    def _leader(self, those: Sequence[int]) -> int:
        """Who did best so far, the first of equals; all of them have met all worlds."""
        scores = self.scores()
        return max(those, key=lambda i: fmean(scores[i]))

    def _meet(self, those: Sequence[int], worlds: Sequence[str]) -> None:
        """Play some of the actions on in the same worlds."""
        for met in self.crew.map(worlds, [self.actions[i] for i in those]):
            for i, values in zip(those, met, strict=True):
                self.values[i].append(values)

    def lead(self, one: int, other: int, doubt: float) -> float:
        """By how much one did better than another where both were tried, less a doubt in standard errors."""
        scores = self.scores()
        ahead = [mine - theirs for mine, theirs in zip(scores[one], scores[other], strict=False)]
        return fmean(ahead) - doubt * stdev(ahead) / sqrt(len(ahead))

    def scores(self) -> list[list[float]]:
        """What each world brought; an end counts for a little more than the best or worst seen before it."""
        trials = [value for row in self.values for world in row for value in world]
        most = BEYOND * max((abs(value) for value in trials if abs(value) < WON), default=1.0)
        return [[fmean(max(-most, min(most, v)) for v in world) for world in row] for row in self.values]

    def thoughts(self) -> tuple[Thought, ...]:
        """What was considered: the chosen one first, then who stayed in longest."""
        means = [fmean(row) for row in self.scores()]
        ranked = sorted(range(len(means)), key=lambda i: (i != self.best, -len(self.values[i]), -means[i]))
        return tuple(Thought(self.actions[i], means[i], sum(map(len, self.values[i]))) for i in ranked)


def meet(game: Game, view: Any, seat: Seat, world: str, actions: Sequence[Action]) -> list[list[float]]:
    """What actions bring in a world, each played on once, and once more with all luck the other way round.

    The first trial says how far all of them go.
    """
    full = game.guess(view, seat, Random(world))
    turns, found = 0, []
    for action in actions:
        values = []
        for kind in (Seeded, Turned):
            trial = Trial(game, seat, world, kind)
            values.append(trial.run(full, action, turns))
            turns = turns or trial.turns
        found.append(values)
    return found


class Turned(Seeded):
    """The luck of a name the other way round, high where that is low: two such trials cancel much of it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        straight = self._random
        self._random = lambda: 1.0 - 2**-53 - straight()


class Fate:
    """The luck of a world, by occasion: whoever does the same thing in the same turn throws the same dice."""

    def __init__(self, world: str, kind: type[Seeded]) -> None:
        self.world, self.kind = world, kind
        self.times: Counter[Hashable] = Counter()

    def dice(self, *occasion: Hashable) -> Counted:
        """New dice for an occasion each time that it comes."""
        self.times[occasion] += 1
        return Counted(f"{self.world}/{occasion}/{self.times[occasion]}", self.kind)


class Trial:
    """An action played on in a world."""

    def __init__(self, game: Game, seat: Seat, world: str, kind: type[Seeded]) -> None:
        self.game, self.seat = game, seat
        self.world, self.fate = world, Fate(world, kind)
        self.turns = 0  # that have ended
        self.merits: dict[Hashable, dict[Action, float]] = {}
        """By kind of decision: what actions were worth when last looked at, less what the best was worth.

        Most decisions of a turn are like the one before it: who did badly there is not looked at again.
        It is the trial's own: what others saw would make it play otherwise than they did.
        """

    def run(self, full: Any, action: Action, turns: int = 0) -> float:
        """What the position is worth when so many turns have ended; with 0, when enough has happened.

        Positions are compared at the same time only: most look better to whose turn it is.
        """
        state, now = self._do(full, action), self.game.stage(full)
        for made in range(LONGEST):
            if state.outcome is not None:
                break
            if self.game.stage(state) != now:
                now = self.game.stage(state)
                self.turns += 1
                if self.turns >= turns if turns else made > self.game.ahead:
                    break
            state = self._next(state)
        return self._value(state)

    def _do(self, state: Any, action: Action) -> Any:
        """After an action: what it sets going has dice of its own, and so has what waited for it."""
        after = try_action(state, action, self.fate.dice(self.game.stage(state), action), alone=True)
        return self._go_on(after)

    def _go_on(self, state: Any) -> Any:
        if state.todo:
            run_on(state, self.fate.dice(self.game.stage(state), type(state.todo[-1]).__name__))
        return state

    def _value(self, state: Any) -> float:
        """What a position is worth, as both sides see it."""
        if state.outcome is not None:
            return worth(self.game, state, self.seat)
        others = [seat for seat in range(len(self.game.seats)) if seat != self.seat]
        theirs = fmean(self.game.evaluate(state, seat) for seat in others)
        return (self.game.evaluate(state, self.seat) - theirs) / 2

    def _next(self, state: Any) -> Any:
        """After what looks best at one look to who decides; he is not asked what he may know."""
        decision, actions = state.decision, sensible(state)
        if not actions:
            raise DeadEnd(repr(decision))
        if len(actions) == 1:
            return self._do(state, actions[0])
        known = self.merits.setdefault((type(decision), decision.seat), {})
        luck = f"{self.world}/glance/{self.game.stage(state)}/{type(decision).__name__}"
        glance = Glance(self.game, state, luck)
        best, top, found = actions[0], -inf, None
        values = {}
        for action in likely(actions, known):
            values[action] = value = glance.at(action)
            if value > top:
                best, top, found = action, value, glance.certain
        known.update({action: value - top for action, value in values.items()})
        return self._do(state, best) if found is None else self._go_on(found)


class Glance:
    """One look at actions, each with the same dice; where they matter, and the other way round."""

    def __init__(self, game: Game, state: Any, luck: str) -> None:
        self.game, self.state, self.luck = game, state, luck
        self.seat: Seat = state.decision.seat
        self.certain: Any = None  # the state after the last action, if it asked luck for nothing

    def at(self, action: Action) -> float:
        """What an action is worth to who decides."""
        dice = Counted(self.luck)
        after = try_action(self.state, action, dice, alone=True)
        value = worth(self.game, after, self.seat)
        if dice.asked is None:
            self.certain = after
            return value
        self.certain = None
        after = try_action(self.state, action, Turned(self.luck), alone=True)
        return (value + worth(self.game, after, self.seat)) / 2


def likely(actions: list[Action], known: dict[Action, float]) -> list[Action]:
    """Those that are new, and the best of those that are not."""
    old = [action for action in actions if action in known]
    if len(old) <= GLANCE:
        return actions
    poor = set(sorted(old, key=known.__getitem__)[:-GLANCE])
    return [action for action in actions if action not in poor]
