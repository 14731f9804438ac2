"""2, 3 and 8: levels, obstacles, and what they mean for a shot."""

import pytest

from legatus.games.onus.contact import level_of
from legatus.games.onus.shooting import Shoot, Shooting, ranged_terms, ranges
from legatus.games.onus.sight import Mark, distance, mark_of, muzzle, obstacles, sight
from legatus.games.onus.state import OnusState
from tests.rules import rule

from .stage import at, battle, index, refusals

ARCHERS, SLINGERS = "A archers 10 12", "A slingers 10 12"


def mark(state: OnusState, name: str = "X") -> Mark:
    return mark_of(state, name)


def seen(state: OnusState, target: str = "X") -> tuple[bool, int, str]:
    """Whether A may shoot at X as far as sight goes, at what, and the clause."""
    found = sight(state, index(state, "A"), mark(state, target))
    return found.visible, -int(found.hindered), found.clause


def shots(state: OnusState, target: str = "X") -> list[str]:
    return refusals(at(state, Shooting(0)), Shoot("A", target))


def added(state: OnusState) -> list[tuple[str, int]]:
    return [(t.clause, t.value) for t in ranged_terms(state, index(state, "A"), mark(state))]


# --- levels --------------------------------------------------------------------------------------


@rule("OH.level.1", "O3.hill.on-top", "O3.hill.example", "O4.watchtower.values")
def test_levels() -> None:
    state = battle(
        "A iberian-infantry 10 7; B velites 11.9 5; C triarii 10 8.4; D archers in=post; E archers in=half",
        "X hastati 15 15",
        ground="rise hill 10 6 5x4; wood forest 15 15 4x3",
        structure="post watchtower 4 4; half village 4 8",
    )
    assert [level_of(state, i) for i in range(6)] == [1, 1, 0, 2, 0, 0]


@rule("O2.height-ranged.value", "O3.hill.ranged", "OH.ranged.2")
def test_who_is_higher_shoots_better_by_one_never_two() -> None:
    hill = "rise hill 10 12 5x4"
    assert added(battle(ARCHERS, "X hastati 10 8", ground=hill)) == [("O2.height-ranged.value", 1)]
    tower = battle("A archers in=post", "X hastati 10 8", structure="post watchtower 10 12")
    assert added(tower) == [("O2.height-ranged.value", 1)]
    level = battle(ARCHERS, "X hastati 10 8", ground=f"{hill}; other hill 10 7 5x4")
    assert added(level) == []


@rule("O2.height-ranged.range", "O3.hill.ranged")
@pytest.mark.parametrize(
    ("kind", "lower", "level"),
    [
        ("onager", (500, 800), (400, 800)),
        ("velites", (200, 200), (100, 100)),
        ("archers", (400, 600), (300, 600)),
    ],
)
def test_short_range_grows_from_above(kind: str, lower: tuple[int, int], level: tuple[int, int]) -> None:
    high = battle(f"A {kind} 10 12", "X hastati 10 8", ground="rise hill 10 12 5x4")
    assert ranges(high, 0, mark(high)) == lower
    flat = battle(f"A {kind} 10 12", "X hastati 10 8")
    assert ranges(flat, 0, mark(flat)) == level


# --- obstacles -----------------------------------------------------------------------------------


def heights(state: OnusState) -> dict[str, int]:
    return {one.id: one.height for one in obstacles(state, 0, mark(state))}


@rule("OH.sight.1", "O3.forest.height", "O3.hill.height", "O4.village.height")
def test_what_obstructs_and_how_high_it_is() -> None:
    state = battle(
        "A archers 10 12; B hastati 10 14; C hastati 4 6",
        "X hastati 10 8",
        ground="wood forest 15 9 4x3; rise hill 4 6 5x4; tarn lake 16 14 2x2; brook river 3 14 2x1.44",
        structure="half village 15 13; post watchtower 18 5; ditch trench 15 5 owner=attacker;"
        "fence barricade 15 6; spikes caltrops 15 7; plank wooden-bridge 3 14",
    )
    assert heights(state) == {"wood": 1, "rise": 1, "half": 1, "post": 2, "B": 0, "C": 1}


