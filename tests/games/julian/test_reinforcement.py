"""The reinforcement sub-phase (JH.reinforce): units bought and raised, leaders, Credo against a hand."""

from __future__ import annotations

import pytest

from legatus.games.julian.activation import Activation
from legatus.games.julian.movement import Moves
from legatus.games.julian.reinforcement import Reinforcing, Return, leader_sites
from legatus.games.julian.state import ASIDE, BARBARIAN, DELAYED, ROMAN, SEATS, JulianState, put
from legatus.kernel import legal, parse_action
from tests.rules import rule

from .stage import JULIAN, at, campaign, clauses, do, go_on, hand, legal_lines, run, told, where

AGENTES, CREDO, DUX, FEDERATE, IMPERIUM, MILITARY = range(6)
FIVE = "caesar-auxilia-1 0204; caesar-auxilia-2 0204; caesar-auxilia-3 0204; caesar-equites-1 0204"
FIVE += "; garrison-1 0204"


def roman(units: str = "caesar-auxilia-1 0204", **more: object) -> JulianState:
    """The reinforcement sub-phase of the Caesar."""
    more.setdefault("acting", "caesar")
    return go_on(at(campaign(units, **more), Reinforcing(ROMAN))).state  # type: ignore[arg-type, no-any-return]


def barbarian(units: str = "alamanni-warband-1 0605", **more: object) -> JulianState:
    """That of Chnodomar."""
    more.setdefault("acting", "alamanni")
    state = campaign(units, active="barbarian", **more)  # type: ignore[arg-type]
    return go_on(at(state, Reinforcing(BARBARIAN))).state  # type: ignore[no-any-return]


def asked(state: JulianState) -> tuple[str, str]:
    decision = state.decision
    assert decision is not None
    return type(decision).__name__, SEATS[decision.seat]


# --- the Roman buys ------------------------------------------------------------------------------


@rule("JH.reinforce", "JH.units", "JH.treasury")
@pytest.mark.parametrize(
    ("unit", "price"),
    [
        ("caesar-comitatenses-1", 5),
        ("caesar-auxilia-2", 4),
        ("caesar-equites-1", 3),
        ("equitum-limitanei-1", 1),
        ("garrison-1", 2),
    ],
)
def test_the_roman_buys_units_with_treasury_points(unit: str, price: int) -> None:
    units = "caesar-auxilia-1 0204; equitum-auxilia-1 0204"
    state = roman(units, acting="caesar equitum", tp=price)
    play = do(state, f"recruit {unit} 0204")
    assert (where(play.state, unit), play.state.tp) == ("0204", 0)
    assert told(play) == [("JH.reinforce", "event.recruits"), ("JH.reinforce", "event.pays")]
    assert asked(play.state) == ("Reinforcing", "roman")
    assert clauses(roman(units, acting="caesar equitum", tp=price - 1), f"recruit {unit} 0204") == [
        "JH.treasury"
    ]


@rule("JH.reinforce")
def test_as_many_as_he_can_pay_for() -> None:
    state = run(roman(tp=9), "recruit caesar-comitatenses-1 0204", "recruit caesar-auxilia-2 0204")
    assert state.tp == 0
    assert legal_lines(state) == ["pass"]


@rule("JH.reinforce")
@pytest.mark.parametrize("acting", ["caesar", "caesar equitum"])
def test_of_activated_commands_only(acting: str) -> None:
    state = roman("caesar-auxilia-1 0204; equitum-auxilia-1 0204", acting=acting)
    expected = [] if "equitum" in acting else ["JH.reinforce"]
    assert clauses(state, "recruit equitum-comitatenses-1 0204") == expected
    assert ("recruit equitum-comitatenses-1 0204" in legal_lines(state)) == (not expected)


@rule("JH.reinforce", "JH.15_10")
def test_out_of_the_force_pool_only() -> None:
    state = roman("caesar-auxilia-1 0204; julian 0204")
    put(state, state.roster.index["caesar-auxilia-2"], DELAYED)
    for name in ("caesar-auxilia-1", "caesar-auxilia-2", "julian", "alamanni-warband-1", "salii-band-1", "x"):
        assert clauses(state, f"recruit {name} 0204") == ["JH.reinforce"], name
    assert clauses(state, "recruit marcellus 0310") == ["JH.reinforce"]  # a leader is brought in
    assert clauses(state, "recruit caesar-auxilia-3 0204") == []


@rule("JH.treasury", "JH.reinforce")
def test_the_barbarian_buys_nothing() -> None:
    assert clauses(barbarian(), "recruit alamanni-warband-2 0605") == ["JH.treasury"]
    assert clauses(barbarian(), "recruit garrison-1 0310") == ["JH.treasury"]


