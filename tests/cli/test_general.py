"""What all commands share: help, version, languages, one line for what goes wrong."""

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from legatus import __version__
from legatus.cli import (
    analyse,
    army,
    common,
    dataset,
    luck,
    odds,
    plans,
    play,
    replay,
    rules,
    simulate,
    study,
    table,
    talk,
    upgrade,
)
from legatus.cli.help import EXAMPLES, HEADINGS, HELP, METAVARS, PAGES
from legatus.cli.version import is_compiled
from legatus.cli.words import COLUMN, THEIRS, WORDS, Words
from legatus.games import GAMES
from legatus.kernel import engine
from tests.told import fields

from .conftest import Moment, Run

COMMANDS = [
    "games", "serve", "play", "simulate", "replay", "position", "legal", "why", "apply", "odds", "rules",
    "army check", "army list", "fortress check", "fortress list", "fortress show", "fuzz", "dataset",
    "balance", "analyse", "audit", "verify", "branch", "upgrade", "backup", "restore",
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
    editions = ", ".join(f"{key} {game.edition}" for key, game in GAMES.items())
    running = "compiled" if is_compiled() else "interpreted"
    said = f"legatus {__version__}\neditions of the rules: {editions}\nthe rules run {running}\n"
    assert run("--version") == (0, said, "")
    assert is_compiled() == (not engine.__file__.endswith(".py"))


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
    for table_of_words in (WORDS, THEIRS, HELP, PAGES, METAVARS, HEADINGS):
        for key, sentences in table_of_words.items():
            en, fr = map(fields, sentences)
            assert en == fr, key


def test_what_commands_say_has_a_sentence_with_its_values() -> None:
    said = 0
    for module in (
        analyse,
        army,
        common,
        dataset,
        luck,
        odds,
        plans,
        play,
        replay,
        rules,
        simulate,
        study,
        table,
        talk,
        upgrade,
    ):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("words", "self.words"):
                key = node.args[0]
                if isinstance(key, ast.Constant):
                    given = {word.arg for word in node.keywords}
                    assert None in given or fields(WORDS[str(key.value)][0]) <= given, key.value
                    said += 1
    assert said > 50


# --- French ---


@pytest.mark.parametrize("command", ["", "army", "fortress", *COMMANDS])
def test_help_is_french_where_the_environment_is(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def shown() -> str:
        result = run(*command.split(), "--help")
        assert result.code == 0
        return " ".join(result.out.replace("│", " ").replace("`", "").split())

    english = shown()
    monkeypatch.setenv("LEGATUS_LANG", "fr")
    french = shown()
    page, at = PAGES[f"legatus {command}".strip()], COLUMN
    assert page[at["en"]].split("\n")[0].replace("`", "") in english
    assert page[at["fr"]].split("\n")[0].replace("`", "") in french
    for en, fr in (*HELP.values(), *PAGES.values()):
        assert en.split("\n")[0].replace("`", "") not in french or en in fr, en
    assert "Montrer cette aide." in french
    if command in COMMANDS:
        assert "Exemples :" in french
        assert f"legatus {command}" in french
    monkeypatch.setenv("LEGATUS_LANG", "en")
    assert shown() == english


@pytest.mark.parametrize("words", [["--help"], ["play", "--help"]])
def test_a_french_terminal_gets_french_help(words: list[str]) -> None:
    environment = {**os.environ, "LEGATUS_LANG": "fr", "COLUMNS": "200", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "legatus", *words],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env=environment,
    )
    assert "Jouer contre l'ordinateur, ou avec un ami devant le même écran." in done.stdout
    assert "Play against" not in done.stdout


def test_lang_alone_does_not_change_help_and_says_so(run: Run) -> None:
    result = run("games", "--lang", "fr", "--help")
    assert "Help follows only these two." in " ".join(result.out.replace("│", " ").split())


def test_every_command_and_no_other_has_a_page() -> None:
    assert set(PAGES) == {
        "legatus",
        "legatus army",
        "legatus fortress",
        *(f"legatus {command}" for command in COMMANDS),
    }
    assert set(EXAMPLES) == {f"legatus {command}" for command in COMMANDS}


@pytest.mark.parametrize(
    ("line", "french"),
    [
        ("conquer", "commande inconnue : 'conquer'."),
        ("games --loud", "option inconnue : --loud"),
        ("legal", "il manque l'argument 'POSITION'."),
        ("army check", "il manque l'argument 'FICHIER'."),
        ("simulate virtus --games many", "un entier est attendu"),
        ("games --lang de", "--lang : aucune langue 'de' : en, fr"),
        ("legal nowhere.json", "nowhere.json : fichier ou dossier introuvable"),
        ("legal .", ". : c'est un dossier"),
        ("simulate virtus --bots greedy,hal", "aucun robot ne s'appelle 'hal'"),
        ("play virtus --scenario moon", "moon : on attendait un fichier .toml"),
        ("position virtus --dice 9", "mauvais dés : 9 ne peut pas être tiré"),
        ("replay broken.json", "broken.json : ligne 1 : pas du JSON : une valeur est attendue"),
        ("play --resume broken.json", "broken.json : ligne 1 : pas du JSON"),
        ("army check broken.json", "broken.json : pas du TOML : valeur non valable"),
    ],
)
def test_errors_are_french_where_the_environment_is(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str, french: str
) -> None:
    (tmp_path / "broken.json").write_text("a = b")
    monkeypatch.setenv("LEGATUS_LANG", "fr")
    run(*line.split()).fails(2, french)


def test_errors_speak_the_language_of_the_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("legal", "nowhere.json", "--lang", "fr").fails(2, "nowhere.json : fichier ou dossier introuvable")
    run("legal", "nowhere.json").fails(2, "nowhere.json: No such file or directory")
    monkeypatch.setenv("LEGATUS_LANG", "fr")
    run("legal", "nowhere.json", "--lang", "en").fails(2, "nowhere.json: No such file or directory")


def test_what_typer_says_in_words_that_we_do_not_know_stays_in_english() -> None:
    assert Words("fr").theirs("Something new.") == "Something new."
    for en, fr in THEIRS.values():
        filled = en.format(**dict.fromkeys(fields(en), "x"))
        assert Words("en").theirs(filled) == filled
        assert Words("fr").theirs(filled) == fr.format(**dict.fromkeys(fields(en), "x"))


def test_python_m_legatus_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "legatus", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"legatus {__version__}\n")


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


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("legatus games >&-", 0, ""),
        ("legatus games >&- 2>&-", 0, ""),
        ("legatus --version >/dev/full", 2, "legatus: No space left on device"),
        ("legatus games >/dev/full", 2, "legatus: "),
        ("legatus legal - <&-", 2, "legatus: <stdin>: "),
        ("legatus play virtus --seed 1 <&-", 0, ""),
        (
            "legatus play virtus --seed 1 </dev/zero",
            2,
            "legatus: <stdin>: a line of more than 10000 characters",
        ),
    ],
)
def test_streams_that_are_closed_or_full_or_endless(
    tmp_path: Path, command: str, code: int, told: str
) -> None:
    shell = command.replace("legatus", f"{sys.executable} -m legatus", 1)
    env = {**os.environ, "LEGATUS_LANG": "en"}
    done = subprocess.run(shell, shell=True, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith(told)
    assert len(done.stderr.splitlines()) <= 1, done.stderr
