"""The state of a battle: units, groups and hexes as columns of numbers, and questions about them.

Units, groups and hexes are told by their numbers; ids are for players.  Facings are corners (MH2.facing).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Self

from msgspec import Meta

from ...kernel import Outcome, State, Step
from ...kernel.model import uneven_columns
from ...kernel.objects import ValueObject
from ...parts.hexes import OFF, Grid, angle, grid

ROME, CARTHAGE = 0, 1
SEATS = ("rome", "carthage")

GONE, EXITED, WAITING = -1, -2, -3  # eliminated; left by the south; not deployed yet
NOBODY = -1
SOUTH = "south"  # MH8.exit: what lies beyond the southern edge
WAITS = "waiting"  # beside the map: what is not deployed yet

# M2.attack.1: Attack has no marker.  M2.independent: of horse and elephants it says that they follow their
# colour, and DETACHED that they are under Attack by themselves.  Only in views: HIDDEN, a marker that lies
# face down; UNMARKED, horse or elephants without a marker, which follow their colour or are detached.
ATTACK, STAND, MOVE, ADVANCE, REFORM, HIDDEN, DETACHED, UNMARKED = range(8)
ORDERS = ("attack", "stand", "move", "move-to-attack", "reform", "hidden", "detached", "unmarked")
ORDER: dict[str, int] = {name: n for n, name in enumerate(ORDERS[:HIDDEN])}

ELEPHANT, CAVALRY, LEGION, HEAVY, MEDIUM, LIGHT = ARMS = ("EL", "CAV", "LEGION", "HI", "MI", "LI")
COLOUR, HORSE, ELEPHANTS = "colour", "horse", "elephant"  # kinds of groups

# What became of a unit, one bit each; all but disorder is forgotten when the turn ends.
DISORDERED, MOVED, ATTACKED = 1, 2, 4
DIE = 10  # M0.die: marked 0 to 9


# What a file is held to: wider than any battle needs, and narrow enough that nothing takes long.

MAX_HEXES, MAX_UNITS, MAX_GROUPS, MAX_SIDE = 2_000, 200, 100, 60
Bit = Annotated[int, Meta(ge=0, le=1)]
Worth = Annotated[int, Meta(ge=0, le=20)]
Count = Annotated[int, Meta(ge=0, le=MAX_UNITS)]
Corner = Annotated[int, Meta(ge=0, le=5)]
Turn = Annotated[int, Meta(ge=0, le=100)]
Hex = Annotated[int, Meta(ge=0, le=MAX_HEXES - 1)]
Cell = Annotated[int, Meta(ge=WAITING, le=MAX_HEXES - 1)]
UnitNumber = Annotated[int, Meta(ge=NOBODY, le=MAX_UNITS - 1)]
Length = Annotated[int, Meta(ge=2, le=MAX_SIDE)]
Row = Annotated[int, Meta(ge=0, le=MAX_SIDE)]
Word = Annotated[str, Meta(max_length=2_000)]
OfUnits = Meta(max_length=MAX_UNITS)
OfGroups = Meta(max_length=MAX_GROUPS)
OfHexes = Meta(max_length=MAX_HEXES)
OfSides = Meta(max_length=2)


class Unit(ValueObject):
    """A counter (M0.counters.1, M0.counters.2)."""

    def __init__(
        self,
        id: Word,
        side: Bit,
        arm: Word,
        group: Annotated[int, Meta(ge=0, le=MAX_GROUPS - 1)],  # its colour
        morale: Worth,
        move: Worth,
        name_en: Word,
        name_fr: Word,
        number: Count,  # among those of its name; 0 if it is the only one
        start: Hex,  # the hex of its set-up
        facing: Corner,
    ) -> None:
        self.id: Final = id
        self.side: Final = side
        self.arm: Final = arm
        self.group: Final = group
        self.morale: Final = morale
        self.move: Final = move
        self.name_en: Final = name_en
        self.name_fr: Final = name_fr
        self.number: Final = number
        self.start: Final = start
        self.facing: Final = facing


class Group(ValueObject):
    """What one order marker governs (M2.scope)."""

    def __init__(
        self,
        id: Word,
        side: Bit,
        kind: Word,
        gallic: bool = False,  # MH14.gauls
    ) -> None:
        self.id: Final = id
        self.side: Final = side
        self.kind: Final = kind
        self.gallic: Final = gallic


class Goals(ValueObject):
    """What wins (M5.roman, M5.carthage.1, M5.carthage.2), and how long it may take (MH11.length)."""

    def __init__(self, rome: Count = 19, carthage: Count = 12, exits: Count = 20, turns: Turn = 12) -> None:
        self.rome: Final = rome
        self.carthage: Final = carthage
        self.exits: Final = exits
        self.turns: Final = turns


class Rules(ValueObject):
    """The options in force."""

    def __init__(
        self,
        gauls: bool = False,  # MH14.gauls
        all_markers: bool = False,  # M2.place, the variant: at most 3 markers in force
        lifted: bool = False,  # M4.crt.4_5, the variant
    ) -> None:
        self.gauls: Final = gauls
        self.all_markers: Final = all_markers
        self.lifted: Final = lifted


class Roster(ValueObject):
    """What is settled before the battle and shared by all its states."""

    def __init__(
        self,
        units: Annotated[tuple[Unit, ...], OfUnits],
        groups: Annotated[tuple[Group, ...], OfGroups],
        columns: Length,
        rows: Length,
        levels: Annotated[tuple[Worth, ...], OfHexes],  # by hex
        forests: Annotated[tuple[Hex, ...], OfHexes],
        rivers: Annotated[tuple[tuple[Hex, Hex], ...], Meta(max_length=6 * MAX_HEXES)],  # hexsides
        goals: Goals,
        rules: Rules,
        # MH15.free_setup: the rows of each side; none: all stand already
        zones: Annotated[tuple[tuple[Row, Row], ...], OfSides] = (),
    ) -> None:
        self.units: Final = units
        self.groups: Final = groups
        self.columns: Final = columns
        self.rows: Final = rows
        self.levels: Final = levels
        self.forests: Final = forests
        self.rivers: Final = rivers
        self.goals: Final = goals
        self.rules: Final = rules
        self.zones: Final = zones
        self.grid: Final[Grid] = grid(self.columns, self.rows)
        self.index: Final[dict[str, int]] = {unit.id: i for i, unit in enumerate(self.units)}
        self.group_index: Final[dict[str, int]] = {group.id: g for g, group in enumerate(self.groups)}
        self.of: Final[tuple[tuple[int, ...], tuple[int, ...]]] = self._of()
        self.own_group: Final[tuple[int, ...]] = self._own_group()
        # What others make once of the map, under names of theirs.
        self.kept: Final[dict[str, Any]] = {}
        # Hexsides with a river, both ways.
        self.river: Final[frozenset[tuple[int, int]]] = frozenset(self.rivers) | frozenset(
            (b, a) for a, b in self.rivers
        )
        self.wooded: Final[frozenset[int]] = frozenset(self.forests)
        # What a step costs foot and cavalry, by hex and direction.
        self.prices: Final[tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]] = (
            self._prices(cavalry=False),
            self._prices(cavalry=True),
        )

    def _of(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The units of each side."""
        rome, carthage = (tuple(i for i, u in enumerate(self.units) if u.side == side) for side in (0, 1))
        return rome, carthage

    def _own_group(self) -> tuple[int, ...]:
        """M2.independent: by unit, the group that cavalry and elephants form whatever their colour, or -1."""
        kinds = {CAVALRY: HORSE, ELEPHANT: ELEPHANTS}
        found = {(group.side, group.kind): g for g, group in enumerate(self.groups)}
        return tuple(found.get((unit.side, kinds.get(unit.arm, "")), NOBODY) for unit in self.units)

    def _prices(self, cavalry: bool) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(self.price(cell, to, cavalry) if to != OFF else 1 for to in around)
            for cell, around in enumerate(self.grid.neighbours)
        )

    def price(self, cell: int, to: int, cavalry: bool) -> int:
        """M3.mv.forest M3.mv.forest_cav M3.mv.climb M3.mv.river M3.mv.river_cav: points to enter ``to``."""
        forest = 4 if cavalry else 2
        cost = forest if to in self.wooded else 1
        cost += max(0, self.levels[to] - self.levels[cell])
        if (cell, to) in self.river:
            cost += 2 if cavalry else 1
        return cost


