"""The server: matches in a database, an API, and the page.  ``legatus serve`` starts it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .app import create_app
    from .settings import Settings

__all__ = ["Settings", "create_app"]


def __getattr__(name: str) -> Any:
    """Worker processes import parts of this package: they need no web server."""
    if name in __all__:
        return getattr(import_module(".app", __name__), name)
    raise AttributeError(name)
