"""3 The players' turns: groups are activated one by one; two orders at once; elephants; Gauls; reform."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from .combat import Combats
from .force import ALL, LEGIONS, OTHERS, Force
from .movement import Moves
from .orders import reveal_activated
from .state import (
    ADVANCE,
    COLOUR,
    DIE,
    DISORDERED,
    ELEPHANT,
    LEGION,
    MOVE,
    REFORM,
    ROME,
    SEATS,
    MetaurusState,
    group_of,
    groups_of,
    members,
    on_map,
    order_of,
    other,
)
from .victory import disorder

LEGIONS_IDLE = 3  # M3.two_orders.3: on 0 to 3 they do nothing
CALM, RAGING = 5, 7  # M3.elephant.2 M3.elephant.3: nothing, the enemy; above, their own
GAULS_STAY = 4  # MH14.gauls


def waiting(state: MetaurusState, side: int) -> list[int]:
    """MH17.activation: the groups with a unit on the map that have not been activated this turn."""
    governing = {group_of(state, i) for i in on_map(state, side)}
    return [g for g in groups_of(state, side) if g in governing and not state.done[g]]


class Activate(Action):
    """M3.resolve MH17.activation: turn the order of a group up and carry it out to the end."""

    def __init__(self, group: str) -> None:
        self.group: Final = group

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        yield from _not_ready(state, self.group)

    def perform(self, play: Play) -> None:
        state: MetaurusState = play.state
        g = state.roster.group_index[self.group]
        _begin(play, (g,))
        play.then(*_carry_out(play.taken.seat, (g,), ALL), play.taken)


def _not_ready(state: MetaurusState, name: str) -> Iterator[Refusal]:
    decision = state.decision
    g = state.roster.group_index.get(name, -1)
    if g < 0 or decision is None or state.roster.groups[g].side != decision.seat:
        yield Refusal("M2.scope", "refusal.no_such_group", {"group": name})
    elif state.done[g]:
        yield Refusal("MH17.activation", "refusal.activated", {"group": name})
    elif not members(state, g):
        yield Refusal("MH17.activation", "refusal.nobody_under_it", {"group": name})


def _begin(play: Play, groups: tuple[int, ...]) -> None:
    state: MetaurusState = play.state
    for g in groups:
        state.done[g] = 1
        play.tell("M3.resolve", "event.activates", group=state.roster.groups[g].id)
        reveal_activated(play, g)


def _carry_out(seat: int, groups: tuple[int, ...], part: int) -> list[Step]:
    """M3.resolve M4.after_moves: tests and rolls, all moves, then all combats."""
    force = Force(seat, groups, part)
    return [Elephants(force), Restless(force), Reforming(force), Moves(seat, force), Combats(seat, force)]


class TwoOrders(Action):
    """M3.two_orders.1: try to resolve the orders of the legions of two colours as one."""

    def __init__(self, one: str, two: str) -> None:
        self.one: Final = one
        self.two: Final = two

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        decision = state.decision
        if decision is None or decision.seat != ROME:
            yield Refusal("M3.two_orders.1", "refusal.romans_only")
            return
        if state.tried:
            yield Refusal("M3.two_orders.1", "refusal.tried")
        if self.one == self.two:
            yield Refusal("M3.two_orders.1", "refusal.same_group")
        for name in (self.one, self.two):
            bar = next(_not_ready(state, name), None)
            if bar is not None:
                yield bar
                continue
            g = state.roster.group_index[name]
            if not any(state.roster.units[i].arm == LEGION for i in members(state, g)):
                yield Refusal("M3.two_orders.2", "refusal.no_legions", {"group": name})

    def perform(self, play: Play) -> None:
        state: MetaurusState = play.state
        state.tried = True
        groups = tuple(state.roster.group_index[name] for name in (self.one, self.two))
        _begin(play, groups)
        face = play.roll(DIE, LEGIONS_IDLE, low=0)
        together = face > LEGIONS_IDLE
        key = "event.two_orders" if together else "event.legions_idle"
        play.tell("M3.two_orders.3", key, face=face, one=self.one, two=self.two)
        seat = play.taken.seat
        legions = _carry_out(seat, groups, LEGIONS) if together else []
        play.then(*legions, *_carry_out(seat, groups, OTHERS), play.taken)


class Activations(Decision):
    """M3.resolve MH17.activation: which group next?  Each once, in the sequence that its player likes."""

    clause = "M3.resolve"
    accepts = (Activate, TwoOrders)

    def prompt(self, state: MetaurusState) -> Message:
        return Message("prompt.activate", {"side": SEATS[self.seat]})

    def is_moot(self, state: MetaurusState) -> bool:
        return not waiting(state, self.seat)

    def candidates(self, state: MetaurusState) -> list[Action]:
        groups = state.roster.groups
        single = [Activate(groups[g].id) for g in groups_of(state, self.seat)]
        if self.seat != ROME or state.tried:
            return [*single]
        colours = [g for g in waiting(state, self.seat) if groups[g].kind == COLOUR]
        return [*single, *(TwoOrders(groups[a].id, groups[b].id) for a, b in permutations(colours, 2))]


# --- the elephants -------------------------------------------------------------------------------


class Elephants(Step):
    """M3.elephant.1: a die before they are played, once a turn."""

    def __init__(self, force: Force) -> None:
        self.force: Final = force

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        beasts = [i for i in self.force.units(state) if state.roster.units[i].arm == ELEPHANT]
        play.then(*(Rampage(i) for i in beasts))


class Rampage(Step):
    """M3.elephant.2 M3.elephant.3 M3.elephant.4: whom they frighten, if anybody."""

    def __init__(self, beast: int) -> None:
        self.beast: Final = beast

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        if state.cell[self.beast] < 0:
            return
        unit = state.roster.units[self.beast]
        face = play.roll(DIE, CALM, RAGING, low=0)
        if face <= CALM:
            play.tell("M3.elephant.2", "event.calm", unit=unit.id, face=face)
        elif face <= RAGING:
            play.tell("M3.elephant.3", "event.rages", unit=unit.id, face=face)
            self._frighten(play, unit.side, other(unit.side))
        else:
            play.tell("M3.elephant.4", "event.runs_wild", unit=unit.id, face=face)
            self._frighten(play, other(unit.side), unit.side)

    def _frighten(self, play: Play, chooser: int, victims: int) -> None:
        """The nearest unit; of several equally near ones the enemy of the victims chooses."""
        state: MetaurusState = play.state
        grid, here = state.roster.grid, state.cell[self.beast]
        apart = {i: grid.distance(here, state.cell[i]) for i in on_map(state, victims) if i != self.beast}
        nearest = tuple(i for i, n in apart.items() if n == min(apart.values()))
        if len(nearest) > 1:
            own = state.roster.units[self.beast].side == victims
            play.then((OwnFright if own else FoeFright)(chooser, nearest))
        elif nearest:
            clause = "M3.elephant.4" if state.roster.units[self.beast].side == victims else "M3.elephant.3"
            disorder(play, nearest[0], clause, trampled=True)


class Frighten(Action):
    """M3.elephant.3 M3.elephant.4: which of the nearest units is frightened."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        decision = state.decision
        nearest = decision.nearest if isinstance(decision, FoeFright) else ()
        if decision and state.roster.index.get(self.unit, -1) not in nearest:
            yield Refusal(decision.clause, "refusal.not_nearest", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        disorder(play, play.state.roster.index[self.unit], play.taken.clause, trampled=True)


class FoeFright(Decision):
    """M3.elephant.3: Carthage chooses among enemies equally near."""

    clause = "M3.elephant.3"
    accepts = (Frighten,)

    def __init__(self, seat: int, nearest: tuple[int, ...]) -> None:
        super().__init__(seat)
        self.nearest: Final = nearest

    def prompt(self, state: MetaurusState) -> Message:
        return Message("prompt.frighten", {"side": SEATS[self.seat]})

    def candidates(self, state: MetaurusState) -> list[Action]:
        return [Frighten(state.roster.units[i].id) for i in self.nearest]


class OwnFright(FoeFright):
    """M3.elephant.4: Rome chooses among their friends equally near."""

    clause = "M3.elephant.4"


# --- Gauls and reform ----------------------------------------------------------------------------


class Restless(Step):
    """MH14.gauls: until they are attacked, Gauls may not follow an order to move."""

    def __init__(self, force: Force) -> None:
        self.force: Final = force

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        if not state.roster.rules.gauls or state.provoked:
            return
        for g in self.force.groups:
            if state.roster.groups[g].gallic and state.order[g] in (MOVE, ADVANCE):
                face = play.roll(DIE, GAULS_STAY, low=0)
                stays = face <= GAULS_STAY
                state.held[g] = int(stays)
                key = "event.gauls_stay" if stays else "event.gauls_go"
                play.tell("MH14.gauls", key, face=face, group=state.roster.groups[g].id)


class Reforming(Step):
    """M2.reform.1: a die for every disordered unit; not above its morale, and it is in order again."""

    def __init__(self, force: Force) -> None:
        self.force: Final = force

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        for i in self.force.units(state):
            unit = state.roster.units[i]
            if order_of(state, i) == REFORM and state.flags[i] & DISORDERED:
                face = play.roll(DIE, unit.morale, low=0)
                reformed = face <= unit.morale
                if reformed:
                    state.flags[i] &= ~DISORDERED
                key = "event.reforms" if reformed else "event.reforms_not"
                play.tell("M2.reform.1", key, unit=unit.id, face=face, morale=unit.morale)
