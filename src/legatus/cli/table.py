"""A game at the terminal: shows the field, asks people, lets bots play, and keeps the record safe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from rich.text import Text

from ..bots import HUMAN, Bot, SearchBot, make_bot, mood
from ..kernel import Action, Decision, Event, Match, NeedLuck, Seat, say
from ..kernel.files import os_problem
from ..lab.audit import Sitting
from ..scene.text import render, sign
from .common import BULLET, Fault, Screen, Teller, print_hanging, read_line
from .luck import Source, TypedSource, typed_faces
from .record import Record
from .talk import Quit, Talk, is_quit
from .words import Words


class Table:
    """One match with its players: people who look at this screen, and bots."""

    def __init__(
        self,
        match: Match,
        sat: Sitting,
        is_secret: bool,  # whether nobody is to know the seed before the end
        path: Path,
        words: Words,
        before: Sequence[Sitting] = (),  # who sat here for the first entries
    ) -> None:
        self.match, self.sat, self.is_secret, self.words = match, sat, is_secret, words
        players = [sat.seats[seat] for seat in match.game.seats]
        self.players = players
        self.game = match.game
        self.teller = Teller(match.game, words)
        self.bots: dict[Seat, Bot] = {s: make_bot(p) for s, p in enumerate(players) if p != HUMAN}
        self.record = Record(match, path, sat, is_secret, before)
        self.told: dict[Seat | None, int] = {}  # entries of the journal that a seat has been told
        self.shown: Any = None  # the scene last drawn
        self.asked: type[Decision] | None = None  # the kind of question last put to a person
        self.typed: list[str] = []  # lines that a person has typed ahead
        self.at_table: Seat | None = None  # the person who looks at the screen
        self.doing = ""  # what dice are being rolled for
        self.early = 0  # events of the entry under way that were told when its dice were asked for
        self.console = Screen(highlight=False)

    @property
    def watcher(self) -> Seat | None:
        """For whom the screen is: the only person, or the one who sits there now."""
        people = [seat for seat in range(len(self.players)) if seat not in self.bots]
        return people[0] if len(people) == 1 else self.at_table

    def think_with(self, jobs: int) -> None:
        """Let bots that search do so on several processes: they are done sooner, and do the same."""
        for bot in self.bots.values():
            if isinstance(bot, SearchBot):
                bot.jobs = jobs

    # --- the course of the game ---

    def run(self, dice: Source) -> None:
        """Play to the end, or until somebody leaves (Quit)."""
        if isinstance(dice, TypedSource):
            dice.ask = self.type_dice
        self.save()
        while (decision := self.match.state.decision) is not None:
            if decision.seat in self.bots:
                action = self._bot_choice(decision)
            else:
                self._seat_down(decision.seat)
                action = Talk(self, decision.seat).action()
            self.doing = f"{self.teller.seat_head(self.match.state, decision.seat)}: {say(action)}"
            self.early = 0
            dice.run(self.match.rows, partial(self.match.play, action))
            self._tell_rest()
            self.save()
            if len(self.bots) == len(self.players):
                self.tell_news(None)
        self._end()

    def _tell_rest(self) -> None:
        """What was not told yet of an entry whose dice were typed."""
        if self.early:
            seat = self.watcher
            self.print_log(self._lines(self.match.state, self.match.events[-1][self.early :], seat))
            self.told[seat] = len(self.match.journal)

    def save(self, path: Path | None = None) -> None:
        try:
            self.record.save(path)
        except OSError as error:
            file, problem = path or self.record.path, os_problem(error)
            raise Fault(self.words("cannot_write", file=file, problem=self.words.tell(problem))) from None

    def _bot_choice(self, decision: Decision) -> Action:
        seat = decision.seat
        view = self.game.view(self.match.state, seat)
        return self.bots[seat].choose(self.game, view, seat, mood(self.sat.mind, len(self.match.journal)))

    def rng(self, purpose: str) -> Random:
        """Chance for what is not part of the game: a guess."""
        return Random(f"{self.sat.mind}/{purpose}/{len(self.match.journal)}")

    def _seat_down(self, seat: Seat) -> None:
        """Two people at one screen: a curtain falls when they change places and have something to hide."""
        state, before = self.match.state, self.at_table
        self.at_table = seat
        if before == seat or len(self.players) - len(self.bots) < 2:
            return
        views = [self.game.view(state, s) for s in range(len(self.players))]
        if all(view == views[0] for view in views):
            return
        self.console.clear()
        self.shown = None
        self.typed.clear()
        self.read(self.words("curtain", seat=self.teller.seat(state, seat)))

    def _end(self) -> None:
        seat = self.watcher
        self.tell_news(seat)
        self.show_field(seat)
        self.console.print()
        self.console.print(self.teller.outcome(self.match.state))
        if self.is_secret:
            seed, path = self.sat.seed, self.record.path
            self.console.print(self.words("seed_shown", seed=seed, file=path), soft_wrap=True, markup=False)
        self.console.print(self.words("record_at", file=self.record.path), soft_wrap=True, markup=False)

    # --- the screen and the keyboard ---

    def read(self, prompt: str) -> str:
        """A line from the keyboard; the end of the input is a way to leave."""
        try:
            text = read_line(prompt).strip()
        except EOFError:
            raise Quit from None
        if not sys.stdin.isatty():
            print(text)  # so that what was piped in can be read beside what came of it
        return text

    def type_dice(self, need: NeedLuck) -> list[int]:
        """Ask for the dice that fell on the table, when all that led to them has been told."""
        self.tell_news(self.watcher)
        if self.doing:
            self.console.print(Text(self.doing, style="bold"))
            self.doing = ""
        events = [event for event in need.told if isinstance(event, Event)]
        self.print_log(self._lines(self.match.state, events[self.early :], self.watcher))
        self.early = len(events)
        return typed_faces(need.luck, self._read_dice, self.refuse, self.words)

    def _read_dice(self, prompt: str) -> str:
        text = self.read(prompt)
        if is_quit(text):
            raise Quit
        return text

    def refuse(self, problem: str) -> None:
        self.console.print(Text(problem, style="red"))

    def tell_news(self, seat: Seat | None) -> None:
        first = self.told.get(seat, 0)
        self.told[seat] = len(self.match.journal)
        self.print_log(self.log(seat, first))

    def print_log(self, lines: list[Text]) -> None:
        for line in lines:
            print_hanging(self.console, BULLET, line)

    def log(self, seat: Seat | None, first: int = 0) -> list[Text]:
        """What ``seat`` has seen happen, from an entry of the journal on."""
        lines = []
        for number in range(first, len(self.match.events)):
            lines += self._lines(self.match.states[number], self.match.events[number], seat)
        return lines

    def _lines(self, state: Any, events: list[Event], seat: Seat | None) -> list[Text]:
        return [self.teller.event(state, e) for e in events if e.to is None or e.to == seat]

    def show_field(self, seat: Seat | None) -> None:
        view = self.game.view(self.match.state, seat)
        self.shown = self.game.scene(view, seat, self.words.lang)
        self.console.print()
        self.console.print(self._players_line(seat))
        self.console.print(render(self.shown, self.console.width, self.words.lang))

    def _players_line(self, seat: Seat | None) -> Text:
        names = []
        for s, player in enumerate(self.players):
            who = self.words("you") if s == seat else self.words.player(player)
            names.append(Text.assemble(sign(s), f" {self.teller.seat_head(self.match.state, s)} ({who})"))
        return Text("   ").join(names)
