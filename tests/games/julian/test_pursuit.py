"""8 Pursuit: into the hex that the enemy has left, and after a catastrophe one farther."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.julian.combat import Combats
from legatus.games.julian.pursuit import Pursuit
from legatus.games.julian.state import BARBARIAN, ROMAN, JulianState
from tests.rules import rule

from .stage import at, campaign, clauses, do, fought, go_on, holder, legal_lines, refusals, run, told, where

TWO = "caesar-equites-1 0105; equitum-equites-1 0105"


def pursuing(result: str, units: str = TWO, hex_: str = "0205", **settings: Any) -> JulianState:
    """All activated units around a hex have wiped out a lone warband in it; now they may pursue."""
    settings = {"acting": "caesar equitum", "active": "roman", **settings}
    state = campaign(f"{units}; franks-warband-1 {hex_}", **settings)
    around = state.roster.around[state.roster.grid.cells[hex_]]
    involved = [
        unit.id
        for i, unit in enumerate(state.roster.units)
        if state.cell[i] in around and unit.command >= 0 and state.acting[unit.command] and not unit.leader
    ]
    return go_on(fought(state, result, hex_, *involved)).state


def keys(state: JulianState, line: str) -> list[tuple[str, str]]:
    return [(refusal.clause, refusal.key.removeprefix("refusal.")) for refusal in refusals(state, line)]


PARTS = {"DD": ("JC.DD.3", 1), "DR": ("JC.DR.3", 1), "DC": ("JC.DC.2", 2)}


@rule("JH.pursuit", "JC.DD.3", "JC.DR.3", "JC.DC.2")
@pytest.mark.parametrize("result", PARTS)
def test_any_attacker_may_go_into_the_hex_that_was_left(result: str) -> None:
    state = pursuing(result)
    part, hexes = PARTS[result]
    assert isinstance(state.decision, Pursuit)
    assert (state.decision.seat, state.decision.hexes, state.decision.part) == (ROMAN, hexes, part)
    play = do(state, "pursue equitum-equites-1 0205")
    assert where(play.state, "equitum-equites-1") == "0205"
    assert (part, "event.pursues") in told(play)
    assert isinstance(play.state.decision, Pursuit)  # the other one may still follow
    assert where(run(play.state, "pursue caesar-equites-1 0205"), "caesar-equites-1") == "0205"


@rule("JH.pursuit")
def test_each_unit_may_pursue_or_stay() -> None:
    state = run(pursuing("DD"), "pursue caesar-equites-1 0205", "pass")
    assert (where(state, "caesar-equites-1"), where(state, "equitum-equites-1")) == ("0205", "0105")
    assert state.decision is None
    state = run(pursuing("DD"), "pass")
    assert where(state, "caesar-equites-1") == "0105"


@rule("JC.DD.3", "JC.DR.3", "JH.pursuit")
@pytest.mark.parametrize("result", ["DD", "DR"])
@pytest.mark.parametrize("path", ["0304", "0205>0305", "0205>0305>0405", "0106", "x"])
def test_one_hex_is_the_hex_that_was_left(result: str, path: str) -> None:
    state = pursuing(result)
    assert keys(state, f"pursue caesar-equites-1 {path}") == [(PARTS[result][0], "pursuit_way")]
    lines = {line for line in legal_lines(state) if line.startswith("pursue")}
    assert lines == {"pursue caesar-equites-1 0205", "pursue equitum-equites-1 0205"}


@rule("JC.DC.2", "JH.pursuit")
def test_two_hexes_are_that_hex_and_one_more_if_wished() -> None:
    state = pursuing("DC")
    ends = {line.split()[2] for line in legal_lines(state) if line.startswith("pursue caesar-equites-1")}
    around = ("0304", "0305", "0306", "0206", "0204")  # not 0105, from where he came
    assert ends == {"0205", *(f"0205>{name}" for name in around)}
    assert where(run(state, "pursue caesar-equites-1 0205"), "caesar-equites-1") == "0205"
    assert where(run(state, "pursue caesar-equites-1 0205>0305"), "caesar-equites-1") == "0305"
    for path in ("0304", "0304>0205", "0205>0305>0405", "0105>0205"):
        assert keys(state, f"pursue caesar-equites-1 {path}") == [("JC.DC.2", "pursuit_way")]


@rule("JH.pursuit")
def test_a_pursuit_does_not_end_where_it_began() -> None:
    state = pursuing("DC", "caesar-equites-1 0105; equitum-equites-1 0304; julian 0105; marcellus 0304")
    assert keys(state, "pursue caesar-equites-1 0205>0105") == [("JH.pursuit", "pursuit_back")]
    assert "pursue caesar-equites-1 0205>0105" not in legal_lines(state)
    assert keys(state, "pursue caesar-equites-1 0205>0304") == []  # there somebody else began
    assert keys(state, "pursue equitum-equites-1 0205>0304") == [("JH.pursuit", "pursuit_back")]
    assert keys(state, "pursue marcellus 0205>0304") == [("JH.pursuit", "pursuit_back")]
    state = run(state, "pursue caesar-equites-1 0205>0304")
    assert keys(state, "pursue julian 0205>0304") == []


@rule("JH.pursuit", "JH.cities")
def test_nobody_takes_a_city_and_is_back_where_he_was() -> None:
    state = pursuing("DC", "caesar-equites-1 0404", "0405")
    assert holder(state, "tres-tabernae") == "barbarian"
    assert keys(state, "pursue caesar-equites-1 0405>0404") == [("JH.pursuit", "pursuit_back")]


@rule("JH.pursuit")
@pytest.mark.parametrize("path", ["0205>0405", "0205>0205", "0205>0000", "0205>x"])
def test_the_second_hex_is_next_to_the_first(path: str) -> None:
    assert keys(pursuing("DC"), f"pursue caesar-equites-1 {path}") == [("JH.pursuit", "not_adjacent")]


@rule("JH.pursuit")
def test_closed_hexes_are_not_entered() -> None:
    state = pursuing("DC", "caesar-equites-1 0508", "0608")
    assert keys(state, "pursue caesar-equites-1 0608>0708") == [("JH.pursuit", "not_adjacent")]
    assert clauses(state, "pursue caesar-equites-1 0608>0509") == []


@rule("JH.pursuit")
def test_the_second_hex_is_free_of_enemy_combat_units() -> None:
    state = pursuing("DC", f"{TWO}; franks-raiders-1 0305; nebisgast 0306")
    assert keys(state, "pursue caesar-equites-1 0205>0305") == [("JH.pursuit", "enemy_there")]
    assert clauses(state, "pursue caesar-equites-1 0205>0306") == []  # a leader alone


@rule("JH.pursuit", "JH.6_0")
def test_and_of_neutral_units() -> None:
    state = pursuing("DC", f"{TWO}; laeti-band-1 0305")
    assert keys(state, "pursue caesar-equites-1 0205>0305") == [("JH.6_0", "neutrals_there")]
    state = pursuing("DC", f"{TWO}; laeti-band-1 0305", allies="laeti=roman")
    assert clauses(state, "pursue caesar-equites-1 0205>0305") == []


@rule("JH.pursuit", "JH.move")
def test_terrain_costs_are_ignored() -> None:
    state = pursuing("DC", "equitum-limitanei-1 0306", "0406")
    state = run(state, "pursue equitum-limitanei-1 0406>0407")
    assert where(state, "equitum-limitanei-1") == "0407"


@rule("JH.pursuit")
def test_only_the_attackers_involved_pursue() -> None:
    state = pursuing("DC", f"{TWO}; peditum-equites-1 0105; garrison-1 0105; peditum-auxilia-1 0304")
    for name in ("peditum-equites-1", "garrison-1", "peditum-auxilia-1", "franks-warband-1", "nobody"):
        assert keys(state, f"pursue {name} 0205") == [("JH.pursuit", "not_pursuing")]
    state = run(state, "pursue caesar-equites-1 0205")
    assert keys(state, "pursue caesar-equites-1 0205>0305") == [("JH.pursuit", "not_pursuing")]  # once


@rule("JH.stack", "JH.pursuit")
def test_a_hex_takes_five_of_them() -> None:
    units = "; ".join(
        [
            *(f"equitum-limitanei-{n} 0105" for n in (1, 2, 3, 4)),
            *(f"equitum-equites-{n} 0304" for n in (1, 2)),
        ]
    )
    state = pursuing("DC", units)
    for n in (1, 2, 3, 4):
        state = run(state, f"pursue equitum-limitanei-{n} 0205")
    state = run(state, "pursue equitum-equites-1 0205")
    assert keys(state, "pursue equitum-equites-2 0205") == [("JH.stack", "stack_full")]
    assert clauses(state, "pursue equitum-equites-2 0205>0305") == []  # through a full hex
    full = "; ".join(
        f"peditum-{name} 0305" for name in ("auxilia-1", "auxilia-2", "equites-1", "limitanei-1")
    )
    state = pursuing("DC", f"{TWO}; {full}; garrison-1 0305")
    assert keys(state, "pursue caesar-equites-1 0205>0305") == [("JH.stack", "stack_full")]


# --- leaders -------------------------------------------------------------------------------------


@rule("JH.pursuit", "JH.leaders")
def test_leaders_go_with_units() -> None:
    state = pursuing("DC", f"{TWO}; julian 0105")
    assert keys(state, "pursue julian 0205") == [("JH.leaders", "leader_alone")]
    state = run(state, "pursue caesar-equites-1 0205")
    assert clauses(state, "pursue julian 0205") == []
    assert keys(state, "pursue julian 0205>0305") == [("JH.leaders", "leader_alone")]
    state = run(state, "pursue julian 0205")
    assert where(state, "julian") == "0205"
    assert clauses(state, "pursue julian 0205") == ["JH.pursuit"]


@rule("JH.pursuit", "JH.stack")
def test_a_leader_finds_room_in_a_full_hex() -> None:
    names = [*(f"equitum-limitanei-{n}" for n in (1, 2, 3, 4)), "equitum-equites-1"]
    state = pursuing("DD", "; ".join(f"{name} 0105" for name in names) + "; marcellus 0105")
    for name in names:
        state = run(state, f"pursue {name} 0205")
    assert where(run(state, "pursue marcellus 0205"), "marcellus") == "0205"


@rule("JH.pursuit", "JH.ops_phase")
def test_only_activated_leaders_of_their_hexes_pursue() -> None:
    state = run(pursuing("DC", f"{TWO}; julian 0304; barbatio 0105"), "pursue caesar-equites-1 0205")
    assert keys(state, "pursue julian 0205") == [("JH.pursuit", "not_pursuing")]  # nobody attacked from there
    assert keys(state, "pursue barbatio 0205") == [("JH.pursuit", "not_pursuing")]  # not activated


# --- what comes of it ----------------------------------------------------------------------------


@rule("JH.pursuit", "JH.cities")
def test_a_city_entered_in_pursuit_falls() -> None:
    state = pursuing("DC", "caesar-equites-1 0404", "0405")
    after = run(state, "pursue caesar-equites-1 0405>0505")
    assert holder(after, "tres-tabernae") == holder(after, "argentoratum") == "roman"
    assert holder(run(state, "pass"), "tres-tabernae") == "barbarian"


@rule("JH.pursuit", "JH.cities")
def test_barbarians_sack_in_pursuit() -> None:
    units = "franks-warband-1 0105; garrison-1 0204"
    state = campaign(units, acting="franks", active="barbarian")
    state = go_on(fought(state, "DC", "0204", "franks-warband-1")).state
    assert isinstance(state.decision, Pursuit)
    assert state.decision.seat == BARBARIAN
    after = run(state, "pursue franks-warband-1 0204")
    assert (holder(after, "durocortorum"), after.plunder) == ("barbarian", 2)


@rule("JH.pursuit", "JS.imperium.2.exception")
def test_a_leader_who_is_caught_in_pursuit_throws_a_die_only_once() -> None:
    state = pursuing("DC", f"{TWO}; nebisgast 0305", hands=("imperium", "imperium"))
    state = run(state, "pursue caesar-equites-1 0205>0305", dice=[1])
    assert where(state, "nebisgast") == "pool"
    assert isinstance(state.decision, Pursuit)


@rule("JH.pursuit", "JH.combat")
def test_no_second_attack_follows() -> None:
    units = f"{TWO}; franks-raiders-1 0305; franks-warband-1 0205"
    state = at(campaign(units, acting="caesar equitum"), Combats(ROMAN))
    state = run(state, "attack 0205", "fight", dice=[6])
    state = run(state, "pursue caesar-equites-1 0205", "pursue equitum-equites-1 0205")
    assert state.decision is None  # though raiders stand next to them


@rule("JH.pursuit")
def test_nobody_is_asked_who_cannot_pursue() -> None:
    state = campaign("caesar-auxilia-1 0105; franks-retinue-1 0205", acting="caesar")
    assert go_on(fought(state, "BB", "0205", "caesar-auxilia-1")).state.decision is None


@rule("JH.pursuit", "JH.stack")
def test_nor_who_finds_the_hex_full() -> None:
    units = [f"equitum-limitanei-{n} 0105" for n in (1, 2, 3, 4)]
    units += [f"equitum-equites-{n} 0304" for n in (1, 2)]
    state = pursuing("DD", "; ".join(units))
    for n in (1, 2, 3, 4):
        state = run(state, f"pursue equitum-limitanei-{n} 0205")
    assert run(state, "pursue equitum-equites-1 0205").decision is None
