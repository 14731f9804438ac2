"""``legatus play``: a game in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace
from rich.text import Text

from ..bots import BOTS, HUMAN, UnknownBot, bot_name
from ..bots.crew import dismiss
from ..games import GAMES
from ..kernel import Game, Match, Setup
from ..kernel.commitment import (
    COMMITTED,
    CONTRIBUTION,
    SEEDED,
    Contribution,
    commitment_of,
    new_contribution,
    new_seed,
)
from ..kernel.journal import go_on, resumption
from ..lab.audit import CannotAudit, Sitting, noted_sittings
from .common import (
    INTERRUPTED,
    REFUSED,
    ArmyOption,
    Fault,
    LangOption,
    ScenarioOption,
    Screen,
    SeedOption,
    SettingOption,
    complain,
    configure,
    find_game,
    find_seat,
    is_terminal,
    read_head,
    read_line,
    read_record,
    speak,
    what_differs,
)
from .luck import MatchSource, Source, make_source, type_at_prompt
from .record import secret_seed
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
ContributionOption = Annotated[
    list[str] | None, typer.Option("--contribution", metavar="[SEAT=]TEXT", help="contribution")
]
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
    contribution: ContributionOption = None,
    jobs: ThinkersOption = 1,
    lang: LangOption = None,
) -> None:
    """Play against the computer, or with a friend at the same screen."""
    words = speak(lang)
    at_least_one(words, jobs=jobs)
    if resume is not None:
        _run(*_resume(resume, game, seat, seed, dice, save, contribution, words), jobs, words)
        return
    if game is None:
        game, scenario, seat = _choose(scenario, seat, words)
    found = find_game(game, words)
    setup = configure(found, scenario, army, option, words)
    _run(*_begin(found, setup, seat, seed, dice or "seeded", save, contribution, words), jobs, words)


def _begin(
    game: Game,
    setup: Setup,
    seats: Sequence[str] | None,
    seed: int | None,
    dice: str,
    save: Path | None,
    contributions: Sequence[str] | None,
    words: Words,
) -> tuple[Table, Source]:
    """A new game, set up as far as the first decision."""
    players = _players(game, seats, words)
    path = _new_path(game, save, words)
    sat = _promise(new_seed() if seed is None else seed, dict(zip(game.seats, players, strict=True)), dice)
    sat = _contribute(sat, game, 0, contributions, seed is None, words)
    source = _source(sat, game, words)
    match = source.run(0, partial(Match.new, game, setup))
    return Table(match, sat, seed is None, path, words), source


def _promise(seed: int | str, seats: dict[str, str], dice: str) -> Sitting:
    """A new seed for these players, with the hash that promises it."""
    return Sitting(seats, seed, scheme=COMMITTED, commitment=commitment_of(seed), dice=dice)


def _source(sat: Sitting, game: Game, words: Words) -> Source:
    if sat.dice == "seeded":
        return MatchSource(sat, game.seats)
    return make_source(sat.dice, sat.seed or 0, type_at_prompt(words), words)


def _contribute(
    sat: Sitting, game: Game, row: int, texts: Sequence[str] | None, at_random: bool, words: Words
) -> Sitting:
    """Add what people contribute from a row on: what they say, else at random if they gave nothing yet."""
    if sat.scheme == SEEDED:
        if texts:
            raise Fault(words("no_contributions"))
        return sat
    people = [seat for seat in game.seats if sat.seats[seat] == HUMAN]
    given = {one.seat for one in sat.contributions}
    new = {seat: new_contribution() for seat in people if at_random and seat not in given}
    for text in texts or ():
        name, equals, value = text.rpartition("=")
        seats = [game.seats[find_seat(game, name, words)]] if equals else people
        if not CONTRIBUTION.fullmatch(value):
            raise Fault(words("bad_contribution", text=value))
        new |= dict.fromkeys(seats, value)
    added = tuple(Contribution(seat, row, text) for seat, text in new.items())
    return replace(sat, contributions=sat.contributions + added)


def _in_language(scenario: dict[str, Any], field: str, lang: str) -> str:
    """A text of a scenario file: ``name_fr`` where there is one, else ``name``."""
    return str(scenario.get(f"{field}_{lang}") or scenario.get(field, ""))


def _run(table: Table, source: Source, jobs: int, words: Words) -> None:
    """Play, and leave with the record in safety whatever happens."""
    table.think_with(jobs)
    console, path = table.console, table.record.path
    name, text = (_in_language(table.match.setup.scenario, field, words.lang) for field in ("name", "text"))
    console.print(Text.assemble((name, "bold"), f"\n{text}" if text else ""))
    sat = table.sat
    if table.is_secret:
        console.print(Text(words("commitment_is", commitment=sat.commitment), style="dim"), soft_wrap=True)
        for one in sat.contributions:
            contributed = words("contribution_is", seat=one.seat, text=one.text)
            console.print(Text(contributed, style="dim"), soft_wrap=True)
        console.print(Text(words("record_is", file=path), style="dim"), soft_wrap=True)
    else:
        console.print(Text(words("seed_is", seed=sat.seed, file=path), style="dim"), soft_wrap=True)
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
    contributions: Sequence[str] | None,
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
    head, hidden = _with_seed(read_head(file), file)
    players = _players(match.game, seats, words, _noted_players(match.game, head, words))
    spec = dice or ("typed" if head.get("dice") == "typed" else "seeded")
    seats_now = dict(zip(match.game.seats, players, strict=True))
    noted = None if differs else _noted(match.game, head)  # then its next dice were seen already
    if noted is None or noted.seed is None or seed not in (None, noted.seed):
        sat, hidden = _promise(new_seed() if seed is None else seed, seats_now, spec), seed is None
    else:
        sat = replace(noted, seats=seats_now, dice=spec, until=None)
    sat = _contribute(sat, match.game, match.rows, contributions, hidden, words)
    before = _sat_before(match.game, head, sat, len(match.journal))
    return Table(match, sat, hidden, path, words, before), _source(sat, match.game, words)


def _with_seed(head: dict[str, Any], file: Path) -> tuple[dict[str, Any], bool]:
    """The head of a record with the seed that is kept beside it, and whether it is still a secret."""
    seed = secret_seed(file)
    if "seed" in head or seed is None or commitment_of(seed) != head.get("commitment"):
        return head, False
    before = head.get("before", ())
    known = [
        {**one, "seed": seed} if "seed" not in one and one.get("commitment") == head["commitment"] else one
        for one in (before if isinstance(before, list) else ())
        if isinstance(one, dict)
    ]
    return {**head, "seed": seed, **({"before": known} if known else {})}, True


def _noted(game: Game, head: dict[str, Any]) -> Sitting | None:
    """Who sat here last, and what the dice followed from, as far as the record tells."""
    try:
        return noted_sittings(head, game)[-1]
    except CannotAudit:
        return None


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


def _sat_before(game: Game, head: dict[str, Any], sat: Sitting, entries: int) -> tuple[Sitting, ...]:
    """Who sat here until now, where it was not always those who go on: their decisions can be audited too."""
    try:
        *before, last = noted_sittings(head, game)
    except CannotAudit:
        return ()
    same = (last.seats, last.seed, last.dice) == (sat.seats, sat.seed, sat.dice)
    if last.seats and not same:
        before.append(replace(last, until=entries))
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
    console, keys = Screen(highlight=False), list(choices)
    default = default if default in choices else keys[0]
    console.print(Text(question, style="bold"))
    wide = max(map(len, keys))
    for n, (key, title) in enumerate(choices.items(), 1):
        console.print(f"  {n:>2}  {key:<{wide}}  {title}".rstrip(), markup=False)
    while True:
        try:
            text = read_line(words("choose_number", default=keys.index(default) + 1)).strip()
        except EOFError:
            raise typer.Exit from None
        if not text or text in choices:
            return text or default
        if text.isdecimal() and 1 <= int(text) <= len(keys):
            return keys[int(text) - 1]
        console.print(Text(words("no_number", n=text, last=len(keys)), style="red"))
