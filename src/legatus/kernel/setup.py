"""What a match starts from: scenario, armies, options, and the position of a branch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from .files import Source
from .words import Message


class Option(Struct, frozen=True):
    """A switch of a match: what the sheet calls optional, and alternatives that we offer."""

    key: str
    clause: str
    default: bool | str = True
    choices: tuple[str, ...] = ()  # empty: on or off
    earlier: dict[int, bool | str] = {}  # the default up to and including that edition

    def default_in(self, edition: int) -> bool | str:
        """The default of an edition of the rules."""
        return self.earlier.get(min((e for e in self.earlier if e >= edition), default=0), self.default)


def settle(
    known: Sequence[Option],
    given: Mapping[str, Any],
    source: Source,
    below: Mapping[str, bool | str] | None = None,
    edition: int | None = None,
) -> dict[str, bool | str]:
    """The options ``given`` over those ``below``, or over the defaults of an edition (None: of the latest).

    A BadFile says which one is wrong.
    """
    by_key = {option.key: option for option in known}
    for key, value in given.items():
        where = f"options.{key}"
        source.one_of(where, key, list(by_key))
        if by_key[key].choices:
            source.one_of(where, value, by_key[key].choices)
        elif not isinstance(value, bool):
            raise source.bad(where, Message("file.switch", {"found": repr(value)}))
    defaults = {o.key: o.default if edition is None else o.default_in(edition) for o in known}
    return {**(defaults if below is None else below), **given}


class Branch(Struct, frozen=True):
    """Where a match left another one: it begins at a position of that one."""

    of: Annotated[str, Meta(max_length=1_000)]  # the other match: its id on a server, or the name of its file
    entry: int  # the moment at which it was left
    seat: str  # who goes on
    dealt: bool  # True if secrets were dealt again from what that seat could know
    state: dict[str, Any]  # the position


class Setup(Struct, frozen=True):
    """All that a match starts from, complete: it is the head of a record.

    An option that it does not name stands at the default of its edition.
    """

    scenario: dict[str, Any]
    armies: tuple[dict[str, Any], ...] = ()
    options: dict[str, bool | str] = {}
    branch: Branch | None = None
    edition: int = 1
