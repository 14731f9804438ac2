"""Metaurus on its map: a whole game against the computer, and what a look at a unit shows."""

import subprocess
import sys
from random import Random

from playwright.sync_api import expect


def open_battle(visitor, scenario="vanguard"):
    visitor.link("shell.front.set_up").click()
    visitor.page.locator('input[name="game"][value="metaurus"]').check()
    visitor.page.locator(f'input[name="scenario"][value="{scenario}"]').check()
    visitor.button("shell.setup.begin").click()
    visitor.wait()


def calm(visitor):
    """Until the page has done with the last click."""
    visitor.wait()
    visitor.settle()
    return visitor.wait()


def test_a_whole_battle(server, visit, tmp_path):
    rome = visit(server).go()
    open_battle(rome)
    rng, clicks = Random(3), 0
    while not (seen := calm(rome))["ending"]:
        if seen["yours"]:  # else it has just gone on
            rome.choose(rng, *(("done",) if rng.random() < 0.2 else ()), seen=seen)
        clicks += 1
        assert clicks < 1500
    ending = rome.at("ending")
    assert ending.get_attribute("data-winner") in ("rome", "carthage")
    with rome.page.expect_download() as download:
        ending.get_by_role("button", name=rome.say("table.record")).click()
    record = tmp_path / download.value.suggested_filename
    download.value.save_as(record)
    command = [sys.executable, "-m", "legatus", "replay", str(record), "--verify"]
    verified = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_a_look_shows_arcs_and_prices(server, visit):
    """MH2.facing: front, flank and rear are told apart; under Move a hex in reach has its price."""
    rome = visit(server, "fr").go()
    open_battle(rome)
    wanted = ("go-first", "lay red move", "done", "activate red")
    for _ in range(20):
        seen = rome.wait()
        if "livius-2" in seen["things"] and not any(b["do"] in wanted for b in seen["buttons"]):
            break
        rome.choose(Random(1), *wanted, seen=seen)
        rome.settle()
    rome.thing("livius-2").hover()
    legend = rome.at("legend")
    for word in ("front", "flanc", "arrière"):
        expect(legend).to_contain_text(word, ignore_case=True)
