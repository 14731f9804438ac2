"""What the die brings (M4.crt), for every modified number from far below 1 to far above 9."""

from __future__ import annotations

from fractions import Fraction

import pytest

from legatus.games.metaurus.combat import Again, AgainChoice, clamp
from legatus.games.metaurus.facing import Turning
from legatus.games.metaurus.retreat import Fallback
from legatus.games.metaurus.state import MetaurusState
from legatus.kernel import NeedLuck, Play
from legatus.lab.odds import odds
from tests.rules import rule

from .stage import (
    METAURUS,
    at,
    battle,
    combats,
    decision,
    disordered,
    do,
    engaged,
    facing,
    index,
    legal_lines,
    over,
    place,
    refusals,
    run,
    told,
)


def duel(added: int, a: str = "", x: str = "") -> MetaurusState:
    """A in 0505 attacks X in 0504, with so much added to its die; ``a`` and ``x`` are more marks."""
    hard = {"orders": "white=stand", "forests": "0504", "hills": "0504=1", "rivers": "0504-0505"}
    easy = {"orders": "red=move-to-attack white=reform", "hills": "0505=1"}
    arms, more = {
        -6: (("MI", "LEGION"), hard),
        -3: (("CAV", "LEGION"), {"orders": "white=stand", "forests": "0504"}),
        0: (("LEGION", "HI"), {}),
        2: (("LEGION", "HI"), {"orders": "white=reform"}),
        5: (("LEGION", "LI"), {"orders": "red=move-to-attack"}),
        8: (("LEGION", "LI"), easy),
    }[added]
    one, foe = arms
    state = battle(f"A {one} 0505 group=red {a}", f"X {foe} 0504 group=white {x}", reserves=True, **more)
    return combats(state)


ADDED = (-6, -3, 0, 2, 5, 8)
ROLLS = [(added, face) for added in ADDED for face in range(10)]
RESULT = {1: 1, 2: 2, 3: 3, 4: 4, 5: 4, 6: 6, 7: 6, 8: 8, 9: 9}
CLAUSE = {
    1: "M4.crt.1",
    2: "M4.crt.2",
    3: "M4.crt.3",
    4: "M4.crt.4_5",
    6: "M4.crt.6_7",
    8: "M4.crt.8",
    9: "M4.crt.9",
}


def result_of(number: int) -> int:
    return 1 if number < 1 else 9 if number > 9 else RESULT[number]


def rolls(*results: int) -> list[tuple[int, int]]:
    """The (added, face) that lead to one of these results."""
    return [(added, face) for added, face in ROLLS if result_of(added + face) in results]


def keys(play: Play) -> list[str]:
    return [event.key for event in play.events]


def unhurt(state: MetaurusState, *names: str) -> bool:
    return not any(disordered(state, name) or place(state, name) == "gone" for name in names)


def test_the_rolls_below_reach_every_number() -> None:
    assert {added + face for added, face in ROLLS} == set(range(-6, 18))


# --- the line ------------------------------------------------------------------------------------


@rule("M4.crt", "M4.roll", "M0.die")
@pytest.mark.parametrize("number", range(-20, 31))
def test_numbers_beyond_the_line_count_as_its_ends(number: int) -> None:
    assert clamp(number) == (1 if number < 1 else 9 if number > 9 else number)


@rule("M4.crt", "M4.roll")
@pytest.mark.parametrize(("added", "face"), ROLLS)
def test_every_roll_is_told_with_its_result_and_clause(added: int, face: int) -> None:
    state, wanted = duel(added), result_of(added + face)
    dice = {1: [face], 3: [face, 0], 6: [face, 0]}.get(wanted, [face])
    if added == 0 and wanted == 1:
        dice.append(6)  # the counter-attack of HI on LEGION: 5, engaged
    elif wanted == 1:
        dice.append(4)  # of LEGION on MI or CAV
    play = do(state, "attack A X", dice=dice)
    event = next(event for event in play.events if event.key == "event.result")
    number = max(1, min(added + face, 9))
    assert (event.values["added"], event.values["result"]) == (f"{added:+}", number)
    assert event.clause == CLAUSE[wanted]
    assert event.dice == (face,)


