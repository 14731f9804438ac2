"""Did the dice fall as they had to?  Every die and card of a record is recomputed and compared.

The head of a record says what they follow from: see ``docs/concepts/luck.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from ..bots import HUMAN
from ..kernel import Dice, Luck, Match, Message, Scripted, apply, say, start
from ..kernel.commitment import SEEDED, Contribution, commitment_of, dice_of
from ..kernel.match import Entry
from ..kernel.words import Plain
from .audit import CannotAudit, Sitting, noted_sittings, sitting_at

Finding = Literal[
    "verified",
    "differs",
    "commitment",
    "contribution",
    "nobody",
    "scheme",
    "unpromised",
    "position",
    "unfinished",
    "unrevealed",
    "missing",
    "typed",
    "unnumbered",
    "unreadable",
]
"""What a verification found.

verified: all dice are as they had to be, from the set-up to the end of the match.
differs: a die or a card is not.
commitment: the seed is not the one that was promised.
contribution: dice fell without what somebody says that he contributed.
nobody: dice follow from something contributed at a seat at which no person sat.
scheme: a promise or contributions are noted, but dice are said to fall by the scheme that has neither.
unpromised: all dice follow from the seed, but nothing was promised.
position: they do, but the record begins at a position, or goes on from one: nothing up to it is proven.
unfinished: they do, but the match is not over in this record: what followed may have been left out.
unrevealed: the match is not over, and its seed is secret.
missing: the record does not say what its dice follow from.
typed: people threw or drew some of it themselves, or all; the others are as they had to be.
unnumbered: it was written by an earlier version, and does not say which actions were taken back.
unreadable: the rules have changed, and not all of it can be replayed.
"""


Fallen: TypeAlias = tuple[int, int, Sitting]
"""A row, how many of its dice were recomputed, and who sat there then."""

PARTLY: tuple[Finding, ...] = ("typed", "unpromised", "position", "unfinished")
"""Findings with which no die was found to be another, but less is proven; of several the first one."""


class Early(Struct, frozen=True):
    """Dice that fell before somebody had contributed; ``dice`` of 0: he contributed nothing at all."""

    seat: str
    dice: int


class Given(Struct, frozen=True):
    """What somebody contributed, and the rows whose dice follow from it."""

    seat: str
    row: int  # the first one
    text: str
    until: int | None = None  # the last one, if dice fell without it later


class Verdict(Struct, frozen=True):
    """What came of a verification; of several findings the first one."""

    finding: Finding
    entries: int  # of the record
    dice: int = 0  # dice and cards that were recomputed
    typed: int = 0  # that people threw or drew
    gaps: int = 0  # rows that are not in the record
    early: tuple[Early, ...] = ()  # before a seat had contributed
    silent: tuple[str, ...] = ()  # seats of people who contributed nothing
    scheme: str = SEEDED
    commitment: str = ""
    entry: int | None = None  # the first that differs
    do: str = ""
    expected: tuple[int, ...] = ()
    found: tuple[int, ...] = ()
    other: str = ""  # the hash of a seed that was not promised
    contribution: str = ""  # from which dice do not follow
    given: tuple[Given, ...] = ()  # what dice follow from beside the seed
    seat: str = ""  # at which no person sat
    position: int | None = None  # the last entry that is a position, which no dice led to
    also: tuple[Finding, ...] = ()  # what holds besides the finding, of those with which all dice are right

    @property
    def good(self) -> bool:
        return self.finding == "verified"

    def said(self) -> list[Message]:
        """What it found in sentences, the most important one first."""
        values: dict[str, Any] = {
            "entries": self.entries,
            "dice": self.dice,
            "n": self.typed,
            "scheme": Plain(self.scheme),
            "commitment": Plain(self.commitment),
            "contribution": Plain(self.contribution),
            "entry": -1 if self.entry is None else self.entry,
            "do": Plain(self.do),
            "seat": self.seat,
            "position": -1 if self.position is None else self.position,
            "expected": Plain(" ".join(map(str, self.expected))),
            "found": Plain(self.other or " ".join(map(str, self.found))),
        }
        lines = [Message("verify.partly", values)] if self.finding in PARTLY and self.dice else []
        lines += [Message(f"verify.{one}", values) for one in (self.finding, *self.also)]
        if self.typed and self.finding != "typed":
            lines.append(Message("verify.typed", {"n": self.typed}))
        for one in self.given:
            rows = {"row": one.row, "until": one.row if one.until is None else one.until}
            key = "verify.given" if one.until is None else "verify.given_until"
            lines.append(Message(key, {"seat": one.seat, "text": Plain(one.text), **rows}))
        lines += [Message("verify.early", {"seat": one.seat, "n": one.dice}) for one in self.early]
        lines += [Message("verify.silent", {"seat": seat}) for seat in self.silent]
        if self.gaps:
            lines.append(Message("verify.gaps", {"n": self.gaps}))
        return lines


class _Other(Exception):
    """A die is not what it had to be."""

    def __init__(self, expected: Sequence[int], found: Sequence[int]) -> None:
        super().__init__("other dice")
        self.expected, self.found = tuple(expected), tuple(found)


class _Compared(Dice):
    """The dice of a record, each compared with what it had to be unless somebody threw it himself."""

    def __init__(self, recorded: Sequence[int], own: Dice, dice_typed: bool, draws_typed: bool) -> None:
        self.recorded, self.own = Scripted(recorded), own
        self.dice_typed, self.draws_typed = dice_typed, draws_typed
        self.same = self.typed = 0

    def answer(self, luck: Luck) -> list[int]:
        found = self.recorded.answer(luck)
        if self.draws_typed if luck.weights else self.dice_typed:
            self.typed += len(found)
            return found
        expected = self.own.answer(luck)
        if expected != found:
            raise _Other(expected, found)
        self.same += len(found)
        return found


def verify(
    match: Match, head: dict[str, Any], noted: Sequence[str] = (), given: Sequence[str] = ()
) -> Verdict:
    """Recompute the dice of a record that was replayed; ``head`` is its first line.

    ``noted`` are the commitments that somebody noted when the match began: every die must follow from one of
    them.  ``given`` is what he contributed: every die must follow from that, too, unless it fell before.
    ``TEXT@ROW`` says that it counts from a row that he noted: then none may fall without it from there on.
    ``SEAT=TEXT`` says that it is the contribution of that seat: that of another one is not his.
    """
    entries = len(match.journal)
    try:
        sat = noted_sittings(head, match.game)
    except CannotAudit:
        return Verdict("missing", entries)
    last = sat[-1]
    told = Verdict("missing", entries, scheme=last.scheme, commitment=last.commitment)
    strange = [promised for promised in noted if promised not in [one.commitment for one in sat]]
    if strange:
        return _with(told, "commitment", commitment=strange[0], other=last.commitment or "-")
    for one in sat:
        if one.seed is not None and one.commitment and commitment_of(one.seed) != one.commitment:
            return _with(told, "commitment", commitment=one.commitment, other=commitment_of(one.seed))
        if one.seed is None and one.commitment and _thrown_by_people(one) < 2:
            return _with(told, "unrevealed", commitment=one.commitment)
        if one.scheme != SEEDED and not one.commitment:
            return told
        if one.scheme == SEEDED and one.seed is not None and (one.commitment or one.contributions):
            return _with(told, "scheme", scheme=one.scheme)
    return _compare(match, sat, told, head, noted, given)


def _with(told: Verdict, finding: Finding, **values: Any) -> Verdict:
    return Verdict(
        **{**{name: getattr(told, name) for name in told.__struct_fields__}, "finding": finding, **values}
    )


def _thrown_by_people(sat: Sitting) -> int:
    """0: nothing; 1: some of it; 2: all of it."""
    return {"seeded": 0, "dice": 1, "all": 1}.get(sat.dice, 2)


def _typed(match: Match, sat: Sitting, entry: Entry) -> tuple[bool, bool]:
    """Whether people threw the dice of an entry, and whether they drew its cards."""
    by = _thrown_by_people(sat)
    if by != 1:
        return by == 2, by == 2
    human = entry.seat is not None and not sat.bot(match.game.seats[entry.seat])
    return human, human and sat.dice == "all"


def _compare(
    match: Match,
    sat: Sequence[Sitting],
    told: Verdict,
    head: dict[str, Any],
    noted: Sequence[str],
    given: Sequence[str],
) -> Verdict:
    same = typed = 0
    fell: list[Fallen] = []
    for number, entry in enumerate(match.journal):
        one = sitting_at(sat, number)
        if not entry.dice:
            continue
        by_hand = _typed(match, one, entry)
        if one.seed is None and not all(by_hand):
            return told
        own = dice_of(one.scheme, one.seed or 0, entry.row, one.contributions, match.game.seats)
        dice = _Compared(entry.dice, own, *by_hand)
        try:
            _again(match, number, dice)
        except _Other as other:
            finding: Finding = "differs" if "scheme" in head else "unnumbered"
            do = say(entry.action) if entry.action else ""
            values = {"entry": number, "do": do, "expected": other.expected, "found": other.found}
            return _with(told, finding, dice=same, typed=typed, **values)
        same, typed = same + dice.same, typed + dice.typed
        if dice.same:
            fell.append((entry.row, dice.same, one))
    strange = next((one.commitment or "-" for _, _, one in fell if noted and one.commitment not in noted), "")
    if strange:
        return _with(told, "commitment", commitment=noted[0], other=strange, dice=same, typed=typed)
    entered = _entered(match, sat, fell)
    lost = _lost(given, fell, [run for run in entered if _is_of_a_person(match, run.given, sat)])
    if lost is not None:
        return _with(told, "contribution", contribution=lost, dice=same, typed=typed)
    nobody = next((run.given for run in entered if not _is_of_a_person(match, run.given, sat)), None)
    if nobody is not None:
        values = {"seat": nobody.seat, "contribution": nobody.text}
        return _with(told, "nobody", dice=same, typed=typed, **values)
    rows = [entry.row for entry in match.journal]
    gaps = rows[-1] + 1 - len(rows) if rows else 0
    texts = tuple(Given(run.given.seat, run.row, run.given.text, run.until) for run in entered)
    values = {"dice": same, "typed": typed, "gaps": gaps, "given": texts, **_given(match, fell, entered)}
    if match.difference is not None or "cut" in head:
        return _with(told, "unreadable", **values)
    partly = _partly(match, fell, sat, typed)
    values = {**values, "position": _position(match), "also": partly[1:]}
    return _with(told, partly[0] if partly else "verified", **values)


def _partly(match: Match, fell: Sequence[Fallen], sat: Sequence[Sitting], typed: int) -> tuple[Finding, ...]:
    """Why less is proven although no die was found to be another."""
    followed = [one for _, _, one in fell] or ([] if typed else sat)
    holds = {
        "typed": typed > 0,
        "unpromised": any(not one.commitment for one in followed),
        "position": _position(match) is not None,
        "unfinished": match.state.outcome is None,
    }
    return tuple(one for one in PARTLY if holds[one])


def _position(match: Match) -> int | None:
    """The last entry at which a match stands without having been led there by its dice."""
    resumed = (number for number, entry in enumerate(match.journal) if entry.resumed is not None)
    return max(resumed, default=None if match.setup.branch is None else 0)


class _Run:
    """Dice one after the other that follow from the same contribution of a seat."""

    def __init__(self, given: Contribution, row: int, first: int) -> None:
        self.given, self.row, self.first = given, row, first
        self.until: int | None = None


def _counting(fell: Sequence[Fallen]) -> list[dict[str, Contribution]]:
    """For all dice what they follow from, by seat: the first contribution of each, from its row on."""
    firsts: dict[int, list[Contribution]] = {}
    found = []
    for row, _, one in fell:
        if id(one) not in firsts:
            first: dict[str, Contribution] = {}
            for given in sorted(one.contributions, key=lambda given: given.row):
                first.setdefault(given.seat, given)
            firsts[id(one)] = [] if one.scheme == SEEDED else list(first.values())
        found.append({given.seat: given for given in firsts[id(one)] if given.row <= row})
    return found


def _entered(match: Match, sat: Sequence[Sitting], fell: Sequence[Fallen]) -> list[_Run]:
    """The contributions from which dice follow, in seat order, with the rows in which they do."""
    counting, runs = _counting(fell), []
    begins: dict[int, int] = {}  # the first row of each seating
    for number, entry in enumerate(match.journal):
        begins.setdefault(id(sitting_at(sat, number)), entry.row)
    for seat in match.game.seats:
        run: _Run | None = None
        for n, now in enumerate(counting):
            given = now.get(seat)
            if run is not None and (given is None or given.text != run.given.text):
                run.until, run = fell[n - 1][0], None
            if run is None and given is not None:
                run = _Run(given, max(given.row, begins[id(fell[n][2])]), n)
                runs.append(run)
    return runs


def _is_of_a_person(match: Match, given: Contribution, sat: Sequence[Sitting]) -> bool:
    """True if a person sat there, and contributed this, at the row from which it counts.

    Only who sat there then matters: a seating that lasted for no entry proves nothing.
    """
    number = next((n for n, entry in enumerate(match.journal) if entry.row >= given.row), len(match.journal))
    then = sitting_at(sat, number)
    return then.seats.get(given.seat) == HUMAN and given in then.contributions


def _lost(given: Sequence[str], fell: Sequence[Fallen], runs: Sequence[_Run]) -> str | None:
    """The first of somebody's contributions from which dice do not follow although they had to."""
    counting = _counting(fell)
    at: dict[str, list[tuple[int, str]]] = {}  # by seat: what has to count there, and from which row on
    places: list[tuple[str, list[str]]] = []  # what was contributed, and at which seats it is found
    for seat, text, row in map(_parted, given):
        mine = [
            run
            for run in runs
            if run.given.text == text and seat in ("", run.given.seat) and (row is None or run.row <= row)
        ]
        if not mine:
            return text
        for run in mine:
            at.setdefault(run.given.seat, []).append((fell[run.first][0] if row is None else row, text))
        places.append((text, [run.given.seat for run in mine]))
    without = {seat: _first_without(seat, theirs, fell, counting) for seat, theirs in at.items()}
    for _, seats in places:
        lost = [without[seat] for seat in seats]
        if None not in lost:
            return lost[0]
    return None


