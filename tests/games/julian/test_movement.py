"""5 Movement: what a step costs, what stops a stack, stacking, and a Military for the march."""

from __future__ import annotations

import pytest

from legatus.games.julian import JULIAN
from legatus.games.julian.movement import Go, Marching, Moves
from legatus.games.julian.state import BARBARIAN, HALVES, MOVED, POOL, ROMAN, SEATS, JulianState, put
from tests.rules import rule

from .stage import at, campaign, clauses, do, go_on, hand, holder, legal_lines, refusals, run, told, where

ROMANS, BARBARIANS = "caesar equitum peditum", "alamanni southern franks"


def moving(units: str, seat: int = ROMAN, **more: object) -> JulianState:
    """A movement sub-phase in which all commands of a side are activated."""
    settings: dict[str, object] = {"acting": (ROMANS, BARBARIANS)[seat], "active": SEATS[seat], **more}
    return at(campaign(units, **settings), Moves(seat))  # type: ignore[arg-type]


def ends(state: JulianState) -> set[str]:
    """Where the stack that was taken up can go."""
    return {line.split()[1] for line in legal_lines(state) if line.startswith("go ")}


def left(state: JulianState) -> float:
    """The points that a stack on its way has left; -1 if its move is over."""
    decision = state.decision
    return decision.left / HALVES if isinstance(decision, Marching) else -1


def keys(state: JulianState, line: str) -> list[tuple[str, str]]:
    return [(refusal.clause, refusal.key.removeprefix("refusal.")) for refusal in refusals(state, line)]


# --- what a step costs ---------------------------------------------------------------------------


@rule("JH.move")
@pytest.mark.parametrize(
    ("a", "b", "cost"),
    [
        ("0105", "0104", 1),  # clear
        ("0203", "0303", 2),  # forest
        ("0306", "0406", 3),  # mountain
        ("0406", "0306", 1),  # out of the mountains
        ("0204", "0304", 0.5),  # along a road
        ("0302", "0402", 0.5),  # along a road through a forest
        ("0304", "0305", 1),  # both on roads, but not from one to the other
        ("0503", "0603", 2),  # over the Rhine into clear ground
        ("0603", "0503", 2),
        ("0506", "0606", 3),  # over the Rhine into a forest
        ("0607", "0608", 4),  # over the Rhine into mountains
    ],
)
def test_what_a_step_costs(a: str, b: str, cost: float) -> None:
    state = run(moving(f"julian {a}"), f"march {a}")
    assert left(state) == 5
    state = run(state, f"go {b}")
    assert where(state, "julian") == b
    assert left(state) == 5 - cost


@rule("JH.move", "JH.23_0")
@pytest.mark.parametrize(("b", "cost"), [("0606", 2), ("0505", 0.5)])
def test_a_frozen_rhine_costs_nothing_more(b: str, cost: float) -> None:
    state = moving("julian 0506")
    state.frozen = state.turn
    assert left(run(state, "march 0506", f"go {b}")) == 5 - cost
    state.frozen = state.turn + 1  # not yet
    assert left(run(state, "march 0506", f"go {b}")) == 5 - {"0606": 3, "0505": 0.5}[b]


@rule("JH.move")
def test_points_suffice_to_the_last_half() -> None:
    state = run(moving("equitum-limitanei-1 0304"), "march 0304")
    beside = {"0303", "0404", "0305", "0205", "0204", "0203"}  # the forest too: one hex in any case
    by_road = {"0403", "0405"}
    assert ends(state) == beside | by_road


@rule("JH.move", "JH.units")
@pytest.mark.parametrize(
    ("kind", "points", "last", "beyond"),
    [
        ("limitanei", 1, "0706", "0605"),
        ("comitatenses", 3, "0605", "0604"),  # 2 points, and 2 more over the Rhine
        ("equites", 4, "0604", "0503"),
    ],
)
def test_a_unit_goes_as_far_as_its_factor(kind: str, points: int, last: str, beyond: str) -> None:
    state = run(moving(f"equitum-{kind}-1 0806"), "march 0806")
    assert left(state) == points
    assert last in ends(state)
    assert keys(state, f"go {beyond}") == [("JH.move", "too_far")]