@rule("JH.reinforce")
@pytest.mark.parametrize("unit", ["caesar-auxilia-2", "garrison-1"])
def test_only_in_a_city_under_roman_control(unit: str) -> None:
    state = roman("caesar-auxilia-1 0204")
    assert clauses(state, f"recruit {unit} 0204") == []
    assert clauses(state, f"recruit {unit} 0304") == ["JH.reinforce"]  # no city
    state = roman("caesar-auxilia-1 0204", holders="durocortorum=barbarian")
    assert clauses(state, f"recruit {unit} 0204") == ["JH.reinforce"]
    assert f"recruit {unit} 0204" not in legal_lines(state)


@rule("JH.map")
def test_only_in_a_hex_of_the_map() -> None:
    for name in ("9999", "0000", "nowhere"):
        assert clauses(roman(), f"recruit caesar-auxilia-2 {name}") == ["JH.map"]


@rule("JH.reinforce")
@pytest.mark.parametrize(
    ("place", "expected"),
    [("0204", []), ("0304", []), ("0404", []), ("0206", []), ("0107", ["JH.reinforce"])],
)
def test_within_two_hexes_of_a_unit_of_the_command(place: str, expected: list[str]) -> None:
    """0204 is Durocortorum; 0107 lies three hexes away."""
    state = roman(f"caesar-auxilia-1 {place}; equitum-auxilia-1 0204")
    assert clauses(state, "recruit caesar-auxilia-2 0204") == expected


@rule("JH.reinforce")
def test_or_of_its_leader() -> None:
    assert clauses(roman("julian 0304"), "recruit caesar-auxilia-2 0204") == []
    assert clauses(roman("marcellus 0304"), "recruit caesar-auxilia-2 0204") == ["JH.reinforce"]
    assert clauses(roman("alamanni-warband-1 0404"), "recruit caesar-auxilia-2 0204") == ["JH.reinforce"]


@rule("JH.reinforce")
def test_or_in_lugdunum_wherever_they_are() -> None:
    assert clauses(roman(""), "recruit caesar-auxilia-1 0310") == []
    assert clauses(roman(""), "recruit caesar-auxilia-1 0308") == ["JH.reinforce"]
    lost = roman("", holders="lugdunum=barbarian")
    assert clauses(lost, "recruit caesar-auxilia-1 0310") == ["JH.reinforce"]


@rule("JH.reinforce")
@pytest.mark.parametrize(
    ("foe", "troops", "garrison"),
    [
        ("alamanni-raiders-1 0204", ["JH.reinforce"], ["JH.reinforce"]),
        ("alamanni-raiders-1 0304", ["JH.reinforce"], []),
        ("alamanni-raiders-1 0404", [], []),
        ("chnodomar 0304", [], []),
        ("salii-band-1 0304", [], []),
    ],
)
def test_no_barbarian_in_the_city_or_for_troops_next_to_it(
    foe: str, troops: list[str], garrison: list[str]
) -> None:
    state = roman(f"caesar-auxilia-1 0106; julian 0205; {foe}")
    assert clauses(state, "recruit caesar-auxilia-2 0204") == troops
    assert clauses(state, "recruit garrison-1 0204") == garrison


@rule("JH.reinforce", "JH.6_0")
def test_federates_of_the_barbarian_count_as_his() -> None:
    state = roman("julian 0205; salii-band-1 0304", allies="salii=barbarian")
    assert clauses(state, "recruit caesar-auxilia-2 0204") == ["JH.reinforce"]


@rule("JH.reinforce")
def test_a_garrison_goes_to_any_city() -> None:
    state = roman("caesar-auxilia-1 0204")
    for place in ("0002", "0507", "0310"):
        assert clauses(state, f"recruit garrison-1 {place}") == []


@rule("JH.stack", "JH.reinforce")
def test_not_where_five_units_stand() -> None:
    assert clauses(roman(FIVE), "recruit caesar-comitatenses-1 0204") == ["JH.stack"]
    assert clauses(roman(FIVE), "recruit garrison-2 0204") == ["JH.stack"]
    four = FIVE.replace("; garrison-1 0204", "; julian 0204")
    assert clauses(roman(four), "recruit caesar-comitatenses-1 0204") == []


@rule("JH.reinforce")
def test_new_units_may_move_in_the_same_phase() -> None:
    state = at(campaign("julian 0204", acting="caesar"), Reinforcing(ROMAN), Moves(ROMAN))
    state = run(go_on(state).state, "recruit caesar-auxilia-1 0204", "pass")
    state = run(state, "march 0204", "go 0304")
    assert where(state, "caesar-auxilia-1") == "0304"


@rule("JH.reinforce")
def test_one_unit_of_a_kind_and_city_is_offered() -> None:
    state = roman("caesar-auxilia-1 0204", tp=5)
    lines = [line for line in legal_lines(state) if " 0204" in line]
    assert lines == [
        "recruit caesar-comitatenses-1 0204",
        "recruit caesar-auxilia-2 0204",
        "recruit caesar-equites-1 0204",
        "recruit garrison-1 0204",
        "bring-leader julian 0204 treasury",
    ]
    assert all(action.remark(state) is not None for action in legal(state) if "Recruit" in repr(action))


