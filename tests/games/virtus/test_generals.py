"""8 Generals and 13 Leaders: their tests (3.4), what they give, capture, attachment, devotio."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from legatus.games.virtus.army import Army, cost
from legatus.games.virtus.cards import Cards, hand_size
from legatus.games.virtus.charges import Declarations
from legatus.games.virtus.generals import DevotioChoice
from legatus.games.virtus.saves import Saves
from legatus.games.virtus.segments import Segments
from legatus.games.virtus.sequence import EndTurn
from legatus.games.virtus.setup import Deployment
from legatus.games.virtus.state import PLACES, RETREATED, WAITING, VirtusState
from legatus.kernel.chance import WrongLuck
from tests.rules import rule

from .field import (
    at,
    battle,
    cohesion,
    declares,
    do,
    fights,
    general,
    give_hand,
    go_on,
    hand_and_cards,
    legal_lines,
    moves,
    place,
    refusals,
    run,
    segments,
    tokens,
    told,
    unit,
    whole_turn,
)
from .field import tests as saves  # a name that pytest does not collect

FOE = "X warriors barb3 tokens=w"  # his test comes next: play stops there


def whereabouts(state: VirtusState, name: str) -> str:
    """Where a general is; ``gone`` if he was lost."""
    here = state.gplace[general(state, name)]
    return PLACES[here] if here >= 0 else "gone"


def begun(rome: str, generals: str, dice: list[int] | None = None, **more: Any) -> VirtusState:
    """Rome's turn, run as far as its first decision; its hand is full whatever the tests bring."""
    foes = more.pop("barbarians", FOE)
    state = battle(rome, foes, generals=generals, **more)
    give_hand(state, "rome", *["face"] * hand_size(state, 0))
    return go_on(whole_turn(state), dice or []).state


# --- 3.4 tests of generals -----------------------------------------------------------------------


@rule("V3.4a")
@pytest.mark.parametrize(("face", "end"), [(1, "rome1"), (5, "rome1"), (6, "gone")])
def test_a_marked_general_is_lost_on_a_6(face: int, end: str) -> None:
    state = begun("A legionaries rome1 tokens=w", "G rome rome1 tokens=1")
    play = do(state, "save A white", dice=[1, 1, face])
    assert whereabouts(play.state, "G") == end
    assert play.state.gtokens == [0]
    assert ("V3.4a", "event.general_tests") in told(play)


@rule("V3.4a")
def test_a_general_rolls_one_die_a_token() -> None:
    state = begun("A legionaries rome1 tokens=w", "G rome rome1 tokens=3")
    assert whereabouts(do(state, "save A white", dice=[1, 1, 5, 5, 5]).state, "G") == "rome1"
    assert whereabouts(do(state, "save A white", dice=[1, 1, 5, 6, 1]).state, "G") == "gone"


@rule("V3.4a")
def test_a_general_without_tokens_does_not_test() -> None:
    state = begun("A legionaries rome1 tokens=w", "G rome rome1")
    assert isinstance(do(state, "save A white", dice=[1, 1]).state.decision, Cards)


@rule("V3.4a", "V8b")
def test_a_general_tests_after_the_units_of_his_sector() -> None:
    """His charisma still holds them, though he falls afterwards."""
    state = begun(
        "A legionaries rome1 tokens=w; B legionaries rome1 tokens=w", "G rome rome1 tokens=1 charismatic"
    )
    assert isinstance(state.decision, Saves)
    state = do(state, "save A white", dice=[6, 5]).state
    state = do(state, "save B white", dice=[6, 5, 6]).state
    assert (place(state, "A"), place(state, "B")) == ("rome1", "rome1")
    assert whereabouts(state, "G") == "gone"


# --- 8 what a general is and gives ---------------------------------------------------------------


@rule("V8a")
def test_a_general_rides_without_points_and_costs_none() -> None:
    state = segments(battle("A legionaries rome1", FOE, generals="G rome rome1"), {1: 1})
    after = do(state, "ride G rome2").state
    assert (whereabouts(after, "G"), after.points[1:4]) == ("rome2", [1, 0, 0])
    assert refusals(segments(state, {1: 0}), "ride G rome2") == []


