"""11 Combat results: the seven results, each with its effects in their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step
from .markers import Asked, Spy, draw, give_back
from .places import Escape
from .pursuit import Pursuit
from .retreat import Fallback, destroy
from .state import (
    DELAYED,
    FIELD_MOVE,
    NOBODY,
    POOL,
    SEATS,
    Battle,
    JulianState,
    hex_name,
    is_activated,
    leaders_at,
    men_at,
    names,
    other,
    printed,
    put,
)
from .throws import throw

RESULTS = ("AC", "AR", "AD", "BB", "DD", "DR", "DC")  # JC.0: from worst to best for the attacker
TABLE = tuple(  # JH.crt: by face; the columns are the odds
    tuple(row.split())
    for row in (
        "AC AC AC AR AR AD AD BB BB",
        "AC AR AR AD AD BB BB DD DD",
        "AR AR AD BB BB DD DD DD DR",
        "AR AD BB BB DD DD DR DR DR",
        "AD AD DD DD DR DR DR DC DC",
        "BB BB DR DR DC DC DC DC DC",
    )
)
ATTACKER, DEFENDER = 0, 1
ONE_HEX = 1

# JC.0 JC.summary: what happens, in this order; each effect with its clause, whom it concerns, how many.
Effect = tuple[str, str, int, int]
CARD: dict[str, tuple[Effect, ...]] = {
    "AC": (  # JC.AC.0
        ("all", "JC.AC.1", ATTACKER, 0),
        ("delay", "JC.AC.1.delay", ATTACKER, 0),
        ("draw", "JC.AC.2", DEFENDER, 2),
        ("return", "JC.AC.3", ATTACKER, 2),
    ),
    "AR": (  # JC.AR.0
        ("half", "JC.AR.1", ATTACKER, 0),
        ("rout", "JC.AR.2.roll", ATTACKER, 0),  # JC.AR.2.path: the enemy chooses the way
        ("draw", "JC.AR.3", DEFENDER, 1),
        ("return", "JC.AR.4", ATTACKER, 1),
    ),
    "AD": (  # JC.AD.0
        ("half", "JC.AD.1", ATTACKER, 0),
        ("retreat", "JC.AD.2", ATTACKER, ONE_HEX),
        ("draw", "JC.AD.3", DEFENDER, 1),
        ("return", "JC.AD.4", ATTACKER, 1),
    ),
    "BB": (  # JC.BB.0
        ("bloodbath", "JC.BB.1", ATTACKER, 0),  # JC.BB.2
        ("pursue", "JC.BB.3", ATTACKER, 1),
    ),
    "DD": (  # JC.DD.0
        ("half", "JC.DD.1", DEFENDER, 0),
        ("retreat", "JC.DD.2", DEFENDER, ONE_HEX),
        ("pursue", "JC.DD.3", ATTACKER, 1),
        ("draw", "JC.DD.4", ATTACKER, 1),
        ("return", "JC.DD.5", DEFENDER, 1),
    ),
    "DR": (  # JC.DR.0
        ("half", "JC.DR.1", DEFENDER, 0),
        ("rout", "JC.DR.2.roll", DEFENDER, 0),  # JC.DR.2.path
        ("pursue", "JC.DR.3", ATTACKER, 1),
        ("draw", "JC.DR.4", ATTACKER, 1),
        ("return", "JC.DR.5", DEFENDER, 1),
    ),
    "DC": (  # JC.DC.0
        ("all", "JC.DC.1", DEFENDER, 0),
        ("pursue", "JC.DC.2", ATTACKER, 2),
        ("draw", "JC.DC.3", ATTACKER, 2),
        ("return", "JC.DC.4", DEFENDER, 2),
    ),
}
SUFFER = ("all", "rout", "retreat", "bloodbath")  # after these a hex may have lost its last unit


def carry_out(play: Play, battle: Battle) -> None:
    """JC.0: the effects of the result in their printed order."""
    state: JulianState = play.state
    steps: list[Step] = []
    for effect in CARD[RESULTS[state.result]]:
        steps.append(Effects(battle, *effect))
        if effect[0] in SUFFER:
            steps.append(Leaders(battle))
    play.then(*steps)


def involved(state: JulianState, battle: Battle, role: int) -> list[int]:
    """The units of a side in a combat that are still on the map."""
    units = battle.attackers if role == ATTACKER else battle.defenders
    return [i for i in units if state.cell[i] >= 0]


def leaders_of(state: JulianState, battle: Battle, role: int) -> list[int]:
    """JC.AC.1 JC.DC.1 JC.BB.1: the leaders of a force; one with units that were held back is not of it."""
    if role == DEFENDER:
        return leaders_at(state, battle.hex, other(battle.seat))
    return [
        i
        for cell in sorted(set(battle.stood))
        if men_at(state, battle.seat, cell) == battle.stood.count(cell)
        for i in leaders_at(state, cell, battle.seat)
        if is_activated(state, i)
    ]


def is_field_battle(state: JulianState, battle: Battle) -> bool:
    """JC.important: a unit of printed movement 3 was involved on one side or the other."""
    moves: list[int] = [state.roster.units[i].move for i in (*battle.attackers, *battle.defenders)]
    if state.roster.rules.three_or_more:
        return max(moves) >= FIELD_MOVE
    return FIELD_MOVE in moves


class Effects(Step):
    """One effect of a result."""

    def __init__(
        self,
        battle: Battle,
        what: str,
        part: str,  # its clause
        role: int,
        number: int,
    ) -> None:
        self.battle: Final = battle
        self.what: Final = what
        self.part: Final = part
        self.role: Final = role
        self.number: Final = number

    def run(self, play: Play) -> None:
        {
            "all": self._all,
            "half": self._half,
            "bloodbath": self._bloodbath,
            "retreat": self._retreat,
            "rout": self._retreat,
            "pursue": self._pursue,
            "draw": self._draw,
            "return": self._return,
            "delay": self._delay,
        }[self.what](play)

    @property
    def seat(self) -> int:
        return self.battle.seat if self.role == ATTACKER else other(self.battle.seat)

    def _all(self, play: Play) -> None:
        """JC.AC.1 JC.DC.1: units and leaders, without a die for these."""
        state: JulianState = play.state
        units = involved(state, self.battle, self.role)
        destroy(play, units + leaders_of(state, self.battle, self.role), self.part)

    def _half(self, play: Play) -> None:
        """JC.losses: half of the strength points involved, rounded up."""
        units = involved(play.state, self.battle, self.role)
        lose(play, self.seat, units, (printed(play.state, units) + 1) // 2, self.part)

    def _bloodbath(self, play: Play) -> None:
        """JC.BB.1 JC.BB.2: the weaker side loses all, the other at least as much; equals lose all.

        Who loses all by JC.BB.1 loses the leaders with it.
        """
        state: JulianState = play.state
        sides = [involved(state, self.battle, role) for role in (ATTACKER, DEFENDER)]
        sums = [printed(state, units) for units in sides]
        weak = DEFENDER if sums[DEFENDER] < sums[ATTACKER] else ATTACKER
        strong = 1 - weak
        seats = (self.battle.seat, other(self.battle.seat))
        leaders = [leaders_of(state, self.battle, role) for role in (ATTACKER, DEFENDER)]
        destroy(play, sides[weak] + leaders[weak], "JC.BB.1")
        if sums[weak] == sums[strong]:
            destroy(play, leaders[strong], "JC.BB.1")
        lose(play, seats[strong], sides[strong], sums[weak], "JC.BB.2")

    def _retreat(self, play: Play) -> None:
        """JC.AD.2 JC.DD.2: by the owner; JC.AR.2.path JC.DR.2.path: a rout is steered by the enemy."""
        rout = self.what == "rout"
        chooser = other(self.seat) if rout else self.seat
        feared = (self.battle.hex,) if self.role == ATTACKER else tuple(sorted(set(self.battle.stood)))
        units = tuple(involved(play.state, self.battle, self.role))
        play.then(Fallback(chooser, feared, units, 0 if rout else self.number, self.part))

    def _pursue(self, play: Play) -> None:
        units = tuple(involved(play.state, self.battle, ATTACKER))
        if units:
            leaders = [
                i
                for cell in sorted(set(self.battle.stood))
                for i in leaders_at(play.state, cell, self.battle.seat)
                if is_activated(play.state, i)
            ]
            play.then(Pursuit(self.seat, self.battle.hex, (*units, *leaders), self.number, self.part))

    def _draw(self, play: Play) -> None:
        if is_field_battle(play.state, self.battle):
            draw(play, self.seat, self.number, self.part)
        else:
            play.tell("JC.important", "event.no_field_army")

    def _return(self, play: Play) -> None:
        if is_field_battle(play.state, self.battle):
            give_back(play, self.seat, self.number, self.part)

    def _delay(self, play: Play) -> None:
        """JH.15_10: a die for each unit lost; federates have a rule of their own (JH.6_0)."""
        units = play.state.roster.units
        lost = [i for i in self.battle.attackers if units[i].people < 0]
        play.then(*(Delay(i, self.seat) for i in lost))


# --- losses --------------------------------------------------------------------------------------


def lose(play: Play, seat: int, units: list[int], points: int, clause: str) -> None:
    """JC.losses: whole units of the owner's choice that come to at least so many points."""
    if points <= 0:
        return
    if len(units) == 1 or printed(play.state, units) <= points:
        destroy(play, units, clause)
    else:
        play.then(Losses(seat, tuple(units), points, clause))