@rule("JH.reinforce")
def test_the_price_is_told_beforehand() -> None:
    state = roman()
    (action,) = [action for action in legal(state) if "caesar-comitatenses-1', hex='0204'" in repr(action)]
    remark = action.remark(state)
    assert remark is not None
    assert remark.values == {"price": 5}


# --- Roman leaders -------------------------------------------------------------------------------


@rule("JH.leaders", "JH.treasury")
def test_the_roman_brings_in_a_leader_for_four_points() -> None:
    play = do(roman(tp=4), "bring-leader julian 0204 treasury")
    assert (where(play.state, "julian"), play.state.tp) == ("0204", 0)
    assert told(play)[0] == ("JH.leaders", "event.leader_comes")
    assert play.state.led == 0
    assert clauses(roman(tp=3), "bring-leader julian 0204 treasury") == ["JH.treasury"]


@rule("JS.dux.2", "J0.discard")
@pytest.mark.parametrize("by", ["dux", "imperium"])
def test_or_free_with_a_dux(by: str) -> None:
    state = roman(hands=("dux imperium", ""), tp=0)
    play = do(state, f"bring-leader julian 0204 {by}")
    after = play.state
    assert (where(after, "julian"), after.tp, after.led) == ("0204", 0, 1)
    assert told(play)[0] == ("JS.dux.2", "event.leader_comes")
    assert by not in hand(after, "roman")
    assert sum(hand(after, "roman").values()) == 1
    assert after.imperium == [int(by == "imperium"), 0]
    assert after.duces == [0, 0]  # it is none for activation


@rule("JS.dux.2", "J0.title", "JS.imperium.limit")
def test_if_he_has_one() -> None:
    state = roman(hands=("agentes", "dux imperium"))
    for by in ("dux", "imperium"):
        assert clauses(state, f"bring-leader julian 0204 {by}") == ["J0.title"]
    assert clauses(state, "bring-leader julian 0204 agentes") == ["JS.dux.2"]
    state.hands[ROMAN][IMPERIUM] = 1
    assert clauses(state, "bring-leader julian 0204 imperium") == []
    state.imperium = [1, 0]
    assert clauses(state, "bring-leader julian 0204 imperium") == ["JS.imperium.limit"]


@rule("JS.dux.2")
def test_the_barbarian_has_no_such_use_for_it() -> None:
    state = barbarian(hands=("", "dux"))
    for by in ("dux", "treasury"):
        assert clauses(state, f"bring-leader chnodomar 0605 {by}") == ["JS.dux.2"]
    assert not [line for line in legal_lines(state) if line.startswith("bring")]


@rule("JS.dux.2.limit")
def test_one_dux_a_phase_for_a_leader() -> None:
    state = roman("caesar-auxilia-1 0204; peditum-auxilia-1 0408", hands=("dux imperium", ""))
    state.led = 1
    assert clauses(state, "bring-leader julian 0204 dux") == ["JS.dux.2.limit"]
    assert clauses(state, "bring-leader julian 0204 imperium") == ["JS.dux.2.limit"]
    assert clauses(state, "bring-leader julian 0204 treasury") == []


@rule("JS.dux.2.limit")
def test_those_for_activation_do_not_count() -> None:
    state = roman(hands=("dux", ""))
    state.duces = [1, 0]
    assert clauses(state, "bring-leader julian 0204 dux") == []


@rule("JH.leaders", "JS.dux.2", "JS.dux.2.limit")
@pytest.mark.parametrize(("first", "second"), [("treasury", "dux"), ("dux", "treasury")])
def test_one_leader_a_sub_phase_is_bought_and_one_is_free(first: str, second: str) -> None:
    units = "caesar-auxilia-1 0204; equitum-auxilia-1 0204; peditum-auxilia-1 0408"
    state = run(roman(units, hands=("dux dux", "")), f"bring-leader julian 0204 {first}")
    limit = {"treasury": ["JH.leaders"], "dux": ["JS.dux.2.limit"]}
    assert clauses(state, f"bring-leader barbatio 0408 {first}") == limit[first]
    state = run(state, f"bring-leader barbatio 0408 {second}")
    assert where(state, "barbatio") == "0408"
    for by, refused in limit.items():
        assert clauses(state, f"bring-leader marcellus 0204 {by}") == refused


@rule("JH.leaders")
def test_any_leader_of_the_pool_whichever_command_is_active() -> None:
    units = "caesar-auxilia-1 0204; peditum-auxilia-1 0408; marcellus 0404"
    state = roman(units)
    assert clauses(state, "bring-leader barbatio 0408 treasury") == []
    for name in ("marcellus", "severus", "chnodomar", "caesar-comitatenses-1", "nonsense"):
        assert clauses(state, f"bring-leader {name} 0310 treasury") == ["JH.leaders"], name


