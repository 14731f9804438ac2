"""Stratagem markers: hands and pool (J0.title, J0.discard), Agentes, Imperium, Military, and re-rolls."""

from __future__ import annotations

import pytest

from legatus.games.julian.activation import Activation
from legatus.games.julian.combat import Combats
from legatus.games.julian.crises import Crisis
from legatus.games.julian.interphase import Interphase
from legatus.games.julian.markers import Asked, Counter, Spy
from legatus.games.julian.movement import Marching, Moves
from legatus.games.julian.places import Displace, Escape
from legatus.games.julian.reinforcement import Levy, LotChoice, Reinforcing, Return
from legatus.games.julian.results import Delay
from legatus.games.julian.state import BARBARIAN, MARKER, MARKERS, POOL, ROMAN, SEATS, JulianState, put
from legatus.games.julian.stratagems import BeginPhaseOne, Stratagems
from legatus.games.julian.supply import Hunger
from legatus.games.julian.throws import Again
from legatus.games.julian.turn import EndOperations, PickChit, PickTurn
from legatus.kernel import Step
from tests.rules import rule

from .stage import JULIAN, at, campaign, clauses, do, go_on, hand, legal_lines, run, told, where

FIELD = "caesar-comitatenses-1 0404; caesar-auxilia-1 0404; alamanni-warband-1 0504; salii-band-1 0201"
AGENTES, CREDO, DUX, FEDERATE, IMPERIUM, MILITARY = range(6)


def pool(state: JulianState, marker: str) -> int:
    return state.pool[MARKER[marker]]


def asked(state: JulianState) -> tuple[str, str]:
    """Which question is open, and to whom."""
    decision = state.decision
    assert decision is not None
    return type(decision).__name__, SEATS[decision.seat]


def open_at(state: JulianState, *steps: Step) -> JulianState:
    """The position at the first question of these steps."""
    return go_on(at(state, *steps)).state  # type: ignore[no-any-return]


def own_phase(roman: str = "", barbarian: str = "", step: Step | None = None, **more: str) -> JulianState:
    """An operations phase of the Roman, who acts with the Caesar."""
    state = campaign(FIELD, hands=(roman, barbarian), acting="caesar", drawn="equitum", **more)  # type: ignore[arg-type]
    return open_at(state, step or Reinforcing(ROMAN))


# --- hands and pool ------------------------------------------------------------------------------

# where each marker is played, and how: the marker, the steps before it, the line, draws and dice
PLAYS = {
    "spying": ("agentes", Reinforcing(ROMAN), (), "spy", []),
    "drawing": ("credo", Stratagems(ROMAN), (), "play-credo", [MILITARY, MILITARY]),
    "second force": ("dux", Activation(ROMAN), (), "play-dux equitum", []),
    "instead": ("federate", Activation(ROMAN), (), "call-instead salii", []),
    "along": ("federate", Activation(ROMAN), (), "call-along salii", []),
    "forced march": ("military", Moves(ROMAN), ("march 0404",), "force-march", []),
}
IDS = list(PLAYS)


def before_play(name: str, held: str) -> JulianState:
    _, step, lines, _, _ = PLAYS[name]
    state = campaign(FIELD, hands=(held, ""), acting="caesar", drawn="equitum")
    state.operating = not isinstance(step, Stratagems)
    return run(open_at(state, step), *lines)


@rule("J0.discard", "JS.credo.1.return")
@pytest.mark.parametrize("name", IDS)
def test_a_marker_that_was_used_goes_back_into_the_pool(name: str) -> None:
    marker, _, _, line, dice = PLAYS[name]
    state = before_play(name, marker)
    full = state.roster.pool[MARKER[marker]]
    assert pool(state, marker) == full - 1
    after = run(state, line, dice=dice)
    assert marker not in hand(after, "roman")
    assert pool(after, marker) == full


@rule("JS.imperium.1", "J0.discard")
@pytest.mark.parametrize("name", IDS)
def test_an_imperium_stands_for_any_other_marker(name: str) -> None:
    """It goes back as what it is, and what it stands for stays in the hand."""
    marker, _, _, line, dice = PLAYS[name]
    state = before_play(name, f"imperium {marker}")
    play = do(state, f"{line} imperium", dice)
    assert hand(play.state, "roman").get("imperium", 0) == 0
    assert hand(play.state, "roman")[marker] == 1
    assert pool(play.state, "imperium") == 4
    assert play.state.imperium == [1, 0]
    (wild,) = [event for event in play.events if event.key == "event.wild"]
    assert (wild.clause, wild.to) == ("JS.imperium.1", None)
    assert wild.values == {"side": "roman", "marker": marker}


@rule("JS.imperium.1", "JS.imperium.choice")
@pytest.mark.parametrize("name", IDS)
def test_and_does_what_that_marker_does(name: str) -> None:
    marker, _, _, line, dice = PLAYS[name]
    real = run(before_play(name, f"imperium {marker}"), line, dice=dice)
    wild = run(before_play(name, f"imperium {marker}"), f"{line} imperium", dice=dice)
    wild.hands, wild.pool, wild.imperium = real.hands, real.pool, real.imperium
    assert wild == real