class Lose(Action):
    """JC.losses: this unit."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        losses = state.decision
        if isinstance(losses, Losses) and state.roster.index.get(self.unit, NOBODY) not in losses.units:
            yield Refusal("JC.losses", "refusal.not_involved", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        losses: Losses = play.taken
        i = state.roster.index[self.unit]
        left = [j for j in losses.units if j != i]
        destroy(play, [i], losses.part)
        lose(play, losses.seat, left, losses.points - printed(state, [i]), losses.part)


class Losses(Asked):
    """JC.losses: which units are lost?"""

    clause = "JC.losses"
    accepts = (Lose, Spy)

    def __init__(self, seat: int, units: tuple[int, ...], points: int, part: str) -> None:
        super().__init__(seat)
        self.units: Final = units
        self.points: Final = points
        self.part: Final = part

    def prompt(self, state: JulianState) -> Message:
        return Message("prompt.losses", {"side": SEATS[self.seat], "points": self.points})

    def options(self, state: JulianState) -> list[Action]:
        return [Lose(name) for name in names(state, self.units)]

    def least(self, state: JulianState) -> int:
        """JC.losses: the fewest factors that whole units can come to."""
        sums = {0}
        for i in self.units:
            sums |= {one + printed(state, [i]) for one in sums}
        return min(one for one in sums if one >= self.points)


class Delay(Step):
    """JC.AC.1.delay JH.15_10: when a unit comes back into the force pool."""

    def __init__(self, unit: int, seat: int) -> None:
        self.unit: Final = unit
        self.seat: Final = seat

    def run(self, play: Play) -> None:
        throw(play, "JH.15_10", "delay", self.seat, Delays(self.unit))


class Delays(Step):
    """JH.15_10: at once, in the next turn, or in the one after."""

    def __init__(self, unit: int) -> None:
        self.unit: Final = unit

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        turns = (state.face - 1) // 2
        delay(play, self.unit, turns)


def delay(play: Play, i: int, turns: int) -> None:
    state: JulianState = play.state
    unit = state.roster.units[i].id
    if turns:
        put(state, i, DELAYED)
        state.due[i] = state.turn + turns
        play.tell("JH.15_10", "event.delayed", unit=unit, turn=state.due[i])
    else:
        put(state, i, POOL)
        play.tell("JH.15_10", "event.not_delayed", unit=unit)


# --- leaders -------------------------------------------------------------------------------------


class Leaders(Step):
    """JH.retreat JH.leaders: a leader goes with a survivor of his hex, else he must get away alone."""

    def __init__(self, battle: Battle) -> None:
        self.battle: Final = battle

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        battle = self.battle
        steps: list[Step] = []
        places = [(other(battle.seat), battle.hex, battle.defenders)]
        for cell in sorted(set(battle.stood)):
            pairs = zip(battle.attackers, battle.stood, strict=True)
            places.append((battle.seat, cell, tuple(i for i, stood in pairs if stood == cell)))
        for side, cell, units in places:
            if not men_at(state, side, cell):
                left = tuple(i for i in units if state.cell[i] >= 0)
                for leader in leaders_at(state, cell, side):
                    steps.append(Company(side, leader, left) if left else Escape(leader, True))
        play.then(*steps)


class Join(Action):
    """JH.retreat: the leader is with this unit."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        company = state.decision
        if isinstance(company, Company) and state.roster.index.get(self.unit, NOBODY) not in company.units:
            yield Refusal("JH.retreat", "refusal.not_of_his_hex", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        company: Company = play.taken
        cell = state.cell[state.roster.index[self.unit]]
        put(state, company.leader, cell)
        leader = state.roster.units[company.leader].id
        play.tell("JH.retreat", "event.leader_goes", unit=leader, hex=hex_name(state, cell))


class Company(Asked):
    """JH.retreat: with which surviving unit of his hex does a leader retreat?"""

    clause = "JH.retreat"
    accepts = (Join, Spy)

    def __init__(self, seat: int, leader: int, units: tuple[int, ...]) -> None:
        super().__init__(seat)
        self.leader: Final = leader
        self.units: Final = units

    def prompt(self, state: JulianState) -> Message:
        leader = state.roster.units[self.leader].id
        return Message("prompt.company", {"side": SEATS[self.seat], "unit": leader})

    def options(self, state: JulianState) -> list[Action]:
        by_hex = {state.cell[i]: i for i in reversed(self.units)}  # one of each hex is enough
        return [Join(name) for name in names(state, sorted(by_hex.values()))]
