"""4 The fortress as units move in it: walls, towers, corners, gates, breaches; and drawing up in it (7).

The standard fortress has its middle at 10 8 and its front to the south: the inner face of the front is at
y = 9.32, the outer one at y = 9.76, the gate in its middle at x = 10; the floor is 6.92 to 13.08 wide and
6.68 to 9.32 deep.  Defenders look south.
"""

from __future__ import annotations

import pytest

from legatus.games.onus import ONUS
from legatus.games.onus.charges import Charge
from legatus.games.onus.contact import angle_of, hooked, level_of, sections
from legatus.games.onus.entering import Align, Occupy, Sally
from legatus.games.onus.envelop import Envelop, Enveloping
from legatus.games.onus.forming import Extend
from legatus.games.onus.manning import ClimbDown
from legatus.games.onus.morale import morale_terms
from legatus.games.onus.motion import has_room
from legatus.games.onus.movement import Halt, MoveOn, MovingOn
from legatus.games.onus.orders import Done
from legatus.games.onus.pieces import Advance, Slide
from legatus.games.onus.ramparts import is_within, manned
from legatus.games.onus.scene import scene
from legatus.games.onus.setup import Arrange, Deploying, Deployment, Garrison, Place, waiting
from legatus.games.onus.shooting import Shoot, Shooting
from legatus.games.onus.state import (
    FIELD,
    INSIDE,
    LIMITED,
    NOBODY,
    REDUCED,
    RESERVE,
    OnusState,
)
from legatus.games.onus.view import invariants
from legatus.games.onus.walls import OUT_OF, manning, openings, overlap_fault, overlapped
from legatus.kernel import BadFile
from legatus.kernel.objects import replace
from legatus.parts.plane import FRONT, Pose
from tests.rules import rule

from .stage import (
    CALM,
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
)

FORT = "standard 10 8"
HOUSE = "gatehouse 10 8"
CORNERS = "few-towers 10 8"
OUT = "A hastati 10 12"  # far before the gate
FAR = "X african-infantry 2 16"


def inside(units: str, attacker: str = OUT, fortress: str = FORT, **options: str) -> OnusState:
    """The defender's turn."""
    return battle(attacker, units, fortress=fortress, active="defender", **options)


def outside(units: str, defender: str = FAR, fortress: str = FORT) -> OnusState:
    return battle(units, defender, fortress=fortress)


def piece(state: OnusState, name: str) -> int:
    return state.roster.structure_index[name]


def fallen(state: OnusState, *names: str) -> OnusState:
    new = state.copy()
    for name in names:
        new.gone[piece(new, name)] = 1
    return new


def damaged(state: OnusState, name: str, damage: int) -> OnusState:
    new = state.copy()
    new.damage[piece(new, name)] = damage
    return new


def names(state: OnusState, numbers: list[int]) -> list[str]:
    return sorted(state.roster.structures[n].id for n in numbers)


# --- walls ---------------------------------------------------------------------------------------


@rule("O4.wall.face")
def test_a_wall_is_in_the_way_and_who_touches_it_aligns_with_its_marks_for_free() -> None:
    state = moving(outside("A hastati 9.9 10.4 8"), "A")
    assert 0 < farthest(state, Advance) < 0.3
    state = run(state, Advance(round(100 * farthest(state, Advance))))
    spent = left(state)
    after = run(state, Align("gate-1"))
    assert place(after, "A") == (10, 10.2, 0)  # 9.12 to 10.88: section on section
    assert left(after) == spent
    assert is_within(after, 0) is False


@rule("O4.wall.face")
def test_the_marks_are_a_section_apart_and_a_card_may_lie_before_two_walls() -> None:
    after = run(moving(outside("A hastati 10.5 10.25"), "A"), Advance(4), Align("gate-1"))
    assert place(after, "A") == (10.44, 10.2, 0)
    assert refusals(after, Align("gate-1")) == ["O2.facing-free"]


@rule("O4.wall.inner-contact", "O4.occupy.enter")
def test_who_touches_the_inner_face_is_on_the_wall_even_after_a_regular_move() -> None:
    state = moving(inside("D african-infantry 9.9 8.1"), "D")
    assert level_of(state, 1) == 0
    after = run(state, Advance(77), Align("gate-1"))
    assert place(after, "D") == (10, 8.88, 180)
    assert names(after, manned(after, 1)) == ["gate-1"]
    assert level_of(after, 1) == 1
    assert not after.flags[1] & LIMITED