@rule("J0.title")
@pytest.mark.parametrize("name", IDS)
def test_only_markers_of_the_hand_are_played(name: str) -> None:
    marker, _, _, line, _ = PLAYS[name]
    others = " ".join(other for other in MARKERS if other not in (marker, "imperium"))
    state = before_play(name, others)
    assert clauses(state, line) == clauses(state, f"{line} imperium") == ["J0.title"]
    assert line not in legal_lines(state)


@rule("JS.imperium.limit", "JS.imperium.1")
@pytest.mark.parametrize("name", IDS)
def test_one_imperium_a_phase_whatever_it_stands_for(name: str) -> None:
    marker, _, _, line, _ = PLAYS[name]
    state = before_play(name, f"imperium {marker}")
    state.imperium[ROMAN] = 1
    assert clauses(state, f"{line} imperium") == ["JS.imperium.limit"]
    assert clauses(state, line) == []
    state.imperium = [0, 1]  # the other's does not count
    assert clauses(state, f"{line} imperium") == []


@rule("JS.imperium.1")
def test_an_imperium_is_no_way_around_the_conditions_of_a_marker() -> None:
    state = campaign(FIELD, hands=("imperium", ""), acting="caesar")
    assert clauses(open_at(state, Activation(ROMAN)), "play-dux equitum imperium") == ["JS.dux.1.eligible"]
    state.federate[ROMAN] = 1
    assert clauses(open_at(state, Activation(ROMAN)), "call-along salii imperium") == ["JS.federate.limit"]
    state.operating = False
    assert clauses(open_at(state, Stratagems(ROMAN)), "spy imperium") == ["JS.agentes.1"]


@rule("JS.imperium.1", "JS.federate.limit", "JH.7_9_3")
def test_it_counts_as_that_marker_for_the_limits() -> None:
    state = own_phase("imperium federate dux", step=Activation(ROMAN))
    after = run(state, "call-along salii imperium")
    assert clauses(after, "call-instead salii") == ["JS.federate.limit", "JH.7_9_3"]
    assert clauses(after, "play-dux equitum") == ["JH.7_9_3"]
    after = run(state, "play-dux equitum imperium")
    assert clauses(after, "call-instead salii") == ["JH.7_9_3"]


@rule("J0.title")
def test_a_marker_can_be_drawn_again_and_again() -> None:
    """The pool is one for both: what the Roman has used the barbarian may draw."""
    state = campaign(hands=("military military military military military military credo", "military"))
    state.operating = False
    state.pool = [0, 0, 0, 0, 0, 1]
    state.hands[ROMAN][MILITARY] -= 1
    after = run(open_at(state, Stratagems(ROMAN)), "play-credo", dice=[MILITARY])
    assert sum(after.pool) == pool(after, "credo") == 1
    after = run(open_at(after, Stratagems(BARBARIAN)), "roll-markers", *["pass"] * 2, dice=[6, CREDO])
    assert hand(after, "barbarian") == {"credo": 1, "military": 1}


# --- Agentes -------------------------------------------------------------------------------------


@rule("JS.agentes.1", "JS.agentes.choice")
def test_spying_shows_the_whole_hand_to_who_spies() -> None:
    play = do(own_phase("agentes", "dux dux military"), "spy")
    assert asked(play.state) == ("Counter", "barbarian")
    assert play.state.known == [[0] * 6, [0] * 6]
    play = do(play.state, "pass")
    (seen,) = play.events
    assert (seen.clause, seen.key, seen.to) == ("JS.agentes.1", "event.sees", ROMAN)
    assert seen.values == {"side": "barbarian", "markers": ("dux", "dux", "military")}
    assert play.state.known == [[0, 0, 2, 0, 0, 1], [0] * 6]
    assert hand(play.state, "barbarian") == {"dux": 2, "military": 1}
    assert asked(play.state) == ("Reinforcing", "roman")
    assert play.sealed


@rule("JS.agentes.1")
def test_an_empty_hand_is_seen_to_be_empty_at_once() -> None:
    play = do(own_phase("agentes"), "spy")
    assert told(play) == [("JS.agentes.1", "event.spies"), ("JS.agentes.1", "event.sees_nothing")]
    assert asked(play.state) == ("Reinforcing", "roman")
    assert play.sealed


# a question of the active player in each part of his phase: the position and the lines up to it
MOMENTS = {
    "activation": (Activation, ()),
    "reinforcement": (Reinforcing, ()),
    "movement": (Moves, ()),
    "a march": (Moves, ("march 0404",)),
    "a march under way": (Moves, ("march 0404", "go 0304")),
    "combat": (Combats, ()),
    "an attack": (Combats, ("attack 0504",)),
    "losses": (Combats, ("attack 0504", "fight", "pass")),
}
DICE = {"losses": [3]}


