"""3 Saves: the two dice, losses, retreats and routs; 6.4: dispersed units evade."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.army import TYPES
from legatus.games.virtus.attack import give
from legatus.games.virtus.cards import Cards
from legatus.games.virtus.charges import Declarations
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.moves import Moves
from legatus.games.virtus.rally import Rally
from legatus.games.virtus.saves import EvadeChoice, Saves
from legatus.games.virtus.segments import Segments
from legatus.games.virtus.sequence import BeginTurn, EndTurn
from legatus.games.virtus.state import VirtusState
from legatus.kernel import Seeded, apply, legal, outcomes, parse_action, say, start
from legatus.kernel.chance import WrongLuck
from legatus.kernel.codec import BadAction
from legatus.kernel.engine import random_action
from tests.rules import rule

from .field import (
    at,
    battle,
    cohesion,
    declares,
    do,
    fights,
    give_hand,
    go_on,
    legal_lines,
    moves,
    place,
    rallies,
    refusals,
    refused,
    run,
    tokens,
    told,
    unit,
    whole_turn,
)
from .field import tests as saves  # a name that pytest does not collect

FOE = "X warriors barb3 tokens=w"  # his test comes next: play stops there

FAIL, BREAK = 6, 6  # a light die and a dark one

DISPERSED = {
    "javelinmen",
    "light_archers",
    "slingers",
    "dromedarii",
    "light_cavalry",
    "horse_archers",
    "light_chariots",
}
LIGHT_MOUNTED = {"dromedarii", "light_cavalry", "horse_archers", "light_chariots"}
NO_DARK_DIE = {"fanatics", "elephants"}


def hurt(rome: str, **more: object) -> VirtusState:
    """Rome's units are about to be tested."""
    return saves(battle(rome, FOE, **more))  # type: ignore[arg-type]


# --- who tests -----------------------------------------------------------------------------------


@rule("V3.1a")
def test_every_unit_that_holds_tokens_is_tested_and_nobody_goes_on_before() -> None:
    state = hurt("A legionaries rome1 tokens=w; B legionaries rome2 tokens=g; C legionaries rome3")
    assert legal_lines(state) == ["save A white", "save B green"]
    assert refusals(state, "done") == ["V3.1a"]
    state = do(state, "save A white", dice=[1, 1]).state
    assert legal_lines(state) == ["save B green"]
    after = do(state, "save B green", dice=[1, 1]).state
    assert after.active == 1
    assert [tokens(after, name) for name in "ABC"] == ["", "", ""]


@rule("V3.1a")
def test_only_own_units_with_tokens_are_tested() -> None:
    state = hurt("A legionaries rome1 tokens=w; B legionaries rome2")
    assert refusals(state, "save B white") == ["V3.1a"]
    assert refusals(state, "save X white") == ["V3.1a"]
    assert refusals(state, "save nobody white") == ["V3.1a"]
    assert refusals(state, "save A white") == []


@rule("V3.1a")
def test_tokens_are_tested_at_the_start_of_the_turn_and_before_the_cards() -> None:
    state = give_hand(battle("A legionaries rome1 tokens=w", FOE), "rome", "3")
    state = go_on(whole_turn(state)).state
    assert isinstance(state.decision, Saves)
    assert state.decision.seat == 0
    state = do(state, "save A white", dice=[1, 1]).state
    assert isinstance(state.decision, Cards)


@rule("V3.1a")
def test_the_player_who_opens_the_game_skips_the_tests() -> None:
    state = start(VIRTUS, VIRTUS.configure(), Seeded("first turn")).state
    while state.turn == 0:  # type: ignore[attr-defined]
        lines = {say(action): action for action in legal(state)}
        chosen = lines.get("deploy-rest") or lines.get("done") or next(iter(lines.values()))
        state = apply(state, chosen, Seeded("first turn")).state
    assert state.turn == 1  # type: ignore[attr-defined]
    assert isinstance(state.decision, Cards)


# --- the two dice --------------------------------------------------------------------------------


