"""What ``legatus fortress`` prints: designs of fortresses for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..games.onus.design import DesignSource, named, read_fortress, ready, told
from ..games.onus.fortress import Fortress, Problem, check, in_du
from ..games.onus.sketch import SIGNS, drawn, sketched
from ..games.onus.sorts import STONE, WOOD
from ..kernel.files import read_text
from ..parts.plane import UNIT
from .common import Fault, cited
from .words import Words


def read(name: str, words: Words) -> Plan:
    """A ready design by its name, or a TOML file."""
    known = ready()
    if name not in known and not Path(name).exists():
        raise Fault(words("no_fortress", name=name, known=", ".join(known)))
    return Plan(known.get(name, name), read_fortress(name), words)


def listed(words: Words) -> Table:
    """The ready designs."""
    table = _table(*(words(f"fortress_{key}") for key in ("fortress", "name")))
    for key in ("size", "pieces", WOOD, STONE):
        table.add_column(words(f"fortress_{key}"), justify="right")
    for key in ready():
        plan = read(key, words)
        costs = [str(plan.fortress.cost_in(material)) for material in (WOOD, STONE)]
        table.add_row(key, plan.name, plan.size, str(len(plan.fortress.pieces)), *costs)
    return table


def list_data(words: Words) -> list[dict[str, Any]]:
    plans = {key: read(key, words) for key in ready()}
    return [
        {"fortress": key, "name": plan.name, **plan.sums(), "file": plan.file} for key, plan in plans.items()
    ]


def _table(*heads: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=bool(heads))
    for head in heads:
        table.add_column(head)
    return table


def _outline(points: Iterable[tuple[float, ...]]) -> list[list[float]]:
    return [[round(number) / UNIT for number in point] for point in points]


class Plan:
    """A design, where it was written, and the language in which it is told."""

    def __init__(self, file: str, fortress: Fortress, words: Words) -> None:
        self.file, self.fortress, self.words = file, fortress, words

    @property
    def name(self) -> str:
        return self.fortress.name_fr if self.words.lang == "fr" else self.fortress.name

    @property
    def text(self) -> str:
        return self.fortress.text_fr if self.words.lang == "fr" else self.fortress.text

    @property
    def size(self) -> str:
        return " × ".join(in_du(length) for length in self.fortress.size)

    @cached_property
    def problems(self) -> list[Problem]:
        return check(self.fortress)

    def call(self, ident: str) -> str:
        return named(ident, self.words.lang)

    def svg(self) -> str:
        return drawn(self.fortress, self.words.lang)

    # --- for programs ---

    def sums(self) -> dict[str, Any]:
        costs = {material: self.fortress.cost_in(material) for material in (WOOD, STONE)}
        size = [length / UNIT for length in self.fortress.size]
        return {"size": size, "pieces": len(self.fortress.pieces), **costs}

    def checked_data(self) -> dict[str, Any]:
        head = {"file": self.file, "name": self.name, "material": self.fortress.material}
        lines = [
            {"piece": line.sort, "count": line.count, "each": line.each, "total": line.total}
            for line in self.fortress.lines
        ]
        problems = [
            {"place": place, "clause": problem.refusal.clause, "text": told(problem.refusal, self.words.lang)}
            for place, problem in self._placed()
        ]
        sums = {"cost": self.fortress.cost, **self.sums(), "ok": not self.problems}
        return {**head, **sums, "lines": lines, "problems": problems}

    def shape_data(self) -> dict[str, Any]:
        """Where everything is, in DU and degrees, the front to the north."""
        fortress, places = self.fortress, []
        for piece, near in zip(fortress.pieces, fortress.neighbours, strict=True):
            place: dict[str, Any] = {
                "id": piece.id,
                "piece": piece.sort.id,
                "at": _outline([piece.pose[:2]])[0],
            }
            place |= {"turn": piece.pose.turn / 10, "outline": _outline(piece.outline)}
            opening = None if piece.opening is None else _outline(piece.opening.exterior.coords[:-1])
            places.append({**place, "opening": opening, "neighbours": [fortress.pieces[j].id for j in near]})
        floor = _outline(fortress.floor.exterior.coords[:-1])
        gaps = [[a.id, b.id] for a, b in fortress.gaps]
        return {"places": places, "floor": floor, "gaps": gaps, "edge": fortress.edge}

    def _placed(self) -> list[tuple[str, Problem]]:
        """What is wrong, with its line."""
        source = DesignSource(self.file, read_text(self.file))
        return [(self.words.tell(source.place(problem.place)), problem) for problem in self.problems]

    # --- for people ---

    def print_check(self, console: Console) -> None:
        console.print(Text(self.name, style="bold"))
        self._print_prices(console)
        self._print_problems(console)

    def print_plan(self, console: Console) -> None:
        console.print(Text(self.name, style="bold"))
        if self.text:
            console.print(Text(self.text))
        console.print(Text(f"\n{sketched(self.fortress)}\n"), no_wrap=True, crop=False, overflow="ignore")
        signs = ", ".join(f"{sign[0]} {self.call(kind)}" for kind, sign in SIGNS.items())
        console.print(Text(self.words("fortress_legend", signs=signs, size=self.size)))
        self._print_pieces(console)
        self._print_prices(console)
        self._print_problems(console)

    def _print_pieces(self, console: Console) -> None:
        fortress = self.fortress
        table = _table(*(self.words(f"fortress_{key}") for key in ("piece", "at", "turn", "beside")))
        for piece, near in zip(fortress.pieces, fortress.neighbours, strict=True):
            place = f"{in_du(piece.pose.x)} {in_du(piece.pose.y)}"
            beside = ", ".join(self.call(fortress.pieces[j].id) for j in near)
            table.add_row(self.call(piece.id), place, f"{piece.pose.turn / 10:g}°", beside)
        console.print(table)
        for a, b in fortress.gaps:
            console.print(self.words("fortress_gap", one=self.call(a.id), other=self.call(b.id)))

    def _print_prices(self, console: Console) -> None:
        table = _table()
        for justify in ("right", "left", "right", "right"):
            table.add_column(justify=justify)
        for line in self.fortress.lines:
            table.add_row(str(line.count), self.call(line.sort), f"× {line.each}", str(line.total))
        console.print(table)
        costs = {"wood": self.fortress.cost_in(WOOD), "stone": self.fortress.cost_in(STONE)}
        console.print(self.words("fortress_total", cost=self.fortress.cost, **costs))

    def _print_problems(self, console: Console) -> None:
        colon = self.words("colon")
        for place, problem in self._placed():
            where = Text("".join(part + colon for part in (self.file, place) if part))
            kind = Text(self.words("error") + colon, style="bold red")
            text = cited(told(problem.refusal, self.words.lang), problem.refusal.clause)
            console.print(where + kind + text, soft_wrap=True)
        number = len(self.problems)
        console.print(self.words("army_bad", n=number) if number else self.words("army_good"))
