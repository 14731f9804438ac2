"""Where the luck of a command comes from: a seed, a script, or dice that a person rolls and types."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from secrets import randbelow
from typing import TypeVar

from ..kernel import Dice, Luck, NeedLuck, Scripted, Seeded
from ..kernel.chance import WrongLuck
from ..kernel.commitment import dice_of
from ..lab.audit import Sitting
from .common import Fault, read_line
from .words import Words

T = TypeVar("T")
Ask = Callable[[NeedLuck], list[int]]

SEEDS = 1_000_000  # a drawn seed is short enough to be said
SCRIPT = "script:"


class Source:
    """Carries something out with luck; seeded dice depend on ``number``, that of the journal's entry."""

    def run(self, number: int, carry_out: Callable[[Dice], T]) -> T:
        raise NotImplementedError


class SeededSource(Source):
    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def run(self, number: int, carry_out: Callable[[Dice], T]) -> T:
        return carry_out(Seeded(f"{self.seed}/{number}"))


class MatchSource(Source):
    """The dice of a match as ``sat`` has it: ``number`` is that of the row."""

    def __init__(self, sat: Sitting, seats: Sequence[str]) -> None:
        self.sat, self.seats = sat, seats

    def run(self, number: int, carry_out: Callable[[Dice], T]) -> T:
        sat = self.sat
        return carry_out(dice_of(sat.scheme, sat.seed or 0, number, sat.contributions, self.seats))


class ScriptSource(Source):
    """Results written down beforehand, in the order in which they are asked for."""

    def __init__(self, faces: list[int], words: Words) -> None:
        self.script, self.words = Scripted(faces), words

    def run(self, number: int, carry_out: Callable[[Dice], T]) -> T:
        try:
            return carry_out(self.script)
        except NeedLuck as need:
            raise Fault(self.words("dice_wanted", luck=luck_text(need.luck, self.words))) from None
        except WrongLuck as error:
            raise Fault(self.words("dice_wrong", problem=error.say(self.words.lang))) from None


class TypedSource(Source):
    """A person says what fell: what was asked for so far is carried out again with one answer more."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask

    def run(self, number: int, carry_out: Callable[[Dice], T]) -> T:
        faces: list[int] = []
        while True:
            try:
                return carry_out(Scripted(faces))
            except NeedLuck as need:
                faces += self.ask(need)


def draw_seed() -> int:
    return randbelow(SEEDS)


def parse_faces(text: str) -> list[int]:
    """``5,4,2`` or ``5 4 2``."""
    return [int(word) for word in text.replace(",", " ").split()]


def make_source(spec: str, seed: int | str, ask: Ask, words: Words) -> Source:
    """The source that ``--dice`` names: seeded, typed, script:5,4,2 or simply 5,4,2."""
    if spec == "seeded":
        return SeededSource(seed)
    if spec == "typed":
        return TypedSource(ask)
    try:
        return ScriptSource(parse_faces(spec.removeprefix(SCRIPT)), words)
    except ValueError:
        raise Fault(words("bad_dice", spec=spec)) from None


def luck_text(luck: Luck, words: Words) -> str:
    """What is asked for, as people say it: ``3d6 (1-4, 5-6)``, or the lots of a draw with their numbers."""
    if luck.weights:
        lots = ", ".join(f"{lot_name(luck, i)} (×{w})" for i, w in enumerate(luck.weights) if w > 0)
        return words("draw", lots=lots)
    marked = "" if luck.low == 1 else f" [{luck.low}–{luck.high}]"
    return f"{luck.n}d{luck.sides}{marked}{_bands(luck)}"


def lot_name(luck: Luck, i: int) -> str:
    """A lot by its name, or by its number if it has none."""
    return luck.names[i] if i < len(luck.names) else str(i)


def parse_answer(text: str, luck: Luck) -> list[int]:
    """Faces of dice, run together or apart; a lot by its name or, if it is no name, by its number from 0."""
    if text.strip().lower() in luck.names:
        return [luck.names.index(text.strip().lower())]
    return parse_faces(" ".join(text) if _run_together(text, luck) else text)


def _bands(luck: Luck) -> str:
    """Which results the rules tell apart."""
    tops = sorted({band for band in luck.bands if luck.low <= band < luck.high} | {luck.high})
    if not luck.bands or len(tops) < 2:
        return ""
    lows = [luck.low, *(top + 1 for top in tops)]
    ranges = (f"{a}–{b}" if a < b else str(a) for a, b in zip(lows, tops, strict=False))
    return f" ({' | '.join(ranges)})"


def _run_together(text: str, luck: Luck) -> bool:
    """``542`` for three dice."""
    return luck.n > 1 and luck.high < 10 and text.strip().isdecimal() and len(text.strip()) == luck.n


def typed_faces(
    luck: Luck, read: Callable[[str], str], refuse: Callable[[str], None], words: Words
) -> list[int]:
    """Ask until the answer can have fallen."""
    while True:
        text = read(words("type_draw" if luck.weights else "type_dice", luck=luck_text(luck, words)))
        try:
            faces = parse_answer(text, luck)
        except ValueError:
            refuse(words("not_a_lot" if luck.names else "not_numbers", text=text.strip()))
            continue
        wrong = luck.wrong(faces)
        if wrong is None:
            return faces
        refuse(words.tell(wrong))


def type_at_prompt(words: Words) -> Ask:
    """A person at the keyboard types dice; questions go to the error output: the output stays clean."""

    def read(prompt: str) -> str:
        print(prompt, end="", file=sys.stderr, flush=True)
        try:
            return read_line("")
        except EOFError:
            print(file=sys.stderr)
            raise Fault(words("dice_wanted", luck=prompt.strip(" :"))) from None

    def refuse(problem: str) -> None:
        print(problem, file=sys.stderr)

    return lambda need: typed_faces(need.luck, read, refuse, words)
