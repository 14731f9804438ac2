"""Files that somebody has changed: seeded mutations of every kind of file, run through the command line."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from legatus.cli import main
from legatus.games import GAMES
from legatus.kernel import Match, Seeded, legal
from legatus.kernel.records import position_text, record_text

KINDS = ("scenario", "army", "fortress", "position", "record")
NUMBERS = (
    "-1",
    "0",
    "7",
    "1000",
    "1000000",
    "2147483648",
    "9" * 30,
    "1" * 5_000,
    "1e308",
    "nan",
    "0.5",
    "-0.0",
)
TEXTS = (
    '""',
    '"x"',
    '"\\u0000"',
    '"\\ud800"',
    '"' + "x" * 10_000 + '"',
    "true",
    "[]",
    "{}",
    "[[[[]]]]",
    "null",
)
VALUES: tuple[Any, ...] = (
    *(-1, 0, 7, 10**6, 2**31, 10**30, 0.5, True, None, "", "x", "\ud800", "x" * 10_000),
    *([], {}, [[[]]], [0] * 10_000),
)


@cache
def match_of(key: str) -> Match:
    game, rng = GAMES[key], Random(key)
    match = Match.new(game, game.configure(), Seeded(f"{key}/0"))
    while match.state.outcome is None and len(match.journal) < 60:
        match.play(rng.choice(legal(match.state)), match.seeded(key))
    return match


@cache
def source(kind: str, number: int) -> tuple[str, str, str]:
    """The game, the text and the ending of the ``number``-th file of a kind, round and round."""
    if kind in ("position", "record"):
        key = list(GAMES)[number % len(GAMES)]
        match = match_of(key)
        text = record_text(match) if kind == "record" else position_text(match.game, match.state)
        return key, text, ".jsonl" if kind == "record" else ".json"
    folder = {"scenario": "scenarios", "army": "armies", "fortress": "fortresses"}[kind]
    files = [
        (key, path) for key, game in GAMES.items() for path in sorted(game.folder.names(folder).values())
    ]
    key, path = files[number % len(files)]
    return key, path.read_text(encoding="utf-8"), ".toml"


def mutated(kind: str, seed: int) -> tuple[str, str, str]:
    """The same, with one to three changes."""
    rng = Random(f"{kind}/{seed}")
    key, text, ending = source(kind, seed)
    changes: Sequence[Callable[[str, Random], str]] = (
        (_value, _value, _value, _line, _character)
        if ending != ".toml"
        else (_number, _word, _line, _character)
    )
    for _ in range(rng.randint(1, 3)):
        text = rng.choice(changes)(text, rng)
    return key, text, ending


def _replaced(text: str, pattern: str, choices: Sequence[str], rng: Random) -> str:
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    where = rng.choice(found)
    return text[: where.start()] + rng.choice(choices) + text[where.end() :]


def _number(text: str, rng: Random) -> str:
    return _replaced(text, r"-?\d+(\.\d+)?", NUMBERS, rng)


def _word(text: str, rng: Random) -> str:
    """A text becomes another one, of the same file perhaps."""
    own = [found[0] for found in re.finditer(r'"[^"\n]*"', text)]
    return _replaced(text, r'"[^"\n]*"', (*TEXTS, *rng.sample(own, min(len(own), 10))), rng)


def _line(text: str, rng: Random) -> str:
    """One line is missing, comes twice, or stands elsewhere."""
    lines = text.split("\n")
    n, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    line = lines.pop(n)
    if rng.random() < 0.7:
        lines[other:other] = [line] * rng.randint(1, 2)
    return "\n".join(lines)


def _character(text: str, rng: Random) -> str:
    n = rng.randrange(len(text) + 1)
    return text[:n] + rng.choice(("", "\0", "]", "{", '"', "é", "\n", "." * 50, "[" * 2_000)) + text[n + 1 :]


def _value(text: str, rng: Random) -> str:
    """Somewhere in a line of JSON stands something else: one of VALUES, or what stands elsewhere in it."""
    lines = text.split("\n")
    n = rng.randrange(len(lines))
    try:
        raw = json.loads(lines[n])
    except ValueError:
        return text
    inner, path = raw, []
    while isinstance(inner, dict | list) and inner and (not path or rng.random() < 0.9):
        name = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
        path.append((inner, name))
        inner = inner[name]
    if not path:
        return text
    others = [holder[name] for holder, name in path[:-1]]
    holder, name = path[-1]
    holder[name] = rng.choice((*VALUES, *others))
    lines[n] = json.dumps(raw)
    return "\n".join(lines)


def attempt(kind: str, seed: int) -> str:
    """What the command line says of a changed file, or how it broke."""
    key, text, ending = mutated(kind, seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{ending}"
        path.write_text(text, encoding="utf-8", errors="replace")
        file = str(path)
        command = {
            "scenario": ["position", key, "--scenario", file, "--seed", "1"],
            "army": ["army", "check", file],
            "fortress": ["fortress", "check", file],
            "position": ["legal", file],
            "record": ["replay", file, "--verify"],
        }[kind]
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            os.environ["LEGATUS_DEBUG"] = "1"  # what breaks is raised, not told
            try:
                code = main(command)
            finally:
                del os.environ["LEGATUS_DEBUG"]
    return f"{code}: {out.getvalue()[-300:]}"
