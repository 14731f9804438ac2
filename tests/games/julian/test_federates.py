"""Federates (JH.6_0): the four peoples, the four uses of a Federate, and what annuls one."""

from __future__ import annotations

import pytest

from legatus.games.julian.activation import Activation
from legatus.games.julian.combat import Combats, Gathering
from legatus.games.julian.federates import go_home
from legatus.games.julian.interphase import Interphase
from legatus.games.julian.movement import Moves
from legatus.games.julian.reinforcement import Reinforcing
from legatus.games.julian.setup import Array
from legatus.games.julian.state import (
    ASIDE,
    BARBARIAN,
    NEUTRAL,
    ROMAN,
    SEATS,
    JulianState,
    men_at,
    names,
    put,
)
from legatus.games.julian.turn import EndOperations, Turn
from legatus.kernel import Play, Scripted
from tests.rules import rule

from .stage import JULIAN, ally, at, campaign, clauses, do, go_on, hand, legal_lines, run, told, where

PEOPLES = (
    "salii-foederati-1 0201; salii-band-1 0201; salii-band-2 0201; batavi-band-1 0300; laeti-band-1 0207"
)
MEN = f"caesar-auxilia-1 0304; alamanni-warband-1 0605; {PEOPLES}"
CALLS = ("call-instead", "call-along")
OWN = {ROMAN: "caesar", BARBARIAN: "alamanni"}


def phase(
    seat: int = ROMAN, allies: str = "", hands: tuple[str, str] = ("federate", "federate"), units: str = MEN
) -> JulianState:
    """A phase of a player has just opened."""
    state = campaign(units, hands=hands, acting=OWN[seat], active=SEATS[seat], allies=allies)
    steps = (Activation(seat), Reinforcing(seat), Moves(seat), Combats(seat))
    return go_on(at(state, *steps)).state  # type: ignore[no-any-return]


def asked(state: JulianState) -> tuple[str, str]:
    decision = state.decision
    assert decision is not None
    return type(decision).__name__, SEATS[decision.seat]


def called(state: JulianState) -> list[str]:
    return [state.roster.peoples[p].id for p, acts in enumerate(state.called) if acts]


def off(state: JulianState, *units: str) -> JulianState:
    """These federates have been eliminated."""
    state = state.copy()
    for name in units:
        put(state, state.roster.index[name], ASIDE)
    return state


# --- the peoples ---------------------------------------------------------------------------------


@rule("JH.6_0")
@pytest.mark.parametrize(
    ("people", "home", "retinues", "bands"),
    [
        ("salii", "0201", 1, 2),
        ("batavi", "0300", 0, 2),
        ("laeti", "0207", 0, 2),
        ("burgundians", "0804", 1, 3),
    ],
)
def test_four_peoples_start_neutral_in_their_homes(people: str, home: str, retinues: int, bands: int) -> None:
    state = go_on(at(campaign(), Array(()))).state
    p = state.roster.people_index[people]
    units = [state.roster.units[i] for i in state.roster.of_people[p]]
    assert [unit.kind for unit in units] == ["foederati"] * retinues + ["band"] * bands
    assert {where(state, unit.id) for unit in units} == {home}
    assert ally(state, people) == "neutral"
    assert men_at(state, NEUTRAL, state.roster.grid.cells[home]) == retinues + bands


@rule("JH.6_0")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
@pytest.mark.parametrize("owner", ["neutral", "roman", "barbarian"])
def test_a_people_acts_only_when_a_federate_has_called_it(seat: int, owner: str) -> None:
    state = run(phase(seat, f"salii={owner}"), "pass", "pass")
    expected = ["JH.ops_phase"] * 3 if owner == SEATS[seat] else ["JH.move"]
    assert clauses(state, "march 0201") == expected


@rule("JH.6_0")
def test_an_allied_people_stays_so_until_the_return_phase() -> None:
    state = run(phase(), "call-along salii", "pass", "pass", "pass", "pass")
    state = go_on(at(state, EndOperations(), Activation(BARBARIAN))).state
    assert (ally(state, "salii"), called(state)) == ("roman", [])
    state.tp = 0
    play = go_on(at(state, Interphase()))
    assert ally(play.state, "salii") == "neutral"