@rule("O4.wall.inner-contact")
def test_it_leaves_inwards_without_climbing_down() -> None:
    state = moving(inside("D african-infantry 10 8.88"), "D")
    after = run(state, Slide(1800, 100))
    assert level_of(after, 1) == 0
    assert left(after) == 0.5


@rule("O4.wall.inner-contact")
def test_a_wall_that_has_fallen_lifts_nobody() -> None:
    state = inside("D african-infantry 10 8.88")
    assert level_of(state, 1) == 1
    assert level_of(fallen(state, "gate-1"), 1) == 0


@rule("O4.wall.example-tower-or-wall", "O4.tower.enter-inside", "O4.occupy.tower-inside", "O4.tower.marker")
def test_iberians_who_touch_wall_and_tower_choose() -> None:
    state = run(moving(inside("D iberian-infantry 11.76 8"), "D"), Advance(88))
    assert names(state, manned(state, 1)) == ["wall-1"]  # that is the other choice
    after = run(state, Occupy("tower-1"))
    assert after.where[1] == INSIDE
    assert after.inside[1] == piece(after, "tower-1")
    assert after.flags[1] & LIMITED
    assert over(after)


@rule("O4.wall.example-tower-or-wall", "O4.tower.capacity")
def test_if_the_tower_is_held_they_can_only_defend_the_wall() -> None:
    state = inside("D iberian-infantry 11.76 8; E slingers in=tower-1")
    state = run(moving(state, "D"), Advance(88))
    assert refusals(state, Occupy("tower-1")) == ["O4.tower.capacity"]
    after = run(state, Halt())
    assert names(after, manned(after, 1)) == ["wall-1"]


@rule("O4.tower.enter-inside")
def test_a_tower_is_entered_by_a_limited_or_reduced_move() -> None:
    state = run(moving(inside("D iberian-infantry 11.76 8.88"), "D"), Slide(1800, 5), Advance(5))
    assert state.flags[1] & REDUCED
    assert not refusals(state, Occupy("tower-1"))
    near = run(moving(inside("D iberian-infantry 10.7 8.44 90"), "D"), Advance(150))
    assert not refusals(near, Occupy("tower-1"))
    far = run(moving(inside("D iberian-infantry 10.6 8.44 90"), "D"), Advance(160))
    assert refusals(far, Occupy("tower-1")) == ["O2.limited.half"]
    short = moving(inside("D iberian-infantry 10.6 8.44 90"), "D")
    assert refusals(short, Occupy("tower-1")) == ["O4.village.occupy"]  # it does not touch it


@rule("O4.occupy.tower-inside", "O4.tower.enter-outside")
def test_from_outside_a_tower_is_not_entered_on_contact() -> None:
    state = moving(outside("A hastati 13.08 10.22"), "A")
    state = run(state, Advance(1)) if not refusals(state, Advance(1)) else state
    assert refusals(state, Occupy("tower-1")) == ["O4.occupy.tower-inside"]


@rule("O4.occupy.tower-exit")
def test_out_of_a_tower_to_the_inside_is_a_limited_move() -> None:
    state = moving(inside("D african-infantry in=tower-1"), "D")
    legal = [side for side in ("front", "right", "rear", "left") if not refusals(state, Sally(side))]
    assert len(legal) == 4
    found = {side: run(state, Sally(side)) for side in legal}
    within = {side: after for side, after in found.items() if is_within(after, 1)}
    assert len(within) == 2
    for after in within.values():
        assert after.flags[1] & LIMITED
        assert left(after) == 0.62
    for side in set(found) - set(within):
        assert left(found[side]) == 0  # all of it
        assert not found[side].flags[1] & LIMITED


@rule("O4.occupy.tower-exit")
def test_to_the_outside_one_does_not_go_who_has_moved_or_who_would_touch_an_enemy() -> None:
    state = moving(inside("D african-infantry in=tower-1", "A hastati 13.08 10.7 180"), "D")
    blocked = [side for side in ("front", "right", "rear", "left") if refusals(state, Sally(side))]
    assert len(blocked) == 1


