"""3 Movement: what a step costs (M3.mv), Move and Move to Attack, friends and enemies, exits, facing."""

from __future__ import annotations

import pytest

from legatus.games.metaurus import METAURUS
from legatus.games.metaurus.facing import Turning
from legatus.games.metaurus.movement import Marching, Moves
from legatus.games.metaurus.state import MetaurusState, sees
from legatus.kernel import Scripted, start
from legatus.parts.hexes import CORNERS, FLANK, FRONT, REAR
from tests.rules import rule

from .stage import (
    activations,
    battle,
    combats,
    decision,
    do,
    engaged,
    facing,
    index,
    legal_lines,
    moves,
    over,
    place,
    refusals,
    run,
    told,
)

FOOT = ("LEGION", "HI", "MI", "LI", "EL")
AROUND = {"ne": "0604", "e": "0605", "se": "0606", "sw": "0506", "w": "0405", "nw": "0504"}  # of 0505


def taken(state: MetaurusState, name: str) -> MetaurusState:
    """The unit is taken up and asked where it goes, together with all groups of its side."""
    side = state.roster.units[index(state, name)].side
    groups = [group.id for group in state.roster.groups if group.side == side]
    state.active = side
    return run(moves(state, *groups), f"march {name}")


def ways(state: MetaurusState, name: str) -> set[str]:
    """Where a unit can go."""
    return {line.split()[1] for line in legal_lines(taken(state, name))}


def lone(arm: str, hex_: str, order: str, move: int, **map_: str) -> MetaurusState:
    """One unit U of an arm on the map, under an order."""
    marks = f"U {arm} {hex_} move={move}"
    if arm in ("LEGION", "CAV"):
        return battle(f"{marks} group=red", "", orders=f"red={order}", **map_)
    return battle("", f"{marks} group=white", orders=f"white={order}", active="carthage", **map_)


def within(state: MetaurusState, start: str, hexes: int) -> set[str]:
    grid = state.roster.grid
    return {name for name in grid.names if grid.distance(grid.cells[start], grid.cells[name]) <= hexes}


def walked(state: MetaurusState, start: str, steps: int, foes: str) -> set[str]:
    """As far as so many steps of one point lead without a hex next to an enemy: what M2.move.2 says."""
    grid = state.roster.grid
    barred = {name for foe in foes.split() for name in within(state, foe, 1)}
    found = {start}
    for _ in range(steps):
        ends = {cell for name in found for cell in grid.neighbours[grid.cells[name]] if cell >= 0}
        found |= {grid.names[cell] for cell in ends} - barred
    return found


# --- what a step costs ---------------------------------------------------------------------------

# (levels of the hex that is left and of the one that is entered, forest, river): cost for foot and horse
COSTS = {
    (0, 0, False, False): (1, 1),
    (1, 0, False, False): (1, 1),
    (2, 0, False, False): (1, 1),
    (2, 2, False, False): (1, 1),
    (0, 0, True, False): (2, 4),
    (2, 1, True, False): (2, 4),
    (0, 1, False, False): (2, 2),
    (1, 2, False, False): (2, 2),
    (0, 2, False, False): (3, 3),
    (0, 0, False, True): (2, 3),
    (1, 0, False, True): (2, 3),
    (0, 1, True, False): (3, 5),
    (0, 0, True, True): (3, 6),
    (0, 1, False, True): (3, 4),
    (0, 1, True, True): (4, 7),
    (0, 2, True, True): (5, 8),
}


def step(arm: str, order: str, move: int, ground: tuple[int, int, bool, bool]) -> MetaurusState:
    """U stands in 0505 and would go to 0605, around which a river may run; all other ground is level."""
    here, there, wooded, wet = ground
    ring = "0605-0505 0605-0604 0605-0704 0605-0705 0605-0706 0605-0606"
    others = " ".join(f"{name}={here}" for name in sorted(within(battle(), "0505", 2) - {"0605"}))
    return lone(
        arm,
        "0505",
        order,
        move,
        hills=f"{others} 0605={there}",
        forests="0605" if wooded else "",
        rivers=ring if wet else "",
    )


