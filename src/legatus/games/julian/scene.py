"""What a campaign looks like: the map of Gaul, cities, roads, the Rhine, stacks, chits and hands."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Message, Values
from ...kernel.rulebook import folder
from ...scene.model import HEXES, Area, Card, Look, Marker, Piece, Scene, Track
from .combat import Combats
from .movement import Marching, Moves, slowest, ways
from .naming import say_name
from .results import Company
from .retreat import Retreating
from .setup import Deployment, waiting
from .state import (
    ASIDE,
    BARBARIAN,
    CLEAR,
    CLOSED,
    DELAYED,
    FOUGHT,
    GROUNDS,
    HALVES,
    HIDDEN,
    MARKERS,
    MOUNTAIN,
    MOVED,
    NEUTRAL,
    NOBODY,
    POOL,
    ROMAN,
    SEATS,
    JulianState,
    Roster,
    counted_plunder,
    is_activated,
    is_frozen,
    is_winter,
    printed,
    score,
)
from .supply import suffers
from .victory import ENDINGS, band

ICONS = {
    "comitatenses": "heavy-infantry",
    "auxilia": "infantry",
    "equites": "cavalry",
    "limitanei": "light-infantry",
    "garrison": "archers",
    "leader": "general",
    "retinue": "fanatics",
    "warband": "warriors",
    "raiders": "light-cavalry",
    "foederati": "fanatics",
    "band": "warriors",
}
SEA, PEAKS = "sea", "peaks"  # JH.map: what cannot be entered
CUP = "cup"
LANDS = {"Gallia": 1, "Germania": 0}  # as on old maps; by ``Roster.gaul``
BESIDE = 3  # columns of a strip beside the map


def scene(state: JulianState, seat: int | None, lang: str) -> Scene:
    """JH.map: north is up for everybody."""
    kept = state.roster.kept
    key = f"areas-{lang}-{is_frozen(state)}"
    if key not in kept:
        kept[key] = (*_hexes(state, lang), *_strips(state, lang)), tuple(_lines(state, lang))
    areas, lines = kept[key]
    units = (*_order(state), *_waiting(state))
    return Scene(
        title=_say(lang, Message("game.name")),
        areas=areas,
        lines=lines,
        pieces=(*(_piece(state, i, lang) for i in units), *_chits(state, lang)),
        cards=tuple(_cards(state, lang)),
        tracks=tuple(_tracks(state, lang)),
        sides=tuple(_capital(say_name(state, name, lang)) for name in SEATS),
        grid=HEXES,
        markers=(*_cities(state, lang), *_lands(state)),
    )


def _say(lang: str, said: Message) -> str:
    return folder(__file__).messages[lang].fill(said)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- the map -------------------------------------------------------------------------------------


def _hexes(state: JulianState, lang: str) -> list[Area]:
    roster = state.roster
    beyond = _beyond(roster)
    areas = []
    for cell, name in enumerate(roster.grid.names):
        ground = roster.ground[cell]
        gaul = bool(roster.gaul[cell])
        marks = [] if ground in (CLEAR, CLOSED) else [GROUNDS[ground]]
        marks += [] if ground == CLOSED else ["in-gaul" if gaul else "beyond-the-rhine"]
        areas.append(
            Area(
                id=name,
                label=_capital(say_name(state, name, lang))
                if cell in roster.city_at
                else _say(lang, Message("scene.hex", {"hex": name})),
                row=roster.grid.row(cell),
                column=roster.grid.column(cell),
                ground=beyond.get(cell, GROUNDS[ground]),
                side=None if ground == CLOSED else ROMAN if gaul else BARBARIAN,
                marks=tuple(say_name(state, mark, lang) for mark in marks),
                clauses=("JH.map",) if ground == CLOSED else ("JH.move", "JH.map"),
            )
        )
    return areas


def _beyond(roster: Roster) -> dict[int, str]:
    """JH.map: what cannot be entered is high where it borders on mountains, and the sea elsewhere."""
    around = roster.grid.neighbours
    found: dict[int, str] = {}
    for start, ground in enumerate(roster.ground):
        if ground != CLOSED or start in found:
            continue
        part = [start]
        for cell in part:
            part += [to for to in around[cell] if to >= 0 and roster.ground[to] == CLOSED and to not in part]
        high = any(to >= 0 and roster.ground[to] == MOUNTAIN for cell in part for to in around[cell])
        found |= dict.fromkeys(part, PEAKS if high else SEA)
    return found


def _strips(state: JulianState, lang: str) -> list[Area]:
    """Beside the map: the chits on the left, and what can come back, of both sides."""
    right = state.roster.columns + 1

    def strip(name: str, row: int, column: int, side: int | None, *clauses: str) -> Area:
        label = _capital(say_name(state, name, lang))
        return Area(name, label, row, column, BESIDE, "reserve", side, clauses=clauses)

    return [
        strip(CUP, 0, -BESIDE - 1, None, "JH.chits", "JQ.II.C"),
        strip(_pool(ROMAN), 1, -BESIDE - 1, ROMAN, "JH.reinforce", "JH.15_10"),
        strip(_pool(BARBARIAN), 0, right, BARBARIAN, "JH.reinforce", "JH.15_10"),
    ]


def _pool(side: int) -> str:
    return f"pool-{SEATS[side]}"


def _lines(state: JulianState, lang: str) -> list[tuple[str, str, str]]:
    """Roads from hex to hex, and the Rhine between hexes."""
    roster = state.roster
    names = roster.grid.names
    road, rhine = (say_name(state, name, lang) for name in ("road", "rhine"))
    if is_frozen(state):
        rhine = f"{rhine} ({say_name(state, 'frozen', lang)})"
    roads = {(min(a, b), max(a, b)) for a, b in roster.road}
    banks = {
        (a, b)
        for a, around in enumerate(roster.around)
        for b in around
        if a < b and roster.ground[a] != CLOSED and roster.is_rhine(a, b)
    }
    lines = [(names[a], names[b], road) for a, b in sorted(roads)]
    return lines + [(names[a], names[b], rhine) for a, b in sorted(banks)]


def _cities(state: JulianState, lang: str) -> Iterator[Marker]:
    names = state.roster.grid.names
    for n, city in enumerate(state.roster.cities):
        key = "scene.sacked" if state.sacked[n] else "scene.city"
        yield Marker(
            id=city.id,
            kind="sacked" if state.sacked[n] else "city",
            label=_say(lang, Message(key, {"city": city.name, "value": city.value})),
            place=names[city.cell],
            side=state.holder[n],
            clauses=("JH.cities", "JH.tax"),
            name=city.name,
            note=str(city.value),
        )


def _lands(state: JulianState) -> Iterator[Marker]:
    """The names of the lands, written where no city is near."""
    for name, cell in _middles(state.roster).items():
        yield Marker(f"land-{name.lower()}", "land", name, state.roster.grid.names[cell], name=name)


def _middles(roster: Roster) -> dict[str, int]:
    """Of each land the hex that lies deepest in it, if possible far from cities and homes of peoples."""
    kept = roster.kept
    if "lands" not in kept:
        kept["lands"] = {name: cell for name, gaul in LANDS.items() if (cell := _middle(roster, gaul)) >= 0}
    lands: dict[str, int] = kept["lands"]
    return lands


def _middle(roster: Roster, gaul: int) -> int:
    apart, last = roster.grid.distances, roster.columns - 1
    own = [c for c, ground in enumerate(roster.ground) if ground != CLOSED and roster.gaul[c] == gaul]
    others = [cell for cell in range(roster.grid.size) if cell not in own]
    used = [*roster.city_at, *(people.home for people in roster.peoples)]

    def far(cell: int) -> tuple[int, int]:
        column, row = roster.grid.column(cell), roster.grid.row(cell)
        edges = (column, last - column, row, roster.rows - 1 - row)
        depth = min(*edges, *(apart[cell][to] for to in others))
        return depth, min(apart[cell][to] for to in used)

    return max(own, key=far, default=NOBODY)


# --- counters ------------------------------------------------------------------------------------


def _order(state: JulianState) -> list[int]:
    """Those on the map: the strongest on top, leaders above all."""
    units = state.roster.units
    here = [i for i, cell in enumerate(state.cell) if cell >= 0]
    return sorted(here, key=lambda i: (not units[i].leader, -units[i].combat, i))


Sort = tuple[int, int, int, str, int]


def _sort(state: JulianState, i: int) -> Sort:
    """What units beside the map have in common that are drawn as one: garrisons come last, leaders first."""
    unit = state.roster.units[i]
    name = unit.id if unit.leader else unit.kind
    return (unit.command, unit.people, state.cell[i], name, state.due[i] if state.cell[i] == DELAYED else 0)


def _waiting(state: JulianState) -> list[int]:
    """JH.15_10 JH.6_0: one of each sort in the force pools, set aside in somebody's service, or delayed."""
    found: dict[Sort, int] = {}
    for i, cell in enumerate(state.cell):
        if cell in (POOL, DELAYED) or (cell == ASIDE and _side(state, i) != NEUTRAL):
            found.setdefault(_sort(state, i), i)
    units = state.roster.units
    last = len(state.roster.commands)
    return sorted(
        found.values(),
        key=lambda i: (
            state.cell[i] == DELAYED,
            units[i].command if units[i].command >= 0 else last,
            not units[i].leader,
            i,
        ),
    )


