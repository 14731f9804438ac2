"""19 Melee: the table of results, every modifier alone, all rolled before any takes effect, one test.

A in 0505 faces north and X in 0504 south: 0505 is before X to the south-east, 0604 and 0404 are its flanks,
0403 and 0503 its rear.  Of an orc formation in 0404 and 0504 that faces south 0305, 0405 and 0505 are the
front.
"""

from __future__ import annotations

from itertools import product

import pytest

from legatus.games.formations.cohesion import RemnantChoice
from legatus.games.formations.melee import MeleePhase, TargetChoice, side_of
from legatus.games.formations.state import CAPACITIES, SEATS, FormationsState
from legatus.parts.hexes import FLANK, FRONT, REAR
from tests.rules import rule

from .phases import Terms, blow, melee, melee_of_sixes, pair, phase, reach, value
from .stage import battle, decision, index, marks, over, place, refusals, run, steps, told

MISS = (6, 6)
LINE = "X orc 0404+0504"
RING = {  # round X: what it is for X, and a facing that has X in front
    "0505": ("front", "n"),
    "0405": ("front", "ne"),
    "0404": ("flank", "ne"),
    "0604": ("flank", "sw"),
    "0403": ("rear", "s"),
    "0503": ("rear", "sw"),
}
SIDES: dict[str, Terms] = {"front": [], "flank": [("AH11.melee", -2)], "rear": [("AH11.melee", -3)]}


def strikes(state: FormationsState) -> list[tuple[str, str]]:
    """Who strikes whom in a melee phase without choices."""
    play = melee_of_sixes(state, "")
    return [(str(e.values["unit"]), str(e.values["target"])) for e in play.events if e.key == "event.strikes"]


# --- results -------------------------------------------------------------------------------------


@rule("AH11.melee", "AH19.capacity_names", "A.def.weapon_capacity")
@pytest.mark.parametrize(("capacity", "total"), list(product(CAPACITIES, range(2, 13))))
def test_the_result_is_read_against_the_weapon_capacity(capacity: str, total: int) -> None:
    state = battle("A kin 0505", LINE, types=f"kin spear capacity={capacity}")
    number = {"exceptional": 10, "superior": 9, "ordinary": 8, "mediocre": 7, "poor": 6}[capacity]
    if total == 12 or total > number:
        lost, test = 0, None
    elif total >= number - 2:
        lost, test = 0, 0
    elif total >= number - 5:
        lost, test = 1, 1
    else:
        lost, test = 2, 3  # two steps, and one more
    if total == 2 and lost == 0:
        lost, test = 1, 1
    dice = (*pair(total), *MISS * 2, *((1, 1) if test is not None else ()))
    play = melee(state, *dice)
    assert steps(play.state, "X") == 6 - lost
    added = [int(str(number)) for number in value(play, "event.steady", "added")]
    assert added == ([] if test is None else [test])
    assert value(play, "event.strikes", "number") == [number, 8, 8]  # of a formation each hex attacks


@rule("AH11.melee")
@pytest.mark.parametrize(
    ("attacker", "dice", "lost"),
    [
        ("A kin 0505 exhausted shaken", (1, 1), 1),  # 2 + 4 is 6: nothing by itself is worse than a test
        ("A poor 0505 exhausted shaken", (1, 1), 1),
        ("A awkward 0505 exhausted shaken", (1, 1), 1),  # 2 + 5 is above 6
        ("A best 0505", (1, 1), 2),
        ("A best 0505 charged", (6, 6), 0),  # 12 - 1 would be 11
    ],
)
def test_the_dice_by_themselves_can_settle_it(attacker: str, dice: tuple[int, int], lost: int) -> None:
    types = (
        "kin spear; poor spear capacity=poor; awkward forester capacity=poor; best spear capacity=exceptional"
    )
    play = melee(battle(attacker, LINE, types=types), *dice, *MISS * 2, *((1, 1) if lost else ()))
    assert steps(play.state, "X") == 6 - lost
    tested = len(value(play, "event.steady", "roll"))
    assert tested == bool(lost)


