"""10 Troops: impetuous, fanatic, stoic, elite and rabble units in battle.  Their prices: test_recruit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.army import TYPES
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.saves import RerollChoice
from legatus.games.virtus.state import VirtusState
from legatus.kernel import outcomes, parse_action
from legatus.kernel.chance import WrongLuck
from legatus.kernel.objects import replace
from tests.rules import rule

from .field import (
    battle,
    cohesion,
    declares,
    do,
    fights,
    legal_lines,
    moves,
    place,
    rallies,
    refusals,
    run,
    segments,
    tokens,
    told,
)
from .field import tests as saves  # a name that pytest does not collect

FOE = "X legionaries barb3 tokens=w"  # his test comes next: play stops there
IMPETUOUS = {"barbarian_auxiliaries", "warriors", "horde"}


def hurt(rome: str, **more: Any) -> VirtusState:
    """Rome's units are about to be tested."""
    return saves(battle(rome, FOE, **more))


def hits(state: VirtusState, line: str, face: int, dice: int) -> bool:
    """Whether a unit's dice hit on a face; Y takes the hits."""
    return bool(tokens(do(state, line, [face] * dice).state, "Y"))


# --- options -------------------------------------------------------------------------------------


@rule("V10-troops.a")
def test_without_the_option_nobody_is_impetuous() -> None:
    state = fights(battle("A warriors rome1", f"{FOE}; Y horde rome1", impetuous=False), 1)
    assert not hits(state, "fight A", 4, 3)
    state = battle("A warriors rome1", f"{FOE}; Y legionaries barb1", impetuous=False)
    assert place(do(segments(state, {1: 1}), "done").state, "A") == "rome1"


@rule("V10-troops.a")
def test_without_the_option_fanatics_are_like_others() -> None:
    state = hurt("A fanatics rome1 tokens=w", fanatics=False)
    assert place(do(state, "save A white", dice=[2, 5]).state, "A") == "rome-reserve"
    state = fights(battle("A fanatics rome1", f"{FOE}; Y horde rome1", fanatics=False), 1, points=1)
    assert refusals(state, "fight A") == []


@rule("V10-troops.a")
def test_without_the_option_nobody_is_stoic() -> None:
    state = hurt("A legionaries rome1 vc=2 tokens=w stoic", stoic=False)
    assert place(do(state, "save A white", dice=[6, 3]).state, "A") == "rome-reserve"
    state = fights(battle("A legionaries rome1 stoic", f"{FOE}; Y horde rome1", stoic=False), 1, points=1)
    assert refusals(state, "fight A") == []


@rule("V10-troops.a")
def test_without_the_options_there_are_no_elites_and_no_rabble() -> None:
    state = do(hurt("A legionaries rome1 tokens=w elite", elite=False), "save A white", dice=[6, 6]).state
    assert place(state, "A") == "rome-reserve"
    with pytest.raises(WrongLuck):
        do(hurt("A legionaries rome1 tokens=w rabble", rabble=False), "save A white", dice=[6, 7])


@rule("V10-troops.a")
def test_without_the_option_elephants_are_like_other_horse() -> None:
    state = hurt("A elephants rome1 tokens=w; B legionaries rome-reserve", elephants=False)
    assert place(do(state, "save A white", dice=[4, 4]).state, "A") == "rome1"
    state = fights(battle("A elephants rome1", f"{FOE}; Y horde rome1", elephants=False), 1)
    assert tokens(do(state, "fight A", [1] * 4).state, "Y") == "wwww"


# --- 10.1 impetuous ------------------------------------------------------------------------------


@rule("V10-troops.1a", "V10-troops.2b")
@pytest.mark.parametrize("kind", TYPES)
def test_impetuous_units_and_no_others_hit_on_one_more_while_unhurt(kind: str) -> None:
    row = TYPES[kind]
    state = fights(battle(f"A {kind} rome1", f"{FOE}; Y horde rome1"), 1)
    assert hits(state, "fight A", row.vo, row.vc)
    assert hits(state, "fight A", row.vo + 1, row.vc) == (kind in IMPETUOUS)


@rule("V10-troops.1a")
@pytest.mark.parametrize("kind", sorted(IMPETUOUS))
def test_the_bonus_goes_with_the_first_lost_point(kind: str) -> None:
    full = TYPES[kind].vc
    state = fights(battle(f"A {kind} rome1 vc={full - 1}", f"{FOE}; Y horde rome1"), 1)
    assert not hits(state, "fight A", TYPES[kind].vo + 1, full - 1)
    assert hits(state, "fight A", TYPES[kind].vo, full - 1)


