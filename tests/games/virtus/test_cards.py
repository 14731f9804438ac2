"""4 Cards: the hand, laying it out, points and what they cost; 10 Attrition; 17 PiPs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.cards import Cards
from legatus.games.virtus.charges import Declarations
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.moves import Moves
from legatus.games.virtus.rally import Rallies
from legatus.games.virtus.saves import Saves
from legatus.games.virtus.segments import CloseSegments, Segments, StartActivation
from legatus.games.virtus.sequence import EndTurn
from legatus.games.virtus.state import CARD, DECK, GONE, KINDS, VirtusState
from legatus.kernel import NeedLuck
from tests.games.virtus.field import (
    at,
    battle,
    cards_of,
    cohesion,
    decision,
    declares,
    do,
    face_down,
    fights,
    general,
    give_hand,
    go_on,
    hand_and_cards,
    legal_lines,
    moves,
    place,
    rallies,
    refusals,
    refused,
    run,
    segments,
    skirmish,
    told,
    whole_turn,
)
from tests.rules import rule

LINE = "A legionaries rome1; B legionaries rome2; C legionaries rome3"


def draws(*cards: str) -> list[int]:
    """The dice of these cards being drawn."""
    return [CARD[card] for card in cards]


def with_cards(state: VirtusState, *hand: str) -> VirtusState:
    """The active side holds these cards and is about to lay them out."""
    give_hand(state, ("rome", "barbarians")[state.active], *hand)
    side = state.active
    rest = (Declarations(side), Segments(side), CloseSegments(side), Rallies(side), EndTurn(side))
    return at(state, Cards(side), StartActivation(side), *rest)


def lay(state: VirtusState, **laid: str) -> VirtusState:
    """Lay out a hand of just these cards, one a segment, and go on to the activation of segments."""
    return run(with_cards(state, *laid.values()), *(f"lay {card} {seg}" for seg, card in laid.items()))


def work_through(state: VirtusState, *names: str) -> VirtusState:
    """Activate segments one after the other, and do nothing in them."""
    for name in names:
        state = run(state, f"activate {name}", "done")
    return state


def points(state: VirtusState) -> list[int]:
    return state.points[1 : state.roster.rules.columns + 1]


# --- 4 activation and segments -------------------------------------------------------------------


@rule("V4a")
def test_without_points_nobody_fights_or_moves() -> None:
    state = battle("A legionaries rome1; B legionaries rome2", "X warriors rome1")
    assert refusals(fights(state, 1, points=0), "fight A") == ["V4.3a"]
    assert refusals(moves(state, 1, points=0), "move A rome-reserve") == ["V4.3a"]
    assert refusals(fights(state, 1, points=1), "fight A") == []
    assert refusals(moves(state, 1, points=1), "move A rome-reserve") == []


@rule("V4a")
def test_a_segment_without_points_is_not_activated() -> None:
    state = segments(battle("A legionaries rome1; B legionaries rome2", "X warriors rome1"), {2: 1})
    assert refusals(state, "activate seg1") == ["V4a"]
    assert refusals(state, "activate seg2") == []


@rule("V4b")
@pytest.mark.parametrize("columns", [3, 4])
def test_a_segment_is_a_pair_of_facing_sectors(columns: int) -> None:
    """Its points serve units in either sector of it and in no other segment."""
    names = range(1, columns + 1)
    rome = ";".join(f"A{n} legionaries rome{n}; B{n} legionaries barb{n}" for n in names)
    state = skirmish(rome, columns=columns)
    for n in names:
        open_ = moves(state, n, points=2)
        movers = {line.split()[1] for line in legal_lines(open_) if line.startswith("move")}
        assert movers == {f"A{n}", f"B{n}", "hurt-roman"}


@rule("V4b")
def test_there_are_as_many_segments_as_columns_and_reserves_are_in_none() -> None:
    for columns in (3, 4):
        state = with_cards(skirmish("A legionaries rome1", columns=columns), "3")
        lays = [line for line in legal_lines(state) if line.startswith("lay")]
        assert lays == [f"lay 3 seg{n}" for n in range(1, columns + 1)]
        assert refusals(state, "lay 3 seg0") == ["V4b"]
        assert refusals(state, "lay 3 seg5") == ["V4b"]
        assert refusals(state, "lay 3 seg4") == ([] if columns == 4 else ["V4b"])
        state = segments(state, {1: 1, 4: 1})
        assert refusals(state, "activate seg4") == ([] if columns == 4 else ["V4b"])
        assert refusals(state, "activate seg0") == ["V4b"]


# --- 4.1 the hand --------------------------------------------------------------------------------


@rule("V4.1a", "V4.1b")
def test_the_hand_is_made_up_after_the_tests_and_counts_units_where_they_now_stand() -> None:
    state = battle("A legionaries rome1 tokens=w; B legionaries rome2", "X warriors barb3")
    before = go_on(whole_turn(state)).state
    assert isinstance(decision(before), Saves)
    assert cards_of(before.hand, "rome") == []
    # A fails and falls back to the reserve: one segment is left, and one card.
    after = do(before, "save A white", dice=[6, 6, *draws("3")]).state
    assert place(after, "A") == "rome-reserve"
    assert cards_of(after.hand, "rome") == ["3"]
    # Had it held, there would be two.
    held = do(before, "save A white", dice=[1, 1, *draws("3", "5")]).state
    assert cards_of(held.hand, "rome") == ["3", "5"]


@rule("V4.1b")
def test_a_unit_that_retreated_into_its_own_sector_still_controls_the_segment() -> None:
    state = battle("A legionaries barb1 tokens=w", "X warriors barb3")
    after = do(go_on(whole_turn(state)).state, "save A white", dice=[6, 6, *draws("face")]).state
    assert place(after, "A") == "rome1"
    assert cards_of(after.hand, "rome") == ["face"]


@rule("V4.1b")
@pytest.mark.parametrize(
    ("rome", "generals", "columns", "size"),
    [
        ("A legionaries rome1", "", 3, 1),
        ("A legionaries barb1", "", 3, 1),  # the enemy's sector of the segment counts too
        ("A legionaries rome2; B legionaries barb2", "", 3, 1),  # one segment, not two
        ("A legionaries rome1; B legionaries rome1", "", 3, 1),
        ("A legionaries rome1; B legionaries barb3", "", 3, 2),
        (LINE, "", 3, 3),
        (LINE, "G rome rome-reserve chief", 3, 4),  # the most with three columns
        (LINE + "; D legionaries barb4", "G rome rome-reserve chief", 4, 5),  # and with four
        (LINE, "G rome rome1 chief", 3, 3),  # he leads from the front
        (LINE, "G rome rome1 chief; H rome rome-reserve", 3, 3),  # not the commander-in-chief
        (LINE, "G rome rome-reserve chief; H rome rome-reserve", 3, 4),
        (LINE, "G barbarians barb-reserve chief", 3, 3),  # somebody else's
        ("A legionaries rome-reserve", "G rome rome-reserve chief", 3, 1),  # a reserve is no segment
        ("A legionaries rome-reserve", "G rome rome1 chief", 3, 0),  # generals control nothing
        ("A legionaries rome-reserve", "", 3, 0),
    ],
)
def test_the_hand_has_a_card_a_controlled_segment_and_one_for_the_chief_in_reserve(
    rome: str, generals: str, columns: int, size: int
) -> None:
    state = skirmish(rome, "X warriors barb2", generals=generals, columns=columns)
    made = go_on(hand_and_cards(state), draws(*["face"] * size)).state
    assert sum(made.pile[:KINDS]) == 19 - size
    assert isinstance(decision(made), Cards) == (size > 0)  # nothing to lay out without a card
    if size:
        assert cards_of(made.hand, "rome") == ["face"] * size


@rule("V4.1b", "V8d")
def test_a_lost_commander_in_chief_takes_his_card_with_him() -> None:
    state = skirmish(LINE, generals="G rome rome-reserve chief; H rome rome-reserve")
    state.gplace[general(state, "G")] = GONE
    made = go_on(hand_and_cards(state), draws("1", "2", "3")).state
    assert cards_of(made.hand, "rome") == ["1", "2", "3"]


@rule("V4.1b", "V7d")
def test_decoys_control_nothing_and_hidden_units_do() -> None:
    state = skirmish("A legionaries rome2", terrain={"rome1": "thick_forest"})
    made = go_on(hand_and_cards(face_down(state, rome1=2)), draws("3")).state
    assert cards_of(made.hand, "rome") == ["3"]
    state = skirmish("A legionaries rome2; B warriors rome1", terrain={"rome1": "thick_forest"})
    made = go_on(hand_and_cards(face_down(state, "B", rome1=1)), draws("3", "4")).state
    assert cards_of(made.hand, "rome") == ["3", "4"]


@rule("V4.1b")
def test_cards_kept_from_earlier_count_towards_the_hand() -> None:
    state = give_hand(skirmish(LINE), "rome", "6", "face")
    made = go_on(hand_and_cards(state), draws("1")).state
    assert cards_of(made.hand, "rome") == ["1", "6", "face"]


# --- 4.2 laying it out ---------------------------------------------------------------------------


@rule("V4.2a")
def test_a_segment_takes_one_card_and_a_card_one_segment() -> None:
    state = run(with_cards(skirmish(LINE), "3", "5"), "lay 3 seg1")
    assert refusals(state, "lay 5 seg1") == ["V4.2a"]
    assert refusals(state, "lay 3 seg2") == ["V4.2a"]  # it lies on segment 1
    assert refusals(state, "lay 5 seg2") == []
    assert "lay 5 seg1" not in legal_lines(state)


@rule("V4.2a")
def test_two_cards_of_a_value_are_two_cards() -> None:
    state = run(with_cards(skirmish(LINE), "3", "3"), "lay 3 seg1", "lay 3 seg2")
    assert points(state) == [3, 3, 0]


@rule("V4.2a")
@pytest.mark.parametrize("line", ["lay 4 seg1", "lay joker seg1", "lay 0 seg1", "lay jack seg1", "discard 4"])
def test_only_cards_of_the_hand_are_played(line: str) -> None:
    assert refusals(with_cards(skirmish(LINE), "3", "5"), line) == ["V4.2a"]


@rule("V4.2a")
def test_a_card_may_be_laid_where_nobody_stands_and_bring_reserves_up() -> None:
    state = lay(skirmish("A legionaries rome1; R legionaries rome-reserve"), seg3="1")
    state = run(state, "activate seg3", "move R rome3")
    assert place(state, "R") == "rome3"


@rule("V4.2a")
def test_cards_may_be_laid_discarded_and_held_back_in_any_number() -> None:
    hand = ("1", "2", "3", "5")
    assert points(run(with_cards(skirmish(LINE), *hand[:3]), *[f"lay {n} seg{n}" for n in "123"])) == [
        1,
        2,
        3,
    ]
    thrown = run(with_cards(skirmish(LINE), *hand), *[f"discard {card}" for card in hand])
    assert cards_of(thrown.discard, "rome") == list(hand)
    assert cards_of(thrown.hand, "rome") == []
    held = run(with_cards(skirmish(LINE), *hand), "done")
    assert isinstance(decision(held), Saves)  # nothing laid, nothing to activate: it is the enemy's turn
    assert cards_of(held.hand, "rome") == list(hand)
    assert cards_of(held.discard, "rome") == []


@rule("V4.2b")
def test_a_hand_over_the_limit_is_cut_blind() -> None:
    state = give_hand(skirmish("A legionaries rome1; B legionaries rome2"), "rome", "1", "5", "6", "face")
    cut = go_on(hand_and_cards(state), draws("6", "face"))
    assert cards_of(cut.state.hand, "rome") == ["1", "5"]
    assert cards_of(cut.state.discard, "rome") == ["6", "face"]
    assert sum(cut.state.pile[:KINDS]) == 15  # and nothing is drawn
    assert told(cut)[:2] == [("V4.2b", "event.hand_cut")] * 2


@rule("V4.2b")
def test_every_card_of_a_hand_is_as_likely_to_be_cut() -> None:
    state = give_hand(skirmish("A legionaries rome1"), "rome", "6", "face", "face", "joker")
    with pytest.raises(NeedLuck) as need:
        go_on(hand_and_cards(state))
    chances = {answer[0]: chance for chance, answer in need.value.luck.branches()}
    quarter = Fraction(1, 4)
    assert chances == {CARD["6"]: quarter, CARD["face"]: 2 * quarter, CARD["joker"]: quarter}


@rule("V4.2b")
def test_a_hand_at_the_limit_is_neither_cut_nor_filled() -> None:
    state = give_hand(skirmish("A legionaries rome1; B legionaries rome2"), "rome", "1", "6")
    made = go_on(hand_and_cards(state))
    assert cards_of(made.state.hand, "rome") == ["1", "6"]
    assert made.events == []


@rule("V4.2b", "V4.1a")
def test_a_hand_is_cut_when_the_tests_have_cost_a_segment() -> None:
    state = battle("A legionaries rome1 tokens=w; B legionaries rome2", "X warriors barb3")
    state = go_on(whole_turn(give_hand(state, "rome", "2", "6"))).state
    assert cards_of(do(state, "save A white", dice=[1, 1]).state.hand, "rome") == ["2", "6"]
    assert cards_of(do(state, "save A white", dice=[6, 6, *draws("6")]).state.hand, "rome") == ["2"]


@rule("V4.2b")
def test_a_side_that_controls_nothing_loses_its_whole_hand() -> None:
    state = give_hand(skirmish("A legionaries rome-reserve"), "rome", "2", "6")
    made = go_on(hand_and_cards(state), draws("2", "6")).state
    assert cards_of(made.hand, "rome") == []
    assert cards_of(made.discard, "rome") == ["2", "6"]


# --- 4.3 what cards give -------------------------------------------------------------------------


@rule("V4.3a")
@pytest.mark.parametrize("card", "123456")
def test_a_number_is_the_ceiling_of_its_segment(card: str) -> None:
    n = int(card)
    state = lay(skirmish(";".join(f"A{i} legionaries rome1" for i in range(8))), seg1=card)
    assert points(state) == [n, 0, 0]
    state = run(state, "activate seg1", *(f"move A{i} barb1" for i in range(n)))
    assert [place(state, f"A{i}") for i in range(8)] == ["barb1"] * n + ["rome1"] * (8 - n)
    assert not isinstance(decision(state), Moves)  # nothing is left to pay with


@rule("V4.3a")
def test_points_are_refused_with_what_is_needed_and_what_is_left() -> None:
    state = fights(battle("A legionaries rome1", "X warriors rome1"), 1, points=1)
    (refusal,) = refused(state, "fight A pila")
    assert (refusal.clause, refusal.values) == ("V4.3a", {"needed": 2, "left": 1})


@rule("V4.3a")
def test_segments_are_activated_in_any_order_and_each_card_goes_as_its_segment_is_done() -> None:
    state = lay(skirmish(LINE), seg1="1", seg2="2", seg3="3")
    assert [line for line in legal_lines(state) if line.startswith("activate")] == [
        "activate seg1",
        "activate seg2",
        "activate seg3",
    ]
    state = run(state, "activate seg3")
    assert cards_of(state.discard, "rome") == []
    state = run(state, "done")
    assert cards_of(state.discard, "rome") == ["3"]
    state = work_through(state, "seg1")
    assert cards_of(state.discard, "rome") == ["1", "3"]
    assert state.laid[1:4] == [-1, CARD["2"], -1]
    state = work_through(state, "seg2")
    assert cards_of(state.discard, "rome") == ["1", "2", "3"]


@rule("V4.3a")
def test_points_that_are_left_are_lost_with_their_segment() -> None:
    state = lay(skirmish(LINE), seg1="5", seg2="2")
    state = run(state, "activate seg1", "move A barb1", "done")
    assert points(state) == [0, 2, 0]
    assert refusals(state, "activate seg1") == ["V4.3a"]
    assert refusals(state, "activate seg3") == ["V4a"]  # and do not go to another


@rule("V4.3a")
def test_a_card_whose_segment_is_never_activated_is_discarded_too() -> None:
    state = run(lay(skirmish(LINE), seg1="5", seg2="2"), "done")
    assert isinstance(decision(state), Saves)
    assert cards_of(state.discard, "rome") == ["2", "5"]
    assert points(state) == [0, 0, 0]


@rule("V4.3b")
def test_the_joker_activates_more_than_any_number_and_is_discarded() -> None:
    names = [f"A{i}" for i in range(12)]
    state = lay(skirmish(";".join(f"{name} legionaries rome1 stoic" for name in names)), seg1="joker")
    state = run(state, "activate seg1", *(f"move {name} barb1" for name in names))
    assert {place(state, name) for name in names} == {"barb1"}  # 24 points, as each is stoic
    state = run(state, "done")
    assert isinstance(decision(state), Saves)
    assert state.laid == [-1] * 5
    assert not list(VIRTUS.invariants(state))


@rule("V4.3b")
def test_the_joker_lies_in_the_discards_once_its_segment_is_done() -> None:
    state = work_through(lay(skirmish(LINE), seg1="joker", seg2="2"), "seg1")
    assert cards_of(state.discard, "rome") == ["joker"]


@rule("V4.3b")
def test_the_joker_has_no_ceiling_for_the_greatest_army_either() -> None:
    """Twenty stoic javelinmen on their hill: each charges for 4 points and moves away for 2 more."""
    names = [f"J{i}" for i in range(20)]
    rome = ";".join(f"{name} javelinmen rome1 stoic" for name in names)
    state = lay(skirmish(rome, "X warriors rome1", terrain={"rome1": "hill"}), seg1="joker")
    state = run(state, *(f"declare-charge {name} hill" for name in names))
    assert isinstance(decision(state), Segments)
    state = run(state, "activate seg1")
    for name in names:
        state = do(state, f"charge {name} X", dice=[6, 6, 6]).state
    assert isinstance(decision(state), Moves)
    for n, name in enumerate(names):
        assert refusals(state, f"move {name} rome-reserve") == [], f"{n} units have moved"
        state = run(state, f"move {name} rome-reserve")


@rule("V4.3c")
def test_a_face_card_activates_nothing() -> None:
    state = lay(skirmish(LINE), seg1="face", seg2="1")
    assert points(state) == [0, 1, 0]
    assert refusals(state, "activate seg1") == ["V4a"]
    done = run(state, "done")
    assert cards_of(done.discard, "rome") == ["1", "face"]


@rule("V4.3c", "V8b")
def test_a_general_gives_his_point_on_a_face_card_too() -> None:
    state = lay(skirmish(LINE, generals="G rome rome1; H rome rome2 superior"), seg1="face", seg2="face")
    assert points(state) == [1, 2, 0]


@rule("V4.3c")
def test_face_cards_go_at_the_end_of_the_turn_unless_they_are_kept() -> None:
    state = with_cards(skirmish(LINE), "face", "face", "4")
    none = run(state, "lay 4 seg1", "done")
    assert cards_of(none.hand, "rome") == ["face", "face"]  # not before the end of the turn
    none = run(none, "done")
    assert cards_of(none.hand, "rome") == []
    assert cards_of(none.discard, "rome") == ["4", "face", "face"]
    one = run(state, "keep", "done")
    assert cards_of(one.hand, "rome") == ["4", "face"]  # numbers are held back without a word
    assert cards_of(one.discard, "rome") == ["face"]
    both = run(state, "keep", "keep", "done")
    assert cards_of(both.hand, "rome") == ["4", "face", "face"]
    assert cards_of(both.discard, "rome") == []


@rule("V4.3c")
def test_only_a_face_card_of_the_hand_is_kept_and_then_not_played() -> None:
    state = with_cards(skirmish(LINE), "face", "4")
    kept = run(state, "keep")
    assert refusals(kept, "keep") == ["V4.3c"]
    assert refusals(kept, "lay face seg1") == ["V4.3c"]
    assert refusals(kept, "discard face") == ["V4.3c"]
    assert refusals(with_cards(skirmish(LINE), "4"), "keep") == ["V4.3c"]
    assert refusals(run(with_cards(skirmish(LINE), "face", "face"), "keep"), "discard face") == []


@rule("V4.3c")
def test_a_bluff_is_kept_anew_each_turn() -> None:
    kept = run(with_cards(skirmish(LINE), "face"), "keep", "done")
    again = kept.copy()
    again.active = 0
    side = (Cards(0), StartActivation(0), Segments(0), CloseSegments(0), EndTurn(0))
    assert cards_of(run(at(again, *side), "done").hand, "rome") == []


@rule("V4.3d")
def test_the_worked_example_of_a_hand_of_four() -> None:
    """3, 2, 6 and a jack: the 3 to the left, the 2 to the centre, the jack goes, the 6 is kept."""
    state = battle(
        LINE,
        "X warriors barb-reserve",
        generals="G rome rome-reserve chief; H barbarians barb-reserve chief",
    )
    state = go_on(hand_and_cards(state), draws("3", "2", "6", "face")).state
    assert cards_of(state.hand, "rome") == ["2", "3", "6", "face"]
    state = run(state, "lay 3 seg1", "lay 2 seg2", "discard face", "done")
    assert points(state) == [3, 2, 0]
    assert cards_of(state.hand, "rome") == ["6"]
    assert cards_of(state.discard, "rome") == ["face"]
    state = run(state, "done", dice=draws("1"))  # the barbarians' chief draws his card
    assert state.active == 1
    state = run(state, "done", "done", dice=draws("4", "4", "joker"))  # a size of 4 again: three are drawn
    assert state.active == 0
    assert cards_of(state.hand, "rome") == ["4", "4", "6", "joker"]
    assert cards_of(state.discard, "rome") == ["2", "3", "face"]


@rule("V4.3e")
def test_a_played_joker_rebuilds_the_pile_at_the_end_of_the_turn() -> None:
    state = skirmish(LINE)
    state.discard[CARD["5"]] = 2
    state = with_cards(state, "joker", "6", "3")
    state = run(state, "lay joker seg1", "lay 3 seg2", "done")
    state = work_through(state, "seg1")
    assert cards_of(state.discard, "rome") == ["5", "5", "joker"]  # not before the end of the turn
    play = do(state, "done")
    assert ("V4.3e", "event.rebuilt") in told(play)
    assert cards_of(play.state.discard, "rome") == []
    assert cards_of(play.state.hand, "rome") == ["6"]  # what is held stays in hand
    assert play.state.pile[:KINDS] == [n - (card == CARD["6"]) for card, n in enumerate(DECK)]


@rule("V4.3e")
def test_the_joker_rebuilds_once_and_only_its_owners_pile() -> None:
    state = skirmish(LINE)
    state.discard[KINDS + CARD["5"]] = 2
    state.pile[KINDS + CARD["5"]] = 0
    state = run(lay(state, seg1="joker"), "done")
    assert cards_of(state.discard, "barbarians") == ["5", "5"]
    state.active = 0
    state = run(lay(state, seg1="4"), "done")  # the turn after, without a Joker
    assert cards_of(state.discard, "rome") == ["4"]


@rule("V4.3e")
def test_a_joker_that_is_discarded_or_held_rebuilds_nothing() -> None:
    discarded = run(with_cards(skirmish(LINE), "joker", "3"), "discard joker", "lay 3 seg1", "done")
    assert isinstance(decision(discarded), Saves)
    assert cards_of(discarded.discard, "rome") == ["3", "joker"]
    held = run(with_cards(skirmish(LINE), "joker", "3"), "lay 3 seg1", "done", "done")
    assert isinstance(decision(held), Saves)
    assert cards_of(held.discard, "rome") == ["3"]
    assert cards_of(held.hand, "rome") == ["joker"]


@rule("V4.3e")
def test_a_pile_too_short_for_the_hand_is_rebuilt_before_the_draw() -> None:
    state = skirmish(LINE)
    state.discard[:KINDS] = [2, 2, 2, 2, 2, 2, 4, 1, 0]
    state = give_hand(state, "rome")
    assert cards_of(state.pile, "rome") == ["face", "face"]
    play = go_on(hand_and_cards(state), draws("6", "face", "joker"))  # the 6 comes first, out of the discards
    assert cards_of(play.state.hand, "rome") == ["6", "face", "joker"]
    assert cards_of(play.state.discard, "rome") == []
    assert sum(play.state.pile[:KINDS]) == 16
    assert told(play)[0] == ("V4.3e", "event.rebuilt")


@rule("V4.3e")
def test_a_pile_that_just_suffices_is_not_rebuilt() -> None:
    state = skirmish(LINE)
    state.discard[:KINDS] = [2, 2, 2, 2, 2, 2, 3, 1, 0]
    state = give_hand(state, "rome")
    made = go_on(hand_and_cards(state), draws("face", "face", "face")).state
    assert sum(made.pile[:KINDS]) == 0
    assert sum(made.discard[:KINDS]) == 16


@rule("V4.3e")
def test_what_is_short_is_the_draw_and_not_the_hand() -> None:
    state = skirmish(LINE)
    state.discard[:KINDS] = [0, 2, 2, 2, 2, 2, 6, 1, 0]
    state = give_hand(state, "rome", "1")
    state.discard[CARD["1"]], state.pile[CARD["1"]] = 0, 1
    state.discard[CARD["2"]], state.pile[CARD["2"]] = 1, 1
    made = go_on(hand_and_cards(state), draws("1", "2")).state  # two to draw, two in the pile
    assert sum(made.discard[:KINDS]) == 16


# --- who pays ------------------------------------------------------------------------------------


@rule("V4.3f")
def test_a_change_of_segment_is_paid_where_it_starts() -> None:
    state = battle("A heavy_cavalry rome1; B heavy_cavalry rome1", "X warriors barb3")
    state.points[2] = 5
    assert refusals(moves(state, 2, points=5), "move A rome-reserve>rome2") == ["V4.3f"]
    after = do(moves(state, 1, points=3), "move A rome-reserve>rome2").state
    assert place(after, "A") == "rome2"
    assert points(after) == [2, 5, 0]


@rule("V4.3g")
def test_a_move_out_of_the_reserve_is_paid_where_it_arrives() -> None:
    state = battle("A heavy_cavalry rome-reserve; B heavy_cavalry rome-reserve", "X warriors barb3")
    state.points[1] = 5
    for path in ("rome2", "rome2>barb2"):
        assert refusals(moves(state, 1, points=5), f"move A {path}") == ["V4.3g"]
        after = do(moves(state, 2, points=3), f"move A {path}").state
        assert points(after) == [5, 2, 0]


@rule("V4.3g")
def test_a_move_back_to_the_reserve_is_paid_by_the_segment_left() -> None:
    state = battle("A legionaries rome2; B legionaries rome2", "X warriors barb3")
    assert points(do(moves(state, 2, points=3), "move A rome-reserve").state) == [0, 2, 0]
    assert refusals(moves(state, 1, points=3), "move A rome-reserve") == ["V4.3f"]


@rule("V4.3g")
def test_a_fight_is_paid_where_the_unit_stands_and_an_outflanking_one_by_the_attackers_segment() -> None:
    state = battle("A legionaries rome1; B legionaries rome1; C legionaries rome2", "X warriors rome2")
    open_ = fights(state, 1, points=2)
    open_.points[2] = 7
    assert points(do(open_, "outflank A rome2", dice=[6, 6, 6, 6]).state) == [1, 7, 0]
    assert refusals(fights(state, 2, points=9), "outflank A rome2") == ["V5a"]
    assert refusals(fights(state, 1, points=9), "fight C") == ["V5a"]


@rule("V4.3g")
def test_a_unit_acts_once_a_turn_whichever_segment_would_pay() -> None:
    rome = "A heavy_cavalry rome1; B legionaries rome2; C legionaries rome2"
    state = segments(battle(rome, "X warriors rome2"), {1: 2, 2: 4})
    state = run(state, "activate seg1", "done", "move A rome-reserve>rome2", "activate seg2")
    assert isinstance(decision(state), Fights)
    assert refusals(state, "fight A") == ["V5a"]
    state = run(state, "done")
    assert isinstance(decision(state), Moves)
    assert refusals(state, "move A rome-reserve") == ["V6.1a"]


# --- what it costs -------------------------------------------------------------------------------

Opening = Callable[[VirtusState, int], VirtusState]


def fighting(state: VirtusState, left: int) -> VirtusState:
    return fights(state, 1, left)


def moving(state: VirtusState, left: int) -> VirtusState:
    return moves(state, 1, left)


def declaring(state: VirtusState, left: int) -> VirtusState:
    return declares(state, {1: left})


HERE, OPPOSITE, BESIDE = "X warriors rome1", "X warriors barb1", "X warriors rome2"


@rule("V4.3h", "V4.3a")
@pytest.mark.parametrize(
    ("opening", "mine", "enemy", "line", "dice", "cost"),
    [
        (fighting, "legionaries rome1", HERE, "fight A", [6] * 4, 1),
        (fighting, "formed_archers rome1", OPPOSITE, "shoot A", [6] * 3, 1),
        (fighting, "legionaries rome1", BESIDE, "outflank A rome2", [6] * 4, 1),
        (fighting, "legionaries rome1", HERE, "fight A hill", [6] * 5, 2),
        (fighting, "legionaries rome1", HERE, "fight A pila", [6] * 4, 2),
        (fighting, "legionaries rome1", HERE, "fight A hill pila", [6] * 5, 3),
        (fighting, "legionaries rome1", BESIDE, "outflank A rome2 pila", [6] * 4, 2),
        (fighting, "formed_archers rome1; F legionaries barb1", OPPOSITE, "shoot A overhead", [6] * 3, 2),
        (fighting, "fanatics rome1", HERE, "fight A", [6] * 4, 2),
        (fighting, "legionaries rome1 stoic", HERE, "fight A", [6] * 4, 2),
        (fighting, "legionaries rome1 stoic", HERE, "fight A hill pila", [6] * 5, 4),
        (fighting, "fanatics rome1 stoic", HERE, "fight A hill", [6] * 5, 4),
        (fighting, "formed_archers rome1 stoic", OPPOSITE, "shoot A", [6] * 3, 2),
        (declaring, "legionaries rome1", HERE, "declare-charge A", [], 2),
        (declaring, "heavy_cavalry rome1", HERE, "declare-charge A", [], 1),
        (declaring, "elephants rome1", HERE, "declare-charge A", [], 1),
        (declaring, "legionaries rome1", HERE, "declare-charge A hill", [], 3),
        (declaring, "heavy_cavalry rome1", HERE, "declare-charge A hill", [], 2),
        (declaring, "fanatics rome1", HERE, "declare-charge A", [], 3),
        (declaring, "heavy_cavalry rome1 stoic", HERE, "declare-charge A", [], 2),
        (moving, "legionaries rome1", "", "move A barb1", [], 1),
        (moving, "heavy_cavalry rome-reserve", "", "move A rome1>barb1", [], 1),
        (moving, "legionaries rome-reserve", "", "move A rome1>barb1", [1], 1),
        (moving, "legionaries rome-reserve pikes", "", "move A rome1>barb1", [1], 2),
        (moving, "legionaries rome-reserve pikes", "", "move A rome1>barb1", [6], 2),
        (moving, "legionaries rome1 pikes", "", "move A barb1", [], 1),
        (moving, "legionaries rome1 stoic", "", "move A barb1", [], 2),
        (moving, "fanatics rome1", "", "move A rome-reserve", [], 2),
        (moving, "warriors rome1", OPPOSITE, "hold A", [], 1),
        (moving, "fanatics rome1", OPPOSITE, "hold A", [], 2),
        (moving, "legionaries rome1", "", "form A testudo", [], 1),
        (moving, "legionaries rome1", "", "form A testudo barb1", [], 1),
        (moving, "legionaries rome1", "", "form A shieldwall", [], 1),
        (moving, "legionaries rome1 form=orbis", "", "form A normal", [], 1),
        (moving, "legionaries rome1 stoic", "", "form A orbis", [], 2),
    ],
)
def test_every_action_costs_what_the_table_says(
    opening: Opening, mine: str, enemy: str, line: str, dice: Sequence[int], cost: int
) -> None:
    spare = "; S formed_archers rome1; T legionaries rome1"  # they keep the decision open
    state = skirmish(f"A {mine}{spare}", enemy, terrain={"rome1": "hill"})
    assert refusals(opening(state, cost), line) == []
    assert refusals(opening(state, cost - 1), line) == ["V4.3a"]
    assert do(opening(state, 9), line, dice=dice).state.points[1] == 9 - cost


@rule("V4.3h")
def test_the_move_after_a_fight_costs_a_point_of_its_own() -> None:
    state = skirmish("A javelinmen rome1; B javelinmen rome1", "X warriors rome1")
    nine = run(segments(state, {1: 9}), "activate seg1")
    nine = run(do(nine, "fight A", dice=[6, 6]).state, "done", "move A rome-reserve")
    assert nine.points[1] == 7
    one = run(segments(state, {1: 1}), "activate seg1")
    one = do(one, "fight A", dice=[6, 6]).state
    assert isinstance(decision(one), Saves)  # it paid for the fight only: the turn is over


@rule("V4.3h")
def test_generals_ride_and_units_rally_for_nothing() -> None:
    rome = "A legionaries rome1; R legionaries rome-reserve vc=2"
    state = skirmish(rome, generals="G rome rome-reserve")
    after = do(segments(state, {1: 1}), "ride G rome2").state
    assert points(after) == [1, 0, 0]
    assert cohesion(do(rallies(state), "rally R", dice=[1]).state, "R") == 3  # with no point anywhere


# --- 10 attrition --------------------------------------------------------------------------------


@rule("V10-attrition-a")
def test_played_sixes_leave_the_game_first() -> None:
    state = run(lay(skirmish(LINE, attrition=True), seg1="6", seg2="5", seg3="1"), "done")
    assert cards_of(state.removed, "rome") == ["6"]
    assert cards_of(state.discard, "rome") == ["1", "5"]
    assert not list(VIRTUS.invariants(state))


@rule("V10-attrition-a")
def test_the_fives_follow_when_both_sixes_are_gone_and_not_before() -> None:
    for gone, away in ((0, []), (1, []), (2, ["5"])):
        state = skirmish(LINE, attrition=True)
        state.removed[CARD["6"]] = gone
        state = run(lay(state, seg1="5", seg2="4"), "done")
        assert cards_of(state.removed, "rome") == away + ["6"] * gone
        assert cards_of(state.discard, "rome") == (["4"] if away else ["4", "5"])


@rule("V10-attrition-a", "V4.3a")
def test_within_a_turn_the_order_of_the_segments_decides() -> None:
    state = lay(skirmish(LINE, attrition=True), seg1="6", seg2="6", seg3="5")
    late = work_through(state, "seg1", "seg2", "seg3")
    assert cards_of(late.removed, "rome") == ["5", "6", "6"]
    early = work_through(state, "seg1", "seg3", "seg2")
    assert cards_of(early.removed, "rome") == ["6", "6"]
    assert cards_of(early.discard, "rome") == ["5"]


@rule("V10-attrition-a")
@pytest.mark.parametrize("card", "54321")
def test_attrition_goes_down_from_six_to_one(card: str) -> None:
    state = skirmish(LINE, attrition=True)
    for higher in range(int(card) + 1, 7):
        state.removed[CARD[str(higher)]] = 2
    state = run(lay(state, seg1=card), "done")
    assert cards_of(state.removed, "rome")[0] == card
    assert cards_of(state.discard, "rome") == []


@rule("V10-attrition-a")
def test_cards_that_are_discarded_or_cut_unplayed_stay_in_the_game() -> None:
    state = run(with_cards(skirmish(LINE, attrition=True), "6", "6"), "discard 6", "done")
    assert cards_of(state.removed, "rome") == []
    assert cards_of(state.discard, "rome") == ["6"]
    state = give_hand(skirmish("A legionaries rome1", attrition=True), "rome", "6", "4")
    cut = go_on(hand_and_cards(state), draws("6")).state
    assert cards_of(cut.removed, "rome") == []
    assert cards_of(cut.discard, "rome") == ["6"]


@rule("V10-attrition-a")
def test_each_player_wears_his_own_deck_down() -> None:
    state = skirmish(LINE, attrition=True)
    state.removed[KINDS + CARD["6"]] = 2  # the barbarians' sixes
    state = run(lay(state, seg1="6", seg2="5"), "done")
    assert cards_of(state.removed, "rome") == ["6"]
    assert cards_of(state.discard, "rome") == ["5"]


@rule("V10-attrition-a")
def test_faces_and_joker_are_never_worn_and_seven_cards_remain() -> None:
    state = skirmish(LINE, attrition=True)
    state.removed[:6] = [2] * 6
    state = lay(state, seg1="joker", seg2="face")
    assert sum(state.pile[:KINDS]) == 5
    state = run(state, "done")
    assert cards_of(state.removed, "rome") == [n for n in "123456" for _ in "ab"]
    assert cards_of(state.pile, "rome") == ["face"] * 6 + ["joker"]


@rule("V10-attrition-a", "V4.3e")
def test_worn_cards_never_return() -> None:
    state = run(lay(skirmish(LINE, attrition=True), seg1="joker", seg2="6", seg3="5"), "done")
    assert cards_of(state.removed, "rome") == ["6"]
    assert state.pile[CARD["6"]] == 1
    assert state.pile[CARD["5"]] == 2  # rebuilt from the discards
    assert cards_of(state.discard, "rome") == []


@rule("V10-attrition-a")
def test_without_the_option_sixes_are_discarded() -> None:
    state = run(lay(skirmish(LINE), seg1="6", seg2="6"), "done")
    assert cards_of(state.removed, "rome") == []
    assert cards_of(state.discard, "rome") == ["6", "6"]


# --- 17 PiPs -------------------------------------------------------------------------------------


def pips(dice: Sequence[int], rome: str = LINE, generals: str = "", **more: Any) -> VirtusState:
    state = skirmish(rome, generals=generals, pips=True, **more)
    return go_on(hand_and_cards(state), dice).state


@rule("V17a")
def test_with_the_chief_in_reserve_a_die_a_controlled_segment_is_rolled() -> None:
    state = pips([1, 6, 6], generals="G rome rome-reserve chief")  # three dice: none for the chief himself
    assert cards_of(state.hand, "rome") == ["1", "6", "6"]
    assert state.pile[:KINDS] == list(DECK)  # no card is drawn
    two = pips([3, 4], rome="A legionaries rome1; B legionaries barb3", generals="G rome rome-reserve chief")
    assert cards_of(two.hand, "rome") == ["3", "4"]


@rule("V17a")
def test_dice_are_allotted_one_to_a_segment_and_give_their_score() -> None:
    state = pips(
        [1, 6], rome="A legionaries rome1; B legionaries rome2", generals="G rome rome-reserve chief"
    )
    state = run(state, "lay 6 seg2")
    assert refusals(state, "lay 1 seg2") == ["V4.2a"]
    assert refusals(state, "lay 6 seg1") == ["V4.2a"]  # that die lies already
    state = run(state, "lay 1 seg3")  # any segment may be chosen
    assert points(state) == [0, 6, 1]


@rule("V17b")
@pytest.mark.parametrize("generals", ["", "G rome rome1 chief", "G rome rome1 chief; H rome rome-reserve"])
def test_without_the_chief_in_reserve_each_die_is_one_less(generals: str) -> None:
    state = pips([1, 4, 6], generals=generals)
    assert sorted(cards_of(state.hand, "rome")) == ["0", "3", "5"]
    state = run(state, "lay 0 seg1", "lay 5 seg2", "lay 3 seg3")
    bonus = 1 if generals else 0  # V8b: his point is still added
    assert points(state) == [0 + bonus, 5, 3]


@rule("V17a", "V17b")
def test_every_face_counts_as_it_should() -> None:
    for face in range(1, 7):
        state = pips([face], rome="A legionaries rome1", generals="G rome rome-reserve chief")
        assert points(run(state, f"lay {face} seg1")) == [face, 0, 0]
        state = pips([face], rome="A legionaries rome1", generals="G rome rome3")
        assert points(run(state, f"lay {face - 1} seg1")) == [face - 1, 0, 1]


@rule("V17b")
def test_dice_are_not_discarded_and_nothing_is_carried_over() -> None:
    state = pips([2, 3, 4])
    assert refusals(state, "discard 1") == ["V17b"]
    assert refusals(state, "keep") == ["V4.3c"]
    assert not any(line.startswith(("discard", "keep")) for line in legal_lines(state))
    state = run(state, "lay 3 seg1", "done", "done")
    assert isinstance(decision(state), Saves)
    assert cards_of(state.hand, "rome") == []
    assert not any(state.discard)
    assert not any(state.removed)


@rule("V17b")
def test_dice_wear_no_cards_down() -> None:
    state = pips([6, 6, 6], generals="G rome rome-reserve chief", attrition=True)
    state = run(state, "lay 6 seg1", "lay 6 seg2", "lay 6 seg3", "done")
    assert not any(state.removed)


@rule("V4.3b")
def test_the_points_of_a_joker_are_not_said_as_a_number() -> None:
    state = lay(skirmish("A legionaries rome1", "X warriors rome1"), seg1="joker")
    state = run(state, "done", "activate seg1") if isinstance(decision(state), Declarations) else state
    assert decision(state).prompt(state).values["points"] == "∞"
