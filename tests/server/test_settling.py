"""Processes that share a database settle a match together: one row is written, and all read the same."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from legatus.kernel import NeedLuck, Scripted, apply, legal, say
from legatus.server.desk import Desk
from legatus.server.faults import Fault
from legatus.server.live import Table, standing_of
from legatus.server.settings import Settings
from legatus.server.store import Row, now
from legatus.server.upgrade import look
from legatus.server.wire import Act, NewMatch, SeatPlan

from .processes import new_database


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return new_database() if request.param == "postgresql" else f"sqlite:///{tmp_path / 'db.sqlite3'}"


class House:
    """Two processes, but for the processes."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.desks = [Desk(Settings(database=url)) for _ in range(2)]
        for desk in self.desks:
            desk.open()
            desk.notes = None

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        try:
            return asyncio.run(work)
        finally:
            for desk in self.desks:
                desk.close()

    async def open(self, moves: int = 60) -> Table:
        """A match of Virtus, played on for a while."""
        desk, me = self.desks[0], SeatPlan("me")
        wish = NewMatch("request-1", "virtus", (me, me), "open-small")
        table, rng = await desk.open_match(wish, "anna"), Random(3)
        for n in range(moves):
            do = say(rng.choice(legal(table.match.state)))
            await desk.hall.act(table, "anna", Act(table.number, f"move-{n:04d}", do))
        return table

    def change(self, statement: str, **values: Any) -> None:
        with self.desks[0].store.engine.begin() as connection:
            connection.execute(sa.text(statement), values)

    def forget(self) -> None:
        for desk in self.desks:
            desk.hall._tables.clear()

    def fates(self) -> list[str]:
        return [one.fate for one in look(self.url, "en")]


def test_only_one_of_two_processes_resumes_a_match(url: str) -> None:
    house = House(url)

    async def work() -> None:
        table = await house.open()
        ident, number = table.head.id, table.number
        house.change("UPDATE journal SET \"check\" = 'another' WHERE number = 7")
        house.forget()
        assert house.fates() == ["resumed"]
        one, other = await asyncio.gather(*(desk.hall.table(ident) for desk in house.desks))
        assert one.number == other.number == number + 1
        assert [len(t.match.journal) for t in (one, other)] == [8, 8]
        assert one.match.state == other.match.state == table.match.state
        rows = house.desks[0].store.rows(ident, number)
        assert [(row.do, row.seat) for row in rows] == [("edition 2", None)]
        assert house.fates() == ["same"]
        do = say(legal(one.match.state)[0])
        await house.desks[0].hall.act(one, "anna", Act(one.number, "after-0001", do))
        await house.desks[1].hall.catch_up(other)
        assert other.match.states == one.match.states

    house.run(work())


def test_both_find_it_closed(url: str) -> None:
    house = House(url)

    async def work() -> None:
        ident = (await house.open()).head.id
        house.change("UPDATE journal SET \"check\" = 'another' WHERE number = 7")
        house.change("UPDATE matches SET position = '{}'")
        house.forget()
        assert house.fates() == ["closed"]
        tables = await asyncio.gather(*(desk.hall.table(ident) for desk in house.desks))
        for table in tables:
            assert table.over
            assert table.turn is None
            assert table.closed is not None
            assert (table.closed.entries, table.closed.lost) == (7, 54)
        assert house.desks[0].store.open_matches("anna") == 0

    house.run(work())


def _without_dice(table: Table) -> str:
    """Something that can be done now and needs no luck."""
    for action in legal(table.match.state):
        with suppress(NeedLuck):
            apply(table.match.state, action, Scripted())
            return say(action)
    raise AssertionError("everything needs luck")


def test_a_row_of_an_older_process_is_followed_or_settled(url: str) -> None:
    """It writes no fingerprints and leaves the position as it was."""
    house = House(url)

    async def work() -> None:
        table = await house.open(12)  # both sides are being set up
        ident, store = table.head.id, house.desks[1].store
        other = await house.desks[1].hall.table(ident)
        for do in (_without_dice(table), "march away"):
            with store.engine.begin() as connection:
                row = Row(ident, other.number, table.turn, do, "[]", f"older-{other.number}", now())
                plain = {name: getattr(row, name) for name in row.__struct_fields__[:7]}
                connection.execute(sa.insert(sa.table("journal", *map(sa.column, plain))).values(plain))
            await house.desks[1].hall.catch_up(other)
            assert other.number == row.number + 1
        assert (
            other.over
        )  # the second one is nothing that could be done, and there is no position to go on from
        assert other.closed is not None
        assert other.closed.lost == 1

    house.run(work())


def test_a_match_that_a_newer_process_took_over_is_let_go(url: str) -> None:
    """Nothing is written to it here, and the computer does not think about it over and over."""
    house = House(url)

    async def work() -> None:
        desk, me = house.desks[0], SeatPlan("me")
        wish = NewMatch("request-1", "virtus", (me, SeatPlan("bot", "random")), "open-small")
        table = await desk.open_match(wish, "anna")
        if table.thinking is not None:
            await table.thinking
        told, watcher = [], Mock()
        watcher.complain = told.append
        table.watchers.append(watcher)
        assert table.turn is not None
        row = Row(table.head.id, table.number, None, "edition 2", "[]", "newer", now(), "x", position="{}")
        assert await house.desks[1].store.append(row, standing_of(table.match.state))
        house.change("UPDATE matches SET edition = 3")
        number = table.number
        with pytest.raises(Fault) as found:
            await desk.hall.act(table, "anna", Act(number, "act-0001", say(legal(table.match.state)[0])))
        assert found.value.code == "newer"
        assert [fault.code for fault in told] == ["newer"]
        assert desk.hall.find(table.head.id) is None
        table.seats = [replace(seat, bot="random") for seat in table.seats]
        desk.hall.wake(table)
        assert table.thinking is not None
        await asyncio.wait_for(table.thinking, 60)
        await desk.sweep()
        assert table.number == number
        assert [r.request for r in desk.store.rows(table.head.id, number)] == ["newer"]

    house.run(work())
