"""4 Cards, 5 Combat: segments are activated one after the other (V4.3a); the outflanking victory (V5.4e)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step
from .attack import FIGHT
from .cards import discard_laid, segment_points
from .charges import Charges
from .closing import Closing, EndOfTurn
from .combat import Fights, can_flank_from
from .generals import Ride, rides
from .moves import Moves
from .state import (
    ACTIVATED,
    CHARGING,
    RETREATED,
    SEATS,
    SEGMENT,
    SEGMENTS,
    VirtusState,
    beside,
    has_units,
    other,
    say_points,
    sector,
    units_at,
)
from .troops import advance_compelled, is_compelled


def outflank_victory(play: Play, side: int) -> None:
    """V5.4e V1.8c: won by being able to outflank an enemy sector that is empty of enemy units.

    Able means: a unit in the enemy camp that may fight this turn, and the points for it in its segment.
    V7d: if only markers stand there, whoever does not win learns that one of them is a unit.
    """
    state: VirtusState = play.state
    foe = other(side)
    for segment in range(1, state.roster.rules.columns + 1):
        place = sector(foe, segment)
        empty = [p for p in beside(state, place) if not has_units(state, foe, p)]
        masked = any(state.markers[p] for p in beside(state, place))
        if not empty and not masked:
            continue
        for i in units_at(state, side, place):
            needed = FIGHT + state.roster.units[i].surcharge
            idle = not state.flags[i] & (ACTIVATED | RETREATED | CHARGING)
            if not (idle and can_flank_from(state, i) and state.points[segment] >= needed):
                continue
            play.sealed |= masked
            if empty:
                play.tell("V5.4e", "event.open_flank", unit=state.roster.units[i].id)
                play.win(side, "V5.4e", "end.outflanked")
                return


class StartActivation(Step):
    """V4.3a V8b: each segment has the points of its card and of the general in it."""

    def __init__(self, side: int) -> None:
        self.side: Final = side

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        for segment in range(1, state.roster.rules.columns + 1):
            state.points[segment] = segment_points(state, self.side, segment)
        outflank_victory(play, self.side)


class Activate(Action):
    """V4.3a: work through a segment: fights, then charges, then moves."""

    def __init__(self, segment: str) -> None:
        self.segment: Final = segment

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        segment = SEGMENT.get(self.segment, 0)
        if not 1 <= segment <= state.roster.rules.columns:
            yield Refusal("V4b", "refusal.no_such_segment", {"segment": self.segment})
            return
        if state.opened[segment]:
            yield Refusal("V4.3a", "refusal.segment_done", {"segment": self.segment})
        elif not has_business(state, state.active, segment):
            yield Refusal("V4a", "refusal.segment_idle", {"segment": self.segment})

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        segment, side = SEGMENT[self.segment], state.active
        state.opened[segment] = 1
        play.tell("V4.3a", "event.activates", segment=self.segment, points=say_points(state.points[segment]))
        play.then(
            Fights(side, segment),
            Charges(side, segment),
            Moves(side, segment),
            CloseSegment(side, segment),
            play.taken,
        )


def has_business(state: VirtusState, side: int, segment: int) -> bool:
    """V4a: points to spend, charges to make, or an impetuous unit to advance."""
    if state.points[segment] > 0:
        return True
    places = sector(0, segment), sector(1, segment)
    return any(
        state.flags[i] & CHARGING or is_compelled(state, i)
        for i in state.roster.of[side]
        if state.place[i] in places
    )


class CloseSegment(Step):
    """V10-troops.1b V4.3a: impetuous units advance, points left are lost, the card is discarded."""

    def __init__(self, side: int, segment: int) -> None:
        self.side: Final = side
        self.segment: Final = segment

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        advance_compelled(play, self.side, self.segment)
        state.opened[self.segment] = 1
        state.points[self.segment] = 0
        discard_laid(state, self.side, self.segment)


class CloseSegments(Step):
    """V10-troops.1b: impetuous units advance also where no segment was activated."""

    def __init__(self, side: int) -> None:
        self.side: Final = side

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        left = [n for n in range(1, state.roster.rules.columns + 1) if not state.opened[n]]
        play.then(*[CloseSegment(self.side, n) for n in left])


class Segments(Closing):
    """V4.3a: which segment next?  V6.2c: generals may ride before, between and after."""

    clause = "V4.3a"
    accepts = (Activate, Ride, EndOfTurn)
    ending = EndOfTurn

    def prompt(self, state: VirtusState) -> Message:
        return Message("prompt.segments", {"side": SEATS[self.seat]})

    def is_moot(self, state: VirtusState) -> bool:
        return not self.has_choice(state)

    def unfinished(self, state: VirtusState) -> Iterator[Refusal]:
        """V5.2c: declared charges must be made."""
        for i in state.roster.of[self.seat]:
            if state.flags[i] & CHARGING:
                yield Refusal("V5.2c", "refusal.charge_waits", {"unit": state.roster.units[i].id})

    def offers(self, state: VirtusState) -> Iterator[Action]:
        for segment in range(1, state.roster.rules.columns + 1):
            if not state.opened[segment]:
                yield Activate(SEGMENTS[segment])
        yield from rides(state, self.seat)
