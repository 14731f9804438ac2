"""6 Reinforcement: units bought or raised, leaders, Credo against a hand, restored federates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step, Values
from .activation import FederatePlay
from .federates import tire
from .markers import Asked, Pass, Spy, could, draw_from_hand, hand_size, lacks, spend
from .state import (
    ASIDE,
    BARBARIAN,
    CREDO,
    DUX,
    FEDERATE,
    IMPERIUM,
    MARKERS,
    NEUTRAL,
    NOBODY,
    POOL,
    ROMAN,
    SEATS,
    JulianState,
    at_hex,
    cell_of,
    fits,
    hex_name,
    holds,
    is_open,
    men_at,
    near_men,
    other,
    put,
)
from .stratagems import pay
from .throws import throw

REACH = 2  # JH.reinforce: hexes from a unit of the command
LEADER_PRICE = 4  # JH.leaders
RESTORE_PRICE = 1  # JH.5_9_3
RETURNS = 4  # JH.leaders: a barbarian one comes back on this face or more
STOLEN = 2  # JS.credo.2
TREASURY = "treasury"


def pooled(state: JulianState, c: int) -> list[int]:
    """The first of each kind in the force pool of a command; NOBODY's are the garrisons."""
    found: dict[str, int] = {}
    for i, unit in enumerate(state.roster.units):
        if unit.command == c and unit.people < 0 and not unit.leader and state.cell[i] == POOL:
            found.setdefault(unit.kind, i)
    return list(found.values())


def acting_commands(state: JulianState) -> list[int]:
    return [c for c, acts in enumerate(state.acting) if acts]


# --- the Roman buys ------------------------------------------------------------------------------


def _site(state: JulianState, i: int, cell: int) -> Iterator[Refusal]:
    """JH.reinforce: why a Roman unit cannot be placed in a city."""
    unit, roster = state.roster.units[i], state.roster
    name: Values = {"hex": hex_name(state, cell)}
    if not holds(state, ROMAN, cell):
        yield Refusal("JH.reinforce", "refusal.not_your_city", name)
    if unit.command < 0:
        if men_at(state, BARBARIAN, cell):
            yield Refusal("JH.reinforce", "refusal.enemy_there", name)
    else:
        if near_men(state, BARBARIAN, cell):
            yield Refusal("JH.reinforce", "refusal.enemy_near", name)
        own = [state.cell[j] for j in roster.of_command[unit.command] if state.cell[j] >= 0]
        if cell != roster.values.capital and not any(roster.grid.distance(cell, at) <= REACH for at in own):
            yield Refusal("JH.reinforce", "refusal.far_from_command", name)
    if not fits(state, ROMAN, cell):
        yield Refusal("JH.stack", "refusal.stack_full", name)


class Recruit(Action):
    """JH.reinforce: the Roman buys a unit of an activated command, or a garrison, for a city."""

    def __init__(self, unit: str, hex: str) -> None:
        self.unit: Final = unit
        self.hex: Final = hex

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        i, cell = state.roster.index.get(self.unit, NOBODY), cell_of(state, self.hex)
        if decision.seat != ROMAN:
            yield Refusal("JH.treasury", "refusal.no_treasury")
            return
        if i < 0 or state.cell[i] != POOL or state.roster.units[i].leader or state.side[i] != ROMAN:
            yield Refusal("JH.reinforce", "refusal.not_in_pool", {"unit": self.unit})
            return
        unit = state.roster.units[i]
        if unit.command >= 0 and not state.acting[unit.command]:
            yield Refusal("JH.reinforce", "refusal.not_activated", {"unit": self.unit})
        if state.tp < unit.cost:
            yield Refusal("JH.treasury", "refusal.too_poor", {"price": unit.cost, "tp": state.tp})
        if cell < 0:
            yield Refusal("JH.map", "refusal.no_such_hex", {"hex": self.hex})
        else:
            yield from _site(state, i, cell)

    def remark(self, state: JulianState) -> Message | None:
        i = state.roster.index.get(self.unit, NOBODY)
        return Message("remark.price", {"price": state.roster.units[i].cost}) if i >= 0 else None

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        i = state.roster.index[self.unit]
        put(state, i, cell_of(state, self.hex))
        play.tell("JH.reinforce", "event.recruits", unit=self.unit, hex=self.hex)
        pay(play, state.roster.units[i].cost, "JH.reinforce")
        play.then(play.taken)