@rule("V10-troops.1a", "V9a")
def test_a_unit_rallied_to_full_cohesion_has_its_bonus_again() -> None:
    state = battle("A warriors rome-reserve vc=2; B horde rome-reserve vc=1", f"{FOE}; Y horde rome1")
    state = do(rallies(state), "rally A", dice=[2]).state
    assert cohesion(state, "A") == 3
    fresh = battle("A warriors rome1", f"{FOE}; Y horde rome1")
    fresh.vc[0] = cohesion(state, "A")
    assert hits(fights(fresh, 1), "fight A", 4, 3)


@rule("V10-troops.1a")
def test_the_bonus_is_for_charges_and_outflanking_too_but_not_for_shots() -> None:
    state = declares(battle("A warriors rome1", f"{FOE}; Y horde rome1"), {1: 2})
    assert hits(run(state, "declare-charge A", "activate seg1"), "charge A Y", 4, 3)
    state = fights(battle("A warriors rome1", f"{FOE}; Y horde rome2"), 1)
    assert hits(state, "outflank A rome2", 4, 3)
    assert not hits(state, "outflank A rome2", 5, 3)
    state = battle("A light_archers rome1", f"{FOE}; Y horde barb1")
    wild = replace(state.roster.units[0], impetuous=True)
    state.roster = replace(state.roster, units=(wild, *state.roster.units[1:]))
    assert hits(fights(state, 1), "shoot A", 2, 2)
    assert not hits(fights(state, 1), "shoot A", 3, 2)


def ashore(rome: str, foes: str = "Y legionaries barb1", points: int = 0, **more: Any) -> VirtusState:
    """Rome's segments are about to be worked through."""
    return segments(battle(rome, f"{FOE}; {foes}", **more), {1: points})


@rule("V10-troops.1b")
def test_an_impetuous_unit_attacks_the_enemy_opposite_free_of_charge_and_without_a_card() -> None:
    play = do(ashore("A warriors rome1; B horde rome1"), "done")
    assert (place(play.state, "A"), place(play.state, "B")) == ("barb1", "barb1")
    assert told(play).count(("V10-troops.1b", "event.rushes")) == 2


@rule("V10-troops.1b")
def test_it_goes_as_the_moves_of_its_segment_end_and_after_the_fights() -> None:
    rome = "A warriors rome1; S light_archers rome1; C warriors rome2"
    state = ashore(rome, "Y legionaries barb1; Z legionaries barb2", points=1)
    state = do(state, "activate seg1").state
    assert isinstance(state.decision, Fights)
    assert (place(state, "A"), refusals(state, "shoot S")) == ("rome1", [])
    state = do(state, "shoot S", dice=[6, 6]).state
    assert (place(state, "A"), place(state, "C")) == ("barb1", "rome2")
    assert place(do(state, "done").state, "C") == "barb2"


@rule("V10-troops.1b")
def test_the_advance_leaves_the_points_to_others() -> None:
    """One point, one move for B; A goes for nothing."""
    state = run(ashore("A warriors rome1; B legionaries rome1", points=1), "activate seg1", "move B barb1")
    assert (place(state, "A"), place(state, "B")) == ("barb1", "barb1")


@rule("V10-troops.1b")
def test_a_point_holds_it_back() -> None:
    state = run(ashore("A warriors rome1", points=1), "activate seg1", "hold A")
    assert (state.active, place(state, "A")) == (1, "rome1")
    assert refusals(moves(ashore("A warriors rome1"), 1, points=0), "hold A") == ["V4.3a"]


@rule("V10-troops.1b")
@pytest.mark.parametrize(
    ("line", "end"), [("move A rome-reserve", "rome-reserve"), ("form A orbis", "rome1")]
)
def test_another_action_that_was_paid_for_holds_it_back_too(line: str, end: str) -> None:
    state = run(ashore("A warriors rome1", points=1), "activate seg1", line)
    assert (state.active, place(state, "A")) == (1, end)


@rule("V10-troops.1b")
def test_a_fight_that_was_paid_for_holds_it_back_too() -> None:
    rome, foes = "A warriors rome1; B legionaries barb1", "Y legionaries barb1; Z legionaries rome2"
    state = run(ashore(rome, foes, points=1), "activate seg1", "outflank A rome2", dice=[6, 6, 6])
    assert (state.active, place(state, "A")) == (1, "rome1")


