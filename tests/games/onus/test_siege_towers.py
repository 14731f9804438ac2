"""4 Siege towers: how they roll, and how their units fight and shoot."""

import pytest

from legatus.games.onus.aftermath import TakeOver, Taking
from legatus.games.onus.assault import Ascent, Climb
from legatus.games.onus.contact import angle_of, in_melee, level_of
from legatus.games.onus.entering import Occupy, Sally
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.modifiers import attack_terms, defence_terms, dice_of, has_priority
from legatus.games.onus.movement import Halt, Move, Moves
from legatus.games.onus.setup import Deploying, Garrison
from legatus.games.onus.shooting import Shoot, Shooting, cover_terms, ranged_terms, ranges, shot_dice
from legatus.games.onus.sight import Mark, distance, sight
from legatus.games.onus.sorts import sorts
from legatus.games.onus.state import INSIDE, LOST, NOBODY, RESERVE, OnusState
from legatus.games.onus.towers import Dock, Haul, Pivot
from legatus.kernel import legal
from tests.rules import rule

from .stage import CALM, at, battle, do, go_on, index, moving, place, refusals, run, told

FORT = "standard 10 4"  # its south face at 5.76; wall-2 from 7.36 to 9.12, the gate to 10.88, wall-1 to 12.64
TOWER = "T siege-tower 10 12 owner=attacker"
AT_WALL = "T siege-tower 8.24 6.2 owner=attacker"
ABOVE = "8.24 4.88"


def open_field(
    attacker: str,
    defender: str = "X archers 3 3",
    structure: str = TOWER,
    ground: str = "",
    active: str = "attacker",
) -> OnusState:
    return battle(attacker, defender, structure=structure, ground=ground, active=active)


def siege(attacker: str, defender: str, structure: str = AT_WALL) -> OnusState:
    return battle(attacker, defender, structure=structure, fortress=FORT)


def spot(state: OnusState) -> tuple[float, float, float]:
    x, y, turn = state.spots[state.roster.structure_index["T"]]
    return x / 100, y / 100, turn / 10


def attack(state: OnusState, one: str, two: str) -> list[tuple[str, int]]:
    return [(t.clause, t.value) for t in attack_terms(state, index(state, one), index(state, two))]


def cover(state: OnusState, one: str, two: str) -> list[tuple[str, int, int]]:
    found = defence_terms(state, index(state, one), index(state, two))
    return [(t.clause, t.value, armour) for t, armour in found]


# --- values --------------------------------------------------------------------------------------


@rule("O4.siege-tower.values", "O4.siege-tower.capacity")
def test_values() -> None:
    sort = sorts()["siege-tower"]
    assert (sort.melee, sort.ranged, sort.height) == ((2, 0), (2, 0), 2)
    assert (sort.resistance, sort.durability, sort.burns, sort.units) == (6, 7, "yes", 1)
    state = open_field("A hastati in=T")
    assert level_of(state, 0) == 2
    covers = [(t.clause, t.value, armour) for t, armour in cover_terms(state, 0, 1)]
    assert covers == [("O4.siege-tower.values", 2, 0)]


# --- rolling -------------------------------------------------------------------------------------


@rule("O4.siege-tower.move")
def test_it_rolls_two_du_when_its_unit_is_activated() -> None:
    state = moving(open_field("A triarii in=T"), "A")
    assert refusals(state, Haul(0, 200)) == []
    assert refusals(state, Haul(0, 201)) == ["O4.siege-tower.move"]
    play = do(state, Haul(0, 150))
    assert spot(play.state) == (10, 10.5, 0)
    assert place(play.state, "A")[:2] == (10, 10.5)
    assert ("O4.siege-tower.move", "event.rolls") in told(play)
    assert refusals(play.state, Haul(0, 50)) == []
    assert refusals(play.state, Haul(0, 51)) == ["O4.siege-tower.move"]
    still = open_field("A triarii in=T still")
    assert "OH.turn.1" in refusals(at(still, Moves(0)), Move("A"))


@rule("O4.siege-tower.move")
def test_without_a_unit_nobody_moves_it() -> None:
    state = moving(open_field("A hastati 10 14"), "A")
    assert refusals(state, Haul(0, 100)) == ["O4.siege-tower.move"]


