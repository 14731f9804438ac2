"""0 Terms and states: units, hexes and wings as columns of numbers, and questions about them.

Units come and go (A.merge.p1, A.constitute.p1, A.break.p1): a unit is told by its number, players call it by
its id, and the number of one that is gone is never used again.  Facings are corners (AH1.grid).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Self

from msgspec import Struct

from ...kernel import State
from ...parts.hexes import FLANK, FRONT, OFF, REAR, Grid, angle, grid

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


class Type(Struct, frozen=True):
    """A.def.type_wing: what all units of a type have in common."""

    key: str
    side: int
    name_en: str
    name_fr: str
    small: bool = False  # A.def.size
    capacity: str = "ordinary"
    weapon: str = ""  # A.def.weapon_class
    morale: str = "steady"  # A.def.morale_profile
    move: str = "foot"
    range: int = 0
    profile: str = "poor"  # A.def.command_profile
    manoeuvre: bool = False  # A.def.faculties
    regeneration: bool = False
    character: bool = False
    icon: str = ""

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


class Wing(Struct, frozen=True):
    id: str
    side: int
    name_en: str
    name_fr: str


class Piece(Struct, frozen=True):
    """A unit as the scenario sets it up."""

    id: str
    type: int
    wing: int
    kind: int
    steps: int
    cells: tuple[int, ...]
    facing: int
    command: int = 0  # of a leader
    name_en: str = ""
    name_fr: str = ""
    mode: int = MARCH
    position: int = GROUND
    depth: int = 0


class Device(Struct, frozen=True):
    """AH31.devices: something in a hex that is worked by a manipulation."""

    id: str
    cell: int
    difficulty: int
    points: int
    name_en: str
    name_fr: str


class Prize(Struct, frozen=True):
    """AH27.victory: what is worth points besides losses."""

    beacon: int = NOBODY  # a hex; worth this to who held it last
    beacon_points: int = 5
    granary: int = NOBODY  # a hex; worth this to the Horde if it has burnt, else to the League
    granary_points: int = 4
    lead: int = 5
    turns: int = 12


class Rules(Struct, frozen=True):
    """The options in force."""

    fire: bool = True  # A.set_fire.option A.douse.option
    stakes: bool = True  # A.plant_stakes.option A.remove_stakes.option


class Roster(Struct, frozen=True, dict=True):
    """What is settled before the battle and shared by all its states."""

    types: tuple[Type, ...]
    wings: tuple[Wing, ...]
    pieces: tuple[Piece, ...]
    columns: int
    rows: int
    terrain: tuple[int, ...]
    inflammable: tuple[int, ...]
    indoor: tuple[int, ...]
    sources: tuple[int, ...]  # A.reload.source.1: a hex by side; NOBODY: the commander in chief
    edges: tuple[int, int]  # AH16.rout: the row of each side's own edge
    weather: int  # NOBODY: by dice (AH24.weather)
    devices: tuple[Device, ...]
    prize: Prize
    rules: Rules

    @cached_property
    def grid(self) -> Grid:
        return grid(self.columns, self.rows)

    @cached_property
    def burns(self) -> frozenset[int]:
        return frozenset(self.inflammable)

    @cached_property
    def inside(self) -> frozenset[int]:
        return frozenset(self.indoor)

    @cached_property
    def leaders(self) -> tuple[int, ...]:
        """AH4.activation: by wing, the number of its leader."""
        found = {
            piece.wing: i
            for i, piece in enumerate(self.pieces)
            if piece.kind == CHARACTER and piece.wing >= 0
        }
        return tuple(found.get(w, NOBODY) for w in range(len(self.wings)))

    @cached_property
    def chiefs(self) -> tuple[int, ...]:
        """A.def.cinc: by side, the number of the commander in chief."""
        return tuple(
            next(
                (i for i, p in enumerate(self.pieces) if p.wing < 0 and self.types[p.type].side == side),
                NOBODY,
            )
            for side in (0, 1)
        )

    @cached_property
    def wing_index(self) -> dict[str, int]:
        return {wing.id: n for n, wing in enumerate(self.wings)}

    @cached_property
    def type_index(self) -> dict[str, int]:
        return {kind.key: n for n, kind in enumerate(self.types)}

    @cached_property
    def total(self) -> tuple[int, int]:
        """AH27.victory: the steps with which each side began."""
        league, horde = (
            sum(p.steps for p in self.pieces if self.types[p.type].side == side and p.kind != CHARACTER)
            for side in (0, 1)
        )
        return league, horde

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What others make once of the map, under names of theirs."""
        return {}