@rule("V8a")
def test_a_general_is_no_unit_and_does_not_fight() -> None:
    state = fights(battle("A legionaries rome1", f"{FOE}; Y horde rome1", generals="G rome rome1"), 1)
    assert refusals(state, "fight G") == ["V5a"]
    assert refusals(state, "fight A") == []


@rule("V8a")
def test_neither_enemies_nor_ground_stop_a_general() -> None:
    state = battle(
        "A legionaries rome1",
        f"{FOE}; Y horde rome1",
        generals="G rome rome1; H rome rome-reserve",
        terrain={"rome2": "thick_forest", "barb2": "marsh"},
    )
    assert refusals(segments(state), "ride G barb1") == []
    assert refusals(segments(state), "ride H barb2") == []


QUALITIES = {"": 1, "superior": 2, "charismatic": 1, "superior charismatic": 2}


@rule("V8b")
@pytest.mark.parametrize("marks", QUALITIES)
@pytest.mark.parametrize(
    ("lines", "points"), [(["done"], 0), (["lay face seg1", "done"], 0), (["lay 3 seg1", "done"], 3)]
)
def test_a_general_brings_a_point_card_or_no_card_and_two_if_superior(
    marks: str, lines: list[str], points: int
) -> None:
    state = battle("A legionaries rome1; B legionaries rome2", FOE, generals=f"G rome rome1 {marks}")
    state = run(go_on(hand_and_cards(give_hand(state, "rome", "face", "3"))).state, *lines)
    assert isinstance(state.decision, Segments)
    assert state.points[1:4] == [points + QUALITIES[marks], 0, 0]


@rule("V8b")
def test_a_general_brings_his_point_from_the_far_sector_of_the_segment_too() -> None:
    state = battle("A legionaries barb1", f"{FOE}; Y horde barb2", generals="G rome barb1")
    state = do(go_on(hand_and_cards(give_hand(state, "rome", "face"))).state, "done").state
    assert state.points[1:4] == [1, 0, 0]


@rule("V8b")
def test_a_general_in_reserve_brings_no_point() -> None:
    state = battle("A legionaries rome1", FOE, generals="G rome rome-reserve superior")
    state = do(go_on(hand_and_cards(give_hand(state, "rome", "2"))).state, "lay 2 seg1").state
    assert state.points == [0, 2, 0, 0, 0]


@rule("V8b")
def test_a_general_brings_his_points_once_where_he_stands_as_the_activation_begins() -> None:
    state = battle("A legionaries rome1; B legionaries rome2", FOE, generals="G rome rome1 superior")
    state = do(go_on(hand_and_cards(give_hand(state, "rome", "face", "3"))).state, "done").state
    assert do(state, "ride G rome2").state.points[1:4] == [2, 0, 0]


@rule("V8b")
@pytest.mark.parametrize(("dark", "end"), [(5, "rome1"), (6, "rome-reserve")])
def test_a_charismatic_general_adds_1_to_cohesion_in_saves(dark: int, end: str) -> None:
    state = battle("A legionaries rome1 tokens=w", FOE, generals="G rome rome1 charismatic")
    after = do(saves(state), "save A white", dice=[6, dark]).state
    assert (place(after, "A"), cohesion(after, "A")) == (end, 3)


@rule("V8b")
@pytest.mark.parametrize(
    "generals",
    [
        "G rome rome1",
        "G rome rome1 superior",
        "G rome rome2 charismatic",
        "G rome barb1 charismatic",
        "G rome rome-reserve charismatic",
        "H barbarians rome1 charismatic",
    ],
)
def test_charisma_needs_a_charismatic_general_of_the_own_side_in_the_same_sector(generals: str) -> None:
    state = battle("A legionaries rome1 tokens=w", FOE, generals=generals)
    assert place(do(saves(state), "save A white", dice=[6, 5]).state, "A") == "rome-reserve"


@rule("V8b")
def test_charisma_gives_no_dice_and_does_not_save_the_last_point() -> None:
    state = battle("A legionaries rome1 vc=2", f"{FOE}; Y horde rome1", generals="G rome rome1 charismatic")
    assert tokens(do(fights(state, 1), "fight A", dice=[1, 1]).state, "Y") == "ww"
    state = battle(
        "A legionaries rome1 vc=1 tokens=w; B legionaries rome2", FOE, generals="G rome rome1 charismatic"
    )
    assert place(do(saves(state), "save A white", dice=[6, 1]).state, "A") == "gone"


