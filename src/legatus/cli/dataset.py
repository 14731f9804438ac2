"""``legatus dataset``: games between bots as a Parquet file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ..envs import require
from .common import (
    ArmyOption,
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
    speak,
)
from .simulate import (
    INTERRUPTED,
    BotsOption,
    GamesOption,
    JobsOption,
    SwapOption,
    at_least_one,
    named_bots,
    progress_bar,
)

OutOption = Annotated[str, typer.Option("--out", metavar="FILE", help="out")]


def dataset(
    game: GameArgument,
    out: OutOption,
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
    """Let bots play, and write every decision into a Parquet file: what was seen, legal and chosen."""
    words = speak(lang)
    found = find_game(game, words)
    names = named_bots(found, bots, words)
    at_least_one(words, games=games, jobs=jobs)
    setup = configure(found, scenario, army, option, words)
    require("dataset", "numpy", "pyarrow")
    from ..envs.dataset import write

    with progress_bar(games, words) as progress:
        written = write(found, setup, names, Path(out), games, seed, jobs, progress, swap=swap)
    if written.interrupted:
        complain().print(words("dataset_go_on", games=written.games))
        raise typer.Exit(INTERRUPTED)
    told = msgspec.to_builtins(written)
    if as_json:
        print_json(told)
    else:
        print(words("dataset_written", **told))