class FormationsState(State):
    """The columns: one entry a unit, a hex or a wing."""

    roster: Roster
    turn: int
    weather: int
    first: int  # AH3.turn: the side that activates first
    active: int
    beacon: int  # who held it last
    burnt: bool  # a blaze has been on the granary
    # units
    ids: list[str]
    type: list[int]
    side: list[int]
    wing: list[int]
    kind: list[int]
    steps: list[int]
    full: list[int]  # the steps that it had at first: what regeneration can give back
    cell: list[int]
    cell2: list[int]  # of a formation
    facing: list[int]  # A.def.orientation
    fatigue: list[int]
    cohesion: list[int]
    ammo: list[int]
    mode: list[int]
    position: list[int]
    depth: list[int]  # A.def.front_behind: the lower the farther in front
    flags: list[int]
    given: list[int]  # special orders that a leader has given this turn
    # hexes
    fire: list[int]
    stakes: list[int]  # the facing of the marker, or NO_STAKES
    # wings
    instruction: list[int]
    told: list[int]  # it has got its instruction this turn
    done: list[int]
    # devices
    worked: list[int]  # AH31.devices: the side that has worked it, or NOBODY
    # melee
    blows: list[tuple[int, int]]  # who strikes whom
    made: int  # units made during the battle
    at: list[tuple[int, ...]]  # by hex, who is there, the foremost first: derived, for speed

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
    state = FormationsState(
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
        full=[max(WHOLE, piece.steps) if piece.kind == SIMPLE else piece.steps for piece in pieces],
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
        at=[()] * size,
    )
    for i in range(len(pieces)):
        _settle(state, i)
    return state


def other(side: int) -> int:
    return 1 - side


# --- units ---------------------------------------------------------------------------------------


def kind_of(state: FormationsState, i: int) -> Type:
    return state.roster.types[state.type[i]]


def is_troop(state: FormationsState, i: int) -> bool:
    """A.def.kinds: a simple troop or a formation."""
    return state.kind[i] != CHARACTER


def on_map(state: FormationsState, side: int) -> list[int]:
    return [i for i, cell in enumerate(state.cell) if cell >= 0 and state.side[i] == side]


def troops(state: FormationsState, side: int) -> list[int]:
    return [i for i in on_map(state, side) if state.kind[i] != CHARACTER]


def unit_of(state: FormationsState, side: int, name: str) -> int:
    """The number of a unit of ``side`` on the map, or NOBODY if the name is nobody of his."""
    if name not in state.ids:
        return NOBODY
    i = state.ids.index(name)
    return i if state.side[i] == side and state.cell[i] >= 0 else NOBODY


def cells_of(state: FormationsState, i: int) -> tuple[int, ...]:
    """A.def.footprint: one hex, or the two of a formation."""
    second = state.cell2[i]
    return (state.cell[i],) if second < 0 else (state.cell[i], second)


def figures(steps: int) -> int:
    """A.def.figures: half the steps, rounded up."""
    return (steps + 1) // 2


def is_weakened(state: FormationsState, i: int) -> bool:
    """A.def.figures: an odd number of steps shows the weakened face."""
    return state.steps[i] % 2 == 1


def is_bad(state: FormationsState, i: int) -> bool:
    """A.def.cohesion: Shaken, or in Rout, which fails every "not Shaken" too."""
    return state.cohesion[i] != STEADY


def tire(state: FormationsState, i: int) -> bool:
    """One level more tired; False if it cannot be."""
    if state.kind[i] == CHARACTER or state.fatigue[i] == EXHAUSTED:
        return False
    state.fatigue[i] += 1
    return True


# --- stacks --------------------------------------------------------------------------------------


def stack(state: FormationsState, cell: int) -> tuple[int, ...]:
    """A.def.stacked A.def.front_behind: all units in a hex, the foremost first."""
    return state.at[cell]


def points(state: FormationsState, i: int, steps: int | None = None) -> int:
    """AH18.stacking: the stacking points of a unit on each of its hexes."""
    n = state.steps[i] if steps is None else steps
    if state.kind[i] == CHARACTER:
        return 0
    if state.kind[i] == FORMATION:
        return n
    return n * points_per_step(kind_of(state, i))


def points_per_step(kind: Type) -> int:
    """AH18.stacking: of a simple troop."""
    return 3 if kind.heavy else 1 if kind.small else 2