@rule("M4.crt.1", "M4.disorder")
@pytest.mark.parametrize(("added", "face"), rolls(1))
def test_1_or_less_disorders_the_attacker_and_the_defender_strikes_back(added: int, face: int) -> None:
    with pytest.raises(NeedLuck) as need:  # at once, and nobody is asked
        do(duel(added), "attack A X", dice=[face])
    assert need.value.luck.sides == 10
    play = do(duel(added), "attack A X", dice=[face, 6 if added == 0 else 4])
    assert disordered(play.state, "A")
    assert not disordered(play.state, "X")
    assert ("M4.crt.1", "event.disordered") in told(play)
    assert ("M4.crt.1", "event.counter") in told(play)
    strokes = [(e.values["lead"], e.values["target"]) for e in play.events if e.key == "event.attack"]
    assert strokes == [("A", "X"), ("X", "A")]
    assert engaged(play.state) == {"A-X"}
    assert over(play.state)


@rule("M4.crt.2")
@pytest.mark.parametrize(("added", "face"), rolls(2))
def test_2_disorders_the_attacker(added: int, face: int) -> None:
    play = do(duel(added), "attack A X", dice=[face])
    assert disordered(play.state, "A")
    assert ("M4.crt.2", "event.disordered") in told(play)
    assert unhurt(play.state, "X")
    assert engaged(play.state) == set()
    assert over(play.state)


@rule("M4.crt.3", "M0.counters.1")
@pytest.mark.parametrize("test", range(10))
@pytest.mark.parametrize(("added", "face"), rolls(3))
def test_3_tests_the_morale_of_the_attacker(added: int, face: int, test: int) -> None:
    play = do(duel(added, a="morale=4", x="morale=9"), "attack A X", dice=[face, test])
    assert disordered(play.state, "A") == (test > 4)
    assert (("M4.crt.3", "event.disordered") in told(play)) == (test > 4)
    assert ("M0.counters.1", "event.wavers" if test > 4 else "event.holds") in told(play)
    assert unhurt(play.state, "X")
    assert engaged(play.state) == set()
    assert over(play.state)


@rule("M4.crt.4_5")
@pytest.mark.parametrize(("added", "face"), rolls(4))
def test_4_and_5_engage_both(added: int, face: int) -> None:
    play = do(duel(added), "attack A X", dice=[face])
    assert engaged(play.state) == {"A-X"}
    assert ("M4.crt.4_5", "event.engaged") in told(play)
    assert unhurt(play.state, "A", "X")
    assert over(play.state)


@rule("M4.crt.6_7", "M0.counters.1")
@pytest.mark.parametrize("test", range(10))
@pytest.mark.parametrize(("added", "face"), rolls(6))
def test_6_and_7_test_the_morale_of_the_defender(added: int, face: int, test: int) -> None:
    play = do(duel(added, a="morale=9", x="morale=4"), "attack A X", dice=[face, test])
    assert disordered(play.state, "X") == (test > 4)
    assert (("M4.crt.6_7", "event.disordered") in told(play)) == (test > 4)
    assert unhurt(play.state, "A")
    assert engaged(play.state) == set()
    assert over(play.state)


@rule("M4.crt.8")
@pytest.mark.parametrize(("added", "face"), rolls(8))
def test_8_disorders_the_defender_and_that_is_all(added: int, face: int) -> None:
    play = do(duel(added), "attack A X", dice=[face])
    assert disordered(play.state, "X")
    assert ("M4.crt.8", "event.disordered") in told(play)
    assert unhurt(play.state, "A")
    assert engaged(play.state) == set()
    assert over(play.state)


@rule("M4.crt.9")
@pytest.mark.parametrize(("added", "face"), rolls(9))
def test_9_or_more_disorders_the_defender_and_the_attacker_may_strike_again(added: int, face: int) -> None:
    play = do(duel(added), "attack A X", dice=[face])
    assert disordered(play.state, "X")
    assert ("M4.crt.9", "event.disordered") in told(play)
    assert unhurt(play.state, "A")
    assert isinstance(decision(play.state), AgainChoice)
    assert decision(play.state).seat == 0
    assert legal_lines(play.state) == ["again", "let-be"]
    assert over(run(play.state, "let-be"))


# --- disorder twice ------------------------------------------------------------------------------


