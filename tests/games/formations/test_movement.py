"""18 Movement, contact and charge: what steps and turns cost, what stops a move, disengaging, stakes.

A in 0505 faces north: 0504 and 0604 are before it, 0405 and 0605 beside it, 0506 and 0606 behind it.
"""

from __future__ import annotations

import pytest

from legatus.games.formations.activation import WingTurn
from legatus.games.formations.endphase import EndPhase
from legatus.games.formations.movement import Facing, Moving
from legatus.games.formations.ranking import Ranking
from legatus.games.formations.state import FormationsState
from legatus.parts.hexes import CORNERS
from tests.rules import rule

from .phases import blow, moving, phase, reach, ways
from .stage import (
    acting,
    battle,
    decision,
    do,
    facing,
    legal_lines,
    marks,
    over,
    pile,
    place,
    refusals,
    run,
    told,
)

KINDS = {"spear": 4, "guard": 3, "wolf": 7, "troll": 5, "drake": 5, "forester": 4, "goblin": 4}
AROUND = {"ne": "0604", "e": "0605", "se": "0606", "sw": "0506", "w": "0405", "nw": "0504"}  # of 0505
FRONTS = {
    "n": {"0504", "0604"},
    "ne": {"0604", "0605"},
    "se": {"0605", "0606"},
    "s": {"0606", "0506"},
    "sw": {"0506", "0405"},
    "nw": {"0405", "0504"},
}


def left(state: FormationsState) -> int:
    """The points that the unit that moves has left; -1 if the move is over."""
    now = decision(state)
    return now.left if isinstance(now, Moving) else -1


def pose(state: FormationsState, name: str = "F") -> tuple[str, str]:
    return place(state, name), facing(state, name)


# --- points and prices ---------------------------------------------------------------------------


@rule("AH7.move")
@pytest.mark.parametrize("kind", KINDS)
def test_how_many_points_a_kind_of_movement_has(kind: str) -> None:
    assert left(moving(battle(f"A {kind} 0505"), "A")) == KINDS[kind]
    assert left(moving(battle(f"A {kind} 0505+0605"), "A")) == KINDS[kind]


@rule("AH7.move", "AH28.characters")
@pytest.mark.parametrize("kind", ["leader", "chief"])
def test_a_character_has_six(kind: str) -> None:
    assert left(moving(battle(f"A {kind} 0505; B spear 0101"), "A")) == 6


@rule("AH7.move", "A.def.terrain")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ground", "price"), [("", 1), ("rough", 2), ("difficult", 3)])
def test_what_a_step_costs_a_unit_in_one_hex(kind: str, ground: str, price: int) -> None:
    state = moving(battle(f"A {kind} 0505; Z spear 0101", **({ground: "0504"} if ground else {})), "A")
    after = run(state, "step-to 0504")
    assert place(after, "A") == "0504"
    spent = KINDS[kind] - price
    assert left(after) == (spent if spent else -1)


@rule("AH7.move")
@pytest.mark.parametrize(("ground", "steps"), [("", 4), ("rough", 2), ("difficult", 1)])
def test_who_has_too_few_points_left_does_not_get_on(ground: str, steps: int) -> None:
    """Straight on to the north, through one kind of ground."""
    way = ["0504", "0503", "0502", "0501", "0500"]
    state = moving(battle("A forester 0505", **({ground: " ".join(way)} if ground else {})), "A")
    for hex_ in way[:steps]:
        state = run(state, f"step-to {hex_}")
    if left(state) < 0:
        assert isinstance(decision(state), Facing)
    else:
        assert refusals(state, f"step-to {way[steps]}") == ["AH7.move"]
    assert place(state, "A") == way[steps - 1]


@rule("AH7.move", "A.def.orientation")
@pytest.mark.parametrize("kind", ["spear", "guard", "wolf", "troll"])
@pytest.mark.parametrize("corner", CORNERS)
def test_a_large_troop_steps_only_into_its_front(kind: str, corner: str) -> None:
    state = moving(battle(f"A {kind} 0505 {corner}"), "A")
    assert ways(state) == FRONTS[corner]
    for hex_ in set(AROUND.values()) - FRONTS[corner]:
        assert refusals(state, f"step-to {hex_}") == ["AH7.move"]
    assert refusals(state, "step-to 0503") == refusals(state, "step-to 9999") == ["AH7.move"]
    (hex_, *_) = FRONTS[corner]
    assert facing(run(state, f"step-to {hex_}"), "A") == corner


@rule("AH7.move", "A.def.size")
@pytest.mark.parametrize("kind", ["forester", "goblin", "leader", "chief"])
@pytest.mark.parametrize("corner", CORNERS)
def test_small_units_and_characters_step_where_they_like(kind: str, corner: str) -> None:
    state = moving(battle(f"A {kind} 0505 {corner}; Z spear 0101"), "A")
    assert ways(state) == set(AROUND.values())
    assert refusals(state, "step-to 0503") == ["AH7.move"]  # two hexes away


@rule("AH7.move")
@pytest.mark.parametrize(("way", "wanted"), [("left", "nw"), ("right", "ne")])
def test_a_large_troop_pays_a_point_for_a_corner(way: str, wanted: str) -> None:
    state = moving(battle("A spear 0505"), "A")
    after = run(state, f"turn {way}")
    assert (pose(after, "A"), left(after)) == (("0505", wanted), 3)
    assert ways(after) == FRONTS[wanted]
    assert refusals(state, "turn about") == ["AH7.move"]
    round_ = run(state, *[f"turn {way}"] * 4)
    assert over(round_)
    assert facing(round_, "A") == {"left": "se", "right": "sw"}[way]


