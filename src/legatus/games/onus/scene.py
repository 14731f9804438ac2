"""What a battle looks like: the table from above, terrain, structures, cards of units, hands."""

from __future__ import annotations

from shapely import Polygon, box, get_parts

from ...kernel import Message
from ...kernel.rulebook import folder
from ...parts import plane
from ...parts.plane import Size
from ...scene.model import OPEN, Area, Card, Look, Piece, Reach, Scene, Track
from .building import is_building
from .cards import CARDS, card_id
from .ghost import grips_of, measure
from .hidden import label
from .kinds import written
from .market import RAMS
from .marks import marks_of, overlaps
from .morale import morale_terms
from .motion import REGULAR, allowance
from .movement import Moving
from .naming import say_name
from .orders import leadership
from .passages import passage_of
from .setup import AWAY, DEFENDER, Deploying, zones
from .shooting import ARC
from .stall import purses, rams, wares
from .state import (
    ACTIVATED,
    CARD,
    CHARGED,
    CROSSING,
    FIELD,
    FORMATIONS,
    GAINED,
    GROUNDS,
    INSIDE,
    LOST,
    MOVED,
    NO_FORMATION,
    NOBODY,
    RESERVE,
    SEATS,
    SECTION,
    SHOT,
    TOWERS,
    VILLAGE,
    OnusState,
)
from .table import LEFT_WING, RIGHT_WING, enemies_touching, holder, structure_patch
from .turn import army_points, lost_points
from .view import UNKNOWN

Outline = tuple[tuple[int, int], ...]
TABLE, HAND, ASIDE = "table", "hand", "aside"
HEIGHTS = {"forest": 1, "hill": 1}
GROUND_CLAUSES = {
    "forest": ("O3.forest.movement", "O3.forest.defence", "O3.forest.shoot-through"),
    "mountain": ("O3.impassable",),
    "lake": ("O3.impassable",),
    "hill": ("O3.hill.movement", "O3.hill.attack", "O3.hill.ranged"),
    "river": ("O3.river.impassable",),
    "ford": ("O3.ford.straight", "O3.ford.bank-bonus"),
    "wooden-bridge": ("O3.bridge.values", "O3.choke.when"),
    "stone-bridge": ("O3.bridge.values", "O3.choke.when"),
    "village": ("O4.village.occupy", "O4.village.defence"),
    "watchtower": ("O4.watchtower.values", "O4.watchtower.rules"),
    "trench": ("O4.works.bonus", "O4.trench.charged"),
    "barricade": ("O4.works.bonus", "O4.barricade.attack"),
    "caltrops": ("O4.caltrops.roll", "O4.caltrops.clear"),
    "wall": ("O4.wall.values", "O4.wall.inner-contact", "O4.wall.attacker-ways"),
    "gate": ("O4.gate.pass", "O4.gate.melee-choice", "O4.wall.inner-contact"),
    "corner": ("O4.corner.capacity", "O4.corner.no-flank", "O4.wall.inner-contact"),
    "tower": ("O4.tower.values", "O4.tower.enter-inside", "O4.tower.enter-outside"),
    "siege-tower": ("O4.siege-tower.values", "O4.siege-tower.move", "O4.siege-tower.melee"),
}


def scene(state: OnusState, seat: int | None, lang: str) -> Scene:
    """OH.field.1: north is up for everybody."""
    units = _piled(state, [i for i, where in enumerate(state.where) if where != LOST])
    buying = is_building(state)
    return Scene(
        title=_say(lang, Message("game.name")),
        areas=(*_zones(state, lang), *_grounds(state, lang), *_structures(state, lang)),
        pieces=(*(_shown(state, i, seat, lang) for i in units), *rams(state, lang)),
        cards=tuple(wares(state, seat, lang) if buying else _cards(state, seat, lang)),
        tracks=tuple(purses(state, seat, lang) if buying else _tracks(state, lang)),
        sides=tuple(_capital(say_name(state, name, lang)) for name in SEATS),
        grid=OPEN,
        size=(state.roster.width, state.roster.height),
    )


