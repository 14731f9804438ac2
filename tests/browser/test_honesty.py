"""What the computer considered, under the slider."""

from secrets import token_hex

import pytest
from playwright.sync_api import expect

from legatus.games import GAMES
from legatus.kernel.records import record_text
from tests.lab.test_audit import SEED, play


@pytest.fixture(scope="module")
def record() -> str:
    """The first moves of a battle of two bots."""
    match = play(GAMES["virtus"], ("random", "greedy"), 40)
    return record_text(match, seats={"rome": "random", "barbarians": "greedy"}, seed=SEED)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_the_computer_considered_is_told_at_its_moments(server, visit, record, lang):
    carl = server.player(lang)
    guest = visit(server, lang, key=carl.key)
    match = carl.post("/api/replays", {"request": token_hex(8), "text": record}, 201)["id"]
    log = carl.log(match)
    moments = {seat: [e["entry"] - 1 for e in log if e["seat"] == seat] for seat in ("rome", "barbarians")}
    considered = (carl.get(f"/api/matches/{match}/thoughts", entry=n) for n in moments["barbarians"])
    found = next(one for one in considered if one["considered"] > 8)
    guest.go(f"/m/{match}/{found['entry']}")
    box = guest.at("thoughts")
    box.get_by_text(guest.say("table.thoughts"), exact=True).focus()
    guest.page.keyboard.press("Enter")
    expect(box).to_have_attribute("data-entry", str(found["entry"]))
    rows = box.locator("tbody tr")
    expect(rows).to_have_count(8)
    for n, thought in enumerate(found["thoughts"]):
        expect(rows.nth(n)).to_contain_text(thought["label"])
    expect(rows.filter(has_text=guest.say("table.thoughts.done"))).to_have_count(1)
    expect(rows.nth(0)).to_contain_text(f"✓ {guest.say('table.thoughts.done')}")

    # who plays at random considers nothing; at the last moment there is nothing to decide
    guest.go(f"/m/{match}/{moments['rome'][0]}")
    box.locator("summary").click()
    expect(box).to_contain_text(guest.say("table.thoughts.random"))
    box.get_by_role("button", name=guest.say("table.thoughts.next")).click()
    expect(guest.at("table")).to_have_attribute("data-entry", str(moments["rome"][0] + 1))
    guest.at("replay").get_by_role("slider").press("End")
    expect(box).to_contain_text(guest.say("table.thoughts.none"))
