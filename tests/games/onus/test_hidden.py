"""4 Hidden units: face down inside the fortress, how they are revealed, and that nobody learns more."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from legatus.games.onus import ONUS
from legatus.games.onus.charges import Charge
from legatus.games.onus.combat import NoEvent
from legatus.games.onus.hidden import Spotted, foes_on, hide, label, may_hide, named, reveal
from legatus.games.onus.morale import wound
from legatus.games.onus.orders import Activate, Activation, Done
from legatus.games.onus.pieces import Advance, Slide
from legatus.games.onus.scene import look, scene
from legatus.games.onus.setup import Arrange, Deploying, Place, court_slots, put
from legatus.games.onus.shooting import Shoot, Shooting, ranged_terms
from legatus.games.onus.sight import Mark
from legatus.games.onus.state import NOBODY, RESERVE, OnusState
from legatus.games.onus.turn import PlayerTurn, RunOn
from legatus.games.onus.view import backs, guess, view
from legatus.kernel import Match, Play, Scripted, Seeded, apply, legal, playout
from legatus.kernel.objects import replace
from legatus.parts.plane import Pose
from legatus.server.counting import bits_of, who_notices
from tests.rules import rule

from .stage import CALM, at, battle, card, do, go_on, hold, keys, moving, refusals, run, told, values

FORT = "standard 10 8"
OUT = "A hastati 10 12"


def inside(units: str, attacker: str = OUT, active: str = "defender") -> OnusState:
    """All who may lie face down do."""
    state = battle(attacker, units, fortress=FORT, active=active)
    hide(state)
    return state


THREE = "D sacred-band 8 8; E slingers 10 8; F numidian-cavalry 12 7.8; G african-infantry 10 8.88"


# --- who -----------------------------------------------------------------------------------------


@rule("O4.hidden.who")
def test_defenders_inside_who_man_neither_wall_nor_tower_are_hidden() -> None:
    state = inside("D sacred-band 10 8; E slingers in=tower-1; F african-infantry 10 8.88; G hastati 10 1")
    assert [bool(number) for number in state.hidden] == [False, True, False, False, False]
    within = inside("D sacred-band 2 2", "A hastati 10 8")
    assert not any(within.hidden)  # never the attacker
    assert not may_hide(battle(OUT, "D sacred-band 10 8"), 1)  # nor without a fortress


@rule("O4.hidden.who")
def test_who_touches_a_wall_shows_himself_whoever_he_is() -> None:
    state = inside("D numidian-cavalry 10 8.88; E onager 8 7.12")
    assert not any(state.hidden)


@rule("O4.hidden.who")
def test_backs_are_numbered_by_their_places_and_named_so() -> None:
    state = inside(THREE)
    assert [label(state, i) for i in range(5)] == ["A", "back-1", "back-2", "back-3", "G"]
    moved = state.copy()
    moved.pose[1], moved.pose[3] = moved.pose[3], moved.pose[1]
    hide(moved)
    assert [label(moved, i) for i in (1, 2, 3)] == ["back-3", "back-2", "back-1"]


@rule("O4.hidden.who")
def test_only_the_owner_may_call_a_hidden_unit_by_its_name() -> None:
    own = at(inside(THREE), Activation(1, 2, "two-units"))
    assert named(own, "D") == named(own, "back-1") == 1
    other = at(inside(THREE, active="attacker"), Shooting(0))
    assert named(other, "D") == NOBODY
    assert named(other, "back-1") == 1
    assert named(other, "back-9") == named(other, "back-x") == named(other, "back-0") == NOBODY
    assert foes_on(other, 1) == [4, 1, 2, 3]


# --- how they are revealed -----------------------------------------------------------------------


@rule("O4.hidden.reveal", "O7.deploy.defender")
@pytest.mark.parametrize(("far", "hidden"), [(99, True), (100, True), (101, False)])
def test_a_move_of_one_du_keeps_it_hidden(far: int, hidden: bool) -> None:
    state = moving(inside("D african-infantry 8 8 90"), "D")
    play = do(state, Advance(far))
    assert bool(play.state.hidden[1]) == hidden
    assert (("O4.hidden.reveal", "event.revealed") in told(play)) != hidden
    assert values(play, "event.moves")["unit"] == "back-1"


@rule("O4.hidden.reveal")
def test_the_pieces_of_a_move_are_added_up() -> None:
    state = moving(inside("D african-infantry 8 8 90"), "D")
    after = run(state, Advance(60))
    assert after.hidden[1]
    assert not run(after, Advance(60)).hidden[1]


@rule("O4.hidden.reveal")
def test_who_goes_to_a_wall_is_revealed() -> None:
    state = moving(inside("D african-infantry 10 8.5"), "D")
    assert state.hidden[1]
    assert not run(state, Advance(38)).hidden[1]
    assert run(state, Advance(30)).hidden[1]


@rule("O4.hidden.reveal")
def test_who_leaves_the_fortress_is_revealed() -> None:
    state = battle(OUT, "D african-infantry 10 9.3", fortress=FORT, active="defender")
    state.gone[state.roster.structure_index["gate-1"]] = 1
    hide(state)
    assert state.hidden[1]
    start = moving(state, "D")
    assert run(start, Advance(40)).hidden[1]
    assert not run(start, Advance(60)).hidden[1]


@rule("O4.hidden.reveal")
def test_who_is_hit_is_revealed() -> None:
    state = inside(THREE)
    play = Play(state.copy(), Scripted([]))
    wound(play, 1, 1, "OH.value.5")
    assert play.state.hidden == [0, 0, 2, 3, 0]
    assert told(play)[0] == ("O4.hidden.reveal", "event.revealed")
    assert play.sealed


@rule("O4.hidden.reveal")
def test_an_enemy_who_meets_it_reveals_it() -> None:
    state = inside("D african-infantry 10 8 270", "A hastati 8 8 90", "attacker")
    play = do(moving(state, "A"), Charge("back-1"))
    assert not play.state.hidden[1]
    assert values(play, "event.charges")["target"] == "D"
    assert refusals(moving(state, "A"), Charge("D")) == ["OH.move.9"]  # nobody knows that name


@rule("O4.hidden.reveal")
def test_who_is_met_in_a_breach_is_revealed_before_the_fights() -> None:
    state = battle("A hastati 10 10.2", "D african-infantry 10 8.88; E slingers 8 7.8", fortress=FORT)
    state.gone[state.roster.structure_index["gate-1"]] = 1
    hide(state)
    assert [bool(number) for number in state.hidden] == [False, True, True]
    play = go_on(at(state, Spotted()))
    assert [bool(number) for number in play.state.hidden] == [False, False, True]


@rule("O4.hidden.reveal")
def test_who_shoots_is_seen() -> None:
    state = battle("A hastati 8 8 90", "D slingers 11 8 270", fortress=FORT, active="defender")
    hide(state)
    assert state.hidden[1]
    play = do(at(state, Shooting(1)), Shoot("D", "A"), dice=[CALM, 1, 1])
    assert not play.state.hidden[1]


# --- shot at -------------------------------------------------------------------------------------


def bow(kind: str = "archers") -> OnusState:
    """Archers outside, a hidden unit behind the wall within their reach."""
    return at(inside("D sacred-band 10 8.4", f"A {kind} 10 11.4", "attacker"), Shooting(0))


@rule("O4.hidden.reveal", "OH.flight.1", "OH.flight.5")
@pytest.mark.parametrize(("kind", "dice"), [("hastati", []), ("elephants", [6, 6, 1, 1, 1, 1])])
def test_an_enemy_who_runs_into_a_hidden_unit_reveals_it(kind: str, dice: list[int]) -> None:
    state = battle(f"A {kind} 8 8 90 fleeing", "X iberian-infantry 11 8 90", fortress=FORT)
    state.hidden[1] = 1
    play = go_on(at(state, RunOn(0)), dice)
    assert play.state.hidden[1] == 0
    assert ("O4.hidden.reveal", "event.revealed") in told(play)


@rule("O4.hidden.shot-at")
def test_parabolic_shooters_have_minus_one_and_not_twice() -> None:
    terms = ranged_terms(bow(), 0, Mark(unit=1))
    assert sum(term.value for term in terms) == -1
    inner = inside("D sacred-band 10 8 270", "A archers 8 8 90", "attacker")
    found = ranged_terms(inner, 0, Mark(unit=1))
    assert [(term.clause, term.value) for term in found] == [("O4.hidden.shot-at", -1)]
    seen = inner.copy()
    seen.hidden = [0, 0]
    assert ranged_terms(seen, 0, Mark(unit=1)) == []


@rule("O4.hidden.shot-at")
def test_direct_fire_does_not_reach_it() -> None:
    state = at(inside("D sacred-band 10 8.4", "A slingers 10 11.4", "attacker"), Shooting(0))
    assert "O2.los.level" in refusals(state, Shoot("A", "back-1"))
    assert refusals(bow(), Shoot("A", "back-1")) == []
    assert keys(bow(), Shoot("A", "D")) == ["refusal.no_such_enemy"]


@rule("O4.hidden.reveal-on-shot")
def test_it_is_turned_up_after_the_events_and_the_minus_one_stays() -> None:
    wind = card(event="wind")
    state = hold(bow(), "attacker", wind)
    asked = do(state, Shoot("A", "back-1"), dice=[CALM])
    assert asked.state.hidden[1]  # as long as events are played
    assert values(asked, "event.shoots")["target"] == "back-1"
    assert asked.state.decision.combat.target == NOBODY
    assert asked.state.decision.prompt(asked.state).values["target"] == "back-1"
    short = ranged_terms(state, 0, Mark(unit=1))
    assert sum(term.value for term in short) == -1
    play = do(asked.state, NoEvent(), dice=[1, 1, 1, 1])
    assert not play.state.hidden[1]
    assert told(play)[0] == ("O4.hidden.reveal-on-shot", "event.revealed")
    assert values(play, "event.strikes")["hits"] == 0


@rule("O4.hidden.reveal-on-shot")
def test_the_dice_are_rolled_at_minus_one() -> None:
    """Inside, at short range: what would just hit a unit that is seen does not hit a hidden one."""
    state = inside("D african-infantry 10 8 270", "A archers 8 8 90", "attacker")
    kind, target = state.roster.units[0].kind, state.roster.units[1].kind
    just = target.defence[0] - kind.ranged + 1
    assert 2 < just < 6
    hidden = do(at(state, Shooting(0)), Shoot("A", "back-1"), dice=[CALM, *[just] * 4])
    assert values(hidden, "event.strikes")["hits"] == 0
    assert not hidden.state.hidden[1]
    state.hidden = [0, 0]
    seen = do(at(state, Shooting(0)), Shoot("A", "D"), dice=[CALM, *[just] * 4, *[1] * 4])
    assert values(seen, "event.strikes")["hits"] == 4


# --- nobody learns more --------------------------------------------------------------------------


def exchanged(state: OnusState, a: int, b: int) -> OnusState:
    """The same position with two hidden units in each other's places."""
    new = state.copy()
    for name in ("pose", "hidden", "flags", "spent"):
        column = getattr(new, name)
        column[a], column[b] = column[b], column[a]
    return new


