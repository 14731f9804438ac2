"""4 Inside a fortress cards lie over one another: how they may, and who lies on top.

The standard fortress of ``test_walls``: the inner face of its east wall is at x = 13.08, a unit that mans it
stands at 12.64 8 and looks east.
"""

from __future__ import annotations

from random import Random

import pytest

from legatus.games.onus.contact import sections
from legatus.games.onus.entering import Align
from legatus.games.onus.forming import Extend
from legatus.games.onus.manning import Stack
from legatus.games.onus.motion import has_room, rest
from legatus.games.onus.movement import Halt
from legatus.games.onus.pieces import Advance, Slide, Turn
from legatus.games.onus.ramparts import beneath, faces, manned, strips_of, walls_by
from legatus.games.onus.state import OnusState
from legatus.games.onus.view import invariants
from legatus.games.onus.walls import (
    covered,
    friends_at,
    is_in_line,
    lay,
    lies_within,
    overlap_fault,
    part,
    share_corner,
)
from legatus.parts.plane import Pose
from tests.rules import rule

from .stage import battle, do, moving, place, refusals, run, told

FORT = "standard 10 8"
OUT = "A hastati 10 12"


def inside(units: str, attacker: str = OUT, fortress: str = FORT) -> OnusState:
    return battle(attacker, units, fortress=fortress, active="defender")


# --- passing -------------------------------------------------------------------------------------


@rule("O2.overlap", "O4.overlap.pass")
def test_inside_a_fortress_one_passes_friends_without_breaking_them() -> None:
    state = moving(inside("D numidian-cavalry 8 8 90; E iberian-infantry 9.5 8 90"), "D")
    after = run(state, Advance(400))
    assert place(after, "D") == (12, 8, 90)
    assert not after.broken[2]


@rule("O4.overlap.pass")
def test_outside_one_breaks_them_as_ever() -> None:
    state = moving(inside("D numidian-cavalry 8 12 90; E iberian-infantry 9.5 12 90", "A hastati 3 16"), "D")
    after = run(state, Advance(400))
    assert after.broken[2]


# --- in line -------------------------------------------------------------------------------------


@rule("O4.overlap.align", "O2.overlap")
@pytest.mark.parametrize(
    ("pose", "clause"),
    [
        ((1000, 800, 900), ""),  # on him
        ((1000, 844, 900), ""),  # a section to the side
        ((1000, 756, 900), ""),
        ((1000, 822, 900), "O4.overlap.align"),  # sections do not match
        ((1010, 800, 900), "O4.overlap.align"),  # fronts not in line
        ((1000, 800, 910), "O4.overlap.align"),
        ((1000, 800, 2700), "O4.overlap.align"),
        ((1090, 800, 900), ""),  # not over him at all
    ],
)
def test_cards_that_overlap_have_their_fronts_in_line(pose: tuple[int, int, int], clause: str) -> None:
    state = inside("D numidian-cavalry 8 8 90; E iberian-infantry 10 8 90")
    assert overlap_fault(state, 1, Pose(*pose)) == clause
    outside = inside("D numidian-cavalry 8 12 90; E iberian-infantry 10 12 90", "A hastati 3 16")
    there = Pose(pose[0], pose[1] + 400, pose[2])
    assert overlap_fault(outside, 1, there) == ("" if pose[0] == 1090 else "OH.move.8")


@rule("O4.overlap.align")
def test_a_move_ends_in_line_or_not_over_a_friend() -> None:
    state = moving(inside("D numidian-cavalry 8 8 90; E iberian-infantry 10 8 90"), "D")
    assert not refusals(state, Advance(200))
    assert refusals(state, Advance(150)) == ["O4.overlap.align"]
    assert refusals(run(state, Advance(200)), Turn(300)) == ["O4.overlap.align"]


@rule("O4.wall.example-approach", "O4.overlap.align", "O4.overlap.choose-top")
def test_the_sacred_band_comes_to_the_wall_over_the_iberians() -> None:
    """A regular move of 2 DU of the Iberians; the Sacred Band is bound to align, section on section."""
    state = inside("D iberian-infantry 9.76 8 90; E sacred-band 8.8 7.8 90", fortress="gatehouse 10 8")
    state = run(moving(state, "D"), Advance(200), Halt())
    assert manned(state, 1)
    play = do(moving(state, "E"), Advance(296))
    assert ("O4.overlap.align", "event.falls_in") in told(play)
    after = play.state
    assert place(after, "E") == place(after, "D") == (11.76, 8, 90)
    assert is_in_line(after.pose[1], after.pose[2])
    assert after.over == [(2, 1)]  # who comes lies on top, unless the owner will have it otherwise
    assert run(after, Stack("D")).over == [(1, 2)]


