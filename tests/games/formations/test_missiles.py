"""20 Missiles: who may shoot at whom, the wedge, the table, the modifiers and the ammunition.

A in 0508 faces north; its wedge is 0507 and 0607, then 0406, 0506 and 0606 and so on.
"""

from __future__ import annotations

from itertools import product

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.cohesion import RemnantChoice
from legatus.games.formations.missiles import targets
from legatus.games.formations.state import CAPACITIES, FormationsState
from tests.rules import rule

from .phases import Terms, pair, value
from .stage import (
    acting,
    battle,
    decision,
    do,
    index,
    legal_lines,
    marks,
    place,
    refusals,
    run,
    steps,
    terms,
    told,
)

FAR = 4  # the range of archers


def shot(state: FormationsState, *dice: int) -> FormationsState:
    return run(acting(state), "shoot A X", dice=dice)


# --- who and at whom -----------------------------------------------------------------------------


@rule("AH14.missile")
@pytest.mark.parametrize("kind", ["spear", "guard", "wolf", "troll"])
def test_who_has_no_range_does_not_shoot(kind: str) -> None:
    state = acting(battle(f"A {kind} 0508", "X orc 0506 n"))
    assert refusals(state, "shoot A X")[0] == "AH14.missile"
    assert not [line for line in legal_lines(state) if line.startswith("shoot")]


@rule("AH14.missile", "AH8.engage")
def test_who_is_engaged_does_not_shoot() -> None:
    assert refusals(acting(battle("A archer 0508", "X orc 0507")), "shoot A X") == ["AH14.missile"]
    assert refusals(acting(battle("A archer 0508", "X orc 0506; Y orc 0409 sw")), "shoot A X") == []
    assert refusals(acting(battle("A archer 0508", "X orc 0506; Y orc 0408 ne")), "shoot A X") == [
        "AH14.missile"
    ]
    assert refusals(acting(battle("A archer 0508", "X orc 0507 n")), "shoot A X") == []  # next to it


@rule("AH14.missile", "AH16.rout")
def test_who_is_in_rout_does_not_shoot() -> None:
    assert refusals(acting(battle("A archer 0508 rout", "X orc 0506")), "shoot A X") == ["AH16.rout"]
    assert refusals(acting(battle("A archer 0508 shaken exhausted", "X orc 0506")), "shoot A X") == []


@rule("AH14.missile", "A.def.ammunition")
def test_who_has_spent_his_ammunition_does_not_shoot() -> None:
    assert refusals(acting(battle("A archer 0508 spent", "X orc 0506")), "shoot A X") == ["AH14.missile"]
    assert refusals(acting(battle("A archer 0508 diminished", "X orc 0506")), "shoot A X") == []


@rule("AH14.missile", "AH28.characters")
def test_only_enemy_troops_are_targets() -> None:
    state = acting(battle("A archer 0508; B spear 0507 gone; L leader 0507", "C leader 0506; X orc 0405"))
    assert refusals(state, "shoot A C") == ["AH28.characters"]
    assert refusals(state, "shoot A L") != []
    assert refusals(state, "shoot A nobody") != []
    assert refusals(state, "shoot A X") == []


@rule("AH14.missile", "AH4.activation")
def test_to_shoot_is_instead_of_moving() -> None:
    state = run(acting(battle("A archer 0508; B archer 0908", "X orc 0506")), "shoot A X", dice=[6, 5])
    assert marks(state, "A") == {"activated"}
    assert refusals(state, "move A") == refusals(state, "shoot A X") == ["A.def.activated"]


WEDGE = {
    1: {"0407", "0507"},
    2: {"0406", "0506", "0606"},
    3: {"0305", "0405", "0505", "0605"},
    4: {"0304", "0404", "0504", "0604", "0704"},
}