def sees(state: OnusState, seat: int | None) -> tuple[OnusState, Any]:
    seen = view(state, seat)
    return seen, scene(seen, seat, "en")


@rule("O4.hidden.who")
def test_who_lies_under_which_back_cannot_be_told() -> None:
    state = at(inside(THREE, active="attacker"), Shooting(0))
    for a, b in ((1, 2), (2, 3), (1, 3)):
        other = exchanged(state, a, b)
        assert sees(other, 0) == sees(state, 0)
        assert sees(other, None) == sees(state, None)
        assert sees(other, 1) != sees(state, 1)
        assert legal(view(other, 0)) == legal(view(state, 0))


@rule("O4.hidden.who")
def test_the_scene_shows_backs_and_no_names() -> None:
    state = inside(THREE)
    pieces = {one.id: one for one in scene(view(state, 0), 0, "en").pieces}
    assert set(pieces) == {"A", "back-1", "back-2", "back-3", "G"}
    back = pieces["back-1"]
    assert (back.pose, back.badge, back.values, back.icon) == (state.pose[1], "?", {}, "")
    assert look(view(state, 0), 0, "D", "en") is None
    assert {one.id for one in scene(view(state, 1), 1, "en").pieces} == {"A", "D", "E", "F", "G"}


@rule("O4.hidden.who")
def test_a_move_in_hand_does_not_tell_whose_it_is() -> None:
    state = moving(inside(THREE), "E")
    other = exchanged(state, 1, 2)
    other.todo = moving(exchanged(inside(THREE), 1, 2), "D").todo
    assert sees(other, 0) == sees(state, 0)