@rule("O4.siege-tower.move")
@pytest.mark.parametrize(
    ("corner", "end"), [("front-right", (10, 11.12, 90)), ("rear-left", (10, 12.88, 90))]
)
def test_it_turns_about_the_corners_of_its_tile(corner: str, end: tuple[float, float, float]) -> None:
    state = moving(open_field("A triarii in=T"), "A")
    turned = run(state, Pivot(corner, 900))
    assert spot(turned) == end
    assert refusals(turned, Haul(0, 100)) == []
    assert refusals(turned, Haul(0, 101)) == ["O4.siege-tower.move"]
    assert "O4.siege-tower.move" in refusals(state, Pivot(corner, 901))


@rule("O4.siege-tower.move", "O4.siege-tower.shoot-on-entry", "O4.siege-tower.boarding")
def test_not_in_the_turn_in_which_a_unit_enters_but_it_may_shoot() -> None:
    state = moving(open_field("A velites 10 12.88", "X african-infantry 10 10"), "A")
    state = run(state, Occupy("T"))
    assert state.where[0] == INSIDE
    assert "OH.turn.2" in refusals(at(state, Moves(0)), Move("A"))
    assert refusals(at(state, Shooting(0)), Shoot("A", "X")) == []


@rule("O4.siege-tower.boarding")
@pytest.mark.parametrize(("kind", "able"), [("triarii", True), ("roman-cavalry", False), ("onager", False)])
def test_who_boards(kind: str, able: bool) -> None:
    state = moving(open_field(f"A {kind} 10 12.88"), "A")
    assert (refusals(state, Occupy("T")) == []) == able
    if able:
        out = moving(open_field(f"A {kind} in=T"), "A")
        assert refusals(out, Sally("front")) == []


@rule("O4.siege-tower.boarding", "O4.siege-tower.move")
def test_one_boards_a_tower_where_it_stands_now() -> None:
    state = open_field("A triarii 10 12.88; B hastati 10.88 10.6 270; C velites in=T")
    state = run(moving(state, "C"), Haul(0, 100), Halt())
    state.where[2], state.inside[2] = LOST, NOBODY
    assert refusals(moving(state, "A"), Occupy("T")) == ["O4.village.occupy"]
    assert refusals(moving(state, "B"), Occupy("T")) == []


@rule("O4.siege-tower.capacity")
def test_one_unit_only() -> None:
    state = moving(open_field("A triarii 10 12.88; B hastati in=T"), "A")
    assert "O4.siege-tower.capacity" in refusals(state, Occupy("T"))


@rule("O4.siege-tower.reduced")
@pytest.mark.parametrize("angle", [450, 900, 1800, 2700])
def test_aside_and_backwards_one_du(angle: int) -> None:
    state = moving(open_field("A triarii in=T"), "A")
    assert refusals(state, Haul(angle, 100)) == []
    assert refusals(state, Haul(angle, 101)) == ["O4.siege-tower.reduced"]
    mixed = run(state, Haul(0, 50))
    assert refusals(mixed, Haul(angle, 50)) == []
    assert refusals(mixed, Haul(angle, 51)) == ["O4.siege-tower.reduced"]


@rule("O4.siege-tower.terrain", "O4.works.impassable")
@pytest.mark.parametrize(
    "what",
    [
        "G forest 10 10.5 2x1",
        "G hill 10 10.5 2x1",
        "G river 10 10.5 4x1",
        "G ford 10 10.5 4x1",
        "G lake 10 10.5 2x1",
        "S trench 10 10.5 owner=defender",
        "S barricade 10 10.5",
        "S village 10 10",
        "S wooden-bridge 10 10",
        "S watchtower 10 10.5",
    ],
)
def test_what_it_cannot_enter(what: str) -> None:
    ground, structure = (what, TOWER) if what[0] == "G" else ("", f"{TOWER}; {what}")
    state = moving(open_field("A triarii in=T", structure=structure, ground=ground), "A")
    assert refusals(state, Haul(0, 150)) == ["O4.siege-tower.terrain"]
    assert refusals(state, Haul(0, 20)) == []


@rule("O4.siege-tower.terrain")
def test_it_does_not_leave_the_table_nor_roll_over_cards() -> None:
    edge = moving(open_field("A triarii in=T", structure="T siege-tower 10 1 owner=attacker"), "A")
    assert refusals(edge, Haul(0, 100)) == ["O4.siege-tower.terrain"]
    crowd = moving(open_field("A triarii in=T; B hastati 10 10.5"), "A")
    assert refusals(crowd, Haul(0, 150)) == ["O4.siege-tower.terrain"]
    enemy = moving(open_field("A triarii in=T", "X archers 10 10"), "A")
    assert refusals(enemy, Haul(0, 112)) == ["OH.move.9"]