def load(state: FormationsState, cell: int, without: tuple[int, ...] = ()) -> int:
    """A.def.stacking_limit: the stacking points in a hex."""
    return sum(points(state, i) for i in stack(state, cell) if i not in without)


def fits(state: FormationsState, i: int, cells: tuple[int, ...]) -> bool:
    """AH18.stacking: whether a unit can stay there."""
    return all(load(state, cell, (i,)) + points(state, i) <= LIMIT for cell in cells)


# --- fronts --------------------------------------------------------------------------------------


def front_of(state: FormationsState, cells: tuple[int, ...], facing: int) -> list[int]:
    """AH1.grid AH2.footprint: two hexes before a simple troop, three before a formation."""
    around = state.roster.grid.neighbours
    found = [around[cell][d % 6] for cell in cells for d in (facing, facing + 1)]
    return [cell for cell in dict.fromkeys(found) if cell != OFF and cell not in cells]


def front(state: FormationsState, i: int) -> list[int]:
    return front_of(state, cells_of(state, i), state.facing[i])


def around(state: FormationsState, i: int) -> list[int]:
    """The hexes next to a unit."""
    own = cells_of(state, i)
    found = [to for cell in own for to in state.roster.grid.neighbours[cell]]
    return [cell for cell in dict.fromkeys(found) if cell != OFF and cell not in own]


def angle_from(state: FormationsState, i: int, cell: int) -> int:
    """AH2.footprint: whether an adjacent hex lies in the FRONT, FLANK or REAR of a unit; OFF if not adjacent.

    AH21.modes: a hedgehog has front all around.
    """
    grid = state.roster.grid
    seen = {
        angle(state.facing[i], direction)
        for own in cells_of(state, i)
        if (direction := grid.direction(own, cell)) != OFF
    }
    if not seen:
        return OFF
    if state.mode[i] == HEDGEHOG and state.kind[i] == FORMATION:
        return FRONT
    return FRONT if FRONT in seen else REAR if REAR in seen else FLANK


def enemies_at(state: FormationsState, side: int, cell: int) -> list[int]:
    """Enemy troops in a hex, the foremost first; AH28.characters: characters do not count."""
    return [j for j in state.at[cell] if state.side[j] != side and state.kind[j] != CHARACTER]


def engages(state: FormationsState, j: int, cells: tuple[int, ...]) -> bool:
    """AH8.engage: a troop on the ground, not in Rout, with one of these hexes before it."""
    if state.kind[j] == CHARACTER or state.cohesion[j] == ROUT or state.position[j] != GROUND:
        return False
    ahead = front(state, j)
    return any(cell in ahead for cell in cells)


def engagers_at(state: FormationsState, side: int, cells: tuple[int, ...]) -> list[int]:
    """AH8.engage: who would engage a unit of ``side`` there."""
    return [j for j in enemies_beside(state, side, cells) if engages(state, j, cells)]


def engagers(state: FormationsState, i: int) -> list[int]:
    """A.def.engaged AH8.engage: the enemies that engage a unit; nobody engages a character."""
    return [] if state.kind[i] == CHARACTER else engagers_at(state, state.side[i], cells_of(state, i))


def enemies_beside(state: FormationsState, side: int, cells: tuple[int, ...]) -> list[int]:
    """Enemy troops next to some hexes or in them."""
    around = state.roster.grid.neighbours
    found: dict[int, None] = {}
    for cell in cells:
        for to in (cell, *around[cell]):
            if to >= 0:
                for j in state.at[to]:
                    if state.side[j] != side and state.kind[j] != CHARACTER:
                        found[j] = None
    return list(found)


def neighbours_of(state: FormationsState, i: int) -> list[int]:
    """A.def.engaged: enemy troops adjacent to a unit."""
    return enemies_beside(state, state.side[i], cells_of(state, i))


def distance(state: FormationsState, i: int, j: int) -> int:
    """Between the nearest hexes of two units."""
    rows = state.roster.grid.distances
    return min(rows[a][b] for a in cells_of(state, i) for b in cells_of(state, j))


def nearest_enemy(state: FormationsState, i: int) -> int:
    """How far the next enemy troop is; a large number if there is none."""
    return min((distance(state, i, j) for j in troops(state, other(state.side[i]))), default=99)


# --- command -------------------------------------------------------------------------------------