@rule("JH.leaders")
@pytest.mark.parametrize(
    ("place", "expected"),
    [("0204", []), ("0106", []), ("0310", []), ("0408", ["JH.leaders"]), ("0308", ["JH.leaders"])],
)
def test_with_a_unit_of_his_command_or_in_lugdunum(place: str, expected: list[str]) -> None:
    state = roman("caesar-auxilia-1 0204; caesar-auxilia-2 0106; peditum-auxilia-1 0408")
    assert clauses(state, f"bring-leader julian {place} treasury") == expected
    assert (f"bring-leader julian {place} treasury" in legal_lines(state)) == (not expected)


@rule("JH.leaders")
def test_not_in_a_lugdunum_that_is_lost_or_entered_by_the_enemy() -> None:
    line = "bring-leader julian 0310 treasury"
    assert clauses(roman(holders="lugdunum=barbarian"), line) == ["JH.leaders"]
    assert clauses(roman("alamanni-raiders-1 0310"), line) == ["JH.leaders"]
    assert clauses(roman("alamanni-raiders-1 0309"), line) == []
    assert clauses(roman(), "bring-leader julian nowhere treasury") == ["JH.leaders"]


@rule("JH.leaders", "JH.stack")
def test_leaders_do_not_count_for_stacking() -> None:
    assert clauses(roman(FIVE), "bring-leader julian 0204 treasury") == []


@rule("JS.dux.2")
def test_all_ways_to_bring_one_in_are_offered() -> None:
    state = roman("caesar-auxilia-1 0204; marcellus 0404; barbatio 0408", hands=("dux imperium", ""))
    lines = [line for line in legal_lines(state) if line.startswith("bring")]
    places = [f"bring-leader julian {place} {by}" for place in ("0204", "0310") for by in ("treasury", "dux")]
    wild = [f"bring-leader julian {place} imperium" for place in ("0204", "0310")]
    assert sorted(lines) == sorted(places + wild)


# --- the barbarian raises ------------------------------------------------------------------------

HOMES = {
    "alamanni": ["0603", "0703", "0803", "0704", "0804", "0605", "0705", "0805", "0606", "0706", "0806"],
    "southern": ["0606", "0706", "0806", "0607", "0707", "0807"],
    "franks": ["0500", "0600", "0700", "0800", "0501", "0601", "0701", "0801", "0602", "0702", "0802"],
}


def always(*kinds: str) -> dict[str, object]:
    """A table of a test's own: this lot, whatever the die shows."""
    return {"raising": ((kinds,),) * 6}


TWO, MIXED = always("warband", "warband"), always("warband", "raiders")


@rule("JH.reinforce", "JH.scenario")
@pytest.mark.parametrize("scenario", ["gaul", "argentoratum"])
def test_both_scenarios_have_the_table_of_the_rulebook(scenario: str) -> None:
    assert campaign(scenario=scenario).roster.values.raising == (
        ((),),
        ((),),
        (("raiders",),),
        (("warband",),),
        (("warband",),),
        (("warband", "raiders"), ("retinue",)),
    )


@rule("JH.reinforce")
@pytest.mark.parametrize("face", [1, 2])
@pytest.mark.parametrize(
    ("name", "english", "french"),
    [
        (
            "alamanni",
            "Alamanni of Chnodomar: nobody answers the call.",
            "Alamans de Chnodomar : personne ne répond à l'appel.",
        ),
        ("franks", "Franks: nobody answers the call.", "Francs : personne ne répond à l'appel."),
    ],
)
def test_on_one_and_two_nobody_comes_and_the_log_says_so(
    face: int, name: str, english: str, french: str
) -> None:
    state = barbarian("", acting=name)
    play = do(state, f"raise-units {name}", [face])
    assert told(play) == [("JH.reinforce", "event.throws.raise"), ("JH.reinforce", "event.raises_none")]
    for lang, line in (("en", english), ("fr", french)):
        words = JULIAN.folder.messages[lang]
        said = words.render(play.events[-1], lambda value, lang=lang: JULIAN.name(play.state, value, lang))
        assert said == line
    after = play.state
    assert asked(after) == ("Reinforcing", "barbarian")
    assert (after.cell, after.men) == (state.cell, state.men)
    assert clauses(after, f"raise-units {name}") == ["JH.reinforce"]  # its roll of the phase is spent


@rule("JH.reinforce")
@pytest.mark.parametrize(
    ("face", "unit", "others"),
    [
        (3, "alamanni-raiders-1", ["alamanni-warband-2", "alamanni-retinue-1"]),
        (4, "alamanni-warband-2", ["alamanni-raiders-1", "alamanni-retinue-1"]),
        (5, "alamanni-warband-2", ["alamanni-raiders-1", "alamanni-retinue-1"]),
    ],
)
def test_on_three_to_five_one_unit_comes(face: int, unit: str, others: list[str]) -> None:
    play = do(barbarian(), "raise-units alamanni", [face])
    assert told(play) == [("JH.reinforce", "event.throws.raise")]
    assert asked(play.state) == ("Levy", "barbarian")
    for name in others:
        assert clauses(play.state, f"muster {name} 0605") == ["JH.reinforce"], name
    play = do(play.state, f"muster {unit} 0605")
    assert told(play) == [("JH.reinforce", "event.raises")]
    assert where(play.state, unit) == "0605"
    assert asked(play.state) == ("Reinforcing", "barbarian")


