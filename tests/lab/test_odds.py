"""Odds against what can be worked out by hand, and against the dice."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb

import pytest

from legatus.kernel import IllegalAction, Seeded, State, apply, outcomes
from legatus.lab import Odds, odds

from ..toy import BLUE, Attack, Done, Orders, TakeHits, Toy, ToyState, Turn
from .duel import duel


class Hits(Toy):
    """Measures what waits for the enemy as well as what the attack cost."""

    def measure(self, before: ToyState, after: ToyState) -> dict[str, int]:
        waiting = after.decision
        hits = waiting.hits if isinstance(waiting, TakeHits) else 0
        return {"hits": hits, "lost": before.strength[0] - after.strength[0]}


class Uneven(Hits):
    """Leaves a column out where it is 0."""

    def measure(self, before: ToyState, after: ToyState) -> dict[str, int]:
        return {name: n for name, n in super().measure(before, after).items() if n}


PLAIN, ALL_OUT = Attack("red0", "blue0"), Attack("red0", "blue0", all_out=True)


def sums(found: Odds) -> list[Fraction]:
    columns = [sum(values.values(), Fraction(0)) for values in found.columns.values()]
    return [*columns, sum((p for _, p in found.joint), Fraction(0))]


def test_three_dice_that_hit_on_five_and_six() -> None:
    found = odds(Hits(), duel(3), PLAIN)
    assert found.exact
    assert found.action == "attack red0 blue0"
    third = Fraction(1, 3)
    binomial = {n: comb(3, n) * third**n * (1 - third) ** (3 - n) for n in range(4)}
    assert found.columns == {"hits": binomial, "lost": {0: Fraction(1)}}
    assert found.mean("hits") == 1
    assert found.mean("lost") == 0


def test_the_joint_odds_know_what_goes_together() -> None:
    found = odds(Hits(), duel(1), ALL_OUT)  # three dice: a 1 costs red0 its only strength
    joint = {(row["hits"], row["lost"]): p for row, p in found.joint}
    assert joint[3, 0] == Fraction(1, 27)
    assert joint[2, 1] == 3 * Fraction(1, 3) ** 2 * Fraction(1, 6)
    assert (3, 1) not in joint, "all three dice hit: none of them is a 1"
    assert [p for _, p in found.joint] == sorted(joint.values(), reverse=True)


@pytest.mark.parametrize("action", [PLAIN, ALL_OUT, Done()])
def test_odds_sum_to_exactly_one_and_leave_the_state_alone(action: Attack | Done) -> None:
    state = duel(2)
    before = state.copy()
    found = odds(Hits(), state, action)
    assert sums(found) == [Fraction(1)] * 3
    assert state == before


def test_sampling_comes_near_and_says_that_it_is_sampling() -> None:
    state = duel(2)
    exact = odds(Hits(), state, ALL_OUT)
    sampled = odds(Hits(), state, ALL_OUT, limit=3)
    assert exact.exact
    assert not sampled.exact
    assert sampled.runs == 20_000
    assert sums(sampled) == [Fraction(1)] * 3
    for name, values in exact.columns.items():
        for value, p in values.items():
            assert float(sampled.columns[name].get(value, 0)) == pytest.approx(float(p), abs=0.015)


def test_exact_odds_match_playing_the_action() -> None:
    game, state = Hits(), duel(3)
    exact = dict(odds(game, state, PLAIN).columns["hits"])
    seen: dict[int, int] = {}
    for n in range(3000):
        after: State = apply(state, PLAIN, Seeded(f"match/{n}")).state
        hits = game.measure(state, after)["hits"]  # type: ignore[arg-type]
        seen[hits] = seen.get(hits, 0) + 1
    for value, p in exact.items():
        assert seen[value] / 3000 == pytest.approx(float(p), abs=0.04)


def test_a_column_that_is_missing_counts_nought() -> None:
    even, uneven = (odds(game, duel(2), ALL_OUT) for game in (Hits(), Uneven()))
    assert even.columns == uneven.columns
    assert dict(even.columns["hits"])[0] > 0


def test_the_plain_form_is_json() -> None:
    plain = json.loads(json.dumps(odds(Hits(), duel(3), PLAIN).plain()))
    assert plain["exact"] is True
    assert plain["columns"]["hits"]["mean"] == 1.0
    assert plain["columns"]["hits"]["values"][3] == {"value": 3, "p": pytest.approx(1 / 27), "odds": "1/27"}
    assert plain["joint"][0]["values"] == {"hits": 1, "lost": 0}


def test_what_waited_already_is_no_part_of_the_odds() -> None:
    state = duel(2)
    state.weather = True
    state.todo = [Turn(2), Orders(BLUE)]
    assert len(list(outcomes(state, Done()))) == 3, "the next turn draws one of three kinds of weather"
    assert odds(Hits(), state, Done()).runs == 1


def test_an_illegal_action_has_no_odds() -> None:
    with pytest.raises(IllegalAction):
        odds(Hits(), duel(2), Attack("red0", "blue1"))
