"""The computer plays fair, and it can be shown: records with what an audit needs, and its thoughts."""

from __future__ import annotations

import json
from random import Random
from secrets import token_hex
from typing import Any

import pytest

from legatus.games import GAMES
from legatus.kernel import Match
from legatus.kernel.records import parse_record
from legatus.lab.audit import Audit, audit, sittings

from .client import SMALL, Player, Server, until


def head_of(record: str) -> Any:
    return json.loads(record.split("\n", 1)[0])


def audited(record: str) -> Audit:
    match = parse_record(GAMES, record)
    return audit(match, sittings(head_of(record), match.game))


def play_on(player: Player, match: str, rng: Random, undo: bool) -> None:
    """To the end against the computer, at random; some actions are taken back."""
    taken = 0
    while True:
        frame = until(lambda: (found := player.frame(match))["yours"] or found["ending"])
        frame = player.frame(match)
        if frame["ending"]:
            assert taken or not undo
            return
        player.act(match, frame["number"], rng.choice(frame["actions"])["do"])
        frame = player.frame(match)
        if undo and frame["undo"] and frame["yours"] and rng.random() < 0.2:
            player.undo(match, frame["number"])
            taken += 1


@pytest.fixture(scope="module")
def over(shared_server: Server) -> tuple[Player, str]:
    """A battle against the computer, with much taken back, that is over."""
    anna = shared_server.player()
    match = anna.open("me", "bot:greedy", **SMALL)["id"]
    play_on(anna, match, Random(4), undo=True)
    return anna, match


def thoughts(player: Player, match: str, entry: int, expect: int = 200, **params: Any) -> Any:
    return player.get(f"/api/matches/{match}/thoughts", expect, entry=entry, **params)


def test_a_match_is_audited_from_its_record(server: Server, over: tuple[Player, str]) -> None:
    anna, match = over
    record = anna.record(match)
    assert head_of(record)["seats"] == {"rome": "human", "barbarians": "greedy"}
    found = audited(record)
    assert found.broken is None
    assert list(found.tally()) == [(1, "greedy")]
    assert len(found.deeds) > 10


@pytest.mark.parametrize(
    ("game", "scenario"),
    [("metaurus", "vanguard"), ("onus", "skirmish")],
    ids=["hidden-orders", "open-table"],
)
def test_bots_among_themselves(server: Server, game: str, scenario: str) -> None:
    anna = server.player()
    luck = "all" if game == "onus" else "server"
    match = anna.open("bot:random", "bot:random", game=game, scenario=scenario, luck=luck)["id"]
    until(lambda: anna.match(match)["over"], 240)
    found = audited(anna.record(match))
    assert found.broken is None
    assert len(found.deeds) == anna.match(match)["entries"] - 1


def test_the_seed_does_not_leave_the_server_before_the_end(server: Server) -> None:
    anna = server.player()
    match = anna.open("me", "me", scenario="bridge")["id"]
    anna.act(match, anna.frame(match)["number"], "deploy-rest")
    head = head_of(anna.record(match))
    assert "seed" not in head
    assert "seats" not in head


def test_thoughts_of_a_match_that_goes_on_are_secret(server: Server) -> None:
    anna = server.player()
    match = anna.open("bot:random", "me", scenario="bridge")["id"]
    frame = until(lambda: (found := anna.frame(match))["yours"] and found)
    assert frame["entry"] > 0
    for entry in (0, frame["entry"]):
        assert thoughts(anna, match, entry, 403)["code"] == "secret"
    assert thoughts(server.stranger(), match, 0, 401)["code"] == "bad-key"


def bots_moments(match: Match, seat: int) -> list[int]:
    """Moments at which the next entry is of a seat."""
    return [n - 1 for n, entry in enumerate(match.journal) if entry.seat == seat]


def test_what_the_computer_considered(server: Server, over: tuple[Player, str]) -> None:
    anna, match = over
    told = parse_record(GAMES, anna.record(match))
    mine = bots_moments(told, 0)[0]
    assert thoughts(anna, match, mine, 404)["code"] == "not-found"
    last = len(told.journal) - 1
    for entry in (last, last + 1):
        assert thoughts(anna, match, entry, 404)["code"] == "not-found"
    many = 0
    for entry in bots_moments(told, 1)[:12]:
        found = thoughts(anna, match, entry)
        assert (found["entry"], found["seat"], found["bot"]) == (entry, "barbarians", "Centurion")
        assert found["same"]
        shown = found["thoughts"]
        assert len(shown) == min(8, found["considered"])
        assert [one["label"] for one in shown if one["done"]] == [found["done"]]
        assert shown[0]["done"], "greedy does what looks best"
        assert [one["value"] for one in shown] == sorted((one["value"] for one in shown), reverse=True)
        many += found["considered"] > 8
        if found["considered"] > 1:
            assert all(one["tries"] in (1, 3) for one in shown)
    assert many
    french = thoughts(anna, match, entry, lang="fr")
    assert [one["value"] for one in french["thoughts"]] == [one["value"] for one in shown]
    assert french["done"] != found["done"]


def test_a_replay_knows_its_bots(server: Server, over: tuple[Player, str]) -> None:
    anna, match = over
    record = anna.record(match)
    carl = server.player()
    replay = carl.post("/api/replays", {"request": token_hex(8), "text": record}, 201)
    assert [seat["who"] for seat in replay["seats"]] == ["record", "bot"]
    assert replay["over"]
    entry = bots_moments(parse_record(GAMES, record), 1)[3]
    assert thoughts(carl, replay["id"], entry) == thoughts(anna, match, entry)
    assert audited(carl.record(replay["id"])).broken is None
    assert head_of(carl.record(replay["id"])) == head_of(record)


@pytest.mark.parametrize(
    "notes",
    [
        {"seed": None},
        {"seed": "\ud800"},
        {"seed": "0" * 65},
        {"seed": "\0"},
        {"seats": {"rome": "hal", "barbarians": "greedy"}},
        {"seats": {"rome": "search:999999", "barbarians": "greedy"}},
        {"seats": 3},
        {"before": [{"seats": {}, "seed": 1, "until": 3}]},
    ],
)
def test_notes_that_say_nothing_are_none(
    server: Server, over: tuple[Player, str], notes: dict[str, Any]
) -> None:
    head, rest = over[0].record(over[1]).split("\n", 1)
    text = json.dumps(json.loads(head) | notes) + "\n" + rest
    carl = server.player()
    replay = carl.post("/api/replays", {"request": token_hex(8), "text": text}, 201)
    assert [seat["who"] for seat in replay["seats"]] == ["record", "record"]
    assert "seed" not in head_of(carl.record(replay["id"]))
    assert thoughts(carl, replay["id"], 0, 404)["code"] == "not-found"
