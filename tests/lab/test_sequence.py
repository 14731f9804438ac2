"""Odds of sequences, against what can be worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from legatus.games import GAMES
from legatus.kernel import IllegalAction, Match, Seeded, legal, parse_action
from legatus.kernel.engine import random_action
from legatus.kernel.records import parse_record
from legatus.lab import odds
from legatus.lab.sequence import sequence_odds

from ..toy import NEIGHBOURS, TOY, Attack, Done
from .duel import FOE, duel
from .test_odds import Hits

PLAIN, ALL_OUT = Attack("red0", "blue0"), Attack("red0", "blue0", all_out=True)


def test_a_sequence_of_one_is_the_action() -> None:
    one, line = odds(Hits(), duel(2), ALL_OUT), sequence_odds(Hits(), duel(2), [ALL_OUT])
    assert (line.columns, line.joint, line.exact) == (one.columns, one.joint, True)
    assert line.possible == (Fraction(1),)


def test_what_is_certain_stays_possible_and_what_cannot_be_is_said() -> None:
    line = sequence_odds(TOY, duel(2), [Done(), PLAIN])
    assert line.possible == (Fraction(1), Fraction(0)), "after done nobody attacks"
    with pytest.raises(IllegalAction):
        sequence_odds(TOY, duel(2), [Attack("red0", "red0"), Done()])


def test_an_attack_may_make_the_next_one_impossible() -> None:
    """blue0 (3) retreats before one hit: only four hits of four dice leave nobody to attack."""
    state = duel(4)
    state.at[1], state.strength[1] = next(h for h in NEIGHBOURS[FOE] if h not in state.at), 2
    again = Attack("red1", "blue0")
    found = sequence_odds(TOY, state, [PLAIN, again])
    assert found.exact
    assert found.possible == (1, 1 - Fraction(1, 3) ** 4)
    assert sequence_odds(TOY, state, [again, PLAIN]).possible == (1, 1), "two dice cannot do it"


def test_a_second_fight_of_virtus_adds_to_the_first() -> None:
    """Both dice are thrown: the tokens of the sequence are those of one and of the other, on average."""
    record = Path(__file__).parents[2] / "docs" / "examples" / "bridge.legatus.jsonl"
    match = parse_record(GAMES, record.read_text(encoding="utf-8"), verify=False)
    state, game = match.states[128], match.game
    one, other = (parse_action(game, line) for line in ("fight legion-3", "fight vet-aux-2"))
    both = sequence_odds(game, state, [one, other])
    assert both.exact
    assert both.possible == (1, 1)
    assert both.mean("tokens") == odds(game, state, one).mean("tokens") + odds(game, state, other).mean(
        "tokens"
    )


def test_samples_come_near_the_exact_odds_and_have_intervals() -> None:
    exact = sequence_odds(Hits(), duel(2), [ALL_OUT, Done()])
    sampled = sequence_odds(Hits(), duel(2), [ALL_OUT, Done()], limit=2, samples=4_000)
    assert exact.exact
    assert not sampled.exact
    assert sampled.runs == 4_000
    assert abs(float(exact.possible[1] - sampled.possible[1])) < 0.04
    for name in exact.columns:
        assert abs(float(exact.mean(name) - sampled.mean(name))) < 0.1
    low, high = sampled.interval(Fraction(1, 2))
    assert 0.48 < low < 0.5 < high < 0.52
    values = sampled.plain()["columns"]["lost"]["values"]
    assert all(value["low"] <= value["p"] <= value["high"] for value in values)
    assert "low" not in exact.plain()["columns"]["lost"]["values"][0]


def test_the_same_seed_gives_the_same_samples() -> None:
    first, again, other = (
        sequence_odds(Hits(), duel(2), [ALL_OUT, Done()], limit=2, samples=300, seed=seed)
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


@pytest.mark.parametrize("key", GAMES)
def test_sequences_of_every_game_sum_to_one_and_leave_the_state_alone(key: str) -> None:
    """Two legal actions, one after the other, at some moments of a random match."""
    game = GAMES[key]
    match = Match.new(game, game.configure(), Seeded("sequence/0"))
    rng = Random("sequence")
    tried = possible = 0
    while match.state.decision is not None and tried < 12 and len(match.journal) < 400:
        actions = legal(match.state)
        if len(match.journal) % 17 == 0 and len(actions) > 1:
            pair, before = rng.sample(actions, 2), match.state.copy()
            found = sequence_odds(game, match.state, pair, limit=200, samples=40)
            assert match.state == before
            assert sum((p for _, p in found.joint), Fraction(0)) == 1
            assert found.possible[0] == 1
            assert 0 <= found.possible[1] <= 1
            tried += 1
            possible += found.possible[1] > 0
        match.play(random_action(match.state, match.state.decision, rng), match.seeded("sequence"))
    assert tried
    assert possible, "no second action was ever possible"