@rule("M3.mv.forest", "M3.mv.climb", "M3.mv.river", "M0.counters.2")
@pytest.mark.parametrize("ground", COSTS)
@pytest.mark.parametrize("arm", FOOT)
def test_what_a_step_costs_foot_and_elephants(arm: str, ground: tuple[int, int, bool, bool]) -> None:
    cost = COSTS[ground][0]
    assert "0605" in ways(step(arm, "move", cost, ground), "U")
    assert cost == 1 or refusals(taken(step(arm, "move", cost - 1, ground), "U"), "go 0605") == [
        "M0.counters.2"
    ]


@rule("M3.mv.forest_cav", "M3.mv.river_cav", "M3.mv.climb", "M0.counters.2")
@pytest.mark.parametrize("ground", COSTS)
def test_what_a_step_costs_cavalry(ground: tuple[int, int, bool, bool]) -> None:
    cost = COSTS[ground][1]
    assert "0605" in ways(step("CAV", "move", cost, ground), "U")
    assert cost == 1 or refusals(taken(step("CAV", "move", cost - 1, ground), "U"), "go 0605") == [
        "M0.counters.2"
    ]


@rule("M2.mta.1")
@pytest.mark.parametrize("ground", COSTS)
@pytest.mark.parametrize(("arm", "horse"), [("LEGION", 0), ("MI", 0), ("CAV", 1)])
def test_under_move_to_attack_a_hex_must_not_be_too_dear(
    arm: str, horse: int, ground: tuple[int, int, bool, bool]
) -> None:
    cost = COSTS[ground][horse]
    assert "0605" in ways(step(arm, "move-to-attack", cost, ground), "U")
    if cost > 1:
        state = taken(step(arm, "move-to-attack", cost - 1, ground), "U")
        assert refusals(state, "go 0605") == ["M2.mta.1"]
        assert refusals(state, "go 0505") == []


@rule("M3.mv.river", "M3.mv.climb")
def test_a_step_costs_as_much_in_one_direction_as_the_ground_says() -> None:
    """A river costs both ways, a hill only on the way up."""
    wet = {"rivers": "0505-0605 0405-0505 0505-0504 0505-0604 0505-0506 0505-0606"}
    assert ways(lone("LEGION", "0505", "move", 1, **wet), "U") == {"0505"}
    assert "0505" not in ways(lone("LEGION", "0605", "move", 1, **wet), "U")
    up = {"hills": "0505=1"}
    assert "0505" not in ways(lone("LEGION", "0605", "move", 1, **up), "U")
    assert "0605" in ways(lone("LEGION", "0505", "move", 1, **up), "U")