@rule("JH.reinforce")
@pytest.mark.parametrize(
    ("lot", "units"), [(1, ["alamanni-warband-2", "alamanni-raiders-1"]), (2, ["alamanni-retinue-1"])]
)
def test_on_six_a_warband_and_raiders_or_a_retinue(lot: int, units: list[str]) -> None:
    state = run(barbarian(), "raise-units alamanni", dice=[6])
    assert asked(state) == ("LotChoice", "barbarian")
    assert legal_lines(state) == ["take-lot 1", "take-lot 2"]
    for number in (0, 3):
        assert clauses(state, f"take-lot {number}") == ["JH.reinforce"]
    state = run(state, f"take-lot {lot}")
    for name in units:
        assert asked(state) == ("Levy", "barbarian")
        play = do(state, f"muster {name} 0605")
        assert told(play) == [("JH.reinforce", "event.raises")]
        state = play.state
    assert asked(state) == ("Reinforcing", "barbarian")
    assert {where(state, name) for name in units} == {"0605"}


@rule("JH.reinforce")
def test_of_a_lot_of_two_of_a_kind_both_come() -> None:
    state = run(barbarian(values=TWO), "raise-units alamanni", "muster alamanni-warband-2 0605", dice=[1])
    assert asked(state) == ("Levy", "barbarian")
    assert clauses(state, "muster alamanni-warband-2 0605") == ["JH.reinforce"]
    state = run(state, "muster alamanni-warband-3 0705")
    assert asked(state) == ("Reinforcing", "barbarian")
    assert [where(state, f"alamanni-warband-{n}") for n in (2, 3, 4)] == ["0605", "0705", "pool"]


@rule("JH.reinforce")
def test_the_lots_are_told_beforehand() -> None:
    state = run(barbarian(), "raise-units alamanni", dice=[6])
    remarks = [action.remark(state) for action in legal(state)]
    assert [remark.values["kinds"] for remark in remarks if remark] == [("warband", "raiders"), ("retinue",)]
    assert parse_action(JULIAN, "take-lot 3").remark(state) is None
    assert parse_action(JULIAN, "take-lot 0").remark(state) is None


@rule("JH.reinforce")
def test_only_what_the_lot_has_and_the_pool_of_that_command() -> None:
    state = run(barbarian(values=MIXED), "raise-units alamanni", dice=[3])
    for name in ("alamanni-retinue-1", "alamanni-warband-1", "southern-warband-1", "chnodomar", "nonsense"):
        assert clauses(state, f"muster {name} 0605") == ["JH.reinforce"], name
    state = run(state, "muster alamanni-warband-2 0605")
    assert clauses(state, "muster alamanni-warband-3 0605") == ["JH.reinforce"]
    assert clauses(state, "muster alamanni-raiders-1 0605") == []


@rule("JH.reinforce")
def test_any_unit_of_the_kind_in_the_pool_will_do() -> None:
    state = run(barbarian(), "raise-units alamanni", dice=[4])
    assert where(run(state, "muster alamanni-warband-5 0605"), "alamanni-warband-5") == "0605"


@rule("JH.reinforce", "JH.commands")
@pytest.mark.parametrize("name", list(HOMES))
def test_in_home_hexes_of_the_command(name: str) -> None:
    state = run(barbarian("", acting=name), f"raise-units {name}", dice=[4])
    lines = [line for line in legal_lines(state) if line != "pass"]
    assert sorted(line.split()[2] for line in lines) == sorted(HOMES[name])
    assert clauses(state, f"muster {name}-warband-1 0505") == ["JH.reinforce"]
    assert clauses(state, f"muster {name}-warband-1 nowhere") == ["JH.reinforce"]


@rule("JH.reinforce")
@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("caesar-auxilia-1", ["JH.reinforce"]),
        ("julian", ["JH.reinforce"]),
        ("burgundians-band-1", ["JH.reinforce"]),
        ("franks-warband-1", []),
        ("nebisgast", []),
    ],
)
def test_free_of_roman_and_neutral_units(who: str, expected: list[str]) -> None:
    state = run(barbarian(f"{who} 0804"), "raise-units alamanni", dice=[4])
    assert clauses(state, "muster alamanni-warband-1 0804") == expected
    assert clauses(state, "muster alamanni-warband-1 0605") == []


