"""2 The turn and its order; 1.8 Victory: two conquered sectors, an open flank, an army destroyed, a draw."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.virtus.combat import Fights
from legatus.games.virtus.moves import Moves
from legatus.games.virtus.saves import Saves
from legatus.games.virtus.segments import Segments
from legatus.games.virtus.sequence import EndTurn
from legatus.games.virtus.state import PLACE, RETREATED, SEATS, VirtusState
from legatus.kernel import Outcome, Play
from tests.games.virtus.field import (
    at,
    battle,
    decision,
    declares,
    do,
    face_down,
    give_hand,
    go_on,
    hand_and_cards,
    moves,
    place,
    rallies,
    refusals,
    run,
    segments,
    skirmish,
    told,
    unit,
    whole_turn,
)
from tests.games.virtus.field import tests as about_to_test
from tests.rules import rule

ROME_CONQUERS = Outcome(0, "V1.8a", "end.conquest")
ROME_OUTFLANKS = Outcome(0, "V5.4e", "end.outflanked")
DRAWN = Outcome(None, "V1.8d", "end.stalemate")


def end_turn(state: VirtusState) -> Play:
    """The active side's turn ends; the next one stops at its tests."""
    return go_on(at(state, EndTurn(state.active)))


def last(state: VirtusState, name: str) -> str:
    return SEATS[state.last[PLACE[name]]]


def holder(state: VirtusState, name: str) -> str:
    return SEATS[state.holder[PLACE[name]]]


# --- 2 the turn ----------------------------------------------------------------------------------


@rule("V2a")
def test_a_turn_is_tests_then_cards_then_fights_charges_moves_and_rallies() -> None:
    rome = "A legionaries rome1 tokens=w; B legionaries rome1; R legionaries rome-reserve vc=2"
    state = battle(rome, "X warriors rome1; Y warriors barb-reserve tokens=w")
    state = go_on(whole_turn(give_hand(state, "rome", "6"))).state
    asked = []
    for line, dice in (
        ("save A white", [1, 1]),
        ("lay 6 seg1", []),
        ("declare-charge B", []),
        ("done", []),
        ("activate seg1", []),
        ("fight A", [6, 6, 6, 6]),
        ("charge B X", [6, 6, 6, 6]),
        ("done", []),
        ("rally R", [6]),
    ):
        asked.append(type(decision(state)).__name__)
        state = do(state, line, dice=dice).state
    assert asked == [
        "Saves",
        "Cards",
        "Declarations",
        "Declarations",
        "Segments",
        "Fights",
        "Charges",
        "Moves",
        "Rallies",
    ]
    assert decision(state) == Saves(1)  # then the opponent does the same
    assert (state.active, state.turn) == (1, 6)


@rule("V2a")
def test_players_alternate() -> None:
    state = skirmish("A legionaries rome1", "X warriors barb3")
    first = end_turn(state)
    assert (first.state.active, first.state.turn) == (1, 6)
    assert told(first) == [("V2a", "event.turn")]
    second = end_turn(first.state)
    assert (second.state.active, second.state.turn) == (0, 7)


@rule("V2a")
def test_each_segment_moves_before_the_next_one_fights() -> None:
    rome = "A legionaries rome1; B legionaries rome1; C legionaries rome2"
    state = skirmish(rome, "X warriors rome1; Y warriors rome2")
    state = run(segments(state, {1: 2, 2: 2}), "activate seg2")
    assert decision(state) == Fights(0, 2)
    state = run(state, "done")
    assert decision(state) == Moves(0, 2)
    state = run(state, "done")
    assert decision(state) == Segments(0)
    state = run(state, "activate seg1")
    assert decision(state) == Fights(0, 1)
    assert refusals(state, "fight C") == ["V5a"]


@rule("V2a")
def test_nothing_of_a_turn_is_done_out_of_order() -> None:
    state = skirmish("A legionaries rome1 tokens=w; R legionaries rome-reserve vc=2", "X warriors rome1")
    testing = go_on(whole_turn(give_hand(state, "rome", "6"))).state
    assert refusals(testing, "lay 6 seg1") == ["V3.1a"]
    assert refusals(declares(state, {1: 5}), "fight A") == ["V5.2c"]
    assert refusals(segments(state, {1: 5}), "fight A") == ["V4.3a"]
    assert refusals(segments(state, {1: 5}), "rally R") == ["V4.3a"]
    assert refusals(rallies(state), "activate seg1") == ["V9a"]


