"""Positions and records: a moment of a game and a whole match as files.

Everything is validated on the way in: a BadFile names the file, the place and what was expected there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2s
from typing import Any

import msgspec
from msgspec.structs import replace

from .chance import NeedLuck, Scripted, WrongLuck
from .codec import BadAction, parse_action, say, state_from, state_to_json
from .engine import IllegalAction, legal
from .files import BadFile, line_place, misfit, not_json
from .match import Entry, Match
from .model import Branch, Game, Refusal, Setup, State
from .words import Message, quoted

VERSIONS = {"record": (1, 2), "position": (1,)}  # that are read; a change comes with a migration
VERSION = 1  # of positions, and of records that begin with a set-up: those of 1 are read as they are
BRANCHED = 2  # of records that begin at a position of another match


def _head(games: dict[str, Game], raw: Any, kind: str, file: str) -> Game:
    if not isinstance(raw, dict) or raw.get("legatus") != kind:
        raise BadFile(file, "", Message(f"{kind}.head"))
    known, version = VERSIONS[kind], raw.get("version")
    if version not in known or type(version) is not int:
        expected = Message("file.or", {"last": known[-1], "others": known[:-1]}) if known[1:] else known[0]
        raise BadFile(
            file, "version", Message("file.expected", {"expected": expected, "found": repr(version)})
        )
    key = str(raw.get("game"))
    if key not in games:
        raise BadFile(file, "game", Message("file.one_of", {"known": tuple(games), "found": repr(key)}))
    return games[key]


# --- positions -----------------------------------------------------------------------------------


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
    return game, _checked(game, raw.get("state"), file, "state")


def _checked(game: Game, raw: Any, file: str, place: str | Message) -> Any:
    """A state that can be played on, or is over; a BadFile says why it is none."""
    if not isinstance(raw, dict):
        raise BadFile(file, place, Message("position.state"))
    try:
        state = state_from(game, raw)
        fault = next(_faults(game, state), None)
    except msgspec.ValidationError as error:
        problem, where = misfit(error)
        whole = place if isinstance(place, Message) else f"{place} {where}".strip()
        raise BadFile(file, whole, problem) from None
    except Exception as error:
        odd = Message("position.not_of", {"game": game.key, "problem": repr(error)})
        raise BadFile(file, place, odd) from None
    if fault is not None:
        raise BadFile(file, place, Message("position.impossible", {"problem": fault}))
    return state


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
    setup = msgspec.to_builtins(match.setup)
    if setup["branch"] is None:
        del setup["branch"]
    version = BRANCHED if "branch" in setup else VERSION
    head: dict[str, Any] = {"legatus": "record", "version": version, "game": game.key, **setup, **notes}
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
    if rows[0]["version"] == BRANCHED:
        setup = replace(setup, branch=_branch(game, rows[0].get("branch"), file))
    match: Match | None = None
    for number, row in enumerate(rows[1:], 2):
        place = line_place(number)
        match = _replay_row(game, setup, match, row, file, place)
        if verify and row.get("check") not in (None, digest(match.state)):
            raise BadFile(file, place, Message("record.other_state"))
    if match is None:
        raise BadFile(file, line_place(2), Message("record.setup"))
    return match


def _branch(game: Game, raw: Any, file: str) -> Branch:
    """Where a record of version 2 begins."""
    try:
        branch = msgspec.convert(raw, Branch)
    except msgspec.ValidationError as error:
        problem, where = misfit(error)
        raise BadFile(file, _in_head(f"branch.{where}".rstrip(".")), problem) from None
    if branch.seat not in game.seats:
        known, found = tuple(map(repr, game.seats)), repr(branch.seat)
        raise BadFile(file, _in_head("branch.seat"), Message("file.one_of", {"known": known, "found": found}))
    _checked(game, branch.state, file, _in_head("branch.state"))
    return branch


def _in_head(path: str) -> Message:
    return Message("file.line_at", {"line": 1, "path": path})


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
