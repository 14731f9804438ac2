"""3 Saves: tests of units that hold tokens (3.1), losses (3.2), retreats and routs (3.3), evading (6.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from .capture import capture_lone_generals
from .damage import BLACK, TOKEN, TOKENS, passes, save_value
from .markers import turn_up
from .state import (
    CHARGED,
    GONE,
    NORMAL,
    PLACES,
    RETREATED,
    SEATS,
    SHELTERED,
    VirtusState,
    defends_camp,
    facing,
    generals_at,
    other,
    owner,
    put,
    reserve,
    unit_of,
    units_at,
)
from .terrain import GROUND

RABBLE_DIE = 8  # V10-troops.5a


# --- losses, retreats ----------------------------------------------------------------------------


def eliminate(play: Play, i: int, clause: str, key: str) -> None:
    """Take a unit off the table; V1.8d: a side without units has lost."""
    state: VirtusState = play.state
    side = state.roster.units[i].side
    put(state, i, GONE)
    state.tokens[i] = ""
    state.flags[i] = 0
    state.form[i] = NORMAL
    play.tell(clause, key, unit=state.roster.units[i].id)
    if all(state.place[j] < 0 for j in state.roster.of[side]):
        play.win(other(side), "V1.8d", "end.no_units")


def lose_cohesion(play: Play, i: int, clause: str) -> bool:
    """V3.2b: one point less; at zero the unit is eliminated.  Whether it is still there."""
    state: VirtusState = play.state
    state.vc[i] -= 1
    play.tell(clause, "event.loses", unit=state.roster.units[i].id, left=state.vc[i])
    if state.vc[i] > 0:
        return True
    eliminate(play, i, "V3.2b", "event.eliminated")
    return False


def rear(side: int, place: int) -> int:
    """V3.3a: behind an enemy sector lies the own one that faces it, behind that the reserve."""
    return reserve(side) if owner(place) == side else facing(place)


def retreat(play: Play, i: int, clause: str) -> None:
    """V3.1d V3.3a: back to the sector behind; V3.1e: a second retreat in a turn is a rout."""
    state: VirtusState = play.state
    unit = state.roster.units[i]
    if unit.fanatic:  # V10-troops.2a
        return
    if state.flags[i] & RETREATED:
        eliminate(play, i, "V3.1e", "event.routs")
        return
    state.flags[i] |= RETREATED
    state.form[i] = NORMAL  # V12.2d V12.4b
    to = rear(unit.side, state.place[i])
    put(state, i, to)
    play.tell(clause, "event.retreats", unit=unit.id, place=PLACES[to])
    capture_lone_generals(play, other(unit.side))
    if unit.elephant:  # V16c
        play.then(*[Trample(j) for j in units_at(state, unit.side, to) if j != i])


class Trample(Step):
    """V16c: a friend in the way of retreating elephants tests at once, as against a black token."""

    def __init__(self, unit: int) -> None:
        self.unit: Final = unit

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        place = state.place[self.unit]
        if place >= 0:
            side = state.roster.units[self.unit].side
            shelter = defends_camp(state, side, place)
            turn_up(play, self.unit)
            play.tell("V16c", "event.trampled", unit=state.roster.units[self.unit].id)
            test(play, self.unit, BLACK, place, shelter)


# --- the test ------------------------------------------------------------------------------------


def has_charisma(state: VirtusState, side: int, place: int) -> bool:
    """V8b: a charismatic general in the same place, at the moment of the roll."""
    generals = state.roster.generals
    return any(generals[g].charismatic for g in generals_at(state, side, place))


def save_cohesion(state: VirtusState, i: int) -> int:
    """V3.1d V10-troops.3a V8b: current VC, the initial one if stoic, one more near a charismatic general."""
    unit = state.roster.units[i]
    value = unit.vc if unit.stoic else state.vc[i]
    return value + has_charisma(state, unit.side, state.place[i])


def test(play: Play, i: int, token: str, place: int, sheltered: bool) -> None:
    """V3.1b: a light die against the save value, a dark one against cohesion, for one token."""
    state: VirtusState = play.state
    unit = state.roster.units[i]
    value = save_value(
        unit,
        token,
        GROUND[state.terrain[place]],
        form=state.form[i],
        charged=bool(state.flags[i] & CHARGED),
        sheltered=sheltered,
    )
    play.tell("VDMG.b", "event.tests", unit=unit.id, token=TOKENS[token], value=value)
    light = play.roll(6, max(1, min(value, 5)))
    if unit.fanatic or unit.elephant:  # V10-troops.2a V16d: no dark die
        _without_dark_die(play, i, light, value)
        return
    cohesion = save_cohesion(state, i)
    dark = play.roll(RABBLE_DIE if unit.rabble else 6, cohesion)
    if passes(light, value):
        play.tell("V3.1c", "event.saved", unit=unit.id, light=light, dark=dark)
        return
    play.tell("V3.1d", "event.failed", unit=unit.id, light=light, dark=dark, cohesion=cohesion)
    if unit.elite:
        play.then(RerollChoice(unit.side, i, dark))
    else:
        failed(play, i, dark > cohesion)


def _without_dark_die(play: Play, i: int, light: int, value: int) -> None:
    unit = play.state.roster.units[i]
    clause = "V16d" if unit.elephant else "V10-troops.2a"
    if passes(light, value):
        play.tell("V3.1c", "event.saved_light", unit=unit.id, light=light)
        return
    play.tell(clause, "event.failed_light", unit=unit.id, light=light)
    if lose_cohesion(play, i, clause) and unit.elephant:
        retreat(play, i, "V16d")


def failed(play: Play, i: int, breaks: bool) -> None:
    """V3.1d: a point is lost, and the unit retreats if it breaks; V6.4-evade-c may spare it the loss."""
    if not breaks and _may_evade(play.state, i):
        play.then(EvadeChoice(play.state.roster.units[i].side, i))
    elif lose_cohesion(play, i, "V3.1d") and breaks:
        retreat(play, i, "V3.1d")


def _may_evade(state: VirtusState, i: int) -> bool:
    """V6.4-evade-c V16c: a light mounted unit that has not retreated and has a sector to retreat from."""
    unit = state.roster.units[i]
    light = unit.mounted and unit.dispersed
    return light and not state.flags[i] & RETREATED and state.place[i] != reserve(unit.side)


# --- decisions -----------------------------------------------------------------------------------


class Save(Action):
    """V3.1a V3.1f: test one token of one unit; the player chooses the order."""

    def __init__(self, unit: str, token: str) -> None:
        self.unit: Final = unit
        self.token: Final = token

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        i = unit_of(state, state.active, self.unit)
        if i < 0:
            yield Refusal("V3.1a", "refusal.not_your_unit", {"unit": self.unit})
        elif not state.tokens[i]:
            yield Refusal("V3.1a", "refusal.no_tokens", {"unit": self.unit})
        elif TOKEN.get(self.token, "?") not in state.tokens[i]:
            yield Refusal("V3.1f", "refusal.no_such_token", {"unit": self.unit, "token": self.token})

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        i = state.roster.index[self.unit]
        token = TOKEN[self.token]
        state.tokens[i] = state.tokens[i].replace(token, "", 1)
        play.then(play.taken)
        test(play, i, token, state.origin[i], bool(state.flags[i] & SHELTERED))


class Saves(Decision):
    """V3.1a: test every unit that holds tokens."""

    clause = "V3.1a"
    accepts = (Save,)

    def prompt(self, state: VirtusState) -> Message:
        return Message("prompt.saves", {"side": SEATS[self.seat]})

    def is_moot(self, state: VirtusState) -> bool:
        return not any(state.tokens[i] for i in state.roster.of[self.seat])

    def candidates(self, state: VirtusState) -> list[Action]:
        units = state.roster.units
        return [
            Save(units[i].id, TOKENS[token])
            for i in state.roster.of[self.seat]
            if state.tokens[i]
            for token in sorted(set(state.tokens[i]))
        ]


class Reroll(Action):
    """V10-troops.4a: an elite unit rolls its dark die once more; the second result stands."""

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        i = play.taken.unit
        unit = state.roster.units[i]
        cohesion = save_cohesion(state, i)
        dark = play.roll(RABBLE_DIE if unit.rabble else 6, cohesion)
        play.tell("V10-troops.4a", "event.rerolled", unit=unit.id, dark=dark, cohesion=cohesion)
        failed(play, i, dark > cohesion)


class Accept(Action):
    """Let the result stand: V10-troops.4a and V6.4-evade-c are choices."""

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        choice = play.taken
        if isinstance(choice, RerollChoice):
            failed(play, choice.unit, choice.dark > save_cohesion(play.state, choice.unit))
        else:
            lose_cohesion(play, choice.unit, "V3.1d")


class RerollChoice(Decision):
    """V10-troops.4a: asked at every failed save: somebody may even want his unit to fall back."""

    clause = "V10-troops.4a"
    accepts = (Reroll, Accept)

    def __init__(self, seat: int, unit: int, dark: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit
        self.dark: Final = dark

    def prompt(self, state: VirtusState) -> Message:
        unit, cohesion = state.roster.units[self.unit].id, save_cohesion(state, self.unit)
        return Message("prompt.reroll", {"unit": unit, "dark": self.dark, "cohesion": cohesion})

    def candidates(self, state: VirtusState) -> list[Action]:
        return [Reroll(), Accept()]


class Evade(Action):
    """V6.4-evade-c: retreat in place of the loss."""

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        retreat(play, play.taken.unit, "V6.4-evade-c")


class EvadeChoice(Decision):
    """V6.4-evade-c: a light mounted unit that failed, but holds, may give ground instead."""

    clause = "V6.4-evade-c"
    accepts = (Evade, Accept)

    def __init__(self, seat: int, unit: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit

    def prompt(self, state: VirtusState) -> Message:
        return Message("prompt.evade", {"unit": state.roster.units[self.unit].id})

    def candidates(self, state: VirtusState) -> list[Action]:
        return [Evade(), Accept()]
