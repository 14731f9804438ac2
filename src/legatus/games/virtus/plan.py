"""1 Set-up: a standard plan of deployment, for ``deploy-rest``: a sensible line, not the best one.

Light foot takes the bad ground, horse the wings, heavy foot the middle and the hills, shooters the sectors
that look out on open ground; a heavy unit that can be spared stays in reserve.
"""

from __future__ import annotations

from .attack import offence_of
from .damage import WHITE, save_value
from .state import NORMAL, WAITING, Unit, VirtusState, column, facing, reserve, sectors
from .terrain import GROUND, Ground

CLEAR = Ground()
LOST_POINT, GAINED_POINT = 3, 1  # of VO or VD by the ground, in points of cohesion that stand there already
OFF_WING, OFF_CENTRE, NO_TARGET, SLOW, ON_HILL = 5, 1, 5, 2, -2
HEAVY_VD = 3

Load = dict[int, int]  # points of cohesion by place


def standard_places(state: VirtusState, seat: int) -> dict[str, int]:
    """V1.7b: where each piece that still waits goes."""
    roster, line = state.roster, list(sectors(state, seat))
    waiting = [roster.units[i] for i in roster.of[seat] if state.place[i] == WAITING]
    load = dict.fromkeys(line, 0)
    for i in roster.of[seat]:
        if state.place[i] in load:
            load[state.place[i]] += state.vc[i]
    plan = _hold_bad_ground(state, line, waiting, load)
    spare = _spare(waiting, plan, len(line))
    for unit in sorted(waiting, key=_turn):
        if unit.id in plan:
            continue
        places = _open_to(state, line, unit)
        if unit.id == spare or not places:
            plan[unit.id] = reserve(seat)
            continue
        place = min(places, key=lambda p: (load[p] + _misfit(state, unit, p, line), p))
        plan[unit.id] = place
        load[place] += unit.vc
    _fill_gaps(state, line, waiting, plan, load)
    _place_generals(state, seat, plan, load)
    return plan


def _hold_bad_ground(state: VirtusState, line: list[int], waiting: list[Unit], load: Load) -> dict[str, int]:
    """V7b V7f: a unit for each empty sector of difficult ground, light foot if there is any."""
    plan: dict[str, int] = {}
    grounds = {place: GROUND[state.terrain[place]] for place in line if not load[place]}
    bad = [place for place, ground in grounds.items() if ground.woods or ground.marsh or ground.rocks]
    for place in sorted(bad, key=lambda p: (not grounds[p].marsh, not grounds[p].rocks, p)):
        left = [u for u in waiting if u.id not in plan]
        fit = [u for u in left if place in _open_to(state, line, u)]
        fit = fit or [u for u in left if u.infantry and not _is_heavy(u)]  # better than nobody
        if fit:
            unit = min(fit, key=lambda u: (_misfit(state, u, place, line), u.vc, u.id))
            plan[unit.id] = place
            load[place] += unit.vc
    return plan


def _fill_gaps(
    state: VirtusState, line: list[int], waiting: list[Unit], plan: dict[str, int], load: Load
) -> None:
    """V5.4e: no sector stays empty that somebody of a strong one can hold."""
    for place in line:
        able = [u for u in waiting if load.get(plan[u.id], 0) > u.vc and place in _open_to(state, line, u)]
        if not load[place] and able:
            unit = min(able, key=lambda u: (_misfit(state, u, place, line) - load[plan[u.id]], u.id))
            load[plan[unit.id]] -= unit.vc
            load[place] += unit.vc
            plan[unit.id] = place


def _spare(waiting: list[Unit], plan: dict[str, int], columns: int) -> str:
    """A heavy foot unit for the reserve, if there are enough of them: the weakest that throws nothing."""
    heavy = [u for u in waiting if u.infantry and not u.dispersed]
    able = [u for u in heavy if u.id not in plan and not _shoots(u)]
    if len(heavy) <= columns + 1 or not able:
        return ""
    return min(able, key=lambda u: (u.vo + u.vd + u.vc, -u.number)).id


def _turn(unit: Unit) -> tuple[int, int, str]:
    """Who is placed first: those who have the least choice of ground."""
    arm = 0 if unit.artillery else 1 if unit.mounted else 2
    if unit.infantry and unit.dispersed:
        arm = 3 if unit.vt else 4
    return arm, -(unit.vo + unit.vd + unit.vc), unit.id


def _shoots(unit: Unit) -> bool:
    return unit.vt > 0 or unit.missiles or unit.bolts


def _is_heavy(unit: Unit) -> bool:
    return unit.order == "dense" or unit.vd >= HEAVY_VD


def _open_to(state: VirtusState, line: list[int], unit: Unit) -> list[int]:
    """The sectors that a unit should stand in; artillery may have none (V7f).

    While there is other ground artillery does not face woods (V5.3b), marsh is for light troops (V7f),
    and horse keeps to where it has its full VO (V7b, V14.2d).
    """
    grounds = {place: GROUND[state.terrain[place]] for place in line}
    if unit.artillery:
        firm = [place for place in line if not grounds[place].no_artillery]
        return [p for p in firm if not GROUND[state.terrain[facing(p)]].woods] or firm
    fit = [place for place in line if unit.dispersed or not grounds[place].marsh] or line
    if not unit.mounted:
        return fit
    full = _offence(unit, CLEAR, 0)
    return [p for p in fit if _offence(unit, grounds[p], state.camp[p]) == full] or fit


def _offence(unit: Unit, ground: Ground, camp: int) -> int:
    return offence_of(unit, unit.vc, NORMAL, ground, ground, camp)


def _misfit(state: VirtusState, unit: Unit, place: int, line: list[int]) -> int:
    """V7a V7b V7f V14.2b V14.2d: what a unit would lose by standing there, by its own values."""
    ground, camp = GROUND[state.terrain[place]], state.camp[place]
    values = [
        _offence(unit, here, at_camp) + save_value(unit, WHITE, here, sheltered=bool(at_camp))
        for here, at_camp in ((CLEAR, 0), (ground, camp))
    ]
    lost = values[0] - values[1]
    bad = lost * (LOST_POINT if lost > 0 else GAINED_POINT)
    wing = place in (line[0], line[-1])
    if unit.mounted and unit.mvt > 1:
        bad += 0 if wing else OFF_WING
    elif not unit.dispersed:
        bad += OFF_CENTRE if wing else 0
    if unit.vt and GROUND[state.terrain[facing(place)]].woods:
        bad += NO_TARGET  # V5.3b
    if ground.stops and not (unit.infantry and unit.dispersed):
        bad += SLOW
    if ground.hill and unit.infantry and not unit.dispersed:
        bad += ON_HILL
    return bad


def _place_generals(state: VirtusState, seat: int, plan: dict[str, int], load: Load) -> None:
    """V4.1b V8d: the commander-in-chief in reserve, the others with the strongest sectors, one in each."""
    roster, middle = state.roster, state.roster.rules.columns + 1
    taken = {place for place in state.gplace if place >= 0}
    best = sorted(load, key=lambda p: (-load[p], abs(2 * column(p) - middle), p))
    for g in roster.generals_of[seat]:
        if state.gplace[g] != WAITING:
            continue
        free = [p for p in best if p not in taken and load[p]]
        place = reserve(seat) if roster.generals[g].chief or not free else free[0]
        plan[roster.generals[g].id] = place
        taken.add(place)
