"""10 The turn: seven steps, one player after the other; and the end of a battle."""

from __future__ import annotations

from ...kernel import Play, Step
from .bombard import Razed
from .cards import deal
from .envelop import Enveloping, Tidy
from .melee import Fights
from .morale import Rallying, run_away
from .movement import Moves, MovingOn
from .orders import Cards, Orders, Refill, leadership
from .shooting import Shooting
from .state import ACTIVATED, DIE, DONE, LOST, SEATS, SHOT, OnusState, other
from .strength import STRENGTH
from .table import standing, units_on


class PlayerTurn(Step, frozen=True):
    """OH.turn.1 ... OH.turn.7."""

    seat: int

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
            Moves(seat),
            Enveloping(seat),
            Tidy(),
            Shooting(seat),
            MovingOn(seat),
            Fights(seat),
            FlightStep(seat),
            Structures(),
            Losses(),
            Cards(seat),
            Refill(seat),
            DeckEnd(),
            PlayerTurn(other(seat)),
        )


class FlightStep(Step, frozen=True):
    """OH.turn.5 OH.flight.4: units activated for it test to rally; the others that flee run on."""

    seat: int

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


class RunOn(Step, frozen=True):
    """OH.flight.1: a fleeing unit moves its full value again."""

    unit: int

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        if state.fleeing[self.unit] and state.where[self.unit] != LOST:
            play.tell("OH.flight.1", "event.runs_on", unit=state.roster.units[self.unit].id)
            run_away(play, self.unit)


# --- the end -------------------------------------------------------------------------------------


def lost_points(state: OnusState, side: int) -> int:
    """OH.army.4: the points of units lost or fleeing."""
    return sum(
        unit.kind.points
        for i, unit in enumerate(state.roster.units)
        if unit.side == side and (state.where[i] == LOST or state.fleeing[i])
    )


def army_points(state: OnusState, side: int) -> int:
    return sum(unit.kind.points for unit in state.roster.units if unit.side == side)


class Structures(Step, frozen=True):
    """OH.turn.6: step 6, what becomes of structures at the end of a turn."""

    def run(self, play: Play) -> None:
        play.then(*(Razed(n) for n in standing(play.state, tuple(STRENGTH))))


class Losses(Step, frozen=True):
    """OH.army.4 OH.army.6: from half of its points lost or fleeing on, an army tests if its losses grew."""

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        for side in (other(state.active), state.active):
            lost = lost_points(state, side)
            grew, state.lost_points[side] = lost > state.lost_points[side], lost
            if not units_on(state, side):
                play.win(other(side), "OH.army.4", "end.destroyed")
            elif grew and 2 * lost >= army_points(state, side):
                self._test(play, side)

    def _test(self, play: Play, side: int) -> None:
        state: OnusState = play.state
        units = state.roster.units
        if not any(units[i].general for i in units_on(state, side)):
            play.win(other(side), "OH.army.6", "end.no_general")
            return
        thrown = play.roll(DIE) + play.roll(DIE)
        limit = leadership(state, side)
        key = "event.army_holds" if thrown <= limit else "event.army_breaks"
        play.tell("OH.army.6", key, side=SEATS[side], roll=thrown, leadership=limit)
        if thrown > limit:
            play.win(other(side), "OH.army.6", "end.army_breaks")


class DeckEnd(Step, frozen=True):
    """O7.victory.defender.deck: so many exhausted decks end a battle; the lower part of losses wins."""

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        if state.exhausted < state.roster.goals.decks:
            return
        parts = [lost_points(state, side) * army_points(state, other(side)) for side in (0, 1)]
        if parts[0] == parts[1]:
            play.win(None, "O7.victory.defender.deck", "end.draw")
        else:
            play.win(int(parts[1] < parts[0]), "O7.victory.defender.deck", "end.deck")


class Opening(Step, frozen=True):
    """OH.deck.1 OH.general.1: both hands are dealt."""

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        for seat in (0, 1):
            deal(play, seat, leadership(state, seat), "OH.deck.1")
