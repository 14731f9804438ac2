"""The sentences of the server, in ``words.en.toml`` and ``words.fr.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path

from ..kernel.words import LANGS, Messages, flatten


def _read(lang: str) -> Messages:
    file = Path(__file__).parent / f"words.{lang}.toml"
    return Messages(lang, flatten(tomllib.loads(file.read_text(encoding="utf-8"))))


WORDS: dict[str, Messages] = {lang: _read(lang) for lang in LANGS}
