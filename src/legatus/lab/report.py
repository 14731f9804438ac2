"""The report of a balance as HTML: one file that needs nothing else, or a part of the page.

Every plot has its figures in a table beside it.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from math import isfinite
from pathlib import Path

from ..kernel import Game
from ..kernel.words import LANGS
from . import plots
from .figures import Balance, Effect, Tally
from .stats import Estimate

STYLE = Path(__file__).with_name("report.css")
WORDS = {
    lang: tomllib.loads(Path(__file__).with_name(f"report.{lang}.toml").read_text(encoding="utf-8"))
    for lang in LANGS
}
ALONE = (
    ":root { color-scheme: light dark; } "
    "body { margin: 0; padding: 1.5rem; background: light-dark(#efe6d2, #1c1915); "
    "font-family: Georgia, serif; }"
)
MOST_ENDINGS = 12
Cell = tuple[str, str]
"""A text and its class."""


def page(balance: Balance, game: Game, lang: str) -> str:
    """A whole document: no script, no network, light and dark."""
    told = Told(balance, game, lang)
    style = f"{ALONE}\n{STYLE.read_text(encoding='utf-8')}"
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(told.title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{fragment(balance, game, lang)}\n</main>\n</body>\n</html>\n"
    )


def fragment(balance: Balance, game: Game, lang: str) -> str:
    """What the page shows."""
    return Told(balance, game, lang).article()


class Told:
    """A balance in one language."""

    def __init__(self, balance: Balance, game: Game, lang: str) -> None:
        self.balance, self.game, self.lang = balance, game, lang
        self.words = game.folder.messages[lang].sentences
        self.names = {card.key: card.name for card in game.scenarios(lang)}
        self.names |= {card.key: card.name for card in game.armies(lang)}
        self.seats = [self.words.get(f"name.{seat}", seat) for seat in game.seats]

    # --- words and numbers

    def say(self, key: str, **values: object) -> str:
        return str(WORDS[self.lang][key]).format(**values)

    def number(self, value: float, digits: int = 0, sign: str = "") -> str:
        if not isfinite(value):
            return self.say("open")
        text = f"{value:{sign}.{digits}f}".replace("-", "−")
        return text.replace(".", ",") if self.lang == "fr" else text

    def percent(self, value: float, sign: str = "", digits: int = 1) -> str:
        return self.number(100 * value, digits, sign) + ("%" if self.lang == "en" else "\u202f%")

    def between(self, found: Estimate, sign: str = "") -> str:
        return f"{self.percent(found.low, sign)} – {self.percent(found.high, sign)}"

    def name(self, key: str) -> str:
        """Of a scenario or an army; a file by its name."""
        return self.names.get(key) or Path(key).stem

    def battle(self, scenario: str, armies: Sequence[str]) -> str:
        return " – ".join(map(self.name, armies)) or self.name(scenario)

    def setting(self, key: str, value: bool | str) -> str:
        told = self.words.get(f"choice.{key}.{value}", str(value))
        return self.say("on" if value else "off") if isinstance(value, bool) else told

    def change(self, effect: Effect) -> str:
        option = self.words.get(f"option.{effect.option}", effect.option).rstrip(".")
        usual, value = (self.setting(effect.option, v) for v in (effect.usual, effect.value))
        return f"{option}: {usual} → {value}" if self.lang == "en" else f"{option} : {usual} → {value}"

    def brief(self, effect: Effect) -> str:
        value = effect.value if isinstance(effect.value, str) else self.setting(effect.option, effect.value)
        return f"{effect.option} = {value}"

    @property
    def title(self) -> str:
        return self.say("title", game=self.words.get("game.name", self.game.key))

    # --- the article

    def article(self) -> str:
        parts = [self._head(), *self._heats(), self._armies(), self._fields(), self._lengths()]
        parts += [self._endings(), self._effects(), self._handicaps(), self._how()]
        return f'<article class="balance">{"".join(parts)}</article>'

    def _head(self) -> str:
        b = self.balance
        facts = self.say(
            "facts", played=b.played, games=b.games, bots=", ".join(b.bots), seed=b.seed, version=b.version
        )
        lines = [facts]
        if b.options:
            said = ", ".join(f"{key} = {self.setting(key, value)}" for key, value in b.options.items())
            lines.append(self.say("options", options=said))
        if b.interrupted:
            lines.append(self.say("interrupted"))
        return f"<h1>{escape(self.title)}</h1><p>{escape(' '.join(lines))}</p>"

    def _heats(self) -> Iterable[str]:
        first, second = self.seats[:2]
        for field in self.balance.scenarios:
            cells = [t for t in self.balance.battles if t.scenario == field.scenario and t.armies]
            if not cells:
                continue
            armies = list(dict.fromkeys(name for t in cells for name in t.armies))
            values = {tuple(map(armies.index, t.armies)): t.share.value for t in cells if t.games}
            names = list(map(self.name, armies))
            caption = self.say("heat_caption", first=first, second=second)
            plot = plots.heat(names, names, values, caption)  # type: ignore[arg-type]
            heading = self.say("heat", scenario=self.name(field.scenario))
            yield self._section(heading, caption, plot, self._shares(cells, "battle"))

    def _armies(self) -> str:
        if not self.balance.armies:
            return ""
        rows = [(self.name(one.army), one.share) for one in self.balance.armies]
        caption = self.say("armies_caption")
        plot = plots.forest(rows, 0, 1, 0.5, caption, self._tick)
        table = self._table(
            ["army", "#games", "#share", "#interval"],
            [
                [(self.name(o.army), ""), (str(o.games), "n"), *self._estimate(o.share)]
                for o in self.balance.armies
            ],
        )
        return self._section(self.say("armies"), caption, plot, table)

    def _fields(self) -> str:
        caption = self.say("fields_caption", first=self.seats[0])
        rows = [(self.name(t.scenario), t.share) for t in self.balance.scenarios]
        plot = plots.forest(rows, 0, 1, 0.5, caption, self._tick)
        return self._section(
            self.say("fields"), caption, plot, self._shares(self.balance.scenarios, "scenario")
        )

    def _shares(self, tallies: Sequence[Tally], first: str) -> str:
        rows = []
        for t in tallies:
            label = self.battle(t.scenario, t.armies)
            wins = [(str(n), "n") for n in t.wins]
            rows.append(
                [(label, ""), (str(t.games), "n"), *wins, (str(t.draws), "n"), *self._estimate(t.share)]
            )
        return self._table(
            [first, "#games", *(f"#={s}" for s in self.seats), "#draws", "#share", "#interval"], rows
        )

    def _lengths(self) -> str:
        caption = self.say("lengths_caption")
        fields = self.balance.scenarios
        plot = plots.boxes([(self.name(t.scenario), t.lengths) for t in fields], caption, self.number)
        rows = [
            [
                (self.name(t.scenario), ""),
                (self.number(t.mean_length), "n"),
                *((str(n), "n") for n in t.lengths),
                (str(t.unfinished), "n"),
            ]
            for t in fields
        ]
        heads = ["scenario", "#mean", "#least", "#lower", "#median", "#upper", "#most", "#unfinished"]
        return self._section(self.say("lengths"), caption, plot, self._table(heads, rows))

    def _endings(self) -> str:
        found: Counter[str] = Counter()
        for t in self.balance.scenarios:
            found.update(t.endings)
        games = sum(found.values())
        if not games:
            return ""
        most = found.most_common(MOST_ENDINGS)
        caption = self.say("endings_caption")
        plot = plots.bars([(clause, n / games) for clause, n in most], caption, self._tick)
        clauses = self.game.folder.rulebooks[self.lang].clauses
        rows = []
        for clause, n in most:
            text = clauses[clause].summary if clause in clauses else ""
            rows.append([(clause, ""), (text, ""), (str(n), "n"), (self.percent(n / games), "n")])
        table = self._table(["clause", "says", "#games", "#share"], rows)
        return self._section(self.say("endings"), caption, plot, table)

    def _effects(self) -> str:
        effects = self.balance.effects
        if not effects:
            return ""
        widest = max([0.1, *(abs(v) for e in effects for v in (e.share.low, e.share.high) if isfinite(v))])
        caption = self.say("effects_caption", first=self.seats[0])
        plot = plots.forest(
            [(self.brief(e), e.share) for e in effects], -widest, widest, 0, caption, self._tick
        )
        rows = [
            [
                (self.change(e), ""),
                (str(e.pairs), "n"),
                (self.percent(e.before), "n"),
                (self.percent(e.after), "n"),
                (self.percent(e.share.value, "+"), "n"),
                (self.between(e.share, "+"), "n"),
                (self.number(e.length.value, 0, "+"), "n"),
                (f"{self.number(e.length.low, 0, '+')} – {self.number(e.length.high, 0, '+')}", "n"),
            ]
            for e in effects
        ]
        heads = ["option", "#pairs", "#from", "#to", "#change", "#interval", "#length_change", "#interval"]
        note = self._note("effects_note")
        return self._section(self.say("effects"), caption, plot, self._table(heads, rows) + note)

    def _handicaps(self) -> str:
        found = self.balance.handicaps
        if not found and not self.balance.sought:
            return ""
        if not found:
            return self._plain("handicaps", self._note("none_uneven"))
        rows = []
        for h in found:
            where = self.battle(h.scenario, h.armies)
            rows.append([(where, ""), (self.seats[h.seat], ""), *self._handicap(h.size, h.unit)])
            if h.unit == "points":
                tried = (f"{self.number(-x) if x else 0}: {self.percent(s, digits=0)}" for x, _, s in h.tried)
                rows[-1].append((", ".join(tried), ""))
        heads = ["battle", "stronger", "#fewer", "#interval"]
        heads += ["tried"] if found[0].unit == "points" else []
        body = self._table(heads, rows) + self._note(f"handicaps_{found[0].unit}")
        return self._plain("handicaps", body)

    def _handicap(self, size: Estimate | None, unit: str) -> list[Cell]:
        if size is None:
            return [(self.say("not_found"), ""), ("", "n")]
        value = self.say(unit, n=self.number(size.value))
        return [(value, "n"), (f"{self.number(size.low)} – {self.number(size.high)}", "n")]

    def _how(self) -> str:
        notes = [self.say("how_share", first=self.seats[0]), self.say("how_many"), self.say("how_bot")]
        texts = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
        return self._plain("how", texts)

    # --- parts

    def _tick(self, value: float) -> str:
        return self.percent(value, digits=0)

    def _estimate(self, found: Estimate) -> list[Cell]:
        return [(self.percent(found.value), "n"), (self.between(found), "n")]

    def _note(self, key: str) -> str:
        return f'<p class="note">{escape(self.say(key))}</p>'

    def _plain(self, heading: str, body: str) -> str:
        return f"<section><h2>{escape(self.say(heading))}</h2>{body}</section>"

    def _section(self, heading: str, caption: str, plot: str, table: str) -> str:
        return (
            f"<section><h2>{escape(heading)}</h2><figure><figcaption>{escape(caption)}</figcaption>"
            f'<div class="scroll" tabindex="0">{plot}</div>{table}</figure></section>'
        )

    def _table(self, heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
        """Heads are keys; ``#`` is a column of numbers, and ``=`` says that it is no key."""
        top = "".join(self._th(head) for head in heads)
        body = "".join(f"<tr>{''.join(self._td(cell) for cell in row)}</tr>" for row in rows)
        return (
            f'<div class="scroll" tabindex="0"><table><thead><tr>{top}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>"
        )

    def _th(self, head: str) -> str:
        key = head.lstrip("#")
        text = key[1:] if key.startswith("=") else self.say(key)
        return f'<th scope="col"{_class("n" if head.startswith("#") else "")}>{escape(text)}</th>'

    def _td(self, cell: Cell) -> str:
        text, kind = cell
        return f"<td{_class(kind)}>{escape(text)}</td>"


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
