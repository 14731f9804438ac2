"""5 Combat: fights (5.1), charges (5.2), shooting (5.3), outflanking (5.4), generals hit (5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from .closing import Closing, Done
from .damage import RED, TOKEN, TOKENS, WHITE, kind_of_hit
from .generals import Attach, attachments
from .markers import turn_up, turn_up_sector
from .saves import lose_cohesion
from .state import (
    ACTIVATED,
    CHARGED,
    CHARGING,
    FOUGHT,
    HILL,
    NORMAL,
    ORBIS,
    OUTFLANKED,
    PLACE,
    PLACES,
    RETREATED,
    SEATS,
    SEGMENTS,
    SHELTERED,
    SHIELDWALL,
    TESTUDO,
    VirtusState,
    attached_to,
    beside,
    column,
    facing,
    generals_at,
    has_units,
    is_contested,
    is_engaged,
    other,
    owner,
    sector,
    seems_held,
    unit_of,
    units_at,
)
from .terrain import GROUND

FIGHT, PILA, HILL_DIE, CHARGE_ON_FOOT, OVERHEAD = 1, 1, 1, 1, 1  # V4.3h: activation points
DENSE_IN_WOODS = 2  # V7b: the most that dense infantry's VO can be
FRIENDS_IN_THE_WAY = 1  # V12.1a: Shooting Value over friends who are not all dispersed
DOUBLE = 2  # V5.4b: tokens of a hit on the flank of an engaged sector


# --- values --------------------------------------------------------------------------------------


def offence(state: VirtusState, i: int, target: int, *, charge: bool = False) -> int:
    """V5.1a: Offensive Value: bonuses and penalties, then the cap of 2, then values set to 1."""
    unit = state.roster.units[i]
    here = state.place[i]
    value = unit.vo
    if unit.impetuous and state.vc[i] == unit.vc:
        value += 1  # V10-troops.1a
    if not charge and state.form[i] in (TESTUDO, SHIELDWALL):
        value -= 1  # V12.2c; V12.2d: a charge is made in normal formation
    light_foot = unit.infantry and unit.dispersed
    if GROUND[state.terrain[target]].woods:  # V7b V7c: fighting in woods, or outflanking into them
        if unit.mounted:
            return 1
        if unit.infantry and unit.order == "dense":
            value = min(value, DENSE_IN_WOODS)
    if GROUND[state.terrain[here]].rocks and not light_foot:
        return 1  # V7f V7h
    if unit.mounted and state.camp[here]:
        return 1  # V14.2d
    return value


def flank_value(state: VirtusState, i: int, target: int) -> int:
    """V5.4a: the higher of VO and VT; shots do not go into woods."""
    value = offence(state, i, target)
    return value if GROUND[state.terrain[target]].woods else max(value, state.roster.units[i].vt)


def shot_value(state: VirtusState, i: int, target: int) -> int:
    """V5.3a V12.1a: the Shooting Value; 1 over the heads of friends who are not all dispersed."""
    units = state.roster.units
    friends = units_at(state, units[i].side, target)
    if all(units[j].dispersed for j in friends):
        return units[i].vt
    return FRIENDS_IN_THE_WAY


def combat_dice(state: VirtusState, i: int, hill: bool) -> int:
    """V5.1a: as many dice as VC, one more for the hill (V7a), one or two for an attached general (V13.1a)."""
    dice = state.vc[i] + hill
    g = attached_to(state, i)
    if g >= 0:
        dice += 2 if state.roster.generals[g].hero else 1
    return dice


# --- an attack -----------------------------------------------------------------------------------


def attack(
    play: Play, i: int, target: int, dice: int, value: int, kind: str, *, into: bool = False, victim: int = -1
) -> str:
    """V5.1a: roll, mark generals (V5.5a), and return the tokens.  ``into``: from another sector."""
    state: VirtusState = play.state
    unit = state.roster.units[i]
    enemy = other(unit.side)
    exposed = [g for g in generals_at(state, enemy, target) if _is_exposed(state, g, victim)]
    pikes = kind == WHITE and any(state.roster.units[j].pikes for j in units_at(state, enemy, target))
    bands = [value, 6]
    if exposed:
        bands.append(5)
    if pikes:
        bands.append(1)
    faces = play.roll_pool(dice, 6, bands)
    hits = sum(face <= value for face in faces)
    play.tell("V5.1a", "event.rolls", unit=unit.id, faces=tuple(faces), value=value, hits=hits)
    sixes = faces.count(6)
    for g in exposed if sixes else ():
        state.gtokens[g] += sixes
        play.tell("V5.5a", "event.general_hit", general=state.roster.generals[g].id, tokens=sixes)
    if not pikes:
        return kind * hits
    if into or unit.pikes:  # V11.4c: no benefit against the flank or against other long spears
        return RED * hits
    red = min(faces.count(1), hits)  # V11.4a
    return WHITE * (hits - red) + RED * red


def _is_exposed(state: VirtusState, g: int, victim: int) -> bool:
    """V13.1e: a charge marks an attached general only if it strikes the unit that he supports."""
    return victim < 0 or state.attached[g] < 0 or state.attached[g] == victim


def give(state: VirtusState, i: int, tokens: str) -> None:
    """V5.1b: tokens wait for the tests; V14.2b V14.2e: whether it defended a camp is fixed now."""
    place = state.place[i]
    state.tokens[i] += tokens
    if state.camp[place] and state.holder[place] == state.roster.units[i].side:
        state.flags[i] |= SHELTERED


class Share(Step, frozen=True):
    """V5.1b V5.1c: the defender shares hits out evenly; where he has no choice it is done for him."""

    place: int
    tokens: str
    each: int  # V5.4b: tokens a hit
    spared: tuple[int, ...] = ()  # V12.4a: units in orbis, once for each hit that cost them less

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        side = other(state.active)
        left, spared = self.tokens, self.spared
        alone = state.count[side * 10 + self.place] == 1
        while left:
            takers = fewest(state, side, self.place, self.each, spared)
            if len(takers) != 1 or not (alone or left == left[0] * len(left)):
                break
            spared += assign(play, takers[0], left[0], self.each)
            left = left[1:]
        if left and has_units(state, side, self.place):
            play.then(ShareChoice(side, self.place, left, self.each, spared))


def fewest(state: VirtusState, side: int, place: int, each: int, spared: tuple[int, ...]) -> list[int]:
    """V5.1c: the units with the fewest tokens, of all kinds, so far in this turn; V5.4b: in hits here."""
    loads = {i: len(state.tokens[i]) + spared.count(i) * (each - 1) for i in units_at(state, side, place)}
    least = min(loads.values(), default=0)
    return [i for i, load in loads.items() if load == least]


def assign(play: Play, i: int, token: str, each: int) -> tuple[int, ...]:
    """V5.4b V12.4a: a hit on an engaged flank is two tokens, but one on a unit in orbis: the unit spared."""
    state: VirtusState = play.state
    spared = each > 1 and state.form[i] == ORBIS
    number = 1 if spared else each
    give(state, i, token * number)
    play.tell("V5.1b", "event.takes", unit=state.roster.units[i].id, token=TOKENS[token], tokens=number)
    return (i,) if spared else ()


class Take(Action, frozen=True):
    """V5.1b: which of your units takes this hit?"""

    token: str
    unit: str

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        choice = state.decision
        assert isinstance(choice, ShareChoice)
        i = unit_of(state, choice.seat, self.unit)
        if i < 0 or state.place[i] != choice.place:
            yield Refusal(
                "V5.1b", "refusal.not_in_sector", {"unit": self.unit, "place": PLACES[choice.place]}
            )
        elif i not in choice.takers(state):
            yield Refusal("V5.1c", "refusal.share_evenly", {"unit": self.unit})
        if TOKEN.get(self.token, "?") not in choice.tokens:
            yield Refusal("V5.1b", "refusal.no_such_hit", {"token": self.token})

    def perform(self, play: Play) -> None:
        choice: ShareChoice = play.taken
        token = TOKEN[self.token]
        spared = choice.spared + assign(play, play.state.roster.index[self.unit], token, choice.each)
        play.then(Share(choice.place, choice.tokens.replace(token, "", 1), choice.each, spared))


class ShareChoice(Decision, frozen=True):
    """V5.1c: no unit takes a second token until all there have one; the defender chooses among equals."""

    place: int
    tokens: str
    each: int
    spared: tuple[int, ...] = ()
    clause = "V5.1c"
    accepts = (Take,)

    def prompt(self, state: VirtusState) -> Message:
        return Message("prompt.share", {"hits": len(self.tokens), "place": PLACES[self.place]})

    def takers(self, state: VirtusState) -> list[int]:
        return fewest(state, self.seat, self.place, self.each, self.spared)

    def candidates(self, state: VirtusState) -> list[Action]:
        units = state.roster.units
        kinds = sorted(set(self.tokens))
        return [Take(TOKENS[kind], units[i].id) for kind in kinds for i in self.takers(state)]


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


def _pay(play: Play, i: int, cost: int, did: int) -> None:
    """V4.3a: points come off the segment's; V7d: an activated unit is no longer face down."""
    state: VirtusState = play.state
    state.points[column(state.place[i])] -= cost + state.roster.units[i].surcharge
    state.flags[i] |= did
    turn_up(play, i)


