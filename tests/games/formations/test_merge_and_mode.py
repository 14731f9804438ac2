"""5 Merge, 6 Change the mode of a formation."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.state import FormationsState
from legatus.kernel import parse_action
from legatus.parts.hexes import CORNERS
from tests.rules import rule

from .stage import (
    acting,
    battle,
    do,
    facing,
    index,
    legal_lines,
    marks,
    mode,
    pile,
    place,
    refusals,
    steps,
    terms,
    told,
    totals,
    units,
    wing,
)

LEVELS = {"fresh": 0, "winded": 1, "exhausted": 2, "full": 0, "diminished": 1, "spent": 2}


def one(words: str, foes: str = "", **more: Any) -> FormationsState:
    """The wing of the boar acts."""
    return acting(battle(words, foes, **more))


# --- 5 merge -------------------------------------------------------------------------------------


def pair(a: str = "", b: str = "", foes: str = "", also: str = "", **more: Any) -> FormationsState:
    """Two that can merge but for what is told of them: A and B, of one step each, in 0505."""
    words = f"A spear 0505 steps=1 ordered {a}; B spear 0505 steps=1 ordered {b}"
    return one(f"{words}; {also}", foes, **more)


@rule("A.merge.c1", "A.merge.c2", "A.merge.c3")
def test_two_weak_troops_of_a_type_can_merge() -> None:
    assert refusals(pair(), "merge A B") == []
    assert refusals(pair(), "merge B A") == []
    assert refusals(pair("winded spent", "diminished"), "merge A B") == []


@rule("A.merge.c1", "A.def.type_wing", "A.def.size", "A.def.stacked")
@pytest.mark.parametrize(
    "words",
    [
        "A spear 0505 steps=1 ordered; B guard 0505 steps=1 ordered",  # another type
        "A forester 0505 steps=1 ordered; B forester 0505 steps=1 ordered",  # small
        "A spear 0505 steps=1 ordered; B spear 0605 steps=1 ordered",  # in two hexes
    ],
)
def test_they_must_be_large_simple_troops_of_one_type_in_one_stack(words: str) -> None:
    assert refusals(one(words), "merge A B") == ["A.merge.c1"]


@rule("A.merge.c1", "A.def.kinds")
def test_formations_and_characters_do_not_merge() -> None:
    """They have other numbers of steps as well, and characters neither type in common nor orders."""
    words = "A spear 0505+0605 steps=3 ordered; B spear 0505 steps=1 ordered; L leader 0505"
    assert refusals(one(words), "merge A B") == ["A.merge.c1", "A.merge.c3"]
    assert refusals(one(words), "merge B A") == ["A.merge.c1", "A.merge.c3"]
    assert "A.merge.c1" in refusals(one(words), "merge B L")


@rule("A.merge.c1", "A.merge.c2")
@pytest.mark.parametrize("partner", ["A", "X", "nobody", "G"])
def test_merging_takes_a_second_troop_of_ones_own(partner: str) -> None:
    """Without a second troop there is nobody of the same type nor of the same facing: both fail together."""
    state = pair(foes="X spear 1111 steps=1", also="G spear 0505 steps=1 ordered gone")
    assert refusals(state, f"merge A {partner}") == ["A.merge.c1", "A.merge.c2"]


@rule("A.merge.c2", "A.def.orientation")
@pytest.mark.parametrize("corner", CORNERS)
def test_they_must_face_the_same_way(corner: str) -> None:
    clauses = [] if corner == "se" else ["A.merge.c2"]
    assert refusals(pair("se", corner), "merge A B") == clauses


@rule("A.merge.c3", "A.def.steps")
@pytest.mark.parametrize(("a", "b"), [(2, 1), (1, 2), (2, 2)])
def test_neither_may_have_more_than_one_step(a: int, b: int) -> None:
    state = one(f"A spear 0505 steps={a} ordered; B spear 0505 steps={b} ordered")
    assert refusals(state, "merge A B") == ["A.merge.c3"]


@rule("A.merge.c4", "A.def.engaged")
@pytest.mark.parametrize(
    ("foes", "clauses"),
    [
        ("X orc 0504", ["A.merge.c4"]),
        ("X orc 0504 n", ["A.merge.c4"]),
        ("X orc 0506 rout", ["A.merge.c4"]),
        ("X orc 0605+0705", ["A.merge.c4"]),
        ("X leader 0504", ["A.merge.c4"]),  # only Join excepts characters
        ("Y chief 0506", ["A.merge.c4"]),
        ("X leader 0503; Y chief 0507", []),
        ("X orc 0503", []),
    ],
)
def test_no_enemy_may_be_adjacent_to_those_who_merge(foes: str, clauses: list[str]) -> None:
    assert refusals(pair(foes=foes), "merge A B") == clauses


@rule("A.merge.c1", "A.constitute.c1")
def test_a_pair_is_offered_once_and_said_in_either_order() -> None:
    state = one("A spear 0505 steps=1 ordered; B spear 0505 steps=1 ordered; C spear 0605 ordered")
    lines = [line for line in legal_lines(state) if line.split()[0] in ("merge", "constitute")]
    assert lines == ["merge A B", "constitute A C", "constitute B C"]
    for line, mirrored in (("merge A B", "merge B A"), ("constitute A C", "constitute C A")):
        assert parse_action(FORMATIONS, line) == parse_action(FORMATIONS, mirrored)
        assert do(state, line).state == do(state, mirrored).state


@rule("A.merge.c5", "A.def.cohesion", "A.def.fatigue")
@pytest.mark.parametrize(
    ("a", "b"),
    [("shaken", ""), ("", "shaken"), ("exhausted", ""), ("", "exhausted"), ("", "rout"), ("shaken", "rout")],
)
def test_who_is_shaken_or_exhausted_cannot_merge(a: str, b: str) -> None:
    assert refusals(pair(a, b), "merge A B") == ["A.merge.c5"]


@rule("A.merge.c5", "AH16.rout")
def test_who_is_in_rout_cannot_merge() -> None:
    """In Rout is worse than Shaken, and forbids the action by itself too."""
    assert refusals(pair("rout"), "merge A B") == ["AH16.rout", "A.merge.c5"]


@rule("A.merge.c6", "A.def.instruction", "A.def.special_order", "AH6.instructions")
@pytest.mark.parametrize(
    ("a", "b", "leader", "word", "clauses"),
    [
        ("", "", "0509", "regroup", []),
        ("ordered", "", "0509", "regroup", []),
        ("ordered", "ordered", "0510", "advance", []),
        ("", "", "0510", "regroup", ["A.merge.c6"]),
        ("ordered", "", "0510", "regroup", ["A.merge.c6"]),
        ("", "ordered", "0510", "regroup", ["A.merge.c6"]),
        ("", "moved", "0509", "regroup", ["A.merge.c6"]),
        ("", "", "0509", "hold", ["A.merge.c6"]),
        ("", "", "0509", "advance", ["A.merge.c6"]),
    ],
)
def test_both_must_comply_with_regroup_or_have_an_order(
    a: str, b: str, leader: str, word: str, clauses: list[str]
) -> None:
    words = f"A spear 0505 steps=1 {a}; B spear 0505 steps=1 {b}; L leader {leader}"
    assert refusals(one(words, instructions=f"boar={word}"), "merge A B") == clauses


@rule("A.merge.c6", "A.merge.c2")
def test_one_may_comply_and_the_other_have_an_order() -> None:
    words = "A spear 0505 steps=1; B spear 0505 steps=1 ordered wing=heron; L leader 0509"
    assert refusals(one(words, instructions="boar=regroup"), "merge A B") == []


@rule("A.merge.c7", "A.def.activated")
@pytest.mark.parametrize(
    ("b", "also", "clauses"),
    [
        ("activated", "", ["A.merge.c7"]),
        ("", "C archer 0505 steps=1 activated", ["A.merge.c7"]),
        ("", "C guard 0505+0605 steps=4 activated", ["A.merge.c7"]),
        ("", "C guard 0405+0505 steps=4 activated", ["A.merge.c7"]),
        ("", "C archer 0605 activated; L leader 0505 activated", []),
    ],
)
def test_no_troop_of_the_hex_may_be_activated(b: str, also: str, clauses: list[str]) -> None:
    assert refusals(pair("", b, also=also), "merge A B") == clauses


@rule("A.merge.c7", "A.def.activated")
def test_who_is_activated_does_not_merge() -> None:
    """It is a troop of the hex itself: both fail together."""
    assert refusals(pair("activated"), "merge A B") == ["A.def.activated", "A.merge.c7"]


@rule("A.merge.c1", "A.merge.c2", "A.merge.c3", "A.merge.c4", "A.merge.c5", "A.merge.c6", "A.merge.c7")
def test_merge_tells_every_condition_that_fails() -> None:
    state = one("A spear 0505 shaken; B guard 0505 se activated", "X orc 0504")
    assert refusals(state, "merge A B") == [f"A.merge.c{n}" for n in range(1, 8)]
    assert refusals(state, "merge A nobody") == [f"A.merge.c{n}" for n in range(1, 8)]


@rule("A.merge.p1", "A.def.steps", "AH30.new_units")
@pytest.mark.parametrize("corner", CORNERS)
def test_one_troop_of_two_steps_takes_the_place_of_both(corner: str) -> None:
    state = pair(corner, corner, also="C archer 0505 steps=1")
    play = do(state, "merge A B")
    new = units(play.state)[-1]
    assert units(play.state) == ["C", new]
    assert (place(play.state, "A"), place(play.state, "B")) == ("gone", "gone")
    assert (place(play.state, new), steps(play.state, new), facing(play.state, new)) == ("0505", 2, corner)
    i, j = index(play.state, new), index(play.state, "A")
    after = play.state
    assert (after.type[i], after.kind[i], after.side[i]) == (after.type[j], after.kind[j], 0)
    assert pile(after, "0505") == [new, "C"]
    assert told(play) == [("A.merge.p1", "event.merges")]


@rule("A.merge.p1", "A.rest.p3", "AH30.new_units")
def test_two_steps_count_as_what_it_had_at_first() -> None:
    after = do(pair(), "merge A B").state
    assert after.full[index(after, units(after)[-1])] == 2


@rule("A.merge.p2", "A.def.fatigue", "A.def.ammunition")
@pytest.mark.parametrize(("a", "b"), list(product(("fresh", "winded"), repeat=2)))
@pytest.mark.parametrize(("c", "d"), list(product(("full", "diminished", "spent"), repeat=2)))
def test_the_worse_fatigue_and_the_worse_ammunition_carry_over(a: str, b: str, c: str, d: str) -> None:
    after = do(pair(f"{a} {c}", f"{b} {d}"), "merge A B").state
    worse = {max(a, b, key=LEVELS.__getitem__), max(c, d, key=LEVELS.__getitem__)} - {"fresh", "full"}
    assert marks(after, units(after)[-1]) == {*worse, "activated"}


@rule("A.merge.p3", "A.def.activated")
def test_the_new_troop_is_activated() -> None:
    state = pair(also="C spear 1111")
    state = do(state, "merge A B").state
    new = units(state)[-1]
    assert "activated" in marks(state, new)
    assert "A.def.activated" in refusals(state, f"rest {new}")


@rule("A.merge.c2", "AH30.new_units")
def test_the_owner_chooses_between_two_wings() -> None:
    words = "A spear 0505 steps=1 ordered; B spear 0505 steps=1 ordered wing=heron"
    after = do(acting(battle(words), "boar"), "merge A B").state
    assert wing(after, units(after)[-1]) == "boar"
    after = do(acting(battle(words), "heron"), "merge B A").state
    assert wing(after, units(after)[-1]) == "heron"


# --- 6 change mode -------------------------------------------------------------------------------

BEHIND = "X orc 0506 contact"  # adjacent to 0505 from the rear, and faces away
MANOEUVRE = ("march", "tortoise", "rank-rotation", "hedgehog")
ALL = (*MANOEUVRE, "shield-wall")


def line_of(words: str = "", foes: str = "", kind: str = "spear", **more: Any) -> FormationsState:
    """A formation F in 0505 and 0605."""
    return one(f"F {kind} 0505+0605 {words}", foes, **more)


@rule("A.def.modes", "A.def.kinds")
def test_only_formations_have_modes() -> None:
    state = one("A spear 0505; B orc 0605; L leader 0505")
    for line in ("change-mode A tortoise", "change-mode B shield-wall", "change-mode L shield-wall"):
        assert refusals(state, line) == ["A.def.modes"]


@rule("A.mode.c1")
@pytest.mark.parametrize(
    ("words", "clauses"),
    [
        ("", []),
        ("winded spent", []),
        ("shaken", ["A.mode.c1"]),
        ("exhausted", ["A.mode.c1"]),
        ("shaken exhausted", ["A.mode.c1"]),
        ("rout", ["AH16.rout", "A.mode.c1"]),  # in Rout is worse than Shaken: both fail together
    ],
)
def test_a_formation_that_is_shaken_or_exhausted_keeps_its_mode(words: str, clauses: list[str]) -> None:
    assert refusals(line_of(words), "change-mode F tortoise") == clauses


@rule("A.mode.c2", "A.def.contact_charge", "A.def.engaged")
@pytest.mark.parametrize(
    ("foes", "clauses"),
    [
        ("X orc 0504", ["A.mode.c2"]),
        ("X orc 0504 contact", []),
        ("X orc 0504 charged", []),
        ("X orc 0504 n", ["A.mode.c2"]),
        ("X orc 0705 contact", []),
        ("X orc 0705", ["A.mode.c2"]),
        ("X orc 0504 contact; Y orc 0604 charged", []),
        ("X orc 0504 contact; Y orc 0604", ["A.mode.c2"]),
        ("X orc 0504 contact; Y orc 0504", ["A.mode.c2"]),
        ("X orc 0504 rout", ["A.mode.c2"]),
        ("X orc 0504 activated moved fought", ["A.mode.c2"]),
        ("X leader 0504", ["A.mode.c2"]),  # characters never have one (AH9.contact)
        ("X orc 0504 contact; Y leader 0604", ["A.mode.c2"]),
        ("X leader 0503", []),
        ("X orc 0503", []),
    ],
)
def test_adjacent_enemies_must_have_a_contact_or_charge_marker(foes: str, clauses: list[str]) -> None:
    assert refusals(line_of(foes=foes), "change-mode F tortoise") == clauses


@rule("A.mode.p1", "A.def.faculties", "A.def.modes")
@pytest.mark.parametrize("old", MANOEUVRE)
@pytest.mark.parametrize("new", [*ALL, "phalanx"])
def test_modes_with_manoeuvre(old: str, new: str) -> None:
    clauses = [] if new in MANOEUVRE else ["A.mode.p1"]
    if new == old:
        clauses = ["A.mode.p10"]  # it has that marker already
    assert refusals(line_of(f"mode={old}"), f"change-mode F {new}") == clauses


@rule("A.mode.p2", "A.def.faculties", "A.def.modes")
@pytest.mark.parametrize("old", ["march", "shield-wall"])
@pytest.mark.parametrize("new", [*ALL, "phalanx"])
def test_modes_without_manoeuvre(old: str, new: str) -> None:
    clauses = [] if new in ("march", "shield-wall") else ["A.mode.p2"]
    if new == old:
        clauses = ["A.mode.p10"]
    assert refusals(line_of(f"mode={old}", kind="orc"), f"change-mode F {new}") == clauses


@rule("A.mode.c1", "A.mode.c2", "A.mode.p1", "A.mode.p2", "A.def.modes", "A.def.sheet")
def test_changing_the_mode_tells_every_condition_that_fails() -> None:
    state = line_of("shaken", "X orc 0504")
    assert refusals(state, "change-mode F shield-wall") == ["A.mode.c1", "A.mode.c2", "A.mode.p1"]
    state = line_of("exhausted mode=shield-wall", "X orc 0504", kind="orc")
    assert refusals(state, "change-mode F hedgehog") == ["A.mode.c1", "A.mode.c2", "A.mode.p2"]
    assert refusals(state, "change-mode F shield-wall") == ["A.mode.c1", "A.mode.c2", "A.mode.p10"]
    state = one("A spear 0505 shaken", "X orc 0504")
    every = ["A.def.modes", "A.mode.c1", "A.mode.c2", "A.mode.p1"]
    assert refusals(state, "change-mode A shield-wall") == every


@rule("A.mode.p3", "A.mode.p10")
@pytest.mark.parametrize(("old", "new"), [(a, b) for a in MANOEUVRE for b in MANOEUVRE if a != b])
def test_without_an_adjacent_enemy_no_dice_are_thrown(old: str, new: str) -> None:
    state = line_of(f"mode={old} winded", "X orc 0503")
    play = do(state, f"change-mode F {new}")
    assert (mode(play.state, "F"), marks(play.state, "F")) == (new, {"winded", "activated"})
    assert terms(state, f"change-mode F {new}") == []
    assert told(play) == [("A.mode.p10", "event.mode")]


def changed(state: FormationsState) -> bool:
    return mode(state, "F") != "march"


CAPACITIES = [("exceptional", 10), ("superior", 9), ("ordinary", 8), ("mediocre", 7), ("poor", 6)]


@rule("A.mode.p4", "A.mode.p5", "A.mode.p8", "A.def.weapon_capacity", "AH19.capacity_names")
@pytest.mark.parametrize(("capacity", "number"), CAPACITIES)
@pytest.mark.parametrize("foes", [BEHIND, "X orc 0504 n charged", "X orc 0504 rout contact"])
def test_the_organisation_test_by_weapon_capacity(foes: str, capacity: str, number: int) -> None:
    """Who is adjacent without engaging calls for the test and adds nothing."""
    state = line_of(foes=foes, kind="t", types=f"t spear manoeuvre=no capacity={capacity}")
    assert totals(state, "change-mode F shield-wall", changed) == set(range(2, number + 1))
    assert terms(state, "change-mode F shield-wall") == []


@rule("A.mode.p6", "A.mode.p8", "A.def.faculties")
@pytest.mark.parametrize(("capacity", "number"), CAPACITIES)
def test_manoeuvre_takes_2_off(capacity: str, number: int) -> None:
    """With the best capacity even a 6-6 will do: there is no automatic failure."""
    state = line_of(foes=BEHIND, kind="t", types=f"t spear capacity={capacity}")
    assert totals(state, "change-mode F tortoise", changed) == set(range(2, number + 3))
    assert terms(state, "change-mode F tortoise") == [("A.mode.p6", -2)]


@rule("A.mode.p7", "A.def.engaged")
@pytest.mark.parametrize(
    ("foes", "added"),
    [
        ("X orc 0504 contact", 1),
        ("X orc 0604 contact", 1),  # before both its hexes, but one unit
        ("X orc 0504+0604 contact", 1),
        ("X orc 0504 contact; Y orc 0604 contact", 2),
        ("X orc 0504 contact; Y orc 0504 contact", 2),
        ("X orc 0504 contact; Y orc 0604 charged; Z orc 0704 contact", 3),
        ("X orc 0504 contact; Y orc 0506 contact", 1),  # the second one faces away
        ("X orc 0504 contact; Y orc 0604 rout contact", 1),
        ("X orc 0504 contact; Y orc 0604 flying contact", 1),
        ("X orc 0504 contact; Y leader 0603", 1),
        ("X orc 0506 n contact", 1),
    ],
)
def test_every_enemy_that_engages_adds_1(foes: str, added: int) -> None:
    state = line_of(foes=foes, kind="orc")
    assert totals(state, "change-mode F shield-wall", changed) == set(range(2, 8 - added + 1))
    assert terms(state, "change-mode F shield-wall") == [("A.mode.p7", added)]
    state = line_of(foes=foes)
    assert totals(state, "change-mode F hedgehog", changed) == set(range(2, 8 - added + 2 + 1))
    assert terms(state, "change-mode F hedgehog") == [("A.mode.p6", -2), ("A.mode.p7", added)]


@rule("A.mode.p9")
def test_a_double_one_always_succeeds() -> None:
    crowd = "; ".join(f"X{n} orc {'0504' if n % 2 else '0604'} steps=1 contact" for n in range(6))
    state = line_of(foes=crowd, kind="t", types="t spear manoeuvre=no capacity=poor")
    assert terms(state, "change-mode F shield-wall") == [("A.mode.p7", 6)]
    assert totals(state, "change-mode F shield-wall", changed) == {2}


@rule("A.mode.p10", "A.def.modes", "A.def.activated")
def test_the_new_marker_replaces_the_old_one_if_the_test_succeeds() -> None:
    state = line_of("mode=tortoise winded", BEHIND)
    play = do(state, "change-mode F march", [4, 6])
    assert (mode(play.state, "F"), marks(play.state, "F")) == ("march", {"winded", "activated"})
    assert told(play) == [("A.mode.p5", "event.passes"), ("A.mode.p10", "event.mode")]
    play = do(state, "change-mode F march", [5, 6])
    assert (mode(play.state, "F"), marks(play.state, "F")) == ("tortoise", {"winded", "activated"})
    assert told(play) == [("A.mode.p5", "event.fails_test")]
