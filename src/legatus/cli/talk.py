"""What a person says at the prompt: an action, or a question about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from ..kernel import Action, Refusal, Seat, legal, parse_action, say, why_not
from ..kernel.codec import BadAction, usage
from ..kernel.match import CannotUndo
from ..kernel.model import verb
from ..kernel.words import Figure
from ..lab.odds import seen_odds
from ..scene.model import OPEN, Scene
from ..scene.text import acting, sign
from .common import Fault, print_hanging
from .listing import Listing
from .look import NotSeen, find, look_at
from .odds import odds_table
from .rules import clause_page, no_clause

if TYPE_CHECKING:
    from .table import Table

LOG_LINES = 40
COMMANDS = {
    "why": "why pourquoi",
    "odds": "odds chances",
    "look": "look regarder voir",
    "rules": "rules rule règles règle regles regle",
    "undo": "undo annuler",
    "log": "log journal",
    "save": "save enregistrer",
    "more": "more suite",
    "list": "list liste",
    "field": "field champ",
    "help": "help aide ?",
    "quit": "quit quitter exit q",
}
ALIASES = {alias: command for command, aliases in COMMANDS.items() for alias in aliases.split()}


class _Capitals(dict[str, str]):
    """Every field by its name, as ``usage`` writes it."""

    def __missing__(self, field: str) -> str:
        return Figure(field.upper())


class Quit(Exception):
    """Somebody leaves the table."""


def is_quit(text: str) -> bool:
    return ALIASES.get(text.lower()) == "quit"


class Talk:
    """Asks one person for one action, and answers what he asks before."""

    def __init__(self, table: Table, seat: Seat) -> None:
        self.table, self.seat = table, seat
        self.game, self.match, self.words = table.game, table.match, table.words
        self.console = table.console
        self.view: Any = None
        self.listing = Listing([], self.words)

    def action(self) -> Action:
        """What he does, in the end."""
        self.table.tell_news(self.seat)
        while True:
            self._open()
            action = self._converse()
            if action is not None:
                return action

    def _open(self) -> None:
        """Show what there is to see, what is asked and what is legal."""
        self.view = self.game.view(self.match.state, self.seat)
        self.listing = Listing(legal(self.view), self.words, self._remark)
        if self.table.typed:
            return  # he has answered already
        kind = type(self.view.decision)
        scene = self._scene()
        if not any(piece.acting for piece in scene.pieces) or self.table.shown is None:
            if self.table.asked is not kind or self.table.shown is None:
                self.table.show_field(self.seat)  # once for each kind of question: Enter shows it again
            self.table.asked = kind  # a question within a move is none of its own
        self._ask()
        for line in acting(scene, self.console.width, self.words.lang):
            self.console.print(line)
        self.listing.show_page(self.console)
        if len(self.listing.actions) == 1:
            self.console.print(self.words("enter_plays"), markup=False)

    def _scene(self) -> Scene:
        return self.game.scene(self.view, self.seat, self.words.lang)

    def _remark(self, action: Action) -> str:
        said = action.remark(self.view)
        return self.game.folder.messages[self.words.lang].fill(said) if said is not None else ""

    def _ask(self) -> None:
        prompt = self.view.decision.prompt(self.view)
        head = Text(self.table.teller.sentence(self.view, prompt), style="bold")
        self.console.print(Text.assemble("\n", sign(self.seat), " ", head))

    def _converse(self) -> Action | None:
        """Answer questions until there is an action, or None if the game went back."""
        while True:
            text = self._line()
            if not text and len(self.listing.actions) == 1:
                return self.listing.actions[0]
            word, _, argument = text.partition(" ")
            command = ALIASES.get(word.lower(), "") if text else "field"
            if not command or self._is_action(text):
                action = self._read_action(text)
                if action is not None and not self._refused(action):
                    return action
                if self.table.typed:
                    self.table.typed.clear()
                    self._open()
            elif command == "undo":
                if self._undo():
                    return None
            else:
                answer: Callable[[str], None] = getattr(self, f"_{command}")
                answer(argument.strip())

    def _line(self) -> str:
        """The next line; several may be typed as one, parted by ``;``, until one of them is refused."""
        typed = self.table.typed
        if not typed:
            line = self.table.read("> ")
            typed += [line] if line.startswith("{") else [part.strip() for part in line.split(";")]
        return typed.pop(0)

    def _is_action(self, text: str) -> bool:
        """A verb of the game may be one of our commands too (``save``): a whole action is an action."""
        try:
            parse_action(self.game, text)
        except BadAction:
            return False
        return True

    def _read_action(self, text: str) -> Action | None:
        """The action meant by a number or a line."""
        actions = self.listing.actions
        if text.isdecimal():
            if 1 <= int(text) <= len(actions):
                return actions[int(text) - 1]
            self.table.refuse(self.words("no_number", n=text, last=len(actions)))
            return None
        try:
            return parse_action(self.game, text)
        except BadAction as error:
            self.table.refuse(f"{error.say(self.words.lang)}. {self.words('say_help')}")
            return None

    def _refused(self, action: Action) -> bool:
        refusals = why_not(self.view, action)
        self._show(refusals)
        return bool(refusals)

    def _show(self, refusals: list[Refusal]) -> None:
        self.table.teller.print_refusals(self.console, self.view, refusals)

    # --- commands ---

    def _undo(self) -> bool:
        try:
            action = self.match.undo(self.seat)
        except CannotUndo:
            self.table.refuse(self.words("cannot_undo"))
            return False
        for who, entries in self.table.told.items():
            self.table.told[who] = min(entries, len(self.match.journal))
        self.console.print(self.words("undone", action=say(action) if action else ""), markup=False)
        self.table.record.forget()
        self.table.save()
        return True

    def _why(self, text: str) -> None:
        action = self._read_action(text)
        if action is not None and not self._refused(action):
            self.console.print(self.words("is_legal", action=say(action)), markup=False)

    def _odds(self, text: str) -> None:
        """From what he may know, completed by a guess: odds must not tell secrets."""
        action = self._read_action(text)
        if action is None:
            return
        refusals = why_not(self.view, action)
        if refusals:
            self._show(refusals)
            return
        found = seen_odds(self.game, self.view, self.seat, action, self.table.rng("odds"))
        self.console.print(odds_table(self.game, self.view, action, found, self.words))

    def _look(self, text: str) -> None:
        """All that he may know of a unit or a place, and what can be done with it now."""
        try:
            lines = look_at(self.game, self.view, self.seat, text, self.words)
            found = find(self._scene(), text, self.words)
        except NotSeen as problem:
            self.table.refuse(str(problem))
            return
        for line in lines:
            print_hanging(self.console, Text(), line)
        if any(found.id in action.clicks() for action in self.listing.actions):
            self.console.print(Text(self.words("look_now"), style="dim"))
            self.listing.show_with(self.console, found.id)

    def _rules(self, text: str) -> None:
        book = self.game.folder.rulebooks[self.words.lang]
        clause = book.clauses.get(text)
        if clause is not None:
            self.console.print(clause_page(clause, self.words))
            return
        found = book.search(text) if text else []
        for hit in found[:LOG_LINES]:
            self.console.print(Text.assemble((f"{hit.id} ", "bold"), hit.summary))
        if not found:
            self.table.refuse(no_clause(book, text, self.words))

    def _log(self, text: str) -> None:
        lines = self.table.log(self.seat)
        self.table.print_log(lines if text else lines[-LOG_LINES:])

    def _save(self, text: str) -> None:
        path = Path(text) if text else self.table.record.path
        try:
            self.table.save(path)
        except Fault as fault:
            self.table.refuse(str(fault))
        else:
            self.console.print(self.words("saved", file=path), soft_wrap=True, markup=False)

    def _more(self, text: str) -> None:
        self.listing.show_page(self.console)

    def _list(self, text: str) -> None:
        self.listing.show_matching(self.console, text)

    def _field(self, text: str) -> None:
        self.table.show_field(self.seat)
        self._ask()
        self.listing.show_first(self.console)

    def _help(self, text: str) -> None:
        self.console.print(self.words("help"), markup=False)
        if self._scene().grid == OPEN:
            self._help_measuring()

    def _help_measuring(self) -> None:
        """Where numbers are free, a menu cannot hold all actions: how each of them is said now."""
        self.console.print(self.words("help_open"), markup=False)
        sentences = self.game.folder.messages[self.words.lang].sentences
        kinds = {
            usage(kind): sentences.get(f"action.{verb(kind)}", "") for kind in self.view.decision.accepts
        }
        wide = max(map(len, kinds))
        for said, sentence in kinds.items():
            meant = sentence.format_map(_Capitals())
            print_hanging(self.console, Text(f"  {said:<{wide}}  "), Text(meant))

    def _quit(self, text: str) -> None:
        raise Quit
