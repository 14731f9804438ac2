"""2 Orders: placing them (M2.place), whom they govern (M2.scope, M2.independent), when they are shown, and
what each of them means."""

from __future__ import annotations

import pytest

from legatus.games.metaurus.activation import Activations
from legatus.games.metaurus.combat import Combats
from legatus.games.metaurus.orders import BeginPlacing, EndPlacing, Placing
from legatus.games.metaurus.retreat import Fallback
from legatus.games.metaurus.state import CARTHAGE, GONE, ORDERS, ROME, MetaurusState, group_of, order_of, put
from legatus.games.metaurus.turn import FirstChoice, Turn
from legatus.kernel import NeedLuck, Scripted, apply, parse_action, start
from tests.rules import rule

from .stage import (
    METAURUS,
    NUMBER,
    activations,
    at,
    battle,
    combats,
    decision,
    disordered,
    do,
    facing,
    go_on,
    index,
    legal_lines,
    moves,
    order,
    over,
    place,
    refusals,
    refused,
    run,
    told,
)

ROMANS = "A LEGION 0511; B LEGION 0611 group=orange; C LEGION 0711 group=purple"
ROMANS += "; D CAV 0811; E CAV 0911 group=orange"
PUNIC = "V HI 0500; W MI 0600; G MI 0700 group=green; H CAV 0800; K EL 0900"


def placing(
    orders: str = "", rome: str = ROMANS, carthage: str = PUNIC, shown: str = "", **rules: bool
) -> MetaurusState:
    """Rome is about to place its orders, then Carthage."""
    state = battle(rome, carthage, orders=orders, shown=shown, **rules)
    return go_on(at(state, BeginPlacing(), Placing(ROME), Placing(CARTHAGE), EndPlacing())).state  # type: ignore[no-any-return]


def under(state: MetaurusState, name: str) -> str:
    """The order that a unit is under."""
    return ORDERS[order_of(state, index(state, name))]


def governed(state: MetaurusState, name: str) -> str:
    """The group whose order a unit is under."""
    return state.roster.groups[group_of(state, index(state, name))].id


def face_up(state: MetaurusState, group: str) -> bool:
    return bool(state.shown[NUMBER[group]])


# --- placing -------------------------------------------------------------------------------------


@rule("M2.place")
def test_three_markers_can_be_laid_and_no_fourth() -> None:
    state = run(placing(), "lay red move", "lay orange stand", "lay purple reform")
    assert [order(state, name) for name in ("red", "orange", "purple")] == ["move", "stand", "reform"]
    assert refusals(state, "lay roman-horse move") == ["M2.place"]
    assert legal_lines(state) == ["lay roman-horse attack", "done"]  # which takes no marker


@rule("M2.place", "MH18.placing")
def test_fewer_or_none_are_allowed() -> None:
    for lines in ((), ("lay red move",), ("lay red move", "lay orange move")):
        state = run(placing(), *lines, "done")
        assert decision(state).seat == CARTHAGE
        assert over(run(state, "done"))


@rule("M2.place")
def test_each_side_has_three_of_its_own() -> None:
    state = run(placing(), "lay red move", "lay orange stand", "lay purple reform", "done")
    state = run(state, "lay white move", "lay yellow stand", "lay elephants reform")
    assert refusals(state, "lay punic-horse move") == refusals(state, "lay green move") == ["M2.place"]


@rule("M2.place")
def test_changing_a_marker_counts_and_taking_one_off_does_not() -> None:
    state = placing("red=move orange=move purple=move roman-horse=move", rome=f"{ROMANS}; F LEGION 0211")
    state = run(state, "lay orange attack")
    assert decision(state).prompt(state).values["left"] == 3
    state = run(state, "lay red stand", "lay purple reform", "lay roman-horse stand")
    assert [order(state, name) for name in ("red", "orange", "purple")] == ["stand", "attack", "reform"]
    assert legal_lines(state) == ["done"]


