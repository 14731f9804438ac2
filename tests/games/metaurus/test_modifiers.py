"""What is added to the die of an attack (M4.mod): each alone, which one counts of several, and their sum.

X in 0504 faces south: 0505 and 0405 are its front, 0404 and 0604 its flanks, 0403 and 0503 its rear.
"""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legatus.games.metaurus.retreat import Fallback
from legatus.games.metaurus.state import MetaurusState, has_marker
from legatus.kernel import Seeded, apply, parse_action
from tests.rules import rule

from .stage import METAURUS, NUMBER, battle, combats, do, refusals, told
from .test_matrix import CELLS

RING = {
    "0505": ("front", "n"),
    "0405": ("front", "ne"),
    "0404": ("flank", "ne"),
    "0604": ("flank", "sw"),
    "0403": ("rear", "s"),
    "0503": ("rear", "sw"),
}
"""The six hexes round X, from which angle they look at it, and a facing that has it in front."""

ORDERS = ("attack", "stand", "move", "move-to-attack", "reform")
PAIRS = list(product(ORDERS, ORDERS))
AS_DEFENDER = {"stand": -1, "move": 1, "reform": 2}
AS_ATTACKER = {"move-to-attack": 1}


def terms(state: MetaurusState, line: str = "attack A X") -> dict[str, int]:
    """By clause, what the menu shows beside the attack; the arms are left out where they are worth 0."""
    assert refusals(state, line) == []
    found = parse_action(METAURUS, line).terms(state)
    assert len({term.clause for term in found}) == len(found)
    return {term.clause: term.value for term in found if (term.clause, term.value) != ("M4.matrix", 0)}


def added(state: MetaurusState, line: str = "attack A X") -> int:
    """What the engine adds when the die falls (a defender who may fall back stands fast)."""
    play = apply(state, parse_action(METAURUS, line), Seeded("added"))
    if not any(event.key == "event.result" for event in play.events):
        assert isinstance(play.state.decision, Fallback)
        play = apply(play.state, parse_action(METAURUS, "stand-fast"), Seeded("added"))
    result = next(event for event in play.events if event.key == "event.result")
    made = int(str(result.values["added"]))
    assert result.values["result"] == max(1, min(int(str(result.values["face"])) + made, 9))
    return made


def check(state: MetaurusState, expected: dict[str, int], line: str = "attack A X") -> None:
    """These terms and no others, and the die is changed by their sum."""
    assert terms(state, line) == expected
    assert added(state, line) == sum(expected.values())


# --- nothing, and each one alone -----------------------------------------------------------------


@rule("M4.roll", "M2.attack.3")
def test_without_any_reason_nothing_is_added() -> None:
    check(combats(battle("A LEGION 0505", "X HI 0504", reserves=True)), {})


@rule("M4.mod.disorder")
def test_a_disordered_attacker_loses_two() -> None:
    check(combats(battle("A LEGION 0505 disordered", "X HI 0504", reserves=True)), {"M4.mod.disorder": -2})


@rule("M4.mod.disorder")
def test_the_disorder_of_the_defender_has_no_influence() -> None:
    check(combats(battle("A LEGION 0505", "X HI 0504 disordered", reserves=True)), {})


@rule("M4.mod.order_stand", "M2.stand.2")
def test_stand_and_defend_protects_by_one() -> None:
    state = battle("A LEGION 0505", "X HI 0504", orders="white=stand")
    check(combats(state), {"M4.mod.order_stand": -1})


@rule("M4.mod.order_move", "M2.move.5")
def test_move_exposes_by_one() -> None:
    state = battle("A LEGION 0505", "X HI 0504", orders="white=move")
    check(combats(state), {"M4.mod.order_move": 1})


@rule("M4.mod.order_reform", "M2.reform.2")
@pytest.mark.parametrize("mark", ["", "disordered"])
def test_reform_exposes_by_two_whether_the_unit_is_disordered_or_not(mark: str) -> None:
    state = battle("A LEGION 0505", f"X HI 0504 {mark}", orders="white=reform", reserves=True)
    check(combats(state), {"M4.mod.order_reform": 2})