class BringLeader(Action):
    """JH.leaders JS.dux.2: a leader out of the force pool, for treasury points, a Dux or an Imperium."""

    def __init__(self, leader: str, hex: str, by: str) -> None:
        self.leader: Final = leader
        self.hex: Final = hex
        self.by: Final = by

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        i, cell = state.roster.index.get(self.leader, NOBODY), cell_of(state, self.hex)
        if decision.seat != ROMAN:
            yield Refusal("JS.dux.2", "refusal.roman_only")
            return
        if i < 0 or state.cell[i] != POOL or not state.roster.units[i].leader or state.side[i] != ROMAN:
            yield Refusal("JH.leaders", "refusal.no_leader", {"leader": self.leader})
            return
        yield from self._means(state)
        if cell < 0 or cell not in leader_sites(state, i):
            yield Refusal("JH.leaders", "refusal.no_place_for_leader", {"hex": self.hex})

    def _means(self, state: JulianState) -> Iterator[Refusal]:
        if self.by == TREASURY:
            if state.brought:
                yield Refusal("JH.leaders", "refusal.one_leader")
            if state.tp < LEADER_PRICE:
                yield Refusal("JH.treasury", "refusal.too_poor", {"price": LEADER_PRICE, "tp": state.tp})
        elif self.by in (MARKERS[DUX], MARKERS[IMPERIUM]):
            yield from lacks(state, ROMAN, DUX, self.by == MARKERS[IMPERIUM])
            if state.led:
                yield Refusal("JS.dux.2.limit", "refusal.one_dux_leader")
        else:
            yield Refusal("JS.dux.2", "refusal.by_what", {"by": self.by})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        put(state, state.roster.index[self.leader], cell_of(state, self.hex))
        clause = "JH.leaders" if self.by == TREASURY else "JS.dux.2"
        play.tell(clause, "event.leader_comes", unit=self.leader, hex=self.hex)
        if self.by == TREASURY:
            state.brought = 1
            pay(play, LEADER_PRICE, "JH.leaders")
        else:
            state.led = 1
            spend(play, ROMAN, DUX, self.by == MARKERS[IMPERIUM])
        play.then(play.taken)


def leader_sites(state: JulianState, i: int) -> list[int]:
    """JH.leaders: with a unit of his command; or in Lugdunum, or in a home hex of his command."""
    unit, roster = state.roster.units[i], state.roster
    mates = {state.cell[j] for j in roster.of_command[unit.command] if not roster.units[j].leader}
    found = {cell for cell in mates if cell >= 0}
    if unit.side == ROMAN:
        capital = roster.values.capital
        found |= {capital} if capital >= 0 and holds(state, ROMAN, capital) else set()
    else:
        found |= set(free_home(state, unit.command))
    return sorted(
        cell for cell in found if is_open(state, unit.side, cell) and fits(state, unit.side, cell, 0)
    )


# --- the barbarian raises ------------------------------------------------------------------------


def free_home(state: JulianState, c: int) -> list[int]:
    """JH.reinforce: the home hexes of a command that are free of Roman and neutral units."""
    sides = (ROMAN, NEUTRAL)
    return [
        cell
        for cell in state.roster.commands[c].home
        if not any(state.side[i] in sides for i in at_hex(state, cell))
    ]


class RaiseUnits(Action):
    """JH.reinforce: the barbarian throws a die for an activated command."""

    def __init__(self, command: str) -> None:
        self.command: Final = command

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        yield from _barbarian_roll(state, self.command)
        c = state.roster.command_index.get(self.command, NOBODY)
        if c >= 0 and state.raised[c]:
            yield Refusal("JH.reinforce", "refusal.rolled")

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        c = state.roster.command_index[self.command]
        state.raised[c] = 1
        throw(play, "JH.reinforce", "raise", BARBARIAN, Raised(c), play.taken)


def _barbarian_roll(state: JulianState, name: str) -> Iterator[Refusal]:
    decision = state.decision
    assert decision is not None
    c = state.roster.command_index.get(name, NOBODY)
    if decision.seat != BARBARIAN:
        yield Refusal("JH.reinforce", "refusal.roman_buys")
    elif c < 0 or not state.acting[c]:
        yield Refusal("JH.reinforce", "refusal.not_acting", {"command": name})