@rule("V3.1b")
def test_a_token_is_a_light_die_and_a_dark_die_each_of_six_sides() -> None:
    state = hurt("A legionaries rome1 tokens=w")
    assert do(state, "save A white", dice=[2, 6]).faces == [2, 6]
    assert do(state, "save A white", dice=[5, 1]).faces == [5, 1]
    for dice in ([7, 1], [6, 7]):
        with pytest.raises(WrongLuck):
            do(state, "save A white", dice=dice)


@rule("V3.1b", "V3.1f")
def test_two_tokens_are_two_tests_of_two_dice() -> None:
    state = hurt("A legionaries rome1 tokens=ww")
    state = do(state, "save A white", dice=[1, 1]).state
    assert tokens(state, "A") == "w"
    state = do(state, "save A white", dice=[1, 1]).state
    assert tokens(state, "A") == ""


@rule("V3.1c")
@pytest.mark.parametrize("light", [2, 3])
def test_a_light_die_at_the_defence_value_passes_and_the_dark_die_is_ignored(light: int) -> None:
    play = do(hurt("A legionaries rome1 tokens=w"), "save A white", dice=[light, 6])
    assert (cohesion(play.state, "A"), place(play.state, "A")) == (4, "rome1")
    assert ("V3.1c", "event.saved") in told(play)


@rule("V3.1d")
def test_a_light_die_above_the_defence_value_costs_a_point() -> None:
    state = do(hurt("A legionaries rome1 tokens=w"), "save A white", dice=[4, 1]).state
    assert (cohesion(state, "A"), place(state, "A")) == (3, "rome1")


@rule("V3.1d")
@pytest.mark.parametrize(("dark", "where"), [(4, "rome1"), (5, "rome-reserve")])
def test_a_dark_die_above_cohesion_makes_it_retreat_as_well(dark: int, where: str) -> None:
    state = do(hurt("A legionaries rome1 tokens=w"), "save A white", dice=[4, dark]).state
    assert (cohesion(state, "A"), place(state, "A")) == (3, where)


@rule("V3.1d")
@pytest.mark.parametrize(("dark", "where"), [(2, "rome1"), (3, "rome-reserve")])
def test_the_dark_die_is_held_against_cohesion_before_the_loss(dark: int, where: str) -> None:
    state = do(hurt("A legionaries rome1 vc=2 tokens=w"), "save A white", dice=[5, dark]).state
    assert (cohesion(state, "A"), place(state, "A")) == (1, where)


@rule("V3.1h")
def test_the_example_of_the_sheet() -> None:
    """VD 3, VC 4, two tokens, light 5 and dark 4 twice: a loss, then a loss and a retreat."""
    state = hurt("A legionaries rome1 tokens=ww")
    first = do(state, "save A white", dice=[5, 4]).state
    assert (cohesion(first, "A"), place(first, "A")) == (3, "rome1")
    second = do(first, "save A white", dice=[5, 4]).state
    assert (cohesion(second, "A"), place(second, "A")) == (2, "rome-reserve")


@rule("V3.1e")
def test_a_second_retreat_in_a_turn_is_a_rout() -> None:
    state = do(hurt("A legionaries barb1 tokens=ww; B legionaries rome3"), "save A white", [5, 5]).state
    assert (cohesion(state, "A"), place(state, "A")) == (3, "rome1")
    play = do(state, "save A white", dice=[5, 4])
    assert place(play.state, "A") == "gone"
    assert ("V3.1e", "event.routs") in told(play)
    assert ("V3.2b", "event.eliminated") not in told(play)


@rule("V3.1e")
def test_a_unit_that_has_retreated_and_fails_without_breaking_stays_on_the_table() -> None:
    state = do(hurt("A legionaries barb1 tokens=ww"), "save A white", dice=[5, 5]).state
    state = do(state, "save A white", dice=[5, 3]).state
    assert (cohesion(state, "A"), place(state, "A")) == (2, "rome1")


