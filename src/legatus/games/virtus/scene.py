"""What a battle looks like: the table seen from a seat (V1.5b), counters, cards and tracks."""

from __future__ import annotations

from functools import cache

from ...kernel import Message
from ...kernel.rulebook import folder
from ...scene.model import SEGMENT, Area, Card, Piece, Scene, Track
from .about import general_clauses, place_clauses, segment_clauses, unit_clauses
from .army import TYPES
from .damage import TOKENS
from .look import ARMED
from .naming import say_name, unit_label
from .state import (
    CARDS,
    CHARGING,
    FACE,
    FACEDOWN,
    FORMATIONS,
    FOUGHT,
    JOKER,
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
    Unit,
    VirtusState,
    attached_to,
    is_contested,
    is_engaged,
    owner,
    reserve,
    say_points,
    sector,
    sectors,
)

RIVER_NAMES = {1: "deep", 2: "river", 3: "bridge"}
FAR, MIDDLE, NEAR, ASIDE = (0, 1), 2, (4, 3), 5  # rows: reserve and sectors; segments; the undeployed
WAITS = "waiting"  # beside the table: what is not deployed yet
TRAITS = ARMED  # with arm and order, all that decides how it fights
DEEDS = (
    (CHARGING, "charging"),
    (FOUGHT, "fought"),
    (MOVED, "moved"),
    (RETREATED, "retreated"),
    (FACEDOWN, "facedown"),
)
MOST_PIECES = 20_000  # kept as they look; a battle has some hundreds
QUALITIES = ("chief", "superior", "charismatic", "hero", "devotio")
WEIGHTS = {"dense": "heavy-", "dispersed": "light-"}  # how orders look: of infantry and of cavalry
OTHER_ARMS = {"dromedary": "camels", "chariot": "chariot", "elephant": "elephant", "artillery": "artillery"}


def scene(state: VirtusState, seat: int | None, lang: str) -> Scene:
    """The table from ``seat``'s edge, his own camp nearest to him."""
    pieces = (*_units(state, seat, lang), *_generals(state, seat, lang), *_markers(state, seat, lang))
    areas = [*_camps(state, seat, lang), *_segments(state, seat, lang)]
    if any(piece.place == WAITS for piece in pieces):
        label, n = say_name(state, WAITS, lang), state.roster.rules.columns
        areas.append(Area(WAITS, label, ASIDE, 0, n, "reserve", seat, clauses=("V1.7b", "V1.7c")))
    return Scene(
        title=_say(lang, Message("game.name")),
        areas=tuple(areas),
        pieces=pieces,
        cards=tuple(_cards(state, lang)),
        tracks=tuple(_tracks(state, lang)),
        lines=tuple(_rivers(state, lang)),
        sides=tuple(_capital(say_name(state, name, lang)) for name in SEATS),
    )


def _say(lang: str, said: Message) -> str:
    return folder(__file__).messages[lang].fill(said)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- places --------------------------------------------------------------------------------------


def _column(state: VirtusState, seat: int | None, segment: int) -> int:
    """The barbarians sit opposite: their left is Rome's right."""
    return state.roster.rules.columns - segment if seat not in (None, ROME) else segment - 1


def _camps(state: VirtusState, seat: int | None, lang: str) -> list[Area]:
    """V1.5b: the reserve and the sectors of each side, the viewer's own nearest to him."""
    bottom = ROME if seat is None else seat
    areas: list[Area] = []
    for (back, front), side in ((FAR, 1 - bottom), (NEAR, bottom)):
        home = reserve(side)
        label, clauses = say_name(state, PLACES[home], lang), place_clauses(state, home)
        n = state.roster.rules.columns
        areas.append(Area(PLACES[home], label, back, 0, n, "reserve", side, clauses=clauses))
        for place in sectors(state, side):
            areas.append(_sector(state, place, front, _column(state, seat, place - home), lang))
    return areas