def _piled(state: OnusState, units: list[int]) -> list[int]:
    """O4.overlap.choose-top: who lies on top of another comes after him."""
    for upper, lower in state.over:
        if upper in units and lower in units and units.index(upper) < units.index(lower):
            units.remove(upper)
            units.insert(units.index(lower) + 1, upper)
    return units


def _say(lang: str, said: Message) -> str:
    return folder(__file__).messages[lang].fill(said)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- what lies on the table ----------------------------------------------------------------------


def _grounds(state: OnusState, lang: str) -> tuple[Area, ...]:
    kept, key = state.roster.kept, f"areas-{lang}"
    if key not in kept:
        order = sorted(state.roster.grounds, key=lambda ground: GROUNDS.index(ground.kind))
        kept[key] = tuple(
            Area(
                id=ground.id,
                label=_capital(say_name(state, ground.id, lang)),
                row=0,
                column=0,
                ground=ground.kind,
                clauses=GROUND_CLAUSES[ground.kind],
                level=HEIGHTS.get(ground.kind, 0),
                outline=ground.outline,
            )
            for ground in order
        )
    areas: tuple[Area, ...] = kept[key]
    return areas


def _zones(state: OnusState, lang: str) -> list[Area]:
    """OH.field.2: where the side that deploys draws up, as long as it does."""
    decision = state.decision
    if not isinstance(decision, Deploying):
        return []
    label, clauses = _capital(say_name(state, "zone", lang)), ("OH.field.2", "O7.deploy.fortress")
    found = _fields(state, decision.seat)
    labels = [label] if len(found) == 1 else [f"{label} {n}" for n in range(1, len(found) + 1)]
    return [
        Area(f"zone-{n}", name, 0, 0, 1, "zone", decision.seat, clauses=clauses, outline=outline)
        for n, (name, outline) in enumerate(zip(labels, found, strict=True), 1)
    ]


def _fields(state: OnusState, seat: int) -> list[Outline]:
    """OH.field.2 O7.deploy.depth O7.deploy.defender: strips far from the walls, or a strip and the court."""
    keep = state.roster.keep
    strips = [box(*one) for one in zones(state, seat)]
    if keep is None:
        return [_outline(strip) for strip in strips]
    if seat == DEFENDER:
        return [*map(_outline, strips), keep.floor]
    walls = keep.shape.buffer(AWAY, quad_segs=4)
    return [_outline(part) for strip in strips for part in get_parts(strip - walls) if not part.is_empty]


def _outline(shape: Polygon) -> Outline:
    return tuple((round(x), round(y)) for x, y in shape.exterior.coords[:-1])


def _structures(state: OnusState, lang: str) -> list[Area]:
    found = []
    for n, structure in enumerate(state.roster.structures):
        if state.gone[n]:
            continue
        corners = structure_patch(state, n).points
        held = holder(state, n) if structure.kind == VILLAGE or structure.kind in TOWERS else -1
        fires = {"burning": state.fire[n], "lit": state.lit[n]}
        found.append(
            Area(
                id=structure.id,
                label=_capital(say_name(state, structure.id, lang)),
                row=0,
                column=0,
                ground=structure.sort.id,
                side=state.roster.units[held].side if held >= 0 else None,
                marks=tuple(
                    _say(lang, Message(f"mark.{name}", {"markers": number}))
                    for name, number in fires.items()
                    if number
                ),
                note=str(state.damage[n]) if state.damage[n] else "",
                clauses=GROUND_CLAUSES[structure.kind],
                level=structure.sort.height,
                outline=tuple((round(x), round(y)) for x, y in corners),
                losses=state.damage[n],
                strength=structure.sort.durability,
                states=tuple(name for name, number in fires.items() if number),
                heading=state.spots[n].turn // 10,
            )
        )
    return found


# --- cards of units ------------------------------------------------------------------------------


def _place(state: OnusState, i: int) -> str:
    if state.where[i] in (INSIDE, CROSSING) and not state.gone[state.inside[i]]:
        return state.roster.structures[state.inside[i]].id
    return TABLE if state.where[i] in (FIELD, CROSSING) else ASIDE


def _size(state: OnusState, i: int) -> Size:
    """O3.choke.when: of a unit in a passage its section markers are shown."""
    return passage_of(state, i).markers if state.where[i] == CROSSING else CARD