@rule("O4.unit-markers.twin", "O4.tower.marker")
def test_the_tower_shows_who_is_in_it() -> None:
    state = inside("D african-infantry in=tower-1; E iberian-infantry 10 8")
    shown = {one.id: one.place for one in scene(state, 1, "en").pieces}
    assert shown["D"] == "tower-1"
    assert shown["E"] == "table"


@rule("O4.wall.climb-down")
def test_a_defender_lets_himself_down_outside_with_all_his_movement() -> None:
    state = moving(inside("D african-infantry 10 8.88"), "D")
    play = do(state, ClimbDown("gate-1"))
    assert place(play.state, "D") == (10, 10.2, 180)
    assert over(play.state)
    assert ("O4.wall.climb-down", "event.climbs_down") in told(play)


@rule("O4.wall.climb-down")
def test_who_has_moved_or_would_touch_an_enemy_or_does_not_face_the_wall_stays_up() -> None:
    down = ClimbDown("gate-1")
    moved = run(moving(inside("D african-infantry 10 8.5"), "D"), Advance(38))
    assert refusals(moved, down) == ["O4.wall.climb-down"]
    met = moving(inside("D african-infantry 10 8.88", "A hastati 10 11.08"), "D")
    assert keys(met, down) == ["refusal.contact_by_charge"]
    assert not refusals(moving(inside("D african-infantry 10 8.88", "A hastati 10 11.2"), "D"), down)
    away = moving(inside("D african-infantry 10 8.88 0"), "D")
    assert refusals(away, down) == ["O4.wall.climb-down"]


@rule("O4.lateral.move", "O4.wall.sidestep")
def test_along_a_wall_one_moves_sideways_by_a_limited_move() -> None:
    state = moving(inside("D sacred-band 10 8.88"), "D")
    after = run(state, Slide(900, 88))
    assert place(after, "D") == (9.12, 8.88, 180)
    assert after.flags[1] & LIMITED
    assert not after.flags[1] & REDUCED
    assert refusals(state, Slide(900, 151)) == ["O2.limited.half"]


@rule("O4.lateral.move")
def test_away_from_a_wall_it_stays_a_reduced_move() -> None:
    after = run(moving(inside("D sacred-band 10 8.5"), "D"), Slide(900, 88))
    assert after.flags[1] & REDUCED


@rule("O4.wall.top-defends")
def test_only_the_unit_on_top_defends_the_wall() -> None:
    state = inside("D sacred-band 10 8.88; E iberian-infantry 10 8.88", "A triarii 10 10.2")
    state.over = [(1, 2)]
    state.climbs[0], state.climbed[0] = piece(state, "gate-1"), 1
    assert len(sections(state, 0, 1)[FRONT]) == 4
    assert sections(state, 0, 2)[FRONT] == ()
    state.over = [(2, 1)]
    assert sections(state, 0, 1)[FRONT] == ()


@rule("O2.structure-flank.inside")
def test_on_a_wall_one_has_flanks_for_who_is_inside() -> None:
    state = inside("D sacred-band 10 8.88", "A triarii 11.32 8.88 270")
    assert angle_of(state, 0, 1) == (True, False)
    over_it = inside("D sacred-band 10 8.88", "A triarii 10 10.2")
    over_it.climbs[0], over_it.climbed[0] = piece(over_it, "gate-1"), 1
    assert angle_of(over_it, 0, 1) == (False, False)


# --- breaches ------------------------------------------------------------------------------------


@rule("O4.wall.breach-move")
def test_through_a_fallen_wall_one_comes_in_by_a_limited_move() -> None:
    state = outside("A hastati 10 10.2")
    assert refusals(moving(state, "A"), Advance(140)) == ["O3.impassable"]
    open_ = moving(fallen(state, "gate-1"), "A")
    assert not refusals(open_, Advance(140))
    assert refusals(open_, Advance(151)) == ["O2.limited.half"]
    after = run(open_, Advance(140))
    assert is_within(after, 0)
    assert after.flags[0] & LIMITED