@rule("O4.wall.example-approach")
def test_who_comes_askew_is_bound_to_align_too() -> None:
    state = inside("D iberian-infantry 12.64 8 90; E sacred-band 10.2 8.1 88")
    after = run(moving(state, "E"), Advance(240))
    assert place(after, "E") == (12.64, 8, 90)


@rule("O4.wall.example-approach")
def test_who_touches_a_wall_alone_aligns_only_if_he_likes() -> None:
    state = moving(inside("E sacred-band 10.2 8.1 88"), "E")
    after = run(state, Advance(240))
    assert after.pose[1].turn == 880
    assert place(run(after, Align("wall-7")), "E") == (12.64, 8, 90)


@rule("OH.piece.3", "O4.overlap.align")
def test_cards_on_walls_that_meet_share_a_rear_section() -> None:
    east, south = Pose(1264, 800, 900), Pose(1176, 888, 1800)
    assert share_corner(east, south)
    assert not share_corner(Pose(1264, 800, 2700), south)  # it would be a front section
    state = inside("D iberian-infantry 12.64 8 90; E sacred-band 11.76 8.88")
    assert list(invariants(state)) == []
    lay(state, 2)
    assert state.over == []
    assert covered(state, 1) == covered(state, 2) == 0


# --- depth ---------------------------------------------------------------------------------------


@rule("O4.overlap.depth")
def test_a_stack_is_two_deep() -> None:
    state = inside("D iberian-infantry 10 8.88; E sacred-band 10 8.88; F african-infantry 10 8")
    state.over = [(2, 1)]
    assert overlap_fault(state, 3, Pose(1000, 888, 1800)) == "O4.overlap.depth"
    assert overlap_fault(state, 3, Pose(1132, 888, 1800)) == "O4.overlap.depth"  # one section is enough
    assert overlap_fault(state, 3, Pose(1176, 888, 1800)) == ""
    assert refusals(moving(state, "F"), Advance(88)) == ["O4.overlap.depth"]


@rule("O4.overlap.depth")
def test_different_sections_of_a_unit_may_lie_under_different_units() -> None:
    state = inside("D iberian-infantry 10 8.88; E sacred-band 10.88 8.88; F african-infantry 9.12 8")
    state.over = [(2, 1)]
    after = run(moving(state, "F"), Advance(88))
    assert after.over == [(2, 1), (3, 1)]
    assert covered(after, 1) == 8
    assert covered(after, 2) == covered(after, 3) == 0


# --- on top --------------------------------------------------------------------------------------


@rule("O4.overlap.choose-top")
def test_the_owner_chooses_who_lies_on_top_once_a_move() -> None:
    state = inside("D iberian-infantry 10 8.88; E sacred-band 10.44 8")
    start = moving(state, "E")
    assert refusals(start, Stack("D")) == ["O4.overlap.choose-top"]
    after = run(start, Advance(88))
    assert beneath(after, 2) == [1]
    under = run(after, Stack("D"))
    assert beneath(under, 1) == [2]
    assert covered(under, 2) == 6
    assert refusals(under, Stack("D")) == ["O4.overlap.choose-top"]


@rule("O4.overlap.choose-top")
def test_who_goes_away_lies_on_nobody_any_more() -> None:
    state = inside("D iberian-infantry 10 8.88; E sacred-band 10 8.88")
    state.over = [(2, 1)]
    after = run(moving(state, "E"), Slide(1800, 100))
    assert after.over == []


@rule("O4.overlap.choose-top")
def test_who_has_lost_a_section_still_lies_on_whom_the_others_cover() -> None:
    state = inside("D iberian-infantry 10 8.88; E sacred-band 10.88 8.88; F hastati 8.24 8.88")
    state.over = [(2, 1), (2, 3)]
    part(state, 2)
    assert state.over == [(2, 1)]


@rule("O4.overlap.target", "O4.overlap.top-fights")
def test_sections_under_a_friend_do_not_fight() -> None:
    """E lies over the eastern half of D; A stands before both of them."""
    state = inside("D iberian-infantry 10 7.6; E sacred-band 10.88 7.6", "A hastati 10 8.48")
    assert [sum(map(len, sections(state, i, 0))) for i in (1, 2)] == [4, 2]
    state.over = [(2, 1)]
    assert [sum(map(len, sections(state, i, 0))) for i in (1, 2)] == [2, 2]
    state.over = [(1, 2)]
    assert [sum(map(len, sections(state, i, 0))) for i in (1, 2)] == [4, 0]