@rule("M4.mod.order_mta", "M2.mta.2")
@pytest.mark.parametrize("mark", ["", "moved"])
def test_move_to_attack_gives_one_whether_the_unit_has_moved_or_not(mark: str) -> None:
    state = battle(f"A LEGION 0505 {mark}", "X HI 0504", orders="red=move-to-attack")
    check(combats(state), {"M4.mod.order_mta": 1})


@rule("M4.mod.forest")
def test_a_forest_protects_who_stands_in_it() -> None:
    check(combats(battle("A LEGION 0505", "X HI 0504", forests="0504")), {"M4.mod.forest": -1})
    check(combats(battle("A LEGION 0505", "X HI 0504", forests="0505 0604 0405")), {})


@rule("M4.mod.def_up")
@pytest.mark.parametrize("hills", ["0504=1", "0504=2", "0504=3 0505=2"])
def test_uphill_costs_one_however_steep(hills: str) -> None:
    check(combats(battle("A LEGION 0505", "X HI 0504", hills=hills)), {"M4.mod.def_up": -1})


@rule("M4.mod.att_up")
@pytest.mark.parametrize("hills", ["0505=1", "0505=2", "0505=3 0504=2"])
def test_downhill_gives_one_however_steep(hills: str) -> None:
    check(combats(battle("A LEGION 0505", "X HI 0504", hills=hills)), {"M4.mod.att_up": 1})


@rule("M4.mod.def_up", "M4.mod.att_up")
def test_on_the_same_level_height_is_nothing() -> None:
    check(combats(battle("A LEGION 0505", "X HI 0504", hills="0504=2 0505=2 0604=1")), {})


@rule("M4.mod.river")
@pytest.mark.parametrize("river", ["0504-0505", "0505-0504"])
def test_a_river_protects_the_defender_at_its_own_hexside(river: str) -> None:
    check(combats(battle("A LEGION 0505", "X HI 0504", rivers=river)), {"M4.mod.river": -1})


@rule("M4.mod.river")
def test_a_river_at_any_other_hexside_does_not() -> None:
    others = "0504-0405 0504-0604 0504-0404 0505-0604 0505-0405 0505-0506"
    check(combats(battle("A LEGION 0505", "X HI 0504", rivers=others)), {})


@rule("M4.mod.flank", "M4.mod.rear", "MH2.facing")
@pytest.mark.parametrize("place", RING)
def test_the_angle_is_that_at_which_the_defender_is_struck(place: str) -> None:
    angle, facing = RING[place]
    expected = {"front": {}, "flank": {"M4.mod.flank": 2}, "rear": {"M4.mod.rear": 3}}[angle]
    check(combats(battle(f"A LEGION {place} {facing}", "X HI 0504")), expected)


@rule("M4.mod.flank", "M4.mod.rear")
@pytest.mark.parametrize(
    ("facing", "value"), [("s", 0), ("sw", 2), ("nw", 3), ("n", 3), ("ne", 2), ("se", 0)]
)
def test_it_is_the_facing_of_the_defender_that_matters(facing: str, value: int) -> None:
    assert added(combats(battle("A LEGION 0505", f"X HI 0504 {facing}"))) == value
    assert added(combats(battle("A LEGION 0505 nw", f"X HI 0504 {facing}"))) == value


# --- orders --------------------------------------------------------------------------------------


@rule("M2.attack.3", "M2.stand.2", "M2.move.5", "M2.mta.2", "M2.reform.2")
@pytest.mark.parametrize(("one", "foe"), PAIRS)
def test_orders_of_both_sides(one: str, foe: str) -> None:
    """Only engaged units attack under every order."""
    orders = f"red={one} white={foe}"
    state = combats(battle("A LEGION 0505", "X HI 0504", engaged="A-X", orders=orders))
    assert added(state) == AS_ATTACKER.get(one, 0) + AS_DEFENDER.get(foe, 0)


