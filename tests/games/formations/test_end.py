"""The end phase: fatigue, fires and who runs from them, and what comes off."""

from __future__ import annotations

from itertools import product

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.endphase import CleanUp, EndPhase, EscapeChoice, Fatigue, Fires
from legatus.games.formations.melee import MeleePhase
from legatus.games.formations.ranking import Ranking
from legatus.games.formations.state import SEATS, WEATHERS, FormationsState
from legatus.kernel import Play, apply, legal, parse_action
from tests.rules import rule

from .phases import Always, phase, reach, value
from .stage import (
    acting,
    battle,
    decision,
    facing,
    fire,
    index,
    marks,
    mode,
    over,
    pile,
    place,
    refusals,
    run,
    stakes,
    told,
    units,
)

RING1 = ("0604", "0605", "0606", "0506", "0405", "0504")  # round 0505
RING2 = ("0503", "0603", "0403", "0704", "0404", "0705", "0305", "0706", "0406", "0507", "0607", "0407")


def fires(state: FormationsState, *dice: int, first: str = "league") -> Play:
    return phase(state, Fires(), dice=dice, first=first)


def burning(
    league: str = "", horde: str = "", *, blazes: tuple[str, ...] = (), **map_: str
) -> FormationsState:
    """A fire start in 0505, and blazes that spread nowhere."""
    others = " ".join(f"{hex_}=blaze" for hex_ in blazes)
    return battle(league, horde, inflammable="0505", fire=f"0505=start {others}", **map_)


# --- fatigue -------------------------------------------------------------------------------------


@rule("AH15.fatigue", "A.def.fatigue")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(
    ("was", "then"), [("fresh", "winded"), ("winded", "exhausted"), ("exhausted", "exhausted")]
)
def test_who_fought_tires_on_one_to_three(face: int, was: str, then: str) -> None:
    play = phase(battle(f"A spear 0505 fought {was}"), Fatigue(), dice=[face])
    wanted = then if face <= 3 else was
    assert marks(play.state, "A") - {"fought"} == {wanted} - {"fresh"}
    key = "bears_up" if face > 3 else "worn_out" if was == "exhausted" else "tires"
    assert told(play) == [("AH15.fatigue", f"event.{key}")]


@rule("AH15.fatigue")
def test_who_did_not_fight_does_not_roll() -> None:
    play = phase(battle("A spear 0505; B spear 0606 moved activated; L leader 0505"), Fatigue())
    assert told(play) == []


@rule("AH15.fatigue", "AH11.melee")
def test_who_attacked_and_who_was_attacked_both_roll() -> None:
    """B strikes Y, which has nobody before it; nobody is hurt."""
    state = battle("B spear 0505", "Y orc 0504 n")
    play = phase(state, MeleePhase(), Fatigue(), dice=[6, 6, 1, 1])
    assert marks(play.state, "B") == marks(play.state, "Y") == {"fought", "winded"}


@rule("AH15.fatigue", "AH21.modes")
@pytest.mark.parametrize(
    ("mode_", "face"),
    list(product(("march", "tortoise", "rank-rotation", "hedgehog", "shield-wall"), range(1, 7))),
)
def test_in_rank_rotation_a_formation_tires_on_a_one_only(mode_: str, face: int) -> None:
    play = phase(battle(f"F spear 0505+0605 fought mode={mode_}"), Fatigue(), dice=[face])
    limit = 1 if mode_ == "rank-rotation" else 3
    assert ("winded" in marks(play.state, "F")) == (face <= limit)


# --- fire starts and blazes ----------------------------------------------------------------------

BLAZES = {"heat-wave": 3, "fair": 4, "cloudy": 5, "rain": 7}
SPREADS = {"heat-wave": 4, "fair": 5, "cloudy": 5, "rain": 5}


@rule("AH22.fire", "A.def.fire_stakes", "A.def.weather")
@pytest.mark.parametrize(("weather", "face"), list(product(WEATHERS, range(1, 7))))
def test_a_fire_start_becomes_a_blaze_or_goes_out(weather: str, face: int) -> None:
    play = fires(burning(weather=weather), face)
    wanted = "new" if face >= BLAZES[weather] else "none" if weather == "rain" and face >= 4 else "start"
    assert fire(play.state, "0505") == wanted


