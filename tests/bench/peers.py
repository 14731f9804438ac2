"""How fast other rules engines play at random, on this machine and one core: the yardstick for ours.

Each function plays whole games for about `seconds` of wall time and says who, how many steps, in how long.
A step is one call that changes the state: a move, a decision or, in OpenSpiel, also a roll of the dice.
"""

import random
import time
from collections.abc import Callable

Measure = tuple[str, int, float]  # name, steps, seconds

CHESS_PLIES = 300  # random games shuffle on and on without a claimed draw


def _measure(name: str, play: Callable[[], int], seconds: float) -> Measure:
    """Play games until the time is up; the first one warms the caches and is not counted."""
    play()
    steps = 0
    start = now = time.perf_counter()
    while now - start < seconds:
        steps += play()
        now = time.perf_counter()
    return name, steps, now - start


def chess_random(seconds: float) -> Measure:
    """Chess from the start position, by python-chess: pure Python on bitboards."""
    import chess

    rng = random.Random(1)

    def play() -> int:
        board = chess.Board()
        for ply in range(CHESS_PLIES):
            if board.is_game_over(claim_draw=False):
                return ply
            board.push(rng.choice(list(board.legal_moves)))
        return CHESS_PLIES

    return _measure(f"chess {chess.__version__}, chess", play, seconds)


def catanatron_random(seconds: float) -> Measure:
    """Catan for two, by catanatron: pure Python; `state.actions` records one action for each tick."""
    from importlib.metadata import version

    from catanatron import Color, Game, RandomPlayer

    rng = random.Random(1)

    def play() -> int:
        # The game seeds the global generator, the only one its players know; it takes 0 for no seed.
        game = Game([RandomPlayer(Color.BLUE), RandomPlayer(Color.RED)], seed=rng.randrange(1, 2**32))
        game.play()
        return len(game.state.actions)

    return _measure(f"catanatron {version('catanatron')}, Catan for two", play, seconds)


def open_spiel_random(seconds: float) -> Measure:
    """Backgammon, by OpenSpiel: rules in C++, called step by step from Python, dice rolled by us."""
    from importlib.metadata import version

    import pyspiel

    rng = random.Random(1)
    backgammon = pyspiel.load_game("backgammon")

    def play() -> int:
        state = backgammon.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                action = rng.choices(outcomes, chances)[0]
            else:
                action = rng.choice(state.legal_actions())
            state.apply_action(action)
            steps += 1
        return steps

    return _measure(f"open_spiel {version('open_spiel')}, backgammon", play, seconds)


PEERS: tuple[Callable[[float], Measure], ...] = (chess_random, catanatron_random, open_spiel_random)


def main() -> None:
    for peer in PEERS:
        name, steps, seconds = peer(5.0)
        print(f"{name}: {steps / seconds:,.0f} steps a second ({steps:,} in {seconds:.1f} s)")


if __name__ == "__main__":
    main()
