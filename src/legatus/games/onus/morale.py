"""14 Morale and flight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shapely.geometry.base import BaseGeometry

from ...kernel import Play, Step, Term
from ...parts import plane
from ...parts.plane import UNIT, Pose
from .combat import Aim, strike, total
from .contact import angle_of, sections
from .hidden import Spotted, reveal
from .modifiers import against, attack_terms, defence_of, defence_terms
from .motion import farthest, friends_under, has_room, solid, squared
from .ramparts import is_within
from .state import (
    CARD,
    CROSSING,
    DIE,
    FIELD,
    INSIDE,
    LOST,
    NO_FORMATION,
    NOBODY,
    SIEGE,
    SKIRMISHER,
    OnusState,
    other,
)
from .table import shape_of, units_on
from .walls import friends_at, lay

NEAR_GENERAL = 4 * UNIT  # OH.general.2
FARTHER, STEP = 6 * UNIT, 11  # how much farther who flees may run to find room, in steps of so much
ON_TABLE = (FIELD, INSIDE, CROSSING)


# --- the check -----------------------------------------------------------------------------------


def morale_terms(state: OnusState, i: int, angle: int = 0) -> Iterator[Term]:
    """OH.morale.3: what is added to morale; ``angle`` is 1 on the flank and 2 in the rear."""
    if near_general(state, i):
        yield Term("OH.general.2", "term.general", 1)
    if defends_fortress(state, i):
        yield Term("O5.defender.morale", "term.fortress", 1)
    if state.wings[i]:
        yield Term("OH.formation.6", "term.extended", -1)
    if angle:
        yield Term("OH.melee.8", "term.flanked" if angle == 1 else "term.rear", -angle)
    if state.broken[i]:
        yield Term("OH.broken.1", "term.broken", -1)


def defends_fortress(state: OnusState, i: int) -> bool:
    """O5.defender.morale O4.flee.inside: a unit of the owner of the fortress, on it or inside it."""
    keep = state.roster.keep
    if keep is None or not is_within(state, i):
        return False
    return state.roster.structures[keep.pieces[0]].owner == state.roster.units[i].side


def near_general(state: OnusState, i: int) -> bool:
    """OH.general.2: within 4 DU of the general's unit, that unit itself too."""
    units = state.roster.units
    own = [j for j, unit in enumerate(units) if unit.general and unit.side == units[i].side]
    return any(
        state.where[j] in ON_TABLE and plane.reaches(shape_of(state, i), shape_of(state, j), NEAR_GENERAL)
        for j in own
    )


def two_dice(play: Play, limit: int) -> tuple[int, bool]:
    """OH.morale.1: two dice not above a number; 2 always passes and 12 always fails."""
    tops = [_top(first, limit) for first in range(1, DIE + 1)]
    ends = [face for face in range(1, DIE) if tops[face - 1] != tops[face]]
    first = play.roll(DIE, *ends, DIE)
    second = play.roll(DIE, tops[first - 1], DIE)
    return first + second, second <= tops[first - 1]


def _top(first: int, limit: int) -> int:
    """The highest second die with which a first one passes."""
    top = max(0, min(DIE, limit - first))
    if first == 1:
        return max(top, 1)
    return min(top, DIE - 1) if first == DIE else top


class MoraleCheck(Step):
    """OH.morale.1 OH.morale.2: after wounds, and when something has fallen under a unit."""

    def __init__(
        self,
        unit: int,
        foe: int = NOBODY,  # from whom it flees
        angle: int = 0,
        extra: int = 0,  # events
    ) -> None:
        self.unit: Final = unit
        self.foe: Final = foe
        self.angle: Final = angle
        self.extra: Final = extra

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i = self.unit
        if state.where[i] not in ON_TABLE or state.fleeing[i]:
            return
        if not passes(play, i, total(morale_terms(state, i, self.angle)) + self.extra):
            play.then(Flight(i, self.foe))


def passes(play: Play, i: int, added: int) -> bool:
    unit = play.state.roster.units[i]
    thrown, holds = two_dice(play, unit.kind.morale + added)
    key = "event.holds" if holds else "event.breaks"
    values = {"roll": thrown, "morale": unit.kind.morale, "added": f"{added:+}"}
    play.tell("OH.morale.1", key, unit=unit.id, **values)
    return holds


# --- losses --------------------------------------------------------------------------------------


def wound(play: Play, i: int, number: int, clause: str) -> None:
    """OH.value.5: a unit with as many wounds as life is destroyed."""
    state: OnusState = play.state
    if not number or state.where[i] == LOST:
        return
    reveal(play, i, "O4.hidden.reveal")
    state.wounds[i] += number
    unit = state.roster.units[i]
    left = max(0, unit.kind.life - state.wounds[i])
    play.tell(clause, "event.wounds", unit=unit.id, number=number, left=left)
    if state.wounds[i] >= unit.kind.life:
        destroy(play, i, "OH.value.5")


