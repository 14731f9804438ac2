"""3 The players' turns: groups one by one, two orders at once, reform, and the Gauls."""

from __future__ import annotations

from itertools import combinations

import pytest

from legatus.games.metaurus.activation import Activations
from legatus.games.metaurus.combat import Combats
from legatus.games.metaurus.movement import Moves
from legatus.games.metaurus.orders import BeginPlacing
from legatus.games.metaurus.retreat import Fallback
from legatus.games.metaurus.state import CARTHAGE, GONE, ORDERS, ROME, MetaurusState, order_of, put
from legatus.games.metaurus.turn import PlayerTurns, Turn
from legatus.kernel import NeedLuck, Scripted, apply, parse_action
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
    go_on,
    index,
    legal_lines,
    order,
    over,
    place,
    refusals,
    run,
    told,
)


def under(state: MetaurusState, name: str) -> str:
    return ORDERS[order_of(state, index(state, name))]


def activated(state: MetaurusState) -> list[str]:
    return [group.id for g, group in enumerate(state.roster.groups) if state.done[g]]


# --- one group after the other -------------------------------------------------------------------

ROMANS = "A LEGION 0511; B LEGION 0711 group=orange; C LEGION 0911 group=purple; D CAV 0111"


@rule("MH17.activation", "M3.resolve")
@pytest.mark.parametrize(
    "sequence", [("red", "orange", "purple"), ("purple", "orange", "red"), ("orange", "red", "purple")]
)
def test_every_group_is_activated_once_and_in_any_sequence(sequence: tuple[str, ...]) -> None:
    state = activations(battle(ROMANS, "X HI 0500"))
    for number, name in enumerate(sequence):
        single = {line for line in legal_lines(state) if line.startswith("activate")}
        assert single == {f"activate {name}" for name in sequence[number:]}
        state = run(state, f"activate {name}")
        assert over(state) or refusals(state, f"activate {name}") == ["MH17.activation"]
    assert over(state)
    assert activated(state) == ["red", "orange", "purple"]


@rule("MH17.activation", "M2.scope")
def test_only_groups_of_ones_own_with_units_on_the_map_are_activated() -> None:
    state = battle(ROMANS, "X HI 0500")
    put(state, index(state, "C"), GONE)
    state.killed = [0, 1]
    state = activations(state)
    for name in ("white", "blue", "A"):
        assert refusals(state, f"activate {name}") == ["M2.scope"]
    assert (
        refusals(state, "activate purple") == refusals(state, "activate roman-horse") == ["MH17.activation"]
    )
    assert over(run(state, "activate red", "activate orange"))


@rule("MH17.activation", "M2.independent")
def test_horse_and_elephant_act_with_their_colour_unless_they_have_a_marker() -> None:
    state = battle("A LEGION 0511; D CAV 0111", "X HI 0500", orders="red=move")
    state = run(activations(state), "activate red")
    assert set(legal_lines(state)) == {"march A", "march D", "done"}
    assert over(run(state, "done"))
    state = battle("A LEGION 0511; D CAV 0111", "X HI 0500", orders="red=move roman-horse=move")
    state = run(activations(state), "activate red")
    assert set(legal_lines(state)) == {"march A", "done"}
    assert refusals(state, "march D") == ["M3.resolve"]
    state = run(state, "done")
    assert legal_lines(state) == ["activate roman-horse"]
    assert set(legal_lines(run(state, "activate roman-horse"))) == {"march D", "done"}


@rule("MH17.activation", "M2.independent")
def test_the_elephant_with_a_marker_of_its_own_is_a_group() -> None:
    carthage = "X HI 0500; E EL 0700"
    state = battle("A LEGION 0511", carthage, orders="white=move", active="carthage")
    state = run(activations(state), "activate white", dice=[0])
    assert set(legal_lines(state)) == {"march X", "march E", "done"}
    state = battle("A LEGION 0511", carthage, orders="white=move elephants=move", active="carthage")
    state = run(activations(state), "activate white")
    assert set(legal_lines(state)) == {"march X", "done"}
    state = run(state, "done", "activate elephants", dice=[0])
    assert set(legal_lines(state)) == {"march E", "done"}


