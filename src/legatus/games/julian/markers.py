"""2 Stratagem markers: hands and pool, Imperium as a wild card, Agentes and what they annul.

Every decision of this game is ``Asked``: in an operations phase of his own a player may play an Agentes at
any of them (JS.agentes.1).  Whether somebody is asked for a reaction follows from what everybody knows: that
he has markers, never which (JH.windows).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Term
from .state import (
    AGENTES,
    HIDDEN,
    IMPERIUM,
    MARKERS,
    SEATS,
    JulianState,
    other,
)

# --- hands ---------------------------------------------------------------------------------------


def hand_size(state: JulianState, seat: int) -> int:
    return sum(state.hands[seat])


def pool_size(state: JulianState) -> int:
    """How many markers can be drawn; a view counts the hidden ones of a hand with the pool."""
    return sum(state.pool) - sum(hand[HIDDEN] for hand in state.hands)


def spend(play: Play, seat: int, marker: int, imperium: bool) -> None:
    """J0.discard JS.imperium.choice JS.imperium.1: a marker that was played goes back into the pool."""
    state: JulianState = play.state
    real = IMPERIUM if imperium else marker
    take(state, seat, real)
    state.pool[real] += 1
    if imperium:
        state.imperium[seat] = 1
        play.tell("JS.imperium.1", "event.wild", side=SEATS[seat], marker=MARKERS[marker])


def take(state: JulianState, seat: int, marker: int) -> None:
    """A marker leaves a hand, and everybody sees which."""
    seen = state.known[other(seat)]
    state.hands[seat][marker] -= 1
    seen[marker] = max(0, seen[marker] - 1)


def draw(play: Play, seat: int, number: int, clause: str) -> None:
    """At random from the pool; if it holds fewer, what there is.  Only who draws sees them."""
    state: JulianState = play.state
    got = []
    for _ in range(min(number, pool_size(state))):
        marker = play.draw(state.pool, MARKERS)
        state.pool[marker] -= 1
        state.hands[seat][marker] += 1
        got.append(MARKERS[marker])
    play.tell(clause, "event.draws", side=SEATS[seat], number=len(got))
    if got:
        play.tell(clause, "event.draws_which", to=seat, markers=tuple(got))


def draw_from_hand(play: Play, seat: int, number: int) -> list[int]:
    """So many at random from a hand, all if it holds fewer; they are seen as they leave it."""
    state: JulianState = play.state
    out = []
    for _ in range(min(number, hand_size(state, seat))):
        marker = play.draw(state.hands[seat][:HIDDEN], MARKERS)
        take(state, seat, marker)
        out.append(marker)
    return out


def give_back(play: Play, seat: int, number: int, clause: str) -> None:
    """At random from a hand to the pool (JC.AC.3 and the like)."""
    state: JulianState = play.state
    out = draw_from_hand(play, seat, number)
    for marker in out:
        state.pool[marker] += 1
    if out:
        markers = tuple(MARKERS[marker] for marker in out)
        play.tell(clause, "event.returns", side=SEATS[seat], markers=markers)
    else:
        play.tell(clause, "event.returns_nothing", side=SEATS[seat])


def lacks(state: JulianState, seat: int, marker: int, imperium: bool) -> Iterator[Refusal]:
    """J0.title JS.imperium.limit: why a marker, or an Imperium in its place, cannot be played."""
    real = IMPERIUM if imperium else marker
    if not state.hands[seat][real]:
        yield Refusal("J0.title", "refusal.no_marker", {"marker": MARKERS[real]})
    if imperium and state.imperium[seat]:
        yield Refusal("JS.imperium.limit", "refusal.imperium_played")


def could(state: JulianState, seat: int, marker: int) -> list[bool]:
    """With what a marker could be played now: itself (False), an Imperium (True)."""
    return [imperium for imperium in (False, True) if not any(lacks(state, seat, marker, imperium))]


# --- decisions -----------------------------------------------------------------------------------


class Spy(Action):
    """JS.agentes.choice JS.agentes.1 JS.agentes.limit: see the other's whole hand, as often as one can."""

    def __init__(self, imperium: bool = False) -> None:
        self.imperium: Final = imperium

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        if not state.operating or state.active != decision.seat:
            yield Refusal("JS.agentes.1", "refusal.not_your_phase")
        yield from lacks(state, decision.seat, AGENTES, self.imperium)

    def is_vain(self, state: JulianState) -> bool:
        """Who knows the whole hand, or that it is empty, learns nothing."""
        decision = state.decision
        assert decision is not None
        return hand_size(state, other(decision.seat)) <= sum(state.known[decision.seat])

    def perform(self, play: Play) -> None:
        seat = play.taken.seat
        play.tell("JS.agentes.1", "event.spies", side=SEATS[seat])
        spend(play, seat, AGENTES, self.imperium)
        play.then(Counter(other(seat), "JS.agentes.2"), ShowHand(seat), play.taken)


