"""16 The turn and 17 Command: weather, initiative, instructions, special orders, wings, and who acts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.activation import Activation, WingChoice, WingTurn
from legatus.games.formations.endphase import EndPhase
from legatus.games.formations.state import INSTRUCTIONS, SEATS, WEATHERS, FormationsState
from legatus.games.formations.turn import Command, FirstChoice, Initiative, Orders, Turn, Weather
from legatus.games.formations.units import complies
from legatus.kernel import Scripted, Setup, legal, say, start
from tests.rules import rule

from .phases import moving, pair, phase, reach, ways
from .stage import (
    NUMBER,
    acting,
    at,
    battle,
    decision,
    do,
    index,
    legal_lines,
    marks,
    over,
    place,
    refusals,
    run,
    told,
)

# Z, lost long ago, is unit number 0: see test_a_wing_of_which_only_unit_number_0_is_left_acts
BOTH = ("Z spear 1111 gone; A spear 0510; B spear 0710 wing=heron", "X orc 0501; Y orc 0701 wing=red")


def commanding(state: FormationsState, side: str = "league") -> FormationsState:
    """A side gives its instructions and orders."""
    return at(state, Command(SEATS.index(side)))


def seat(state: FormationsState) -> str:
    assert decision(state) is not None
    return SEATS[decision(state).seat]


# --- weather -------------------------------------------------------------------------------------


@rule("AH24.weather", "A.def.weather")
@pytest.mark.parametrize("total", range(2, 13))
def test_two_dice_make_the_weather(total: int) -> None:
    wanted = "heat-wave" if total <= 3 else "fair" if total <= 7 else "cloudy" if total <= 10 else "rain"
    play = phase(battle(weather=""), Weather(), dice=pair(total))
    assert WEATHERS[play.state.weather] == wanted
    assert told(play) == [("AH24.weather", "event.weather")]


@rule("AH24.weather")
@pytest.mark.parametrize("weather", WEATHERS)
def test_a_scenario_may_settle_the_weather(weather: str) -> None:
    play = phase(battle(weather=weather), Weather())  # no dice
    assert WEATHERS[play.state.weather] == weather


@rule("AH24.weather", "AH3.turn")
def test_the_weather_is_rolled_before_the_first_turn_and_never_again() -> None:
    setup = FORMATIONS.configure()
    changing = Setup({**setup.scenario, "weather": ""}, (), setup.options)
    play = start(FORMATIONS, changing, Scripted([6, 5, 6, 6, 1, 1]))
    keys = [event.key for event in play.events]
    assert keys == ["event.weather", "event.turn", "event.initiative"]
    assert (play.state.turn, WEATHERS[play.state.weather]) == (1, "rain")
    later = phase(play.state, Turn(), dice=[6, 6, 1, 1])
    assert [event.key for event in later.events] == ["event.turn", "event.initiative"]
    assert (later.state.turn, WEATHERS[later.state.weather]) == (2, "rain")


# --- initiative ----------------------------------------------------------------------------------


def chiefs(league: int, horde: int, lost: str = "") -> FormationsState:
    gone = {side: "gone" if side == lost else "" for side in SEATS}
    return battle(
        f"M chief 0510 command={league} {gone['league']}; A spear 0510",
        f"W chief 0501 command={horde} {gone['horde']}; X orc 0501",
    )


@rule("AH3.turn")
@pytest.mark.parametrize(
    ("values", "dice", "winner"),
    [
        ((0, 0), (3, 4, 3, 3), "league"),
        ((0, 0), (3, 3, 3, 4), "horde"),
        ((2, 0), (3, 3, 3, 4), "league"),
        ((1, 3), (3, 4, 3, 3), "horde"),
        ((2, 1), (3, 3, 3, 4, 1, 1, 1, 2, 5, 5, 6, 6), "horde"),  # 8:8, 4:4, 12:13
        ((1, 1), (6, 6, 6, 6, 2, 2, 1, 1), "league"),
    ],
)
def test_the_higher_total_with_the_command_value_has_the_initiative(
    values: tuple[int, int], dice: Sequence[int], winner: str
) -> None:
    play = phase(chiefs(*values), Initiative(), dice=dice)
    assert isinstance(decision(play.state), FirstChoice)
    assert seat(play.state) == winner
    assert told(play) == [("AH3.turn", "event.initiative")] * (len(dice) // 4)


@rule("AH3.turn", "A.def.cinc")
def test_a_lost_commander_in_chief_counts_nothing() -> None:
    assert seat(phase(chiefs(3, 0), Initiative(), dice=[2, 3, 3, 3]).state) == "league"  # 8:6
    assert seat(phase(chiefs(3, 0, "league"), Initiative(), dice=[2, 3, 3, 3]).state) == "horde"  # 5:6
    assert seat(phase(chiefs(0, 3, "horde"), Initiative(), dice=[3, 3, 2, 3]).state) == "league"


@rule("AH3.turn")
@pytest.mark.parametrize("side", SEATS)
@pytest.mark.parametrize("winner", SEATS)
def test_whoever_has_it_says_who_activates_first(winner: str, side: str) -> None:
    dice = [6, 6, 1, 1] if winner == "league" else [1, 1, 6, 6]
    state = phase(battle(*BOTH), Turn(), dice=dice).state
    assert seat(state) == winner
    assert reach(state, "begin") == set(SEATS)
    assert refusals(state, "begin boar") == ["AH3.turn"]
    state = run(state, f"begin {side}")
    assert state.first == SEATS.index(side)
    assert isinstance(decision(state), Command)
    assert seat(state) == side


# --- the order of things -------------------------------------------------------------------------


@rule("AH3.turn", "AH4.activation")
@pytest.mark.parametrize("side", SEATS)
def test_a_turn_from_beginning_to_end(side: str) -> None:
    """Initiative, command, wings in turn, melee, end; then the next turn, until somebody decides again."""
    other = SEATS[1 - SEATS.index(side)]
    wings = {"league": ("boar", "heron"), "horde": ("black", "red")}
    state = battle(
        "Z spear 1111 gone; A spear 0505; B spear 0710 wing=heron", "X orc 0504; Y orc 0701 wing=red"
    )
    state = run(phase(state, Turn(), dice=[6, 6, 1, 1]).state, f"begin {side}")
    for who in (side, other):
        assert decision(state) == Command(SEATS.index(who))
        state = run(state, "done")
    for n in (0, 1):
        for who in (side, other):
            assert decision(state) == WingChoice(SEATS.index(who))
            assert state.active == SEATS.index(who)
            state = run(state, f"activate-wing {wings[who][n]}")
            assert decision(state) == WingTurn(SEATS.index(who), NUMBER[wings[who][n]])
            if (n, who) != (1, other):
                state = run(state, "end-wing")
    # melee of A and X (no effect), fatigue (both bear up), turn 5, initiative
    play = do(state, "end-wing", dice=[6, 6, 6, 6, 6, 6, 1, 1, 6, 6])
    keys = [event.key for event in play.events if event.key != "event.activates"]
    assert keys == [
        "event.melee",
        "event.strikes",
        "event.strikes",
        "event.bears_up",
        "event.bears_up",
        "event.turn",
        "event.initiative",
    ]
    assert decision(play.state) == FirstChoice(1)
    assert play.state.turn == 5


@rule("AH3.turn")
@pytest.mark.parametrize("first", SEATS)
def test_the_side_that_activates_first_fights_and_tires_before_the_other(first: str) -> None:
    state = battle("A spear 0505 fought", "X orc 0504 fought")
    play = phase(state, EndPhase(), dice=[1, 6], first=first)
    tired, fresh = ("A", "X") if first == "league" else ("X", "A")
    assert "winded" in marks(play.state, tired)
    assert "winded" not in marks(play.state, fresh)


@rule("AH3.turn", "AH5.command")
@pytest.mark.parametrize("first", SEATS)
def test_the_side_that_activates_first_commands_first(first: str) -> None:
    state = phase(battle(*BOTH), Orders(), first=first).state
    assert seat(state) == first
    assert refusals(state, "begin league") == ["AH5.command"]
    assert seat(run(state, "done")) != first


@rule("AH3.turn")
def test_wings_without_a_unit_are_passed_over() -> None:
    state = phase(battle("Z spear 1111 gone; A spear 0510", BOTH[1]), Activation()).state
    assert reach(state, "activate-wing") == {"boar"}
    assert refusals(state, "activate-wing heron") == ["AH3.turn"]
    assert refusals(state, "activate-wing black") == refusals(state, "activate-wing x") == ["AH4.activation"]
    state = run(state, "activate-wing boar", "end-wing", "activate-wing red", "end-wing")
    assert decision(state) == WingChoice(1)  # the League has none left
    assert refusals(state, "activate-wing red") == ["AH4.activation"]
    assert over(run(state, "activate-wing black", "end-wing"))


@rule("AH3.turn", "AH5.command")
def test_a_wing_of_which_only_unit_number_0_is_left_acts() -> None:
    state = battle("A spear 0510; B spear 0710 wing=heron", BOTH[1])
    assert index(state, "A") == 0
    assert refusals(commanding(state), "instruct boar hold") == []
    assert reach(phase(state, Activation()).state, "activate-wing") == {"boar", "heron"}


@rule("AH3.turn")
def test_a_side_without_any_wing_does_not_hold_up_the_other() -> None:
    state = phase(battle("A spear 0510 gone", BOTH[1]), Activation(), first="league").state
    assert decision(state) == WingChoice(1)
    state = run(state, "activate-wing red", "end-wing", "activate-wing black", "end-wing")
    assert over(state)


# --- who acts ------------------------------------------------------------------------------------


@rule("AH4.activation", "A.def.activated", "A.def.sheet")
def test_each_unit_does_one_thing_in_any_order() -> None:
    state = acting(battle("A spear 0510 winded; B spear 0710; C spear 0910", "X orc 0501"))
    for one, two, three in (("A", "B", "C"), ("C", "B", "A"), ("B", "A", "C")):
        now = state
        for name in (one, two, three):
            assert refusals(now, f"move {name}") == []
            now = run(now, f"move {name}", "halt")
            if name != three:
                assert marks(now, name) >= {"activated"}
                assert refusals(now, f"move {name}") == ["A.def.activated"]
        assert over(now)
    rested = run(state, "rest A", dice=[3, 3])
    assert marks(rested, "A") == {"activated"}
    assert refusals(rested, "move A") == ["A.def.activated"]


@rule("AH4.activation", "A.def.type_wing")
def test_only_the_wing_that_is_activated_acts() -> None:
    state = acting(battle(*BOTH))
    assert refusals(state, "move B") == refusals(state, "rest B")[:1] == ["AH4.activation"]
    assert refusals(state, "move X") == refusals(state, "move nobody") == ["A.def.kinds"]
    assert {line.split()[1] for line in legal_lines(state) if " " in line} == {"A"}
    state = acting(battle(*BOTH), "heron")
    assert refusals(state, "move A") == ["AH4.activation"]
    assert refusals(state, "move B") == []


@rule("AH4.activation", "A.def.activated")
def test_who_does_nothing_is_activated_with_the_wing() -> None:
    state = battle(
        "A spear 0510; B spear 0610; L leader 0610; H spear 0710 wing=heron; M chief 0710", "X orc 0501"
    )
    state = phase(state, Activation()).state
    state = run(state, "activate-wing boar", "move A", "halt", "end-wing")
    assert {name for name in "ABLHM" if "activated" in marks(state, name)} == {"A", "B", "L"}


@rule("AH4.activation")
def test_the_wing_is_done_when_all_have_acted() -> None:
    state = phase(battle(BOTH[0] + "; L leader 0510", BOTH[1]), Activation()).state
    state = run(state, "activate-wing boar", "move A", "halt")
    assert isinstance(decision(state), WingTurn)  # the leader has not acted
    state = run(state, "move L", "halt")
    assert decision(state) == WingChoice(1)
    assert state.done == [1, 0, 0, 0]


@rule("AH4.activation", "AH28.characters")
def test_leaders_act_with_their_own_wing() -> None:
    both = battle("A spear 0510; L leader 0510; B spear 0710 wing=heron; K leader 0710 wing=heron", BOTH[1])
    assert refusals(acting(both), "move L") == refusals(acting(both, "heron"), "move K") == []
    assert refusals(acting(both), "move K") == refusals(acting(both, "heron"), "move L") == ["AH4.activation"]


@rule("AH4.activation")
def test_a_wing_of_which_only_the_leader_is_left_is_activated() -> None:
    state = battle("A spear 0510 gone; L leader 0510; B spear 0710 wing=heron", BOTH[1])
    state = phase(state, Activation()).state
    assert reach(state, "activate-wing") == {"boar", "heron"}
    state = run(state, "activate-wing boar")
    assert refusals(state, "move L") == []


@rule("AH4.activation", "A.def.cinc")
@pytest.mark.parametrize("wing", ["boar", "heron"])
def test_the_commander_in_chief_acts_once_with_a_wing_of_his_owners_choice(wing: str) -> None:
    other = "heron" if wing == "boar" else "boar"
    state = phase(battle(BOTH[0] + "; M chief 0910", BOTH[1]), Activation()).state
    state = run(state, f"activate-wing {wing}")
    assert refusals(state, "move M") == []
    acted = run(state, "move M", "step-to 0909", "halt", "end-wing", "activate-wing black", "end-wing")
    assert decision(acted) == WingChoice(0)
    assert refusals(run(acted, f"activate-wing {other}"), "move M") == ["A.def.activated"]
    waited = run(state, "end-wing", "activate-wing black", "end-wing", f"activate-wing {other}")
    assert refusals(waited, "move M") == []
    mover = "A" if other == "boar" else "B"
    last = run(waited, f"move {mover}", "halt")
    assert isinstance(decision(last), WingTurn)  # the last wing waits for him
    assert refusals(last, "move M") == []


@rule("AH4.activation")
def test_the_commander_in_chief_may_act_last_in_any_wing() -> None:
    """In any order their owner likes: another wing that is still to come does not take this away from him."""
    state = phase(battle(BOTH[0] + "; M chief 0910", BOTH[1]), Activation()).state
    state = run(state, "activate-wing boar", "move A", "halt")
    assert isinstance(decision(state), WingTurn)
    assert refusals(state, "move M") == []


# --- instructions --------------------------------------------------------------------------------


@rule("AH5.command", "A.def.instruction")
def test_every_wing_is_given_one_of_three_instructions() -> None:
    state = commanding(battle(*BOTH))
    wanted = {f"instruct {wing} {word}" for wing in ("boar", "heron") for word in ("hold", "regroup")}
    assert {line for line in legal_lines(state) if line.startswith("instruct")} == wanted  # they have Advance
    state = run(state, "instruct boar hold")
    assert (
        refusals(state, "instruct boar regroup")
        == refusals(state, "instruct boar advance")
        == ["AH5.command"]
    )
    state = run(state, "instruct heron regroup")
    assert [INSTRUCTIONS[n] for n in state.instruction] == ["hold", "regroup", "advance", "advance"]
    assert refusals(state, "instruct boar charge") == refusals(state, "instruct red hold") == ["AH5.command"]
    assert refusals(state, "instruct nobody hold") == ["AH5.command"]
    assert told(do(commanding(battle(*BOTH)), "instruct boar hold")) == [("AH5.command", "event.instructs")]


@rule("AH5.command")
def test_an_instruction_stays_until_there_is_another() -> None:
    state = run(commanding(battle(*BOTH, instructions="boar=regroup")), "done")
    assert INSTRUCTIONS[state.instruction[0]] == "regroup"
    state = phase(state, EndPhase()).state
    assert INSTRUCTIONS[state.instruction[0]] == "regroup"
    again = commanding(state)
    assert refusals(again, "instruct boar regroup") == ["AH5.command"]
    assert refusals(again, "instruct boar advance") == []


@rule("AH5.command")
def test_a_new_turn_brings_new_instructions() -> None:
    state = run(commanding(battle(*BOTH)), "instruct boar hold", "done")
    state = phase(state, EndPhase()).state
    assert refusals(commanding(state), "instruct boar advance") == []


@rule("AH5.command", "AH6.instructions", "A.def.instruction")
def test_a_wing_that_has_lost_its_leader_holds_at_once() -> None:
    for instruction in INSTRUCTIONS:
        lost = battle("A spear 0505; L leader 0510 gone", "X orc 0502", instructions=f"boar={instruction}")
        assert refusals(acting(lost), "charge A 0503") == ["AH6.instructions"]
        state = moving(
            battle("A forester 0505; L leader 0510 gone", "X orc 0503", instructions=f"boar={instruction}"),
            "A",
        )
        assert refusals(state, "step-to 0504") == ["AH6.instructions"]
    state = commanding(battle("L leader 0510 gone; A spear 0505", "X orc 0502"))
    assert (
        refusals(state, "instruct boar regroup")
        == refusals(state, "instruct boar advance")[:1]
        == ["AH5.command"]
    )
    track = {t.id: t.value for t in FORMATIONS.scene(state, 0, "en").tracks}
    assert (track["wing-boar"], track["wing-heron"]) == ("Hold", "Advance")


# --- special orders ------------------------------------------------------------------------------


@rule("AH5.command", "A.def.special_order")
@pytest.mark.parametrize(
    ("leader", "hex_", "near"),
    [
        ("L leader 0505", "0509", True),  # 4 hexes
        ("L leader 0505", "0510", False),
        ("L leader 0505", "0905", True),
        ("L leader 0505", "1005", False),
        ("L chief 0505", "1105", True),  # 6
        ("L chief 0505", "0511", True),
        ("L chief 0405", "1105", False),
        ("L chief 0504", "0511", False),
    ],
)
def test_how_far_an_order_reaches(leader: str, hex_: str, near: bool) -> None:
    state = commanding(battle(f"{leader}; A spear {hex_}"))
    assert refusals(state, "order L A") == ([] if near else ["AH5.command"])
    assert (
        state.roster.grid.distance(state.cell[0], state.cell[1]) <= (4 if "leader" in leader else 6)
    ) == near


@rule("AH5.command")
def test_of_a_formation_the_nearer_hex_counts() -> None:
    assert refusals(commanding(battle("L leader 0505; A spear 0905+1005")), "order L A") == []
    assert refusals(commanding(battle("L leader 0505; A spear 1005+1105")), "order L A") == ["AH5.command"]


@rule("AH5.command", "A.def.special_order")
@pytest.mark.parametrize("command", [0, 1, 2])
@pytest.mark.parametrize("kind", ["leader", "chief"])
def test_as_many_orders_as_the_command_value(kind: str, command: int) -> None:
    state = commanding(battle(f"L {kind} 0505 command={command}; A spear 0505; B spear 0506; C spear 0507"))
    for name in ("A", "B")[:command]:
        assert refusals(state, f"order L {name}") == []
        state = run(state, f"order L {name}")
        assert marks(state, name) == {"ordered"}
        assert refusals(state, f"order L {name}")[-1] == "A.def.special_order"
    assert refusals(state, "order L C") == ["AH5.command"]
    assert marks(state, "C") == set()


@rule("AH5.command")
def test_a_leader_orders_his_wing_and_the_commander_in_chief_his_side() -> None:
    units = "L leader 0505; M chief 0505 command=4; A spear 0506; B spear 0406 wing=heron; R spear 0606 rout"
    state = commanding(battle(units, "X orc 0504; C leader 0503"))
    assert refusals(state, "order L A") == refusals(state, "order M A") == refusals(state, "order M B") == []
    assert refusals(state, "order L B") == ["AH5.command"]
    assert refusals(state, "order L R") == refusals(state, "order M R") == []  # in Rout
    assert refusals(state, "order M X") == refusals(state, "order M L") == ["A.def.special_order"]
    assert refusals(state, "order A B") == refusals(state, "order C A") == ["AH5.command"]
    state = run(state, "order L A")
    assert refusals(state, "order M A") == ["A.def.special_order"]
    lost = commanding(battle("L leader 0505 gone; A spear 0506"))
    assert refusals(lost, "order L A") == ["AH5.command"]


@rule("AH5.command", "AH3.turn")
def test_orders_last_for_the_turn_and_can_be_given_again() -> None:
    state = run(commanding(battle("L leader 0505; A spear 0506", "X orc 0101")), "order L A", "done")
    state = phase(state, EndPhase()).state
    assert marks(state, "A") == set()
    assert refusals(commanding(state), "order L A") == []


@rule("AH5.command")
def test_what_is_done_in_the_command_phase_and_what_is_not() -> None:
    state = commanding(battle("L leader 0505; A spear 0506", "X orc 0101"))
    assert refusals(state, "move A") == refusals(state, "end-wing") == ["AH5.command"]
    assert [say(action) for action in legal(state)][-1] == "done"


# --- what instructions forbid --------------------------------------------------------------------


@rule("AH6.instructions", "A.def.special_order")
@pytest.mark.parametrize("mark", ["", "ordered"])
@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_only_under_advance_or_a_special_order_may_one_charge(instruction: str, mark: str) -> None:
    state = acting(battle(f"A spear 0506 {mark}", "X orc 0503", instructions=f"boar={instruction}"))
    free = instruction == "advance" or mark
    assert refusals(state, "charge A 0504") == ([] if free else ["AH6.instructions"])


@rule("AH6.instructions")
@pytest.mark.parametrize("mark", ["", "ordered"])
@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_under_hold_nobody_moves_into_the_front_of_an_enemy(instruction: str, mark: str) -> None:
    """0504 is a front hex of X, where the move would end, and nearer; 0604 is nearer only."""
    state = moving(battle(f"A spear 0505 {mark}", "X orc 0503 sw", instructions=f"boar={instruction}"), "A")
    bound = not mark and instruction != "advance"
    assert refusals(state, "step-to 0504") == (["AH6.instructions"] if bound else [])
    assert refusals(state, "step-to 0604") == []


@rule("AH6.instructions")
def test_the_front_of_a_troop_in_rout_bars_nobody_who_holds() -> None:
    state = moving(battle("A spear 0505", "X orc 0503 sw rout", instructions="boar=hold"), "A")
    assert refusals(state, "step-to 0504") == []


@rule("AH6.instructions")
@pytest.mark.parametrize("mark", ["", "ordered"])
@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_under_regroup_nobody_shoots(instruction: str, mark: str) -> None:
    state = acting(battle(f"A archer 0505 {mark}", "X orc 0503", instructions=f"boar={instruction}"))
    free = instruction != "regroup" or mark
    assert refusals(state, "shoot A X") == ([] if free else ["AH6.instructions"])


@rule("AH6.instructions")
@pytest.mark.parametrize(
    ("enemy", "barred"),
    [
        ("X orc 0501 n", True),  # four hexes away
        ("X orc 0500 n", False),  # five
        ("X orc 0501 rout", True),
        ("X leader 0501", False),
        ("X orc 0509 n", False),  # behind it: it goes away
        ("X orc 0501 n; Y orc 0509", True),  # any enemy
    ],
)
def test_under_regroup_nobody_ends_closer_to_an_enemy_within_four_hexes(enemy: str, barred: bool) -> None:
    state = moving(battle("A forester 0505; Z spear 1111", enemy, instructions="boar=regroup"), "A")
    there = run(state, "step-to 0504")
    assert refusals(there, "halt") == (["AH6.instructions"] if barred else [])


@rule("AH6.instructions")
def test_under_regroup_one_may_move_away_or_along() -> None:
    state = moving(battle("A forester 0505", "X orc 0501 n", instructions="boar=regroup"), "A")
    ends = {hex_ for hex_ in ways(state) if not refusals(run(state, f"step-to {hex_}"), "halt")}
    assert ends == {"0405", "0605", "0506", "0606"}


@rule("AH6.instructions", "AH7.move")
@pytest.mark.parametrize(("kind", "barred"), [("spear", False), ("guard", True)])
def test_under_regroup_nobody_goes_where_he_could_not_come_away_from(kind: str, barred: bool) -> None:
    """From 0504 back to 0505 it is two turns and a step; a point is gone already."""
    state = moving(battle(f"A {kind} 0505", "X orc 0501 n", instructions="boar=regroup"), "A")
    assert refusals(state, "step-to 0504") == (["AH6.instructions"] if barred else [])
    assert refusals(state, "turn left") == []  # a turn brings nobody nearer
    if not barred:
        there = run(state, "step-to 0504", "turn right")
        assert refusals(there, "turn left") == refusals(there, "halt") == ["AH6.instructions"]
        assert place(run(there, "turn right", "step-to 0505"), "A") == "0505"


@rule("AH6.instructions", "AH18.stacking")
def test_under_regroup_the_end_needs_room_too() -> None:
    """0405 is full; 0504 is full and nearer to X."""
    full = "; ".join(f"P{hex_} wolf {hex_}; Q{hex_} spear {hex_}" for hex_ in ("0405", "0504"))
    state = battle(f"A forester 0505; {full}", "X orc 0501 n", instructions="boar=regroup")
    state = moving(state, "A")
    assert refusals(state, "step-to 0405") == []
    assert refusals(run(state, "step-to 0405"), "halt") == ["AH18.stacking"]
    assert refusals(run(state, "step-to 0504"), "halt") == ["AH18.stacking", "AH6.instructions"]


@rule("AH6.instructions", "AH18.stacking")
def test_under_regroup_room_nearer_and_a_full_hex_farther_off_are_no_end() -> None:
    """All that A reaches by 0504 is nearer to X, but for 0604, which is full."""
    full = "P wolf 0604; Q spear 0604"
    state = battle(f"A guard 0505; {full}", "X orc 0303 n", instructions="boar=regroup", difficult="0602")
    assert refusals(moving(state, "A"), "step-to 0504") == ["AH6.instructions"]
    free = battle("A guard 0505", "X orc 0303 n", instructions="boar=regroup", difficult="0602")
    assert refusals(moving(free, "A"), "step-to 0504") == []


@rule("AH6.instructions", "AH8.engage")
def test_under_regroup_nobody_disengages_closer_to_an_enemy() -> None:
    """X engages A; Y, three hexes away, is nearer to 0606 than to 0505."""
    state = battle("A spear 0505", "X orc 0504; Y orc 0608 s", instructions="boar=regroup")
    assert refusals(acting(state), "disengage A 0606") == ["AH6.instructions"]
    free = battle("A spear 0505 ordered", "X orc 0504; Y orc 0608 s", instructions="boar=regroup")
    assert refusals(acting(free), "disengage A 0606") == []


@rule("AH6.instructions")
def test_under_regroup_what_counts_is_where_the_move_ends() -> None:
    """From 0505 by 0504 back to 0405: nearer on the way, but not at the end of it."""
    state = moving(battle("A forester 0505", "X orc 0501 n", instructions="boar=regroup"), "A")
    after = run(state, "step-to 0504", "step-to 0405", "halt", "face n")
    assert place(after, "A") == "0405"


@rule("AH6.instructions")
@pytest.mark.parametrize("instruction", ["hold", "regroup"])
def test_instructions_do_not_bind_characters(instruction: str) -> None:
    state = moving(
        battle("L leader 0505; A spear 0510", "X orc 0503 sw", instructions=f"boar={instruction}"), "L"
    )
    assert refusals(state, "step-to 0504") == []


@rule("AH6.instructions")
@pytest.mark.parametrize(
    ("units", "instruction", "wanted"),
    [
        ("A spear 0505; L leader 0509", "regroup", True),  # four hexes
        ("A spear 0505; L leader 0510", "regroup", False),
        ("A spear 0505; L leader 0509", "hold", False),
        ("A spear 0505; L leader 0509", "advance", False),
        ("A spear 0505 moved; L leader 0509", "regroup", False),
        ("A spear 0505 rout; L leader 0509", "regroup", False),
        ("A spear 0505 shaken; L leader 0509", "regroup", True),
        ("A spear 0505; L leader 0505 wing=heron", "regroup", False),  # not its leader
        ("A spear 0505; L leader 0505 gone", "regroup", False),
        ("A spear 0505; M chief 0505", "regroup", False),
    ],
)
def test_who_complies_with_a_regroup_instruction(units: str, instruction: str, wanted: bool) -> None:
    state = battle(units, instructions=f"boar={instruction} heron={instruction}")
    assert complies(state, index(state, "A")) == wanted
    look = FORMATIONS.look(state, 0, "A", "en")
    assert look is not None
    assert ("with which this unit complies" in look.lines[-1][0]) == wanted


@rule("AH6.instructions")
@pytest.mark.parametrize(
    ("unit", "lines"),
    [
        ("A spear 0505", ("step-to 0504", "halt")),
        ("A spear 0505", ("turn left", "halt")),
        ("A forester 0505", ("halt", "face s")),
        ("A spear 0505+0605", ("turn-about", "halt")),
    ],
)
def test_who_has_moved_or_turned_no_longer_complies(unit: str, lines: tuple[str, ...]) -> None:
    state = battle(f"{unit}; L leader 0507", instructions="boar=regroup")
    assert complies(state, 0)
    assert not complies(run(moving(state, "A"), *lines), 0)