@rule("MH17.activation")
def test_a_group_that_has_nothing_to_do_is_passed_over() -> None:
    play = do(activations(battle(ROMANS, "X HI 0500")), "activate red")
    assert told(play) == [("M3.resolve", "event.activates")]
    assert isinstance(decision(play.state), Activations)


@rule("M3.resolve", "M4.after_moves")
def test_an_order_is_finished_before_another_is_begun() -> None:
    rome = "A LEGION 0505; B LEGION 0905 group=orange; C LEGION 0705"
    state = battle(rome, "X MI 0503; Y MI 0904", orders="red=move-to-attack", reserves=True)
    state = run(activations(state), "activate red")
    assert isinstance(decision(state), Moves)
    assert refusals(state, "activate orange") == ["M2.move.1"]
    state = run(state, "march A", "go 0604", "face n", "done")
    assert isinstance(decision(state), Combats)
    assert refusals(state, "activate orange") == ["M2.attack.2"]
    assert refusals(state, "march C") == ["M2.attack.2"]
    assert refusals(state, "attack B Y") == ["MH5.one_combat"]
    state = run(state, "attack A X", dice=[3])  # arms +1, order +1: engaged
    assert refusals(state, "activate orange") == []


@rule("M3.resolve")
def test_the_units_of_other_groups_take_no_part() -> None:
    rome = "A LEGION 0505; B LEGION 0604 nw group=orange"
    state = battle(rome, "X MI 0504", reserves=True)
    state = run(activations(state), "activate red")
    assert legal_lines(state) == ["attack A X"]
    assert refusals(state, "attack A X B") == ["MH5.one_combat"]


@rule("MH17.activation")
def test_a_group_that_has_been_destroyed_is_not_asked_for() -> None:
    state = battle("A LEGION 0505", "X MI 0504 disordered", reserves=True)
    state = at(state, PlayerTurns())
    state.first = ROME
    state = run(go_on(state).state, "activate red", "attack A X", "face n", dice=[9])
    assert place(state, "X") == "gone"
    state = run(state, "activate purple")
    assert decision(state) == Activations(CARTHAGE)
    assert legal_lines(state) == ["activate green"]


# --- reform --------------------------------------------------------------------------------------


@rule("M2.reform.1", "M0.counters.1")
@pytest.mark.parametrize("face", range(10))
@pytest.mark.parametrize("morale", [0, 5, 8])
def test_a_disordered_unit_is_in_order_again_if_it_rolls_no_higher_than_its_morale(
    morale: int, face: int
) -> None:
    state = activations(battle(f"A LEGION 0505 disordered morale={morale}", orders="red=reform"))
    play = do(state, "activate red", [face])
    assert disordered(play.state, "A") == (face > morale)
    key = "event.reforms_not" if face > morale else "event.reforms"
    assert ("M2.reform.1", key) in told(play)


@rule("M2.reform.1", "M2.scope")
def test_one_die_for_each_disordered_unit_of_the_group_and_for_no_other() -> None:
    rome = "A LEGION 0505 disordered; B LEGION 0605; C CAV 0705 disordered"
    rome += "; D LEGION 0805 disordered group=orange"
    state = battle(rome, "X HI 0500 disordered", orders="red=reform orange=move")
    state = run(activations(state), "activate red", dice=[7, 7])  # morale 7 and 6
    assert [disordered(state, name) for name in "ABCDX"] == [False, False, True, True, True]


@rule("M2.reform.1")
@pytest.mark.parametrize("name", ["attack", "stand", "move", "move-to-attack"])
def test_under_other_orders_nobody_reforms(name: str) -> None:
    state = battle("A LEGION 0505 disordered", "X HI 0500", orders=f"red={name}")
    assert disordered(run(activations(state), "activate red"), "A")


