"""3 Bridges and choke points: markers, limited moves, coming off, charging off, falling.

The river runs from west to east, y 6.28 to 7.72; the bridge is at x = 10, 1.44 long and 0.88 wide.
"""

from __future__ import annotations

import pytest

from legatus.games.onus.charges import Charge
from legatus.games.onus.crossing import Cross, blocks, bridge_falls, sections_wide
from legatus.games.onus.entering import Align
from legatus.games.onus.envelop import Envelop, Enveloping
from legatus.games.onus.forming import Form
from legatus.games.onus.motion import LIMITED, allowance
from legatus.games.onus.movement import Halt
from legatus.games.onus.pieces import Advance, Slide
from legatus.games.onus.state import ACTIVATED, CHARGED, CROSSING, EMERGED, FIELD, OnusState
from legatus.games.onus.state import LIMITED as WAS_LIMITED
from legatus.games.onus.table import contacts, engaged, touching
from legatus.kernel import Play, Scripted
from legatus.parts import plane
from tests.rules import rule

from .stage import at, battle, farthest, left, moving, place, refusals, run, told, wounds

FAR = "X african-infantry 2 2"
RIVER = "; ".join(f"r{n} river {n * 2 + 1} 7 2x1.44" for n in range(10))
WIDE, NARROW = "b wooden-bridge 10 7", "b wooden-bridge 10 7 0.44x1.44"


def at_river(attacker: str, defender: str = FAR, structure: str = WIDE, ground: str = "") -> OnusState:
    return battle(attacker, defender, ground=RIVER + (f"; {ground}" if ground else ""), structure=structure)


def next_turn(state: OnusState, active: int = 0) -> OnusState:
    """Everybody of the active side is activated again."""
    new = state.copy()
    new.turn += 2
    new.active = active
    new.flags = [ACTIVATED if unit.side == active else 0 for unit in new.roster.units]
    return new


# --- onto a bridge and over it -------------------------------------------------------------------


@rule("O3.choke.when", "O3.bridge.choke-reference", "O3.bridge.markers", "O2.facing-free")
@pytest.mark.parametrize(("structure", "sections"), [(WIDE, 2), (NARROW, 1)])
def test_aligned_with_a_bridge_its_first_sections_are_on_it(structure: str, sections: int) -> None:
    state = moving(at_river("A triarii 10.4 9.16 10", structure=structure), "A")
    near = run(state, Advance(88))
    after = run(near, Align("b"))
    assert after.where[0] == CROSSING
    assert after.way[0] == 44
    assert sections_wide(after, 0) == sections
    assert place(after, "A") == (10, 7.72, 0)
    assert left(after) == left(near)


@rule("O3.choke.when")
def test_who_is_not_at_the_end_of_a_bridge_does_not_get_on_it() -> None:
    state = moving(at_river("A triarii 12 8.16"), "A")
    assert refusals(state, Align("b")) == ["O2.facing-free"]
    taken = moving(at_river("A triarii 10 8.16; B hastati in=b way=140"), "A")
    assert refusals(taken, Align("b")) == ["O3.choke.when"]
    first = moving(at_river("A hastati in=b way=140; B triarii 10 8.16"), "B")  # whoever it is
    assert refusals(first, Align("b")) == ["O3.choke.when"]


@rule("O3.river.impassable")
def test_a_bridge_does_not_open_the_river_for_cards() -> None:
    state = moving(at_river("A roman-cavalry 10 8.16"), "A")
    assert refusals(state, Advance(300)) == ["O3.impassable"]


@rule("O3.bridge.movement", "O3.choke.free-way")
def test_a_bridge_is_crossed_by_limited_moves() -> None:
    state = moving(at_river("A hastati in=b way=44"), "A")
    assert farthest(state, Cross) == 1.5
    after = run(state, Cross(100))
    assert after.way[0] == 144
    assert after.flags[0] & WAS_LIMITED
    assert left(after) == 0.5
    assert farthest(moving(at_river("A velites in=b way=44"), "A"), Cross) == 3
    off = run(moving(next_turn(after), "A"), Cross(100))
    assert off.where[0] == FIELD
    assert place(off, "A") == (10, 5.72, 0)
    assert left(off) == 0.5
    assert not refusals(off, Advance(50))


@rule("O3.choke.free-way")
def test_until_all_of_a_unit_is_beyond_it_is_still_crossing() -> None:
    state = moving(at_river("A triarii in=b way=144"), "A")
    part = run(state, Cross(80))
    assert part.where[0] == CROSSING
    assert part.way[0] == 224
    whole = run(state, Cross(88))
    assert whole.where[0] == FIELD
    assert place(whole, "A") == (10, 5.84, 0)


