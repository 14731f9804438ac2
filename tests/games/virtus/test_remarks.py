"""What a player is told of an action's price and risk before he does it."""

from random import Random

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.moves import Moves
from legatus.kernel import Action, Seeded, apply, legal, start
from legatus.kernel.model import verb
from tests.rules import rule

from .field import VirtusState, battle, moves

PAID = ("fight", "shoot", "outflank", "move", "form", "hold")


def spent(state: VirtusState, action: Action, dice: str) -> int:
    segment = state.decision.segment  # type: ignore[union-attr]
    after: VirtusState = apply(state, action, Seeded(dice), alone=True).state
    return state.points[segment] - after.points[segment]


@rule("V4.3h")
@pytest.mark.parametrize("seed", range(6))
def test_the_price_told_is_the_price_paid(seed: int) -> None:
    rng, seen = Random(seed), 0
    state = start(VIRTUS, VIRTUS.configure("open"), Seeded(f"r{seed}")).state
    while state.decision is not None:
        actions = legal(state)
        if isinstance(state.decision, Fights | Moves):
            for action in actions:
                if verb(type(action)) in PAID:
                    told = action.remark(state)
                    price = 1 if told is None else told.values["points"]
                    assert spent(state, action, "x") == price
                    seen += told is not None
        state = apply(state, rng.choice(actions), Seeded(f"r{seed}/{rng.random()}")).state
    assert seen


@rule("V6.4-march-a")
def test_a_forced_march_is_told_with_its_risk() -> None:
    state = moves(battle("A legionaries rome1; B javelinmen rome1", "X warriors barb2"), 1)
    told = {(a.clicks()[0], len(a.clicks()) - 1): a.remark(state) for a in legal(state) if a.clicks()}
    assert told[("A", 1)] is None
    assert told[("A", 2)].values == {"march": 3, "points": 1}  # type: ignore[union-attr]
    assert told[("B", 2)].values == {"march": 5, "points": 1}  # type: ignore[union-attr]
