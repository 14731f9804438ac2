"""Positions: a moment of a game as a file, and the fingerprint of a state."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2s
from typing import Any

import msgspec

from .codec import label, state_from, state_to_json
from .engine import legal
from .files import BadFile, misfit, parse_json, wrong_edition
from .model import Game, State
from .words import Message

VERSIONS = {"record": (1, 2, 3), "position": (1, 2)}  # that are read; a change comes with a migration
NAMELESS = {
    "record": 2,
    "position": 1,
}  # up to this version no edition is named: all of them are of the first


def read_head(games: Mapping[str, Game], raw: Any, kind: str, file: str) -> tuple[Game, int]:
    """The game of a file, and the edition of the rules that it was made with."""
    if not isinstance(raw, dict) or raw.get("legatus") != kind:
        raise BadFile(file, "", Message(f"{kind}.head"))
    known, version = VERSIONS[kind], raw.get("version")
    if version not in known or type(version) is not int:
        expected = Message("file.or", {"last": known[-1], "others": known[:-1]})
        raise BadFile(
            file, "version", Message("file.expected", {"expected": expected, "found": repr(version)})
        )
    key = str(raw.get("game"))
    if key not in games:
        raise BadFile(file, "game", Message("file.one_of", {"known": tuple(games), "found": repr(key)}))
    game, edition = games[key], 1 if version <= NAMELESS[kind] else raw.get("edition")
    if type(edition) is not int or not 1 <= edition <= game.edition:
        raise BadFile(file, "edition", wrong_edition(game.edition, edition))
    return game, edition


def fingerprint(encoded: bytes) -> str:
    """A short fingerprint of a state, given as JSON: the same on every machine."""
    return blake2s(encoded, digest_size=6).hexdigest()


def digest(state: State) -> str:
    return fingerprint(state_to_json(state))


def position_text(game: Game, state: State) -> str:
    head = {
        "legatus": "position",
        "version": VERSIONS["position"][-1],
        "game": game.key,
        "edition": game.edition,
    }
    return json.dumps({**head, "state": json.loads(state_to_json(state))}, ensure_ascii=False) + "\n"


def parse_position(games: Mapping[str, Game], text: str, file: str = "position") -> tuple[Game, Any]:
    """The game and the state that a position file holds."""
    raw = parse_json(text, file)
    game, _ = read_head(games, raw, "position", file)
    return game, checked_state(game, raw.get("state"), file, "state")


def checked_state(game: Game, raw: Any, file: str, place: str | Message) -> Any:
    """A state that can be played on, or is over; a BadFile says why it is none."""
    if not isinstance(raw, dict):
        raise BadFile(file, place, Message("position.state"))
    try:
        state = state_from(game, raw)
        fault = next(_faults(game, state), None)
        if fault is None:
            look_at(game, state)
    except msgspec.ValidationError as error:
        problem, where = misfit(error)
        raise BadFile(file, _within(place, where), problem) from None
    except Exception as error:
        odd = Message("position.not_of", {"game": game.key, "problem": repr(error)})
        raise BadFile(file, place, odd) from None
    if fault is not None:
        raise BadFile(file, place, Message("position.impossible", {"problem": fault}))
    return state


def look_at(game: Game, state: Any) -> None:
    """Make what everybody sees of a state; an exception if it holds what the game does not know."""
    for seat in (None, *range(len(game.seats))):
        view = game.view(state, seat)
        game.scene(view, seat, "en")
        if view.decision is not None and view.decision.seat == seat:
            for action in legal(view):
                label(game, view, action, "en")


def _within(place: str | Message, where: str) -> str | Message:
    """A place in a state, of which ``place`` says where it is written."""
    if isinstance(place, str):
        return f"{place} {where}".strip()
    inner = where.strip("$.")
    path = f"{place.values['path']}.{inner}" if "path" in place.values else inner
    return Message("file.line_at", {**place.values, "path": path}) if "line" in place.values else place


def _faults(game: Game, state: Any) -> Iterator[Message]:
    """Why a state of the right shape is not one that can be played on."""
    if state.outcome is not None:
        if state.outcome.winner is not None and not 0 <= state.outcome.winner < len(game.seats):
            yield Message("position.seat", {"last": len(game.seats) - 1, "found": state.outcome.winner})
        yield from (Message("text", {"text": fault}) for fault in game.uneven(state))
        return
    decision = state.decision
    if decision is None:
        yield Message("position.nobody")
    elif not 0 <= decision.seat < len(game.seats):
        yield Message("position.seat", {"last": len(game.seats) - 1, "found": decision.seat})
    yield from (Message("text", {"text": fault}) for fault in game.uneven(state))
    yield from (Message("text", {"text": fault}) for fault in game.invariants(state))
    if not legal(state):
        yield Message("position.stuck")
