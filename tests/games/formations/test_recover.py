"""1 Rest, 2 Reorganisation, 3 Rally, 4 Reload."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.formations.state import FormationsState
from legatus.parts.hexes import CORNERS
from tests.rules import rule

from .stage import acting, battle, do, facing, marks, place, refusals, steps, terms, told, totals

ENGAGER = "X orc 0504"  # before 0505, and faces it
BESIDE = "X orc 0504 n"  # adjacent, but faces away
NEAR3, NEAR4, NEAR5 = "0502", "0501", "0500"  # hexes so far from 0505
LEADER2, LEADER4, LEADER5 = "0507", "0509", "0510"


def under(number: int) -> set[int]:
    """The totals that pass a test where a natural 2 passes and a natural 12 fails."""
    return {2, *range(3, min(number, 11) + 1)}


def one(words: str, foes: str = "", **more: Any) -> FormationsState:
    """The wing of the boar acts; the unit of the test is A, and it stands in 0505."""
    return acting(battle(words, foes, **more))


# --- 1 rest --------------------------------------------------------------------------------------


@rule("A.rest.c1", "A.def.fatigue")
@pytest.mark.parametrize("words", ["winded", "exhausted", "winded shaken", "exhausted rout", "winded spent"])
def test_who_is_winded_or_exhausted_can_rest(words: str) -> None:
    assert refusals(one(f"A spear 0505 {words}"), "rest A") == []


@rule("A.rest.c1", "A.def.fatigue")
@pytest.mark.parametrize("unit", ["A spear 0505", "A spear 0505+0605", "A spear 0505 rout", "A leader 0505"])
def test_who_is_fresh_cannot_rest(unit: str) -> None:
    assert refusals(one(unit), "rest A") == ["A.rest.c1"]


@rule("A.rest.c2", "A.def.engaged")
def test_who_is_engaged_cannot_rest() -> None:
    assert refusals(one("A spear 0505 winded", ENGAGER), "rest A") == ["A.rest.c2"]
    assert refusals(one("A spear 0505+0605 winded", "X orc 0704"), "rest A") == ["A.rest.c2"]


@rule("A.rest.c2", "A.def.engaged")
@pytest.mark.parametrize(
    "foes", [BESIDE, f"{ENGAGER} rout", f"{ENGAGER} flying", "X leader 0504", "X orc 0506"]
)
def test_an_enemy_that_is_only_adjacent_does_not_keep_a_unit_from_resting(foes: str) -> None:
    assert refusals(one("A spear 0505 winded", foes), "rest A") == []


@rule("A.rest.c1", "A.rest.c2", "A.def.sheet")
def test_rest_tells_every_condition_that_fails() -> None:
    assert refusals(one("A spear 0505", ENGAGER), "rest A") == ["A.rest.c1", "A.rest.c2"]


def rested(state: FormationsState) -> bool:
    return not marks(state, "A") & {"winded", "exhausted"}


@rule("A.rest.p1", "AH13.tests", "A.def.weather")
@pytest.mark.parametrize(
    ("words", "foes", "more", "number"),
    [
        ("A spear 0505 winded", "", {}, 8),
        ("A guard 0505 winded", "", {}, 8),
        ("A goblin 0505 winded", "", {}, 8),
        ("A spear 0505+0605 winded", "", {}, 8),
        ("A spear 0505 winded shaken", "", {}, 8),
        ("A spear 0505 winded rout", "", {}, 8),
        ("A spear 0505 winded ordered", "", {}, 8),
        ("A spear 0505 winded", "", {"weather": "heat-wave"}, 7),
        ("A spear 0505 winded", "", {"weather": "cloudy"}, 8),
        ("A spear 0505 winded", "", {"weather": "rain"}, 8),
        ("A spear 0505 winded", f"X orc {NEAR3}", {}, 7),
        ("A spear 0505 winded", f"X orc {NEAR3} rout", {}, 7),
        ("A spear 0505 winded", f"X orc {NEAR3}; Y orc 0202; Z orc 0602", {}, 7),
        ("A spear 0505 winded", f"X leader {NEAR3}", {}, 8),
        ("A spear 0505 winded", f"X orc {NEAR4}", {}, 8),
        (f"A spear 0505 winded; L leader {LEADER4}", "", {"instructions": "boar=regroup"}, 9),
        (f"A spear 0505 winded; L leader {LEADER5}", "", {"instructions": "boar=regroup"}, 8),
        (f"A spear 0505 winded rout; L leader {LEADER4}", "", {"instructions": "boar=regroup"}, 8),
        (f"A spear 0505 winded moved; L leader {LEADER4}", "", {"instructions": "boar=regroup"}, 8),
        (f"A spear 0505 winded; L leader {LEADER4}", "", {"instructions": "boar=hold"}, 8),
        (f"A spear 0505 winded; L leader {LEADER4}", "", {"instructions": "heron=regroup"}, 8),
        (f"A spear 0505 winded; L leader {LEADER2}; M chief 0505", "", {}, 8),
        ("A spear 0505 winded", "", {"fire": "0505=start"}, 7),
        ("A spear 0505+0605 winded", "", {"fire": "0605=start"}, 7),
        ("A spear 0505 winded", f"X orc {NEAR3}", {"fire": "0505=start", "weather": "heat-wave"}, 5),
        (
            f"A spear 0505 winded; L leader {LEADER4}",
            f"X orc {NEAR3}",
            {"fire": "0505=start", "weather": "heat-wave", "instructions": "boar=regroup"},
            6,
        ),
    ],
)
def test_the_rest_test(words: str, foes: str, more: dict[str, Any], number: int) -> None:
    state = one(words, foes, **more)
    assert totals(state, "rest A", rested) == under(number)
    assert sum(value for _, value in terms(state, "rest A")) == 8 - number


@rule("A.rest.p1", "AH13.tests")
def test_exhaustion_makes_rest_harder() -> None:
    state = one("A spear 0505 exhausted")
    assert totals(state, "rest A", lambda after: "exhausted" not in marks(after, "A")) == under(7)
    state = one("A spear 0505 exhausted", f"X orc {NEAR3}", weather="heat-wave", fire="0505=start")
    assert totals(state, "rest A", lambda after: "exhausted" not in marks(after, "A")) == under(4)
    assert sorted(terms(state, "rest A")) == [("AH13.tests", 1)] * 3 + [("AH22.fire", 1)]


@rule("A.rest.p2", "A.def.fatigue")
@pytest.mark.parametrize(("words", "left"), [("winded", set()), ("exhausted", {"winded"})])
def test_rest_improves_fatigue_by_one_level(words: str, left: set[str]) -> None:
    state = one(f"A spear 0505 {words} shaken spent")
    play = do(state, "rest A", [1, 3])
    assert marks(play.state, "A") == {*left, "shaken", "spent", "activated"}
    assert told(play) == [("A.rest.p1", "event.passes"), ("A.rest.p2", "event.rests")]
    play = do(state, "rest A", [6, 5])
    assert marks(play.state, "A") == {words, "shaken", "spent", "activated"}
    assert told(play) == [("A.rest.p1", "event.fails_test")]


@rule("A.rest.p3", "A.def.faculties", "A.def.steps")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_double_gives_a_step_back_to_a_unit_with_regeneration_even_if_the_test_fails(face: int) -> None:
    after = do(one("A troll 0505 steps=1 winded"), "rest A", [face, face]).state
    assert (steps(after, "A"), rested(after)) == (2, face <= 4)


@rule("A.rest.p3")
@pytest.mark.parametrize("dice", [(1, 2), (6, 5), (3, 5)])
def test_without_a_double_nothing_grows_back(dice: tuple[int, int]) -> None:
    assert steps(do(one("A troll 0505 steps=1 winded"), "rest A", dice).state, "A") == 1


@rule("A.rest.p3", "A.def.faculties", "A.def.kinds")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(
    ("unit", "left"),
    [
        ("A troll 0505 winded", 2),  # has lost nothing
        ("A spear 0505 steps=1 winded", 1),  # without Regeneration
        ("A hydra 0505+0605 steps=5 full=6 winded", 5),  # a formation
    ],
)
def test_who_regains_no_step(unit: str, left: int, face: int) -> None:
    after = do(one(unit, types="hydra spear regeneration"), "rest A", [face, face]).state
    assert steps(after, "A") == left


@rule("A.rest.p3")
def test_one_rest_restores_one_step_at_most_and_fresh_units_none() -> None:
    state = one("A hydra 0505 steps=1 full=3 exhausted", types="hydra spear regeneration")
    assert steps(do(state, "rest A", [2, 2]).state, "A") == 2
    assert refusals(one("A troll 0505 steps=1"), "rest A") == ["A.rest.c1"]


# --- 2 reorganisation ----------------------------------------------------------------------------

REGROUP = {"instructions": "boar=regroup"}


@rule("A.reorganise.c1", "A.reorganise.c4", "A.def.cohesion", "A.def.special_order")
@pytest.mark.parametrize(
    "unit",
    ["A spear 0505 shaken ordered", "A spear 0505+0605 shaken ordered exhausted", "A guard 0505 shaken"],
)
def test_a_shaken_unit_can_reorganise(unit: str) -> None:
    assert refusals(one(unit), "reorganise A") == []


@rule("A.reorganise.c1", "A.def.cohesion")
def test_only_a_shaken_unit_can_reorganise() -> None:
    assert refusals(one("A spear 0505 ordered"), "reorganise A") == ["A.reorganise.c1"]


@rule("A.reorganise.c1", "AH16.rout")
def test_a_unit_in_rout_cannot_reorganise() -> None:
    """In Rout it is not Shaken but worse, and can do nothing but rest, rally or break: both fail together."""
    assert refusals(one("A spear 0505 rout ordered"), "reorganise A") == ["AH16.rout", "A.reorganise.c1"]


@rule("A.reorganise.c2", "A.def.engaged")
def test_who_is_engaged_cannot_reorganise() -> None:
    assert refusals(one("A guard 0505 shaken", ENGAGER), "reorganise A") == ["A.reorganise.c2"]
    for foes in (BESIDE, f"{ENGAGER} rout", "X leader 0504"):
        assert refusals(one("A guard 0505 shaken", foes), "reorganise A") == []


@rule("A.reorganise.c3", "A.def.size", "A.def.stacked")
@pytest.mark.parametrize(
    ("words", "clauses"),
    [
        ("A guard 0505 shaken; B spear 0505", ["A.reorganise.c3"]),
        ("B spear 0505; A guard 0505 shaken", ["A.reorganise.c3"]),
        ("A guard 0505+0605 shaken steps=4; B spear 0505", ["A.reorganise.c3"]),
        ("A guard 0505+0605 shaken steps=4; B spear 0605", ["A.reorganise.c3"]),
        ("A guard 0505 shaken; B spear 0505+0605", ["A.reorganise.c3"]),
        ("A guard 0505 shaken; B forester 0505; C goblin 0505", []),
        ("A guard 0505 shaken; L leader 0505; M chief 0505", []),
        ("A guard 0505 shaken; B spear 0605", []),
        ("A forester 0505 shaken ordered; B spear 0505", []),
    ],
)
def test_two_large_units_in_one_hex_are_in_each_others_way(words: str, clauses: list[str]) -> None:
    assert refusals(one(words), "reorganise A") == clauses


@rule(
    "A.reorganise.c4", "A.def.morale_profile", "A.def.special_order", "A.def.instruction", "AH6.instructions"
)
@pytest.mark.parametrize(
    ("words", "more", "clauses"),
    [
        ("A spear 0505 shaken", {}, ["A.reorganise.c4"]),
        ("A goblin 0505 shaken", {}, ["A.reorganise.c4"]),
        ("A guard 0505 shaken", {}, []),
        ("A spear 0505 shaken ordered", {}, []),
        ("A goblin 0505 shaken ordered", {}, []),
        (f"A spear 0505 shaken; L leader {LEADER4}", REGROUP, []),
        (f"A spear 0505 shaken; L leader {LEADER5}", REGROUP, ["A.reorganise.c4"]),
        (f"A spear 0505 shaken moved; L leader {LEADER4}", REGROUP, ["A.reorganise.c4"]),
        (f"A spear 0505 shaken; L leader {LEADER4} gone", REGROUP, ["A.reorganise.c4"]),
        (f"A spear 0505 shaken; L leader {LEADER4} wing=heron", REGROUP, ["A.reorganise.c4"]),
        (f"A spear 0505 shaken; L leader {LEADER4}", {"instructions": "boar=hold"}, ["A.reorganise.c4"]),
        (f"A spear 0505 shaken; L leader {LEADER4}", {}, ["A.reorganise.c4"]),
    ],
)
def test_reorganisation_takes_elite_morale_an_order_or_compliance(
    words: str, more: dict[str, Any], clauses: list[str]
) -> None:
    assert refusals(one(words, **more), "reorganise A") == clauses


@rule("A.reorganise.c1", "A.reorganise.c2", "A.reorganise.c3", "A.reorganise.c4", "A.def.sheet")
def test_reorganisation_tells_every_condition_that_fails() -> None:
    state = one("A spear 0505; B spear 0505", ENGAGER)
    assert refusals(state, "reorganise A") == [f"A.reorganise.c{n}" for n in (1, 2, 3, 4)]


def in_order(state: FormationsState) -> bool:
    return not marks(state, "A") & {"shaken", "rout"}


@rule("A.reorganise.p1", "AH13.tests", "A.def.morale_profile")
@pytest.mark.parametrize(
    ("words", "foes", "more", "number"),
    [
        ("A guard 0505 shaken", "", {}, 9),
        ("A spear 0505 shaken ordered", "", {}, 8),
        ("A goblin 0505 shaken ordered", "", {}, 6),
        ("A guard 0505 shaken winded", "", {}, 9),
        ("A guard 0505 shaken exhausted", "", {}, 8),
        ("A guard 0505 shaken", f"X orc {NEAR3}", {}, 8),
        ("A guard 0505 shaken", f"X orc {NEAR3} rout", {}, 8),
        ("A guard 0505 shaken", f"X leader {NEAR3}", {}, 9),
        ("A guard 0505 shaken", f"X orc {NEAR4}", {}, 9),
        (f"A guard 0505 shaken; L leader {LEADER2}", "", {}, 10),
        (f"A guard 0505 shaken; M chief {LEADER2}", "", {}, 10),
        (f"A guard 0505 shaken; M chief {LEADER2}; L leader 0505", "", {}, 10),
        (f"A guard 0505 shaken; L leader {LEADER2} wing=heron", "", {}, 9),
        (f"A guard 0505 shaken; L leader {LEADER2} gone", "", {}, 9),
        ("A guard 0505 shaken; L leader 0508", "", {}, 9),
        ("A guard 0505 shaken", "", {"weather": "heat-wave"}, 9),
        ("A guard 0505 shaken", "", {"fire": "0505=start"}, 8),
        (f"A spear 0505 shaken; L leader {LEADER4}", "", REGROUP, 8),
        ("A goblin 0505 shaken ordered exhausted", f"X orc {NEAR3}", {"fire": "0505=start"}, 3),
        (f"A goblin 0505 shaken ordered exhausted; L leader {LEADER2}", f"X orc {NEAR3}", {}, 5),
    ],
)
def test_the_reorganisation_test(words: str, foes: str, more: dict[str, Any], number: int) -> None:
    assert totals(one(words, foes, **more), "reorganise A", in_order) == under(number)


@rule("A.reorganise.p2", "A.def.cohesion")
def test_who_reorganises_is_in_order_again() -> None:
    state = one("A spear 0505 se shaken ordered exhausted diminished")
    play = do(state, "reorganise A", [3, 3])
    assert marks(play.state, "A") == {"ordered", "exhausted", "diminished", "activated"}
    assert told(play) == [("A.reorganise.p1", "event.passes"), ("A.reorganise.p2", "event.reorganises")]
    play = do(state, "reorganise A", [6, 4])
    assert marks(play.state, "A") == {"shaken", "ordered", "exhausted", "diminished", "activated"}
    assert told(play) == [("A.reorganise.p1", "event.fails_test")]


# --- 3 rally -------------------------------------------------------------------------------------


@rule("A.rally.c1", "A.rally.c5")
@pytest.mark.parametrize(
    "unit", ["A spear 0505 rout ordered", "A guard 0505 rout exhausted", "A guard 0505+0605 rout"]
)
def test_a_unit_in_rout_can_rally(unit: str) -> None:
    assert refusals(one(unit), "rally A") == []


@rule("A.rally.c1", "A.def.cohesion")
@pytest.mark.parametrize("unit", ["A guard 0505", "A guard 0505 shaken", "A spear 0505 shaken ordered"])
def test_only_a_unit_in_rout_can_rally(unit: str) -> None:
    assert refusals(one(unit), "rally A") == ["A.rally.c1"]


@rule("A.rally.c2", "A.def.stacked")
@pytest.mark.parametrize(
    "words",
    [
        "A guard 0505 rout; B spear 0505",
        "A guard 0505 rout; B forester 0505",
        "A guard 0505 rout; L leader 0505",
        "A guard 0505 rout; M chief 0505",
        "A guard 0505+0605 rout; L leader 0605",
        "A guard 0505+0605 rout steps=4; B spear 0505",
        "A guard 0505 rout; B spear 0505+0605",
    ],
)
def test_who_rallies_has_its_hex_to_itself(words: str) -> None:
    assert refusals(one(words), "rally A") == ["A.rally.c2"]
    assert refusals(one("A guard 0505 rout; B spear 0605; L leader 0405"), "rally A") == []


@rule("A.rally.c3", "A.def.engaged")
def test_who_is_engaged_cannot_rally() -> None:
    assert refusals(one("A guard 0505 rout", ENGAGER), "rally A") == ["A.rally.c3"]
    for foes in (BESIDE, f"{ENGAGER} rout", "X leader 0504"):
        assert refusals(one("A guard 0505 rout", foes), "rally A") == []


@rule("A.rally.c4", "A.def.morale_profile")
def test_fragile_units_never_rally() -> None:
    assert refusals(one("A goblin 0505 rout ordered"), "rally A") == ["A.rally.c4"]
    assert refusals(one("A wolf 0505 rout ordered"), "rally A") == ["A.rally.c4"]


@rule("A.rally.c5", "A.def.morale_profile", "A.def.special_order", "A.def.instruction")
def test_rallying_takes_elite_morale_or_an_order_and_no_instruction_will_do() -> None:
    assert refusals(one("A spear 0505 rout"), "rally A") == ["A.rally.c5"]
    state = one(f"A spear 0505 rout; L leader {LEADER2}", **REGROUP)
    assert refusals(state, "rally A") == ["A.rally.c5"]


@rule("A.rally.c1", "A.rally.c2", "A.rally.c3", "A.rally.c4", "A.rally.c5", "A.def.sheet")
def test_rally_tells_every_condition_that_fails() -> None:
    state = one("A goblin 0505; B spear 0505", ENGAGER)
    assert refusals(state, "rally A") == [f"A.rally.c{n}" for n in (1, 2, 3, 4, 5)]


@rule("A.rally.p1", "AH13.tests", "A.def.morale_profile")
@pytest.mark.parametrize(
    ("words", "foes", "more", "number"),
    [
        ("A guard 0505 rout", "", {}, 9),
        ("A spear 0505 rout ordered", "", {}, 8),
        ("A guard 0505 rout winded", "", {}, 9),
        ("A guard 0505 rout exhausted", "", {}, 8),
        ("A guard 0505 rout", f"X orc {NEAR4}", {}, 7),
        ("A guard 0505 rout", f"X orc {NEAR4} rout; Y orc {NEAR3}", {}, 7),
        ("A guard 0505 rout", f"X leader {NEAR4}", {}, 9),
        ("A guard 0505 rout", f"X orc {NEAR5}", {}, 9),
        (f"A guard 0505 rout; L leader {LEADER2}", "", {}, 10),
        (f"A guard 0505 rout; M chief {LEADER2}", "", {}, 10),
        (f"A guard 0505 rout; L leader {LEADER2} wing=heron", "", {}, 9),
        ("A guard 0505 rout; L leader 0508", "", {}, 9),
        ("A guard 0505 rout", "", {"weather": "heat-wave"}, 9),
        ("A guard 0505 rout", "", {"fire": "0505=start"}, 8),
        ("A spear 0505 rout ordered exhausted", f"X orc {NEAR4}", {"fire": "0505=start"}, 4),
        (f"A spear 0505 rout ordered exhausted; L leader {LEADER2}", f"X orc {NEAR4}", {}, 6),
    ],
)
def test_the_rally_test(words: str, foes: str, more: dict[str, Any], number: int) -> None:
    state = one(words, foes, **more)
    assert totals(state, "rally A", lambda after: "rout" not in marks(after, "A")) == under(number)


@rule("A.rally.p2", "A.def.cohesion")
def test_who_rallies_is_shaken() -> None:
    state = one("A spear 0505 rout ordered winded")
    play = do(state, "rally A", [4, 4])
    assert marks(play.state, "A") == {"shaken", "ordered", "winded", "activated"}
    assert told(play) == [("A.rally.p1", "event.passes"), ("A.rally.p2", "event.rallies")]
    play = do(state, "rally A", [4, 5])
    assert marks(play.state, "A") == {"rout", "ordered", "winded", "activated"}
    assert told(play) == [("A.rally.p1", "event.fails_test")]


@rule("A.rally.p3", "A.def.orientation")
@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("dice", [(1, 1), (6, 6)])
def test_rallying_turns_nobody(corner: str, dice: tuple[int, int]) -> None:
    after = do(one(f"A guard 0505 {corner} rout"), "rally A", dice).state
    assert (facing(after, "A"), place(after, "A")) == (corner, "0505")


# --- 4 reload ------------------------------------------------------------------------------------

SOURCE = "M chief 0505"


@rule("A.reload.c1", "A.reload.c4", "A.def.ammunition")
@pytest.mark.parametrize(
    "unit",
    [
        "A archer 0505 diminished",
        "A archer 0505 spent winded",
        "A forester 0505 spent",
        "A archer 0505+0605 diminished",
        "A spear 0505 diminished",
    ],
)
def test_who_can_reload(unit: str) -> None:
    assert refusals(one(f"{unit}; {SOURCE}"), "reload A") == []


@rule("A.reload.c1", "A.def.cohesion", "A.def.fatigue")
@pytest.mark.parametrize("words", ["shaken", "exhausted", "shaken exhausted", "shaken winded"])
def test_who_is_shaken_or_exhausted_cannot_reload(words: str) -> None:
    assert refusals(one(f"A archer 0505 spent {words}; {SOURCE}"), "reload A") == ["A.reload.c1"]


@rule("A.reload.c1", "AH16.rout", "A.def.cohesion")
def test_nor_can_who_is_in_rout() -> None:
    """In Rout is worse than Shaken, and forbids the action by itself too."""
    state = one(f"A archer 0505 spent rout; {SOURCE}")
    assert refusals(state, "reload A") == ["AH16.rout", "A.reload.c1"]


@rule("A.reload.c2", "A.def.position")
@pytest.mark.parametrize("words", ["flying", "infiltrating"])
def test_who_is_not_on_the_ground_cannot_reload(words: str) -> None:
    assert refusals(one(f"A archer 0505 spent {words}; {SOURCE}"), "reload A") == ["A.reload.c2"]


@rule("A.reload.c3", "A.def.engaged")
def test_who_is_engaged_cannot_reload() -> None:
    assert refusals(one(f"A archer 0505 spent; {SOURCE}", ENGAGER), "reload A") == ["A.reload.c3"]
    for foes in (BESIDE, f"{ENGAGER} rout", "X leader 0504"):
        assert refusals(one(f"A archer 0505 spent; {SOURCE}", foes), "reload A") == []


@rule("A.reload.c4", "A.def.ammunition")
def test_who_has_full_ammunition_cannot_reload() -> None:
    assert refusals(one(f"A archer 0505; {SOURCE}"), "reload A") == ["A.reload.c4"]


@rule("A.reload.source.1", "A.def.cinc")
def test_the_commander_in_chief_is_the_source_unless_the_scenario_names_another() -> None:
    assert marks(do(one("A archer 0505 spent; M chief 0705"), "reload A").state, "A") == {"activated"}
    state = one("A archer 0505 spent; M chief 0805; L leader 0505", "W chief 0505")
    assert terms(state, "reload A") == [("A.reload.p3", 1)]
    near = one("A archer 0505 spent; M chief 1105", sources="league=0705 horde=0005")
    assert marks(do(near, "reload A").state, "A") == {"activated"}
    far = one("A archer 0505 spent; M chief 0505", sources="league=1105")
    assert terms(far, "reload A") == [("A.reload.p3", 2)]
    theirs = one("A archer 0505 spent; M chief 1105", sources="horde=0505")
    assert terms(theirs, "reload A") == [("A.reload.p3", 2)]


@rule("A.reload.source.2", "A.def.cinc")
def test_an_army_without_its_commander_cannot_reload() -> None:
    state = one("A archer 0505 spent; M chief 0505 gone; L leader 0505", "W chief 0505")
    assert refusals(state, "reload A") == ["A.reload.source.2"]
    state = one("A archer 0505 spent; M chief 0505 gone", sources="horde=0505")
    assert refusals(state, "reload A") == ["A.reload.source.2"]


@rule("A.reload.source.2", "A.reload.source.1")
def test_a_source_named_by_the_scenario_outlives_the_commander() -> None:
    state = one("A archer 0505 spent; M chief 0505 gone", sources="league=0605")
    assert marks(do(state, "reload A").state, "A") == {"activated"}


@rule("A.reload.c1", "A.reload.c2", "A.reload.c3", "A.reload.c4", "A.reload.source.2", "A.def.sheet")
def test_reload_tells_every_condition_that_fails() -> None:
    state = one("A archer 0505 shaken; M chief 0505 gone", ENGAGER)
    assert refusals(state, "reload A") == [*(f"A.reload.c{n}" for n in (1, 3, 4)), "A.reload.source.2"]
    state = one("A archer 0505 shaken flying; M chief 0505 gone", ENGAGER)  # nobody engages who flies
    assert refusals(state, "reload A") == [*(f"A.reload.c{n}" for n in (1, 2, 4)), "A.reload.source.2"]
    state = one("A archer 0505 exhausted; M chief 0705", difficult="0804 0805 0806 0706 0605 0704")
    assert refusals(state, "reload A") == ["A.reload.c1", "A.reload.c4", "A.reload.p1"]


def reloaded(state: FormationsState) -> bool:
    return not marks(state, "A") & {"diminished", "spent"}


@rule("A.reload.p1")
@pytest.mark.parametrize("words", ["diminished", "spent"])
@pytest.mark.parametrize("far", [0, 1, 2])
def test_near_the_source_no_dice_are_needed(far: int, words: str) -> None:
    play = do(one(f"A archer 0005 {words}; M chief {far:02}05"), "reload A")
    assert marks(play.state, "A") == {"activated"}
    assert told(play) == [("A.reload.p1", "event.reloads")]


@rule("A.reload.p2", "A.reload.p3", "A.reload.p4")
@pytest.mark.parametrize("words", ["diminished", "spent"])
@pytest.mark.parametrize(
    ("far", "added"), [(3, 1), (4, 1), (5, 1), (6, 2), (7, 2), (8, 2), (9, 3), (29, 9), (30, 10), (33, 11)]
)
def test_farther_away_two_dice_and_1_for_every_3_hexes_are_12_at_most(
    far: int, added: int, words: str
) -> None:
    state = one(f"A archer 0005 {words}; M chief {far:02}05", columns=40)
    assert totals(state, "reload A", reloaded) == set(range(2, 12 - added + 1))
    assert terms(state, "reload A") == [("A.reload.p3", added)]


@rule("A.reload.p2", "A.reload.p4")
def test_the_marker_goes_altogether_or_stays() -> None:
    state = one("A archer 0005 spent winded; M chief 0305")
    play = do(state, "reload A", [6, 5])
    assert marks(play.state, "A") == {"winded", "activated"}
    assert told(play) == [("A.reload.p2", "event.passes"), ("A.reload.p4", "event.reloads")]
    play = do(state, "reload A", [6, 6])
    assert marks(play.state, "A") == {"spent", "winded", "activated"}
    assert told(play) == [("A.reload.p2", "event.fails_test")]


@rule("A.reload.p1", "A.reload.p3", "A.def.terrain")
@pytest.mark.parametrize(
    ("more", "far"),
    [
        ({}, 2),
        ({"rough": "0505 0605 0705 0604 0606"}, 2),
        ({"difficult": "0605"}, 3),  # around it
        ({"difficult": "0604 0605 0606"}, 4),
        ({"difficult": "0604 0605 0606 0504 0506"}, 6),
        ({"difficult": "0505"}, 2),  # its own hex does not count
        ({"fire": "0605=blaze 0705=start"}, 2),
        ({"stakes": "0605=n 0705=n 0505=s"}, 2),
    ],
)
def test_the_way_to_the_source_leads_over_clear_and_rough_hexes(more: dict[str, Any], far: int) -> None:
    state = one("A archer 0505 spent; M chief 0705", **more)
    if far < 3:
        assert reloaded(do(state, "reload A").state)
    else:
        assert totals(state, "reload A", reloaded) == set(range(2, 12 - far // 3 + 1))


@rule("A.reload.p1")
def test_units_are_no_obstacle() -> None:
    state = one("A archer 0505 spent; M chief 0705; B spear 0705", "X orc 0605 ne")
    assert reloaded(do(state, "reload A").state)


@rule("A.reload.p1")
def test_without_a_way_there_is_no_reloading() -> None:
    ring = "0804 0805 0806 0706 0605 0704"
    state = one("A archer 0505 spent; M chief 0705", difficult=ring)
    assert refusals(state, "reload A") == ["A.reload.p1"]
    state = one("A archer 0505 spent; M chief 0705", difficult=f"0705 {ring}")
    assert refusals(state, "reload A") == ["A.reload.p1"]
    state = one("A archer 0605 spent; M chief 0705", difficult=ring)  # its own does not
    assert reloaded(do(state, "reload A").state)
    state = one("A archer 0705 spent; M chief 0705", difficult=f"0705 {ring}")
    assert reloaded(do(state, "reload A").state)


@rule("A.reload.p1", "A.reload.p2")
@pytest.mark.parametrize("unit", ["0605", "0505", "0705"])
def test_the_hex_of_the_source_may_be_difficult(unit: str) -> None:
    """Only the hexes strictly between count: a chief in a wood supplies his neighbours."""
    state = one(f"A archer {unit} spent; M chief 0705", difficult="0705")
    assert reloaded(do(state, "reload A").state)
    state = one(f"A archer {unit} spent; M chief 0705", difficult=f"0705 {unit}")
    assert reloaded(do(state, "reload A").state)


@rule("A.reload.p2", "A.reload.p3")
def test_the_way_does_not_lead_through_other_difficult_hexes() -> None:
    state = one("A archer 0405 spent; M chief 0705", difficult="0705")
    assert terms(state, "reload A") == [("A.reload.p3", 1)]
    wood = "0705 0605 0604 0606 0704 0706"  # only the far side of the chief is open
    assert refusals(one("A archer 0405 spent; M chief 0705", difficult=f"{wood} 0804 0805 0806"), "reload A")
    assert terms(one("A archer 0905 spent; M chief 0705", difficult=wood), "reload A") == [("A.reload.p3", 0)]


@rule("A.reload.source.1", "A.reload.p1")
def test_the_first_hex_and_the_first_unit_are_as_good_as_others() -> None:
    assert reloaded(do(one("M chief 0705; A archer 0505 spent"), "reload A").state)
    assert reloaded(do(one("M chief 0000; A archer 0100 spent"), "reload A").state)
    assert reloaded(
        do(one("A archer 0100 spent; M chief 1111 gone", sources="league=0000"), "reload A").state
    )
    state = one("A archer 0300 spent", sources="league=0000", difficult="0100 0001")
    assert refusals(state, "reload A") == ["A.reload.p1"]


@rule("A.reload.p1", "A.def.footprint")
@pytest.mark.parametrize(("chief", "far"), [("0805", 2), ("0305", 2), ("0905", 3), ("0205", 3), ("0605", 0)])
def test_the_nearer_hex_of_a_formation_counts(chief: str, far: int) -> None:
    state = one(f"A archer 0505+0605 spent; M chief {chief}")
    if far < 3:
        assert reloaded(do(state, "reload A").state)
    else:
        assert terms(state, "reload A") == [("A.reload.p3", 1)]
