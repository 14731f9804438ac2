"""21 Tests and rout, losses, characters: what is added to a test, who flees and where, what is left."""

from __future__ import annotations

from itertools import product

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.activation import WingTurn
from legatus.games.formations.cohesion import CohesionTest, RemnantChoice, cohesion_terms
from legatus.games.formations.endphase import Routs
from legatus.games.formations.melee import Losses
from legatus.games.formations.ranking import Ranking
from legatus.games.formations.rout import FlightChoice, GoAlong
from legatus.games.formations.state import MORALES, SEATS, FormationsState
from legatus.games.formations.units import kind_of
from legatus.kernel import Play, Scripted, apply, parse_action
from tests.rules import rule

from .phases import Terms, moving, pair, phase, plain, reach, value
from .stage import (
    acting,
    battle,
    decision,
    do,
    facing,
    index,
    legal_lines,
    marks,
    mode,
    over,
    pile,
    place,
    refusals,
    run,
    stakes,
    steps,
    terms,
    told,
    units,
    wing,
)


def judged(
    state: FormationsState, name: str, *dice: int, lost: int = 0, outflanked: bool = False, extra: int = 0
) -> Play:
    return phase(state, CohesionTest(index(state, name), lost, outflanked, extra), dice=dice)


def driven(state: FormationsState) -> FormationsState:
    """Flights go on by the first open way; characters stay; who comes to friends stands behind them."""
    while not over(state):
        lines = legal_lines(state)
        state = run(state, "remain" if "remain" in lines else "behind" if "behind" in lines else lines[0])
    return state


def fled(state: FormationsState) -> FormationsState:
    """All units in Rout have run on, as in an end phase."""
    return driven(phase(state, Routs()).state)


def row(row_: int) -> str:
    return " ".join(f"{column:02}{row_:02}" for column in range(12))


# --- the cohesion test ---------------------------------------------------------------------------


@rule("AH12.cohesion", "A.def.morale_profile")
@pytest.mark.parametrize(("morale", "total"), list(product(("elite", "steady", "fragile"), range(2, 13))))
def test_the_roll_must_not_exceed_the_morale_number(morale: str, total: int) -> None:
    number = {"elite": 9, "steady": 8, "fragile": 6}[morale]
    play = judged(battle("A kin 0505", types=f"kin spear morale={morale}"), "A", *pair(total))
    fails = total == 12 or total > number
    assert marks(play.state, "A") == ({"shaken"} if fails else set())
    assert MORALES[morale] == number


@rule("AH12.cohesion", "A.def.cohesion")
@pytest.mark.parametrize(("was", "then"), [("steady", "shaken"), ("shaken", "rout")])
def test_a_failure_makes_it_one_level_worse(was: str, then: str) -> None:
    play = judged(battle(f"A spear 0505 {was}"), "A", 6, 5)
    assert marks(driven(play.state), "A") == {then}
    assert marks(judged(battle(f"A spear 0505 {was}"), "A", 2, 2).state, "A") == ({was} - {"steady"})


@rule("AH12.cohesion")
def test_a_unit_in_rout_takes_no_test() -> None:
    assert told(judged(battle("A spear 0505 rout"), "A")) == []


@rule("AH12.cohesion")
@pytest.mark.parametrize(("dice", "fails"), [((1, 1), False), ((6, 6), True)])
def test_two_and_twelve_settle_it_whatever_is_added(dice: tuple[int, int], fails: bool) -> None:
    bad = battle("A goblin 0505 exhausted", fire="0505=start")
    play = judged(bad, "A", 1, 1, lost=4, outflanked=True, extra=1)
    assert marks(play.state, "A") == {"exhausted"}
    good = battle("A guard 0505; L leader 0505", types="")
    play = judged(good, "A", 6, 6)
    assert marks(play.state, "A") == {"shaken"}


C = "AH12.cohesion"
COHESION: list[tuple[str, dict[str, str], dict[str, int], Terms]] = [
    ("A spear 0505", {}, {}, []),
    ("A spear 0505 winded", {}, {}, [(C, 1)]),
    ("A spear 0505 exhausted", {}, {}, [(C, 2)]),
    ("A spear 0505 shaken diminished", {}, {}, []),
    ("A spear 0505", {}, {"lost": 1}, [(C, 1)]),
    ("A spear 0505", {}, {"lost": 3}, [(C, 3)]),
    ("A spear 0505", {}, {"outflanked": 1}, [(C, 1)]),
    ("A spear 0505", {}, {"extra": 1}, [("AH11.melee", 1)]),
    ("A spear 0505; L leader 0507", {}, {}, [(C, -1)]),
    ("A spear 0505; L leader 0508", {}, {}, []),  # three hexes
    ("A spear 0505; L leader 0505 wing=heron", {}, {}, []),
    ("A spear 0505; M chief 0707", {}, {}, []),
    ("A spear 0505; M chief 0606", {}, {}, [(C, -1)]),
    ("A spear 0505; M chief 0606; L leader 0505", {}, {}, [(C, -1)]),  # once
    ("A spear 0505; L leader 0505 gone", {}, {}, []),
    ("A spear 0505+0605; L leader 0805", {}, {}, [(C, -1)]),  # from the nearer hex
    ("A spear 0505", {"fire": "0505=start"}, {}, [("AH22.fire", 1)]),
    ("A spear 0505+0605", {"fire": "0605=start"}, {}, [("AH22.fire", 1)]),
    ("A spear 0505", {"fire": "0605=start"}, {}, []),
    ("A spear 0505", {"weather": "heat-wave", "rough": "0505"}, {}, []),
]


