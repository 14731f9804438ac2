"""Rows and entries are numbered for each viewer: nobody counts what another side does in secret."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from legatus.games import GAMES
from legatus.kernel import Game, Match, Seeded, State, legal, say
from legatus.kernel.match import States
from legatus.server import socket
from legatus.server.counting import ALL, Counting, who_notices
from legatus.server.desk import Desk
from legatus.server.frames import entry_of, eyes, frame, whole_log
from legatus.server.keys import digest
from legatus.server.live import Table
from legatus.server.readers import Readers
from legatus.server.settings import Settings
from legatus.server.socket import Watcher
from legatus.server.store import Row
from legatus.server.wire import Act, Hello, NewMatch, SeatPlan, Undo

from .client import NO_LIMITS, Line, Player, Server, serving
from .planted import answers, plain, plant

METAURUS = GAMES["metaurus"]
SETUP = METAURUS.configure("vanguard")
ASKED = {"pieces": ["livius-1", "nonsense"], "actions": ["lay red move", "undo", "done"]}
START = {0: "go-first", 1: "go-second"}  # Rome lays first
LAYS = [  # several ways in which Rome may have laid its orders so far
    [],
    ["lay red move"],
    ["lay red move", "lay purple stand", "lay roman-horse reform"],
    ["lay purple stand", "undo"],
    ["lay red move", "undo", "lay red stand", "undo", "lay purple move"],
]


class World:
    """A match of Rome, Carthage and a spectator, of whom the last two listen."""

    def __init__(self, server: Server, stack: ExitStack | None = None, seed: str = "roman") -> None:
        self.rome, self.carthage, self.eve = server.player(), server.player(), server.player()
        self.match = plant(server, SETUP, "metaurus", (self.rome, self.carthage), seed)
        self.lines: list[Line] = []
        self.heard: list[list[str]] = []
        for one in (self.carthage, self.eve):
            if stack is None:
                break
            self.lines.append(stack.enter_context(one.watch(self.match)))
            self.heard.append([])
            self.listen(1)  # that the next one looks on is told in a message of its own

    def do(self, player: Player, *lines: str) -> int:
        """Act or undo as a player, at the number that he counts."""
        number = int(player.frame(self.match)["number"])
        for do in lines:
            done = player.undo(self.match, number) if do == "undo" else player.act(self.match, number, do)
            number = int(done["number"])
        return number

    def begin(self) -> None:
        first = self.rome.frame(self.match)["turn"]
        chooser = self.rome if first == "rome" else self.carthage
        self.do(chooser, START[int(first == "carthage")])

    def listen(self, number: int) -> None:
        """Hear what was sent up to the frame of a number."""
        for line, heard in zip(self.lines, self.heard, strict=True):
            while line.number < number:
                heard.append(plain(json.dumps(line.next()), self.match))

    def told(self) -> tuple[str, ...]:
        """All that Carthage and the spectator can ask for."""
        carthage = [
            answers(self.carthage, self.match, who, (0, 1), ASKED) for who in ("carthage", "spectator")
        ]
        return (*carthage, answers(self.eve, self.match, "spectator", (0, 1), ASKED))


def test_how_many_orders_were_laid_is_told_to_nobody_else(server: Server) -> None:
    """While Rome lays, and when it has done, the others are sent the same bytes in as many messages."""
    laying, done, heard = set(), set(), set()
    with ExitStack() as stack:
        for lays in LAYS:
            world = World(server, stack)
            world.begin()
            world.do(world.rome, *lays)
            laying.add(world.told())
            world.do(world.rome, "done")
            done.add(world.told())
            world.listen(int(world.eve.frame(world.match)["number"]))
            heard.add(json.dumps(world.heard))
    assert len(laying) == 1
    assert len(done) == 1
    assert len(heard) == 1


def test_after_the_orders_lie_their_numbers_still_tell_nothing(server: Server) -> None:
    """Three ways to the same markers: all that follows has the same numbers, too."""
    told, heard = set(), set()
    with ExitStack() as stack:
        for lays in (["lay red move"], *LAYS[-1:], ["lay red stand", "lay purple stand", "undo", "undo"]):
            world = World(server, stack)
            world.begin()
            world.do(world.rome, *[do for do in lays if "purple move" not in do])
            if world.rome.frame(world.match)["entry"] == 1:
                world.do(world.rome, "lay red move")
            world.do(world.rome, "done")
            world.do(world.carthage, "lay green move", "done")
            number = int(world.eve.frame(world.match)["number"])
            assert number == 4  # the set-up, the choice, Rome's "done" and that of Carthage
            world.listen(number)
            told.add(world.told())
            heard.add(json.dumps(world.heard))
    assert len(told) == 1
    assert len(heard) == 1


def test_that_laying_has_begun_is_not_told_by_an_undo(server: Server) -> None:
    """Carthage chose that Rome begins: it cannot take that back, whether Rome has laid an order or not."""
    with ExitStack() as stack:
        for seed in map(str, range(20)):
            world = World(server, stack, seed)
            if world.rome.frame(world.match)["turn"] == "carthage":
                break
        world.begin()
        for lays in ([], ["lay red move"]):
            world.do(world.rome, *lays)
            carthage = world.carthage.frame(world.match)
            assert not carthage["undo"]
            world.carthage.undo(world.match, carthage["number"], expect=409)


def test_whoever_lays_counts_all_that_he_does(server: Server) -> None:
    """He acts, takes back, is told of conflicts, and finds everything again after a lost line."""
    with ExitStack() as stack:
        world = World(server, stack)
        rome, match = world.rome, world.match
        world.begin()
        line = stack.enter_context(rome.watch(match))
        assert line.frame()["number"] == 2
        assert rome.act(match, 2, "lay red move", request="lay-red-1")["number"] == 3
        assert line.frame(3)["entry"] == 2
        assert rome.act(match, 2, "lay red move", request="lay-red-1")["number"] == 3  # said twice
        assert rome.act(match, 2, "lay purple move", expect=409)["number"] == 3  # the conflict
        assert rome.undo(match, 3)["number"] == 4
        assert line.frame(4)["entry"] == 1
        assert rome.act(match, 4, "lay purple move")["number"] == 5
        frame = line.frame(5)
        assert frame["log"][-1]["lines"][-1]["private"]
        # the line is lost: only what is missing comes, if nothing was taken back meanwhile
        had = {"number": 5, "entries": frame["entry"] + 1}
        assert rome.act(match, 5, "lay red stand")["number"] == 6
        with rome.watch(match, **had) as again:
            assert again.frame()["log_from"] == had["entries"]
        with rome.watch(match, number=3, entries=3) as again:
            assert again.frame()["log_from"] == 0
        # the other side says Hello again as well, and is sent no more than its last frame
        with world.carthage.watch(match, number=2, entries=2) as other:
            frame = other.frame()
            assert (frame["number"], frame["entry"], frame["log_from"]) == (2, 1, 1)
        assert world.carthage.act(match, 2, "done", expect=403)["code"] == "not-yours"
        assert world.carthage.frame(match, entry=2, expect=404)["code"] == "not-found"


def test_numbers_are_the_same_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path, *NO_LIMITS) as server:
        world = World(server)
        world.begin()
        world.do(world.rome, *LAYS[-1])
        before = world.told()
        own = world.rome.frame(world.match)
    with serving(tmp_path, *NO_LIMITS) as server:
        for player in (world.rome, world.carthage, world.eve):
            player.server = server
        assert world.told() == before
        assert world.rome.frame(world.match) == own
        had = {"number": own["number"], "entries": own["entry"] + 1}
        with world.rome.watch(world.match, **had) as line:
            assert line.frame()["log_from"] == own["entry"]
        assert world.rome.act(world.match, own["number"], "done")["number"] == own["number"] + 1


def test_who_holds_both_seats_counts_for_both(server: Server) -> None:
    both, eve = server.player(), server.stranger()
    match = plant(server, SETUP, "metaurus", (both, both), "roman")
    number = 1
    for do in (None, "lay red move", "done", "lay green move", "done"):
        frame = both.frame(match)
        assert frame["number"] == number
        if do is None:
            do = START[int(frame["turn"] == "carthage")]
        number = both.act(match, number, do)["number"]
    assert number == 6
    assert both.match(match)["entries"] == 6
    assert eve.frame(match)["number"] == 4
    assert [entry["entry"] for entry in eve.log(match)] == [0, 1, 2, 3]
    assert [entry["entry"] for entry in both.log(match, seen_as="carthage")] == [0, 1, 2, 3, 4, 5]


# --- in this process: to the end, old rows, changed rules -------------------------------------------


class House:
    """A desk with a match between two keys, of Metaurus unless another game is said."""

    def __init__(self, folder: Path, game: str = "metaurus", scenario: str = "vanguard") -> None:
        self.game, self.scenario = game, scenario
        self.desk = Desk(Settings(database=f"sqlite:///{folder / 'db.sqlite3'}"))

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        self.desk.open()
        self.anna, self.ben = self.desk.keys.new(), self.desk.keys.new()
        try:
            return asyncio.run(work)
        finally:
            self.desk.close()

    async def open(self) -> Table:
        plans = (SeatPlan("me"), SeatPlan("friend"))
        table = await self.desk.open_match(
            NewMatch("request-1", self.game, plans, self.scenario), digest(self.anna)
        )
        assert await asyncio.to_thread(self.desk.store.sit, table.head.id, 1, digest(self.ben), "")
        return await self.again(table)

    async def again(self, table: Table) -> Table:
        """The match as a server reads it that has just begun."""
        self.desk.hall._tables.clear()
        return await self.desk.hall.table(table.head.id)

    def holder(self, seat: int) -> str:
        return digest((self.anna, self.ben)[seat])

    async def play(self, table: Table, rng: Random, most: int = 5000) -> None:
        """Go on at random, with some undoing."""
        for _ in range(most):
            turn = table.turn
            if turn is None:
                return
            holder = self.holder(turn)
            number, request = table.counting.number(table.bits_of(holder)), f"r-{rng.getrandbits(60)}-more"
            if table.can_undo(turn, table.bits_of(holder)) and rng.random() < 0.2:
                await self.desk.hall.undo(table, holder, Undo(number, request))
            else:
                do = say(rng.choice(legal(table.match.state)))
                await self.desk.hall.act(table, holder, Act(number, request, do))


async def frames_of(watcher: Watcher) -> list[Any]:
    found = []
    while text := watcher._next() or await watcher._frame():
        message = json.loads(text)
        found += [message] if message["type"] == "frame" else []
    return found


def test_when_it_is_over_everybody_counts_everything(tmp_path: Path) -> None:
    """Whoever listens is sent the log once more from its beginning, and what he had counts no longer."""
    house = House(tmp_path)

    async def work() -> None:
        table = await house.open()
        await house.desk.hall.contribute(table, 1, "late")  # a row that nobody counts before the end
        watcher = Watcher(house.desk, table, "")
        watcher.greet(Hello(key=house.ben))
        watcher.row()
        table.watchers.append(watcher)
        log: list[Any] = []
        spectator_before = 0
        while not table.over:
            spectator_before = table.counting.number(table.bits_of(""))
            await house.play(table, Random(table.number), 1)
            for one in await frames_of(watcher):
                log[one["log_from"] :] = one["log"]
                assert [entry["entry"] for entry in log] == list(range(one["entry"] + 1))
                last = one
        assert spectator_before < table.number - 5
        for holder in ("", house.holder(0), house.holder(1)):
            who, info = eyes(table, holder, "", "en"), house.desk.info(table, holder, "en")
            shown = frame(table, who)
            assert info.number == shown.number == table.number
            assert info.entries == shown.entry + 1 == len(table.match.journal)
            assert len(whole_log(table, who)) == len(table.match.journal)
        assert (last["number"], last["log_from"]) == (table.number, 0)
        whole = whole_log(table, eyes(table, house.holder(1), "", "en"))
        assert log == msgspec.json.decode(msgspec.json.encode(whole))
        late = Watcher(house.desk, table, "")  # he lost his line before the end
        late.greet(Hello(key=house.ben, number=spectator_before, entries=3))
        late.row()
        assert [one["log_from"] for one in await frames_of(late)] == [0]
        listed = await house.desk.mine(house.holder(1), "en")
        assert [one.number for one in listed] == [table.number]

    house.run(work())


def test_that_a_match_nears_its_end_is_not_told_by_secret_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its description tells how long it may still be, but not whenever the other side lays an order."""
    monkeypatch.setattr("legatus.server.live.NEAR", 0.0)
    house = House(tmp_path)

    async def work() -> None:
        table = await house.open()
        watcher, secret = Watcher(house.desk, table, ""), 0
        watcher.greet(Hello(key=house.ben))
        table.watchers.append(watcher)
        bits = table.bits_of(house.holder(1))
        while not table.over and secret < 4:  # the other side lays orders in every turn
            before = table.counting.number(bits)
            await house.play(table, Random(table.number), 1)
            if table.counting.number(bits) == before:
                assert not watcher.has_moved
                assert not watcher.has_changed
                secret += 1
            await frames_of(watcher)
        assert secret == 4

    house.run(work())


