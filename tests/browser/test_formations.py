"""Formations on its map: a whole game against the computer, greyed menus, odds with modifiers."""

import re
import subprocess
import sys
from random import Random

from playwright.sync_api import expect

from .test_hexes import calm
from .visitor import PHONE

SHORT = ("done", "halt", "end-wing")  # what brings a battle on


def open_battle(visitor, preset="bot"):
    visitor.link("shell.front.set_up").click()
    visitor.page.locator('input[name="game"][value="formations"]').check()
    visitor.page.locator(f'input[name="preset"][value="{preset}"]').check()
    visitor.page.locator('input[name="scenario"][value="drought"]').check()
    visitor.button("shell.setup.begin").click()
    return visitor.wait()


def at_wing(server, visit, wing="hedge", lang="en", **options):
    """Both sides are ours, the League activates first, and one of its wings acts."""
    player = server.player(lang)
    match = player.open("me", "me", game="formations", scenario="drought")["id"]
    for wanted in ("begin league", "order constable pikes-1", "done", "done", f"activate-wing {wing}"):
        frame = player.frame(match)
        assert wanted in [action["do"] for action in frame["actions"]]
        player.act(match, frame["number"], wanted)
    league = visit(server, lang, key=player.key, **options).sit(match)
    league.wait()
    return league


def test_a_whole_battle(server, visit, tmp_path):
    league = visit(server).go()
    open_battle(league)
    rng, clicks = Random(5), 0
    while not (seen := calm(league))["ending"]:
        if seen["yours"]:  # else it has just gone on
            league.choose(rng, *(SHORT if rng.random() < 0.4 else ()), seen=seen)
        clicks += 1
        assert clicks < 2000
    ending = league.at("ending")
    assert ending.get_attribute("data-winner") in ("league", "horde", "")
    assert not ending.get_by_role("button", name=league.say("table.open_view")).count()  # nothing was hidden
    with league.page.expect_download() as download:
        ending.get_by_role("button", name=league.say("table.record")).click()
    record = tmp_path / download.value.suggested_filename
    download.value.save_as(record)
    command = [sys.executable, "-m", "legatus", "replay", str(record), "--verify"]
    verified = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_what_a_unit_cannot_do_is_grey_and_says_every_reason(server, visit):
    """A.leave.c1 and its like: all conditions that fail, each with its clause."""
    league = at_wing(server, visit)
    league.pick("pikes-2")
    barred = league.at("barred")
    for verb in ("Rest", "Reorganise", "Rally", "Shoot at", "Constitute a formation", "Work the device"):
        button = barred.get_by_role("button", name=verb)
        expect(button).to_have_attribute("aria-disabled", "true")
    league.press(barred.get_by_role("button", name="Reorganise"))
    why = league.at("barred-why")
    for said in ("A.reorganise.c1", "A.reorganise.c4", "only a Shaken unit can reorganise"):
        expect(why).to_contain_text(said)
    assert why.get_by_role("listitem").count() == 2
    why.get_by_role("button", name="A.reorganise.c4").click()
    expect(league.page.locator('[data-clause="A.reorganise.c4"]')).to_be_in_viewport()


def test_a_formation_covers_two_hexes_and_changes_its_mode(server, visit):
    league = at_wing(server, visit)
    formation = league.thing("pikes-1")
    one, two = (league.thing(hex).bounding_box() for hex in ("0907", "1007"))
    assert formation.bounding_box()["width"] > 1.4 * (two["x"] - one["x"])
    label = formation.get_attribute("aria-label")
    assert all(word in label for word in ("hex 0707", "hex 0807", "March"))
    league.play({"do": "change-mode pikes-1 hedgehog", "clicks": ["pikes-1", "hedgehog"]})
    league.press(league.at("confirm-yes"))
    expect(formation).to_have_attribute("aria-label", re.compile("Hedgehog"))


def test_odds_come_with_their_modifiers(server, visit):
    league = at_wing(server, visit, lang="fr")
    league.pick("sappers")
    league.do("plant-stakes sappers")
    odds = league.at("confirm").get_by_test_id("odds")
    for said in ("A.plant_stakes.p2", "A.manipulate.m5", "Petite unité", "+4"):
        expect(odds).to_contain_text(said, ignore_case=True)
    expect(odds.locator("figure").first).to_contain_text("42")
    expect(league.at("confirm-yes")).to_be_in_viewport()
    league.press(league.at("confirm-yes"))
    calm(league)
    expect(league.at("confirm")).to_have_count(0)


def test_a_character_chooses_where_stakes_point_and_the_phone_shows_it(server, visit):
    """AH28.characters: six buttons under one heading, and arrows around him."""
    league = at_wing(server, visit, **PHONE)
    league.pick("hedda")
    offered = league.at("offered")
    expect(offered).to_contain_text("Plant stakes facing")
    assert [offered.locator(f'[data-id="{corner}"]').inner_text() for corner in ("n", "sw")] == [
        "North",
        "South-west",
    ]
    expect(league.thing("ne")).to_be_visible()


def test_there_is_no_curtain_where_nothing_is_hidden(server, visit):
    screen = visit(server).go()
    open_battle(screen, "screen")
    rng = Random(1)
    seats = set()
    for _ in range(40):
        seen = calm(screen)
        assert not seen["curtain"]
        seats.add(screen.at("prompt").inner_text().count("Horde"))
        screen.choose(rng, "done", "end-wing", seen=seen)
        if len(seats) > 1:
            break
    assert len(seats) > 1