def _shown(state: OnusState, i: int, seat: int | None, lang: str) -> Piece:
    """O4.hidden.who: of a unit that lies face down others see the back of its card only."""
    unseen = state.hidden[i] and state.roster.units[i].side != seat
    return _back(state, i, lang) if unseen else _piece(state, i, seat, lang)


def _back(state: OnusState, i: int, lang: str) -> Piece:
    name = label(state, i)
    return Piece(
        id=name,
        label=_capital(say_name(state, name, lang)),
        place=_place(state, i),
        side=state.roster.units[i].side,
        kind=say_name(state, "hidden", lang),
        values={},
        losses=0,
        marks=tuple(overlaps(state, i, lang)),
        clauses=("O4.hidden.who", "O4.hidden.reveal", "O4.hidden.shot-at"),
        heading=state.pose[i].turn // 10,
        acting=_is_acting(state, i),
        badge="?",
        pose=state.pose[i],
        size=CARD,
    )


def _piece(state: OnusState, i: int, seat: int | None, lang: str) -> Piece:
    unit, states = state.roster.units[i], _states(state, i)
    return Piece(
        id=unit.id,
        label=_capital(say_name(state, unit.id, lang)),
        place=_place(state, i),
        side=unit.side,
        kind=say_name(state, unit.kind.id, lang),
        values=written(unit.kind),
        losses=state.wounds[i],
        marks=marks_of(state, i, states, lang),
        tokens=(say_name(state, "general", lang),) if unit.general else (),
        icon=unit.kind.icon,
        strength=unit.kind.life,
        clauses=_clauses(state, i, states),
        heading=state.pose[i].turn // 10,
        acting=_is_acting(state, i),
        badge=_badge(state, i, lang),
        states=tuple(states),
        pose=state.pose[i] if state.where[i] != RESERVE else None,
        size=_size(state, i),
        sections=(_size(state, i).front // SECTION, CARD.depth // SECTION),
        wings=(int(bool(state.wings[i] & LEFT_WING)), int(bool(state.wings[i] & RIGHT_WING))),
        grips=grips_of(state, seat, i),
    )


def _badge(state: OnusState, i: int, lang: str) -> str:
    formation = state.formation[i]
    return say_name(state, f"badge-{FORMATIONS[formation]}", lang) if formation != NO_FORMATION else ""


def _states(state: OnusState, i: int) -> list[str]:
    if state.where[i] == RESERVE:
        return ["reserve"]
    found = ["fleeing"] if state.fleeing[i] else []
    found += ["broken"] if state.broken[i] else []
    found += [FORMATIONS[state.formation[i]]] if state.formation[i] != NO_FORMATION else []
    found += ["extended"] if state.wings[i] else []
    found += ["engaged"] if enemies_touching(state, i) else []
    found += _ladder(state, i)
    found += ["crossing"] if state.where[i] == CROSSING else []
    found += [RAMS] if state.ram[i] else []
    deeds = ((ACTIVATED, "activated"), (MOVED, "moved"), (CHARGED, "charge"), (SHOT, "shot"))
    return found + [name for bit, name in deeds if state.flags[i] & bit]


def _ladder(state: OnusState, i: int) -> list[str]:
    """O5.assault.marker-red O5.assault.marker-green: green at the top, and in a turn that gained a level."""
    n = state.climbs[i]
    if n == NOBODY:
        return []
    gained = state.active == state.roster.units[i].side and state.flags[i] & GAINED
    is_top = state.climbed[i] >= state.roster.structures[n].sort.height
    return ["climbed" if is_top or gained else "climbing"]


def _clauses(state: OnusState, i: int, states: list[str]) -> tuple[str, ...]:
    known = {
        "fleeing": ("OH.flight.1", "OH.flight.4"),
        "broken": ("OH.broken.1",),
        "engaged": ("OH.melee.2",),
        "shield-wall": ("OH.formation.1",),
        "phalanx": ("OH.formation.2",),
        "square": ("OH.formation.3",),
        "wedge": ("OH.formation.4",),
        "extended": ("OH.formation.6",),
        "climbing": ("O5.assault.time", "O5.assault.marker-red"),
        "climbed": ("O5.assault.time", "O5.assault.marker-green"),
        "crossing": ("O3.choke.when", "O3.choke.free-way"),
        RAMS: ("O5.ram.movement",),
    }
    found = [clause for name in states for clause in known.get(name, ())]
    found += ["OH.general.2"] if state.roster.units[i].general else []
    return tuple(dict.fromkeys((*found, "OH.unit.1", "OH.move.1")))[:8]


def _is_acting(state: OnusState, i: int) -> bool:
    decision = state.decision
    return getattr(decision, "unit", None) == i


# --- hands and tracks ----------------------------------------------------------------------------


def _cards(state: OnusState, seat: int | None, lang: str) -> list[Card]:
    found = []
    for side, hand in enumerate(state.hands):
        for n, card in enumerate(hand):
            if card == UNKNOWN:
                found.append(Card(f"back-{side}-{n}", "", side, HAND, kind="back"))
                continue
            order, event = CARDS[card]
            text = (
                _say(lang, Message(f"text.order.{order}")) + " " + _say(lang, Message(f"text.event.{event}"))
            )
            label = say_name(state, card_id(card), lang)
            found.append(Card(card_id(card), label, side, HAND, text.strip(), "stratagem"))
    return found


def _tracks(state: OnusState, lang: str) -> list[Track]:
    def track(name: str, value: str) -> Track:
        return Track(name, _capital(say_name(state, name, lang)), value)

    tracks = [track("turn", str(state.turn)), track("active", say_name(state, SEATS[state.active], lang))]
    left = sum(state.deck) - sum(card == UNKNOWN for hand in state.hands for card in hand)
    tracks.append(track("deck", f"{left} ({state.exhausted}/{state.roster.goals.decks})"))
    for side, name in enumerate(SEATS):
        lost, whole = lost_points(state, side), army_points(state, side)
        tracks.append(track(f"losses-{name}", f"{lost}/{whole}"))
    return tracks


# --- a closer look -------------------------------------------------------------------------------


def look(state: OnusState, seat: int | None, piece: str, lang: str) -> Look | None:
    """OH.value.6 OH.morale.3 OH.general.1: what a unit can do, and how steady it is."""
    i = state.roster.index.get(piece, -1)
    if i < 0 or state.where[i] in (LOST, RESERVE):
        return None
    if state.hidden[i] and state.roster.units[i].side != seat:
        return None
    unit = state.roster.units[i]
    said = []
    morale = unit.kind.morale + sum(term.value for term in morale_terms(state, i))
    said.append((Message("look.morale", {"morale": morale, "printed": unit.kind.morale}), "OH.morale.3"))
    traits = tuple(sorted(unit.kind.traits))
    if traits:
        said.append((Message("look.traits", {"traits": traits}), "OH.unit.1"))
    if unit.general:
        values = {"leadership": leadership(state, unit.side)}
        said.append((Message("look.general", {**values}), "OH.general.1"))
    foes = enemies_touching(state, i)
    if foes:
        names = tuple(state.roster.units[j].id for j in foes)
        said.append((Message("look.engaged", {"units": names}), "OH.contact.1"))
    messages = folder(__file__).messages[lang]
    lines = [(messages.render(one, lambda word: say_name(state, word, lang)), clause) for one, clause in said]
    return Look(lines=tuple(lines), reaches=tuple(_reaches(state, i)))


def _reaches(state: OnusState, i: int) -> list[Reach]:
    """OH.value.6 OH.value.3 OH.ranged.4: how far it moves straight on, and where its missiles fall."""
    kind, decision, on_field = state.roster.units[i].kind, state.decision, state.where[i] == FIELD
    left = allowance(state, i, REGULAR)
    if isinstance(decision, Moving) and decision.unit == i:
        left = decision.left(state)
    found = [Reach("move", measure(left), left, 0, "OH.value.6")] if on_field and left > 0 else []
    if kind.shoots:
        both = {kind.long: "long", kind.short: "short"}
        spread = ARC if on_field else plane.FULL // 2
        found += [Reach(name, measure(far), far, spread, "OH.value.3") for far, name in both.items() if far]
    return found
