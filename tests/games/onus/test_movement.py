"""2 and 11 Movement: pieces of a move and what they cost, charges, formations, withdrawing, moving on.

A card is 1.76 DU wide and 0.88 deep.  A stands at 10 9 and looks north: its front is at y = 8.56.
"""

from __future__ import annotations

import pytest

from legatus.games.onus.charges import Charge, Pursue, Pursuit, Withdraw
from legatus.games.onus.entering import Align
from legatus.games.onus.forming import Extend, Form
from legatus.games.onus.melee import Fights
from legatus.games.onus.motion import LIMITED, REDUCED, REGULAR, allowance
from legatus.games.onus.movement import Halt, Move, MoveOn, Moves, MovingOn
from legatus.games.onus.orders import Done
from legatus.games.onus.pieces import Advance, Slide, Turn, Wheel
from legatus.games.onus.shooting import Shoot, Shooting
from legatus.games.onus.state import ACTIVATED, CHARGED, MOVED, NO_FORMATION, SHOT, OnusState
from legatus.games.onus.state import LIMITED as WAS_LIMITED
from legatus.games.onus.state import REDUCED as WAS_REDUCED
from legatus.games.onus.table import at_truce, contacts, enemies_touching, engaged, patches_of
from legatus.parts import plane
from tests.rules import rule

from .stage import (
    at,
    battle,
    do,
    farthest,
    go_on,
    index,
    keys,
    left,
    moving,
    over,
    place,
    refusals,
    run,
    told,
    wounds,
)

FAR = "X african-infantry 2 2"


def flags(state: OnusState, name: str = "A") -> int:
    return state.flags[index(state, name)]


def one(kind: str = "hastati", where: str = "10 9", **options: str) -> OnusState:
    """A alone with an enemy far away, its move begun."""
    return moving(battle(f"A {kind} {where}", FAR, **options), "A")


# --- regular, limited, reduced -------------------------------------------------------------------


@rule("OH.move.1", "OH.measure.1", "OH.value.6")
@pytest.mark.parametrize(
    ("kind", "most"), [("triarii", 2), ("hastati", 3), ("velites", 4), ("roman-cavalry", 5)]
)
def test_straight_ahead_as_far_as_its_movement(kind: str, most: int) -> None:
    state = one(kind)
    assert farthest(state, Advance) == most
    after = run(state, Advance(most * 100))
    assert place(after, "A") == (10, 9 - most, 0)
    assert left(after) == 0
    assert refusals(after, Advance(10)) == ["OH.value.6"]


@rule("OH.move.1")
def test_pieces_add_up() -> None:
    state = run(one(), Advance(120), Wheel("front-right", 300), Advance(80))
    assert left(state) == 0
    assert state.spent[0] == 300
    assert place(state, "A")[2] == 30


@rule("OH.move.1")
def test_a_wheel_costs_1_du_and_goes_up_to_90_degrees() -> None:
    state = one()
    assert left(run(state, Wheel("front-left", -900))) == 2
    assert refusals(state, Wheel("front-left", -901)) == ["OH.move.1"]
    assert refusals(state, Wheel("front-left", 0)) == ["OH.move.1"]
    for corner in ("front-left", "front-right", "rear-right", "rear-left"):
        assert not refusals(state, Wheel(corner, 450))


@rule("OH.move.1")
def test_the_corner_of_a_wheel_stays() -> None:
    after = run(one(), Wheel("front-right", 900))
    before_corner = plane.corners(plane.Pose(1000, 900, 0), plane.Size(176, 88))[1]
    assert plane.corners(after.pose[0], plane.Size(176, 88))[1] == pytest.approx(before_corner, abs=1)


@rule("OH.move.3", "O2.limited.versus-reduced")
@pytest.mark.parametrize("angle", [900, 2700, 1800, 450, 3150])
def test_sideways_diagonally_and_backwards_are_reduced(angle: int) -> None:
    state = one()
    assert farthest(state, lambda n: Slide(angle, n)) == 1.5
    after = run(state, Slide(angle, 100))
    assert flags(after) & WAS_REDUCED
    assert left(after) == 0.5


