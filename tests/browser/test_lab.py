"""The lab in the page: what is to be played, how far it is, the report."""

import re

from playwright.sync_api import expect


def test_a_balance(server, visit):
    anna = visit(server).go("/lab")
    anna.page.locator("form select").first.select_option("virtus")
    anna.page.locator('input[value="plain-small"]').check()
    anna.page.locator('input[value="gauls-150"]').check()
    anna.page.locator('input[value="parthians-150"]').check()
    anna.page.get_by_label(anna.say("lab.bot")).select_option("random")
    anna.page.get_by_label(anna.say("lab.games")).fill("2")
    expect(anna.page.get_by_text(anna.say("lab.count", n=8), exact=True)).to_be_visible()
    anna.button("lab.begin").click()
    expect(anna.page).to_have_url(re.compile(r"/lab/[\w-]+$"))

    report = anna.page.locator("article.balance")
    expect(report.get_by_role("heading", level=1)).to_have_text("Balance: Virtus", timeout=60_000)
    expect(report.locator("svg")).to_have_count(5)
    assert report.locator("svg").first.get_attribute("role") == "img"
    cell = report.locator("svg .cell").first
    assert cell.evaluate("one => getComputedStyle(one).fill") != "rgb(0, 0, 0)", "it has the report's looks"
    expect(report.get_by_role("cell", name=re.compile("Vercingetorix – ")).first).to_be_visible()

    anna.page.get_by_role("button", name=re.compile("Français")).click()
    expect(report.get_by_role("heading", level=1)).to_have_text("Équilibre : Virtus")


def test_a_balance_is_stopped_and_what_is_finished_is_told(server, visit):
    anna = visit(server).go("/lab")
    anna.page.locator("form select").first.select_option("virtus")
    anna.page.locator('input[value="plain-small"]').check()
    anna.page.locator('input[value="gauls-150"]').check()
    anna.page.get_by_label(anna.say("lab.games")).fill("200")
    anna.button("lab.begin").click()
    expect(anna.page.get_by_role("progressbar")).to_be_visible()
    anna.button("lab.stop").click()
    expect(anna.page.locator("article.balance")).to_contain_text("interrupted", timeout=60_000)


def test_too_many_games_are_refused_in_words(server, visit):
    anna = visit(server).go("/lab")
    anna.allow("400")
    anna.page.locator("form select").first.select_option("virtus")
    anna.page.get_by_label(anna.say("lab.games")).fill("200")
    anna.button("lab.begin").click()
    expect(anna.page.get_by_role("alert")).to_contain_text("400")
