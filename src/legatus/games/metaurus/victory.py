"""5 Victory: losses, what counts of them, and who has won."""

from __future__ import annotations

from ...kernel import Play
from .state import (
    CARTHAGE,
    DISORDERED,
    ELEPHANT,
    EXITED,
    GONE,
    LIGHT,
    ROME,
    MetaurusState,
    on_map,
    other,
    put,
)


def disorder(play: Play, i: int, clause: str, trampled: bool = False) -> None:
    """M4.disorder: a unit falls into disorder, or is eliminated if it was in disorder before."""
    state: MetaurusState = play.state
    if state.flags[i] & DISORDERED:
        play.tell("M4.disorder", "event.breaks", unit=state.roster.units[i].id)
        eliminate(play, i, trampled)
    else:
        state.flags[i] |= DISORDERED
        play.tell(clause, "event.disordered", unit=state.roster.units[i].id)


def eliminate(play: Play, i: int, trampled: bool = False) -> None:
    """M5.roman.ex1 M5.roman.ex2 M5.roman.ex3 M5.carthage.1: off the map, and counted if it counts.

    ``trampled``: it is a victim of the elephants.
    """
    state: MetaurusState = play.state
    unit = state.roster.units[i]
    put(state, i, GONE)
    state.flags[i] = 0
    counts = unit.side == ROME or not (trampled or unit.arm in (ELEPHANT, LIGHT))
    if counts:
        state.killed[other(unit.side)] += 1
    clause = "M5.carthage.1" if unit.side == ROME else "M5.roman"
    play.tell(clause, "event.counts" if counts else "event.counts_not", unit=unit.id)
    judge(play)


def leave(play: Play, i: int) -> None:
    """MH8.exit M5.carthage.2: out of the game by the south."""
    state: MetaurusState = play.state
    put(state, i, EXITED)
    state.flags[i] = 0
    state.exits += 1
    play.tell("MH8.exit", "event.exits", unit=state.roster.units[i].id, exits=state.exits)
    judge(play)


def judge(play: Play) -> None:
    """MH11.length: has somebody won?  Of both at the same instant the active player."""
    state: MetaurusState = play.state
    goals = state.roster.goals
    won = {
        ROME: ("M5.roman", "end.rome") if state.killed[ROME] >= goals.rome else None,
        CARTHAGE: ("M5.carthage.1", "end.carthage")
        if state.killed[CARTHAGE] >= goals.carthage
        else ("M5.carthage.2", "end.exits")
        if state.exits >= goals.exits
        else None,
    }
    for side in (state.active, other(state.active)):
        reason = won[side]
        if reason is not None:
            play.win(side, *reason)
            return
    if state.turn and not (on_map(state, ROME) and on_map(state, CARTHAGE)):
        time_out(play)


def time_out(play: Play) -> None:
    """MH12.time_out: the higher part of what was to be done wins; equal parts are Rome's."""
    state: MetaurusState = play.state
    goals = state.roster.goals
    # fractions with the same denominator: killed / rome against killed / carthage and exits / exits
    rome = state.killed[ROME] * goals.carthage * goals.exits
    carthage = goals.rome * max(state.killed[CARTHAGE] * goals.exits, state.exits * goals.carthage)
    if carthage > rome:
        play.win(CARTHAGE, "MH12.time_out", "end.carthage_on_time")
    else:
        play.win(ROME, "MH12.time_out", "end.rome_on_time")
