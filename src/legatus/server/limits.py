"""How much one client may ask: a bucket of tokens for each address, filled up at a steady rate."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from time import monotonic

MOST_BUCKETS = 10_000  # then those that are full again are thrown away, or else the half not used for longest


def of_one_client(address: str) -> str:
    """What limits count by: an address, of IPv6 the network that one client has to itself."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


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
        now, address = self.clock(), of_one_client(address)
        tokens, then = self._buckets.pop(address, (float(self.number), now))  # the last used comes last
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
        if len(self._buckets) > MOST_BUCKETS // 2:
            self._buckets = dict(list(self._buckets.items())[MOST_BUCKETS // 2 :])