@rule("AH12.cohesion", "AH22.fire", "A.def.cinc")
@pytest.mark.parametrize(("units_", "map_", "hits", "wanted"), COHESION)
def test_what_is_added_to_a_cohesion_test(
    units_: str, map_: dict[str, str], hits: dict[str, int], wanted: Terms
) -> None:
    state = battle(units_, "C leader 0505; D chief 0505", **map_)
    lost, outflanked, extra = hits.get("lost", 0), bool(hits.get("outflanked")), hits.get("extra", 0)
    assert plain(cohesion_terms(state, index(state, "A"), lost, outflanked, extra)) == wanted
    play = judged(state, "A", 1, 1, lost=lost, outflanked=outflanked, extra=extra)
    assert [int(str(n)) for n in value(play, "event.steady", "added")] == [sum(n for _, n in wanted)]


@rule("AH12.cohesion")
def test_the_sum_counts() -> None:
    assert marks(judged(battle("A spear 0505"), "A", 5, 1, lost=2).state, "A") == set()  # 8
    assert marks(judged(battle("A spear 0505"), "A", 5, 2, lost=2).state, "A") == {"shaken"}
    near = battle("A spear 0505; L leader 0505")
    assert marks(judged(near, "A", 5, 2, lost=2).state, "A") == set()


# --- the three tests of the sheet ----------------------------------------------------------------

T = "AH13.tests"
SHEET: list[tuple[str, str, str, dict[str, str], Terms]] = [
    ("rest", "A spear 0505 winded", "X orc 0501", {}, []),
    ("rest", "A spear 0505 exhausted", "X orc 0501", {}, [(T, 1)]),
    ("rest", "A spear 0505 winded", "X orc 0501", {"weather": "heat-wave"}, [(T, 1)]),
    ("rest", "A spear 0505 winded", "X orc 0501", {"weather": "rain"}, []),
    ("rest", "A spear 0505 winded", "X orc 0502", {}, [(T, 1)]),  # three hexes
    ("rest", "A spear 0505 winded", "X orc 0502 rout", {}, [(T, 1)]),
    ("rest", "A spear 0505 winded", "X leader 0504", {}, []),
    ("rest", "A spear 0505 winded; L leader 0509", "X orc 0501", {"instructions": "boar=regroup"}, [(T, -1)]),
    ("rest", "A spear 0505 winded; L leader 0510", "X orc 0501", {"instructions": "boar=regroup"}, []),
    ("rest", "A spear 0505 winded; L leader 0505", "X orc 0501", {}, []),
    ("rest", "A spear 0505 winded ordered", "X orc 0501", {}, []),
    ("rest", "A spear 0505 winded", "X orc 0501", {"fire": "0505=start"}, [("AH22.fire", 1)]),
    ("reorganise", "A guard 0505 shaken", "X orc 0501", {}, []),
    ("reorganise", "A guard 0505 shaken winded", "X orc 0501", {"weather": "heat-wave"}, []),
    ("reorganise", "A guard 0505 shaken exhausted", "X orc 0501", {}, [(T, 1)]),
    ("reorganise", "A guard 0505 shaken", "X orc 0502 n", {}, [(T, 1)]),
    ("reorganise", "A guard 0505 shaken", "X orc 0502 rout", {}, [(T, 1)]),
    ("reorganise", "A guard 0505 shaken; L leader 0507", "X orc 0501", {}, [(T, -1)]),
    ("reorganise", "A guard 0505 shaken; L leader 0508", "X orc 0501", {}, []),
    ("reorganise", "A guard 0505 shaken; M chief 0507", "X orc 0501", {}, [(T, -1)]),
    ("reorganise", "A guard 0505 shaken; L leader 0507 wing=heron", "X orc 0501", {}, []),
    ("reorganise", "A guard 0505 shaken", "X orc 0501", {"fire": "0505=start"}, [("AH22.fire", 1)]),
    ("rally", "A guard 0505 rout", "X orc 0500", {}, []),
    ("rally", "A guard 0505 rout winded", "X orc 0500", {}, []),
    ("rally", "A guard 0505 rout exhausted", "X orc 0500", {}, [(T, 1)]),
    ("rally", "A guard 0505 rout", "X orc 0501", {}, [(T, 2)]),  # four hexes
    ("rally", "A guard 0505 rout", "X orc 0501 rout", {}, [(T, 2)]),
    ("rally", "A guard 0505 rout", "X leader 0501", {}, []),
    ("rally", "A guard 0505 rout; L leader 0507", "X orc 0500", {}, [(T, -1)]),
    ("rally", "A guard 0505 rout; M chief 0508", "X orc 0500", {}, []),
    ("rally", "A guard 0505 rout", "X orc 0500", {"fire": "0505=start"}, [("AH22.fire", 1)]),
]


@rule("AH13.tests", "AH22.fire")
@pytest.mark.parametrize(("verb", "league", "horde", "map_", "wanted"), SHEET)
def test_what_is_added_to_the_tests_of_the_sheet(
    verb: str, league: str, horde: str, map_: dict[str, str], wanted: Terms
) -> None:
    state = acting(battle(f"{league}; B spear 0111", horde, **map_))
    assert terms(state, f"{verb} A") == wanted
    play = do(state, f"{verb} A", dice=[1, 1])
    (event,) = [e for e in play.events if e.key == "event.passes"]
    assert int(str(event.values["added"])) == sum(n for _, n in wanted)
    number = {"rest": 8, "reorganise": 9, "rally": 9}[verb]
    assert event.values["number"] == number


