"""10 The turn, steps 1 and 7: orders, who is activated, and cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from ...parts import plane
from ...parts.plane import UNIT
from .cards import ASIDE, CARDS, card_id, card_of, deal, discard
from .contact import in_melee
from .hidden import label
from .morale import nearest_enemy
from .motion import has_room
from .rally import Rallying, rally
from .state import (
    ACTIVATED,
    FIELD,
    JAVELINS,
    MOUNTED,
    NOBODY,
    SEATS,
    OnusState,
)
from .table import units_on

NO_GENERAL = 3  # OH.order.3
DRAWN = 2  # OH.turn.7


def leadership(state: OnusState, seat: int) -> int:
    """OH.general.1: the hand and the leader's call; without a general 3."""
    units = state.roster.units
    alive = any(units[i].general for i in units_on(state, seat))
    return state.roster.leadership[seat] if alive else NO_GENERAL


class Unfinished(Decision):
    """A question that is not done with as long as something must be done."""

    def duties(self, state: OnusState) -> Iterator[Refusal]:
        """What must be done before."""
        raise NotImplementedError


class Done(Action):
    """OH.turn.1: no more of this."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        if isinstance(state.decision, Unfinished):
            yield from state.decision.duties(state)

    def perform(self, play: Play) -> None:
        pass


# --- step 1: orders ------------------------------------------------------------------------------


class GiveOrder(Action):
    """OH.turn.1: a card of the hand as an order; beside it, if wanted, a forced march or new plans."""

    def __init__(self, card: str, beside: str = "") -> None:
        self.card: Final = card
        self.beside: Final = beside

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        hand = state.hands[decision.seat]
        if not _holds(hand, self.card):
            yield Refusal("OH.deck.1", "refusal.no_such_card", {"card": self.card})
        elif CARDS[card_of(self.card)][0] in ASIDE:
            yield Refusal(CLAUSES[CARDS[card_of(self.card)][0]], "refusal.only_beside", {"card": self.card})
        if self.beside:
            if not _holds(hand, self.beside) or self.beside == self.card:
                yield Refusal("OH.deck.1", "refusal.no_such_card", {"card": self.beside})
            elif CARDS[card_of(self.beside)][0] not in ASIDE:
                yield Refusal("OH.turn.1", "refusal.not_beside", {"card": self.beside})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        seat = play.taken.seat
        card = card_of(self.card)
        order = CARDS[card][0]
        _spend(state, seat, card)
        state.ordered = True
        play.tell("OH.turn.1", "event.orders", side=SEATS[seat], order=order)
        if self.beside:
            self._add(play, seat)
        state.backward = order == "fall-back"
        play.then(*EFFECTS[order](state, seat, order))

    def _add(self, play: Play, seat: int) -> None:
        """OH.order.13 OH.move.7 OH.order.14: a forced march, or new plans."""
        state: OnusState = play.state
        _spend(state, seat, card_of(self.beside))
        name = CARDS[card_of(self.beside)][0]
        play.tell(CLAUSES[name], "event.beside", side=SEATS[seat], order=name)
        if name == "forced-march":
            state.marching = UNIT
        else:
            state.refill = True


def _holds(hand: list[int], name: str) -> bool:
    return card_of(name) >= 0 and card_of(name) in hand


def _spend(state: OnusState, seat: int, card: int) -> None:
    state.hands[seat].remove(card)
    discard(state, card)


class PassOrders(Action):
    """OH.turn.1: no order."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        play.tell("OH.turn.1", "event.no_order", side=SEATS[play.taken.seat])


class Orders(Decision):
    """OH.turn.1: one order card, or pass."""

    clause = "OH.turn.1"
    accepts = (GiveOrder, PassOrders)

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.orders", {"side": SEATS[self.seat]})

    def candidates(self, state: OnusState) -> list[Action]:
        hand = state.hands[self.seat]
        mains = [card for card in hand if CARDS[card][0] not in ASIDE]
        asides = [card for card in hand if CARDS[card][0] in ASIDE]
        found: list[Action] = [GiveOrder(card_id(card)) for card in mains]
        found += [GiveOrder(card_id(a), card_id(b)) for a in mains for b in asides]
        return [*found, PassOrders()]


def _activate(state: OnusState, seat: int, order: str) -> list[Step]:
    """OH.order.1 ... OH.order.8: how many units an order activates, and of which kind."""
    units = units_on(state, seat)
    numbers = {
        "one-unit": 1,
        "two-units": 2,
        "leaders-call": leadership(state, seat),
        "half-the-army": len(units) // 2,
        "fall-back": leadership(state, seat),
    }
    return [Activation(seat, numbers.get(order, len(units)), order)]


def _rally_one(state: OnusState, seat: int, order: str) -> list[Step]:
    return [RallyOne(seat)]


