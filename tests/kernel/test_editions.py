"""A new edition of the rules never rewrites a battle: old files stay readable, and differences are told."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest

from legatus.games import GAMES
from legatus.kernel import BadFile, Event, Match, Option, Outcome, Refusal, Scripted, Setup, Step, legal
from legatus.kernel.codec import state_to_json
from legatus.kernel.files import Source
from legatus.kernel.journal import POSITION_EVERY, go_on, resumption
from legatus.kernel.match import CannotUndo
from legatus.kernel.objects import field_values
from legatus.kernel.records import digest, parse_position, parse_record, position_text, record_text
from legatus.kernel.setup import settle
from legatus.kernel.words import LANGS
from tests.toy import TOY, Attack, Done, Hold, March, Orders, Toy

OLD = Path(__file__).parent / "version1"
RECORDS = sorted(OLD.glob("*.jsonl"))


# --- files of version 0.1 ------------------------------------------------------------------------


def test_there_are_old_records_of_every_game_and_of_both_versions() -> None:
    heads = [json.loads(path.read_text(encoding="utf-8").split("\n", 1)[0]) for path in RECORDS]
    assert {head["game"] for head in heads} == set(GAMES)
    assert {head["version"] for head in heads} == {1, 2}
    assert not any("edition" in head for head in heads)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name.split(".")[0])
def test_an_old_record_is_read_as_far_as_it_leads_where_it_led(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    rows = [json.loads(row) for row in text.splitlines()]
    match = parse_record(GAMES, text, path.name)
    assert match.journal
    for row, state in zip(rows[1:], match.states, strict=False):
        assert row["check"] == digest(state)
    if match.difference is None:
        assert len(match.journal) == len(rows) - 1
    else:  # a rule has changed since: it says so, and ends where it did
        assert match.difference.edition == 1 < match.game.edition
        assert match.difference.entry == len(match.journal) < len(rows) - 1
    again = parse_record(GAMES, record_text(match))
    assert again.states == match.states
    assert again.difference is None


@pytest.mark.parametrize("path", sorted(OLD.glob("*.json")), ids=lambda path: path.name.split(".")[0])
def test_an_old_position_is_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    game, state = parse_position(GAMES, text, path.name)
    assert legal(state)
    new = json.loads(position_text(game, state))
    assert (new["version"], new["edition"]) == (2, game.edition)
    assert parse_position(GAMES, json.dumps(new))[1] == state


# --- a game with a changed rule ------------------------------------------------------------------


class Slow(Done):
    """T2.1 in another way: whoever is done loses sight of the weather."""

    tag: ClassVar[str] = "done"

    def perform(self, play: Any) -> None:
        super().perform(play)
        if play.state.turn >= 2:
            play.state.card = -1


class SlowOrders(Orders):
    tag: ClassVar[str] = "Orders"
    accepts: ClassVar[Any] = (March, Attack, Slow)

    def candidates(self, state: Any) -> list[Any]:
        return [Slow() if isinstance(action, Done) else action for action in super().candidates(state)]


class Later(Toy):
    """Edition 2 of the toy: from the second turn on something else happens."""

    edition = 2
    steps = (*(step for step in Toy.steps if step is not Orders), SlowOrders)
    actions = (*(action for action in Toy.actions if action is not Done), Slow)

    def validate(self, setup: Setup) -> Setup:
        return msgspec.structs.replace(super().validate(setup), edition=2)


class Strict(Later):
    """The same, and positions after the first turn are impossible."""

    def invariants(self, state: Any) -> Iterator[str]:
        yield from super().invariants(state)
        if state.turn > 1:
            yield "T2.2: there is but one turn"


class Tolerant(Toy):
    """Edition 2 of the toy in which nothing changed that anybody met."""

    edition = 2

    def validate(self, setup: Setup) -> Setup:
        return msgspec.structs.replace(super().validate(setup), edition=2)


OLD_GAMES = {TOY.key: TOY}
LATER: dict[str, Any] = {TOY.key: Later()}


class _Begun(Later):
    """Edition 2 that begins elsewhere."""

    def begin(self, setup: Setup) -> Any:
        state = super().begin(setup)
        state.turns += 1
        return state


def played(entries: int = 0, length: str = "long") -> Match:
    """A match with weather, at random; to its end without ``entries``."""
    match, rng = Match.new(TOY, TOY.configure(length=length), Scripted([2] * 10 + [0])), Random(10)
    while match.state.outcome is None and (not entries or len(match.journal) < entries):
        match.play(rng.choice(legal(match.state)), match.seeded(5))
    return match


@pytest.fixture(scope="module")
def text() -> str:
    return record_text(played(70))


def test_a_record_names_its_edition_and_has_positions(text: str) -> None:
    head, *lines = map(json.loads, text.splitlines())
    assert (head["version"], head["edition"]) == (3, 1)
    assert all(line["check"] for line in lines)
    assert [n for n, line in enumerate(lines) if "position" in line] == [POSITION_EVERY, len(lines) - 1]
    match = parse_record(OLD_GAMES, text)
    assert lines[-1]["position"] == json.loads(state_to_json(match.state))


def test_an_earlier_edition_that_leads_to_the_same_is_simply_good(text: str) -> None:
    match = parse_record({TOY.key: Tolerant()}, text)
    assert match.difference is None
    assert len(match.journal) == 70
    assert json.loads(record_text(match).split("\n", 1)[0])["edition"] == 2


def test_a_record_is_shown_up_to_the_entry_that_differs(text: str) -> None:
    match = parse_record(LATER, text)
    found = match.difference
    assert found is not None
    before = parse_record(OLD_GAMES, text)
    assert match.states == before.states[: found.entry]
    assert match.events == before.events[: found.entry]
    assert before.states[found.entry].turn >= 2
    said = match.what_differs()
    assert said is not None
    english, french = (match.game.folder.messages[lang].render(said) for lang in LANGS)
    assert f"at entry {found.entry} (replays to another state" in english
    assert f"{found.lost} of 70 entries" in english
    assert f"{found.lost} entrées sur 70" in french
    assert match.state.decision is not None
    assert parse_record(LATER, record_text(match)).states == match.states  # what is shown is of edition 2


def test_the_same_edition_must_agree(text: str) -> None:
    newer = text.replace('"edition": 1', '"edition": 2', 1)
    with pytest.raises(BadFile, match="replays to another state than the one recorded"):
        parse_record(LATER, newer)


def test_a_refused_entry_of_an_earlier_edition_is_a_difference(text: str) -> None:
    lines = text.splitlines()
    row = json.loads(lines[5])
    lines[5] = json.dumps({**row, "do": "march red0 0404"})
    match = parse_record(LATER, "\n".join(lines))
    assert match.difference is not None
    assert match.difference.entry == 4
    assert match.difference.reason.key == "record.illegal"
    with pytest.raises(BadFile, match="illegal"):
        parse_record(OLD_GAMES, "\n".join(lines))


def test_a_record_of_which_nothing_can_be_shown_is_refused(text: str) -> None:
    with pytest.raises(BadFile, match="not even its set-up can be repeated under edition 2"):
        parse_record({TOY.key: _Begun()}, text)


def test_a_match_goes_on_from_its_stored_position(text: str) -> None:
    match = parse_record(LATER, text)
    found = match.difference
    assert found is not None
    resumed = resumption(match)
    assert resumed is not None
    go_on(match, resumed)
    assert match.difference is None
    assert digest(match.state) == json.loads(text.splitlines()[-1])["check"]
    (event,) = match.events[-1]
    assert isinstance(event, Event)
    told = match.game.folder.messages["en"].render(event)
    assert "edition 1 then, edition 2 now" in told
    assert told.endswith(f"no longer be shown: {found.lost}.")
    for seat in (0, 1):
        with pytest.raises(CannotUndo):
            match.undo(seat)
    match.play(legal(match.state)[0], match.seeded(1))
    again = parse_record(LATER, record_text(match))
    assert again.states == match.states
    assert again.events == match.events
    assert again.journal == match.journal
    assert Match.replay(match.game, match.setup, match.journal).states == match.states


def test_an_impossible_position_is_not_gone_on_from(text: str) -> None:
    match = parse_record({TOY.key: Strict()}, text)
    assert match.difference is not None
    assert match.difference.position is not None
    assert resumption(match) is None


def test_a_position_that_is_not_the_one_of_the_fingerprint_is_not_gone_on_from(text: str) -> None:
    lines = text.splitlines()
    row = json.loads(lines[-1])
    row["position"]["turns"] += 1
    match = parse_record(LATER, "\n".join([*lines[:-1], json.dumps(row)]))
    assert match.difference is not None
    assert resumption(match) is None


def test_a_position_with_half_a_character_is_none(text: str) -> None:
    """JSON can say it, but no text can hold it."""
    lines = text.splitlines()
    row = {**json.loads(lines[-1]), "position": {"turns": "\ud800"}}
    match = parse_record(LATER, "\n".join([*lines[:-1], json.dumps(row)]))
    assert match.difference is not None
    assert resumption(match) is None


def resumed_once(text: str) -> list[str]:
    """The lines of a match that went on from its position; the last one says so."""
    match = parse_record(LATER, text)
    resumed = resumption(match)
    assert resumed is not None
    go_on(match, resumed)
    return record_text(match).splitlines()


@pytest.mark.parametrize("resumed", [{"edition": 3}, {"edition": 0}, {"edition": -1}, {"lost": -1}])
def test_a_resumption_that_cannot_be(text: str, resumed: dict[str, int]) -> None:
    lines = resumed_once(text)
    row = json.loads(lines[-1])
    row["resumed"] |= resumed
    with pytest.raises(BadFile):
        parse_record(LATER, "\n".join([*lines[:-1], json.dumps(row)]))


def test_what_is_lost_is_counted_from_the_first_entry_that_differs(text: str) -> None:
    """Also if the position that it was resumed from cannot be gone on from any more."""
    lines = resumed_once(text)
    head, row, last = json.loads(lines[0]), json.loads(lines[2]), json.loads(lines[-1])
    head["edition"], row["check"] = 1, "another"
    last["position"]["turns"] = "many"
    lines = [json.dumps(head), lines[1], json.dumps(row), *lines[3:-1], json.dumps(last)]
    match = parse_record(LATER, "\n".join(lines))
    found = match.difference
    assert found is not None
    assert (found.entry, found.lost) == (1, len(lines) - 2)


def test_what_was_resumed_is_reached_also_by_a_still_later_edition(text: str) -> None:
    """Its first entries do not lead anywhere any more: it is shown all the same."""

    class Latest(Later):
        edition = 3

        def begin(self, setup: Setup) -> Any:
            state = super().begin(setup)
            state.turns += 1
            return state

        def validate(self, setup: Setup) -> Setup:
            return msgspec.structs.replace(super().validate(setup), edition=3)

    match = parse_record(LATER, text)
    shown = len(match.journal)
    resumed = resumption(match)
    assert resumed is not None
    go_on(match, resumed)
    match.play(legal(match.state)[0], match.seeded(1))
    again = parse_record({TOY.key: Latest()}, record_text(match))
    assert again.difference is None
    assert [entry.resumed is not None for entry in again.journal] == [True, False]
    assert again.journal[0].resumed is not None
    assert again.journal[0].resumed.lost == resumed.lost + shown
    assert again.states == match.states[-2:]


def test_a_rule_that_breaks_down_is_a_difference(text: str) -> None:
    class Broken(Later):
        def begin(self, setup: Setup) -> Any:
            raise KeyError("legion-1")

    with pytest.raises(BadFile, match="KeyError"):
        parse_record({TOY.key: Broken()}, text)


# --- options, scenarios, armies ------------------------------------------------------------------


def test_defaults_of_earlier_editions() -> None:
    option = Option("any", "T1.1", True, earlier={1: False})
    assert [option.default_in(edition) for edition in (1, 2, 3)] == [False, True, True]
    more = Option("kind", "T1.1", "c", ("a", "b", "c"), earlier={2: "a", 4: "b"})
    assert [more.default_in(edition) for edition in range(1, 6)] == ["a", "a", "b", "b", "c"]
    source = Source("options")
    assert settle([option, more], {}, source) == {"any": True, "kind": "c"}
    assert settle([option, more], {"kind": "b"}, source, edition=1) == {"any": False, "kind": "b"}


@pytest.mark.parametrize("key", GAMES)
def test_games_have_the_edition_of_their_rulebooks(key: str) -> None:
    game = GAMES[key]
    assert [game.folder.rulebooks[lang].edition for lang in LANGS] == [game.edition] * len(LANGS)
    assert game.configure().edition == game.edition
    for option in game.options:
        for edition, value in option.earlier.items():
            assert 1 <= edition < game.edition
            assert value in (option.choices or (False, True))


@pytest.mark.parametrize("key", GAMES)
def test_shipped_files_are_of_this_edition(key: str) -> None:
    game = GAMES[key]
    for kind in ("scenarios", "armies"):
        for name in game.folder.names(kind):
            assert game.folder.toml(f"data/{kind}/{name}.toml").get("edition") == game.edition, name


@pytest.mark.parametrize("key", GAMES)
def test_a_scenario_of_a_later_edition_is_refused(key: str, tmp_path: Path) -> None:
    game = GAMES[key]
    name = game.default_scenario
    text = game.folder.text(f"data/scenarios/{name}.toml")
    file = tmp_path / "tomorrow.toml"
    file.write_text(text.replace("edition = 2", 'edition = 9\nunheard_of = "x"'), encoding="utf-8")
    line = next(n for n, row in enumerate(file.read_text().splitlines(), 1) if row == "edition = 9")
    with pytest.raises(BadFile) as bad:
        game.configure(str(file))
    assert (bad.value.file, bad.value.place) == (str(file), f"line {line} (edition)")
    assert bad.value.problem.startswith("edition 2 or an earlier one expected, 9 found")
    assert "édition 2 ou antérieure attendue" in bad.value.say("fr")
    for wrong in ("0", "true", '"2"'):
        file.write_text(text.replace("edition = 2", f"edition = {wrong}"), encoding="utf-8")
        with pytest.raises(BadFile, match="an edition from 1 to 2 expected"):
            game.configure(str(file))
    setup = game.configure()
    with pytest.raises(BadFile, match="edition 2 or an earlier one expected, 9 found"):
        game.validate(msgspec.structs.replace(setup, scenario={**setup.scenario, "edition": 9}))


def test_a_scenario_without_an_edition_is_of_the_first(tmp_path: Path) -> None:
    """Its options are those of that time; an option that is given goes first."""
    game = GAMES["virtus"]
    then = {option.key: option.default_in(1) for option in game.options}
    file = tmp_path / "old.toml"
    text = game.folder.text("data/scenarios/open-small.toml").replace("edition = 2\n", "")
    file.write_text(text, encoding="utf-8")
    assert game.configure(str(file)).options == then
    assert game.configure(str(file), shieldwall_any=True).options["shieldwall_any"] is True
    assert game.validate(Setup(*_parts(game.configure("open-small")), {})).options == then


def _parts(setup: Setup) -> tuple[dict[str, Any], tuple[dict[str, Any], ...]]:
    return setup.scenario, setup.armies


def test_a_scenario_that_is_like_another_has_its_own_edition(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('like = "gaul"\nname = "Mine"\n', encoding="utf-8")
    assert GAMES["julian"].configure(str(file)).scenario["edition"] == 1
    file.write_text('like = "gaul"\nname = "Mine"\nedition = 2\n', encoding="utf-8")
    assert GAMES["julian"].configure(str(file)).scenario["edition"] == 2


def test_an_army_of_a_later_edition_is_refused(tmp_path: Path) -> None:
    game = GAMES["virtus"]
    file = tmp_path / "host.toml"
    text = game.folder.text("data/armies/gauls-150.toml").replace("edition = 2", "edition = 3")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(
        BadFile, match=r"host.toml: line 4 .edition.: edition 2 or an earlier one expected, 3"
    ):
        game.configure("open-small", ["late-romans", str(file)])
    army = msgspec.json.decode(msgspec.json.encode(game.folder.toml("data/armies/gauls-150.toml")))
    with pytest.raises(BadFile, match="3 found"):
        game.muster({**army, "edition": 3}, "en")
    del army["edition"]
    assert game.muster(army, "en").ok


# --- columns that come later ---------------------------------------------------------------------


def test_a_column_that_is_appended_does_not_change_fingerprints() -> None:
    state = played(10).state

    class Wider(type(state)):  # type: ignore[misc]
        def __init__(
            self,
            todo: list[Step],
            outcome: Outcome | None,
            weather: bool,
            turns: int,
            turn: int,
            card: int,
            deck: list[int],
            at: list[str],
            strength: list[int],
            shown: list[bool],
            acted: list[bool],
            wounds: Sequence[int] = (),
            stage: int = 0,
        ) -> None:
            super().__init__(todo, outcome, weather, turns, turn, card, deck, at, strength, shown, acted)
            self.wounds = list(wounds)
            self.stage = stage

    wider = Wider(*field_values(state))
    assert digest(wider) == digest(state)
    wider.wounds = [1]
    assert digest(wider) != digest(state)


def test_refusals_of_the_toy_are_still_there() -> None:
    """The changed toy is a game like another."""
    match = parse_record(LATER, record_text(played(3)))
    assert isinstance(next(March("red0", ("0404",)).refuse(match.state)), Refusal)
    assert Hold in LATER[TOY.key].actions