@rule("V8c")
@pytest.mark.parametrize(
    ("qualities", "points"),
    [
        ([], 10),
        (["superior"], 20),
        (["charismatic"], 20),
        (["superior", "charismatic"], 30),
        (["hero"], 20),
        (["devotio"], 20),
        (["superior", "charismatic", "hero", "devotio"], 50),
    ],
)
def test_generals_and_their_qualities_cost_ten_points_each(qualities: list[str], points: int) -> None:
    one = {"name": "G", "chief": True, **dict.fromkeys(qualities, True)}
    raw = {"name": "x", "budget": 150, "unit": [{"type": "legionaries"}], "general": [one]}
    assert cost(msgspec.convert(raw, Army)) == 11 + points


@rule("V8d")
def test_two_generals_of_a_side_end_no_ride_in_one_sector() -> None:
    generals = "G rome rome-reserve; H rome rome1; I barbarians rome2"
    state = segments(battle("A legionaries rome1; B legionaries rome2", FOE, generals=generals))
    assert refusals(state, "ride G rome1") == ["V8d"]
    assert refusals(state, "ride G rome2") == []
    assert refusals(state, "ride H rome-reserve") == []


@rule("V8d")
def test_a_general_may_ride_through_the_sector_of_another() -> None:
    state = segments(battle("A legionaries rome1", FOE, generals="G rome rome-reserve; H rome rome1"))
    assert whereabouts(do(state, "ride G barb1").state, "G") == "barb1"


@rule("V8d")
def test_two_generals_may_not_be_deployed_in_one_sector_but_in_the_reserve() -> None:
    state = battle("A legionaries rome1", FOE, generals="G rome rome-reserve; H rome rome1; I rome rome2")
    state.gplace[general(state, "I")] = WAITING
    state = at(state, Deployment(0))
    assert refusals(state, "deploy I rome1") == ["V8d"]
    assert refusals(state, "deploy I rome2") == []
    assert refusals(state, "deploy I rome-reserve") == []


@rule("V8d")
def test_only_the_chief_brings_a_card_and_nobody_succeeds_him() -> None:
    rome = "A legionaries rome1"
    for generals, size in (
        ("G rome rome-reserve chief; H rome rome-reserve", 2),
        ("G rome rome1 chief; H rome rome-reserve", 1),
        ("H rome rome-reserve superior charismatic", 1),
    ):
        assert hand_size(battle(rome, FOE, generals=generals), 0) == size, generals
    state = battle(rome, FOE, generals="G rome rome1 chief tokens=1; H rome rome-reserve")
    state = go_on(whole_turn(give_hand(state, "rome", "3")), dice=[6]).state
    assert whereabouts(state, "G") == "gone"
    assert hand_size(state, 0) == 1


# --- 8 capture -----------------------------------------------------------------------------------


@rule("V8e")
@pytest.mark.parametrize(
    ("rome", "barbarians", "end"),
    [
        ("A legionaries rome2", "Y horde rome1 tokens=w", "gone"),
        ("A legionaries rome1", "Y horde rome1 tokens=w", "rome1"),
        ("A legionaries rome2", "Y horde barb1 tokens=w", "rome1"),
    ],
)
def test_a_general_alone_among_enemies_as_their_turn_begins_is_captured(
    rome: str, barbarians: str, end: str
) -> None:
    state = battle(rome, barbarians, generals="G rome rome1", active="barbarians")
    play = go_on(whole_turn(state))
    assert whereabouts(play.state, "G") == end
    assert (("V8e", "event.captured") in told(play)) == (end == "gone")


@rule("V8e")
def test_the_company_of_enemy_or_own_generals_neither_harms_nor_helps() -> None:
    generals = "G rome rome1; H barbarians rome1; I rome rome2"
    state = battle("A legionaries rome3", "Y horde barb1 tokens=w", generals=generals, active="barbarians")
    assert whereabouts(go_on(whole_turn(state)).state, "G") == "rome1"


