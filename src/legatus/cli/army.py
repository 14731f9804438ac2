"""``legatus army``: the army lists of Virtus, priced and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..games import GAMES
from ..games.virtus.army import Army, Line, Problem, cost, lines, type_of
from ..games.virtus.army import check as problems_of
from ..games.virtus.recruit import Source
from ..kernel.files import read_text, read_toml
from ..kernel.rulebook import Folder
from .common import REFUSED, Fault, JsonOption, LangOption, cited, print_json, screen, speak
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
    return path, read_toml(path, Army)


def _name(army: Army, words: Words) -> str:
    return (army.name_fr if words.lang == "fr" else "") or army.name


@app.command("list")
def list_armies(lang: LangOption = None, as_json: JsonOption = False) -> None:
    """List the ready armies with their cost; their names go to `play --army`."""
    words = speak(lang)
    rows = []
    for key, path in _folder().names("armies").items():
        army = read_toml(path, Army)
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
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Price an army list and say what is wrong with it, by line and clause."""
    words = speak(lang)
    path, army = _read(file, words)
    problems, source = problems_of(army, budget=budget), Source(path, read_text(path))
    points = army.budget if budget is None else budget
    found = [_problem_data(problem, source, words) for problem in problems]
    priced = [_line_data(line, army, words) for line in lines(army)]
    errors = [problem for problem in found if problem["severity"] == "error"]
    if as_json:
        head = {"file": path, "name": _name(army, words), "cost": cost(army), "budget": points}
        print_json({**head, "ok": not errors, "lines": priced, "problems": found})
    else:
        _print(screen(), army, points, priced, words)
        _print_problems(screen(), path, found, words)
    if errors:
        raise typer.Exit(REFUSED)


def _problem_data(problem: Problem, source: Source, words: Words) -> dict[str, Any]:
    sentence = _folder().messages[words.lang].render(problem.refusal)
    clause = problem.refusal.clause
    place = words.tell(source.place(problem.place))
    return {"severity": problem.severity, "place": place, "clause": clause, "text": sentence}


def _line_data(line: Line, army: Army, words: Words) -> dict[str, Any]:
    kind = type_of(army, line.key)
    what = words(f"army_{line.key}") if kind is None else kind.fr if words.lang == "fr" else kind.en
    return {
        "type": line.key,
        "what": what,
        "name": line.name,
        "marks": list(line.marks),
        "count": line.count,
        "each": line.each,
        "total": line.total,
    }


def _print(console: Console, army: Army, points: int, priced: list[dict[str, Any]], words: Words) -> None:
    console.print(Text(_name(army, words), style="bold"))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for justify in ("right", "left", "right", "right"):
        table.add_column(justify=justify)
    names = _folder().messages[words.lang].sentences
    for line in priced:
        marks = [names.get(f"name.{mark}", mark) for mark in line["marks"]]
        extra = [part for part in (line["name"], *marks) if part]
        what = f"{line['what']} ({', '.join(extra)})" if extra else line["what"]
        table.add_row(str(line["count"]), what, f"× {line['each']}", str(line["total"]))
    console.print(table)
    console.print(words("army_total", cost=cost(army), budget=points))


def _print_problems(console: Console, path: str, found: list[dict[str, Any]], words: Words) -> None:
    styles, colon = {"error": "bold red", "warning": "yellow"}, words("colon")
    for problem in found:
        where = "".join(part + colon for part in (path, problem["place"]) if part)
        kind = Text(words(problem["severity"]) + colon, style=styles[problem["severity"]])
        console.print(where, kind + cited(problem["text"], problem["clause"]), sep="", soft_wrap=True)
    errors = sum(problem["severity"] == "error" for problem in found)
    console.print(words("army_bad", n=errors) if errors else words("army_good"))