class Fight(Action, frozen=True):
    """V5.1a: an engaged unit fights in its sector, with the hill's die or pila if it pays for them."""

    unit: str
    hill: bool = False
    pila: bool = False

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from cannot_fight(state, self.unit, FIGHT + self.hill * HILL_DIE + self.pila * PILA)
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
        _pay(play, i, FIGHT + self.hill * HILL_DIE + self.pila * PILA, FOUGHT)
        kind = kind_of_hit(state.roster.units[i], charge=False, far=False, pila=self.pila)
        play.tell("V5.1a", "event.fights", unit=self.unit, place=PLACES[place])
        value = offence(state, i, place)
        tokens = attack(play, i, place, combat_dice(state, i, self.hill), value, kind)
        play.then(Share(place, tokens, 1), play.taken)


class Shoot(Action, frozen=True):
    """V5.3a: a unit that is not engaged shoots at the sector opposite; V12.1a: over friends, if it pays."""

    unit: str
    overhead: bool = False

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from cannot_fight(state, self.unit, FIGHT + self.overhead * OVERHEAD)
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
        _pay(play, i, FIGHT + self.overhead * OVERHEAD, FOUGHT)
        kind = kind_of_hit(state.roster.units[i], charge=False, far=True, pila=False)
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


class Outflank(Action, frozen=True):
    """V5.4a: a unit that is not engaged attacks a sector beside its own."""

    unit: str
    place: str
    pila: bool = False

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from cannot_fight(state, self.unit, FIGHT + self.pila * PILA)
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
        _pay(play, i, FIGHT + self.pila * PILA, FOUGHT | OUTFLANKED)
        play.tell("V5.4a", "event.outflanks", unit=self.unit, place=self.place)
        turn_up_sector(play, target)  # V7d
        play.then(play.taken)
        if not has_units(state, other(state.active), target):
            return  # the markers were decoys
        kind = kind_of_hit(state.roster.units[i], charge=False, far=True, pila=self.pila)
        value = flank_value(state, i, target)
        tokens = attack(play, i, target, state.vc[i], value, kind, into=True)
        play.then(Share(target, tokens, DOUBLE if is_contested(state, target) else 1))


