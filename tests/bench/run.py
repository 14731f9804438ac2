"""Speed beside peers, in one run, as ratios: ``make bench``.

Absolute figures depend on the machine; a ratio to a peer that runs in the same minute does not.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from random import Random

import peers
from legatus.games import GAMES
from legatus.kernel import Action, Seeded, apply, engine, legal, outcomes, playout, start
from legatus.kernel.model import State

SECONDS = 5.0
ROUNDS = 3
VIRTUS = GAMES["virtus"]
ROLLING = ("Fight", "Shoot", "Outflank", "Charge")


def random_games(key: str, scenario: str, seconds: float) -> tuple[int, float]:
    """Random battles from set-up to victory: decisions, and the time they took."""
    game = GAMES[key]
    setup = game.configure(scenario)
    steps, number = 0, 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        state = start(game, setup, Seeded(f"bench/{number}")).state
        steps += playout(state, Seeded(f"bench/{number}/dice"), Random(number))
        number += 1
    return steps, time.perf_counter() - began


def virtus_random(seconds: float) -> tuple[str, int, float]:
    return "legatus: Virtus, 200 points, random", *random_games("virtus", "open", seconds)


def metaurus_random(seconds: float) -> tuple[str, int, float]:
    return "legatus: Metaurus, 71 units, random", *random_games("metaurus", "historical", seconds)


def formations_random(seconds: float) -> tuple[str, int, float]:
    return "legatus: Formations, 28 units, random", *random_games("formations", "beacon", seconds)


def timed(job: Callable[[], object], times: int) -> float:
    """Seconds a call."""
    began = time.perf_counter()
    for _ in range(times):
        job()
    return (time.perf_counter() - began) / times


def midgame(seed: int, decisions: int) -> State:
    state: State = start(VIRTUS, VIRTUS.configure("open"), Seeded(f"mid/{seed}")).state
    playout(state, Seeded(f"mid/{seed}/dice"), Random(seed), limit=decisions)
    return state


def combats(games: int) -> list[tuple[State, Action]]:
    """Every fight, shot, outflanking attack and charge that is open in some random battles."""
    found: list[tuple[State, Action]] = []
    for seed in range(games):
        rng = Random(seed)
        state = start(VIRTUS, VIRTUS.configure("open"), Seeded(f"odds/{seed}")).state
        while (decision := state.decision) is not None:
            found += [(state, a) for a in legal(state) if type(a).__name__ in ROLLING]
            action = engine.random_action(state, decision, rng)
            state = apply(state, action, Seeded(f"odds/{seed}/{rng.random()}")).state
    return found


def odds_time(state: State, action: Action) -> float:
    return timed(lambda: list(outcomes(state, action, alone=True)), 1)


def main() -> None:
    print(f"Random play, one core, best of {ROUNDS} rounds of {SECONDS:.0f} s, in turn:")
    rates: dict[str, float] = {}
    for _ in range(ROUNDS):
        for runner in (virtus_random, metaurus_random, formations_random, *peers.PEERS):
            name, steps, seconds = runner(SECONDS)
            rates[name] = max(rates.get(name, 0.0), steps / seconds)
    ours = next(iter(rates.values()))
    for name, rate in rates.items():
        print(f"  {name:45} {rate:10,.0f} steps/s   Virtus makes {ours / rate:5.2f} times as many")

    state = midgame(1, 300)
    quick, deep = timed(state.copy, 20_000), timed(lambda: copy.deepcopy(state), 200)
    print(
        f"Copying a state: {quick * 1e6:.1f} µs; copy.deepcopy: {deep * 1e6:.0f} µs; ratio {deep / quick:.0f}"
    )

    places = combats(20)
    times = sorted(min(odds_time(state, action) for _ in range(ROUNDS)) for state, action in places)
    print(
        f"Exact odds of {len(times)} single combats: median {times[len(times) // 2] * 1e3:.2f} ms, "
        f"worst {times[-1] * 1e3:.1f} ms"
    )


if __name__ == "__main__":
    main()
