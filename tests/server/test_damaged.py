"""Matches of which the database holds something odd: never a 500, never a row for each time they are read."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.json import encode

from legatus.games import GAMES
from legatus.kernel import BadFile, Match, Seeded, legal
from legatus.kernel.records import parse_record, record_text
from legatus.server.desk import Desk
from legatus.server.editions import standing_of
from legatus.server.faults import Fault
from legatus.server.honesty import notes
from legatus.server.jobs import cut, rows_of
from legatus.server.live import Hall, Table
from legatus.server.settings import Settings
from legatus.server.store import MatchRow, Row, SeatRow, Store, Stored, now
from legatus.server.upgrade import look
from legatus.server.wire import NewReplay
from legatus.server.workers import WorkerPool

WRONG = """UPDATE journal SET "check" = 'zzz' WHERE number = 30"""
NO_CHECKS = """UPDATE journal SET "check" = ''"""


class House:
    """A database with one match of Metaurus in it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "legatus.sqlite3"
        self.url = f"sqlite:///{self.file}"
        self.store = Store(self.url)
        self.store.open()
        game, rng = GAMES["metaurus"], Random(1)
        self.match = Match.new(game, game.configure_known(game.default_scenario, (), {}), Seeded("x"))
        for n in range(60):
            self.match.play(rng.choice(legal(self.match.state)), Seeded(f"x{n}"))
        self.add("one", self.match)

    def add(self, ident: str, match: Match, replay: bool = False) -> None:
        at, standing = now(), standing_of(match.state)
        head = MatchRow(
            id=ident,
            game=match.game.key,
            setup=encode(match.setup).decode(),
            luck="server",
            seed="seed",
            replay=replay,
            maker="anna",
            request=ident,
            started=at,
            moved=at,
            number=len(match.journal),
            turn=None if replay else standing.turn,
            over=replay or standing.over,
            winner=standing.winner,
            edition=match.game.edition,
        )
        rows, position = rows_of(match, ident, at)
        self.store.create(head, [SeatRow(ident, n, "anna") for n in range(2)], rows, position)

    def change(self, *statements: str) -> None:
        with sqlite3.connect(self.file) as connection:
            for statement in statements:
                connection.execute(statement)
        connection.close()

    def fate(self) -> str:
        """What ``upgrade --check`` says of it."""
        (found,) = (one for one in look(self.url, "en") if one.id == "one")
        return found.fate

    def table(self, ident: str = "one") -> Table:
        async def settled() -> Any:
            return await Hall(self.store, WorkerPool(1), 1, lambda table: None).settled(ident)

        async def laid(found: Any) -> Table:
            return Table(*found)

        return asyncio.run(laid(asyncio.run(settled())))

    def rows(self) -> list[Row]:
        stored = self.store.load("one")
        assert isinstance(stored, Stored)
        return stored.rows


@pytest.fixture
def house(tmp_path: Path) -> Any:
    house = House(tmp_path)
    yield house
    house.store.close()


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ("UPDATE matches SET setup = json_set(setup, '$.options.nonsense', '1')", 0),
        ("UPDATE matches SET setup = '{'", 0),
        ("UPDATE journal SET dice = '[1,' WHERE number = 10", 10),
        ("UPDATE journal SET seat = 7 WHERE number = 10", 10),
        ("UPDATE journal SET do = 'edition x' WHERE number = 10", 10),
        ("DELETE FROM journal WHERE number = 10", 10),
        ("DELETE FROM journal WHERE number = 0", 0),
        (WRONG, 30),
    ],
)
def test_it_is_resumed_once(house: House, statement: str, shown: int) -> None:
    house.change(statement)
    before = len(house.rows())
    assert house.fate() == "resumed"
    for _ in range(2):
        table = house.table()
        assert len(house.rows()) == before + 1
        assert len(table.match.journal) == shown + 1
        assert table.match.state == house.match.state
        assert not table.over


@pytest.mark.parametrize("position", ["{oops", "[1]", '{"a": 1e999}'])
def test_a_position_that_is_none(house: House, position: str) -> None:
    """It is only for emergencies: without one nothing is amiss, and with one the match is closed."""
    house.change(f"UPDATE matches SET position = '{position}'")
    assert house.fate() == "same"
    assert not house.table().over
    house.change(WRONG)
    assert house.fate() == "closed"
    assert house.table().over


