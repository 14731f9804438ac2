"""A server and a browser for all tests of a worker; ``visit`` brings somebody in.

Whatever a page says on its console that a test did not ask for makes the test fail.  Of a test that
fails there are pictures in ``build/browser``.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.server.client import NO_LIMITS, Server, serving

from .visitor import ARGUMENTS, ROOT, Visitor, find_chromium

PICTURES = ROOT / "build" / "browser"
VISITORS = pytest.StashKey[list[Visitor]]()

Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("house"), *NO_LIMITS, "--patience", "10") as server:
        answer = server.http.get(server.url)
        if answer.status_code == 503:
            pytest.fail("there is no page: build it (make page)", pytrace=False)
        yield server


@pytest.fixture
def server(house: Server) -> Iterator[Server]:
    """A server without limits; nothing that a test does may upset it."""
    yield house
    assert not house.complaints()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def visit(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Visit]:
    """``visit(server, ...)``: somebody with a browser of his own."""
    visitors: list[Visitor] = []
    request.node.stash[VISITORS] = visitors

    def come(server: Server, lang: str = "en", **options: Any) -> Visitor:
        visitors.append(Visitor(browser, server.url, lang, **options))
        return visitors[-1]

    yield come
    problems = [problem for visitor in visitors for problem in visitor.problems]
    for visitor in visitors:
        visitor.close()
    assert not problems, "\n".join(problems)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.when == "call" and report.failed:
        said = []
        for n, visitor in enumerate(item.stash.get(VISITORS, [])):
            try:
                name = re.sub(r"\W+", "-", item.name).strip("-")
                said += [f"picture: {path}" for path in visitor.shoot(PICTURES, f"{name}-{n}")]
            except Exception as problem:  # the test has failed already: say why there is no picture
                said.append(f"no picture: {problem}")
            said += visitor.problems
        report.sections.append(("browser", "\n".join(said)))
    return report
