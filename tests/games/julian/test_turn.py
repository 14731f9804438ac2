"""The sequence of play (JQ.*): phases, chits (JH.chits), the steps of an operations phase (JH.ops_phase)."""

from __future__ import annotations

import pytest

from legatus.games.julian.activation import Activation
from legatus.games.julian.combat import Combats
from legatus.games.julian.interphase import Interphase
from legatus.games.julian.movement import Moves
from legatus.games.julian.reinforcement import Reinforcing
from legatus.games.julian.state import BARBARIAN, FOUGHT, MOVED, ROMAN, SEATS, JulianState
from legatus.games.julian.turn import CupTurns, EndOperations, PickChit, PickTurn, Turn
from legatus.kernel import NeedLuck, Scripted, apply, parse_action
from tests.rules import rule

from .stage import JULIAN, at, campaign, clauses, do, go_on, legal_lines, run, told, where

CAESAR, EQUITUM, PEDITUM, ALAMANNI, SOUTHERN, FRANKS = range(6)
COMMANDS = ("caesar", "equitum", "peditum", "alamanni", "southern", "franks")
MEN = "caesar-auxilia-1 0404; alamanni-warband-1 0605"
FULL = (
    f"{MEN}; equitum-auxilia-1 0204; peditum-auxilia-1 0408; southern-warband-1 0607; franks-warband-1 0601"
)


def asked(state: JulianState) -> tuple[str, str]:
    decision = state.decision
    assert decision is not None
    return type(decision).__name__, SEATS[decision.seat]


