"""Fights: who may (V5a-c), dice and values (V5.1a), who takes the hits (V5.1b-c), generals (V5.5a), costs."""

from __future__ import annotations

import pytest

from legatus.games.virtus.attack import ShareChoice
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.moves import Moves
from legatus.games.virtus.segments import Segments
from legatus.games.virtus.state import VirtusState
from tests.rules import rule

from .field import (
    battle,
    cohesion,
    decision,
    declares,
    do,
    fights,
    general,
    legal_lines,
    moves,
    place,
    rallies,
    refusals,
    run,
    segments,
    skirmish,
    tokens,
)

# --- who may fight (V5a, V5b, V5c) ---------------------------------------------------------------


@rule("V5a")
def test_only_units_of_the_segment_in_hand_fight() -> None:
    state = battle("A legionaries rome1; B legionaries rome2", "X warriors rome1; Y warriors rome2")
    assert refusals(fights(state, 1), "fight A") == []
    assert "V5a" in refusals(fights(state, 1), "fight B")
    assert refusals(fights(state, 2), "fight B") == []


@rule("V5a")
def test_a_unit_cannot_fight_with_the_enemys_units() -> None:
    state = battle("A legionaries rome1", "X warriors rome1")
    assert "V5a" in refusals(fights(state, 1), "fight X")


@rule("V5a")
def test_a_unit_that_fought_does_not_move() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1")
    state = run(segments(state, {1: 3}), "activate seg1", "fight A", "done", dice=[6, 6, 6, 6])
    assert isinstance(decision(state), Moves)
    assert refusals(state, "move A rome-reserve") == ["V5a"]
    assert refusals(state, "move B rome-reserve") == []


@rule("V5a")
def test_a_unit_that_moved_into_another_segment_does_not_fight_there() -> None:
    state = skirmish("C heavy_cavalry rome1; B legionaries rome2", "X warriors rome2")
    state = run(segments(state, {1: 2, 2: 3}), "activate seg1")
    state = run(state, "done") if isinstance(decision(state), Fights) else state
    state = run(state, "move C rome-reserve>rome2", "done", "activate seg2")
    assert isinstance(decision(state), Fights)
    assert refusals(state, "fight B") == []
    assert "V5a" in refusals(state, "fight C")
    assert "fight C" not in legal_lines(state)


@rule("V5b")
def test_a_unit_fights_once_a_turn() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1")
    after = do(fights(state, 1), "fight A", dice=[6, 6, 6, 6]).state
    assert refusals(after, "fight A") == ["V5b"]
    assert "fight A" not in legal_lines(after)
    assert refusals(after, "fight B") == []


@rule("V5b")
def test_a_shot_is_the_units_one_fight() -> None:
    state = skirmish("A formed_archers rome1; B formed_archers rome1", "X warriors barb1; Y warriors rome2")
    after = do(fights(state, 1), "shoot A", dice=[6, 6, 6]).state
    assert refusals(after, "shoot A") == ["V5b"]
    assert "V5b" in refusals(after, "outflank A rome2")


@rule("V5b", "V4.3h")
def test_a_fight_costs_one_point() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1")
    after = do(fights(state, 1, points=2), "fight A", dice=[6, 6, 6, 6]).state
    assert after.points[1] == 1
    assert refusals(fights(state, 1, points=0), "fight A") == ["V4.3a"]


@rule("V5c")
def test_only_engaged_units_fight() -> None:
    state = battle("A legionaries rome1", "X warriors barb1; Y warriors rome2")
    assert refusals(fights(state, 1), "fight A") == ["V5c"]
    state = battle("A legionaries rome1", "X warriors rome1")
    assert refusals(fights(state, 1), "fight A") == []


@rule("V5c")
def test_a_unit_is_engaged_in_the_enemys_sector_too() -> None:
    state = battle("A legionaries barb1", "X warriors barb1")
    assert legal_lines(fights(state, 1))[0] == "fight A"


@rule("V5c")
def test_an_enemy_general_alone_engages_nobody() -> None:
    state = battle("A light_archers rome1", "X warriors barb1", generals="G barbarians rome1")
    assert refusals(fights(state, 1), "fight A") == ["V5c"]
    assert refusals(fights(state, 1), "shoot A") == []


# --- dice and values (V5.1a) ---------------------------------------------------------------------


