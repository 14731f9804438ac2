"""Counts of action sequences from named positions: they alone catch a rule made too strict."""

import pytest

from tests.perft import Position, count, positions

from .common import ALL

NAMED = [(key, name, position) for key, game in ALL.items() for name, position in positions(game).items()]


@pytest.mark.parametrize(("key", "name", "position"), NAMED, ids=[f"{key}-{name}" for key, name, _ in NAMED])
def test_counts(key: str, name: str, position: Position) -> None:
    state = position.state(ALL[key])
    found = [count(state, depth) for depth in range(1, len(position.counts) + 1)]
    hint = f"if the rules were meant to change: python -m tests.perft {key}"
    assert found == list(position.counts), (
        f"{name}: {found} sequences, {list(position.counts)} before; {hint}"
    )
