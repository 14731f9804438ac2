"""The balance of Metaurus under both plans of MH16.calibration.

``python tests/bench/metaurus.py [GAMES] [JOBS] [PLAN...]``: greedy, with one guess and one throw of the dice
for each look, plays both sides; as it likes; then with Carthage on the attack, which lays no Stand & Defend;
then on the defence, which lays no order to move.
"""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from random import Random
from typing import Any

from legatus.bots import GreedyBot
from legatus.games import GAMES
from legatus.games.metaurus.orders import Lay
from legatus.games.metaurus.state import CARTHAGE, ROME
from legatus.kernel import Action, Game, Match, Seat, Seeded, legal

BARRED = {"as it likes": (), "attacks": ("stand",), "stands": ("move", "move-to-attack")}
METAURUS = GAMES["metaurus"]


class Planned(GreedyBot):
    """Greedy, but for orders that its plan does not have."""

    def __init__(self, barred: tuple[str, ...]) -> None:
        super().__init__(samples=1)
        self.barred = barred

    def options(self, view: Any) -> list[Action]:
        return [a for a in legal(view) if not (isinstance(a, Lay) and a.order in self.barred)]


def play(plan: str, scenario: str, number: int) -> tuple[int | None, str, int]:
    """One game: the winner, by which clause, in which turn."""
    match = Match.new(METAURUS, METAURUS.configure(scenario), Seeded(f"{plan}/{number}"))
    rng = Random(f"{plan}/{number}")
    bots = {ROME: Planned(()), CARTHAGE: Planned(BARRED[plan])}
    game: Game = METAURUS
    while (decision := match.state.decision) is not None:
        seat: Seat = decision.seat
        action = bots[seat].choose(game, game.view(match.state, seat), seat, rng)
        match.play(action, Seeded(f"{plan}/{number}/{len(match.journal)}"))
    outcome = match.state.outcome
    assert outcome is not None
    return outcome.winner, outcome.clause, match.state.turn


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    print(
        "| Carthage | games | Rome wins | Carthage wins | decided by | mean turn |\n|---|---|---|---|---|---|"
    )
    with ProcessPoolExecutor(jobs) as pool:
        for plan in sys.argv[3:] or BARRED:
            found = list(pool.map(play, repeat(plan), repeat("historical"), range(games), chunksize=5))
            wins = Counter(winner for winner, _, _ in found)
            clauses = Counter(clause for _, clause, _ in found)
            told = ", ".join(f"{clause} {n}" for clause, n in clauses.most_common())
            turns = sum(turn for _, _, turn in found) / games
            rome, carthage = wins[0] / games, wins[1] / games
            print(f"| {plan} | {games} | {rome:.1%} | {carthage:.1%} | {told} | {turns:.1f} |", flush=True)


if __name__ == "__main__":
    main()
