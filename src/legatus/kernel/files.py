"""Files that people write and exchange: reading, writing, and saying what is wrong with one and where."""

from __future__ import annotations

import errno
import json
import os
import re
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec

from .words import KERNEL, Complaint, Message, Messages, quoted

T = TypeVar("T")

MAX_BYTES = 64_000_000  # of a file: a record of the longest match has some 20 MB
MAX_DEPTH = 40  # tables and lists within each other
MAX_PARTS = 12  # of a dotted key
MAX_WORD = 100  # characters of a key or a number
MAX_TEXT = 1_000  # characters of a text in a scenario, an army or a design
MAX_NAME = 100  # characters of a name or an id there: screens show them many times
NAMES = frozenset({"name", "name_fr", "en", "fr", "people", "id", "key", "stem"})  # fields with a name


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


def wrong_edition(known: int, found: object) -> Message:
    """What is wrong with an edition that is none, or later than the one that is ``known``."""
    later = type(found) is int and found > known
    return Message("file.later_edition" if later else "file.edition", {"known": known, "found": repr(found)})


def os_problem(error: OSError) -> Message:
    """What the system has against a file."""
    key = f"os.{errno.errorcode.get(error.errno or 0)}"
    return Message(key) if key in KERNEL["en"] else quoted(error.strerror or str(error))


# --- reading and writing -------------------------------------------------------------------------


def read_text(path: str | Path) -> str:
    try:
        with Path(path).open("rb") as file:
            return text_of(file, str(path))
    except OSError as error:
        raise BadFile(str(path), "", os_problem(error)) from None


def text_of(stream: BinaryIO, file: str) -> str:
    """All that a stream holds, up to ``MAX_BYTES``: it may have no end."""
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BadFile(file, "", Message("file.too_long", {"most": MAX_BYTES}))
    try:
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise BadFile(file, "", Message("file.not_utf8")) from None


def write_text(path: str | Path, text: str) -> None:
    """Write a file whole or not at all."""
    target = Path(path)
    handle, name = _beside(target)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def check_target(path: str | Path) -> None:
    """Raise the error now that writing the file would raise when all work is done."""
    handle, name = _beside(Path(path))
    os.close(handle)
    os.unlink(name)


def _beside(target: Path) -> tuple[int, str]:
    """A new file in the same folder; errors name the target."""
    try:
        return tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from None


def read_toml(path: str | Path, kind: type[T], edition: int = 0) -> T:
    """A hand-written TOML file as a typed thing; errors name the line.  See ``Source.take``."""
    text = read_text(path)
    return Source(str(path), text).take(parse_toml(text, str(path)), kind, edition)


def parse_toml(text: str, file: str) -> dict[str, Any]:
    _check_extent(text, file, _TOML, "file.not_toml")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadFile(file, "", Message("file.not_toml", {"problem": quoted(str(error))})) from None


def parse_json(text: str, file: str, place: str | Message = "") -> Any:
    """What JSON says, with a question mark for half a character, which no text can hold."""
    _check_extent(text, file, _JSON, "file.not_json", place)
    try:
        raw = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadFile(file, place, not_json(error)) from None
    if _SURROGATE.search(text):
        return json.loads(json.dumps(raw, ensure_ascii=False).encode(errors="replace"))
    return raw


def _refuse_constant(name: str) -> None:
    raise ValueError(f"Invalid value {name}")


