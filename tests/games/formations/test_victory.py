"""24 Victory: points, when the game ends and who has won; devices."""

from __future__ import annotations

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.endphase import EndPhase, Judgement
from legatus.games.formations.rout import lose
from legatus.games.formations.state import HORDE, LEAGUE, NOBODY, SEATS, FormationsState, Prize
from legatus.games.formations.victory import score
from legatus.kernel import Outcome, Play, Scripted, legal, start, why_not
from tests.rules import rule

from .phases import phase
from .stage import acting, at, battle, do, index, refusals, run, terms, told

V = "AH27.victory"
CELLS = battle().roster.grid.cells
BOTH = ("A spear 0510", "X orc 0501")


def prize(**values: int | str) -> Prize:
    """Hexes by name."""
    return Prize(**{key: CELLS[v] if isinstance(v, str) else v for key, v in values.items()})


def judged(state: FormationsState) -> Play:
    return phase(state, Judgement())


def outcome(state: FormationsState) -> Outcome | None:
    return judged(state).state.outcome  # type: ignore[no-any-return]


# --- points --------------------------------------------------------------------------------------


@rule("AH27.victory")
@pytest.mark.parametrize(
    ("league", "horde", "wanted"),
    [
        ("A spear 0510", "X orc 0501", [0, 0]),
        ("A spear 0510", "X orc 0501; Y orc 0601 gone", [2, 0]),
        ("A spear 0510; B spear 0610 steps=1 gone", "X orc 0501", [0, 1]),
        ("A spear 0510", "X orc 0501 rout; Y orc 0601", [2, 0]),
        ("A spear 0510+0610 steps=6 rout; B spear 0110", "X orc 0501; Y orc 0601 rout gone", [2, 2]),
        ("A spear 0510 shaken", "X orc 0501 shaken exhausted", [0, 0]),
        ("A spear 0510; L leader 0510 gone; M chief 0510 gone", "X orc 0501", [0, 0]),  # no steps
    ],
)
def test_missing_steps_and_units_in_rout(league: str, horde: str, wanted: list[int]) -> None:
    assert score(battle(league, horde)) == wanted


@rule("AH27.victory")
def test_steps_that_were_lost_count() -> None:
    state = battle("A archer 0508; B spear 0101", "X orc 0506; Y orc 1101")
    after = run(acting(state), "shoot A X", dice=[1, 2, 1, 1])
    assert score(after) == [1, 0]


@rule("AH27.victory")
def test_making_and_breaking_units_changes_nothing() -> None:
    state = battle("A spear 0505 ordered; B spear 0605 ordered; C spear 0505 steps=1 ordered", "X orc 0001")
    formed = run(acting(state), "constitute A B")
    assert score(formed) == [0, 0]
    name = formed.ids[-1]
    formed.flags = [32 >> 1 if n == len(formed.flags) - 1 else 0 for n in range(len(formed.flags))]  # ordered
    broken = run(acting(formed), f"break {name} 3")
    assert score(broken) == [0, 0]


@rule("AH27.victory", "AH16.rout")
def test_a_unit_that_is_lost_counts_with_all_its_steps() -> None:
    play = Play(battle("A spear 0510+0610 steps=7; B spear 0101", "X orc 0501"), Scripted())
    lose(play, index(play.state, "A"))
    assert score(play.state) == [0, 7]


# --- the beacon ----------------------------------------------------------------------------------


def held(league: str, horde: str, was: int = NOBODY) -> int:
    state = battle(league, horde, prize=prize(beacon="0505"))
    state.beacon = was
    return judged(state).state.beacon  # type: ignore[no-any-return]


@rule("AH27.victory")
@pytest.mark.parametrize("was", [NOBODY, LEAGUE, HORDE])
@pytest.mark.parametrize(
    ("league", "horde", "holder"),
    [
        ("A spear 0505", "X orc 0501", LEAGUE),
        ("A spear 0510", "X orc 0505", HORDE),
        ("A spear 0405+0505; B spear 0101", "X orc 0501", LEAGUE),
        ("A spear 0505+0605; B spear 0101", "X orc 0501", LEAGUE),
        ("A spear 0510", "X orc 0505 shaken; Y orc 0101", HORDE),
        ("A spear 0510", "X orc 0505 rout; Y orc 0101", None),
        ("A spear 0510; L leader 0505", "X orc 0501; C chief 0505", None),
        ("A spear 0504", "X orc 0501", None),
    ],
)
def test_the_last_side_with_a_troop_not_in_rout_on_the_beacon_holds_it(
    league: str, horde: str, holder: int | None, was: int
) -> None:
    assert held(league, horde, was) == (was if holder is None else holder)


