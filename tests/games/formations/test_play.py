"""Random play: whatever is done, what must hold holds, and there is always something that may be done."""

from __future__ import annotations

from random import Random

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.cohesion import RemnantChoice
from legatus.games.formations.movement import Moving
from legatus.games.formations.rout import Flight, FlightChoice
from legatus.games.formations.state import CHARACTER, EXHAUSTED, FORMATION, ROUT, SPENT, FormationsState
from legatus.games.formations.units import cells_of, points, troops
from legatus.games.formations.victory import score
from legatus.kernel import Seeded, apply, legal, parse_action, say, start
from legatus.kernel.engine import random_action
from tests.rules import rule

GAMES = 6
BUSY = (Moving, Flight, FlightChoice, RemnantChoice)  # while a unit passes others or is being replaced


def opened(seed: int) -> FormationsState:
    return start(FORMATIONS, FORMATIONS.configure(), Seeded(f"open-{seed}")).state  # type: ignore[no-any-return]


def check(state: FormationsState) -> None:
    """By hand, what the invariants say and what they do not."""
    grid = state.roster.grid
    assert len(set(state.ids)) == len(state.ids)
    for side in (0, 1):
        steps = sum(state.steps[i] for i in troops(state, side))
        assert 0 <= steps <= state.roster.total[side]
        assert score(state)[1 - side] >= state.roster.total[side] - steps
    held: dict[int, set[int]] = {}
    loads: dict[int, int] = {}
    for i, cell in enumerate(state.cell):
        if cell < 0:
            assert state.flags[i] == 0
            continue
        cells = cells_of(state, i)
        assert len(cells) == (2 if state.kind[i] == FORMATION else 1)
        assert state.fatigue[i] <= EXHAUSTED
        assert state.cohesion[i] <= ROUT
        assert state.ammo[i] <= SPENT
        if state.kind[i] == CHARACTER:
            assert (state.steps[i], state.fatigue[i], state.cohesion[i]) == (0, 0, 0)
            continue
        if len(cells) == 2:  # AH2.footprint
            assert grid.direction(*cells) == (state.facing[i] + 2) % 6
        for one in cells:
            held.setdefault(one, set()).add(state.side[i])
            loads[one] = loads.get(one, 0) + points(state, i)
    assert all(len(sides) == 1 for sides in held.values())  # AH7.move
    if not any(isinstance(step, BUSY) for step in state.todo):
        assert all(load <= 10 for load in loads.values())  # AH18.stacking


@rule("AH2.footprint", "AH18.stacking", "AH7.move", "A.def.stacking_limit", "AH27.victory", "AH3.turn")
@pytest.mark.parametrize("seed", range(GAMES))
def test_a_random_battle_keeps_what_must_hold_and_comes_to_an_end(seed: int) -> None:
    state, rng = opened(seed), Random(seed)
    turn = state.turn
    for n in range(4000):
        if state.outcome is not None:
            break
        decision = state.decision
        assert decision is not None
        action = random_action(state, decision, rng)  # a DeadEnd if there is none
        state = apply(state, action, Seeded(f"{seed}/{n}")).state
        broken = list(FORMATIONS.invariants(state))
        assert not broken, (n, say(action), broken)
        check(state)
        assert state.turn in (turn, turn + 1)
        turn = state.turn
    assert state.outcome is not None
    assert state.outcome.clause == "AH27.victory"
    assert turn <= 12


@pytest.mark.parametrize("seed", range(2))
def test_every_legal_action_can_be_said_and_done(seed: int) -> None:
    """Each of them, from positions of a random battle; a refusal names a clause that there is."""
    state, rng = opened(100 + seed), Random(100 + seed)
    known = set(FORMATIONS.folder.rulebooks["en"].clauses)
    for n in range(300):
        if state.outcome is not None:
            break
        actions = legal(state)
        assert actions
        assert len(set(actions)) == len(actions)
        assert all(parse_action(FORMATIONS, say(action)) == action for action in actions)
        if n % 25 == 0:
            for action in actions:
                after = apply(state, action, Seeded(f"{seed}-{n}-{say(action)}"))
                assert list(FORMATIONS.invariants(after.state)) == []
                assert {event.clause for event in after.events} <= known
            decision = state.decision
            assert decision is not None
            for action in decision.candidates(state):
                assert {refusal.clause for refusal in action.refuse(state)} <= known
        state = apply(state, rng.choice(actions), Seeded(f"{seed}/{n}")).state