class ShowHand(Step):
    """JS.agentes.1: the hand as it is now; from here on the player knows it."""

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        hand = state.hands[other(self.seat)]
        play.sealed = True
        state.known[self.seat] = hand[:HIDDEN]
        held = tuple(name for name, count in zip(MARKERS, hand, strict=False) for _ in range(count))
        values = {"side": SEATS[other(self.seat)]}
        if held:
            play.tell("JS.agentes.1", "event.sees", to=self.seat, **values, markers=held)
        else:
            play.tell("JS.agentes.1", "event.sees_nothing", to=self.seat, **values)


class Asked(Decision):
    """A decision of this game: what it offers, and an Agentes where it may be played (JH.windows)."""

    accepts: ClassVar[tuple[type[Action], ...]] = (Spy,)

    def options(self, state: JulianState) -> list[Action]:
        """What can be done beside spying."""
        raise NotImplementedError

    def unfinished(self, state: JulianState) -> Iterator[Refusal]:
        """What must be done before the player may pass."""
        yield from ()

    def passed(self, play: Play) -> None:
        """What passing means here."""

    def pass_remark(self, state: JulianState) -> Message | None:
        """What is told of passing beforehand."""
        return None

    def pass_terms(self, state: JulianState) -> list[Term]:
        """What is added to the die that passing has thrown."""
        return []

    def candidates(self, state: JulianState) -> list[Action]:
        spying = state.operating and state.active == self.seat
        spies = [Spy(imperium) for imperium in could(state, self.seat, AGENTES)] if spying else []
        return [*self.options(state), *spies]


class Pass(Action):
    """JH.ops_phase: decline, or no more of this."""

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, Asked):
            yield from decision.unfinished(state)

    def remark(self, state: JulianState) -> Message | None:
        decision = state.decision
        return decision.pass_remark(state) if isinstance(decision, Asked) else None

    def terms(self, state: JulianState) -> list[Term]:
        decision = state.decision
        return decision.pass_terms(state) if isinstance(decision, Asked) else []

    def perform(self, play: Play) -> None:
        play.taken.passed(play)


class Annul(Action):
    """JS.agentes.2 JS.agentes.3: an Agentes annuls what was played just now."""

    def __init__(self, imperium: bool = False) -> None:
        self.imperium: Final = imperium

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        yield from lacks(state, decision.seat, AGENTES, self.imperium)

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        counter: Counter = play.taken
        play.tell(counter.use, "event.annuls", side=SEATS[counter.seat])
        spend(play, counter.seat, AGENTES, self.imperium)
        state.todo.pop()  # what would have come of it


class Counter(Asked):
    """JH.windows JH.7_11: right after the play only the opponent is asked; the next step is its effect."""

    clause = "JH.windows"
    accepts = (Annul, Pass, Spy)

    def __init__(
        self,
        seat: int,
        use: str,  # the clause: JS.agentes.2 or JS.agentes.3
    ) -> None:
        super().__init__(seat)
        self.use: Final = use

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.annul", {"side": SEATS[self.seat]})

    def is_moot(self, state: JulianState) -> bool:
        return not hand_size(state, self.seat)

    def options(self, state: JulianState) -> list[Action]:
        return [*(Annul(imperium) for imperium in could(state, self.seat, AGENTES)), Pass()]
