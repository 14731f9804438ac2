"""5: artillery against walls, gates, towers and siege towers, and in a fortress."""

from __future__ import annotations

import pytest

from legatus.games.onus.bombard import Victims
from legatus.games.onus.motion import has_room
from legatus.games.onus.shooting import Shoot, Shooting, ranged_terms, shot_dice
from legatus.games.onus.sight import Mark, mark_level, mark_of, sight
from legatus.games.onus.state import OnusState
from legatus.kernel import Play, legal
from tests.rules import rule

from .stage import CALM, at, battle, do, index, refusals, told, values, wounds

# As in test_fire: the front of the fortress is at y 4.76, who mans it stands at y 3.88.
FORT, STONE = "standard 10 3", "standard 10 3 stone"
TOP = 3.88


def siege(attacker: str, defender: str = "", fortress: str = FORT, **more: str) -> OnusState:
    return battle(attacker, defender, fortress=fortress, **more)  # type: ignore[arg-type]


def piece(state: OnusState, name: str) -> int:
    return state.roster.structure_index[name]


def shoot(state: OnusState, target: str, *dice: int, seat: int = 0) -> Play:
    unit = "A" if seat == 0 else "X"
    return do(at(state, Shooting(seat)), Shoot(unit, target), dice)


def barred(state: OnusState, target: str, unit: str = "A") -> list[str]:
    seat = 0 if unit == "A" else 1
    return refusals(at(state, Shooting(seat)), Shoot(unit, target))


@rule("O5.artillery.targets")
def test_walls_gates_towers_siege_towers_and_their_units() -> None:
    state = siege("A onager 10 8", f"X hastati 11.76 {TOP}; Y hastati in=tower-1")
    shots = {action.target for action in legal(at(state, Shooting(0))) if isinstance(action, Shoot)}
    assert {"wall-1", "wall-2", "gate-1", "tower-1", "tower-2", "X", "Y"} <= shots
    cart = "cart siege-tower 10 8 owner=attacker"
    own = battle("", "X onager 10 3.4", fortress=FORT, structure=cart, active="defender")
    assert barred(own, "cart", "X") == []


@rule("O5.artillery.targets")
def test_nobody_shoots_at_what_his_own_side_holds() -> None:
    state = battle("", "X onager 10 2.6", fortress=FORT, active="defender")
    assert barred(state, "gate-1", "X") == ["O5.artillery.targets"]
    taken = battle(f"A hastati 10 {TOP} 180", "X onager 10 2.6", fortress=FORT, active="defender")
    assert barred(taken, "gate-1", "X") == []
    assert barred(battle("A onager 10 12; B hastati in=half", structure="half village 10 8"), "half") == [
        "O5.artillery.targets"
    ]


@rule("O5.artillery.hit", "O5.artillery.damage", "O4.wall.values", "O4.tower.values", "O4.gate.ranged")
@pytest.mark.parametrize(
    ("fortress", "target", "need"),
    [
        (FORT, "wall-1", 3),
        (STONE, "wall-1", 4),
        (FORT, "gate-1", 3),  # the resistance of the wall, not that of the gate
        (STONE, "gate-1", 4),
        (FORT, "tower-1", 4),
        (STONE, "tower-1", 5),
    ],
)
def test_both_rolls_are_against_the_resistance(fortress: str, target: str, need: int) -> None:
    """A ballista has 4."""
    state = siege("A ballista 11.5 7.5", fortress=fortress)
    play = shoot(state, target, CALM, need, need, need - 1, need - 1, need, need - 1)
    assert values(play, "event.bombards")["hits"] == 2
    assert play.state.damage[piece(state, target)] == 1


@rule("O5.artillery.critical", "O5.artillery.example", "O6.razed.threshold")
def test_all_sixes_at_long_range_do_eight() -> None:
    state = siege("A onager 11.76 11", fortress=STONE)
    assert shot_dice(state, 0, mark_of(state, "wall-1")) == 2
    play = shoot(state, "wall-1", CALM, 6, 6, 6, 6, 6, 6)
    assert values(play, "event.bombards") == {"unit": "A", "structure": "wall-1", "hits": 4, "damage": 8}
    assert play.state.gone[piece(state, "wall-1")]


