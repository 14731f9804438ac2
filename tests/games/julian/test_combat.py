"""6 Combat: who may attack whom, the odds, what the terrain and a Military make of them, and the die."""

from __future__ import annotations

from fractions import Fraction

import pytest

from legatus.games.julian import JULIAN
from legatus.games.julian.combat import (
    ODDS,
    CallOff,
    Clash,
    Combats,
    Defence,
    Double,
    Fight,
    Gathering,
    column,
    odds,
)
from legatus.games.julian.markers import Pass
from legatus.games.julian.measure import COLUMNS
from legatus.games.julian.results import RESULTS, TABLE, Losses
from legatus.games.julian.state import BARBARIAN, NO_RESULT, ROMAN, SEATS, JulianState
from legatus.kernel import Play, Scripted, outcomes, parse_action
from legatus.lab.odds import odds as lab_odds
from legatus.lab.sequence import sequence_odds
from tests.rules import rule

from .stage import ally, at, campaign, clauses, do, go_on, hand, legal_lines, refusals, run, told, where

ROMANS, BARBARIANS = "caesar equitum peditum", "alamanni southern franks"
COLUMN_NAMES = ("1:3", "1:2", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "6:1")


def combats(units: str, seat: int = ROMAN, **more: object) -> JulianState:
    """A combat sub-phase in which all commands of a side are activated."""
    settings: dict[str, object] = {"acting": (ROMANS, BARBARIANS)[seat], "active": SEATS[seat], **more}
    return at(campaign(units, **settings), Combats(seat))  # type: ignore[arg-type]


def gathered(state: JulianState, hex_: str) -> JulianState:
    """The same, with an attack on a hex under way."""
    return run(state, f"attack {hex_}")


def weighed(state: JulianState) -> tuple[int, int]:
    """The factors of the attack that is being gathered."""
    gathering = state.decision
    assert isinstance(gathering, Gathering)
    return odds(state, gathering.hex, gathering.units)


def clash(state: JulianState, face: int, military: tuple[bool, bool] = (False, False)) -> Play:
    """Only the die of the attack that is gathered: what follows is not carried out."""
    gathering = state.decision
    assert isinstance(gathering, Gathering)
    play = Play(state.copy(), Scripted([face]))
    Clash(gathering.battle(state), military).run(play)
    return play


def said(play: Play) -> dict[str, object]:
    return dict(next(event for event in play.events if event.key == "event.clash").values)


def keys(state: JulianState, line: str) -> list[tuple[str, str]]:
    return [(refusal.clause, refusal.key.removeprefix("refusal.")) for refusal in refusals(state, line)]


# --- the odds table ------------------------------------------------------------------------------

CRT = {  # JH.crt, by face
    1: "AC AC AC AR AR AD AD BB BB",
    2: "AC AR AR AD AD BB BB DD DD",
    3: "AR AR AD BB BB DD DD DD DR",
    4: "AR AD BB BB DD DD DR DR DR",
    5: "AD AD DD DD DR DR DR DC DC",
    6: "BB BB DR DR DC DC DC DC DC",
}
FORCES = {  # attackers in 0105 and a defender in 0205, which is open ground
    "1:3": ("equitum-limitanei-1", "alamanni-retinue-1"),
    "1:2": ("equitum-limitanei-1", "alamanni-warband-1"),
    "1:1": ("equitum-equites-1", "alamanni-warband-1"),
    "3:2": ("equitum-auxilia-1", "alamanni-warband-1"),
    "2:1": ("equitum-comitatenses-1", "alamanni-warband-1"),
    "3:1": ("equitum-auxilia-1", "alamanni-raiders-1"),
    "4:1": ("equitum-comitatenses-1", "alamanni-raiders-1"),
    "5:1": ("equitum-comitatenses-1 equitum-limitanei-1", "alamanni-raiders-1"),
    "6:1": ("equitum-auxilia-1 equitum-auxilia-2", "alamanni-raiders-1"),
}


def open_fight(name: str) -> JulianState:
    attackers, defender = FORCES[name]
    units = "; ".join(f"{unit} 0105" for unit in attackers.split())
    return gathered(combats(f"{units}; {defender} 0205"), "0205")


@rule("JH.crt", "JC.0")
@pytest.mark.parametrize("name", COLUMN_NAMES)
@pytest.mark.parametrize("face", range(1, 7))
def test_every_cell_of_the_odds_table(name: str, face: int) -> None:
    wanted = CRT[face].split()[COLUMN_NAMES.index(name)]
    play = clash(open_fight(name), face)
    assert said(play)["odds"] == name
    assert (said(play)["result"], said(play)["face"], said(play)["added"]) == (wanted, face, "+0")
    assert RESULTS[play.state.result] == wanted


