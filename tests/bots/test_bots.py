"""The generic bots, on the toy game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from legatus.bots import (
    BOTS,
    GreedyBot,
    RandomBot,
    SearchBot,
    UnknownBot,
    bot_name,
    greedy,
    level_name,
    make_bot,
)
from legatus.bots.greedy import sensible
from legatus.kernel import Action, Seeded, Step, legal, start
from legatus.kernel.errors import DeadEnd
from legatus.kernel.records import digest

from ..lab.duel import AWAY, FOE, RED_UNIT, duel
from ..toy import (
    BLUE,
    GONE,
    HEIGHT,
    HIDDEN,
    RED,
    TOY,
    Done,
    EndOfGame,
    Hold,
    Orders,
    Retreat,
    TakeHits,
    Toy,
    ToyState,
)


def opening(seed: str = "opening") -> ToyState:
    return start(TOY, TOY.configure(), Seeded(seed)).state


def under_attack(hits: int, strength: int = 2, others: bool = True) -> ToyState:
    """red0 was hit by blue0; without ``others`` it is all that Red has left."""
    state = duel(strength)
    if not others:
        state.at[RED_UNIT + 1], state.strength[RED_UNIT + 1] = GONE, 0
    waiting: list[Step] = [EndOfGame(), Orders(BLUE), TakeHits(RED, FOE, "red0", hits)]
    state.todo = waiting
    return state


class Flat(Toy):
    """Every position looks the same."""

    def evaluate(self, state: ToyState, seat: int) -> float:
        return 0.0


class Watched(Toy):
    """Remembers what it was asked to judge and to guess from."""

    def __init__(self) -> None:
        self.judged: list[ToyState] = []
        self.guessed: list[ToyState] = []

    def evaluate(self, state: ToyState, seat: int) -> float:
        self.judged.append(state)
        return super().evaluate(state, seat)

    def guess(self, view: ToyState, seat: int, rng: Random) -> ToyState:
        self.guessed.append(view)
        return super().guess(view, seat, rng)


def test_bots_are_called_by_name_or_letter() -> None:
    assert isinstance(make_bot("random"), RandomBot)
    assert isinstance(make_bot("r"), RandomBot)
    assert isinstance(make_bot("greedy"), GreedyBot)
    assert isinstance(make_bot("g"), GreedyBot)
    names = ["random", "easy", "greedy", "normal", "hard"]
    assert [bot_name(name) for name in BOTS] == [name for name in names for _ in range(2)]
    assert [name[0] for name in names] == [name for name in BOTS if len(name) == 1]


def test_a_search_may_be_named_by_its_budget() -> None:
    bot = make_bot("search:48")
    assert isinstance(bot, SearchBot)
    assert bot.trials == 48
    assert bot_name("search:48") == "search:48"
    for name in ("search", "search:", "search:0", "search:-1", "search:1e3", "search:9999999", "search:٣"):
        with pytest.raises(UnknownBot, match=r"search:N"):
            bot_name(name)
    with pytest.raises(UnknownBot, match=r"hard \(h\)$"):
        level_name("search:48")


def test_an_unknown_bot_is_told_the_names() -> None:
    with pytest.raises(UnknownBot, match=r"'hal': choose one of random \(r\), easy \(e\), greedy") as unknown:
        make_bot("hal")
    french = unknown.value.say("fr")
    assert french.startswith("aucun robot ne s'appelle 'hal' : choisissez parmi random (r), easy (e), greedy")


def test_random_plays_every_legal_action_sooner_or_later_and_nothing_else() -> None:
    view = TOY.view(under_attack(1), RED)
    rng = Random(1)
    assert {RandomBot().choose(TOY, view, RED, rng) for _ in range(200)} == set(legal(view))


@pytest.mark.parametrize("name", ["random", "easy", "greedy", "normal"])
def test_a_choice_is_legal_repeatable_and_leaves_the_view_alone(name: str) -> None:
    for seed in range(5):
        view = TOY.view(opening(str(seed)), RED)
        before = digest(view)
        chosen = make_bot(name).choose(TOY, view, RED, Random(seed))
        assert chosen in legal(view)
        assert chosen == make_bot(name).choose(TOY, view, RED, Random(seed))
        assert digest(view) == before


def test_greedy_retreats_when_holding_costs_strength() -> None:
    view = TOY.view(under_attack(1), RED)
    assert Hold() in legal(view)
    choices = {GreedyBot().choose(TOY, view, RED, Random(seed)) for seed in range(20)}
    assert all(isinstance(choice, Retreat) for choice in choices)
    assert len(choices) > 1, "ties are broken at random"


def test_what_is_for_nothing_is_done_only_if_there_is_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    state = under_attack(1)
    view = TOY.view(state, RED)
    monkeypatch.setattr(Retreat, "is_vain", lambda self, state: True)
    assert sensible(state) == [Hold()]
    for name in ("greedy", "normal"):
        assert make_bot(name).choose(TOY, view, RED, Random(1)) == Hold()
    monkeypatch.setattr(Hold, "is_vain", lambda self, state: True)
    assert sensible(state) == legal(state)
    assert isinstance(GreedyBot().choose(TOY, view, RED, Random(1)), Retreat)


def test_greedy_sees_the_end_of_the_game_even_where_all_positions_look_the_same() -> None:
    lost_by_holding = TOY.view(under_attack(2, strength=2, others=False), RED)
    for seed in range(10):
        assert isinstance(GreedyBot().choose(Flat(), lost_by_holding, RED, Random(seed)), Retreat)
    last_order = under_attack(1)
    last_order.todo = [EndOfGame(), Orders(RED)]
    for seed in range(10):  # only "done" ends the game now, with red0 on the outpost
        assert GreedyBot().choose(Flat(), TOY.view(last_order, RED), RED, Random(seed)) == Done()


def test_greedy_does_not_think_about_a_single_action() -> None:
    state = under_attack(1)
    for i, at in enumerate(AWAY, RED_UNIT + 1):
        state.at[i], state.strength[i] = at, 1
    game = Watched()
    view = game.view(state, RED)
    assert legal(view) == [Hold()]
    assert GreedyBot().choose(game, view, RED, Random(0)) == Hold()
    assert not game.judged
    assert not game.guessed


def test_greedy_judges_every_action_on_every_sample() -> None:
    game, view = Watched(), TOY.view(under_attack(1), RED)
    GreedyBot(samples=4).choose(game, view, RED, Random(0))
    assert len(game.guessed) == 4
    assert len(game.judged) == 4 * len(legal(view))


def test_greedy_guesses_from_what_it_sees_and_never_judges_it() -> None:
    game, state = Watched(), opening()
    GreedyBot().choose(game, game.view(state, RED), RED, Random(0))
    assert all(view.strength[HEIGHT:] == [HIDDEN] * HEIGHT for view in game.guessed)
    assert all(HIDDEN not in full.strength for full in game.judged)


def test_greedy_gives_every_action_the_same_guesses_and_the_same_luck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    met: dict[Action, list[tuple[int, int]]] = {}
    real = greedy.try_action

    def spy(full: Any, action: Action, dice: Seeded, alone: bool) -> Any:
        met.setdefault(action, []).append((id(full), dice.roll(1_000_000, ())))
        return real(full, action, dice, alone)

    monkeypatch.setattr(greedy, "try_action", spy)
    view = TOY.view(opening(), RED)
    GreedyBot().choose(TOY, view, RED, Random(0))
    assert set(met) == set(legal(view))
    trials = list(met.values())
    assert len({full for full, _ in trials[0]}) == 3
    assert len({luck for _, luck in trials[0]}) == 3
    assert all(trial == trials[0] for trial in trials)


def test_a_dead_end_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Orders, "candidates", lambda self, state: [])
    for name in ("random", "greedy"):
        with pytest.raises(DeadEnd, match="Orders"):
            make_bot(name).choose(TOY, opening(), RED, Random(0))