@rule("AH7.move")
def test_turns_and_steps_share_the_points() -> None:
    state = run(moving(battle("A spear 0505; Z spear 0101"), "A"), "turn right", "step-to 0605", "turn right")
    assert (pose(state, "A"), left(state)) == (("0605", "se"), 1)
    state = run(state, "step-to 0705")
    assert pose(state, "A") == ("0705", "se")
    assert decision(state) == WingTurn(0, 0)
    assert marks(state, "A") == {"activated", "moved"}


@rule("AH7.move")
@pytest.mark.parametrize("corner", CORNERS)
def test_a_small_unit_turns_for_nothing_at_the_end(corner: str) -> None:
    state = moving(battle("A forester 0505", rough="0504 0503"), "A")
    assert refusals(state, "turn left") == refusals(state, "turn-about") == ["AH7.move"]
    state = run(state, "step-to 0504", "step-to 0503")
    assert isinstance(decision(state), Facing)
    assert pose(run(state, f"face {corner}"), "A") == ("0503", corner)


@rule("AH7.move")
def test_a_move_may_end_at_any_point() -> None:
    state = run(moving(battle("A spear 0505"), "A"), "halt")
    assert over(state)
    assert pose(state, "A") == ("0505", "n")
    assert marks(state, "A") == {"activated"}


@rule("AH7.move")
def test_the_map_has_an_edge() -> None:
    assert ways(moving(battle("A spear 0000"), "A")) == set()
    assert ways(moving(battle("A forester 1111"), "A")) == {"1011", "1110"}
    state = moving(battle("F spear 1005+1105"), "F")
    assert refusals(state, "step-to 1004") == []
    state = moving(battle("F spear 0004+0104"), "F")
    assert ways(state) == {"0103"}  # 0004 has nothing to the north-west of it
    state = moving(battle("F spear 0000+0100"), "F")
    assert {line.split()[0] for line in legal_lines(state)} == {"wheel", "turn-about", "halt"}


# --- formations ----------------------------------------------------------------------------------


@rule("AH7.move", "AH2.footprint")
@pytest.mark.parametrize(
    ("unit", "hex_", "wanted"),
    [
        ("F spear 0505+0605", "0504", "0504+0604"),
        ("F spear 0505+0605", "0704", "0604+0704"),
        ("F spear 0505+0605 s", "0706", "0706+0606"),
        ("F spear 0505+0605 s", "0506", "0606+0506"),
        ("F spear 0505+0606 ne", "0604", "0604+0605"),
        ("F spear 0505+0606 ne", "0706", "0605+0706"),
        ("F spear 0505+0506 nw", "0406", "0406+0405"),
        ("F spear 0505+0506 nw", "0504", "0405+0504"),
    ],
)
def test_a_formation_steps_with_both_hexes(unit: str, hex_: str, wanted: str) -> None:
    state = moving(battle(unit), "F")
    after = run(state, f"step-to {hex_}")
    assert place(after, "F") == wanted
    assert (facing(after, "F"), left(after)) == (facing(state, "F"), 3)
    assert len(ways(state)) == 2


@rule("AH7.move")
def test_a_formation_goes_in_its_two_front_directions_and_no_other() -> None:
    state = moving(battle("F spear 0505+0605"), "F")
    assert ways(state) == {"0504", "0704"}
    for hex_ in ("0604", "0405", "0705", "0506", "0606", "0706", "0505"):
        assert refusals(state, f"step-to {hex_}") == ["AH7.move"]
    assert refusals(state, "turn left") == ["AH7.move"]


@rule("AH7.move")
@pytest.mark.parametrize(
    ("rough", "price"),
    [("", 1), ("0504", 2), ("0604", 2), ("0504 0604", 2), ("0704", 1), ("0505 0605", 1)],
)
def test_a_formation_pays_for_the_dearer_hex(rough: str, price: int) -> None:
    assert left(run(moving(battle("F spear 0505+0605", rough=rough), "F"), "step-to 0504")) == 4 - price


@rule("AH7.move")
@pytest.mark.parametrize("hex_", ["0504", "0604"])
def test_difficult_terrain_is_closed_to_formations(hex_: str) -> None:
    state = moving(battle("F wolf 0505+0605", difficult=hex_), "F")
    assert refusals(state, "step-to 0504") == ["AH7.move"]
    barred = hex_ == "0604"
    assert refusals(state, "wheel 0505 0604") == (["AH7.move"] if barred else [])
    assert refusals(state, "wheel 0605 0604") == (["AH7.move"] if barred else [])


WHEELS = {
    ("0505", "0604"): ("0505+0604", "nw"),
    ("0505", "0606"): ("0505+0606", "ne"),
    ("0605", "0604"): ("0604+0605", "ne"),
    ("0605", "0606"): ("0606+0605", "nw"),
}