@rule("JH.crt", "JH.calibration", "JC.0")
def test_the_table_grows_better_with_the_die_and_with_the_odds() -> None:
    assert RESULTS == ("AC", "AR", "AD", "BB", "DD", "DR", "DC")
    ranks = [[RESULTS.index(result) for result in row] for row in TABLE]
    assert all(row == sorted(row) for row in ranks)
    assert all(list(line) == sorted(line) for line in zip(*ranks, strict=True))


@rule("JH.combat", "JH.crt")
@pytest.mark.parametrize("attack", range(1, 41))
def test_odds_are_rounded_down_in_favour_of_the_defender(attack: int) -> None:
    for defence in range(1, 41):
        reached = [n for n, (one, two) in enumerate(ODDS) if Fraction(attack, defence) >= Fraction(one, two)]
        assert column(attack, defence) == max(reached, default=-1)


@rule("JH.combat", "JH.crt")
@pytest.mark.parametrize(
    ("attack", "defence", "name"),
    [(11, 5, "2:1"), (11, 10, "1:1"), (11, 15, "1:2"), (22, 15, "1:1"), (23, 15, "3:2"), (30, 2, "6:1")],
)
def test_the_examples_of_the_rulebook(attack: int, defence: int, name: str) -> None:
    assert COLUMN_NAMES[column(attack, defence)] == name
    assert tuple(f"{one}:{two}" for one, two in ODDS) == COLUMN_NAMES


@rule("JH.combat")
def test_all_factors_are_added_up_and_all_units_in_the_hex_defend() -> None:
    units = "caesar-comitatenses-1 0105; caesar-comitatenses-2 0304; equitum-auxilia-1 0304"
    state = gathered(
        combats(f"{units}; alamanni-retinue-1 0205; southern-warband-1 0205; vadomar 0205"), "0205"
    )
    assert weighed(state) == (11, 5)
    play = clash(state, 4)
    assert (said(play)["attack"], said(play)["defence"], said(play)["odds"]) == (11, 5, "2:1")


# --- the die -------------------------------------------------------------------------------------

LED = {  # who leads: what is added
    "julian 0105": 1,
    "severus 0105": 1,
    "julian 0105; severus 0105": 1,  # once
    "julian 0105; severus 0304": 1,
    "marcellus 0105": 0,
    "barbatio 0105": 0,
    "chnodomar 0205": -1,
    "vadomar 0205": 0,
    "julian 0105; chnodomar 0205": 0,
    "julian 0206": 0,  # where nobody attacks from
    "chnodomar 0305": 0,
    "": 0,
}


@rule("JH.leaders", "JH.combat")
@pytest.mark.parametrize("leaders", LED)
def test_a_leader_is_worth_one_for_his_side(leaders: str) -> None:
    units = "caesar-comitatenses-1 0105; caesar-equites-1 0304; alamanni-warband-1 0205"
    state = gathered(combats(f"{units}; {leaders}"), "0205")
    added = LED[leaders]
    play = clash(state, 3)
    assert said(play)["added"] == f"{added:+}"
    assert said(play)["result"] == CRT[3 + added].split()[5]  # 6 to 2
    terms = {(term.clause, term.value) for term in Fight().terms(state)}
    both = {"julian 0105; chnodomar 0205": {1, -1}}.get(leaders, {added} - {0})
    assert terms == {("JH.leaders", value) for value in both}


@rule("JH.leaders")
def test_an_attacking_leader_must_be_activated_and_a_defending_one_need_not() -> None:
    units = "caesar-comitatenses-1 0105; severus 0105; alamanni-warband-1 0205; chnodomar 0205"
    assert said(clash(gathered(combats(units, acting="caesar"), "0205"), 3))["added"] == "-1"
    assert said(clash(gathered(combats(units, acting="caesar equitum"), "0205"), 3))["added"] == "+0"


@rule("JH.leaders")
def test_a_leader_counts_only_with_units_that_attack() -> None:
    units = "caesar-comitatenses-1 0105; julian 0304; caesar-equites-1 0304; alamanni-warband-1 0205"
    state = gathered(combats(units), "0205")
    assert said(clash(state, 3))["added"] == "+1"
    assert said(clash(run(state, "hold-back caesar-equites-1"), 3))["added"] == "+0"


@rule("JH.combat")
@pytest.mark.parametrize(("leader", "face", "row"), [("julian 0105", 6, 6), ("chnodomar 0205", 1, 1)])
def test_the_die_is_read_from_1_to_6(leader: str, face: int, row: int) -> None:
    state = gathered(combats(f"equitum-comitatenses-1 0105; alamanni-warband-1 0205; {leader}"), "0205")
    assert said(clash(state, face))["result"] == CRT[row].split()[4]


