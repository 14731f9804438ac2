"""Random games over all scenarios and options, every state checked: what breaks is kept as a record."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from ..kernel import BadFile, Game, Match, Setup, legal, records, say
from ..kernel.files import write_text
from .pool import Progress, spread
from .simulate import MAX_DECISIONS, count

FLIP = 0.25  # how often an on-or-off option is not what it is by default
OTHER_ARMIES = 0.5  # how often ready armies are drawn instead of the scenario's own
DRAWS = 8  # of armies, until the game takes them: they must fit the scenario
REPLAY_EVERY = 25


class Failure(Struct, frozen=True):
    """A game that broke down, and the record from which it can be looked at and played again."""

    number: int
    seed: str
    scenario: str
    armies: tuple[str, ...]
    options: dict[str, bool | str]
    decisions: int  # that went well
    problem: str
    file: str


class Trial(Struct, frozen=True):
    """How one game of a fuzz run went."""

    scenario: str
    clause: str
    decisions: int
    replayed: bool
    declined: bool
    failure: Failure | None


class FuzzReport(Struct, frozen=True):
    """What a fuzz run saw; without failures it is a clean bill."""

    game: str
    seed: str
    games: int
    decisions: int
    replays: int  # games whose record was read back and compared
    declined: int  # options that the game would not take: played with the scenario's defaults
    scenarios: dict[str, int]
    endings: dict[str, int]  # by clause, the most frequent first
    failures: tuple[Failure, ...]
    seconds: float
    interrupted: bool = False


class Broken(Exception):
    """Something that must hold does not."""


def fuzz(
    game: Game,
    scenarios: Sequence[str] = (),
    games: int = 1000,
    seed: int | str = 0,
    jobs: int = 1,
    progress: Progress | None = None,
    *,
    folder: str | Path = ".",
    max_decisions: int = MAX_DECISIONS,
) -> FuzzReport:
    """Play ``games`` random games, of all scenarios if none is named; failures are recorded in ``folder``."""
    task = Fuzz(game, scenarios or scenario_names(game), str(seed), str(folder), max_decisions)
    began = time.perf_counter()
    trials, interrupted = spread(task, games, jobs, progress)
    return FuzzReport(
        game=game.key,
        seed=task.seed,
        games=len(trials),
        decisions=sum(trial.decisions for trial in trials),
        replays=sum(trial.replayed for trial in trials),
        declined=sum(trial.declined for trial in trials),
        scenarios=count(trial.scenario for trial in trials),
        endings=count(trial.clause for trial in trials if trial.clause),
        failures=tuple(trial.failure for trial in trials if trial.failure is not None),
        seconds=time.perf_counter() - began,
        interrupted=interrupted,
    )


# --- one game ------------------------------------------------------------------------------------


class Fuzz:
    """A fuzz run as a function of the game's number."""

    def __init__(
        self, game: Game, scenarios: Sequence[str], seed: str, folder: str, max_decisions: int
    ) -> None:
        self.game = game
        self.scenarios = tuple(scenarios)
        self.seed = seed
        self.folder = folder
        self.max_decisions = max_decisions

    def __call__(self, number: int) -> Trial:
        name = f"{self.seed}/{number}"
        rng = Random(f"{name}/fuzz")
        wish = Wish(self.game, rng.choice(self.scenarios), rng)
        replays = number % REPLAY_EVERY == 0
        match = Match(self.game, Setup({"name": wish.scenario}))
        failure, clause = None, ""
        try:
            match.setup = wish.setup()
            self._play(match, name, rng)
            if replays:
                check_replay(match)
            clause = match.state.outcome.clause if match.state.outcome else ""
        except Exception as error:
            failure = self._keep(number, wish, match, error)
        decisions = max(0, len(match.journal) - 1)
        return Trial(wish.scenario, clause, decisions, replays, wish.declined, failure)

    def _play(self, match: Match, name: str, rng: Random) -> None:
        """A whole game at random, checked after every action."""
        match.begin(match.seeded(name))
        while match.state.outcome is None:
            check(self.game, match.state)
            if len(match.journal) > self.max_decisions:
                raise Broken(f"no end after {self.max_decisions} decisions")
            actions = legal(match.state)
            if not actions:
                raise Broken(f"dead end: {match.state.todo[-1]!r} has no legal action")
            action = rng.choice(actions)
            try:
                match.play(action, match.seeded(name))
            except Exception as error:
                luck = f"{name}/{len(match.journal)}"
                raise Broken(f"{say(action)!r} with dice Seeded({luck!r}): {error!r}") from error
        check(self.game, match.state)

    def _keep(self, number: int, wish: Wish, match: Match, error: Exception) -> Failure:
        """Write the record of a game that broke down; the last thing in it is the last that went well."""
        problem = str(error) if isinstance(error, Broken) else repr(error)
        path = Path(self.folder) / f"fuzz-{self.game.key}-{self.seed}-{number}.legatus.jsonl".replace(
            "/", "_"
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, _record(match, {"seed": self.seed, "game": number, "problem": problem}))
        decisions = max(0, len(match.journal) - 1)
        return Failure(
            number, self.seed, wish.scenario, wish.armies, wish.options, decisions, problem, str(path)
        )