@rule("M2.independent", "M4.mod.order_stand", "M4.mod.order_move", "M4.mod.order_reform")
@pytest.mark.parametrize(("colour", "own"), PAIRS)
def test_a_marker_of_the_defending_horse_goes_before_that_of_its_colour(colour: str, own: str) -> None:
    orders = f"white={colour} punic-horse={own}"
    state = combats(battle("A CAV 0505", "X CAV 0504", orders=orders))
    assert added(state) == AS_DEFENDER.get(colour if own == "attack" else own, 0)


@rule("M2.independent", "M4.mod.order_stand", "M4.mod.order_move", "M4.mod.order_reform")
@pytest.mark.parametrize(("colour", "own"), PAIRS)
def test_so_does_that_of_the_elephant(colour: str, own: str) -> None:
    orders = f"white={colour} elephants={own} punic-horse=reform"
    state = combats(battle("A LEGION 0505", "X EL 0504", orders=orders))
    assert added(state) == -2 + AS_DEFENDER.get(colour if own == "attack" else own, 0)


@rule("M2.independent", "M4.mod.order_mta")
@pytest.mark.parametrize(("colour", "own"), PAIRS)
def test_so_does_that_of_the_attacking_horse(colour: str, own: str) -> None:
    orders = f"red={colour} roman-horse={own}"
    state = combats(battle("A CAV 0505", "X CAV 0504", engaged="A-X", orders=orders))
    assert added(state) == AS_ATTACKER.get(colour if own == "attack" else own, 0)


@rule("M2.independent")
def test_the_marker_of_the_horse_is_nothing_to_the_foot() -> None:
    orders = "roman-horse=move-to-attack punic-horse=reform elephants=reform"
    check(combats(battle("A LEGION 0505", "X HI 0504", orders=orders)), {})


@rule("MH14.gauls", "M4.mod.order_stand")
@pytest.mark.parametrize("order", ["move", "move-to-attack"])
def test_gauls_who_do_not_stir_count_as_standing(order: str) -> None:
    state = battle("A LEGION 0505", "X HI 0504 group=green", orders=f"green={order}")
    state.held[NUMBER["green"]] = 1
    play = do(combats(state), "attack A X", dice=[5])  # no retreat is offered
    assert ("M4.crt.4_5", "event.engaged") in told(play)
    check(combats(state), {"M4.mod.order_stand": -1})


@rule("MH14.gauls", "M4.mod.order_mta")
def test_gauls_who_do_not_stir_do_not_move_to_attack() -> None:
    state = battle(
        "X LEGION 0505",
        "A HI 0504 group=green",
        orders="green=move-to-attack",
        active="carthage",
        engaged="X-A",
    )
    assert added(combats(state)) == 0
    state.held[NUMBER["green"]] = 1
    assert added(combats(state)) == -1


# --- angles of several ---------------------------------------------------------------------------


def around(*places: str, lead: str = "A") -> tuple[MetaurusState, str]:
    """Attackers A, B, C ... in these hexes, all of them in one combat, A the lead."""
    names = "ABCDEF"[: len(places)]
    rome = "; ".join(f"{n} LEGION {p} {RING[p][1]}" for n, p in zip(names, places, strict=True))
    others = [name for name in names if name != lead]
    return combats(battle(rome, "X HI 0504", reserves=True)), " ".join(
        ["attack", lead, "X", ">".join(others)]
    )


@rule("M4.mod.combo", "M4.mod.flank", "M4.mod.rear", "MH6.lead")
@pytest.mark.parametrize(
    "places", [places for n in range(2, 7) for places in combinations(RING, n)], ids="-".join
)
def test_all_angles_of_every_set_of_attackers(places: tuple[str, ...]) -> None:
    """Two different angles are worth 4, the same angle twice no more than once; any one may lead."""
    angles = {RING[place][0] for place in places}
    one = {"front": {}, "flank": {"M4.mod.flank": 2}, "rear": {"M4.mod.rear": 3}}
    expected = {"M4.mod.combo": 4} if len(angles) > 1 else one[angles.pop()]
    for lead in "ABCDEF"[: len(places)]:
        state, line = around(*places, lead=lead)
        check(state, expected, line)