@rule("M2.place")
def test_markers_are_taken_off_also_after_the_third_is_laid() -> None:
    state = placing("red=move", carthage=PUNIC)
    state = run(state, "done", "lay white move", "lay yellow stand", "lay green stand")
    assert legal_lines(state) == ["lay punic-horse attack", "lay elephants attack", "done"]
    state = placing("orange=move roman-horse=move red=move purple=move")
    state = run(state, "lay red stand", "lay orange stand", "lay purple stand")
    assert legal_lines(state) == ["lay roman-horse attack", "lay roman-horse colour", "done"]
    state = placing("red=move orange=move purple=move")
    state = run(state, "lay red stand", "lay orange stand", "lay roman-horse stand")
    assert refusals(state, "lay purple stand") == ["M2.place"]
    assert refusals(state, "lay purple attack") == []
    assert legal_lines(run(state, "lay purple attack")) == ["done"]


@rule("M2.place", "M2.persist")
def test_a_marker_left_alone_does_not_count() -> None:
    """So that four groups are under orders after two turns."""
    state = run(placing("red=move"), "lay orange stand", "lay purple reform", "lay roman-horse move", "done")
    marked = {name for name in ("red", "orange", "purple", "roman-horse") if order(state, name) != "attack"}
    assert len(marked) == 4


@rule("M2.place")
def test_the_three_are_counted_afresh_in_each_turn() -> None:
    state = run(placing(), "lay red move", "lay orange stand", "lay purple reform", "done", "done")
    state = go_on(at(state, BeginPlacing(), Placing(ROME))).state
    assert refusals(state, "lay roman-horse move") == []
    state = run(state, "lay roman-horse move", "lay red stand", "lay orange move")
    assert refusals(state, "lay purple move") == ["M2.place"]


@rule("M2.one_per_colour")
def test_the_order_of_a_group_is_changed_once_in_a_turn() -> None:
    state = run(placing("orange=move"), "lay red move", "lay orange attack")
    assert refusals(state, "lay red stand") == ["M2.one_per_colour"]
    assert refusals(state, "lay red attack") == ["M2.one_per_colour"]
    assert refusals(state, "lay red move") == ["M2.one_per_colour"]
    assert refusals(state, "lay orange stand") == ["M2.one_per_colour"]
    assert refusals(state, "lay purple stand") == []


@rule("M2.one_per_colour")
def test_a_new_order_takes_the_place_of_the_old_one() -> None:
    state = run(placing("red=move"), "lay red stand")
    assert under(state, "A") == order(state, "red") == "stand"


@rule("M2.persist")
@pytest.mark.parametrize("name", ["stand", "move", "move-to-attack", "reform"])
def test_it_must_be_another_order_than_the_one_that_it_has(name: str) -> None:
    state = placing(f"red={name}")
    assert refusals(state, f"lay red {name}") == ["M2.persist"]
    assert refusals(state, "lay orange attack") == refusals(state, "lay roman-horse colour") == ["M2.persist"]
    alone = go_on(at(run(state, "lay roman-horse attack"), BeginPlacing(), Placing(ROME))).state
    assert refusals(alone, "lay roman-horse attack") == ["M2.persist"]
    assert refusals(alone, "lay roman-horse colour") == []
    assert refusals(state, "lay red attack") == []


@rule("M2.place")
def test_with_the_option_in_force_no_more_than_three_markers_lie_on_the_map() -> None:
    state = placing("red=move orange=move purple=move", all_markers=True)
    assert refusals(state, "lay roman-horse move") == ["M2.place"]
    assert [refusal.key for refusal in refused(state, "lay roman-horse move")] == ["refusal.three_in_force"]
    assert refusals(state, "lay red stand") == []  # a change is no new marker
    state = run(state, "lay purple attack")
    assert refusals(state, "lay roman-horse move") == []


@rule("M2.place")
def test_with_the_option_in_force_placements_are_not_counted() -> None:
    state = placing("red=move orange=move purple=move", all_markers=True)
    state = run(
        state, "lay red stand", "lay orange stand", "lay purple attack", "lay roman-horse move", "done"
    )
    assert [order(state, name) for name in ("red", "orange", "purple", "roman-horse")] == [
        "stand",
        "stand",
        "attack",
        "move",
    ]
    again = placing("red=move orange=move", all_markers=True)
    assert refusals(run(again, "lay red stand"), "lay red move") == ["M2.one_per_colour"]


