"""Somebody at a browser of his own: he sees what the page shows and clicks on it, as a player does."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

ROOT = Path(__file__).parents[2]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATIENCE = 60_000  # milliseconds: how long a slow machine may take
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}

WORDS: dict[str, dict[str, str]] = {
    lang: {
        key: text
        for part in ("shell", "board", "table", "lab")
        for key, text in json.loads((ROOT / f"web/src/words/{part}.{lang}.json").read_text()).items()
    }
    for lang in ("en", "fr")
}

expect.set_options(timeout=PATIENCE)

# A violation of the content security policy is an error, even where the browser says nothing.
_WATCH = """document.addEventListener('securitypolicyviolation', (event) =>
  console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`));"""

# What can be clicked now.  Things that shine say so to readers of screens.
_SEEN = """(lit) => {
  const all = (what) => [...document.querySelectorAll(what)];
  const shines = (element) => (element.getAttribute('aria-label') ?? '').endsWith(lit);
  const table = document.querySelector('[data-testid=table]');
  const prompt = document.querySelector('[data-testid=prompt]');
  const is = (what) => document.querySelector(`[data-testid=${what}]`) !== null;
  return {
    number: Number(table?.dataset.number ?? -1),
    entry: Number(table?.dataset.entry ?? -1),
    yours: prompt?.dataset.yours === 'true',
    prompt: prompt?.innerText ?? '',
    busy: document.querySelector('[data-testid=table] [aria-busy=true]') !== null,
    ending: is('ending'), curtain: is('curtain'), luck: is('luck'), confirm: is('confirm'), why: is('why'),
    things: all('svg [data-id]').filter(shines).map((element) => element.dataset.id),
    pieces: all('svg .piece[data-id], svg .piece [data-id]').map((element) => element.dataset.id),
    cards: all('button[aria-pressed]').filter(shines).map((card) => card.getAttribute('aria-label')),
    buttons: all('[data-testid=actions] button.quick').map((button) => ({do: button.dataset.do ?? ''})),
  };
}"""

# A point where a click meets the thing itself, not what lies on it; null if there is none.
_FREE = """(element) => {
  element.scrollIntoView({block: 'nearest'});
  const box = element.getBoundingClientRect();
  const own = (x, y) => document.elementFromPoint(x, y)?.closest('[data-id], button') === element;
  const steps = [0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9, 0.05, 0.95, 0.02, 0.98];
  for (const down of steps) for (const along of steps) {
    const [x, y] = [box.x + box.width * along, box.y + box.height * down];
    if (own(x, y)) return {x, y};
  }
  return null;
}"""

_TURN = """() => {
  const is = (what) => document.querySelector(`[data-testid=${what}]`) !== null;
  const prompt = document.querySelector('[data-testid=prompt]');
  return prompt?.dataset.yours === 'true' || is('ending') || is('curtain') || is('luck');
}"""


def find_chromium() -> str:
    """The browser of this machine."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    assert found, f"no browser found: install one of {', '.join(CHROMIUM)} (apt-get install chromium)"
    return found


class Visitor:
    """A context with one page.  ``problems`` are the errors of its console that nobody expected."""

    def __init__(self, browser: Browser, url: str, lang: str = "en", key: str = "", **options: Any) -> None:
        self.url, self.lang = url, lang
        self.touch = bool(options.get("has_touch"))
        self.problems: list[str] = []
        self._allowed: list[str] = []
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | options
        self.context: BrowserContext = browser.new_context(
            base_url=url, locale={"en": "en-GB", "fr": "fr-FR"}[lang], **options
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(_WATCH)
        self.context.on("page", self._listen)
        if key:
            self.keep("legatus.key", key)
        self.page: Page = self.context.new_page()

    # --- what goes wrong

    def _listen(self, page: Page) -> None:
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            where = message.location.get("url", "")
            self._complain(f"{message.type}: {message.text} ({where})")

    def _complain(self, text: str) -> None:
        if not any(re.search(pattern, text) for pattern in self._allowed):
            self.problems.append(text)

    def allow(self, pattern: str) -> None:
        """From now on the console may say this: we provoke it."""
        self._allowed.append(pattern)

    # --- where he is

    def keep(self, name: str, value: str) -> None:
        """Put something into the storage of this browser, before the page looks."""
        do = f"localStorage.setItem({json.dumps(name)}, {json.dumps(value)})"
        self.context.add_init_script(f"if (location.protocol === 'http:') {do};")

    def go(self, path: str = "/") -> Visitor:
        self.page.goto(path)
        return self

    def sit(self, match: str) -> Visitor:
        """At the table of a match."""
        self.go(f"/m/{match}")
        self.at("table").locator("svg [data-id]").first.or_(self.at("curtain")).wait_for()
        return self

    @property
    def key(self) -> str:
        return str(self.page.evaluate("localStorage.getItem('legatus.key')"))

    @property
    def match(self) -> str:
        """The id of the match whose table this is."""
        self.page.wait_for_url(re.compile(r"/m/"))
        return self.page.url.split("/m/")[1].split("/")[0]

    def say(self, key: str, **values: Any) -> str:
        """What the page says for a word of its lists."""
        return re.sub(r"\{(\w+)\}", lambda hole: str(values.get(hole[1], hole[0])), WORDS[self.lang][key])

    def at(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def button(self, key: str, **values: Any) -> Locator:
        return self.page.get_by_role("button", name=self.say(key, **values), exact=True)

    def link(self, key: str, **values: Any) -> Locator:
        return self.page.get_by_role("link", name=self.say(key, **values), exact=True)

    def tab(self, key: str) -> Locator:
        """One of the tabs beside the board, opened."""
        self.page.locator(f"#tab-{key}").click()
        return self.page.locator("#panel")

    # --- the table

    def seen(self) -> Any:
        """What the table shows, and what can be clicked."""
        return self.page.evaluate(_SEEN, self.say("board.lit"))

    def thing(self, ident: str) -> Locator:
        """A counter or an area of the board."""
        return self.page.locator(f'svg [data-id="{ident}"]')

    def press(self, target: Locator) -> None:
        """Click or tap where it is free."""
        spot = target.evaluate(_FREE)
        if not spot:  # it was drawn anew just now, or it is covered
            self.settle()
            spot = target.evaluate(_FREE)
        assert spot, f"covered by something else: {target}, of {self.seen()}"
        press = self.page.touchscreen.tap if self.touch else self.page.mouse.click
        press(spot["x"], spot["y"])

    def pick(self, ident: str) -> None:
        self.press(self.thing(ident))

    def do(self, line: str) -> None:
        """Press the button of an action."""
        self.press(self.at("actions").locator(f'button[data-do="{line}"]'))

    def wait(self) -> Any:
        """Until he is to move, or it is over, or the screen is to be handed over; what is seen then."""
        self.page.wait_for_function(_TURN)
        return self.seen()

    def wait_number(self, number: int) -> Any:
        """Until the table stands at this number, or later."""
        self.page.wait_for_function(
            "(n) => Number(document.querySelector('[data-testid=table]')?.dataset.number ?? -1) >= n",
            arg=number,
        )
        return self.seen()

    def wait_told(self, server: Any) -> Any:
        """Until all is seen that the server tells this visitor: others may do what he cannot notice."""
        player = server.stranger()
        player.key = self.key if self.key != "None" else ""
        return self.wait_number(player.match(self.match)["number"])

    def choose(self, rng: Random, *wanted: str, seen: Any = None) -> str:
        """One click: on a button of ``wanted`` if there is one, else on anything that can be clicked."""
        seen = seen or self.wait()
        assert seen["yours"] or seen["confirm"], seen
        actions = self.at("actions")
        if seen["confirm"]:
            self.press(self.at("confirm-yes"))
            return "confirm"
        for line in wanted:
            if any(button["do"] == line for button in seen["buttons"]):
                self.do(line)
                return line
        options = [("thing", ident) for ident in seen["things"]]
        options += [("card", label) for label in seen["cards"]]
        options += [("button", n) for n in range(len(seen["buttons"]))]
        assert options, f"nothing to click: {seen}"
        kind, which = rng.choice(options)
        if kind == "thing":
            self.pick(which)
        elif kind == "card":
            self.press(self.page.get_by_role("button", name=which, exact=True).first)
        else:
            self.press(actions.locator("button.quick").nth(which))
        return f"{kind} {which}"

    def play(self, action: Any) -> None:
        """An action of a frame by its clicks, up to the question whether he means it."""
        for ident in action["clicks"]:
            self.settle()
            if self.at("confirm").count():
                return
            offered = self.at("offered").locator(f'[data-id="{ident}"]')
            self.press(offered if offered.count() else self.thing(ident))
        self.settle()
        button = self.at("actions").locator(f'button[data-do="{action["do"]}"]')
        if not self.at("confirm").count() and button.count():
            self.press(button)

    def settle(self) -> None:
        """Until the page is not working at anything."""
        self.page.wait_for_function("() => !document.querySelector('[data-testid=table] [aria-busy=true]')")

    # --- the end

    def shoot(self, folder: Path, name: str) -> list[Path]:
        """A picture of every open page."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = []
        for n, page in enumerate(self.context.pages):
            paths.append(folder / f"{name}-{n}.png")
            page.screenshot(path=paths[-1], timeout=5000)
        return paths

    def close(self) -> None:
        self.context.close()