@rule("JH.reinforce", "JH.6_0")
def test_peoples_in_his_service_do_not_bar_their_home() -> None:
    state = barbarian("burgundians-band-1 0804", allies="burgundians=barbarian")
    state = run(state, "raise-units alamanni", dice=[4])
    assert clauses(state, "muster alamanni-warband-1 0804") == []
    state = barbarian("burgundians-band-1 0804", allies="burgundians=roman")
    state = run(state, "raise-units alamanni", dice=[4])
    assert clauses(state, "muster alamanni-warband-1 0804") == ["JH.reinforce"]


@rule("JH.stack", "JH.reinforce")
def test_within_the_stacking_limit() -> None:
    four = "; ".join(f"franks-warband-{n} 0605" for n in range(1, 5))
    state = barbarian(f"{four}; nebisgast 0605", values=MIXED)
    state = run(state, "raise-units alamanni", dice=[3])
    state = run(state, "muster alamanni-warband-1 0605")
    assert clauses(state, "muster alamanni-raiders-1 0605") == ["JH.stack"]
    assert "muster alamanni-raiders-1 0605" not in legal_lines(state)


@rule("JH.reinforce")
def test_what_the_pool_does_not_hold_is_not_received() -> None:
    seven = "; ".join(
        f"alamanni-warband-{n} 0605" if n < 5 else f"alamanni-warband-{n} 0705" for n in range(1, 8)
    )
    state = barbarian(seven)
    play = do(state, "raise-units alamanni", [4])
    assert told(play) == [("JH.reinforce", "event.throws.raise")]
    assert asked(play.state) == ("Reinforcing", "barbarian")
    state = run(barbarian(seven, values=MIXED), "raise-units alamanni", dice=[3])
    assert asked(state) == ("Levy", "barbarian")
    assert clauses(state, "muster alamanni-raiders-1 0605") == []


@rule("JH.reinforce")
def test_of_two_warbands_only_the_one_in_the_pool_comes() -> None:
    six = "; ".join(f"alamanni-warband-{n} {'0605' if n < 4 else '0705'}" for n in range(1, 7))
    state = run(barbarian(six, values=TWO), "raise-units alamanni", dice=[1])
    state = run(state, "muster alamanni-warband-7 0605")
    assert where(state, "alamanni-warband-7") == "0605"
    assert asked(state) == ("Reinforcing", "barbarian")


@rule("JH.reinforce")
def test_nor_what_finds_no_home() -> None:
    homes = [f"caesar-auxilia-{n}" for n in (1, 2, 3)] + [f"equitum-auxilia-{n}" for n in (1, 2, 3)]
    units = "; ".join(f"{name} {place}" for name, place in zip(homes, HOMES["southern"], strict=True))
    state = barbarian(units, acting="southern")
    play = do(state, "raise-units southern", [4])
    assert told(play) == [("JH.reinforce", "event.throws.raise")]
    assert asked(play.state) == ("Reinforcing", "barbarian")
    assert where(play.state, "southern-warband-1") == "pool"
    room = run(barbarian(units.partition("; ")[2], acting="southern"), "raise-units southern", dice=[4])
    assert {line.split()[2] for line in legal_lines(room) if line != "pass"} == {HOMES["southern"][0]}


@rule("JH.ops_phase", "JH.reinforce")
def test_a_levy_may_be_declined() -> None:
    state = run(barbarian(values=MIXED), "raise-units alamanni", dice=[3])
    assert asked(state) == ("Levy", "barbarian")
    state = run(state, "pass")
    assert asked(state) == ("Reinforcing", "barbarian")
    assert {where(state, name) for name in ("alamanni-warband-2", "alamanni-raiders-1")} == {"pool"}
    assert legal_lines(state) == ["seek-leader alamanni", "pass"]


@rule("JH.reinforce")
def test_one_roll_for_each_activated_command() -> None:
    state = barbarian("", acting="alamanni franks")
    assert clauses(state, "raise-units southern") == ["JH.reinforce"]
    assert clauses(state, "raise-units nonsense") == ["JH.reinforce"]
    state = run(state, "raise-units alamanni", "pass", dice=[4])
    assert clauses(state, "raise-units alamanni") == ["JH.reinforce"]
    state = run(state, "raise-units franks", dice=[4])
    assert clauses(state, "muster franks-warband-1 0601") == []
    assert clauses(state, "muster alamanni-warband-1 0601") == ["JH.reinforce"]


@rule("JH.reinforce")
def test_the_roman_rolls_for_nothing() -> None:
    state = roman()
    for line in ("raise-units caesar", "raise-units alamanni"):
        assert clauses(state, line) == ["JH.reinforce"]
    assert clauses(state, "seek-leader caesar") == ["JH.reinforce"]


# --- barbarian leaders ---------------------------------------------------------------------------


