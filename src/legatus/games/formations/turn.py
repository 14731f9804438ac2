"""House rules: the turn, weather, initiative and command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from .activation import Activation
from .cohesion import two_dice
from .endphase import EndPhase
from .melee import MeleePhase
from .state import (
    CHARACTER,
    CLOUDY,
    FAIR,
    HEAT,
    HOLD,
    INSTRUCTIONS,
    NOBODY,
    ORDERED,
    RAIN,
    SEATS,
    WEATHERS,
    FormationsState,
    other,
)
from .units import distance, has_units, on_map, unit_of

NEAR, FAR = 4, 6  # AH5.command: how far a leader's and the chief's orders reach


class Weather(Step):
    """AH24.weather: two dice at the start, unless the scenario says otherwise."""

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        if state.roster.weather < 0:
            one, two = two_dice(play)
            total = one + two
            state.weather = HEAT if total <= 3 else FAIR if total <= 7 else CLOUDY if total <= 10 else RAIN
        play.tell("AH24.weather", "event.weather", weather=WEATHERS[state.weather])


class Turn(Step):
    """AH3.turn: initiative, command, activations, melee, end phase; and on."""

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        state.turn += 1
        play.tell("AH3.turn", "event.turn", turn=state.turn)
        play.then(Initiative(), Orders(), Activation(), MeleePhase(), EndPhase(), Turn())


class Initiative(Step):
    """AH3.turn: two dice and the chief's command value each, a tie is rolled again; the higher chooses."""

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        while True:
            totals = [sum(two_dice(play)) + chief_value(state, side) for side in (0, 1)]
            play.tell("AH3.turn", "event.initiative", league=totals[0], horde=totals[1])
            if totals[0] != totals[1]:
                break
        play.then(FirstChoice(totals.index(max(totals))))


def chief_value(state: FormationsState, side: int) -> int:
    """AH3.turn: nothing if he is lost."""
    chief = state.roster.chiefs[side]
    return state.roster.pieces[chief].command if chief >= 0 and state.cell[chief] >= 0 else 0


class Begin(Action):
    """AH3.turn: the side that activates first."""

    def __init__(self, side: str) -> None:
        self.side: Final = side

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        if self.side not in SEATS:
            yield Refusal("AH3.turn", "refusal.no_such_side", {"side": self.side})

    def perform(self, play: Play) -> None:
        play.state.first = play.state.active = SEATS.index(self.side)
        play.tell("AH3.turn", "event.first", side=self.side)


class FirstChoice(Decision):
    """AH3.turn: who has the initiative says who begins."""

    clause = "AH3.turn"
    accepts = (Begin,)

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.first", {"side": SEATS[self.seat]})

    def candidates(self, state: FormationsState) -> list[Action]:
        return [Begin(seat) for seat in SEATS]


class Orders(Step):
    """AH5.command: the side that activates first commands first."""

    def run(self, play: Play) -> None:
        first = play.state.first
        play.then(Command(first), Command(other(first)))


class Instruct(Action):
    """AH5.command: an instruction for a wing."""

    def __init__(self, wing: str, instruction: str) -> None:
        self.wing: Final = wing
        self.instruction: Final = instruction

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        decision = state.decision
        w = state.roster.wing_index.get(self.wing, NOBODY)
        if w < 0 or decision is None or state.roster.wings[w].side != decision.seat:
            yield Refusal("AH5.command", "refusal.no_such_wing", {"wing": self.wing})
            return
        if self.instruction not in INSTRUCTIONS:
            yield Refusal("AH5.command", "refusal.no_such_instruction", {"instruction": self.instruction})
            return
        leader = state.roster.leaders[w]
        if leader >= 0 and state.cell[leader] < 0 and self.instruction != INSTRUCTIONS[HOLD]:
            yield Refusal("AH5.command", "refusal.leaderless", {"wing": self.wing})
        elif state.told[w]:
            yield Refusal("AH5.command", "refusal.instructed", {"wing": self.wing})
        elif INSTRUCTIONS.index(self.instruction) == state.instruction[w]:
            yield Refusal("AH5.command", "refusal.same_instruction", {"wing": self.wing})
        if not has_units(state, w):
            yield Refusal("AH3.turn", "refusal.empty_wing", {"wing": self.wing})

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        w = state.roster.wing_index[self.wing]
        state.instruction[w], state.told[w] = INSTRUCTIONS.index(self.instruction), 1
        play.tell("AH5.command", "event.instructs", wing=self.wing, instruction=self.instruction)
        play.then(play.taken)


class Order(Action):
    """AH5.command A.def.special_order: a leader gives one unit a special order."""

    def __init__(self, leader: str, unit: str) -> None:
        self.leader: Final = leader
        self.unit: Final = unit

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        decision = state.decision
        seat = decision.seat if decision else NOBODY
        c, i = unit_of(state, seat, self.leader), unit_of(state, seat, self.unit)
        if c < 0 or state.kind[c] != CHARACTER:
            yield Refusal("AH5.command", "refusal.no_such_leader", {"leader": self.leader})
        if i < 0 or state.kind[i] == CHARACTER:
            yield Refusal("A.def.special_order", "refusal.not_yours", {"unit": self.unit})
        if c < 0 or i < 0 or state.kind[c] != CHARACTER or state.kind[i] == CHARACTER:
            return
        chief = state.wing[c] < 0
        if state.given[c] >= state.roster.pieces[c].command:
            yield Refusal("AH5.command", "refusal.no_more_orders", {"leader": self.leader})
        if not chief and state.wing[c] != state.wing[i]:
            yield Refusal("AH5.command", "refusal.not_his_wing", {"leader": self.leader, "unit": self.unit})
        if distance(state, c, i) > (FAR if chief else NEAR):
            yield Refusal("AH5.command", "refusal.out_of_reach", {"leader": self.leader, "unit": self.unit})
        if state.flags[i] & ORDERED:
            yield Refusal("A.def.special_order", "refusal.ordered", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        state.given[state.ids.index(self.leader)] += 1
        state.flags[state.ids.index(self.unit)] |= ORDERED
        play.tell("AH5.command", "event.orders", leader=self.leader, unit=self.unit)
        play.then(play.taken)


class Done(Action):
    """AH5.command: all is said."""

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        pass


class Command(Decision):
    """AH5.command: instructions for wings, special orders for units."""

    clause = "AH5.command"
    accepts = (Instruct, Order, Done)

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.command", {"side": SEATS[self.seat]})

    def candidates(self, state: FormationsState) -> list[Action]:
        mine = on_map(state, self.seat)
        wings = [wing.id for wing in state.roster.wings if wing.side == self.seat]
        leaders = [c for c in mine if state.kind[c] == CHARACTER]
        left = [c for c in leaders if state.given[c] < state.roster.pieces[c].command]
        orders = [
            Order(state.ids[c], state.ids[i])
            for c in left
            for i in mine
            if state.kind[i] != CHARACTER and state.wing[c] in (NOBODY, state.wing[i])
        ]
        instructions = [Instruct(wing, word) for wing in wings for word in INSTRUCTIONS]
        return [*instructions, *orders, Done()]