# --- 1.8 conquest --------------------------------------------------------------------------------


@rule("V1.8a", "V1.8b")
def test_two_enemy_sectors_win_as_the_enemys_turn_ends() -> None:
    state = skirmish("A legionaries barb1; B legionaries barb3", "X warriors barb2", active="barbarians")
    play = end_turn(state)
    assert play.state.outcome == ROME_CONQUERS
    assert decision(play.state) is None


@rule("V1.8a", "V1.8b")
def test_the_barbarians_win_in_the_same_way() -> None:
    state = skirmish("A legionaries rome2", "X warriors rome1; Y warriors rome3", active="rome")
    assert end_turn(state).state.outcome == Outcome(1, "V1.8a", "end.conquest")


@rule("V1.8a")
def test_one_sector_is_not_enough() -> None:
    state = skirmish(
        "A legionaries barb1; B legionaries barb1; C legionaries rome2",
        "X warriors barb2",
        active="barbarians",
    )
    assert end_turn(state).state.outcome is None


@rule("V1.8b")
def test_the_own_turns_end_does_not_count() -> None:
    state = skirmish("A legionaries barb1; B legionaries barb3", "X warriors barb2", active="rome")
    play = end_turn(state)
    assert play.state.outcome is None
    assert holder(play.state, "barb1") == "barbarians"  # the enemy has a turn to answer
    assert end_turn(play.state).state.outcome == ROME_CONQUERS


@rule("V1.8b")
def test_a_sector_where_the_enemy_still_stands_is_not_conquered() -> None:
    state = skirmish(
        "A legionaries barb1; B legionaries barb3", "X warriors barb2; Y warriors barb3", active="barbarians"
    )
    play = end_turn(state)
    assert play.state.outcome is None
    assert (holder(play.state, "barb1"), holder(play.state, "barb3")) == ("rome", "barbarians")


@rule("V1.8b")
def test_a_sector_left_empty_is_conquered_by_who_was_there_last() -> None:
    rome = "A legionaries barb1; B legionaries barb3; C legionaries rome3"
    state = skirmish(rome, "X warriors barb2")
    state = do(moves(state, 3), "move B rome3").state
    assert place(state, "B") == "rome3"
    state.active = 1
    assert end_turn(state).state.outcome == ROME_CONQUERS


@rule("V1.8b")
def test_sectors_that_nobody_entered_belong_to_the_camp() -> None:
    state = skirmish(
        "A legionaries rome1", "X warriors barb1", active="barbarians"
    )  # barb2 and barb3 are empty
    play = end_turn(state)
    assert play.state.outcome is None
    assert [holder(play.state, f"barb{n}") for n in (1, 2, 3)] == ["barbarians"] * 3


@rule("V1.8a")
def test_sectors_of_the_own_camp_do_not_count() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome2; C legionaries barb1", "", active="barbarians")
    assert end_turn(state).state.outcome is None


@rule("V1.8b")
def test_generals_neither_conquer_nor_defend_a_sector() -> None:
    generals = "G rome barb3; H barbarians barb1"
    state = skirmish("A legionaries barb1", "X warriors barb2", generals=generals, active="barbarians")
    play = end_turn(state)
    assert play.state.outcome is None
    assert holder(play.state, "barb3") == "barbarians"
    assert holder(play.state, "barb1") == "rome"


@rule("V1.8a", "V1.8b")
def test_conquests_are_counted_anew_each_time() -> None:
    """barb1 was conquered and entered again; barb3 is conquered now: that makes one, not two."""
    state = skirmish(
        "A legionaries barb1; B legionaries barb3",
        "X warriors barb1",
        holder={"barb1": "rome"},
        active="barbarians",
    )
    play = end_turn(state)
    assert play.state.outcome is None
    assert holder(play.state, "barb1") == "rome"  # it is still Rome that defends it
    assert holder(play.state, "barb3") == "rome"