@rule("AH27.victory")
@pytest.mark.parametrize("holder", [NOBODY, LEAGUE, HORDE])
def test_the_beacon_is_worth_five(holder: int) -> None:
    state = battle(*BOTH, prize=prize(beacon="0505"))
    state.beacon = holder
    assert score(state) == [5 * (holder == LEAGUE), 5 * (holder == HORDE)]


@rule("AH27.victory")
def test_it_counts_in_an_end_phase_only() -> None:
    state = battle("A spear 0506; B spear 0101", "X orc 0501", prize=prize(beacon="0505"))
    passed = run(acting(state), "move A", "step-to 0505", "halt")
    assert passed.beacon == NOBODY
    assert phase(passed, EndPhase()).state.beacon == LEAGUE


# --- the granary ---------------------------------------------------------------------------------


@rule("AH27.victory", "AH22.fire")
def test_the_granary_is_worth_four_to_the_league_until_it_has_burnt() -> None:
    state = battle(*BOTH, prize=prize(granary="0505"), inflammable="0505 0605", fire="0505=start 0605=start")
    assert score(state) == [4, 0]  # a fire start is no blaze
    smoulders = phase(state, EndPhase(), dice=[3, 6]).state
    assert score(smoulders) == [4, 0]  # another hex burns
    burns = phase(smoulders, EndPhase(), dice=[4]).state
    assert score(burns) == [0, 4]
    later = phase(burns, EndPhase()).state
    assert score(later) == [0, 4]
    assert later.burnt


@rule("AH27.victory")
def test_without_a_granary_or_a_beacon_nobody_has_their_points() -> None:
    assert score(battle(*BOTH)) == [0, 0]


# --- the end -------------------------------------------------------------------------------------


@rule("AH27.victory")
@pytest.mark.parametrize(("turn", "over"), [(1, False), (11, False), (12, True)])
def test_the_game_ends_after_turn_12(turn: int, over: bool) -> None:
    assert (outcome(battle(*BOTH, turn=turn)) is not None) == over


@rule("AH27.victory")
@pytest.mark.parametrize(
    ("league", "horde", "over"),
    [
        ("A spear 0510 rout", "X orc 0501", True),
        ("A spear 0510", "X orc 0501 rout; Y orc 0601 rout", True),
        ("A spear 0510", "X orc 0501 rout; Y orc 0601 shaken", False),
        ("A spear 0510 gone; L leader 0510; M chief 0510", "X orc 0501", True),
        ("A spear 0510 gone", "X orc 0501 gone", True),
        ("A spear 0510; B spear 0610 gone", "X orc 0501", False),
    ],
)
def test_it_ends_when_a_side_has_no_troop_left_that_is_not_in_rout(
    league: str, horde: str, over: bool
) -> None:
    assert (outcome(battle(league, horde)) is not None) == over


@rule("AH27.victory")
@pytest.mark.parametrize(
    ("lost", "winner"),
    [((0, 0), None), ((4, 0), None), ((0, 4), None), ((5, 0), HORDE), ((0, 5), LEAGUE), ((7, 3), None)],
)
def test_a_lead_of_five_wins_and_less_is_a_draw(lost: tuple[int, int], winner: int | None) -> None:
    """Formations that have lost so many steps of ten."""
    state = battle("A spear 0510+0610 steps=10", "X orc 0501+0601 steps=10", turn=12)
    state.steps = [10 - lost[0], 10 - lost[1]]
    play = judged(state)
    result = play.state.outcome
    assert result is not None
    key = {None: "end.draw", LEAGUE: "end.league", HORDE: "end.horde"}[winner]
    assert (result.winner, result.clause, result.key) == (winner, V, key)
    assert told(play) == [(V, "event.score"), (V, key)]


@rule("AH27.victory", "AH3.turn")
def test_after_the_end_nothing_can_be_done() -> None:
    state = phase(battle(*BOTH, turn=12), EndPhase()).state
    assert state.decision is None
    assert legal(state) == []
    assert [refusal.clause for refusal in why_not(state, legal(acting(battle(*BOTH)))[0])] == [V]