@rule("M2.reform.1")
def test_horse_with_another_order_does_not_reform_with_its_colour() -> None:
    rome = "A LEGION 0505 disordered; C CAV 0705 disordered"
    state = battle(rome, "X HI 0500", orders="red=reform roman-horse=stand")
    state = run(activations(state), "activate red", "activate roman-horse", dice=[0])
    assert [disordered(state, name) for name in "AC"] == [False, True]


@rule("M2.reform.1", "M2.engaged_must", "M3.resolve")
@pytest.mark.parametrize(("face", "still"), [(7, False), (8, True)])
def test_an_engaged_unit_rolls_first_and_attacks_afterwards(face: int, still: bool) -> None:
    state = battle(
        "A LEGION 0505 disordered; B LEGION 0604",
        "X MI 0504",
        orders="red=reform",
        engaged="A-X",
        reserves=True,
    )
    state = run(activations(state), "activate red", dice=[face])
    assert disordered(state, "A") == still
    assert legal_lines(state) == ["attack A X"]
    terms = parse_action(METAURUS, "attack A X").terms(state)
    assert ("M4.mod.disorder" in {term.clause for term in terms}) == still


# --- two orders at once --------------------------------------------------------------------------

PAIR = "A LEGION 0505; B LEGION 0604 nw group=orange; C LEGION 0911 group=purple"


@rule("M3.two_orders.3")
@pytest.mark.parametrize("face", range(10))
def test_on_4_or_more_two_orders_are_carried_out_together(face: int) -> None:
    state = activations(battle(PAIR, "X HI 0500", orders="red=move orange=move"))
    play = do(state, "two-orders red orange", [face])
    together = face >= 4
    assert ("M3.two_orders.3", "event.two_orders" if together else "event.legions_idle") in told(play)
    if together:
        assert set(legal_lines(play.state)) == {"march A", "march B", "done"}
    else:
        assert legal_lines(play.state) == ["activate purple"]
    assert activated(play.state) == ["red", "orange"]
    assert play.sealed


@rule("M3.two_orders.1", "M2.reveal")
@pytest.mark.parametrize("face", [0, 9])
def test_both_markers_are_turned_up_and_one_attempt_is_all(face: int) -> None:
    state = battle(PAIR, "X HI 0500", orders="red=stand orange=reform purple=stand")
    play = do(activations(state), "two-orders red orange", [face])
    state = play.state
    assert [state.shown[NUMBER[name]] for name in ("red", "orange", "purple")] == [1, 1, 0]
    assert [key for _, key in told(play)].count("event.reveals") == 2
    assert refusals(state, "activate red") == ["MH17.activation"]
    assert "M3.two_orders.1" in refusals(state, "two-orders red purple")
    assert state.tried


@rule("M3.two_orders.1", "M4.after_moves")
def test_legions_of_both_groups_share_in_one_attack_after_all_moves() -> None:
    state = battle(
        "A LEGION 0506; B LEGION 0605 nw group=orange",
        "X MI 0504",
        orders="red=move-to-attack orange=move-to-attack",
        reserves=True,
    )
    state = run(activations(state), "two-orders red orange", dice=[4])
    assert refusals(state, "attack A X") == ["M2.move.1"]
    state = run(state, "march B", "go 0604", "face nw", "march A", "go 0505", "face n")
    assert isinstance(decision(state), Combats)
    assert "attack A X B" in legal_lines(state)
    assert "attack B X A" in legal_lines(state)
    play = do(state, "attack A X B", [0, 7])  # arms +1, order +1, front with flank +4: a test of morale
    assert ("M4.crt.6_7", "event.result") in told(play)
    assert disordered(play.state, "X")


