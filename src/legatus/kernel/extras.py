"""Packages that only some parts need: each part has its extra, and says so where they are missing."""

from __future__ import annotations

from importlib import import_module

from .words import Complaint, Message


class MissingExtra(Complaint):
    """A package is not installed; the message names the extra that brings it."""

    def __init__(self, extra: str, *modules: str) -> None:
        super().__init__(Message("extra.missing", {"extra": extra, "modules": ", ".join(modules)}))


def require(extra: str, *modules: str) -> None:
    """See that these packages are there, or say which extra brings them."""
    missing = [name for name in modules if not _is_there(name)]
    if missing:
        raise MissingExtra(extra, *missing)


def _is_there(name: str) -> bool:
    try:
        import_module(name)
    except ImportError:
        return False
    return True
