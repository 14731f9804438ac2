"""Tactics and weapons: testudo (V12.2), shieldwall (V12.3a), orbis (V12.4b), pila (V11.3b), pikes (V11.4)."""

from __future__ import annotations

import pytest

from legatus.games.virtus.army import TYPES
from legatus.games.virtus.charges import Declarations
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.moves import Moves
from legatus.games.virtus.state import FORMATIONS, VirtusState
from tests.rules import rule

from .field import (
    battle,
    cohesion,
    decision,
    declares,
    do,
    fights,
    formation,
    legal_lines,
    moves,
    place,
    refusals,
    run,
    segments,
    skirmish,
    tokens,
    unit,
)
from .field import tests as about_to_test

TESTUDO = {"legionaries", "veteran_legionaries"}
SHIELDWALL = TESTUDO | {"veteran_auxiliaries", "trained_auxiliaries", "lanciarii", "noble_warriors"}
ORBIS = SHIELDWALL | {
    "barbarian_auxiliaries",
    "palestinian_auxiliaries",
    "formed_archers",
    "javelinmen",
    "light_archers",
    "slingers",
    "warriors",
    "horde",
    "fanatics",
    "dacian_falxmen",
}
FIGHT_OR_CHANGE = (["V5a"], ["V12.2b"], ["V12.3a"], ["V12.4b"])  # each says so


def offered(state: VirtusState) -> list[str]:
    return [line.strip() for line in legal_lines(state)]


def saves(state: VirtusState, token: str, value: int, name: str = "A") -> bool:
    """Whether a unit's next test against this token has exactly this value."""
    line, full = f"save {name} {token}", cohesion(state, name)
    held = cohesion(do(state, line, dice=[value, 1]).state, name)
    lost = cohesion(do(state, line, dice=[value + 1, 1]).state, name)
    return (held, lost) == (full, full - 1)


def charged(state: VirtusState, charger: str, target: str, dice: list[int]) -> VirtusState:
    """A charge in segment 1, declared and made."""
    state = run(declares(state, {1: 9}), f"declare-charge {charger}")
    state = run(state, "done") if isinstance(decision(state), Declarations) else state
    state = run(state, "activate seg1")
    state = run(state, "done") if isinstance(decision(state), Fights) else state
    return run(state, f"charge {charger} {target}", dice=dice)


# --- who may form what (V12.2a, V12.3a, V12.4b) --------------------------------------------------


@rule("V12.2a")
@pytest.mark.parametrize("kind", TYPES)
def test_only_legionaries_form_testudo(kind: str) -> None:
    state = moves(battle(f"A {kind} rome1"), 1)
    assert refusals(state, "form A testudo") == ([] if kind in TESTUDO else ["V12.2a"])
    assert ("form A testudo" in offered(state)) == (kind in TESTUDO)


@rule("V12.3a")
@pytest.mark.parametrize("kind", TYPES)
def test_any_unit_of_defence_three_and_more_forms_shieldwall(kind: str) -> None:
    able = TYPES[kind].vd >= 3
    state = moves(battle(f"A {kind} rome1"), 1)
    assert refusals(state, "form A shieldwall") == ([] if able else ["V12.3a"])
    assert ("form A shieldwall" in offered(state)) == able


@rule("V12.3a")
def test_horse_in_a_shieldwall_saves_better_and_stays_where_it_is() -> None:
    state = do(moves(skirmish("A heavy_cavalry rome1"), 1), "form A shieldwall").state
    assert formation(state, "A") == "shieldwall"
    wall = skirmish("A heavy_cavalry rome1 form=shieldwall tokens=w")
    assert saves(about_to_test(wall), "white", 4)
    assert refusals(moves(wall, 1), "move A rome-reserve") == ["V12.3a"]