@rule("M3.two_orders.1", "M2.scope")
def test_each_of_them_still_follows_its_own_order() -> None:
    rome = "A LEGION 0505; B LEGION 0705 disordered group=orange; C LEGION 0904 group=orange"
    state = battle(rome, "X MI 0903; Y MI 0504", orders="red=stand orange=reform", reserves=True)
    state = run(activations(state), "two-orders red orange", dice=[9, 0])
    assert not disordered(state, "B")
    assert legal_lines(state) == ["activate purple"]
    state = battle(rome, "X HI 0500", orders="red=move")
    state = run(activations(state), "two-orders red orange", dice=[9])
    assert refusals(state, "march A") == []
    assert refusals(state, "march B") == ["M2.attack.1"]


@rule("M3.two_orders.2")
def test_horse_of_the_colours_follows_when_the_legions_are_done() -> None:
    rome = f"{PAIR}; D CAV 0305; E CAV 0205 group=orange"
    state = battle(rome, "X MI 0504", orders="red=move-to-attack orange=move", reserves=True)
    state = run(activations(state), "two-orders red orange", dice=[4])
    assert refusals(state, "march D") == refusals(state, "march E") == ["M3.resolve"]
    state = run(state, "done")
    assert refusals(state, "attack D X") == ["MH5.one_combat"]
    state = run(state, "attack A X", dice=[3])
    assert set(legal_lines(state)) == {"march D", "march E", "done"}
    assert refusals(state, "march A") == ["M3.resolve"]
    state = run(state, "march D", "go 0404", "face ne", "done")
    assert legal_lines(state) == ["attack D X"]  # horse of both colours in one activation


@rule("M3.two_orders.2", "M3.two_orders.3")
def test_horse_acts_also_if_the_attempt_fails() -> None:
    rome = "A LEGION 0505; B LEGION 0705 group=orange; D CAV 0305; E CAV 0205 group=orange"
    state = battle(rome, "X HI 0500", orders="red=move orange=move", reserves=True)
    state = run(activations(state), "two-orders red orange", dice=[3])
    assert set(legal_lines(state)) == {"march D", "march E", "done"}
    assert refusals(state, "march A") == ["M3.resolve"]
    state = run(state, "march D", "go 0304", "face n", "done")
    assert legal_lines(state) == ["activate purple"]


@rule("M3.two_orders.2", "M2.independent")
@pytest.mark.parametrize("face", [0, 9])
def test_horse_with_a_marker_of_its_own_is_not_concerned(face: int) -> None:
    rome = "A LEGION 0505; B LEGION 0705 group=orange; D CAV 0305"
    state = battle(rome, "X HI 0500", orders="red=stand roman-horse=move", reserves=True)
    state = run(activations(state), "two-orders red orange", dice=[face])
    assert set(legal_lines(state)) == {"activate purple", "activate roman-horse"}
    assert "march D" in legal_lines(run(state, "activate roman-horse"))


@rule("M3.two_orders.3")
def test_idle_legions_do_not_move_reform_or_attack_even_if_engaged() -> None:
    rome = "A LEGION 0505; B LEGION 0705 disordered group=orange; C LEGION 0911 group=purple"
    state = battle(rome, "X MI 0504", orders="orange=reform", engaged="A-X", reserves=True)
    after = run(activations(state), "two-orders red orange", dice=[3])
    assert disordered(after, "B")
    assert legal_lines(after) == ["activate purple"]
    assert over(run(after, "activate purple"))


@rule("M3.two_orders.3")
def test_a_failure_binds_no_other_legions() -> None:
    state = battle(f"{PAIR}; F LEGION 0109 group=purple", "X MI 0108", reserves=True)
    state = run(activations(state), "two-orders red orange", dice=[0])
    assert refusals(state, "activate purple") == []
    assert legal_lines(run(state, "activate purple")) == ["attack F X"]


