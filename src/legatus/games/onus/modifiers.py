"""13 Melee: dice, modifiers of attack and defence, and attack priority."""

from __future__ import annotations

from collections.abc import Iterable

from ...kernel import Term
from ...parts.plane import REAR
from .combat import has
from .contact import (
    FLANKS,
    angle_of,
    faces,
    from_inside,
    hooked,
    in_tower,
    is_over_wall,
    sections,
    shelter,
    work_between,
    wrapped,
)
from .contact import in_village as in_village
from .motion import in_ford
from .passages import passage_of
from .ramparts import in_siege_tower, is_within, manned
from .state import (
    CHARGED,
    CROSSING,
    FIELD,
    FOREST,
    FOUGHT,
    HILL,
    INSIDE,
    LUNGE,
    NO_FORMATION,
    NOBODY,
    PHALANX,
    SHIELD_WALL,
    SIEGE_TOWER,
    TRENCH,
    WATCHTOWER,
    WEDGE,
    OnusState,
)
from .table import is_in

MOST_DICE, BODY_DICE, TOWER_DICE = 6, 4, 2  # OH.melee.1
TOWER_CLAUSES = {WATCHTOWER: "O4.watchtower.values", SIEGE_TOWER: "O4.siege-tower.values"}

Cover = tuple[Term, int]  # what is added to the defence against hits, and to the armour


def both(clause: str, key: str, value: int) -> Cover:
    return Term(clause, key, value), value


def pair(clause: str, key: str, values: tuple[int, int]) -> Cover:
    """Different values against hits and for the armour."""
    return Term(clause, key, values[0]), values[1]


def against(cover: Iterable[Cover]) -> tuple[Term, ...]:
    """What covers a target, as the attacker's hit die sees it."""
    return tuple(Term(term.clause, term.key, -term.value) for term, _ in cover)


# --- dice ----------------------------------------------------------------------------------------


def dice_of(state: OnusState, i: int, j: int) -> int:
    """OH.melee.1: one for each section in contact; in a tower 2 a side; in a passage what it is wide.

    O4.tower.width O4.watchtower.rules O4.siege-tower.melee: who wraps round a tower attacks more sides.
    """
    mine, theirs = sections(state, i, j), sections(state, j, i)
    if in_tower(state, i):
        return TOWER_DICE * (sum(map(bool, mine)) + len(wrapped(state, j, state.inside[i])))
    count = sum(map(len, mine))
    if in_tower(state, j):
        around = wrapped(state, i, state.inside[j])
        return min(count, TOWER_DICE * sum(map(bool, theirs))) + sum(around)
    if state.where[i] == INSIDE:
        return min(count, BODY_DICE)
    for k in (i, j):
        if state.where[k] == CROSSING:  # O3.bridge.width O3.bridge.markers
            return min(count, passage_of(state, k).sections)
    return min(MOST_DICE, count + hooked(state, i, j) + _struck_sides(state, i, j))


def _struck_sides(state: OnusState, i: int, j: int) -> int:
    """OH.melee.1: the sections of its own flank and rear on which the markers of an enveloping enemy lie."""
    return sum(hooked(state, j, i, side) for side in (*FLANKS, REAR))


# --- what helps the attack -----------------------------------------------------------------------


def formation_of(state: OnusState, i: int) -> int:
    """O3.ford.formations OH.formation.5: its special formation, if it can use it where it is.

    O5.assault.no-formations O5.withdrawal.formations O5.ram.no-ranged: not in a ford, not while
    it climbs, not on a wall and not with a ram.
    """
    if state.formation[i] == NO_FORMATION or state.climbs[i] != NOBODY or state.ram[i]:
        return NO_FORMATION
    barred = state.where[i] == FIELD and (in_ford(state, i) or bool(manned(state, i)))
    return NO_FORMATION if barred else state.formation[i]


