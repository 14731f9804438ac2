"""4 Structures in the open: villages, watchtowers, caltrops, trenches and barricades, as far as units move.

A stands at 10 9 and looks north: its front is at y = 8.56.
"""

from __future__ import annotations

import pytest

from legatus.games.onus.charges import Charge
from legatus.games.onus.entering import Align, Occupy, Sally
from legatus.games.onus.forming import Form
from legatus.games.onus.motion import allowance
from legatus.games.onus.movement import Halt, Move, Moves
from legatus.games.onus.pieces import Advance, Slide, Turn
from legatus.games.onus.shooting import Shoot, Shooting
from legatus.games.onus.sorts import sorts
from legatus.games.onus.state import CARD, CHARGED, FIELD, IDLE, INSIDE, LIMITED, MOVED, SECTION, OnusState
from legatus.games.onus.structures import Clear, TearDown
from legatus.games.onus.table import across_barricade, contacts, engaged, touching
from legatus.parts.plane import FRONT
from tests.rules import rule

from .stage import at, battle, do, farthest, keys, left, moving, over, place, refusals, run, told, wounds

FAR = "X african-infantry 2 2"
VILLAGE = "v village 10 6.68"  # y 5.8 to 7.56: 1 DU before A
HALVES = "v village 10 6.68; w village 11.76 6.68"


def one(kind: str = "hastati", where: str = "10 9", **options: str) -> OnusState:
    return moving(battle(f"A {kind} {where}", FAR, **options), "A")


# --- villages ------------------------------------------------------------------------------------


@rule("O4.village.occupy", "O4.occupy.enter", "O4.village.move-edge")
def test_who_touches_an_empty_village_may_occupy_it_at_once() -> None:
    state = one(structure=VILLAGE)
    assert refusals(state, Occupy("v")) == ["O4.village.occupy"]
    after = run(state, Advance(100), Occupy("v"))
    assert after.where[0] == INSIDE
    assert after.flags[0] & LIMITED
    assert over(after)


@rule("O4.village.move-edge", "O2.limited.half")
def test_to_enter_is_a_limited_move() -> None:
    near = run(one(structure="v village 10 6.18"), Advance(150))
    assert not refusals(near, Occupy("v"))
    far = run(one(structure="v village 10 6.17"), Advance(151))
    assert refusals(far, Occupy("v")) == ["O2.limited.half"]


@rule("O4.village.capacity")
def test_a_half_holds_one_unit() -> None:
    state = battle("A hastati 10 8; B hastati in=v", FAR, structure=HALVES)
    assert refusals(moving(state, "A"), Occupy("v")) == ["O4.village.capacity"]
    other = battle("A hastati 11.76 8; B hastati in=v", FAR, structure=HALVES)
    assert not refusals(moving(other, "A"), Occupy("w"))


@rule("O4.village.example", "O4.village.shared")
def test_iberians_enter_the_free_half_beside_triarii() -> None:
    state = battle("A iberian-infantry 11.76 8", "X triarii in=v", structure=HALVES)
    after = run(moving(state, "A"), Occupy("w"))
    assert after.where[0] == INSIDE
    assert touching(after, 0, 1)
    assert not engaged(after, 0)  # they fight only if the active player wishes


@rule("O4.village.move-through")
def test_a_village_is_crossed_as_difficult_ground() -> None:
    state = one("numidian-cavalry", where="11.5 9", structure="v village 10.2 6.68 0.6x1.0")
    assert not refusals(state, Advance(350))
    through = one("numidian-cavalry", structure="v village 10 7.5 1x1")
    cost = 6 - left(run(through, Advance(245)))
    assert cost == pytest.approx(2.45 + 1.88 - 0.04, abs=0.04)
    assert not run(through, Advance(245)).flags[0] & LIMITED


