"""What a lobby lists: scenarios and armies; and armies as people build them: what can be had, at what price.

Texts are in the player's language.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class ScenarioCard(Struct, frozen=True):
    """A battle that a game offers."""

    key: str
    name: str
    text: str = ""
    armies: tuple[str, ...] = ()  # by seat: keys of ready armies; empty if there is none to choose
    budget: int | None = None


class ArmyCard(Struct, frozen=True):
    """An army that a game has ready."""

    key: str
    name: str
    cost: int
    budget: int


class Mark(Struct, frozen=True):
    """Something that a list may add to a line: a quality, with the clause that explains it."""

    key: str
    label: str
    clause: str
    price: int = 0  # what it adds for each; less than 0: what it saves


class Recruit(Struct, frozen=True):
    """Something that an army may contain.

    ``shape`` says how the list holds it: ``typed`` as ``{"type": key, "count": n, mark: true}`` in the list
    ``section``; ``single`` as ``{"name": ..., mark: true}`` there; ``flag`` as ``section = true``.
    """

    section: str
    shape: Literal["typed", "single", "flag"]
    key: str
    label: str
    price: int
    clause: str = ""
    icon: str = ""  # one of the scene's
    values: dict[str, str] = {}
    marks: tuple[Mark, ...] = ()


class MusterLine(Struct, frozen=True):
    """A line of a list with its price: ``label`` says it whole, the last four are its parts."""

    place: str  # where in the list, such as ``unit[2]``
    label: str
    count: int
    each: int
    total: int
    key: str = ""
    what: str = ""  # the key by its name
    name: str = ""
    marks: tuple[str, ...] = ()


class MusterProblem(Struct, frozen=True):
    """What is wrong with a list, or merely unusual, and where in it."""

    place: str
    severity: Literal["error", "warning"]
    clause: str
    text: str


class Muster(Struct, frozen=True):
    """A list, priced and judged."""

    name: str
    cost: int
    budget: int
    ok: bool
    lines: tuple[MusterLine, ...]
    problems: tuple[MusterProblem, ...]
