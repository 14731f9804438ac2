"""Small positions for clause tests: say who stands where, which decision is open, and which dice fall.

>>> state = battle(rome="A legionaries rome1", barbarians="X warriors rome1 vc=2")
>>> play = do(fights(state, 1, points=1), "fight A", dice=[1, 2, 6, 6])
>>> play.state.tokens[unit(play.state, "X")]
'ww'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.army import TYPES, UnitEntry
from legatus.games.virtus.cards import Cards, MakeHand
from legatus.games.virtus.charges import Charges, Declarations
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.moves import Moves
from legatus.games.virtus.rally import Rallies
from legatus.games.virtus.recruit import RIVERS, _unit
from legatus.games.virtus.saves import Saves
from legatus.games.virtus.segments import CloseSegments, Segments, StartActivation
from legatus.games.virtus.sequence import BeginTurn, EndTurn, Turn
from legatus.games.virtus.state import (
    CARD,
    CARDS,
    DECK,
    FACEDOWN,
    FORMATIONS,
    KINDS,
    PLACE,
    PLACES,
    SEATS,
    STRIDE,
    General,
    Roster,
    Rules,
    Unit,
    VirtusState,
    blank,
    put,
    reserve,
)
from legatus.kernel import Play, Refusal, Scripted, Step, apply, parse_action, why_not
from legatus.kernel.codec import verb
from legatus.kernel.engine import _advance
from legatus.kernel.objects import replace

Marks = dict[str, str]


def _rows(text: str) -> list[tuple[list[str], Marks, list[str]]]:
    """``A legionaries rome1 vc=2 elite`` as (words, {vc: 2}, [elite])."""
    rows = []
    for line in text.replace(";", "\n").splitlines():
        words = line.split()
        if words:
            marks = dict(w.split("=") for w in words[2:] if "=" in w)
            rows.append((words, marks, [w for w in words[3:] if "=" not in w]))
    return rows


def battle(
    rome: str = "",
    barbarians: str = "",
    *,
    generals: str = "",
    terrain: dict[str, str] | None = None,
    camps: Sequence[str] = (),
    rivers: dict[str, str] | None = None,
    holder: dict[str, str] | None = None,
    columns: int = 3,
    active: str = "rome",
    pips: bool = False,
    attrition: bool = False,
    leaders: bool = True,
    decoys: str = "equal",
    bought: tuple[int, int] = (0, 0),
    **options: bool | str,
) -> VirtusState:
    """A position of turn 5, with no decision open yet: see ``fights``, ``moves`` and the others below.

    Units, one a line or parted by ``;``: ``NAME TYPE PLACE [vc=2] [tokens=ww] [form=testudo] [elite]``
    Generals: ``NAME SIDE PLACE [tokens=2] [with=A] [chief] [superior] [charismatic] [hero] [devotio]``
    """
    units, where = list[Unit](), list[tuple[str, Marks]]()
    for side, text in enumerate((rome, barbarians)):
        for (name, kind, place, *_), marks, flags in _rows(text):
            entry = UnitEntry(type=kind, **dict.fromkeys(flags, True))
            made = _unit(TYPES[kind], entry, side, len(units) + 1, {**dict(options)})
            units.append(replace(made, id=name))
            where.append((place, marks))
    lords = tuple(
        General(id=words[0], side=SEATS.index(words[1]), name=words[0], **dict.fromkeys(flags, True))
        for words, _, flags in sorted(_rows(generals), key=lambda row: SEATS.index(row[0][1]))
    )
    limits = [0] * STRIDE
    for segment, kind in (rivers or {}).items():
        limits[int(segment[-1])] = RIVERS[kind]
    rules = Rules(columns, pips, attrition, leaders, decoys)
    state = blank(Roster(tuple(units), lords, rules, tuple(limits), bought))
    state.turn, state.active = 5, SEATS.index(active)
    for place, ground in (terrain or {}).items():
        state.terrain[PLACE[place]] = ground
    for place in camps:
        state.camp[PLACE[place]] = 1
    for place, side in (holder or {}).items():
        state.holder[PLACE[place]] = SEATS.index(side)
    for i, (place, marks) in enumerate(where):
        put(state, i, PLACE[place])
        state.origin[i] = PLACE[place]
        state.vc[i] = int(marks.get("vc", state.vc[i]))
        state.tokens[i] = marks.get("tokens", "")
        state.form[i] = FORMATIONS.index(marks.get("form", "normal"))
    for words, marks, _ in _rows(generals):
        g = state.roster.general_index[words[0]]
        state.gplace[g] = PLACE[words[2]]
        state.gtokens[g] = int(marks.get("tokens", 0))
        if "with" in marks:
            state.attached[g] = state.roster.index[marks["with"]]
    return state


def unit(state: VirtusState, name: str) -> int:
    return state.roster.index[name]


def general(state: VirtusState, name: str) -> int:
    return state.roster.general_index[name]


def give_hand(state: VirtusState, side: str, *cards: str) -> VirtusState:
    """Put these cards into a hand; the pile holds the rest of the deck."""
    base = SEATS.index(side) * KINDS
    state.hand[base : base + KINDS] = [0] * KINDS
    for card in cards:
        state.hand[base + CARD[card]] += 1
    if not state.roster.rules.pips:
        for kind in range(KINDS):
            used = state.hand[base + kind] + state.discard[base + kind] + state.removed[base + kind]
            state.pile[base + kind] = DECK[kind] - used
    return state


# --- which decision is open ----------------------------------------------------------------------


def at(state: VirtusState, *steps: Step) -> VirtusState:
    """The position with these steps next; after them comes the opponent's turn."""
    new = state.copy()
    new.todo = [Turn(1 - new.active, new.turn + 1), *reversed(steps)]
    return new