@rule("JH.23_0", "JH.leaders")
@pytest.mark.parametrize(
    ("feud", "turn", "added"), [("alamanni", 3, "+0"), ("alamanni", 4, "-1"), ("southern", 3, "-1")]
)
def test_the_leader_of_a_feuding_command_is_not_used_in_that_turn(feud: str, turn: int, added: str) -> None:
    state = combats("caesar-comitatenses-1 0105; alamanni-warband-1 0205; chnodomar 0205", turn=turn)
    state.feud, state.feud_turn = state.roster.command_index[feud], 3
    assert said(clash(gathered(state, "0205"), 3))["added"] == added


# --- terrain -------------------------------------------------------------------------------------


@rule("JH.terrain_double")
@pytest.mark.parametrize(
    ("attackers", "hex_", "holders", "defence"),
    [
        ("0105", "0205", "", 2),  # open ground
        ("0203", "0303", "", 2),  # a forest doubles nothing
        ("0105", "0206", "tricasses=barbarian", 4),  # a city of theirs
        ("0105", "0206", "tricasses=roman", 2),  # a city of the attacker
        ("0306", "0406", "", 4),  # mountains
        ("0605", "0505", "argentoratum=roman", 4),  # over the Rhine
        ("0605", "0505", "argentoratum=barbarian", 4),  # over the Rhine into a city of theirs: not more
        ("0507", "0608", "", 4),  # mountains, the Rhine not crossed
        ("0607", "0608", "", 4),  # mountains over the Rhine
        ("0605 0506", "0505", "argentoratum=roman", 2),  # not every attacker strikes over the Rhine
        ("0605 0606", "0505", "argentoratum=roman", 4),
        ("0506", "0606", "", 4),
        ("0605", "0606", "", 2),
    ],
)
def test_what_doubles_the_defence(attackers: str, hex_: str, holders: str, defence: int) -> None:
    units = [f"caesar-comitatenses-{n} {cell}" for n, cell in enumerate(attackers.split(), 1)]
    state = combats("; ".join([*units, f"franks-warband-1 {hex_}"]), holders=holders)
    assert weighed(gathered(state, hex_)) == (4 * len(units), defence)


@rule("JH.terrain_double")
def test_holding_back_may_leave_only_those_beyond_the_rhine() -> None:
    units = "caesar-comitatenses-1 0605; caesar-auxilia-1 0506; franks-warband-1 0505"
    state = gathered(combats(units, holders="argentoratum=roman"), "0505")
    assert weighed(state) == (7, 2)
    assert weighed(run(state, "hold-back caesar-auxilia-1")) == (4, 4)


@rule("JH.23_0", "JH.terrain_double")
def test_a_frozen_rhine_doubles_nothing() -> None:
    state = combats("caesar-comitatenses-1 0605; franks-warband-1 0505", holders="argentoratum=roman", turn=3)
    state.frozen = 3
    assert weighed(gathered(state, "0505")) == (4, 2)
    state.frozen = 2
    assert weighed(gathered(state, "0505")) == (4, 4)
    state = combats("caesar-comitatenses-1 0605; franks-warband-1 0505", turn=3)  # still a city of theirs
    state.frozen = 3
    assert weighed(gathered(state, "0505")) == (4, 4)


@rule("JH.terrain_double")
@pytest.mark.parametrize("where_", ["0206", "0406"])
def test_the_attack_is_never_doubled_by_terrain(where_: str) -> None:
    state = combats(f"caesar-auxilia-1 {where_}; franks-warband-1 0306")
    assert weighed(gathered(state, "0306")) == (3, 2)


@rule("JH.terrain_double")
def test_barbarians_attack_a_roman_city() -> None:
    state = combats("franks-retinue-1 0105; garrison-1 0204", BARBARIAN)
    assert weighed(gathered(state, "0204")) == (3, 4)


# --- declaring an attack -------------------------------------------------------------------------


@rule("JH.combat")
@pytest.mark.parametrize("hex_", ["0304", "0105", "0305", "0000", "x"])
def test_only_a_hex_with_enemy_combat_units_is_attacked(hex_: str) -> None:
    state = combats("caesar-comitatenses-1 0105; franks-warband-1 0205; chnodomar 0305")
    assert keys(state, f"attack {hex_}") == [("JH.combat", "nobody_to_attack")]
    assert legal_lines(state) == ["attack 0205", "pass"]


@rule("JH.combat")
def test_only_from_next_to_it() -> None:
    units = "caesar-comitatenses-1 0105; franks-warband-1 0205; franks-warband-2 0306"
    assert keys(combats(units), "attack 0306") == [("JH.combat", "nobody_attacks")]
    assert clauses(combats(units), "attack 0205") == []


