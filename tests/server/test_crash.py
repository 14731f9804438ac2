"""After a crash, a full disk or a bad row what can go on goes on, and what is wrong is said in one line."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import psutil
import pytest

from legatus.cli import main
from legatus.server import page
from legatus.server.desk import Desk
from legatus.server.faults import Fault
from legatus.server.settings import Settings
from legatus.server.upgrade import look, upgrade

from .client import NO_LIMITS, Player, Server, serving, until
from .processes import run
from .test_damaged import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    house.add("two", house.match)
    yield house
    house.store.close()


# --- bots ----------------------------------------------------------------------------------------


STANDS = "SELECT id, number + 100000 * over FROM matches"


def test_bots_go_on_by_themselves_after_a_crash(tmp_path: Path) -> None:
    """Nobody asks for their matches."""
    server = Server(tmp_path, *NO_LIMITS, "--workers", "1")
    player = server.player()
    ids = [player.open("bot:random", "bot:random")["id"] for _ in range(2)]
    until(lambda: all(player.match(match)["number"] > 1 for match in ids), 120)
    server.kill()
    database = sqlite3.connect(server.database)
    before = dict(database.execute(STANDS))
    with serving(tmp_path, *NO_LIMITS, "--workers", "1"):
        until(lambda: all(n > before[match] for match, n in database.execute(STANDS)), 120)
    database.close()


def test_bots_are_woken_a_few_at_a_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = house.match.state.decision.seat
    for n in range(12):
        house.add(f"bot-{n}", house.match)
    house.change(f"UPDATE seats SET bot = 'random' WHERE seat = {turn} AND match_id LIKE 'bot-%'")
    house.change("UPDATE matches SET over = 1 WHERE id = 'bot-0'")
    house.change("UPDATE matches SET number = 'x' WHERE id = 'bot-1'")
    desk = Desk(Settings(database=house.url, workers=1))
    awake: list[int] = []
    woken: set[str] = set()

    async def think(table: Any) -> None:
        awake.append(sum(other.thinking is not None for other in desk.hall.tables))
        woken.add(table.head.id)
        await asyncio.sleep(0.3)
        table.thinking = None

    monkeypatch.setattr(desk.hall, "_think", think)
    desk.open()
    asyncio.run(desk.wake_bots())
    desk.close()
    assert woken == {f"bot-{n}" for n in range(2, 12)}
    assert max(awake) <= 2


# --- rows that cannot be -------------------------------------------------------------------------

COLUMNS = {
    "matches": (
        "game setup luck seed replay maker started moved "
        "number turn over winner pledge edition closed position"
    ),
    "seats": "holder bot name",
    "journal": "seat do dice request at check position",
}


VALUES = ("7", "-9", "'nonsense'", "X'FF00FE'", "CAST(X'FF00FE' AS TEXT)", "''", "1e300", "'{\"a\": []}'")


@pytest.mark.parametrize("value", VALUES)
def test_a_bad_row_spoils_its_match_only(house: House, value: str) -> None:
    desk = Desk(Settings(database=house.url))
    desk.open()

    async def check(column: str) -> None:
        with suppress(Fault):
            desk.info(await desk.hall.table("one"), "anna", "en")
        assert "two" in {match.id for match in await desk.mine("anna", "en")}, column
        await desk.hall.table("two")
        await desk.sweep()
        await desk.wake_bots()

    with sqlite3.connect(house.file) as sound:
        before = list(sound.iterdump())
    sound.close()
    for table, columns in COLUMNS.items():
        for column in columns.split():
            where = "id = 'one'" if table == "matches" else "match_id = 'one'"
            house.change(f'UPDATE OR IGNORE {table} SET "{column}" = {value} WHERE {where}')
            fates = {found.id: found.fate for found in look(house.url, "en")}
            assert fates["two"] == "same", column
            desk.hall._tables.clear()
            asyncio.run(check(column))
            house.change(
                "DELETE FROM journal", "DELETE FROM seats", "DELETE FROM matches", "DELETE FROM secrets"
            )
            house.change(*(line for line in before if line.startswith("INSERT") and "alembic" not in line))
    desk.close()


def test_an_upgrade_passes_over_a_bad_row(house: House) -> None:
    house.change("UPDATE matches SET number = 'x' WHERE id = 'one'")
    upgrade(house.url)
    assert {found.id: found.fate for found in look(house.url, "en")} == {"one": "lost", "two": "same"}


# --- a full disk ---------------------------------------------------------------------------------


def test_a_full_disk_is_told_and_got_over(tmp_path: Path) -> None:
    """No file of the server may grow any more; then they may again."""
    with serving(tmp_path, *NO_LIMITS) as server:
        player = server.player("fr")
        match = player.open("me", "me")["id"]
        frame = player.frame(match)
        wish = (match, frame["number"], frame["actions"][0]["do"])
        process = psutil.Process(server.process.pid)
        _, most = process.rlimit(psutil.RLIMIT_FSIZE)
        server.complaints()
        process.rlimit(psutil.RLIMIT_FSIZE, (4_096, most))
        for _ in range(20):
            failure = player.act(*wish, expect=503)
            assert failure["code"] == "database"
        assert "disque" in failure["message"]
        assert player.get("/health", 503) == {"status": "full"}
        assert player.match(match)["number"] == frame["number"]  # what is there can be read
        process.rlimit(psutil.RLIMIT_FSIZE, (most, most))
        until(lambda: player.ask("GET", "/health").json() == {"status": "ok"})
        player.act(*wish)
        lines = server.complaints().splitlines()
        assert len(lines) <= 1  # the log is a file too


# --- damaged pages -------------------------------------------------------------------------------


def damage(path: Path, table: str) -> None:
    """Overwrite the page at which a table of a SQLite file begins."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    database.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def test_a_damaged_page_is_told_and_is_no_fault_of_the_server(tmp_path: Path) -> None:
    with serving(tmp_path, *NO_LIMITS) as server:
        player = server.player()
        match = player.open("me", "me")["id"]
    damage(Path(server.database), "journal")
    with serving(tmp_path, *NO_LIMITS) as server:
        again = Player(server, player.key, "fr")
        assert again.get("/health") == {"status": "ok"}  # not every page is read
        for _ in range(5):
            failure = again.match(match, 503)
            assert failure["code"] == "database"
        assert "endommagée" in failure["message"]
        for _ in range(2):
            assert again.get("/health", 503) == {"status": "damaged"}
        assert len(again.get("/api/matches")["matches"]) == 1  # what is whole can be read
        (line,) = server.complaints().splitlines()
        assert "restore a backup" in line
        assert "trace" not in line