def _side(state: JulianState, i: int) -> int:
    """JH.6_0: whose it is; a federate that is set aside is of whoever its people serves now."""
    return state.ally[state.roster.units[i].people] if state.cell[i] == ASIDE else state.side[i]


def _badge(state: JulianState, i: int) -> str:
    """The bonus of a leader; how many wait with a unit that is not on the map; the factors of a stack."""
    unit, cell = state.roster.units[i], state.cell[i]
    if unit.leader:
        return f"{unit.bonus:+}" if unit.bonus else ""
    if cell < 0:
        sort = _sort(state, i)
        count = sum(state.cell[j] == cell and _sort(state, j) == sort for j in range(len(state.cell)))
        return f"×{count}" if count > 1 else ""
    here = [j for j in _mates(state, i) if not state.roster.units[j].leader]
    first = min(here, key=lambda j: (-state.roster.units[j].combat, j))
    return f"Σ{printed(state, here)}" if len(here) > 1 and i == first else ""


def _mates(state: JulianState, i: int) -> list[int]:
    """The units of its side in its hex, itself too."""
    where = (state.cell[i], state.side[i])
    return [j for j, cell in enumerate(state.cell) if (cell, state.side[j]) == where]


def _piece(state: JulianState, i: int, lang: str) -> Piece:
    unit, names = state.roster.units[i], state.roster.grid.names
    values = {"+": str(unit.bonus)} if unit.leader else {"F": str(unit.combat)}
    group = state.roster.commands[unit.command].id if unit.command >= 0 else ""
    group = state.roster.peoples[unit.people].id if unit.people >= 0 else group
    marks = [say_name(state, mark, lang) for mark in _marks(state, i)]
    if state.cell[i] == DELAYED:
        marks.append(_say(lang, Message("scene.due", {"turn": state.due[i]})))
    return Piece(
        id=unit.id,
        label=say_name(state, unit.id, lang),
        place=names[state.cell[i]] if state.cell[i] >= 0 else _pool(_side(state, i)),
        side=_side(state, i),
        kind=say_name(state, f"kind.{unit.kind}", lang),
        values={**values, "M": str(unit.move)},
        marks=tuple(marks),
        icon=ICONS.get(unit.kind, ""),
        clauses=_clauses(state, i),
        group=group,
        acting=_is_asked(state, i),
        badge=_badge(state, i),
        states=tuple(_states(state, i)),
    )