@rule("JH.ops_phase", "JH.combat")
def test_only_activated_units_attack() -> None:
    units = "caesar-comitatenses-1 0105; equitum-comitatenses-1 0105; garrison-1 0105; franks-warband-1 0205"
    state = gathered(combats(units, acting="equitum"), "0205")
    assert weighed(state) == (4, 2)
    assert legal_lines(state) == ["fight", "call-off"]
    assert keys(combats(units, acting="peditum"), "attack 0205") == [("JH.combat", "nobody_attacks")]
    assert go_on(combats(units, acting="peditum")).state.decision is None


@rule("JH.leaders")
def test_a_leader_alone_does_not_attack() -> None:
    units = "julian 0105; franks-raiders-1 0205; caesar-auxilia-1 0008; franks-raiders-2 0009"
    assert keys(combats(units), "attack 0205") == [("JH.combat", "nobody_attacks")]
    assert legal_lines(combats(units)) == ["attack 0009", "pass"]


@rule("JH.6_0", "JH.combat")
def test_federates_attack_only_when_they_are_called() -> None:
    units = "salii-band-1 0105; salii-band-2 0105; franks-warband-1 0205"
    state = combats(units, acting="caesar", allies="salii=roman")
    assert keys(state, "attack 0205") == [("JH.combat", "nobody_attacks")]
    state = combats(units, acting="caesar", allies="salii=roman", called="salii")
    assert weighed(gathered(state, "0205")) == (4, 2)


@rule("JH.combat")
def test_an_attack_is_voluntary() -> None:
    state = combats("caesar-comitatenses-1 0105; franks-warband-1 0205")
    assert run(state, "pass").decision is None


@rule("JH.combat")
def test_neither_a_hex_nor_a_unit_fights_twice() -> None:
    units = (
        "caesar-comitatenses-1 0105; caesar-comitatenses-2 0105; equitum-equites-1 0304;"
        "franks-warband-1 0205; franks-warband-2 0205; franks-raiders-1 0204; franks-raiders-2 0303"
    )
    state = run(combats(units), "attack 0204", "hold-back caesar-comitatenses-1")
    state = run(state, "hold-back equitum-equites-1")
    after = run(state, "fight", "pass", dice=[6, 0, 0])  # 4 to 1: DC, two markers
    assert isinstance(after.decision, Combats)
    state = gathered(after, "0205")  # comitatenses-2 has attacked already
    assert weighed(state) == (6, 4)
    assert keys(state, "hold-back caesar-comitatenses-2") == [("JH.combat", "not_in_attack")]


@rule("JH.combat")
def test_a_hex_that_still_stands_after_a_bloodbath_is_not_attacked_again() -> None:
    units = "caesar-equites-1 0105; equitum-comitatenses-1 0304; franks-warband-1 0205; franks-retinue-1 0205"
    state = run(combats(units), "attack 0205", "hold-back equitum-comitatenses-1")
    state = run(state, "fight", "lose franks-warband-1", dice=[6])  # 2 to 5, 1:3
    assert state.decision is None
    assert where(state, "franks-retinue-1") == "0205"
    cell = state.roster.grid.cells["0205"]
    assert keys(at(state, Combats(ROMAN, (cell,))), "attack 0205") == [("JH.combat", "attacked_already")]
    assert clauses(at(state, Combats(ROMAN)), "attack 0205") == []


@rule("JH.crt")
@pytest.mark.parametrize(
    ("attackers", "defenders", "hex_", "clause"),
    [
        ("equitum-limitanei-1", "franks-retinue-1", "0205", []),  # 1 to 3
        ("equitum-limitanei-1", "franks-warband-1 franks-warband-2", "0205", ["JH.crt"]),  # 1 to 4
        ("equitum-limitanei-1", "franks-warband-1", "0206", ["JH.crt"]),  # 1 to 2, doubled
        ("equitum-limitanei-1", "franks-raiders-1", "0206", []),
    ],
)
def test_below_1_to_3_no_attack_is_declared(
    attackers: str, defenders: str, hex_: str, clause: list[str]
) -> None:
    units = [f"{name} 0105" for name in attackers.split()] + [f"{name} {hex_}" for name in defenders.split()]
    state = combats("; ".join(units), holders="tricasses=barbarian", hands=("military", ""))
    assert clauses(state, f"attack {hex_}") == clause  # whatever Military one has


