"""States from files are held to the ranges of their columns: no real one is refused, hostile ones are."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from legatus.games import GAMES
from legatus.kernel import BadFile
from legatus.kernel.codec import mirror, state_from, state_to_json
from legatus.kernel.positions import checked_state

from .common import CASES, Case, random_match, sample

HUGE = (2**31, -(2**31), 10**6)
CHANGES = 60  # of one state


@pytest.mark.parametrize("case", [case for case in CASES if case.key in GAMES], ids=str)
def test_no_state_of_a_real_game_is_refused(case: Case) -> None:
    """Nor what a seat sees of one, which is what bots are sent."""
    game, match = GAMES[case.key], random_match(case)
    for n, state in enumerate(match.states):
        assert not list(game.uneven(state))
        views = [game.view(state, seat) for seat in (None, 0, 1)] if n % 5 == 0 else []
        for one in (state, *views):
            encoded = state_to_json(one)
            assert state_to_json(state_from(game, json.loads(encoded))) == encoded


def unbounded(kind: Any, where: str) -> list[str]:
    """The places in a type where a number, a text or a list may be as large as it likes."""
    if isinstance(kind, inspect.IntType):
        return [] if kind.ge is not None and kind.le is not None else [where]
    if isinstance(kind, inspect.StrType):
        return [] if kind.max_length is not None else [where]
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        own = [] if kind.max_length is not None else [where]
        return own + unbounded(kind.item_type, f"{where}[]")
    if isinstance(kind, inspect.TupleType):
        return [place for n, one in enumerate(kind.item_types) for place in unbounded(one, f"{where}[{n}]")]
    if isinstance(kind, inspect.UnionType):
        return [place for one in kind.types for place in unbounded(one, where)]
    if isinstance(kind, inspect.StructType | inspect.NamedTupleType):
        return [place for f in kind.fields for place in unbounded(f.type, f"{where}.{f.name}")]
    return [] if isinstance(kind, inspect.BoolType | inspect.NoneType) else [where]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_column_has_a_range(game: Any) -> None:
    """The stack of steps is held to ranges by ``state_from`` itself."""
    found = inspect.type_info(mirror(game.state_type))
    assert isinstance(found, inspect.StructType)
    columns = [field for field in found.fields if field.name not in ("todo", "outcome")]
    assert [place for field in columns for place in unbounded(field.type, field.name)] == []


def places(value: Any, where: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    """Everything in a state, as a path and what is there."""
    found = [(where, value)] if where else []
    parts = value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    return found + [place for name, part in parts for place in places(part, (*where, name))]


def changed(raw: Any, where: tuple[Any, ...], value: Any) -> Any:
    copy = json.loads(json.dumps(raw))
    inner = copy
    for name in where[:-1]:
        inner = inner[name]
    inner[where[-1]] = value
    return copy


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_hostile_state_is_refused_with_its_place(game: Any) -> None:
    """Numbers, texts and lists, one at a time; what is wrong is said before any rule is asked."""
    case = next(case for case in CASES if case.key == game.key and case.seed == 0)
    raw = json.loads(state_to_json(sample(random_match(case), 1)[0]))
    rng, tried = Random(game.key), 0
    for where, value in rng.sample(every := places(raw), min(len(every), 4 * CHANGES)):
        hostile: Any = None
        if isinstance(value, int) and not isinstance(value, bool):
            hostile = rng.choice(HUGE)
        elif isinstance(value, str) and where[-1] != "step":
            hostile = "x" * 100_000
        elif isinstance(value, list) and value:
            hostile = value * (100_000 // len(value))
        if hostile is None:
            continue
        tried += 1
        with pytest.raises(msgspec.ValidationError, match=r"\$"):
            state_from(game, changed(raw, where, hostile))
    assert tried >= CHANGES


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_columns_must_have_as_many_entries_as_there_are_units_and_places(game: Any) -> None:
    case = next(case for case in CASES if case.key == game.key and case.seed == 0)
    state = sample(random_match(case), 1)[0]
    raw, fixed = json.loads(state_to_json(state)), 0
    for name, value in raw.items():
        if not isinstance(value, list) or not value or name == "todo":
            continue
        longer = state_from(game, {**raw, name: [*value, value[-1]]}) if fits(game, raw, name) else None
        if longer is not None and list(game.uneven(longer)):
            fixed += 1
            with pytest.raises(BadFile, match=r"entries|as many"):
                checked_state(game, {**raw, name: [*value, value[-1]]}, "file", "state")
    assert fixed >= 5


UNKNOWN = {
    "virtus": (("tokens",), ("terrain",)),
    "metaurus": (("roster", "units", "arm"),),
    "formations": (("roster", "types", "capacity"),),
    "julian": (("known",),),
}


def spoiled(raw: Any, path: tuple[str, ...]) -> None:
    """Put words that do not exist at every place that a path leads to; of lists take what is last."""
    if isinstance(raw, list) and path:
        for one in raw:
            spoiled(one, path)
    elif isinstance(raw[path[0]], list) and len(path) == 1:
        raw[path[0]] = ["x" if isinstance(one, str) else one[:-1] for one in raw[path[0]]]
    elif len(path) == 1:
        raw[path[0]] = "x"
    else:
        spoiled(raw[path[0]], path[1:])


@pytest.mark.parametrize(("key", "path"), [(key, path) for key, paths in UNKNOWN.items() for path in paths])
def test_a_state_that_cannot_be_shown_is_refused(key: str, path: tuple[str, ...]) -> None:
    """Words that no game of this kind has fit their columns, but whoever looked at the state would fail."""
    case = next(case for case in CASES if case.key == key and case.seed == 0)
    for state in random_match(case).states:
        raw = json.loads(state_to_json(state))
        assert refusal(GAMES[key], json.loads(json.dumps(raw))) == ""
        spoiled(raw, path)
        if found := refusal(GAMES[key], raw):
            assert "not a position of" in found or "not a possible position" in found
            return
    raise AssertionError("it is accepted everywhere")


@pytest.mark.parametrize(("name", "word"), [("terrain", ""), ("terrain", "sea"), ("tokens", "x")])
def test_words_of_virtus_are_known_wherever_they_stand(name: str, word: str) -> None:
    """A reserve has a ground too, of which no picture tells."""
    game, case = GAMES["virtus"], next(case for case in CASES if case.key == "virtus" and case.seed == 0)
    raw = json.loads(state_to_json(random_match(case).states[-2]))
    for place in range(len(raw[name])):
        assert "not a possible position" in refusal(game, changed(raw, (name, place), word))


def refusal(game: Any, raw: Any) -> str:
    try:
        checked_state(game, raw, "file", "state")
    except BadFile as error:
        return str(error)
    return ""


def fits(game: Any, raw: Any, name: str) -> bool:
    """Whether its type leaves room for one entry more."""
    try:
        state_from(game, {**raw, name: [*raw[name], raw[name][-1]]})
    except msgspec.ValidationError:
        return False
    return True
