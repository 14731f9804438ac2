"""Retreat before combat (M3.retreat): who may, where to (MH7.zones), and the roll that follows.

A in 0505 attacks X in 0504.  Farther from A are 0403, 0503 and 0404, and again farther 0402, 0502, 0602, 0303
and 0304.
"""

from __future__ import annotations

import pytest

from legatus.games.metaurus.combat import Combats
from legatus.games.metaurus.facing import Turning
from legatus.games.metaurus.retreat import Fallback, Retreat
from legatus.games.metaurus.state import ATTACKED, MetaurusState
from legatus.kernel import why_not
from tests.rules import rule

from .stage import (
    NUMBER,
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
    refused,
    run,
    told,
)

WAYS = {
    "0503": ("0602", "0502"),
    "0404": ("0304", "0303"),
    "0403": ("0502", "0303", "0402"),
}


def attacked(
    rome: str = "", carthage: str = "", x: str = "X HI 0504", order: str = "move", **more
) -> MetaurusState:
    """A attacks X, whose group is under Move; nobody has rolled yet."""
    state = battle(
        f"A LEGION 0505 n; {rome}", f"{x}; {carthage}", orders=f"white={order}", reserves=True, **more
    )
    return do(combats(state), "attack A X").state


def reasons(state: MetaurusState, line: str) -> list[tuple[str, str]]:
    return [(refusal.clause, refusal.key.removeprefix("refusal.")) for refusal in refused(state, line)]


def ways(state: MetaurusState) -> set[str]:
    return {line.removeprefix("retreat ") for line in legal_lines(state) if line.startswith("retreat ")}


# --- who -----------------------------------------------------------------------------------------


@rule("M3.retreat.1", "M2.move.4")
def test_a_unit_under_move_is_asked_before_the_die_falls() -> None:
    state = battle("A LEGION 0505", "X HI 0504", orders="white=move")
    play = do(combats(state), "attack A X")  # no dice
    assert isinstance(decision(play.state), Fallback)
    assert decision(play.state).seat == 1
    assert ("M2.reveal", "event.reveals") in told(play)
    assert play.state.shown[NUMBER["white"]] == 1


@rule("M3.retreat.1")
@pytest.mark.parametrize("order", ["attack", "stand", "move-to-attack", "reform"])
def test_no_other_order_allows_it(order: str) -> None:
    state = battle("A LEGION 0505", "X HI 0504", orders=f"white={order} yellow=move red=attack")
    play = do(combats(state), "attack A X", dice=[{"stand": 5, "reform": 2}.get(order, 4)])
    assert engaged(play.state) == {"A-X"}


@rule("M3.retreat.1", "M2.independent")
@pytest.mark.parametrize(("colour", "own", "may"), [("stand", "move", True), ("move", "stand", False)])
def test_it_is_the_order_of_the_horse_that_counts_for_horse(colour: str, own: str, may: bool) -> None:
    state = combats(battle("A CAV 0505", "X CAV 0504", orders=f"white={colour} punic-horse={own}"))
    after = do(state, "attack A X", dice=[] if may else [5]).state
    assert isinstance(decision(after), Fallback) == may


@rule("M3.retreat.1")
def test_it_may_stand_fast_and_fight() -> None:
    play = do(attacked(), "stand-fast", dice=[4])
    (result,) = (event for event in play.events if event.key == "event.result")
    assert (result.values["face"], result.values["added"], result.values["result"]) == (4, "+1", 5)
    assert engaged(play.state) == {"A-X"}
    assert over(play.state)


@rule("M3.retreat.1")
@pytest.mark.parametrize("marks", ["", "disordered"])
def test_engaged_and_disordered_units_may_fall_back_too(marks: str) -> None:
    state = attacked(x=f"X HI 0504 {marks}", engaged="A-X")
    assert isinstance(decision(state), Fallback)
    after = run(state, "retreat 0403", "face s", "face n", dice=[7])
    assert place(after, "X") == "0403"
    assert engaged(after) == set()  # though A stands next to it again
    assert place(after, "A") == "0504"
    assert disordered(after, "X") == bool(marks)