def instruction_of(state: FormationsState, i: int) -> int:
    """A.def.instruction AH5.command: what the wing of a unit was told; a wing without its leader holds."""
    wing = state.wing[i]
    if wing < 0:
        return ADVANCE
    leader = state.roster.leaders[wing]
    return HOLD if leader >= 0 and state.cell[leader] < 0 else state.instruction[wing]


def complies(state: FormationsState, i: int) -> bool:
    """AH6.instructions: whether a unit complies with a Regroup instruction."""
    wing = state.wing[i]
    if wing < 0 or instruction_of(state, i) != REGROUP:
        return False
    leader = state.roster.leaders[wing]
    if leader < 0 or state.cell[leader] < 0 or distance(state, i, leader) > 4:
        return False
    return not state.flags[i] & MOVED and state.cohesion[i] != ROUT


def has_order(state: FormationsState, i: int) -> bool:
    """A.def.special_order."""
    return bool(state.flags[i] & ORDERED)


def is_regrouped(state: FormationsState, i: int) -> bool:
    """What many actions ask for: compliance with a Regroup instruction, or a special order."""
    return has_order(state, i) or complies(state, i)


def limited_by(state: FormationsState, i: int) -> int:
    """AH6.instructions: the instruction that binds a unit; a special order frees it."""
    return ADVANCE if has_order(state, i) else instruction_of(state, i)


def has_leader_near(state: FormationsState, i: int) -> bool:
    """AH12.cohesion: the leader of its wing or its commander in chief within two hexes."""
    wing = state.wing[i]
    near = [state.roster.chiefs[state.side[i]], state.roster.leaders[wing] if wing >= 0 else NOBODY]
    return any(c >= 0 and state.cell[c] >= 0 and distance(state, i, c) <= 2 for c in near)


# --- making and removing -------------------------------------------------------------------------


def add(state: FormationsState, like: int, kind: int, steps: int, cells: tuple[int, ...], depth: int) -> int:
    """AH30.new_units: a unit of the type, side, wing and facing of another, on the ground; its number."""
    state.made += 1
    letter = "f" if kind == FORMATION else "n"
    state.ids.append(f"{kind_of(state, like).key}-{letter}{state.made}")
    for column in (state.type, state.side, state.wing, state.facing):
        column.append(column[like])
    state.kind.append(kind)
    state.steps.append(steps)
    state.full.append(WHOLE if kind == SIMPLE else steps)
    state.cell.append(cells[0])
    state.cell2.append(cells[1] if kind == FORMATION else GONE)
    state.fatigue.append(FRESH)
    state.cohesion.append(STEADY)
    state.ammo.append(FULL)
    state.mode.append(MARCH)
    state.position.append(GROUND)
    state.depth.append(depth)
    state.flags.append(0)
    state.given.append(0)
    _settle(state, len(state.ids) - 1)
    return len(state.ids) - 1


def remove(state: FormationsState, i: int) -> None:
    """Off the map for good."""
    _lift(state, i)
    state.cell[i] = state.cell2[i] = GONE
    state.flags[i] = 0


def put(state: FormationsState, i: int, cells: tuple[int, ...], depth: int | None = None) -> None:
    """Set a unit down; ``depth`` is its place in the stack, if it changes."""
    _lift(state, i)
    state.cell[i] = cells[0]
    state.cell2[i] = cells[1] if len(cells) > 1 else GONE
    if depth is not None:
        state.depth[i] = depth
    _settle(state, i)


def _lift(state: FormationsState, i: int) -> None:
    for cell in cells_of(state, i):
        if cell >= 0:
            state.at[cell] = tuple(j for j in state.at[cell] if j != i)


def _settle(state: FormationsState, i: int) -> None:
    for cell in cells_of(state, i):
        state.at[cell] = tuple(sorted((*state.at[cell], i), key=state.depth.__getitem__))


def behind(state: FormationsState, cells: tuple[int, ...]) -> int:
    """A.def.front_behind: a depth behind all that is there."""
    return 1 + max((state.depth[i] for cell in cells for i in stack(state, cell)), default=0)


def before(state: FormationsState, cells: tuple[int, ...]) -> int:
    """A.def.front_behind: a depth before all that is there."""
    return min((state.depth[i] for cell in cells for i in stack(state, cell)), default=0) - 1


def wing_units(state: FormationsState, wing: int) -> Iterator[int]:
    """AH4.activation: the units of a wing, its leader with it."""
    return (i for i, w in enumerate(state.wing) if w == wing and state.cell[i] >= 0)
