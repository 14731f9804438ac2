"""How good the places of units are, for the evaluation: ways to the enemy, range, cover, walls.

One is about a hundred points of an army.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from math import hypot
from typing import TypeVar

from ...parts import plane
from ...parts.plane import RIGHT_ANGLE, UNIT, Pose
from .assault import can_climb
from .contact import opponents
from .ladders import footholds
from .ramparts import faced, in_siege_tower, is_gate_down, is_within, manned
from .rams import bears
from .siege import DEFENDER
from .sorts import GATE
from .state import (
    CARD,
    CROSSING,
    FIELD,
    FOREST,
    HILL,
    INSIDE,
    JAVELINS,
    MOUNTED,
    NOBODY,
    PHALANX,
    RESERVE,
    SHIELD_WALL,
    SIEGE,
    SQUARE,
    TOWERS,
    OnusState,
    other,
)
from .table import is_in, position, units_on
from .walls import pieces

APPROACH = 0.06  # a DU nearer to the enemy, to what one climbs, to a way in
ASKEW = 0.5  # DU that a right angle off the way counts for
READY, THROWS = 0.2, 0.05  # a shooter with an enemy in range before it, one with javelins
FORMED = 0.05  # a formation that slows a unit down, with no enemy near
EXTENDED = 0.03  # an extended front that touches nobody, for each end
CARRIED = 0.45  # a ram, as long as there is a gate to break
CROWDED = 0.25  # a shooter with the enemy upon it
COVER = 0.08  # a wood or a hill with the enemy near
FLANKED = 0.12  # an enemy near who looks at a flank or the rear
SLOW = (SHIELD_WALL, PHALANX, SQUARE)
FAR, NEAR, ARC = 20 * UNIT, 4 * UNIT, RIGHT_ANGLE // 2

CLIMBS, LEVELS = 0.15, 0.3  # a climber, and one at the top
AT_WALL, DOCKED = 0.08, 0.25  # a besieger right before a wall, a siege tower at one
BARRED = 0.1  # a friend in the way of a siege tower
BOARDED = 0.3  # a unit in a siege tower, if it is no thrower of javelins
PASSING = 0.2  # a besieger on section markers in a gate or a breach
ENTERED = 0.6  # a besieger inside
MANNED, FACED = 0.1, 0.25  # a defender on a wall that is threatened, and that somebody climbs
HIGH = 0.1  # a shooter in a tower
OUTSIDE = 0.5  # a defender who has left the fortress
BEHIND = 1.5  # DU that the way round a fortress counts for

LADDER, RAM, CREW = "ladder", "ram", "crew"  # with what a besieger comes

T = TypeVar("T")
Gap = tuple[float, int]  # how far it is to a unit


class Outlook:
    """The table as a seat looks at it: what several parts of the evaluation ask, reckoned once.

    ``melee`` has for the own units the enemies with whom they fight.
    """

    def __init__(self, state: OnusState, seat: int) -> None:
        self.state, self.seat = state, seat
        self.own, self.foes = units_on(state, seat), units_on(state, other(seat))
        self._memo = position(state).memo
        self.melee = self.lasting("melee", lambda: {i: opponents(state, i) for i in self.own})
        # asked for by some units only, and then kept (compiled classes know no cached properties)
        self._within: frozenset[int] | None = None
        self._gaps: dict[int, tuple[Gap, ...]] | None = None
        self._near: dict[int, list[int]] | None = None
        self._goals: dict[str, list[Pose]] | None = None
        self._is_open: bool | None = None
        self._danger: dict[int, float] | None = None
        self._worst: tuple[int, float] | None = None

    def lasting(self, name: Hashable, ask: Callable[[], T]) -> T:
        """What depends on the position alone is kept with it: it holds as long as nobody moves."""
        key = ("outlook", self.seat, name)
        if key not in self._memo:
            self._memo[key] = ask()
        found: T = self._memo[key]
        return found

    @property
    def within(self) -> frozenset[int]:
        if self._within is None:
            self._within = self._find_within()
        return self._within

    @property
    def gaps(self) -> dict[int, tuple[Gap, ...]]:
        if self._gaps is None:
            self._gaps = self._find_gaps()
        return self._gaps

    @property
    def near(self) -> dict[int, list[int]]:
        if self._near is None:
            self._near = self._find_near()
        return self._near

    @property
    def goals(self) -> dict[str, list[Pose]]:
        if self._goals is None:
            self._goals = self._find_goals()
        return self._goals

    @property
    def is_open(self) -> bool:
        if self._is_open is None:
            self._is_open = self._find_is_open()
        return self._is_open

    @property
    def danger(self) -> dict[int, float]:
        if self._danger is None:
            self._danger = self._find_danger()
        return self._danger

    @property
    def worst(self) -> tuple[int, float]:
        if self._worst is None:
            self._worst = self._find_worst()
        return self._worst

    def _find_within(self) -> frozenset[int]:
        """Who is inside the fortress."""
        units = (*self.own, *self.foes)
        return self.lasting("within", lambda: frozenset(i for i in units if is_within(self.state, i)))

    def _find_gaps(self) -> dict[int, tuple[Gap, ...]]:
        """How far it is from every own unit to each enemy."""
        pose, foes = self.state.pose, tuple(self.foes)
        spots = tuple([pose[j] for j in foes])
        return self.lasting("gaps", lambda: {i: _gaps(pose[i], foes, spots) for i in self.own})

    def _find_near(self) -> dict[int, list[int]]:
        """For every unit the enemies who are near."""
        found: dict[int, list[int]] = {i: [] for i in (*self.own, *self.foes)}
        for i, gaps in self.gaps.items():
            for far, j in gaps:
                if far < NEAR:
                    found[i].append(j)
                    found[j].append(i)
        return found

    def _find_goals(self) -> dict[str, list[Pose]]:
        """O5.assault.equipment O5.ram.dice O4.siege-tower.melee: where ladders, rams and siege towers go."""
        state = self.state
        kinds = {n: state.roster.structures[n].kind for n in pieces(state)}
        whole = [n for n in kinds if not state.gone[n]]
        gaps = [n for n in kinds if state.gone[n] or is_gate_down(state, n)]
        gates = gaps or [n for n in whole if kinds[n] == GATE] or whole
        walls = [n for n in whole if kinds[n] not in TOWERS] or whole
        goals = {RAM: gates, LADDER: gaps or walls, CREW: walls}
        return {what: [spot for n in found for spot in footholds(state, n)] for what, found in goals.items()}

    def _find_is_open(self) -> bool:
        """O4.wall.breach-move: whether there is a breach, or a gate has fallen: then horse comes in too."""
        state = self.state
        return any(state.gone[n] or is_gate_down(state, n) for n in pieces(state))

    def _find_danger(self) -> dict[int, float]:
        """For each piece how much it is threatened: by who climbs it, by who is near."""
        state = self.state
        able = [j for j in self.foes if not state.fleeing[j]]
        climbed = {state.climbs[j] for j in able}
        spots = tuple([state.roster.structures[n].pose for n in pieces(state)])
        near = _nearest(spots, tuple([state.pose[j] for j in able]))
        return {
            n: FACED * (n in climbed) + MANNED * max(0.0, 1 - far / NEAR)
            for n, far in zip(pieces(state), near, strict=True)
        }

    def _find_worst(self) -> tuple[int, float]:
        """The piece that is threatened most, and how much."""
        return max(self.danger.items(), key=lambda item: item[1], default=(NOBODY, 0.0))


@lru_cache(maxsize=5_000)
def _gaps(pose: Pose, units: tuple[int, ...], spots: tuple[Pose, ...]) -> tuple[Gap, ...]:
    """How far it is from a pose to each of some units."""
    x, y, _ = pose
    return tuple([(min(FAR, hypot(x - a, y - b)), j) for j, (a, b, _) in zip(units, spots, strict=True)])


@lru_cache(maxsize=1_000)
def _nearest(spots: tuple[Pose, ...], poses: tuple[Pose, ...]) -> tuple[float, ...]:
    """How far it is from each of some spots to the nearest of some poses."""
    return tuple([min([hypot(x - a, y - b) for x, y, _ in poses], default=FAR) for a, b, _ in spots])


def places(look: Outlook) -> float:
    """How much better the own units are placed than the enemies."""
    return look.lasting(
        "places",
        lambda: (
            sum([_place(look, i) for i in look.own], 0.0) - sum([_place(look, j) for j in look.foes], 0.0)
        ),
    )


def stands(look: Outlook) -> float:
    """How well the own units stand."""
    key = ("stands", tuple(look.state.formation), tuple(look.state.ram))
    return look.lasting(key, lambda: sum([_stand(look, i) for i in look.own], 0.0))


def _stand(look: Outlook, i: int) -> float:
    """How well a unit of the own side stands to do what it is there for."""
    state = look.state
    if state.where[i] == RESERVE:
        return 0.0
    value = look.lasting((i, bears(state, i)), lambda: _way(look, i) + _range(look, i))
    if state.fleeing[i]:
        return value
    if state.wings[i] and state.climbs[i] == NOBODY and not look.melee[i]:
        value -= EXTENDED * state.wings[i].bit_count()
    if state.formation[i] in SLOW and min(look.gaps[i], default=(FAR, 0))[0] >= NEAR:
        value -= FORMED
    return value


def _way(look: Outlook, i: int) -> float:
    """The way of a unit to what it is after."""
    state = look.state
    if state.roster.keep is not None and look.seat == DEFENDER:
        return _garrison(look, i)
    if not look.foes:
        return 0.0
    return _march(look, i, look.gaps[i]) if state.roster.keep is None else _besieger(look, i)


def _march(look: Outlook, i: int, gaps: Sequence[Gap]) -> float:
    """To the nearest enemy; who shoots from afar stops when he is in range."""
    state = look.state
    kind = state.roster.units[i].kind
    far, nearest = min(gaps)
    way = far / UNIT + ASKEW * abs(off(state, i, state.pose[nearest])) / RIGHT_ANGLE
    if kind.shoots and JAVELINS not in kind.traits:
        return -APPROACH * max(way, kind.long / UNIT)
    return -APPROACH * way


# --- a siege -------------------------------------------------------------------------------------


def _besieger(look: Outlook, i: int) -> float:
    """To what it can climb or break, up, over it, and at the enemy inside."""
    state = look.state
    kind = state.roster.units[i].kind
    if i in look.within:
        inside = [gap for gap in look.gaps[i] if gap[1] in look.within]
        return ENTERED + _march(look, i, inside or look.gaps[i])
    n = state.climbs[i]
    if n != NOBODY:
        return CLIMBS + LEVELS * state.climbed[i] / max(1, state.roster.structures[n].sort.height)
    if SIEGE in kind.traits or (kind.shoots and JAVELINS not in kind.traits):
        return _march(look, i, look.gaps[i])
    ram = bears(state, i)
    found = [_march(look, i, [gap]) for gap in look.gaps[i] if gap[1] not in look.within]
    crew = in_siege_tower(state, i)
    if ram or crew or look.is_open or can_climb(state, i) or state.where[i] == INSIDE:
        goals = look.goals[RAM if ram else CREW if crew else LADDER]
        found += [-APPROACH * _leg(state.pose[i], spot) for spot in goals]
    boarded = state.where[i] == INSIDE and JAVELINS not in kind.traits
    ready = (DOCKED if crew else AT_WALL) * bool(faced(state, i))
    ready = max(ready, PASSING * (state.where[i] == CROSSING))
    barred = BARRED * _in_lane(look, i) if crew and not ready else 0.0
    return max(found, default=0.0) + CARRIED * ram + BOARDED * boarded + ready - barred


def _in_lane(look: Outlook, i: int) -> int:
    """O4.siege-tower.terrain: how many friends bar the way of a siege tower to the nearest wall."""
    state, (x, y, _) = look.state, look.state.pose[i]
    goal = min(look.goals[CREW], key=lambda spot: hypot(x - spot.x, y - spot.y), default=None)
    if goal is None:
        return 0
    way = Pose(x, y, plane.bearing((x, y), (goal.x, goal.y)))
    wide = (state.roster.structures[state.inside[i]].size.front + CARD.front) / 2
    poses = [state.pose[j] for j in look.own if state.where[j] == FIELD]
    seen = [plane.seen(way, (pose.x, pose.y)) for pose in poses]
    return sum(abs(across) < wide and 0 < onward < NEAR for across, onward in seen)


@lru_cache(maxsize=20_000)
def _leg(pose: Pose, spot: Pose) -> float:
    """The way to a place before a wall, in DU; longer for who has to go round the fortress."""
    far = hypot(pose.x - spot.x, pose.y - spot.y) / UNIT
    ahead = plane.seen(spot, (pose.x, pose.y))[1] / UNIT
    detour = BEHIND + ahead if ahead > CARD.depth / UNIT else 0.0
    facing = spot.turn if far < 1 else plane.bearing((pose.x, pose.y), (spot.x, spot.y))
    return far + detour + ASKEW * abs(plane.between(pose.turn, facing)) / RIGHT_ANGLE


def _garrison(look: Outlook, i: int) -> float:
    """Within the walls, on those that are threatened, shooters on walls and in towers."""
    state = look.state
    kind = state.roster.units[i].kind
    if i not in look.within:
        return -OUTSIDE
    mine = manned(state, i)
    high = state.where[i] == INSIDE or bool(mine)
    value = HIGH if kind.shoots and high else 0.0
    if MOUNTED in kind.traits or SIEGE in kind.traits or state.where[i] == INSIDE:
        return value
    intruders = [gap for gap in look.gaps[i] if gap[1] in look.within]
    if intruders:
        return value + _march(look, i, intruders)
    value += MANNED if mine else 0.0
    worst, danger = look.worst
    if danger <= 0:
        return value
    if worst in mine:
        return value + danger
    pose, spot = state.pose[i], state.roster.structures[worst].pose
    here = max([look.danger[n] for n in mine], default=0.0)
    return value + max(here, -APPROACH * hypot(pose.x - spot.x, pose.y - spot.y) / UNIT)


# --- range, cover, flanks ------------------------------------------------------------------------


def _range(look: Outlook, i: int) -> float:
    """Whether a shooter has an enemy before it and in range, and none upon it."""
    state, gaps = look.state, look.gaps[i]
    kind = state.roster.units[i].kind
    if state.fleeing[i] or not kind.shoots or not gaps:
        return 0.0
    near = [j for far, j in gaps if far <= kind.long + CARD.front]
    ready = any(abs(off(state, i, state.pose[j])) <= ARC for j in near)
    if JAVELINS in kind.traits:
        return THROWS * ready
    return READY * ready - CROWDED * (min(gaps)[0] < CARD.depth * 1.2)


def _place(look: Outlook, i: int) -> float:
    """Cover, and whether an enemy looks at its flank."""
    state = look.state
    if state.fleeing[i] or state.where[i] != FIELD or i in look.within:
        return 0.0
    pose = state.pose[i]
    near = look.near[i]
    if not near:
        return 0.0
    value = COVER * (is_in(state, i, FOREST) + is_in(state, i, HILL))
    for j in near:
        if not state.fleeing[j] and abs(off(state, j, pose)) <= ARC:
            side = plane.seen_side(pose, CARD, (state.pose[j].x, state.pose[j].y))
            value -= FLANKED * (side != plane.FRONT)
    return value


def off(state: OnusState, i: int, spot: Pose) -> int:
    """How far a place is from straight ahead, in tenths of a degree."""
    return _off(state.pose[i], spot)


@lru_cache(maxsize=20_000)
def _off(a: Pose, spot: Pose) -> int:
    return plane.between(a.turn, plane.bearing((a.x, a.y), (spot.x, spot.y)))
