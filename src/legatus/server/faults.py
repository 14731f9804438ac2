"""What can be wrong with a request.  Each fault has a code for programs and a sentence for people."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel import Message
from ..kernel.words import Complaint, Value
from .wire import Reason
from .words import WORDS

STATUS = {
    "bad-request": 400,
    "bad-action": 400,
    "bad-file": 400,
    "wrong-dice": 400,
    "bad-key": 401,
    "not-yours": 403,
    "no-invitation": 403,
    "secret": 403,
    "not-found": 404,
    "no-method": 405,
    "conflict": 409,
    "illegal": 409,
    "no-undo": 409,
    "over": 409,
    "newer": 409,
    "pledged": 409,
    "taken": 409,
    "unreadable": 410,
    "too-large": 413,
    "too-hard": 422,
    "too-many": 429,
    "broken": 500,
    "database": 503,
}


class Fault(Complaint):
    """A request that is answered by a Failure; ``code`` is a key of STATUS and of the sentences."""

    def __init__(
        self,
        code: str,
        key: str = "",
        reasons: Sequence[Reason] = (),
        number: int | None = None,
        wait: float = 0.0,
        **values: Value,
    ) -> None:
        if number is not None:
            values["number"] = number
        super().__init__(Message(f"server.{key or code}", dict(values)), WORDS)
        self.code, self.reasons, self.number, self.wait = code, tuple(reasons), number, wait

    @property
    def status(self) -> int:
        return STATUS[self.code]
