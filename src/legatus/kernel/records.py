"""Positions and records: a moment of a game and a whole match as files.

Everything is validated on the way in: a BadFile names the file, the place and what was expected there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2s
from typing import Any

import msgspec

from .chance import NeedLuck, Scripted, WrongLuck
from .codec import BadAction, parse_action, say, union
from .engine import IllegalAction, legal
from .files import BadFile, line_place, misfit, not_json
from .match import Entry, Match
from .model import Game, Refusal, Setup, State
from .words import Message, quoted

VERSION = 1  # of records and positions; a change comes with a migration


def _head(games: dict[str, Game], raw: Any, kind: str, file: str) -> Game:
    if not isinstance(raw, dict) or raw.get("legatus") != kind:
        raise BadFile(file, "", Message(f"{kind}.head"))
    if raw.get("version") != VERSION:
        found = repr(raw.get("version"))
        raise BadFile(file, "version", Message("file.expected", {"expected": VERSION, "found": found}))
    key = str(raw.get("game"))
    if key not in games:
        raise BadFile(file, "game", Message("file.one_of", {"known": tuple(games), "found": repr(key)}))
    return games[key]


# --- positions -----------------------------------------------------------------------------------


def state_to_json(state: State) -> bytes:
    return msgspec.json.encode(state)


def state_from(game: Game, raw: dict[str, Any]) -> Any:
    """A state from plain data; the stack of steps is told apart by the game's own step types."""
    steps = raw.get("todo", [])
    state = msgspec.convert({**raw, "todo": []}, game.state_type)
    state.todo = msgspec.convert(steps, list[union(game.steps)])  # type: ignore[misc]
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
        raise BadFile(file, "", not_json(error)) from None
    game = _head(games, raw, "position", file)
    if not isinstance(raw.get("state"), dict):
        raise BadFile(file, "state", Message("position.state"))
    try:
        state = state_from(game, raw["state"])
        fault = next(_faults(game, state), None)
    except msgspec.ValidationError as error:
        problem, where = misfit(error)
        raise BadFile(file, f"state {where}".strip(), problem) from None
    except Exception as error:
        odd = Message("position.not_of", {"game": game.key, "problem": repr(error)})
        raise BadFile(file, "state", odd) from None
    if fault is not None:
        raise BadFile(file, "state", Message("position.impossible", {"problem": fault}))
    return game, state


def _faults(game: Game, state: Any) -> Iterator[Message]:
    """Why a state of the right shape is not one that can be played on."""
    if state.outcome is not None:
        return
    decision = state.decision
    if decision is None:
        yield Message("position.nobody")
    elif not 0 <= decision.seat < len(game.seats):
        yield Message("position.seat", {"last": len(game.seats) - 1, "found": decision.seat})
    yield from (Message("text", {"text": fault}) for fault in game.invariants(state))
    if not legal(state):
        yield Message("position.stuck")


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
            raise BadFile(file, line_place(number), not_json(error)) from None
    game = _head(games, rows[0] if rows else None, "record", file)
    known = {name: rows[0][name] for name in ("scenario", "armies", "options") if name in rows[0]}
    try:
        setup = game.validate(msgspec.convert(known, Setup))
    except msgspec.ValidationError as error:
        raise BadFile(file, line_place(1), quoted(str(error))) from None
    except BadFile as error:
        raise BadFile(file, line_place(1), error.said, error.tables) from None
    match: Match | None = None
    for number, row in enumerate(rows[1:], 2):
        place = line_place(number)
        match = _replay_row(game, setup, match, row, file, place)
        if verify and row.get("check") not in (None, digest(match.state)):
            raise BadFile(file, place, Message("record.other_state"))
    if match is None:
        raise BadFile(file, line_place(2), Message("record.setup"))
    return match


def _replay_row(game: Game, setup: Setup, match: Match | None, row: Any, file: str, place: Message) -> Match:
    dice = row.get("dice") if isinstance(row, dict) else None
    if not isinstance(dice, list) or not all(type(face) is int for face in dice):
        raise BadFile(file, place, Message("record.dice"))
    script = Scripted(dice)
    try:
        if match is None:
            match = Match.new(game, setup, script)
        else:
            decision = match.state.decision
            if decision is None:
                raise BadFile(file, place, Message("record.over"))
            expected, found = game.seats[decision.seat], row.get("seat")
            if found != expected:
                seats = Message("record.seat", {"expected": repr(expected), "found": repr(found)})
                raise BadFile(file, place, seats)
            match.play(parse_action(game, str(row.get("do", ""))), script)
    except NeedLuck:
        raise BadFile(file, place, Message("record.dice_missing")) from None
    except IllegalAction as error:
        reasons = Message("record.illegal", {"reasons": tuple(map(_reason, error.refusals))})
        raise BadFile(file, place, reasons, game.folder.messages) from None
    except (WrongLuck, BadAction) as error:
        raise BadFile(file, place, error.said) from None
    if script.unused:
        raise BadFile(file, place, Message("record.dice_left", {"number": script.unused}))
    return match


def _reason(refusal: Refusal) -> Message:
    """A refusal as a record tells it: with its clause, and with ids as the line has them."""
    reason = Message(refusal.key, refusal.values)
    return Message("record.reason", {"clause": refusal.clause, "reason": reason})


def entry_text(entry: Entry) -> str:
    """An entry as people write it: the action and the dice that fell."""
    words = say(entry.action) if entry.action else "set-up"
    return f"{words} [{' '.join(map(str, entry.dice))}]" if entry.dice else words
