"""Phase I (JQ.I, JH.stratagem_phase): Credos, markers bought and rolled for, the limit of a hand."""

from __future__ import annotations

import pytest

from legatus.games.julian.markers import Asked
from legatus.games.julian.setup import Opening
from legatus.games.julian.state import BARBARIAN, MARKER, ROMAN, SEATS, JulianState
from legatus.games.julian.stratagems import BeginPhaseOne, HandLimit, Stratagems
from tests.rules import rule

from .stage import JULIAN, at, campaign, clauses, do, go_on, hand, legal_lines, run, told

AGENTES, CREDO, DUX, FEDERATE, IMPERIUM, MILITARY = range(6)
POOL = {"agentes": 6, "credo": 4, "dux": 5, "federate": 6, "imperium": 4, "military": 7}


def phase(roman: str = "", barbarian: str = "", tp: int = 20, pool: list[int] | None = None) -> JulianState:
    """Phase I has just begun; the Roman is asked."""
    state = campaign(hands=(roman, barbarian), tp=tp, operating=False)
    if pool is not None:
        state.pool = list(pool)
    return go_on(at(state, BeginPhaseOne())).state  # type: ignore[no-any-return]


def second(barbarian: str = "", roman: str = "", pool: list[int] | None = None) -> JulianState:
    """The Roman has passed."""
    return run(phase(roman, barbarian, pool=pool), "pass")


def asked(state: JulianState) -> tuple[str, str]:
    assert isinstance(state.decision, Asked)
    return type(state.decision).__name__, SEATS[state.decision.seat]


# --- the phase -----------------------------------------------------------------------------------


@rule("JQ.I", "JH.stratagem_phase")
def test_first_the_roman_then_the_barbarian() -> None:
    play = go_on(at(campaign(operating=False), BeginPhaseOne()))
    assert told(play) == [("JQ.I", "event.phase_one")]
    assert asked(play.state) == ("Stratagems", "roman")
    state = run(play.state, "pass")
    assert asked(state) == ("Stratagems", "barbarian")
    state = run(state, "roll-markers", dice=[1, MILITARY])
    assert not run(state, "pass").todo


@rule("JQ.I", "JH.stratagem_phase")
def test_what_was_bought_and_rolled_last_turn_is_forgotten() -> None:
    state = campaign(operating=False)
    state.bought, state.active = [2, 1], BARBARIAN
    state = go_on(at(state, BeginPhaseOne())).state
    assert (state.bought, state.active) == ([0, 0], ROMAN)
    assert clauses(state, "buy-marker") == []
    assert clauses(run(state, "pass"), "roll-markers") == []


@rule("JH.stratagem_phase")
def test_the_roman_may_do_without_and_the_barbarian_rolls() -> None:
    state = phase()
    assert clauses(state, "pass") == []
    state = run(state, "pass")
    assert clauses(state, "pass") == ["JH.stratagem_phase"]
    assert legal_lines(state) == ["roll-markers"]
    assert clauses(run(state, "roll-markers", dice=[1, MILITARY]), "pass") == []


# --- the Roman buys ------------------------------------------------------------------------------


@rule("JH.stratagem_phase", "JH.treasury")
def test_the_roman_buys_up_to_two_markers_for_three_points_each() -> None:
    state = run(phase(tp=9), "buy-marker", dice=[DUX])
    assert (state.tp, hand(state, "roman")) == (6, {"dux": 1})
    assert state.pool[DUX] == POOL["dux"] - 1
    state = run(state, "buy-marker", dice=[FEDERATE])
    assert (state.tp, hand(state, "roman")) == (3, {"dux": 1, "federate": 1})
    assert clauses(state, "buy-marker") == ["JH.stratagem_phase"]
    assert legal_lines(state) == ["pass"]


@rule("JH.treasury", "JH.stratagem_phase")
@pytest.mark.parametrize(("tp", "expected"), [(0, ["JH.treasury"]), (2, ["JH.treasury"]), (3, [])])
def test_only_with_points_enough(tp: int, expected: list[str]) -> None:
    assert clauses(phase(tp=tp), "buy-marker") == expected


@rule("JH.stratagem_phase")
def test_an_empty_pool_sells_nothing() -> None:
    state = phase(pool=[0] * 6)
    assert clauses(state, "buy-marker") == ["JH.stratagem_phase"]
    state.pool[DUX] = 1
    state = run(state, "buy-marker", dice=[DUX])
    assert clauses(state, "buy-marker") == ["JH.stratagem_phase"]


@rule("JH.stratagem_phase")
def test_that_the_pool_is_empty_is_known_though_nobody_knows_who_holds_what() -> None:
    state = phase(barbarian="dux dux", pool=[0] * 6)
    view = JULIAN.view(state, ROMAN)
    assert any(view.pool)
    assert clauses(view, "buy-marker") == ["JH.stratagem_phase"]
    assert legal_lines(view) == legal_lines(state) == ["pass"]


