"""House rules: the place of a unit in the pile of a hex that it has entered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal
from .state import CHARACTER, FormationsState
from .units import before, behind, cells_of, put, stack


class InFront(Action):
    """AH29.stack_order: before the friends that are there."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i = play.taken.unit
        put(state, i, cells_of(state, i), before(state, cells_of(state, i)))


class Behind(Action):
    """AH29.stack_order: behind them."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        i = play.taken.unit
        put(state, i, cells_of(state, i), behind(state, cells_of(state, i)))


class Ranking(Decision):
    """AH29.stack_order: before or behind the friends in the hex, however it came there."""

    clause = "AH29.stack_order"
    accepts = (InFront, Behind)

    def __init__(self, seat: int, unit: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.ranking", {"unit": state.ids[self.unit]})

    def is_moot(self, state: FormationsState) -> bool:
        i = self.unit
        if state.cell[i] < 0 or state.kind[i] == CHARACTER:
            return True
        here = {j for cell in cells_of(state, i) for j in stack(state, cell) if j != i}
        return not any(state.kind[j] != CHARACTER for j in here)

    def candidates(self, state: FormationsState) -> list[Action]:
        return [InFront(), Behind()]
