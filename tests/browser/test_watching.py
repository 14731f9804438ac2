"""Somebody watches two bots."""

import re

from playwright.sync_api import expect

MOMENT = 450  # milliseconds a move, unless he wants it otherwise (settings.svelte.ts)
WHILE = 3_000


def test_who_watches_bots_sees_every_move_at_its_pace_and_may_skip(server, visit):
    match = server.player().open("bot", "bot", game="julian", scenario="gaul")["id"]  # a long one
    guest = visit(server, reduced_motion="no-preference").sit(match)
    skip = guest.at("skip")
    expect(skip).to_have_text(re.compile(r"\(\d\d+\)"))  # the bots are far ahead by now ...
    before = guest.seen()["number"]
    guest.page.wait_for_timeout(WHILE)
    shown = guest.seen()["number"] - before
    assert 1 <= shown <= WHILE / MOMENT + 2, "... and nobody hurries after them"
    skip.click()
    assert guest.seen()["number"] > before + shown + 6


def test_the_log_has_the_room_of_actions_while_one_watches(server, visit):
    owner = server.player()
    match = owner.open("me", "bot", scenario="plain-small")["id"]
    heights = []
    for key in (owner.key, ""):
        sitter = visit(server, key=key).sit(match)
        box = sitter.page.locator("#panel").bounding_box()
        heights.append(box["height"])
    assert heights[1] > 1.4 * heights[0]