@rule("JS.agentes.1", "JH.windows")
@pytest.mark.parametrize("name", list(MOMENTS))
def test_a_player_may_spy_at_every_decision_of_his_own_phase(name: str) -> None:
    step, lines = MOMENTS[name]
    units = f"{FIELD}; alamanni-warband-2 0504; alamanni-retinue-1 0504"
    state = campaign(units, hands=("agentes imperium", "military"), acting="caesar")
    state = run(open_at(state, step(ROMAN)), *lines, dice=DICE.get(name, []))
    before = state.decision
    assert before is not None
    assert before.seat == ROMAN
    for line in ("spy", "spy imperium"):
        assert line in legal_lines(state)
        play = do(state, line)
        assert asked(play.state) == ("Counter", "barbarian")
        after = do(play.state, "pass").state
        assert after.decision == before, "the question is put again as it was"
        assert after.known[ROMAN][MILITARY] == 1


@rule("JS.agentes.1", "JH.windows")
@pytest.mark.parametrize(
    "question",
    [
        Again(BARBARIAN),
        LotChoice(BARBARIAN, 3, (("warband",), ("retinue",))),
        Levy(BARBARIAN, 3, ("warband",)),
        Return(BARBARIAN, 0),
        Displace(BARBARIAN, 0, "JH.return"),
    ],
)
def test_also_between_two_steps_of_something_else(question: Asked) -> None:
    state = campaign(
        "alamanni-warband-1 0605",
        hands=("military", "agentes dux"),
        acting="alamanni",
        active="barbarian",
    )
    index = state.roster.index
    if isinstance(question, Return):
        question = Return(BARBARIAN, index["chnodomar"])
    if isinstance(question, Displace):
        question = Displace(BARBARIAN, index["alamanni-warband-1"], "JH.return")
    state = open_at(state, question)
    assert "spy" in legal_lines(state)
    assert run(state, "spy", "pass").decision == question


@rule("JS.agentes.1", "JH.windows")
@pytest.mark.parametrize("kind", [step for step in JULIAN.steps if issubclass(step, Asked)])
def test_every_question_of_the_game_takes_an_agentes(kind: type[Asked]) -> None:
    assert Spy in kind.accepts


@rule("JS.agentes.1")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_nobody_spies_in_the_phase_of_the_other(seat: int) -> None:
    state = campaign(FIELD, hands=("agentes imperium", "agentes imperium"), active=SEATS[1 - seat])
    for question in (Again(seat), Counter(seat, "JS.agentes.2")):
        asking = open_at(state, question)
        assert clauses(asking, "spy") == clauses(asking, "spy imperium") == ["JS.agentes.1"]
        assert not {"spy", "spy imperium"} & set(legal_lines(asking))


@rule("JS.agentes.1")
@pytest.mark.parametrize("question", [Stratagems(ROMAN), Again(ROMAN)])
def test_nor_outside_operations_phases(question: Asked) -> None:
    state = open_at(campaign(FIELD, hands=("agentes", "dux"), operating=False), question)
    assert clauses(state, "spy") == ["JS.agentes.1"]
    assert "spy" not in legal_lines(state)


PICKS = {ROMAN: PickTurn(ROMAN, "JQ.II.A"), BARBARIAN: PickTurn(BARBARIAN, "JQ.II.B")}


@rule("JS.agentes.1", "JH.windows", "JQ.II.A", "JQ.II.B")
@pytest.mark.parametrize("seat", PICKS)
def test_picking_the_chit_is_part_of_the_phase_so_that_a_player_may_spy(seat: int) -> None:
    hands = ("agentes imperium", "agentes imperium")
    state = open_at(campaign(FIELD, hands=hands, operating=False), PICKS[seat])
    assert asked(state) == ("PickChit", SEATS[seat])
    for line in ("spy", "spy imperium"):
        assert line in legal_lines(state)
    after = run(state, "spy", "pass")
    assert asked(after) == ("PickChit", SEATS[seat])
    assert after.known[seat][AGENTES] == after.known[seat][IMPERIUM] == 1


@rule("JS.imperium.limit", "JS.agentes.1")
def test_an_imperium_of_that_moment_is_the_one_of_the_phase() -> None:
    state = campaign(FIELD, hands=("imperium imperium", "dux"), operating=False)
    state.imperium = [1, 1]  # of phase I
    state = run(open_at(state, PICKS[ROMAN]), "spy imperium", "pass", "pick caesar")
    assert state.imperium == [1, 0]
    assert clauses(state, "spy imperium") == ["JS.imperium.limit"]


