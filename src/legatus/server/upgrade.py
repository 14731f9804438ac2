"""A database before and after a new version: what becomes of its matches, and copies of it.

To look changes nothing, not even the form of the tables: a database of version 0.1 is read as it is.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import sqlalchemy as sa
from alembic.config import Config
from alembic.script import ScriptDirectory
from msgspec import Struct

from ..games import GAMES
from .editions import Fate, Judged, judge
from .faults import Fault
from .live import Hall
from .lock import held
from .store import MIGRATIONS, RESUMED, MatchRow, Row, Store, Stored, text_of, with_driver
from .workers import WorkerPool


class NoDatabase(Exception):
    """It cannot be read, is none of ours, or was made by a newer version."""


class Outlook(Struct, frozen=True):
    """What becomes of one match."""

    id: str
    game: str
    fate: Fate
    over: bool  # already before
    before: int  # the edition that it was played by
    edition: int  # the one of this version
    entries: int  # rows of its journal
    shown: int  # entries that can be looked at
    lost: int  # entries that can no longer be shown
    reason: str = ""  # why, if it is not the same

    @property
    def is_bad(self) -> bool:
        """Whether somebody cannot go on with his battle."""
        return not self.over and self.fate in ("closed", "lost", "newer")


# --- looking -------------------------------------------------------------------------------------


def look(url: str, lang: str) -> Iterator[Outlook]:
    """What would become of each match; nothing is touched."""
    engine = _reading(url)
    try:
        with engine.connect() as connection:
            ids = _check(connection)
            for match_id in ids:
                yield _look(connection, match_id, lang)
    except sa.exc.SQLAlchemyError as error:
        raise NoDatabase(str(getattr(error, "orig", None) or error).strip().split("\n")[0]) from None
    finally:
        engine.dispose()


def _look(connection: sa.Connection, match_id: str, lang: str) -> Outlook:
    """One match; of one that is damaged, what is wrong with it."""
    try:
        stored = _stored(connection, match_id)
        return outlook(stored, judge(stored), lang)
    except (sa.exc.SQLAlchemyError, OSError, MemoryError):
        raise
    except Exception as error:
        return Outlook(str(match_id), "?", "lost", False, 0, 0, 0, 0, 0, str(error))


def _reading(url: str) -> sa.Engine:
    """A way to the database on which nothing can be written."""
    full = with_driver(url)
    if full.startswith("postgresql"):
        return sa.create_engine(full, isolation_level="REPEATABLE READ").execution_options(
            postgresql_readonly=True
        )
    return sa.create_engine("sqlite://", creator=lambda: _open_readonly(file_of(url)), poolclass=sa.NullPool)


def file_of(url: str) -> Path:
    """The file of a SQLite database."""
    return Path(sa.make_url(url).database or "")


def _open_readonly(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, timeout=10)
    connection.text_factory = text_of
    return connection


def _check(connection: sa.Connection) -> list[str]:
    """The ids of all matches, if this is a database of ours."""
    names = sa.inspect(connection).get_table_names()
    if not {"alembic_version", "matches", "seats", "journal"} <= set(names):
        raise NoDatabase("not a database of legatus")
    revision = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision not in known:
        raise NoDatabase(f"it was made by a newer legatus ({revision})")
    return list(connection.scalars(sa.text("SELECT id FROM matches ORDER BY started, id")))


def _stored(connection: sa.Connection, match_id: str) -> Stored:
    """A match, from tables that may lack the columns that came later."""
    match = _dicts(connection, "matches", "id", match_id)[0]
    rows = sorted(_dicts(connection, "journal", "match_id", match_id), key=lambda row: int(row["number"]))
    for row in rows:
        row["position"] = row.get("position") if str(row["do"]).startswith(RESUMED) else None
    match |= {"replay": bool(match["replay"]), "over": bool(match["over"])}
    position = match.pop("position", None)
    head = msgspec.convert(match, MatchRow)
    return Stored(head, [], [msgspec.convert(row, Row) for row in rows], position)


def _dicts(connection: sa.Connection, table: str, column: str, value: str) -> list[dict[str, Any]]:
    found = sa.select(sa.text("*")).select_from(sa.table(table)).where(sa.column(column) == value)
    return [dict(row) for row in connection.execute(found).mappings()]


def outlook(stored: Stored, judged: Judged, lang: str) -> Outlook:
    head, match, found = stored.head, judged.match, judged.match.difference if judged.match else None
    game, reason = GAMES.get(head.game), ""
    if game is not None and found is not None:
        reason = game.folder.messages[lang].fill(found.reason)
    return Outlook(
        id=head.id,
        game=head.game,
        fate=judged.fate,
        over=head.over or head.replay,
        before=judged.before,
        edition=game.edition if game is not None else 0,
        entries=len(stored.rows),
        shown=len(match.journal) if match else 0,
        lost=found.lost if found else 0,
        reason=reason,
    )


# --- doing ---------------------------------------------------------------------------------------


def upgrade(url: str) -> None:
    """Bring a database up to date and settle every match, as the server does when it loads one."""
    logging.getLogger("legatus.server").addHandler(logging.NullHandler())  # ``look`` has told it
    with held(url):
        store = Store(url)
        store.open()
        try:
            asyncio.run(_settle_all(store))
        finally:
            store.close()


async def _settle_all(store: Store) -> None:
    hall = Hall(store, WorkerPool(1), 1, lambda table: None)
    for match_id in await asyncio.to_thread(store.ids):
        try:
            await hall.read(match_id)
        except Fault as fault:
            if fault.code not in ("newer", "unreadable"):
                raise


# --- copies --------------------------------------------------------------------------------------


def copy_sqlite(source: Path, target: Path, is_to_be_served: bool = False) -> int:
    """Copy a SQLite database, while it is being written to, into a new file; how many matches it has.

    The copy is checked, and appears under its name when it is whole.  One that is to be served makes other
    seeds for new matches: those that its requests led to may have been shown since.
    """
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    try:
        with closing(_open_readonly(source)) as old, closing(sqlite3.connect(name)) as new:
            old.backup(new)  # SQLite's online backup, in one go: writers need not wait
            new.execute("PRAGMA journal_mode=DELETE")  # one file, without companions
            count = check_sqlite(new)
            has_secrets = new.execute("SELECT 1 FROM sqlite_master WHERE name = 'secrets'").fetchone()
            if is_to_be_served and has_secrets:  # an old database has none
                new.execute("DELETE FROM secrets WHERE name = 'seeds'")
                new.commit()
        with open(name, "rb+") as file:
            os.fsync(file.fileno())
        _rename(Path(name), target)  # fails if there is such a file by now
    except sqlite3.DatabaseError as error:
        os.unlink(name)
        raise NoDatabase(str(error)) from None
    except BaseException:
        os.unlink(name)
        raise
    return count


def check_sqlite(connection: sqlite3.Connection) -> int:
    """How many matches a database has that is sound and ours; raises NoDatabase."""
    for pragma, sound in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
        found = connection.execute(f"PRAGMA {pragma}").fetchall()
        if found != sound:
            raise NoDatabase(f"{pragma}: {found[0]}")
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"alembic_version", "matches", "seats", "journal"} <= names:
        raise NoDatabase("not a database of legatus")
    (count,) = connection.execute("SELECT count(*) FROM matches").fetchone()
    return int(count)


def parts_of(path: Path) -> list[Path]:
    """The files of a database that are there: SQLite would read a log that lies beside it as its own."""
    names = [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))]
    return [name for name in names if name.exists()]


def set_aside(path: Path, other: Path) -> None:
    """Give a database that nobody uses another name; raises NoDatabase if a server has it open."""
    if path.exists():
        _let_go(path)
    for part in parts_of(path):
        _rename(part, other.with_name(other.name + part.name.removeprefix(path.name)))


def _let_go(path: Path) -> None:
    """Bring what is in the log of a database into it, if nobody else has it open."""
    try:
        with closing(sqlite3.connect(path, timeout=1)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")  # refused while others have it open
    except sqlite3.OperationalError as error:
        raise NoDatabase(str(error)) from None
    except sqlite3.DatabaseError:
        pass  # it is damaged: why there are backups


def _rename(old: Path, new: Path) -> None:
    """Never over another file."""
    try:
        os.link(old, new)
    except FileExistsError:
        raise
    except OSError:  # there are file systems without links
        if new.exists():
            raise
        os.rename(old, new)
    else:
        os.unlink(old)


def make_alike(path: Path, model: Path) -> None:
    """Let who could open the one open the other."""
    like = model.stat()
    path.chmod(like.st_mode & 0o777)
    with suppress(PermissionError):
        os.chown(path, like.st_uid, like.st_gid)