@rule("V10-troops.1b")
def test_once_engaged_it_pays_for_its_fights_like_others() -> None:
    state = battle("A warriors barb1", f"{FOE}; Y legionaries barb1")
    assert refusals(fights(state, 1, points=0), "fight A") == ["V4.3a"]
    assert refusals(fights(state, 1, points=1), "fight A") == []


@rule("V10-troops.1b")
@pytest.mark.parametrize(
    ("rome", "foes", "start"),
    [
        ("A warriors rome1", "Y legionaries barb2", "rome1"),  # nobody opposite
        ("A warriors rome1", "Y legionaries barb1; Z horde rome1", "rome1"),  # engaged
        ("A warriors rome-reserve", "Y legionaries barb1", "rome-reserve"),
        ("A warriors barb1; B legionaries rome1", "Y legionaries rome1; Z horde barb2", "barb1"),
        ("A noble_warriors rome1", "Y legionaries barb1", "rome1"),  # not impetuous
    ],
)
def test_nothing_compels_it_without_an_enemy_opposite_when_engaged_or_away(
    rome: str, foes: str, start: str
) -> None:
    state = ashore(f"{rome}; R horde rome3", f"{foes}; V horde rome3", points=1)
    assert place(do(state, "done").state, "A") == start
    assert "V10-troops.1b" in refusals(moves(state, 1), "hold A")


@rule("V10-troops.1b")
def test_a_lone_general_opposite_does_not_draw_it() -> None:
    state = ashore("A warriors rome1", "Y legionaries barb2", points=1, generals="H barbarians barb1")
    assert place(do(state, "done").state, "A") == "rome1"


@rule("V10-troops.1b", "V3.3a")
def test_a_unit_that_has_retreated_is_not_compelled() -> None:
    rome = "A warriors barb1 tokens=w; B warriors rome1"
    state = do(saves(battle(rome, f"{FOE}; Y legionaries barb1")), "save A white", dice=[6, 6]).state
    state.active = 0
    after = do(segments(state, {1: 1}), "done").state
    assert (place(after, "A"), place(after, "B")) == ("rome1", "barb1")


# --- 10.2 fanatics -------------------------------------------------------------------------------


@rule("V10-troops.2a")
@pytest.mark.parametrize("marks", ["", "elite", "rabble", "stoic"])
def test_fanatics_roll_no_dark_die_and_lose_a_point_without_retreat(marks: str) -> None:
    state = hurt(f"A fanatics rome1 tokens=ww {marks}", generals="G rome rome1 charismatic")
    play = do(state, "save A white", dice=[2])
    assert (cohesion(play.state, "A"), place(play.state, "A")) == (3, "rome1")
    assert not isinstance(play.state.decision, RerollChoice)
    after = do(play.state, "save A white", dice=[1]).state
    assert (cohesion(after, "A"), place(after, "A")) == (3, "rome1")


@rule("V10-troops.2a", "V3.2b")
def test_fanatics_die_to_the_last() -> None:
    state = hurt("A fanatics rome1 vc=1 tokens=w; B legionaries rome2")
    assert place(do(state, "save A white", dice=[6]).state, "A") == "gone"


@rule("V10-troops.2b")
def test_fanatics_attack_like_impetuous_units() -> None:
    play = do(ashore("A fanatics rome1; B legionaries rome2"), "done")
    assert place(play.state, "A") == "barb1"
    assert ("V10-troops.2b", "event.rushes") in told(play)


def costs(state: VirtusState, line: str, points: int) -> bool:
    """Whether an action takes exactly so many points of segment 1."""
    enough, short = state.copy(), state.copy()
    enough.points[1], short.points[1] = points, points - 1
    return refusals(enough, line) == [] and refusals(short, line) == ["V4.3a"]


@rule("V10-troops.2b", "V10-troops.3b")
@pytest.mark.parametrize(
    ("kind", "extra"), [("legionaries rome1", 0), ("fanatics rome1", 1), ("legionaries rome1 stoic", 1)]
)
def test_every_activation_of_fanatics_and_of_stoics_costs_a_point_more(kind: str, extra: int) -> None:
    alone = battle(f"A {kind}", FOE)
    engaged = battle(f"A {kind}", f"{FOE}; Y horde rome1")
    flanking = battle(f"A {kind}", f"{FOE}; Y horde rome2")
    assert costs(fights(engaged, 1), "fight A", 1 + extra)
    assert costs(declares(engaged, {}), "declare-charge A", 2 + extra)
    assert costs(fights(flanking, 1), "outflank A rome2", 1 + extra)
    assert costs(moves(alone, 1), "move A barb1", 1 + extra)
    assert costs(moves(alone, 1), "form A orbis", 1 + extra)


