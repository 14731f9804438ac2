"""The state of a battle: units, generals, sectors and cards as columns of numbers, and questions about them.

Places are numbers (V1.5b): 0 is Rome's reserve, 1 to 4 its sectors; 5 is the barbarians' reserve, 6 to 9
their sectors.  Sector ``p`` faces ``facing(p)``; both lie in segment ``column(p)`` (V4b).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Final, Self

from msgspec import Meta

from ...kernel import Outcome, State, Step
from ...kernel.model import uneven_columns
from ...kernel.objects import ValueObject

ROME, BARBARIANS = 0, 1
SEATS = ("rome", "barbarians")

STRIDE = 5  # places a side: its reserve and up to four sectors
PLACES = tuple(f"{camp}{'-reserve' if i == 0 else i}" for camp in ("rome", "barb") for i in range(STRIDE))
PLACE: dict[str, int] = {name: i for i, name in enumerate(PLACES)}
GONE, UNKNOWN, WAITING = -1, -2, -3  # eliminated; face down to the viewer; not deployed yet
SEGMENTS = tuple(f"seg{i}" for i in range(STRIDE))  # seg0 is never used: reserves are in no segment
SEGMENT: dict[str, int] = {name: i for i, name in enumerate(SEGMENTS) if i}

# What a unit did or suffered, one bit each; all but the last three are forgotten when its turn ends.
FOUGHT, MOVED, HELD, CHANGED, RETREATED, CHARGING, HILL, OUTFLANKED, FRESH = (1 << n for n in range(9))
CHARGED, SHELTERED, FACEDOWN = (1 << n for n in range(9, 12))
ACTIVATED = FOUGHT | MOVED | HELD | CHANGED
LASTING = CHARGED | SHELTERED | FACEDOWN

NORMAL, TESTUDO, SHIELDWALL, ORBIS = 0, 1, 2, 3
FORMATIONS = ("normal", "testudo", "shieldwall", "orbis")

CARDS = ("1", "2", "3", "4", "5", "6", "face", "joker", "0")  # "0" is a PiP of a die less one (V17b)
CARD: dict[str, int] = {name: i for i, name in enumerate(CARDS)}
KINDS = len(CARDS)
FACE, JOKER, ZERO = CARD["face"], CARD["joker"], CARD["0"]
DECK = (2, 2, 2, 2, 2, 2, 6, 1, 0)  # V1.4a
NO_CARD = -1
UNLIMITED = 999  # V4.3b: the Joker's points, more than any army can spend


# What a file is held to: wider than any battle needs, and narrow enough that nothing takes long.

Bit = Annotated[int, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=99)]
Worth = Annotated[int, Meta(ge=0, le=20)]
Place = Annotated[int, Meta(ge=WAITING, le=2 * STRIDE - 1)]
Tokens = Annotated[str, Meta(max_length=200)]
Word = Annotated[str, Meta(max_length=2_000)]
MAX_UNITS, MAX_GENERALS = 40, 80
OfUnits = Meta(max_length=MAX_UNITS)
OfGenerals = Meta(max_length=MAX_GENERALS)
OfPlaces = Meta(max_length=2 * STRIDE)
OfSegments = Meta(max_length=STRIDE)
OfCards = Meta(max_length=2 * KINDS)
OfSides = Meta(max_length=2)


class Unit(ValueObject):
    """A unit as recruited (VREF.b); what changes in battle is in the state's columns."""

    omits_defaults: ClassVar[bool] = True

    def __init__(
        self,
        id: Word,
        type: Word,
        side: Bit,
        number: Count,
        vo: Worth,
        vt: Worth,
        vd: Worth,
        vc: Worth,
        mvt: Worth,
        arm: Word,
        order: Word,
        name: Word,
        mounted: bool = False,
        impetuous: bool = False,
        fanatic: bool = False,
        stoic: bool = False,
        elite: bool = False,
        rabble: bool = False,
        two_handed: bool = False,
        missiles: bool = False,
        sling: bool = False,
        bolts: bool = False,
        ballista: bool = False,
        pila: bool = False,
        pikes: bool = False,
        overhead: bool = False,
        testudo: bool = False,
        shieldwall: bool = False,
        orbis: bool = False,
        dromedary: bool = False,
        elephant: bool = False,
        cataphract: bool = False,
        march: Worth = 4,  # forced march threshold, V6.4-march-a
    ) -> None:
        self.id: Final = id
        self.type: Final = type
        self.side: Final = side
        self.number: Final = number
        self.vo: Final = vo
        self.vt: Final = vt
        self.vd: Final = vd
        self.vc: Final = vc
        self.mvt: Final = mvt
        self.arm: Final = arm
        self.order: Final = order
        self.name: Final = name
        self.mounted: Final = mounted
        self.impetuous: Final = impetuous
        self.fanatic: Final = fanatic
        self.stoic: Final = stoic
        self.elite: Final = elite
        self.rabble: Final = rabble
        self.two_handed: Final = two_handed
        self.missiles: Final = missiles
        self.sling: Final = sling
        self.bolts: Final = bolts
        self.ballista: Final = ballista
        self.pila: Final = pila
        self.pikes: Final = pikes
        self.overhead: Final = overhead
        self.testudo: Final = testudo
        self.shieldwall: Final = shieldwall
        self.orbis: Final = orbis
        self.dromedary: Final = dromedary
        self.elephant: Final = elephant
        self.cataphract: Final = cataphract
        self.march: Final = march
        self._hash: Final = super().__hash__()  # bots keep in tables what they think of units

    def __hash__(self) -> int:
        return self._hash

    @property
    def infantry(self) -> bool:
        return self.arm == "infantry"

    @property
    def artillery(self) -> bool:
        return self.arm == "artillery"

    @property
    def dispersed(self) -> bool:
        """V6.4-evade-a: light infantry, light cavalry, light chariots: what may evade."""
        return self.order == "dispersed"

    @property
    def surcharge(self) -> int:
        """V10-troops.2b V10-troops.3b: every activation of a fanatic or stoic unit costs one point more."""
        return self.fanatic + self.stoic


