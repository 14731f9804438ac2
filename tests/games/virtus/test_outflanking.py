"""Outflanking: from where and with what (V5.4a), doubled hits (V5.4b), pinned units (V5.4c-d), orbis."""

from __future__ import annotations

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.attack import ShareChoice
from legatus.games.virtus.state import VirtusState
from legatus.kernel.objects import replace
from tests.rules import rule

from .field import (
    battle,
    cohesion,
    decision,
    do,
    fights,
    general,
    legal_lines,
    place,
    refusals,
    run,
    skirmish,
    tokens,
    unit,
)


def flank(state: VirtusState, dice: list[int], line: str = "outflank A rome2") -> VirtusState:
    return do(fights(state, 1), line, dice=dice).state


# --- from where, at what (V5.4a) -----------------------------------------------------------------


@rule("V5.4a")
def test_a_unit_attacks_the_sector_beside_its_own_without_leaving_its_place() -> None:
    after = flank(skirmish("A trained_auxiliaries rome1", "X warriors rome2"), [3, 3, 4])
    assert tokens(after, "X") == "ww"
    assert place(after, "A") == "rome1"


@rule("V5.4a")
def test_the_sectors_beside_are_those_next_to_it_in_the_same_camp() -> None:
    foes = "; ".join(f"X{n} warriors {n}" for n in ("rome1", "rome3", "rome4", "barb1", "barb3"))
    state = battle("A trained_auxiliaries rome2", foes, columns=4)
    assert legal_lines(fights(state, 2)) == ["outflank A rome1", "outflank A rome3", "done", "end-segment"]
    for place_ in ("rome4", "barb1", "barb2", "barb3", "barb-reserve", "rome-reserve"):
        assert "V5.4a" in refusals(fights(state, 2), f"outflank A {place_}")


@rule("V5.4a")
def test_the_flanks_of_the_table_have_one_neighbour() -> None:
    state = battle("A trained_auxiliaries rome4", "X warriors rome3; Y warriors rome1", columns=4)
    assert legal_lines(fights(state, 4)) == ["outflank A rome3", "done", "end-segment"]
    state = battle("A trained_auxiliaries rome3", "X warriors rome4", columns=4)
    assert legal_lines(fights(state, 3)) == ["outflank A rome4", "done", "end-segment"]
    state = battle("A trained_auxiliaries rome3", "X warriors rome1; Y warriors barb-reserve", columns=3)
    assert legal_lines(fights(state, 3)) == ["done", "end-segment"]
    assert refusals(fights(state, 3), "outflank A rome4") == ["V5.4a"]
    assert refusals(fights(state, 3), "outflank A rome1") == ["V5.4a"]


@rule("V5.4a")
def test_a_unit_in_the_enemy_camp_outflanks_the_enemys_sectors() -> None:
    state = battle("A trained_auxiliaries barb2", "X warriors barb3; Y warriors rome3")
    assert legal_lines(fights(state, 2)) == ["outflank A barb3", "done", "end-segment"]


@rule("V5.4a")
def test_an_engaged_unit_does_not_outflank() -> None:
    state = battle("A legionaries rome1", "X warriors rome2; Y warriors rome1")
    assert refusals(fights(state, 1), "outflank A rome2") == ["V5.4a"]


@rule("V5.4a")
def test_an_attack_on_the_flank_needs_an_enemy_unit_there() -> None:
    state = battle("A legionaries rome1; B legionaries rome2", generals="G barbarians rome2")
    assert refusals(fights(state, 1), "outflank A rome2") == ["V5.4a"]


@rule("V5.4a")
def test_nobody_outflanks_from_the_reserve() -> None:
    state = battle("A legionaries rome-reserve", "X warriors rome1")
    assert "V5.4a" in refusals(fights(state, 1), "outflank A rome1")


@rule("V5.4a")
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("light_archers", 2),  # VO 1, VT 2
        ("slingers", 2),  # VO 2, VT 1
        ("scorpions", 3),  # VO 1, VT 3
        ("ballistas", 4),
        ("noble_warriors", 4),
        ("horde", 4),  # impetuous
    ],
)
def test_the_higher_of_offensive_and_shooting_value_is_used(kind: str, value: int) -> None:
    state = skirmish(f"A {kind} rome1", "X warriors rome2")
    dice = cohesion(state, "A")
    assert len(tokens(flank(state, [value] * dice), "X")) == dice
    assert tokens(flank(state, [value + 1] * dice), "X") == ""