def is_above(state: OnusState, i: int, j: int) -> str:
    """O2.height-melee O2.height-melee.where: the clause by which ``i`` stands higher than ``j``, once.

    O3.hill.attack: on top of a hill, the other one not; O3.ford.bank-bonus O3.ford.both-in-ford
    O3.ford.not-facing: on the bank, its front to an enemy in the ford.  O4.wall.defender-bonus: on a wall
    that the other one has climbed; O4.siege-tower.vs-wall: in a siege tower, the other one on a wall.
    O2.height-melee.where: in a tower of any kind that the other one has climbed.
    O4.siege-tower.vs-tower: against who is in a tower, too, nobody is higher.
    """
    if is_over_wall(state, j, i) and not in_siege_tower(state, j):
        return "O4.wall.defender-bonus"
    if is_over_wall(state, i, j) and in_siege_tower(state, i):
        return "O4.siege-tower.vs-wall"
    if _is_climbed(state, i, j):
        return "O2.height-melee.where"
    if is_in(state, i, HILL) and not is_in(state, j, HILL):
        return "O3.hill.attack"
    crosses = state.where[j] == FIELD and in_ford(state, j)
    if crosses and faces(state, i, j) and not in_ford(state, i):
        return "O3.ford.bank-bonus"
    return ""


def _is_climbed(state: OnusState, i: int, j: int) -> bool:
    """True if ``i`` is in a tower that ``j`` has climbed."""
    return in_tower(state, i) and state.climbs[j] == state.inside[i]


def is_first_blow(state: OnusState, i: int) -> bool:
    """The first attack after a charge."""
    return bool(state.flags[i] & CHARGED) and not state.flags[i] & FOUGHT


def lunges(state: OnusState, i: int, j: int) -> bool:
    """OH.trait.7: the first attack after a frontal charge.

    O4.works.no-lunge O3.ford.formations OH.event.11: not across works, not in a ford, not on bad ground.
    """
    able = LUNGE in state.roster.units[i].kind.traits and not has(state, "bad-ground")
    return bool(
        able
        and is_first_blow(state, i)
        and faces(state, i, j)
        and work_between(state, i, j) is None
        and not in_ford(state, i)
    )


def in_phalanx(state: OnusState, i: int, j: int) -> bool:
    """OH.formation.2 OH.event.11: the first attack after frontal contact."""
    return formation_of(state, i) == PHALANX and faces(state, i, j) and not has(state, "bad-ground")


def cancel(state: OnusState, i: int, j: int) -> bool:
    """OH.trait.7: a lunge and a phalanx cancel each other."""
    return (lunges(state, i, j) and in_phalanx(state, j, i)) or (
        lunges(state, j, i) and in_phalanx(state, i, j)
    )


def attack_terms(state: OnusState, i: int, j: int) -> list[Term]:
    """OH.melee.3: what is added to both attack values of ``i`` against ``j``."""
    found = []
    above = is_above(state, i, j)
    if above:
        found.append(Term(above, "term.higher", 1))
    if not cancel(state, i, j):
        if lunges(state, i, j):
            found.append(Term("OH.trait.7", "term.lunge", 1))
        if in_phalanx(state, i, j):
            found.append(Term("OH.formation.2", "term.phalanx", 1))
    wedge = formation_of(state, i) == WEDGE and is_first_blow(state, i)
    if wedge and not has(state, "bad-ground"):
        found.append(Term("OH.formation.4", "term.wedge", 1))
    if formation_of(state, i) == SHIELD_WALL:
        found.append(Term("OH.formation.1", "term.shield_wall", -1))
    if state.broken[i]:
        found.append(Term("OH.broken.1", "term.broken", -1))
    onset = has(state, "fierce-onset")
    if onset and state.roster.units[i].side == state.active:  # the attacking unit, not who strikes back
        found.append(Term("OH.event.3", "term.fierce_onset", onset))
    return found


# --- what helps the defence ----------------------------------------------------------------------


