"""One server for all tests of a worker that need nothing special; ``client`` has what talks to it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .client import NO_LIMITS, Server, serving

Start = Callable[..., Server]


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), *NO_LIMITS) as server:
        yield server


@pytest.fixture
def server(shared_server: Server) -> Iterator[Server]:
    """A server without limits; nothing that a test does to it may upset it."""
    yield shared_server
    assert not shared_server.complaints()
    assert shared_server.process.poll() is None


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers with options of the command line on one database file; each must stop cleanly."""
    with ExitStack() as stack:
        yield lambda *options, **named: stack.enter_context(serving(tmp_path, *options, **named))
