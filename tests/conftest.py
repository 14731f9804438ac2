"""Hypothesis tries the same examples every time; every complaint that a test provokes speaks French too."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from legatus.kernel import Complaint

from .told import assert_told

settings.register_profile("legatus", deadline=None, derandomize=True)  # however slow the machine is
settings.load_profile("legatus")

_made: list[Complaint] = []
_init = Complaint.__init__


def _remember(self: Complaint, *args: Any, **named: Any) -> None:
    _init(self, *args, **named)
    _made.append(self)


@pytest.fixture(scope="session", autouse=True)
def remembered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Complaint, "__init__", _remember)
        yield


@pytest.fixture(autouse=True)
def told(remembered: None) -> Iterator[None]:
    _made.clear()
    yield
    for error in _made:
        assert_told(error)