@rule("JS.credo.1.cost", "JH.treasury")
def test_the_barbarian_has_no_treasury() -> None:
    state = second()
    assert clauses(state, "buy-marker") == ["JS.credo.1.cost"]
    assert "buy-marker" not in legal_lines(state)


# --- the barbarian rolls -------------------------------------------------------------------------


@rule("JH.stratagem_phase")
@pytest.mark.parametrize(("face", "number"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
def test_the_barbarian_rolls_for_free_markers(face: int, number: int) -> None:
    play = do(second(), "roll-markers", [face, *[MILITARY] * number])
    assert hand(play.state, "barbarian") == {"military": number}
    assert play.state.pool[MILITARY] == POOL["military"] - number
    assert play.state.tp == 20
    assert ("JH.stratagem_phase", "event.throws.markers") in told(play)


@rule("JH.stratagem_phase")
def test_once() -> None:
    state = run(second(), "roll-markers", dice=[1, DUX])
    assert clauses(state, "roll-markers") == ["JH.stratagem_phase"]
    assert legal_lines(state) == ["pass"]


@rule("JH.stratagem_phase")
def test_the_roman_does_not_roll() -> None:
    assert clauses(phase(), "roll-markers") == ["JH.stratagem_phase"]
    assert "roll-markers" not in legal_lines(phase())


@rule("JH.stratagem_phase")
@pytest.mark.parametrize(("left", "drawn"), [(0, []), (2, [DUX, DUX])])
def test_what_the_pool_does_not_hold_is_not_drawn(left: int, drawn: list[int]) -> None:
    pool = [0, 0, left, 0, 0, 0]
    play = do(second(pool=pool), "roll-markers", [6, *drawn])
    assert sum(play.state.hands[BARBARIAN]) == left
    (event,) = [event for event in play.events if event.key == "event.draws"]
    assert event.values["number"] == left


@rule("JS.imperium.2", "JH.windows")
def test_his_roll_may_be_repeated_by_the_roman_first() -> None:
    state = run(second("imperium", "imperium"), "roll-markers", dice=[6])
    assert asked(state) == ("Again", "roman")
    state = run(state, "reroll", dice=[2])
    assert asked(state) == ("Again", "barbarian")
    after = run(state, "pass", dice=[DUX])
    assert hand(after, "barbarian") == {"dux": 1, "imperium": 1}


# --- Credo ---------------------------------------------------------------------------------------


@rule("JS.credo.1", "JS.credo.1.return")
@pytest.mark.parametrize("seat", ["roman", "barbarian"])
def test_a_credo_fetches_two_markers_of_the_pool_and_goes_back(seat: str) -> None:
    state = phase("credo") if seat == "roman" else second("credo")
    play = do(state, "play-credo", [DUX, MILITARY])
    assert hand(play.state, seat) == {"dux": 1, "military": 1}
    counts = dict(zip(POOL, play.state.pool, strict=True))
    assert counts == {**POOL, "dux": 4, "military": 6}
    assert asked(play.state) == ("Stratagems", seat)


@rule("JS.credo.1.cost")
def test_it_costs_the_roman_nothing() -> None:
    state = run(phase("credo", tp=0), "play-credo", dice=[DUX, MILITARY])
    assert state.tp == 0
    state = run(phase("credo"), "play-credo", dice=[DUX, MILITARY])
    assert (state.tp, state.bought) == (20, [0, 0])


@rule("JS.credo.1")
@pytest.mark.parametrize(("left", "drawn"), [(0, []), (1, [CREDO]), (2, [CREDO, CREDO]), (3, [CREDO, CREDO])])
def test_it_is_drawn_before_the_credo_goes_back(left: int, drawn: list[int]) -> None:
    """So that it is not drawn by itself; if the pool has fewer, what there is."""
    state = phase("credo", pool=[0, left, 0, 0, 0, 0])
    state = run(state, "play-credo", dice=drawn)
    assert hand(state, "roman").get("credo", 0) == len(drawn)
    assert state.pool[CREDO] == left - len(drawn) + 1


@rule("JS.credo.1", "JH.windows")
def test_several_one_after_the_other_even_one_just_drawn() -> None:
    state = run(phase("credo credo"), "play-credo", dice=[CREDO, DUX])
    state = run(state, "play-credo", dice=[DUX, DUX])
    state = run(state, "play-credo", dice=[MILITARY, MILITARY])
    assert hand(state, "roman") == {"dux": 3, "military": 2}


@rule("JH.stratagem_phase", "JS.credo.1")
def test_before_or_after_the_other_draws() -> None:
    state = run(phase("credo credo"), "play-credo", "buy-marker", "play-credo", "buy-marker", dice=[5] * 6)
    assert hand(state, "roman") == {"military": 6}
    state = second("credo credo")
    state = run(state, "play-credo", "roll-markers", "pass", "play-credo", dice=[5, 5, 1, 5, 5, 5])
    assert hand(state, "barbarian") == {"military": 5}


@rule("JS.credo.1", "JS.imperium.1")
@pytest.mark.parametrize("line", ["play-credo", "play-credo imperium"])
def test_who_has_none_draws_nothing(line: str) -> None:
    assert clauses(phase("dux"), line) == ["J0.title"]
    assert clauses(second("dux"), line) == ["J0.title"]


@rule("JS.credo.2", "JH.stratagem_phase")
def test_the_other_use_is_not_for_this_phase() -> None:
    assert clauses(phase("credo", "dux dux"), "steal") == ["JH.stratagem_phase"]


# --- the limit of a hand -------------------------------------------------------------------------


@rule("JH.pool")
def test_both_give_back_what_is_over_eight_at_the_end_the_roman_first() -> None:
    state = phase("agentes agentes dux dux dux military military military military", "military")
    state = run(state, "buy-marker", "pass", "roll-markers", "pass", "pass", "pass", dice=[CREDO, 1, CREDO])
    assert asked(state) == ("HandLimit", "roman")
    assert sum(state.hands[ROMAN]) == 10
    before = state.pool[DUX]
    play = do(state, "discard dux")
    assert told(play) == [("JH.pool", "event.discards")]
    state = play.state
    assert state.pool[DUX] == before + 1
    assert asked(state) == ("HandLimit", "roman")
    state = run(state, "discard agentes")
    assert not state.todo
    assert hand(state, "roman") == {"agentes": 1, "credo": 1, "dux": 2, "military": 4}


@rule("JH.pool")
@pytest.mark.parametrize(("number", "over"), [(7, False), (8, False), (9, True)])
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_eight_may_be_kept(seat: int, number: int, over: bool) -> None:
    state = campaign(operating=False)
    state.hands[seat] = [0, 0, 0, 0, 0, 0, 0]
    state.hands[seat][MILITARY], state.hands[seat][DUX] = 5, number - 5
    assert bool(go_on(at(state, HandLimit(seat))).state.todo) == over


@rule("JH.pool", "JH.stratagem_phase")
def test_more_than_eight_may_be_held_during_the_phase() -> None:
    state = phase("military military military military military military dux credo")
    state = run(state, "play-credo", dice=[DUX, DUX])
    state = run(state, "buy-marker", dice=[DUX])
    assert sum(state.hands[ROMAN]) == 10
    assert asked(state) == ("Stratagems", "roman")


@rule("JH.pool", "J0.title")
def test_only_what_is_held_is_given_back_and_it_must_be() -> None:
    state = go_on(at(campaign(hands=("military " * 7 + "dux dux", ""), operating=False), HandLimit(ROMAN)))
    lines = legal_lines(state.state)
    assert lines == ["discard dux", "discard military"]
    for line in ("discard agentes", "discard credo", "discard nonsense"):
        assert clauses(state.state, line) == ["J0.title"]
    assert clauses(state.state, "pass") == ["JH.pool"]
    state.state.hands[ROMAN][CREDO] = 1
    assert clauses(state.state, "discard nonsense") == ["J0.title"]


@rule("JH.pool")
def test_it_is_each_player_who_chooses() -> None:
    state = campaign(hands=("", "military " * 7 + "dux dux"), operating=False)
    state = go_on(at(state, HandLimit(ROMAN), HandLimit(BARBARIAN))).state
    assert asked(state) == ("HandLimit", "barbarian")
    assert hand(run(state, "discard military"), "barbarian") == {"dux": 2, "military": 6}


# --- the pool and opening hands ------------------------------------------------------------------


@rule("JH.pool")
@pytest.mark.parametrize("scenario", ["gaul", "argentoratum"])
def test_the_pool_has_thirty_two_markers(scenario: str) -> None:
    state = campaign(scenario=scenario)
    assert {name: state.pool[n] for name, n in MARKER.items()} == POOL
    assert sum(state.pool) == 32


@rule("JH.pool", "JH.setup")
@pytest.mark.parametrize(("face", "number"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
@pytest.mark.parametrize("seat", ["roman", "barbarian"])
def test_opening_hands_are_rolled_for(seat: str, face: int, number: int) -> None:
    drawn = [DUX] * number
    dice = [1, face, *drawn, 1, MILITARY] if seat == "roman" else [1, 1, MILITARY, face, *drawn]
    state = go_on(at(campaign(operating=False), Opening()), dice).state
    assert hand(state, seat) == {"dux": number}
    assert not state.todo  # nobody is asked whether it is thrown again


@rule("JH.treasury", "JH.setup")
@pytest.mark.parametrize("face", range(1, 7))
def test_the_treasury_opens_with_eight_and_twice_a_die(face: int) -> None:
    state = go_on(at(campaign(tp=0, operating=False), Opening()), [face, 1, DUX, 1, DUX]).state
    assert state.tp == 8 + 2 * face


@rule("JH.stratagem_phase")
def test_no_other_marker_is_for_phase_one() -> None:
    state = phase("agentes dux federate imperium military")
    for line in ("play-dux caesar", "call-along salii", "annul", "reroll", "force-march"):
        assert clauses(state, line) == ["JH.stratagem_phase"], line
    assert clauses(state, "spy") == ["JS.agentes.1"]
    assert isinstance(state.decision, Stratagems)
