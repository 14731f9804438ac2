"""How much one client may ask: a bucket of tokens for each address, filled up at a steady rate."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

MOST_BUCKETS = 10_000  # then those that are full again are thrown away


class Limit:
    """``number`` in ``seconds`` on average, and as many at once; a number of 0 is no limit."""

    def __init__(self, number: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.number = number
        self.rate = number / seconds
        self.clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}  # address -> tokens, when

    def wait(self, address: str) -> float:
        """Take a token: 0 if there is one, else the seconds until the next."""
        if not self.number:
            return 0.0
        now = self.clock()
        tokens, then = self._buckets.get(address, (float(self.number), now))
        tokens = min(self.number, tokens + (now - then) * self.rate)
        if len(self._buckets) > MOST_BUCKETS:
            self._forget(now)
        if tokens < 1:
            self._buckets[address] = (tokens, now)
            return (1 - tokens) / self.rate
        self._buckets[address] = (tokens - 1, now)
        return 0.0

    def _forget(self, now: float) -> None:
        """Full buckets say nothing: an address without one has a full one."""
        self._buckets = {
            address: (tokens, then)
            for address, (tokens, then) in self._buckets.items()
            if tokens + (now - then) * self.rate < self.number
        }
