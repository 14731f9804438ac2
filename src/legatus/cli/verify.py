"""``legatus verify``: did the dice of a record fall as they had to?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
import typer

from ..games import GAMES
from ..kernel.commitment import CONTRIBUTION
from ..kernel.files import read_text
from ..kernel.records import parse_record
from ..lab.verify import Verdict
from ..lab.verify import verify as recompute
from .analyse import RecordArgument
from .common import REFUSED, Fault, JsonOption, LangOption, Teller, print_json, read_head, screen, speak
from .words import Words

CommitmentOption = Annotated[list[str] | None, typer.Option("--commitment", help="commitment")]
ContributionOption = Annotated[list[str] | None, typer.Option("--contribution", help="contributed")]

COMMITMENT, ROW = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9]{1,10}")


def verify(
    record: RecordArgument,
    commitment: CommitmentOption = None,
    contribution: ContributionOption = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute every die and card of a record, and compare."""
    words = speak(lang)
    _check_notes(commitment or (), contribution or (), words)
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


def _check_notes(commitments: Sequence[str], contributions: Sequence[str], words: Words) -> None:
    """Refuse what nobody can have noted, such as the value of an unset shell variable."""
    for value in commitments:
        if not COMMITMENT.fullmatch(value):
            raise Fault(words("bad_commitment", text=value))
    for value in contributions:
        text, at, row = value.partition("@")
        if not CONTRIBUTION.fullmatch(text) or (at and not ROW.fullmatch(row)):
            raise Fault(words("bad_contributed", text=value))


def verdict_data(found: Verdict) -> dict[str, Any]:
    """The verdict for programs."""
    return {"verified": found.good, **msgspec.to_builtins(found)}
