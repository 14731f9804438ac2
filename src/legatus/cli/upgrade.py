"""``legatus upgrade``, ``backup`` and ``restore``: for whoever runs a server."""

from __future__ import annotations

import os
from datetime import datetime
from errno import EISDIR
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from .common import BAD, REFUSED, Fault, JsonOption, LangOption, print_json, screen, speak
from .serve import shown, url_of
from .words import Words

DatabaseArgument = Annotated[str, typer.Argument(metavar="DATABASE", help="database_here")]


def upgrade(
    database: DatabaseArgument,
    check: Annotated[bool, typer.Option("--check", help="upgrade_check")] = False,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what the rules of this version make of each match of a database, and carry it out."""
    words = speak(lang)
    import sqlalchemy as sa

    from ..server.lock import Served
    from ..server.store import StoreDown
    from ..server.upgrade import NoDatabase, look
    from ..server.upgrade import upgrade as carry_out

    url = url_of(database)
    try:
        found = list(look(url, words.lang))
        if not check:
            carry_out(url)
    except Served:
        raise Fault(words("serve_served", database=shown(url))) from None
    except (NoDatabase, StoreDown, sa.exc.SQLAlchemyError, ImportError, OSError) as error:
        problem = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
        raise Fault(words("database_bad", database=shown(url), problem=problem)) from None
    if as_json:
        print_json({"checked": check, "matches": [msgspec.to_builtins(one) for one in found]})
    else:
        _tell(found, check, words)
    if check and any(one.is_bad for one in found):
        raise typer.Exit(REFUSED)


def _tell(found: list, check: bool, words: Words) -> None:  # type: ignore[type-arg]
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for one in found:
        values = {name: getattr(one, name) for name in ("before", "edition", "entries", "shown", "lost")}
        if one.fate in ("same", "unverified"):
            key = f"upgrade_{one.fate}_over" if one.over else f"upgrade_{one.fate}"
        else:
            key = f"upgrade_{one.fate}"
        said = Text(words(key, last=one.shown - 1, **values), style="yellow" if one.is_bad else "")
        table.add_row(one.id, one.game, said + Text(f" ({one.reason})" if one.reason else "", style="dim"))
    screen().print(table)
    bad = sum(one.is_bad for one in found)
    print(words("upgrade_sum" if check else "upgrade_done", n=len(found), bad=bad))


# --- copies --------------------------------------------------------------------------------------


def backup(
    database: DatabaseArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="backup_file")],
    lang: LangOption = None,
) -> None:
    """Copy a database into a file, also while it is being served."""
    words = speak(lang)
    source = _sqlite_file(database, words)
    _is_free(file, words)
    print(words("backed_up", database=source, file=file, n=_copy(source, file, words)))


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="backup_file")],
    database: DatabaseArgument,
    replace: Annotated[bool, typer.Option("--replace", help="replace")] = False,
    lang: LangOption = None,
) -> None:
    """Bring a backup back, after it was checked; an old database is set aside, never overwritten."""
    words = speak(lang)
    target = _sqlite_file(database, words)
    aside = target.with_name(f"{target.name}.{datetime.now():%Y%m%d-%H%M%S}")
    from ..server.upgrade import NoDatabase, make_alike, parts_of, set_aside

    there = parts_of(target)
    if there and not replace:
        raise Fault(words("restore_exists", database=there[0], aside=aside.name))
    fresh = target.with_name(f".{target.name}.restored")
    fresh.unlink(missing_ok=True)
    n = _copy(file, fresh, words, is_to_be_served=True)
    try:
        if there:
            set_aside(target, aside)
            if aside.exists():
                make_alike(fresh, aside)
            print(words("set_aside", file=aside))
        fresh.rename(target)
    except (NoDatabase, OSError) as error:
        fresh.unlink(missing_ok=True)
        raise Fault(words("restore_used", database=target, problem=str(error))) from None
    print(words("restored", database=target, file=file, n=n))


def _sqlite_file(database: str, words: Words) -> Path:
    url = url_of(database)
    if not url.startswith("sqlite:"):
        raise Fault(words("backup_postgres", database=shown(url)), BAD)
    from ..server.upgrade import file_of

    file = file_of(url)
    if file.is_dir():
        raise Fault(words("database_bad", database=shown(url), problem=os.strerror(EISDIR)))
    return file


def _is_free(file: Path, words: Words) -> None:
    from ..server.upgrade import parts_of

    for part in parts_of(file):
        raise Fault(words("file_exists", file=part))


def _copy(source: Path, target: Path, words: Words, is_to_be_served: bool = False) -> int:
    """A checked copy under a new name; how many matches it has."""
    import sqlite3

    from ..server.upgrade import NoDatabase, copy_sqlite

    try:
        return copy_sqlite(source, target, is_to_be_served)
    except (NoDatabase, sqlite3.Error, OSError) as error:
        raise Fault(words("database_bad", database=source, problem=str(error))) from None
