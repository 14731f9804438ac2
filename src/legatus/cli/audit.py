"""``legatus audit``: does every decision of a bot follow from what its seat could see?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from ..kernel import Game, Match
from ..kernel.files import BadFile
from ..lab.audit import Audit, CannotAudit, sittings
from ..lab.audit import audit as ask_again
from .analyse import RecordArgument
from .common import (
    REFUSED,
    JsonOption,
    LangOption,
    Teller,
    find_seat,
    print_json,
    read_head,
    read_record,
    screen,
    speak,
)
from .runs import JobsOption, at_least_one, progress_bar
from .words import Words

SeatOption = Annotated[str | None, typer.Option("--seat", help="audit_seat")]


def audit(
    record: RecordArgument,
    seat: SeatOption = None,
    jobs: JobsOption = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let new bots decide again from what their seats could see, and compare."""
    words = speak(lang)
    at_least_one(words, jobs=jobs)
    match = read_record(record)
    only = None if seat is None else find_seat(match.game, seat, words)
    try:
        sat = sittings(read_head(record), match.game)
        with progress_bar(len(match.journal), words) as progress:
            found = ask_again(match, sat, only, jobs or 1, progress)
    except CannotAudit as error:
        raise BadFile(record, "", error.said) from None
    if as_json:
        print_json(audit_data(match.game, found))
    else:
        _print(record, match, found, words)
    if found.broken is not None:
        raise typer.Exit(REFUSED)


def audit_data(game: Game, found: Audit) -> dict[str, Any]:
    """The audit for programs."""
    broken = found.broken
    bots = [
        {"seat": game.seats[seat], "bot": bot, "decisions": made, "reproduced": same}
        for (seat, bot), (made, same) in found.tally().items()
    ]
    first = None if broken is None else msgspec.to_builtins(broken) | {"seat": game.seats[broken.seat]}
    return {"game": found.game, "honest": broken is None, "bots": bots, "first": first}


def _print(record: str, match: Match, found: Audit, words: Words) -> None:
    console, teller, broken = screen(), Teller(match.game, words), found.broken
    console.print(Text(words("audit_head", file=Path(record).name), style="dim"))
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("seat", "bot", "decisions", "reproduced"):
        table.add_column(words(f"audit_{heading}"), justify="left" if heading in ("seat", "bot") else "right")
    for (seat, bot), (made, same) in found.tally().items():
        table.add_row(teller.seat_head(match.state, seat), bot, str(made), str(same))
    console.print(table)
    if broken is None:
        console.print(Text(words("audit_honest"), style="bold"))
        return
    who = teller.seat_head(match.state, broken.seat)
    console.print(Text(words("audit_broken", n=broken.entry, seat=who, bot=broken.bot), style="bold red"))
    console.print(Text(words("audit_other", done=broken.done, again=broken.again)))
    console.print(Text(words("audit_why"), style="dim"))
