"""The chart under the slider, and what if."""

from secrets import token_hex

import pytest
from playwright.sync_api import expect

from tests.server.client import until
from tests.server.test_whatif import short_battle


@pytest.fixture(scope="module")
def record() -> str:
    return short_battle()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_turning_points_of_a_battle_are_one_click_from_the_board(server, visit, record, lang):
    carl = server.player(lang)
    guest = visit(server, lang, key=carl.key)
    match = carl.post("/api/replays", {"request": token_hex(8), "text": record}, 201)["id"]
    guest.go(f"/m/{match}")
    box = guest.at("analysis")
    box.get_by_role("button", name=guest.say("table.analysis.begin")).click()
    until(lambda: carl.get(f"/api/matches/{match}/analysis")["state"] == "done", 240)
    expect(box).to_have_attribute("data-state", "done")
    points = box.locator("svg g[role=button]")
    number = points.count()
    assert 1 <= number <= 5

    # by the pointer and by the keyboard
    entry = points.nth(0).get_attribute("data-entry")
    points.nth(0).click()
    expect(guest.at("table")).to_have_attribute("data-entry", entry)
    guest.at("replay").get_by_role("slider").press("Home")
    expect(guest.at("table")).to_have_attribute("data-entry", "0")
    points.nth(number - 1).focus()
    guest.page.keyboard.press("Enter")
    expect(guest.at("table")).to_have_attribute(
        "data-entry", points.nth(number - 1).get_attribute("data-entry")
    )

    # as a table, told as the log tells it
    box.get_by_text(guest.say("table.analysis.turning")).click()
    rows = box.get_by_test_id("turning")
    expect(rows).to_have_count(number)
    told = carl.get(f"/api/matches/{match}/analysis", lang=lang)["turning"]
    for n, point in enumerate(told):
        for line in point["lines"]:
            expect(rows.nth(n)).to_contain_text(line["text"])
    rows.nth(0).get_by_role("button").first.click()
    expect(guest.at("table")).to_have_attribute("data-entry", entry)


def test_what_if(server, visit, record):
    carl = server.player()
    guest = visit(server, key=carl.key)
    match = carl.post("/api/replays", {"request": token_hex(8), "text": record}, 201)["id"]
    guest.go(f"/m/{match}/3")
    expect(guest.at("table")).to_have_attribute("data-entry", "3")
    guest.at("what-if").click()
    dialog = guest.page.get_by_role("dialog")
    dialog.get_by_role("combobox").select_option("barbarians")
    guest.at("what-if-go").click()
    guest.page.wait_for_url(lambda url: "/m/" in url and match not in url)
    made = carl.match(guest.match)
    assert made["branch"] == {"match": match, "entry": 3, "seat": "barbarians", "dealt": False}
    expect(guest.tab("players")).to_contain_text(guest.say("table.branch", n=3))
    assert made["seats"][1]["yours"]
