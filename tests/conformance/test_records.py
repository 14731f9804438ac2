"""A match is its journal; states, actions and matches survive the way to a file and back."""

import json
from contextlib import suppress

import msgspec

from legatus.kernel import BadFile, Game, Match, Setup, parse_action, say
from legatus.kernel.codec import to_plain_data
from legatus.kernel.records import (
    digest,
    parse_position,
    parse_record,
    position_text,
    record_text,
    state_from,
    state_to_json,
)

from .common import ALL, sample

STATES = 25


def test_a_setup_keeps_the_options_that_it_was_given(game: Game) -> None:
    taken = 0
    for option in game.options:
        for value in option.choices or (False, True):
            with suppress(BadFile):  # an army may need what is switched off
                assert game.configure(**{option.key: value}).options[option.key] == value
                taken += 1
    assert taken >= len(game.options)


def test_a_setup_survives_json_and_validation(match: Match) -> None:
    again = msgspec.json.decode(msgspec.json.encode(match.setup), type=Setup)
    assert again == match.setup
    assert match.game.validate(again) == match.setup


def test_the_same_journal_gives_the_same_states_and_events(match: Match) -> None:
    again = Match.replay(match.game, match.setup, match.journal)
    assert again.states == match.states
    assert again.events == match.events
    assert again.journal == match.journal


def test_a_record_tells_the_whole_match(match: Match) -> None:
    text = record_text(match, note="« é »")
    again = parse_record(ALL, text)
    assert record_text(again, note="« é »") == text
    assert again.setup == match.setup
    assert again.journal == match.journal
    assert again.states == match.states
    assert again.events == match.events


def test_every_state_survives_json(match: Match) -> None:
    for state in match.states:
        text = state_to_json(state)
        again = state_from(match.game, json.loads(text))
        assert again == state
        assert state_to_json(again) == text
        assert digest(again) == digest(state)


def test_every_state_survives_as_a_position(match: Match) -> None:
    for state in [*sample(match, STATES), match.state]:
        text = position_text(match.game, state)
        game, again = parse_position(ALL, text)
        assert game is match.game
        assert again == state
        assert position_text(game, again) == text


def test_every_action_survives_as_a_line_and_as_json(match: Match) -> None:
    seen = {action for state in sample(match, STATES) for action in state.decision.candidates(state)}
    seen |= {entry.action for entry in match.journal[1:]}
    for action in seen:
        assert parse_action(match.game, say(action)) == action
        assert parse_action(match.game, msgspec.json.encode(to_plain_data(action)).decode()) == action
    assert len({say(action) for action in seen}) == len(seen), "two actions are said alike"