@rule("AH14.missile", "AH1.grid")
@pytest.mark.parametrize("reach", [0, 1, 2, 3, 4])
def test_the_wedge_of_the_front_as_far_as_the_range(reach: int) -> None:
    types = f"bow archer range={reach}"
    wanted = {hex_ for far, hexes in WEDGE.items() for hex_ in hexes if far <= reach}
    field = battle()
    for hex_ in field.roster.grid.names:
        if hex_ != "0508":
            state = battle("A bow 0508", f"X orc {hex_} n", types=types)
            assert (targets(state, 0) != []) == (hex_ in wanted), hex_


@rule("AH14.missile")
@pytest.mark.parametrize(
    ("corner", "seen", "unseen"),
    [
        ("ne", "0705", "0305"),
        ("se", "0708", "0504"),
        ("s", "0511", "0505"),
        ("sw", "0308", "0708"),
        ("nw", "0208", "0808"),
    ],
)
def test_the_wedge_turns_with_the_facing(corner: str, seen: str, unseen: str) -> None:
    assert refusals(acting(battle(f"A archer 0508 {corner}", f"X orc {seen} n")), "shoot A X") == []
    assert refusals(acting(battle(f"A archer 0508 {corner}", f"X orc {unseen} n")), "shoot A X") == [
        "AH14.missile"
    ]


@rule("AH14.missile")
@pytest.mark.parametrize(
    ("between", "free"),
    [
        ("B spear 0507", True),
        ("B spear 0407", True),
        ("B spear 0506", True),  # by 0507 and 0606
        ("B spear 0606", True),
        ("B spear 0506; D spear 0606", False),
        ("B spear 0506+0606", False),
        ("B spear 0407; D spear 0507", False),
        ("B spear 0407; D spear 0606", True),  # by 0507 and 0506
        ("B spear 0507; D spear 0506", False),
        ("L leader 0407; K leader 0507 wing=heron", True),
    ],
)
@pytest.mark.parametrize("side", ["league", "horde"])
def test_on_one_way_at_least_the_hexes_between_must_be_free_of_troops(
    between: str, free: bool, side: str
) -> None:
    """From 0508 to 0505, three hexes away: by 0407 and 0506, by 0507 and 0506 or by 0507 and 0606."""
    between = f"{between} n"
    theirs = between.replace("spear", "orc").replace("heron", "red")
    armies = (f"; {between}", "") if side == "league" else ("", f"; {theirs}")
    state = battle("A archer 0508" + armies[0], "X orc 0505 n" + armies[1])
    assert (index(state, "X") in targets(state, 0)) == free


@rule("AH14.missile", "AH29.stack_order")
def test_of_a_stack_the_foremost_troop_is_shot_at() -> None:
    state = acting(battle("A archer 0508", "C leader 0506; X orc 0506; Y orc 0506"))
    assert refusals(state, "shoot A X") == []
    assert refusals(state, "shoot A Y") == ["AH14.missile"]
    both = acting(battle("A archer 0508", "Y orc 0506; X orc 0506+0606 steps=4"))
    assert refusals(both, "shoot A X") == refusals(both, "shoot A Y") == []  # in 0606 it is foremost


@rule("AH14.missile")
def test_a_formation_shoots_from_both_its_hexes() -> None:
    wanted = {"0407", "0507", "0607", "0406", "0506", "0606", "0706"}
    for hex_ in battle().roster.grid.names:
        if hex_ not in ("0508", "0608"):
            state = battle("A bow 0508+0608", f"X orc {hex_} n", types="bow archer range=2")
            assert (targets(state, 0) != []) == (hex_ in wanted), hex_
    near = acting(battle("A archer 0508+0608", "X orc 0607 n"))
    assert refusals(near, "shoot A X") == []
    assert refusals(acting(battle("A archer 0508", "X orc 0607 n")), "shoot A X") == ["AH14.missile"]


# --- results -------------------------------------------------------------------------------------