NAMED = [
    ("rest A", "A spear 0505 winded", "", "Rest test", "test de Repos"),
    ("reorganise A", "A guard 0505 shaken", "", "Reorganisation test", "test de Réorganisation"),
    ("rally A", "A guard 0505 rout", "", "Rally test", "test de Ralliement"),
    ("reload A", "A archer 0505 spent; M chief 0905", "", "reloading", "rechargement"),
    (
        "change-mode A tortoise",
        "A spear 0505+0605",
        "X orc 0504 contact",
        "Organisation test",
        "test d'Organisation",
    ),
    ("plant-stakes A", "A spear 0505", "", "planting stakes", "planter des pieux"),
    ("remove-stakes A", "A spear 0606", "", "removing the stakes", "retirer les pieux"),
    ("set-fire A", "A spear 0607", "", "setting fire", "mettre le feu"),
    ("douse A", "A spear 0608", "", "putting out the fire", "éteindre le feu"),
    ("work A", "A spear 0609", "", "working the device", "actionner le dispositif"),
]


@rule("A.rest.p1", "A.reorganise.p1", "A.rally.p1", "A.reload.p2", "A.mode.p4", "A.manipulate.p1")
@pytest.mark.parametrize(("line", "league", "horde", "english", "french"), NAMED)
def test_the_log_says_which_test_it_was(
    line: str, league: str, horde: str, english: str, french: str
) -> None:
    there = {"stakes": "0606=n", "inflammable": "0607", "fire": "0608=start", "devices": "winch 0609"}
    state = acting(battle(f"{league}; B spear 0111", horde, **there))
    for dice, words in (([1, 1], ("success", "réussite")), ([6, 6], ("failure", "échec"))):
        (event,) = [e for e in do(state, line, dice=dice).events if "test" in e.values]
        for lang, test, word in zip(("en", "fr"), (english, french), words, strict=True):
            messages = FORMATIONS.folder.messages[lang]
            said = messages.render(event, lambda value, lang=lang: FORMATIONS.name(state, value, lang))
            assert f"{test}, {word}, " in said


@rule("AH13.tests")
@pytest.mark.parametrize("total", range(2, 13))
@pytest.mark.parametrize(
    ("verb", "unit", "better", "worse", "number"),
    [
        ("rest", "A spear 0505 winded", set(), {"winded"}, 8),
        ("reorganise", "A guard 0505 shaken", set(), {"shaken"}, 9),
        ("reorganise", "A spear 0505 shaken ordered", {"ordered"}, {"shaken", "ordered"}, 8),
        ("reorganise", "A goblin 0505 shaken ordered", {"ordered"}, {"shaken", "ordered"}, 6),
        ("rally", "A guard 0505 rout", {"shaken"}, {"rout"}, 9),
        ("rally", "A spear 0505 rout ordered", {"shaken", "ordered"}, {"rout", "ordered"}, 8),
    ],
)
def test_each_test_has_its_number(
    verb: str, unit: str, better: set[str], worse: set[str], number: int, total: int
) -> None:
    state = run(acting(battle(f"{unit}; B spear 0111")), f"{verb} A", dice=pair(total))
    passed = total != 12 and (total <= number or total == 2)
    assert marks(state, "A") - {"activated"} == (better if passed else worse)


@rule("AH13.tests")
def test_two_succeeds_and_twelve_fails_whatever_is_added() -> None:
    hot = acting(
        battle("A spear 0505 exhausted; B spear 0111", "X orc 0503 n", weather="heat-wave", fire="0505=start")
    )
    assert sum(n for _, n in terms(hot, "rest A")) == 4
    assert "winded" in marks(run(hot, "rest A", dice=[1, 1]), "A")
    led = acting(battle("A guard 0505 shaken; L leader 0505"))
    assert "shaken" in marks(run(led, "reorganise A", dice=[6, 6]), "A")


# --- losses --------------------------------------------------------------------------------------


@rule("AH17.losses", "A.def.steps")
@pytest.mark.parametrize("kind", ["spear", "wolf", "troll", "drake", "goblin"])
def test_a_simple_troop_goes_with_its_last_step(kind: str) -> None:
    state = battle(f"A {kind} 0505")
    one = phase(state, Losses(0, 1)).state
    assert (steps(one, "A"), place(one, "A")) == (1, "0505")
    assert place(phase(state, Losses(0, 2)).state, "A") == "gone"
    assert place(phase(one, Losses(0, 1)).state, "A") == "gone"


@rule("AH17.losses", "A.def.figures", "AH21.modes")
def test_a_formation_is_exchanged_for_a_smaller_one_that_keeps_all_else() -> None:
    marks_ = "winded shaken diminished contact mode=tortoise"
    state = battle(f"A spear 0505; F spear 0505+0605 steps=6 {marks_}", "X orc 0101")
    after = phase(state, Losses(1, 3)).state
    assert steps(after, "F") == 3
    assert (place(after, "F"), facing(after, "F"), mode(after, "F")) == ("0505+0605", "n", "tortoise")
    assert marks(after, "F") == {"winded", "shaken", "diminished", "contact"}
    assert pile(after, "0505") == ["A", "F"]
    assert over(after)
    assert FORMATIONS.scene(after, 0, "en").pieces[1].kind.startswith("formation, figures: 2, ")