@rule("M3.two_orders.3", "M4.crt.1")
def test_idle_legions_keep_their_markers_and_defend_themselves() -> None:
    state = battle(
        "A LEGION 0505; B LEGION 0705 group=orange", "X MI 0504", orders="red=stand", reserves=True
    )
    state = run(activations(state), "two-orders red orange", dice=[0])
    assert order(state, "red") == "stand"
    state.active = CARTHAGE
    state = combats(state, "yellow")
    terms = {term.clause: term.value for term in parse_action(METAURUS, "attack X A").terms(state)}
    assert terms["M4.mod.order_stand"] == -1
    play = do(state, "attack X A", [0, 3])  # 0 and less: the legion strikes back
    assert ("M4.crt.1", "event.counter") in told(play)


@rule("M3.two_orders.1")
def test_there_is_one_attempt_a_turn() -> None:
    rome = f"{PAIR}; F LEGION 0109 group=purple"
    state = run(activations(battle(rome, "X HI 0500")), "two-orders red orange", dice=[9])
    assert "two-orders" not in str(legal_lines(state))
    state.done[NUMBER["red"]] = 0
    assert refusals(state, "two-orders red purple") == ["M3.two_orders.1"]
    state.todo = [Turn()]
    state = run(go_on(state, [9, 0]).state, "go-first", "done", "done")
    assert refusals(state, "two-orders red purple") == []


@rule("M3.two_orders.1")
def test_it_must_be_said_before_either_is_begun() -> None:
    state = run(activations(battle(PAIR, "X HI 0500")), "activate red")
    assert refusals(state, "two-orders red orange") == ["MH17.activation"]
    assert refusals(state, "two-orders orange purple") == []


@rule("M3.two_orders.1", "M2.scope")
def test_two_groups_that_there_are_must_be_named() -> None:
    state = activations(battle(PAIR, "X HI 0500"))
    assert refusals(state, "two-orders red red") == ["M3.two_orders.1"]
    assert refusals(state, "two-orders red white") == ["M2.scope"]
    assert refusals(state, "two-orders nobody red") == ["M2.scope"]
    offered = {frozenset(line.split()[1:]) for line in legal_lines(state) if line.startswith("two-orders")}
    assert offered == {frozenset(pair) for pair in combinations(("red", "orange", "purple"), 2)}


@rule("M3.two_orders.1")
def test_whichever_is_named_first_what_is_legal_is_offered() -> None:
    state = activations(battle(PAIR, "X HI 0500"))
    for line in ("two-orders red orange", "two-orders orange red"):
        assert (line in legal_lines(state)) == (refusals(state, line) == []), line


@rule("M3.two_orders.1")
def test_only_romans_try_it() -> None:
    state = battle("A LEGION 0511", "X HI 0500; Y MI 0700", active="carthage")
    state = activations(state)
    assert refusals(state, "two-orders white yellow") == ["M3.two_orders.1"]
    assert legal_lines(state) == ["activate white", "activate yellow"]


@rule("M3.two_orders.2")
def test_both_groups_must_have_legions_on_the_map() -> None:
    rome = "A LEGION 0505; B LEGION 0705 group=orange; D CAV 0905 group=orange"
    state = battle(rome, "X HI 0500", orders="roman-horse=move")
    assert refusals(activations(state), "two-orders red roman-horse") == ["M3.two_orders.2"]
    assert refusals(activations(state), "two-orders red orange") == []
    state = battle(rome, "X HI 0500")
    put(state, index(state, "B"), GONE)
    state.killed = [0, 1]
    assert refusals(activations(state), "two-orders red orange") == ["M3.two_orders.2"]
    assert refusals(activations(state), "activate orange") == []


# --- the Gauls -----------------------------------------------------------------------------------


def gauls(order: str = "move", carthage: str = "", rome: str = "A LEGION 0511", **more: str) -> MetaurusState:
    """The option is on; Carthage chooses what it activates."""
    text = f"G MI 0500 group=green; H MI 0700 group=green; {carthage}"
    return battle(rome, text, orders=f"green={order}", active="carthage", gauls=True, **more)  # type: ignore[arg-type]


