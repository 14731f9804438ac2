"""What a battle looks like: the map, the counters, and what is to know about one of them."""

from __future__ import annotations

from ...kernel import Message
from ...kernel.rulebook import folder
from ...parts.hexes import ANGLES, FLANK, FRONT, OFF, REAR, heading
from ...scene.model import HEXES, Area, Look, Piece, Scene, Track, Zone
from .combat import bound_targets
from .facing import Turning
from .movement import Marching, reach
from .naming import say_name, unit_label
from .setup import Spot
from .state import (
    ADVANCE,
    ATTACK,
    CARTHAGE,
    CAVALRY,
    DETACHED,
    DISORDERED,
    ELEPHANT,
    HEAVY,
    HIDDEN,
    LEGION,
    LIGHT,
    MEDIUM,
    MOVE,
    ORDERS,
    REFORM,
    ROME,
    SEATS,
    SOUTH,
    STAND,
    WAITING,
    WAITS,
    MetaurusState,
    engagers,
    group_of,
    is_unmarked,
    order_of,
)

ICONS = {
    ELEPHANT: "elephant",
    CAVALRY: "cavalry",
    LEGION: "heavy-infantry",
    HEAVY: "pikemen",
    MEDIUM: "warriors",
    LIGHT: "javelins",
}
ORDER_CLAUSES = {
    ATTACK: ("M2.attack.2", "M2.attack.1"),
    STAND: ("M2.stand.1", "M2.stand.2"),
    MOVE: ("M2.move.1", "M2.move.2", "M2.move.4", "M2.move.5"),
    ADVANCE: ("M2.mta.1", "M2.mta.2"),
    REFORM: ("M2.reform.1", "M2.reform.2"),
    HIDDEN: ("M2.reveal",),
}
ZONES = {
    FRONT: ("front", "MH2.facing"),
    FLANK: ("flank", "M4.mod.flank"),
    REAR: ("rear", "M4.mod.rear"),
}


def scene(state: MetaurusState, seat: int | None, lang: str) -> Scene:
    """MH1.map: north is up for everybody, as on a printed map."""
    areas, lines = _map(state, lang)
    waits = any(cell == WAITING for cell in state.cell)
    if waits:
        strip = Area(WAITS, say_name(state, WAITS, lang), -1, 0, state.roster.columns, "reserve")
        areas = (strip, *areas)
    return Scene(
        title=_say(lang, Message("game.name")),
        areas=areas,
        pieces=tuple(
            _piece(state, i, lang) for i, cell in enumerate(state.cell) if cell >= 0 or cell == WAITING
        ),
        tracks=tuple(_tracks(state, lang)),
        lines=lines,
        sides=tuple(_capital(say_name(state, name, lang)) for name in SEATS),
        grid=HEXES,
    )


def _say(lang: str, said: Message) -> str:
    return folder(__file__).messages[lang].fill(said)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- the map -------------------------------------------------------------------------------------

Lines = tuple[tuple[str, str, str], ...]


def _map(state: MetaurusState, lang: str) -> tuple[tuple[Area, ...], Lines]:
    """Hexes and rivers, made once: they do not change."""
    kept = state.roster.kept
    if lang not in kept:
        kept[lang] = (tuple(_hexes(state, lang)), tuple(_rivers(state, lang)))
    found: tuple[tuple[Area, ...], Lines] = kept[lang]
    return found


def _hexes(state: MetaurusState, lang: str) -> list[Area]:
    roster = state.roster
    areas = []
    for cell, name in enumerate(roster.grid.names):
        wooded, level = cell in roster.wooded, roster.levels[cell]
        marks = ["forest"] if wooded else []
        marks += [f"level-{level}"] if level else []
        wet = any((cell, to) in roster.river for to in roster.grid.neighbours[cell])
        marks += ["by-river"] if wet else []
        clauses = [("M3.mv.forest", "M4.mod.forest")] if wooded else []
        clauses += [("M3.mv.climb", "M4.mod.def_up")] if level else []
        clauses += [("M3.mv.river", "M4.mod.river")] if wet else []
        areas.append(
            Area(
                id=name,
                label=_say(lang, Message("scene.hex", {"hex": name})),
                row=roster.grid.row(cell),
                column=roster.grid.column(cell),
                ground="forest" if wooded else "clear",
                marks=tuple(say_name(state, mark, lang) for mark in marks),
                clauses=tuple(clause for pair in clauses for clause in pair) or ("MH1.map",),
                level=level,
            )
        )
    south = _capital(say_name(state, SOUTH, lang))
    areas.append(Area(SOUTH, south, roster.rows, 0, roster.columns, "edge", CARTHAGE, clauses=("MH8.exit",)))
    return areas


def _rivers(state: MetaurusState, lang: str) -> list[tuple[str, str, str]]:
    names = state.roster.grid.names
    return [(names[a], names[b], say_name(state, "river", lang)) for a, b in state.roster.rivers]