@rule("O4.village.pass-friends")
def test_a_friend_in_a_village_is_passed_freely_but_nobody_ends_on_him() -> None:
    state = battle("A numidian-cavalry 10 9; B hastati in=v", FAR, structure="v village 10 7.5 1x1")
    after = run(moving(state, "A"), Advance(245))
    assert after.broken == [0, 0, 0]
    assert refusals(moving(state, "A"), Advance(150)) == ["O4.village.pass-friends"]
    enemy = battle("A numidian-cavalry 10 9", "X hastati in=v", structure="v village 10 7.5 1x1")
    assert "O3.impassable" in refusals(moving(enemy, "A"), Advance(245))


@rule("O4.village.exit-measure", "O4.village.move-edge")
@pytest.mark.parametrize(
    ("side", "end"),
    [
        ("front", (10, 5.36, 0)),
        ("right", (11.32, 6.68, 90)),
        ("rear", (10, 8, 180)),
        ("left", (8.68, 6.68, 270)),
    ],
)
def test_out_of_a_village_by_any_edge(side: str, end: tuple[float, float, float]) -> None:
    state = moving(battle("A hastati in=v", FAR, structure=VILLAGE), "A")
    after = run(state, Sally(side))
    assert place(after, "A") == end
    assert after.where[0] == FIELD
    assert after.flags[0] & LIMITED
    assert left(after) == pytest.approx(0.62)


@rule("O4.village.exit-measure")
def test_there_must_be_room_outside_and_movement() -> None:
    blocked = moving(battle("A hastati in=v; B hastati 10 5.3", FAR, structure=VILLAGE), "A")
    assert refusals(blocked, Sally("front")) == ["O4.village.exit-measure"]
    assert refusals(blocked, Sally("roof")) == ["O4.village.exit-measure"]


@rule("O4.village.exit-measure")
@pytest.mark.parametrize("unit", ["onager", "triarii ram"])
def test_whose_limited_move_is_shorter_than_its_card_leaves_all_the_same_with_all_of_it(unit: str) -> None:
    """0.5 DU against 0.88: out, and no farther; who has gone in can come out again."""
    kind, *ram = unit.split()
    entered = run(moving(battle(f"A {kind} 10 8 {' '.join(ram)}", FAR, structure=VILLAGE), "A"), Occupy("v"))
    state = moving(battle(f"A {kind} in=v {' '.join(ram)}", FAR, structure=VILLAGE), "A")
    assert entered.inside == state.inside
    assert allowance(state, 0, "limited") == 50
    after = run(state, Sally("rear"))
    assert place(after, "A") == (10, 8, 180)
    assert left(after) == 0
    assert refusals(after, Advance(1)) == ["O2.limited.half"]


@rule("O4.occupy.fight", "O4.exit-overlap.when")
def test_out_of_a_village_a_unit_may_charge_and_lie_over_it() -> None:
    state = moving(battle("A hastati in=v", "X slingers 10 4.9 0", structure=VILLAGE), "A")
    assert refusals(state, Sally("front")) != []
    after = run(state, Charge("X"))
    assert after.where[0] == FIELD
    assert after.flags[0] & CHARGED
    assert engaged(after, 0) == [1]
    assert place(after, "A")[1] + 0.44 > 5.8
    far = moving(battle("A triarii in=v", "X slingers 10 4.2 0", structure=VILLAGE), "A")
    assert refusals(far, Charge("X")) == ["O2.limited.half"]  # 1.16 DU from the edge


@rule("O4.occupy.fight")
def test_who_has_entered_may_shoot() -> None:
    state = battle("A archers 10 8", "X african-infantry 10 4.5 0", structure=VILLAGE)
    after = run(moving(state, "A"), Occupy("v"))
    assert not refusals(at(after, Shooting(0)), Shoot("A", "X"))


@rule("O4.village.occupy", "OH.formation.5")
def test_in_a_village_there_are_no_formations() -> None:
    state = moving(battle("A hastati in=v", FAR, structure=VILLAGE), "A")
    assert refusals(state, Form("shield-wall")) == ["OH.formation.5"]
    assert keys(state, Advance(10)) == ["refusal.not_in_the_open"]