@rule("JH.6_0")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_an_attack_on_neutrals_allies_them_to_the_other(seat: int) -> None:
    units = f"caesar-auxilia-1 0202; alamanni-retinue-1 0202; {PEOPLES}".split("; ")
    units.pop(1 - seat)
    state = campaign("; ".join(units), acting=OWN[seat], active=SEATS[seat])
    state = run(go_on(at(state, Combats(seat))).state, "attack 0201")
    assert ally(state, "salii") == "neutral"  # not before it is declared
    play = do(state, "fight", [5, 5])
    assert ally(play.state, "salii") == SEATS[1 - seat]
    assert ("JH.6_0", "event.serves") in told(play)


@rule("JH.6_0")
def test_eliminated_federates_are_set_aside() -> None:
    units = (
        "caesar-comitatenses-1 0202; caesar-comitatenses-2 0202; caesar-auxilia-1 0202; batavi-band-1 0302"
    )
    state = campaign(f"{units}; batavi-band-2 0300", acting="caesar", allies="batavi=barbarian")
    state = run(go_on(at(state, Combats(ROMAN))).state, "attack 0302", "fight", dice=[6])
    assert where(state, "batavi-band-1") == "aside"
    assert ally(state, "batavi") == "barbarian"


# --- calling a people ----------------------------------------------------------------------------


@rule("JH.5_8_3", "JS.federate.refs")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
@pytest.mark.parametrize("owner", ["neutral", "own"])
def test_a_people_acts_in_place_of_the_command(seat: int, owner: str) -> None:
    mine = SEATS[seat]
    hands = ("federate", "") if seat == ROMAN else ("", "federate")
    state = phase(seat, f"salii={mine if owner == 'own' else 'neutral'}", hands)
    play = do(state, "call-instead salii")
    state = play.state
    assert told(play)[0] == ("JH.7_11", "event.announces.call-instead")
    assert ally(state, "salii") == mine
    assert called(state) == ["salii"]
    assert not any(state.acting)
    assert state.drawn[state.roster.command_index[OWN[seat]]]
    state = run(state, "pass", "pass")
    assert clauses(state, "march 0201") == []
    assert clauses(state, "march 0304" if seat == ROMAN else "march 0605") == ["JH.ops_phase"]


@rule("JH.5_9_2", "JS.federate.refs")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
@pytest.mark.parametrize("owner", ["neutral", "own"])
def test_or_together_with_it(seat: int, owner: str) -> None:
    mine = SEATS[seat]
    hands = ("federate", "") if seat == ROMAN else ("", "federate")
    state = phase(seat, f"salii={mine if owner == 'own' else 'neutral'}", hands)
    play = do(state, "call-along salii")
    state = play.state
    assert told(play)[0] == ("JH.7_11", "event.announces.call-along")
    assert ally(state, "salii") == mine
    assert called(state) == ["salii"]
    state = run(state, "pass", "pass")
    assert clauses(state, "march 0201") == []
    assert clauses(state, "march 0304" if seat == ROMAN else "march 0605") == []


@rule("JH.5_9_2", "JH.6_0")
def test_it_fights_with_the_command() -> None:
    units = "caesar-auxilia-1 0202; salii-band-1 0201; franks-warband-1 0302; alamanni-warband-1 0301"
    state = run(phase(hands=("federate", ""), units=units), "call-along salii", "pass", "pass", "pass")
    state = run(state, "attack 0301")
    assert isinstance(state.decision, Gathering)
    assert names(state, state.decision.units) == ("salii-band-1",)