@rule("V3.1e", "V3.3a")
def test_a_retreat_in_a_later_turn_is_a_first_retreat_again() -> None:
    state = do(hurt("A legionaries barb1 tokens=w; B legionaries rome3"), "save A white", dice=[5, 5]).state
    state.tokens[unit(state, "A")] = "w"
    state.active = 0
    again = go_on(at(state, EndTurn(0), BeginTurn(0, 7), Saves(0))).state
    again = do(again, "save A white", dice=[5, 4]).state
    assert (cohesion(again, "A"), place(again, "A")) == (2, "rome-reserve")


# --- order, and what counts for later tokens -----------------------------------------------------


@rule("V3.1f")
def test_the_player_chooses_the_order_of_units_and_of_tokens() -> None:
    state = hurt("A legionaries rome1 tokens=wuw; B legionaries rome2 tokens=v")
    assert legal_lines(state) == ["save A blue", "save A white", "save B violet"]
    state = run(state, "save A white", "save B violet", "save A blue", dice=[1, 1] * 3)
    assert legal_lines(state) == ["save A white"]
    assert refusals(state, "save A blue") == ["V3.1f"]
    assert refusals(state, "save A purple") == ["V3.1f"]


@rule("V3.1f")
def test_a_loss_counts_at_once_for_the_next_dark_die() -> None:
    state = do(hurt("A legionaries rome1 tokens=ww"), "save A white", dice=[5, 1]).state
    assert place(do(state, "save A white", dice=[5, 3]).state, "A") == "rome1"
    assert place(do(state, "save A white", dice=[5, 4]).state, "A") == "rome-reserve"


@rule("V3.1f")
def test_a_passed_test_costs_nothing_for_the_next_dark_die() -> None:
    state = do(hurt("A legionaries rome1 tokens=ww"), "save A white", dice=[3, 6]).state
    assert place(do(state, "save A white", dice=[5, 4]).state, "A") == "rome1"


@rule("V3.1f")
def test_tokens_from_the_marsh_are_tested_as_in_the_marsh_even_after_a_retreat() -> None:
    state = hurt("A legionaries barb1 tokens=ww", terrain={"barb1": "marsh"})
    state = do(state, "save A white", dice=[FAIL, BREAK]).state
    assert place(state, "A") == "rome1"
    assert cohesion(do(state, "save A white", dice=[2, 1]).state, "A") == 2
    assert cohesion(do(state, "save A white", dice=[1, 1]).state, "A") == 3


@rule("V3.1f")
def test_a_retreat_into_the_marsh_does_not_worsen_the_tests_to_come() -> None:
    state = hurt("A legionaries barb1 tokens=ww", terrain={"rome1": "marsh"})
    state = do(state, "save A white", dice=[FAIL, BREAK]).state
    assert cohesion(do(state, "save A white", dice=[3, 6]).state, "A") == 3


@rule("V3.1f")
def test_tokens_received_in_a_camp_are_tested_as_in_the_camp_even_after_a_retreat() -> None:
    state = battle("A legionaries rome1", FOE, camps=["rome1"])
    give(state, unit(state, "A"), "ww")
    state = do(saves(state), "save A white", dice=[FAIL, BREAK]).state
    assert place(state, "A") == "rome-reserve"
    assert cohesion(do(state, "save A white", dice=[4, 6]).state, "A") == 3


@rule("V3.1f")
def test_a_retreat_into_a_camp_does_not_better_the_tests_to_come() -> None:
    state = battle("A legionaries barb1", FOE, camps=["rome1"])
    give(state, unit(state, "A"), "ww")
    state = do(saves(state), "save A white", dice=[FAIL, BREAK]).state
    assert place(state, "A") == "rome1"
    assert cohesion(do(state, "save A white", dice=[4, 1]).state, "A") == 2


