"""The server: matches in a database, an API, and the page.  ``legatus serve`` starts it."""

from .app import create_app
from .settings import Settings

__all__ = ["Settings", "create_app"]
