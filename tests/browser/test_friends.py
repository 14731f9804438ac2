"""Two browsers against each other, and a third one that looks on."""

import re
from random import Random

from playwright.sync_api import expect


def secrets(server, visitor, side):
    """The counters of a side, as their own player knows them."""
    player = server.stranger()
    player.key = visitor.key
    return {piece["id"] for piece in player.frame(visitor.match)["scene"]["pieces"] if piece["side"] == side}


def shown(visitor):
    """Every id and word that the document has."""
    return visitor.page.content()


def test_by_invitation(server, visit):
    a = visit(server).go("/new")
    a.page.locator('input[name="preset"][value="friend"]').check()
    a.page.locator('input[name="scenario"][value="bridge"]').check()  # its ground is known: no thick forest
    a.page.locator("#seat-0-name").fill("Agricola")
    a.button("shell.setup.begin").click()
    match = a.match
    invitation = a.tab("players").locator('[data-seat="barbarians"] input').input_value()
    assert f"/join/{match}#" in invitation

    b = visit(server, "fr").go(invitation)
    expect(b.page.locator("main")).to_contain_text("Agricola")
    b.page.locator("#name").fill("Vercingétorix")
    b.button("shell.join.take").click()
    assert b.match == match
    seat = a.page.locator('[data-seat="barbarians"]')
    expect(seat).to_contain_text("Vercingétorix")
    expect(seat).to_contain_text(a.say("table.seat.online"))
    expect(seat.locator("input")).to_have_count(0)
    looker = visit(server).sit(match)
    expect(looker.tab("players")).to_contain_text(looker.say("table.spectator"))

    # both deploy, unseen
    players = {"rome": a, "barbarians": b}
    for player in players.values():
        player.at("table").locator("svg [data-id]").first.wait_for()
    own = {name: secrets(server, player, side) for side, (name, player) in enumerate(players.items())}
    assert all(own.values())
    rng = Random(3)
    for _ in range(40):
        mover = next((p for p in players.values() if p.seen()["yours"]), None)
        if mover is None:
            a.page.wait_for_timeout(20)
            continue
        if mover.page.get_by_role("group", name=mover.say("hand.own")).get_by_role("button").count():
            break  # cards are dealt: the screen has been taken away
        for name, player in players.items():
            other = "rome" if name == "barbarians" else "barbarians"
            seen = set(player.seen()["pieces"])
            assert seen <= own[name], f"{name} sees {seen - own[name]}"
            text = shown(player)
            assert not [ident for ident in own[other] if re.search(rf"(?<![\w-]){ident}(?![\w-])", text)]
        assert not looker.seen()["pieces"]
        for player in players.values():
            yours = player.say("table.title.yours", game="Virtus")
            if player is mover:
                expect(player.page).to_have_title(yours)
            else:
                expect(player.page).not_to_have_title(yours)
        before = mover.seen()["number"]
        mover.choose(rng, "deploy-rest", "done")
        if mover.seen()["yours"]:
            mover.choose(rng)
        mover.wait_number(before + 1)
        for player in (*players.values(), looker):
            player.wait_told(server)
    everybody = own["rome"] | own["barbarians"]
    for player in (*players.values(), looker):
        expect(player.thing(sorted(own["rome"])[0])).to_be_visible()
        assert set(player.seen()["pieces"]) == everybody

    # some moves live; hands stay secret
    moved = set()
    for _ in range(60):
        mover = next((p for p in players.values() if p.seen()["yours"]), None)
        if mover is None:
            a.page.wait_for_timeout(20)
            continue
        moved.add(mover.lang)
        mover.choose(rng, "done", "end-segment", "end-turn")
        number = mover.wait_number(0)["number"]
        for player in (*players.values(), looker):
            player.wait_told(server)
        hand = looker.page.get_by_role("button", name=re.compile("^" + looker.say("board.card", card="")))
        assert hand.count() == 0
        if len(moved) == 2 and number > 20:
            break
    assert moved == {"en", "fr"}
    for name, player in players.items():
        opponent = server.stranger()
        opponent.key = next(p.key for n, p in players.items() if n != name)
        held = [c for c in opponent.frame(match)["scene"]["cards"] if c["place"] == "hand" and c["id"]]
        backs = player.page.get_by_role("img", name=re.compile(r"cards? in hand|cartes? en main", re.I))
        expect(backs).to_have_count(1)
        label = backs.get_attribute("aria-label") or ""
        assert str(len(held)) in label
        assert "," not in label, label  # no card is named


def test_notification(server, visit):
    owner = server.player()
    match = owner.open("me", "friend", scenario="plain-small")
    friend = server.player()
    friend.join(match)
    ident = match["id"]
    a = visit(server, key=owner.key)
    a.context.grant_permissions(["notifications"])
    a.context.add_init_script("""
      window.notes = [];
      const Real = window.Notification;
      window.Notification = class extends Real {
        constructor(title, options) { super(title, options); window.notes.push([title, options.body]); }
      };
      let hidden = false;
      Object.defineProperty(document, 'hidden', {get: () => hidden});
      window.look = (away) => { hidden = away; document.dispatchEvent(new Event('visibilitychange')); };
    """)
    a.sit(ident)
    a.tab("players").get_by_label(a.say("table.settings.notify")).check()
    rng = Random(5)
    while (seen := a.seen())["yours"]:  # until it is the friend's turn
        a.choose(rng, "deploy-rest", "done")
        a.wait_number(seen["number"] + 1)
    a.page.evaluate("look(true)")
    assert a.page.evaluate("notes") == []
    while (frame := friend.frame(ident))["yours"]:
        wanted = [
            x for name in ("deploy-rest", "done", "end-turn") for x in frame["actions"] if x["do"] == name
        ]
        friend.act(ident, frame["number"], (wanted or frame["actions"])[0]["do"])
    a.page.wait_for_function("() => notes.length > 0")
    [[title, body]] = a.page.evaluate("notes")
    assert title == a.say("table.title.yours", game="Virtus")
    assert body
    a.page.evaluate("look(false)")
    assert a.wait()["yours"]
