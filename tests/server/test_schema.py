"""The server keeps to its own schema, whatever is sent: schemathesis makes the requests up."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from legatus.server import api

from .client import SMALL, Player, Server

EXAMPLES = 8  # of each call, once by the schema and once against it
CALLS = sorted(
    (method, route.path.replace(":str", ""))
    for route in api.router.routes
    for method in route.methods  # type: ignore[union-attr]
    if method != "OPTIONS"
)


@cache
def schema_of(url: str) -> Any:
    import schemathesis  # only here: it takes a second

    return schemathesis.openapi.from_url(f"{url}/schema/openapi.json")


@cache
def kept() -> list[Any]:
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    return [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
    ]


@pytest.fixture(scope="module")
def anna(shared_server: Server) -> Player:
    return shared_server.player()


@pytest.fixture(scope="module")
def match(anna: Player) -> str:
    return str(anna.open("me", "me", **SMALL)["id"])


def test_every_call_is_in_the_schema(server: Server) -> None:
    schema = server.stranger().get("/schema/openapi.json")
    assert sorted(CALLS) == sorted(
        (method.upper(), path) for path, item in schema["paths"].items() for method in item
    )


@pytest.mark.parametrize(
    ("method", "path", "mode"),
    [
        (*call, mode)
        for call in CALLS
        for mode in ("positive", "negative")
        if (*call, mode) != ("POST", "/api/keys", "negative")  # nothing could be wrong with it
    ],
)
def test_the_server_keeps_to_its_schema(
    server: Server, anna: Player, match: str, method: str, path: str, mode: str
) -> None:
    """Every other time of a match and a game that are there."""
    from schemathesis import GenerationMode

    operation = schema_of(server.url)[path][method]
    statuses = set()

    @given(case=operation.as_strategy(generation_mode=GenerationMode(mode)))
    @settings(
        max_examples=EXAMPLES,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any) -> None:
        check.tried += 1  # type: ignore[attr-defined]
        if check.tried % 2:  # type: ignore[attr-defined]
            there = {"match_id": match, "game": "virtus"}
            case.path_parameters.update((k, v) for k, v in there.items() if k in case.path_parameters)
        headers = {"authorization": f"Bearer {anna.key}"}
        answer = case.call_and_validate(base_url=server.url, headers=headers, checks=kept(), timeout=30)
        statuses.add(answer.status_code)

    check.tried = 0  # type: ignore[attr-defined]
    check()
    assert statuses
