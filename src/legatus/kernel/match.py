"""A match is its journal; the states are only a cache of it."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from typing import Any, cast, overload

from msgspec import Struct

from . import engine
from .chance import Dice, Scripted, Seeded
from .codec import state_from
from .model import Action, Event, Game, Play, Seat, State
from .setup import Setup
from .words import Message, Values


class Resumption(Struct, frozen=True):
    """A match that goes on from a stored position, because changed rules would have led elsewhere."""

    edition: int  # of the rules until then
    lost: int  # entries before it that can no longer be shown
    state: dict[str, Any]  # the position


class Entry(Struct, frozen=True):
    """One line of the journal: who did what, what luck answered.

    The set-up has neither seat nor action, and nor has an entry that is ``resumed``.
    """

    seat: Seat | None
    action: Action | None
    dice: tuple[int, ...]
    sealed: bool = False
    resumed: Resumption | None = None
    row: int = 0  # its number; actions that were taken back have numbers too


class Difference(Struct, frozen=True):
    """Where a journal of an earlier edition no longer leads where it led: the match ends before it."""

    edition: int  # of the journal
    entry: int  # the first that is not shown
    line: int  # its place in the journal as it was stored
    lines: int  # of the journal as it was stored
    reason: Message
    position: dict[str, Any] | None = None  # that was stored last, if it is known for certain

    @property
    def lost(self) -> int:
        return self.lines - self.line


class CannotUndo(ValueError):
    """Luck has spoken, a secret was shown, or the last action was somebody else's."""


STATES_EVERY = 50  # of the states, at least one in so many stays in memory
STATES_LATEST = 3  # and these, the last ones of the others


class States(Sequence[State]):
    """The states of a match.  Few are kept in memory; the others are made from the journal when wanted.

    With ``keeps_secret`` those at which a seat decides in secret are kept, too.  How many are made then for a
    state that somebody may see does not depend on how much others did that he was not told of.
    """

    def __init__(self, game: Game, journal: Sequence[Entry]) -> None:
        self._game, self._journal = game, journal
        self.keeps_secret = False
        self._length = 0
        self._kept: dict[int, State] = {}
        self._numbers: list[int] = []  # of those that are kept
        self._latest: dict[int, State] = {}  # the last ones of the others
        self._unnoticed: set[int] = set()  # entries that only the seat noticed that acted
        self._between: tuple[int, list[State]] = (0, [])  # made again last, from this number on

    def append(self, state: State) -> None:
        self._length += 1
        self.hold(self._length - 1, state)

    def hold(self, number: int, state: State) -> None:
        """Have one of the last states in memory."""
        secret = self.keeps_secret and state.decision is not None and state.decision.secret
        if secret or not self._numbers or number - self._numbers[-1] >= STATES_EVERY:
            self._kept[number] = state
            insort(self._numbers, number)
        else:
            self._latest[number] = state
            if len(self._latest) > STATES_LATEST:
                del self._latest[min(self._latest)]

    def hide(self) -> None:
        """Nobody noticed the last entry but the seat that acted.

        Of many such the state after the last one is kept, from which what others see later is made.
        """
        last = self._length - 1
        self._unnoticed.add(last)
        follows = last - 1 in self._unnoticed and self._numbers[-2:] == [last - 1, last]
        if follows and last - self._numbers[-3] < STATES_EVERY:
            del self._kept[last - 1], self._numbers[-2]

    def pop(self) -> State:
        """Drop the last state, before its entry is dropped."""
        state, last = self[-1], self._length - 1
        before = None if not last or self.is_at_hand(last - 1) else self.made(last - 1)
        self._length = last
        self._latest.pop(last, None)
        self._unnoticed.discard(last)
        if self._kept.pop(last, None) is not None:
            self._numbers.pop()
        if before is not None:
            self.hold(last - 1, before)
        start, between = self._between
        self._between = start, between[: max(0, last - start)]
        return state

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, number: int) -> State: ...

    @overload
    def __getitem__(self, number: slice) -> list[State]: ...

    def __getitem__(self, number: int | slice) -> State | list[State]:
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(self._length))]
        index = number + self._length if number < 0 else number
        if not 0 <= index < self._length:
            raise IndexError(number)
        if index in self._kept:
            return self._kept[index]
        found = self._latest.get(index)
        return self._made_again(index) if found is None else found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, States | list):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # it changes

    def is_at_hand(self, index: int) -> bool:
        """True if a state is in memory and need not be made again."""
        return index in self._kept or index in self._latest

    @property
    def in_memory(self) -> int:
        """How many are in memory at most, with those that are made again."""
        return len(self._kept) + STATES_EVERY + STATES_LATEST

    def to_make(self, index: int) -> int:
        """How many must be made for this one."""
        return 0 if self.is_at_hand(index) else index - self._start(index)

    def _start(self, index: int) -> int:
        """The kept state from which another one is made."""
        return self._numbers[bisect_right(self._numbers, index) - 1]

    def copy(self, journal: Sequence[Entry]) -> States:
        """The same states, over a copy of their journal."""
        other = States(self._game, journal)
        other._length, other._kept, other._latest = self._length, dict(self._kept), dict(self._latest)
        other._numbers, other.keeps_secret = list(self._numbers), self.keeps_secret
        other._unnoticed = set(self._unnoticed)
        return other

    def made(self, index: int) -> State:
        """A state as the journal makes it; it is not kept."""
        start = self._start(index)
        state = self._kept[start]
        for number in range(start + 1, index + 1):
            state = self._after(state, self._journal[number])
        return state

    def _made_again(self, index: int) -> State:
        """The state, from one that is kept; threads may ask for some at the same time."""
        first = self._start(index)
        start, made = self._between
        if start != first:
            start, made = first, []
        if index - start < len(made):
            return made[index - start]
        between = made[:] or [self._kept[start]]  # a copy: another thread may extend the same list
        while len(between) <= index - start:
            entry = self._journal[start + len(between)]
            between.append(self._after(between[-1], entry))
        self._between = (start, between)
        return between[-1]

    def _after(self, state: State, entry: Entry) -> State:
        if entry.resumed is not None:
            resumed: State = state_from(self._game, entry.resumed.state)
            return resumed
        assert entry.action is not None
        return cast(State, engine.apply(state, entry.action, Scripted(entry.dice)).state)


