"""0 Terms and states: units, hexes and wings as columns of numbers; ``units.py`` asks questions about them.

Units come and go (A.merge.p1, A.constitute.p1, A.break.p1): a unit is told by its number, players call it by
its id, and the number of one that is gone is never used again.  Facings are corners (AH1.grid).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Self

from msgspec import UNSET, Meta, UnsetType

from ...kernel import Outcome, State, Step
from ...kernel.model import uneven_columns
from ...kernel.objects import ValueObject
from ...parts.hexes import Grid, grid

LEAGUE, HORDE = 0, 1
SEATS = ("league", "horde")
NOBODY = -1
GONE = -1  # a cell: off the map
DIE = 6

CHARACTER, SIMPLE, FORMATION = range(3)  # A.def.kinds
FRESH, WINDED, EXHAUSTED = range(3)  # A.def.fatigue
STEADY, SHAKEN, ROUT = range(3)  # A.def.cohesion
FULL, DIMINISHED, SPENT = range(3)  # A.def.ammunition
GROUND, FLYING, INFILTRATING = range(3)  # A.def.position AH25.special_positions
POSITIONS = ("ground", "flying", "infiltrating")
MARCH, TORTOISE, ROTATION, HEDGEHOG, WALL = range(5)  # A.def.modes
MODES = ("march", "tortoise", "rank-rotation", "hedgehog", "shield-wall")
CLEAR, ROUGH, DIFFICULT = range(3)  # A.def.terrain
TERRAINS = ("clear", "rough", "difficult")
HEAT, FAIR, CLOUDY, RAIN = range(4)  # A.def.weather
WEATHERS = ("heat-wave", "fair", "cloudy", "rain")
ADVANCE, HOLD, REGROUP = range(3)  # AH5.command
INSTRUCTIONS = ("advance", "hold", "regroup")
NO_FIRE, START, BLAZE, NEW_BLAZE = range(4)  # A.def.fire_stakes; a new blaze does not spread yet
NO_STAKES = -1

# What a unit did or has this turn, one bit each; all are gone after the end phase.
ACTIVATED, MOVED, CONTACT, CHARGED, ORDERED, FOUGHT = (1 << n for n in range(6))

CAPACITIES = {
    "exceptional": 10,
    "superior": 9,
    "ordinary": 8,
    "mediocre": 7,
    "poor": 6,
}  # A.def.weapon_capacity
LARGEST = {"exceptional": 10, "superior": 8, "ordinary": 6, "mediocre": 0, "poor": 0}  # AH20.command_profile
MORALES = {"elite": 9, "steady": 8, "fragile": 6}  # AH12.cohesion
CLASSES = ("", "monstrous", "dragon", "bestial")  # A.def.weapon_class
MOVES = {"foot": 4, "heavy-foot": 3, "mounted": 7, "monster": 5, "character": 6}  # AH7.move
LIMIT = 10  # A.def.stacking_limit
WHOLE = 2  # A.def.steps: steps of a complete simple troop
SMALLEST = 3  # A.constitute.c6 A.leave.p3: steps of a formation


# What a file is held to: wider than any battle needs, and narrow enough that nothing takes long.

MAX_HEXES, MAX_PIECES, MAX_UNITS, MAX_KINDS, MAX_SIDE = 2_000, 250, 4_000, 100, 60
Bit = Annotated[int, Meta(ge=0, le=1)]
Third = Annotated[int, Meta(ge=0, le=2)]
Side = Annotated[int, Meta(ge=NOBODY, le=1)]
Steps = Annotated[int, Meta(ge=0, le=99)]
Turn = Annotated[int, Meta(ge=0, le=100)]
Corner = Annotated[int, Meta(ge=0, le=5)]
Depth = Annotated[int, Meta(ge=-100_000, le=100_000)]
Hex = Annotated[int, Meta(ge=0, le=MAX_HEXES - 1)]
Cell = Annotated[int, Meta(ge=GONE, le=MAX_HEXES - 1)]
UnitNumber = Annotated[int, Meta(ge=0, le=MAX_UNITS - 1)]
Number = Annotated[int, Meta(ge=NOBODY, le=MAX_KINDS + 1)]
Length = Annotated[int, Meta(ge=3, le=MAX_SIDE)]
Word = Annotated[str, Meta(max_length=2_000)]
OfUnits = Meta(max_length=MAX_UNITS)
OfHexes = Meta(max_length=MAX_HEXES)
OfKinds = Meta(max_length=MAX_KINDS + 2)
OfSides = Meta(max_length=2)


class Type(ValueObject):
    """A.def.type_wing: what all units of a type have in common."""

    def __init__(
        self,
        key: Word,
        side: Bit,
        name_en: Word,
        name_fr: Word,
        small: bool = False,  # A.def.size
        capacity: Word = "ordinary",
        weapon: Word = "",  # A.def.weapon_class
        morale: Word = "steady",  # A.def.morale_profile
        move: Word = "foot",
        range: Annotated[int, Meta(ge=0, le=20)] = 0,
        profile: Word = "poor",  # A.def.command_profile
        manoeuvre: bool = False,  # A.def.faculties
        regeneration: bool = False,
        character: bool = False,
        icon: Word = "",
        # AH25.special_positions: the position that its units can take besides the ground.  New in edition 2:
        # left out of the JSON where there is none, so that the fingerprints of edition 1 stay as they are.
        special: Word | UnsetType = UNSET,
    ) -> None:
        self.key: Final = key
        self.side: Final = side
        self.name_en: Final = name_en
        self.name_fr: Final = name_fr
        self.small: Final = small
        self.capacity: Final = capacity
        self.weapon: Final = weapon
        self.morale: Final = morale
        self.move: Final = move
        self.range: Final = range
        self.profile: Final = profile
        self.manoeuvre: Final = manoeuvre
        self.regeneration: Final = regeneration
        self.character: Final = character
        self.icon: Final = icon
        self.special: Final = special

    @property
    def number(self) -> int:
        """A.def.weapon_capacity AH19.capacity_names: what a roll must not exceed."""
        return CAPACITIES[self.capacity]

    @property
    def mounted(self) -> bool:
        return self.move == "mounted"

    @property
    def heavy(self) -> bool:
        """AH11.melee AH18.stacking: mounted or a monster."""
        return self.move in ("mounted", "monster")


class Wing(ValueObject):
    def __init__(self, id: Word, side: Bit, name_en: Word, name_fr: Word) -> None:
        self.id: Final = id
        self.side: Final = side
        self.name_en: Final = name_en
        self.name_fr: Final = name_fr


class Piece(ValueObject):
    """A unit as the scenario sets it up."""

    def __init__(
        self,
        id: Word,
        type: Number,
        wing: Number,
        kind: Third,
        steps: Steps,
        cells: Annotated[tuple[Hex, ...], Meta(min_length=1, max_length=2)],
        facing: Corner,
        command: Steps = 0,  # of a leader
        name_en: Word = "",
        name_fr: Word = "",
        mode: Annotated[int, Meta(ge=MARCH, le=WALL)] = MARCH,
        position: Third = GROUND,
        depth: Depth = 0,
    ) -> None:
        self.id: Final = id
        self.type: Final = type
        self.wing: Final = wing
        self.kind: Final = kind
        self.steps: Final = steps
        self.cells: Final = cells
        self.facing: Final = facing
        self.command: Final = command
        self.name_en: Final = name_en
        self.name_fr: Final = name_fr
        self.mode: Final = mode
        self.position: Final = position
        self.depth: Final = depth


class Device(ValueObject):
    """AH31.devices: something in a hex that is worked by a manipulation."""

    def __init__(
        self, id: Word, cell: Hex, difficulty: Steps, points: Steps, name_en: Word, name_fr: Word
    ) -> None:
        self.id: Final = id
        self.cell: Final = cell
        self.difficulty: Final = difficulty
        self.points: Final = points
        self.name_en: Final = name_en
        self.name_fr: Final = name_fr


class Prize(ValueObject):
    """AH27.victory: what is worth points besides losses."""

    def __init__(
        self,
        beacon: Cell = NOBODY,  # a hex; worth this to who held it last
        beacon_points: Steps = 5,
        granary: Cell = NOBODY,  # a hex; worth this to the Horde if it has burnt, else to the League
        granary_points: Steps = 4,
        lead: Steps = 5,
        turns: Turn = 12,
    ) -> None:
        self.beacon: Final = beacon
        self.beacon_points: Final = beacon_points
        self.granary: Final = granary
        self.granary_points: Final = granary_points
        self.lead: Final = lead
        self.turns: Final = turns


class Rules(ValueObject):
    """The options in force."""

    def __init__(
        self,
        fire: bool = True,  # A.set_fire.option A.douse.option
        stakes: bool = True,  # A.plant_stakes.option A.remove_stakes.option
    ) -> None:
        self.fire: Final = fire
        self.stakes: Final = stakes


class Roster(ValueObject):
    """What is settled before the battle and shared by all its states."""

    def __init__(
        self,
        types: Annotated[tuple[Type, ...], OfKinds],
        wings: Annotated[tuple[Wing, ...], OfKinds],
        pieces: Annotated[tuple[Piece, ...], Meta(max_length=MAX_PIECES)],
        columns: Length,
        rows: Length,
        terrain: Annotated[tuple[Third, ...], OfHexes],
        inflammable: Annotated[tuple[Hex, ...], OfHexes],
        indoor: Annotated[tuple[Hex, ...], OfHexes],
        # A.reload.source.1: a hex by side; NOBODY: the commander in chief
        sources: Annotated[tuple[Cell, ...], OfSides],
        edges: tuple[Turn, Turn],  # AH16.rout: the row of each side's own edge
        weather: Annotated[int, Meta(ge=NOBODY, le=RAIN)],  # NOBODY: by dice (AH24.weather)
        devices: Annotated[tuple[Device, ...], OfKinds],
        prize: Prize,
        rules: Rules,
    ) -> None:
        self.types: Final = types
        self.wings: Final = wings
        self.pieces: Final = pieces
        self.columns: Final = columns
        self.rows: Final = rows
        self.terrain: Final = terrain
        self.inflammable: Final = inflammable
        self.indoor: Final = indoor
        self.sources: Final = sources
        self.edges: Final = edges
        self.weather: Final = weather
        self.devices: Final = devices
        self.prize: Final = prize
        self.rules: Final = rules
        self.grid: Final[Grid] = grid(self.columns, self.rows)
        self.burns: Final[frozenset[int]] = frozenset(self.inflammable)
        self.inside: Final[frozenset[int]] = frozenset(self.indoor)
        self.leaders: Final[tuple[int, ...]] = self._leaders()
        # A.def.cinc: by side, the number of the commander in chief.
        self.chiefs: Final[tuple[int, ...]] = tuple(
            next(
                (i for i, p in enumerate(self.pieces) if p.wing < 0 and self.types[p.type].side == side),
                NOBODY,
            )
            for side in (0, 1)
        )
        self.wing_index: Final[dict[str, int]] = {wing.id: n for n, wing in enumerate(self.wings)}
        self.type_index: Final[dict[str, int]] = {kind.key: n for n, kind in enumerate(self.types)}
        self.total: Final[tuple[int, int]] = self._total()
        self.close: Final[tuple[tuple[int, ...], ...]] = self._close()
        # AH1.grid: by hexes and facing, the hexes in front, as far as they have been asked for.
        self.fronts: Final[dict[tuple[int, int, int], tuple[int, ...]]] = {}
        # What others make once of the map, under names of theirs.
        self.kept: Final[dict[str, Any]] = {}

    def _leaders(self) -> tuple[int, ...]:
        """AH4.activation: by wing, the number of its leader."""
        found = {
            piece.wing: i
            for i, piece in enumerate(self.pieces)
            if piece.kind == CHARACTER and piece.wing >= 0
        }
        return tuple(found.get(w, NOBODY) for w in range(len(self.wings)))

    def _total(self) -> tuple[int, int]:
        """AH27.victory: the steps with which each side began."""
        league, horde = (
            sum(p.steps for p in self.pieces if self.types[p.type].side == side and p.kind != CHARACTER)
            for side in (0, 1)
        )
        return league, horde

    def _close(self) -> tuple[tuple[int, ...], ...]:
        """By hex, itself and those next to it."""
        around = enumerate(self.grid.neighbours)
        return tuple((cell, *(to for to in beside if to >= 0)) for cell, beside in around)


class FormationsState(State):
    """The columns: one entry a unit, a hex or a wing."""

    def __init__(
        self,
        todo: list[Step],
        outcome: Outcome | None,
        roster: Roster,
        turn: Turn,
        weather: Annotated[int, Meta(ge=HEAT, le=RAIN)],
        first: Bit,  # AH3.turn: the side that activates first
        active: Bit,
        beacon: Side,  # who held it last
        burnt: bool,  # a blaze has been on the granary
        # units
        ids: Annotated[list[Word], OfUnits],
        type: Annotated[list[Number], OfUnits],
        side: Annotated[list[Bit], OfUnits],
        wing: Annotated[list[Number], OfUnits],
        kind: Annotated[list[Third], OfUnits],
        steps: Annotated[list[Steps], OfUnits],
        full: Annotated[
            list[Steps], OfUnits
        ],  # the steps that it had at first: what regeneration can give back
        cell: Annotated[list[Cell], OfUnits],
        cell2: Annotated[list[Cell], OfUnits],  # of a formation
        facing: Annotated[list[Corner], OfUnits],  # A.def.orientation
        fatigue: Annotated[list[Third], OfUnits],
        cohesion: Annotated[list[Third], OfUnits],
        ammo: Annotated[list[Third], OfUnits],
        mode: Annotated[list[Annotated[int, Meta(ge=MARCH, le=WALL)]], OfUnits],
        position: Annotated[list[Third], OfUnits],
        depth: Annotated[list[Depth], OfUnits],  # A.def.front_behind: the lower the farther in front
        flags: Annotated[list[Annotated[int, Meta(ge=0, le=63)]], OfUnits],
        given: Annotated[list[Steps], OfUnits],  # special orders that a leader has given this turn
        # hexes
        fire: Annotated[list[Annotated[int, Meta(ge=NO_FIRE, le=NEW_BLAZE)]], OfHexes],
        stakes: Annotated[
            list[Annotated[int, Meta(ge=NO_STAKES, le=5)]], OfHexes
        ],  # the facing of the marker, or NO_STAKES
        # wings
        instruction: Annotated[list[Third], OfKinds],
        told: Annotated[list[Bit], OfKinds],  # it has got its instruction this turn
        done: Annotated[list[Bit], OfKinds],
        # devices
        worked: Annotated[list[Side], OfKinds],  # AH31.devices: the side that has worked it, or NOBODY
        # melee
        blows: Annotated[list[tuple[UnitNumber, UnitNumber]], OfUnits],  # who strikes whom
        made: Annotated[int, Meta(ge=0, le=100_000)],  # units made during the battle
        at: Annotated[
            list[Annotated[tuple[UnitNumber, ...], Meta(max_length=MAX_UNITS)]], OfHexes
        ],  # by hex, who is there, the foremost first: derived, for speed
    ) -> None:
        super().__init__(todo, outcome)
        self.roster = roster
        self.turn = turn
        self.weather = weather
        self.first = first
        self.active = active
        self.beacon = beacon
        self.burnt = burnt
        self.ids = ids
        self.type = type
        self.side = side
        self.wing = wing
        self.kind = kind
        self.steps = steps
        self.full = full
        self.cell = cell
        self.cell2 = cell2
        self.facing = facing
        self.fatigue = fatigue
        self.cohesion = cohesion
        self.ammo = ammo
        self.mode = mode
        self.position = position
        self.depth = depth
        self.flags = flags
        self.given = given
        self.fire = fire
        self.stakes = stakes
        self.instruction = instruction
        self.told = told
        self.done = done
        self.worked = worked
        self.blows = blows
        self.made = made
        self.at = at

    def copy(self) -> Self:
        return type(self)(
            self.todo[:],
            self.outcome,
            self.roster,
            self.turn,
            self.weather,
            self.first,
            self.active,
            self.beacon,
            self.burnt,
            self.ids[:],
            self.type[:],
            self.side[:],
            self.wing[:],
            self.kind[:],
            self.steps[:],
            self.full[:],
            self.cell[:],
            self.cell2[:],
            self.facing[:],
            self.fatigue[:],
            self.cohesion[:],
            self.ammo[:],
            self.mode[:],
            self.position[:],
            self.depth[:],
            self.flags[:],
            self.given[:],
            self.fire[:],
            self.stakes[:],
            self.instruction[:],
            self.told[:],
            self.done[:],
            self.worked[:],
            self.blows[:],
            self.made,
            self.at[:],
        )


def blank(roster: Roster) -> FormationsState:
    """The battle as the scenario sets it up."""
    pieces, size = roster.pieces, roster.grid.size
    at: list[tuple[int, ...]] = [()] * size
    for i in sorted(range(len(pieces)), key=lambda i: pieces[i].depth):
        for cell in pieces[i].cells:
            at[cell] += (i,)
    return FormationsState(
        todo=[],
        outcome=None,
        roster=roster,
        turn=0,
        weather=FAIR if roster.weather < 0 else roster.weather,
        first=LEAGUE,
        active=LEAGUE,
        beacon=NOBODY,
        burnt=False,
        ids=[piece.id for piece in pieces],
        type=[piece.type for piece in pieces],
        side=[roster.types[piece.type].side for piece in pieces],
        wing=[piece.wing for piece in pieces],
        kind=[piece.kind for piece in pieces],
        steps=[piece.steps for piece in pieces],
        full=[piece.steps for piece in pieces],  # A.rest.p3: what it begins with is its original number
        cell=[piece.cells[0] for piece in pieces],
        cell2=[piece.cells[1] if piece.kind == FORMATION else GONE for piece in pieces],
        facing=[piece.facing for piece in pieces],
        fatigue=[FRESH] * len(pieces),
        cohesion=[STEADY] * len(pieces),
        ammo=[FULL] * len(pieces),
        mode=[piece.mode for piece in pieces],
        position=[piece.position for piece in pieces],
        depth=[piece.depth for piece in pieces],
        flags=[0] * len(pieces),
        given=[0] * len(pieces),
        fire=[NO_FIRE] * size,
        stakes=[NO_STAKES] * size,
        instruction=[ADVANCE] * len(roster.wings),
        told=[0] * len(roster.wings),
        done=[0] * len(roster.wings),
        worked=[NOBODY] * len(roster.devices),
        blows=[],
        made=0,
        at=at,
    )


OF_UNITS = (
    *("ids", "type", "side", "wing", "kind", "steps", "full", "cell", "cell2", "facing", "fatigue"),
    *("cohesion", "ammo", "mode", "position", "depth", "flags", "given"),
)


def uneven(state: FormationsState) -> Iterator[str]:
    """Columns, of the state or its roster, that are longer or shorter than they must be."""
    roster = state.roster
    if len(roster.terrain) != roster.columns * roster.rows:
        yield "there are not as many hexes as columns and rows tell"
    if len({len(getattr(state, name)) for name in OF_UNITS}) != 1 or len(state.ids) < len(roster.pieces):
        yield "columns of units have not as many entries as there are units"
    yield from uneven_columns(state, blank(roster), (*OF_UNITS, "blows"))


def other(side: int) -> int:
    return 1 - side
