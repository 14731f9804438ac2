"""The fortress designer: laid piece by piece, broken and mended, saved, opened, kept, built in a match."""

import re
import subprocess
import sys

from playwright.sync_api import expect

from .visitor import PHONE

# The front of O7.design.example-1 from left to right, its right side, its rear and its left side.
FEW_TOWERS = "tower wall gate wall tower turn wall corner wall wall wall corner wall"


def enter(visitor):
    visitor.go("/fortress/onus")
    expect(visitor.at("palette")).to_be_visible()
    return visitor


def estimate(visitor):
    return visitor.at("estimate")


def says(visitor, cost, key="shell.designer.ok"):
    """The price, and the verdict."""
    expect(estimate(visitor)).to_contain_text(visitor.say("shell.designer.cost", cost=cost))
    expect(estimate(visitor).locator(".signs")).to_contain_text(visitor.say(key))
    expect(estimate(visitor)).to_have_attribute("aria-busy", "false")


def press(visitor, key):
    visitor.page.get_by_role("group", name=visitor.say("shell.designer.tools")).get_by_role(
        "button", name=visitor.say(key)
    ).first.click()


def build(visitor, words=FEW_TOWERS, material="wooden"):
    """By the buttons that lay a piece at the free end."""
    for word in words.split():
        if word == "turn":
            press(visitor, "shell.designer.turn")
        else:
            visitor.page.locator(f'[data-add="{material}-{word}"]').click()


def begin_with(visitor, design):
    visitor.page.locator("#ready-design").select_option(design)


def item(visitor, n):
    return visitor.at("pieces").locator("[data-item]").nth(n)


def check(file):
    """What the command line says to a file."""
    command = [sys.executable, "-m", "legatus", "fortress", "check", str(file), "--lang", "en"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def save(visitor, file):
    with visitor.page.expect_download() as download:
        visitor.button("shell.designer.save").click()
    download.value.save_as(file)
    return check(file)


def test_from_nothing_to_510_points_and_back(server, visit, tmp_path):
    """O7.design.example-1: it costs 510 points; without its gate it is none, and the clause says why."""
    mason = enter(visit(server))
    expect(estimate(mason)).to_contain_text(mason.say("shell.designer.cost", cost=0))
    build(mason)
    says(mason, 510)
    expect(estimate(mason).locator(".signs")).to_contain_text(mason.say("shell.designer.closed"))
    said = save(mason, tmp_path / "mine.toml")
    assert said.returncode == 0, said.stdout + said.stderr
    assert "510" in said.stdout

    item(mason, 2).click()  # the gate
    press(mason, "shell.designer.remove")
    says(mason, 480, "shell.designer.bad")
    for clause in ("O7.design.gate", "O7.design.continuity"):
        expect(estimate(mason).get_by_role("link", name=clause)).to_be_visible()
    assert save(mason, tmp_path / "broken.toml").returncode == 1
    with mason.context.expect_page() as opened:
        estimate(mason).get_by_role("link", name="O7.design.gate").click()
    expect(opened.value.locator("article").first).to_be_visible()
    assert opened.value.url.endswith("/rules/onus#O7.design.gate")
    opened.value.close()
    press(mason, "shell.designer.undo")
    says(mason, 510)


# From the table to the window.
_SCREEN = """([x, y]) => {
  const m = document.querySelector('svg g.world').getScreenCTM();
  return [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f];
}"""


def test_by_hand(server, visit):
    """A piece is dragged from the list, the next snap to its ends, and a wall is dragged away and back."""
    mason = enter(visit(server))
    mouse = mason.page.mouse

    def spot(x, y):
        return mason.page.evaluate(_SCREEN, [x, y])

    tower = mason.page.locator('[data-part="wooden-tower"]').bounding_box()
    mouse.move(tower["x"] + 20, tower["y"] + 10)
    mouse.down()
    mouse.move(*spot(-100, -60), steps=4)
    mouse.move(*spot(5, -3), steps=2)
    mouse.up()
    says(mason, 80, "shell.designer.bad")

    mason.page.locator('[data-part="wooden-wall"]').click()
    expect(mason.at("slot")).to_have_count(4)
    mouse.click(*spot(150, 10))  # not quite to the right of it
    says(mason, 120, "shell.designer.bad")
    mason.at("slot").last.focus()
    mason.page.keyboard.press("Enter")
    expect(mason.at("pieces").locator("[data-item]")).to_have_count(3)
    says(mason, 160, "shell.designer.bad")
    mason.page.keyboard.press("Escape")
    expect(mason.at("slot")).to_have_count(0)

    begin_with(mason, "small")
    says(mason, 290)
    wall = mason.page.locator("[data-piece]").last
    box = wall.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 160, y + 120, steps=5)
    mouse.up()
    says(mason, 290, "shell.designer.bad")
    box = wall.bounding_box()
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(x + 12, y - 9, steps=5)  # near enough: it snaps
    mouse.up()
    says(mason, 290)