@rule("OH.sight.1", "O2.los.level")
def test_what_shooter_and_target_stand_on_is_left_out() -> None:
    state = battle(
        "A archers 10 12", "X hastati in=half", ground="rise hill 10 12 5x4", structure="half village 10 8"
    )
    assert heights(state) == {}


WOOD = "wood forest 10 10 4x2"  # from 9 to 11


@rule("O2.los.level", "O2.los.parabolic-units", "OH.trait.3", "O3.forest.parabolic-over")
def test_over_a_wood_archers_and_onagers_shoot_at_minus_one_and_nobody_else() -> None:
    assert seen(battle(ARCHERS, "X hastati 10 8", ground=WOOD)) == (True, -1, "O3.forest.parabolic-over")
    for kind in ("slingers", "scorpion", "ballista"):
        state = battle(f"A {kind} 10 12", "X hastati 10 8", ground=WOOD)
        assert seen(state) == (False, 0, "O3.forest.shoot-through")
        assert shots(state) == ["O3.forest.shoot-through"]
    onager = battle("A onager 10 12", "X hastati 10 8", ground=WOOD)
    assert added(onager) == [("O3.forest.parabolic-over", -1)]


@rule("O3.forest.shoot-through", "O2.los.high.obstacle-near-attacker", "O4.siege-tower.example")
@pytest.mark.parametrize("kind", ["ballista", "scorpion", "onager"])
def test_from_two_levels_up_direct_fire_goes_over_a_wood_near_the_shooter(kind: str) -> None:
    """The tower ends at 11.56, the wood reaches from 11.06 to 9.06, the target stands 5 DU beyond."""
    wood = "wood forest 10 10.06 4x2"
    post = "post watchtower 10 12"
    state = battle(f"A {kind} in=post", "X hastati 10 3.62", ground=wood, structure=post)
    assert seen(state) == (True, 0, "O2.los.partial")
    assert added(state) == [("O2.height-ranged.value", 1)]


@rule("O3.forest.shoot-through", "O2.los.high.obstacle-near-target")
def test_direct_fire_does_not_go_over_a_wood_that_is_near_the_target_or_as_high_as_the_shooter() -> None:
    post = "post watchtower 10 12"
    near = "wood forest 10 7.06 4x2"  # 3.5 DU from the tower, 2 from the target
    state = battle("A ballista in=post", "X hastati 10 3.62", ground=near, structure=post)
    assert seen(state) == (False, 0, "O3.forest.shoot-through")
    wood, hill = "wood forest 10 10.06 4x2", "rise hill 10 12 5x1.8"
    level = battle("A ballista 10 12", "X hastati 10 3.62", ground=f"{hill}; {wood}")
    assert seen(level) == (False, 0, "O3.forest.shoot-through")
    inside = battle("A ballista in=post", "X hastati 10 9.6", ground="wood forest 10 9.4 4x4", structure=post)
    assert seen(inside) == (False, 0, "O3.forest.shoot-through")
    alike = "post watchtower 10 12; other watchtower 10 5"
    tower = battle("A ballista in=post", "X hastati in=other", ground=wood, structure=alike)
    assert seen(tower) == (False, 0, "O3.forest.shoot-through")


@rule("O2.los.level", "OH.sight.1")
def test_units_cover_who_is_behind_them_on_their_level() -> None:
    between = "; B hastati 10 10.5"
    assert seen(battle(ARCHERS + between, "X hastati 10 9")) == (True, -1, "O2.los.level")
    assert seen(battle(SLINGERS + between, "X hastati 10 9")) == (False, 0, "O2.los.level")
    assert shots(battle(SLINGERS + between, "X hastati 10 9")) == ["O2.los.level"]
    hill = "rise hill 10 8 3x2.2"
    assert seen(battle(SLINGERS + between, "X hastati 10 9", ground=hill)) == (True, 0, "O2.los.partial")


