"""What a battle looks like: the map, counters in one hex or two, markers, one unit looked at closely."""

from __future__ import annotations

from ...kernel import Message
from ...kernel.rulebook import folder
from ...parts.hexes import FLANK, FRONT, REAR, heading
from ...scene.model import HEXES, Area, Look, Marker, Piece, Scene, Track, Zone
from .cohesion import DOUBLE_ONE, DOUBLE_SIX, RemnantChoice
from .endphase import EscapeChoice
from .melee import TargetChoice, blow_terms, targets
from .movement import Facing, Moving
from .naming import say_name
from .ranking import Ranking
from .rout import FlightChoice, GoAlong
from .state import (
    ACTIVATED,
    CHARACTER,
    CHARGED,
    CLEAR,
    CONTACT,
    FORMATION,
    GROUND,
    HORDE,
    INSTRUCTIONS,
    LEAGUE,
    MODES,
    MOVES,
    NO_FIRE,
    NO_STAKES,
    NOBODY,
    ORDERED,
    POSITIONS,
    SEATS,
    START,
    TERRAINS,
    WEATHERS,
    WHOLE,
    FormationsState,
)
from .units import angle_from, around, cells_of, complies, engagers, figures, instruction_of, kind_of, stack
from .victory import score

FATIGUES = ("", "winded", "exhausted")
COHESIONS = ("", "shaken", "rout")
AMMUNITIONS = ("", "diminished", "spent")
DEEDS = ((ORDERED, "order"), (CONTACT, "contact"), (CHARGED, "charge"), (ACTIVATED, "activated"))
ZONES = {FRONT: ("front", "AH8.engage"), FLANK: ("flank", "AH11.melee"), REAR: ("rear", "AH11.melee")}
STATE_CLAUSES = {
    "rout": ("AH16.rout", "A.rally.c5"),
    "shaken": ("A.reorganise.c1", "A.reorganise.c4"),
    "exhausted": ("A.rest.c1",),
    "winded": ("A.rest.c1",),
    "engaged": ("AH8.engage",),
    "flying": ("AH25.special_positions",),
    "infiltrating": ("AH25.special_positions",),
    "spent": ("A.reload.c4",),
    "diminished": ("A.reload.c4",),
}
ABOUT = (Moving, Facing, Ranking, FlightChoice, RemnantChoice, EscapeChoice, TargetChoice)


def scene(state: FormationsState, seat: int | None, lang: str) -> Scene:
    """AH1.grid: north is up for everybody."""
    kept = state.roster.kept
    key = f"areas-{lang}"
    if key not in kept:
        kept[key] = tuple(_hexes(state, lang))
    order = sorted((i for i, cell in enumerate(state.cell) if cell >= 0), key=state.depth.__getitem__)
    return Scene(
        title=_say(lang, Message("game.name")),
        areas=kept[key],
        pieces=tuple(_piece(state, i, lang) for i in order),
        tracks=tuple(_tracks(state, lang)),
        sides=tuple(_capital(say_name(state, name, lang)) for name in SEATS),
        grid=HEXES,
        markers=tuple(_markers(state, lang)),
    )


def _say(lang: str, said: Message) -> str:
    return folder(__file__).messages[lang].fill(said)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- the map -------------------------------------------------------------------------------------


def _hexes(state: FormationsState, lang: str) -> list[Area]:
    roster = state.roster
    areas = []
    for cell, name in enumerate(roster.grid.names):
        terrain, inside = roster.terrain[cell], cell in roster.inside
        marks = [TERRAINS[terrain]] if terrain != CLEAR else []
        marks += ["inflammable"] if cell in roster.burns else []
        marks += ["indoor"] if inside else []
        clauses = ["AH7.move"] if terrain != CLEAR else []
        clauses += ["A.set_fire.c1"] if cell in roster.burns else []
        clauses += ["A.plant_stakes.c1"] if inside else []
        areas.append(
            Area(
                id=name,
                label=_say(lang, Message("scene.hex", {"hex": name})),
                row=roster.grid.row(cell),
                column=roster.grid.column(cell),
                ground=_ground(state, cell),
                marks=tuple(say_name(state, mark, lang) for mark in marks),
                clauses=tuple(clauses) or ("AH1.grid",),
            )
        )
    return areas


def _ground(state: FormationsState, cell: int) -> str:
    """A.def.terrain: how a hex looks; what burns on Clear ground stands as a ripe field."""
    terrain = state.roster.terrain[cell]
    if cell in state.roster.inside:
        return "indoor"
    return "field" if terrain == CLEAR and cell in state.roster.burns else TERRAINS[terrain]