@rule("JH.move")
@pytest.mark.parametrize("hex_", ["0608", "0607", "0606"])
def test_a_unit_may_always_move_one_hex(hex_: str) -> None:
    state = run(moving("peditum-limitanei-1 0507"), "march 0507", f"go {hex_}")
    assert where(state, "peditum-limitanei-1") == hex_
    assert left(state) == -1


@rule("JH.move")
def test_but_only_the_first_hex_of_its_move() -> None:
    state = run(moving("equitum-limitanei-1 0204"), "march 0204", "go 0203")
    assert left(state) == 0.5
    assert ends(state) == {"0302", "0204"}
    assert keys(state, "go 0103") == [("JH.move", "too_far")]


@rule("JH.move", "JH.map")
@pytest.mark.parametrize("hex_", ["0708", "0000", "0910", "x"])
def test_closed_hexes_are_no_hexes_to_go_to(hex_: str) -> None:
    state = run(moving("caesar-equites-1 0508"), "march 0508")
    assert keys(state, f"go {hex_}") == [("JH.map", "no_such_hex")]


@rule("JH.move")
def test_a_stack_moves_at_the_pace_of_its_slowest() -> None:
    units = "equitum-comitatenses-1 0105; equitum-limitanei-1 0105; marcellus 0105"
    state = run(moving(units), "march 0105")
    assert left(state) == 1
    state = run(state, "leave equitum-limitanei-1")
    assert left(state) == 3
    state = run(state, "leave equitum-comitatenses-1")
    assert left(state) == 5


@rule("JH.move")
def test_the_stack_takes_the_cheapest_way_and_may_go_on() -> None:
    state = run(moving("caesar-auxilia-1 0203; julian 0203"), "march 0203")
    play = do(state, "go 0404")  # by the road, not through the forest
    event = next(event for event in play.events if event.key == "event.moves")
    assert event.values["path"] == ("0204", "0304", "0404")
    assert event.values["units"] == ("caesar-auxilia-1", "julian")
    assert left(play.state) == 1.5
    state = run(play.state, "go 0403", "go 0404", "pass")
    assert where(state, "julian") == where(state, "caesar-auxilia-1") == "0404"
    remark = Go("0404").remark(run(moving("caesar-auxilia-1 0203"), "march 0203"))
    assert remark is not None
    assert remark.values["through"] == ("0204", "0304")
    assert Go("0204").remark(run(moving("caesar-auxilia-1 0203"), "march 0203")) is None


@rule("JH.move", "JH.stack", "JH.6_0")
@pytest.mark.parametrize(
    ("others", "changed"),
    [
        ("franks-warband-1 0404", True),  # bars and stops
        ("franks-warband-1 0404; franks-warband-2 0404", True),
        ("salii-band-1 0304", True),  # no room beside neutrals
        ("; ".join(f"equitum-limitanei-{n} 0304" for n in range(1, 5)) + "; garrison-1 0304", True),
        ("nebisgast 0404", False),  # no combat unit
    ],
)
def test_where_a_stack_may_end_follows_those_who_stand_there_now(others: str, changed: bool) -> None:
    """On one and the same map: asked before they come, while they are there, and when they have gone."""
    alone = moving("caesar-auxilia-1 0203")
    before, crowded = ends(run(alone, "march 0203")), at(alone, Moves(ROMAN))
    rows = [row.split() for row in others.split("; ")]
    for name, place in rows:
        put(crowded, crowded.roster.index[name], crowded.roster.grid.cells[place])
    assert crowded.roster is alone.roster
    found = ends(run(crowded, "march 0203"))
    assert found == ends(run(moving(f"caesar-auxilia-1 0203; {others}"), "march 0203"))
    assert (found != before) == changed
    for name, _ in rows:
        put(crowded, crowded.roster.index[name], POOL)
    assert ends(run(crowded, "march 0203")) == before