@rule("V5.1a")
@pytest.mark.parametrize("left", [1, 2, 3, 4])
def test_a_unit_rolls_as_many_dice_as_it_has_cohesion(left: int) -> None:
    state = skirmish(f"A legionaries rome1 vc={left}", "X warriors rome1")
    assert tokens(do(fights(state, 1), "fight A", dice=[3] * left).state, "X") == "w" * left


@rule("V5.1a")
@pytest.mark.parametrize(
    ("kind", "value"),
    [("light_archers", 1), ("javelinmen", 2), ("trained_auxiliaries", 3), ("noble_warriors", 4)],
)
def test_a_die_equal_to_the_offensive_value_hits_and_one_above_misses(kind: str, value: int) -> None:
    state = skirmish(f"A {kind} rome1 vc=2", "X legionaries rome1")
    assert len(tokens(do(fights(state, 1), "fight A", dice=[value, value]).state, "X")) == 2
    assert len(tokens(do(fights(state, 1), "fight A", dice=[value, value + 1]).state, "X")) == 1
    assert len(tokens(do(fights(state, 1), "fight A", dice=[value + 1, 6]).state, "X")) == 0


@rule("V5.1a")
@pytest.mark.parametrize(
    ("unit", "ground", "value"),
    [
        # printed VO, +1 impetuous at full VC
        ("warriors", "clear", 4),
        ("warriors vc=2", "clear", 3),
        ("horde", "clear", 4),
        # -1 in testudo and shieldwall, nothing in orbis
        ("legionaries form=testudo", "clear", 2),
        ("legionaries form=shieldwall", "clear", 2),
        ("noble_warriors form=shieldwall", "clear", 3),
        ("legionaries form=orbis", "clear", 3),
        # then the cap of 2: after the bonus, and after the penalty
        ("horde", "woods", 2),
        ("legionaries", "woods", 2),
        ("legionaries form=testudo", "woods", 2),
        ("legionaries form=testudo", "thick_forest", 2),
        ("dacian_falxmen", "wooded_hill", 2),
        ("warriors", "woods", 4),
        ("javelinmen", "woods", 2),
        # then what is set to 1: nothing is added to it or taken off it
        ("cataphracts", "woods", 1),
        ("elephants", "thick_forest", 1),
        ("light_cavalry", "wooded_hill", 1),
        ("warriors", "rocks", 1),
        ("legionaries form=testudo", "rocks", 1),
        ("elephants", "crevasse", 1),
        ("javelinmen", "rocks", 2),
        ("slingers", "crevasse", 2),
        ("heavy_cavalry", "camp", 1),
        ("legionaries", "camp", 3),
        # ground that leaves VO alone
        ("legionaries", "marsh", 3),
        ("cataphracts", "marsh", 4),
        ("cataphracts", "hill", 4),
        ("cataphracts", "steep_height", 4),
    ],
)
def test_bonuses_come_before_the_cap_and_the_cap_before_values_set_to_one(
    unit: str, ground: str, value: int
) -> None:
    camp = ground == "camp"
    state = skirmish(
        f"A {unit.split()[0]} rome1 {' '.join(unit.split()[1:])}",
        "X legionaries rome1",
        terrain={"rome1": "clear" if camp else ground},
        camps=["rome1"] if camp else [],
    )
    dice = [value, *[value + 1] * (cohesion(state, "A") - 1)]
    assert len(tokens(do(fights(state, 1), "fight A", dice=dice).state, "X")) == 1


@rule("V5.1a")
@pytest.mark.parametrize(("mark", "dice"), [("with=A", 4), ("with=A hero", 5), ("", 3)])
def test_an_attached_general_adds_a_die_and_a_hero_two(mark: str, dice: int) -> None:
    state = skirmish("A trained_auxiliaries rome1", "X warriors rome1", generals=f"G rome rome1 {mark}")
    assert tokens(do(fights(state, 1), "fight A", dice=[3] * dice).state, "X") == "w" * dice


# --- who takes the hits (V5.1b, V5.1c) -----------------------------------------------------------


def three_hits(barbarians: str, **more: object) -> VirtusState:
    """Legionaries have fought in rome1 and scored three hits."""
    state = skirmish("A legionaries rome1", barbarians, **more)
    return do(fights(state, 1, points=1), "fight A", dice=[1, 2, 3, 4]).state


