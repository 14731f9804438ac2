"""8 Retreat: where a beaten unit may go, who chooses, who is lost, and what becomes of leaders."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.julian.places import Displace
from legatus.games.julian.pursuit import Pursuit
from legatus.games.julian.results import Company
from legatus.games.julian.retreat import Retreating
from legatus.games.julian.state import BARBARIAN, ROMAN, JulianState
from tests.rules import rule

from .stage import campaign, clauses, do, fought, go_on, holder, legal_lines, refusals, run, told, where


def beaten(
    result: str, hex_: str, attackers: str, defenders: str, more: str = "", **settings: Any
) -> JulianState:
    """Comitatenses, one in each of some hexes, have attacked these barbarians."""
    ours = [f"caesar-comitatenses-{n}" for n in range(1, len(attackers.split()) + 1)]
    placed = [f"{name} {cell}" for name, cell in zip(ours, attackers.split(), strict=True)]
    placed += [f"{name} {hex_}" for name in defenders.split()]
    state = campaign("; ".join([*placed, more]), acting="caesar", **settings)
    return fought(state, result, hex_, *ours)


def ways(state: JulianState, name: str) -> set[str]:
    """Where a retreating unit may be sent."""
    return {line.split()[2] for line in legal_lines(state) if line.startswith(f"fall-back {name} ")}


PAIR = "franks-warband-1 franks-warband-2"  # one of them is lost by DD and DR


def survivor(state: JulianState, dice: list[int] | None = None) -> JulianState:
    """The first warband is lost, the second one retreats."""
    return do(go_on(state).state, "lose franks-warband-1", dice or []).state


# --- where to ------------------------------------------------------------------------------------


@rule("JH.retreat", "JC.DD.2")
@pytest.mark.parametrize(
    ("hex_", "attackers", "goals"),
    [
        ("0405", "0404", "0505 0406 0506"),  # the example of the rulebook
        ("0405", "0404 0305", "0505 0406 0506 0504"),  # 0504 is no nearer to 0404, and farther from 0305
        ("0205", "0105", "0304 0305 0306"),
        ("0205", "0105 0305", "0304 0306 0204 0206"),
        ("0205", "0105 0304", "0305 0306 0206"),
        ("0009", "0109", "0008 0010"),
    ],
)
def test_every_step_leads_away_from_whom_one_fought(hex_: str, attackers: str, goals: str) -> None:
    state = survivor(beaten("DD", hex_, attackers, PAIR))
    assert isinstance(state.decision, Retreating)
    assert ways(state, "franks-warband-2") == set(goals.split())


@rule("JH.retreat", "JC.AD.2")
def test_attackers_fear_the_hex_that_they_attacked() -> None:
    units = "caesar-equites-1 0105; equitum-equites-1 0304; equitum-limitanei-1 0105; franks-warband-1 0205"
    state = campaign(units, acting="caesar equitum")
    state = fought(state, "AD", "0205", "caesar-equites-1", "equitum-equites-1", "equitum-limitanei-1")
    state = run(go_on(state).state, "lose equitum-limitanei-1", "lose caesar-equites-1")
    assert ways(state, "equitum-equites-1") == {"0203", "0303", "0404"}
    assert clauses(state, "fall-back equitum-equites-1 0204") == ["JH.retreat"]  # next to the enemy
    assert clauses(state, "fall-back equitum-equites-1 0205") == ["JH.retreat"]
    assert clauses(state, "fall-back equitum-equites-1 0000") == ["JH.retreat"]
    assert clauses(state, "fall-back equitum-equites-1 0404") == []


@rule("JH.retreat")
def test_nobody_retreats_into_enemy_combat_units_but_past_a_leader() -> None:
    state = survivor(beaten("DD", "0405", "0404", PAIR, "garrison-1 0505; barbatio 0506"))
    assert ways(state, "franks-warband-2") == {"0406", "0506"}


@rule("JH.retreat", "JH.stack")
def test_a_full_hex_is_no_end() -> None:
    full = "; ".join(f"alamanni-warband-{n} 0505" for n in range(1, 6))
    state = survivor(beaten("DD", "0405", "0404", PAIR, full))
    assert ways(state, "franks-warband-2") == {"0406", "0506"}
    four = "; ".join(f"alamanni-warband-{n} 0505" for n in range(1, 5))
    state = survivor(beaten("DD", "0405", "0404", PAIR, four))
    assert ways(state, "franks-warband-2") == {"0505", "0406", "0506"}


@rule("JH.retreat", "JH.stack")
def test_a_full_hex_is_passed() -> None:
    full = "; ".join(f"alamanni-warband-{n} 0505" for n in range(1, 6))
    state = survivor(beaten("DR", "0405", "0404", PAIR, full), [2])
    assert "0505" in ways(state, "franks-warband-2")
    state = run(state, "fall-back franks-warband-2 0505")
    assert where(state, "franks-warband-2") == "0505"
    assert ways(state, "franks-warband-2") == {"0605", "0606"}
    assert isinstance(run(state, "fall-back franks-warband-2 0605").decision, Pursuit)


@rule("JH.retreat", "JH.6_0")
def test_the_hex_of_neutrals_is_passed_and_no_end() -> None:
    neutral = "laeti-band-1 0505"
    state = survivor(beaten("DD", "0405", "0404", PAIR, neutral))
    assert ways(state, "franks-warband-2") == {"0406", "0506"}
    state = survivor(beaten("DR", "0405", "0404", PAIR, neutral), [2])
    assert "0505" in ways(state, "franks-warband-2")
    allied = survivor(beaten("DD", "0405", "0404", PAIR, neutral, allies="laeti=barbarian"))
    assert ways(allied, "franks-warband-2") == {"0505", "0406", "0506"}


@rule("JH.retreat")
def test_failing_that_into_a_hex_next_to_none_of_them() -> None:
    """From 0008 no hex lies farther from 0109; 0007 is not nearer to it than two hexes."""
    state = survivor(beaten("DR", "0009", "0109", PAIR), [2])
    assert where(state, "franks-warband-2") == "0007"
    assert isinstance(state.decision, Pursuit)


@rule("JH.retreat", "JC.DR.2.path")
def test_the_enemy_chooses_a_way_of_full_length_while_there_is_one() -> None:
    """0010 is a dead end."""
    one = survivor(beaten("DR", "0009", "0109", PAIR), [1])
    assert one.decision is not None
    assert one.decision.seat == ROMAN
    assert ways(one, "franks-warband-2") == {"0008", "0010"}
    three = survivor(beaten("DR", "0009", "0109", PAIR), [3])
    assert where(three, "franks-warband-2") == "0007"
    assert ways(three, "franks-warband-2") == {"0006", "0106"}


@rule("JH.retreat")
def test_no_hex_is_entered_twice() -> None:
    """Between 0806 and 0807 one could walk to and fro."""
    wall = "garrison-1 0706; garrison-2 0805; garrison-3 0705"
    two = survivor(beaten("DR", "0707", "0607", PAIR, wall), [2])
    assert ways(two, "franks-warband-2") == {"0806", "0807"}
    three = survivor(beaten("DR", "0707", "0607", PAIR, wall), [3])
    assert where(three, "franks-warband-2") == "pool"


@rule("JH.retreat")
def test_who_has_no_way_is_eliminated() -> None:
    play = do(go_on(beaten("DD", "0010", "0009", PAIR)).state, "lose franks-warband-1")
    assert where(play.state, "franks-warband-2") == "pool"
    assert ("JH.retreat", "event.destroyed") in told(play)


@rule("JH.retreat", "JH.6_0")
def test_a_federate_without_a_way_is_set_aside() -> None:
    state = beaten("DD", "0010", "0009", "laeti-band-1 laeti-band-2", allies="laeti=barbarian")
    state = do(go_on(state).state, "lose laeti-band-1").state
    assert where(state, "laeti-band-2") == "aside"


@rule("JH.retreat")
def test_a_garrison_that_must_retreat_is_eliminated() -> None:
    units = "franks-retinue-1 0105; franks-retinue-2 0105; garrison-1 0205; caesar-auxilia-1 0205"
    state = campaign(f"{units}; garrison-2 0205", acting="franks", active="barbarian")
    state = fought(state, "DD", "0205", "franks-retinue-1", "franks-retinue-2")
    state = run(go_on(state).state, "lose garrison-2", "lose garrison-1")  # 4 of 7
    assert ways(state, "caesar-auxilia-1") == {"0304", "0305", "0306"}
    state = fought(campaign(units, acting="franks", active="barbarian"), "DR", "0205", "franks-retinue-1")
    play = do(go_on(state).state, "lose caesar-auxilia-1")  # no die for a garrison
    assert where(play.state, "garrison-1") == "pool"
    assert ("JH.retreat", "event.destroyed") in told(play)


# --- one after the other -------------------------------------------------------------------------


def routed() -> JulianState:
    """Two warbands go one hex, raiders two, as the Roman likes."""
    defenders = "franks-warband-1 franks-warband-2 franks-raiders-1 franks-retinue-1"
    state = go_on(beaten("DR", "0205", "0105", defenders)).state
    state = run(state, "lose franks-retinue-1")
    return do(state, "lose franks-warband-1", [1, 2]).state


@rule("JH.retreat", "JC.DR.2.path")
def test_units_retreat_in_the_order_of_who_chooses() -> None:
    state = routed()
    assert ways(state, "franks-warband-2") == ways(state, "franks-raiders-1") == {"0304", "0305", "0306"}
    state = run(state, "fall-back franks-raiders-1 0305")
    assert where(state, "franks-raiders-1") == "0305"
    refusal = refusals(state, "fall-back franks-warband-2 0304")[0]  # who is on his way goes on
    assert (refusal.clause, refusal.key) == ("JH.retreat", "refusal.not_retreating")
    assert not ways(state, "franks-warband-2")
    assert ways(state, "franks-raiders-1") == {"0405", "0406", "0404"}
    state = run(state, "fall-back franks-raiders-1 0405")
    assert ways(state, "franks-warband-2") == {"0304", "0305", "0306"}
    assert clauses(state, "fall-back franks-raiders-1 0505") == ["JH.retreat"]  # has arrived
    state = run(state, "fall-back franks-warband-2 0306")
    assert (where(state, "franks-raiders-1"), where(state, "franks-warband-2")) == ("0405", "0306")
    assert isinstance(state.decision, Pursuit)


@rule("JH.retreat")
def test_only_beaten_units_retreat() -> None:
    state = routed()
    for name in ("caesar-comitatenses-1", "franks-warband-1", "nobody"):
        assert clauses(state, f"fall-back {name} 0304") == ["JH.retreat"]


@rule("JH.retreat")
def test_what_one_unit_fills_is_full_for_the_next() -> None:
    four = "; ".join(f"alamanni-warband-{n} 0305" for n in range(1, 5))
    walls = "garrison-1 0304; garrison-2 0306"
    defenders = "franks-warband-1 franks-warband-2 franks-raiders-1 franks-retinue-1"
    state = go_on(beaten("DD", "0205", "0105", defenders, f"{four}; {walls}")).state
    state = run(state, "lose franks-retinue-1", "lose franks-warband-1")
    assert ways(state, "franks-warband-2") == {"0305"}
    after = run(state, "fall-back franks-raiders-1 0305")
    assert where(after, "franks-raiders-1") == "0305"
    assert where(after, "franks-warband-2") == "pool"
    after = run(state, "fall-back franks-warband-2 0305")
    assert where(after, "franks-raiders-1") == "pool"


@rule("JH.cities", "JH.retreat")
def test_who_retreats_into_a_city_neither_sacks_nor_takes_it() -> None:
    state = survivor(beaten("DD", "0205", "0304", PAIR))
    assert ways(state, "franks-warband-2") == {"0105", "0206", "0306"}
    play = do(state, "fall-back franks-warband-2 0206")
    state = play.state
    assert where(state, "franks-warband-2") == "0206"
    assert (holder(state, "tricasses"), state.plunder) == ("roman", 0)
    assert not any((*state.sacked, *state.plundered))
    assert "event.sacks" not in [key for _, key in told(play)]


@rule("JH.cities", "JH.retreat")
def test_nor_do_beaten_romans_take_a_city() -> None:
    units = "caesar-auxilia-1 0405; caesar-auxilia-2 0405; franks-warband-1 0404"
    state = fought(campaign(units, acting="caesar"), "AD", "0404", "caesar-auxilia-1", "caesar-auxilia-2")
    state = run(go_on(state).state, "lose caesar-auxilia-1", "fall-back caesar-auxilia-2 0505", dice=[0])
    assert where(state, "caesar-auxilia-2") == "0505"
    assert holder(state, "argentoratum") == "barbarian"


# --- leaders -------------------------------------------------------------------------------------


@rule("JH.retreat", "JH.leaders")
def test_a_leader_retreats_with_a_survivor_of_his_hex() -> None:
    defenders = "franks-warband-1 franks-warband-2 franks-raiders-1 franks-retinue-1"
    state = go_on(beaten("DD", "0205", "0105", defenders, "nebisgast 0205; alamanni-raiders-1 0305")).state
    state = run(state, "lose franks-retinue-1", "lose franks-warband-1")
    state = run(state, "fall-back franks-warband-2 0304", "fall-back franks-raiders-1 0306")
    company = state.decision
    assert isinstance(company, Company)
    assert company.seat == BARBARIAN  # his owner
    assert where(state, "nebisgast") == "0205"
    assert set(legal_lines(state)) == {"join franks-warband-2", "join franks-raiders-1"}
    for name in ("alamanni-raiders-1", "franks-retinue-1", "nobody"):
        assert clauses(state, f"join {name}") == ["JH.retreat"]
    state = run(state, "join franks-raiders-1")
    assert where(state, "nebisgast") == "0306"
    assert isinstance(state.decision, Pursuit)


@rule("JH.retreat", "JC.AR.2.path")
def test_in_a_rout_too_his_owner_chooses_the_unit() -> None:
    units = "caesar-equites-1 0105; equitum-equites-1 0105; julian 0105; franks-warband-1 0205"
    state = campaign(units, acting="caesar equitum")
    state = fought(state, "AR", "0205", "caesar-equites-1", "equitum-equites-1")
    state = do(go_on(state).state, "lose caesar-equites-1", [1]).state
    assert state.decision is not None
    assert state.decision.seat == BARBARIAN
    state = run(state, "fall-back equitum-equites-1 0005")
    assert isinstance(state.decision, Company)
    assert state.decision.seat == ROMAN
    assert where(run(state, "join equitum-equites-1"), "julian") == "0005"


@rule("JH.retreat", "JH.leaders")
def test_a_leader_stays_while_somebody_of_his_side_is_left() -> None:
    units = "caesar-equites-1 0105; julian 0105; equitum-limitanei-1 0105; franks-warband-1 0205"
    state = fought(campaign(units, acting="caesar"), "AD", "0205", "caesar-equites-1")
    state = go_on(state).state
    assert where(state, "caesar-equites-1") == "pool"
    assert where(state, "julian") == "0105"
    assert state.decision is None


@rule("JH.leaders", "JH.retreat")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_leader_whose_hex_loses_its_last_unit_throws_a_die(face: int) -> None:
    play = go_on(beaten("DD", "0205", "0105", "franks-warband-1", "nebisgast 0205"), [face])
    assert where(play.state, "nebisgast") == ("pool" if face <= 2 else "0405")
    lost = ("JH.retreat", "event.leader_lost") in told(play)
    assert lost == (face <= 2)


@rule("JH.retreat")
def test_a_leader_leaves_a_city_before_the_enemy_enters_it() -> None:
    """Left alone in a city of his own, he is not put back into it, where the pursuit would meet him again."""
    alone = campaign(
        "garrison-1 0404; julian 0404; franks-warband-1 0405", active="barbarian", acting="franks"
    )
    state = go_on(fought(alone, "DD", "0404", "franks-warband-1"), [6]).state
    assert where(state, "garrison-1") == "pool"
    assert where(state, "julian") not in ("0404", "pool")


@rule("JH.leaders", "JH.retreat")
@pytest.mark.parametrize("result", ["AD", "AR"])
def test_a_leader_of_the_attackers_throws_too_and_may_choose_among_equals(result: str) -> None:
    units = "equitum-limitanei-1 0105; marcellus 0105; franks-warband-1 0205; franks-raiders-1 0204"
    state = fought(campaign(units, acting="equitum"), result, "0205", "equitum-limitanei-1")
    state = go_on(state, [3]).state
    question = state.decision
    assert isinstance(question, Displace)
    assert question.seat == ROMAN
    assert set(legal_lines(state)) == {"settle 0206", "settle 0106", "settle 0005"}  # not where raiders are
    assert clauses(state, "settle 0204") == ["JH.retreat"]
    assert clauses(state, "settle 0404") == ["JH.retreat"]  # too far
    assert clauses(state, "settle 0105") == ["JH.retreat"]  # no city
    assert where(run(state, "settle 0106"), "marcellus") == "0106"


@rule("JH.leaders")
def test_a_leader_is_alone_if_only_those_of_another_hex_survive() -> None:
    units = "equitum-equites-1 0105; marcellus 0105; caesar-equites-1 0304; franks-warband-1 0205"
    state = campaign(units, acting="equitum caesar")
    state = fought(state, "BB", "0205", "equitum-equites-1", "caesar-equites-1")
    state = do(go_on(state).state, "lose equitum-equites-1", [1]).state
    assert where(state, "marcellus") == "pool"


@rule("JH.retreat")
def test_without_a_city_of_his_side_a_leader_is_lost() -> None:
    units = "equitum-limitanei-1 0105; marcellus 0105; franks-warband-1 0205"
    lost = " ".join(f"{city.id}=barbarian" for city in campaign().roster.cities)
    state = campaign(units, acting="equitum", holders=lost)
    play = go_on(fought(state, "AD", "0205", "equitum-limitanei-1"), [6])
    assert where(play.state, "marcellus") == "pool"
    assert ("JH.retreat", "event.nowhere") in told(play)


@rule("JH.retreat")
@pytest.mark.parametrize(
    ("leader", "goals"),
    [
        ("nebisgast", {"0702", "0802"}),  # home hexes of the Franks
        ("vadomar", {"0503", "0604"}),  # cities, nearer than his home
        ("chnodomar", {"0703"}),  # at home: he may stay
    ],
)
def test_barbarian_leaders_go_to_cities_or_home(leader: str, goals: set[str]) -> None:
    state = go_on(beaten("DD", "0703", "0603", "franks-warband-1", f"{leader} 0703"), [3]).state
    if len(goals) > 1:
        assert {line.split()[1] for line in legal_lines(state)} == goals
    else:
        assert {where(state, leader)} == goals


@rule("JH.retreat", "JH.6_0")
def test_but_not_to_enemies_or_neutrals() -> None:
    for other, goal in (("burgundians-band-1 0802", "0702"), ("equitum-limitanei-1 0702", "0802")):
        state = beaten("DD", "0703", "0603", "franks-warband-1", f"nebisgast 0703; {other}")
        assert where(go_on(state, [3]).state, "nebisgast") == goal


@rule("JS.imperium.2.exception", "JH.retreat")
def test_the_die_of_a_leader_in_combat_is_not_thrown_again() -> None:
    hands = ("imperium", "imperium")
    state = beaten("DD", "0205", "0105", "franks-warband-1", "nebisgast 0205", hands=hands)
    state = go_on(state, [1]).state
    assert where(state, "nebisgast") == "pool"
    assert isinstance(state.decision, Pursuit)


@rule("JS.imperium.2.exception", "JH.leaders")
def test_nor_if_somebody_retreats_into_the_hex_of_a_leader() -> None:
    state = beaten("DD", "0205", "0105", PAIR, "barbatio 0305", hands=("imperium", "imperium"))
    state = run(survivor(state), "fall-back franks-warband-2 0305", dice=[2])
    assert where(state, "barbatio") == "pool"
    assert isinstance(state.decision, Pursuit)


@rule("JH.retreat", "JH.map")
def test_the_first_hex_of_a_map_is_like_any_other() -> None:
    """On the smaller map 0000 is no sea."""
    units = "caesar-auxilia-1 0101; caesar-auxilia-2 0101; alamanni-warband-1 0001; alamanni-warband-2 0001"
    state = campaign(f"{units}; chnodomar 0001", acting="caesar", scenario="argentoratum")
    state = fought(state, "DD", "0001", "caesar-auxilia-1", "caesar-auxilia-2")
    state = run(go_on(state).state, "lose alamanni-warband-1")
    assert ways(state, "alamanni-warband-2") == {"0000", "0002"}
    state = run(state, "fall-back alamanni-warband-2 0000", "join alamanni-warband-2")
    assert where(state, "alamanni-warband-2") == where(state, "chnodomar") == "0000"
    units = "alamanni-warband-1 0000; alamanni-warband-2 0000; chnodomar 0000; caesar-auxilia-1 0100"
    state = campaign(units, acting="caesar", scenario="argentoratum")
    state = go_on(fought(state, "DC", "0000", "caesar-auxilia-1")).state
    state = run(state, "pursue caesar-auxilia-1 0000", dice=[0, 0])
    assert where(state, "chnodomar") == "pool"
    assert where(state, "caesar-auxilia-1") == "0000"
