"""Setting a battle up: armies that are built or brought, and what the rules say to them."""

import re

from playwright.sync_api import expect


def test_build_an_army(server, visit):
    host = visit(server).go("/new")
    host.page.locator('input[name="scenario"][value="plain-small"]').check()
    host.page.locator('input[name="army-0"][value="built"]').check()
    builder = host.page.locator(".builder")
    builder.locator("#army-0-name").fill("The army of the test")
    verdict = builder.locator(".verdict")
    expect(verdict).to_contain_text(host.say("shell.builder.cost", cost=0, budget=150))

    legions = builder.get_by_role("button", name=re.compile(r"^\+?\s*Add: Legionaries"))
    price = int(re.search(r"(\d+)\D*$", legions.inner_text())[1])
    n = 0
    for _ in range(3):
        n += 1
        legions.click()
        expect(verdict).to_contain_text(host.say("shell.builder.cost", cost=n * price, budget=150))

    # too much
    more = builder.get_by_role("button", name=host.say("shell.builder.more", label="Legionaries"))
    while n * price <= 150:
        n += 1
        more.click()
        expect(verdict).to_contain_text(host.say("shell.builder.cost", cost=n * price, budget=150))
    expect(verdict).to_contain_text(host.say("shell.builder.bad"))
    refusal = builder.locator("li.error", has_text="150")
    expect(refusal).to_be_visible()
    expect(refusal.get_by_role("link")).to_have_attribute("href", re.compile(r"/rules/virtus#V"))
    host.button("shell.setup.begin").click()
    expect(host.page.get_by_role("alert")).to_contain_text("Rome")
    assert host.page.url.endswith("/new")

    # as much as is allowed, and a general
    builder.get_by_role("button", name=re.compile(r"Add: General")).first.click()
    less = builder.get_by_role("button", name=host.say("shell.builder.less", label="Legionaries"))
    for _ in range(3):
        less.click()
    count = n - 3
    expect(verdict).to_contain_text(host.say("shell.builder.ok"))
    expect(builder.locator("li.error")).to_have_count(0)
    assert builder.locator("output").first.inner_text() == str(count)

    # it is kept for the next time, and takes the field
    host.button("shell.setup.begin").click()
    match = host.match
    owner = server.stranger()
    owner.key = host.key
    pieces = [p for p in owner.frame(match)["scene"]["pieces"] if p["side"] == 0]
    assert len([p for p in pieces if p["id"].startswith("legion-")]) == count
    host.go("/new")
    host.page.locator('input[name="army-0"][value="built"]').check()
    expect(host.page.locator("#army-0-name")).to_have_value("The army of the test")


def test_army_from_a_file(server, visit, tmp_path):
    host = visit(server).go("/new")
    host.page.locator('input[name="scenario"][value="plain-small"]').check()
    host.page.locator('input[name="army-0"][value="file"]').check()
    host.allow("400|422")  # of files that are none
    army = tmp_path / "army.toml"
    pick = host.page.locator('input[type="file"]')

    army.write_text('name = "Nobody"\nbudget = 150\n[[unit]]\ntype = "hoplites"\n')
    pick.set_input_files(army)
    alert = host.page.get_by_role("alert").or_(host.page.locator(".verdict li.error"))
    expect(alert.first).to_contain_text("hoplites")
    expect(alert.first.get_by_role("link").first).to_have_attribute("href", re.compile(r"/rules/virtus#V"))

    army.write_text('name = "Too many"\nbudget = 150\n[[unit]]\ntype = "legionaries"\ncount = 60\n')
    pick.set_input_files(army)  # the same file, changed
    verdict = host.page.locator(".verdict")
    expect(verdict).to_contain_text("Too many")
    expect(verdict).to_contain_text(host.say("shell.builder.bad"))
    expect(verdict.locator("li.error").first.get_by_role("link")).to_contain_text("V")

    army.write_text("this is no TOML")
    pick.set_input_files(army)
    expect(host.page.get_by_role("alert")).to_be_visible()
    host.button("shell.setup.begin").click()
    assert host.page.url.endswith("/new")
