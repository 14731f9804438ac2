"""The games; this is their only registration."""

from ..kernel import Game
from .metaurus import METAURUS
from .virtus import VIRTUS

GAMES: dict[str, Game] = {game.key: game for game in (VIRTUS, METAURUS)}
