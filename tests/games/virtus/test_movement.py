"""Moves: after the fights (V6.1a), the graph (V6.1b-d), allowances (V6.2), facings (V6.3b), marches."""

from __future__ import annotations

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.army import TYPES
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.moves import Moves
from legatus.games.virtus.segments import Segments
from legatus.games.virtus.sequence import BeginTurn, EndTurn
from legatus.games.virtus.state import PLACES, VirtusState
from legatus.kernel import NeedLuck
from tests.rules import rule

from .field import (
    at,
    battle,
    cohesion,
    decision,
    do,
    fights,
    go_on,
    legal_lines,
    moves,
    place,
    rallies,
    refusals,
    refused,
    run,
    segments,
    skirmish,
)
from .field import tests as about_to_test

# Three ways from rome1, of one, two and three sectors, all paid by segment 1.
WAY = {1: "rome-reserve", 2: "rome-reserve>rome2", 3: "rome-reserve>rome2>barb2"}


def ways(state: VirtusState, segment: int, name: str = "A") -> set[str]:
    """The paths that a unit may take."""
    lines = [line.split() for line in legal_lines(moves(state, segment))]
    return {words[2] for words in lines if words[:2] == ["move", name]}


# --- when and for how much (V6.1a) ---------------------------------------------------------------


@rule("V6.1a")
def test_moves_follow_the_fights_of_the_segment() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome1")
    state = run(segments(state, {1: 5}), "activate seg1")
    assert isinstance(decision(state), Fights)
    assert refusals(state, "move A rome-reserve") == ["V5a"]
    state = run(state, "done")
    assert isinstance(decision(state), Moves)
    assert refusals(state, "fight A") == ["V6.1a"]
    assert refusals(state, "move A rome-reserve") == []


@rule("V6.1a")
def test_each_unit_that_moves_costs_a_point() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1; C legionaries rome1")
    after = run(moves(state, 1, points=3), "move A barb1", "move B rome-reserve")
    assert after.points[1] == 1
    assert (place(after, "A"), place(after, "B"), place(after, "C")) == ("barb1", "rome-reserve", "rome1")
    assert refusals(moves(state, 1, points=0), "move A barb1") == ["V4.3a"]


@rule("V6.1a")
def test_a_unit_moves_once_a_turn() -> None:
    state = skirmish("A heavy_cavalry rome1; B legionaries rome2")
    state = run(segments(state, {1: 1, 2: 3}), "activate seg1", "move A rome-reserve>rome2", "activate seg2")
    assert isinstance(decision(state), Moves)
    assert refusals(state, "move A barb2") == ["V6.1a"]
    assert refusals(state, "move B barb2") == []


@rule("V6.1a")
def test_a_unit_that_retreated_does_not_move() -> None:
    state = skirmish("A legionaries barb1 tokens=w; B legionaries rome1", "X warriors barb1")
    state = do(about_to_test(state), "save A white", dice=[6, 6]).state
    assert place(state, "A") == "rome1"
    assert refusals(moves(state, 1), "move A rome-reserve") == ["V3.3a"]
    assert refusals(moves(state, 1), "move B rome-reserve") == []


# --- the graph (V6.1b, V6.1c, V6.1d) -------------------------------------------------------------


@rule("V6.1b", "V6.2a")
@pytest.mark.parametrize(
    ("unit", "segment", "expected"),
    [
        ("trained_auxiliaries rome-reserve", 1, {"rome1", "rome1>barb1"}),
        ("trained_auxiliaries rome-reserve", 3, {"rome3", "rome3>barb3"}),
        (
            "trained_auxiliaries rome1",
            1,
            {"rome-reserve", "barb1", "rome-reserve>rome2", "rome-reserve>rome3"},
        ),
        ("trained_auxiliaries barb2", 2, {"rome2", "rome2>rome-reserve"}),
        (
            "heavy_cavalry rome2",
            2,
            {
                "rome-reserve",
                "barb2",
                "rome-reserve>rome1",
                "rome-reserve>rome3",
                "rome-reserve>rome1>barb1",
                "rome-reserve>rome3>barb3",
            },
        ),
        (
            "heavy_cavalry barb3",
            3,
            {"rome3", "rome3>rome-reserve", "rome3>rome-reserve>rome1", "rome3>rome-reserve>rome2"},
        ),
    ],
)
def test_units_move_between_reserve_own_sectors_and_the_sectors_opposite(
    unit: str, segment: int, expected: set[str]
) -> None:
    assert ways(battle(f"A {unit}"), segment) == expected


