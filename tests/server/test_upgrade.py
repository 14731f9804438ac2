"""A rule is changed in a copy of the package, which then serves a database with running matches.

None of them is silently different, and nothing is answered by a 500: each goes on, is resumed or is closed,
as ``legatus upgrade --check`` has told before.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

import legatus
from legatus.cli import main
from legatus.games import GAMES
from legatus.kernel.records import parse_record
from legatus.server.upgrade import copy_sqlite, look

from .client import NO_LIMITS, PATIENCE, Player, Server, serving, until
from .test_migrations import alembic

PACKAGE = Path(legatus.__file__).parent
JOURNAL = Path(__file__).parents[1] / "games" / "virtus" / "journals" / "outflanked-rome.jsonl"
SKIPPED = ("__pycache__", "*.pyc")

# file, what stands there, what comes instead
REFUSE_DEPLOY_REST = (
    "games/virtus/setup.py",
    "if state.decision is not None and not _waiting(state, state.decision.seat):",
    "if state.todo[-1].seat == 0 or not _waiting(state, state.todo[-1].seat):",
)
DONE_DOES_SOMETHING = (
    "games/metaurus/orders.py",
    "        pass\n",
    "        play.state.tried = not play.state.tried\n",
)
NO_POSITION_IS_VALID = (
    "games/metaurus/view.py",
    "    roster, grid = state.roster, state.roster.grid\n    for i, unit",
    '    yield "M0.title: impossible"\n    roster, grid = state.roster, state.roster.grid\n    for i, unit',
)
PICK_DOES_SOMETHING = (
    "games/julian/turn.py",
    '        operate(play, play.state.roster.command_index[self.command], "event.picks")\n',
    (
        '        operate(play, play.state.roster.command_index[self.command], "event.picks")\n'
        "        play.state.barred_turn = 77\n"
    ),
)
RAISED = tuple(
    (f"games/{game}/{file}.py", "EDITION = 2", "EDITION = 3")
    for game, file in (("virtus", "army"), ("metaurus", "battlefield"))
)
CHANGES = (REFUSE_DEPLOY_REST, DONE_DOES_SOMETHING, NO_POSITION_IS_VALID, PICK_DOES_SOMETHING, *RAISED)


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in which ``legatus`` is a copy with other rules."""
    folder = tmp_path_factory.mktemp("changed")
    shutil.copytree(PACKAGE, folder / "legatus", ignore=shutil.ignore_patterns(*SKIPPED))
    for name, old, new in CHANGES:
        path = folder / "legatus" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, (name, text.count(old))
        path.write_text(text.replace(old, new), encoding="utf-8")
    return {"PYTHONPATH": str(folder)}


def command(env: dict[str, str], *args: str) -> subprocess.CompletedProcess[str]:
    """``legatus`` with these arguments; only a changed one needs a process of its own."""
    if not env:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, LEGATUS_LANG="en"):
            code = main(args)
        return subprocess.CompletedProcess(args, code, out.getvalue(), err.getvalue())
    line = [sys.executable, "-m", "legatus", *args]
    whole = {**os.environ, "LEGATUS_LANG": "en", **env}
    return subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE, env=whole, check=False)


# --- matches of the old version ------------------------------------------------------------------

Choice = Callable[[Any], str]


def play(player: Player, match: str, *choices: str, more: int = 0) -> None:
    """Do what begins with these words, one after the other; then so many things at random."""
    rng = Random(match)
    for word in (*choices, *[""] * more):
        frame = until(lambda: (f := player.frame(match)) and f["yours"] and f)
        actions = [a["do"] for a in frame["actions"] if a["do"].startswith(word) and a["do"] != "deploy-rest"]
        player.act(match, frame["number"], "deploy-rest" if word == "deploy-rest" else rng.choice(actions))


