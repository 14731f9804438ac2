"""9 Leave and 10 Break a formation."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.forming import Leave
from legatus.games.formations.state import SIMPLE, FormationsState
from legatus.games.formations.units import figures, is_weakened
from legatus.kernel import parse_action, say, why_not
from legatus.kernel.codec import label
from legatus.parts.hexes import CORNERS, grid
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
    told,
    units,
    wing,
)

LEFT, RIGHT, BOTH = "0505", "0605", "0505>0605"
NEXT_TO = [
    ("X orc 0504", True),
    ("X orc 0405 n", True),
    ("X orc 0506 rout", True),
    ("X orc 0705", True),
    ("X orc 0706+0806 contact", True),
    ("X leader 0504", True),  # only Join excepts characters
    ("Y chief 0705", True),
    ("X leader 0503; Y chief 0805", False),
    ("X orc 0503; Y orc 0805", False),
]
OBEDIENCE = [
    ("ordered", "1111", "advance", True),
    ("", "0509", "regroup", True),
    ("ordered", "0509", "hold", True),
    ("", "0809", "regroup", True),  # four hexes from its right hex
    ("", "0909", "regroup", False),
    ("moved", "0509", "regroup", False),
    ("", "0509 gone", "regroup", False),
    ("", "0509", "hold", False),
    ("", "0509", "advance", False),
]


def one(words: str = "", also: str = "", foes: str = "", kind: str = "spear", **more: Any) -> FormationsState:
    """A formation F under a special order in 0505 and 0605; the wing of the boar acts."""
    return acting(battle(f"F {kind} 0505+0605 ordered {words}; {also}", foes, **more))


def made(state: FormationsState) -> list[str]:
    """The new troops."""
    return [name for name in units(state) if "-n" in name]


# --- 9 leave -------------------------------------------------------------------------------------


@rule("A.leave.c1", "A.leave.p1", "A.leave.p3")
@pytest.mark.parametrize("number", range(3, 11))
def test_six_steps_are_enough_for_one_to_leave_and_seven_for_two(number: int) -> None:
    state = one(f"steps={number}", types="small forester", kind="small")
    for hexes in (LEFT, RIGHT):
        short = [] if number >= 6 else ["A.leave.c1"]
        left = [] if number - 2 >= 3 else ["A.leave.p3"]
        assert refusals(state, f"leave F {hexes}") == short + left
    short = [] if number >= 6 else ["A.leave.c1"]
    left = [] if number - 4 >= 3 else ["A.leave.p3"]
    assert refusals(state, f"leave F {BOTH}") == short + left


@rule("A.leave.c1", "A.def.kinds")
def test_troops_leave_formations_only() -> None:
    """A simple troop has no steps to spare: what is left is too small as well."""
    state = acting(battle("A spear 0505 ordered; L leader 0605"))
    assert refusals(state, "leave A 0505") == ["A.leave.c1", "A.leave.p3"]
    assert "A.leave.c1" in refusals(state, "leave L 0605")


@rule("A.leave.c2", "A.def.cohesion", "A.def.fatigue")
@pytest.mark.parametrize(
    ("words", "clauses"),
    [
        ("winded spent", []),
        ("shaken", ["A.leave.c2"]),
        ("exhausted", ["A.leave.c2"]),
        ("shaken exhausted", ["A.leave.c2"]),
        ("rout", ["AH16.rout", "A.leave.c2"]),  # in Rout is worse than Shaken: both fail together
    ],
)
def test_nothing_leaves_a_formation_that_is_shaken_or_exhausted(words: str, clauses: list[str]) -> None:
    assert refusals(one(words), "leave F 0505") == clauses


@rule("A.leave.c3", "A.def.engaged")
@pytest.mark.parametrize(("foes", "near"), NEXT_TO)
def test_nothing_leaves_while_an_enemy_is_adjacent(foes: str, near: bool) -> None:
    assert refusals(one(foes=foes), "leave F 0505") == (["A.leave.c3"] if near else [])


@rule("A.leave.c4", "A.def.terrain")
@pytest.mark.parametrize("hexes", [LEFT, RIGHT])
@pytest.mark.parametrize("ground", ["rough", "difficult"])
@pytest.mark.parametrize("where", [LEFT, RIGHT, "0505 0605"])
def test_a_formation_is_left_on_clear_ground_only(hexes: str, ground: str, where: str) -> None:
    more: dict[str, Any] = {ground: where}
    assert refusals(one(**more), f"leave F {hexes}") == ["A.leave.c4"]
    more = {ground: "0405 0705 0504"}
    assert refusals(one(**more), f"leave F {hexes}") == []


@rule("A.leave.c5", "A.def.instruction", "A.def.special_order", "AH6.instructions")
@pytest.mark.parametrize(("words", "leader", "word", "fine"), OBEDIENCE)
def test_leaving_takes_compliance_or_an_order(words: str, leader: str, word: str, fine: bool) -> None:
    state = acting(
        battle(f"F spear 0505+0605 {words}; L leader {leader}", instructions=f"boar={word}"), "boar"
    )
    assert refusals(state, "leave F 0505") == ([] if fine else ["A.leave.c5"])


@rule("A.leave.c6", "A.def.stacking_limit", "AH18.stacking")
@pytest.mark.parametrize(
    ("words", "kind", "also", "hexes", "fits"),
    [
        ("steps=8", "spear", "", LEFT, True),  # 6 + 4 and 6
        ("steps=9", "spear", "", LEFT, False),  # 7 + 4
        ("steps=9", "spear", "", BOTH, True),  # 5 + 4
        ("steps=10", "spear", "", BOTH, True),  # 6 + 4
        ("steps=8", "spear", "B spear 0505 steps=1", LEFT, False),  # 6 + 4 + 2
        ("steps=8", "spear", "B spear 0505 steps=1", RIGHT, True),
        ("steps=8", "spear", "B spear 0605 steps=1", RIGHT, False),
        ("steps=8", "spear", "B spear 0505 steps=1", BOTH, True),  # 4 + 4 + 2
        ("steps=8", "spear", "B spear 0505 steps=1; C spear 0605 steps=1", BOTH, True),
        ("steps=7", "spear", "B forester 0505 steps=1; C spear 0505 steps=1", BOTH, True),  # 3 + 4 + 3
        ("steps=6", "spear", "B spear 0505", LEFT, False),  # 4 + 4 + 4
        ("steps=8", "spear", "L leader 0505; M chief 0505", LEFT, True),  # characters weigh nothing
        ("steps=10", "forester", "", LEFT, True),  # 8 + 2
        ("steps=6", "wolf", "", LEFT, True),  # 4 + 6
        ("steps=7", "wolf", "", LEFT, False),  # 5 + 6
        ("steps=7", "wolf", "", BOTH, True),  # 3 + 6
        ("steps=8", "wolf", "", BOTH, True),  # 4 + 6
        ("steps=9", "wolf", "", BOTH, False),  # 5 + 6
    ],
)
def test_ten_stacking_points_are_the_limit_afterwards(
    words: str, kind: str, also: str, hexes: str, fits: bool
) -> None:
    state = one(words, also, kind=kind)
    assert refusals(state, f"leave F {hexes}") == ([] if fits else ["A.leave.c6"])


@rule("A.leave.p1", "A.def.footprint")
@pytest.mark.parametrize(
    "hexes", [("0705",), ("0505", "0705"), ("0505", "0505"), (), ("",), ("zzzz",), ("0505", "0605", "0505")]
)
def test_one_or_two_leave_and_one_at_most_in_each_of_its_hexes(hexes: tuple[str, ...]) -> None:
    state = one("steps=10", kind="forester")
    assert [refusal.clause for refusal in why_not(state, Leave("F", hexes))] == ["A.leave.p1"]


@rule("A.leave.p3")
def test_what_is_left_has_three_steps_at_least() -> None:
    assert refusals(one("steps=6"), f"leave F {BOTH}") == ["A.leave.p3"]
    assert refusals(one("steps=7"), f"leave F {BOTH}") == []


@rule("A.leave.c1", "A.leave.c2", "A.leave.c3", "A.leave.c4", "A.leave.c5", "A.leave.p1", "A.def.sheet")
def test_leave_tells_every_condition_that_fails() -> None:
    state = acting(battle("F spear 0505+0605 steps=4 shaken", "X orc 0504", rough="0605"))
    every = [*(f"A.leave.c{n}" for n in (1, 2, 3, 4, 5)), "A.leave.p1", "A.leave.p3"]
    assert refusals(state, "leave F 0705") == every
    state = acting(battle("F spear 0505+0605 steps=6 exhausted; B spear 0505", "X orc 0504", rough="0605"))
    assert refusals(state, "leave F 0505") == [f"A.leave.c{n}" for n in (2, 3, 4, 5, 6)]


@rule(
    "A.leave.p1", "A.leave.p2", "A.leave.p5", "A.leave.p6", "A.def.steps", "A.def.figures", "AH30.new_units"
)
@pytest.mark.parametrize(
    ("number", "hexes"),
    [
        *((number, hexes) for number in range(6, 11) for hexes in (LEFT, RIGHT)),
        *((number, hexes) for number in range(7, 11) for hexes in (BOTH, "0605>0505")),
    ],
)
def test_whole_troops_leave_and_take_their_steps_with_them(number: int, hexes: str) -> None:
    places = hexes.split(">")
    left = number - 2 * len(places)
    state = one(f"steps={number} mode=hedgehog", kind="small", types="small forester")
    play = do(state, f"leave F {hexes}")
    after, new = play.state, made(play.state)
    i = index(after, "F")
    assert (steps(after, "F"), figures(after.steps[i]), is_weakened(after, i)) == (
        left,
        -(-left // 2),
        left % 2 == 1,
    )
    assert (place(after, "F"), facing(after, "F"), mode(after, "F")) == ("0505+0605", "n", "hedgehog")
    assert units(after) == ["F", *new]
    assert [place(after, name) for name in new] == places
    for name in new:
        j = index(after, name)
        assert (after.kind[j], after.type[j], after.side[j], wing(after, name)) == (SIMPLE, 0, 0, "boar")
        assert (after.steps[j], after.full[j]) == (2, 2)
    assert told(play) == [("A.leave.p1", "event.leaves")]


@rule("A.leave.p4", "A.def.front_behind", "A.def.orientation")
@pytest.mark.parametrize("corner", CORNERS)
def test_they_are_placed_under_the_formation_and_face_as_it_does(corner: str) -> None:
    field = grid(12, 12)
    right = field.names[field.neighbours[field.cells["0505"]][(CORNERS.index(corner) + 2) % 6]]
    state = acting(battle(f"F spear 0505+{right} {corner} steps=7 ordered"))
    after = do(state, f"leave F 0505>{right}").state
    one, two = made(after)
    assert (facing(after, one), facing(after, two)) == (corner, corner)
    assert (pile(after, "0505"), pile(after, right)) == (["F", one], ["F", two])


@rule("A.leave.p7", "A.def.activated")
def test_all_of_them_are_activated() -> None:
    state = do(one("steps=7", "C spear 1111"), f"leave F {BOTH}").state
    assert all("activated" in marks(state, name) for name in ("F", *made(state)))
    assert "A.def.activated" in refusals(state, f"rest {made(state)[0]}")


@rule("A.leave.p8", "A.def.fatigue", "A.def.ammunition")
@pytest.mark.parametrize("fatigue", ["fresh", "winded"])
@pytest.mark.parametrize("ammo", ["full", "diminished", "spent"])
def test_those_who_leave_are_in_the_state_of_the_formation(fatigue: str, ammo: str) -> None:
    after = do(one(f"steps=7 {fatigue} {ammo}"), f"leave F {BOTH}").state
    own = {fatigue, ammo, "activated"} - {"fresh", "full"}
    assert [marks(after, name) for name in made(after)] == [own, own]
    assert marks(after, "F") == {*own, "ordered"}


# --- 10 break ------------------------------------------------------------------------------------

# By the steps of the formation and the number of troops: what the troops have, or what forbids it.
SPLITS: dict[tuple[int, int], tuple[int, ...] | str] = {
    (3, 2): (1, 2),
    (3, 3): (1, 1, 1),
    (3, 4): "A.break.p1",  # there are not so many steps
    (4, 2): (2, 2),
    (4, 3): (1, 1, 2),
    (4, 4): (1, 1, 1, 1),
    (5, 2): "A.break.p1",  # nobody has three steps
    (5, 3): (1, 2, 2),
    (5, 4): (1, 1, 1, 2),
    (6, 2): "A.break.p1",
    (6, 3): "A.break.p2",  # of 2, 2 and 2 one hex would have two steps more than the other
    (6, 4): (1, 1, 2, 2),
    (7, 2): "A.break.p1",
    (7, 3): "A.break.p1",
    (7, 4): (1, 2, 2, 2),
    (8, 2): "A.break.p1",
    (8, 3): "A.break.p1",
    (8, 4): (2, 2, 2, 2),
}


@rule("A.break.p1", "A.break.p2", "A.break.p3", "A.def.steps", "AH30.new_units")
@pytest.mark.parametrize(("number", "troops"), SPLITS)
def test_every_way_to_break_a_formation(number: int, troops: int) -> None:
    expected = SPLITS[number, troops]
    state = one(f"steps={number}")
    if isinstance(expected, str):
        assert refusals(state, f"break F {troops}") == [expected]
        return
    play = do(state, f"break F {troops}")
    after, new = play.state, made(play.state)
    assert (units(after), place(after, "F")) == (new, "gone")
    assert tuple(sorted(steps(after, name) for name in new)) == expected
    in_left, in_right = (
        sum(steps(after, name) for name in new if place(after, name) == cell) for cell in (LEFT, RIGHT)
    )
    assert in_left + in_right == number
    assert abs(in_left - in_right) <= 1
    for name in new:
        j = index(after, name)
        assert (after.kind[j], after.type[j], after.side[j], wing(after, name)) == (SIMPLE, 0, 0, "boar")
        assert after.full[j] == 2
    assert told(play) == [("A.break.p1", "event.breaks")]


@rule("A.break.p1")
@pytest.mark.parametrize("troops", [-1, 0, 1, 5, 6, 99])
def test_a_formation_breaks_into_two_to_four(troops: int) -> None:
    assert refusals(one("steps=4"), f"break F {troops}") == ["A.break.p1"]


@rule("A.break.c1", "A.break.p1")
@pytest.mark.parametrize("number", [9, 10])
def test_nine_steps_are_too_many(number: int) -> None:
    """Four troops have eight steps at most: with more both conditions fail together."""
    for troops in (2, 3, 4):
        assert refusals(one(f"steps={number}"), f"break F {troops}") == ["A.break.c1", "A.break.p1"]
    assert refusals(one("steps=8"), "break F 4") == []


@rule("A.break.c1", "A.def.kinds")
def test_only_formations_break() -> None:
    """There is nothing to make troops of either."""
    state = acting(battle("A spear 0505 ordered; L leader 0605"))
    assert refusals(state, "break A 2") == ["A.break.c1", "A.break.p1"]
    assert "A.break.c1" in refusals(state, "break L 2")


@rule("A.break.c2", "A.def.engaged")
@pytest.mark.parametrize(("foes", "near"), NEXT_TO)
def test_no_formation_breaks_next_to_an_enemy(foes: str, near: bool) -> None:
    assert refusals(one(foes=foes), "break F 4") == (["A.break.c2"] if near else [])


@rule("A.break.c3", "A.def.terrain")
@pytest.mark.parametrize("ground", ["rough", "difficult"])
@pytest.mark.parametrize("where", [LEFT, RIGHT, "0505 0605"])
def test_a_formation_breaks_on_clear_ground_only(ground: str, where: str) -> None:
    more: dict[str, Any] = {ground: where}
    assert refusals(one(**more), "break F 4") == ["A.break.c3"]
    more = {ground: "0405 0705 0504"}
    assert refusals(one(**more), "break F 4") == []


@rule("A.break.c4", "A.def.instruction", "A.def.special_order", "AH6.instructions")
@pytest.mark.parametrize(("words", "leader", "word", "fine"), OBEDIENCE)
def test_breaking_takes_compliance_or_an_order(words: str, leader: str, word: str, fine: bool) -> None:
    state = acting(
        battle(f"F spear 0505+0605 {words}; L leader {leader}", instructions=f"boar={word}"), "boar"
    )
    assert refusals(state, "break F 4") == ([] if fine else ["A.break.c4"])


@rule("A.break.c4", "A.def.cohesion", "AH16.rout")
def test_a_formation_in_any_state_can_break_but_in_rout_only_by_an_order() -> None:
    for words in ("shaken", "exhausted", "shaken exhausted", "rout", "rout exhausted"):
        assert refusals(one(words), "break F 4") == [], words
    state = acting(battle("F spear 0505+0605 rout; L leader 0505", instructions="boar=regroup"))
    assert refusals(state, "break F 4") == ["A.break.c4"]


@rule("A.break.c5", "A.def.stacking_limit", "AH18.stacking")
@pytest.mark.parametrize(
    ("number", "kind", "also", "fits"),
    [
        (8, "spear", "", True),  # 8 and 8
        (8, "spear", "B spear 0505 steps=1; C spear 0605 steps=1", True),  # 10 and 10
        (7, "spear", "B spear 0505 steps=1; C spear 0605 steps=1", True),  # 10 and 8
        (7, "spear", "B wolf 0505 steps=1; C wolf 0605 steps=1", False),  # 11 and 9
        (8, "spear", "L leader 0505; M chief 0605", True),
        (8, "forester", "B forester 0505", True),  # 6 and 4
        (8, "wolf", "", False),  # 12 and 12
        (7, "wolf", "", False),  # 12 and 9
        (6, "wolf", "", True),  # 9 and 9
        (6, "wolf", "B forester 0505 steps=1", True),  # 10 and 9
        (6, "wolf", "B spear 0505 steps=1", False),  # 11 and 9
    ],
)
def test_a_break_keeps_the_stacking_limit(number: int, kind: str, also: str, fits: bool) -> None:
    state = one(f"steps={number}", also, kind=kind)
    assert refusals(state, "break F 4") == ([] if fits else ["A.break.c5"])


@rule("A.break.c5", "A.break.p2", "A.def.stacking_limit")
@pytest.mark.parametrize("crowded", [LEFT, RIGHT])
def test_the_larger_share_goes_where_there_is_room(crowded: str) -> None:
    """7 steps are 4 and 3; the card asks that the limit can be kept, and by one of the two ways it is."""
    state = one("steps=7", f"B wolf {crowded} steps=1")
    assert refusals(state, "break F 4") == []
    after = do(state, "break F 4").state
    assert sum(steps(after, name) for name in made(after) if place(after, name) == crowded) == 3


# By steps and troops: what the hex with the larger part gets, and what the other one gets.
UNLIKE: dict[tuple[int, int], tuple[list[int], list[int]]] = {
    (3, 2): ([2], [1]),
    (3, 3): ([1, 1], [1]),
    (4, 3): ([1, 1], [2]),
    (5, 3): ([2, 1], [2]),
    (5, 4): ([2, 1], [1, 1]),
    (7, 4): ([2, 2], [2, 1]),
}


def shares(state: FormationsState, cell: str) -> list[int]:
    return [steps(state, name) for name in made(state) if place(state, name) == cell]


@rule("A.break.p2")
@pytest.mark.parametrize(("number", "troops"), [k for k, v in SPLITS.items() if not isinstance(v, str)])
def test_where_the_hexes_differ_the_owner_chooses_the_one_with_the_larger_part(
    number: int, troops: int
) -> None:
    state = one(f"steps={number}")
    offered = [line for line in legal_lines(state) if line.startswith(f"break F {troops}")]
    if (number, troops) not in UNLIKE:
        assert offered == [f"break F {troops}"]
        for cell in (LEFT, RIGHT):
            assert refusals(state, f"break F {troops} {cell}") == ["A.break.p2"]
        return
    assert [line for line in offered if not line.endswith("singly")] == [
        f"break F {troops} {LEFT}",
        f"break F {troops} {RIGHT}",
    ]
    larger, smaller = UNLIKE[number, troops]
    for cell, other in ((LEFT, RIGHT), (RIGHT, LEFT)):
        after = do(state, f"break F {troops} {cell}").state
        assert (shares(after, cell), shares(after, other)) == (larger, smaller)


@rule("A.break.p1", "A.break.p2")
@pytest.mark.parametrize("number", range(3, 9))
def test_every_split_that_the_card_allows_is_offered_once(number: int) -> None:
    """2 to 4 troops of one or two steps, the hexes within one step of each other."""
    parts = [(1,), (2,), (1, 1), (2, 1), (2, 2), (1, 1, 1)]
    allowed = {
        (left, right)
        for left, right in product(parts, repeat=2)
        if sum(left) + sum(right) == number
        and 2 <= len(left) + len(right) <= 4
        and abs(sum(left) - sum(right)) <= 1
    }
    state = one(f"steps={number}")
    lines = [line for line in legal_lines(state) if line.startswith("break F")]
    found = [do(state, line).state for line in lines]
    offered = [tuple(tuple(shares(after, cell)) for cell in (LEFT, RIGHT)) for after in found]
    assert sorted(offered) == sorted(allowed)


@rule("A.break.p2")
def test_five_steps_may_be_three_single_ones_and_a_whole_troop() -> None:
    state = one("steps=5")
    after = do(state, f"break F 4 {RIGHT} singly").state
    assert (shares(after, LEFT), shares(after, RIGHT)) == ([2], [1, 1, 1])
    after = do(state, f"break F 4 {LEFT} singly").state
    assert (shares(after, LEFT), shares(after, RIGHT)) == ([1, 1, 1], [2])
    for number, troops in ((3, 3), (4, 3), (4, 4), (6, 4), (7, 4), (8, 4)):  # no second way
        assert refusals(one(f"steps={number}"), f"break F {troops} {LEFT} singly") == ["A.break.p2"]


@rule("A.break.p2", "A.def.footprint")
@pytest.mark.parametrize("cell", ["0705", "F", "zzzz"])
def test_the_larger_part_goes_into_one_of_its_hexes(cell: str) -> None:
    assert refusals(one("steps=7"), f"break F 4 {cell}") == ["A.break.p2"]
    assert refusals(one("steps=6"), f"break F 3 {cell}") == ["A.break.p2"]  # one reason: there is no even way
    assert refusals(one("steps=5"), f"break F 2 {cell}") == ["A.break.p1"]


@rule("A.break.c5", "A.break.p2")
def test_who_names_a_hex_needs_room_there() -> None:
    state = one("steps=7", f"B wolf {LEFT} steps=1")
    assert refusals(state, f"break F 4 {LEFT}") == ["A.break.c5"]
    assert refusals(state, f"break F 4 {RIGHT}") == []


@rule("A.break.p2")
def test_the_choice_is_said_in_both_languages() -> None:
    state = one("steps=7")
    action = parse_action(FORMATIONS, f"break F 4 {RIGHT}")
    assert say(action) == f"break F 4 {RIGHT}"
    assert action.clicks() == ("F", "4", RIGHT)
    assert parse_action(FORMATIONS, "break F 4").clicks() == ("F", "4")
    called = [label(FORMATIONS, state, action, lang) for lang in ("en", "fr")]
    assert called[0] == "F: break up into 4 troops, the larger part in 0605"
    assert called[1] == "F : se briser en 4 troupes, la plus grande part en 0605"
    action = parse_action(FORMATIONS, f"break F 4 {RIGHT} singly")
    assert say(action) == f"break F 4 {RIGHT} singly"
    called = [label(FORMATIONS, one("steps=5"), action, lang) for lang in ("en", "fr")]
    assert called[0] == "F: break up into 4 troops, the larger part in 0605, in single steps"
    assert called[1] == "F : se briser en 4 troupes, la plus grande part en 0605, pas par pas"


@rule("A.break.c1", "A.break.c2", "A.break.c3", "A.break.c4", "A.break.c5", "A.break.p1", "A.def.sheet")
def test_break_tells_every_condition_that_fails() -> None:
    state = acting(battle("F spear 0505+0605 steps=9", "X orc 0504", rough="0605"))
    assert refusals(state, "break F 4") == [*(f"A.break.c{n}" for n in (1, 2, 3, 4)), "A.break.p1"]
    state = acting(battle("F wolf 0505+0605 steps=8", "X orc 0504", rough="0605"))
    assert refusals(state, "break F 4") == [f"A.break.c{n}" for n in (2, 3, 4, 5)]


@rule("A.break.p2b", "A.def.orientation")
@pytest.mark.parametrize("corner", CORNERS)
def test_the_troops_face_as_the_formation_did(corner: str) -> None:
    field = grid(12, 12)
    right = field.names[field.neighbours[field.cells["0505"]][(CORNERS.index(corner) + 2) % 6]]
    after = do(acting(battle(f"F spear 0505+{right} {corner} ordered")), "break F 4").state
    assert {facing(after, name) for name in made(after)} == {corner}
    assert sorted(place(after, name) for name in made(after)) == sorted(["0505", "0505", right, right])


@rule("A.break.p4", "A.def.activated")
def test_all_the_troops_are_activated() -> None:
    state = do(one("steps=5", "C spear 1111"), "break F 3").state
    assert [marks(state, name) for name in made(state)] == [{"activated"}] * 3
    assert "A.def.activated" in refusals(state, f"merge {made(state)[0]} {made(state)[1]}")


@rule("A.break.p5", "A.break.c4", "A.def.fatigue", "A.def.cohesion", "A.def.ammunition")
@pytest.mark.parametrize("fatigue", ["fresh", "winded", "exhausted"])
@pytest.mark.parametrize("cohesion", ["steady", "shaken", "rout"])
@pytest.mark.parametrize("ammo", ["full", "diminished", "spent"])
def test_the_troops_are_in_the_state_of_the_formation(fatigue: str, cohesion: str, ammo: str) -> None:
    after = do(one(f"steps=5 {fatigue} {cohesion} {ammo}"), "break F 4").state
    own = {fatigue, cohesion, ammo, "activated"} - {"fresh", "steady", "full"}
    assert [marks(after, name) for name in made(after)] == [own] * 4


@rule("A.break.p3", "A.constitute.p1")
def test_steps_are_neither_won_nor_lost() -> None:
    """Constituted, left by one, broken up: the same number each time."""
    for number, troops in product(range(3, 9), (2, 3, 4)):
        if not isinstance(SPLITS[number, troops], str):
            after = do(one(f"steps={number}"), f"break F {troops}").state
            assert sum(steps(after, name) for name in units(after)) == number
