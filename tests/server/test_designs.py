"""Designs of fortresses over the wire: what they are made of, their price, and what is against them."""

from __future__ import annotations

from typing import Any

import pytest

from .client import Player, Server

DESIGN = "/api/games/onus/design"


@pytest.fixture
def mason(server: Server) -> Player:
    return server.stranger()


def ready(player: Player, key: str) -> Any:
    designs = player.get("/api/games/onus/workshop")["designs"]
    return next(design for design in designs if design["key"] == key)


def test_only_games_with_fortresses_have_a_workshop(mason: Player) -> None:
    for game in mason.get("/api/lobby")["games"]:
        path = f"/api/games/{game['key']}/workshop"
        assert mason.ask("GET", path).status_code == (200 if game["designer"] else 400)
        assert game["designer"] == (game["key"] == "onus")


def test_the_workshop_speaks_both_languages(server: Server) -> None:
    english, french = (server.stranger(lang).get("/api/games/onus/workshop") for lang in ("en", "fr"))
    assert [part["key"] for part in english["parts"]] == [part["key"] for part in french["parts"]]
    assert {part["label"] for part in english["parts"]}.isdisjoint(part["label"] for part in french["parts"])


def test_a_design_is_priced_and_judged_as_text_and_as_json(mason: Player) -> None:
    checked = mason.post(DESIGN, {"text": ready(mason, "few-towers")["file"]})
    assert checked["ok"]
    assert checked["cost"] == 510
    assert checked["materials"] == {"wood": 510, "stone": 1020}
    assert mason.post(DESIGN, {"design": checked["design"]}) == checked
    assert mason.post(DESIGN, {"text": checked["file"]}) == checked


def test_a_refusal_has_its_clause_and_its_sentence(server: Server) -> None:
    mason = server.stranger("fr")
    design = mason.post(DESIGN, {"text": ready(mason, "standard")["file"]})["design"]
    design["piece"] = [piece for piece in design["piece"] if piece["kind"] != "gate"]
    checked = mason.post(DESIGN, {"design": design})
    assert not checked["ok"]
    assert [problem["clause"] for problem in checked["problems"]] == [
        "O7.design.gate",
        "O7.design.continuity",
    ]
    assert all(problem["text"] for problem in checked["problems"])
    clauses = {
        clause["id"]
        for chapter in mason.get("/api/games/onus/rules")["chapters"]
        for clause in chapter["clauses"]
    }
    assert {problem["clause"] for problem in checked["problems"]} <= clauses


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "bad-request"),
        ({"text": "", "design": {}}, "bad-request"),
        ({"text": "", "bogus": 1}, "bad-request"),
        ({"text": "x"}, "bad-file"),
        ({"text": "name = 1"}, "bad-file"),
        ({"design": {}}, "bad-file"),
        (
            {"design": {"name": "x", "material": "wood", "piece": [{"kind": "wall", "at": [1e300, 0]}]}},
            "bad-file",
        ),
        ({"text": "x" * 50_001}, "bad-request"),
    ],
    ids=range(8),
)
def test_a_design_that_is_none(mason: Player, body: Any, code: str) -> None:
    assert mason.post(DESIGN, body, expect=400)["code"] == code


def test_a_game_without_fortresses_judges_none(mason: Player) -> None:
    assert mason.post("/api/games/virtus/design", {"text": ""}, expect=400)["code"] == "bad-request"


def test_the_page_is_at_its_address(server: Server) -> None:
    assert server.stranger().ask("GET", "/fortress/onus").status_code in (200, 503)
