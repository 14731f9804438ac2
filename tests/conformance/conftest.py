"""A test that asks for ``game`` runs for every game; for ``match``, for random matches of every scenario."""

import pytest

from legatus.kernel import Game, Match

from .common import ALL, CASES, Case, random_match


@pytest.fixture(params=ALL.values(), ids=ALL, scope="session")
def game(request: pytest.FixtureRequest) -> Game:
    return request.param


@pytest.fixture(params=CASES, ids=str, scope="session")
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.fixture(scope="session")
def match(case: Case) -> Match:
    """A match that was played at random; not to be changed."""
    return random_match(case)
