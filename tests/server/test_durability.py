"""What was confirmed is there after a power cut, once and in order, and play goes on."""

import asyncio
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from .client import NO_LIMITS, Server, serving, until
from .processes import Seat, check_journal, seats_of, sqlite_rows, verify, while_it_lives, workers_of

ROUNDS = 3
MATCHES = 6
TO_THE_END = 2  # of them


async def play_until_it_is_killed(server: Server, seats: list[Seat], commands: int, delay: float) -> None:
    def confirmed() -> int:
        return sum(len(seat.confirmed) for seat in seats)

    async def kill(number: int) -> None:
        while confirmed() < number:
            await asyncio.sleep(0.005)
        await asyncio.sleep(delay)
        server.process.kill()

    await asyncio.gather(kill(confirmed() + commands), while_it_lives(server.address, seats))


def test_nothing_confirmed_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    rng = Random("power cuts")
    server = Server(tmp_path, *NO_LIMITS)
    pairs = seats_of(server, MATCHES, scenario="open-small")
    seats = [seat for pair in pairs for seat in pair]
    unanswered = 0
    for _ in range(ROUNDS):
        asyncio.run(play_until_it_is_killed(server, seats, rng.randint(20, 80), rng.uniform(0, 0.03)))
        server.kill()
        unanswered += sum(seat.pending is not None for seat in seats)
        for pair in pairs:
            check_journal(sqlite_rows(server.database, pair[0].match), pair)
        server = Server(tmp_path, *NO_LIMITS)
    assert unanswered, "no request was under way when it died"

    for seat in seats[2 * TO_THE_END :]:
        seat.last = 0  # only look
    asyncio.run(while_it_lives(server.address, seats, may_die=False))
    for pair in pairs[:TO_THE_END]:
        assert all(seat.over and seat.pending is None for seat in pair)
        rows = sqlite_rows(server.database, pair[0].match)
        check_journal(rows, pair)
        assert {request for _, _, request in rows} == {r for seat in pair for r in seat.tried}
    watcher = server.stranger()
    for seat in seats[: 2 * TO_THE_END]:
        watcher.key = seat.key
        assert watcher.log(seat.match) == seat.log
    for pair in pairs[:TO_THE_END]:
        verify(tmp_path, watcher.record(pair[0].match))
    server.stop()


def test_the_same_request_again_after_a_power_cut(tmp_path: Path) -> None:
    server = Server(tmp_path, *NO_LIMITS)
    player, friend = server.player(), server.player()
    match = player.open("me", "friend", request="new-match-1")
    friend.join(match, name="Friend")
    alone = player.open("me", "me")["id"]
    frame = player.frame(alone)
    wish = (alone, frame["number"], frame["actions"][0]["do"])
    first = player.act(*wish, request="the-same-request")
    server.kill()
    with serving(tmp_path, *NO_LIMITS) as server:
        player.server = friend.server = server
        assert player.act(*wish, request="the-same-request") == first
        assert player.act(*wish, expect=409)["code"] == "conflict"
        assert player.match(alone)["number"] == 2
        assert player.open("me", "friend", request="new-match-1")["id"] == match["id"]
        assert [seat["yours"] for seat in friend.match(match["id"])["seats"]] == [False, True]
        assert {m["id"] for m in player.get("/api/matches")["matches"]} == {match["id"], alone}


def test_a_bot_goes_on_when_its_worker_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path, *NO_LIMITS, "--workers", "2") as server:
        player = server.player()
        ids = [player.open("bot:greedy", "bot:greedy")["id"] for _ in range(4)]
        for _ in range(3):
            numbers = {ident: player.match(ident)["number"] for ident in ids}
            for worker in until(lambda: workers_of(server)):
                worker.kill()
            for ident, number in numbers.items():
                until(lambda i=ident, n=number: (m := player.match(i))["over"] or m["number"] > n)
        assert not server.complaints()


def test_workers_end_with_their_server(tmp_path: Path) -> None:
    for end in (Server.kill, Server.stop):
        server = Server(tmp_path, *NO_LIMITS)
        match = server.player().open("bot:greedy", "bot:greedy")["id"]
        until(lambda s=server, m=match: s.stranger().match(m)["number"] > 1)
        workers = until(lambda s=server: workers_of(s))
        end(server)
        until(lambda w=workers: not any(worker.is_running() for worker in w))


def test_it_stops_when_told_and_goes_on_when_started_again(tmp_path: Path) -> None:
    server = Server(tmp_path, *NO_LIMITS)
    player = server.player()
    match = player.open("bot:greedy", "bot:greedy")["id"]
    with player.watch(match) as line:
        line.frame(2)
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        with pytest.raises(ConnectionClosed) as closed:
            line.frame(10**9)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        assert server.process.wait(30) == 0
        assert time.monotonic() - began < 15
    server.http.close()
    assert not server.complaints()
    assert not list(tmp_path.glob("*-wal")), "all is in one file, which can be copied"
    rows = sqlite_rows(server.database, match)
    assert [number for number, _, _ in rows] == list(range(1, len(rows) + 1))

    with closing(sqlite3.connect(server.database)) as database:  # 4: what spectators noticed
        told = "select count(*) from journal where match_id = ? and (noticed is null or noticed & 4)"
        (number,) = database.execute(told, (match,)).fetchone()

    with serving(tmp_path, *NO_LIMITS) as server:
        player.server = server
        with player.watch(match, number=line.number, entries=len(line.log)) as again:
            first = again.next("frame")
            assert first["number"] == number
            assert first["log_from"] <= len(line.log)
            again.frame(number + 1)
