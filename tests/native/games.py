"""Play games by seed and print what became of them: ``python -m tests.native.games``.

It is run twice, interpreted and compiled, and both runs must print the same.
"""

from __future__ import annotations

from random import Random

from legatus.bots import make_bot
from legatus.games import GAMES
from legatus.kernel import Game, Seeded, apply, engine, playout, start
from legatus.kernel.positions import digest

RANDOM_GAMES = 3
LONGEST = 1_500  # decisions of a random game
MIDGAME = 60  # random decisions before bots take over
BOTS = {"greedy": 60, "search:4": 6}  # and the decisions that they make


def random_game(game: Game, number: int) -> str:
    name = f"{game.key}/{number}"
    state = start(game, game.configure(), Seeded(name)).state
    made = playout(state, Seeded(f"{name}/dice"), Random(number), limit=LONGEST)
    return f"{name} random: {made} decisions, {digest(state)}"


def bot_game(game: Game, name: str, decisions: int) -> str:
    seed, prints, bot = f"{game.key}/{name}", [], make_bot(name)
    state = start(game, game.configure(), Seeded(seed)).state
    playout(state, Seeded(f"{seed}/dice"), Random(1), limit=MIDGAME)
    for number in range(decisions):
        if state.decision is None:
            break
        seat = state.decision.seat
        action = bot.choose(game, game.view(state, seat), seat, Random(number))
        state = apply(state, action, Seeded(f"{seed}/{number}")).state
        prints.append(digest(state))
    return f"{seed}: {' '.join(prints)}"


def main() -> None:
    print("compiled" if not engine.__file__.endswith(".py") else "interpreted")
    for game in GAMES.values():
        for number in range(RANDOM_GAMES):
            print(random_game(game, number), flush=True)
        for name, decisions in BOTS.items():
            print(bot_game(game, name, decisions), flush=True)


if __name__ == "__main__":
    main()
