"""Are the bots honest?  Every decision of a bot is made again, by a new bot, from what its seat could see.

The notes in the head of a record say who sat where, and the seed: see ``docs/reference/files.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ..bots import HUMAN, UnknownBot, bot_name, decide, mood
from ..kernel import Complaint, Game, Match, Message, Seat, say
from ..kernel.codec import state_to_json
from ..kernel.commitment import SEEDED, Contribution, Scheme, bot_seed
from ..kernel.words import quoted
from .pool import Progress, spread

Hash: TypeAlias = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?$(?!\n)")]  # a SHA-256, or none
NOTES = ("seats", "seed", "scheme", "commitment", "contributions", "dice")


class CannotAudit(Complaint):
    """The record does not say what an audit needs."""


class Sitting(Struct, frozen=True, omit_defaults=True):
    """Who plays which seat, a bot or ``human``, and what the dice follow from."""

    seats: dict[str, str] = {}
    seed: int | str | None = None  # None: it has not been shown
    until: int | None = None  # of one that is over: the first entry that is not its own any more
    scheme: Scheme = SEEDED
    commitment: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?$(?!\n)")] = (
        ""  # the hash of the seed, as promised
    )
    contributions: tuple[Contribution, ...] = ()
    dice: str = "seeded"  # or by whom they were thrown: see docs/reference/files.md

    def bot(self, seat: str) -> str:
        """Who plays there, if it is a bot."""
        name = self.seats.get(seat, HUMAN)
        return "" if name == HUMAN else bot_name(name)

    def notes(self) -> dict[str, Any]:
        """As the head of a record has it."""
        notes: dict[str, Any] = msgspec.to_builtins(self)
        return notes

    @property
    def mind(self) -> int | str:
        """The seed that bots take their chance from."""
        return "" if self.seed is None else bot_seed(self.scheme, self.seed)


def sittings(head: dict[str, Any], game: Game) -> tuple[Sitting, ...]:
    """The notes of a record's head, for an audit: it needs to know who sat where, and every seed."""
    if not isinstance(head.get("seats"), dict):
        raise CannotAudit(Message("audit.seats"))
    if head.get("seed") is None:
        raise CannotAudit(Message("audit.seed"))
    found = noted_sittings(head, game)
    if any(one.seed is None for one in found):
        raise CannotAudit(Message("audit.seed"))
    return found


def noted_sittings(head: dict[str, Any], game: Game) -> tuple[Sitting, ...]:
    """The notes of a record's head, as far as there are any; those who played first are first."""
    notes = {name: head[name] for name in NOTES if head.get(name) is not None}
    try:
        before = msgspec.convert(head.get("before", ()), tuple[Sitting, ...])
        found = (*before, msgspec.convert(notes, Sitting))
        given = (contribution for one in found for contribution in one.contributions)
        for name in (*(name for one in found for name in one.seats), *(one.seat for one in given)):
            if name not in game.seats:
                known = tuple(map(repr, game.seats))
                raise _unreadable(Message("file.one_of", {"known": known, "found": repr(name)}))
        for one, name in product(found, game.seats):
            one.bot(name)
    except msgspec.ValidationError as error:
        raise _unreadable(quoted(str(error))) from None
    except UnknownBot as error:
        raise _unreadable(error.said) from None
    return found


def _unreadable(problem: Message) -> CannotAudit:
    return CannotAudit(Message("audit.notes", {"problem": problem}))


def sitting_at(sat: Sequence[Sitting], number: int) -> Sitting:
    """The one to which an entry belongs."""
    return next(one for one in sat if one.until is None or number < one.until)


class Question(Struct, frozen=True):
    """A decision of a bot: all that it may know, and what it did."""

    entry: int
    seat: Seat
    bot: str
    seed: int | str
    known: bytes  # the view of its seat, as JSON
    done: str


def question(match: Match, sat: Sequence[Sitting], number: int) -> Question | None:
    """What a bot decided by the entry ``number``, if it was a bot."""
    game, entry = match.game, match.journal[number]
    now = sitting_at(sat, number)
    bot = "" if entry.seat is None else now.bot(game.seats[entry.seat])
    if not bot or entry.seat is None or entry.action is None:
        return None
    known = state_to_json(game.view(match.states[number - 1], entry.seat))
    return Question(number, entry.seat, bot, now.mind, known, say(entry.action))


class Deed(Struct, frozen=True):
    """A decision of a bot that was made again."""

    entry: int
    seat: Seat
    bot: str
    done: str  # as recorded
    again: str  # what a new bot does

    @property
    def same(self) -> bool:
        return self.done == self.again


class Audit(Struct, frozen=True):
    """All decisions of bots in a match."""

    game: str
    deeds: tuple[Deed, ...]

    @property
    def broken(self) -> Deed | None:
        """The first one that does not follow from what its seat could see."""
        return next((deed for deed in self.deeds if not deed.same), None)

    def tally(self) -> dict[tuple[Seat, str], tuple[int, int]]:
        """For each seat and bot: how many decisions, and how many of them were reproduced."""
        found: dict[tuple[Seat, str], tuple[int, int]] = {}
        for deed in sorted(self.deeds, key=lambda deed: deed.seat):
            made, same = found.get((deed.seat, deed.bot), (0, 0))
            found[deed.seat, deed.bot] = (made + 1, same + deed.same)
        return found


class Hearing:
    """Bots who are asked again, as a function of the question's number."""

    def __init__(self, game: Game, asked: Sequence[Question]) -> None:
        self.game, self.asked = game, asked

    def __call__(self, number: int) -> Deed:
        one = self.asked[number]
        choice = decide(one.bot, self.game, one.known, one.seat, mood(one.seed, one.entry))
        return Deed(one.entry, one.seat, one.bot, one.done, say(choice.action))


def audit(
    match: Match,
    sat: Sequence[Sitting],
    seat: Seat | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Audit:
    """Ask all bots of a match again, or that of one seat; on several processes.  Ctrl-C goes through."""
    numbers = [n for n, entry in enumerate(match.journal) if seat in (None, entry.seat)]
    asked = [one for n in numbers if (one := question(match, sat, n)) is not None]
    if not asked:
        raise CannotAudit(Message("audit.nobody"))
    deeds, interrupted = spread(Hearing(match.game, asked), len(asked), jobs, progress)
    if interrupted:
        raise KeyboardInterrupt
    return Audit(match.game.key, tuple(deeds))
