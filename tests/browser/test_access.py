"""axe-core finds nothing serious, by day and by night."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.server.client import play_out

from .positions import asks, attacks, play_on
from .visitor import ROOT

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"

# The colours of a theme are there a moment after it was asked for, of small things later than of the ground.
_SHOWN = """async (theme) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  if (document.getAnimations().some((one) => one.playState === 'running')) return false;
  const [red] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
  return (red > 127) === (theme === 'light');
}"""


@pytest.fixture
def examine():
    """``examine(visitor, name)``: by day everything, by night the colours; it tells all faults together."""
    if not AXE.exists():
        pytest.fail(f"{AXE} is missing: run npm ci in web/", pytrace=False)
    axe = AXE.read_text()
    bad = []

    def look(visitor, name, within=None):
        visitor.page.evaluate(axe)
        for theme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
            visitor.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            visitor.page.wait_for_function(_SHOWN, arg=theme)
            found = visitor.page.evaluate(
                "([where, how]) => axe.run(where ?? document, {resultTypes: ['violations'], ...how})",
                [within, rules],
            )
            for one in found["violations"]:
                if one["impact"] in ("serious", "critical"):
                    targets = ", ".join(str(node["target"]) for node in one["nodes"][:8])
                    why = one["nodes"][0]["failureSummary"].splitlines()[-1].strip()
                    bad.append(f"{name}, {theme}: {one['id']} at {len(one['nodes'])}: {targets}: {why}")
        visitor.page.emulate_media(color_scheme="light", reduced_motion="reduce")

    yield look
    assert not bad, "\n".join(bad)


def test_pages(server, visit, examine):
    owner = server.player()
    owner.open("me", "bot")
    player = visit(server, key=owner.key).go()
    expect(player.page.locator("#battles li").first).to_be_visible()
    examine(player, "front")
    player.go("/new")
    player.page.locator('input[name="army-0"][value="built"]').check()
    player.page.locator(".builder").get_by_role("button").first.click()
    expect(player.page.locator(".verdict")).to_be_visible()
    examine(player, "set-up")
    player.go("/fortress/onus")
    player.page.locator("#ready-design").select_option("gatehouse")
    player.at("pieces").locator("[data-item]").nth(2).click()
    player.page.keyboard.press("Delete")
    expect(player.at("estimate").locator("li.error").first).to_be_visible()
    player.page.locator('[data-part="wooden-tower"]').click()
    examine(player, "designer")
    player.go("/rules/virtus#V1.2a")
    expect(player.page.locator("article").first).to_be_visible()
    player.at("rules-search").fill("V1.")
    examine(player, "rulebook")


def test_table(server, visit, examine):
    owner = server.player()
    battle = owner.open("me", "me", scenario="plain-small", luck="dice")["id"]
    frame = play_on(owner, battle, Random(4), lambda frame: asks(frame) and frame["number"] > 30)
    player = visit(server, key=owner.key).sit(battle)
    player.wait()
    player.pick(next(piece for piece in player.seen()["pieces"] if piece not in player.seen()["things"]))
    expect(player.at("why")).to_be_visible()
    examine(player, "battle")
    for tab in ("moves", "rules", "players"):
        player.tab(tab)
        if tab == "rules":
            player.at("rules-search").fill("V1.")
        examine(player, tab, "#panel")
    player.tab("log")
    player.page.keyboard.press("Escape")
    player.play(attacks(frame)[0])
    expect(player.at("confirm").locator("figure").first).to_be_visible()
    examine(player, "odds", "[data-testid=actions]")
    player.at("confirm-yes").click()
    expect(player.at("luck")).to_be_visible()
    examine(player, "dice", "[data-testid=actions]")


def test_ending(server, visit, examine):
    owner = server.player()
    over = owner.open("me", "me", scenario="thick-forest")["id"]
    play_out(Random(2), over, {"rome": owner, "barbarians": owner})
    player = visit(server, key=owner.key).sit(over)
    expect(player.at("ending")).to_be_visible()
    examine(player, "victory")