@rule("V1.8b")
def test_a_sector_is_won_back_as_the_invaders_turn_ends() -> None:
    state = skirmish("A legionaries rome1", "X warriors barb1", holder={"barb1": "rome"}, active="barbarians")
    play = end_turn(state)
    assert holder(play.state, "barb1") == "rome"  # not by the check of its own turn
    play = end_turn(play.state)
    assert holder(play.state, "barb1") == "barbarians"
    assert ("V1.8b", "event.conquered") in told(play)


@rule("V1.8b")
def test_who_enters_an_empty_sector_is_its_last_occupant() -> None:
    state = skirmish("A legionaries rome1", "X warriors barb3")
    assert last(state, "barb1") == "barbarians"
    assert last(do(moves(state, 1), "move A barb1").state, "barb1") == "rome"


@rule("V1.8b")
def test_a_fight_for_a_sector_leaves_the_last_occupant_as_it_was() -> None:
    state = skirmish("A legionaries rome1; B legionaries barb2", "X warriors barb1; Y warriors barb-reserve")
    assert last(do(moves(state, 1), "move A barb1").state, "barb1") == "barbarians"
    state.active = 1
    assert last(do(moves(state, 2), "move Y barb2").state, "barb2") == "rome"


@rule("V1.8b")
def test_who_remains_when_the_other_leaves_is_the_last_occupant() -> None:
    state = skirmish("A legionaries barb1", "X warriors barb1; Y warriors barb1", active="barbarians")
    state.last[PLACE["barb1"]] = 1  # A came in last, to an occupied sector
    one = do(moves(state, 1), "move X barb-reserve").state
    assert last(one, "barb1") == "barbarians"
    assert last(do(moves(one, 1), "move Y barb-reserve").state, "barb1") == "rome"


@rule("V1.8b")
def test_who_remains_when_the_other_retreats_or_dies_is_the_last_occupant() -> None:
    state = battle(
        "A legionaries barb1", "X warriors barb1 tokens=w; Y warriors barb2 tokens=w", active="barbarians"
    )
    state.last[PLACE["barb1"]] = 1
    fled = do(about_to_test(state), "save X white", dice=[6, 6]).state
    assert place(fled, "X") == "barb-reserve"
    assert last(fled, "barb1") == "rome"
    state.vc[unit(state, "X")] = 1
    dead = do(about_to_test(state), "save X white", dice=[6, 1]).state
    assert place(dead, "X") == "gone"
    assert last(dead, "barb1") == "rome"


@rule("V1.8b")
def test_a_retreat_into_a_sector_makes_its_last_occupant() -> None:
    state = battle("A legionaries barb1 tokens=w; B legionaries rome3 tokens=w", "X warriors barb2")
    state.last[PLACE["rome1"]] = 1  # the barbarians had been there
    fled = do(about_to_test(state), "save A white", dice=[6, 6]).state
    assert place(fled, "A") == "rome1"
    assert last(fled, "rome1") == "rome"


# --- the open flank ------------------------------------------------------------------------------


def outflanks(
    *hand: str,
    lays: str,
    rome: str = "A legionaries barb1",
    barbarians: str = "X warriors barb3",
    **more: Any,
) -> Outcome | None:
    """Rome lays its cards out and starts its activation: is the battle won at once?"""
    state = skirmish(rome, barbarians, **more)
    state = go_on(hand_and_cards(give_hand(state, "rome", *hand))).state
    state = run(state, lays)
    return state.outcome


@rule("V5.4e", "V1.8c")
def test_a_unit_beside_an_empty_enemy_sector_wins_when_it_can_be_activated() -> None:
    assert outflanks("1", lays="lay 1 seg1") == ROME_OUTFLANKS
    assert outflanks("joker", lays="lay joker seg1") == ROME_OUTFLANKS


@rule("V5.4e")
def test_the_barbarians_win_by_an_open_flank_too() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome3", active="barbarians")
    state = go_on(hand_and_cards(give_hand(state, "barbarians", "1"))).state
    assert run(state, "lay 1 seg3").outcome == Outcome(1, "V5.4e", "end.outflanked")


@rule("V5.4e")
def test_points_elsewhere_or_none_do_not_open_the_flank() -> None:
    assert outflanks("6", lays="lay 6 seg2") is None
    assert outflanks("face", lays="lay face seg1") is None
    assert outflanks("6", lays="done") is None


