"""The texts of a game: clauses, sentences, data."""

from pathlib import Path

import pytest

from legatus.kernel import Event, Message, Messages, Outcome, Refusal, Rulebook
from legatus.kernel.rulebook import Folder, folder
from legatus.kernel.words import KERNEL_MESSAGES, LANGS, flatten
from tests.toy import TOY

BOOK = """# A game

Some words before the first chapter.

## 1 Set-up

### X1.1 · setup
Place the units. Then roll: the higher one begins.

> Ruling: Equal rolls are rolled again.

### X1.2a · table · informative · house
Colours

| a | b |
|---|---|

## A.2 Battle-lines

### X-two.1 · condition · house
Nobody moves twice!
"""


def test_a_rulebook_is_read_clause_by_clause() -> None:
    clauses = Rulebook.parse(BOOK).clauses
    assert list(clauses) == ["X1.1", "X1.2a", "X-two.1"]
    assert [c.chapter for c in clauses.values()] == ["1 Set-up", "1 Set-up", "A.2 Battle-lines"]
    assert [c.kind for c in clauses.values()] == ["setup", "table", "condition"]
    assert [(c.informative, c.house) for c in clauses.values()] == [
        (False, False),
        (True, True),
        (False, True),
    ]
    assert clauses["X1.1"].text.endswith("> Ruling: Equal rolls are rolled again.")


def test_a_clause_has_a_summary_and_a_text_without_our_rulings() -> None:
    clauses = Rulebook.parse(BOOK).clauses
    assert clauses["X1.1"].summary == "Place the units."
    assert clauses["X1.1"].rule == "Place the units. Then roll: the higher one begins."
    assert clauses["X1.2a"].summary == "Colours"
    assert clauses["X-two.1"].summary == clauses["X-two.1"].rule == "Nobody moves twice!"


def test_a_french_ruling_is_no_part_of_the_rule() -> None:
    clause = TOY.folder.rulebooks["fr"].clauses["T1.3"]
    assert "Décision : sans cette option" in clause.text
    assert "Décision" not in clause.rule
    assert clause.house


@pytest.mark.parametrize(
    "line",
    ["### X1.1", "### X1.1 · two words", "### X1.1 · setup · optional", "##", "## Battle", "#### X1 · setup"],
)
def test_a_heading_that_is_neither_chapter_nor_clause_is_told(line: str) -> None:
    with pytest.raises(ValueError, match="not a chapter or clause heading"):
        Rulebook.parse(f"## 1 Set-up\n\n{line}\nText.\n")


def test_a_clause_stands_once() -> None:
    with pytest.raises(ValueError, match=r"clause X1\.1 stands twice"):
        Rulebook.parse("## 1 A\n### X1.1 · setup\nOne.\n### X1.1 · setup\nTwo.\n")


def test_clauses_are_found_by_word_and_by_id() -> None:
    book = Rulebook.parse(BOOK)
    assert [c.id for c in book.search("ROLL")] == ["X1.1"]
    assert [c.id for c in book.search("x1.")] == ["X1.1", "X1.2a"]
    assert book.search("elephant") == []


@pytest.fixture
def messages() -> Messages:
    return Messages("en", {"move": "{unit} moves to {path} for {cost}.", "bare": "nothing to say"})


def test_a_sentence_takes_its_values_by_name(messages: Messages) -> None:
    said = Event("X1.1", "move", {"unit": "u1", "path": ("a", "b"), "cost": 2})
    assert messages.render(said) == "U1 moves to a, b for 2."
    assert messages.render(said, lambda word: word.upper()) == "U1 moves to A, B for 2."


def test_every_kind_of_message_is_rendered(messages: Messages) -> None:
    assert messages.render(Message("bare")) == "Nothing to say"
    assert messages.render(Refusal("X1.1", "bare")) == "Nothing to say"
    assert messages.render(Outcome(None, "X1.1", "bare")) == "Nothing to say"
    assert messages.render(Event("X1.1", "move", {"unit": "{cost}", "path": (1, 2), "cost": 2})) == (
        "{cost} moves to 1, 2 for 2."
    )


def test_a_missing_value_or_sentence_shows_but_does_not_crash(messages: Messages) -> None:
    assert messages.render(Message("move", {"unit": "u1"})) == "U1 moves to {path} for {cost}."
    assert messages.render(Message("no.such.key")) == "No.such.key"
    assert "no.such.key" not in messages
    assert "move" in messages


def test_the_kernel_speaks_every_language() -> None:
    assert set(KERNEL_MESSAGES) == set(LANGS)
    assert len({frozenset(sentences) for sentences in KERNEL_MESSAGES.values()}) == 1
    assert Messages("fr", {}).render(Message("kernel.over")) == "La partie est terminée."


def test_tables_of_sentences_become_dotted_keys() -> None:
    assert flatten({"a": "1", "b": {"c": "2", "d": {"e": "3"}}}) == {"a": "1", "b.c": "2", "b.d.e": "3"}


def test_a_folder_holds_rulebooks_messages_and_data(tmp_path: Path) -> None:
    (tmp_path / "data" / "scenarios").mkdir(parents=True)
    for name in ("zama", "alesia"):
        (tmp_path / "data" / "scenarios" / f"{name}.toml").write_text("turns = 3\n", encoding="utf-8")
    game = Folder(tmp_path)
    assert list(game.names("scenarios")) == ["alesia", "zama"]
    assert game.names("armies") == {}
    assert game.toml("data/scenarios/zama.toml") == {"turns": 3}
    assert set(TOY.folder.rulebooks) == set(TOY.folder.messages) == set(LANGS)
    assert folder(__file__) is folder(__file__)
    assert folder(__file__).path == Path(__file__).parent