@rule("V12.3a")
@pytest.mark.parametrize("kind", TYPES)
def test_a_switch_keeps_shieldwall_for_infantry(kind: str) -> None:
    state = moves(battle(f"A {kind} rome1", shieldwall_any=False), 1)
    assert refusals(state, "form A shieldwall") == ([] if kind in SHIELDWALL else ["V12.3a"])
    assert ("form A shieldwall" in offered(state)) == (kind in SHIELDWALL)


@rule("V12.4b")
@pytest.mark.parametrize("kind", TYPES)
def test_any_infantry_and_nobody_else_forms_orbis(kind: str) -> None:
    state = moves(battle(f"A {kind} rome1"), 1)
    assert refusals(state, "form A orbis") == ([] if kind in ORBIS else ["V12.4b"])
    assert ("form A orbis" in offered(state)) == (kind in ORBIS)


@rule("V12.2a", "V12.3a", "V12.4b")
@pytest.mark.parametrize("form", ["testudo", "shieldwall", "orbis"])
def test_a_formation_is_marked_and_can_be_given_up(form: str) -> None:
    state = do(moves(skirmish("A legionaries rome1"), 1), f"form A {form}").state
    assert formation(state, "A") == form
    state = do(moves(skirmish(f"A legionaries rome1 form={form}"), 1), "form A normal").state
    assert formation(state, "A") == "normal"


@rule("V12.2a", "V12.3a")
def test_testudo_and_shieldwall_can_be_switched_off() -> None:
    state = battle("A legionaries rome1", testudo=False, shieldwall=False, orbis=False)
    assert refusals(moves(state, 1), "form A testudo") == ["V12.2a"]
    assert refusals(moves(state, 1), "form A shieldwall") == ["V12.3a"]
    assert refusals(moves(state, 1), "form A orbis") == ["V12.4b"]


@rule("V12.4b")
@pytest.mark.parametrize(
    ("now", "then"), [("testudo", "orbis"), ("orbis", "shieldwall"), ("shieldwall", "testudo")]
)
def test_a_unit_has_one_formation_at_a_time(now: str, then: str) -> None:
    state = battle(f"A legionaries rome1 form={now}")
    assert refusals(moves(state, 1), f"form A {then}") == ["V12.4b"]


@rule("V12.2b")
@pytest.mark.parametrize("form", ["normal", "wedge"])
def test_a_change_must_change_something(form: str) -> None:
    assert refusals(moves(battle("A legionaries rome1"), 1), f"form A {form}") == ["V12.2b"]


# --- changing, moving, fighting (V12.2b, V12.3a, V12.4b) -----------------------------------------


@rule("V12.2b")
def test_a_change_into_or_out_of_testudo_goes_with_a_move_for_one_point() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1 form=testudo")
    after = do(moves(state, 1, points=1), "form A testudo barb1").state
    assert (formation(after, "A"), place(after, "A"), after.points[1]) == ("testudo", "barb1", 0)
    after = do(moves(state, 1, points=1), "form B normal rome-reserve").state
    assert (formation(after, "B"), place(after, "B"), after.points[1]) == ("normal", "rome-reserve", 0)


@rule("V12.2b")
def test_a_testudo_moves_one_sector() -> None:
    state = skirmish("A legionaries rome1 form=testudo")
    after = do(moves(state, 1), "move A barb1").state
    assert (formation(after, "A"), place(after, "A")) == ("testudo", "barb1")


@rule("V12.2b", "V12.2c")
def test_a_change_does_not_go_with_a_forced_march() -> None:
    state = battle("A legionaries rome1; B legionaries rome1 form=testudo")
    assert refusals(moves(state, 1), "form A testudo rome-reserve>rome2") == ["V6.2a"]
    assert refusals(moves(state, 1), "form B normal rome-reserve>rome2") == ["V6.2a"]