@rule("V8e")
@pytest.mark.parametrize(("rome", "end"), [("A legionaries rome2", "gone"), ("A legionaries rome1", "rome1")])
def test_an_enemy_who_moves_in_captures_a_lone_general(rome: str, end: str) -> None:
    foes = "Y horde barb1; Z horde barb1"
    state = battle(rome, foes, generals="G rome rome1", active="barbarians")
    assert whereabouts(do(moves(state, 1), "move Y rome1").state, "G") == end


@rule("V8e")
def test_in_his_own_turn_a_general_left_alone_may_still_ride_away() -> None:
    rome = "A legionaries barb1 tokens=w; B legionaries rome2"
    state = begun(rome, "G rome barb1", barbarians=f"{FOE}; Y horde barb1")
    state = do(state, "save A white", dice=[6, 6]).state
    assert (place(state, "A"), whereabouts(state, "G")) == ("rome1", "barb1")
    state = do(state, "done").state
    assert isinstance(state.decision, Segments)
    away = run(state, "ride G rome1", "done")
    assert (away.active, whereabouts(away, "G")) == (1, "rome1")


@rule("V8e")
def test_a_general_left_alone_who_stays_is_captured_as_the_enemy_turn_begins() -> None:
    rome = "A legionaries barb1 tokens=w; B legionaries rome2"
    state = begun(rome, "G rome barb1", barbarians=f"{FOE}; Y horde barb1")
    state = run(state, "save A white", "done", "done", dice=[6, 6])
    assert (state.active, whereabouts(state, "G")) == (1, "gone")


@rule("V8e")
def test_his_own_turn_never_takes_a_general_even_one_who_rides_among_enemies() -> None:
    rome = "A legionaries rome2 tokens=w"
    state = begun(rome, "G rome rome1", barbarians=f"{FOE}; Y horde rome1; Z horde barb2")
    assert whereabouts(state, "G") == "rome1"
    state = run(state, "save A white", "done", "ride G barb2", dice=[1, 1])
    assert (state.active, whereabouts(state, "G")) == (0, "barb2")
    assert whereabouts(do(state, "done").state, "G") == "gone"


@rule("V8e")
def test_an_enemy_who_retreats_onto_a_lone_general_captures_him() -> None:
    """All through the enemy turn: his tests belong to it."""
    rome = "A legionaries barb1 tokens=w; B legionaries rome2 tokens=w"
    state = battle(rome, f"{FOE}; Y horde barb1", generals="H barbarians rome1")
    after = do(saves(state), "save A white", dice=[6, 6]).state
    assert (after.active, place(after, "A")) == (0, "rome1")
    assert whereabouts(after, "H") == "gone"


@rule("V8e")
def test_an_enemy_who_retreats_onto_a_general_among_friends_does_not_capture_him() -> None:
    rome = "A legionaries barb1 tokens=w; B legionaries rome2 tokens=w"
    state = battle(rome, f"{FOE}; Y horde barb1; Z horde rome1", generals="H barbarians rome1")
    assert whereabouts(do(saves(state), "save A white", dice=[6, 6]).state, "H") == "rome1"


# --- 13.1 a general among his fighters -----------------------------------------------------------

LINE = "A legionaries rome1; B legionaries rome1; C legionaries rome2; D legionaries rome3"
FOES = f"{FOE}; Y horde rome1; Z horde rome2"


def facing_the_enemy(generals: str, points: int = 9, **more: Any) -> VirtusState:
    """Charges and attachments are about to be declared."""
    return declares(battle(LINE, FOES, generals=generals, **more), {1: points, 2: 9})


@rule("V13.1a")
@pytest.mark.parametrize(("marks", "extra"), [("", 1), ("superior charismatic", 1), ("hero", 2)])
def test_an_attached_general_adds_a_die_and_a_hero_two(marks: str, extra: int) -> None:
    state = run(facing_the_enemy(f"G rome rome1 {marks}"), "attach G A", "done", "activate seg1")
    after = do(state, "fight A", dice=[1] * (4 + extra)).state
    assert tokens(after, "Y") == "w" * (4 + extra)
    assert tokens(do(state, "fight B", dice=[1] * 4).state, "Y") == "w" * 4