@rule("OH.move.3")
def test_one_turn_to_any_angle_is_a_reduced_move() -> None:
    state = one()
    after = run(state, Turn(1800))
    assert place(after, "A") == (10, 9, 180)
    assert left(after) == 1.5
    assert "OH.move.3" in refusals(after, Turn(100))
    assert refusals(run(one(), Advance(200)), Turn(900)) == ["OH.move.3"]


@rule("OH.move.3", "O2.limited.reduced-prevails")
def test_after_a_reduced_move_there_is_neither_charge_nor_shot() -> None:
    state = moving(battle("A hastati 10 9", "X african-infantry 10 7.5"), "A")
    assert not refusals(state, Charge("X"))
    after = run(state, Slide(900, 5))
    assert "OH.move.3" in refusals(after, Charge("X"))
    shot = at(run(after, Halt()), Shooting(0))
    assert "OH.move.3" in refusals(shot, Shoot("A", "X"))


@rule(
    "OH.move.2",
    "O2.limited.half",
    "O2.limited.skirmishers",
    "OH.move.3",
    "O2.limited.versus-reduced",
    "OH.trait.1",
)
@pytest.mark.parametrize(
    ("kind", "mode", "found"),
    [
        ("triarii", LIMITED, 100),
        ("velites", LIMITED, 300),
        ("velites", REDUCED, 400),
        ("velites", REGULAR, 400),
        ("hastati", LIMITED, 150),
        ("hastati", REDUCED, 150),
        ("hastati", REGULAR, 300),
    ],
)
def test_what_a_unit_has_in_each_kind_of_move(kind: str, mode: str, found: int) -> None:
    assert allowance(battle(f"A {kind} 10 9"), 0, mode) == found


@rule("OH.move.2", "O2.limited.half", "O2.limited.ranged")
def test_a_limited_move_leaves_charge_and_shot() -> None:
    state = moving(battle("A archers 10 9", "X african-infantry 10 5", ground="h hill 10 7.4 5x2.4"), "A")
    after = run(state, Advance(80))
    assert flags(after) & WAS_LIMITED
    assert not flags(after) & WAS_REDUCED
    assert left(after) == 0.7
    assert not refusals(at(run(after, Halt()), Shooting(0)), Shoot("A", "X"))
    assert not refusals(
        moving(battle("A hastati 10 9", "X slingers 10 7.2", ground="h hill 10 7.4 5x2.4"), "A"), Charge("X")
    )


@rule("O2.limited.half")
def test_who_has_gone_beyond_half_stops_at_the_edge() -> None:
    state = one(ground="h hill 10 5.5 5x3")  # its edge is at y = 7, 2 DU before the middle of the card
    assert farthest(state, Advance) == pytest.approx(1.99, abs=0.01)
    assert refusals(state, Advance(210)) == ["O2.limited.half"]
    near = one(ground="h hill 10 6.5 5x3")  # 1 DU before it
    assert not refusals(near, Advance(150))
    assert refusals(near, Advance(160)) == ["O2.limited.half"]


@rule("O2.limited.reduced-prevails")
def test_the_distance_is_halved_once() -> None:
    state = one(ground="h hill 10 7.4 5x2.4")
    after = run(state, Slide(450, 20), Advance(100))
    assert flags(after) & WAS_LIMITED
    assert flags(after) & WAS_REDUCED
    assert left(after) == pytest.approx(0.3)


@rule("OH.move.5", "OH.move.7")
def test_a_forced_march_comes_before_the_halving_and_the_double_cost() -> None:
    state = battle("A triarii 10 9", FAR, ground="w forest 10 6 6x12")
    state.marching = 100
    assert allowance(state, 0, REGULAR) == 300
    assert allowance(state, 0, LIMITED) == 150
    inside = moving(state, "A")
    assert farthest(inside, Advance) == 1.5
    assert farthest(inside, lambda n: Slide(1800, n)) == 0.75