@rule("V3.1f")
def test_a_unit_that_retreats_from_its_charismatic_general_has_lost_his_bonus() -> None:
    state = hurt("A legionaries barb1 tokens=ww; B legionaries barb1", generals="G rome barb1 charismatic")
    state = do(state, "save A white", dice=[FAIL, BREAK]).state
    assert (cohesion(state, "A"), place(state, "A")) == (3, "rome1")
    assert place(do(state, "save A white", dice=[FAIL, 3]).state, "A") == "rome1"
    assert place(do(state, "save A white", dice=[FAIL, 4]).state, "A") == "gone"


@rule("V3.1f", "V8b")
def test_a_unit_that_retreats_to_a_charismatic_general_gains_his_bonus() -> None:
    state = hurt("A legionaries barb1 tokens=ww", generals="G rome rome1 charismatic")
    state = do(state, "save A white", dice=[FAIL, 5]).state
    assert (cohesion(state, "A"), place(state, "A")) == (3, "rome1")
    assert place(do(state, "save A white", dice=[FAIL, 4]).state, "A") == "rome1"


# --- natural results -----------------------------------------------------------------------------

VALUES = {  # how a save value comes about: unit, token, ground
    0: ("light_archers", "v", "clear"),
    1: ("light_archers", "w", "clear"),
    2: ("warriors", "w", "clear"),
    3: ("legionaries", "w", "clear"),
    4: ("veteran_legionaries", "w", "clear"),
    5: ("javelinmen", "g", "woods"),
    6: ("veteran_legionaries form=testudo pikes", "w", "clear"),
}


def with_value(value: int) -> tuple[VirtusState, str]:
    kind, token, ground = VALUES[value]
    name, *marks = kind.split()
    state = hurt(f"A {name} rome1 tokens={token} {' '.join(marks)}", terrain={"rome1": ground})
    return state, legal_lines(state)[0]


@rule("V3.1g")
@pytest.mark.parametrize("value", VALUES)
def test_a_natural_1_passes_and_a_natural_6_fails_whatever_the_value(value: int) -> None:
    state, line = with_value(value)
    full = cohesion(state, "A")
    for light in range(1, 7):
        play = do(state, line, dice=[light, 1])
        passed = light == 1 or (light < 6 and light <= value)
        assert cohesion(play.state, "A") == full - (not passed), light
        assert [event.values["value"] for event in play.events if event.key == "event.tests"] == [value]


@rule("V3.1g")
@pytest.mark.parametrize(("value", "passing"), [(0, 1), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 5)])
def test_the_exact_chance_to_pass_runs_from_one_to_five_in_six(value: int, passing: int) -> None:
    state, line = with_value(value)
    full = cohesion(state, "A")
    results = list(outcomes(state, parse_action(VIRTUS, line)))
    assert sum(p for p, _ in results) == 1
    assert sum(p for p, after in results if cohesion(after, "A") == full) == Fraction(passing, 6)


@rule("V3.1g", "V16b")
def test_natural_results_bind_black_tokens_and_camps_too() -> None:
    state = hurt("A javelinmen rome1 tokens=k; B legionaries rome2")
    assert cohesion(do(state, "save A black", dice=[6, 1]).state, "A") == 1
    state = battle("A veteran_legionaries rome1; B legionaries rome2", FOE, camps=["rome1"])
    give(state, unit(state, "A"), "w")
    assert cohesion(do(saves(state), "save A white", dice=[5, 6]).state, "A") == 4
    assert cohesion(do(saves(state), "save A white", dice=[6, 1]).state, "A") == 3


# --- losses --------------------------------------------------------------------------------------


@rule("V3.2b")
def test_a_unit_without_cohesion_is_eliminated() -> None:
    state = hurt("A legionaries rome1 vc=1 tokens=ww; B legionaries rome2")
    play = do(state, "save A white", dice=[4, 1])
    assert place(play.state, "A") == "gone"
    assert tokens(play.state, "A") == ""
    assert ("V3.2b", "event.eliminated") in told(play)


@rule("V3.2b")
def test_a_unit_with_a_point_left_stays() -> None:
    state = hurt("A legionaries rome1 vc=2 tokens=w; B legionaries rome2")
    assert place(do(state, "save A white", dice=[4, 1]).state, "A") == "rome1"


