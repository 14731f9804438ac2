"""Free building: points, refusals, secrets, own designs, and whole games."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from legatus.bots import make_bot
from legatus.games import GAMES
from legatus.games.onus import ONUS
from legatus.games.onus.battlefield import enlist
from legatus.games.onus.building import (
    Appoint,
    Buy,
    Enlisting,
    Fortifying,
    GiveBack,
    Lead,
    Raise,
    is_building,
)
from legatus.games.onus.design import of_walk, read_fortress, ready, walk_of
from legatus.games.onus.market import cheapest, counts, price_of, spent
from legatus.games.onus.motion import REGULAR
from legatus.games.onus.movement import Moving
from legatus.games.onus.orders import Done
from legatus.games.onus.pieces import Slide
from legatus.games.onus.setup import Deploying
from legatus.games.onus.siege import units_points, works_points
from legatus.games.onus.state import ACTIVATED, FIELD, SIEGE_TOWER, TRENCH, WATCHTOWER, OnusState
from legatus.kernel import (
    Action,
    BadFile,
    Match,
    Play,
    Scripted,
    Seeded,
    apply,
    legal,
    parse_action,
    playout,
    say,
    start,
    why_not,
)
from legatus.kernel.records import parse_position, parse_record, position_text, record_text
from legatus.parts.plane import Pose
from legatus.scene.text import render
from tests.rules import rule

ATTACKER, DEFENDER = 0, 1
STANDARD = Raise(("standard",), "wood")
ARMY = [Buy("triarii"), Buy("archers"), Done()]


def new(points: str = "1500", **building: Any) -> OnusState:
    setup = ONUS.configure("free-siege", points=points)
    setup.scenario["building"].update(building)
    return start(ONUS, ONUS.validate(setup), Scripted()).state


def done(state: OnusState, *actions: Action) -> OnusState:
    """The state after these actions."""
    for action in actions:
        state = apply(state, action, Seeded("1")).state
    return state


def last(state: OnusState, action: Action) -> Play:
    return apply(state, action, Seeded("1"))


def reasons(state: OnusState, action: Action) -> list[tuple[str, str]]:
    return [(refusal.clause, refusal.key) for refusal in why_not(state, action)]


def attacker(points: str = "1500", defender: Sequence[Action] = (STANDARD, Done(), *ARMY)) -> OnusState:
    """The attacker's turn to buy."""
    return done(new(points), *defender)


def walk(text: str, material: str = "wood") -> Raise:
    return Raise(tuple(text.split()), material)


# --- the order of it -----------------------------------------------------------------------------


@rule("O7.points.defender-first", "O7.points.units", "OH.army.1")
def test_the_defender_builds_first_then_enlists_then_the_attacker_buys_then_both_deploy() -> None:
    state = new()
    assert state.decision == Fortifying(DEFENDER)
    state = done(state, STANDARD, Done())
    assert state.decision == Enlisting(DEFENDER)
    state = done(state, *ARMY)
    assert state.decision == Enlisting(ATTACKER)
    state = done(state, Buy("hastati"), Buy("ram"), Done())
    assert state.decision == Deploying(DEFENDER)
    assert not is_building(state)
    assert [unit.id for unit in state.roster.units] == ["a-hastati-1", "d-triarii-1", "d-archers-1"]
    assert len(state.roster.keep.pieces) == 12
    assert state.roster.rams == 1


@rule("O7.points.defender-first", "O7.points.units")
def test_both_sums_are_announced_when_they_are_settled() -> None:
    state = done(new(), STANDARD, Buy(TRENCH))
    works = last(state, Done())
    assert [(event.clause, event.values["points"], event.to) for event in works.events] == [
        ("O7.points.defender-first", 640, None)
    ]
    assert works.sealed
    units = last(done(works.state, *ARMY[:-1]), Done())
    assert [(event.clause, event.values["points"]) for event in units.events] == [("O7.points.units", 200)]
    assert units.state.roster.site.told == (640, 200)


@rule("OH.army.1")
def test_lists_are_opened_when_both_have_bought() -> None:
    play = last(done(attacker(), Buy("hastati"), Buy("hastati"), Buy("ram")), Done())
    opened = [event for event in play.events if event.key == "event.list_opened"]
    assert [(event.values["side"], event.values["points"]) for event in opened] == [
        ("attacker", 120 + 12 + 20),
        ("defender", 630 + 200 + 20),
    ]
    text = ONUS.folder.messages["en"].render(opened[0], lambda word: ONUS.name(play.state, word, "en"))
    assert text == "The attacker, list for 152 points: 2 × Hastati, 1 × ram."
    assert play.sealed