@rule("JQ.II.A", "JS.agentes.1")
def test_without_a_chit_there_is_no_phase_to_spy_in() -> None:
    state = campaign(FIELD, hands=("agentes", ""), operating=False, drawn="caesar equitum peditum")
    state = open_at(state, PICKS[ROMAN], Stratagems(ROMAN))
    assert asked(state) == ("Stratagems", "roman")
    assert clauses(state, "spy") == ["JS.agentes.1"]


@rule("JS.agentes.1", "JH.windows", "JH.ops_phase")
@pytest.mark.parametrize("held", MARKERS)
def test_a_phase_ends_with_a_window_for_who_holds_any_marker(held: str) -> None:
    """Whatever it is, so that the asking tells nothing."""
    calm = campaign("caesar-auxilia-1 0304", hands=(held, "dux"), acting="caesar")
    state = open_at(calm, Combats(ROMAN), EndOperations())
    assert asked(state) == ("Combats", "roman")
    assert state.decision.prompt(state).key == "prompt.phase_ends"  # type: ignore[union-attr]
    assert ("spy" in legal_lines(state)) == (held == "agentes")
    assert "pass" in legal_lines(state)
    assert not run(state, "pass").todo
    calm.hands[ROMAN] = [0] * 7
    assert not open_at(calm, Combats(ROMAN), EndOperations()).todo


@rule("JS.agentes.1", "JH.windows")
def test_also_after_the_last_combat() -> None:
    units = "caesar-equites-1 0105; equitum-equites-1 0105; franks-warband-1 0205"
    state = campaign(units, hands=("agentes", ""), acting="caesar equitum")
    state = run(open_at(state, Combats(ROMAN), EndOperations()), "attack 0205", "fight", dice=[6])
    state = run(state, "pass")  # nobody pursues
    assert asked(state) == ("Combats", "roman")
    assert legal_lines(state) == ["pass", "spy"]
    assert run(state, "spy").known[ROMAN] == [0] * 6
    assert not run(state, "spy").todo  # nobody is asked who holds nothing


@rule("JS.agentes.limit")
def test_any_number_of_agentes_may_be_played_in_a_phase() -> None:
    state = own_phase("agentes agentes agentes", "military")
    for left in (2, 1, 0):
        state = run(state, "spy", "pass")
        assert hand(state, "roman").get("agentes", 0) == left
    assert clauses(state, "spy") == ["J0.title"]


@rule("JS.agentes.limit", "JS.agentes.2")
def test_and_any_number_in_that_of_the_other() -> None:
    state = own_phase("agentes agentes agentes", "agentes agentes military")
    for left in (1, 0):
        state = run(state, "spy", "annul")
        assert hand(state, "barbarian").get("agentes", 0) == left
    assert clauses(run(state, "spy"), "annul") == ["J0.title"]


@rule("JS.agentes.2", "J0.discard")
@pytest.mark.parametrize("line", ["annul", "annul imperium"])
@pytest.mark.parametrize("spy", ["spy", "spy imperium"])
def test_a_spy_can_be_annulled_before_he_sees_anything(spy: str, line: str) -> None:
    state = own_phase("agentes imperium", "agentes imperium dux")
    play = do(run(state, spy), line)
    assert ("JS.agentes.2", "event.annuls") in told(play)
    assert "event.sees" not in [event.key for event in play.events]
    assert play.state.known == [[0] * 6, [0] * 6]
    assert asked(play.state) == ("Reinforcing", "roman")
    for mine, seat in ((spy, "roman"), (line, "barbarian")):
        gone = "imperium" if "imperium" in mine else "agentes"
        assert gone not in hand(play.state, seat)
    total = pool(play.state, "agentes") + pool(play.state, "imperium")
    assert total == 10 - 2
    assert play.state.imperium == [int("imperium" in spy), int("imperium" in line)]


@rule("JS.agentes.2", "JH.windows")
def test_only_the_opponent_is_asked_and_an_annulment_is_not_annulled() -> None:
    state = run(own_phase("agentes agentes imperium", "agentes agentes"), "spy")
    assert asked(state) == ("Counter", "barbarian")
    assert legal_lines(state) == ["annul", "pass"]
    assert asked(run(state, "annul")) == asked(run(state, "pass")) == ("Reinforcing", "roman")


@rule("JS.agentes.2", "JS.agentes.3")
@pytest.mark.parametrize(
    "use",
    [("JS.agentes.2", "spy"), ("JS.agentes.3", "call-along salii"), ("JS.agentes.3", "call-instead salii")],
)
def test_an_agentes_annuls_what_was_played_just_now(use: tuple[str, str]) -> None:
    clause, line = use
    state = run(own_phase("agentes federate", "agentes", step=Activation(ROMAN)), line)
    assert asked(state) == ("Counter", "barbarian")
    assert (clause, "event.annuls") in told(do(state, "annul"))


