"""Quick answers are the right ones: what is remembered of a position, and what is settled by a look."""

from random import Random

import pytest

from legatus.games.onus import sight as sights
from legatus.games.onus.contact import in_contact, in_melee, level_of, on_one_level, opponents
from legatus.games.onus.sight import EVERYWHERE, Mark, covering, is_free, lane, sight
from legatus.games.onus.state import OnusState
from legatus.games.onus.table import is_in, position, units_on
from legatus.parts import plane

from .stage import battle


def crowd(seed: int) -> OnusState:
    """An archer, a target and cards between them, some in line and flush with one another, with a wood."""
    rng = Random(seed)
    rows = []
    for n in range(rng.randint(2, 7)):
        x = 10 + rng.choice([-2.2, -1.76, -0.88, 0, 0.88, 1.76, 2.2]) + rng.choice([0, 0, 0.02, 0.1])
        rows.append(f"B{n} hastati {x:.2f} {rng.choice([9.2, 10.1, 11]):.2f} {rng.choice([0, 0, 0, 20, 45])}")
    wings = rng.choice(["", " wings=1", " wings=3"])
    archers = f"A archers {10 + rng.uniform(-1, 1):.2f} 12.5 {rng.choice([0, 0, 10, 350])}"
    return battle(
        f"{archers}; {'; '.join(rows)}{wings}",
        f"X hastati {10 + rng.uniform(-2, 2):.2f} 7.5 {rng.choice([180, 150, 0])}",
        ground="wood forest 12 10 2x3 30; rise hill 8 8 2x2",
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_lane_that_is_cut_has_no_free_line_past_any_corner(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = crowd(seed)
    target = Mark(unit=len(state.pose) - 1)
    way = lane(state, 0, target)
    shapes = [one.shape for one in covering(state, 0, target, EVERYWHERE)]
    quick = is_free(way, shapes)
    monkeypatch.setattr(sights, "_is_cut", lambda way, whole: False)
    assert is_free(way, shapes) == quick


def test_among_such_crowds_some_lanes_are_cut_and_some_are_free() -> None:
    found = set()
    for seed in range(60):
        state = crowd(seed)
        target = Mark(unit=len(state.pose) - 1)
        one = lane(state, 0, target)
        found.add(is_free(one, [obstacle.shape for obstacle in covering(state, 0, target, one.box)]))
    assert found == {True, False}


@pytest.mark.parametrize("seed", range(20))
def test_what_is_far_from_a_lane_changes_nothing(seed: int) -> None:
    state = crowd(seed)
    target = Mark(unit=len(state.pose) - 1)
    way = lane(state, 0, target)
    near, every = ([one.shape for one in covering(state, 0, target, box)] for box in (way.box, EVERYWHERE))
    assert is_free(way, near) == is_free(way, every)


def test_a_position_is_forgotten_as_soon_as_anybody_moves_or_climbs() -> None:
    state = battle("A archers 10 12; B hastati 10 10.5", "X hastati 10 8", ground="rise hill 4 4 3x3")
    shut = sight(state, 0, Mark(unit=2))
    assert not in_melee(state, 1)
    state.pose[1] = plane.Pose(1000, 888)
    assert in_melee(state, 1) == [2]
    assert sight(state, 0, Mark(unit=2)) == shut
    state.pose[1] = plane.Pose(400, 400)
    assert sight(state, 0, Mark(unit=2)) != shut
    assert level_of(state, 1) == 1
    state.climbs[1], state.climbed[1] = 0, 2
    assert level_of(state, 1) == 2


def test_the_position_that_was_asked_for_last_is_not_the_one_that_is_forgotten() -> None:
    state = battle("A archers 10 12", "X hastati 10 8")
    first = position(state)
    for x in range(12):
        other = state.copy()
        other.pose[0] = plane.Pose(500 + x, 1200)
        position(other)
        assert position(state) is first


def test_opponents_are_all_in_contact_in_towers_too() -> None:
    state = battle(
        "A hastati 10 9; B hastati 12 9; C hastati in=half",
        "X hastati 10 8.12; Y hastati 12.1 8.1; Z hastati 4 8.88; W hastati 15 3",
        structure="half village 4 8",
    )
    for i in units_on(state):
        side = state.roster.units[i].side
        foes = [j for j in units_on(state, 1 - side) if in_contact(state, i, j)]
        assert opponents(state, i) == [j for j in foes if on_one_level(state, i, j)]
    assert opponents(state, 0) == [3]
    assert opponents(state, 2) == [5]


def test_the_border_of_a_ground_belongs_to_it() -> None:
    state = battle("A hastati 10 10; B hastati 12 10; C hastati 12.01 10", ground="wood forest 11 10 2x2")
    assert [is_in(state, i, "forest") for i in range(3)] == [True, True, False]
