"""Who attacks whom: compulsion (M2.attack.2, M2.engaged_must), turning (MH3), one combat each (MH5)."""

from __future__ import annotations

import pytest

from legatus.games.metaurus import METAURUS
from legatus.games.metaurus.activation import Activations
from legatus.games.metaurus.combat import Attack, Combats
from legatus.games.metaurus.movement import Moves
from legatus.games.metaurus.state import ATTACKED, MetaurusState, sees
from legatus.kernel import why_not
from legatus.parts.hexes import FRONT
from tests.rules import rule

from .stage import (
    activations,
    battle,
    combats,
    decision,
    disordered,
    do,
    engaged,
    facing,
    go_on,
    index,
    legal_lines,
    moves,
    over,
    place,
    refusals,
    refused,
    run,
    told,
)

ORDERS = ("attack", "stand", "move", "move-to-attack", "reform")


def reasons(state: MetaurusState, line: str) -> list[tuple[str, str]]:
    return [(refusal.clause, refusal.key.removeprefix("refusal.")) for refusal in refused(state, line)]


# --- compulsion ----------------------------------------------------------------------------------


@rule("M2.attack.2", "M2.stand.1", "M2.move.1", "M2.reform.1")
@pytest.mark.parametrize(
    ("order", "due"),
    [("attack", True), ("move-to-attack", True), ("stand", False), ("move", False), ("reform", False)],
)
def test_which_orders_compel_to_attack_a_neighbour(order: str, due: bool) -> None:
    state = combats(battle("A LEGION 0505", "X HI 0504", orders=f"red={order}"))
    assert legal_lines(state) == (["attack A X"] if due else [])
    assert over(go_on(state).state) != due


@rule("M2.attack.2")
def test_attacks_that_are_due_cannot_be_declined() -> None:
    state = combats(battle("A LEGION 0505", "X HI 0504"))
    assert decision(state).clause == "M2.attack.2"
    assert refusals(state, "done") == ["M2.attack.2"]
    assert refusals(state, "let-be") == ["M2.attack.2"]


@rule("M2.attack.2")
def test_all_of_them_are_due_one_after_the_other() -> None:
    state = combats(battle("A LEGION 0505 n; B LEGION 0705 n", "X HI 0504; Y HI 0704"))
    assert legal_lines(state) == ["attack A X", "attack B Y"]
    state = do(state, "attack B Y", dice=[4]).state
    assert legal_lines(state) == ["attack A X"]
    assert over(do(state, "attack A X", dice=[4]).state)


@rule("M2.attack.2", "MH3.attack_front")
@pytest.mark.parametrize("order", ["attack", "move-to-attack"])
@pytest.mark.parametrize("there", ["0604", "0605", "0606", "0506", "0405", "0504"])
@pytest.mark.parametrize("corner", ["n", "ne", "se", "s", "sw", "nw"])
def test_a_neighbour_is_attacked_wherever_it_stands(corner: str, there: str, order: str) -> None:
    """The unit turns to it; as the facing before does not matter, nobody escapes the duty by turning away."""
    state = combats(battle(f"A LEGION 0505 {corner}", f"X HI {there}", orders=f"red={order}"))
    assert legal_lines(state) == ["attack A X"]
    assert refusals(state, "done") == ["M2.attack.2"]
    after = do(state, "attack A X", dice=[2 if order == "attack" else 1]).state
    assert sees(after, index(after, "A"), after.roster.grid.cells[there]) == FRONT


@rule("M2.attack.2", "MH3.attack_front")
def test_a_legion_under_attack_turns_to_an_enemy_on_its_flank() -> None:
    state = battle("A LEGION 0505 n", "X HI 0605 sw", reserves=True)
    state = run(activations(state), "activate red")
    assert legal_lines(state) == ["attack A X"]
    play = do(state, "attack A X", dice=[4])
    assert facing(play.state, "A") == "ne"
    assert ("MH3.attack_front", "event.pivots") in told(play)