@rule("JH.move")
def test_and_how_strong_they_are_now() -> None:
    """The raiders are too weak to stop the stack; a retinue in their place does, and nobody else changes."""
    state = moving("caesar-auxilia-1 0203; caesar-auxilia-2 0203; franks-raiders-1 0404")
    weak = ends(run(state, "march 0203"))
    index, cells = state.roster.index, state.roster.grid.cells
    put(state, index["franks-raiders-1"], POOL)
    put(state, index["franks-retinue-1"], cells["0404"])
    strong = ends(run(state, "march 0203"))
    units = "caesar-auxilia-1 0203; caesar-auxilia-2 0203; franks-retinue-1 0404"
    assert strong == ends(run(moving(units), "march 0203"))
    assert strong < weak


@rule("JH.move", "JH.cities")
def test_who_passes_a_city_on_his_way_has_entered_it() -> None:
    units = "alamanni-raiders-1 0306; alamanni-warband-1 0109"
    state = moving(units, BARBARIAN)
    after = run(state, "march 0306", "go 0308")
    assert after.plunder == 2
    assert holder(after, "andematunnum") == holder(after, "cabillonum") == "roman"
    after = run(state, "march 0109", "go 0207")  # through Augustodunum
    assert (holder(after, "augustodunum"), after.plunder) == ("barbarian", 2)


# --- one move after the other --------------------------------------------------------------------


@rule("JH.move", "JH.ops_phase")
def test_every_move_is_finished_before_the_next() -> None:
    state = moving("caesar-auxilia-1 0105; caesar-auxilia-2 0105; caesar-equites-1 0205")
    assert legal_lines(state) == ["march 0105", "march 0205", "pass"]
    state = run(state, "march 0105")
    assert clauses(state, "march 0205") == ["JH.move"]
    state = run(state, "leave caesar-auxilia-2", "go 0104", "pass")
    assert isinstance(state.decision, Moves)
    assert legal_lines(state) == ["march 0105", "march 0205", "pass"]
    assert where(state, "caesar-auxilia-2") == "0105"
    state = run(state, "march 0105", "go 0106", "pass", "march 0205", "go 0206", "pass")
    assert state.decision is None
    assert [where(state, f"caesar-{name}") for name in ("auxilia-1", "auxilia-2", "equites-1")] == [
        "0104",
        "0106",
        "0206",
    ]


@rule("JH.move")
def test_who_stays_has_finished_his_move_too() -> None:
    state = run(moving("caesar-auxilia-1 0105; caesar-equites-1 0205"), "march 0105", "pass")
    assert where(state, "caesar-auxilia-1") == "0105"
    assert state.flags[state.roster.index["caesar-auxilia-1"]] == MOVED
    assert keys(state, "march 0105") == [("JH.move", "moved")]
    assert state.flags[state.roster.index["caesar-equites-1"]] == 0


@rule("JH.ops_phase")
def test_the_sub_phase_may_be_declined() -> None:
    state = run(moving("caesar-auxilia-1 0105"), "pass")
    assert state.decision is None
    assert where(state, "caesar-auxilia-1") == "0105"


@rule("JH.ops_phase")
def test_only_activated_units_move() -> None:
    state = moving("caesar-auxilia-1 0105; peditum-auxilia-1 0105; peditum-equites-1 0205", acting="caesar")
    assert legal_lines(state) == ["march 0105", "pass"]
    assert keys(state, "march 0205") == [("JH.ops_phase", "not_activated")]
    state = run(state, "march 0105", "go 0104", "pass")
    assert where(state, "peditum-auxilia-1") == "0105"
    assert state.decision is None