@rule("V10-troops.2b", "V10-troops.3b")
def test_the_points_are_really_spent() -> None:
    rome = "A fanatics rome1; B legionaries rome1 stoic; C legionaries rome1"
    state = fights(battle(rome, f"{FOE}; Y horde rome1"), 1, points=9)
    state = run(state, "fight A", "fight B", dice=[6] * 8)
    assert state.points[1] == 5
    state = moves(battle("A fanatics rome1; B legionaries rome1 stoic; C legionaries rome1", FOE), 1)
    assert run(state, "move A barb1", "move B barb1").points[1] == 5
    state = declares(battle(rome, f"{FOE}; Y horde rome1"), {1: 9})
    assert run(state, "declare-charge A", "declare-charge B").points[1] == 3


@rule("V10-troops.2b", "V10-troops.1b", "V10-troops.3b")
@pytest.mark.parametrize(
    ("kind", "points"), [("warriors rome1", 1), ("fanatics rome1", 2), ("warriors rome1 stoic", 2)]
)
def test_holding_back_costs_1_and_2_for_fanatics_and_stoics(kind: str, points: int) -> None:
    state = battle(f"A {kind}; B legionaries rome1", f"{FOE}; Y legionaries barb1")
    assert costs(moves(state, 1), "hold A", points)
    assert do(moves(state, 1, points=5), "hold A").state.points[1] == 5 - points


# --- 10.3 stoic ----------------------------------------------------------------------------------


@rule("V10-troops.3a")
@pytest.mark.parametrize(("dark", "end"), [(4, "rome1"), (5, "rome-reserve")])
def test_stoic_units_hold_the_dark_die_against_their_initial_cohesion(dark: int, end: str) -> None:
    state = hurt("A legionaries rome1 vc=2 tokens=w stoic")
    after = do(state, "save A white", dice=[6, dark]).state
    assert (place(after, "A"), cohesion(after, "A")) == (end, 1)


@rule("V10-troops.3a", "V8b")
@pytest.mark.parametrize(("dark", "end"), [(5, "rome1"), (6, "rome-reserve")])
def test_charisma_adds_to_the_initial_cohesion_of_stoics(dark: int, end: str) -> None:
    state = hurt("A legionaries rome1 vc=2 tokens=w stoic", generals="G rome rome1 charismatic")
    assert place(do(state, "save A white", dice=[6, dark]).state, "A") == end


@rule("V10-troops.3a")
def test_stoic_units_fight_and_die_by_their_current_cohesion() -> None:
    state = fights(battle("A legionaries rome1 vc=2 stoic", f"{FOE}; Y horde rome1"), 1)
    assert tokens(do(state, "fight A", dice=[1, 1]).state, "Y") == "ww"
    state = hurt("A legionaries rome1 vc=1 tokens=w stoic; B legionaries rome2")
    assert place(do(state, "save A white", dice=[6, 1]).state, "A") == "gone"


# --- 10.4 elite ----------------------------------------------------------------------------------


@rule("V10-troops.4a")
@pytest.mark.parametrize(("second", "end"), [(4, "rome1"), (5, "rome-reserve"), (6, "rome-reserve")])
def test_an_elite_unit_may_reroll_the_dark_die_and_the_second_result_stands(second: int, end: str) -> None:
    """A first 5 that becomes a 6 is worse, and stands."""
    state = do(hurt("A legionaries rome1 tokens=w elite"), "save A white", dice=[4, 5]).state
    assert (legal_lines(state), cohesion(state, "A")) == (["reroll", "accept"], 4)
    after = do(state, "reroll", dice=[second]).state
    assert after.active == 1  # no third roll
    assert (place(after, "A"), cohesion(after, "A")) == (end, 3)


@rule("V10-troops.4a")
def test_an_elite_unit_need_not_reroll() -> None:
    state = do(hurt("A legionaries rome1 tokens=w elite"), "save A white", dice=[4, 5]).state
    after = do(state, "accept").state
    assert (place(after, "A"), cohesion(after, "A")) == ("rome-reserve", 3)


