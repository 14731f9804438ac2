"""``legatus analyse`` and ``legatus branch``: where a battle was won, and what if."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..bots import HUMAN, bot_name
from ..kernel import Match
from ..kernel.commitment import COMMITTED, commitment_of, new_seed, private_seed
from ..kernel.files import BadFile, write_text
from ..kernel.words import LANGS
from ..lab.analyse import Analysis, Moment, Plan, Swing, jobs_of
from ..lab.analyse import analyse as run_analysis
from ..lab.audit import Sitting
from ..lab.branch import CannotBranch
from ..lab.branch import branch as branch_off
from .common import (
    BULLET,
    Fault,
    JsonOption,
    LangOption,
    SeedOption,
    Teller,
    check_new,
    find_seat,
    print_hanging,
    print_json,
    read_record,
    screen,
    speak,
)
from .record import Record
from .runs import JobsOption, at_least_one, progress_bar
from .words import Words

BARS = "▁▂▃▄▅▆▇█"
WIDEST = 72  # characters of a chart
OPPONENT = "greedy"
DEFAULT = Plan()

RecordArgument = Annotated[str, typer.Argument(metavar="RECORD", help="record")]
PlayoutsOption = Annotated[int, typer.Option("--playouts", help="playouts")]
SamplesOption = Annotated[int, typer.Option("--samples", help="samples")]
BotOption = Annotated[str, typer.Option("--bot", help="playout_bot")]
OutOption = Annotated[Path | None, typer.Option("--out", help="analysis_out")]


def analyse(
    record: RecordArgument,
    playouts: PlayoutsOption = DEFAULT.playouts,
    samples: SamplesOption = DEFAULT.samples,
    bot: BotOption = "greedy",
    seed: SeedOption = 0,
    jobs: JobsOption = None,
    out: OutOption = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell how probably each side was to win after every action, and what luck and decisions did."""
    words = speak(lang)
    at_least_one(words, playouts=playouts, samples=samples, jobs=jobs)
    if out is not None:
        check_new(out, words)
    match = read_record(record)
    if len(match.journal) < 2:
        raise Fault(words("analyse_nothing", file=record))
    plan = Plan(bot_name(bot), playouts, samples, str(seed))
    with progress_bar(jobs_of(plan, len(match.journal)), words) as progress:
        found = run_analysis(match, plan, jobs or 1, progress)
    if out is not None:
        write_text(out, json.dumps(analysis_data(match, found), ensure_ascii=False) + "\n")
    if as_json:
        print_json(analysis_data(match, found))
    else:
        _Report(match, found, words).print()


def analysis_data(match: Match, found: Analysis) -> dict[str, Any]:
    """The analysis for programs; turning points are told in every language."""
    seats = match.game.seats
    moments = [
        msgspec.to_builtins(moment) | {"seat": None if moment.seat is None else seats[moment.seat]}
        for moment in found.moments
    ]
    turning = [
        {"entry": entry, "told": {lang: told(match, entry, Words(lang)) for lang in LANGS}}
        for entry in found.turning
    ]
    return {
        "game": found.game,
        "plan": msgspec.to_builtins(found.plan),
        "of": seats[0],
        "error": found.error,
        "luck": {name: found.luck(seat) for seat, name in enumerate(seats)},
        "decisions": {name: found.decisions(seat) for seat, name in enumerate(seats)},
        "outlook": {name: found.outlook(seat) for seat, name in enumerate(seats)},
        "moments": moments,
        "turning": turning,
    }


def told(match: Match, entry: int, words: Words) -> list[str]:
    """What the log says of an entry, each line with its clause."""
    teller = Teller(match.game, words)
    return [teller.event(match.states[entry], event).plain for event in match.events[entry]]


