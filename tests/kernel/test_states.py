"""The states of a match: most of them are made again from its journal, and are what they were."""

from __future__ import annotations

from random import Random

import pytest

from legatus.games import GAMES
from legatus.kernel import Match, Seeded, State, legal
from legatus.kernel.match import STATES_EVERY, STATES_LATEST, Entry, States

LENGTH = 170


def played(game_key: str, length: int = LENGTH) -> tuple[Match, list[State]]:
    """A match, and its states as they were when they were made."""
    game, rng = GAMES[game_key], Random(1)
    match = Match.new(game, game.configure_known(game.default_scenario, (), {}), Seeded("states"))
    states = [match.state.copy()]
    while len(states) < length and match.state.decision is not None:
        match.play(rng.choice(legal(match.state)), Seeded(f"{len(states)}"))
        states.append(match.state.copy())
    return match, states


@pytest.mark.parametrize("game_key", GAMES)
def test_they_are_what_they_were(game_key: str) -> None:
    match, states = played(game_key)
    assert len(match.states) == len(states)
    for number in Random(2).sample(range(len(states)), 40):  # in any order
        assert match.states[number] == states[number]
        assert match.states[number - len(states)] == states[number]
    assert match.states == states
    assert match.states[3:150:7] == states[3:150:7]
    assert match.states[-2:] == states[-2:]


def test_two_threads_may_make_the_same_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """While one makes a state again, another one does the same and is done sooner."""
    match, states = played("virtus")
    make, nested = States._after, []

    def interrupted(self: States, state: State, entry: Entry) -> State:
        if not nested:
            nested.append(True)
            assert match.states[60] == states[60]
        return make(self, state, entry)

    monkeypatch.setattr(States, "_after", interrupted)
    assert match.states[70] == states[70]
    assert nested
    assert match.states[50:100] == states[50:100]


def in_memory(states: States) -> int:
    return len(states._kept) + len(states._latest) + len(states._between[1])


def test_few_of_them_are_in_memory() -> None:
    match, states = played("virtus")
    most = len(states) // STATES_EVERY + 1 + STATES_LATEST
    assert in_memory(match.states) <= most
    assert match.states == states
    assert in_memory(match.states) <= most + STATES_EVERY


def test_what_is_taken_back_is_gone() -> None:
    match, states = played("virtus", 110)
    rng = Random(3)
    for length in (108, 99, 51, 50, 2):
        assert match.states[length // 2] == states[length // 2]
        while len(match.states) > length:
            assert match.states[-1] == states[len(match.states) - 1]
            match.drop()
        assert match.states == states[:length]
    while len(match.states) < 60 and match.state.decision is not None:  # and goes on another way
        match.play(rng.choice(legal(match.state)), Seeded(f"other {len(match.states)}"))
    again = Match.replay(match.game, match.setup, match.journal)
    assert len(match.states) > 20
    assert match.states == again.states
    assert match.states[:20] != states[:20]


def test_there_is_no_other() -> None:
    match, _ = played("virtus", 5)
    for number in (5, -6):
        with pytest.raises(IndexError):
            match.states[number]
    while len(match.states):
        match.drop()
    with pytest.raises(IndexError):
        match.states[-1]