@rule("AH22.fire", "A.def.weather")
@pytest.mark.parametrize(("weather", "face"), list(product(WEATHERS, range(1, 7))))
def test_a_blaze_spreads_to_inflammable_hexes(weather: str, face: int) -> None:
    state = battle(inflammable="0505 0604", fire="0505=blaze", weather=weather)
    play = fires(state, face)
    assert fire(play.state, "0604") == ("start" if face >= SPREADS[weather] else "none")
    assert fire(play.state, "0605") == "none"
    assert fire(play.state, "0505") == "blaze"


@rule("AH22.fire")
def test_it_does_not_spread_to_hexes_with_fire_nor_twice_to_one() -> None:
    state = battle(inflammable="0505 0604 0605", fire="0505=blaze 0604=blaze 0605=start")
    play = fires(state, 1)  # one roll, for the fire start
    assert len(value(play, "event.smoulders", "face")) == 1
    two = battle(inflammable="0505 0605 0604", fire="0505=blaze 0604=blaze")
    assert fire(fires(two, 5).state, "0605") == "start"  # the second blaze finds a fire start there
    assert fire(fires(two, 1, 5).state, "0605") == "start"
    assert fire(fires(two, 1, 1).state, "0605") == "none"


@rule("AH22.fire")
def test_what_was_lit_by_a_blaze_is_not_rolled_for_in_the_same_phase() -> None:
    """The blaze spreads first; then the other fire starts are rolled for, and this one not."""
    state = battle(inflammable="0505 0604 0909", fire="0505=blaze 0909=start")
    play = fires(state, 6, 1)
    assert (fire(play.state, "0604"), fire(play.state, "0909")) == ("start", "start")
    assert [key for _, key in told(play)] == ["event.spreads", "event.smoulders"]
    after = phase(play.state, CleanUp()).state
    assert fire(fires(after, 6, 6).state, "0604") == "new"


@rule("AH22.fire")
def test_a_blaze_of_this_turn_spreads_only_in_the_next() -> None:
    state = battle("A spear 0101", "X orc 1010", inflammable="0505 0604", fire="0505=start", turn=3)
    play = phase(state, EndPhase(), dice=[6])
    assert (fire(play.state, "0505"), fire(play.state, "0604")) == ("blaze", "none")
    play = phase(play.state, EndPhase(), dice=[6])
    assert fire(play.state, "0604") == "start"


@rule("AH22.fire")
def test_a_fire_start_set_in_this_turn_is_rolled_for() -> None:
    state = run(acting(battle("A spear 0505; B spear 0101", inflammable="0505")), "set-fire A", dice=[1, 1])
    assert fire(state, "0505") == "start"
    assert fire(fires(state, 3).state, "0505") == "start"


@rule("AH22.fire", "A.set_fire.option")
def test_without_the_option_nothing_burns() -> None:
    state = battle(inflammable="0505 0604", fire="0505=blaze 0604=start", without="fire")
    assert told(fires(state)) == []


@rule("AH22.fire")
def test_nobody_sets_fire_where_it_burns_already() -> None:
    for burns in ("start", "blaze"):
        state = acting(battle("A spear 0505", inflammable="0505", fire=f"0505={burns}"))
        assert refusals(state, "set-fire A") == ["AH22.fire"]


@rule("AH22.fire", "A.def.fire_stakes")
def test_a_blaze_stays_and_stakes_stay_in_it() -> None:
    state = burning(stakes="0505=s")
    play = fires(state, 6)
    assert stakes(play.state, "0505") == "s"
    after = phase(play.state, CleanUp()).state
    for _ in range(3):
        after = phase(after, Fires(), CleanUp()).state
        assert fire(after, "0505") == "blaze"


# --- running from a blaze ------------------------------------------------------------------------


@rule("AH22.fire", "AH12.cohesion")
def test_the_owner_moves_his_units_out_and_they_take_a_test() -> None:
    state = fires(burning("A spear 0505 nw"), 4).state
    assert decision(state) == EscapeChoice(0, index(state, "A"))
    assert reach(state, "run-to") == set(RING1)
    assert (
        refusals(state, "run-to 0503")
        == refusals(state, "run-to 0505")
        == refusals(state, "run-to x")
        == ["AH22.fire"]
    )
    after = run(state, "run-to 0606", dice=[6, 3])
    assert (place(after, "A"), facing(after, "A"), marks(after, "A")) == ("0606", "nw", {"shaken"})
    assert over(after)
    assert marks(run(state, "run-to 0606", dice=[5, 3]), "A") == set()