class _Report:
    """An analysis on the screen."""

    def __init__(self, match: Match, found: Analysis, words: Words) -> None:
        self.match, self.found, self.words = match, found, words
        self.teller = Teller(match.game, words)
        self.console: Console = screen()
        self.names = [self.teller.seat_head(match.state, seat) for seat in range(len(match.game.seats))]

    def print(self) -> None:
        plan, words = self.found.plan, self.words
        last = len(self.found.moments) - 1
        head = {"n": last, "playouts": plan.playouts, "bot": plan.bot, "seed": plan.seed}
        self.console.print(Text(words("analyse_head", **head), style="dim"))
        self.console.print(Text(words("analyse_chart", seat=self.names[0]), style="bold"))
        self.console.print(Text(self._chart()))
        self.console.print(self._totals())
        self.console.print(Text(words("analyse_turning", n=len(self.found.turning)), style="bold"))
        for entry in self.found.turning:
            self._point(self.found.moments[entry])
        self.console.print(
            Text(words("analyse_error", error=words.figure(f"{self.found.error:.3f}")), style="dim")
        )

    def _chart(self) -> str:
        values = [moment.value for moment in self.found.moments]
        width = max(1, min(WIDEST, self.console.width, len(values)))
        picked = [values[i * (len(values) - 1) // max(1, width - 1)] for i in range(width)]
        return "".join(BARS[min(len(BARS) - 1, int(value * len(BARS)))] for value in picked)

    def _totals(self) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
        for n, heading in enumerate(("seat", "start", "luck", "decisions", "outlook", "end")):
            table.add_column(self.words(f"analyse_{heading}"), justify="right" if n else "left")
        first = self.found.moments[0]
        for seat, name in enumerate(self.names):
            value, low, high = (first.value, first.low, first.high)
            if seat:
                value, low, high = 1 - value, 1 - high, 1 - low
            start = self.words.figure(f"{value:.0%} ({low:.0%} – {high:.0%})")
            parts = (self.found.luck(seat), self.found.decisions(seat), self.found.outlook(seat))
            end = self.found.moments[-1].value
            last = f"{1 - end if seat else end:.0%}"
            table.add_row(name, start, *map(self.words.figure, (*map(points, parts), last)))
        return table

    def _point(self, moment: Moment) -> None:
        """A turning point as whoever acted sees it, and what the log told of it."""
        seat, words = moment.seat or 0, self.words
        before = self.found.moments[moment.entry - 1].value
        chances = [p if seat == 0 else 1 - p for p in (before, moment.value)]
        sign = 1 if seat == 0 else -1
        figures = {
            "before": f"{chances[0]:.0%}",
            "after": f"{chances[1]:.0%}",
            "luck": _swing(moment.luck, sign),
            "decision": _swing(moment.decision, sign),
            "outlook": points(sign * moment.rest),
        }
        told = {name: words.figure(text) for name, text in figures.items()}
        line = words("analyse_point", n=moment.entry, seat=self.names[seat], **told)
        self.console.print(Text(line, style="bold"))
        if moment.best:
            self.console.print(Text(f"  {words('analyse_best', done=moment.do, best=moment.best)}"))
        for event in self.match.events[moment.entry]:
            news = self.teller.event(self.match.states[moment.entry], event)
            print_hanging(self.console, Text("  ") + BULLET, news)


def points(value: float) -> str:
    """A change of a chance, in hundredths."""
    return f"{round(100 * value, 1) + 0:+.1f}"


def _swing(swing: Swing, sign: int) -> str:
    return f"{points(sign * swing.by)} ± {100 * swing.give:.1f}" if swing.by else "0"


# --- what if -------------------------------------------------------------------------------------


def branch(
    record: RecordArgument,
    at: Annotated[int, typer.Option("--at", metavar="N", help="branch_at")],
    seat: Annotated[str, typer.Option("--seat", help="branch_seat")],
    out: Annotated[Path, typer.Option("--out", help="branch_out")],
    bot: Annotated[str, typer.Option("--bot", help="branch_bot")] = OPPONENT,
    redeal: Annotated[bool, typer.Option("--redeal", help="redeal")] = False,
    seed: SeedOption = None,
    lang: LangOption = None,
) -> None:
    """Leave a match at some moment and go on against the computer."""
    words = speak(lang)
    match = read_record(record)
    mine = find_seat(match.game, seat, words)
    last = len(match.journal) - 1
    if not 0 <= at <= last:
        raise Fault(words("no_entry", file=record, n=at, last=last))
    check_new(out, words)
    chosen = new_seed() if seed is None else seed
    deal = redeal or match.state.outcome is None
    try:
        new = branch_off(
            match,
            at,
            mine,
            Path(record).name,
            Random(private_seed(COMMITTED, chosen, "branch")) if deal else None,
        )
    except CannotBranch as error:
        raise BadFile(record, "", error.said) from None
    players = {name: HUMAN if name == seat else bot_name(bot) for name in match.game.seats}
    sat = Sitting(players, chosen, scheme=COMMITTED, commitment=commitment_of(chosen))
    Record(new, out, sat, seed is None, ()).save()
    key = "branch_dealt" if deal else "branch_known"
    print(words(key, file=out, of=record, n=at, seat=Teller(match.game, words).seat(new.state, mine)))
    print(words("branch_go_on", file=out))