@rule("AH7.move", "AH2.footprint")
@pytest.mark.parametrize("wheel", WHEELS)
@pytest.mark.parametrize("rough", ["", "0604 0606"])
def test_a_formation_wheels_about_one_of_its_hexes(wheel: tuple[str, str], rough: str) -> None:
    state = moving(battle("F spear 0505+0605", rough=rough), "F")
    after = run(state, "wheel " + " ".join(wheel))
    assert (pose(after), left(after)) == (WHEELS[wheel], 2)  # whatever the ground


@rule("AH7.move")
def test_there_are_four_wheels_and_no_others() -> None:
    state = moving(battle("F spear 0505+0605"), "F")
    found = {tuple(line.split()[1:]) for line in legal_lines(state) if line.startswith("wheel")}
    assert found == set(WHEELS)
    for line in ("0505 0504", "0505 0405", "0605 0704", "0604 0505", "0505 0605", "x y"):
        assert refusals(state, f"wheel {line}") == ["AH7.move"]
    assert refusals(moving(battle("A spear 0505"), "A"), "wheel 0505 0604") == ["AH7.move"]


@rule("AH7.move", "AH2.footprint")
@pytest.mark.parametrize("wheel", WHEELS)
def test_six_wheels_about_one_hex_lead_round(wheel: tuple[str, str]) -> None:
    """A mounted formation wheels three times a turn; the hex about which it wheels stays."""
    state = battle("F wolf 0505+0605")
    pivot, to = wheel
    grid = state.roster.grid
    around = [grid.names[cell] for cell in grid.neighbours[grid.cells[pivot]]]
    start = {"0505": "0605", "0605": "0505"}[pivot]
    way = (around.index(to) - around.index(start) + 1) % 6 - 1
    for turn in (1, 2):
        now = moving(state, "F")
        for n in range(3):
            at_ = around[(around.index(start) + way * (3 * (turn - 1) + n + 1)) % 6]
            now = run(now, f"wheel {pivot} {at_}")
            assert set(place(now, "F").split("+")) == {pivot, at_}
        state = run(now, "halt") if left(now) >= 0 else now
        state.flags = [0]
    assert pose(state) == ("0505+0605", "n")


@rule("AH7.move", "A.def.faculties")
@pytest.mark.parametrize(("kind", "price"), [("spear", 1), ("orc", 2)])
def test_a_turn_about_costs_two_and_with_manoeuvre_one(kind: str, price: int) -> None:
    state = moving(battle(f"F {kind} 0505+0605"), "F")
    after = run(state, "turn-about")
    assert (pose(after), left(after)) == (("0605+0505", "s"), 4 - price)
    state = moving(battle("A spear 0505"), "A")
    assert refusals(state, "turn-about") == ["AH7.move"]


@rule("AH7.move")
def test_who_has_one_point_left_cannot_wheel_nor_turn_about_without_manoeuvre() -> None:
    way = ("step-to 0504", "step-to 0603", "step-to 0502")
    state = run(moving(battle("F orc 0505+0605; Z orc 0101"), "F"), *way)
    assert left(state) == 1
    assert refusals(state, "turn-about") == refusals(state, "wheel 0502 0501") == ["AH7.move"]
    state = run(moving(battle("F spear 0505+0605; Z orc 0101"), "F"), *way)
    assert refusals(state, "turn-about") == []
    assert facing(run(state, "turn-about"), "F") == "s"


# --- what stops and what bars --------------------------------------------------------------------


@rule("AH7.move", "AH8.engage", "A.def.engaged")
@pytest.mark.parametrize("enemy", ["X orc 0503", "X goblin 0503", "X orc 0503+0603", "X orc 0403+0503"])
def test_who_enters_the_front_of_an_enemy_stops(enemy: str) -> None:
    state = run(moving(battle("A wolf 0505; Z spear 0101", enemy), "A"), "step-to 0504")
    assert decision(state) == WingTurn(0, 0)
    assert place(state, "A") == "0504"
    assert "contact" in marks(state, "A")


@rule("AH7.move")
@pytest.mark.parametrize(
    "enemy", ["X orc 0503 n", "X orc 0503 s rout", "X orc 0503 s flying", "X leader 0503"]
)
def test_who_does_not_enter_a_front_goes_on(enemy: str) -> None:
    state = run(moving(battle("A wolf 0505; Z spear 0101", enemy), "A"), "step-to 0504")
    assert left(state) == 6


@rule("AH7.move")
def test_a_formation_stops_when_either_hex_is_in_a_front() -> None:
    for enemy, stops in (("X orc 0403", True), ("X orc 0603", True), ("X orc 0703", False)):
        state = run(moving(battle("F wolf 0505+0605; Z spear 0101", enemy), "F"), "step-to 0504")
        assert (left(state) < 0) == stops  # it stands in 0504 and 0604
    wheeled = run(moving(battle("F wolf 0505+0605; Z spear 0101", "X orc 0503 se"), "F"), "wheel 0505 0604")
    assert left(wheeled) < 0


@rule("AH7.move")
def test_a_turn_in_place_is_no_entry() -> None:
    """X does not have A before it; A turns, and goes on."""
    state = run(moving(battle("A wolf 0505; Z spear 0101", "X orc 0405 n"), "A"), "turn left")
    assert left(state) == 6