@rule("V5.4a")
def test_the_values_are_compared_after_modifiers() -> None:
    """A custom type, VO 3 and VT 2, in rocks: VO is set to 1, so VT is the higher."""
    state = skirmish("A trained_auxiliaries rome1", "X warriors rome2", terrain={"rome1": "rocks"})
    units = list(state.roster.units)
    units[0] = replace(units[0], vt=2)
    state.roster = replace(state.roster, units=tuple(units))
    assert tokens(flank(state, [2, 2, 3]), "X") == "ww"


@rule("V5.4a")
@pytest.mark.parametrize("ground", ["woods", "wooded_hill", "thick_forest"])
def test_the_shooting_value_does_not_serve_into_woods(ground: str) -> None:
    state = skirmish("A light_archers rome1", "X warriors rome2", terrain={"rome2": ground})
    assert tokens(flank(state, [1, 2]), "X") == "g"


@rule("V5.4a")
@pytest.mark.parametrize("ground", ["hill", "marsh", "rocks"])
def test_the_shooting_value_serves_into_other_ground_and_out_of_woods(ground: str) -> None:
    terrain = {"rome1": "woods", "rome2": ground}
    state = skirmish("A light_archers rome1", "X warriors rome2", terrain=terrain)
    assert tokens(flank(state, [2, 3]), "X") == "g"


@rule("V5.4a")
def test_the_shooting_value_serves_into_a_sector_with_friends() -> None:
    state = skirmish("A light_archers rome1; B legionaries rome2", "X warriors rome2")
    after = flank(state, [2, 3])
    assert tokens(after, "X") == "gg"
    assert tokens(after, "B") == ""


@rule("V5.4a", "V4.3g")
def test_the_attackers_segment_pays_for_an_attack_on_the_flank() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome2")
    state.points[2] = 5
    after = do(fights(state, 1, points=1), "outflank A rome2", dice=[6, 6, 6, 6]).state
    assert after.points[1:3] == [0, 5]
    assert "V5a" in refusals(fights(state, 2), "outflank A rome2")


# --- doubled hits (V5.4b, V12.4a) ----------------------------------------------------------------


@rule("V5.4b")
def test_a_hit_on_the_flank_of_an_engaged_sector_is_two_tokens() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome2", "X warriors rome2")
    assert tokens(flank(state, [1, 3, 4, 5]), "X") == "wwww"


@rule("V5.4b")
def test_a_hit_on_the_flank_of_a_sector_that_is_not_engaged_is_one_token() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome2", generals="G rome rome2")
    assert tokens(flank(state, [1, 3, 4, 5]), "X") == "ww"


@rule("V5.4b")
def test_hits_on_the_flank_are_shared_out_and_both_tokens_go_to_one_unit() -> None:
    foes = "X warriors rome2; Y warriors rome2; Z warriors rome2"
    state = flank(skirmish("A legionaries rome1; B legionaries rome2", foes), [1, 2, 3, 6])
    assert isinstance(decision(state), ShareChoice)
    state = do(state, "take white Y").state
    assert tokens(state, "Y") == "ww"
    assert refusals(state, "take white Y") == ["V5.1c"]
    state = do(state, "take white X").state
    assert [tokens(state, name) for name in "XYZ"] == ["ww", "ww", "ww"]


@rule("V5.4b")
def test_an_ordinary_fight_in_an_engaged_sector_is_not_doubled() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome2", "X warriors rome2")
    assert tokens(do(fights(state, 2), "fight B", dice=[1, 3, 4, 5]).state, "X") == "ww"


@rule("V12.4a", "V5.4b")
def test_a_hit_on_the_flank_is_one_token_on_a_unit_in_orbis() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome2", "X noble_warriors rome2 form=orbis")
    assert tokens(flank(state, [1, 3, 4, 5]), "X") == "ww"
    state = skirmish("A legionaries rome1; B legionaries rome2", "X noble_warriors rome2 form=shieldwall")
    assert tokens(flank(state, [1, 3, 4, 5]), "X") == "wwww"


