"""Small positions for clause tests: say who stands where, whose wing acts, and which dice fall.

>>> state = acting(battle("A spear 0505 winded", "X orc 0501"), "boar")
>>> after = run(state, "rest A", dice=[3, 4])

The map is 12 columns by 12 rows, Clear and Outdoor, and the weather fair, unless told otherwise.  The six
neighbours of 0505 (an odd row) are NE 0604, E 0605, SE 0606, SW 0506, W 0405, NW 0504; those of 0506 (an even
row) are NE 0505, E 0606, SE 0507, SW 0407, W 0406, NW 0405.  Unless told otherwise the League faces ``n``
and the Horde ``s``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from legatus.games.formations import FORMATIONS
from legatus.games.formations.activation import WingTurn
from legatus.games.formations.state import (
    ACTIVATED,
    CHARACTER,
    CHARGED,
    CONTACT,
    DIFFICULT,
    FLYING,
    FORMATION,
    FOUGHT,
    INFILTRATING,
    INSTRUCTIONS,
    MODES,
    MOVED,
    NOBODY,
    ORDERED,
    ROUGH,
    SEATS,
    SIMPLE,
    WEATHERS,
    WHOLE,
    Device,
    FormationsState,
    Piece,
    Prize,
    Roster,
    Rules,
    Type,
    Wing,
    blank,
)
from legatus.games.formations.turn import FirstChoice
from legatus.games.formations.units import cells_of, remove, stack
from legatus.kernel import Play, Refusal, Scripted, Step, apply, legal, parse_action, say, why_not
from legatus.kernel.engine import _advance
from legatus.kernel.objects import replace
from legatus.parts.hexes import CORNERS, grid

WINGS = tuple(
    Wing(name, side, name, name) for name, side in (("boar", 0), ("heron", 0), ("black", 1), ("red", 1))
)
NUMBER = {wing.id: w for w, wing in enumerate(WINGS)}

# The types of AH26.scenario; either side can have any of them.
TYPES: dict[str, dict[str, Any]] = {
    "spear": {"manoeuvre": True, "profile": "superior"},
    "guard": {
        "capacity": "superior",
        "morale": "elite",
        "move": "heavy-foot",
        "manoeuvre": True,
        "profile": "superior",
    },
    "archer": {"capacity": "mediocre", "range": 4, "profile": "mediocre"},
    "forester": {"small": True, "capacity": "superior", "range": 3},
    "orc": {"profile": "ordinary"},
    "goblin": {"small": True, "capacity": "poor", "morale": "fragile", "range": 3},
    "wolf": {"capacity": "mediocre", "weapon": "bestial", "morale": "fragile", "move": "mounted"},
    "troll": {"capacity": "superior", "weapon": "monstrous", "move": "monster", "regeneration": True},
    "drake": {"capacity": "exceptional", "weapon": "dragon", "morale": "elite", "move": "monster"},
}
LEADERS = ("leader", "chief")

# A word of a unit, the column that it sets and to what; flags are bits and add up.
FLAGS = {
    "activated": ACTIVATED,
    "moved": MOVED,
    "contact": CONTACT,
    "charged": CHARGED,
    "ordered": ORDERED,
    "fought": FOUGHT,
}
LEVELS = {"fatigue": ("fresh", "winded", "exhausted"), "cohesion": ("steady", "shaken", "rout")}
LEVELS |= {"ammo": ("full", "diminished", "spent")}
POSITIONS = {"flying": FLYING, "infiltrating": INFILTRATING}
FIRES = ("none", "start", "blaze", "new")


# --- a position ----------------------------------------------------------------------------------


def battle(
    league: str = "",
    horde: str = "",
    *,
    types: str = "",
    instructions: str = "",
    rough: str = "",
    difficult: str = "",
    inflammable: str = "",
    indoor: str = "",
    fire: str = "",
    stakes: str = "",
    weather: str = "fair",
    sources: str = "",
    devices: str = "",
    without: str = "",
    columns: int = 12,
    rows: int = 12,
    active: str = "league",
    turn: int = 3,
    prize: Prize | None = None,
) -> FormationsState:
    """A position of turn 3 with no decision open yet: see ``acting`` and ``at``.

    Units, parted by ``;``, the foremost of a hex first: ``NAME TYPE HEX [FACING] [wing=heron] [steps=1]
    [full=2] [winded] [exhausted] [shaken] [rout] [diminished] [spent] [flying] [infiltrating] [activated]
    [moved] [contact] [charged] [ordered] [fought]``.  Without a wing they are of the boar or of the black.
    A simple troop has two steps unless told otherwise; ``full`` is what it had at first, two as well.
    A formation has two hexes, in any order, and six steps: ``F spear 0505+0605 steps=8 mode=tortoise``.
    The leader of a wing is ``L leader HEX [wing=heron] [command=1]``, the commander in chief ``M chief HEX``;
    nobody is there who is not named.  ``gone`` takes a unit off the map again: it is lost.
    ``types="brute orc capacity=poor small"`` adds a type that is like another one, but for what follows.
    ``instructions="boar=regroup red=hold"`` (else advance); ``fire="0505=start 0506=blaze"`` (or ``new``);
    ``stakes="0505=n"``; ``sources="league=0505"``; ``devices="winch 0505 difficulty=3 points=2"``;
    ``rough``, ``difficult``, ``inflammable``, ``indoor`` are lists of hexes; ``without="fire stakes"``
    switches options off; ``weather=""`` leaves the weather to dice.
    """
    field = grid(columns, rows)
    known = _types(types)
    made: dict[tuple[str, int], Type] = {}
    entries: list[tuple[int, list[str]]] = [
        (side, words) for side, text in enumerate((league, horde)) for words in _rows(text)
    ]
    for side, words in entries:
        name = words[1]
        if name not in LEADERS and (name, side) not in made:
            key = name if (name, 1 - side) not in made else f"{name}-{SEATS[side]}"
            made[name, side] = Type(key=key, side=side, name_en=name, name_fr=name, **known[name])
    all_types = (*made.values(), *(_leader_type(side) for side in (0, 1)))
    numbers = {key: n for n, key in enumerate(made)}
    pieces = tuple(
        _piece(side, words, numbers, len(made), depth) for depth, (side, words) in enumerate(entries)
    )
    pieces = tuple(
        replace(piece, cells=_left_first(piece, words[2], columns, rows))
        for piece, (_, words) in zip(pieces, entries, strict=True)
    )
    terrain = [0] * field.size
    for kind, names in ((ROUGH, rough), (DIFFICULT, difficult)):
        for name in names.split():
            terrain[field.cells[name]] = kind
    given = dict(_pairs(sources))
    off = without.split()
    roster = Roster(
        types=all_types,
        wings=WINGS,
        pieces=pieces,
        columns=columns,
        rows=rows,
        terrain=tuple(terrain),
        inflammable=tuple(field.cells[name] for name in inflammable.split()),
        indoor=tuple(field.cells[name] for name in indoor.split()),
        sources=tuple(field.cells[given[seat]] if seat in given else NOBODY for seat in SEATS),
        edges=(rows - 1, 0),
        weather=WEATHERS.index(weather) if weather else NOBODY,
        devices=tuple(_device(*words, cells=field.cells) for words in _rows(devices)),
        prize=prize or Prize(),
        rules=Rules(fire="fire" not in off, stakes="stakes" not in off),
    )
    state = blank(roster)
    state.turn, state.active = turn, SEATS.index(active)
    for i, (_, words) in enumerate(entries):
        _mark(state, i, words[3:])
    for name, word in _pairs(instructions):
        state.instruction[NUMBER[name]] = INSTRUCTIONS.index(word)
    for name, word in _pairs(fire):
        state.fire[field.cells[name]] = FIRES.index(word)
    for name, word in _pairs(stakes):
        state.stakes[field.cells[name]] = CORNERS.index(word)
    return state


def _rows(text: str) -> Iterator[list[str]]:
    return (row.split() for row in text.split(";") if row.strip())


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    return ((a, b) for a, _, b in (pair.partition("=") for pair in text.split()))


def _told(words: Sequence[str]) -> dict[str, str]:
    return dict(_pairs(" ".join(word for word in words if "=" in word)))


def _types(text: str) -> dict[str, dict[str, Any]]:
    known = dict(TYPES)
    for name, base, *words in _rows(text):
        own: dict[str, Any] = {word: True for word in words if "=" not in word}
        for key, value in _told(words).items():
            own[key] = int(value) if value.isdigit() else {"no": False, "none": ""}.get(value, value)
        known[name] = {**known[base], **own}
    return known


def _leader_type(side: int) -> Type:
    """AH28.characters."""
    return Type(
        key=f"leader-{SEATS[side]}",
        side=side,
        name_en="Leader",
        name_fr="Chef",
        small=True,
        capacity="superior",
        move="character",
        character=True,
    )


def _piece(side: int, words: list[str], numbers: dict[tuple[str, int], int], n: int, depth: int) -> Piece:
    name, kind, place, *marks = words
    told = _told(marks)
    facing = next((mark for mark in marks if mark in CORNERS), "s" if side else "n")
    wing = NUMBER[told.get("wing", "black" if side else "boar")]
    if kind in LEADERS:
        command = int(told.get("command", "1"))
        of = NOBODY if kind == "chief" else wing
        return Piece(name, n + side, of, CHARACTER, 0, (), CORNERS.index(facing), command, name, name)
    shape = FORMATION if "+" in place else SIMPLE
    return Piece(
        id=name,
        type=numbers[kind, side],
        wing=wing,
        kind=shape,
        steps=int(told.get("steps", "6" if shape == FORMATION else WHOLE)),
        cells=(),
        facing=CORNERS.index(facing),
        name_en=name,
        name_fr=name,
        mode=MODES.index(told.get("mode", "march")),
        position=next((POSITIONS[mark] for mark in marks if mark in POSITIONS), 0),
        depth=depth,
    )


def _left_first(piece: Piece, place: str, columns: int, rows: int) -> tuple[int, ...]:
    field = grid(columns, rows)
    cells = tuple(field.cells[name] for name in place.split("+"))
    if len(cells) == 2 and field.neighbours[cells[0]][(piece.facing + 2) % 6] != cells[1]:
        cells = (cells[1], cells[0])
        assert field.neighbours[cells[0]][(piece.facing + 2) % 6] == cells[1], f"{piece.id}: no line"
    return cells


def _device(name: str, place: str, *words: str, cells: dict[str, int]) -> Device:
    told = _told(words)
    return Device(
        name, cells[place], int(told.get("difficulty", "0")), int(told.get("points", "1")), name, name
    )


def _mark(state: FormationsState, i: int, words: Sequence[str]) -> None:
    for word in words:
        if word in FLAGS:
            state.flags[i] |= FLAGS[word]
        for column, levels in LEVELS.items():
            if word in levels:
                getattr(state, column)[i] = levels.index(word)
    told = _told(words)
    if "full" in told or state.kind[i] == SIMPLE:
        state.full[i] = int(told.get("full", WHOLE))
    known = {*FLAGS, *POSITIONS, *CORNERS, "gone"} | {word for levels in LEVELS.values() for word in levels}
    wrong = [word for word in words if "=" not in word and word not in known]
    assert not wrong, f"no such mark: {wrong}"
    if "gone" in words:
        remove(state, i)


# --- which decision is open ----------------------------------------------------------------------


def at(state: FormationsState, *steps: Step) -> FormationsState:
    """The position with these steps next.  Below them lies a choice that needs no dice: play stops there.

    Automatic steps are not run yet (``go_on`` does it); ``over`` tells whether play has come to the bottom.
    """
    new = state.copy()
    new.todo = [FirstChoice(new.active), *reversed(steps)]
    return new


def acting(state: FormationsState, wing: str = "boar") -> FormationsState:
    """The units of this wing act; its side is the active one.  When all have acted play is ``over``."""
    w = NUMBER[wing]
    state = at(state, WingTurn(WINGS[w].side, w))
    state.active = WINGS[w].side
    state.done[w] = 1
    return state


def over(state: FormationsState) -> bool:
    """Whether all that the test has set going is over."""
    return len(state.todo) == 1 and isinstance(state.decision, FirstChoice)


# --- doing things --------------------------------------------------------------------------------


def do(state: FormationsState, line: str, dice: Sequence[int] = ()) -> Play:
    """Carry an action out with these dice, which must all be used: ``leave F 0505>0605``, ``break F 3``."""
    script = Scripted(dice)
    play = apply(state, parse_action(FORMATIONS, line), script)
    _used(script, play.state)
    return play


def run(state: FormationsState, *lines: str, dice: Sequence[int] = ()) -> FormationsState:
    """Several actions, one after the other; the dice are shared out as they are asked for."""
    script = Scripted(dice)
    for line in lines:
        state = apply(state, parse_action(FORMATIONS, line), script).state
    _used(script, state)
    return state


def totals(state: FormationsState, line: str, done: Callable[[FormationsState], bool]) -> set[int]:
    """The totals of two dice with which ``done`` holds after the action; all ways to throw one must agree."""
    found: dict[int, set[bool]] = {}
    for one, two in product(range(1, 7), repeat=2):
        found.setdefault(one + two, set()).add(done(do(state, line, (one, two)).state))
    assert all(len(held) == 1 for held in found.values()), found
    return {total for total, held in found.items() if held == {True}}


def go_on(state: FormationsState, dice: Sequence[int] = ()) -> Play:
    """Run automatic steps up to the next decision."""
    script = Scripted(dice)
    play = _advance(Play(state.copy(), script))
    _used(script, play.state)
    return play


def _used(script: Scripted, state: FormationsState) -> None:
    assert script.unused == 0, f"{script.unused} dice were not asked for"
    assert list(FORMATIONS.invariants(state)) == []


def refusals(state: FormationsState, line: str) -> list[str]:
    """The clauses that forbid an action, the first one first; empty if it is legal."""
    return [refusal.clause for refusal in refused(state, line)]


def refused(state: FormationsState, line: str) -> list[Refusal]:
    return why_not(state, parse_action(FORMATIONS, line))


def terms(state: FormationsState, line: str) -> list[tuple[str, int]]:
    """What is added to the dice of an action: the clauses and the numbers."""
    return [(term.clause, term.value) for term in parse_action(FORMATIONS, line).terms(state)]


def legal_lines(state: FormationsState) -> list[str]:
    return [say(action) for action in legal(state)]


# --- looking at what came of it ------------------------------------------------------------------


def told(play: Play) -> list[tuple[str, str]]:
    """The log lines as (clause, key)."""
    return [(event.clause, event.key) for event in play.events]


def index(state: FormationsState, name: str) -> int:
    return state.ids.index(name)


def units(state: FormationsState) -> list[str]:
    """All that is on the map; new units come last."""
    return [name for name, cell in zip(state.ids, state.cell, strict=True) if cell >= 0]


def place(state: FormationsState, name: str) -> str:
    """``0505``, for a formation ``0505+0605`` with its left hex first, or ``gone``."""
    i = index(state, name)
    cells = [cell for cell in cells_of(state, i) if cell >= 0]
    return "+".join(state.roster.grid.names[cell] for cell in cells) or "gone"


def pile(state: FormationsState, place: str) -> list[str]:
    """Who is in a hex, the foremost first."""
    return [state.ids[i] for i in stack(state, state.roster.grid.cells[place])]


def facing(state: FormationsState, name: str) -> str:
    return CORNERS[state.facing[index(state, name)]]


def steps(state: FormationsState, name: str) -> int:
    return state.steps[index(state, name)]


def mode(state: FormationsState, name: str) -> str:
    return MODES[state.mode[index(state, name)]]


def wing(state: FormationsState, name: str) -> str:
    return WINGS[state.wing[index(state, name)]].id


def marks(state: FormationsState, name: str) -> set[str]:
    """All that is not as at first: ``{"winded", "activated"}``."""
    i = index(state, name)
    found = {word for word, flag in FLAGS.items() if state.flags[i] & flag}
    found |= {levels[n] for column, levels in LEVELS.items() if (n := getattr(state, column)[i])}
    return found | {word for word, number in POSITIONS.items() if state.position[i] == number}


def fire(state: FormationsState, place: str) -> str:
    return FIRES[state.fire[state.roster.grid.cells[place]]]


def stakes(state: FormationsState, place: str) -> str:
    """The facing of the marker in a hex, or ``""``."""
    corner = state.stakes[state.roster.grid.cells[place]]
    return CORNERS[corner] if corner >= 0 else ""


def decision(state: FormationsState) -> Any:
    return state.decision
