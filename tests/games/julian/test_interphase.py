"""12 The interphase: who goes home, what is taxed and repaired, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.julian.interphase import (
    Back,
    Eastward,
    Homeward,
    Interphase,
    Keeping,
    Repairs,
    Taxes,
    Withdrawal,
    revenue,
)
from legatus.games.julian.places import Displace, Displaced
from legatus.games.julian.state import BARBARIAN, DELAYED, ROMAN, SEATS, JulianState
from legatus.games.julian.victory import EndTurn
from legatus.kernel import Play, Step
from tests.rules import rule

from .stage import ally, at, campaign, clauses, do, go_on, legal_lines, refusals, run, told, where


def after_operations(units: str = "", **settings: Any) -> JulianState:
    return campaign(units, operating=False, **settings)


def step(state: JulianState, *steps: Step, dice: tuple[int, ...] = ()) -> JulianState:
    return go_on(at(state, *steps), dice).state  # type: ignore[no-any-return]


def keys(state: JulianState, line: str) -> list[tuple[str, str]]:
    return [(refusal.clause, refusal.key.removeprefix("refusal.")) for refusal in refusals(state, line)]


# --- the order -----------------------------------------------------------------------------------


def phases(play: Play) -> list[str]:
    return [event.clause for event in play.events if event.clause.startswith("JQ.III")]


@rule("JQ.III", "JQ.III.A", "JQ.III.B", "JQ.III.C", "JQ.III.D", "JQ.III.E")
@pytest.mark.parametrize("supply", [False, True])
@pytest.mark.parametrize("crises", [False, True])
def test_the_phases_have_their_order_and_options_are_skipped(supply: bool, crises: bool) -> None:
    state = after_operations(turn=2, supply=supply, crises=crises)
    play = go_on(at(state, Interphase()), [4] if crises else [])
    wanted = ["JQ.III", "JQ.III.B", *(["JQ.III.C"] if supply else []), "JQ.III.E"]
    assert phases(play) == wanted
    crisis = [n for n, event in enumerate(play.events) if event.key == "event.crisis.4"]
    assert bool(crisis) == crises
    if crises:
        order = [event.key for event in play.events]
        assert order.index("event.taxes") < crisis[0] < order.index("event.turn_ends")
        assert not supply or order.index("event.supply") < crisis[0]


@rule("JQ.III.A", "JH.return")
def test_the_return_phase_asks_in_its_order_and_before_the_taxes() -> None:
    units = "laeti-band-1 0105; salii-band-1 0604; franks-warband-1 0503; caesar-auxilia-1 0605"
    state = after_operations(
        units, allies="laeti=roman salii=barbarian", drawn="caesar", tp=5, sacked="bononia"
    )
    state.plundered[0] = 1
    state = step(state, Interphase())
    assert state.decision == Keeping(ROMAN)
    state = run(state, "pass")
    assert state.decision == Keeping(BARBARIAN)
    assert where(state, "laeti-band-1") == "0105"  # all go at the same time
    state = run(state, "pass")
    assert (where(state, "laeti-band-1"), where(state, "salii-band-1")) == ("0207", "0201")
    assert state.decision == Withdrawal(BARBARIAN)
    assert where(state, "caesar-auxilia-1") == "0605"
    state = run(state, "pass")
    assert where(state, "caesar-auxilia-1") == "0507"
    assert state.decision == Repairs(ROMAN)
    assert not any(state.drawn)
    play = do(state, "pass")
    assert phases(play) == ["JQ.III.E"]


@rule("JS.imperium.limit", "JH.windows")
def test_the_interphase_has_an_imperium_of_its_own_and_the_roman_is_asked_first() -> None:
    state = after_operations(turn=2, crises=True, hands=("imperium imperium", "imperium"), active="barbarian")
    state.imperium = [1, 1]
    state = step(state, Interphase(), dice=(4,))
    assert state.decision is not None
    assert state.decision.seat == ROMAN
    state = run(state, "reroll", dice=[1])
    assert state.decision is not None
    assert state.decision.seat == BARBARIAN  # he may have that throw repeated
    state = run(state, "pass", dice=[6])  # rumours: another die, and no Imperium of the Roman's any more
    assert state.decision is not None
    assert state.decision.seat == BARBARIAN
    assert run(state, "pass").tp == 20 + 12 - 6


# --- III A (1): peoples --------------------------------------------------------------------------

PEOPLES = "laeti-band-1 0105; laeti-band-2 0105; salii-band-1 0104; salii-band-2 0104; batavi-band-1 0302"


@rule("JH.return")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_allied_peoples_go_home_and_become_neutral(seat: int) -> None:
    state = after_operations(PEOPLES, allies=f"laeti={SEATS[seat]} salii={SEATS[seat]}")
    play = go_on(at(state, Homeward()))
    assert [where(play.state, f"laeti-band-{n}") for n in (1, 2)] == ["0207", "0207"]
    assert [where(play.state, f"salii-band-{n}") for n in (1, 2)] == ["0201", "0201"]
    assert (ally(play.state, "laeti"), ally(play.state, "salii")) == ("neutral", "neutral")
    assert where(play.state, "batavi-band-1") == "0302"  # neutral already
    assert told(play).count(("JH.return", "event.goes_home")) == 2


@rule("JH.return", "JH.6_0")
def test_units_that_were_set_aside_stay_so() -> None:
    state = after_operations("laeti-band-1 0105", allies="laeti=roman")
    state.cell[state.roster.index["laeti-band-2"]] = -3
    state = step(state, Homeward())
    assert (where(state, "laeti-band-1"), where(state, "laeti-band-2")) == ("0207", "aside")


@rule("JH.return", "JH.treasury")
def test_the_roman_keeps_peoples_for_a_point_each() -> None:
    state = after_operations(PEOPLES, allies="laeti=roman salii=roman batavi=roman", tp=2)
    state = step(state, Keeping(ROMAN), Keeping(BARBARIAN), Homeward())
    assert legal_lines(state) == ["keep salii", "keep batavi", "keep laeti", "pass"]
    state = run(state, "keep laeti")
    assert state.tp == 1
    assert keys(state, "keep laeti") == [("JH.return", "kept")]
    state = run(state, "keep salii")  # nothing is left to pay with
    assert state.tp == 0
    assert [ally(state, name) for name in ("laeti", "salii", "batavi")] == ["roman", "roman", "neutral"]
    assert (where(state, "laeti-band-1"), where(state, "salii-band-1")) == ("0105", "0104")
    assert where(state, "batavi-band-1") == "0300"
    assert not any(state.called)


@rule("JH.return", "JH.treasury")
def test_without_a_point_he_keeps_nobody() -> None:
    state = at(after_operations(PEOPLES, allies="laeti=roman", tp=0), Keeping(ROMAN))
    assert keys(state, "keep laeti") == [("JH.treasury", "too_poor")]
    assert go_on(state).state.decision is None


@rule("JH.return")
@pytest.mark.parametrize("name", ["salii", "batavi", "gauls"])
def test_only_allies_of_his_are_kept(name: str) -> None:
    state = at(after_operations(PEOPLES, allies="laeti=roman salii=barbarian"), Keeping(ROMAN))
    assert keys(state, f"keep {name}") == [("JH.return", "not_allied")]
    assert clauses(state, "keep laeti") == []


@rule("JH.return")
def test_the_barbarian_keeps_one_people_if_he_sacked_a_city() -> None:
    state = after_operations(PEOPLES, allies="laeti=barbarian salii=barbarian", tp=0)
    gone = step(state, Keeping(BARBARIAN), Homeward())  # he is not asked
    assert (ally(gone, "laeti"), ally(gone, "salii")) == ("neutral", "neutral")
    state.plundered[state.roster.city_index["bononia"]] = 1
    state = step(state, Keeping(BARBARIAN), Homeward())
    assert legal_lines(state) == ["keep salii", "keep laeti", "pass"]
    state = run(state, "keep laeti")  # and he is not asked for a second one
    assert (ally(state, "laeti"), ally(state, "salii")) == ("barbarian", "neutral")
    assert state.tp == 0


@rule("JH.return")
def test_others_make_room_for_a_people_that_comes_home() -> None:
    units = "laeti-band-1 0105; caesar-auxilia-1 0207; julian 0207; garrison-1 0307"
    state = after_operations(units, allies="laeti=roman", holders="autessiodurum=barbarian")
    state = step(state, Homeward())
    question = state.decision
    assert isinstance(question, Displace)
    assert (question.seat, question.why) == (ROMAN, "JH.return")
    around = "0306 0307 0308 0208 0107 0206"
    assert {line.split()[1] for line in legal_lines(state)} == set(around.split())
    assert clauses(state, "settle 0205") == ["JH.return"]
    state = run(state, "settle 0107")
    state = run(state, "settle 0208")
    assert (where(state, "caesar-auxilia-1"), where(state, "julian")) == ("0107", "0208")


@rule("JH.return", "JH.6_0")
@pytest.mark.parametrize(
    "there", ["salii-band-1 0300; batavi-band-1 0104", "salii-band-1 0104; batavi-band-1 0201"]
)
def test_a_people_that_goes_home_too_makes_room_by_that(there: str) -> None:
    """Of two peoples one stands in the home of the other: whoever goes first, both are at home."""
    state = step(after_operations(there, allies="salii=barbarian batavi=barbarian"), Homeward())
    assert (where(state, "salii-band-1"), where(state, "batavi-band-1")) == ("0201", "0300")
    assert state.decision is None


@rule("JH.return", "JH.stack", "JH.move")
def test_they_go_to_the_nearest_legal_hex() -> None:
    full = "; ".join(f"equitum-limitanei-{n} 0206" for n in (1, 2, 3, 4))
    foes = "; ".join(
        f"franks-warband-{n} {hex_}" for n, hex_ in enumerate(("0306", "0307", "0308", "0208"), 1)
    )
    units = f"laeti-band-1 0105; laeti-band-2 0105; caesar-auxilia-1 0207; {full}; garrison-1 0206; {foes}"
    state = step(after_operations(units, allies="laeti=roman"), Homeward())
    assert where(state, "caesar-auxilia-1") == "0107"  # the only one: nobody is asked


@rule("JH.return", "JH.6_0")
def test_a_people_without_a_unit_on_the_map_displaces_nobody() -> None:
    state = after_operations("caesar-auxilia-1 0207", allies="laeti=roman")
    for name in ("laeti-band-1", "laeti-band-2"):
        state.cell[state.roster.index[name]] = -3
    state = step(state, Homeward())
    assert where(state, "caesar-auxilia-1") == "0207"
    assert ally(state, "laeti") == "neutral"


# --- III A (2): the barbarian withdraws ----------------------------------------------------------

STACK = "alamanni-warband-1 0504; alamanni-raiders-1 0504; chnodomar 0504; franks-warband-1 0504"


@rule("JH.return")
def test_units_of_a_command_go_home_together() -> None:
    state = at(
        after_operations(f"{STACK}; laeti-band-1 0504", allies="laeti=barbarian"), Withdrawal(BARBARIAN)
    )
    state = run(state, "withdraw 0504 alamanni 0605")
    assert [where(state, name) for name in ("alamanni-warband-1", "alamanni-raiders-1", "chnodomar")] == [
        "0605"
    ] * 3
    assert (where(state, "franks-warband-1"), where(state, "laeti-band-1")) == ("0504", "0504")
    assert state.decision == Withdrawal(BARBARIAN)
    state = run(state, "withdraw 0504 franks 0500")
    assert where(state, "franks-warband-1") == "0500"
    assert state.decision is None  # federates go home otherwise


@rule("JH.return")
@pytest.mark.parametrize(
    "line",
    [
        "withdraw 0504 southern 0606",  # nobody of them is there
        "withdraw 0605 alamanni 0606",  # not in Gaul
        "withdraw 0504 caesar 0605",
        "withdraw 0504 gauls 0605",
        "withdraw 0000 alamanni 0605",
    ],
)
def test_only_stacks_in_gaul_withdraw(line: str) -> None:
    units = f"{STACK}; alamanni-warband-2 0605; caesar-auxilia-1 0505; laeti-band-1 0504"
    state = at(after_operations(units, allies="laeti=barbarian"), Withdrawal(BARBARIAN))
    assert keys(state, line) == [("JH.return", "no_stack")]


@rule("JH.return")
@pytest.mark.parametrize(
    "hex_",
    [
        "0606x",
        "0500",  # of the Franks
        "0505",  # in Gaul
        "0703",  # with a Roman leader
        "0704",  # with a garrison
        "0804",  # with neutrals
    ],
)
def test_they_go_to_free_home_hexes_of_their_command(hex_: str) -> None:
    units = f"{STACK}; julian 0703; garrison-1 0704; burgundians-band-1 0804"
    state = at(after_operations(units), Withdrawal(BARBARIAN))
    assert keys(state, f"withdraw 0504 alamanni {hex_}") == [("JH.return", "not_home")]
    homes = {line.split()[3] for line in legal_lines(state) if line.startswith("withdraw 0504 alamanni")}
    assert homes == {"0603", "0803", "0605", "0705", "0805", "0606", "0706", "0806"}


@rule("JH.return", "JH.stack")
def test_with_room_for_all_of_them() -> None:
    four = "; ".join(f"southern-warband-{n} 0605" for n in (1, 2, 3, 4))
    state = at(after_operations(f"{STACK}; {four}"), Withdrawal(BARBARIAN))
    assert keys(state, "withdraw 0504 alamanni 0605") == [("JH.stack", "stack_full")]
    three = "; ".join(f"southern-warband-{n} 0605" for n in (1, 2, 3))
    state = at(after_operations(f"{STACK}; {three}"), Withdrawal(BARBARIAN))
    assert clauses(state, "withdraw 0504 alamanni 0605") == []


@rule("JH.return")
def test_the_barbarian_may_stay() -> None:
    state = run(at(after_operations(STACK), Withdrawal(BARBARIAN)), "pass")
    assert where(state, "alamanni-warband-1") == "0504"
    assert step(after_operations("alamanni-warband-1 0605"), Withdrawal(BARBARIAN)).decision is None


# --- III A (3): Romans beyond the Rhine ----------------------------------------------------------


@rule("JH.return")
def test_romans_beyond_the_rhine_go_to_the_nearest_city() -> None:
    state = after_operations("caesar-auxilia-1 0607; caesar-equites-1 0506")
    state = step(state, Eastward())
    assert where(state, "caesar-auxilia-1") == "0507"
    assert where(state, "caesar-equites-1") == "0506"  # in Gaul


@rule("JH.return")
@pytest.mark.parametrize("leader", ["julian", "barbatio"])
def test_with_a_leader_they_stay(leader: str) -> None:
    units = f"caesar-auxilia-1 0607; {leader} 0607; caesar-equites-1 0606; chnodomar 0606"
    state = step(after_operations(units), Eastward())
    assert where(state, "caesar-auxilia-1") == where(state, leader) == "0607"
    assert where(state, "caesar-equites-1") == "0507"  # a leader of the other side does not help


@rule("JH.return")
def test_leaders_and_federates_are_not_concerned() -> None:
    units = "julian 0607; laeti-band-1 0606; franks-warband-1 0605"
    state = step(after_operations(units, allies="laeti=roman"), Eastward())
    assert [where(state, name) for name in ("julian", "laeti-band-1", "franks-warband-1")] == [
        "0607",
        "0606",
        "0605",
    ]


@rule("JH.return", "JH.stack")
def test_a_full_city_has_no_room() -> None:
    full = "; ".join(f"equitum-limitanei-{n} 0507" for n in (1, 2, 3))
    units = f"caesar-auxilia-1 0607; caesar-auxilia-2 0607; {full}; garrison-1 0507"
    state = step(after_operations(units), Eastward())
    assert where(state, "caesar-auxilia-1") == "0507"  # the fifth
    assert legal_lines(state) == ["settle 0307", "settle 0408"]


@rule("JH.return")
def test_of_equally_near_cities_the_owner_chooses() -> None:
    state = step(after_operations("caesar-auxilia-1 0606", holders="argentoratum=roman"), Eastward())
    assert state.decision is not None
    assert state.decision.seat == ROMAN
    assert legal_lines(state) == ["settle 0505", "settle 0507"]
    assert where(run(state, "settle 0505"), "caesar-auxilia-1") == "0505"


@rule("JH.return")
def test_a_city_with_raiders_in_it_is_none() -> None:
    state = after_operations("caesar-auxilia-1 0607; franks-raiders-1 0507")
    assert legal_lines(step(state, Eastward())) == ["settle 0307", "settle 0408"]


@rule("JH.return")
def test_without_any_city_they_go_to_the_force_pool() -> None:
    lost = " ".join(f"{city.id}=barbarian" for city in campaign().roster.cities)
    play = go_on(at(after_operations("caesar-auxilia-1 0607", holders=lost), Eastward()))
    assert where(play.state, "caesar-auxilia-1") == "pool"
    assert ("JH.return", "event.nowhere") in told(play)


# --- III A (4) and (5) ---------------------------------------------------------------------------


@rule("JH.return", "JH.15_10")
@pytest.mark.parametrize(("due", "place"), [(3, "pool"), (4, "pool"), (5, "delayed"), (6, "delayed")])
def test_delayed_units_come_back_when_their_time_has_come(due: int, place: str) -> None:
    state = after_operations(turn=4)
    i = state.roster.index["caesar-auxilia-1"]
    state.cell[i], state.due[i] = DELAYED, due
    play = go_on(at(state, Back()))
    assert where(play.state, "caesar-auxilia-1") == place
    assert (("JH.return", "event.available") in told(play)) == (place == "pool")


@rule("JH.return")
def test_all_chits_return() -> None:
    state = after_operations(drawn="caesar equitum peditum alamanni southern franks")
    assert not any(step(state, Back()).drawn)


# --- III B ---------------------------------------------------------------------------------------


@rule("JH.tax", "JQ.III.B")
@pytest.mark.parametrize(("scenario", "value"), [("gaul", 12), ("argentoratum", 7)])
def test_the_roman_gains_half_the_values_of_his_cities_rounded_down(scenario: str, value: int) -> None:
    play = go_on(at(after_operations(scenario=scenario, tp=3), Taxes()))
    assert (play.state.tp, play.state.taxed) == (3 + value, value)
    (event,) = [event for event in play.events if event.key == "event.taxes"]
    assert (event.clause, event.values) == ("JQ.III.B", {"number": value, "tp": 3 + value})


@rule("JH.tax")
@pytest.mark.parametrize(("divisor", "value"), [(1, 23), (2, 11), (3, 7), (20, 1)])
def test_a_scenario_may_give_him_a_part_of_them_rounded_down(divisor: int, value: int) -> None:
    state = after_operations(holders="bononia=barbarian", tp=3, values={"tax_divisor": divisor})
    state = step(state, Taxes())
    assert (state.tp, state.taxed) == (3 + value, value)


@rule("JH.tax")
@pytest.mark.parametrize(
    ("units", "settings", "value"),
    [
        ("", {"holders": "bononia=barbarian"}, 23),
        ("", {"sacked": "lugdunum"}, 21),
        ("", {"sacked": "lugdunum colonia"}, 21),
        ("", {"holders": "colonia=roman"}, 27),
        ("", {"holders": "colonia=roman", "sacked": "colonia"}, 24),
        ("franks-raiders-1 0310", {}, 21),  # in it
        ("franks-raiders-1 0209", {}, 24 - 1 - 3 - 2),  # next to three of them
        ("nebisgast 0310", {}, 24),  # no combat unit
        ("garrison-1 0310", {}, 24),
        ("laeti-band-1 0310", {}, 24),
        ("laeti-band-1 0310", {"allies": "laeti=barbarian"}, 21),
        ("laeti-band-1 0310", {"allies": "laeti=roman"}, 24),
    ],
)
def test_what_counts_for_the_taxes(units: str, settings: dict[str, str], value: int) -> None:
    assert revenue(after_operations(units, values={"tax_divisor": 1}, **settings)) == value


@rule("JH.tax", "JH.cities")
def test_sacked_cities_are_repaired_for_a_point_each() -> None:
    state = after_operations(sacked="lutetia bononia colonia", tp=2)
    state = step(state, Repairs(ROMAN))
    assert legal_lines(state) == ["repair bononia", "repair lutetia", "pass"]
    play = do(state, "repair lutetia")
    assert (play.state.tp, play.state.sacked[play.state.roster.city_index["lutetia"]]) == (1, 0)
    assert ("JH.tax", "event.repairs") in told(play)
    assert keys(play.state, "repair lutetia") == [("JH.tax", "not_sacked")]
    state = run(play.state, "repair bononia")
    assert state.tp == 0
    assert state.decision is None


@rule("JH.tax", "JH.treasury")
def test_what_a_repair_is_refused_for() -> None:
    state = at(after_operations(sacked="lutetia colonia", tp=1), Repairs(ROMAN))
    assert keys(state, "repair colonia") == [("JH.tax", "not_your_city")]
    assert keys(state, "repair nowhere") == [("JH.tax", "not_your_city")]
    assert keys(state, "repair lugdunum") == [("JH.tax", "not_sacked")]
    assert clauses(state, "repair lutetia") == []
    state = at(after_operations(sacked="lutetia", tp=0), Repairs(ROMAN))
    assert keys(state, "repair lutetia") == [("JH.treasury", "too_poor")]
    assert go_on(state).state.decision is None


@rule("JH.tax")
def test_repairs_come_after_the_taxes() -> None:
    state = step(after_operations(sacked="lugdunum", tp=0), Taxes(), Repairs(ROMAN), EndTurn())
    assert (state.tp, state.taxed) == (10, 10)
    state = run(state, "repair lugdunum")
    assert (state.tp, state.taxed) == (9, 10)


@rule("JH.return", "JS.agentes.1")
def test_no_agentes_is_played_outside_of_operations() -> None:
    state = at(after_operations(STACK, hands=("agentes", "agentes")), Withdrawal(BARBARIAN))
    assert clauses(state, "spy") == ["JS.agentes.1"]
    assert "spy" not in legal_lines(state)


@rule("JH.return", "JH.map")
def test_the_first_hex_of_a_map_is_like_any_other() -> None:
    """On the smaller map 0000 is no sea."""
    settings: dict[str, Any] = {"scenario": "argentoratum", "operating": False}
    state = at(campaign("alamanni-warband-1 0000", **settings), Withdrawal(BARBARIAN))
    state = run(go_on(state).state, "withdraw 0000 alamanni 0401")
    assert where(state, "alamanni-warband-1") == "0401"
    state = campaign("caesar-auxilia-1 0000", **settings)
    i = state.roster.index["caesar-auxilia-1"]
    state = go_on(at(state, Displaced(i, "JH.return"))).state
    assert legal_lines(state) == ["settle 0100", "settle 0001"]