@rule("V5.1b")
def test_the_opponent_decides_which_of_his_units_takes_a_hit() -> None:
    state = three_hits("X warriors rome1; Y warriors rome1; W warriors rome2")
    choice = decision(state)
    assert isinstance(choice, ShareChoice)
    assert choice.seat == 1
    assert legal_lines(state) == ["take white X", "take white Y"]
    assert tokens(do(state, "take white Y").state, "Y") == "w"


@rule("V5.1b")
def test_a_hit_goes_to_no_unit_outside_the_sector_and_to_no_other_sides_unit() -> None:
    state = three_hits("X warriors rome1; Y warriors rome1; W warriors rome2")
    assert refusals(state, "take white W") == ["V5.1b"]
    assert refusals(state, "take white A") == ["V5.1b"]


@rule("V5.1b")
def test_every_hit_is_one_token_of_the_colour_that_was_dealt() -> None:
    state = three_hits("X warriors rome1; Y warriors rome1")
    assert refusals(state, "take black X") == ["V5.1b"]
    assert tokens(three_hits("X warriors rome1"), "X") == "www"


@rule("V5.1c")
def test_no_unit_takes_a_second_token_until_all_have_one() -> None:
    state = three_hits("X warriors rome1; Y warriors rome1; Z warriors rome1")
    state = do(state, "take white X").state
    assert refusals(state, "take white X") == ["V5.1c"]
    assert legal_lines(state) == ["take white Y", "take white Z"]
    state = do(state, "take white Z").state
    assert [tokens(state, name) for name in "XYZ"] == ["w", "w", "w"]


@rule("V5.1c")
def test_a_second_round_begins_when_all_have_one_token() -> None:
    state = three_hits("X warriors rome1; Y warriors rome1")
    state = do(state, "take white X").state
    assert [tokens(state, name) for name in "XY"] == ["w", "w"]
    assert legal_lines(state) == ["take white X", "take white Y"]
    state = do(state, "take white Y").state
    assert [tokens(state, name) for name in "XY"] == ["w", "ww"]


@rule("V5.1c")
def test_no_unit_takes_a_third_token_until_all_have_two() -> None:
    state = three_hits("X warriors rome1 tokens=ww; Y warriors rome1 tokens=w; Z warriors rome1 tokens=w")
    assert refusals(state, "take white X") == ["V5.1c"]
    state = do(state, "take white Y").state
    assert [tokens(state, name) for name in "XYZ"] == ["ww", "ww", "ww"]
    assert len(legal_lines(state)) == 3


@rule("V5.1c")
def test_tokens_of_earlier_fights_and_of_every_colour_count() -> None:
    state = three_hits("X warriors rome1 tokens=kyg; Y warriors rome1")
    assert [tokens(state, name) for name in "XY"] == ["gky", "www"]
    state = three_hits("X warriors rome1 tokens=kg; Y warriors rome1")
    assert [tokens(state, name) for name in "XY"] == ["gk", "ww"]
    assert legal_lines(state) == ["take white X", "take white Y"]


@rule("V5.1c")
def test_tokens_in_other_sectors_do_not_count() -> None:
    state = three_hits("X warriors rome1 tokens=w; W warriors rome2")
    assert [tokens(state, name) for name in "XW"] == ["wwww", ""]


@rule("V5.1c")
def test_the_defender_chooses_which_colour_goes_where_even_if_only_one_unit_may_take_it() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome1 pikes tokens=w; Y warriors rome1")
    state = do(fights(state, 1, points=1), "fight A", dice=[1, 2, 6, 6]).state
    assert legal_lines(state) == ["take red Y", "take white Y"]
    state = do(state, "take red Y").state
    assert legal_lines(state) == ["take white X", "take white Y"]
    assert [tokens(do(state, "take white X").state, name) for name in "XY"] == ["ww", "r"]


@rule("V5.1c")
def test_sharing_is_even_over_all_fights_of_the_turn() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1; Y warriors rome1")
    state = run(
        fights(state, 1, points=2), "fight A", "take white X", "fight B", dice=[1, 6, 6, 6, 2, 6, 6, 6]
    )
    assert [tokens(state, name) for name in "XY"] == ["w", "w"]


# --- generals hit (V5.5a) ------------------------------------------------------------------------


