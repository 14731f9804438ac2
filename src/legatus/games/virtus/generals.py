"""8 Generals and 13 Leaders: their tests (3.4), riding, capture, attachment to a unit, devotio."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step, Values
from .capture import NOBODY, remove_general
from .closing import Closing, Done
from .saves import retreat
from .state import (
    CHARGED,
    PLACE,
    PLACES,
    RETREATED,
    SEATS,
    SHELTERED,
    VirtusState,
    column,
    general_of,
    generals_at,
    has_units,
    is_engaged,
    other,
    owner,
    reserve,
    sectors,
    unit_of,
    units_at,
)

RIDE = 3  # V6.2c: sectors a turn
CHIEF_BEHIND, BEHIND = 1.2, 0.2  # what a general's place is worth to bots: ours, like all weights
AMONG_FRIENDS, AMONG_ENEMIES, ALONE, LOST = 0.9, 0.5, -0.5, -4.0
SAFE, SAFE_ATTACHED = 5, 4  # V3.4a V13.1c: highest harmless face


# --- tests ---------------------------------------------------------------------------------------


def _is_hit(play: Play, g: int, safe: int) -> bool:
    """V3.4a: one die a token; above the safe face he is lost."""
    state: VirtusState = play.state
    faces = play.roll_pool(state.gtokens[g], 6, (safe, 6))
    state.gtokens[g] = 0
    clause = "V13.1c" if safe == SAFE_ATTACHED else "V3.4a"
    name = state.roster.generals[g].id
    play.tell(clause, "event.general_tests", general=name, faces=tuple(faces), safe=safe)
    return max(faces) > safe


class TestAttached(Step):
    """V13.1c: a general who fought with a unit tests before his units, and is lost on 5 or 6."""

    def __init__(self, side: int) -> None:
        self.side: Final = side

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        for g in state.roster.generals_of[self.side]:
            i = state.attached[g]
            if i < 0 or not state.gtokens[g] or not _is_hit(play, g, SAFE_ATTACHED):
                continue
            remove_general(play, g, "V13.1c", "event.general_lost")
            if state.place[i] >= 0 and not state.roster.units[i].fanatic:
                _shaken(play, i)


def _shaken(play: Play, i: int) -> None:
    """V13.1d: the unit whose general fell tests under its cohesion, and retreats if it fails."""
    state: VirtusState = play.state
    name = state.roster.units[i].id
    face = play.roll(6, state.vc[i])
    play.tell("V13.1d", "event.shaken", unit=name, face=face, cohesion=state.vc[i])
    if face > state.vc[i]:
        retreat(play, i, "V13.1d")


class TestGenerals(Step):
    """V3.4a: the other generals test once the units are done."""

    def __init__(self, side: int) -> None:
        self.side: Final = side

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        for g in state.roster.generals_of[self.side]:
            if state.gtokens[g] and _is_hit(play, g, SAFE):
                remove_general(play, g, "V3.4a", "event.general_lost")


class EndTests(Step):
    """V13.1e V13.2b: attachments end with the tests, and so does the life of a devoted general."""

    def __init__(self, side: int) -> None:
        self.side: Final = side

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        for g in state.roster.generals_of[self.side]:
            if state.attached[g] == DEVOTED:
                remove_general(play, g, "V13.2b", "event.devoted")
            state.attached[g] = NOBODY
        for i in state.roster.of[self.side]:
            state.flags[i] &= ~(CHARGED | SHELTERED)


# --- devotio -------------------------------------------------------------------------------------

DEVOTED = -2  # in the column of attachments: he dies as the tests end


class Devote(Action):
    """V13.2a: the general gives his life; the units of his sector skip their tests."""

    def __init__(self, general: str) -> None:
        self.general: Final = general

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        g = general_of(state, state.active, self.general)
        if g < 0:
            yield Refusal("V13.2a", "refusal.not_your_general", {"general": self.general})
            return
        if not state.roster.generals[g].devotio:
            yield Refusal("V13.2a", "refusal.no_devotio", {"general": self.general})
        if state.attached[g] == DEVOTED:
            yield Refusal("V13.2b", "refusal.devoted_already", {"general": self.general})

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        g = state.roster.general_index[self.general]
        side = state.active
        for i in units_at(state, side, state.gplace[g]):
            state.tokens[i] = ""
        state.gtokens[g] = 0
        state.attached[g] = DEVOTED
        play.tell("V13.2a", "event.devotes", general=self.general, place=PLACES[state.gplace[g]])
        play.then(play.taken)


class DevotioChoice(Closing):
    """V13.2a: asked as the tests begin, where it would spare a unit a test."""

    clause = "V13.2a"
    accepts = (Devote, Done)

    def prompt(self, state: VirtusState) -> Message:
        return Message("prompt.devotio", {"side": SEATS[self.seat]})

    def is_moot(self, state: VirtusState) -> bool:
        return not any(self._spares(state, g) for g in state.roster.generals_of[self.seat])

    def _spares(self, state: VirtusState, g: int) -> bool:
        if not state.roster.generals[g].devotio or state.gplace[g] < 0 or state.attached[g] == DEVOTED:
            return False
        return any(state.tokens[i] for i in units_at(state, self.seat, state.gplace[g]))

    def offers(self, state: VirtusState) -> Iterator[Action]:
        return (Devote(state.roster.generals[g].id) for g in state.roster.generals_of[self.seat])


# --- riding --------------------------------------------------------------------------------------


def ride_distance(side: int, start: int, to: int) -> int:
    """V6.2c V6.1b: steps on the same graph as units: own reserve, own sectors, the sectors that face them."""

    def depth(place: int) -> int:
        if owner(place) != side:
            return 2
        return 0 if place == reserve(side) else 1

    if column(start) == column(to):
        return abs(depth(start) - depth(to))
    return depth(start) + depth(to)


def station(state: VirtusState, g: int, place: int) -> float:
    """How well a general stands at a place, for bots: safe among his units, a chief best in the reserve."""
    general = state.roster.generals[g]
    if place < 0:
        return 0.0
    if column(place) == 0:
        return CHIEF_BEHIND if general.chief else BEHIND
    own = state.count[general.side * 10 + place]
    enemies = state.count[other(general.side) * 10 + place]
    if not own:
        return LOST if enemies else ALONE
    return AMONG_ENEMIES if enemies else AMONG_FRIENDS


class Ride(Action):
    """V6.2c V8a: a general moves free of charge, as often as he likes, three sectors a turn in all."""

    def __init__(self, general: str, place: str) -> None:
        self.general: Final = general
        self.place: Final = place

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        side = state.active
        g = general_of(state, side, self.general)
        if g < 0:
            yield Refusal("V6.2c", "refusal.not_your_general", {"general": self.general})
            return
        to = PLACE.get(self.place, NOBODY)
        if to < 0 or column(to) > state.roster.rules.columns or to == reserve(other(side)):
            yield Refusal("V6.1b", "refusal.no_such_place", {"place": self.place})
            return
        if state.attached[g] >= 0:
            yield Refusal("V13.1b", "refusal.attached_stays", {"general": self.general})
        start = state.gplace[g]
        steps, left = ride_distance(side, start, to), RIDE - state.rode[g]
        if start == to:
            yield Refusal("V6.2c", "refusal.ride_nowhere", {"general": self.general, "place": self.place})
        elif steps > left:
            values: Values = {"general": self.general, "steps": steps, "left": left}
            yield Refusal("V6.2c", "refusal.ride_too_far", values)
        if column(to) and to != start and generals_at(state, side, to):
            yield Refusal("V8d", "refusal.two_generals", {"place": self.place})

    def is_vain(self, state: VirtusState) -> bool:
        """Bots ride to a better place only: to and fro would just put off the end of a step."""
        g = state.roster.general_index[self.general]
        return station(state, g, PLACE[self.place]) <= station(state, g, state.gplace[g])

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        g, to = state.roster.general_index[self.general], PLACE[self.place]
        state.rode[g] += ride_distance(state.active, state.gplace[g], to)
        state.gplace[g] = to
        play.tell("V6.2c", "event.rides", general=self.general, place=self.place)
        play.then(play.taken)


def rides(state: VirtusState, side: int) -> Iterator[Action]:
    """V6.2c: where each general might go with the sectors that he has left this turn."""
    for g in state.roster.generals_of[side]:
        start, left = state.gplace[g], RIDE - state.rode[g]
        if start >= 0 and left > 0 and state.attached[g] < 0:
            name = state.roster.generals[g].id
            for to in (reserve(side), *sectors(state, 0), *sectors(state, 1)):
                if 0 < ride_distance(side, start, to) <= left:
                    yield Ride(name, PLACES[to])


# --- attachment ----------------------------------------------------------------------------------


class Attach(Action):
    """V13.1a: a general joins one of his units for its fight in his sector."""

    def __init__(self, general: str, unit: str) -> None:
        self.general: Final = general
        self.unit: Final = unit

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        side = state.active
        g, i = general_of(state, side, self.general), unit_of(state, side, self.unit)
        if g < 0:
            yield Refusal("V13.1a", "refusal.not_your_general", {"general": self.general})
            return
        if i < 0:
            yield Refusal("V13.1a", "refusal.not_your_unit", {"unit": self.unit})
            return
        if not state.roster.rules.leaders:
            yield Refusal("V13.1a", "refusal.no_leaders")
        if state.attached[g] >= 0:
            yield Refusal("V13.1a", "refusal.attached_already", {"general": self.general})
        if state.gplace[g] != state.place[i]:
            yield Refusal("V13.1a", "refusal.not_with_unit", {"general": self.general, "unit": self.unit})
        if not is_engaged(state, i):
            yield Refusal("V13.1a", "refusal.not_engaged", {"unit": self.unit})
        if state.flags[i] & RETREATED:
            yield Refusal("V3.3a", "refusal.retreated", {"unit": self.unit})
        short = state.roster.generals[g].bonus - state.points[column(state.gplace[g])]
        if column(state.gplace[g]) and short > 0:
            yield Refusal("V13.1b", "refusal.bonus_spent", {"general": self.general})

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        g = state.roster.general_index[self.general]
        state.attached[g] = state.roster.index[self.unit]
        state.points[column(state.gplace[g])] -= state.roster.generals[g].bonus  # V13.1b
        play.tell("V13.1a", "event.attaches", general=self.general, unit=self.unit)
        play.then(play.taken)


def attachments(state: VirtusState, side: int) -> Iterator[Action]:
    """Each general beside each of his units, where there is an enemy to fight."""
    for g in state.roster.generals_of[side] if state.roster.rules.leaders else ():
        at = state.gplace[g]
        if at >= 0 and state.attached[g] < 0 and has_units(state, other(side), at):
            for i in units_at(state, side, at):
                yield Attach(state.roster.generals[g].id, state.roster.units[i].id)
