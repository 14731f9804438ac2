"""Rivers and their crossings (V14.1a); fortified camps (V14.2b-e)."""

from __future__ import annotations

import pytest

from legatus.games.virtus.saves import Saves
from legatus.games.virtus.sequence import BeginTurn, EndTurn
from legatus.games.virtus.state import PLACE, VirtusState, put
from tests.rules import rule

from .field import (
    at,
    battle,
    cohesion,
    declares,
    do,
    fights,
    go_on,
    legal_lines,
    moves,
    place,
    refusals,
    run,
    segments,
    skirmish,
    tokens,
    unit,
)
from .field import tests as about_to_test

# --- rivers (V14.1a) -----------------------------------------------------------------------------


@rule("V14.1a")
@pytest.mark.parametrize(("water", "limit"), [("river", 2), ("bridge", 3), ("deep", 1)])
def test_so_many_units_cross_in_a_turn(water: str, limit: int) -> None:
    army = "; ".join(f"A{n} trained_auxiliaries rome1" for n in range(1, limit + 2))
    state = moves(skirmish(army, rivers={"seg1": water}), 1)
    for n in range(1, limit + 1):
        assert refusals(state, f"move A{n} barb1") == []
        state = run(state, f"move A{n} barb1")
    assert refusals(state, f"move A{limit + 1} barb1") == ["V14.1a"]
    assert f"move A{limit + 1} barb1" not in legal_lines(state)
    assert refusals(state, f"move A{limit + 1} rome-reserve") == []


@rule("V14.1a")
@pytest.mark.parametrize(("water", "limit"), [("river", 2), ("bridge", 3), ("deep", 1)])
def test_both_directions_count_together(water: str, limit: int) -> None:
    army = "; ".join(f"B{n} trained_auxiliaries barb1" for n in range(1, limit + 1))
    state = moves(skirmish(f"{army}; A trained_auxiliaries rome1", rivers={"seg1": water}), 1)
    for n in range(1, limit + 1):
        assert refusals(state, "move A barb1") == []
        state = run(state, f"move B{n} rome1")
    assert refusals(state, "move A barb1") == ["V14.1a"]


@rule("V14.1a")
def test_without_a_river_any_number_crosses() -> None:
    army = "; ".join(f"A{n} trained_auxiliaries rome1" for n in range(1, 6))
    state = moves(skirmish(army, rivers={"seg2": "deep"}), 1)
    state = run(state, *[f"move A{n} barb1" for n in range(1, 6)])
    assert place(state, "A5") == "barb1"


@rule("V14.1a")
def test_each_border_has_its_own_limit() -> None:
    army = "A trained_auxiliaries rome1; B trained_auxiliaries rome1; C trained_auxiliaries rome2"
    state = skirmish(army, rivers={"seg1": "deep", "seg2": "deep"})
    state = run(segments(state, {1: 3, 2: 3}), "activate seg1", "move A barb1", "done", "activate seg2")
    assert refusals(state, "move C barb2") == []


@rule("V14.1a")
def test_the_river_counts_in_the_middle_of_a_longer_move() -> None:
    army = "A heavy_cavalry rome-reserve; B heavy_cavalry barb1; C heavy_cavalry rome-reserve"
    state = moves(skirmish(army, rivers={"seg1": "deep"}), 1)
    after = run(state, "move A rome1>barb1")
    assert refusals(after, "move C rome1>barb1") == ["V14.1a"]
    assert refusals(after, "move C rome1") == []
    after = run(state, "move B rome1>rome-reserve")
    assert refusals(after, "move C rome1>barb1") == ["V14.1a"]


@rule("V14.1a")
def test_steps_to_and_from_the_reserve_cross_nothing() -> None:
    army = "A trained_auxiliaries rome1; B trained_auxiliaries rome-reserve; C trained_auxiliaries rome1"
    state = moves(skirmish(army, rivers={"seg1": "deep"}), 1)
    state = run(state, "move A rome-reserve", "move B rome1")
    assert refusals(state, "move C barb1") == []


@rule("V14.1a")
def test_retreats_are_exempt_and_use_up_nothing() -> None:
    army = "A noble_warriors barb1 tokens=w; B noble_warriors barb1 tokens=w; C noble_warriors rome1"
    state = skirmish(army, rivers={"seg1": "deep"})
    state = run(about_to_test(state), "save A white", "save B white", dice=[6, 6, 6, 6])
    assert (place(state, "A"), place(state, "B")) == ("rome1", "rome1")
    assert refusals(moves(state, 1), "move C barb1") == []