@rule("JH.combat", "JH.crt")
def test_units_may_be_held_back_as_long_as_the_odds_allow_it() -> None:
    units = (
        "caesar-comitatenses-1 0105; equitum-limitanei-1 0105; caesar-equites-1 0304; franks-warband-1 0205"
    )
    more = "franks-warband-2 0205; garrison-1 0105"
    state = gathered(combats(f"{units}; {more}"), "0205")
    assert weighed(state) == (7, 4)
    assert keys(state, "hold-back garrison-1") == [("JH.combat", "not_in_attack")]
    assert keys(state, "hold-back franks-warband-1") == [("JH.combat", "not_in_attack")]
    state = run(state, "hold-back caesar-comitatenses-1")
    assert weighed(state) == (3, 4)
    assert keys(state, "hold-back caesar-comitatenses-1") == [("JH.combat", "not_in_attack")]
    assert keys(state, "hold-back caesar-equites-1") == [("JH.crt", "too_weak")]  # 1 to 4
    state = run(state, "hold-back equitum-limitanei-1")
    assert keys(state, "hold-back caesar-equites-1") == [("JH.crt", "too_weak")]  # nobody
    assert legal_lines(state) == ["fight", "call-off"]


@rule("JH.combat")
def test_an_attack_may_be_called_off_until_it_is_declared() -> None:
    units = "caesar-comitatenses-1 0105; caesar-auxilia-1 0105; franks-warband-1 0205; franks-raiders-1 0204"
    before = combats(units, hands=("military agentes", "military"))
    state = gathered(before, "0205")
    assert "call-off" in legal_lines(state)
    play = do(run(state, "hold-back caesar-auxilia-1"), "call-off")
    assert play.state == before  # nobody has fought, no hex was attacked, no marker was shown
    assert not play.sealed
    assert told(play) == []
    again = run(play.state, "attack 0204", "call-off", "attack 0205")
    assert again == state
    defence = run(state, "fight")
    assert isinstance(defence.decision, Defence)
    assert clauses(defence, "call-off") == ["JS.military.2"]


@rule("JH.combat", "JH.6_0")
def test_an_attack_on_neutrals_that_is_called_off_allies_nobody() -> None:
    state = gathered(combats("caesar-comitatenses-1 0105; laeti-band-1 0205"), "0205")
    assert ally(run(state, "call-off"), "laeti") == "neutral"


@rule("JH.combat")
def test_bots_do_not_name_an_attack_to_call_it_off() -> None:
    state = gathered(combats(DUEL), "0205")
    assert CallOff().is_vain(state)


@rule("JH.combat")
def test_who_is_held_back_may_still_attack_elsewhere() -> None:
    units = "caesar-comitatenses-1 0105; caesar-auxilia-1 0105; franks-raiders-1 0205; franks-raiders-2 0204"
    state = run(combats(units), "attack 0205", "hold-back caesar-auxilia-1")
    state = run(state, "fight", "pass", dice=[6, 0, 0])
    assert weighed(gathered(state, "0204")) == (3, 1)


@rule("JH.combat", "JH.crt")
def test_the_odds_are_told_before_the_attack_is_declared() -> None:
    units = "caesar-comitatenses-1 0105; caesar-auxilia-1 0105; franks-warband-1 0205; franks-retinue-1 0205"
    state = gathered(combats(units, hands=("military", "")), "0205")
    gathering = state.decision
    assert gathering is not None
    shown = gathering.prompt(state).values
    assert (shown["attack"], shown["defence"], shown["odds"]) == (7, 5, "1:1")
    plain, doubled = Fight().remark(state), Fight("military").remark(state)
    assert plain is not None
    assert doubled is not None
    assert (plain.values["odds"], plain.values["doubled"]) == ("1:1", "1:2")  # 7 to 5, 7 to 10
    assert (doubled.values["odds"], doubled.values["doubled"]) == ("2:1", "1:1")  # 14 to 5, 14 to 10


@rule("JH.combat", "JS.military.2", "JH.windows")
@pytest.mark.parametrize(
    ("line", "attack", "plain", "doubled"),
    [("fight", 7, "1:1", "1:2"), ("fight military", 14, "2:1", "1:1")],
)
@pytest.mark.parametrize("held", ["military", "dux"])
def test_the_defender_who_is_asked_for_a_military_is_told_the_odds(
    line: str, attack: int, plain: str, doubled: str, held: str
) -> None:
    """Those without and those with one, whether or not he has one."""
    units = "caesar-comitatenses-1 0105; caesar-auxilia-1 0105; franks-warband-1 0205; franks-retinue-1 0205"
    state = run(gathered(combats(units, hands=("military", held)), "0205"), line)
    defence = state.decision
    assert isinstance(defence, Defence)
    shown = defence.prompt(state).values
    assert (shown["attack"], shown["defence"]) == (attack, 5)
    assert (shown["odds"], shown["doubled"]) == (plain, doubled)
    remark = Double("military").remark(state)
    assert remark is not None
    assert remark.values == {"odds": doubled}
    declined = Pass().remark(state)
    assert declined is not None
    assert declined.values == {"odds": plain}
    assert Pass().remark(combats(units)) is None