@rule("M2.attack.2", "M2.mta.1")
def test_nobody_escapes_move_to_attack_by_turning_his_back() -> None:
    state = battle("A LEGION 0505 n", "X HI 0504", orders="red=move-to-attack", reserves=True)
    state = run(activations(state), "activate red", "march A", "go 0505", "face s")
    assert facing(state, "A") == "s"
    assert legal_lines(state) == ["attack A X"]
    assert facing(do(state, "attack A X", dice=[3]).state, "A") == "nw"


@rule("MH3.attack_front", "M4.matrix.na")
def test_only_enemies_that_the_arms_allow_count_as_neighbours() -> None:
    """The elephant is in front, and the heavy foot behind: the cavalry turns round to it."""
    state = combats(battle("A CAV 0505 n", "X EL 0504; Y HI 0606 nw"))
    assert legal_lines(state) == ["attack A Y"]
    assert legal_lines(combats(battle("A CAV 0505 n", "X EL 0504"))) == []


@rule("MH3.attack_front")
def test_an_enemy_farther_away_is_not_attacked() -> None:
    state = combats(battle("A LEGION 0505 n", "X HI 0503"))
    assert legal_lines(state) == []
    assert reasons(state, "attack A X") == [("MH3.attack_front", "not_adjacent")]


@rule("MH3.attack_front")
@pytest.mark.parametrize(("there", "after"), [("0604", "n"), ("0605", "ne"), ("0606", "se"), ("0405", "nw")])
def test_of_two_neighbours_the_owner_chooses_and_the_front_has_no_precedence(there: str, after: str) -> None:
    state = combats(battle("A LEGION 0505 n", f"X HI 0504; Y HI {there}"))
    assert sorted(legal_lines(state)) == ["attack A X", "attack A Y"]
    assert facing(do(state, "attack A X", dice=[2]).state, "A") == "n"
    assert facing(do(state, "attack A Y", dice=[2]).state, "A") == after


@rule("MH3.attack_front")
def test_of_two_enemies_in_front_the_owner_chooses() -> None:
    state = combats(battle("A LEGION 0505 n", "X HI 0504; Y HI 0604"))
    assert sorted(legal_lines(state)) == ["attack A X", "attack A Y"]
    for name in "XY":
        after = do(state, f"attack A {name}", dice=[4]).state
        assert engaged(after) == {f"A-{name}"}
        assert facing(after, "A") == "n"
        assert over(after)  # one attack is enough


@rule("M2.attack.2")
def test_friends_and_edges_are_nobody_to_attack() -> None:
    """Cavalry would fight cavalry by the table."""
    state = combats(battle("A LEGION 0500 n; B CAV 0505 n; C CAV 0504 s", "X HI 1111"))
    assert legal_lines(state) == []
    assert over(go_on(state).state)


# --- engaged -------------------------------------------------------------------------------------


@rule("M2.engaged_must")
@pytest.mark.parametrize("order", ORDERS)
def test_an_engaged_unit_attacks_under_any_order(order: str) -> None:
    state = combats(battle("A LEGION 0505", "X HI 0504", orders=f"red={order}", engaged="A-X"))
    assert legal_lines(state) == ["attack A X"]
    assert not over(go_on(state).state)


@rule("M2.engaged_must")
@pytest.mark.parametrize("order", ORDERS)
def test_it_attacks_one_of_its_engagers_and_nobody_else(order: str) -> None:
    state = battle("A LEGION 0505 n", "X HI 0504; Y HI 0604", orders=f"red={order}", engaged="A-X")
    state = combats(state)
    assert legal_lines(state) == ["attack A X"]
    assert reasons(state, "attack A Y") == [("M2.engaged_must", "engaged_elsewhere")]