@rule("O4.wall.breach-move")
def test_a_gate_that_is_down_lets_everybody_through_who_goes_for_its_middle() -> None:
    state = outside("A hastati 10 10.2")
    assert refusals(moving(damaged(state, "gate-1", 4), "A"), Advance(140)) == ["O3.impassable"]
    assert not refusals(moving(damaged(state, "gate-1", 5), "A"), Advance(140))
    beside = damaged(outside("A hastati 10.6 10.2"), "gate-1", 5)
    assert refusals(moving(beside, "A"), Advance(140)) == ["O3.impassable"]


@rule("O4.mounted.where")
def test_horse_comes_in_through_breaches_and_gates_only() -> None:
    state = outside("A roman-cavalry 10 10.2")
    assert refusals(moving(state, "A"), Advance(140)) == ["O3.impassable"]
    assert not refusals(moving(fallen(state, "gate-1"), "A"), Advance(140))
    own = moving(inside("D numidian-cavalry 10 8.8"), "D")
    assert not refusals(own, Advance(150))
    assert refusals(own, Align("gate-1")) == ["O2.facing-free"]
    near = run(own, Advance(7))
    assert refusals(near, Align("gate-1"))[0] == "O4.mounted.no-defences"
    assert manned(near, 1) == []
    assert refusals(near, ClimbDown("gate-1")) == ["O4.wall.climb-down"]


@rule("O4.mounted.where")
def test_horse_does_not_go_into_towers() -> None:
    state = moving(inside("D numidian-cavalry 11.76 8.8"), "D")
    assert refusals(state, Occupy("tower-1")) == ["O4.mounted.no-defences"]


# --- corners -------------------------------------------------------------------------------------


def at_corner(units: str) -> OnusState:
    return inside(units, fortress=HOUSE)


@rule("O4.corner.capacity")
def test_a_section_in_a_corner_defends_both_outer_sides() -> None:
    state = at_corner("D african-infantry 11.32 8.88")
    assert names(state, manned(state, 1)) == ["corner-1", "gate-1", "wall-4"]
    for where, turn in (("12.2 10.2", 0), ("13.08 9.32", 270)):
        climber = inside("D african-infantry 11.32 8.88", f"A triarii {where} {turn}", HOUSE)
        climber.climbs[0], climber.climbed[0] = piece(climber, "corner-1"), 1
        assert sum(map(len, sections(climber, 0, 1))) >= 1, where
        assert angle_of(climber, 0, 1) == (False, False)


@rule("O4.corner.capacity")
def test_a_corner_has_room_for_one_section() -> None:
    state = at_corner("D african-infantry 11.32 8.88; E iberian-infantry 9 8")
    one, two = (Pose(1132, 888, 1800), Pose(1176, 844, 900))
    assert {one, two} == set(manning(state, piece(state, "corner-1")))
    assert overlap_fault(state, 2, one) == "O4.corner.capacity"
    assert overlap_fault(state, 2, two) in ("O4.corner.capacity", "O4.overlap.align")
    assert overlap_fault(fallen(state, "corner-1"), 2, one) == ""


@rule("O4.corner.no-flank")
def test_at_a_corner_nobody_is_flanked() -> None:
    state = inside("D african-infantry 11.32 8.88", "A triarii 13.08 9.32 270", HOUSE)
    state.climbs[0], state.climbed[0] = piece(state, "corner-1"), 1
    assert any(sections(state, 0, 1))  # it comes up at his side
    assert angle_of(state, 0, 1) == (False, False)


@rule("O7.design.corner-overlap", "O4.corner.capacity")
def test_who_holds_a_corner_may_lie_over_the_tower_beside_it() -> None:
    state = at_corner("D african-infantry 11.76 8")
    post = Pose(1132, 888, 1800)
    assert names(state, overlapped(state, post)) == ["tower-1"]
    assert has_room(state, 1, post)
    assert not has_room(state, 1, Pose(1132, 880, 1800))
    held = at_corner("D african-infantry 11.32 8.88")
    assert list(invariants(fallen(held, "corner-1"))) == []  # when the corner falls it stays
    east = at_corner("D african-infantry 11.76 8 90")
    after = run(moving(east, "D"), Slide(900, 44))
    assert place(after, "D") == (11.76, 8.44, 90)
    assert names(after, manned(after, 1)) == ["corner-1", "wall-4"]