class Raised(Step):
    """JH.reinforce: what the face gives; of several lots the barbarian chooses one."""

    def __init__(self, command: int) -> None:
        self.command: Final = command

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        lots = state.roster.values.raising[state.face - 1]
        if not any(lots):
            command = state.roster.commands[self.command].id
            play.tell("JH.reinforce", "event.raises_none", command=command)
        elif len(lots) > 1:
            play.then(LotChoice(BARBARIAN, self.command, lots))
        else:
            play.then(Levy(BARBARIAN, self.command, lots[0]))


class TakeLot(Action):
    """JH.reinforce: one of the lots, by its number."""

    def __init__(self, lot: int) -> None:
        self.lot: Final = lot

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, LotChoice) and not 1 <= self.lot <= len(decision.lots):
            yield Refusal("JH.reinforce", "refusal.no_such_lot", {"most": len(decision.lots)})

    def remark(self, state: JulianState) -> Message | None:
        decision = state.decision
        if not isinstance(decision, LotChoice) or not 1 <= self.lot <= len(decision.lots):
            return None
        return Message("remark.lot", {"kinds": decision.lots[self.lot - 1]})

    def perform(self, play: Play) -> None:
        choice: LotChoice = play.taken
        play.then(Levy(choice.seat, choice.command, choice.lots[self.lot - 1]))


class LotChoice(Asked):
    clause = "JH.reinforce"
    accepts = (TakeLot, Spy)

    def __init__(self, seat: int, command: int, lots: tuple[tuple[str, ...], ...]) -> None:
        super().__init__(seat)
        self.command: Final = command
        self.lots: Final = lots

    def prompt(self, state: JulianState) -> Message:
        command = state.roster.commands[self.command].id
        return Message("prompt.lot", {"side": SEATS[self.seat], "command": command})

    def options(self, state: JulianState) -> list[Action]:
        return [TakeLot(n) for n in range(1, len(self.lots) + 1)]


class Muster(Action):
    """JH.reinforce: a unit of the lot in a home hex."""

    def __init__(self, unit: str, hex: str) -> None:
        self.unit: Final = unit
        self.hex: Final = hex

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        levy = state.decision
        if not isinstance(levy, Levy):
            return
        i, cell = state.roster.index.get(self.unit, NOBODY), cell_of(state, self.hex)
        if i < 0 or not levy.has(state, i):
            yield Refusal("JH.reinforce", "refusal.not_in_lot", {"unit": self.unit})
        if cell < 0 or cell not in free_home(state, levy.command):
            yield Refusal("JH.reinforce", "refusal.not_home", {"hex": self.hex})
        elif not fits(state, BARBARIAN, cell):
            yield Refusal("JH.stack", "refusal.stack_full", {"hex": self.hex})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        levy: Levy = play.taken
        i = state.roster.index[self.unit]
        put(state, i, cell_of(state, self.hex))
        play.tell("JH.reinforce", "event.raises", unit=self.unit, hex=self.hex)
        lot = list(levy.lot)
        lot.remove(state.roster.units[i].kind)
        play.then(Levy(levy.seat, levy.command, tuple(lot)))


class Levy(Asked):
    """JH.reinforce: what pool or stacking does not allow is not received."""

    clause = "JH.reinforce"
    accepts = (Muster, Pass, Spy)

    def __init__(self, seat: int, command: int, lot: tuple[str, ...]) -> None:
        super().__init__(seat)
        self.command: Final = command
        self.lot: Final = lot

    def prompt(self, state: JulianState) -> Message:
        command = state.roster.commands[self.command].id
        return Message("prompt.levy", {"side": SEATS[self.seat], "command": command, "kinds": self.lot})

    def has(self, state: JulianState, i: int) -> bool:
        """Whether a unit is of the lot: of its kinds, and in the force pool of the command."""
        unit = state.roster.units[i]
        return unit.command == self.command and unit.kind in self.lot and state.cell[i] == POOL

    def units(self, state: JulianState) -> list[int]:
        """One of each kind is enough to choose from."""
        return [i for i in pooled(state, self.command) if self.has(state, i)]

    def sites(self, state: JulianState) -> list[int]:
        return [cell for cell in free_home(state, self.command) if fits(state, BARBARIAN, cell)]

    def is_moot(self, state: JulianState) -> bool:
        return not (self.units(state) and self.sites(state))

    def options(self, state: JulianState) -> list[Action]:
        units = [state.roster.units[i].id for i in self.units(state)]
        sites = [hex_name(state, cell) for cell in self.sites(state)]
        return [*(Muster(unit, site) for unit in units for site in sites), Pass()]