@rule("AH7.move")
def test_after_a_stop_a_small_unit_may_still_turn_and_a_large_one_not() -> None:
    state = run(moving(battle("A forester 0505; Z spear 0101", "X orc 0503"), "A"), "step-to 0504")
    assert isinstance(decision(state), Facing)
    assert pose(run(state, "face s"), "A") == ("0504", "s")
    state = run(moving(battle("A spear 0505; Z spear 0101", "X orc 0503"), "A"), "step-to 0504")
    assert refusals(state, "turn left") == ["AH4.activation"]


@rule("AH7.move", "AH28.characters")
def test_characters_never_have_to_stop() -> None:
    state = run(moving(battle("L leader 0505; Z spear 0101", "X orc 0503"), "L"), "step-to 0504")
    assert left(state) == 5
    assert refusals(state, "step-to 0503") == ["AH7.move"]


@rule("AH7.move")
@pytest.mark.parametrize("unit", ["A spear 0505", "A forester 0505", "A spear 0505+0605", "A leader 0505"])
@pytest.mark.parametrize(
    ("enemy", "marker"),
    [("X orc 0504 n", ""), ("X orc 0504 rout", ""), ("", "0504=blaze"), ("", "0504=new")],
)
def test_enemy_troops_and_a_blaze_close_a_hex(unit: str, enemy: str, marker: str) -> None:
    state = moving(battle(f"{unit}; Z spear 0101", enemy, fire=marker), "A")
    assert refusals(state, "step-to 0504") == ["AH7.move"]


@rule("AH7.move")
def test_a_formation_needs_both_hexes_open_and_a_fire_start_closes_none() -> None:
    state = moving(battle("F spear 0505+0605", fire="0604=blaze"), "F")
    assert refusals(state, "step-to 0504") == refusals(state, "step-to 0704") == ["AH7.move"]
    assert refusals(state, "wheel 0505 0604") == ["AH7.move"]
    assert refusals(moving(battle("F spear 0505+0605", fire="0604=start"), "F"), "step-to 0504") == []


@rule("AH28.characters", "AH7.move")
def test_characters_do_not_block_a_hex_and_share_it_with_each_other() -> None:
    state = battle("L leader 0505; A spear 0506", "C leader 0504; X orc 1101")
    after = run(moving(state, "L"), "step-to 0504", "halt")
    assert place(after, "L") == place(after, "C") == "0504"
    state = moving(battle("A spear 0505; Z spear 0101", "C leader 0504; X orc 1101"), "A")
    assert refusals(state, "step-to 0504") == []


# --- friends on the way --------------------------------------------------------------------------

FULL = "P wolf 0504; Q spear 0504"


@rule("AH7.move", "AH18.stacking")
def test_friends_are_passed_but_not_stayed_with_when_the_hex_is_full() -> None:
    state = run(moving(battle(f"A spear 0505; {FULL}"), "A"), "step-to 0504")
    assert refusals(state, "halt") == ["AH18.stacking"]
    state = run(state, "step-to 0503")
    assert refusals(state, "halt") == []
    assert pile(state, "0503") == ["A"]


@rule("AH7.move", "AH18.stacking")
def test_nobody_enters_a_full_hex_from_which_he_cannot_get_on() -> None:
    """A turn in the full hex opens 0404 or 0604; back to 0505 it is two turns and a step."""
    state = moving(battle(f"A spear 0505; {FULL}", rough="0504", difficult="0503 0403 0404 0604"), "A")
    assert refusals(state, "step-to 0504") == ["AH18.stacking"]  # 2 points left, 3 needed
    enemies = "X orc 0403 n; Y orc 0503 n; V orc 0404 n; W orc 0604 n"
    state = moving(battle(f"A guard 0505; {FULL}", enemies), "A")
    assert refusals(state, "step-to 0504") == ["AH18.stacking"]  # 2 points left, 3 needed
    state = moving(battle(f"A spear 0505; {FULL}", "X orc 0403 se"), "A")  # 0504 is its front: it would stop
    assert refusals(state, "step-to 0504") == ["AH18.stacking"]
    state = moving(battle(f"T spear 0505+0605 mode=tortoise; {FULL}"), "T")
    assert refusals(state, "step-to 0504") == ["AH18.stacking"]


@rule("AH7.move", "AH18.stacking")
def test_one_may_turn_in_a_full_hex_to_get_on() -> None:
    """Ahead of 0504 all is closed, but to the east of it there is room: a step, a turn, a step."""
    state = battle(f"A spear 0505; {FULL}; Z spear 0101", "X orc 0403 n; Y orc 0503 n")
    state = run(moving(state, "A"), "step-to 0504", "turn right", "step-to 0604")
    assert pose(state, "A") == ("0604", "ne")


@rule("AH7.move", "AH18.stacking")
def test_a_formation_may_turn_about_or_wheel_among_friends_to_get_on() -> None:
    state = battle(f"F wolf 0505+0605; {FULL}; Z spear 0101", "X orc 0403 n; Y orc 0503 n; W orc 0603 n")
    state = run(moving(state, "F"), "step-to 0504", "turn-about", "step-to 0605", "halt")
    assert pose(state) == ("0605+0505", "s")
    about = run(
        moving(battle(f"F orc 0505+0605 steps=3; {FULL}", difficult="0403 0503"), "F"), "step-to 0504"
    )
    assert refusals(about, "halt") == ["AH18.stacking"]
    assert refusals(about, "turn-about") == []  # 1 point left, back to 0505
    slow = run(moving(battle(f"F orc 0505+0605 steps=3; {FULL}", rough="0505"), "F"), "step-to 0504")
    assert refusals(slow, "turn-about") == ["AH18.stacking"]  # 1 point left, 2 needed