@rule("AH17.losses")
def test_a_formation_without_steps_is_removed() -> None:
    state = phase(battle("F spear 0505+0605 steps=3"), Losses(0, 3)).state
    assert place(state, "F") == "gone"
    assert over(state)


@rule("AH17.losses")
@pytest.mark.parametrize("hex_", ["0505", "0605"])
@pytest.mark.parametrize(("count", "lost"), [(3, 1), (3, 2), (4, 2), (4, 3)])
def test_of_one_or_two_steps_a_simple_troop_remains(count: int, lost: int, hex_: str) -> None:
    state = phase(
        battle(f"F spear 0505+0605 steps={count}"),
        Losses(0, lost),
    ).state
    assert isinstance(decision(state), RemnantChoice)
    assert decision(state).seat == 0
    assert reach(state, "stay") == {"0505", "0605"}
    assert refusals(state, "stay 0504") == refusals(state, "stay x") == ["AH17.losses"]
    after = run(state, f"stay {hex_}")
    (name,) = units(after)
    assert (place(after, name), steps(after, name), facing(after, name)) == (hex_, count - lost, "n")
    assert marks(after, name) == {"shaken"}  # one level worse
    assert over(after)


@rule("AH17.losses")
def test_what_is_left_keeps_its_state_its_markers_and_its_place() -> None:
    marks_ = "winded diminished activated contact ordered fought"
    formation = f"F spear 0505+0605 steps=3 wing=heron {marks_}"
    state = battle(f"A spear 0605 steps=1; C spear 0605 steps=1; {formation}; B spear 0605 steps=1")
    after = run(phase(state, Losses(2, 1)).state, "stay 0605")
    name = units(after)[-1]
    assert pile(after, "0605") == ["A", "C", name, "B"]
    assert wing(after, name) == "heron"
    assert marks(after, name) == {*marks_.split(), "shaken"}


@rule("AH17.losses", "AH16.rout")
def test_what_is_left_of_a_shaken_formation_runs() -> None:
    state = phase(battle("F spear 0505+0605 steps=3 shaken"), Losses(0, 1)).state
    after = run(state, "stay 0505")
    assert isinstance(decision(after), FlightChoice)
    done = driven(after)
    (name,) = units(done)
    assert marks(done, name) == {"rout"}
    assert place(done, name)[2:] == "10"  # five rows


@rule("AH17.losses", "AH12.cohesion")
def test_what_is_left_takes_no_test_for_these_hits() -> None:
    """A shot takes one of three steps: no dice but those two."""
    state = acting(battle("A archer 0508", "F orc 0506+0606 steps=3"))
    after = run(state, "shoot A F", "stay 0506", dice=[1, 2])
    assert marks(after, units(after)[-1]) == {"shaken"}


# --- rout ----------------------------------------------------------------------------------------


@rule("AH16.rout")
def test_who_goes_into_rout_flees_at_once() -> None:
    play = judged(battle("A spear 0505 shaken"), "A", 6, 5)
    assert isinstance(decision(play.state), FlightChoice)
    assert decision(play.state).seat == 0
    assert reach(play.state, "flee") == {"0506", "0606"}
    assert refusals(play.state, "flee 0504") == refusals(play.state, "flee x") == ["AH16.rout"]
    after = run(play.state, "flee 0506", "flee 0507", "flee 0508", "flee 0509", "flee 0510")
    assert (place(after, "A"), facing(after, "A"), marks(after, "A")) == ("0510", "s", {"rout"})
    assert over(after)


@rule("AH16.rout", "AH7.move")
@pytest.mark.parametrize(
    ("kind", "points"), [("spear", 5), ("guard", 4), ("wolf", 8), ("troll", 6), ("goblin", 5), ("drake", 6)]
)
def test_a_rout_goes_with_all_points_and_one_more(kind: str, points: int) -> None:
    after = fled(battle(f"A {kind} 0502 rout"))
    assert place(after, "A")[2:] == f"{2 + points:02}"
    formed = fled(battle(f"F {kind} 0502+0602 rout"))
    assert place(formed, "F")[2:4] == f"{2 + points:02}"


@rule("AH16.rout")
@pytest.mark.parametrize("kept", ["tortoise", "rank-rotation", "hedgehog", "shield-wall"])
def test_modes_do_not_limit_a_flight(kept: str) -> None:
    after = fled(battle(f"F spear 0502+0602 rout mode={kept}"))
    assert place(after, "F")[2:4] == "07"
    assert mode(after, "F") == kept


@rule("AH16.rout")
def test_each_side_runs_to_its_own_edge_and_faces_it() -> None:
    after = fled(battle("A spear 0503 n rout", "X orc 0908 s rout"))
    assert (place(after, "A")[2:], facing(after, "A")) == ("08", "s")
    assert (place(after, "X")[2:], facing(after, "X")) == ("03", "n")


