"""What holds for every move: no overlap, nothing passed through, prices that add up, mirrors that agree."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from legatus.games.onus.charges import Charge, run_in
from legatus.games.onus.entering import Align, Occupy
from legatus.games.onus.motion import LIMITED, REGULAR, allowance, walls
from legatus.games.onus.movement import Halt, Move, Moves, Moving
from legatus.games.onus.pieces import Advance, Piece, Slide, Turn, Wheel
from legatus.games.onus.state import CARD, FIELD, LAKE, MOUNTAIN, OnusState
from legatus.games.onus.table import patches_of, rocks
from legatus.games.onus.view import invariants
from legatus.kernel import Action, Seeded, apply, legal
from legatus.kernel.objects import replace
from legatus.parts import plane
from legatus.parts.plane import FULL, Pose
from tests.rules import rule

from .stage import at, battle, moving, refusals

GROUND = "w forest 8 8 3x2; h hill 13 8 4x2 20; l lake 10.5 7 1.5x1 30; m mountain 5 7 1x2"
STRUCTURE = "t trench 12 10.4 owner=attacker; b barricade 9 10.2 15; c caltrops 7 10; v village 15.5 9.5"
ATTACKER = (
    "A hastati 10 11.6; B velites 12.4 12; C roman-cavalry 7 11.8; D triarii 5 11.5 20; E archers 15 11.8"
)
DEFENDER = "X slingers 10 8.9; Y african-infantry 12.6 9; Z numidian-cavalry 7 9 170; W elephants 16.5 7"
NAMES = "ABCDE"
CORNERS = ("front-left", "front-right", "rear-right", "rear-left")

pieces = st.one_of(
    st.builds(Advance, st.integers(1, 500)),
    st.builds(Slide, st.integers(1, FULL - 1), st.integers(1, 300)),
    st.builds(Wheel, st.sampled_from(CORNERS), st.integers(-900, 900)),
    st.builds(Turn, st.integers(-1800, 1800)),
    st.builds(Charge, st.sampled_from(["X", "Y", "Z", "W"])),
)


def table() -> OnusState:
    return battle(ATTACKER, DEFENDER, ground=GROUND, structure=STRUCTURE)


def is_fair(state: OnusState) -> bool:
    """Nobody lies on anybody or on what is impassable, everybody is on the table, poses are whole numbers."""
    return not list(invariants(state)) and all(type(n) is int for pose in state.pose for n in pose)


@rule("OH.measure.1", "O3.impassable", "OH.move.8", "OH.field.1")
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(NAMES), st.lists(pieces, min_size=1, max_size=4))
def test_no_legal_move_ends_on_anything(name: str, moves: list[Action]) -> None:
    state = moving(table(), name)
    for action in moves:
        if not isinstance(state.decision, Moving) or refusals(state, action):
            continue
        state = apply(state, action, Seeded("p")).state
        assert is_fair(state), action


@rule("O3.impassable")
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(NAMES), pieces)
def test_no_legal_piece_passes_through_what_blocks_it(name: str, action: Action) -> None:
    state = moving(table(), name)
    i = state.roster.index[name]
    if not isinstance(action, Piece) or refusals(state, action):
        return
    path = action.path(state, i)
    assert path is not None
    blocks = walls(state, i)
    for a, b in pairwise(path.stations):
        for step in range(11):
            pose = Pose(
                round(a.x + (b.x - a.x) * step / 10),
                round(a.y + (b.y - a.y) * step / 10),
                (a.turn + plane.between(a.turn, b.turn) * step // 10) % FULL,
            )
            card = plane.card(pose, CARD, 4)
            assert not any(card.intersects(block.shape) for block in blocks)


@rule("OH.move.1", "OH.move.5")
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(NAMES), st.lists(pieces, min_size=1, max_size=4))
def test_what_a_move_has_cost_is_the_sum_of_its_pieces(name: str, moves: list[Action]) -> None:
    state = moving(table(), name)
    i, total = state.roster.index[name], 0
    for action in moves:
        if not isinstance(state.decision, Moving) or not isinstance(action, Piece) or refusals(state, action):
            continue
        path = action.path(state, i)
        assert path is not None
        total += path.cost
        state = apply(state, action, Seeded("p")).state
        assert state.spent[i] == total
        assert isinstance(state.decision, Moving)
        assert state.decision.spent == total
        assert total <= allowance(state, i, LIMITED if state.decision.limited else state.decision.mode)
        assert total <= allowance(state, i, REGULAR)


@rule("O2.difficult.cost", "OH.move.1")
@pytest.mark.parametrize("seed", range(20))
def test_a_way_in_two_pieces_costs_what_it_costs_in_one(seed: int) -> None:
    rng = Random(seed)
    x, y, turn = rng.randint(4, 15), rng.randint(8, 13), rng.randint(0, 359)
    state = battle(
        f"A numidian-cavalry {x} {y} {turn}",
        "X hastati 1 1",
        ground="w forest 9 10 3x2 25; v forest 12 9 2x2",
    )
    whole, part = rng.randint(60, 300), rng.randint(10, 50)
    one, two = moving(state, "A"), moving(state, "A")
    if refusals(one, Advance(whole)):
        return
    one = apply(one, Advance(whole), Seeded("a")).state
    for distance in (part, whole - part):
        two = apply(two, Advance(distance), Seeded("a")).state
    assert abs(one.spent[0] - two.spent[0]) <= 2
    assert abs(one.pose[0].x - two.pose[0].x) + abs(one.pose[0].y - two.pose[0].y) <= 2


# --- mirrors -------------------------------------------------------------------------------------


def mirrored(state: OnusState) -> OnusState:
    """The same table seen in a mirror: east is west."""

    width = state.roster.width
    grounds = tuple(
        replace(ground, outline=tuple((width - x, y) for x, y in reversed(ground.outline)))
        for ground in state.roster.grounds
    )
    structures = tuple(replace(one, pose=flipped(one.pose, width)) for one in state.roster.structures)
    new = state.copy()
    new.roster = replace(state.roster, grounds=grounds, structures=structures)
    new.pose = [flipped(pose, width) for pose in state.pose]
    return new


def flipped(pose: Pose, width: int) -> Pose:
    return Pose(width - pose.x, pose.y, -pose.turn % FULL)


def reflected(action: Action) -> Action:
    if isinstance(action, Slide):
        return Slide(FULL - action.angle, action.distance)
    if isinstance(action, Turn):
        return Turn(-action.angle)
    if isinstance(action, Wheel):
        end, side = action.corner.split("-")
        return Wheel(f"{end}-{'right' if side == 'left' else 'left'}", -action.angle)
    return action


@rule("OH.measure.1")
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(NAMES), pieces)
def test_in_a_mirror_the_same_moves_lead_to_the_same_places(name: str, action: Action) -> None:
    state = table()
    here, there = moving(state, name), moving(mirrored(state), name)
    i = state.roster.index[name]
    back = reflected(action)
    if isinstance(action, Charge):
        paths = [run_in(one, i, one.roster.index[action.target]) for one in (here, there)]
    else:
        assert isinstance(action, Piece)
        assert isinstance(back, Piece)
        paths = [action.path(here, i), back.path(there, i)]
    assert (paths[0] is None) == (paths[1] is None)
    if paths[0] is not None and paths[1] is not None:
        a, b = paths[0].end, flipped(paths[1].end, state.roster.width)
        assert abs(a.x - b.x) <= 2
        assert abs(a.y - b.y) <= 2
        assert abs(paths[0].cost - paths[1].cost) <= 2
        assert paths[0].limited == paths[1].limited


# --- what bots think of --------------------------------------------------------------------------


@rule("OH.turn.2", "OH.move.1")
@pytest.mark.parametrize("seed", range(6))
def test_candidates_are_few_and_always_end(seed: int) -> None:
    state, rng = at(table(), Moves(0)), Random(seed)
    for _ in range(60):
        decision = state.decision
        if not isinstance(decision, (Moves, Moving)):
            break
        found = decision.candidates(state)
        assert len(found) <= 30
        choice = legal(state)
        assert choice
        if isinstance(decision, Moving):
            assert Halt() in choice
        state = apply(state, rng.choice(choice), Seeded(f"c{seed}")).state
        assert is_fair(state)


def test_candidates_lead_to_contact_to_cover_and_to_range() -> None:
    charge = moving(battle("A hastati 10 9", "X slingers 10 7"), "A")
    assert Charge("X") in legal(charge)
    wood = moving(battle("A hastati 10 9", "X slingers 10 2", ground="w forest 10 7.4 4x2"), "A")
    ends = [action for action in legal(wood) if isinstance(action, Advance)]
    assert any(apply(wood, end, Seeded("x")).state.pose[0].y < 840 for end in ends)
    shot = moving(battle("A archers 10 9", "X slingers 10 2"), "A")
    gaps = {700 - 88 - action.distance for action in legal(shot) if isinstance(action, Advance)}
    assert any(abs(gap - 600) <= 2 for gap in gaps)
    aside = moving(battle("A hastati 10 9", "X slingers 13 8"), "A")
    assert any(isinstance(action, Wheel) and action.angle > 0 for action in legal(aside))
    assert any(isinstance(action, Slide) and action.angle == 1800 for action in legal(aside))


@pytest.mark.parametrize(
    ("structure", "ground", "wanted"),
    [
        ("b wooden-bridge 10 6", "r river 9 6 2x1.44; s river 11 6 2x1.44", Align("b")),
        ("", "r river 8 6 2x1.44; f ford 10 6 2x1.44; s river 12 6 2x1.44", Align("f")),
        ("d trench 10 7 owner=attacker", "", Align("d")),
        ("v village 10 6.5", "", Occupy("v")),
    ],
)
def test_candidates_lead_to_crossings_and_works(structure: str, ground: str, wanted: Action) -> None:
    state = moving(battle("A hastati 10 9", "X slingers 3 2", structure=structure, ground=ground), "A")
    ends = [action for action in legal(state) if isinstance(action, Advance)]
    assert any(wanted in legal(apply(state, end, Seeded("x")).state) for end in ends)


def test_the_ground_of_the_tests_has_everything_in_it() -> None:
    state = table()
    assert {ground.kind for ground in state.roster.grounds} >= {MOUNTAIN, LAKE}
    assert len(rocks(state)) == 2
    assert all(patches_of(state, i) for i, where in enumerate(state.where) if where == FIELD)
    assert Move("A") in legal(at(state, Moves(0)))