@rule("O7.design.extended-corner")
def test_a_defender_extends_to_the_right_to_cover_a_corner_at_a_price() -> None:
    state = moving(inside("D african-infantry 11.76 7.12 0", fortress=CORNERS), "D")
    assert names(state, manned(state, 1)) == ["wall-6"]
    after = run(state, Extend("right"))
    assert names(after, manned(after, 1)) == ["corner-2", "wall-6"]
    assert [(term.clause, term.value) for term in morale_terms(after, 1) if term.value < 0] == [
        ("OH.formation.6", -1)
    ]
    north = inside("D african-infantry 11.76 7.12 0 wings=2", "A triarii 13.52 5.8 180", CORNERS)
    east = inside("D african-infantry 11.76 7.12 0 wings=2", "A triarii 13.96 6.68 270", CORNERS)
    for climber in (north, east):
        climber.climbs[0], climber.climbed[0] = piece(climber, "corner-2"), 1
        assert any(sections(climber, 0, 1))
        assert angle_of(climber, 0, 1) == (False, False)
        climber.wings[1] = 0
        assert not any(sections(climber, 0, 1))


@rule("O7.design.extended-corner")
def test_without_a_corner_there_is_no_room_to_extend() -> None:
    state = moving(inside("D african-infantry 11.76 7.12 0"), "D")
    assert refusals(state, Extend("right")) == ["OH.formation.6"]


# --- the gate ------------------------------------------------------------------------------------


@rule("O4.gate.pass")
def test_defenders_pass_their_gate_by_a_limited_move_and_it_closes_behind_them() -> None:
    state = moving(inside("D african-infantry 10 8.88"), "D")
    assert not refusals(state, Advance(133))
    assert refusals(state, Advance(151)) == ["O2.limited.half"]
    after = run(state, Advance(140))
    assert after.flags[1] & LIMITED
    assert not is_within(after, 1)
    follows = outside("A hastati 11 10.2", "X african-infantry 2 16")
    assert refusals(moving(follows, "A"), Advance(140)) == ["O3.impassable"]
    home = moving(inside("D african-infantry 10 10.3 0"), "D")
    assert is_within(run(home, Advance(145)), 1)


@rule("O4.gate.pass")
def test_the_way_leads_through_the_gate_not_through_the_wall() -> None:
    beside = moving(inside("D african-infantry 10.6 8.88"), "D")
    assert refusals(beside, Advance(140)) == ["O3.impassable"]


@rule("O4.gate.blocked")
@pytest.mark.parametrize(
    ("attacker", "friend", "blocked"),
    [
        ("A hastati 10 10.2", "", True),
        ("A hastati 11.2 10.2", "", True),  # with one section against the gate
        ("A hastati 11.4 10.2", "", False),  # against the wall beside it
        ("A hastati 10 10.3", "", False),
        ("A hastati 10 8.88", "", True),  # within
        (OUT, "; E iberian-infantry 11.2 10.2", True),
        (OUT, "; E iberian-infantry 10 8.88", False),  # one passes over him
    ],
)
def test_who_stands_against_the_gate_blocks_it(attacker: str, friend: str, blocked: bool) -> None:
    state = inside(f"D slingers 10 7.5{friend}", attacker)
    assert [gap.clause for gap in openings(state, 1)] == ([] if blocked else ["O4.gate.pass"])
    assert openings(state, 0) == []


@rule("O4.gate.blocked", "O4.overlap.pass")
def test_one_goes_out_over_a_friend_within_and_not_past_an_enemy_without() -> None:
    state = moving(inside("D slingers 10 8; E iberian-infantry 10 8.88"), "D")
    after = run(state, Advance(230))
    assert not is_within(after, 1)
    assert not after.broken[2]
    met = moving(inside("D slingers 10 8", "A hastati 11.2 10.2"), "D")
    assert "O3.impassable" in refusals(met, Advance(230))


@rule("O4.gate.example-sortie")
def test_infantry_sallies_and_strikes_with_all_its_sections() -> None:
    state = moving(inside("D african-infantry 10 8.88", "A hastati 10 11.14"), "D")
    after = run(state, Charge("A"))
    assert after.flags[1] & LIMITED
    assert len(sections(after, 1, 0)[FRONT]) == 4
    beyond = moving(inside("D african-infantry 10 8.88", "A hastati 10 11.3"), "D")
    assert refusals(beyond, Charge("A")) == ["O2.limited.half"]