@rule("V6.1b")
def test_the_barbarians_move_on_the_mirrored_graph() -> None:
    state = battle("", "X trained_auxiliaries barb1", active="barbarians")
    assert ways(state, 1, "X") == {"barb-reserve", "rome1", "barb-reserve>barb2", "barb-reserve>barb3"}


@rule("V6.1b", "V6.1c")
@pytest.mark.parametrize(
    ("start", "path"),
    [
        ("rome1", "rome2"),  # sideways
        ("barb1", "barb2"),
        ("rome1", "barb2"),  # diagonally
        ("barb1", "rome2"),
        ("barb1", "barb-reserve"),  # into the enemy reserve
        ("rome1", "barb1>barb-reserve"),
        ("rome1", "barb-reserve"),
        ("rome1", "barb1>barb2"),
        ("barb1", "rome-reserve"),  # leaping over a sector
        ("rome1", "rome1"),
        ("rome1", "rome4"),  # not on a table of three columns
        ("rome1", "nowhere"),
    ],
)
def test_all_other_steps_are_forbidden(start: str, path: str) -> None:
    state = battle(f"A heavy_cavalry {start}")
    assert refusals(moves(state, 1), f"move A {path}")[0] == "V6.1b"


@rule("V6.1c")
def test_a_unit_changes_segment_by_way_of_its_reserve_only() -> None:
    state = battle("A heavy_cavalry rome1")
    assert refusals(moves(state, 1), "move A rome2") == ["V6.1b"]
    assert refusals(moves(state, 1), "move A barb1>barb2") == ["V6.1b"]
    assert (
        place(run(moves(skirmish("A heavy_cavalry rome1"), 1), "move A rome-reserve>rome2"), "A") == "rome2"
    )


@rule("V6.1d")
def test_an_engaged_unit_does_not_advance_but_may_withdraw() -> None:
    state = battle("A trained_auxiliaries rome1", "X warriors rome1")
    assert refusals(moves(state, 1), "move A barb1") == ["V6.1d"]
    assert ways(state, 1) == {"rome-reserve", "rome-reserve>rome2", "rome-reserve>rome3"}


@rule("V6.1d")
def test_an_engaged_unit_in_the_enemy_camp_withdraws_to_its_own_sector_and_reserve() -> None:
    state = battle("A heavy_cavalry barb1", "X warriors barb1")
    assert {"rome1", "rome1>rome-reserve"} <= ways(state, 1)
    state = battle("A heavy_cavalry barb1", "X warriors barb1; Y warriors rome1")
    assert {"rome1", "rome1>rome-reserve"} <= ways(state, 1)


@rule("V6.1d")
def test_a_unit_that_steps_among_enemies_in_its_own_sector_goes_no_further_forward() -> None:
    state = battle("A heavy_cavalry rome-reserve", "X warriors rome1")
    assert refusals(moves(state, 1), "move A rome1>barb1") == ["V6.1d"]
    assert refusals(moves(state, 1), "move A rome1") == []
    state = battle("A heavy_cavalry rome-reserve", "X warriors barb1", generals="G barbarians rome1")
    assert refusals(moves(state, 1), "move A rome1>barb1") == []


