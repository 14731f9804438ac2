"""11 Movement: the pieces of which a move is made: straight on, sideways, wheeling, turning, forming."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Values
from ...kernel.objects import replace
from ...parts import plane
from ...parts.plane import CORNERS, TOLERANCE, UNIT, Pose
from .choke import enter, entry_bars, friends_met, squeezed
from .contact import held_at_wall
from .hidden import keep_hidden, label, named
from .morale import disturb
from .motion import (
    LIMITED,
    REDUCED,
    REGULAR,
    WIDEST,
    WIDEST_DIFFICULT,
    Path,
    allowance,
    in_ford,
    is_barred,
    leaves_table,
    path_box,
    rest,
    straight,
    turn,
    villages_on,
    wheel,
)
from .ramparts import is_within
from .state import (
    CARD,
    CROSSING,
    FIELD,
    INSIDE,
    MOVED,
    NO_FORMATION,
    NOBODY,
    SIEGE,
    SQUARE,
    TOWERS,
    OnusState,
    other,
)
from .state import LIMITED as WAS_LIMITED
from .state import REDUCED as WAS_REDUCED
from .structures import columns_crossing
from .table import (
    cannot_storm,
    engaged,
    rocks,
    shape_of,
    units_in,
    units_on,
)
from .walls import closed_pieces, faces_wall, lay, overlap_fault, solid_patches, stands_along

CORNER_NAMES = ("front-left", "front-right", "rear-right", "rear-left")
BACK = 1800
OVERLAPS = {
    "OH.move.8": "refusal.on_friend",
    "O4.overlap.align": "refusal.askew_on_friend",
    "O4.overlap.depth": "refusal.too_deep",
    "O4.corner.capacity": "refusal.corner_held",
}
FARTHEST = 2000  # hundredths: no piece of a move is longer


def unit_named(state: OnusState, seat: int, name: str) -> int:
    """A unit of a side on the table by its name, or by that of its card back."""
    i = named(state, name)
    return i if i in units_on(state, seat) else NOBODY


# --- a move in hand ------------------------------------------------------------------------------


class OnTheMove(Decision):
    """OH.move.1: a move, piece by piece.  ``spent`` is what it has cost, ``limited`` why it is limited."""

    clause = "OH.move.1"

    def __init__(
        self,
        seat: int,
        unit: int,
        spent: int,
        mode: str,
        limited: str,
        turned: bool = False,
        aligned: tuple[str, ...] = (),  # O2.facing-free: with what it has aligned
        on: bool = False,  # OH.trait.1: a skirmisher moves on after its shot
        dropped: bool = False,  # O5.ram.drop: it has let go of its ram
    ) -> None:
        super().__init__(seat)
        self.unit: Final = unit
        self.spent: Final = spent
        self.mode: Final = mode
        self.limited: Final = limited
        self.turned: Final = turned
        self.aligned: Final = aligned
        self.on: Final = on
        self.dropped: Final = dropped

    def prompt(self, state: OnusState) -> Message:
        left = max(0, self.left(state))
        values: Values = {"unit": state.roster.units[self.unit].id, "left": f"{left / UNIT:g}"}
        return Message("prompt.moving", values)

    def left(self, state: OnusState, mode: str | None = None) -> int:
        kind = mode or self.mode
        if kind == REGULAR and self.limited:
            kind = LIMITED
        return allowance(state, self.unit, kind) - self.spent

    def limits(self, path: Path) -> str:
        return self.limited or path.limited

    def cost_bars(self, state: OnusState, path: Path, mode: str, slack: int = 0) -> Iterator[Refusal]:
        """OH.move.5 O2.limited.half O2.limited.reduced-prevails: limited or reduced in part, and so whole."""
        reduced = REDUCED in (self.mode, mode)
        kind = REDUCED if reduced else LIMITED if self.limits(path) else REGULAR
        if self.limits(path) and allowance(state, self.unit, LIMITED) < allowance(state, self.unit, kind):
            kind = LIMITED  # O2.limited.versus-reduced: it slows skirmishers too
        most = allowance(state, self.unit, kind)
        if self.spent + path.cost > most + slack:
            clause = {REGULAR: "OH.value.6", REDUCED: "OH.move.3"}.get(kind, "O2.limited.half")
            values: Values = {"unit": state.roster.units[self.unit].id, "cost": f"{path.cost / UNIT:g}"}
            values["left"] = f"{max(0, most - self.spent) / UNIT:g}"
            yield Refusal(clause, "refusal.too_far", values)

    def stance_bars(self, state: OnusState, backwards: bool = False) -> Iterator[Refusal]:
        """OH.melee.9 OH.formation.3 OH.order.8: who may not move as he likes."""
        i = self.unit
        name: Values = {"unit": state.roster.units[i].id}
        if state.where[i] != FIELD:
            yield Refusal("O4.village.exit-measure", "refusal.not_in_the_open", name)
        elif engaged(state, i):
            yield Refusal("OH.melee.9", "refusal.engaged", name)
        if state.climbs[i] != NOBODY:
            yield Refusal("O5.assault.uses-all-movement", "refusal.climbing", name)
        if state.formation[i] == SQUARE:
            yield Refusal("OH.formation.3", "refusal.square_stands", name)
        if state.backward and not backwards:
            yield Refusal("OH.order.8", "refusal.only_back", name)

    def bars(self, state: OnusState, path: Path, mode: str) -> Iterator[Refusal]:
        """What bars a piece of a move: its price, what lies in the way, where it would end."""
        i = self.unit
        name: Values = {"unit": state.roster.units[i].id}
        yield from self.cost_bars(state, path, mode)
        if leaves_table(state, i, path.end):
            yield Refusal("OH.field.1", "refusal.off_table", name)
        if is_barred(state, i, path):
            yield Refusal("O3.impassable", "refusal.in_the_way", name)
        end = rest(state, i, path.end)
        if end is None:
            clause = overlap_fault(state, i, path.end)
            yield Refusal(clause, OVERLAPS[clause], name)
        elif SIEGE in state.roster.units[i].kind.traits and faces_wall(state, i, end):
            yield Refusal("O5.artillery.no-wall-facing", "refusal.faces_no_wall", name)
        if villages_on(state, i, path.end):
            yield Refusal("O4.village.pass-friends", "refusal.over_village", name)
        if state.formation[i] != NO_FORMATION and in_ford(state, i, path.stations):
            yield Refusal("O3.ford.formations", "refusal.no_formation_here", name)
        if touches_enemy(state, i, path if end is None else Path((end,), 0)):
            yield Refusal("OH.move.9", "refusal.contact_by_charge", name)

    def go(self, play: Play, path: Path, mode: str, turned: bool = False) -> None:
        """Carry a piece out and ask for the next."""
        state: OnusState = play.state
        i = self.unit
        follow(play, i, path)
        reduced = REDUCED in (self.mode, mode)
        state.flags[i] |= MOVED | (WAS_REDUCED if reduced else 0)
        state.flags[i] |= WAS_LIMITED if self.limits(path) else 0
        # O2.limited.ranged: only a reduced move keeps a unit from shooting
        clause = "OH.move.3" if reduced else "OH.move.2" if self.limits(path) else "OH.move.1"
        play.tell(clause, "event.moves", unit=label(state, i), cost=f"{path.cost / UNIT:g}")
        self.settle(play, path.end)
        state.spent[i] = self.spent + path.cost
        keep_hidden(play, i, state.spent[i])
        new = replace(self, spent=state.spent[i], limited=self.limits(path), turned=self.turned or turned)
        play.then(replace(new, mode=REDUCED) if reduced else new)

    def settle(self, play: Play, end: Pose) -> None:
        """O4.wall.example-approach: who lies askew over a friend is bound to align with the wall."""
        state: OnusState = play.state
        i = self.unit
        new = rest(state, i, end) if state.where[i] == FIELD else None
        if new is not None and new != end:
            state.pose[i] = new
            lay(state, i)
            play.tell("O4.overlap.align", "event.falls_in", unit=label(state, i))


def follow(play: Play, i: int, path: Path) -> None:
    """OH.move.8 O4.caltrops.roll: a unit goes a way: through friends, over caltrops.

    O2.overlap O4.overlap.pass: inside a fortress nobody is broken by a friend who passes.
    """
    state: OnusState = play.state
    for j in friends_met(state, i, path):
        if not is_within(state, j):
            disturb(play, j, "OH.move.8")
    state.pricked[i] |= columns_crossing(state, i, path.stations)
    state.pose[i] = path.end
    if path.where == CROSSING:
        enter(play, i, path)
    lay(state, i)
    if state.where[i] == FIELD and state.way[i] and not lies_over(state, i):
        state.way[i] = 0


def lies_over(state: OnusState, i: int) -> bool:
    """O3.choke.overlap O4.exit-overlap.when: some of its card lies over what is impassable, or a wall."""
    pieces = [patch for n in closed_pieces(state) for patch in solid_patches(state, n)]
    return any(plane.rests_on(state.pose[i], CARD, rock.points) for rock in (*rocks(state), *pieces))


def touches_enemy(state: OnusState, i: int, path: Path) -> bool:
    """OH.move.9: whether a piece would end against an enemy; up to a tower one may go (O4.mounted.engage).

    O4.trench.choice: who lines a trench does not touch him who stands behind it.
    """
    side = other(state.roster.units[i].side)
    foes = units_in(state, path_box(state, i, [path.end]), TOLERANCE, side)
    foes = [j for j in foes if not _may_approach(state, i, j)]
    if not foes:
        return False
    end = shape_of(state, i, 0, path.end)
    return any(plane.touches(end, shape_of(state, j)) for j in foes)


def _may_approach(state: OnusState, i: int, j: int) -> bool:
    """O4.mounted.engage: who is in a tower is not met by going up to it, nor whom horse cannot storm."""
    if state.where[j] != INSIDE:
        return False
    tower = state.roster.structures[state.inside[j]].kind in TOWERS
    return tower or cannot_storm(state, i)


# --- pieces of a move ----------------------------------------------------------------------------


class Piece(Action):
    """What all pieces of a move have in common: what bars them, and how they are carried out."""

    def path(self, state: OnusState, i: int) -> Path | None:
        """The piece, or None if it makes no sense."""
        raise NotImplementedError

    def mode(self, state: OnusState, i: int) -> str:
        """OH.move.3: whether it makes the whole move a reduced one."""
        return REGULAR

    def is_back(self) -> bool:
        """OH.order.8: whether it leads straight backwards."""
        return False

    def is_along(self, state: OnusState, i: int) -> bool:
        """O4.wall.sidestep: whether it leads sideways along a wall, which climbers cannot prevent."""
        return False

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        stance = list(moving.stance_bars(state, self.is_back()))
        if stance:
            yield from stance
            return
        if held_at_wall(state, moving.unit) and not self.is_along(state, moving.unit):
            yield Refusal("OH.melee.9", "refusal.engaged", {"unit": state.roster.units[moving.unit].id})
            return
        path = self.path(state, moving.unit)
        if path is None:
            yield Refusal("OH.move.1", "refusal.no_such_piece")
            return
        yield from self.bars(state, moving, path)
        if path.where == CROSSING:
            yield from moving.cost_bars(state, path, self.mode(state, moving.unit))
            yield from entry_bars(state, moving.unit, path)
            return
        yield from moving.bars(state, path, self.mode(state, moving.unit))

    def bars(self, state: OnusState, moving: OnTheMove, path: Path) -> Iterator[Refusal]:
        """What this kind of piece asks for besides."""
        yield from ()

    def perform(self, play: Play) -> None:
        moving: OnTheMove = play.taken
        path = self.path(play.state, moving.unit)
        assert path is not None
        moving.go(play, path, self.mode(play.state, moving.unit), isinstance(self, Turn))


class Advance(Piece):
    """OH.move.1: straight ahead, in hundredths of a DU."""

    def __init__(self, distance: int) -> None:
        self.distance: Final = distance

    def path(self, state: OnusState, i: int) -> Path | None:
        if not 0 < self.distance <= FARTHEST:
            return None
        return squeezed(state, i, straight(state, i, 0, self.distance))


def is_lateral(state: OnusState, i: int, angle: int) -> bool:
    """O4.lateral.move O4.wall.sidestep: to the side, of a unit that stands along a wall: a limited move."""
    return angle in (plane.RIGHT_ANGLE, 3 * plane.RIGHT_ANGLE) and stands_along(state, i)


class Slide(Piece):
    """OH.move.3: sideways, diagonally or backwards, a reduced move; the angle is counted from the front."""

    def __init__(self, angle: int, distance: int) -> None:
        self.angle: Final = angle
        self.distance: Final = distance

    def path(self, state: OnusState, i: int) -> Path | None:
        if not (0 < self.distance <= FARTHEST and 0 < self.angle < plane.FULL):
            return None
        path = squeezed(state, i, straight(state, i, self.angle, self.distance))
        limited = "O4.lateral.move" if is_lateral(state, i, self.angle) else path.limited
        return replace(path, limited=limited)

    def mode(self, state: OnusState, i: int) -> str:
        return REGULAR if is_lateral(state, i, self.angle) else REDUCED

    def is_back(self) -> bool:
        return self.angle == BACK

    def is_along(self, state: OnusState, i: int) -> bool:
        return is_lateral(state, i, self.angle)

    def bars(self, state: OnusState, moving: OnTheMove, path: Path) -> Iterator[Refusal]:
        if self.angle != BACK and in_ford(state, moving.unit, path.stations):
            yield Refusal("O3.ford.straight", "refusal.straight_in_ford")


def turn_bars(state: OnusState, i: int, path: Path, angle: int, most: int) -> Iterator[Refusal]:
    """OH.move.1 O2.difficult.rotation OH.move.4 O3.ford.straight: how far, and not in a ford."""
    if abs(angle) > most:
        yield Refusal("OH.move.1", "refusal.too_wide", {"most": most // 10})
    elif path.ground and abs(angle) > WIDEST_DIFFICULT:
        yield Refusal("O2.difficult.rotation", "refusal.too_wide", {"most": WIDEST_DIFFICULT // 10})
    if in_ford(state, i, path.stations):
        yield Refusal("O3.ford.straight", "refusal.no_turn_in_ford")


class Wheel(Piece):
    """OH.move.1: about a corner of the card, up to 90 degrees, clockwise if positive, at 1 DU."""

    def __init__(self, corner: str, angle: int) -> None:
        self.corner: Final = corner
        self.angle: Final = angle

    def path(self, state: OnusState, i: int) -> Path | None:
        if self.corner not in CORNER_NAMES or not 0 < abs(self.angle) <= plane.FULL:
            return None
        return wheel(state, i, CORNERS[CORNER_NAMES.index(self.corner)], self.angle)

    def bars(self, state: OnusState, moving: OnTheMove, path: Path) -> Iterator[Refusal]:
        yield from turn_bars(state, moving.unit, path, self.angle, WIDEST)


class Turn(Piece):
    """OH.move.3: one turn about its middle to any angle, a reduced move."""

    def __init__(self, angle: int) -> None:
        self.angle: Final = angle

    def path(self, state: OnusState, i: int) -> Path | None:
        return turn(state, i, self.angle) if 0 < abs(self.angle) <= BACK else None

    def mode(self, state: OnusState, i: int) -> str:
        return REDUCED

    def bars(self, state: OnusState, moving: OnTheMove, path: Path) -> Iterator[Refusal]:
        if moving.turned:
            yield Refusal("OH.move.3", "refusal.turned_already")
        yield from turn_bars(state, moving.unit, path, self.angle, BACK)
