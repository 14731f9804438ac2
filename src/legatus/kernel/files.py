"""Files that people write and exchange: reading, writing, and saying what is wrong with one and where."""

from __future__ import annotations

import errno
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from .words import KERNEL, Complaint, Message, Messages, quoted

T = TypeVar("T")


class BadFile(Complaint):
    """A file that cannot be taken: which one, where in it, and what was expected; as attributes, in English.

    ``place`` is a path of names in the file or a message (``line_place``); a game gives its own ``tables``.
    """

    def __init__(
        self,
        file: str | Message,
        place: str | Message,
        problem: Message,
        tables: Mapping[str, Messages] = KERNEL,
    ) -> None:
        where = Message("file.path", {"path": place}) if isinstance(place, str) else place
        self.file = file if isinstance(file, str) else tables["en"].fill(file)
        self.place, self.problem = tables["en"].fill(where), tables["en"].fill(problem)
        said = Message("file.whole", {"file": file, "problem": problem})
        if self.place:
            said = Message("file.at", {"file": file, "place": where, "problem": problem})
        super().__init__(said, tables)


# --- problems ------------------------------------------------------------------------------------


def line_place(line: int) -> Message:
    return Message("file.line", {"line": line})


def not_json(error: Exception) -> Message:
    return Message("file.not_json", {"problem": quoted(str(error))})


def misfit(error: msgspec.ValidationError) -> tuple[Message, str]:
    """What is wrong with a value, and the path to it: ``$.unit[2].count``."""
    problem, _, where = str(error).partition(" - at ")
    return quoted(problem), where.strip("`")


def os_problem(error: OSError) -> Message:
    """What the system has against a file."""
    key = f"os.{errno.errorcode.get(error.errno or 0)}"
    return Message(key) if key in KERNEL["en"] else quoted(error.strerror or str(error))


# --- reading and writing -------------------------------------------------------------------------


def read_text(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise BadFile(str(path), "", os_problem(error)) from None
    except UnicodeDecodeError:
        raise BadFile(str(path), "", Message("file.not_utf8")) from None


def write_text(path: str | Path, text: str) -> None:
    """Write a file whole or not at all."""
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def read_toml(path: str | Path, kind: type[T]) -> T:
    """A hand-written TOML file as a typed thing; errors name the line."""
    text = read_text(path)
    try:
        return msgspec.convert(parse_toml(text, str(path)), kind)
    except msgspec.ValidationError as error:
        problem, where = misfit(error)
        raise BadFile(str(path), toml_place(text, where), problem) from None


def parse_toml(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadFile(file, "", Message("file.not_toml", {"problem": quoted(str(error))})) from None


def toml_place(text: str, where: str) -> Message:
    """A path such as ``$.unit[2].count`` as a line of the file: ``line 14 (unit[2].count)``."""
    where = where.removeprefix("$").lstrip(".")
    lines = text.splitlines()
    line, start = 0, 0
    for name, index in re.findall(r"([\w-]+)(?:\[(\d+)\])?", where):
        if index:
            heads = [n for n, row in enumerate(lines) if re.match(rf"\s*\[\[{re.escape(name)}\]\]", row)]
            hit = heads[int(index)] if int(index) < len(heads) else None
        else:
            pattern = rf"\s*({re.escape(name)}\s*=|\[{re.escape(name)}\])"
            hit = next((n for n in range(start, len(lines)) if re.match(pattern, lines[n])), None)
        if hit is None:
            break
        line, start = hit + 1, hit + 1
    if not line:
        return Message("file.path", {"path": where})
    return Message("file.line_at", {"line": line, "path": where})