@rule("V3.2b")
@pytest.mark.parametrize("dark", [1, 6])
def test_artillery_is_destroyed_by_its_first_failed_save_and_never_retreats(dark: int) -> None:
    state = hurt("A scorpions rome1 tokens=w; B legionaries rome2")
    play = do(state, "save A white", dice=[3, dark])
    assert place(play.state, "A") == "gone"
    assert ("V3.2b", "event.eliminated") in told(play)
    assert not {"event.retreats", "event.routs"} & {key for _, key in told(play)}


@rule("V3.2b")
def test_a_forced_march_can_eliminate() -> None:
    state = moves(battle("A legionaries rome-reserve vc=1; B legionaries rome2", FOE), 1)
    assert place(do(state, "move A rome1>barb1", dice=[3]).state, "A") == "barb1"
    play = do(state, "move A rome1>barb1", dice=[4])
    assert place(play.state, "A") == "gone"
    assert ("V3.2b", "event.eliminated") in told(play)


@rule("V3.2b")
def test_a_charge_on_pikes_can_eliminate_before_any_blow() -> None:
    state = battle("A heavy_cavalry rome1 vc=1; B legionaries rome2", f"{FOE}; P horde rome1 pikes")
    state = run(declares(state, {1: 1}), "declare-charge A", "activate seg1")
    play = do(state, "charge A P", dice=[2])
    assert place(play.state, "A") == "gone"
    assert ("V3.2b", "event.eliminated") in told(play)
    assert tokens(play.state, "P") == ""


@rule("V3.2c")
def test_there_is_no_way_to_merge_units() -> None:
    state = moves(battle("A legionaries rome1 vc=1; B legionaries rome1 vc=1", FOE), 1)
    for line in ("merge A B", "join A B"):
        with pytest.raises(BadAction):
            refused(state, line)
    with_two = [line for line in legal_lines(state) if {"A", "B"} <= set(line.split())]
    assert with_two == []
    moved = run(state, "move A rome-reserve", "move B rome-reserve")
    assert (cohesion(moved, "A"), cohesion(moved, "B")) == (1, 1)
    assert place(moved, "A") == place(moved, "B") == "rome-reserve"


def rallied_in_a_battle(seed: int) -> int:
    """Play at random: whoever gains cohesion must have rallied, by one point.  How many did."""
    state: Any = start(VIRTUS, VIRTUS.configure("open-small"), Seeded(f"merge/{seed}")).state
    rng, dice, rallied = Random(seed), Seeded(f"play/{seed}"), 0
    while state.outcome is None and state.turn < 40:
        action = random_action(state, state.decision, rng)
        new: Any = apply(state, action, dice).state
        for i, (before, after) in enumerate(zip(state.vc, new.vc, strict=True)):
            if after > before:
                assert isinstance(action, Rally)
                assert (action.unit, after) == (state.roster.units[i].id, before + 1)
                rallied += 1
        state = new
    return rallied


@rule("V3.2c")
def test_in_whole_battles_a_unit_gains_cohesion_by_its_own_rally_only() -> None:
    assert sum(rallied_in_a_battle(seed) for seed in range(8)) > 0


# --- retreats ------------------------------------------------------------------------------------


@rule("V3.3a")
@pytest.mark.parametrize(
    ("start", "end"),
    [("barb2", "rome2"), ("rome2", "rome-reserve"), ("rome-reserve", "rome-reserve")],
)
def test_a_retreat_is_one_step_to_the_rear_and_ends_in_the_reserve(start: str, end: str) -> None:
    play = do(hurt(f"A legionaries {start} tokens=w"), "save A white", dice=[FAIL, BREAK])
    assert (place(play.state, "A"), cohesion(play.state, "A")) == (end, 3)
    assert ("V3.1d", "event.retreats") in told(play)


