"""Headers on every answer, and bounds on what one client may ask for."""

from __future__ import annotations

import gzip
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from legatus.server import Settings, create_app, page
from legatus.server import socket as its_socket
from legatus.server.limits import MOST_BUCKETS, Limit

from .client import SMALL, Server
from .conftest import Start

# --- headers -------------------------------------------------------------------------------------


def assert_safe(answer: httpx.Response) -> None:
    """Nothing but our own scripts runs, nobody frames us, nothing is guessed or told to others."""
    headers = answer.headers
    policy = dict(rule.strip().split(" ", 1) for rule in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self'"
    assert policy["connect-src"] == "'self'"
    assert {policy[name] for name in ("base-uri", "form-action", "frame-ancestors")} == {"'none'"}
    assert "unsafe" not in headers["content-security-policy"]
    assert "http" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"]
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", {200, 503}),  # 503: the page is not built
        ("GET", "/m/abc", {200, 503}),
        ("GET", "/icon.svg", {200, 404}),
        ("GET", "/health", {200}),
        ("GET", "/metrics", {200}),
        ("GET", "/schema/openapi.json", {200}),
        ("GET", "/api/lobby", {200}),
        ("GET", "/api/games/virtus/rules", {200}),  # long enough to be compressed
        ("GET", "/api/matches", {401}),
        ("GET", "/api/matches/nowhere", {404}),
        ("GET", "/api/nowhere", {404}),
        ("GET", "/nowhere", {404}),
        ("DELETE", "/api/matches", {405}),
        ("DELETE", "/", {405}),
        ("OPTIONS", "/api/lobby", {204}),
        ("HEAD", "/api/lobby", {405, 200}),
        ("POST", "/api/games/virtus/army", {400}),
        ("POST", "/api/keys", {201}),
    ],
)
def test_every_answer_is_safe(server: Server, method: str, path: str, status: set[int]) -> None:
    answer = server.stranger().ask(method, path)
    assert answer.status_code in status
    assert_safe(answer)
    if path.startswith("/api"):
        assert answer.headers["cache-control"] == "no-store"


def test_what_is_too_large_is_refused_safely(server: Server) -> None:
    answer = server.player().ask("POST", "/api/replays", content=b"x" * 2_000_001)
    assert answer.status_code == 413
    assert_safe(answer)


def test_the_page_is_ours(server: Server) -> None:
    """Each of its scripts and styles is there, and kept for ever under its name."""
    page = server.stranger().ask("GET", "/")
    if page.status_code == 503:
        assert "make play" in page.text
        pytest.skip("the page is not built")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|style=", page.text), "the policy forbids it"
    for path in re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.text):
        asset = server.stranger().ask("GET", path)
        assert asset.status_code == 200
        assert "immutable" in asset.headers["cache-control"]
        assert_safe(asset)


