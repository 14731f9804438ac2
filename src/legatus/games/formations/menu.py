"""The menu of a unit: all that it may think of, and one sensible case of every other action of the sheet."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Action
from .activation import options
from .charge import Charge
from .forming import Break, ChangeMode, Constitute, Join, Leave, Merge, modes_of
from .manipulation import Douse, PlantStakes, RemoveStakes, SetFire, Work
from .missiles import Shoot
from .recover import Rally, Reload, Reorganise, Rest
from .state import MODES, SIMPLE, FormationsState, other
from .units import around, cells_of, distance, enemies_at, kind_of, troops


def menu(state: FormationsState, i: int) -> list[Action]:
    """A.def.sheet AH4.activation: allowed or not, so that a player can ask of each why not."""
    if state.cell[i] < 0:
        return []
    thought = list(options(state, i))
    shots = (Shoot(state.ids[i], state.ids[j]) for j in _foes(state, i))
    thought = [next(shots) if isinstance(action, Shoot) else action for action in thought]
    seen = {type(action) for action in thought}
    return [*thought, *(case for case in _cases(state, i) if type(case) not in seen)]


def _cases(state: FormationsState, i: int) -> Iterator[Action]:
    """One of each: with the nearest enemy, the most likely partner, another mode than March."""
    unit, names = state.ids[i], state.roster.grid.names
    foe = next((state.ids[j] for j in _foes(state, i)), "")
    partner = _partner(state, i)
    yield from (Charge(unit, _goal(state, i)), Shoot(unit, foe))
    yield from (Rest(unit), Reorganise(unit), Rally(unit), Reload(unit))
    yield from (Merge(unit, partner), ChangeMode(unit, MODES[modes_of(kind_of(state, i))[1]]), Join(unit))
    yield from (Constitute(unit, partner), Leave(unit, (names[state.cell[i]],)), Break(unit, 2))
    yield from (Work(unit), SetFire(unit), Douse(unit), PlantStakes(unit), RemoveStakes(unit))


def _by_distance(state: FormationsState, i: int, units: list[int]) -> list[int]:
    return sorted(units, key=lambda j: distance(state, i, j))


def _foes(state: FormationsState, i: int) -> list[int]:
    """Enemy troops, the nearest first."""
    return _by_distance(state, i, troops(state, other(state.side[i])))


def _partner(state: FormationsState, i: int) -> str:
    """A.merge.c1 A.constitute.c1: the nearest other simple troop, best of the same type and wing."""
    own = [j for j in troops(state, state.side[i]) if j != i and state.kind[j] == SIMPLE]
    like = [j for j in own if (state.type[j], state.wing[j]) == (state.type[i], state.wing[i])]
    return next((state.ids[j] for j in _by_distance(state, i, like or own)), "")


def _goal(state: FormationsState, i: int) -> str:
    """AH10.charge: a hex next to the nearest enemy, two hexes away if it can be; else one beside the unit."""
    rows, own, side = state.roster.grid.distances, cells_of(state, i), state.side[i]
    foe = next(iter(_foes(state, i)), i)
    ends = [cell for cell in around(state, foe) if not enemies_at(state, side, cell)]
    far = {cell: min(rows[cell][here] for here in own) for cell in ends or around(state, i)}
    return state.roster.grid.names[min(far, key=lambda cell: abs(far[cell] - 2))]