@rule("V3.3a")
@pytest.mark.parametrize(
    ("start", "end"), [("rome2", "barb2"), ("barb2", "barb-reserve"), ("barb-reserve", "barb-reserve")]
)
def test_barbarians_retreat_the_other_way(start: str, end: str) -> None:
    state = battle("A legionaries rome3 tokens=w", f"Y horde {start} tokens=w", active="barbarians")
    assert place(do(saves(state), "save Y white", dice=[FAIL, BREAK]).state, "Y") == end


@rule("V3.3a", "V3.1e")
def test_a_second_retreat_in_the_reserve_routs_too() -> None:
    state = hurt("A legionaries rome-reserve tokens=ww; B legionaries rome1")
    state = do(state, "save A white", dice=[FAIL, BREAK]).state
    play = do(state, "save A white", dice=[FAIL, BREAK])
    assert place(play.state, "A") == "gone"
    assert ("V3.1e", "event.routs") in told(play)


@rule("V3.3a")
def test_neither_enemies_behind_nor_a_full_river_stop_a_retreat() -> None:
    rome = "A legionaries barb1 tokens=w; B legionaries rome2 tokens=w"
    state = battle(rome, f"{FOE}; Y horde rome1", rivers={"seg1": "deep"})
    state.crossed[1] = 1
    after = do(saves(state), "save A white", dice=[FAIL, BREAK]).state
    assert place(after, "A") == "rome1"
    assert after.crossed[1] == 1


def retreated(rome: str, foes: str, line: str = "save A white", **more: object) -> VirtusState:
    """Rome's turn after A's retreat."""
    state = do(saves(battle(rome, f"{foes}; {FOE}", **more)), line, [FAIL, BREAK]).state  # type: ignore[arg-type]
    state.active = 0
    return state


@rule("V3.3a")
def test_a_unit_that_retreated_is_not_activated_in_that_turn() -> None:
    state = retreated(
        "A legionaries barb1 tokens=w; B legionaries rome1", "Y horde rome1", generals="G rome rome1"
    )
    for ready, line in (
        (fights(state, 1), "fight {}"),
        (declares(state, {1: 9}), "declare-charge {}"),
        (declares(state, {1: 9}), "attach G {}"),
        (moves(state, 1), "move {} rome-reserve"),
        (moves(state, 1), "form {} testudo"),
    ):
        assert refusals(ready, line.format("A")) == ["V3.3a"], line
        assert refusals(ready, line.format("B")) == [], line


@rule("V3.3a")
def test_a_unit_that_retreated_neither_shoots_nor_outflanks() -> None:
    state = retreated("A light_archers barb1 tokens=w; B light_archers rome1", "Y horde barb1")
    assert refusals(fights(state, 1), "shoot A") == ["V3.3a"]
    assert refusals(fights(state, 1), "shoot B") == []
    state = retreated("A legionaries barb1 tokens=w; B legionaries rome1", "Y horde rome2")
    assert refusals(fights(state, 1), "outflank A rome2") == ["V3.3a"]
    assert refusals(fights(state, 1), "outflank B rome2") == []


@rule("V3.3a", "V9a")
def test_a_unit_that_retreated_does_not_rally_in_that_turn() -> None:
    rome = "A legionaries rome-reserve vc=3 tokens=w; B legionaries rome-reserve vc=3"
    state = rallies(battle(rome, FOE))
    state.todo.append(Saves(0))
    state = do(state, "save A white", dice=[FAIL, BREAK]).state
    assert refusals(state, "rally A") == ["V3.3a"]
    assert refusals(state, "rally B") == []


@rule("V3.3a")
def test_a_unit_that_held_may_be_activated() -> None:
    state = do(hurt("A legionaries rome1 tokens=w"), "save A white", dice=[FAIL, 1]).state
    state.active = 0
    assert refusals(moves(state, 1), "move A barb1") == []