# --- watchtowers ---------------------------------------------------------------------------------


@rule("O4.watchtower.values", "O4.siege-tower.boarding", "O4.mounted.no-defences")
def test_who_may_climb_into_a_watchtower() -> None:
    tower = "t watchtower 10 8.12"
    for kind, clauses in (
        ("hastati", []),
        ("roman-cavalry", ["O4.mounted.no-defences"]),
        ("elephants", ["O4.mounted.no-defences"]),
        ("scorpion", ["O4.siege-tower.boarding"]),
    ):
        assert refusals(one(kind, structure=tower), Occupy("t")) == clauses


@rule("O4.watchtower.values")
def test_a_watchtower_holds_one_unit_and_nobody_crosses_it() -> None:
    state = battle("A hastati 10 9; B velites in=t", FAR, structure="t watchtower 10 8.12")
    assert refusals(moving(state, "A"), Occupy("t")) == ["O4.village.capacity"]
    empty = one("roman-cavalry", structure="t watchtower 10 7")
    assert refusals(empty, Advance(400)) == ["O3.impassable"]


@rule("O2.facing-free")
@pytest.mark.parametrize(
    ("name", "structure"),
    [
        ("t", "t watchtower 10 8"),
        ("v", "v village 10 7.56"),
        ("d", "d trench 10 8.22 owner=attacker"),
        ("b", "b barricade 10 8.33"),
    ],
)
def test_who_touches_a_structure_may_align_with_it_for_free(name: str, structure: str) -> None:
    state = moving(battle("A hastati 10.1 9.15 12", FAR, structure=structure), "A")
    edge = run(state, Advance(farther(state)))
    after = run(edge, Align(name))
    assert place(after, "A")[1:] == (8.88, 0)
    assert left(after) == left(edge)
    assert "O2.facing-free" in refusals(after, Align(name))


def farther(state: OnusState) -> int:
    """As far as the corner touches what is ahead."""
    return next(n for n in range(1, 200) if not refusals(run(state, Advance(n)), Align(_ahead(state))))


def _ahead(state: OnusState) -> str:
    return state.roster.structures[0].id


@rule("OH.piece.4", "OH.card.1")
def test_the_sizes_of_what_lies_on_the_table() -> None:
    assert (CARD, SECTION) == ((176, 88), 44)
    sizes = {kind: sort.size for kind, sort in sorts().items()}
    kinds = ("village", "trench", "barricade", "caltrops", "watchtower")
    assert {kind: sizes[kind] for kind in kinds} == {
        "village": (176, 176),
        "trench": (176, 44),
        "barricade": (176, 22),
        "caltrops": (176, 44),
        "watchtower": (88, 88),
    }
    assert sizes["wooden-bridge"] == sizes["stone-bridge"] == (88, 144)


# --- caltrops ------------------------------------------------------------------------------------

LARGE, SMALL = "c caltrops 10 7.5", "c caltrops 10 7.5 0.88x0.44"


@rule("O4.caltrops.movement", "O4.caltrops.roll", "O4.caltrops.no-events")
def test_four_dice_for_the_four_columns_that_crossed() -> None:
    state = run(one("roman-cavalry", structure=LARGE), Advance(300))
    assert left(state) == pytest.approx(5 - 3 - 1.32, abs=0.06)
    play = do(state, Halt(), dice=[6, 6, 1, 5, 1, 1])  # two wounds, and the check holds
    assert wounds(play.state, "A") == 2
    assert ("O4.caltrops.roll", "event.caltrops") in told(play)
    assert [key for _, key in told(play)].count("event.random") == 0


@rule("O4.caltrops.roll")
@pytest.mark.parametrize(("x", "dice"), [(10, 2), (10.66, 2), (11.1, 1), (11.5, 0)])
def test_a_die_for_each_column_that_crossed(x: float, dice: int) -> None:
    state = run(one("roman-cavalry", structure=f"c caltrops {x} 7.5 0.86x0.44"), Advance(300))
    assert wounds(run(state, Halt(), dice=[1] * dice), "A") == 0


