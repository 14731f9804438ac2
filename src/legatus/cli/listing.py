"""The legal actions as a person chooses among them: by number and by text, a page at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from ..kernel import Action, say
from ..scene.text import flow
from .words import Words

PAGE = 24  # lines shown at once
LABEL = 30  # characters of a label, at most, that make a column of their own
PLAIN = "—"  # an action of which the label says everything

Entry = tuple[str, Action]


class Row:
    """Actions that begin alike, on one line: ``move legion-1   4 rome1  5 rome2  6 barb2``."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.entries: list[Entry] = []
        self.first = 0  # the number of its first action, counted from 0


class Listing:
    """Numbered actions: those that begin alike stand together."""

    def __init__(
        self, actions: Sequence[Action], words: Words, remark: Callable[[Action], str] = lambda _: ""
    ) -> None:
        self.words, self.remark = words, remark
        self.rows = _rows(actions)
        self.actions: list[Action] = []
        for row in self.rows:
            row.first = len(self.actions)
            self.actions += [action for _, action in row.entries]
        self.next = 0  # the first row not shown yet

    def show_first(self, console: Console) -> None:
        self.next = 0
        self.show_page(console)

    def show_page(self, console: Console) -> None:
        """The next page; after the last one, the first again."""
        if self.next >= len(self.rows):
            self.next = 0
        shown: list[Text] = []
        while self.next < len(self.rows):
            lines = self._lines(self.rows[self.next], range(len(self.rows[self.next].entries)), console.width)
            if shown and len(shown) + len(lines) > PAGE:
                break
            shown += lines
            self.next += 1
        _print(console, shown)
        rest = Counter(say(a).split()[0] for row in self.rows[self.next :] for _, a in row.entries)
        if rest:
            verbs = ", ".join(verb if n == 1 else f"{verb} ×{n}" for verb, n in rest.items())
            console.print(Text(self.words("more", n=rest.total(), verbs=verbs), style="dim"))

    def show_matching(self, console: Console, wanted: str) -> None:
        """Only the actions in which every wanted word occurs; without a word, all."""
        words = wanted.lower().split()
        shown: list[Text] = []
        for row in self.rows:
            lines = (say(action).lower() for _, action in row.entries)
            hits = [i for i, line in enumerate(lines) if all(word in line for word in words)]
            if hits:
                shown += self._lines(row, hits, console.width)
        _print(console, shown)
        if not shown:
            console.print(Text(self.words("nothing_with", text=wanted), style="red"))

    def show_with(self, console: Console, ident: str) -> None:
        """Only the actions that name a unit or a place."""
        for row in self.rows:
            hits = [i for i, (_, action) in enumerate(row.entries) if ident in action.clicks()]
            if hits:
                _print(console, self._lines(row, hits, console.width))

    def _lines(self, row: Row, hits: Sequence[int], width: int) -> list[Text]:
        digits = len(str(len(self.actions)))
        wide = min(LABEL, max(len(r.label) for r in self.rows))
        chunks = [Text(row.label.ljust(wide))] if row.label else []
        for i in hits:
            number = f"{row.first + i + 1:>{digits}} "
            text, action = row.entries[i]
            remark = self.remark(action)
            note = (f"({remark}) " if remark else "", "dim")
            chunks.append(Text.assemble((number, "bold cyan"), f"{text} ", note))
        lines = flow(chunks, width, wide + 1 if row.label else 0)
        for line in lines:
            line.rstrip()
        return lines


def _print(console: Console, lines: Sequence[Text]) -> None:
    for line in lines:
        console.print(line, no_wrap=True, overflow="fold")


def _rows(actions: Sequence[Action]) -> list[Row]:
    """A row for each verb and its first word; verbs of one word more, or of none, share a row."""
    said = [(say(action).split(" ", 2), action) for action in actions]
    short = {verb for verb, *_ in (words for words, _ in said)}
    short -= {words[0] for words, _ in said if len(words) > 2}
    rows: dict[str, Row] = {}
    bare = Row("")
    for words, action in said:
        verb, first, rest = (*words, "", "")[:3]
        if not first and verb in short:
            bare.entries.append((verb, action))
            continue
        label, text = (verb, first) if verb in short else (f"{verb} {first}".strip(), rest)
        rows.setdefault(label, Row(label)).entries.append((text or PLAIN, action))
    ordered = [row for verb in dict.fromkeys(words[0] for words, _ in said) for row in _of(verb, rows)]
    return [*ordered, bare] if bare.entries else ordered


def _of(verb: str, rows: dict[str, Row]) -> list[Row]:
    return [row for label, row in rows.items() if label.split()[0] == verb]