@rule("V10-troops.4a")
def test_the_reroll_is_for_each_test() -> None:
    state = hurt("A legionaries rome1 tokens=ww elite")
    state = run(state, "save A white", "reroll", dice=[4, 5, 1])
    state = do(state, "save A white", dice=[4, 4]).state
    assert isinstance(state.decision, RerollChoice)
    after = do(state, "reroll", dice=[3]).state
    assert (place(after, "A"), cohesion(after, "A")) == ("rome1", 2)


@rule("V10-troops.4a")
def test_there_is_no_reroll_of_a_passed_save_nor_for_others() -> None:
    state = do(hurt("A legionaries rome1 tokens=w elite"), "save A white", dice=[3, 6]).state
    assert (state.active, place(state, "A")) == (1, "rome1")
    state = do(hurt("A legionaries rome1 tokens=w"), "save A white", dice=[4, 6]).state
    assert (state.active, place(state, "A")) == (1, "rome-reserve")


@rule("V10-troops.4a")
def test_an_elite_unit_may_reroll_the_dark_die_of_any_failed_save_even_for_the_worse() -> None:
    """The clause says a failed save, not a broken unit: a player may want his unit to fall back."""
    state = do(hurt("A legionaries barb1 tokens=w elite"), "save A white", dice=[4, 4]).state
    assert legal_lines(state) == ["reroll", "accept"]
    held, broken = do(state, "reroll", dice=[1]).state, do(state, "reroll", dice=[5]).state
    assert (place(held, "A"), cohesion(held, "A")) == ("barb1", 3)
    assert (place(broken, "A"), cohesion(broken, "A")) == ("rome1", 3)
    accepted = do(state, "accept").state
    assert (place(accepted, "A"), cohesion(accepted, "A")) == ("barb1", 3)


@rule("V10-troops.4a", "V6.4-evade-c")
def test_an_elite_light_unit_that_keeps_its_dark_die_may_still_evade() -> None:
    state = hurt("A light_cavalry barb1 tokens=w elite")
    state = run(state, "save A white", "accept", "evade", dice=[6, 2])
    assert (place(state, "A"), cohesion(state, "A")) == ("rome1", 2)


@rule("V10-troops.4a", "V6.4-evade-c")
def test_an_elite_light_unit_may_evade_after_a_good_reroll() -> None:
    state = hurt("A light_cavalry barb1 tokens=w elite")
    state = run(state, "save A white", "reroll", "evade", dice=[6, 3, 2])
    assert (place(state, "A"), cohesion(state, "A")) == ("rome1", 2)


# --- 10.5 rabble ---------------------------------------------------------------------------------


@rule("V10-troops.5a")
@pytest.mark.parametrize(("dark", "end"), [(4, "rome1"), (5, "rome-reserve"), (8, "rome-reserve")])
def test_rabble_roll_a_dark_d8(dark: int, end: str) -> None:
    state = hurt("A legionaries rome1 tokens=w rabble")
    assert place(do(state, "save A white", dice=[6, dark]).state, "A") == end


@rule("V10-troops.5a")
def test_the_light_die_of_rabble_stays_a_d6() -> None:
    for light in (7, 8):
        with pytest.raises(WrongLuck):
            do(hurt("A legionaries rome1 tokens=w rabble"), "save A white", dice=[light, 1])


@rule("V10-troops.5a", "V3.1b")
@pytest.mark.parametrize(("mark", "chance"), [("rabble", Fraction(1, 4)), ("", Fraction(1, 6))])
def test_rabble_of_cohesion_4_break_on_half_their_failures_and_others_on_a_third(
    mark: str, chance: Fraction
) -> None:
    state = hurt(f"A legionaries rome1 tokens=w {mark}")
    results = outcomes(state, parse_action(VIRTUS, "save A white"))
    assert sum(p for p, after in results if place(after, "A") == "rome-reserve") == chance


@rule("V10-troops.5a")
def test_other_tests_of_rabble_are_rolled_on_a_d6() -> None:
    state = moves(battle("A legionaries rome-reserve rabble; B legionaries rome1", FOE), 1)
    assert place(do(state, "move A rome1>barb1", dice=[3]).state, "A") == "barb1"
    with pytest.raises(WrongLuck):
        do(state, "move A rome1>barb1", dice=[7])
    state = rallies(battle("A legionaries rome-reserve vc=1 rabble", FOE))
    with pytest.raises(WrongLuck):
        do(state, "rally A", dice=[7])