@rule("M2.move.1", "M0.counters.2")
@pytest.mark.parametrize("move", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("arm", [*FOOT, "CAV"])
def test_under_move_a_unit_goes_as_far_as_its_allowance(arm: str, move: int) -> None:
    state = lone(arm, "0505", "move", move)
    assert ways(state, "U") == within(state, "0505", move)


@rule("M2.move.1")
def test_the_costs_of_all_steps_are_added_up() -> None:
    """Along the northern edge of a map of two rows, with forest in both rows of the third column."""
    map_ = {"forests": "0200 0201"}
    for move, farthest in ((1, "0100"), (2, "0100"), (3, "0200"), (4, "0300"), (5, "0400")):
        state = battle(f"U LEGION 0000 move={move}", orders="red=move", rows=2, **map_)  # type: ignore[arg-type]
        assert max(name for name in ways(state, "U") if name.endswith("00")) == farthest


@rule("M2.move.1", "M3.mv.forest_cav")
def test_the_cheapest_way_counts() -> None:
    """Round the wood it is three hexes; through it four points for horse and two for foot."""
    wood = {"forests": "0605"}
    assert "0705" not in ways(lone("CAV", "0505", "move", 2, **wood), "U")
    assert "0705" in ways(lone("CAV", "0505", "move", 3, **wood), "U")
    assert "0605" not in ways(lone("CAV", "0505", "move", 3, **wood), "U")
    assert "0705" in ways(lone("LEGION", "0505", "move", 3, **wood), "U")
    assert "0705" not in ways(lone("LEGION", "0505", "move", 2, **wood), "U")


@rule("M3.mv.forest", "M3.mv.climb", "M3.mv.river", "M3.mv.river_cav", "MH1.map")
def test_prices_on_the_historical_field() -> None:
    """For foot and for horse."""
    state = start(METAURUS, METAURUS.configure("historical"), Scripted([9, 0])).state
    price = state.roster.price
    cells = state.roster.grid.cells

    def cost(a: str, b: str) -> tuple[int, int]:
        return price(cells[a], cells[b], False), price(cells[a], cells[b], True)

    assert cost("1708", "1707") == (3, 4)  # over the stream and one level up
    assert cost("1707", "1708") == (2, 3)  # down again: the stream only
    assert cost("1207", "1208") == (2, 4)  # into the wood, where no stream is
    assert cost("1307", "1308") == (2, 3)  # the stream begins here
    assert cost("1707", "1706") == (2, 2)  # from level 1 to level 2
    assert cost("0503", "0502") == (2, 3)  # the Metaurus
    assert cost("0307", "0308") == (2, 2)  # up the western ridge
    assert cost("0308", "0307") == (1, 1)


# --- Move ----------------------------------------------------------------------------------------


@rule("M2.move.2")
def test_under_move_no_hex_next_to_an_enemy_is_entered() -> None:
    state = battle("U LEGION 0505", "X MI 0502", orders="red=move")
    ring = within(state, "0502", 1)
    assert ways(state, "U") == walked(state, "0505", 4, "0502")
    march = taken(state, "U")
    for name in ring - {"0502"}:
        assert refusals(march, f"go {name}") == ["M2.move.2"]
    assert refusals(march, "go 0502") == ["MH4.stacking"]


@rule("M2.move.2")
@pytest.mark.parametrize("disorder", ["", "disordered"])
@pytest.mark.parametrize("arm", ["EL", "CAV", "HI", "MI", "LI"])
def test_every_enemy_is_kept_away_from(arm: str, disorder: str) -> None:
    state = battle("U CAV 0505 move=3", f"X {arm} 0503 {disorder}", orders="red=move")
    assert ways(state, "U") == walked(state, "0505", 3, "0503")


@rule("M2.move.2")
def test_carthage_keeps_away_from_romans() -> None:
    state = battle("A LEGION 0505", "X LI 0506 move=4", orders="white=move", active="carthage")
    assert ways(state, "X") == walked(state, "0506", 4, "0505")
    assert {"0605", "0606", "0405"}.isdisjoint(ways(state, "X"))


@rule("M2.move.2")
def test_also_in_passing_no_hex_next_to_an_enemy_is_entered() -> None:
    """Two enemies close a map of four rows: what lies behind is near enough, but there is no way."""
    gate = battle("U LEGION 0301 move=7", "X MI 0501; Y MI 0502", orders="red=move", rows=4)
    assert ways(gate, "U") == walked(gate, "0301", 7, "0501 0502")
    assert max(ways(gate, "U")) < "0500"
    opened = battle("U LEGION 0301 move=7", "X MI 0501", orders="red=move", rows=4)
    assert "0802" in ways(opened, "U")


@rule("M2.move.2")
def test_who_finds_no_way_past_the_enemy_is_told_so() -> None:
    """It is five hexes away, for seven points: what is wrong is not the distance."""
    gate = battle("U LEGION 0301 move=7", "X MI 0501; Y MI 0502", orders="red=move", rows=4)
    assert refusals(taken(gate, "U"), "go 0801") == ["M2.move.2"]
    assert refusals(taken(gate, "U"), "go 1101") == ["M0.counters.2"]


@rule("M2.move.3")
def test_a_unit_next_to_an_enemy_may_walk_away() -> None:
    """Its first step leads to a hex that adjoins no enemy."""
    state = battle("U LEGION 0505 move=1", "X MI 0504", orders="red=move")
    assert ways(state, "U") == {"0505", "0605", "0606", "0506"}
    march = taken(state, "U")
    assert refusals(march, "go 0604") == refusals(march, "go 0405") == ["M2.move.2"]
    after = run(march, "go 0506", "face n")
    assert place(after, "U") == "0506"


@rule("M2.move.3")
def test_a_unit_between_enemies_that_has_no_first_step_stays() -> None:
    state = battle("U CAV 0505", "X MI 0504; Y MI 0606", orders="red=move")
    assert ways(state, "U") == {"0505"}
    assert refusals(taken(state, "U"), "go 0605") == ["M2.move.2"]


@rule("M2.engaged_must", "M2.move.3")
@pytest.mark.parametrize("order", ["move", "move-to-attack"])
@pytest.mark.parametrize("foe", ["EL", "CAV", "HI", "MI", "LI"])
def test_an_engaged_unit_does_not_move(order: str, foe: str) -> None:
    state = battle(
        "A LEGION 0505; B LEGION 0905", f"X {foe} 0504", orders=f"red={order}", engaged="A-X", active="rome"
    )
    state = moves(state, "red")
    assert refusals(state, "march A") == ["M2.engaged_must"]
    assert refusals(state, "march B") == []


@rule("M2.engaged_must")
@pytest.mark.parametrize("order", ["move", "move-to-attack"])
@pytest.mark.parametrize(
    ("rome", "carthage", "name", "free"),
    [
        ("A LEGION 0505", "X LI 0504", "X", True),  # LI never attacks
        ("A CAV 0505", "X LI 0504", "X", True),
        ("A CAV 0505", "X EL 0504", "A", True),  # horses shy from it
        ("A CAV 0505", "X EL 0504", "X", False),
        ("A CAV 0505", "X CAV 0504", "A", False),
        ("A CAV 0505", "X LI 0504", "A", False),
        ("A LEGION 0505", "X EL 0504", "A", False),
        ("A LEGION 0505", "X HI 0504", "X", False),
        ("A LEGION 0505", "X MI 0504", "X", False),
    ],
)
def test_only_units_that_could_never_make_the_attack_are_exempt(
    order: str, rome: str, carthage: str, name: str, free: bool
) -> None:
    state = battle(
        f"{rome}; B LEGION 0910",
        f"{carthage} group=white; Y HI 0900",
        orders=f"red={order} white={order}",
        engaged="A-X",
        active="rome" if name == "A" else "carthage",
    )
    state = moves(state, "red" if name == "A" else "white")
    assert refusals(state, f"march {name}") == ([] if free else ["M2.engaged_must"])


@rule("M2.engaged_must")
def test_horse_engaged_with_the_elephant_and_with_another_is_bound() -> None:
    state = battle(
        "A CAV 0505; B CAV 0910", "X EL 0504; Y HI 0604", orders="red=move", engaged="A-X A-Y", active="rome"
    )
    assert refusals(moves(state, "red"), "march A") == ["M2.engaged_must"]


@rule("M2.engaged_must", "M2.move.3")
def test_an_exempt_unit_that_walks_away_is_no_longer_engaged() -> None:
    state = battle("A LEGION 0505", "X LI 0504", orders="white=move", engaged="A-X", active="carthage")
    left = run(moves(state, "white"), "march X", "go 0502", "face s")
    assert engaged(left) == set()
    turned = run(moves(state, "white"), "march X", "go 0504", "face n")
    assert engaged(turned) == {"A-X"}


@rule("M2.engaged_must")
def test_an_exempt_unit_that_stays_in_touch_stays_engaged() -> None:
    state = battle("A CAV 0505", "X EL 0504", orders="red=move-to-attack", engaged="A-X")
    state = run(moves(state, "red"), "march A", "go 0604", "face n")
    assert (place(state, "A"), engaged(state)) == ("0604", {"A-X"})


# --- Move to Attack ------------------------------------------------------------------------------


@rule("M2.mta.1")
@pytest.mark.parametrize("arm", [*FOOT, "CAV"])
def test_under_move_to_attack_a_unit_goes_one_hex(arm: str) -> None:
    state = lone(arm, "0505", "move-to-attack", 7)
    assert ways(state, "U") == {"0505", *AROUND.values()}
    assert refusals(taken(state, "U"), "go 0705") == ["M2.mta.1"]


@rule("M2.mta.1", "MH4.stacking")
def test_under_move_to_attack_it_may_come_next_to_enemies_and_go_from_one_to_another() -> None:
    state = battle("A LEGION 0505", "X MI 0504; Y MI 0603", orders="red=move-to-attack")
    assert ways(state, "A") == {"0505", "0604", "0605", "0606", "0506", "0405"}
    assert refusals(taken(state, "A"), "go 0504") == ["MH4.stacking"]


@rule("M2.mta.1", "M2.attack.2")
def test_after_its_hex_it_has_to_attack() -> None:
    state = battle("A LEGION 0505; B LEGION 0910", "X MI 0503", orders="red=move-to-attack")
    state = run(moves(state, "red"), "march A", "go 0604", "face n", "done")
    assert legal_lines(state) == ["attack A X"]


# --- friends and enemies -------------------------------------------------------------------------


@rule("MH4.stacking")
def test_friends_are_passed_through_at_no_extra_cost_and_not_stopped_at() -> None:
    rome = "U LEGION 0000 move=2; B LEGION 0100; C CAV 0001 group=orange"
    state = battle(rome, orders="red=move")
    assert ways(state, "U") == {"0000", "0200", "0101", "0102", "0002"}
    march = taken(state, "U")
    assert refusals(march, "go 0100") == refusals(march, "go 0001") == ["MH4.stacking"]


@rule("MH4.stacking", "M3.mv.forest")
def test_the_ground_under_a_friend_costs_what_it_costs() -> None:
    state = battle(
        "U LEGION 0000 move=2; B LEGION 0100; C LEGION 0001", orders="red=move", forests="0100 0001"
    )
    assert ways(state, "U") == {"0000"}


@rule("M2.move.2", "MH4.stacking")
def test_there_is_no_way_through_a_friend_who_stands_next_to_an_enemy() -> None:
    rome = "U LEGION 0000; B LEGION 0100; C LEGION 0001"
    state = battle(rome, "X MI 0101", orders="red=move")
    assert ways(state, "U") == {"0000"}
    assert "0002" in ways(battle(rome, "X MI 0201", orders="red=move"), "U")


@rule("MH4.stacking")
def test_no_unit_ends_where_a_friend_stands() -> None:
    state = battle("A LEGION 0505; B CAV 0605", orders="red=move-to-attack")
    assert refusals(taken(state, "A"), "go 0605") == ["MH4.stacking"]
    assert refusals(taken(state, "A"), "go 0505") == []


@rule("MH4.stacking")
@pytest.mark.parametrize("order", ["move", "move-to-attack"])
def test_no_unit_enters_the_hex_of_an_enemy(order: str) -> None:
    state = battle("A LEGION 0505", "X MI 0504", orders=f"red={order}")
    assert refusals(taken(state, "A"), "go 0504") == ["MH4.stacking"]


# --- leaving by the south ------------------------------------------------------------------------


@rule("MH8.exit")
@pytest.mark.parametrize(
    ("arm", "hex_", "order", "move", "free"),
    [
        ("HI", "0511", "move", 1, True),
        ("HI", "0510", "move", 2, True),
        ("HI", "0510", "move", 1, False),
        ("HI", "0508", "move", 4, True),
        ("HI", "0507", "move", 4, False),
        ("CAV", "0505", "move", 7, True),
        ("CAV", "0504", "move", 7, False),
        ("EL", "0511", "move-to-attack", 1, True),
        ("LI", "0511", "move-to-attack", 5, True),
        ("MI", "0510", "move-to-attack", 4, False),
        ("CAV", "0510", "move-to-attack", 7, False),
        ("HI", "0500", "move", 4, False),  # not over the other edges
        ("HI", "0005", "move", 4, False),
        ("HI", "1105", "move", 4, False),
    ],
)
def test_carthaginians_leave_from_the_last_row_for_one_point(
    arm: str, hex_: str, order: str, move: int, free: bool
) -> None:
    state = battle(
        "",
        f"U {arm} {hex_} move={move} group=white",
        orders=f"white={order}",
        active="carthage",
        reserves=True,
    )
    march = taken(state, "U")
    assert ("go south" in legal_lines(march)) == free
    assert refusals(march, "go south") == ([] if free else ["MH8.exit"])


@rule("MH8.exit")
@pytest.mark.parametrize("order", ["move", "move-to-attack"])
@pytest.mark.parametrize("arm", ["LEGION", "CAV"])
def test_romans_never_leave(arm: str, order: str) -> None:
    state = battle(f"U {arm} 0511", orders=f"red={order}", reserves=True)
    assert refusals(taken(state, "U"), "go south") == ["MH8.exit"]
    assert "go south" not in legal_lines(taken(state, "U"))


@rule("MH8.exit", "M5.carthage.2")
def test_who_has_left_is_out_and_counted_and_chooses_no_facing() -> None:
    state = battle(
        "", "U HI 0511 disordered; V HI 0311", orders="white=move", active="carthage", reserves=True
    )
    state.exits = 0
    play = do(run(moves(state, "white"), "march U"), "go south")
    after = play.state
    assert (place(after, "U"), after.exits) == ("exited", 1)
    assert after.killed == [0, 0]
    assert ("MH8.exit", "event.exits") in told(play)
    assert isinstance(decision(after), Moves)
    assert refusals(after, "march U") == ["M2.scope"]
    assert run(after, "march V", "go south").exits == 2


@rule("MH8.exit", "MH4.stacking")
def test_the_way_out_leads_through_friends_too() -> None:
    carthage = "U LI 0010 move=2; V HI 0011; W HI 0110"
    state = battle("", carthage, orders="white=move", active="carthage", reserves=True)
    assert "south" in ways(state, "U")


@rule("MH8.exit", "M2.move.2")
def test_the_way_out_does_not_lead_past_enemies_under_move() -> None:
    state = battle(
        "A LEGION 0111; B LEGION 0411; C LEGION 0711; D LEGION 1011",
        "U CAV 0508",
        orders="white=move",
        active="carthage",
    )
    assert refusals(taken(state, "U"), "go south") == ["MH8.exit"]


@rule("MH8.exit", "MH4.stacking")
def test_the_way_out_does_not_lead_through_an_enemy() -> None:
    state = battle("A LEGION 0511", "U HI 0510 move=2", orders="white=move", active="carthage", reserves=True)
    assert "south" not in ways(state, "U")


@rule("MH8.exit", "M2.move.3")
def test_a_unit_next_to_an_enemy_in_the_last_row_may_leave() -> None:
    for order in ("move", "move-to-attack"):
        state = battle(
            "A LEGION 0611", "U HI 0511", orders=f"white={order}", active="carthage", reserves=True
        )
        assert "south" in ways(state, "U")


@rule("MH8.exit", "M2.engaged_must")
def test_an_engaged_unit_does_not_leave() -> None:
    state = battle(
        "A LEGION 0611", "U HI 0511; V HI 0111", orders="white=move", engaged="A-U", active="carthage"
    )
    assert refusals(moves(state, "white"), "march U") == ["M2.engaged_must"]


@rule("MH8.exit", "M2.stand.1", "M2.attack.1", "M2.reform.1")
@pytest.mark.parametrize(
    ("order", "clause"), [("stand", "M2.stand.1"), ("reform", "M2.reform.1"), ("attack", "M2.attack.1")]
)
def test_under_other_orders_nobody_moves_turns_or_leaves(order: str, clause: str) -> None:
    carthage = "U HI 0511; V MI 0311 group=yellow"
    state = battle("", carthage, orders=f"white={order} yellow=move", active="carthage", reserves=True)
    state = moves(state, "white", "yellow")
    assert refusals(state, "march U") == [clause]
    assert refusals(state, "march V") == []


# --- facing --------------------------------------------------------------------------------------


@rule("M3.facing.1")
@pytest.mark.parametrize("order", ["move", "move-to-attack"])
@pytest.mark.parametrize("corner", CORNERS)
def test_a_unit_moves_in_every_direction_whichever_way_it_faces(corner: str, order: str) -> None:
    state = battle(f"U LEGION 0505 {corner}", orders=f"red={order}")
    assert set(AROUND.values()) <= ways(state, "U")
    after = run(taken(state, "U"), "go 0506")
    assert facing(after, "U") == corner


@rule("M3.facing.2", "MH2.facing")
@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("hex_", ["0506", "0505"])
def test_after_its_move_it_takes_any_facing_also_if_it_has_stayed(hex_: str, corner: str) -> None:
    state = run(taken(battle("U LEGION 0505; V LEGION 0905", orders="red=move"), "U"), f"go {hex_}")
    assert isinstance(decision(state), Turning)
    assert legal_lines(state) == [f"face {corner}" for corner in CORNERS]
    after = run(state, f"face {corner}")
    assert (place(after, "U"), facing(after, "U")) == (hex_, corner)


@rule("M3.facing.2")
def test_it_must_be_given_a_facing_before_anybody_else_moves() -> None:
    state = battle("U LEGION 0505; V LEGION 0905", orders="red=move")
    state = run(moves(state, "red"), "march U", "go 0506")
    assert refusals(state, "march V") == ["M3.facing.2"]
    assert refusals(state, "done") == ["M3.facing.2"]
    assert refusals(state, "face e") == refusals(state, "face 7") == ["MH2.facing"]
    assert isinstance(decision(run(state, "face s")), Moves)


@rule("M3.facing.2")
@pytest.mark.parametrize("order", ["stand", "attack", "reform"])
def test_a_unit_that_is_not_free_to_move_keeps_its_facing(order: str) -> None:
    state = battle("U LEGION 0505 se", orders=f"red={order}")
    after = run(activations(state), "activate red")
    assert over(after)
    assert facing(after, "U") == "se"


@rule("M3.facing.2", "M2.engaged_must")
def test_an_engaged_unit_does_not_turn_instead_of_moving() -> None:
    state = battle("A LEGION 0505 s", "X MI 0504", orders="red=move", engaged="A-X")
    state = run(activations(state), "activate red")
    assert legal_lines(state) == ["attack A X"]


@rule("MH2.facing")
@pytest.mark.parametrize(
    ("corner", "front", "flanks", "rear"),
    [
        ("ne", "ne e", "nw se", "sw w"),
        ("se", "e se", "ne sw", "w nw"),
        ("s", "se sw", "e w", "nw ne"),
        ("sw", "sw w", "se nw", "ne e"),
        ("nw", "w nw", "sw ne", "e se"),
        ("n", "nw ne", "w e", "se sw"),
    ],
)
def test_two_hexes_are_front_two_are_flanks_and_two_are_rear(
    corner: str, front: str, flanks: str, rear: str
) -> None:
    state = battle(f"U LEGION 0505 {corner}")
    cells = state.roster.grid.cells
    found = {name: sees(state, index(state, "U"), cells[hex_]) for name, hex_ in AROUND.items()}
    wanted = {FRONT: front, FLANK: flanks, REAR: rear}
    assert found == {name: angle for angle, names in wanted.items() for name in names.split()}
    assert sees(state, index(state, "U"), cells["0705"]) not in (FRONT, FLANK, REAR)
    look = METAURUS.look(state, 0, "U", "en")
    assert look is not None
    shown = {zone.kind: set(zone.places) for zone in look.zones}
    assert shown == {
        kind: {AROUND[name] for name in names.split()}
        for kind, names in (("front", front), ("flank", flanks), ("rear", rear))
    }


@rule("MH2.facing")
@pytest.mark.parametrize("corner", ["n", "s"])
def test_a_line_from_west_to_east_covers_its_own_flanks(corner: str) -> None:
    state = battle(f"A LEGION 0405 {corner}; B LEGION 0505 {corner}; C LEGION 0605 {corner}")
    one = index(state, "B")
    assert [sees(state, one, state.cell[index(state, name)]) for name in "AC"] == [FLANK, FLANK]


# --- taking a unit up ----------------------------------------------------------------------------


@rule("M2.move.1", "M2.mta.1")
@pytest.mark.parametrize("order", ["move", "move-to-attack"])
@pytest.mark.parametrize("hex_", ["0506", "0505"])
def test_a_unit_moves_once(order: str, hex_: str) -> None:
    state = battle("U LEGION 0505; V LEGION 0905", orders=f"red={order}")
    state = run(moves(state, "red"), "march U", f"go {hex_}", "face n")
    assert refusals(state, "march U") == ["M2.move.1"]
    assert refusals(state, "march V") == []


@rule("M3.resolve", "M2.scope")
def test_only_units_of_the_group_are_moved() -> None:
    rome = "A LEGION 0505; B LEGION 0605 group=orange; C LEGION 0705"
    state = battle(rome, "X MI 0902", orders="red=move orange=move yellow=move")
    state.cell[index(state, "C")] = -1
    state.at[state.roster.grid.cells["0705"]] = -1
    state = moves(state, "red")
    assert refusals(state, "march A") == []
    assert refusals(state, "march B") == ["M3.resolve"]
    for name in ("X", "C", "nobody"):
        assert refusals(state, f"march {name}") == ["M2.scope"]


@rule("MH17.activation", "M2.move.1")
def test_nobody_is_obliged_to_move() -> None:
    state = battle("A LEGION 0505; B LEGION 0605", orders="red=move")
    assert over(run(moves(state, "red"), "done"))
    assert over(run(moves(state, "red"), "march A", "go 0504", "face n", "done"))
    last = run(moves(state, "red"), "march A", "go 0504", "face n", "march B", "go 0604", "face n")
    assert over(last)  # nobody is left to be asked about


@rule("M4.after_moves")
def test_there_is_no_attack_before_the_moves_are_over_and_no_move_after_it() -> None:
    state = battle("A LEGION 0505; B LEGION 0605", "X MI 0504", orders="red=move-to-attack", reserves=True)
    state = moves(state, "red")
    assert refusals(state, "attack A X") == ["M2.move.1"]
    state = run(state, "done")
    assert refusals(state, "march B") == ["M2.attack.2"]
    assert refusals(combats(state, "red"), "attack A X") == []


@rule("M2.move.1", "MH2.facing")
def test_a_closer_look_tells_where_an_order_leads_and_at_what_price() -> None:
    state = battle("U LEGION 0000 move=2; B LEGION 0100", "X HI 1111", orders="red=move", forests="0001")
    look = METAURUS.look(state, 0, "U", "en")
    assert look is not None
    assert look.costs == {"0001": "2", "0200": "2", "0101": "2"}
    assert METAURUS.look(state, 0, "X", "en").costs == {}  # type: ignore[union-attr]
    assert METAURUS.look(state, 0, "nobody", "en") is None


@rule("M3.facing.1", "MH1.map")
def test_a_hex_must_be_on_the_map() -> None:
    state = taken(battle("U LEGION 0505", orders="red=move"), "U")
    assert isinstance(decision(state), Marching)
    for name in ("1205", "0512", "nowhere", "505", "north"):
        assert refusals(state, f"go {name}") == ["MH1.map"]
    assert refusals(state, "march U") == ["M3.facing.1"]


@rule("M2.move.1", "M2.mta.1")
@pytest.mark.parametrize(("order", "clause"), [("move", "M2.move.1"), ("move-to-attack", "M2.mta.1")])
def test_a_move_is_told_with_its_clause(order: str, clause: str) -> None:
    state = taken(battle("U LEGION 0505; V LEGION 0905", orders=f"red={order}"), "U")
    assert told(do(state, "go 0506")) == [(clause, "event.moves")]
    assert told(do(state, "go 0505")) == []
    assert told(do(do(state, "go 0505").state, "face s")) == [("M3.facing.2", "event.faces")]
    assert told(do(do(state, "go 0505").state, "face n")) == []
