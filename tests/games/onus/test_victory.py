"""18: army tests, and victory by losses and by the deck."""

import pytest

from legatus.games.onus.state import OnusState
from legatus.games.onus.turn import DeckEnd, Losses, army_points, lost_points
from legatus.kernel import Outcome
from tests.rules import rule

from .stage import at, battle, go_on

# 60 + 120 + 140 = 320 points; half are 160
ARMY = "A hastati 3 15 general{a}; B principes 6 15{b}; C triarii 9 15{c}"
FOE = "X hastati 10 3 general"


def army(a: str = "", b: str = "", c: str = "", foe: str = FOE) -> OnusState:
    marks = {name: f" {mark}" if mark else "" for name, mark in (("a", a), ("b", b), ("c", c))}
    return battle(ARMY.format(**marks), foe)


def judge(state: OnusState, *dice: int) -> Outcome | None:
    return go_on(at(state, Losses()), dice).state.outcome


@rule("OH.army.4")
def test_lost_and_fleeing_units_count() -> None:
    assert army_points(army(), 0) == 320
    assert lost_points(army("", "fleeing", "lost"), 0) == 260
    assert lost_points(army("broken"), 0) == 0


@rule("OH.army.4", "OH.army.6")
def test_below_half_nobody_tests_and_at_half_one_does() -> None:
    assert judge(army(c="lost")) is None
    half = battle("A hastati 3 15 general; B hastati 6 15 fleeing", FOE)
    held = go_on(at(half, Losses()), [3, 3])
    assert held.state.outcome is None
    assert "event.army_holds" in [event.key for event in held.events]


@rule("OH.army.6", "OH.general.1")
@pytest.mark.parametrize(("dice", "breaks"), [((3, 3), False), ((3, 4), True), ((6, 6), True)])
def test_two_dice_not_above_leadership(dice: tuple[int, int], breaks: bool) -> None:
    outcome = judge(army(b="lost", c="fleeing"), *dice)
    assert outcome == (Outcome(1, "OH.army.6", "end.defender_army_breaks") if breaks else None)


@rule("OH.army.6")
def test_one_tests_only_when_losses_have_grown() -> None:
    state = army(b="lost", c="fleeing")
    state.lost_points = [260, 0]
    assert judge(state) is None
    state.lost_points = [240, 0]
    assert judge(state, 1, 1) is None
    rallied = go_on(at(army(b="lost"), Losses())).state
    assert rallied.lost_points == [120, 0]


@rule("OH.army.6")
def test_losses_that_were_made_good_can_grow_again() -> None:
    state = army(b="lost", c="fleeing")
    state.lost_points = [260, 0]
    state.fleeing[2] = 0
    state = go_on(at(state, Losses())).state
    state.fleeing[2] = 1
    assert judge(state, 6, 6) == Outcome(1, "OH.army.6", "end.defender_army_breaks")


@rule("OH.army.6", "OH.general.2")
def test_an_army_without_a_general_fails() -> None:
    assert judge(army("lost", "lost")) == Outcome(1, "OH.army.6", "end.defender_no_general")
    assert judge(army("lost")) is None  # not yet at half


@rule("OH.army.4")
def test_an_army_of_which_nobody_is_left_has_lost() -> None:
    assert judge(army("lost", "lost", "lost")) == Outcome(1, "OH.army.4", "end.defender_destroyed")


@rule("OH.army.4")
def test_both_armies_are_judge() -> None:
    state = army(foe="X hastati 10 3 general; Y hastati 14 3 lost")
    assert judge(state, 6, 6) == Outcome(0, "OH.army.6", "end.attacker_army_breaks")


@rule("O7.victory.defender.deck", "OH.deck.2", "OH.army.4")
@pytest.mark.parametrize(
    ("exhausted", "mine", "theirs", "winner"),
    [(1, "", "", "on"), (2, "", "", None), (2, "lost", "", 1), (2, "", "lost", 0), (2, "lost", "lost", 0)],
)
def test_the_deck_ends_a_battle(exhausted: int, mine: str, theirs: str, winner: object) -> None:
    """The smaller share of points lost wins: 60 of 320 is less than 60 of 120."""
    state = army(mine, foe=f"X hastati 10 3 general; Y hastati 14 3 {theirs}")
    state.exhausted = exhausted
    outcome = go_on(at(state, DeckEnd())).state.outcome
    if winner == "on":
        assert outcome is None
    else:
        assert outcome is not None
        assert (outcome.winner, outcome.clause) == (winner, "O7.victory.defender.deck")
