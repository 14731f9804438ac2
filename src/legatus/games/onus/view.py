"""Secrets: hands, the order of the deck, and who lies under which card back.  The only door is ``view``."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from ...kernel.fields import field_names
from ...kernel.objects import replace
from ...parts import plane
from .building import is_building
from .cards import DECK
from .combat import Combat
from .contact import opponents
from .hidden import may_hide
from .purchase import masked, overspent, supposed
from .setup import Deploying
from .state import CROSSING, FIELD, INSIDE, LOST, NOBODY, RESERVE, OnusState
from .table import enemies_touching, impassable, shape_of
from .walls import (
    closed_pieces,
    friends_at,
    is_in_line,
    lies_within,
    overlap_fault,
    overlapped,
    solid_patches,
)

UNKNOWN = -1  # a card seen from the back
ROWS = (  # what is kept of each unit
    *("where", "pose", "inside", "way", "wounds", "flags", "fleeing", "broken", "formation", "wings"),
    *("spent", "pricked", "climbs", "climbed", "ram", "hidden"),
)
NAMES = ("unit", "attacker", "target", "striker", "victim", "prey", "foe", "shooter", "crew")
SLACK = 2 * plane.TOLERANCE


def view(state: OnusState, seat: int | None) -> OnusState:
    """What a seat may know: cards in other hands are as unknown as those of the deck.

    While both sides buy, neither knows what the other has.
    """
    if is_building(state):
        return masked(state, seat)
    seen = state.copy()
    for side, hand in enumerate(state.hands):
        if side != seat:
            for card in hand:
                if card != UNKNOWN:
                    seen.deck[card] = 1
            seen.hands[side] = [UNKNOWN] * len(hand)
            if is_deploying(state, side):
                take_up(seen, side)
            turn_down(seen, side)
    return seen


def is_deploying(state: OnusState, side: int) -> bool:
    return any(isinstance(step, Deploying) and step.seat == side for step in state.todo)


def take_up(seen: OnusState, side: int) -> None:
    """O4.hidden.who: until a side is drawn up, its cards that lie face down seem to wait.

    Their owner lays one after the other, and which of his units comes next can be told from those that wait.
    """
    hidden = backs(seen, side)
    for i in hidden:
        seen.where[i], seen.pose[i], seen.hidden[i] = RESERVE, plane.Pose(0, 0), 0
    seen.over = [pair for pair in seen.over if not set(pair) & set(hidden)]


def backs(state: OnusState, side: int) -> list[int]:
    """O4.hidden.who: the hidden units of a side, in the order of their card backs."""
    found = [i for i, unit in enumerate(state.roster.units) if unit.side == side and state.hidden[i]]
    return sorted(found, key=lambda i: state.hidden[i])


def turn_down(seen: OnusState, side: int) -> None:
    """O4.hidden.who: who lies under which back cannot be told: the first under the first, and so on."""
    hidden = backs(seen, side)
    exchange(seen, dict(zip(hidden, sorted(hidden), strict=True)))


def exchange(state: OnusState, new: dict[int, int]) -> None:
    """Units take the places of others: all that is known of each goes to the one that it is exchanged for."""
    if all(i == j for i, j in new.items()):
        return
    for name in ROWS:
        column = getattr(state, name)
        for j, value in [(j, column[i]) for i, j in new.items()]:
            column[j] = value
    state.over = sorted((new.get(a, a), new.get(b, b)) for a, b in state.over)
    state.todo = [_renamed(step, new) for step in state.todo]


def _renamed(step: Any, new: dict[int, int]) -> Any:
    """A step that names units, with others in their places."""
    fields = {name: getattr(step, name) for name in field_names(type(step))}
    changed = {name: new[value] for name, value in fields.items() if name in NAMES and value in new}
    changed |= {name: _renamed(value, new) for name, value in fields.items() if isinstance(value, Combat)}
    return replace(step, **changed) if changed else step


def guess(seen: OnusState, seat: int, rng: Random) -> OnusState:
    """A full state that looks the same to ``seat``: hidden hands are some of the unseen cards.

    The hidden units lie under the card backs in some order.
    """
    if is_building(seen):
        return supposed(seen, seat, rng)
    full = view(seen, seat)
    for side, hand in enumerate(full.hands):
        if side != seat:
            unseen = [card for card, there in enumerate(full.deck) if there]
            full.hands[side] = dealt = rng.sample(unseen, len(hand))
            for card in dealt:
                full.deck[card] = 0
            hidden = backs(full, side)
            exchange(full, dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True)))
    return full


def invariants(state: OnusState) -> Iterator[str]:
    """What must hold in every state; a broken one names its clause."""
    yield from overspent(state)
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
            if shapes[i].intersects(shapes[j]) and not _may_overlap(state, i, j):
                yield f"OH.move.8: {name} and {state.roster.units[j].id} overlap"
        yield from _in_fortress(state, i)
    for i, unit in enumerate(state.roster.units):
        if state.where[i] not in (RESERVE, LOST) and state.wounds[i] >= unit.kind.life:
            yield f"OH.value.5: {unit.id} has {state.wounds[i]} wounds and lives"
        if (state.where[i] in (INSIDE, CROSSING)) != (state.inside[i] != NOBODY):
            yield f"O4.unit-markers.twin: {unit.id} is in nothing"
        if not 0 <= state.pose[i].turn < plane.FULL:
            yield f"OH.measure.1: {unit.id} looks to {state.pose[i].turn}"
    numbers = [number for number in state.hidden if number]
    if len(set(numbers)) != len(numbers):
        yield "O4.hidden.who: two units lie under one card back"
    held = [n for n, where in zip(state.inside, state.where, strict=True) if where == INSIDE]
    if len(set(held)) != len(held):
        yield "O4.village.capacity: two units are in one structure"


def _may_overlap(state: OnusState, i: int, j: int) -> bool:
    """O2.overlap O4.overlap.align: friends inside the fortress, fronts in line."""
    units = state.roster.units
    if units[i].side != units[j].side:
        return False
    return lies_within(state, state.pose[i]) and lies_within(state, state.pose[j])


def _in_fortress(state: OnusState, i: int) -> Iterator[str]:
    """O4.overlap.depth O4.overlap.choose-top O4.hidden.who: what holds of a unit that lies there."""
    if state.roster.keep is None:
        return
    name, pose = state.roster.units[i].id, state.pose[i]
    shape, spared = shape_of(state, i, SLACK), overlapped(state, pose)
    clause = overlap_fault(state, i, pose)
    if clause and any(shape.intersects(shape_of(state, j, SLACK)) for j in friends_at(state, i, pose)):
        yield f"{clause}: {name} lies over friends as it cannot"
    shut = [patch.shape for n in closed_pieces(state) if n not in spared for patch in solid_patches(state, n)]
    if not state.way[i] and any(shape.intersects(one) for one in shut):
        yield f"O4.wall.inner-contact: {name} stands on a wall"
    stale = [pair for pair in state.over if i in pair and not is_in_line(*(state.pose[k] for k in pair))]
    if stale:
        yield f"O4.overlap.choose-top: {name} lies over nobody"
    met = state.hidden[i] and enemies_touching(state, i) and opponents(state, i)
    if state.hidden[i] and (not may_hide(state, i) or met):
        yield f"O4.hidden.who: {name} should lie face up"
