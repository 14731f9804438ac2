"""5 Combat: fights (5.1), shooting (5.3) and outflanking (5.4) of the segment in hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from ...kernel import Action, Message, Play, Refusal
from .attack import FIGHT, HILL_DIE, Share, attack, combat_dice, flank_value, offence, price, shot_value
from .closing import Closing, Done, EndOfSegment
from .damage import kind_of_hit
from .markers import may_hide_units, turn_up, turn_up_sector
from .state import (
    ACTIVATED,
    CHARGING,
    FOUGHT,
    OUTFLANKED,
    PLACE,
    PLACES,
    RETREATED,
    SEATS,
    SEGMENTS,
    SHIELDWALL,
    TESTUDO,
    VirtusState,
    beside,
    column,
    defends_camp,
    facing,
    has_units,
    is_contested,
    is_engaged,
    other,
    owner,
    say_points,
    sector,
    seems_held,
    unit_of,
    units_at,
)
from .terrain import GROUND

PILA, OVERHEAD = 1, 1  # V4.3h: activation points
DOUBLE = 2  # V5.4b: tokens of a hit on the flank of an engaged sector


# --- fights, shots and outflanking ---------------------------------------------------------------


def cannot_fight(state: VirtusState, name: str, cost: int) -> Iterator[Refusal]:
    """V5a V5b V3.3a V4a: what bars any fight of a unit in the segment in hand."""
    i = unit_of(state, state.active, name)
    segment = getattr(state.decision, "segment", 0)
    if i < 0 or column(state.place[i]) != segment:
        yield Refusal("V5a", "refusal.not_in_segment", {"unit": name, "segment": SEGMENTS[segment]})
        return
    flags = state.flags[i]
    if flags & RETREATED:
        yield Refusal("V3.3a", "refusal.retreated", {"unit": name})
    if flags & CHARGING:
        yield Refusal("V5.2c", "refusal.will_charge", {"unit": name})
    if flags & FOUGHT:
        yield Refusal("V5b", "refusal.fought", {"unit": name})
    elif flags & ACTIVATED:
        yield Refusal("V5a", "refusal.acted", {"unit": name})
    cost += state.roster.units[i].surcharge
    if cost > state.points[segment]:
        yield Refusal("V4.3a", "refusal.points", {"needed": cost, "left": state.points[segment]})


def may_use_hill(state: VirtusState, i: int) -> bool:
    """V7a: the side that holds a hill sector, engaged in it."""
    place = state.place[i]
    return GROUND[state.terrain[place]].hill and state.holder[place] == state.roster.units[i].side


def _no_pila(state: VirtusState, i: int) -> Iterator[Refusal]:
    """V11.3a V11.3b: only units that carry them, and not in testudo or shieldwall."""
    name = state.roster.units[i].id
    if not state.roster.units[i].pila:
        yield Refusal("V11.3a", "refusal.no_pila", {"unit": name})
    if state.form[i] in (TESTUDO, SHIELDWALL):
        yield Refusal("V11.3b", "refusal.pila_in_formation", {"unit": name})


def pay(play: Play, i: int, cost: int, did: int) -> None:
    """V4.3a: points come off the segment's; V7d: an activated unit is no longer face down."""
    state: VirtusState = play.state
    state.points[column(state.place[i])] -= cost + state.roster.units[i].surcharge
    state.flags[i] |= did
    turn_up(play, i)


def _kind_from_afar(state: VirtusState, i: int, target: int, pila: bool) -> str:
    """VDMG.a V14.2c: the tokens of an attack on another sector."""
    unit = state.roster.units[i]
    camp = defends_camp(state, other(unit.side), target)
    return kind_of_hit(unit, charge=False, far=True, pila=pila, camp=camp)


class Assault(Action):
    """V4.3h: what a unit does to the enemy, for a point and what it adds."""

    weighed: ClassVar[bool] = True

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    @property
    def cost(self) -> int:
        return FIGHT

    def remark(self, state: VirtusState) -> Message | None:
        return price(state, self.unit, self.cost)