@rule("O4.gate.example-sortie")
def test_sections_that_reach_past_the_enemy_envelop_it() -> None:
    state = moving(inside("D african-infantry 10 8.88", "A hastati 10.88 11.14"), "D")
    after = at(run(state, Charge("A")), Enveloping(1))
    options = [action for action in after.decision.candidates(after) if isinstance(action, Envelop)]
    assert any(not refusals(after, action) for action in options)


@rule("O4.gate.example-sortie")
def test_skirmishers_come_out_shoot_and_are_back_behind_the_gate() -> None:
    state = moving(inside("D slingers 10 8.88; E iberian-infantry 8.24 8.88", "A hastati 10 13"), "D")
    out = run(state, Advance(150), Halt())
    shot = run(at(out, Shooting(1), MovingOn(1)), Shoot("D", "A"), dice=[CALM, 1, 1, 1, 1])
    back = run(shot, MoveOn("D"))
    assert not refusals(back, Slide(1800, 150))
    after = run(back, Slide(1800, 150))
    assert place(after, "D") == (10, 8.88, 180)
    far = run(state, Advance(160), Halt())
    shot = run(at(far, Shooting(1), MovingOn(1)), Shoot("D", "A"), dice=[CALM, 1, 1, 1, 1])
    assert refusals(run(shot, MoveOn("D")), Slide(1800, 160)) == ["O2.limited.half"]  # 3.2 of 3 DU


# --- artillery -----------------------------------------------------------------------------------


@rule("O5.artillery.inside-fortress")
def test_artillery_inside_stays_on_its_level() -> None:
    state = moving(inside("D scorpion 12.2 8.44 0"), "D")
    assert level_of(state, 1) == 0
    assert refusals(state, Occupy("tower-1")) == ["O5.artillery.inside-fortress"]
    foot = moving(inside("D archers 12.2 8.44 0"), "D")
    assert not refusals(foot, Occupy("tower-1"))


@rule("O5.artillery.no-wall-facing")
def test_artillery_is_not_placed_facing_a_wall() -> None:
    state = moving(inside("D scorpion 10 8.5"), "D")
    assert refusals(state, Advance(38)) == ["O5.artillery.no-wall-facing"]
    assert not refusals(state, Advance(30))
    assert manned(inside("D scorpion 10 8.88"), 1) == []
    beside = moving(inside("D scorpion 10 8.44 90"), "D")
    assert "O5.artillery.no-wall-facing" in refusals(beside, Align("gate-1"))
    deploy = drawing_up("", "D scorpion 10 8.5")
    assert "O5.artillery.no-wall-facing" in refusals(deploy, Place("D", 1000, 888, 1800))


# --- drawing up ----------------------------------------------------------------------------------


def drawing_up(
    attacker: str, defender: str, seat: int = 1, fortress: str = FORT, **options: str
) -> OnusState:
    """All are in reserve but for those of the defender if the attacker draws up."""
    state = battle(attacker, defender, fortress=fortress, active=("attacker", "defender")[seat], **options)
    units = [replace(unit, start=None) if unit.side == seat else unit for unit in state.roster.units]
    state.roster = replace(state.roster, units=tuple(units))
    for i, unit in enumerate(units):
        if unit.side == seat:
            state.where[i], state.inside[i] = RESERVE, NOBODY
    return at(state, Deploying(seat))


@rule("O7.deploy.defender", "O7.deploy.fortress")
def test_the_defender_draws_up_in_the_fortress_and_along_his_edge() -> None:
    state = drawing_up(OUT, "D african-infantry 10 8")
    for x, y, legal in ((1000, 800, True), (1000, 888, True), (1000, 100, True), (1000, 500, False)):
        assert (refusals(state, Place("D", x, y, 1800)) == []) == legal, (x, y)
    assert refusals(state, Place("D", 1000, 925, 1800)) == ["O3.impassable"]  # on the gate
    assert "OH.field.2" in refusals(state, Place("D", 1000, 1100, 1800))


