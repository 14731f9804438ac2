"""``legatus verify``: did the dice of a record fall as they had to?"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer

from ..games import GAMES
from ..kernel.files import read_text
from ..kernel.records import parse_record
from ..lab.verify import Verdict
from ..lab.verify import verify as recompute
from .analyse import RecordArgument
from .common import REFUSED, JsonOption, LangOption, Teller, print_json, read_head, screen, speak

CommitmentOption = Annotated[list[str] | None, typer.Option("--commitment", help="commitment")]
ContributionOption = Annotated[list[str] | None, typer.Option("--contribution", help="contributed")]


def verify(
    record: RecordArgument,
    commitment: CommitmentOption = None,
    contribution: ContributionOption = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute every die and card of a record, and compare."""
    words = speak(lang)
    match = parse_record(GAMES, read_text(record), record)
    found = recompute(match, read_head(record), commitment or (), contribution or ())
    if as_json:
        print_json(verdict_data(found))
    else:
        console, teller = screen(), Teller(match.game, words)
        for said in found.said():
            console.print(teller.sentence(match.state, said), markup=False, soft_wrap=True)
    if not found.good:
        raise typer.Exit(REFUSED)


def verdict_data(found: Verdict) -> dict[str, Any]:
    """The verdict for programs."""
    return {"verified": found.good, **msgspec.to_builtins(found)}