def _markers(state: FormationsState, lang: str) -> list[Marker]:
    names, prize = state.roster.grid.names, state.roster.prize

    def mark(kind: str, cell: int, clause: str, turned: int | None = None, side: int | None = None) -> Marker:
        label = _capital(say_name(state, kind, lang))
        return Marker(f"{kind}-{names[cell]}", kind, label, names[cell], turned, side, (clause,))

    found = []
    if prize.beacon >= 0:
        holder = None if state.beacon == NOBODY else state.beacon
        found.append(mark("beacon", prize.beacon, "AH27.victory", side=holder))
    if prize.granary >= 0:
        found.append(mark("granary", prize.granary, "AH27.victory", side=HORDE if state.burnt else LEAGUE))
    for device, worker in zip(state.roster.devices, state.worked, strict=True):
        label, side = say_name(state, device.id, lang), None if worker == NOBODY else worker
        found.append(Marker(device.id, "device", label, names[device.cell], None, side, ("AH31.devices",)))
    for cell, fire in enumerate(state.fire):
        if fire != NO_FIRE:
            kind, clause = ("fire", "A.douse.c1") if fire == START else ("blaze", "A.douse.c2")
            found.append(mark(kind, cell, clause))
    for cell, facing in enumerate(state.stakes):
        if facing != NO_STAKES:
            found.append(mark("stakes", cell, "AH23.stakes", heading(facing)))
    return found


# --- counters ------------------------------------------------------------------------------------


def _piece(state: FormationsState, i: int, lang: str) -> Piece:
    kind, cells, names = kind_of(state, i), cells_of(state, i), state.roster.grid.names
    states = _states(state, i)
    formation, character = state.kind[i] == FORMATION, state.kind[i] == CHARACTER
    wing = state.roster.wings[state.wing[i]].id if state.wing[i] >= 0 else ""
    marks = [MODES[state.mode[i]], *states] if formation else states
    return Piece(
        id=state.ids[i],
        label=say_name(state, state.ids[i], lang),
        place=names[cells[0]],
        side=state.side[i],
        kind=_kind(state, i, lang),
        values=_values(state, i),
        losses=0 if character or formation else WHOLE - state.steps[i],
        marks=tuple(say_name(state, mark, lang) for mark in marks),
        icon=kind.icon,
        strength=0 if character else state.steps[i] if formation else WHOLE,
        clauses=_clauses(state, i, states),
        heading=None if character else heading(state.facing[i]),
        group=wing,
        acting=_is_acting(state, i),
        badge=say_name(state, f"badge-{MODES[state.mode[i]]}", lang) if formation else "",
        states=tuple(marks),
        beside=names[cells[1]] if formation else "",
    )


def _kind(state: FormationsState, i: int, lang: str) -> str:
    """A.def.kinds A.def.figures: what it is, and what decides its fights."""
    if state.kind[i] == CHARACTER:
        return say_name(state, "character", lang)
    what = say_name(state, "simple", lang)
    if state.kind[i] == FORMATION:
        what = _say(lang, Message("scene.formation", {"figures": figures(state.steps[i])}))
    return ", ".join([what, *_traits(state, i, lang)])


def _traits(state: FormationsState, i: int, lang: str) -> list[str]:
    """A.def.size A.def.weapon_class A.def.morale_profile AH7.move A.def.faculties A.def.command_profile."""
    kind = kind_of(state, i)
    faculties = [name for name in ("manoeuvre", "regeneration") if getattr(kind, name)]
    words = [*(["small"] if kind.small else []), *([kind.weapon] if kind.weapon else []), *faculties]
    words += [kind.special] if kind.special and state.position[i] == GROUND else []  # else it is a mark
    named = [say_name(state, f"trait-{word}", lang) for word in words]
    moves = f"{say_name(state, f'trait-{kind.move}', lang)} {MOVES[kind.move]}"
    said = {name: say_name(state, getattr(kind, name), lang) for name in ("morale", "profile")}
    return [_say(lang, Message("scene.traits", {**said, "moves": moves})), *named]


def _values(state: FormationsState, i: int) -> dict[str, str]:
    if state.kind[i] == CHARACTER:
        return {"Cmd": str(state.roster.pieces[i].command)}
    kind = kind_of(state, i)
    values = {"N": str(kind.number), "P": str(state.steps[i])}
    return {**values, "R": str(kind.range)} if kind.range else values


