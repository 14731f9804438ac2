"""Views and actions as numbers.  It knows no game: it reads the columns of a state by their types.

An observation is one vector: a head (who looks, who is asked what, what waits on the stack) and then every
column of the view.  An action is told by its place in the list of legal actions, and each of them by a row of
numbers.  All of it is made from what the seat may know; see ``docs/guides/train-an-agent.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..kernel import Action, Decision, Game, Seat, Seeded, Setup, State, Step, engine, say
from ..kernel.codec import mirror
from ..kernel.fields import cached_by_class, field_names
from ..kernel.objects import ValueObject

Vector = NDArray[np.float32]

ROOM = 256  # legal actions that are offered at once; where there are more, the last index turns the page
WORDS = 8  # of an action or a decision that are told one by one
ROW = 3 + 2 * WORDS + 1  # numbers for each legal action
LIMIT = float(2**20)  # no number is larger
LEAST, MOST = 8, 32  # a list has room for twice as many entries as at first, but for so many more
EMPTY_NUMBERS, EMPTY = 96, 16  # places of a list that is empty at first: of numbers, of other things
INNER = 4  # entries of a list of unknown length within a list
BUCKETS = 4096  # words that no table has

NOTHING, NUMBER, WORD, TABLES = range(4)  # kinds of words; from TABLES on: the tables, one after the other


class Section(NamedTuple):
    """A part of the observation: ``vector[start : start + width]``."""

    name: str
    start: int
    width: int


class Layout:
    """How the views and actions of a game with this set-up are written as numbers.

    It depends on game and set-up only: the lengths of lists are those after a set-up with one fixed seed.
    """

    def __init__(self, game: Game, setup: Setup, room: int = ROOM) -> None:
        if room < 2:
            raise ValueError("a menu has room for two actions at least")
        self.game, self.setup, self.room = game, setup, room
        first = engine.start(game, setup, Seeded("layout")).state
        self.asked = tuple(kind for kind in game.steps if issubclass(kind, Decision))
        self.verbs = {kind: n for n, kind in enumerate(game.actions, 1)}
        self.tables = _tables(game, first)
        self._places = {word: (float(k), float(n)) for word, k, n in _places(self.tables)}
        self._parts = tuple(_parts(game, first))
        self.sections = tuple(self._sections())
        self.width = self.sections[-1].start + self.sections[-1].width
        self._at = {section.name: section.start for section in self.sections}

    def _sections(self) -> Iterator[Section]:
        seats = len(self.game.seats)
        head = {
            "head.seat": seats,
            "head.asked_seat": seats,
            "head.asked": len(self.asked),
            "head.asked_words": 2 * WORDS,
            "head.stack": len(self.game.steps),
            "head.page": 1,
            "head.cut": 1,
        }
        start = 0
        for name, width in [*head.items(), *((name, part.width) for name, part in self._parts)]:
            yield Section(name, start, width)
            start += width

    # --- observations ----------------------------------------------------------------------------

    def observe(self, view: Any, seat: Seat, page: int = 0) -> Vector:
        """What ``seat`` sees, as a vector; ``view`` is the game's view of that seat, never its state."""
        out = np.zeros(self.width, np.float32)
        cut = 0
        columns = self.sections[-len(self._parts) :]
        for (name, part), section in zip(self._parts, columns, strict=True):
            room = out[section.start : section.start + section.width]
            cut += part.write(getattr(view, name), room)
        self._head(out, view, seat, page, cut)
        return np.clip(out, -LIMIT, LIMIT, out=out)

    def _head(self, out: Vector, view: State, seat: Seat, page: int, cut: int) -> None:
        def put(name: str, *numbers: float, place: int = 0) -> None:
            start = self._at[name] + place
            out[start : start + len(numbers)] = numbers

        put("head.seat", 1, place=seat)
        decision = view.decision
        if decision is not None:
            put("head.asked_seat", 1, place=decision.seat)
            put("head.asked", 1, place=self.asked.index(type(decision)))
            put("head.asked_words", *self._flat_words(view, decision)[: 2 * WORDS])
        waiting = Counter(type(step) for step in view.todo)
        put("head.stack", *(waiting[kind] for kind in self.game.steps))
        put("head.page", page)
        put("head.cut", cut)

    # --- actions ---------------------------------------------------------------------------------

    def rows(self, view: Any, actions: Sequence[Action]) -> Vector:
        """The legal actions that are offered, a row for each; the rows of no action are all zero."""
        out = np.zeros((self.room, ROW), np.float32)
        if actions:
            out[: len(actions)] = self.row_list(view, actions)
        return out

    def row_list(self, view: Any, actions: Sequence[Action]) -> Vector:
        """The same for as many actions as there are."""
        out = np.zeros((len(actions), ROW), np.float32)
        for n, action in enumerate(actions):
            words = self._flat_words(view, action)
            kept = words[: 2 * WORDS]
            out[n, :3] = self.verbs[type(action)], action.weighed, len(words) // 2
            out[n, 3 : 3 + len(kept)] = kept
            out[n, -1] = crc32(say(action).encode()) / 2**32
        return np.clip(out, -LIMIT, LIMIT, out=out)

    def mask(self, offered: int, more: bool = False) -> NDArray[np.int8]:
        """1 for each index that may be chosen."""
        mask = np.zeros(self.room, np.int8)
        mask[:offered] = 1
        if more:
            mask[-1] = 1
        return mask

    def _flat_words(self, view: Any, said: Step | Action) -> list[float]:
        """The fields of an action or a decision, each as a kind and a number."""
        fresh: Sequence[str] = getattr(view, "ids", ())
        return [number for value in _flat(said) for number in self._word(value, fresh)]

    def _word(self, value: Any, fresh: Sequence[str]) -> tuple[float, float]:
        if value is None or value == "":
            return NOTHING, 0.0
        if isinstance(value, int | float):
            return NUMBER, float(value)
        if value in self._places:
            return self._places[value]
        if value in fresh:  # a piece that was made during the game
            return float(TABLES + len(self.tables)), float(fresh.index(value))
        return WORD, float(crc32(str(value).encode()) % BUCKETS)