@rule("OH.move.7")
def test_a_forced_march_lets_a_unit_charge() -> None:
    state = battle("A triarii 10 9", "X slingers 10 5.3")
    assert refusals(moving(state, "A"), Charge("X")) == ["OH.value.6"]
    state.marching = 100
    assert not refusals(moving(state, "A"), Charge("X"))


# --- difficult ground ----------------------------------------------------------------------------


@rule("O2.difficult.cost", "OH.move.4")
@pytest.mark.parametrize(
    ("ground", "structure"),
    [
        ("w forest 10 6 6x3.12", ""),
        ("f ford 10 6 6x3.12", ""),
        ("", "v caltrops 10 6 6x3.12"),
        ("w forest 13 6 4.4x3.12", ""),  # with a part of its card
    ],
)
def test_each_du_costs_double_in_difficult_ground(ground: str, structure: str) -> None:
    state = one(ground=ground, structure=structure)  # 1 DU before it
    after = run(state, Advance(200))
    assert left(after) == pytest.approx(0, abs=0.03)
    assert farthest(state, Advance) == pytest.approx(2, abs=0.03)


@rule("O2.difficult.cost")
def test_a_gap_between_two_woods_costs_nothing_more() -> None:
    state = one("numidian-cavalry", ground="w forest 10 7.9 6x0.2; v forest 10 6.1 6x0.2")
    cost = 100 * (6 - left(run(state, Advance(350))))
    assert cost == pytest.approx(350 + 2 * (20 + 88 - 4), abs=3)


@rule("O2.difficult.rotation", "OH.move.4")
def test_in_difficult_ground_a_turn_costs_1_du_but_goes_only_to_45_degrees() -> None:
    state = one(ground="w forest 10 9 6x4")
    assert refusals(state, Wheel("front-left", -451)) == ["O2.difficult.rotation"]
    assert left(run(state, Wheel("front-left", -450))) == 2
    assert refusals(state, Turn(451)) == ["O2.difficult.rotation"]
    assert not refusals(state, Turn(450))


@rule("O2.difficult.charge", "O3.forest.charge")
def test_difficult_ground_does_not_prevent_a_charge() -> None:
    state = moving(battle("A hastati 10 9", "X slingers 10 7.1", ground="w forest 10 8 6x4"), "A")
    after = run(state, Charge("X"))
    assert flags(after) & CHARGED
    assert enemies_touching(after, 0) == [1]
    far = moving(battle("A hastati 10 9", "X slingers 10 6.4", ground="w forest 10 8 6x4"), "A")
    assert refusals(far, Charge("X")) == ["OH.value.6"]  # 1.72 DU at double cost


@rule("O2.difficult.example")
def test_the_halving_comes_before_the_double_cost() -> None:
    state = run(one(ground="w forest 10 6.56 6x3"), Form("shield-wall"))  # 0.5 DU before it
    assert left(state) == 1.5
    after = run(state, Advance(50))
    assert left(after) == 1.0
    assert farthest(after, Advance) == pytest.approx(0.5, abs=0.02)


# --- what is in the way --------------------------------------------------------------------------


@rule("OH.field.1")
def test_nobody_leaves_the_table() -> None:
    state = one(where="10 1")
    assert farthest(state, Advance) == pytest.approx(0.56, abs=0.02)
    assert "OH.field.1" in refusals(state, Advance(60))


@rule("OH.move.8")
def test_a_friend_through_whom_a_unit_passes_is_broken() -> None:
    state = moving(
        battle("A roman-cavalry 10 9; B hastati 10 7.5 formation=shield-wall; C velites 10 6.5", FAR), "A"
    )
    play = do(state, Advance(400))
    assert play.state.broken == [0, 1, 0, 0]
    assert play.state.formation[1] == NO_FORMATION
    assert ("OH.move.8", "event.disturbed") in told(play)