def fights(state: VirtusState, segment: int, points: int = 9) -> VirtusState:
    new = at(state, Fights(state.active, segment))
    new.points[segment] = points
    return new


def charges(state: VirtusState, segment: int) -> VirtusState:
    return at(state, Charges(state.active, segment))


def moves(state: VirtusState, segment: int, points: int = 9) -> VirtusState:
    new = at(state, Moves(state.active, segment))
    new.points[segment] = points
    return new


def declares(state: VirtusState, points: dict[int, int]) -> VirtusState:
    new = at(state, Declarations(state.active), Segments(state.active), CloseSegments(state.active))
    for segment, number in points.items():
        new.points[segment] = number
    return new


def segments(state: VirtusState, points: dict[int, int] | None = None) -> VirtusState:
    new = at(
        state,
        Segments(state.active),
        CloseSegments(state.active),
        Rallies(state.active),
        EndTurn(state.active),
    )
    for segment, number in (points or {}).items():
        new.points[segment] = number
    return new


def tests(state: VirtusState) -> VirtusState:
    """The active side's units are about to be tested, one decision at a time."""
    return at(state, Saves(state.active))


def whole_turn(state: VirtusState) -> VirtusState:
    """The active side's turn from its very beginning; run it on with ``go_on``."""
    new = state.copy()
    new.todo = [Turn(state.active, state.turn)]
    return new


def hand_and_cards(state: VirtusState) -> VirtusState:
    """The hand is about to be made up; then cards are laid; then segments, and the turn's end."""
    side = state.active
    rest = (Declarations(side), Segments(side), CloseSegments(side), Rallies(side), EndTurn(side))
    return at(state, MakeHand(side), Cards(side), StartActivation(side), *rest)


def rallies(state: VirtusState) -> VirtusState:
    """The rally step of a turn that has just begun (units in reserve are fresh)."""
    begun = go_on(at(state, BeginTurn(state.active, state.turn), Rallies(state.active))).state
    return begun if isinstance(begun, VirtusState) else state


