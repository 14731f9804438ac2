"""What ``legatus --version`` says.  It imports no game: an edition stands in the head of the rulebook."""

from __future__ import annotations

import re
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.resources import files

from .. import __version__
from ..games import KEYS
from .words import words_around


def edition_of(key: str) -> int:
    """The edition of a game's rules, as the head of its rulebook says."""
    with files("legatus").joinpath("games", key, "rules.en.md").open(encoding="utf-8") as book:
        head = book.read(500)
    found = re.search(r"^Edition (\d+)$", head, re.MULTILINE)
    return int(found[1]) if found else 1


def is_compiled() -> bool:
    """True if the rules run compiled; it looks for the library and imports nothing."""
    kernel = files("legatus").joinpath("kernel")
    return any(kernel.joinpath(f"engine{suffix}").is_file() for suffix in EXTENSION_SUFFIXES)


def version_text() -> str:
    editions, words = ", ".join(f"{key} {edition_of(key)}" for key in KEYS), words_around()
    running = words("version_compiled" if is_compiled() else "version_interpreted")
    return f"legatus {__version__}\n{words('version_line', editions=editions)}\n{running}"