@rule("AH11.melee")
def test_a_twelve_never_has_an_effect() -> None:
    """A drake that has charged into the rear of a rout: 12 - 2 - 2 - 3 - 3 is far below 10."""
    play = melee(battle("A drake 0503 sw charged", "X orc 0504 rout"), *MISS)
    assert steps(play.state, "X") == 2
    assert [key for _, key in told(play)] == ["event.melee", "event.strikes"]


@rule("AH11.melee")
@pytest.mark.parametrize(("total", "lost"), [(7, 0), (6, 0), (5, 0), (4, 1), (3, 1), (8, None)])
def test_modifiers_count_in_the_result(total: int, lost: int | None) -> None:
    """A Winded attacker: all is one worse."""
    tested = lost is not None
    play = melee(battle("A spear 0505 winded", LINE), *pair(total), *MISS * 2, *((1, 1) if tested else ()))
    assert steps(play.state, "X") == 6 - (lost or 0)
    assert len(value(play, "event.steady", "roll")) == tested


# --- modifiers -----------------------------------------------------------------------------------


@rule("AH11.melee")
def test_without_any_reason_nothing_is_added() -> None:
    assert blow(battle("A spear 0505", "X orc 0504")) == []
    assert blow(battle("A spear 0505", "X orc 0504"), "X", "A") == []


ALONE: list[tuple[str, str, dict[str, str], Terms]] = [
    ("A spear 0505 winded", "X orc 0504", {}, [("AH11.melee", 1)]),
    ("A spear 0505 exhausted", "X orc 0504", {}, [("AH11.melee", 2)]),
    ("A spear 0505 shaken", "X orc 0504", {}, [("AH11.melee", 2)]),
    ("A spear 0505 charged", "X orc 0504", {}, [("AH11.melee", -1)]),
    ("A guard 0505 charged", "X orc 0504", {}, [("AH11.melee", -1)]),
    ("A wolf 0505 charged", "X orc 0504", {}, [("AH11.melee", -2)]),
    ("A beast 0505 charged", "X orc 0504", {}, [("AH11.melee", -2)]),
    ("A spear 0505 contact", "X orc 0504", {}, []),
    ("A spear 0505", "X orc 0504 rout", {}, [("AH11.melee", -3)]),
    ("A spear 0505", "X orc 0504 shaken winded", {}, []),
    ("A spear 0505", "X orc 0504 exhausted charged", {}, []),
    ("A troll 0505", "X orc 0504", {}, [("AH11.melee", -1)]),
    ("A drake 0505", "X orc 0504", {}, [("AH11.melee", -2)]),
    ("A wolf 0505", "X orc 0504", {}, []),  # Bestial
    ("A spear 0505", "X troll 0504", {}, []),
    ("A spear 0505; L leader 0505", "X orc 0504", {}, [("AH11.melee", -1)]),
    ("A spear 0505; M chief 0505", "X orc 0504", {}, [("AH11.melee", -1)]),
    ("A spear 0505; L leader 0505; M chief 0505", "X orc 0504", {}, [("AH11.melee", -1)]),
    ("A spear 0505; L leader 0505 wing=heron", "X orc 0504", {}, [("AH11.melee", -1)]),
    ("A spear 0505; L leader 0506", "X orc 0504", {}, []),
    ("A spear 0505", "X orc 0504; C leader 0504; D chief 0505", {}, []),  # of his own side
    ("A spear 0505", "X orc 0504", {"rough": "0504"}, [("AH11.melee", 1)]),
    ("A spear 0505", "X orc 0504", {"difficult": "0504"}, [("AH11.melee", 2)]),
    ("A spear 0505", "X orc 0504", {"rough": "0505", "difficult": "0604"}, []),
    ("A spear 0505", LINE, {"rough": "0404"}, [("AH11.melee", 1)]),  # either of its hexes
    ("A spear 0505", "X orc 0504", {"stakes": "0504=s"}, [("AH23.stakes", 2)]),
    ("A wolf 0505", "X orc 0504", {"stakes": "0504=s"}, [("AH23.stakes", 4)]),
    ("A troll 0505", "X orc 0504", {"stakes": "0504=s"}, [("AH11.melee", -1), ("AH23.stakes", 2)]),
    ("A spear 0505", "X orc 0504", {"stakes": "0505=n"}, []),
    ("A forester 0505", "X orc 0504", {}, [("AH11.melee", 1)]),
    ("A forester 0505", LINE, {}, [("AH11.melee", 1)]),
    ("A forester 0505", "X goblin 0504", {}, []),
    ("A spear 0505", "X goblin 0504", {}, []),
    ("A spear 0505", "X orc 0504", {"fire": "0505=start"}, [("AH22.fire", 1)]),
    ("A spear 0505", "X orc 0504", {"fire": "0504=start"}, []),
    ("A spear 0505", "X orc 0504", {"weather": "rain"}, []),
]