def _first_without(
    seat: str,
    noted: Sequence[tuple[int, str]],
    fell: Sequence[Fallen],
    counting: Sequence[dict[str, Contribution]],
) -> str | None:
    """What a die of its row, or of a later one, does not follow from; nor from what replaced it later."""
    for (row, _, _), now in zip(fell, counting, strict=True):
        due = max(((begin, text) for begin, text in noted if begin <= row), default=None)
        if due is not None:
            found = now[seat].text if seat in now else ""
            if found not in [text for begin, text in noted if begin >= due[0]]:
                return due[1]
    return None


def _parted(given: str) -> tuple[str, str, int | None]:
    """``SEAT=TEXT@ROW`` in its parts; a contribution has no such signs in it."""
    before, _, row = given.partition("@")
    seat, _, text = before.rpartition("=")
    return seat, text, int(row) if row.isdecimal() else None


def _again(match: Match, number: int, dice: Dice) -> None:
    """Carry an entry out once more."""
    action = match.journal[number].action
    if action is None:
        start(match.game, match.setup, dice)
    else:
        apply(match.states[number - 1], action, dice)


def _given(match: Match, fell: Sequence[Fallen], entered: Sequence[_Run]) -> dict[str, Any]:
    """Which seats contributed late, and at which people contributed nothing."""
    first: dict[str, int] = {}
    for run in entered:
        first.setdefault(run.given.seat, run.first)
    early = {seat: sum(dice for _, dice, _ in fell[: first[seat]]) for seat in first}
    silent = [
        seat
        for seat in match.game.seats
        if seat not in first and any(one.scheme != SEEDED and not one.bot(seat) for _, _, one in fell)
    ]
    return {"early": tuple(Early(seat, n) for seat, n in early.items() if n), "silent": tuple(silent)}
