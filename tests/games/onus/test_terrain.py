"""3 Terrain: forest, mountain, lake, hill, river and ford, as far as they concern movement.

A stands at 10 9 and looks north: its front is at y = 8.56 and its rear at y = 9.44.
"""

from __future__ import annotations

import pytest

from legatus.games.onus.charges import Charge
from legatus.games.onus.entering import Align
from legatus.games.onus.forming import Form
from legatus.games.onus.movement import Halt
from legatus.games.onus.pieces import Advance, Slide, Turn, Wheel
from legatus.games.onus.ramparts import level
from legatus.games.onus.state import CHARGED, FOREST, HILL, LIMITED, OnusState
from legatus.games.onus.table import engaged, is_in
from tests.rules import rule

from .stage import battle, farthest, left, moving, place, refusals, run

FAR = "X african-infantry 2 2"
RIVER = (
    "r1 river 7 7 2x1.44; r2 river 9 7 2x1.44; r3 river 11 7 2x1.44; r4 river 13 7 2x1.44"  # y 6.28 to 7.72
)
FORDED = "r1 river 7 7 2x1.44; r2 river 9 7 2x1.44; f ford 11 7 2x1.44; r4 river 13 7 2x1.44"


def one(kind: str = "hastati", where: str = "10 9", **options: str) -> OnusState:
    return moving(battle(f"A {kind} {where}", FAR, **options), "A")


# --- forest --------------------------------------------------------------------------------------


@rule("O3.forest.movement")
def test_triarii_that_touch_a_forest_after_1_du_go_half_a_du_into_it() -> None:
    state = run(one("triarii", ground="w forest 10 6.06 4x3"), Advance(100))
    assert left(state) == 1
    assert farthest(state, Advance) == pytest.approx(0.5, abs=0.015)


@rule("O3.forest.charge")
def test_from_and_into_a_forest_a_unit_charges() -> None:
    state = moving(battle("A hastati 10 9", "X slingers 10 7.2", ground="w forest 10 7.5 4x1.5"), "A")
    assert run(state, Charge("X")).flags[0] & CHARGED
    reduced = run(state, Slide(1800, 1))
    assert refusals(reduced, Charge("X"))[0] == "OH.move.3"


@rule("O3.forest.centre")
@pytest.mark.parametrize(("y", "inside"), [(9, True), (9.99, True), (10.01, False)])
def test_the_middle_of_the_card_says_who_is_in_a_forest(y: float, inside: bool) -> None:
    assert is_in(battle(f"A hastati 10 {y}", ground="w forest 10 9 4x2"), 0, FOREST) is inside


# --- mountain and lake ---------------------------------------------------------------------------


@rule("O3.impassable")
@pytest.mark.parametrize("kind", ["mountain", "lake"])
def test_no_part_of_a_card_lies_over_a_mountain_or_lake(kind: str) -> None:
    state = one(ground=f"m {kind} 10 6.5 4x3")  # its edge is at y = 8
    assert farthest(state, Advance) == pytest.approx(0.56, abs=0.025)
    assert refusals(state, Advance(100)) == ["O3.impassable"]
    corner = one("roman-cavalry", ground=f"m {kind} 11.1 6.5 0.4x0.4")
    assert refusals(corner, Advance(400)) == []
    assert "O3.impassable" in refusals(
        one("roman-cavalry", ground=f"m {kind} 10.8 6.5 0.4x0.4"), Advance(400)
    )


@rule("O3.impassable")
def test_a_unit_beside_a_lake_turns_about_the_corner_that_keeps_it_clear() -> None:
    state = one(ground="l lake 12.4 8 3x2")  # right of the card and ahead of it, from x = 10.9 on
    assert not refusals(state, Wheel("rear-right", -900))
    assert refusals(state, Wheel("front-left", -450)) == ["O3.impassable"]


@rule("O3.impassable")
def test_the_whole_area_over_which_a_card_swings_is_tested() -> None:
    state = one(ground="l lake 10.45 7.65 0.3x0.3")  # it would swing over it, and end beyond it
    turn = Wheel("front-left", -900)
    assert not refusals(one(), turn)
    assert refusals(state, turn) == ["O3.impassable"]
    assert refusals(one(ground="l lake 10 9.65 0.3x0.3"), Turn(1800)) == ["O3.impassable"]
    assert refusals(one(ground="l lake 11.05 8.61 0.04x0.04"), turn) == ["O3.impassable"]


# --- hill ----------------------------------------------------------------------------------------

HILLY = "h hill 10 6 5x4"  # y 4 to 8


@rule("O3.hill.on-top", "OH.level.1")
def test_on_top_is_whose_middle_is_over_the_hill() -> None:
    state = battle("A triarii 10 8.3; B velites 8.2 7; C iberian-infantry 11.8 7.9", ground=HILLY)
    assert [is_in(state, i, HILL) for i in range(3)] == [False, True, True]
    assert [level(state, i) for i in range(3)] == [0, 1, 1]


@rule("O3.hill.example")
def test_triarii_that_touch_a_hill_have_to_climb() -> None:
    state = moving(
        battle("A triarii 10 8.3; B velites 8.2 7; C iberian-infantry 11.8 7.9", FAR, ground=HILLY), "A"
    )
    assert farthest(state, lambda n: Advance(n)) == 1
    assert run(state, Advance(100)).flags[0] & LIMITED


@rule("O3.hill.movement", "O2.limited.half")
def test_to_climb_is_a_limited_move() -> None:
    state = one(where="10 8.5", ground=HILLY)
    assert farthest(state, Advance) == 1.5
    assert not run(state, Advance(40)).flags[0] & LIMITED
    after = run(state, Advance(60))
    assert after.flags[0] & LIMITED
    assert left(after) == 0.9


