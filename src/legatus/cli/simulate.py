"""``legatus simulate`` and ``legatus fuzz``: many games at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from ..lab import FuzzReport, Report
from ..lab import fuzz as run_fuzz
from ..lab import simulate as run_simulation
from .common import (
    REFUSED,
    GameArgument,
    JsonOption,
    LangOption,
    SeedOption,
    configure,
    find_game,
    print_json,
    screen,
    speak,
)
from .luck import draw_seed
from .runs import (
    AddressOption,
    EngineOption,
    GamesOption,
    GoOnOption,
    JobsOption,
    KeepOption,
    Run,
    at_least_one,
    kept_in,
    named_engine,
    plays,
    progress_bar,
    seed_of,
    stop_interrupted,
)
from .words import Words


@plays
def simulate(
    run: Run,
    engine: EngineOption = "local",
    address: AddressOption = None,
    out: KeepOption = None,
    resume: GoOnOption = None,
) -> None:
    """Let bots play many games: who wins, with a 95% interval, how long it takes and how fast it goes."""
    words = run.words
    where = named_engine(engine, address, run.jobs, words)
    file = kept_in(out, resume, words)
    seed = seed_of(run.seed, file)
    with progress_bar(run.games, words) as progress:
        report = run_simulation(
            run.game,
            run.setup,
            run.bots,
            run.games,
            seed,
            progress=progress,
            swap=run.swap,
            engine=where,
            file=file,
        )
    if run.as_json:
        print_json(_data(report, run.title))
    else:
        _print_report(report, run.title, words)
    if report.interrupted:
        stop_interrupted(file, words)


def _data(report: Report, scenario: str) -> dict[str, object]:
    by_name = report.wins | (report.wins_by_bot if report.swap else {})
    return {
        "game": report.game,
        "scenario": scenario,
        "games": report.games,
        "wins": report.wins,
        "wins_by_bot": report.wins_by_bot,
        "draws": report.draws,
        "unfinished": report.unfinished,
        "intervals": {name: report.interval(wins) for name, wins in by_name.items()},
        "endings": report.endings,
        "decisions": report.decisions,
        "seconds": round(report.seconds, 3),
        "decisions_per_second": round(report.decisions_per_second, 1),
        "seed": int(report.seed) if re.fullmatch(r"-?[0-9]+", report.seed) else report.seed,
        "interrupted": report.interrupted,
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
        shares = (f"{wins / max(1, report.games):.1%}", f"{low:.1%} – {high:.1%}")
        table.add_row(name, str(wins), *map(words.figure, shares))
    console.print(table)
    if report.unfinished:
        console.print(f"{words('sim_unfinished')}{words('colon')}{report.unfinished}")
    endings = ", ".join(f"{clause} ×{n}" for clause, n in report.endings.items())
    console.print(f"{words('sim_endings')}{words('colon')}{endings}", markup=False)
    length = {"mean": report.mean_length, "low": report.min_length, "high": report.max_length}
    console.print(words("sim_length", **length))
    speed = {"decisions": report.decisions, "rate": report.decisions_per_second}
    console.print(words("sim_speed", seconds=words.figure(f"{report.seconds:.1f}"), **speed))


# --- fuzz ----------------------------------------------------------------------------------------


def fuzz(
    game: GameArgument,
    games: GamesOption = 1000,
    scenario: Annotated[list[str] | None, typer.Option("--scenario", "-s", help="scenarios")] = None,
    seed: SeedOption = None,
    jobs: JobsOption = None,
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
        report = run_fuzz(found, scenario or (), games, chosen, jobs or 1, progress, folder=Path(folder))
    if as_json:
        print_json(msgspec.to_builtins(report))
    else:
        _print_fuzz(report, words)
    if report.failures:
        raise typer.Exit(REFUSED)
    if report.interrupted:
        stop_interrupted(None, words)


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