# --- counters ------------------------------------------------------------------------------------


def _piece(state: MetaurusState, i: int, lang: str) -> Piece:
    unit, cell = state.roster.units[i], state.cell[i]
    decision = state.decision
    acting = isinstance(decision, Marching | Turning | Spot) and decision.unit == i
    marks = ["disordered"] if state.flags[i] & DISORDERED else []
    marks += ["engaged"] if cell >= 0 and engagers(state, i) else []
    return Piece(
        id=unit.id,
        label=unit_label(unit, lang),
        place=WAITS if cell < 0 else state.roster.grid.names[cell],
        side=unit.side,
        kind=say_name(state, unit.arm, lang),
        values={"Mor": str(unit.morale), "Mvt": str(unit.move)},
        marks=tuple(say_name(state, mark, lang) for mark in marks),
        icon=ICONS[unit.arm],
        clauses=_clauses(state, i),
        heading=heading(state.facing[i]),
        group=state.roster.groups[unit.group].id,
        acting=acting,
        states=tuple(marks),
        badge=_badge(state, i, lang),
    )


def _badge(state: MetaurusState, i: int, lang: str) -> str:
    """M2.reveal: the order on a unit; Attack has no marker, but M2.independent: detached units say so."""
    order = order_of(state, i)
    if order == HIDDEN:
        return "?"
    if order == ATTACK and state.order[group_of(state, i)] != DETACHED:
        return ""
    return say_name(state, f"badge-{ORDERS[order]}", lang)


def _clauses(state: MetaurusState, i: int) -> tuple[str, ...]:
    """What concerns a unit now; the most important first."""
    unit, order = state.roster.units[i], order_of(state, i)
    found: list[str] = []
    if state.cell[i] >= 0 and bound_targets(state, i):
        found.append("M2.engaged_must")
    if state.flags[i] & DISORDERED:
        found += ["M4.disorder", "M4.mod.disorder"]
    found += ORDER_CLAUSES[order][:2]
    found += {ELEPHANT: ["M3.elephant.1"], CAVALRY: ["M2.independent"], LIGHT: ["M4.matrix.no_li"]}.get(
        unit.arm, []
    )
    return (*found, "M4.matrix")[:8]


def _tracks(state: MetaurusState, lang: str) -> list[Track]:
    goals = state.roster.goals

    def track(name: str, value: str) -> Track:
        return Track(name, _capital(say_name(state, name, lang)), value)

    tracks = [track("turn", f"{state.turn}/{goals.turns}")]
    if state.turn:
        tracks.append(track("active", say_name(state, SEATS[state.active], lang)))
    tracks.append(track("killed-rome", f"{state.killed[ROME]}/{goals.rome}"))
    tracks.append(track("killed-carthage", f"{state.killed[CARTHAGE]}/{goals.carthage}"))
    tracks.append(track("exits", f"{state.exits}/{goals.exits}"))
    return tracks


# --- a closer look -------------------------------------------------------------------------------


def look(state: MetaurusState, seat: int | None, piece: str, lang: str) -> Look | None:
    """MH2.facing: front, flanks and rear of a unit; where its order lets it go, and at what price."""
    i = state.roster.index.get(piece)
    if i is None or state.cell[i] < 0:
        return None
    names, around = state.roster.grid.names, state.roster.grid.neighbours[state.cell[i]]
    zones = []
    for angle, (kind, clause) in ZONES.items():
        cells = [around[(state.facing[i] + n) % 6] for n, seen in enumerate(ANGLES) if seen == angle]
        places = tuple(names[cell] for cell in cells if cell != OFF)
        zones.append(Zone(kind, say_name(state, kind, lang), places, clause))
    order = order_of(state, i)
    values = {"unit": piece, "group": state.roster.groups[group_of(state, i)].id, "order": ORDERS[order]}
    key, clause = ("look.hidden" if order == HIDDEN else "look.order"), ORDER_CLAUSES[order][0]
    if is_unmarked(state, i):
        key, clause = "look.unmarked", "M2.independent"
    lines = [(_render(state, Message(key, {**values}), lang), clause)]
    costs: dict[str, str] = {}
    foes = tuple(state.roster.units[j].id for j in engagers(state, i))
    if foes:
        lines.append((_render(state, Message("look.engaged", {"units": foes}), lang), "M4.crt.4_5"))
    if bound_targets(state, i):
        lines.append((_render(state, Message("look.must_attack"), lang), "M2.engaged_must"))
    elif order in (MOVE, ADVANCE):
        costs = {
            SOUTH if cell == OFF else names[cell]: str(cost) for cell, cost in reach(state, i).items() if cost
        }
    return Look(tuple(zones), costs, tuple(lines))


def _render(state: MetaurusState, said: Message, lang: str) -> str:
    return folder(__file__).messages[lang].render(said, lambda word: say_name(state, word, lang))
