"""11 Charges, and how an engaged unit withdraws (OH.melee.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Values
from ...parts import plane
from ...parts.plane import TOLERANCE, UNIT, Pose
from .assault import THICK, near_faces, over_wall
from .contact import held_at_wall
from .crossing import come_off, run_off, run_through
from .entering import SHIFTS, exits, is_outer
from .hidden import Spotted, reveal
from .morale import unhook, wound
from .motion import (
    LIMITED,
    REDUCED,
    REGULAR,
    Path,
    allowance,
    has_room,
    in_the_open,
    is_barred,
    leaves_table,
    meeting,
    squared,
    squarings,
    straight,
    swept,
    walls,
)
from .orders import Done
from .pieces import BACK, OnTheMove, follow, lies_over, unit_named
from .ramparts import is_up
from .state import (
    CARD,
    CHARGED,
    CROSSING,
    EMERGED,
    FIELD,
    INSIDE,
    LEAST,
    MOVED,
    NOBODY,
    SECTION,
    SHIELD_WALL,
    OnusState,
    other,
)
from .state import LIMITED as WAS_LIMITED
from .state import REDUCED as WAS_REDUCED
from .structures import Caltropped
from .table import (
    LEFT_WING,
    RIGHT_WING,
    cannot_storm,
    engaged,
    front_row,
    near_shape,
)
from .walls import OUT_OF, closed_pieces, friends_at, in_fortress, is_clear, part, pieces, solid_patches

RUN = 8 * UNIT  # no charge is longer


# --- charging ------------------------------------------------------------------------------------


class Charge(Action):
    """OH.move.9: straight ahead until the front meets an enemy; the card is then squared up for free."""

    def __init__(self, target: str) -> None:
        self.target: Final = target

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        j = unit_named(state, other(moving.seat), self.target)
        if j < 0:
            yield Refusal("OH.move.9", "refusal.no_such_enemy", {"unit": self.target})
            return
        yield from may_charge(state, moving)
        if state.where[j] == INSIDE and cannot_storm(state, i):
            yield Refusal("O2.cavalry.no-assault", "refusal.no_assault", {"unit": self.target})
        path = run_in(state, i, j)
        if path is None:
            yield Refusal("OH.move.9", "refusal.no_way_to", {"unit": self.target})
        else:
            yield from moving.cost_bars(state, path, REGULAR, TOLERANCE)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        moving: OnTheMove = play.taken
        i, j = moving.unit, unit_named(state, other(moving.seat), self.target)
        unhook(state, i)
        path = run_in(state, i, j)
        assert path is not None
        for k in (i, j):
            reveal(play, k, "O4.hidden.reveal")
        arrive(play, i, path)
        state.flags[i] |= MOVED | CHARGED | (WAS_LIMITED if moving.limits(path) else 0)
        units = state.roster.units
        play.tell("OH.move.9", "event.charges", unit=units[i].id, target=units[j].id)
        shed_wings(play, i, j)


def may_charge(state: OnusState, moving: OnTheMove) -> Iterator[Refusal]:
    """OH.move.3 OH.broken.1 OH.formation.1 OH.trait.1: who may not charge.

    O2.difficult.charge O3.forest.charge: what the ground makes dearer it does not forbid.
    """
    i = moving.unit
    name: Values = {"unit": state.roster.units[i].id}
    if moving.mode == REDUCED:
        yield Refusal("OH.move.3", "refusal.reduced_no_charge", name)
    if moving.on:
        yield Refusal("OH.trait.1", "refusal.moves_on_no_charge", name)
    if state.broken[i]:
        yield Refusal("OH.broken.1", "refusal.broken_no_charge", name)
    if state.formation[i] == SHIELD_WALL:
        yield Refusal("OH.formation.1", "refusal.wall_no_charge", name)
    if state.backward:
        yield Refusal("OH.order.8", "refusal.only_back", name)
    if engaged(state, i) or held_at_wall(state, i):
        yield Refusal("OH.move.9", "refusal.engaged", name)
    if state.climbs[i] != NOBODY:
        yield Refusal("O5.assault.uses-all-movement", "refusal.climbing", name)


def run_in(state: OnusState, i: int, j: int) -> Path | None:
    """OH.move.9: the way of a charge, up to the enemy and squared up; None if something else is met first."""
    if state.where[i] == CROSSING:
        return run_off(state, i, j)
    if state.where[i] == INSIDE:
        ways = [_run(state, i, j, start, "O4.village.move-edge") for start in starts(state, i)]
        return min((way for way in ways if way is not None), key=lambda way: way.cost, default=None)
    return _run(state, i, j, state.pose[i], "") or run_through(state, i, j)


def starts(state: OnusState, i: int) -> list[Pose]:
    """O4.village.exit-measure O4.occupy.tower-exit: from where a unit runs out of its structure.

    Out of a tower of a fortress only to the inside, and as far to the left or right as the walls make it.
    """
    found, n = exits(state, i), state.inside[i]
    if not in_fortress(state, n):
        return found
    inner = [pose for side, pose in enumerate(found) if not is_outer(state, n, side)]
    return [plane.moved(pose, shift, 0) for pose in inner for shift in (0, *SHIFTS)]


def _run(state: OnusState, i: int, j: int, start: Pose, limited: str) -> Path | None:
    distance = meeting(state, i, j, start, RUN)
    if distance < 0:
        return None
    path = straight(state, i, 0, distance, start)
    out = _outside(state, i, start)
    if is_barred(out, i, path, j):
        return None
    end = squared(out, i, j, path.end, start)
    if end is not None and is_barred(out, i, Path((path.end, end), 0), j):
        return None
    if end is None and state.where[i] == INSIDE and in_fortress(state, state.inside[i]):
        end = _squeezed(out, i, j, path.end, start)
    if end is None:
        return None
    return Path((*path.stations, end), path.cost, path.ground, limited or path.limited)


def _squeezed(out: OnusState, i: int, j: int, pose: Pose, start: Pose) -> Pose | None:
    """O4.exit-overlap.example: over the walls too, with as many sections as can be clear of them."""
    pieces = [patch for n in closed_pieces(out) for patch in solid_patches(out, n)]
    most, best = 0, None
    for end in squarings(out, i, j, pose, start):
        met = swept(out, i, (end, end), walls(out, i, j))
        if leaves_table(out, i, end) or friends_at(out, i, end) or any(one not in pieces for one in met):
            continue
        touching = plane.against(end, CARD, plane.FRONT, SECTION, LEAST, near_shape(out, j))
        number = sum(is_clear(out, end, plane.FRONT, section) for section in touching)
        if number > most:
            most, best = number, end
    return best


def _outside(state: OnusState, i: int, start: Pose) -> OnusState:
    """O4.exit-overlap.when: who comes out of a structure may lie over it: as if it were not there."""
    if state.where[i] == FIELD:
        return state
    out = state.copy()
    out.where[i], out.inside[i], out.pose[i] = FIELD, NOBODY, start
    out.gone[state.inside[i]] = 1
    return out


def arrive(play: Play, i: int, path: Path) -> None:
    """A unit goes the way of a charge, out of a passage or a structure if it was there or comes through."""
    state: OnusState = play.state
    left = path.passage if path.passage != NOBODY else state.inside[i]
    if path.where == CROSSING:
        follow(play, i, path)
        return
    if state.where[i] == CROSSING:
        come_off(state, i)
    elif state.where[i] == FIELD and path.passage != NOBODY and state.climbs[i] == NOBODY:
        state.wings[i] = 0  # O3.choke.when: it closes up in the passage
    elif state.where[i] == INSIDE:
        state.where[i], state.inside[i] = FIELD, NOBODY
    follow(play, i, path)
    left = left if left in pieces(state) else NOBODY
    state.flags[i] |= EMERGED if path.passage != NOBODY else 0
    state.way[i] = int(lies_over(state, i))
    if state.way[i] and left != NOBODY:
        state.way[i] = OUT_OF + left


def shed_wings(play: Play, i: int, j: int) -> None:
    """OH.formation.6: an added section that is touched on its flank is lost, and this costs a wound."""
    state: OnusState = play.state
    for a, b in ((i, j), (j, i)):
        for wing, side in ((LEFT_WING, plane.LEFT), (RIGHT_WING, plane.RIGHT)):
            if state.where[a] != FIELD or not state.wings[a] & wing:
                continue
            pose, size = front_row(state.wings[a], state.pose[a])
            if plane.against(pose, size, side, SECTION, SECTION // 4, near_shape(state, b)):
                state.wings[a] &= ~wing
                part(state, a)
                play.tell("OH.formation.6", "event.loses_wing", unit=state.roster.units[a].id)
                wound(play, a, 1, "OH.formation.6")


# --- withdrawing ---------------------------------------------------------------------------------


class Withdraw(Action):
    """OH.melee.9: an engaged unit backs off by up to half its movement, still facing the enemy."""

    def __init__(self, distance: int) -> None:
        self.distance: Final = distance

    def path(self, state: OnusState, i: int) -> Path | None:
        return straight(state, i, BACK, self.distance) if 0 < self.distance <= 2000 else None

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i = moving.unit
        name: Values = {"unit": state.roster.units[i].id}
        path = self.path(state, i)
        held = engaged(state, i) or held_at_wall(state, i)  # O5.withdrawal.defender
        if path is None or state.where[i] != FIELD or not held:
            yield Refusal("OH.melee.9", "refusal.not_engaged", name)
            return
        if state.climbs[i] != NOBODY:
            yield Refusal("O5.assault.uses-all-movement", "refusal.climbing", name)
        if moving.spent or moving.mode == REDUCED:
            yield Refusal("OH.melee.9", "refusal.moved", name)
        if path.cost > half(state, i):
            values: Values = name | {"cost": f"{path.cost / UNIT:g}", "left": f"{half(state, i) / UNIT:g}"}
            yield Refusal("OH.melee.9", "refusal.too_far", values)
        if leaves_table(state, i, path.end):
            yield Refusal("OH.field.1", "refusal.off_table", name)
        if is_barred(state, i, path) or not has_room(state, i, path.end):
            yield Refusal("OH.melee.9", "refusal.in_the_way", name)
        elif self._still_held(state, i, path):
            yield Refusal("OH.melee.9", "refusal.still_engaged", name)

    def _still_held(self, state: OnusState, i: int, path: Path) -> bool:
        """It must get clear of all enemies."""
        after = state.copy()
        after.pose[i] = path.end
        return bool(engaged(after, i) or held_at_wall(after, i))

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        moving: OnTheMove = play.taken
        i = moving.unit
        path = self.path(state, i)
        assert path is not None
        foes = [*engaged(state, i), *held_at_wall(state, i)]
        follow(play, i, path)
        state.flags[i] |= MOVED | WAS_REDUCED
        unhook(state, i)
        state.truces = [truce for truce in state.truces if truce[0] == state.turn]
        state.truces += [(state.turn, i, j) for j in foes]
        play.tell("OH.melee.9", "event.withdraws", unit=state.roster.units[i].id)
        play.then(*(Pursuit(other(moving.seat), j, i) for j in foes))


def half(state: OnusState, i: int) -> int:
    """OH.melee.9: half the movement, of skirmishers too."""
    return in_the_open(state, i, REGULAR) // 2


def _tops(state: OnusState, i: int) -> list[Pose]:
    """O5.withdrawal.attacker-follow O4.siege-tower.boarding: from where it goes over a wall.

    From where it has climbed, or from the sides of its siege tower that stand at a wall.
    """
    if state.where[i] == FIELD:
        return [state.pose[i]]
    return [start for start in exits(state, i) if near_faces(state, start)]


class Pursue(Action):
    """OH.melee.9: the enemy of a unit that withdraws follows it at once, up to its full movement."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        pursuit = state.decision
        if isinstance(pursuit, Pursuit) and pursuit.way(state) is None:
            yield Refusal("OH.melee.9", "refusal.cannot_follow")

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        pursuit: Pursuit = play.taken
        path = pursuit.way(state)
        assert path is not None
        state.climbs[pursuit.unit], state.climbed[pursuit.unit] = NOBODY, 0
        arrive(play, pursuit.unit, path)
        state.flags[pursuit.unit] |= MOVED
        units = state.roster.units
        play.tell("OH.melee.9", "event.pursues", unit=units[pursuit.unit].id, target=units[pursuit.prey].id)
        play.then(Spotted(), Caltropped(pursuit.unit))