@rule("O5.artillery.scope", "OH.dice.2")
def test_against_units_a_six_is_one_wound() -> None:
    state = siege("A onager 11.76 8.4", f"X triarii 11.76 {TOP}")
    assert wounds(shoot(state, "X", CALM, 6, 2, 2, 2, 3, 3).state, "X") == 1


@rule("O5.artillery.fumble")
def test_a_fumble_at_the_wall_hurts_a_friend() -> None:
    alone = shoot(siege("A onager 11.76 8"), "wall-1", CALM, 1, 2, 2, 2, 1)
    assert [key for _, key in told(alone)][-1] == "event.fumbles"
    pair = siege("A onager 11.76 8; B hastati 9 8; C hastati 14.5 8")
    asked = shoot(pair, "wall-1", CALM, 1, 2, 2, 2, 1)
    assert isinstance(asked.state.decision, Victims)
    assert asked.state.decision.seat == 1
    hit = shoot(siege("A onager 11.76 8", fortress=STONE), "wall-1", CALM, 1, 2, 2, 2, 5, 4)
    assert hit.state.damage[piece(hit.state, "wall-1")] == 1  # 1, then 5 where a 4 is needed


@rule("O5.collateral.roll", "O5.collateral.example-2", "O5.collateral.no-critical", "O5.collateral.no-events")
def test_the_onager_and_the_archers_on_the_wall() -> None:
    """Stone needs a 4: 2, 3, 5, 6 are 3 hits; 2, 3, 6 are 2 damage; 2 dice with 4 against the archers' 4."""
    state = siege("A onager 11.76 8", f"X archers 11.76 {TOP}", fortress=STONE)
    play = shoot(state, "wall-1", CALM, 2, 3, 5, 6, 2, 3, 6, 6, 1, 3, 3)
    assert values(play, "event.bombards") == {"unit": "A", "structure": "wall-1", "hits": 3, "damage": 2}
    assert values(play, "event.collateral") == {"unit": "X", "dice": 2, "wounds": 1}
    assert [key for _, key in told(play)].count("event.random_idle") == 1  # the one of the shot


@rule("O5.collateral.roll", "O4.overlap.wall-collateral")
def test_collateral_damage_reaches_the_whole_stack_and_nobody_else() -> None:
    many = f"X archers 11.76 {TOP}; Y archers 11.76 {TOP}; Z archers 8.24 {TOP}"
    state = siege("A onager 11.76 8; B hastati 11.76 5.2", many)
    state.over = [(index(state, "X"), index(state, "Y"))]
    # 4 against 6: a 3 hits and damages; then a die for X and one for Y, and their checks
    play = shoot(state, "wall-1", CALM, 3, 1, 2, 2, 2, 3, 2, 2, 3, 3, 3, 3)
    assert [wounds(play.state, name) for name in "BXYZ"] == [0, 1, 1, 0]


@rule("O5.collateral.roll")
def test_in_a_tower_and_in_a_siege_tower() -> None:
    tower = siege("A onager 13 8", "X archers in=tower-1")
    play = shoot(tower, "tower-1", CALM, 4, 2, 2, 2, 4, 2, 3, 3)
    assert wounds(play.state, "X") == 1
    cart = battle(
        "B archers in=cart",
        "X onager 10 5",
        structure="cart siege-tower 10 9 owner=attacker",
        active="defender",
    )
    hit = shoot(cart, "cart", CALM, 3, 2, 2, 2, 3, 2, 3, 3, seat=1)
    assert wounds(hit.state, "B") == 1


@rule("O4.siege-tower.target-structure")
def test_a_siege_tower_is_struck_at_its_base() -> None:
    """It is as low as the ground: no bonus from the ground, and none of the height of its tower."""
    cart = "cart siege-tower 10 9 owner=attacker"
    state = battle("B archers in=cart", "X onager 10 5", structure=cart, active="defender")
    base, crew = mark_of(state, "cart"), mark_of(state, "B")
    assert (mark_level(state, base), mark_level(state, crew)) == (0, 2)
    assert ranged_terms(state, index(state, "X"), base) == []
    assert sight(state, index(state, "X"), base).visible
    hill = battle("", "X onager 10 5", structure=cart, ground="hill hill 10 5 3x3", active="defender")
    assert [term.clause for term in ranged_terms(hill, 0, mark_of(hill, "cart"))] == [
        "O2.height-ranged.value"
    ]