@rule("AH7.move", "AH18.stacking")
@pytest.mark.parametrize(
    ("formation", "rough", "way"),
    [
        ("F guard 0505+0605 steps=3; R wolf 0604; S spear 0604", "", ("turn-about", "step-to 0605")),
        ("F orc 0505+0605 steps=3", "0504", ("wheel 0604 0505",)),
    ],
)
def test_a_turn_about_or_a_wheel_alone_is_a_way_on(formation: str, rough: str, way: tuple[str, ...]) -> None:
    """All is closed ahead; the points suffice for this and for nothing else."""
    enemies = "X orc 0403 n; Y orc 0503 n; W orc 0603 n"
    state = moving(battle(f"{formation}; {FULL}; Z spear 0101", enemies, rough=rough), "F")
    there = run(state, "step-to 0504")
    assert {line.split()[0] for line in legal_lines(there)} == {way[0].split()[0]}
    assert decision(run(there, *way)) == WingTurn(0, 0)


@rule("AH29.stack_order", "AH7.move")
def test_who_only_turns_keeps_his_place_and_who_comes_back_chooses_it() -> None:
    state = moving(battle("P spear 0505; F spear 0505+0605; Z spear 0101"), "F")
    turned = run(state, "turn-about", "halt")
    assert decision(turned) == WingTurn(0, 0)
    assert pile(turned, "0505") == ["P", "F"]
    state = moving(battle("P spear 0505; A forester 0505; Z spear 0101"), "A")
    back = run(state, "step-to 0504", "step-to 0505", "halt")
    assert isinstance(decision(back), Ranking)
    assert pile(run(back, "in-front", "face n"), "0505") == ["A", "P"]
    state = moving(battle("P spear 0504; A spear 0505; Z spear 0101"), "A")
    turned = run(state, "step-to 0504", "turn left", "halt")
    assert isinstance(decision(turned), Ranking)


@rule("AH7.move", "A.def.footprint", "A.def.size")
def test_a_formation_of_small_troops_moves_like_any_other() -> None:
    state = moving(battle("F goblin 0505+0605; Z spear 0101"), "F")
    assert ways(state) == {"0504", "0704"}
    after = run(state, "step-to 0504", "halt")
    assert decision(after) == WingTurn(0, 0)
    assert pose(after) == ("0504+0604", "n")


# --- modes ---------------------------------------------------------------------------------------


@rule("AH21.modes", "A.def.modes")
@pytest.mark.parametrize("mode", ["tortoise", "shield-wall"])
@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("step-to 0504", ("0504+0604", "n")),
        ("wheel 0505 0604", ("0505+0604", "nw")),
        ("turn-about", ("0605+0505", "s")),
    ],
)
def test_one_hex_is_a_step_a_wheel_or_a_turn_about(mode: str, line: str, wanted: tuple[str, str]) -> None:
    state = moving(battle(f"F spear 0505+0605 mode={mode}; Z spear 0101"), "F")
    after = run(state, line)
    assert decision(after) == WingTurn(0, 0)
    assert pose(after) == wanted


@rule("AH21.modes")
@pytest.mark.parametrize("kind", ["spear", "guard", "wolf"])
def test_rank_rotation_has_two_points_whatever_the_type(kind: str) -> None:
    state = moving(battle(f"F {kind} 0505+0605 mode=rank-rotation", rough="0704"), "F")
    assert left(state) == 2
    assert left(run(state, "step-to 0504")) == 1
    assert left(run(state, "step-to 0704")) < 0


@rule("AH21.modes")
def test_a_hedgehog_does_not_move() -> None:
    state = acting(battle("F spear 0505+0605 mode=hedgehog"))
    assert refusals(state, "move F") == ["AH21.modes"]
    state = acting(battle("F spear 0505+0605 mode=hedgehog", "X orc 0604"))
    assert refusals(state, "move F") == ["AH8.engage", "AH21.modes"]
    assert set(refusals(state, "disengage F 0506")) == {"AH21.modes"}


@rule("AH21.modes")
@pytest.mark.parametrize("mode", ["march", "tortoise", "rank-rotation", "hedgehog", "shield-wall"])
def test_only_march_may_charge(mode: str) -> None:
    state = acting(battle(f"F spear 0505+0605 mode={mode}", "X orc 0502"))
    if mode == "march":
        assert refusals(state, "charge F 0503") == []
    else:
        assert refusals(state, "charge F 0503")[0] == "AH21.modes"


# --- engaged: the only move left -----------------------------------------------------------------


@rule("AH8.engage")
@pytest.mark.parametrize(
    "unit", ["A spear 0505", "A forester 0505", "A spear 0405+0505", "A spear 0505+0605"]
)
def test_an_engaged_unit_does_not_move_otherwise(unit: str) -> None:
    state = acting(battle(unit, "X orc 0504"))
    assert refusals(state, "move A") == ["AH8.engage"]
    free = acting(battle(unit, "X orc 0504 n"))
    assert refusals(free, "move A") == []
    assert refusals(free, "disengage A 0506") == ["AH8.engage"]