class Fight(Assault):
    """V5.1a: an engaged unit fights in its sector, with the hill's die or pila if it pays for them."""

    def __init__(self, unit: str, hill: bool = False, pila: bool = False) -> None:
        super().__init__(unit)
        self.hill: Final = hill
        self.pila: Final = pila

    @property
    def cost(self) -> int:
        return FIGHT + self.hill * HILL_DIE + self.pila * PILA

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from cannot_fight(state, self.unit, self.cost)
        i = unit_of(state, state.active, self.unit)
        if i < 0:
            return
        if not is_engaged(state, i):
            yield Refusal("V5c", "refusal.not_engaged", {"unit": self.unit})
        if self.hill and not may_use_hill(state, i):
            yield Refusal("V7a", "refusal.no_hill", {"unit": self.unit})
        if self.pila:
            yield from _no_pila(state, i)

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        i = state.roster.index[self.unit]
        place = state.place[i]
        pay(play, i, self.cost, FOUGHT)
        kind = kind_of_hit(state.roster.units[i], charge=False, far=False, pila=self.pila)
        play.tell("V5.1a", "event.fights", unit=self.unit, place=PLACES[place])
        value = offence(state, i, place)
        tokens = attack(play, i, place, combat_dice(state, i, self.hill), value, kind)
        play.then(Share(place, tokens, 1), play.taken)


class Shoot(Assault):
    """V5.3a: a unit that is not engaged shoots at the sector opposite; V12.1a: over friends, if it pays."""

    def __init__(self, unit: str, overhead: bool = False) -> None:
        super().__init__(unit)
        self.overhead: Final = overhead

    @property
    def cost(self) -> int:
        return FIGHT + self.overhead * OVERHEAD

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from cannot_fight(state, self.unit, self.cost)
        i = unit_of(state, state.active, self.unit)
        if i < 0:
            return
        unit, place = state.roster.units[i], state.place[i]
        if not unit.vt:
            yield Refusal("V5.3a", "refusal.cannot_shoot", {"unit": self.unit})
        if is_engaged(state, i):
            yield Refusal("V5.3a", "refusal.engaged", {"unit": self.unit})
        if owner(place) != unit.side or not column(place):
            yield Refusal(
                "V5.3b" if not column(place) else "V5.3a", "refusal.nothing_opposite", {"unit": self.unit}
            )
            return
        yield from self._no_target(state, facing(place), unit.side, unit.overhead)

    def _no_target(self, state: VirtusState, target: int, side: int, trained: bool) -> Iterator[Refusal]:
        if GROUND[state.terrain[target]].woods:
            yield Refusal("V5.3b", "refusal.woods_block", {"place": PLACES[target]})
        elif not has_units(state, other(side), target):
            yield Refusal("V5.3a", "refusal.no_enemy", {"place": PLACES[target]})
        friends = has_units(state, side, target)
        if friends and not self.overhead:
            yield Refusal("V5.3b", "refusal.friends_in_the_way", {"place": PLACES[target]})
        if self.overhead and not trained:
            yield Refusal("V12.1a", "refusal.no_overhead", {"unit": self.unit})
        if self.overhead and not friends:
            yield Refusal("V12.1a", "refusal.nobody_in_the_way", {"place": PLACES[target]})

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        i = state.roster.index[self.unit]
        target = facing(state.place[i])
        pay(play, i, self.cost, FOUGHT)
        kind = _kind_from_afar(state, i, target, pila=False)
        play.tell("V5.3a", "event.shoots", unit=self.unit, place=PLACES[target])
        value = shot_value(state, i, target)
        tokens = attack(play, i, target, state.vc[i], value, kind, into=True)
        play.then(Share(target, tokens, 1), play.taken)


def is_pinned(state: VirtusState, side: int, place: int) -> bool:
    """V5.4c: in its own camp a unit is pinned by an unengaged enemy in the sector opposite.

    V7d: a marker that is still face down pins like the unit that it may be.
    """
    if owner(place) != side:
        return False
    front = facing(place)
    return seems_held(state, other(side), front) and not has_units(state, side, front)


def can_flank_from(state: VirtusState, i: int) -> bool:
    """V5.4a V5.4c: not engaged, in a sector, not pinned."""
    place = state.place[i]
    side = state.roster.units[i].side
    return column(place) > 0 and not is_engaged(state, i) and not is_pinned(state, side, place)


