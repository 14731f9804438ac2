"""``legatus play``: a game in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from ..bots import BOTS, HUMAN, UnknownBot, bot_name
from ..bots.crew import dismiss
from ..games import GAMES
from ..kernel import Game, Match, Setup
from ..kernel.journal import go_on, resumption
from ..lab.audit import CannotAudit, Sitting, sittings
from .common import (
    INTERRUPTED,
    REFUSED,
    ArmyOption,
    Fault,
    LangOption,
    ScenarioOption,
    SeedOption,
    SettingOption,
    complain,
    configure,
    find_game,
    find_seat,
    is_terminal,
    read_head,
    read_record,
    speak,
    what_differs,
)
from .luck import Source, draw_seed, make_source, type_at_prompt
from .rules import scenario_titles
from .runs import at_least_one
from .table import Table
from .talk import Quit
from .words import Words

OPPONENT = "greedy"  # who sits opposite, unless somebody is named


SeatOption = Annotated[list[str] | None, typer.Option("--seat", metavar="SEAT=PLAYER", help="players")]
DiceOption = Annotated[
    str | None, typer.Option("--dice", metavar="seeded|typed|script:5,4,2", help="dice_at_table")
]
SaveOption = Annotated[Path | None, typer.Option("--save", help="save")]
ResumeOption = Annotated[Path | None, typer.Option("--resume", help="resume")]
ThinkersOption = Annotated[int, typer.Option("--jobs", "-j", help="thinkers")]


def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="game_or_choice")] = None,
    scenario: ScenarioOption = None,
    army: ArmyOption = None,
    seat: SeatOption = None,
    seed: SeedOption = None,
    dice: DiceOption = None,
    option: SettingOption = None,
    save: SaveOption = None,
    resume: ResumeOption = None,
    jobs: ThinkersOption = 1,
    lang: LangOption = None,
) -> None:
    """Play against the computer, or with a friend at the same screen."""
    words = speak(lang)
    at_least_one(words, jobs=jobs)
    if resume is not None:
        _run(*_resume(resume, game, seat, seed, dice, save, words), jobs, words)
        return
    if game is None:
        game, scenario, seat = _choose(scenario, seat, words)
    found = find_game(game, words)
    setup = configure(found, scenario, army, option, words)
    _run(*_begin(found, setup, seat, seed, dice or "seeded", save, words), jobs, words)


def _begin(
    game: Game,
    setup: Setup,
    seats: Sequence[str] | None,
    seed: int | None,
    dice: str,
    save: Path | None,
    words: Words,
) -> tuple[Table, Source]:
    """A new game, set up as far as the first decision."""
    players = _players(game, seats, words)
    chosen = draw_seed() if seed is None else seed
    path = _new_path(game, save, words)
    source = make_source(dice, chosen, type_at_prompt(words), words)
    match = source.run(0, partial(Match.new, game, setup))
    return Table(match, players, chosen, path, dice, words), source


def _in_language(scenario: dict[str, Any], field: str, lang: str) -> str:
    """A text of a scenario file: ``name_fr`` where there is one, else ``name``."""
    return str(scenario.get(f"{field}_{lang}") or scenario.get(field, ""))


def _run(table: Table, source: Source, jobs: int, words: Words) -> None:
    """Play, and leave with the record in safety whatever happens."""
    table.think_with(jobs)
    console, path = table.console, table.record.path
    name, text = (_in_language(table.match.setup.scenario, field, words.lang) for field in ("name", "text"))
    console.print(Text.assemble((name, "bold"), f"\n{text}" if text else ""))
    console.print(Text(words("seed_is", seed=table.seed, file=path), style="dim"), soft_wrap=True)
    try:
        table.run(source)
    except (Quit, KeyboardInterrupt, EOFError) as end:
        console.print()
        console.print(words("go_on", file=path), soft_wrap=True, markup=False)
        if isinstance(end, KeyboardInterrupt):
            raise typer.Exit(INTERRUPTED) from None
    except Fault:
        complain().print(words("go_on", file=path), soft_wrap=True, markup=False)
        raise
    finally:
        dismiss()


# --- seats and files -----------------------------------------------------------------------------


def _players(game: Game, seats: Sequence[str] | None, words: Words, default: Sequence[str] = ()) -> list[str]:
    """Who sits where: ``rome=human`` and the like over the default."""
    players = list(default) or [HUMAN, *[OPPONENT] * (len(game.seats) - 1)]
    for text in seats or ():
        name, equals, player = text.partition("=")
        if not equals:
            raise Fault(words("bad_seat", text=text, seat=game.seats[-1]))
        players[find_seat(game, name, words)] = _player(player, words)
    return players


def _player(name: str, words: Words) -> str:
    if name == HUMAN:
        return HUMAN
    try:
        return bot_name(name)
    except UnknownBot as error:
        raise Fault(words("no_player", problem=words.tell(error.said))) from None


def _new_path(game: Game, save: Path | None, words: Words) -> Path:
    """A file that does not exist yet: records are never overwritten by another game."""
    if save is not None:
        if save.exists():
            raise Fault(words("exists", file=save))
        return save
    stem = f"{game.key}-{datetime.now():%Y%m%d-%H%M%S}"
    names = (f"{stem}{'' if n == 1 else f'-{n}'}.legatus.jsonl" for n in count(1))
    return next(path for path in map(Path, names) if not path.exists())


def _resume(
    file: Path,
    game: str | None,
    seats: Sequence[str] | None,
    seed: int | None,
    dice: str | None,
    save: Path | None,
    words: Words,
) -> tuple[Table, Source]:
    """The table as it was left; what the command line says anew goes first."""
    match = read_record(file)
    if game is not None and find_game(game, words) is not match.game:
        raise Fault(words("other_game", file=file, found=match.game.key, game=game))
    if match.state.outcome is not None:
        raise Fault(words("is_over", file=file), REFUSED)
    differs = match.difference is not None
    path = _path_of(match, file, save, words)
    head = read_head(file)
    players = _players(match.game, seats, words, _noted_players(match.game, head, words))
    noted = None if differs else head.get("seed")  # then its next dice were seen already
    chosen = seed if seed is not None else noted if isinstance(noted, int | str) else draw_seed()
    spec = dice or ("typed" if head.get("dice") == "typed" else "seeded")
    sit = dict(zip(match.game.seats, players, strict=True))
    before = _sat_before(match.game, head, sit, chosen, len(match.journal))
    table = Table(match, players, chosen, path, spec, words, before)
    return table, make_source(spec, chosen, type_at_prompt(words), words)


def _path_of(match: Match, file: Path, save: Path | None, words: Words) -> Path:
    """Where a game that is gone on with is written to.

    If the rules have changed it goes on from its stored position, in another file: what was played stays.
    """
    if match.difference is None:
        if save is not None and save != file and save.exists():
            raise Fault(words("exists", file=save))
        return save or file
    resumed = resumption(match)
    if resumed is None:
        raise Fault(words("resume_differs", file=file, problem=what_differs(match, words)), REFUSED)
    path = save or file.with_name(f"{file.name.split('.')[0]}-edition-{match.game.edition}.legatus.jsonl")
    if path.exists():
        raise Fault(words("exists", file=path))
    go_on(match, resumed)
    return path


def _sat_before(
    game: Game, head: dict[str, Any], seats: dict[str, str], seed: int | str, entries: int
) -> tuple[Sitting, ...]:
    """Who sat here until now, where it was not always those who go on: their decisions can be audited too."""
    try:
        *before, last = sittings(head, game)
    except CannotAudit:
        return ()
    if (last.seats, last.seed) != (seats, seed):
        before.append(Sitting(last.seats, last.seed, entries))
    return tuple(one for one in before if one.until is not None)


def _noted_players(game: Game, head: dict[str, Any], words: Words) -> list[str]:
    noted = head.get("seats")
    if not isinstance(noted, dict) or not all(isinstance(noted.get(seat), str) for seat in game.seats):
        return []
    return [_player(noted[seat], words) for seat in game.seats]


# --- the choice ----------------------------------------------------------------------------------


def _choose(
    scenario: str | None, seats: list[str] | None, words: Words
) -> tuple[str, str | None, list[str] | None]:
    """Game, scenario and opponent, as far as the command line leaves them open."""
    if not is_terminal():
        raise Fault(words("name_game", known=", ".join(GAMES)))
    key = (
        _pick(words("choose_game"), dict.fromkeys(GAMES, ""), words) if len(GAMES) > 1 else next(iter(GAMES))
    )
    game = GAMES[key]
    if scenario is None:
        titles = scenario_titles(game, words)
        scenario = _pick(words("choose_scenario"), titles, words, game.default_scenario) if titles else None
    if not seats:
        mine = _pick(words("choose_seat"), dict.fromkeys(game.seats, ""), words)
        bots = {bot_name(bot): "" for bot in BOTS}
        player = _pick(words("choose_opponent"), {**bots, HUMAN: words("hotseat")}, words, OPPONENT)
        seats = [f"{seat}={HUMAN if seat == mine else player}" for seat in game.seats]
    return key, scenario, seats


def _pick(question: str, choices: dict[str, str], words: Words, default: str = "") -> str:
    """One of the keys, by number or by name; Enter takes the default."""
    console, keys = Console(highlight=False), list(choices)
    default = default if default in choices else keys[0]
    console.print(Text(question, style="bold"))
    wide = max(map(len, keys))
    for n, (key, title) in enumerate(choices.items(), 1):
        console.print(f"  {n:>2}  {key:<{wide}}  {title}".rstrip(), markup=False)
    while True:
        try:
            text = input(words("choose_number", default=keys.index(default) + 1)).strip()
        except EOFError:
            raise typer.Exit from None
        if not text or text in choices:
            return text or default
        if text.isdecimal() and 1 <= int(text) <= len(keys):
            return keys[int(text) - 1]
        console.print(Text(words("no_number", n=text, last=len(keys)), style="red"))