def _states(state: FormationsState, i: int) -> list[str]:
    """A.def.fatigue A.def.cohesion A.def.ammunition A.def.activated A.def.contact_charge, as keys."""
    found = [COHESIONS[state.cohesion[i]], FATIGUES[state.fatigue[i]], AMMUNITIONS[state.ammo[i]]]
    found += [POSITIONS[state.position[i]]] if state.position[i] != GROUND else []
    found += ["engaged"] if engagers(state, i) else []
    found += [deed for bit, deed in DEEDS if state.flags[i] & bit]
    return [name for name in found if name]


def _clauses(state: FormationsState, i: int, states: list[str]) -> tuple[str, ...]:
    if state.kind[i] == CHARACTER:
        return ("AH28.characters", "AH5.command")
    found = [clause for name in states for clause in STATE_CLAUSES.get(name, ())]
    found += ["AH21.modes", "A.leave.c1", "A.break.c1"] if state.kind[i] == FORMATION else ["A.constitute.c1"]
    return tuple(dict.fromkeys((*found, "AH11.melee")))[:8]


def _is_acting(state: FormationsState, i: int) -> bool:
    decision = state.decision
    if isinstance(decision, GoAlong):
        return decision.character == i
    return isinstance(decision, ABOUT) and decision.unit == i


def _tracks(state: FormationsState, lang: str) -> list[Track]:
    def track(name: str, value: str) -> Track:
        return Track(name, _capital(say_name(state, name, lang)), value)

    tracks = [
        track("turn", f"{state.turn}/{state.roster.prize.turns}"),
        track("weather", say_name(state, WEATHERS[state.weather], lang)),
    ]
    if state.turn:
        tracks.append(track("active", say_name(state, SEATS[state.active], lang)))
    league, horde = score(state)
    tracks += [track("points-league", str(league)), track("points-horde", str(horde))]
    for w, wing in enumerate(state.roster.wings):
        label = _capital(say_name(state, wing.id, lang))
        leader = state.roster.leaders[w]
        instruction = instruction_of(state, leader) if leader >= 0 else state.instruction[w]
        tracks.append(Track(f"wing-{wing.id}", label, say_name(state, INSTRUCTIONS[instruction], lang)))
    return tracks


# --- a closer look -------------------------------------------------------------------------------


def look(state: FormationsState, seat: int | None, piece: str, lang: str) -> Look | None:
    """AH2.footprint: front, flanks and rear; what stands with it, and whether it complies."""
    if piece not in state.ids:
        return None
    i = state.ids.index(piece)
    if state.cell[i] < 0:
        return None
    names = state.roster.grid.names
    zones = []
    for angle, (kind, clause) in ZONES.items() if state.kind[i] != CHARACTER else ():
        places = tuple(names[cell] for cell in around(state, i) if angle_from(state, i, cell) == angle)
        zones.append(Zone(kind, say_name(state, kind, lang), places, clause))
    return Look(tuple(zones), {}, tuple(_lines(state, i, lang)))


def _lines(state: FormationsState, i: int, lang: str) -> list[tuple[str, str]]:
    said: list[tuple[Message, str]] = []
    here = {j for cell in cells_of(state, i) for j in stack(state, cell) if j != i}
    if here:
        order = sorted(here, key=lambda j: (state.kind[j] == CHARACTER, state.depth[j]))
        others = tuple(state.ids[j] for j in order)
        said.append((Message("look.stack", {"units": others}), "A.def.front_behind"))
    if state.kind[i] != CHARACTER:
        values = {"capacity": kind_of(state, i).capacity, "traits": ", ".join(_traits(state, i, lang))}
        said.append((Message("look.values", {**values}), "A.def.command_profile"))
        if state.wing[i] >= 0:
            key = "look.complies" if complies(state, i) else "look.instruction"
            word = INSTRUCTIONS[instruction_of(state, i)]
            wing = state.roster.wings[state.wing[i]].id
            said.append((Message(key, {"wing": wing, "instruction": word}), "AH6.instructions"))
        said += [(_blow(state, i, j, lang), "AH11.melee") for j in targets(state, i)]
    messages = folder(__file__).messages[lang]
    return [(messages.render(one, lambda word: say_name(state, word, lang)), clause) for one, clause in said]


def _blow(state: FormationsState, i: int, j: int, lang: str) -> Message:
    """AH11.melee: an attack on an enemy before it, with all that is added to the dice."""
    terms = list(blow_terms(state, i, j))
    most = kind_of(state, i).number - sum(term.value for term in terms)
    words = [f"{_say(lang, Message(term.key, term.values))} {term.value:+}" for term in terms]
    key = "look.strikes" if words else "look.strikes_plain"
    most = min(max(most, DOUBLE_ONE), DOUBLE_SIX - 1)
    return Message(key, {"target": state.ids[j], "most": most, "terms": ", ".join(words)})