class General(ValueObject):
    """V8a: a general has no combat values and acts without activation."""

    omits_defaults: ClassVar[bool] = True

    def __init__(
        self,
        id: Word,
        side: Bit,
        name: Word,
        chief: bool = False,
        superior: bool = False,
        charismatic: bool = False,
        hero: bool = False,
        devotio: bool = False,
    ) -> None:
        self.id: Final = id
        self.side: Final = side
        self.name: Final = name
        self.chief: Final = chief
        self.superior: Final = superior
        self.charismatic: Final = charismatic
        self.hero: Final = hero
        self.devotio: Final = devotio

    @property
    def bonus(self) -> int:
        """V8b: the activation points that he brings to his segment."""
        return 2 if self.superior else 1


class Rules(ValueObject):
    """The options in force that are not already part of the units."""

    def __init__(
        self,
        columns: Annotated[int, Meta(ge=3, le=STRIDE - 1)] = 4,
        pips: bool = False,
        attrition: bool = False,
        leaders: bool = True,
        decoys: Word = "equal",
    ) -> None:
        self.columns: Final = columns
        self.pips: Final = pips
        self.attrition: Final = attrition
        self.leaders: Final = leaders
        self.decoys: Final = decoys


class Roster(ValueObject):
    """What is settled before the battle and shared by all its states."""

    def __init__(
        self,
        units: Annotated[tuple[Unit, ...], OfUnits],
        generals: Annotated[tuple[General, ...], OfGenerals],
        rules: Rules,
        # V14.1a: units that may cross in each segment's middle; 0: no river
        rivers: Annotated[tuple[Count, ...], OfSegments],
        camps: Annotated[tuple[Bit, ...], OfSides],  # fortified camps bought by each side (V14.2a)
    ) -> None:
        self.units: Final = units
        self.generals: Final = generals
        self.rules: Final = rules
        self.rivers: Final = rivers
        self.camps: Final = camps
        self.index: Final[dict[str, int]] = {unit.id: i for i, unit in enumerate(self.units)}
        self.general_index: Final[dict[str, int]] = {general.id: i for i, general in enumerate(self.generals)}
        self.of: Final[tuple[range, range]] = self._of()
        self.generals_of: Final[tuple[range, range]] = self._generals_of()
        # What bots remember of positions, see evaluate.py; no part of the roster's value.
        self.known: Final[dict[Any, Any]] = {}

    def _of(self) -> tuple[range, range]:
        """The unit numbers of each side; Rome's stand first."""
        romans = sum(unit.side == ROME for unit in self.units)
        return range(romans), range(romans, len(self.units))

    def _generals_of(self) -> tuple[range, range]:
        romans = sum(general.side == ROME for general in self.generals)
        return range(romans), range(romans, len(self.generals))


