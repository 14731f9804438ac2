"""How long Onus thinks in a battle of 2,000 points: candidates of a unit, its shots, a card that is dragged.

``python tests/bench/onus.py [ROUNDS] [SEEDS]``: the stone fortress and a doubled open field, armies that
close in on each other for so many rounds; every question is asked with nothing remembered, in milliseconds
of one core.  Beside it, in the same run, the peer: the same ways asked of shapely alone, every shape made
anew and every pair tried.  It answers only what is in the way, not what the rules say besides.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any

import shapely
from msgspec.structs import replace

from legatus.games.onus import ONUS
from legatus.games.onus.ghost import GRIPS
from legatus.games.onus.movement import Moving, Piece
from legatus.games.onus.shooting import Shooting
from legatus.games.onus.state import ACTIVATED, CARD, SEATS, OnusState, other
from legatus.games.onus.table import units_on
from legatus.kernel import Decision, Seeded, Setup, apply, legal, start
from legatus.parts import plane
from legatus.parts.plane import TOLERANCE, UNIT, Pose

AGAIN = 3  # the best of so many: other work on the machine does not count
NEAR = 4 * UNIT  # how far a card is dragged
BOLD, ONWARD = ("Charge", "Climb", "Haul"), ("Advance", "Wheel")
MOVE, WAYS = "candidates of a move", "peer: its ways"
GHOST, DRAG = "a card that is dragged", "peer: one drag"
SHOT, VOLLEY = "candidates of a shot", "shots of a whole side"


# --- positions -----------------------------------------------------------------------------------


def doubled() -> Setup:
    """The open field with twice as many units on a wider table."""
    setup = ONUS.configure("open-field")
    plan: dict[str, Any] = dict(setup.scenario) | {"size": [28, 18], "points": 2000}
    for army in plan["army"]:
        for entry in army["unit"]:
            entry["count"] *= 1 if entry["general"] and entry["count"] == 1 else 2
    return ONUS.validate(replace(setup, scenario=plan))


def asked(state: OnusState, decision: Decision, *active: int) -> OnusState:
    """The position with a decision open and some units activated."""
    new = state.copy()
    new.active = decision.seat
    new.flags = [ACTIVATED if i in active else 0 for i in range(len(new.flags))]
    new.todo.append(decision)
    return new


def moving(state: OnusState, i: int) -> OnusState:
    return asked(state, Moving(state.roster.units[i].side, i, 0, "regular", ""), i)


def positions(setup: Setup, seed: int, rounds: int) -> Iterator[OnusState]:
    """Armies that are deployed at random and then close in on each other, a position after each round."""
    dice, rng = Seeded(f"onus/{seed}"), Random(seed)
    state: OnusState = start(ONUS, setup, dice).state
    while not state.turn:
        state = apply(state, rng.choice(legal(state)), dice).state
    for _ in range(rounds):
        for i in units_on(state):
            state = stepped(state, i, rng, dice)
        yield state


def stepped(state: OnusState, i: int, rng: Random, dice: Seeded) -> OnusState:
    """The position after a piece of a move: a charge if there is one, else forward if it can be."""
    if i not in units_on(state) or state.fleeing[i]:
        return state
    actions = legal(moving(state, i))
    bold = [action for action in actions if type(action).__name__ in BOLD]
    onward = [action for action in actions if type(action).__name__ in ONWARD]
    play = apply(moving(state, i), rng.choice(bold or onward or actions), dice, alone=True)
    after: OnusState = play.state
    if after.outcome is not None:
        return state
    after.todo = state.todo[:]
    return after


# --- the peer ------------------------------------------------------------------------------------


def shapes(state: OnusState, but: tuple[int, ...]) -> list[Any]:
    """All that lies on the table, made anew."""
    units = [i for i in units_on(state) if i not in but]
    found = [shapely.Polygon(plane.corners(state.pose[i], CARD)) for i in units]
    found += [shapely.Polygon(ground.outline) for ground in state.roster.grounds]
    for n, structure in enumerate(state.roster.structures):
        found.append(shapely.Polygon(structure.outline or plane.corners(state.spots[n], structure.size)))
    return found


def is_open(state: OnusState, i: int, stations: tuple[Pose, ...]) -> bool:
    """Whether a card can go a way: all that it sweeps against all that lies on the table."""
    ends = [[*plane.corners(a, CARD), *plane.corners(b, CARD)] for a, b in pairwise(stations)]
    legs = [shapely.convex_hull(shapely.multipoints(points)) for points in ends]
    cover = shapely.union_all(legs).buffer(-TOLERANCE)
    return not any(cover.intersects(shape) for shape in shapes(state, (i,)))


def plain_move(state: OnusState, i: int) -> list[bool]:
    """The ways that a unit thinks of."""
    decision = state.decision
    assert decision is not None
    actions = decision.candidates(state)
    paths = [action.path(state, i) for action in actions if isinstance(action, Piece)]
    return [is_open(state, i, path.stations) for path in paths if path is not None]


def plain_drag(state: OnusState, i: int, far: int) -> int:
    """How far straight on, by halving."""
    low, high = 0, far
    while low < high:
        middle = (low + high + 1) // 2
        way = (state.pose[i], plane.moved(state.pose[i], 0, middle))
        low, high = (middle, high) if is_open(state, i, way) else (low, middle - 1)
    return low


# --- the questions -------------------------------------------------------------------------------


Times = dict[tuple[str, str], list[float]]


def spent(state: OnusState, job: Callable[..., object], *told: Any) -> float:
    """Milliseconds of one core, with nothing remembered of the position."""
    best = float("inf")
    for _ in range(AGAIN):
        state.roster.kept.pop("positions", None)
        began = time.process_time()
        job(*told)
        best = min(best, time.process_time() - began)
    return best * 1e3


def measure(state: OnusState, name: str, rng: Random, times: Times) -> None:
    """Every unit's moves, a drag by each of its grips, every shooter's shots, and those of a whole side."""
    for i in units_on(state):
        if state.fleeing[i]:
            continue
        unit, begun = state.roster.units[i], moving(state, i)
        times[name, MOVE].append(spent(state, legal, begun))
        times[name, WAYS].append(spent(state, plain_move, begun, i))
        view = ONUS.view(begun, unit.side)
        for grip in GRIPS:
            drag = view, unit.side, unit.id, grip, aim(state, i, rng), "en"
            times[name, GHOST].append(spent(state, ONUS.ghost, *drag))
        times[name, DRAG].append(spent(state, plain_drag, begun, i, NEAR))
        if unit.kind.shoots:
            times[name, SHOT].append(spent(state, legal, asked(state, Shooting(unit.side), i)))
    for side in range(len(SEATS)):
        volley = asked(state, Shooting(side), *units_on(state, side))
        times[name, VOLLEY].append(spent(state, legal, volley))


def aim(state: OnusState, i: int, rng: Random) -> tuple[int, int]:
    """Where a card is dragged to: an enemy, or anywhere near."""
    foes = [state.pose[j] for j in units_on(state, other(state.roster.units[i].side))]
    if foes and rng.random() < 1 / 3:
        x, y, _ = rng.choice(foes)
        return x, y
    return state.pose[i].x + rng.randint(-NEAR, NEAR), state.pose[i].y + rng.randint(-NEAR, NEAR)


def row(question: str, found: list[float]) -> str:
    ranked = sorted(found)
    p50, p95 = ranked[len(ranked) // 2], ranked[min(len(ranked) - 1, len(ranked) * 95 // 100)]
    return f"  {question:24} {len(ranked):6} {p50:8.2f} {p95:8.2f} {ranked[-1]:8.2f}"


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    times: Times = defaultdict(list)
    for name, setup in (("stone fortress", ONUS.configure("stone-fortress")), ("open field", doubled())):
        for seed in range(seeds):
            for state in positions(setup, seed, rounds):
                measure(state, name, Random(seed), times)
        print(f"{name + ': milliseconds':27} asked      p50      p95      max")
        for (place, question), found in times.items():
            if place == name:
                print(row(question, found))
        for ours, peer in ((MOVE, WAYS), (GHOST, DRAG)):
            ratio = mean(times[name, peer]) / mean(times[name, ours])
            print(f"  {ours}: the peer takes {ratio:.1f} times as long for its part")


def mean(found: list[float]) -> float:
    return sum(found) / len(found)


if __name__ == "__main__":
    main()