@rule("V12.4a")
def test_orbis_changes_nothing_where_the_sector_is_not_engaged_or_the_attack_is_in_front() -> None:
    state = skirmish("A legionaries rome1", "X noble_warriors rome2 form=orbis")
    assert tokens(flank(state, [1, 3, 4, 5]), "X") == "ww"
    state = skirmish("B legionaries rome2", "X noble_warriors rome2 form=orbis")
    assert tokens(do(fights(state, 2), "fight B", dice=[1, 3, 4, 5]).state, "X") == "ww"


@rule("V12.4a", "V5.4b")
def test_orbis_spares_only_the_unit_that_formed_it() -> None:
    foes = "X noble_warriors rome2 form=orbis; Y noble_warriors rome2"
    state = flank(skirmish("A legionaries rome1; B legionaries rome2", foes), [1, 3, 4, 5])
    state = do(state, "take white X").state
    assert [tokens(state, name) for name in "XY"] == ["w", "ww"]


@rule("V5.4b", "V12.4a")
def test_hits_and_not_tokens_are_shared_evenly_with_a_unit_in_orbis() -> None:
    """Q17: one hit each, then either may take the third, though orbis has turned two tokens into one."""
    foes = "X noble_warriors rome2 form=orbis; Y noble_warriors rome2"
    state = flank(skirmish("A legionaries rome1; B legionaries rome2", foes), [1, 2, 3, 6])
    state = do(state, "take white Y").state
    assert [tokens(state, name) for name in "XY"] == ["w", "ww"]
    assert legal_lines(state) == ["take white X", "take white Y"]


MIXED = {
    "two hits on orbis and another": ("X {t} rome2 form=orbis; Y {t} rome2", [1, 3, 4, 5], {3}),
    "four hits": ("X {t} rome2 form=orbis; Y {t} rome2", [1, 2, 3, 3], {6}),
    "one hit on another and orbis": ("Y {t} rome2; X {t} rome2 form=orbis", [1, 4, 5, 5], {1, 2}),
    "one hit: his choice": ("X {t} rome2 form=orbis; Y {t} rome2", [1, 4, 5, 5], {1, 2}),
    "three hits on three": (
        "X {t} rome2 form=orbis; Y {t} rome2; Z {t} rome2 form=orbis",
        [1, 2, 3, 5],
        {4},
    ),
    "who has tokens waits": ("X {t} rome2 form=orbis; Y {t} rome2 tokens=ww", [1, 3, 4, 5], {2, 3}),
    "all in orbis": ("X {t} rome2 form=orbis; Y {t} rome2 form=orbis", [1, 2, 4, 5], {2}),
    "nobody in orbis": ("X {t} rome2; Y {t} rome2", [1, 2, 4, 5], {4}),
}


def shared_out(state: VirtusState, least: bool) -> set[int]:
    """How many tokens there are at last: as few as may be, or by any way of sharing the hits out."""
    choice = decision(state)
    if not isinstance(choice, ShareChoice):
        return {sum(map(len, state.tokens))}
    totals = [shared_out(do(state, line).state, least) for line in legal_lines(state)]
    return {min(min(found) for found in totals)} if least else set().union(*totals)


@rule("V12.4a", "V5.4b")
@pytest.mark.parametrize("case", MIXED)
def test_odds_count_the_tokens_that_play_gives_in_a_mixed_sector(case: str) -> None:
    """Where the defender has the choice, the odds are those of one who takes the hit in orbis."""
    foes, dice, totals = MIXED[case]
    before = skirmish("A legionaries rome1; B legionaries rome2", foes.format(t="noble_warriors"))
    held = sum(map(len, before.tokens))
    after = flank(before, dice)
    assert {total - held for total in shared_out(after, least=False)} == totals
    counted = VIRTUS.measure(before, after)["tokens"]
    assert {counted} == {total - held for total in shared_out(after, least=True)} == {min(totals)}


