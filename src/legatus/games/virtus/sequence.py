"""2 The turn: tests, activation, then combats, moves and rallies (V2a); 1.8: how the battle is won."""

from __future__ import annotations

from typing import Final

from ...kernel import Play, Step
from .capture import capture_lone_generals
from .cards import Cards, MakeHand, end_cards
from .charges import Declarations
from .generals import DevotioChoice, EndTests, TestAttached, TestGenerals
from .rally import Rallies
from .saves import Saves
from .segments import CloseSegments, Segments, StartActivation
from .state import (
    FRESH,
    LASTING,
    PLACES,
    SEATS,
    STRIDE,
    VirtusState,
    column,
    facing,
    has_units,
    is_contested,
    other,
    owner,
    reserve,
    sectors,
)
from .terrain import GROUND

SECTORS_TO_WIN = 2  # V1.8a


class Turn(Step):
    """V2a: one player's turn; the other's follows."""

    def __init__(self, side: int, number: int) -> None:
        self.side: Final = side
        self.number: Final = number

    def run(self, play: Play) -> None:
        side = self.side
        play.then(
            BeginTurn(side, self.number),
            DevotioChoice(side),
            TestAttached(side),
            Saves(side),
            TestGenerals(side),
            EndTests(side),
            MakeHand(side),
            Cards(side),
            StartActivation(side),
            Declarations(side),
            Segments(side),
            CloseSegments(side),
            Rallies(side),
            EndTurn(side),
            Turn(other(side), self.number + 1),
        )


class BeginTurn(Step):
    """V2a: forget the last turn; V8e: enemy generals found alone are captured."""

    def __init__(self, side: int, number: int) -> None:
        self.side: Final = side
        self.number: Final = number

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        state.turn, state.active = self.number, self.side
        play.tell("V2a", "event.turn", turn=self.number, side=SEATS[self.side])
        home = reserve(self.side)
        for i in state.roster.of[self.side]:
            at = state.place[i]
            state.flags[i] = state.flags[i] & LASTING | (FRESH if at == home else 0)
            state.origin[i] = at
        for g in state.roster.generals_of[self.side]:
            state.rode[g] = 0
        for segment in range(STRIDE):
            state.opened[segment] = state.crossed[segment] = 0
        capture_lone_generals(play, other(self.side))


class EndTurn(Step):
    """V2a: cards, facings and victory."""

    def __init__(self, side: int) -> None:
        self.side: Final = side

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        play.sealed = True  # what goes of the hand, or does not, tells the opponent something
        end_cards(play, self.side)
        for i in state.roster.of[self.side]:
            state.flags[i] &= LASTING  # V3.3a V6.3b: retreats and special facings are forgotten
        check_conquest(play, self.side)
        if is_stalemate(state):
            play.win(None, "V1.8d", "end.stalemate")


def check_conquest(play: Play, active: int) -> None:
    """V1.8a V1.8b: as a turn ends, what does the other player hold of the active one's camp?"""
    state: VirtusState = play.state
    rival = other(active)
    conquered = 0
    for place in (*sectors(state, 0), *sectors(state, 1)):
        if state.last[place] == rival and not has_units(state, active, place):
            if state.holder[place] != rival:
                state.holder[place] = rival
                play.tell("V1.8b", "event.conquered", side=SEATS[rival], place=PLACES[place])
            conquered += owner(place) == active
    if conquered >= SECTORS_TO_WIN:
        play.win(rival, "V1.8a", "end.conquest")


def is_stalemate(state: VirtusState) -> bool:
    """V1.8d: our ruling: drawn when neither side could ever again move, fight or bring up a unit."""
    return all(_is_stuck(state, side) for side in (0, 1))


def _is_stuck(state: VirtusState, side: int) -> bool:
    roster = state.roster
    here = [i for i in roster.of[side] if state.place[i] >= 0]
    commanded = any(state.gplace[g] >= 0 for g in roster.generals_of[side]) or any(
        column(state.place[i]) for i in here
    )
    for i in here:
        place, mobile = state.place[i], roster.units[i].mvt > 0
        if column(place) == 0:
            if mobile and commanded:
                return False
        elif mobile or is_contested(state, place) or _has_target(state, side, facing(place)):
            return False
    return True


def _has_target(state: VirtusState, side: int, place: int) -> bool:
    """V5.3b: an enemy opposite, and no woods around him."""
    return has_units(state, other(side), place) and not GROUND[state.terrain[place]].woods
