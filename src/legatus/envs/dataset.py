"""Games between bots as a Parquet file, one row a decision: what to learn from.

The games are those of ``legatus.lab.simulate`` with the same seed.  They are written in parts, beside the
file; the file itself appears when it is whole, and whoever was interrupted goes on where the parts end.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from ..bots import bot_name
from ..kernel import Action, Complaint, Decision, Game, Message, Messages, Seeded, Setup, engine, legal, say
from ..lab.pool import Progress, spread
from ..lab.simulate import MAX_DECISIONS, Task
from .encoding import Layout, Vector

VERSION = 1  # of the columns
BATCH = 100  # games a part
HEAD = b"legatus"  # the entry of the file's metadata that tells what is in it

SENTENCES = {
    "en": {
        "dataset.exists": "{file} exists: choose another file",
        "dataset.other": "{folder} holds parts of another dataset: remove it, or choose another file",
        "dataset.damaged": "{file} is not a part of a dataset: remove it, and its games are played again",
    },
    "fr": {
        "dataset.exists": "{file} existe : choisissez un autre fichier",
        "dataset.other": "{folder} contient les parts d'un autre jeu de données : supprimez-le, "
        "ou choisissez un autre fichier",
        "dataset.damaged": "{file} n'est pas une part d'un jeu de données : supprimez-le, "
        "et ses parties seront rejouées",
    },
}
TABLES = {lang: Messages(lang, sentences) for lang, sentences in SENTENCES.items()}


class BadTarget(Complaint):
    """The file cannot be written there."""

    def __init__(self, key: str, **values: str) -> None:
        super().__init__(Message(key, {**values}), TABLES)


class Written(Struct, frozen=True):
    """What a run has written."""

    file: str
    games: int
    decisions: int
    seed: str
    interrupted: bool = False  # the file is not there yet: the same call goes on


def write(
    game: Game,
    setup: Setup,
    bots: Sequence[str],
    file: Path,
    games: int = 100,
    seed: int | str | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    *,
    swap: bool = False,
    max_decisions: int = MAX_DECISIONS,
    batch: int = BATCH,
) -> Written:
    """Let bots play, and write every decision of theirs into ``file``.

    Parts of an interrupted run are gone on with if they are of the same dataset; without a ``seed``, of any.
    """
    if file.exists():
        raise BadTarget("dataset.exists", file=str(file))
    parts = Parts(file)
    names = tuple(bot_name(bot) for bot in bots)
    chosen = str(seed) if seed is not None else parts.seed or str(Random().randrange(2**31))
    task = Writer(game, msgspec.json.encode(setup), names, chosen, swap, max_decisions)
    parts.begin(task.head)
    while parts.games < games:
        task.first = parts.games
        count = min(batch, games - task.first)
        told = _from(task.first, games, progress)
        results, interrupted = spread(task, count, jobs, told)
        whole = [table for n, (number, table) in enumerate(results) if number == task.first + n]
        parts.add(task.schema, whole)
        if interrupted:
            return Written(str(file), parts.games, parts.rows, chosen, True)
    rows = parts.join(task.schema, games)
    return Written(str(file), games, rows, chosen)


def _from(first: int, games: int, progress: Progress | None) -> Progress | None:
    return None if progress is None else lambda done, _: progress(first + done, games)


# --- one game ------------------------------------------------------------------------------------


class Writer(Task):
    """One game of a simulation as a table; it travels to every process once for each part."""

    first = 0  # the number of the part's first game

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.game, self.setup)

    @cached_property
    def head(self) -> bytes:
        """What tells datasets apart, and what a reader wants to know."""
        layout = self.layout
        told = {
            "version": VERSION,
            "game": self.game.key,
            "setup": msgspec.to_builtins(self.setup),
            "bots": self.bots,
            "seed": self.seed,
            "swap": self.swap,
            "max_decisions": self.max_decisions,
            "sections": [section._asdict() for section in layout.sections],
            "tables": layout.tables,
        }
        return msgspec.json.encode(told)

    @cached_property
    def schema(self) -> Any:
        """The columns; see ``docs/guides/train-an-agent.md``."""
        name = pa.dictionary(pa.int16(), pa.string())
        fields = [
            ("game", pa.int32()),
            ("decision", pa.int32()),
            ("seat", name),
            ("bot", name),
            ("asked", name),
            ("legal", pa.list_(pa.string())),
            ("choice", pa.int32()),
            ("action", pa.string()),
            ("observation", pa.list_(pa.float32(), self.layout.width)),
            ("rows", pa.list_(pa.float32())),
            ("result", pa.int8()),
            ("clause", name),
            ("length", pa.int32()),
        ]
        return pa.schema(fields, metadata={HEAD: self.head})

    def __getstate__(self) -> dict[str, Any]:
        kept = ("game", "raw_setup", "bots", "seed", "swap", "max_decisions", "first")
        return {name: getattr(self, name) for name in kept}

    def __call__(self, number: int) -> Any:
        """The game's number and its rows, as bytes that are small enough to be kept."""
        return super().__call__(self.first + number)

    def _play(self, number: int, name: str) -> Any:
        dice, rng = Seeded(f"{name}/dice"), Random(f"{name}/bots")
        state: Any = engine.start(self.game, self.setup, dice).state
        watch = Watch(self.layout, self._chooser(number))
        made = engine.playout(state, dice, rng, watch, self.max_decisions)
        outcome = state.outcome
        winner = outcome.winner if outcome else None
        bots = [self.bots[self.bot_at(number, seat)] for seat in watch.seats]
        columns = {
            "game": [number] * made,
            "decision": range(made),
            "seat": [self.game.seats[seat] for seat in watch.seats],
            "bot": bots,
            "asked": watch.asked,
            "legal": watch.legal,
            "choice": watch.choices,
            "action": [lines[choice] for lines, choice in zip(watch.legal, watch.choices, strict=True)],
            "observation": self._observations(watch.seen),
            "rows": watch.rows,
            "result": [0 if winner is None else 1 if seat == winner else -1 for seat in watch.seats],
            "clause": [outcome.clause if outcome else None] * made,
            "length": [made] * made,
        }
        plain = pa.schema([_plain(field) for field in self.schema])
        return number, _packed(pa.table(columns, schema=plain).cast(self.schema))

    def _observations(self, seen: list[Vector]) -> Any:
        numbers = np.concatenate(seen) if seen else np.zeros(0, np.float32)
        return pa.FixedSizeListArray.from_arrays(pa.array(numbers), self.layout.width)