@rule("JH.leaders")
@pytest.mark.parametrize("face", range(1, 7))
def test_a_lost_leader_of_the_barbarian_comes_back_on_four_to_six(face: int) -> None:
    state = barbarian(tp=0)
    play = do(state, "seek-leader alamanni", [face])
    assert told(play)[0] == ("JH.leaders", "event.throws.leader")
    if face < 4:
        assert asked(play.state) == ("Reinforcing", "barbarian")
        assert where(play.state, "chnodomar") == "pool"
        assert told(play)[-1] == ("JH.leaders", "event.leader_stays_away")
    else:
        assert asked(play.state) == ("Return", "barbarian")
        play = do(play.state, "welcome 0605")
        after = play.state
        assert told(play) == [("JH.leaders", "event.leader_comes")]
        assert where(after, "chnodomar") == "0605"
        assert asked(after) == ("Reinforcing", "barbarian")


@rule("JH.leaders")
def test_once_a_sub_phase_and_only_if_he_is_lost() -> None:
    state = run(barbarian(), "seek-leader alamanni", dice=[1])
    assert clauses(state, "seek-leader alamanni") == ["JH.leaders"]
    state = barbarian("chnodomar 0605")
    assert clauses(state, "seek-leader alamanni") == ["JH.leaders"]
    assert "seek-leader alamanni" not in legal_lines(state)


@rule("JH.leaders")
def test_only_for_an_activated_command() -> None:
    state = barbarian("alamanni-warband-1 0605", acting="alamanni")
    for name in ("southern", "franks", "nonsense", "caesar"):
        assert clauses(state, f"seek-leader {name}") == ["JH.reinforce"]
    assert "seek-leader alamanni" in legal_lines(state)


@rule("JH.leaders")
def test_a_roll_for_a_leader_is_not_one_for_units() -> None:
    state = run(barbarian(), "seek-leader alamanni", dice=[1])
    assert clauses(state, "raise-units alamanni") == []
    state = run(barbarian(), "raise-units alamanni", "pass", dice=[4])
    assert clauses(state, "seek-leader alamanni") == []


@rule("JH.leaders")
def test_with_a_unit_of_his_command_or_in_a_free_home_hex() -> None:
    units = "alamanni-warband-1 0505; franks-warband-1 0502; julian 0605; burgundians-band-1 0804"
    state = run(barbarian(units), "seek-leader alamanni", dice=[4])
    free = [place for place in HOMES["alamanni"] if place not in ("0605", "0804")]
    assert sorted(legal_lines(state)) == sorted(f"welcome {place}" for place in [*free, "0505"])
    for place in ("0502", "0605", "0804", "0405", "nowhere"):
        assert clauses(state, f"welcome {place}") == ["JH.leaders"]
    assert clauses(state, "pass") == ["JH.leaders"]


@rule("JH.leaders")
def test_without_a_place_he_does_not_come() -> None:
    names = [f"{command}-{kind}" for command in ("caesar", "equitum") for kind in ("auxilia-1", "auxilia-2")]
    names += ["caesar-auxilia-3", "equitum-auxilia-3"]
    units = "; ".join(f"{name} {place}" for name, place in zip(names, HOMES["southern"], strict=True))
    state = run(barbarian(units, acting="southern"), "seek-leader southern", dice=[6])
    assert asked(state) == ("Reinforcing", "barbarian")
    assert where(state, "vadomar") == "pool"


@rule("JH.leaders")
def test_the_places_of_a_leader_have_no_enemy_and_no_neutrals() -> None:
    state = campaign("alamanni-warband-1 0505; caesar-auxilia-1 0310; salii-band-1 0704")
    index, cells = state.roster.index, state.roster.grid.cells
    assert cells["0704"] not in leader_sites(state, index["chnodomar"])
    assert cells["0505"] in leader_sites(state, index["chnodomar"])
    assert leader_sites(state, index["julian"]) == [cells["0310"]]
    assert not Return(BARBARIAN, index["chnodomar"]).is_moot(state)


# --- Credo against a hand ------------------------------------------------------------------------


def stolen(state: JulianState, seat: str, line: str = "steal", dice: tuple[int, ...] = ()) -> JulianState:
    assert asked(state) == ("Reinforcing", seat)
    return run(state, line, dice=dice)


@rule("JS.credo.2", "JS.credo.2.give")
@pytest.mark.parametrize("seat", ["roman", "barbarian"])
def test_a_credo_takes_two_random_markers_and_is_handed_over(seat: str) -> None:
    mine, theirs = "credo dux", "agentes federate military"
    state = roman(hands=(mine, theirs)) if seat == "roman" else barbarian(hands=(theirs, mine))
    before = list(state.pool)
    after = stolen(state, seat, dice=(AGENTES, MILITARY))
    foe = SEATS[1 - SEATS.index(seat)]
    assert hand(after, seat) == {"agentes": 1, "dux": 1, "military": 1}
    assert hand(after, foe) == {"credo": 1, "federate": 1}
    assert after.pool == before
    assert asked(after) == ("Reinforcing", seat)