def test_by_the_keyboard(server, visit):
    mason = enter(visit(server, "fr"))
    begin_with(mason, "standard")
    says(mason, 630)
    item(mason, 1).click()
    keys = mason.page.keyboard
    keys.press("Shift+ArrowUp")
    says(mason, 630, "shell.designer.bad")
    keys.press("Shift+ArrowDown")
    says(mason, 630)
    keys.press("ArrowUp")
    expect(item(mason, 0)).to_be_focused()
    keys.press("m")  # a tower of stone
    says(mason, 710, "shell.designer.bad")
    expect(estimate(mason).get_by_role("link", name="O7.design.material")).to_be_visible()
    mason.page.get_by_label(mason.say("shell.designer.agreed.stone-towers")).check()
    says(mason, 710)
    keys.press("Tab")
    item(mason, 0).focus()
    keys.press("r")
    says(mason, 710, "shell.designer.bad")
    keys.press("Delete")
    says(mason, 550, "shell.designer.bad")
    expect(mason.at("pieces").locator("[data-item]:focus")).to_have_count(1)
    keys.press("Control+z")
    keys.press("Control+z")
    says(mason, 710)


def test_a_draft_is_kept_and_a_file_is_opened(server, visit, tmp_path):
    mason = enter(visit(server, **PHONE))
    begin_with(mason, "gatehouse")
    says(mason, 430)
    mason.page.locator('input[value="stone"]').check()
    says(mason, 860)
    mason.page.locator("#design-name").fill("Mine")
    mason.page.reload()
    says(mason, 860)
    expect(mason.page.locator("#design-name")).to_have_value("Mine")
    assert mason.page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    file = tmp_path / "edge.toml"
    file.write_text(
        'name = "Back to the edge"\nmaterial = "stone"\nedge = true\n'
        'walk = ["wall corner tower gate tower corner wall"]\n'
    )
    pick = mason.page.locator('input[type="file"]')
    pick.set_input_files(file)
    says(mason, 620)
    expect(mason.page.locator("#design-name")).to_have_value("Back to the edge")
    expect(mason.page.get_by_label(mason.say("shell.designer.edge"))).to_be_checked()
    mason.allow("400")
    file.write_text("this is no TOML")
    pick.set_input_files(file)
    expect(mason.page.get_by_role("alert")).to_be_visible()
    says(mason, 620)


def test_it_is_built_in_a_match(server, visit, tmp_path):
    """The defender of the free siege is asked for a fortress: one is too deep, the next stands."""
    owner = server.player()
    match = owner.open("friend", "me", game="onus", scenario="free-siege")["id"]
    mason = visit(server, key=owner.key).go(f"/m/{match}")
    mason.at("designer").click()
    expect(mason.at("palette")).to_be_visible()
    send = mason.button("shell.designer.send")
    expect(send).to_be_disabled()

    deep = tmp_path / "deep.toml"
    walk = "tower-right wall gate wall" + 3 * " tower-right wall wall wall"
    deep.write_text(f'name = "Too deep"\nmaterial = "wood"\nwalk = ["{walk}"]\n')
    mason.page.locator('input[type="file"]').set_input_files(deep)
    says(mason, 790)
    mason.allow("409")  # there is no room for it
    send.click()
    expect(mason.page.get_by_role("alert").get_by_role("link", name="O7.deploy.fortress")).to_be_visible()

    begin_with(mason, "empty")
    build(mason)
    says(mason, 510)
    send.click()
    mason.page.wait_for_url(re.compile(rf"/m/{match}$"))
    mason.wait_number(2)
    frame = owner.frame(match)
    kinds = [area["ground"].rpartition("-")[2] for area in frame["scene"]["areas"]]
    assert {kind: kinds.count(kind) for kind in ("wall", "gate", "corner", "tower")} == {
        "wall": 7,
        "gate": 1,
        "corner": 2,
        "tower": 2,
    }


def test_the_set_up_leads_to_it_where_there_are_fortresses(server, visit):
    mason = visit(server).go("/new")
    link = mason.page.locator('a[href="/fortress/onus"]')
    expect(mason.page.locator('input[name="game"][value="onus"]')).to_be_visible()
    expect(link).to_have_count(0)
    mason.page.locator('input[name="game"][value="onus"]').check()
    expect(link).to_be_visible()
