"""18 What sides buy: goods and their prices, and the roster of those who have bought them.

Nothing but the roster keeps what was bought: ``counts`` reads it, ``stocked`` makes another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from ...kernel.objects import replace
from ...parts.plane import FULL, Pose
from .design import of_walk
from .fortress import Fortress, placed
from .kinds import kinds
from .scenario import GENERALS, MOST_RAMS, STANDARD, erect, led, unit_id
from .siege import ATTACKER, DEFENDER, units_points, works_points
from .sorts import RAM, price, sorts
from .state import BARRICADE, CALTROPS, SIEGE, SIEGE_TOWER, TRENCH, WATCHTOWER, Roster, Structure, Unit

RAMS = "ram"
EARTHWORKS = (TRENCH, BARRICADE, CALTROPS, WATCHTOWER)
ENGINES = (RAMS, SIEGE_TOWER)
PERCENT = dict(GENERALS.values())
LEAST = GENERALS[STANDARD][0]
LOOKS = (0, FULL // 2)  # to the enemy: the attacker comes from the south

# where what is bought stands, in hundredths: before the walls, beside them, from the attacker's edge
ROWS = {BARRICADE: 100, TRENCH: 160, CALTROPS: 240}
BESIDE, BEHIND, TOWER_ROW = 150, 150, 100
PACE, TOWER_PACE = 200, 300


# --- prices --------------------------------------------------------------------------------------


def is_unit(good: str) -> bool:
    return good in kinds()


def is_artillery(good: str) -> bool:
    return is_unit(good) and SIEGE in kinds()[good].traits


def engines(goods: Counter[str]) -> int:
    """O7.points.defender-first: how many of them are artillery."""
    return sum(number for good, number in goods.items() if is_artillery(good))


def price_of(good: str) -> int:
    """O7.points.summary OH.cost.1 OH.unit.1: without the general's part."""
    return kinds()[good].points if is_unit(good) else price(good)


def spent(roster: Roster, side: int) -> int:
    """OH.army.2 OH.army.3 OH.general.1: units and general; fortress and works, or rams and siege towers."""
    units = led(units_points(roster, side), PERCENT[roster.leadership[side]])
    if side == DEFENDER:
        return units + works_points(roster)
    towers = sum(structure.sort.cost for structure in roster.structures if structure.owner == ATTACKER)
    return units + towers + roster.rams * RAM


def cheapest() -> int:
    """What a single unit costs with its general."""
    return led(min(kind.points for kind in kinds().values()), PERCENT[LEAST])


# --- what a side has -----------------------------------------------------------------------------


def counts(roster: Roster, side: int) -> Counter[str]:
    """What a side has bought besides its fortress and its general."""
    found = Counter(unit.kind.id for unit in roster.units if unit.side == side)
    found.update(structure.kind for structure in roster.structures if _is_bought(structure, side))
    if side == ATTACKER and roster.rams:
        found[RAMS] = roster.rams
    return found


def _is_bought(structure: Structure, side: int) -> bool:
    return structure.owner == side and not structure.material


def item(side: int, good: str, number: int) -> str:
    """What the so manieth of a good is called on the table."""
    return unit_id(side, good, number) if is_unit(good) else f"{good}-{number}"


def general_of(roster: Roster, side: int) -> str:
    """OH.general.2: the unit with which the general rides."""
    return next((unit.id for unit in roster.units if unit.side == side and unit.general), "")


def most(roster: Roster, good: str) -> int:
    """How many of a good there is room for."""
    if is_unit(good):
        return roster.site.units if roster.site else 0
    return MOST_RAMS if good == RAMS else len(list(spots(roster, good)))


# --- rosters -------------------------------------------------------------------------------------


