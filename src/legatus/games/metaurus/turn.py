"""0 The game, 1 Initiative: the course of a turn (M0.turn)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from .activation import Activations
from .orders import BeginPlacing, EndPlacing, Placing
from .state import CARTHAGE, DIE, DISORDERED, ROME, SEATS, MetaurusState, other
from .victory import time_out


class Turn(Step):
    """M0.turn: initiative, hidden orders, then the two player turns."""

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        state.turn += 1
        state.tried = False
        state.flags = [flags & DISORDERED for flags in state.flags]
        state.was, state.was_shown = state.order[:], state.shown[:]
        groups = len(state.roster.groups)
        state.done, state.held = [0] * groups, [0] * groups
        play.tell("M0.turn", "event.turn", turn=state.turn)
        play.then(
            Initiative(),
            BeginPlacing(),
            Placing(ROME),
            Placing(CARTHAGE),
            EndPlacing(),
            PlayerTurns(),
            EndTurn(),
        )


class Initiative(Step):
    """M1.initiative.1 M0.die: both roll; a tie is rolled again."""

    def run(self, play: Play) -> None:
        rome, carthage = play.roll(DIE, low=0), play.roll(DIE, low=0)
        while rome == carthage:
            play.tell("M1.initiative.1", "event.initiative_tie", face=rome)
            rome, carthage = play.roll(DIE, low=0), play.roll(DIE, low=0)
        play.tell("M1.initiative.1", "event.initiative", rome=rome, carthage=carthage)
        play.then(FirstChoice(ROME if rome > carthage else CARTHAGE))


class GoesFirst(Action):
    """M1.initiative.2: take the first player turn."""

    tag: ClassVar[str] = "go-first"

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        _settle(play, play.taken.seat)


class GoesSecond(Action):
    """M1.initiative.2: let the other begin."""

    tag: ClassVar[str] = "go-second"

    def refuse(self, state: MetaurusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        _settle(play, other(play.taken.seat))


def _settle(play: Play, first: int) -> None:
    play.state.first = play.state.active = first
    play.tell("M1.initiative.2", "event.first", side=SEATS[first])


class FirstChoice(Decision):
    """M1.initiative.2: the higher roll chooses, before orders are placed."""

    clause = "M1.initiative.2"
    accepts = (GoesFirst, GoesSecond)

    def prompt(self, state: MetaurusState) -> Message:
        return Message("prompt.first", {"side": SEATS[self.seat]})

    def candidates(self, state: MetaurusState) -> list[Action]:
        return [GoesFirst(), GoesSecond()]


class PlayerTurns(Step):
    """M3.turns: one after the other, in the order that initiative has settled."""

    def run(self, play: Play) -> None:
        first = play.state.first
        play.then(PlayerTurn(first), PlayerTurn(other(first)))


class PlayerTurn(Step):
    """M3.turns MH17.activation: all groups of one side."""

    def __init__(self, side: int) -> None:
        self.side: Final = side

    def run(self, play: Play) -> None:
        play.state.active = self.side
        play.tell("M3.turns", "event.player_turn", side=SEATS[self.side])
        play.then(Activations(self.side))


class EndTurn(Step):
    """MH11.length: after the last turn the battle is judged, else the next one begins."""

    def run(self, play: Play) -> None:
        state: MetaurusState = play.state
        if state.turn >= state.roster.goals.turns:
            time_out(play)
        else:
            play.then(Turn())
