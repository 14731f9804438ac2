"""Where was the battle won?  The chance to win after every action, and what luck and decisions did to it.

The method, and what it cannot see, is in ``docs/guides/analyse-a-battle.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import cached_property
from math import sqrt
from random import Random
from typing import Any

from msgspec import Struct

from ..bots import GreedyBot, make_bot
from ..kernel import Action, Entry, Game, Match, Seat, Seeded, TooManyOutcomes, legal, outcomes, say
from ..kernel.engine import playout, try_action
from ..kernel.records import parse_record, record_text
from .curve import Curve, Look, Rehearsal, fit, result_of, seen
from .pool import Progress, spread
from .simulate import BehindScreens
from .stats import Z95

TURNING_POINTS = 5
LOOKS = 16  # positions of a game that the curve learns from
LONGEST = 6_000  # decisions of a game that is played on
EXACT = 48  # branches of luck that are all followed; where there are more, samples are thrown
SHORT_LIST = 48  # actions that are looked at in one decision, the chosen one among them
FIRST_LOOKS = 2  # worlds in which each of them is tried
RIVALS = 2  # of those, how many are weighed against the chosen one
REFINED = 12  # the largest swings are measured again, with
FINER = 4  # times as many samples
WORTH_A_LOOK = 0.005  # a loss that looks smaller is none; larger ones are looked at again,
FURTHEST = 8  # after so many more decisions of the same seat at most
MOST_ROLLED = 48  # worlds in which that is done

Tried = Callable[[Action], "list[Look | float]"]
"""An action tried in several worlds: what is seen then in each of them."""
Trier = Callable[..., Tried]


class Plan(Struct, frozen=True):
    """How much is spent; the same plan gives the same analysis."""

    bot: str = "greedy"  # who plays the games on
    playouts: int = 32
    samples: int = 16  # worlds and throws, of an action
    seed: str = "0"


class Swing(Struct, frozen=True):
    """A change of the first seat's chance, and half the width of its 95 % interval."""

    by: float = 0.0
    give: float = 0.0


class Moment(Struct, frozen=True):
    """An entry: the chance of the first seat after it, and what the change before it is made of."""

    entry: int
    seat: Seat | None  # who acted; nobody at the beginning
    do: str
    value: float
    low: float  # 95 % interval of the curve
    high: float
    luck: Swing = Swing()  # what fell, against what was to be expected
    decision: Swing = Swing()  # what was done, against the best that was found
    rest: float = 0.0  # how far the best found differed from what the curve had said: nobody's merit
    best: str = ""  # the best action found, if another one was done
    options: int = 1  # legal actions

    @property
    def swing(self) -> float:
        return self.luck.by + self.decision.by


class Analysis(Struct, frozen=True):
    """A whole match.  The value after an entry is that before it + luck + decision + rest, exactly."""

    game: str
    plan: Plan
    moments: tuple[Moment, ...]
    turning: tuple[int, ...]  # entries of the largest swings, the largest first
    error: float  # of the curve over the games it was fitted on: see Curve

    def luck(self, seat: Seat) -> float:
        """All that luck gave a seat, or took from it."""
        return sum(moment.luck.by for moment in self.moments) * _sign(seat)

    def decisions(self, seat: Seat) -> float:
        """All that its own decisions cost a seat: never more than 0."""
        return sum(m.decision.by for m in self.moments if m.seat == seat) * _sign(seat)

    def outlook(self, seat: Seat) -> float:
        """What is left of the change: all that looking one action further corrected, for a seat."""
        return sum(moment.rest for moment in self.moments) * _sign(seat)


Job = tuple[str, int, int]
"""What is to be reckoned: ``play``, ``weigh``; of which number; with how many samples."""