@rule("JH.5_8_3", "JH.5_9_2")
@pytest.mark.parametrize(("verb", "clause"), [("call-instead", "JH.5_8_3"), ("call-along", "JH.5_9_2")])
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_not_if_it_serves_the_enemy(seat: int, verb: str, clause: str) -> None:
    state = phase(seat, f"salii={SEATS[1 - seat]}")
    assert clauses(state, f"{verb} salii") == [clause]
    assert f"{verb} salii" not in legal_lines(state)
    assert clauses(state, f"{verb} batavi") == []


@rule("JH.5_8_3")
def test_the_reinforcement_sub_phase_remains_without_units_of_the_command() -> None:
    state = run(phase(hands=("federate", "")), "call-instead salii", "pass")
    assert asked(state) == ("Reinforcing", "roman")
    assert clauses(state, "recruit caesar-comitatenses-1 0310") == ["JH.reinforce"]
    assert clauses(state, "recruit garrison-1 0310") == []
    assert clauses(state, "bring-leader julian 0310 treasury") == []
    state = run(phase(BARBARIAN, hands=("", "federate")), "call-instead salii", "pass")
    assert clauses(state, "raise-units alamanni") == ["JH.reinforce"]
    assert clauses(state, "seek-leader alamanni") == ["JH.reinforce"]


@rule("JH.6_0")
@pytest.mark.parametrize("verb", CALLS)
def test_a_people_without_a_unit_on_the_map_cannot_be_called(verb: str) -> None:
    state = off(phase(), "laeti-band-1", "laeti-band-2")
    assert clauses(state, f"{verb} laeti") == ["JH.6_0"]
    assert clauses(state, f"{verb} nonsense") == clauses(state, f"{verb} caesar") == ["JH.6_0"]


@rule("JH.6_0", "JH.5_9_4")
def test_nor_swayed() -> None:
    state = off(phase(allies="laeti=barbarian"), "laeti-band-1", "laeti-band-2")
    assert clauses(state, "sway laeti") == clauses(state, "sway nonsense") == ["JH.6_0"]


@rule("JH.5_8_3", "JH.5_9_2", "JH.5_9_4", "J0.title")
@pytest.mark.parametrize("line", ["call-instead salii", "call-along salii", "sway batavi"])
def test_who_has_no_federate_calls_nobody(line: str) -> None:
    state = phase(allies="batavi=barbarian", hands=("dux", "federate imperium"))
    assert clauses(state, line) == clauses(state, f"{line} imperium") == ["J0.title"]
    state.hands[ROMAN][4] = 1
    assert clauses(state, f"{line} imperium") == []
    state.imperium = [1, 0]
    assert clauses(state, f"{line} imperium") == ["JS.imperium.limit"]


@rule("JH.5_8_3", "JH.5_9_2", "JH.5_9_4")
@pytest.mark.parametrize("line", ["call-instead salii", "call-along salii", "sway batavi"])
def test_it_is_played_when_the_phase_opens(line: str) -> None:
    state = phase(allies="batavi=barbarian")
    assert clauses(state, line) == []
    state = run(state, "pass")
    assert clauses(state, line) == ["JH.reinforce"]
    assert clauses(run(state, "pass"), line) == ["JH.move"]


@rule("JH.6_0")
def test_everything_that_a_federate_can_do_is_offered() -> None:
    state = phase(allies="salii=roman batavi=barbarian")
    assert legal_lines(state) == [
        "call-instead salii",
        "call-along salii",
        "sway batavi",
        "call-instead laeti",
        "call-along laeti",
        "pass",
    ]


# --- limits --------------------------------------------------------------------------------------


@rule("JS.federate.limit")
@pytest.mark.parametrize("line", ["call-instead laeti", "call-along laeti", "sway batavi"])
def test_one_federate_a_phase_and_player(line: str) -> None:
    state = phase(allies="batavi=barbarian")
    state.federate = [1, 0]
    assert clauses(state, line) == ["JS.federate.limit"]
    assert legal_lines(state) == ["pass"]
    state.federate = [0, 1]
    assert clauses(state, line) == []


