"""``legatus rules`` and ``legatus games``: what the rulebooks say and what can be played."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console, Group
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from ..games import GAMES
from ..kernel import Clause, Game, Rulebook
from .common import (
    Fault,
    GameArgument,
    JsonOption,
    LangOption,
    cited,
    find_game,
    nearest,
    print_json,
    screen,
    speak,
)
from .words import Words

SWITCH = ["on", "off"]


def rules(
    game: GameArgument,
    ident: Annotated[str | None, typer.Argument(metavar="ID", help="clause")] = None,
    search: Annotated[str | None, typer.Option("--search", "-s", metavar="WORD", help="search")] = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read a game's rulebook: every clause has an id, which refusals and log lines cite."""
    words = speak(lang)
    book = find_game(game, words).folder.rulebooks[words.lang]
    clauses = list(book.clauses.values())
    if ident is not None:
        clauses = [_find(book, ident, words)]
    elif search is not None:
        clauses = book.search(search)
        if not clauses and not as_json:
            raise Fault(words("no_hit", text=search), 1)
    if as_json:
        print_json([msgspec.to_builtins(clause) for clause in clauses])
    elif ident is not None:
        screen().print(clause_page(clauses[0], words))
    else:
        if search is None:
            screen().print(Text(words("edition", game=game, edition=book.edition), style="dim"))
        _contents(screen(), clauses, words)


def _find(book: Rulebook, ident: str, words: Words) -> Clause:
    clause = book.clauses.get(ident) or {k.casefold(): c for k, c in book.clauses.items()}.get(
        ident.casefold()
    )
    if clause is None:
        raise Fault(no_clause(book, ident, words))
    return clause


def no_clause(book: Rulebook, ident: str, words: Words) -> str:
    """The nearest ids to one that does not exist."""
    return words(
        "no_clause", name=ident, known=", ".join(nearest(ident, book.clauses) or list(book.clauses)[:5])
    )


def clause_page(clause: Clause, words: Words) -> Group:
    """One clause, printed like a page of a book."""
    flags = [clause.kind]
    flags += [words("house")] * clause.house + [words("informative")] * clause.informative
    head = Text.assemble((clause.id, "bold"), f" · {clause.chapter} ", (f"({', '.join(flags)})", "dim"))
    return Group(head, Text(), Markdown(clause.text))


def _contents(console: Console, clauses: list[Clause], words: Words) -> None:
    chapter = ""
    wide = max((len(clause.id) for clause in clauses), default=0)
    for clause in clauses:
        if clause.chapter != chapter:
            chapter = clause.chapter
            console.print(Text(f"\n{chapter}" if chapter else "", style="bold"))
        line = Table.grid(padding=(0, 2, 0, 0))
        line.add_column(min_width=wide + 2, no_wrap=True)
        line.add_column()
        mark = f" ({words('house')})" if clause.house else ""
        line.add_row(Text(f"  {clause.id}"), Text(clause.summary + mark))
        console.print(line)


# --- games ---------------------------------------------------------------------------------------


def games(lang: LangOption = None, as_json: JsonOption = False) -> None:
    """List what can be played: seats, scenarios, options with their defaults, and how many clauses."""
    words = speak(lang)
    if as_json:
        print_json([game_data(game, words) for game in GAMES.values()])
        return
    console = screen()
    for game in GAMES.values():
        _print_game(console, game_data(game, words), words)


def scenario_titles(game: Game, words: Words) -> dict[str, str]:
    """The scenarios of a game by key, with their titles in the language."""
    titles = {}
    for key in game.folder.names("scenarios"):
        raw = game.folder.toml(f"data/scenarios/{key}.toml")
        titles[key] = str(raw.get(f"name_{words.lang}") or raw.get("name", key))
    return titles


def game_data(game: Game, words: Words) -> dict[str, Any]:
    book = game.folder.rulebooks[words.lang]
    clauses = list(book.clauses.values())
    options = []
    for option in game.options:
        clause = book.clauses.get(option.clause)
        choices = list(option.choices) or SWITCH
        default = option.default if option.choices else ("on" if option.default else "off")
        options.append(
            {
                "key": option.key,
                "default": default,
                "choices": choices,
                "clause": option.clause,
                "text": clause.summary if clause else "",
            }
        )
    return {
        "game": game.key,
        "edition": game.edition,
        "seats": list(game.seats),
        "default_scenario": game.default_scenario,
        "scenarios": scenario_titles(game, words),
        "armies": list(game.folder.names("armies")),
        "options": options,
        "clauses": {
            "sheet": sum(not clause.house for clause in clauses),
            "house": sum(clause.house for clause in clauses),
            "informative": sum(clause.informative for clause in clauses),
        },
    }


def _print_game(console: Console, data: dict[str, Any], words: Words) -> None:
    edition = words("edition_of_rules", edition=data["edition"])
    console.print(Text.assemble((data["game"], "bold"), (f"  {edition}", "dim")))
    console.print(f"  {words('seats')}{words('colon')}{', '.join(data['seats'])}")
    console.print(f"  {words('clauses', **data['clauses'])}")
    console.print(f"  {words('scenarios')}{words('colon').rstrip()}")
    wide = max(map(len, data["scenarios"]), default=0)
    for key, title in data["scenarios"].items():
        mark = f" ({words('default')})" if key == data["default_scenario"] else ""
        console.print(f"    {key:<{wide}}  {title}{mark}", markup=False)
    console.print(f"  {words('options')}{words('colon').rstrip()}")
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for option in data["options"]:
        setting = Text(f"  {option['key']}={option['default']}")
        text = cited(option["text"], option["clause"])
        if option["choices"] != SWITCH:
            text = Text(f"{' | '.join(option['choices'])}: ") + text
        table.add_row(setting, text)
    console.print(table)