@rule("V13.1a")
def test_an_attached_general_adds_his_die_to_a_charge_too() -> None:
    state = run(facing_the_enemy("G rome rome1"), "attach G A", "declare-charge A", "done", "activate seg1")
    state = run(state, "done", "charge A Y", dice=[1] * 5)
    assert tokens(state, "Y") == "w" * 5


@rule("V13.1a")
def test_a_general_who_is_not_attached_adds_nothing() -> None:
    state = run(facing_the_enemy("G rome rome1 hero"), "done", "activate seg1")
    assert tokens(do(state, "fight A", dice=[1] * 4).state, "Y") == "w" * 4


@rule("V13.1a")
def test_a_general_joins_one_of_his_own_units_that_fights_in_his_sector() -> None:
    state = facing_the_enemy("G rome rome1; H barbarians rome1; I rome rome3")
    assert refusals(state, "attach G A") == []
    assert refusals(state, "attach G C") == ["V13.1a"]  # another sector
    assert refusals(state, "attach I D") == ["V13.1a", "V13.1b"]  # not engaged, and no points there
    assert refusals(state, "attach G Y") == ["V13.1a"]
    assert refusals(state, "attach H Y") == ["V13.1a"]
    assert refusals(state, "attach nobody A") == ["V13.1a"]


@rule("V13.1a")
def test_a_general_joins_one_unit_a_turn() -> None:
    state = do(facing_the_enemy("G rome rome1"), "attach G A").state
    assert refusals(state, "attach G B") == ["V13.1a"]
    assert "attach G B" not in legal_lines(state)


@rule("V13.1a", "V10-troops.a")
def test_without_the_option_no_general_is_attached() -> None:
    state = facing_the_enemy("G rome rome1", leaders=False)
    assert isinstance(state.decision, Declarations)
    assert "attach G A" not in legal_lines(state)
    assert refusals(state, "attach G A") == ["V13.1a"]


@rule("V13.1b")
@pytest.mark.parametrize(("marks", "bonus"), [("", 1), ("superior", 2)])
def test_an_attached_general_gives_no_activation_points(marks: str, bonus: int) -> None:
    state = do(facing_the_enemy(f"G rome rome1 {marks}", points=5), "attach G A").state
    assert state.points[1:3] == [5 - bonus, 9]
    exact = do(facing_the_enemy(f"G rome rome1 {marks}", points=bonus), "attach G A").state
    assert exact.points[1] == 0


@rule("V13.1b")
def test_he_must_be_attached_before_his_points_are_spent() -> None:
    state = facing_the_enemy("G rome rome1 superior", points=3)
    assert refusals(state, "attach G A") == []
    state = do(state, "declare-charge B").state
    assert state.points[1] == 1
    assert refusals(state, "attach G A") == ["V13.1b"]


@rule("V13.1b")
def test_an_attached_general_does_not_ride_in_that_turn() -> None:
    state = run(facing_the_enemy("G rome rome1; H rome rome3"), "attach G A", "done")
    assert isinstance(state.decision, Segments)
    assert refusals(state, "ride G rome-reserve") == ["V13.1b"]
    assert refusals(state, "ride H rome-reserve") == []
    free = run(facing_the_enemy("G rome rome1"), "done")
    assert refusals(free, "ride G rome-reserve") == []


@rule("V13.1b", "V13.1e")
def test_he_stays_attached_through_the_enemy_turn_and_is_free_after_his_next_tests() -> None:
    state = at(battle(LINE, FOES, generals="G rome rome1"), Declarations(0), EndTurn(0))
    state.points[1] = 9
    state = run(state, "attach G A", "done")
    assert state.active == 1
    assert state.attached == [unit(state, "A")]
    state = begun("A legionaries rome1 tokens=w", "G rome rome1 with=A", barbarians=f"{FOE}; Y horde rome1")
    assert state.attached == [unit(state, "A")]
    state = do(state, "save A white", dice=[1, 1]).state
    assert state.attached == [-1]
    state = do(state, "done").state
    assert state.points[1] == 1
    assert "ride G rome-reserve" in legal_lines(do(state, "done").state)


@rule("V13.1b", "V8b")
def test_the_charisma_of_an_attached_general_still_works() -> None:
    state = battle(
        "A legionaries rome1 tokens=w; B legionaries rome1 tokens=w",
        FOE,
        generals="G rome rome1 charismatic with=A",
    )
    state = run(saves(state), "save A white", "save B white", dice=[6, 5, 6, 5])
    assert (place(state, "A"), place(state, "B")) == ("rome1", "rome1")