@rule("AH8.engage")
@pytest.mark.parametrize("corner", CORNERS)
def test_it_goes_one_hex_in_any_direction_out_of_all_fronts_and_keeps_its_facing(corner: str) -> None:
    state = acting(battle(f"A spear 0505 {corner}", "X orc 0504"))  # X: 0505 and 0405
    assert reach(state, "disengage") == {"0604", "0605", "0606", "0506"}
    assert refusals(state, "disengage A 0405") == ["AH8.engage"]
    assert refusals(state, "disengage A 0504") == ["AH7.move"]
    assert refusals(state, "disengage A 0507") == refusals(state, "disengage A x") == ["AH8.engage"]
    after = run(state, "disengage A 0606")
    assert pose(after, "A") == ("0606", corner)
    assert marks(after, "A") == {"activated", "moved", "winded"}


@rule("AH8.engage", "A.def.fatigue")
@pytest.mark.parametrize(
    ("was", "then"), [("fresh", "winded"), ("winded", "exhausted"), ("exhausted", "exhausted")]
)
def test_to_disengage_tires_by_one_level(was: str, then: str) -> None:
    after = run(acting(battle(f"A spear 0505 {was}", "X orc 0504")), "disengage A 0606")
    assert marks(after, "A") & {"winded", "exhausted"} == {then}


@rule("AH8.engage", "AH2.footprint")
def test_a_formation_disengages_with_both_hexes() -> None:
    state = acting(battle("F spear 0505+0605", "X orc 0504"))
    assert reach(state, "disengage") == {"0604", "0605", "0606", "0506"}
    after = run(state, "disengage F 0506")
    assert pose(after) == ("0506+0606", "n")
    assert "winded" in marks(after, "F")


@rule("AH8.engage")
def test_it_costs_no_points_and_brings_no_contact() -> None:
    """Into Difficult ground, out through stakes, and with a new enemy ahead."""
    state = battle("A guard 0505", "X orc 0504; Y orc 0603 n", difficult="0604", stakes="0505=n")
    after = run(acting(state), "disengage A 0604")
    assert pose(after, "A") == ("0604", "n")
    assert "contact" not in marks(after, "A")


@rule("AH8.engage", "AH7.move", "AH18.stacking")
def test_what_bars_it() -> None:
    assert refusals(
        acting(battle("F spear 0505+0605", "X orc 0504", difficult="0606")), "disengage F 0506"
    ) == ["AH7.move"]
    assert refusals(acting(battle("A spear 0505", "X orc 0504", fire="0606=blaze")), "disengage A 0606") == [
        "AH7.move"
    ]
    crowd = "A spear 0505; P wolf 0606; Q spear 0606"
    assert refusals(acting(battle(crowd, "X orc 0504")), "disengage A 0606") == ["AH18.stacking"]
    edge = acting(battle("A spear 0511", "X orc 0510"))
    assert refusals(edge, "disengage A 0512") == ["AH8.engage"]


@rule("AH8.engage", "AH29.stack_order")
def test_who_disengages_to_friends_goes_before_or_behind_them() -> None:
    state = run(acting(battle("P spear 0606; A spear 0505", "X orc 0504")), "disengage A 0606")
    assert isinstance(decision(state), Ranking)
    assert pile(run(state, "in-front"), "0606") == ["A", "P"]


@rule("AH8.engage", "A.def.position", "AH28.characters")
@pytest.mark.parametrize(
    "enemy", ["X orc 0504 rout", "X orc 0504 flying", "X orc 0504 infiltrating", "X leader 0504"]
)
def test_who_engages_nobody(enemy: str) -> None:
    state = acting(battle("A spear 0505", enemy))
    assert refusals(state, "move A") == []
    assert refusals(state, "disengage A 0606") == ["AH8.engage"]


@rule("AH8.engage", "AH28.characters")
def test_characters_are_never_engaged() -> None:
    state = acting(battle("L leader 0505; Z spear 0101", "X orc 0504"))
    assert refusals(state, "move L") == []
    assert refusals(state, "disengage L 0606") == ["AH8.engage"]


@rule("AH8.engage", "AH21.modes")
def test_a_hedgehog_engages_only_to_its_front() -> None:
    for hex_, free in (("0604", False), ("0405", True), ("0506", True)):
        state = acting(battle("F spear 0505+0605 mode=hedgehog", f"X orc {hex_} s"), "black")
        assert refusals(state, "move X") == ([] if free else ["AH8.engage"])
    stopped = run(
        moving(battle("F spear 0505+0605 mode=hedgehog", "X wolf 0407 n; Y orc 0101"), "X", "black"),
        "step-to 0506",
    )
    assert left(stopped) == 6


# --- contact -------------------------------------------------------------------------------------


