"""The fields of plain classes: the parameters of their ``__init__``, interpreted or compiled.

A compiled class tells neither the types nor all defaults; they are read in the source beside its module.
"""

from __future__ import annotations

import sys
from ast import ClassDef, FunctionDef, Module, parse, unparse, walk
from collections.abc import Callable
from functools import cache
from inspect import Parameter, signature
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple, TypeVar, cast

R = TypeVar("R")
NO_DEFAULT = Parameter.empty


class Field(NamedTuple):
    """A parameter of ``__init__``."""

    name: str
    type: Any
    default: Any  # NO_DEFAULT if it must be given

    @property
    def required(self) -> bool:
        return self.default is NO_DEFAULT


def cached_by_class(make: Callable[[type[Any]], R]) -> Callable[[type[Any]], R]:
    """``functools.cache`` for what is made of a class: to mypy, classes with a ``__hash__`` have none."""
    return cast(Callable[[type[Any]], R], cache(make))


@cached_by_class
def fields_of(kind: type[Any]) -> tuple[Field, ...]:
    """The fields of a class, in their order."""
    for base in kind.__mro__[:-1]:
        start = vars(base).get("__init__")
        if isinstance(start, FunctionType):
            return _told_by(start)
        written = None if start is None else _written(base)
        if written is not None:
            return _read_in(written, base.__module__)
    return ()


@cached_by_class
def field_names(kind: type[Any]) -> tuple[str, ...]:
    return tuple([field.name for field in fields_of(kind)])


def _told_by(start: FunctionType) -> tuple[Field, ...]:
    module = start.__globals__
    known = list(signature(start).parameters.values())[1:]
    return tuple([Field(one.name, _meant(one.annotation, module), one.default) for one in known])


def _read_in(start: FunctionDef, name: str) -> tuple[Field, ...]:
    module, given = vars(sys.modules[name]), start.args
    values = [*[None] * (len(given.args) - len(given.defaults)), *given.defaults]
    found = []
    for one, value in list(zip(given.args, values, strict=True))[1:]:
        default = NO_DEFAULT if value is None else _meant(unparse(value), module)
        found.append(Field(one.arg, one.annotation and _meant(unparse(one.annotation), module), default))
    return tuple(found)


def _meant(text: Any, module: dict[str, Any]) -> Any:
    return eval(text, module) if isinstance(text, str) else text


def _written(kind: type) -> FunctionDef | None:
    """The ``__init__`` of a compiled class in its source, if it has one of its own."""
    path = Path(sys.modules[kind.__module__].__file__ or "")
    for node in walk(_parsed(path.with_name(path.name.split(".")[0] + ".py"))):
        if isinstance(node, ClassDef) and node.name == kind.__name__:
            return next((f for f in node.body if isinstance(f, FunctionDef) and f.name == "__init__"), None)
    raise LookupError(f"the source beside {path} has no class {kind.__name__}")


@cache
def _parsed(path: Path) -> Module:
    return parse(path.read_text())
