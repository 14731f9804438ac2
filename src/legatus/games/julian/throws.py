"""Dice outside combat, which an Imperium may have thrown again (JS.imperium.2, JH.windows)."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Action, Message, Play, Refusal, Step, Values
from .markers import Asked, Pass, Spy, hand_size, lacks, take
from .state import DIE, IMPERIUM, SEATS, JulianState, other


def throw(play: Play, clause: str, purpose: str, side: int, *effect: Step) -> None:
    """JH.dice: one die for ``purpose``, the questions whether it is thrown again, then its effect.

    The effect reads ``state.face``.
    """
    state: JulianState = play.state
    state.face, state.rerolled = play.roll(DIE), False
    play.tell(clause, f"event.throws.{purpose}", side=SEATS[side], face=state.face)
    first = state.active
    state.purpose = purpose
    play.then(Again(first), Again(other(first)), *effect)


class Reroll(Action):
    """JS.imperium.2 JH.windows: the die is thrown again at once; then the other may have a throw too."""

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        if not state.hands[decision.seat][IMPERIUM]:
            yield from lacks(state, decision.seat, IMPERIUM, False)

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        seat = play.taken.seat
        take(state, seat, IMPERIUM)
        state.pool[IMPERIUM] += 1
        state.imperium[seat] = 1
        state.face, state.rerolled = play.roll(DIE), True
        play.tell("JS.imperium.2", "event.rerolls", side=SEATS[seat], face=state.face)
        if state.todo[-1:] != [Again(other(seat))]:  # he had passed on the throw before
            play.then(Again(other(seat)))


class Again(Asked):
    """JH.windows: who conducts the phase is asked first, then the other; after a re-roll again the other."""

    clause = "JS.imperium.2"
    accepts = (Reroll, Pass, Spy)

    def prompt(self, state: JulianState) -> Message:
        values: Values = {"side": SEATS[self.seat], "face": state.face, "purpose": f"die-{state.purpose}"}
        return Message("prompt.again", values)

    def is_moot(self, state: JulianState) -> bool:
        """JS.imperium.limit: asked whoever may have one, for all that the other knows."""
        return bool(state.imperium[self.seat]) or not hand_size(state, self.seat)

    def passed(self, play: Play) -> None:
        play.state.rerolled = False

    def options(self, state: JulianState) -> list[Action]:
        return [Reroll(), Pass()]
