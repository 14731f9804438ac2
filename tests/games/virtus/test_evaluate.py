"""What bots remember of a roster's positions: it changes no value, is bounded, and goes nowhere."""

from random import Random

import pytest
from msgspec import json
from msgspec.structs import replace

from legatus.games import GAMES
from legatus.games.virtus.evaluate import POSITIONS
from legatus.games.virtus.state import VirtusState
from legatus.kernel import Action, Decision, Seeded, start
from legatus.kernel.engine import playout, random_action

VIRTUS = GAMES["virtus"]


@pytest.mark.parametrize("scenario", ["open-small", "camp", "wooded"])
def test_remembered_values_are_those_of_a_fresh_roster(scenario: str) -> None:
    dice = Seeded(scenario)
    state: VirtusState = start(VIRTUS, VIRTUS.configure(scenario), dice).state
    written = json.encode(state.roster)

    def watch(now: VirtusState, decision: Decision, rng: Random) -> Action:
        fresh = replace(now, roster=replace(now.roster))
        for seat in (0, 1):
            assert VIRTUS.evaluate(now, seat) == VIRTUS.evaluate(fresh, seat)
        return random_action(now, decision, rng)

    playout(state, dice, Random(1), watch, 400)
    assert 0 < len(state.roster.known) <= POSITIONS
    assert json.encode(state.roster) == written
    assert state.roster == replace(state.roster)