@rule("JH.6_0", "JH.ops_phase")
def test_federates_move_only_when_they_are_called() -> None:
    units = "salii-band-1 0105; caesar-auxilia-1 0205"
    state = moving(units, acting="caesar", allies="salii=roman")
    assert keys(state, "march 0105") == [("JH.ops_phase", "not_activated")]
    state = moving(units, acting="caesar", allies="salii=roman", called="salii")
    assert where(run(state, "march 0105", "go 0104", "pass"), "salii-band-1") == "0104"
    state = moving(units, allies="salii=barbarian", called="salii")  # of the other side
    assert keys(state, "march 0105") == [("JH.move", "nobody_there")]


@rule("JH.units", "JH.commands")
def test_garrisons_never_move() -> None:
    state = moving("garrison-1 0105; caesar-auxilia-1 0205")
    assert keys(state, "march 0105") == [("JH.ops_phase", "not_activated"), ("JH.units", "never_moves")]
    state = run(moving("garrison-1 0105; caesar-auxilia-1 0105"), "march 0105", "go 0104", "pass")
    assert where(state, "garrison-1") == "0105"


@rule("JH.move")
@pytest.mark.parametrize("hex_", ["0205", "0106", "0000"])
def test_a_stack_is_taken_where_own_units_stand(hex_: str) -> None:
    state = moving("caesar-auxilia-1 0105; alamanni-warband-1 0205")
    assert keys(state, f"march {hex_}") == [("JH.move", "nobody_there")]


@rule("JH.move")
def test_who_can_be_left() -> None:
    units = "caesar-auxilia-1 0105; caesar-auxilia-2 0105; caesar-equites-1 0205; alamanni-raiders-1 0008"
    state = run(moving(units), "march 0105")
    leaves = [line for line in legal_lines(state) if line.startswith("leave")]
    assert leaves == ["leave caesar-auxilia-1", "leave caesar-auxilia-2"]
    assert keys(state, "leave caesar-equites-1") == [("JH.move", "not_in_stack")]
    assert keys(state, "leave alamanni-raiders-1") == [("JH.move", "not_in_stack")]
    alone = run(state, "leave caesar-auxilia-2")
    assert keys(alone, "leave caesar-auxilia-1") == [("JH.move", "last_in_stack")]
    assert [line for line in legal_lines(alone) if line.startswith("leave")] == []
    on_way = run(state, "go 0104")
    assert keys(on_way, "leave caesar-auxilia-2") == [("JH.move", "on_the_way")]
    assert [line for line in legal_lines(on_way) if line.startswith("leave")] == []


# --- stops ---------------------------------------------------------------------------------------

COM, AUX = "caesar-comitatenses-{} 0104", "caesar-auxilia-{} 0104"


@rule("JH.move")
@pytest.mark.parametrize(
    ("movers", "foes", "stops"),
    [
        ((COM.format(1),), "alamanni-warband-1 0205", True),  # 2 of 4: half
        ((COM.format(1), AUX.format(1)), "alamanni-warband-1 0205", False),  # 2 of 7
        ((COM.format(1), AUX.format(1)), "alamanni-retinue-1 0205", False),  # 3 of 7
        ((AUX.format(1), AUX.format(2)), "alamanni-retinue-1 0205", True),  # 3 of 6
        (
            (COM.format(1), AUX.format(1)),
            "alamanni-warband-1 0205; alamanni-warband-2 0205",
            True,
        ),  # 4 of 7
        (
            (COM.format(1), AUX.format(1)),
            "alamanni-warband-1 0205; alamanni-warband-2 0206",
            False,
        ),  # two stacks of 2
        (("julian 0104",), "alamanni-raiders-1 0205", True),  # a leader alone
        (("julian 0104", COM.format(1)), "alamanni-raiders-1 0205", False),  # 1 of 4
        ((AUX.format(1),), "chnodomar 0205", False),  # leaders block nobody
        (("julian 0104",), "chnodomar 0205", False),
        ((AUX.format(1),), "peditum-comitatenses-1 0205", False),  # friends
    ],
)
def test_a_stack_must_stop_beside_half_its_own_factors(
    movers: tuple[str, ...], foes: str, stops: bool
) -> None:
    state = run(moving("; ".join((*movers, foes)), acting="caesar"), "march 0104", "go 0105")
    assert (left(state) == -1) == stops