@rule("AH22.fire")
@pytest.mark.parametrize(
    ("league", "horde", "map_", "closed"),
    [
        ("A spear 0505", "X orc 0604", {}, {"0604"}),
        ("A spear 0505", "C leader 0604", {}, set()),
        ("A spear 0505; P wolf 0605; Q spear 0605", "", {}, {"0605"}),
        ("A spear 0505", "", {"difficult": "0506"}, set()),
    ],
)
def test_open_hexes_with_room_are_refuges(
    league: str, horde: str, map_: dict[str, str], closed: set[str]
) -> None:
    state = fires(burning(league, horde, **map_), 6).state
    assert reach(state, "run-to") == set(RING1) - closed


@rule("AH22.fire")
def test_the_nearest_hexes_come_first_and_a_single_one_is_taken_without_asking() -> None:
    state = fires(burning("A spear 0505", blazes=RING1[1:]), 6, 1, 1).state
    assert place(state, "A") == "0604"
    state = fires(burning("A spear 0505", blazes=RING1), 6).state
    assert reach(state, "run-to") == set(RING2)
    state = fires(burning("A spear 0505", blazes=(*RING1, *RING2[:-1])), 6, 1, 1).state
    assert place(state, "A") == RING2[-1]


@rule("AH22.fire", "AH17.losses")
def test_who_finds_no_hex_within_two_is_lost() -> None:
    play = fires(burning("A spear 0505; L leader 0808", blazes=(*RING1, *RING2)), 6)
    assert place(play.state, "A") == "gone"


@rule("AH22.fire", "AH28.characters")
def test_characters_run_too_and_take_no_test() -> None:
    state = fires(burning("L leader 0505", "C leader 0604; X orc 0101"), 6).state
    after = run(state, "run-to 0604")
    assert place(after, "L") == place(after, "C") == "0604"  # nor do they endanger anybody
    assert over(after)
    assert place(fires(burning("L leader 0505", blazes=(*RING1, *RING2)), 6).state, "L") == "gone"


@rule("AH22.fire", "AH2.footprint")
@pytest.mark.parametrize("hex_", ["0505", "0605"])
def test_a_formation_escapes_as_a_whole_and_keeps_its_facing(hex_: str) -> None:
    state = battle("F spear 0505+0605 mode=tortoise", inflammable=hex_, fire=f"{hex_}=start")
    state = fires(state, 6).state
    into = {"0505": "0405", "0605": "0605"}[hex_]  # with its left hex there it would still stand in the fire
    assert reach(state, "run-to") == set(RING1) - {into}
    after = run(state, "run-to 0506", dice=[1, 1])
    assert (place(after, "F"), facing(after, "F"), mode(after, "F")) == ("0506+0606", "n", "tortoise")


@rule("AH22.fire")
def test_difficult_terrain_is_no_refuge_for_a_formation() -> None:
    state = battle("F spear 0505+0605", inflammable="0505", fire="0505=start", difficult="0604 0606")
    assert place(fires(state, 6, 1, 1).state, "F") == "0605+0705"  # all other ways lead over 0604 or 0606


@rule("AH22.fire")
def test_of_a_stack_the_foremost_runs_first() -> None:
    state = fires(burning("A spear 0505; B spear 0505; L leader 0404"), 6).state
    assert decision(state).unit == index(state, "A")
    state = run(state, "run-to 0604", dice=[1, 1])
    assert decision(state).unit == index(state, "B")


@rule("AH22.fire", "AH18.stacking")
def test_they_leave_one_by_one_and_fill_the_hexes_up() -> None:
    """Only 0604 is open near by: it has room for two of the three."""
    state = burning(
        "A spear 0505; B spear 0505; C spear 0505 steps=1; D spear 0604 steps=1", blazes=RING1[1:]
    )
    after = run(fires(state, 6).state, "behind", "behind", dice=[1, 1, 1, 1])
    assert [place(after, name) for name in "AB"] == ["0604", "0604"]
    assert pile(after, "0604") == ["D", "A", "B"]
    assert decision(after).unit == index(after, "C")
    assert not reach(after, "run-to") & set(RING1)


@rule("AH22.fire", "AH16.rout")
def test_who_goes_into_rout_by_this_test_runs_at_once() -> None:
    state = fires(burning("A spear 0505 shaken; B spear 0505"), 6).state
    state = run(state, "run-to 0606", dice=[6, 6])
    assert type(decision(state)).__name__ == "FlightChoice"
    assert decision(state).unit == index(state, "A")