@rule("OH.move.8")
def test_nobody_ends_on_a_friend() -> None:
    state = moving(battle("A roman-cavalry 10 9; B hastati 10 7.5", FAR), "A")
    assert refusals(state, Advance(100)) == ["OH.move.8"]
    assert not refusals(state, Advance(60))
    assert not refusals(state, Advance(240))


@rule("OH.move.9")
def test_enemies_are_in_the_way_and_are_met_by_charging_only() -> None:
    state = moving(battle("A hastati 10 9", "X slingers 10 7"), "A")
    assert refusals(state, Advance(112)) == ["OH.move.9"]
    assert not refusals(state, Advance(109))
    assert "O3.impassable" in refusals(state, Advance(120))
    assert "O3.impassable" in refusals(state, Advance(250))


# --- charges -------------------------------------------------------------------------------------


@rule("OH.move.9")
def test_a_charge_ends_with_the_front_against_the_enemy() -> None:
    state = moving(battle("A hastati 10 9", "X slingers 10 7"), "A")
    after = run(state, Charge("X"))
    assert place(after, "A") == (10, 7.88, 0)
    assert len(contacts(after, 0, 1)) == 4
    assert {side for side, _ in contacts(after, 0, 1)} == {plane.FRONT}
    assert over(after)


@rule("OH.move.9")
def test_the_card_is_squared_up_for_free() -> None:
    state = moving(battle("A hastati 10 9 12", "X slingers 10.6 7"), "A")
    after = run(state, Charge("X"))
    assert place(after, "A")[2] == 0
    assert place(after, "A")[1] == pytest.approx(7.88, abs=0.01)
    flank = moving(battle("A roman-cavalry 7 7.1 88", "X slingers 10 7"), "A")
    hit = run(flank, Charge("X"))
    assert place(hit, "A")[2] == 90
    assert {side for side, _ in contacts(hit, 1, 0)} == {plane.RIGHT}


@rule("OH.move.9")
def test_a_charge_meets_whom_it_meets_first() -> None:
    state = moving(battle("A roman-cavalry 10 9", "X slingers 10 7; Y slingers 10 5.8"), "A")
    assert refusals(state, Charge("Y")) == ["OH.move.9"]
    assert not refusals(state, Charge("X"))
    behind = moving(battle("A roman-cavalry 10 9", "X slingers 10 6", ground="m lake 10 7.5 4x0.4"), "A")
    assert refusals(behind, Charge("X")) == ["OH.move.9"]


@rule("OH.move.9", "OH.value.6")
def test_a_charge_must_be_within_reach() -> None:
    near = moving(battle("A hastati 10 9", "X slingers 10 5.12"), "A")
    assert not refusals(near, Charge("X"))  # 3.00
    far = moving(battle("A hastati 10 9", "X slingers 10 5.07"), "A")
    assert refusals(far, Charge("X")) == ["OH.value.6"]


@rule("OH.broken.1", "OH.formation.1")
@pytest.mark.parametrize(
    ("mark", "clause"), [("broken", "OH.broken.1"), ("formation=shield-wall", "OH.formation.1")]
)
def test_who_may_not_charge(mark: str, clause: str) -> None:
    state = moving(battle(f"A hastati 10 9 {mark}", "X slingers 10 7.6"), "A")
    assert refusals(state, Charge("X")) == [clause]


@rule("O2.cavalry.no-assault", "O2.cavalry.elephants")
def test_cavalry_does_not_storm_a_village_but_elephants_do() -> None:
    for kind, clauses in (("roman-cavalry", ["O2.cavalry.no-assault"]), ("elephants", []), ("hastati", [])):
        state = battle(f"A {kind} 10 9", "X slingers in=v", structure="v village 10 6.5")
        assert refusals(moving(state, "A"), Charge("X")) == clauses


@rule("O2.cavalry.no-assault", "O4.mounted.engage")
def test_cavalry_may_go_up_to_a_held_house() -> None:
    state = moving(battle("A roman-cavalry 10 9", "X slingers in=v", structure="v village 10 6.5"), "A")
    after = run(state, Advance(118))
    assert not engaged(after, 0)
    foot = moving(battle("A hastati 10 9", "X slingers in=v", structure="v village 10 6.5"), "A")
    assert refusals(foot, Advance(118)) == ["OH.move.9"]


