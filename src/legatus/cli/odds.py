"""Exact odds as a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ..kernel import Action, Game, IllegalAction, why_not
from ..kernel.codec import parse_action
from ..lab.odds import Odds, odds
from ..lab.sequence import THEN as BETWEEN
from ..lab.sequence import sequence_odds
from .common import Teller, cited
from .words import Words

THEN = ("then", "puis")
BAR = 20  # characters of a certainty
LONG = 10_000  # a fraction with a larger denominator tells nobody anything


def said_in_turn(words: Sequence[str]) -> list[str]:
    """The lines of a sequence: ``fight legion-1 then fight legion-2``."""
    return re.split(rf"\s+(?:{'|'.join(THEN)})(?:\s+|$)", " ".join(words))


def judged_odds(game: Game, state: Any, actions: Sequence[Action]) -> Odds:
    """The odds of an action, or of several one after the other, once it is known to be legal."""
    refusals = why_not(state, actions[0])
    if refusals:
        raise IllegalAction(refusals)
    if len(actions) > 1:
        return sequence_odds(game, state, actions)
    return odds(game, game.stilled(state, actions[0]), actions[0])


def odds_table(game: Game, state: Any, action: Action, found: Odds, words: Words) -> Group:
    """What can come of an action and how probably; figures that cannot change are left out."""
    messages = game.folder.messages[words.lang]
    table = Table(title=found.action, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("measure", "value", "chance", "odds" if found.exact else "interval"):
        table.add_column(words(f"odds_{heading}"), justify="left" if heading == "measure" else "right")
    table.add_column("")
    for column, chances in found.columns.items():
        if set(chances) == {0}:
            continue
        key = f"measure.{column}"
        name = messages.sentences[key] if key in messages else column
        for i, (value, p) in enumerate(chances.items()):
            bar = "█" * round(p * BAR)
            table.add_row("" if i else name, str(value), *_chance(found, p, words), bar)
        mean = words.figure(f"{float(found.mean(column)):.2f}")
        table.add_row("", "⌀", mean, "", "", style="dim")
    if not table.rows:
        return Group(Text(words("odds_certain", action=found.action)), *_possible(game, state, found, words))
    kind = "odds_exact" if found.exact else "odds_sampled"
    how = Text(words(kind, runs=found.runs), style="dim")
    return Group(*_terms(game, state, action, words), table, *_possible(game, state, found, words), how)


def _possible(game: Game, state: Any, found: Odds, words: Words) -> list[Text]:
    """Of a sequence: how probably each action after the first is not possible any more; if never, why not."""
    teller, told = Teller(game, words), []
    for line, p in list(zip(found.action.split(BETWEEN), found.possible, strict=False))[1:]:
        chance, sure = _chance(found, 1 - p, words)
        told.append(Text(words("odds_impossible", action=line, p=chance, sure=sure).rstrip()))
        if not p:
            reasons = why_not(state, parse_action(game, line))
            told += [Text("  ") + cited(teller.sentence(state, one), one.clause) for one in reasons]
    return told


def _chance(found: Odds, p: Fraction, words: Words) -> tuple[str, str]:
    """A probability, and the same as a fraction, or its interval."""
    low, high = found.interval(p)
    sure = exact(p) if found.exact else f"{low:.1%} – {high:.1%}"
    return words.figure(f"{float(p):.1%}"), words.figure(sure)


def _terms(game: Game, state: Any, action: Action, words: Words) -> list[Table]:
    """What is added to the die, and their sum."""
    terms = action.terms(state)
    if not terms:
        return []
    messages = game.folder.messages[words.lang]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for term in terms:
        text = messages.render(term, lambda word: game.name(state, word, words.lang))
        table.add_row(f"{term.value:+}", Text(text), Text(f"[{term.clause}]"))
    table.add_row(f"{sum(term.value for term in terms):+}", words("odds_sum"), style="bold")
    return [table]


def exact(p: Fraction) -> str:
    return f"{p.numerator}/{p.denominator}" if p.denominator < LONG else ""
