"""The arm table (M4.matrix), cell by cell: 16 pairs with a number, 20 that do not fight."""

from __future__ import annotations

import re

import pytest

from legatus.games.metaurus import METAURUS
from tests.rules import rule

from .stage import battle, combats, do, go_on, legal_lines, over, refused

ATTACKERS = ("EL", "CAV", "LEGION", "HI", "MI")
SHEET = {
    "EL": (None, None, -2, None, None),
    "CAV": (3, 0, 1, 1, 1),
    "LEGION": (1, -1, None, -1, -2),
    "HI": (None, -1, 0, None, None),
    "MI": (None, 0, 1, None, None),
    "LI": (None, 3, 4, None, None),
}
"""As the sheet prints it: a row a defender, a column an attacker."""

CELLS = {
    **{(one, foe): row[n] for foe, row in SHEET.items() for n, one in enumerate(ATTACKERS)},
    **{("LI", foe): None for foe in SHEET},
}
FOUGHT = [(one, foe, value) for (one, foe), value in CELLS.items() if value is not None]
NEVER = [pair for pair, value in CELLS.items() if value is None]


def meet(one: str, foe: str, active: str):
    """Two units face to face; the first is about to fight."""
    if active == "rome":
        state = battle(f"A {one} 0505 group=red", f"X {foe} 0504 group=white")
    else:
        state = battle(f"X {foe} 0505 group=red", f"A {one} 0504 group=white", active="carthage")
    return combats(state)


def test_the_table_has_thirty_six_cells() -> None:
    assert len(CELLS) == 36
    assert (len(FOUGHT), len(NEVER)) == (16, 20)


@rule("M4.matrix", "M4.roll")
@pytest.mark.parametrize("active", ["rome", "carthage"])
@pytest.mark.parametrize(("one", "foe", "value"), FOUGHT)
def test_the_arms_of_both_set_the_first_number(one: str, foe: str, value: int, active: str) -> None:
    state = meet(one, foe, active)
    assert legal_lines(state) == ["attack A X"]
    (term,) = state.decision.candidates(state)[0].terms(state)
    assert (term.clause, term.value) == ("M4.matrix", value)
    play = do(state, "attack A X", dice=[4 - value])  # 4: engaged
    (result,) = (event for event in play.events if event.key == "event.result")
    assert (result.values["added"], result.values["result"]) == (f"{value:+}", 4)
    assert result.dice == (4 - value,)


@rule("M4.matrix.na", "M4.matrix.no_li", "M2.attack.2")
@pytest.mark.parametrize("active", ["rome", "carthage"])
@pytest.mark.parametrize(("one", "foe"), NEVER)
def test_a_pair_without_a_number_does_not_fight(one: str, foe: str, active: str) -> None:
    state = meet(one, foe, active)
    assert legal_lines(state) == []
    assert over(go_on(state).state)  # nothing is due
    (refusal,) = refused(state, "attack A X")
    light = ("M4.matrix.no_li", "refusal.light")
    assert (refusal.clause, refusal.key) == (
        light if one == "LI" else ("M4.matrix.na", "refusal.not_applicable")
    )


@rule("M4.matrix.na")
def test_cavalry_does_not_join_in_against_the_elephant() -> None:
    state = combats(battle("A LEGION 0505 n; C CAV 0405 n", "X EL 0504"))
    assert legal_lines(state) == ["attack A X"]
    (refusal,) = refused(state, "attack A X C")
    assert refusal.clause == "M4.matrix.na"


@rule("M4.matrix.no_li")
def test_light_infantry_does_not_join_in() -> None:
    state = combats(battle("X LEGION 0505 n", "A HI 0504; L LI 0604 s", active="carthage"))
    assert legal_lines(state) == ["attack A X"]
    (refusal,) = refused(state, "attack A X L")
    assert refusal.clause == "M4.matrix.no_li"


@rule("M4.matrix", "M4.matrix.na", "M4.matrix.no_li")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_rulebook_prints_the_same_table(lang: str) -> None:
    text = METAURUS.folder.rulebooks[lang].clauses["M4.matrix"].rule
    head, _, *rows = [
        [cell.strip() for cell in line.strip("| ").split("|")]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    codes = {"EL": "EL", "CAV": "CAV", "LEGION": "LEGION", "HI": "HI", "MI": "MI", "LI": "LI"}
    columns = [next(codes[w] for w in re.findall(r"[A-Z]{2,}", cell) if w in codes) for cell in head[1:]]
    printed = {
        (one, row[0]): None if value == "N/A" else int(value.replace("−", "-"))
        for row in rows
        for one, value in zip(columns, row[1:], strict=True)
    }
    assert {**printed, **{("LI", foe): None for foe in SHEET}} == CELLS
