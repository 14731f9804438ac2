"""``legatus replay``: step through a record, print it, or check it."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from ..kernel import Match
from ..kernel.codec import say
from ..kernel.records import digest, entry_text
from ..scene.text import render, sign
from .common import (
    BULLET,
    REFUSED,
    Fault,
    JsonOption,
    LangOption,
    Teller,
    find_seat,
    is_terminal,
    print_hanging,
    print_json,
    read_line,
    read_record,
    screen,
    speak,
    what_differs,
)
from .look import NotSeen, look_at
from .words import Words

BACK = ("b", "back", "r", "retour")
LOOK = ("look", "regarder", "voir")
QUIT = ("q", "quit", "quitter", "exit")


AtOption = Annotated[int | None, typer.Option("--at", metavar="N", help="entry")]
VerifyOption = Annotated[bool, typer.Option("--verify", help="verify")]
SeatOption = Annotated[str | None, typer.Option("--seat", help="eyes")]


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="record")],
    at: AtOption = None,
    verify: VerifyOption = False,
    seat: SeatOption = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Step through a record in the terminal; piped, print all of it."""
    words = speak(lang)
    match = read_record(file)
    last = len(match.journal) - 1
    if at is not None and not 0 <= at <= last:
        raise Fault(words("no_entry", file=file, n=at, last=last))
    viewer = None if seat is None else find_seat(match.game, seat, words)
    show = _Show(match, viewer, words)
    if verify:
        _say_verified(match, words, as_json)
    elif as_json:
        print_json(show.data(range(last + 1) if at is None else range(at, at + 1)))
    elif is_terminal():
        show.walk(at or 0)
    elif at is not None:
        show.entry(at, field=True)
    else:
        for n in range(last + 1):
            show.entry(n, field=n == last)


def _say_verified(match: Match, words: Words, as_json: bool) -> None:
    n, found = len(match.journal), match.difference
    if as_json:
        data: dict[str, Any] = {"entries": n, "identical": found is None}
        print_json(data if found is None else {**data, "differs": _difference(match, words)})
    elif found is None:
        print(words("identical", n=n))
    if found is not None:
        raise typer.Exit(REFUSED)


def _difference(match: Match, words: Words) -> dict[str, Any] | None:
    """Where a record of an earlier edition no longer leads where it led, for programs."""
    found = match.difference
    if found is None:
        return None
    edition = {"edition": found.edition, "entry": found.entry, "lost": found.lost}
    return {**edition, "text": what_differs(match, words)}


class _Show:
    """A record, entry by entry, as ``seat`` saw it; None sees everything."""

    def __init__(self, match: Match, seat: int | None, words: Words) -> None:
        self.match, self.seat, self.words = match, seat, words
        self.teller = Teller(match.game, words)
        self.console: Console = screen()
        self.last = len(match.journal) - 1

    def walk(self, n: int) -> None:
        """Forwards, backwards and jumping, until the reader has had enough."""
        shown = -1
        while True:
            if n != shown:
                self.console.clear()
                self.entry(n, field=True)
                shown = n
            try:
                text = read_line(self.words("replay_help")).strip()
            except EOFError:
                return
            command, _, name = text.partition(" ")
            if command.lower() in LOOK:
                self.look(n, name)
                continue
            text = text.lower()
            if text in QUIT:
                return
            if text in BACK:
                n = max(0, n - 1)
            elif text.isdecimal():
                n = min(int(text), self.last)
            elif n == self.last:
                self.console.print(self.words("replay_end"))
            else:
                n += 1

    def entry(self, n: int, field: bool) -> None:
        """What was done, what happened and, if asked for, the field after it."""
        match, state = self.match, self.match.states[n]
        self.console.print(self._head(n))
        for event in match.events[n]:
            if self._may_know(event.to):
                print_hanging(self.console, BULLET, self.teller.event(state, event))
        if field:
            view = state if self.seat is None else match.game.view(state, self.seat)
            scene = match.game.scene(view, self.seat, self.words.lang)
            self.console.print(render(scene, self.console.width, self.words.lang))
        if state.outcome is not None:
            self.console.print(self.teller.outcome(state))
        if n == self.last and match.difference is not None:
            self.console.print(Text(what_differs(match, self.words), style="yellow"))

    def look(self, n: int, name: str) -> None:
        """All about one unit at an entry."""
        game, state = self.match.game, self.match.states[n]
        view = state if self.seat is None else game.view(state, self.seat)
        try:
            lines = look_at(game, view, self.seat, name, self.words)
        except NotSeen as problem:
            lines = [Text(str(problem), style="red")]
        for line in lines:
            print_hanging(self.console, Text(), line)

    def _may_know(self, to: int | None) -> bool:
        return to is None or self.seat is None or to == self.seat

    def _head(self, n: int) -> Text:
        entry = self.match.journal[n]
        head = Text(f"{n}/{self.last} ", style="bold cyan")
        if entry.resumed is not None:
            return head.append(self.words("resumed"))
        if entry.seat is None:
            shown = (
                entry.dice and self.seat is None
            )  # a draw may be a secret: what all saw is told by the events
            return head.append(self.words("setup")).append(f" {list(entry.dice)}" if shown else "")
        who = self.teller.seat_head(self.match.states[n], entry.seat)
        head = head.append_text(sign(entry.seat)).append(f" {who}: ")
        if not self._may_know(entry.seat):  # what somebody else did is told by the events
            return head.append("…")
        assert entry.action is not None
        return head.append(entry_text(entry) if self.seat is None else say(entry.action), style="bold")

    def data(self, numbers: range) -> dict[str, Any]:
        """The record for programs, events in words."""
        match, entries = self.match, []
        for n in numbers:
            entry, state = match.journal[n], match.states[n]
            known = entry.action is not None and self._may_know(entry.seat)
            entries.append(
                {
                    "n": n,
                    "seat": None if entry.seat is None else match.game.seats[entry.seat],
                    "do": say(entry.action) if entry.action is not None and known else None,
                    "dice": list(entry.dice) if self.seat is None else None,
                    "check": digest(state) if self.seat is None else None,
                    "events": [
                        self.teller.event_data(state, e) for e in match.events[n] if self._may_know(e.to)
                    ],
                }
            )
        outcome = match.state.outcome
        result = None
        if outcome is not None:
            winner = None if outcome.winner is None else match.game.seats[outcome.winner]
            result = {
                "winner": winner,
                "clause": outcome.clause,
                "text": self.teller.outcome(match.state).plain,
            }
        data = {"game": match.game.key, "entries": entries, "outcome": result}
        differs = _difference(match, self.words)
        return data if differs is None else {**data, "differs": differs}