@rule("V6.1d")
def test_a_unit_that_was_engaged_falls_back_and_enters_no_enemy_sector_in_that_move() -> None:
    """By way of the reserve it reaches another sector of its own camp, and goes no further."""
    state = battle("C heavy_cavalry rome1; D heavy_cavalry rome3", "X horde rome1; Y horde barb2")
    assert refusals(moves(state, 1), "move C rome-reserve>rome2>barb2") == ["V6.1d"]
    assert refusals(moves(state, 1), "move C rome-reserve>rome2") == []
    assert refusals(moves(state, 3), "move D rome-reserve>rome2>barb2") == []  # it was not engaged
    assert not [way for way in ways(state, 1, "C") if "barb" in way]


@rule("V6.1d")
@pytest.mark.parametrize(("foe", "expected"), [("barb1", ["V6.1d"]), ("barb3", [])])
def test_a_unit_engaged_in_the_enemy_camp_does_not_come_back_to_it_in_that_move(
    foe: str, expected: list[str]
) -> None:
    state = battle("C heavy_cavalry barb1", f"X horde {foe}; Y horde barb2")
    way = "move C rome1>rome-reserve>rome2>barb2"
    assert [clause for clause in refusals(moves(state, 1), way) if clause != "V6.2a"] == expected
    assert refusals(moves(state, 1), "move C rome1>rome-reserve>rome2") == []


@rule("V6.1d", "V6.4-evade-b")
def test_a_light_unit_that_fought_falls_back_and_does_not_advance_elsewhere() -> None:
    state = skirmish("C light_cavalry rome1; D light_cavalry rome1", "X horde rome1; Y horde barb2")
    state = at(state, Fights(0, 1), Moves(0, 1))
    state.points[1] = 9
    state = run(state, "fight C", "done", dice=[6, 6])
    assert refusals(state, "move C rome-reserve>rome2>barb2") == ["V6.1d"]
    assert refusals(state, "move C rome-reserve>rome2") == []


@rule("V6.1d")
def test_a_withdrawal_keeps_to_the_allowance() -> None:
    state = skirmish("A elephants barb1; B heavy_cavalry barb1", "X warriors barb1")
    assert "V6.2a" in refusals(moves(state, 1), "move A rome1>rome-reserve>rome2")
    assert place(do(moves(state, 1), "move B rome1>rome-reserve").state, "B") == "rome-reserve"
    assert cohesion(do(moves(state, 1), "move A rome1>rome-reserve", dice=[4]).state, "A") == 3


# --- allowances (V6.2a, V6.2b) -------------------------------------------------------------------

HORSE = [
    "cataphracts",
    "heavy_cavalry",
    "medium_cavalry",
    "dromedarii",
    "cataphract_dromedaries",
    "light_cavalry",
    "horse_archers",
    "light_chariots",
]
MVT = {kind: 0 if kind == "ballistas" else 2 if kind in HORSE else 1 for kind in TYPES}


@rule("V6.2a")
@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != "ballistas"])
def test_foot_and_elephants_move_one_sector_and_horse_two(kind: str) -> None:
    state = skirmish(f"A {kind} rome1")
    after = do(moves(state, 1), f"move A {WAY[MVT[kind]]}").state
    assert place(after, "A") == WAY[MVT[kind]].split(">")[-1]
    beyond = f"move A {WAY[MVT[kind] + 1]}"
    if kind == "scorpions":
        assert refusals(moves(state, 1), beyond) == ["V6.4-march-a"]
    else:
        with pytest.raises(NeedLuck):  # only a forced march goes further
            do(moves(state, 1), beyond)


@rule("V6.2a")
def test_nobody_moves_two_sectors_more_than_his_allowance() -> None:
    state = battle("A legionaries rome1; B heavy_cavalry barb1; C elephants rome1")
    assert refusals(moves(state, 1), f"move A {WAY[3]}") == ["V6.2a"]
    assert refusals(moves(state, 1), f"move C {WAY[3]}") == ["V6.2a"]
    assert refusals(moves(state, 1), f"move B rome1>{WAY[3]}") == ["V6.2a"]


