"""O4.structures-table: what structures are, how big they are and what they cost, for everybody who asks."""

from __future__ import annotations

from functools import cache
from typing import Literal

from msgspec import Struct

from ...kernel.files import read_toml
from ...kernel.rulebook import folder
from ...parts.plane import UNIT, Size

WOOD, STONE = MATERIALS = ("wood", "stone")
ADJECTIVES = {WOOD: "wooden", STONE: "stone"}
WALL, GATE, CORNER, TOWER = PIECES = ("wall", "gate", "corner", "tower")
STONE_FACTOR = 2  # O7.design.stone-cost
RAM = 20  # OH.cost.1


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the table, as ``structures.toml`` has it."""

    id: str
    size: tuple[float, float]
    acts_as: str = ""
    material: Literal["", "wood", "stone"] = ""
    height: int = 0
    melee: tuple[int, int] = (0, 0)
    ranged: tuple[int, int] = (0, 0)
    resistance: int = 0
    durability: int = 0
    gate_resistance: int = 0
    gate_durability: int = 0
    burns: Literal["no", "yes", "gate"] = "no"
    units: int = 0
    sections: int = 0
    cost: int = 0


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    structure: tuple[Row, ...]


class Sort(Struct, frozen=True):
    """O4.value.height O4.value.resistance O4.value.durability O4.structures-table: a sort of structure.

    OH.piece.4 has the sizes; O4.village.halves OH.village.1: what a village is made of is one of its halves.
    """

    id: str
    acts_as: str  # the kind that it is in play
    material: str  # or "": earth, a tile
    size: Size
    height: int
    melee: tuple[int, int]  # what it adds to the defence of its holder
    ranged: tuple[int, int]
    resistance: int  # 0: nothing can damage it
    durability: int
    gate_resistance: int  # O4.gate.resistance O4.gate.durability: 0 if there is no gate
    gate_durability: int
    burns: str  # no, yes, or gate: nothing but the gate
    units: int  # how many find room in it
    sections: int  # how many of a front find room on it
    cost: int


class Line(Struct, frozen=True):
    """Pieces of one sort and their price."""

    sort: str
    count: int
    each: int

    @property
    def total(self) -> int:
        return self.count * self.each


@cache
def sorts() -> dict[str, Sort]:
    """All sorts of structures by their ids."""
    table = read_toml(folder(__file__).path / "data" / "structures.toml", Table)
    costs = {row.id: row.cost for row in table.structure}
    return {row.id: _sort(row, costs) for row in table.structure}


def _sort(row: Row, costs: dict[str, int]) -> Sort:
    """O7.design.stone-cost: a piece of a fortress costs twice as much in stone."""
    cost = row.cost
    kind = row.id.removeprefix("stone-")
    if row.material == STONE and kind in PIECES:
        cost = STONE_FACTOR * costs[f"{ADJECTIVES[WOOD]}-{kind}"]
    return Sort(
        id=row.id,
        acts_as=row.acts_as or row.id,
        material=row.material,
        size=Size(round(row.size[0] * UNIT), round(row.size[1] * UNIT)),
        height=row.height,
        melee=row.melee,
        ranged=row.ranged,
        resistance=row.resistance,
        durability=row.durability,
        gate_resistance=row.gate_resistance,
        gate_durability=row.gate_durability,
        burns=row.burns,
        units=row.units,
        sections=row.sections,
        cost=cost,
    )


def sort_of(kind: str, material: str) -> Sort:
    """The sort of a piece of a fortress."""
    return sorts()[f"{ADJECTIVES[material]}-{kind}"]


def price(ident: str) -> int:
    """O7.points.summary OH.cost.1 OH.cost.2: what a structure or a ram costs; natural terrain is free."""
    if ident == "ram":
        return RAM
    sort = sorts().get(ident)
    return 0 if sort is None else sort.cost
