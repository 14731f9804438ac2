"""What takes long to show keeps nobody else waiting: long logs, moments long ago, uploaded battles."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_hex
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from legatus.games import GAMES
from legatus.kernel import Match, Scripted, legal, say
from legatus.kernel.codec import parse_action, state_to_json
from legatus.kernel.commitment import COMMITTED
from legatus.lab.analyse import Plan
from legatus.lab.audit import Sitting
from legatus.server import Settings, analyst, editions, honesty, jobs
from legatus.server import desk as desks
from legatus.server.desk import Desk
from legatus.server.faults import Fault
from legatus.server.jobs import rehearse
from legatus.server.live import Hall
from legatus.server.readers import Readers
from legatus.server.workers import Limits, WorkerPool

from .client import Server, until
from .planted import fortresses_raised
from .test_connections import inside
from .test_limits import app, headers, opened

ONUS = GAMES["onus"]
ENTRIES = 450  # fortresses that are raised, each in place of the last one
WAITS = 3  # answers that somebody else gets meanwhile, at the least


@pytest.fixture(scope="module")
def uploaded(shared_server: Server) -> tuple[Any, str]:
    player = shared_server.player()
    wish = {"request": token_hex(8), "text": fortresses_raised(ENTRIES)}
    return player, player.post("/api/replays", wish, 201)["id"]


def waits(server: Server, work: Any) -> tuple[float, int]:
    """How long ``work`` takes, and how many answers somebody else gets until then."""
    with ThreadPoolExecutor(1) as thread:
        began, answers = time.monotonic(), 0
        going = thread.submit(work)
        time.sleep(0.05)  # it has begun
        while not going.done():
            assert server.http.get(f"{server.url}/health").status_code == 200
            answers += not going.done()
        going.result()
        return time.monotonic() - began, answers


@pytest.mark.parametrize("what", ["log", "record", "frame", "socket"])
def test_a_long_log_keeps_nobody_else_waiting(server: Server, uploaded: tuple[Any, str], what: str) -> None:
    player, match = uploaded

    def look() -> None:
        if what == "socket":
            with player.watch(match) as line:
                assert len(line.next("frame")["log"]) == ENTRIES + 1
        elif what == "frame":
            for entry in (49, 199, 349, 399):
                assert player.frame(match, entry=entry)["entry"] == entry
        else:
            answer = player.ask("GET", f"/api/matches/{match}/{what}")
            assert answer.status_code == 200

    _, answers = waits(server, look)
    assert answers >= WAITS


def test_one_client_takes_one_thread() -> None:
    async def asked() -> list[str]:
        readers, done = Readers(), list[str]()

        def work(name: str, seconds: float) -> None:
            time.sleep(seconds)
            done.append(name)

        first = [readers.ask("a", work, f"a{n}", 0.1) for n in range(3)]
        await asyncio.gather(*first, readers.ask("b", work, "b", 0.15))
        assert not readers.turns._turns
        readers.close()
        return done

    assert asyncio.run(asked()) == ["a0", "b", "a1", "a2"]


def test_an_action_of_a_battle_that_was_uploaded_has_a_time() -> None:
    """A worker tries it first, and is ended if it takes too long."""
    match = Match.new(ONUS, ONUS.configure_known("free-siege", [], {}), Scripted())
    sat, known = Sitting(scheme=COMMITTED), state_to_json(match.state)
    do = next(say(action) for action in legal(match.state) if say(action).startswith("raise"))

    async def tried(seconds: float) -> None:
        pool = WorkerPool(1, Limits(move=seconds))
        try:
            await pool.ask("move", "somebody", rehearse, ONUS.key, known, do, "seed", 1, sat)
        finally:
            pool.close()

    asyncio.run(tried(60))
    with pytest.raises(Fault) as fault:
        asyncio.run(tried(0.0))
    assert fault.value.code == "too-hard"


def test_copies_stay_as_they_are() -> None:
    match = Match.new(ONUS, ONUS.configure_known("free-siege", [], {}), Scripted())
    do = next(say(action) for action in legal(match.state) if say(action).startswith("raise"))
    for _ in range(120):
        match.play(parse_action(ONUS, do), Scripted())
    copy, states = match.copy(), list(match.states)
    for _ in range(60):
        match.undo(1)
    assert len(copy.journal) == len(copy.events) == len(copy.states) == 121
    assert list(copy.states) == states
    with ThreadPoolExecutor(4) as threads:  # several may look back at the same time
        found = list(threads.map(match.states.__getitem__, [*range(61), *range(60, -1, -1)]))
    assert found == [*states[:61], *states[60::-1]]


def test_lists_are_made_beside_the_event_loop_one_for_each_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(Settings(database=f"sqlite:///{tmp_path / 'lists.sqlite3'}"))
    desk.open()
    threads, at_once = set[int](), []
    lock = threading.Lock()

    def held_by(holder: str, limit: int) -> list[Any]:
        threads.add(threading.get_ident())
        with lock:
            at_once.append(at_once[-1] + 1 if at_once else 1)
        time.sleep(0.02)
        with lock:
            at_once.append(at_once[-1] - 1)
        return []

    monkeypatch.setattr(desk.store, "held_by", held_by)
    for n in range(4):
        desk.pool.seen(f"key{n}", "192.0.2.1")

    async def ask() -> None:
        await asyncio.gather(*[desk.mine(f"key{n}", "en") for n in range(4)])

    asyncio.run(ask())
    desk.close()
    assert threading.get_ident() not in threads
    assert max(at_once) == 1


def test_a_description_is_made_without_the_set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every watcher is told who is there: the set-up may be as large as an upload."""
    with app(tmp_path) as client:
        who = headers(client)
        match = opened(client, who, "open-0001").json()
        monkeypatch.setattr(editions, "summary_of", None)
        monkeypatch.setattr(desks, "summary_of", None)
        assert client.get(f"/api/matches/{match['id']}", headers=who).json() == match


