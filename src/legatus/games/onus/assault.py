"""5 Assault: climbing walls and towers, getting in, and the charge along a wall."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from ...parts import plane
from ...parts.plane import TOLERANCE, Pose
from .contact import opponents
from .crossing import formed_up
from .damage import is_burning
from .hidden import Spotted
from .ladders import best_wrap, free_sections, stance, wrap_room
from .lateral import ChargeAlong, run_along
from .morale import unhook
from .motion import REDUCED, Path, ahead, has_room, meeting
from .orders import Done
from .passages import Edge
from .pieces import OnTheMove, follow, lies_over, touches_enemy
from .ramparts import faces, is_within, strips
from .state import (
    CARD,
    FIELD,
    GAINED,
    INSIDE,
    LEAST,
    MOUNTED,
    MOVED,
    NO_FORMATION,
    NOBODY,
    SECTION,
    SIEGE,
    TOWERS,
    WALLS,
    OnusState,
    other,
)
from .structures import structure_of
from .table import holder, shape_of, standing, structure_body, structure_shape, units_on
from .walls import OUT_OF, lay, near_walls, pieces, stands_along

THICK = SECTION + CARD.depth  # from before a wall to behind it
INTO_WALL = 2 * TOLERANCE  # so far a corner may reach into it: both cards may, and places are rounded


# --- climbing ------------------------------------------------------------------------------------


def can_climb(state: OnusState, i: int) -> bool:
    """O5.assault.equipment O2.cavalry.no-assault O4.mounted.no-defences: foot, and no artillery."""
    traits = state.roster.units[i].kind.traits
    return MOUNTED not in traits and SIEGE not in traits


def is_to_climb(state: OnusState, i: int, n: int) -> bool:
    """O5.assault.equipment O4.siege-tower.attacked: a wall or tower of a fortress, from without.

    Another tower only if an enemy holds it: who may simply go in need not climb.
    """
    kind, held = state.roster.structures[n].kind, holder(state, n)
    enemy = held >= 0 and state.roster.units[held].side != state.roster.units[i].side
    if n in pieces(state):
        return kind in WALLS or (kind in TOWERS and (held < 0 or enemy))
    return kind in TOWERS and enemy


class Climb(Action):
    """O5.assault.marker-red: a unit that touches a wall or tower faces it, section on mark, and climbs.

    O5.assault.envelop-first O5.assault.tower-example: ``left`` and ``right`` of it wrap round a tower.
    """

    def __init__(self, structure: str, left: int = 0, right: int = 0) -> None:
        self.structure: Final = structure
        self.left: Final = left
        self.right: Final = right

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if not isinstance(moving, OnTheMove):
            return
        i, n = moving.unit, structure_of(state, self.structure)
        values: Values = {"unit": state.roster.units[i].id, "structure": self.structure}
        yield from moving.stance_bars(state)
        if not can_climb(state, i):
            yield Refusal("O5.assault.equipment", "refusal.cannot_climb", values)
        if n < 0 or not is_to_climb(state, i, n) or state.where[i] != FIELD or is_within(state, i):
            yield Refusal("O5.assault.equipment", "refusal.nothing_to_climb", values)
            return
        yield from self._unable(state, moving, values, n)
        found = stance(state, i, n)
        if found is None:
            yield Refusal("O5.assault.align-marks", "refusal.cannot_face", values)
            return
        if touches_enemy(state, i, Path((found[0],), 0)):
            yield Refusal("OH.move.9", "refusal.contact_by_charge", values)
        if not self._fits(state, i, n, *found):
            yield Refusal("O5.assault.envelop-first", "refusal.no_wrap", values)

    def _unable(self, state: OnusState, moving: OnTheMove, values: Values, n: int) -> Iterator[Refusal]:
        i = moving.unit
        if moving.mode == REDUCED or moving.on:
            yield Refusal("OH.move.3", "refusal.reduced_no_charge", values)
        if state.broken[i]:
            yield Refusal("OH.broken.1", "refusal.broken_no_charge", values)
        if is_burning(state, n):
            yield Refusal("O6.fire.no-climbing", "refusal.burning", values)
        if state.ram[i]:
            yield Refusal("O5.ram.drop", "refusal.drop_ram_first", values)

    def _fits(self, state: OnusState, i: int, n: int, end: Pose, edge: Edge) -> bool:
        if not self.left and not self.right:
            return True
        left, right = wrap_room(state, i, n, end, edge)
        within = 0 <= self.left <= left and 0 <= self.right <= right
        return within and self.left + self.right <= free_sections(state, i, end, edge)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i, n = play.taken.unit, state.roster.structure_index[self.structure]
        found = stance(state, i, n)
        assert found is not None
        follow(play, i, Path((state.pose[i], found[0]), 0))
        state.climbs[i], state.climbed[i], state.formation[i] = n, 0, NO_FORMATION
        state.flags[i] |= MOVED
        unhook(state, i)
        wraps = [(side, count) for side, count in ((3, self.left), (1, self.right)) if count]
        state.hooks = [*state.hooks, *((i, ~n, side, count) for side, count in wraps)]
        unit = state.roster.units[i].id
        play.tell("O5.assault.marker-red", "event.begins_climb", unit=unit, structure=self.structure)


class Descend(Action):
    """O5.assault.uses-all-movement: an activated climber gives up and is on the ground again."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        moving = state.decision
        if isinstance(moving, OnTheMove) and state.climbs[moving.unit] == NOBODY:
            values: Values = {"unit": state.roster.units[moving.unit].id}
            yield Refusal("O5.assault.uses-all-movement", "refusal.not_climbing", values)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i = play.taken.unit
        get_off(state, i)
        state.flags[i] |= MOVED
        unit = state.roster.units[i].id
        play.tell("O5.assault.uses-all-movement", "event.comes_down", unit=unit)