@rule("O4.hidden.who")
def test_what_is_told_of_a_hidden_unit_names_its_back() -> None:
    state = at(inside(THREE), Activation(1, 2, "two-units"))
    state.flags = [0] * 5
    play = do(state, Activate("D"))
    assert values(play, "event.activated")["unit"] == "back-1"
    step = do(moving(inside(THREE), "D"), Slide(1800, 20))
    assert values(step, "event.moves")["unit"] == "back-1"


@rule("O4.hidden.who")
def test_a_guess_deals_the_hidden_units_among_the_backs() -> None:
    state = at(inside(THREE, active="attacker"), Shooting(0))
    found = set()
    for seed in range(40):
        full = guess(view(state, 0), 0, Random(seed))
        assert view(full, 0) == view(state, 0)
        found.add(tuple(backs(full, 1)))
    assert len(found) == 6  # every order
    own = guess(view(state, 1), 1, Random(1))
    assert backs(own, 1) == backs(state, 1)


def drawn_up(lots: Sequence[int] | None = None) -> OnusState:
    """The defender has left it to the game; of those in the court the lots say who lies first, second..."""
    units = "; ".join(
        f"{name} {kind} 1 1"
        for name, kind in zip("DEFGHIJKL", ["african-infantry"] * 4 + ["numidian-cavalry"] * 5, strict=True)
    )
    state = battle("A archers 10 11.4 general; B hastati 8 11", units, fortress=FORT, active="defender")
    units_ = [replace(unit, start=None) if unit.side else unit for unit in state.roster.units]
    state.roster = replace(state.roster, units=tuple(units_))
    for i in range(2, 11):
        state.where[i] = RESERVE
    state = at(state, Deploying(1))
    if lots is None:
        return apply(apply(state, Arrange(), Seeded("rows")).state, Done(), Scripted([])).state
    return run(state, Arrange(), Done(), dice=lots)