@rule("AH14.missile", "AH19.capacity_names")
@pytest.mark.parametrize(("capacity", "total"), list(product(CAPACITIES, range(2, 13))))
def test_the_result_is_read_against_the_weapon_capacity(capacity: str, total: int) -> None:
    state = acting(
        battle("A bow 0508; B spear 0101", "X orc 0506 n", types=f"bow archer capacity={capacity}")
    )
    number = CAPACITIES[capacity]
    hit = total != 12 and (total <= number or total == 2)
    lost = int(hit and (total <= number - 4 or total == 2))
    play = do(state, "shoot A X", dice=(*pair(total), *((1, 1) if hit else ())))
    assert steps(play.state, "X") == 2 - lost
    assert [int(str(added)) for added in value(play, "event.steady", "added")] == ([lost + 1] if hit else [])
    assert value(play, "event.shot", "number") == [number]


@rule("AH14.missile")
def test_a_two_costs_a_step_whatever_is_added() -> None:
    """2 + 5 is above 6: in rain, at a formation in Tortoise."""
    types = "bow archer capacity=poor"
    state = battle("A bow 0508; B spear 0101", "X orc 0506+0606 mode=tortoise", weather="rain", types=types)
    assert steps(shot(state, 1, 1, 1, 1), "X") == 5
    assert steps(shot(state, 1, 2), "X") == 6


@rule("AH14.missile")
def test_the_result_takes_effect_at_once() -> None:
    state = shot(battle("A archer 0508; B archer 0708", "X orc 0506 steps=1"), 2, 1)
    assert place(state, "X") == "gone"
    state = shot(battle("A archer 0508; B archer 0708", "X orc 0506"), 3, 4, 5, 4)
    assert "shaken" in marks(state, "X")


@rule("AH14.missile", "AH17.losses")
def test_a_shot_can_break_a_formation() -> None:
    state = shot(battle("A archer 0508", "X orc 0506+0606 steps=3"), 1, 2)
    assert isinstance(decision(state), RemnantChoice)


@rule("AH14.missile", "AH12.cohesion")
@pytest.mark.parametrize(
    ("corner", "added"), [("s", 0), ("sw", 0), ("se", 1), ("nw", 1), ("n", 1), ("ne", 1)]
)
def test_a_shot_from_the_flank_or_the_rear_makes_the_test_harder(corner: str, added: int) -> None:
    """A stands two hexes to the south-west of X."""
    play = do(
        acting(battle("A archer 0508; B spear 0101", f"X orc 0606 {corner}")), "shoot A X", dice=[4, 3, 1, 1]
    )
    assert int(str(value(play, "event.steady", "added")[0])) == added


@rule("AH14.missile")
def test_it_is_told() -> None:
    play = do(acting(battle("A archer 0508; B spear 0101", "X orc 0506")), "shoot A X", dice=[6, 4])
    assert told(play) == [("AH14.missile", "event.shoots"), ("AH14.missile", "event.shot")]


# --- modifiers -----------------------------------------------------------------------------------

