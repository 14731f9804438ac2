"""What the dice of a match follow from: a seed, promised by its hash, and what the players contributed.

docs/concepts/luck.md describes the scheme and what it proves.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from secrets import token_hex
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from .chance import Committed, Dice, Seeded

Scheme: TypeAlias = Literal["seeded", "hmac-sha256"]
SEEDED: Scheme = "seeded"  # of matches before version 0.2: Python's own generator, nothing promised
COMMITTED: Scheme = "hmac-sha256"

LAST_ROW = 2**31 - 1  # that a database can number
CONTRIBUTION = re.compile(r"[0-9A-Za-z_-]{1,64}")


class Contribution(Struct, frozen=True):
    """What a player added to the dice; it cannot be foreseen by whoever chose the seed."""

    seat: str
    row: Annotated[int, Meta(ge=0, le=LAST_ROW)]  # the first row whose dice depend on it
    text: Annotated[str, Meta(pattern=rf"^{CONTRIBUTION.pattern}$(?!\n)")]


def new_seed() -> str:
    return token_hex(32)


def new_contribution() -> str:
    return token_hex(16)


def commitment_of(seed: int | str) -> str:
    """The hash by which a seed is promised."""
    return sha256(str(seed).encode()).hexdigest()


def private_seed(scheme: Scheme, seed: int | str, purpose: str) -> int | str:
    """A seed for chance that is not dice; the seed of the dice cannot be inferred from it."""
    if scheme == SEEDED:
        return seed
    return hmac.digest(str(seed).encode(), purpose.encode(), "sha256").hex()


def bot_seed(scheme: Scheme, seed: int | str) -> int | str:
    """The seed of the bots' own chance: see ``bots.mood``."""
    return private_seed(scheme, seed, "bots")


def given_at(contributions: Iterable[Contribution], seats: Sequence[str], row: int) -> tuple[str, ...]:
    """What each seat had contributed when the dice of a row fell, of several the first; empty: nothing."""
    given: dict[str, str] = {}
    for one in sorted(contributions, key=lambda one: one.row):
        if one.row <= row:
            given.setdefault(one.seat, one.text)
    return tuple(given.get(seat, "") for seat in seats)


def dice_of(
    scheme: Scheme,
    seed: int | str,
    row: int,
    contributions: Iterable[Contribution] = (),
    seats: Sequence[str] = (),
) -> Dice:
    """The dice of a row of a match."""
    if scheme == SEEDED:
        return Seeded(f"{seed}/{row}")
    return Committed(str(seed), row, given_at(contributions, seats, row))
