"""4 Structures: height, resistance and durability."""

from __future__ import annotations

from msgspec import Struct

from .state import BRIDGE_STONE, BRIDGE_WOOD, VILLAGE, WATCHTOWER


class Strength(Struct, frozen=True):
    """O4.value.height O4.value.resistance O4.value.durability."""

    height: int
    resistance: int
    durability: int
    burns: bool
    closed: bool  # O6.razed.closed: who is inside is lost with it


# O4.structures-table O3.bridge.values O4.village.height O4.village.halves OH.village.1 O4.watchtower.values
STRENGTH = {
    BRIDGE_WOOD: Strength(0, 7, 7, True, False),
    BRIDGE_STONE: Strength(0, 8, 8, False, False),
    VILLAGE: Strength(1, 6, 7, True, True),
    WATCHTOWER: Strength(2, 7, 8, True, True),
}
