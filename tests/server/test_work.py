"""Nobody stops a server with work: what is hostile is refused, what is long is ended, players take turns."""

from __future__ import annotations

import json
import pickle
from functools import cache
from random import Random
from secrets import token_hex
from types import SimpleNamespace
from typing import Any

import pytest

from legatus.games import GAMES
from legatus.kernel import Match, Seeded, legal, say
from legatus.kernel.codec import state_to_json
from legatus.kernel.records import record_text
from legatus.lab.audit import Sitting
from legatus.lab.branch import branch
from legatus.server import jobs
from legatus.server.analyst import Analyst, Work
from legatus.server.faults import Fault
from legatus.server.workers import WorkerPool

from .client import SMALL, Player, Server, until
from .conftest import Start
from .planted import fortresses_raised

PARTS = "a." * 24_900 + "a = 1"
LONG_NUMBER = "budget = " + "1" * 4_300
DEEP = "x = " + "[" * 100 + "]" * 100


@cache
def played(decisions: int) -> Match:
    """So many random decisions of a battle of Virtus."""
    game, rng = GAMES["virtus"], Random(1)
    match = Match.new(game, game.configure(SMALL["scenario"], SMALL["armies"]), Seeded("work/0"))
    while match.state.outcome is None and len(match.journal) <= decisions:
        match.play(rng.choice(legal(match.state)), match.seeded("work"))
    return match


def hostile(value: int) -> str:
    """The record of a branch whose position has a unit with this movement."""
    left = branch(played(30), 20, 0, "m")
    head, *lines = record_text(left).splitlines()
    raw = json.loads(head)
    raw["branch"]["state"]["roster"]["units"][0]["mvt"] = value
    return "\n".join([json.dumps(raw), *lines]) + "\n"


def upload(player: Player, text: str, expect: int) -> Any:
    return player.post("/api/replays", {"request": token_hex(8), "text": text}, expect)


def odds_are_answered(player: Player) -> None:
    """A match can be set up and odds had: the workers are there."""
    match = player.open("me", "me", **SMALL)
    frame = player.frame(match["id"])
    body = {"do": frame["actions"][0]["do"]}
    assert player.post(f"/api/matches/{match['id']}/odds", body)["columns"] is not None


def test_a_record_with_a_state_of_ones_own_making_is_refused(server: Server) -> None:
    """Both workers used to spin for ever over a movement of 2^31."""
    anna = server.player()
    upload(anna, hostile(2), 400)  # the fingerprints tell that it was changed
    failure = upload(anna, hostile(2**31), 400)
    assert failure["code"] == "bad-file"
    assert "branch.state.roster.units[0].mvt" in failure["message"]
    odds_are_answered(anna)


def test_a_stored_position_of_ones_own_making_is_refused(server: Server) -> None:
    """A line that resumes from a position, whose columns are as long as somebody liked."""
    head, *lines = record_text(played(30)).splitlines()
    last = json.loads(lines[-1])
    last["resumed"] = {"edition": 1, "lost": 0}
    last["position"]["decoys"] = [2**31] * 100_000
    for name in ("seat", "do"):
        last.pop(name, None)
    failure = upload(server.player(), "\n".join([head, *lines[:-1], json.dumps(last)]), 400)
    assert failure["code"] == "bad-file"


@pytest.mark.parametrize(
    ("text", "english", "french"),
    [
        (PARTS, "a key of more than 12 parts", "une clé de plus de 12 parties"),
        (LONG_NUMBER, "a number of more than 100", "un nombre de plus de 100"),
        (DEEP, "nested too deeply", "imbrication trop profonde"),
    ],
    ids=["parts", "digits", "depth"],
)
def test_texts_that_keep_a_parser_busy_are_refused_first(
    server: Server, text: str, english: str, french: str
) -> None:
    """24,900 dotted parts used to stop everything for a quarter of a minute; 4,300 digits were a fault."""
    for lang, said in (("en", english), ("fr", french)):
        failure = server.stranger(lang).post("/api/games/virtus/army", {"text": text}, 400)
        assert (failure["code"], said in failure["message"]) == ("bad-file", True), failure


def test_half_characters_and_huge_numbers_in_records_and_bodies(server: Server) -> None:
    head, *lines = record_text(played(30)).splitlines()
    for old, new, english in (
        (lines[-1], lines[-1].replace('"do": "', '"do": "\\ud800'), "?"),
        (head, head.replace("{", '{"x": ' + "1" * 5_000 + ", ", 1), "more than 100 characters"),
    ):
        text, said = "\n".join([head, *lines]).replace(old, new), []
        for lang in ("en", "fr"):
            player = server.player()
            player.lang = lang
            said.append(upload(player, text, 400)["message"])
        assert english in said[0]
        assert said[0] != said[1]
    for value in ("\\ud800", "\\ud800 and more text", "\\udc00 and more text"):
        told = []
        for lang in ("en", "fr"):
            player = server.player()
            body = f'{{"request": "{token_hex(8)}", "text": "{value}"}}'
            answer = player.ask("POST", "/api/replays", content=body.encode(), params={"lang": lang})
            assert answer.status_code == 400
            assert answer.json()["code"] == "bad-request"
            told.append(answer.json()["message"])
        assert told[0] != told[1]


