"""What a bot's decision is made of: its chance, and what it considered."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from ..kernel import Action


class Thought(Struct, frozen=True):
    """An action that a bot looked at."""

    action: Action
    value: float  # how good it looked to its seat, as the game judges positions
    tries: int  # how often it was looked at


class Choice(Struct, frozen=True):
    """What a bot does, and what it considered, the best first."""

    action: Action
    thoughts: Sequence[Thought] = ()


def mood(seed: int | str, number: int) -> Random:
    """The chance of a bot's decision: it depends on the seed of the match and the entry's number only."""
    return Random(f"{seed}/bot/{number}")