@rule("AH9.contact", "A.def.contact_charge")
@pytest.mark.parametrize(
    ("unit", "enemy", "lines", "contact"),
    [
        ("A spear 0505", "X orc 0503 n", ("step-to 0504", "halt"), True),
        ("A spear 0505", "X orc 0503 rout", ("step-to 0504", "halt"), True),
        ("A spear 0505", "X leader 0503", ("step-to 0504", "halt"), False),
        ("A spear 0505", "X orc 0603 n", ("step-to 0504", "halt"), False),  # beside the front hexes
        ("A spear 0505", "X orc 0405 n", ("turn left", "halt"), True),  # a turn is enough
        ("A spear 0505", "X orc 0504 n", ("halt",), False),  # it was there before
        ("A spear 0505", "X orc 0504 n; Y orc 0605 n", ("turn right", "halt"), True),  # another one comes
        ("A forester 0505", "X orc 0606 s", ("halt", "face s"), True),
        ("A forester 0505", "X orc 0606 s", ("halt", "face n"), False),
        ("A spear 0505+0605", "X orc 0703 n", ("step-to 0704", "halt"), True),
        ("A spear 0505+0605", "X orc 0606 s", ("turn-about", "halt"), True),
        ("A leader 0505", "X orc 0503 n", ("step-to 0504", "halt"), False),
    ],
)
def test_who_gets_an_enemy_before_it_by_moving_is_in_contact(
    unit: str, enemy: str, lines: tuple[str, ...], contact: bool
) -> None:
    after = run(moving(battle(f"{unit}; Z spear 0101", enemy), "A"), *lines)
    assert ("contact" in marks(after, "A")) == contact
    assert "contact" not in marks(after, "X")


@rule("AH9.contact", "AH10.charge", "A.def.contact_charge")
def test_a_charge_brings_a_charge_marker_instead() -> None:
    after = run(acting(battle("A spear 0505; Z spear 0101", "X orc 0502")), "charge A 0503")
    assert marks(after, "A") == {"activated", "moved", "charged"}
    assert pose(after, "A") == ("0503", "n")


@rule("AH9.contact")
def test_with_a_marked_enemy_beside_it_a_formation_can_change_its_mode_in_this_turn_only() -> None:
    state = run(
        moving(battle("A spear 0506; Z spear 0101", "F orc 0404+0504; Y orc 1101"), "A"), "step-to 0505"
    )
    assert refusals(acting(state, "black"), "change-mode F shield-wall") == []
    later = phase(state, EndPhase()).state
    assert marks(later, "A") == set()
    assert refusals(acting(later, "black"), "change-mode F shield-wall") == ["A.mode.c2"]


# --- charge --------------------------------------------------------------------------------------


@rule("AH10.charge")
def test_a_charge_is_two_hexes_or_more_straight_on_to_an_enemy() -> None:
    state = acting(battle("A spear 0506", "X orc 0503 n"))
    assert reach(state, "charge") == {"0504", "0604"}
    near = acting(battle("A spear 0505", "X orc 0503 n"))  # a single step
    assert reach(near, "charge") == set()
    assert refusals(near, "charge A 0504") == ["AH10.charge"]
    far = acting(battle("A spear 0507", "X orc 0502 n"))
    assert reach(far, "charge") == {"0403", "0503"}
    assert refusals(far, "charge A 0504") == ["AH10.charge"]  # nobody is before it there
    aside = acting(battle("A spear 0505 ne", "X orc 0502 n"))
    assert reach(aside, "charge") == set()


@rule("AH10.charge", "AH7.move")
@pytest.mark.parametrize(
    ("kind", "rough", "can"),
    [
        ("spear", "", True),  # four hexes
        ("guard", "", False),
        ("spear", "0506", False),
        ("wolf", "0506 0505", True),
    ],
)
def test_a_charge_costs_what_its_steps_cost(kind: str, rough: str, can: bool) -> None:
    state = acting(battle(f"A {kind} 0507", "X orc 0502 n", rough=rough, difficult="0406 0605 0606 0405"))
    assert refusals(state, "charge A 0503") == ([] if can else ["AH10.charge"])


@rule("AH10.charge")
@pytest.mark.parametrize("mark", ["shaken", "exhausted"])
def test_who_cannot_charge(mark: str) -> None:
    state = acting(battle(f"A spear 0505 {mark}", "X orc 0502"))
    assert refusals(state, "charge A 0503") == ["AH10.charge"]
    assert refusals(acting(battle("A spear 0505 winded", "X orc 0502")), "charge A 0503") == []


@rule("AH10.charge", "AH16.rout", "AH28.characters", "AH8.engage")
def test_neither_units_in_rout_nor_characters_nor_engaged_ones_charge() -> None:
    state = acting(battle("A spear 0505 rout", "X orc 0502"))
    assert refusals(state, "charge A 0503") == ["AH16.rout", "AH10.charge"]
    state = acting(battle("L leader 0505", "X orc 0502"))
    assert refusals(state, "charge L 0503") == ["AH28.characters", "AH10.charge"]
    assert reach(state, "charge") == set()
    state = acting(battle("A spear 0505", "X orc 0502; Y orc 0405 ne"))
    assert refusals(state, "charge A 0503") == ["AH10.charge"]


@rule("AH10.charge")
@pytest.mark.parametrize("hex_", ["0504", "0503"])
def test_no_charge_goes_into_difficult_terrain(hex_: str) -> None:
    state = acting(battle("A wolf 0505", "X orc 0502", difficult=f"{hex_} 0604"))
    assert refusals(state, "charge A 0503") == ["AH10.charge"]


@rule("AH10.charge", "AH7.move")
def test_a_charge_stops_in_the_first_front_and_passes_friends() -> None:
    state = acting(
        battle(
            "A wolf 0507; P wolf 0505; Q spear 0505", "X orc 0502; Y orc 0304 ne", difficult="0606 0605 0406"
        )
    )
    assert refusals(state, "charge A 0503") == []  # over friends
    assert refusals(state, "charge A 0505") == ["AH10.charge"]
    barred = acting(battle("A wolf 0507", "X orc 0502; Y orc 0405 ne", difficult="0606 0605"))
    assert refusals(barred, "charge A 0503") == ["AH10.charge"]  # 0505 or 0504 is before Y
    crowded = acting(battle("A spear 0505; P wolf 0503; Q spear 0503", "X orc 0502"))
    assert refusals(crowded, "charge A 0503") == ["AH10.charge"]