@rule("JH.move", "JH.6_0")
@pytest.mark.parametrize(
    ("allies", "stops"), [("", False), ("laeti=barbarian", True), ("laeti=roman", False)]
)
def test_federates_of_the_enemy_stop_a_stack_and_neutrals_do_not(allies: str, stops: bool) -> None:
    state = moving("caesar-auxilia-1 0104; laeti-band-1 0205", acting="caesar", allies=allies)
    assert (left(run(state, "march 0104", "go 0105")) == -1) == stops


@rule("JH.move")
def test_a_garrison_stops_barbarians() -> None:
    state = moving("alamanni-raiders-1 0104; garrison-1 0205", BARBARIAN)
    assert left(run(state, "march 0104", "go 0105")) == -1


@rule("JH.move")
def test_beyond_a_stop_nothing_is_in_reach() -> None:
    state = run(moving("alamanni-raiders-1 0008; garrison-1 0107", BARBARIAN), "march 0008")
    assert "0007" in ends(state)
    assert "0006" not in ends(state)  # only by 0007, which lies beside the garrison
    assert left(run(state, "go 0007")) == -1


@rule("JH.move")
def test_who_stands_beside_the_enemy_may_leave_and_stops_again_only_on_entering() -> None:
    state = run(moving("caesar-comitatenses-1 0105; alamanni-warband-1 0205"), "march 0105")
    assert left(run(state, "go 0005")) == 2
    assert left(run(state, "go 0106")) == 2
    assert left(run(state, "go 0206")) == -1  # beside it again


@rule("JH.move")
def test_nobody_enters_a_hex_with_enemy_combat_units() -> None:
    state = run(moving("caesar-equites-1 0105; alamanni-raiders-1 0106; chnodomar 0005"), "march 0105")
    assert keys(state, "go 0106") == [("JH.move", "enemy_there")]
    assert clauses(state, "go 0005") == []  # a leader alone bars no way (JH.leaders)


@rule("JH.6_0", "JH.move")
def test_the_hex_of_a_neutral_people_is_only_passed() -> None:
    units = "caesar-equites-1 0206; laeti-band-1 0207; garrison-1 0107; garrison-2 0306"
    state = run(moving(units), "march 0206")
    assert keys(state, "go 0207") == [("JH.6_0", "neutrals_there")]
    wall = "; ".join(f"franks-warband-{n} {hex_}" for n, hex_ in ((1, "0101"), (2, "0302"), (3, "0301")))
    state = run(moving(f"julian 0202; salii-band-1 0201; {wall}"), "march 0202")
    assert "0201" not in ends(state)
    state = run(moving("caesar-equites-1 0101; salii-band-1 0201"), "march 0101")
    assert "0300" in ends(state)  # through 0201 it is 2 points


# --- stacking ------------------------------------------------------------------------------------

FIVE = "equitum-limitanei-1 0105; equitum-limitanei-2 0105; equitum-limitanei-3 0105; garrison-1 0105"


@rule("JH.stack")
def test_a_hex_takes_five_combat_units_of_a_side() -> None:
    units = f"{FIVE}; caesar-auxilia-1 0104; caesar-auxilia-2 0104; julian 0104"
    state = run(moving(units, acting="caesar"), "march 0104")
    assert keys(state, "go 0105") == [("JH.stack", "stack_full")]
    assert "0105" not in ends(state)
    state = run(state, "leave caesar-auxilia-2")
    assert clauses(state, "go 0105") == []
    state = run(state, "go 0105", "pass")
    assert keys(run(state, "march 0104"), "go 0105") == [("JH.stack", "stack_full")]


@rule("JH.stack", "JH.leaders")
def test_leaders_are_free() -> None:
    state = moving(f"{FIVE}; equitum-limitanei-4 0105; julian 0104; barbatio 0105", acting="caesar")
    assert where(run(state, "march 0104", "go 0105", "pass"), "julian") == "0105"