def test_no_rows(house: House) -> None:
    house.change("DELETE FROM journal")
    assert house.fate() == "lost"
    with pytest.raises(Fault) as found:
        house.table()
    assert found.value.code == "unreadable"


def test_a_game_of_a_later_version(house: House) -> None:
    house.change("UPDATE matches SET game = 'chess'")
    assert house.fate() == "newer"
    with pytest.raises(Fault) as found:
        house.table()
    assert found.value.code == "newer"
    desk = Desk(Settings(database=house.url))
    desk.open()
    assert asyncio.run(desk.mine("anna", "en")) == ()
    desk.close()


@pytest.mark.parametrize(
    ("stands", "fate"),
    [
        ("turn = turn", "unverified"),
        ("turn = NULL, over = 1, winner = 0", "shown"),
        ("turn = NULL, over = 1, winner = 0, replay = 1", "shown"),
        ("turn = 1 - turn", "closed"),
    ],
)
def test_version_0_1_kept_who_was_to_decide(house: House, stands: str, fate: str) -> None:
    """A match that was won is not open again, and none goes on with somebody else to decide."""
    house.change(NO_CHECKS, f"UPDATE matches SET edition = 1, position = NULL, {stands}")
    assert house.fate() == fate
    for _ in range(2):
        table = house.table()
        assert table.fate == fate
        assert table.over == (fate != "unverified")
        assert len(table.match.journal) == len(house.match.journal) - (fate != "unverified")
        assert (table.closed is None) == (fate == "unverified")
    assert house.fate() == fate


def test_a_replay_of_a_match_that_was_resumed_tells_what_is_lost(house: House) -> None:
    house.change(WRONG)
    text = record_text(house.table().match)
    house.add("two", parse_record(GAMES, text), replay=True)
    table = house.table("two")
    assert [entry.resumed.lost for entry in table.match.journal if entry.resumed] == [31]
    assert record_text(table.match) == text


def test_what_closed_it_cannot_be_read(house: House) -> None:
    house.change("UPDATE matches SET closed = '{oops', over = 1, turn = NULL")
    desk = Desk(Settings(database=house.url))
    desk.open()
    (info,) = asyncio.run(desk.mine("anna", "en"))
    assert info.over
    desk.close()
    table = house.table()
    assert (table.over, table.closed) == (True, None)


def test_an_older_process_played_on_after_it_was_closed(house: House) -> None:
    """Then lists show it as open: it is over again as soon as it is read."""
    house.change(WRONG, "UPDATE matches SET position = '{}'")
    first = house.table().closed
    house.change("UPDATE matches SET over = 0, turn = 1")
    table = house.table()
    assert table.over
    assert table.closed == first
    assert house.store.open_matches("anna") == 0


def test_a_record_whose_set_up_is_not_possible_any_more(house: House) -> None:
    """It was resumed at its first entry: nothing is set up."""
    house.change("UPDATE matches SET setup = json_remove(setup, '$.scenario.name')")
    match = house.table().match
    assert [entry.resumed.lost for entry in match.journal if entry.resumed] == [61]
    text = record_text(match)
    again = parse_record(GAMES, text)
    assert again.state == house.match.state
    assert record_text(again) == text
    house.add("two", again, replay=True)
    assert house.table("two").match.state == house.match.state
    head, first = text.split("\n")[:2]
    begun = {name: value for name, value in json.loads(first).items() if name != "resumed"}
    with pytest.raises(BadFile, match="name"):
        parse_record(GAMES, f"{head}\n{json.dumps(begun)}\n")


def test_a_record_tells_that_more_was_played_than_it_has(house: House) -> None:
    house.change(WRONG, "UPDATE matches SET position = '{}', winner = 1")
    table = house.table()
    text = record_text(table.match, **notes(table))
    assert cut(text, table.match) == table.closed
    for old, new in (
        ('"entries": 30', '"entries": 29'),
        ('"lost": 31', '"lost": 0'),
        ('"before": 2', '"before": 3'),
        ('"before": 2', '"before": "x"'),
        ('"cut": {', '"cut": [{'),
    ):
        assert old in text
        assert cut(text.replace(old, new, 1), table.match) is None

    async def opened() -> Any:
        desk = Desk(Settings(database=house.url))
        desk.open()
        try:
            table = await desk.open_replay(NewReplay("request-1", text), "bert")
            return desk.info(table, "bert", "en")
        finally:
            desk.close()

    info = asyncio.run(opened())
    assert info.entries == 30
    assert "It is shown up to entry 29; 31 more cannot be shown." in info.notice
