"""What people read.  Code says keys with values; a sentence in each language makes them prose.

The kernel's sentences are in ``words.<lang>.toml``, a game's in its ``log.<lang>.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

LANGS = ("en", "fr")

Value: TypeAlias = "str | int | tuple[str, ...] | tuple[int, ...] | Message | tuple[Message, ...]"
Values = dict[str, Value]
NO_VALUES: Values = {}  # never changed


class Plain(str):
    """A word that is no id, though some id may read the same: it is said as it is."""


class Message(Struct, frozen=True):
    """A sentence to be: its key and the values it needs; a value may be a message itself."""

    key: str
    values: Values = {}


class Said(Protocol):
    """A message or what is like one: refusals, events and outcomes have keys too, and most have values."""

    @property
    def key(self) -> str: ...


def flatten(tree: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """Nested tables of sentences as dotted keys."""
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = str(value)
    return flat


def _own_sentences(lang: str) -> dict[str, str]:
    file = Path(__file__).parent / f"words.{lang}.toml"
    return flatten(tomllib.loads(file.read_text(encoding="utf-8")))


KERNEL_MESSAGES: dict[str, dict[str, str]] = {lang: _own_sentences(lang) for lang in LANGS}


class Named(dict[str, Any]):
    """Values under their names; a missing one shows as its name, never as a crash in a sentence."""

    def __missing__(self, key: str) -> str:
        return Figure("{" + key + "}")


class Figure(str):
    """A whole number in a sentence; ``{way:/100}`` says a hundredth of it, ``{way:/100,}`` with a comma."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        if not spec.startswith("/"):
            return str.__format__(self, spec)
        if not self.lstrip("-").isdecimal():  # a word in its place
            return f"{self}{spec.rstrip(',')}"
        said = f"{int(self) / int(spec[1:].rstrip(',')):g}"
        return said.replace(".", ",").replace("-", "−") if spec.endswith(",") else said.replace("-", "−")


def _same(word: str) -> str:
    return word


class Messages:
    """The sentences of one language: the kernel's and, under dotted keys too, those of a game."""

    def __init__(self, lang: str, sentences: Mapping[str, str]) -> None:
        self.lang = lang
        self.sentences = {**KERNEL_MESSAGES[lang], **sentences}

    def __contains__(self, key: object) -> bool:
        return key in self.sentences

    def render(self, said: Said, name: Callable[[str], str] = _same) -> str:
        """The sentence, with ids replaced by what ``name`` calls them."""
        sentence = self.fill(said, name)
        return sentence[:1].upper() + sentence[1:]

    def fill(self, said: Said, name: Callable[[str], str] = _same) -> str:
        """The same as it stands in the middle of a line."""
        values: Values = getattr(said, "values", {})
        words = Named({key: self._word(value, name) for key, value in values.items()})
        return self.sentences.get(said.key, said.key).format_map(words)

    def _word(self, value: Value, name: Callable[[str], str]) -> str | int:
        if isinstance(value, tuple):
            between = " " if any(isinstance(part, Message) for part in value) else ", "
            return between.join(str(self._word(part, name)) for part in value)
        if isinstance(value, Message):
            return self.fill(value, name)
        return name(value) if isinstance(value, str) and not isinstance(value, Plain) else value


KERNEL: dict[str, Messages] = {lang: Messages(lang, {}) for lang in LANGS}


class Complaint(ValueError):
    """An error that people read: ``say`` tells it in their language, ``str`` in English."""

    def __init__(self, said: Message, tables: Mapping[str, Messages] = KERNEL) -> None:
        self.said, self.tables = said, tables  # ``args`` stay those given, so that it can be pickled

    def say(self, lang: str) -> str:
        return self.tables[lang].fill(self.said)

    def __str__(self) -> str:
        return self.say("en")


# --- what others say -----------------------------------------------------------------------------


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    """A sentence with its values left open."""
    parts = Formatter().parse(sentence)
    return re.compile(
        "".join(re.escape(text) + (f"(?P<{name}>.+?)" if name else "") for text, name, _, _ in parts), re.S
    )


def values_in(text: str, sentence: str) -> dict[str, str] | None:
    """The values that make ``text`` of a sentence; None if it is not that sentence."""
    found = _pattern(sentence).fullmatch(text)
    return None if found is None else found.groupdict()


def quoted(text: str) -> Message:
    """English words of a library as a message, if ``theirs`` has them; else they stand as they are."""
    for key, sentence in KERNEL_MESSAGES["en"].items():
        if key.startswith("theirs.") and (found := values_in(text, sentence)) is not None:
            return Message(key, {k: quoted(v) if k == "problem" else v for k, v in found.items()})
    return Message("text", {"text": text})