_sectors: dict[tuple[object, ...], Area] = {}  # from one moment to the next few of them change


def _sector(state: VirtusState, place: int, row: int, column: int, lang: str) -> Area:
    looks = (state.terrain[place], state.camp[place], state.holder[place], is_contested(state, place))
    key = (place, row, column, *looks, lang)
    area = _sectors.get(key)
    if area is None:
        area = _sectors[key] = _draw_sector(state, place, row, column, lang)
    return area


def _draw_sector(state: VirtusState, place: int, row: int, column: int, lang: str) -> Area:
    ground = state.terrain[place]
    marks = [ground] if ground != "clear" else []
    if state.camp[place]:
        marks.append("camp")
    if state.holder[place] != owner(place):
        marks.append(f"held-by-{SEATS[state.holder[place]]}")
    return Area(
        id=PLACES[place],
        label=say_name(state, PLACES[place], lang),
        row=row,
        column=column,
        ground=ground,
        side=owner(place),
        marks=tuple(say_name(state, mark, lang) for mark in marks),
        clauses=place_clauses(state, place),
    )


def _segments(state: VirtusState, seat: int | None, lang: str) -> list[Area]:
    """V4b V4.3a: the middle of each column, with the points that are left in it."""
    areas = []
    for segment in range(1, state.roster.rules.columns + 1):
        river, points = state.roster.rivers[segment], state.points[segment]
        marks = [RIVER_NAMES[river]] if river else []
        marks += ["activated"] if state.opened[segment] else []
        key = "scene.point" if points == 1 else "scene.points"
        areas.append(
            Area(
                id=SEGMENTS[segment],
                label=say_name(state, SEGMENTS[segment], lang),
                row=MIDDLE,
                column=_column(state, seat, segment),
                ground=SEGMENT,
                marks=tuple(say_name(state, mark, lang) for mark in marks),
                note=_say(lang, Message(key, {"points": say_points(points)})) if points else "",
                clauses=segment_clauses(state, segment),
            )
        )
    return areas


def _rivers(state: VirtusState, lang: str) -> list[tuple[str, str, str]]:
    return [
        (PLACES[sector(0, n)], PLACES[sector(1, n)], say_name(state, RIVER_NAMES[limit], lang))
        for n, limit in enumerate(state.roster.rivers)
        if limit
    ]


# --- counters ------------------------------------------------------------------------------------


def _spot(place: int, own: bool) -> str:
    """The id of the area where a piece is drawn; empty if it is not to be seen."""
    if place >= 0:
        return PLACES[place]
    return WAITS if own and place == WAITING else ""


def icon_of(unit: Unit) -> str:
    """That of its type; of a type of an army's own, by arm and order."""
    kind = TYPES.get(unit.type)
    if unit.pikes:
        return "pikemen"
    if kind is not None:
        return kind.icon
    return OTHER_ARMS.get(unit.arm) or WEIGHTS.get(unit.order, "") + unit.arm


def _units(state: VirtusState, seat: int | None, lang: str) -> list[Piece]:
    return [
        _unit(state, i, spot, lang)
        for i, unit in enumerate(state.roster.units)
        if (spot := _spot(state.place[i], unit.side == seat))
    ]


_pieces: dict[tuple[object, ...], Piece] = {}  # the same of counters


def _unit(state: VirtusState, i: int, spot: str, lang: str) -> Piece:
    """The counter of a unit, drawn anew only if it does not look as it did at some moment before."""
    looks = (state.vc[i], state.flags[i], state.form[i], state.tokens[i], is_engaged(state, i))
    key = (state.roster.units[i], spot, *looks, attached_to(state, i) >= 0, lang)
    piece = _pieces.get(key)
    if piece is None:
        if len(_pieces) >= MOST_PIECES:
            _pieces.clear()
        piece = _pieces[key] = _draw_unit(state, i, spot, lang)
    return piece