@rule("V5.4e", "V8b")
def test_the_point_of_a_general_is_enough() -> None:
    assert outflanks("face", lays="lay face seg1", generals="G rome barb1") == ROME_OUTFLANKS
    assert outflanks("face", lays="lay face seg1", generals="G rome rome1") == ROME_OUTFLANKS
    assert outflanks("face", lays="lay face seg1", generals="G rome rome2") is None


@rule("V5.4e")
@pytest.mark.parametrize("who", ["A legionaries barb1 stoic", "A fanatics barb1"])
def test_fanatic_and_stoic_units_need_two_points(who: str) -> None:
    assert outflanks("1", lays="lay 1 seg1", rome=who) is None
    assert outflanks("2", lays="lay 2 seg1", rome=who) == ROME_OUTFLANKS


@rule("V5.4e")
def test_a_unit_in_the_sector_beside_closes_the_flank_and_a_general_does_not() -> None:
    held = "X warriors barb3; Y warriors barb2"
    assert outflanks("6", lays="lay 6 seg1", barbarians=held) is None
    assert outflanks("6", lays="lay 6 seg1", generals="H barbarians barb2") == ROME_OUTFLANKS


@rule("V5.4e", "V7d")
def test_decoys_do_not_close_the_flank_and_hidden_units_do() -> None:
    ground = {"barb2": "thick_forest"}
    state = face_down(skirmish("A legionaries barb1", "X warriors barb3", terrain=ground), barb2=2)
    state = go_on(hand_and_cards(give_hand(state, "rome", "1"))).state
    assert run(state, "lay 1 seg1").outcome == ROME_OUTFLANKS
    state = skirmish("A legionaries barb1", "X warriors barb3; Y warriors barb2", terrain=ground)
    state = go_on(hand_and_cards(give_hand(face_down(state, "Y"), "rome", "1"))).state
    assert run(state, "lay 1 seg1").outcome is None


@rule("V5.4e")
def test_only_a_neighbouring_sector_counts() -> None:
    held = "X warriors barb2"
    assert outflanks("6", lays="lay 6 seg1", barbarians=held) is None  # barb3 is empty, but two away
    assert outflanks("6", lays="lay 6 seg3", rome="A legionaries barb3", barbarians=held) is None
    more = {"rome": "A legionaries barb3", "barbarians": held, "columns": 4}
    assert outflanks("6", lays="lay 6 seg3", **more) == ROME_OUTFLANKS  # with barb4 beside it


@rule("V5.4e")
def test_the_unit_stands_in_the_enemy_camp() -> None:
    held = "X warriors barb1; Y warriors barb2; Z warriors barb3"
    assert outflanks("6", lays="lay 6 seg1", rome="A legionaries rome1", barbarians=held) is None
    assert outflanks("6", lays="lay 6 seg1", rome="A legionaries rome1") is None  # barb1 and barb2 are empty


@rule("V5.4e")
def test_an_engaged_unit_cannot_outflank() -> None:
    here = "X warriors barb3; Y warriors barb1"
    assert outflanks("6", lays="lay 6 seg1", barbarians=here) is None


@rule("V5.4e", "V3.3a")
def test_a_unit_that_retreated_cannot_outflank() -> None:
    state = skirmish("A legionaries barb1", "X warriors barb3")
    state.flags[unit(state, "A")] |= RETREATED
    state = go_on(hand_and_cards(give_hand(state, "rome", "6"))).state
    assert run(state, "lay 6 seg1").outcome is None


@rule("V5.4e", "V1.8c")
def test_a_unit_that_has_just_moved_in_wins_in_its_next_turn_only() -> None:
    state = skirmish("A legionaries rome1; B legionaries rome1", "X warriors barb3")
    state = go_on(hand_and_cards(give_hand(state, "rome", "6"))).state
    state = run(state, "lay 6 seg1", "activate seg1", "move A barb1", "done")
    assert state.outcome is None
    assert state.active == 1
    state.active = 0
    state = go_on(hand_and_cards(give_hand(state, "rome", "1"))).state
    assert run(state, "lay 1 seg1").outcome == ROME_OUTFLANKS