@rule("M2.place")
def test_with_the_option_in_force_each_side_has_its_own_three() -> None:
    state = placing("red=move orange=move purple=move white=move yellow=move", all_markers=True)
    state = run(state, "done")
    assert refusals(state, "lay green move") == []
    assert refusals(run(state, "lay green move"), "lay elephants move") == ["M2.place"]


@rule("M2.scope", "M2.attack.1")
def test_orders_go_to_groups_of_ones_own_and_are_orders_that_there_are() -> None:
    state = placing()
    for name in ("white", "punic-horse", "blue", "A"):
        assert refusals(state, f"lay {name} move") == ["M2.scope"]
    for name in ("charge", "hidden", "MOVE"):
        assert refusals(state, f"lay red {name}") == ["M2.attack.1"]
    assert refusals(state, "lay white charge") == ["M2.scope", "M2.attack.1"]
    state = run(state, "done")
    assert refusals(state, "lay red move") == ["M2.scope"]
    assert refusals(state, "lay white move") == []


@rule("M2.scope", "M2.attack.1")
def test_four_orders_have_a_marker_and_attack_takes_it_off() -> None:
    state = placing("orange=move")
    lines = [line.split()[2] for line in legal_lines(state) if line.startswith("lay red")]
    assert lines == ["stand", "move", "move-to-attack", "reform"]
    lines = [line.split()[2] for line in legal_lines(state) if line.startswith("lay orange")]
    assert lines == ["attack", "stand", "move-to-attack", "reform"]


@rule("M2.place")
def test_only_orders_are_given_then() -> None:
    state = placing()
    assert refusals(state, "activate red") == ["M2.place"]
    assert refusals(state, "march A") == ["M2.place"]


# --- whom an order governs -----------------------------------------------------------------------


@rule("M2.scope")
def test_an_order_binds_all_units_of_its_colour_and_no_others() -> None:
    state = battle(f"{ROMANS}; F LEGION 0111", PUNIC, orders="red=move white=stand")
    assert [under(state, name) for name in "AFDBCE"] == ["move"] * 3 + ["attack"] * 3
    assert [under(state, name) for name in "VHKWG"] == ["stand"] * 3 + ["attack"] * 2


@rule("M2.independent")
def test_all_horse_of_a_side_follows_a_marker_of_its_own() -> None:
    state = battle(ROMANS, PUNIC, orders="red=move orange=stand roman-horse=reform white=move")
    assert [under(state, name) for name in "ABDE"] == ["move", "stand", "reform", "reform"]
    assert [governed(state, name) for name in "ABDE"] == ["red", "orange", "roman-horse", "roman-horse"]
    assert [under(state, name) for name in "VHK"] == ["move"] * 3
    state = battle(ROMANS, PUNIC, orders="white=move punic-horse=stand")
    assert [under(state, name) for name in "VHK"] == ["move", "stand", "move"]
    assert [under(state, name) for name in "DE"] == ["attack", "attack"]


@rule("M2.independent")
def test_the_elephant_follows_a_marker_of_its_own() -> None:
    state = battle(ROMANS, PUNIC, orders="white=move elephants=stand")
    assert [under(state, name) for name in "VHK"] == ["move", "move", "stand"]
    assert governed(state, "K") == "elephants"


@rule("M2.independent")
def test_without_it_they_follow_their_colours_again() -> None:
    state = placing("red=move orange=stand roman-horse=reform")
    state = run(state, "lay roman-horse colour")
    assert [under(state, name) for name in "DE"] == ["move", "stand"]
    assert [governed(state, name) for name in "DE"] == ["red", "orange"]


