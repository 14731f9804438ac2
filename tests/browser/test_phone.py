"""On a phone: everything by touch, nothing beside the screen."""

from random import Random

import pytest
from playwright.sync_api import expect

from .positions import attacks, play_on
from .visitor import PHONE


def assert_narrow(visitor):
    page = visitor.page
    assert page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth"), page.url
    assert page.evaluate("window.innerWidth") == 390, page.url


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_phone(server, visit, lang):
    owner = server.player()
    hot = owner.open("me", "me", scenario="plain-small")["id"]
    play_on(owner, hot, Random(1), attacks)
    player = visit(server, lang, key=owner.key, **PHONE).go()
    expect(player.button("shell.front.play")).to_be_visible()
    assert_narrow(player)
    player.go("/rules/virtus")
    expect(player.page.locator("article").first).to_be_visible()
    assert_narrow(player)
    player.go("/new")
    expect(player.button("shell.setup.begin")).to_be_visible()
    player.page.locator('input[name="army-0"][value="built"]').check()
    expect(player.page.locator(".builder")).to_be_visible()
    assert_narrow(player)
    player.page.locator('input[name="army-0"][value="ready"]').check()
    player.page.locator('input[name="scenario"][value="plain-small"]').check()
    player.button("shell.setup.begin").tap()
    assert player.match

    rng = Random(4)
    numbers = set()
    for _ in range(12):
        numbers.add(player.wait()["number"])
        assert_narrow(player)
        player.choose(rng, "deploy-rest", "done")
    assert len(numbers) > 4
    for tab in ("moves", "rules", "players", "log"):
        player.page.locator(f"#tab-{tab}").tap()
        assert_narrow(player)

    player.sit(hot)
    player.button("table.curtain.here").tap()
    player.wait()
    assert_narrow(player)
