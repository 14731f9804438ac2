"""What can be set up: games, scenarios, options, armies, rulebooks."""

from __future__ import annotations

from importlib.metadata import version
from itertools import groupby
from typing import Any

from ..bots import BOTS, level_name
from ..games import GAMES
from ..kernel import Game
from ..kernel.drafts import CheckedDesign, Workshop
from ..kernel.files import parse_toml
from .faults import Fault
from .wire import (
    BotInfo,
    ChapterInfo,
    CheckArmy,
    CheckDesign,
    CheckedArmy,
    ClauseInfo,
    GameInfo,
    Lobby,
    OptionInfo,
    Rules,
    SeatName,
)
from .words import WORDS


def game_of(key: str) -> Game:
    if key not in GAMES:
        raise Fault("not-found", "game", game=repr(key), known=", ".join(GAMES))
    return GAMES[key]


def lobby(lang: str) -> Lobby:
    bots = [name for name in BOTS if level_name(name) == name]
    words = WORDS[lang].sentences
    return Lobby(
        version=version("legatus"),
        games=tuple(_game(game, lang) for game in GAMES.values()),
        bots=tuple(
            BotInfo(name, words.get(f"bot.{name}.label", name), words.get(f"bot.{name}.text", ""))
            for name in bots
        ),
    )


def _game(game: Game, lang: str) -> GameInfo:
    words = game.folder.messages[lang].sentences
    return GameInfo(
        key=game.key,
        name=words.get("game.name", game.key),
        edition=game.edition,
        text=words.get("game.text", ""),
        seats=tuple(SeatName(seat, words.get(f"name.{seat}", seat)) for seat in game.seats),
        default_scenario=game.default_scenario,
        scenarios=game.scenarios(lang),
        options=tuple(_option(game, option, words) for option in game.options),
        armies=game.armies(lang),
        builder=bool(game.recruits(lang)),
        designer=game.workshop(lang) is not None,
    )


def _option(game: Game, option: Any, words: dict[str, str]) -> OptionInfo:
    return OptionInfo(
        key=option.key,
        label=words.get(f"option.{option.key}", option.key),
        clause=option.clause,
        default=option.default,
        choices=tuple(
            SeatName(choice, words.get(f"choice.{option.key}.{choice}", choice)) for choice in option.choices
        ),
    )


def rules(game: Game, lang: str) -> Rules:
    clauses = game.folder.rulebooks[lang].clauses.values()
    chapters = tuple(
        ChapterInfo(title, tuple(ClauseInfo(c.id, c.kind, c.house, c.informative, c.text) for c in found))
        for title, found in groupby(clauses, key=lambda clause: clause.chapter)
    )
    return Rules(game.key, game.edition, lang, chapters)


def check_army(game: Game, ask: CheckArmy, lang: str) -> CheckedArmy:
    """An army, priced and judged; a BadFile if it is not one."""
    if not game.recruits(lang):
        raise Fault("bad-request", "no-armies", game=game.key)
    if (ask.text is None) == (ask.army is None):
        raise Fault("bad-request", "army-or-text")
    army = parse_toml(ask.text, "army") if ask.text is not None else ask.army
    assert army is not None
    judged = game.muster(army, lang, ask.budget, ask.options)
    return CheckedArmy({**army, "edition": game.edition}, judged)


def workshop(game: Game, lang: str) -> Workshop:
    found = game.workshop(lang)
    if found is None:
        raise Fault("bad-request", "no-designs", game=game.key)
    return found


def check_design(game: Game, ask: CheckDesign, lang: str) -> CheckedDesign:
    """A fortress, priced and judged; a BadFile if it is none."""
    workshop(game, lang)
    if (ask.text is None) == (ask.design is None):
        raise Fault("bad-request", "design-or-text")
    design = parse_toml(ask.text, "design") if ask.text is not None else ask.design
    assert design is not None
    return game.judge_design(design, lang)
