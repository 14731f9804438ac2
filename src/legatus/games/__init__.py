"""The games; this is their only registration."""

from ..kernel import Game
from .formations import FORMATIONS
from .julian import JULIAN
from .metaurus import METAURUS
from .onus import ONUS
from .virtus import VIRTUS

GAMES: dict[str, Game] = {game.key: game for game in (VIRTUS, METAURUS, JULIAN, FORMATIONS, ONUS)}