@rule("M2.engaged_must")
def test_of_several_engagers_in_front_one_is_enough() -> None:
    state = combats(battle("A LEGION 0505 n", "X HI 0504; Y HI 0604", engaged="A-X A-Y"))
    assert sorted(legal_lines(state)) == ["attack A X", "attack A Y"]
    assert over(do(state, "attack A Y", dice=[4]).state)


@rule("M2.engaged_must")
@pytest.mark.parametrize("order", ["move", "move-to-attack"])
def test_an_engaged_unit_does_not_move(order: str) -> None:
    rome = "A LEGION 0505 n; B LEGION 0909 n"
    state = moves(battle(rome, "X HI 0504", orders=f"red={order}", engaged="A-X"), "red")
    assert reasons(state, "march A") == [("M2.engaged_must", "engaged")]
    assert legal_lines(state) == ["march B", "done"]


@rule("M2.engaged_must", "M4.matrix.na")
@pytest.mark.parametrize("order", ["move", "move-to-attack"])
def test_cavalry_engaged_with_the_elephant_is_exempt_and_may_leave(order: str) -> None:
    state = battle("A CAV 0505 n", "X EL 0504", orders=f"red={order}", engaged="A-X")
    assert over(go_on(combats(state)).state)
    state = moves(state, "red")
    assert legal_lines(state) == ["march A", "done"]
    state = run(state, "march A", "go 0506", "face n")
    assert place(state, "A") == "0506"
    assert engaged(state) == set()


@rule("M2.engaged_must", "M4.matrix.no_li")
@pytest.mark.parametrize("order", ["move", "move-to-attack"])
def test_engaged_light_infantry_is_exempt_and_may_leave(order: str) -> None:
    state = battle("X LEGION 0505", "A LI 0504", orders=f"white={order}", engaged="X-A", active="carthage")
    assert over(go_on(combats(state)).state)
    state = run(moves(state, "white"), "march A", "go 0403", "face s")
    assert engaged(state) == set()
    assert over(state)


@rule("M2.engaged_must", "M4.matrix.na")
def test_cavalry_engaged_with_the_elephant_attacks_others_as_its_order_tells() -> None:
    armies = ("A CAV 0505 n", "X EL 0504; Y HI 0604")
    assert legal_lines(combats(battle(*armies, engaged="A-X"))) == ["attack A Y"]
    assert legal_lines(combats(battle(*armies, engaged="A-X", orders="red=stand"))) == []


@rule("M2.engaged_must", "M2.reform.1")
@pytest.mark.parametrize(("die", "added"), [(7, "+0"), (8, "-2")])
def test_an_engaged_unit_reforms_first_and_attacks_afterwards(die: int, added: str) -> None:
    state = battle("A LEGION 0505 disordered", "X HI 0504", engaged="A-X", orders="red=reform", reserves=True)
    state = do(activations(state), "activate red", dice=[die]).state
    play = do(state, "attack A X", dice=[6, 0] if added == "+0" else [6])
    (result,) = (event for event in play.events if event.key == "event.result")
    assert result.values["added"] == added


# --- the pivot -----------------------------------------------------------------------------------


@rule("MH3.attack_front")
@pytest.mark.parametrize(
    ("before", "after"),
    [("n", "n"), ("nw", "nw"), ("ne", "n"), ("sw", "nw"), ("se", "n"), ("s", "nw")],
)
@pytest.mark.parametrize("order", ORDERS)
def test_an_engaged_unit_pivots_by_as_few_corners_as_needed(before: str, after: str, order: str) -> None:
    """X stands to the north-west: n and nw have it in front."""
    state = battle(f"A LEGION 0505 {before}", "X HI 0504", engaged="A-X", orders=f"red={order}")
    assert legal_lines(combats(state)) == ["attack A X"]
    play = do(combats(state), "attack A X", dice=[4])
    assert facing(play.state, "A") == after
    assert (("MH3.attack_front", "event.pivots") in told(play)) == (before != after)


