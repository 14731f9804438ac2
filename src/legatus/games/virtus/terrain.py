"""7 Terrain: what each kind of ground does (V7i), and the dice that lay it out (1.6)."""

from __future__ import annotations

from msgspec import Struct, convert

from ...kernel.rulebook import folder


class Ground(Struct, frozen=True):
    """V7i: one row of the terrain summary."""

    hill: bool = False  # V7a: an extra die, for a point, to the side that holds it
    woods: bool = False  # V7b: worse for horse and dense foot, better for dispersed foot; nobody shoots in
    marsh: bool = False  # V7f: VD 1 but for dispersed infantry
    rocks: bool = False  # V7f: VO 1 but for dispersed infantry
    stops: str = ""  # the clause by which entering it ends the move
    markers: bool = False  # V7d: units may be set up face down, with decoys
    no_artillery: bool = False  # V7f
    camp: bool = False  # V14.2a: a fortified camp may stand here
    clauses: tuple[str, ...] = ()  # what the rulebook says of it


GROUND: dict[str, Ground] = convert(folder(__file__).toml("data/terrain.toml")["ground"], dict[str, Ground])


class Dice(Struct, frozen=True):
    """V1.6c: the die of a nature, and what each player's faces give."""

    sides: int
    attacker: dict[str, str]
    defender: dict[str, str]


_tables = folder(__file__).toml("data/terrain.toml")
NATURE_DICE: dict[str, dict[str, str]] = _tables["nature"]  # V1.6b: die P, M or B, face, nature
SECTOR_DICE: dict[str, Dice] = convert(_tables["sector"], dict[str, Dice])
COMBINED: dict[str, str] = _tables["combined"]  # V1.6d


def combine(from_attacker: str, from_defender: str) -> str:
    """V1.6d V1.6e: two elements make one combined terrain; one stands alone; none is clear ground."""
    if from_attacker and from_defender:
        return COMBINED[f"{from_attacker}+{from_defender}"]
    return from_attacker or from_defender or "clear"
