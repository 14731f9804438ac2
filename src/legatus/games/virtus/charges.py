"""5 Combat: charges (5.2), declared in advance with the generals who join in (13.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from ...kernel import Action, Decision, Message, Play, Refusal
from .attack import FIGHT, HILL_DIE, attack, combat_dice, give, offence, price
from .closing import Closing, Done
from .combat import may_use_hill, pay
from .damage import kind_of_hit
from .generals import Attach, attachments
from .saves import lose_cohesion
from .state import (
    CHARGED,
    CHARGING,
    FOUGHT,
    HILL,
    NORMAL,
    ORBIS,
    PLACES,
    RETREATED,
    SEATS,
    SEGMENTS,
    SHIELDWALL,
    TESTUDO,
    VirtusState,
    column,
    is_engaged,
    other,
    unit_of,
    units_at,
)

CHARGE_ON_FOOT = 1  # V4.3h: activation points


# --- charges -------------------------------------------------------------------------------------


def may_be_charged(state: VirtusState, i: int, target: int) -> bool:
    """V5.2e: the target's printed movement must not exceed the charger's."""
    units = state.roster.units
    return units[i].mvt >= units[target].mvt


def charge_cost(state: VirtusState, i: int, hill: bool) -> int:
    """V5.2d: infantry pays one point more for a charge."""
    unit = state.roster.units[i]
    return FIGHT + (CHARGE_ON_FOOT if unit.infantry else 0) + hill * HILL_DIE


class DeclareCharge(Action):
    """V5.2c: say in advance, and pay, that a unit will charge; its target is named later."""

    def __init__(self, unit: str, hill: bool = False) -> None:
        self.unit: Final = unit
        self.hill: Final = hill

    def remark(self, state: VirtusState) -> Message | None:
        return price(state, self.unit, charge_cost(state, state.roster.index[self.unit], self.hill))

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        side = state.active
        i = unit_of(state, side, self.unit)
        if i < 0:
            yield Refusal("V5.2a", "refusal.not_your_unit", {"unit": self.unit})
            return
        unit, place, flags = state.roster.units[i], state.place[i], state.flags[i]
        if flags & RETREATED:
            yield Refusal("V3.3a", "refusal.retreated", {"unit": self.unit})
        if flags & CHARGING:
            yield Refusal("V5.2c", "refusal.declared_already", {"unit": self.unit})
        if unit.artillery:
            yield Refusal("V5.2e", "refusal.artillery_charge", {"unit": self.unit})
        if state.form[i] == ORBIS:
            yield Refusal("V12.4b", "refusal.orbis_charge", {"unit": self.unit})
        if unit.mounted and state.camp[place]:
            yield Refusal("V14.2d", "refusal.camp_charge", {"unit": self.unit})
        if not is_engaged(state, i):
            yield Refusal("V5.2a", "refusal.not_engaged", {"unit": self.unit})
            return
        if not any(may_be_charged(state, i, j) for j in units_at(state, other(side), place)):
            yield Refusal("V5.2e", "refusal.all_faster", {"unit": self.unit})
        if self.hill and not may_use_hill(state, i):
            yield Refusal("V7a", "refusal.no_hill", {"unit": self.unit})
        cost = charge_cost(state, i, self.hill) + unit.surcharge
        if cost > state.points[column(place)]:
            yield Refusal("V4.3a", "refusal.points", {"needed": cost, "left": state.points[column(place)]})

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        i = state.roster.index[self.unit]
        pay(play, i, charge_cost(state, i, self.hill), CHARGING | (HILL if self.hill else 0))
        play.tell("V5.2c", "event.declares", unit=self.unit)
        play.then(play.taken)


class Declarations(Closing):
    """V5.2c V13.1b: charges and attached generals, before any point of a segment is spent."""

    clause = "V5.2c"
    accepts = (DeclareCharge, Attach, Done)

    def prompt(self, state: VirtusState) -> Message:
        return Message("prompt.declare", {"side": SEATS[self.seat]})

    def is_moot(self, state: VirtusState) -> bool:
        return not self.has_choice(state)

    def offers(self, state: VirtusState) -> Iterator[Action]:
        yield from attachments(state, self.seat)
        for i in state.roster.of[self.seat]:
            if is_engaged(state, i) and not state.flags[i] & CHARGING:
                yield DeclareCharge(state.roster.units[i].id)
                if may_use_hill(state, i):
                    yield DeclareCharge(state.roster.units[i].id, hill=True)


class Charge(Action):
    """V5.2a: all hits go to one enemy unit that the attacker picks."""

    weighed: ClassVar[bool] = True

    def __init__(self, unit: str, target: str) -> None:
        self.unit: Final = unit
        self.target: Final = target

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        side, segment = state.active, getattr(state.decision, "segment", 0)
        i, target = unit_of(state, side, self.unit), unit_of(state, other(side), self.target)
        if i < 0 or column(state.place[i]) != segment:
            yield Refusal("V5a", "refusal.not_in_segment", {"unit": self.unit, "segment": SEGMENTS[segment]})
            return
        if not state.flags[i] & CHARGING:
            yield Refusal("V5.2c", "refusal.not_declared", {"unit": self.unit})
        if target < 0 or state.place[target] != state.place[i]:
            yield Refusal(
                "V5.2a", "refusal.not_in_sector", {"unit": self.target, "place": PLACES[state.place[i]]}
            )
        elif not may_be_charged(state, i, target):
            yield Refusal("V5.2e", "refusal.target_faster", {"unit": self.unit, "target": self.target})

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        i, target = state.roster.index[self.unit], state.roster.index[self.target]
        unit, place = state.roster.units[i], state.place[i]
        hill = bool(state.flags[i] & HILL)
        state.flags[i] = state.flags[i] & ~(CHARGING | HILL) | FOUGHT
        play.then(play.taken)
        play.tell("V5.2a", "event.charges", unit=self.unit, target=self.target)
        if unit.mounted and state.roster.units[target].pikes and not unit.pikes and not _faces_pikes(play, i):
            return
        for who in (i, target):
            if state.form[who] in (TESTUDO, SHIELDWALL):  # V12.2d
                state.form[who] = NORMAL
                play.tell("V12.2d", "event.formation_breaks", unit=state.roster.units[who].id)
        state.flags[target] |= CHARGED
        kind = kind_of_hit(unit, charge=True, far=False, pila=False)
        value = offence(state, i, place)
        tokens = attack(play, i, place, combat_dice(state, i, hill), value, kind, victim=target)
        if tokens:
            give(state, target, tokens)
            play.tell("V5.2a", "event.takes_all", unit=self.target, tokens=len(tokens))


def _faces_pikes(play: Play, i: int) -> bool:
    """V11.4b V11.4c: horse that charges pikes tests under its cohesion first.  Whether it can go on."""
    state: VirtusState = play.state
    face = play.roll(6, state.vc[i])
    play.tell("V11.4b", "event.faces_pikes", unit=state.roster.units[i].id, face=face, cohesion=state.vc[i])
    return face <= state.vc[i] or lose_cohesion(play, i, "V11.4b")


class Charges(Decision):
    """V5.2c: declared charges are rolled when the other fights of the segment are over; all must be."""

    clause = "V5.2c"
    accepts = (Charge,)

    def __init__(self, seat: int, segment: int) -> None:
        super().__init__(seat)
        self.segment: Final = segment

    def prompt(self, state: VirtusState) -> Message:
        return Message("prompt.charges", {"segment": SEGMENTS[self.segment], "side": SEATS[self.seat]})

    def is_moot(self, state: VirtusState) -> bool:
        return not self._chargers(state)

    def _chargers(self, state: VirtusState) -> list[int]:
        return [
            i
            for i in state.roster.of[self.seat]
            if state.flags[i] & CHARGING and column(state.place[i]) == self.segment
        ]

    def candidates(self, state: VirtusState) -> list[Action]:
        units = state.roster.units
        return [
            Charge(units[i].id, units[j].id)
            for i in self._chargers(state)
            for j in units_at(state, other(self.seat), state.place[i])
        ]