def get_off(state: OnusState, i: int) -> None:
    """A climb is over, whatever came of it."""
    state.climbs[i], state.climbed[i] = NOBODY, 0
    unhook(state, i)


class Ascent(Step):
    """OH.turn.2 O5.assault.time O5.assault.marker-green O5.assault.no-activation: climbers gain a level.

    Not who is broken or flees, nor where it burns (O6.fire.no-climbing).
    """

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        tops: list[Step] = []
        for i in units_on(state, self.seat):
            n = state.climbs[i]
            if n == NOBODY:
                continue
            if state.gone[n] or state.where[i] != FIELD:
                get_off(state, i)
                continue
            self._climb(play, i, n)
            if state.climbed[i] == state.roster.structures[n].sort.height:
                tops.append(Atop(self.seat, i))
        play.then(*tops)

    def _climb(self, play: Play, i: int, n: int) -> None:
        state: OnusState = play.state
        structure, unit = state.roster.structures[n], state.roster.units[i].id
        if state.climbed[i] >= structure.sort.height:
            return
        if state.broken[i] or state.fleeing[i] or is_burning(state, n):
            play.tell("O5.assault.marker-green", "event.climb_halts", unit=unit)
            return
        state.climbed[i] += 1
        state.flags[i] |= GAINED
        play.tell("O5.assault.marker-green", "event.climbs", unit=unit, level=state.climbed[i])


# --- getting in ----------------------------------------------------------------------------------


Place = tuple[Pose, int]  # where a card comes to lie, and the structure over which it may lie


def way_in(state: OnusState, i: int) -> Place | int | None:
    """O4.tower.enter-outside O5.assault.take-space: the empty tower that it has climbed, or the place behind.

    The place behind a wall is straight ahead, its rear against the inner face, or as far as an enemy lets it
    come (O4.occupy.fight); None while somebody defends the wall.
    """
    n = state.climbs[i]
    if n == NOBODY or state.gone[n] or state.climbed[i] < state.roster.structures[n].sort.height:
        return None
    if state.roster.structures[n].kind in TOWERS:
        return n if holder(state, n) < 0 else None
    return None if opponents(state, i) else over_wall(state, i, state.pose[i])