@rule("O4.caltrops.roll", "OH.formation.6")
@pytest.mark.parametrize(
    ("wings", "tile", "dice"),
    [
        (3, "10 7.5 3x0.44", 6),
        (1, "10 7.5 3x0.44", 5),
        (2, "10 7.5 3x0.44", 5),
        (0, "10 7.5 3x0.44", 4),
        (3, "8.9 7.5 0.4x0.44", 1),
        (1, "11.1 7.5 0.4x0.44", 0),
        (2, "11.1 7.5 0.4x0.44", 1),
    ],
)
def test_sections_added_by_extending_are_rolled_for(wings: int, tile: str, dice: int) -> None:
    state = battle(f"A roman-cavalry 10 9 wings={wings}", FAR, structure=f"c caltrops {tile}")
    state = run(moving(state, "A"), Advance(300))
    assert wounds(run(state, Halt(), dice=[1] * dice), "A") == 0


@rule("O4.caltrops.roll", "OH.formation.6")
def test_a_wing_that_only_touches_caltrops_is_rolled_for() -> None:
    """The front at 7.72 after 0.84 DU; the tile lies before the left wing alone."""
    state = battle("A hastati 10 9 wings=3", FAR, structure="c caltrops 8.9 7.5 0.4x0.44")
    touching = run(moving(state, "A"), Advance(84))
    assert wounds(run(touching, Halt(), dice=[1]), "A") == 0
    short = run(moving(state, "A"), Advance(70))
    assert wounds(run(short, Halt()), "A") == 0


@rule("O4.caltrops.roll")
def test_who_only_touches_them_is_rolled_for() -> None:
    state = run(one(structure=LARGE), Advance(84))
    assert wounds(run(state, Halt(), dice=[1, 2, 3, 4]), "A") == 0
    short = run(one(structure=LARGE), Advance(70))
    assert wounds(run(short, Halt()), "A") == 0


@rule("O4.caltrops.before-combat")
def test_caltrops_come_before_the_combat() -> None:
    state = moving(battle("A hastati 10 9", "X slingers 10 6.4", structure=LARGE), "A")
    play = do(state, Charge("X"), dice=[6, 1, 1, 1, 1, 1])
    assert wounds(play.state, "A") == 1
    assert over(play.state)


@rule("O4.caltrops.stay")
def test_who_stays_on_caltrops_is_not_rolled_for_but_who_leaves_them_is() -> None:
    state = battle("A hastati 10 7.5", FAR, structure=LARGE)
    assert wounds(run(moving(state, "A"), Halt()), "A") == 0
    away = run(moving(state, "A"), Slide(1800, 75))
    assert wounds(run(away, Halt(), dice=[1, 1, 1, 1]), "A") == 0
    turned = run(moving(state, "A"), Turn(100))
    assert wounds(run(turned, Halt(), dice=[1, 1, 1, 1]), "A") == 0


@rule("O4.caltrops.clear", "O4.caltrops.clear-safe")
def test_a_unit_that_touches_caltrops_clears_them_and_does_nothing_else() -> None:
    state = at(battle("A archers 10 8.16", "X african-infantry 10 4", structure=LARGE), Moves(0))
    play = do(state, Clear("A", "c"))
    assert play.state.gone == [1]
    assert play.state.flags[0] & IDLE
    assert wounds(play.state, "A") == 0
    assert refusals(at(play.state, Shooting(0)), Shoot("A", "X"))
    assert refusals(at(play.state, Moves(0)), Move("A")) == ["OH.turn.2"]