def declined(state: JulianState, dice: list[int], lines: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Everything is declined that can be, and ``lines`` are said where they fit; what was told."""
    scripted, left, found = Scripted(dice), list(lines), []
    while state.todo and state.decision is not None:
        line = left.pop(0) if left and not clauses(state, left[0]) else "pass"
        if line == "pass" and clauses(state, "pass"):
            break
        play = apply(state, parse_action(JULIAN, line), scripted)
        state = play.state
        found += told(play)
    assert not left
    assert not scripted.unused
    return found


# --- the game turn -------------------------------------------------------------------------------


@rule("JQ.0", "JQ.I", "JQ.II", "JQ.II.A", "JQ.II.B", "JQ.II.C", "JQ.III", "JQ.III.A", "JQ.III.B", "JQ.III.E")
@pytest.mark.parametrize("options", [(), ("supply",), ("crises",), ("supply", "crises")])
def test_a_turn_has_its_phases_in_their_order(options: tuple[str, ...]) -> None:
    state = campaign(FULL, operating=False, turn=1, **dict.fromkeys(options, True))  # type: ignore[arg-type]
    play = go_on(at(state, Turn()))
    assert play.state.turn == 2
    found = told(play)
    dice = [1, 5, PEDITUM, SOUTHERN, FRANKS, EQUITUM]
    if "crises" in options:
        dice.append(4)
    found += declined(play.state, dice, ("roll-markers", "pick caesar", "pick alamanni"))
    order = [clause for clause, _ in found if clause.startswith("JQ.")]
    expected = ["JQ.0", "JQ.I", "JQ.II.A", "JQ.II.B", *["JQ.II.C"] * 4, "JQ.III", "JQ.III.B"]
    expected += ["JQ.III.C"] * ("supply" in options) + ["JQ.III.E"]
    assert order == [*expected, "JQ.0", "JQ.I"]  # and the next turn begins
    crises = [clause for clause, _ in found if clause == "JH.23_0"]
    assert bool(crises) == ("crises" in options)


@rule("JQ.III.C", "JQ.III.D", "JQ.III.E")
def test_supply_and_crisis_come_between_the_taxes_and_the_end_of_the_turn() -> None:
    state = campaign(MEN, operating=False, turn=2, supply=True, crises=True)
    play = go_on(at(state, Interphase()), [4])
    clauses_ = [clause for clause, _ in told(play)]
    marks = ("JQ.III", "JQ.III.B", "JQ.III.C", "JH.23_0", "JQ.III.E")
    places = [clauses_.index(mark) for mark in marks]
    assert places == sorted(places)


@rule("JQ.III.A")
def test_the_return_comes_before_the_taxes() -> None:
    state = campaign("salii-band-1 0404; caesar-auxilia-1 0204", allies="salii=roman", operating=False, tp=0)
    play = go_on(at(state, Interphase()))
    found = told(play)
    assert found.index(("JH.return", "event.goes_home")) < found.index(("JQ.III.B", "event.taxes"))
    assert where(play.state, "salii-band-1") == "0201"


@rule("JQ.III.E", "JQ.0")
def test_the_turn_marker_advances_by_one() -> None:
    for turn in (0, 3, 7):
        assert go_on(at(campaign(turn=turn, operating=False), Turn())).state.turn == turn + 1


@rule("JQ.0", "JH.cities", "JH.7_9_3")
def test_a_new_turn_forgets_plunder_and_federates_of_the_last() -> None:
    state = campaign(operating=False)
    state.plundered, state.objects = [1] * len(state.plundered), [1] * len(state.objects)
    state = go_on(at(state, Turn())).state
    assert not any(state.plundered)
    assert not any(state.objects)


@rule("JQ.III", "JQ.0")
def test_after_the_last_chit_the_interphase_and_the_next_turn() -> None:
    state = campaign(FULL, operating=False, drawn=" ".join(COMMANDS), turn=4)
    play = go_on(at(state, CupTurns()))
    found = told(play)
    assert found[0] == ("JQ.III", "event.interphase")
    assert play.state.turn == 5
    assert not any(play.state.drawn)


@rule("JH.leaders")
@pytest.mark.parametrize("place", ["0204", "pool"])
def test_severus_takes_the_place_of_marcellus_in_turn_three(place: str) -> None:
    units = "equitum-auxilia-1 0204" + ("; marcellus 0204" if place != "pool" else "")
    state = campaign(units, operating=False, turn=1)
    state = go_on(at(state, Turn())).state
    assert (where(state, "marcellus"), where(state, "severus")) == (place, "later")
    state.todo = []
    play = go_on(at(state, Turn()))
    assert (where(play.state, "marcellus"), where(play.state, "severus")) == ("later", place)
    assert ("JH.leaders", "event.succeeds") in told(play)
    again = go_on(at(play.state, Turn()))
    assert (where(again.state, "marcellus"), where(again.state, "severus")) == ("later", place)


# --- chits ---------------------------------------------------------------------------------------


@rule("JH.chits", "JQ.II.A", "JQ.II.B")
@pytest.mark.parametrize(
    ("seat", "part", "own", "others"),
    [
        (ROMAN, "JQ.II.A", COMMANDS[:3], COMMANDS[3:]),
        (BARBARIAN, "JQ.II.B", COMMANDS[3:], COMMANDS[:3]),
    ],
)
def test_a_player_picks_one_of_his_own_chits(
    seat: int, part: str, own: tuple[str, ...], others: tuple[str, ...]
) -> None:
    play = go_on(at(campaign(FULL, operating=False), PickTurn(seat, part)))
    assert told(play) == [(part, "event.picking")]
    state = play.state
    assert asked(state) == ("PickChit", SEATS[seat])
    assert legal_lines(state) == [f"pick {name}" for name in own]
    for name in (*others, "salii", "nonsense"):
        assert clauses(state, f"pick {name}") == ["JH.chits"]
    assert clauses(state, "pass") == ["JH.chits"]


@rule("JH.chits")
@pytest.mark.parametrize(("name", "seat"), [("equitum", ROMAN), ("franks", BARBARIAN)])
def test_who_has_picked_conducts_the_phase_with_that_command(name: str, seat: int) -> None:
    state = go_on(at(campaign(FULL, operating=False), PickChit(seat))).state
    play = do(state, f"pick {name}")
    assert ("JH.chits", "event.picks") in told(play)
    after = play.state
    assert asked(after) == ("Activation", SEATS[seat])
    assert (after.active, after.operating) == (seat, True)
    expected = [int(command == name) for command in COMMANDS]
    assert after.acting == after.drawn == expected


@rule("JH.chits")
def test_a_chit_serves_once_a_turn() -> None:
    state = go_on(at(campaign(FULL, operating=False, drawn="caesar"), PickChit(ROMAN))).state
    assert clauses(state, "pick caesar") == ["JH.chits"]
    assert legal_lines(state) == ["pick equitum", "pick peditum"]


@rule("JH.chits")
def test_without_a_chit_of_his_own_nobody_picks() -> None:
    state = campaign(FULL, operating=False, drawn="caesar equitum peditum")
    assert not go_on(at(state, PickChit(ROMAN))).state.todo
    assert go_on(at(state, PickChit(BARBARIAN))).state.todo


@rule("JH.23_0", "JH.chits")
def test_rumours_of_usurpation_bar_one_chit_in_that_turn_alone() -> None:
    state = campaign(FULL, operating=False, turn=3)
    for barred, expected in ((3, ["JH.23_0"]), (2, []), (4, [])):
        state.barred_turn = barred
        asking = go_on(at(state, PickChit(ROMAN))).state
        assert clauses(asking, "pick peditum") == expected
        assert clauses(asking, "pick caesar") == clauses(asking, "pick equitum") == []


@rule("JH.23_0", "JH.chits")
def test_if_it_is_the_only_one_nobody_picks_and_it_goes_into_the_cup() -> None:
    """Else the Roman would be asked for a chit that he may not name."""
    others = "equitum peditum"  # as if the scenario had the Caesar alone
    state = campaign(FULL, operating=False, turn=3, drawn=others, values={"restless": CAESAR})
    state.barred_turn = 3
    state = go_on(at(state, PickTurn(ROMAN, "JQ.II.A"), PickTurn(BARBARIAN, "JQ.II.B"), CupTurns())).state
    assert asked(state) == ("PickChit", "barbarian")
    state = run(state, "pick franks", *["pass"] * 3, dice=[0])
    assert (asked(state), state.acting[CAESAR]) == (("Activation", "roman"), 1)


@rule("JH.23_0", "JH.chits")
def test_and_do_not_keep_it_out_of_the_cup() -> None:
    state = campaign(FULL, operating=False, turn=3, drawn="caesar equitum alamanni southern franks")
    state.barred_turn = 3
    assert go_on(at(state, CupTurns()), [PEDITUM]).state.acting[PEDITUM]


@rule("JQ.II.C", "JH.chits")
def test_the_other_chits_are_drawn_by_turns_the_barbarian_first() -> None:
    play = go_on(at(campaign(FULL, operating=False, drawn="caesar alamanni"), CupTurns()), [EQUITUM])
    events = play.events
    for chit in (FRANKS, PEDITUM, SOUTHERN):
        play = do(run(play.state, "pass", "pass"), "pass", [chit])
        events = [*events, *play.events]
    found = [event.values for event in events if event.key in ("event.draws_chit", "event.drawn")]
    drawers = [values["side"] for values in found if "command" not in values]
    owners = [(values["side"], values["command"]) for values in found if "command" in values]
    assert drawers == ["barbarian", "roman", "barbarian", "roman"]
    assert owners == [
        ("roman", "equitum"),
        ("barbarian", "franks"),
        ("roman", "peditum"),
        ("barbarian", "southern"),
    ]


@rule("JH.chits")
@pytest.mark.parametrize("drawer", [ROMAN, BARBARIAN])
@pytest.mark.parametrize(("chit", "owner"), [(PEDITUM, "roman"), (FRANKS, "barbarian")])
def test_the_owner_of_the_chit_conducts_the_phase_whoever_drew_it(drawer: int, chit: int, owner: str) -> None:
    state = campaign(FULL, operating=False, drawn="caesar alamanni")
    state = go_on(at(state, CupTurns(drawer)), [chit]).state
    assert asked(state) == ("Activation", owner)
    assert state.active == SEATS.index(owner)
    assert state.drawn[chit]
    assert [c for c, acts in enumerate(state.acting) if acts] == [chit]


@rule("JH.chits")
def test_only_chits_that_are_left_are_in_the_cup() -> None:
    state = campaign(FULL, operating=False, drawn="caesar equitum peditum alamanni")
    for chit in (SOUTHERN, FRANKS):
        assert go_on(at(state, CupTurns()), [chit]).state.acting[chit]
    with pytest.raises(NeedLuck) as need:
        go_on(at(state, CupTurns()))
    assert need.value.luck.weights == (0, 0, 0, 0, 1, 1)


# --- an operations phase -------------------------------------------------------------------------


@rule("JH.ops_phase", "JQ.II")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_a_phase_has_four_steps_all_of_which_may_be_declined(seat: int) -> None:
    units = "caesar-auxilia-1 0304; alamanni-warband-1 0305"
    name = ("caesar", "alamanni")[seat]
    state = run(go_on(at(campaign(units, operating=False), PickChit(seat))).state, f"pick {name}")
    found = []
    while state.todo:
        found.append(asked(state))
        state = run(state, "pass")
    steps = ("Activation", "Reinforcing", "Moves", "Combats")
    assert found == [(step, SEATS[seat]) for step in steps]
    assert (state.operating, state.active) == (False, ROMAN)
    assert not any(state.acting)


@rule("JH.ops_phase")
@pytest.mark.parametrize(
    ("step", "own", "clause"),
    [
        (Activation, "play-dux equitum", "JH.ops_phase"),
        (Reinforcing, "recruit caesar-comitatenses-1 0404", "JH.reinforce"),
        (Moves, "march 0304", "JH.move"),
        (Combats, "attack 0305", "JH.combat"),
    ],
)
def test_each_step_has_its_own_actions(step: type, own: str, clause: str) -> None:
    units = "caesar-auxilia-1 0304; alamanni-warband-1 0305"
    state = campaign(units, hands=("dux federate", ""), acting="caesar", drawn="equitum")
    state = go_on(at(state, step(ROMAN))).state
    lines = ("play-dux equitum", "recruit garrison-1 0310", "march 0304", "attack 0305")
    for line in lines:
        if line.split()[0] == own.split()[0]:
            assert clauses(state, line) == []
        else:
            assert clauses(state, line) == [clause]


@rule("JH.ops_phase")
def test_a_command_without_a_unit_on_the_map_can_still_be_reinforced() -> None:
    state = run(go_on(at(campaign(operating=False), PickChit(ROMAN))).state, "pick caesar", "pass")
    assert asked(state) == ("Reinforcing", "roman")
    assert clauses(state, "recruit caesar-comitatenses-1 0310") == []
    state = run(go_on(at(campaign(operating=False), PickChit(BARBARIAN))).state, "pick franks", "pass")
    assert asked(state) == ("Reinforcing", "barbarian")
    assert clauses(state, "raise-units franks") == []


@rule("JH.ops_phase", "JH.commands")
def test_only_activated_units_act() -> None:
    units = "caesar-auxilia-1 0304; equitum-auxilia-1 0204; garrison-1 0404; alamanni-warband-1 0305"
    state = run(go_on(at(campaign(units, operating=False), PickChit(ROMAN))).state, "pick caesar")
    state = run(state, "pass", "pass")
    assert clauses(state, "march 0304") == []
    assert clauses(state, "march 0204") == ["JH.ops_phase"]
    assert clauses(state, "march 0404") == ["JH.ops_phase", "JH.units"]


@rule("JH.ops_phase")
def test_a_phase_begins_with_a_clean_slate() -> None:
    state = campaign(FULL, operating=False, acting="equitum", called="salii")
    state.raised, state.sought = [1] * 6, [1] * 6
    state.imperium, state.federate, state.duces = [1, 1], [1, 1], [1, 1]
    state.led = state.brought = 1
    state.flags = [MOVED | FOUGHT] * len(state.flags)
    state = run(go_on(at(state, PickChit(ROMAN))).state, "pick caesar")
    assert [c for c, acts in enumerate(state.acting) if acts] == [CAESAR]
    columns = (state.called, state.raised, state.sought, state.imperium, state.federate, state.duces)
    assert not any(any(column) for column in columns)
    assert (state.led, state.brought) == (0, 0)
    assert not any(state.flags)


@rule("JH.ops_phase", "JH.windows")
def test_after_a_phase_nobody_is_activated() -> None:
    state = campaign(FULL, acting="alamanni", called="salii", active="barbarian")
    state = go_on(at(state, EndOperations())).state
    assert not any(state.acting) | any(state.called)
    assert (state.operating, state.active) == (False, ROMAN)
