"""Small positions for clause tests: say what lies on the table, who stands where, and which dice fall.

>>> state = battle("A hastati 10 9", "X african-infantry 10 8.12")
>>> after = run(at(state, Fights(0)), Engage("A", "X"), dice=[CALM, 4, 4, 1, 1, ...])

Distances are in DU; x grows eastwards and y southwards.  A card is 1.76 wide and 0.88 deep.  Unless told
otherwise the attacker's units look north (0) and the defender's south (180), hands are empty, and everybody
of the side that acts is activated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from legatus.games.onus.cards import CARDS, EVENTS, ORDERS
from legatus.games.onus.kinds import kinds
from legatus.games.onus.movement import Move, Moves, Moving
from legatus.games.onus.passages import passage_at
from legatus.games.onus.scenario import FortressEntry, fortify
from legatus.games.onus.sorts import sorts
from legatus.games.onus.state import (
    ACTIVATED,
    CHARGED,
    CROSSING,
    FIELD,
    FORMATIONS,
    FOUGHT,
    IDLE,
    INSIDE,
    LIMITED,
    LOST,
    MOVED,
    NOBODY,
    REDUCED,
    SEATS,
    SHOT,
    Goals,
    Ground,
    OnusState,
    Roster,
    Rules,
    Structure,
    Unit,
    blank,
)
from legatus.games.onus.view import invariants
from legatus.kernel import Action, Decision, Message, Play, Refusal, Scripted, Step, apply, why_not
from legatus.kernel.engine import _advance
from legatus.parts.plane import Pose, Size
from legatus.parts.plane import at as point

CALM = 0  # a card whose event is "no-event"
FLAGS = {
    "activated": ACTIVATED,
    "charged": CHARGED | MOVED,
    "shot": SHOT,
    "fought": FOUGHT,
    "reduced": REDUCED | MOVED,
    "limited": LIMITED | MOVED,
    "moved": MOVED,
    "idle": IDLE,
}


class Nothing(Action):
    def refuse(self, state: Any) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        pass


class Stop(Decision):
    """The bottom of the stack: play stops here."""

    accepts = (Nothing,)

    def prompt(self, state: Any) -> Message:
        return Message("prompt.stop")

    def candidates(self, state: Any) -> list[Action]:
        return [Nothing()]


# --- a position ----------------------------------------------------------------------------------


def battle(
    attacker: str = "",
    defender: str = "",
    *,
    ground: str = "",
    structure: str = "",
    fortress: str | FortressEntry = "",
    rams: int = 0,
    size: tuple[float, float] = (20, 18),
    active: str = "attacker",
    leadership: tuple[int, int] = (6, 6),
    decks: int = 2,
    open_rivers: bool = False,
) -> OnusState:
    """A position with no decision open yet: see ``at``.

    Units, parted by ``;``: ``NAME KIND X Y [TURN] [marks]`` or ``NAME KIND in=STRUCTURE [marks]``.  Marks are
    ``general`` ``wounds=2`` ``broken`` ``fleeing`` ``lost`` ``wings=3`` ``formation=phalanx`` ``activated``
    ``charged`` ``shot`` ``fought`` ``reduced`` ``limited`` ``moved`` ``idle`` ``still`` (not activated)
    ``ram`` ``climbs=wall-1`` ``climbed=1`` ``over=FRIEND`` and, with ``in=`` a passage, ``way=144``.
    Grounds: ``NAME KIND X Y WIDTHxDEPTH [TURN]``.  Structures: ``NAME KIND X Y [TURN] [WxD] [owner=SEAT]``.
    A fortress: ``DESIGN X Y [TURN] [stone]``, its middle there and its front to the south unless told; its
    pieces come first among the structures (``wall-1``, ``gate-1``, ``tower-1``, ``corner-1``, ...).
    """
    keep, pieces = fortify(_fortress(fortress)) if fortress else (None, ())
    structures = (*pieces, *(_structure(row) for row in _rows(structure)))
    entries = [(side, row) for side, text in enumerate((attacker, defender)) for row in _rows(text)]
    roster = Roster(
        width=round(size[0] * 100),
        height=round(size[1] * 100),
        units=tuple(_unit(side, row, n, structures) for n, (side, row) in enumerate(entries)),
        grounds=tuple(_ground(row) for row in _rows(ground)),
        structures=structures,
        leadership=leadership,
        zones=((0, round(size[1] * 100) - 300, round(size[0] * 100), 300), (0, 0, round(size[0] * 100), 300)),
        goals=Goals(decks=decks),
        rules=Rules(open_rivers=open_rivers),
        keep=keep,
        rams=rams,
    )
    state = blank(roster)
    state.turn, state.active = 3, SEATS.index(active)
    for i, (side, row) in enumerate(entries):
        state.where[i] = FIELD
        state.flags[i] = ACTIVATED if side == state.active else 0
        _mark(state, i, row)
    return state


def _rows(text: str) -> Iterator[list[str]]:
    return (row.split() for row in text.split(";") if row.strip())


def _told(words: Sequence[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words if "=" in word)


def _numbers(words: Sequence[str]) -> list[float]:
    found = []
    for word in words:
        try:
            found.append(float(word))
        except ValueError:
            break
    return found


def _unit(side: int, row: list[str], n: int, structures: Sequence[Structure]) -> Unit:
    name, kind, *rest = row
    told = _told(rest)
    if "in" in told:
        home = next(one for one in structures if one.id == told["in"])
        start = Pose(home.pose.x, home.pose.y, round(float(told.get("turn", 180 * side)) * 10) % 3600)
    else:
        x, y, *turn = _numbers(rest)
        angle = turn[0] if turn else 180 * side
        start = Pose(round(x * 100), round(y * 100), round(angle * 10) % 3600)
    return Unit(name, side, kinds()[kind], n + 1, 6 if "general" in rest else 0, start)


def _ground(row: list[str]) -> Ground:
    name, kind, x, y, size, *turn = row
    wide, deep = (float(word) * 50 for word in size.split("x"))
    pose = Pose(round(float(x) * 100), round(float(y) * 100), round(float(turn[0]) * 10) if turn else 0)
    corners = ((-wide, deep), (wide, deep), (wide, -deep), (-wide, -deep))
    outline = tuple((round(a), round(b)) for a, b in (point(pose, *corner) for corner in corners))
    return Ground(name, kind, outline)


def _structure(row: list[str]) -> Structure:
    name, kind, *rest = row
    x, y, *turn = _numbers(rest)
    pose = Pose(round(x * 100), round(y * 100), round(turn[0] * 10) % 3600 if turn else 0)
    size = sorts()[kind].size
    for word in rest:
        if "x" in word and "=" not in word:
            front, deep = word.split("x")
            size = Size(round(float(front) * 100), round(float(deep) * 100))
    owner = _told(rest).get("owner", "")
    return Structure(name, kind, pose, size, SEATS.index(owner) if owner else NOBODY)


def _fortress(told: str | FortressEntry) -> FortressEntry:
    if isinstance(told, FortressEntry):
        return told
    design, *rest = told.split()
    x, y, *turn = _numbers(rest)
    material = "stone" if "stone" in rest else "wood" if "wood" in rest else ""
    return FortressEntry(at=(x, y), design=design, turn=turn[0] if turn else 180, material=material)


def _mark(state: OnusState, i: int, row: list[str]) -> None:
    told = _told(row)
    for word in row[2:]:
        state.flags[i] |= FLAGS.get(word, 0)
    if "still" in row:
        state.flags[i] &= ~ACTIVATED
    state.broken[i], state.fleeing[i] = int("broken" in row), int("fleeing" in row)
    state.wounds[i], state.wings[i] = int(told.get("wounds", 0)), int(told.get("wings", 0))
    state.formation[i] = FORMATIONS.index(told.get("formation", "plain"))
    if "in" in told:
        n = state.roster.structure_index[told["in"]]
        crosses = "bridge" in state.roster.structures[n].kind or "way" in told
        state.where[i], state.inside[i] = CROSSING if crosses else INSIDE, n
        if crosses:
            turn, state.way[i] = state.pose[i].turn, int(told.get("way", 44))
            state.pose[i] = passage_at(state, n, turn).pose_at(turn, state.way[i])
    if "climbs" in told:
        state.climbs[i] = state.roster.structure_index[told["climbs"]]
        state.climbed[i] = int(told.get("climbed", 0))
    if "over" in told:
        state.over.append((i, state.roster.index[told["over"]]))
    state.ram[i] = int("ram" in row)
    if "lost" in row:
        state.where[i] = LOST
    known = {*FLAGS, "still", "broken", "fleeing", "lost", "general", "ram"}
    wrong = [word for word in row[2:] if "=" not in word and word not in known and not _numbers([word])]
    assert not wrong, f"no such mark: {wrong}"


# --- cards ---------------------------------------------------------------------------------------


def card(order: str = "", event: str = "") -> int:
    """A card with this order or event on it."""
    assert order in ("", *ORDERS)
    assert event in ("", *EVENTS)
    return next(n for n, (one, two) in enumerate(CARDS) if order in ("", one) and event in ("", two))


def hold(state: OnusState, seat: str, *cards: int) -> OnusState:
    """The position with these cards in a hand."""
    new = state.copy()
    new.hands[SEATS.index(seat)] += cards
    for one in cards:
        new.deck[one] = 0
    return new


# --- which decision is open, and doing things ----------------------------------------------------


def at(state: OnusState, *steps: Step) -> OnusState:
    """The position with these steps next, automatic ones not run yet (``go_on`` does it)."""
    new = state.copy()
    new.todo = [Stop(new.active), *reversed(steps)]
    return new


def over(state: OnusState) -> bool:
    """Whether all that the test has set going is over."""
    return state.outcome is not None or isinstance(state.decision, Stop)


def do(state: OnusState, action: Action, dice: Sequence[int] = ()) -> Play:
    """Carry an action out with these dice and draws, which must all be used."""
    script = Scripted(dice)
    play = apply(state, action, script)
    _used(script, play.state)
    return play


def run(state: OnusState, *actions: Action, dice: Sequence[int] = ()) -> OnusState:
    """Several actions, one after the other; the dice are shared out as they are asked for."""
    script = Scripted(dice)
    for action in actions:
        state = apply(state, action, script).state
    _used(script, state)
    return state


def go_on(state: OnusState, dice: Sequence[int] = ()) -> Play:
    """Run automatic steps up to the next decision."""
    script = Scripted(dice)
    play = _advance(Play(state.copy(), script))
    _used(script, play.state)
    return play


def _used(script: Scripted, state: OnusState) -> None:
    assert script.unused == 0, f"{script.unused} dice were not asked for"
    assert list(invariants(state)) == []


def refusals(state: OnusState, action: Action) -> list[str]:
    """The clauses that forbid an action, the first one first; empty if it is legal."""
    return [refusal.clause for refusal in why_not(state, action)]


def keys(state: OnusState, action: Action) -> list[str]:
    """The same by the keys of what is said."""
    return [refusal.key for refusal in why_not(state, action)]


# --- looking at what came of it ------------------------------------------------------------------


def index(state: OnusState, name: str) -> int:
    return state.roster.index[name]


def told(play: Play) -> list[tuple[str, str]]:
    """The log lines as (clause, key)."""
    return [(event.clause, event.key) for event in play.events]


def values(play: Play, key: str) -> dict[str, Any]:
    """What the first log line with a key says."""
    return next(dict(event.values) for event in play.events if event.key == key)


def place(state: OnusState, name: str) -> tuple[float, float, float]:
    """x and y in DU, and the direction in degrees."""
    x, y, turn = state.pose[index(state, name)]
    return x / 100, y / 100, turn / 10


def wounds(state: OnusState, name: str) -> int:
    return state.wounds[index(state, name)]


def is_lost(state: OnusState, name: str) -> bool:
    return state.where[index(state, name)] == LOST


def flees(state: OnusState, name: str) -> bool:
    return bool(state.fleeing[index(state, name)])


# --- moving --------------------------------------------------------------------------------------


def moving(state: OnusState, name: str) -> OnusState:
    """The position in which a unit of the active side has begun its move."""
    return run(at(state, Moves(state.active)), Move(name))


def left(state: OnusState) -> float:
    """What the unit that moves has left, in DU."""
    assert isinstance(state.decision, Moving)
    return state.decision.left(state) / 100


def farthest(state: OnusState, piece: Callable[[int], Action]) -> float:
    """The longest piece of a move that is legal, in DU."""
    legal = [n for n in range(1, 1000) if not refusals(state, piece(n))]
    return max(legal, default=0) / 100
