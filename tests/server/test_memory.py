"""Nobody stops the server by memory: matches have an end, and what is kept is counted in bytes."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from litestar.testing import TestClient

from legatus.games import GAMES
from legatus.kernel import Match, Seeded, legal
from legatus.server import honesty, live
from legatus.server.honesty import Memory, Recalled
from legatus.server.limits import MOST_BUCKETS, Limit
from legatus.server.live import Hall, Table
from legatus.server.workers import WorkerPool

from .client import SMALL
from .test_damaged import House
from .test_limits import app, headers, opened


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.store.close()


def hall_of(house: House, **bounds: Any) -> Hall:
    return Hall(house.store, WorkerPool(1), announce=lambda table: None, **{"keep": 1_000, **bounds})


# --- the end of a match --------------------------------------------------------------------------


class Battle:
    """A match of one who holds all seats, over the API."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client, self.who = client, headers(client)
        self.id = opened(client, self.who, "open-0001").json()["id"]

    def get(self, path: str = "", **params: Any) -> Any:
        answer = self.client.get(f"/api/matches/{self.id}{path}", headers=self.who, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def move(self) -> Any:
        """Do something; the answer."""
        info = self.get()
        frame = self.get("/frame", **({"seen_as": info["turn"]} if info["turn"] else {}))
        do = frame["actions"][0]["do"] if frame["actions"] else "end-turn"
        wish = {"number": info["number"], "request": f"move-{info['number']:08d}", "do": do}
        return self.client.post(f"/api/matches/{self.id}/act", json=wish, headers=self.who)


@pytest.mark.parametrize("bound", ["MOST_ROWS", "MOST_BYTES"])
def test_a_match_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    """Players are told before; then it is over, and can be read, here and after a start."""
    assert (live.MOST_ROWS, live.MOST_BYTES) == (20_000, 5_000_000)
    monkeypatch.setattr(live, bound, 30 if bound == "MOST_ROWS" else 1_500)
    with app(tmp_path) as client:
        battle = Battle(client)
        notices = []
        while not (info := battle.get())["over"]:
            notices.append(info["notice"])
            assert battle.move().status_code == 200
            assert len(notices) < 60
        assert notices[0] == ""
        assert "too long" in notices[-1]
        assert len(set(notices)) == 2, "it says the same until the end"
        if bound == "MOST_ROWS":
            assert info["number"] == 30
            assert notices.index(notices[-1]) == 26
    for _ in range(2):
        with app(tmp_path) as client:
            battle.client = client
            info = battle.get()
            assert info["over"]
            assert (info["turn"], info["winner"], info["record"]) == ("", "", True)
            assert "commands" in info["notice"]
            assert "commandes" in battle.get(lang="fr")["notice"]
            answer = battle.move()
            assert (answer.status_code, answer.json()["code"]) == (409, "over")
            assert "too long" in answer.json()["message"]
            assert len(battle.get("/log")["entries"]) == info["entries"]
            assert battle.get("/frame", entry=5, seen_as="open")["entry"] == 5
            listed = client.get("/api/matches", headers=battle.who).json()["matches"]
            (one,) = [one for one in listed if one["id"] == battle.id]
            assert (one["over"], one["notice"]) == (True, info["notice"])
            record = client.get(f"/api/matches/{battle.id}/record", headers=battle.who)
            again = client.post(
                "/api/replays", json={"request": "again-0001", "text": record.text}, headers=battle.who
            )
            assert again.status_code == 201, again.text
            assert again.json()["notice"] == ""


def test_who_closes_it_may_die_in_the_middle(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_ROWS", len(house.match.journal))
    stored = house.store.load("one")
    assert stored is not None
    assert not stored.head.over
    table = house.table()
    assert table.over
    assert table.closed is not None
    assert table.closed.reason == "length"
    stored = house.store.load("one")
    assert stored is not None
    assert stored.head.over


def test_the_last_move_may_win(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A battle that is won with the last command was not too long."""
    game, rng = GAMES["virtus"], Random(3)
    match = Match.new(game, game.configure_known(SMALL["scenario"], SMALL["armies"], {}), Seeded("x"))
    while match.state.decision is not None:
        match.play(rng.choice(legal(match.state)), Seeded(f"{len(match.journal)}"))
    house.add("won", match)
    monkeypatch.setattr(live, "MOST_ROWS", len(match.journal))
    table = house.table("won")
    assert table.over
    assert table.closed is None


# --- what is kept --------------------------------------------------------------------------------


def test_matches_in_memory_are_counted_in_bytes(house: House) -> None:
    for n in range(12):
        house.add(f"more-{n}", house.match)

    async def read() -> list[Table]:
        one = await hall_of(house).table("more-0")
        hall = hall_of(house, memory=3 * one.size + one.size // 2)
        watched = await hall.table("more-0")
        watched.watchers.append(object())
        for n in range(1, 12):
            await hall.table(f"more-{n}")
        return hall.tables

    kept = asyncio.run(read())
    assert [table.head.id for table in kept] == ["more-0", "more-10", "more-11"]


@pytest.mark.parametrize("game_key", ["virtus", "metaurus"])
def test_their_size_is_not_far_from_what_they_take(house: House, game_key: str) -> None:
    game, rng = GAMES[game_key], Random(5)
    match = Match.new(game, game.configure_known(game.default_scenario, (), {}), Seeded("size"))
    while len(match.journal) < 400 and match.state.decision is not None:
        match.play(rng.choice(legal(match.state)), Seeded(f"{len(match.journal)}"))
    house.add("long", match)
    house.table("long")  # what is cached for all matches is there now
    gc.collect()
    tracemalloc.start()
    table = house.table("long")
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < table.size < 10 * taken
    assert taken < 2_000_000


def test_thoughts_are_counted_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Recalled("x" * 50, [("y" * 50, 0.5, 3)] * 40)
    monkeypatch.setattr(honesty, "KEPT_BYTES", 5 * one.size)
    hall: Any = SimpleNamespace(pool=WorkerPool(1))
    memory = Memory(hall)

    async def ask(*_: Any) -> Any:
        return one.do, list(one.thoughts)

    monkeypatch.setattr(memory.pool, "ask", ask)

    class Of:
        head = type("Head", (), {"id": "one", "seed": "s"})
        game = GAMES["virtus"]

    async def recall() -> None:
        for entry in range(20):
            asked = type("Asked", (), {"entry": entry, "known": b"", "seat": 0, "bot": "easy", "seed": "s"})
            await memory._recall(Of, asked, "anna")  # type: ignore[arg-type]

    asyncio.run(recall())
    assert [entry for _, entry in memory._kept] == list(range(15, 20))


def test_buckets_are_bounded_though_none_is_full() -> None:
    limit = Limit(2, 3_600, lambda: 0.0)
    for n in range(3 * MOST_BUCKETS):
        limit.wait(str(n))
    assert len(limit._buckets) <= MOST_BUCKETS + 1
    assert [limit.wait(str(3 * MOST_BUCKETS - 1)) for _ in range(2)] == [0, pytest.approx(1_800)]
