"""The standard plan of ``deploy-rest``: as a sensible player would, whatever the army and the ground."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, permutations
from typing import Any

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.plan import standard_places
from legatus.games.virtus.setup import Deployment
from legatus.games.virtus.state import (
    FACEDOWN,
    PLACE,
    PLACES,
    WAITING,
    Unit,
    VirtusState,
    column,
    facing,
    reserve,
    sectors,
    units_at,
)
from legatus.games.virtus.terrain import GROUND, Ground
from legatus.kernel import Seeded, apply, legal, parse_action, say, start
from tests.rules import rule

from .field import at, battle, run

SEEDS = range(3)
ARMIES = sorted(VIRTUS.folder.names("armies"))
SCENARIOS = sorted(VIRTUS.folder.names("scenarios"))
OPEN = {"150": ("plain-small", "hilly-small", "wooded-small"), "200": ("plain", "hilly", "wooded")}


def deployed(scenario: str, armies: tuple[str, ...], seed: int, **options: Any) -> VirtusState:
    """Both sides have said ``deploy-rest``; the battle is about to begin."""
    setup = VIRTUS.configure(scenario, armies, **options)
    state = start(VIRTUS, setup, Seeded(f"{scenario}/{armies}/{seed}")).state
    for n in range(20):
        choices = [say(action) for action in legal(state)]
        line = next((word for word in ("deploy-rest", "done") if word in choices), choices[0])
        if line == "done" and getattr(state.decision, "seat", 0) == 1:
            return state
        state = apply(state, parse_action(VIRTUS, line), Seeded(f"{seed}/{n}")).state
    raise AssertionError("nobody deploys")


def fields() -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Every scenario with its own armies, and every army on each kind of ground, on both sides."""
    for scenario, seed in ((s, n) for s in SCENARIOS for n in SEEDS):
        yield scenario, (), seed
    for army in ARMIES:
        foe = f"germans-{army[-3:]}"
        for scenario in OPEN[army[-3:]]:
            yield from ((scenario, pair, seed) for pair in ((army, foe), (foe, army)) for seed in SEEDS)


@pytest.fixture(scope="module")
def lines() -> list[tuple[VirtusState, int]]:
    """Deployed sides: a state and a seat."""
    states = [deployed(*field) for field in fields()]
    return list(chain.from_iterable(((state, 0), (state, 1)) for state in states))


def ground(state: VirtusState, place: int) -> Ground:
    return GROUND[state.terrain[place]]


def army(state: VirtusState, seat: int) -> list[tuple[Unit, int]]:
    """Who stands where."""
    return [(state.roster.units[i], state.place[i]) for i in state.roster.of[seat]]


def suits_horse(state: VirtusState, place: int) -> bool:
    here = ground(state, place)
    return not (here.woods or here.rocks or here.marsh or state.camp[place])


def is_horse(unit: Unit) -> bool:
    return unit.mounted and not unit.elephant


# --- where ---------------------------------------------------------------------------------------


def test_the_fields_are_many_and_hold_every_kind_of_ground(lines: list[tuple[VirtusState, int]]) -> None:
    seen = {state.terrain[place] for state, seat in lines for place in sectors(state, seat)}
    assert seen == set(GROUND)
    assert len(lines) > 500


@rule("V1.7b")
def test_the_plan_is_legal_and_holds_every_sector(lines: list[tuple[VirtusState, int]]) -> None:
    for state, seat in lines:
        assert not list(VIRTUS.invariants(state))
        assert all(place >= 0 for _, place in army(state, seat))
        assert all(units_at(state, seat, place) for place in sectors(state, seat)), state.terrain
        for unit, place in army(state, seat):
            assert not (unit.artillery and ground(state, place).no_artillery)


@rule("V1.7b", "V5.3b")
def test_nobody_who_shoots_or_throws_waits_in_the_reserve(lines: list[tuple[VirtusState, int]]) -> None:
    for state, seat in lines:
        barred = all(ground(state, place).no_artillery for place in sectors(state, seat))
        for unit, place in army(state, seat):
            if unit.vt or unit.missiles or unit.bolts:
                assert place != reserve(seat) or (unit.artillery and barred), unit.id


@rule("V1.7b", "V5.3b")
def test_artillery_looks_out_on_open_ground_where_it_can(lines: list[tuple[VirtusState, int]]) -> None:
    for state, seat in lines:
        fit = [place for place in sectors(state, seat) if not ground(state, place).no_artillery]
        clear = [place for place in fit if not ground(state, facing(place)).woods]
        for unit, place in army(state, seat):
            assert not unit.artillery or place in (clear or fit or [reserve(seat)]), unit.id


@rule("V7f")
def test_marsh_is_left_to_troops_in_dispersed_order(lines: list[tuple[VirtusState, int]]) -> None:
    for state, seat in lines:
        dry = [place for place in sectors(state, seat) if not ground(state, place).marsh]
        for unit, place in army(state, seat):
            if dry and place != reserve(seat) and ground(state, place).marsh:
                assert unit.dispersed or _is_stopgap(state, seat, unit), (unit.id, state.terrain)


def _is_stopgap(state: VirtusState, seat: int, unit: Unit) -> bool:
    """A lone foot unit that is not heavy, in a marsh for which there were too few light troops."""
    here = state.place[state.roster.index[unit.id]]
    light = [place for one, place in army(state, seat) if one.infantry and one.dispersed]
    bad = all(ground(state, place).marsh or ground(state, place).rocks for place in light)
    light_enough = unit.infantry and unit.order == "other" and unit.vd < 3
    return light_enough and bad and units_at(state, seat, here) == [state.roster.index[unit.id]]