@rule("AH16.rout", "AH3.turn")
@pytest.mark.parametrize("first", SEATS)
def test_all_units_in_rout_run_in_every_end_phase_and_the_first_side_first(first: str) -> None:
    state = phase(battle("A spear 0503 rout; B spear 0303", "X orc 0908 rout"), Routs(), first=first).state
    assert decision(state).seat == SEATS.index(first)
    after = driven(state)
    assert [place(after, name)[2:] for name in "ABX"] == ["08", "03", "03"]
    assert place(fled(after), "X") == "gone"  # the next end phase: over the edge


@rule("AH16.rout", "A.def.terrain")
@pytest.mark.parametrize(
    ("map_", "end"),
    [
        ({"rough": f"{row(5)} {row(6)}"}, "07"),  # 2 + 2 + 1
        ({"rough": f"{row(5)} {row(6)} {row(7)}"}, "06"),  # one point left is not enough
        ({"difficult": row(5)}, "07"),  # 3 + 1 + 1
        ({"difficult": f"{row(5)} {row(6)}"}, "05"),
    ],
)
def test_the_costs_of_terrain_count(map_: dict[str, str], end: str) -> None:
    assert place(fled(battle("A spear 0504 rout", **map_)), "A")[2:] == end


@rule("AH16.rout")
def test_facing_turns_stakes_and_fronts_of_enemies_do_not_matter() -> None:
    state = battle(
        "A spear 0504 n rout", "X orc 0406 se; Y orc 0706 sw"
    )  # they have 0506 and 0606 before them
    assert place(fled(state), "A")[2:] == "09"


@rule("AH16.rout")
@pytest.mark.parametrize(
    ("unit", "horde", "map_", "wanted"),
    [
        ("A spear 0505", "X orc 0506", {}, {"0606"}),
        ("A spear 0505", "", {"fire": "0606=blaze"}, {"0506"}),
        ("A spear 0505", "C leader 0506", {}, {"0506", "0606"}),
        ("A spear 0505", "", {"fire": "0606=start"}, {"0506", "0606"}),
        ("A spear 0505", "", {"difficult": "0506"}, {"0506", "0606"}),
        ("A spear 0505+0605", "", {"difficult": "0506"}, {"0606"}),
        ("A spear 0505+0605", "X orc 0706", {}, {"0506"}),
        ("A spear 0505+0605", "", {}, {"0506", "0606"}),
    ],
)
def test_which_hexes_of_the_next_row_are_open(
    unit: str, horde: str, map_: dict[str, str], wanted: set[str]
) -> None:
    """What the left hex may go to: the owner chooses if there are two ways."""
    state = phase(battle(f"{unit} rout", horde, **map_), Routs()).state
    if len(wanted) == 2:
        assert reach(state, "flee") == wanted
    else:  # the first step was made without asking
        (hex_,) = wanted
        assert place(state, "A").split("+")[0] == hex_


@rule("AH16.rout")
def test_a_way_that_is_too_dear_is_no_choice() -> None:
    """With one point left only the Clear hex can be entered."""
    state = phase(battle("A spear 0505 rout", rough="0506 0606 0407 0507 0607 0508"), Routs()).state
    state = run(state, "flee 0506", "flee 0507")  # 4 of 5 points: then 0508 is Rough, 0608 is Clear
    assert over(state)
    assert place(state, "A") == "0608"


@rule("AH16.rout", "AH2.footprint")
@pytest.mark.parametrize(
    ("unit", "wanted"),
    [
        ("F spear 0504+0604 n", "s"),
        ("F spear 0504+0604 s", "s"),
        ("F spear 0505+0606 ne", "sw"),
        ("F spear 0505+0606 sw", "sw"),
        ("F spear 0505+0506 nw", "se"),
        ("F spear 0505+0506 se", "se"),
    ],
)
def test_a_formation_shifts_both_hexes_and_faces_its_edge_as_nearly_as_it_can(unit: str, wanted: str) -> None:
    state = battle(f"{unit} rout")
    before_ = set(place(state, "F").split("+"))
    after = fled(state)
    assert facing(after, "F") == wanted
    rows = sorted(int(hex_[2:]) for hex_ in place(after, "F").split("+"))
    assert rows == [int(hex_[2:]) + 5 for hex_ in sorted(before_, key=lambda hex_: hex_[2:])]


@rule("AH16.rout", "AH27.victory")
@pytest.mark.parametrize(("start", "wanted"), [("0506", "11"), ("0507", "gone"), ("0511", "gone")])
def test_to_leave_the_map_takes_one_point_and_loses_the_unit(start: str, wanted: str) -> None:
    after = fled(battle(f"A spear {start} rout"))
    assert place(after, "A")[-2:] == wanted[-2:]
    assert (place(after, "A") == "gone") == (wanted == "gone")


@rule("AH16.rout")
def test_a_formation_is_at_the_edge_with_either_hex() -> None:
    assert place(fled(battle("F spear 0510+0511 ne rout")), "F") == "gone"
    assert place(fled(battle("F spear 0505+0606 ne rout")), "F") != "gone"  # its lower hex reaches row 11
    assert place(fled(battle("F spear 0506+0507 ne rout")), "F") == "gone"  # there it has a point left


@rule("AH16.rout", "AH17.losses")
def test_who_cannot_get_on_by_a_single_hex_is_lost() -> None:
    assert place(fled(battle("A spear 0505 rout", "X orc 0506; Y orc 0606")), "A") == "gone"
    assert place(fled(battle("A spear 0505 rout", fire="0506=blaze 0606=blaze")), "A") == "gone"
    assert place(fled(battle("F spear 0505+0605 rout", difficult="0606")), "F") == "gone"
    stopped = fled(battle("A spear 0505 rout", "X orc 0407; Y orc 0507; Z orc 0606"))
    assert place(stopped, "A") == "0506"  # one hex, and no farther


