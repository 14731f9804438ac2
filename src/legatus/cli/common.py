"""What every command needs: languages, errors, screens, and the names of things."""

from __future__ import annotations

import difflib
import json
import re
import sys
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from ..games import GAMES
from ..kernel import Action, Clause, Event, Game, Match, Message, Outcome, Refusal, Setup, State
from ..kernel.codec import say, to_plain_data
from ..kernel.files import BadFile, check_target, line_place, parse_json, read_text, text_of
from ..kernel.records import parse_position, parse_record
from ..kernel.words import LANGS
from .words import Words, words_around

OK, REFUSED, BAD = 0, 1, 2  # exit codes
MAX_LINE = 10_000  # characters of a line that is typed
INTERRUPTED = 130  # what a shell reports after Ctrl-C

LangOption = Annotated[str | None, typer.Option("--lang", metavar="en|fr", help="lang")]
JsonOption = Annotated[bool, typer.Option("--json", help="json")]
SeedOption = Annotated[int | None, typer.Option("--seed", help="seed")]
ScenarioOption = Annotated[str | None, typer.Option("--scenario", "-s", help="scenario")]
ArmyOption = Annotated[list[str] | None, typer.Option("--army", "-a", help="army")]
SettingOption = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="KEY=VALUE", help="option")
]
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="game")]
PositionArgument = Annotated[str, typer.Argument(metavar="POSITION", help="position")]
ActionArgument = Annotated[list[str], typer.Argument(metavar="ACTION", help="action")]


class Fault(Exception):
    """A command cannot go on: one line for the user, and the exit code."""

    def __init__(self, message: str, code: int = BAD) -> None:
        super().__init__(message)
        self.code = code


# --- languages and screens -----------------------------------------------------------------------

_spoken: ContextVar[Words] = ContextVar("spoken")


def speak(lang: str | None) -> Words:
    """The words of the language asked for, or of the environment; the command goes on in them."""
    if lang is not None:
        if lang not in LANGS:
            raise Fault(words_around()("no_lang", name=lang, known=", ".join(LANGS)))
        words = Words(lang)
    else:
        words = words_around()
    _spoken.set(words)
    return words


def spoken() -> Words:
    """The words of the command that runs; what goes wrong in it is told with them."""
    return _spoken.get()


_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """A text without what would steer the terminal; files that others have written may hold it."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


class Screen(Console):
    """A console on which only the program's own styles steer the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=harmless(segment.text))


def screen() -> Console:
    return Screen(highlight=False, soft_wrap=False)


def complain() -> Console:
    """The screen for errors and for what accompanies the output."""
    return Screen(stderr=True, highlight=False)


def print_json(thing: Any) -> None:
    text = json.dumps(thing, ensure_ascii=False)
    print(_CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))  # as JSON may write it, too


def is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def read_line(prompt: str) -> str:
    """A line of the standard input; EOFError at its end, or if there is none.  A line may have no end."""
    if sys.stdin is None:
        raise EOFError
    if is_terminal():
        return input(prompt)
    print(prompt, end="", flush=True)
    line = sys.stdin.readline(MAX_LINE + 1)
    if not line:
        raise EOFError
    if len(line) > MAX_LINE:
        raise BadFile("<stdin>", "", Message("file.long_line", {"most": MAX_LINE}))
    return line.removesuffix("\n")


# --- names ---------------------------------------------------------------------------------------


def nearest(name: str, known: Iterable[str], n: int = 5) -> list[str]:
    """The known names most like a wrong one."""
    by_fold = {k.casefold(): k for k in known}
    begin = [k for k in by_fold if k.startswith(name.casefold())]
    close = difflib.get_close_matches(name.casefold(), by_fold, n, 0.3)
    return [by_fold[k] for k in dict.fromkeys([*begin, *close])][:n]


def find_game(name: str, words: Words) -> Game:
    if name not in GAMES:
        raise Fault(words("no_game", name=name, known=", ".join(GAMES)))
    return GAMES[name]


def find_seat(game: Game, name: str, words: Words) -> int:
    if name not in game.seats:
        raise Fault(words("no_seat", name=name, known=", ".join(game.seats)))
    return game.seats.index(name)


_TRUTHS = {
    "on": True,
    "true": True,
    "yes": True,
    "oui": True,
    "off": False,
    "false": False,
    "no": False,
    "non": False,
}


def read_settings(game: Game, settings: Sequence[str] | None, words: Words) -> dict[str, bool | str]:
    """``key=value`` pairs as options of the game."""
    options = {option.key: option for option in game.options}
    found: dict[str, bool | str] = {}
    for setting in settings or ():
        key, equals, value = setting.partition("=")
        option = options.get(key)
        if option is None or not equals:
            raise Fault(words("no_option", setting=setting, known=", ".join(options)))
        if option.choices and value in option.choices:
            found[key] = value
        elif not option.choices and value.lower() in _TRUTHS:
            found[key] = _TRUTHS[value.lower()]
        else:
            raise Fault(
                words("bad_option", key=key, value=value, known=", ".join(option.choices or ("on", "off")))
            )
    return found