class SeekLeader(Action):
    """JH.leaders: the barbarian throws a die for the lost leader of an activated command."""

    def __init__(self, command: str) -> None:
        self.command: Final = command

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        yield from _barbarian_roll(state, self.command)
        c = state.roster.command_index.get(self.command, NOBODY)
        if c >= 0:
            if lost_leader(state, c) < 0:
                yield Refusal("JH.leaders", "refusal.leader_not_lost")
            if state.sought[c]:
                yield Refusal("JH.leaders", "refusal.rolled")

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        c = state.roster.command_index[self.command]
        state.sought[c] = 1
        throw(play, "JH.leaders", "leader", BARBARIAN, Found(c), play.taken)


def lost_leader(state: JulianState, c: int) -> int:
    """The leader of a command in the force pool, or NOBODY."""
    return next(
        (i for i in state.roster.of_command[c] if state.roster.units[i].leader and state.cell[i] == POOL),
        NOBODY,
    )


class Found(Step):
    """JH.leaders: on 4 to 6 he is back, free."""

    def __init__(self, command: int) -> None:
        self.command: Final = command

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        i = lost_leader(state, self.command)
        if state.face < RETURNS:
            play.tell("JH.leaders", "event.leader_stays_away", unit=state.roster.units[i].id)
        else:
            play.then(Return(BARBARIAN, i))


class Welcome(Action):
    """JH.leaders: where a leader comes back."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        if isinstance(decision, Return) and cell_of(state, self.hex) not in decision.sites(state):
            yield Refusal("JH.leaders", "refusal.no_place_for_leader", {"hex": self.hex})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        i = play.taken.leader
        put(state, i, cell_of(state, self.hex))
        play.tell("JH.leaders", "event.leader_comes", unit=state.roster.units[i].id, hex=self.hex)


class Return(Asked):
    clause = "JH.leaders"
    accepts = (Welcome, Spy)

    def __init__(self, seat: int, leader: int) -> None:
        super().__init__(seat)
        self.leader: Final = leader

    def prompt(self, state: JulianState) -> Message:
        unit = state.roster.units[self.leader].id
        return Message("prompt.return", {"side": SEATS[self.seat], "unit": unit})

    def sites(self, state: JulianState) -> list[int]:
        return leader_sites(state, self.leader)

    def is_moot(self, state: JulianState) -> bool:
        return not self.sites(state)

    def options(self, state: JulianState) -> list[Action]:
        return [Welcome(hex_name(state, cell)) for cell in self.sites(state)]


# --- both ----------------------------------------------------------------------------------------


class Steal(Action):
    """JS.credo.2 JS.credo.2.give: two markers out of the other's hand for a Credo, which becomes his."""

    def __init__(self, imperium: bool = False) -> None:
        self.imperium: Final = imperium

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        yield from lacks(state, decision.seat, CREDO, self.imperium)
        alone = hand_size(state, other(decision.seat)) == state.known[decision.seat][CREDO] == 1
        if alone and not self.imperium:
            yield Refusal("JS.credo.2.give", "refusal.credo_for_credo")

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        seat = play.taken.seat
        foe = other(seat)
        real = IMPERIUM if self.imperium else CREDO
        play.tell("JS.credo.2", "event.steals", side=SEATS[seat], marker=MARKERS[real])
        spend(play, seat, CREDO, self.imperium)
        state.pool[real] -= 1
        stolen = draw_from_hand(play, foe, STOLEN)
        for marker in stolen:
            state.hands[seat][marker] += 1
            state.known[foe][marker] += 1
        markers = tuple(MARKERS[marker] for marker in stolen)
        for who in (seat, foe) if stolen else ():
            play.tell("JS.credo.2", "event.stolen", to=who, markers=markers)
        state.hands[foe][real] += 1
        state.known[seat][real] += 1
        play.tell("JS.credo.2.give", "event.hands_over", side=SEATS[foe], marker=MARKERS[real])
        play.then(play.taken)


