"""5 Combat: the values of an attack (5.1), the roll, generals hit (5.5), and who takes the hits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from .damage import RED, TOKEN, TOKENS, WHITE
from .state import (
    ORBIS,
    PLACES,
    SHELTERED,
    SHIELDWALL,
    TESTUDO,
    Unit,
    VirtusState,
    attached_to,
    defends_camp,
    generals_at,
    has_units,
    other,
    unit_of,
    units_at,
)
from .terrain import GROUND, Ground

FIGHT, HILL_DIE = 1, 1  # V4.3h: activation points
DENSE_IN_WOODS = 2  # V7b: the most that dense infantry's VO can be
FRIENDS_IN_THE_WAY = 1  # V12.1a: Shooting Value over friends who are not all dispersed


# --- values --------------------------------------------------------------------------------------


def offence(state: VirtusState, i: int, target: int) -> int:
    """V5.1a: Offensive Value of a unit that attacks from its place into one."""
    here, ground = state.place[i], state.terrain
    return offence_of(
        state.roster.units[i],
        state.vc[i],
        state.form[i],
        GROUND[ground[here]],
        GROUND[ground[target]],
        state.camp[here],
    )


def offence_of(unit: Unit, cohesion: int, form: int, here: Ground, there: Ground, camp: int) -> int:
    """V5.1a: bonuses and penalties, then the cap of 2, then values set to 1."""
    value = unit.vo
    if unit.impetuous and cohesion == unit.vc:
        value += 1  # V10-troops.1a
    if form in (TESTUDO, SHIELDWALL):
        value -= 1  # V12.2c
    light_foot = unit.infantry and unit.dispersed
    if there.woods:  # V7b V7c: fighting in woods, or outflanking into them
        if unit.mounted:
            return 1
        if unit.infantry and unit.order == "dense":
            value = min(value, DENSE_IN_WOODS)
    if here.rocks and not light_foot:
        return 1  # V7f V7h
    if unit.mounted and camp:
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


def price(state: VirtusState, name: str, points: int) -> Message | None:
    """V4.3h: what an activation of a unit costs, where it is more than a point."""
    points += state.roster.units[state.roster.index[name]].surcharge
    return Message("remark.price", {"points": points}) if points > FIGHT else None


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
    if defends_camp(state, state.roster.units[i].side, place):
        state.flags[i] |= SHELTERED


class Share(Step):
    """V5.1b V5.1c: the defender shares hits out evenly; where he has no choice it is done for him."""

    def __init__(
        self,
        place: int,
        tokens: str,
        each: int,  # V5.4b: tokens a hit
        spared: tuple[int, ...] = (),  # V12.4a: units in orbis, once for each hit that cost them less
    ) -> None:
        self.place: Final = place
        self.tokens: Final = tokens
        self.each: Final = each
        self.spared: Final = spared

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
    taken = _loads(state, side, place, each, spared)
    least = min(taken.values(), default=0)
    return [i for i, load in taken.items() if load == least]


def _loads(state: VirtusState, side: int, place: int, each: int, spared: tuple[int, ...]) -> dict[int, int]:
    """V5.4b V12.4a: the tokens of each unit there, as many as its hits would be without orbis."""
    return {i: len(state.tokens[i]) + spared.count(i) * (each - 1) for i in units_at(state, side, place)}


def assign(play: Play, i: int, token: str, each: int) -> tuple[int, ...]:
    """V5.4b V12.4a: a hit on an engaged flank is two tokens, but one on a unit in orbis: the unit spared."""
    state: VirtusState = play.state
    spared = each > 1 and state.form[i] == ORBIS
    number = 1 if spared else each
    give(state, i, token * number)
    play.tell("V5.1b", "event.takes", unit=state.roster.units[i].id, token=TOKENS[token], tokens=number)
    return (i,) if spared else ()


def tokens_due(state: VirtusState, choice: ShareChoice) -> int:
    """V5.4b V12.4a: how many tokens hits that wait will be, if units in orbis take them where they may."""
    taken = _loads(state, choice.seat, choice.place, choice.each, choice.spared)
    due = 0
    for _ in choice.tokens:
        i = min(taken, key=lambda j: (taken[j], state.form[j] != ORBIS))
        taken[i] += choice.each
        due += 1 if state.form[i] == ORBIS else choice.each
    return due


class Take(Action):
    """V5.1b: which of your units takes this hit?"""

    def __init__(self, token: str, unit: str) -> None:
        self.token: Final = token
        self.unit: Final = unit

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


class ShareChoice(Decision):
    """V5.1c: no unit takes a second token until all there have one; the defender chooses among equals."""

    clause = "V5.1c"
    accepts = (Take,)

    def __init__(self, seat: int, place: int, tokens: str, each: int, spared: tuple[int, ...] = ()) -> None:
        super().__init__(seat)
        self.place: Final = place
        self.tokens: Final = tokens
        self.each: Final = each
        self.spared: Final = spared

    def prompt(self, state: VirtusState) -> Message:
        values: Values = {"hits": len(self.tokens), "place": PLACES[self.place], "each": self.each}
        return Message("prompt.share", values)

    def takers(self, state: VirtusState) -> list[int]:
        return fewest(state, self.seat, self.place, self.each, self.spared)

    def candidates(self, state: VirtusState) -> list[Action]:
        units = state.roster.units
        kinds = sorted(set(self.tokens))
        return [Take(TOKENS[kind], units[i].id) for kind in kinds for i in self.takers(state)]
