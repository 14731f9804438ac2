"""The log beside a replay."""

from pathlib import Path
from secrets import token_hex

from playwright.sync_api import expect

RECORD = Path(__file__).parents[2] / "docs" / "examples" / "bridge.legatus.jsonl"


def test_the_log_follows_the_replay_to_entries_that_are_far_back_or_told_nothing(server, visit):
    carl = server.player()
    match = carl.post("/api/replays", {"request": token_hex(8), "text": RECORD.read_text()}, 201)["id"]
    guest = visit(server, key=carl.key)
    for moment in (300, 43, 42, 41, 40, 0, 200):
        guest.go(f"/m/{match}/{moment}")
        expect(guest.at("table")).to_have_attribute("data-entry", str(moment))
        log = guest.at("log")
        lines = log.locator("li")
        expect(lines.first).to_be_visible()
        entries = [int(line.get_attribute("data-entry") or 0) for line in lines.all()]
        told = [entry for entry in entries if entry <= moment]
        nearest = max(told) if told else min(entries)
        assert abs(moment - nearest) < 20
        expect(log.locator(f"li[data-entry='{nearest}']")).to_be_in_viewport()
        assert log.locator("li.later").count() == sum(entry > moment for entry in entries)