class Restore(FederatePlay):
    """JH.5_9_3: a Federate brings back a lost unit of a people that serves the player."""

    restores = True

    def __init__(self, unit: str, imperium: bool = False) -> None:
        self.unit: Final = unit
        self.imperium: Final = imperium

    def object(self, state: JulianState) -> int:
        i = state.roster.index.get(self.unit, NOBODY)
        return state.roster.units[i].people if i >= 0 else NOBODY

    def bars(self, state: JulianState, seat: int, p: int) -> Iterator[Refusal]:
        home = state.roster.peoples[p].home
        if state.ally[p] != seat:
            yield Refusal("JH.5_9_3", "refusal.not_allied", {"people": state.roster.peoples[p].id})
        if state.cell[state.roster.index[self.unit]] != ASIDE:
            yield Refusal("JH.5_9_3", "refusal.not_lost", {"unit": self.unit})
        if men_at(state, other(seat), home):
            yield Refusal("JH.5_9_3", "refusal.enemy_there", {"hex": hex_name(state, home)})
        elif not fits(state, seat, home):
            yield Refusal("JH.stack", "refusal.stack_full", {"hex": hex_name(state, home)})
        if seat == ROMAN and state.tp < RESTORE_PRICE:
            yield Refusal("JH.treasury", "refusal.too_poor", {"price": RESTORE_PRICE, "tp": state.tp})

    def effect(self, seat: int, p: int) -> Step:
        return Restored(seat, p, self.unit)


class Restored(Step):
    """JH.5_9_3: at its home; the Roman pays for it."""

    def __init__(self, seat: int, people: int, unit: str) -> None:
        self.seat: Final = seat
        self.people: Final = people
        self.unit: Final = unit

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        tire(state, self.people, self.seat)
        home = state.roster.peoples[self.people].home
        put(state, state.roster.index[self.unit], home, self.seat)
        play.tell("JH.5_9_3", "event.restores", unit=self.unit, hex=hex_name(state, home))
        if self.seat == ROMAN:
            pay(play, RESTORE_PRICE, "JH.5_9_3")


class Reinforcing(Asked):
    """JH.ops_phase (2): the reinforcement sub-phase."""

    clause = "JH.reinforce"
    accepts = (Recruit, BringLeader, RaiseUnits, SeekLeader, Steal, Restore, Pass, Spy)

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.reinforce", {"side": SEATS[self.seat]})

    def options(self, state: JulianState) -> list[Action]:
        own = self._roman(state) if self.seat == ROMAN else self._barbarian(state)
        steals = [Steal(imperium) for imperium in could(state, self.seat, CREDO)]
        lost: dict[tuple[int, str], str] = {}  # one of each kind of each people is enough
        for i, unit in enumerate(state.roster.units):
            if state.cell[i] == ASIDE and state.ally[unit.people] == self.seat:
                lost.setdefault((unit.people, unit.kind), unit.id)
        restores = [
            Restore(unit, imperium)
            for imperium in could(state, self.seat, FEDERATE)
            for unit in lost.values()
        ]
        return [*own, *steals, *restores, Pass()]

    def _roman(self, state: JulianState) -> list[Action]:
        roster = state.roster
        cities = [city.cell for n, city in enumerate(roster.cities) if state.holder[n] == ROMAN]
        found: list[Action] = []
        for c in (*acting_commands(state), NOBODY):
            for i in pooled(state, c):
                if roster.units[i].cost <= state.tp:
                    found += [Recruit(roster.units[i].id, hex_name(state, cell)) for cell in cities]
        means = [TREASURY, *(MARKERS[IMPERIUM if wild else DUX] for wild in could(state, ROMAN, DUX))]
        for i, unit in enumerate(roster.units):
            if unit.leader and unit.side == ROMAN and state.cell[i] == POOL:
                sites = [hex_name(state, cell) for cell in leader_sites(state, i)]
                found += [BringLeader(unit.id, site, by) for site in sites for by in means]
        return found

    def _barbarian(self, state: JulianState) -> list[Action]:
        found: list[Action] = []
        for c in acting_commands(state):
            name = state.roster.commands[c].id
            found += [RaiseUnits(name)] + ([SeekLeader(name)] if lost_leader(state, c) >= 0 else [])
        return found