class MetaurusState(State):
    """The columns: one entry a unit, a group, a hex or a side."""

    def __init__(
        self,
        todo: list[Step],
        outcome: Outcome | None,
        roster: Roster,
        turn: Turn,
        active: Bit,
        first: Bit,  # who has the first player turn
        tried: bool,  # M3.two_orders.1: Rome has tried it this turn
        provoked: bool,  # MH14.gauls: a Gaul has been attacked
        # units
        cell: Annotated[list[Cell], OfUnits],
        facing: Annotated[list[Corner], OfUnits],
        flags: Annotated[list[Annotated[int, Meta(ge=0, le=7)]], OfUnits],
        links: Annotated[
            list[tuple[Count, Count]], Meta(max_length=3 * MAX_UNITS)
        ],  # M4.crt.4_5: who is engaged with whom, the lower number first
        # groups
        order: Annotated[list[Annotated[int, Meta(ge=0, le=UNMARKED)]], OfGroups],
        shown: Annotated[list[Bit], OfGroups],  # the marker lies face up
        was: Annotated[
            list[Annotated[int, Meta(ge=0, le=UNMARKED)]], OfGroups
        ],  # order, and whether it was shown, when placing began: what the enemy still sees
        was_shown: Annotated[list[Bit], OfGroups],
        changed: Annotated[list[Bit], OfGroups],  # M2.place: its order was changed this turn
        done: Annotated[list[Bit], OfGroups],  # activated this turn
        held: Annotated[list[Bit], OfGroups],  # MH14.gauls: counts as Stand & Defend this turn
        # hexes, derived, for speed
        at: Annotated[list[UnitNumber], OfHexes],  # the unit there, or NOBODY
        near: Annotated[
            list[Annotated[int, Meta(ge=0, le=6)]], Meta(max_length=2 * MAX_HEXES)
        ],  # units of side s next to hex c, at s * size + c
        # counts
        killed: Annotated[
            list[Count], OfSides
        ],  # M5.roman M5.carthage.1: units that each side has destroyed and that count
        exits: Count,
    ) -> None:
        super().__init__(todo, outcome)
        self.roster = roster
        self.turn = turn
        self.active = active
        self.first = first
        self.tried = tried
        self.provoked = provoked
        self.cell = cell
        self.facing = facing
        self.flags = flags
        self.links = links
        self.order = order
        self.shown = shown
        self.was = was
        self.was_shown = was_shown
        self.changed = changed
        self.done = done
        self.held = held
        self.at = at
        self.near = near
        self.killed = killed
        self.exits = exits

    def copy(self) -> Self:
        return type(self)(
            self.todo[:],
            self.outcome,
            self.roster,
            self.turn,
            self.active,
            self.first,
            self.tried,
            self.provoked,
            self.cell[:],
            self.facing[:],
            self.flags[:],
            self.links[:],
            self.order[:],
            self.shown[:],
            self.was[:],
            self.was_shown[:],
            self.changed[:],
            self.done[:],
            self.held[:],
            self.at[:],
            self.near[:],
            self.killed[:],
            self.exits,
        )


