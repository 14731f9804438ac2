"""``legatus dataset``: games between bots as a Parquet file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ..envs import require
from .common import INTERRUPTED, complain, print_json
from .runs import Run, plays, progress_bar

OutOption = Annotated[str, typer.Option("--out", metavar="FILE", help="out")]


@plays
def dataset(run: Run, out: OutOption) -> None:
    """Let bots play, and write every decision into a Parquet file: what was seen, legal and chosen."""
    require("dataset", "numpy", "pyarrow")
    from ..envs.dataset import write

    file, games, jobs = Path(out), run.games, run.jobs or 1
    with progress_bar(games, run.words) as progress:
        written = write(run.game, run.setup, run.bots, file, games, run.seed, jobs, progress, swap=run.swap)
    if written.interrupted:
        complain().print(run.words("dataset_go_on", games=written.games))
        raise typer.Exit(INTERRUPTED)
    told = msgspec.to_builtins(written)
    if run.as_json:
        print_json(told)
    else:
        print(run.words("dataset_written", **told))
