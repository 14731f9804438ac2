"""2 Orders: what is laid, on whom it lies, and when it is turned face up."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from .state import (
    ATTACK,
    ORDER,
    ORDERS,
    SEATS,
    MetaurusState,
    could_govern,
    groups_of,
)

MOST = 3  # M2.place


class BeginPlacing(Step, frozen=True):
    """M2.persist MH18.placing: markers stay, but for those of groups that have no unit left."""

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        for g, group in enumerate(state.roster.groups):
            if state.order[g] != ATTACK and not could_govern(state, g):
                state.order[g] = ATTACK
                play.tell("MH18.placing", "event.marker_gone", group=group.id)
        state.was, state.was_shown = state.order[:], state.shown[:]
        state.changed = [0] * len(state.roster.groups)


class Lay(Action, frozen=True):
    """M2.place: lay or change the order of a group, face down; ``attack`` takes its marker off."""

    group: str
    order: str

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        g, order = state.roster.group_index.get(self.group, -1), ORDER.get(self.order, -1)
        if g < 0 or state.roster.groups[g].side != decision.seat:
            yield Refusal("M2.scope", "refusal.no_such_group", {"group": self.group})
        if order < 0:
            yield Refusal("M2.attack.1", "refusal.no_such_order", {"order": self.order})
        if g < 0 or order < 0 or state.roster.groups[g].side != decision.seat:
            return
        if not could_govern(state, g):
            yield Refusal("MH18.placing", "refusal.group_gone", {"group": self.group})
        if state.changed[g]:
            yield Refusal("M2.one_per_colour", "refusal.changed_already", {"group": self.group})
        elif order == state.order[g]:
            yield Refusal("M2.persist", "refusal.same_order", {"group": self.group, "order": self.order})
        mine = groups_of(state, decision.seat)
        if state.roster.rules.all_markers:
            markers = sum(state.order[other] != ATTACK for other in mine if other != g)
            if order != ATTACK and markers >= MOST:
                yield Refusal("M2.place", "refusal.three_in_force")
        elif sum(state.changed[other] for other in mine) >= MOST:
            yield Refusal("M2.place", "refusal.three_placed")

    def perform(self, play: Play) -> None:
        state: MetaurusState = play.state
        g = state.roster.group_index[self.group]
        state.order[g] = ORDER[self.order]
        state.shown[g] = 0
        state.changed[g] = 1
        key = "event.takes_off" if self.order == ORDERS[ATTACK] else "event.lays"
        play.tell("M2.place", key, to=play.taken.seat, group=self.group, order=self.order)
        play.then(play.taken)


class Done(Action, frozen=True):
    """M2.place MH17.activation: no more of this: orders that are not changed stay, and so do units."""

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        pass


class Placing(Decision, frozen=True):
    """M2.place MH18.placing: up to three orders, while the other places his; he sees nothing of it."""

    clause = "M2.place"
    accepts = (Lay, Done)

    def prompt(self, state: MetaurusState) -> Message:
        left = MOST - sum(state.changed[g] for g in groups_of(state, self.seat))
        key = "prompt.orders_in_force" if state.roster.rules.all_markers else "prompt.orders"
        return Message(key, {"side": SEATS[self.seat], "left": left})

    def candidates(self, state: MetaurusState) -> list[Action]:
        groups = [state.roster.groups[g].id for g in groups_of(state, self.seat)]
        return [*(Lay(group, order) for group in groups for order in ORDER), Done()]


class EndPlacing(Step, frozen=True):
    """MH18.placing: now everybody sees which groups have a marker; not which."""

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        state.was, state.was_shown = state.order[:], state.shown[:]
        for side, seat in enumerate(SEATS):
            laid = tuple(
                state.roster.groups[g].id for g in groups_of(state, side) if state.order[g] != ATTACK
            )
            if laid:
                play.reveal("MH18.placing", "event.markers", side=seat, groups=laid)
            else:
                play.reveal("MH18.placing", "event.no_markers", side=seat)


def reveal(play: Play, g: int) -> None:
    """M2.reveal: turned face up when it is activated or one of its units is attacked."""
    state: MetaurusState = play.state
    if state.order[g] != ATTACK and not state.shown[g]:
        state.shown[g] = 1
        play.reveal(
            "M2.reveal", "event.reveals", group=state.roster.groups[g].id, order=ORDERS[state.order[g]]
        )
