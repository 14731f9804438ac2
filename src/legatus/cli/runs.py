"""What ``simulate``, ``dataset`` and ``balance`` share: who plays what, how often, and where."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..bots import bot_name
from ..kernel import Game, Setup
from ..kernel.files import check_target
from ..lab.ledger import beside, read_head
from ..lab.pool import Engine, Local
from .common import (
    INTERRUPTED,
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
    speak,
)
from .luck import draw_seed
from .words import Words

ENGINES = ("local", "ray")

GamesOption = Annotated[int, typer.Option("--games", "-n", help="games")]
JobsOption = Annotated[int | None, typer.Option("--jobs", "-j", help="jobs")]
BotsOption = Annotated[str | None, typer.Option("--bots", "-b", help="bots")]
SwapOption = Annotated[bool, typer.Option("--swap", help="swap")]
EngineOption = Annotated[str, typer.Option("--engine", metavar="local|ray", help="engine")]
AddressOption = Annotated[str | None, typer.Option("--address", metavar="ADDRESS", help="address")]
KeepOption = Annotated[str | None, typer.Option("--out", metavar="FILE", help="keep")]
GoOnOption = Annotated[str | None, typer.Option("--resume", metavar="FILE", help="go_on")]


class Run(NamedTuple):
    """What a command line wants played."""

    words: Words
    game: Game
    title: str  # of the scenario, as it was asked for
    setup: Setup
    bots: list[str]
    games: int
    seed: int | None
    jobs: int | None
    swap: bool
    as_json: bool


def _run(
    game: GameArgument,
    scenario: ScenarioOption = None,
    bots: BotsOption = None,
    games: GamesOption = 100,
    seed: SeedOption = None,
    jobs: JobsOption = None,
    army: ArmyOption = None,
    option: SettingOption = None,
    swap: SwapOption = False,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> Run:
    words = speak(lang)
    found = find_game(game, words)
    names = named_bots(found, bots, words)
    at_least_one(words, games=games, jobs=jobs)
    setup = configure(found, scenario, army, option, words)
    title = scenario or found.default_scenario
    return Run(words, found, title, setup, names, games, seed, jobs, swap, as_json)


def plays(command: Callable[..., None]) -> Callable[..., None]:
    """Makes a command of a function of a Run: it takes the options of a Run, and those of its own."""
    shared = inspect.signature(_run, eval_str=True).parameters
    own = dict(list(inspect.signature(command, eval_str=True).parameters.items())[1:])
    merged = sorted([*shared.values(), *own.values()], key=lambda p: p.default is not inspect.Parameter.empty)

    def run(**given: Any) -> None:
        wanted = _run(**{name: given[name] for name in shared})
        command(wanted, **{name: given[name] for name in own})

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = inspect.Signature(merged)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in merged}
    return run


def named_bots(game: Game, names: str | None, words: Words, default: str = "random") -> list[str]:
    """Who sits where; without names, the same everywhere."""
    if names is None:
        return [default] * len(game.seats)
    bots = [bot_name(name.strip()) for name in names.split(",")]
    if len(bots) != len(game.seats):
        seats = ", ".join(game.seats)
        raise Fault(words("bots_count", expected=len(game.seats), found=len(bots), seats=seats))
    return bots


def at_least_one(words: Words, **counts: int | None) -> None:
    for name, value in counts.items():
        if value is not None and value < 1:
            raise Fault(words("count", name=f"--{name}", low=1))


def named_engine(engine: str, address: str | None, jobs: int | None, words: Words) -> Engine:
    """Where games are played; a cluster has as many jobs as it has processors, unless told otherwise."""
    if engine not in ENGINES:
        raise Fault(words("no_engine", name=engine, known=", ".join(ENGINES)))
    if engine == "ray":
        from ..lab.cluster import Ray

        return Ray(address, jobs)
    if address is not None:
        raise Fault(words("address_alone"))
    return Local(jobs or 1)


def kept_in(out: str | None, resume: str | None, words: Words) -> Path | None:
    """The file of the finished games: a new one, or one to go on with."""
    if out is not None and resume is not None:
        raise Fault(words("out_or_resume"))
    if out is not None:
        taken = next((file for file in (Path(out), beside(Path(out))) if file.exists()), None)
        if taken is not None:
            raise Fault(words("out_exists", file=taken))
        check_target(out)
    if resume is not None and not Path(resume).exists():
        raise Fault(words("resume_missing", file=resume))
    name = out or resume
    return Path(name) if name else None


def seed_of(asked: int | None, file: Path | None) -> int | str:
    """What was asked for, or what the file has, or any."""
    if asked is not None:
        return asked
    if file is not None and file.exists():
        return str(read_head(file).get("seed", ""))
    return draw_seed()


def stop_interrupted(file: Path | None, words: Words) -> NoReturn:
    """Say how to go on, if anything was finished, and leave as after Ctrl-C."""
    kept = file is not None and file.exists()
    complain().print(words("interrupted_kept", file=file) if kept else words("interrupted"))
    raise typer.Exit(INTERRUPTED)


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
        yield lambda done, count: bar.update(task, completed=done, total=count)
