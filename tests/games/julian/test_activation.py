"""Activation (JH.ops_phase): further forces by Dux (JS.dux.1 and what belongs to it)."""

from __future__ import annotations

import pytest

from legatus.games.julian.activation import Activation
from legatus.games.julian.combat import Combats, Gathering
from legatus.games.julian.movement import Moves
from legatus.games.julian.reinforcement import Reinforcing
from legatus.games.julian.state import BARBARIAN, ROMAN, SEATS, JulianState, names
from legatus.games.julian.stratagems import Stratagems
from legatus.games.julian.turn import CupTurns, PickChit
from legatus.kernel import Step
from tests.rules import rule

from .stage import at, campaign, clauses, do, go_on, hand, legal_lines, run, told

EQUITUM = 1
MEN = "caesar-auxilia-1 0304; equitum-auxilia-1 0204; peditum-auxilia-1 0408; salii-band-1 0201"
MEN += "; alamanni-warband-1 0605; southern-warband-1 0607; franks-warband-1 0601"


def activation(roman: str = "", barbarian: str = "", seat: int = ROMAN, **more: str) -> JulianState:
    """The Caesar, or Chnodomar, has just been activated."""
    more.setdefault("acting", ("caesar", "alamanni")[seat])
    state = campaign(MEN, hands=(roman, barbarian), active=SEATS[seat], **more)  # type: ignore[arg-type]
    return go_on(at(state, Activation(seat))).state  # type: ignore[no-any-return]


def acting(state: JulianState) -> list[str]:
    return [state.roster.commands[c].id for c, acts in enumerate(state.acting) if acts]


# --- Dux -----------------------------------------------------------------------------------------


@rule("JS.dux.1")
@pytest.mark.parametrize(
    ("seat", "name", "expected"),
    [(ROMAN, "equitum", ["caesar", "equitum"]), (BARBARIAN, "franks", ["alamanni", "franks"])],
)
def test_a_dux_activates_a_second_force(seat: int, name: str, expected: list[str]) -> None:
    state = activation("dux", "dux", seat, drawn=name)
    play = do(state, f"play-dux {name}")
    assert acting(play.state) == expected
    assert told(play) == [("JS.dux.1", "event.dux")]
    assert "dux" not in hand(play.state, SEATS[seat])
    assert isinstance(play.state.decision, Activation)
    assert play.state.decision.seat == seat


@rule("JS.dux.1")
def test_both_forces_share_the_sub_phases_and_may_attack_together() -> None:
    units = "caesar-auxilia-1 0304; equitum-auxilia-1 0404; peditum-auxilia-1 0306; alamanni-warband-1 0305"
    state = campaign(units, hands=("dux", ""), acting="caesar", drawn="equitum peditum")
    state = go_on(at(state, Activation(ROMAN), Reinforcing(ROMAN), Moves(ROMAN), Combats(ROMAN))).state
    state = run(state, "play-dux equitum", "pass")
    assert clauses(state, "recruit caesar-comitatenses-1 0310") == []
    assert clauses(state, "recruit equitum-comitatenses-1 0310") == []
    assert clauses(state, "recruit peditum-comitatenses-1 0310") == ["JH.reinforce"]
    state = run(state, "pass")
    assert clauses(state, "march 0304") == clauses(state, "march 0404") == []
    assert clauses(state, "march 0306") == ["JH.ops_phase"]
    state = run(state, "pass", "attack 0305")
    assert isinstance(state.decision, Gathering)
    assert set(names(state, state.decision.units)) == {"caesar-auxilia-1", "equitum-auxilia-1"}


@rule("JS.dux.1.eligible")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_its_chit_must_have_been_drawn_earlier_in_the_turn(seat: int) -> None:
    early, late = (("equitum", "peditum"), ("southern", "franks"))[seat]
    state = activation("dux", "dux", seat, drawn=early)
    assert clauses(state, f"play-dux {early}") == []
    assert clauses(state, f"play-dux {late}") == ["JS.dux.1.eligible"]
    assert legal_lines(state) == [f"play-dux {early}", "pass"]


@rule("JS.dux.1.eligible", "JH.chits")
def test_a_chit_that_was_picked_counts_as_drawn() -> None:
    state = go_on(at(campaign(MEN, hands=("dux", ""), operating=False), PickChit(ROMAN), CupTurns())).state
    state = run(state, "pick equitum", *["pass"] * 4, dice=[0])
    assert clauses(state, "play-dux equitum") == []
    assert clauses(state, "play-dux peditum") == ["JS.dux.1.eligible"]


@rule("JS.dux.1.drawer")
@pytest.mark.parametrize("drawer", [ROMAN, BARBARIAN])
def test_it_does_not_matter_who_drew_it(drawer: int) -> None:
    state = campaign(MEN, hands=("dux", ""), operating=False, drawn="peditum alamanni southern franks")
    state = go_on(at(state, CupTurns(drawer)), [EQUITUM]).state
    state = run(state, *["pass"] * 4, dice=[0])
    assert acting(state) == ["caesar"]
    assert clauses(state, "play-dux equitum") == []