@rule("MH3.attack_front", "M2.engaged_must")
def test_of_several_engagers_the_owner_chooses_whoever_is_in_front() -> None:
    """A looks north: X is in front, Y in the east one corner away, Z in the south-east two."""
    armies = ("A LEGION 0505 n", "X HI 0504; Y HI 0605 sw; Z HI 0606 nw")
    state = combats(battle(*armies, engaged="A-X A-Y A-Z"))
    assert sorted(legal_lines(state)) == ["attack A X", "attack A Y", "attack A Z"]
    assert facing(do(state, "attack A Y", dice=[4]).state, "A") == "ne"
    assert facing(do(state, "attack A Z", dice=[4]).state, "A") == "se"


@rule("MH3.attack_front")
def test_of_two_that_are_equally_near_the_owner_chooses_and_the_target_tells_the_facing() -> None:
    """East and west are both one corner away from north."""
    state = combats(battle("A LEGION 0505 n", "Y HI 0605 sw; W HI 0405 ne", engaged="A-Y A-W"))
    assert sorted(legal_lines(state)) == ["attack A W", "attack A Y"]
    assert facing(do(state, "attack A Y", dice=[4]).state, "A") == "ne"
    assert facing(do(state, "attack A W", dice=[4]).state, "A") == "nw"


@rule("MH3.attack_front", "M4.matrix.na")
def test_engagers_that_it_may_not_attack_are_disregarded() -> None:
    """The elephant is in front, and the heavy foot behind: the cavalry turns round to it."""
    state = combats(battle("A CAV 0505 n", "X EL 0504; Y HI 0606 nw", engaged="A-X A-Y"))
    assert legal_lines(state) == ["attack A Y"]
    assert reasons(state, "attack A X")[0] == ("M4.matrix.na", "not_applicable")
    assert facing(do(state, "attack A Y", dice=[5]).state, "A") == "se"


@rule("M4.crt.4_5", "M2.engaged_must")
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_closer_look_tells_with_whom_a_unit_is_engaged_and_whether_it_must_attack(lang: str) -> None:
    state = battle("A LEGION 0505; B LI 0405", "X HI 0504; Y HI 0604; Z MI 0304", engaged="A-X A-Y B-Z")
    for name, clauses, foes in (
        ("A", ["M4.crt.4_5", "M2.engaged_must"], ("X, Y",)),
        ("B", ["M4.crt.4_5"], ("Z",)),  # light infantry never attacks
        ("X", ["M4.crt.4_5", "M2.engaged_must"], ("A",)),
    ):
        look = METAURUS.look(METAURUS.view(state, 0), 0, name, lang)
        assert look is not None
        assert [clause for _, clause in look.lines[1:]] == clauses
        assert all(foe in look.lines[1][0] for foe in foes)


@rule("MH3.attack_front")
def test_a_unit_that_is_not_engaged_pivots_likewise() -> None:
    state = combats(battle("A LEGION 0505 s; B LEGION 0405 n", "X HI 0504", engaged="B-X"))
    assert "attack B X A" in legal_lines(state)
    assert facing(do(state, "attack B X A", dice=[2]).state, "A") == "nw"


@rule("MH3.attack_front", "MH6.lead")
def test_a_supporter_that_is_engaged_pivots_too() -> None:
    state = combats(battle("A LEGION 0505 n; B LEGION 0404 s", "X HI 0504", engaged="B-X"))
    play = do(state, "attack A X B", dice=[0])
    assert facing(play.state, "B") == "se"
    assert play.events[0].values == {"unit": "B"}


# --- one combat ----------------------------------------------------------------------------------