@rule("O4.overlap.top-fights", "O4.wall.top-defends")
def test_a_covered_flank_does_not_count_at_a_wall() -> None:
    """Both stand with their right flanks against the south wall, whose inner face is at y 9.32."""
    state = inside("D iberian-infantry 10 8.44 90; E sacred-band 10 8.44 90")

    def sides(i: int) -> int:
        near = walls_by(state, i)
        return sum(len(strips_of(state, i, face.inner)) for n in near for face in faces(state, n))

    state.over = [(2, 1)]
    assert sides(2) > 0
    assert sides(1) == 0


@rule("O4.overlap.align")
def test_where_a_card_comes_to_rest() -> None:
    state = inside("D iberian-infantry 12.64 8 90; E sacred-band 9 8 90")
    assert rest(state, 2, Pose(1264, 820, 900)) == Pose(1264, 800, 900)
    assert rest(state, 2, Pose(1200, 800, 900)) is None  # it touches no wall
    assert rest(state, 2, Pose(1100, 800, 900)) == Pose(1100, 800, 900)


@rule("O4.overlap.align", "O4.wall.inner-contact", "OH.formation.6")
@pytest.mark.parametrize("wings", range(3))
def test_wherever_a_unit_comes_to_rest_it_has_room(wings: int) -> None:
    state = inside(f"D iberian-infantry 12.64 8.44 90; E sacred-band 9 8 90 wings={wings}")
    rng, found = Random(wings), set()
    for _ in range(150):
        pose = Pose(rng.randint(1150, 1290), rng.randint(780, 900), rng.choice((900, 870, 930, 1800, 2700)))
        end = rest(state, 2, pose)
        if lies_within(state, pose) and end not in (None, pose):
            found.add(end)
    assert found
    assert all(has_room(state, 2, end) for end in found)


@rule("OH.piece.3", "OH.formation.6")
def test_added_sections_lie_on_nobody_beside_a_corner() -> None:
    south = Pose(1176, 888, 1800)
    both = inside("D iberian-infantry 12.64 8 90 wings=2; E sacred-band 9 8 90 wings=1")
    assert overlap_fault(both, 2, south) == "O4.overlap.align"  # section on section, but at a right angle
    one = inside("D iberian-infantry 12.64 8 90 wings=2; E sacred-band 9 8 90")
    assert overlap_fault(one, 2, south) == ""
    askew = inside("D iberian-infantry 12.64 8.2 90; E sacred-band 9 8 90 wings=1")
    assert overlap_fault(askew, 2, Pose(1120, 888, 1800)) == "O4.overlap.align"


@rule("O4.overlap.align", "OH.measure.1")
@pytest.mark.parametrize("turn", [0, 100, 450])
def test_two_cards_overlap_or_not_whoever_is_asked(turn: int) -> None:
    seen = []
    for y in range(1080, 1180):
        state = inside(f"D iberian-infantry 10 10; E sacred-band 10 {y / 100} {turn / 10}", "A hastati 3 16")
        pair = [bool(friends_at(state, i, state.pose[i])) for i in (1, 2)]
        assert pair[0] == pair[1], y
        seen.append(pair[0])
    assert seen == sorted(seen, reverse=True)
    assert set(seen) == {True, False}


@rule("O4.overlap.choose-top", "O4.overlap.ranged", "OH.formation.6")
def test_an_added_section_lies_on_top_of_whom_it_covers() -> None:
    state = moving(inside("D iberian-infantry 10 8.88; E sacred-band 11.76 8.88"), "E")
    wide = run(state, Extend("right"))
    assert wide.over == [(2, 1)]
    assert covered(wide, 1) == 1
    assert run(wide, Extend("neither")).over == []


@rule("O4.overlap.choose-top", "O4.overlap.depth")
def test_what_cannot_be_is_noticed() -> None:
    state = inside("D iberian-infantry 10 8.88; E sacred-band 10.1 8.8 170")
    assert any("O4.overlap.align" in said for said in invariants(state))
    stale = inside("D iberian-infantry 10 8.88; E sacred-band 10 7.5")
    stale.over = [(2, 1)]
    assert any("O4.overlap.choose-top" in said for said in invariants(stale))
    on_wall = inside("D iberian-infantry 10 9.3")
    assert any("O4.wall.inner-contact" in said for said in invariants(on_wall))