@rule("V14.1a")
def test_generals_are_exempt_and_use_up_nothing() -> None:
    army, lords = "A noble_warriors rome1; B noble_warriors rome1", "G rome rome1; H rome rome2"
    state = moves(skirmish(army, rivers={"seg1": "deep"}, generals=lords), 1)
    after = run(state, "move A barb1", "ride G barb1")
    assert after.gplace[0] == PLACE["barb1"]
    assert refusals(run(state, "ride G barb1"), "move A barb1") == []


@rule("V14.1a")
def test_the_count_begins_anew_with_every_turn() -> None:
    state = skirmish("A noble_warriors rome1; B noble_warriors rome1", rivers={"seg1": "deep"})
    state = run(moves(state, 1), "move A barb1")
    assert refusals(state, "move B barb1") == ["V14.1a"]
    state = moves(go_on(at(state, BeginTurn(1, 6), BeginTurn(0, 7), Saves(0))).state, 1)
    assert refusals(state, "move B barb1") == []


@rule("V14.1a")
def test_the_river_says_nothing_about_fights_across_it() -> None:
    state = battle("A light_archers rome1", "X warriors barb1", rivers={"seg1": "deep"})
    assert refusals(fights(state, 1), "shoot A") == []


# --- defending a camp (V14.2b, V14.2c) -----------------------------------------------------------


def hit(state: VirtusState, line: str, dice: list[int]) -> VirtusState:
    """The barbarians attack in segment 1; Rome is about to test."""
    state.active = 1
    return do(fights(state, int(place(state, line.split()[1])[-1]), points=9), line, dice=dice).state


def saves(state: VirtusState, value: int, name: str = "A") -> bool:
    """Whether the unit's first token is saved with exactly this value."""
    line = next(line for line in legal_lines(state) if line.startswith(f"save {name} "))
    full = cohesion(state, name)
    held = cohesion(do(state, line, dice=[value, 1]).state, name)
    lost = cohesion(do(state, line, dice=[value + 1, 1]).state, name)
    return (held, lost) == (full, full - 1)


ATTACKS = {
    "white": ("X noble_warriors rome1", "fight X", [1, 6, 6]),
    "blue": ("X dacian_falxmen rome1", "fight X", [1, 6, 6, 6]),
    "violet": ("X legionaries rome1", "fight X pila", [1, 6, 6, 6]),
    "green": ("X light_archers barb1", "shoot X", [1, 6]),
    "sling": ("X slingers rome1", "fight X", [1, 6]),
    "bolt": ("X scorpions barb1", "shoot X", [1]),
    "yellow": ("X dromedarii rome1", "fight X", [1, 6, 6]),
    "black": ("X elephants rome1", "fight X", [1, 6, 6, 6]),
    "bolt-near": ("X ballistas rome1", "fight X", [1]),
    "flank": ("X noble_warriors rome2", "outflank X rome1", [1, 6, 6]),
}


def attacked(defender: str, attack: str, **more: object) -> VirtusState:
    foe, line, dice = ATTACKS[attack]
    return hit(skirmish(f"A {defender}", foe, **more), line, dice)


@rule("V14.2b")
@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize(
    ("kind", "value"), [("legionaries", 4), ("cataphracts", 5), ("light_archers", 2), ("horde", 3)]
)
def test_defenders_of_a_camp_save_one_better_against_anything(kind: str, value: int, attack: str) -> None:
    state = attacked(f"{kind} rome1", attack, camps=["rome1"])
    assert saves(state, value)


@rule("V14.2b")
@pytest.mark.parametrize(("attack", "value"), [("white", 3), ("blue", 2), ("violet", 2), ("black", 2)])
def test_outside_a_camp_the_usual_values_hold(attack: str, value: int) -> None:
    assert saves(attacked("legionaries rome1", attack), value)


@rule("V14.2b")
@pytest.mark.parametrize("form", ["testudo", "shieldwall"])
def test_formations_and_pikes_add_nothing_in_a_camp(form: str) -> None:
    state = attacked(f"legionaries rome1 pikes form={form}", "white", camps=["rome1"])
    assert saves(state, 4)


@rule("V14.2b")
def test_two_handed_units_are_one_better_than_printed_in_a_camp() -> None:
    assert saves(attacked("palestinian_auxiliaries rome1", "blue", camps=["rome1"]), 3)