@rule("JS.federate.limit")
@pytest.mark.parametrize("answer", ["pass", "annul"])
def test_whether_or_not_it_was_annulled(answer: str) -> None:
    state = phase(hands=("federate federate", "agentes"))
    state = run(state, "call-along salii", answer)
    assert asked(state) == ("Activation", "roman")
    assert clauses(state, "call-along laeti") == ["JS.federate.limit"]


@rule("JH.7_9_3", "JS.federate.7_9_3")
@pytest.mark.parametrize("line", ["call-instead laeti", "call-along laeti"])
def test_no_people_is_activated_together_with_a_dux(line: str) -> None:
    state = phase(allies="batavi=barbarian")
    state.duces = [1, 0]
    assert clauses(state, line) == ["JH.7_9_3"]
    assert clauses(state, "sway batavi") == []  # nobody is activated
    state.duces = [0, 1]
    assert clauses(state, line) == []


@rule("JH.7_9_3", "JS.federate.7_9_3")
@pytest.mark.parametrize(
    ("allies", "line"),
    [
        ("", "call-instead salii"),
        ("", "call-along salii"),
        ("salii=barbarian", "sway salii"),
    ],
)
def test_a_people_is_the_object_of_one_federate_a_turn_and_player(allies: str, line: str) -> None:
    state = phase(allies=allies)
    p = state.roster.people_index["salii"]
    state.objects[2 * p + ROMAN] = 1
    assert clauses(state, line) == ["JH.7_9_3"]
    state.objects[2 * p + ROMAN], state.objects[2 * p + BARBARIAN] = 0, 1
    assert clauses(state, line) == []
    assert clauses(state, "call-along laeti") == []


@rule("JH.7_9_3")
@pytest.mark.parametrize("line", ["call-instead salii", "call-along salii", "sway batavi"])
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_which_each_use_makes_it(line: str, seat: int) -> None:
    hands = ("federate", "") if seat == ROMAN else ("", "federate")
    state = phase(seat, f"batavi={SEATS[1 - seat]}", hands)
    after = run(state, line, dice=[1] if line.startswith("sway") else [])
    p = state.roster.people_index[line.split()[1]]
    assert [n for n, done in enumerate(after.objects) if done] == [2 * p + seat]


@rule("JH.7_9_3", "JH.7_11")
@pytest.mark.parametrize("line", ["call-instead salii", "call-along salii", "sway batavi"])
def test_and_an_annulled_one_does_not(line: str) -> None:
    state = phase(allies="batavi=barbarian", hands=("federate", "agentes"))
    after = run(state, line, "annul")
    assert not any(after.objects)


@rule("JH.7_9_3")
def test_the_next_turn_begins_anew() -> None:
    state = run(phase(hands=("federate federate", "")), "call-along salii", "pass", "pass", "pass")
    state = go_on(at(state, Turn())).state
    state.federate = [0, 0]
    assert clauses(go_on(at(state, Activation(ROMAN))).state, "call-along salii") == []


# --- annulled ------------------------------------------------------------------------------------


@rule("JH.7_11", "JS.agentes.3")
@pytest.mark.parametrize("line", ["call-instead salii", "call-along salii", "sway batavi"])
@pytest.mark.parametrize("answer", ["annul", "annul imperium"])
def test_the_opponent_may_annul_it_at_once(line: str, answer: str) -> None:
    state = phase(allies="batavi=barbarian", hands=("federate", "agentes imperium"))
    play = do(state, line)
    assert [key for _, key in told(play)] == [f"event.announces.{line.split()[0]}"]
    assert play.events[0].values == {"side": "roman", "people": line.split()[1]}
    assert asked(play.state) == ("Counter", "barbarian")
    assert (ally(play.state, "salii"), called(play.state)) == ("neutral", [])
    play = do(play.state, answer)
    after = play.state
    assert ("JS.agentes.3", "event.annuls") in told(play)
    assert (ally(after, "salii"), ally(after, "batavi"), called(after)) == ("neutral", "barbarian", [])
    assert after.acting == state.acting, "the phase goes on with the command"
    assert hand(after, "roman") == {}
    gone = "imperium" if "imperium" in answer else "agentes"
    assert gone not in hand(after, "barbarian")
    assert (after.pool[0] + after.pool[4], after.pool[3]) == (9, 6)