@rule("JH.leaders")
def test_and_what_is_added_to_the_die() -> None:
    units = "caesar-comitatenses-1 0105; julian 0105; franks-warband-1 0205; franks-retinue-1 0205"
    state = run(gathered(combats(units, hands=("", "military")), "0205"), "fight")
    for action in (Pass(), Double("military")):
        assert [term.value for term in action.terms(state)] == [1]
    assert Pass().terms(combats(units)) == []


# --- Military ------------------------------------------------------------------------------------

DUEL = "caesar-equites-1 0105; equitum-equites-1 0105; franks-warband-1 0205"  # 4 to 2
SIEGE = "caesar-equites-1 0105; equitum-equites-1 0105; franks-warband-1 0206"  # and in a city
FACTORS = {  # a Military of the attacker, of the defender, in a city of his
    (False, False, False): (4, 2),
    (True, False, False): (8, 2),
    (False, True, False): (4, 4),
    (True, True, False): (8, 4),
    (False, False, True): (4, 4),
    (True, False, True): (8, 4),
    (False, True, True): (4, 6),  # tripled, not fourfold
    (True, True, True): (8, 6),
}


def with_military(own: str, foe: str, city: bool) -> Play:
    """An attack with these markers on both sides, and a 6; no field army fights."""
    state = combats(SIEGE if city else DUEL, hands=(own, foe), holders="tricasses=barbarian")
    state = run(state, "attack 0206" if city else "attack 0205")
    line = f"fight {own}".strip()
    return do(run(state, line), f"double {foe}", dice=[6]) if foe else do(state, line, dice=[6])


@rule("JS.military.2", "JS.military.2.triple", "JH.terrain_double", "JS.military.limit")
@pytest.mark.parametrize("marker", ["military", "imperium"])
@pytest.mark.parametrize("case", FACTORS)
def test_a_military_doubles_and_what_is_doubled_it_triples(
    case: tuple[bool, bool, bool], marker: str
) -> None:
    own, foe, city = case
    play = with_military(marker if own else "", marker if foe else "", city)
    assert (said(play)["attack"], said(play)["defence"]) == FACTORS[case]
    assert (hand(play.state, "roman"), hand(play.state, "barbarian")) == ({}, {})
    assert play.state.pool == list(play.state.roster.pool)  # J0.discard
    assert play.state.imperium == ([own, foe] if marker == "imperium" else [0, 0])


@rule("JS.military.2", "JH.windows")
def test_the_attacker_declares_first_and_then_the_defender() -> None:
    state = gathered(combats(DUEL, hands=("military", "military")), "0205")
    assert legal_lines(state)[:2] == ["fight", "fight military"]
    play = do(state, "fight military")
    assert ("JS.military.2", "event.military") in told(play)
    assert isinstance(play.state.decision, Defence)
    assert play.state.decision.seat == BARBARIAN
    assert legal_lines(play.state) == ["double military", "pass"]
    assert clauses(play.state, "fight military") == ["JS.military.2"]


@rule("JS.military.2", "JH.windows")
def test_the_defender_may_decline() -> None:
    state = run(combats(DUEL, hands=("military", "military")), "attack 0205", "fight military")
    play = do(state, "pass", dice=[6])
    assert (said(play)["attack"], said(play)["defence"]) == (8, 2)
    assert hand(play.state, "barbarian") == {"military": 1}


@rule("JH.windows")
def test_who_has_no_marker_at_all_is_not_asked_and_who_has_another_can_only_pass() -> None:
    state = run(combats(DUEL, hands=("", "dux")), "attack 0205", "fight")
    assert isinstance(state.decision, Defence)
    assert legal_lines(state) == ["pass"]
    play = do(gathered(combats(DUEL, hands=("dux", "")), "0205"), "fight", dice=[6])
    assert said(play)["defence"] == 2


@rule("JS.military.2", "J0.title", "JS.imperium.limit")
def test_what_a_military_is_refused_for() -> None:
    state = gathered(combats(DUEL, hands=("dux", "military imperium")), "0205")
    assert clauses(state, "fight dux") == ["JS.military.2"]
    assert clauses(state, "fight military") == ["J0.title"]
    assert clauses(state, "fight imperium") == ["J0.title"]
    state = combats(DUEL, hands=("imperium", "dux imperium"))
    state.imperium = [1, 1]
    state = gathered(state, "0205")
    assert clauses(state, "fight imperium") == ["JS.imperium.limit"]
    defence = run(state, "fight")
    assert clauses(defence, "double imperium") == ["JS.imperium.limit"]
    assert clauses(defence, "double military") == ["J0.title"]
    assert clauses(defence, "double dux") == ["JS.military.2"]
    assert legal_lines(defence) == ["pass"]