@rule("O4.hidden.who")
def test_the_order_of_the_army_does_not_tell_who_lies_where() -> None:
    """Three of the nine find room in the court only: any may lie under any back, and all look alike."""
    first, last = drawn_up([0, 1]), drawn_up([2, 1])
    names = [{label(state, i): i for i in backs(state, 1)} for state in (first, last)]
    assert set(names[0]) == set(names[1]) == {"back-1", "back-2", "back-3"}
    assert names[0] != names[1]
    assert sorted(first.pose) == sorted(last.pose)
    eyes = [ONUS.view(state, 0) for state in (first, last)]
    assert eyes[0] == eyes[1]
    assert scene(eyes[0], 0, "en") == scene(eyes[1], 0, "en")
    assert list(ONUS.invariants(first)) == list(ONUS.invariants(last)) == []


@rule("O4.hidden.who")
def test_what_the_other_side_is_told_of_an_arrangement() -> None:
    state = at(drawn_up([0, 1]), Deploying(1))
    for i in range(2, 11):
        state.where[i] = RESERVE
    heard = []
    for lots in ([0, 1], [2, 1]):
        play = do(state, Arrange(), lots)
        heard.append([(event.key, event.values, event.to, event.dice) for event in play.events])
    assert heard[0] == heard[1]


@rule("O4.hidden.who", "O7.deploy.defender")
def test_guesses_can_be_played_on() -> None:
    state = drawn_up()
    assert sum(map(bool, state.hidden)) >= 2
    state.todo = [PlayerTurn(0)]
    state = go_on(state).state
    for seed in range(3):
        full = guess(view(state, 0), 0, Random(seed))
        assert list(ONUS.invariants(full)) == []
        playout(full, Seeded(str(seed)), Random(seed), limit=300)


