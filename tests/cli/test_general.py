"""What all commands share: help, version, languages, one line for what goes wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from legatus import __version__
from legatus.cli.words import WORDS

from .conftest import Moment, Run

COMMANDS = [
    "games", "play", "simulate", "replay", "position", "legal", "why", "apply", "odds", "rules",
    "army check", "army list", "fuzz",
]  # fmt: skip


def test_no_arguments_give_help(run: Run) -> None:
    result = run()
    assert result.code == 0
    for command in COMMANDS:
        assert command.split()[0] in result.out


def test_army_alone_gives_help(run: Run) -> None:
    result = run("army")
    assert result.code == 0
    assert "check" in result.out


def test_a_fault_of_ours_is_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("oops")

    monkeypatch.setattr("legatus.cli.rules.game_data", lambda *_: broken())
    monkeypatch.delenv("LEGATUS_DEBUG", raising=False)
    run("games").fails(1, "oops", "LEGATUS_DEBUG")
    monkeypatch.setenv("LEGATUS_DEBUG", "1")
    with pytest.raises(RuntimeError):
        run("games")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches_with_examples(run: Run, command: str) -> None:
    result = run(*command.split(), "--help")
    assert result.code == 0
    assert "Examples" in result.out
    assert f"legatus {command}" in result.out
    assert "--lang" in result.out


def test_version(run: Run) -> None:
    assert run("--version").out == f"legatus {__version__}\n"


def test_unknown_commands_and_options_are_bad_input(run: Run) -> None:
    run("conquer").fails(2, "conquer")
    run("games", "--loud").fails(2, "--loud")
    run("legal").fails(2, "POSITION")
    run("simulate", "virtus", "--games", "many").fails(2, "--games")


def test_an_unknown_game_names_the_known_ones(run: Run) -> None:
    for command in ("play", "simulate", "position", "rules", "fuzz"):
        run(command, "chess").fails(2, "chess", "virtus")


def test_an_unknown_language_names_the_known_ones(run: Run) -> None:
    run("games", "--lang", "de").fails(2, "de", "en", "fr")


@pytest.mark.parametrize(
    ("variables", "word"),
    [
        ({"LEGATUS_LANG": "fr", "LC_ALL": "en_GB.UTF-8"}, "scénarios"),
        ({"LEGATUS_LANG": "", "LC_ALL": "fr_CA.UTF-8"}, "scénarios"),
        ({"LEGATUS_LANG": "", "LC_ALL": "", "LANG": "fr_FR.UTF-8"}, "scénarios"),
        ({"LEGATUS_LANG": "", "LC_ALL": "", "LANG": "C"}, "scenarios"),
    ],
)
def test_the_language_comes_from_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], word: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert word in run("games").out
    assert "scenarios" in run("games", "--lang", "en").out


def test_every_sentence_has_the_same_values_in_both_languages() -> None:
    from string import Formatter

    for key, sentences in WORDS.items():
        en, fr = ({name for _, name, _, _ in Formatter().parse(text) if name} for text in sentences)
        assert en == fr, key


def test_python_m_legatus_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "legatus", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"legatus {__version__}\n"


def test_a_closed_pipe_is_no_traceback(fight: Moment) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "legatus", "rules", "virtus"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "20"},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    process.wait()
    assert b"Traceback" not in err
    assert b"Exception" not in err


def test_a_missing_or_binary_file_is_named(run: Run, tmp_path: Path) -> None:
    for command in (["legal"], ["why"], ["odds"], ["apply"]):
        run(*command, "nowhere.json", *(["done"] if command != ["legal"] else [])).fails(2, "nowhere.json")
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00\x81")
    run("legal", "noise").fails(2, "noise", "UTF-8")
    run("legal", tmp_path).fails(2, str(tmp_path))