# Texts are taken whole, also where they do not end, so that the scan never goes back.
_TOML = re.compile(
    r'''"""(?:[^"\\]|\\.?|"(?!""))*+(?:"""|\Z)|'''
    r"""'''(?:[^']|'(?!''))*+(?:'''|\Z)|"""
    r""""(?:[^"\\\n]|\\.?)*+"?|'[^'\n]*+'?|\#[^\n]*+|[\[\]{}=,.\n]|[^\s"'\#\[\]{}=,.]++""",
    re.DOTALL,
)
_JSON = re.compile(r'"(?:[^"\\]|\\.?)*+"?|[\[\]{}]|[-+.0-9eE]{101,}+', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _check_extent(
    text: str, file: str, tokens: re.Pattern[str], wrong: str, place: str | Message | None = None
) -> None:
    """Refuse what a parser would be busy with for very long, in one pass over the text."""
    depth = parts = 0
    for found in tokens.finditer(text):
        token = found[0]
        if token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
        elif token == ".":
            parts += 1
        elif token in "=,\n":
            parts = 0
        too_long = len(token) > MAX_WORD and token[0] not in "\"'#"
        if too_long or depth > MAX_DEPTH or parts >= MAX_PARTS:
            key, most = ("file.word", MAX_WORD) if too_long else ("file.depth", MAX_DEPTH)
            if parts >= MAX_PARTS:
                key, most = "file.parts", MAX_PARTS
            where = line_place(text.count("\n", 0, found.start()) + 1) if place is None else place
            raise BadFile(file, where, Message(wrong, {"problem": Message(key, {"most": most})}))


def _long_texts(raw: Any) -> Iterator[tuple[str, int]]:
    """The paths of texts that are too long, in plain data of any depth, and how long they may be."""
    parts = [("", "", raw)]
    while parts:
        where, field, value = parts.pop()
        most = MAX_NAME if field in NAMES else MAX_TEXT
        if isinstance(value, str) and len(value) > most:
            yield where, most
        if isinstance(value, list | tuple):
            parts += [(f"{where}[{n}]", field, part) for n, part in enumerate(value)]
        elif isinstance(value, dict):
            if any(len(str(name)) > MAX_NAME for name in value):
                yield where, MAX_NAME
            parts += [(f"{where}.{name}".lstrip("."), name, part) for name, part in value.items()]


def toml_place(text: str, where: str) -> Message:
    """A path such as ``$.unit[2].count`` as a line of the file: ``line 14 (unit[2].count)``."""
    where = where.removeprefix("$").lstrip(".")
    lines = text.splitlines()
    line, start = 0, 0
    for name, index in re.findall(r"([\w-]+)(?:\[(\d+)\])?", where):
        if index:
            head = re.compile(rf"\s*\[\[(?:[\w-]+\.)*{re.escape(name)}\]\]")
            heads = [n for n in range(start, len(lines)) if head.match(lines[n])]
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


class Source:
    """Where something was written: it names the file and the line of what is wrong there."""

    def __init__(self, file: str | Message, text: str = "", tables: Mapping[str, Messages] = KERNEL) -> None:
        self.file, self.text, self.tables = file, text, tables

    def bad(self, where: str, problem: Message) -> BadFile:
        return BadFile(self.file, self.place(where), problem, self.tables)

    def place(self, where: str) -> Message:
        """The line; ``type.axemen.vd`` stands below the head ``[type.axemen]``."""
        head = re.match(r"([\w-]+)\.([\w-]+)", where)
        start = self.text.find(f"[{head[0]}]") if head else -1
        if head is None or start < 0:
            return toml_place(self.text, where)
        above = self.text.count("\n", 0, start)
        block = self.text[start:].split("\n[", 1)[0].replace(head[0], head[2], 1)
        place = toml_place("\n" * above + block, where.removeprefix(f"{head[1]}."))
        return Message(place.key, {**place.values, "path": where})

    def take(self, raw: Any, form: type[T], edition: int = 0) -> T:
        """What was written, as a typed thing; with ``edition``, of a game's rules up to that edition."""
        found = raw.get("edition", 1) if isinstance(raw, dict) else 1
        if edition and (type(found) is not int or not 1 <= found <= edition):
            raise self.bad("edition", wrong_edition(edition, found))
        for where, most in _long_texts(raw):
            raise self.bad(where, Message("file.text", {"most": most}))
        try:
            return msgspec.convert(raw, form)
        except msgspec.ValidationError as error:
            problem, where = misfit(error)
            raise self.bad(where.strip("$."), problem) from None

    def one_of(self, where: str, value: object, known: Sequence[object]) -> None:
        if value not in known:
            wanted = tuple(map(repr, known))
            raise self.bad(where, Message("file.one_of", {"known": wanted, "found": repr(value)}))
