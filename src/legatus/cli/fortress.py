"""``legatus fortress``: designs of fortresses for Onus, listed, priced, checked and drawn.

What the commands print is in ``plans``; it is loaded when it is wanted, since geometry takes its time.
"""

from __future__ import annotations

from typing import Annotated

import typer

from .common import REFUSED, JsonOption, LangOption, print_json, screen, speak

app = typer.Typer(rich_markup_mode="markdown", invoke_without_command=True)

FortressArgument = Annotated[str, typer.Argument(metavar="FILE", help="fortress_file")]


@app.callback()
def _root(ctx: typer.Context) -> None:
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


@app.command("list")
def list_fortresses(lang: LangOption = None, as_json: JsonOption = False) -> None:
    """List the ready designs with their size and their price in wood and in stone."""
    from . import plans

    words = speak(lang)
    if as_json:
        print_json(plans.list_data(words))
    else:
        screen().print(plans.listed(words))


@app.command("check")
def check(file: FortressArgument, lang: LangOption = None, as_json: JsonOption = False) -> None:
    """Price a design and say what is wrong with it, by line and clause."""
    from . import plans

    plan = plans.read(file, speak(lang))
    if as_json:
        print_json(plan.checked_data())
    else:
        plan.print_check(screen())
    if plan.problems:
        raise typer.Exit(REFUSED)


@app.command("show")
def show(
    file: FortressArgument,
    svg: Annotated[bool, typer.Option("--svg", help="svg")] = False,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a design and list its pieces, their places and what stands beside them."""
    from . import plans

    plan = plans.read(file, speak(lang))
    if svg:
        print(plan.svg(), end="")
    elif as_json:
        print_json(plan.checked_data() | plan.shape_data())
    else:
        plan.print_plan(screen())
