"""What bots strive for: in positions where it is plain what to do, they do it."""

from random import Random
from typing import Any

import pytest

from legatus.bots import make_bot
from legatus.games.formations import FORMATIONS
from legatus.games.formations.evaluate import evaluate
from legatus.games.formations.forming import ChangeMode, Constitute
from legatus.games.formations.state import FORMATION, SEATS
from legatus.games.formations.units import troops
from legatus.games.formations.ways import NO_END
from legatus.kernel import Action, Decision, Seeded
from legatus.kernel.engine import playout, start
from legatus.lab.simulate import BehindScreens
from tests.rules import rule

from .stage import battle, run
from .test_movement import FULL, moving


def test_a_move_that_may_not_end_there_looks_bad() -> None:
    """AH18.stacking AH6.instructions: who comes to where he may not stay is driven on."""
    before = moving(battle(f"A spear 0505; {FULL}", "X orc 1101"), "A")
    crowded = run(before, "step-to 0504")
    beyond = run(crowded, "step-to 0503")
    assert evaluate(crowded, 0) < evaluate(before, 0) - NO_END / 2
    assert evaluate(crowded, 0) < evaluate(beyond, 0) - NO_END / 2


@rule("AH11.melee")
@pytest.mark.parametrize(("side", "strikes", "turned"), [(0, "n n", "s n"), (1, "n s", "n n")])
def test_who_can_strike_an_enemy_is_better_off_than_who_turns_his_back(
    side: int, strikes: str, turned: str
) -> None:
    """The other one faces away, so that no blow comes back."""

    def value(facings: str) -> float:
        one, two = facings.split()
        return evaluate(battle(f"A spear 0505 {one}", f"X orc 0504 {two}"), side)

    assert value(strikes) > value(turned) + 0.5


@rule("AH25.special_positions")
def test_a_flyer_without_ammunition_wants_to_be_on_the_ground() -> None:
    """A.reload.c2: where the enemy is far, it flies as long as it can shoot, and lands to reload."""

    def gain(mark: str) -> float:
        words = (f"A hawk 0505{mark}{word}" for word in (" flying", ""))
        aloft, landed = (battle(word, "X orc 1101", types="hawk archer special=flying") for word in words)
        return evaluate(aloft, 0) - evaluate(landed, 0)

    assert gain("") > 0 >= gain(" spent")


SEEDS = {"beacon": (0,), "crows": (1,), "drought": (0, 1)}  # games that show it together


class Watching(BehindScreens):
    """Notes which side constitutes a formation, and which one changes a mode."""

    def __init__(self) -> None:
        super().__init__(FORMATIONS, [make_bot("greedy") for _ in SEATS])
        self.formed: set[tuple[type[Action], int]] = set()

    def __call__(self, state: Any, decision: Decision, rng: Random) -> Action:
        action = super().__call__(state, decision, rng)
        self.formed.add((type(action), decision.seat))
        return action


@rule("AH11.melee", "AH21.modes", "AH29.stack_order")
@pytest.mark.parametrize("scenario", ["beacon", "crows", "drought"])
def test_greedy_forms_up_on_both_sides_and_keeps_its_formations(scenario: str) -> None:
    """Whole games: both sides constitute, modes are changed, and half end with a formation on the map."""
    watching, ends = Watching(), []
    for game in SEEDS[scenario]:
        dice = Seeded(f"{scenario}-{game}")
        state: Any = start(FORMATIONS, FORMATIONS.configure(scenario), dice).state
        playout(state, dice, Random(game), watching, 5_000)
        ends.append(any(state.kind[i] == FORMATION for side in (0, 1) for i in troops(state, side)))
    assert {side for kind, side in watching.formed if kind is Constitute} == {0, 1}
    assert any(kind is ChangeMode for kind, _ in watching.formed)
    assert 2 * sum(ends) >= len(ends)