def check(game: Game, state: Any) -> None:
    """Raise if an invariant of the game does not hold."""
    broken = list(game.invariants(state))
    if broken:
        raise Broken(f"invariant: {'; '.join(broken)}")


def check_replay(match: Match) -> None:
    """Raise if the record of a match does not read back to the same record."""
    text = records.record_text(match)
    try:
        again = records.record_text(records.parse_record({match.game.key: match.game}, text))
    except BadFile as error:
        raise Broken(f"replay: {error}") from error
    if again != text:
        rows = zip(text.splitlines(), again.splitlines(), strict=False)
        line = next((n for n, (a, b) in enumerate(rows, 1) if a != b), 0)
        raise Broken(f"replay: another record, from line {line} on")


def _record(match: Match, note: dict[str, Any]) -> str:
    """The record; if the fault is that it cannot be written, the journal in plain words."""
    try:
        return records.record_text(match, fuzz=note)
    except Exception as error:
        lines = [{"fuzz": note, "unwritable": repr(error), "setup": repr(match.setup)}]
        journal = [{"seat": entry.seat, "entry": records.entry_text(entry)} for entry in match.journal]
        return "".join(json.dumps(line) + "\n" for line in [*lines, *journal])


# --- what to play --------------------------------------------------------------------------------


def scenario_names(game: Game) -> tuple[str, ...]:
    """The scenarios that come with a game."""
    folder = getattr(game, "folder", None)
    names = tuple(folder.names("scenarios")) if folder is not None else ()
    return names or (game.default_scenario,)


def army_names(game: Game) -> tuple[str, ...]:
    """The ready armies that come with a game; none if it has no such thing."""
    folder = getattr(game, "folder", None)
    return tuple(folder.names("armies")) if folder is not None else ()


class Wish:
    """A random set-up: options turned about and, half the time, other armies than the scenario's."""

    def __init__(self, game: Game, scenario: str, rng: Random) -> None:
        self.game = game
        self.scenario = scenario
        self.declined = False
        self.options: dict[str, bool | str] = {}
        for option in game.options:
            if option.choices:
                self.options[option.key] = rng.choice(option.choices)
            else:
                self.options[option.key] = bool(option.default) != (rng.random() < FLIP)
        ready = army_names(game)
        self.armies: tuple[str, ...] = ()
        self.draws: list[tuple[str, ...]] = []
        if ready and rng.random() < OTHER_ARMIES:
            self.draws = [tuple(rng.choice(ready) for _ in game.seats) for _ in range(DRAWS)]

    def setup(self) -> Setup:
        """The first draw of armies that the game takes, else the scenario's own; at worst the defaults."""
        for armies in (*self.draws, ()):
            try:
                setup = self.game.configure(self.scenario, armies, **self.options)
            except BadFile:
                continue
            self.armies = armies
            return setup
        self.declined, self.options = True, {}
        return self.game.configure(self.scenario)
