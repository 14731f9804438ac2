"""The life of a match over the wire: lobby, set-up, moves, questions, the end, and the record."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest

from legatus.games import GAMES
from legatus.kernel.records import parse_record

from .client import FOREST, SMALL, Player, Server, play_out, until
from .planted import noticed

VIRTUS = GAMES["virtus"]


# --- the lobby -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_lobby_lists_what_the_games_have(server: Server, lang: str) -> None:
    lobby = server.stranger(lang).get("/api/lobby")
    assert [game["key"] for game in lobby["games"]] == list(GAMES)
    game = lobby["games"][0]
    assert [seat["key"] for seat in game["seats"]] == list(VIRTUS.seats)
    assert {scenario["key"] for scenario in game["scenarios"]} == set(VIRTUS.folder.names("scenarios"))
    assert {army["key"] for army in game["armies"]} == set(VIRTUS.folder.names("armies"))
    assert [option["key"] for option in game["options"]] == [option.key for option in VIRTUS.options]
    assert game["default_scenario"] in {scenario["key"] for scenario in game["scenarios"]}
    assert all(bot["label"] and bot["text"] for bot in lobby["bots"])
    assert all(army["cost"] <= army["budget"] for army in game["armies"])


def test_the_lobby_speaks_both_languages(server: Server) -> None:
    one, two = (server.stranger(lang).get("/api/lobby")["games"][0] for lang in ("en", "fr"))
    for kind in ("scenarios", "armies"):
        for a, b in zip(one[kind], two[kind], strict=True):
            assert a["key"] == b["key"]
            assert a["name"] != b["name"]
    assert one["text"] != two["text"]
    assert all(a["label"] != b["label"] for a, b in zip(one["options"], two["options"], strict=True))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_rulebook_and_the_recruits(server: Server, lang: str) -> None:
    player = server.stranger(lang)
    rules = player.get("/api/games/virtus/rules")
    ids = [clause["id"] for chapter in rules["chapters"] for clause in chapter["clauses"]]
    assert ids == list(VIRTUS.folder.rulebooks[lang].clauses)
    recruits = player.get("/api/games/virtus/recruits")["recruits"]
    assert {recruit["shape"] for recruit in recruits} <= {"typed", "single", "flag"}
    assert all(recruit["label"] for recruit in recruits)


def test_an_army_is_priced_and_judged_as_text_and_as_json(server: Server) -> None:
    path = VIRTUS.folder.names("armies")["gauls-150"]
    player = server.stranger()
    checked = player.post("/api/games/virtus/army", {"text": path.read_text(encoding="utf-8")})
    assert checked["muster"]["ok"]
    card = next(a for a in player.get("/api/lobby")["games"][0]["armies"] if a["key"] == "gauls-150")
    assert checked["muster"]["cost"] == card["cost"]
    again = player.post("/api/games/virtus/army", {"army": checked["army"]})
    assert again == checked
    poor = player.post("/api/games/virtus/army", {"army": checked["army"], "budget": 10})
    assert not poor["muster"]["ok"]
    assert poor["muster"]["problems"]


# --- a match -------------------------------------------------------------------------------------


def test_a_match_is_set_up_joined_and_told_to_everybody(server: Server) -> None:
    anna, ben, eve = server.player(), server.player("fr"), server.stranger()
    match = anna.open("me", "friend", **SMALL)
    assert [seat["who"] for seat in match["seats"]] == ["human", "open"]
    assert [seat["yours"] for seat in match["seats"]] == [True, False]
    assert (match["number"], match["entries"], match["over"], match["record"]) == (1, 1, False, False)
    joined = ben.join(match, name="Ben")
    assert [seat["yours"] for seat in joined["seats"]] == [False, True]
    assert joined["title"] == "En plaine, petite"
    seen = eve.match(match["id"])
    assert [seat["who"] for seat in seen["seats"]] == ["human", "human"]
    assert [seat["name"] for seat in seen["seats"]] == ["", "Ben"]
    assert not any(seat["yours"] or seat["invite"] for seat in seen["seats"])
    assert [m["id"] for m in anna.get("/api/matches")["matches"]] == [match["id"]]
    assert [m["id"] for m in ben.get("/api/matches")["matches"]] == [match["id"]]
    assert server.player().get("/api/matches")["matches"] == []


def test_the_list_has_the_latest_first(server: Server) -> None:
    anna = server.player()
    ids = [anna.open("me", "me", **SMALL)["id"] for _ in range(3)]
    frame = anna.frame(ids[0])
    anna.act(ids[0], 1, frame["actions"][0]["do"])
    listed = anna.get("/api/matches")["matches"]
    assert [match["id"] for match in listed] == [ids[0], ids[2], ids[1]]
    assert [match["number"] for match in listed] == [2, 1, 1]
    for match in listed:
        shown = anna.match(match["id"])
        assert {**match, "entries": shown["entries"]} == shown


def test_a_frame_offers_actions_that_can_be_done_and_taken_back(server: Server) -> None:
    anna = server.player()
    ident = anna.open("me", "me", **SMALL)["id"]
    frame = anna.frame(ident)
    assert frame["yours"]
    assert frame["seen_as"] == frame["turn"]
    assert frame["prompt"]["text"]
    assert not frame["undo"]
    scene = frame["scene"]
    shown = {thing["id"] for kind in ("areas", "pieces", "cards") for thing in scene[kind]}
    for action in frame["actions"]:
        assert action["label"]
        for click in action["clicks"]:
            assert click in shown or frame["names"][click]
    done = anna.act(ident, frame["number"], frame["actions"][0]["do"])
    assert done == {"number": 2, "luck": None}
    after = anna.frame(ident, seen_as=frame["turn"])
    assert (after["number"], after["entry"]) == (2, 1)
    assert after["undo"]
    assert anna.undo(ident, 2) == {"number": 3, "luck": None}
    back = anna.frame(ident)
    assert (back["number"], back["entry"]) == (3, 0)
    assert back["scene"] == scene
    assert anna.match(ident)["entries"] == 1


def test_ids_that_are_not_on_the_scene_have_names(server: Server) -> None:
    """Some actions name what is nowhere to be seen; the page must call it something."""
    anna = server.player("fr")
    ident = anna.open("me", "me", **SMALL)["id"]
    rng, named = Random(3), 0
    frame = anna.frame(ident)
    while named < 5 and not frame["ending"]:
        shown = {thing["id"] for kind in ("areas", "pieces", "cards") for thing in frame["scene"][kind]}
        clicked = {click for action in frame["actions"] for click in action["clicks"]}
        assert set(frame["names"]) == clicked - shown
        assert all(frame["names"].values())
        named += bool(frame["names"])
        anna.act(ident, frame["number"], rng.choice(frame["actions"])["do"])
        frame = anna.frame(ident)
    assert named


def test_why_not_cites_clauses(server: Server) -> None:
    anna, ben = server.player(), server.player("fr")
    match = anna.open("me", "friend", **SMALL)
    ident = match["id"]
    ben.join(match)
    frames = {player: player.frame(ident) for player in (anna, ben)}
    mover, waiter = sorted(frames, key=lambda player: not frames[player]["yours"])
    clauses = set(VIRTUS.folder.rulebooks["en"].clauses)
    legal = mover.post(f"/api/matches/{ident}/why", {"do": frames[mover]["actions"][0]["do"]})
    assert legal == {"legal": True, "reasons": []}
    clicks = frames[mover]["actions"][0]["clicks"][:1]
    assert mover.post(f"/api/matches/{ident}/why", {"clicks": clicks})["legal"]
    for ask in ({"do": "end-turn"}, {"clicks": ["nonsense"]}, {"clicks": ["nonsense"] * 9}):
        answer = mover.post(f"/api/matches/{ident}/why", ask)
        assert not answer["legal"]
        assert answer["reasons"]
        for reason in answer["reasons"]:
            assert reason["clause"] in clauses
            assert reason["text"]
    for player in (waiter, server.stranger()):
        answer = player.post(f"/api/matches/{ident}/why", {"clicks": clicks})
        assert not answer["legal"]
        assert answer["reasons"][0]["clause"] in clauses


def test_an_illegal_action_is_refused_with_its_clauses(server: Server) -> None:
    anna = server.player("fr")
    ident = anna.open("me", "me", **SMALL)["id"]
    failure = anna.act(ident, 1, "end-turn", expect=409)
    assert failure["code"] == "illegal"
    assert failure["reasons"][0]["clause"] in VIRTUS.folder.rulebooks["fr"].clauses
    assert failure["reasons"][0]["text"].startswith("Pas maintenant")
    assert anna.match(ident)["number"] == 1


def test_odds_are_reckoned(server: Server) -> None:
    anna, rng, risky = server.player(), Random(1), []
    ident, frame = "", {"ending": True}
    while not risky:
        if frame["ending"]:  # it came to nothing
            ident = anna.open("me", "me", **SMALL)["id"]
        else:
            anna.act(ident, frame["number"], rng.choice(frame["actions"])["do"])
        frame = anna.frame(ident)
        risky = [action for action in frame["actions"] if action["odds"]]
    answer = anna.post(f"/api/matches/{ident}/odds", {"do": risky[0]["do"]})
    assert answer["label"] == risky[0]["label"]
    for column in answer["columns"]:
        assert sum(chance["p"] for chance in column["values"]) == pytest.approx(1)
        mean = sum(chance["p"] * chance["value"] for chance in column["values"])
        assert column["mean"] == pytest.approx(mean)
        assert column["label"]
    assert anna.post(f"/api/matches/{ident}/odds", {"do": "deploy x y"}, expect=409)["code"] == "illegal"
    stranger = server.player()
    assert stranger.post(f"/api/matches/{ident}/odds", {"do": risky[0]["do"]}, 403)["code"] == "not-yours"


def test_the_computer_answers(server: Server) -> None:
    anna = server.player()
    match = anna.open("me", "bot:random", **SMALL)
    assert [seat["who"] for seat in match["seats"]] == ["human", "bot"]
    assert match["seats"][1]["name"] == "Recruit"
    ident, rng = match["id"], Random(2)
    with anna.watch(ident) as line:
        turns = set()
        for _ in range(25):
            frame = line.frame()
            assert frame["seen_as"] == "rome"
            assert frame["thinking"] == (frame["turn"] == "barbarians")
            if frame["ending"]:  # then it is nobody's turn
                break
            turns.add(frame["turn"])
            if frame["yours"]:
                anna.act(ident, frame["number"], rng.choice(frame["actions"])["do"])
        assert turns == {"rome", "barbarians"}


# --- one screen ----------------------------------------------------------------------------------


def test_two_at_one_screen_see_through_the_eyes_of_whoever_decides(server: Server) -> None:
    anna = server.player()
    match = anna.open("me", "me", **SMALL)
    assert all(seat["yours"] for seat in match["seats"])
    assert match["record"]
    ident, rng, seen = match["id"], Random(5), set()
    frame = anna.frame(ident)
    while len(seen) < 2:
        assert frame["seen_as"] == frame["turn"]
        assert frame["yours"]
        seen.add(frame["turn"])
        anna.act(ident, frame["number"], rng.choice(frame["actions"])["do"])
        frame = anna.frame(ident)
    other = next(seat for seat in VIRTUS.seats if seat != frame["turn"])
    waiting = anna.frame(ident, seen_as=other)
    assert (waiting["seen_as"], waiting["yours"], waiting["actions"]) == (other, False, [])
    assert parse_record(GAMES, anna.record(ident)).journal


def test_a_socket_follows_whoever_decides_at_one_screen(server: Server) -> None:
    """A Hello without a seat again, after every move."""
    anna = server.player()
    ident, rng, seen = anna.open("me", "me", **SMALL)["id"], Random(5), set()
    with anna.watch(ident) as line:
        frame = line.frame()
        while len(seen) < 2:
            assert frame["yours"]
            seen.add(frame["seen_as"])
            number = anna.act(ident, frame["number"], rng.choice(frame["actions"])["do"])["number"]
            line.frame(number)
            line.send({"key": anna.key})
            frame = line.frame(number)
            assert line.log == anna.log(ident, seen_as=frame["turn"])


# --- those who look on ---------------------------------------------------------------------------


def test_a_spectator_needs_no_key_and_decides_nothing(server: Server) -> None:
    anna, eve = server.player(), server.stranger("fr")
    ident = anna.open("me", "me", **SMALL)["id"]
    with eve.watch(ident) as line:
        frame = line.frame()
        for params in ({}, {"seen_as": "spectator"}):
            assert eve.frame(ident, **params) == {**frame, "log_from": 0}
        assert (frame["seen_as"], frame["yours"], frame["actions"]) == ("spectator", False, [])
        assert (frame["undo"], frame["names"]) == (False, {})
        assert frame["turn"]
        do = anna.frame(ident)["actions"][0]["do"]
        anna.act(ident, 1, do)
        assert line.frame()["number"] == 2
    assert anna.frame(ident, seen_as="spectator")["seen_as"] == "spectator"
    for seat in VIRTUS.seats:
        assert eve.frame(ident, expect=403, seen_as=seat)["code"] == "not-yours"
    assert eve.frame(ident, expect=403, seen_as="open")["code"] == "secret"
    assert anna.frame(ident, expect=403, seen_as="open")["code"] == "secret"


def test_who_is_there_is_told(server: Server) -> None:
    anna, ben = server.player(), server.player()
    match = anna.open("me", "friend", **SMALL)

    def online(message: Any) -> list[bool]:
        return [seat["online"] for seat in message["match"]["seats"]]

    with anna.watch(match["id"]) as line:
        assert online(line.next("match")) == [True, False]
        ben.join(match)
        told = line.next("match")
        assert [seat["who"] for seat in told["match"]["seats"]] == ["human", "human"]
        with ben.watch(match["id"]) as second:
            second.frame()
            assert online(line.next("match")) == [True, True]
        assert online(line.next("match")) == [True, False]


# --- a whole game --------------------------------------------------------------------------------


class Playing(threading.Thread):
    """Somebody who plays at random from what the socket tells him, until the end."""

    def __init__(self, player: Player, match: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.player, self.match, self.rng = player, match, Random(seed)
        self.frames: list[Any] = []
        self.log: list[Any] = []

    def run(self) -> None:
        with self.player.watch(self.match) as line:
            while True:
                frame = line.frame()
                self.frames.append(frame)
                self.log = line.log
                if frame["ending"]:
                    return
                if frame["yours"]:
                    self.player.act(self.match, frame["number"], self.rng.choice(frame["actions"])["do"])


@pytest.fixture(scope="module")
def game(shared_server: Server) -> dict[str, Any]:
    """A battle of two over sockets, fought to its end."""
    anna, ben = shared_server.player(), shared_server.player("fr")
    match = anna.open("me", "friend", **FOREST)
    ben.join(match)
    players = [Playing(anna, match["id"], 1), Playing(ben, match["id"], 2)]
    for thread in players:
        thread.start()
    for thread in players:
        thread.join(100)
        assert not thread.is_alive()
    return {"id": match["id"], "anna": players[0], "ben": players[1], "server": shared_server}


def test_both_have_seen_every_row_and_the_same_end(game: dict[str, Any]) -> None:
    one, two = game["anna"].frames, game["ben"].frames
    for frames in (one, two):
        numbers = [frame["number"] for frame in frames[:-1]]  # with the last one everybody counts all rows
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert [frame["entry"] for frame in frames[:-1]] == [number - 1 for number in numbers]
    assert one[-1]["number"] == two[-1]["number"] == one[-1]["entry"] + 1
    assert one[-1]["ending"]["winner"] == two[-1]["ending"]["winner"]
    assert one[-1]["ending"]["clause"] == two[-1]["ending"]["clause"]
    assert one[-1]["ending"]["text"] != two[-1]["ending"]["text"]  # en and fr
    assert one[-1]["turn"] == two[-1]["turn"] == ""


def test_the_log_of_the_socket_is_the_log(game: dict[str, Any]) -> None:
    for thread in (game["anna"], game["ben"]):
        assert thread.log == thread.player.log(game["id"])


def test_the_moments_can_be_looked_at_again(game: dict[str, Any]) -> None:
    match = parse_record(GAMES, game["anna"].player.record(game["id"]))
    for seat, thread in enumerate((game["anna"], game["ben"])):
        entries = noticed(match, seat)
        for frame in thread.frames[: -1 : max(1, len(thread.frames) // 20)]:
            entry = entries[frame["entry"]]  # now that all are counted
            again = thread.player.frame(game["id"], entry=entry)
            for name in ("scene", "turn", "prompt", "seen_as"):
                assert again[name] == frame[name]
            assert again["entry"] == entry
            assert not again["yours"]
            assert again["actions"] == []
            assert [again["log_from"], len(again["log"])] == [entry, 1]
    failure = game["anna"].player.frame(game["id"], expect=404, entry=len(match.journal) + 5)
    assert failure["code"] == "not-found"


def test_after_the_end_everything_is_open_to_everybody(game: dict[str, Any]) -> None:
    eve = game["server"].stranger()
    match = parse_record(GAMES, eve.record(game["id"]))
    log = eve.log(game["id"], seen_as="open")
    assert len(log) == len(match.journal)
    for entry, events in zip(log, match.events, strict=True):
        assert len(entry["lines"]) == len(events)
    assert any(line["private"] for entry in log for line in entry["lines"])
    middle = len(match.states) // 2
    frame = eve.frame(game["id"], seen_as="open", entry=middle)
    assert frame["seen_as"] == "open"
    scene = VIRTUS.scene(match.states[middle], None, "en")
    assert [piece["id"] for piece in frame["scene"]["pieces"]] == [piece.id for piece in scene.pieces]
    hidden = eve.log(game["id"])
    assert not any(line["private"] for entry in hidden for line in entry["lines"])


def test_after_the_end_nothing_is_done(game: dict[str, Any]) -> None:
    player, number = game["anna"].player, game["anna"].frames[-1]["number"]
    assert player.act(game["id"], number, "end-turn", expect=409)["code"] == "over"
    assert player.undo(game["id"], number, expect=409)["code"] == "over"
    info = player.match(game["id"])
    assert (info["over"], info["turn"], info["record"]) == (True, "", True)
    assert not player.post(f"/api/matches/{game['id']}/why", {"do": "end-turn"})["legal"]


def test_the_record_verifies_on_the_command_line(game: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "battle.legatus.jsonl"
    answer = game["anna"].player.ask("GET", f"/api/matches/{game['id']}/record")
    assert "attachment" in answer.headers["content-disposition"]
    file.write_bytes(answer.content)
    command = [sys.executable, "-m", "legatus", "replay", "--verify", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in answer.text.splitlines()]
    assert len(rows) - 1 == len(game["anna"].log)
    rows[3]["check"] = "0" * 12
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0


def test_a_record_can_be_uploaded_and_stepped_through(game: dict[str, Any]) -> None:
    carl = game["server"].player("fr")
    text = carl.record(game["id"])
    wish = {"request": "upload-0001", "text": text}
    replay = carl.post("/api/replays", wish, expect=201)
    assert (replay["replay"], replay["over"], replay["record"], replay["turn"]) == (True, True, True, "")
    assert {seat["who"] for seat in replay["seats"]} == {"record"}
    assert replay["entries"] == len(game["anna"].log)
    assert carl.post("/api/replays", wish, expect=201)["id"] == replay["id"]
    assert carl.record(replay["id"]) == text
    for entry in range(0, replay["entries"], 7):
        one = carl.frame(replay["id"], entry=entry)
        two = carl.frame(game["id"], entry=entry, seen_as="open")
        assert one["seen_as"] == "open"
        assert one["scene"] == two["scene"]
        assert one["log"] == two["log"]
        assert (one["turn"], one["prompt"], one["actions"]) == ("", None, [])
    assert carl.frame(replay["id"])["ending"] == carl.frame(game["id"])["ending"]
    assert carl.act(replay["id"], replay["number"], "end-turn", expect=409)["code"] == "over"
    assert [m["id"] for m in carl.get("/api/matches")["matches"]] == [replay["id"]]


def test_a_record_that_lies_is_not_taken(game: dict[str, Any]) -> None:
    carl = game["server"].player("fr")
    rows = carl.record(game["id"]).splitlines()
    row = json.loads(rows[5])
    rows[5] = json.dumps({**row, "check": "000000000000"})
    failure = carl.post("/api/replays", {"request": "upload-0002", "text": "\n".join(rows)}, expect=400)
    assert failure["code"] == "bad-file"
    assert "ligne 6" in failure["message"]
    assert carl.get("/api/matches")["matches"] == []


def test_the_record_is_kept_until_the_end(server: Server) -> None:
    anna, ben = server.player(), server.player()
    match = anna.open("me", "friend", **SMALL)
    ben.join(match)
    for player in (anna, ben, server.stranger()):
        assert json.loads(player.record(match["id"], expect=403))["code"] == "secret"
        assert not player.match(match["id"])["record"]
    play_out(Random(9), match["id"], {"rome": anna, "barbarians": ben})
    assert until(lambda: server.stranger().match(match["id"])["record"])
    assert server.stranger().record(match["id"]).startswith("{")