@rule("JS.agentes.2", "JH.windows")
def test_no_other_marker_can_be_annulled() -> None:
    for name in ("second force", "forced march", "drawing"):
        marker, _, _, line, dice = PLAYS[name]
        state = before_play(name, marker)
        state.hands[BARBARIAN][AGENTES] += 1
        state.pool[AGENTES] -= 1
        assert asked(run(state, line, dice=dice))[1] == "roman", name
    state = own_phase("credo", "agentes agentes agentes")
    assert asked(run(state, "steal", dice=[AGENTES, AGENTES])) == ("Reinforcing", "roman")


@rule("JS.agentes.2")
def test_what_cannot_be_annulled_is_refused() -> None:
    state = run(own_phase("agentes", "dux"), "spy")
    assert clauses(state, "annul") == clauses(state, "annul imperium") == ["J0.title"]
    state = run(own_phase("agentes", "imperium"), "spy")
    state.imperium = [1, 0]
    assert clauses(state, "annul imperium") == []
    state.imperium = [0, 1]
    assert clauses(state, "annul imperium") == ["JS.imperium.limit"]
    assert legal_lines(state) == ["pass"]


# --- Imperium: the limit -------------------------------------------------------------------------


@rule("JS.imperium.limit")
def test_a_second_imperium_waits_for_the_next_phase() -> None:
    state = run(own_phase("imperium imperium imperium"), "spy imperium")
    assert clauses(state, "spy imperium") == clauses(state, "steal imperium") == ["JS.imperium.limit"]
    state.operating = False
    state.drawn[state.roster.command_index["caesar"]] = 0
    state = run(open_at(state, PickChit(ROMAN)), "pick caesar")
    assert clauses(state, "spy imperium") == []


@rule("JS.imperium.limit")
def test_it_counts_in_the_phase_of_the_other_as_well() -> None:
    state = own_phase("agentes agentes", "imperium imperium")
    state = run(state, "spy", "annul imperium", "spy")
    assert clauses(state, "annul imperium") == ["JS.imperium.limit"]


@rule("JS.imperium.limit")
@pytest.mark.parametrize(("first", "left"), [(BeginPhaseOne(), [0, 0]), (Interphase(), [0, 0])])
def test_phase_one_and_the_interphase_begin_with_an_imperium_for_each(first: Step, left: list[int]) -> None:
    state = campaign(hands=("imperium", "imperium"), operating=False)
    state.imperium = [1, 1]
    assert go_on(at(state, first, Stratagems(ROMAN))).state.imperium == left


@rule("JS.imperium.limit")
def test_one_in_the_whole_of_phase_one() -> None:
    state = campaign(hands=("imperium imperium", "imperium imperium"), operating=False)
    state = open_at(state, BeginPhaseOne())
    state = run(state, "play-credo imperium", dice=[MILITARY, MILITARY])
    assert clauses(state, "play-credo imperium") == ["JS.imperium.limit"]
    state = run(state, "pass", "roll-markers", dice=[1])
    assert asked(state) == ("Again", "barbarian")  # not the Roman, who has had his
    state = run(state, "reroll", dice=[1, MILITARY])
    assert clauses(state, "play-credo imperium") == ["JS.imperium.limit"]


@rule("JS.imperium.limit")
def test_one_in_the_whole_interphase() -> None:
    state = campaign("julian 0404", hands=("imperium imperium", ""), operating=False, turn=2)
    state = open_with(state, [4], Crisis(), Crisis())
    assert asked(state) == ("Again", "roman")
    after = do(state, "reroll", [4, 4])
    assert not after.state.todo


# --- Imperium: re-rolls --------------------------------------------------------------------------


def open_with(state: JulianState, dice: list[int], *steps: Step) -> JulianState:
    return go_on(at(state, *steps), dice).state  # type: ignore[no-any-return]


def scene(active: str, **more: bool | int) -> JulianState:
    """Somebody to throw for in each place; both hold a marker that is of no use here."""
    units = "julian 0404; caesar-comitatenses-1 0404; alamanni-warband-1 0605; salii-band-1 0201"
    state = campaign(
        units,
        hands=("dux", "dux federate"),
        acting="caesar" if active == "roman" else "alamanni",
        allies="salii=roman" if active == "barbarian" else "salii=barbarian",
        active=active,
        **more,  # type: ignore[arg-type]
    )
    state.hands[ROMAN][FEDERATE] += 1
    state.pool[FEDERATE] -= 1
    return state


# every die outside combat: in whose phase ("" in none), the steps, the lines before it
THROWS = {
    "free markers": ("", Stratagems(BARBARIAN), ("roll-markers",)),
    "reinforcement": ("barbarian", Reinforcing(BARBARIAN), ("raise-units alamanni",)),
    "leader": ("barbarian", Reinforcing(BARBARIAN), ("seek-leader alamanni",)),
    "federate of the barbarian": ("barbarian", Activation(BARBARIAN), ("sway salii", "pass")),
    "federate of the Roman": ("roman", Activation(ROMAN), ("sway salii", "pass")),
    "delay": ("roman", Delay(0, ROMAN), ()),
    "delay in the other's phase": ("barbarian", Delay(0, ROMAN), ()),
    "attrition": ("", Hunger(0), ()),
    "crisis": ("", Crisis(), ()),
    "a leader caught on a march": ("barbarian", Escape(0, False), ()),
}