def _draw_unit(state: VirtusState, i: int, spot: str, lang: str) -> Piece:
    unit, flags = state.roster.units[i], state.flags[i]
    values = {"VO": str(unit.vo), "VD": str(unit.vd), "VC": str(state.vc[i]), "Mvt": str(unit.mvt)}
    if unit.vt:
        values["VT"] = str(unit.vt)
    marks = [FORMATIONS[state.form[i]]] if state.form[i] else []
    marks += [unit.arm] if not unit.infantry else []
    marks += [unit.order] if unit.dispersed or (unit.infantry and unit.order == "dense") else []
    marks += [trait for trait in TRAITS if getattr(unit, trait)]
    marks += [deed for bit, deed in DEEDS if flags & bit]
    marks += ["general"] if attached_to(state, i) >= 0 else []
    return Piece(
        id=unit.id,
        label=unit_label(unit, lang),
        place=spot,
        side=unit.side,
        kind=unit.type,
        values=values,
        losses=unit.vc - state.vc[i],
        marks=tuple(say_name(state, mark, lang) for mark in marks),
        tokens=tuple(say_name(state, TOKENS[token], lang) for token in state.tokens[i]),
        facing="back" if flags & RETREATED else "side" if flags & OUTFLANKED else "front",  # V6.3b
        icon=icon_of(unit),
        strength=unit.vc,
        clauses=unit_clauses(state, i),
    )


def _generals(state: VirtusState, seat: int | None, lang: str) -> list[Piece]:
    return [
        Piece(
            id=general.id,
            label=general.name or say_name(state, general.id, lang),
            place=spot,
            side=general.side,
            kind="general",
            marks=tuple(say_name(state, q, lang) for q in QUALITIES if getattr(general, q)),
            tokens=(say_name(state, "general-token", lang),) * state.gtokens[g],
            icon="general",
            clauses=general_clauses(state, g),
        )
        for g, general in enumerate(state.roster.generals)
        if (spot := _spot(state.gplace[g], general.side == seat))
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
                    id=f"{kind}-{PLACES[place]}-{n}",
                    label=say_name(state, kind, lang),
                    place=PLACES[place],
                    side=side,
                    kind=kind,
                    hidden=True,
                    icon=kind,
                    clauses=("V7d",),
                )
                for n in range(1, number + 1)
            ]
    return pieces


# --- cards and tracks ----------------------------------------------------------------------------


def _cards(state: VirtusState, lang: str) -> list[Card]:
    cards: list[Card] = []
    pips = state.roster.rules.pips
    for side in (0, 1):
        for kind in range(KINDS):
            cards += [_card(pips, kind, side, "hand", lang)] * state.hand[side * KINDS + kind]
        cards += [Card("", "?", side, "hand", kind="back")] * state.hidden[side]
    for segment, kind in enumerate(state.laid):
        if kind != NO_CARD:
            cards.append(_card(pips, kind, state.active, SEGMENTS[segment], lang))
    return cards


@cache
def _card(pips: bool, kind: int, side: int, place: str, lang: str) -> Card:
    """V4.3a V4.3b V4.3c V17a: a card, or a die in its stead, with what it gives."""
    name = CARDS[kind]
    face = {FACE: "face", JOKER: "joker"}.get(kind, "die" if pips else "number")
    key = f"card.{name if name in ('0', '1', 'face', 'joker') else 'points'}"
    text = _say(lang, Message(key, {"points": name}))
    label = folder(__file__).messages[lang].sentences.get(f"name.{name}", name)
    return Card(name, label, side, place, text, face)


def _tracks(state: VirtusState, lang: str) -> list[Track]:
    tracks = [Track("turn", say_name(state, "turn", lang), str(state.turn))]
    if state.turn:
        active = say_name(state, SEATS[state.active], lang)
        tracks.append(Track("active", say_name(state, "active", lang), active))
    return tracks