@rule("MH14.gauls")
@pytest.mark.parametrize("name", ["move", "move-to-attack"])
@pytest.mark.parametrize("face", range(10))
def test_on_0_to_4_the_gauls_do_not_stir(face: int, name: str) -> None:
    play = do(activations(gauls(name)), "activate green", [face])
    stays = face <= 4
    assert ("MH14.gauls", "event.gauls_stay" if stays else "event.gauls_go") in told(play)
    assert under(play.state, "G") == ("stand" if stays else name)
    assert over(play.state) == stays
    assert stays or "march G" in legal_lines(play.state)
    assert order(play.state, "green") == name  # the marker stays where it is


@rule("MH14.gauls")
def test_the_option_is_off_by_default() -> None:
    assert METAURUS.configure().options["gauls"] is False
    state = battle("A LEGION 0511", "G MI 0500 group=green", orders="green=move", active="carthage")
    assert "march G" in legal_lines(run(activations(state), "activate green"))


@rule("MH14.gauls")
@pytest.mark.parametrize("name", ["attack", "stand", "reform"])
def test_no_die_is_rolled_under_other_orders(name: str) -> None:
    assert over(run(activations(gauls(name)), "activate green"))


@rule("MH14.gauls")
def test_no_die_is_rolled_for_other_groups() -> None:
    state = battle(
        "A LEGION 0511",
        "G MI 0500 group=green; X HI 0700",
        orders="green=move white=move",
        active="carthage",
        gauls=True,
    )
    assert "march X" in legal_lines(run(activations(state), "activate white"))


@rule("MH14.gauls", "M2.stand.2")
def test_for_the_rest_of_the_turn_they_count_as_standing() -> None:
    state = gauls(rome="A LEGION 0501", shown="green")
    state = run(activations(state), "activate green", dice=[4])
    state.active = ROME
    state = combats(state, "red")
    terms = {term.clause: term.value for term in parse_action(METAURUS, "attack A G").terms(state)}
    assert terms["M4.mod.order_stand"] == -1
    assert "M4.mod.order_move" not in terms
    with pytest.raises(NeedLuck):  # no retreat is offered
        apply(state, parse_action(METAURUS, "attack A G"), Scripted())


@rule("MH14.gauls")
def test_in_the_next_turn_they_are_under_their_order_again_and_asked_again() -> None:
    state = run(activations(gauls()), "activate green", dice=[0])
    state.todo = [Turn()]
    state = go_on(state, [0, 9]).state
    assert under(state, "G") == "move"
    state = run(state, "go-first", "done", "done")
    play = do(state, "activate green", [9])
    assert ("MH14.gauls", "event.gauls_go") in told(play)


@rule("MH14.gauls")
def test_once_a_gaul_has_been_attacked_they_go_without_being_asked() -> None:
    state = gauls(rome="A LEGION 0501; B LEGION 0511", carthage="X HI 0711")
    state.active = ROME
    state = run(combats(state, "red"), "attack A G", "stand-fast", dice=[4, 0])
    assert state.provoked
    state.active = CARTHAGE
    state.links = []
    state = run(activations(state), "activate green")
    assert isinstance(decision(state), Moves)
    again = go_on(at(state, BeginPlacing())).state
    assert again.provoked


@rule("MH14.gauls")
def test_it_counts_when_it_is_announced_even_if_the_gaul_falls_back() -> None:
    state = gauls(rome="A LEGION 0503")
    put(state, index(state, "G"), state.roster.grid.cells["0502"])
    state.active = ROME
    state = run(combats(state, "red"), "attack A G")
    assert isinstance(decision(state), Fallback)
    assert state.provoked


@rule("MH14.gauls")
def test_an_attack_on_others_does_not_rouse_them() -> None:
    state = gauls(carthage="X HI 0504", rome="A LEGION 0505")
    state.active = ROME
    play = do(combats(state, "red"), "attack A X", [4])
    assert not play.state.provoked
    play.state.active = CARTHAGE
    told_then = told(do(activations(play.state), "activate green", [4]))
    assert ("MH14.gauls", "event.gauls_stay") in told_then