class VirtusState(State):
    """The columns: one entry a unit, a general, a place, a segment, or a side and card."""

    def __init__(
        self,
        todo: list[Step],
        outcome: Outcome | None,
        roster: Roster,
        turn: Annotated[int, Meta(ge=0, le=1_000_000)],
        active: Bit,
        attacker: Bit,
        joker_played: bool,
        # units
        place: Annotated[list[Place], OfUnits],
        vc: Annotated[list[Worth], OfUnits],
        tokens: Annotated[list[Tokens], OfUnits],  # one letter a token, see damage.py
        flags: Annotated[list[Annotated[int, Meta(ge=0, le=2 * FACEDOWN - 1)]], OfUnits],
        form: Annotated[list[Annotated[int, Meta(ge=0, le=3)]], OfUnits],
        origin: Annotated[list[Place], OfUnits],  # where a unit stood when its tests began (V3.1f)
        # generals
        gplace: Annotated[list[Place], OfGenerals],
        gtokens: Annotated[list[Count], OfGenerals],
        attached: Annotated[
            list[Annotated[int, Meta(ge=-1, le=MAX_UNITS)]], OfGenerals
        ],  # the unit he fights with, or -1
        rode: Annotated[list[Count], OfGenerals],  # sectors that he has ridden this turn (V6.2c)
        # places
        terrain: Annotated[list[Word], OfPlaces],
        camp: Annotated[list[Bit], OfPlaces],
        last: Annotated[list[Bit], OfPlaces],  # V1.8b: who occupied it last
        holder: Annotated[list[Bit], OfPlaces],  # V1.8b: who passed the check last
        decoys: Annotated[list[Count], OfPlaces],
        markers: Annotated[list[Count], OfPlaces],  # face-down markers, decoys and units: what everybody sees
        count: Annotated[
            list[Count], Meta(max_length=4 * STRIDE)
        ],  # units of side s at place p, at s * 10 + p: derived, for speed
        # segments
        points: Annotated[list[Annotated[int, Meta(ge=0, le=2 * UNLIMITED)]], OfSegments],
        laid: Annotated[list[Annotated[int, Meta(ge=NO_CARD, le=KINDS - 1)]], OfSegments],
        opened: Annotated[list[Bit], OfSegments],  # the segment has been activated this turn
        crossed: Annotated[list[Count], OfSegments],
        # cards: KINDS entries a side
        hand: Annotated[list[Count], OfCards],
        pile: Annotated[list[Count], OfCards],
        discard: Annotated[list[Count], OfCards],
        removed: Annotated[list[Count], OfCards],  # by attrition
        kept: Annotated[list[Count], OfSides],  # face cards that a side holds back this turn (V4.3c)
        hidden: Annotated[
            list[Count], OfSides
        ],  # in a view: cards of the hand that lie, unknown, in the pile's column
    ) -> None:
        super().__init__(todo, outcome)
        self.roster = roster
        self.turn = turn
        self.active = active
        self.attacker = attacker
        self.joker_played = joker_played
        self.place = place
        self.vc = vc
        self.tokens = tokens
        self.flags = flags
        self.form = form
        self.origin = origin
        self.gplace = gplace
        self.gtokens = gtokens
        self.attached = attached
        self.rode = rode
        self.terrain = terrain
        self.camp = camp
        self.last = last
        self.holder = holder
        self.decoys = decoys
        self.markers = markers
        self.count = count
        self.points = points
        self.laid = laid
        self.opened = opened
        self.crossed = crossed
        self.hand = hand
        self.pile = pile
        self.discard = discard
        self.removed = removed
        self.kept = kept
        self.hidden = hidden

    def copy(self) -> Self:
        return type(self)(
            self.todo.copy(),
            self.outcome,
            self.roster,
            self.turn,
            self.active,
            self.attacker,
            self.joker_played,
            self.place.copy(),
            self.vc.copy(),
            self.tokens.copy(),
            self.flags.copy(),
            self.form.copy(),
            self.origin.copy(),
            self.gplace.copy(),
            self.gtokens.copy(),
            self.attached.copy(),
            self.rode.copy(),
            self.terrain.copy(),
            self.camp.copy(),
            self.last.copy(),
            self.holder.copy(),
            self.decoys.copy(),
            self.markers.copy(),
            self.count.copy(),
            self.points.copy(),
            self.laid.copy(),
            self.opened.copy(),
            self.crossed.copy(),
            self.hand.copy(),
            self.pile.copy(),
            self.discard.copy(),
            self.removed.copy(),
            self.kept.copy(),
            self.hidden.copy(),
        )


def blank(roster: Roster) -> VirtusState:
    """A battle before anything has happened."""
    units, generals, places = len(roster.units), len(roster.generals), len(PLACES)
    return VirtusState(
        todo=[],
        outcome=None,
        roster=roster,
        turn=0,
        active=ROME,
        attacker=ROME,
        joker_played=False,
        place=[WAITING] * units,
        vc=[unit.vc for unit in roster.units],
        tokens=[""] * units,
        flags=[0] * units,
        form=[NORMAL] * units,
        origin=[WAITING] * units,
        gplace=[WAITING] * generals,
        gtokens=[0] * generals,
        attached=[-1] * generals,
        rode=[0] * generals,
        terrain=["clear"] * places,
        camp=[0] * places,
        last=[owner(p) for p in range(places)],
        holder=[owner(p) for p in range(places)],
        decoys=[0] * places,
        markers=[0] * places,
        count=[0] * (2 * places),
        points=[0] * STRIDE,
        laid=[NO_CARD] * STRIDE,
        opened=[0] * STRIDE,
        crossed=[0] * STRIDE,
        hand=[0] * (2 * KINDS),
        pile=[*DECK, *DECK],
        discard=[0] * (2 * KINDS),
        removed=[0] * (2 * KINDS),
        kept=[0, 0],
        hidden=[0, 0],
    )