@rule("OH.move.9")
def test_a_charge_against_a_held_village_ends_at_its_wall() -> None:
    state = moving(battle("A hastati 10 9", "X slingers in=v", structure="v village 10 6.5"), "A")
    after = run(state, Charge("X"))
    assert place(after, "A") == (10, 7.82, 0)
    assert engaged(after, 0) == [1]


# --- engaged units -------------------------------------------------------------------------------

FIGHT = ("A hastati 10 9", "X african-infantry 10 8.12")


@rule("OH.melee.9")
def test_an_engaged_unit_can_only_withdraw() -> None:
    state = moving(battle(*FIGHT), "A")
    for piece in (
        Advance(50),
        Slide(900, 50),
        Wheel("front-left", 300),
        Turn(900),
        Form("shield-wall"),
        Extend("both"),
    ):
        assert "OH.melee.9" in refusals(state, piece)
    assert refusals(state, Charge("X"))[0] == "OH.move.9"
    assert not refusals(state, Withdraw(100))


@rule("OH.melee.9")
def test_a_unit_withdraws_by_up_to_half_its_movement_facing_the_enemy() -> None:
    state = moving(battle(*FIGHT), "A")
    assert farthest(state, Withdraw) == 1.5
    after = run(state, Withdraw(150))
    assert place(after, "A") == (10, 10.5, 0)
    assert isinstance(after.decision, Pursuit)
    assert after.decision.seat == 1
    assert farthest(moving(battle("A velites 10 9", FIGHT[1]), "A"), Withdraw) == pytest.approx(2, abs=0.02)
    free = moving(battle("A hastati 10 12", FIGHT[1]), "A")
    assert refusals(free, Withdraw(100)) == ["OH.melee.9"]


@rule("OH.melee.9")
def test_the_enemy_may_follow_and_they_do_not_fight() -> None:
    state = run(moving(battle(*FIGHT), "A"), Withdraw(150))
    stays = run(state, Done())
    assert place(stays, "X") == (10, 8.12, 180)
    follows = run(state, Pursue())
    assert place(follows, "X") == (10, 9.62, 180)
    assert engaged(follows, 0) == [1]
    assert at_truce(follows, 0, 1)
    assert over(go_on(at(follows, Fights(0))).state)
    later = follows.copy()
    later.turn += 1
    assert not at_truce(later, 0, 1)


@rule("OH.melee.9")
def test_who_cannot_catch_up_does_not_follow() -> None:
    state = run(moving(battle("A roman-cavalry 10 9", "X triarii 10 8.12"), "A"), Withdraw(240))
    assert not isinstance(state.decision, Pursuit)


@rule("OH.melee.9")
def test_who_is_held_on_two_sides_must_get_clear_of_both() -> None:
    state = moving(battle("A hastati 10 9", "X slingers 10 8.12; Y slingers 11.32 9 270"), "A")
    assert refusals(state, Withdraw(100)) == ["OH.melee.9"]
    assert not refusals(state, Withdraw(150))


@rule("OH.order.8")
def test_fall_back_leads_straight_backwards_only() -> None:
    state = battle("A hastati 10 9; B hastati 14 9", "X african-infantry 10 8.12")
    state.backward = True
    free, held = moving(state, "B"), moving(state, "A")
    assert not refusals(free, Slide(1800, 100))
    for piece in (
        Advance(50),
        Slide(900, 50),
        Slide(1700, 50),
        Turn(100),
        Wheel("front-left", 100),
        Form("shield-wall"),
    ):
        assert "OH.order.8" in refusals(free, piece)
    assert not refusals(held, Withdraw(100))


# --- formations ----------------------------------------------------------------------------------


