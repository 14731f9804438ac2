"""The sheet, the rulebook, the code and the tests are one chain (DESIGN, 4)."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from legatus.kernel import Game
from legatus.kernel.rulebook import Clause

from .common import ROOT, code_of

_WORD = re.compile(r"(?<![\w.])[A-Z]\w*(?:[.-]\w+)*")


def clauses_of(game: Game) -> dict[str, Clause]:
    return game.folder.rulebooks["en"].clauses


def proofs_of(game: Game) -> list[Path]:
    own = ROOT / "tests" / "games" / game.key
    return sorted((own if own.is_dir() else ROOT / "tests" / "kernel").rglob("*.py"))


def shape(word: str) -> str | None:
    """How the ids of a rulebook begin: ``V5.2b`` is of the shape ``V9``, ``VREF.a`` of ``VREF.``."""
    found = re.match(r"([A-Z]+)(\d|\.)", word)
    return found and found[1] + ("." if found[2] == "." else "9")


def citations(paths: Iterable[Path], known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every word that looks like one of the ids, with the place where it stands."""
    shapes = {shape(ident) for ident in known}
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for word in _WORD.findall(line):
                if shape(word) in shapes:
                    yield word, f"{path.name}:{number}"


def claims(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """The ids given to ``rule`` in tests, with the place where they stand."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule":
                for word in node.args:
                    assert isinstance(word, ast.Constant), f"{path.name}:{node.lineno}: not a plain id"
                    yield str(word.value), f"{path.name}:{node.lineno}"


def test_every_clause_is_enforced_by_code(game: Game) -> None:
    cited = {word for word, _ in citations(code_of(game), clauses_of(game))}
    wanted = [c.id for c in clauses_of(game).values() if not c.informative and c.kind != "example"]
    missing = [ident for ident in wanted if ident not in cited]
    assert not missing, f"{len(missing)} clauses are cited by no code: {' '.join(missing)}"


def test_every_clause_is_claimed_by_a_test(game: Game) -> None:
    claimed = {word for word, _ in claims(proofs_of(game))}
    missing = [c.id for c in clauses_of(game).values() if not c.informative and c.id not in claimed]
    assert not missing, f"{len(missing)} clauses are claimed by no test: {' '.join(missing)}"


def test_every_citation_names_a_clause(game: Game) -> None:
    known = clauses_of(game)
    wrong = [f"{word} ({place})" for word, place in citations(code_of(game), known) if word not in known]
    wrong += [f"{word} ({place})" for word, place in claims(proofs_of(game)) if word not in known]
    assert not wrong, f"no such clause: {', '.join(wrong)}"


def test_every_clause_says_something(game: Game) -> None:
    for lang, book in game.folder.rulebooks.items():
        silent = [c.id for c in book.clauses.values() if not c.rule or not c.summary or not c.chapter]
        assert not silent, f"rules.{lang}.md has no text for {silent}"


def test_rulebooks_have_the_same_clauses_in_the_same_order(game: Game) -> None:
    one, two = (
        [(c.id, c.kind, c.house, c.informative, c.chapter.split()[0]) for c in book.clauses.values()]
        for book in game.folder.rulebooks.values()
    )
    assert one == two


def test_the_rulebook_has_every_clause_of_the_inventory(game: Game) -> None:
    inventory = ROOT.parent / "shared" / "rules" / f"{game.key}.yaml"
    if inventory.is_file():
        clauses = re.split(r"^(?=\w+:)", inventory.read_text(encoding="utf-8"), flags=re.M)
        (listing,) = (part for part in clauses if part.startswith("clauses:"))
        listed = re.findall(r"^ *- id: *(\S+)", listing, re.M)
        assert listed
        missing = [ident for ident in listed if ident.strip("'\"") not in clauses_of(game)]
        assert not missing, f"not in rules.en.md: {missing}"
