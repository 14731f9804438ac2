"""5 Assault: artillery and incendiary missiles against structures, and fumbles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from ...parts import plane
from ...parts.plane import UNIT
from .combat import bands, has, is_professional, needed, succeed
from .morale import MoraleCheck, wound
from .razing import Collateral, armour, harm, light
from .state import DIE, NOBODY, SEATS, OnusState, other
from .table import shape_of, units_on

NEAR_CREW = 2 * UNIT  # O5.artillery.fumble


class Bombardment(Step):
    """OH.dice.3 O5.artillery.scope O5.artillery.hit O5.artillery.damage: a ranged attack on a structure.

    O5.artillery.critical O5.artillery.example: each 6 counts double, on the hit roll and on the damage roll.
    O4.gate.ranged: a wall with a gate has the resistance of the wall.
    O6.incendiary.marker: what incendiary missiles do are fire markers, and not damage.
    """

    def __init__(
        self,
        unit: int,
        structure: int,
        dice: int,
        value: int,  # with all that is added but for events
        incendiary: bool = False,
    ) -> None:
        self.unit: Final = unit
        self.structure: Final = structure
        self.dice: Final = dice
        self.value: Final = value
        self.incendiary: Final = incendiary

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i, n = self.unit, self.structure
        structure = state.roster.structures[n]
        resistance = structure.sort.resistance
        value = self.value - has(state, "wind")
        hits, fumbles = self._hits(play, value, resistance)
        need = needed(value + has(state, "weak-point"), resistance)
        faces = play.roll_pool(hits, DIE, (need - 1, DIE - 1, DIE))
        damage = sum(1 + (face == DIE) for face in faces if face >= need)
        play.tell(
            "O5.artillery.damage",
            "event.bombards",
            unit=state.roster.units[i].id,
            structure=structure.id,
            hits=hits,
            damage=damage,
        )
        play.then(*(Fumble(i, self.value) for _ in range(fumbles)))
        if damage and self.incendiary:
            light(play, n, damage, "O6.incendiary.marker")
        elif damage:
            harm(play, n, damage)
        if damage:  # O5.collateral.example-1: after an incendiary shot at once, too
            play.then(Collateral(n, damage, self.value, i))

    def _hits(self, play: Play, value: int, resistance: int) -> tuple[int, int]:
        """O5.artillery.hit O5.artillery.fumble: hits, and dice that were 1 twice."""
        low, ones = needed(value, resistance), is_professional(play.state, self.unit)
        faces = play.roll_pool(self.dice, DIE, bands(low, ones))
        fumbles = 0
        if ones:
            again = play.roll_pool(faces.count(1), DIE, bands(low, True))
            fumbles = again.count(1)
            faces = [face for face in faces if face != 1] + again
        return sum(1 + (face == DIE) for face in faces if face >= low), fumbles


# --- fumbles -------------------------------------------------------------------------------------


def friends_near(state: OnusState, i: int) -> list[int]:
    """O5.artillery.fumble: the other units of its side within 2 DU."""
    shape = shape_of(state, i)
    own = units_on(state, state.roster.units[i].side)
    return [j for j in own if j != i and plane.reaches(shape, shape_of(state, j), NEAR_CREW)]


class Fumble(Step):
    """O5.artillery.fumble: a friend may be hit; of several the opponent names one."""

    def __init__(self, unit: int, value: int) -> None:
        self.unit: Final = unit
        self.value: Final = value

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        near = friends_near(state, self.unit)
        name = state.roster.units[self.unit].id
        play.tell("O5.artillery.fumble", "event.fumbles", unit=name)
        if len(near) == 1:
            play.then(Misfire(near[0], self.value, self.unit))
        elif near:
            play.then(Victims(other(state.roster.units[self.unit].side), self.unit, self.value))


class NameVictim(Action):
    """O5.artillery.fumble: whom the shot hits."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        victims = state.decision
        i = state.roster.index.get(self.unit, NOBODY)
        if isinstance(victims, Victims) and i not in friends_near(state, victims.unit):
            yield Refusal("O5.artillery.fumble", "refusal.no_victim", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        victims: Victims = play.taken
        play.then(Misfire(play.state.roster.index[self.unit], victims.value, victims.unit))


class Victims(Decision):
    """O5.artillery.fumble: the opponent picks one of several."""

    clause = "O5.artillery.fumble"
    accepts = (NameVictim,)

    def __init__(self, seat: int, unit: int, value: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit
        self.value: Final = value

    def prompt(self, state: OnusState) -> Message:
        values: Values = {"side": SEATS[self.seat], "unit": state.roster.units[self.unit].id}
        return Message("prompt.victim", values)

    def is_moot(self, state: OnusState) -> bool:
        return not friends_near(state, self.unit)

    def candidates(self, state: OnusState) -> list[Action]:
        return [NameVictim(state.roster.units[i].id) for i in friends_near(state, self.unit)]


class Misfire(Step):
    """O5.artillery.fumble: one damage die against the friend's armour, no critical."""

    def __init__(self, victim: int, value: int, crew: int) -> None:
        self.victim: Final = victim
        self.value: Final = value
        self.crew: Final = crew

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i = self.victim
        wounds = succeed(play, 1, self.value, armour(state, i, self.crew))
        play.tell("O5.artillery.fumble", "event.misfire", unit=state.roster.units[i].id, wounds=wounds)
        if wounds:
            wound(play, i, wounds, "O5.artillery.fumble")
            play.then(MoraleCheck(i))