def thrown(name: str, face: int = 4) -> JulianState:
    phase, step, lines = THROWS[name]
    state = scene(phase or "roman", operating=bool(phase), turn=2)
    if isinstance(step, Escape):
        step = Escape(state.roster.index["julian"], False)
        put(state, 0, POOL)
    state = open_with(state, [] if lines else [face], step)
    for n, line in enumerate(lines, 1):
        state = run(state, line, dice=[face] if n == len(lines) else [])
    return state


@rule("JS.imperium.2", "JH.windows")
@pytest.mark.parametrize("name", list(THROWS))
def test_after_every_such_roll_both_are_asked_first_who_conducts_the_phase(name: str) -> None:
    phase = THROWS[name][0]
    first = phase or "roman"
    second = SEATS[1 - SEATS.index(first)]
    state = thrown(name)
    assert (asked(state), state.face) == (("Again", first), 4)
    state = run(state, "pass")
    assert (asked(state), state.face) == (("Again", second), 4)
    assert legal_lines(state) == ["pass"]


@rule("JS.imperium.2", "JH.windows")
@pytest.mark.parametrize("name", list(THROWS))
@pytest.mark.parametrize("who", [0, 1])
def test_after_a_re_roll_the_other_may_have_one_too(name: str, who: int) -> None:
    """Also one who had passed on the first throw; then nobody has an Imperium left to play."""
    state = thrown(name)
    for seat in (ROMAN, BARBARIAN):
        state.hands[seat][IMPERIUM] = 2
    state.pool[IMPERIUM] = 0
    state = run(state, *["pass"] * who)
    decision = state.decision
    assert decision is not None
    drawn = [MILITARY] if name == "free markers" else []
    after = run(state, "reroll", dice=[3])
    assert (after.face, asked(after)) == (3, ("Again", SEATS[1 - decision.seat]))
    assert after.imperium == [int(decision.seat == ROMAN), int(decision.seat == BARBARIAN)]
    assert after.pool[IMPERIUM] == 1
    assert after.hands[decision.seat][IMPERIUM] == 1
    settled = run(after, "pass", dice=drawn)
    assert settled.face == 3
    assert not isinstance(settled.decision, Again)
    again = run(after, "reroll", dice=[2, *drawn])
    assert again.face == 2
    assert not isinstance(again.decision, Again)
    assert (again.imperium, again.pool[IMPERIUM]) == ([1, 1], 2)


@rule("JS.imperium.2", "JH.windows", "JS.imperium.limit")
@pytest.mark.parametrize("who", [0, 1])
def test_who_has_played_his_imperium_or_holds_nothing_is_not_asked_again(who: int) -> None:
    for hands, played in ((("imperium", "imperium"), 1), (("imperium", ""), 0), (("", "imperium"), 0)):
        if hands[who] != "imperium":
            continue
        state = campaign(hands=hands, operating=False, turn=2)
        state.imperium[1 - who] = played
        state = open_with(state, [6], Crisis())
        assert asked(state) == ("Again", SEATS[who])
        assert not run(state, "reroll", dice=[4]).todo


@rule("JS.imperium.2")
def test_the_roll_of_either_player_may_be_repeated_before_it_takes_effect() -> None:
    state = campaign("julian 0404", hands=("imperium", "imperium"), operating=False, tp=9, turn=2)
    state = open_with(state, [6], Crisis())
    assert state.frozen == 0
    after = run(state, "pass", "reroll", dice=[4])
    assert (after.frozen, after.tp, after.face) == (0, 9, 4)
    after = run(state, "pass", "pass")
    assert after.frozen == 3


@rule("JS.imperium.2", "JS.imperium.choice")
def test_a_re_roll_is_told_to_all_and_costs_the_imperium() -> None:
    state = open_with(campaign(hands=("imperium", ""), operating=False, turn=2), [6], Crisis())
    play = do(state, "reroll", [4])
    event = play.events[0]
    assert (event.clause, event.key, event.to) == ("JS.imperium.2", "event.rerolls", None)
    assert (event.values, event.dice) == ({"side": "roman", "face": 4}, (4,))
    assert hand(play.state, "roman") == {}
    assert pool(play.state, "imperium") == 4


@rule("JS.imperium.2", "J0.title")
def test_without_an_imperium_there_is_no_re_roll() -> None:
    state = open_with(campaign(hands=("agentes military", ""), operating=False, turn=2), [6], Crisis())
    assert clauses(state, "reroll") == ["J0.title"]
    assert legal_lines(state) == ["pass"]


