"""A position under the magnifying glass: ``position``, ``legal``, ``why``, ``apply`` and ``odds``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ..games import GAMES
from ..kernel import Action, Game, IllegalAction, Match, Play, engine, legal, parse_action, say, why_not
from ..kernel.records import position_text
from .common import (
    BULLET,
    REFUSED,
    ActionArgument,
    ArmyOption,
    Fault,
    JsonOption,
    LangOption,
    PositionArgument,
    ScenarioOption,
    SeedOption,
    SettingOption,
    Teller,
    action_data,
    complain,
    configure,
    find_game,
    print_hanging,
    print_json,
    read_position,
    read_record,
    screen,
    speak,
)
from .luck import ScriptSource, Source, draw_seed, make_source, type_at_prompt
from .odds import judged_odds, odds_table, said_in_turn
from .words import Words

DiceOption = Annotated[str | None, typer.Option("--dice", metavar="seeded|typed|5,4,2", help="dice")]


def position(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="game")] = None,
    scenario: ScenarioOption = None,
    army: ArmyOption = None,
    option: SettingOption = None,
    seed: SeedOption = None,
    dice: DiceOption = None,
    at: Annotated[str | None, typer.Option("--at", metavar="RECORD:N", help="moment")] = None,
    lang: LangOption = None,
) -> None:
    """Print a position as JSON: a game just set up, or any moment of a record."""
    words = speak(lang)
    if at is not None:
        match, n = _moment(at, game, words)
        print(position_text(match.game, match.states[n]), end="")
        return
    if game is None:
        raise Fault(words("name_game", known=", ".join(GAMES)))
    found = find_game(game, words)
    setup = configure(found, scenario, army, option, words)
    source = _source(dice or "seeded", draw_seed() if seed is None else seed, words)
    play = source.run(0, lambda luck: engine.start(found, setup, luck))
    _no_dice_left(source, words)
    print(position_text(found, play.state), end="")


def _moment(at: str, game: str | None, words: Words) -> tuple[Match, int]:
    """The record and the entry that ``RECORD:N`` names; without N, the last."""
    path, colon, number = at.rpartition(":")
    if not colon or Path(at).exists():
        path, number = at, ""
    match = read_record(path)
    if game is not None and find_game(game, words) is not match.game:
        raise Fault(words("other_game", file=path, found=match.game.key, game=game))
    last = len(match.journal) - 1
    if number and not number.isdecimal():
        raise Fault(words("bad_at", text=at))
    n = int(number) if number else last
    if n > last:
        raise Fault(words("no_entry", file=path, n=n, last=last))
    return match, n


def legal_actions(position: PositionArgument, lang: LangOption = None, as_json: JsonOption = False) -> None:
    """Print every legal action of a position: its number, its line and its JSON form."""
    speak(lang)
    _, state = read_position(position)
    rows = [{"n": n, **action_data(action)} for n, action in enumerate(legal(state), 1)]
    if as_json:
        print_json(rows)
        return
    wide = max((len(row["line"]) for row in rows), default=0)
    for row in rows:
        print(f"{row['n']:>4}  {row['line']:<{wide}}  {json.dumps(row['action'], ensure_ascii=False)}")


def why(
    position: PositionArgument, action: ActionArgument, lang: LangOption = None, as_json: JsonOption = False
) -> None:
    """Say whether an action is legal and, if not, every reason with the clause it rests on."""
    words = speak(lang)
    game, state, said = _read(position, action)
    refusals, teller = why_not(state, said), Teller(game, words)
    if as_json:
        reasons = [teller.refusal_data(state, refusal) for refusal in refusals]
        print_json({**action_data(said), "legal": not refusals, "refusals": reasons})
    elif not refusals:
        print(words("is_legal", action=say(said)))
    else:
        teller.print_refusals(screen(), state, refusals)
    if refusals:
        raise typer.Exit(REFUSED)


def apply(
    position: PositionArgument,
    action: ActionArgument,
    dice: DiceOption = None,
    seed: SeedOption = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Carry an action out and print the position that follows; what happened goes to the error output."""
    words = speak(lang)
    game, state, said = _read(position, action)
    teller = Teller(game, words)
    spec = dice if dice is not None else "script:" if seed is None else "seeded"
    source = _source(spec, draw_seed() if seed is None else seed, words)
    try:
        play: Play = source.run(0, lambda luck: engine.apply(state, said, luck))
    except IllegalAction as error:
        raise Fault(teller.refusals_line(state, error.refusals), REFUSED) from None
    _no_dice_left(source, words)
    if as_json:
        print_json(_result(game, teller, play))
        return
    console = complain()
    for event in play.events:
        print_hanging(console, BULLET, teller.event(play.state, event))
    if play.state.outcome is not None:
        console.print(teller.outcome(play.state))
    print(position_text(game, play.state), end="")


def _result(game: Game, teller: Teller, play: Play) -> dict[str, Any]:
    events = [teller.event_data(play.state, event) for event in play.events]
    return {
        "events": events,
        "dice": play.faces,
        "position": json.loads(position_text(game, play.state)),
    }


def odds(
    position: PositionArgument,
    action: Annotated[list[str], typer.Argument(metavar="ACTION [then ACTION]", help="sequence")],
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give the exact odds of an action, or of several one after the other."""
    words = speak(lang)
    game, state = read_position(position)
    line = [parse_action(game, text) for text in said_in_turn(action)]
    try:
        found = judged_odds(game, state, line)
        if as_json:
            print_json({"game": game.key, **found.plain()})
        else:
            screen().print(odds_table(game, state, line[0], found, words))
    except IllegalAction as error:
        raise Fault(Teller(game, words).refusals_line(state, error.refusals), REFUSED) from None


def _read(position: str, action: list[str]) -> tuple[Game, Any, Action]:
    game, state = read_position(position)
    return game, state, parse_action(game, " ".join(action))


def _no_dice_left(source: Source, words: Words) -> None:
    if isinstance(source, ScriptSource) and source.script.unused:
        raise Fault(words("dice_left", n=source.script.unused))


def _source(spec: str, seed: int, words: Words) -> Source:
    return make_source(spec, seed, type_at_prompt(words), words)
