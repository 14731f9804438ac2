"""What the conformance tests share: the games, random matches, and what a sentence must be.

``FUZZ=10 pytest tests/conformance`` plays ten times as many matches.
"""

from __future__ import annotations

import inspect
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from legatus.games import GAMES
from legatus.kernel import BadFile, Game, Match, Seeded, Setup, State, legal
from legatus.kernel.words import LANGS
from tests.told import fields
from tests.toy import TOY

FUZZ = int(os.environ.get("FUZZ", "1"))
MATCHES = 3 * FUZZ  # random matches of every scenario
NUMBERS = {"outpost": 12 * FUZZ, "onus": 2 * FUZZ}  # short ones are more, long ones on many fields fewer
LIMIT = 5000  # decisions in which a random match must end
TRIES = 50  # to find armies and options that go together
MEASURED = {"onus"}  # without a grid: lengths and angles are numbers, and nobody can list them all

ROOT = Path(__file__).parents[2]
ALL: dict[str, Game] = {**GAMES, TOY.key: TOY}


def code_of(game: Game) -> list[Path]:
    """The sources and the tables of a game; a toy is a single file."""
    module, folder = Path(inspect.getfile(type(game))), game.folder.path
    if module.is_relative_to(folder):
        return [*sorted(folder.rglob("*.py")), *sorted(folder.glob("data/**/*.toml"))]
    return [module]


class Case(NamedTuple):
    """A random match: it depends on nothing else."""

    key: str
    scenario: str
    seed: int

    def __str__(self) -> str:
        return f"{self.key}-{self.scenario}-{self.seed}"


def scenarios(game: Game) -> list[str]:
    return list(game.folder.names("scenarios")) or [game.default_scenario]


CASES = [
    Case(key, name, n)
    for key, game in ALL.items()
    for name in scenarios(game)
    for n in range(NUMBERS.get(key, MATCHES))
]


def random_setup(game: Game, scenario: str, rng: Random) -> Setup:
    """The scenario with armies and options at random; not all of them go together."""
    names = list(game.folder.names("armies"))
    for _ in range(TRIES):
        armies = rng.choices(names, k=len(game.seats)) if names and rng.random() < 0.5 else []
        options = {option.key: rng.choice(option.choices or (False, True)) for option in game.options}
        with suppress(BadFile):
            return game.configure(scenario, armies, **options)
    return game.configure(scenario)


def new_match(case: Case) -> Match:
    """The match before its first decision.  Every scenario is played with its defaults first."""
    game = ALL[case.key]
    if case.seed == 0:
        setup = game.configure(case.scenario)
    else:
        setup = random_setup(game, case.scenario, Random(f"{case}/options"))
    return Match.new(game, setup, Seeded(f"{case}/0"))


@cache
def random_match(case: Case) -> Match:
    """Played to its end, or to a dead end, or to the limit: ``test_play`` says which it may be."""
    rng, match = Random(str(case)), new_match(case)
    while match.state.outcome is None and len(match.journal) <= LIMIT:
        options = legal(match.state)
        if not options:
            break
        match.play(rng.choice(options), match.seeded(str(case)))
    return match


def sample(match: Match, n: int) -> list[Any]:
    """Up to ``n`` states of a match in which somebody must decide, always the same ones."""
    waiting: list[State] = [state for state in match.states if state.decision is not None]
    rng = Random(len(match.journal))
    return waiting if len(waiting) <= n else [waiting[i] for i in sorted(rng.sample(range(len(waiting)), n))]


def told_to(events: list[Any], seat: int | None) -> list[Any]:
    """The lines of the log that a seat reads."""
    return [event for event in events if event.to is None or event.to == seat]


def assert_said(game: Game, state: State, said: Any) -> None:
    """It cites a clause that exists, and is a whole sentence in every language."""
    assert said.key, f"nothing is said: {said}"
    for lang in LANGS:
        messages, rulebook = game.folder.messages[lang], game.folder.rulebooks[lang]
        assert said.key in messages, f"no sentence for {said.key!r} in log.{lang}.toml"
        text = messages.render(said, lambda value, lang=lang: game.name(state, value, lang))
        assert text.strip(), f"{said.key!r} says nothing in log.{lang}.toml"
        missing = fields(messages.sentences[said.key]) - set(getattr(said, "values", {}))
        assert not missing, f"{said.key!r} in log.{lang}.toml lacks {missing}: {text}"
        if hasattr(said, "clause"):
            assert said.clause in rulebook.clauses, f"{said.key!r} cites {said.clause!r}: no such clause"