@rule("V6.2a", "V6.4-march-a")
def test_ballistas_do_not_move_at_all() -> None:
    state = battle("A ballistas rome1; B ballistas rome-reserve")
    assert refusals(moves(state, 1), "move A rome-reserve") == ["V6.4-march-a"]
    assert refusals(moves(state, 1), "move B rome1") == ["V6.4-march-a"]
    assert ways(state, 1) == set()


@rule("V6.2b")
def test_the_worked_example_of_mounted_moves() -> None:
    first = skirmish("A heavy_cavalry rome-reserve")
    after = do(moves(first, 1, points=1), "move A rome1>barb1").state
    assert (place(after, "A"), after.points[1]) == ("barb1", 0)
    second = skirmish("A heavy_cavalry rome1")
    after = do(moves(second, 1, points=1), "move A rome-reserve>rome3").state
    assert (place(after, "A"), after.points[1]) == ("rome3", 0)
    assert refusals(moves(second, 1), "move A rome2") == ["V6.1b"]
    assert refusals(moves(second, 1), "move A barb2") == ["V6.1b"]
    assert refusals(moves(battle("A heavy_cavalry barb1"), 1), "move A barb-reserve") == ["V6.1b"]


# --- generals (V6.2c) ----------------------------------------------------------------------------


def rides(state: VirtusState) -> set[str]:
    return {line.split()[2] for line in legal_lines(state) if line.startswith("ride G ")}


@rule("V6.2c")
@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("rome-reserve", {"rome1", "rome2", "rome3", "barb1", "barb2", "barb3"}),
        ("rome1", {"rome-reserve", "rome2", "rome3", "barb1", "barb2", "barb3"}),
        ("barb1", {"rome-reserve", "rome1", "rome2", "rome3"}),
    ],
)
def test_a_general_rides_up_to_three_sectors_on_the_same_graph(start: str, expected: set[str]) -> None:
    state = segments(battle("A legionaries rome1", generals=f"G rome {start}"))
    assert rides(state) == expected
    far = {name for name in PLACES if name[-1] in "123"} - expected - {start}
    assert all(refusals(state, f"ride G {name}") == ["V6.2c"] for name in far)
    assert refusals(state, "ride G barb-reserve") == ["V6.1b"]
    assert refusals(state, f"ride G {start}")[0] == "V6.2c"


@rule("V6.2c", "V8a")
def test_a_general_rides_free_of_charge_and_several_times_three_sectors_in_all() -> None:
    state = skirmish("A legionaries rome1", generals="G rome rome1; H rome rome3")
    state = do(segments(state, {1: 2}), "ride G rome2").state  # two sectors, by way of the reserve
    assert state.points[1] == 2
    assert rides(state) == {"rome-reserve", "barb2"}  # each of them one sector away
    assert refusals(state, "ride G rome1") == ["V6.2c"]
    state = do(state, "ride G barb2").state
    assert rides(state) == set()
    assert refusals(state, "ride G rome2") == ["V6.2c"]
    assert refusals(state, "ride H rome-reserve") == []


@rule("V6.2c", "V8a")
def test_a_general_rides_a_sector_before_a_fight_and_two_after_it() -> None:
    army = "A legionaries rome1; B legionaries rome1; C legionaries rome2"
    state = skirmish(army, "X horde rome1", generals="G rome rome1")
    state = run(segments(state, {1: 5}), "ride G rome-reserve", "activate seg1", "fight A", dice=[6] * 4)
    state = run(state, "done")
    assert isinstance(decision(state), Moves)
    assert refusals(state, "ride G barb2") == []
    state = run(state, "ride G barb2")
    assert PLACES[state.gplace[0]] == "barb2"
    assert refusals(state, "ride G rome2") == ["V6.2c"]


@rule("V6.2c")
def test_sectors_that_a_general_rode_through_count_and_the_refusal_says_what_is_left() -> None:
    state = skirmish("A legionaries rome1", generals="G rome rome-reserve; H rome rome1")
    state = do(segments(state), "ride G barb1").state  # through the sector of another general
    (refusal,) = refused(state, "ride G rome-reserve")
    assert (refusal.values["steps"], refusal.values["left"]) == (2, 1)
    assert refusals(state, "ride G rome1") == ["V8d"]


