"""Every game as an OpenSpiel game: importing this module registers them.

    import pyspiel
    from legatus.envs import open_spiel
    open_spiel()
    game = pyspiel.load_game("python_legatus_virtus(scenario=open-small)")

Luck is explicit: an action that asks for dice or a card leads to a chance node with exactly the results that
the rules tell apart.  Where luck is asked again, the action is carried out anew with all that has fallen.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from random import Random
from typing import Any

import msgspec
import numpy as np
import pyspiel
from msgspec import Struct
from msgspec.structs import replace

from ..games import GAMES
from ..kernel import Action, NeedLuck, Scripted, Seat, State, engine, legal, say
from ..kernel.codec import state_to_json
from ..kernel.records import digest
from ..lab.simulate import MAX_DECISIONS
from .encoding import ROOM, Layout, Vector, menu

MAX_RESULTS = 1024  # of one question to luck
MAX_QUESTIONS = 100  # to luck, for one action
MORE = "more"  # turns the page of a menu that is too long
PARAMETERS: dict[str, Any] = {
    "scenario": "",  # else the game's default
    "armies": "",  # names, with spaces between them
    "options": "",  # settings, with spaces between them: "pips:on decoys:many"
    "room": ROOM,
    "max_decisions": MAX_DECISIONS,
}


class Moment(Struct, frozen=True, dict=True):
    """Where a game stands: at a decision, or in the middle of an action that waits for luck.

    It never changes, so that clones share it and what has been reckoned for it.
    """

    key: str  # the game
    room: int  # of its menus
    state: Any  # at the last decision; before the first: as the game begins
    action: Action | None = None  # being carried out; None at a decision, and while the game is set up
    faces: tuple[int, ...] = ()  # that have fallen for it
    results: tuple[tuple[float, tuple[int, ...]], ...] = ()  # that luck may give now
    page: int = 0
    made: int = 0  # decisions, turned pages too

    def __deepcopy__(self, memo: Any) -> Moment:
        return self

    @cached_property
    def menu(self) -> tuple[Sequence[Action], bool]:
        """The actions in the order of their numbers, and whether the last number turns the page."""
        view = GAMES[self.key].view(self.state, self.state.decision.seat)
        return menu(legal(view), self.room, self.page)

    def turns(self, number: int) -> bool:
        """Whether a number turns the page."""
        return self.menu[1] and number == self.room - 1

    def chosen(self, number: int) -> Moment:
        """What comes of a number: of a page turned, of an action, or of what luck may give."""
        if self.results:
            return self._perform(self.action, self.faces + self.results[number][1])
        if self.turns(number):
            return replace(self, page=self.page + 1, made=self.made + 1)
        return replace(self, page=0, made=self.made + 1)._perform(self.menu[0][number])

    def begun(self) -> Moment:
        """Set up, as far as luck allows."""
        return self._perform(None)

    def _perform(self, action: Action | None, faces: tuple[int, ...] = ()) -> Moment:
        """Carry an action out, as far as what has fallen for it allows."""
        try:
            if action is None:
                state = self.state.copy()
                engine.run_on(state, Scripted(faces))
            else:
                state = engine.try_action(self.state, action, Scripted(faces))
        except NeedLuck as need:
            results = tuple((float(chance), fell) for chance, fell in need.luck.branches())
            if len(results) == 1:  # a deck of one card: no luck at all
                return self._perform(action, faces + results[0][1])
            if len(results) > MAX_RESULTS:
                raise ValueError(f"{len(results)} results of luck, {MAX_RESULTS} at most") from None
            return replace(self, action=action, faces=faces, results=results)
        return replace(self, state=state, action=None, faces=(), results=())


class LegatusGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours as OpenSpiel knows games."""

    key: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = PARAMETERS | (params or {})
        self.played = GAMES[self.key]
        options = dict(map(_setting, chosen["options"].split()))
        setup = self.played.configure(chosen["scenario"] or None, chosen["armies"].split(), **options)
        self.layout = Layout(self.played, setup, chosen["room"])
        self.max_decisions: int = chosen["max_decisions"]
        self.first = Moment(self.key, self.layout.room, self.played.begin(setup)).begun()
        information = pyspiel.GameInfo(
            num_distinct_actions=self.layout.room,
            max_chance_outcomes=MAX_RESULTS,
            num_players=len(self.played.seats),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_decisions,
        )
        super().__init__(_game_type(self.key), information, params or {})

    def new_initial_state(self, _: Any = None) -> LegatusState:
        return LegatusState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.max_decisions * MAX_QUESTIONS

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        return Observer(self.layout)


