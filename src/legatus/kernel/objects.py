"""Plain classes whose instances are compared by value: states, steps and actions.

Their fields are the parameters of ``__init__``, each kept under its name: see ``fields.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, ClassVar, Self, TypeVar

from mypy_extensions import mypyc_attr

from .fields import cached_by_class, field_names

T = TypeVar("T", bound="ValueObject")


@mypyc_attr(allow_interpreted_subclasses=True)
class ValueObject:
    """Two objects are equal if they are of the same class and all their fields are equal."""

    omits_defaults: ClassVar[bool] = False  # True: files leave out a field that stands at its default

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        kind = type(self)
        return kind is type(other) and _compared(kind)(self) == _compared(kind)(other)

    def __hash__(self) -> int:
        kind = type(self)
        return hash((kind.__name__, _compared(kind)(self)))

    def __repr__(self) -> str:
        fields = [f"{name}={getattr(self, name)!r}" for name in field_names(type(self))]
        return f"{type(self).__name__}({', '.join(fields)})"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), field_values(self)


def field_values(thing: ValueObject) -> tuple[Any, ...]:
    return tuple([getattr(thing, name) for name in field_names(type(thing))])


@cached_by_class
def _compared(kind: type[ValueObject]) -> Callable[[Any], Any]:
    """What instances of a class are compared by; attrgetter is faster than a loop."""
    names = field_names(kind)
    return attrgetter(*names) if names else _nothing


def _nothing(thing: Any) -> tuple[()]:
    return ()


def replace(thing: T, /, **changes: Any) -> T:
    """A copy of an object with other values in some fields."""
    values = {name: getattr(thing, name) for name in field_names(type(thing))}
    return type(thing)(**{**values, **changes})