def test_a_set_up_has_only_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.new(ONUS, ONUS.configure_known("free-siege", [], {}), Scripted())
    size = len(msgspec.json.encode(match.setup))
    monkeypatch.setattr(jobs, "MAX_SETUP", size)
    assert len(jobs.opening_of(match).setup.encode()) == size
    monkeypatch.setattr(jobs, "MAX_SETUP", size - 1)
    with pytest.raises(Fault) as fault:
        jobs.opening_of(match)
    assert (fault.value.code, fault.value.said.values) == ("bad-file", {"limit": size - 1})


class Noted:
    """Notes in which threads a function was called, and how often."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
        self.threads: list[str] = []
        work = getattr(owner, name)

        def noting(*args: Any, **named: Any) -> Any:
            self.threads.append(threading.current_thread().name)
            return work(*args, **named)

        monkeypatch.setattr(owner, name, noting)

    @property
    def were_beside(self) -> bool:
        return bool(self.threads) and all(name.startswith("upload") for name in self.threads)


def a_long_record_with_bots() -> str:
    """An upload whose moments are not at hand, and in which bots decided."""
    head, *lines = fortresses_raised(60).split("\n")
    notes = {"seats": dict.fromkeys(ONUS.seats, "random"), "seed": "1"}
    return "\n".join([json.dumps({**json.loads(head), **notes}), *lines])


def test_all_who_ask_for_a_verdict_share_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = Noted(monkeypatch, honesty, "record_text")
    with inside(tmp_path) as server:
        players = [server.player() for _ in range(5)]
        wish = {"request": token_hex(8), "text": fortresses_raised(60)}
        match = players[0].post("/api/replays", wish, 201)["id"]
        with ThreadPoolExecutor(5) as threads:
            asked = [threads.submit(one.get, f"/api/matches/{match}/verify") for one in players]
        assert len({json.dumps(one.result()) for one in asked}) == 1
    assert len(written.threads) == 1
    assert written.were_beside


def test_nobody_waits_for_a_verdict_in_the_queue_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has much waiting could ask first for everybody."""
    monkeypatch.setattr(honesty, "promise", lambda *_: None)
    monkeypatch.setattr(honesty, "_judged", lambda table, found, lang: found)

    async def look(client: str, *_: Any) -> str:
        await asyncio.sleep(60 if client == "busy" else 0)
        return ""

    async def ask(*_: Any) -> str:
        return "verdict"

    async def both() -> Any:
        memory = honesty.Memory(SimpleNamespace(look=look, pool=SimpleNamespace(ask=ask)))  # type: ignore[arg-type]
        table: Any = SimpleNamespace(
            head=SimpleNamespace(id="x"), match=SimpleNamespace(journal=()), contributions=(), over=True
        )
        first = asyncio.create_task(memory.verdict(table, "busy", "anna", "en"))
        await asyncio.sleep(0)
        found = await asyncio.wait_for(memory.verdict(table, "idle", "ben", "en"), 10)
        for task in (first, *memory._examining.values()):
            task.cancel()
        return found

    assert asyncio.run(both()) == "verdict"