def play_to(player: Player, match: str, word: str) -> None:
    """Do anything until something can be done that begins with this word."""
    while not any(a["do"].startswith(word) for a in player.frame(match)["actions"]):
        play(player, match, more=1)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str], str]:
    """A database of this version, its matches by what they are for, and the key that holds them."""
    folder = tmp_path_factory.mktemp("old")
    with serving(folder, *NO_LIMITS) as server:
        anna = server.player()
        ids = {
            name: anna.open("me", "me", game=game, scenario=scenario)["id"]
            for name, game, scenario in (
                ("same", "virtus", "open-small"),
                ("refused", "virtus", "open-small"),
                ("closed", "metaurus", "vanguard"),
                ("elsewhere", "julian", "argentoratum"),
            )
        }
        ids["bot"] = anna.open("me", "bot:random", scenario="open-small")["id"]
        play_to(anna, ids["same"], "deploy-rest")
        play(anna, ids["same"], "deploy ", "deploy ", "deploy ")
        frame = anna.frame(ids["same"])
        assert anna.undo(ids["same"], frame["number"])
        for name in ("refused", "bot"):
            play_to(anna, ids[name], "deploy-rest")
            play(anna, ids[name], "deploy-rest")
        play(anna, ids["refused"], "done", more=60)
        play(anna, ids["bot"], "done")
        until(lambda: anna.frame(ids["bot"])["yours"])
        play_to(anna, ids["closed"], "lay")
        play(anna, ids["closed"], "lay", "done", more=3)
        play_to(anna, ids["elsewhere"], "pick")
        play(anna, ids["elsewhere"], "pick", more=3)
        made = anna.post("/api/replays", {"request": "replay-1", "text": JOURNAL.read_text()}, 201)
        ids["replay"] = made["id"]
    return folder / "legatus.sqlite3", ids, anna.key


@pytest.fixture
def database(prepared: tuple[Path, dict[str, str], str], tmp_path: Path) -> Path:
    """A copy of it."""
    target = tmp_path / "legatus.sqlite3"
    copy_sqlite(prepared[0], target)
    return target


@pytest.fixture
def old_database(database: Path) -> Path:
    """The same as version 0.1 has it: without editions, fingerprints and positions."""
    alembic(f"sqlite:///{database}", "downgrade", "0001")
    connection = sqlite3.connect(database)
    for ident, setup in connection.execute("SELECT id, setup FROM matches").fetchall():
        raw = json.loads(setup)
        del raw["edition"]
        connection.execute("UPDATE matches SET setup = ? WHERE id = ?", [json.dumps(raw), ident])
    connection.commit()
    connection.close()
    return database


@pytest.fixture
def serve(changed: dict[str, str], tmp_path: Path) -> Iterator[Callable[[], Server]]:
    servers: list[Server] = []

    def start(env: dict[str, str] | None = None) -> Server:
        servers.append(Server(tmp_path, *NO_LIMITS, "--log", "info", env=changed if env is None else env))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.stop()


def told(env: dict[str, str], database: Path) -> dict[str, Any]:
    """What ``upgrade --check`` says, by match; nothing is touched by it."""
    before = sha256(database.read_bytes()).hexdigest()
    done = command(env, "upgrade", "--check", str(database), "--json")
    assert done.returncode in (0, 1), done.stderr
    assert sha256(database.read_bytes()).hexdigest() == before
    found = {one["id"]: one for one in json.loads(done.stdout)["matches"]}
    bad = any(one["fate"] in ("closed", "lost", "newer") and not one["over"] for one in found.values())
    assert done.returncode == int(bad)
    return found


def line_of(player: Player, match: str) -> list[str]:
    return [line["text"] for entry in player.log(match) for line in entry["lines"]]


# --- tests ---------------------------------------------------------------------------------------


def test_without_a_change_all_go_on(prepared: Any, database: Path) -> None:
    found = {one.id: one.fate for one in look(f"sqlite:///{database}", "en")}
    assert found == dict.fromkeys(prepared[1].values(), "same")
    said = command({}, "upgrade", "--check", str(database), "--lang", "fr").stdout
    assert "continue telle quelle" in said
    assert said.endswith("Rien n'a été modifié.\n")


