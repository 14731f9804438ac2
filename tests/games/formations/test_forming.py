"""7 Join and 8 Constitute a formation."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from legatus.games.formations.state import FORMATION, FormationsState
from legatus.games.formations.units import figures, is_weakened
from legatus.parts.hexes import CORNERS, FLANK, angle, grid
from tests.rules import rule

from .stage import (
    acting,
    battle,
    do,
    facing,
    index,
    marks,
    mode,
    pile,
    place,
    refusals,
    steps,
    told,
    units,
    wing,
)

LEVELS = {"fresh": 0, "winded": 1, "full": 0, "diminished": 1, "spent": 2}
NEXT_TO = [  # of the hexes 0505 and 0605
    ("X orc 0504", True),
    ("X orc 0405 n", True),
    ("X orc 0506 rout", True),
    ("X orc 0705", True),
    ("X orc 0706+0806", True),
    ("X leader 0504", True),  # only Join excepts characters
    ("Y chief 0705", True),
    ("X leader 0503; Y chief 0805", False),
    ("X orc 0503; Y orc 0805", False),
]


def one(words: str, foes: str = "", **more: Any) -> FormationsState:
    """The wing of the boar acts."""
    return acting(battle(words, foes, **more))


def worst(*words: str) -> set[str]:
    """The worst of some fatigues, or of some states of ammunition, as marks."""
    return {max(words, key=LEVELS.__getitem__)} - {"fresh", "full"}


# --- figures -------------------------------------------------------------------------------------


@rule("A.def.figures")
@pytest.mark.parametrize(
    ("number", "shown"), [(3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4), (9, 5), (10, 5)]
)
def test_a_figure_for_every_two_steps_and_a_weakened_face_for_odd_ones(number: int, shown: int) -> None:
    state = one(f"F spear 0505+0605 steps={number}")
    assert (figures(number), is_weakened(state, 0)) == (shown, number % 2 == 1)


# --- 7 join --------------------------------------------------------------------------------------


def joining(f: str = "", a: str = "", also: str = "", foes: str = "", **more: Any) -> FormationsState:
    """A formation F of four steps in 0505 and 0605 that A in 0505 can join, but for what is told."""
    words = f"F spear 0505+0605 steps=4 ordered {f}; A spear 0505 ordered {a}"
    return one(f"{words}; {also}", foes, **more)


@rule("A.join.c1", "A.join.c2")
def test_one_or_two_simple_troops_can_join() -> None:
    assert refusals(joining(), "join F") == []
    assert refusals(joining(also="B spear 0605 ordered"), "join F") == []
    assert refusals(joining("winded spent", "winded diminished"), "join F") == []
    state = one(
        "F spear 0505+0605 steps=4 ordered; A spear 0505 steps=1 ordered; B spear 0505 steps=1 ordered"
    )
    assert refusals(state, "join F") == []


@rule("A.join.c8", "A.join.c2")
@pytest.mark.parametrize("foes", ["X orc 0504", "X orc 0504 contact; Y orc 0705 n"])
def test_enemies_do_not_keep_troops_from_joining(foes: str) -> None:
    assert refusals(joining(foes=foes), "join F") == []


@rule("A.join.c1", "A.def.cohesion", "A.def.fatigue")
@pytest.mark.parametrize("words", ["shaken", "exhausted", "shaken exhausted"])
def test_a_formation_that_is_shaken_or_exhausted_takes_nobody_in(words: str) -> None:
    assert refusals(joining(words), "join F") == ["A.join.c1"]


@rule("A.join.c1", "AH16.rout")
def test_nor_does_one_in_rout() -> None:
    """In Rout is worse than Shaken, and forbids the action by itself too."""
    assert refusals(joining("rout"), "join F") == ["AH16.rout", "A.join.c1"]


@rule("A.join.c1", "A.def.kinds")
def test_the_unit_that_acts_is_a_formation() -> None:
    state = one("A spear 0505 ordered; B spear 0505 ordered")
    assert refusals(state, "join A") == ["A.join.c1"]
    assert "A.join.c1" in refusals(one("L leader 0505"), "join L")


@rule("A.join.c2", "A.def.stacked")
@pytest.mark.parametrize(
    "others",
    [
        "",  # nobody
        "A spear 0405 ordered",  # nobody in its hexes
        "L leader 0505; M chief 0605",  # characters do not count
        "A spear 0505 steps=1 ordered; B spear 0505 steps=1 ordered; C spear 0605 steps=1 ordered",
        "G spear 0505+0605 steps=3 ordered",  # a formation
        "G spear 0605+0705 steps=3 ordered",
        "A spear 0505 steps=1 ordered; G spear 0605+0705 steps=3 ordered",
    ],
)
def test_there_must_be_one_or_two_simple_troops_and_nothing_else(others: str) -> None:
    state = one(f"F spear 0505+0605 steps=3 ordered; {others}")
    assert refusals(state, "join F") == ["A.join.c2"]


@rule("A.join.c2")
def test_characters_are_disregarded() -> None:
    state = one(
        "M chief 0605; F spear 0505+0605 steps=4 ordered; L leader 0505 activated; A spear 0505 ordered; "
        "B spear 0605 ordered"
    )
    assert refusals(state, "join F") == []


@rule("A.join.c3", "A.def.type_wing", "A.def.orientation")
@pytest.mark.parametrize("a", ["guard 0505", "spear 0505 wing=heron", "spear 0505 s", "spear 0505 ne"])
@pytest.mark.parametrize("also", ["", "B spear 0605 ordered"])
def test_they_must_be_of_its_type_and_wing_and_face_as_it_does(a: str, also: str) -> None:
    state = one(f"F spear 0505+0605 steps=4 ordered; A {a} ordered; {also}")
    assert refusals(state, "join F") == ["A.join.c3"]


@rule("A.join.c4", "A.def.cohesion", "A.def.fatigue")
@pytest.mark.parametrize("words", ["shaken", "rout", "exhausted"])
def test_they_must_be_fit(words: str) -> None:
    assert refusals(joining(a=words), "join F") == ["A.join.c4"]
    assert refusals(joining(also=f"B spear 0605 ordered {words}"), "join F") == ["A.join.c4"]


@rule("A.join.c4", "A.join.c8", "A.def.activated")
def test_they_must_not_be_activated() -> None:
    """The card asks it twice, of those who join and of all troops of the two hexes: both fail together."""
    assert refusals(joining(a="activated"), "join F") == ["A.join.c4", "A.join.c8"]


@rule("A.join.c8", "A.def.activated")
def test_the_formation_must_not_be_activated() -> None:
    """It is a troop of the two hexes itself: both fail together."""
    assert refusals(joining("activated"), "join F") == ["A.def.activated", "A.join.c8"]


@rule("A.join.c5", "A.def.front_behind")
@pytest.mark.parametrize(
    "words",
    [
        "A spear 0505 ordered; F spear 0505+0605 steps=4 ordered",
        "A spear 0505 ordered; F spear 0505+0605 steps=4 ordered; B spear 0605 ordered",
        "B spear 0605 ordered; F spear 0505+0605 steps=4 ordered; A spear 0505 ordered",
    ],
)
def test_they_must_be_behind_the_formation(words: str) -> None:
    assert refusals(one(words), "join F") == ["A.join.c5"]


@rule("A.join.c6", "A.def.instruction", "A.def.special_order", "AH6.instructions")
@pytest.mark.parametrize(
    ("f", "a", "leader", "word", "clauses"),
    [
        ("", "", "0509", "regroup", []),
        ("ordered", "", "0509", "regroup", []),
        ("", "ordered", "0509", "regroup", []),
        ("ordered", "ordered", "1111", "advance", []),
        ("ordered", "", "1111", "regroup", ["A.join.c6"]),
        ("", "ordered", "1111", "regroup", ["A.join.c6"]),
        ("", "ordered", "0509", "hold", ["A.join.c6"]),
        ("ordered", "", "0509", "advance", ["A.join.c6"]),
        ("moved", "", "0509", "regroup", ["A.join.c6"]),
        ("", "moved", "0509", "regroup", ["A.join.c6"]),
    ],
)
def test_all_must_comply_with_regroup_or_have_an_order(
    f: str, a: str, leader: str, word: str, clauses: list[str]
) -> None:
    words = f"F spear 0505+0605 steps=4 {f}; A spear 0505 {a}; L leader {leader}"
    assert refusals(one(words, instructions=f"boar={word}"), "join F") == clauses


PROFILES = {"exceptional": 10, "superior": 8, "ordinary": 6, "mediocre": 0, "poor": 0}


@rule("A.join.c7", "A.def.command_profile", "AH20.command_profile")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("f", "a", "b"), [(3, 1, 1), (4, 1, 1), (4, 2, 1), (6, 1, 1), (6, 2, 1), (6, 2, 2)])
def test_the_command_profile_limits_the_size(profile: str, f: int, a: int, b: int) -> None:
    words = f"F t 0505+0605 steps={f} ordered; A t 0505 steps={a} ordered; B t 0605 steps={b} ordered"
    clauses = [] if f + a + b <= PROFILES[profile] else ["A.join.c7"]
    assert refusals(one(words, types=f"t spear profile={profile}"), "join F") == clauses


@rule(
    "A.join.c1",
    "A.join.c2",
    "A.join.c3",
    "A.join.c4",
    "A.join.c5",
    "A.join.c6",
    "A.join.c7",
    "A.join.c8",
    "A.def.sheet",
)
def test_join_tells_every_condition_that_fails() -> None:
    words = "A t 0505 steps=1 s; F t 0505+0605 steps=5 shaken; B t 0605 steps=1 activated; C t 0605 steps=1"
    state = one(words, types="t spear profile=ordinary")
    assert refusals(state, "join F") == [f"A.join.c{n}" for n in range(1, 9)]


SIZES = [(f, a, b) for f in range(3, 9) for a in (0, 1, 2) for b in (0, 1, 2) if a + b and f + a + b <= 10]
SIZES = [(f, a, b) for f, a, b in SIZES if max(a, b) * 2 + f <= 10]


@rule("A.join.p1", "A.join.p2", "A.def.figures")
@pytest.mark.parametrize(("f", "a", "b"), SIZES)
def test_the_formation_has_all_the_steps(f: int, a: int, b: int) -> None:
    words = f"F t 0505+0605 steps={f} ordered mode=tortoise"
    words += f"; A t 0505 steps={a} ordered" if a else ""
    words += f"; B t 0605 steps={b} ordered" if b else ""
    play = do(one(words, types="t spear profile=exceptional"), "join F")
    after, total = play.state, f + a + b
    assert units(after) == ["F"]
    i = index(after, "F")
    assert (steps(after, "F"), figures(after.steps[i]), is_weakened(after, i)) == (
        total,
        -(-total // 2),
        total % 2 == 1,
    )
    assert (place(after, "F"), facing(after, "F"), mode(after, "F")) == ("0505+0605", "n", "tortoise")
    assert set(told(play)) == {("A.join.p1", "event.joins")}


@rule("A.join.p1")
def test_two_of_the_same_hex_can_join_and_characters_stay() -> None:
    words = "F spear 0505+0605 steps=3 ordered; A spear 0605 steps=1 ordered; B spear 0605 ordered"
    after = do(one(f"{words}; L leader 0605"), "join F").state
    assert (units(after), steps(after, "F"), wing(after, "F")) == (["F", "L"], 6, "boar")


@rule("A.join.p3", "A.def.fatigue", "A.def.ammunition")
@pytest.mark.parametrize(("f", "a", "b"), list(product(("fresh", "winded"), repeat=3)))
def test_the_worst_fatigue_and_ammunition_are_taken_over(f: str, a: str, b: str) -> None:
    for g, c, d in product(("full", "diminished", "spent"), repeat=3):
        after = do(joining(f"{f} {g}", f"{a} {c}", f"B spear 0605 ordered {b} {d}"), "join F").state
        assert marks(after, "F") == {"ordered", "activated", *worst(f, a, b), *worst(g, c, d)}


@rule("A.join.p4", "A.def.activated")
def test_the_formation_is_activated() -> None:
    state = do(joining(also="C spear 1111"), "join F").state
    assert "activated" in marks(state, "F")
    assert "A.def.activated" in refusals(state, "change-mode F tortoise")


# --- 8 constitute --------------------------------------------------------------------------------


def two(a: str = "", b: str = "", also: str = "", foes: str = "", **more: Any) -> FormationsState:
    """Two troops side by side that can become a formation, but for what is told: A in 0505, B in 0605."""
    return one(f"A spear 0505 ordered {a}; B spear 0605 ordered {b}; {also}", foes, **more)


@rule("A.constitute.c1", "A.constitute.c2", "A.constitute.c3")
def test_two_troops_side_by_side_can_become_a_formation() -> None:
    assert refusals(two(), "constitute A B") == []
    assert refusals(two(), "constitute B A") == []
    assert refusals(two("winded", "diminished winded spent"), "constitute A B") == []
    assert (
        refusals(two(also="C spear 0505 ordered steps=1; D spear 0605 ordered steps=1"), "constitute A D")
        == []
    )


@rule("A.constitute.c1", "A.def.type_wing", "A.def.orientation")
@pytest.mark.parametrize("b", ["guard 0605", "spear 0605 wing=heron", "spear 0605 s", "spear 0605 ne"])
def test_the_partner_must_be_of_its_type_and_wing_and_face_as_it_does(b: str) -> None:
    """Nobody else is stacked with them: A.constitute.c4 holds."""
    state = one(f"A spear 0505 ordered; B {b} ordered")
    assert refusals(state, "constitute A B") == ["A.constitute.c1"]


@rule("A.constitute.c1", "A.def.kinds")
def test_the_partner_must_be_a_simple_troop() -> None:
    """The formation is beside the troop: A.constitute.c2 holds."""
    state = one("A spear 0505 ordered; B spear 0605+0705 steps=3 ordered")
    assert refusals(state, "constitute A B") == ["A.constitute.c1"]


@rule("A.constitute.c1", "A.def.kinds")
def test_formations_and_characters_constitute_nothing() -> None:
    state = one("F spear 0505+0605 steps=3 ordered; B spear 0705 ordered; L leader 0805; M chief 0705")
    for line in ("constitute F B", "constitute L B", "constitute B L", "constitute L M"):
        assert "A.constitute.c1" in refusals(state, line), line


@rule("A.constitute.c1", "A.constitute.c2")
@pytest.mark.parametrize("partner", ["A", "B", "C", "X", "G", "nobody"])
def test_there_must_be_a_partner_in_an_adjacent_hex(partner: str) -> None:
    """Who is not adjacent is not beside the troop either: both fail together."""
    words = "A spear 0505 ordered; B spear 0705 ordered; C spear 0505 ordered; G spear 0605 ordered gone"
    state = one(words, "X spear 1111 n")
    assert refusals(state, f"constitute A {partner}") == ["A.constitute.c1", "A.constitute.c2"]


@rule("A.constitute.c2", "A.def.footprint", "AH1.grid")
@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("direction", range(6))
def test_the_partner_must_be_square_to_the_facing(corner: str, direction: int) -> None:
    field = grid(12, 12)
    cells = field.cells["0505"], field.neighbours[field.cells["0505"]][direction]
    state = one(f"A spear 0505 {corner} ordered; B spear {field.names[cells[1]]} {corner} ordered")
    if angle(CORNERS.index(corner), direction) != FLANK:
        assert refusals(state, "constitute A B") == ["A.constitute.c2"]
        return
    after = do(state, "constitute A B").state
    new = units(after)[-1]
    to_the_right = direction == (CORNERS.index(corner) + 2) % 6
    left, right = cells if to_the_right else cells[::-1]
    assert place(after, new) == f"{field.names[left]}+{field.names[right]}"
    assert facing(after, new) == corner


@rule("A.constitute.c3", "A.def.position", "A.def.terrain")
@pytest.mark.parametrize(
    ("a", "b", "more"),
    [
        ("flying", "", {}),
        ("", "flying", {}),
        ("infiltrating", "", {}),
        ("", "infiltrating", {}),
        ("", "", {"rough": "0505"}),
        ("", "", {"rough": "0605"}),
        ("", "", {"difficult": "0505"}),
        ("", "", {"difficult": "0605"}),
    ],
)
def test_they_must_be_on_the_ground_and_the_ground_clear(a: str, b: str, more: dict[str, Any]) -> None:
    assert refusals(two(a, b, **more), "constitute A B") == ["A.constitute.c3"]


@rule("A.constitute.c4", "A.def.stacked")
@pytest.mark.parametrize("place", ["0505", "0605"])
@pytest.mark.parametrize("words", ["guard {}", "spear {} wing=heron", "spear {} s", "spear {} ne"])
def test_who_is_stacked_with_them_must_be_like_them(words: str, place: str) -> None:
    state = two(also=f"C {words.format(place)} ordered")
    assert refusals(state, "constitute A B") == ["A.constitute.c4"]


@rule("A.constitute.c4", "A.def.stacked")
@pytest.mark.parametrize("place", ["0405+0505", "0605+0705", "0505+0605"])
def test_and_must_be_simple_troops(place: str) -> None:
    state = two(also=f"C spear {place} steps=3 ordered")
    assert refusals(state, "constitute A B") == ["A.constitute.c4"]


@rule("A.constitute.c4", "A.def.kinds")
@pytest.mark.parametrize("also", ["L leader 0505", "M chief 0605 s", "L leader 0605 activated"])
def test_a_character_in_either_hex_is_no_simple_troop(also: str) -> None:
    assert refusals(two(also=also), "constitute A B") == ["A.constitute.c4"]


@rule("A.constitute.c4")
def test_a_character_beside_the_two_hexes_does_not_matter() -> None:
    assert refusals(two(also="L leader 0705; M chief 0405"), "constitute A B") == []


@rule("A.constitute.c5", "A.def.engaged")
@pytest.mark.parametrize(("foes", "near"), NEXT_TO)
def test_no_enemy_may_be_adjacent_to_the_two_hexes(foes: str, near: bool) -> None:
    assert refusals(two(foes=foes), "constitute A B") == (["A.constitute.c5"] if near else [])


@rule("A.constitute.c6", "A.def.steps")
def test_a_formation_takes_three_steps() -> None:
    small = "A spear 0505 steps=1 ordered; B spear 0605 steps=1 ordered"
    assert refusals(one(small), "constitute A B") == ["A.constitute.c6"]
    assert refusals(one(f"{small}; C spear 0605 steps=1 ordered"), "constitute A B") == []
    assert refusals(one(f"{small}; C spear 0605 ordered"), "constitute A B") == []


@rule("A.constitute.c7", "A.def.cohesion", "A.def.fatigue")
@pytest.mark.parametrize("words", ["shaken", "exhausted", "rout"])
@pytest.mark.parametrize("who", ["B", "C", "D"])
def test_nobody_in_the_two_hexes_may_be_shaken_or_exhausted(who: str, words: str) -> None:
    bad = {who: words}
    also = f"C spear 0505 ordered {bad.get('C', '')}; D spear 0605 ordered {bad.get('D', '')}"
    assert refusals(two("", bad.get("B", ""), also), "constitute A B") == ["A.constitute.c7"]


@rule("A.constitute.c7", "AH16.rout")
def test_nor_may_the_troop_that_acts() -> None:
    """In Rout is worse than Shaken, and forbids the action by itself too."""
    assert refusals(two("shaken"), "constitute A B") == ["A.constitute.c7"]
    assert refusals(two("exhausted"), "constitute A B") == ["A.constitute.c7"]
    assert refusals(two("rout"), "constitute A B") == ["AH16.rout", "A.constitute.c7"]


@rule("A.constitute.c8", "A.def.instruction", "A.def.special_order", "AH6.instructions")
@pytest.mark.parametrize(
    ("a", "b", "c", "leader", "word", "clauses"),
    [
        ("", "", "", "0509", "regroup", []),
        ("", "ordered", "", "0509", "regroup", []),
        ("ordered", "ordered", "ordered", "1111", "advance", []),
        ("", "ordered", "ordered", "1111", "regroup", ["A.constitute.c8"]),
        ("ordered", "", "ordered", "1111", "regroup", ["A.constitute.c8"]),
        ("ordered", "ordered", "", "1111", "regroup", ["A.constitute.c8"]),
        ("", "", "moved", "0509", "regroup", ["A.constitute.c8"]),
        ("", "", "", "0509", "hold", ["A.constitute.c8"]),
        ("", "", "", "0509", "advance", ["A.constitute.c8"]),
    ],
)
def test_all_of_the_two_hexes_must_comply_or_have_an_order(
    a: str, b: str, c: str, leader: str, word: str, clauses: list[str]
) -> None:
    words = f"A spear 0505 {a}; B spear 0605 {b}; C spear 0605 {c}; L leader {leader}"
    assert refusals(one(words, instructions=f"boar={word}"), "constitute A B") == clauses


@rule("A.constitute.c9", "A.def.command_profile", "AH20.command_profile")
@pytest.mark.parametrize("profile", PROFILES)
def test_formations_take_a_command_profile_of_ordinary_or_better(profile: str) -> None:
    words = "A t 0505 ordered steps=1; B t 0605 ordered"
    clauses = [] if PROFILES[profile] else ["A.constitute.c9"]
    assert refusals(one(words, types=f"t spear profile={profile}"), "constitute A B") == clauses


@rule("A.constitute.c10", "A.def.command_profile", "AH20.command_profile")
@pytest.mark.parametrize("profile", ["exceptional", "superior", "ordinary"])
@pytest.mark.parametrize("number", range(6, 13))
def test_the_command_profile_limits_how_large_a_formation_may_be(profile: str, number: int) -> None:
    """Of small troops, of which enough for too large a formation fit into two hexes."""
    sizes = [2] * (number // 2) + [1] * (number % 2)
    units = [f"U{n} t {('0505', '0605')[n % 2]} steps={size} ordered" for n, size in enumerate(sizes)]
    state = one("; ".join(units), types=f"t forester profile={profile}")
    clauses = [] if number <= PROFILES[profile] else ["A.constitute.c10"]
    assert refusals(state, "constitute U0 U1") == clauses


@rule("A.constitute.c11", "A.def.activated")
def test_nobody_in_the_two_hexes_may_be_activated() -> None:
    """The troop that acts is one of them: there A.def.activated fails together with it."""
    assert refusals(two("", "activated"), "constitute A B") == ["A.constitute.c11"]
    for cell in ("0505", "0605"):
        state = two(also=f"C spear {cell} ordered activated")
        assert refusals(state, "constitute A B") == ["A.constitute.c11"]
    assert refusals(two("activated"), "constitute A B") == ["A.def.activated", "A.constitute.c11"]


@rule(
    "A.constitute.c2",
    "A.constitute.c3",
    "A.constitute.c5",
    "A.constitute.c6",
    "A.constitute.c7",
    "A.constitute.c8",
    "A.constitute.c9",
    "A.constitute.c11",
    "A.def.sheet",
)
def test_constitute_tells_every_condition_that_fails() -> None:
    words = "A archer 0505 steps=1 shaken flying; B archer 0604 steps=1 activated"
    state = one(words, "X orc 0405")
    assert refusals(state, "constitute A B") == [f"A.constitute.c{n}" for n in (2, 3, 5, 6, 7, 8, 9, 11)]
    state = one(
        "A orc 0505; B orc 0605; C orc 0505 exhausted; D goblin 0605 activated", "X orc 0405", rough="0505"
    )
    assert refusals(state, "constitute A B") == [f"A.constitute.c{n}" for n in (3, 4, 5, 7, 8, 10, 11)]


@rule("A.constitute.c1", "A.constitute.c5", "A.constitute.c7", "A.constitute.c8", "A.def.sheet")
@pytest.mark.parametrize("partner", ["B", "nobody"])
def test_even_if_there_is_no_partner(partner: str) -> None:
    """What is wrong with the troop itself is told all the same, as it is for a merge."""
    state = one("A archer 0505 shaken flying; B archer 0805 ordered", "X orc 0405", rough="0505")
    expected = {f"A.constitute.c{n}" for n in (1, 2, 3, 5, 7, 8, 9)}
    assert set(refusals(state, f"constitute A {partner}")) >= expected


@rule("A.constitute.c6", "A.constitute.c10", "A.def.sheet")
def test_without_a_partner_the_size_is_judged_only_if_it_is_too_large_already() -> None:
    small = one("A t 0505 ordered steps=1", types="t spear profile=ordinary")
    assert refusals(small, "constitute A nobody") == ["A.constitute.c1", "A.constitute.c2"]
    words = "; ".join(f"{name} t 0505 ordered" for name in "ABCD")
    full = one(words, types="t forester profile=ordinary")
    found = refusals(full, "constitute A nobody")
    assert found == ["A.constitute.c1", "A.constitute.c2", "A.constitute.c10"]
    assert refusals(full, "constitute A B") == found  # it is in the same hex


@rule("A.constitute.c3", "A.constitute.c4", "A.constitute.c7", "A.constitute.c11", "A.def.sheet")
def test_what_is_wrong_with_a_partner_far_away_is_told_too() -> None:
    words = "A spear 0505 ordered; B spear 0805 shaken ordered; C guard 0805 activated ordered"
    wrong = [f"A.constitute.c{n}" for n in (1, 2, 3, 4, 7, 11)]
    assert refusals(one(words, rough="0805"), "constitute A B") == wrong


@rule("A.constitute.c2", "A.constitute.c1")
@pytest.mark.parametrize("place", ["0705+0605", "0604+0605 ne", "0504+0604", "0506+0606"])
def test_a_formation_is_no_partner_wherever_it_is(place: str) -> None:
    beside = "0605" in place
    state = one(f"A spear 0505 ordered; B spear {place} steps=3 ordered")
    assert refusals(state, "constitute A B") == ["A.constitute.c1", *([] if beside else ["A.constitute.c2"])]


STACKS = [(1,), (2,), (1, 1), (2, 1), (1, 1, 1), (2, 2), (2, 1, 1), (2, 2, 1), (1, 1, 1, 1, 1)]


@rule(
    "A.constitute.p1", "A.constitute.p2", "A.def.figures", "A.def.footprint", "AH30.new_units", "AH21.modes"
)
@pytest.mark.parametrize(("left", "right"), [p for p in product(STACKS, repeat=2) if sum(map(sum, p)) >= 3])
def test_all_troops_of_the_two_hexes_become_one_formation(
    left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    words = [f"L{n} t 0505 steps={size} ordered" for n, size in enumerate(left)]
    words += [f"R{n} t 0605 steps={size} ordered" for n, size in enumerate(right)]
    words += ["K spear 0405 ordered", "Z leader 0705"]
    play = do(one("; ".join(words), types="t spear profile=exceptional"), "constitute R0 L0")
    after, total = play.state, sum(left) + sum(right)
    new = units(after)[-1]
    assert units(after) == ["K", "Z", new]
    i = index(after, new)
    assert (after.kind[i], after.type[i], after.side[i], wing(after, new)) == (FORMATION, 0, 0, "boar")
    assert (steps(after, new), figures(after.steps[i]), is_weakened(after, i)) == (
        total,
        -(-total // 2),
        total % 2 == 1,
    )
    assert (place(after, new), facing(after, new), mode(after, new)) == ("0505+0605", "n", "march")
    assert told(play) == [("A.constitute.p1", "event.constitutes")]


@rule("A.constitute.c1")
def test_with_partners_on_both_sides_the_owner_chooses_one() -> None:
    state = two(also="C spear 0405 ordered")
    after = do(state, "constitute A B").state
    assert (place(after, units(after)[-1]), place(after, "C")) == ("0505+0605", "0405")
    after = do(state, "constitute A C").state
    assert (place(after, units(after)[-1]), place(after, "B")) == ("0405+0505", "0605")


@rule("A.constitute.p3", "A.def.fatigue", "A.def.ammunition")
@pytest.mark.parametrize(("a", "b", "c"), list(product(("fresh", "winded"), repeat=3)))
def test_the_formation_is_as_badly_off_as_the_worst_of_them(a: str, b: str, c: str) -> None:
    for d, e, f in product(("full", "diminished", "spent"), repeat=3):
        after = do(two(f"{a} {d}", f"{b} {e}", f"C spear 0605 ordered {c} {f}"), "constitute A B").state
        assert marks(after, units(after)[-1]) == {"activated", *worst(a, b, c), *worst(d, e, f)}


@rule("A.constitute.p4", "A.def.activated", "A.def.front_behind")
def test_the_new_formation_is_activated() -> None:
    state = do(two(also="L leader 0705; C spear 1111"), "constitute A B").state
    new = units(state)[-1]
    assert "activated" in marks(state, new)
    assert "A.def.activated" in refusals(state, f"change-mode {new} tortoise")
    assert pile(state, "0505") == [new]
