"""The balance of Julian under JH.calibration, and what greedy makes of random.

``python tests/bench/julian.py [GAMES] [JOBS] [SCENARIO...]``: greedy plays both sides of a scenario, in the
same games as ``legatus simulate --seed balance``; then greedy and random, changing seats, a tenth as many.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from random import Random
from typing import NamedTuple

from legatus.bots import make_bot
from legatus.games import GAMES
from legatus.games.julian.state import BARBARIAN, ROMAN, JulianState, score
from legatus.kernel import Seeded
from legatus.kernel.engine import playout, start
from legatus.lab.simulate import BehindScreens

JULIAN = GAMES["julian"]
SEED = "balance"
HEAD = """\
| scenario | games | Roman | barbarian | draws | score | range | endings | turn | decisions | seconds |
|---|---|---|---|---|---|---|---|---|---|---|"""
MIRROR = ("greedy", "greedy")
SWAPPED = (("greedy", "random"), ("random", "greedy"))


class Game(NamedTuple):
    winner: int | None
    ending: str
    score: int
    turn: int
    decisions: int
    seconds: float  # of one core


def play(scenario: str, bots: tuple[str, str], number: int) -> Game:
    """One game, by the Roman's bot and the barbarian's."""
    began = time.process_time()
    name = f"{SEED}/{number}"
    dice, rng = Seeded(f"{name}/dice"), Random(f"{name}/bots")
    state: JulianState = start(JULIAN, JULIAN.configure(scenario), dice).state
    made = playout(state, dice, rng, BehindScreens(JULIAN, [make_bot(bot) for bot in bots]))
    outcome = state.outcome
    assert outcome is not None, "a game without an end"
    spent = time.process_time() - began
    return Game(outcome.winner, outcome.key, score(state), state.turn, made, spent)


def row(scenario: str, games: list[Game]) -> str:
    """A line of the table of mirror games."""
    wins, endings = Counter(game.winner for game in games), Counter(game.ending for game in games)
    told = ", ".join(f"{ending.removeprefix('end.')} {n}" for ending, n in endings.most_common())
    mean = [sum(values) / len(games) for values in list(zip(*games, strict=True))[2:]]
    shares = [f"{wins[side] / len(games):.1%}" for side in (ROMAN, BARBARIAN, None)]
    scores = [game.score for game in games]
    spread = f"{min(scores)} to {max(scores)}"
    cells = (scenario, len(games), *shares, f"{mean[0]:.1f}", spread, told, *(f"{n:.1f}" for n in mean[1:]))
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    scenarios = sys.argv[3:] or ["gaul", "argentoratum"]
    print(HEAD)
    with ProcessPoolExecutor(jobs) as pool:
        for scenario in scenarios:
            found = list(pool.map(play, repeat(scenario), repeat(MIRROR), range(games), chunksize=2))
            print(row(scenario, found), flush=True)
        for scenario in scenarios:
            won = 0
            for seat, bots in enumerate(SWAPPED):
                found = list(pool.map(play, repeat(scenario), repeat(bots), range(games // 20), chunksize=2))
                won += sum(game.winner == seat for game in found)
            print(f"\n{scenario}: greedy wins {won} of {2 * (games // 20)} against random", flush=True)


if __name__ == "__main__":
    main()
