"""Keys hold seats.  They are random, signed by the installation so that nobody chooses a weak one.

Invitations are derived from the match and the seat: the maker can look his up again, and nothing is stored.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets


class Keys:
    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def new(self) -> str:
        body = secrets.token_urlsafe(24)
        return f"{body}.{self._sign('key', body)}"

    def is_ours(self, key: str) -> bool:
        body, _, sign = key.partition(".")
        return hmac.compare_digest(sign.encode(), self._sign("key", body).encode())

    def invite(self, match_id: str, seat: int) -> str:
        return self._sign("invite", f"{match_id}/{seat}")

    def is_invite(self, invite: str, match_id: str, seat: int) -> bool:
        return hmac.compare_digest(invite.encode(), self.invite(match_id, seat).encode())

    def _sign(self, what: str, body: str) -> str:
        return hmac.new(self._secret, f"{what}:{body}".encode(), hashlib.sha256).hexdigest()[:32]


def digest(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()
