"""Secrets: hands (V4.2a), blind deployment (V1.7c), face-down markers (V7d).  The only door is ``view``."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from .damage import TOKENS
from .setup import BOUGHT, Deployment
from .state import (
    DECK,
    FACEDOWN,
    GONE,
    KINDS,
    NO_CARD,
    NORMAL,
    PLACES,
    STRIDE,
    UNKNOWN,
    WAITING,
    VirtusState,
    column,
    is_contested,
    other,
    put,
    reserve,
    sectors,
)
from .terrain import GROUND


def view(state: VirtusState, seat: int | None) -> VirtusState:
    """What a seat may know; a spectator knows what both know."""
    seen = state.copy()
    for side in (0, 1):
        if side != seat:
            _hide_cards(seen, side)
            if state.turn == 0:
                _hide_deployment(seen, side)
            else:
                _hide_markers(seen, side)
    return seen


def _hide_cards(seen: VirtusState, side: int) -> None:
    """V1.4b V4.2a: the opponent knows how many cards a hand has; they lie unknown in the pile."""
    if seen.roster.rules.pips:
        return  # dice lie open
    base = side * KINDS
    for card in range(base, base + KINDS):
        seen.pile[card] += seen.hand[card]
        seen.hidden[side] += seen.hand[card]
        seen.hand[card] = 0
    seen.kept[side] = 0


def _hide_deployment(seen: VirtusState, side: int) -> None:
    """V1.7c: nothing of the other side's deployment is seen before both are done."""
    for i in seen.roster.of[side]:
        seen.place[i], seen.flags[i] = WAITING, 0
    for g in seen.roster.generals_of[side]:
        seen.gplace[g] = WAITING
    for place in range(reserve(side), reserve(side) + STRIDE):
        seen.count[side * 10 + place] = 0
        seen.decoys[place] = seen.markers[place] = 0
        if seen.camp[place] == BOUGHT:
            seen.camp[place] = 0


def _hide_markers(seen: VirtusState, side: int) -> None:
    """V7d: a face-down unit is somewhere under a marker; how many markers are decoys is unknown."""
    for i in seen.roster.of[side]:
        if seen.flags[i] & FACEDOWN:
            if seen.place[i] >= 0:
                seen.count[side * 10 + seen.place[i]] -= 1
            seen.place[i] = seen.origin[i] = UNKNOWN
    for place in sectors(seen, side):
        seen.decoys[place] = 0


def guess(seen: VirtusState, seat: int, rng: Random) -> VirtusState:
    """A full state that looks the same to ``seat``."""
    full = view(seen, seat)
    foe = other(seat)
    base = foe * KINDS
    for _ in range(full.hidden[foe]):
        left = int(rng.random() * sum(full.pile[base : base + KINDS]))
        card = base
        while left >= full.pile[card]:
            left -= full.pile[card]
            card += 1
        full.pile[card] -= 1
        full.hand[card] += 1
    full.hidden[foe] = 0
    if full.turn == 0:
        if not any(isinstance(step, Deployment) and step.seat == foe for step in full.todo):
            _deploy_at_random(full, foe, rng)
    else:
        _deal_markers(full, foe, rng)
    return full


def _deploy_at_random(full: VirtusState, side: int, rng: Random) -> None:
    own = [reserve(side), *sectors(full, side)]
    for i in full.roster.of[side]:
        barred = full.roster.units[i].artillery
        put(full, i, rng.choice([p for p in own if not (barred and GROUND[full.terrain[p]].no_artillery)]))
    for g in full.roster.generals_of[side]:
        full.gplace[g] = rng.choice([p for p in own if column(p) == 0 or p not in full.gplace])


def _deal_markers(full: VirtusState, side: int, rng: Random) -> None:
    slots = [place for place in sectors(full, side) for _ in range(full.markers[place])]
    rng.shuffle(slots)
    for place in slots:
        full.decoys[place] += 1
    for i in full.roster.of[side]:
        if full.place[i] == UNKNOWN:
            place = slots.pop()
            full.decoys[place] -= 1
            full.count[side * 10 + place] += 1
            full.place[i] = full.origin[i] = place


def invariants(state: VirtusState) -> Iterator[str]:
    """What must hold in every state; a broken one names its clause."""
    roster = state.roster
    unknown = list(_unknown_words(state))
    if unknown:  # nothing else can be asked then
        yield from unknown
        return
    for i, unit in enumerate(roster.units):
        place = state.place[i]
        if place >= 0 and not 0 < state.vc[i] <= unit.vc:
            yield f"V3.2b V3.2c: {unit.id} has cohesion {state.vc[i]} of {unit.vc}"
        if place >= 0 and (column(place) > roster.rules.columns or place == reserve(other(unit.side))):
            yield f"V6.1b: {unit.id} is at {PLACES[place]}"
        if place == GONE and (state.tokens[i] or state.flags[i] or state.form[i] != NORMAL):
            yield f"V3.2b: {unit.id} is eliminated and has a state"
        if state.flags[i] & FACEDOWN and (
            not GROUND[state.terrain[place]].markers or is_contested(state, place)
        ):
            yield f"V7d: {unit.id} is face down at {PLACES[place]}"
    yield from _broken_counts(state)
    yield from _broken_cards(state)
    spots = [(roster.generals[g].side, p) for g, p in enumerate(state.gplace) if p >= 0 and column(p)]
    if len(spots) != len(set(spots)):
        yield "V8d: two generals of a side share a sector"
    for segment in range(1, STRIDE):
        limit = roster.rivers[segment]
        if limit and state.crossed[segment] > limit:
            yield f"V14.1a: {state.crossed[segment]} units crossed the river in segment {segment}"
        if state.points[segment] < 0:
            yield f"V4.3a: segment {segment} has {state.points[segment]} points"


def _unknown_words(state: VirtusState) -> Iterator[str]:
    for place, ground in enumerate(state.terrain):
        if ground not in GROUND:
            yield f"V1.6d: {PLACES[place]} is {ground[:20]!r}"
    for i, unit in enumerate(state.roster.units):
        if not TOKENS.keys() >= set(state.tokens[i]):
            yield f"V3.2b: {unit.id[:20]} has the tokens {state.tokens[i][:20]!r}"


def _broken_counts(state: VirtusState) -> Iterator[str]:
    for side in (0, 1):
        for place in range(2 * STRIDE):
            here = [i for i in state.roster.of[side] if state.place[i] == place]
            if state.count[side * 10 + place] != len(here):
                yield f"V5c: {PLACES[place]} counts {state.count[side * 10 + place]} units, not {len(here)}"
            if place // STRIDE == side:
                down = sum(bool(state.flags[i] & FACEDOWN) for i in here)
                if state.markers[place] != state.decoys[place] + down:
                    yield f"V7d: {PLACES[place]} shows {state.markers[place]} markers"


def _broken_cards(state: VirtusState) -> Iterator[str]:
    if state.roster.rules.pips:
        return
    for side in (0, 1):
        for card in range(KINDS):
            n = side * KINDS + card
            laid = state.laid.count(card) if side == state.active and card != NO_CARD else 0
            total = state.hand[n] + state.pile[n] + state.discard[n] + state.removed[n] + laid
            if total != DECK[card]:
                yield f"V1.4a: side {side} has {total} cards of kind {card}, not {DECK[card]}"