@rule("JS.military.limit")
def test_one_military_a_combat_for_each_player() -> None:
    state = gathered(combats(DUEL, hands=("military military imperium", "military military")), "0205")
    state = run(state, "fight military")
    assert clauses(state, "fight military") == ["JS.military.2"]  # now the other decides
    play = do(state, "double military", dice=[6])
    assert (said(play)["attack"], said(play)["defence"]) == (8, 4)
    assert hand(play.state, "roman") == {"imperium": 1, "military": 1}
    assert hand(play.state, "barbarian") == {"military": 1}


@rule("JH.crt", "JS.military.2")
def test_a_military_of_the_defender_leads_below_1_to_3_to_the_column_1_to_3() -> None:
    state = combats(
        "equitum-limitanei-1 0105; franks-warband-1 0205; franks-raiders-1 0205", hands=("", "military")
    )
    state = run(state, "attack 0205", "fight")  # 1 to 3
    play = do(state, "double military", dice=[6])  # 1 to 6
    assert (said(play)["attack"], said(play)["defence"], said(play)["odds"]) == (1, 6, "1:3")
    assert said(play)["result"] == "BB"


# --- neutral peoples -----------------------------------------------------------------------------


@rule("JH.6_0")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_an_attack_on_neutrals_allies_them_to_the_other_side(seat: int) -> None:
    attacker = ("caesar-comitatenses-1", "franks-retinue-1")[seat]
    state = combats(f"{attacker} 0105; laeti-band-1 0205; laeti-band-2 0008", seat)
    state = gathered(state, "0205")
    assert ally(state, "laeti") == "neutral"  # not declared yet
    play = Play(state.copy(), Scripted([]))
    play.taken = play.state.todo.pop()
    Fight().perform(play)
    assert ally(play.state, "laeti") == SEATS[1 - seat]
    assert {play.state.side[i] for i in play.state.roster.of_people[2]} == {1 - seat}
    assert ("JH.6_0", "event.serves") in told(play)


@rule("JH.6_0")
def test_the_opponent_defends_the_neutrals_in_every_respect() -> None:
    units = "caesar-comitatenses-1 0105; laeti-band-1 0205; laeti-band-2 0205"
    state = run(combats(units, hands=("", "military")), "attack 0205", "fight")
    assert isinstance(state.decision, Defence)
    assert state.decision.seat == BARBARIAN
    play = do(state, "pass", dice=[5])  # 1:1, DD: half of 4
    assert isinstance(play.state.decision, Losses)
    assert (play.state.decision.seat, play.state.decision.points) == (BARBARIAN, 2)


@rule("JH.6_0", "JH.terrain_double")
def test_a_city_of_the_opponent_doubles_neutrals_in_it() -> None:
    for holder, defence in (("barbarian", 4), ("roman", 2)):
        units = "caesar-comitatenses-1 0105; laeti-band-1 0206"
        state = gathered(combats(units, holders=f"tricasses={holder}"), "0206")
        assert weighed(state) == (4, defence)


# --- what is measured ----------------------------------------------------------------------------


@rule("JC.0")
def test_what_is_measured_of_an_attack() -> None:
    assert COLUMNS == ("ac", "ar", "ad", "bb", "dd", "dr", "dc", "own_lost", "foes_lost")
    state = gathered(combats(DUEL), "0205")  # 2:1
    found: dict[str, tuple[Fraction, int, int]] = {}
    for chance, after in outcomes(state, Fight(), alone=True):
        row = JULIAN.measure(state, after)
        assert tuple(row) == COLUMNS
        name = next(name for name in RESULTS if row[name.lower()])
        assert sum(row[name.lower()] for name in RESULTS) == 1
        before = found.get(name, (Fraction(0), 0, 0))
        found[name] = (before[0] + chance, row["own_lost"], row["foes_lost"])
    sixth = Fraction(1, 6)
    assert found == {
        "AR": (sixth, 2, 0),
        "AD": (sixth, 2, 0),
        "BB": (sixth, 2, 2),  # 2 that he has still to take off
        "DD": (sixth, 0, 2),
        "DR": (sixth, 0, 2),
        "DC": (sixth, 0, 2),
    }


@rule("JC.0")
def test_before_any_combat_no_result_is_measured() -> None:
    state = combats(DUEL)
    assert state.result == NO_RESULT
    assert set(JULIAN.measure(state, state).values()) == {0}