def over_wall(state: OnusState, i: int, start: Pose) -> Place | None:
    """O4.occupy.enter O4.exit-overlap.when: straight over the wall before which a card lies.

    Behind it if there is room, at most ``LEAST`` aside, since who is grazed by less cannot be fought;
    else up to the enemy who is in the way, over the wall that it leaves.
    """
    tops = near_faces(state, start)
    for aside in (0, -LEAST, LEAST):
        end = plane.moved(start, aside, THICK)
        if has_room(state, i, end):
            return end, tops[0] if tops else NOBODY
    foes = [j for j in units_on(state, other(state.roster.units[i].side)) if state.where[j] == FIELD]
    met = [(meeting(state, i, j, start, THICK), j) for j in foes]
    ways = sorted((far, j) for far, j in met if far >= SECTION - INTO_WALL)
    for far, j in ways if tops else ():
        found = formed_up(state, i, j, ahead(start, 0, far), tops) if far <= ways[0][0] + TOLERANCE else None
        if found is not None:
            return found
    return None


def near_faces(state: OnusState, pose: Pose) -> list[int]:
    """The standing walls against whose outer faces the front of a card lies at a pose, the most first."""
    counts = {
        n: len([one for face in faces(state, n) for one in strips(pose, CARD, 0, face.outer) if not one.side])
        for n in near_walls(state, pose)
    }
    return sorted((n for n, count in counts.items() if count), key=lambda n: (-counts[n], n))


def step_in(play: Play, i: int, place: Place | int, clause: str) -> None:
    """O4.beat-defender.occupy O4.tower.enter-outside: into the fortress, or into a tower."""
    state: OnusState = play.state
    get_off(state, i)
    unit = state.roster.units[i].id
    if not isinstance(place, int):
        state.where[i], state.inside[i], state.pose[i] = FIELD, NOBODY, place[0]
        state.way[i] = OUT_OF + place[1] if place[1] != NOBODY and lies_over(state, i) else 0
        lay(state, i)
        play.tell(clause, "event.steps_in", unit=unit)
        play.then(Spotted())
    else:
        pose = structure_body(state, place)[0]
        state.where[i], state.inside[i] = INSIDE, place
        state.pose[i] = Pose(pose.x, pose.y, state.pose[i].turn)
        state.formation[i], state.wings[i] = NO_FORMATION, 0
        lay(state, i)
        structure = state.roster.structures[place].id
        play.tell(clause, "event.occupies", unit=unit, structure=structure)
    state.flags[i] |= MOVED


class StepIn(Action):
    """O5.assault.take-space O4.tower.enter-outside: over a wall that nobody defends, or into the tower."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        atop = state.decision
        if isinstance(atop, Atop | OnTheMove) and way_in(state, atop.unit) is None:
            yield Refusal("O5.assault.take-space", "refusal.no_way_in")

    def perform(self, play: Play) -> None:
        i = play.taken.unit
        place = way_in(play.state, i)
        assert place is not None
        step_in(
            play, i, place, "O4.tower.enter-outside" if isinstance(place, int) else "O5.assault.take-space"
        )


class Atop(Decision):
    """O5.assault.take-space O4.occupy.enter: who has climbed and whom nobody fights at the top may go in."""

    clause = "O5.assault.take-space"
    accepts = (StepIn, Done)

    def __init__(self, seat: int, unit: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.atop", {"unit": state.roster.units[self.unit].id})

    def is_moot(self, state: OnusState) -> bool:
        return state.where[self.unit] != FIELD or way_in(state, self.unit) is None

    def candidates(self, state: OnusState) -> list[Action]:
        return [StepIn(), Done()]


# --- what is worth a thought ---------------------------------------------------------------------


def assault_moves(state: OnusState, moving: OnTheMove) -> list[Action]:
    """What a unit may think of at a wall: to climb it, to give it up, to charge along it."""
    i = moving.unit
    if state.climbs[i] != NOBODY:
        return [StepIn(), Descend()] if way_in(state, i) is not None else [Descend()]
    if state.where[i] != FIELD or not can_climb(state, i):
        return []
    shape, found = shape_of(state, i), list[Action]()
    if not is_within(state, i):
        for n in standing(state, (*WALLS, *TOWERS)):
            if plane.touches(shape, structure_shape(state, n)) and is_to_climb(state, i, n):
                found.append(Climb(state.roster.structures[n].id, *best_wrap(state, i, n)))
    elif stands_along(state, i):
        foes = [j for j in units_on(state, other(moving.seat)) if run_along(state, i, j) is not None]
        found += [ChargeAlong(state.roster.units[j].id) for j in foes]
    return found