class Fights(Closing, frozen=True):
    """V5a: fights of the segment in hand, but for charges."""

    segment: int
    clause = "V5a"
    accepts = (Fight, Shoot, Outflank, Done)

    def prompt(self, state: VirtusState) -> Message:
        return Message(
            "prompt.fights",
            {
                "segment": SEGMENTS[self.segment],
                "points": state.points[self.segment],
                "side": SEATS[self.seat],
            },
        )

    def is_moot(self, state: VirtusState) -> bool:
        return state.points[self.segment] < FIGHT or not self.has_choice(state)

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


# --- charges -------------------------------------------------------------------------------------


def may_be_charged(state: VirtusState, i: int, target: int) -> bool:
    """V5.2e: the target's printed movement must not exceed the charger's."""
    units = state.roster.units
    return units[i].mvt >= units[target].mvt


def charge_cost(state: VirtusState, i: int, hill: bool) -> int:
    """V5.2d: infantry pays one point more for a charge."""
    unit = state.roster.units[i]
    return FIGHT + (CHARGE_ON_FOOT if unit.infantry else 0) + hill * HILL_DIE


class DeclareCharge(Action, frozen=True):
    """V5.2c: say in advance, and pay, that a unit will charge; its target is named later."""

    unit: str
    hill: bool = False

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
        _pay(play, i, charge_cost(state, i, self.hill), CHARGING | (HILL if self.hill else 0))
        play.tell("V5.2c", "event.declares", unit=self.unit)
        play.then(play.taken)


class Declarations(Closing, frozen=True):
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


class Charge(Action, frozen=True):
    """V5.2a: all hits go to one enemy unit that the attacker picks."""

    unit: str
    target: str

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
        value = offence(state, i, place, charge=True)
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


class Charges(Decision, frozen=True):
    """V5.2c: declared charges are rolled when the other fights of the segment are over; all must be."""

    segment: int
    clause = "V5.2c"
    accepts = (Charge,)

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