@rule("V3.3a")
def test_it_turns_its_back_until_its_turn_ends_and_may_act_in_the_next() -> None:
    def facing(state: VirtusState) -> str:
        pieces = VIRTUS.scene(state, None, "en").pieces
        return next(piece.facing for piece in pieces if piece.id == "A")

    state = retreated("A legionaries barb1 tokens=w", "")
    assert facing(state) == "back"
    state = go_on(at(state, EndTurn(0), BeginTurn(1, 6), Saves(1))).state
    assert facing(state) == "front"
    state.active = 0
    again = at(state, BeginTurn(0, 7), Moves(0, 1))
    again.points[1] = 1
    assert refusals(go_on(again).state, "move A barb1") == []


# --- 6.4 evade -----------------------------------------------------------------------------------


def after_a_fight(kind: str, points: int = 9) -> VirtusState:
    """A has fought in rome1, in vain; its segment's moves follow."""
    state = battle(f"A {kind} rome1; B legionaries rome1", f"{FOE}; Y horde rome1")
    state = at(state, Fights(0, 1), Moves(0, 1))
    state.points[1] = points
    state = do(state, "fight A", dice=[6] * TYPES[kind].vc).state
    if isinstance(state.decision, Fights):
        state = do(state, "done").state
    return state


@rule("V6.4-evade-a", "V6.4-evade-b")
@pytest.mark.parametrize("kind", TYPES)
def test_units_in_dispersed_order_and_no_others_may_fight_and_then_move(kind: str) -> None:
    state = after_a_fight(kind)
    assert isinstance(state.decision, Moves)
    clauses = refusals(state, "move A rome-reserve")
    if kind in DISPERSED:
        assert clauses == []
        assert place(do(state, "move A rome-reserve").state, "A") == "rome-reserve"
    else:
        assert clauses[0] == "V5a"


@rule("V6.4-evade-b")
def test_the_move_after_a_fight_costs_its_own_point() -> None:
    state = after_a_fight("javelinmen", points=2)
    assert state.points[1] == 1
    moved = do(state, "move A rome-reserve").state
    assert moved.points[1] == 0
    short = after_a_fight("javelinmen", points=2)
    short.points[1] = 0
    assert refusals(short, "move A rome-reserve") == ["V4.3a"]


@rule("V6.4-evade-b")
def test_a_dispersed_unit_may_not_move_and_then_fight() -> None:
    rome = "A light_cavalry rome1; B light_cavalry rome2"
    state = at(battle(rome, f"{FOE}; Y horde rome2"), Segments(0))
    state.points[1:3] = [1, 9]
    state = run(state, "activate seg1", "done", "move A rome-reserve>rome2", "activate seg2")
    assert isinstance(state.decision, Fights)
    assert refusals(state, "fight A") == ["V5a"]
    assert refusals(state, "fight B") == []


@rule("V6.4-evade-b")
@pytest.mark.parametrize(
    ("kind", "where", "foe", "line", "dice"),
    [
        ("light_archers", "rome1", "barb1", "shoot A", [6, 6]),
        ("javelinmen", "rome1", "rome2", "outflank A rome2", [6, 6]),
    ],
)
def test_shooting_and_outflanking_may_come_before_the_move(
    kind: str, where: str, foe: str, line: str, dice: list[int]
) -> None:
    state = at(battle(f"A {kind} {where}", f"{FOE}; Y horde {foe}"), Fights(0, 1), Moves(0, 1))
    state.points[1] = 2
    state = do(state, line, dice).state
    assert place(do(state, "move A rome-reserve").state, "A") == "rome-reserve"


@rule("V6.4-evade-b")
def test_a_charge_may_come_before_the_move() -> None:
    state = at(battle("A light_cavalry rome1", f"{FOE}; Y horde rome1"), Declarations(0), Segments(0))
    state.points[1] = 2
    state = run(state, "declare-charge A", "activate seg1", "charge A Y", dice=[6, 6])
    assert refusals(state, "move A rome-reserve>rome2") == []


@rule("V6.4-evade-b")
def test_a_dispersed_unit_moves_once_and_not_after_a_retreat() -> None:
    state = do(after_a_fight("light_cavalry"), "move A rome-reserve").state
    assert refusals(state, "move A rome1") == ["V6.1a"]
    state = retreated("A javelinmen barb1 tokens=w", "Y horde rome1")
    assert refusals(moves(state, 1), "move A rome-reserve") == ["V3.3a"]