@rule("AH11.melee", "AH22.fire", "AH23.stakes", "A.def.weapon_class", "A.def.size")
@pytest.mark.parametrize(
    ("league", "horde", "map_", "wanted"), ALONE, ids=[f"{a}-{b}-{c}" for a, b, c, _ in ALONE]
)
def test_each_modifier_alone(league: str, horde: str, map_: dict[str, str], wanted: Terms) -> None:
    assert blow(battle(league, horde, types="beast spear move=monster", **map_)) == wanted


@rule("AH11.melee", "AH1.grid")
@pytest.mark.parametrize("hex_", RING)
def test_the_flank_and_the_rear_are_easier_to_strike(hex_: str) -> None:
    side, corner = RING[hex_]
    assert blow(battle(f"A spear {hex_} {corner}", "X orc 0504")) == SIDES[side]


@rule("AH11.melee", "AH2.footprint")
@pytest.mark.parametrize(
    ("hex_", "corner", "side"),
    [
        ("0305", "ne", "front"),
        ("0405", "n", "front"),
        ("0505", "n", "front"),
        ("0304", "ne", "flank"),
        ("0604", "sw", "flank"),
        ("0303", "se", "rear"),
        ("0403", "s", "rear"),
        ("0503", "sw", "rear"),
    ],
)
def test_the_sides_of_a_formation(hex_: str, corner: str, side: str) -> None:
    assert blow(battle(f"A spear {hex_} {corner}", LINE)) == SIDES[side]


@rule("AH11.melee")
def test_of_the_sides_that_a_formation_touches_the_worst_for_it_counts() -> None:
    """F touches X with one hex or two."""

    def side(formation: str, target: str) -> int:
        state = battle(formation, target)
        return side_of(state, index(state, "F"), index(state, "X"))

    # 0405 is W of 0505 and 0505: X in 0504 (facing s): SW 0405 front, SE 0505 front
    assert side("F spear 0405+0505", "X orc 0504 s") == FRONT
    # X faces se: front E 0604 and SE 0505, flank SW 0405
    assert side("F spear 0405+0505", "X orc 0504 se") == FRONT
    assert side("F spear 0405+0505", "X orc 0504 sw") == FRONT
    # X faces ne: front NE and E, flank SE 0505, rear SW 0405
    assert side("F spear 0405+0505", "X orc 0504 ne") == FLANK
    assert side("F spear 0405+0505", "X orc 0504 nw") == FLANK
    assert side("F spear 0405+0505", "X orc 0504 n") == REAR
    # with a single hex it is the side of that hex
    assert side("F spear 0505+0605", "X orc 0504 ne") == FLANK
    assert side("F spear 0305+0405", "X orc 0504 ne") == REAR


@rule("AH11.melee", "A.def.figures")
@pytest.mark.parametrize(("count", "bonus"), [(3, 0), (6, 0), (7, -1), (8, -1), (10, -1)])
def test_a_formation_of_four_figures_strikes_better(count: int, bonus: int) -> None:
    state = battle(f"A spear 0505+0605 steps={count} mode=rank-rotation", "X orc 0504")
    assert blow(state) == ([("AH11.melee", bonus)] if bonus else [])
    assert blow(state, "X", "A") == [("AH21.modes", 1)]  # Rank Rotation


OWN = {"march": 2, "tortoise": 2, "rank-rotation": 0, "hedgehog": 2, "shield-wall": 0}