@rule("OH.army.1", "O7.victory.defender.deck")
@pytest.mark.parametrize(("points", "decks"), [("1000", 2), ("1500", 2), ("2000", 3)])
def test_the_option_says_how_many_points_each_side_has(points: str, decks: int) -> None:
    roster = enlist(ONUS.configure("free-siege", points=points))
    assert roster.site.points == int(points)
    assert roster.goals.decks == decks


# --- points --------------------------------------------------------------------------------------


@rule("OH.army.2", "OH.general.1")
def test_the_defender_pays_for_fortress_works_and_units_out_of_one_total() -> None:
    state = done(new("1000"), Raise(("few-towers",), "wood"), Buy(WATCHTOWER), Done())
    assert spent(state.roster, DEFENDER) == 590
    state = done(state, Buy("triarii"), Buy("triarii"))
    assert spent(state.roster, DEFENDER) == 590 + 280 + 28
    assert reasons(state, Buy("sacred-band")) == [("OH.army.2", "refusal.too_dear")]
    state = done(state, Buy("hastati"), Buy("armed-civilians"))
    assert spent(state.roster, DEFENDER) == 590 + 360 + 36
    assert reasons(state, Buy("armed-civilians")) == [("OH.army.2", "refusal.too_dear")]


@rule("OH.army.3", "OH.general.1")
def test_the_attacker_pays_for_units_rams_and_siege_towers_out_of_one_total() -> None:
    state = done(attacker("1000"), *[Buy("triarii")] * 6, Buy("siege-tower"))
    assert spent(state.roster, ATTACKER) == 840 + 84 + 70
    assert reasons(state, Buy("ram")) == [("OH.army.3", "refusal.too_dear")]
    state = done(state, GiveBack("siege-tower-1"), *[Buy("ram")] * 3)
    assert spent(state.roster, ATTACKER) == 840 + 84 + 60
    assert legal(state)[-1] == Done()


@rule("OH.army.1")
def test_points_are_spent_to_the_last_one() -> None:
    state = done(attacker("1000"), *[Buy("hastati")] * 10, *[Buy("velites")] * 4)  # 800 and 80
    state = done(state, Buy("siege-tower"), Buy("armed-civilians"), Buy("ram"))
    assert spent(state.roster, ATTACKER) == 1000 - 8
    state = done(state, GiveBack("a-armed-civilians-1"), Buy("ram"), GiveBack("ram-2"))
    assert spent(state.roster, ATTACKER) == 970
    affordable = [action.good for action in legal(state) if isinstance(action, Buy)]
    assert affordable == ["armed-civilians", "ram"]


@rule("OH.army.1", "OH.army.2")
def test_a_fortress_leaves_enough_for_one_unit() -> None:
    state = done(new("1000"), Raise(("gatehouse",), "stone"), Buy(WATCHTOWER))  # 860 and 80
    state = done(state, *[Buy(TRENCH)] * 3)
    assert cheapest() == 22
    assert reasons(state, Buy(TRENCH)) == [("OH.army.2", "refusal.too_dear")]
    assert reasons(state, Raise(("standard",), "stone")) == [("OH.army.2", "refusal.too_dear")]
    state = done(state, Done())
    assert [action for action in legal(state) if isinstance(action, Buy)] == [Buy("armed-civilians")]


@rule("OH.army.2", "OH.army.3")
def test_each_side_needs_a_unit_and_the_defender_a_fortress() -> None:
    assert reasons(new(), Done()) == [("O7.points.defender-first", "refusal.no_fortress")]
    assert reasons(done(new(), STANDARD, Done()), Done()) == [("OH.army.2", "refusal.no_units")]
    assert reasons(attacker(), Done()) == [("OH.army.3", "refusal.no_units")]
    assert reasons(done(attacker(), Buy("ram")), Done()) == [("OH.army.3", "refusal.no_units")]
    assert not reasons(done(attacker(), Buy("velites")), Done())


@rule("O7.points.defender-first")
def test_the_defender_has_two_artillery_units_at_most_and_the_attacker_any_number() -> None:
    bought = [Buy("onager"), Buy("scorpion")]
    state = done(new(), STANDARD, Done(), *bought)
    assert reasons(state, Buy("ballista")) == [("O7.points.defender-first", "refusal.artillery")]
    assert not reasons(done(attacker(), *bought), Buy("ballista"))


