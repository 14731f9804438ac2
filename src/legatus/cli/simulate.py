"""``legatus simulate`` and ``legatus fuzz``: many games at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ..bots import bot_name
from ..kernel import Game
from ..lab import FuzzReport, Report
from ..lab import fuzz as run_fuzz
from ..lab import simulate as run_simulation
from .common import (
    REFUSED,
    ArmyOption,
    Fault,
    GameArgument,
    JsonOption,
    LangOption,
    ScenarioOption,
    SeedOption,
    SettingOption,
    complain,
    configure,
    find_game,
    print_json,
    screen,
    speak,
)
from .luck import draw_seed
from .words import Words

INTERRUPTED = 130  # what a shell reports after Ctrl-C

GamesOption = Annotated[int, typer.Option("--games", "-n", help="games")]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", help="jobs")]
BotsOption = Annotated[str | None, typer.Option("--bots", "-b", help="bots")]
SwapOption = Annotated[bool, typer.Option("--swap", help="swap")]


def simulate(
    game: GameArgument,
    scenario: ScenarioOption = None,
    bots: BotsOption = None,
    games: GamesOption = 100,
    seed: SeedOption = None,
    jobs: JobsOption = 1,
    army: ArmyOption = None,
    option: SettingOption = None,
    swap: SwapOption = False,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play many games: who wins, with a 95% interval, how long it takes and how fast it goes."""
    words = speak(lang)
    found = find_game(game, words)
    names = named_bots(found, bots, words)
    at_least_one(words, games=games, jobs=jobs)
    setup = configure(found, scenario, army, option, words)
    chosen = draw_seed() if seed is None else seed
    with progress_bar(games, words) as progress:
        report = run_simulation(found, setup, names, games, chosen, jobs, progress, swap=swap)
    title = scenario or found.default_scenario
    if as_json:
        print_json(_data(report, title, chosen))
    else:
        _print_report(report, title, words)
    if report.interrupted:
        complain().print(words("interrupted"))
        raise typer.Exit(INTERRUPTED)


def named_bots(game: Game, names: str | None, words: Words) -> list[str]:
    """Who sits where; without names, chance plays all."""
    if names is None:
        return ["random"] * len(game.seats)
    bots = [bot_name(name.strip()) for name in names.split(",")]
    if len(bots) != len(game.seats):
        seats = ", ".join(game.seats)
        raise Fault(words("bots_count", expected=len(game.seats), found=len(bots), seats=seats))
    return bots


def at_least_one(words: Words, **counts: int) -> None:
    for name, value in counts.items():
        if value < 1:
            raise Fault(words("count", name=f"--{name}", low=1))


def _data(report: Report, scenario: str, seed: int) -> dict[str, object]:
    return {
        "game": report.game,
        "scenario": scenario,
        "games": report.games,
        "wins": report.wins,
        "draws": report.draws + report.unfinished,
        "decisions": report.decisions,
        "seconds": round(report.seconds, 3),
        "decisions_per_second": round(report.decisions_per_second, 1),
        "seed": seed,
    }


def _print_report(report: Report, scenario: str, words: Words) -> None:
    console = screen()
    table = Table(
        title=words("sim_title", game=report.game, scenario=scenario, games=report.games, seed=report.seed),
        title_justify="left",
    )
    table.add_column(words("sim_seat"))
    for heading in ("sim_wins", "sim_share", "sim_interval"):
        table.add_column(words(heading), justify="right")
    rows = dict(report.wins) if not report.swap else {}
    rows = {f"{seat} ({bot})": n for (seat, n), bot in zip(rows.items(), report.bots, strict=False)}
    rows = rows or {**report.wins, **report.wins_by_bot}
    for name, wins in [*rows.items(), (words("sim_draws"), report.draws)]:
        low, high = report.interval(wins)
        table.add_row(name, str(wins), f"{wins / max(1, report.games):.1%}", f"{low:.1%} – {high:.1%}")
    console.print(table)
    if report.unfinished:
        console.print(f"{words('sim_unfinished')}{words('colon')}{report.unfinished}")
    endings = ", ".join(f"{clause} ×{n}" for clause, n in report.endings.items())
    console.print(f"{words('sim_endings')}{words('colon')}{endings}", markup=False)
    length = {"mean": report.mean_length, "low": report.min_length, "high": report.max_length}
    console.print(words("sim_length", **length))
    speed = {"decisions": report.decisions, "seconds": report.seconds, "rate": report.decisions_per_second}
    console.print(words("sim_speed", **speed))


@contextmanager
def progress_bar(total: int, words: Words) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on the error output, if somebody is there to see it."""
    console: Console = complain()
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(words("playing"), total=total)
        yield lambda done, _: bar.update(task, completed=done)


# --- fuzz ----------------------------------------------------------------------------------------


def fuzz(
    game: GameArgument,
    games: GamesOption = 1000,
    scenario: Annotated[list[str] | None, typer.Option("--scenario", "-s", help="scenarios")] = None,
    seed: SeedOption = None,
    jobs: JobsOption = 1,
    folder: Annotated[str, typer.Option("--folder", help="folder")] = ".",
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play random games over all scenarios and options and check every invariant after every action."""
    words = speak(lang)
    found = find_game(game, words)
    at_least_one(words, games=games, jobs=jobs)
    for name in scenario or ():
        configure(found, name, (), (), words)
    chosen = draw_seed() if seed is None else seed
    with progress_bar(games, words) as progress:
        report = run_fuzz(found, scenario or (), games, chosen, jobs, progress, folder=Path(folder))
    if as_json:
        print_json(msgspec.to_builtins(report))
    else:
        _print_fuzz(report, words)
    if report.failures:
        raise typer.Exit(REFUSED)
    if report.interrupted:
        complain().print(words("interrupted"))
        raise typer.Exit(INTERRUPTED)


def _print_fuzz(report: FuzzReport, words: Words) -> None:
    console = screen()
    if not report.failures:
        counts = {"games": report.games, "decisions": report.decisions, "replays": report.replays}
        console.print(words("fuzz_clean", **counts))
    else:
        console.print(Text(words("fuzz_broke", n=len(report.failures), games=report.games), style="bold red"))
        for failure in report.failures:
            console.print(Text(f"  {failure.file}: {failure.problem}"), soft_wrap=True)
    endings = ", ".join(f"{clause} ×{n}" for clause, n in report.endings.items())
    console.print(f"{words('sim_endings')}{words('colon')}{endings}", markup=False)