@rule("AH10.charge")
def test_an_enemy_in_rout_can_be_charged_and_a_character_not() -> None:
    assert refusals(acting(battle("A spear 0505", "X orc 0502 rout")), "charge A 0503") == []
    assert refusals(acting(battle("A spear 0505", "X leader 0502")), "charge A 0503") == ["AH10.charge"]


@rule("AH10.charge", "AH2.footprint")
def test_a_formation_charges_with_both_hexes() -> None:
    state = acting(battle("F spear 0505+0605", "X orc 0703"))
    assert reach(state, "charge") == set()
    state = acting(battle("F spear 0505+0605", "X orc 0702"))
    after = run(state, "charge F 0503")
    assert pose(after) == ("0503+0603", "n")
    assert "charged" in marks(after, "F")


@rule("AH10.charge", "AH15.fatigue")
@pytest.mark.parametrize(
    ("marks_", "dice", "wanted"),
    [
        ("charged", (), "winded"),
        ("charged winded", (), "exhausted"),
        ("charged exhausted", (), "exhausted"),
        ("charged fought", (4,), "winded"),
        ("charged fought", (3,), "exhausted"),  # on top of what melee costs
    ],
)
def test_who_has_charged_tires_in_the_end_phase(marks_: str, dice: tuple[int, ...], wanted: str) -> None:
    play = phase(battle(f"A spear 0505 {marks_}", "X orc 0101"), EndPhase(), dice=dice)
    assert marks(play.state, "A") == {wanted}


@rule("AH10.charge", "AH29.stack_order")
def test_who_charges_to_friends_goes_before_or_behind_them() -> None:
    state = run(acting(battle("P spear 0503; A spear 0505", "X orc 0502")), "charge A 0503")
    assert isinstance(decision(state), Ranking)
    assert pile(run(state, "behind"), "0503") == ["P", "A"]


# --- stakes --------------------------------------------------------------------------------------


@rule("AH23.stakes", "A.def.fire_stakes")
@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("hex_", AROUND.values())
@pytest.mark.parametrize("facing_", ["n", "s"])
def test_to_go_out_through_stakes_costs_a_point_more(corner: str, hex_: str, facing_: str) -> None:
    state = moving(battle(f"A forester 0505 {facing_}", stakes=f"0505={corner}"), "A")
    assert left(run(state, f"step-to {hex_}")) == (2 if hex_ in FRONTS[corner] else 3)


@rule("AH23.stakes")
def test_to_come_in_costs_nothing_more() -> None:
    for corner in CORNERS:
        state = moving(battle("A forester 0505", stakes=f"0504={corner}"), "A")
        assert left(run(state, "step-to 0504")) == 3


@rule("AH23.stakes")
@pytest.mark.parametrize(
    ("stakes", "price"),
    [
        ("0505=n", 2),
        ("0605=n", 2),
        ("0505=n 0605=n", 2),
        ("0505=s 0605=s", 1),
        ("0505=ne", 1),
        ("0605=nw", 2),
    ],
)
def test_a_formation_pays_the_point_once(stakes: str, price: int) -> None:
    """It steps to the north-west: 0505 to 0504 and 0605 to 0604."""
    state = moving(battle("F spear 0505+0605", stakes=stakes), "F")
    assert left(run(state, "step-to 0504")) == 4 - price


@rule("AH23.stakes", "AH7.move")
def test_a_wheel_costs_two_through_stakes_too() -> None:
    state = moving(battle("F spear 0505+0605", stakes="0505=n 0605=n"), "F")
    assert left(run(state, "wheel 0505 0604")) == 2
    assert left(run(state, "turn-about")) == 3


@rule("AH23.stakes", "AH10.charge")
def test_a_charge_out_through_stakes_costs_the_point_too() -> None:
    for stakes, can in (("", True), ("0507=n", False), ("0507=s", True)):
        state = acting(battle("A spear 0507", "X orc 0502 n", stakes=stakes, difficult="0406 0605 0606 0405"))
        assert refusals(state, "charge A 0503") == ([] if can else ["AH10.charge"])


@rule("AH23.stakes", "AH10.charge")
def test_a_charge_into_stakes_loses_its_bonus() -> None:
    state = battle("A spear 0505 charged", "X orc 0504", stakes="0504=s")
    assert blow(state) == [("AH23.stakes", 2)]
    assert blow(battle("A spear 0505 charged", "X orc 0504", stakes="0504=n")) == [("AH11.melee", -1)]


@rule("AH7.move")
def test_every_step_is_told() -> None:
    state = moving(battle("A spear 0505; F spear 0808+0908; Z spear 0101"), "A")
    assert told(do(state, "step-to 0504")) == [("AH7.move", "event.steps")]
    assert told(do(state, "turn left")) == [("AH7.move", "event.turns")]
    state = moving(battle("F spear 0808+0908; Z spear 0101"), "F")
    assert told(do(state, "wheel 0808 0807")) == [("AH7.move", "event.wheels")]
