"""What the dice follow from, behind the seal: promised while it goes on, checked when it is over."""

import json
from random import Random

import pytest
from playwright.sync_api import expect

from legatus.kernel.commitment import commitment_of
from tests.server.client import SMALL, Player
from tests.server.test_fairness import play_on


def open_seal(visitor):
    """By keyboard alone."""
    visitor.tab("players")
    box = visitor.at("seal")
    box.locator("summary").focus()
    visitor.page.keyboard.press("Enter")
    expect(box).to_have_attribute("open", "")
    return box


def remembered(visitor, match):
    return dict(json.loads(visitor.page.evaluate("localStorage.getItem('legatus.dice')")))[match]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_two_friends_and_a_seal(server, visit, lang):
    """The page contributes by itself, remembers what was promised, and compares in the end."""
    a = visit(server, lang).go("/new")
    a.page.locator('input[name="preset"][value="friend"]').check()
    a.page.locator('input[name="scenario"][value="plain-small"]').check()
    a.button("shell.setup.begin").click()
    match = a.match
    anna = Player(server, a.key)
    invitation = a.tab("players").locator('[data-seat="barbarians"] input').input_value()
    b = visit(server, lang).go(invitation)
    b.page.locator("#name").fill("Ben")
    b.button("shell.join.take").click()
    assert b.match == match
    ben = Player(server, b.key)

    info = anna.match(match)
    given = {one["seat"]: one["text"] for one in info["contributions"]}
    assert len(given["rome"]) == len(given["barbarians"]) == 32
    for visitor, seat in ((a, "rome"), (b, "barbarians")):
        own = {"commitment": info["commitment"], "contribution": given[seat]}
        assert remembered(visitor, match) == (own | {"row": 0} if seat == "rome" else own)
        box = open_seal(visitor)
        expect(box.get_by_test_id("commitment")).to_have_text(info["commitment"])
        expect(box).to_contain_text(given["rome"])
        expect(box.get_by_test_id("seed")).to_have_count(0)
        expect(box).to_have_attribute("data-state", "closed")

    play_on(match, {"rome": anna, "barbarians": ben}, Random(3))
    info = anna.match(match)
    for visitor in (a, b):
        expect(visitor.at("ending")).to_be_visible()
        box = visitor.at("seal")
        expect(box.get_by_test_id("seed")).to_have_text(info["seed"])
        expect(box.get_by_test_id("kept")).to_have_text(visitor.say("table.seal.kept"))
        told = anna.get(f"/api/matches/{match}/verify", lang=lang)["text"]
        expect(box.get_by_test_id("verdict").locator("li")).to_have_text(told)
        expect(box).to_have_attribute("data-state", "whole")
    assert commitment_of(info["seed"]) == info["commitment"]


def test_a_promise_that_was_not_kept_is_told(server, visit):
    """A server that showed this browser another hash at the beginning, and lost what it had added."""
    anna = server.player()
    match = anna.open("me", "bot:random", **SMALL, contribution="mine")["id"]
    other = {"commitment": "0" * 64, "contribution": "theirs"}
    a = visit(server, key=anna.key)
    a.keep("legatus.dice", json.dumps([[match, other]]))
    a.sit(match)
    box = open_seal(a)
    expect(box).to_contain_text(a.say("table.seal.changed", commitment=other["commitment"]))
    expect(box).to_contain_text(a.say("table.seal.lost"))
    expect(box).to_have_attribute("data-state", "broken")


@pytest.mark.parametrize("trick", ["lost", "late", "strange"])
def test_what_this_browser_added_is_looked_for(server, visit, trick):
    """No tick if the dice do not follow from it, or only later, or from what was added for a bot."""
    anna = server.player()
    match = anna.open("me", "me", **SMALL, contribution="mine")["id"]
    play_on(match, {"rome": anna, "barbarians": anna}, Random(4))
    info = anna.match(match)
    a = visit(server, key=anna.key)
    own = {"commitment": info["commitment"], "contribution": "other" if trick == "lost" else "mine", "row": 0}
    a.keep("legatus.dice", json.dumps([[match, own]]))

    def otherwise(route):
        answer = route.fetch()
        told = answer.json()
        if trick == "late":
            told["contributions"][0]["row"] = told["contributions"][1]["row"] = 9
        if trick == "strange":
            told["seats"][1]["who"] = "bot"
        route.fulfill(response=answer, json=told)

    if trick != "lost":
        a.page.route(f"**/api/matches/{match}?*", otherwise)
        a.page.route(f"**/api/matches/{match}", otherwise)
    a.sit(match)
    box = open_seal(a)
    expect(box.get_by_test_id("verdict").locator("li").first).to_contain_text("Verified")
    said = {"late": {"row": 0}, "strange": {"label": "The barbarians", "text": "mine"}}.get(trick, {})
    expect(box).to_contain_text(a.say(f"table.seal.{trick}", **said))
    expect(box).to_have_attribute("data-state", "broken")


def test_a_looker_on_remembers_what_he_saw_first(server, visit):
    anna = server.player()
    match = anna.open("me", "me", **SMALL, contribution="anna")
    looker = visit(server).sit(match["id"])
    box = open_seal(looker)
    expect(box).to_contain_text("anna")
    assert remembered(looker, match["id"]) == {"commitment": match["commitment"], "contribution": ""}
