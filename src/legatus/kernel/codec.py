"""Files that people exchange, and the one-line form of an action.

Everything is validated on the way in: a BadFile names the file, the place and what was expected there.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Iterator
from functools import cache
from hashlib import blake2s
from pathlib import Path
from typing import Any, TypeVar, Union

import msgspec

from .chance import NeedLuck, Scripted, WrongLuck
from .engine import IllegalAction, legal
from .match import Entry, Match
from .model import Action, Game, Setup, State

T = TypeVar("T")
VERSION = 1  # of records and positions; a change comes with a migration


class BadFile(ValueError):
    """A file that cannot be taken: which one, where in it, and what was expected."""

    def __init__(self, file: str, place: str, problem: str) -> None:
        super().__init__(f"{file}: {place}: {problem}" if place else f"{file}: {problem}")
        self.file, self.place, self.problem = file, place, problem


class BadAction(ValueError):
    """A line that is no action of the game."""


# --- actions -------------------------------------------------------------------------------------


def verb(kind: type[Action]) -> str:
    return str(kind.__struct_config__.tag)


def say(action: Action) -> str:
    """The readable line: ``fight vet-legion-2 hill``.  A flag is said by its name, a path with ``>``."""
    words = [verb(type(action))]
    for field in msgspec.structs.fields(action):
        value = getattr(action, field.name)
        if isinstance(value, bool):
            words += [field.name.replace("_", "-")] if value else []
        elif isinstance(value, tuple):
            words.append(">".join(map(str, value)))
        elif value != "":
            words.append(str(value))
    return " ".join(words)


def parse_action(game: Game, text: str) -> Action:
    """The action said by a line, or by JSON."""
    text = text.strip()
    if text.startswith("{"):
        try:
            return msgspec.json.decode(text, type=_union(game.actions))  # type: ignore[no-any-return]
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise BadAction(f"not an action of {game.key}: {error}") from None
    words = text.split()
    kinds = {verb(kind): kind for kind in game.actions}
    kind = kinds.get(words[0]) if words else None
    if kind is None:
        raise BadAction(f"{text!r}: an action begins with one of: {', '.join(sorted(kinds))}")
    return _parse_fields(kind, words[1:])


def _parse_fields(kind: type[Action], words: list[str]) -> Action:
    values: dict[str, Any] = {}
    left = list(words)
    fields = msgspec.structs.fields(kind)
    for field in fields:
        if field.type is bool:
            flag = field.name.replace("_", "-")
            if flag in left:
                left.remove(flag)
                values[field.name] = True
        elif left:
            word = left.pop(0)
            values[field.name] = word.split(">") if "tuple" in str(field.type) else word
        elif field.required:
            raise BadAction(f"{usage(kind)}: {field.name} is missing")
    if left:
        raise BadAction(f"{usage(kind)}: {' '.join(left)!r} is too much")
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadAction(f"{usage(kind)}: {error}") from None


def usage(kind: type[Action]) -> str:
    """How an action is said: ``fight UNIT [hill] [pila]``."""
    words = [verb(kind)]
    for field in msgspec.structs.fields(kind):
        if field.type is bool:
            words.append(f"[{field.name.replace('_', '-')}]")
        else:
            words.append(field.name.upper() if field.required else f"[{field.name.upper()}]")
    return " ".join(words)


@cache
def _union(types: tuple[type, ...]) -> Any:
    return Union[types]  # noqa: UP007  (built at run time)


# --- files ---------------------------------------------------------------------------------------


def read_text(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise BadFile(str(path), "", error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise BadFile(str(path), "", "not a UTF-8 text file") from None


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
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadFile(str(path), "", f"not TOML: {error}") from None
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        problem, _, where = str(error).partition(" - at `")
        where = where.rstrip("`")
        raise BadFile(str(path), toml_place(text, where), problem) from None


def toml_place(text: str, where: str) -> str:
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
        return where
    return f"line {line} ({where})" if where else f"line {line}"


# --- positions -----------------------------------------------------------------------------------


def state_to_json(state: State) -> bytes:
    return msgspec.json.encode(state)


def state_from(game: Game, raw: dict[str, Any]) -> Any:
    """A state from plain data; the stack of steps is told apart by the game's own step types."""
    steps = raw.get("todo", [])
    state = msgspec.convert({**raw, "todo": []}, game.state_type)
    state.todo = msgspec.convert(steps, list[_union(game.steps)])  # type: ignore[misc]
    return state


def digest(state: State) -> str:
    """A short fingerprint of a state: the same on every machine."""
    return blake2s(state_to_json(state), digest_size=6).hexdigest()


def position_text(game: Game, state: State) -> str:
    head = {"legatus": "position", "version": VERSION, "game": game.key}
    return json.dumps({**head, "state": json.loads(state_to_json(state))}, ensure_ascii=False) + "\n"


