"""Scenario files of games in which a scenario has both armies: how they are read, checked and listed.

A game gives its form of a scenario and what it checks.  What is wrong is told with the file, the line and
what was expected, in the game's own sentences: those of SAID, and whatever its check says besides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from ..kernel import BadFile, Game, Message, Option, Setup
from ..kernel.files import Source, parse_toml, read_text
from ..kernel.muster import ScenarioCard
from ..kernel.rulebook import Folder
from ..kernel.setup import settle

SAID = tuple(
    f"file.{key}" for key in ("bad_id", "named", "no_armies", "no_such_hex", "range", "too_many_hexes")
)


class Plan(Protocol):
    """What every form of a scenario has."""

    @property
    def name(self) -> str: ...
    @property
    def name_fr(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def text_fr(self) -> str: ...
    @property
    def options(self) -> dict[str, Any]: ...
    @property
    def edition(self) -> int: ...


P = TypeVar("P", bound=Plan)


class ScenarioSource(Source):
    """Where a scenario was written, and what is asked of many of its entries."""

    def in_range(self, where: str, value: int, low: int, high: int) -> None:
        if not low <= value <= high:
            raise self.bad(where, Message("file.range", {"low": low, "high": high, "found": value}))

    def map_size(self, columns: int, rows: int, least: int, longest: int, most: int) -> None:
        """A map of ``least`` to ``longest`` columns and rows, and of ``most`` hexes."""
        self.in_range("columns", columns, least, longest)
        self.in_range("rows", rows, least, longest)
        if columns * rows > most:
            raise self.bad("columns", Message("file.too_many_hexes", {"most": most}))

    def on_map(self, where: str, name: str, cells: Collection[str]) -> None:
        if name not in cells:
            raise self.bad(where, Message("file.no_such_hex", {"hex": repr(name)}))

    def new_id(self, where: str, ident: str, taken: set[str]) -> None:
        """Letters, digits and hyphens; from now on it is taken."""
        if ident in taken or not ident.replace("-", "").isalnum():
            raise self.bad(where, Message("file.bad_id", {"id": repr(ident)}))
        taken.add(ident)


class Scenarios(Generic[P]):
    """The scenarios of a game, by name or by file; ``default`` is the one that is listed first."""

    def __init__(
        self,
        home: Folder,
        form: type[P],
        check: Callable[[P, ScenarioSource], None],
        options: Sequence[Option],
        default: str,
        edition: int,
    ) -> None:
        self.home, self.form, self.check = home, form, check
        self.options, self.default, self.edition = options, default, edition

    def configure(self, scenario: str | None = None, options: Mapping[str, Any] | None = None) -> Setup:
        """Look a scenario up, fill in defaults, check everything; a BadFile says what is wrong."""
        raw, source = self._read(scenario or self.default)
        plan = self._checked(raw, source)
        below = settle(self.options, plan.options, source, edition=plan.edition)
        settled = settle(self.options, options or {}, self._source("options"), below)
        return Setup(_plain(plan), (), settled, edition=self.edition)

    def validate(self, setup: Setup) -> Setup:
        """The set-up of a record, checked anew; options that it does not name are those of its edition."""
        plan = self._checked(setup.scenario, self._source("scenario"))
        if setup.armies:
            raise self.no_armies()
        settled = settle(self.options, setup.options, self._source("options"), edition=setup.edition)
        return Setup(_plain(plan), (), settled, edition=self.edition)

    def no_armies(self) -> BadFile:
        """Against armies that are given besides."""
        return BadFile("armies", "", Message("file.no_armies"), self.home.messages)

    def plan(self, setup: Setup) -> P:
        """The scenario of a set-up that was configured or validated."""
        return msgspec.convert(setup.scenario, self.form)

    def cards(self, lang: str) -> tuple[ScenarioCard, ...]:
        """What a lobby lists; what has no French is told in English."""
        french = lang == "fr"
        return tuple(
            ScenarioCard(key, (french and plan.name_fr) or plan.name, (french and plan.text_fr) or plan.text)
            for key, plan in self._plans.items()
        )

    @cached_property
    def _plans(self) -> dict[str, P]:
        names = sorted(self.home.names("scenarios"), key=lambda name: (name != self.default, name))
        return {name: msgspec.convert(self._read(name)[0], self.form) for name in names}

    def _source(self, file: str, text: str = "") -> ScenarioSource:
        return ScenarioSource(file, text, self.home.messages)

    def _checked(self, raw: dict[str, Any], source: ScenarioSource) -> P:
        plan = source.take(raw, self.form, self.edition)
        self.check(plan, source)
        return plan

    def _read(self, name: str) -> tuple[dict[str, Any], ScenarioSource]:
        """By its name or its file; what it does not say is as in the one that it is ``like``."""
        known = self.home.names("scenarios")
        path = str(known.get(name, name if name.endswith(".toml") else ""))
        if not path:
            raise BadFile(name, "", Message("file.named", {"known": tuple(known)}), self.home.messages)
        text = read_text(path)
        raw, source = parse_toml(text, path), self._source(path, text)
        like = raw.pop("like", None)
        if like is not None:
            source.one_of("like", like, [other for other in known if other != name])
            raw = {**self._read(str(like))[0], "edition": 1, **raw}  # its own edition, not that of the other
        return raw, source


def _plain(plan: Plan) -> Any:
    """As a record holds it."""
    return msgspec.json.decode(msgspec.json.encode(plan))


class ScenarioGame(Game):
    """A game that takes its set-ups from ``battles``."""

    battles: Scenarios[Any]

    def configure(
        self, scenario: str | None = None, armies: Sequence[str | dict[str, Any]] = (), **options: bool | str
    ) -> Setup:
        if armies:
            raise self.battles.no_armies()
        return self.battles.configure(scenario, options)

    def validate(self, setup: Setup) -> Setup:
        return self.battles.validate(setup)

    def scenarios(self, lang: str) -> tuple[ScenarioCard, ...]:
        return self.battles.cards(lang)