@rule("V12.2b", "V12.3a", "V12.4b")
@pytest.mark.parametrize("form", ["testudo", "shieldwall", "orbis"])
def test_a_unit_that_fought_does_not_change_formation_that_turn(form: str) -> None:
    army = f"A legionaries rome1; B legionaries rome1; C legionaries rome1 form={form}"
    state = run(
        segments(skirmish(army, "X warriors rome1"), {1: 9}), "activate seg1", "fight A", dice=[6] * 4
    )
    state = run(state, "fight C", dice=[6] * 4)
    state = run(state, "done")
    assert isinstance(decision(state), Moves)
    assert refusals(state, f"form A {form}") in FIGHT_OR_CHANGE
    assert refusals(state, "form C normal") in FIGHT_OR_CHANGE
    assert refusals(state, f"form B {form}") == []


@rule("V12.4b", "V12.2b")
def test_dispersed_units_that_fought_may_move_but_not_form_orbis() -> None:
    state = skirmish("A javelinmen rome1; B javelinmen rome1", "X warriors rome1")
    state = run(segments(state, {1: 9}), "activate seg1", "fight A", "done", dice=[6, 6])
    assert refusals(state, "move A rome-reserve") == []
    assert refusals(state, "form A orbis") in FIGHT_OR_CHANGE
    assert refusals(state, "form B orbis") == []


@rule("V12.2b", "V12.3a", "V12.4b")
@pytest.mark.parametrize("form", ["testudo", "shieldwall", "orbis"])
def test_a_unit_that_changed_formation_does_nothing_else_that_turn(form: str) -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1")
    state = do(moves(state, 1), f"form A {form}").state
    assert refusals(fights(state, 1), "fight A") in FIGHT_OR_CHANGE
    assert refusals(fights(state, 1), "fight B") == []
    assert refusals(state, "form A normal") == ["V6.1a"]
    assert "V6.1a" in refusals(state, "move A rome-reserve")


@rule("V12.3a", "V12.4b")
@pytest.mark.parametrize(("form", "clause"), [("shieldwall", "V12.3a"), ("orbis", "V12.4b")])
def test_shieldwall_and_orbis_do_not_move_at_all(form: str, clause: str) -> None:
    state = battle(f"A legionaries rome1 form={form}; B legionaries rome1")
    for path in ("rome-reserve", "barb1", "rome-reserve>rome2"):
        assert refusals(moves(state, 1), f"move A {path}") == [clause]
    assert not any(line.startswith("move A") for line in legal_lines(moves(state, 1)))
    assert refusals(moves(state, 1), "form A normal barb1") == [clause]
    assert refusals(moves(state, 1), f"form B {form} barb1") == [clause]


@rule("V12.3a", "V12.4b")
@pytest.mark.parametrize("form", ["shieldwall", "orbis"])
def test_shieldwall_and_orbis_fight_in_later_turns(form: str) -> None:
    state = battle(f"A legionaries rome1 form={form}", "X warriors rome1")
    assert refusals(fights(state, 1), "fight A") == []


# --- values (V12.2c, V12.3a) ---------------------------------------------------------------------


@rule("V12.2c", "V12.3a")
@pytest.mark.parametrize(
    ("troops", "token", "letter", "value"),
    [
        ("legionaries rome1 form=testudo", "white", "w", 4),
        ("veteran_legionaries rome1 form=testudo", "white", "w", 5),
        ("legionaries rome1 form=testudo", "green", "g", 5),
        ("legionaries rome1 form=testudo", "bolt", "s", 3),
        ("legionaries rome1 form=testudo", "violet", "v", 3),
        ("legionaries rome1 form=testudo", "blue", "u", 2),
        ("legionaries rome1 form=testudo", "black", "k", 2),
        ("legionaries rome1 form=shieldwall", "white", "w", 4),
        ("noble_warriors rome1 form=shieldwall", "white", "w", 4),
        ("trained_auxiliaries rome1 pikes form=shieldwall", "white", "w", 5),
        ("noble_warriors rome1 form=shieldwall", "black", "k", 3),
        ("noble_warriors rome1 form=orbis", "white", "w", 3),
        ("noble_warriors rome1", "white", "w", 3),
    ],
)
def test_testudo_and_shieldwall_save_one_better(troops: str, token: str, letter: str, value: int) -> None:
    assert saves(about_to_test(skirmish(f"A {troops} tokens={letter}")), token, value)


