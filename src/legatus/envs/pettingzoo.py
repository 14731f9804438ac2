"""Every game as a PettingZoo environment (AEC: agents act one after the other).

from legatus.envs import env
battle = env("virtus", scenario="open-small")
battle.reset(seed=1)
for agent in battle.agent_iter():
    seen, reward, ended, cut_short, info = battle.last()
    action = None if ended or cut_short else battle.action_space(agent).sample(seen["action_mask"])
    battle.step(action)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, cast

import gymnasium.spaces
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ..games import GAMES
from ..kernel import Action, Seat, Seeded, engine, legal
from ..lab.simulate import MAX_DECISIONS
from ..scene.text import render as draw
from .encoding import LIMIT, ROOM, ROW, Layout, menu

WIDTH = 100  # columns of a drawing


def env(game: str, **settings: Any) -> Any:
    """The environment with PettingZoo's usual guards; the settings are those of ``LegatusEnv``."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(LegatusEnv(game, **settings)))


class LegatusEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A battle between agents.  Each sees what its seat may know, and chooses from what is legal by number.

    A won game is worth 1 to the winner and -1 to the others, everything else 0.  All luck comes from the seed
    of ``reset``.  A game that goes on after ``max_decisions`` is truncated.
    """

    def __init__(
        self,
        game: str,
        scenario: str | None = None,
        armies: Sequence[str | dict[str, Any]] = (),
        options: Mapping[str, bool | str] | None = None,
        *,
        room: int = ROOM,
        max_decisions: int = MAX_DECISIONS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.metadata = {"name": f"legatus_{game}_v0", "render_modes": ["ansi", "human"]}
        self.game = GAMES[game]
        self.layout = Layout(self.game, self.game.configure(scenario, armies, **(options or {})), room)
        self.max_decisions, self.render_mode = max_decisions, render_mode
        self.possible_agents = [f"{name}_{seat}" for seat, name in enumerate(self.game.seats)]
        self.observation_spaces = {agent: _sights(self.layout) for agent in self.possible_agents}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(room) for agent in self.possible_agents}
        self._seeds = Random()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def seat(self, agent: str) -> Seat:
        """The seat of an agent, as games count them."""
        return self.possible_agents.index(agent)

    # --- playing ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Set a new game up.  Without a seed it follows from the last one."""
        if seed is not None:
            self._seeds = Random(seed)
        self._dice = Seeded(f"env/{self._seeds.random()}")
        self._state: Any = engine.start(self.game, self.layout.setup, self._dice).state
        self._made = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        chosen = int(action)
        if self._more and chosen == self.layout.room - 1:
            self._ask(self._page + 1)
        elif 0 <= chosen < len(self._offered):
            self._state = engine.try_action(self._state, self._offered[chosen], self._dice)
            self._made += 1
            self._ask()
        else:
            raise ValueError(f"{agent}: {chosen} is masked, 0 to {len(self._offered) - 1} can be chosen")
        self._accumulate_rewards()

    def _ask(self, page: int = 0) -> None:
        """Whose turn it is, and what is offered; or how it has ended."""
        self._offered: Sequence[Action] = ()
        self._page, self._more = page, False
        decision = self._state.decision
        if self._state.outcome is not None:
            winner = self._state.outcome.winner
            for agent in self.agents if winner is not None else ():
                self.rewards[agent] = 1.0 if self.seat(agent) == winner else -1.0
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._made >= self.max_decisions:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[decision.seat]
            view = self.game.view(self._state, decision.seat)
            self._offered, self._more = menu(legal(view), self.layout.room, page)

    def offered(self) -> Sequence[Action]:
        """The actions themselves, in the order of their numbers: ``say`` of ``legatus.kernel`` reads them."""
        return self._offered

    # --- looking ---------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees: the view of its seat, and, if it is asked, what it may do."""
        layout, seat = self.layout, self.seat(agent)
        view = self.game.view(self._state, seat)
        asked = view.decision is not None and view.decision.seat == seat
        offered = self._offered if asked else ()
        return {
            "observation": layout.observe(view, seat, self._page if asked else 0),
            "action_mask": layout.mask(len(offered), asked and self._more),
            "actions": layout.rows(view, offered),
        }

    def render(self) -> str | None:
        """The table as a spectator sees it, drawn with words."""
        from rich.console import Console

        console = Console(width=WIDTH, no_color=True, highlight=False)
        scene = self.game.scene(self.game.view(self._state, None), None, "en")
        if self.render_mode == "human":
            console.print(draw(scene, WIDTH))
            return None
        with console.capture() as drawn:
            console.print(draw(scene, WIDTH))
        return drawn.get()

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return cast(str, self.metadata["name"])


def _sights(layout: Layout) -> gymnasium.spaces.Dict:
    """What an agent may see; each agent has spaces of its own, so that they can be seeded apart."""
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(-LIMIT, LIMIT, (layout.width,), np.float32),
            "action_mask": gymnasium.spaces.Box(0, 1, (layout.room,), np.int8),
            "actions": gymnasium.spaces.Box(-LIMIT, LIMIT, (layout.room, ROW), np.float32),
        }
    )