@rule("AH16.rout", "AH18.stacking")
def test_it_passes_friends_and_halts_in_the_last_hex_with_room() -> None:
    full = "P wolf 0510; Q spear 0510"
    state = phase(battle(f"A spear 0505 rout; {full}"), Routs()).state
    way = ("flee 0506", "flee 0507", "flee 0508", "flee 0509", "flee 0510")
    assert place(run(state, *way), "A") == "0509"
    more = f"{full}; R wolf 0509; S spear 0509"
    state = phase(battle(f"A spear 0505 rout; {more}"), Routs()).state
    assert place(run(state, *way), "A") == "0508"


@rule("AH16.rout")
def test_who_finds_no_room_anywhere_stays_where_it_was() -> None:
    full = "; ".join(f"P{n} wolf 0{c}06; Q{n} spear 0{c}06" for n, c in enumerate("56"))
    state = battle(f"A spear 0505 rout; {full}", "X orc 0407; Y orc 0507; Z orc 0607")
    after = fled(state)
    assert (place(after, "A"), facing(after, "A")) == ("0505", "s")


@rule("AH16.rout", "AH29.stack_order")
def test_who_stays_where_it_was_keeps_its_place_in_the_pile() -> None:
    full = "; ".join(f"P{n} wolf 0{c}06; Q{n} spear 0{c}06" for n, c in enumerate("56"))
    state = battle(f"A spear 0505 rout; B spear 0505; {full}", "X orc 0407; Y orc 0507; Z orc 0607")
    state = run(phase(state, Routs()).state, "flee 0506")
    assert over(state)
    assert pile(state, "0505") == ["A", "B"]


@rule("AH16.rout", "AH29.stack_order")
@pytest.mark.parametrize(("line", "wanted"), [("in-front", ["A", "P"]), ("behind", ["P", "A"])])
def test_who_flees_to_friends_goes_before_or_behind_them(line: str, wanted: list[str]) -> None:
    """AH29 knows no exception for flights."""
    state = phase(battle("A spear 0505 rout; P spear 0510"), Routs()).state
    state = run(state, "flee 0506", "flee 0507", "flee 0508", "flee 0509", "flee 0510")
    assert isinstance(decision(state), Ranking)
    assert pile(run(state, line), "0510") == wanted


@rule("AH16.rout")
def test_what_units_in_rout_can_do_when_they_are_activated() -> None:
    """Rest, rally and break, and nothing else of what others may do."""
    unit = "A archer 0505 rout winded ordered diminished"
    state = acting(battle(f"{unit}; B spear 0101", "X orc 0502 n", inflammable="0505", sources="league=0506"))
    assert {line for line in legal_lines(state) if " A" in line} == {"rest A", "rally A"}
    for line in ("move A", "shoot A X", "reload A", "set-fire A", "plant-stakes A", "merge A B"):
        assert refusals(state, line)[0] == "AH16.rout", line
    formed = acting(battle("F spear 0505+0605 rout winded ordered; B spear 0101"))
    assert {line.split()[0] for line in legal_lines(formed) if " F" in line} == {"rest", "rally", "break"}
    for line in ("move F", "change-mode F tortoise", "join F", "leave F 0505"):
        assert refusals(formed, line)[0] == "AH16.rout", line


# --- characters ----------------------------------------------------------------------------------


@rule("AH28.characters")
def test_what_a_character_is() -> None:
    state = battle("L leader 0505; M chief 0606")
    for name in "LM":
        kind = kind_of(state, index(state, name))
        assert (kind.small, kind.capacity, kind.weapon) == (True, "superior", "")
        assert steps(state, name) == 0
    assert {line.split()[0] for line in legal_lines(acting(state)) if " L" in line} == {
        "move",
        "plant-stakes",
    }


@rule("AH28.characters", "A.def.orientation")
@pytest.mark.parametrize("corner", ["ne", "se", "s", "sw", "nw", "n"])
def test_a_character_chooses_its_facing_where_it_matters(corner: str) -> None:
    state = acting(battle("L leader 0505; B spear 0101"))
    after = run(state, f"plant-stakes L {corner}", dice=[1, 2])
    assert stakes(after, "0505") == corner
    assert refusals(state, "plant-stakes B s") == ["A.plant_stakes.p4"]
    assert refusals(state, "plant-stakes L") == ["A.plant_stakes.p4"]


@rule("AH28.characters")
def test_a_character_manipulates_with_nine() -> None:
    state = acting(battle("L leader 0505; B spear 0101"))
    assert terms(state, "plant-stakes L n") == [("A.plant_stakes.p2", 2), ("A.manipulate.m5", 2)]
    assert stakes(run(state, "plant-stakes L n", dice=[2, 3]), "0505") == "n"  # 5 + 4 is 9
    assert stakes(run(state, "plant-stakes L n", dice=[3, 3]), "0505") == ""


def entered(
    state: FormationsState, *dice: int, lines: tuple[str, ...] = ("step-to 0504",)
) -> FormationsState:
    return run(moving(state, "A"), *lines, dice=dice)