@rule("V12.2c", "V12.3a")
@pytest.mark.parametrize(
    ("troops", "value"),
    [
        ("legionaries rome1 form=testudo", 2),
        ("legionaries rome1 form=shieldwall", 2),
        ("noble_warriors rome1 form=shieldwall", 3),
        ("legionaries rome1 form=orbis", 3),
        ("legionaries rome1", 3),
    ],
)
def test_testudo_and_shieldwall_fight_one_worse_in_front_and_on_the_flank(troops: str, value: int) -> None:
    dice = [value, value + 1, value + 1]
    state = skirmish(f"A {troops} vc=3", "X warriors rome1")
    assert tokens(do(fights(state, 1), "fight A", dice=dice).state, "X") == "w"
    state = skirmish(f"A {troops} vc=3", "X warriors rome2")
    assert tokens(do(fights(state, 1), "outflank A rome2", dice=dice).state, "X") == "w"


@rule("V12.2c")
def test_a_testudo_makes_no_forced_march() -> None:
    state = battle("A legionaries rome1 form=testudo; B legionaries rome1")
    assert refusals(moves(state, 1), "move A rome-reserve>rome2") == ["V12.2c"]
    assert refusals(moves(state, 1), "move B rome-reserve>rome2") == []


@rule("V12.2c")
def test_the_formation_counts_when_the_test_is_rolled() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome1", active="barbarians")
    state = run(fights(state, 1, points=1), "fight X", dice=[1, 6, 6])
    state.form[unit(state, "A")] = FORMATIONS.index("testudo")  # as if it had formed it since
    assert saves(state, "white", 4)


# --- what breaks them (V12.2d, V12.3a, V12.4b) ---------------------------------------------------


@rule("V12.2d", "V12.3a")
@pytest.mark.parametrize("form", ["testudo", "shieldwall"])
def test_a_unit_that_charges_leaves_its_formation_and_strikes_with_its_full_value(form: str) -> None:
    state = charged(skirmish(f"A legionaries rome1 form={form}", "X warriors rome1"), "A", "X", [3, 3, 4, 4])
    assert tokens(state, "X") == "ww"
    assert formation(state, "A") == "normal"
    state = battle(f"A legionaries rome1 form={form}", "X warriors rome1")
    assert refusals(declares(state, {1: 2}), "declare-charge A") == []
    assert refusals(declares(state, {1: 1}), "declare-charge A") == ["V4.3a"]


@rule("V12.2d", "V12.3a")
@pytest.mark.parametrize("form", ["testudo", "shieldwall"])
def test_a_unit_that_is_charged_loses_its_formation_for_all_its_tokens(form: str) -> None:
    army = f"A legionaries rome1 form={form}; B legionaries rome1 form={form} tokens=w"
    state = skirmish(army, "X noble_warriors rome1; Y noble_warriors rome1", active="barbarians")
    state = run(declares(state, {1: 3}), "declare-charge X", "activate seg1")
    state = run(state, "fight Y", dice=[1, 6, 6])
    assert tokens(state, "A") == "w"
    state = run(state, "charge X A", dice=[6, 6, 6])
    assert formation(state, "A") == "normal"
    assert formation(state, "B") == form
    assert saves(state, "white", 3)
    assert saves(state, "white", 4, "B")


@rule("V12.2d", "V12.3a", "V12.4b")
@pytest.mark.parametrize("form", ["testudo", "shieldwall", "orbis"])
def test_a_retreat_ends_a_formation_and_later_tokens_are_tested_without_it(form: str) -> None:
    state = about_to_test(skirmish(f"A legionaries rome1 form={form} tokens=ww"))
    held = run(state, "save A white", dice=[6, 4])
    assert (place(held, "A"), formation(held, "A")) == ("rome1", form)
    state = run(state, "save A white", dice=[6, 5])
    assert (place(state, "A"), formation(state, "A")) == ("rome-reserve", "normal")
    assert saves(state, "white", 3)


