"""Julian on its map: a whole campaign against the computer, stacks that fan out, hands that stay hidden."""

import json
import subprocess
import sys
from random import Random

import pytest
from playwright.sync_api import expect

from .test_hexes import calm
from .visitor import PHONE

ENOUGH = 900  # clicks in which a short campaign must end
CLOSES = 500  # milliseconds
WAY = ("place-rest", "roll-markers", "discard", "pick", "march", "pass", "go")  # to the first march


def open_campaign(visitor, scenario="argentoratum"):
    visitor.link("shell.front.set_up").click()
    visitor.page.locator('input[name="game"][value="julian"]').check()
    visitor.page.locator(f'input[name="scenario"][value="{scenario}"]').check()
    visitor.button("shell.setup.begin").click()
    visitor.wait()


def march(server):
    """A player whose stack of three or more is about to march, the match, and the units of the stack."""
    player = server.player()
    match = player.open("me", "me", game="julian", scenario="argentoratum")["id"]
    for _ in range(100):
        frame = player.frame(match)
        units = [action["clicks"][0] for action in frame["actions"] if action["verb"] == "leave"]
        if len(units) > 2:
            return player, match, units
        done = {action["verb"]: action["do"] for action in frame["actions"]}
        player.act(match, frame["number"], next(done[verb] for verb in WAY if verb in done))
    raise AssertionError("no stack of three")


def click(visitor, rng, wanted, seen):
    """One click.  A stack that is spread out may hide what is wanted: it closes when the pointer leaves."""
    try:
        visitor.choose(rng, *wanted, seen=seen)
    except AssertionError as problem:
        if "covered" not in str(problem):
            raise
        visitor.page.mouse.move(1, 1)
        visitor.page.wait_for_timeout(CLOSES)


def test_a_whole_campaign(server, visit, tmp_path):
    roman = visit(server).go()
    open_campaign(roman)
    rng, clicks = Random(5), 0
    while not (seen := calm(roman))["ending"]:
        if seen["yours"]:  # else it has just gone on
            wanted = ("place-rest", "fight", *(("pass",) if rng.random() < 0.3 else ()))
            click(roman, rng, wanted, seen)
        clicks += 1
        assert clicks < ENOUGH
    ending = roman.at("ending")
    assert ending.get_attribute("data-winner") in ("roman", "barbarian", "")
    with roman.page.expect_download() as download:
        ending.get_by_role("button", name=roman.say("table.record")).click()
    record = tmp_path / download.value.suggested_filename
    download.value.save_as(record)
    command = [sys.executable, "-m", "legatus", "replay", str(record), "--verify"]
    verified = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def boxes(visitor, units):
    return [visitor.thing(unit).bounding_box() for unit in units]


def overlap(one, two):
    return not (
        one["x"] + one["width"] <= two["x"]
        or two["x"] + two["width"] <= one["x"]
        or one["y"] + one["height"] <= two["y"]
        or two["y"] + two["height"] <= one["y"]
    )


def is_fanned(visitor, units):
    found = boxes(visitor, units)
    return not any(overlap(a, b) for i, a in enumerate(found) for b in found[i + 1 :])


@pytest.mark.parametrize("how", ["mouse", "finger", "keyboard"])
def test_a_stack_fans_out_and_each_of_its_units_can_be_clicked(server, visit, how):
    player, match, units = march(server)
    roman = visit(server, key=player.key, **(PHONE if how == "finger" else {}))
    roman.keep("legatus.table", '{"curtain": "off"}')
    roman.sit(match).wait()
    assert not is_fanned(roman, units)
    if how == "mouse":
        roman.thing(units[0]).hover(force=True)
    elif how == "finger":
        roman.press(roman.thing(units[0]))
    else:
        roman.thing(units[0]).focus()
    roman.page.wait_for_timeout(600)
    assert is_fanned(roman, units)
    assert roman.seen()["number"] == player.frame(match)["number"]  # nothing has been done yet
    last = units[-1]
    if how == "keyboard":
        roman.thing(last).focus()
        roman.page.keyboard.press("Enter")
    else:
        roman.pick(last)
    roman.page.wait_for_function(f"() => !document.querySelector('[data-id=\"{last}\"][aria-pressed=true]')")
    roman.settle()
    left = [a["clicks"][0] for a in player.frame(match)["actions"] if a["verb"] == "leave"]
    assert left == units[:-1]  # he stays behind


def test_the_hand_of_the_opponent_is_not_in_the_page(server, visit):
    """J0.title: what the page is told of a hand that nobody has looked into is how many markers it has."""
    heard: list[str] = []

    def listen(socket):
        socket.on("framereceived", lambda text: heard.append(str(text)))

    roman = visit(server)
    roman.page.on("websocket", listen)
    roman.page.on("response", lambda answer: "/api/" in answer.url and heard.append(answer.text()))
    roman.go()
    open_campaign(roman)
    roman.do("place-rest")
    roman.wait()
    calm(roman)
    frames = [json.loads(text) for text in heard if '"scene"' in text]
    cards = [card for frame in frames for card in frame["scene"]["cards"]]
    theirs = [card for card in cards if card["side"] == 1]
    assert theirs
    assert all(
        (card["id"], card["label"], card["text"], card["kind"]) == ("", "?", "", "back") for card in theirs
    )
    assert any(card["kind"] == "stratagem" for card in cards if card["side"] == 0)
    lines = [line for frame in frames for entry in frame["log"] for line in entry["lines"] if line["private"]]
    drawn = [line["text"].removeprefix("You have drawn: ").rstrip(".").split(", ") for line in lines]
    held = {card["label"] for card in cards if card["side"] == 0}
    assert drawn
    assert {
        name for names in drawn for name in names
    } <= held  # what is told in private is about the own hand
    expect(roman.page.get_by_role("img", name="The barbarian")).to_be_visible()