@rule("AH21.modes", "A.def.modes")
@pytest.mark.parametrize("mode", OWN)
def test_what_a_mode_adds_to_the_own_attack(mode: str) -> None:
    terms = blow(battle(f"A spear 0505+0605 mode={mode}", "X orc 0504"))
    assert terms == ([("AH21.modes", OWN[mode])] if OWN[mode] else [])


@rule("AH21.modes")
@pytest.mark.parametrize("hex_", RING)
@pytest.mark.parametrize(
    ("kind", "mode", "front", "elsewhere"),
    [
        ("spear", "march", 0, 0),
        ("spear", "tortoise", 0, 0),
        ("spear", "rank-rotation", 1, 0),
        ("wolf", "rank-rotation", 0, 0),  # only against foot
        ("troll", "rank-rotation", 0, 0),
        ("spear", "hedgehog", 1, None),
        ("wolf", "hedgehog", 3, None),  # mounted and Bestial
        ("rider", "hedgehog", 3, None),  # mounted only
        ("hound", "hedgehog", 3, None),  # Bestial only
        ("spear", "shield-wall", 2, 0),
        ("wolf", "shield-wall", 2, 0),
    ],
)
def test_what_a_mode_adds_to_attacks_on_the_formation(
    kind: str, mode: str, front: int, elsewhere: int | None, hex_: str
) -> None:
    """X stands in 0504 and, to its right, in 0404: A goes to the hexes that are left round 0504."""
    side, corner = RING[hex_]
    if hex_ == "0404":
        return
    types = "rider wolf weapon=none; hound spear weapon=bestial"
    terms = blow(battle(f"A {kind} {hex_} {corner}", f"{LINE} mode={mode}", types=types))
    if elsewhere is None:
        assert terms == [("AH21.modes", front)]  # no flanks and no rear
    else:
        added = front if side == "front" else elsewhere
        monstrous = [("AH11.melee", -1)] if kind == "troll" else []
        assert terms == SIDES[side] + monstrous + ([("AH21.modes", added)] if added else [])


@rule("AH11.melee", "AH21.modes")
def test_the_modifiers_add_up() -> None:
    league = "A wolf 0505+0605 steps=8 winded shaken charged; L leader 0605"
    state = battle(league, "X orc 0404+0504 mode=hedgehog rout", rough="0404", fire="0505=start")
    assert sum(number for _, number in blow(state)) == 1 + 2 - 2 - 3 - 1 - 1 + 1 + 1 + 2 + 3


# --- who attacks whom ----------------------------------------------------------------------------


@rule("AH11.melee")
@pytest.mark.parametrize("first", SEATS)
def test_every_troop_with_an_enemy_before_it_attacks(first: str) -> None:
    """A and X face each other; B has Y before it but Y looks away; C has nobody."""
    state = battle("A spear 0505; B spear 0909; C spear 0202", "X orc 0504; Y orc 0908 n")
    play = melee(state, *MISS * 3, first=first)
    wanted = [("A", "X"), ("B", "Y"), ("X", "A")]
    found = list(
        zip(value(play, "event.strikes", "unit"), value(play, "event.strikes", "target"), strict=True)
    )
    assert found == (wanted if first == "league" else [wanted[2], *wanted[:2]])
    assert {name for name in "ABCXY" if "fought" in marks(play.state, name)} == {"A", "B", "X", "Y"}


@rule("AH11.melee")
def test_without_enemies_in_touch_there_is_no_melee() -> None:
    play = melee(battle("A spear 0505", "X orc 0503"))
    assert told(play) == []
    assert over(play.state)


@rule("AH11.melee", "AH16.rout", "AH28.characters")
def test_neither_units_in_rout_nor_characters_attack_and_characters_are_not_attacked() -> None:
    assert strikes(battle("A spear 0505 rout", "X orc 0504 n")) == []
    assert strikes(battle("A spear 0505 rout", "X orc 0504")) == [("X", "A")]
    assert strikes(battle("L leader 0505", "X orc 0504")) == []
    assert strikes(battle("A spear 0505", "C leader 0504")) == []
    assert strikes(battle("L leader 0505; A spear 0505", "C chief 0504; X orc 0504 n")) == [("A", "X")]