@rule("V12.2d")
def test_an_ordinary_fight_or_being_fought_breaks_no_formation() -> None:
    state = skirmish("A legionaries rome1 form=testudo", "X noble_warriors rome1 form=shieldwall")
    after = do(fights(state, 1, points=1), "fight A", dice=[1, 1, 1, 1]).state
    assert (formation(after, "A"), formation(after, "X")) == ("testudo", "shieldwall")


@rule("V12.4b")
def test_a_unit_in_orbis_does_not_charge_and_a_charge_does_not_break_it() -> None:
    state = battle("A legionaries rome1 form=orbis", "X warriors rome1")
    assert refusals(declares(state, {1: 9}), "declare-charge A") == ["V12.4b"]
    state = skirmish("A legionaries rome1", "X noble_warriors rome1 form=orbis")
    assert formation(charged(state, "A", "X", [1, 6, 6, 6]), "X") == "orbis"


# --- pila (V11.3b) -------------------------------------------------------------------------------


@rule("V11.3b")
def test_pila_cost_a_point_more() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome1")
    assert refusals(fights(state, 1, points=1), "fight A pila") == ["V4.3a"]
    after = do(fights(state, 1, points=2), "fight A pila", dice=[3, 3, 4, 4]).state
    assert (tokens(after, "X"), after.points[1]) == ("vv", 0)


@rule("V11.3b")
def test_pila_may_be_thrown_at_a_flank() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome2")
    after = do(fights(state, 1, points=2), "outflank A rome2 pila", dice=[3, 3, 4, 4]).state
    assert (tokens(after, "X"), after.points[1]) == ("vv", 0)
    assert refusals(fights(state, 1, points=1), "outflank A rome2 pila") == ["V4.3a"]


@rule("V11.3b")
@pytest.mark.parametrize(
    ("form", "barred"), [("testudo", True), ("shieldwall", True), ("orbis", False), ("normal", False)]
)
def test_pila_are_not_thrown_from_testudo_or_shieldwall(form: str, barred: bool) -> None:
    state = battle(f"A legionaries rome1 form={form}", "X warriors rome1")
    assert refusals(fights(state, 1), "fight A pila") == (["V11.3b"] if barred else [])
    state = battle(f"A legionaries rome1 form={form}", "X warriors rome2")
    assert refusals(fights(state, 1), "outflank A rome2 pila") == (["V11.3b"] if barred else [])


@rule("V11.3b")
def test_pila_are_not_thrown_in_a_charge() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome1")
    with pytest.raises(ValueError, match="too much"):
        refusals(declares(state, {1: 9}), "declare-charge A pila")
    assert tokens(charged(state, "A", "X", [1, 3, 4, 6]), "X") == "ww"


# --- long spears (V11.4a, V11.4c) ----------------------------------------------------------------

PIKES = "X trained_auxiliaries rome1 pikes"


@rule("V11.4a")
def test_hits_rolled_as_one_before_pikes_are_red() -> None:
    state = skirmish("A legionaries rome1", PIKES)
    assert tokens(do(fights(state, 1), "fight A", dice=[1, 2, 3, 4]).state, "X") == "rww"
    assert tokens(charged(state, "A", "X", [1, 1, 3, 4]), "X") == "rrw"
    state = skirmish("A legionaries rome1", "X trained_auxiliaries rome1")
    assert tokens(do(fights(state, 1), "fight A", dice=[1, 2, 3, 4]).state, "X") == "www"