@rule("V5.5a")
def test_each_six_puts_a_token_on_the_general_of_the_sector() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome1", generals="G barbarians rome1")
    after = do(fights(state, 1), "fight A", dice=[6, 6, 5, 4]).state
    assert after.gtokens[general(after, "G")] == 2
    assert tokens(after, "X") == ""
    assert do(fights(state, 1), "fight A", dice=[5, 5, 5, 1]).state.gtokens == [0]


@rule("V5.5a")
def test_only_the_enemy_general_in_the_sector_is_marked() -> None:
    lords = "F rome rome1; G barbarians rome2; H barbarians barb-reserve; I barbarians barb1"
    state = skirmish("A legionaries rome1", "X warriors rome1", generals=lords)
    after = do(fights(state, 1), "fight A", dice=[6, 6, 6, 6]).state
    assert after.gtokens == [0, 0, 0, 0]


@rule("V5.5a")
def test_an_attached_general_is_marked_in_an_ordinary_fight() -> None:
    lord = "G barbarians rome1 with=X tokens=1"
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1", generals=lord)
    after = do(fights(state, 1), "fight A", dice=[6, 5, 5, 5]).state
    assert after.gtokens[general(after, "G")] == 2


# --- what everything costs (V4.3h) ---------------------------------------------------------------

HILL = {"rome1": "hill"}
FACING = "X warriors barb1"  # an enemy opposite
MIXED = "X warriors rome1"  # an enemy in the same sector

COSTS = {
    "fight": (1, "A trained_auxiliaries rome1", MIXED, "fight A", 3),
    "shooting": (1, "A light_archers rome1", FACING, "shoot A", 2),
    "outflanking": (1, "A trained_auxiliaries rome1", "X warriors rome2", "outflank A rome2", 3),
    "extra die on a hill": (2, "A trained_auxiliaries rome1", MIXED, "fight A hill", 4),
    "pila": (2, "A legionaries rome1", MIXED, "fight A pila", 4),
    "pila on the flank": (2, "A legionaries rome1", "X warriors rome2", "outflank A rome2 pila", 4),
    "overhead shooting": (2, "A formed_archers rome1; B slingers barb1", FACING, "shoot A overhead", 3),
    "fanatics fight": (2, "A fanatics rome1", MIXED, "fight A", 4),
    "fanatics outflank": (2, "A fanatics rome1", "X warriors rome2", "outflank A rome2", 4),
    "stoic unit fights": (2, "A trained_auxiliaries rome1 stoic", MIXED, "fight A", 3),
    "stoic unit shoots": (2, "A light_archers rome1 stoic", FACING, "shoot A", 2),
    "hill and pila": (3, "A legionaries rome1", MIXED, "fight A hill pila", 5),
    "hill, pila and stoic": (4, "A legionaries rome1 stoic", MIXED, "fight A hill pila", 5),
    "overhead and stoic": (
        3,
        "A formed_archers rome1 stoic; B slingers barb1",
        FACING,
        "shoot A overhead",
        3,
    ),
    "stoic fanatics": (3, "A fanatics rome1 stoic", MIXED, "fight A", 4),
}


@rule("V4.3h", "V5b")
@pytest.mark.parametrize("row", COSTS)
def test_a_fight_costs_what_the_table_says(row: str) -> None:
    cost, rome, barbarians, line, dice = COSTS[row]
    state = skirmish(rome, barbarians, terrain=HILL)
    assert refusals(fights(state, 1, points=cost - 1), line) == ["V4.3a"]
    after = do(fights(state, 1, points=cost), line, dice=[6] * dice).state
    assert after.points[1] == 0
    assert do(fights(state, 1, points=cost + 3), line, dice=[6] * dice).state.points[1] == 3


CHARGES = {
    "infantry": (2, "trained_auxiliaries rome1", ""),
    "mounted": (1, "heavy_cavalry rome1", ""),
    "elephants": (1, "elephants rome1", ""),
    "infantry, hill": (3, "trained_auxiliaries rome1", " hill"),
    "mounted, hill": (2, "heavy_cavalry rome1", " hill"),
    "fanatics": (3, "fanatics rome1", ""),
    "stoic infantry": (3, "trained_auxiliaries rome1 stoic", ""),
    "stoic horse": (2, "heavy_cavalry rome1 stoic", ""),
    "stoic infantry, hill": (4, "trained_auxiliaries rome1 stoic", " hill"),
}