@rule("M3.retreat.1", "MH5.one_combat")
def test_who_is_attacked_in_another_combat_may_fall_back_then() -> None:
    rome = "B LEGION 0405 n"
    state = run(attacked(rome), "stand-fast", dice=[4])
    state = run(state, "attack B X")
    assert isinstance(decision(state), Fallback)
    assert decision(state).lead == index(state, "B")


# --- where to ------------------------------------------------------------------------------------


@rule("M3.retreat.2", "MH7.zones")
def test_one_hex_or_two_each_farther_from_the_lead() -> None:
    expected = {*WAYS, *(f"{one}>{two}" for one, twos in WAYS.items() for two in twos)}
    state = attacked()
    assert ways(state) == expected
    assert len(legal_lines(state)) == len(expected) + 1
    assert "stand-fast" in legal_lines(state)


@rule("M3.retreat.2")
@pytest.mark.parametrize("path", [(), ("0403", "0402", "0401")])
def test_neither_none_nor_three(path: tuple[str, ...]) -> None:
    (refusal,) = why_not(attacked(), Retreat(path))
    assert (refusal.clause, refusal.key) == ("M3.retreat.2", "refusal.one_or_two")


@rule("MH7.zones")
@pytest.mark.parametrize(
    "path", ["0403>0503", "0403>0404", "0503>0603", "0404>0305", "0402", "0504", "0403>0401"]
)
def test_a_hex_that_is_not_one_step_farther_is_refused(path: str) -> None:
    state = attacked()
    reason = ("MH7.zones", "not_back")
    got = reasons(state, f"retreat {path}")
    assert got[0] == reason
    if path != "0504":  # where it stands itself
        assert got == [reason]


@rule("MH7.zones")
@pytest.mark.parametrize("path", ["0604", "0405", "0505"])
def test_nor_does_it_pass_by_the_attacker(path: str) -> None:
    """0604 and 0405 are next to both."""
    got = reasons(attacked(), f"retreat {path}")
    assert ("MH7.zones", "not_back") in got
    assert {clause for clause, _ in got} == {"MH7.zones"}


@rule("MH7.zones", "MH1.map")
@pytest.mark.parametrize("path", ["nowhere", "9999", "0403>nowhere", "south"])
def test_a_hex_that_does_not_exist_is_refused(path: str) -> None:
    assert reasons(attacked(), f"retreat {path}") == [("MH1.map", "no_such_hex")]


@rule("MH7.zones")
def test_an_occupied_hex_is_refused_be_it_a_friends() -> None:
    state = attacked(carthage="Y HI 0403")
    assert reasons(state, "retreat 0403") == [("MH7.zones", "hex_taken")]
    assert reasons(state, "retreat 0403>0402") == [("MH7.zones", "hex_taken")]
    assert not any("0403" in way for way in ways(state))
    state = attacked(carthage="Y HI 0402")
    assert reasons(state, "retreat 0403>0402") == [("MH7.zones", "hex_taken")]
    assert "0403" in ways(state)


@rule("MH7.zones")
def test_a_hex_next_to_any_enemy_is_refused() -> None:
    """B in 0301 is next to 0302, 0402 and 0401, so 0402 is closed and 0403 is not."""
    state = attacked(rome="B LEGION 0301")
    assert reasons(state, "retreat 0403>0402") == [("MH7.zones", "enemy_there")]
    assert "0403" in ways(state)
    state = attacked(rome="B LEGION 0302")  # next to 0402, 0303 and 0203 (and 0202, 0201, 0301), not to 0403
    assert reasons(state, "retreat 0403>0303") == [("MH7.zones", "enemy_there")]
    assert ways(state) == {"0503", "0503>0602", "0503>0502", "0404", "0404>0304", "0403", "0403>0502"}


