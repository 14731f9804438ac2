"""What worker processes do for the server.  Arguments and answers are plain: they go through a pipe."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from ..bots import decide, level_name, mood
from ..bots.decoys import ponder
from ..games import GAMES
from ..kernel import Complaint, Game, IllegalAction, Match, Message, Setup, apply, say
from ..kernel.codec import parse_action, state_from
from ..kernel.commitment import dice_of
from ..kernel.drafts import CheckedDesign
from ..kernel.positions import look_at
from ..kernel.records import parse_record
from ..lab.audit import Sitting, noted_sittings, sittings
from ..lab.branch import branch_at
from ..lab.odds import seen_odds
from ..lab.verify import Verdict, verify
from . import lobby
from .editions import Closed, Mark, resumed_text, standing_of
from .faults import Fault
from .store import Row, SeatRow, Standing
from .wire import CheckArmy, CheckDesign, CheckedArmy

MAX_SETUP = 200_000  # bytes of a set-up: of ours the largest has 7 kB, a position up to 25 kB
LONGEST_SEED = 64  # that the database has room for
LONGEST_FAIRNESS = 20_000  # characters: a match that was resumed hundreds of times


# --- decisions and odds --------------------------------------------------------------------------


def think(
    game_key: str, view: bytes, seat: int, bot: str, seed: str, number: int, watched: bool = False
) -> str:
    """What a bot does for the entry ``number``; if ``watched``, its time does not tell what it holds."""
    game = GAMES[game_key]
    if watched:
        ponder(bot, game, state_from(game, msgspec.json.decode(view)), seat, mood(seed, number))
    return say(decide(bot, game, view, seat, mood(seed, number)).action)


def consider(
    game_key: str, view: bytes, seat: int, bot: str, seed: str, number: int
) -> tuple[str, list[tuple[str, float, int]]]:
    """What it does, and all that it considered with value and tries, the best first."""
    choice = decide(bot, GAMES[game_key], view, seat, mood(seed, number))
    return say(choice.action), [(say(one.action), one.value, one.tries) for one in choice.thoughts]


def odds(game_key: str, view: bytes, seat: int, action: str) -> dict[str, Any]:
    """The odds of an action, from what its seat knows."""
    game = GAMES[game_key]
    known = state_from(game, msgspec.json.decode(view))
    return seen_odds(game, known, seat, parse_action(game, action), Random("odds")).plain()


# --- set-ups and records -------------------------------------------------------------------------


class Opening(Struct, frozen=True):
    """A new match as the database is to hold it, but for its id and the time."""

    game: str
    setup: str
    rows: list[Row]
    position: str
    standing: Standing


class Replay(Struct, frozen=True):
    """A record that was verified."""

    opening: Opening
    seats: list[SeatRow]
    seed: str
    fairness: str | None  # what its dice follow from, as JSON
    cut: Closed | None  # what is not shown of it, and why


def opening_of(match: Match) -> Opening:
    encoded = msgspec.json.encode(match.setup)
    if len(encoded) > MAX_SETUP:
        raise Fault("bad-file", "large-set-up", limit=MAX_SETUP)
    setup, (rows, position) = encoded.decode(), rows_of(match)
    return Opening(match.game.key, setup, rows, position, standing_of(match.state))


def rows_of(match: Match, ident: str = "", at: str = "") -> tuple[list[Row], str]:
    """A match as rows, and its last position."""
    rows, mark = [], Mark("", "")
    for entry, state in zip(match.journal, match.states, strict=True):
        mark, number = Mark.of(state), entry.row
        do, position = say(entry.action) if entry.action else "", mark.in_row(number)
        if entry.resumed is not None:
            do, position = resumed_text(entry.resumed, entry.resumed.lost), mark.position
        dice, request = msgspec.json.encode(entry.dice).decode(), f"start:{number:08d}"
        rows.append(Row(ident, number, entry.seat, do, dice, request, at, mark.check, position=position))
    return rows, mark.position


def set_up(
    game_key: str,
    scenario: str | None,
    armies: Sequence[str | dict[str, Any]],
    options: dict[str, bool | str],
    seed: str,
    sat: Sitting,
) -> Opening:
    """A new match; a BadFile if it cannot be set up so."""
    game = GAMES[game_key]
    dice = dice_of(sat.scheme, seed, 0, sat.contributions, game.seats)
    return opening_of(Match.new(game, game.configure_known(scenario, armies, options), dice))


def leave(
    game_key: str, setup: bytes, state: bytes, number: int, seat: int, of: str, deal: int | str | None
) -> Opening:
    """A match that leaves another one; with ``deal`` what ``seat`` does not know is dealt anew."""
    game, rng = GAMES[game_key], None if deal is None else Random(deal)
    begun = msgspec.json.decode(setup, type=Setup)
    match = branch_at(game, begun, state_from(game, msgspec.json.decode(state)), number, seat, of, rng)
    look_at(game, match.state)
    return opening_of(match)


def rehearse(game_key: str, state: bytes, do: str, seed: str, row: int, sat: Sitting) -> None:
    """Carry an action out and look at what came of it: it takes too long here, not in the server."""
    game = GAMES[game_key]
    known, dice = (
        state_from(game, msgspec.json.decode(state)),
        dice_of(sat.scheme, seed, row, sat.contributions, game.seats),
    )
    try:
        play = apply(known, parse_action(game, do), dice)
        look_at(game, play.state)
    except IllegalAction:  # whoever asked is told by the server
        return
    except (Complaint, MemoryError):
        raise
    except Exception as error:  # the rules met what no game of ours leads to
        problem = Message("record.broken", {"problem": repr(error)[:200]})
        raise Fault("bad-request", problem=problem) from None


def check(text: str) -> Replay:
    """A record, replayed and verified; raises BadFile."""
    match = parse_record(GAMES, text)
    found = match.difference
    if found is None:
        closed = cut(text, match)
    else:
        closed = Closed(found.edition, match.game.edition, found.entry, found.lost)
    seats, seed = noted(match.game, text)
    return Replay(opening_of(match), seats, seed, noted_fairness(match.game, text, seed), closed)


def examine(text: str) -> Verdict:
    """Whether the dice of a record fell as they had to."""
    return verify(parse_record(GAMES, text), json.loads(text.split("\n", 1)[0]))


def cut(text: str, match: Match) -> Closed | None:
    """What a record that was written of a match not shown to its end says of that."""
    try:
        found = msgspec.convert(json.loads(text.split("\n", 1)[0]).get("cut"), Closed | None)
    except ValueError:
        return None
    fits = found is not None and found.entries == len(match.journal) and found.lost > 0
    return found if fits and 1 <= found.before <= found.edition <= match.game.edition else None


def noted(game: Game, text: str) -> tuple[list[SeatRow], str]:
    """The seats and the seed of a record that is to be looked at, as far as it tells them.

    Its bots are those that anybody may play against: others could think for hours about one decision.
    """
    unknown = [SeatRow("", seat) for seat in range(len(game.seats))]
    try:
        (sat,) = sittings(json.loads(text.split("\n", 1)[0]), game)
        bots = [bot and level_name(bot) for bot in map(sat.bot, game.seats)]
    except (Complaint, ValueError):  # there are no notes, or several
        return unknown, ""
    seed = str(sat.seed)
    if not (seed.isascii() and seed.isprintable() and len(seed) <= LONGEST_SEED):
        return unknown, ""
    return [SeatRow("", seat, None, bot) for seat, bot in enumerate(bots)], seed


def noted_fairness(game: Game, text: str, seed: str) -> str | None:
    """What the dice of a record that is to be looked at follow from, for the database.

    ``seed`` is the one that was noted; a record that has another one, or several, is not verified here.
    """
    try:
        (found,) = noted_sittings(json.loads(text.split("\n", 1)[0]), game)
        encoded = msgspec.json.encode(found).decode()
    except (Complaint, ValueError):
        return None
    known = found.seed is None or str(found.seed) == seed
    return encoded if known and len(encoded) <= LONGEST_FAIRNESS else None


# --- armies and designs --------------------------------------------------------------------------


def check_army(game_key: str, ask: CheckArmy, lang: str) -> CheckedArmy:
    return lobby.check_army(GAMES[game_key], ask, lang)


def check_design(game_key: str, ask: CheckDesign, lang: str) -> CheckedDesign:
    return lobby.check_design(GAMES[game_key], ask, lang)
