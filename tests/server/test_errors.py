"""Whatever is sent, the answer is a Failure in the client's language: never a traceback, never a 500."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from legatus.kernel.words import LANGS
from legatus.server.faults import STATUS, Fault
from legatus.server.words import WORDS

from .client import SMALL, Player, Server

GOOD: dict[str, Any] = {"request": "wish-0001", "game": "virtus", "seats": [{"who": "me"}, {"who": "bot"}]}
ACT: dict[str, Any] = {"number": 1, "request": "wish-0001", "do": "end-turn"}
DOCS = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
ENGLISH = re.compile(r"\b(the|is|of|Expected|got|Invalid|Object|malformed|with|and|not|one)\b")


@pytest.fixture
def anna(server: Server) -> Player:
    return server.player("fr")


@pytest.fixture
def match(anna: Player) -> str:
    return str(anna.open("me", "me", **SMALL)["id"])


def refused(answer: httpx.Response, status: int = 400, code: str = "bad-request") -> str:
    """It is a Failure in French; its message."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json"), answer.text
    failure = answer.json()
    assert set(failure) == {"code", "message", "reasons", "number"}
    assert failure["code"] == code, failure
    assert STATUS[code] == status
    message = str(failure["message"])
    plain = re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", "", message)  # what is quoted may be anything
    assert not message[0].islower()
    assert not re.search(r"\{\w+\}", plain)
    assert "Traceback" not in message
    assert not ENGLISH.search(plain), message
    return message


def send(player: Player, path: str, body: Any) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return player.ask("POST", path, content=content, headers={"content-type": "application/json"})


# --- bodies --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/api/matches", {**GOOD, "bogus": 1}, "bogus"),
        ("/api/matches", {**GOOD, "seats": [{"who": "me", "bogus": 1}, {"who": "me"}]}, "bogus"),
        ("/api/replays", {"request": "wish-0001", "text": "", "bogus": 1}, "bogus"),
        ("/api/games/virtus/army", {"text": "", "bogus": 1}, "bogus"),
        ("/api/matches/{id}/join", {"invite": "", "bogus": 1}, "bogus"),
        ("/api/matches/{id}/act", {**ACT, "bogus": 1}, "bogus"),
        ("/api/matches/{id}/undo", {"number": 1, "request": "wish-0001", "bogus": 1}, "bogus"),
        ("/api/matches/{id}/why", {"bogus": 1}, "bogus"),
        ("/api/matches/{id}/odds", {"do": "x", "bogus": 1}, "bogus"),
    ],
)
def test_an_unknown_field_is_refused_by_its_name(
    anna: Player, match: str, path: str, body: Any, field: str
) -> None:
    assert refused(send(anna, path.format(id=match), body)).endswith(f"champ inconnu `{field}`")
    english = anna.ask("POST", path.format(id=match), json=body, params={"lang": "en"}).json()["message"]
    assert english.startswith("The request is not understood: ")
    assert english.endswith(f"Object contains unknown field `{field}`")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"request": "x"}, "request : `str` de longueur 8 au moins attendu"),
        ({"request": "x" * 65}, "request : `str` de longueur 64 au plus attendu"),
        ({"request": "é" * 10}, "request : `str` de la forme"),
        ({"request": None}, "request : `str` attendu, `null` trouvé"),
        ({"game": 5}, "game : `str` attendu, `int` trouvé"),
        ({"game": "x" * 81}, "game : `str` de longueur 80 au plus"),
        ({"seats": 3}, "seats : `array` attendu"),
        ({"seats": [{"who": "you"}]}, "seats[0].who : valeur non prévue 'you'"),
        ({"seats": [{"who": "me", "name": "x" * 81}]}, "seats[0].name : `str` de longueur 80 au plus"),
        ({"seats": [{"who": "me"}] * 9}, "seats : `array` de longueur 8 au plus"),
        ({"seats": [{}]}, "seats[0] : il manque le champ obligatoire `who`"),
        ({"luck": "mine"}, "luck : valeur non prévue 'mine'"),
        ({"options": {"pila": 3}}, "`bool | str` attendu, `int` trouvé"),
        ({"armies": [5, 6]}, "armies[0] : `str | object` attendu"),
        ({"armies": "x"}, "armies : `array` attendu"),
        ({"scenario": []}, "scenario : `str | null` attendu, `array` trouvé"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(anna: Player, change: dict[str, Any], where: str) -> None:
    assert where in refused(send(anna, "/api/matches", {**GOOD, **change}))


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "elle est vide"),
        (b"{", "le texte s'arrête trop tôt"),
        (b"nonsense", "JSON mal formé : caractère non valable"),
        (b"\xff\xfe", "JSON mal formé"),
        (b'{"request": "\\ud800abcdefgh"}', "JSON mal formé"),
        (b'{"request": "\xff\xff\xff\xff\xff\xff\xff\xff"}', "UTF-8"),
        (b"[]", "`object` attendu, `array` trouvé"),
        (b"null", "`object` attendu, `null` trouvé"),
        (b"{}", "il manque le champ obligatoire `request`"),
        (b'{"request": "wish-0001",}', "JSON mal formé : virgule de trop"),
        (b'{"request" "x"}', "JSON mal formé : ':' attendu"),
        (b'{"request": "x" 1}', "JSON mal formé : ',' ou '}' attendu"),
        (b"{1: 2}", "JSON mal formé : "),
        (b"[" * 100_000, "trop de niveaux emboîtés"),
        (b'{"a":' * 20_000 + b"1" + b"}" * 20_000, "trop de niveaux emboîtés"),
        (json.dumps(GOOD)[:-1].encode() + b', "armies": [' + b"[" * 50_000, "trop de niveaux emboîtés"),
        (json.dumps(GOOD)[:-1].encode() + b', "armies": [{"a": ' + b"[" * 50_000, "trop de niveaux emboîtés"),
    ],
    ids=range(17),
)
def test_what_is_not_json(anna: Player, body: bytes, problem: str) -> None:
    assert problem in refused(send(anna, "/api/matches", body))


