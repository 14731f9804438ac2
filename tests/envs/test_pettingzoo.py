"""The environments of PettingZoo: its own tests, and what they do not ask."""

from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, seed_test

from legatus.envs import env
from legatus.envs.pettingzoo import LegatusEnv
from legatus.games import GAMES
from legatus.kernel import Luck

LUCK = Luck(6, 1000)
each_game = pytest.mark.parametrize("key", GAMES)
pytestmark = [  # a mask comes with the observation, so this is a dictionary; and nobody acts when it is over
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def play(battle: Any, seed: int, limit: int = 100_000) -> list[tuple[str, float, bool, bool, int]]:
    """A random game; what each agent was told, and what it chose."""
    rng, told = Random(seed), []
    battle.reset(seed=seed)
    for agent in battle.agent_iter(limit):
        seen, reward, ended, cut, _ = battle.last()
        legal = np.flatnonzero(seen["action_mask"]).tolist()
        action = None if ended or cut else rng.choice(legal)
        told.append((agent, reward, ended, cut, -1 if action is None else action))
        battle.step(action)
    return told


@each_game
def test_of_the_api(key: str) -> None:
    api_test(env(key), num_cycles=400)


@each_game
def test_of_seeds(key: str) -> None:
    seed_test(lambda: env(key), num_cycles=200)


def test_of_the_api_with_pages() -> None:
    api_test(env("virtus", scenario="open-small", room=4), num_cycles=1500)


@each_game
def test_the_winner_gets_one_and_the_loser_pays_it(key: str) -> None:
    battle = LegatusEnv(key)
    told = play(battle, 3)
    last = {agent: (reward, ended) for agent, reward, ended, *_ in told[-len(battle.possible_agents) :]}
    outcome = battle._state.outcome
    assert outcome is not None
    for seat, agent in enumerate(battle.possible_agents):
        won = 0.0 if outcome.winner is None else 1.0 if seat == outcome.winner else -1.0
        assert last[agent] == (won, True)
    assert not any(reward for _, reward, *_ in told[: -len(last)])


def test_the_same_seed_is_the_same_game_and_another_is_not() -> None:
    battle = env("virtus", scenario="open-small")
    assert play(battle, 1) == play(battle, 1) != play(battle, 2)


def test_without_a_seed_games_differ_but_follow_from_the_last_one() -> None:
    openings = []
    for _ in range(2):
        battle = LegatusEnv("metaurus", "vanguard")
        battle.reset(seed=9)
        drawn = []
        for _ in range(4):
            battle.reset()
            drawn.append(battle._dice.answer(LUCK))
        openings.append(drawn)
    assert openings[0] == openings[1]
    assert len({tuple(faces) for faces in openings[0]}) == 4


def test_a_game_that_goes_on_too_long_is_truncated() -> None:
    told = play(env("julian", max_decisions=7), 1)
    assert [row[1:4] for row in told] == [(0, False, False)] * 7 + [(0, False, True)] * 2


def test_what_is_masked_cannot_be_chosen() -> None:
    battle = env("virtus")
    battle.reset(seed=1)
    mask = battle.last()[0]["action_mask"]
    with pytest.raises(ValueError, match="masked"):
        battle.step(int(np.flatnonzero(mask == 0)[0]))


def test_numbers_are_the_offered_actions() -> None:
    battle = LegatusEnv("virtus")
    battle.reset(seed=1)
    assert battle.last()[0]["action_mask"].sum() == len(battle.offered()) > 1


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.has_secrets])
def test_what_an_agent_cannot_know_changes_nothing_that_it_is_told(key: str) -> None:
    battle, rng, hidden = LegatusEnv(key), Random(7), 0
    battle.reset(seed=7)
    for _ in range(300):
        if battle._state.outcome is not None:
            break
        true = battle._state
        for agent in battle.agents:
            before = battle.observe(agent)
            battle._state = battle.game.guess(true, battle.seat(agent), rng)
            hidden += battle._state != true
            battle._ask(battle._page)
            assert data_equivalence(battle.observe(agent), before)
            battle._state = true
            battle._ask(battle._page)
        battle.step(rng.randrange(len(battle.offered())))
    assert hidden


def test_only_who_is_asked_may_act() -> None:
    battle = LegatusEnv("metaurus")
    battle.reset(seed=1)
    other = next(agent for agent in battle.agents if agent != battle.agent_selection)
    assert battle.observe(battle.agent_selection)["action_mask"].any()
    assert not battle.observe(other)["action_mask"].any()
    assert not battle.observe(other)["actions"].any()


def test_it_is_drawn_with_words(capsys: pytest.CaptureFixture[str]) -> None:
    battle = LegatusEnv("metaurus", "vanguard", render_mode="ansi")
    battle.reset(seed=1)
    drawing = battle.render()
    assert drawing is not None
    assert len(drawing.splitlines()) > 10
    battle.render_mode = "human"
    assert battle.render() is None
    assert capsys.readouterr().out == drawing