@rule("O7.deploy.defender", "O4.hidden.who")
def test_he_does_so_face_down_inside_and_face_up_on_walls_and_outside() -> None:
    state = drawing_up(OUT, "D african-infantry 10 8")
    assert run(state, Place("D", 1000, 800, 1800)).hidden[1]
    assert not run(state, Place("D", 1000, 888, 1800)).hidden[1]
    assert not run(state, Place("D", 1000, 100, 1800)).hidden[1]
    assert not run(state, Garrison("D", "tower-1")).hidden[1]


@rule("O7.deploy.attacker", "OH.field.2", "O7.deploy.depth")
def test_the_attacker_draws_up_face_up_in_his_zone_8_du_from_the_walls() -> None:
    state = drawing_up(OUT, FAR, 0, "standard 10 6.24")  # its front is at y = 8
    assert refusals(state, Place("A", 1000, 1644, 0)) == []
    assert refusals(state, Place("A", 1000, 1642, 0)) == []
    assert refusals(state, Place("A", 1000, 1638, 0)) == ["OH.field.2"]
    assert keys(state, Place("A", 1000, 1638, 0)) == ["refusal.near_walls"]
    assert keys(state, Place("A", 1000, 1200, 0)) == ["refusal.outside_zone", "refusal.near_walls"]
    assert keys(state, Place("A", 1000, 620, 0)) == ["refusal.outside_zone", "refusal.near_walls"]
    after = run(state, Place("A", 1000, 1700, 0))
    assert after.where[0] == FIELD
    assert not any(after.hidden)


@rule("O7.deploy.attacker")
def test_the_defender_draws_up_first() -> None:
    state = drawing_up(OUT, "D african-infantry 10 8")
    state.where[0] = RESERVE
    state.roster = replace(
        state.roster, units=tuple(replace(unit, start=None) for unit in state.roster.units)
    )
    first = go_on(at(state, Deployment())).state
    assert first.decision == Deploying(1)
    assert refusals(first, Done()) == ["OH.field.2"]  # as long as somebody waits
    assert run(first, Arrange(), Done()).decision == Deploying(0)


@rule("O7.deploy.fortress", "OH.field.2")
def test_around_a_fortress_in_the_middle_the_attacker_chooses_his_side() -> None:
    big = drawing_up(OUT, "X african-infantry 12 12", 0, "standard 12.4 11", size=(24.8, 22))
    for place_ in ((1240, 2150, 0), (1240, 50, 1800), (44, 1100, 900), (2436, 1100, 2700)):
        assert refusals(big, Place("A", *place_)) == [], place_
    small = drawing_up(OUT, FAR, 0, "standard 10 9")
    assert "OH.field.2" in refusals(small, Place("A", 1000, 50, 0))


@rule("OH.field.2")
def test_two_rows_are_left_before_a_fortress_at_the_edge_of_14_du() -> None:
    """14 - 3.52 - 8 = 2.48 DU: enough for two cards one behind the other."""
    near = "X african-infantry 2 5"
    state = drawing_up("A hastati 7 12; B hastati 7 13", near, 0, "standard 7 1.76", size=(14, 14))
    state = run(state, Place("A", 700, 1196, 0), Place("B", 700, 1290, 0))
    assert [state.where[i] for i in (0, 1)] == [FIELD, FIELD]


@rule("OH.piece.3")
def test_all_eight_walls_of_the_standard_fortress_can_be_manned_at_once() -> None:
    units = "; ".join(f"D{n} african-infantry 2 {n}" for n in range(8))
    state = drawing_up(OUT, units)
    walls = [n for n in state.roster.keep.pieces if manning(state, n)]
    assert len(walls) == 8
    for k, n in enumerate(walls):
        post = manning(state, n)[0]
        assert refusals(state, Place(f"D{k}", *post)) == []
        state = run(state, Place(f"D{k}", *post))
    assert state.over == []  # it hinders nobody
    assert all(manned(state, i) for i in range(1, 9))


@rule("O7.deploy.defender")
def test_a_fortress_is_drawn_up_by_itself_walls_and_towers_first() -> None:
    units = "D african-infantry 1 1 general; E slingers 1 1; F iberian-infantry 1 1; G numidian-cavalry 1 1"
    after = run(drawing_up(OUT, units), Arrange())
    assert waiting(after, 1) == []
    assert names(after, manned(after, index(after, "D"))) == ["gate-1"]
    assert after.where[index(after, "E")] == INSIDE
    assert manned(after, index(after, "F"))
    assert is_within(after, index(after, "G"))
    assert after.hidden[index(after, "G")]