@rule("V6.2c")
def test_a_general_may_ride_three_sectors_again_in_his_next_turn() -> None:
    state = run(segments(skirmish("A legionaries rome1", generals="G rome rome1")), "ride G barb2")
    assert rides(state) == set()
    state = go_on(at(state, BeginTurn(0, 7), Segments(0))).state
    assert refusals(state, "ride G rome1") == []


@rule("V6.2c")
def test_a_general_rides_before_a_segment_among_its_moves_after_it_and_before_a_rally() -> None:
    army = "A legionaries rome1; B legionaries rome1; C legionaries rome2; D legionaries rome-reserve vc=2"
    state = segments(skirmish(army, generals="G rome rome1; H rome rome3"), {1: 2, 2: 1})
    assert refusals(state, "ride G rome2") == []
    state = run(state, "activate seg1")
    assert isinstance(decision(state), Moves)
    assert refusals(state, "ride G rome2") == []
    state = run(state, "move A barb1", "done")
    assert isinstance(decision(state), Segments)
    assert refusals(state, "ride G rome2") == []
    state = rallies(skirmish(army, generals="G rome rome1"))
    assert refusals(state, "ride G rome-reserve") == []


@rule("V6.2c")
def test_enemies_and_difficult_ground_do_not_hold_a_general() -> None:
    ground = {"rome1": "thick_forest", "barb1": "marsh"}
    foes = "X warriors rome1; Y warriors barb1"
    state = battle("A legionaries rome1", foes, generals="G rome rome1", terrain=ground)
    assert refusals(segments(state), "ride G barb1") == []
    state = battle("A legionaries rome1", foes, generals="G rome rome-reserve", terrain=ground)
    assert refusals(segments(state), "ride G barb1") == []


@rule("V6.2c")
def test_generals_ride_through_but_not_to_a_sector_with_another_friendly_general() -> None:
    lords = "G rome rome-reserve; H rome rome1; K rome rome2; F barbarians barb2"
    state = segments(battle("A legionaries rome1", generals=lords))
    assert refusals(state, "ride G rome1") == ["V8d"]
    assert refusals(state, "ride G barb1") == []
    assert refusals(state, "ride H rome-reserve") == []
    assert refusals(state, "ride G barb2") == []


@rule("V6.2c")
def test_nobody_rides_the_enemys_general() -> None:
    state = segments(battle("A legionaries rome1", generals="G rome rome1; F barbarians barb2"))
    assert refusals(state, "ride F barb1") == ["V6.2c"]


# --- facing (V6.3b) ------------------------------------------------------------------------------


def facings(state: VirtusState) -> dict[str, str]:
    pieces = VIRTUS.scene(VIRTUS.view(state, 0), 0, "en").pieces
    return {piece.id: piece.facing for piece in pieces if not piece.id.startswith("hurt")}


@rule("V6.3b")
def test_a_unit_that_outflanks_is_turned_to_the_side_until_the_turn_ends() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors rome2")
    assert set(facings(state).values()) == {"front"}
    state = do(fights(state, 1), "outflank A rome2", dice=[6, 6, 6, 6]).state
    assert facings(state) == {"A": "side", "B": "front", "X": "front"}
    state = go_on(at(state, EndTurn(0))).state
    assert set(facings(state).values()) == {"front"}


@rule("V6.3b")
def test_a_unit_that_retreats_shows_its_back_until_the_turn_ends() -> None:
    state = skirmish("A legionaries rome1 tokens=w; B legionaries rome1 tokens=w", "X warriors rome1")
    state = run(about_to_test(state), "save A white", "save B white", dice=[6, 6, 6, 1])
    assert facings(state) == {"A": "back", "B": "front", "X": "front"}
    state = go_on(at(state, EndTurn(0))).state
    assert set(facings(state).values()) == {"front"}