def _rally_all(state: OnusState, seat: int, order: str) -> list[Step]:
    """OH.order.10: all broken and fleeing units check at +1."""
    units = [i for i in units_on(state, seat) if state.broken[i] or state.fleeing[i]]
    return [Rallying(i, 1, "OH.order.10") for i in units]


def _heal(state: OnusState, seat: int, order: str) -> list[Step]:
    return [Healing(seat, order)]


EFFECTS = {
    **dict.fromkeys(
        (
            "one-unit",
            "two-units",
            "leaders-call",
            "half-the-army",
            "whole-army",
            "horse",
            "shooters",
            "fall-back",
        ),
        _activate,
    ),
    "rally-one": _rally_one,
    "rally-all": _rally_all,
    "tend-wounds": _heal,
    "reserves": _heal,
}


# --- who is activated ----------------------------------------------------------------------------


class Activate(Action):
    """OH.turn.1: this unit acts this turn."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, Activation):
            i = state.roster.index.get(self.unit, NOBODY)
            if i not in units_on(state, decision.seat):
                yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": self.unit})
            elif state.flags[i] & ACTIVATED:
                yield Refusal("OH.turn.1", "refusal.activated", {"unit": self.unit})
            elif not is_meant(state, i, decision.order):
                yield Refusal(CLAUSES[decision.order], "refusal.not_meant", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        activation: Activation = play.taken
        i = state.roster.index[self.unit]
        state.flags[i] |= ACTIVATED
        play.tell("OH.turn.1", "event.activated", unit=label(state, i))
        play.then(Activation(activation.seat, activation.left - 1, activation.order))


class ActivateAll(Action):
    """OH.order.5: everybody whom the order means, if it is enough for all."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, Activation) and len(decision.units(state)) > decision.left:
            yield Refusal("OH.turn.1", "refusal.not_all", {"left": decision.left})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        for i in play.taken.units(state):
            state.flags[i] |= ACTIVATED
        play.tell("OH.turn.1", "event.activated_all", side=SEATS[play.taken.seat])


CLAUSES = {
    "one-unit": "OH.order.1",
    "two-units": "OH.order.2",
    "leaders-call": "OH.order.3",
    "half-the-army": "OH.order.4",
    "whole-army": "OH.order.5",
    "horse": "OH.order.6",
    "shooters": "OH.order.7",
    "fall-back": "OH.order.8",
    "rally-one": "OH.order.9",
    "rally-all": "OH.order.10",
    "tend-wounds": "OH.order.11",
    "reserves": "OH.order.12",
    "forced-march": "OH.order.13",
    "new-plans": "OH.order.14",
}


def is_meant(state: OnusState, i: int, order: str) -> bool:
    """OH.order.6 OH.order.7: mounted units; missile units except javelins."""
    kind = state.roster.units[i].kind
    if order == "horse":
        return MOUNTED in kind.traits
    if order == "shooters":
        return kind.shoots and JAVELINS not in kind.traits
    return True


class Activation(Decision):
    """OH.turn.1: the activated units are named now."""

    clause = "OH.turn.1"
    accepts = (Activate, ActivateAll, Done)

    def __init__(self, seat: int, left: int, order: str) -> None:
        super().__init__(seat)
        self.left: Final = left
        self.order: Final = order

    def prompt(self, state: OnusState) -> Message:
        values: Values = {"side": SEATS[self.seat], "number": min(self.left, len(self.units(state)))}
        return Message("prompt.activate", values)

    def units(self, state: OnusState) -> list[int]:
        own = units_on(state, self.seat)
        return [i for i in own if not state.flags[i] & ACTIVATED and is_meant(state, i, self.order)]

    def is_moot(self, state: OnusState) -> bool:
        return self.left <= 0 or not self.units(state)

    def candidates(self, state: OnusState) -> list[Action]:
        units = self.units(state)
        every = [ActivateAll()] if len(units) <= self.left else []
        return [*every, *(Activate(state.roster.units[i].id) for i in units), Done()]


# --- rallying and healing ------------------------------------------------------------------------


