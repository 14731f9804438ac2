"""DMG Damage: the kinds of token, which attack gives which (VDMG.a), and the value that saves (VDMG.b)."""

from __future__ import annotations

from .state import NORMAL, ORBIS, Unit
from .terrain import Ground

# A token is a letter; a unit's tokens are a string of them.
WHITE, RED, BLUE, ROUND, VIOLET, YELLOW, BLACK = "w", "r", "u", "g", "v", "y", "k"
SLING = "l"  # sling bullets within the same sector
BOLT_NEAR, BOLT_FAR, BALLISTA_FAR = "n", "s", "b"  # square tokens
TOKENS: dict[str, str] = {
    WHITE: "white",
    RED: "red",
    BLUE: "blue",
    ROUND: "green",
    SLING: "sling",
    BOLT_NEAR: "bolt-near",
    BOLT_FAR: "bolt",
    BALLISTA_FAR: "ballista",
    VIOLET: "violet",
    YELLOW: "yellow",
    BLACK: "black",
}
TOKEN: dict[str, str] = {name: letter for letter, name in TOKENS.items()}
MISSILES = frozenset((ROUND, SLING, BOLT_NEAR, BOLT_FAR, BALLISTA_FAR))

BLUE_CAP = 2  # V11.1a
MOUNTED_MISSILE_CAP = 2  # V11.2b
HARD_MISSILE_CAP = 3  # V11.2c: bolts from afar, sling bullets at hand
CAMP_BALLISTA_CAP = 3  # V14.2c
WOODS_BONUS = 2  # V7b
BLACK_SAVES = {"dense": 2, "artillery": 2, "dispersed": 4, "other": 3}  # V16b
PASSES, FAILS = 1, 6  # V3.1g: natural light-die results


def kind_of_hit(unit: Unit, *, charge: bool, far: bool, pila: bool, camp: bool = False) -> str:
    """VDMG.a: an attack gives tokens of one kind; white ones may turn red before pikes (V11.4a).

    ``camp``: the target is sheltered by one, where ballistas are told apart even without missiles (V14.2c).
    """
    if camp and unit.ballista and far:
        return BALLISTA_FAR
    if unit.elephant:
        return BLACK  # V16b
    if unit.dromedary:
        return YELLOW  # V15a
    if unit.two_handed:
        return BLUE  # V11.1a
    if pila:
        return VIOLET  # V11.3a
    if charge:
        return WHITE  # V11.2a: a charge is hand to hand
    if unit.bolts:
        return (BALLISTA_FAR if unit.ballista else BOLT_FAR) if far else BOLT_NEAR
    if unit.missiles:
        return SLING if unit.sling and not far else ROUND
    return WHITE


def save_value(
    unit: Unit,
    token: str,
    ground: Ground,
    *,
    form: int = NORMAL,
    charged: bool = False,
    sheltered: bool = False,
) -> int:
    """VDMG.b VDMG.c: camp or black tokens first; else add and subtract, then caps, then values set to 1."""
    if sheltered:  # V14.2b: printed VD + 1 and nothing else
        value = unit.vd + 1
        return min(value, CAMP_BALLISTA_CAP) if token == BALLISTA_FAR else value
    if token == BLACK:
        return BLACK_SAVES[unit.order]
    light_foot = unit.infantry and unit.dispersed
    value = unit.vd
    if form not in (NORMAL, ORBIS):
        value += 1  # V12.2c V12.3a
    if ground.woods and light_foot and not charged:
        value += WOODS_BONUS
    if token == VIOLET:
        value -= 1  # V11.3a
    elif token == WHITE and unit.pikes:
        value += 1  # V11.4a
    elif token in MISSILES:
        value = _against_missiles(unit, token, value)
    elif token == BLUE:
        value = min(value, BLUE_CAP)
    if ground.marsh and not light_foot:
        return 1  # V7f
    if token == YELLOW and unit.arm == "cavalry":
        return 1  # V15a
    return value


def _against_missiles(unit: Unit, token: str, value: int) -> int:
    """V11.2b V11.2c: better for light foot and printed VD 3, worse for horse; hard missiles go through."""
    if not unit.mounted:
        if unit.dispersed or unit.vd == 3:
            value += 1
    elif not unit.cataphract:
        value = min(value, MOUNTED_MISSILE_CAP)
    if token in (SLING, BOLT_FAR, BALLISTA_FAR):
        value = min(value, HARD_MISSILE_CAP)
    return value


def passes(light: int, value: int) -> bool:
    """V3.1c V3.1g: at or below the value; a natural 1 always passes, a natural 6 always fails."""
    return light == PASSES or (light != FAILS and light <= value)