@rule("M2.independent", "M2.attack.1")
@pytest.mark.parametrize("before", ["", "roman-horse=reform"])
def test_attack_detaches_horse_from_its_colours_without_a_marker(before: str) -> None:
    state = placing(f"red=move orange=stand {before}")
    state = run(state, "lay roman-horse attack")
    assert [under(state, name) for name in "ADE"] == ["move", "attack", "attack"]
    assert [governed(state, name) for name in "ADE"] == ["red", "roman-horse", "roman-horse"]


@rule("M2.independent", "M2.attack.1")
def test_attack_detaches_the_elephant_alone() -> None:
    state = run(placing("white=stand"), "done", "lay elephants attack")
    assert [under(state, name) for name in "VHK"] == ["stand", "stand", "attack"]
    assert governed(state, "K") == "elephants"


@rule("M2.independent", "M2.place")
def test_detaching_and_returning_are_no_placements() -> None:
    state = run(placing(), "done", "lay white stand", "lay punic-horse attack")
    assert decision(state).prompt(state).values["left"] == 2
    state = run(state, "lay yellow stand", "lay green stand", "lay elephants attack")
    assert legal_lines(state) == ["done"]
    state = placing("red=move orange=stand")
    state = run(state, "lay red stand", "lay orange move", "lay purple move")
    assert refusals(state, "lay roman-horse attack") == []
    after = run(state, "lay roman-horse attack", "done", "done")
    after = go_on(at(after, BeginPlacing(), Placing(ROME))).state
    after = run(after, "lay red move", "lay orange stand", "lay purple stand", "lay roman-horse colour")
    assert [under(after, name) for name in "DE"] == ["move", "stand"]


@rule("M2.one_per_colour", "M2.independent")
@pytest.mark.parametrize("first", ["attack", "stand"])
def test_such_a_group_too_changes_once_a_turn(first: str) -> None:
    """So that placing ends."""
    state = run(placing("red=move"), f"lay roman-horse {first}")
    for name in ("attack", "colour", "move", "stand"):
        assert "M2.one_per_colour" in refusals(state, f"lay roman-horse {name}")


@rule("M2.independent", "M2.scope")
def test_a_colour_follows_no_other() -> None:
    assert refusals(placing("red=move"), "lay red colour") == ["M2.independent"]
    assert refusals(placing("red=move"), "lay white colour") == ["M2.scope"]


@rule("M2.independent", "M2.place")
def test_a_detached_group_has_no_marker_in_force() -> None:
    state = placing("red=move orange=move", all_markers=True)
    state = run(state, "lay roman-horse attack", "lay purple move")
    assert order(state, "purple") == "move"
    state = run(placing("red=move orange=move roman-horse=move", all_markers=True), "lay roman-horse attack")
    assert refusals(state, "lay purple move") == []


@rule("M2.independent")
@pytest.mark.parametrize(
    ("orders", "line", "pointless"),
    [
        ("", "lay roman-horse attack", True),
        ("purple=move", "lay roman-horse attack", True),  # which has no horse
        ("orange=move", "lay roman-horse attack", False),
        ("red=move orange=move", "lay roman-horse move", True),
        ("red=move orange=stand", "lay roman-horse move", False),
        ("red=move orange=move roman-horse=move", "lay roman-horse colour", True),
        ("red=move orange=move roman-horse=move", "lay roman-horse attack", False),
        ("red=move", "lay red attack", False),
    ],
)
def test_bots_skip_orders_that_change_nothing_for_the_horse(orders: str, line: str, pointless: bool) -> None:
    state = placing(orders)
    assert refusals(state, line) == []
    assert parse_action(METAURUS, line).is_vain(state) == pointless


@rule("M2.independent", "M2.persist")
def test_a_detached_group_stays_so_until_it_is_changed() -> None:
    state = turn_of(battle("A LEGION 0511; D CAV 0611", "V HI 0500"))
    state = run(state, "lay red stand", "lay roman-horse attack", "done", "lay white stand", "done")
    state = run(state, "activate red", "activate roman-horse", "activate white", dice=[9, 0])
    assert under(state, "D") == "attack"
    assert governed(state, "D") == "roman-horse"
    state = run(state, "go-first", "lay roman-horse colour", "done", "done")
    assert under(state, "D") == "stand"