def _marks(state: JulianState, i: int) -> Iterator[str]:
    if state.cell[i] < 0:
        return
    if state.side[i] == NEUTRAL:
        yield "neutral"
    if state.operating and is_activated(state, i):
        yield "activated"
        if state.flags[i] & MOVED:
            yield "has-moved"
        if state.flags[i] & FOUGHT:
            yield "has-fought"


def _states(state: JulianState, i: int) -> Iterator[str]:
    """For a renderer: ``activated`` has done what the sub-phase asks of it, ``away`` cannot come yet."""
    if state.cell[i] == DELAYED:
        yield "away"
    if state.cell[i] >= 0 and state.operating and is_activated(state, i):
        moving = any(isinstance(step, Moves) for step in state.todo)
        fighting = not moving and any(isinstance(step, Combats) for step in state.todo)
        if state.flags[i] & (MOVED if moving else FOUGHT if fighting else 0):
            yield "activated"


def _clauses(state: JulianState, i: int) -> tuple[str, ...]:
    unit = state.roster.units[i]
    if unit.leader:
        return ("JH.leaders", "JH.retreat")
    if unit.people >= 0:
        return ("JH.6_0", "JH.units")
    return ("JH.units", "JH.combat", "JH.move") if unit.move else ("JH.units", "JH.retreat")


def _is_asked(state: JulianState, i: int) -> bool:
    """Whether the question is about this unit."""
    decision = state.decision
    if isinstance(decision, Deployment):
        return i in waiting(state, decision.seat)[:1]
    if isinstance(decision, Retreating):
        return i in decision.going()
    if isinstance(decision, Company):
        return i == decision.leader
    for name in ("units", "group"):
        units = getattr(decision, name, None)
        if isinstance(units, tuple):
            return i in units
    return i in (getattr(decision, "unit", NOBODY), getattr(decision, "leader", NOBODY))


