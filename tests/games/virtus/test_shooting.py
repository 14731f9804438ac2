"""Shooting at the sector opposite (V5.3a-b), and over the heads of friends (V12.1a)."""

from __future__ import annotations

import pytest

from legatus.games.virtus.army import TYPES
from legatus.games.virtus.attack import ShareChoice
from tests.rules import rule

from .field import (
    battle,
    cohesion,
    decision,
    do,
    fights,
    general,
    legal_lines,
    place,
    refusals,
    skirmish,
    tokens,
)

SHOOTING_VALUES = {
    "formed_archers": 2,
    "light_archers": 2,
    "slingers": 1,
    "horse_archers": 2,
    "scorpions": 3,
    "ballistas": 4,
}
BLOCKING = ("woods", "wooded_hill", "thick_forest")
OPEN = ("clear", "hill", "steep_height", "marsh", "rocks", "crevasse")


# --- the shot (V5.3a) ----------------------------------------------------------------------------


@rule("V5.3a")
@pytest.mark.parametrize("kind", TYPES)
def test_only_units_with_a_shooting_value_shoot(kind: str) -> None:
    state = battle(f"A {kind} rome1", "X warriors barb1")
    assert refusals(fights(state, 1), "shoot A") == ([] if kind in SHOOTING_VALUES else ["V5.3a"])


@rule("V5.3a")
@pytest.mark.parametrize(("kind", "value"), SHOOTING_VALUES.items())
def test_a_die_equal_to_the_shooting_value_hits_and_one_above_misses(kind: str, value: int) -> None:
    state = skirmish(f"A {kind} rome1", "X warriors barb1")
    dice = cohesion(state, "A")
    assert len(tokens(do(fights(state, 1), "shoot A", dice=[value] * dice).state, "X")) == dice
    assert tokens(do(fights(state, 1), "shoot A", dice=[value + 1] * dice).state, "X") == ""


@rule("V5.3a")
def test_a_unit_shoots_with_as_many_dice_as_it_has_cohesion() -> None:
    state = skirmish("A formed_archers rome1 vc=1", "X warriors barb1")
    assert tokens(do(fights(state, 1), "shoot A", dice=[2]).state, "X") == "g"


@rule("V5.3a")
def test_hits_of_a_shot_are_shared_out_by_the_enemy() -> None:
    state = skirmish("A formed_archers rome1", "X warriors barb1; Y warriors barb1; Z warriors barb2")
    state = do(fights(state, 1), "shoot A", dice=[1, 2, 3]).state
    assert isinstance(decision(state), ShareChoice)
    assert legal_lines(state) == ["take green X", "take green Y"]
    state = do(state, "take green Y").state
    assert [tokens(state, name) for name in "XYZ"] == ["g", "g", ""]


@rule("V5.3a")
def test_an_engaged_unit_does_not_shoot() -> None:
    state = battle("A formed_archers rome1", "X warriors barb1; Y warriors rome1")
    assert refusals(fights(state, 1), "shoot A") == ["V5.3a"]
    assert not any(line.startswith("shoot") for line in legal_lines(fights(state, 1)))


@rule("V5.3a")
def test_a_shot_needs_an_enemy_unit_in_the_sector_opposite() -> None:
    lords = "G barbarians barb1"
    state = battle("A formed_archers rome1", "X warriors barb2; Y warriors barb-reserve", generals=lords)
    assert refusals(fights(state, 1), "shoot A") == ["V5.3a"]


@rule("V5.3a")
def test_a_unit_in_the_enemy_camp_has_nothing_opposite() -> None:
    state = battle("A formed_archers barb1", "X warriors rome1; Y warriors barb-reserve")
    assert refusals(fights(state, 1), "shoot A") == ["V5.3a"]


@rule("V5.3a")
def test_the_barbarians_shoot_the_other_way() -> None:
    state = skirmish("A legionaries rome1", "X slingers barb1", active="barbarians")
    assert tokens(do(fights(state, 1), "shoot X", dice=[1, 2]).state, "A") == "g"


@rule("V5.3a")
@pytest.mark.parametrize(
    ("unit", "ground"),
    [
        ("formed_archers rome1", "rocks"),
        ("formed_archers rome1", "crevasse"),
        ("horse_archers rome1", "woods"),
        ("horse_archers rome1", "thick_forest"),
        ("formed_archers rome1", "hill"),
        ("formed_archers rome1 form=orbis", "clear"),
    ],
)
def test_neither_the_shooters_ground_nor_its_formation_changes_a_shot(unit: str, ground: str) -> None:
    state = skirmish(f"A {unit} vc=2", "X warriors barb1", terrain={"rome1": ground})
    assert tokens(do(fights(state, 1), "shoot A", dice=[2, 3]).state, "X") == "g"


@rule("V5.3a", "V5.4b")
def test_a_shot_at_an_engaged_sector_is_not_doubled() -> None:
    state = skirmish("A formed_archers rome1; B slingers barb1", "X warriors barb1")
    assert tokens(do(fights(state, 1), "shoot A overhead", dice=[2, 3, 3]).state, "X") == "g"


@rule("V5.5a")
def test_sixes_of_a_shot_mark_the_general_in_the_sector_shot_at() -> None:
    state = skirmish("A formed_archers rome1", "X warriors barb1", generals="G barbarians barb1")
    after = do(fights(state, 1), "shoot A", dice=[6, 5, 6]).state
    assert after.gtokens[general(after, "G")] == 2