@rule("O4.siege-tower.target-from-fortress")
@pytest.mark.parametrize(("where", "added"), [(f"10 {TOP}", 1), ("in=tower-1", 1), ("10 2.6", -1)])
def test_from_a_wall_or_a_tower_it_is_lower(where: str, added: int) -> None:
    """From the court it is not, and the wall hides it."""
    cart = "cart siege-tower 11 7 owner=attacker"
    kind = "archers" if where[0] == "1" else "onager"
    state = battle("", f"X {kind} {where}", fortress=FORT, structure=cart, active="defender")
    assert sum(term.value for term in ranged_terms(state, 0, mark_of(state, "cart"))) == added


@rule("O4.siege-tower.move", "O4.siege-tower.target-structure")
def test_a_siege_tower_is_shot_at_where_it_stands_now() -> None:
    cart = "cart siege-tower 10 16 owner=attacker"
    state = battle("B archers in=cart", "X onager 10 5", structure=cart, active="defender")
    assert "OH.value.3" in barred(state, "cart", "X")
    state.spots[0] = state.spots[0]._replace(y=900)
    assert barred(state, "cart", "X") == []
    assert barred(state, "B", "X") == []


@rule("O2.los.level", "O2.los.example", "OH.sight.1")
def test_walls_hide_what_is_behind_them() -> None:
    """Who stands in the court is hidden; who mans the wall is not."""
    court = siege("A ballista 10 9", "X hastati 10 2.5")
    assert barred(court, "X") == ["O2.los.level"]
    bow = siege("A onager 10 9", "X hastati 10 2.5")
    assert barred(bow, "X") == []
    assert [term.value for term in ranged_terms(bow, 0, Mark(unit=1))] == [-1]
    wall = siege("A ballista 10 9", f"X hastati 10 {TOP}")
    assert barred(wall, "X") == []
    assert ranged_terms(wall, 0, Mark(unit=1)) == []
    fallen = siege("A ballista 10 9", "X hastati 10 2.5")
    fallen.gone[piece(fallen, "gate-1")] = 1
    assert barred(fallen, "X") == []


# --- artillery in a fortress ---------------------------------------------------------------------


@rule("O5.artillery.self-defence", "O5.artillery.counter-climbers", "O5.defender.free-attack")
@pytest.mark.parametrize("engine", ["onager", "scorpion"])
def test_artillery_in_a_tower_strikes_at_climbers_with_its_ranged_values(engine: str) -> None:
    """Not activated: 4 dice, 1 more from above; B, who is not at the walls, is left alone."""
    foes = "A hastati 13.08 5.2; B hastati 13.08 8"
    state = battle(foes, f"X {engine} in=tower-1 still", fortress=FORT, active="defender")
    state.climbs[0] = piece(state, "tower-1")
    assert barred(state, "A", "X") == []
    assert barred(state, "B", "X") == ["O5.defender.free-attack"]
    value = state.roster.units[2].kind.ranged + 1
    need = max(2, 6 - value + 1)
    play = shoot(state, "A", CALM, need, need - 1 if need > 2 else 1, 1, 1, *_again(need), 1, seat=1)
    assert values(play, "event.strikes")["dice"] == 4
    assert values(play, "event.strikes")["hits"] == 1
    assert not any(key == "refusal.no_sight" for _, key in told(play))


def _again(need: int) -> list[int]:
    """Professionals roll their ones again."""
    return [1, 1, 1] if need == 2 else [1, 1]


# --- what has fallen -----------------------------------------------------------------------------


@rule("O7.design.destroyed")
def test_what_is_destroyed_no_longer_exists() -> None:
    """It is no target, hides nobody, and its space is free."""
    state = siege("A ballista 10 9; B hastati 10 4.9", "X hastati 10 2.5")
    card_ = state.pose[1]._replace(y=454)
    assert not has_room(state, 1, card_)
    assert barred(state, "X") != []
    state.gone[piece(state, "gate-1")] = 1
    assert barred(state, "gate-1") == ["OH.ranged.3"]
    assert has_room(state, 1, card_)
    state.pose[1] = state.pose[1]._replace(x=500)
    assert barred(state, "X") == []