@rule("M4.disorder", "M4.crt.1", "M4.crt.2", "M4.advance")
@pytest.mark.parametrize("number", [-4, 1, 2])
def test_a_disordered_attacker_is_eliminated_by_another_disorder(number: int) -> None:
    """Nobody strikes back at it then, and the defender stays where it is."""
    added, face = (-3, 1) if number == -4 else (0, number + 2)  # its disorder takes off 2
    play = do(duel(added, a="disordered"), "attack A X", dice=[face])
    assert place(play.state, "A") == "gone"
    assert ("M4.disorder", "event.breaks") in told(play)
    assert place(play.state, "X") == "0504"
    assert play.state.killed == [0, 1]
    assert over(play.state)


@rule("M4.crt.1", "M4.disorder")
def test_nobody_strikes_back_at_an_attacker_who_is_gone_at_the_edge_of_the_map_either() -> None:
    """Beyond the edge there is no hex, and off the map is no neighbour."""
    state = battle("A LEGION 0105 disordered", "X HI 0005 sw", reserves=True)
    play = do(combats(state), "attack A X", dice=[0])
    assert place(play.state, "A") == "gone"
    assert ("M4.crt.1", "event.counter") not in told(play)
    assert facing(play.state, "X") == "sw"


@rule("M4.disorder", "M4.crt.3")
@pytest.mark.parametrize(("test", "where"), [(7, "0505"), (8, "gone")])
def test_so_is_one_that_fails_its_test(test: int, where: str) -> None:
    after = do(duel(0, a="disordered"), "attack A X", dice=[5, test]).state
    assert place(after, "A") == where
    assert place(after, "X") == "0504"


@rule("M4.disorder", "M4.crt.6_7", "M4.advance")
@pytest.mark.parametrize(("test", "where"), [(7, "0504"), (8, "gone")])
def test_so_is_a_defender_that_fails_its_test(test: int, where: str) -> None:
    after = do(duel(0, x="disordered"), "attack A X", dice=[6, test]).state
    assert place(after, "X") == where
    assert place(after, "A") == ("0504" if where == "gone" else "0505")


@rule("M4.disorder", "M4.crt.8", "M4.crt.9", "M4.advance", "M3.facing.2")
@pytest.mark.parametrize("face", [8, 9])
def test_a_disordered_defender_is_eliminated_and_the_attacker_takes_its_hex(face: int) -> None:
    """After a 9 as well: there is nobody left to strike again."""
    play = do(duel(0, x="disordered"), "attack A X", dice=[face])
    assert place(play.state, "X") == "gone"
    assert play.state.killed == [1, 0]
    assert ("M4.disorder", "event.breaks") in told(play)
    assert ("M4.advance", "event.advances") in told(play)
    assert place(play.state, "A") == "0504"
    assert isinstance(decision(play.state), Turning)
    assert decision(play.state).seat == 0
    after = run(play.state, "face sw")
    assert facing(after, "A") == "sw"
    assert over(after)


@rule("M4.disorder")
def test_a_first_disorder_eliminates_nobody() -> None:
    after = do(duel(0), "attack A X", dice=[8]).state
    assert disordered(after, "X")
    assert place(after, "X") == "0504"
    assert after.killed == [0, 0]


# --- the counter-attack --------------------------------------------------------------------------


@rule("M4.crt.1")
def test_the_counter_attack_has_its_own_modifiers_for_exchanged_roles() -> None:
    """MI against LEGION; A in a forest, higher, over the river, X under Move to Attack, A under Stand."""
    state = battle(
        "A LEGION 0505 ne",
        "X MI 0504",
        orders="red=stand yellow=move-to-attack",
        engaged="A-X",
        forests="0505",
        hills="0505=1",
        rivers="0504-0505",
        reserves=True,
    )
    # A pivots from ne by one corner to n: X looks at its front.  A: +1 MI, +1 downhill, -1 river
    play = do(combats(state), "attack A X", dice=[0, 9])
    first, second = (event for event in play.events if event.key == "event.result")
    assert (first.values["added"], first.values["result"]) == ("+1", 1)
    # X: -2 LEGION, -1 Stand, +1 its own order, -1 forest, -1 uphill, -1 river
    assert (second.values["added"], second.values["result"]) == ("-5", 4)


@rule("M4.crt.1", "M4.mod.disorder", "M4.mod.flank", "M4.mod.rear")
@pytest.mark.parametrize(("corner", "added"), [("n", -1), ("nw", -1)])
def test_the_angle_of_the_counter_attack_is_that_of_the_attacker(corner: str, added: int) -> None:
    """An attacker has its enemy in front, so that the counter-attack is always frontal."""
    state = combats(battle(f"A LEGION 0505 {corner}", "X HI 0504 disordered", reserves=True))
    play = do(state, "attack A X", dice=[1, 7])
    second = [event for event in play.events if event.key == "event.result"][1]
    assert second.values["added"] == f"{added - 2:+}"  # X is disordered and attacks now