def test_a_huge_body_is_refused(anna: Player) -> None:
    body = json.dumps({"request": "wish-0001", "text": "x" * 2_000_000}).encode()
    message = refused(send(anna, "/api/replays", body), 413, "too-large")
    assert "2000000" in message
    stream = (b"x" * 100_000 for _ in range(40))  # of which nobody says how long it is
    try:
        answer = anna.ask("POST", "/api/replays", content=stream)
    except httpx.TransportError:
        return  # it hangs up in the middle
    refused(answer, 413, "too-large")


@pytest.mark.parametrize("path", ["/api/matches", "/api/games/virtus/army", "/api/games/onus/design"])
def test_only_a_record_may_be_long(anna: Player, path: str) -> None:
    """Small objects take twenty times their text in memory, and wait there until a worker is free."""
    body = b'{"armies": [{"unit": [' + b"{}," * 80_000 + b"{}]}]}"
    assert "200000" in refused(send(anna, path, body), 413, "too-large")


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/html", ""]
)
def test_other_types_of_content_upset_nobody(anna: Player, kind: str) -> None:
    answer = anna.ask("POST", "/api/matches", content=b"a=b", headers={"content-type": kind})
    assert answer.status_code == 400
    assert answer.json()["code"] == "bad-request"


# --- set-ups -------------------------------------------------------------------------------------

PATHS = [
    "../../etc/passwd",
    "/etc/passwd",
    "../armies/gauls-150",
    "gauls-150.toml",
    "",
    "x" * 80,
    "..%2f..",
    "\0",
]


