"""Forming up pays (AH11.melee AH21.modes AH29.stack_order): the table of the README, and what it shows."""

from __future__ import annotations

import pytest

from legatus.games.formations import FORMATIONS
from tests.rules import rule

from .exchanges import COLUMNS, SITUATIONS, exchange, long_fight, table

FRONT = ("foot in March, front", "foot in Shield Wall, front")
FIGHTING = ("rank-rotation", "shield-wall")
TINY = 1e-9


def losses(situation: str) -> dict[str, float]:
    return {column: exchange(column, situation)[1] for column in COLUMNS}


@rule("AH11.melee", "AH21.modes", "AH29.stack_order")
def test_the_readme_has_the_table_as_it_is() -> None:
    readme = FORMATIONS.folder.text("README.md")
    for line in table():
        assert line in readme.splitlines()


@rule("AH11.melee", "AH29.stack_order")
@pytest.mark.parametrize("situation", FRONT)
@pytest.mark.parametrize("mode", FIGHTING)
def test_front_to_front_a_formation_inflicts_as_much_and_loses_two_thirds(mode: str, situation: str) -> None:
    inflicted, lost = exchange(mode, situation)
    loosely, dearly = exchange("loose", situation)
    assert inflicted >= loosely
    assert lost <= dearly * 2 / 3


@rule("AH21.modes")
@pytest.mark.parametrize("situation", [*FRONT, "loose foot, front"])
def test_march_is_for_marching(situation: str) -> None:
    inflicted, lost = exchange("march", situation)
    assert all(inflicted < exchange(mode, situation)[0] for mode in ("loose", *FIGHTING))
    assert all(lost > exchange(mode, situation)[1] for mode in FIGHTING)


@rule("AH21.modes", "AH14.missile")
@pytest.mark.parametrize("situation", ["archers, front", "archers, flank"])
def test_a_tortoise_is_best_under_missiles(situation: str) -> None:
    lost = losses(situation)
    assert all(lost["tortoise"] < lost[column] for column in COLUMNS if column != "tortoise")


@rule("AH21.modes")
@pytest.mark.parametrize(
    "situation", ["horse that charges, front", "horse that charges, flank", "loose foot, flank"]
)
def test_a_hedgehog_is_best_against_horse_and_in_the_flank(situation: str) -> None:
    lost = losses(situation)
    assert all(lost["hedgehog"] < lost[column] for column in COLUMNS if column != "hedgehog")
    if "flank" in situation:
        inflicted = {column: exchange(column, situation)[0] for column in COLUMNS}
        assert [column for column in COLUMNS if inflicted[column] > 0] == ["hedgehog"]


@rule("AH21.modes", "AH15.fatigue")
def test_rank_rotation_is_best_in_a_long_fight() -> None:
    inflicted = {column: long_fight(column)[0] for column in COLUMNS}
    assert all(inflicted["rank-rotation"] > inflicted[c] for c in COLUMNS if c != "rank-rotation")


@rule("AH21.modes")
@pytest.mark.parametrize("situation", ["foot in Shield Wall, front", "loose foot, front"])
def test_a_shield_wall_holds_best(situation: str) -> None:
    lost = losses(situation)
    assert all(lost["shield-wall"] < lost[column] for column in COLUMNS if column != "shield-wall")


@rule("AH11.melee", "AH21.modes")
def test_loose_troops_suffer_no_more_in_the_flank_than_formations_but_for_a_hedgehog() -> None:
    """A flank costs a formation as much as it costs them, and missiles cost them less."""
    assert set(SITUATIONS) >= {"loose foot, flank", "archers, flank"}
    flank, shot = losses("loose foot, flank"), losses("archers, front")
    assert all(flank["loose"] <= flank[mode] + TINY for mode in COLUMNS if mode != "hedgehog")
    assert all(shot["loose"] < shot[mode] for mode in ("march", "rank-rotation", "hedgehog"))
