"""A match is its journal; the states are only a cache of it."""

from __future__ import annotations

from msgspec import Struct

from . import engine
from .chance import Dice, Scripted, Seeded
from .model import Action, Event, Game, Play, Seat, Setup, State


class Entry(Struct, frozen=True):
    """One line of the journal: who did what, what luck answered.  The set-up has neither seat nor action."""

    seat: Seat | None
    action: Action | None
    dice: tuple[int, ...]
    sealed: bool = False


class CannotUndo(ValueError):
    """Luck has spoken, a secret was shown, or the last action was somebody else's."""


class Match:
    """A game being played: journal, states and events after each entry."""

    def __init__(self, game: Game, setup: Setup) -> None:
        self.game = game
        self.setup = setup
        self.journal: list[Entry] = []
        self.states: list[State] = []
        self.events: list[list[Event]] = []

    @classmethod
    def new(cls, game: Game, setup: Setup, dice: Dice) -> Match:
        """Set the game up and stop at the first decision."""
        match = cls(game, setup)
        match._record(None, None, engine.start(game, setup, dice))
        return match

    @classmethod
    def replay(cls, game: Game, setup: Setup, journal: list[Entry]) -> Match:
        """The same match again, from its journal alone."""
        match = cls.new(game, setup, Scripted(journal[0].dice))
        for entry in journal[1:]:
            assert entry.action is not None
            match.play(entry.action, Scripted(entry.dice))
        return match

    @property
    def state(self) -> State:
        return self.states[-1]

    def seeded(self, seed: int | str) -> Dice:
        """Dice for the next entry: they depend on the seed and on the number of the entry only."""
        return Seeded(f"{seed}/{len(self.journal)}")

    def play(self, action: Action, dice: Dice) -> list[Event]:
        """Carry an action out for the seat whose turn it is."""
        decision = self.state.decision
        return self._record(
            decision.seat if decision else None, action, engine.apply(self.state, action, dice)
        )

    def can_undo(self, seat: Seat) -> bool:
        last = self.journal[-1]
        return last.seat == seat and not last.sealed

    def undo(self, seat: Seat) -> Action | None:
        """Take the last action of ``seat`` back; returns it."""
        if not self.can_undo(seat):
            raise CannotUndo
        self.states.pop()
        self.events.pop()
        return self.journal.pop().action

    def _record(self, seat: Seat | None, action: Action | None, play: Play) -> list[Event]:
        self.journal.append(Entry(seat, action, tuple(play.faces), play.sealed))
        self.states.append(play.state)
        self.events.append(play.events)
        return play.events
