"""14: morale, flight, rallying, elephants; and generals as far as morale goes."""

from itertools import product

import pytest

from legatus.games.onus.combat import Combat
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.morale import (
    Flight,
    MoraleCheck,
    disturb,
    morale_terms,
    near_general,
)
from legatus.games.onus.rally import Rallying
from legatus.games.onus.shooting import Shoot, Shooting, Volley
from legatus.games.onus.state import FIELD, OnusState
from legatus.games.onus.turn import FlightStep, RunOn
from legatus.kernel import Play, Scripted
from tests.rules import rule

from .stage import (
    CALM,
    at,
    battle,
    do,
    flees,
    go_on,
    index,
    is_lost,
    place,
    told,
    values,
    wounds,
)


def added(state: OnusState, name: str = "A", angle: int = 0) -> list[tuple[str, int]]:
    return [(t.clause, t.value) for t in morale_terms(state, index(state, name), angle)]


def holds(state: OnusState, one: int, two: int, **more: int) -> bool:
    after = go_on(at(state, MoraleCheck(0, **more)), [one, two]).state
    return not flees(after, "A") and not is_lost(after, "A")


# --- the check -----------------------------------------------------------------------------------


@rule("OH.morale.1")
def test_two_dice_not_above_morale() -> None:
    state = battle("A hastati 10 9", "X hastati 3 3")  # morale 7
    for one, two in product(range(1, 7), repeat=2):
        assert holds(state, one, two) == (one + two <= 7)


@rule("OH.morale.1")
@pytest.mark.parametrize("extra", [-9, 9])
def test_a_two_always_passes_and_a_twelve_always_fails(extra: int) -> None:
    state = battle("A hastati 10 9", "X hastati 3 3")
    for one, two in product(range(1, 7), repeat=2):
        expected = one + two == 2 if extra < 0 else one + two < 12
        assert holds(state, one, two, extra=extra) == expected


@rule("OH.morale.3", "OH.general.2", "OH.broken.1", "OH.formation.6", "OH.melee.8")
def test_what_is_added_to_morale() -> None:
    assert added(battle("A hastati 10 9")) == []
    assert added(battle("A hastati 10 9 general")) == [("OH.general.2", 1)]
    assert added(battle("A hastati 10 9 broken")) == [("OH.broken.1", -1)]
    assert added(battle("A hastati 10 9 wings=1")) == [("OH.formation.6", -1)]
    assert added(battle("A hastati 10 9"), angle=1) == [("OH.melee.8", -1)]
    assert added(battle("A hastati 10 9"), angle=2) == [("OH.melee.8", -2)]


@rule("OH.general.2")
@pytest.mark.parametrize(("x", "near"), [(15.76, True), (15.79, False)])
def test_the_general_helps_within_four_du(x: float, near: bool) -> None:
    state = battle(f"A hastati 10 9; G triarii {x} 9 general", "X hastati 9 3")
    assert near_general(state, 0) == near
    enemy = battle("A hastati 10 9", f"G triarii {x} 9 general")
    assert not near_general(enemy, 0)
    lost = battle(f"A hastati 10 9; G triarii {x} 9 general lost", "X hastati 9 3")
    assert not near_general(lost, 0)


@rule("OH.morale.2", "OH.ranged.3")
def test_only_an_attack_that_wounds_is_checked_for() -> None:
    state = at(battle("A archers 10 12", "X hastati 10 9.5"), Shooting(0))
    unhurt = do(state, Shoot("A", "X"), [CALM, 1, 1, 1, 1])
    assert "event.holds" not in [key for _, key in told(unhurt)]
    hurt = do(state, Shoot("A", "X"), [CALM, 6, 1, 1, 1, 1, 1])
    assert "event.holds" in [key for _, key in told(hurt)]


@rule("OH.melee.8", "OH.morale.3")
def test_on_the_flank_morale_is_one_lower() -> None:
    state = at(battle("A hastati 10 9", "X sacred-band 10 7.68 90"), Fights(0))
    play = do(state, Engage("A", "X"), [CALM, 6, 1, 4, 5])  # 9 is above 9 - 1
    assert values(play, "event.breaks")["added"] == "-1"


# --- flight --------------------------------------------------------------------------------------


@rule("OH.morale.4", "OH.flight.1")
def test_who_fails_turns_his_back_and_runs_his_full_move() -> None:
    state = battle("A hastati 10 9", "X hastati 10 8.12")
    after = go_on(at(state, MoraleCheck(0, 1)), [6, 6]).state
    assert flees(after, "A")
    assert place(after, "A") == (10, 12, 180)