@rule("V13.1c")
@pytest.mark.parametrize(("faces", "end"), [([4, 4], "rome1"), ([1, 5], "gone"), ([6, 1], "gone")])
def test_an_attached_general_is_lost_on_5_or_6(faces: list[int], end: str) -> None:
    dice = faces if end != "gone" else [*faces, 1]
    state = begun("A legionaries rome1 tokens=w", "G rome rome1 tokens=2 with=A", dice)
    assert isinstance(state.decision, Saves)
    assert whereabouts(state, "G") == end
    assert isinstance(do(state, "save A white", dice=[1, 1]).state.decision, Cards)  # and no second test


@rule("V13.1c")
def test_an_attached_general_tests_before_his_units_and_his_charisma_dies_with_him() -> None:
    rome = "A legionaries rome1 tokens=w; B legionaries rome1 tokens=w; C legionaries rome1"
    state = begun(rome, "G rome rome1 tokens=1 charismatic with=A", [5, 1])
    assert whereabouts(state, "G") == "gone"
    assert place(do(state, "save B white", dice=[6, 5]).state, "B") == "rome-reserve"


@rule("V13.1d")
@pytest.mark.parametrize(("face", "end"), [(4, "rome1"), (5, "rome-reserve")])
def test_the_unit_of_a_fallen_general_retreats_if_it_rolls_above_cohesion(face: int, end: str) -> None:
    rome = "A legionaries rome1; B legionaries rome1 tokens=w"
    state = begun(rome, "G rome rome1 tokens=1 with=A", [5, face])
    assert isinstance(state.decision, Saves)
    assert (place(state, "A"), cohesion(state, "A")) == (end, 4)
    assert (place(state, "B"), cohesion(state, "B")) == ("rome1", 4)


@rule("V13.1d")
def test_a_general_who_lives_shakes_nobody() -> None:
    state = begun(
        "A legionaries rome1 vc=1 tokens=w; B legionaries rome2", "G rome rome1 tokens=1 with=A", [4]
    )
    assert (place(state, "A"), whereabouts(state, "G")) == ("rome1", "rome1")


@rule("V13.1d", "V3.1e")
def test_that_retreat_comes_before_its_own_saves_and_counts_as_the_first() -> None:
    rome = "A legionaries barb1 tokens=w; B legionaries barb1; C legionaries rome2"
    foes = f"{FOE}; Y horde barb1; Z horde barb2"
    state = begun(rome, "G rome barb1 tokens=1 with=A", [6, 5], barbarians=foes)
    assert (place(state, "A"), tokens(state, "A")) == ("rome1", "w")
    after = do(state, "save A white", dice=[4, 5])
    assert place(after.state, "A") == "gone"
    assert ("V3.1e", "event.routs") in told(after)


@rule("V13.1d")
@pytest.mark.parametrize("mark", ["stoic", "elite", "rabble"])
def test_that_test_is_one_d6_against_current_cohesion_whatever_the_unit(mark: str) -> None:
    rome = f"A legionaries rome1 vc=2 {mark}; B legionaries rome1 tokens=w"
    assert place(begun(rome, "G rome rome1 tokens=1 with=A", [5, 2]), "A") == "rome1"
    state = begun(rome, "G rome rome1 tokens=1 with=A charismatic", [5, 3])
    assert isinstance(state.decision, Saves)
    assert place(state, "A") == "rome-reserve"
    with pytest.raises(WrongLuck):
        begun(rome, "G rome rome1 tokens=1 with=A", [5, 7])


@rule("V13.1d", "V10-troops.2a")
def test_fanatics_ignore_the_loss_of_their_general() -> None:
    rome = "A fanatics rome1 vc=1 tokens=w; B legionaries rome1"
    state = begun(rome, "G rome rome1 tokens=1 with=A", [5])
    assert (whereabouts(state, "G"), place(state, "A")) == ("gone", "rome1")