def _chits(state: JulianState, lang: str) -> Iterator[Piece]:
    """JH.chits: one of each command: still in the cup, acting now, or done this turn."""
    for c, command in enumerate(state.roster.commands):
        mark = "activated" if state.acting[c] else "chit-out" if state.drawn[c] else "chit-in"
        yield Piece(
            id=command.id,
            label=say_name(state, command.id, lang),
            place=CUP,
            side=command.side,
            kind=say_name(state, "kind.chit", lang),
            marks=(say_name(state, mark, lang),),
            icon="chit",
            clauses=("JH.chits", "JH.commands"),
            group=command.id,
            acting=bool(state.acting[c]),
            states=("activated",) if state.drawn[c] and not state.acting[c] else (),
        )


# --- hands and tracks ----------------------------------------------------------------------------


def _cards(state: JulianState, lang: str) -> Iterator[Card]:
    """J0.title: the own hand, and of the other's what is known of it; backs of the rest."""
    for side in (ROMAN, BARBARIAN):
        for marker, count in enumerate(state.hands[side]):
            if marker == HIDDEN:
                yield from (Card("", "?", side, "hand", "", "back") for _ in range(count))
                continue
            name = MARKERS[marker]
            label, text = _capital(say_name(state, name, lang)), _say(lang, Message(f"card.{name}"))
            yield from (Card(name, label, side, "hand", text, "stratagem") for _ in range(count))


def _tracks(state: JulianState, lang: str) -> list[Track]:
    roster = state.roster

    def track(name: str, value: str) -> Track:
        return Track(name, _capital(say_name(state, name, lang)), value)

    year = roster.values.year + max(state.turn - 1, 0) // 2
    season = say_name(state, "winter" if is_winter(state) and state.turn else "summer", lang)
    verdict = ENDINGS[band(state)][1].removeprefix("end.")
    tracks = [track("turn", f"{state.turn}/{roster.values.turns} · {season} {year}")]
    if is_frozen(state):
        tracks.append(track("rhine", say_name(state, "frozen", lang)))
    tracks.append(track("treasury", str(state.tp)))
    tracks.append(track("score", f"{score(state):+} · {say_name(state, verdict, lang)}"))
    counted = counted_plunder(state)
    values: Values = {"plunder": state.plunder, "counted": counted}
    more = state.plunder > counted
    tracks.append(track("plunder", _say(lang, Message("scene.plunder", values)) if more else str(counted)))
    tracks.append(track("pool", str(sum(state.pool) - sum(hand[HIDDEN] for hand in state.hands))))
    return tracks


# --- a closer look -------------------------------------------------------------------------------


def look(state: JulianState, seat: int | None, piece: str, lang: str) -> Look | None:
    """JH.move: where the unit can go alone, with the price; what stands with it."""
    i = state.roster.index.get(piece, -1)
    if i < 0 or state.cell[i] < 0:
        return None
    unit, names = state.roster.units[i], state.roster.grid.names
    costs: dict[str, str] = {}
    march = state.decision
    if unit.move and state.side[i] in (ROMAN, BARBARIAN):
        if isinstance(march, Marching) and i in march.group:
            left, found = march.left, march.reach(state)
        else:
            left = slowest(state, (i,))
            found = ways(state, (i,), left, begun=False)
        costs = {
            names[cell]: say_name(state, f"{(left - after) / HALVES:g}", lang)
            for cell, (after, _) in found.items()
        }
    return Look((), costs, tuple(_said(state, i, lang)))


def _said(state: JulianState, i: int, lang: str) -> list[tuple[str, str]]:
    cell, side, units = state.cell[i], state.side[i], state.roster.units
    said: list[tuple[Message, str]] = []
    here = [j for j in _order(state) if state.cell[j] == cell and state.side[j] == side]
    if len(here) > 1:
        values: Values = {"units": tuple(units[j].id for j in here), "factors": printed(state, here)}
        said.append((Message("look.stack", values), "JH.stack"))
    if state.roster.rules.supply and side != NEUTRAL and suffers(state, side, cell):
        said.append((Message("look.hungry"), "JH.25_0"))
    messages = folder(__file__).messages[lang]
    return [(messages.render(one, lambda word: say_name(state, word, lang)), clause) for one, clause in said]