def test_who_sees_the_same_shares_a_frame(tmp_path: Path) -> None:
    """Sixty sockets of somebody who plays alone cost one frame a row."""
    house = House(tmp_path)

    async def work() -> None:
        table = await house.open()
        watchers = [Watcher(house.desk, table, "") for _ in range(5)]
        for watcher in watchers:
            watcher.greet(Hello())
            table.watchers.append(watcher)
        for _ in range(12):
            await house.play(table, Random(table.number), 1)
            heard = [await frames_of(watcher) for watcher in watchers]
            assert all(one == heard[0] for one in heard)
            assert len(table.frames) <= 1

    house.run(work())


def test_lists_say_what_spectators_count(tmp_path: Path) -> None:
    house = House(tmp_path)

    async def work() -> None:
        table, told = await house.open(), []
        first = table.turn
        assert first is not None
        await house.desk.hall.act(table, house.holder(first), Act(1, "choice-1", START[first]))
        for number, do in enumerate(("lay red move", "lay purple move"), 2):
            told.append(await house.desk.mine(house.holder(1), "en"))
            await house.desk.hall.act(table, house.holder(0), Act(number, f"request-{do[4:7]}", do))
        told.append(await house.desk.mine(house.holder(1), "en"))
        assert told[0] == told[1] == told[2]
        assert (told[0][0].number, told[0][0].entries) == (2, 2)

    house.run(work())


