"""The columns of an odds table, and the modifiers of an attack in a closer look."""

from __future__ import annotations

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.state import FormationsState
from tests.rules import rule

from .stage import acting, battle, run


def measured(state: FormationsState, line: str, dice: list[int]) -> dict[str, int]:
    """What an action has come to, without the columns that say nothing."""
    return {key: n for key, n in FORMATIONS.measure(state, run(state, line, dice=dice)).items() if n}


@rule("AH14.missile", "A.def.steps")
def test_a_shot_counts_the_steps_that_it_costs() -> None:
    state = acting(battle("A archer 0508; B spear 1111", "X orc 0505"))
    assert measured(state, "shoot A X", [1, 1, 1, 1]) == {"steps": 1, "points": 1}
    assert measured(state, "shoot A X", [6, 5]) == {}


@rule("AH14.missile", "A.merge.p1")
def test_steps_that_were_lost_or_merged_before_are_not_counted_again() -> None:
    state = acting(
        battle("S spear 0707 steps=1 ordered; T spear 0707 steps=1 ordered; A archer 0508", "X orc 0505")
    )
    merged = run(state, "merge S T")
    assert measured(merged, "shoot A X", [6, 5]) == {}
    assert measured(merged, "shoot A X", [1, 1, 1, 1]) == {"steps": 1, "points": 1}


@rule("A.merge.p1", "A.constitute.p1", "A.break.p1")
@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("A spear 0505 steps=1 ordered; B spear 0505 steps=1 ordered", "merge A B"),
        ("A spear 0505 ordered; B spear 0605 ordered", "constitute A B"),
        ("F spear 0505+0605 steps=4 ordered", "break F 2"),
    ],
)
def test_who_becomes_part_of_another_is_not_lost(words: str, line: str) -> None:
    assert measured(acting(battle(f"{words}; Z spear 1111")), line, []) == {}


@rule("AH11.melee")
@pytest.mark.parametrize(
    ("unit", "foe", "said"),
    [
        ("A spear 0505", "X orc 0504", ["Attack on X: 8 or less on the dice."]),
        (
            "A spear 0505 winded",
            "X orc 0504 n",
            ["Attack on X: 10 or less on the dice (Winded +1, target struck in the rear -3)."],
        ),
        ("A spear 0505 rout", "X orc 0504", []),
        ("A spear 0505", "X orc 0506", []),
    ],
)
def test_a_look_tells_whom_a_troop_will_attack_and_how(unit: str, foe: str, said: list[str]) -> None:
    look = FORMATIONS.look(battle(unit, foe), 0, "A", "en")
    assert look is not None
    assert [line for line, clause in look.lines if clause == "AH11.melee"] == said