@rule("AH11.melee", "AH29.stack_order")
def test_the_owner_chooses_among_the_foremost_enemies() -> None:
    state = battle("A spear 0505", "X orc 0504 n; Y orc 0504 n; V orc 0604 n; C leader 0604")
    now = phase(state, MeleePhase()).state
    assert decision(now) == TargetChoice(0, index(now, "A"))
    assert reach(now, "strike") == {"X", "V"}
    assert (
        refusals(now, "strike Y") == refusals(now, "strike C") == refusals(now, "strike A") == ["AH11.melee"]
    )
    for target in "XV":
        play = melee_of_sixes(state, target)
        assert [str(e.values["target"]) for e in play.events if e.key == "event.strikes"] == [target]


@rule("AH11.melee", "AH3.turn")
@pytest.mark.parametrize("first", SEATS)
def test_the_side_that_activates_first_chooses_its_targets_first(first: str) -> None:
    state = battle("A spear 0505; B spear 0605", "X orc 0504; Y orc 0604")
    now = phase(state, MeleePhase(), first=first).state
    assert decision(now).seat == SEATS.index(first)
    targets = {"A": "XY", "B": "Y", "X": "A", "Y": "AB"}  # 0605 (B): 0604 and 0704; 0504 (X): 0505 and 0405
    chosen = run(now, "strike Y" if first == "league" else "strike B")
    assert decision(chosen).seat == 1 - SEATS.index(first)
    assert reach(chosen, "strike") == set(targets["Y" if first == "league" else "A"])


@rule("AH29.stack_order", "AH11.melee")
def test_only_the_foremost_of_a_stack_attacks_and_is_struck() -> None:
    state = battle("A spear 0505; B spear 0505", "X orc 0504; Y goblin 0504")
    assert strikes(state) == [("A", "X"), ("X", "A")]
    behind = battle("A spear 0505; B spear 0505", "Y goblin 0504; X orc 0504")
    assert strikes(behind) == [("A", "Y"), ("Y", "A")]
    beaten = battle("A spear 0505 rout; B spear 0505", "X orc 0504 n")  # who cannot attack is passed over
    assert strikes(beaten) == [("B", "X")]
    led = battle("L leader 0505; B spear 0505", "X orc 0504 n")
    assert strikes(led) == [("B", "X")]


@rule("AH11.melee", "AH29.stack_order")
def test_a_formation_attacks_once_from_each_hex_in_which_it_is_foremost() -> None:
    assert strikes(battle("F spear 0505+0605 steps=3", "X orc 0504 n")) == [("F", "X")] * 2
    both = battle("F spear 0505+0605; B spear 0605", "X orc 0504 n")
    assert strikes(both) == [("F", "X")] * 2
    one = battle("B spear 0605 s; F spear 0505+0605", "X orc 0504 n")
    assert strikes(one) == [("F", "X")]
    none = battle("B spear 0605 s; C spear 0505 s; F spear 0505+0605 steps=4", "X orc 0504 n")
    assert strikes(none) == []


@rule("AH29.stack_order")
def test_a_formation_is_struck_where_it_is_foremost() -> None:
    state = battle("A spear 0505", "X orc 0504 n; F orc 0504+0604 n steps=4")
    assert reach(phase(state, MeleePhase()).state, "strike") == {"X", "F"}
    assert strikes(battle("A spear 0505", "F orc 0404+0504 n steps=4; X orc 0504 n")) == [("A", "F")]
    assert strikes(battle("A spear 0505", "X orc 0504 n; F orc 0404+0504 n steps=4")) == [("A", "X")]


@rule("AH21.modes")
def test_a_hedgehog_attacks_all_around() -> None:
    """F in 0505 and 0605 faces north; X behind it and Y beside it look away."""
    state = battle("F spear 0505+0605 mode=hedgehog", "X orc 0606 s; Y orc 0405 s")
    now = phase(state, MeleePhase()).state
    assert reach(now, "strike") == {"X", "Y"}
    assert strikes(battle("F spear 0505+0605 mode=march", "X orc 0606 s; Y orc 0405 s")) == []
    assert strikes(battle("F spear 0505+0605 mode=hedgehog rout", "X orc 0606 s")) == []