def menu(actions: Sequence[Action], room: int, page: int = 0) -> tuple[Sequence[Action], bool]:
    """The actions that a page offers, and whether index ``room - 1`` turns to the next page."""
    left = actions[page * (room - 1) :]
    return (left, False) if len(left) <= room else (left[: room - 1], True)


# --- tables: what words stand for ----------------------------------------------------------------


def _tables(game: Game, state: Any) -> dict[str, tuple[str, ...]]:
    """The things that have an id, by kind: those of the roster in its order, then the areas of the screen."""
    tables: dict[str, tuple[str, ...]] = {}
    roster = getattr(state, "roster", None)
    for name in () if roster is None else field_names(type(roster)):
        things = getattr(roster, name)
        if isinstance(things, tuple) and things and all(hasattr(thing, "id") for thing in things):
            tables[name] = tuple(thing.id for thing in things)
    tables["areas"] = tuple(area.id for area in game.scene(game.view(state, None), None, "en").areas)
    return tables


def _places(tables: dict[str, tuple[str, ...]]) -> Iterator[tuple[str, int, int]]:
    """Every id with its table and its place there; the first table that has it counts."""
    for kind, ids in reversed(list(enumerate(tables.values(), TABLES))):
        yield from ((word, kind, n) for n, word in enumerate(ids))


@cached_by_class
def _fields(kind: type) -> tuple[str, ...]:
    names = field_names(kind) if issubclass(kind, ValueObject) else kind.__struct_fields__  # type: ignore[attr-defined]
    return tuple(name for name in names if name != "seat")


def _flat(value: Any) -> Iterator[Any]:
    """The words of a struct or a sequence, one after the other; switches are 0 and 1."""
    if isinstance(value, msgspec.Struct | ValueObject):
        for name in _fields(type(value)):
            yield from _flat(getattr(value, name))
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _flat(part)
    elif isinstance(value, set | frozenset | dict):
        yield from _flat(sorted(value))
    else:
        yield value


# --- columns: numbers of fixed places ------------------------------------------------------------


class Part(NamedTuple):
    """How a value is written: into how many numbers, and by what, which says how much did not fit."""

    width: int
    write: Callable[[Any, Vector], int]


def _parts(game: Game, state: State) -> Iterator[tuple[str, Part]]:
    """The columns of a state but for the stack, the outcome, and what is settled before the game."""
    hints = get_type_hints(mirror(game.state_type))
    for name in field_names(game.state_type):
        kind = hints[name]
        if name in ("todo", "outcome") or (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
            continue
        try:
            yield name, _part(kind, getattr(state, name))
        except TypeError as error:
            raise TypeError(f"{game.key}: column {name}: {error}") from None


def _part(kind: Any, sample: Any) -> Part:
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):  # int | None
        return _part(next(arg for arg in args if arg is not type(None)), sample)
    if kind in (int, float, bool):
        return Part(1, _write_number)
    if kind is str:
        return Part(2, _write_text)
    if origin is tuple and args[-1:] != (...,):
        return _row([_part(arg, part) for arg, part in zip(args, sample or (None,) * len(args), strict=True)])
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = get_type_hints(kind)
        return _row([_part(hints[name], getattr(sample, name, None)) for name in kind._fields])
    if origin in (list, tuple):
        return _list(args[0], sample)
    raise TypeError(f"no numbers for {kind}")


def _write_number(value: Any, out: Vector) -> int:
    out[0] = 0 if value is None else value
    return 0


def _write_text(value: str | None, out: Vector) -> int:
    """Its length, and a number that hardly any other text has."""
    if value:
        out[:] = len(value), crc32(value.encode()) / 2**32
    return 0


def _row(parts: list[Part]) -> Part:
    """Values of a fixed number, each with its own part."""

    def write(values: Any, out: Vector) -> int:
        cut = start = 0
        for part, value in zip(parts, values or (), strict=False):
            cut += part.write(value, out[start : start + part.width])
            start += part.width
        return cut

    return Part(sum(part.width for part in parts), write)


def _list(kind: Any, sample: Any) -> Part:
    """A list: its length, then its entries; those for which there is no place are left out."""
    part = _part(kind, _typical(kind, sample))
    plain = part.write is _write_number
    places = _places_of(sample, plain)

    def write(values: Any, out: Vector) -> int:
        values = values or ()
        out[0] = len(values)
        kept = values[:places]
        if plain:
            out[1 : 1 + len(kept)] = kept
            return len(values) - len(kept)
        cut, start = len(values) - len(kept), 1
        for value in kept:
            cut += part.write(value, out[start : start + part.width])
            start += part.width
        return cut

    return Part(1 + places * part.width, write)


def _places_of(sample: Any, plain: bool) -> int:
    """For how many entries a list has room."""
    if sample is None:  # within a list
        return INNER
    if not sample:
        return EMPTY_NUMBERS if plain else EMPTY
    return len(sample) + max(LEAST, min(MOST, len(sample)))


def _typical(kind: Any, sample: Any) -> Any:
    """An entry by which the entries of a list are measured: hands have their length, stacks have none."""
    if get_origin(kind) is list and sample:
        return max(sample, key=len)
    return None