@rule("O3.choke.free-way")
def test_beyond_there_must_be_room() -> None:
    state = at_river("A velites in=b way=144; B hastati 11.4 5.4")
    assert refusals(moving(state, "A"), Cross(100)) == ["O3.choke.free-way"]
    assert not refusals(moving(state, "A"), Cross(60))
    enemy = at_river("A velites in=b way=100", "X slingers 10 5.84")
    assert refusals(moving(enemy, "A"), Cross(44)) == ["O3.choke.free-way"]
    assert not refusals(moving(enemy, "A"), Cross(40))


@rule("O3.choke.when", "OH.move.3")
def test_back_over_a_bridge_is_a_reduced_move() -> None:
    state = moving(at_river("A hastati in=b way=100"), "A")
    after = run(state, Cross(-100))
    assert after.where[0] == FIELD
    assert place(after, "A") == (10, 8.16, 0)
    assert "OH.move.3" in refusals(after, Charge("X"))
    assert refusals(moving(at_river("A triarii in=b way=144"), "A"), Cross(-120)) == ["OH.move.3"]


@rule("O3.choke.when")
def test_on_a_bridge_only_the_way_over_it_is_open() -> None:
    state = moving(at_river("A hastati in=b way=100"), "A")
    for action in (Advance(10), Slide(900, 10), Form("shield-wall"), Align("r4")):
        assert refusals(state, action)
    assert refusals(moving(at_river("A hastati 10 9"), "A"), Cross(10)) == ["O3.choke.when"]


# --- meeting the enemy ---------------------------------------------------------------------------


@rule("O3.bridge.width", "O3.bridge.markers")
@pytest.mark.parametrize(("structure", "sections"), [(WIDE, 2), (NARROW, 1)])
def test_who_blocks_the_far_end_is_fought_on_the_width_of_the_bridge(structure: str, sections: int) -> None:
    state = moving(at_river("A hastati in=b way=60", "X slingers 10 5.84", structure=structure), "A")
    assert blocks(state, 0, 1)
    after = run(state, Charge("X"))
    assert after.where[0] == CROSSING
    assert after.flags[0] & CHARGED
    assert after.way[0] == 144
    assert len(contacts(after, 0, 1)) == sections
    assert engaged(after, 0) == [1]


@rule("O3.bridge.defender-not-facing", "O3.choke.overlap")
@pytest.mark.parametrize("turn", [0, 90])
def test_who_does_not_face_the_bridge_is_fought_with_all_sections(turn: int) -> None:
    y = 5.84 if turn == 0 else 5.4
    state = moving(at_river("A hastati in=b way=60", f"X slingers 10 {y} {turn}"), "A")
    after = run(state, Charge("X"))
    assert after.where[0] == FIELD
    most = 4 if turn == 0 else 2 + 1
    assert len(contacts(after, 0, 1)) >= min(most, 4) - (turn == 90)
    assert after.way[0] == 1  # it lies over the river
    assert after.pose[0].y > 628 - 44


@rule("O3.choke.partial-block")
def test_who_does_not_block_the_way_is_charged_as_in_any_combat() -> None:
    state = moving(at_river("A hastati in=b way=144", "X slingers 11.2 5.1"), "A")
    assert not blocks(state, 0, 1)
    after = run(state, Charge("X"))
    assert after.where[0] == FIELD
    assert after.flags[0] & EMERGED
    assert len(contacts(after, 0, 1)) == 4


@rule("O3.choke.overlap")
def test_who_lies_over_the_river_goes_on_but_not_farther_over_it() -> None:
    state = moving(at_river("A hastati in=b way=144", "X slingers 11.2 5.5; Y slingers 2 2"), "A")
    after = run(state, Charge("X"))
    assert after.way[0] == 1
    gone = next_turn(after)
    gone.pose[1] = plane.Pose(1800, 1500, 0)
    free = moving(gone, "A")
    assert refusals(free, Slide(1800, 50)) == ["O3.impassable"]
    on = run(free, Advance(120))
    assert on.way[0] == 0


