"""18 Purchases as others see them: what stays secret, what can be guessed, and what bots strive for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import sqrt
from random import Random

from .building import SUMS, Building, rebuild, site_of
from .design import ready
from .kinds import kinds
from .market import (
    EARTHWORKS,
    RAMS,
    cheapest,
    counts,
    emptied,
    engines,
    fortified,
    fortress_of_walk,
    is_artillery,
    is_unit,
    most,
    price_of,
    spent,
    stocked,
)
from .scenario import MOST_ARTILLERY
from .siege import ATTACKER, DEFENDER, works_points
from .sorts import MATERIALS
from .state import MOUNTED, SIEGE_TOWER, OnusState, Roster, other

# --- secrets -------------------------------------------------------------------------------------


def masked(state: OnusState, seat: int | None) -> OnusState:
    """O7.points.defender-first: of the other side a seat knows nothing but what was announced."""
    seen, roster = state.copy(), state.roster
    for side in (ATTACKER, DEFENDER):
        if side != seat:
            roster = emptied(roster, side)
    rebuild(seen, roster)
    return seen


def supposed(state: OnusState, seat: int, rng: Random) -> OnusState:
    """A full state that looks the same: the other side has bought something for what it announced."""
    full, foe = masked(state, seat), other(seat)
    roster, told = full.roster, site_of(full).told
    if foe == DEFENDER:
        roster = _some_fortress(roster, rng, told[0] if told else _purse(roster, foe) - cheapest())
    if len(told) == len(SUMS) or (foe == DEFENDER and told):
        points = told[1] if foe == DEFENDER and len(told) == len(SUMS) else _purse(roster, foe)
        roster = _some_army(roster, foe, rng, points)
    rebuild(full, roster)
    return full


def _purse(roster: Roster, side: int) -> int:
    assert roster.site is not None
    return roster.site.points - spent(roster, side)


def _some_fortress(roster: Roster, rng: Random, points: int) -> Roster:
    """A ready design, and works for what is left."""
    drawn = [fortress_of_walk((name,), material, ()) for name, material in product(ready(), MATERIALS)]
    within = [fortress for fortress in drawn if fortress.cost <= points]
    roster = fortified(roster, rng.choice(within or [min(drawn, key=lambda fortress: fortress.cost)]))
    return _filled(roster, DEFENDER, rng, EARTHWORKS, points - works_points(roster))


def _some_army(roster: Roster, side: int, rng: Random, points: int) -> Roster:
    """Units for so many points, with a standard general."""
    return _filled(roster, side, rng, tuple(kinds()), min(points, _purse(roster, side) * 10 // 11))


def _filled(roster: Roster, side: int, rng: Random, goods: tuple[str, ...], points: int) -> Roster:
    """Some of these goods, as long as there are points and room for one of them."""
    found, room = counts(roster, side), {good: most(roster, good) for good in goods}
    while fit := [good for good in goods if price_of(good) <= points and _has_room(found, room, good, side)]:
        good = rng.choice(fit)
        found[good] += 1
        points -= price_of(good)
    return stocked(roster, side, found)


def _has_room(found: Counter[str], room: dict[str, int], good: str, side: int) -> bool:
    if side == DEFENDER and is_artillery(good) and engines(found) >= MOST_ARTILLERY:
        return False
    number = sum(found[kind] for kind in kinds()) if is_unit(good) else found[good]
    return number < room[good]


def overspent(state: OnusState) -> Iterator[str]:
    """OH.army.1: nobody has spent more than there was."""
    roster = state.roster
    for side in (ATTACKER, DEFENDER) if roster.site else ():
        if _purse(roster, side) < 0:
            yield f"OH.army.1: {spent(roster, side)} points are spent"


# --- what it is worth ----------------------------------------------------------------------------

SHARE = 0.42  # of the points for the fortress
SAVED = 0.5  # a point that is not spent
AGAIN = 0.06  # less for every further one of a kind
HORSE = 0.85  # of a unit that cannot climb
STORM = 1.3  # of one that does well on a wall, to the attacker
STRONG = 3  # in melee
STAGE = 0.01  # to get on
WANTED = {RAMS: 2, SIEGE_TOWER: 1}
HANDY, STRAY = 2.5, 0.3  # siege markers that are wanted, and others


def worth(state: OnusState, seat: int) -> float:
    """How good the purchases of a side look, in hundreds of points: variety, and little left over."""
    roster, points = state.roster, site_of(state).points
    ahead = sum(isinstance(step, Building) and step.seat == seat for step in state.todo)
    value = SAVED * (points - spent(roster, seat)) / 100 - STAGE * ahead
    for good, number in counts(roster, seat).items():
        value += _use(good, number, seat)
    if seat == DEFENDER and roster.keep:
        value += (points - abs(works_points(roster) - SHARE * points)) / 100
    return value


def _use(good: str, number: int, seat: int) -> float:
    """Of units the first of a kind is worth most, and dear ones less than they cost: so armies are mixed."""
    price = price_of(good) / 100
    if not is_unit(good):
        wanted = min(number, WANTED.get(good, 0))
        return price * (HANDY * wanted + STRAY * (number - wanted))
    storms = seat == ATTACKER and kinds()[good].melee[0] >= STRONG
    first = HORSE if MOUNTED in kinds()[good].traits else STORM if storms else 1.0
    return sqrt(price) * sum(max(0.0, first - AGAIN * n) for n in range(number))