@pytest.mark.parametrize("name", PATHS)
def test_names_of_files_are_not_names(anna: Player, name: str) -> None:
    if name:
        message = refused(send(anna, "/api/matches", {**GOOD, "scenario": name}), 400, "bad-file")
        assert "'thick-forest'" in message
    message = refused(send(anna, "/api/matches", {**GOOD, "armies": [name, "gauls-150"]}), 400, "bad-file")
    assert "'gauls-150'" in message
    assert "root:" not in message


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"game": "chess"}, 404, "not-found"),
        ({"game": ""}, 404, "not-found"),
        ({"game": "../virtus"}, 404, "not-found"),
        ({"seats": [{"who": "me"}]}, 400, "bad-request"),
        ({"seats": []}, 400, "bad-request"),
        ({"seats": [{"who": "me"}, {"who": "bot", "bot": "deep blue"}]}, 400, "bad-request"),
        ({"seats": [{"who": "me"}, {"who": "bot", "bot": "search:99999"}]}, 400, "bad-request"),
        ({"options": {"nonsense": True}}, 400, "bad-file"),
        ({"options": {"scenario": "bridge"}}, 400, "bad-file"),
        ({"options": {"self": True}}, 400, "bad-file"),
        ({"options": {"decoys": "many"}}, 400, "bad-file"),
        ({"options": {"decoys": True}}, 400, "bad-file"),
        ({"options": {"pila": "yes"}}, 400, "bad-file"),
        ({"armies": ["gauls-150"]}, 400, "bad-file"),
        ({"armies": ["gauls-150", {}]}, 400, "bad-file"),
        ({"armies": [{"name": "x", "budget": 200, "unit": [{"type": "tanks"}]}, {}]}, 400, "bad-file"),
    ],
)
def test_a_set_up_that_does_not_fit(anna: Player, change: dict[str, Any], status: int, code: str) -> None:
    answer = send(anna, "/api/matches", {**GOOD, **change})
    failure = answer.json()
    assert (answer.status_code, failure["code"]) == (status, code), failure
    assert failure["message"]
    assert anna.get("/api/matches")["matches"] == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "bad-request"),
        ({"text": "", "army": {}}, "bad-request"),
        ({"text": "x"}, "bad-file"),
        ({"text": "[" * 49_000}, "bad-file"),
        ({"text": "name = 1"}, "bad-file"),
        ({"army": {}}, "bad-file"),
        ({"army": {"name": "x", "budget": -1}}, "bad-file"),
        ({"army": {"name": "x", "budget": 200, "unit": 3}}, "bad-file"),
        (
            {"army": {"name": "x", "budget": 200, "unit": [{"type": "legionaries", "count": 10**15}]}},
            "bad-file",
        ),
        ({"text": "x" * 50_001}, "bad-request"),
    ],
    ids=range(10),
)
def test_an_army_that_is_none(anna: Player, body: Any, code: str) -> None:
    answer = send(anna, "/api/games/virtus/army", body)
    assert answer.status_code in (200, 400), answer.text
    assert answer.status_code == 200 or answer.json()["code"] == code
    if answer.status_code == 200:
        assert not answer.json()["muster"]["ok"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "{}",
        "[" * 100_000,
        '{"legatus": "record", "version": 2, "game": "virtus"}',
        '{"legatus": "record", "version": 1, "game": "chess"}',
        '{"legatus": "record", "version": 1, "game": "virtus"}',
        '{"legatus": "record", "version": 1, "game": "virtus", "scenario": {}}\n{"dice": []}',
    ],
    ids=range(8),
)
def test_a_record_that_is_none(anna: Player, text: str) -> None:
    refused(send(anna, "/api/replays", {"request": "wish-0001", "text": text}), 400, "bad-file")


# --- commands ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("do", "code"),
    [
        ("", "bad-action"),
        ("dance", "bad-action"),
        ("deploy", "bad-action"),
        ("deploy a b c d", "bad-action"),
        ("{", "bad-action"),
        ("{}", "bad-action"),
        ('{"do": "dance"}', "bad-action"),
        ('{"do": "deploy", "piece": 4}', "bad-action"),
        ('{"a":' * 300, "bad-action"),
        ("undo", "bad-action"),
        ("x" * 2001, "bad-request"),
    ],
)
def test_what_is_no_action(anna: Player, match: str, do: str, code: str) -> None:
    for path, body in (("act", {**ACT, "do": do}), ("why", {"do": do}), ("odds", {"do": do})):
        refused(send(anna, f"/api/matches/{match}/{path}", body), 400, code)
    assert anna.match(match)["number"] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"number": None},
        {"number": 1.5},
        {"number": "one"},
        {"request": ""},
        {"dice": 3},
        {"dice": ["six"]},
        {"dice": [1] * 401},
    ],
)
def test_what_is_no_command(anna: Player, match: str, change: dict[str, Any]) -> None:
    assert next(iter(change)) in refused(send(anna, f"/api/matches/{match}/act", {**ACT, **change}))


def test_questions_that_are_too_long(anna: Player, match: str) -> None:
    for clicks in (["x" * 201], ["x"] * 41):
        assert "clicks" in refused(send(anna, f"/api/matches/{match}/why", {"clicks": clicks}))


