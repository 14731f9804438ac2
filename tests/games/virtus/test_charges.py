"""Charges: one target (V5.2a), declared early and rolled late (V5.2c-d), whom (V5.2e), pikes (V11.4b)."""

from __future__ import annotations

import pytest

from legatus.games.virtus.charges import Charges, Declarations
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.saves import Saves
from legatus.games.virtus.state import VirtusState
from tests.rules import rule

from .field import (
    battle,
    cohesion,
    decision,
    declares,
    do,
    fights,
    formation,
    general,
    legal_lines,
    moves,
    place,
    refusals,
    run,
    skirmish,
    tokens,
)


def charging(state: VirtusState, *names: str, points: int = 9) -> VirtusState:
    """These units of segment 1 have declared a charge, and its other fights are over."""
    lines = [f"declare-charge {name}" for name in names]
    state = run(declares(state, {1: points}), *lines)
    if isinstance(decision(state), Declarations):
        state = run(state, "done")
    state = run(state, "activate seg1")
    return run(state, "done") if isinstance(decision(state), Fights) else state


# --- the target takes all (V5.2a) ----------------------------------------------------------------


@rule("V5.2a")
def test_all_hits_of_a_charge_go_to_the_unit_that_the_attacker_picks() -> None:
    state = charging(skirmish("A legionaries rome1", "X warriors rome1; Y warriors rome1 tokens=w"), "A")
    assert isinstance(decision(state), Charges)
    assert decision(state).seat == 0
    after = do(state, "charge A Y", dice=[1, 2, 3, 4]).state
    assert [tokens(after, name) for name in "XY"] == ["", "wwww"]


@rule("V5.2a")
def test_a_charge_hits_like_a_fight() -> None:
    state = charging(skirmish("A noble_warriors rome1 vc=2", "X warriors rome1"), "A")
    assert tokens(do(state, "charge A X", dice=[4, 5]).state, "X") == "w"


@rule("V5.2a")
def test_a_charge_is_for_engaged_units_and_their_own_sector() -> None:
    state = battle("A legionaries rome1; B legionaries barb1", "X warriors barb1")
    assert refusals(declares(state, {1: 9}), "declare-charge A") == ["V5.2a"]
    state = skirmish("A legionaries rome1", "X warriors rome1; Y warriors barb1")
    state = charging(state, "A")
    assert refusals(state, "charge A Y") == ["V5.2a"]
    assert legal_lines(state) == ["charge A X"]


@rule("V5.2a")
def test_a_charge_is_the_units_one_fight() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1")
    state = run(declares(state, {1: 9}), "declare-charge A", "done", "activate seg1")
    assert refusals(state, "fight A") == ["V5.2c"]
    assert refusals(state, "fight B") == []
    after = run(state, "done", "charge A X", dice=[6, 6, 6, 6])
    assert refusals(after, "move A rome-reserve") == ["V5a"]


@rule("V5.2a")
def test_several_units_may_charge_the_same_target() -> None:
    state = charging(
        skirmish("A legionaries rome1; B legionaries rome1", "X horde rome1; Y horde rome1"), "A", "B"
    )
    after = run(state, "charge A X", "charge B X", dice=[1, 6, 6, 6, 2, 3, 6, 6])
    assert [tokens(after, name) for name in "XY"] == ["www", ""]


@rule("V5.2a", "V5.1c")
def test_tokens_of_a_charge_count_as_held_when_hits_are_shared() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome2", "X warriors rome1; Y warriors rome1")
    state = run(charging(state, "A"), "charge A X", dice=[1, 1, 6, 6])
    assert [tokens(state, name) for name in "XY"] == ["ww", ""]
    state = do(fights(state, 2), "outflank B rome1", dice=[1, 6, 6, 6]).state
    assert [tokens(state, name) for name in "XY"] == ["ww", "ww"]


# --- declared first, rolled last (V5.2c) ---------------------------------------------------------


