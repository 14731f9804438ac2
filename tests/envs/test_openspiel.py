"""The games of OpenSpiel: its own tests, its search, and luck as the kernel knows it."""

import subprocess
import sys
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

from legatus.envs import open_spiel
from legatus.games import GAMES
from legatus.kernel import legal, outcomes
from legatus.kernel.records import digest

NAMES = dict(zip(GAMES, open_spiel(), strict=True))
each_game = pytest.mark.parametrize("key", GAMES)
each_with_secrets = pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.has_secrets])


def load(key: str, **settings: object) -> Any:
    told = ",".join(f"{name}={value}" for name, value in settings.items())
    return pyspiel.load_game(f"{NAMES[key]}({told})" if told else NAMES[key])


def let_fall(state: Any, rng: np.random.RandomState) -> None:
    """Luck answers until somebody is asked."""
    while state.is_chance_node():
        results, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(results, p=chances)))


def at_decision(game: Any, decisions: int, seed: int = 1) -> Any:
    """A state after so many random decisions."""
    rng, state = np.random.RandomState(seed), game.new_initial_state()
    let_fall(state, rng)
    for _ in range(decisions):
        state.apply_action(int(rng.choice(state.legal_actions())))
        let_fall(state, rng)
    return state


@each_game
def test_of_random_games(key: str) -> None:
    pyspiel.random_sim_test(load(key), num_sims=1, serialize=True, verbose=False)


def test_of_random_games_with_pages() -> None:
    game = load("metaurus", scenario="vanguard", room=5)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@each_game
def test_its_search_plays(key: str) -> None:
    game, rng = load(key), np.random.RandomState(2)
    judge = mcts.RandomRolloutEvaluator(1, rng, max_length=8)
    bot = mcts.MCTSBot(game, 1.4, 12, judge, random_state=rng)
    state = at_decision(game, 40)
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        let_fall(state, rng)


@each_with_secrets
def test_its_search_behind_a_screen_plays(key: str) -> None:
    game, rng = load(key), np.random.RandomState(3)
    judge = mcts.RandomRolloutEvaluator(1, rng, max_length=8)
    bot = ismcts.ISMCTSBot(game, judge, 1.4, 12, random_state=rng, use_observation_string=True)
    state = at_decision(game, 40)
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        let_fall(state, rng)


@each_with_secrets
def test_secrets_are_dealt_anew_and_nothing_that_is_seen(key: str) -> None:
    game, others = load(key), 0
    for decisions in (15, 30, 45, 60, 90):
        state = at_decision(game, decisions)
        player = state.current_player()
        for sample in np.random.RandomState(4).uniform(size=3):
            other = state.resample_from_infostate(player, lambda sample=sample: sample)
            others += str(other) != str(state)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.legal_actions() == state.legal_actions()
    assert others


def spread(state: Any, chance: float = 1.0) -> Counter[str]:
    """Where luck leads to, and how often."""
    found: Counter[str] = Counter()
    if not state.is_chance_node():
        found[digest(state.moment.state)] += chance  # type: ignore[assignment]
        return found
    for result, likely in state.chance_outcomes():
        found.update(spread(state.child(result), chance * likely))
    return found


@each_game
def test_luck_is_that_of_the_kernel(key: str) -> None:
    game, compared = load(key), 0
    rng, state = np.random.RandomState(5), at_decision(load(key), 0)
    while compared < 3 and not state.is_terminal():
        number = int(rng.choice(state.legal_actions()))
        action, before = state.offered()[number], state.moment.state
        state.apply_action(number)
        if state.is_chance_node() and len(state.chance_outcomes()) < 10:
            wanted: Counter[str] = Counter()
            try:
                for chance, after in outcomes(before, action, limit=300):
                    wanted[digest(after)] += chance  # type: ignore[assignment]
            except ValueError:  # too many branches
                pass
            else:
                found = spread(state)
                assert found.keys() == wanted.keys()
                assert sum(map(Fraction, wanted.values())) == 1
                assert all(found[after] == pytest.approx(float(wanted[after])) for after in wanted)
                compared += 1
        let_fall(state, rng)
    assert compared == 3
    assert game.max_chance_outcomes() > 10


@each_game
def test_returns_are_the_outcome(key: str) -> None:
    game, rng, ends = load(key), np.random.RandomState(6), Random(6)
    state = game.new_initial_state()
    let_fall(state, rng)
    while not state.is_terminal():
        assert state.returns() == [0.0, 0.0]
        assert len(state.offered()) == len(legal(state.moment.state))
        state.apply_action(ends.choice(state.legal_actions()))
        let_fall(state, rng)
    winner = state.moment.state.outcome.winner
    assert state.returns() == [0.0 if winner is None else 1.0 if seat == winner else -1.0 for seat in (0, 1)]


def test_a_game_that_goes_on_too_long_is_drawn() -> None:
    state = at_decision(load("julian", max_decisions=9), 9)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


def test_settings_are_those_of_the_game() -> None:
    game = load("virtus", scenario="bridge", options="pips:on decoys:none", armies="gauls-150 dacians-150")
    setup = game.layout.setup
    assert setup.scenario["name"] == GAMES["virtus"].configure("bridge").scenario["name"]
    assert setup.options["pips"] is True
    assert setup.options["decoys"] == "none"
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_clones_go_their_own_ways() -> None:
    state = at_decision(load("virtus"), 20)
    before, clone = str(state), state.clone()
    clone.apply_action(clone.legal_actions()[-1])
    assert str(state) == before != str(clone)


def test_a_process_that_has_loaded_them_ends_well() -> None:
    load = f"pyspiel.load_game({NAMES['virtus']!r})"
    code = f"import pyspiel; from legatus.envs import open_spiel; open_spiel(); {load}"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