def test_matches_with_fingerprints(
    prepared: Any, database: Path, changed: dict[str, str], serve: Callable[..., Server]
) -> None:
    _, ids, key = prepared
    found = told(changed, database)
    fates = {name: found[ident]["fate"] for name, ident in ids.items()}
    assert fates == {
        "same": "same",
        "refused": "resumed",
        "bot": "resumed",
        "closed": "closed",
        "elsewhere": "resumed",
        "replay": "shown",
    }
    server = serve()
    anna = Player(server, key)
    before = {m["id"]: m for m in anna.get("/api/matches")["matches"]}

    # one that agrees goes on, and is pinned to the new edition
    same = anna.match(ids["same"])
    assert (same["edition"], same["over"]) == (3, False)
    assert server.stranger().match(ids["same"])["number"] == before[ids["same"]]["number"]
    assert "Begun under edition 2" in same["notice"]
    play(anna, ids["same"], "deploy ")

    # one that differs goes on from its position, and says so to everybody, in both languages
    for name, edition in (("refused", 3), ("elsewhere", 2)):
        old = before[ids[name]]
        info = anna.match(ids[name])
        assert (
            server.stranger().match(ids[name])["number"] == old["number"] + 1
        )  # lists count as spectators do
        assert info["turn"] == old["turn"]
        assert not info["over"]
        assert info["edition"] == edition
        assert f"edition 2 then, edition {edition} now" in info["notice"]
        assert info["notice"] == line_of(anna, ids[name])[-1]
        fr = anna.get(f"/api/matches/{ids[name]}", lang="fr")["notice"]
        assert "Les règles ont changé depuis" in fr
        frame = anna.frame(ids[name])
        assert frame["entry"] == info["entries"] - 1 == found[ids[name]]["shown"]
        assert frame["yours"]
        assert not frame["undo"]
        assert anna.undo(ids[name], info["number"], 409)["code"] == "no-undo"
        play(anna, ids[name], more=2)
        with anna.watch(ids[name]) as line:
            assert line.next("frame")["number"] == info["number"] + 2
        for entry in (0, frame["entry"] - 1, frame["entry"]):
            anna.frame(ids[name], entry=entry)
    text = anna.record(ids["refused"])
    assert '"resumed"' in text
    assert json.loads(text.split("\n", 1)[0])["edition"] == 3

    # the computer goes on too
    number = anna.match(ids["bot"])["number"]
    until(lambda: anna.frame(ids["bot"])["yours"])
    play(anna, ids["bot"], more=12)  # it is waited for where it is its turn
    assert anna.match(ids["bot"])["number"] >= number + 12

    # one without a valid position is closed and stays readable
    info = anna.match(ids["closed"])
    assert (info["over"], info["turn"], info["winner"]) == (True, "", "")
    assert "cannot be gone on with" in info["notice"]
    assert info["entries"] == found[ids["closed"]]["shown"] == info["number"] - 4
    frame = anna.frame(ids["closed"])
    assert (frame["turn"], frame["actions"], frame["ending"]) == ("", [], None)
    assert anna.act(ids["closed"], info["number"], "done", 409)["code"] == "over"
    assert "closed" in anna.act(ids["closed"], info["number"], "done", 409)["message"]
    anna.log(ids["closed"], seen_as="open")
    cut = json.loads(anna.record(ids["closed"]).split("\n", 1)[0])["cut"]
    assert cut["lost"] == found[ids["closed"]]["lost"]
    with anna.watch(ids["closed"]) as line:
        assert line.next("frame")["turn"] == ""

    # and one that was over already, up to there
    info = anna.match(ids["replay"])
    assert info["entries"] == found[ids["replay"]]["shown"]
    assert "It is shown up to entry" in info["notice"]
    assert info["winner"] == "rome"

    # once settled, it is as it is: after another start nothing more is said or written
    numbers = {m["id"]: m["number"] for m in anna.get("/api/matches")["matches"]}
    server.stop()
    server = serve()
    anna.server = server
    for ident, number in numbers.items():
        assert anna.match(ident)["number"] >= number
    assert sum("rules have changed since" in text for text in line_of(anna, ids["refused"])) == 1


def test_matches_of_version_0_1(
    prepared: Any, old_database: Path, changed: dict[str, str], serve: Callable[..., Server]
) -> None:
    _, ids, key = prepared
    found = told(changed, old_database)
    fates = {name: found[ident]["fate"] for name, ident in ids.items()}
    assert fates == {
        "same": "unverified",
        "refused": "closed",
        "bot": "closed",
        "closed": "unverified",
        "elsewhere": "unverified",
        "replay": "shown",
    }
    with sqlite3.connect(old_database) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
    connection.close()
    anna = Player(serve(), key)
    for name in ("refused", "bot"):
        info = anna.match(ids[name])
        assert info["over"]
        assert info["entries"] == found[ids[name]]["shown"]
        assert "Closed: the rules have changed" in info["notice"]
        assert anna.act(ids[name], info["number"], "done", 409)["code"] == "over"
        anna.frame(ids[name], seen_as="open", entry=info["entries"] - 1)
    for name in ("same", "elsewhere"):
        info = anna.match(ids[name])
        assert not info["over"]
        assert "cannot be verified" in info["notice"]
        play(anna, ids[name], more=1)
    log = (line for line in anna.server.log.read_text().splitlines() if "another edition" in line)
    assert {json.loads(line)["verified"] for line in log} == {False}