def standing_cover(state: OnusState, j: int) -> list[Cover]:
    """OH.melee.4: what protects a unit in melee and from missiles alike, structures aside."""
    found = []
    if is_in(state, j, FOREST):  # O3.forest.centre
        found.append(both("O3.forest.defence", "term.forest", 1))
    if formation_of(state, j) == SHIELD_WALL:
        found.append(both("OH.formation.1", "term.shield_wall", 1))
    if state.broken[j]:
        found.append(both("OH.broken.1", "term.broken", -1))
    return found


def structure_cover(state: OnusState, j: int, i: int = NOBODY, ranged: bool = False) -> list[Cover]:
    """O4.structures-table: what its wall, tower or village half adds to the defence of ``j`` against ``i``.

    O4.tower.values O5.assault.from-inside: a tower nothing in melee with who is inside the fortress.
    O4.wall.values: a wall nothing against who is inside, nor where it or its gate has fallen.
    """
    if in_tower(state, j):
        if i != NOBODY and not ranged and from_inside(state, i, j):
            return []
        structure = state.roster.structures[state.inside[j]]
        clause = TOWER_CLAUSES.get(structure.kind, "O4.tower.values")
        return [pair(clause, "term.tower", structure.sort.ranged if ranged else structure.sort.melee)]
    if in_village(state, j):
        sort = state.roster.structures[state.inside[j]].sort
        return [pair("O4.village.defence", "term.village", sort.ranged if ranged else sort.melee)]
    return _wall_cover(state, j, i, ranged)


def _wall_cover(state: OnusState, j: int, i: int, ranged: bool) -> list[Cover]:
    walls = manned(state, j)
    covered = i == NOBODY or (not is_within(state, i) if ranged else is_over_wall(state, i, j))
    if not walls or not covered:
        return []
    sorts = [state.roster.structures[n].sort for n in walls]
    best = max(sort.ranged if ranged else sort.melee for sort in sorts)
    return [pair("O4.wall.values", "term.wall", best)]


def defence_terms(state: OnusState, i: int, j: int) -> list[Cover]:
    """OH.melee.4 OH.melee.8: what is added to the defence of ``j`` against ``i``."""
    found = standing_cover(state, j)
    assaults = in_village(state, i) and in_village(state, j) and state.roster.units[j].side == state.active
    if not assaults:  # O4.village.shared-bonus
        found += structure_cover(state, j, i)
    if shelter(state, i, j):
        found.append(both("O4.works.bonus", "term.work", 1))
    flank, rear = angle_of(state, i, j)
    if flank:
        found.append(both("OH.melee.8", "term.flanked", -1))
    if rear or state.fleeing[j]:  # OH.flight.2
        found.append(both("OH.melee.8", "term.rear", -2))
    firm = has(state, "stand-firm")
    if firm and state.roster.units[j].side != state.active:
        found.append(both("OH.event.2", "term.stand_firm", firm))
    return found


def defence_of(state: OnusState, j: int, cover: list[Cover]) -> tuple[int, int]:
    """OH.value.2: defence against hits, and armour, with all that is added."""
    first, armour = state.roster.units[j].kind.defence
    return first + sum(term.value for term, _ in cover), armour + sum(more for _, more in cover)


# --- who strikes first ---------------------------------------------------------------------------


def has_priority(state: OnusState, i: int, j: int) -> bool:
    """OH.melee.5 O3.hill.priority O4.trench.charged OH.event.6: height, phalanx, lunge, trench, ambush.

    O5.assault.melee-at-top O5.assault.from-inside: in a tower that is climbed, or attacked from inside.
    """
    charged_across = bool(state.flags[j] & CHARGED) and shelter(state, j, i) == TRENCH
    return bool(
        is_above(state, i, j)
        or in_phalanx(state, i, j)
        or lunges(state, i, j)
        or charged_across
        or from_inside(state, j, i)
        or has(state, "ambush", state.roster.units[i].side)
    )