class Match:
    """A game being played: journal, states and events after each entry."""

    def __init__(self, game: Game, setup: Setup) -> None:
        self.game = game
        self.setup = setup
        self.journal: list[Entry] = []
        self.rows = 0  # the number of the next row: none is used twice
        self.states = States(game, self.journal)
        self.events: list[list[Event]] = []
        self.difference: Difference | None = None  # of one that could not be replayed to its end

    @classmethod
    def new(cls, game: Game, setup: Setup, dice: Dice) -> Match:
        """Set the game up and stop at the first decision."""
        match = cls(game, setup)
        match.begin(dice)
        return match

    @classmethod
    def replay(cls, game: Game, setup: Setup, journal: Sequence[Entry]) -> Match:
        """The same match again, from its journal alone."""
        match = cls(game, setup)
        for entry in journal:
            match.rows = entry.row
            if entry.resumed is not None:
                match.resume(entry.resumed)
            elif entry.action is None:
                match.begin(Scripted(entry.dice))
            else:
                match.play(entry.action, Scripted(entry.dice))
        return match

    @property
    def state(self) -> State:
        return self.states[-1]

    def seeded(self, seed: int | str) -> Dice:
        """Dice for the next entry: they depend on the seed and on the number of the entry only."""
        return Seeded(f"{seed}/{len(self.journal)}")

    def begin(self, dice: Dice) -> list[Event]:
        """The first entry: the set-up."""
        return self._record(None, None, engine.start(self.game, self.setup, dice))

    def play(self, action: Action, dice: Dice) -> list[Event]:
        """Carry an action out for the seat whose turn it is."""
        decision = self.state.decision
        return self._record(
            decision.seat if decision else None, action, engine.apply(self.state, action, dice)
        )

    def resume(self, resumed: Resumption) -> list[Event]:
        """Go on from a stored position, and say so in the log; nothing before it can be taken back."""
        values: Values = {"before": resumed.edition, "edition": self.game.edition, "lost": resumed.lost}
        self.journal.append(Entry(None, None, (), True, resumed, self.rows))
        self.rows += 1
        self.states.append(state_from(self.game, resumed.state))
        self.events.append([Event("", "kernel.resumed", values)])
        return self.events[-1]

    def copy(self) -> Match:
        """A match that stays as it is while this one goes on."""
        other = Match(self.game, self.setup)
        other.journal, other.events, other.rows = list(self.journal), list(self.events), self.rows
        other.states, other.difference = self.states.copy(other.journal), self.difference
        return other

    def can_undo(self, seat: Seat) -> bool:
        last = self.journal[-1]
        return last.seat == seat and not last.sealed

    def undo(self, seat: Seat) -> Action | None:
        """Take the last action of ``seat`` back; returns it."""
        if not self.can_undo(seat):
            raise CannotUndo
        self.rows += 1
        return self.drop().action

    def drop(self) -> Entry:
        """Forget the last entry."""
        self.states.pop()
        self.events.pop()
        return self.journal.pop()

    def what_differs(self) -> Message | None:
        """Why the match is not shown to its end, in a sentence; None if it is."""
        found = self.difference
        if found is None:
            return None
        values: Values = {
            "before": found.edition,
            "edition": self.game.edition,
            "entry": found.entry,
            "entries": found.lines,
            "lost": found.lost,
            "reason": found.reason,
        }
        return Message("kernel.differs", values)

    def _record(self, seat: Seat | None, action: Action | None, play: Play) -> list[Event]:
        self.add(seat, action, play)
        return play.events

    def add(self, seat: Seat | None, action: Action | None, play: Play) -> None:
        """Append an entry that was carried out already."""
        self.journal.append(Entry(seat, action, tuple(play.faces), play.sealed, row=self.rows))
        self.rows += 1
        self.states.append(play.state)
        self.events.append(play.events)
