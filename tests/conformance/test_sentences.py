"""Whatever is said cites a clause that exists and is a whole sentence in both languages."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from legatus.kernel import Decision, Game, IllegalAction, Match, Seeded, apply, legal, why_not
from legatus.kernel.words import KERNEL_MESSAGES, LANGS, flatten
from tests.told import fields

from .common import ROOT, assert_said, code_of, sample

STATES = 40


def test_every_candidate_is_legal_or_refused_with_a_clause_and_a_sentence(match: Match) -> None:
    for state in sample(match, STATES):
        for action in state.decision.candidates(state):
            refusals = why_not(state, action)
            for refusal in refusals:
                assert_said(match.game, state, refusal)
            if refusals:
                with pytest.raises(IllegalAction):
                    apply(state, action, Seeded("x"))


def test_every_event_is_a_sentence(match: Match) -> None:
    for state, events in zip(match.states, match.events, strict=True):
        for event in events:
            assert_said(match.game, state, event)
            assert event.to is None or 0 <= event.to < len(match.game.seats)


def test_every_prompt_is_a_sentence(match: Match) -> None:
    for state in sample(match, STATES):
        assert_said(match.game, state, state.decision.prompt(state))


def test_every_remark_is_said_in_both_languages(match: Match) -> None:
    """Of legal actions: a short note, no sentence."""
    for state in sample(match, STATES):
        for action in legal(state):
            said = action.remark(state)
            for lang in LANGS if said is not None else ():
                text = match.game.folder.messages[lang].fill(said)
                assert text
                assert text != said.key
                assert "{" not in text


def test_the_outcome_is_a_sentence_and_nothing_is_legal_after_it(match: Match) -> None:
    assert_said(match.game, match.state, match.state.outcome)
    refusals = why_not(match.state, match.journal[-1].action)
    assert [refusal.key for refusal in refusals] == ["kernel.over"]
    assert_said(match.game, match.state, refusals[0])


# Where the key stands among the arguments, and the values that follow it (None: as keywords).
SPEAKERS = {"Message": (0, 1), "Refusal": (1, 2), "Outcome": (2, None), "win": (2, None)}
SPEAKERS |= {"tell": (1, None), "reveal": (1, None), "Event": (1, 2)}


def spoken(path: Path) -> Iterator[tuple[str, set[str] | None, int]]:
    """The keys that a file says, with the values that it gives (None: cannot be told) and the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        place, after = SPEAKERS.get(name, (99, None))
        if place < len(node.args) and isinstance(key := node.args[place], ast.Constant):
            given = {word.arg for word in node.keywords if word.arg} - {"to"}
            known = all(word.arg for word in node.keywords) and "values" not in given
            if after is not None and after < len(node.args):
                table = node.args[after]
                known = isinstance(table, ast.Dict) and all(isinstance(k, ast.Constant) for k in table.keys)
                given = {str(k.value) for k in table.keys} if known else set()
            yield str(key.value), given if known else None, node.lineno


def unsaid(paths: Iterable[Path], sentences: dict[str, str]) -> Iterator[str]:
    """What files say without a sentence for it, or without its values."""
    for path in paths:
        for key, given, line in spoken(path):
            if key not in sentences:
                yield f"{path.name}:{line}: no sentence for {key!r}"
            elif given is not None and (missing := fields(sentences[key]) - given):
                yield f"{path.name}:{line}: {key!r} needs {sorted(missing)}"


def test_what_code_says_has_a_sentence_with_its_values(game: Game) -> None:
    """Also what random play has not said."""
    paths = [path for path in code_of(game) if path.suffix == ".py"]
    faults = list(unsaid(paths, game.folder.messages["en"].sentences))
    assert not faults, "; ".join(faults)


def test_what_the_platform_says_has_a_sentence_with_its_values() -> None:
    package = ROOT / "src" / "legatus"
    paths = [path for part in ("kernel", "bots", "lab", "cli") for path in (package / part).rglob("*.py")]
    assert {key for path in paths for key, _, _ in spoken(path)} >= {"record.seat", "bot.unknown"}
    faults = list(unsaid(paths, KERNEL_MESSAGES["en"]))
    assert not faults, "; ".join(faults)


def test_the_platform_speaks_both_languages_with_the_same_values() -> None:
    one, two = ({key: fields(text) for key, text in KERNEL_MESSAGES[lang].items()} for lang in LANGS)
    assert one == two


def test_a_game_leaves_the_sentences_of_the_platform_alone(game: Game) -> None:
    for lang in LANGS:
        own = flatten(game.folder.toml(f"log.{lang}.toml"))
        assert not set(own) & set(KERNEL_MESSAGES[lang])


def test_both_languages_have_the_same_sentences_with_the_same_values(game: Game) -> None:
    one, two = (
        {key: fields(text) for key, text in game.folder.messages[lang].sentences.items()} for lang in LANGS
    )
    assert one == two


def test_decisions_and_options_cite_clauses_that_exist(game: Game) -> None:
    clauses = game.folder.rulebooks["en"].clauses
    for step in game.steps:
        if issubclass(step, Decision):
            assert step.clause in clauses, f"{step.__name__} cites {step.clause!r}"
            assert step.accepts, f"{step.__name__} accepts nothing"
    for option in game.options:
        assert option.clause in clauses, f"option {option.key} cites {option.clause!r}"