@rule("MH7.zones", "MH6.lead")
def test_it_is_the_lead_from_which_it_falls_back() -> None:
    """B in 0404 leads: 0604 is farther from it, but next to A, who joins in."""
    state = battle("A LEGION 0505 n; B LEGION 0404 ne", "X HI 0504", orders="white=move", reserves=True)
    one = do(combats(state), "attack A X B").state
    two = do(combats(state), "attack B X A").state
    assert {way[:4] for way in ways(one)} == {"0503"}  # 0403 and 0404 are next to or under B
    assert {way[:4] for way in ways(two)} == {"0503"}
    assert "0503>0603" in ways(two)
    assert "0503>0603" not in ways(one)  # no farther from A than 0503
    assert decision(two).lead == index(state, "B")


@rule("MH7.zones", "M3.retreat.1")
@pytest.mark.parametrize(
    "others",
    [
        {"carthage": "P HI 0503; Q HI 0404; R HI 0403"},
        {"rome": "B LEGION 0402 n; C LEGION 0304 n; D LEGION 0603 s"},
    ],
)
def test_without_such_a_hex_there_is_no_retreat(others: dict[str, str]) -> None:
    state = battle(
        f"A LEGION 0505 n; {others.get('rome', '')}",
        f"X HI 0504; {others.get('carthage', '')}",
        orders="white=move",
    )
    after = do(combats(state), "attack A X", dice=[4]).state  # nobody is asked
    assert engaged(after) == {"A-X"}


@rule("MH7.zones", "MH8.exit")
def test_nobody_falls_back_off_the_map() -> None:
    state = battle("A LEGION 0510 s", "X HI 0511 n", orders="white=move", reserves=True)
    state = do(combats(state), "attack A X").state
    assert ways(state) <= {"0411", "0411>0311", "0611", "0611>0711"}
    state = battle("A LEGION 0111 nw", "X HI 0011 ne", orders="white=move", reserves=True)
    state = do(combats(state), "attack A X").state  # in the corner
    assert ways(state) == {"0010"}


@rule("M3.retreat.2")
def test_terrain_costs_are_ignored() -> None:
    ground = {"forests": "0403 0402", "hills": "0403=3 0402=6", "rivers": "0504-0403 0403-0402"}
    state = attacked(x="X HI 0504 move=1", **ground)
    assert "0403>0402" in ways(state)
    assert place(run(state, "retreat 0403>0402", "face s", "face n", dice=[0]), "X") == "0402"


# --- what follows --------------------------------------------------------------------------------


@rule("M3.retreat.2", "M3.facing.2", "M4.advance", "M3.retreat.3")
def test_it_takes_any_facing_rolls_and_the_lead_takes_its_hex() -> None:
    state = run(attacked(), "retreat 0403")
    assert isinstance(decision(state), Turning)
    assert (decision(state).seat, decision(state).unit) == (1, index(state, "X"))
    play = do(state, "face ne", dice=[7])
    assert ("M3.retreat.6", "event.retreat_holds") in told(play)
    assert ("M4.advance", "event.advances") in told(play)
    assert isinstance(decision(play.state), Turning)
    assert (decision(play.state).seat, decision(play.state).unit) == (0, index(state, "A"))
    after = run(play.state, "face se")
    assert (facing(after, "X"), facing(after, "A")) == ("ne", "se")
    assert (place(after, "X"), place(after, "A")) == ("0403", "0504")
    assert over(after)


@rule("M3.retreat.2", "M4.advance")
def test_the_lead_takes_the_hex_that_was_left_and_not_the_one_between() -> None:
    assert place(run(attacked(), "retreat 0403>0402", "face s", "face n", dice=[0]), "A") == "0504"


@rule("M3.retreat.2", "MH5.one_combat")
def test_the_attack_does_not_take_place_and_is_used_up() -> None:
    """B, who joins in, and A have attacked; C is still to attack Y."""
    state = battle(
        "A LEGION 0505 n; B LEGION 0405 n; C LEGION 0805 n",
        "X HI 0504; Y HI 0804",
        orders="white=move",
        reserves=True,
    )
    after = run(combats(state), "attack A X B", "retreat 0403>0402", "face s", "face n", dice=[0])
    assert isinstance(decision(after), Combats)
    assert legal_lines(after) == ["attack C Y"]
    assert [bool(after.flags[index(after, name)] & ATTACKED) for name in "ABC"] == [True, True, False]
    assert engaged(after) == set()
    assert not any(disordered(after, name) for name in "ABX")