@rule("OH.formation.1", "OH.formation.2", "OH.move.5")
@pytest.mark.parametrize("formation", ["shield-wall", "phalanx"])
def test_shield_wall_and_phalanx_have_half_their_movement(formation: str) -> None:
    state = battle(f"A triarii 10 9 formation={formation}", FAR)
    assert allowance(state, 0, REGULAR) == allowance(state, 0, LIMITED) == allowance(state, 0, REDUCED) == 100


@rule("OH.formation.3")
def test_a_square_stands_where_it_is() -> None:
    state = moving(battle("A triarii 10 9 formation=square", "X slingers 10 7.9"), "A")
    for piece in (Advance(10), Turn(450), Slide(1800, 10)):
        assert "OH.formation.3" in refusals(state, piece)
    assert refusals(state, Charge("X"))
    after = run(state, Form("plain"))
    assert left(after) == 1


@rule("OH.formation.4", "OH.formation.1", "OH.broken.1")
def test_who_takes_up_which_formation() -> None:
    assert not refusals(one("roman-cavalry"), Form("wedge"))
    assert refusals(one("hastati"), Form("wedge")) == ["OH.formation.4"]
    assert refusals(one("hastati"), Form("phalanx")) == ["OH.unit.1"]
    assert refusals(one("hastati"), Form("plain")) == ["OH.formation.1"]
    assert refusals(one("hastati"), Form("turtle")) == ["OH.formation.1"]
    assert refusals(moving(battle("A hastati 10 9 broken", FAR), "A"), Form("shield-wall")) == ["OH.broken.1"]


@rule("OH.move.3", "OH.formation.1")
def test_a_change_of_formation_is_a_reduced_move() -> None:
    after = run(one(), Form("shield-wall"))
    assert flags(after) & WAS_REDUCED
    assert left(after) == 1.5
    assert refusals(run(one(), Advance(200)), Form("shield-wall")) == ["OH.move.3"]
    assert not refusals(run(one(), Advance(150)), Form("shield-wall"))


@rule("OH.formation.6", "OH.move.3")
@pytest.mark.parametrize(("ends", "width"), [("left", 220), ("right", 220), ("both", 264)])
def test_a_unit_extends_by_a_section_at_either_end(ends: str, width: int) -> None:
    after = run(one(), Extend(ends))
    assert flags(after) & WAS_REDUCED
    boxes = [patch.box for patch in patches_of(after, 0)]
    assert max(box[2] for box in boxes) - min(box[0] for box in boxes) == width
    again = moving(_rested(after), "A")
    assert refusals(again, Extend(ends)) == ["OH.formation.6"]
    assert run(again, Extend("neither")).wings == [0, 0]


def _rested(state: OnusState) -> OnusState:
    new = state.copy()
    new.flags = [ACTIVATED for _ in new.flags]
    return new


@rule("OH.formation.6")
def test_it_extends_only_where_there_is_room() -> None:
    beside = moving(battle("A hastati 10 9; B hastati 11.9 9", FAR), "A")
    assert refusals(beside, Extend("right")) == ["OH.formation.6"]
    assert not refusals(beside, Extend("left"))
    lake = one(ground="l lake 12 9 2x2")
    assert refusals(lake, Extend("both")) == ["OH.formation.6"]


@rule("OH.formation.6")
def test_an_extended_front_takes_its_room_on_the_way() -> None:
    wide = moving(battle("A hastati 10 9 wings=2", FAR, ground="l lake 12 7 2.1x2"), "A")
    slim = moving(battle("A hastati 10 9", FAR, ground="l lake 12 7 2.1x2"), "A")
    assert not refusals(slim, Advance(100))
    assert "O3.impassable" in refusals(wide, Advance(100))


@rule("OH.formation.6")
def test_an_added_section_struck_on_its_flank_is_lost_and_costs_a_wound() -> None:
    state = moving(battle("A roman-cavalry 13.5 6.8 270", "X african-infantry 10 7 wings=1"), "A")
    play = do(state, Charge("X"))
    after = play.state
    assert after.wings[1] == 0
    assert wounds(after, "X") == 1
    assert ("OH.formation.6", "event.wounds") in told(play)
    assert engaged(after, 0) == [1]
    front = moving(battle("A hastati 10 9", "X african-infantry 10 7 wings=3"), "A")
    assert run(front, Charge("X")).wings[1] == 3