@rule("O4.siege-tower.attacked")
def test_a_tower_that_is_attacked_stands_still() -> None:
    climbed = moving(open_field("A triarii in=T", "X hastati 10 11.12 climbs=T"), "A")
    assert "O4.siege-tower.attacked" in refusals(climbed, Haul(1800, 50))
    fights = moving(siege("A triarii in=T", f"X african-infantry {ABOVE}"), "A")
    assert "O4.siege-tower.attacked" in refusals(fights, Haul(1800, 50))
    free = moving(siege("A triarii in=T", "X african-infantry 11.76 4.88"), "A")
    assert refusals(free, Haul(1800, 50)) == []


@rule("O4.siege-tower.attacked", "O4.siege-tower.as-tower", "O4.watchtower.rules")
def test_it_is_assaulted_like_a_watchtower() -> None:
    state = open_field("A triarii in=T", "X african-infantry 10 11.12", active="defender")
    assert in_melee(state, 1) == []
    state = run(moving(state, "X"), Climb("T"))
    for _ in range(2):
        assert in_melee(state, 1) == []
        state = go_on(at(state, Ascent(1))).state
    assert in_melee(state, 1) == [0]
    assert cover(state, "X", "A") == [("O4.siege-tower.values", 2, 0)]
    assert has_priority(state, 0, 1)
    assert angle_of(state, 1, 0) == (False, False)


@rule("O4.siege-tower.artillery", "O5.artillery.in-tower", "O5.artillery.move-or-shoot")
def test_artillery_stays_in_it_and_rolls_or_shoots() -> None:
    state = moving(open_field("A ballista in=T", "X african-infantry 10 9"), "A")
    assert "O5.artillery.in-tower" in refusals(state, Sally("front"))
    assert refusals(at(state, Shooting(0)), Shoot("A", "X")) == []
    rolled = run(state, Haul(0, 50), Halt())
    assert "O5.artillery.move-or-shoot" in refusals(at(rolled, Shooting(0)), Shoot("A", "X"))


@rule("O4.siege-tower.deployment", "O4.siege-tower.artillery")
@pytest.mark.parametrize(("kind", "able"), [("hastati", True), ("ballista", True), ("roman-cavalry", False)])
def test_a_unit_begins_in_it(kind: str, able: bool) -> None:
    state = open_field(f"A {kind} 5 16")
    state.where[0] = RESERVE
    deploying = at(state, Deploying(0))
    assert (refusals(deploying, Garrison("A", "T")) == []) == able
    if able:
        assert run(deploying, Garrison("A", "T")).inside[0] == 0
    theirs = at(open_field(f"A {kind} 5 16", structure=TOWER.replace("attacker", "defender")), Deploying(0))
    assert refusals(theirs, Garrison("A", "T")) != []


# --- at a wall -----------------------------------------------------------------------------------


@rule("O4.siege-tower.melee", "O2.facing-free")
def test_it_lines_up_with_the_marks_of_a_wall() -> None:
    askew = "T siege-tower 8.3 6.2 owner=attacker"
    state = moving(siege("A triarii in=T", "X african-infantry 11.76 4.88", askew), "A")
    assert Dock("wall-2") in legal(state)
    docked = run(state, Dock("wall-2"))
    assert spot(docked) == (8.24, 6.2, 0)
    far = moving(siege("A triarii in=T", "X african-infantry 11.76 4.88", TOWER), "A")
    assert "O4.siege-tower.move" in refusals(far, Dock("wall-2"))


@rule("O4.siege-tower.melee", "O2.melee-same-height", "O4.siege-tower.capacity")
def test_its_unit_fights_who_is_on_the_wall_with_two_dice_a_side() -> None:
    state = siege("A triarii in=T", f"X african-infantry {ABOVE}")
    assert in_melee(state, 0) == [1]
    assert in_melee(state, 1) == [0]
    assert (dice_of(state, 0, 1), dice_of(state, 1, 0)) == (2, 2)
    away = siege("A triarii in=T", f"X african-infantry {ABOVE}", "T siege-tower 8.24 6.3 owner=attacker")
    assert in_melee(away, 0) == []


