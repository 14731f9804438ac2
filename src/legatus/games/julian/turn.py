"""1 The turn: its phases, chits in the cup, and the steps of an operations phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step
from .activation import Activation
from .combat import Combats
from .interphase import Interphase
from .markers import Asked, Spy
from .movement import Moves
from .reinforcement import Reinforcing
from .state import (
    BARBARIAN,
    LATER,
    NOBODY,
    ROMAN,
    SEATS,
    JulianState,
    other,
    put,
)
from .stratagems import BeginPhaseOne


class Turn(Step):
    """JQ.0: phases I, II and III; JH.leaders: at its start a leader may take the place of another."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        state.turn += 1
        play.tell("JQ.0", "event.turn", turn=state.turn)
        state.plundered = [0] * len(state.plundered)
        state.objects = [0] * len(state.objects)
        for i, unit in enumerate(state.roster.units):
            if unit.turn == state.turn and state.cell[i] == LATER:
                before = state.roster.units[unit.follows]
                play.tell("JH.leaders", "event.succeeds", unit=unit.id, leader=before.id)
                put(state, i, state.cell[unit.follows])
                put(state, unit.follows, LATER)
        play.then(BeginPhaseOne(), PickTurn(ROMAN, "JQ.II.A"), PickTurn(BARBARIAN, "JQ.II.B"), CupTurns())


# --- chits ---------------------------------------------------------------------------------------


class PickTurn(Step):
    """JQ.II.A JQ.II.B: the first two operations phases; whoever has a chit picks one.

    JS.agentes.1: the phase has begun when the chit is picked.
    """

    def __init__(self, seat: int, part: str) -> None:
        self.seat: Final = seat
        self.part: Final = part

    def run(self, play: Play) -> None:
        play.tell(self.part, "event.picking", side=SEATS[self.seat])
        question = PickChit(self.seat)
        if not question.is_moot(play.state):
            begin_phase(play.state, self.seat)
            play.then(question)


class Pick(Action):
    """JH.chits: one of his own chits."""

    def __init__(self, command: str) -> None:
        self.command: Final = command

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        c = state.roster.command_index.get(self.command, NOBODY)
        if c < 0 or state.roster.commands[c].side != decision.seat:
            yield Refusal("JH.chits", "refusal.not_your_command", {"command": self.command})
        elif state.drawn[c]:
            yield Refusal("JH.chits", "refusal.chit_used", {"command": self.command})
        elif is_barred(state, c):
            yield Refusal("JH.23_0", "refusal.usurper", {"command": self.command})

    def perform(self, play: Play) -> None:
        operate(play, play.state.roster.command_index[self.command], "event.picks")


def is_barred(state: JulianState, c: int) -> bool:
    """JH.23_0: rumours of usurpation keep this command from being picked."""
    return c == state.roster.values.restless and state.barred_turn == state.turn


class PickChit(Asked):
    """JH.chits: the Roman in II A, the barbarian in II B; without a chit that may be picked, nobody."""

    clause = "JH.chits"
    accepts = (Pick, Spy)

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.pick", {"side": SEATS[self.seat]})

    def is_moot(self, state: JulianState) -> bool:
        return all(state.drawn[c] or is_barred(state, c) for c in self._own(state))

    def _own(self, state: JulianState) -> list[int]:
        return [c for c, command in enumerate(state.roster.commands) if command.side == self.seat]

    def options(self, state: JulianState) -> list[Action]:
        return [Pick(state.roster.commands[c].id) for c in self._own(state)]


class CupTurns(Step):
    """JQ.II.C JH.chits: the other chits from the cup, one at a time, the barbarian first; then phase III."""

    def __init__(self, drawer: int = BARBARIAN) -> None:
        self.drawer: Final = drawer

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        left = [int(not drawn) for drawn in state.drawn]
        if not any(left):
            play.then(Interphase(), Turn())
            return
        c = play.draw(left, tuple(command.id for command in state.roster.commands))
        play.tell("JQ.II.C", "event.draws_chit", side=SEATS[self.drawer])
        play.then(CupTurns(other(self.drawer)))
        operate(play, c, "event.drawn")


# --- operations ----------------------------------------------------------------------------------


def begin_phase(state: JulianState, seat: int) -> None:
    """JH.ops_phase JS.imperium.limit: what is counted by the phase is counted from here on."""
    state.active, state.operating = seat, True
    state.acting, state.called = [0] * len(state.acting), [0] * len(state.called)
    state.raised, state.sought = [0] * len(state.raised), [0] * len(state.sought)
    state.imperium, state.federate, state.duces = [0, 0], [0, 0], [0, 0]
    state.led = state.brought = 0
    state.flags = [0] * len(state.flags)


def operate(play: Play, c: int, key: str) -> None:
    """JQ.II JH.ops_phase: activation, reinforcement, movement, combat; by the owner of the command."""
    state: JulianState = play.state
    command = state.roster.commands[c]
    seat = command.side
    if not state.operating:  # JH.chits: drawn from the cup, not picked
        begin_phase(state, seat)
    state.drawn[c] = state.acting[c] = 1
    play.tell("JH.chits", key, side=SEATS[seat], command=command.id)
    play.then(Activation(seat), Reinforcing(seat), Moves(seat), Combats(seat), EndOperations())


class EndOperations(Step):
    """JH.ops_phase: nobody is activated any more."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        state.operating, state.active = False, ROMAN
        state.acting = [0] * len(state.acting)
        state.called = [0] * len(state.called)
