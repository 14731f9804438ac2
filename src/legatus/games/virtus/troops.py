"""10 Troops: impetuous and fanatic units, who attack of their own accord unless they are held back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal
from .attack import price
from .markers import turn_up
from .movement import MOVE, cannot_act, cannot_pay, go, step_refusals
from .state import (
    ACTIVATED,
    CHARGING,
    HELD,
    NORMAL,
    PLACES,
    RETREATED,
    VirtusState,
    column,
    facing,
    is_engaged,
    other,
    owner,
    sector,
    seems_held,
    unit_of,
)


def is_compelled(state: VirtusState, i: int) -> bool:
    """V10-troops.1b V10-troops.2b: not engaged, in its own sector, with the enemy in the sector opposite."""
    unit, place = state.roster.units[i], state.place[i]
    return (
        (unit.impetuous or unit.fanatic)
        and place >= 0
        and column(place) > 0
        and owner(place) == unit.side
        and not state.flags[i] & (ACTIVATED | RETREATED | CHARGING)
        and state.form[i] == NORMAL
        and seems_held(state, other(unit.side), facing(place))
        and not is_engaged(state, i)
    )


def advance_compelled(play: Play, side: int, segment: int) -> None:
    """V10-troops.1b: at the end of the segment's moves, free of charge, card or no card."""
    state: VirtusState = play.state
    for i in state.roster.of[side]:
        if state.place[i] == sector(side, segment) and is_compelled(state, i):
            unit, at = state.roster.units[i], state.place[i]
            to = facing(at)
            if next(step_refusals(state, unit, at, to, 0, at), None) is None:
                clause = "V10-troops.2b" if unit.fanatic else "V10-troops.1b"
                play.tell(clause, "event.rushes", unit=unit.id, place=PLACES[to])
                go(play, i, (to,))


class Hold(Action):
    """V10-troops.1b: an activation keeps an impetuous unit back."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def remark(self, state: VirtusState) -> Message | None:
        return price(state, self.unit, MOVE)

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from cannot_act(state, self.unit, ACTIVATED)
        i = unit_of(state, state.active, self.unit)
        if i < 0:
            return
        if not is_compelled(state, i):
            yield Refusal("V10-troops.1b", "refusal.not_compelled", {"unit": self.unit})
        yield from cannot_pay(state, i, (), MOVE + state.roster.units[i].surcharge)

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        i = state.roster.index[self.unit]
        state.points[column(state.place[i])] -= MOVE + state.roster.units[i].surcharge
        state.flags[i] |= HELD
        play.tell("V10-troops.1b", "event.held", unit=self.unit)
        turn_up(play, i)
        play.then(play.taken)