@rule("M3.retreat.2", "MH6.lead", "M4.advance")
def test_of_several_attackers_the_lead_advances_after_a_retreat() -> None:
    state = battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504", orders="white=move", reserves=True)
    after = run(combats(state), "attack B X A", "retreat 0503", "face s", "face n", dice=[0])
    assert (place(after, "A"), place(after, "B")) == ("0505", "0504")


@rule("M3.retreat.2", "M4.advance")
@pytest.mark.parametrize("order", ["stand", "move", "reform", "move-to-attack"])
def test_the_lead_advances_whatever_its_order(order: str) -> None:
    state = battle(
        "A LEGION 0505 n", "X HI 0504", orders=f"white=move red={order}", engaged="A-X", reserves=True
    )
    after = run(combats(state), "attack A X", "retreat 0403>0402", "face s", "face n", dice=[0])
    assert place(after, "A") == "0504"


# --- the roll ------------------------------------------------------------------------------------


@rule("M3.retreat.3", "M3.retreat.4", "M3.retreat.5", "M3.retreat.6", "M3.retreat.7", "M0.counters.1")
@pytest.mark.parametrize("face", range(10))
@pytest.mark.parametrize("path", ["0403", "0403>0402"])
@pytest.mark.parametrize("arm", ["HI", "MI", "LI", "CAV", "EL"])
def test_the_roll_against_morale(arm: str, path: str, face: int) -> None:
    """One more after two hexes, but not for cavalry."""
    state = attacked(x=f"X {arm} 0504 morale=5 group=white")
    extra = 1 if ">" in path and arm != "CAV" else 0
    fails = face + extra > 5
    play = do(run(state, f"retreat {path}"), "face s", dice=[face])
    assert disordered(play.state, "X") == fails
    assert place(play.state, "X") == path[-4:]
    clause = ("M3.retreat.7", "event.retreat_fails") if fails else ("M3.retreat.6", "event.retreat_holds")
    assert clause in told(play)
    event = next(event for event in play.events if event.clause == clause[0])
    assert event.dice == (face,)
    assert (("M3.retreat.7", "event.disordered") in told(play)) == fails


@rule("M3.retreat.4", "M3.retreat.6")
@pytest.mark.parametrize(("morale", "face", "fails"), [(9, 9, True), (9, 8, False), (0, 0, True)])
def test_the_ends_of_the_die(morale: int, face: int, fails: bool) -> None:
    after = run(attacked(x=f"X HI 0504 morale={morale}"), "retreat 0403>0402", "face s", dice=[face])
    assert disordered(after, "X") == fails


@rule("M3.retreat.8", "M4.disorder", "M5.roman.ex3")
@pytest.mark.parametrize(("face", "where"), [(7, "0403"), (8, "gone")])
def test_a_disordered_unit_that_fails_is_removed_and_scores(face: int, where: str) -> None:
    state = attacked(x="X HI 0504 disordered")
    play = do(run(state, "retreat 0403"), "face s", dice=[face])
    assert place(play.state, "X") == where
    assert play.state.killed == [int(where == "gone"), 0]
    assert (("M4.disorder", "event.breaks") in told(play)) == (where == "gone")
    assert place(play.state, "A") == "0504"  # it advances into the hex that X has left


@rule("M3.retreat.8", "M3.retreat.7")
def test_a_roman_that_fails_scores_for_carthage() -> None:
    armies = ("X LEGION 0505 n disordered", "A HI 0504")
    state = battle(*armies, orders="red=move", active="carthage", reserves=True)
    state = run(combats(state), "attack A X", "retreat 0506", "face n", dice=[8])
    assert place(state, "X") == "gone"
    assert state.killed == [0, 1]
