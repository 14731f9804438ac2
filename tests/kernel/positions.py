"""Small positions of the toy game."""

from legatus.kernel import Step
from tests.toy import GONE, INDEX, RED, TOY, UNITS, Orders, ToyState, Turn


def position(card: int = -1, todo: tuple[Step, ...] = (), **units: tuple[str, int]) -> ToyState:
    """Units with their hexes and strengths; nobody else is there, and Red gives his orders."""
    state = TOY.begin(TOY.configure())
    state.todo = [Turn(2), *(todo or (Orders(RED),))]
    state.turn, state.card = 1, card
    state.at, state.strength = [GONE] * len(UNITS), [0] * len(UNITS)
    for unit, (at, strength) in units.items():
        state.at[INDEX[unit]], state.strength[INDEX[unit]] = at, strength
    return state


def duel(card: int = -1) -> ToyState:
    """Red 1 with strength 2 beside Blue 1 with strength 3; their friends are far away."""
    return position(card, red0=("0102", 2), blue0=("0202", 3), red1=("0000", 1), blue1=("0404", 1))
