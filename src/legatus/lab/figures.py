"""The figures of a balance: what came of the games, by battle, field and army, and what an option changed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .handicap import Handicap
from .simulate import Result, count
from .stats import Estimate, quartiles, share


class Played(Result, frozen=True):
    """How one game went, and by how much the first seat led on the way."""

    leads: tuple[float, ...] = ()

    @property
    def result(self) -> float:
        """What it brought the first seat; a game without end is half a game, like a draw."""
        return 0.5 if self.winner is None else float(self.winner == 0)


class Tally(Struct, frozen=True):
    """What came of the games of a battle, of a field or of an army; the share is that of the first seat."""

    scenario: str
    armies: tuple[str, ...]
    games: int
    wins: tuple[int, ...]  # by seat
    draws: int
    unfinished: int
    share: Estimate  # a draw is half a win
    endings: dict[str, int]  # by clause
    mean_length: float
    lengths: tuple[int, int, int, int, int]  # least, lower quartile, median, upper quartile, most


class ArmyTally(Struct, frozen=True):
    """How an army fared against all others, from every seat."""

    army: str
    games: int
    share: Estimate


class Effect(Struct, frozen=True):
    """What another setting of an option changes, over the same battles with the same luck."""

    option: str
    value: bool | str
    usual: bool | str
    pairs: int
    before: float  # share of the first seat
    after: float
    share: Estimate  # the difference
    length: Estimate  # the difference, in decisions


class Balance(Struct, frozen=True):
    """A report.  Two runs with the same seed differ in the seconds only."""

    game: str
    version: str
    seats: tuple[str, ...]
    bots: tuple[str, ...]
    seed: str
    options: dict[str, bool | str]  # that were set
    games: int  # for each battle
    played: int
    battles: tuple[Tally, ...]
    scenarios: tuple[Tally, ...]
    armies: tuple[ArmyTally, ...]
    effects: tuple[Effect, ...]
    sought: bool  # whether handicaps were looked for
    handicaps: tuple[Handicap, ...]
    seconds: float
    interrupted: bool = False


# --- reckoning


def brought(games: Sequence[Played], seat: int) -> list[float]:
    return [played.result if seat == 0 else 1 - played.result for played in games]


def share_of(games: Sequence[Played]) -> Estimate:
    return share(sum(played.result for played in games), len(games))


def stronger(games: Sequence[Played]) -> int:
    return 0 if share_of(games).value >= 0.5 else 1


def is_uneven(games: Sequence[Played]) -> bool:
    """Whether one half is outside the interval."""
    found = share_of(games)
    return not found.low <= 0.5 <= found.high


def tally(scenario: str, armies: tuple[str, ...], games: Sequence[Played]) -> Tally:
    """The games of a battle in figures."""
    lengths = [played.decisions for played in games]
    return Tally(
        scenario=scenario,
        armies=armies,
        games=len(games),
        wins=tuple(sum(played.winner == seat for played in games) for seat in range(2)),
        draws=sum(played.finished and played.winner is None for played in games),
        unfinished=sum(not played.finished for played in games),
        share=share_of(games),
        endings=count(played.clause for played in games if played.finished),
        mean_length=sum(lengths) / max(1, len(lengths)),
        lengths=quartiles(lengths),
    )