@rule("O3.choke.example", "O3.choke.partial-block", "O3.choke.overlap")
def test_the_triarii_of_the_example() -> None:
    # 1: they reach the bridge and align with it, so that 2 sections are on it
    start = at_river("A triarii 10.3 9 5", "L sacred-band 8.8 5.4; R sacred-band 11.2 5.4")
    one = run(moving(start, "A"), Advance(76), Align("b"))
    assert left(one) == pytest.approx(1.24)
    assert sections_wide(one, 0) == 2
    # 2: limited, they advance 1 DU, and their front is at the far bank
    two = moving(next_turn(run(one, Halt())), "A")
    assert allowance(two, 0, LIMITED) == 100
    assert farthest(two, Cross) == 1
    two = run(two, Cross(100))
    assert two.where[0] == CROSSING
    assert two.way[0] == 144
    assert not engaged(two, 0)
    # 3: they come off it, meet both and must choose
    three = moving(next_turn(run(two, Halt())), "A")
    assert refusals(three, Cross(88)) == ["O3.choke.free-way"]
    assert not refusals(three, Charge("L"))
    assert not refusals(three, Charge("R"))
    # 4: against the right one with 4 sections, over the river
    four = run(three, Charge("R"))
    assert four.where[0] == FIELD
    assert len(contacts(four, 0, 2)) == 4
    assert not touching(four, 0, 1)
    assert plane.corners(four.pose[0], plane.Size(176, 88))[2][1] > 628  # its rear lies over the bank


@rule("O3.choke.example", "OH.marker.1")
@pytest.mark.parametrize(("ground", "clauses"), [("", []), ("r river 11.4 7 2x1.44", ["OH.marker.1"])])
def test_the_other_enemy_envelops_only_beside_the_river(ground: str, clauses: list[str]) -> None:
    # 5: its section marker would lie at the rear of the triarii, who lie over the river
    state = battle("A triarii 11.2 6.28", "L sacred-band 9.88 6 90 charged", ground=ground, active="defender")
    state.way[0] = 1
    assert refusals(at(state, Enveloping(1)), Envelop("L", "A", "rear", 1)) == clauses


@rule("O3.bridge.example")
def test_on_a_bridge_of_two_sections_a_unit_goes_on_until_it_meets_the_enemy() -> None:
    state = at_river("A triarii in=b way=100", "X slingers 10 5.84")
    assert sections_wide(state, 0) == 2
    assert len(contacts(run(moving(state, "A"), Charge("X")), 0, 1)) == 2


@rule("O3.bridge.width")
def test_who_is_held_at_the_far_end_does_not_go_on() -> None:
    state = moving(at_river("A hastati in=b way=144", "X slingers 10 5.84"), "A")
    assert "O3.bridge.width" in refusals(state, Cross(10))
    assert not refusals(state, Cross(-50))


@rule("OH.contact.1", "O3.bridge.markers")
def test_an_enemy_on_the_bank_strikes_at_the_markers() -> None:
    state = battle("A hastati 10 4.5 180", "X slingers in=b way=144 turn=0", ground=RIVER, structure=WIDE)
    after = run(moving(state, "A"), Charge("X"))
    assert place(after, "A") == (10, 5.84, 180)
    assert len(contacts(after, 0, 1)) == 2


# --- a bridge falls ------------------------------------------------------------------------------


@rule("O3.bridge.destroyed")
@pytest.mark.parametrize(("structure", "hurt"), [(WIDE, 2), (NARROW, 1)])
def test_the_unit_on_a_falling_bridge_goes_back_to_its_bank(structure: str, hurt: int) -> None:
    state = at_river("A hastati in=b way=130", structure=structure).copy()
    play = Play(state, Scripted([1, 1]))
    bridge_falls(play, 0)
    assert state.where[0] == FIELD
    assert place(state, "A") == (10, 8.16, 0)
    assert wounds(state, "A") == hurt
    assert ("O3.bridge.destroyed", "event.back_to_bank") in told(play)
    assert type(state.todo[-1]).__name__ == "MoraleCheck"


@rule("O3.bridge.destroyed")
def test_it_takes_the_nearest_free_place() -> None:
    state = at_river("A hastati in=b way=130; B hastati 10 8.2").copy()
    bridge_falls(Play(state, Scripted([])), 0)
    x, y, _ = place(state, "A")
    assert (x, y) != (10, 8.16)
    assert y >= 8.16
    assert abs(x - 10) + abs(y - 8.16) < 2.8


def test_a_bridge_without_a_unit_just_falls() -> None:
    state = at_river("A hastati 10 12").copy()
    bridge_falls(Play(state, Scripted([])), 0)
    assert place(state, "A") == (10, 12, 0)
