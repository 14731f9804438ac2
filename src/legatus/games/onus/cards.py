"""17 The deck: 72 Action cards, each an order or an event (OH.deck.1)."""

from __future__ import annotations

from ...kernel import Play
from .state import SEATS, OnusState

DECK = 72

# OH.order.1 ... OH.order.14: how often each is in the deck
ORDERS = {
    "one-unit": 12,
    "two-units": 14,
    "leaders-call": 12,
    "half-the-army": 6,
    "whole-army": 4,
    "horse": 4,
    "shooters": 4,
    "fall-back": 3,
    "rally-one": 4,
    "rally-all": 2,
    "tend-wounds": 2,
    "reserves": 2,
    "forced-march": 2,
    "new-plans": 1,
}
# OH.event.1 ... OH.event.11
EVENTS = {
    "no-event": 20,
    "stand-firm": 8,
    "fierce-onset": 8,
    "second-volley": 4,
    "wind": 6,
    "ambush": 4,
    "confusion": 6,
    "shaken": 6,
    "courage": 4,
    "weak-point": 4,
    "bad-ground": 2,
}
NO_EVENT = "no-event"
ANY, MELEE, RANGED = "any", "melee", "ranged"
PHASES = {
    "fierce-onset": MELEE,
    "second-volley": RANGED,
    "wind": RANGED,
    "ambush": MELEE,
    "bad-ground": MELEE,
}
# OH.deck.4 O6.events: tied to a unit; a random one has no effect on a structure.  O5.ram.events: from hand,
# those of the attacking unit have, those of a target have none
OF_ATTACKER = ("fierce-onset", "second-volley", "confusion")
OF_TARGET = ("stand-firm", "ambush", "shaken", "courage")
BOUND = (*OF_ATTACKER, *OF_TARGET)
ASIDE = ("forced-march", "new-plans")  # OH.order.13 OH.order.14: only beside another order

_ORDERS = [name for name, count in ORDERS.items() for _ in range(count)]
_EVENTS = [name for name, count in EVENTS.items() for _ in range(count)]
# OH.deck.3: which order shares a card with which event
CARDS = tuple((_ORDERS[n], _EVENTS[29 * n % DECK]) for n in range(DECK))


def card_id(card: int) -> str:
    """How a player names a card of his hand."""
    return f"card-{card}"


NAMES = tuple(card_id(n) for n in range(DECK))


def card_of(name: str) -> int:
    """The number of a card, or -1."""
    return NAMES.index(name) if name in NAMES else -1


def take_top(play: Play) -> int:
    """OH.deck.2: the top card; the last one counts as an exhaustion, and the discards are shuffled."""
    state: OnusState = play.state
    card = play.draw(state.deck, NAMES)
    state.deck[card] = 0
    if not any(state.deck):
        state.exhausted += 1
        for n in state.discards:
            state.deck[n] = 1
        state.discards = []
        play.tell("OH.deck.2", "event.exhausted", times=state.exhausted)
    return card


def discard(state: OnusState, card: int) -> None:
    """A card that was used; if the deck has just been made anew it goes into the next pile."""
    state.discards.append(card)


def deal(play: Play, seat: int, number: int, clause: str) -> None:
    """Cards into a hand; only their owner sees them."""
    state: OnusState = play.state
    got = [take_top(play) for _ in range(number) if any(state.deck)]
    state.hands[seat] += got
    play.tell(clause, "event.draws", side=SEATS[seat], number=len(got))
    for card in got:
        order, event = CARDS[card]
        play.tell(clause, "event.draws_card", to=seat, card=card_id(card), order=order, event=event)


def phase_fits(event: str, phase: str) -> bool:
    """OH.deck.4 OH.event.1: an event of another phase does nothing, and "no-event" never does."""
    return event != NO_EVENT and PHASES.get(event, ANY) in (ANY, phase)