@rule("JH.stack", "JH.6_0")
def test_federates_count_with_their_side() -> None:
    units = f"{FIVE}; salii-band-1 0105; caesar-auxilia-1 0104"
    state = run(moving(units, acting="caesar", allies="salii=roman"), "march 0104")
    assert keys(state, "go 0105") == [("JH.stack", "stack_full")]


@rule("JH.stack")
def test_a_full_hex_can_be_passed() -> None:
    units = f"{FIVE}; equitum-limitanei-4 0105; caesar-auxilia-1 0104"
    state = run(moving(units, acting="caesar"), "march 0104")
    assert "0105" not in ends(state)
    assert "0206" in ends(state)
    state = run(state, "go 0206", "pass")
    assert where(state, "caesar-auxilia-1") == "0206"


# --- a Military for the march --------------------------------------------------------------------


@rule("JS.military.1")
@pytest.mark.parametrize(
    ("units", "points"),
    [
        ("caesar-auxilia-1 0105", 6),
        ("equitum-limitanei-1 0105", 2),
        ("caesar-equites-1 0105; equitum-limitanei-1 0105", 2),
        ("julian 0105; caesar-equites-1 0105", 8),
    ],
)
def test_a_military_doubles_the_movement_of_a_stack(units: str, points: int) -> None:
    state = run(moving(units, hands=("military", "")), "march 0105")
    assert "force-march" in legal_lines(state)
    play = do(state, "force-march")
    assert left(play.state) == points
    assert ("JS.military.1", "event.force_march") in told(play)
    assert hand(play.state, "roman") == {}
    assert play.state.pool[5] == 7  # J0.discard


@rule("JS.military.1", "JS.imperium.1")
def test_an_imperium_serves_as_the_military() -> None:
    state = run(moving("caesar-auxilia-1 0105", hands=("imperium imperium", "")), "march 0105")
    assert clauses(state, "force-march") == ["J0.title"]
    assert [line for line in legal_lines(state) if line.startswith("force")] == ["force-march imperium"]
    state = run(state, "force-march imperium")
    assert (left(state), hand(state, "roman"), state.imperium) == (6, {"imperium": 1}, [1, 0])


@rule("JS.imperium.limit")
def test_but_not_a_second_one_in_the_phase() -> None:
    state = moving("caesar-auxilia-1 0105", hands=("imperium", ""))
    state.imperium = [1, 0]
    assert clauses(run(state, "march 0105"), "force-march imperium") == ["JS.imperium.limit"]
    state.imperium = [0, 1]  # that of the other does not count
    assert clauses(run(state, "march 0105"), "force-march imperium") == []


@rule("J0.title", "JS.military.1")
def test_without_the_marker_nothing_is_doubled() -> None:
    state = run(moving("caesar-auxilia-1 0105", hands=("agentes", "military imperium")), "march 0105")
    assert clauses(state, "force-march") == ["J0.title"]
    assert clauses(state, "force-march imperium") == ["J0.title"]
    assert not [line for line in legal_lines(state) if line.startswith("force")]


@rule("JS.military.limit")
def test_one_military_a_move() -> None:
    units = "caesar-auxilia-1 0105; caesar-auxilia-2 0205"
    state = run(moving(units, hands=("military military", "")), "march 0105", "force-march")
    assert clauses(state, "force-march") == ["JS.military.limit"]
    assert "force-march" not in legal_lines(state)
    state = run(state, "go 0104")
    assert clauses(state, "force-march") == ["JS.military.limit"]
    state = run(state, "pass", "march 0205")  # another move
    assert clauses(state, "force-march") == []


@rule("JS.military.1")
def test_it_is_played_before_the_stack_sets_out() -> None:
    state = run(moving("caesar-auxilia-1 0105", hands=("military", "")), "march 0105", "go 0104")
    assert clauses(state, "force-march") == ["JS.military.1"]
    assert "force-march" not in legal_lines(state)