@rule("M4.crt.1", "MH3.attack_front")
@pytest.mark.parametrize(
    ("corner", "after"),
    [("s", "s"), ("se", "se"), ("sw", "s"), ("nw", "s"), ("n", "se"), ("ne", "se")],
)
def test_it_is_made_from_any_angle_and_the_defender_turns_to_the_attacker(corner: str, after: str) -> None:
    """CAV -1, Stand -1, forest -1, uphill -1, and at most +3 for the rear; A is south-east of X."""
    more = {"orders": "white=stand", "forests": "0504", "hills": "0504=1", "reserves": True}
    state = combats(battle("A CAV 0505", f"X HI 0504 {corner}", **more))
    play = do(state, "attack A X", dice=[0, 3])
    assert disordered(play.state, "A")
    assert "event.counter" in keys(play)
    assert facing(play.state, "X") == after
    assert (("MH3.attack_front", "event.pivots") in told(play)) == (corner != after)


@rule("M4.crt.1")
def test_a_flank_attack_that_fails_is_answered() -> None:
    """LEGION on HI 0, flank +2, Stand -1: a 0 is 1.  HI on LEGION -1: a 5 is 4."""
    state = battle("A LEGION 0405 se", "X HI 0505 n", orders="white=stand", reserves=True)
    play = do(combats(state), "attack A X", dice=[0, 5])
    assert [e.values["added"] for e in play.events if e.key == "event.result"] == ["+1", "-1"]
    assert disordered(play.state, "A")
    assert facing(play.state, "X") == "nw"
    assert engaged(play.state) == {"A-X"}


@rule("M4.crt.1", "M4.disorder")
def test_a_chain_of_counter_attacks_ends_with_the_second_disorder() -> None:
    """A is eliminated in its second attack: nobody is left to strike at, and X stays where it is."""
    play = do(duel(0), "attack A X", dice=[0, 0, 0])
    strokes = [(e.values["lead"], e.values["target"]) for e in play.events if e.key == "event.attack"]
    assert strokes == [("A", "X"), ("X", "A"), ("A", "X")]
    assert (place(play.state, "A"), place(play.state, "X")) == ("gone", "0504")
    assert disordered(play.state, "X")
    assert over(play.state)


@rule("M4.crt.1", "M4.matrix.no_li")
def test_light_infantry_makes_none() -> None:
    state = battle(
        "B CAV 0405 n",
        "X LI 0504",
        orders="white=stand",
        forests="0504",
        hills="0504=1",
        rivers="0504-0405",
        reserves=True,
    )
    play = do(combats(state), "attack B X", dice=[0])  # +3 - 1 - 1 - 1 - 1
    assert disordered(play.state, "B")
    assert "event.counter" not in keys(play)


@rule("M4.crt.1", "M4.matrix.na")
def test_cavalry_makes_none_against_the_elephant() -> None:
    state = battle(
        "X CAV 0505",
        "A EL 0504",
        orders="red=stand",
        forests="0505",
        hills="0505=1",
        rivers="0504-0505",
        active="carthage",
        reserves=True,
    )
    play = do(combats(state), "attack A X", dice=[0])  # +3 - 1 - 1 - 1 - 1
    assert disordered(play.state, "A")
    assert "event.counter" not in keys(play)


@rule("M4.crt.1", "M4.advance")
@pytest.mark.parametrize(("order", "die"), [("attack", 9), ("move-to-attack", 9), ("stand", 9)])
def test_who_destroys_its_attacker_by_a_counter_attack_takes_its_hex(order: str, die: int) -> None:
    """HI against a legion that is disordered now: 9 - 1 is 8, or 9: nobody is left to strike again."""
    state = combats(battle("A LEGION 0505", "X HI 0504", orders=f"white={order}", reserves=True))
    play = do(state, "attack A X", dice=[0, die])
    assert place(play.state, "A") == "gone"
    assert place(play.state, "X") == "0505"
    assert isinstance(decision(play.state), Turning)
    assert decision(play.state).seat == 1
    assert over(run(play.state, "face s"))