def blank(roster: Roster) -> MetaurusState:
    """A battle before anything has happened; MH13.start_orders: no markers are on the map."""
    units, groups, size = len(roster.units), len(roster.groups), roster.grid.size
    return MetaurusState(
        todo=[],
        outcome=None,
        roster=roster,
        turn=0,
        active=ROME,
        first=ROME,
        tried=False,
        provoked=False,
        cell=[WAITING] * units,
        facing=[unit.facing for unit in roster.units],
        flags=[0] * units,
        links=[],
        order=[ATTACK] * groups,
        shown=[0] * groups,
        was=[ATTACK] * groups,
        was_shown=[0] * groups,
        changed=[0] * groups,
        done=[0] * groups,
        held=[0] * groups,
        at=[NOBODY] * size,
        near=[0] * (2 * size),
        killed=[0, 0],
        exits=0,
    )


def uneven(state: MetaurusState) -> Iterator[str]:
    """Columns, of the state or its roster, that are longer or shorter than they must be."""
    roster = state.roster
    if len(roster.levels) != roster.columns * roster.rows:
        yield "there are not as many hexes as columns and rows tell"
    yield from uneven_columns(state, blank(roster), ("links",))


def other(side: int) -> int:
    return 1 - side


# --- hexes ---------------------------------------------------------------------------------------


def put(state: MetaurusState, i: int, cell: int) -> None:
    """Set a unit down in a hex, or take it off the map."""
    roster = state.roster
    base = roster.units[i].side * roster.grid.size
    before = state.cell[i]
    if before >= 0:
        state.at[before] = NOBODY
        for c in roster.grid.neighbours[before]:
            if c >= 0:
                state.near[base + c] -= 1
    state.cell[i] = cell
    if cell >= 0:
        state.at[cell] = i
        for c in roster.grid.neighbours[cell]:
            if c >= 0:
                state.near[base + c] += 1
    if state.links:
        _loosen(state, i)


