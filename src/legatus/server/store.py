"""The database: matches, seats, journals.  What is acknowledged is on the disk.

Rows of journals are written by one thread, which commits all that wait in one transaction: hundreds of
matches share the price of a flush.  A row whose number is taken is refused, whoever took it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets as random
import threading
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Any, Literal, TypeVar

import msgspec
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from msgspec import Struct
from sqlalchemy.dialects import postgresql, sqlite

from .tables import journal, matches, seats, secrets

log = logging.getLogger("legatus.server")

T = TypeVar("T", bound=Struct)

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK = 5_107_218  # any number
BATCH = 500  # rows in a transaction at most
TROUBLE = {
    "full": "the disk is full",
    "down": "the database does not answer",
    "damaged": "the database is damaged: stop the server and restore a backup",
}
TELL_SECONDS = 60.0  # between two complaints to the log that are the same


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def is_trouble(error: BaseException) -> bool:
    """True of errors of the database itself; of damaged pages SQLite says no more than that they are."""
    return isinstance(error, sa.exc.OperationalError) or type(error) is sa.exc.DatabaseError


class StoreDown(Exception):
    """The database does not answer; nothing was written."""


class Damaged(Exception):
    """The database holds something of a match that cannot be."""


class MatchRow(Struct, frozen=True):
    id: str
    game: str
    setup: str
    luck: str
    seed: str
    replay: bool
    maker: str
    request: str
    started: str
    moved: str
    number: int
    turn: int | None
    over: bool
    winner: int | None = None
    pledge: str | None = None
    edition: int = 1
    closed: str | None = None
    shown: int | None = None  # rows that spectators noticed; None: not known, as many as there are
    fairness: str | None = None


class SeatRow(Struct, frozen=True):
    match_id: str
    seat: int
    holder: str | None = None
    bot: str = ""
    name: str = ""


class Row(Struct, frozen=True):
    """One command of a journal."""

    match_id: str
    number: int
    seat: int | None
    do: str
    dice: str
    request: str
    at: str
    check: str = ""
    noticed: int | None = None  # bits of those who noticed it (``counting``); None: everybody
    position: str | None = None


class Standing(Struct, frozen=True):
    """How a match stands after a row: for lists, and the position to go on from if the rules change."""

    turn: int | None
    over: bool
    winner: int | None = None
    position: str | None = None
    moved: str = ""  # when spectators noticed something last
    shown: int | None = None


class Stored(Struct, frozen=True):
    """All that is known of a match."""

    head: MatchRow
    seats: list[SeatRow]
    rows: list[Row]
    position: str | None  # after the last row


RESUMED = "edition "  # how a row begins that goes on from a position
UNDO = "undo"  # what a row does that takes the last action back
CONTRIBUTE = "contribute "  # how a row begins that adds to the dice
HEAD = [matches.c[name] for name in MatchRow.__struct_fields__]
ROW = [
    *(journal.c[name] for name in Row.__struct_fields__[:-1]),
    sa.case((journal.c.do.startswith(RESUMED), journal.c.position)),  # of others it is for emergencies
]


class _Job(Struct, frozen=True):
    row: Row
    standing: Standing
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[bool]


class Store:
    """One database, SQLite or PostgreSQL, by its SQLAlchemy URL."""

    def __init__(self, url: str) -> None:
        self.url = with_driver(url)
        self.is_postgres = self.url.startswith("postgresql")
        self.engine = sa.create_engine(self.url, pool_pre_ping=self.is_postgres)
        if not self.is_postgres:
            sa.event.listen(self.engine, "connect", _make_durable)
        sa.event.listen(self.engine, "handle_error", self._note_trouble)
        self.trouble: Literal["", "full", "down", "damaged"] = ""  # what is wrong with the database
        self._told = -inf  # when the log was told last
        self.plain_url = self.url.replace("+psycopg", "", 1)  # as the database itself calls it
        self._if_new = {
            table.name: self._insert(table).on_conflict_do_nothing().returning(sa.literal(1))
            for table in (matches, journal)
        }
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._writer: threading.Thread | None = None

    # --- life

    def open(self) -> None:
        """Bring the database up to date and start writing; raises sqlalchemy errors if that cannot be."""
        if not self.is_postgres:
            _make_private(self.engine.url.database or ":memory:")
        try:
            with self.engine.begin() as connection:
                self._migrate(connection)
                self._probe(connection)
        except BaseException:
            self.engine.dispose()
            raise
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._writer.start()

    def _migrate(self, connection: sa.Connection) -> None:
        """All of it or nothing; processes that start together wait for each other."""
        lock = f"SELECT pg_advisory_xact_lock({LOCK})" if self.is_postgres else "BEGIN IMMEDIATE"
        connection.exec_driver_sql(lock)
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise sa.exc.InvalidRequestError(f"it was made by a newer legatus ({error})") from None

    def close(self) -> None:
        """Write what waits, then let go."""
        if self._writer is not None:
            self._jobs.put(None)
            self._writer.join()
            self._writer = None
        self.engine.dispose()

    def ping(self) -> None:
        """See whether the database answers; after trouble, whether it can be written to again."""
        with self.engine.begin() as connection:
            connection.execute(sa.select(matches.c.id).limit(1))
            if self.trouble:
                self._probe(connection)
        self._is_well()

    def _probe(self, connection: sa.Connection) -> None:
        """Write something."""
        probe = self._insert(secrets).values(name="probe", value=now())
        connection.execute(probe.on_conflict_do_update(index_elements=["name"], set_={"value": now()}))

    def _note_trouble(self, context: sa.engine.ExceptionContext) -> None:
        """An error of the database: the log is told once, and not with every request."""
        found = context.sqlalchemy_exception
        if context.is_pre_ping or found is None or not is_trouble(found):
            return
        error = context.original_exception
        if self.trouble != "damaged":
            self.trouble = "damaged" if _is_damaged(error) else "full" if _is_full(error) else "down"
        if self._writer is not None and monotonic() - self._told > TELL_SECONDS:
            self._told = monotonic()
            log.error(TROUBLE[self.trouble], extra={"problem": str(error)})

    def _is_well(self) -> None:
        """It answers again; damage stays until the next start, since not every page is read."""
        if self.trouble and self.trouble != "damaged":
            self.trouble = ""
            log.warning("the database can be written to again")

    def secret(self, name: str) -> str:
        """A secret of this installation, made once and shared by all its processes."""
        with self.engine.begin() as connection:
            fresh = {"name": name, "value": random.token_hex(32)}
            connection.execute(self._insert(secrets).values(fresh).on_conflict_do_nothing())
            return str(connection.scalar(sa.select(secrets.c.value).where(secrets.c.name == name)))

    # --- matches

    def create(
        self, match: MatchRow, its_seats: Iterable[SeatRow], rows: Iterable[Row], position: str
    ) -> bool:
        """A match with its first rows, all or nothing; False if the maker's request made one before."""
        with self.engine.begin() as connection:
            made = self._insert_new(connection, matches, {**_plain(match), "position": position})
            if made:
                connection.execute(sa.insert(seats), [_plain(row) for row in its_seats])
                connection.execute(sa.insert(journal), [_plain(row) for row in rows])
            return made

    def made_by(self, maker: str, request: str) -> str | None:
        """The id of the match that a request made."""
        with self.engine.connect() as connection:
            found = sa.select(matches.c.id).where(matches.c.maker == maker, matches.c.request == request)
            return connection.scalar(found)

    def load(self, match_id: str) -> Stored | None:
        """A match, its seats and its journal."""
        if "\0" in match_id:  # PostgreSQL cannot be asked that
            return None
        with self.engine.connect() as connection:
            if self.is_postgres:  # all of it as it was at one moment, as SQLite reads it anyway
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            found = connection.execute(
                sa.select(*HEAD, matches.c.position).where(matches.c.id == match_id)
            ).first()
            if found is None:
                return None
            *head, position = found
            rows = self._rows(connection, match_id, 0)
            return Stored(_checked(MatchRow, head), self._seats(connection, match_id), rows, _text(position))

    def pin(self, match_id: str, edition: int) -> None:
        """From now on a match is played by this edition of the rules."""
        with self.engine.begin() as connection:
            connection.execute(sa.update(matches).where(matches.c.id == match_id).values(edition=edition))

    def close_match(self, match_id: str, closed: str) -> None:
        """Nothing can be played any more.  What closed it first stays.

        An older process may have played on since, so that lists show it as open: it is over again.
        """
        with self.engine.begin() as connection:
            connection.execute(
                sa.update(matches)
                .where(matches.c.id == match_id)
                .values(closed=sa.func.coalesce(matches.c.closed, closed), over=True, turn=None)
            )

    def ids(self) -> list[str]:
        """All matches, the oldest first."""
        with self.engine.connect() as connection:
            return list(connection.scalars(sa.select(matches.c.id).order_by(matches.c.started, matches.c.id)))

    def rows(self, match_id: str, start: int) -> list[Row]:
        """The journal from a number on."""
        with self.engine.connect() as connection:
            return self._rows(connection, match_id, start)

    def seats_of(self, match_id: str) -> list[SeatRow]:
        with self.engine.connect() as connection:
            return self._seats(connection, match_id)

    def numbers(self, ids: Iterable[str]) -> dict[str, int]:
        """How many rows each of these matches has."""
        with self.engine.connect() as connection:
            found = sa.select(matches.c.id, matches.c.number).where(matches.c.id.in_(list(ids)))
            rows = connection.execute(found)
            return {str(match_id): number for match_id, number in rows if isinstance(number, int)}

    def held_by(self, holder: str, limit: int) -> list[tuple[MatchRow, list[SeatRow]]]:
        """The matches in which a key holds a seat or which it made, the latest first."""
        mine = sa.select(seats.c.match_id).where(seats.c.holder == holder)
        with self.engine.connect() as connection:
            found = connection.execute(
                sa.select(*HEAD)
                .where(sa.or_(matches.c.id.in_(mine), matches.c.maker == holder))
                .order_by(matches.c.moved.desc())
                .limit(limit)
            )
            return [one for row in found if (one := self._listed(connection, row)) is not None]

    def _listed(self, connection: sa.Connection, row: Any) -> tuple[MatchRow, list[SeatRow]] | None:
        """A match for a list; one that is damaged is left out, and keeps no other from being listed."""
        try:
            head = _checked(MatchRow, row)
            return head, self._seats(connection, head.id)
        except Damaged:
            return None

    def waiting_for_bots(self) -> list[str]:
        """Matches in which a bot is to decide, the latest first."""
        its_turn = sa.and_(
            seats.c.match_id == matches.c.id, seats.c.seat == matches.c.turn, seats.c.bot != ""
        )
        with self.engine.connect() as connection:
            found = sa.select(matches.c.id).join(seats, its_turn)
            goes_on = sa.and_(sa.not_(matches.c.over), sa.not_(matches.c.replay), matches.c.closed.is_(None))
            return list(connection.scalars(found.where(goes_on).order_by(matches.c.moved.desc())))

    def pledge(self, match_id: str) -> str | None:
        """What ``set_pledge`` wrote last."""
        with self.engine.connect() as connection:
            return connection.scalar(sa.select(matches.c.pledge).where(matches.c.id == match_id))

    def set_pledge(self, match_id: str, pledge: str) -> None:
        with self.engine.begin() as connection:
            connection.execute(sa.update(matches).where(matches.c.id == match_id).values(pledge=pledge))

    def open_matches(self, maker: str) -> int:
        """How many matches of a maker are not over."""
        with self.engine.connect() as connection:
            wanted = sa.and_(matches.c.maker == maker, sa.not_(matches.c.over))
            return connection.scalar(sa.select(sa.func.count()).where(wanted)) or 0

    def sit(self, match_id: str, seat: int, holder: str, name: str) -> bool:
        """Take an open seat; True also if the same key has it already."""
        with self.engine.begin() as connection:
            connection.execute(
                sa.update(seats)
                .where(seats.c.match_id == match_id, seats.c.seat == seat)
                .where(seats.c.holder.is_(None), seats.c.bot == "")
                .values(holder=holder, name=name)
            )
            wanted = sa.and_(seats.c.match_id == match_id, seats.c.seat == seat)
            return connection.scalar(sa.select(seats.c.holder).where(wanted)) == holder

    @staticmethod
    def _seats(connection: sa.Connection, match_id: str) -> list[SeatRow]:
        found = sa.select(seats).where(seats.c.match_id == match_id).order_by(seats.c.seat)
        return [_checked(SeatRow, row) for row in connection.execute(found)]

    @staticmethod
    def _rows(connection: sa.Connection, match_id: str, start: int) -> list[Row]:
        found = sa.select(*ROW).where(journal.c.match_id == match_id, journal.c.number >= start)
        return [_checked(Row, row) for row in connection.execute(found.order_by(journal.c.number))]

    # --- the journal

    async def append(self, row: Row, standing: Standing) -> bool:
        """Write a row.  True when it is durable, False if its number or its request was there before."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[bool] = loop.create_future()
        self._jobs.put(_Job(row, standing, loop, answer))
        return await asyncio.shield(answer)  # once it is under way it is not to be forgotten

    def _write(self) -> None:
        """The writer's thread: wait for a job, take along what has piled up, commit once."""
        going = True
        while going:
            batch = [self._jobs.get()]
            while len(batch) < BATCH and not self._jobs.empty():
                batch.append(self._jobs.get())
            going = None not in batch
            jobs = [job for job in batch if job is not None]
            if jobs:
                self._commit(jobs)

    def _commit(self, jobs: list[_Job]) -> None:
        try:
            with self.engine.begin() as connection:
                written = [self._insert_new(connection, journal, _plain(job.row)) for job in jobs]
                latest = [_latest(job) for job, done in zip(jobs, written, strict=True) if done]
                if latest:
                    connection.execute(NOTE_LATEST, latest)
        except sa.exc.SQLAlchemyError as error:
            for job in jobs:
                _answer(job, StoreDown(str(error)))
        else:
            self._is_well()
            for job, done in zip(jobs, written, strict=True):
                _answer(job, done)

    def _insert_new(self, connection: sa.Connection, table: sa.Table, values: dict[str, Any]) -> bool:
        """Insert a row unless one with its keys is there.  (The rowcount of an INSERT may be -1.)"""
        return connection.execute(self._if_new[table.name], values).first() is not None

    def _insert(self, table: sa.Table) -> Any:
        """INSERT that can pass over conflicts: each dialect has its own."""
        return postgresql.insert(table) if self.is_postgres else sqlite.insert(table)