@rule("M2.independent", "MH17.activation", "MH5.one_combat")
def test_a_detached_group_is_activated_by_itself_and_attacks() -> None:
    """Its colour stands; horse and legion may not share an attack, as they are of two activations."""
    armies = ("A LEGION 0505 n; D CAV 0404 n", "X HI 0504")
    state = placing("red=stand", *armies)
    state = run(state, "lay roman-horse attack", "done", "done")
    state = activations(state)
    assert legal_lines(state) == ["activate red", "activate roman-horse"]
    state = run(state, "activate red")
    assert isinstance(decision(state), Activations)
    state = run(state, "activate roman-horse")
    assert legal_lines(state) == ["attack D X"]


@rule("MH18.placing", "M2.independent")
def test_a_detached_group_without_units_is_forgotten_in_silence() -> None:
    state = run(placing(), "done", "lay elephants attack", "done")
    put(state, index(state, "K"), GONE)
    play = go_on(at(state, BeginPlacing(), Placing(ROME)))
    assert order(play.state, "elephants") == "attack"
    assert [event.key for event in play.events] == []


@rule("M2.independent", "M2.place")
def test_a_marker_for_horse_or_elephant_is_one_of_the_three() -> None:
    state = run(placing(), "done", "lay punic-horse move", "lay elephants move", "lay white move")
    assert refusals(state, "lay green move") == ["M2.place"]


@rule("M2.independent", "MH17.activation")
def test_such_a_group_exists_only_while_it_has_a_marker() -> None:
    state = activations(battle(ROMANS, PUNIC, orders="red=stand"))
    assert refusals(state, "activate roman-horse") == ["MH17.activation"]
    state = activations(battle(ROMANS, PUNIC, orders="roman-horse=stand"))
    assert refusals(state, "activate roman-horse") == []


# --- from turn to turn ---------------------------------------------------------------------------


def turn_of(state: MetaurusState) -> MetaurusState:
    """From the beginning of a turn to Rome's placing; Rome goes first."""
    state = state.copy()
    state.todo = [Turn()]
    return run(go_on(state, [9, 0]).state, "go-first")


@rule("M2.persist")
def test_an_order_that_is_not_changed_is_still_in_force_in_the_next_turn() -> None:
    state = turn_of(battle("A LEGION 0511; B LEGION 0611 group=orange", "V HI 0500"))
    state = run(state, "lay red stand", "lay orange reform", "done", "lay white stand", "done")
    state = run(state, "activate red", "activate orange", "activate white", dice=[9, 0])
    assert (state.turn, [order(state, name) for name in ("red", "orange", "white")]) == (
        5,
        ["stand", "reform", "stand"],
    )
    state = run(
        state, "go-first", "done", "done", "activate red", "activate orange", "activate white", dice=[9, 0]
    )
    assert [order(state, name) for name in ("red", "orange", "white")] == ["stand", "reform", "stand"]
    assert [under(state, name) for name in "ABV"] == ["stand", "reform", "stand"]


@rule("M2.persist", "M2.reveal")
def test_a_revealed_order_stays_face_up_and_a_changed_one_is_laid_face_down() -> None:
    state = placing("red=move orange=stand", shown="red orange")
    state = run(state, "lay orange reform", "done", "done")
    assert face_up(state, "red")
    assert not face_up(state, "orange")
    state = run(placing("red=move", shown="red"), "lay red attack", "done", "done")
    state = run(go_on(at(state, BeginPlacing(), Placing(ROME))).state, "lay red move")
    assert not face_up(state, "red")