def columns(state: JulianState, line: str) -> dict[str, dict[int, Fraction]]:
    """The odds of an action, without the columns that are nought in any case."""
    found = lab_odds(JULIAN, state, parse_action(JULIAN, line)).columns
    return {name: chances for name, chances in found.items() if set(chances) != {0}}


@rule("JC.0")
def test_the_result_of_the_last_battle_is_not_measured_again() -> None:
    units = f"{DUEL}; peditum-equites-1 0404; franks-raiders-1 0405; alamanni-raiders-1 0304"
    state = run(combats(units), "attack 0205", "fight", dice=[6])
    assert state.result != NO_RESULT
    assert columns(state, "pass") == {}  # nobody pursues
    state = run(state, "pass")
    assert isinstance(state.decision, Combats)
    assert columns(state, "pass") == columns(state, "attack 0405") == {}
    named = run(state, "attack 0405")
    assert columns(named, "call-off") == {}
    assert set(columns(named, "fight")) > {"own_lost", "foes_lost"}


@rule("JC.0", "JS.military.2")
def test_the_odds_of_a_defence_are_those_of_the_fight() -> None:
    state = run(combats(DUEL, hands=("", "military")), "attack 0205", "fight")
    for line, attack, defence in (("pass", 4, 2), ("double military", 4, 4)):
        n = column(attack, defence)
        expected = {TABLE[face][n].lower() for face in range(6)}
        found = columns(state, line)
        assert set(found) - {"own_lost", "foes_lost"} == expected
        assert sum(found[name][1] for name in expected) == 1


@rule("JC.0")
def test_an_attack_that_waits_for_the_defender_has_no_result_yet() -> None:
    units = f"{DUEL}; peditum-equites-1 0404; franks-raiders-1 0405"
    state = run(combats(units, hands=("", "dux")), "attack 0205", "fight", "pass", "pass", dice=[6])
    assert state.result != NO_RESULT
    before = run(state, "attack 0405")
    assert not any(JULIAN.measure(before, run(before, "fight")).values())


@rule("JC.losses", "JS.agentes.1")
def test_losses_that_were_owed_before_are_not_measured_again() -> None:
    """An Agentes that is played before they are taken off costs nobody a unit, nor does its annulment."""
    hands = ("agentes military", "agentes")
    state = run(combats(f"{DUEL}; caesar-auxilia-1 0105", hands=hands), "attack 0205", "fight military")
    state = run(state, "pass", dice=[1])
    assert isinstance(state.decision, Losses)
    assert set(columns(state, "lose caesar-auxilia-1")) == {"own_lost"}
    assert columns(state, "spy") == {}
    state = run(state, "spy")
    assert columns(state, "annul") == columns(state, "pass") == {}


@rule("JC.0")
def test_a_sequence_measures_its_last_battle() -> None:
    units = f"{DUEL}; peditum-comitatenses-1 0404; franks-raiders-1 0405"
    state = run(combats(units), "attack 0205", "fight", "pass", dice=[6])
    lines = ("attack 0405", "fight")
    found = sequence_odds(JULIAN, state, [parse_action(JULIAN, line) for line in lines]).columns
    plain = lab_odds(JULIAN, run(state, lines[0]), parse_action(JULIAN, lines[1])).columns
    assert found == plain


@rule("JC.losses")
def test_losses_are_measured_for_whoever_decides() -> None:
    units = "caesar-comitatenses-1 0105; franks-warband-1 0205; franks-warband-2 0205; franks-retinue-1 0205"
    state = gathered(combats(units), "0205")
    after = do(state, "fight", dice=[6]).state  # 4 to 7, 1:2, BB
    assert JULIAN.measure(state, after)["own_lost"] == 4
    assert JULIAN.measure(state, after)["foes_lost"] == 4  # to be taken off yet
    assert JULIAN.measure(after, do(after, "lose franks-retinue-1").state)["own_lost"] == 3 + 2


@rule("JH.combat", "JH.map")
def test_the_first_hex_of_a_map_is_like_any_other() -> None:
    """On the smaller map 0000 is no sea."""
    units = "caesar-equites-1 0000; alamanni-warband-1 0100; caesar-equites-2 0101"
    settings = {"acting": "caesar", "scenario": "argentoratum"}
    assert weighed(gathered(combats(units, **settings), "0100")) == (4, 2)
    units = "caesar-equites-1 0001; alamanni-warband-1 0000"
    before = gathered(combats(units, **settings), "0000")
    state = run(before, "fight", dice=[6])
    assert where(state, "alamanni-warband-1") == "pool"
    after = run(state, "pursue caesar-equites-1 0000")
    assert JULIAN.measure(before, after)["own_lost"] == 0