def test_moments_of_thoughts_are_made_by_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, told = Noted(monkeypatch, honesty, "_asked"), Noted(monkeypatch, honesty, "_told")
    with inside(tmp_path) as server:
        player = server.player()
        wish = {"request": token_hex(8), "text": a_long_record_with_bots()}
        match = player.post("/api/replays", wish, 201)["id"]
        assert player.get(f"/api/matches/{match}/thoughts", entry=30)["entry"] == 30
    assert asked.were_beside
    assert told.were_beside


def test_analyses_are_made_and_told_by_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyst, "PLAN", Plan(playouts=2, samples=1))
    steps = [Noted(monkeypatch, analyst, name) for name in ("record_text", "_send", "told")]
    with inside(tmp_path) as server:
        player = server.player()
        match = player.post("/api/replays", {"request": token_hex(8), "text": fortresses_raised(2)}, 201)[
            "id"
        ]
        player.post(f"/api/matches/{match}/analysis")
        until(lambda: player.get(f"/api/matches/{match}/analysis")["state"] == "done")
    assert all(step.were_beside for step in steps)


def test_uploads_hold_up_no_other_battle(tmp_path: Path) -> None:
    """Neither one that is opened or read from the database nor a moment long ago."""
    held = threading.Event()
    with app(tmp_path, tables=1) as client:
        hall = client.app.state["desk"].hall
        anna = headers(client)
        first = opened(client, anna, "open-0001").json()["id"]
        opened(client, anna, "open-0002")
        taken = [hall.uploads._threads.submit(held.wait) for _ in range(4)]
        try:
            assert opened(client, anna, "open-0003").status_code == 201
            assert client.get(f"/api/matches/{first}/frame", headers=anna).status_code == 200
            table = hall.tables[-1]
            assert hall.readers_of(table) is hall.readers is not hall.loaders
        finally:
            held.set()
        assert all(one.result() for one in taken)


def test_keys_of_an_address_take_one_turn(tmp_path: Path) -> None:
    at_once, most, lock = 0, 0, threading.Lock()

    def work(_: Any) -> None:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.02)
        with lock:
            at_once -= 1

    pool: Any = WorkerPool(1)
    store: Any = None
    hall = Hall(store, pool, 1, lambda table: None)
    table: Any = SimpleNamespace(
        is_quick=lambda entry, bits: False, is_odd=True, copy=lambda: None, match=SimpleNamespace(journal=[])
    )
    for n in range(4):
        pool.seen(f"key{n}", "192.0.2.1")

    async def ask() -> None:
        await asyncio.gather(*[hall.look(f"key{n}", table, work) for n in range(4)])

    asyncio.run(ask())
    hall.close()
    pool.close()
    assert most == 1
