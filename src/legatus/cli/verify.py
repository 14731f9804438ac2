"""``legatus verify``: did the dice of a record fall as they had to?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
import typer

from ..games import GAMES
from ..kernel import Game
from ..kernel.commitment import CONTRIBUTION
from ..kernel.files import read_text
from ..kernel.records import parse_record
from ..lab.verify import Verdict
from ..lab.verify import verify as recompute
from .analyse import RecordArgument
from .common import (
    REFUSED,
    Fault,
    JsonOption,
    LangOption,
    Teller,
    find_seat,
    print_json,
    read_head,
    screen,
    speak,
)
from .words import Words

CommitmentOption = Annotated[list[str] | None, typer.Option("--commitment", help="commitment")]
ContributionOption = Annotated[
    list[str] | None, typer.Option("--contribution", metavar="[SEAT=]TEXT[@ROW]", help="contributed")
]

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
    given = [_with_seat(match.game, one, words) for one in contribution or ()]
    found = recompute(match, read_head(record), commitment or (), given)
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
        before, at, row = value.partition("@")
        text = before.rpartition("=")[2]
        if not CONTRIBUTION.fullmatch(text) or (at and not ROW.fullmatch(row)):
            raise Fault(words("bad_contributed", text=value))


def _with_seat(game: Game, value: str, words: Words) -> str:
    """A contribution whose seat, if it is said, is one of the game."""
    name, equals, text = value.rpartition("=")
    return f"{game.seats[find_seat(game, name, words)]}={text}" if equals else text


def verdict_data(found: Verdict) -> dict[str, Any]:
    """The verdict for programs."""
    return {"verified": found.good, **msgspec.to_builtins(found)}
