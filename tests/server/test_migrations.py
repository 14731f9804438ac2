"""A database is brought up to date, left alone if it is, and refused in one line if it cannot be used."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext

from legatus.cli.common import Fault, speak
from legatus.cli.serve import _open as prepare
from legatus.cli.serve import url_of as _url
from legatus.server.store import MIGRATIONS, Store
from legatus.server.tables import meta

from .processes import new_database, run


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return new_database() if request.param == "postgresql" else f"sqlite:///{tmp_path / 'db.sqlite3'}"


@contextmanager
def connected(url: str) -> Iterator[sa.Connection]:
    store = Store(url)
    with store.engine.connect() as connection:
        yield connection
    store.engine.dispose()


def bring_up(url: str) -> None:
    store = Store(url)
    store.open()
    store.close()


def shape(url: str) -> dict[str, object]:
    """Tables, columns, keys and indexes as the database has them."""
    with connected(url) as connection:
        found = sa.inspect(connection)
        return {
            name: (
                [(c["name"], str(c["type"]), c["nullable"]) for c in found.get_columns(name)],
                found.get_pk_constraint(name)["constrained_columns"],
                found.get_unique_constraints(name),
                found.get_indexes(name),
                found.get_foreign_keys(name),
            )
            for name in sorted(found.get_table_names())
        }


def alembic(url: str, job: str, to: str) -> None:
    with connected(url) as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        getattr(command, job)(config, to)
        connection.commit()


def test_migrations_lead_to_the_tables_that_the_code_has(url: str) -> None:
    bring_up(url)
    with connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, meta) == []


def test_migrations_can_be_taken_back(url: str) -> None:
    bring_up(url)
    before = shape(url)
    alembic(url, "downgrade", "base")
    assert set(shape(url)) == {"alembic_version"}
    alembic(url, "upgrade", "head")
    assert shape(url) == before


def test_opening_again_changes_nothing(url: str) -> None:
    store = Store(url)
    store.open()
    secret = store.secret("keys")
    store.close()
    before = shape(url)
    store = Store(url)
    store.open()
    assert store.secret("keys") == secret
    store.close()
    assert shape(url) == before


def refused(database: str) -> str:
    """What ``legatus serve`` has against a database before it serves: one line."""
    with pytest.raises(Fault) as caught, prepare(_url(database), speak("en")):
        pass
    said = str(caught.value)
    assert len(said.splitlines()) == 1
    return said


def test_the_command_says_it_in_one_line(tmp_path: Path) -> None:
    done = run("serve", "--no-browser", "--port", "0", "--database", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith(f"legatus: --database sqlite:///{tmp_path}: ")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_a_newer_database_is_refused(url: str) -> None:
    bring_up(url)
    with connected(url) as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
        connection.commit()
    assert "made by a newer legatus" in refused(url)


def test_files_that_are_no_databases(tmp_path: Path) -> None:
    text = tmp_path / "text.sqlite3"
    text.write_text("This is a diary, not a database.\n" * 50)
    assert "not a database" in refused(str(text))
    assert text.read_text().startswith("This is a diary")
    assert "unable to open" in refused(str(tmp_path))
    assert "unable to open" in refused(str(tmp_path / "nowhere" / "db.sqlite3"))


def test_a_database_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE matches (brand TEXT)")
    connection.close()
    assert "matches" in refused(str(path))
    assert set(shape(f"sqlite:///{path}")) == {"matches"}  # nothing is half done


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read and write all files"
)
def test_files_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "db.sqlite3"
    bring_up(f"sqlite:///{path}")
    path.chmod(0)
    assert "unable to open" in refused(str(path))
    path.chmod(0o444)
    assert "readonly" in refused(str(path))


def test_databases_that_cannot_be_reached(tmp_path: Path) -> None:
    said = refused("postgresql://me:hunter2@127.0.0.1:9/legatus")
    assert "127.0.0.1" in said
    assert "hunter2" not in said
    assert str(tmp_path) in refused(f"postgresql://me:hunter2@/legatus?host={tmp_path}")
    assert "oracle" in refused("oracle://somewhere/legatus")
    refused("postgresql://")
    refused("://")


@pytest.mark.skipif(os.name == "nt", reason="there are no such modes")
def test_a_new_file_can_be_read_by_its_owner_only(tmp_path: Path) -> None:
    """Seeds of matches that go on are in it."""
    store = Store(f"sqlite:///{tmp_path / 'new.sqlite3'}")
    store.open()
    try:
        store.secret("keys")
        modes = {file.name: file.stat().st_mode & 0o077 for file in tmp_path.iterdir()}
    finally:
        store.close()
    assert "new.sqlite3" in modes
    assert set(modes.values()) == {0}
    old = tmp_path / "old.sqlite3"
    old.touch(mode=0o640)
    again = Store(f"sqlite:///{old}")
    again.open()
    again.close()
    assert old.stat().st_mode & 0o777 == 0o640, "what is there keeps its mode"
