"""The command line run in this process: arguments and typed lines in, exit code and both outputs out."""

import contextlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

import pytest

from legatus.cli import main
from legatus.games import GAMES
from legatus.kernel import Action, Match, Seeded, legal
from legatus.kernel.codec import verb
from legatus.kernel.records import position_text

VIRTUS = GAMES["virtus"]


class Result(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def fails(self, code: int, *words: str) -> None:
        """It says one line on the error output, with these words in it, and nothing on the other."""
        assert self.code == code, self
        assert self.err.startswith("legatus: ")
        assert self.err.count("\n") == 1
        for word in words:
            assert word in self.err


class Run(Protocol):
    def __call__(self, *args: object, stdin: "str | Person" = "") -> Result: ...


class Person(io.StringIO):
    """Somebody at the keyboard, who sees what is on the screen before he types."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        super().__init__()
        self.answer = answer
        self.screen: io.StringIO = io.StringIO()
        self.seen = 0
        self.lines = 0

    def readline(self, size: int | None = -1, /) -> str:
        self.lines += 1
        assert self.lines < 20_000, "the command goes on asking"
        text = self.screen.getvalue()
        new, self.seen = text[self.seen :], len(text)
        answer = self.answer(new)
        return f"{answer}\n" if answer else ""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs ``legatus`` in an empty folder, in English, on 100 columns."""
    monkeypatch.chdir(tmp_path)
    for name, value in {"COLUMNS": "100", "LEGATUS_LANG": "en", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)

    def runner(*args: object, stdin: str | Person = "") -> Result:
        out, err = io.StringIO(), io.StringIO()
        person = (
            stdin
            if isinstance(stdin, Person)
            else io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        )
        if isinstance(person, Person):
            person.screen = out
        monkeypatch.setattr("sys.stdin", person)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(arg) for arg in args])
        return Result(code, out.getvalue(), err.getvalue())

    return runner


class Moment(NamedTuple):
    """A position, the file it is in, and an action that is legal there and needs luck."""

    match: Match
    action: Action
    file: Path


@pytest.fixture(scope="session")
def fight(tmp_path_factory: pytest.TempPathFactory) -> Moment:
    """The first fight of a random game."""
    match = Match.new(VIRTUS, VIRTUS.configure("bridge"), Seeded("fight/0"))
    rng = Random("fight")
    while True:
        actions = legal(match.state)
        fights = [action for action in actions if verb(type(action)) == "fight"]
        if fights:
            break
        match.play(rng.choice(actions), match.seeded("fight"))
    file = tmp_path_factory.mktemp("fight") / "fight.json"
    file.write_text(position_text(VIRTUS, match.state), encoding="utf-8")
    return Moment(match, fights[0], file)