def stocked(roster: Roster, side: int, goods: Counter[str], leader: str = "") -> Roster:
    """The roster in which a side has just these goods, and its fortress as it is."""
    leader = leader or general_of(roster, side)
    units = [unit for unit in roster.units if unit.side != side]
    units += _army(side, goods, leader, roster.leadership[side])
    kept = [structure for structure in roster.structures if not _is_bought(structure, side)]
    kept += [
        Structure(item(side, kind, number), kind, pose, sorts()[kind].size, side)
        for kind in (*EARTHWORKS, SIEGE_TOWER)
        for number, pose in zip(range(1, goods[kind] + 1), spots(roster, kind), strict=False)
    ]
    return replace(
        roster,
        units=tuple(sorted(units, key=lambda unit: unit.side)),
        structures=tuple(sorted(kept, key=lambda one: (not one.material, one.owner))),
        rams=goods[RAMS] if side == ATTACKER else roster.rams,
    )


def _army(side: int, goods: Counter[str], leader: str, leadership: int) -> list[Unit]:
    """OH.general.2: the units in the order of their table; without a ``leader`` the first has the general."""
    ids = [(kind, number) for kind in kinds() for number in range(1, goods[kind] + 1)]
    names = [item(side, *one) for one in ids]
    first = leader if leader in names else next(iter(names), "")
    return [
        Unit(name, side, kinds()[kind], number, leadership if name == first else 0)
        for name, (kind, number) in zip(names, ids, strict=True)
    ]


def fortified(roster: Roster, fortress: Fortress) -> Roster:
    """O7.deploy.fortress: the fortress in the middle of the defender's edge, its front to the attacker."""
    rest = [structure for structure in roster.structures if not structure.material]
    place = Pose(roster.width // 2, fortress.size.depth // 2, LOOKS[DEFENDER])
    keep, pieces = erect(placed(fortress, place))
    built = replace(roster, keep=keep, structures=(*pieces, *rest))
    return stocked(built, DEFENDER, counts(built, DEFENDER))


def ordered(roster: Roster, side: int, leadership: int) -> Roster:
    """OH.general.1: the roster in which a side has another general."""
    both = (leadership, roster.leadership[1]) if side == ATTACKER else (roster.leadership[0], leadership)
    changed = replace(roster, leadership=both)
    return stocked(changed, side, counts(changed, side))


def emptied(roster: Roster, side: int) -> Roster:
    """The roster in which a side has nothing yet."""
    if side == DEFENDER:
        rest = tuple(structure for structure in roster.structures if not structure.material)
        roster = replace(roster, keep=None, structures=rest)
    return stocked(ordered(roster, side, LEAST), side, Counter())


@lru_cache(maxsize=64)
def fortress_of_walk(walk: tuple[str, ...], material: str, agreed: tuple[str, ...]) -> Fortress:
    """A design by its walk or its name; a BadFile if a word of it is none."""
    return of_walk(walk, material, agreed)


# --- where things stand --------------------------------------------------------------------------


def spots(roster: Roster, kind: str) -> Iterator[Pose]:
    """O7.points.defender-first O4.watchtower.placement O4.siege-tower.deployment: their usual places.

    Works before the front of the fortress, watchtowers beside it, siege towers at the attacker's edge.
    """
    middle = roster.width // 2
    west, _, east, south = roster.keep.shape.bounds if roster.keep else (middle, 0, middle, 0)
    if kind == WATCHTOWER:
        for far in range(BESIDE, roster.width, PACE):
            for x in (round(west) - far, round(east) + far):
                if PACE // 2 < x < roster.width - PACE // 2:
                    yield Pose(x, BEHIND, LOOKS[DEFENDER])
        return
    engine = kind == SIEGE_TOWER
    y = roster.height - TOWER_ROW if engine else round(south) + ROWS[kind]
    pace, turn = (TOWER_PACE, LOOKS[ATTACKER]) if engine else (PACE, LOOKS[DEFENDER])
    for n in range((roster.width // 2 // pace - 1) * 2 + 1):
        yield Pose(middle + (n + 1) // 2 * pace * (-1 if n % 2 else 1), y, turn)