@rule("V6.3b")
def test_fighting_shooting_and_moving_turn_nobody() -> None:
    army = "A legionaries rome1; B legionaries rome1; C formed_archers rome2; D legionaries rome3"
    state = segments(skirmish(army, "X warriors rome1; Y warriors barb2"), {1: 2, 2: 2, 3: 2})
    state = run(state, "activate seg1", "fight A", "done", "done", dice=[6, 6, 6, 6])
    state = run(state, "activate seg2", "shoot C", "done", dice=[6, 6, 6])
    state = run(state, "activate seg3", "move D barb3")
    assert state.active == 0
    assert set(facings(state).values()) == {"front"}


# --- forced marches (V6.4-march-a, V6.4-march-b, V11.4d) -----------------------------------------

MARCH = {
    "legionaries": 3,
    "veteran_legionaries": 3,
    "veteran_auxiliaries": 3,
    "trained_auxiliaries": 4,
    "barbarian_auxiliaries": 4,
    "palestinian_auxiliaries": 4,
    "lanciarii": 4,
    "formed_archers": 4,
    "javelinmen": 5,
    "light_archers": 5,
    "slingers": 5,
    "cataphracts": 3,
    "heavy_cavalry": 3,
    "medium_cavalry": 4,
    "dromedarii": 4,
    "cataphract_dromedaries": 3,
    "light_cavalry": 5,
    "horse_archers": 5,
    "noble_warriors": 4,
    "warriors": 4,
    "horde": 3,
    "fanatics": 3,
    "dacian_falxmen": 3,
    "light_chariots": 5,
    "elephants": 3,
}


@rule("V6.4-march-a", "V6.4-march-b")
@pytest.mark.parametrize(("kind", "threshold"), MARCH.items())
def test_a_forced_march_is_one_sector_more_and_a_test_by_order(kind: str, threshold: int) -> None:
    state = skirmish(f"A {kind} rome1")
    full, way = cohesion(state, "A"), WAY[MVT[kind] + 1]
    passed = do(moves(state, 1), f"move A {way}", dice=[threshold]).state
    assert (place(passed, "A"), cohesion(passed, "A")) == (way.split(">")[-1], full)
    failed = do(moves(state, 1), f"move A {way}", dice=[threshold + 1]).state
    assert (place(failed, "A"), cohesion(failed, "A")) == (way.split(">")[-1], full - 1)


@rule("V6.4-march-a")
def test_the_table_of_marches_is_complete() -> None:
    assert {*MARCH, "scorpions", "ballistas"} == set(TYPES)


@rule("V6.4-march-a")
def test_artillery_does_not_march() -> None:
    state = battle("A scorpions rome1")
    assert refusals(moves(state, 1), f"move A {WAY[2]}") == ["V6.4-march-a"]
    assert ways(state, 1) == {"rome-reserve", "barb1"}


@rule("V6.4-march-a")
def test_a_forced_march_costs_no_more_than_a_move() -> None:
    state = skirmish("A legionaries rome1")
    assert do(moves(state, 1, points=1), f"move A {WAY[2]}", dice=[1]).state.points[1] == 0


@rule("V6.4-march-a")
def test_enemies_and_difficult_ground_hold_a_forced_march() -> None:
    state = battle("A legionaries rome-reserve", "X warriors rome1")
    assert refusals(moves(state, 1), "move A rome1>barb1") == ["V6.1d"]
    state = battle("A legionaries rome-reserve", terrain={"rome1": "marsh"})
    assert refusals(moves(state, 1), "move A rome1>barb1") == ["V7f"]


@rule("V6.4-march-a")
@pytest.mark.parametrize(
    ("form", "clause"), [("testudo", "V12.2c"), ("shieldwall", "V12.3a"), ("orbis", "V12.4b")]
)
def test_units_in_formation_do_not_march(form: str, clause: str) -> None:
    state = battle(f"A legionaries rome1 form={form}")
    assert refusals(moves(state, 1), f"move A {WAY[2]}") == [clause]


