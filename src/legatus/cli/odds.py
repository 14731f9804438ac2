"""Exact odds as a table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ..kernel import Action, Game, IllegalAction, why_not
from ..lab.odds import Odds, odds
from .words import Words

BAR = 20  # characters of a certainty
LONG = 10_000  # a fraction with a larger denominator tells nobody anything


def judged_odds(game: Game, state: Any, action: Action) -> Odds:
    """The odds of an action, once it is known to be legal."""
    refusals = why_not(state, action)
    if refusals:
        raise IllegalAction(refusals)
    return odds(game, state, action)


def odds_table(game: Game, state: Any, action: Action, found: Odds, words: Words) -> Group:
    """What can come of an action and how probably; figures that cannot change are left out."""
    messages = game.folder.messages[words.lang]
    table = Table(title=found.action, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("measure", "value", "chance", "odds"):
        table.add_column(words(f"odds_{heading}"), justify="left" if heading == "measure" else "right")
    table.add_column("")
    for column, chances in found.columns.items():
        if set(chances) == {0}:
            continue
        key = f"measure.{column}"
        name = messages.sentences[key] if key in messages else column
        for i, (value, p) in enumerate(chances.items()):
            bar = "█" * round(p * BAR)
            table.add_row("" if i else name, str(value), percent(p), exact(p), bar)
        table.add_row("", "⌀", f"{float(found.mean(column)):.2f}", "", "", style="dim")
    if not table.rows:
        return Group(Text(words("odds_certain", action=found.action)))
    kind = "odds_exact" if found.exact else "odds_sampled"
    return Group(*_terms(game, state, action, words), table, Text(words(kind, runs=found.runs), style="dim"))


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


def percent(p: Fraction) -> str:
    return f"{float(p):.1%}"


def exact(p: Fraction) -> str:
    return f"{p.numerator}/{p.denominator}" if p.denominator < LONG else ""