NOTE_LATEST = (
    sa.update(matches)
    .where(matches.c.id == sa.bindparam("match"))
    .values({name: sa.bindparam(f"new_{name}") for name in ("number", *Standing.__struct_fields__)})
)


def _latest(job: _Job) -> dict[str, Any]:
    values = {"number": job.row.number + 1, **_plain(job.standing)}
    values["moved"] = values["moved"] or job.row.at
    return {"match": job.row.match_id, **{f"new_{name}": value for name, value in values.items()}}


def _plain(struct: Struct) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def _checked(kind: type[T], row: Iterable[Any]) -> T:
    """A row as what it must be: SQLite keeps in a column whatever it is given."""
    try:
        return msgspec.convert(dict(zip(kind.__struct_fields__, row, strict=True)), kind)
    except msgspec.ValidationError as error:
        raise Damaged(str(error)) from None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _is_damaged(error: BaseException) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def _is_full(error: BaseException) -> bool:
    """Whether there is no room on the disk: SQLite by its name for it, PostgreSQL by its number."""
    name = getattr(error, "sqlite_errorname", "")
    return name in ("SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE") or (
        getattr(error, "sqlstate", "") == "53100"
    )


def with_driver(url: str) -> str:
    """A URL of PostgreSQL with the driver that we use."""
    for start in ("postgresql://", "postgres://"):
        if url.startswith(start):
            return "postgresql+psycopg://" + url.removeprefix(start)
    return url


def _make_private(path: str) -> None:
    """Make a new file readable by its owner only: it holds the seeds of running matches."""
    if path != ":memory:":
        with suppress(OSError):  # it is there already, or SQLite says what is wrong
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def text_of(stored: bytes) -> str:
    """A text of SQLite.  What is no UTF-8 is replaced: a bad text spoils one match only."""
    return stored.decode(errors="replace")


def _make_durable(connection: Any, _record: Any) -> None:
    """SQLite: readers do not wait for the writer, and a commit is on the disk when it returns."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}")
    connection.text_factory = text_of


def _answer(job: _Job, answer: bool | Exception) -> None:
    def settle() -> None:
        if job.answer.done():
            return
        if isinstance(answer, Exception):
            job.answer.set_exception(answer)
        else:
            job.answer.set_result(answer)

    if not job.loop.is_closed():
        job.loop.call_soon_threadsafe(settle)
