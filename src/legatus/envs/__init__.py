"""For people who train agents: PettingZoo, OpenSpiel, and self-play games as Parquet files.

Nothing here is needed to play.  Each part has its extra (``pip install "legatus[envs]"``), and says so where
the packages are missing; nothing of them is imported before it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..kernel.extras import MissingExtra, require

if TYPE_CHECKING:
    from .encoding import Layout

__all__ = ["MissingExtra", "env", "layout", "open_spiel", "require"]


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
