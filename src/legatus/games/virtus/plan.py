"""1 Set-up: a standard plan of deployment, for ``deploy-rest``: a sensible line, not the best one."""

from __future__ import annotations

from .state import WAITING, Unit, VirtusState, column, has_units, reserve, sectors
from .terrain import GROUND


def standard_places(state: VirtusState, seat: int) -> dict[str, int]:
    """V1.7b: where each piece that still waits goes: foot in the middle, horse on the wings, one behind."""
    roster = state.roster
    line = list(sectors(state, seat))
    load = {place: state.count[seat * 10 + place] for place in (reserve(seat), *line)}
    plan: dict[str, int] = {}
    waiting = [roster.units[i] for i in roster.of[seat] if state.place[i] == WAITING]
    heavy_foot = [u for u in waiting if u.infantry and not u.dispersed]
    spare = heavy_foot[-1].id if len(heavy_foot) > len(line) + 1 else ""
    for unit in sorted(waiting, key=lambda u: (u.mounted, -u.vd, u.id)):
        if unit.id == spare:
            plan[unit.id] = reserve(seat)
            continue
        place = min(
            _open_to(state, line, unit), key=lambda p: (load[p] * 2 + _misfit(state, unit, p, line), p)
        )
        plan[unit.id] = place
        load[place] += 1
    _place_generals(state, seat, plan, line)
    return plan


def _open_to(state: VirtusState, line: list[int], unit: Unit) -> list[int]:
    """V7f: artillery keeps out of marsh and rocks."""
    fit = [p for p in line if not (unit.artillery and GROUND[state.terrain[p]].no_artillery)]
    return fit or [reserve(unit.side)]


def _misfit(state: VirtusState, unit: Unit, place: int, line: list[int]) -> int:
    ground = GROUND[state.terrain[place]]
    wing = place in (line[0], line[-1])
    light_foot = unit.infantry and unit.dispersed
    bad = int(unit.mounted != wing)
    if not light_foot and (ground.marsh or ground.rocks):
        bad += 4
    if ground.woods and not light_foot:
        bad += 6 if unit.mounted else 2  # V7b: horse has VO 1 there
    return bad


def _place_generals(state: VirtusState, seat: int, plan: dict[str, int], line: list[int]) -> None:
    """V4.1b V8d: the commander-in-chief in reserve, the others behind the middle, one a sector."""
    roster = state.roster
    taken = {place for place in state.gplace if place >= 0}
    middle = sorted(line, key=lambda p: abs(2 * column(p) - len(line) - 1))
    for g in roster.generals_of[seat]:
        if state.gplace[g] != WAITING:
            continue
        free = [p for p in middle if p not in taken and (p in plan.values() or has_units(state, seat, p))]
        place = reserve(seat) if roster.generals[g].chief or not free else free[0]
        plan[roster.generals[g].id] = place
        taken.add(place)