@rule("MH18.placing")
def test_the_marker_of_a_group_without_units_is_taken_off_without_counting() -> None:
    state = battle(ROMANS, PUNIC, orders="purple=stand elephants=move roman-horse=move")
    for name in "CKD":
        put(state, index(state, name), GONE)
    state.killed = [0, 2]
    play = go_on(at(state, BeginPlacing(), Placing(ROME)))
    assert [order(play.state, name) for name in ("purple", "elephants", "roman-horse")] == [
        "attack",
        "attack",
        "move",  # E is left of the horse
    ]
    gone = [event.values["group"] for event in play.events if event.key == "event.marker_gone"]
    assert gone == ["purple", "elephants"]
    state = run(play.state, "lay red move", "lay orange move", "lay roman-horse stand")
    assert refusals(play.state, "lay purple move") == ["MH18.placing"]
    assert refusals(play.state, "lay elephants attack")[0] == "M2.scope"
    assert legal_lines(state) == ["done"]


@rule("MH18.placing")
def test_a_colour_lives_as_long_as_its_horse() -> None:
    state = battle(ROMANS, PUNIC, orders="red=stand roman-horse=move")
    put(state, index(state, "A"), GONE)
    state.killed = [0, 1]
    state = go_on(at(state, BeginPlacing(), Placing(ROME))).state
    assert order(state, "red") == "stand"
    assert refusals(state, "lay red move") == []


@rule("MH18.placing")
def test_when_both_are_done_everybody_hears_who_has_a_marker() -> None:
    state = run(placing("orange=stand"), "lay red move", "lay roman-horse move", "done")
    play = do(state, "done")
    assert [(event.key, event.to, event.values) for event in play.events] == [
        ("event.markers", None, {"side": "rome", "groups": ("red", "orange", "roman-horse")}),
        ("event.no_markers", None, {"side": "carthage"}),
    ]
    assert not any(name in str(play.events) for name in ("move", "stand"))


@rule("MH13.start_orders")
@pytest.mark.parametrize("scenario", ["historical", "vanguard"])
def test_the_game_begins_without_markers(scenario: str) -> None:
    state = start(METAURUS, METAURUS.configure(scenario), Scripted([9, 0])).state
    assert set(state.order) == {ORDERS.index("attack")}
    state = run(state, "go-first", "lay red move", "lay purple stand", "lay roman-horse reform")
    assert refusals(state, "lay red stand")
    assert legal_lines(state) == ["done"]
    state = run(state, "done", "done")
    assert {under(state, unit.id) for unit in state.roster.units if unit.side == CARTHAGE} == {"attack"}


# --- turned face up ------------------------------------------------------------------------------


@rule("M2.reveal")
def test_a_marker_is_turned_up_when_its_group_is_activated() -> None:
    state = activations(battle(ROMANS, PUNIC, orders="red=stand orange=stand"))
    play = do(state, "activate red")
    assert face_up(play.state, "red")
    assert not face_up(play.state, "orange")
    assert ("M2.reveal", "event.reveals") in told(play)
    (shown,) = (event for event in play.events if event.key == "event.reveals")
    assert (shown.to, shown.values) == (None, {"group": "red", "order": "stand"})
    assert play.sealed


@rule("M2.reveal", "M2.attack.1")
def test_there_is_nothing_to_turn_up_without_a_marker_or_a_second_time() -> None:
    play = do(activations(battle(ROMANS, PUNIC)), "activate red")
    assert "event.reveals" not in [key for _, key in told(play)]
    play = do(activations(battle(ROMANS, PUNIC, orders="red=stand", shown="red")), "activate red")
    assert "event.reveals" not in [key for _, key in told(play)]


@rule("M2.reveal", "M3.retreat.1")
def test_it_is_turned_up_when_a_unit_of_the_group_is_attacked_before_that_decides_to_retreat() -> None:
    state = battle("A LEGION 0505", "X MI 0504; Y HI 0900", orders="yellow=move white=stand", reserves=True)
    play = do(combats(state, "red"), "attack A X")
    assert isinstance(decision(play.state), Fallback)
    assert face_up(play.state, "yellow")
    assert not face_up(play.state, "white")
    assert play.sealed


@rule("M2.reveal", "M2.independent")
def test_of_attacked_horse_the_marker_of_its_own_is_turned_up() -> None:
    state = battle("A LEGION 0505", "X CAV 0504", orders="white=stand punic-horse=stand", reserves=True)
    state = run(combats(state, "red"), "attack A X", dice=[4])
    assert face_up(state, "punic-horse")
    assert not face_up(state, "white")


