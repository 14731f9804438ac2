"""What the page explains: why not, the rulebook, the odds; in both languages."""

import re
from random import Random

from playwright.sync_api import expect

from .positions import asks, attacks, play_on


def test_why_not(server, visit):
    owner = server.player()
    match = owner.open("me", "bot", scenario="plain-small")["id"]
    rome = visit(server, key=owner.key).sit(match)
    rng = Random(2)
    while "deploy-rest" not in [button["do"] for button in rome.wait()["buttons"]]:
        rome.choose(rng)
    seen = rome.seen()
    assert "barb2" not in seen["things"]
    rome.pick("legion-1")
    rome.pick("barb2")
    why = rome.at("why")
    expect(why.locator("li").first).to_contain_text(re.compile(r"\w{3}"))
    clause = why.locator("button.clause").first
    ident = clause.inner_text().strip()
    assert re.fullmatch(r"V[\d.]+\w*", ident)
    clause.click()
    book = rome.at("rulebook")
    article = book.locator(f'[data-clause="{ident}"]')
    expect(article).to_be_focused()
    expect(article).to_be_in_viewport()
    expect(rome.page.locator("#tab-rules")).to_have_attribute("aria-selected", "true")

    # search
    search = rome.at("rules-search")
    everything = book.locator("article").count()
    search.fill("general")
    expect(book.locator(".hits")).to_contain_text(re.compile(r"\d"))
    assert 0 < book.locator("article").count() < everything
    for text in book.locator("article").all_inner_texts():
        assert "general" in text.lower()
    search.fill("")
    expect(book.locator("article")).to_have_count(everything)

    # another language
    before = rome.at("prompt").inner_text(), article.inner_text(), rome.tab("log").inner_text()
    rome.tab("rules")
    rome.page.get_by_role("button", name="Français").click()
    rome.lang = "fr"
    expect(rome.page.locator("html")).to_have_attribute("lang", "fr")
    expect(rome.at("prompt")).not_to_contain_text(before[0])
    expect(rome.at("prompt")).to_contain_text(rome.say("table.your_move"))
    expect(article).not_to_have_text(before[1])
    log = rome.tab("log")
    expect(log.locator("li").first).to_be_visible()
    assert log.inner_text() != before[2]
    expect(rome.button("table.undo").or_(rome.at("undo"))).to_contain_text(rome.say("table.undo"))
    rome.choose(rng, "deploy-rest")
    rome.choose(rng, "done")
    assert rome.wait()["yours"]


def test_rulebook_page(server, visit):
    reader = visit(server).go("/rules/virtus#V1.7c")
    article = reader.page.locator('[data-clause="V1.7c"]')
    expect(article).to_be_in_viewport()
    reader.at("rules-search").fill("V1.7")
    expect(reader.at("rulebook").locator(".hits")).to_contain_text(re.compile(r"\d"))
    reader.page.get_by_role("button", name="Français").click()
    reader.lang = "fr"
    expect(reader.page.locator("h1")).to_have_text(reader.say("table.rules"))


def test_odds(server, visit):
    owner = server.player()
    match = owner.open("me", "me", scenario="plain-small")["id"]
    frame = play_on(owner, match, Random(4), asks)
    action = attacks(frame)[0]
    told = owner.post(f"/api/matches/{match}/odds", {"do": action["do"]})
    player = visit(server, key=owner.key)
    player.keep("legatus.table", '{"curtain": "off"}')
    player.sit(match).wait()
    player.play(action)
    odds = player.at("confirm").get_by_test_id("odds")
    expect(player.at("confirm")).to_contain_text(told["label"])
    expect(odds.locator("figure").first).to_be_visible()
    column = next(c for c in told["columns"] if any(chance["value"] for chance in c["values"]))
    chances = odds.locator("figure").first.locator("li")
    expect(chances).to_have_count(len(column["values"]))
    for shown, chance in zip(chances.all(), column["values"], strict=True):
        title = shown.get_attribute("title") or ""
        assert title.startswith(f"{chance['value']} ")
        assert chance["odds"] in title
    total = sum(float(p.rstrip("%")) for p in odds.locator("figure").first.locator(".p").all_inner_texts())
    assert abs(total - 100) < 0.6 * len(column["values"])

    # not yet: take it back, then do it
    player.page.keyboard.press("Escape")
    expect(player.at("confirm")).to_have_count(0)
    assert player.seen()["number"] == frame["number"]
    player.play(action)
    player.at("confirm-yes").click()
    player.wait_number(frame["number"] + 1)
    expect(player.at("log").locator("li").last.get_by_role("img").first).to_be_attached()
