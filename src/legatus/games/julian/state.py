"""The state of a campaign: units, cities, peoples and hands as columns of numbers, and questions about them.

Units, commands, peoples, cities and hexes are told by their numbers; ids are for players.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Final, Self

from msgspec import Meta

from ...kernel import Outcome, State, Step
from ...kernel.model import uneven_columns
from ...kernel.objects import ValueObject
from ...parts.hexes import OFF, Grid, grid

ROMAN, BARBARIAN, NEUTRAL = 0, 1, 2  # NEUTRAL is nobody's seat: a people that serves neither (JH.6_0)
SEATS = ("roman", "barbarian")
NOBODY = -1

POOL, DELAYED, ASIDE, LATER = -1, -2, -3, -4  # JH.15_10 JH.6_0: where units are that are not on the map

# J0.title JH.pool: the stratagem markers.  HIDDEN counts those that a seat cannot tell.
AGENTES, CREDO, DUX, FEDERATE, IMPERIUM, MILITARY, HIDDEN = range(7)
MARKERS = ("agentes", "credo", "dux", "federate", "imperium", "military")
MARKER = {name: n for n, name in enumerate(MARKERS)}

CLEAR, FOREST, MOUNTAIN, CLOSED = range(4)
GROUNDS = ("clear", "forest", "mountain", "closed")
HALVES = 2  # JH.move: all points are counted in halves, for a road costs half a point
PRICES = (2, 4, 6)  # JH.move: to enter clear, forest, mountain
ROAD, RHINE = 1, 2  # JH.move: along a road; more for the Rhine

MOVED, FOUGHT = 1, 2  # what a unit has done in this operations phase
FIELD_MOVE = 3  # JC.important
DIE = 6  # JH.dice
NO_RESULT = -1


# What a file is held to: wider than any battle needs, and narrow enough that nothing takes long.

MAX_HEXES, MAX_UNITS = 1_000, 1_000
Bit = Annotated[int, Meta(ge=0, le=1)]
Side = Annotated[int, Meta(ge=0, le=NEUTRAL)]
Worth = Annotated[int, Meta(ge=0, le=100)]
Sum = Annotated[int, Meta(ge=0, le=1_000_000)]
Turn = Annotated[int, Meta(ge=0, le=100)]
Hex = Annotated[int, Meta(ge=0, le=MAX_HEXES - 1)]
Cell = Annotated[int, Meta(ge=LATER, le=MAX_HEXES - 1)]
Number = Annotated[int, Meta(ge=NOBODY, le=MAX_UNITS - 1)]
Markers = Annotated[int, Meta(ge=0, le=400)]
Length = Annotated[int, Meta(ge=1, le=MAX_HEXES)]
Word = Annotated[str, Meta(max_length=2_000)]
Band = Annotated[int, Meta(ge=-1_000, le=1_000)]
OfUnits = Meta(max_length=MAX_UNITS)
OfHexes = Meta(max_length=MAX_HEXES)
OfSides = Meta(max_length=2)
OfKinds = Meta(max_length=7)


class Unit(ValueObject):
    """A counter (JH.units): of a command, of a people, or a garrison, which is of neither."""

    def __init__(
        self,
        id: Word,
        kind: Word,
        side: Side,  # NEUTRAL: of the side that its people serves
        command: Number,
        people: Number,
        combat: Worth,
        move: Worth,
        cost: Worth = 0,
        number: Worth = 0,
        leader: bool = False,
        bonus: Worth = 0,  # JH.leaders
        name_en: Word = "",  # of a leader
        name_fr: Word = "",
        follows: Number = NOBODY,  # JH.leaders: the leader whose place he takes ...
        turn: Turn = 0,  # ... in this turn
    ) -> None:
        self.id: Final = id
        self.kind: Final = kind
        self.side: Final = side
        self.command: Final = command
        self.people: Final = people
        self.combat: Final = combat
        self.move: Final = move
        self.cost: Final = cost
        self.number: Final = number
        self.leader: Final = leader
        self.bonus: Final = bonus
        self.name_en: Final = name_en
        self.name_fr: Final = name_fr
        self.follows: Final = follows
        self.turn: Final = turn


class Command(ValueObject):
    """JH.commands: what one chit activates."""

    def __init__(
        self,
        id: Word,
        side: Bit,
        name_en: Word,
        name_fr: Word,
        start: Annotated[tuple[Hex, ...], OfHexes],  # JH.setup: its places
        home: Annotated[tuple[Hex, ...], OfHexes],  # JH.reinforce: where a barbarian one raises units
        opening: Annotated[tuple[Number, ...], OfUnits],  # the units that begin on the map
    ) -> None:
        self.id: Final = id
        self.side: Final = side
        self.name_en: Final = name_en
        self.name_fr: Final = name_fr
        self.start: Final = start
        self.home: Final = home
        self.opening: Final = opening


class People(ValueObject):
    """JH.6_0: federates."""

    def __init__(self, id: Word, name_en: Word, name_fr: Word, home: Hex) -> None:
        self.id: Final = id
        self.name_en: Final = name_en
        self.name_fr: Final = name_fr
        self.home: Final = home


class City(ValueObject):
    def __init__(
        self,
        id: Word,
        name: Word,
        cell: Hex,
        value: Worth,
        holder: Bit,  # at the beginning
    ) -> None:
        self.id: Final = id
        self.name: Final = name
        self.cell: Final = cell
        self.value: Final = value
        self.holder: Final = holder


class Rules(ValueObject):
    """The options in force."""

    def __init__(
        self,
        supply: bool = False,  # JH.25_0
        crises: bool = False,  # JH.23_0
        three_or_more: bool = False,  # JC.important, the switch
    ) -> None:
        self.supply: Final = supply
        self.crises: Final = crises
        self.three_or_more: Final = three_or_more


class Values(ValueObject):
    """The house figures that a scenario may change: what balance is tuned by.

    One that a later edition adds has a default, and is left out of the JSON where it stands at it: so the
    fingerprints of earlier editions stay as they are.
    """

    omits_defaults: ClassVar[bool] = True

    def __init__(
        self,
        turns: Turn,
        year: Annotated[int, Meta(ge=-9_999, le=9_999)],
        treasury: Worth,  # JH.treasury: and twice a die
        marker_price: Worth,  # JH.stratagem_phase
        tax_divisor: Annotated[int, Meta(ge=1, le=20)],  # JH.tax
        # JH.reinforce: by face, the lots to choose from
        raising: Annotated[
            tuple[
                Annotated[tuple[Annotated[tuple[Word, ...], Meta(max_length=20)], ...], Meta(max_length=5)],
                ...,
            ],
            Meta(max_length=6),
        ],
        bands: tuple[Band, Band, Band, Band],  # JH.victory
        sudden_turn: Turn,
        # JH.victory: both of them win for the barbarian
        sudden_cities: Annotated[tuple[Hex, ...], OfHexes],
        capital: Hex,  # JH.reinforce: where every Roman command may raise units
        restless: Number,  # JH.23_0: the command that rumours of usurpation touch
        most_plunder: Sum = 12,  # JH.victory: what counts of it
    ) -> None:
        self.turns: Final = turns
        self.year: Final = year
        self.treasury: Final = treasury
        self.marker_price: Final = marker_price
        self.tax_divisor: Final = tax_divisor
        self.raising: Final = raising
        self.bands: Final = bands
        self.sudden_turn: Final = sudden_turn
        self.sudden_cities: Final = sudden_cities
        self.capital: Final = capital
        self.restless: Final = restless
        self.most_plunder: Final = most_plunder


class Roster(ValueObject):
    """What is settled before the campaign and shared by all its states."""

    def __init__(
        self,
        units: Annotated[tuple[Unit, ...], OfUnits],
        commands: Annotated[tuple[Command, ...], OfUnits],
        peoples: Annotated[tuple[People, ...], OfHexes],
        cities: Annotated[tuple[City, ...], OfHexes],
        columns: Length,
        rows: Length,
        ground: Annotated[tuple[Annotated[int, Meta(ge=CLEAR, le=CLOSED)], ...], OfHexes],  # by hex
        gaul: Annotated[tuple[Bit, ...], OfHexes],  # by hex: 1 in Gaul, 0 in barbarian land
        roads: Annotated[tuple[Annotated[tuple[Hex, ...], OfHexes], ...], OfHexes],  # chains of hexes
        pool: Annotated[tuple[Markers, ...], OfKinds],  # markers by kind
        values: Values,
        rules: Rules,
    ) -> None:
        self.units: Final = units
        self.commands: Final = commands
        self.peoples: Final = peoples
        self.cities: Final = cities
        self.columns: Final = columns
        self.rows: Final = rows
        self.ground: Final = ground
        self.gaul: Final = gaul
        self.roads: Final = roads
        self.pool: Final = pool
        self.values: Final = values
        self.rules: Final = rules
        self.grid: Final[Grid] = grid(self.columns, self.rows)
        # The neighbours of each hex that can be entered at all (JH.map).
        self.around: Final[tuple[tuple[int, ...], ...]] = tuple(
            tuple(to for to in beside if to != OFF and self.ground[to] != CLOSED)
            for beside in self.grid.neighbours
        )
        self.index: Final[dict[str, int]] = {unit.id: i for i, unit in enumerate(self.units)}
        self.command_index: Final[dict[str, int]] = {command.id: c for c, command in enumerate(self.commands)}
        self.people_index: Final[dict[str, int]] = {people.id: p for p, people in enumerate(self.peoples)}
        self.city_index: Final[dict[str, int]] = {city.id: n for n, city in enumerate(self.cities)}
        self.city_at: Final[dict[int, int]] = {city.cell: n for n, city in enumerate(self.cities)}
        # The units of each people.
        self.of_people: Final[tuple[tuple[int, ...], ...]] = tuple(
            tuple(i for i, unit in enumerate(self.units) if unit.people == p)
            for p in range(len(self.peoples))
        )
        # The units of each command, its leaders with them.
        self.of_command: Final[tuple[tuple[int, ...], ...]] = tuple(
            tuple(i for i, unit in enumerate(self.units) if unit.command == c)
            for c in range(len(self.commands))
        )
        self.leaders: Final[tuple[int, ...]] = tuple(i for i, unit in enumerate(self.units) if unit.leader)
        self.road: Final[frozenset[tuple[int, int]]] = self._road()
        # What others make once of the map, under names of theirs.
        self.kept: Final[dict[str, Any]] = {}

    def _road(self) -> frozenset[tuple[int, int]]:
        """Hexsides that a road crosses, both ways."""
        ways = [pair for chain in self.roads for pair in pairwise(chain)]
        return frozenset(ways) | frozenset((b, a) for a, b in ways)

    def is_rhine(self, a: int, b: int) -> bool:
        """JH.map: every hexside between Gaul and barbarian land is the Rhine."""
        return self.gaul[a] != self.gaul[b]

    def price(self, a: int, b: int, frozen: bool = False) -> int:
        """JH.move: half points from one hex to the next; JH.23_0: a frozen Rhine costs nothing."""
        crosses = self.is_rhine(a, b)
        if (a, b) in self.road and not crosses:
            return ROAD
        return PRICES[self.ground[b]] + (RHINE if crosses and not frozen else 0)


class Battle(ValueObject):
    """A combat: who attacks, from where, whom and where."""

    def __init__(
        self,
        seat: Bit,  # of the attacker
        hex: Hex,  # that is attacked
        attackers: Annotated[tuple[Number, ...], OfUnits],
        stood: Annotated[tuple[Hex, ...], OfUnits],  # the hex from which each of them attacks
        defenders: Annotated[tuple[Number, ...], OfUnits],
    ) -> None:
        self.seat: Final = seat
        self.hex: Final = hex
        self.attackers: Final = attackers
        self.stood: Final = stood
        self.defenders: Final = defenders


class JulianState(State):
    """The columns: one entry a unit, a city, a command, a people or a seat."""

    def __init__(
        self,
        todo: list[Step],
        outcome: Outcome | None,
        roster: Roster,
        turn: Turn,
        active: Bit,  # who conducts the operations phase; the Roman outside of them (JH.windows)
        operating: bool,  # within an operations phase
        tp: Sum,  # JH.treasury
        plunder: Sum,  # JH.cities
        taxed: Sum,  # JH.23_0: what this turn's taxes brought
        purpose: Word,  # what the die just thrown is for, ...
        face: Annotated[int, Meta(ge=0, le=DIE)],  # ... what it shows, and ...
        rerolled: bool,  # ... whether it was thrown again and nobody has let that stand yet (JH.windows)
        result: Annotated[int, Meta(ge=NO_RESULT, le=9)],  # of the last combat
        frozen: Turn,  # JH.23_0: the turn in which the Rhine is frozen ...
        feud: Number,  # ... the command whose leader may not be used ...
        feud_turn: Turn,  # ... in this turn ...
        barred_turn: Turn,  # ... and the turn in which the restless command is not picked
        # units
        cell: Annotated[list[Cell], OfUnits],
        side: Annotated[list[Side], OfUnits],
        flags: Annotated[list[Annotated[int, Meta(ge=0, le=3)]], OfUnits],
        due: Annotated[list[Turn], OfUnits],  # JH.15_10: the turn in which a delayed unit returns
        # cities
        holder: Annotated[list[Bit], OfHexes],
        sacked: Annotated[list[Bit], OfHexes],
        plundered: Annotated[list[Bit], OfHexes],  # JH.cities: in this turn
        # commands
        drawn: Annotated[list[Bit], OfUnits],  # JH.chits: its chit has been picked or drawn this turn
        acting: Annotated[list[Bit], OfUnits],  # it is activated in this phase
        raised: Annotated[list[Bit], OfUnits],  # JH.reinforce: its die of this phase was thrown
        sought: Annotated[list[Bit], OfUnits],  # JH.leaders: its lost leader was rolled for in this phase
        # peoples
        ally: Annotated[list[Side], OfHexes],
        called: Annotated[list[Bit], OfHexes],  # JH.7_9_3: it acts in this phase
        objects: Annotated[
            list[Bit], Meta(max_length=2 * MAX_HEXES)
        ],  # JH.7_9_3: of a Federate of this turn, by people and seat
        # seats
        hands: Annotated[list[Annotated[list[Markers], OfKinds]], OfSides],  # markers by kind, and HIDDEN
        pool: Annotated[list[Markers], OfKinds],
        known: Annotated[
            list[Annotated[list[Markers], OfKinds]], OfSides
        ],  # what a seat knows to be in the other's hand
        bought: Annotated[list[Markers], OfSides],  # JH.stratagem_phase: markers bought, dice thrown for them
        imperium: Annotated[list[Markers], OfSides],  # JS.imperium.limit: played in this phase
        federate: Annotated[list[Markers], OfSides],  # JS.federate.limit
        duces: Annotated[list[Markers], OfSides],  # JH.7_9_3: a Dux was played for activation in this phase
        led: Worth,  # JS.dux.2.limit: a Dux was played for a leader in this phase
        brought: Worth,  # JH.leaders: a leader was bought in this sub-phase
        # hexes, derived, for speed: at side * size + hex
        men: Annotated[
            list[Annotated[int, Meta(ge=0, le=20 * MAX_UNITS)]], Meta(max_length=3 * MAX_HEXES)
        ],  # combat units
        force: Annotated[
            list[Annotated[int, Meta(ge=0, le=20 * MAX_UNITS)]], Meta(max_length=3 * MAX_HEXES)
        ],  # their printed factors
    ) -> None:
        super().__init__(todo, outcome)
        self.roster = roster
        self.turn = turn
        self.active = active
        self.operating = operating
        self.tp = tp
        self.plunder = plunder
        self.taxed = taxed
        self.purpose = purpose
        self.face = face
        self.rerolled = rerolled
        self.result = result
        self.frozen = frozen
        self.feud = feud
        self.feud_turn = feud_turn
        self.barred_turn = barred_turn
        self.cell = cell
        self.side = side
        self.flags = flags
        self.due = due
        self.holder = holder
        self.sacked = sacked
        self.plundered = plundered
        self.drawn = drawn
        self.acting = acting
        self.raised = raised
        self.sought = sought
        self.ally = ally
        self.called = called
        self.objects = objects
        self.hands = hands
        self.pool = pool
        self.known = known
        self.bought = bought
        self.imperium = imperium
        self.federate = federate
        self.duces = duces
        self.led = led
        self.brought = brought
        self.men = men
        self.force = force

    def copy(self) -> Self:
        return type(self)(
            self.todo[:],
            self.outcome,
            self.roster,
            self.turn,
            self.active,
            self.operating,
            self.tp,
            self.plunder,
            self.taxed,
            self.purpose,
            self.face,
            self.rerolled,
            self.result,
            self.frozen,
            self.feud,
            self.feud_turn,
            self.barred_turn,
            self.cell[:],
            self.side[:],
            self.flags[:],
            self.due[:],
            self.holder[:],
            self.sacked[:],
            self.plundered[:],
            self.drawn[:],
            self.acting[:],
            self.raised[:],
            self.sought[:],
            self.ally[:],
            self.called[:],
            self.objects[:],
            [self.hands[0][:], self.hands[1][:]],
            self.pool[:],
            [self.known[0][:], self.known[1][:]],
            self.bought[:],
            self.imperium[:],
            self.federate[:],
            self.duces[:],
            self.led,
            self.brought,
            self.men[:],
            self.force[:],
        )


def blank(roster: Roster) -> JulianState:
    """A campaign before anything has happened."""
    units, commands, peoples = len(roster.units), len(roster.commands), len(roster.peoples)
    cities, size = len(roster.cities), roster.grid.size
    return JulianState(
        todo=[],
        outcome=None,
        roster=roster,
        turn=0,
        active=ROMAN,
        operating=False,
        tp=0,
        plunder=0,
        taxed=0,
        purpose="",
        face=0,
        rerolled=False,
        result=NO_RESULT,
        frozen=0,
        feud=NOBODY,
        feud_turn=0,
        barred_turn=0,
        cell=[LATER if unit.follows >= 0 else POOL for unit in roster.units],
        side=[unit.side for unit in roster.units],
        flags=[0] * units,
        due=[0] * units,
        holder=[city.holder for city in roster.cities],
        sacked=[0] * cities,
        plundered=[0] * cities,
        drawn=[0] * commands,
        acting=[0] * commands,
        raised=[0] * commands,
        sought=[0] * commands,
        ally=[NEUTRAL] * peoples,
        called=[0] * peoples,
        objects=[0] * (2 * peoples),
        hands=[[0] * 7, [0] * 7],
        pool=list(roster.pool),
        known=[[0] * 6, [0] * 6],
        bought=[0, 0],
        imperium=[0, 0],
        federate=[0, 0],
        duces=[0, 0],
        led=0,
        brought=0,
        men=[0] * (3 * size),
        force=[0] * (3 * size),
    )


def uneven(state: JulianState) -> Iterator[str]:
    """Columns, of the state or its roster, that are longer or shorter than they must be."""
    roster = state.roster
    if len(roster.ground) != roster.columns * roster.rows or len(roster.gaul) != len(roster.ground):
        yield "there are not as many hexes as columns and rows tell"
    yield from uneven_columns(state, blank(roster))


def other(side: int) -> int:
    return 1 - side


# --- units and hexes -----------------------------------------------------------------------------


def put(state: JulianState, i: int, cell: int, side: int | None = None) -> None:
    """Set a unit down in a hex or take it off the map; a federate may change sides on the way."""
    unit, size = state.roster.units[i], state.roster.grid.size
    before = state.cell[i]
    if before >= 0 and not unit.leader:
        at = state.side[i] * size + before
        state.men[at] -= 1
        state.force[at] -= unit.combat
    state.cell[i] = cell
    if side is not None:
        state.side[i] = side
    if cell >= 0 and not unit.leader:
        at = state.side[i] * size + cell
        state.men[at] += 1
        state.force[at] += unit.combat


def men_at(state: JulianState, side: int, cell: int) -> int:
    """How many combat units a side has in a hex."""
    return state.men[side * state.roster.grid.size + cell]


def near_men(state: JulianState, side: int, cell: int) -> bool:
    """Whether a side has a combat unit in a hex or next to it."""
    return any(men_at(state, side, to) for to in (cell, *state.roster.around[cell]))


STACK = 5  # JH.stack


def fits(state: JulianState, side: int, cell: int, more: int = 1) -> bool:
    """JH.stack JH.6_0: room for combat units of a side, and no neutral people there."""
    return not men_at(state, NEUTRAL, cell) and (not more or men_at(state, side, cell) + more <= STACK)


def is_open(state: JulianState, side: int, cell: int) -> bool:
    """JH.move: a hex that can be entered: passable, and without enemy combat units."""
    return state.roster.ground[cell] != CLOSED and not men_at(state, other(side), cell)


def at_hex(state: JulianState, cell: int, side: int | None = None) -> list[int]:
    """The units in a hex, leaders too, of one side or of all."""
    found, i = [], -1
    for _ in range(state.cell.count(cell)):
        i = state.cell.index(cell, i + 1)
        if side is None or state.side[i] == side:
            found.append(i)
    return found


def troops_at(state: JulianState, cell: int, side: int) -> list[int]:
    """The combat units of a side in a hex."""
    if not men_at(state, side, cell):
        return []
    return [i for i in at_hex(state, cell, side) if not state.roster.units[i].leader]


def leaders_at(state: JulianState, cell: int, side: int) -> list[int]:
    return [i for i in state.roster.leaders if state.cell[i] == cell and state.side[i] == side]


def on_map(state: JulianState, side: int) -> list[int]:
    """All units of a side on the map, leaders too."""
    return [i for i, cell in enumerate(state.cell) if cell >= 0 and state.side[i] == side]


def printed(state: JulianState, units: tuple[int, ...] | list[int]) -> int:
    """JC.losses: strength points are printed combat factors, never doubled ones."""
    return sum(state.roster.units[i].combat for i in units)


def is_activated(state: JulianState, i: int) -> bool:
    """JH.ops_phase JH.commands: only activated units act; garrisons never do."""
    unit = state.roster.units[i]
    if unit.people >= 0:
        return bool(state.called[unit.people]) and state.ally[unit.people] == state.active
    return unit.command >= 0 and bool(state.acting[unit.command])


def activated(state: JulianState) -> list[int]:
    """JH.ops_phase: the units of the commands and peoples that act, wherever they are."""
    roster = state.roster
    found = [i for c, acts in enumerate(state.acting) if acts for i in roster.of_command[c]]
    called = [p for p, acts in enumerate(state.called) if acts and state.ally[p] == state.active]
    return found + [i for p in called for i in roster.of_people[p]]


def unit_of(state: JulianState, seat: int, name: str) -> int:
    """The number of a unit of a side on the map, or NOBODY if the name is nobody of his."""
    i = state.roster.index.get(name, NOBODY)
    return i if i >= 0 and state.cell[i] >= 0 and state.side[i] == seat else NOBODY


def cell_of(state: JulianState, name: str) -> int:
    """A hex that can be entered, or NOBODY."""
    cell = state.roster.grid.cells.get(name, NOBODY)
    return cell if cell >= 0 and state.roster.ground[cell] != CLOSED else NOBODY


def hex_name(state: JulianState, cell: int) -> str:
    return state.roster.grid.names[cell]


def names(state: JulianState, units: tuple[int, ...] | list[int]) -> tuple[str, ...]:
    return tuple(state.roster.units[i].id for i in units)


def nearest(state: JulianState, start: int, cells: Iterator[int] | list[int]) -> list[int]:
    """Those of some hexes that are nearest to one, as the crow flies."""
    apart = [(state.roster.grid.distance(start, cell), cell) for cell in cells]
    least = min(apart, default=(0, 0))[0]
    return [cell for far, cell in apart if far == least]


# --- cities and seasons --------------------------------------------------------------------------


def holds(state: JulianState, side: int, cell: int) -> bool:
    """Whether a hex is a city under control of a side."""
    city = state.roster.city_at.get(cell, NOBODY)
    return city >= 0 and state.holder[city] == side


def is_winter(state: JulianState) -> bool:
    """JH.scenario: turns of half a year, summers and winters."""
    return state.turn % 2 == 0


def is_frozen(state: JulianState) -> bool:
    """JH.23_0: the Rhine carries whoever crosses it."""
    return state.frozen == state.turn > 0


def counted_plunder(state: JulianState) -> int:
    """JH.victory: more than so much plunder is worth nothing."""
    return min(state.plunder, state.roster.values.most_plunder)


def score(state: JulianState) -> int:
    """JH.victory: Roman cities less those that were barbarian at the start, less what counts of the plunder.

    So a city that changes hands counts once.
    """
    held = zip(state.roster.cities, state.holder, strict=True)
    value = sum(city.value * ((holder == ROMAN) - (city.holder == BARBARIAN)) for city, holder in held)
    return value - counted_plunder(state)
