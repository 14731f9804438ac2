"""16 Units: the troop types, from ``units.toml``."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from ...kernel.files import read_toml
from ...kernel.rulebook import folder
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
    """OH.unit.1: the troop types by their ids."""
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
        traits=frozenset(trait for trait in entry.traits if trait in TRAITS),
        formations=tuple(FORMATIONS.index(name) for name in entry.formations),
    )