@rule("AH21.modes", "AH12.cohesion")
def test_a_hedgehog_is_never_struck_in_the_flank_or_the_rear() -> None:
    state = battle("A spear 0403 s", f"{LINE} mode=hedgehog")
    assert blow(state) == [("AH21.modes", 1)]
    play = melee(state, 4, 3, *MISS * 2, 2, 1)  # 8: a test
    assert value(play, "event.steady", "added") == ["+0"]


# --- stakes --------------------------------------------------------------------------------------


@rule("AH23.stakes")
@pytest.mark.parametrize(
    ("stakes", "facing", "saved"),
    [
        ("0504=s", "s", True),  # A comes from the SE
        ("0504=se", "s", True),
        ("0504=sw", "s", False),  # SW and W
        ("0504=n", "s", False),
        ("0504=s", "se", True),  # one corner off
        ("0504=s", "sw", True),
        ("0504=s", "ne", False),  # two
        ("0504=s", "nw", False),
        ("0504=s", "n", False),
        ("0505=n", "s", False),  # not in the hex of the target
    ],
)
def test_stakes_serve_who_stands_behind_them(stakes: str, facing: str, saved: bool) -> None:
    terms = blow(battle("A spear 0505", f"X orc 0504 {facing}", stakes=stakes))
    assert (("AH23.stakes", 2) in terms) == saved


@rule("AH23.stakes")
@pytest.mark.parametrize("stakes", ["0504=s", "0504=n"])
def test_across_stakes_a_charge_has_no_bonus_and_otherwise_it_has(stakes: str) -> None:
    across = stakes == "0504=s"
    assert blow(battle("A spear 0505 charged", "X orc 0504", stakes=stakes)) == (
        [("AH23.stakes", 2)] if across else [("AH11.melee", -1)]
    )
    assert blow(battle("A wolf 0505 charged", "X orc 0504", stakes=stakes)) == (
        [("AH23.stakes", 4)] if across else [("AH11.melee", -2)]
    )


@rule("AH23.stakes")
@pytest.mark.parametrize(
    ("attacker", "stakes", "saved"),
    [
        ("A spear 0405", "0404=s", False),  # 0405 has both hexes before it
        ("A spear 0405", "0504=s", False),
        ("A spear 0405", "0404=s 0504=s", True),
        ("A spear 0505", "0504=s", True),  # only 0504 is before it
        ("A spear 0505", "0404=s", False),
        ("A spear 0305 ne", "0404=s", True),
    ],
)
def test_a_formation_is_protected_if_all_its_hexes_before_the_attacker_are(
    attacker: str, stakes: str, saved: bool
) -> None:
    terms = blow(battle(attacker, LINE, stakes=stakes))
    assert (("AH23.stakes", 2) in terms) == saved


# --- all at once ---------------------------------------------------------------------------------


@rule("AH11.melee")
def test_all_attacks_are_rolled_before_any_takes_effect() -> None:
    """A and X have one step each and destroy each other."""
    play = melee(battle("A spear 0505 steps=1", "X orc 0504 steps=1"), 2, 1, 2, 1)
    assert [place(play.state, name) for name in "AX"] == ["gone", "gone"]
    keys = [key for _, key in told(play)]
    assert keys[:3] == ["event.melee", "event.strikes", "event.strikes"]


@rule("AH11.melee")
def test_losses_do_not_weaken_the_blows_of_this_phase() -> None:
    """F has 7 steps, that is 4 figures; it loses one and strikes with four all the same."""
    state = battle("A spear 0505", "F orc 0404+0504 steps=7 mode=shield-wall")
    play = melee(state, 1, 2, 3, 4, *MISS, 2, 2, 2, 2)  # A: 3 + 2 is 5, one step; F: 7 - 1 is 6, a test of A
    assert value(play, "event.strikes", "added") == ["+2", "-1", "-1"]
    assert steps(play.state, "F") == 6


