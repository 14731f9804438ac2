"""16 Crises, an option (JQ.III.D, JH.23_0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step
from .markers import Asked, Spy, give_back
from .places import Escape
from .results import delay
from .state import BARBARIAN, NOBODY, ROMAN, SEATS, JulianState, leaders_at, names, on_map, unit_of
from .throws import throw

FIRST = 2  # JH.23_0: from this turn on
LONGEST = 2  # JH.15_10: turns
RECALLED = ("comitatenses", "auxilia")  # JH.23_0 (2): kinds of units


class Crisis(Step):
    """JQ.III.D JH.23_0: a die each turn."""

    def run(self, play: Play) -> None:
        if play.state.turn >= FIRST:
            throw(play, "JH.23_0", "crisis", ROMAN, Befalls())


class Befalls(Step):
    """JH.23_0: the table."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        play.tell("JH.23_0", f"event.crisis.{state.face}")
        if state.face == 1:
            state.barred_turn = state.turn + 1
            throw(play, "JH.23_0", "rumours", ROMAN, Rumours())
        elif state.face == 2:
            play.then(Recall(ROMAN))
        elif state.face == 3:
            _forfeit(play, (state.taxed + 1) // 2)
        elif state.face == 5:
            play.then(Feud(BARBARIAN))
        elif state.face == 6:
            state.frozen = state.turn + 1


class Rumours(Step):
    """JH.23_0 (1): the Roman loses as many points as the die shows."""

    def run(self, play: Play) -> None:
        _forfeit(play, play.state.face)


def _forfeit(play: Play, points: int) -> None:
    """JH.treasury: what he has, if that is less."""
    state: JulianState = play.state
    lost = min(points, state.tp)
    state.tp -= lost
    play.tell("JH.23_0", "event.forfeits", number=lost, tp=state.tp)


class SendEast(Action):
    """JH.23_0 (2): this unit is recalled."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        if unit_of(state, ROMAN, self.unit) not in recallable(state):
            yield Refusal("JH.23_0", "refusal.not_recallable", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        """JH.leaders: a leader who is left alone by it must get away."""
        state: JulianState = play.state
        i = state.roster.index[self.unit]
        alone = leaders_at(state, state.cell[i], ROMAN)
        play.tell("JH.23_0", "event.recalled", unit=self.unit)
        delay(play, i, LONGEST)
        play.then(*(Escape(leader, False) for leader in alone))


def recallable(state: JulianState) -> list[int]:
    return [i for i in on_map(state, ROMAN) if state.roster.units[i].kind in RECALLED]


class Recall(Asked):
    """JH.23_0 (2): the Roman removes a comitatenses or auxilia unit, if he has one on the map."""

    clause = "JH.23_0"
    accepts = (SendEast, Spy)

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.recall", {"side": SEATS[self.seat]})

    def is_moot(self, state: JulianState) -> bool:
        return not recallable(state)

    def options(self, state: JulianState) -> list[Action]:
        return [SendEast(name) for name in names(state, recallable(state))]


class Quarrel(Action):
    """JH.23_0 (5): the leader of this command is not used next turn."""

    def __init__(self, command: str) -> None:
        self.command: Final = command

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        c = state.roster.command_index.get(self.command, NOBODY)
        if c < 0 or state.roster.commands[c].side != BARBARIAN:
            yield Refusal("JH.23_0", "refusal.not_your_command", {"command": self.command})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        state.feud, state.feud_turn = state.roster.command_index[self.command], state.turn + 1
        play.tell("JH.23_0", "event.feud", command=self.command)
        give_back(play, BARBARIAN, 1, "JH.23_0")


class Feud(Asked):
    """JH.23_0 (5): the barbarian picks one of his commands."""

    clause = "JH.23_0"
    accepts = (Quarrel, Spy)

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.feud", {"side": SEATS[self.seat]})

    def options(self, state: JulianState) -> list[Action]:
        return [Quarrel(command.id) for command in state.roster.commands if command.side == BARBARIAN]