@rule("V5.2c")
def test_a_charge_must_have_been_declared_in_the_activation_step() -> None:
    state = charging(skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1"), "A")
    assert refusals(state, "charge B X") == ["V5.2c"]
    assert legal_lines(state) == ["charge A X"]


@rule("V5.2c")
def test_a_charge_is_declared_once_and_paid_in_advance_without_a_target() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1; Y warriors rome1")
    after = do(declares(state, {1: 5}), "declare-charge A").state
    assert after.points[1] == 3
    assert refusals(after, "declare-charge A") == ["V5.2c"]
    with pytest.raises(ValueError, match="too much"):
        refusals(after, "declare-charge B X")


@rule("V5.2c")
def test_charges_are_declared_before_any_segment_is_worked() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1")
    state = run(declares(state, {1: 9}), "done")
    assert refusals(state, "declare-charge A") == ["V4.3a"]
    state = run(state, "activate seg1")
    assert refusals(state, "declare-charge A") == ["V5a"]


@rule("V5.2c")
def test_charges_wait_until_the_normal_fights_of_the_segment_are_over() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1")
    state = run(declares(state, {1: 9}), "declare-charge A", "done", "activate seg1")
    assert isinstance(decision(state), Fights)
    assert refusals(state, "charge A X") == ["V5a"]
    state = run(state, "fight B", dice=[1, 6, 6, 6])
    assert isinstance(decision(state), Charges)
    assert tokens(state, "X") == "w"
    assert refusals(state, "fight B") == ["V5.2c"]


@rule("V5.2c")
def test_a_declared_charge_must_be_made() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome2", "X warriors rome1")
    state = run(declares(state, {1: 2, 2: 1}), "declare-charge A")
    if isinstance(decision(state), Declarations):
        state = run(state, "end-turn")
    assert refusals(state, "end-turn") == ["V5.2c"]
    state = run(state, "activate seg1")
    assert legal_lines(state) == ["charge A X"]
    state = run(state, "charge A X", dice=[6, 6, 6, 6])
    assert refusals(state, "end-turn") == []


@rule("V5.2c")
def test_a_unit_that_will_charge_does_not_move_or_change_formation() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1")
    state = do(declares(state, {1: 9}), "declare-charge A").state
    assert refusals(moves(state, 1), "move A rome-reserve") == ["V5.2c"]
    assert refusals(moves(state, 1), "form A testudo") == ["V5.2c"]


# --- cost (V5.2d) --------------------------------------------------------------------------------


@rule("V5.2d")
@pytest.mark.parametrize(
    ("kind", "cost"),
    [
        ("legionaries", 2),
        ("javelinmen", 2),
        ("horde", 2),
        ("light_cavalry", 1),
        ("cataphracts", 1),
        ("dromedarii", 1),
        ("light_chariots", 1),
        ("elephants", 1),
    ],
)
def test_only_infantry_pays_a_point_more_for_a_charge(kind: str, cost: int) -> None:
    state = skirmish(f"A {kind} rome1", "X warriors rome1")
    assert refusals(declares(state, {1: cost - 1}), "declare-charge A") == ["V4.3a"]
    assert do(declares(state, {1: cost}), "declare-charge A").state.points[1] == 0


# --- whom (V5.2e) --------------------------------------------------------------------------------

SPEED = {
    "ballistas": 0,
    "scorpions": 1,
    "legionaries": 1,
    "javelinmen": 1,
    "elephants": 1,
    "heavy_cavalry": 2,
    "dromedarii": 2,
    "light_chariots": 2,
}


@rule("V5.2e")
@pytest.mark.parametrize("target", SPEED)
@pytest.mark.parametrize("charger", ["legionaries", "javelinmen", "elephants", "heavy_cavalry", "dromedarii"])
def test_nobody_charges_a_faster_unit(charger: str, target: str) -> None:
    state = skirmish(f"A {charger} rome1", f"X {target} rome1; Y ballistas rome1")
    state = charging(state, "A")
    assert refusals(state, "charge A X") == (["V5.2e"] if SPEED[target] > SPEED[charger] else [])
    assert refusals(state, "charge A Y") == []


@rule("V5.2e")
def test_a_charge_is_not_declared_where_all_enemies_are_faster() -> None:
    state = battle("A legionaries rome1", "X light_cavalry rome1; Y light_chariots rome1")
    assert refusals(declares(state, {1: 9}), "declare-charge A") == ["V5.2e"]
    state = battle("A legionaries rome1", "X light_cavalry rome1; Y warriors rome1")
    assert refusals(declares(state, {1: 9}), "declare-charge A") == []


@rule("V5.2e")
@pytest.mark.parametrize("kind", ["scorpions", "ballistas"])
def test_artillery_never_charges(kind: str) -> None:
    state = battle(f"A {kind} rome1", "X ballistas rome1")
    assert refusals(declares(state, {1: 9}), "declare-charge A") == ["V5.2e"]


@rule("V5.2e")
@pytest.mark.parametrize(
    ("form", "ground"), [("orbis", "clear"), ("shieldwall", "clear"), ("normal", "marsh")]
)
def test_the_printed_movement_counts_even_if_the_target_cannot_move(form: str, ground: str) -> None:
    state = skirmish(
        "A elephants rome1",
        f"X noble_warriors rome1 form={form}; Y light_cavalry rome1",
        terrain={"rome1": ground},
    )
    state = charging(state, "A")
    assert refusals(state, "charge A X") == []
    assert refusals(state, "charge A Y") == ["V5.2e"]


# --- the worked example (V5.2f) ------------------------------------------------------------------


@rule("V5.2f", "V5.1a", "V5.2c", "V5.2d")
def test_the_worked_example_of_a_combat_with_a_charge() -> None:
    names = "A trained_auxiliaries rome1; B trained_auxiliaries rome1; C trained_auxiliaries rome1"
    foes = "D trained_auxiliaries rome1; E trained_auxiliaries rome1; F trained_auxiliaries rome1"
    state = battle(names, foes)
    short = run(declares(state, {1: 3}), "declare-charge C", "activate seg1", "fight A", dice=[6, 6, 6])
    assert refusals(fights(short, 1, points=short.points[1]), "fight B") == ["V4.3a"]
    state = run(declares(state, {1: 4}), "declare-charge C", "done", "activate seg1")
    assert state.points[1] == 2
    state = run(state, "fight A", "take white D", "take white E", "fight B", dice=[5, 2, 1, 3, 6, 2])
    assert [tokens(state, name) for name in "DEF"] == ["w", "w", "w"]
    state = do(state, "take white D").state
    assert [tokens(state, name) for name in "DEF"] == ["ww", "w", "w"]
    assert state.points[1] == 0
    assert isinstance(decision(state), Charges)
    state = do(state, "charge C D", dice=[1, 3, 4]).state
    assert [tokens(state, name) for name in "DEF"] == ["wwww", "w", "w"]
    assert isinstance(decision(state), Saves)
    saves = 0
    while tokens(state, "D"):
        state = do(state, "save D white", dice=[1, 1]).state
        saves += 1
    assert saves == 4


# --- generals in the way of a charge (V5.5a) -----------------------------------------------------


@rule("V5.5a")
def test_sixes_of_a_charge_mark_a_general_who_is_not_attached() -> None:
    state = skirmish(
        "A legionaries rome1", "X warriors rome1; Y warriors rome1", generals="G barbarians rome1"
    )
    after = do(charging(state, "A"), "charge A X", dice=[6, 6, 5, 5]).state
    assert after.gtokens[general(after, "G")] == 2


# --- horse against pikes (V11.4b) ----------------------------------------------------------------


def against_pikes(unit: str, target: str = "trained_auxiliaries rome1 pikes", **more: object) -> VirtusState:
    return charging(skirmish(f"A {unit}", f"X {target}; Y legionaries rome1", **more), "A")


@rule("V11.4b")
def test_horse_that_charges_pikes_passes_its_test_at_its_cohesion() -> None:
    after = do(against_pikes("heavy_cavalry rome1 vc=3"), "charge A X", dice=[3, 2, 3, 4]).state
    assert cohesion(after, "A") == 3
    assert tokens(after, "X") == "ww"


@rule("V11.4b")
def test_horse_that_fails_before_pikes_loses_a_point_and_charges_with_the_rest() -> None:
    after = do(against_pikes("heavy_cavalry rome1 vc=3"), "charge A X", dice=[4, 2, 3]).state
    assert cohesion(after, "A") == 2
    assert tokens(after, "X") == "ww"


@rule("V11.4b")
def test_horse_that_loses_its_last_point_before_pikes_does_not_charge() -> None:
    after = do(against_pikes("heavy_cavalry rome1 vc=1"), "charge A X", dice=[2]).state
    assert place(after, "A") == "gone"
    assert tokens(after, "X") == ""


@rule("V11.4b", "V12.3a")
def test_a_charge_that_dies_on_the_pikes_does_not_break_their_shieldwall() -> None:
    state = against_pikes("heavy_cavalry rome1 vc=1", "trained_auxiliaries rome1 pikes form=shieldwall")
    after = do(state, "charge A X", dice=[2]).state
    assert place(after, "A") == "gone"
    assert formation(after, "X") == "shieldwall"


@rule("V11.4b")
def test_elephants_test_before_pikes_and_foot_does_not() -> None:
    assert cohesion(do(against_pikes("elephants rome1"), "charge A X", dice=[5, 6, 6, 6]).state, "A") == 3
    after = do(against_pikes("noble_warriors rome1"), "charge A X", dice=[6, 6, 6]).state
    assert cohesion(after, "A") == 3


@rule("V11.4b")
def test_horse_tests_only_if_pikemen_are_its_target() -> None:
    after = do(against_pikes("heavy_cavalry rome1"), "charge A Y", dice=[6, 6, 6, 6]).state
    assert cohesion(after, "A") == 4


@rule("V11.4b")
def test_horse_that_merely_fights_among_pikes_does_not_test() -> None:
    state = skirmish("A heavy_cavalry rome1", "X trained_auxiliaries rome1 pikes")
    assert cohesion(do(fights(state, 1), "fight A", dice=[6, 6, 6, 6]).state, "A") == 4


@rule("V11.4b")
def test_charisma_does_not_help_horse_before_pikes() -> None:
    state = against_pikes("heavy_cavalry rome1 vc=2", generals="G rome rome1 charismatic")
    assert cohesion(do(state, "charge A X", dice=[3, 6]).state, "A") == 1


@rule("V11.4c", "V11.4b")
def test_a_charger_with_long_spears_of_its_own_does_not_test_and_lances_are_not_long_spears() -> None:
    after = do(against_pikes("heavy_cavalry rome1 pikes"), "charge A X", dice=[6, 6, 6, 6]).state
    assert cohesion(after, "A") == 4
    after = do(against_pikes("cataphracts rome1"), "charge A X", dice=[5, 6, 6, 6]).state
    assert cohesion(after, "A") == 3
