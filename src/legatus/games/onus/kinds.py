"""16 Units: the troop types, from ``units.toml``."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from ...kernel.files import read_toml
from ...kernel.rulebook import folder
from ...parts.plane import UNIT
from .state import FORMATIONS, TRAITS, Kind


class KindEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    icon: str
    melee: tuple[int, int]
    defence: tuple[int, int]
    move: int
    morale: int
    life: int
    points: int
    ranged: int | None = None
    short: float = 0
    long: float = 0
    traits: tuple[str, ...] = ()
    formations: tuple[str, ...] = ()


class KindFile(Struct, frozen=True, forbid_unknown_fields=True):
    kind: tuple[KindEntry, ...]


@cache
def kinds() -> dict[str, Kind]:
    """OH.unit.1 OH.unit.2: the troop types by their ids."""
    file = read_toml(folder(__file__).path / "data" / "units.toml", KindFile)
    return {entry.id: _kind(entry) for entry in file.kind}


def _kind(entry: KindEntry) -> Kind:
    return Kind(
        id=entry.id,
        melee=entry.melee,
        defence=entry.defence,
        move=entry.move,
        morale=entry.morale,
        life=entry.life,
        points=entry.points,
        icon=entry.icon,
        ranged=-9 if entry.ranged is None else entry.ranged,
        short=round(entry.short * 100),
        long=round(entry.long * 100),
        traits=tuple(trait for trait in TRAITS if trait in entry.traits),
        formations=tuple(FORMATIONS.index(name) for name in entry.formations),
    )


def written(kind: Kind) -> dict[str, str]:
    """OH.value.1 OH.value.2 OH.value.3, as the unit cards write them."""
    values = {"A": "/".join(map(str, kind.melee)), "D": "/".join(map(str, kind.defence))}
    if kind.shoots:
        values["R"] = f"{kind.ranged}({kind.long / UNIT:g};{kind.short / UNIT:g})"
    return {**values, "M": str(kind.move), "Mo": str(kind.morale)}