class Study:
    """One match under analysis; it travels to every process once."""

    def __init__(self, game: Game, text: str, plan: Plan) -> None:
        self.game, self.text, self.plan = game, text, plan
        self.curve: Curve | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "match"}

    @cached_property
    def match(self) -> Match:
        return parse_record({self.game.key: self.game}, self.text, verify=False)

    @property
    def last(self) -> int:
        return len(self.match.journal) - 1

    def run(self, job: Job) -> Any:
        what, number, samples = job
        return self.play_on(number) if what == "play" else self.weigh(number, samples)

    def _time(self, entry: int) -> float:
        return entry / max(1, self.last)

    # --- games played on

    def play_on(self, number: int) -> Rehearsal:
        """From a moment of the match to an end, by bots who see what their seats see."""
        waiting = [n for n, state in enumerate(self.match.states) if state.decision is not None]
        if not waiting:
            return Rehearsal((), result_of(self.match.state))
        entry = waiting[number * len(waiting) // max(1, self.plan.playouts)]
        name = f"{self.plan.seed}/play/{number}"
        state: Any = self.match.states[entry].copy()
        chooser = BehindScreens(self.game, [make_bot(self.plan.bot) for _ in self.game.seats])
        dice, rng = Seeded(f"{name}/dice"), Random(f"{name}/bots")
        looks = [seen(self.game, state, self._time(entry))]
        step, made = 8, 0
        while state.outcome is None and made < LONGEST:
            made += playout(state, dice, rng, chooser, step)
            if state.outcome is None:
                looks.append(seen(self.game, state, self._time(entry + made)))
            if len(looks) > LOOKS:
                looks, step = looks[::2], step * 2
        return Rehearsal(tuple(looks), result_of(state))

    # --- one action

    def value(self, entry: int) -> tuple[float, float, float]:
        """The chance after an entry, and its interval."""
        leaf = self._leaf(self.match.states[entry], entry)
        if not isinstance(leaf, tuple):
            return leaf, leaf, leaf
        assert self.curve is not None
        others = sorted(self.curve.chances(leaf))
        cut = len(others) // 40
        p = self.curve.chance(leaf)
        return p, min([p, *others[cut : cut + 1]]), max([p, *others[-cut - 1 :][:1]])

    def weigh(self, entry: int, samples: int) -> Moment:
        """What luck and the decision of one entry did."""
        done, before = self.match.journal[entry], self.match.states[entry - 1]
        value, low, high = self.value(entry)
        if done.resumed is not None:  # nobody did anything: the rules had changed
            rest = value - self.value(entry - 1)[0]
            return Moment(entry, None, "", value, low, high, Swing(), Swing(), rest, "", 1)
        assert done.seat is not None
        assert done.action is not None
        name = f"{self.plan.seed}/{samples}/{entry}"
        luck = self._luck(before, done, entry, samples, name)
        options = legal(before)
        decision, best = Swing(), ""
        if len(options) > 1:
            decision, best = self._decision(before, done, options, entry, samples, name)
        rest = value - self.value(entry - 1)[0] - luck.by - decision.by
        line = say(done.action)
        return Moment(entry, done.seat, line, value, low, high, luck, decision, rest, best, len(options) or 1)

    def _leaf(self, state: Any, entry: int) -> Look | float:
        """What is seen of a state, or how it ended."""
        return seen(self.game, state, self._time(entry)) if state.outcome is None else result_of(state)

    def _chances(self, leaf: Look | float) -> list[float]:
        """By the curve, and then by the others."""
        assert self.curve is not None
        if not isinstance(leaf, tuple):
            return [leaf] * (1 + len(self.curve.others))
        return [self.curve.chance(leaf), *self.curve.chances(leaf)]

    def _luck(self, before: Any, done: Entry, entry: int, samples: int, name: str) -> Swing:
        """What fell, against the mean of all that could have fallen."""
        assert done.action is not None
        if not done.dice:
            return Swing()
        fell = self._chances(self._leaf(self.match.states[entry], entry))
        try:
            branches = [(float(p), state) for p, state in outcomes(before, done.action, EXACT)]
            noise = 0.0
        except TooManyOutcomes:
            n = 2 * samples
            throws = (try_action(before, done.action, Seeded(f"{name}/luck/{i}")) for i in range(n))
            branches = [(1 / n, state) for state in throws]
            noise = 1 / n
        rows = [(p, self._chances(self._leaf(state, entry))) for p, state in branches]
        mean = [sum(p * row[i] for p, row in rows) for i in range(len(fell))]
        spread_out = sum(p * (row[0] - mean[0]) ** 2 for p, row in rows)
        return _swing([a - b for a, b in zip(fell, mean, strict=True)], spread_out * noise)

    def _decision(
        self, before: Any, done: Entry, options: Sequence[Action], entry: int, samples: int, name: str
    ) -> tuple[Swing, str]:
        """What was done against the best found, by what its seat could know: never better than 0 for it."""
        seat, chosen = done.seat or 0, done.action
        assert chosen is not None
        rng = Random(f"{name}/worlds")
        rivals = [action for action in options if action != chosen]
        if len(rivals) >= SHORT_LIST:
            rivals = rng.sample(rivals, SHORT_LIST - 1)
        worth = self._trier(before, seat, entry, rng, name)
        for looks, kept in ((FIRST_LOOKS, RIVALS), (samples, 1)):
            if len(rivals) > kept:
                worlds = worth(looks)
                ranks = {say(a): -sum(self._point(leaf, seat) for leaf in worlds(a)) for a in rivals}
                rivals = sorted(rivals, key=lambda action: (ranks[say(action)], say(action)))[:kept]
        if not rivals:
            return Swing(), ""
        rival = rivals[0]
        rough = self._gap(worth(samples), chosen, rival)  # fresh worlds: luck that chose does not measure
        if rough.by * _sign(seat) > -WORTH_A_LOOK:
            return Swing(), ""
        swing = self._gap(worth(min(samples, MOST_ROLLED), roll=True), chosen, rival)
        return (swing, say(rival)) if swing.by * _sign(seat) < 0 else (Swing(), "")

    def _gap(self, tried: Tried, chosen: Action, rival: Action) -> Swing:
        """How much the chosen action leads to more than the rival, over the same worlds and the same luck."""
        gaps = [
            [a - b for a, b in zip(self._chances(ours), self._chances(theirs), strict=True)]
            for ours, theirs in zip(tried(chosen), tried(rival), strict=True)
        ]
        mean = [sum(column) / len(gaps) for column in zip(*gaps, strict=True)]
        noise = sum((gap[0] - mean[0]) ** 2 for gap in gaps) / len(gaps) / max(1, len(gaps) - 1)
        return _swing(mean, noise)

    def _point(self, leaf: Look | float, seat: Seat) -> float:
        assert self.curve is not None
        p = self.curve.chance(leaf) if isinstance(leaf, tuple) else leaf
        return p * _sign(seat)

    def _trier(self, before: Any, seat: Seat, entry: int, rng: Random, name: str) -> Trier:
        """Makes worlds, each with its luck; in them every action is tried, so that luck cancels out."""
        view = self.game.view(before, seat)

        def worth(number: int, roll: bool = False) -> Tried:
            luck = [f"{name}/{number}/{rng.random()}" for _ in range(number)]
            worlds = [self.game.guess(view, seat, rng) for _ in luck]

            def tried(action: Action) -> list[Look | float]:
                return [
                    self._leaf(self._after(full, action, seat, throws, roll), entry)
                    for full, throws in zip(worlds, luck, strict=True)
                ]

            return tried

        return worth

    def _after(self, full: Any, action: Action, seat: Seat, luck: str, roll: bool) -> Any:
        """The state after an action; with ``roll`` its seat goes on, as greedy would, as long as it is asked.

        Half of a manoeuvre looks like nothing: only where it ends it can be judged.
        """
        dice = Seeded(luck)
        state = try_action(full, action, dice)
        bot, rng, made = GreedyBot(samples=1), Random(luck), 0
        while roll and made < FURTHEST and state.decision is not None and state.decision.seat == seat:
            chosen = bot.choose(self.game, self.game.view(state, seat), seat, rng)
            state, made = try_action(state, chosen, dice), made + 1
        return state


def stages(study: Study) -> Generator[list[Job], list[Any], Analysis]:
    """The jobs of an analysis in three parts; whoever runs them sends the results back, in their order."""
    plan, last = study.plan, study.last
    games: list[Rehearsal] = yield [("play", number, 0) for number in range(plan.playouts)]
    study.curve = fit(games, f"{plan.seed}/curve")
    found: list[Moment] = yield [("weigh", entry, plan.samples) for entry in range(1, last + 1)]
    moments = {moment.entry: moment for moment in found}
    finer = plan.samples * FINER
    again: list[Moment] = yield [("weigh", entry, finer) for entry in _largest(found, REFINED)]
    moments |= {moment.entry: moment for moment in again}
    first = Moment(0, None, "", *study.value(0))
    turning = tuple(_largest(again, TURNING_POINTS))
    return Analysis(study.game.key, plan, (first, *moments.values()), turning, study.curve.error)


def jobs_of(plan: Plan, entries: int) -> int:
    """How many jobs there will be, of a match with so many entries."""
    return plan.playouts + entries - 1 + min(REFINED, entries - 1)


def analyse(
    match: Match, plan: Plan | None = None, jobs: int = 1, progress: Progress | None = None
) -> Analysis:
    """The analysis of a match on several processes; however many, it is the same.  Ctrl-C goes through."""
    study = Study(match.game, record_text(match), plan or Plan())
    work, total, before = stages(study), jobs_of(study.plan, len(match.journal)), 0
    batch = next(work)
    while True:
        found, interrupted = spread(Part(study, batch), len(batch), jobs, _shifted(progress, before, total))
        if interrupted:
            raise KeyboardInterrupt
        before += len(batch)
        try:
            batch = work.send(found)
        except StopIteration as end:
            done: Analysis = end.value
            return done


class Part:
    """Some jobs, as a function of their numbers."""

    def __init__(self, study: Study, jobs: Sequence[Job]) -> None:
        self.study, self.jobs = study, jobs

    def __call__(self, number: int) -> Any:
        return self.study.run(self.jobs[number])


def _shifted(progress: Progress | None, before: int, total: int) -> Progress | None:
    return None if progress is None else lambda done, _: progress(before + done, total)


def _largest(moments: Sequence[Moment], number: int) -> list[int]:
    ranked = sorted(moments, key=lambda moment: (-abs(moment.swing), moment.entry))
    return [moment.entry for moment in ranked[:number]]


def _sign(seat: Seat) -> int:
    return 1 if seat == 0 else -1


def _swing(values: Sequence[float], noise: float) -> Swing:
    """The first of these, as sure as the others agree and the samples allow."""
    by, *others = values
    mean = sum(others) / len(others) if others else by
    spread_out = sum((value - mean) ** 2 for value in others) / max(1, len(others) - 1)
    return Swing(by, Z95 * sqrt(spread_out + noise))
