"""For people who train agents: PettingZoo, OpenSpiel, and self-play games as Parquet files.

Nothing here is needed to play.  Each part has its extra (``pip install "legatus[envs]"``), and says so where
the packages are missing; nothing of them is imported before it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..kernel import Complaint, Message, Messages

if TYPE_CHECKING:
    from .encoding import Layout

__all__ = ["MissingExtra", "env", "layout", "open_spiel", "require"]

SENTENCES = {
    "en": "{modules}: not installed; pip install 'legatus[{extra}]' brings what is missing",
    "fr": "{modules} : non installé ; pip install 'legatus[{extra}]' apporte ce qui manque",
}
TABLES = {lang: Messages(lang, {"extra.missing": sentence}) for lang, sentence in SENTENCES.items()}


class MissingExtra(Complaint):
    """A package is not installed; the message names the extra that brings it."""

    def __init__(self, extra: str, *modules: str) -> None:
        super().__init__(Message("extra.missing", {"extra": extra, "modules": ", ".join(modules)}), TABLES)


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


def env(game: str, **settings: Any) -> Any:
    """A PettingZoo AEC environment of a game; see ``legatus.envs.pettingzoo.LegatusEnv`` for the settings."""
    require("envs", "numpy", "gymnasium", "pettingzoo")
    return import_module(".pettingzoo", __name__).env(game, **settings)


def open_spiel() -> tuple[str, ...]:
    """Make every game known to OpenSpiel; the names that ``pyspiel.load_game`` then takes."""
    require("openspiel", "numpy", "pyspiel")
    names: tuple[str, ...] = import_module(".openspiel", __name__).NAMES
    return names


def layout(game: str, **settings: Any) -> Layout:
    """How observations and actions of a game are written as numbers; settings as for ``configure``."""
    require("envs", "numpy")
    from ..games import GAMES
    from .encoding import Layout

    return Layout(GAMES[game], GAMES[game].configure(**settings))
