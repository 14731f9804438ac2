"""Two at one screen: the curtain, their own dice, and taking moves back."""

import re
from random import Random

from playwright.sync_api import expect

from .positions import attacks, play_on


def own_cards(visitor):
    hand = visitor.page.get_by_role("group", name=visitor.say("hand.own"))
    return [
        re.sub(rf", {visitor.say('board.lit')}$", "", card.get_attribute("aria-label") or "")
        for card in hand.get_by_role("button").all()
    ]


def test_curtain(server, visit):
    owner = server.player()
    match = owner.open("me", "me", scenario="plain-small")["id"]
    both = {
        seat: {p["id"] for p in owner.frame(match, seen_as=seat)["scene"]["pieces"]}
        for seat in ("rome", "barbarians")
    }
    screen = visit(server, key=owner.key).sit(match)
    rng = Random(6)
    sat, deployed = [], set()
    for _ in range(60):
        seen = screen.wait()
        if seen["curtain"]:
            # Nothing of either side is in the document.
            assert screen.page.locator("[data-id]").count() == 0
            assert not own_cards(screen)
            text = screen.page.content()
            assert not [
                i for i in both["rome"] | both["barbarians"] if re.search(rf"(?<![\w-]){i}(?![\w-])", text)
            ]
            screen.button("table.curtain.here").click()
            screen.page.wait_for_function(
                "() => document.querySelector('[data-testid=prompt][data-yours=true]')"
            )
            turn = owner.match(match)["turn"]
            sat.append(turn)
            seen = screen.seen()
        if cards := own_cards(screen):
            frame = owner.frame(match, seen_as=sat[-1])
            side = ["rome", "barbarians"].index(sat[-1])
            held = [c for c in frame["scene"]["cards"] if c["place"] == "hand" and c["side"] == side]
            assert len(cards) == len(held)
            if len(sat) >= 4:
                break
        else:
            frame = owner.frame(match, seen_as=sat[-1])
            assert set(seen["pieces"]) <= {piece["id"] for piece in frame["scene"]["pieces"]}
            deployed.add(sat[-1])
        screen.choose(rng, "deploy-rest", "done", "end-segment", "end-turn")
        screen.settle()
    assert deployed == {"rome", "barbarians"}
    assert len(set(sat)) == 2

    # A reload does not show what the curtain hides, and the one who sits there need not lift it again.
    screen.page.reload()
    assert not screen.wait()["curtain"]
    other = visit(server, key=owner.key).sit(match)
    assert other.wait()["curtain"]
    assert other.page.locator("[data-id]").count() == 0


# Another throw is asked for, or the action is done.
_ASKED = """([number, asked]) => {
  const luck = document.querySelector('[data-testid=luck]');
  if (luck && !document.querySelector('[aria-busy=true]')) return luck.innerText !== asked;
  return Number(document.querySelector('[data-testid=table]').dataset.number) > number;
}"""


def test_own_dice(server, visit):
    owner = server.player()
    match = owner.open("me", "me", scenario="plain-small", luck="dice")["id"]
    frame = play_on(owner, match, Random(8), attacks)
    referee = visit(server, key=owner.key).sit(match)
    referee.wait()
    referee.play(attacks(frame)[0])
    confirm = referee.at("confirm-yes")
    confirm.or_(referee.at("luck")).wait_for()
    if confirm.count():
        confirm.click()
    rng = Random(9)
    fell: list[int] = []
    asked = ""
    while True:
        referee.page.wait_for_function(_ASKED, arg=[frame["number"], asked])
        luck = referee.at("luck")
        if not luck.count():
            break
        assert owner.match(match)["number"] == frame["number"]  # nothing is done yet
        asked = luck.inner_text()
        faces = luck.locator(".faces button")
        throw = [rng.randint(1, faces.count()) for _ in luck.locator(".slots li").all()]
        if fell:
            referee.page.keyboard.type("".join(str(face % 10) for face in throw))
            referee.page.keyboard.press("Enter")
        else:
            faces.first.click()  # by mistake: taken back
            luck.get_by_role("button", name=referee.say("dice.back")).click()
            for face in throw:
                faces.nth(face - 1).click()
            luck.get_by_role("button", name=referee.say("dice.confirm")).click()
        fell += throw
    assert fell
    log = referee.at("log").locator(f'li[data-entry="{owner.frame(match)["entry"]}"]')
    expect(log).to_be_visible()
    shown = [label.get_attribute("aria-label") for label in log.get_by_role("img").all()]
    assert shown == [referee.say("dice.face", face=face) for face in fell]


def test_undo(server, visit):
    owner = server.player()
    match = owner.open("me", "bot", scenario="bridge")["id"]  # where these sectors are always clear
    rome = visit(server, key=owner.key).sit(match)
    rng = Random(3)
    while "deploy-rest" not in [button["do"] for button in rome.wait()["buttons"]]:
        seen = rome.seen()
        rome.choose(rng)
        rome.wait_number(seen["number"] + 1)
    before = owner.frame(match)
    rome.pick("legion-1")
    rome.pick("rome2")
    rome.wait_number(before["number"] + 1)
    where = rome.thing("legion-1")
    assert "Rome 2" in (where.get_attribute("aria-label") or "")
    undo = rome.at("undo")
    expect(undo).to_be_enabled()
    undo.click()
    rome.wait_number(before["number"] + 2)
    expect(where).not_to_have_attribute("aria-label", re.compile("Rome 2"))
    place = {piece["id"]: piece["place"] for piece in owner.frame(match)["scene"]["pieces"]}
    assert place == {piece["id"]: piece["place"] for piece in before["scene"]["pieces"]}
    # once more, with the key
    rome.wait()
    rome.pick("legion-1")
    rome.pick("rome1")
    rome.wait_number(before["number"] + 3)
    rome.page.keyboard.press("u")
    rome.wait_number(before["number"] + 4)
    expect(where).not_to_have_attribute("aria-label", re.compile("Rome 1"))


def test_no_undo_after_dice(server, visit):
    owner = server.player()
    match = owner.open("me", "me", scenario="plain-small")["id"]
    frame = play_on(owner, match, Random(1), attacks)
    player = visit(server, key=owner.key).sit(match)
    player.button("table.curtain.here").click()
    player.wait()
    player.play(attacks(frame)[0])
    if player.at("confirm-yes").count():
        player.at("confirm-yes").click()
    player.wait_number(frame["number"] + 1)
    player.settle()
    if player.seen()["curtain"]:
        player.button("table.curtain.here").click()
        player.wait()
    expect(player.at("undo")).to_be_disabled()
    player.page.keyboard.press("u")
    player.page.wait_for_timeout(200)
    assert owner.match(match)["number"] == frame["number"] + 1
