"""Records: a whole match as a file.  Positions are in ``positions``.

Everything is validated on the way in: a BadFile names the file, the place and what was expected there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from .codec import say, state_from, state_to_json
from .commitment import LAST_ROW
from .files import BadFile, line_place, misfit, parse_json, wrong_edition
from .journal import POSITION_EVERY, Line, replay
from .match import Entry, Match, Resumption
from .model import Game
from .positions import (
    VERSIONS,
    checked_state,
    digest,
    fingerprint,
    parse_position,
    position_text,
    read_head,
)
from .setup import Branch, Setup
from .words import Message, Values, quoted

__all__ = [
    "digest",
    "entry_text",
    "parse_position",
    "parse_record",
    "position_text",
    "record_head",
    "record_line",
    "record_text",
    "state_from",
    "state_to_json",
]

VERSION = VERSIONS["record"][-1]
BRANCHED = 2  # of records without an edition: one that begins at a position of another match


# --- writing -------------------------------------------------------------------------------------


def record_text(match: Match, **notes: Any) -> str:
    """A match as JSON Lines: a head, the set-up, then one readable line an entry with its dice."""
    last = len(match.journal) - 1
    lines = [record_line(match, number, number == last) for number in range(last + 1)]
    return "\n".join([record_head(match, **notes), *lines]) + "\n"


def record_head(match: Match, **notes: Any) -> str:
    game, setup = match.game, msgspec.to_builtins(match.setup)
    del setup["edition"]
    if setup["branch"] is None:
        del setup["branch"]
    head = {"legatus": "record", "version": VERSION, "game": game.key, "edition": game.edition}
    return json.dumps({**head, **setup, **notes}, ensure_ascii=False)


def record_line(match: Match, number: int, is_last: bool) -> str:
    """An entry with the fingerprint of its state; every 50th and the last one have the position too."""
    entry, state = match.journal[number], match.states[number]
    line: dict[str, Any] = {}
    if entry.seat is not None and entry.action is not None:
        line = {"seat": match.game.seats[entry.seat], "do": say(entry.action)}
    elif entry.resumed is not None:
        line = {"resumed": {"edition": entry.resumed.edition, "lost": entry.resumed.lost}}
    encoded = state_to_json(state)
    if entry.row != (match.journal[number - 1].row + 1 if number else 0):  # rows between are not entries
        line["row"] = entry.row
    text = json.dumps({**line, "dice": entry.dice, "check": fingerprint(encoded)}, ensure_ascii=False)
    if is_last or entry.resumed is not None or (number and number % POSITION_EVERY == 0):
        text = f'{text[:-1]}, "position": {encoded.decode()}}}'
    return text


# --- reading -------------------------------------------------------------------------------------


def parse_record(games: Mapping[str, Game], text: str, file: str = "record", verify: bool = True) -> Match:
    """The match that a record tells, replayed; ``verify`` compares every state with its fingerprint.

    A record of an earlier edition is shown as far as it leads where it led: see ``Match.difference``.
    """
    first, *others = text.removesuffix("\n").split("\n")  # JSON may hold other line ends
    rows: list[Any] = [parse_json(first, file, line_place(1))]
    game, edition = read_head(games, rows[0], "record", file)  # before others are read: there may be many
    rows += (parse_json(row, file, line_place(number)) for number, row in enumerate(others, 2))
    resumed = len(rows) > 1 and isinstance(rows[1], dict) and "resumed" in rows[1]
    setup = _setup(game, rows[0], edition, file, resumed)
    lines: list[Line] = []
    for place, row in enumerate(rows[1:]):
        last_row = lines[-1].row if lines else None
        lines.append(_line(game, row, place, -1 if last_row is None else last_row, file))
    if not lines:
        raise BadFile(file, line_place(2), Message("record.setup"))
    last = rows[-1].get("position")
    match = replay(game, setup, lines, edition, last if isinstance(last, dict) else None, verify)
    found = match.difference
    if found is not None and edition == game.edition:
        raise BadFile(file, line_place(found.line + 2), found.reason, game.folder.messages)
    if found is not None and not match.journal:
        values: Values = {"edition": game.edition, "before": edition, "reason": found.reason}
        raise BadFile(file, line_place(2), Message("record.not_begun", values), game.folder.messages)
    return match


def _setup(game: Game, head: dict[str, Any], edition: int, file: str, resumed: bool) -> Setup:
    """Where a record begins; if its first line is ``resumed``, the set-up need not be possible any more."""
    known: dict[str, Any] = {name: head[name] for name in ("scenario", "armies", "options") if name in head}
    try:
        setup = msgspec.convert({**known, "edition": edition}, Setup)
        setup = game.validate(setup)
    except msgspec.ValidationError as error:
        raise BadFile(file, line_place(1), quoted(str(error))) from None
    except BadFile as error:
        if not resumed:
            raise BadFile(file, line_place(1), error.said, error.tables) from None
    if head["version"] == BRANCHED or (head["version"] == VERSION and "branch" in head):
        return replace(setup, branch=_branch(game, head.get("branch"), file, resumed))
    return setup


def _branch(game: Game, raw: Any, file: str, resumed: bool) -> Branch:
    """The position of another match at which a record begins."""
    try:
        branch = msgspec.convert(raw, Branch)
    except msgspec.ValidationError as error:
        problem, where = misfit(error)
        raise BadFile(file, _in_head(f"branch.{where}".rstrip(".")), problem) from None
    if branch.seat not in game.seats:
        known, found = tuple(map(repr, game.seats)), repr(branch.seat)
        raise BadFile(file, _in_head("branch.seat"), Message("file.one_of", {"known": known, "found": found}))
    if not resumed:
        checked_state(game, branch.state, file, _in_head("branch.state"))
    return branch


def _in_head(path: str) -> Message:
    return Message("file.line_at", {"line": 1, "path": path})


def _line(game: Game, row: Any, number: int, last_row: int, file: str) -> Line:
    """A line of the right shape; whether it can be played is another question."""
    place = line_place(number + 2)
    dice = row.get("dice") if isinstance(row, dict) else None
    if not isinstance(dice, list) or not all(type(face) is int for face in dice):
        raise BadFile(file, place, Message("record.dice"))
    its_row = row.get("row", last_row + 1)
    if type(its_row) is not int or not last_row < its_row <= LAST_ROW:
        raise BadFile(file, place, Message("record.row", {"last": last_row, "found": repr(its_row)}))
    resumed = None
    if "resumed" in row:
        try:
            raw = {**row["resumed"], "state": row.get("position")}
            resumed = msgspec.convert(raw, Resumption)
        except (TypeError, msgspec.ValidationError):
            raise BadFile(file, place, Message("record.resumed")) from None
        if not 1 <= resumed.edition <= game.edition:
            raise BadFile(file, place, wrong_edition(game.edition, resumed.edition))
        if resumed.lost < 0:
            raise BadFile(file, place, Message("record.resumed"))
    check = row.get("check")
    return Line(
        dice=dice,
        seat=row.get("seat"),
        do=str(row.get("do", "")),
        check="" if check is None else str(check),
        resumed=resumed,
        row=its_row,
    )


def entry_text(entry: Entry) -> str:
    """An entry as people write it: the action and the dice that fell."""
    words = say(entry.action) if entry.action else "set-up"
    return f"{words} [{' '.join(map(str, entry.dice))}]" if entry.dice else words
