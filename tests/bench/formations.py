"""The balance of Formations, and how often each action of the sheet is used, when greedy plays both sides.

``python tests/bench/formations.py [GAMES] [JOBS] [BOTS] [SCENARIO...]``: so many games of each scenario,
by name or file; ``BOTS`` are two names with a comma.  Different bots change seats from game to game.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from random import Random
from typing import Any

from msgspec import Struct

from legatus.bots import make_bot
from legatus.games import GAMES
from legatus.games.formations import forming, manipulation, recover
from legatus.games.formations.victory import score
from legatus.kernel import Action, Decision, Seeded, engine
from legatus.lab.simulate import MAX_DECISIONS, BehindScreens
from legatus.lab.stats import wilson

FORMATIONS = GAMES["formations"]
SCENARIOS = ("beacon", "crows", "drought")
SHEET: dict[str, type[Action]] = {
    "Rest": recover.Rest,
    "Reorganise": recover.Reorganise,
    "Rally": recover.Rally,
    "Reload": recover.Reload,
    "Merge": forming.Merge,
    "Change mode": forming.ChangeMode,
    "Join": forming.Join,
    "Constitute": forming.Constitute,
    "Leave": forming.Leave,
    "Break": forming.Break,
    "Manipulation": manipulation.Work,
    "Set fire": manipulation.SetFire,
    "Put out fire": manipulation.Douse,
    "Plant stakes": manipulation.PlantStakes,
    "Remove stakes": manipulation.RemoveStakes,
}


class Found(Struct, frozen=True):
    """How one game went."""

    ended: bool
    winner: int | None
    by: str  # the bot that won, if any
    points: tuple[int, int]
    turn: int
    decisions: int
    seconds: float
    uses: dict[str, int]


class Counting(BehindScreens):
    """Counts what is chosen."""

    def __init__(self, bots: tuple[str, ...]) -> None:
        super().__init__(FORMATIONS, [make_bot(bot) for bot in bots])
        self.uses: Counter[type[Action]] = Counter()

    def __call__(self, state: Any, decision: Decision, rng: Random) -> Action:
        action = super().__call__(state, decision, rng)
        self.uses[type(action)] += 1
        return action


def play(scenario: str, bots: tuple[str, ...], number: int) -> Found:
    """One game; of different bots, two in a row share their luck with the seats changed."""
    swaps = len(set(bots)) > 1
    seated = bots[::-1] if swaps and number % 2 else bots
    name = f"{scenario}/{number // 2 if swaps else number}"
    dice, rng, chooser = Seeded(f"{name}/dice"), Random(f"{name}/bots"), Counting(seated)
    began = time.process_time()
    state: Any = engine.start(FORMATIONS, FORMATIONS.configure(scenario), dice).state
    made = engine.playout(state, dice, rng, chooser, MAX_DECISIONS)
    winner = state.outcome.winner if state.outcome else None
    league, horde = score(state)
    return Found(
        ended=state.outcome is not None,
        winner=winner,
        by="" if winner is None else seated[winner],
        points=(league, horde),
        turn=state.turn,
        decisions=made,
        seconds=time.process_time() - began,
        uses={name: chooser.uses[kind] for name, kind in SHEET.items()},
    )


def share(wins: int, games: int) -> str:
    """A number of wins with its 95% interval."""
    low, high = wilson(wins, games)
    return f"{wins / games:.1%} ({100 * low:.0f}-{100 * high:.0f})"


def balance(scenario: str, found: list[Found]) -> str:
    """A line of the table of results."""
    games = len(found)
    wins = Counter(one.winner for one in found)
    draws = sum(one.ended for one in found) - wins[0] - wins[1]
    points = [sum(one.points[side] for one in found) / games for side in (0, 1)]
    cells = [
        scenario,
        games,
        share(wins[0], games),
        share(wins[1], games),
        f"{draws / games:.1%}",
        sum(not one.ended for one in found),
        f"{points[0]:.1f} : {points[1]:.1f}",
        f"{sum(one.turn for one in found) / games:.1f}",
        f"{sum(one.decisions for one in found) / games:.0f}",
        f"{sum(one.seconds for one in found) / games:.2f}",
    ]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def uses(found: dict[str, list[Found]]) -> list[str]:
    """The table of the sheet's actions: how often, and in how many games."""
    lines = ["| action | " + " | ".join(f"{key}: uses | in games" for key in found) + " |"]
    lines.append("|---" * (1 + 2 * len(found)) + "|")
    for name in SHEET:
        cells = [
            (sum(g.uses[name] for g in all_), sum(g.uses[name] > 0 for g in all_)) for all_ in found.values()
        ]
        lines.append(f"| {name} | " + " | ".join(f"{n} | {games}" for n, games in cells) + " |")
    return lines


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    bots = tuple((sys.argv[3] if len(sys.argv) > 3 else "greedy,greedy").split(","))
    print("| scenario | games | League wins | Horde wins | draws", end=" | ")
    print("not ended | points | turns | decisions | seconds |")
    print("|---" * 10 + "|")
    found: dict[str, list[Found]] = {}
    with ProcessPoolExecutor(jobs) as pool:
        for scenario in sys.argv[4:] or SCENARIOS:
            played = pool.map(play, repeat(scenario), repeat(bots), range(games), chunksize=2)
            found[scenario] = list(played)
            print(balance(scenario, found[scenario]), flush=True)
    print()
    if len(set(bots)) == 1:
        print("\n".join(uses(found)))
        return
    for scenario, all_ in found.items():
        wins = Counter(one.by for one in all_)
        print(f"{scenario}: " + ", ".join(f"{bot} wins {share(wins[bot], games)}" for bot in bots))


if __name__ == "__main__":
    main()