# --- what stops a shot (V5.3b) -------------------------------------------------------------------


@rule("V5.3b")
@pytest.mark.parametrize("ground", BLOCKING)
def test_nobody_shoots_into_woods(ground: str) -> None:
    state = battle("A formed_archers rome1", "X warriors barb1", terrain={"barb1": ground})
    assert refusals(fights(state, 1), "shoot A") == ["V5.3b"]


@rule("V5.3b")
@pytest.mark.parametrize("ground", OPEN)
def test_other_ground_is_open_to_shots(ground: str) -> None:
    state = battle("A formed_archers rome1", "X warriors barb1", terrain={"barb1": ground})
    assert refusals(fights(state, 1), "shoot A") == []


@rule("V5.3b")
def test_a_unit_may_shoot_out_of_woods() -> None:
    state = battle("A formed_archers rome1", "X warriors barb1", terrain={"rome1": "woods"})
    assert refusals(fights(state, 1), "shoot A") == []


@rule("V5.3b")
def test_nobody_shoots_at_a_sector_with_a_friendly_unit_in_it() -> None:
    state = battle("A light_archers rome1; B slingers barb1", "X warriors barb1")
    assert refusals(fights(state, 1), "shoot A") == ["V5.3b"]
    state = battle("A light_archers rome1", "X warriors barb1", generals="G rome barb1")
    assert refusals(fights(state, 1), "shoot A") == []


@rule("V5.3b")
def test_nobody_shoots_out_of_the_reserve() -> None:
    state = battle("A light_archers rome-reserve", "X warriors barb-reserve; Y warriors barb1")
    assert "V5.3b" in refusals(fights(state, 1), "shoot A")


# --- overhead shooting (V12.1a) ------------------------------------------------------------------


@rule("V12.1a")
@pytest.mark.parametrize("kind", SHOOTING_VALUES)
def test_only_formed_archers_shoot_over_friends(kind: str) -> None:
    state = battle(f"A {kind} rome1; B slingers barb1", "X warriors barb1")
    expected = [] if kind == "formed_archers" else ["V12.1a"]
    assert refusals(fights(state, 1), "shoot A overhead") == expected
    assert ("shoot A overhead" in legal_lines(fights(state, 1))) == (kind == "formed_archers")


@rule("V12.1a")
def test_shooting_over_friends_costs_a_point_more() -> None:
    state = skirmish("A formed_archers rome1; B slingers barb1", "X warriors barb1")
    assert refusals(fights(state, 1, points=1), "shoot A overhead") == ["V4.3a"]
    assert do(fights(state, 1, points=2), "shoot A overhead", dice=[6, 6, 6]).state.points[1] == 0


@rule("V12.1a")
@pytest.mark.parametrize(
    ("friends", "value"),
    [
        ("B slingers barb1", 2),
        ("B slingers barb1; C light_cavalry barb1", 2),
        ("B trained_auxiliaries barb1", 1),
        ("B legionaries barb1", 1),
        ("B slingers barb1; C legionaries barb1", 1),
    ],
)
def test_the_shooting_value_is_one_unless_all_friends_in_the_way_are_dispersed(
    friends: str, value: int
) -> None:
    state = skirmish(f"A formed_archers rome1; {friends}", "X warriors barb1")
    dice = [value, value + 1, value + 1]
    assert tokens(do(fights(state, 1), "shoot A overhead", dice=dice).state, "X") == "g"


@rule("V12.1a")
def test_friends_elsewhere_do_not_matter_to_an_overhead_shot() -> None:
    state = skirmish("A formed_archers rome1; L legionaries rome1; B slingers barb1", "X warriors barb1")
    assert tokens(do(fights(state, 1), "shoot A overhead", dice=[2, 3, 3]).state, "X") == "g"


@rule("V12.1a")
def test_friends_are_never_hit() -> None:
    state = skirmish("A formed_archers rome1; B slingers barb1", "X warriors barb1")
    after = do(fights(state, 1), "shoot A overhead", dice=[1, 1, 1]).state
    assert tokens(after, "B") == ""
    assert tokens(after, "X") == "ggg"
    assert place(after, "A") == "rome1"


@rule("V12.1a", "V5.3b")
@pytest.mark.parametrize("ground", BLOCKING)
def test_woods_stop_overhead_shots_too(ground: str) -> None:
    terrain = {"barb1": ground}
    state = battle("A formed_archers rome1; B slingers barb1", "X warriors barb1", terrain=terrain)
    assert "V5.3b" in refusals(fights(state, 1), "shoot A overhead")


@rule("V12.1a")
def test_a_friendly_general_alone_is_no_obstacle() -> None:
    state = skirmish("A formed_archers rome1", "X warriors barb1", generals="G rome barb1")
    assert refusals(fights(state, 1), "shoot A overhead") == ["V12.1a"]
    assert tokens(do(fights(state, 1, points=1), "shoot A", dice=[2, 2, 3]).state, "X") == "gg"


@rule("V12.1a")
def test_overhead_shooting_can_be_switched_off() -> None:
    state = battle("A formed_archers rome1; B slingers barb1", "X warriors barb1", overhead=False)
    assert refusals(fights(state, 1), "shoot A overhead") == ["V12.1a"]