@rule("V14.2b")
def test_one_passes_and_six_fails_in_a_camp_too() -> None:
    state = attacked("veteran_legionaries rome1", "white", camps=["rome1"])
    assert saves(state, 5)


@rule("V14.2b")
def test_an_invader_has_no_shelter_in_the_camp() -> None:
    state = skirmish("A legionaries barb1", "X noble_warriors barb1", camps=["barb1"])
    state = hit(state, "fight X", [1, 6, 6])
    assert saves(state, 3)


@rule("V14.2b")
def test_the_camp_shelters_only_its_own_sector() -> None:
    state = skirmish("A legionaries rome1", "X noble_warriors rome1", camps=["rome2"])
    assert saves(hit(state, "fight X", [1, 6, 6]), 3)


@rule("V14.2b")
def test_charisma_still_helps_the_dark_die_in_a_camp() -> None:
    more = {"camps": ["rome1"], "generals": "G rome rome1 charismatic"}
    state = attacked("noble_warriors rome1", "white", **more)
    assert place(do(state, "save A white", dice=[6, 4]).state, "A") == "rome1"
    assert place(do(state, "save A white", dice=[6, 5]).state, "A") == "rome-reserve"


@rule("V14.2b")
def test_shelter_is_fixed_when_the_token_is_received() -> None:
    state = skirmish("A legionaries rome1", "X noble_warriors rome1", camps=["rome1"])
    state = hit(state, "fight X", [1, 2, 6])
    state = run(state, "save A white", dice=[5, 6])  # it retreats out of the camp
    assert place(state, "A") == "rome-reserve"
    assert saves(state, 4)


@rule("V14.2c")
@pytest.mark.parametrize(
    ("kind", "value"), [("legionaries", 3), ("veteran_legionaries", 3), ("horde", 3), ("light_archers", 2)]
)
def test_far_ballistas_limit_the_camp_to_three(kind: str, value: int) -> None:
    state = skirmish(f"A {kind} rome1", "X ballistas barb1", camps=["rome1"])
    assert saves(hit(state, "shoot X", [1]), value)


@rule("V14.2c")
def test_ballistas_on_the_flank_are_far_too_and_those_at_hand_are_not() -> None:
    state = skirmish("A legionaries rome1", "X ballistas rome2", camps=["rome1"])
    assert saves(hit(state, "outflank X rome1", [1]), 3)
    state = skirmish("A legionaries rome1", "X ballistas rome1", camps=["rome1"])
    assert saves(hit(state, "fight X", [1]), 4)


@rule("V14.2c")
@pytest.mark.parametrize(
    ("where", "line", "value"),
    [("barb1", "shoot X", 3), ("rome2", "outflank X rome1", 3), ("rome1", "fight X", 5)],
)
def test_the_limit_holds_without_the_option_of_missiles(where: str, line: str, value: int) -> None:
    state = skirmish("A veteran_legionaries rome1", f"X ballistas {where}", camps=["rome1"], missiles=False)
    assert saves(hit(state, line, [1]), value)


@rule("V14.2c", "V11.2a")
def test_without_the_option_of_missiles_ballistas_strike_like_others_where_no_camp_shelters() -> None:
    for more in ({}, {"camps": ["rome1"], "holder": {"rome1": "barbarians"}}, {"camps": ["rome2"]}):
        state = skirmish("A legionaries rome1 pikes", "X ballistas barb1", missiles=False, **more)
        after = hit(state, "shoot X", [1])
        assert tokens(after, "A") == "r"  # a white hit from afar gives pikes no benefit
        assert saves(after, 3)


@rule("V14.2c")
def test_without_the_option_of_missiles_scorpions_meet_no_limit_either() -> None:
    state = skirmish("A veteran_legionaries rome1", "X scorpions barb1", camps=["rome1"], missiles=False)
    assert saves(hit(state, "shoot X", [1]), 5)


@rule("V14.2c")
def test_scorpions_meet_no_such_limit() -> None:
    state = skirmish("A legionaries rome1", "X scorpions barb1", camps=["rome1"])
    assert saves(hit(state, "shoot X", [1]), 4)


# --- horse in a camp (V14.2d) --------------------------------------------------------------------


