"""What a battle looks like: the table seen from a seat (V1.5b), counters, cards and tracks."""

from __future__ import annotations

from ...scene.model import Area, Card, Piece, Scene, Track
from .damage import TOKENS
from .naming import say_name, unit_label
from .state import (
    CARDS,
    CHARGING,
    FACEDOWN,
    FORMATIONS,
    FOUGHT,
    KINDS,
    MOVED,
    NO_CARD,
    OUTFLANKED,
    PLACES,
    RETREATED,
    ROME,
    SEATS,
    SEGMENTS,
    WAITING,
    VirtusState,
    attached_to,
    owner,
    reserve,
    say_points,
    sector,
    sectors,
)

RIVER_NAMES = {1: "deep", 2: "river", 3: "bridge"}


def scene(state: VirtusState, seat: int | None, lang: str) -> Scene:
    """The table from ``seat``'s edge, his own camp nearest to him."""
    return Scene(
        title="Virtus",
        areas=tuple(_areas(state, seat, lang)),
        pieces=(*_units(state, seat, lang), *_generals(state, seat, lang), *_markers(state, seat, lang)),
        cards=tuple(_cards(state, seat, lang)),
        tracks=tuple(_tracks(state, lang)),
        lines=tuple(_rivers(state, lang)),
    )


WAITS = "waiting"  # beside the table: what is not deployed yet


def _areas(state: VirtusState, seat: int | None, lang: str) -> list[Area]:
    n = state.roster.rules.columns
    bottom = ROME if seat is None else seat
    areas: list[Area] = []
    for row, side in enumerate((1 - bottom, bottom)):
        home = PLACES[reserve(side)]
        areas.append(Area(home, say_name(state, home, lang), 3 * row, 0, n, "reserve", side))
        for place in sectors(state, side):
            segment = place - reserve(side)
            column = segment - 1 if bottom == ROME else n - segment
            ground = state.terrain[place]
            marks = [say_name(state, ground, lang)] if ground != "clear" else []
            if state.camp[place]:
                marks.append(say_name(state, "camp", lang))
            if state.holder[place] != owner(place):
                marks.append(say_name(state, f"held-by-{SEATS[state.holder[place]]}", lang))
            label = say_name(state, PLACES[place], lang)
            areas.append(Area(PLACES[place], label, 1 + row, column, 1, ground, side, tuple(marks)))
    if seat is not None and any(_spot(state.place[i], True) == WAITS for i in state.roster.of[seat]):
        areas.append(Area(WAITS, say_name(state, WAITS, lang), 4, 0, n, "reserve", seat))
    return areas


def _spot(place: int, own: bool) -> str:
    """The id of the area where a piece is drawn; empty if it is not to be seen."""
    if place >= 0:
        return PLACES[place]
    return WAITS if own and place == WAITING else ""


def _units(state: VirtusState, seat: int | None, lang: str) -> list[Piece]:
    pieces: list[Piece] = []
    for i, unit in enumerate(state.roster.units):
        spot = _spot(state.place[i], unit.side == seat)
        if not spot:
            continue
        flags = state.flags[i]
        values = {"VO": str(unit.vo), "VD": str(unit.vd), "VC": str(state.vc[i]), "Mvt": str(unit.mvt)}
        if unit.vt:
            values["VT"] = str(unit.vt)
        marks = [FORMATIONS[state.form[i]]] if state.form[i] else []
        marks += [
            q for q in ("impetuous", "fanatic", "stoic", "elite", "rabble", "pikes") if getattr(unit, q)
        ]
        done = (
            (CHARGING, "charging"),
            (FOUGHT, "fought"),
            (MOVED, "moved"),
            (RETREATED, "retreated"),
            (FACEDOWN, "facedown"),
        )
        marks += [name for bit, name in done if flags & bit]
        if attached_to(state, i) >= 0:
            marks.append("general")
        facing = "back" if flags & RETREATED else "side" if flags & OUTFLANKED else "front"  # V6.3b
        pieces.append(
            Piece(
                unit.id,
                unit_label(unit, lang),
                spot,
                unit.side,
                unit.type,
                values,
                unit.vc - state.vc[i],
                tuple(say_name(state, mark, lang) for mark in marks),
                tuple(say_name(state, TOKENS[token], lang) for token in state.tokens[i]),
                facing,
            )
        )
    return pieces


def _generals(state: VirtusState, seat: int | None, lang: str) -> list[Piece]:
    qualities = ("chief", "superior", "charismatic", "hero", "devotio")
    return [
        Piece(
            general.id,
            general.name or say_name(state, general.id, lang),
            _spot(state.gplace[g], general.side == seat),
            general.side,
            "general",
            marks=tuple(say_name(state, q, lang) for q in qualities if getattr(general, q)),
            tokens=(say_name(state, "general-token", lang),) * state.gtokens[g],
        )
        for g, general in enumerate(state.roster.generals)
        if _spot(state.gplace[g], general.side == seat)
    ]


def _markers(state: VirtusState, seat: int | None, lang: str) -> list[Piece]:
    """V7d: to its owner a face-down unit is itself and a decoy is a decoy; to others all are alike."""
    pieces: list[Piece] = []
    for side in (0, 1):
        for place in sectors(state, side):
            number = state.decoys[place] if side == seat else state.markers[place]
            kind = "decoy" if side == seat else "marker"
            pieces += [
                Piece(
                    f"{kind}-{PLACES[place]}-{n}",
                    say_name(state, kind, lang),
                    PLACES[place],
                    side,
                    kind,
                    hidden=True,
                )
                for n in range(1, number + 1)
            ]
    return pieces


def _cards(state: VirtusState, seat: int | None, lang: str) -> list[Card]:
    cards: list[Card] = []
    for side in (0, 1):
        base = side * KINDS
        for kind in range(KINDS):
            label = say_name(state, CARDS[kind], lang)
            cards += [Card(CARDS[kind], label, side, "hand") for _ in range(state.hand[base + kind])]
        cards += [Card("", "?", side, "hand") for _ in range(state.hidden[side])]
    for segment, kind in enumerate(state.laid):
        if kind != NO_CARD:
            cards.append(
                Card(CARDS[kind], say_name(state, CARDS[kind], lang), state.active, SEGMENTS[segment])
            )
    return cards


def _tracks(state: VirtusState, lang: str) -> list[Track]:
    tracks = [Track("turn", say_name(state, "turn", lang), str(state.turn))]
    if state.turn:
        tracks.append(
            Track("active", say_name(state, "active", lang), say_name(state, SEATS[state.active], lang))
        )
    for segment in range(1, state.roster.rules.columns + 1):
        points = state.points[segment]
        if points:
            label = f"{say_name(state, 'points', lang)} {SEGMENTS[segment]}"
            tracks.append(Track(SEGMENTS[segment], label, str(say_points(points))))
    return tracks


def _rivers(state: VirtusState, lang: str) -> list[tuple[str, str, str]]:
    return [
        (PLACES[sector(0, n)], PLACES[sector(1, n)], say_name(state, RIVER_NAMES[limit], lang))
        for n, limit in enumerate(state.roster.rivers)
        if limit
    ]
