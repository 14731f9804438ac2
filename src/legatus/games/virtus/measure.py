"""What matters of an action's result: the columns of an odds table."""

from __future__ import annotations

from .attack import ShareChoice, tokens_due
from .state import RETREATED, VirtusState


def measure(before: VirtusState, after: VirtusState) -> dict[str, int]:
    """Tokens given, points of cohesion lost or regained, retreats, units and generals lost."""
    step = after.todo[-1] if after.todo and after.outcome is None else None
    pending = tokens_due(after, step) if isinstance(step, ShareChoice) else 0
    counts = dict.fromkeys(
        ("tokens", "general_tokens", "losses", "rallied", "retreats", "eliminated", "generals"), 0
    )
    counts["tokens"] = pending + sum(
        max(0, len(now) - len(then)) for now, then in zip(after.tokens, before.tokens, strict=True)
    )
    for g, place in enumerate(after.gplace):
        counts["general_tokens"] += max(0, after.gtokens[g] - before.gtokens[g])
        counts["generals"] += place == -1 and before.gplace[g] != -1
    for i, place in enumerate(after.place):
        counts["losses"] += max(0, before.vc[i] - after.vc[i])
        counts["rallied"] += max(0, after.vc[i] - before.vc[i])
        counts["eliminated"] += place == -1 and before.place[i] != -1
        counts["retreats"] += bool(after.flags[i] & RETREATED) and not before.flags[i] & RETREATED
    return counts