@rule("O4.watchtower.deployment")
def test_a_watchtower_of_the_own_zone_can_be_garrisoned() -> None:
    towers = "w watchtower 4 1.5; v watchtower 4 16.5"
    state = drawing_up(OUT, "D african-infantry 10 8; E numidian-cavalry 9 8", structure=towers)
    assert refusals(state, Garrison("D", "w")) == []
    assert refusals(state, Garrison("D", "v")) == ["O4.watchtower.deployment"]
    assert refusals(state, Garrison("E", "w")) == ["OH.trait.5"]
    after = run(state, Garrison("D", "w"))
    assert after.where[1] == INSIDE


@rule("O4.watchtower.placement")
def test_a_watchtower_does_not_stand_inside_a_fortress(tmp_path) -> None:  # type: ignore[no-untyped-def]
    text = """
name = "x"
size = [16, 16]
[fortress]
design = "standard"
at = [8, 4]
[[structure]]
id = "w"
kind = "watchtower"
at = [{x}, {y}]
[[army]]
side = "attacker"
[[army.unit]]
kind = "hastati"
general = true
[[army]]
side = "defender"
[[army.unit]]
kind = "hastati"
general = true
"""
    file = tmp_path / "w.toml"
    file.write_text(text.format(x=8, y=9))
    assert ONUS.configure(str(file))
    file.write_text(text.format(x=8, y=4))
    with pytest.raises(BadFile, match="watchtower"):
        ONUS.configure(str(file))


# --- out of a tower against an enemy -------------------------------------------------------------


def dice(state: OnusState, i: int, j: int) -> int:
    """How many sections of a unit fight another, markers with them."""
    return sum(map(len, sections(state, i, j))) + hooked(state, i, j)


@rule("O4.exit-overlap.example", "O4.exit-overlap.when")
def test_out_of_a_tower_against_an_attacker_beside_it() -> None:
    """There is no room for the card between him and the wall, but there is for three of its sections."""
    state = moving(inside("D african-infantry in=tower-1", "A hastati 11.6 8.1"), "D")
    after = run(state, Charge("A"))
    assert after.where[1] == FIELD
    assert after.flags[1] & LIMITED
    assert after.way[1]  # it lies over the tower and over the wall
    assert dice(after, 1, 0) == 3
    assert angle_of(after, 1, 0) == (True, False)


@rule("O4.exit-overlap.example")
def test_with_room_for_another_marker_it_fights_with_four() -> None:
    state = moving(inside("D african-infantry in=tower-1", "A hastati 11.6 8.1"), "D")
    after = at(run(state, Charge("A")), Enveloping(1))
    after = run(after, Envelop("D", "A", "rear", 1))
    assert dice(after, 1, 0) == 4
    assert angle_of(after, 1, 0)[0]
    hemmed = moving(inside("D african-infantry in=tower-1", "A hastati 11.6 8.6"), "D")
    hemmed = at(run(hemmed, Charge("A")), Enveloping(1))
    assert dice(hemmed, 1, 0) == 3
    assert refusals(hemmed, Envelop("D", "A", "rear", 1)) == ["OH.marker.1"]  # the wall is in the way


@rule("O4.exit-overlap.when")
def test_sections_over_another_wall_do_not_fight() -> None:
    state = inside("D african-infantry 10 8 90", "A hastati 10.88 8 270")
    assert dice(state, 1, 0) == 4
    state.pose[0], state.pose[1] = Pose(1132, 700, 2700), Pose(1044, 700, 900)
    state.way[1] = OUT_OF + piece(state, "tower-1")
    assert dice(state, 1, 0) == 2  # the others lie over the north wall, which it has not left
    state.way[1] = OUT_OF + piece(state, "wall-5")
    assert dice(state, 1, 0) > 2


@rule("O4.exit-overlap.when", "OH.formation.6")
def test_an_extended_unit_that_has_left_a_structure_fights_with_its_whole_front() -> None:
    state = inside("D african-infantry 10 8 90 wings=3", "A hastati 10.88 8 270 wings=3")
    state.way[1] = OUT_OF + piece(state, "tower-1")
    assert dice(state, 1, 0) == 6