@rule("OH.army.1")
def test_the_scenario_limits_the_number_of_units() -> None:
    state = done(new(units=2), STANDARD, Done(), Buy("velites"), Buy("archers"))
    assert reasons(state, Buy("velites")) == [("OH.army.2", "refusal.no_more")]
    assert reasons(done(attacker(), *[Buy("ram")] * 6), Buy("ram")) == [("OH.army.3", "refusal.no_more")]


@rule("OH.army.2", "OH.army.3")
def test_what_is_not_for_sale() -> None:
    assert reasons(new(), Buy("triarii")) == [("OH.army.2", "refusal.not_for_sale")]
    assert reasons(done(new(), STANDARD, Done()), Buy("ram")) == [("OH.army.2", "refusal.not_for_sale")]
    for good in (TRENCH, "tower", "zz"):
        assert reasons(attacker(), Buy(good)) == [("OH.army.3", "refusal.not_for_sale")]


@rule("OH.army.1")
def test_the_last_one_of_a_kind_can_be_given_back() -> None:
    before = done(attacker(), Buy("hastati"), Buy("hastati"), Buy("siege-tower"))
    assert done(before, Buy("ram"), GiveBack("ram-1")) == before
    assert done(before, Buy("hastati"), GiveBack("a-hastati-3")) == before
    for thing in ("a-hastati-1", "a-triarii-1", "d-triarii-1", "ram-1", "wall-1", "zz"):
        assert reasons(before, GiveBack(thing)) == [("OH.army.3", "refusal.not_bought")]


# --- the general ---------------------------------------------------------------------------------


@rule("OH.general.1")
def test_a_better_general_costs_a_greater_part_and_must_be_paid() -> None:
    state = done(attacker("1000"), *[Buy("triarii")] * 5)
    assert spent(state.roster, ATTACKER) == 770
    led = done(state, Appoint("general-8"))
    assert spent(led.roster, ATTACKER) == 875
    assert led.roster.leadership == (8, 6)
    assert {unit.general for unit in led.roster.units if unit.side == ATTACKER} == {8, 0}
    full = done(state, Buy("triarii"))
    assert reasons(full, Appoint("general-7")) == [("OH.army.3", "refusal.too_dear")]
    for name in ("general-6", "general-9", "zz"):
        assert reasons(full, Appoint(name)) == [("OH.general.1", "refusal.no_such_general")]


@rule("OH.general.2")
def test_the_general_rides_with_the_first_unit_or_with_another_one() -> None:
    def with_him(state: OnusState) -> list[str]:
        return [unit.id for unit in state.roster.units if unit.general and unit.side == ATTACKER]

    state = done(attacker(), Buy("velites"), Buy("velites"), Buy("archers"))
    assert with_him(state) == ["a-velites-1"]
    moved = done(state, Lead("a-archers-1"))
    assert with_him(moved) == ["a-archers-1"]
    assert with_him(done(moved, Buy("triarii"))) == ["a-archers-1"]
    assert with_him(done(moved, GiveBack("a-archers-1"))) == ["a-velites-1"]
    for unit in ("a-velites-1", "a-velites-2", "a-triarii-1", "d-triarii-1"):
        assert reasons(state, Lead(unit)) == [("OH.general.2", "refusal.no_escort")]


# --- the fortress --------------------------------------------------------------------------------


