"""Small positions for clause tests: say who stands where, which decision is open, and which dice fall.

>>> state = combats(battle("A LEGION 0505", "X MI 0504"), "red")
>>> after = run(state, "attack A X", dice=[4])

The map is 12 columns by 12 rows, clear and level unless told otherwise.  The six neighbours of 0505 (an odd
row) are NE 0604, E 0605, SE 0606, SW 0506, W 0405, NW 0504; those of 0506 (an even row) are NE 0505, E 0606,
SE 0507, SW 0407, W 0406, NW 0405.  Romans face ``n`` unless told otherwise and Carthaginians ``s``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from legatus.games.metaurus import METAURUS
from legatus.games.metaurus.activation import Activations
from legatus.games.metaurus.combat import Combats
from legatus.games.metaurus.force import ALL, Force
from legatus.games.metaurus.movement import Moves
from legatus.games.metaurus.state import (
    ATTACKED,
    DISORDERED,
    EXITED,
    GONE,
    MOVED,
    ORDER,
    ORDERS,
    SEATS,
    Goals,
    Group,
    MetaurusState,
    Roster,
    Rules,
    Unit,
    blank,
    engage,
    put,
)
from legatus.games.metaurus.turn import FirstChoice
from legatus.kernel import Play, Refusal, Scripted, Step, apply, legal, parse_action, say, why_not
from legatus.kernel.engine import _advance
from legatus.parts.hexes import CORNERS, grid

GROUPS = (
    Group("red", 0, "colour"),
    Group("orange", 0, "colour"),
    Group("purple", 0, "colour"),
    Group("roman-horse", 0, "horse"),
    Group("white", 1, "colour"),
    Group("yellow", 1, "colour"),
    Group("green", 1, "colour", gallic=True),
    Group("punic-horse", 1, "horse"),
    Group("elephants", 1, "elephant"),
)
NUMBER = {group.id: g for g, group in enumerate(GROUPS)}
NUMBERS = {"EL": (5, 4), "CAV": (6, 7), "LEGION": (7, 4), "HI": (7, 4), "MI": (6, 4), "LI": (5, 5)}
FLAGS = {"disordered": DISORDERED, "moved": MOVED, "attacked": ATTACKED}


# --- a position ----------------------------------------------------------------------------------


def battle(
    rome: str = "",
    carthage: str = "",
    *,
    orders: str = "",
    shown: str = "",
    engaged: str = "",
    hills: str = "",
    forests: str = "",
    rivers: str = "",
    columns: int = 12,
    rows: int = 12,
    active: str = "rome",
    turn: int = 3,
    reserves: bool = False,
    goals: Goals | None = None,
    zones: tuple[tuple[int, int], ...] = (),
    **rules: bool,
) -> MetaurusState:
    """A position of turn 3 with no decision open yet: see ``at``, ``combats``, ``moves``, ``activations``.

    Units, parted by ``;``: ``NAME ARM HEX [FACING] [group=red] [morale=7] [move=4] [disordered] [moved]
    [attacked]``.  Without a group they are red or white, or yellow if they are MI.
    ``orders="red=move white=stand"`` lays markers, face down but for those named in ``shown="red white"``.
    ``engaged="A-X B-X"``; ``hills="0504=1 0505=2"``; ``forests="0504 0505"``; ``rivers="0504-0505"``.
    ``reserves`` puts a legion RR (purple) and a heavy PP (green) into the eastern corners of the map, so that
    the last one of a small fight can fall without the end of the game.
    ``rules``: ``gauls``, ``all_markers``, ``lifted``.
    """
    field = grid(columns, rows)
    if reserves:
        rome += f"; RR LEGION {columns - 1:02}{rows - 1:02} n group=purple"
        carthage += f"; PP HI {columns - 1:02}00 s group=green"
    units, flags = list[Unit](), list[int]()
    for side, text in enumerate((rome, carthage)):
        for words in _rows(text):
            unit, flag = _unit(side, *words, cells=field.cells)
            units.append(unit)
            flags.append(flag)
    levels = [0] * field.size
    for name, level in _pairs(hills, "="):
        levels[field.cells[name]] = int(level)
    roster = Roster(
        units=tuple(units),
        groups=GROUPS,
        columns=columns,
        rows=rows,
        levels=tuple(levels),
        forests=tuple(field.cells[name] for name in forests.split()),
        rivers=tuple((field.cells[a], field.cells[b]) for a, b in _pairs(rivers, "-")),
        goals=goals or Goals(),
        rules=Rules(**rules),
        zones=zones,
    )
    state = blank(roster)
    state.turn, state.active = turn, SEATS.index(active)
    for i, unit in enumerate(units):
        put(state, i, unit.start)
    state.flags = flags
    for name, order in _pairs(orders, "="):
        state.order[NUMBER[name]] = ORDER[order]
    for name in shown.split():
        state.shown[NUMBER[name]] = 1
    state.was, state.was_shown = state.order[:], state.shown[:]
    for a, b in _pairs(engaged, "-"):
        engage(state, index(state, a), index(state, b))
    return state


def _rows(text: str) -> Iterator[list[str]]:
    return (row.split() for row in text.split(";") if row.strip())


def _pairs(text: str, mark: str) -> Iterator[list[str]]:
    return (pair.split(mark) for pair in text.split())


def _unit(side: int, name: str, arm: str, place: str, *marks: str, cells: dict[str, int]) -> tuple[Unit, int]:
    told = dict(mark.split("=") for mark in marks if "=" in mark)
    words = [mark for mark in marks if "=" not in mark]
    facing = next((word for word in words if word in CORNERS), "s" if side else "n")
    morale, move = NUMBERS[arm]
    home = "red" if side == 0 else "yellow" if arm == "MI" else "white"
    unit = Unit(
        id=name,
        side=side,
        arm=arm,
        group=NUMBER[told.get("group", home)],
        morale=int(told.get("morale", morale)),
        move=int(told.get("move", move)),
        name_en=name,
        name_fr=name,
        number=0,
        start=cells[place],
        facing=CORNERS.index(facing),
    )
    return unit, sum(FLAGS[word] for word in words if word not in CORNERS)


# --- which decision is open ----------------------------------------------------------------------


def at(state: MetaurusState, *steps: Step) -> MetaurusState:
    """The position with these steps next.  Below them lies a choice that needs no dice: play stops there.

    Automatic steps are not run yet (``go_on`` does it); ``over`` tells whether play has come to the bottom.
    """
    new = state.copy()
    new.todo = [FirstChoice(new.active), *reversed(steps)]
    return new


def over(state: MetaurusState) -> bool:
    """Whether all that the test has set going is over."""
    return len(state.todo) == 1 and isinstance(state.decision, FirstChoice)


def force(state: MetaurusState, *groups: str, part: int = ALL) -> Force:
    """These groups of the active side in one activation."""
    return Force(state.active, tuple(NUMBER[name] for name in groups), part)


def combats(state: MetaurusState, *groups: str) -> MetaurusState:
    """The moves of these groups of the active side (of all, if none is named) are over: now they fight."""
    groups = groups or tuple(group.id for group in GROUPS if group.side == state.active)
    return at(state, Combats(state.active, force(state, *groups)))


def moves(state: MetaurusState, *groups: str) -> MetaurusState:
    """These groups are about to move, and then to fight."""
    one = force(state, *groups)
    return at(state, Moves(state.active, one), Combats(state.active, one))


def activations(state: MetaurusState) -> MetaurusState:
    """The active side chooses the group that it activates."""
    return at(state, Activations(state.active))


# --- doing things --------------------------------------------------------------------------------


def do(state: MetaurusState, line: str, dice: Sequence[int] = ()) -> Play:
    """Carry an action out with these dice (0 to 9), all of which must be used; ``attack A X B>C``."""
    script = Scripted(dice)
    play = apply(state, parse_action(METAURUS, line), script)
    _used(script, play.state)
    return play


def run(state: MetaurusState, *lines: str, dice: Sequence[int] = ()) -> MetaurusState:
    """Several actions, one after the other; the dice are shared out as they are asked for."""
    script = Scripted(dice)
    for line in lines:
        state = apply(state, parse_action(METAURUS, line), script).state
    _used(script, state)
    return state


def go_on(state: MetaurusState, dice: Sequence[int] = ()) -> Play:
    """Run automatic steps up to the next decision."""
    script = Scripted(dice)
    play = _advance(Play(state.copy(), script))
    _used(script, play.state)
    return play


def _used(script: Scripted, state: MetaurusState) -> None:
    assert script.unused == 0, f"{script.unused} dice were not asked for"
    assert list(METAURUS.invariants(state)) == []


def refusals(state: MetaurusState, line: str) -> list[str]:
    """The clauses that forbid an action, the first one first; empty if it is legal."""
    return [refusal.clause for refusal in refused(state, line)]


def refused(state: MetaurusState, line: str) -> list[Refusal]:
    return why_not(state, parse_action(METAURUS, line))


def legal_lines(state: MetaurusState) -> list[str]:
    return [say(action) for action in legal(state)]


# --- looking at what came of it ------------------------------------------------------------------


def told(play: Play) -> list[tuple[str, str]]:
    """The log lines as (clause, key)."""
    return [(event.clause, event.key) for event in play.events]


def index(state: MetaurusState, name: str) -> int:
    return state.roster.index[name]


def place(state: MetaurusState, name: str) -> str:
    """The hex of a unit, or ``gone``, ``exited`` or ``waiting``."""
    cell = state.cell[index(state, name)]
    return (
        state.roster.grid.names[cell] if cell >= 0 else {GONE: "gone", EXITED: "exited"}.get(cell, "waiting")
    )


def facing(state: MetaurusState, name: str) -> str:
    return CORNERS[state.facing[index(state, name)]]


def disordered(state: MetaurusState, name: str) -> bool:
    return bool(state.flags[index(state, name)] & DISORDERED)


def engaged(state: MetaurusState) -> set[str]:
    """Who is engaged with whom: ``{"A-X", "B-X"}``, the Roman first."""
    ids = [unit.id for unit in state.roster.units]
    return {f"{ids[a]}-{ids[b]}" for a, b in state.links}


def order(state: MetaurusState, group: str) -> str:
    return ORDERS[state.order[NUMBER[group]]]


def decision(state: MetaurusState) -> Any:
    return state.decision
