"""The lab of the page: balances that take turns, bounded, stoppable, told in the reader's language."""

from __future__ import annotations

from secrets import token_hex
from typing import Any

import pytest

from .client import Player, Server, until
from .conftest import Start

WISH: dict[str, Any] = {
    "game": "virtus",
    "scenarios": ["plain-small"],
    "armies": ["gauls-150", "dacians-150"],
    "bot": "random",
    "games": 2,
    "seed": 1,
}
LONG = {**WISH, "bot": "greedy", "games": 90}


def wish(**more: Any) -> dict[str, Any]:
    return {**WISH, "request": token_hex(8), **more}


def finished(player: Player, ident: str) -> Any:
    def look() -> Any:
        job = player.get(f"/api/lab/{ident}")
        return job if job["state"] != "running" else None

    return until(look)


def quiet(player: Player, job: Any) -> None:
    player.post(f"/api/lab/{job['id']}/stop")
    finished(player, job["id"])


def test_a_balance_from_its_beginning_to_its_report(server: Server) -> None:
    anna = server.player()
    job = anna.post("/api/lab", wish(effects=["pips"], handicap=True), 201)
    assert (job["game"], job["total"], job["mine"], job["html"]) == ("virtus", 16, True, "")
    done = finished(anna, job["id"])
    assert done["state"] == "done"
    assert "Balance: Virtus" in done["html"]
    assert "<svg" in done["html"]
    assert "<script" not in done["html"]
    assert "style=" not in done["html"], "the content security policy allows none"
    other = server.stranger("fr").get(f"/api/lab/{job['id']}")
    assert "Équilibre" in other["html"]
    assert not other["mine"]


def test_the_same_seed_gives_the_same_report(server: Server) -> None:
    anna = server.player()
    one, two = (finished(anna, anna.post("/api/lab", wish(), 201)["id"])["html"] for _ in range(2))
    assert one == two


def test_one_for_each_player_in_turns_and_who_began_it_may_stop_it(server: Server) -> None:
    anna, ben = server.player(), server.player()
    request = token_hex(8)
    job = anna.post("/api/lab", {**LONG, "request": request}, 201)
    try:
        again = anna.post("/api/lab", {**LONG, "request": request}, 201)
        assert again["id"] == job["id"], "a repeated request begins nothing"
        assert anna.post("/api/lab", wish(), 409)["code"] == "taken"
        other = finished(ben, ben.post("/api/lab", wish(), 201)["id"])
        assert other["state"] == "done"
        assert anna.get(f"/api/lab/{job['id']}")["state"] == "running", "he did not wait for hers"
        assert ben.post(f"/api/lab/{job['id']}/stop", expect=403)["code"] == "not-yours"
        until(lambda: anna.get(f"/api/lab/{job['id']}")["done"] >= 1)
    finally:
        quiet(anna, job)
    told = anna.get(f"/api/lab/{job['id']}")
    assert told["state"] == "done"
    assert "interrupted" in told["html"]
    assert 1 <= told["done"] < told["total"]
    quiet(anna, anna.post("/api/lab", wish(), 201))


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"game": "chess"}, 404),
        ({"scenarios": ["/etc/passwd"]}, 400),
        ({"armies": ["/etc/passwd"]}, 400),
        ({"bot": "napoleon"}, 400),
        ({"effects": ["magic"]}, 400),
        ({"games": 0}, 400),
        ({"games": 101}, 400),  # four battles: more than may be played here
        ({"seed": -1}, 400),
        ({"more": 1}, 400),
    ],
)
def test_what_cannot_be_played(server: Server, more: dict[str, Any], status: int) -> None:
    server.player().post("/api/lab", wish(**more), status)


def test_strangers(server: Server) -> None:
    server.stranger().post("/api/lab", wish(), 401)
    server.stranger().get("/api/lab/none", 404)
    server.player().post("/api/lab/none/stop", expect=404)


def test_a_server_stops_in_peace_while_a_balance_is_played(start: Start) -> None:
    server = start("--openings", "0")
    server.player().post("/api/lab", {**LONG, "request": token_hex(8)}, 201)