@rule("M2.reveal", "MH18.placing")
def test_being_shown_costs_neither_the_order_nor_the_activation() -> None:
    state = battle("A LEGION 0505", "X MI 0504", orders="yellow=stand", reserves=True)
    state = run(combats(state, "red"), "attack A X", dice=[4])
    assert order(state, "yellow") == "stand"
    state.active = CARTHAGE
    assert refusals(activations(state), "activate yellow") == []


# --- what the orders mean ------------------------------------------------------------------------


def terms(state: MetaurusState, line: str = "attack A X") -> dict[str, int]:
    """What is added to the die, by clause, but for the arms."""
    found = parse_action(METAURUS, line).terms(combats(state, "red"))
    return {term.clause: term.value for term in found if term.clause != "M4.matrix"}


@rule("M2.stand.2", "M2.move.5", "M2.reform.2", "M2.attack.3", "M2.mta.2")
@pytest.mark.parametrize(
    ("attacker", "defender", "added"),
    [
        ("attack", "attack", 0),
        ("attack", "stand", -1),
        ("attack", "move", 1),
        ("attack", "move-to-attack", 0),
        ("attack", "reform", 2),
        ("move-to-attack", "attack", 1),
        ("move-to-attack", "stand", 0),
        ("move-to-attack", "move", 2),
        ("move-to-attack", "move-to-attack", 1),
        ("move-to-attack", "reform", 3),
    ],
)
def test_what_the_orders_add_to_the_die(attacker: str, defender: str, added: int) -> None:
    """The arms add 1; the total is read in the table, where 5 engages and 6 tests the morale."""
    state = battle("A LEGION 0505", "X MI 0504", orders=f"red={attacker} yellow={defender}", reserves=True)
    assert sum(terms(state).values()) == added
    last = 4 - added  # the highest face that engages
    lines = ["attack A X"] if defender != "move" else ["attack A X", "stand-fast"]
    after = run(combats(state, "red"), *lines, dice=[last])
    assert after.links
    if last < 9:
        after = run(combats(state, "red"), *lines, dice=[last + 1, 9])
        assert not after.links
        assert disordered(after, "X")


@rule("M2.mta.2")
def test_the_one_of_move_to_attack_is_gained_also_without_a_move_and_once() -> None:
    state = battle("A LEGION 0505", "X MI 0504", orders="red=move-to-attack", reserves=True)
    assert terms(state) == {"M4.mod.order_mta": 1}
    moved = run(
        moves(battle("A LEGION 0605", "X MI 0504", orders="red=move-to-attack", reserves=True), "red"),
        "march A",
        "go 0505",
        "face n",
    )
    assert terms(moved) == {"M4.mod.order_mta": 1}
    assert isinstance(decision(moved), Combats)


@rule("M2.attack.2", "M2.mta.1")
@pytest.mark.parametrize("name", ["attack", "move-to-attack"])
def test_who_stands_next_to_an_enemy_must_attack_under_attack_and_move_to_attack(name: str) -> None:
    state = battle("A LEGION 0505; B LEGION 0905", "X MI 0504", orders=f"red={name}", reserves=True)
    state = run(activations(state), "activate red")
    state = run(state, "done") if name == "move-to-attack" else state
    assert legal_lines(state) == ["attack A X"]
    assert refusals(state, "done") == ["M2.attack.2"]


@rule("M2.attack.2", "M2.stand.1", "M2.move.1", "M2.reform.1")
@pytest.mark.parametrize(
    ("name", "clause"), [("stand", "M2.stand.1"), ("move", "M2.move.1"), ("reform", "M2.reform.1")]
)
def test_under_the_other_orders_nobody_attacks_who_is_not_engaged(name: str, clause: str) -> None:
    rome = "A LEGION 0505; B LEGION 0905 group=orange"
    carthage = "X MI 0504; Y MI 0904"
    state = battle(rome, carthage, orders=f"red={name}", reserves=True)
    assert refusals(combats(state, "red", "orange"), "attack A X") == [clause]
    state = run(activations(state), "activate red", *(["done"] if name == "move" else []))
    assert isinstance(decision(state), Activations)
    assert refusals(state, "activate red") == ["MH17.activation"]


