"""Finished games in a file, one a line, so that a long run can be stopped and gone on with.

The first line names what was played; a file of another run is refused, and a torn last line is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Struct

from ..kernel import Complaint, Message, Messages

R = TypeVar("R")

VERSION = version("legatus")  # other versions may have other rules

SENTENCES = {
    "en": {
        "ledger.head": "{file}: the first line does not say what was played",
        "ledger.line": "{file}: line {line} is not a finished game",
        "ledger.other": "{file} is of another run: {field} differs",
        "ledger.other_value": "{file} is of another run: {field} is {found} there and {wanted} here",
    },
    "fr": {
        "ledger.head": "{file} : la première ligne ne dit pas ce qui fut joué",
        "ledger.line": "{file} : la ligne {line} n'est pas une partie finie",
        "ledger.other": "{file} vient d'une autre série : {field} diffère",
        "ledger.other_value": "{file} vient d'une autre série : {field} y vaut {found}, ici {wanted}",
    },
}
TABLES = {lang: Messages(lang, sentences) for lang, sentences in SENTENCES.items()}
LONGEST = 60  # characters of a value that a complaint quotes


class BadLedger(Complaint):
    """The file cannot be gone on with."""

    def __init__(self, key: str, **values: str | int) -> None:
        super().__init__(Message(f"ledger.{key}", {**values}), TABLES)


def beside(file: Path) -> Path:
    """Where games are kept that are played because of what came out of those in ``file``."""
    return file.with_name(f"{file.name}.handicaps")


def read_head(file: Path) -> dict[str, Any]:
    """What a file says was played."""
    with file.open("rb") as lines:
        return _head(file, lines.readline())


def _head(file: Path, line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        raise BadLedger("head", file=str(file)) from None
    if not isinstance(head, dict) or "legatus" not in head:
        raise BadLedger("head", file=str(file))
    return head


def differences(found: Any, wanted: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two heads differ, as dotted fields with both values."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in {**wanted, **found}:
            yield from differences(found.get(key), wanted.get(key), f"{place}.{key}".lstrip("."))
    elif found != wanted:
        yield place, found, wanted


class Line(Struct, Generic[R], frozen=True):
    """A finished game."""

    number: Annotated[int, Meta(ge=0)]
    result: R


class Ledger(Generic[R]):
    """The results of one run, by their numbers; the file is made when there is a first one."""

    def __init__(self, file: Path, head: dict[str, Any], kind: type[R]) -> None:
        self.file, self.kind = file, kind
        self.head = json.loads(msgspec.json.encode(head))
        self.done: dict[int, R] = {}
        if file.exists():
            self._read()

    def add(self, number: int, result: R) -> None:
        if not self.file.exists():
            self._append(self.head)
        self._append(Line(number, result))
        self.done[number] = result

    def _append(self, thing: Any) -> None:
        with self.file.open("ab") as file:
            file.write(msgspec.json.encode(thing) + b"\n")

    def _read(self) -> None:
        whole, _, torn = self.file.read_bytes().rpartition(b"\n")
        lines = whole.split(b"\n")
        for field, found, ours in differences(_head(self.file, lines[0]), self.head):
            raise self._other(field, found, ours)
        for n, line in enumerate(lines[1:], 2):
            try:
                entry = msgspec.json.decode(line, type=Line[self.kind])  # type: ignore[name-defined]
                self.done[entry.number] = entry.result
            except (msgspec.MsgspecError, RecursionError):
                raise BadLedger("line", file=str(self.file), line=n) from None
        if torn:
            with self.file.open("r+b") as file:
                file.truncate(len(whole) + 1)

    def _other(self, field: str, found: Any, wanted: Any) -> BadLedger:
        said = {"found": json.dumps(found, ensure_ascii=False), "wanted": json.dumps(wanted)}
        if max(map(len, said.values())) > LONGEST:
            return BadLedger("other", file=str(self.file), field=field)
        return BadLedger("other_value", file=str(self.file), field=field, **said)