# --- one server a file ---------------------------------------------------------------------------


def one_line(*args: str, database: str | Path = "") -> str:
    """The complaint of a command that does not start."""
    command = [*args, *(("--database", str(database)) if database else ())]
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        assert main(command) == 2
    assert out.getvalue() == ""
    (line,) = err.getvalue().strip().splitlines()
    assert line.startswith("legatus: ")
    return line


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log of this process stays where it is."""
    monkeypatch.setattr("legatus.server.watch.log_to_stderr", lambda level: None)
    monkeypatch.setenv("LEGATUS_LANG", "en")


SERVE = ("serve", "--no-browser", "--port", "0")


def test_a_second_server_on_a_file_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, *NO_LIMITS) as server:
        match = server.player().open("me", "me")["id"]
        assert "another process" in one_line(*SERVE, database=server.database)
        assert "another process" in one_line("upgrade", server.database)
        assert run("upgrade", "--check", server.database).returncode == 0
        assert run("backup", server.database, str(tmp_path / "copy.sqlite3")).returncode == 0
        assert server.stranger().match(match)["number"] == 1
    server = Server(tmp_path, *NO_LIMITS)
    server.kill()  # the lock goes with the process
    with serving(tmp_path, *NO_LIMITS) as server:
        assert server.stranger().match(match)
    assert run("upgrade", server.database).returncode == 0


# --- starts that fail ----------------------------------------------------------------------------


def test_a_start_that_fails_says_why_in_one_line(tmp_path: Path) -> None:
    garbage, folder, newer = tmp_path / "garbage", tmp_path / "folder", tmp_path / "newer.sqlite3"
    garbage.write_bytes(b"this is no database " * 1_000)
    folder.mkdir()
    House(folder).store.close()
    with sqlite3.connect(folder / "legatus.sqlite3") as old:
        old.execute("UPDATE alembic_version SET version_num = '9999'")
        old.commit()
        old.execute("VACUUM INTO ?", [str(newer)])
    old.close()
    other = tmp_path / "other.sqlite3"
    with sqlite3.connect(other) as foreign:
        foreign.execute("CREATE TABLE matches (x)")
    foreign.close()
    for database, said in {
        garbage: "not a database",
        folder: "",
        tmp_path / "nowhere" / "legatus.sqlite3": "unable to open",
        "/proc/legatus.sqlite3": "",
        newer: "newer",
        other: "",
        "sqlite://": "memory",
        "nonsense://x": "nonsense",
        "postgresql://user:hidden@127.0.0.1:1/x": "",
        "postgresql://user:hidden@host:port/x": "",
    }.items():
        line = one_line(*SERVE, database=database)
        assert said in line
        assert "hidden" not in line


@pytest.mark.parametrize("how", ["damaged", "not to be written"])
def test_a_database_that_cannot_be_used_is_refused_at_the_start(tmp_path: Path, how: str) -> None:
    house = House(tmp_path)
    desk = Desk(Settings(database=house.url))
    desk.open()
    desk.close()
    if how == "damaged":
        house.store.close()
        damage(house.file, "secrets")
    else:
        stop = "BEGIN SELECT RAISE(ABORT, 'it cannot be written'); END"
        house.change(
            *(f"CREATE TRIGGER no_{verb} BEFORE {verb} ON secrets {stop}" for verb in ("insert", "update"))
        )
        house.store.close()
    line = one_line(*SERVE, database=house.file)
    assert "malformed" in line or "cannot be written" in line
    done = run(*SERVE, "--database", str(house.file))
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, "the log says nothing besides"


def test_a_port_that_cannot_be_had(tmp_path: Path) -> None:
    database = str(tmp_path / "legatus.sqlite3")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert port in one_line("serve", "--no-browser", "--port", port, database=database)
    for host in ("192.0.2.1", "no.such.host.invalid", "not a host", "x" * 300):
        assert "--port" in one_line("serve", "--no-browser", "--port", "0", "--host", host, database=database)


def test_a_page_that_is_not_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(page, "FOLDER", tmp_path)
    for lang, said in (("en", "not built"), ("fr", "pas construite")):
        assert main([*SERVE, "--lang", lang, "--database", str(tmp_path / "x.sqlite3")]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert said in told.err
        assert len(told.err.splitlines()) == 1
