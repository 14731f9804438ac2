"""2 Orders: what is laid, on whom it lies, and when it is turned face up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from .state import (
    ATTACK,
    COLOUR,
    DETACHED,
    NOBODY,
    ORDER,
    ORDERS,
    SEATS,
    MetaurusState,
    could_govern,
    group_of,
    groups_of,
    has_marker,
    on_map,
    order_of,
)

MOST = 3  # M2.place


class BeginPlacing(Step):
    """M2.persist MH18.placing: markers stay, but for those of groups that have no unit left."""

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        for g, group in enumerate(state.roster.groups):
            if state.order[g] != ATTACK and not could_govern(state, g):
                if has_marker(state.order[g]):
                    play.tell("MH18.placing", "event.marker_gone", group=group.id)
                state.order[g] = ATTACK
        state.was, state.was_shown = state.order[:], state.shown[:]
        state.changed = [0] * len(state.roster.groups)


class Lay(Action):
    """M2.place: lay or change the order of a group, face down; ``attack`` takes its marker off.

    M2.independent: ``attack`` detaches horse and elephants from their colour, ``colour`` returns them to it.
    """

    def __init__(self, group: str, order: str) -> None:
        self.group: Final = group
        self.order: Final = order

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        g = state.roster.group_index.get(self.group, NOBODY)
        own = g >= 0 and state.roster.groups[g].side == decision.seat
        if not own:
            yield Refusal("M2.scope", "refusal.no_such_group", {"group": self.group})
        if self.order not in ORDER and self.order != COLOUR:
            yield Refusal("M2.attack.1", "refusal.no_such_order", {"order": self.order})
        elif own:
            yield from self._bars(state, g)

    def _bars(self, state: MetaurusState, g: int) -> Iterator[Refusal]:
        group, order = state.roster.groups[g], self._entry(state, g)
        if order == NOBODY:
            yield Refusal("M2.independent", "refusal.is_a_colour", {"group": self.group})
            return
        if not could_govern(state, g):
            yield Refusal("MH18.placing", "refusal.group_gone", {"group": self.group})
        if state.changed[g]:
            yield Refusal("M2.one_per_colour", "refusal.changed_already", {"group": self.group})
        elif order == state.order[g]:
            yield Refusal("M2.persist", "refusal.same_order", {"group": self.group, "order": self.order})
        if not has_marker(order):
            return
        if state.roster.rules.all_markers:
            others = [other for other in groups_of(state, group.side) if other != g]
            if sum(has_marker(state.order[other]) for other in others) >= MOST:
                yield Refusal("M2.place", "refusal.three_in_force")
        elif laid(state, group.side) >= MOST:
            yield Refusal("M2.place", "refusal.three_placed")

    def _entry(self, state: MetaurusState, g: int) -> int:
        """What is noted for the group, or NOBODY where there is nothing like it."""
        if state.roster.groups[g].kind == COLOUR:
            return ORDER.get(self.order, NOBODY)
        return {ORDERS[ATTACK]: DETACHED, COLOUR: ATTACK}.get(self.order, ORDER.get(self.order, NOBODY))

    def is_vain(self, state: MetaurusState) -> bool:
        """True if horse or elephants are under the same order before and after (M2.independent)."""
        g, roster = state.roster.group_index[self.group], state.roster
        if roster.groups[g].kind == COLOUR:
            return False
        after = state.copy()
        after.order[g] = self._entry(state, g)
        units = [i for i in on_map(state, roster.groups[g].side) if roster.own_group[i] == g]
        return all(order_of(after, i) == order_of(state, i) for i in units)

    def perform(self, play: Play) -> None:
        state: MetaurusState = play.state
        g = state.roster.group_index[self.group]
        state.order[g] = order = self._entry(state, g)
        state.shown[g] = 0
        state.changed[g] = 1
        seat = play.taken.seat
        if has_marker(order):
            play.tell("M2.place", "event.lays", to=seat, group=self.group, order=self.order)
        elif state.roster.groups[g].kind == COLOUR:
            play.tell("M2.place", "event.takes_off", to=seat, group=self.group)
        else:
            key = "event.detaches" if order == DETACHED else "event.follows"
            play.tell("M2.independent", key, to=seat, group=self.group)
        play.then(play.taken)


def laid(state: MetaurusState, side: int) -> int:
    """M2.place: how many markers a side has laid or changed this turn; taking one off does not count."""
    return sum(state.changed[g] and has_marker(state.order[g]) for g in groups_of(state, side))


class Done(Action):
    """M2.place MH17.activation: no more of this: orders that are not changed stay, and so do units."""

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        pass


class Placing(Decision):
    """M2.place MH18.placing: up to three orders, while the other places his; he sees nothing of it."""

    secret = True
    clause = "M2.place"
    accepts = (Lay, Done)

    def prompt(self, state: MetaurusState) -> Message:
        left = MOST - laid(state, self.seat)
        key = "prompt.orders_in_force" if state.roster.rules.all_markers else "prompt.orders"
        return Message(key, {"side": SEATS[self.seat], "left": left})

    def candidates(self, state: MetaurusState) -> list[Action]:
        groups = [state.roster.groups[g] for g in groups_of(state, self.seat)]
        lays = [
            Lay(group.id, order)
            for group in groups
            for order in (ORDER if group.kind == COLOUR else (*ORDER, COLOUR))
        ]
        return [*lays, Done()]


class EndPlacing(Step):
    """MH18.placing: now everybody sees which groups have a marker; not which.

    M2.independent: whether horse or elephants without a marker follow their colour is open again.
    """

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        for g in range(len(state.roster.groups)):
            if not has_marker(state.order[g]):
                state.shown[g] = 0
        state.was, state.was_shown = state.order[:], state.shown[:]
        for side, seat in enumerate(SEATS):
            laid = tuple(
                state.roster.groups[g].id for g in groups_of(state, side) if has_marker(state.order[g])
            )
            if laid:
                play.reveal("MH18.placing", "event.markers", side=seat, groups=laid)
            else:
                play.reveal("MH18.placing", "event.no_markers", side=seat)


def reveal(play: Play, g: int) -> None:
    """M2.reveal: turned face up when it is activated or one of its units is attacked.

    M2.independent: of horse and elephants without a marker it is known then whether they follow their colour.
    """
    state: MetaurusState = play.state
    group, order = state.roster.groups[g], state.order[g]
    if state.shown[g] or (order == ATTACK and group.kind == COLOUR):
        return
    state.shown[g] = 1
    play.sealed = True  # that they follow is news as well, although nothing is told
    if has_marker(order):
        play.reveal("M2.reveal", "event.reveals", group=group.id, order=ORDERS[order])
    elif order == DETACHED:
        play.reveal("M2.reveal", "event.detached", group=group.id)


def reveal_activated(play: Play, g: int) -> None:
    """M2.reveal M2.independent: an activated colour shows which of its horse and elephants act with it."""
    state: MetaurusState = play.state
    reveal(play, g)
    of_colour = [i for i in on_map(state, state.roster.groups[g].side) if state.roster.units[i].group == g]
    for own in sorted({state.roster.own_group[i] for i in of_colour} - {NOBODY}):
        if not has_marker(state.order[own]):
            reveal(play, own)


def reveal_attacked(play: Play, i: int) -> None:
    """M2.reveal: the order of a unit that is attacked, and whether it is that of its colour."""
    state: MetaurusState = play.state
    reveal(play, group_of(state, i))
    if state.roster.own_group[i] != NOBODY:
        reveal(play, state.roster.own_group[i])
