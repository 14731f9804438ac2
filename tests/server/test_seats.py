"""Keys hold seats: they are needed, they cannot be made up, and nothing that is kept gives them away."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from .client import SMALL, Player, Server

NEEDS_A_KEY = [
    ("POST", "/api/matches", {"request": "x" * 8, "game": "virtus", "seats": [{"who": "me"}, {"who": "me"}]}),
    ("GET", "/api/matches", None),
    ("POST", "/api/replays", {"request": "x" * 8, "text": ""}),
    ("POST", "/api/matches/{id}/join", {"invite": "x"}),
    ("POST", "/api/matches/{id}/act", {"number": 1, "request": "x" * 8, "do": "end-turn"}),
    ("POST", "/api/matches/{id}/undo", {"number": 1, "request": "x" * 8}),
    ("POST", "/api/matches/{id}/odds", {"do": "end-turn"}),
]
NEEDS_NONE = [
    ("GET", "/api/lobby", None),
    ("GET", "/api/matches/{id}", None),
    ("GET", "/api/matches/{id}/frame", None),
    ("GET", "/api/matches/{id}/log", None),
    ("POST", "/api/matches/{id}/why", {"do": "end-turn"}),
]
KNOWS_KEYS = [call for call in (*NEEDS_A_KEY, *NEEDS_NONE) if call[1] != "/api/lobby"]


@pytest.fixture
def anna(server: Server) -> Player:
    return server.player()


@pytest.fixture
def match(anna: Player) -> str:
    return str(anna.open("me", "friend", **SMALL)["id"])


def test_keys_are_all_different(server: Server) -> None:
    keys = {server.player().key for _ in range(20)}
    assert len(keys) == 20
    assert all(len(key) >= 60 for key in keys)


@pytest.mark.parametrize(("method", "path", "body"), NEEDS_A_KEY)
def test_without_a_key(server: Server, match: str, method: str, path: str, body: object) -> None:
    answer = server.stranger("fr").ask(method, path.format(id=match), json=body)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad-key")
    assert answer.json()["message"].startswith("Il faut une clé")


@pytest.mark.parametrize(("method", "path", "body"), NEEDS_NONE)
def test_some_things_need_no_key(server: Server, match: str, method: str, path: str, body: object) -> None:
    assert server.stranger().ask(method, path.format(id=match), json=body).status_code == 200


@pytest.mark.parametrize(("method", "path", "body"), KNOWS_KEYS)
def test_with_a_made_up_key(server: Server, match: str, method: str, path: str, body: object) -> None:
    true = server.player().key
    stem, _, sign = true.partition(".")
    forged = [
        "x",
        ".",
        stem,
        f"{stem}.",
        f".{sign}",
        f"{stem}.{'0' * 32}",
        f"{stem}x.{sign}",
        true + "0",
        true.upper(),
        hashlib.sha256(true.encode()).hexdigest(),
    ]
    for key in forged:
        answer = Player(server, key).ask(method, path.format(id=match), json=body)
        assert (answer.status_code, answer.json()["code"]) == (401, "bad-key"), key
    for header in (b"Bearer \xe9\xff", b"bearer x"):
        answer = server.stranger().ask(
            method, path.format(id=match), json=body, headers={b"authorization": header}
        )
        assert answer.status_code == 401


def test_a_made_up_key_on_a_socket(server: Server, match: str) -> None:
    with Player(server, "made.up").watch(match, lang="fr") as line:
        trouble = line.next("error")
        assert trouble["failure"]["code"] == "bad-key"


def test_the_seat_of_somebody_else(server: Server, anna: Player) -> None:
    match, ben, eve = anna.open("me", "friend", **SMALL), server.player(), server.player("fr")
    ident = match["id"]
    ben.join(match)
    for player, seat in ((anna, "barbarians"), (ben, "rome"), (eve, "rome"), (eve, "barbarians")):
        for path in ("frame", "log"):
            failure = player.get(f"/api/matches/{ident}/{path}", expect=403, seen_as=seat)
            assert failure["code"] == "not-yours"
        why = player.post(f"/api/matches/{ident}/why", {"do": "end-turn"}, expect=403, seen_as=seat)
        assert why["code"] == "not-yours"
        with player.watch(ident, seen_as=seat) as line:
            assert line.next()["failure"]["code"] == "not-yours"
    mover, waiter = (anna, ben) if anna.frame(ident)["yours"] else (ben, anna)
    do = mover.frame(ident)["actions"][0]["do"]
    for player in (waiter, eve):
        assert player.act(ident, 1, do, expect=403)["code"] == "not-yours"
        assert player.post(f"/api/matches/{ident}/odds", {"do": do}, expect=403)["code"] == "not-yours"
    assert anna.match(ident)["number"] == 1


def test_a_seat_that_nobody_has(server: Server, anna: Player, match: str) -> None:
    for seat in ("nobody", "Rome", "0", "spectators"):
        assert anna.frame(match, expect=403, seen_as=seat)["code"] == "not-yours"


# --- invitations ---------------------------------------------------------------------------------


def test_only_the_maker_is_shown_the_invitation_and_only_while_it_is_open(
    server: Server, anna: Player
) -> None:
    match, ben = anna.open("friend", "friend", **SMALL), server.player()
    ident = match["id"]
    assert all(seat["invite"] for seat in match["seats"])
    assert match["seats"][0]["invite"] != match["seats"][1]["invite"]
    assert anna.match(ident) == match
    assert anna.get("/api/matches")["matches"][0]["seats"] == match["seats"]
    for player in (ben, server.stranger()):
        assert not any(seat["invite"] for seat in player.match(ident)["seats"])
        with player.watch(ident) as line:
            assert not any(seat["invite"] for seat in line.next("match")["match"]["seats"])
    with anna.watch(ident) as line:
        shown = line.next("match")["match"]["seats"]
        assert [seat["invite"] for seat in shown] == [seat["invite"] for seat in match["seats"]]
    ben.join(match, invite=match["seats"][1]["invite"])
    assert [bool(seat["invite"]) for seat in anna.match(ident)["seats"]] == [True, False]


def test_an_invitation_is_to_one_seat_of_one_match(server: Server, anna: Player) -> None:
    one, two = (anna.open("me", "friend", **SMALL) for _ in range(2))
    ben = server.player("fr")
    invite = two["seats"][1]["invite"]
    for wrong in (invite, "", "x", one["seats"][1]["invite"][:-1], "é" * 32):
        body = {"invite": wrong}
        failure = ben.post(f"/api/matches/{one['id']}/join", body, expect=403)
        assert failure["code"] == "no-invitation"
    assert ben.match(one["id"])["seats"][1]["who"] == "open"


def test_a_seat_is_taken_once(server: Server, anna: Player) -> None:
    match, ben, eve = anna.open("me", "friend", **SMALL), server.player(), server.player()
    ben.join(match, name="Ben")
    for player in (eve, anna):
        assert player.join(match, name="Eve", expect=409)["code"] == "taken"
    assert anna.match(match["id"])["seats"][1]["name"] == "Ben"
    assert not any(seat["yours"] for seat in eve.match(match["id"])["seats"])


def test_the_seat_of_a_bot_is_not_to_be_had(server: Server, anna: Player) -> None:
    match = anna.open("me", "bot", **SMALL)
    assert not any(seat["invite"] for seat in match["seats"])


# --- what is kept --------------------------------------------------------------------------------


def test_the_database_holds_neither_keys_nor_invitations(server: Server, anna: Player) -> None:
    match, ben = anna.open("me", "friend", **SMALL), server.player()
    invite = match["seats"][1]["invite"]
    ben.join(match)
    ben.frame(match["id"])
    files = [Path(server.database + end) for end in ("", "-wal")]
    kept = b"".join(file.read_bytes() for file in files if file.exists())
    assert match["id"].encode() in kept
    for key in (anna.key, ben.key):
        assert hashlib.sha256(key.encode()).hexdigest().encode() in kept
        for secret in (key, key.partition(".")[0], key.partition(".")[2]):
            assert secret.encode() not in kept
    assert invite.encode() not in kept
    log = server.log.read_bytes()
    assert anna.key.encode() not in log