@rule("JH.windows", "JS.imperium.limit")
@pytest.mark.parametrize(
    ("hands", "played", "expected"),
    [
        (("", ""), [0, 0], []),
        (("dux", ""), [0, 0], ["roman"]),
        (("", "dux"), [0, 0], ["barbarian"]),
        (("imperium", "imperium"), [1, 0], ["barbarian"]),
        (("imperium", "imperium"), [0, 1], ["roman"]),
        (("imperium", "imperium"), [1, 1], []),
    ],
)
def test_who_has_no_marker_or_has_played_his_imperium_is_not_asked(
    hands: tuple[str, str], played: list[int], expected: list[str]
) -> None:
    state = campaign(hands=hands, operating=False, turn=2)
    state.imperium = played
    state = open_with(state, [4], Crisis())
    found = []
    while state.todo:
        found.append(asked(state)[1])
        state = run(state, "pass")
    assert found == expected


# --- Imperium: dice of a combat ------------------------------------------------------------------

ROMANS = "caesar-auxilia-1 0304; caesar-auxilia-2 0304"


def fought(foes: str, lines: tuple[str, ...], dice: list[int]) -> JulianState:
    """An attack on 0305 out of 0304; both sides hold an Imperium."""
    state = campaign(f"{ROMANS}; {foes}", hands=("imperium", "imperium"), acting="caesar")
    return run(open_at(state, Combats(ROMAN)), "attack 0305", "fight", "pass", *lines, dice=dice)


@rule("JS.imperium.2.exception")
def test_the_die_of_a_combat_is_not_thrown_again() -> None:
    state = fought("alamanni-warband-1 0305; alamanni-warband-2 0305", (), [5])
    assert asked(state) == ("Losses", "barbarian")
    assert clauses(state, "reroll") == ["JC.losses"]


@rule("JS.imperium.2.exception")
def test_nor_are_the_distances_of_a_rout() -> None:
    state = fought("alamanni-warband-1 0305; alamanni-warband-2 0305", ("lose caesar-auxilia-1",), [1, 2])
    assert asked(state) == ("Retreating", "barbarian")


@rule("JS.imperium.2.exception")
def test_nor_is_the_die_of_a_leader_who_is_left_alone_by_it() -> None:
    state = fought("alamanni-raiders-1 0305; chnodomar 0305", (), [5, 2])
    assert where(state, "chnodomar") == "pool"
    assert asked(state) == ("Pursuit", "roman")


# --- Military ------------------------------------------------------------------------------------


@rule("JS.military.1")
def test_a_military_doubles_the_movement_of_a_stack_on_the_march() -> None:
    state = run(own_phase("military", step=Moves(ROMAN)), "march 0404")
    march = state.decision
    assert isinstance(march, Marching)
    assert march.left == 6  # half points: auxilia and comitatenses move 3
    after = run(state, "force-march").decision
    assert isinstance(after, Marching)
    assert (after.left, after.group) == (12, march.group)
    assert set(march.ends) < set(after.ends)


@rule("JS.military.1", "JS.military.1.together")
def test_the_whole_stack_goes_at_twice_the_pace_of_its_slowest() -> None:
    state = campaign("caesar-equites-1 0404; caesar-auxilia-1 0404; julian 0404", acting="caesar")
    state.hands[ROMAN][MILITARY] = 1
    state = run(open_at(state, Moves(ROMAN)), "march 0404", "force-march")
    march = state.decision
    assert isinstance(march, Marching)
    assert (march.left, len(march.group)) == (12, 3)
    after = run(state, "go 0304")
    assert {where(after, name) for name in ("caesar-equites-1", "caesar-auxilia-1", "julian")} == {"0304"}


@rule("JS.military.1.together")
def test_nobody_leaves_a_stack_on_a_forced_march() -> None:
    state = run(own_phase("military", step=Moves(ROMAN)), "march 0404")
    assert clauses(state, "leave caesar-auxilia-1") == []
    state = run(state, "force-march")
    assert clauses(state, "leave caesar-auxilia-1") == ["JS.military.1.together"]
    assert "leave caesar-auxilia-1" not in legal_lines(state)


@rule("JS.military.limit")
def test_a_march_has_one_military_and_no_second() -> None:
    state = run(own_phase("military military imperium", step=Moves(ROMAN)), "march 0404", "force-march")
    assert clauses(state, "force-march") == clauses(state, "force-march imperium") == ["JS.military.limit"]


@rule("JS.military.limit")
def test_another_march_of_the_phase_may_have_another() -> None:
    units = "caesar-auxilia-1 0404; caesar-auxilia-2 0204"
    state = campaign(units, hands=("military military", ""), acting="caesar")
    state = run(open_at(state, Moves(ROMAN)), "march 0404", "force-march", "pass", "march 0204")
    assert clauses(state, "force-march") == []


@rule("JS.military.1")
def test_it_is_declared_before_the_stack_moves() -> None:
    state = run(own_phase("military", step=Moves(ROMAN)), "march 0404", "go 0304")
    assert asked(state) == ("Marching", "roman")
    assert clauses(state, "force-march") == ["JS.military.1"]