@rule("M4.crt.1")
def test_a_counter_attack_can_be_countered() -> None:
    """X fails with 1 in its turn, and A, disordered by now, strikes back with -2."""
    play = do(duel(0), "attack A X", dice=[1, 2, 7])
    strokes = [(e.values["lead"], e.values["target"]) for e in play.events if e.key == "event.attack"]
    assert strokes == [("A", "X"), ("X", "A"), ("A", "X")]
    results = [e.values["added"] for e in play.events if e.key == "event.result"]
    assert results == ["+0", "-1", "-2"]
    assert disordered(play.state, "A")
    assert disordered(play.state, "X")
    assert engaged(play.state) == {"A-X"}


@rule("M4.crt.1", "MH5.one_combat")
def test_a_counter_attack_does_not_cost_an_attack() -> None:
    """It does not need the order to attack either, and the unit can attack in its own turn."""
    state = battle("A LEGION 0505", "X HI 0504", orders="white=stand", shown="white", reserves=True)
    after = do(combats(state), "attack A X", dice=[0, 9]).state
    assert place(after, "A") == "gone"
    state = battle("A LEGION 0505", "X HI 0504", reserves=True)
    after = do(combats(state), "attack A X", dice=[0, 6]).state
    after.active = 1
    assert legal_lines(combats(after)) == ["attack X A"]


@rule("M4.crt.1", "M3.retreat.1")
def test_an_attacker_under_move_may_fall_back_from_the_counter_attack() -> None:
    state = battle("A LEGION 0505", "X HI 0504", orders="red=move", engaged="A-X", reserves=True)
    state = do(combats(state), "attack A X", dice=[0]).state
    assert isinstance(decision(state), Fallback)
    assert decision(state).seat == 0
    after = run(state, "retreat 0506", "face n", "face s", dice=[3])
    assert place(after, "A") == "0506"
    assert place(after, "X") == "0505"  # it was the attacker
    assert facing(after, "X") == "s"
    assert over(after)


# --- once more -----------------------------------------------------------------------------------


@rule("M4.crt.9")
def test_a_renewed_attack_is_a_new_roll_against_the_same_defender() -> None:
    state = do(duel(0), "attack A X", dice=[9]).state
    play = do(state, "again", dice=[4])
    assert engaged(play.state) == {"A-X"}
    assert over(play.state)
    play = do(state, "again", dice=[8])
    assert place(play.state, "X") == "gone"
    assert place(play.state, "A") == "0504"


@rule("M4.crt.9")
def test_it_may_hurt_the_attacker() -> None:
    state = do(duel(0), "attack A X", dice=[9]).state
    play = do(state, "again", dice=[0, 7])  # X, disordered, strikes back with -3
    assert [e.values["added"] for e in play.events if e.key == "event.result"] == ["+0", "-3"]
    assert disordered(play.state, "A")


@rule("M4.crt.9")
def test_the_modifiers_of_a_renewed_attack_are_worked_out_anew() -> None:
    state = combats(battle("A LEGION 0505; B LEGION 0404 ne", "X HI 0504", reserves=True))
    state = do(state, "attack A X B", dice=[5]).state
    terms = Again().terms(state)
    assert {term.clause: term.value for term in terms} == {"M4.matrix": 0, "M4.mod.combo": 4}
    play = do(state, "again", dice=[0])
    (result,) = (event for event in play.events if event.key == "event.result")
    assert result.values["added"] == "+4"
    assert ("MH6.lead", "event.attack_with") in told(play)
    assert engaged(play.state) == {"A-X", "B-X"}


@rule("M4.crt.9")
def test_only_those_take_part_again_that_still_stand_beside_the_defender() -> None:
    rome = "A LEGION 0505; B LEGION 0404 ne; C HI 0604 sw; D LEGION 0703 s"
    state = battle(rome, "X HI 0504 disordered", reserves=True)
    names = [index(state, name) for name in "ABCD"]
    choice = AgainChoice(0, names[0], index(state, "X"), tuple(names[1:]))
    assert choice.still(state) == (names[1],)  # the arm of C may not attack X, D is not adjacent
    play = do(at(state, choice), "again", dice=[0])
    (stroke,) = (event for event in play.events if event.key == "event.attack_with")
    assert stroke.values["support"] == ("B",)


