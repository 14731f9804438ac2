"""3 Phase I: Credos, markers bought and rolled for, and the limit of a hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step
from .markers import Asked, Pass, Spy, could, draw, hand_size, lacks, pool_size, spend, take
from .state import BARBARIAN, CREDO, MARKER, MARKERS, ROMAN, SEATS, JulianState
from .throws import throw

CREDO_DRAWS = 2  # JS.credo.1
MOST_BOUGHT = 2  # JH.stratagem_phase
FREE = (1, 1, 1, 2, 2, 3)  # JH.stratagem_phase: by face
HAND = 8  # JH.pool


class BeginPhaseOne(Step):
    """JQ.I: first the Roman, then the barbarian; both then obey the limit."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        state.active, state.bought = ROMAN, [0, 0]
        state.imperium = [0, 0]  # JS.imperium.limit: one in phase I
        play.tell("JQ.I", "event.phase_one")
        play.then(Stratagems(ROMAN), Stratagems(BARBARIAN), HandLimit(ROMAN), HandLimit(BARBARIAN))


class PlayCredo(Action):
    """JS.credo.1 JS.credo.1.cost JS.credo.1.return: two markers for it, and nothing to pay."""

    def __init__(self, imperium: bool = False) -> None:
        self.imperium: Final = imperium

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        yield from lacks(state, decision.seat, CREDO, self.imperium)

    def perform(self, play: Play) -> None:
        seat = play.taken.seat
        play.tell("JS.credo.1", "event.credo", side=SEATS[seat])
        draw(play, seat, CREDO_DRAWS, "JS.credo.1")  # first, so that it cannot be drawn again
        spend(play, seat, CREDO, self.imperium)
        play.then(play.taken)


class BuyMarker(Action):
    """JH.stratagem_phase: the Roman buys a marker."""

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        price = state.roster.values.marker_price
        if decision.seat != ROMAN:
            yield Refusal("JS.credo.1.cost", "refusal.no_treasury")
            return
        if state.bought[ROMAN] >= MOST_BOUGHT:
            yield Refusal("JH.stratagem_phase", "refusal.two_markers", {"most": MOST_BOUGHT})
        if state.tp < price:
            yield Refusal("JH.treasury", "refusal.too_poor", {"price": price, "tp": state.tp})
        if not pool_size(state):
            yield Refusal("JH.stratagem_phase", "refusal.pool_empty")

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        state.bought[ROMAN] += 1
        pay(play, state.roster.values.marker_price, "JH.stratagem_phase")
        draw(play, ROMAN, 1, "JH.stratagem_phase")
        play.then(play.taken)


def pay(play: Play, price: int, clause: str) -> None:
    """JH.treasury: treasury points are spent; they are never negative."""
    state: JulianState = play.state
    state.tp -= price
    play.tell(clause, "event.pays", price=price, tp=state.tp)


class RollMarkers(Action):
    """JH.stratagem_phase: the barbarian throws a die for markers."""

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        if decision.seat != BARBARIAN:
            yield Refusal("JH.stratagem_phase", "refusal.roman_buys")
        elif state.bought[BARBARIAN]:
            yield Refusal("JH.stratagem_phase", "refusal.rolled")

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        state.bought[BARBARIAN] = 1
        throw(play, "JH.stratagem_phase", "markers", BARBARIAN, FreeMarkers(), play.taken)


class FreeMarkers(Step):
    """JH.stratagem_phase: one, two or three."""

    def run(self, play: Play) -> None:
        draw(play, BARBARIAN, FREE[play.state.face - 1], "JH.stratagem_phase")


class Stratagems(Asked):
    """JH.stratagem_phase: Credos before or after the other draws."""

    clause = "JH.stratagem_phase"
    accepts = (PlayCredo, BuyMarker, RollMarkers, Pass, Spy)

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.stratagems", {"side": SEATS[self.seat]})

    def unfinished(self, state: JulianState) -> Iterator[Refusal]:
        if self.seat == BARBARIAN and not state.bought[BARBARIAN]:
            yield Refusal("JH.stratagem_phase", "refusal.roll_first")

    def options(self, state: JulianState) -> list[Action]:
        credos = [PlayCredo(imperium) for imperium in could(state, self.seat, CREDO)]
        return [*credos, BuyMarker() if self.seat == ROMAN else RollMarkers(), Pass()]


class Discard(Action):
    """JH.pool: a marker goes back, by choice."""

    def __init__(self, marker: str) -> None:
        self.marker: Final = marker

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        if not state.hands[decision.seat][MARKER.get(self.marker, CREDO)] or self.marker not in MARKER:
            yield Refusal("J0.title", "refusal.no_marker", {"marker": self.marker})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        marker = MARKER[self.marker]
        take(state, play.taken.seat, marker)
        state.pool[marker] += 1
        play.tell("JH.pool", "event.discards", side=SEATS[play.taken.seat], marker=self.marker)
        play.then(play.taken)


class HandLimit(Asked):
    """JH.pool: at most eight at the end of phase I."""

    clause = "JH.pool"
    accepts = (Discard, Spy)

    def prompt(self, state: JulianState) -> Message:
        over = hand_size(state, self.seat) - HAND
        return Message("prompt.discard", {"side": SEATS[self.seat], "number": over})

    def is_moot(self, state: JulianState) -> bool:
        return hand_size(state, self.seat) <= HAND

    def options(self, state: JulianState) -> list[Action]:
        return [Discard(MARKERS[n]) for n in range(len(MARKERS)) if state.hands[self.seat][n]]
