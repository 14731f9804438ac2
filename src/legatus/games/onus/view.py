"""Secrets: hands, and the order of the deck.  The only door is ``view``."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ...parts import plane
from .cards import DECK
from .state import CROSSING, FIELD, INSIDE, LOST, NOBODY, RESERVE, OnusState
from .table import impassable, shape_of

UNKNOWN = -1  # a card seen from the back
SLACK = 2 * plane.TOLERANCE


def view(state: OnusState, seat: int | None) -> OnusState:
    """What a seat may know: cards in other hands are as unknown as those of the deck."""
    seen = state.copy()
    for side, hand in enumerate(state.hands):
        if side != seat:
            for card in hand:
                if card != UNKNOWN:
                    seen.deck[card] = 1
            seen.hands[side] = [UNKNOWN] * len(hand)
    return seen


def guess(seen: OnusState, seat: int, rng: Random) -> OnusState:
    """A full state that looks the same to ``seat``: hidden hands are some of the unseen cards."""
    full = view(seen, seat)
    for side, hand in enumerate(full.hands):
        if side != seat:
            unseen = [card for card, there in enumerate(full.deck) if there]
            full.hands[side] = dealt = rng.sample(unseen, len(hand))
            for card in dealt:
                full.deck[card] = 0
    return full


def invariants(state: OnusState) -> Iterator[str]:
    """What must hold in every state; a broken one names its clause."""
    cards = [*state.discards, *(card for hand in state.hands for card in hand)]
    cards += [card for card, there in enumerate(state.deck) if there]
    if UNKNOWN not in cards and len(set(cards)) != len(cards):
        yield "OH.deck.1: a card is in two places"
    if len(cards) > DECK:
        yield f"OH.deck.1: there are {len(cards)} cards"
    on = [i for i, where in enumerate(state.where) if where == FIELD]
    shapes = {i: shape_of(state, i, SLACK) for i in on}
    blocks = impassable(state)
    for n, i in enumerate(on):
        name = state.roster.units[i].id
        if not state.roster.field.covers(shapes[i]):
            yield f"OH.field.1: {name} is off the table"
        if not state.way[i] and any(shapes[i].intersects(block) for block in blocks):
            yield f"O3.impassable: {name} stands where nobody can"
        for j in on[:n]:
            if shapes[i].intersects(shapes[j]):
                yield f"OH.move.8: {name} and {state.roster.units[j].id} overlap"
    for i, unit in enumerate(state.roster.units):
        if state.where[i] not in (RESERVE, LOST) and state.wounds[i] >= unit.kind.life:
            yield f"OH.value.5: {unit.id} has {state.wounds[i]} wounds and lives"
        if (state.where[i] in (INSIDE, CROSSING)) != (state.inside[i] != NOBODY):
            yield f"O4.unit-markers.twin: {unit.id} is in nothing"
        if not 0 <= state.pose[i].turn < plane.FULL:
            yield f"OH.measure.1: {unit.id} looks to {state.pose[i].turn}"
    held = [n for n, where in zip(state.inside, state.where, strict=True) if where == INSIDE]
    if len(set(held)) != len(held):
        yield "O4.village.capacity: two units are in one structure"
