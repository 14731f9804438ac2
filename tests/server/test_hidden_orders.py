"""Metaurus: an order that lies face down is in nothing that the other seat, or a spectator, is sent."""

import json
from typing import Any

import pytest

from .client import Player, Server

ORDERS = ("stand", "move", "move-to-attack", "reform")


def told(player: Player, match: str, **params: Any) -> str:
    """All that somebody can ask for, but for names and times of this match."""
    frame = player.frame(match, **params)
    enemy = "livius-1"
    asked = [
        frame,
        player.log(match, **params),
        player.get(f"/api/matches/{match}/look", piece=enemy, **params),
        player.get(f"/api/matches/{match}/menu", piece=enemy, **params),
        player.post(f"/api/matches/{match}/why", {"clicks": [enemy]}, **params),
        player.post(f"/api/matches/{match}/why", {"do": "lay red move"}, **params),
    ]
    return json.dumps(asked).replace(match, "")


@pytest.mark.parametrize("seen_as", ["carthage", "spectator"])
def test_orders_face_down_are_told_to_nobody_else(server: Server, seen_as: str) -> None:
    """Four battles that differ only in the order that Rome has laid: the others are told the same."""
    while_placing, afterwards, own = set(), set(), set()
    for order in ORDERS:
        rome, carthage = server.player(), server.player()
        made = rome.open("me", "friend", game="metaurus", scenario="vanguard")
        carthage.join(made)
        match = made["id"]
        seats = {"rome": rome, "carthage": carthage}
        chooser = seats[rome.frame(match)["turn"]]
        number = chooser.act(match, 1, "go-first" if chooser is rome else "go-second")["number"]
        number = rome.act(match, number, f"lay red {order}")["number"]
        rome.act(match, number, "done")
        while_placing.add(without_initiative(told(carthage, match, seen_as=seen_as)))
        number = carthage.frame(match)["number"]
        carthage.act(match, number, "done")
        afterwards.add(without_initiative(told(carthage, match, seen_as=seen_as)))
        own.add(without_initiative(json.dumps(rome.frame(match)).replace(match, "")))
    assert len(while_placing) == 1
    assert len(afterwards) == 1
    assert len(own) == len(ORDERS)


def without_initiative(text: str) -> str:
    """The dice of the initiative differ from battle to battle: logs begin after them."""
    plain = json.loads(text)
    for part in plain if isinstance(plain, list) else [plain]:
        log = part.get("log", []) if isinstance(part, dict) else part
        log[:] = [entry for entry in log if entry["entry"] > 1]
    return json.dumps(plain)