@rule("JS.military.1.together")
def test_a_doubled_stack_stays_together() -> None:
    units = "caesar-auxilia-1 0105; caesar-auxilia-2 0105"
    state = run(moving(units, hands=("military", "")), "march 0105", "force-march")
    assert clauses(state, "leave caesar-auxilia-2") == ["JS.military.1.together"]
    assert not [line for line in legal_lines(state) if line.startswith("leave")]
    state = run(state, "go 0104")
    assert left(state) == 5
    assert clauses(state, "leave caesar-auxilia-2") == ["JS.military.1.together"]
    assert where(state, "caesar-auxilia-2") == "0104"


@rule("JS.military.1")
def test_a_stop_is_a_stop_for_a_doubled_stack_too() -> None:
    units = "caesar-comitatenses-1 0104; alamanni-warband-1 0205"
    state = run(moving(units, hands=("military", "")), "march 0104", "force-march", "go 0105")
    assert left(state) == -1


# --- questions and what is shown -----------------------------------------------------------------


@rule("JH.move")
def test_nobody_is_asked_who_cannot_move() -> None:
    assert go_on(moving("garrison-1 0105; alamanni-warband-1 0205")).state.decision is None
    assert isinstance(go_on(moving("caesar-auxilia-1 0105")).state.decision, Moves)


@rule("JS.agentes.1", "JH.windows")
def test_an_agentes_may_be_played_on_the_march() -> None:
    state = run(moving("caesar-auxilia-1 0105", hands=("agentes", "")), "march 0105")
    assert "spy" in legal_lines(state)
    after = run(state, "spy")
    assert isinstance(after.decision, Marching)
    assert hand(after, "roman") == {}


@rule("JH.move")
def test_a_look_at_a_unit_tells_where_it_can_go_and_at_what_cost() -> None:
    state = moving("caesar-auxilia-1 0203; caesar-auxilia-2 0203; garrison-1 0204; alamanni-warband-1 0008")
    seen = JULIAN.look(state, ROMAN, "caesar-auxilia-1", "en")
    assert seen is not None
    assert seen.costs["0204"] == "½"
    assert seen.costs["0303"] == "2"
    assert seen.costs["0404"] == "1½"
    assert "0203" not in seen.costs
    assert [clause for _, clause in seen.lines] == ["JH.stack"]
    begun = run(state, "march 0203", "go 0204")
    seen = JULIAN.look(begun, ROMAN, "caesar-auxilia-2", "en")
    assert seen is not None
    assert set(seen.costs) == ends(begun)
    garrison = JULIAN.look(state, ROMAN, "garrison-1", "en")
    assert garrison is not None
    assert (garrison.costs, garrison.lines) == ({}, ())
    assert JULIAN.look(state, ROMAN, "caesar-equites-1", "en") is None
    assert JULIAN.look(state, ROMAN, "nobody", "en") is None
    slow = JULIAN.look(moving("peditum-limitanei-1 0507"), ROMAN, "peditum-limitanei-1", "en")
    assert slow is not None
    assert (slow.costs["0508"], slow.costs["0608"]) == ("½", "1")  # mountains take all that it has


@rule("JH.25_0")
def test_a_look_tells_of_hunger_where_supply_is_played() -> None:
    for supply in (False, True):
        state = moving("caesar-auxilia-1 0805", supply=supply)
        seen = JULIAN.look(state, ROMAN, "caesar-auxilia-1", "en")
        assert seen is not None
        assert ("JH.25_0" in [clause for _, clause in seen.lines]) == supply


@rule("JH.move", "JH.map")
def test_the_first_hex_of_a_map_is_like_any_other() -> None:
    """On the smaller map 0000 is no sea."""
    state = moving("caesar-equites-1 0001; barbatio 0000", acting="caesar peditum", scenario="argentoratum")
    state = run(state, "march 0001", "go 0000", "pass", "march 0000", "go 0100", "pass")
    assert (where(state, "caesar-equites-1"), where(state, "barbatio")) == ("0000", "0100")
