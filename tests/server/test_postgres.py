"""Several processes on one PostgreSQL are one server."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from secrets import token_hex
from statistics import median
from typing import Any

import pytest

from .client import NO_LIMITS, Player, Server, until
from .processes import DEAD, Seat, ask, check_journal, new_database, postgres_rows, until_one_stops

LISTENERS = """
    SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query ILIKE 'LISTEN%'
"""


class Two:
    """Two servers on one database, started at the same moment on an empty one."""

    def __init__(self, folder: Path) -> None:
        self.url = new_database()
        with ThreadPoolExecutor(2) as pool:
            started = [pool.submit(Server, folder, *NO_LIMITS, database=self.url) for _ in range(2)]
        self.a, self.b = (server.result() for server in started)

    def at(self, player: Player, server: Server) -> Player:
        """The same person through another process."""
        return Player(server, player.key)


@contextmanager
def running(folder: Path) -> Iterator[Two]:
    """Two servers; those that still live must stop cleanly in the end."""
    two = Two(folder)
    try:
        yield two
    except BaseException:
        two.a.kill()
        two.b.kill()
        raise
    for server in (two.a, two.b):
        if server.process.poll() is None:
            server.stop()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    with running(tmp_path_factory.mktemp("two")) as found:
        yield found


def friends(two: Two, **wish: Any) -> tuple[str, Player, Player]:
    """A match made through one process and joined through the other."""
    maker, friend = two.a.player(), two.b.player()
    match = maker.open("me", "friend", **wish)
    friend.join(match)
    return match["id"], maker, friend


def settled(two: Two, player: Player, match: str) -> int:
    """At which number a match stands for a player, when both processes say the same."""

    def said() -> int:
        first, second = (two.at(player, server).match(match)["number"] for server in (two.a, two.b))
        return first if first == second else 0

    return until(said)


def test_two_play_live_each_through_his_process(two: Two) -> None:
    match, maker, friend = friends(two, scenario="open-small")
    mine, other = Seat(match, maker.key, "a"), Seat(match, friend.key, "b")
    mine.last = other.last = 80  # as each counts

    asyncio.run(until_one_stops((mine, mine.play(two.a.address)), (other, other.play(two.b.address))))
    check_journal(postgres_rows(two.url, match), (mine, other))
    pairs = ((mine, other), (other, mine))  # each counts for himself: the next frame after a command
    later = [
        ([came for came in b.came.values() if came > at], at) for a, b in pairs for at in a.sent.values()
    ]
    waits = [min(came) - at for came, at in later if came]
    assert len(waits) > 20
    assert median(waits) < 1.0, "frames came by the sweep only"
    for player, seat in ((maker, mine), (friend, other)):
        asyncio.run(seat.hear_to(player.server.address, settled(two, player, match)))
        assert seat.log == player.log(match)


def test_of_two_who_act_at_once_one_wins(two: Two) -> None:
    maker = two.a.player()
    match = maker.open("me", "me")["id"]
    ways = (maker, two.at(maker, two.b))
    rng = Random(1)
    with ThreadPoolExecutor(2) as pool:
        for n in range(20):
            frame = ways[n % 2].frame(match)
            if frame["number"] != n + 1:  # what the other process wrote is not known here yet
                until(lambda w=ways[n % 2], n=n: w.frame(match)["number"] == n + 1)
                frame = ways[n % 2].frame(match)
            requests = [token_hex(8), token_hex(8)]
            wishes = [
                {"number": n + 1, "request": r, "do": rng.choice(frame["actions"])["do"]} for r in requests
            ]

            def send(k: int, wishes: Any = wishes) -> Any:
                return ways[k].ask("POST", f"/api/matches/{match}/act", json=wishes[k])

            answers = list(pool.map(send, (0, 1)))
            codes = [answer.status_code for answer in answers]
            assert sorted(codes) == [200, 409]
            winner = codes.index(200)
            assert answers[1 - winner].json()["code"] == "conflict"
            assert answers[1 - winner].json()["number"] == n + 2
            row = postgres_rows(two.url, match)[-1]
            assert row == (n + 1, wishes[winner]["do"], requests[winner])
            again = ways[1 - winner].act(match, n + 1, wishes[winner]["do"], request=requests[winner])
            assert again == answers[winner].json()  # the same request through the other process
    assert [way.match(match)["number"] for way in ways] == [21, 21]


def test_the_same_request_through_both_at_once(two: Two) -> None:
    maker = two.a.player()
    match = maker.open("me", "me")["id"]
    ways = (maker, two.at(maker, two.b))
    with ThreadPoolExecutor(2) as pool:
        for n in range(1, 11):
            until(lambda n=n: ways[1].frame(match)["number"] == n)
            do = ways[1].frame(match)["actions"][0]["do"]
            request = token_hex(8)
            sent = [pool.submit(way.act, match, n, do, request=request) for way in ways]
            assert [answer.result()["number"] for answer in sent] == [n + 1, n + 1]
    assert len(postgres_rows(two.url, match)) == 10


def online(info: Any) -> list[bool]:
    return [seat["online"] for seat in info["seats"]]


def test_who_is_there_is_known_everywhere(two: Two) -> None:
    match, maker, friend = friends(two)
    with maker.watch(match) as mine:
        while mine.next("match")["match"]["seats"][1]["who"] != "human":
            pass
        until(lambda: online(two.at(maker, two.b).match(match)) == [True, False])
        with friend.watch(match) as other:
            while online(mine.next("match")["match"]) != [True, True]:
                pass
            while online(other.next("match")["match"]) != [True, True]:
                pass
        while online(mine.next("match")["match"]) != [True, False]:
            pass
    until(lambda: online(two.at(maker, two.b).match(match)) == [False, False])


def test_bots_are_watched_through_both(two: Two) -> None:
    maker = two.a.player()
    match = maker.open("bot:greedy", "bot:random", scenario="open-small")["id"]
    with maker.watch(match) as here, two.b.stranger().watch(match) as there:
        ends = [line.frame(25) for line in (here, there)]
        last = min(end["entry"] for end in ends)
        assert here.log[: last + 1] == there.log[: last + 1]
    rows = postgres_rows(two.url, match)
    assert len({request for _, _, request in rows}) == len(rows)
    assert all(request.startswith("bot") and request.endswith(f"{number:08d}") for number, _, request in rows)


def test_names_that_postgresql_cannot_hold(two: Two) -> None:
    maker = two.a.player()
    seats = [{"who": "me", "name": "a\0b"}, {"who": "friend"}]
    wish = {"request": token_hex(8), "game": "virtus", "seats": seats}
    assert maker.ask("POST", "/api/matches", json=wish).status_code in (201, 400)
    match = maker.open("me", "friend")
    invite = match["seats"][1]["invite"]
    body = {"invite": invite, "name": "a\0b"}
    joined = two.b.player().ask("POST", f"/api/matches/{match['id']}/join", json=body)
    assert joined.status_code in (200, 400)
    assert maker.ask("GET", "/api/matches/a%00b").status_code == 404
    assert not two.a.complaints() + two.b.complaints()


def test_frames_come_when_the_listener_is_cut(two: Two) -> None:
    """Whoever has to wait hears that it is his turn, though he listens through the other process."""
    match, maker, friend = friends(two, scenario="open-small")
    with maker.watch(match) as mine, friend.watch(match) as other:
        players = [(maker, mine, mine.frame()), (friend, other, other.frame())]
        if not players[0][2]["yours"]:
            players.reverse()
        for turn in range(5):
            (player, line, frame), (waiting, his, heard) = players
            if turn in (1, 3):
                cut: set[int] = set()
                until(lambda cut=cut: cut.update(pid for pid, _ in ask(two.url, LISTENERS)) or len(cut) >= 2)
            while frame["yours"]:
                done = player.act(match, frame["number"], frame["actions"][0]["do"])
                frame = line.frame(done["number"])
            while not heard["yours"]:
                heard = his.next("frame")
            players = [(waiting, his, heard), (player, line, frame)]


@pytest.fixture
def doomed(tmp_path: Path) -> Iterator[Two]:
    with running(tmp_path) as found:
        yield found


def test_one_is_killed_and_its_player_goes_on_through_the_other(doomed: Two) -> None:
    two = doomed
    match, maker, friend = friends(two, scenario="open-small")
    mine, other = Seat(match, maker.key, "a"), Seat(match, friend.key, "b")
    mine.last = other.last = 60

    async def kill() -> None:
        while len(other.confirmed) < 10:
            await asyncio.sleep(0.005)
        two.b.process.kill()

    async def elsewhere() -> None:
        with pytest.raises(DEAD):
            await other.play(two.b.address)
        await other.play(two.a.address)

    async def play() -> None:
        await asyncio.gather(kill(), until_one_stops((mine, mine.play(two.a.address)), (other, elsewhere())))

    asyncio.run(play())
    two.b.kill()
    check_journal(postgres_rows(two.url, match), (mine, other))
    asyncio.run(mine.hear_to(two.a.address, maker.match(match)["number"]))
    assert mine.log == maker.log(match)
    with maker.watch(match) as line:  # and who was at the dead process is not there for ever
        while online(line.next("match")["match"]) != [True, False]:
            pass
    assert not two.a.complaints()