@rule("JS.credo.2.give", "JS.imperium.1")
def test_an_imperium_in_its_place_is_handed_over_as_an_imperium() -> None:
    state = roman(hands=("imperium credo", "agentes military"))
    after = stolen(state, "roman", "steal imperium", (AGENTES, MILITARY))
    assert hand(after, "roman") == {"agentes": 1, "credo": 1, "military": 1}
    assert hand(after, "barbarian") == {"imperium": 1}
    assert after.pool == state.pool
    assert after.imperium == [1, 0]


@rule("JS.credo.2")
@pytest.mark.parametrize(("theirs", "dice"), [("", ()), ("dux", (DUX,)), ("dux dux", (DUX, DUX))])
def test_of_fewer_than_two_it_takes_all(theirs: str, dice: tuple[int, ...]) -> None:
    """The Credo is given after the draw: it is not taken back by it."""
    after = stolen(roman(hands=("credo", theirs)), "roman", dice=dice)
    assert hand(after, "roman").get("dux", 0) == len(dice)
    assert hand(after, "barbarian") == {"credo": 1}


@rule("JS.credo.2", "JH.windows")
def test_what_was_taken_may_be_used_at_once_and_the_credo_later() -> None:
    state = stolen(roman(hands=("credo", "credo dux agentes")), "roman", dice=(CREDO, DUX))
    assert clauses(state, "steal") == clauses(state, "bring-leader julian 0204 dux") == []
    state = stolen(state, "roman", dice=(AGENTES, CREDO))
    assert hand(state, "roman") == {"agentes": 1, "credo": 1, "dux": 1}
    assert clauses(state, "spy") == []


@rule("JS.credo.2.give")
def test_the_same_credos_do_not_go_to_and_fro_for_ever() -> None:
    """A bot played its last Credo against the other's last one, and again, thousands of times."""
    state = stolen(roman(hands=("credo imperium", "credo")), "roman", dice=(CREDO,))
    assert (hand(state, "roman"), hand(state, "barbarian")) == ({"credo": 1, "imperium": 1}, {"credo": 1})
    assert clauses(state, "steal") == ["JS.credo.2.give"]
    assert clauses(state, "steal imperium") == []


@rule("JS.credo.2.give")
@pytest.mark.parametrize(("theirs", "known"), [("credo", 0), ("credo credo", 2), ("credo dux", 1)])
def test_a_hand_of_more_or_of_something_unknown_can_be_drawn_from(theirs: str, known: int) -> None:
    state = roman(hands=("credo", theirs))
    state.known[ROMAN][CREDO] = known
    assert clauses(state, "steal") == []


@rule("JS.credo.2", "JS.imperium.1")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_it_is_offered_to_who_holds_one(seat: int) -> None:
    for mine, theirs, expected in (
        ("credo", "dux", ["steal"]),
        ("imperium", "dux", ["steal imperium"]),
        ("dux", "credo imperium", []),
    ):
        state = roman(hands=(mine, theirs)) if seat == ROMAN else barbarian(hands=(theirs, mine))
        assert [line for line in legal_lines(state) if line.startswith("steal")] == expected


@rule("JS.credo.2", "J0.title", "JS.imperium.limit")
def test_who_has_no_credo_takes_nothing() -> None:
    state = roman(hands=("dux", "credo"))
    assert clauses(state, "steal") == clauses(state, "steal imperium") == ["J0.title"]
    state.hands[ROMAN][IMPERIUM] = 1
    assert clauses(state, "steal imperium") == []
    state.imperium = [1, 0]
    assert clauses(state, "steal imperium") == ["JS.imperium.limit"]


@rule("JS.credo.2")
def test_only_in_a_reinforcement_sub_phase_of_its_owner() -> None:
    state = campaign("caesar-auxilia-1 0204", hands=("credo", "dux"), acting="caesar")
    assert clauses(go_on(at(state, Activation(ROMAN))).state, "steal") == ["JH.ops_phase"]
    assert clauses(go_on(at(state, Moves(ROMAN))).state, "steal") == ["JH.move"]
    assert clauses(roman(hands=("credo", "dux")), "play-credo") == ["JH.reinforce"]


@rule("JH.ops_phase")
def test_nothing_need_be_done() -> None:
    assert not run(roman(), "pass").todo
    assert not run(barbarian(), "pass").todo


@rule("JH.5_9_3", "JH.6_0")
def test_lost_federates_are_offered_once_a_kind() -> None:
    state = campaign("caesar-auxilia-1 0204", hands=("federate", ""), acting="caesar", allies="salii=roman")
    for name in ("salii-band-1", "salii-band-2", "salii-foederati-1", "laeti-band-1"):
        put(state, state.roster.index[name], ASIDE)
    state = go_on(at(state, Reinforcing(ROMAN))).state
    lines = [line for line in legal_lines(state) if line.startswith("restore")]
    assert lines == ["restore salii-foederati-1", "restore salii-band-1"]
    assert clauses(state, "restore salii-band-2") == []