def destroy(play: Play, i: int, clause: str) -> None:
    state: OnusState = play.state
    reveal(play, i, "O4.hidden.reveal")
    let_go(state, i)
    state.where[i], state.inside[i], state.fleeing[i] = LOST, NOBODY, 0
    play.tell(clause, "event.destroyed", unit=state.roster.units[i].id)


def let_go(state: OnusState, i: int) -> None:
    """O5.ram.left-behind: who flees or is lost climbs no more, and leaves his ram where he was."""
    unhook(state, i)
    state.over = [pair for pair in state.over if i not in pair]
    state.climbs[i], state.climbed[i] = NOBODY, 0
    if state.ram[i] and not is_elephants(state, i):
        x, y = plane.at(state.pose[i], 0, CARD.depth / 2)
        state.rams = sorted([*state.rams, (round(x), round(y))])
    state.ram[i] = 0


def unhook(state: OnusState, i: int) -> None:
    """OH.marker.1: the markers of a unit that goes, and those that lie against it, are taken up."""
    if state.hooks:
        state.hooks = [hook for hook in state.hooks if i not in hook[:2]]


def disturb(play: Play, i: int, clause: str) -> None:
    """OH.move.8 OH.flight.1: a friend who is passed through is broken, unless he is a skirmisher."""
    state: OnusState = play.state
    unit = state.roster.units[i]
    if SKIRMISHER in unit.kind.traits or state.broken[i]:
        return
    state.broken[i], state.formation[i] = 1, NO_FORMATION
    play.tell(clause, "event.disturbed", unit=unit.id)


# --- flight --------------------------------------------------------------------------------------


class Flight(Step):
    """OH.morale.4 OH.flight.1: it turns from the enemy and runs.

    O4.flee.artillery O5.artillery.flee: artillery is destroyed.
    """

    def __init__(self, unit: int, foe: int) -> None:
        self.unit: Final = unit
        self.foe: Final = foe

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i = self.unit
        unit = state.roster.units[i]
        if state.where[i] == LOST:
            return
        if SIEGE in unit.kind.traits:  # OH.trait.6
            destroy(play, i, "OH.morale.4")
            return
        state.fleeing[i], state.formation[i], state.wings[i] = 1, NO_FORMATION, 0
        let_go(state, i)
        play.tell("OH.morale.4", "event.flees", unit=unit.id)
        if defends_fortress(state, i):  # OH.flight.3
            flee_inside(play, i)
            return
        before = state.pose[i] if state.where[i] == FIELD else None
        leave_structure(state, i)
        foe = self.foe if self.foe >= 0 and state.where[self.foe] != LOST else nearest_enemy(state, i)
        if foe >= 0:
            away = plane.bearing(_middle(state, foe), _middle(state, i))
            state.pose[i] = Pose(state.pose[i].x, state.pose[i].y, away)
        run_away(play, i, before)


def _middle(state: OnusState, i: int) -> tuple[float, float]:
    return float(state.pose[i].x), float(state.pose[i].y)


def nearest_enemy(state: OnusState, i: int) -> int:
    """The nearest enemy on the table, or -1."""
    foes = units_on(state, other(state.roster.units[i].side))
    shape = shape_of(state, i)
    return min(foes, key=lambda j: (plane.apart(shape, shape_of(state, j)), j), default=NOBODY)


def flee_inside(play: Play, i: int) -> None:
    """O4.flee.inside OH.flight.3: to a wall inside that no enemy touches."""
    from .refuge import flee_inside as flee

    flee(play, i)


def leave_structure(state: OnusState, i: int) -> None:
    """A unit that flees out of a structure stands in its place at first; off a bridge it goes back."""
    from .crossing import to_bank

    if state.where[i] == CROSSING:
        to_bank(state, i)
    elif state.where[i] == INSIDE:
        state.where[i], state.inside[i] = FIELD, NOBODY


def is_elephants(state: OnusState, i: int) -> bool:
    return state.roster.units[i].kind.id == "elephants"


def run_away(play: Play, i: int, before: Pose | None = None) -> None:
    """OH.flight.1 OH.flight.5: a full move straight on; off the field it is lost.

    Where it finds no room it stays as it stood ``before``; who has nowhere to stand is lost, too.
    """
    state: OnusState = play.state
    far = state.roster.units[i].kind.move * UNIT
    if is_elephants(state, i):
        far = (play.roll(DIE) + play.roll(DIE)) * UNIT // 2
        if stampede(play, i, far):
            return
    start = state.pose[i]
    end = _end(state, i, start, far)
    if end is None and _leaves(state, start, far):
        play.tell("OH.flight.1", "event.runs_off", unit=state.roster.units[i].id)
        destroy(play, i, "OH.flight.1")
    elif end is None and before is None:
        destroy(play, i, "OH.flight.1")
    elif end is None:
        assert before is not None
        state.pose[i] = before
        lay(state, i)
    else:
        for j in friends_under(state, i, plane.swept(start, end, CARD)):
            disturb(play, j, "OH.flight.1")
        state.pose[i], state.way[i] = end, 0
        play.then(Spotted())


