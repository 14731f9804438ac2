"""Random play ends, keeps its invariants, changes no old state; undo takes back what may be taken back."""

from random import Random

import pytest

from legatus.kernel import Match, Seeded, apply, legal, playout
from legatus.kernel.engine import random_action
from legatus.kernel.match import CannotUndo
from legatus.kernel.records import state_to_json

from .common import LIMIT, Case, new_match, sample

STATES = 25  # of each match, where a test looks at some only


def test_random_play_ends(match: Match) -> None:
    decision = match.state.decision
    assert decision is None or legal(match.state), f"dead end: {decision}"
    assert match.state.outcome is not None, f"no end after {LIMIT} decisions"


def test_invariants_hold_after_every_action(match: Match) -> None:
    for number, state in enumerate(match.states):
        broken = list(match.game.invariants(state))
        assert not broken, f"after entry {number}, {match.journal[number]}: {broken}"


def test_only_the_games_own_steps_and_actions_are_used(match: Match) -> None:
    """What is not listed in ``Game.steps`` and ``Game.actions`` could not be read from a file."""
    game = match.game
    for state in match.states:
        assert {type(step) for step in state.todo} <= set(game.steps)
        if state.decision is not None:
            assert set(state.decision.accepts) <= set(game.actions)
            assert 0 <= state.decision.seat < len(game.seats)


def test_candidates_are_of_the_accepted_kinds_and_different(match: Match) -> None:
    for state in sample(match, STATES):
        candidates = state.decision.candidates(state)
        assert all(isinstance(action, state.decision.accepts) for action in candidates)
        assert len(candidates) == len(set(candidates)), f"{state.decision} offers an action twice"


def test_applying_never_changes_the_old_state(match: Match) -> None:
    for state in sample(match, STATES):
        before = state_to_json(state)
        for action in legal(state):
            apply(state, action, Seeded("x"))
            assert state_to_json(state) == before, action


def test_a_copy_is_a_state_of_its_own(match: Match) -> None:
    for state in sample(match, 3):
        before = state_to_json(state)
        copy = state.copy()
        assert copy == state
        playout(copy, Seeded("x"), Random(1), limit=LIMIT)
        assert state_to_json(state) == before


def test_playing_on_in_place_comes_to_the_same_end(match: Match) -> None:
    """``playout`` is ``apply`` without copies and log, nothing else."""
    for state in sample(match, 2):
        quiet = state.copy()
        made = playout(quiet, Seeded("y"), Random(2), limit=LIMIT)
        dice, rng, now = Seeded("y"), Random(2), state
        for _ in range(made):
            now = apply(now, random_action(now, now.decision, rng), dice).state
        assert now == quiet


def test_undo_returns_exactly_and_never_passes_luck_or_a_reveal(case: Case, match: Match) -> None:
    again = new_match(case)
    for entry in match.journal[1:]:
        before, seat = state_to_json(again.state), again.state.decision.seat
        play = apply(again.state, entry.action, again.seeded(str(case)))
        again.play(entry.action, again.seeded(str(case)))
        assert again.journal[-1].dice == entry.dice
        for other in range(len(match.game.seats)):
            assert again.can_undo(other) == (other == seat and not play.sealed)
        if play.faces or play.sealed:
            with pytest.raises(CannotUndo):
                again.undo(seat)
        else:
            length = len(again.journal)
            assert again.undo(seat) == entry.action
            assert state_to_json(again.state) == before
            assert len(again.journal) == len(again.states) == len(again.events) == length - 1
            again.play(entry.action, again.seeded(str(case)))
    assert again.states == match.states