@rule("O2.los.level")
def test_a_village_hides_the_ground_and_not_the_hill() -> None:
    house = "half village 10 10.3"
    assert seen(battle(SLINGERS, "X hastati 10 8.6", structure=house)) == (False, 0, "O2.los.level")
    tower = battle(SLINGERS, "X hastati in=post", structure=f"{house}; post watchtower 10 8.6")
    assert seen(tower)[0]


@rule("O2.los.partial", "OH.sight.2")
def test_any_part_of_the_card_is_enough() -> None:
    assert seen(battle(SLINGERS, "X hastati 10 9; Y hastati 10.9 10.5")) == (True, 0, "O2.los.partial")
    wall = "Y hastati 9.12 10.5; Z hastati 10.88 10.5"  # side by side: no line leads between them
    assert seen(battle(SLINGERS, f"X hastati 10 9; {wall}")) == (False, 0, "O2.los.level")


@rule("OH.sight.2")
def test_a_narrow_gap_between_corners_is_found() -> None:
    gap = "Y hastati 9.06 10.5; Z hastati 10.94 10.5"  # 0.12 wide, before no end of a section
    state = battle("A slingers 10.11 12", f"X hastati 10 9; {gap}")
    assert seen(state) == (True, 0, "O2.los.partial")


# --- from above ----------------------------------------------------------------------------------

HIGH = "rise hill 10 12.4 5x2.2"  # from 11.3: A is on top of it


@rule("O2.los.high.obstacle-near-attacker")
def test_from_above_an_obstacle_near_the_shooter_does_not_matter() -> None:
    for shooter in (ARCHERS, SLINGERS):
        near = battle(shooter, "X hastati 10 8; Y hastati 10 11", ground=HIGH)
        assert seen(near)[:2] == (True, 0)
        # 0.62 from X and 0.62 from A
        middle = battle(shooter, "X hastati 10 9; Y hastati 10 10.5", ground=HIGH)
        assert seen(middle)[:2] == (True, 0)


@rule("O2.los.high.obstacle-near-target")
def test_from_above_an_obstacle_near_the_target_costs_archers_one() -> None:
    near = "X hastati 10 9; Y hastati 10 10.4"
    archers = battle(ARCHERS, near, ground=HIGH)
    assert seen(archers) == (True, -1, "O2.los.high.obstacle-near-target")
    assert sum(value for _, value in added(archers)) == 0
    slingers = battle(SLINGERS, near, ground=HIGH)
    assert seen(slingers) == (False, 0, "O2.los.high.obstacle-near-target")


@rule("O2.los.high.obstacle-near-target", "O2.los.level")
def test_an_obstacle_taller_than_the_shooter_is_no_matter_of_distance() -> None:
    state = battle(SLINGERS, "X hastati 10 8.6", ground=HIGH, structure="post watchtower 10 11 1.76x0.88")
    assert not seen(state)[0]


@rule("O2.los.example")
def test_the_example_of_the_archers_and_the_forest() -> None:
    """On level 1; the forest of height 1 is 1 DU from the target and 2 DU from the archers."""
    wood = "wood forest 10 9.06 6x1"  # from 8.56 to 9.56; A's card ends at 11.56, X's at 7.56
    state = battle(ARCHERS, "X hastati 10 7.12", ground=f"{HIGH}; {wood}")
    assert seen(state) == (True, -1, "O2.los.high.obstacle-near-target")
    assert "O2.los.level" not in shots(state)


# --- forests, mountains --------------------------------------------------------------------------


