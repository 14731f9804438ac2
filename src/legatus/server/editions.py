"""What becomes of stored matches when the rules have changed: they go on, are resumed, or are closed.

A match is replayed and compared with its fingerprints.  Where it leads elsewhere than it did, it goes on from
its stored position if that is a valid one, and says so in its log; or it is closed, and stays readable up to
there.  ``legatus upgrade --check`` asks ``judge`` beforehand what a server does when it loads a match.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..games import GAMES
from ..kernel import Complaint, Game, Match, Message, Setup, State
from ..kernel.codec import state_to_json
from ..kernel.journal import POSITION_EVERY, Line, resumption
from ..kernel.journal import replay as replay_lines
from ..kernel.match import Difference, Resumption
from ..kernel.positions import fingerprint
from .store import CONTRIBUTE, RESUMED, UNDO, MatchRow, Row, Standing, Stored

Fate = Literal["same", "unverified", "resumed", "closed", "shown", "lost", "newer"]
"""What becomes of a match.

same: it replays to the states that it had.
unverified: nothing speaks against it, but rows of version 0.1 have no fingerprints.
resumed: it goes on from its stored position.
closed: it cannot be gone on with, and is shown up to where it differs.
shown: it was over, and is shown up to there.
lost: nothing of it can be shown.
newer: a later version has made it.
"""


class Closed(Struct, frozen=True):
    """Why a match cannot be gone on with, as the database holds it."""

    before: int  # the edition that it was played by
    edition: int  # the one that closed it
    entries: int  # that can be shown
    lost: int  # that cannot
    reason: Literal["rules", "length"] = "rules"  # they have changed; or it was too long to go on


def closed_of(head: MatchRow) -> Closed | None:
    """Why a match was closed; None also if that cannot be read."""
    try:
        return msgspec.json.decode(head.closed or "null", type=Closed | None)
    except msgspec.MsgspecError:
        return None


class Judged(Struct, frozen=True):
    """A match as this version reads it."""

    fate: Fate
    match: Match | None
    before: int  # the edition that it was played by until now

    @property
    def closed(self) -> Closed | None:
        """What is not shown, and why."""
        found = self.match.difference if self.match is not None else None
        if self.match is None or found is None:
            return None
        return Closed(found.edition, self.match.game.edition, found.entry, found.lost)


def dice_of(row: Row) -> tuple[int, ...]:
    return msgspec.json.decode(row.dice, type=tuple[int, ...])


def is_unnoticed(row: Row) -> bool:
    """Whether a row has an entry that nobody noticed but the seat that acted."""
    has_entry = row.do != UNDO and not row.do.startswith((CONTRIBUTE, RESUMED))
    return has_entry and row.seat is not None and row.noticed == 1 << row.seat


def line_of(row: Row, seats: tuple[str, ...]) -> Line:
    """A row as the kernel replays it; one that cannot be read says why."""
    try:
        return Line(
            dice=dice_of(row),
            seat=None if row.seat is None else seats[row.seat],
            do=row.do,
            check=row.check,
            undo=row.do == UNDO,
            resumed=_resumed(row) if row.do.startswith(RESUMED) else None,
            row=row.number,
            apart=row.do.startswith(CONTRIBUTE),
            unnoticed=is_unnoticed(row),
        )
    except (ValueError, IndexError, TypeError) as error:
        return Line(check=row.check, unfit=_unfit(error))


def resumed_text(resumed: Resumption, lost: int) -> str:
    """How a row says that a match goes on from its position.

    ``lost`` are entries of which the journal has no rows; those that it has are counted when it is replayed.
    """
    return f"{RESUMED}{resumed.edition}" + (f" {lost}" if lost else "")


def _resumed(row: Row) -> Resumption:
    edition, _, lost = row.do.removeprefix(RESUMED).partition(" ")
    return Resumption(int(edition), int(lost or 0), msgspec.json.decode(row.position or "{}"))


def _unfit(error: Exception) -> Message:
    return error.said if isinstance(error, Complaint) else Message("text", {"text": repr(error)})


class Mark(Struct, frozen=True):
    """A state as the database keeps it, encoded once: its fingerprint, and the position as JSON."""

    check: str
    position: str

    @classmethod
    def of(cls, state: State) -> Mark:
        encoded = state_to_json(state)
        return cls(fingerprint(encoded), encoded.decode())

    def in_row(self, number: int) -> str | None:
        """The position, if a row of this number keeps it."""
        return self.position if number and number % POSITION_EVERY == 0 else None


def standing_of(state: State, mark: Mark | None = None) -> Standing:
    turn = state.decision.seat if state.decision else None
    winner = state.outcome.winner if state.outcome else None
    return Standing(turn, state.outcome is not None, winner, mark.position if mark else None)


def judge(stored: Stored) -> Judged:
    """Replay a match and say what becomes of it; nothing is written."""
    head, game = stored.head, GAMES.get(stored.head.game)
    if game is None or head.edition > game.edition:
        return Judged("newer", None, head.edition)
    match = _replayed(stored, game)
    if match.difference is None:
        verified = all(row.check for row in stored.rows)
        return Judged("same" if verified else "unverified", match, head.edition)
    if not head.over and head.closed is None and resumption(match) is not None:
        return Judged("resumed", match, head.edition)
    if not match.journal:
        return Judged("lost", match, head.edition)
    return Judged("shown" if head.over and head.closed is None else "closed", match, head.edition)


class Names(Struct, frozen=True):
    """What a scenario is called."""

    name: str = ""
    name_fr: str = ""
    text: str = ""
    text_fr: str = ""

    def told(self, key: str, lang: str) -> str:
        """Its name or its text in a language, as far as it has it."""
        return str(getattr(self, f"{key}_{lang}", "") or getattr(self, key))


class Parting(Struct, frozen=True):
    """Where a match left another one."""

    of: str
    entry: int
    seat: str
    dealt: bool


class Summary(Struct, frozen=True):
    """What is told of a set-up: read without its map and without the position of a branch."""

    scenario: Names = Names()
    branch: Parting | None = None
    edition: int = 1


def summary_of(head: MatchRow) -> Summary:
    """The summary of the set-up as it is stored; an empty one if it cannot be read."""
    try:
        return msgspec.json.decode(head.setup, type=Summary)
    except msgspec.MsgspecError:
        return Summary()


def setup_of(head: MatchRow) -> Setup:
    """The set-up as it is stored; an empty one if it cannot be read."""
    try:
        return msgspec.json.decode(head.setup, type=Setup)
    except msgspec.MsgspecError:
        return Setup({})


def _replayed(stored: Stored, game: Game) -> Match:
    head, setup = stored.head, setup_of(stored.head)
    lines = [line_of(row, game.seats) for row in stored.rows] or [Line(unfit=Message("record.setup"))]
    try:
        setup = replace(game.validate(setup), branch=setup.branch)
    except (MemoryError, OSError):
        raise
    except Exception as error:  # what was a set-up is none any more
        if lines[0].resumed is None:
            lines[0] = replace(lines[0], unfit=_unfit(error))
    in_play = game.has_secrets and not head.replay and not head.over
    match = replay_lines(game, setup, lines, head.edition, _last(stored), keeps_secret=in_play)
    if match.difference is None and not lines[-1].check:
        _doubt(match, head, len(lines))
    return match


def _last(stored: Stored) -> dict[str, Any] | None:
    """The position after the last row, if there is one that can be read."""
    try:
        return msgspec.json.decode(stored.position or "null", type=dict[str, Any] | None)
    except msgspec.MsgspecError:
        return None


def _doubt(match: Match, head: MatchRow, lines: int) -> None:
    """Rows without fingerprints that nothing refuses: they must lead at least to what lists show.

    Where they do not, the last entry is not what it was.  What was closed is not shown further than then.
    """
    entries, lost = len(match.journal), 0
    closed = closed_of(head)
    if closed is not None:
        entries, lost = closed.entries, closed.lost
    elif head.closed is None and not _stands(head, match.state):
        entries, lost = max(entries - 1, 1), 1
    if lost and entries <= len(match.journal):
        while len(match.journal) > entries:
            match.drop()
        reason = Message("record.other_state")
        match.difference = Difference(head.edition, entries, lines - lost, lines, reason)


def _stands(head: MatchRow, state: State) -> bool:
    """Whether a state can be the one that a match had: version 0.1 kept only who is to decide, or has won."""
    turn = state.decision.seat if state.decision else None
    winner = state.outcome.winner if state.outcome else None
    if head.replay:
        return head.winner == winner
    return (head.turn, head.over, head.winner) == (turn, state.outcome is not None, winner)