@rule("O4.caltrops.clear")
def test_who_may_not_clear_them() -> None:
    away = at(battle("A hastati 10 9", FAR, structure=LARGE), Moves(0))
    assert refusals(away, Clear("A", "c")) == ["O4.caltrops.clear"]
    fight = at(battle("A hastati 10 8.16", "X slingers 10 9.04 0", structure=LARGE), Moves(0))
    assert refusals(fight, Clear("A", "c")) == ["O4.caltrops.clear"]
    moved = at(battle("A hastati 10 8.16 moved; B hastati 14 9", FAR, structure=LARGE), Moves(0))
    assert refusals(moved, Clear("A", "c")) == ["OH.turn.2"]
    still = at(battle("A hastati 10 8.16 still; B hastati 14 9", FAR, structure=LARGE), Moves(0))
    assert refusals(still, Clear("A", "c")) == ["OH.turn.1"]


# --- trenches and barricades ---------------------------------------------------------------------


@rule("O4.works.movement")
@pytest.mark.parametrize("work", ["trench 10 7.5 owner=defender", "barricade 10 7.5", "barricade 11.5 7.5"])
def test_to_cross_a_work_even_in_part_is_a_limited_move(work: str) -> None:
    state = one("roman-cavalry", structure=f"d {work}")
    assert farthest(state, Advance) == 2.5
    assert run(state, Advance(200)).flags[0] & LIMITED
    assert not run(state, Advance(80)).flags[0] & LIMITED


@rule("O4.works.impassable")
@pytest.mark.parametrize("work", ["trench 10 8.2 owner=attacker", "barricade 10 8.2"])
def test_artillery_does_not_cross_works(work: str) -> None:
    assert "O3.impassable" in refusals(one("ballista", structure=f"d {work}"), Advance(50))
    assert not refusals(one("hastati", structure=f"d {work}"), Advance(50))


@rule("O4.works.remove")
@pytest.mark.parametrize("work", ["trench 10 8.34 owner=defender", "barricade 10 8.45"])
def test_an_unguarded_work_is_removed_by_who_touches_it(work: str) -> None:
    state = at(battle("A archers 10 9", FAR, structure=f"d {work}"), Moves(0))
    after = run(state, TearDown("A", "d"))
    assert after.gone == [1]
    assert after.flags[0] & IDLE
    assert not after.flags[0] & MOVED


@rule("O4.works.remove")
def test_a_guarded_work_stays() -> None:
    state = at(
        battle("A hastati 10 9", "X slingers 10 7.68", structure="d trench 10 8.34 owner=defender"), Moves(0)
    )
    assert refusals(state, TearDown("A", "d")) == ["O4.works.remove"]
    away = at(battle("A hastati 10 9.5", FAR, structure="d trench 10 8.34 owner=defender"), Moves(0))
    assert refusals(away, TearDown("A", "d")) == ["O4.works.remove"]


@rule("O4.trench.choice")
def test_a_trench_is_lined_without_combat_or_charged_across() -> None:
    state = battle("A hastati 10 9.5", "X slingers 10 7.68", structure="d trench 10 8.34 owner=defender")
    lined = run(moving(state, "A"), Advance(50))
    assert not touching(lined, 0, 1)
    charged = run(moving(state, "A"), Charge("X"))
    assert touching(charged, 0, 1)
    assert charged.flags[0] & LIMITED


@rule("O4.barricade.contact", "OH.contact.2")
def test_fronts_on_the_two_faces_of_a_barricade_are_in_contact() -> None:
    state = moving(battle("A hastati 10 9.5", "X slingers 10.44 7.9", structure="b barricade 10 8.45"), "A")
    after = run(state, Advance(50))
    assert across_barricade(after, 0, 1) == [1, 2, 3]
    assert contacts(after, 0, 1) == [(FRONT, 1), (FRONT, 2), (FRONT, 3)]
    assert touching(after, 0, 1)
    assert not engaged(after, 0)  # nobody is held: it is fought only if the active player wishes
    back = battle("A hastati 10 9", "X slingers 10.44 7.9 0", structure="b barricade 10 8.45")
    assert not touching(back, 0, 1)  # he shows it his back
