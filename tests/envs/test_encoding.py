"""Views and actions as numbers: nothing is lost, nothing hidden is told, everything has its place."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from legatus.envs.encoding import ROOM, ROW, TABLES, Layout, menu
from legatus.games import GAMES
from legatus.kernel import Game, Match, Seeded, legal, say
from legatus.kernel.codec import mirror, state_to_json
from legatus.kernel.fields import field_names
from tests.toy import TOY

ALL: dict[str, Game] = {**GAMES, TOY.key: TOY}
LIMIT = 400
each_game = pytest.mark.parametrize("key", ALL)


@cache
def layout_of(key: str) -> Layout:
    return Layout(ALL[key], ALL[key].configure())


@cache
def states(key: str) -> tuple[Any, ...]:
    """Moments of a random match."""
    game, rng = ALL[key], Random(key)
    match = Match.new(game, game.configure(), Seeded(key))
    while match.state.decision is not None and len(match.states) < LIMIT:
        match.play(rng.choice(legal(match.state)), match.seeded(key))
    return tuple(match.states[::4])


def seen(key: str) -> Iterator[tuple[Any, int]]:
    """Every moment as every seat sees it."""
    for state in states(key):
        for seat in range(len(ALL[key].seats)):
            yield ALL[key].view(state, seat), seat


def columns(view: Any) -> bytes:
    """All that an observation is made of."""
    raw = msgspec.json.decode(state_to_json(view))
    raw["todo"] = sorted(step["step"] for step in raw["todo"][:-1]), raw["todo"][-1:]
    return msgspec.json.encode({**raw, "roster": None, "outcome": None})


@each_game
def test_sections_lie_one_after_the_other(key: str) -> None:
    layout, at = layout_of(key), 0
    for section in layout.sections:
        assert section.start == at
        at += section.width
    assert at == layout.width
    names = [section.name for section in layout.sections]
    assert len(set(names)) == len(names)
    wanted = [name for name in field_names(ALL[key].state_type) if name in names]
    assert [name for name in names if not name.startswith("head.")] == wanted


@each_game
def test_every_column_but_the_settled_ones_is_seen(key: str) -> None:
    fields = set(field_names(ALL[key].state_type)) - {"todo", "outcome", "roster", "config"}
    assert fields <= {section.name for section in layout_of(key).sections}


@each_game
def test_what_differs_is_told_apart(key: str) -> None:
    """No two different views of a match have the same numbers, and nothing was left out."""
    layout = layout_of(key)
    cut = next(section.start for section in layout.sections if section.name == "head.cut")
    found: dict[bytes, bytes] = {}
    for view, seat in seen(key):
        vector = layout.observe(view, seat)
        assert vector.shape == (layout.width,)
        assert vector.dtype == np.float32
        assert np.isfinite(vector).all()
        assert vector[cut] == 0
        assert found.setdefault(vector.tobytes(), columns(view)) == columns(view)
    assert len(found) > 10


@each_game
def test_columns_of_numbers_are_written_as_they_are(key: str) -> None:
    layout, compared = layout_of(key), 0
    for view, seat in seen(key):
        vector = layout.observe(view, seat)
        for section in layout.sections:
            column = getattr(view, section.name, None)
            part = vector[section.start : section.start + section.width].tolist()
            if isinstance(column, int):
                assert part == [column]
            elif isinstance(column, list) and column and all(isinstance(entry, int) for entry in column):
                rest = [0] * (section.width - 1 - len(column))
                assert part == [len(column), *column, *rest]
                compared += 1
    assert compared


@each_game
def test_the_layout_hangs_on_game_and_set_up_only(key: str) -> None:
    game = ALL[key]
    again = Layout(game, game.configure())
    assert (again.sections, again.tables) == (layout_of(key).sections, layout_of(key).tables)


@each_game
def test_legal_actions_are_told_apart(key: str) -> None:
    layout = layout_of(key)
    for state in states(key):
        actions = legal(state)[:ROOM]
        rows = layout.rows(state, actions)
        assert rows.shape == (ROOM, ROW)
        assert len({row.tobytes() for row in rows[: len(actions)]}) == len(actions)
        assert not rows[len(actions) :].any()
        assert (rows[: len(actions), 0] > 0).all()


@each_game
def test_words_lead_to_the_things_that_they_name(key: str) -> None:
    layout, found = layout_of(key), 0
    tables = list(layout.tables.values())
    for state in states(key):
        actions = legal(state)[:ROOM]
        for action, row in zip(actions, layout.rows(state, actions), strict=False):
            for kind, number in row[3:-1].reshape(-1, 2):
                if TABLES <= kind < TABLES + len(tables):
                    thing = tables[int(kind) - TABLES][int(number)]
                    assert thing in say(action).replace(">", " ").split()
                    found += 1
    assert found


def test_the_first_column_of_a_unit_is_at_its_place_in_the_table() -> None:
    layout, state = layout_of("virtus"), states("virtus")[-1]
    place = next(section for section in layout.sections if section.name == "place")
    vector = layout.observe(ALL["virtus"].view(state, 0), 0)
    own = layout.tables["units"].index("legion-1")
    assert vector[place.start] == len(state.place)  # a list begins with its length
    assert vector[place.start + 1 + own] == state.place[own]


def test_what_does_not_fit_is_counted() -> None:
    layout, state = layout_of("formations"), states("formations")[0].copy()
    cut = next(section.start for section in layout.sections if section.name == "head.cut")
    blows = next(section for section in layout.sections if section.name == "blows")
    state.blows = [(1, 2)] * 50
    vector = layout.observe(state, 0)
    assert vector[blows.start] == 50
    assert vector[cut] == 50 - (blows.width - 1) // 2


def test_a_column_without_numbers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["metaurus"]
    monkeypatch.setitem(mirror(game.state_type).__annotations__, "links", dict[str, int])
    with pytest.raises(TypeError, match="metaurus: column links"):
        Layout(game, game.configure())


@pytest.mark.parametrize("room", [2, 5, 11, 12, 13, 40])
def test_pages_offer_every_action_once(room: int) -> None:
    state = max(states("virtus"), key=lambda state: len(legal(state)))
    actions, offered, page, more = legal(state), [], 0, True
    while more:
        shown, more = menu(actions, room, page)
        assert len(shown) <= room - more
        offered += shown
        page += 1
    assert offered == actions
    assert (page > 1) == (len(actions) > room)
