"""5 Activation: a second force by Dux (JS.dux.1), a people by Federate (JH.5_8_3, JH.5_9_2, JH.5_9_4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from ...kernel import Action, Message, Play, Refusal, Step
from ...kernel.model import verb
from .federates import go_home, object_of, serve, tire
from .markers import Asked, Counter, Pass, Spy, could, lacks, spend
from .places import Displaced
from .state import (
    BARBARIAN,
    DUX,
    FEDERATE,
    NEUTRAL,
    NOBODY,
    ROMAN,
    SEATS,
    JulianState,
    at_hex,
    other,
)
from .throws import throw

SIDE_CLAUSES = {ROMAN: "JS.dux.1.roman", BARBARIAN: "JS.dux.1.barbarian"}


class PlayDux(Action):
    """JS.dux.1 JS.dux.1.several: another command whose chit was drawn before acts in this phase too."""

    def __init__(self, command: str, imperium: bool = False) -> None:
        self.command: Final = command
        self.imperium: Final = imperium

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        seat, roster = decision.seat, state.roster
        yield from lacks(state, seat, DUX, self.imperium)
        if any(state.called):
            yield Refusal("JH.7_9_3", "refusal.dux_or_people")
        if self.command in roster.people_index:
            yield Refusal("JS.dux.1.no_federate", "refusal.no_people", {"command": self.command})
            return
        c = roster.command_index.get(self.command, NOBODY)
        if c < 0 or roster.commands[c].side != seat:
            yield Refusal(SIDE_CLAUSES[seat], "refusal.not_your_command", {"command": self.command})
        elif state.acting[c]:
            yield Refusal("JS.dux.1.several", "refusal.acts_already", {"command": self.command})
        elif not state.drawn[c]:
            yield Refusal("JS.dux.1.eligible", "refusal.not_drawn", {"command": self.command})

    def perform(self, play: Play) -> None:
        """JS.dux.1.drawer: whoever drew its chit."""
        state: JulianState = play.state
        seat = play.taken.seat
        state.acting[state.roster.command_index[self.command]] = 1
        state.duces[seat] = 1
        play.tell("JS.dux.1", "event.dux", side=SEATS[seat], command=self.command)
        spend(play, seat, DUX, self.imperium)
        play.then(play.taken)


class FederatePlay(Action):
    """JS.federate.refs JS.federate.7_9_3: what all uses of a Federate have in common."""

    restores: ClassVar[bool] = False  # it does not need a unit of the people on the map
    activates: ClassVar[bool] = False  # JH.7_9_3: the people acts in this phase

    def object(self, state: JulianState) -> int:
        """The people that it is played for, or NOBODY."""
        raise NotImplementedError

    def bars(self, state: JulianState, seat: int, p: int) -> Iterator[Refusal]:
        """What the use itself asks for."""
        raise NotImplementedError

    def effect(self, seat: int, p: int) -> Step:
        raise NotImplementedError

    def by_imperium(self) -> bool:
        return bool(getattr(self, "imperium", False))

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        seat, p = decision.seat, self.object(state)
        yield from lacks(state, seat, FEDERATE, self.by_imperium())
        if state.federate[seat]:
            yield Refusal("JS.federate.limit", "refusal.one_federate")
        if self.activates and state.duces[seat]:
            yield Refusal("JH.7_9_3", "refusal.dux_or_people")
        if p < 0:
            yield Refusal("JH.6_0", "refusal.no_such_people")
            return
        if not any(state.cell[i] >= 0 for i in state.roster.of_people[p]) and not self.restores:
            yield Refusal("JH.6_0", "refusal.people_gone", {"people": state.roster.peoples[p].id})
        if object_of(state, p, seat):
            yield Refusal("JH.7_9_3", "refusal.people_done", {"people": state.roster.peoples[p].id})
        yield from self.bars(state, seat, p)

    def perform(self, play: Play) -> None:
        """JH.7_11: announced; the opponent may annul it; else it takes effect."""
        state: JulianState = play.state
        seat, p = play.taken.seat, self.object(state)
        state.federate[seat] = 1  # JS.agentes.3: even if it is annulled
        people = state.roster.peoples[p].id
        key = f"event.announces.{verb(type(self))}"
        play.tell("JH.7_11", key, side=SEATS[seat], people=people)
        spend(play, seat, FEDERATE, self.by_imperium())
        play.then(Counter(other(seat), "JS.agentes.3"), self.effect(seat, p), play.taken)


class OfPeople(FederatePlay):
    """A Federate that names a people."""

    def object(self, state: JulianState) -> int:
        return state.roster.people_index.get(getattr(self, "people", ""), NOBODY)

    def bars(self, state: JulianState, seat: int, p: int) -> Iterator[Refusal]:
        """JH.5_8_3 JH.5_9_2: neutral, or allied to him already."""
        if state.ally[p] == other(seat):
            clause = "JH.5_8_3" if isinstance(self, CallInstead) else "JH.5_9_2"
            yield Refusal(clause, "refusal.serves_enemy", {"people": state.roster.peoples[p].id})


class CallInstead(OfPeople):
    """JH.5_8_3: a people acts in place of the command drawn."""

    activates = True

    def __init__(self, people: str, imperium: bool = False) -> None:
        self.people: Final = people
        self.imperium: Final = imperium

    def effect(self, seat: int, p: int) -> Step:
        return Called(seat, p, False)


class CallAlong(OfPeople):
    """JH.5_9_2: a people acts together with the command drawn."""

    activates = True

    def __init__(self, people: str, imperium: bool = False) -> None:
        self.people: Final = people
        self.imperium: Final = imperium

    def effect(self, seat: int, p: int) -> Step:
        return Called(seat, p, True)


class Called(Step):
    """JH.6_0: the people serves the player and acts in this phase."""

    def __init__(self, seat: int, people: int, along: bool) -> None:
        self.seat: Final = seat
        self.people: Final = people
        self.along: Final = along

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        tire(state, self.people, self.seat)
        serve(play, self.people, self.seat, "JH.5_9_2" if self.along else "JH.5_8_3")
        state.called[self.people] = 1
        if not self.along:
            state.acting = [0] * len(state.acting)


class Sway(OfPeople):
    """JH.5_9_4: a people that serves the enemy may leave him."""

    def __init__(self, people: str, imperium: bool = False) -> None:
        self.people: Final = people
        self.imperium: Final = imperium

    def bars(self, state: JulianState, seat: int, p: int) -> Iterator[Refusal]:
        if state.ally[p] != other(seat):
            yield Refusal("JH.5_9_4", "refusal.not_enemys", {"people": state.roster.peoples[p].id})

    def effect(self, seat: int, p: int) -> Step:
        return Swaying(seat, p)


class Swaying(Step):
    """JH.5_9_4: a die."""

    def __init__(self, seat: int, people: int) -> None:
        self.seat: Final = seat
        self.people: Final = people

    def run(self, play: Play) -> None:
        tire(play.state, self.people, self.seat)
        throw(play, "JH.5_9_4", "sway", self.seat, Swayed(self.seat, self.people))


class Swayed(Step):
    """JH.5_9_4: 1-2 nothing, 3-4 it goes home, 5-6 it changes sides where it stands."""

    def __init__(self, seat: int, people: int) -> None:
        self.seat: Final = seat
        self.people: Final = people

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        people = state.roster.peoples[self.people].id
        if state.face <= 2:
            play.tell("JH.5_9_4", "event.unmoved", people=people)
        elif state.face <= 4:
            go_home(play, self.people, "JH.5_9_4")
        else:
            foe = other(self.seat)
            cells = {state.cell[i] for i in state.roster.of_people[self.people] if state.cell[i] >= 0}
            serve(play, self.people, self.seat, "JH.5_9_4")
            left = [i for cell in sorted(cells) for i in at_hex(state, cell, foe)]
            play.then(*(Displaced(i, "JH.5_9_4") for i in left))


class Activation(Asked):
    """JH.ops_phase (1): Dux or Federate, before anything else."""

    clause = "JH.ops_phase"
    accepts = (PlayDux, CallInstead, CallAlong, Sway, Pass, Spy)

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.activation", {"side": SEATS[self.seat]})

    def options(self, state: JulianState) -> list[Action]:
        roster = state.roster
        found: list[Action] = []
        for imperium in could(state, self.seat, DUX):
            own = [c for c, command in enumerate(roster.commands) if command.side == self.seat]
            found += [PlayDux(roster.commands[c].id, imperium) for c in own]
        for imperium in could(state, self.seat, FEDERATE):
            for p, people in enumerate(roster.peoples):
                if state.ally[p] in (NEUTRAL, self.seat):
                    found += [CallInstead(people.id, imperium), CallAlong(people.id, imperium)]
                else:
                    found.append(Sway(people.id, imperium))
        return [*found, Pass()]
