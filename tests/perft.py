"""Counting action sequences: ``python -m tests.perft virtus`` writes ``counts.toml`` of a game anew.

Every die shows its highest face and every draw takes the first thing that is left, so a count is a fact
about the rules: it grows when they become laxer and shrinks when they become stricter.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from legatus.kernel import Dice, Game, Luck, Match, apply, legal, say
from legatus.kernel.files import read_toml

TESTS = Path(__file__).parent
DEEPEST, MANY = 5, 1000  # a new position is counted until it has so many sequences
STARTS = (0, 5, 20, 60, 120, 240)  # random actions before a new position
SEED = 1
PATIENCE = 100  # questions of one action


class Highest(Dice):
    """Luck without luck.  Whoever asks again and again has a tie to break: then every other die is lowest."""

    def __init__(self) -> None:
        self.asked = 0

    def answer(self, luck: Luck) -> list[int]:
        self.asked += 1
        if luck.weights:
            return [next(i for i, weight in enumerate(luck.weights) if weight > 0)]
        tied = self.asked > PATIENCE and self.asked % 2 == 0
        if self.asked > 2 * PATIENCE:  # two dice each
            tied = (self.asked - 1) // 2 % 2 == 0
        return [luck.low if tied else luck.high] * luck.n


def count(state: Any, depth: int) -> int:
    """The number of action sequences of length ``depth``; one that ends the game earlier counts as one."""
    if depth == 0 or state.outcome is not None:
        return 1
    actions = legal(state)
    if depth == 1:
        return len(actions)
    return sum(count(apply(state, action, Highest()).state, depth - 1) for action in actions)


class Position(Struct, frozen=True):
    """A named position: so many random actions after the start of a scenario."""

    scenario: str
    seed: int
    after: int
    counts: list[int] = []

    def state(self, game: Game) -> Any:
        rng = Random(self.seed)
        match = Match.new(game, game.configure(self.scenario), Highest())
        while len(match.journal) <= self.after and match.state.outcome is None:
            match.play(rng.choice(sorted(legal(match.state), key=say)), match.seeded(self.seed))
        return match.state


def counts_file(game: Game) -> Path:
    return (
        TESTS / "toy_files" / "counts.toml"
        if game.key == "outpost"
        else TESTS / "games" / game.key / "counts.toml"
    )


def positions(game: Game) -> dict[str, Position]:
    """What ``counts.toml`` of a game names; nothing if it has none."""
    path = counts_file(game)
    return read_toml(path, dict[str, Position]) if path.is_file() else {}


def fresh(game: Game, position: Position) -> Position:
    """Counted as deep as it was, or as deep as is cheap."""
    state, counts = position.state(game), list[int]()
    for depth in range(1, (len(position.counts) or DEEPEST) + 1):
        if not position.counts and counts and counts[-1] > MANY:
            break
        counts.append(count(state, depth))
    return Position(position.scenario, position.seed, position.after, counts)


def main(key: str) -> None:
    from legatus.games import GAMES
    from tests.toy import TOY

    game = {**GAMES, TOY.key: TOY}[key]
    names = game.folder.names("scenarios") or [game.default_scenario]
    wanted = {f"{name}-{after}": Position(name, SEED, after) for name in names for after in STARTS}
    lines = [f"# Written by `python -m tests.perft {key}`; a change here is a change of the rules.\n"]
    for name, position in (positions(game) or wanted).items():
        if position.state(game).outcome is not None:
            continue
        lines.append(f"\n[{name}]\n")
        for field, value in asdict(fresh(game, position)).items():
            lines.append(f"{field} = {json.dumps(value)}\n")
        print(name, flush=True)
    counts_file(game).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