@rule("M4.mod.combo", "MH5.one_combat")
def test_a_neighbour_who_does_not_join_in_is_no_second_angle() -> None:
    state, _ = around("0505", "0404", "0503")
    check(state, {}, "attack A X")
    check(state, {"M4.mod.flank": 2}, "attack B X")
    check(state, {"M4.mod.rear": 3}, "attack C X")
    check(state, {"M4.mod.combo": 4}, "attack C X B")


# --- the lead ------------------------------------------------------------------------------------


@rule("MH6.lead", "M4.matrix")
def test_the_arm_is_that_of_the_lead() -> None:
    state = combats(battle("A LEGION 0505 n; B CAV 0405 n", "X LI 0504"))
    check(state, {"M4.matrix": 4}, "attack A X B")
    check(state, {"M4.matrix": 3}, "attack B X A")


@rule("MH6.lead", "M4.mod.disorder")
def test_the_disorder_is_that_of_the_lead() -> None:
    state = combats(battle("A LEGION 0505 n disordered; B LEGION 0405 n", "X HI 0504", reserves=True))
    check(state, {"M4.mod.disorder": -2}, "attack A X B")
    check(state, {}, "attack B X A")


@rule("MH6.lead", "M4.mod.order_mta")
def test_the_order_is_that_of_the_lead() -> None:
    orders = "red=move-to-attack"
    state = battle("A LEGION 0505 n; B LEGION 0405 n group=orange", "X HI 0504", orders=orders)
    check(combats(state), {"M4.mod.order_mta": 1}, "attack A X B")
    check(combats(state), {}, "attack B X A")