@rule("AH28.characters", "A.def.cinc")
@pytest.mark.parametrize("kind", ["leader", "chief"])
@pytest.mark.parametrize("face", range(1, 7))
def test_a_character_whose_hex_an_enemy_enters_is_in_danger(kind: str, face: int) -> None:
    state = battle("A spear 0505; B spear 0101", f"C {kind} 0504; X orc 0400; Y orc 0700")
    after = entered(state, face)
    assert place(after, "C") == ("gone" if face <= 3 else "0400")


@rule("AH28.characters")
@pytest.mark.parametrize(
    ("friends", "wanted"),
    [
        ("X orc 0500; Y orc 0603", "0603"),  # four hexes and two
        ("X orc 0603; Y orc 0500", "0603"),
        ("X orc 0603 rout; Y orc 0500", "0500"),
        ("X orc 0500; Y orc 0603 shaken", "0603"),
        ("X orc 0703 rout", "gone"),
        ("D leader 0503 wing=red", "gone"),
        ("", "gone"),
    ],
)
def test_it_goes_to_the_nearest_friendly_troop_that_is_not_in_rout(friends: str, wanted: str) -> None:
    state = battle("A spear 0505; B spear 0101", f"C leader 0504; {friends}")
    assert place(entered(state, 6), "C") == wanted


@rule("AH28.characters")
def test_a_troop_that_only_passes_endangers_too_and_goes_on() -> None:
    state = battle("A wolf 0505; B spear 0101", "C leader 0504; X orc 0700")
    after = entered(state, 1, lines=("step-to 0504", "step-to 0503"))
    assert (place(after, "A"), place(after, "C")) == ("0503", "gone")


@rule("AH28.characters", "AH10.charge")
@pytest.mark.parametrize("hex_", ["0504", "0503"])
def test_a_charge_endangers_whoever_is_on_its_way(hex_: str) -> None:
    state = acting(battle("A spear 0505; B spear 0101", f"X orc 0502; C leader {hex_}", difficult="0604"))
    assert place(run(state, "charge A 0503", dice=[2]), "C") == "gone"


@rule("AH28.characters", "AH8.engage", "AH7.move")
def test_a_formation_endangers_with_both_hexes_and_so_does_who_disengages() -> None:
    state = battle("A spear 0505+0605; B spear 0101", "C leader 0604; D chief 0504; X orc 0900")
    after = entered(state, 1, 1)
    assert [place(after, name) for name in "CD"] == ["gone", "gone"]
    wheeled = entered(
        battle("A spear 0505+0605; B spear 0101", "C leader 0604; X orc 0900"), 1, lines=("wheel 0505 0604",)
    )
    assert place(wheeled, "C") == "gone"
    state = acting(battle("A spear 0505; B spear 0101", "X orc 0504; C leader 0606"))
    assert place(run(state, "disengage A 0606", dice=[3]), "C") == "gone"


@rule("AH28.characters")
def test_a_character_endangers_nobody_and_friends_none_either() -> None:
    state = battle("L leader 0505; B spear 0101", "C leader 0504; X orc 0900")
    assert place(run(moving(state, "L"), "step-to 0504"), "C") == "0504"
    state = battle("A spear 0505; L leader 0504", "X orc 0900")
    assert place(run(moving(state, "A"), "step-to 0504"), "L") == "0504"


@rule("AH28.characters", "AH16.rout")
def test_a_troop_in_rout_that_runs_endangers_nobody() -> None:
    after = fled(battle("A spear 0505 rout", "C leader 0506; D chief 0606; X orc 0900"))
    assert [place(after, name) for name in "CD"] == ["0506", "0606"]


@rule("AH28.characters")
@pytest.mark.parametrize(("face", "wanted"), [(3, "gone"), (4, "0900")])
def test_it_is_in_danger_when_the_last_troop_with_it_is_destroyed(face: int, wanted: str) -> None:
    state = acting(battle("A archer 0508; B spear 0101", "X orc 0506 steps=1; C leader 0506; Y orc 0900"))
    after = run(state, "shoot A X", dice=[1, 2, face])
    assert [place(after, name) for name in "XC"] == ["gone", wanted]


@rule("AH28.characters")
def test_with_another_troop_there_it_is_safe() -> None:
    state = acting(battle("A archer 0508; B spear 0101", "X orc 0506 steps=1; Y orc 0506; C leader 0506"))
    assert place(run(state, "shoot A X", dice=[1, 2]), "C") == "0506"
    formed = phase(battle("F spear 0505+0605 steps=3; L leader 0605"), Losses(0, 1)).state
    assert place(run(formed, "stay 0605"), "L") == "0605"


@rule("AH28.characters")
@pytest.mark.parametrize(("face", "wanted"), [(1, "gone"), (5, "0202")])
def test_it_is_in_danger_with_a_troop_that_is_cut_off(face: int, wanted: str) -> None:
    state = battle("A spear 0505 rout; L leader 0505; B spear 0202", "X orc 0506; Y orc 0606")
    after = phase(state, Routs(), dice=[face]).state
    assert [place(after, name) for name in "AL"] == ["gone", wanted]


def routed(units_: str) -> FormationsState:
    """A, Shaken, fails its test."""
    return judged(battle(f"A spear 0505 shaken; {units_}"), "A", 6, 5).state


