"""5 Assault: artillery against structures, what collapses, and who suffers with it."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from ...parts import plane
from ...parts.plane import UNIT
from .combat import bands, has, is_professional, needed, succeed
from .crossing import bridge_falls
from .modifiers import defence_of, in_village, standing_cover
from .morale import MoraleCheck, destroy, wound
from .state import DIE, NOBODY, SEATS, OnusState, other
from .strength import STRENGTH
from .table import holder, shape_of, units_on

NEAR_CREW = 2 * UNIT  # O5.artillery.fumble


class Bombardment(Step, frozen=True):
    """OH.dice.3 O5.artillery.scope O5.artillery.hit O5.artillery.damage: a ranged attack on a structure.

    O5.artillery.critical: each 6 counts double, on the hit roll and on the damage roll.
    """

    unit: int
    structure: int
    dice: int
    value: int  # with all that is added but for events

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i, n = self.unit, self.structure
        structure = state.roster.structures[n]
        resistance = STRENGTH[structure.kind].resistance
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
        if damage:
            play.then(Collateral(n, damage, self.value, i), Razed(n))
            state.damage[n] += damage

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


# --- collateral damage ---------------------------------------------------------------------------


class Collateral(Step, frozen=True):
    """O5.collateral.roll O3.bridge.collateral: a die for each point of damage against who is in it.

    O5.collateral.no-events O5.collateral.no-critical: without events, and a 6 counts once.
    """

    structure: int
    damage: int
    value: int
    shooter: int

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i = holder(state, self.structure)
        if i < 0:
            return
        wounds = succeed(play, self.damage, self.value, _armour(state, i))
        unit = state.roster.units[i].id
        play.tell("O5.collateral.roll", "event.collateral", unit=unit, dice=self.damage, wounds=wounds)
        if wounds:
            wound(play, i, wounds, "O5.collateral.roll")
            play.then(MoraleCheck(i, self.shooter))


def _armour(state: OnusState, i: int) -> int:
    """The second defence value against missiles, events aside."""
    return defence_of(state, i, standing_cover(state, i))[1] + (2 if in_village(state, i) else 0)


# --- collapse ------------------------------------------------------------------------------------


class Razed(Step, frozen=True):
    """O6.razed.threshold O3.bridge.destroyed: a structure with as much damage as durability is removed."""

    structure: int

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        n = self.structure
        structure = state.roster.structures[n]
        strength = STRENGTH[structure.kind]
        if state.gone[n] or state.damage[n] < strength.durability:
            return
        i = holder(state, n)
        state.gone[n] = 1
        play.tell("O6.razed.threshold", "event.razed", structure=structure.id)
        if i >= 0 and strength.closed:
            destroy(play, i, "O6.razed.closed")
        elif i >= 0:
            bridge_falls(play, n)


# --- fumbles -------------------------------------------------------------------------------------


def friends_near(state: OnusState, i: int) -> list[int]:
    """O5.artillery.fumble: the other units of its side within 2 DU."""
    shape = shape_of(state, i)
    own = units_on(state, state.roster.units[i].side)
    return [j for j in own if j != i and plane.reaches(shape, shape_of(state, j), NEAR_CREW)]


class Fumble(Step, frozen=True):
    """O5.artillery.fumble: a friend may be hit; of several the opponent names one."""

    unit: int
    value: int

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        near = friends_near(state, self.unit)
        name = state.roster.units[self.unit].id
        play.tell("O5.artillery.fumble", "event.fumbles", unit=name)
        if len(near) == 1:
            play.then(Misfire(near[0], self.value))
        elif near:
            play.then(Victims(other(state.roster.units[self.unit].side), self.unit, self.value))


class NameVictim(Action, frozen=True):
    """O5.artillery.fumble: whom the shot hits."""

    unit: str

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        victims = state.decision
        i = state.roster.index.get(self.unit, NOBODY)
        if isinstance(victims, Victims) and i not in friends_near(state, victims.unit):
            yield Refusal("O5.artillery.fumble", "refusal.no_victim", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        play.then(Misfire(play.state.roster.index[self.unit], play.taken.value))


class Victims(Decision, frozen=True):
    """O5.artillery.fumble: the opponent picks one of several."""

    unit: int
    value: int
    clause = "O5.artillery.fumble"
    accepts = (NameVictim,)

    def prompt(self, state: OnusState) -> Message:
        values: Values = {"side": SEATS[self.seat], "unit": state.roster.units[self.unit].id}
        return Message("prompt.victim", values)

    def is_moot(self, state: OnusState) -> bool:
        return not friends_near(state, self.unit)

    def candidates(self, state: OnusState) -> list[Action]:
        return [NameVictim(state.roster.units[i].id) for i in friends_near(state, self.unit)]


class Misfire(Step, frozen=True):
    """O5.artillery.fumble: one damage die against the friend's armour, no critical."""

    victim: int
    value: int

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        i = self.victim
        wounds = succeed(play, 1, self.value, _armour(state, i))
        play.tell("O5.artillery.fumble", "event.misfire", unit=state.roster.units[i].id, wounds=wounds)
        if wounds:
            wound(play, i, wounds, "O5.artillery.fumble")
            play.then(MoraleCheck(i))