@rule("M2.attack.2", "M4.matrix.na")
@pytest.mark.parametrize(
    ("rome", "carthage", "line"),
    [
        ("A LEGION 0505", "X MI 0503", "attack A X"),  # not adjacent
        ("A CAV 0505", "X EL 0504", "attack A X"),  # N/A
    ],
)
def test_without_a_neighbour_that_it_may_attack_nobody_is_compelled(
    rome: str, carthage: str, line: str
) -> None:
    state = run(activations(battle(rome, carthage, reserves=True)), "activate red")
    assert "attack A X" not in legal_lines(state)


@rule("M2.attack.1", "M2.stand.1", "M2.reform.1")
@pytest.mark.parametrize("name", ["attack", "stand", "reform"])
def test_under_attack_stand_and_reform_nobody_moves(name: str) -> None:
    """There is nothing to decide: the activation is over at once."""
    state = battle("A LEGION 0505 se; D CAV 0605", "X MI 0500", orders=f"red={name}")
    after = run(activations(state), "activate red")
    assert over(after)
    assert (place(after, "A"), facing(after, "A")) == ("0505", "se")


@rule("M2.engaged_must")
@pytest.mark.parametrize("name", ["attack", "stand", "move", "move-to-attack", "reform"])
def test_an_engaged_unit_has_to_attack_under_any_order(name: str) -> None:
    state = battle("A LEGION 0505", "X MI 0504", orders=f"red={name}", engaged="A-X", reserves=True)
    state = run(activations(state), "activate red")
    assert legal_lines(state) == ["attack A X"]


@rule("M2.engaged_must")
def test_it_has_to_attack_one_with_whom_it_is_engaged() -> None:
    state = battle("A LEGION 0505", "X MI 0504; Y MI 0604", engaged="A-X", reserves=True)
    state = combats(state, "red")
    assert legal_lines(state) == ["attack A X"]
    assert refusals(state, "attack A Y") == ["M2.engaged_must"]
    both = battle("A LEGION 0505", "X MI 0504; Y MI 0604", engaged="A-X A-Y", reserves=True)
    assert set(legal_lines(combats(both, "red"))) == {"attack A X", "attack A Y"}


@rule("M2.engaged_must")
@pytest.mark.parametrize("name", ["attack", "stand", "move", "move-to-attack", "reform"])
def test_light_infantry_and_horse_engaged_with_the_elephant_do_not_attack(name: str) -> None:
    state = battle("A CAV 0505", "X EL 0504", orders=f"red={name}", engaged="A-X", reserves=True)
    assert decision(go_on(combats(state, "red")).state).__class__ is FirstChoice
    state = battle(
        "A LEGION 0505",
        "X LI 0504",
        orders=f"white={name}",
        engaged="A-X",
        reserves=True,
        active="carthage",
    )
    assert decision(go_on(combats(state, "white")).state).__class__ is FirstChoice


@rule("M2.move.4")
@pytest.mark.parametrize("name", ["attack", "stand", "move", "move-to-attack", "reform"])
def test_only_under_move_an_attacked_unit_may_fall_back(name: str) -> None:
    state = battle("A LEGION 0505", "X MI 0504", orders=f"yellow={name}", reserves=True)
    state = combats(state, "red")
    if name == "move":
        after = run(state, "attack A X")
        assert isinstance(decision(after), Fallback)
        assert decision(after).seat == CARTHAGE
        assert "retreat 0503" in legal_lines(after)
        assert place(run(after, "retreat 0503", "face s", "face n", dice=[0]), "X") == "0503"
    else:
        with pytest.raises(NeedLuck):  # the die of the combat follows at once
            apply(state, parse_action(METAURUS, "attack A X"), Scripted())
