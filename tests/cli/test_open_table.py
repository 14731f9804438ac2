"""``play`` on a table without a grid: numbers are free, positions are told, and ``help`` says how."""

import json
from pathlib import Path

import pytest

from legatus.games import GAMES
from legatus.games.onus import Onus
from legatus.games.onus.movement import Moves
from legatus.games.onus.state import ACTIVATED, OnusState
from legatus.kernel import Setup

from .conftest import Run


class Drill(Onus):
    """All units are activated, and the attacker's move first."""

    def begin(self, setup: Setup) -> OnusState:
        state = super().begin(setup)
        state.flags = [ACTIVATED] * len(state.flags)
        state.todo.append(Moves(0))
        return state


@pytest.fixture(autouse=True)
def drill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "onus", Drill())


def talk(run: Run, *said: str, lang: str = "en") -> str:
    lines = "\n".join([*said, "quit", ""])
    result = run(
        "play", "onus", "-s", "skirmish", "--seed", 1, "--lang", lang, "--save", "g.jsonl", stdin=lines
    )
    assert result.code == 0, result.err
    return result.out


def done(path: Path) -> list[str]:
    lines = (path / "g.jsonl").read_text(encoding="utf-8").splitlines()
    return [row["do"] for row in map(json.loads, lines) if "do" in row]


def test_numbers_that_nobody_listed_are_taken(run: Run, tmp_path: Path) -> None:
    said = ["move a-hastati-1", "advance 137", "wheel front-left -333", "slide 900 7"]
    text = talk(run, said[0], "list advance", *said[1:])
    assert done(tmp_path) == said[:3]
    assert " 137" not in text.split("> advance 137")[0]
    assert text.count("\n✗ ") == 1  # a slide after that would go too far


def test_several_pieces_of_a_move_on_a_line(run: Run, tmp_path: Path) -> None:
    talk(run, "move a-velites-1; advance 55; wheel front-right 455; halt")
    assert done(tmp_path) == ["move a-velites-1", "advance 55", "wheel front-right 455", "halt"]


def test_every_piece_of_a_move_is_followed_by_where_the_unit_is(run: Run) -> None:
    text = talk(run, "move a-hastati-1", "advance 137")
    before, after = text.split("> advance 137")
    assert "*a-hastati-1 Hastati 1 x 4 y 9 ↑ 0°" in before
    assert "*a-hastati-1 Hastati 1 x 4 y 7.63 ↑ 0°" in after


def test_what_is_out_of_reach_is_refused_and_what_is_no_number_explained(run: Run, tmp_path: Path) -> None:
    text = talk(run, "move a-hastati-1", "advance 1500", "why advance 150", "advance far", "wheel 450")
    assert done(tmp_path) == ["move a-hastati-1"]
    assert text.count("\n✗ ") >= 1
    assert "advance 150: legal" in text
    assert "advance DISTANCE" in text
    assert "wheel CORNER ANGLE" in text


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", ("hundredths of a DU", "tenths of a degree")), ("fr", ("centièmes d'UD", "dixièmes de degré"))],
)
def test_help_explains_how_pieces_of_a_move_are_said(run: Run, lang: str, words: tuple[str, ...]) -> None:
    said = talk(run, "move a-hastati-1", "help", lang=lang).split("> help")[1]
    for word in words:
        assert word in " ".join(said.split())
    for usage in ("advance DISTANCE", "slide ANGLE DISTANCE", "wheel CORNER ANGLE", "turn ANGLE"):
        line = next(line for line in said.splitlines() if line.startswith(f"  {usage} "))
        assert line.removeprefix(f"  {usage}").strip()  # and what it means
    assert "activate" not in said


def test_other_games_have_nothing_of_this_in_their_help(run: Run) -> None:
    text = run("play", "virtus", "--seed", 1, stdin="help\nquit\n").out
    assert "tenths of a degree" not in text