def _setting(text: str) -> tuple[str, bool | str]:
    """``pips:on`` as an option of a game."""
    key, _, value = text.partition(":")
    return key, {"on": True, "off": False}.get(value, value)


class LegatusState(pyspiel.State):  # type: ignore[misc]
    """A moment of a game, as OpenSpiel asks about it."""

    def __init__(self, game: LegatusGame) -> None:
        super().__init__(game)
        self.moment = game.first

    @property
    def _game(self) -> LegatusGame:
        game: LegatusGame = self.get_game()
        return game

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.moment.results:
            return int(pyspiel.PlayerId.CHANCE)
        return int(self.moment.state.decision.seat)

    def is_terminal(self) -> bool:
        moment, most = self.moment, self._game.max_decisions
        return moment.state.outcome is not None or (moment.made >= most and not moment.results)

    def returns(self) -> list[float]:
        outcome, seats = self.moment.state.outcome, self._game.played.seats
        if outcome is None or outcome.winner is None:
            return [0.0] * len(seats)
        return [1.0 if seat == outcome.winner else -1.0 for seat in range(len(seats))]

    def offered(self) -> Sequence[Action]:
        """The actions themselves, in the order of their numbers."""
        return self.moment.menu[0]

    def _legal_actions(self, player: int) -> list[int]:
        offered, more = self.moment.menu
        return [*range(len(offered)), *([self.moment.room - 1] if more else [])]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(n, chance) for n, (chance, _) in enumerate(self.moment.results)]

    def _apply_action(self, action: int) -> None:
        self.moment = self.moment.chosen(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"luck:{','.join(map(str, self.moment.results[action][1]))}"
        return MORE if self.moment.turns(action) else say(self.moment.menu[0][action])

    def __str__(self) -> str:
        moment = self.moment
        doing = f" {say(moment.action)}" if moment.action else ""
        fell = f" [{' '.join(map(str, moment.faces))}]" if moment.faces else ""
        where = f"{self._game.played.key} {digest(moment.state)} {moment.made}.{moment.page}"
        return f"{where}{doing}{fell}{' ?' if moment.results else ''}"

    def resample_from_infostate(self, player: int, sampler: Any) -> LegatusState:
        """A state in which all that the player cannot know is dealt anew: for OpenSpiel's IS-MCTS."""
        if self.moment.results:
            raise ValueError("luck is asked, not a player")
        played = self._game.played
        view = played.view(self.moment.state, player)
        other: LegatusState = self.clone()
        other.moment = replace(self.moment, state=played.guess(view, player, Random(str(sampler()))))
        return other


class Observer:
    """What a player sees: as the environments of PettingZoo, and as text.

    In the middle of an action that waits for luck it is what was seen before the action.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.tensor: Vector = np.zeros(layout.width, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: LegatusState, player: Seat) -> None:
        moment, player = state.moment, max(player, 0)
        view = self.layout.game.view(moment.state, player)
        self.tensor[:] = self.layout.observe(view, player, moment.page)

    def string_from(self, state: LegatusState, player: Seat) -> str:
        moment = state.moment
        seen = _columns(self.layout.game.view(moment.state, player))
        return f"{self.layout.game.seats[player]} {moment.page} {seen}"


def _columns(view: State) -> str:
    """The columns of a view as JSON, without what is settled before the game."""
    raw: dict[str, Any] = msgspec.json.decode(state_to_json(view))
    raw.pop("roster", None)
    return msgspec.json.encode(raw).decode()


# --- registration --------------------------------------------------------------------------------


@cache
def _game_type(key: str) -> Any:
    game, kinds = GAMES[key], pyspiel.GameType
    hidden, known = kinds.Information.IMPERFECT_INFORMATION, kinds.Information.PERFECT_INFORMATION
    return kinds(
        short_name=f"python_legatus_{key}",
        long_name=f"Legatus: {key}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=hidden if game.has_secrets else known,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=len(game.seats),
        min_num_players=len(game.seats),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


def _register(key: str) -> type[LegatusGame]:
    """A class for each game, for OpenSpiel calls what it registers with parameters only."""
    kind = type(f"Legatus{key.capitalize()}", (LegatusGame,), {"key": key})
    pyspiel.register_game(_game_type(key), kind)
    return kind


KINDS = {f"python_legatus_{key}": _register(key) for key in GAMES}
NAMES = tuple(KINDS)
