"""Games as Parquet files: whole, the same again, and gone on with."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow.parquet as pq
import pytest

from legatus.envs.dataset import BadTarget, write
from legatus.envs.encoding import ROW, Layout
from legatus.games import GAMES
from legatus.kernel import parse_action
from legatus.lab import simulate
from tests.cli.conftest import Run, run  # noqa: F401  (a fixture)

METAURUS = GAMES["metaurus"]
VANGUARD = METAURUS.configure("vanguard")
BOTS = ["random", "random"]


def dataset(file: Path, **settings: Any) -> Any:
    return write(METAURUS, VANGUARD, BOTS, file, **{"games": 5, "seed": 3, "batch": 2, **settings})


@pytest.mark.parametrize("key", GAMES)
def test_every_decision_is_a_row(key: str, tmp_path: Path) -> None:
    game, file = GAMES[key], tmp_path / "games.parquet"
    written = write(game, game.configure(), BOTS, file, games=1, seed=1)
    rows = pq.read_table(file).to_pylist()
    assert written.decisions == len(rows) == rows[0]["length"]
    assert [row["decision"] for row in rows] == list(range(len(rows)))
    for row in rows:
        assert row["legal"][row["choice"]] == row["action"]
        assert len(row["rows"]) == ROW * len(row["legal"])
        assert row["seat"] in game.seats
        parse_action(game, row["action"])
    results = {(row["seat"], row["result"]) for row in rows}
    assert sorted(result for _, result in results) in ([-1, 1], [0, 0])


def test_the_games_are_those_of_a_simulation(tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    written = write(METAURUS, VANGUARD, ["greedy", "random"], file, games=3, seed=3, swap=True)
    report = simulate(METAURUS, VANGUARD, ["greedy", "random"], 3, 3, swap=True)
    table = pq.read_table(file)
    assert written.decisions == report.decisions == table.num_rows
    won = {(row["game"], row["seat"], row["bot"]) for row in table.to_pylist() if row["result"] == 1}
    assert {seat: sum(s == seat for _, s, _ in won) for seat in METAURUS.seats} == report.wins
    assert {bot: sum(b == bot for *_, b in won) for bot in report.bots} == report.wins_by_bot


def test_the_file_tells_what_is_in_it(tmp_path: Path) -> None:
    dataset(tmp_path / "games.parquet", games=1)
    schema = pq.read_schema(tmp_path / "games.parquet")
    head = msgspec.json.decode(schema.metadata[b"legatus"])
    layout = Layout(METAURUS, VANGUARD)
    assert head["game"] == "metaurus"
    assert head["seed"] == "3"
    assert [tuple(section.values()) for section in head["sections"]] == list(layout.sections)
    seen = pq.read_table(tmp_path / "games.parquet")["observation"].combine_chunks().flatten().to_numpy()
    seats = seen.reshape(-1, layout.width)[:, :2]
    assert np.array_equal(seats.sum(axis=1), np.ones(len(seats)))


def test_parts_and_processes_change_nothing(tmp_path: Path) -> None:
    one, two = tmp_path / "one.parquet", tmp_path / "two.parquet"
    dataset(one, batch=100)
    dataset(two, batch=3, jobs=2)
    assert pq.read_table(one).equals(pq.read_table(two), check_metadata=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.parquet", "two.parquet"]


class Stop:
    """Somebody who presses Ctrl-C after so many games."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.told: list[tuple[int, int]] = []

    def __call__(self, done: int, games: int) -> None:
        self.told.append((done, games))
        if done == self.after:
            raise KeyboardInterrupt


@pytest.mark.parametrize("after", [1, 2, 3])
def test_who_was_interrupted_goes_on(after: int, tmp_path: Path) -> None:
    file, whole = tmp_path / "games.parquet", tmp_path / "whole.parquet"
    stopped = dataset(file, progress=Stop(after))
    assert (stopped.interrupted, stopped.games) == (True, after)
    assert not file.exists()
    progress = Stop(99)
    written = dataset(file, progress=progress, seed=None)
    assert (written.interrupted, written.games, written.seed) == (False, 5, "3")
    assert progress.told == [(n, 5) for n in range(after + 1, 6)]
    dataset(whole)
    assert pq.read_table(file).equals(pq.read_table(whole), check_metadata=True)


def test_a_game_that_breaks_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Layout, "observe", lambda *_: 1 / 0)
    with pytest.raises(RuntimeError, match="game 0"):
        dataset(tmp_path / "games.parquet")
    assert not list(tmp_path.rglob("*.parquet"))


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    file.write_text("mine")
    with pytest.raises(BadTarget, match="exists"):
        dataset(file)
    assert file.read_text() == "mine"


def test_parts_of_another_dataset_are_refused(tmp_path: Path) -> None:
    dataset(tmp_path / "games.parquet", progress=Stop(2))
    with pytest.raises(BadTarget, match="another dataset"):
        dataset(tmp_path / "games.parquet", seed=4)


@pytest.mark.parametrize("name", ["000000000-2.parquet", "000000007-2.parquet", "first-two.parquet"])
def test_what_is_no_part_is_named(tmp_path: Path, name: str) -> None:
    """Torn, out of its place, or somebody's own."""
    file = tmp_path / "games.parquet"
    dataset(file, progress=Stop(2))
    (part,) = (tmp_path / "games.parquet.parts").iterdir()
    odd = part.with_name(name)
    odd.write_bytes(part.read_bytes() if name[8] == "7" else b"PAR1")
    with pytest.raises(BadTarget, match=name) as told:
        dataset(file)
    assert "rejouées" in told.value.say("fr")
    odd.unlink()


# --- the command ---------------------------------------------------------------------------------


def test_the_command(run: Run) -> None:  # noqa: F811
    args = ("dataset", "metaurus", "-s", "vanguard", "--games", 2, "--seed", 3, "--out", "games.parquet")
    result = run(*args)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("games.parquet: 2 games, ")
    assert pq.read_table("games.parquet").num_rows > 10
    run(*args).fails(2, "exists")
    run(*args, "--lang", "fr").fails(2, "existe")
    found = run(*args[:-1], "other.parquet", "--json").json
    assert found == {**found, "file": "other.parquet", "games": 2, "seed": "3", "interrupted": False}


def test_bad_input(run: Run) -> None:  # noqa: F811
    run("dataset", "metaurus").fails(2, "--out")
    run("dataset", "metaurus", "--out", "a.parquet", "--games", 0).fails(2, "--games")
    run("dataset", "metaurus", "--out", "a.parquet", "--bots", "greedy").fails(2, "rome, carthage")
    assert not Path("a.parquet").exists()


def test_what_is_missing_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    run("dataset", "metaurus", "--out", "a.parquet").fails(2, "pyarrow", "pip install 'legatus[dataset]'")
    run("dataset", "metaurus", "--out", "a.parquet", "--lang", "fr").fails(2, "non installé")


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    packages = {"pyarrow", "pettingzoo", "gymnasium", "pyspiel"}
    code = f"import sys, legatus.envs, legatus.cli; print({packages!r} & set(sys.modules))"
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert said.stdout == "set()\n"