@rule("V6.4-evade-c", "V6.4-evade-a")
@pytest.mark.parametrize("kind", TYPES)
def test_light_mounted_units_and_no_others_may_evade_a_loss(kind: str) -> None:
    state = hurt(f"A {kind} rome1 tokens=w; B legionaries rome2 tokens=w")
    state = do(state, "save A white", dice=[6] if kind in NO_DARK_DIE else [6, 1]).state
    assert isinstance(state.decision, EvadeChoice) == (kind in LIGHT_MOUNTED)


@rule("V6.4-evade-c")
def test_a_unit_that_evades_retreats_a_step_and_loses_nothing() -> None:
    state = do(hurt("A light_cavalry barb1 tokens=w"), "save A white", dice=[2, 2]).state
    assert legal_lines(state) == ["evade", "accept"]
    play = do(state, "evade")
    assert (cohesion(play.state, "A"), place(play.state, "A")) == (2, "rome1")
    assert ("V6.4-evade-c", "event.retreats") in told(play)


@rule("V6.4-evade-c")
def test_a_unit_that_does_not_evade_takes_the_loss_and_stays() -> None:
    state = do(hurt("A light_cavalry barb1 tokens=w"), "save A white", dice=[2, 2]).state
    after = do(state, "accept").state
    assert (cohesion(after, "A"), place(after, "A")) == (1, "barb1")


@rule("V6.4-evade-c")
def test_a_dark_die_above_cohesion_leaves_no_choice() -> None:
    state = do(hurt("A light_cavalry barb1 tokens=w"), "save A white", dice=[2, 3]).state
    assert state.active == 1
    assert (cohesion(state, "A"), place(state, "A")) == (1, "rome1")


@rule("V6.4-evade-c")
def test_a_passed_save_is_not_evaded() -> None:
    state = do(hurt("A light_cavalry barb1 tokens=w"), "save A white", dice=[1, 2]).state
    assert state.active == 1
    assert (cohesion(state, "A"), place(state, "A")) == (2, "barb1")


@rule("V6.4-evade-c", "V8b")
def test_charisma_counts_in_the_cohesion_that_lets_it_evade() -> None:
    state = hurt("A light_cavalry barb1 tokens=w; B legionaries barb1", generals="G rome barb1 charismatic")
    assert isinstance(do(state, "save A white", dice=[2, 3]).state.decision, EvadeChoice)
    assert place(do(state, "save A white", dice=[2, 4]).state, "A") == "rome1"


@rule("V6.4-evade-c", "V3.1e")
def test_a_unit_that_has_retreated_cannot_evade_any_more() -> None:
    state = hurt("A light_cavalry barb1 tokens=ww; B legionaries rome2")
    state = run(state, "save A white", "evade", dice=[2, 2])
    held = do(state, "save A white", dice=[2, 2]).state
    assert not isinstance(held.decision, EvadeChoice)
    assert (cohesion(held, "A"), place(held, "A")) == (1, "rome1")
    play = do(state, "save A white", dice=[2, 3])
    assert place(play.state, "A") == "gone"
    assert ("V3.1e", "event.routs") in told(play)


@rule("V6.4-evade-c", "V3.3a")
def test_a_unit_that_evaded_has_retreated() -> None:
    state = run(hurt("A light_cavalry barb1 tokens=w"), "save A white", "evade", dice=[2, 2])
    state.active = 0
    assert refusals(moves(state, 1), "move A barb1") == ["V3.3a"]


@rule("V6.4-evade-c")
def test_its_last_point_can_be_saved_by_evading() -> None:
    state = hurt("A light_cavalry barb1 vc=1 tokens=w; B legionaries rome2")
    state = run(state, "save A white", "evade", dice=[2, 1])
    assert (cohesion(state, "A"), place(state, "A")) == (1, "rome1")
