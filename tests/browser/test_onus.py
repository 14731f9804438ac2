"""Onus on its open table: a game is begun, units are dragged and nudged, refusals, the measuring tape."""

import json
import re

from playwright.sync_api import expect

from legatus.parts import plane

from .visitor import PHONE

UNIT = "a-hastati-2"  # it stands at 6, 9, faces north, moves 3 DU, and has clear ground before it
FREE = re.compile("order: activate (?!.*(mounted|missile|backwards))")  # foot may then move as it likes
NO_CURTAIN = json.dumps({"speed": "none", "confirm": True, "curtain": "off", "notify": False})

# From the table to the window.
_SCREEN = """([x, y]) => {
  const m = document.querySelector('svg g.world').getScreenCTM();
  return [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f];
}"""


def piece(frame, ident=UNIT):
    return next(one for one in frame["scene"]["pieces"] if one["id"] == ident)


def next_deed(frame):
    """What brings the game to where the unit moves: an order, its activation, its move."""
    lines = {action["do"]: action["verb"] for action in frame["actions"]}
    orders = [line for line, verb in lines.items() if verb == "give-order" and len(line.split()) == 2]
    texts = {card["id"]: card["text"].lower() for card in frame["scene"]["cards"]}
    calls = [line for line in orders if FREE.match(texts[line.split()[1]])]
    for wanted in (f"move {UNIT}", f"activate {UNIT}", *calls, "pass-orders", "done", "no-event"):
        if wanted in lines:
            return wanted
    return frame["actions"][0]["do"]


def at_move(server, visit, lang="en", **options):
    """Both sides are ours, and the second Hastati are about to move."""
    player = server.player(lang)
    match = player.open("me", "me", game="onus", scenario="skirmish")["id"]
    for _ in range(200):
        frame = player.frame(match, lang="en")
        if piece(frame)["acting"]:
            break
        player.act(match, frame["number"], next_deed(frame))
    assert piece(frame)["acting"], "it was never activated"
    visitor = visit(server, lang, key=player.key, **options)
    visitor.keep("legatus.table", NO_CURTAIN)
    visitor.sit(match)
    visitor.wait()
    return visitor, player, match


def spot(visitor, x, y):
    return visitor.page.evaluate(_SCREEN, [x, y])


def drag(visitor, start, end, drop=True):
    """From one point of the table to another; it waits until the server has said what becomes of it."""
    mouse = visitor.page.mouse
    mouse.move(*spot(visitor, *start))
    mouse.down()
    mouse.move(*spot(visitor, *end), steps=6)
    expect(visitor.at("ghost-card")).to_be_visible()
    if drop:
        mouse.up()


def test_a_game_is_begun(server, visit):
    attacker = visit(server).go()
    attacker.link("shell.front.set_up").click()
    attacker.page.locator('input[name="game"][value="onus"]').check()
    attacker.page.locator('input[name="scenario"][value="skirmish"]').check()
    attacker.button("shell.setup.begin").click()
    seen = attacker.wait()
    assert seen["yours"]
    assert len(seen["pieces"]) == 8
    expect(attacker.thing(UNIT)).to_have_attribute("aria-label", re.compile("at 6, 9, facing north"))
    expect(attacker.thing("wood")).to_have_attribute("aria-label", re.compile("Forest"))
    assert seen["cards"], "an order card can be played"


def test_a_unit_is_moved_by_dragging(server, visit):
    """OH.move.1: it goes where it is let go, and what it has left is told meanwhile."""
    attacker, player, match = at_move(server, visit)
    before = player.frame(match)
    drag(attacker, (600, 900), (600, 750), drop=False)
    expect(attacker.at("ghost-card")).to_contain_text("1.5 DU · 1.5 left")
    expect(attacker.at("ghost-card")).to_have_attribute("data-do", "advance 150")
    attacker.page.mouse.up()
    attacker.wait_number(before["number"] + 1)
    assert piece(player.frame(match))["pose"] == [600, 750, 0]
    expect(attacker.thing(UNIT)).to_have_attribute("aria-label", re.compile(r"at 6, 7\.5, facing north"))
    expect(attacker.at("ghost-card")).to_have_count(0)


def test_a_refusal_is_shown_with_its_clause(server, visit):
    """OH.value.6: it goes as far as it can, and the rule that stopped it can be read."""
    attacker, player, match = at_move(server, visit)
    number = player.frame(match)["number"]
    drag(attacker, (600, 900), (600, 450), drop=False)
    note = attacker.at("ghost")
    expect(note).to_contain_text("4.5 DU")
    expect(attacker.at("ghost-card")).to_have_attribute("data-do", "advance 300")
    attacker.page.mouse.up()
    attacker.wait_number(number + 1)
    attacker.settle()
    assert piece(player.frame(match))["pose"] == [600, 600, 0]
    note.get_by_role("button", name="OH.value.6").click()
    expect(attacker.page.locator('[data-clause="OH.value.6"]')).to_be_in_viewport()