def test_work_that_takes_too_long_is_ended_and_its_client_told(start: Start) -> None:
    server = start("--patience", "0.01")
    text = fortresses_raised(2_000)
    for lang, said in (("en", "took longer than 0.2 s"), ("fr", "a pris plus de 0.2 s")):
        player = server.player()
        player.lang = lang
        failure = upload(player, text, 422)
        assert (failure["code"], said in failure["message"]) == ("too-hard", True)
    assert server.http.get(f"{server.url}/health").status_code == 200


def test_bots_that_nobody_watches_keep_no_player_waiting(start: Start) -> None:
    """Twenty matches of slow bots from one address: another player's bot does not wait for them."""
    server = start("--openings", "0", "--workers", "2")
    anna, ben = server.player(), server.player()
    for _ in range(20):
        anna.open("bot:normal", "bot:normal", **SMALL)

    def moves() -> int:
        return sum(match["number"] for match in anna.get("/api/matches")["matches"]) or sum(
            match["number"] for match in map(anna.match, opened)
        )

    opened = [anna.open("me", "bot:random", **SMALL)["id"]]
    match = ben.open("me", "bot:greedy", **SMALL)["id"]
    rng, answers = Random(3), 0
    with ben.watch(match) as line:
        frame, before = line.frame(), moves()
        while answers < 3 and not frame["ending"]:
            if frame["yours"]:
                ben.act(match, frame["number"], rng.choice(frame["actions"])["do"])
            else:
                answers += 1
            frame = line.frame(frame["number"] + 1)
    assert answers == 3
    assert moves() - before < 30, "each answer waited for all the others"


def test_analyses_of_one_player_lock_nobody_out(start: Start) -> None:
    server = start("--openings", "0", "--workers", "1")
    anna, ben = server.player(), server.player()
    text = record_text(played(40))
    hers = [upload(anna, text, 201)["id"] for _ in range(4)]
    his = upload(ben, text, 201)["id"]
    for match in hers[:3]:
        anna.post(f"/api/matches/{match}/analysis")
    failure = anna.post(f"/api/matches/{hers[3]}/analysis", expect=429)
    assert failure["code"] == "too-many"
    ben.post(f"/api/matches/{his}/analysis")
    until(lambda: ben.get(f"/api/matches/{his}/analysis")["done"] >= 1)
    states = [anna.get(f"/api/matches/{match}/analysis")["state"] for match in hers[:3]]
    assert "done" not in states


def test_analyses_of_many_keys_of_one_address_lock_nobody_out() -> None:
    """Keys cost nothing."""
    pool = WorkerPool(1)
    analyst: Any = Analyst(SimpleNamespace(pool=pool))  # type: ignore[arg-type]
    for n in range(9):
        analyst._works[f"m{n}"] = Work(1, f"a{n}")
    for n in range(10):
        pool.seen(f"a{n}", "a")
    pool.seen("b", "b")
    table: Any = SimpleNamespace(
        over=True, head=SimpleNamespace(id="m"), match=SimpleNamespace(journal=[None])
    )
    for holder, code in (("a9", "too-many"), ("b", "bad-request")):  # his has nothing to analyse
        with pytest.raises(Fault) as fault:
            analyst.begin(table, holder)
        assert fault.value.code == code
    pool.close()


def test_a_battle_that_the_rules_break_down_over_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position of somebody's own making can be shown, and yet fit no action."""

    def break_down(*_: Any) -> None:
        raise KeyError(66)

    monkeypatch.setattr(jobs, "apply", break_down)
    match = played(5)
    state, do = state_to_json(match.state), say(legal(match.state)[0])
    with pytest.raises(Fault) as caught:
        jobs.rehearse("virtus", state, do, "seed", 6, Sitting())
    assert caught.value.code == "bad-request"
    assert "KeyError(66)" in caught.value.say("en")
    pickle.loads(pickle.dumps(caught.value))  # it comes from a worker


def test_a_battle_that_cannot_be_shown_is_refused(server: Server) -> None:
    """It would be broken for everybody who looks at it, at any time."""
    player, match = server.player(), branch(played(30), 20, 0, "x")
    lines = record_text(match).splitlines()
    head = json.loads(lines[0])
    head["branch"]["state"]["tokens"] = ["x"] * len(head["branch"]["state"]["tokens"])
    row = {name: value for name, value in json.loads(lines[1]).items() if name not in ("check", "position")}
    text = json.dumps(head) + "\n" + json.dumps(row) + "\n"
    failure = player.post("/api/replays", {"request": token_hex(8), "text": text}, 400)
    assert failure["code"] == "bad-file"
    assert "branch.state" in failure["message"]