def _plain(field: Any) -> Any:
    return field.with_type(pa.string()) if pa.types.is_dictionary(field.type) else field


class Watch:
    """Looks over the bots' shoulders: what they saw, what was legal, what they chose."""

    def __init__(self, layout: Layout, choose: engine.Chooser) -> None:
        self.layout, self.choose = layout, choose
        self.seats: list[int] = []
        self.asked: list[str] = []
        self.legal: list[list[str]] = []
        self.choices: list[int] = []
        self.seen: list[Vector] = []
        self.rows: list[Vector] = []

    def __call__(self, state: Any, decision: Decision, rng: Random) -> Action:
        view = self.layout.game.view(state, decision.seat)
        actions = legal(view)
        self.seen.append(self.layout.observe(view, decision.seat))
        self.rows.append(self.layout.row_list(view, actions).ravel())
        self.seats.append(decision.seat)
        self.asked.append(type(decision).__name__)
        self.legal.append([say(action) for action in actions])
        action = self.choose(state, decision, rng)
        self.choices.append(actions.index(action))
        return action


def _packed(table: Any) -> bytes:
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, table.schema, options=options) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue())


def _unpacked(packed: bytes) -> Any:
    return pa.ipc.open_stream(packed).read_all()


# --- files ---------------------------------------------------------------------------------------


class Parts:
    """The parts of a dataset, in a folder beside the file; each is whole or not there."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.folder = file.with_name(f"{file.name}.parts")
        self.games = self.rows = 0
        self.paths: list[Path] = []
        for path in sorted(self.folder.glob("*-*.parquet")):
            self._count(path)

    def _count(self, path: Path) -> None:
        """Parts are called by their first game and by how many they hold, and follow each other."""
        try:
            first, games = map(int, path.stem.split("-"))
            rows = pq.read_metadata(path).num_rows
        except (ValueError, pa.ArrowException):
            raise BadTarget("dataset.damaged", file=str(path)) from None
        if first != self.games:
            raise BadTarget("dataset.damaged", file=str(path))
        self.paths.append(path)
        self.games += games
        self.rows += rows

    @property
    def seed(self) -> str | None:
        """That of the parts that are there."""
        heads = [msgspec.json.decode(_head(path)) for path in self.paths[:1]]
        return str(heads[0]["seed"]) if heads else None

    def begin(self, head: bytes) -> None:
        """See that the parts that are there are of this dataset."""
        if any(_head(path) != head for path in self.paths):
            raise BadTarget("dataset.other", folder=str(self.folder))
        self.folder.mkdir(parents=True, exist_ok=True)

    def add(self, schema: Any, packed: Sequence[bytes]) -> None:
        """One more part, a row group for each game."""
        if packed:
            path = self.folder / f"{self.games:09}-{len(packed)}.parquet"
            _write(path, schema, map(_unpacked, packed))
            self._count(path)

    def join(self, schema: Any, games: int) -> int:
        """Make the file of its parts, remove them, and say how many rows it has."""
        groups = (group for path in self.paths for group in _groups(path))
        rows = _write(self.file, schema, (group for group in groups if group["game"][0].as_py() < games))
        shutil.rmtree(self.folder)
        return rows


def _head(path: Path) -> bytes:
    return bytes((pq.read_schema(path).metadata or {}).get(HEAD, b'{"seed": 0}'))


def _groups(path: Path) -> Iterator[Any]:
    with pq.ParquetFile(path) as part:
        for n in range(part.num_row_groups):
            yield part.read_row_group(n)


def _write(path: Path, schema: Any, tables: Iterator[Any]) -> int:
    """Write a file beside its place, and put it there when it is whole; how many rows it has."""
    beside, rows = path.with_name(f"{path.name}.unfinished"), 0
    with pq.ParquetWriter(beside, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table, row_group_size=max(1, table.num_rows))
            rows += table.num_rows
    os.replace(beside, path)
    return rows