def _ahead(state: OnusState, i: int, start: Pose) -> list[BaseGeometry]:
    """What bars the way: all that is solid, but for what the card touches behind it and beside it."""
    here = plane.card(start, CARD, plane.TOLERANCE)

    def is_behind(shape: BaseGeometry) -> bool:
        if plane.contains(shape, start):  # the tower out of which it comes
            return True
        middle = shape.centroid
        turn = plane.between(start.turn, plane.bearing((start.x, start.y), (middle.x, middle.y)))
        return abs(turn) >= plane.RIGHT_ANGLE

    return [shape for shape in solid(state, i) if not (here.intersects(shape) and is_behind(shape))]


def _reach(state: OnusState, i: int, start: Pose, far: int) -> int:
    """How far it gets before something solid bars the way; -1 if it cannot even turn there."""
    way = plane.swept(start, plane.moved(start, 0, far), CARD)
    blocks = [shape for shape in _ahead(state, i, start) if way.intersects(shape)]
    if not blocks:
        return far

    def is_free(n: int) -> bool:
        cover = plane.swept(start, plane.moved(start, 0, n), CARD)
        return not any(cover.intersects(shape) for shape in blocks)

    return farthest(far, is_free)


def _stands(state: OnusState, i: int, end: Pose) -> bool:
    return has_room(state, i, end) and not friends_at(state, i, end)


def _leaves(state: OnusState, start: Pose, far: int) -> bool:
    """OH.flight.1: whether a full run leads off the field."""
    return not state.roster.field.covers(plane.card(plane.moved(start, 0, far), CARD, plane.TOLERANCE))


def _end(state: OnusState, i: int, start: Pose, far: int) -> Pose | None:
    """Where a run ends: at its full length, past friends on whom it would stand, or short of them."""
    run = _reach(state, i, start, far)
    if run == far:
        if _leaves(state, start, far):
            return None
        end = plane.moved(start, 0, far)
        if _stands(state, i, end):
            return end
        most = _reach(state, i, start, far + FARTHER)
        places = [*range(far, most + 1, STEP), *range(far, -1, -STEP)]
    else:
        places = [*range(run, -1, -STEP)]
    return next((end for n in places if _stands(state, i, end := plane.moved(start, 0, n))), None)


# --- elephants -----------------------------------------------------------------------------------


def stampede(play: Play, i: int, far: int) -> bool:
    """OH.flight.5: whether elephants that flee meet somebody: then they stop there and attack him."""
    state: OnusState = play.state
    start = state.pose[i]
    here = plane.card(start, CARD, plane.TOLERANCE)
    met: list[tuple[int, int]] = []
    for j in units_on(state):
        shape = shape_of(state, j)
        if j == i or here.intersects(shape) or plane.touches(here, shape):
            continue
        if plane.swept(start, plane.moved(start, 0, far), CARD).intersects(shape):
            met.append((_until(start, far, shape), j))
    distance, j = min(met, default=(far, NOBODY))
    if j == NOBODY or _reach(state, i, start, far) < distance - plane.TOLERANCE:
        return False
    place = plane.moved(start, 0, distance)
    end = squared(state, i, j, place) if state.where[j] == FIELD else place
    if end is None or not _stands(state, i, end):
        end = place
    if not _stands(state, i, end):
        return False
    state.pose[i], state.way[i] = end, 0
    units = state.roster.units
    play.tell("OH.flight.5", "event.stampedes", unit=units[i].id, target=units[j].id)
    play.then(Spotted(), Trample(i, j))
    return True


def _until(start: Pose, far: int, shape: BaseGeometry) -> int:
    """How far a card goes until it touches a shape."""
    return max(
        0,
        farthest(far, lambda n: not plane.swept(start, plane.moved(start, 0, n), CARD, 0).intersects(shape)),
    )


class Trample(Step):
    """OH.flight.5: elephants attack whom they have met, without events; nobody strikes back."""

    def __init__(self, unit: int, victim: int) -> None:
        self.unit: Final = unit
        self.victim: Final = victim

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i, j = self.unit, self.victim
        if LOST in (state.where[i], state.where[j]):
            return
        state.events = []
        terms, cover = attack_terms(state, i, j), defence_terms(state, i, j)
        melee, added = state.roster.units[i].kind.melee, total(terms)
        values, defence = (melee[0] + added, melee[1] + added), defence_of(state, j, cover)
        dice = max(1, sum(map(len, sections(state, i, j))))
        aim = Aim(dice, values, defence, (*terms, *against(cover)))
        wounds = strike(play, i, aim, "OH.flight.5")
        flank, rear = angle_of(state, i, j)
        if wounds:
            wound(play, j, wounds, "OH.flight.5")
            play.then(MoraleCheck(j, i, 2 if rear else int(flank)))