@rule("AH12.cohesion", "AH11.melee")
def test_who_is_hit_more_than_once_takes_one_test_for_all_hits() -> None:
    """Four hits on X: one step, two steps from the flank, a test from the rear, and nothing."""
    league = "A spear 0505; B spear 0604 sw; C spear 0403 s; D spear 0503 sw"
    state = battle(league, LINE)
    # A: 5, a step; B: 2 + 2 - 2 is 2, two steps; C: 5 + 4 - 3 is 6, a test; D misses
    play = melee(state, 3, 2, 2, 2, 5, 4, *MISS * 3, 1, 3)
    assert steps(play.state, "X") == 3
    tests = [event for event in play.events if event.clause == "AH12.cohesion"]
    assert len(tests) == 1
    assert tests[0].values["added"] == "+5"  # three steps, one for the crushing blow, one for the flank
    assert tests[0].key == "event.fails"  # 4 + 5 is 9


@rule("AH12.cohesion", "AH11.melee")
def test_the_additions_for_the_flank_and_for_two_steps_count_once() -> None:
    state = battle("A spear 0403 s; B spear 0503 sw", "X orc 0404+0504 steps=8")
    # 5 - 3 is 2: two steps each
    play = melee(state, 3, 2, 3, 2, 1, 1)
    assert steps(play.state, "X") == 4
    (test,) = [event for event in play.events if event.clause == "AH12.cohesion"]
    assert test.values["added"] == "+6"  # four steps, one and one


@rule("AH11.melee", "AH12.cohesion")
@pytest.mark.parametrize("hex_", RING)
def test_a_blow_in_the_flank_or_the_rear_makes_the_test_harder(hex_: str) -> None:
    side, corner = RING[hex_]
    play = melee(battle(f"A spear {hex_} {corner}", "X orc 0504"), *_test_only(side), *_answer(side), 1, 2)
    assert value(play, "event.steady", "added") == ["+0" if side == "front" else "+1"]


def _test_only(side: str) -> tuple[int, int]:
    return pair({"front": 8, "flank": 10, "rear": 11}[side])


def _answer(side: str) -> tuple[int, ...]:
    """X strikes back if A is before it."""
    return MISS if side == "front" else ()


@rule("AH11.melee", "AH17.losses")
def test_nobody_loses_more_steps_than_he_has() -> None:
    play = melee(battle("A spear 0505; B spear 0403 s", "X orc 0504 steps=1"), 1, 1, 1, 1, *MISS)
    assert place(play.state, "X") == "gone"
    assert value(play, "event.loses", "steps") == [1]


@rule("AH3.turn", "AH12.cohesion")
@pytest.mark.parametrize("first", SEATS)
def test_the_side_that_activates_first_takes_its_cohesion_tests_first(first: str) -> None:
    """Both are hit; the first test is failed and the second one passed."""
    play = melee(battle("A spear 0505", "X orc 0504"), 4, 4, 4, 4, 6, 3, 2, 1, first=first)
    shaken = {name for name in "AX" if "shaken" in marks(play.state, name)}
    assert shaken == {"A" if first == "league" else "X"}


@rule("AH3.turn", "AH17.losses")
@pytest.mark.parametrize("first", SEATS)
def test_the_side_that_activates_first_decides_first_what_becomes_of_its_formations(first: str) -> None:
    """Both formations lose a step of three."""
    state = battle("F spear 0405+0505 steps=3 mode=rank-rotation", "X orc 0404+0504 steps=3 mode=march")
    play = (
        melee(state, 3, 2, *MISS, 1, 1, *MISS, first=first)
        if first == "league"
        else melee(state, 1, 1, *MISS, 3, 2, *MISS, first=first)
    )
    assert isinstance(decision(play.state), RemnantChoice)
    assert decision(play.state).seat == SEATS.index(first)


@rule("AH11.melee")
def test_the_dice_are_asked_for_one_attack_after_the_other() -> None:
    play = melee(battle("A spear 0505", "X orc 0504"), 6, 3, 6, 5)
    assert [event.dice for event in play.events if event.key == "event.strikes"] == [(6, 3), (6, 5)]