def charged_in(generals: str) -> VirtusState:
    """The barbarians' Y is about to charge A or B."""
    state = battle(
        "A legionaries rome1 tokens=w; B legionaries rome1",
        "Y horde rome1; Z horde rome1",
        generals=generals,
        active="barbarians",
    )
    return run(declares(state, {1: 4}), "declare-charge Y", "done", "activate seg1", "done")


@rule("V13.1e")
@pytest.mark.parametrize(("target", "marked"), [("A", 2), ("B", 0)])
def test_a_charge_marks_an_attached_general_only_beside_the_unit_that_it_strikes(
    target: str, marked: int
) -> None:
    state = do(charged_in("G rome rome1 with=A"), f"charge Y {target}", dice=[6, 6, 5, 5]).state
    assert state.gtokens == [marked]


@rule("V13.1e")
@pytest.mark.parametrize("target", ["A", "B"])
def test_any_charge_in_his_sector_marks_a_general_who_is_not_attached(target: str) -> None:
    state = do(charged_in("G rome rome1"), f"charge Y {target}", dice=[6, 6, 5, 5]).state
    assert state.gtokens == [2]


@rule("V13.1e")
def test_an_ordinary_fight_marks_an_attached_general() -> None:
    rome = "A legionaries rome1 tokens=w; B legionaries rome1"
    state = battle(rome, "Y horde rome1; Z horde rome1", generals="G rome rome1 with=A", active="barbarians")
    assert do(fights(state, 1), "fight Y", dice=[6, 6, 6, 5]).state.gtokens == [3]


# --- 13.2 devotio --------------------------------------------------------------------------------

HURT = "A legionaries rome1 tokens=ww; B veteran_auxiliaries rome1 tokens=k; C legionaries rome2 tokens=w"


@rule("V13.2a")
def test_devotio_spares_the_units_of_his_sector_their_tests_and_no_others() -> None:
    state = begun(HURT, "G rome rome1 devotio")
    assert isinstance(state.decision, DevotioChoice)
    assert legal_lines(state) == ["devote G", "done"]
    state = do(state, "devote G").state
    assert isinstance(state.decision, Saves)
    assert [tokens(state, name) for name in "ABC"] == ["", "", "w"]
    assert [cohesion(state, name) for name in "ABC"] == [4, 4, 4]


@rule("V13.2a")
def test_devotio_is_declared_before_the_tests_or_not_at_all() -> None:
    state = do(begun(HURT, "G rome rome1 devotio"), "done").state
    assert isinstance(state.decision, Saves)
    assert refusals(state, "devote G") == ["V3.1a"]
    assert [tokens(state, name) for name in "ABC"] == ["ww", "k", "w"]


@rule("V13.2a")
def test_only_a_general_with_the_ability_devotes_himself() -> None:
    state = begun(HURT, "G rome rome1 devotio; H rome rome2; I barbarians barb3 devotio")
    assert refusals(state, "devote G") == []
    for name in ("H", "I", "nobody"):
        assert refusals(state, f"devote {name}") == ["V13.2a"]
    assert isinstance(begun(HURT, "H rome rome1 hero").decision, Saves)


@rule("V13.2a")
def test_a_unit_that_retreats_into_his_sector_later_is_not_spared() -> None:
    rome = "A legionaries rome1 tokens=w; B legionaries barb1 tokens=ww"
    state = do(begun(rome, "G rome rome1 devotio"), "devote G").state
    state = do(state, "save B white", dice=[6, 6]).state
    assert (place(state, "B"), tokens(state, "B")) == ("rome1", "w")
    assert cohesion(do(state, "save B white", dice=[6, 1]).state, "B") == 2


@rule("V13.2b")
def test_the_general_who_devoted_himself_dies_as_the_tests_end_and_before_the_hand_is_drawn() -> None:
    state = battle(
        "A legionaries rome1 tokens=w; C legionaries rome2 tokens=w", FOE, generals="G rome rome1 devotio"
    )
    state = do(go_on(whole_turn(state)).state, "devote G").state
    assert whereabouts(state, "G") == "rome1"
    play = do(state, "save C white", dice=[1, 1, 0, 1])  # two cards follow
    assert whereabouts(play.state, "G") == "gone"
    clauses = [event.clause for event in play.events]
    assert clauses.index("V13.2b") < clauses.index("V4.1b")
    assert do(play.state, "done").state.points == [0] * 5