def test_rows_from_before_are_counted_by_all(tmp_path: Path) -> None:
    """A journal of an earlier version does not say who noticed what."""
    house = House(tmp_path)

    async def work() -> None:
        table = await house.open()
        await house.play(table, Random(1), 20)
        number = table.number
        assert table.counting.number(table.bits_of("")) < number
        with house.desk.store.engine.begin() as connection:
            connection.execute(sa.text("UPDATE journal SET noticed = NULL"))
            connection.execute(sa.text("UPDATE matches SET shown = NULL"))
        table = await house.again(table)
        for holder in ("", house.holder(0), house.holder(1)):
            info = house.desk.info(table, holder, "en")
            assert (info.number, info.entries) == (number, len(table.match.journal))
        assert (await house.desk.mine(house.holder(0), "en"))[0].number == number
        await house.play(table, Random(2), 20)
        again = await house.again(table)
        for holder in ("", house.holder(0), house.holder(1)):
            assert house.desk.info(again, holder, "en") == house.desk.info(table, holder, "en")

    house.run(work())


def test_a_match_that_is_resumed_is_counted_alike_by_all_processes(tmp_path: Path) -> None:
    """Some rows lead nowhere any more; those after the resumption are counted as before."""
    house = House(tmp_path)

    async def work() -> None:
        table = await house.open()
        await house.play(table, Random(3), 40)
        with house.desk.store.engine.begin() as connection:
            connection.execute(sa.text("UPDATE journal SET \"check\" = 'another' WHERE number = 9"))
        table = await house.again(table)
        assert any(entry.resumed for entry in table.match.journal)
        listed = (await house.desk.mine(house.holder(1), "en"))[0]
        assert listed.number == table.counting.number(table.bits_of(""))
        await house.play(table, Random(4), 30)
        again = await house.again(table)
        for holder in ("", house.holder(0), house.holder(1)):
            assert house.desk.info(again, holder, "en") == house.desk.info(table, holder, "en")
        assert again.counting.entries == table.counting.entries
        assert again.counting.number(again.bits_of("")) < again.number

    house.run(work())