M = "AH14.missile"
ALONE: list[tuple[str, str, dict[str, str], Terms]] = [
    ("A archer 0508", "X orc 0506 n", {}, []),  # half the range
    ("A archer 0508", "X orc 0507 n", {}, []),
    ("A archer 0508", "X orc 0505 n", {}, [(M, 1)]),
    ("A archer 0508", "X orc 0504 n", {}, [(M, 1)]),
    ("A forester 0508", "X orc 0507 n", {}, []),  # a range of 3
    ("A forester 0508", "X orc 0506 n", {}, [(M, 1)]),
    ("A archer 0508 diminished", "X orc 0506", {}, [(M, 1)]),
    ("A archer 0508 winded", "X orc 0506", {}, [(M, 1)]),
    ("A archer 0508 exhausted", "X orc 0506", {}, []),
    ("A archer 0508 shaken", "X orc 0506", {}, []),
    ("A archer 0508", "X goblin 0506", {}, [(M, 1)]),
    ("A archer 0508", "X orc 0506", {"rough": "0506"}, [(M, 1)]),
    ("A archer 0508", "X orc 0506", {"difficult": "0506"}, [(M, 2)]),
    ("A archer 0508", "X orc 0506", {"rough": "0508 0507", "difficult": "0407"}, []),
    ("A archer 0508", "X orc 0506", {"weather": "rain"}, [(M, 2)]),
    ("A archer 0508", "X orc 0506", {"weather": "cloudy"}, []),
    ("A archer 0508", "X orc 0506", {"weather": "heat-wave"}, []),
    ("A archer 0508", "X orc 0506+0606", {}, [(M, -1)]),
    ("A archer 0508", "X orc 0506+0606", {"rough": "0606"}, [(M, 1), (M, -1)]),
    ("A archer 0508", "X orc 0506+0606 mode=tortoise", {}, [(M, -1), ("AH21.modes", 4)]),
    ("A archer 0508", "X orc 0506+0606 n mode=tortoise", {}, [(M, -1), ("AH21.modes", 4)]),
    ("A archer 0508", "X orc 0506+0606 mode=shield-wall", {}, [(M, -1), ("AH21.modes", 2)]),
    ("A archer 0508", "X orc 0506+0606 n mode=shield-wall", {}, [(M, -1)]),
    ("A archer 0508", "X orc 0506+0606 mode=hedgehog", {}, [(M, -1)]),
    ("A archer 0508", "X orc 0506+0606 mode=rank-rotation", {}, [(M, -1)]),
    ("A archer 0508", "X orc 0506", {"fire": "0508=start"}, [("AH22.fire", 1)]),
    ("A archer 0508", "X orc 0506", {"fire": "0506=start"}, []),
    ("A archer 0508", "X orc 0506 rout", {}, []),
    ("A archer 0508; L leader 0508", "X orc 0506", {}, []),
    ("A archer 0508", "X orc 0506", {"stakes": "0506=s"}, []),
]


@rule("AH14.missile", "AH21.modes", "AH22.fire")
@pytest.mark.parametrize(
    ("league", "horde", "map_", "wanted"), ALONE, ids=[f"{a}-{b}-{c}" for a, b, c, _ in ALONE]
)
def test_each_modifier_alone(league: str, horde: str, map_: dict[str, str], wanted: Terms) -> None:
    state = acting(battle(f"{league}; B spear 0101", horde, **map_))
    assert refusals(state, "shoot A X") == []
    assert terms(state, "shoot A X") == wanted
    play = do(state, "shoot A X", dice=[6, 6])
    assert [int(str(added)) for added in value(play, "event.shot", "added")] == [sum(n for _, n in wanted)]


@rule("AH14.missile")
def test_modifiers_count_in_the_result() -> None:
    """Archers (7) at a target three hexes away, in rain: 2 + 1."""
    state = battle("A archer 0508", "X orc 0505", weather="rain")
    assert marks(shot(state, 2, 3), "X") == set()  # 5 + 3 is above 7
    assert "shaken" in marks(shot(state, 1, 3, 6, 5), "X")  # 7 is not


# --- ammunition ----------------------------------------------------------------------------------


@rule("AH14.missile", "A.def.ammunition")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(("was", "then"), [("full", "diminished"), ("diminished", "spent")])
def test_a_high_double_costs_ammunition(face: int, was: str, then: str) -> None:
    hit = face <= 3
    state = battle(f"A archer 0508 {was}; B spear 0101", "X orc 0506")
    after = shot(state, face, face, *((1, 1) if hit else ()))
    wanted = then if face >= 4 else was
    assert marks(after, "A") - {"activated"} == ({wanted} if wanted != "full" else set())


@rule("AH14.missile")
def test_other_dice_cost_none_even_if_they_are_high() -> None:
    assert marks(shot(battle("A archer 0508; B spear 0101", "X orc 0506"), 6, 5), "A") == {"activated"}


@rule("A.def.ammunition")
def test_the_markers_of_ammunition_are_shown() -> None:
    for mark in ("diminished", "spent"):
        state = battle(f"A archer 0508 {mark}")
        assert FORMATIONS.scene(state, 0, "en").pieces[0].states == (mark,)
    assert FORMATIONS.scene(battle("A archer 0508"), 0, "en").pieces[0].states == ()