# --- pinned units (V5.4c, V5.4d) -----------------------------------------------------------------


@rule("V5.4c")
def test_an_unengaged_enemy_opposite_pins_a_unit_in_its_own_camp() -> None:
    state = battle("A legionaries rome1", "X warriors rome2; Y warriors barb1")
    assert refusals(fights(state, 1), "outflank A rome2") == ["V5.4c"]
    state = battle("A legionaries rome1", "X warriors rome2; Y warriors barb2; Z warriors barb-reserve")
    assert refusals(fights(state, 1), "outflank A rome2") == []


@rule("V5.4c")
def test_an_enemy_opposite_who_is_engaged_there_does_not_pin() -> None:
    state = battle("A legionaries rome1; B legionaries barb1", "X warriors rome2; Y warriors barb1")
    assert refusals(fights(state, 1), "outflank A rome2") == []


@rule("V5.4c")
def test_generals_neither_pin_nor_engage_what_pins() -> None:
    lords = "G barbarians barb1; F rome barb3"
    state = battle(
        "A legionaries rome1; B legionaries rome3", "X warriors rome2; Y warriors barb3", generals=lords
    )
    assert refusals(fights(state, 1), "outflank A rome2") == []
    assert refusals(fights(state, 3), "outflank B rome2") == ["V5.4c"]


@rule("V5.4c")
def test_nothing_pins_a_unit_in_the_enemy_camp() -> None:
    state = battle("A legionaries barb1", "X warriors barb2; Y warriors rome1; Z warriors barb-reserve")
    assert refusals(fights(state, 1), "outflank A barb2") == []


@rule("V5.4d")
@pytest.mark.parametrize(
    "front_of_b",
    ["", "; C legionaries barb3 / Z warriors barb3"],
    ids=["nobody opposite", "all engaged opposite"],
)
def test_the_worked_example_a_is_pinned_and_b_is_not(front_of_b: str) -> None:
    friend, _, foe = front_of_b.partition(" / ")
    state = battle(
        f"A legionaries rome1; B legionaries rome3{friend}", f"X warriors rome2; Y warriors barb1; {foe}"
    )
    assert refusals(fights(state, 1), "outflank A rome2") == ["V5.4c"]
    assert refusals(fights(state, 3), "outflank B rome2") == []


@rule("V5.4d")
def test_the_worked_example_with_b_in_the_enemy_camp() -> None:
    state = battle(
        "A legionaries rome1; B legionaries barb3",
        "X warriors rome2; Y warriors barb1; Z warriors barb2; W warriors rome3",
    )
    assert refusals(fights(state, 1), "outflank A rome2") == ["V5.4c"]
    assert refusals(fights(state, 3), "outflank B barb2") == []


@rule("V5.4c", "V5.4d")
def test_the_barbarians_are_pinned_alike() -> None:
    state = battle(
        "A legionaries rome1; B legionaries barb2",
        "X warriors barb1; Y warriors barb3",
        active="barbarians",
    )
    assert refusals(fights(state, 1), "outflank X barb2") == ["V5.4c"]
    assert refusals(fights(state, 3), "outflank Y barb2") == []


# --- generals (V5.5a) ----------------------------------------------------------------------------


@rule("V5.5a")
def test_sixes_on_the_flank_mark_the_general_there_and_are_never_doubled() -> None:
    lords = "G barbarians rome2; H barbarians rome3"
    state = skirmish("A legionaries rome1; B legionaries rome2", "X warriors rome2", generals=lords)
    after = flank(state, [6, 6, 3, 5])
    assert after.gtokens[general(after, "G")] == 2
    assert after.gtokens[general(after, "H")] == 0
    assert tokens(after, "X") == "ww"


@rule("V5.4a", "V5b")
def test_an_attack_on_the_flank_is_the_units_one_fight() -> None:
    state = skirmish("A legionaries rome1; C legionaries rome1", "X warriors rome2")
    state = run(fights(state, 1), "outflank A rome2", dice=[6, 6, 6, 6])
    assert refusals(state, "outflank A rome2") == ["V5b"]
    assert state.flags[unit(state, "C")] == 0
    assert refusals(state, "outflank C rome2") == []
