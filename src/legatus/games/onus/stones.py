"""5 Assault: what defenders of a fortress do without being activated: shots at the wall's foot, stones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Play, Refusal, Step, Term, Values
from .cards import RANGED
from .combat import Aim, Combat, CombatOver, RandomEvent, event_morale, has, strike, total, wind_terms
from .contact import in_melee, in_tower, level_of, over_climber
from .modifiers import TOWER_DICE, Cover, against, both, defence_of, standing_cover, structure_cover
from .morale import ON_TABLE, MoraleCheck, wound
from .pieces import unit_named
from .ramparts import faced, is_buried, is_within, manned
from .state import ACTIVATED, DOUSED, NOBODY, SHOT, OnusState, other
from .table import units_on

VALUE = 1  # O5.defender.stones: 1(0)
MOST = 4


# --- who may act without activation --------------------------------------------------------------


def defends(state: OnusState, i: int) -> bool:
    """O5.defender.free-attack: it stands on a wall of the fortress or in a tower, of any kind.

    O5.artillery.counter-climbers O5.artillery.self-defence: artillery that is fixed in one, too.
    """
    return in_tower(state, i) or bool(manned(state, i))


def is_at_wall(state: OnusState, i: int, j: int) -> bool:
    """O5.defender.free-attack: enemy ``j`` faces the fortress of ``i``, or climbs the tower of ``i``."""
    if state.where[i] != state.where[j] and state.climbs[j] == state.inside[i] != NOBODY:
        return True
    keep = state.roster.keep
    if keep is None or not is_within(state, i):
        return False
    return state.climbs[j] in keep.pieces or bool(faced(state, j))


# --- stones --------------------------------------------------------------------------------------


def stone_dice(state: OnusState, i: int, j: int) -> int:
    """O5.defender.stones: one for each section over the climber, 4 at most; in a tower 2 for each side."""
    over = over_climber(state, i, j)
    if in_tower(state, i):
        return min(MOST, TOWER_DICE * sum(map(bool, over)))
    return min(MOST, sum(map(len, over)))


def stone_terms(state: OnusState, i: int, j: int) -> list[Term]:
    """O5.defender.height-bonus: +1 from above; OH.broken.1: -1 if broken."""
    found = []
    if level_of(state, i) > level_of(state, j):
        found.append(Term("O5.defender.height-bonus", "term.higher", 1))
    if state.broken[i]:
        found.append(Term("OH.broken.1", "term.broken", -1))
    return found


def stone_cover(state: OnusState, i: int, j: int) -> list[Cover]:
    """OH.melee.4: what is added to the defence of the climber."""
    found = [*standing_cover(state, j), *structure_cover(state, j, i, ranged=True)]
    if has(state, "stand-firm"):
        found.append(both("OH.event.2", "term.stand_firm", has(state, "stand-firm")))
    return found


def stone_bars(state: OnusState, i: int, j: int) -> Iterator[Refusal]:
    """O5.defender.stones O5.defender.free-attack: what keeps a unit from it."""
    units = state.roster.units
    values: Values = {"unit": units[i].id, "target": units[j].id}
    if units[i].kind.shoots:
        yield Refusal("O5.defender.stones", "refusal.has_missiles", values)
    if state.flags[i] & SHOT:
        yield Refusal("OH.turn.3", "refusal.shot_already", values)
    if state.flags[i] & DOUSED:
        yield Refusal("O6.extinguish.nothing-else", "refusal.busy", values)
    if state.fleeing[i]:
        yield Refusal("OH.flight.1", "refusal.fleeing", values)
    if in_melee(state, i):
        yield Refusal("OH.ranged.6", "refusal.in_melee", values)
    if is_buried(state, i):
        yield Refusal("O4.overlap.ranged", "refusal.covered", values)
    if not stone_dice(state, i, j):
        yield Refusal("O5.defender.stones", "refusal.not_beneath", values)


class Stones(Action):
    """O5.defender.stones: a unit without missiles drops stones on the climber beneath, activated or not."""

    weighed = True

    def __init__(self, unit: str, target: str) -> None:
        self.unit: Final = unit
        self.target: Final = target

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        i = unit_named(state, decision.seat, self.unit)
        j = unit_named(state, other(decision.seat), self.target)
        if i < 0:
            yield Refusal("OH.turn.1", "refusal.not_yours", {"unit": self.unit})
        if j < 0:
            yield Refusal("OH.ranged.3", "refusal.no_such_enemy", {"unit": self.target})
        if i >= 0 and j >= 0:
            yield from stone_bars(state, i, j)

    def terms(self, state: OnusState) -> list[Term]:
        i, j = (state.roster.index.get(name, NOBODY) for name in (self.unit, self.target))
        if min(i, j) < 0:
            return []
        return [*stone_terms(state, i, j), *against(stone_cover(state, i, j))]

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i, j = state.roster.index[self.unit], state.roster.index[self.target]
        state.flags[i] |= SHOT
        play.tell("O5.defender.stones", "event.stones", unit=self.unit, target=self.target)
        combat = Combat(RANGED, i, j)
        play.then(RandomEvent(combat), Hail(combat), CombatOver(), play.taken)


class Hail(Step):
    """O5.defender.stones: the dice, hits, damage, and the morale of the climber."""

    def __init__(self, combat: Combat) -> None:
        self.combat: Final = combat

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i, j = self.combat.attacker, self.combat.target
        if state.where[j] not in ON_TABLE:
            return
        terms = [*stone_terms(state, i, j), *wind_terms(state)]
        value = VALUE + total(terms)
        rules = state.roster.rules
        damage = value + has(state, "weak-point") - (VALUE if rules.stones_damage else 0)
        dice = stone_dice(state, i, j) - has(state, "confusion")
        cover = stone_cover(state, i, j)
        aim = Aim(dice, (value, damage), defence_of(state, j, cover), (*terms, *against(cover)))
        wounds = strike(play, i, aim, "O5.defender.stones")
        if wounds:
            wound(play, j, wounds, "O5.defender.stones")
            play.then(MoraleCheck(j, i, 0, total(event_morale(state, self.combat, j))))


def stone_actions(state: OnusState, seat: int) -> Iterator[Action]:
    """What is worth dropping on whom."""
    climbers = [j for j in units_on(state, other(seat)) if state.climbs[j] != NOBODY]
    units = state.roster.units
    for i in units_on(state, seat) if climbers else ():
        for j in climbers:
            if not any(stone_bars(state, i, j)):
                yield Stones(units[i].id, units[j].id)


def free_bars(state: OnusState, i: int, j: int) -> Iterator[Refusal]:
    """O5.defender.free-attack: who is not activated shoots only from the fortress, at who stands at it."""
    idle = not state.flags[i] & ACTIVATED and defends(state, i)
    if idle and not (j != NOBODY and is_at_wall(state, i, j)):
        yield Refusal(
            "O5.defender.free-attack", "refusal.only_at_the_wall", {"unit": state.roster.units[i].id}
        )