@rule("JS.dux.1.roman", "JS.dux.1.barbarian")
@pytest.mark.parametrize(
    ("seat", "clause", "others"),
    [
        (ROMAN, "JS.dux.1.roman", ("alamanni", "southern", "franks", "nonsense")),
        (BARBARIAN, "JS.dux.1.barbarian", ("caesar", "equitum", "peditum", "nonsense")),
    ],
)
def test_only_a_force_of_his_own(seat: int, clause: str, others: tuple[str, ...]) -> None:
    every = "caesar equitum peditum alamanni southern franks"
    state = activation("dux", "dux", seat, drawn=every)
    for name in others:
        assert clauses(state, f"play-dux {name}") == [clause]


@rule("JS.dux.1.no_federate")
@pytest.mark.parametrize("owner", ["neutral", "roman", "barbarian"])
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_no_people_is_activated_by_a_dux(seat: int, owner: str) -> None:
    state = activation("dux", "dux", seat, allies=f"salii={owner}")
    assert clauses(state, "play-dux salii") == ["JS.dux.1.no_federate"]


@rule("JS.dux.1.several")
def test_each_further_dux_brings_one_further_force() -> None:
    state = activation("dux dux imperium", drawn="equitum peditum")
    state = run(state, "play-dux peditum", "play-dux equitum")
    assert acting(state) == ["caesar", "equitum", "peditum"]
    assert hand(state, "roman") == {"imperium": 1}


@rule("JS.dux.1.several")
def test_a_different_one_each() -> None:
    state = run(activation("dux dux", drawn="equitum peditum"), "play-dux equitum")
    assert clauses(state, "play-dux equitum") == ["JS.dux.1.several"]
    assert clauses(state, "play-dux caesar") == ["JS.dux.1.several"]
    assert legal_lines(state) == ["play-dux peditum", "pass"]


@rule("JS.dux.1", "J0.title", "JS.imperium.limit")
def test_without_a_dux_there_is_no_second_force() -> None:
    state = activation("federate", "dux", drawn="equitum")
    assert clauses(state, "play-dux equitum") == clauses(state, "play-dux equitum imperium") == ["J0.title"]
    state = activation("imperium", drawn="equitum")
    assert clauses(state, "play-dux equitum imperium") == []
    state.imperium = [1, 0]
    assert clauses(state, "play-dux equitum imperium") == ["JS.imperium.limit"]


@rule("JH.7_9_3")
@pytest.mark.parametrize("line", ["call-along salii", "call-instead salii"])
def test_who_has_activated_a_people_plays_no_dux_for_activation(line: str) -> None:
    state = run(activation("dux federate", drawn="equitum"), line)
    assert clauses(state, "play-dux equitum") == ["JH.7_9_3"]
    assert legal_lines(state) == ["pass"]


@rule("JH.7_9_3", "JS.agentes.3", "JS.federate.limit")
@pytest.mark.parametrize("line", ["call-along salii", "call-instead salii"])
def test_an_annulled_federate_bars_no_dux_and_is_still_the_one_of_the_phase(line: str) -> None:
    state = activation("dux federate federate", "agentes", drawn="equitum")
    state = run(state, line, "annul")
    assert clauses(state, "call-along salii") == ["JS.federate.limit"]
    assert clauses(state, "play-dux equitum") == []
    state = run(state, "play-dux equitum")
    assert acting(state) == ["caesar", "equitum"]
    assert clauses(state, "call-along salii") == ["JS.federate.limit", "JH.7_9_3"]


@rule("JH.7_9_3")
def test_a_federate_that_activates_nobody_bars_no_dux() -> None:
    state = activation("dux federate", drawn="equitum", allies="salii=barbarian")
    state = run(state, "sway salii", dice=[1])
    while state.decision != Activation(ROMAN):
        state = run(state, "pass")
    assert clauses(state, "play-dux equitum") == []


@rule("JS.dux.1")
@pytest.mark.parametrize(
    ("step", "clause"),
    [
        (Reinforcing(ROMAN), "JH.reinforce"),
        (Moves(ROMAN), "JH.move"),
        (PickChit(ROMAN), "JH.chits"),
        (Stratagems(ROMAN), "JH.stratagem_phase"),
    ],
)
def test_only_when_the_phase_opens(step: Step, clause: str) -> None:
    state = campaign(MEN, hands=("dux", ""), acting="caesar", drawn="equitum")
    assert clauses(go_on(at(state, step)).state, "play-dux equitum") == [clause]


@rule("JS.dux.1")
def test_only_who_conducts_the_phase_is_asked() -> None:
    """And the second force is active in this phase alone."""
    state = campaign(MEN, hands=("dux", "dux"), operating=False, drawn="equitum southern franks alamanni")
    state = go_on(at(state, PickChit(ROMAN), CupTurns())).state
    state = run(state, "pick caesar")
    assert state.decision == Activation(ROMAN)
    state = run(state, "play-dux equitum", "pass", "pass", "pass", dice=[2])
    assert acting(state) == ["peditum"]
    assert state.decision == Activation(ROMAN)


@rule("JH.ops_phase")
def test_nothing_need_be_played() -> None:
    state = activation()
    assert legal_lines(state) == ["pass"]
    assert not run(state, "pass").todo