def test_counting_by_bits() -> None:
    counting = Counting()
    for do, noticed in (("", None), ("a", ALL), ("b", 1), ("c", 1), ("undo", 1), ("d", ALL)):
        number = len(counting.times)
        counting.add(Row("m", number, 0, do, "[]", f"r{number}", f"t{number}", "", noticed))
    assert [counting.number(bits) for bits in (1, 2, 4, 6, 7)] == [6, 3, 3, 3, 6]
    assert [list(counting.shown(bits)) for bits in (1, 2)] == [[0, 1, 2, 3], [0, 1, 3]]
    assert [counting.moved(bits) for bits in (1, 2)] == ["t5", "t5"]
    assert counting.number(2, 4) == 2


def test_seats_that_may_act_notice_what_they_do() -> None:
    """A world in which nothing is said would still give the actor a new number: his page waits for it."""
    match = Match.new(METAURUS, SETUP, Seeded("1/0"))
    match.play(legal(match.state)[0], match.seeded("1"))
    decision = match.state.decision
    assert decision is not None
    assert who_notices(METAURUS, match.state, match.state, []) == 1 << decision.seat


# --- work that is done for a viewer: it tells nothing either ------------------------------------------


class Told(States):
    """The states of a match as they would be kept had nothing happened but what a viewer was told of."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, [])
        self.keeps_secret = True
        self.all: list[State] = []

    def append(self, state: State) -> None:
        self.all.append(state)
        super().append(state)

    def pop(self) -> State:
        state = super().pop()
        self.all.pop()
        return state

    def made(self, index: int) -> State:
        return self.all[index]

    def follow(self, table: Table, bits: int, undone: bool) -> None:
        """A row was written."""
        noticed = table.counting.quiet.get(table.number - 1, ALL)
        if not noticed & bits:
            return
        if undone:
            self.pop()
            return
        self.append(table.match.state)
        if noticed in (1, 2):
            self.hide()


@pytest.mark.parametrize(
    ("game_key", "scenario"), [("metaurus", "vanguard"), ("virtus", "bridge"), ("onus", "free-siege")]
)
def test_what_is_made_for_a_viewer_follows_from_what_he_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game_key: str, scenario: str
) -> None:
    """Otherwise the time until he is shown a moment long ago would tell what others did in secret."""
    monkeypatch.setattr(Desk, "seed_for", lambda *_: "5e" * 32)
    house = House(tmp_path, game_key, scenario)

    async def work() -> None:
        table, secret = await house.open(), 0
        viewers = {bits: Told(table.game) for bits in (4, 5, 6)}
        for told in viewers.values():
            told.append(table.match.state)
        while table.turn is not None and table.number < 260:
            entries, before = len(table.match.journal), table.match.state.decision
            await house.play(table, Random(table.number), 1)
            undone = len(table.match.journal) < entries
            if not undone and table.number - 1 in table.counting.quiet:
                after, secret = table.match.state.decision, secret + 1
                assert before is not None
                assert before.secret
                assert after is not None
                assert after.secret
            for bits, told in viewers.items():
                told.follow(table, bits, undone)
                shown = table.counting.shown(bits)
                made = [table.match.states.to_make(entry) for entry in shown]
                assert made == [told.to_make(entry) for entry in range(len(told))], (table.number, bits)
        assert secret > 10
        states = table.match.states
        again = (await house.again(table)).match.states  # as it is read from the database
        assert again == states
        assert again._numbers == states._numbers
        assert len(states._kept) < len(states) / 2

    house.run(work())


async def cost_of_looking(house: House, lays: list[str], count: dict[str, int]) -> list[Any]:
    """What is made for a spectator who looks back and says Hello again, after Rome has laid orders."""
    table = await house.open()
    for n in range(1000):  # until Rome is to lay its orders, some turns later
        decision = table.match.state.decision
        if n > 40 and decision is not None and decision.secret and decision.seat == 0:
            colours = {say(action).split()[1] for action in legal(table.match.state) if action.clicks()}
            if table.number - 1 not in table.counting.quiet and len(colours) == 3:
                break
        await house.play(table, Random(n), 1)
    spectator, rome = eyes(table, "", "spectator", "en"), house.holder(0)
    last = len(table.counting.shown(spectator.bits)) - 1
    had = Hello(number=table.counting.number(spectator.bits), entries=last + 1)

    async def says_hello() -> None:
        watcher = Watcher(house.desk, table, "")
        watcher.greet(had)
        watcher.row()
        assert len(await frames_of(watcher)) == 1

    await says_hello()
    laid = len(table.match.journal)
    for do in lays:
        number, request = table.counting.number(table.bits_of(rome)), f"request-{table.number:04d}"
        if do == "undo":
            await house.desk.hall.undo(table, rome, Undo(number, request))
            continue
        first = next(line for line in map(say, legal(table.match.state)) if line.startswith("lay "))
        await house.desk.hall.act(table, rome, Act(number, request, first))
    assert len(table.match.journal) - laid == len(lays) - 2 * lays.count("undo")
    assert len(table.counting.shown(spectator.bits)) == last + 1
    costs: list[Any] = []
    for entry in range(last, last - 30, -1):
        real = entry_of(table, spectator, entry)

        def look(seen: Table, entry: int = entry) -> Any:
            return frame(seen, spectator, entry)

        count.clear()
        await house.desk.hall.look("eve", table, look, real, spectator.bits)
        costs.append(dict(count))
    count.clear()
    await says_hello()
    return [*costs, dict(count)]


def test_looking_again_costs_the_same_after_secret_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither states that are made, nor threads, nor frames tell a spectator what Rome has laid."""
    count: dict[str, int] = {}

    def counted(what: str, work: Any) -> Any:
        def called(*args: Any, **values: Any) -> Any:
            count[what] = count.get(what, 0) + 1
            return work(*args, **values)

        return called

    monkeypatch.setattr(Desk, "seed_for", lambda *_: "5e" * 32)
    monkeypatch.setattr(States, "_after", counted("states", States._after))
    monkeypatch.setattr(Readers, "ask", counted("threads", Readers.ask))
    monkeypatch.setattr(socket, "frame", counted("frames", socket.frame))
    found = []
    for n, lays in enumerate(LAYS):
        (folder := tmp_path / str(n)).mkdir()
        house = House(folder)
        found.append(house.run(cost_of_looking(house, lays, count)))
    assert sum(one.get("states", 0) for one in found[0]) > 20
    assert all(costs == found[0] for costs in found)
    assert found[0][-1] == {}, "the same frame is not made again"