@rule("AH28.characters", "AH16.rout")
def test_when_its_troop_routs_a_character_goes_along_or_stays() -> None:
    state = routed("L leader 0505")
    assert isinstance(decision(state), GoAlong)
    assert decision(state).seat == 0
    assert legal_lines(state) == ["follow", "remain"]
    way = ("flee 0506", "flee 0507", "flee 0508", "flee 0509", "flee 0510")
    along = run(state, "follow", *way)
    assert place(along, "A") == place(along, "L") == "0510"
    alone = run(state, "remain", *way)
    assert (place(alone, "A"), place(alone, "L")) == ("0510", "0505")
    assert over(alone)


@rule("AH28.characters")
def test_each_character_is_asked_for_itself() -> None:
    state = routed("L leader 0505; M chief 0505")
    after = driven(run(state, "follow", "remain"))
    there = [name for name in "LM" if place(after, name) == place(after, "A")]
    assert len(there) == 1
    assert {place(after, name) for name in "LM" if name not in there} == {"0505"}


@rule("AH28.characters")
def test_characters_elsewhere_or_of_the_enemy_are_not_asked() -> None:
    assert isinstance(decision(routed("L leader 0506")), FlightChoice)
    state = judged(battle("A spear 0505 shaken", "C leader 0505"), "A", 6, 5).state
    assert isinstance(decision(state), FlightChoice)


@rule("AH28.characters")
@pytest.mark.parametrize("start", ["0509", "0511"])
def test_a_character_stays_behind_if_the_troop_runs_off_the_map(start: str) -> None:
    state = judged(battle(f"A spear {start} shaken; L leader {start}; B spear 0101"), "A", 6, 5).state
    after = driven(run(state, "follow"))
    assert (place(after, "A"), place(after, "L")) == ("gone", start)


@rule("AH28.characters")
def test_the_log_says_that_a_character_stays_behind_after_all() -> None:
    state = judged(battle("A spear 0511 shaken; L leader 0511; B spear 0101"), "A", 6, 5).state
    play = apply(state, parse_action(FORMATIONS, "follow"), Scripted([]))
    assert told(play)[-3:] == [
        ("AH16.rout", "event.runs_off"),
        ("AH17.losses", "event.lost"),
        ("AH28.characters", "event.left_behind"),
    ]


@rule("AH28.characters")
def test_who_runs_over_the_edge_endangers_no_character_that_it_passes() -> None:
    """M stands at the edge by himself; A only runs through his hex and off the map."""
    state = battle("A spear 0510 rout; M chief 0511; N leader 0411; B spear 0101")
    after = fled(state)
    assert [place(after, name) for name in "AMN"] == ["gone", "0511", "0411"]


@rule("AH28.characters", "AH4.activation")
def test_after_a_danger_the_move_goes_on() -> None:
    state = battle("A spear 0505; B spear 0101", "C leader 0504; X orc 0900")
    after = entered(state, 1, lines=("step-to 0504", "halt"))
    assert decision(after) == WingTurn(0, 0)


# --- units that are made -------------------------------------------------------------------------


@rule("AH30.new_units", "A.def.type_wing", "A.def.position")
def test_a_unit_that_is_made_has_type_wing_and_facing_of_its_parts_and_stands_on_the_ground() -> None:
    state = acting(battle("A spear 0505 ordered wing=heron; B spear 0605 ordered wing=heron"), "heron")
    after = run(state, "constitute A B")
    (name,) = units(after)
    i = index(after, name)
    assert kind_of(after, i) is kind_of(state, 0)
    assert (wing(after, name), facing(after, name), after.position[i], after.side[i]) == ("heron", "n", 0, 0)
    assert mode(after, name) == "march"


@rule("AH30.new_units", "A.merge.c2")
@pytest.mark.parametrize(("line", "wanted"), [("merge A B", "boar"), ("merge B A", "heron")])
def test_of_two_wings_the_owner_chooses(line: str, wanted: str) -> None:
    units_ = "A spear 0505 steps=1 ordered; B spear 0505 steps=1 ordered wing=heron; C spear 0101"
    after = run(acting(battle(units_), wanted), line)
    assert wing(after, units(after)[-1]) == wanted


@rule("AH30.new_units")
def test_two_steps_are_the_original_number_of_a_troop_that_was_made() -> None:
    """A formation of regenerating troops breaks up; one troop of a single step grows to two, and no more."""
    state = acting(
        battle("F kin 0505+0605 steps=3 winded ordered; B kin 0101", types="kin troll profile=superior")
    )
    after = run(state, "break F 2")
    (name,) = [n for n in units(after) if steps(after, n) == 1]
    after.flags = [0] * len(after.flags)
    after.fatigue[index(after, name)] = 2
    grown = run(acting(after), f"rest {name}", dice=[3, 3])
    assert steps(grown, name) == 2
    grown.flags = [0] * len(grown.flags)
    assert steps(run(acting(grown), f"rest {name}", dice=[2, 2]), name) == 2


@rule("AH30.new_units", "AH21.modes")
def test_troops_that_leave_are_like_their_formation_and_it_keeps_its_mode() -> None:
    units_ = "F spear 0505+0605 steps=6 ordered mode=tortoise wing=heron; B spear 0101 wing=heron"
    after = run(acting(battle(units_), "heron"), "leave F 0605")
    name = units(after)[-1]
    assert kind_of(after, index(after, name)) is kind_of(after, 0)
    assert (wing(after, name), place(after, name), steps(after, name)) == ("heron", "0605", 2)
    assert mode(after, "F") == "tortoise"