def uneven(state: VirtusState) -> Iterator[str]:
    """Columns, of the state or its roster, that are longer or shorter than they must be."""
    if len(state.roster.rivers) != STRIDE or len(state.roster.camps) != len(SEATS):
        yield "rivers and camps are not one for each segment and side"
    yield from uneven_columns(state, blank(state.roster))


def say_points(points: int) -> int | str:
    """V4.3b: points as people read them; the Joker's have no ceiling."""
    return "∞" if points > UNLIMITED // 2 else points


# --- places --------------------------------------------------------------------------------------


def other(side: int) -> int:
    return 1 - side


def owner(place: int) -> int:
    """V1.5b: the side in whose camp a place lies."""
    return place // STRIDE


def column(place: int) -> int:
    """V4b: the segment of a place; 0 for a reserve, which is in none."""
    return place % STRIDE


def reserve(side: int) -> int:
    return side * STRIDE


def sector(side: int, segment: int) -> int:
    return side * STRIDE + segment


def facing(place: int) -> int:
    """V1.5b: the sector opposite."""
    return (place + STRIDE) % (2 * STRIDE)


def sectors(state: VirtusState, side: int) -> range:
    """V1.5a V1.5c: a side's sectors, four on the standard table, three on the small one."""
    return range(side * STRIDE + 1, side * STRIDE + 1 + state.roster.rules.columns)


def beside(state: VirtusState, place: int) -> list[int]:
    """V5.4a: the laterally adjacent sectors of the same camp."""
    here, last = column(place), state.roster.rules.columns
    return [place + step for step in (-1, 1) if here and 1 <= here + step <= last]


# --- units ---------------------------------------------------------------------------------------


def units_at(state: VirtusState, side: int, place: int) -> list[int]:
    where = state.place
    return [i for i in state.roster.of[side] if where[i] == place]


def has_units(state: VirtusState, side: int, place: int) -> bool:
    """V5c: generals and decoys are not units."""
    return state.count[side * 10 + place] > 0


def seems_held(state: VirtusState, side: int, place: int) -> bool:
    """V7d: what the enemy sees: a marker that is still face down may be a unit."""
    return state.count[side * 10 + place] > 0 or (owner(place) == side and state.markers[place] > 0)


def is_contested(state: VirtusState, place: int) -> bool:
    """V5c: a sector is engaged when units of both sides are in it."""
    return state.count[place] > 0 and state.count[10 + place] > 0


def is_engaged(state: VirtusState, i: int) -> bool:
    """V5c: a unit is engaged when an enemy unit shares its sector."""
    place = state.place[i]
    return place >= 0 and state.count[other(state.roster.units[i].side) * 10 + place] > 0


def defends_camp(state: VirtusState, side: int, place: int) -> bool:
    """V14.2b V14.2e: the units of the side that holds a fortified camp are sheltered in it."""
    return bool(state.camp[place]) and state.holder[place] == side


def generals_at(state: VirtusState, side: int, place: int) -> list[int]:
    return [g for g in state.roster.generals_of[side] if state.gplace[g] == place]


def attached_to(state: VirtusState, i: int) -> int:
    """V13.1a: the general who fights with unit ``i``, or -1."""
    return state.attached.index(i) if i in state.attached else -1


def unit_of(state: VirtusState, side: int, name: str) -> int:
    """The number of a unit of ``side`` on the table, or -1 if the name is nobody of his."""
    i = state.roster.index.get(name, -1)
    if i < 0 or state.roster.units[i].side != side or state.place[i] < 0:
        return -1
    return i


def general_of(state: VirtusState, side: int, name: str) -> int:
    g = state.roster.general_index.get(name, -1)
    if g < 0 or state.roster.generals[g].side != side or state.gplace[g] < 0:
        return -1
    return g


def put(state: VirtusState, i: int, place: int) -> None:
    """Set a unit down; V1.8b keeps who was last alone in a sector."""
    base = state.roster.units[i].side * 10
    before = state.place[i]
    state.place[i] = place
    if before >= 0:
        state.count[base + before] -= 1
        _note_occupant(state, before)
    if place >= 0:
        state.count[base + place] += 1
        _note_occupant(state, place)


def _note_occupant(state: VirtusState, place: int) -> None:
    romans, barbarians = state.count[place], state.count[10 + place]
    if romans and not barbarians:
        state.last[place] = ROME
    elif barbarians and not romans:
        state.last[place] = BARBARIANS
