"""Matches of a chosen seed on a running server, and everything that it can be asked about them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from secrets import token_urlsafe
from typing import Any

import msgspec

from legatus.games import GAMES
from legatus.kernel import Match, Seeded, Setup, legal, say
from legatus.kernel.records import record_text
from legatus.server.counting import bits_of, who_notices
from legatus.server.editions import standing_of
from legatus.server.jobs import rows_of
from legatus.server.keys import digest
from legatus.server.store import MatchRow, SeatRow, Store, now

from .client import Player, Server

TIMES = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00")


def plant(
    server: Server, setup: Setup, game: str, seats: Sequence[Player | str], seed: str, luck: str = "server"
) -> str:
    """Open a match whose luck follows from ``seed``; in its seats are players, or bots by their level."""
    match = Match.new(GAMES[game], setup, Seeded(f"{seed}/0"))
    ident, at, standing = token_urlsafe(9), now(), standing_of(match.state)
    people = [None if isinstance(seat, str) else digest(seat.key) for seat in seats]
    head = MatchRow(
        id=ident,
        game=game,
        setup=msgspec.json.encode(match.setup).decode(),
        luck=luck,
        seed=seed,
        replay=False,
        maker=next((holder for holder in people if holder), digest(ident)),
        request=ident,
        started=at,
        moved=at,
        number=1,
        turn=standing.turn,
        over=False,
        edition=match.game.edition,
    )
    rows, position = rows_of(match, ident, at)
    named = [seat if isinstance(seat, str) else "" for seat in seats]
    its_seats = [SeatRow(ident, n, people[n], named[n], "x") for n in range(len(seats))]
    store = Store(server.database if "://" in server.database else f"sqlite:///{server.database}")
    try:
        assert store.create(head, its_seats, rows, position)
    finally:
        store.engine.dispose()
    return ident


def plain(text: str | bytes, match: str) -> str:
    """An answer without what must differ between two matches: their ids and times."""
    text = text if isinstance(text, str) else text.decode()
    return TIMES.sub("TIME", text.replace(match, "MATCH"))


def answers(player: Player, match: str, seen_as: str, moments: Sequence[int], asked: dict[str, Any]) -> str:
    """All that somebody can be told about a match at this moment, as one text.

    ``asked`` are what the games differ in: pieces to look at, actions and clicks to ask about.
    """
    where, seen = f"/api/matches/{match}", {"seen_as": seen_as}
    tries: list[tuple[str, str, Any, dict[str, Any]]] = [
        ("GET", where, None, {}),
        ("GET", f"{where}/frame", None, seen),
        ("GET", f"{where}/log", None, seen),
        ("GET", f"{where}/record", None, {}),
        ("GET", f"{where}/frame", None, {"seen_as": "open"}),
        ("GET", f"{where}/thoughts", None, {"entry": 1}),
        ("POST", f"{where}/analysis", None, {}),
        ("POST", f"{where}/undo", {"number": 1, "request": "undo-twin"}, {}),
        ("POST", f"{where}/branch", {"request": "branch-twin", "entry": 99_999, "seat": seen_as}, {}),
        ("GET", "/api/matches", None, {}),
    ]
    tries += [("GET", f"{where}/frame", None, {**seen, "entry": entry}) for entry in moments]
    for piece in asked.get("pieces", ()):
        at = {**seen, "piece": piece}
        tries += [(("GET"), f"{where}/look", None, at), ("GET", f"{where}/menu", None, at)]
        tries += [("GET", f"{where}/ghost", None, {**at, "grip": "card", "x": 500, "y": 500})]
        tries += [("POST", f"{where}/why", {"clicks": [piece]}, seen)]
    tries += [("POST", f"{where}/why", {"do": do}, seen) for do in asked.get("actions", ())]
    found = []
    for method, path, body, params in tries:
        answer = player.ask(method, path, params=params, json=body)
        assert answer.status_code < 500, answer.text
        said = f"{answer.status_code} {answer.text}"
        if path == "/api/matches" and answer.status_code == 200:
            mine = [one for one in answer.json()["matches"] if one["id"] == match]
            said = json.dumps(mine)
        found.append(f"{path} {params} {body} {said}")
    return plain("\n".join(found), match)


def noticed(match: Match, seat: int | None) -> list[int]:
    """The entries that a seat, or a spectator, counts as long as the match is not over."""
    game, found = match.game, [0]
    bits = bits_of(game, () if seat is None else (seat,))
    for n in range(1, len(match.states)):
        if who_notices(game, match.states[n - 1], match.states[n], match.events[n]) & bits:
            found.append(n)
    return found


@cache
def fortresses_raised(times: int) -> str:
    """A record in which a defender changes his mind often: every state takes a while to make again."""
    game = GAMES["onus"]
    match = Match.new(game, game.configure_known("free-siege", [], {}), Seeded("raised"))
    choices = [action for action in legal(match.state) if say(action).startswith("raise")]
    head, start = record_text(match).splitlines()
    decision = match.state.decision
    assert decision is not None
    seat, lines = game.seats[decision.seat], [head, json.dumps({"dice": json.loads(start)["dice"]})]
    for number in range(times):
        lines.append(json.dumps({"seat": seat, "do": say(choices[number % 2]), "dice": []}))
    return "\n".join(lines) + "\n"