@rule("MH6.lead", "M4.mod.def_up", "M4.mod.att_up")
def test_the_height_is_that_of_the_lead() -> None:
    state = combats(battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504", hills="0504=1 0505=2"))
    check(state, {"M4.mod.att_up": 1}, "attack A X B")
    check(state, {"M4.mod.def_up": -1}, "attack B X A")


@rule("MH6.lead", "M4.mod.river")
def test_the_river_is_that_of_the_lead() -> None:
    state = combats(battle("A LEGION 0505 n; B LEGION 0405 n", "X HI 0504", rivers="0504-0505"))
    check(state, {"M4.mod.river": -1}, "attack A X B")
    check(state, {}, "attack B X A")


# --- all together --------------------------------------------------------------------------------


@rule("M4.mod.river", "M4.roll")
def test_modifiers_of_different_kinds_are_added_together() -> None:
    state = battle(
        "A LEGION 0505 disordered; B LEGION 0404 ne",
        "X MI 0504",
        orders="red=move-to-attack yellow=reform",
        hills="0504=1",
        forests="0504",
        rivers="0504-0505",
        reserves=True,
    )
    expected = {
        "M4.matrix": 1,
        "M4.mod.disorder": -2,
        "M4.mod.order_reform": 2,
        "M4.mod.order_mta": 1,
        "M4.mod.combo": 4,
        "M4.mod.forest": -1,
        "M4.mod.def_up": -1,
        "M4.mod.river": -1,
    }
    check(combats(state), expected, "attack A X B")


FOUGHT = [pair for pair, value in CELLS.items() if value is not None]


@rule("M4.roll", "MH6.lead", "M4.mod.river")
@settings(max_examples=400)
@given(data=st.data())
def test_the_total_is_the_sum_of_all_that_applies(data: st.DataObject) -> None:
    """Against a second reckoning, with everything that could matter drawn at random."""
    draw = data.draw
    arm, foe = draw(st.sampled_from(FOUGHT))
    places = draw(st.permutations(list(RING)))[: draw(st.integers(1, 4))]
    facing = draw(st.integers(0, 5))  # by so many corners X is turned clockwise from south
    marks = draw(st.lists(st.booleans(), min_size=5, max_size=5))
    one_order, foe_order = draw(st.sampled_from(["attack", "move-to-attack"])), draw(st.sampled_from(ORDERS))
    levels = {p: draw(st.integers(0, 2)) for p in ["0504", *places]}
    forests = draw(st.sets(st.sampled_from(["0504", *RING])))
    rivers = draw(st.sets(st.sampled_from(list(RING))))
    words = [
        f"{name} {arm if name == 'A' else 'HI' if arm in ('EL', 'HI', 'MI') else 'LEGION'} {place} "
        f"{RING[place][1]} group=red {'disordered' * marks[n]}"
        for n, (name, place) in enumerate(zip("ABCD", places, strict=False))
    ]
    # supporters must be of an arm that fights X as well
    words = [words[0], *(w for w in words[1:] if CELLS[w.split()[1], foe] is not None)]
    corners = ["s", "sw", "nw", "n", "ne", "se"]
    state = battle(
        "; ".join(words),
        f"X {foe} 0504 {corners[facing]} group=white {'disordered' * marks[4]}",
        orders=f"red={one_order} white={foe_order}",
        hills=" ".join(f"{p}={n}" for p, n in levels.items()),
        forests=" ".join(sorted(forests)),
        rivers=" ".join(f"0504-{p}" for p in sorted(rivers)),
        reserves=True,
    )
    ring = ["0505", "0405", "0404", "0403", "0503", "0604"]  # clockwise from the south-east
    by_turn = ["front", "front", "flank", "rear", "rear", "flank"]
    fighters = [w.split()[2] for w in words]
    angles = {by_turn[(ring.index(p) - facing) % 6] for p in fighters}
    lead = places[0]
    expected = CELLS[arm, foe]
    assert expected is not None
    expected -= 2 * marks[0]
    expected += AS_ATTACKER.get(one_order, 0) + AS_DEFENDER.get(foe_order, 0)
    expected += 4 if len(angles) > 1 else {"front": 0, "flank": 2, "rear": 3}[min(angles)]
    expected -= "0504" in forests
    expected += (levels[lead] > levels["0504"]) - (levels[lead] < levels["0504"])
    expected -= lead in rivers
    line = " ".join(["attack A X", ">".join(w.split()[0] for w in words[1:])]).strip()
    check_sum = terms(combats(state), line)
    assert sum(check_sum.values()) == expected
    assert added(combats(state), line) == expected


# --- the order of the defender is turned up -------------------------------------------------------


@rule("M2.reveal")
@pytest.mark.parametrize("foe", ORDERS[1:])
def test_a_hidden_order_is_revealed_when_one_of_its_units_is_attacked(foe: str) -> None:
    state = combats(battle("A LEGION 0505", "X HI 0504", orders=f"white={foe}"))
    white = NUMBER["white"]
    assert state.shown[white] == 0
    play = do(state, "attack A X", dice=[] if foe == "move" else [5 - AS_DEFENDER.get(foe, 0)])
    (shown,) = (event for event in play.events if event.key == "event.reveals")
    assert (shown.clause, shown.values) == ("M2.reveal", {"group": "white", "order": foe})
    assert play.state.shown[white] == 1
    assert play.state.done[white] == 0  # it can still be activated
    assert play.sealed


@rule("M2.reveal")
def test_the_absence_of_a_marker_is_not_revealed_and_one_is_revealed_once() -> None:
    for orders, shown in (("", ""), ("white=stand", "white")):
        play = do(
            combats(battle("A LEGION 0505", "X HI 0504", orders=orders, shown=shown)), "attack A X", [5]
        )
        assert not [event for event in play.events if event.key == "event.reveals"]


@rule("M2.reveal", "M2.independent")
@pytest.mark.parametrize(("orders", "turned"), [("punic-horse=stand", "punic-horse"), ("", "white")])
def test_it_is_the_marker_of_the_horse_that_is_turned_up_if_there_is_one(orders: str, turned: str) -> None:
    state = combats(battle("A CAV 0505", "X CAV 0504", orders=f"white=stand yellow=stand {orders}"))
    after = do(state, "attack A X", dice=[5]).state
    assert [g for g, n in NUMBER.items() if after.shown[n] and has_marker(after.order[n])] == [turned]


@rule("M2.reveal")
def test_other_orders_stay_hidden() -> None:
    orders = "white=stand yellow=stand green=stand"
    state = combats(battle("A LEGION 0505", "X MI 0504; Y HI 0404", orders=orders))
    after = do(state, "attack A X", dice=[5]).state
    assert [g for g, n in NUMBER.items() if after.shown[n]] == ["yellow"]