@rule("JH.7_11", "JS.agentes.3", "JS.imperium.1")
def test_so_may_an_imperium_in_place_of_a_federate() -> None:
    state = run(phase(hands=("imperium", "agentes")), "call-along salii imperium", "annul")
    assert (ally(state, "salii"), state.pool[4], state.pool[0]) == ("neutral", 4, 6)


@rule("JH.7_11")
def test_else_it_takes_effect() -> None:
    state = run(phase(hands=("federate", "agentes")), "call-along salii", "pass")
    assert (ally(state, "salii"), called(state)) == ("roman", ["salii"])
    assert asked(state) == ("Activation", "roman")


# --- swaying -------------------------------------------------------------------------------------


def swayed(face: int, seat: int = ROMAN, units: str = MEN, lines: tuple[str, ...] = ()) -> JulianState:
    hands = ("federate", "") if seat == ROMAN else ("", "federate")
    state = phase(seat, f"salii={SEATS[1 - seat]}", hands, units)
    return run(state, "sway salii", *lines, dice=[face])


@rule("JH.5_9_4", "JS.federate.refs")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_a_die_decides_whether_a_people_leaves_the_enemy(face: int, seat: int) -> None:
    units = "caesar-auxilia-1 0304; alamanni-warband-1 0605; salii-band-1 0205; salii-band-2 0306"
    state = swayed(face, seat, units)
    expected = (SEATS[1 - seat], "neutral", SEATS[seat])[(face - 1) // 2]
    assert ally(state, "salii") == expected
    places = ("0201", "0201") if expected == "neutral" else ("0205", "0306")
    assert (where(state, "salii-band-1"), where(state, "salii-band-2")) == places
    assert called(state) == []
    assert asked(state) == ("Activation", SEATS[seat])
    assert not list(JULIAN.invariants(state))


@rule("JH.5_9_4")
@pytest.mark.parametrize(("face", "key"), [(1, "event.unmoved"), (3, "event.goes_home"), (6, "event.serves")])
def test_what_comes_of_it_is_told(face: int, key: str) -> None:
    state = phase(ROMAN, "salii=barbarian", ("federate", ""))
    assert told(do(state, "sway salii", [face]))[-1] == ("JH.5_9_4", key)


@rule("JH.5_8_3", "JH.5_9_2")
@pytest.mark.parametrize(("verb", "clause"), [("call-instead", "JH.5_8_3"), ("call-along", "JH.5_9_2")])
def test_whom_a_people_serves_now_is_told_if_it_is_new(verb: str, clause: str) -> None:
    for owner, expected in (("neutral", [(clause, "event.serves")]), ("roman", [])):
        play = do(phase(ROMAN, f"salii={owner}", ("federate", "")), f"{verb} salii")
        assert [line for line in told(play) if line[1] == "event.serves"] == expected


@rule("JH.5_9_4")
@pytest.mark.parametrize("owner", ["neutral", "roman"])
def test_only_a_people_of_the_enemy_can_be_swayed(owner: str) -> None:
    state = phase(allies=f"salii={owner}")
    assert clauses(state, "sway salii") == ["JH.5_9_4"]
    assert "sway salii" not in legal_lines(state)


@rule("JH.5_9_4")
def test_others_of_its_former_ally_make_room_where_it_stands() -> None:
    """Their owner moves them to the nearest legal hex; leaders, too."""
    units = (
        "caesar-auxilia-1 0304; salii-band-1 0306; franks-warband-1 0306; nebisgast 0306; laeti-band-1 0205"
    )
    state = phase(ROMAN, "salii=barbarian", ("federate", ""), f"{units}; franks-raiders-1 0106")
    state = run(state, "sway salii", dice=[5])
    assert asked(state) == ("Displace", "barbarian")
    near = {"settle 0206", "settle 0406", "settle 0305", "settle 0307", "settle 0205", "settle 0405"}
    assert set(legal_lines(state)) <= near | {"settle 0207"}
    assert clauses(state, "settle 0106") == ["JH.5_9_4"]
    first = legal_lines(state)[0].split()[1]
    state = run(state, f"settle {first}")
    assert asked(state) == ("Displace", "barbarian")
    state = run(state, f"settle {first}")
    assert where(state, "franks-warband-1") == where(state, "nebisgast") == first
    assert where(state, "franks-raiders-1") == "0106"
    assert where(state, "salii-band-1") == "0306"
    assert asked(state) == ("Activation", "roman")
    assert not list(JULIAN.invariants(state))


@rule("JH.5_9_4", "JH.return")
def test_whoever_stands_in_its_home_makes_room_for_it() -> None:
    units = "caesar-auxilia-1 0201; julian 0201; salii-band-1 0306; alamanni-warband-1 0605"
    state = phase(ROMAN, "salii=barbarian", ("federate", ""), units)
    state = run(state, "sway salii", dice=[3])
    assert where(state, "salii-band-1") == "0201"
    assert asked(state) == ("Displace", "roman")
    state = run(state, "settle 0202", "settle 0202")
    assert where(state, "caesar-auxilia-1") == where(state, "julian") == "0202"
    assert asked(state) == ("Activation", "roman")


@rule("JH.return", "JH.6_0")
def test_a_people_of_which_nobody_is_left_moves_nobody_out_of_its_home() -> None:
    state = off(campaign("caesar-auxilia-1 0201", allies="salii=roman"), "salii-band-1", "salii-band-2")
    state = off(state, "salii-foederati-1")
    play = Play(state, Scripted())
    go_home(play, state.roster.people_index["salii"], "JH.return")
    assert ally(state, "salii") == "neutral"
    assert not state.todo
    assert where(state, "salii-band-1") == "aside"


# --- restoring a unit ----------------------------------------------------------------------------


def restoring(
    seat: int = ROMAN,
    allies: str = "salii=own",
    units: str = "salii-band-1 0304",
    hands: tuple[str, str] = ("federate", "federate"),
    tp: int = 5,
) -> JulianState:
    """The reinforcement sub-phase of a player; two units of the Salii have been lost."""
    allies = allies.replace("own", SEATS[seat]).replace("foe", SEATS[1 - seat])
    state = campaign(units, hands=hands, acting=OWN[seat], active=SEATS[seat], allies=allies, tp=tp)
    state = off(state, "salii-band-2", "salii-foederati-1", "batavi-band-1")
    return go_on(at(state, Reinforcing(seat))).state  # type: ignore[no-any-return]


@rule("JH.5_9_3", "JS.federate.refs", "JH.treasury")
@pytest.mark.parametrize(("seat", "tp"), [(ROMAN, 4), (BARBARIAN, 5)])
@pytest.mark.parametrize("unit", ["salii-band-2", "salii-foederati-1"])
def test_a_lost_unit_of_an_allied_people_is_restored_at_its_home(seat: int, tp: int, unit: str) -> None:
    state = restoring(seat, hands=("federate", "") if seat == ROMAN else ("", "federate"))
    assert f"restore {unit}" in legal_lines(state)
    play = do(state, f"restore {unit}")
    after = play.state
    assert told(play)[:2] == [("JH.7_11", "event.announces.restore"), ("JH.5_9_3", "event.restores")]
    assert where(after, unit) == "0201"
    assert men_at(after, seat, after.roster.grid.cells["0201"]) == 1
    assert after.tp == tp
    assert asked(after) == ("Reinforcing", SEATS[seat])
    assert (after.federate[seat], after.objects[seat]) == (1, 1)


@rule("JH.5_9_3", "JH.7_11", "JS.agentes.3")
def test_that_can_be_annulled_as_well_and_then_costs_nothing() -> None:
    state = restoring(hands=("federate", "agentes"))
    state = run(state, "restore salii-band-2")
    assert asked(state) == ("Counter", "barbarian")
    after = run(state, "annul")
    assert (where(after, "salii-band-2"), after.tp, after.federate[ROMAN]) == ("aside", 5, 1)
    assert not any(after.objects)
    assert where(run(state, "pass"), "salii-band-2") == "0201"


@rule("JH.5_9_3")
@pytest.mark.parametrize("owner", ["neutral", "foe"])
def test_not_for_a_people_that_serves_another(owner: str) -> None:
    assert clauses(restoring(allies=f"salii={owner}"), "restore salii-band-2") == ["JH.5_9_3"]


@rule("JH.5_9_3")
def test_only_a_unit_that_was_lost() -> None:
    state = restoring()
    assert clauses(state, "restore salii-band-1") == ["JH.5_9_3"]
    assert clauses(state, "restore nonsense") == clauses(state, "restore julian") == ["JH.6_0"]


@rule("JH.5_9_3")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_not_while_an_enemy_stands_in_its_home(seat: int) -> None:
    foe = ("alamanni-warband-1", "caesar-auxilia-1")[seat]
    leader = ("chnodomar", "julian")[seat]
    state = restoring(seat, units=f"{foe} 0201")
    assert clauses(state, "restore salii-band-2") == ["JH.5_9_3"]
    assert clauses(restoring(seat, units=f"{leader} 0201"), "restore salii-band-2") == []
    assert clauses(restoring(seat, units=f"{foe} 0202"), "restore salii-band-2") == []


@rule("JH.5_9_3", "JH.stack")
def test_nor_if_five_units_stand_there() -> None:
    four = "caesar-auxilia-1 0201; caesar-auxilia-2 0201; caesar-auxilia-3 0201; caesar-equites-1 0201"
    assert clauses(restoring(units=f"{four}; julian 0201"), "restore salii-band-2") == []
    five = restoring(units=f"{four}; salii-band-1 0201")
    assert clauses(five, "restore salii-band-2") == ["JH.stack"]


@rule("JH.5_9_3", "JH.treasury")
def test_the_roman_must_be_able_to_pay_for_it() -> None:
    assert clauses(restoring(tp=0), "restore salii-band-2") == ["JH.treasury"]
    assert clauses(restoring(tp=1), "restore salii-band-2") == []
    assert clauses(restoring(BARBARIAN, tp=0), "restore salii-band-2") == []


@rule("JH.5_9_3", "JH.6_0")
def test_even_the_last_unit_of_a_people_comes_back() -> None:
    state = off(restoring(), "salii-band-1")
    assert clauses(state, "restore salii-band-1") == []


@rule("JH.5_9_3", "JS.federate.limit", "JH.7_9_3", "J0.title")
def test_the_limits_of_a_federate_hold_for_it() -> None:
    state = restoring()
    state.federate = [1, 0]
    assert clauses(state, "restore salii-band-2") == ["JS.federate.limit"]
    state.federate, state.duces = [0, 0], [1, 0]
    assert clauses(state, "restore salii-band-2") == []  # nobody is activated
    assert where(run(state, "restore salii-band-2", "pass"), "salii-band-2") == "0201"
    state.duces, state.objects[ROMAN] = [0, 0], 1
    assert clauses(state, "restore salii-band-2") == ["JH.7_9_3"]
    state.objects[ROMAN], state.objects[BARBARIAN] = 0, 1
    assert clauses(state, "restore salii-band-2") == []
    assert clauses(restoring(hands=("dux", "")), "restore salii-band-2") == ["J0.title"]


@rule("JH.5_9_3")
def test_it_is_for_the_reinforcement_sub_phase() -> None:
    state = off(phase(allies="salii=roman"), "salii-band-2")
    assert clauses(state, "restore salii-band-2") == ["JH.ops_phase"]
    state = run(state, "pass")
    assert clauses(state, "restore salii-band-2") == []
    assert clauses(run(state, "pass"), "restore salii-band-2") == ["JH.move"]