def test_escape_and_the_start_put_it_back(server, visit):
    attacker, player, match = at_move(server, visit)
    number = player.frame(match)["number"]
    drag(attacker, (600, 900), (600, 700), drop=False)
    attacker.page.keyboard.press("Escape")
    expect(attacker.at("ghost-card")).to_have_count(0)
    attacker.page.mouse.up()
    drag(attacker, (600, 900), (600, 700), drop=False)
    attacker.page.mouse.move(*spot(attacker, 600, 900), steps=4)
    attacker.page.mouse.up()
    expect(attacker.at("ghost-card")).to_have_count(0)
    attacker.settle()
    assert player.frame(match)["number"] == number
    assert not attacker.at("why").count(), "a drag is no click"


def test_a_front_corner_wheels_it(server, visit):
    """OH.move.1: the corner that is not held stays where it is."""
    attacker, player, match = at_move(server, visit)
    number = player.frame(match)["number"]
    drag(attacker, (512, 856), (540, 760))
    attacker.wait_number(number + 1)
    pose = plane.Pose(*piece(player.frame(match))["pose"])
    assert 200 < pose.turn < 500, "it wheels to the right"
    x, y = plane.corners(pose, plane.Size(176, 88))[plane.FRONT_RIGHT]
    assert abs(x - 688) < 2
    assert abs(y - 856) < 2


def test_by_keyboard(server, visit):
    """Arrows nudge the card that acts by a quarter of a DU, Enter puts it down, and it is told aloud."""
    attacker, player, match = at_move(server, visit)
    number = player.frame(match)["number"]
    attacker.thing(UNIT).focus()
    for _ in range(4):
        attacker.page.keyboard.press("ArrowUp")
    said = attacker.page.locator("p[aria-live]").filter(has_text="would stand at 6, 8")
    expect(said).to_contain_text("1 DU, 2 left")
    attacker.page.keyboard.press("Escape")
    expect(attacker.at("ghost-card")).to_have_count(0)
    attacker.page.keyboard.press("ArrowUp")
    attacker.page.keyboard.press("ArrowUp")
    expect(attacker.at("ghost-card")).to_have_attribute("data-do", "advance 50")
    attacker.page.keyboard.press("Enter")
    attacker.wait_number(number + 1)
    assert piece(player.frame(match))["pose"] == [600, 850, 0]
    attacker.thing(UNIT).focus()
    attacker.page.keyboard.press("PageDown")
    expect(attacker.at("ghost-card")).to_have_attribute("data-do", "wheel front-right 150")


def test_the_measuring_tape(server, visit):
    """OH.measure.1: between points by dragging, between the nearest ends of cards by two clicks."""
    attacker, player, match = at_move(server, visit)
    number = player.frame(match)["number"]
    attacker.page.keyboard.press("m")
    expect(attacker.at("tape")).to_have_attribute("aria-pressed", "true")
    mouse = attacker.page.mouse
    mouse.move(*spot(attacker, 100, 300))
    mouse.down()
    mouse.move(*spot(attacker, 400, 700), steps=4)
    mouse.up()
    measured = attacker.at("measured").text_content()
    assert abs(float(measured.removesuffix(" DU")) - 5) < 0.05, measured
    mouse.click(*spot(attacker, 600, 900))
    mouse.click(*spot(attacker, 600, 100))
    expect(attacker.at("measured")).to_have_text("7.12 DU")
    attacker.page.keyboard.press("Escape")
    expect(attacker.at("measured")).to_have_count(0)
    assert player.frame(match)["number"] == number, "whoever measures does nothing"


def test_layers(server, visit):
    attacker, _, _ = at_move(server, visit, "fr")
    attacker.thing(UNIT).hover()
    board = attacker.page.locator("svg g.world")
    expect(board).to_contain_text("mouvement 3")
    attacker.button("board.open.move").click()
    expect(board).not_to_contain_text("mouvement 3")
    expect(board).to_contain_text("Forêt")
    attacker.button("board.open.names").click()
    expect(board).not_to_contain_text("Forêt")
    attacker.page.reload()
    attacker.wait()
    expect(attacker.button("board.open.names")).to_have_attribute("aria-pressed", "false")


def test_it_fits_a_phone(server, visit):
    attacker, _, _ = at_move(server, visit, **PHONE)
    width = attacker.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["viewport"]["width"]
    attacker.press(attacker.at("tape"))
    for x, y in ((100, 300), (400, 700)):
        attacker.page.touchscreen.tap(*spot(attacker, x, y))
    measured = attacker.at("measured").text_content()
    assert abs(float(measured.removesuffix(" DU")) - 5) < 0.1, measured