def _loosen(state: MetaurusState, i: int) -> None:
    """M4.crt.4_5: an engagement ends when one of both is eliminated or they are no longer adjacent."""
    grid, where = state.roster.grid, state.cell
    state.links = [
        (a, b)
        for a, b in state.links
        if i not in (a, b) or (where[a] >= 0 and where[b] >= 0 and grid.distance(where[a], where[b]) == 1)
    ]


def touches_enemy(state: MetaurusState, side: int, cell: int) -> bool:
    """M2.move.2: whether an enemy of ``side`` is adjacent to a hex."""
    return state.near[other(side) * state.roster.grid.size + cell] > 0


# --- units ---------------------------------------------------------------------------------------


def on_map(state: MetaurusState, side: int) -> list[int]:
    where = state.cell
    return [i for i in state.roster.of[side] if where[i] >= 0]


def places(state: MetaurusState, side: int) -> tuple[int, ...]:
    """Where all units of a side are; what was reckoned from it holds as long as it is the same."""
    return tuple(map(state.cell.__getitem__, state.roster.of[side]))


def make_room(kept: dict[Any, Any], most: int) -> None:
    """Forget what is kept when it is too much."""
    if len(kept) >= most:
        kept.clear()


def unit_of(state: MetaurusState, side: int, name: str) -> int:
    """The number of a unit of ``side`` on the map, or NOBODY if the name is nobody of his."""
    i = state.roster.index.get(name, NOBODY)
    if i < 0 or state.roster.units[i].side != side or state.cell[i] < 0:
        return NOBODY
    return i


def engagers(state: MetaurusState, i: int) -> list[int]:
    """M4.crt.4_5: the enemies with whom a unit is engaged."""
    return [b if a == i else a for a, b in state.links if i in (a, b)]


def engage(state: MetaurusState, i: int, j: int) -> None:
    pair = (i, j) if i < j else (j, i)
    if pair not in state.links:
        state.links.append(pair)


def sees(state: MetaurusState, i: int, cell: int) -> int:
    """MH2.facing: whether an adjacent hex is FRONT, FLANK or REAR of a unit; OFF if it is not adjacent."""
    direction = state.roster.grid.direction(state.cell[i], cell)
    return OFF if direction == OFF else angle(state.facing[i], direction)


# --- groups and orders ---------------------------------------------------------------------------


def group_of(state: MetaurusState, i: int) -> int:
    """M2.scope M2.independent: the group whose order a unit is under.

    Cavalry and elephants follow their colour as long as they have no order of their own.
    """
    own = state.roster.own_group[i]
    if own >= 0 and state.order[own] != ATTACK and state.order[own] != UNMARKED:
        return own
    return state.roster.units[i].group


def order_of(state: MetaurusState, i: int) -> int:
    """The order that a unit is under, or HIDDEN if whoever has this view cannot know it."""
    group = group_of(state, i)
    if state.held[group]:
        return STAND
    order = state.order[group]
    if order == DETACHED:
        return ATTACK
    if order != ATTACK and is_unmarked(state, i):
        return HIDDEN
    return order


def has_marker(order: int) -> bool:
    """M2.attack.1: whether a marker lies on a group with this entry in ``MetaurusState.order``."""
    return STAND <= order <= HIDDEN


def is_unmarked(state: MetaurusState, i: int) -> bool:
    """M2.independent: whether a view does not tell if a unit follows its colour or is detached."""
    own = state.roster.own_group[i]
    return own >= 0 and state.order[own] == UNMARKED


def members(state: MetaurusState, group: int) -> list[int]:
    """The units on the map that an order of this group governs now."""
    side = state.roster.groups[group].side
    return [i for i in on_map(state, side) if group_of(state, i) == group]


def could_govern(state: MetaurusState, group: int) -> bool:
    """MH18.placing: whether the group has a unit left to lay an order for."""
    roster = state.roster
    side = roster.groups[group].side
    if roster.groups[group].kind == COLOUR:
        return any(roster.units[i].group == group for i in on_map(state, side))
    return any(roster.own_group[i] == group for i in on_map(state, side))


def groups_of(state: MetaurusState, side: int) -> list[int]:
    return [g for g, group in enumerate(state.roster.groups) if group.side == side]
