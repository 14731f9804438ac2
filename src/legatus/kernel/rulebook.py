"""A game's texts: the rulebook (one anchor a clause), the sentences of its log, its data files."""

from __future__ import annotations

import re
import tomllib
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct

from .words import LANGS, Messages, flatten

_CHAPTER = re.compile(r"^## (\S+) (.+)$")
_CLAUSE = re.compile(r"^### (\S+) · (\w+)((?: · (?:informative|house))*)$")
_EDITION = re.compile(r"^[EÉ]dition (\d+)$", re.M)
_RULING = re.compile(r"^> (?:Ruling|Décision) ?: *", re.M)


class Clause(Struct, frozen=True):
    """One rule with its id, in one language."""

    id: str
    chapter: str
    kind: str
    house: bool
    informative: bool
    text: str

    @property
    def summary(self) -> str:
        """The first sentence."""
        first = self.text.split("\n", 1)[0]
        match = re.match(r".+?[.!?](?=\s|$)", first)
        return match.group(0) if match else first

    @property
    def rule(self) -> str:
        """The text without our rulings."""
        return _RULING.split(self.text)[0].strip()


class Rulebook:
    """All clauses of a game in one language, in the order of the book."""

    def __init__(self, clauses: dict[str, Clause], edition: int = 1) -> None:
        self.clauses = clauses
        self.edition = edition  # named in its head; the first one where it is not

    @classmethod
    def parse(cls, text: str) -> Rulebook:
        clauses: dict[str, Clause] = {}
        chapter, head, body = "", None, list[str]()

        def close() -> None:
            if head is not None:
                ident, kind, flags = head.groups()
                if ident in clauses:
                    raise ValueError(f"clause {ident} stands twice in the rulebook")
                clauses[ident] = Clause(
                    ident,
                    chapter,
                    kind,
                    "house" in flags,
                    "informative" in flags,
                    "\n".join(body).strip(),
                )

        for line in text.splitlines():
            if line.startswith("##"):
                close()
                head, body = None, []
                if (start := _CHAPTER.match(line)) is not None:
                    chapter = f"{start[1]} {start[2]}"
                elif (head := _CLAUSE.match(line)) is None:
                    raise ValueError(f"not a chapter or clause heading: {line!r}")
            else:
                body.append(line)
        close()
        named = _EDITION.search(text.split("\n## ", 1)[0])
        return cls(clauses, int(named[1]) if named else 1)

    def search(self, word: str) -> list[Clause]:
        wanted = word.casefold()
        return [c for c in self.clauses.values() if wanted in c.text.casefold() or wanted in c.id.casefold()]


class Folder:
    """Where a game keeps its texts and data; the only place from which a game reads."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @cached_property
    def rulebooks(self) -> dict[str, Rulebook]:
        return {lang: Rulebook.parse(self.text(f"rules.{lang}.md")) for lang in LANGS}

    @cached_property
    def messages(self) -> dict[str, Messages]:
        return {lang: Messages(lang, flatten(self.toml(f"log.{lang}.toml"))) for lang in LANGS}

    def text(self, name: str) -> str:
        return (self.path / name).read_text(encoding="utf-8")

    def toml(self, name: str) -> dict[str, Any]:
        return tomllib.loads(self.text(name))

    def names(self, kind: str) -> dict[str, Path]:
        """The files ``data/<kind>/*.toml`` by their names, in alphabetical order."""
        return {p.stem: p for p in sorted((self.path / "data" / kind).glob("*.toml"))}


@cache
def folder(path: str) -> Folder:
    """The folder of a game module, given its ``__file__``."""
    return Folder(Path(path).parent)