@rule("O3.hill.movement")
def test_on_a_hill_and_down_again_there_is_no_penalty() -> None:
    assert farthest(one(where="10 7.8", ground=HILLY), Advance) == 3
    down = one(where="10 4.5", ground=HILLY)
    assert not run(down, Advance(300)).flags[0] & LIMITED


@rule("O3.hill.movement")
def test_who_crosses_a_hill_has_climbed_it() -> None:
    state = one("roman-cavalry", ground="h hill 10 7 5x0.5")
    assert refusals(state, Advance(300)) == ["O2.limited.half"]
    wheel = one("roman-cavalry", where="10 9", ground="h hill 10.05 8.25 0.2x0.2")
    assert run(wheel, Wheel("front-left", -900)).flags[0] & LIMITED


# --- river ---------------------------------------------------------------------------------------


@rule("O3.river.impassable")
def test_a_river_is_crossed_by_nobody() -> None:
    state = one("roman-cavalry", ground=RIVER)
    assert farthest(state, Advance) == pytest.approx(0.84, abs=0.025)
    assert refusals(state, Advance(400)) == ["O3.impassable"]


@rule("O3.river.impassable", "O2.facing-free")
def test_who_touches_a_river_may_align_with_it_for_free() -> None:
    state = one(where="10 8.7 20", ground=RIVER)
    near = run(state, Advance(5))
    assert refusals(near, Align("r2")) == ["O2.facing-free"]  # not touched yet
    touching = one(where="10 8.44 20", ground=RIVER)
    name = next(name for name in ("r2", "r3") if not refusals(touching, Align(name)))
    after = run(touching, Align(name))
    assert place(after, "A")[1:] == (8.16, 0)
    assert left(after) == 3


@rule("O3.river.scenario")
def test_an_open_river_is_a_ford_along_its_whole_length() -> None:
    state = moving(battle("A roman-cavalry 10 9", FAR, ground=RIVER, open_rivers=True), "A")
    after = run(state, Advance(200))
    assert left(after) == pytest.approx(5 - 2 - 1.16, abs=0.03)
    assert "O3.ford.straight" in refusals(after, Turn(300))


# --- ford ----------------------------------------------------------------------------------------


@rule("O3.ford.align", "O3.bridge.example")
def test_who_touches_a_ford_may_align_with_it_for_free() -> None:
    state = one("triarii", where="10.7 8.38 15", ground=FORDED)
    after = run(state, Align("f"))
    x, y, turn = place(after, "A")
    assert (y, turn) == (8.16, 0)
    assert 10.88 <= x <= 11.12  # it fits in
    assert left(after) == 2
    assert refusals(after, Align("f"))[0] == "O2.facing-free"
    assert not refusals(after, Advance(50))


@rule("O3.ford.movement")
def test_in_a_ford_each_du_costs_double() -> None:
    state = one("roman-cavalry", where="11 8.16", ground=FORDED)
    assert left(run(state, Advance(100))) == pytest.approx(3, abs=0.03)
    assert farthest(state, Advance) == pytest.approx(5 - 2.32, abs=0.05)


@rule("O3.ford.straight")
def test_in_a_ford_a_unit_goes_straight_ahead() -> None:
    state = one("velites", where="11 7.5", ground=FORDED)
    assert not refusals(state, Advance(50))
    assert not refusals(state, Slide(1800, 50))
    assert "O3.ford.straight" in refusals(state, Slide(900, 5))
    assert "O3.ford.straight" in refusals(state, Turn(10))
    assert "O3.ford.straight" in refusals(state, Wheel("front-left", 10))
    before = one("velites", where="11 8.2", ground=FORDED)
    assert "O3.ford.straight" in refusals(before, Wheel("rear-left", -100))


@rule("O3.ford.formations", "OH.formation.5")
def test_in_a_ford_there_are_no_formations() -> None:
    inside = one("hastati", where="11 7.5", ground=FORDED)
    assert refusals(inside, Form("shield-wall")) == ["O3.ford.formations"]
    walled = moving(battle("A hastati 11 8.3 formation=shield-wall", FAR, ground=FORDED), "A")
    assert refusals(walled, Advance(50)) == ["O3.ford.formations"]
    assert not refusals(walled, Advance(10))


@rule("O3.ford.must-engage", "O3.ford.not-facing")
@pytest.mark.parametrize("turn", [180, 90, 0])
def test_who_comes_across_engages_the_enemy_on_the_bank(turn: int) -> None:
    y = 5.84 if turn in (0, 180) else 5.4
    state = moving(battle("A hastati 11 7", f"X slingers 11 {y} {turn}", ground=FORDED), "A")
    after = run(state, Advance(5))
    assert refusals(after, Halt()) == ["O3.ford.must-engage"]
    assert engaged(run(after, Charge("X")), 0) == [1]


@rule("O3.ford.must-engage")
def test_nobody_is_bound_by_an_enemy_out_of_reach() -> None:
    far = moving(battle("A triarii 11 8.1", "X slingers 11 5.84", ground=FORDED), "A")
    assert not refusals(run(far, Advance(30)), Halt())
    away = moving(battle("A hastati 11 7", "X slingers 11 5.2", ground=FORDED), "A")
    assert not refusals(run(away, Advance(5)), Halt())
    broken = moving(battle("A hastati 11 7 broken", "X slingers 11 5.84", ground=FORDED), "A")
    assert not refusals(run(broken, Advance(5)), Halt())