@rule("M4.crt.9")
@pytest.mark.parametrize("lead", ["LI 0505 n", "LEGION 0506 n"])
def test_there_is_no_renewed_attack_if_the_lead_cannot(lead: str) -> None:
    state = battle(f"A {lead}; B LEGION 0404 ne", "X HI 0504 disordered", reserves=True)
    choice = AgainChoice(0, index(state, "A"), index(state, "X"), (index(state, "B"),))
    assert choice.is_moot(state)


@rule("M4.crt.9", "M3.retreat.1")
def test_a_defender_under_move_may_fall_back_from_a_renewed_attack() -> None:
    state = combats(battle("A LEGION 0505", "X HI 0504", orders="white=move", reserves=True))
    state = run(state, "attack A X", "stand-fast", dice=[9])
    assert isinstance(decision(state), AgainChoice)
    state = run(state, "again")
    assert isinstance(decision(state), Fallback)
    after = run(state, "retreat 0403", "face s", "face n", dice=[7])
    assert place(after, "X") == "0403"
    assert place(after, "A") == "0504"
    assert over(after)


@rule("M4.crt.9")
def test_only_its_own_answers_are_taken() -> None:
    state = do(duel(0), "attack A X", dice=[9]).state
    assert refusals(state, "attack A X") == ["M4.crt.9"]
    assert refusals(state, "stand-fast") == ["M4.crt.9"]


# --- engagement ----------------------------------------------------------------------------------


