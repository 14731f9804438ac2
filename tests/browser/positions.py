"""Ways to the middle of a battle: both sides are played over HTTP, so that the browser need not."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.server.client import Player

ATTACKS = ("fight", "shoot", "charge")
LATE = ("done", "end-segment", "end-turn", "discard", "keep")  # while there is something better to do


def attacks(frame: Any) -> list[Any]:
    """What can be done that dice decide."""
    return [action for action in frame["actions"] if action["odds"] and action["verb"] in ATTACKS]


def asks(frame: Any) -> bool:
    """Whether the page asks before it throws: there is an attack, and something else could be done."""
    return bool(attacks(frame)) and any(not action["odds"] for action in frame["actions"])


def play_on(player: Player, match: str, rng: Random, enough: Callable[[Any], object], most: int = 600) -> Any:
    """Play for all seats, which are his, until a frame is ``enough``; that frame."""
    frame = player.frame(match)
    for _ in range(most):
        assert not frame["ending"], "it is over"
        if enough(frame):
            return frame
        act(player, match, frame, choose(rng, frame), rng)
        frame = player.frame(match)
    raise AssertionError("it does not come to this")


def choose(rng: Random, frame: Any) -> Any:
    actions = frame["actions"]
    rest = [action for action in actions if action["verb"] == "deploy-rest"]
    busy = [action for action in actions if action["verb"] not in LATE]
    return rng.choice(rest or (busy if rng.random() < 0.9 else []) or actions)


def act(player: Player, match: str, frame: Any, action: Any, rng: Random) -> None:
    """Do it, and throw the dice for it if players throw."""
    dice: list[int] = []
    while ask := player.act(match, frame["number"], action["do"], dice=dice or None)["luck"]:
        choices = [number for number, _ in ask["choices"]] or range(1, ask["sides"] + 1)
        dice = [*ask["dice"], *(rng.choice(choices) for _ in range(ask["n"]))]