@rule("OH.flight.1")
def test_without_an_attacker_it_flees_from_the_nearest_enemy() -> None:
    state = battle("A hastati 10 9", "X hastati 10 3; Y hastati 3 9 90")
    assert place(go_on(at(state, Flight(0, -1))).state, "A") == (10, 12, 180)
    state = battle("A hastati 10 9", "X hastati 10 2; Y hastati 5 9 90")
    assert place(go_on(at(state, Flight(0, -1))).state, "A") == (13, 9, 90)


@rule("OH.flight.1", "OH.turn.5")
def test_it_runs_again_in_step_five_of_its_own_turn() -> None:
    state = battle("A hastati 10 9 180 fleeing still", "X hastati 10 3")
    assert place(go_on(at(state, FlightStep(0))).state, "A") == (10, 12, 180)
    assert place(go_on(at(state, FlightStep(1))).state, "A") == (10, 9, 180)


@rule("OH.flight.1")
def test_friends_in_the_way_are_broken_and_it_stands_on_nobody() -> None:
    state = battle("A hastati 10 9 180 fleeing; B principes 10 10.5; C velites 12 10.5", "X hastati 10 3")
    after = go_on(at(state, RunOn(0))).state
    assert (after.broken[1], after.broken[2]) == (1, 0)
    assert place(after, "A") == (10, 12, 180)
    blocked = battle("A hastati 10 9 180 fleeing; B velites 10 12", "X hastati 10 3")
    after = go_on(at(blocked, RunOn(0))).state
    assert after.broken[1] == 0  # a skirmisher
    assert place(after, "A")[1] >= 12.88


@rule("OH.flight.1", "O4.village.pass-friends")
def test_who_flees_does_not_stop_on_an_empty_village() -> None:
    state = battle("A hastati 10 9 180 fleeing", "X hastati 10 3", structure="v village 10 12")
    x, y, turn = place(go_on(at(state, RunOn(0))).state, "A")
    assert (x, turn) == (10, 180)
    assert y == pytest.approx(13.32, abs=0.1)


@rule("OH.flight.1", "O4.overlap.choose-top")
def test_who_cannot_flee_stays_on_top_of_whom_it_lay() -> None:
    own = "A hastati 10 8.88 180 over=B; B principes 10 8.88 180"
    state = battle(own, "X hastati 10 7.5", fortress="standard 10 8")
    after = go_on(at(state, Flight(0, 2))).state
    assert flees(after, "A")
    assert place(after, "A") == (10, 8.88, 180)
    assert after.over == [(0, 1)]


@rule("OH.flight.1")
def test_who_leaves_the_field_is_lost() -> None:
    state = battle("A hastati 10 15 180 fleeing", "X hastati 10 3")
    play = go_on(at(state, RunOn(0)))
    assert is_lost(play.state, "A")
    assert ("OH.flight.1", "event.runs_off") in told(play)
    inside = battle("A hastati 10 14.5 180 fleeing", "X hastati 10 3")
    assert place(go_on(at(inside, RunOn(0))).state, "A") == (10, 17.5, 180)


@rule("OH.flight.1", "O3.impassable")
def test_who_flees_stops_before_what_is_impassable_and_before_enemies() -> None:
    lake = battle("A hastati 10 9 180 fleeing", "X hastati 10 3", ground="tarn lake 10 12 4x2")
    assert place(go_on(at(lake, RunOn(0))).state, "A")[1] == pytest.approx(10.56, abs=0.05)
    enemy = battle("A hastati 10 9 180 fleeing", "X hastati 10 3; Y hastati 10 12 0")
    y = place(go_on(at(enemy, RunOn(0))).state, "A")[1]
    assert y == pytest.approx(11.12, abs=0.05)


@rule("OH.flight.1")
def test_who_is_surrounded_stays() -> None:
    state = battle("A hastati 10 9", "X hastati 10 8.12; Y hastati 10 9.88 0")
    after = go_on(at(state, Flight(0, 1))).state
    assert flees(after, "A")
    assert place(after, "A")[:2] == pytest.approx((10, 9), abs=0.02)


@rule("OH.flight.1", "OH.morale.4")
def test_who_flees_has_neither_formation_nor_wings_nor_a_structure() -> None:
    state = battle(
        "A hastati in=half",
        "X hastati 10 6.5; Y hastati 3 3",
        structure="half village 10 8",
        active="defender",
    )
    after = go_on(at(state, Flight(0, 1))).state
    assert (after.where[0], after.inside[0]) == (FIELD, -1)
    assert place(after, "A") == (10, 11, 180)
    formed = battle("A hastati 10 9 formation=shield-wall wings=3", "X hastati 10 3")
    after = go_on(at(formed, Flight(0, 1))).state
    assert (after.formation[0], after.wings[0]) == (0, 0)


