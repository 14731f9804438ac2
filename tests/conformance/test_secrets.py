"""A seat sees what it may know, and nothing that depends on more."""

from contextlib import suppress
from random import Random

from legatus.kernel import (
    Game,
    IllegalAction,
    Match,
    NeedLuck,
    Scripted,
    Seeded,
    apply,
    legal,
    playout,
    why_not,
)
from legatus.server.counting import ALL, who_notices

from .common import CASES, LIMIT, random_match, sample, told_to

STATES = 30
GUESSES = 2


def test_dealing_anew_what_a_seat_cannot_know_changes_nothing_that_it_sees(match: Match) -> None:
    game, rng = match.game, Random(1)
    for state in [*sample(match, STATES), match.state]:
        for seat in range(len(game.seats)):
            view = game.view(state, seat)
            for known in (state, view) * GUESSES:
                assert game.view(game.guess(known, seat, rng), seat) == view


def test_a_spectator_sees_no_more_than_either_seat(match: Match) -> None:
    game, rng = match.game, Random(2)
    for state in [*sample(match, STATES), match.state]:
        seen = game.view(state, None)
        for seat in range(len(game.seats)):
            for known in (state, game.view(state, seat)):
                assert game.view(game.guess(known, seat, rng), None) == seen


def test_a_guess_is_a_state_that_can_be_played_to_its_end(match: Match) -> None:
    game, rng = match.game, Random(3)
    for number, state in enumerate(sample(match, 6)):
        seat = number % len(game.seats)
        full = game.guess(game.view(state, seat), seat, rng)
        assert not list(game.invariants(full))
        playout(full, Seeded(str(number)), rng, limit=LIMIT)
        assert full.outcome is not None


def test_looking_and_guessing_change_nothing(match: Match) -> None:
    game, rng = match.game, Random(4)
    for state in sample(match, STATES):
        before = state.copy()
        for seat in range(len(game.seats)):
            view = game.view(state, seat)
            seen = view.copy()
            game.guess(state, seat, rng)
            full = game.guess(view, seat, rng)
            playout(full, Seeded("x"), rng, limit=50)
            assert view == seen
        assert state == before


def test_secrets_are_dealt_anew(game: Game) -> None:
    """A guess that always finds the truth would hand it to the bots."""
    rng, hidden, found = Random(5), 0, 0
    for case in CASES:
        for state in sample(random_match(case), 10) if case.key == game.key else ():
            for seat in range(len(game.seats)):
                if game.view(state, seat) != state:
                    hidden += 1
                    found += game.guess(state, seat, rng) == state
    assert found * 2 <= hidden, f"{found} of {hidden} guesses are the truth"


def test_legality_needs_no_secrets(match: Match) -> None:
    """A player knows from his own view what he may do, and why not."""
    for state in sample(match, STATES):
        decision = state.decision
        view = match.game.view(state, decision.seat)
        assert view.decision == decision
        assert decision.prompt(view) == decision.prompt(state)
        assert decision.candidates(view) == decision.candidates(state)
        assert legal(view) == legal(state)
        for action in decision.candidates(state):
            assert why_not(view, action) == why_not(state, action)


def test_what_is_told_is_no_more_than_what_is_seen(match: Match) -> None:
    """Where an action without luck or reveal looks the same to a seat, its log reads the same, too."""
    game, rng = match.game, Random(7)
    for number, entry in enumerate(match.journal[1:]):
        if entry.sealed:
            continue
        before, after = match.states[number], match.states[number + 1]
        for seat in (seat for seat in range(len(game.seats)) if seat != entry.seat):
            guess = game.guess(before, seat, rng)
            with suppress(IllegalAction, NeedLuck):  # with other secrets this could not have been done
                play = apply(guess, entry.action, Scripted())
                if not play.sealed and game.view(play.state, seat) == game.view(after, seat):
                    assert told_to(play.events, seat) == told_to(match.events[number + 1], seat), entry


def test_what_can_be_undone_has_shown_its_player_nothing_new(match: Match) -> None:
    """Else he could look and take back.  The same action on a guess of his must look the same to him."""
    game, rng = match.game, Random(6)
    for number, entry in enumerate(match.journal[1:]):
        if entry.sealed:
            continue
        before, after, seat = match.states[number], match.states[number + 1], entry.seat
        play = apply(game.guess(before, seat, rng), entry.action, Scripted())
        assert not play.sealed
        assert game.view(play.state, seat) == game.view(after, seat)
        assert told_to(play.events, seat) == told_to(match.events[number + 1], seat)


def test_only_secret_decisions_are_hidden_altogether(match: Match) -> None:
    """Elsewhere every seat notices every action: an undo that fails tells nothing."""
    game = match.game
    for number, before in enumerate(match.states[:-1]):
        noticed = who_notices(game, before, match.states[number + 1], match.events[number + 1])
        decision = before.decision
        assert decision.secret or noticed == ALL, match.journal[number + 1]
        assert noticed & 1 << decision.seat
