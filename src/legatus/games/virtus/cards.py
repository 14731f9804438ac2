"""4 Cards: the hand (4.1), laying it out (4.2), what cards give (4.3); 10 Attrition; 17 PiPs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step
from .closing import Closing, Done
from .state import (
    CARD,
    CARDS,
    FACE,
    JOKER,
    KINDS,
    NO_CARD,
    SEATS,
    SEGMENT,
    SEGMENTS,
    UNLIMITED,
    ZERO,
    VirtusState,
    generals_at,
    has_units,
    reserve,
    sector,
)

COPIES = 2  # V1.4a: of each card 1 to 6


def controlled(state: VirtusState, side: int) -> int:
    """V4.1b: segments with at least one friendly unit in either sector."""
    return sum(
        has_units(state, side, sector(0, n)) or has_units(state, side, sector(1, n))
        for n in range(1, state.roster.rules.columns + 1)
    )


def chief_in_reserve(state: VirtusState, side: int) -> bool:
    """V4.1b V8d: the commander-in-chief leads from the reserve."""
    generals = state.roster.generals
    return any(generals[g].chief for g in generals_at(state, side, reserve(side)))


def hand_size(state: VirtusState, side: int) -> int:
    """V4.1b: one card a controlled segment, and one for the commander-in-chief in reserve."""
    return controlled(state, side) + chief_in_reserve(state, side)


class MakeHand(Step):
    """V4.1a: after the tests the hand is cut (V4.2b), then drawn up to size; V17a V17b: or dice rolled."""

    def __init__(self, side: int) -> None:
        self.side: Final = side

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        if state.roster.rules.pips:
            self._roll_pips(play)
            return
        base, size = self.side * KINDS, hand_size(state, self.side)
        held = sum(state.hand[base : base + KINDS])
        for _ in range(held - size):
            card = play.draw(state.hand[base : base + KINDS], CARDS)
            state.hand[base + card] -= 1
            state.discard[base + card] += 1
            play.tell("V4.2b", "event.hand_cut", side=SEATS[self.side], card=CARDS[card])
        if size > held:
            self._draw(play, size - held)

    def _draw(self, play: Play, wanted: int) -> None:
        state: VirtusState = play.state
        base = self.side * KINDS
        if sum(state.pile[base : base + KINDS]) < wanted:
            rebuild(play, self.side)
        wanted = min(wanted, sum(state.pile[base : base + KINDS]))
        drawn: list[str] = []
        for _ in range(wanted):
            card = play.draw(state.pile[base : base + KINDS], CARDS)
            state.pile[base + card] -= 1
            state.hand[base + card] += 1
            drawn.append(CARDS[card])
        play.tell("V4.1b", "event.draws", side=SEATS[self.side], cards=wanted)
        play.tell("V4.1b", "event.drawn", to=self.side, cards=tuple(drawn))

    def _roll_pips(self, play: Play) -> None:
        state: VirtusState = play.state
        if not controlled(state, self.side):
            return
        base, less = self.side * KINDS, 0 if chief_in_reserve(state, self.side) else 1
        scores: list[int] = []
        for _ in range(controlled(state, self.side)):
            score = play.roll(6) - less
            scores.append(score)
            state.hand[base + (score - 1 if score else ZERO)] += 1
        play.tell("V17b" if less else "V17a", "event.pips", side=SEATS[self.side], scores=tuple(scores))


def rebuild(play: Play, side: int) -> None:
    """V4.3e: discards go back into the draw pile; cards in hand stay, cards lost to attrition are gone."""
    state: VirtusState = play.state
    for card in range(side * KINDS, side * KINDS + KINDS):
        state.pile[card] += state.discard[card]
        state.discard[card] = 0
    play.tell("V4.3e", "event.rebuilt", side=SEATS[side])


# --- laying the hand out -------------------------------------------------------------------------


def in_hand(state: VirtusState, side: int, name: str) -> int:
    """The number of a card that the side holds, or -1."""
    card = CARD.get(name, NO_CARD)
    return card if card >= 0 and state.hand[side * KINDS + card] > 0 else NO_CARD


def _not_free(state: VirtusState, name: str) -> Iterator[Refusal]:
    """V4.2a V4.3c: only a card of the hand, and not a face card that is being kept."""
    side = state.active
    if in_hand(state, side, name) < 0:
        yield Refusal("V4.2a", "refusal.not_in_hand", {"card": name})
    elif name == "face" and state.kept[side] >= state.hand[side * KINDS + FACE]:
        yield Refusal("V4.3c", "refusal.face_is_kept")


class Lay(Action):
    """V4.2a: lay a card on a segment, one card a segment."""

    def __init__(self, card: str, segment: str) -> None:
        self.card: Final = card
        self.segment: Final = segment

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from _not_free(state, self.card)
        segment = SEGMENT.get(self.segment, 0)
        if not 1 <= segment <= state.roster.rules.columns:
            yield Refusal("V4b", "refusal.no_such_segment", {"segment": self.segment})
        elif state.laid[segment] != NO_CARD:
            yield Refusal("V4.2a", "refusal.segment_has_card", {"segment": self.segment})

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        card = CARD[self.card]
        state.hand[state.active * KINDS + card] -= 1
        state.laid[SEGMENT[self.segment]] = card
        state.joker_played |= card == JOKER
        play.tell("V4.2a", "event.lays", side=SEATS[state.active], card=self.card, segment=self.segment)
        play.then(play.taken)


class Discard(Action):
    """V4.2a: throw a card away."""

    def __init__(self, card: str) -> None:
        self.card: Final = card

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from _not_free(state, self.card)
        if state.roster.rules.pips:
            yield Refusal("V17b", "refusal.pips_are_allotted")

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        side, card = state.active, CARD[self.card]
        state.hand[side * KINDS + card] -= 1
        state.discard[side * KINDS + card] += 1
        play.tell("V4.2a", "event.discards", side=SEATS[side], card=self.card)
        play.then(play.taken)


class Keep(Action):
    """V4.3c: hold a face card back as a bluff; face cards that are not kept go at the end of the turn."""

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        side = state.active
        if state.kept[side] >= state.hand[side * KINDS + FACE]:
            yield Refusal("V4.3c", "refusal.no_face_to_keep")

    def perform(self, play: Play) -> None:
        play.state.kept[play.state.active] += 1
        play.tell("V4.3c", "event.keeps", to=play.state.active)
        play.then(play.taken)


class Cards(Closing):
    """V4.2a: lay, discard or hold back each card of the hand."""

    secret = True
    clause = "V4.2a"
    accepts = (Lay, Discard, Keep, Done)

    def prompt(self, state: VirtusState) -> Message:
        return Message(
            "prompt.pips" if state.roster.rules.pips else "prompt.cards", {"side": SEATS[self.seat]}
        )

    def is_moot(self, state: VirtusState) -> bool:
        return not any(state.hand[self.seat * KINDS : self.seat * KINDS + KINDS])

    def offers(self, state: VirtusState) -> Iterator[Action]:
        base = self.seat * KINDS
        held = [CARDS[card] for card in range(KINDS) if state.hand[base + card]]
        for segment in range(1, state.roster.rules.columns + 1):
            if state.laid[segment] == NO_CARD:
                for card in held:
                    yield Lay(card, SEGMENTS[segment])
        if not state.roster.rules.pips:
            for card in held:
                yield Discard(card)
            if state.hand[base + FACE] > state.kept[self.seat]:
                yield Keep()


# --- points --------------------------------------------------------------------------------------


def card_points(card: int) -> int:
    """V4.3a V4.3b V4.3c: a number gives its points, the Joker no ceiling, a face card nothing."""
    if card == JOKER:
        return UNLIMITED
    return card + 1 if 0 <= card < FACE else 0


def segment_points(state: VirtusState, side: int, segment: int) -> int:
    """V4.3a V8b: the card's points and those of the side's generals in the segment, card or no card."""
    points = card_points(state.laid[segment])
    for place in (sector(0, segment), sector(1, segment)):
        points += sum(state.roster.generals[g].bonus for g in generals_at(state, side, place))
    return points


def discard_laid(state: VirtusState, side: int, segment: int) -> None:
    """V4.3a: a card goes to the discard when its segment is done; V10-attrition-a: or out of the game."""
    card = state.laid[segment]
    if card == NO_CARD:
        return
    state.laid[segment] = NO_CARD
    if state.roster.rules.pips:
        return
    away = state.roster.rules.attrition and card == worn_card(state, side)
    pile = state.removed if away else state.discard
    pile[side * KINDS + card] += 1


def worn_card(state: VirtusState, side: int) -> int:
    """V10-attrition-a: the value that is being worn down: 6 until both are gone, then 5, and so on."""
    for card in range(FACE - 1, -1, -1):
        if state.removed[side * KINDS + card] < COPIES:
            return card
    return NO_CARD


def end_cards(play: Play, side: int) -> None:
    """V4.3a V4.3c V4.3e: laid cards and unkept faces are discarded; a played Joker rebuilds the pile."""
    state: VirtusState = play.state
    base = side * KINDS
    if state.roster.rules.pips:
        state.hand[base : base + KINDS] = [0] * KINDS  # V17b: nothing is carried over
    for segment in range(1, state.roster.rules.columns + 1):
        discard_laid(state, side, segment)
    thrown = state.hand[base + FACE] - state.kept[side]
    if thrown:
        state.hand[base + FACE] -= thrown
        state.discard[base + FACE] += thrown
        play.tell("V4.3c", "event.faces_go", side=SEATS[side], cards=thrown)
    state.kept[side] = 0
    if state.joker_played:
        state.joker_played = False
        rebuild(play, side)