@rule("O3.forest.shoot-through", "O3.forest.example-velites")
@pytest.mark.parametrize(("depth", "allowed"), [(1.02, True), (1.03, False)])
def test_the_example_of_the_velites_and_the_iberians_in_the_forest(depth: float, allowed: bool) -> None:
    # X stands in the wood, its front ``depth`` inside; A throws from its edge, from a hill: range 2
    wood = f"wood forest 10 {11.56 - 1.5} 4x3"  # its edge is at 11.56, where A's front is
    target = f"X iberian-infantry 10 {11.56 - depth - 0.44}"
    state = battle("A velites 10 12", target, ground=f"{wood}; rise hill 10 12.4 5x1.2")
    assert seen(state) == ((True, 0, "O2.los.partial") if allowed else (False, 0, "O3.forest.shoot-through"))
    assert shots(state) == ([] if allowed else ["O3.forest.shoot-through"])


@rule("O3.forest.defence", "O3.forest.example-velites")
def test_the_forest_protects_against_javelins() -> None:
    state = battle("A velites 10 12", "X iberian-infantry 10 10.3", ground="wood forest 10 10 4x2")
    assert ("O3.forest.defence", -1) in [
        (t.clause, t.value) for t in Shoot("A", "X").terms(at(state, Shooting(0)))
    ]


@rule("O3.forest.shoot-through")
def test_through_a_strip_of_forest_direct_fire_is_at_minus_one() -> None:
    strip = "wood forest 10 10 6x1"
    slingers = battle(SLINGERS, "X hastati 10 8.5", ground=strip)
    assert seen(slingers) == (True, -1, "O3.forest.shoot-through")
    wide = battle(SLINGERS, "X hastati 10 8.5", ground="wood forest 10 10 6x1.1")
    assert seen(wide) == (False, 0, "O3.forest.shoot-through")


@rule("O3.forest.shoot-through")
def test_archers_in_a_forest_are_bound_by_it() -> None:
    inside = battle("A archers 10 10.4", "X hastati 10 6", ground="wood forest 10 9.5 6x4")
    assert seen(inside) == (False, 0, "O3.forest.shoot-through")
    edge = battle("A archers 10 8.4", "X hastati 10 6", ground="wood forest 10 9.5 6x4")
    assert seen(edge) == (True, 0, "O2.los.partial")


@rule("O3.mountain.sight")
def test_a_mountain_stops_every_shot_and_a_lake_none() -> None:
    peak = "peak mountain 10 10 4x1"
    assert seen(battle(ARCHERS, "X hastati 10 8", ground=peak)) == (False, 0, "O3.mountain.sight")
    tower = battle("A onager in=post", "X hastati 10 8", ground=peak, structure="post watchtower 10 12")
    assert seen(tower) == (False, 0, "O3.mountain.sight")
    assert seen(battle(SLINGERS, "X hastati 10 8", ground="tarn lake 10 10 4x1")) == (
        True,
        0,
        "O2.los.partial",
    )
    assert seen(battle(ARCHERS, "X hastati 10 8", ground="peak mountain 12.3 10 4x1"))[:2] == (True, 0)


# --- towers --------------------------------------------------------------------------------------


@rule("O4.tower.measure", "O4.tower.example-range", "OH.sight.2", "O4.watchtower.rules")
def test_from_a_tower_the_range_is_measured_from_the_middle_of_the_nearest_side() -> None:
    state = battle("A archers in=post", "X triarii 13 8", structure="post watchtower 10 8")
    assert muzzle(state, 0, mark(state)) == [(1044, 800)]
    assert distance(state, 0, mark(state)) == pytest.approx(1300 - 88 - 1044)
    assert added(state) == [("O2.height-ranged.value", 1)]
    assert ranges(state, 0, mark(state)) == (400, 600)


@rule("OH.ranged.4", "O5.artillery.in-tower")
def test_the_arc_is_45_degrees_to_each_side_and_in_a_tower_all_round() -> None:
    assert shots(battle("A slingers 10 12", "X hastati 12.2 10.9 90")) == []
    assert shots(battle("A slingers 10 12", "X hastati 12.6 11.6")) == ["OH.ranged.4"]
    assert shots(battle("A slingers 10 12", "X hastati 10 14")) == ["OH.ranged.4"]
    assert shots(battle("A slingers in=post", "X hastati 10 14", structure="post watchtower 10 12")) == []