@rule("MH5.one_combat")
def test_several_attackers_roll_one_die_or_fight_one_by_one() -> None:
    state = combats(battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504"))
    assert sorted(legal_lines(state)) == ["attack A X", "attack A X B", "attack B X", "attack B X A"]
    assert over(do(state, "attack A X B", dice=[5]).state)
    state = do(state, "attack A X", dice=[5]).state
    assert legal_lines(state) == ["attack B X"]
    assert over(do(state, "attack B X", dice=[5]).state)


@rule("MH5.one_combat", "M4.mod.combo")
def test_all_sets_of_attackers_are_offered_with_each_of_them_as_the_lead() -> None:
    state = combats(battle("A LEGION 0505 n; B LEGION 0405 n; C LEGION 0404 ne", "X HI 0504"))
    lines = legal_lines(state)
    assert len(lines) == len(set(lines)) == 12
    assert "attack C X A>B" in lines
    assert refusals(state, "attack C X B>A") == []


@rule("MH5.one_combat")
@pytest.mark.parametrize("line", ["attack A X", "attack B X A", "attack A X B"])
def test_a_unit_makes_one_attack_in_an_activation(line: str) -> None:
    state = combats(battle("A LEGION 0505 n attacked; B LEGION 0405 n", "X HI 0504"))
    assert legal_lines(state) == ["attack B X"]
    assert reasons(state, line) == [("MH5.one_combat", "attacked")]


@rule("MH5.one_combat")
def test_an_engaged_unit_too_makes_one_attack_and_that_is_the_only_reason() -> None:
    armies = ("A LEGION 0505 n attacked; B LEGION 0405 n", "X HI 0504")
    state = combats(battle(*armies, engaged="A-X"))
    assert legal_lines(state) == ["attack B X"]
    assert reasons(state, "attack A X") == [("MH5.one_combat", "attacked")]


@rule("MH5.one_combat", "MH6.lead")
def test_supporters_have_attacked_as_well() -> None:
    state = combats(battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504; Y HI 0404"))
    after = do(state, "attack A X B", dice=[5]).state
    assert [bool(after.flags[index(after, name)] & ATTACKED) for name in "ABX"] == [True, True, False]
    assert over(after)


@rule("MH5.one_combat")
def test_an_attack_is_no_longer_due_when_its_last_target_is_gone() -> None:
    state = combats(battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504 disordered", reserves=True))
    state = do(state, "attack A X", dice=[8]).state
    assert over(run(state, "face n"))


@rule("MH5.one_combat", "M4.advance")
def test_who_has_advanced_does_not_attack_a_second_time() -> None:
    state = combats(
        battle("A LEGION 0505 n; B LEGION 0909 n", "X HI 0504 disordered; Y HI 0403", reserves=True)
    )
    after = run(state, "attack A X", "face n", dice=[9])
    assert place(after, "A") == "0504"
    assert over(after)


@rule("MH5.one_combat")
def test_attackers_are_all_of_one_activation() -> None:
    armies = ("A LEGION 0505 n; B LEGION 0405 n group=orange", "X HI 0504")
    state = combats(battle(*armies), "red")
    assert legal_lines(state) == ["attack A X"]
    assert reasons(state, "attack B X") == [("MH5.one_combat", "not_in_force")]
    assert reasons(state, "attack A X B") == [("MH5.one_combat", "not_in_force")]
    assert "attack A X B" in legal_lines(combats(battle(*armies), "red", "orange"))


@rule("MH5.one_combat", "M2.independent")
def test_horse_with_a_marker_of_its_own_is_of_another_activation() -> None:
    armies = ("A LEGION 0505 n; C CAV 0405 n", "X HI 0504")
    state = combats(battle(*armies, orders="roman-horse=move-to-attack"), "red")
    assert reasons(state, "attack A X C") == [("MH5.one_combat", "not_in_force")]
    assert legal_lines(combats(battle(*armies, orders="roman-horse=move-to-attack"), "roman-horse")) == [
        "attack C X"
    ]
    assert "attack A X C" in legal_lines(combats(battle(*armies), "red"))


@rule("MH5.one_combat")
def test_the_flag_is_forgotten_with_the_turn() -> None:
    """Each group is activated once a turn, and its units attack once each time."""
    state = activations(battle("A LEGION 0505 n", "X HI 0504"))
    state = run(state, "activate red", "attack A X", dice=[5])
    assert over(state)


# --- refusals ------------------------------------------------------------------------------------


@rule("MH5.one_combat", "M2.scope")
@pytest.mark.parametrize(
    ("line", "clause", "key"),
    [
        ("attack A B", "MH5.one_combat", "no_such_enemy"),
        ("attack A nobody", "MH5.one_combat", "no_such_enemy"),
        ("attack A 0504", "MH5.one_combat", "no_such_enemy"),
        ("attack Y X", "M2.scope", "not_yours"),
        ("attack nobody X", "M2.scope", "not_yours"),
        ("attack A X Y", "M2.scope", "not_yours"),
        ("attack A X nobody", "M2.scope", "not_yours"),
        ("attack A X A", "MH5.one_combat", "twice"),
        ("attack A X B>B", "MH5.one_combat", "twice"),
    ],
)
def test_nonsense_is_refused_with_one_reason(line: str, clause: str, key: str) -> None:
    state = combats(battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504; Y HI 0704"))
    assert reasons(state, line) == [(clause, key)]


@rule("M2.scope", "MH5.one_combat")
def test_those_who_are_off_the_map_neither_attack_nor_are_attacked() -> None:
    state = battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504 disordered; Y HI 0404", reserves=True)
    state = run(combats(state), "attack A X", "face n", dice=[8])
    assert reasons(state, "attack B X") == [("MH5.one_combat", "no_such_enemy")]
    state = battle("A LEGION 0505 n disordered; B LEGION 0405 n", "X HI 0504", reserves=True)
    state = run(combats(state), "attack A X", dice=[4])
    assert reasons(state, "attack A X") == [("M2.scope", "not_yours")]


@rule("M2.stand.1", "M2.move.1", "M2.reform.1")
@pytest.mark.parametrize(
    ("order", "clause"), [("stand", "M2.stand.1"), ("move", "M2.move.1"), ("reform", "M2.reform.1")]
)
def test_an_order_that_does_not_attack_is_the_reason(order: str, clause: str) -> None:
    """The rulings of these clauses say that their units attack only if they are engaged."""
    armies = ("A LEGION 0505 n; B LEGION 0405 n group=orange", "X HI 0504")
    state = combats(battle(*armies, orders=f"red={order}"))
    assert legal_lines(state) == ["attack B X"]
    assert reasons(state, "attack A X") == [(clause, "no_attack_order")]
    assert reasons(state, "attack B X A") == [(clause, "no_attack_order")]


@rule("M4.matrix.na", "M4.matrix.no_li", "M2.engaged_must", "MH3.attack_front")
@pytest.mark.parametrize(
    ("unit", "links", "clause", "key"),
    [
        ("B LI 0405 n", "", "M4.matrix.no_li", "light"),
        ("B HI 0405 n", "", "M4.matrix.na", "not_applicable"),
        ("B LEGION 0405 n attacked", "", "MH5.one_combat", "attacked"),
        ("B LEGION 0405 n", "B-Y", "M2.engaged_must", "engaged_elsewhere"),
        ("B LEGION 0909 n", "", "MH3.attack_front", "not_adjacent"),
        ("B LEGION 0405 n group=orange", "", "MH5.one_combat", "not_in_force"),
    ],
)
def test_a_supporter_needs_as_much_as_the_lead(unit: str, links: str, clause: str, key: str) -> None:
    state = combats(battle(f"A LEGION 0505 n; {unit}", "X HI 0504; Y HI 0404", engaged=links), "red")
    assert reasons(state, "attack A X B") == [(clause, key)]
    assert reasons(state, "attack B X") == [(clause, key)]
    assert reasons(state, "attack A X") == []


@rule("MH5.one_combat")
def test_every_reason_is_given() -> None:
    state = combats(battle("A LI 0506 n; B LEGION 0405 n group=orange", "X HI 0504", orders="red=stand"))
    assert refusals(state, "attack A X") == ["M4.matrix.no_li", "M2.stand.1", "MH3.attack_front"]
    assert refusals(state, "attack Y X A>A") == [
        "M2.scope",
        *(2 * ["M4.matrix.no_li", "M2.stand.1", "MH3.attack_front"]),
        "MH5.one_combat",
    ]
    assert refusals(state, "attack Y nobody") == ["MH5.one_combat", "M2.scope"]


@rule("MH5.one_combat")
def test_an_attack_outside_its_step_is_refused_by_the_step_that_is_open() -> None:
    state = activations(battle("A LEGION 0505 n", "X HI 0504"))
    (refusal,) = why_not(state, Attack("A", "X"))
    assert (refusal.clause, refusal.key) == ("M3.resolve", "kernel.not_now")


# --- when ----------------------------------------------------------------------------------------


@rule("M4.after_moves", "M3.resolve", "M2.mta.1")
def test_combats_come_after_all_moves_of_the_order() -> None:
    rome = "A LEGION 0505 n; B LEGION 0606 n; C LEGION 0909 n group=orange"
    state = battle(rome, "X HI 0504", orders="red=move-to-attack orange=move")
    state = run(activations(state), "activate red")
    assert isinstance(decision(state), Moves)
    assert refusals(state, "attack A X") == ["M2.move.1"]
    assert legal_lines(state) == ["march A", "march B", "done"]
    state = run(state, "march B", "go 0605", "face n")
    assert isinstance(decision(state), Moves)
    state = run(state, "done")
    assert isinstance(decision(state), Combats)
    assert refusals(state, "march A") == ["M2.attack.2"]
    state = run(state, "attack A X", dice=[3])
    assert isinstance(decision(state), Activations)  # the moves of the next order come after these combats
    state = run(state, "activate orange")
    assert isinstance(decision(state), Moves)


@rule("M4.after_moves", "M2.mta.1", "M2.attack.2")
def test_who_has_moved_to_attack_must_attack() -> None:
    state = battle("A LEGION 0506 n", "X HI 0504", orders="red=move-to-attack")
    state = run(activations(state), "activate red", "march A", "go 0505", "face n")
    assert legal_lines(state) == ["attack A X"]
    assert engaged(do(state, "attack A X", dice=[3]).state) == {"A-X"}


@rule("M3.two_orders.1", "MH5.one_combat", "MH6.lead")
def test_legions_of_two_orders_share_in_one_attack() -> None:
    armies = ("A LEGION 0505 n; B LEGION 0404 ne group=orange; C CAV 0405 n", "X HI 0504")
    state = run(activations(battle(*armies)), "two-orders red orange", dice=[4])
    assert sorted(legal_lines(state)) == ["attack A X", "attack A X B", "attack B X", "attack B X A"]
    assert reasons(state, "attack A X C") == [("MH5.one_combat", "not_in_force")]
    state = run(state, "attack A X B", dice=[0])
    assert engaged(state) == {"A-X", "B-X"}
    assert legal_lines(state) == ["attack C X"]


@rule("M3.two_orders.3", "M2.engaged_must", "M4.crt.1")
def test_idle_legions_do_not_attack_even_if_engaged_but_strike_back() -> None:
    armies = ("A LEGION 0505 n; B LEGION 0909 n group=orange", "X HI 0504; Y HI 0701 s")
    state = run(activations(battle(*armies, engaged="A-X")), "two-orders red orange", dice=[3])
    assert over(state)
    state.active = 1
    play = do(combats(state), "attack X A", dice=[0, 4])
    assert ("M4.crt.1", "event.counter") in told(play)
    assert disordered(play.state, "X")
