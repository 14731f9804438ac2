"""Makes the pictures of docs/screenshots: ``python -m tests.browser.screenshots``."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright

from tests.server.client import NO_LIMITS, Player, Server, serving

from .positions import asks, attacks
from .visitor import ARGUMENTS, PHONE, ROOT, Visitor, find_chromium

FOLDER = ROOT / "docs" / "screenshots"
LARGEST = 250_000  # bytes
# What is done first, if it can be done; the rest is left out unless there is nothing else.
WISHES = (
    "deploy-rest",
    "lay",
    "take",
    "save",
    "declare-charge",
    "activate",
    "fight",
    "charge",
    "shoot",
    "end-segment",
)
# The same for who storms a fortress of Onus; fire comes first for who burns it.
STORM = (
    "climb",
    "step-in",
    "charge",
    "engage",
    "shoot",
    "activate",
    "give-order",
    "move",
    "advance",
    "halt",
    "done",
    "no-event",
)
BURN = ("ignite", *STORM[1:])
MIDDLE = 700  # of the first siege, from west to east
WIDE = {"viewport": {"width": 1400, "height": 880}, "color_scheme": "light"}
ODD = ("form", "ride", "discard", "outflank", "undo")


def choose(rng: Random, frame: Any) -> Any:
    by_verb: dict[str, list[Any]] = {}
    for action in frame["actions"]:
        by_verb.setdefault(action["verb"], []).append(action)
    for verb in ("move", *WISHES) if rng.random() < 0.1 else WISHES:
        if verb in by_verb:
            return rng.choice(by_verb[verb])
    plain = [action for action in frame["actions"] if action["verb"] not in ODD]
    return rng.choice(plain or frame["actions"])


def storm(wishes: tuple[str, ...], rng: Random, frame: Any) -> Any:
    """What is wished for most, with the largest order; units are drawn up before the middle of a wall."""
    by_verb: dict[str, list[Any]] = {}
    for action in frame["actions"]:
        by_verb.setdefault(action["verb"], []).append(action)
    if "place" in by_verb:
        return min(by_verb["place"], key=lambda action: abs(int(action["do"].split()[2]) - MIDDLE))
    texts = {card["id"]: card["text"] for card in frame["scene"]["cards"]}
    by_verb.get("give-order", []).sort(key=lambda action: "Leadership" not in texts[action["clicks"][0]])
    verb = next((verb for verb in wishes if verb in by_verb), "")
    return by_verb[verb][0] if verb else rng.choice(frame["actions"])


def reach(
    player: Player,
    match: str,
    rng: Random,
    enough: Callable[[Any], object],
    choose: Callable[[Random, Any], Any] = choose,
) -> Any | None:
    """Play on against the computer until a frame is enough; nothing if the battle ends before."""
    while not (frame := player.frame(match))["ending"]:
        if not frame["yours"]:
            time.sleep(0.02)
        elif enough(frame):
            return frame
        else:
            player.act(match, frame["number"], choose(rng, frame)["do"])
    return None


def is_battle(frame: Any) -> bool:
    """Cards are to be laid, the lines have met, and there are losses."""
    scene = frame["scene"]
    held = [card for card in scene["cards"] if card["place"] == "hand" and card["id"]]
    sides: dict[str, set[int]] = {}
    for piece in scene["pieces"]:
        sides.setdefault(piece["place"], set()).add(piece["side"])
    met = [place for place, found in sides.items() if len(found) > 1]
    hurt = [piece for piece in scene["pieces"] if piece["losses"]]
    return len(held) >= 3 and len(met) >= 2 and len(hurt) >= 2 and len(scene["pieces"]) >= 24


def battle(player: Player) -> str:
    """A match in which there is something to see."""
    for seed in range(20):
        match: str = player.open("me", "bot", scenario="open")["id"]
        if reach(player, match, Random(seed), is_battle):
            return match
    raise AssertionError("no such battle")


def refused(player: Player, match: str, frame: Any) -> str:
    """A counter of ours that cannot act, and of which the rules have something to say; else empty."""
    can = {ident for action in frame["actions"] for ident in action["clicks"]}
    for piece in frame["scene"]["pieces"]:
        if piece["side"] == 0 and piece["id"] not in can:
            why = player.post(f"/api/matches/{match}/why", {"clicks": [piece["id"]]})
            if any(reason["action"] for reason in why["reasons"]):
                return str(piece["id"])
    return ""


def shoot(visitor: Visitor, name: str) -> None:
    path = FOLDER / f"{name}.png"
    visitor.page.wait_for_timeout(600)  # whatever moves comes to rest
    visitor.page.screenshot(path=path)
    shrink(path)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")
    assert not visitor.problems, visitor.problems


def shrink(path: Path) -> None:
    """A palette instead of true colours, if the file is large and Pillow is there."""
    if path.stat().st_size <= LARGEST:
        return
    try:
        from PIL import Image
    except ImportError:
        return
    Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def may_fight(frame: Any) -> bool:
    return asks(frame) and any(action["verb"] == "fight" for action in attacks(frame))


def take_pages(server: Server, browser: Browser, player: Player) -> None:
    guest = Visitor(browser, server.url, key=player.key, color_scheme="light").go()
    expect(guest.page.locator("#battles li").first).to_be_visible()
    shoot(guest, "front")
    guest.go("/new")
    expect(guest.button("shell.setup.begin")).to_be_visible()
    shoot(guest, "setup")
    guest.go("/rules/virtus#V5.1a")
    expect(guest.page.locator('[data-clause="V5.1a"]')).to_be_in_viewport()
    shoot(guest, "rulebook")
    take_designer(guest)
    guest.close()


def take_designer(guest: Visitor) -> None:
    """The standard fortress, from which a wall was taken away, and another in the hand."""
    guest.go("/fortress/onus")
    guest.page.locator("#ready-design").select_option("standard")
    guest.at("pieces").locator("[data-item]").nth(5).click()
    guest.page.keyboard.press("Delete")
    expect(guest.at("estimate").locator("li.error")).to_be_visible()
    guest.page.locator('[data-part="wooden-wall"]').click()
    guest.page.evaluate("scrollTo(0, 0)")
    expect(guest.at("slot").first).to_be_visible()
    shoot(guest, "designer")


def take_table(server: Server, browser: Browser, player: Player, match: str) -> bool:
    """Whether there was something to take of everything."""
    guest = Visitor(browser, server.url, key=player.key, color_scheme="light").sit(match)
    guest.wait()
    shoot(guest, "battle")
    guest.at("replay").get_by_role("slider").fill(str(guest.seen()["entry"] * 2 // 3))
    expect(guest.at("past")).to_be_visible()
    shoot(guest, "replay")
    dark = {"color_scheme": "dark"}
    phone = {**PHONE, "device_scale_factor": 1}
    for name, options in (("dark", dark), ("phone", phone)):
        other = Visitor(browser, server.url, key=player.key, **options).sit(match)
        other.wait()
        shoot(other, name)
        other.close()

    told = reach(player, match, Random(1), lambda frame: refused(player, match, frame))
    if told:
        guest.sit(match).wait()
        guest.pick(refused(player, match, told))
        expect(guest.at("why")).to_be_visible()
        shoot(guest, "why-not")
    frame = reach(player, match, Random(1), may_fight)
    if frame:
        guest.sit(match).wait()
        guest.play(next(action for action in attacks(frame) if action["verb"] == "fight"))
        expect(guest.at("confirm").locator("figure").first).to_be_visible()
        shoot(guest, "odds")
    guest.close()
    return bool(told and frame)


def found(player: Player, scenario: str, wishes: tuple[str, ...], enough: Callable[[Any], object]) -> str:
    """A match of Onus in which there is that to see."""
    for seed in range(30):
        match: str = player.open("me", "bot:random", game="onus", scenario=scenario)["id"]
        if reach(player, match, Random(seed), enough, partial(storm, wishes)):
            return match
    raise AssertionError("no such battle")


def is_climbing(frame: Any) -> bool:
    return any("climbing" in piece["states"] for piece in frame["scene"]["pieces"])


def is_on_fire(frame: Any) -> bool:
    return any("burning" in area["states"] for area in frame["scene"]["areas"])


def may_engage(frame: Any) -> bool:
    return any(action["verb"] == "engage" for action in frame["actions"])


def take_onus(server: Server, browser: Browser, player: Player) -> None:
    """The odds of a melee, a climb, a fire, and the drawing of a fortress."""
    guest = Visitor(browser, server.url, key=player.key, **WIDE)
    match = found(player, "skirmish", STORM, may_engage)
    guest.sit(match).wait()
    fights = [action for action in player.frame(match)["actions"] if action["verb"] == "engage"]
    guest.pick(fights[0]["clicks"][0])
    expect(guest.at("actions").locator("figure").first).to_be_visible()
    shoot(guest, "onus-battle")
    for name, wishes, enough in (("siege", STORM, is_climbing), ("fire", BURN, is_on_fire)):
        guest.sit(found(player, "first-siege", wishes, enough)).wait()
        shoot(guest, f"onus-{name}")
    match = player.open("bot", "me", game="onus", scenario="free-siege")["id"]
    for do in ("raise standard wood", "buy trench", "buy watchtower", "done", "buy principes", "buy archers"):
        player.act(match, player.frame(match)["number"], do)
    guest.go(f"/m/{match}").wait()
    shoot(guest, "onus-building")
    guest.close()


def take(server: Server, browser: Browser) -> None:
    player = server.player()
    while not take_table(server, browser, player, battle(player)):
        print("that battle was too short: another one")
    player.open("me", "friend", scenario="bridge")
    player.open("me", "me", scenario="camp", luck="dice")
    take_pages(server, browser, player)
    take_onus(server, browser, player)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder), *NO_LIMITS) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        take(server, browser)
        browser.close()


if __name__ == "__main__":
    main()