def test_a_file_of_the_page_is_compressed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is kept until the page is built again."""
    packed: list[bytes] = []

    def compress(body: bytes, **named: Any) -> bytes:
        packed.append(body)
        return gzip.compress(body, **named)

    script = tmp_path / "page" / "assets" / "main.js"
    script.parent.mkdir(parents=True)
    script.write_text("first();" * 1_000)
    monkeypatch.setattr(page, "FOLDER", tmp_path / "page")
    monkeypatch.setattr(page, "gzip", SimpleNamespace(compress=compress))
    with app(tmp_path) as client:
        for _ in range(3):
            answer = client.get("/assets/main.js", headers={"accept-encoding": "gzip"})
            assert (answer.text, answer.headers["content-encoding"]) == ("first();" * 1_000, "gzip")
            assert answer.headers["vary"] == "Accept-Encoding"
            assert int(answer.headers["content-length"]) < 1_000
            plain = client.get("/assets/main.js", headers={"accept-encoding": "identity"})
            assert plain.text == answer.text
            assert "content-encoding" not in plain.headers
        assert len(packed) == 1
        script.write_text("second();")
        os.utime(script, ns=(1, 1))
        assert client.get("/assets/main.js").text == "second();"


def test_long_answers_are_compressed(server: Server) -> None:
    answer = server.stranger().ask("GET", "/api/games/virtus/rules", headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.json()["chapters"]


# --- health and figures --------------------------------------------------------------------------


def test_health(server: Server) -> None:
    assert server.stranger().get("/health") == {"status": "ok"}


def figure(server: Server, name: str) -> float:
    text = server.stranger().ask("GET", "/metrics").text
    return sum(float(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", text, re.MULTILINE))


def test_figures(server: Server) -> None:
    answer = server.stranger().ask("GET", "/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    before = figure(server, "legatus_requests_total")
    anna = server.player()
    match = anna.open("me", "me", **SMALL)["id"]
    assert figure(server, "legatus_requests_total") >= before + 3
    assert figure(server, "legatus_tables") >= 1
    sockets = figure(server, "legatus_sockets")
    with anna.watch(match) as line:
        line.frame()
        assert figure(server, "legatus_sockets") == sockets + 1
    assert figure(server, "legatus_request_seconds_count") > 0


def test_the_schema_has_every_call(server: Server) -> None:
    schema = server.stranger().get("/schema/openapi.json")
    docs = (Path(__file__).parents[2] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    calls = {(method.upper(), path) for path, item in schema["paths"].items() for method in item}
    described = set(re.findall(r"^\| `(GET|POST) (/api[^`?]*)", docs, re.MULTILINE))
    assert calls == described


# --- how often -----------------------------------------------------------------------------------


def test_too_many_requests_have_to_wait(start: Start) -> None:
    server = start("--requests", "30")
    eve = server.stranger("fr")
    answers = [eve.ask("GET", "/api/lobby") for _ in range(45)]
    allowed = [answer for answer in answers if answer.status_code == 200]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(allowed) + len(refused) == len(answers)
    assert 30 <= len(allowed) < 40
    last = refused[-1]
    assert last.json()["code"] == "too-many"
    assert last.json()["message"].startswith("Trop de requêtes : attendez ")
    assert_safe(last)
    assert 1 <= int(last.headers["retry-after"]) <= 4
    assert eve.ask("GET", "/health").status_code == 200  # whoever watches the server is not held up
    for path in ("/", "/assets/nothing.js", "/schema/openapi.json", "/metrics"):
        assert eve.ask("GET", path).status_code == 429, path
    time.sleep(int(last.headers["retry-after"]))
    assert eve.ask("GET", "/api/lobby").status_code == 200
    while eve.ask("GET", "/api/lobby").status_code == 200:
        pass
    with connect(f"ws://{server.address}/api/matches/nowhere/live") as socket:
        assert json.loads(socket.recv(timeout=10))["type"] == "error"


def test_a_dragged_card_has_a_limit_of_its_own(start: Start) -> None:
    """Its ghost is asked for at every move of the hand: that holds up nothing else, and is not endless."""
    server = start("--requests", "20")
    eve = server.stranger()
    ghost = "/api/matches/nowhere/ghost?piece=x&grip=card&x=1&y=1"
    statuses = [eve.ask("GET", ghost).status_code for _ in range(80)]
    assert 429 not in statuses[:60]
    assert statuses.count(429) >= 10
    assert eve.ask("GET", "/api/lobby").status_code == 200


def test_a_client_opens_only_so_many_matches(start: Start) -> None:
    server = start("--openings", "3", "--requests", "0")
    anna, ben = server.player("fr"), server.player()
    for number in range(3):
        anna.open("me", "me", **SMALL, request=f"open-{number:04d}")
    for player in (anna, ben):  # of one address
        answer = player.ask("POST", "/api/replays", json={"request": "x" * 8, "text": ""})
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many")
        assert int(answer.headers["retry-after"]) > 60
    assert anna.open("me", "me", **SMALL, request="open-0001")  # it is there already


def test_an_address_has_only_so_many_sockets(start: Start) -> None:
    server = start("--sockets", "3", "--requests", "0", "--openings", "0")
    anna = server.player()
    match = anna.open("me", "me", **SMALL)["id"]
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(anna.watch(match)).frame()
        with pytest.raises(ConnectionClosed) as closed, anna.watch(match) as line:
            line.frame()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
    deadline = time.monotonic() + 10
    while True:  # they are free again as soon as the others are gone
        try:
            with anna.watch(match) as line:
                assert line.frame()
            break
        except ConnectionClosed:
            assert time.monotonic() < deadline


def test_a_message_has_only_so_many_bytes(server: Server) -> None:
    anna = server.player()
    match = anna.open("me", "me", **SMALL)["id"]
    for text in ("x" * 4_001, "é" * 2_001, "x" * 1_000_000):
        with anna.watch(match) as line:
            line.frame()
            line.send(text)
            with pytest.raises(ConnectionClosed) as closed:
                line.next("error")
        close = closed.value.rcvd or closed.value.sent
        assert close is not None
        assert close.code == 1009


# --- an app in this process, with settings that the command line has not --------------------------


@contextmanager
def app(folder: Path, **settings: Any) -> Iterator[TestClient[Any]]:
    url = f"sqlite:///{folder / 'legatus.sqlite3'}"
    wish = {"requests": 0, "openings": 0, "sockets": 0, **settings}
    with TestClient(create_app(Settings(database=url, **wish))) as client:
        yield client


def headers(client: TestClient[Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {client.post('/api/keys').json()['key']}"}


def opened(client: TestClient[Any], who: dict[str, str], request: str) -> httpx.Response:
    wish = {"request": request, "game": "virtus", "seats": [{"who": "me"}, {"who": "me"}], **SMALL}
    return client.post("/api/matches", json=wish, headers=who)


def test_a_key_has_only_so_many_matches_that_are_not_over(tmp_path: Path) -> None:
    with app(tmp_path, open_matches=2) as client:
        anna, ben = headers(client), headers(client)
        first = [opened(client, anna, f"open-{n:04d}") for n in range(2)]
        assert [answer.status_code for answer in first] == [201, 201]
        answer = opened(client, anna, "open-0002")
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many")
        assert "2 matches" in answer.json()["message"]
        assert opened(client, anna, "open-0001").json()["id"] == first[1].json()["id"]  # asked again
        assert opened(client, ben, "open-0002").status_code == 201


def test_who_says_nothing_on_a_socket_is_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert its_socket.HELLO_SECONDS <= 30
    monkeypatch.setattr(its_socket, "HELLO_SECONDS", 0.2)
    with app(tmp_path) as client:
        match = opened(client, headers(client), "open-0001").json()["id"]
        with client.websocket_connect(f"/api/matches/{match}/live") as socket:
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_text(timeout=10)
            assert closed.value.code == 1008
        with client.websocket_connect(f"/api/matches/{match}/live") as socket:
            socket.send_text("{}")
            assert {json.loads(socket.receive_text(timeout=10))["type"] for _ in range(2)} == {
                "match",
                "frame",
            }
            time.sleep(0.5)  # whoever has said Hello may be silent
            socket.send_text("{}")
            assert socket.receive_text(timeout=10)


def test_matches_go_back_to_the_database_and_come_again(tmp_path: Path) -> None:
    """Even if all that may be kept in memory are looked at."""
    with app(tmp_path, tables=1) as client:
        anna = headers(client)
        ids = [opened(client, anna, f"open-{n:04d}").json()["id"] for n in range(3)]
        with ExitStack() as stack:
            for match in ids[:2]:
                socket = stack.enter_context(client.websocket_connect(f"/api/matches/{match}/live"))
                socket.send_text("{}")
                socket.receive_text(timeout=10)
            for match in ids:
                for _ in range(2):
                    answer = client.get(f"/api/matches/{match}/frame", headers=anna)
                    assert answer.status_code == 200, answer.text
            frame = client.get(f"/api/matches/{ids[2]}/frame", headers=anna).json()
            wish = {"number": 1, "request": "act-00001", "do": frame["actions"][0]["do"]}
            for _ in range(2):
                answer = client.post(f"/api/matches/{ids[2]}/act", json=wish, headers=anna)
                assert answer.json() == {"number": 2, "luck": None}
            nonsense = {"number": 2, "request": "act-00002", "do": "end-turn"}
            answer = client.post(f"/api/matches/{ids[2]}/act", json=nonsense, headers=anna)
            assert (answer.status_code, answer.json()["code"]) == (409, "illegal")
            assert answer.json()["reasons"]


# --- buckets -------------------------------------------------------------------------------------


def test_a_bucket_fills_up_at_a_steady_rate() -> None:
    clock = [0.0]
    limit = Limit(3, 60, lambda: clock[0])
    assert [limit.wait("a") for _ in range(3)] == [0, 0, 0]
    assert limit.wait("a") == pytest.approx(20)
    assert limit.wait("b") == 0  # another address
    clock[0] = 19.0
    assert limit.wait("a") == pytest.approx(1)
    clock[0] = 20.5
    assert limit.wait("a") == 0
    assert limit.wait("a") > 0
    clock[0] = 1e6
    assert [limit.wait("a") for _ in range(3)] == [0, 0, 0]
    assert limit.wait("a") > 0


def test_nothing_is_no_limit() -> None:
    limit = Limit(0, 60, lambda: 0.0)
    assert not any(limit.wait("a") for _ in range(1000))


def test_buckets_that_are_full_again_are_forgotten() -> None:
    clock = [0.0]
    limit = Limit(2, 60, lambda: clock[0])
    for n in range(MOST_BUCKETS + 1):
        limit.wait(str(n))
    clock[0] = 1000.0
    limit.wait("late")
    limit.wait("late")
    limit.wait("late")
    assert len(limit._buckets) == 1
    assert limit.wait("late") > 0
