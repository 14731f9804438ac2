"""A bot that has nothing to choose thinks as if it had, where others cannot tell."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from legatus.bots import decide, mood
from legatus.bots import decoys as module
from legatus.bots.decoys import decoy, is_searching, ponder
from legatus.games import GAMES
from legatus.kernel import Match, Seeded, legal, say
from legatus.kernel.codec import state_to_json
from legatus.server.jobs import think

CASES = [("julian", None), ("virtus", "thick-forest"), ("metaurus", "vanguard"), ("onus", "wooden-fortress")]


def forced(key: str, scenario: str | None, most: int = 150) -> list[tuple[Any, int]]:
    """Views of whoever must decide and has one legal action."""
    game, found = GAMES[key], []
    for seed in range(2):
        match, rng = Match.new(game, game.configure(scenario), Seeded(f"{seed}/0")), Random(seed)
        while match.state.decision is not None and len(match.journal) < most:
            actions, seat = legal(match.state), match.state.decision.seat
            if len(actions) == 1:
                found.append((game.view(match.state, seat), seat))
            match.play(rng.choice(actions), match.seeded(seed))
    return found


@pytest.mark.parametrize(("key", "scenario"), CASES)
def test_a_decoy_looks_the_same_to_others_and_leaves_a_choice(key: str, scenario: str | None) -> None:
    game, found = GAMES[key], 0
    for view, seat in forced(key, scenario):
        dealt = decoy(game, view, seat, Random(1))
        if dealt is not None:
            found += 1
            assert len(legal(dealt)) > 1
            assert type(dealt.decision) is type(view.decision)
            assert game.view(dealt, 1 - seat) == game.view(view, 1 - seat)
    assert found or key == "onus"  # there whoever has a card may always keep it


def test_julians_reactions_have_decoys() -> None:
    """Whoever has a marker is asked, and mostly it does not fit; then another hand would leave a choice."""
    game, found = GAMES["julian"], Counter[str]()
    for view, seat in forced("julian", None):
        if decoy(game, view, seat, Random(1)) is not None:
            found[type(view.decision).__name__] += 1
    assert found["Stratagems"]
    assert found["Again"] + found["Counter"] + found["Defence"]


def test_what_a_bot_does_is_the_same_with_and_without_decoys(monkeypatch: pytest.MonkeyPatch) -> None:
    """An audit, which knows nothing of decoys, comes to the same decision; and the decoy is thought about."""
    game, chosen = GAMES["julian"], []
    monkeypatch.setattr(module, "make_bot", lambda name: Spy(chosen))
    monkeypatch.setattr(module, "is_searching", lambda name: True)
    views = [one for one in forced("julian", None) if decoy(game, *one, mood("seed", 7)) is not None][:5]
    assert views
    for n, (view, seat) in enumerate(views, 1):
        known = state_to_json(view)
        did = think("julian", known, seat, "normal", "seed", 7, True)
        assert did == think("julian", known, seat, "normal", "seed", 7)
        assert did == say(decide("normal", game, known, seat, mood("seed", 7)).action)
        assert len(chosen) == n
        assert len(legal(chosen[-1])) > 1


class Spy:
    def __init__(self, chosen: list[Any]) -> None:
        self.chosen = chosen

    def choose(self, game: Any, view: Any, seat: int, rng: Random) -> Any:
        self.chosen.append(view)
        return legal(view)[0]


def test_only_who_searches_needs_a_decoy(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {
        name for name in ("random", "easy", "greedy", "normal", "hard", "search:24") if is_searching(name)
    } == {
        "normal",
        "hard",
        "search:24",
    }
    chosen: list[Any] = []
    monkeypatch.setattr(module, "decoy", lambda *_: chosen.append(1))
    game = GAMES["julian"]
    match = Match.new(game, game.configure(), Seeded("1/0"))
    ponder("greedy", game, match.state, 0, Random(1))
    assert not chosen
    ponder("normal", game, match.state, 0, Random(1))
    assert chosen