@rule("AH22.fire", "AH28.characters")
def test_a_troop_that_escapes_endangers_enemy_characters_where_it_goes() -> None:
    state = fires(burning("A spear 0505", "C leader 0604; X orc 0101"), 6).state
    assert place(run(state, "run-to 0604", dice=[1, 1, 2]), "C") == "gone"


@rule("AH22.fire", "AH29.stack_order")
@pytest.mark.parametrize(("line", "wanted"), [("in-front", ["A", "P"]), ("behind", ["P", "A"])])
def test_who_escapes_to_friends_goes_before_or_behind_them(line: str, wanted: list[str]) -> None:
    """AH29 knows no exception for this."""
    state = fires(burning("P spear 0604; A spear 0505"), 6).state
    state = settled(state, "run-to 0604")
    assert isinstance(decision(state), Ranking)
    assert pile(settled(state, line), "0604") == wanted


def settled(state: FormationsState, line: str) -> FormationsState:
    """An action after which all dice show ones."""
    return apply(state, parse_action(FORMATIONS, line), Always(1)).state  # type: ignore[no-any-return]


@rule("AH3.turn", "AH22.fire")
@pytest.mark.parametrize("first", SEATS)
@pytest.mark.parametrize("hexes", [("0404", "0808"), ("0808", "0404")])
def test_the_side_that_activates_first_escapes_first(first: str, hexes: tuple[str, str]) -> None:
    ours, theirs = hexes
    state = battle(
        f"A spear {ours}", f"X orc {theirs}", inflammable="0404 0808", fire="0404=start 0808=start"
    )
    now = fires(state, 6, 6, first=first).state
    assert decision(now).seat == SEATS.index(first)


@rule("AH22.fire")
def test_a_formation_with_both_hexes_in_new_blazes_escapes_once() -> None:
    hexes = "0505 0605"
    state = battle("F spear 0505+0605", inflammable=hexes, fire="0505=start 0605=start")
    after = run(fires(state, 6, 6).state, "run-to 0506", dice=[1, 1])
    assert place(after, "F") == "0506+0606"
    assert over(after)


@rule("AH22.fire", "AH29.stack_order", "AH12.cohesion")
def test_who_escapes_to_friends_takes_its_place_before_its_test() -> None:
    state = fires(burning("P spear 0604; A spear 0505 shaken"), 6).state
    state = run(state, "run-to 0604")
    assert isinstance(decision(state), Ranking)
    assert type(decision(run(state, "in-front", dice=[6, 6]))).__name__ == "FlightChoice"


# --- what comes off ------------------------------------------------------------------------------


@rule("AH3.turn", "AH9.contact", "A.def.activated", "A.def.contact_charge", "A.def.special_order")
def test_markers_and_orders_come_off_and_states_stay() -> None:
    deeds = "activated moved contact charged ordered fought"
    stays = "winded shaken diminished"
    state = battle(
        f"A archer 0505 {deeds} {stays}", "X orc 0101", instructions="boar=regroup", stakes="0505=n"
    )
    state.given[0], state.done, state.told, state.blows = 1, [1] * 4, [1] * 4, [(0, 1)]
    after = phase(state, CleanUp()).state
    assert marks(after, "A") == set(stays.split())
    assert (after.given, after.done, after.told, after.blows) == ([0, 0], [0] * 4, [0] * 4, [])
    assert after.instruction == [2, 0, 0, 0]
    assert stakes(after, "0505") == "n"


@rule("AH3.turn")
def test_the_order_of_the_end_phase() -> None:
    """Fatigue, then rout moves, then fires, then the markers, then the check for victory."""
    state = battle(
        "A spear 0202 charged fought; R spear 0902 rout; M chief 0101",
        "X orc 1111",
        inflammable="0505",
        fire="0505=start",
        turn=12,
    )
    play = phase(state, EndPhase(), dice=[6])
    events = list(play.events)
    while play.state.outcome is None:  # the flight of R
        play = apply(play.state, legal(play.state)[0], Always(6))
        events += play.events
    order = ["event.tires", "event.bears_up", "event.flees", "event.blazes", "event.score"]
    assert [event.key for event in events if event.key in order] == order
    assert marks(play.state, "A") == {"winded"}
    assert units(play.state) == ["A", "R", "M", "X"]