@rule("V4.3h", "V5.2d")
@pytest.mark.parametrize("row", CHARGES)
def test_a_charge_costs_what_the_table_says(row: str) -> None:
    cost, unit, hill = CHARGES[row]
    state = skirmish(f"A {unit}", MIXED, terrain=HILL)
    line = f"declare-charge A{hill}"
    assert refusals(declares(state, {1: cost - 1}), line) == ["V4.3a"]
    assert do(declares(state, {1: cost}), line).state.points[1] == 0
    assert do(declares(state, {1: cost + 3}), line).state.points[1] == 3


MOVES = {
    "move": (1, "A trained_auxiliaries rome1", "", "move A rome-reserve", []),
    "move of two sectors": (1, "A heavy_cavalry rome1", "", "move A rome-reserve>rome2", []),
    "forced march": (1, "A trained_auxiliaries rome1", "", "move A rome-reserve>rome2", [1]),
    "forced march of pikemen": (2, "A trained_auxiliaries rome1 pikes", "", "move A rome-reserve>rome2", [1]),
    "move of pikemen": (1, "A trained_auxiliaries rome1 pikes", "", "move A rome-reserve", []),
    "fanatics move": (2, "A fanatics rome1", "", "move A rome-reserve", []),
    "stoic unit moves": (2, "A trained_auxiliaries rome1 stoic", "", "move A rome-reserve", []),
    "stoic pikemen march": (3, "A legionaries rome1 stoic pikes", "", "move A rome-reserve>rome2", [1]),
    "holding back an impetuous unit": (1, "A horde rome1", FACING, "hold A", []),
    "holding back a fanatic unit": (2, "A fanatics rome1", FACING, "hold A", []),
    "holding back a stoic impetuous unit": (2, "A horde rome1 stoic", FACING, "hold A", []),
    "change of formation": (1, "A legionaries rome1", "", "form A testudo", []),
    "change with a move": (1, "A legionaries rome1", "", "form A testudo rome-reserve", []),
    "return to normal": (1, "A legionaries rome1 form=shieldwall", "", "form A normal", []),
    "return to normal with a move": (
        1,
        "A legionaries rome1 form=testudo",
        "",
        "form A normal rome-reserve",
        [],
    ),
    "stoic unit changes": (2, "A legionaries rome1 stoic", "", "form A orbis", []),
    "fanatics change": (2, "A fanatics rome1", "", "form A orbis", []),
}


@rule("V4.3h")
@pytest.mark.parametrize("row", MOVES)
def test_a_move_costs_what_the_table_says(row: str) -> None:
    cost, rome, barbarians, line, dice = MOVES[row]
    state = skirmish(rome, barbarians)
    assert refusals(moves(state, 1, points=cost - 1), line) == ["V4.3a"]
    assert do(moves(state, 1, points=cost), line, dice=dice).state.points[1] == 0
    assert do(moves(state, 1, points=cost + 3), line, dice=dice).state.points[1] == 3


@rule("V4.3h")
def test_the_move_after_a_fight_costs_a_point_of_its_own() -> None:
    state = skirmish("A javelinmen rome1", "X warriors rome1")
    start = run(segments(state, {1: 2}), "activate seg1", "fight A", dice=[6, 6])
    assert start.points[1] == 1
    after = run(start, "move A rome-reserve")
    assert place(after, "A") == "rome-reserve"
    assert after.points[1] == 0
    spent = start.copy()
    spent.points[1] = 0
    assert refusals(spent, "move A rome-reserve") == ["V4.3a"]


@rule("V4.3h")
def test_a_general_rides_and_a_unit_rallies_without_points() -> None:
    state = skirmish("A legionaries rome1", generals="G rome rome-reserve")
    after = do(segments(state, {1: 0, 2: 0, 3: 0}), "ride G rome1").state
    assert after.gplace == [1]
    assert after.points == [0] * 5
    state = skirmish("A legionaries rome-reserve vc=2; B legionaries rome-reserve vc=2")
    after = do(rallies(state), "rally A", dice=[2]).state
    assert cohesion(after, "A") == 3
    assert after.points == [0] * 5


@rule("V4.3a")
def test_end_segment_among_the_fights_gives_up_the_moves_too() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome2", "X warriors rome1")
    state = run(segments(state, {1: 3, 2: 1}), "activate seg1")
    assert isinstance(decision(run(state, "done")), Moves)
    after = run(state, "end-segment")
    assert isinstance(decision(after), Segments)
    assert after.points[1:3] == [0, 1]
