"""``legatus army``: the army lists of Virtus, priced and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..games import GAMES
from ..games.virtus.army import EDITION, Army, cost
from ..games.virtus.recruit import Source
from ..kernel.files import read_text, read_toml
from ..kernel.muster import Muster, MusterLine, MusterProblem
from ..kernel.rulebook import Folder
from .common import (
    REFUSED,
    Fault,
    JsonOption,
    LangOption,
    SettingOption,
    cited,
    print_json,
    read_settings,
    screen,
    speak,
)
from .words import Words

app = typer.Typer(rich_markup_mode="markdown", invoke_without_command=True)


@app.callback()
def _root(ctx: typer.Context) -> None:
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


def _folder() -> Folder:
    return GAMES["virtus"].folder


def _read(name: str, words: Words) -> tuple[str, Army]:
    """A ready army by its name, or a TOML file."""
    ready = _folder().names("armies")
    path = str(ready.get(name, name))
    if name not in ready and not Path(name).exists():
        raise Fault(words("no_army", name=name, known=", ".join(ready)))
    return path, read_toml(path, Army, EDITION)


def _name(army: Army, words: Words) -> str:
    return (army.name_fr if words.lang == "fr" else "") or army.name


@app.command("list")
def list_armies(lang: LangOption = None, as_json: JsonOption = False) -> None:
    """List the ready armies with their cost; their names go to `play --army`."""
    words = speak(lang)
    rows = []
    for key, path in _folder().names("armies").items():
        army = read_toml(path, Army, EDITION)
        units = sum(entry.count for entry in army.unit)
        rows.append({"army": key, "name": _name(army, words), "units": units, "generals": len(army.general)})
        rows[-1] |= {"cost": cost(army), "budget": army.budget, "file": str(path)}
    if as_json:
        print_json(rows)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for key in ("army", "name", "units", "generals", "cost"):
        table.add_column(words(f"army_{key}"), justify="left" if key in ("army", "name") else "right")
    for row in rows:
        table.add_row(*(str(row[key]) for key in ("army", "name", "units", "generals", "cost")))
    screen().print(table)


@app.command("check")
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="army_file")],
    budget: Annotated[int | None, typer.Option("--budget", help="budget")] = None,
    option: SettingOption = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Price an army list and say what is wrong with it, by line and clause."""
    words = speak(lang)
    path, army = _read(file, words)
    game = GAMES["virtus"]
    options = read_settings(game, option, words)
    mustered = game.muster(msgspec.to_builtins(army), words.lang, budget, options)
    source = Source(path, read_text(path))
    found = [_problem_data(problem, source, words) for problem in mustered.problems]
    if as_json:
        priced = [_line_data(line) for line in mustered.lines]
        head = {"file": path, "name": mustered.name, "cost": mustered.cost, "budget": mustered.budget}
        print_json({**head, "ok": mustered.ok, "lines": priced, "problems": found})
    else:
        _print(screen(), mustered, words)
        _print_problems(screen(), path, found, words)
    if not mustered.ok:
        raise typer.Exit(REFUSED)


def _problem_data(problem: MusterProblem, source: Source, words: Words) -> dict[str, Any]:
    place = words.tell(source.place(problem.place))
    return {"severity": problem.severity, "place": place, "clause": problem.clause, "text": problem.text}


def _line_data(line: MusterLine) -> dict[str, Any]:
    return {
        "type": line.key,
        "what": line.what,
        "name": line.name,
        "marks": list(line.marks),
        "count": line.count,
        "each": line.each,
        "total": line.total,
    }


def _print(console: Console, mustered: Muster, words: Words) -> None:
    console.print(Text(mustered.name, style="bold"))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for justify in ("right", "left", "right", "right"):
        table.add_column(justify=justify)
    for line in mustered.lines:
        table.add_row(str(line.count), line.label, f"× {line.each}", str(line.total))
    console.print(table)
    console.print(words("army_total", cost=mustered.cost, budget=mustered.budget))


def _print_problems(console: Console, path: str, found: list[dict[str, Any]], words: Words) -> None:
    styles, colon = {"error": "bold red", "warning": "yellow"}, words("colon")
    for problem in found:
        where = "".join(part + colon for part in (path, problem["place"]) if part)
        kind = Text(words(problem["severity"]) + colon, style=styles[problem["severity"]])
        console.print(where, kind + cited(problem["text"], problem["clause"]), sep="", soft_wrap=True)
    errors = sum(problem["severity"] == "error" for problem in found)
    console.print(words("army_bad", n=errors) if errors else words("army_good"))