def configure(
    game: Game,
    scenario: str | None,
    armies: Sequence[str] | None,
    settings: Sequence[str] | None,
    words: Words,
) -> Setup:
    """The set-up that a command line asks for."""
    return game.configure(scenario, tuple(armies or ()), **read_settings(game, settings, words))


def read_position(path: str) -> tuple[Game, Any]:
    """The game and state of a position file, or of the standard input."""
    if path == "-":
        text = "" if sys.stdin is None else text_of(sys.stdin.buffer, "<stdin>")
        return parse_position(GAMES, text, "<stdin>")
    return parse_position(GAMES, read_text(path), path)


def read_record(path: str | Path) -> Match:
    """The match that a record file holds; if it is not shown to its end, the error output says why."""
    match = parse_record(GAMES, read_text(path), str(path))
    if match.difference is not None:
        complain().print(what_differs(match, spoken()), style="yellow", markup=False)
    return match


def what_differs(match: Match, words: Words) -> str:
    """Why a record is not shown to its end, in a sentence."""
    said = match.what_differs()
    return "" if said is None else match.game.folder.messages[words.lang].render(said)


def check_new(file: str | Path, words: Words) -> None:
    """That a file can be written, and is not there yet: before any work is put into it."""
    if Path(file).exists():
        raise Fault(words("file_exists", file=file))
    check_target(file)


def read_head(path: str | Path) -> dict[str, Any]:
    """The first line of a record: its set-up and our notes in it."""
    first = read_text(path).split("\n", 1)[0]
    head = parse_json(first, str(path), line_place(1))
    return head if isinstance(head, dict) else {}


# --- sentences -----------------------------------------------------------------------------------


class Teller:
    """Says what a game means in one language."""

    def __init__(self, game: Game, words: Words) -> None:
        self.game, self.words, self.lang = game, words, words.lang

    def sentence(self, state: State, said: Message | Refusal | Event | Outcome) -> str:
        return self.game.folder.messages[self.lang].render(
            said, lambda v: self.game.name(state, v, self.lang)
        )

    def seat(self, state: State, seat: int) -> str:
        return self.game.name(state, self.game.seats[seat], self.lang)

    def seat_head(self, state: State, seat: int) -> str:
        """A seat at the beginning of a line."""
        name = self.seat(state, seat)
        return name[:1].upper() + name[1:]

    def clause(self, ident: str) -> Clause | None:
        return self.game.folder.rulebooks[self.lang].clauses.get(ident)

    def event(self, state: State, event: Event) -> Text:
        return cited(self.sentence(state, event), event.clause)

    def print_refusals(self, console: Console, state: State, refusals: Sequence[Refusal]) -> None:
        """Every reason with its clause, then what the clause says."""
        for refusal in refusals:
            print_hanging(console, CROSS, cited(self.sentence(state, refusal), refusal.clause))
            clause = self.clause(refusal.clause)
            if clause is not None:
                print_hanging(console, Text("  "), Text(f"{clause.id}: {clause.summary}", style="italic"))

    def refusals_line(self, state: State, refusals: Sequence[Refusal]) -> str:
        """All reasons on one line."""
        return " ".join(cited(self.sentence(state, r), r.clause).plain for r in refusals)

    def outcome(self, state: State) -> Text:
        outcome = state.outcome
        assert outcome is not None
        if outcome.winner is None:
            head = self.words("drawn")
        else:
            head = self.words("won", seat=self.seat(state, outcome.winner))
        return Text(f"{head} ", style="bold") + cited(self.sentence(state, outcome), outcome.clause)

    def event_data(self, state: State, event: Event) -> dict[str, Any]:
        """An event for programs."""
        data: dict[str, Any] = to_plain_data(event)
        data["to"] = None if event.to is None else self.game.seats[event.to]
        return data | {"text": self.sentence(state, event)}

    def refusal_data(self, state: State, refusal: Refusal) -> dict[str, Any]:
        clause = self.clause(refusal.clause)
        data: dict[str, Any] = to_plain_data(refusal)
        return data | {"text": self.sentence(state, refusal), "rule": clause.summary if clause else ""}


def cited(sentence: str, clause: str) -> Text:
    """A sentence and the clause it rests on."""
    return Text.assemble(sentence, (f" [{clause}]", "dim")) if clause else Text(sentence)


def print_hanging(console: Console, mark: Text, text: Text) -> None:
    """A line behind a mark; where it has to be wrapped, it stays behind it."""
    for n, line in enumerate(text.wrap(console, max(10, console.width - mark.cell_len))):
        line.rstrip()
        console.print(mark if n == 0 else " " * mark.cell_len, line, sep="", no_wrap=True)


BULLET = Text("· ", style="dim")
CROSS = Text("✗ ", style="bold red")


def action_data(action: Action) -> dict[str, Any]:
    return {"line": say(action), "action": to_plain_data(action)}