@rule("M4.crt.4_5", "MH6.lead")
def test_an_engagement_ties_every_attacker_to_the_defender() -> None:
    state = combats(battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504; Y HI 0404"))
    after = do(state, "attack A X B", dice=[4]).state
    assert engaged(after) == {"A-X", "B-X"}


@rule("M4.crt.4_5")
def test_it_is_not_counted_twice() -> None:
    state = combats(battle("A LEGION 0505", "X HI 0504", engaged="A-X"))
    after = do(state, "attack A X", dice=[4]).state
    assert after.links == [(index(state, "A"), index(state, "X"))]


@rule("M4.crt.4_5")
@pytest.mark.parametrize("dice", [[0, 6], [2], [3, 9], [6, 9], [8]])
def test_an_engagement_outlasts_other_results(dice: list[int]) -> None:
    state = battle("A LEGION 0505", "X HI 0504; Y HI 0404", engaged="A-X", reserves=True)
    assert engaged(do(combats(state), "attack A X", dice=dice).state) == {"A-X"}


@rule("M4.crt.4_5")
@pytest.mark.parametrize("dice", [[2], [3, 0], [3, 9], [6, 0], [6, 9], [8], [9], [1, 9]])
def test_with_the_option_any_other_result_lifts_it(dice: list[int]) -> None:
    rome, carthage = "A LEGION 0505 n; B LEGION 0405 n; C LEGION 0604 n", "X HI 0504; Y HI 0603"
    links = "A-X B-X C-Y"
    state = battle(rome, carthage, engaged=links, reserves=True, lifted=True)
    assert engaged(do(combats(state), "attack A X", dice=dice).state) == {"B-X", "C-Y"}
    plain = battle(rome, carthage, engaged=links, reserves=True)
    kept = {"B-X", "C-Y"} if dice == [1, 9] else {"A-X", "B-X", "C-Y"}  # A is dead then
    assert engaged(do(combats(plain), "attack A X", dice=dice).state) == kept


@rule("M4.crt.4_5")
def test_with_the_option_all_who_join_in_are_released() -> None:
    state = battle(
        "A LEGION 0505 n; B LEGION 0405 n", "X HI 0504", engaged="A-X B-X", reserves=True, lifted=True
    )
    assert engaged(do(combats(state), "attack A X B", dice=[8]).state) == set()
    assert engaged(do(combats(state), "attack A X B", dice=[5]).state) == {"A-X", "B-X"}


@rule("M4.crt.4_5", "M4.disorder")
def test_an_engagement_ends_with_one_of_both() -> None:
    state = battle(
        "A LEGION 0505 n; B LEGION 0405 n",
        "X HI 0504 disordered; Y HI 0404",
        engaged="A-X B-X B-Y",
        reserves=True,
    )
    assert engaged(do(combats(state), "attack A X", dice=[8]).state) == {"B-Y"}


@rule("M4.crt.4_5", "M4.advance")
def test_it_ends_when_the_one_advances_away_from_the_other() -> None:
    """A leaves 0505 for 0504: Y in 0604 is still next to it, Z in 0606 is not."""
    state = battle(
        "A LEGION 0505 n",
        "X HI 0504 disordered; Y HI 0604; Z HI 0606",
        engaged="A-X A-Y A-Z",
        reserves=True,
    )
    after = do(combats(state), "attack A X", dice=[8]).state
    assert place(after, "A") == "0504"
    assert engaged(after) == {"A-Y"}


# --- the lead ------------------------------------------------------------------------------------


@rule("MH6.lead", "M4.crt.1", "M4.crt.2", "M4.crt.3")
@pytest.mark.parametrize("dice", [[0, 6], [2], [3, 9]])
@pytest.mark.parametrize(("lead", "other"), [("A", "B"), ("B", "A")])
def test_the_lead_alone_suffers(lead: str, other: str, dice: list[int]) -> None:
    state = combats(battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504; Y HI 0503", reserves=True))
    play = do(state, f"attack {lead} X {other}", dice=dice)
    assert disordered(play.state, lead)
    assert not disordered(play.state, other)
    assert play.events[0].values == {"lead": lead, "target": "X", "support": (other,)}


@rule("MH6.lead", "M4.crt.3")
@pytest.mark.parametrize(("test", "fails"), [(3, False), (4, True)])
def test_the_morale_is_that_of_the_lead(test: int, fails: bool) -> None:
    rome = "A LEGION 0505 n morale=3; B LEGION 0405 n morale=9"
    state = combats(battle(rome, "X HI 0504", reserves=True))
    after = do(state, "attack A X B", dice=[3, test]).state
    assert disordered(after, "A") == fails


@rule("MH6.lead", "M4.crt.1", "M4.mod.combo")
def test_the_defender_strikes_back_alone_at_the_lead_alone() -> None:
    """Y stands behind A, but does not make a second angle of it."""
    state = battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504; Y HI 0506 n", reserves=True)
    play = do(combats(state), "attack A X B", dice=[0, 6])
    counter = [event for event in play.events if event.key.startswith("event.attack")][1]
    assert (counter.clause, counter.key) == ("MH5.one_combat", "event.attack")
    assert counter.values == {"lead": "X", "target": "A"}
    assert [e.values["added"] for e in play.events if e.key == "event.result"][1] == "-1"
    assert engaged(play.state) == {"A-X"}


@rule("MH6.lead", "M4.advance")
@pytest.mark.parametrize(("lead", "other"), [("A", "B"), ("B", "A")])
def test_the_lead_advances(lead: str, other: str) -> None:
    state = battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504 disordered", reserves=True)
    state = combats(state)
    after = do(state, f"attack {lead} X {other}", dice=[8]).state
    assert place(after, lead) == "0504"
    assert place(after, other) == place(state, other)
    assert over(run(after, "face n"))


# --- the advance ---------------------------------------------------------------------------------


@rule("M4.advance")
@pytest.mark.parametrize("order", ["attack", "stand", "move", "move-to-attack", "reform"])
def test_no_order_and_no_engagement_excuses_from_the_advance(order: str) -> None:
    state = battle(
        "A LEGION 0505 n",
        "X HI 0504 disordered; Y HI 0506 n",
        orders=f"red={order}",
        engaged="A-X A-Y",
        reserves=True,
    )
    after = do(combats(state), "attack A X", dice=[9]).state
    assert place(after, "A") == "0504"
    assert legal_lines(after) == [f"face {corner}" for corner in ("ne", "se", "s", "sw", "nw", "n")]
    assert over(run(after, "face n"))


@rule("M4.advance")
@pytest.mark.parametrize("arm", ["CAV", "LEGION"])
def test_no_arm_is_excused_and_terrain_costs_nothing(arm: str) -> None:
    """A forest uphill beyond a river would cost more than all its points."""
    more = {
        "forests": "0504",
        "hills": "0504=3",
        "rivers": "0504-0505",
        "orders": "white=reform red=move-to-attack",
    }
    state = battle(f"A {arm} 0505 n move=1", "X HI 0504 disordered", reserves=True, **more)
    after = do(combats(state), "attack A X", dice=[9]).state  # at least -1 + 2 + 1 - 3
    assert place(after, "X") == "gone"
    assert place(after, "A") == "0504"


@rule("M4.advance")
def test_the_elephant_advances_as_well() -> None:
    state = battle("X LEGION 0505 disordered", "A EL 0504", active="carthage", reserves=True)
    assert place(do(combats(state), "attack A X", dice=[9]).state, "A") == "0505"


@rule("M4.advance")
@pytest.mark.parametrize("dice", [[2], [3, 9], [4], [6, 9], [8], [9]])
def test_nobody_advances_while_the_defender_is_there(dice: list[int]) -> None:
    after = do(duel(0), "attack A X", dice=dice).state
    assert (place(after, "A"), place(after, "X")) == ("0505", "0504")


# --- exact odds ----------------------------------------------------------------------------------


def tenths(n: int) -> Fraction:
    return Fraction(n, 10)


@rule("M4.roll", "M4.crt")
def test_the_odds_of_a_stroke_into_the_rear() -> None:
    """+3 and no counter-attack: 0 tests A, 1-2 engage, 3-4 test X, 5 disorders it, 6-9 and once more."""
    state = combats(battle("A LEGION 0505 n", "X HI 0504 n", reserves=True))
    table = odds(METAURUS, state, state.decision.candidates(state)[0])
    assert table.exact
    fails = tenths(2)  # of both, with a morale of 7
    assert table.columns["own_disordered"] == {0: 1 - tenths(1) * fails, 1: tenths(1) * fails}
    assert table.columns["engaged"] == {0: tenths(8), 1: tenths(2)}
    hurt = tenths(2) * fails + tenths(5)
    assert hurt == Fraction(27, 50)
    assert table.columns["foes_disordered"] == {0: 1 - hurt, 1: hurt}
    assert table.columns["again"] == {0: tenths(6), 1: tenths(4)}
    assert table.columns["own_lost"] == table.columns["foes_lost"] == {0: 1}


@rule("M4.roll", "M4.crt")
def test_the_odds_of_riding_down_light_infantry() -> None:
    """+4 against morale 5, which is disordered already: 0-1 engage, 2-3 test it, 4-9 break it."""
    state = combats(battle("A LEGION 0505 n", "X LI 0504 s disordered", reserves=True))
    table = odds(METAURUS, state, state.decision.candidates(state)[0])
    lost = tenths(2) * tenths(4) + tenths(6)
    assert lost == Fraction(17, 25)
    assert table.columns["foes_lost"] == {0: 1 - lost, 1: lost}
    assert table.columns["engaged"] == {0: tenths(8), 1: tenths(2)}
    assert table.columns["again"] == {0: 1}
    assert table.columns["own_disordered"] == {0: 1}


@rule("M4.roll", "M4.crt", "M4.crt.1")
def test_the_odds_of_a_frontal_attack_with_all_its_counter_attacks() -> None:
    """LEGION against HI, both of morale 7.

    0-1 (2/10): A is disordered and X strikes back with -1:
        0-2 (3/10): X is disordered and A strikes back with -2:
            0-4 (5/10): A is lost; 5 (1/10): it is lost if it fails (2/10); 6-7 (2/10): engaged;
            8-9 (2/10): X is lost if it fails (2/10)
        3 (1/10): X is disordered; 4 (1/10): if it fails; 5-6 (2/10): engaged;
        7-8 (2/10): A is lost if it fails; 9 (1/10): A is lost
    2: A is disordered; 3: if it fails; 4-5: engaged; 6-7: X is disordered if it fails; 8: X is; 9: and again
    """
    state = combats(battle("A LEGION 0505 n", "X HI 0504 s", reserves=True))
    table = odds(METAURUS, state, state.decision.candidates(state)[0])
    assert table.exact

    def one(column: str) -> Fraction:
        assert set(table.columns[column]) <= {0, 1}
        return table.columns[column].get(1, Fraction(0))

    own_lost = tenths(2) * (
        tenths(3) * (tenths(5) + tenths(1) * tenths(2)) + tenths(2) * tenths(2) + tenths(1)
    )
    assert own_lost == Fraction(37, 625)
    assert one("own_lost") == Fraction(37, 625)
    assert one("foes_lost") == tenths(2) * tenths(3) * tenths(2) * tenths(2) == Fraction(3, 1250)
    assert one("engaged") == tenths(2) * (tenths(3) * tenths(2) + tenths(2)) + tenths(2) == Fraction(63, 250)
    assert one("own_disordered") == Fraction(163, 625)
    assert one("foes_disordered") == Fraction(201, 625)
    assert one("again") == Fraction(1, 10)
    assert sum(p for _, p in table.joint) == 1