class RallyUnit(Action):
    """OH.order.9 OH.flight.4: one unit is rallied without a roll, and turns as it likes."""

    def __init__(
        self,
        unit: str,
        angle: int = 0,  # tenths of a degree, clockwise
    ) -> None:
        self.unit: Final = unit
        self.angle: Final = angle

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        i = state.roster.index.get(self.unit, NOBODY)
        if i not in units_on(state, decision.seat) or not (state.broken[i] or state.fleeing[i]):
            yield Refusal("OH.order.9", "refusal.not_broken", {"unit": self.unit})
        elif self.angle and not _may_turn(state, i, self.angle):
            yield Refusal("OH.flight.4", "refusal.no_room_to_turn", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i = state.roster.index[self.unit]
        rally(play, i, "OH.order.9")
        if self.angle:
            state.pose[i] = plane.turned(state.pose[i], self.angle)


def _may_turn(state: OnusState, i: int, angle: int) -> bool:
    """Whether there is room for a card turned about its middle."""
    if state.where[i] != FIELD or abs(angle) > plane.FULL // 2:
        return False
    return has_room(state, i, plane.turned(state.pose[i], angle))


class RallyOne(Decision):
    """OH.order.9: which one."""

    clause = "OH.order.9"
    accepts = (RallyUnit,)

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.rally", {"side": SEATS[self.seat]})

    def units(self, state: OnusState) -> list[int]:
        return [i for i in units_on(state, self.seat) if state.broken[i] or state.fleeing[i]]

    def is_moot(self, state: OnusState) -> bool:
        return not self.units(state)

    def candidates(self, state: OnusState) -> list[Action]:
        """As it stands, or with its front to the nearest enemy."""
        found: list[Action] = []
        for i in self.units(state):
            name = state.roster.units[i].id
            found.append(RallyUnit(name))
            foe = nearest_enemy(state, i)
            if foe >= 0:
                a, b = state.pose[i], state.pose[foe]
                angle = plane.between(a.turn, plane.bearing((a.x, a.y), (b.x, b.y)))
                found += [RallyUnit(name, angle)] if angle else []
        return found


class Heal(Action):
    """OH.order.11 OH.order.12: wounds of one unit."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, Healing):
            i = state.roster.index.get(self.unit, NOBODY)
            if i not in decision.units(state):
                yield Refusal(decision.rule, "refusal.not_healed", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        healing: Healing = play.taken
        i = state.roster.index[self.unit]
        most = 2 if healing.order == "reserves" and not in_melee(state, i) else 1
        healed = min(most, state.wounds[i])
        state.wounds[i] -= healed
        play.tell(healing.rule, "event.heals", unit=self.unit, number=healed)


class Healing(Decision):
    clause = "OH.order.11"
    accepts = (Heal,)

    def __init__(self, seat: int, order: str) -> None:
        super().__init__(seat)
        self.order: Final = order

    @property
    def rule(self) -> str:
        return "OH.order.12" if self.order == "reserves" else "OH.order.11"

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.heal", {"side": SEATS[self.seat]})

    def units(self, state: OnusState) -> list[int]:
        """OH.order.11: not in melee; OH.order.12: there, too."""
        hurt = [i for i in units_on(state, self.seat) if state.wounds[i]]
        return [i for i in hurt if self.order == "reserves" or not in_melee(state, i)]

    def is_moot(self, state: OnusState) -> bool:
        return not self.units(state)

    def candidates(self, state: OnusState) -> list[Action]:
        return [Heal(state.roster.units[i].id) for i in self.units(state)]


# --- step 7: cards -------------------------------------------------------------------------------


class ThrowAway(Action):
    """OH.turn.7: a card of the hand is discarded."""

    def __init__(self, card: str) -> None:
        self.card: Final = card

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        if not _holds(state.hands[decision.seat], self.card):
            yield Refusal("OH.deck.1", "refusal.no_such_card", {"card": self.card})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        _spend(state, play.taken.seat, card_of(self.card))
        play.tell("OH.turn.7", "event.discards", side=SEATS[play.taken.seat])
        play.then(Cards(play.taken.seat, True))


class Cards(Unfinished):
    """OH.turn.7 O7.victory.defender.tactic: any number may be discarded before the hand is filled."""

    clause = "OH.turn.7"
    accepts = (ThrowAway, Done)

    def __init__(self, seat: int, thrown: bool = False) -> None:
        super().__init__(seat)
        self.thrown: Final = thrown

    def prompt(self, state: OnusState) -> Message:
        key = "prompt.cards_due" if any(self.duties(state)) else "prompt.cards"
        return Message(key, {"side": SEATS[self.seat]})

    def is_moot(self, state: OnusState) -> bool:
        return not state.hands[self.seat]

    def duties(self, state: OnusState) -> Iterator[Refusal]:
        """OH.turn.7: who gave no order discards a card at least, so that every battle comes to its end."""
        if not state.ordered and not self.thrown:
            yield Refusal("OH.turn.7", "refusal.must_discard", {"side": SEATS[self.seat]})

    def candidates(self, state: OnusState) -> list[Action]:
        return [*(ThrowAway(card_id(card)) for card in state.hands[self.seat]), Done()]


class Refill(Step):
    """OH.turn.7: without an order up to Leadership, with one 2 cards, never above it; OH.order.14."""

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        room = max(0, leadership(state, self.seat) - len(state.hands[self.seat]))
        number = room if not state.ordered or state.refill else min(DRAWN, room)
        deal(play, self.seat, number, "OH.turn.7")