@rule("V11.4a")
def test_one_unit_of_pikemen_in_the_sector_is_enough_and_their_neighbours_may_take_red() -> None:
    state = skirmish("A legionaries rome1", f"{PIKES}; Y horde rome1; Z warriors rome2 pikes")
    state = do(fights(state, 1, points=1), "fight A", dice=[1, 3, 4, 4]).state
    assert legal_lines(state) == ["take red X", "take red Y", "take white X", "take white Y"]
    state = do(state, "take red Y").state
    assert (tokens(state, "X"), tokens(state, "Y")) == ("w", "r")


@rule("V11.4a")
def test_pikemen_elsewhere_do_not_matter() -> None:
    state = skirmish("A legionaries rome1 pikes", "X warriors rome1; Z warriors barb1 pikes")
    assert tokens(do(fights(state, 1), "fight A", dice=[1, 2, 3, 4]).state, "X") == "www"


@rule("V11.4a")
@pytest.mark.parametrize(
    ("troops", "token", "letter", "value"),
    [
        ("trained_auxiliaries rome1 pikes", "white", "w", 4),
        ("trained_auxiliaries rome1 pikes", "red", "r", 3),
        ("horde rome1 pikes", "white", "w", 3),
        ("horde rome1 pikes", "red", "r", 2),
        ("horde rome1 pikes", "yellow", "y", 2),
        ("horde rome1 pikes", "blue", "u", 2),
        ("horde rome1 pikes", "violet", "v", 1),
        ("horde rome1 pikes", "green", "g", 2),
        ("horde rome1 pikes", "black", "k", 2),
        ("trained_auxiliaries rome1", "white", "w", 3),
        ("trained_auxiliaries rome1", "red", "r", 3),
    ],
)
def test_pikemen_save_one_better_against_white_tokens_only(
    troops: str, token: str, letter: str, value: int
) -> None:
    assert saves(about_to_test(skirmish(f"A {troops} tokens={letter}")), token, value)


@rule("V11.4c")
@pytest.mark.parametrize(
    ("troops", "line", "dice", "expected"),
    [
        ("A legionaries rome2", "outflank A rome1", [1, 2, 3, 6], "rrr"),
        ("A javelinmen rome1", "fight A", [1, 2], "gg"),
        ("A legionaries rome1", "fight A pila", [1, 2, 3, 6], "vvv"),
        ("A dacian_falxmen rome1", "fight A", [1, 2, 3, 6], "uuu"),
        ("A trained_auxiliaries rome1 pikes", "fight A", [1, 2, 3], "rrr"),
        ("A dromedarii rome1", "fight A", [1, 2, 6], "yy"),
        ("A elephants rome1", "fight A", [1, 2, 3, 6], "kkk"),
        ("A cataphracts rome1", "fight A", [1, 2, 3, 6], "rww"),  # a kontos is no long spear
        ("A javelinmen rome2", "outflank A rome1", [1, 2], "gg"),
    ],
)
def test_pikes_are_no_use_against_flanks_missiles_two_handed_weapons_and_other_pikes(
    troops: str, line: str, dice: list[int], expected: str
) -> None:
    state = skirmish(troops, PIKES)
    segment = 2 if "rome2" in troops else 1
    assert tokens(do(fights(state, segment), line, dice=dice).state, "X") == expected


@rule("V11.4c")
def test_shots_at_pikemen_are_green_as_ever() -> None:
    state = skirmish("A formed_archers rome1", "X trained_auxiliaries barb1 pikes")
    assert tokens(do(fights(state, 1), "shoot A", dice=[1, 2, 3]).state, "X") == "gg"


@rule("V11.4c")
def test_pikemen_who_are_charged_by_pikemen_have_no_benefit() -> None:
    state = skirmish("A trained_auxiliaries rome1 pikes", PIKES)
    assert tokens(charged(state, "A", "X", [1, 2, 3]), "X") == "rrr"


@rule("V11.4a")
def test_long_spears_can_be_switched_off() -> None:
    state = skirmish("A legionaries rome1", PIKES, pikes=False)
    assert tokens(do(fights(state, 1), "fight A", dice=[1, 2, 3, 4]).state, "X") == "www"