# --- addresses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/matches/nowhere", 404, "not-found"),
        ("/api/matches/nowhere/frame", 404, "not-found"),
        ("/api/matches/nowhere/record", 404, "not-found"),
        ("/api/matches/%00", 404, "not-found"),
        ("/api/matches/%2e%2e", 404, "not-found"),
        ("/api/matches/..%2f..%2fetc%2fpasswd", 404, "not-found"),
        ("/api/matches/%ff%fe", 404, "not-found"),
        (f"/api/matches/{'x' * 33}", 400, "bad-request"),
        ("/api/games/chess/rules", 404, "not-found"),
        ("/api/games/..%2f..%2fetc/rules", 404, "not-found"),
        ("/api/nowhere", 404, "not-found"),
        ("/nowhere", 404, "not-found"),
        ("/assets/nowhere", 404, "not-found"),
        ("/assets/..%2f..%2fwords.en.toml", 404, "not-found"),
        ("/assets/%2e%2e", 404, "not-found"),
        ("/api/matches/{id}/frame?entry=-1", 400, "bad-request"),
        ("/api/matches/{id}/frame?entry=x", 400, "bad-request"),
        ("/api/matches/{id}/frame?entry=1", 404, "not-found"),
        ("/api/matches/{id}/frame?entry=99999999999999999999", 404, "not-found"),
        (f"/api/matches/{{id}}/frame?seen_as={'x' * 81}", 400, "bad-request"),
    ],
)
def test_addresses_that_lead_nowhere(anna: Player, match: str, path: str, status: int, code: str) -> None:
    # httpx would tidy the path up
    headers = {"authorization": f"Bearer {anna.key}", "accept-language": "fr-CH"}
    url = httpx.URL(anna.server.url).copy_with(raw_path=path.format(id=match).encode())
    answer = anna.server.http.get(url, headers=headers)
    refused(answer, status, code)


def test_methods_that_are_not_there(anna: Player, match: str) -> None:
    for method, path in (("DELETE", "/api/matches"), ("PUT", f"/api/matches/{match}"), ("GET", "/api/keys")):
        refused(anna.ask(method, path), 405, "no-method")


def test_an_unknown_language_is_answered_in_english(anna: Player) -> None:
    answer = anna.ask("GET", "/api/lobby", params={"lang": "de"})
    assert answer.status_code == 400
    assert answer.json()["message"].startswith("The request is not understood: lang: ")


# --- sockets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "nonsense",
        "[" * 3000,
        '{"bogus": 1}',
        '{"lang": "de"}',
        '{"number": "x"}',
        '{"key": "\\ud800"}',
        json.dumps({"key": "x" * 81}),
        "null",
        b"\xff\xfe",
    ],
)
def test_nonsense_on_a_socket_is_answered_and_the_line_stays(
    anna: Player, match: str, message: str | bytes
) -> None:
    where = f"ws://{anna.server.address}/api/matches/{match}/live"
    with connect(where) as socket:
        socket.send(message)
        answer = json.loads(socket.recv(timeout=10))
        assert (answer["type"], answer["failure"]["code"]) == ("error", "bad-request")
        socket.send(json.dumps({"key": anna.key}))
        kinds = [json.loads(socket.recv(timeout=10))["type"] for _ in range(2)]
        assert "frame" in kinds


def test_trouble_on_a_socket_is_told_in_the_language_of_hello(anna: Player, match: str) -> None:
    with anna.watch(match) as line:
        line.frame()
        line.send({"key": "made.up", "lang": "en"})
        assert line.next("error")["failure"]["message"].startswith("Cette clé n'est pas de ce serveur")
        line.send({"bogus": 1})
        assert line.next("error")["failure"]["message"].endswith("champ inconnu `bogus`")


def test_a_socket_to_nowhere(server: Server) -> None:
    with connect(f"ws://{server.address}/api/matches/nowhere/live") as socket:
        assert json.loads(socket.recv(timeout=10))["failure"]["code"] == "not-found"
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


# --- codes ---------------------------------------------------------------------------------------


def test_every_code_is_documented_with_its_status() -> None:
    text = DOCS.read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| `([a-z-]+)` \| (\d{3}) \|", text, re.MULTILINE))
    assert {code: int(status) for code, status in table.items()} == STATUS


@pytest.mark.parametrize("code", STATUS)
def test_every_code_has_its_sentence(code: str) -> None:
    for lang in LANGS:
        assert f"server.{code}" in WORDS[lang] or code in ("bad-action", "bad-file", "wrong-dice")


def test_a_conflict_says_its_number() -> None:
    fault = Fault("conflict", number=7)
    assert fault.number == 7
    assert fault.say("fr").endswith("7")
