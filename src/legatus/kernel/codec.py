"""Actions as lines: the form that records hold and people type, and the sentence that a menu shows.

States as plain data, as files hold them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, Union

import msgspec

from .model import Action, Game, State
from .words import Complaint, Figure, Message, Messages, Named, quoted

K = TypeVar("K")


class BadAction(Complaint):
    """A line that is no action of the game."""


def verb(kind: type[Action]) -> str:
    return str(kind.__struct_config__.tag)


@cache
def _fields(kind: type[Action]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


LONGEST_KEPT = 300  # characters of a text that is kept: longer ones are made each time
MOST_KEPT = 50_000


class Kept(dict[K, str]):
    """Texts by what they were made of.  They are bounded in length too: clients choose ids of their own."""

    def __init__(self, make: Callable[[K], str], size: Callable[[K, str], int]) -> None:
        super().__init__()
        self.make, self.size = make, size

    def __missing__(self, key: K) -> str:
        text = self.make(key)
        if self.size(key, text) <= LONGEST_KEPT:
            if len(self) >= MOST_KEPT:
                self.clear()
            self[key] = text
        return text


def say(action: Action) -> str:
    """The readable line: ``fight vet-legion-2 hill``.  A flag is said by its name, a path with ``>``."""
    return _lines[action]


def _line(action: Action) -> str:
    words = [verb(type(action))]
    for field in _fields(type(action)):
        value = getattr(action, field.name)
        if isinstance(value, bool):
            words += [field.name.replace("_", "-")] if value else []
        elif value not in ("", ()):
            words.append(">".join(map(str, value)) if isinstance(value, tuple) else str(value))
    return " ".join(words)


_lines = Kept(_line, lambda _, line: len(line))


def label(game: Game, state: Any, action: Action, lang: str, name: Callable[[str], str] | None = None) -> str:
    """What a menu calls an action: the sentence ``action.<verb>`` of the game, with ids by their names.

    ``name`` is the game's own, unless somebody knows it by heart.

    A field that may be left out and is said adds ``extra.<verb>.<field>``: a switch that is on, a path.
    Where a game has no sentence for it, it is called as it is said.
    """
    fields, sentence, extras = _sentences(game.folder.messages[lang], type(action))
    said = [sentence, *[extra for field, extra in extras if getattr(action, field)]]
    parts = tuple([part for part in said if part is not None])
    if len(parts) < len(said):
        return say(action)
    called = name or (lambda word: game.name(state, word, lang))
    words = tuple([_named(field, getattr(action, field), called) for field in fields])
    return _labels[parts, fields, words]


Label = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Sentences, the fields of an action, and the words for them."""


def _filled(label: Label) -> str:
    """One sentence after the other, with these words in them."""
    parts, fields, words = label
    values = Named(zip(fields, words, strict=True))
    text = "".join(part.format_map(values) for part in parts)
    return text[:1].upper() + text[1:]


_labels = Kept(_filled, lambda label, text: len(text) + sum(map(len, label[2])))


@cache
def _sentences(
    messages: Messages, kind: type[Action]
) -> tuple[tuple[str, ...], str | None, tuple[tuple[str, str | None], ...]]:
    """Of a kind of action: its fields, its sentence, and what fields that may be left out add to it."""
    found, name = messages.sentences, verb(kind)
    extras = [(f.name, found.get(f"extra.{name}.{f.name}")) for f in _fields(kind) if not f.required]
    return tuple(f.name for f in _fields(kind)), found.get(f"action.{name}"), tuple(extras)


def _named(field: str, value: Any, name: Callable[[str], str]) -> str:
    if isinstance(value, str):
        return name(value)
    if isinstance(value, int):
        return Figure(value)
    between = " → " if field == "path" else ", "
    return between.join(name(str(part)) for part in (value if isinstance(value, tuple) else (value,)))


def parse_action(game: Game, text: str) -> Action:
    """The action said by a line, or by JSON."""
    text = text.strip()
    if text.startswith("{"):
        try:
            return msgspec.json.decode(text, type=union(game.actions))  # type: ignore[no-any-return]
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            problem = quoted(str(error))
            raise BadAction(Message("action.not_of", {"game": game.key, "problem": problem})) from None
    words = text.split()
    kinds = {verb(kind): kind for kind in game.actions}
    kind = kinds.get(words[0]) if words else None
    if kind is None:
        raise BadAction(Message("action.verbs", {"text": repr(text), "known": tuple(sorted(kinds))}))
    return _parse_fields(kind, words[1:])


def _parse_fields(kind: type[Action], words: list[str]) -> Action:
    values: dict[str, Any] = {}
    left = list(words)
    fields = _fields(kind)
    for field in fields:
        if field.type is bool:
            flag = field.name.replace("_", "-")
            if flag in left:
                left.remove(flag)
                values[field.name] = True
        elif left:
            word = left.pop(0)
            values[field.name] = word.split(">") if "tuple" in str(field.type) else word
        elif field.required:
            raise _misused(kind, Message("action.missing", {"field": field.name}))
    if left:
        raise _misused(kind, Message("action.too_much", {"text": repr(" ".join(left))}))
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise _misused(kind, quoted(str(error))) from None


def _misused(kind: type[Action], problem: Message) -> BadAction:
    return BadAction(Message("action.usage", {"usage": usage(kind), "problem": problem}))


def usage(kind: type[Action]) -> str:
    """How an action is said: ``fight UNIT [hill] [pila]``."""
    words = [verb(kind)]
    for field in _fields(kind):
        if field.type is bool:
            words.append(f"[{field.name.replace('_', '-')}]")
        else:
            words.append(field.name.upper() if field.required else f"[{field.name.upper()}]")
    return " ".join(words)


@cache
def union(types: tuple[type, ...]) -> Any:
    """Any of these types: what JSON names by its tag."""
    return Union[types]  # noqa: UP007  (built at run time)


def state_to_json(state: State) -> bytes:
    return msgspec.json.encode(state)


def state_from(game: Game, raw: dict[str, Any]) -> Any:
    """A state from plain data; the stack of steps is told apart by the game's own step types.

    A ValidationError says what is not of its type or out of its range: columns declare theirs.
    """
    steps = raw.get("todo", [])
    state = msgspec.convert({**raw, "todo": []}, game.state_type)
    state.todo = msgspec.convert(steps, list[union(game.steps)])  # type: ignore[misc]
    _check_range(steps, "$.todo")
    return state


MAX_NUMBER, MAX_ENTRIES, MAX_TEXT = 100_000, 2_000, 200  # in a step


def _check_range(value: Any, where: str) -> None:
    """Refuse numbers, lists and texts in steps that no game needs."""
    if isinstance(value, dict):
        for name, part in value.items():
            _check_range(part, f"{where}.{name}")
        return
    most, size = MAX_NUMBER, value if isinstance(value, int) else 0
    if isinstance(value, list | tuple):
        most, size = MAX_ENTRIES, len(value)
    elif isinstance(value, str):
        most, size = MAX_TEXT, len(value)
    if abs(size) > most:
        raise msgspec.ValidationError(f"Number out of range - at `{where}`")
    for n, part in enumerate(value if isinstance(value, list | tuple) else ()):
        _check_range(part, f"{where}[{n}]")