@rule("O7.deploy.fortress")
@pytest.mark.parametrize("name", ready())
def test_every_ready_design_stands_at_the_middle_of_the_edge(name: str) -> None:
    state = done(new("2000"), Raise((name,), "wood"))
    west, north, east, south = state.roster.keep.shape.bounds
    assert (round(north), round((west + east) / 2)) == (0, state.roster.width // 2)
    assert spent(state.roster, DEFENDER) == read_fortress(name).cost
    gate = next(one for one in state.roster.structures if one.kind == "gate")
    assert gate.pose.turn == 1800
    assert gate.pose.y > south - 100


@rule("O7.design.material", "O7.design.stone-cost")
def test_a_fortress_replaces_the_one_before() -> None:
    state = done(new(), STANDARD, Raise(("small",), "stone"))
    assert spent(state.roster, DEFENDER) == 580
    assert {one.material for one in state.roster.structures} == {"stone"}
    assert done(state, STANDARD) == done(new(), STANDARD)


@rule("O7.design.continuity", "OH.piece.2")
def test_an_own_design_is_a_walk() -> None:
    own = walk("tower-right wall gate corner wall corner wall wall corner wall", "stone")
    assert say(own).startswith("raise tower-right>wall>gate>corner>wall")
    assert parse_action(ONUS, say(own)) == own
    state = done(new(), own)
    assert [one.kind for one in state.roster.structures][:4] == ["tower", "wall", "gate", "corner"]
    assert spent(state.roster, DEFENDER) == 2 * (80 + 5 * 40 + 30 + 3 * 20)


@rule("O7.design.edge")
def test_an_own_design_may_be_open_along_the_edge() -> None:
    own = walk("edge wall corner gate wall corner wall")
    state = done(new(), own)
    assert round(state.roster.keep.shape.bounds[1]) == 0
    assert not done(state, Done(), *ARMY, Buy("hastati"), Done()).outcome


@pytest.mark.parametrize("name", ready())
def test_a_design_becomes_a_walk_and_a_walk_a_design(name: str) -> None:
    fortress = read_fortress(name)
    assert of_walk(walk_of(fortress), "wood").pieces == fortress.pieces
    mixed = of_walk(("stone-tower-right", "gap-1.5", "wooden-gate"), "wood")
    assert walk_of(mixed) == ("stone-tower-right", "gap-1.5", "gate")


def closed(front: str) -> Raise:
    return walk(f"{front} corner wall corner wall wall corner wall")


@rule("O7.design.continuity", "O7.design.gate", "O7.design.material", "OH.piece.1", "OH.piece.2")
@pytest.mark.parametrize(
    ("action", "clause"),
    [
        (closed("tower-right wall wall"), "O7.design.gate"),
        (closed("tower-right wall stone-gate"), "O7.design.material"),
        (closed("stone-tower-right wall gate"), "O7.design.material"),
        (closed("tower-right gap-1.76 gate"), "O7.design.continuity"),
        (walk("tower-right wall gate corner wall corner wall"), "OH.piece.2"),
        (walk("tower-right wall gate corner wall corner wall wall wall corner wall"), "OH.piece.2"),
        (walk("gate"), "OH.piece.2"),
        (walk("zz"), "OH.piece.1"),
        (walk(""), "OH.piece.1"),
        (Raise(("standard",), "straw"), "OH.piece.1"),
        (Raise(("wall",) * 100, "wood"), "OH.piece.1"),
        (walk("edge standard"), "OH.piece.1"),
    ],
)
def test_a_design_that_something_is_against_is_refused_with_its_clause(action: Raise, clause: str) -> None:
    found = why_not(new(), action)
    assert found[0].clause == clause
    assert not why_not(new(), closed("tower-right wall gate"))


@rule("O7.design.material", "O7.design.continuity")
def test_what_the_scenario_says_that_both_agree_upon_is_allowed() -> None:
    mixed = closed("stone-tower-right wall gate")
    assert not reasons(new(agreed=["stone-towers"]), mixed)
    assert not reasons(new(agreed=["gaps"]), closed("tower-right gap-1.76 gate"))
    assert [clause for clause, _ in reasons(new(agreed=["gaps"]), mixed)] == ["O7.design.material"]


@rule("O7.deploy.fortress", "OH.field.2")
def test_a_fortress_must_fit_the_room_that_is_left_for_it() -> None:
    assert reasons(new(room=[7, 5]), STANDARD) == [("O7.deploy.fortress", "refusal.fortress_too_big")]
    assert reasons(new(room=[14, 3.5]), STANDARD) == [("O7.deploy.fortress", "refusal.fortress_too_big")]
    assert not reasons(new(room=[7.04, 3.52]), STANDARD)


@rule("O7.points.defender-first", "O4.watchtower.placement", "O4.siege-tower.deployment")
def test_works_and_siege_towers_have_their_usual_places() -> None:
    state = done(new(), Buy(TRENCH), Buy(TRENCH), Buy(WATCHTOWER), STANDARD)
    works = {one.id: one for one in state.roster.structures if not one.material}
    assert list(works) == ["trench-1", "trench-2", "watchtower-1"]
    keep = state.roster.keep.shape
    assert all(one.owner == DEFENDER and not keep.intersects(one.inner) for one in works.values())
    assert works["trench-1"].pose.y > keep.bounds[3]
    assert works["watchtower-1"].pose.y < 300
    state = done(state, Done(), *ARMY, Buy("archers"), Buy(SIEGE_TOWER), Buy(SIEGE_TOWER), Done())
    towers = [one for one in state.roster.structures if one.kind == SIEGE_TOWER]
    assert [(one.id, one.owner) for one in towers] == [("siege-tower-1", 0), ("siege-tower-2", 0)]
    assert towers[0].inner.disjoint(towers[1].inner)
    assert all(one.pose.y > state.roster.height - 300 for one in towers)


@rule("O7.design.corner-overlap")
def test_who_leaves_a_corner_does_not_come_to_lie_over_its_tower() -> None:
    state = done(new(), Raise(("gatehouse",), "wood"), Done(), Buy("velites"), Done(), Buy("archers"), Done())
    corner, i = Pose(1232, 264, 1800), state.roster.index["d-velites-1"]
    state.where[i], state.pose[i], state.flags[i] = FIELD, corner, ACTIVATED
    state.todo.append(Moving(DEFENDER, i, 0, REGULAR, "", False))
    assert not list(ONUS.invariants(state))
    assert reasons(state, Slide(900, 88)) == [("O3.impassable", "refusal.in_the_way")]
    assert reasons(state, Slide(1800, 20)) == [("O3.impassable", "refusal.in_the_way")]
    assert not list(ONUS.invariants(done(state, Slide(1800, 44))))


# --- secrets -------------------------------------------------------------------------------------


def secrets() -> list[tuple[OnusState, OnusState, int]]:
    """Pairs of states that differ by what one side has bought, and who must not see it."""
    small = done(new(), Raise(("small",), "wood"))
    works = [Buy(TRENCH)] * 3
    one = attacker(defender=[Raise(("few-towers",), "wood"), Buy(TRENCH), Done(), Buy("archers"), Done()])
    other = [Raise(("gatehouse",), "wood"), *[Buy("caltrops")] * 9, Done(), Buy("hastati"), Done()]
    two = attacker(defender=other)
    return [
        (new(), small, ATTACKER),
        (small, done(small, *works), ATTACKER),
        (done(small, Done()), done(small, Done(), Buy("archers"), Appoint("general-7")), ATTACKER),
        (one, two, ATTACKER),
        (attacker(), done(attacker(), Buy("elephants"), Buy("ram"), Buy(SIEGE_TOWER)), DEFENDER),
    ]


@rule("O7.points.defender-first", "O7.points.units")
@pytest.mark.parametrize("number", range(5))
def test_nobody_sees_what_the_other_has_bought(number: int) -> None:
    one, two, seat = secrets()[number]
    assert one != two
    for eyes in (seat, None):
        assert ONUS.view(one, eyes) == ONUS.view(two, eyes)
        for lang in ("en", "fr"):
            assert ONUS.scene(ONUS.view(one, eyes), eyes, lang) == ONUS.scene(
                ONUS.view(two, eyes), eyes, lang
            )
    own, kept = (counts(state.roster, 1 - seat) for state in (two, ONUS.view(two, 1 - seat)))
    assert own == kept


@rule("O7.points.units")
def test_purchases_are_told_to_their_owner_only() -> None:
    state, seen = new(), set()
    for action in (STANDARD, Buy(TRENCH), GiveBack("trench-1"), Done(), Buy("archers"), Appoint("general-7")):
        play = last(state, action)
        seen |= {(event.key, event.to) for event in play.events}
        state = play.state
    assert seen == {
        ("event.raises", DEFENDER),
        ("event.buys", DEFENDER),
        ("event.gives_back", DEFENDER),
        ("event.appoints", DEFENDER),
        ("event.works_announced", None),
    }


@rule("O7.points.defender-first", "O7.points.units")
@pytest.mark.parametrize("seed", range(8))
def test_a_guess_is_another_army_for_what_was_announced(seed: int) -> None:
    state, rng = attacker(), Random(seed)
    guesses = [ONUS.guess(ONUS.view(state, ATTACKER), ATTACKER, rng) for _ in range(3)]
    for full in guesses:
        assert ONUS.view(full, ATTACKER) == ONUS.view(state, ATTACKER)
        assert not list(ONUS.invariants(full))
        assert works_points(full.roster) == 630
        assert 180 < units_points(full.roster, DEFENDER) <= 200
    assert len({str(counts(full.roster, DEFENDER)) for full in guesses}) > 1


def test_before_the_attacker_has_bought_there_is_nothing_to_guess() -> None:
    state = done(new(), STANDARD)
    assert ONUS.guess(ONUS.view(state, DEFENDER), DEFENDER, Random(1)) == state
    assert ONUS.guess(ONUS.view(state, ATTACKER), ATTACKER, Random(1)).roster.keep is not None


# --- screens, names and files --------------------------------------------------------------------


def test_who_buys_sees_what_is_for_sale_and_what_is_left() -> None:
    state = done(new(), STANDARD, Buy(TRENCH))
    scene = ONUS.scene(ONUS.view(state, DEFENDER), DEFENDER, "en")
    assert {area.id for area in scene.areas} >= {"tower-1", "gate-1", "trench-1"}
    assert {card.id for card in scene.cards} == {*ready(), "wood", "stone", *Fortifying(1).goods()}
    tracks = {track.id: track.value for track in scene.tracks}
    assert tracks == {"points-left": "838/1500", "points-fortress": "640", "points-units": "0"}
    other = ONUS.scene(ONUS.view(state, ATTACKER), ATTACKER, "en")
    assert not other.cards
    assert not other.areas
    bought = done(attacker(), Buy("hastati"), Buy("ram"))
    scene = ONUS.scene(ONUS.view(bought, ATTACKER), ATTACKER, "fr")
    assert [piece.id for piece in scene.pieces] == ["a-hastati-1", "ram-1"]
    assert {track.id: track.value for track in scene.tracks} == {
        "points-left": "1414/1500",
        "points-engines": "20",
        "points-units": "66",
        "told-works": "630",
        "told-units": "200",
    }
    assert list(render(scene, 100, "fr").renderables)


def test_names_stay_from_the_first_purchase_to_the_end() -> None:
    first, later = new(), done(attacker(), Buy("archers"), Done())
    for ident, name in (
        ("a-archers-1", "Archers 1 (attacker)"),
        ("d-archers-1", "Archers 1 (defender)"),
        ("trench-2", "trench 2"),
        ("wall-3", "wall 3"),
        ("standard", "Standard fortress, 5 by 3"),
        ("2", "2"),
        ("-2", "-2"),
    ):
        assert {ONUS.name(state, ident, "en") for state in (first, later)} == {name}


def test_positions_and_records_keep_what_was_bought() -> None:
    match = Match.new(ONUS, ONUS.configure("free-siege"), Seeded("1"))
    for action in (STANDARD, Buy(TRENCH), Done(), *ARMY, Buy("hastati"), Buy("ram"), Appoint("general-8")):
        match.play(action, Seeded("1"))
        game, state = parse_position(GAMES, position_text(ONUS, match.state))
        assert (game, state) == (ONUS, match.state)
    match.play(Done(), Seeded("1"))
    assert parse_record(GAMES, record_text(match)).states == match.states


@rule("OH.army.1")
@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"points": 1500}, "building"),
        ({"rams": 1}, "building"),
        ({"fortress": {"at": [11, 1.76], "design": "standard"}}, "building"),
        ({"building": {"room": [23, 5]}}, "building.room"),
        ({"building": {"room": [10, 6]}}, "building.room"),
        ({"building": {"units": 0}}, "building.units"),
        ({"building": {"agreed": ["peace"]}}, "building.agreed"),
        ({"size": [13, 16]}, "size"),
        ({"structure": [{"id": "trench-1", "kind": "barricade", "at": [5, 8]}]}, "structure[0].id"),
    ],
)
def test_a_scenario_in_which_both_build_has_nothing_beforehand(changes: dict[str, Any], place: str) -> None:
    setup = ONUS.configure("free-siege")
    raw = json.loads(json.dumps(setup.scenario)) | changes
    with pytest.raises(BadFile) as error:
        ONUS.validate(type(setup)(raw, (), setup.options))
    assert place in str(error.value)


# --- whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_a_free_siege_ends(seed: int) -> None:
    setup = ONUS.configure("free-siege", points=("1000", "1500", "2000")[seed % 3])
    setup.scenario["decks"] = 1
    state = start(ONUS, setup, Seeded(str(seed))).state
    playout(state, Seeded(f"dice {seed}"), Random(seed), limit=5000)
    assert state.outcome is not None
    assert not list(ONUS.invariants(state))


@pytest.mark.parametrize("points", ["1000", "1500", "2000"])
def test_greedy_spends_nearly_all(points: str) -> None:
    bot, rng = make_bot("greedy"), Random(1)
    state = new(points)
    while is_building(state):
        seat = state.decision.seat
        state = done(state, bot.choose(ONUS, ONUS.view(state, seat), seat, rng))
    for side in (ATTACKER, DEFENDER):
        assert int(points) - spent(state.roster, side) < price_of("hastati")
        assert len({unit.kind.id for unit in state.roster.units if unit.side == side}) > 5
    assert counts(state.roster, ATTACKER)[SIEGE_TOWER] == 1
