"""Is it fair?  Armies against armies on every field, what an option changes, and what would make it even.

Every battle, a field and who meets there, is played equally often.  The i-th game of a battle has the same
luck with and without an option, as far as the same dice are thrown: the difference of such pairs is told.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from ..kernel import Action, Decision, Game, Setup, engine
from .figures import (
    ArmyTally,
    Balance,
    Effect,
    Played,
    Tally,
    brought,
    is_uneven,
    stronger,
    tally,
)
from .handicap import LOOKS, Handicap, in_evaluation, in_points, steps
from .ledger import VERSION, Ledger, beside
from .pool import Engine, Progress, spread
from .simulate import MAX_DECISIONS, Task
from .stats import mean, share


class Battle(Struct, frozen=True):
    """A field and who meets there, as ``configure`` takes them; no armies where the field brings its own."""

    scenario: str
    armies: tuple[str, ...] = ()


# --- what is played ------------------------------------------------------------------------------


def battles(game: Game, scenarios: Sequence[str] = (), armies: Sequence[str] = ()) -> tuple[Battle, ...]:
    """Every army against every army on every field.

    Without names: all fields where armies are given, else the usual field; all ready armies that fit it.
    """
    cards = {card.key: card for card in game.scenarios("en")}
    ready = game.armies("en")
    fields = list(dict.fromkeys(scenarios)) or ([game.default_scenario] if ready else list(cards))
    found: list[Battle] = []
    for field in fields:
        card = cards.get(field)
        fit = [army.key for army in ready if card is None or card.budget in (None, army.budget)]
        chosen = list(dict.fromkeys(armies)) or (fit if card is None or card.armies else ())
        found += [Battle(field, pair) for pair in product(chosen, repeat=len(game.seats))] or [Battle(field)]
    return tuple(found)


Options = dict[str, bool | str]


def usual(game: Game, options: Options, key: str) -> bool | str:
    """How an option is set unless it is changed."""
    return options.get(key, next(option.default for option in game.options if option.key == key))


def changes(game: Game, options: Options, keys: Iterable[str]) -> tuple[tuple[str, bool | str], ...]:
    """The other settings of these options."""
    choices = {option.key: option.choices or (True, False) for option in game.options}
    return tuple((k, value) for k in keys for value in choices[k] if value != usual(game, options, k))


class Round(Task):
    """Games of several set-ups: the n-th game is one more of the n-th set-up, round and round."""

    def __init__(
        self, game: Game, setups: Sequence[Setup], names: Sequence[str], bots: tuple[str, ...], seed: str
    ) -> None:
        super().__init__(game, b"", bots, seed, False, MAX_DECISIONS)
        self.setups = [msgspec.json.encode(setup) for setup in setups]
        self.names = list(names)  # set-ups of one name share their luck

    @property
    def digest(self) -> str:
        """Tells runs apart whose armies or scenarios have the same names, but are others."""
        return sha256(b"\n".join(self.setups)).hexdigest()[:16]

    def __call__(self, number: int) -> Played:
        """Everything but the set-up is as in a simulation."""
        n, which = divmod(number, len(self.setups))
        one = Watched(
            self.game, self.setups[which], self.bots, f"{self.seed}/{self.names[which]}", False, MAX_DECISIONS
        )
        result = one(n)
        return Played(**{**msgspec.structs.asdict(result), "number": number}, leads=tuple(one.leads))


class Watched(Task):
    """A task that notes who leads on the way."""

    leads: list[float]

    def _chooser(self, number: int) -> engine.Chooser:
        choose, made, self.leads = super()._chooser(number), 0, []

        def noting(state: Any, decision: Decision, rng: Random) -> Action:
            nonlocal made
            if made in LOOKS:
                self.leads.append(self.game.evaluate(state, 0) - self.game.evaluate(state, 1))
            made += 1
            return choose(state, decision, rng)

        return noting


# --- the run -------------------------------------------------------------------------------------


class Examination:
    """One run: battles, then the same with options changed, then with the stronger side made weaker."""

    def __init__(
        self,
        game: Game,
        fights: Sequence[Battle],
        bots: Sequence[str],
        games: int,
        seed: int | str = 0,
        *,
        options: Options | None = None,
        effects: Sequence[str] = (),
        handicap: bool = False,
        engine: Engine | None = None,
        file: Path | None = None,
    ) -> None:
        self.game, self.fights, self.bots, self.games = game, tuple(fights), tuple(bots), games
        self.seed, self.options = str(seed), dict(options or {})
        self.changes = changes(game, self.options, effects)
        self.handicap, self.engine, self.file = handicap, engine, file
        self.interrupted = False

    @property
    def total(self) -> int:
        """Games, without those that look for a handicap: how many these are is seen later."""
        return len(self.fights) * (1 + len(self.changes)) * self.games

    def setup(self, battle: Battle, **more: bool | str) -> Setup:
        return self.game.configure(battle.scenario, battle.armies, **{**self.options, **more})

    @cached_property
    def names(self) -> list[str]:
        return ["/".join((fight.scenario, *fight.armies)) for fight in self.fights]

    def run(self, progress: Progress | None = None) -> Balance:
        began = time.perf_counter()
        plain = [self.setup(fight) for fight in self.fights]
        changed = [self.setup(fight, **{key: value}) for key, value in self.changes for fight in self.fights]
        names = self.names * (1 + len(self.changes))
        results = self._play([*plain, *changed], names, progress, "battles")
        size = len(self.fights)
        base = results[:size]
        handicaps = self._handicaps(plain, base, progress) if self.handicap and not self.interrupted else ()
        return Balance(
            game=self.game.key,
            version=VERSION,
            seats=self.game.seats,
            bots=self.bots,
            seed=self.seed,
            options=self.options,
            games=self.games,
            played=sum(map(len, results)) + sum(n for h in handicaps for _, n, _ in h.tried[1:]),
            battles=tuple(
                tally(f.scenario, f.armies, found) for f, found in zip(self.fights, base, strict=True)
            ),
            scenarios=self._fields(base),
            armies=self._armies(base),
            effects=tuple(
                self._effect(key, value, base, results[size * n : size * (n + 1)])
                for n, (key, value) in enumerate(self.changes, 1)
            ),
            sought=self.handicap,
            handicaps=tuple(handicaps),
            seconds=time.perf_counter() - began,
            interrupted=self.interrupted,
        )

    def _play(
        self, setups: Sequence[Setup], names: Sequence[str], progress: Progress | None, part: str
    ) -> list[list[Played]]:
        """The games of each set-up; as many as there are, if it was interrupted."""
        task = Round(self.game, setups, names, self.bots, self.seed)
        ledger = self._ledger(part, names, task.digest) if self.file is not None else None
        numbers = len(setups) * self.games
        results, stopped = spread(task, numbers, 1, progress, engine=self.engine, ledger=ledger)
        self.interrupted = self.interrupted or stopped
        found: list[list[Played]] = [[] for _ in setups]
        for played in results:
            n, which = divmod(played.number, len(setups))
            found[which].append(msgspec.structs.replace(played, number=n))
        return found

    def _ledger(self, part: str, names: Sequence[str], setups: str) -> Ledger[Played]:
        assert self.file is not None
        file = self.file if part == "battles" else beside(self.file)
        head = {
            "legatus": "balance",
            "part": part,
            "version": VERSION,
            "game": self.game.key,
            "battles": list(dict.fromkeys(names)),
            "options": self.options,
            "effects": [list(change) for change in self.changes],
            "bots": self.bots,
            "seed": self.seed,
            "games": self.games,
            "setups": setups,
        }
        return Ledger(file, head, Played)

    def _fields(self, base: Sequence[list[Played]]) -> tuple[Tally, ...]:
        fields = dict.fromkeys(fight.scenario for fight in self.fights)
        return tuple(
            tally(
                field,
                (),
                [p for f, found in zip(self.fights, base, strict=True) if f.scenario == field for p in found],
            )
            for field in fields
        )

    def _armies(self, base: Sequence[list[Played]]) -> tuple[ArmyTally, ...]:
        """Every army against the others: against itself it tells nothing."""
        told = []
        for army in dict.fromkeys(name for fight in self.fights for name in fight.armies):
            brought: list[float] = []
            for fight, found in zip(self.fights, base, strict=True):
                if fight.armies.count(army) == 1:
                    first = fight.armies.index(army) == 0
                    brought += [p.result if first else 1 - p.result for p in found]
            if brought:
                told.append(ArmyTally(army, len(brought), share(sum(brought), len(brought))))
        return tuple(sorted(told, key=lambda one: -one.share.value))

    def _effect(
        self, key: str, value: bool | str, base: Sequence[list[Played]], changed: Sequence[list[Played]]
    ) -> Effect:
        pairs = [
            (one, twin[one.number])
            for games, others in zip(base, changed, strict=True)
            for twin in [{other.number: other for other in others}]
            for one in games
            if one.number in twin
        ]
        n = max(1, len(pairs))
        return Effect(
            option=key,
            value=value,
            usual=usual(self.game, self.options, key),
            pairs=len(pairs),
            before=sum(a.result for a, _ in pairs) / n,
            after=sum(b.result for _, b in pairs) / n,
            share=mean([b.result - a.result for a, b in pairs]),
            length=mean([float(b.decisions - a.decisions) for a, b in pairs]),
        )

    # --- handicaps

    def _handicaps(
        self, setups: Sequence[Setup], base: Sequence[list[Played]], progress: Progress | None
    ) -> list[Handicap]:
        """For every battle that is not even, as far as can be told."""
        uneven = [n for n, found in enumerate(base) if is_uneven(found)]
        if not self.game.recruits("en"):
            return [self._by_evaluation(self.fights[n], base[n]) for n in uneven]
        tried: list[tuple[int, int, Setup]] = []
        for n in uneven:
            strong = stronger(base[n])
            for army, fewer in steps(self.game, setups[n].armies[strong]):
                armies = [*setups[n].armies]
                armies[strong] = army
                setup = self.game.configure(self.fights[n].scenario, armies, **self.options)
                tried.append((n, fewer, setup))
        names = [f"{self.names[n]}/-{fewer}" for n, fewer, _ in tried]
        results = self._play([setup for *_, setup in tried], names, progress, "handicaps") if tried else []
        found = [(n, fewer, played) for (n, fewer, _), played in zip(tried, results, strict=True)]
        return [
            self._by_points(self.fights[n], base[n], [(f, p) for m, f, p in found if m == n]) for n in uneven
        ]

    def _by_points(
        self, fight: Battle, base: list[Played], thinner: Sequence[tuple[int, list[Played]]]
    ) -> Handicap:
        strong = stronger(base)
        levels = [(0, brought(base, strong)), *((fewer, brought(p, strong)) for fewer, p in thinner)]
        points = [(float(fewer), result) for fewer, results in levels for result in results]
        tried = tuple((float(f), len(r), sum(r) / max(1, len(r))) for f, r in levels)
        found = in_points(points, f"{self.seed}/handicap")
        return Handicap(fight.scenario, fight.armies, strong, "points", found, tried)

    def _by_evaluation(self, fight: Battle, base: list[Played]) -> Handicap:
        strong = stronger(base)
        sign, results = (1 if strong == 0 else -1), brought(base, strong)
        games = [([sign * lead for lead in p.leads], r) for p, r in zip(base, results, strict=True)]
        found = in_evaluation(games, f"{self.seed}/handicap")
        tried = ((0.0, len(base), sum(results) / max(1, len(base))),)
        return Handicap(fight.scenario, fight.armies, strong, "evaluation", found, tried)
