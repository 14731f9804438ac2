"""The state of a battle: units with their poses, structures, cards; and what is settled before it.

Distances are hundredths of a DU (OH.measure.1), directions tenths of a degree (``legatus.parts.plane``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Self

from msgspec import Meta
from shapely import Polygon

from ...kernel import Outcome, State, Step
from ...kernel.model import uneven_columns
from ...kernel.objects import ValueObject
from ...parts import plane
from ...parts.plane import Pose, Size
from .sorts import CORNER, GATE, TOWER, WALL, Sort, sort_of, sorts

SEATS = ("attacker", "defender")
NOBODY = -1

SECTION = 44  # OH.card.1
CARD = Size(4 * SECTION, 2 * SECTION)
LEAST = SECTION // 4  # OH.contact.1: so much of a section's edge must lie against the enemy
DIE = 6

# where a unit is
RESERVE, FIELD, INSIDE, CROSSING, LOST = range(5)  # INSIDE a structure; CROSSING a bridge (O3.choke.when)

# what it has done this turn, and what befell it
ACTIVATED, CHARGED, SHOT, FOUGHT, REDUCED, LIMITED, MOVED, IDLE, THROWN = (1 << n for n in range(9))
DONE = MOVED | IDLE  # it has moved, or spent its activation on something else
EMERGED, MOVED_ON = 1 << 16, 1 << 17  # O3.choke.example: it has come off a bridge; OH.trait.1
STOOD = 1 << 18  # it was asked to move and stood where it was
GAINED, ROLLED = 1 << 24, 1 << 25  # O5.assault.marker-green: a level now; O4.siege-tower.ranged: its tower
RAMMED = 1 << 26  # O5.ram.dice: it has struck a structure
DOUSED = 1 << 19  # O6.extinguish.nothing-else: it has fought a fire

# OH.formation.1 OH.formation.2 OH.formation.3 OH.formation.4
NO_FORMATION, SHIELD_WALL, PHALANX, SQUARE, WEDGE = range(5)
FORMATIONS = ("plain", "shield-wall", "phalanx", "square", "wedge")

# OH.trait.1 ... OH.trait.7
SKIRMISHER, PROFESSIONAL, PARABOLIC, JAVELINS, MOUNTED, SIEGE, LUNGE = TRAITS = (
    "skirmisher",
    "professional",
    "parabolic",
    "javelins",
    "mounted",
    "siege",
    "lunge",
)

# Chapters 3 and 4: what lies on the table
FOREST, MOUNTAIN, LAKE, HILL, RIVER, FORD = "forest", "mountain", "lake", "hill", "river", "ford"
GROUNDS = (FOREST, MOUNTAIN, LAKE, HILL, RIVER, FORD)
BRIDGE_WOOD, BRIDGE_STONE, VILLAGE, WATCHTOWER = "wooden-bridge", "stone-bridge", "village", "watchtower"
TRENCH, BARRICADE, CALTROPS = "trench", "barricade", "caltrops"
SMALL_CALTROPS = "small-caltrops"  # in a scenario; on the table they are caltrops
BRIDGES, WORKS = (BRIDGE_WOOD, BRIDGE_STONE), (TRENCH, BARRICADE)
SIEGE_TOWER = "siege-tower"
KINDS = (*BRIDGES, VILLAGE, WATCHTOWER, *WORKS, CALTROPS, SMALL_CALTROPS, SIEGE_TOWER)
TOWERS = (TOWER, WATCHTOWER, SIEGE_TOWER)  # OH.level.1: two levels high, closed
WALLS = (WALL, GATE, CORNER)  # O4.wall.inner-contact: a unit mans them from within


# What a file is held to: wider than any battle needs, and narrow enough that nothing takes long.

MAX_UNITS, MAX_STRUCTURES, MAX_POINTS, MAX_LENGTH = 120, 400, 1_000, 20_000
Bit = Annotated[int, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=99)]
Value = Annotated[int, Meta(ge=-99, le=99)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Points = Annotated[int, Meta(ge=0, le=100_000)]
Length = Annotated[int, Meta(ge=-MAX_LENGTH, le=MAX_LENGTH)]
UnitNumber = Annotated[int, Meta(ge=NOBODY, le=MAX_UNITS - 1)]
StructureNumber = Annotated[int, Meta(ge=NOBODY, le=MAX_STRUCTURES - 1)]
Hooked = Annotated[int, Meta(ge=-MAX_STRUCTURES, le=MAX_UNITS - 1)]  # a unit, or ~ a structure
Card = Annotated[int, Meta(ge=-1, le=71)]
Word = Annotated[str, Meta(max_length=2_000)]
Words = Annotated[tuple[Word, ...], Meta(max_length=20)]
Outline = Annotated[tuple[tuple[Length, Length], ...], Meta(max_length=MAX_POINTS)]
OfUnits = Meta(max_length=MAX_UNITS)
OfStructures = Meta(max_length=MAX_STRUCTURES)
OfPairs = Meta(max_length=10 * MAX_UNITS)
OfCards = Meta(max_length=72)
OfSides = Meta(max_length=2)


class Kind(ValueObject):
    """OH.unit.1: a troop type."""

    def __init__(
        self,
        id: Word,
        melee: tuple[Value, Value],
        defence: tuple[Value, Value],
        move: Count,
        morale: Count,
        life: Count,
        points: Points,
        icon: Word,
        ranged: Value = -9,  # no missiles
        short: Length = 0,
        long: Length = 0,
        traits: Words = (),  # in the order of TRAITS
        formations: Annotated[tuple[Count, ...], Meta(max_length=20)] = (),
    ) -> None:
        self.id: Final = id
        self.melee: Final = melee
        self.defence: Final = defence
        self.move: Final = move
        self.morale: Final = morale
        self.life: Final = life
        self.points: Final = points
        self.icon: Final = icon
        self.ranged: Final = ranged
        self.short: Final = short
        self.long: Final = long
        self.traits: Final = traits
        self.formations: Final = formations

    @property
    def shoots(self) -> bool:
        return self.long > 0


class Unit(ValueObject):
    def __init__(
        self,
        id: Word,
        side: Bit,
        kind: Kind,
        number: Count,
        general: Count = 0,  # OH.general.2: his Leadership if he rides with it
        start: Pose | None = None,
    ) -> None:
        self.id: Final = id
        self.side: Final = side
        self.kind: Final = kind
        self.number: Final = number
        self.general: Final = general
        self.start: Final = start


class Ground(ValueObject):
    """Chapter 3: a tile of terrain."""

    def __init__(
        self,
        id: Word,
        kind: Word,
        outline: Outline,
        name: Word = "",  # if it has one of its own
        name_fr: Word = "",
    ) -> None:
        self.id: Final = id
        self.kind: Final = kind
        self.outline: Final = outline
        self.name: Final = name
        self.name_fr: Final = name_fr
        self.shape: Final[Polygon] = Polygon(self.outline)
        self.patch: Final[plane.Patch] = plane.Patch(self.outline)
        # Smaller by the tolerance.
        self.inner: Final[Any] = plane.grown(self.shape, -plane.TOLERANCE)


class Structure(ValueObject):
    """O3.bridge.values, chapter 4: a bridge, a half of a village, a watchtower, a work, caltrops."""

    def __init__(
        self,
        id: Word,
        kind: Word,
        pose: Pose,
        size: Size,
        # O4.trench.lined: whose side a trench shelters
        owner: Annotated[int, Meta(ge=NOBODY, le=1)] = NOBODY,
        name: Word = "",  # if it has one of its own
        name_fr: Word = "",
        material: Word = "",  # of a piece of a fortress
        outline: Outline = (),  # of a corner wall: the L
    ) -> None:
        self.id: Final = id
        self.kind: Final = kind
        self.pose: Final = pose
        self.size: Final = size
        self.owner: Final = owner
        self.name: Final = name
        self.name_fr: Final = name_fr
        self.material: Final = material
        self.outline: Final = outline
        # O4.structures-table: its height, resistance, durability and what it does for its holder.
        self.sort: Final[Sort] = sort_of(self.kind, self.material) if self.material else sorts()[self.kind]
        self.shape: Final[Polygon] = (
            Polygon(self.outline) if self.outline else plane.card(self.pose, self.size)
        )
        self.patch: Final[plane.Patch] = (
            plane.Patch(self.outline) if self.outline else plane.patch(self.pose, self.size)
        )
        self.inner: Final[Any] = self._inner()
        self.near: Final[Any] = self._near()
        self._hash: Final = super().__hash__()  # what lies on it is kept in tables

    def __hash__(self) -> int:
        return self._hash

    def _shape(self) -> Polygon:
        return Polygon(self.outline) if self.outline else plane.card(self.pose, self.size)

    def _patch(self) -> plane.Patch:
        return plane.Patch(self.outline) if self.outline else plane.patch(self.pose, self.size)

    def _inner(self) -> Any:
        """Smaller by the tolerance."""
        if self.outline:
            return plane.grown(self.shape, -plane.TOLERANCE)
        return plane.card(self.pose, self.size, plane.TOLERANCE)

    def _near(self) -> Any:
        """Larger by the tolerance."""
        if self.outline:
            return plane.grown(self.shape)
        return plane.card(self.pose, self.size, -plane.TOLERANCE)


class Keep(ValueObject):
    """O7.design.continuity: a fortress on the table: which structures it is made of and what it encloses."""

    def __init__(
        self,
        # structures, in the order of the walk around it
        pieces: Annotated[tuple[StructureNumber, ...], OfStructures],
        # O6.spread: for each of them the structures that adjoin it
        neighbours: Annotated[tuple[Annotated[tuple[StructureNumber, ...], OfStructures], ...], OfStructures],
        outline: Outline,  # of all that is within the outer faces, the pieces with it
        floor: Outline,  # of the ground within
    ) -> None:
        self.pieces: Final = pieces
        self.neighbours: Final = neighbours
        self.outline: Final = outline
        self.floor: Final = floor
        self.shape: Final[Polygon] = Polygon(self.outline)
        self.patch: Final[plane.Patch] = plane.Patch(self.outline)
        self.court: Final[Polygon] = Polygon(self.floor)


class Goals(ValueObject):
    """O7.victory.attacker.scenario O7.victory.defender.deck: when a battle ends."""

    def __init__(
        self,
        decks: Count = 2,  # so many exhausted decks
        prize: Word = "",  # a structure that decides when the decks are exhausted
        # O7.victory.attacker.losses: per cent, from which a besieged army tests
        defender_losses: Percent = 75,
        attacker_losses: Percent = 50,  # O7.victory.defender.losses: per cent, above which a besieger does
        empty: bool = True,  # O7.victory.attacker.empty
    ) -> None:
        self.decks: Final = decks
        self.prize: Final = prize
        self.defender_losses: Final = defender_losses
        self.attacker_losses: Final = attacker_losses
        self.empty: Final = empty


class Rules(ValueObject):
    """The options in force."""

    def __init__(
        self,
        open_rivers: bool = False,  # O3.river.scenario
        count_points: bool = False,  # O7.victory.defender.losses, the alternative
        stones_damage: bool = False,  # O5.defender.stones: 1 to hit and 0 to damage
    ) -> None:
        self.open_rivers: Final = open_rivers
        self.count_points: Final = count_points
        self.stones_damage: Final = stones_damage


class Site(ValueObject):
    """OH.army.1 OH.army.2 OH.army.3: both sides build: what for, how big, and what was announced of it."""

    def __init__(
        self,
        points: Points,  # of each side
        room: Size,  # O7.deploy.fortress: of the widest and the deepest fortress
        units: Annotated[int, Meta(ge=0, le=MAX_UNITS)],  # of one side, at most
        agreed: Words = (),  # O7.design.continuity O7.design.material: what both consent to
        # O7.points.defender-first O7.points.units: fortress and works, units
        told: Annotated[tuple[Points, ...], Meta(max_length=9)] = (),
    ) -> None:
        self.points: Final = points
        self.room: Final = room
        self.units: Final = units
        self.agreed: Final = agreed
        self.told: Final = told


class Roster(ValueObject):
    """What is settled before the battle and shared by all its states."""

    def __init__(
        self,
        width: Annotated[int, Meta(ge=100, le=MAX_LENGTH)],
        height: Annotated[int, Meta(ge=100, le=MAX_LENGTH)],
        units: Annotated[tuple[Unit, ...], OfUnits],
        grounds: Annotated[tuple[Ground, ...], OfStructures],
        structures: Annotated[tuple[Structure, ...], OfStructures],
        leadership: tuple[Count, Count],
        # OH.field.2: x, y, width, height of each side
        zones: Annotated[tuple[tuple[Length, Length, Length, Length], ...], OfSides],
        goals: Goals,
        rules: Rules,
        keep: Keep | None = None,  # the defender's fortress
        rams: Count = 0,  # O5.ram.movement: how many the attacker has
        first: Bit = 0,  # O7.first-turn: who begins
        site: Site | None = None,  # if both sides build
    ) -> None:
        self.width: Final = width
        self.height: Final = height
        self.units: Final = units
        self.grounds: Final = grounds
        self.structures: Final = structures
        self.leadership: Final = leadership
        self.zones: Final = zones
        self.goals: Final = goals
        self.rules: Final = rules
        self.keep: Final = keep
        self.rams: Final = rams
        self.first: Final = first
        self.site: Final = site
        self.index: Final[dict[str, int]] = {unit.id: i for i, unit in enumerate(self.units)}
        # The units of each side.
        self.of_side: Final[tuple[tuple[int, ...], ...]] = tuple(
            tuple(i for i, unit in enumerate(self.units) if unit.side == side) for side in (0, 1)
        )
        # What the units of each side cost.
        self.points: Final[tuple[int, ...]] = tuple(
            sum(self.units[i].kind.points for i in own) for own in self.of_side
        )
        self.structure_index: Final[dict[str, int]] = {
            structure.id: n for n, structure in enumerate(self.structures)
        }
        # What other modules compute once for this map, under names of their own.
        self.kept: Final[dict[Any, Any]] = {}
        self.field: Final[Polygon] = Polygon(
            [(0, 0), (self.width, 0), (self.width, self.height), (0, self.height)]
        )


class OnusState(State):
    """The columns: one entry a unit, a structure or a seat."""

    def __init__(
        self,
        todo: list[Step],
        outcome: Outcome | None,
        roster: Roster,
        turn: Points,
        active: Bit,
        ordered: bool,  # OH.turn.7: an order was played this turn
        refill: bool,  # OH.order.14
        marching: Length,  # OH.move.7: what a forced march adds
        backward: bool,  # OH.order.8: only backward moves
        exhausted: Count,  # OH.deck.2
        # OH.deck.4: in force in the present combat, and the seat that each helps
        events: Annotated[list[tuple[Word, Bit]], OfCards],
        # units
        where: Annotated[list[Annotated[int, Meta(ge=RESERVE, le=LOST)]], OfUnits],
        pose: Annotated[list[Pose], OfUnits],
        inside: Annotated[
            list[StructureNumber], OfUnits
        ],  # the structure in which it is, or which it crosses
        way: Annotated[list[Length], OfUnits],  # O3.choke.when: how far its front is on the bridge
        wounds: Annotated[list[Count], OfUnits],
        flags: Annotated[list[Annotated[int, Meta(ge=0, le=2 * RAMMED - 1)]], OfUnits],
        fleeing: Annotated[list[Count], OfUnits],
        broken: Annotated[list[Count], OfUnits],
        formation: Annotated[list[Count], OfUnits],
        # OH.formation.6: sections added on the left (1) and on the right (2)
        wings: Annotated[list[Count], OfUnits],
        # OH.melee.7: who envelops whom, on which side, with how many sections
        hooks: Annotated[list[tuple[UnitNumber, Hooked, Count, Count]], OfPairs],
        spent: Annotated[list[Length], OfUnits],  # OH.trait.1: what its move has cost this turn
        # O4.caltrops.roll: which columns of its sections crossed caltrops, as bits
        pricked: Annotated[list[Points], OfUnits],
        # OH.melee.9: in which turn who does not fight whom
        truces: Annotated[list[tuple[Points, UnitNumber, UnitNumber]], OfPairs],
        lost_points: Annotated[
            list[Points], OfSides
        ],  # OH.army.6: of each side, at the end of the turn before
        climbs: Annotated[
            list[StructureNumber], OfUnits
        ],  # O5.assault.time: the structure that it climbs, or -1
        climbed: Annotated[list[Count], OfUnits],  # O5.assault.marker-green: the levels that it has gained
        ram: Annotated[list[Count], OfUnits],  # O5.ram.movement: it carries one
        # O4.hidden.who: the number of the card back under which it lies, or 0
        hidden: Annotated[list[Count], OfUnits],
        # O4.overlap.choose-top: who lies on top of whom, if their cards overlap
        over: Annotated[list[tuple[UnitNumber, UnitNumber]], OfPairs],
        rams: Annotated[list[tuple[Length, Length]], OfUnits],  # O5.ram.left-behind: where rams lie
        # structures
        damage: Annotated[list[Count], OfStructures],
        fire: Annotated[list[Count], OfStructures],  # O1.fire-marker: markers that burn
        lit: Annotated[list[Count], OfStructures],  # O6.fire.timing: markers of this turn
        gone: Annotated[list[Bit], OfStructures],
        spots: Annotated[list[Pose], OfStructures],  # O4.siege-tower.move: where it stands
        # cards
        hands: Annotated[list[Annotated[list[Card], OfCards]], OfSides],
        deck: Annotated[list[Bit], OfCards],  # OH.deck.1: 1 for a card that is still in it
        discards: Annotated[list[Card], OfCards],
    ) -> None:
        super().__init__(todo, outcome)
        self.roster = roster
        self.turn = turn
        self.active = active
        self.ordered = ordered
        self.refill = refill
        self.marching = marching
        self.backward = backward
        self.exhausted = exhausted
        self.events = events
        self.where = where
        self.pose = pose
        self.inside = inside
        self.way = way
        self.wounds = wounds
        self.flags = flags
        self.fleeing = fleeing
        self.broken = broken
        self.formation = formation
        self.wings = wings
        self.hooks = hooks
        self.spent = spent
        self.pricked = pricked
        self.truces = truces
        self.lost_points = lost_points
        self.climbs = climbs
        self.climbed = climbed
        self.ram = ram
        self.hidden = hidden
        self.over = over
        self.rams = rams
        self.damage = damage
        self.fire = fire
        self.lit = lit
        self.gone = gone
        self.spots = spots
        self.hands = hands
        self.deck = deck
        self.discards = discards

    def copy(self) -> Self:
        return type(self)(
            self.todo[:],
            self.outcome,
            self.roster,
            self.turn,
            self.active,
            self.ordered,
            self.refill,
            self.marching,
            self.backward,
            self.exhausted,
            self.events[:],
            self.where[:],
            self.pose[:],
            self.inside[:],
            self.way[:],
            self.wounds[:],
            self.flags[:],
            self.fleeing[:],
            self.broken[:],
            self.formation[:],
            self.wings[:],
            self.hooks[:],
            self.spent[:],
            self.pricked[:],
            self.truces[:],
            self.lost_points[:],
            self.climbs[:],
            self.climbed[:],
            self.ram[:],
            self.hidden[:],
            self.over[:],
            self.rams[:],
            self.damage[:],
            self.fire[:],
            self.lit[:],
            self.gone[:],
            self.spots[:],
            [hand[:] for hand in self.hands],
            self.deck[:],
            self.discards[:],
        )


def other(side: int) -> int:
    return 1 - side


def blank(roster: Roster) -> OnusState:
    """A battle before anything has happened: everybody in reserve, the deck whole."""
    units, structures = len(roster.units), len(roster.structures)
    return OnusState(
        todo=[],
        outcome=None,
        roster=roster,
        turn=0,
        active=0,
        ordered=False,
        refill=False,
        marching=0,
        backward=False,
        exhausted=0,
        events=[],
        where=[RESERVE] * units,
        pose=[unit.start or Pose(0, 0) for unit in roster.units],
        inside=[NOBODY] * units,
        way=[0] * units,
        wounds=[0] * units,
        flags=[0] * units,
        fleeing=[0] * units,
        broken=[0] * units,
        formation=[NO_FORMATION] * units,
        wings=[0] * units,
        hooks=[],
        spent=[0] * units,
        pricked=[0] * units,
        truces=[],
        lost_points=[0, 0],
        climbs=[NOBODY] * units,
        climbed=[0] * units,
        ram=[0] * units,
        hidden=[0] * units,
        over=[],
        rams=[],
        damage=[0] * structures,
        fire=[0] * structures,
        lit=[0] * structures,
        gone=[0] * structures,
        spots=[structure.pose for structure in roster.structures],
        hands=[[], []],
        deck=[1] * 72,
        discards=[],
    )


def uneven(state: OnusState) -> Iterator[str]:
    """Columns, of the state or its roster, that are longer or shorter than they must be."""
    free = ("events", "hooks", "truces", "over", "rams", "discards")
    yield from uneven_columns(state, blank(state.roster), free)