def home(side: int) -> int:
    return reserve(side)


# --- doing things --------------------------------------------------------------------------------


def _ending(state: VirtusState, line: str) -> str:
    """``done`` ends whatever is open, be it a step, a segment or the turn."""
    ending = getattr(state.decision, "ending", None)
    return verb(ending) if line == "done" and ending is not None else line


def do(state: VirtusState, line: str, dice: Sequence[int] = ()) -> Play:
    """Carry an action out with these dice, all of which must be used."""
    script = Scripted(dice)
    play = apply(state, parse_action(VIRTUS, _ending(state, line)), script)
    assert script.unused == 0, f"{script.unused} dice were not asked for"
    return play


def run(state: VirtusState, *lines: str, dice: Sequence[int] = ()) -> VirtusState:
    """Several actions, one after the other; the dice are shared out as they are asked for."""
    script = Scripted(dice)
    for line in lines:
        state = apply(state, parse_action(VIRTUS, _ending(state, line)), script).state
    assert script.unused == 0, f"{script.unused} dice were not asked for"
    return state


def go_on(state: VirtusState, dice: Sequence[int] = ()) -> Play:
    """Run automatic steps up to the next decision."""
    script = Scripted(dice)
    play = _advance(Play(state.copy(), script))
    assert script.unused == 0, f"{script.unused} dice were not asked for"
    return play


def refusals(state: VirtusState, line: str) -> list[str]:
    """The clauses that forbid an action, the first one first; empty if it is legal."""
    return [refusal.clause for refusal in why_not(state, parse_action(VIRTUS, line))]


def refused(state: VirtusState, line: str) -> list[Refusal]:
    return why_not(state, parse_action(VIRTUS, line))


def told(play: Play) -> list[tuple[str, str]]:
    """The log lines as (clause, key)."""
    return [(event.clause, event.key) for event in play.events]


def legal_lines(state: VirtusState) -> list[str]:
    from legatus.kernel import legal, say

    return [say(action) for action in legal(state)]


def decision(state: VirtusState) -> Any:
    return state.decision


# --- looking at what came of it ------------------------------------------------------------------


def skirmish(rome: str = "", barbarians: str = "", **more: Any) -> VirtusState:
    """A battle with a hurt unit in each reserve: play then stops at the next tests, not at the cards."""
    return battle(
        f"{rome}; hurt-roman trained_auxiliaries rome-reserve tokens=w",
        f"{barbarians}; hurt-barbarian horde barb-reserve tokens=w",
        **more,
    )


def tokens(state: VirtusState, name: str) -> str:
    """The letters of a unit's tokens, in alphabetical order."""
    return "".join(sorted(state.tokens[unit(state, name)]))


def cohesion(state: VirtusState, name: str) -> int:
    return state.vc[unit(state, name)]


def place(state: VirtusState, name: str) -> str:
    """Where a unit stands; ``gone`` if it was eliminated."""
    at = state.place[unit(state, name)]
    return PLACES[at] if at >= 0 else "gone"


def formation(state: VirtusState, name: str) -> str:
    return FORMATIONS[state.form[unit(state, name)]]


def face_down(state: VirtusState, *names: str, **decoys: int) -> VirtusState:
    """V7d: these units lie face down where they stand, with so many decoys at a place."""
    for name in names:
        state.flags[unit(state, name)] |= FACEDOWN
        state.markers[state.place[unit(state, name)]] += 1
    for spot, number in decoys.items():
        state.decoys[PLACE[spot]] += number
        state.markers[PLACE[spot]] += number
    return state


def cards_of(column: list[int], side: str) -> list[str]:
    """A side's cards in one of the columns ``hand``, ``pile``, ``discard`` or ``removed``, lowest first."""
    base = SEATS.index(side) * KINDS
    return [card for n, card in enumerate(CARDS) for _ in range(column[base + n])]