@rule("V7b", "V14.2d")
def test_horse_keeps_to_ground_where_it_can_fight_and_to_the_wings(
    lines: list[tuple[VirtusState, int]],
) -> None:
    for state, seat in lines:
        line = list(sectors(state, seat))
        fit = [place for place in line if suits_horse(state, place)]
        horse = [place for unit, place in army(state, seat) if is_horse(unit) and unit.vo > 1]
        wings = [place for place in (line[0], line[-1]) if place in fit]
        for unit, place in army(state, seat):
            if unit.mounted and unit.vo > 1 and fit:
                assert place in fit or ground(state, place).marsh, (unit.id, state.terrain)
        if any(place in line[1:-1] and not ground(state, place).marsh for place in horse):
            mounted = {place for unit, place in army(state, seat) if is_horse(unit)}
            assert mounted >= set(wings), state.terrain


@rule("V1.7b")
def test_at_most_one_heavy_unit_stays_behind(lines: list[tuple[VirtusState, int]]) -> None:
    for state, seat in lines:
        behind = [unit for unit, place in army(state, seat) if place == reserve(seat) and not unit.artillery]
        assert len(behind) <= 1
        assert all(unit.infantry and not unit.dispersed for unit in behind)


@rule("V1.7b")
def test_the_line_is_balanced_on_open_ground() -> None:
    """No sector of equal ground has less than half of the cohesion of another."""
    for pair in permutations([name for name in ARMIES if name.endswith("200")], 2):
        setup = VIRTUS.configure("plain", pair)
        state = start(VIRTUS, setup, Seeded("flat")).state
        state.terrain = ["clear"] * len(PLACES)
        for seat in (0, 1):
            after = run(at(state, Deployment(seat)), "deploy-rest")
            held = [sum(after.vc[i] for i in units_at(after, seat, p)) for p in sectors(after, seat)]
            assert 2 * min(held) >= max(held), (pair, held)
            foot = [u for u, _ in army(after, seat) if u.infantry and not u.dispersed and not u.vt]
            waits = [u for u, place in army(after, seat) if place == reserve(seat)]
            assert all(u.vo + u.vd + u.vc == min(f.vo + f.vd + f.vc for f in foot) for u in waits), pair


# --- hiding --------------------------------------------------------------------------------------


@rule("V7d")
def test_whoever_stands_in_thick_forest_is_hidden_among_as_many_decoys(
    lines: list[tuple[VirtusState, int]],
) -> None:
    forests = 0
    for state, seat in lines:
        for place in sectors(state, seat):
            here = units_at(state, seat, place)
            hidden = [i for i in here if state.flags[i] & FACEDOWN]
            if ground(state, place).markers:
                forests += 1
                assert hidden == here
                assert (state.decoys[place], state.markers[place]) == (len(here), 2 * len(here))
            else:
                assert not hidden
                assert not state.markers[place]
    assert forests > 20


@rule("V7d")
@pytest.mark.parametrize(("decoys", "each"), [("none", 0), ("equal", 1), ("free", 1)])
def test_decoys_are_as_the_match_allows(decoys: str, each: int) -> None:
    state = deployed("thick-forest", (), 1, decoys=decoys)
    for place in (PLACE["barb1"], PLACE["barb3"]):
        assert state.decoys[place] == each * len(units_at(state, 1, place)) > each - 1


# --- generals ------------------------------------------------------------------------------------


@rule("V4.1b", "V8d")
def test_the_chief_commands_from_the_reserve_and_the_others_from_strong_sectors(
    lines: list[tuple[VirtusState, int]],
) -> None:
    for state, seat in lines:
        held = {p: sum(state.vc[i] for i in units_at(state, seat, p)) for p in sectors(state, seat)}
        places = [state.gplace[g] for g in state.roster.generals_of[seat]]
        for g, place in zip(state.roster.generals_of[seat], places, strict=True):
            if state.roster.generals[g].chief:
                assert place == reserve(seat)
            else:
                assert column(place)
                assert held[place] == max(held[p] for p in held if p == place or p not in places)


# --- odd armies ----------------------------------------------------------------------------------


def plan_of(units: str, **more: Any) -> dict[str, str]:
    """Where a Roman army is placed that is all waiting."""
    state = battle(units, "X horde barb1", **more)
    state.place = [WAITING if unit.side == 0 else place for unit, place in army(state, 0) + army(state, 1)]
    state.count = [0] * len(state.count)
    return {name: PLACES[place] for name, place in standard_places(state, 0).items()}


HEAVY = "; ".join(f"A{n} legionaries rome1" for n in range(4))


@rule("V7f")
def test_an_army_without_light_troops_leaves_marsh_to_its_lightest_or_to_nobody() -> None:
    plan = plan_of(f"{HEAVY}; W warriors rome1", terrain={"rome2": "marsh"})
    assert [name for name, place in plan.items() if place == "rome2"] == ["W"]
    assert "rome2" not in plan_of(HEAVY, terrain={"rome2": "marsh"}).values()


@rule("V7f")
def test_where_all_is_marsh_heavy_troops_stand_in_it_and_artillery_behind() -> None:
    wet = dict.fromkeys(("rome1", "rome2", "rome3"), "marsh")
    plan = plan_of(f"{HEAVY}; S scorpions rome1", terrain=wet)
    assert {plan[f"A{n}"] for n in range(4)} == set(wet)
    assert plan["S"] == "rome-reserve"


@rule("V7b")
def test_light_foot_takes_the_woods() -> None:
    plan = plan_of(f"{HEAVY}; J javelinmen rome1; C heavy_cavalry rome1", terrain={"rome1": "woods"})
    assert (plan["J"], plan["C"]) == ("rome1", "rome3")