@rule("O4.siege-tower.vs-wall")
def test_against_a_wall_it_has_height_and_priority() -> None:
    state = siege("A triarii in=T", f"X african-infantry {ABOVE}")
    assert attack(state, "A", "X") == [("O4.siege-tower.vs-wall", 1)]
    assert attack(state, "X", "A") == []
    assert has_priority(state, 0, 1)
    assert not has_priority(state, 1, 0)
    assert cover(state, "A", "X") == [("O4.wall.values", 2, 0)]
    assert cover(state, "X", "A") == [("O4.siege-tower.values", 2, 0)]


@rule("O4.siege-tower.vs-tower", "O4.siege-tower.melee")
def test_against_a_tower_the_fight_is_even() -> None:
    state = siege("A triarii in=T", "X african-infantry in=tower-1", "T siege-tower 13.08 6.2 owner=attacker")
    assert in_melee(state, 0) == [1]
    assert attack(state, "A", "X") == attack(state, "X", "A") == []
    assert not has_priority(state, 0, 1)
    assert not has_priority(state, 1, 0)
    assert cover(state, "A", "X") == [("O4.tower.values", 2, 0)]
    assert cover(state, "X", "A") == [("O4.siege-tower.values", 2, 0)]
    assert (dice_of(state, 0, 1), dice_of(state, 1, 0)) == (2, 2)


@rule("O5.assault.take-space", "O4.beat-defender.occupy", "O4.siege-tower.as-tower")
def test_who_has_won_steps_over_from_the_tower() -> None:
    state = siege("A triarii in=T", f"X african-infantry {ABOVE} wounds=4")
    play = do(at(state, Fights(0)), Engage("A", "X"), [CALM, 6, 2])
    assert isinstance(play.state.decision, Taking)
    state = run(play.state, TakeOver())
    assert place(state, "A") == (8.24, 4.88, 0)
    assert state.inside[0] == -1


# --- shooting ------------------------------------------------------------------------------------


@rule("O4.siege-tower.ranged")
@pytest.mark.parametrize(("y", "dice"), [(9, 4), (6, 2)])
def test_it_shoots_normally_but_not_after_rolling(y: float, dice: int) -> None:
    """Archers 2(6; 3), and 1 DU more of short range from above; measured from 11.56."""
    state = moving(open_field("A archers in=T", f"X african-infantry 10 {y}"), "A")
    assert shot_dice(state, 0, Mark(unit=1)) == dice
    assert refusals(at(state, Shooting(0)), Shoot("A", "X")) == []
    rolled = run(state, Haul(0, 10), Halt())
    assert refusals(at(rolled, Shooting(0)), Shoot("A", "X")) == ["O4.siege-tower.ranged"]


@rule("O4.siege-tower.measure", "O4.tower.measure")
def test_the_range_is_measured_from_the_middle_of_a_side_where_the_tower_is_now() -> None:
    state = open_field("A archers in=T", "X african-infantry 10 9")
    assert distance(state, 0, Mark(unit=1)) == 1156 - 944
    rolled = run(moving(state, "A"), Haul(0, 100))
    assert distance(rolled, 0, Mark(unit=1)) == 1056 - 944
    behind = open_field("A archers in=T", "X african-infantry 10 15 0")
    assert refusals(at(behind, Shooting(0)), Shoot("A", "X")) == []


@rule("O4.siege-tower.example", "O2.height-ranged.range", "O2.los.high.obstacle-near-attacker")
def test_velites_throw_two_du_at_both_enemies_behind_the_wall() -> None:
    state = siege("A velites in=T", "X african-infantry 10.44 4.88; Y iberian-infantry 8.24 3.9 still")
    for j in (1, 2):
        assert ranges(state, 0, Mark(unit=j))[1] == 200
        assert refusals(at(state, Shooting(0)), Shoot("A", state.roster.units[j].id)) == []
        assert not sight(state, 0, Mark(unit=j)).hindered
        assert [(t.clause, t.value) for t in ranged_terms(state, 0, Mark(unit=j))] == [
            ("O2.height-ranged.value", 1)
        ]


def test_candidates_of_a_siege_tower() -> None:
    found = legal(moving(open_field("A triarii in=T"), "A"))
    assert Haul(0, 200) in found
    assert any(isinstance(action, Pivot) for action in found)
    assert Sally("front") in found