@rule("V14.2d")
@pytest.mark.parametrize("side", ["rome", "barbarians"])
@pytest.mark.parametrize(
    ("kind", "value"), [("cataphracts", 1), ("light_cavalry", 1), ("elephants", 1), ("noble_warriors", 4)]
)
def test_in_a_camp_horse_of_both_sides_fights_with_one(kind: str, value: int, side: str) -> None:
    own, foe = f"A {kind} rome1", "X horde rome1"
    state = skirmish(*((own, foe) if side == "rome" else (foe, own)), camps=["rome1"], active=side)
    dice = [value, *[value + 1] * (cohesion(state, "A") - 1)]
    assert len(tokens(do(fights(state, 1), "fight A", dice=dice).state, "X")) == 1


@rule("V14.2d")
def test_horse_in_a_camp_attacks_a_flank_with_one_and_shoots_as_ever() -> None:
    state = skirmish("A heavy_cavalry rome1", "X horde rome2", camps=["rome1"])
    assert tokens(do(fights(state, 1), "outflank A rome2", dice=[1, 2, 2, 2]).state, "X") == "w"
    state = skirmish("A horse_archers rome1", "X horde barb1", camps=["rome1"])
    assert tokens(do(fights(state, 1), "shoot A", dice=[2, 2]).state, "X") == "gg"
    state = skirmish("A horse_archers rome1", "X horde rome2", camps=["rome1"])
    assert tokens(do(fights(state, 1), "outflank A rome2", dice=[2, 3]).state, "X") == "g"


@rule("V14.2d")
def test_horse_that_attacks_a_camp_from_outside_is_not_hampered() -> None:
    state = skirmish("A heavy_cavalry rome2", "X horde rome1", camps=["rome1"])
    assert tokens(do(fights(state, 2), "outflank A rome1", dice=[3, 4, 4, 4]).state, "X") == "w"


@rule("V14.2d")
@pytest.mark.parametrize("side", ["rome", "barbarians"])
@pytest.mark.parametrize(
    ("kind", "clauses"), [("heavy_cavalry", ["V14.2d"]), ("elephants", ["V14.2d"]), ("noble_warriors", [])]
)
def test_in_a_camp_horse_of_both_sides_does_not_charge(kind: str, clauses: list[str], side: str) -> None:
    own, foe = f"A {kind} rome1", "X horde rome1"
    state = battle(*((own, foe) if side == "rome" else (foe, own)), camps=["rome1"], active=side)
    assert refusals(declares(state, {1: 9}), "declare-charge A") == clauses
    state = battle(*((own, foe) if side == "rome" else (foe, own)), camps=["rome2"], active=side)
    assert refusals(declares(state, {1: 9}), "declare-charge A") == []


# --- a conquered camp (V14.2e) -------------------------------------------------------------------


@rule("V14.2e")
def test_a_camp_passes_to_the_invader_at_the_check_as_the_owners_turn_ends() -> None:
    state = skirmish("A legionaries barb1", "X noble_warriors barb2", camps=["barb1"], active="barbarians")
    before = hit(state.copy(), "outflank X barb1", [1, 6, 6])
    assert saves(before, 3)
    state = go_on(at(state, EndTurn(1))).state
    assert saves(hit(state, "outflank X barb1", [1, 6, 6]), 4)


@rule("V14.2e")
def test_the_owners_check_alone_does_not_pass_the_camp() -> None:
    state = skirmish("A legionaries barb1", "X noble_warriors barb2", camps=["barb1"])
    state = go_on(at(state, EndTurn(0))).state
    assert saves(hit(state, "outflank X barb1", [1, 6, 6]), 3)


@rule("V14.2e")
def test_a_conquered_camp_still_serves_when_enemies_come_back_in() -> None:
    state = skirmish("A legionaries barb1", "X noble_warriors barb2", camps=["barb1"], active="barbarians")
    state = go_on(at(state, EndTurn(1))).state
    put(state, unit(state, "X"), PLACE["barb1"])
    assert saves(hit(state, "fight X", [1, 6, 6]), 4)


@rule("V14.2e")
def test_the_old_owner_has_no_shelter_until_he_passes_the_check_himself() -> None:
    state = skirmish("A legionaries barb1", "X trained_auxiliaries barb1", camps=["barb1"])
    state.holder[PLACE["barb1"]] = 0
    after = do(fights(state, 1, points=1), "fight A", dice=[1, 6, 6, 6]).state
    assert saves(after, 3, "X")
    put(state, unit(state, "A"), PLACE["rome2"])
    state = go_on(at(state, EndTurn(0))).state
    put(state, unit(state, "A"), PLACE["barb1"])
    state.active = 0
    after = do(fights(state, 1, points=1), "fight A", dice=[1, 6, 6, 6]).state
    assert saves(after, 4, "X")