def test_a_set_up_that_is_none_any_more(
    prepared: Any, old_database: Path, serve: Callable[..., Server]
) -> None:
    """Nothing of it can be shown: that is said, and is no fault of the server."""
    _, ids, key = prepared
    with sqlite3.connect(old_database) as connection:
        connection.execute(
            "UPDATE matches SET setup = replace(setup, '\"columns\": 3', '\"columns\": 7') WHERE id = ?",
            [ids["same"]],
        )
    connection.close()
    assert {one.id: one.fate for one in look(f"sqlite:///{old_database}", "en")}[ids["same"]] == "lost"
    anna = Player(serve({}), key)
    for path in ("", "/frame", "/log", "/record"):
        assert anna.get(f"/api/matches/{ids['same']}{path}", 410)["code"] == "unreadable"
    assert next(m for m in anna.get("/api/matches")["matches"] if m["id"] == ids["same"])["over"]


def test_upgrade_does_what_check_told(
    prepared: Any, database: Path, changed: dict[str, str], serve: Callable[..., Server]
) -> None:
    _, ids, key = prepared
    before = told(changed, database)
    done = command(changed, "upgrade", str(database), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert {one["id"]: one["fate"] for one in json.loads(done.stdout)["matches"]} == {
        ident: one["fate"] for ident, one in before.items()
    }
    after = told(changed, database)
    assert {one["fate"] for one in after.values()} == {"same", "closed", "shown"}
    assert after[ids["refused"]]["entries"] == before[ids["refused"]]["entries"] + 1
    with sqlite3.connect(database) as connection:
        rows = dict(connection.execute("SELECT id, closed FROM matches").fetchall())
    connection.close()
    assert [ident for ident, closed in rows.items() if closed] == [ids["closed"]]

    # who goes back to the old version is told that these are not for it
    assert {one.id: one.fate for one in look(f"sqlite:///{database}", "en")}[ids["same"]] == "newer"
    anna = Player(serve({}), key)
    assert anna.get(f"/api/matches/{ids['same']}", 409)["code"] == "newer"
    assert "a newer version is needed" in anna.get(f"/api/matches/{ids['same']}", 409)["message"]


def test_a_database_that_takes_no_rows_is_told_in_one_line(database: Path, changed: dict[str, str]) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(FAIL, 'no room'); END"
        )
    connection.close()
    done = command(changed, "upgrade", str(database))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "no room" in done.stderr


def test_rows_carry_fingerprints_and_positions(prepared: Any, database: Path) -> None:
    ids = prepared[1]
    with sqlite3.connect(database) as connection:
        rows = connection.execute(
            'SELECT number, "check", position IS NOT NULL FROM journal WHERE match_id = ? ORDER BY number',
            [ids["refused"]],
        ).fetchall()
        (last,) = connection.execute("SELECT position FROM matches WHERE id = ?", [ids["refused"]]).fetchone()
    connection.close()
    assert all(check for _, check, _ in rows)
    assert [number for number, _, has in rows if has] == [50]
    assert set(json.loads(last)) >= {"todo", "outcome", "roster"}


# --- copies --------------------------------------------------------------------------------------


def test_a_running_database_is_copied_and_brought_back(tmp_path: Path) -> None:
    copy = tmp_path / "monday.sqlite3"
    with serving(tmp_path, *NO_LIMITS) as server:
        anna = server.player()
        ident = anna.open("bot:random", "bot:random", scenario="open-small")["id"]
        until(lambda: anna.match(ident)["number"] > 20)
        done = command({}, "backup", server.database, str(copy))
        assert done.returncode == 0, done.stderr
        assert "1 matches" in done.stdout
        number = anna.match(ident)["number"]
        promised = anna.post("/api/commitments", {"request": "again-once"})["commitment"]
        again = command({}, "backup", server.database, str(copy))
        assert again.returncode == 2
        assert "monday.sqlite3" in again.stderr
        used = command({}, "restore", str(copy), server.database, "--replace")
        assert used.returncode == 2
        assert "stop its server first" in used.stderr
    refused = command({}, "restore", str(copy), server.database)
    assert refused.returncode == 2
    assert "--replace" in refused.stderr
    done = command({}, "restore", str(copy), server.database, "--replace")
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("legatus.sqlite3.2*"))) == 1
    with serving(tmp_path, *NO_LIMITS) as server:
        anna = Player(server, anna.key)
        info = anna.match(ident)
        assert info["number"] > 20
        # the seed of that request may have been shown since the copy was made
        assert anna.post("/api/commitments", {"request": "again-once"})["commitment"] != promised
        assert info["number"] <= number or info["over"] or info["turn"]
    fresh = tmp_path / "elsewhere.sqlite3"
    assert command({}, "restore", str(copy), str(fresh)).returncode == 0
    assert fresh.exists()


