"""Branches and analyses over the wire."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Any

import pytest

from legatus.games import GAMES
from legatus.kernel import Match, Scripted, Seeded
from legatus.kernel.engine import random_action
from legatus.kernel.records import parse_record, record_text
from legatus.lab.branch import branch

from .client import Player, Server, serving, until

VIRTUS = GAMES["virtus"]


def leave(player: Player, match: str, entry: int, seat: str, expect: int = 201, **wish: Any) -> Any:
    body = {"request": token_hex(8), "entry": entry, "seat": seat, **wish}
    return player.post(f"/api/matches/{match}/branch", body, expect)


def start(player: Player, actions: int = 5) -> Any:
    """A match against the computer in which something was done."""
    match = player.open("me", "bot:random", scenario="bridge")["id"]
    rng = Random(3)
    for _ in range(actions):
        frame = until(lambda: (found := player.frame(match))["yours"] and found)
        player.act(match, frame["number"], rng.choice(frame["actions"])["do"])
    return until(lambda: (found := player.frame(match))["yours"] and found)


def short_battle() -> str:
    """The last moves of a random battle, as a record of its own: little to reckon."""
    match = Match.new(VIRTUS, VIRTUS.configure("bridge"), Seeded("short/0"))
    rng = Random("short")
    while match.state.decision is not None:
        match.play(random_action(match.state, match.state.decision, rng), match.seeded("short"))
    at = len(match.journal) - 12
    end = branch(match, at, 0, "long.jsonl")
    for entry in match.journal[at + 1 :]:
        assert entry.action is not None
        end.play(entry.action, Scripted(entry.dice))
    assert end.state.outcome is not None
    return record_text(end)


def test_a_running_match_is_left_and_goes_on_undisturbed(server: Server) -> None:
    anna = server.player()
    frame = start(anna)
    match, entry = frame["match"], frame["entry"]
    made = leave(anna, match, entry - 1, "rome")
    assert made["branch"] == {"match": match, "entry": entry - 1, "seat": "rome", "dealt": True}
    assert made["id"] != match
    assert [(seat["who"], seat["yours"]) for seat in made["seats"]] == [("human", True), ("bot", False)]
    other = until(lambda: (found := anna.frame(made["id"]))["yours"] and found)
    anna.act(made["id"], other["number"], other["actions"][0]["do"])
    now = anna.frame(match)
    assert (now["number"], now["scene"]) == (frame["number"], frame["scene"])
    assert anna.match(match)["branch"] is None
    listed = {one["id"]: one["branch"] for one in anna.get("/api/matches")["matches"]}
    assert listed[made["id"]]["match"] == match


def test_the_same_request_makes_one_branch(server: Server) -> None:
    anna = server.player()
    match = start(anna, 1)["match"]
    first, again = (leave(anna, match, 1, "rome", request="branch-0001") for _ in range(2))
    assert first["id"] == again["id"]


def test_only_who_sits_there_may_leave_a_match_that_is_not_over(server: Server) -> None:
    anna, carl = server.player(), server.player()
    match = start(anna, 1)["match"]
    assert leave(carl, match, 0, "rome", 403)["code"] == "not-yours"
    assert leave(anna, match, 0, "barbarians", 403)["code"] == "not-yours"
    assert leave(anna, match, 0, "carthage", 403)["code"] == "not-yours"
    assert leave(anna, match, 9_999, "rome", 404)["code"] == "not-found"
    assert leave(anna, match, 0, "rome", 400, bot="nobody")["code"] == "bad-request"
    body = {"request": token_hex(8), "entry": 0, "seat": "rome"}
    server.stranger().post(f"/api/matches/{match}/branch", body, 401)
    anna.get(f"/api/matches/{match}/analysis", 403)
    anna.post(f"/api/matches/{match}/analysis", None, 403)


def test_a_branch_tells_nothing_that_was_secret(server: Server) -> None:
    """Two players; the branch of one has his own hand, and of the other's only what he may know."""
    anna, carl = server.player(), server.player()
    match = anna.open("me", "friend", scenario="bridge")
    carl.join(match)
    ident = match["id"]
    for player in (anna, carl):
        for do in ("deploy-rest", "done"):
            player.act(ident, player.frame(ident)["number"], do)
    entry = anna.frame(ident)["entry"]
    made = leave(anna, ident, entry, "rome")
    seen, was = anna.frame(made["id"], entry=0), anna.frame(ident, entry=entry)
    assert seen["scene"] == was["scene"], "what she sees is what she saw"
    anna.get(f"/api/matches/{made['id']}/frame", 403, seen_as="open")
    anna.record(made["id"], expect=403)
    views = set()
    for _ in range(8):
        other = leave(anna, ident, entry, "rome")
        views.add(json.dumps(anna.frame(other["id"], entry=0)["scene"], sort_keys=True))
    assert len(views) == 1