@rule("V5.4e")
def test_an_open_flank_wins_nothing_in_the_enemys_turn() -> None:
    state = skirmish("A legionaries barb1", "X warriors barb3", active="barbarians")
    state = go_on(hand_and_cards(give_hand(state, "barbarians", "6"))).state
    assert run(state, "lay 6 seg1").outcome is None


# --- an army destroyed, a draw -------------------------------------------------------------------


@rule("V1.8d")
def test_a_side_without_units_has_lost_at_once() -> None:
    generals = "G rome rome-reserve chief"  # he does not save it
    state = battle("A legionaries rome1 vc=1 tokens=ww", "X warriors barb3", generals=generals)
    play = do(about_to_test(state), "save A white", dice=[6, 1])
    assert play.state.outcome == Outcome(1, "V1.8d", "end.no_units")


@rule("V1.8d")
def test_a_unit_in_reserve_is_a_unit_left() -> None:
    state = battle(
        "A legionaries rome1 vc=1 tokens=w; R legionaries rome-reserve tokens=w", "X warriors barb3"
    )
    assert do(about_to_test(state), "save A white", dice=[6, 1]).state.outcome is None


@rule("V1.8d")
def test_the_last_unit_may_be_lost_in_its_own_turn_by_a_march() -> None:
    state = battle("A legionaries rome-reserve vc=1", "X warriors barb3")
    play = do(moves(state, 1), "move A rome1>barb1", dice=[6])
    assert play.state.outcome == Outcome(1, "V1.8d", "end.no_units")


BALLISTAS = {"rome": "A ballistas rome1 tokens=w", "barbarians": "X ballistas barb2 tokens=w"}


@rule("V1.8d")
def test_two_sides_that_can_do_nothing_any_more_draw() -> None:
    assert end_turn(battle(**BALLISTAS)).state.outcome == DRAWN


@rule("V1.8d")
@pytest.mark.parametrize(
    "change",
    [
        {"barbarians": "X ballistas barb1 tokens=w"},  # they can shoot at each other
        {"barbarians": "X ballistas barb2; Y scorpions barb3 tokens=w"},  # scorpions move
        {"rome": "A ballistas rome1; R legionaries rome-reserve tokens=w"},  # a card can bring them up
        {"rome": "R legionaries rome-reserve tokens=w", "generals": "G rome rome-reserve"},  # his point can
        {"rome": "A ballistas rome1 tokens=w", "barbarians": "X warriors rome1 tokens=w"},
    ],
)
def test_as_long_as_one_side_can_act_the_battle_goes_on(change: dict[str, str]) -> None:
    state = battle(**{**BALLISTAS, **change})
    assert end_turn(state).state.outcome is None


@rule("V1.8d", "V4.1b")
def test_reserves_without_a_card_or_a_general_can_do_nothing() -> None:
    rome = "R legionaries rome-reserve tokens=w"
    assert end_turn(battle(**{**BALLISTAS, "rome": rome})).state.outcome == DRAWN
    assert end_turn(battle(**BALLISTAS, generals="G rome rome-reserve")).state.outcome == DRAWN


@rule("V1.8d", "V5.3b")
@pytest.mark.parametrize("ground", ["woods", "wooded_hill", "thick_forest"])
def test_artillery_that_faces_artillery_through_woods_can_do_nothing(ground: str) -> None:
    terrain = {"rome1": ground, "barb1": ground}
    state = battle("A ballistas rome1 tokens=w", "X ballistas barb1 tokens=w", terrain=terrain)
    assert end_turn(state).state.outcome == DRAWN


@rule("V1.8d", "V5.3b")
def test_one_of_them_in_the_open_can_be_shot_at() -> None:
    state = battle("A ballistas rome1 tokens=w", "X ballistas barb1 tokens=w", terrain={"rome1": "woods"})
    assert end_turn(state).state.outcome is None


@rule("V1.8a", "V1.8d")
def test_a_conquest_goes_before_a_draw() -> None:
    state = battle(**BALLISTAS, active="barbarians")
    state.last[PLACE["barb1"]] = state.last[PLACE["barb3"]] = 0
    assert end_turn(state).state.outcome == ROME_CONQUERS
