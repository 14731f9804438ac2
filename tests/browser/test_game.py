"""A whole game against the computer, and what can be done with it afterwards."""

import subprocess
import sys
from random import Random

import pytest
from playwright.sync_api import expect

ON = ("deploy-rest", "done", "end-segment", "end-turn")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_play_now(server, visit, lang):
    rome = visit(server, lang).go()
    rome.button("shell.front.play").click()
    rng = Random(1)
    for _ in range(4):
        rome.choose(rng, "deploy-rest", "done")
    assert rome.page.locator("html").get_attribute("lang") == lang
    rome.go()
    expect(rome.page.locator("#battles li")).to_have_count(1)
    rome.page.locator("#battles a").click()
    assert rome.wait()["number"] >= 4


def test_game(server, visit, tmp_path):
    rome = visit(server).go()
    rome.context.grant_permissions(["clipboard-read", "clipboard-write"])
    rome.link("shell.front.set_up").click()
    rome.page.locator('input[name="scenario"][value="plain-small"]').check()
    rome.button("shell.setup.begin").click()
    match = rome.match

    rng = Random(7)
    clicks = 0
    while not (seen := rome.wait())["ending"]:
        rome.choose(rng, *(ON if rng.random() < 0.85 else ()), seen=seen)
        clicks += 1
        assert clicks < 1000
    ending = rome.at("ending")
    assert ending.get_attribute("data-winner") in ("rome", "barbarians", "")
    expect(ending.locator("h2")).not_to_be_empty()
    last = rome.seen()["entry"]

    # the record, as a file
    with rome.page.expect_download() as download:
        ending.get_by_role("button", name=rome.say("table.record")).click()
    record = tmp_path / download.value.suggested_filename
    download.value.save_as(record)
    assert record.name.endswith(".legatus.jsonl")
    command = [sys.executable, "-m", "legatus", "replay", str(record), "--verify"]
    verified = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert verified.returncode == 0, verified.stdout + verified.stderr

    # back to a moment, with the slider
    ending.get_by_role("button", name=rome.say("table.close")).click()
    slider = rome.at("replay").get_by_role("slider")
    slider.focus()
    slider.press("Home")
    expect(rome.at("table")).to_have_attribute("data-entry", "0")
    slider.fill(str(last // 2))
    expect(rome.at("table")).to_have_attribute("data-entry", str(last // 2))
    slider.press("ArrowRight")
    moment = str(last // 2 + 1)
    expect(rome.at("table")).to_have_attribute("data-entry", moment)
    expect(rome.at("past")).to_be_visible()

    # the moment, shared with somebody who has no seat
    rome.button("table.share").click()
    expect(rome.at("replay").get_by_role("status")).to_have_text(rome.say("table.copied"))
    link = rome.page.evaluate("navigator.clipboard.readText()")
    assert link == f"{server.url}/m/{match}/{moment}"
    guest = visit(server, "fr").go(link)
    expect(guest.at("table")).to_have_attribute("data-entry", moment)
    expect(guest.at("past")).to_be_visible()
    expect(guest.tab("players")).to_contain_text(guest.say("table.spectator"))
    expect(guest.page.get_by_role("group", name=guest.say("hand.own"))).to_have_count(0)

    # and the whole of it, from the file
    guest.go()
    guest.page.locator('input[type="file"]').set_input_files(record)
    replay = guest.match
    assert replay != match
    expect(guest.at("table")).to_have_attribute("data-entry", "0")
    expect(guest.at("replay")).to_contain_text(f"0 / {last}")
    guest.button("table.replay.on").click()
    expect(guest.at("table")).to_have_attribute("data-entry", "1")
    guest.button("table.replay.last").click()
    expect(guest.at("table")).to_have_attribute("data-entry", str(last))
    expect(guest.at("ending")).to_be_visible()
