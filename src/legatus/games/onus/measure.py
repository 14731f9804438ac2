"""What matters of an action's result: the columns of an odds table."""

from __future__ import annotations

from fractions import Fraction

from ...kernel import Action
from .cards import CARDS, DECK, NO_EVENT
from .fire import Ignite
from .melee import Engage
from .rams import Batter
from .shooting import Shoot
from .state import LOST, OnusState
from .stones import Stones

LOSSES = ("wounds", "destroyed", "fleeing", "broken")  # of the enemy; of the own side with "own_" before
COLUMNS = (*LOSSES, *(f"own_{name}" for name in LOSSES), "rallied", "healed", "damage", "fire")
QUIET = next(card for card in range(DECK) if CARDS[card][1] == NO_EVENT)


def measure(before: OnusState, after: OnusState) -> dict[str, int]:
    """Wounds, units destroyed, fleeing and broken on both sides; what was made good; damage to structures."""
    counts = dict.fromkeys(COLUMNS, 0)
    seat = before.decision.seat if before.decision else before.active
    if after.roster is not before.roster:
        return counts  # OH.army.2: something was bought or given back, and nobody was hurt
    for i, unit in enumerate(before.roster.units):
        own = "own_" if unit.side == seat else ""
        hurt = min(after.wounds[i], unit.kind.life) - min(before.wounds[i], unit.kind.life)
        lost = after.where[i] == LOST != before.where[i]
        counts[f"{own}wounds"] += max(0, hurt)
        counts[f"{own}destroyed"] += lost
        counts[f"{own}fleeing"] += after.fleeing[i] > before.fleeing[i]
        counts[f"{own}broken"] += after.broken[i] > before.broken[i]
        counts["healed"] += max(0, -hurt)
        worse = before.fleeing[i] + before.broken[i] > after.fleeing[i] + after.broken[i]
        counts["rallied"] += worse and not lost
    counts["damage"] = sum(after.damage) - sum(before.damage)
    counts["fire"] = sum((*after.fire, *after.lit)) - sum((*before.fire, *before.lit))
    return counts


def stilled(full: OnusState, action: Action) -> OnusState:
    """OH.deck.4: the odds of an attack are those without events: none is turned, and nobody is asked."""
    if isinstance(action, (Engage, Shoot, Stones, Batter, Ignite)):
        full = full.copy()
        full.hands = [[], []]
        full.deck = [int(card == QUIET) for card in range(DECK)]
    return full


def cases(full: OnusState, action: Action) -> list[tuple[Fraction, OnusState]]:
    """OH.deck.4: what is secret besides the cards, a hidden unit, is one guess."""
    return [(Fraction(1), stilled(full, action))]
