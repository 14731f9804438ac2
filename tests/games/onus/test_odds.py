"""The odds of an attack: without events, whoever holds which cards, and with every modifier."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from legatus.cli.odds import judged_odds, odds_table
from legatus.cli.words import Words
from legatus.games.onus import ONUS
from legatus.games.onus.building import Buy, GiveBack
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.shooting import Shoot, Shooting
from legatus.games.onus.state import LOST, OnusState
from legatus.kernel import Action, Match, Seeded, legal
from tests.rules import rule

from .stage import at, battle, card, hold

FLANK = "A hastati 10 9", "X african-infantry 10 7.68 90"
FAR = "A archers 10 12", "X hastati 10 9.5"
ATTACKS: list[tuple[OnusState, Action]] = [
    (at(battle(*FLANK), Fights(0)), Engage("A", "X")),
    (at(battle(*FAR), Shooting(0)), Shoot("A", "X")),
]


@rule("OH.deck.4")
@pytest.mark.parametrize(("state", "action"), ATTACKS)
def test_odds_do_not_stop_at_the_question_for_events(state: OnusState, action: Action) -> None:
    held = hold(hold(state, "attacker", card(event="fierce-onset")), "defender", card(event="stand-firm"))
    found = judged_odds(ONUS, held, [action])
    assert len(found.columns["wounds"]) > 1
    assert found.columns == judged_odds(ONUS, state, [action]).columns


@rule("OH.melee.8")
@pytest.mark.parametrize(("lang", "said"), [("en", "attacked on the flank"), ("fr", "attaque de flanc")])
def test_each_modifier_is_told_with_its_clause(lang: str, said: str) -> None:
    state, action = ATTACKS[0]
    console = Console(width=120, record=True, file=StringIO())
    console.print(odds_table(ONUS, state, action, judged_odds(ONUS, state, [action]), Words(lang)))
    lines = console.export_text().splitlines()
    assert any("+1" in line and said in line.lower() and "[OH.melee.8]" in line for line in lines)


def test_a_card_destroyed_before_is_not_healed_by_odds() -> None:
    """A card that took more wounds than it had life stays as it is."""
    state = at(battle("A archers 10 12", "X hastati 10 9.5; Y hastati 2 2"), Shooting(0))
    lost = state.roster.index["Y"]
    state.wounds[lost], state.where[lost] = state.roster.units[lost].kind.life + 2, LOST
    found = judged_odds(ONUS, state, [Shoot("A", "X")])
    assert found.columns["healed"] == {0: 1}


def test_odds_of_what_is_bought_measure_nothing() -> None:
    """OH.army.2: a unit that is given back is no unit lost, and its column is not looked for."""
    match = Match.new(ONUS, ONUS.configure("free-siege"), Seeded("odds"))
    while not (back := [action for action in legal(match.state) if isinstance(action, GiveBack)]):
        match.play(
            next(action for action in legal(match.state) if isinstance(action, Buy)), match.seeded("a")
        )
    found = judged_odds(ONUS, match.state, [back[0]])
    assert all(values == {0: 1} for values in found.columns.values())