class Pursuit(Decision):
    """OH.melee.9: whether the enemy follows; they do not fight in this turn in any case."""

    clause = "OH.melee.9"
    accepts = (Pursue, Done)

    def __init__(self, seat: int, unit: int, prey: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit
        self.prey: Final = prey

    def prompt(self, state: OnusState) -> Message:
        units = state.roster.units
        return Message("prompt.pursuit", {"unit": units[self.unit].id, "target": units[self.prey].id})

    def way(self, state: OnusState) -> Path | None:
        """Straight on up to the unit that withdrew."""
        i = self.unit
        if state.where[self.prey] != FIELD or engaged(state, i):
            return None
        if is_up(state, i):
            ways = [self._over(state, i, start) for start in _tops(state, i)]
            return next((way for way in ways if way is not None), None)
        if state.where[i] == INSIDE:
            return None
        path = run_in(state, i, self.prey)
        if path is None:
            return None
        mode = LIMITED if path.limited else REGULAR
        return path if path.cost <= allowance(state, i, mode) + TOLERANCE else None

    def _over(self, state: OnusState, i: int, start: Pose) -> Path | None:
        """O5.withdrawal.attacker-follow: over the wall, up to the unit that withdrew, if there is room."""
        far = meeting(state, i, self.prey, start, RUN)
        place = over_wall(state, i, start) if far >= SECTION else None
        if place is None or far > allowance(state, i, REGULAR) + TOLERANCE:
            return None
        if far < THICK:
            path = Path((start, place[0]), far, passage=place[1])
        else:
            over = state.copy()
            over.where[i], over.inside[i], over.climbs[i], over.pose[i] = FIELD, NOBODY, NOBODY, place[0]
            run = run_in(over, i, self.prey)
            if run is None:
                return None
            path = Path((start, *run.stations), run.cost + THICK)
        return path if path.cost <= allowance(state, i, REGULAR) + TOLERANCE else None

    def is_moot(self, state: OnusState) -> bool:
        return self.way(state) is None

    def candidates(self, state: OnusState) -> list[Action]:
        return [Pursue(), Done()]
