"""What bots strive for: in positions where it is plain what to do, they do it."""

from legatus.games.formations.evaluate import evaluate
from legatus.games.formations.ways import NO_END

from .stage import battle, run
from .test_movement import FULL, moving


def test_a_move_that_may_not_end_there_looks_bad() -> None:
    """AH18.stacking AH6.instructions: who comes to where he may not stay is driven on."""
    before = moving(battle(f"A spear 0505; {FULL}", "X orc 1101"), "A")
    crowded = run(before, "step-to 0504")
    beyond = run(crowded, "step-to 0503")
    assert evaluate(crowded, 0) < evaluate(before, 0) - NO_END / 2
    assert evaluate(crowded, 0) < evaluate(beyond, 0) - NO_END / 2