@rule("AH27.victory", "AH3.turn")
def test_the_check_comes_after_the_rout_moves() -> None:
    """The last troop that is not in Rout is there; another one runs off the map: not over yet."""
    state = battle("A spear 0511 rout; B spear 0101", "X orc 0501")
    play = phase(state, EndPhase())
    assert play.state.outcome is None
    alone = phase(battle("A spear 0511 rout", "X orc 0501"), EndPhase()).state
    assert alone.outcome is not None
    assert score(alone) == [0, 2]  # two steps, and nobody is on the map in Rout


@rule("AH27.victory")
def test_points_are_shown_all_the_time() -> None:
    state = battle("A spear 0510 rout; B spear 0101", "X orc 0501; Y orc 0601 gone")
    tracks = {track.id: track.value for track in FORMATIONS.scene(state, 0, "en").tracks}
    assert (tracks["points-league"], tracks["points-horde"]) == ("2", "2")


@rule("AH27.victory", "AH26.scenario")
def test_the_scenario_begins_with_the_granary_for_the_league() -> None:
    state = start(FORMATIONS, FORMATIONS.configure(), Scripted([6, 6, 1, 1])).state
    assert score(state) == [4, 0]


# --- devices -------------------------------------------------------------------------------------

WINCH = "winch 0505 difficulty=3 points=2; gate 0506 difficulty=0 points=4"


@rule("AH31.devices")
def test_a_unit_in_the_hex_of_a_device_works_it() -> None:
    state = acting(battle("A spear 0505; B spear 0606", "X orc 0501", devices=WINCH))
    assert terms(state, "work A") == [("A.manipulate.m4", 3)]
    assert refusals(state, "work B") == ["A.manipulate.c3"]
    play = do(state, "work A", dice=[2, 3])  # 5 + 3 is 8
    assert play.state.worked == [LEAGUE, NOBODY]
    assert told(play)[-1] == ("AH31.devices", "event.works")
    assert score(play.state) == [2, 0]
    failed = run(state, "work A", dice=[3, 3])
    assert failed.worked == [NOBODY, NOBODY]
    assert score(failed) == [0, 0]


@rule("AH31.devices", "A.manipulate.c2", "A.manipulate.c1")
def test_it_is_a_manipulation_like_any_other() -> None:
    assert refusals(acting(battle("F spear 0505+0605", devices=WINCH)), "work F") == ["A.manipulate.c2"]
    assert refusals(acting(battle("A spear 0505 winded", devices=WINCH)), "work A") == ["A.manipulate.c1"]
    small = acting(battle("A forester 0505", devices=WINCH))
    assert terms(small, "work A") == [("A.manipulate.m4", 3), ("A.manipulate.m5", 2)]


@rule("AH31.devices", "AH28.characters")
def test_it_counts_for_the_side_that_worked_it_last() -> None:
    state = acting(battle("L leader 0505; A spear 0101", "C leader 0505; X orc 0501", devices=WINCH))
    ours = run(state, "work L", dice=[1, 1])
    assert refusals(acting(ours), "work L") == ["A.def.activated", "AH31.devices"]
    assert score(ours) == [2, 0]
    theirs = run(acting(ours, "black"), "work C", dice=[1, 1])
    assert score(theirs) == [0, 2]
    theirs.flags = [0] * len(theirs.flags)
    assert refusals(acting(theirs), "work L") == []
    assert refusals(acting(theirs, "black"), "work C") == ["AH31.devices"]


@rule("AH31.devices")
def test_devices_are_markers_on_the_map() -> None:
    state = battle(*BOTH, devices=WINCH)
    state.worked = [NOBODY, HORDE]
    shown = {m.id: (m.kind, m.place, m.side) for m in FORMATIONS.scene(state, 0, "en").markers}
    assert shown == {"winch": ("device", "0505", None), "gate": ("device", "0506", HORDE)}


@rule("AH27.victory")
def test_who_decides_in_a_game_that_is_on() -> None:
    state = at(battle(*BOTH), Judgement())
    assert state.decision is None  # it runs by itself
    assert SEATS[judged(state).state.decision.seat] == "league"
