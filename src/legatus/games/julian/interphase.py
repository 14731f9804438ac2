"""14 Phase III: who goes home, taxes, supply, crises, and the end of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step
from .crises import Crisis
from .federates import go_home
from .markers import Asked, Pass, Spy
from .places import CITY, Displaced
from .reinforcement import free_home
from .state import (
    BARBARIAN,
    DELAYED,
    NOBODY,
    POOL,
    ROMAN,
    SEATS,
    JulianState,
    at_hex,
    cell_of,
    fits,
    hex_name,
    leaders_at,
    near_men,
    put,
)
from .stratagems import pay
from .supply import Supply
from .victory import EndTurn

KEEP_PRICE = REPAIR_PRICE = 1  # JH.return JH.tax


class Interphase(Step):
    """JQ.III: A return, B taxes, C supply and D crisis if they are played, E the end of the turn."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        state.active, state.imperium = ROMAN, [0, 0]  # JS.imperium.limit: one in the whole phase
        play.tell("JQ.III", "event.interphase")
        rules = state.roster.rules
        supply: list[Step] = [Supply()] if rules.supply else []  # JQ.III.C
        crisis: list[Step] = [Crisis()] if rules.crises else []  # JQ.III.D
        homeward = (Keeping(ROMAN), Keeping(BARBARIAN), Homeward(), Withdrawal(BARBARIAN), Eastward())
        play.then(*homeward, Back(), Taxes(), Repairs(ROMAN), *supply, *crisis, EndTurn())


# --- III A: return -------------------------------------------------------------------------------


class Keep(Action):
    """JH.return (1): a people stays in service, for a treasury point or for a sacked city."""

    def __init__(self, people: str) -> None:
        self.people: Final = people

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        keeping = state.decision
        if not isinstance(keeping, Keeping):
            return
        p = state.roster.people_index.get(self.people, NOBODY)
        if p < 0 or state.ally[p] != keeping.seat:
            yield Refusal("JH.return", "refusal.not_allied", {"people": self.people})
        elif p in keeping.kept:
            yield Refusal("JH.return", "refusal.kept", {"people": self.people})
        if keeping.seat == ROMAN and state.tp < KEEP_PRICE:
            yield Refusal("JH.treasury", "refusal.too_poor", {"price": KEEP_PRICE, "tp": state.tp})

    def perform(self, play: Play) -> None:
        keeping: Keeping = play.taken
        p = play.state.roster.people_index[self.people]
        play.tell("JH.return", "event.keeps", side=SEATS[keeping.seat], people=self.people)
        if keeping.seat == ROMAN:
            pay(play, KEEP_PRICE, "JH.return")
        play.state.called[p] = 1
        play.then(Keeping(keeping.seat, (*keeping.kept, p)))


class Keeping(Asked):
    """JH.return (1): which peoples are kept?  ``called`` marks them until the others have gone."""

    clause = "JH.return"
    accepts = (Keep, Pass, Spy)

    def __init__(self, seat: int, kept: tuple[int, ...] = ()) -> None:
        super().__init__(seat)
        self.kept: Final = kept

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.keep", {"side": SEATS[self.seat]})

    def is_moot(self, state: JulianState) -> bool:
        allies = [p for p, ally in enumerate(state.ally) if ally == self.seat and p not in self.kept]
        can = state.tp >= KEEP_PRICE if self.seat == ROMAN else any(state.plundered) and not self.kept
        return not (allies and can)

    def options(self, state: JulianState) -> list[Action]:
        peoples = state.roster.peoples
        allies = [p for p, ally in enumerate(state.ally) if ally == self.seat and p not in self.kept]
        return [*(Keep(peoples[p].id) for p in allies), Pass()]


