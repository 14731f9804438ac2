"""7 Terrain: units and decoys face down in thick forest (V7d)."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.cards import Cards
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.moves import Moves
from legatus.games.virtus.segments import Segments, StartActivation
from legatus.games.virtus.sequence import EndTurn
from legatus.games.virtus.setup import MOST_DECOYS, Deployment, FirstPlayer, Reveal
from legatus.games.virtus.state import CARD, FACEDOWN, PLACE, WAITING, VirtusState
from legatus.kernel import Play
from tests.games.virtus.field import (
    at,
    battle,
    decision,
    do,
    face_down,
    fights,
    give_hand,
    go_on,
    legal_lines,
    moves,
    place,
    refusals,
    run,
    segments,
    skirmish,
    tokens,
    told,
    unit,
)
from tests.games.virtus.field import tests as about_to_test
from tests.rules import rule

FOREST = {"barb1": "thick_forest"}
TURNED_UP = ("V7d", "event.turned_up")


def ambush(
    rome: str = "A legionaries rome3", barbarians: str = "", decoys: int = 1, **more: Any
) -> VirtusState:
    """X and Y lie face down in the forest of barb1, among decoys; it is their turn unless said otherwise."""
    hidden = "X warriors barb1; Y javelinmen barb1"
    more = {"terrain": FOREST, "active": "barbarians", **more}
    return face_down(skirmish(rome, f"{hidden}; {barbarians}", **more), "X", "Y", barb1=decoys)


def hidden(state: VirtusState) -> set[str]:
    return {u.id for i, u in enumerate(state.roster.units) if state.flags[i] & FACEDOWN}


def markers(state: VirtusState, name: str = "barb1") -> tuple[int, int]:
    """How many markers lie there, and how many of them are decoys."""
    return state.markers[PLACE[name]], state.decoys[PLACE[name]]


def is_sound(state: VirtusState) -> bool:
    return list(VIRTUS.invariants(state)) == []


# --- setting them up -----------------------------------------------------------------------------


def deploying(terrain: dict[str, str] | None = None, decoys: str = "equal") -> VirtusState:
    """The barbarians are about to deploy two units and a general."""
    state = battle(
        barbarians="X warriors barb1; Y warriors barb1",
        generals="H barbarians barb1",
        terrain=terrain or FOREST,
        decoys=decoys,
    )
    state.turn = 0
    state.place, state.gplace, state.count = [WAITING] * 2, [WAITING], [0] * 20
    state.todo = [FirstPlayer(), Reveal(), Deployment(1)]
    return state


@rule("V7d")
@pytest.mark.parametrize(
    "ground",
    ["clear", "hill", "woods", "wooded_hill", "steep_height", "marsh", "rocks", "crevasse", "thick_forest"],
)
def test_markers_lie_in_thick_forest_only(ground: str) -> None:
    allowed = ground == "thick_forest"
    state = deploying({"barb1": ground}, decoys="free")
    assert refusals(state, "deploy X barb1 hidden") == ([] if allowed else ["V7d"])
    assert refusals(state, "decoy barb1") == ([] if allowed else ["V7d"])
    assert refusals(state, "deploy X barb1") == []  # a unit may always stand in the open
    assert any("hidden" in line for line in legal_lines(state)) == allowed


@rule("V7d", "V1.7b")
def test_markers_lie_in_the_own_camp_only() -> None:
    state = deploying({"rome1": "thick_forest"}, decoys="free")
    assert refusals(state, "deploy X rome1 hidden") == ["V1.7b"]
    assert refusals(state, "decoy rome1") == ["V1.7b"]
    assert refusals(state, "decoy barb-reserve") == ["V1.7b"]
    assert refusals(state, "deploy X barb-reserve hidden") == ["V7d"]


@rule("V7d")
def test_a_general_is_no_unit_and_shows_himself() -> None:
    assert refusals(deploying(), "deploy H barb1 hidden") == ["V7d"]
    assert refusals(deploying(), "deploy H barb1") == []


@rule("V7d")
def test_there_are_as_many_decoys_as_units_hidden_in_the_same_forest() -> None:
    state = deploying({"barb1": "thick_forest", "barb2": "thick_forest"})
    assert refusals(state, "decoy barb1") == ["V7d"]
    state = run(state, "deploy X barb1 hidden")
    assert refusals(state, "decoy barb2") == ["V7d"]
    state = run(state, "decoy barb1")
    assert refusals(state, "decoy barb1") == ["V7d"]
    assert markers(state) == (2, 1)
    open_ = run(state, "deploy Y barb1")  # one who stands in the open hides nobody
    assert refusals(open_, "decoy barb1") == ["V7d"]
    more = run(state, "deploy Y barb1 hidden", "decoy barb1")
    assert markers(more) == (4, 2)
    assert is_sound(more)


@rule("V7d")
def test_a_match_may_do_without_decoys_or_leave_their_number_free() -> None:
    none = run(deploying(decoys="none"), "deploy X barb1 hidden")
    assert refusals(none, "decoy barb1") == ["V7d"]
    free = run(deploying(decoys="free"), *["decoy barb1"] * MOST_DECOYS)
    assert markers(free) == (MOST_DECOYS, MOST_DECOYS)
    assert refusals(free, "decoy barb1") == ["V7d"]


@rule("V7d", "V1.7c")
def test_markers_stay_face_down_when_the_armies_are_revealed() -> None:
    state = run(deploying(), "deploy X barb1 hidden", "decoy barb1", "deploy-rest")
    assert hidden(state) == {"X"}  # the short way hides nobody
    state = run(state, "done", dice=[6, 1, CARD["face"], CARD["face"]])  # two segments, two cards
    assert state.turn == 1
    assert hidden(state) == {"X"}
    assert markers(state) == (2, 1)


# --- activation ----------------------------------------------------------------------------------


def only_x(play: Play) -> bool:
    """X is turned up, Y and the decoy are not, and everybody has seen it."""
    assert is_sound(play.state)
    assert [event.to for event in play.events if event.key == "event.turned_up"] == [None]
    assert play.sealed
    return hidden(play.state) == {"Y"} and markers(play.state) == (2, 1)


@rule("V7d")
def test_a_unit_that_moves_turns_its_own_marker_up() -> None:
    for path in ("barb-reserve", "rome1"):
        play = do(moves(ambush(), 1), f"move X {path}")
        assert only_x(play)
        assert place(play.state, "X") == path


@rule("V7d")
def test_a_unit_that_attacks_turns_its_own_marker_up() -> None:
    state = ambush("A legionaries barb2; B legionaries rome3")
    assert only_x(do(fights(state, 1), "outflank X barb2", dice=[6, 6, 6]))


@rule("V7d")
def test_a_unit_that_forms_up_or_is_held_turns_its_own_marker_up() -> None:
    assert only_x(do(moves(ambush(), 1), "form X orbis"))
    assert only_x(do(moves(ambush("A legionaries rome1"), 1), "hold X"))


@rule("V7d", "V10-troops.1b")
def test_an_impetuous_unit_that_rushes_out_turns_its_own_marker_up() -> None:
    state = segments(ambush("A legionaries rome1"), {2: 1})
    play = do(state, "done")
    assert place(play.state, "X") == "rome1"
    assert only_x(play)


@rule("V7d")
def test_others_may_come_and_go_among_the_markers() -> None:
    state = ambush(barbarians="Z warriors barb1; R warriors barb-reserve")
    for line in ("move Z barb-reserve", "move R barb1"):
        after = do(moves(state, 1), line).state
        assert hidden(after) == {"X", "Y"}
        assert markers(after) == (3, 1)


@rule("V7d")
def test_laying_a_card_on_its_segment_turns_nobody_up() -> None:
    state = give_hand(ambush(), "barbarians", "6")
    state = run(at(state, Cards(1), StartActivation(1), Segments(1)), "lay 6 seg1", "activate seg1")
    assert decision(state) == Fights(1, 1)
    assert decision(run(state, "done")) == Moves(1, 1)
    assert hidden(state) == {"X", "Y"}
    assert markers(state) == (3, 1)


# --- the forest engaged --------------------------------------------------------------------------


@rule("V7d")
def test_an_enemy_who_enters_turns_all_markers_up_and_the_decoys_vanish() -> None:
    state = ambush("A legionaries rome1; B legionaries rome1", active="rome", decoys=2)
    play = do(moves(state, 1), "move A barb1")
    assert hidden(play.state) == set()
    assert markers(play.state) == (0, 0)
    assert told(play).count(TURNED_UP) == 2
    assert [event.values["number"] for event in play.events if event.key == "event.decoys"] == [2]
    assert play.sealed
    assert is_sound(play.state)


@rule("V7d")
def test_an_enemy_who_enters_finds_nothing_but_decoys() -> None:
    state = face_down(skirmish("A legionaries rome1; B legionaries rome1", terrain=FOREST), barb1=2)
    play = do(moves(state, 1), "move A barb1")
    assert markers(play.state) == (0, 0)
    assert refusals(fights(play.state, 1), "fight A")[-1] == "V5c"  # there is nobody to fight
    assert play.state.last[PLACE["barb1"]] == 0


@rule("V7d")
def test_an_enemy_who_enters_another_sector_turns_nothing_up() -> None:
    state = ambush("A legionaries rome2; B legionaries rome1", active="rome")
    for segment, line in ((2, "move A barb2"), (1, "move B rome-reserve")):
        after = do(moves(state, segment), line).state
        assert hidden(after) == {"X", "Y"}
        assert markers(after) == (3, 1)


@rule("V7d")
def test_an_enemy_general_alone_engages_nothing() -> None:
    state = ambush("A legionaries rome1", active="rome", generals="G rome rome1")
    after = do(segments(state, {1: 1}), "ride G barb1").state
    assert hidden(after) == {"X", "Y"}
    assert markers(after) == (3, 1)


@rule("V7d")
def test_an_outflanking_attack_turns_all_markers_up_first() -> None:
    state = ambush("A legionaries barb2; B legionaries barb2", active="rome")
    play = do(fights(state, 2), "outflank A barb1", dice=[1, 6, 6, 6])
    assert hidden(play.state) == set()
    assert markers(play.state) == (0, 0)
    keys = [event.key for event in play.events]
    assert keys.index("event.turned_up") < keys.index("event.rolls")
    assert is_sound(play.state)


@rule("V7d")
def test_an_attack_on_decoys_rolls_no_dice_and_is_spent() -> None:
    rome = "A legionaries barb2; B legionaries barb2"
    state = face_down(skirmish(rome, "Z warriors barb3", terrain=FOREST), barb1=1)
    play = do(fights(state, 2, points=3), "outflank A barb1")  # no dice
    assert decision(play.state) == Fights(0, 2)
    assert markers(play.state) == (0, 0)
    assert play.state.points[2] == 2
    assert refusals(play.state, "outflank A barb3") == ["V5b"]
    assert refusals(play.state, "outflank B barb1") == ["V5.4a"]  # nothing seems to be there any more


@rule("V7d", "V5.3b")
def test_nobody_shoots_into_the_forest_to_see_what_is_there() -> None:
    state = ambush("A formed_archers rome1", active="rome")
    assert refusals(fights(state, 1), "shoot A") == ["V5.3b"]


# --- what markers are worth ----------------------------------------------------------------------


@rule("V7d")
def test_what_a_player_may_do_does_not_tell_a_decoy_from_a_unit() -> None:
    """A marker pins, draws and can be attacked like the unit that it may be."""
    rome = "A legionaries rome1; B warriors rome1; C legionaries barb2"
    units = skirmish(rome, "X warriors barb1; Z warriors rome2", terrain=FOREST)
    bluff = skirmish(rome, "Z warriors rome2; X warriors barb-reserve", terrain=FOREST)
    for state in (face_down(units, "X"), face_down(bluff, barb1=1)):
        assert refusals(fights(state, 1), "outflank A rome2") == ["V5.4c"]
        assert refusals(moves(state, 1), "hold B") == []
        assert refusals(fights(state, 2), "outflank C barb1") == []


@rule("V7d", "V1.8b")
def test_decoys_hold_nothing() -> None:
    """A sector of theirs with nothing but decoys is conquered like an empty one."""
    state = skirmish("A legionaries barb2", terrain=FOREST, active="barbarians")
    state.last[PLACE["barb1"]] = 0
    bluff = face_down(state.copy(), barb1=2)
    assert go_on(at(bluff, EndTurn(1))).state.outcome is not None
    held = skirmish("A legionaries barb2", "X warriors barb1", terrain=FOREST, active="barbarians")
    assert go_on(at(face_down(held, "X"), EndTurn(1))).state.outcome is None


@rule("V7d", "V1.8d")
def test_decoys_are_no_army() -> None:
    state = battle(
        "A legionaries rome1", "X warriors barb2 vc=1 tokens=w", terrain=FOREST, active="barbarians"
    )
    state = do(about_to_test(face_down(state, barb1=2)), "save X white", dice=[6, 1]).state
    assert state.outcome is not None
    assert state.outcome.clause == "V1.8d"


# --- trampled under the markers ------------------------------------------------------------------


def stampede(vc: int) -> VirtusState:
    """Elephants test in rome1; behind them, in the forest, X lies face down with a decoy."""
    barbarians = f"E elephants rome1 tokens=w; X warriors barb1 vc={vc}; Z warriors barb3 tokens=w"
    state = battle("A legionaries rome1", barbarians, terrain=FOREST, active="barbarians")
    return about_to_test(face_down(state, "X", barb1=1))


@rule("V7d", "V16c")
def test_a_hidden_unit_that_elephants_drive_out_leaves_no_marker_behind() -> None:
    state = do(stampede(vc=3), "save E white", dice=[6, 6, 6]).state
    assert place(state, "E") == "barb1"
    assert place(state, "X") == "barb-reserve"
    assert hidden(state) == set()
    assert list(VIRTUS.invariants(state)) == []


@rule("V7d", "V16c")
def test_a_hidden_unit_that_elephants_destroy_leaves_no_marker_behind() -> None:
    state = do(stampede(vc=1), "save E white", dice=[6, 6, 1]).state
    assert place(state, "X") == "gone"
    assert hidden(state) == set()
    assert list(VIRTUS.invariants(state)) == []


@rule("V7d", "V16c")
def test_a_hidden_unit_is_not_named_to_the_enemy_before_it_is_turned_up() -> None:
    play = do(stampede(vc=3), "save E white", dice=[6, 1, 1])
    seen = [event.key for event in play.events if event.to is None and "X" in event.values.values()]
    assert not seen or seen[0] == "event.turned_up"
    assert tokens(play.state, "X") == ""
    assert play.state.vc[unit(play.state, "X")] == 3
