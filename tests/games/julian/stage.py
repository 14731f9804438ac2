"""Small positions for clause tests: say who stands where, who holds which markers, and which dice fall.

>>> state = at(campaign("caesar-comitatenses-1 0404; alamanni-warband-1 0405"), Combats(ROMAN))
>>> after = run(state, "attack 0405", "fight", "pass", dice=[6])

The map, the units and their ids are those of the scenario "gaul": commands ``caesar``, ``equitum``,
``peditum`` and ``alamanni``, ``southern``, ``franks``; units ``<command>-<kind>-<n>``, ``garrison-<n>``,
``<people>-foederati-<n>``, ``<people>-band-<n>``; leaders by their names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from legatus.games.julian import JULIAN, battlefield
from legatus.games.julian.results import RESULTS, carry_out
from legatus.games.julian.state import (
    ASIDE,
    MARKER,
    SEATS,
    Battle,
    JulianState,
    blank,
    put,
    troops_at,
)
from legatus.kernel import Play, Refusal, Scripted, Step, apply, legal, parse_action, say, why_not
from legatus.kernel.engine import _advance
from legatus.kernel.objects import replace

OWNERS = (*SEATS, "neutral")


def campaign(
    units: str = "",
    *,
    hands: tuple[str, str] = ("", ""),
    acting: str = "",
    called: str = "",
    drawn: str = "",
    allies: str = "",
    holders: str = "",
    sacked: str = "",
    active: str = "roman",
    operating: bool = True,
    turn: int = 1,
    tp: int = 20,
    scenario: str = "gaul",
    values: Mapping[str, Any] | None = None,
    **options: bool | str,
) -> JulianState:
    """A position with no decision open yet (see ``at``), in an operations phase unless told otherwise.

    ``units``: ``ID HEX`` parted by ``;``; all others are in their pools, peoples set aside.
    ``hands``: markers of the Roman and of the barbarian, ``"agentes military"``; the pool has the rest.
    ``acting="caesar"`` activates commands, ``called="salii"`` peoples; ``drawn`` are chits used before.
    ``allies="salii=roman"``; ``holders="argentoratum=roman"``; ``sacked="lugdunum"``.
    ``values={"tax_divisor": 2}``: house figures of the test's own, in place of the scenario's.
    """
    roster, _ = battlefield.enlist(JULIAN.configure(scenario, **options))
    roster = replace(roster, values=replace(roster.values, **(values or {})))
    state = blank(roster)
    for i in (i for units in roster.of_people for i in units):
        state.cell[i] = ASIDE
    state.turn, state.tp, state.active, state.operating = turn, tp, SEATS.index(active), operating
    for name, owner in _pairs(allies):
        p = roster.people_index[name]
        state.ally[p] = OWNERS.index(owner)
        for i in roster.of_people[p]:
            state.side[i] = state.ally[p]
    for row in filter(None, map(str.strip, units.split(";"))):
        name, hex_ = row.split()
        put(state, roster.index[name], roster.grid.cells[hex_])
    for seat, hand in enumerate(hands):
        for name in hand.split():
            state.hands[seat][MARKER[name]] += 1
            state.pool[MARKER[name]] -= 1
    for name in acting.split():
        state.acting[roster.command_index[name]] = 1
        state.drawn[roster.command_index[name]] = 1
    for name in drawn.split():
        state.drawn[roster.command_index[name]] = 1
    for name in called.split():
        state.called[roster.people_index[name]] = 1
    for name, owner in _pairs(holders):
        state.holder[roster.city_index[name]] = OWNERS.index(owner)
    for name in sacked.split():
        state.sacked[roster.city_index[name]] = 1
    return state


def _pairs(text: str) -> list[list[str]]:
    return [pair.split("=") for pair in text.split()]


# --- doing ---------------------------------------------------------------------------------------


def at(state: JulianState, *steps: Step) -> JulianState:
    """The same position with these steps to do, in this order; automatic ones are not run yet."""
    state = state.copy()
    state.todo = list(reversed(steps))
    return state


def go_on(state: JulianState, dice: Sequence[int] = ()) -> Play:
    """Run what is automatic, up to the next decision; all dice must be used."""
    scripted = Scripted(dice)
    play = _advance(Play(state.copy(), scripted))
    assert not scripted.unused, f"{scripted.unused} dice were not thrown"
    return play


def do(state: JulianState, line: str, dice: Sequence[int] = ()) -> Play:
    """One action with the dice that it throws, up to the next decision.

    A marker that is drawn is told by its number in MARKERS, a chit by the number of its command.
    """
    scripted = Scripted(dice)
    play = apply(state, parse_action(JULIAN, line), scripted)
    assert not scripted.unused, f"{scripted.unused} dice were not thrown"
    return play


def run(state: JulianState, *lines: str, dice: Sequence[int] = ()) -> JulianState:
    """One action after the other; the dice go from the first to the last."""
    scripted = Scripted(dice)
    for line in lines:
        state = apply(state, parse_action(JULIAN, line), scripted).state
    assert not scripted.unused, f"{scripted.unused} dice were not thrown"
    return state


def fought(state: JulianState, result: str, hex_: str, *attackers: str) -> JulianState:
    """The active side has attacked a hex with this result; its effects are still to be carried out."""
    state = at(state)
    cell, seat = state.roster.grid.cells[hex_], state.active
    units = tuple(state.roster.index[name] for name in attackers)
    battle = Battle(
        seat, cell, units, tuple(state.cell[i] for i in units), tuple(troops_at(state, cell, 1 - seat))
    )
    state.result = RESULTS.index(result)
    carry_out(Play(state, Scripted([])), battle)
    return state


# --- asking --------------------------------------------------------------------------------------


def refusals(state: JulianState, line: str) -> list[Refusal]:
    return why_not(state, parse_action(JULIAN, line))


def clauses(state: JulianState, line: str) -> list[str]:
    """The clauses against an action, in their order; none if it is legal."""
    return [refusal.clause for refusal in refusals(state, line)]


def legal_lines(state: JulianState) -> list[str]:
    return [say(action) for action in legal(state)]


def told(play: Play) -> list[tuple[str, str]]:
    """What was told: clauses and keys."""
    return [(event.clause, event.key) for event in play.events]


def where(state: JulianState, name: str) -> str:
    """The hex of a unit, or ``pool``, ``delayed``, ``aside``, ``later``."""
    cell = state.cell[state.roster.index[name]]
    off = {-1: "pool", -2: "delayed", -3: "aside", -4: "later"}
    return state.roster.grid.names[cell] if cell >= 0 else off[cell]


def holder(state: JulianState, city: str) -> str:
    return OWNERS[state.holder[state.roster.city_index[city]]]


def ally(state: JulianState, people: str) -> str:
    return OWNERS[state.ally[state.roster.people_index[people]]]


def hand(state: JulianState, seat: str) -> dict[str, int]:
    """The markers of a hand, by their names."""
    counts: Any = state.hands[SEATS.index(seat)]
    return {name: counts[n] for name, n in MARKER.items() if counts[n]}