# --- skirmishers move on -------------------------------------------------------------------------


@rule("OH.trait.1")
def test_a_skirmisher_moves_shoots_and_moves_on_with_what_is_left() -> None:
    state = battle("A slingers 10 9", "X african-infantry 10 5")
    after = run(moving(state, "A"), Advance(100), Halt())
    assert over(go_on(at(after, MovingOn(0))).state)
    shot = after.copy()
    shot.flags[0] |= SHOT
    again = at(shot, MovingOn(0))
    assert not refusals(again, MoveOn("A"))
    on = run(again, MoveOn("A"))
    assert left(on) == 3
    assert "OH.trait.1" in refusals(on, Charge("X"))
    gone = run(on, Slide(1800, 300), Halt())
    assert place(gone, "A") == (10, 11, 0)
    assert refusals(at(gone, MovingOn(0)), MoveOn("A")) == ["OH.trait.1"]


@rule("OH.trait.1")
def test_others_do_not_move_on() -> None:
    state = battle(
        "A archers 10 9 shot; B slingers 14 9 shot charged", "X african-infantry 10 5; Y hastati 14 8.12"
    )
    assert refusals(at(state, MovingOn(0)), MoveOn("A")) == ["OH.trait.1"]
    assert refusals(at(state, MovingOn(0)), MoveOn("B")) == ["OH.trait.1"]


@rule("OH.trait.1", "O2.limited.skirmishers")
def test_a_limited_move_stays_limited_after_the_shot() -> None:
    state = battle("A slingers 10 9 shot limited", "X african-infantry 10 5")
    state.spent[0] = 100
    assert left(run(at(state, MovingOn(0)), MoveOn("A"))) == 2


# --- who moves -----------------------------------------------------------------------------------


@rule("OH.turn.2", "OH.turn.1", "OH.flight.1")
def test_activated_units_move_once() -> None:
    state = battle("A hastati 10 9; B hastati 13 9 still; C hastati 16 9 fleeing", FAR)
    moves = at(state, Moves(0))
    assert refusals(moves, Move("B")) == ["OH.turn.1"]
    assert refusals(moves, Move("C")) == ["OH.flight.1"]
    assert refusals(moves, Move("X")) == ["OH.turn.1"]
    after = run(moves, Move("A"), Advance(100), Halt())
    assert over(after)
    assert flags(after) & MOVED
    stood = run(moves, Move("A"), Halt())
    assert over(stood)


@rule("OH.move.6")
def test_artillery_is_stopped_by_works_and_moves_like_foot_elsewhere() -> None:
    work = one("scorpion", structure="t trench 10 7.9 owner=attacker")
    assert "O3.impassable" in refusals(work, Advance(60))
    assert not refusals(work, Advance(40))
    assert not refusals(one("scorpion", ground="w forest 10 7.9 4x1"), Advance(50))


@rule("OH.move.6")
def test_artillery_that_has_moved_does_not_shoot() -> None:
    state = battle("A scorpion 10 9", "X african-infantry 10 7")
    assert not refusals(at(state, Shooting(0)), Shoot("A", "X"))
    after = run(moving(state, "A"), Advance(10), Halt())
    assert {"OH.move.6", "O5.artillery.move-or-shoot"} & {*refusals(at(after, Shooting(0)), Shoot("A", "X"))}


def test_nonsense_is_refused_not_raised() -> None:
    state = one()
    for action in (
        Advance(-5),
        Advance(10**9),
        Slide(-1, 50),
        Wheel("nose", 100),
        Turn(10**6),
        Charge("nobody"),
        Charge("A"),
        Align("nowhere"),
        Withdraw(-3),
        Extend("up"),
    ):
        assert refusals(state, action)
        assert all(key.startswith("refusal.") for key in keys(state, action))