@rule("OH.move.8", "OH.trait.1", "OH.broken.1")
def test_who_is_passed_through_is_broken_but_for_skirmishers() -> None:
    state = battle("A hastati 10 9 formation=shield-wall; B velites 14 9")
    play = Play(state, Scripted())
    for i in (0, 1):
        disturb(play, i, "OH.move.8")
    assert (state.broken, state.formation) == ([1, 0], [0, 0])


# --- elephants -----------------------------------------------------------------------------------


@rule("OH.flight.5")
def test_elephants_run_half_of_two_dice() -> None:
    state = battle("A elephants 10 9 180 fleeing", "X hastati 10 3")
    assert place(go_on(at(state, RunOn(0)), [3, 4]).state, "A") == (10, 12.5, 180)


@rule("OH.flight.5")
@pytest.mark.parametrize("side", ["friend", "enemy"])
def test_elephants_attack_the_first_unit_in_their_way(side: str) -> None:
    met, beyond = "M triarii 10 11", "N triarii 10 12.5"
    own, foes = "A elephants 10 9 180 fleeing", "X hastati 10 3"
    if side == "friend":
        state = battle(f"{own}; {met}; {beyond}", foes)
    else:
        state = battle(own, f"{foes}; {met} 0; {beyond} 0")
    # 4 dice at 4/5; against 6/7: a hit needs a 3, damage a 3; in the rear of a friend who looks north
    play = go_on(at(state, RunOn(0)), [6, 4, 6, 1, 1, 1, 1, 1])
    assert ("OH.flight.5", "event.stampedes") in told(play)
    assert (wounds(play.state, "M"), wounds(play.state, "N"), wounds(play.state, "A")) == (1, 0, 0)
    assert place(play.state, "A") == (10, 10.12, 180)
    assert flees(play.state, "A")


@rule("OH.flight.5")
def test_elephants_that_meet_nobody_trample_nobody() -> None:
    state = battle("A elephants 10 9 180 fleeing; M triarii 10 11.5", "X hastati 10 3")
    play = go_on(at(state, RunOn(0)), [1, 1])
    assert place(play.state, "A") == (10, 10, 180)
    assert wounds(play.state, "M") == 0


# --- rallying ------------------------------------------------------------------------------------


@rule("OH.flight.4", "OH.turn.5")
def test_an_activation_may_be_spent_on_rallying() -> None:
    state = battle("A hastati 10 9 180 fleeing", "X hastati 10 3")
    rallied = go_on(at(state, FlightStep(0)), [3, 4])
    assert not flees(rallied.state, "A")
    assert place(rallied.state, "A") == (10, 9, 180)
    failed = go_on(at(state, FlightStep(0)), [4, 4])
    assert flees(failed.state, "A")
    assert place(failed.state, "A") == (10, 12, 180)


@rule("OH.flight.4", "OH.broken.1")
def test_broken_units_rally_likewise_at_minus_one() -> None:
    state = battle("A hastati 10 9 broken", "X hastati 10 3")
    assert go_on(at(state, FlightStep(0)), [3, 3]).state.broken[0] == 0
    assert go_on(at(state, FlightStep(0)), [3, 4]).state.broken[0] == 1


@rule("OH.flight.4", "OH.turn.5")
@pytest.mark.parametrize("spent", ["still", "moved", "shot", "idle"])
def test_an_activation_spent_on_something_else_does_not_rally(spent: str) -> None:
    state = battle(f"A archers 10 9 broken {spent}", "X hastati 10 3")
    assert go_on(at(state, FlightStep(0))).state.broken[0] == 1


@rule("OH.order.10", "OH.flight.4")
def test_the_order_for_all_gives_one_more() -> None:
    state = battle("A hastati 10 9 180 fleeing", "X hastati 10 3")
    assert not flees(go_on(at(state, Rallying(0, 1, "OH.order.10")), [4, 4]).state, "A")
    assert flees(go_on(at(state, Rallying(0, 1, "OH.order.10")), [4, 5]).state, "A")


@rule("OH.event.4")
def test_nobody_shoots_again_at_who_has_fled_out_of_range() -> None:
    state = battle("A velites 10 9", "X hastati 10 7.5 wounds=0")
    state.events = [("second-volley", 0)]
    combat = Combat("ranged", 0, 1)
    play = go_on(at(state, Volley(combat)), [6, 1, 1, 1, 6, 6])
    assert wounds(play.state, "X") == 1
