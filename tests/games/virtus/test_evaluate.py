"""What bots remember of a roster's positions changes no value; how their generals ride."""

from random import Random

import pytest

from legatus.bots.greedy import GreedyBot
from legatus.games import GAMES
from legatus.games.virtus.evaluate import POSITIONS
from legatus.games.virtus.generals import Ride
from legatus.games.virtus.state import PLACES, VirtusState
from legatus.kernel import Action, Decision, Match, Seeded, say, start
from legatus.kernel.codec import to_plain_data
from legatus.kernel.engine import playout, random_action
from legatus.kernel.objects import replace

from .field import battle, run, segments, skirmish

VIRTUS = GAMES["virtus"]


@pytest.mark.parametrize("scenario", ["open-small", "camp", "wooded"])
def test_remembered_values_are_those_of_a_fresh_roster(scenario: str) -> None:
    dice = Seeded(scenario)
    state: VirtusState = start(VIRTUS, VIRTUS.configure(scenario), dice).state
    written = to_plain_data(state.roster)

    def watch(now: VirtusState, decision: Decision, rng: Random) -> Action:
        fresh = replace(now, roster=replace(now.roster))
        for seat in (0, 1):
            assert VIRTUS.evaluate(now, seat) == VIRTUS.evaluate(fresh, seat)
        return random_action(now, decision, rng)

    playout(state, dice, Random(1), watch, 400)
    assert 0 < len(state.roster.known) <= POSITIONS
    assert to_plain_data(state.roster) == written
    assert state.roster == replace(state.roster)


# --- rides (V6.2c) -------------------------------------------------------------------------------


def greedy(state: VirtusState) -> str:
    seat = state.decision.seat if state.decision else 0
    return say(GreedyBot().choose(VIRTUS, VIRTUS.view(state, seat), seat, Random(1)))


def test_a_general_who_has_ridden_uses_what_is_left_of_his_sectors() -> None:
    """The chief left the reserve for his lonely sector; a ride brings him back where he is worth most."""
    state = skirmish("A legionaries rome1; B legionaries rome1", generals="G rome rome-reserve chief")
    state = run(segments(state), "ride G rome2")
    assert state.rode == [1]
    assert greedy(state) == "ride G rome-reserve"


@pytest.mark.parametrize(
    ("generals", "line", "vain"),
    [
        ("G rome rome-reserve chief", "rome1", True),
        ("G rome rome1 chief", "rome-reserve", False),
        ("G rome rome1", "rome2", True),  # as good a place as his own
        ("G rome rome1", "rome3", True),
        ("G rome rome3", "rome1", False),
        ("G rome barb2", "rome2", False),  # alone among enemies
    ],
)
def test_bots_think_of_rides_to_a_better_place_only(generals: str, line: str, vain: bool) -> None:
    state = battle("A legionaries rome1; B legionaries rome2", "X horde barb2", generals=generals)
    assert Ride("G", line).is_vain(segments(state)) == vain


@pytest.mark.parametrize("scenario", ["bridge", "camp"])
def test_no_greedy_general_rides_to_and_fro_in_a_turn(scenario: str) -> None:
    bot, rng = GreedyBot(), Random(scenario)
    match = Match.new(VIRTUS, VIRTUS.configure(scenario), Seeded(scenario))
    been: set[tuple[int, str, str]] = set()
    while match.state.outcome is None and len(match.journal) < 1500:
        state = match.state
        assert isinstance(state, VirtusState)
        assert state.decision is not None
        seat = state.decision.seat
        action = bot.choose(VIRTUS, VIRTUS.view(state, seat), seat, rng)
        if isinstance(action, Ride):
            left = PLACES[state.gplace[state.roster.general_index[action.general]]]
            been.add((state.turn, action.general, left))
            assert (state.turn, action.general, action.place) not in been
        match.play(action, match.seeded(scenario))
    assert match.state.outcome is not None
    assert been
