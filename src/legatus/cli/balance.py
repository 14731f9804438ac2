"""``legatus balance``: is it fair?  Armies against armies, scenarios, options, handicaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from ..kernel import Game
from ..kernel.files import check_target, write_text
from ..lab.balance import Examination, battles
from ..lab.figures import Balance, Tally
from ..lab.report import Told, page
from .common import (
    Fault,
    GameArgument,
    JsonOption,
    LangOption,
    SeedOption,
    SettingOption,
    find_game,
    read_settings,
    screen,
    speak,
)
from .runs import (
    AddressOption,
    BotsOption,
    EngineOption,
    GoOnOption,
    JobsOption,
    KeepOption,
    at_least_one,
    kept_in,
    named_bots,
    named_engine,
    progress_bar,
    seed_of,
    stop_interrupted,
)
from .words import Words

ALL = "all"


def balance(
    game: GameArgument,
    scenario: Annotated[list[str] | None, typer.Option("--scenario", "-s", help="fields")] = None,
    army: Annotated[list[str] | None, typer.Option("--army", "-a", help="hosts")] = None,
    bots: BotsOption = None,
    games: Annotated[int, typer.Option("--games", "-n", help="games_each")] = 20,
    seed: SeedOption = None,
    jobs: JobsOption = None,
    option: SettingOption = None,
    effect: Annotated[list[str] | None, typer.Option("--effect", metavar="KEY", help="effect")] = None,
    handicap: Annotated[bool, typer.Option("--handicap", help="handicap")] = False,
    html: Annotated[str | None, typer.Option("--html", metavar="FILE", help="html")] = None,
    engine: EngineOption = "local",
    address: AddressOption = None,
    out: KeepOption = None,
    resume: GoOnOption = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Is it fair?  Every army against every army on every field, with intervals; options; a handicap."""
    words = speak(lang)
    found = find_game(game, words)
    at_least_one(words, games=games, jobs=jobs)
    file = kept_in(out, resume, words)
    if html is not None:
        check_target(html)
    if army and not found.armies("en"):
        raise Fault(words("no_armies", game=game))
    exam = Examination(
        found,
        battles(found, scenario or (), army or ()),
        named_bots(found, bots, words, "greedy"),
        games,
        seed_of(seed, file),
        options=read_settings(found, option, words),
        effects=_effects(found, effect or (), words),
        handicap=handicap,
        engine=named_engine(engine, address, jobs, words),
        file=file,
    )
    with progress_bar(exam.total, words) as progress:
        report = exam.run(progress)
    if html is not None:
        write_text(html, page(report, found, words.lang))
    if as_json:
        print(msgspec.json.encode(report).decode())
    else:
        Shown(report, found, words.lang).show(screen())
    if report.interrupted:
        stop_interrupted(file, words)


def _effects(game: Game, keys: Sequence[str], words: Words) -> list[str]:
    """The options whose effect is asked for."""
    known = [option.key for option in game.options]
    if ALL in keys:
        return known
    for key in keys:
        if key not in known:
            raise Fault(words("no_effect", name=key, known=", ".join((ALL, *known))))
    return list(dict.fromkeys(keys))


class Shown(Told):
    """A balance in the terminal: the same figures in the same words as in HTML."""

    def __init__(self, report: Balance, game: Game, lang: str) -> None:
        super().__init__(report, game, lang)
        self.names = {}  # here things are called as a command line calls them

    def show(self, console: Console) -> None:
        report = self.balance
        console.print(self.title, style="bold", markup=False)
        facts = {"played": report.played, "games": report.games, "seed": report.seed}
        bots = ", ".join(report.bots)
        console.print(self.say("facts", **facts, bots=bots, version=report.version), markup=False)
        for field in report.scenarios:
            cells = [t for t in report.battles if t.scenario == field.scenario and t.armies]
            if cells:
                self._grid(console, field.scenario, cells)
        if report.armies:
            table = self._columns(self.say("armies_caption"), ["army", "#games", "#share", "#interval"])
            for one in report.armies:
                told = self.percent(one.share.value), self.between(one.share)
                table.add_row(self.name(one.army), str(one.games), *told)
            console.print(table)
        self._scenarios(console)
        self._options(console)
        self._even(console)

    def _columns(self, title: str, heads: Sequence[str]) -> Table:
        table = Table(title=title, title_justify="left")
        for head in heads:
            table.add_column(self.say(head.lstrip("#")), justify="right" if head[0] == "#" else "left")
        return table

    def _grid(self, console: Console, scenario: str, cells: Sequence[Tally]) -> None:
        first, second = self.seats[:2]
        caption = self.say("heat_caption", first=first, second=second)
        table = Table(title=f"{self.say('heat', scenario=scenario)}\n{caption}", title_justify="left")
        armies = list(dict.fromkeys(name for t in cells for name in t.armies))
        table.add_column(self.say("army"))
        for army in armies:
            table.add_column(self.name(army), justify="right")
        shares = {t.armies: t.share.value for t in cells if t.games}
        for army in armies:
            row = [shares.get((army, other)) for other in armies]
            table.add_row(self.name(army), *("" if v is None else f"{100 * v:.0f}" for v in row))
        console.print(table)

    def _scenarios(self, console: Console) -> None:
        heads = ["scenario", "#games", "#share", "#interval", "#median", "endings"]
        table = self._columns(self.say("fields_caption", first=self.seats[0]), heads)
        for t in self.balance.scenarios:
            endings = ", ".join(f"{clause} ×{n}" for clause, n in list(t.endings.items())[:4])
            told = self.percent(t.share.value), self.between(t.share), str(t.lengths[2])
            table.add_row(self.name(t.scenario), str(t.games), *told, endings)
        console.print(table)

    def _options(self, console: Console) -> None:
        if not self.balance.effects:
            return
        heads = ["option", "#pairs", "#change", "#interval", "#length_change"]
        table = self._columns(self.say("effects_caption", first=self.seats[0]), heads)
        for e in self.balance.effects:
            told = self.percent(e.share.value, "+"), self.between(e.share, "+")
            table.add_row(self.brief(e), str(e.pairs), *told, self.number(e.length.value, 0, "+"))
        console.print(table)

    def _even(self, console: Console) -> None:
        if not self.balance.sought:
            return
        if not self.balance.handicaps:
            console.print(self.say("none_uneven"))
            return
        table = self._columns(self.say("handicaps"), ["battle", "stronger", "#fewer", "#interval"])
        for h in self.balance.handicaps:
            cells = [text for text, _ in self._handicap(h.size, h.unit)]
            table.add_row(self.battle(h.scenario, h.armies), self.seats[h.seat], *cells)
        console.print(table)
        console.print(self.say(f"handicaps_{self.balance.handicaps[0].unit}"), markup=False)