def test_a_damaged_database_is_replaced(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "damaged.sqlite3"
    target.write_bytes(b"garbage" + database.read_bytes()[7:])
    target.chmod(0o640)
    done = command({}, "restore", str(database), str(target), "--replace")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list(look(f"sqlite:///{target}", "en"))) == 6
    (aside,) = tmp_path.glob("damaged.sqlite3.2*")
    assert aside.read_bytes().startswith(b"garbage")
    assert target.stat().st_mode & 0o777 == 0o640
    assert not list(tmp_path.glob(".damaged*"))
    folder = command({}, "restore", str(database), str(tmp_path), "--replace")
    assert folder.returncode == 2
    assert "directory" in folder.stderr


def test_what_a_lost_database_left_is_not_read_as_part_of_the_restored(
    database: Path, tmp_path: Path
) -> None:
    """Its log would be: SQLite finds it by its name."""
    lost = tmp_path / "lost.sqlite3"
    copy_sqlite(database, lost)
    connection = sqlite3.connect(lost)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("UPDATE matches SET maker = 'of the lost one'")
    connection.commit()
    log = Path(f"{lost}-wal").read_bytes()
    connection.close()
    lost.unlink()
    Path(f"{lost}-wal").write_bytes(log)
    refused = command({}, "restore", str(database), str(lost))
    assert refused.returncode == 2
    assert "lost.sqlite3-wal" in refused.stderr
    assert command({}, "restore", str(database), str(lost), "--replace").returncode == 0
    with sqlite3.connect(lost) as connection:
        found = connection.execute("SELECT count(*) FROM matches WHERE maker = 'of the lost one'")
        assert found.fetchone() == (0,)
    connection.close()
    assert [path.read_bytes() == log for path in tmp_path.glob("lost.sqlite3.2*-wal")] == [True]


def test_what_is_no_backup_is_not_restored(tmp_path: Path) -> None:
    bad = tmp_path / "diary.sqlite3"
    bad.write_text("Dear diary\n" * 200)
    target = tmp_path / "legatus.sqlite3"
    assert "not a database" in command({}, "restore", str(bad), str(target)).stderr
    other = tmp_path / "other.sqlite3"
    sqlite3.connect(other).execute("CREATE TABLE x (y)").connection.close()
    assert "not a database of legatus" in command({}, "restore", str(other), str(target)).stderr
    missing = command({}, "restore", str(tmp_path / "none.sqlite3"), str(target))
    assert missing.returncode == 2
    assert not list(tmp_path.glob("legatus*"))
    assert not list(tmp_path.glob(".legatus*"))
    for name in ("upgrade", "backup"):
        said = command({}, name, "postgresql://me:hunter2@127.0.0.1:9/legatus", *(["x"] * (name == "backup")))
        assert said.returncode == 2
        assert "hunter2" not in said.stderr
        assert len(said.stderr.splitlines()) == 1
    assert "pg_dump" in said.stderr
    absent = command({}, "upgrade", "--check", str(tmp_path / "absent.sqlite3"))
    assert absent.returncode == 2
    assert not (tmp_path / "absent.sqlite3").exists()


def test_a_record_of_a_match_that_was_resumed_can_be_read(
    prepared: Any, database: Path, changed: dict[str, str], serve: Callable[..., Server]
) -> None:
    _, ids, key = prepared
    anna = Player(serve(), key)
    path = database.with_name("resumed.jsonl")
    path.write_text(anna.record(ids["elsewhere"]), encoding="utf-8")
    done = command(changed, "replay", str(path), "--verify")
    assert (done.returncode, done.stderr) == (0, "")
    old = database.with_name("old.jsonl")
    old.write_text(JOURNAL.read_text(), encoding="utf-8")
    done = command(changed, "replay", str(old), "--verify")
    assert done.returncode == 1
    assert "it is shown up to there" in done.stderr
    assert parse_record(GAMES, old.read_text()).difference is None
