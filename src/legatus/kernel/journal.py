"""Stored journals, of records and of databases: replayed, and compared with what they were.

A journal of an earlier edition of the rules may not lead where it led.  It is then replayed as far as it
does, and may go on from the position that was stored last; it is never shown differently without a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from .chance import NeedLuck, Scripted, WrongLuck
from .codec import BadAction, parse_action
from .errors import IllegalAction
from .files import BadFile
from .match import CannotUndo, Difference, Match, Resumption
from .model import Game, Refusal
from .positions import checked_state, digest, fingerprint
from .setup import Setup
from .words import Message

POSITION_EVERY = 50  # lines; between them positions are told only by the fingerprints


class Line(Struct, frozen=True):
    """One line of a stored journal; the first one is the set-up."""

    dice: Sequence[int] = ()
    seat: object = None  # the name of the seat
    do: str = ""  # the action
    check: str = ""  # the fingerprint of the state after it; empty: not known
    undo: bool = False  # the last action was taken back
    resumed: Resumption | None = None  # the match went on from a position
    row: int | None = None  # its number, where it is known
    apart: bool = False  # a row that changes no state: somebody joined
    unnoticed: bool = False  # by all but the seat that acted
    unfit: Message | None = None  # why it cannot even be read


class Differs(Exception):
    """A line does not lead where it led."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def replay(
    game: Game,
    setup: Setup,
    lines: Sequence[Line],
    edition: int,
    last: dict[str, Any] | None = None,
    verify: bool = True,
    keeps_secret: bool = False,
) -> Match:
    """The match that a journal tells, as far as it leads where it led; ``difference`` says if not to its end.

    ``last`` is the position stored with the last line.  ``verify`` compares every state with its fingerprint.
    A line that resumes from a position is reached also if those before it cannot be replayed.
    """
    match = Match(game, setup)
    match.states.keeps_secret = keeps_secret
    number = skipped = 0
    while number < len(lines):
        line = lines[number]
        try:
            follow(match, line, skipped, verify)
        except Differs as differs:
            later = (k for k in range(number + 1, len(lines)) if lines[k].resumed is not None)
            resumes = next(later, None)
            if resumes is None:
                match.difference = Difference(
                    edition=edition,
                    entry=len(match.journal),
                    line=number - skipped,
                    lines=len(lines),
                    reason=differs.reason,
                    position=last if _is_known(last, lines[-1].check) else None,
                )
                return match
            skipped += resumes - number
            number = resumes
        else:
            skipped = 0 if line.resumed is not None else skipped
            number += 1
    return match


def _is_known(position: dict[str, Any] | None, check: str) -> bool:
    """Whether a position is the one with this fingerprint."""
    try:
        return position is not None and fingerprint(msgspec.json.encode(position)) == check
    except (ValueError, RecursionError):  # files may hold what no state does, as half a character
        return False


def follow(match: Match, line: Line, skipped: int = 0, verify: bool = True) -> None:
    """Do what a line says; if it does not lead where it led, nothing was done, and Differs says why."""
    try:
        _do(match, line, skipped)
    except (MemoryError, OSError):
        raise
    except NeedLuck:
        raise Differs(Message("record.dice_missing")) from None
    except IllegalAction as error:
        reasons = tuple(map(_reason, error.refusals))
        raise Differs(Message("record.illegal", {"reasons": reasons})) from None
    except (WrongLuck, BadAction, BadFile) as error:
        raise Differs(error.said) from None
    except CannotUndo:
        raise Differs(Message("record.no_undo")) from None
    except Differs:
        raise
    except Exception as error:  # a rule met what it does not know
        raise Differs(Message("record.broken", {"problem": repr(error)})) from error
    if verify and line.check and line.check != digest(match.state):
        if not line.undo and not line.apart:
            match.drop()
        raise Differs(Message("record.other_state"))
    if line.unnoticed and not line.undo:
        match.states.hide()


def _do(match: Match, line: Line, skipped: int) -> None:
    game, script = match.game, Scripted(line.dice)
    if line.unfit is not None:
        raise Differs(line.unfit)
    if line.row is not None:
        match.rows = line.row
    if line.resumed is not None:
        checked_state(game, line.resumed.state, "", "position")
        match.resume(msgspec.structs.replace(line.resumed, lost=line.resumed.lost + skipped))
    elif line.apart:
        match.rows += 1
    elif not match.journal:
        match.begin(script)
    elif line.undo:
        match.undo(game.seats.index(str(line.seat)))
    else:
        decision = match.state.decision
        if decision is None:
            raise Differs(Message("record.over"))
        expected = game.seats[decision.seat]
        if line.seat != expected:
            raise Differs(Message("record.seat", {"expected": repr(expected), "found": repr(line.seat)}))
        match.play(parse_action(game, line.do), script)
    if script.unused:
        match.drop()
        raise Differs(Message("record.dice_left", {"number": script.unused}))


def _reason(refusal: Refusal) -> Message:
    """A refusal as a record tells it: with its clause, and with ids as the line has them."""
    reason = Message(refusal.key, refusal.values)
    return Message("record.reason", {"clause": refusal.clause, "reason": reason})


def resumption(match: Match) -> Resumption | None:
    """How a match that differs and is not over can go on: from the position stored last, if it is valid."""
    found = match.difference
    if found is None or found.position is None:
        return None
    try:
        state = checked_state(match.game, found.position, "", "position")
    except BadFile:
        return None
    return None if state.outcome is not None else Resumption(found.edition, found.lost, found.position)


def go_on(match: Match, resumed: Resumption) -> None:
    """Let a match that differs go on from a position."""
    match.resume(resumed)
    match.difference = None