@pytest.fixture(scope="module")
def record() -> str:
    return short_battle()


def test_a_match_that_is_over_is_left_with_its_secrets(server: Server, record: str) -> None:
    carl = server.player()
    replay = carl.post("/api/replays", {"request": token_hex(8), "text": record}, 201)
    assert replay["branch"]["match"] == "long.jsonl"
    last = replay["entries"] - 1
    made = leave(carl, replay["id"], 2, "barbarians", bot="random")
    assert made["branch"]["dealt"] is False
    assert [seat["who"] for seat in made["seats"]] == ["bot", "human"]
    dealt = leave(carl, replay["id"], 2, "barbarians", redeal=True)
    assert dealt["branch"]["dealt"] is True
    end = leave(carl, replay["id"], last, "rome", 400)
    assert "over" in end["message"]
    until(lambda: (found := carl.frame(made["id"]))["yours"] or found["ending"])


def test_a_branch_survives_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        anna = server.player()
        match = anna.open("me", "me", scenario="bridge")["id"]
        for do in ("deploy-rest", "done"):
            anna.act(match, anna.frame(match)["number"], do)
        made = leave(anna, match, 2, "rome")["id"]
        seen = anna.frame(made, entry=0)["scene"]
    with serving(tmp_path) as server:
        again = Player(server, anna.key)
        assert again.match(made)["branch"]["match"] == match
        assert again.frame(made, entry=0)["scene"] == seen


def test_a_battle_is_analysed_in_the_background(server: Server, record: str) -> None:
    carl = server.player()
    replay = carl.post("/api/replays", {"request": token_hex(8), "text": record}, 201)
    where = f"/api/matches/{replay['id']}/analysis"
    assert carl.get(where)["state"] == "none"
    server.stranger().post(where, None, 401)
    begun = carl.post(where)
    assert begun["state"] in ("waiting", "working")
    assert begun["total"] > replay["entries"]
    found = until(lambda: (told := carl.get(where))["state"] == "done" and told, 240)
    assert carl.post(where)["state"] == "done", "it is kept"
    match = parse_record(GAMES, record)
    moments = found["moments"]
    assert [moment["entry"] for moment in moments] == list(range(len(match.journal)))
    assert match.state.outcome is not None
    assert moments[-1]["value"] == (match.state.outcome.winner == 0)
    for before, after in pairwise(moments):
        change = after["luck"] + after["decision"] + after["rest"]
        assert after["value"] - before["value"] == pytest.approx(change)
    assert 1 <= len(found["turning"]) <= 5
    french = carl.get(where, lang="fr")
    for ours, theirs in zip(found["turning"], french["turning"], strict=True):
        assert (ours["entry"], ours["lines"] and ours["lines"][0]["clause"]) == (
            theirs["entry"],
            theirs["lines"] and theirs["lines"][0]["clause"],
        )
    assert [p["done"] for p in found["turning"]] != [p["done"] for p in french["turning"]]