def test_nothing_is_left_to_reveal_twice() -> None:
    play = Play(inside(THREE), Scripted([]))
    reveal(play, 4, "O4.hidden.reveal")
    assert play.events == []


def is_unseen(state: OnusState, i: int, pose: Pose) -> bool:
    """Whether a unit that is drawn up there lies face down."""
    trial = state.copy()
    put(trial, i, pose)
    return bool(trial.hidden[i])


def deployed(order: Sequence[int]) -> Match:
    """A siege whose defender lays three units in the court one by one, ``order[n]`` on the n-th place.

    The last one lies elsewhere before.  All others are drawn up by the game; then he has done.
    """
    match = Match.new(ONUS, ONUS.configure("wooden-fortress"), Seeded("1/0"))
    state = match.state
    assert isinstance(state.decision, Deploying)
    assert state.decision.seat == 1
    units = [i for i in state.roster.of_side[1] if state.where[i] == RESERVE][:3]
    places = [pose for pose in court_slots(state, units[0]) if is_unseen(state, units[0], pose)][:3]
    lays = list(zip((units[n] for n in order), places, strict=True))
    aside = Pose(places[-1].x + 10, places[-1].y, places[-1].turn)
    for i, pose in ((lays[-1][0], aside), *lays):
        match.play(Place(state.roster.units[i].id, *pose), Scripted([]))
    match.play(Arrange(), Seeded("rows"))
    match.play(Done(), Scripted([]))
    return match


def heard(match: Match, seat: int | None) -> list[Any]:
    """All that a seat is sent of a match: what it sees after every row that it notices, and the log."""
    found: list[Any] = [sees(match.states[0], seat)]
    bits = bits_of(ONUS, () if seat is None else (seat,))
    for n in range(1, len(match.states)):
        if who_notices(ONUS, match.states[n - 1], match.states[n], match.events[n]) & bits:
            lines = [event for event in match.events[n] if event.to in (None, seat)]
            found.append((*sees(match.states[n], seat), lines))
    return found


def named_by_order(scenes: list[Any]) -> dict[Pose, str]:
    """What somebody would say who looks on: whoever left the reserve when a card appeared lies there."""
    found: dict[Pose, str] = {}
    waited: set[str] = set()
    lay: set[Pose] = set()
    for pieces in (one.pieces for one in scenes):
        wait = {one.id for one in pieces if "reserve" in one.states}
        poses = {one.pose for one in pieces if one.pose is not None}
        if len(waited - wait) == len(poses - lay) == 1:
            found[(poses - lay).pop()] = (waited - wait).pop()
        waited, lay = wait, poses
    return found


@rule("O4.hidden.who")
@pytest.mark.parametrize("seat", [0, None])
def test_the_order_in_which_cards_are_laid_names_none_of_them(seat: int | None) -> None:
    """Whoever is laid where and when, the others are sent the same; so nobody can name a card from it."""
    first, *others = [deployed(order) for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0))]
    hidden = {first.state.pose[i]: first.state.roster.units[i].id for i in backs(first.state, 1)}
    assert len(hidden) >= 3
    for other in others:
        assert other.state.pose != first.state.pose
        assert heard(other, seat) == heard(first, seat)
    # its owner sees them laid one by one: there the same eyes name them
    scenes = [scene(view(state, 1), 1, "en") for state in first.states]
    found = named_by_order(scenes)
    assert len([pose for pose, name in found.items() if hidden.get(pose) == name]) >= 2
    assert not named_by_order([scene(view(state, seat), seat, "en") for state in first.states])


@rule("O4.hidden.who")
def test_until_the_defender_has_done_his_hidden_cards_seem_to_wait() -> None:
    match = deployed((0, 1, 2))
    for number, state in enumerate(match.states[:-1]):
        seen = view(state, 0)
        assert not any(seen.hidden)
        wait = {i for i in state.roster.of_side[1] if state.where[i] == RESERVE or state.hidden[i]}
        assert {i for i in state.roster.of_side[1] if seen.where[i] == RESERVE} == wait
        assert sum(map(bool, view(state, 1).hidden)) == sum(map(bool, state.hidden))
        full = guess(seen, 0, Random(number))
        assert view(full, 0) == seen
    assert any(view(match.state, 0).hidden)
