"""11 Manipulation, 12 Set fire, 13 Put out a fire, 14 Plant and 15 Remove stakes."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.formations.manipulation import (
    Douse,
    Manipulation,
    PlantStakes,
    RemoveStakes,
    SetFire,
    Work,
)
from legatus.games.formations.state import FormationsState
from legatus.parts.hexes import CORNERS
from tests.rules import rule

from .stage import acting, battle, do, fire, marks, place, refusals, stakes, steps, terms, told, totals

HERE = "0505"
CAPACITIES = {"exceptional": 10, "superior": 9, "ordinary": 8, "mediocre": 7, "poor": 6}
# What must be in 0505 so that a unit there can do it.
NEEDS: dict[str, dict[str, str]] = {
    "work": {"devices": "winch 0505"},
    "set-fire": {"inflammable": HERE},
    "douse": {"fire": f"{HERE}=start"},
    "plant-stakes": {},
    "remove-stakes": {"stakes": f"{HERE}=n"},
}
DONE = {  # whether the manipulation in 0505 has succeeded
    "work": lambda state: state.worked[0] == 0,
    "set-fire": lambda state: fire(state, HERE) == "start",
    "douse": lambda state: fire(state, HERE) == "none",
    "plant-stakes": lambda state: stakes(state, HERE) != "",
    "remove-stakes": lambda state: stakes(state, HERE) == "",
}
WEATHERS = ("heat-wave", "fair", "cloudy", "rain")
GROUNDS = ("clear", "rough", "difficult")


def one(verb: str, words: str, foes: str = "", **more: Any) -> FormationsState:
    """The wing of the boar acts, and 0505 has what the manipulation needs."""
    return acting(battle(words, foes, **{**NEEDS[verb], **more}))


def said(verb: str, words: str) -> str:
    """What A is told to do; a character names the facing of his stakes."""
    corner = " n" if verb == "plant-stakes" and words.split()[1] in ("leader", "chief") else ""
    return f"{verb} A{corner}"


def under(number: int) -> set[int]:
    """The totals that succeed: a natural 2 always and a natural 12 never."""
    return {2, *range(3, min(number, 11) + 1)}


def worked(state: FormationsState) -> bool:
    return state.worked[0] == 0


# --- 11 what all of them have in common ----------------------------------------------------------


@rule("A.manipulate.c3", "A.set_fire.p1", "A.douse.p1", "A.plant_stakes.p1", "A.remove_stakes.p1")
def test_all_five_are_manipulations() -> None:
    for kind in (Work, SetFire, Douse, PlantStakes, RemoveStakes):
        assert issubclass(kind, Manipulation)
        assert kind.carry_out is Manipulation.carry_out


@rule("A.manipulate.c1", "A.def.kinds", "AH28.characters")
@pytest.mark.parametrize("verb", NEEDS)
@pytest.mark.parametrize(
    "unit",
    ["A spear 0505", "A goblin 0505 steps=1 spent", "A leader 0505", "A chief 0505", "A troll 0505 flying"],
)
def test_who_can_do_a_manipulation(verb: str, unit: str) -> None:
    state = one(verb, f"{unit}; B spear 1111")
    assert refusals(state, said(verb, unit)) == []
    assert DONE[verb](do(state, said(verb, unit), [1, 1]).state)


@rule("A.manipulate.c1", "A.def.engaged")
@pytest.mark.parametrize("verb", NEEDS)
def test_an_engaged_unit_can_do_a_manipulation(verb: str) -> None:
    assert refusals(one(verb, "A spear 0505", "X orc 0504 contact; Y orc 0604"), f"{verb} A") == []


@rule("A.manipulate.c1", "A.def.cohesion", "A.def.fatigue")
@pytest.mark.parametrize("verb", NEEDS)
@pytest.mark.parametrize("words", ["shaken", "winded", "exhausted", "shaken winded"])
def test_who_is_shaken_or_tired_cannot(verb: str, words: str) -> None:
    assert refusals(one(verb, f"A spear 0505 {words}"), f"{verb} A") == ["A.manipulate.c1"]


@rule("A.manipulate.c1", "AH16.rout")
@pytest.mark.parametrize("verb", NEEDS)
def test_nor_can_who_is_in_rout(verb: str) -> None:
    """In Rout is worse than Shaken, and forbids the action by itself too."""
    assert refusals(one(verb, "A spear 0505 rout"), f"{verb} A") == ["AH16.rout", "A.manipulate.c1"]


@rule("A.manipulate.c2", "A.def.kinds")
@pytest.mark.parametrize("verb", NEEDS)
@pytest.mark.parametrize("other", ["0605", "0405"])
def test_formations_do_no_manipulations(verb: str, other: str) -> None:
    """Whether 0505 is the left or the right one of its hexes."""
    assert refusals(one(verb, f"A spear 0505+{other}"), f"{verb} A") == ["A.manipulate.c2"]


@rule("A.manipulate.c2", "A.manipulate.c3", "AH31.devices", "AH22.fire", "A.douse.c2")
def test_a_formation_is_told_what_is_wrong_with_both_its_hexes() -> None:
    nothing = {"work": ["A.manipulate.c3"], "remove-stakes": ["A.remove_stakes.c1"], "plant-stakes": []}
    bare = {**nothing, "douse": ["A.douse.c1"], "set-fire": ["A.set_fire.c1"]}
    ablaze = {**nothing, "douse": ["A.douse.c2"], "set-fire": ["AH22.fire"]}
    for verb in bare:
        state = acting(battle("A spear 0505+0605"))
        assert refusals(state, f"{verb} A") == ["A.manipulate.c2", *bare[verb]]
        state = acting(battle("A spear 0505+0605", fire="0605=blaze", inflammable="0605"))
        assert refusals(state, f"{verb} A") == ["A.manipulate.c2", *ablaze[verb]]
    for half in ({"indoor": "0605"}, {"stakes": "0605=n"}):
        state = acting(battle("A spear 0505+0605", **half))
        clause = "A.plant_stakes.c1" if "indoor" in half else "A.plant_stakes.p3"
        assert refusals(state, "plant-stakes A") == ["A.manipulate.c2", clause]


@rule("A.manipulate.c3")
def test_only_what_is_in_ones_own_hex_can_be_worked() -> None:
    for cell in ("0605", "0504", "0506"):
        state = one("work", f"A spear {cell}; L leader {cell}")
        assert refusals(state, "work A") == ["A.manipulate.c3"]
        assert refusals(state, "work L") == ["A.manipulate.c3"]


@rule("A.manipulate.p1", "A.manipulate.p2", "A.def.weapon_capacity", "AH19.capacity_names")
@pytest.mark.parametrize("capacity", CAPACITIES)
@pytest.mark.parametrize("difficulty", range(9))
def test_the_weapon_capacity_decides(capacity: str, difficulty: int) -> None:
    state = one(
        "work",
        "A t 0505",
        types=f"t spear capacity={capacity}",
        devices=f"winch 0505 difficulty={difficulty}",
    )
    assert totals(state, "work A", worked) == under(CAPACITIES[capacity] - difficulty)
    assert terms(state, "work A") == [("A.manipulate.m4", difficulty)]


@rule("A.manipulate.p3")
@pytest.mark.parametrize("verb", NEEDS)
def test_a_natural_2_always_succeeds(verb: str) -> None:
    more = {"types": "t wolf capacity=poor small", "weather": "rain" if verb == "set-fire" else "heat-wave"}
    if verb == "work":
        more["devices"] = "winch 0505 difficulty=8"
    ground = {"difficult": HERE} if verb.endswith("stakes") else {}
    state = one(verb, "A t 0505", **more, **ground)
    assert 2 + sum(value for _, value in terms(state, f"{verb} A")) > 6
    assert DONE[verb](do(state, f"{verb} A", [1, 1]).state)
    assert not DONE[verb](do(state, f"{verb} A", [1, 2]).state)


@rule("A.manipulate.p4")
@pytest.mark.parametrize("verb", NEEDS)
def test_a_natural_12_always_fails(verb: str) -> None:
    more = {"weather": "heat-wave" if verb == "set-fire" else "rain"}
    state = one(verb, "A drake 0505", **more)
    assert 12 + sum(value for _, value in terms(state, f"{verb} A")) <= 10
    assert not DONE[verb](do(state, f"{verb} A", [6, 6]).state)
    assert DONE[verb](do(state, f"{verb} A", [6, 5]).state)


FAILURES = {
    "work": "A.manipulate.p6",
    "set-fire": "A.set_fire.p4",
    "douse": "A.douse.p4",
    "plant-stakes": "A.plant_stakes.p5",
    "remove-stakes": "A.remove_stakes.p4",
}
SUCCESSES = {
    "work": ("AH31.devices", "event.works"),
    "set-fire": ("A.set_fire.p3", "event.sets_fire"),
    "douse": ("A.douse.p3", "event.douses"),
    "plant-stakes": ("A.plant_stakes.p3", "event.plants"),
    "remove-stakes": ("A.remove_stakes.p3", "event.unplants"),
}


@rule("A.manipulate.p5", "A.def.activated")
@pytest.mark.parametrize("verb", NEEDS)
@pytest.mark.parametrize("unit", ["A spear 0505 spent ordered", "A leader 0505"])
def test_a_success_has_its_effect_and_the_unit_is_activated(verb: str, unit: str) -> None:
    state = one(verb, unit)
    play = do(state, said(verb, unit), [1, 1])
    assert DONE[verb](play.state)
    assert marks(play.state, "A") == marks(state, "A") | {"activated"}
    assert told(play) == [("A.manipulate.p5", "event.passes"), SUCCESSES[verb]]


@rule(
    "A.manipulate.p6",
    "A.set_fire.p4",
    "A.douse.p4",
    "A.plant_stakes.p5",
    "A.remove_stakes.p4",
    "A.def.activated",
)
@pytest.mark.parametrize("verb", NEEDS)
@pytest.mark.parametrize("unit", ["A spear 0505 spent ordered", "A leader 0505"])
def test_a_failure_changes_nothing_but_activates_the_unit(verb: str, unit: str) -> None:
    state = one(verb, unit)
    play = do(state, said(verb, unit), [6, 6])
    after = play.state
    assert not DONE[verb](after)
    assert (after.fire, after.stakes, after.worked) == (state.fire, state.stakes, state.worked)
    assert marks(after, "A") == marks(state, "A") | {"activated"}
    assert (steps(after, "A"), place(after, "A")) == (steps(state, "A"), HERE)
    assert told(play) == [(FAILURES[verb], "event.fails_test")]


MODIFIERS = [
    ("A t 0505", "", []),
    ("A t 0505", "weapon=monstrous", [("A.manipulate.m1", -2)]),
    ("A t 0505", "weapon=dragon", [("A.manipulate.m2", -4)]),
    ("A t 0505", "weapon=bestial", [("A.manipulate.m3", 2)]),
    ("A t 0505", "small", [("A.manipulate.m5", 2)]),
    ("A t 0505; B orc 0505", "", [("A.manipulate.m6", 1)]),
    ("B orc 0505 activated rout; A t 0505", "", [("A.manipulate.m6", 1)]),
    ("A t 0505 steps=1; B orc 0505; C archer 0505", "", [("A.manipulate.m6", 2)]),
    ("A t 0505; B orc 0505 steps=1; C orc 0505 steps=1; D orc 0505 steps=1", "", [("A.manipulate.m6", 3)]),
    ("A t 0505; F orc 0405+0505 steps=3", "", [("A.manipulate.m6", 1)]),
    ("A t 0505; B goblin 0505; C forester 0505; L leader 0505; M chief 0505", "", []),
    ("A t 0505; B orc 0505; C goblin 0505", "", [("A.manipulate.m6", 1)]),
    ("A t 0505; B orc 0605; C orc 0405", "", []),
    ("A t 0505; B orc 0505", "small", [("A.manipulate.m5", 2)]),  # a small one among large ones
    ("A t 0505", "weapon=monstrous small", [("A.manipulate.m1", -2), ("A.manipulate.m5", 2)]),
    ("A t 0505; B orc 0505", "weapon=dragon", [("A.manipulate.m2", -4), ("A.manipulate.m6", 1)]),
    ("A t 0505", "weapon=bestial small", [("A.manipulate.m3", 2), ("A.manipulate.m5", 2)]),
    ("A t 0505; B orc 0505", "weapon=bestial", [("A.manipulate.m3", 2), ("A.manipulate.m6", 1)]),
]


@rule(
    "A.manipulate.m1",
    "A.manipulate.m2",
    "A.manipulate.m3",
    "A.manipulate.m4",
    "A.manipulate.m5",
    "A.manipulate.m6",
    "A.def.weapon_class",
    "A.def.size",
    "A.def.stacked",
)
@pytest.mark.parametrize(("words", "kind", "added"), MODIFIERS)
@pytest.mark.parametrize("difficulty", [0, 3])
def test_every_modifier(words: str, kind: str, added: list[tuple[str, int]], difficulty: int) -> None:
    state = one("work", words, types=f"t spear {kind}", devices=f"winch 0505 difficulty={difficulty}")
    assert sorted(terms(state, "work A")) == sorted([("A.manipulate.m4", difficulty), *added])
    number = 8 - difficulty - sum(value for _, value in added)
    assert totals(state, "work A", worked) == under(number)


@rule("A.manipulate.m5", "A.manipulate.p2", "AH28.characters")
def test_a_character_is_small_and_of_superior_capacity() -> None:
    """Large units in his hex do not matter to him."""
    state = one("work", "L leader 0505; A spear 0505; B spear 0505", devices="winch 0505 difficulty=1")
    assert sorted(terms(state, "work L")) == [("A.manipulate.m4", 1), ("A.manipulate.m5", 2)]
    assert totals(state, "work L", worked) == under(6)


@rule("A.manipulate.m1", "AH22.fire")
def test_a_fire_start_does_not_make_manipulations_harder() -> None:
    state = one("work", "A spear 0505", fire="0505=start", weather="heat-wave")
    assert totals(state, "work A", worked) == under(8)


# --- devices -------------------------------------------------------------------------------------


@rule("AH31.devices", "A.manipulate.c3")
def test_a_device_counts_for_who_worked_it_last() -> None:
    state = one("work", "A spear 0505; B spear 1111", devices="winch 0405; bell 0505 difficulty=2")
    assert state.worked == [-1, -1]
    after = do(state, "work A", [1, 5]).state
    assert after.worked == [-1, 0]
    state.worked[1] = 1
    assert do(state, "work A", [1, 5]).state.worked == [-1, 0]
    state.worked[1] = 0
    assert refusals(state, "work A") == ["AH31.devices"]
    assert refusals(do(one("work", "A spear 0505; B spear 0505"), "work A", [1, 1]).state, "work B") == [
        "AH31.devices"
    ]


@rule("A.manipulate.c1", "A.manipulate.c2", "A.manipulate.c3", "A.def.sheet")
def test_work_tells_every_condition_that_fails() -> None:
    state = acting(battle("A spear 0505+0605 shaken"))
    assert refusals(state, "work A") == ["A.manipulate.c1", "A.manipulate.c2", "A.manipulate.c3"]


# --- 12 set fire, 13 douse -----------------------------------------------------------------------


@rule("A.set_fire.option", "A.douse.option")
def test_without_the_option_nobody_sets_fire_or_puts_it_out() -> None:
    for off in ("fire", "fire stakes"):
        assert refusals(one("set-fire", "A spear 0505", without=off), "set-fire A") == ["A.set_fire.option"]
        assert refusals(one("douse", "A spear 0505", without=off), "douse A") == ["A.douse.option"]
    assert refusals(one("set-fire", "A spear 0505", without="stakes"), "set-fire A") == []
    assert refusals(one("douse", "A spear 0505", without="stakes"), "douse A") == []


@rule("A.set_fire.c1", "A.def.terrain")
@pytest.mark.parametrize("more", [{}, {"difficult": HERE}, {"inflammable": "0605 0504 0506"}])
def test_fire_is_set_in_an_inflammable_hex_only(more: dict[str, str]) -> None:
    assert refusals(acting(battle("A spear 0505", **more)), "set-fire A") == ["A.set_fire.c1"]


@rule("A.set_fire.c1", "AH22.fire")
@pytest.mark.parametrize("kind", ["start", "blaze", "new"])
def test_what_burns_is_not_set_on_fire(kind: str) -> None:
    state = one("set-fire", "A leader 0505", fire=f"0505={kind}")
    assert refusals(state, "set-fire A") == ["AH22.fire"]


@rule("A.set_fire.p1", "A.set_fire.p2", "A.def.weather", "A.manipulate.m4")
@pytest.mark.parametrize("capacity", CAPACITIES)
@pytest.mark.parametrize(("weather", "difficulty"), list(zip(WEATHERS, (2, 3, 4, 6), strict=True)))
def test_how_hard_it_is_to_set_fire(weather: str, difficulty: int, capacity: str) -> None:
    kind = f"t spear capacity={capacity}"
    for ground in ({}, {"rough": HERE}, {"difficult": HERE}):
        state = one("set-fire", "A t 0505", types=kind, weather=weather, **ground)
        assert terms(state, "set-fire A") == [("A.set_fire.p2", difficulty)]
    assert totals(state, "set-fire A", DONE["set-fire"]) == under(CAPACITIES[capacity] - difficulty)


@rule("A.set_fire.p3", "A.def.fire_stakes")
def test_a_hex_set_on_fire_has_a_fire_start() -> None:
    state = one("set-fire", "A spear 0505", inflammable="0505 0605 0504")
    after = do(state, "set-fire A", [2, 3]).state
    assert (fire(after, HERE), after.fire.count(0)) == ("start", len(after.fire) - 1)


@rule("A.set_fire.p1", "A.set_fire.option", "A.set_fire.c1", "A.manipulate.c1", "A.manipulate.c2")
def test_setting_fire_tells_every_condition_that_fails() -> None:
    state = acting(battle("A spear 0505+0605 winded", fire="0505=start", without="fire"))
    clauses = ["A.set_fire.option", "A.manipulate.c1", "A.manipulate.c2", "A.set_fire.c1", "AH22.fire"]
    assert refusals(state, "set-fire A") == clauses


@rule("A.douse.c1", "A.def.fire_stakes")
def test_there_must_be_a_fire_start_in_the_hex() -> None:
    state = acting(battle("A spear 0505", fire="0605=start 0504=start 0506=blaze"))
    assert refusals(state, "douse A") == ["A.douse.c1"]


@rule("A.douse.c2", "A.def.fire_stakes")
@pytest.mark.parametrize("kind", ["blaze", "new"])
def test_a_blaze_cannot_be_put_out(kind: str) -> None:
    """Only characters are seen in a blaze.  That it is no fire start any more is not told as well."""
    assert refusals(acting(battle("L leader 0505", fire=f"0505={kind}")), "douse L") == ["A.douse.c2"]


@rule("A.douse.p1", "A.douse.p2", "A.def.weather", "A.manipulate.m4")
@pytest.mark.parametrize("capacity", CAPACITIES)
@pytest.mark.parametrize(("weather", "difficulty"), list(zip(WEATHERS, (4, 3, 2, 0), strict=True)))
def test_how_hard_it_is_to_put_out_a_fire(weather: str, difficulty: int, capacity: str) -> None:
    kind = f"t spear capacity={capacity}"
    for ground in ({}, {"rough": HERE}, {"difficult": HERE, "inflammable": HERE}):
        state = one("douse", "A t 0505", types=kind, weather=weather, **ground)
        assert terms(state, "douse A") == [("A.douse.p2", difficulty)]
    assert totals(state, "douse A", DONE["douse"]) == under(CAPACITIES[capacity] - difficulty)


@rule("A.douse.p3")
def test_the_fire_start_goes() -> None:
    state = one("douse", "A spear 0505", fire="0505=start 0605=start 0504=blaze")
    after = do(state, "douse A", [2, 3]).state
    assert [fire(after, cell) for cell in (HERE, "0605", "0504")] == ["none", "start", "blaze"]


@rule("A.douse.p1", "A.douse.option", "A.douse.c1", "A.douse.c2", "A.manipulate.c1", "A.manipulate.c2")
def test_putting_out_a_fire_tells_every_condition_that_fails() -> None:
    state = acting(battle("A spear 0505+0605 winded", without="fire"))
    common = ["A.douse.option", "A.manipulate.c1", "A.manipulate.c2"]
    assert refusals(state, "douse A") == [*common, "A.douse.c1"]
    state = acting(battle("A spear 0505+0605 winded", fire="0505=blaze", without="fire"))
    assert refusals(state, "douse A") == [*common, "A.douse.c2"]


# --- 14 plant stakes, 15 remove stakes -----------------------------------------------------------


@rule("A.plant_stakes.option", "A.remove_stakes.option")
def test_without_the_option_there_are_no_stakes() -> None:
    for off in ("stakes", "fire stakes"):
        state = one("plant-stakes", "A spear 0505", without=off)
        assert refusals(state, "plant-stakes A") == ["A.plant_stakes.option"]
        state = one("remove-stakes", "A spear 0505", without=off)
        assert refusals(state, "remove-stakes A") == ["A.remove_stakes.option"]
    assert refusals(one("plant-stakes", "A spear 0505", without="fire"), "plant-stakes A") == []
    assert refusals(one("remove-stakes", "A spear 0505", without="fire"), "remove-stakes A") == []


@rule("A.plant_stakes.c1", "A.def.terrain")
def test_stakes_are_planted_outdoors_only() -> None:
    assert refusals(one("plant-stakes", "A spear 0505", indoor=HERE), "plant-stakes A") == [
        "A.plant_stakes.c1"
    ]
    assert refusals(one("plant-stakes", "A spear 0505", indoor="0605 0504"), "plant-stakes A") == []


@rule("A.plant_stakes.p3")
@pytest.mark.parametrize("corner", CORNERS)
def test_a_hex_has_one_stake_marker_at_most(corner: str) -> None:
    state = one("plant-stakes", "A spear 0505", stakes=f"0505={corner}")
    assert refusals(state, "plant-stakes A") == ["A.plant_stakes.p3"]


@rule("A.plant_stakes.p1", "A.plant_stakes.p2", "A.def.terrain", "A.manipulate.m4")
@pytest.mark.parametrize("capacity", CAPACITIES)
@pytest.mark.parametrize(("ground", "difficulty"), list(zip(GROUNDS, (2, 3, 4), strict=True)))
def test_how_hard_it_is_to_plant_stakes(ground: str, difficulty: int, capacity: str) -> None:
    more = {} if ground == "clear" else {ground: HERE}
    for weather in WEATHERS:
        kind = f"t spear capacity={capacity}"
        state = one("plant-stakes", "A t 0505", types=kind, weather=weather, **more)
        assert terms(state, "plant-stakes A") == [("A.plant_stakes.p2", difficulty)]
    assert totals(state, "plant-stakes A", DONE["plant-stakes"]) == under(CAPACITIES[capacity] - difficulty)


@rule("A.plant_stakes.p3", "A.plant_stakes.p4", "A.def.orientation", "A.def.fire_stakes")
@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("kind", ["spear", "goblin"])
def test_the_marker_is_turned_as_the_unit_is(corner: str, kind: str) -> None:
    after = do(one("plant-stakes", f"A {kind} 0505 {corner}"), "plant-stakes A", [1, 1]).state
    assert (stakes(after, HERE), after.stakes.count(-1)) == (corner, len(after.stakes) - 1)


@rule("A.plant_stakes.p4", "A.def.orientation", "AH28.characters")
@pytest.mark.parametrize("corner", CORNERS)
def test_a_character_chooses_the_facing_of_his_stakes_and_a_troop_does_not(corner: str) -> None:
    for words in ("A leader 0505", "A chief 0505; B spear 1111"):
        after = do(one("plant-stakes", words), f"plant-stakes A {corner}", [1, 1]).state
        assert stakes(after, HERE) == corner
        for line in ("plant-stakes A up", "plant-stakes A"):
            assert refusals(one("plant-stakes", words), line) == ["A.plant_stakes.p4"]
    state = one("plant-stakes", "A spear 0505 n")
    assert refusals(state, f"plant-stakes A {corner}") == ["A.plant_stakes.p4"]


@rule("A.plant_stakes.p1", "A.plant_stakes.option", "A.plant_stakes.c1", "A.manipulate.c1", "A.manipulate.c2")
def test_planting_stakes_tells_every_condition_that_fails() -> None:
    state = acting(battle("A spear 0505+0605 shaken", stakes="0505=n", indoor=HERE, without="stakes"))
    common = ["A.plant_stakes.option", "A.manipulate.c1", "A.manipulate.c2"]
    assert refusals(state, "plant-stakes A") == [*common, "A.plant_stakes.c1", "A.plant_stakes.p3"]


@rule("A.remove_stakes.c1")
def test_there_must_be_stakes_in_the_hex() -> None:
    state = acting(battle("A spear 0505", stakes="0605=n 0504=s"))
    assert refusals(state, "remove-stakes A") == ["A.remove_stakes.c1"]


@rule("A.remove_stakes.c1", "A.remove_stakes.p3")
@pytest.mark.parametrize("corner", CORNERS)
def test_all_stakes_can_be_removed_whoever_planted_them_and_even_indoors(corner: str) -> None:
    state = one("remove-stakes", "A spear 0505", stakes=f"0505={corner} 0605=n", indoor=HERE)
    after = do(state, "remove-stakes A", [3, 3]).state
    assert (stakes(after, HERE), stakes(after, "0605")) == ("", "n")


@rule("A.remove_stakes.p1", "A.remove_stakes.p2", "A.def.terrain", "A.manipulate.m4")
@pytest.mark.parametrize("capacity", CAPACITIES)
@pytest.mark.parametrize(("ground", "difficulty"), list(zip(GROUNDS, (0, 1, 2), strict=True)))
def test_how_hard_it_is_to_remove_stakes(ground: str, difficulty: int, capacity: str) -> None:
    more = {} if ground == "clear" else {ground: HERE}
    for weather in WEATHERS:
        kind = f"t spear capacity={capacity}"
        state = one("remove-stakes", "A t 0505", types=kind, weather=weather, **more)
        assert terms(state, "remove-stakes A") == [("A.remove_stakes.p2", difficulty)]
    assert totals(state, "remove-stakes A", DONE["remove-stakes"]) == under(CAPACITIES[capacity] - difficulty)


@rule(
    "A.remove_stakes.p1", "A.remove_stakes.option", "A.remove_stakes.c1", "A.manipulate.c1", "A.manipulate.c2"
)
def test_removing_stakes_tells_every_condition_that_fails() -> None:
    state = acting(battle("A spear 0505+0605 exhausted", without="stakes"))
    common = ["A.remove_stakes.option", "A.manipulate.c1", "A.manipulate.c2"]
    assert refusals(state, "remove-stakes A") == [*common, "A.remove_stakes.c1"]


@rule(
    "A.manipulate.m1",
    "A.manipulate.m5",
    "A.manipulate.m6",
    "A.set_fire.p1",
    "A.douse.p1",
    "A.plant_stakes.p1",
    "A.remove_stakes.p1",
)
@pytest.mark.parametrize("verb", NEEDS)
@pytest.mark.parametrize(("words", "kind", "added"), MODIFIERS)
def test_the_modifiers_are_those_of_every_manipulation(
    verb: str, words: str, kind: str, added: list[tuple[str, int]]
) -> None:
    state = one(verb, words, types=f"t spear {kind}")
    found = terms(state, f"{verb} A")
    (own,) = (term for term in found if term not in added)
    assert sorted(found) == sorted([own, *added])
    assert totals(state, f"{verb} A", DONE[verb]) == under(8 - sum(value for _, value in found))