class Outflank(Assault):
    """V5.4a: a unit that is not engaged attacks a sector beside its own."""

    def __init__(self, unit: str, place: str, pila: bool = False) -> None:
        super().__init__(unit)
        self.place: Final = place
        self.pila: Final = pila

    @property
    def cost(self) -> int:
        return FIGHT + self.pila * PILA

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from cannot_fight(state, self.unit, self.cost)
        side = state.active
        i, target = unit_of(state, side, self.unit), PLACE.get(self.place, -1)
        if i < 0:
            return
        if is_engaged(state, i):
            yield Refusal("V5.4a", "refusal.engaged", {"unit": self.unit})
        if is_pinned(state, side, state.place[i]):
            yield Refusal(
                "V5.4c", "refusal.pinned", {"unit": self.unit, "place": PLACES[facing(state.place[i])]}
            )
        if target not in beside(state, state.place[i]):
            yield Refusal("V5.4a", "refusal.not_beside", {"unit": self.unit, "place": self.place})
        elif not seems_held(state, other(side), target):
            yield Refusal("V5.4a", "refusal.no_enemy", {"place": self.place})
        if self.pila:
            yield from _no_pila(state, i)

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        i, target = state.roster.index[self.unit], PLACE[self.place]
        pay(play, i, self.cost, FOUGHT | OUTFLANKED)
        play.tell("V5.4a", "event.outflanks", unit=self.unit, place=self.place)
        turn_up_sector(play, target)  # V7d
        play.then(play.taken)
        if not has_units(state, other(state.active), target):
            return  # the markers were decoys
        kind = _kind_from_afar(state, i, target, self.pila)
        value = flank_value(state, i, target)
        tokens = attack(play, i, target, state.vc[i], value, kind, into=True)
        play.then(Share(target, tokens, DOUBLE if is_contested(state, target) else 1))


class Fights(Closing):
    """V5a: fights of the segment in hand, but for charges."""

    clause = "V5a"
    accepts = (Fight, Shoot, Outflank, Done, EndOfSegment)

    def __init__(self, seat: int, segment: int) -> None:
        super().__init__(seat)
        self.segment: Final = segment

    def prompt(self, state: VirtusState) -> Message:
        return Message(
            "prompt.fights",
            {
                "segment": SEGMENTS[self.segment],
                "points": say_points(state.points[self.segment]),
                "side": SEATS[self.seat],
            },
        )

    def is_moot(self, state: VirtusState) -> bool:
        """V7d: who may have hidden units is asked, even if all of them are decoys."""
        if state.points[self.segment] < FIGHT:
            return True
        return not may_hide_units(state, self.seat, self.segment) and not self.has_choice(state)

    def candidates(self, state: VirtusState) -> list[Action]:
        return [*super().candidates(state), EndOfSegment()]

    def offers(self, state: VirtusState) -> Iterator[Action]:
        for home in (sector(0, self.segment), sector(1, self.segment)):
            engaged = has_units(state, other(self.seat), home)
            for i in units_at(state, self.seat, home):
                if state.flags[i] & (ACTIVATED | RETREATED | CHARGING):
                    continue
                if engaged:
                    yield from self._fights(state, i)
                else:
                    yield from self._from_afar(state, i)

    def _fights(self, state: VirtusState, i: int) -> Iterator[Action]:
        unit = state.roster.units[i]
        for hill in (False, True) if may_use_hill(state, i) else (False,):
            yield Fight(unit.id, hill)
            if unit.pila:
                yield Fight(unit.id, hill, pila=True)

    def _from_afar(self, state: VirtusState, i: int) -> Iterator[Action]:
        unit, home = state.roster.units[i], state.place[i]
        if unit.vt and owner(home) == self.seat:
            yield Shoot(unit.id)
            if unit.overhead:
                yield Shoot(unit.id, overhead=True)
        for target in beside(state, home):
            if seems_held(state, other(self.seat), target):
                yield Outflank(unit.id, PLACES[target])
                if unit.pila:
                    yield Outflank(unit.id, PLACES[target], pila=True)