@rule("V13.2b")
def test_neither_his_own_tokens_nor_his_unit_are_tested_then() -> None:
    rome = "A legionaries rome1 vc=1 tokens=w; C legionaries rome2 tokens=w"
    state = do(begun(rome, "G rome rome1 tokens=2 with=A devotio"), "devote G").state
    assert isinstance(state.decision, Saves)
    assert legal_lines(state) == ["save C white"]
    state = do(state, "save C white", dice=[1, 1]).state
    assert (whereabouts(state, "G"), place(state, "A"), cohesion(state, "A")) == ("gone", "rome1", 1)


@rule("V13.2b")
def test_he_devotes_himself_once() -> None:
    rome = "A legionaries rome1 tokens=w; C legionaries rome2 tokens=w"
    state = do(begun(rome, "G rome rome1 devotio; H rome rome2 devotio"), "devote G").state
    assert refusals(state, "devote G") == ["V13.2b"]
    assert refusals(state, "devote H") == []


@rule("V13.2b")
def test_a_general_who_did_not_devote_himself_lives() -> None:
    state = do(begun("A legionaries rome1 tokens=w", "G rome rome1 devotio"), "done").state
    assert whereabouts(do(state, "save A white", dice=[1, 1]).state, "G") == "rome1"


LIGHT = "A javelinmen rome1; B legionaries rome1; C legionaries rome2"


def light_unit_led(generals: str, rome: str = LIGHT) -> VirtusState:
    """Light infantry has fought with its general; the moves of the segment are open."""
    state = declares(battle(rome, FOES, generals=generals), {1: 9, 2: 9})
    state = run(state, "attach G A", "done", "activate seg1")
    dice = [6] * (cohesion(state, "A") + 1)
    return run(state, "fight A", "done", dice=dice)


@rule("V13.1b", "V6.4-evade-b")
def test_a_light_unit_that_he_joined_falls_back_after_its_fight_and_he_stays() -> None:
    state = light_unit_led("G rome rome1")
    assert "move A rome-reserve" in legal_lines(state)
    state = do(state, "move A rome-reserve").state
    assert (place(state, "A"), whereabouts(state, "G")) == ("rome-reserve", "rome1")
    assert state.attached == [unit(state, "A")]
    assert refusals(state, "ride G rome-reserve") == ["V13.1b"]


@rule("V13.1c", "V13.1d", "V13.1e")
@pytest.mark.parametrize(("face", "routs"), [(2, False), (3, True)])
def test_he_and_the_unit_that_fell_back_are_bound_in_the_tests_that_follow(face: int, routs: bool) -> None:
    """He is lost on a 5; the unit, in the reserve, tests its cohesion and can only stay there shaken."""
    rome = "A javelinmen rome-reserve; B legionaries rome1 tokens=w"
    state = begun(rome, "G rome rome1 tokens=1 with=A", [5, face], barbarians=f"{FOE}; Y horde rome1")
    assert (whereabouts(state, "G"), place(state, "A"), cohesion(state, "A")) == ("gone", "rome-reserve", 2)
    assert bool(state.flags[unit(state, "A")] & RETREATED) == routs
    safe = begun(rome, "G rome rome1 tokens=1 with=A", [4], barbarians=f"{FOE}; Y horde rome1")
    assert whereabouts(safe, "G") == "rome1"


@rule("V13.1e")
def test_no_charge_marks_a_general_whose_unit_has_fallen_back() -> None:
    state = battle(
        "A javelinmen rome-reserve; B legionaries rome1",
        "Y horde rome1; Z horde rome1",
        generals="G rome rome1 with=A",
        active="barbarians",
    )
    state = run(declares(state, {1: 4}), "declare-charge Y", "done", "activate seg1", "done")
    assert do(state, "charge Y B", dice=[6, 6, 5, 5]).state.gtokens == [0]


@rule("V13.1b")
def test_the_unit_that_a_general_joined_stays_for_its_fight() -> None:
    state = run(facing_the_enemy("G rome rome1"), "attach G A", "done", "activate seg1", "done")
    assert refusals(state, "move A rome-reserve") == ["V13.1b"]
    assert refusals(state, "form A testudo") == ["V13.1b"]
    assert refusals(state, "move B rome-reserve") == []