class Homeward(Step):
    """JQ.III.A JH.return (1): the other allied peoples go home."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        for p, ally in enumerate(state.ally):
            if ally in (ROMAN, BARBARIAN) and not state.called[p]:
                go_home(play, p, "JH.return")
        state.called = [0] * len(state.called)


class Withdraw(Action):
    """JH.return (2): the units of a command in a hex of Gaul go home across the Rhine."""

    def __init__(self, hex: str, command: str, home: str) -> None:
        self.hex: Final = hex
        self.command: Final = command
        self.home: Final = home

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        c = state.roster.command_index.get(self.command, NOBODY)
        cell, home = cell_of(state, self.hex), cell_of(state, self.home)
        if c < 0 or cell < 0 or not state.roster.gaul[cell] or not stack_of(state, cell, c):
            yield Refusal("JH.return", "refusal.no_stack", {"hex": self.hex, "command": self.command})
            return
        if home not in free_home(state, c):
            yield Refusal("JH.return", "refusal.not_home", {"hex": self.home})
        elif not fits(state, BARBARIAN, home, _men(state, stack_of(state, cell, c))):
            yield Refusal("JH.stack", "refusal.stack_full", {"hex": self.home})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        c = state.roster.command_index[self.command]
        for i in stack_of(state, cell_of(state, self.hex), c):
            put(state, i, cell_of(state, self.home))
        play.tell("JH.return", "event.withdraws", command=self.command, hex=self.hex, home=self.home)
        play.then(play.taken)


def stack_of(state: JulianState, cell: int, c: int) -> list[int]:
    """The barbarian units and leaders of a command in a hex."""
    return [i for i in at_hex(state, cell, BARBARIAN) if state.roster.units[i].command == c]


def _men(state: JulianState, units: list[int]) -> int:
    return sum(not state.roster.units[i].leader for i in units)


class Withdrawal(Asked):
    """JH.return (2): the barbarian may take any stacks in Gaul across the Rhine."""

    clause = "JH.return"
    accepts = (Withdraw, Pass, Spy)

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.withdraw", {"side": SEATS[self.seat]})

    def stacks(self, state: JulianState) -> list[tuple[int, int]]:
        units = state.roster.units
        found = {
            (cell, units[i].command)
            for i, cell in enumerate(state.cell)
            if cell >= 0 and state.side[i] == BARBARIAN and units[i].command >= 0 and state.roster.gaul[cell]
        }
        return sorted(found)

    def is_moot(self, state: JulianState) -> bool:
        return not self.stacks(state)

    def options(self, state: JulianState) -> list[Action]:
        commands = state.roster.commands
        found = [
            Withdraw(hex_name(state, cell), commands[c].id, hex_name(state, home))
            for cell, c in self.stacks(state)
            for home in free_home(state, c)
        ]
        return [*found, Pass()]


class Eastward(Step):
    """JH.return (3): Roman units east of the Rhine without a leader go to the nearest city with room."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        units = state.roster.units
        lost = [
            i
            for i, cell in enumerate(state.cell)
            if cell >= 0
            and state.side[i] == ROMAN
            and units[i].people < 0
            and not units[i].leader
            and not state.roster.gaul[cell]
            and not leaders_at(state, cell, ROMAN)
        ]
        play.then(*(Displaced(i, "JH.return", CITY) for i in lost))


class Back(Step):
    """JH.return (4) (5): delayed units enter the force pool, and all chits return."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        for i, due in enumerate(state.due):
            if state.cell[i] == DELAYED and due <= state.turn:
                put(state, i, POOL)
                play.tell("JH.return", "event.available", unit=state.roster.units[i].id)
        state.drawn = [0] * len(state.drawn)


# --- III B: taxes --------------------------------------------------------------------------------


def revenue(state: JulianState) -> int:
    """JH.tax: the values of Roman, unsacked cities without barbarians in or next to them."""
    total = sum(
        city.value
        for n, city in enumerate(state.roster.cities)
        if state.holder[n] == ROMAN and not state.sacked[n] and not near_men(state, BARBARIAN, city.cell)
    )
    return total // state.roster.values.tax_divisor


class Taxes(Step):
    """JQ.III.B JH.tax."""

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        state.taxed = revenue(state)
        state.tp += state.taxed
        play.tell("JQ.III.B", "event.taxes", number=state.taxed, tp=state.tp)


class Repair(Action):
    """JH.tax JH.cities: a sacked city is repaired and pays taxes again."""

    def __init__(self, city: str) -> None:
        self.city: Final = city

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        n = state.roster.city_index.get(self.city, NOBODY)
        if n < 0 or state.holder[n] != ROMAN:
            yield Refusal("JH.tax", "refusal.not_your_city", {"hex": self.city})
        elif not state.sacked[n]:
            yield Refusal("JH.tax", "refusal.not_sacked", {"city": self.city})
        if state.tp < REPAIR_PRICE:
            yield Refusal("JH.treasury", "refusal.too_poor", {"price": REPAIR_PRICE, "tp": state.tp})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        state.sacked[state.roster.city_index[self.city]] = 0
        play.tell("JH.tax", "event.repairs", city=self.city)
        pay(play, REPAIR_PRICE, "JH.tax")
        play.then(play.taken)


class Repairs(Asked):
    """JH.tax: which cities are repaired?"""

    clause = "JH.tax"
    accepts = (Repair, Pass, Spy)

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.repair", {"side": SEATS[self.seat]})

    def cities(self, state: JulianState) -> list[str]:
        return [
            city.id
            for n, city in enumerate(state.roster.cities)
            if state.holder[n] == ROMAN and state.sacked[n]
        ]

    def is_moot(self, state: JulianState) -> bool:
        return state.tp < REPAIR_PRICE or not self.cities(state)

    def options(self, state: JulianState) -> list[Action]:
        return [*(Repair(city) for city in self.cities(state)), Pass()]
