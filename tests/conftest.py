"""Hypothesis tries the same examples every time; every complaint that a test provokes speaks French too.

A failure is told at once: of a run that is cut off it says what went wrong.
"""

import asyncio
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


class FailuresAtOnce:
    """Prints each failure when it happens, with the line at which it happened."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self.reporter = reporter

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            reason = f"{crash.path}:{crash.lineno}: {crash.message}" if crash else report.longreprtext
            self.reporter.ensure_newline()
            self.reporter.write_line(f"failed at {report.when}: {report.nodeid}: {reason[:500]}", red=True)


def pytest_sessionstart(session: pytest.Session) -> None:
    plugins = session.config.pluginmanager
    reporter = plugins.get_plugin("terminalreporter")
    if reporter is not None:  # a worker of xdist has none
        plugins.register(FailuresAtOnce(reporter))


@pytest.fixture(autouse=True)
def loop_of_the_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hides the loop that Playwright leaves running in this thread from tests that run one of their own."""
    loop = None if "browser" in request.fixturenames else asyncio._get_running_loop()
    if loop is not None:
        asyncio._set_running_loop(None)
    yield
    if loop is not None:
        asyncio._set_running_loop(loop)


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
