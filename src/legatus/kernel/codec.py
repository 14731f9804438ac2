"""Actions as lines: the form that records hold and people type, and the sentence that a menu shows.

States as plain data, as files hold them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec

from .fields import Field, cached_by_class, fields_of
from .model import Action, Game, State, Step, verb
from .objects import ValueObject, field_values
from .words import Complaint, Figure, Message, Messages, Named, quoted

K = TypeVar("K")


class BadAction(Complaint):
    """A line that is no action of the game."""


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
    for field in fields_of(type(action)):
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
    kind: Any = type(action)  # to mypy, classes with a ``__hash__`` have none
    fields, sentence, extras = _sentences(game.folder.messages[lang], kind)
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
    extras = [(f.name, found.get(f"extra.{name}.{f.name}")) for f in fields_of(kind) if not f.required]
    return tuple(f.name for f in fields_of(kind)), found.get(f"action.{name}"), tuple(extras)


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
            found = msgspec.json.decode(text, type=_union(game.actions))
            _check_range(msgspec.to_builtins(found), "$")
            return plain(found)  # type: ignore[no-any-return]
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
    for field in fields_of(kind):
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
        return action_from(kind, values)
    except (msgspec.ValidationError, UnicodeError) as error:  # it may hold half a character
        raise _misused(kind, quoted(str(error))) from None


def action_from(kind: type[Action], values: Mapping[str, Any]) -> Action:
    """An action of a class from values that were typed, numbers as texts; a ValidationError if it is none."""
    found = msgspec.convert(values, mirror(kind), strict=False)
    _check_range(msgspec.to_builtins(found), "$")
    action: Action = plain(found)
    return action


def _misused(kind: type[Action], problem: Message) -> BadAction:
    return BadAction(Message("action.usage", {"usage": usage(kind), "problem": problem}))


def usage(kind: type[Action]) -> str:
    """How an action is said: ``fight UNIT [hill] [pila]``."""
    words = [verb(kind)]
    for field in fields_of(kind):
        if field.type is bool:
            words.append(f"[{field.name.replace('_', '-')}]")
        else:
            words.append(field.name.upper() if field.required else f"[{field.name.upper()}]")
    return " ".join(words)


def to_plain_data(thing: ValueObject) -> Any:
    """An action, a step or a state as dicts, lists, numbers and texts."""
    return msgspec.to_builtins(thing, enc_hook=_mirrored)


def state_to_json(state: State) -> bytes:
    return msgspec.json.encode(state, enc_hook=_mirrored)


def state_from(game: Game, raw: dict[str, Any]) -> Any:
    """A state from plain data; the stack of steps is told apart by the game's own step types.

    A ValidationError says what is not of its type or out of its range: columns declare theirs.
    """
    steps = raw.get("todo", [])
    state = plain(msgspec.convert({**raw, "todo": []}, mirror(game.state_type)))
    state.todo = [plain(step) for step in msgspec.convert(steps, list[_union(game.steps)])]  # type: ignore[misc]
    _check_range(steps, "$.todo")
    return state


MAX_NUMBER, MAX_ENTRIES, MAX_TEXT = 100_000, 2_000, 200  # in a step or an action


def _check_range(value: Any, where: str) -> None:
    """Refuse numbers, lists and texts in steps and actions that no game needs."""
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


# --- what msgspec writes and reads in place of plain classes -------------------------------------


@cached_by_class
def mirror(kind: type[ValueObject]) -> type[msgspec.Struct]:
    """A Struct with the fields of a plain class; actions and steps are tagged."""
    tag, tag_field = None, None
    if issubclass(kind, Action):
        tag, tag_field = verb(kind), "do"
    elif issubclass(kind, Step):
        tag, tag_field = kind.tag or kind.__name__, "step"
    return msgspec.defstruct(
        kind.__name__,
        [_mirror_field(field) for field in fields_of(kind)],
        namespace={"stands_for": kind},
        tag=tag,
        tag_field=tag_field,
        omit_defaults=kind.omits_defaults,
    )


def _mirror_field(field: Field) -> tuple[str, Any] | tuple[str, Any, Any]:
    kind = _mirror_type(field.type)
    if field.required:
        return field.name, kind
    is_list = get_origin(get_args(kind)[0] if get_origin(kind) is Annotated else kind) in (list, Sequence)
    return field.name, kind, [] if is_list else field.default


def _mirror_type(kind: Any) -> Any:
    """A type with mirrors in place of plain classes, however deep they are."""
    if isinstance(kind, type) and issubclass(kind, ValueObject):
        return kind if kind in (Step, Action) else mirror(kind)
    parts = get_args(kind)
    if get_origin(kind) is Annotated:
        return Annotated[(_mirror_type(parts[0]), *parts[1:])]
    mirrored = tuple([_mirror_type(part) for part in parts])
    if mirrored == parts:
        return kind
    if isinstance(kind, UnionType):
        return Union[mirrored]  # noqa: UP007  (built at run time)
    return get_origin(kind)[mirrored]


@cache
def _union(kinds: tuple[type[ValueObject], ...]) -> Any:
    """Any of these classes: JSON names them by their tags."""
    return Union[tuple([mirror(kind) for kind in kinds])]  # noqa: UP007  (built at run time)


def _mirrored(thing: Any) -> Any:
    if isinstance(thing, ValueObject):
        return mirror(type(thing))(*field_values(thing))
    raise NotImplementedError(f"{type(thing).__name__} cannot be written")


def plain(value: Any) -> Any:
    """What a mirror stands for; anything else is as it is, with mirrors in tuples replaced."""
    if isinstance(value, msgspec.Struct) and hasattr(value, "stands_for"):
        return type(value).stands_for(*[plain(getattr(value, name)) for name in value.__struct_fields__])
    if isinstance(value, tuple) and value and isinstance(value[0], msgspec.Struct):
        return tuple([plain(part) for part in value])
    return value