@rule("JS.military.1")
@pytest.mark.parametrize(
    ("step", "clause"),
    [(Activation, "JH.ops_phase"), (Reinforcing, "JH.reinforce"), (Moves, "JH.move"), (Combats, "JH.combat")],
)
def test_and_only_for_a_stack_in_the_movement_sub_phase(step: type[Asked], clause: str) -> None:
    assert clauses(own_phase("military", step=step(ROMAN)), "force-march") == [clause]


def clash(roman: str, barbarian: str, *answers: str, foe: str = "0305") -> dict[str, object]:
    """What was told of a combat: 6 Roman factors against 4."""
    units = f"{ROMANS}; alamanni-warband-1 {foe}; alamanni-warband-2 {foe}"
    state = campaign(units, hands=(roman, barbarian), acting="caesar")
    state = run(open_at(state, Combats(ROMAN)), f"attack {foe}")
    for line in answers[:-1]:
        state = run(state, line)
    play = do(state, answers[-1], [5])
    (event,) = [event for event in play.events if event.key == "event.clash"]
    return {key: event.values[key] for key in ("attack", "defence")}


@rule("JS.military.2", "JH.windows")
@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (("fight", "pass"), (6, 4)),
        (("fight military", "pass"), (12, 4)),
        (("fight imperium", "pass"), (12, 4)),
        (("fight", "double military"), (6, 8)),
        (("fight", "double imperium"), (6, 8)),
        (("fight military", "double military"), (12, 8)),
        (("fight imperium", "double imperium"), (12, 8)),
    ],
)
def test_a_military_doubles_all_units_of_its_player_in_a_combat(
    answers: tuple[str, ...], expected: tuple[int, int]
) -> None:
    found = clash("military imperium", "military imperium", *answers)
    assert (found["attack"], found["defence"]) == expected


@rule("JS.military.2.triple")
@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (("fight", "pass"), (6, 8)),
        (("fight", "double military"), (6, 12)),
        (("fight military", "pass"), (12, 8)),
    ],
)
def test_what_terrain_has_doubled_is_tripled(answers: tuple[str, ...], expected: tuple[int, int]) -> None:
    """0405 is Tres Tabernae, a city of the barbarians."""
    units = "caesar-auxilia-1 0404; caesar-auxilia-2 0404; alamanni-warband-1 0405; alamanni-warband-2 0405"
    state = campaign(units, hands=("military", "military"), acting="caesar")
    state = run(open_at(state, Combats(ROMAN)), "attack 0405", answers[0])
    play = do(state, answers[1], [5])
    (event,) = [event for event in play.events if event.key == "event.clash"]
    assert (event.values["attack"], event.values["defence"]) == expected


@rule("JS.military.limit")
def test_a_combat_has_one_military_of_each_player() -> None:
    units = f"{ROMANS}; alamanni-warband-1 0305; alamanni-warband-2 0305"
    state = campaign(
        units, hands=("military military imperium", "military military imperium"), acting="caesar"
    )
    state = run(open_at(state, Combats(ROMAN)), "attack 0305", "fight military")
    assert asked(state) == ("Defence", "barbarian")
    play = do(state, "double military", [5])
    assert asked(play.state) == ("Losses", "barbarian")
    assert hand(play.state, "roman") == hand(play.state, "barbarian") == {"military": 1, "imperium": 1}


@rule("JS.military.2", "J0.title", "JS.imperium.limit")
def test_who_has_none_cannot_double() -> None:
    units = f"{ROMANS}; alamanni-warband-1 0305; alamanni-warband-2 0305"
    state = campaign(units, hands=("dux", "dux"), acting="caesar")
    state = run(open_at(state, Combats(ROMAN)), "attack 0305")
    assert clauses(state, "fight military") == clauses(state, "fight imperium") == ["J0.title"]
    assert clauses(state, "fight dux") == ["JS.military.2"]
    state = run(state, "fight")
    assert clauses(state, "double military") == clauses(state, "double imperium") == ["J0.title"]
    assert clauses(state, "double dux") == ["JS.military.2"]
    state.hands[BARBARIAN][IMPERIUM] = 1
    state.imperium = [0, 1]
    assert clauses(state, "double imperium") == ["JS.imperium.limit"]


@rule("JS.military.2")
def test_it_helps_the_combat_for_which_it_was_played_and_no_other() -> None:
    units = "caesar-equites-1 0304; equitum-equites-1 0106; alamanni-warband-1 0305; alamanni-raiders-1 0105"
    state = campaign(units, hands=("military", ""), acting="caesar equitum")
    state = run(open_at(state, Combats(ROMAN)), "attack 0305", "fight military", "pass", dice=[6])
    play = do(run(state, "attack 0105"), "fight", [6])
    (event,) = [event for event in play.events if event.key == "event.clash"]
    assert (event.values["attack"], event.values["defence"]) == (2, 1)
