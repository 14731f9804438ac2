"""What bots strive for."""

from __future__ import annotations

from legatus.games.metaurus import METAURUS

from .stage import battle


def test_a_map_without_enemies_can_be_judged() -> None:
    """Who has nobody left on the map may still have a game: his last unit has just left it."""
    alone = battle("X MI 0504")
    near = battle("X MI 0504", "A LEGION 0505")
    for seat in (0, 1):
        assert METAURUS.evaluate(alone, seat) != METAURUS.evaluate(near, seat)
