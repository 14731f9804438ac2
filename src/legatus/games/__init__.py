"""The games; this is their only registration."""

from collections.abc import Iterator, MutableMapping
from importlib import import_module

from ..kernel import Game

KEYS = ("virtus", "metaurus", "julian", "formations", "onus")


class Games(MutableMapping[str, Game]):
    """Games by their keys.  A game is imported when it is first asked for: ``virtus.VIRTUS`` is Virtus."""

    def __init__(self, keys: tuple[str, ...]) -> None:
        self._games: dict[str, Game | None] = dict.fromkeys(keys)

    def __getitem__(self, key: str) -> Game:
        game = self._games[key]
        if game is None:
            game = self._games[key] = getattr(import_module(f"{__name__}.{key}"), key.upper())
        return game

    def __setitem__(self, key: str, game: Game) -> None:
        self._games[key] = game

    def __delitem__(self, key: str) -> None:
        del self._games[key]

    def __contains__(self, key: object) -> bool:
        return key in self._games

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


GAMES = Games(KEYS)
