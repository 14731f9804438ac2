"""What the rulebook says of a counter or a place as it is now: the clauses that a page offers beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .damage import (
    BALLISTA_FAR,
    BLACK,
    BLUE,
    BOLT_FAR,
    BOLT_NEAR,
    RED,
    ROUND,
    SLING,
    VIOLET,
    WHITE,
    YELLOW,
)
from .state import (
    CHARGING,
    FACEDOWN,
    NORMAL,
    ORBIS,
    OUTFLANKED,
    RETREATED,
    SHELTERED,
    SHIELDWALL,
    TESTUDO,
    VirtusState,
    attached_to,
    column,
    is_contested,
    is_engaged,
    owner,
)
from .terrain import GROUND

MOST = 8  # clauses that a reader looks through

OF_TOKEN: dict[str, str] = {
    WHITE: "VDMG.b",
    RED: "V11.4a",
    BLUE: "V11.1a",
    ROUND: "V11.2b",
    SLING: "V11.2c",
    BOLT_NEAR: "V11.2b",
    BOLT_FAR: "V11.2c",
    BALLISTA_FAR: "V11.2c",
    VIOLET: "V11.3a",
    YELLOW: "V15a",
    BLACK: "V16b",
}
OF_FLAG: dict[int, str] = {
    RETREATED: "V3.3a",
    CHARGING: "V5.2c",
    OUTFLANKED: "V5.4b",
    FACEDOWN: "V7d",
    SHELTERED: "V14.2b",
}
OF_FORMATION: dict[int, tuple[str, ...]] = {
    NORMAL: (),
    TESTUDO: ("V12.2c", "V12.2d"),
    SHIELDWALL: ("V12.3a",),
    ORBIS: ("V12.4a", "V12.4b"),
}
# What a unit is and can do, by the field that says so: what is rare comes first.
OF_TRAIT: dict[str, tuple[str, ...]] = {
    "elephant": ("V16b", "V16c", "V16d"),
    "fanatic": ("V10-troops.2a", "V10-troops.2b"),
    "impetuous": ("V10-troops.1a", "V10-troops.1b"),
    "stoic": ("V10-troops.3a", "V10-troops.3b"),
    "elite": ("V10-troops.4a", "V10-troops.4b"),
    "rabble": ("V10-troops.5a",),
    "pikes": ("V11.4a", "V11.4b"),
    "dromedary": ("V15a", "V15b"),
    "two_handed": ("V11.1a",),
    "pila": ("V11.3a", "V11.3b"),
    "vt": ("V5.3a",),
    "overhead": ("V12.1a",),
    "sling": ("V11.2c",),
    "bolts": ("V11.2c",),
    "missiles": ("V11.2a",),
    "cataphract": ("V11.2b",),
    "dispersed": ("V6.4-evade-b", "V6.4-evade-c"),
    "artillery": ("V5.2e", "V7f"),
    "testudo": ("V12.2a",),
    "shieldwall": ("V12.3a",),
    "orbis": ("V12.4a",),
}
ON_FOOT = "V6.4-evade-c"  # is for light horse only
OF_QUALITY: dict[str, tuple[str, ...]] = {
    "chief": ("V4.1b", "V8d"),
    "superior": ("V8b",),
    "charismatic": ("V8b",),
    "hero": ("V13.1a",),
    "devotio": ("V13.2a", "V13.2b"),
}


def _first(found: Iterable[str]) -> tuple[str, ...]:
    """The first few, each once."""
    return tuple(dict.fromkeys(found))[:MOST]


def unit_clauses(state: VirtusState, i: int) -> tuple[str, ...]:
    """V3.1b first: what it must test; then what it does, and what it is (VREF.b)."""
    return _first((*_plight(state, i), *_traits(state, i), "VREF.b"))


def _plight(state: VirtusState, i: int) -> Iterator[str]:
    place, unit = state.place[i], state.roster.units[i]
    if state.tokens[i]:
        yield "V3.1b"
        yield from (OF_TOKEN[token] for token in state.tokens[i])
        if BALLISTA_FAR in state.tokens[i] and state.flags[i] & SHELTERED:
            yield "V14.2c"
    yield from (clause for flag, clause in OF_FLAG.items() if state.flags[i] & flag)
    yield from OF_FORMATION[state.form[i]]
    if attached_to(state, i) >= 0:
        yield "V13.1a"
    if is_engaged(state, i):
        yield "V5c"
    if place >= 0 and not column(place) and state.vc[i] < unit.vc:
        yield "V9a"


def _traits(state: VirtusState, i: int) -> Iterator[str]:
    unit = state.roster.units[i]
    for trait, clauses in OF_TRAIT.items():
        if getattr(unit, trait):
            yield from (clause for clause in clauses if unit.mounted or clause != ON_FOOT)


def general_clauses(state: VirtusState, g: int) -> tuple[str, ...]:
    """V3.4a V13.1c: his danger first, then his qualities, then what all generals do (8)."""
    general, attached = state.roster.generals[g], state.attached[g] >= 0
    found: list[str] = []
    if state.gtokens[g]:
        found.append("V13.1c" if attached else "V3.4a")
    if attached:
        found.append("V13.1b")
    for quality, clauses in OF_QUALITY.items():
        found += clauses if getattr(general, quality) else ()
    if state.roster.rules.leaders:
        found.append("V13.1a")
    return _first((*found, "V8b", "V6.2c", "V8e", "V8a"))


def place_clauses(state: VirtusState, place: int) -> tuple[str, ...]:
    """V5c V14.2b V1.8b V7i: a fight, the works, the holder, the ground; V9a: what a reserve is for."""
    if not column(place):
        return "V9a", "V4.1b", "V6.1c"
    found = ["V5c"] if is_contested(state, place) else []
    if state.camp[place]:
        found += ["V14.2b", "V14.2d"]
    if state.holder[place] != owner(place):
        found.append("V1.8b")
    return _first((*found, *GROUND[state.terrain[place]].clauses))


def segment_clauses(state: VirtusState, segment: int) -> tuple[str, ...]:
    """V4b V4.3a: what is paid where; V14.1a: a river runs through the middle."""
    return (*(["V14.1a"] if state.roster.rivers[segment] else []), "V4.3a", "V4b")