@rule("V6.4-march-b")
def test_a_unit_at_its_last_point_dies_of_a_failed_march() -> None:
    state = skirmish("A legionaries rome1 vc=1")
    assert place(do(moves(state, 1), f"move A {WAY[2]}", dice=[4]).state, "A") == "gone"
    assert cohesion(do(moves(state, 1), f"move A {WAY[2]}", dice=[3]).state, "A") == 1


@rule("V11.4d")
def test_pikemen_pay_a_point_more_for_a_forced_march() -> None:
    state = skirmish("A trained_auxiliaries rome1 pikes")
    assert refusals(moves(state, 1, points=1), f"move A {WAY[2]}") == ["V4.3a"]
    after = do(moves(state, 1, points=2), f"move A {WAY[2]}", dice=[4]).state
    assert (place(after, "A"), cohesion(after, "A"), after.points[1]) == ("rome2", 3, 0)
    assert refusals(moves(state, 1, points=1), f"move A {WAY[1]}") == []


@rule("V11.4d", "V6.4-march-b")
def test_pikemen_who_fail_lose_a_point_the_extra_sector_and_what_they_paid() -> None:
    state = skirmish("A trained_auxiliaries rome1 pikes")
    after = do(moves(state, 1, points=2), f"move A {WAY[2]}", dice=[5]).state
    assert (place(after, "A"), cohesion(after, "A"), after.points[1]) == ("rome-reserve", 2, 0)


# --- which segment pays (V4.3f, V4.3g) -----------------------------------------------------------


@rule("V4.3f")
def test_the_segment_of_departure_pays_for_a_change_of_segment() -> None:
    state = skirmish("A heavy_cavalry rome1")
    state.points[2] = 5
    after = do(moves(state, 1, points=1), "move A rome-reserve>rome2").state
    assert after.points[1:3] == [0, 5]
    assert refusals(moves(state, 2), "move A rome-reserve>rome2") == ["V4.3f"]


@rule("V4.3f", "V4.3g")
def test_a_move_to_the_reserve_or_across_is_paid_by_the_segment_left() -> None:
    state = battle("A legionaries rome1; B legionaries barb3")
    for line in ("move A rome-reserve", "move A barb1"):
        assert refusals(moves(state, 1, points=1), line) == []
        assert refusals(moves(state, 2, points=1), line) == ["V4.3f"]
    assert refusals(moves(state, 3), "move B rome3") == []
    assert refusals(moves(state, 1), "move B rome3") == ["V4.3f"]


@rule("V4.3g")
def test_the_segment_of_arrival_pays_for_a_move_out_of_the_reserve() -> None:
    state = skirmish("A legionaries rome-reserve")
    after = do(moves(state, 2, points=1), "move A rome2").state
    assert (place(after, "A"), after.points[2]) == ("rome2", 0)
    assert refusals(moves(state, 1), "move A rome2") == ["V4.3g"]
    assert refusals(moves(state, 2, points=0), "move A rome2") == ["V4.3a"]
    assert ways(state, 2) == {"rome2", "rome2>barb2"}


@rule("V4.3g")
def test_a_fight_is_paid_by_the_segment_where_the_unit_stands() -> None:
    state = skirmish("A legionaries barb2; B legionaries barb2", "X warriors barb2")
    state.points[1] = 5
    after = do(fights(state, 2, points=2), "fight A", dice=[6, 6, 6, 6]).state
    assert after.points[1:3] == [5, 1]


@rule("V4.3g", "V6.1a")
def test_a_unit_is_activated_once_whichever_segment_pays() -> None:
    state = skirmish("A heavy_cavalry rome-reserve; B legionaries rome1; C legionaries rome2")
    state = run(segments(state, {1: 3, 2: 3}), "activate seg1", "move A rome1", "done", "activate seg2")
    assert refusals(state, "move A rome-reserve>rome2")[0] == "V6.1a"
    assert "move A" not in " ".join(legal_lines(state))
