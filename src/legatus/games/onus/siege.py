"""7 and 18 Victory: what armies have lost, when they break, who holds out; and what was spent on them."""

from __future__ import annotations

from ...kernel import Play, Step
from ...parts import plane
from .damage import occupants
from .orders import leadership
from .ramparts import is_within
from .state import DIE, LOST, NOBODY, SEATS, OnusState, Roster, other
from .table import shape_of, structure_shape, units_on

ATTACKER, DEFENDER = 0, 1
WHOLE, HALF = 100, 50  # per cent


# --- losses --------------------------------------------------------------------------------------


def is_out(state: OnusState, i: int) -> bool:
    """OH.army.4: destroyed or fleeing."""
    return state.where[i] == LOST or bool(state.fleeing[i])


def lost_points(state: OnusState, side: int) -> int:
    """OH.army.4: the points of units lost or fleeing."""
    units, where, fleeing = state.roster.units, state.where, state.fleeing
    return sum([units[i].kind.points for i in state.roster.of_side[side] if where[i] == LOST or fleeing[i]])


def army_points(state: OnusState, side: int) -> int:
    """O7.victory.attacker.losses: the value of an army is that of its units, whatever else was paid for."""
    return state.roster.points[side]


def losses(state: OnusState, side: int) -> tuple[int, int]:
    """O7.victory.defender.losses: what an army has lost, and of how much: points, or a besieger's units."""
    roster = state.roster
    if roster.keep is None or side == DEFENDER or roster.rules.count_points:
        return lost_points(state, side), army_points(state, side)
    own = roster.of_side[side]
    return sum([is_out(state, i) for i in own]), len(own)


def must_test(state: OnusState, side: int) -> bool:
    """OH.army.4 OH.army.5: whether an army has lost so much that it tests.

    O7.victory.attacker.losses: a besieged one from 75 per cent on; O7.victory.defender.losses: its besieger
    above half.  O7.victory.attacker.scenario: unless the scenario has other numbers.
    """
    lost, whole = losses(state, side)
    goals = state.roster.goals
    if state.roster.keep is None:
        return WHOLE * lost >= HALF * whole
    if side == DEFENDER:
        return WHOLE * lost >= goals.defender_losses * whole
    return WHOLE * lost > goals.attacker_losses * whole


def is_abandoned(state: OnusState) -> bool:
    """O7.victory.attacker.empty: no defender who does not flee is left within the walls."""
    if state.roster.keep is None or not state.roster.goals.empty:
        return False
    return not any(is_within(state, i) and not state.fleeing[i] for i in units_on(state, DEFENDER))


def test_clause(state: OnusState, side: int) -> str:
    """By which clause an army that fails its test has lost."""
    if state.roster.keep is None:
        return "OH.army.6"
    return "O7.victory.attacker.losses" if side == DEFENDER else "O7.victory.defender.losses"


def end(play: Play, winner: int, clause: str, how: str) -> None:
    """The battle is over; what is said names who has won."""
    play.win(winner, clause, f"end.{SEATS[winner]}_{how}")


class Losses(Step):
    """OH.army.4 OH.army.5 OH.army.6: at a turn's end, who has lost so much and more than before tests."""

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        sides = (other(state.active), state.active)
        for side in sides:
            if not units_on(state, side):
                end(play, other(side), "OH.army.4", "destroyed")
        if is_abandoned(state):
            play.win(ATTACKER, "O7.victory.attacker.empty", "end.abandoned")
        for side in sides:
            lost, _ = losses(state, side)
            grew, state.lost_points[side] = lost > state.lost_points[side], lost
            if state.outcome is None and grew and must_test(state, side):
                self._test(play, side)

    def _test(self, play: Play, side: int) -> None:
        state: OnusState = play.state
        units, clause = state.roster.units, test_clause(state, side)
        if not any(units[i].general for i in units_on(state, side)):
            end(play, other(side), clause, "no_general")
            return
        thrown = play.roll(DIE) + play.roll(DIE)
        limit = leadership(state, side)
        key = "event.army_holds" if thrown <= limit else "event.army_breaks"
        play.tell("OH.army.6", key, side=SEATS[side], roll=thrown, leadership=limit)
        if thrown > limit:
            end(play, other(side), clause, "army_breaks")


# --- the deck ------------------------------------------------------------------------------------


def holder_of_prize(state: OnusState) -> int:
    """O7.victory.attacker.scenario: the only side that is in the prize or touches it, or -1."""
    n = state.roster.structure_index.get(state.roster.goals.prize, NOBODY)
    if n == NOBODY or state.gone[n]:
        return NOBODY
    near = [i for i in units_on(state) if plane.touches(shape_of(state, i), structure_shape(state, n))]
    sides = {state.roster.units[i].side for i in (*near, *occupants(state, n)) if not state.fleeing[i]}
    return sides.pop() if len(sides) == 1 else NOBODY


class DeckEnd(Step):
    """O7.victory.defender.deck: so many exhausted decks end a battle: a fortress has held out.

    In the open the lower part of losses wins, or who holds the prize that the scenario names.
    """

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        if state.exhausted < state.roster.goals.decks:
            return
        parts = [lost_points(state, side) * army_points(state, other(side)) for side in (0, 1)]
        prize = holder_of_prize(state)
        if prize != NOBODY:
            end(play, prize, "O7.victory.attacker.scenario", "prize")
        elif state.roster.keep is not None:
            play.win(DEFENDER, "O7.victory.defender.deck", "end.held_out")
        elif parts[0] == parts[1]:
            play.win(None, "O7.victory.defender.deck", "end.draw")
        else:
            end(play, int(parts[1] < parts[0]), "O7.victory.defender.deck", "deck")


# --- what was spent ------------------------------------------------------------------------------


def works_points(roster: Roster) -> int:
    """O7.points.defender-first: what the defender has spent on the fortress and other works."""
    return sum(structure.sort.cost for structure in roster.structures if structure.owner != ATTACKER)


def units_points(roster: Roster, side: int) -> int:
    """O7.points.units: what the units of a side cost."""
    return sum(unit.kind.points for unit in roster.units if unit.side == side)


class Announcement(Step):
    """O7.points.defender-first O7.points.units: before anybody deploys, the besieged say what they spent."""

    def run(self, play: Play) -> None:
        roster = play.state.roster
        if roster.keep is None:
            return
        side = SEATS[DEFENDER]
        works, units = works_points(roster), units_points(roster, DEFENDER)
        play.tell("O7.points.defender-first", "event.works_announced", side=side, points=works)
        play.tell("O7.points.units", "event.units_announced", side=side, points=units)