def parse_position(games: dict[str, Game], text: str, file: str = "position") -> tuple[Game, Any]:
    """The game and the state that a position file holds."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadFile(file, "", f"not JSON: {error}") from None
    game = _head(games, raw, "position", file)
    if not isinstance(raw.get("state"), dict):
        raise BadFile(file, "state", "an object expected")
    try:
        state = state_from(game, raw["state"])
        fault = next(_faults(game, state), None)
    except msgspec.ValidationError as error:
        problem, _, where = str(error).partition(" - at ")
        raise BadFile(file, f"state {where.strip('`')}".strip(), problem) from None
    except Exception as error:
        raise BadFile(file, "state", f"not a position of {game.key}: {error!r}") from None
    if fault is not None:
        raise BadFile(file, "state", f"not a possible position: {fault}")
    return game, state


def _faults(game: Game, state: Any) -> Iterator[str]:
    """Why a state of the right shape is not one that can be played on."""
    if state.outcome is not None:
        return
    decision = state.decision
    if decision is None:
        yield "nobody is to decide; a position waits for a decision or has an outcome"
    elif not 0 <= decision.seat < len(game.seats):
        yield f"a seat from 0 to {len(game.seats) - 1} expected, {decision.seat} found"
    yield from game.invariants(state)
    if not legal(state):
        yield "whoever is to decide can do nothing"


def _head(games: dict[str, Game], raw: Any, kind: str, file: str) -> Game:
    if not isinstance(raw, dict) or raw.get("legatus") != kind:
        raise BadFile(file, "", f'not a {kind}: a head {{"legatus": "{kind}", ...}} expected')
    if raw.get("version") != VERSION:
        raise BadFile(file, "version", f"{VERSION} expected, {raw.get('version')!r} found")
    key = str(raw.get("game"))
    if key not in games:
        raise BadFile(file, "game", f"one of {', '.join(games)} expected, {key!r} found")
    return games[key]


# --- records -------------------------------------------------------------------------------------


def record_text(match: Match, **notes: Any) -> str:
    """A match as JSON Lines: a head, the set-up, then one readable line an entry with its dice."""
    game = match.game
    head: dict[str, Any] = {"legatus": "record", "version": VERSION, "game": game.key}
    head |= msgspec.to_builtins(match.setup) | notes
    lines = [json.dumps(head, ensure_ascii=False)]
    for entry, state in zip(match.journal, match.states, strict=True):
        line: dict[str, Any] = {}
        if entry.seat is not None and entry.action is not None:
            line = {"seat": game.seats[entry.seat], "do": say(entry.action)}
        lines.append(json.dumps({**line, "dice": entry.dice, "check": digest(state)}, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def parse_record(games: dict[str, Game], text: str, file: str = "record", verify: bool = True) -> Match:
    """The match that a record tells, replayed; ``verify`` compares every state with its fingerprint."""
    rows: list[Any] = []
    for number, row in enumerate(text.removesuffix("\n").split("\n"), 1):  # JSON may hold other line ends
        try:
            rows.append(json.loads(row))
        except (ValueError, RecursionError) as error:
            raise BadFile(file, f"line {number}", f"not JSON: {error}") from None
    game = _head(games, rows[0] if rows else None, "record", file)
    known = {name: rows[0][name] for name in ("scenario", "armies", "options") if name in rows[0]}
    try:
        setup = game.validate(msgspec.convert(known, Setup))
    except (msgspec.ValidationError, BadFile) as error:
        raise BadFile(file, "line 1", str(error)) from None
    match: Match | None = None
    for number, row in enumerate(rows[1:], 2):
        match = _replay_row(game, setup, match, row, file, f"line {number}")
        if verify and row.get("check") not in (None, digest(match.state)):
            raise BadFile(file, f"line {number}", "replays to another state than the one recorded")
    if match is None:
        raise BadFile(file, "line 2", "the dice of the set-up expected")
    return match


def _replay_row(game: Game, setup: Setup, match: Match | None, row: Any, file: str, place: str) -> Match:
    dice = row.get("dice") if isinstance(row, dict) else None
    if not isinstance(dice, list) or not all(type(face) is int for face in dice):
        raise BadFile(file, place, 'an object with "dice", a list of whole numbers, expected')
    script = Scripted(dice)
    try:
        if match is None:
            match = Match.new(game, setup, script)
        else:
            decision = match.state.decision
            if decision is None:
                raise BadFile(file, place, "the game was over: no more lines expected")
            seat = game.seats[decision.seat]
            if row.get("seat") != seat:
                raise BadFile(file, place, f"seat {seat!r} expected, {row.get('seat')!r} found")
            match.play(parse_action(game, str(row.get("do", ""))), script)
    except NeedLuck:
        raise BadFile(file, place, "more dice expected") from None
    except IllegalAction as error:
        raise BadFile(file, place, f"illegal: {error}") from None
    except (WrongLuck, BadAction) as error:
        raise BadFile(file, place, str(error)) from None
    if script.unused:
        raise BadFile(file, place, f"{script.unused} dice too many")
    return match


def entry_text(entry: Entry) -> str:
    """An entry as people write it: the action and the dice that fell."""
    words = say(entry.action) if entry.action else "set-up"
    return f"{words} [{' '.join(map(str, entry.dice))}]" if entry.dice else words
