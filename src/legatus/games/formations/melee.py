"""House rules: melee."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Term
from ...parts.hexes import FLANK, FRONT, REAR
from .cohesion import DOUBLE_ONE, DOUBLE_SIX, CohesionTest, lose_steps, on_fire, two_dice
from .reach import is_fenced
from .state import (
    CHARACTER,
    CHARGED,
    DIFFICULT,
    EXHAUSTED,
    FORMATION,
    FOUGHT,
    HEDGEHOG,
    MARCH,
    ROTATION,
    ROUGH,
    ROUT,
    SHAKEN,
    TORTOISE,
    WALL,
    WINDED,
    FormationsState,
    other,
)
from .units import (
    angle_from,
    around,
    cells_of,
    figures,
    front,
    kind_of,
    stack,
    strikable_at,
    strikes,
    troops,
)

OWN = {MARCH: 2, TORTOISE: 2, HEDGEHOG: 2}  # AH21.modes: to its own attacks
BIG = 4  # AH11.melee: figures
GRAZE, HIT = 2, 5  # AH11.melee: so many below the number is a test only, a step and a test; more is two


def targets(state: FormationsState, i: int) -> list[int]:
    """AH11.melee AH29.stack_order: the foremost enemy of each hex in front; a hedgehog's are all around.

    None for who does not attack.
    """
    if not strikes(state, i):
        return []
    spiked = state.kind[i] == FORMATION and state.mode[i] == HEDGEHOG
    ahead = around(state, i) if spiked else front(state, i)
    foes = [strikable_at(state, state.side[i], cell)[:1] for cell in ahead]
    return list(dict.fromkeys(j for foe in foes for j in foe))


class MeleePhase(Step):
    """AH3.turn AH11.melee: targets are chosen, all attacks are rolled, then all take effect."""

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        state.blows = []
        sides = (state.first, other(state.first))
        fighters = [(side, i) for side in sides for i in troops(state, side) if targets(state, i)]
        if fighters:
            play.tell("AH11.melee", "event.melee")
        play.then(*(TargetChoice(side, i) for side, i in fighters), Blows())


class Strike(Action):
    """AH11.melee: which of the enemies before it a troop attacks."""

    def __init__(self, target: str) -> None:
        self.target: Final = target

    def refuse(self, state: FormationsState) -> Iterator[Refusal]:
        decision = state.decision
        foes = targets(state, decision.unit) if isinstance(decision, TargetChoice) else []
        if self.target not in [state.ids[j] for j in foes]:
            yield Refusal("AH11.melee", "refusal.not_before", {"target": self.target})

    def perform(self, play: Play) -> None:
        state: FormationsState = play.state
        state.blows.append((play.taken.unit, state.ids.index(self.target)))


class TargetChoice(Decision):
    """AH11.melee: the owner's choice, if there is more than one."""

    clause = "AH11.melee"
    accepts = (Strike,)

    def __init__(self, seat: int, unit: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit

    def prompt(self, state: FormationsState) -> Message:
        return Message("prompt.strike", {"unit": state.ids[self.unit]})

    def is_moot(self, state: FormationsState) -> bool:
        return len(targets(state, self.unit)) < 2

    def candidates(self, state: FormationsState) -> list[Action]:
        return [Strike(state.ids[j]) for j in targets(state, self.unit)]


class Blows(Step):
    """AH11.melee: all attacks are rolled first, then applied; AH3.turn: the side that activates first before
    the other; AH12.cohesion: one test for all hits."""

    def run(self, play: Play) -> None:
        state: FormationsState = play.state
        chosen = dict(state.blows)
        hits: dict[int, list[tuple[int, int, bool]]] = {}
        for side in (state.first, other(state.first)):
            for i in troops(state, side):
                foes = targets(state, i)
                for _ in range(strikes(state, i) if foes else 0):
                    self._strike(play, i, chosen.get(i, foes[0]), hits)
        tests = []
        for j in sorted(hits, key=lambda j: (state.side[j] != state.first, j)):
            lost = sum(steps for steps, _, _ in hits[j])
            extra = max(extra for _, extra, _ in hits[j])
            outflanked = any(side for _, _, side in hits[j])
            tests.append(CohesionTest(j, min(lost, state.steps[j]), outflanked, extra))
        play.then(*(Losses(test.unit, test.lost) for test in tests if test.lost), *tests)

    @staticmethod
    def _strike(play: Play, i: int, j: int, hits: dict[int, list[tuple[int, int, bool]]]) -> None:
        state: FormationsState = play.state
        state.flags[i] |= FOUGHT
        state.flags[j] |= FOUGHT
        number = kind_of(state, i).number
        one, two = two_dice(play)
        natural, added = one + two, sum(term.value for term in blow_terms(state, i, j))
        told: dict[str, Any] = {
            "unit": state.ids[i],
            "target": state.ids[j],
            "roll": natural,
            "added": f"{added:+}",
        }
        play.tell("AH11.melee", "event.strikes", **told, number=number)
        below = number - natural - added
        steps, extra = result(below)
        if natural == DOUBLE_ONE:
            steps = max(steps, 1)
        elif natural == DOUBLE_SIX or below < 0:
            return
        outflanked = side_of(state, i, j) != FRONT
        hits.setdefault(j, []).append((steps, extra, outflanked))


def result(below: int) -> tuple[int, int]:
    """AH11.melee: steps lost, and what the cohesion test adds."""
    if below <= GRAZE:
        return 0, 0
    return (1, 0) if below <= HIT else (2, 1)


class Losses(Step):
    """AH17.losses: the steps of one unit."""

    def __init__(self, unit: int, steps: int) -> None:
        self.unit: Final = unit
        self.steps: Final = steps

    def run(self, play: Play) -> None:
        lose_steps(play, self.unit, self.steps)


def side_of(state: FormationsState, i: int, j: int) -> int:
    """From where ``i`` strikes ``j``: the best of its hexes."""
    seen = [angle_from(state, j, cell) for cell in cells_of(state, i)]
    touching = [angle for angle in seen if angle >= 0]
    return FRONT if FRONT in touching else FLANK if FLANK in touching else REAR


def blow_terms(state: FormationsState, i: int, j: int) -> Iterator[Term]:
    """AH11.melee AH21.modes AH22.fire AH23.stakes: what is added to the roll of an attack."""
    kind, target = kind_of(state, i), kind_of(state, j)
    fenced = is_staked(state, i, j)
    if state.fatigue[i] == WINDED:
        yield Term("AH11.melee", "term.winded", 1)
    if state.fatigue[i] == EXHAUSTED:
        yield Term("AH11.melee", "term.exhausted", 2)
    if state.cohesion[i] == SHAKEN:
        yield Term("AH11.melee", "term.shaken", 2)
    if state.flags[i] & CHARGED and not fenced:
        yield Term("AH11.melee", "term.charge", -2 if kind.heavy else -1)
    side = side_of(state, i, j)
    if side == FLANK:
        yield Term("AH11.melee", "term.flank", -2)
    if side == REAR:
        yield Term("AH11.melee", "term.rear", -3)
    if state.cohesion[j] == ROUT:
        yield Term("AH11.melee", "term.target_routs", -3)
    if state.kind[i] == FORMATION and figures(state.steps[i]) >= BIG:
        yield Term("AH11.melee", "term.big_formation", -1)
    if kind.weapon == "monstrous":
        yield Term("AH11.melee", "term.monstrous", -1)
    if kind.weapon == "dragon":
        yield Term("AH11.melee", "term.dragon", -2)
    if has_character(state, i):
        yield Term("AH11.melee", "term.led", -1)
    ground = max(state.roster.terrain[cell] for cell in cells_of(state, j))
    if ground == ROUGH:
        yield Term("AH11.melee", "term.rough", 1)
    if ground == DIFFICULT:
        yield Term("AH11.melee", "term.difficult", 2)
    if fenced:
        yield Term("AH23.stakes", "term.stakes", 4 if kind.mounted else 2)
    if kind.small and not target.small:
        yield Term("AH11.melee", "term.small_against_large", 1)
    if on_fire(state, i):
        yield Term("AH22.fire", "term.fire", 1)
    yield from _mode_terms(state, i, j, side)


def _mode_terms(state: FormationsState, i: int, j: int, side: int) -> Iterator[Term]:
    """AH21.modes: its own mode, and of what the enemy's has against it the highest."""
    if state.kind[i] == FORMATION and state.mode[i] in OWN:
        yield Term("AH21.modes", "term.own_mode", OWN[state.mode[i]])
    if state.kind[j] != FORMATION:
        return
    kind = kind_of(state, i)
    if state.mode[j] == HEDGEHOG:
        yield Term("AH21.modes", "term.hedgehog", 3 if kind.mounted or kind.weapon == "bestial" else 1)
    elif side == FRONT and state.mode[j] == WALL:
        yield Term("AH21.modes", "term.wall", 2)
    elif side == FRONT and state.mode[j] == ROTATION and not kind.heavy:
        yield Term("AH21.modes", "term.rotation", 1)


def has_character(state: FormationsState, i: int) -> bool:
    """AH11.melee: a leader stacked with the attacker."""
    here = {c for cell in cells_of(state, i) for c in stack(state, cell)}
    return any(state.kind[c] == CHARACTER and state.side[c] == state.side[i] for c in here)


def is_staked(state: FormationsState, i: int, j: int) -> bool:
    """AH23.stakes: whether all hexes of the target that the attacker has before it are protected."""
    spiked = state.kind[i] == FORMATION and state.mode[i] == HEDGEHOG
    ahead = around(state, i) if spiked else front(state, i)
    struck = [cell for cell in cells_of(state, j) if cell in ahead]
    own = cells_of(state, i)
    grid = state.roster.grid
    return bool(struck) and all(
        is_behind_stakes(state, j, cell)
        and all(is_fenced(state, cell, mine) for mine in own if grid.distance(cell, mine) == 1)
        for cell in struck
    )


def is_behind_stakes(state: FormationsState, j: int, cell: int) -> bool:
    """AH23.stakes: stakes serve a unit that faces at most one corner off them."""
    if state.stakes[cell] < 0:
        return False
    off = (state.facing[j] - state.stakes[cell]) % 6
    return min(off, 6 - off) <= 1
