"""10 The turn: seven steps, one player after the other."""

from __future__ import annotations

from typing import Final

from ...kernel import Play, Step
from .assault import Ascent
from .cards import deal
from .envelop import Enveloping, Tidy
from .fire import Structures, Torches
from .hidden import Spotted
from .melee import Fights
from .morale import defends_fortress, run_away
from .movement import Moves, MovingOn
from .orders import Cards, Orders, Refill, leadership
from .rally import Rallying
from .shooting import Shooting
from .siege import DeckEnd, Losses
from .siege import army_points as army_points
from .siege import lost_points as lost_points
from .state import ACTIVATED, DONE, LOST, SEATS, SHOT, OnusState, other
from .table import units_on


class PlayerTurn(Step):
    """OH.turn.1 ... OH.turn.7."""

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        seat = self.seat
        state.turn += 1
        state.active = seat
        state.ordered = state.refill = state.backward = False
        state.marching = 0
        state.flags = [0] * len(state.flags)
        play.tell("OH.combat.1", "event.turn", side=SEATS[seat], turn=state.turn)
        play.then(
            Orders(seat),
            Ascent(seat),
            Moves(seat),
            Spotted(),
            Enveloping(seat),
            Tidy(),
            Shooting(seat),
            MovingOn(seat),
            Torches(seat),
            Spotted(),
            Fights(seat),
            FlightStep(seat),
            Structures(),
            Losses(),
            Cards(seat),
            Refill(seat),
            DeckEnd(),
            PlayerTurn(other(seat)),
        )


class FlightStep(Step):
    """OH.turn.5 OH.flight.4: units activated for it test to rally; the others that flee run on."""

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        steps: list[Step] = []
        for i in units_on(state, self.seat):
            if (state.fleeing[i] or state.broken[i]) and may_rally(state, i):
                steps.append(Rallying(i, 0, "OH.flight.4"))
            if state.fleeing[i]:
                steps.append(RunOn(i))
        play.then(*steps)


def may_rally(state: OnusState, i: int) -> bool:
    """OH.flight.4 OH.order.8: an activation that was spent on nothing else."""
    flags = state.flags[i]
    return bool(flags & ACTIVATED) and not flags & (DONE | SHOT) and not state.backward


class RunOn(Step):
    """OH.flight.1: a fleeing unit moves its full value again."""

    def __init__(self, unit: int) -> None:
        self.unit: Final = unit

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        if defends_fortress(state, self.unit):  # OH.flight.3 O4.flee.stuck
            return
        if state.fleeing[self.unit] and state.where[self.unit] != LOST:
            play.tell("OH.flight.1", "event.runs_on", unit=state.roster.units[self.unit].id)
            run_away(play, self.unit)


# --- the beginning ------------------------------------------------------------------------------


class Opening(Step):
    """OH.deck.1 OH.general.1: both hands are dealt."""

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        for seat in (0, 1):
            deal(play, seat, leadership(state, seat), "OH.deck.1")
