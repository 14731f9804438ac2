"""Lines, positions, records; a bad file is told with its name, the place and what was expected there."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from legatus.kernel import (
    Action,
    BadFile,
    Match,
    Scripted,
    Seeded,
    codec,
    files,
    legal,
    parse_action,
    records,
    say,
)
from legatus.kernel.codec import BadAction, label, usage
from legatus.kernel.files import read_text, read_toml, write_text
from legatus.kernel.records import (
    digest,
    parse_position,
    parse_record,
    position_text,
    record_text,
    state_from,
    state_to_json,
)
from tests.toy import RED, TOY, Attack, Done, Hold, March, Orders, Ready, Retreat

from .positions import duel, position

GAMES = {TOY.key: TOY}

# --- actions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Done(), "done"),
        (March("red0", ("0101",)), "march red0 0101"),
        (March("red0", ("0101", "0100")), "march red0 0101>0100"),
        (Attack("red0", "blue0"), "attack red0 blue0"),
        (Attack("red0", "blue0", all_out=True), "attack red0 blue0 all-out"),
        (Retreat("0302"), "retreat 0302"),
    ],
)
def test_an_action_is_a_line_that_can_be_read(action: Action, line: str) -> None:
    assert say(action) == line
    assert parse_action(TOY, line) == action
    assert parse_action(TOY, f"  {line.replace(' ', '   ')}\n") == action


def test_an_action_can_be_said_in_json() -> None:
    assert parse_action(TOY, '{"do": "march", "unit": "red0", "path": ["0101"]}') == March("red0", ("0101",))
    assert parse_action(TOY, ' {"do": "hold"}') == Hold()


def test_long_names_are_not_kept() -> None:
    """Clients choose ids of their own: what is remembered of lines and labels is bounded in bytes."""
    short, long = March("red0", ("0101",)), March("x" * codec.LONGEST_KEPT, ("0101",))
    state = Match.new(TOY, TOY.configure(), Seeded("names")).state
    for action in (short, long):
        assert say(action) == f"march {action.unit} 0101"
        for _ in range(2):
            assert label(TOY, state, action, "en", name=lambda word: word)
    assert short in codec._lines
    assert long not in codec._lines
    assert not any(long.unit in words for _, _, words in codec._labels)


def test_few_lines_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MOST_KEPT", 10)
    for n in range(100):
        assert say(March(f"r{n}", ())) == f"march r{n}"
    assert len(codec._lines) <= 10


def test_a_usage_line_names_what_is_needed() -> None:
    assert usage(Attack) == "attack UNIT TARGET [all-out]"
    assert usage(Done) == "done"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "begins with one of: attack, done, hold, march, retreat"),
        ("fly red0", "'fly red0': an action begins with one of: attack"),
        ("march red0", "march UNIT PATH: path is missing"),
        ("done now", "done: 'now' is too much"),
        ("attack red0 blue0 all-in", "attack UNIT TARGET [all-out]: 'all-in' is too much"),
        ('{"do": "fly"}', "not an action of outpost"),
        ('{"do": "march"}', "missing required field `unit`"),
        ('{"do": "retreat", "to": 3}', "Expected `str`, got `int`"),
        ("{", "not an action of outpost"),
        ('{"do": "\ud800"}', "not an action of outpost"),
    ],
)
def test_a_line_that_is_no_action_says_what_is_wrong(line: str, problem: str) -> None:
    with pytest.raises(BadAction) as bad:
        parse_action(TOY, line)
    assert problem in str(bad.value)


@pytest.mark.parametrize(
    ("line", "french"),
    [
        (
            "fly red0",
            "'fly red0' : une action commence par l'un de ces mots : attack, done, hold, march, retreat",
        ),
        ("march red0", "march UNIT PATH : il manque path"),
        ("done now", "done : 'now' est de trop"),
        ('{"do": "march"}', "pas une action de outpost : il manque le champ obligatoire `unit`"),
        ("{", "pas une action de outpost : le texte s'arrête trop tôt"),
    ],
)
def test_a_line_that_is_no_action_is_told_in_french(line: str, french: str) -> None:
    with pytest.raises(BadAction) as bad:
        parse_action(TOY, line)
    assert bad.value.say("fr") == french


# --- positions -----------------------------------------------------------------------------------


def test_a_position_survives() -> None:
    state = duel()
    game, again = parse_position(GAMES, position_text(TOY, state))
    assert game is TOY
    assert again == state
    assert again.todo == state.todo
    assert digest(again) == digest(state)


def test_a_state_survives_json() -> None:
    assert state_from(TOY, json.loads(state_to_json(duel()))) == duel()


def test_different_states_have_different_fingerprints() -> None:
    other = duel()
    other.strength[0] += 1
    assert digest(duel()) != digest(other)


def head(**changed: Any) -> str:
    return json.dumps({"legatus": "position", "version": 1, "game": "outpost", "state": {}} | changed)


def state_with(**changed: Any) -> str:
    return head(state=json.loads(state_to_json(duel())) | changed)


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("", "", "not JSON"),
        ("{", "", "not JSON"),
        ("[" * 100_000, "", "not JSON"),
        ("[]", "", 'a head {"legatus": "position", ...} expected'),
        (head(legatus="record"), "", "not a position"),
        (head(version=3), "version", "1 or 2 expected, 3 found"),
        (head(version=2), "edition", "an edition from 1 to 1 expected, None found"),
        (head(version=2, edition=2), "edition", "edition 1 or an earlier one expected, 2 found"),
        (head(version=None), "version", "1 or 2 expected, None found"),
        (head(game="chess"), "game", "one of outpost expected, 'chess' found"),
        (head(state=[]), "state", "an object expected"),
        (head(), "state", "missing required field"),
        (state_with(turn="one"), "state $.turn", "Expected `int`, got `str`"),
        (state_with(strength=[1, "x"]), "state $.strength[1]", "Expected `int`, got `str`"),
        (state_with(todo=7), "state", "Expected `array`, got `int`"),
        (state_with(todo=[{"step": "Nap"}]), "state $[0].step", "Invalid value 'Nap'"),
        (state_with(todo=[]), "state", "nobody is to decide"),
        (state_with(todo=[{"step": "Ready"}]), "state", "nobody is to decide"),
        (state_with(todo=[{"step": "Orders", "seat": 2}]), "state", "a seat from 0 to 1 expected, 2 found"),
        (state_with(at=["0000"] * 10), "state", "T3.1: a hex on the map holds at most one unit"),
        (state_with(strength=[9] * 10), "state", "T4.4: red0 at '0102' has strength 9"),
        (state_with(strength=[]), "state", "not a position of outpost: ValueError"),
        (
            state_with(todo=[{"step": "TakeHits", "seat": 1, "before": "?", "unit": "?", "hits": 1}]),
            "state",
            "not a position of outpost: KeyError",
        ),
    ],
)
def test_a_bad_position_is_told(text: str, place: str, problem: str) -> None:
    with pytest.raises(BadFile) as bad:
        parse_position(GAMES, text, "my.json")
    assert bad.value.file == "my.json"
    assert bad.value.place == place
    assert problem in bad.value.problem
    assert str(bad.value).startswith("my.json: ")


@pytest.mark.parametrize(
    ("text", "french"),
    [
        ("[]", 'pas une position : un en-tête {"legatus": "position", ...} est attendu'),
        (head(version=3), "version : 1 ou 2 attendu, 3 trouvé"),
        (head(game="chess"), "game : on attendait une de ces valeurs : outpost ; trouvé : 'chess'"),
        (state_with(turn="one"), "state $.turn : `int` attendu, `str` trouvé"),
        (
            state_with(todo=[{"step": "Orders", "seat": 2}]),
            "state : position impossible : camp de 0 à 1 attendu, 2 trouvé",
        ),
    ],
)
def test_a_bad_position_is_told_in_french(text: str, french: str) -> None:
    with pytest.raises(BadFile) as bad:
        parse_position(GAMES, text, "my.json")
    assert bad.value.say("fr") == f"my.json : {french}"


@pytest.mark.parametrize(
    "line",
    [
        "march red0 " + "9" * 300,
        "march red0 " + ">".join(["0"] * 2001),
        '{"do": "march", "unit": "red0", "path": ["' + "9" * 300 + '"]}',
    ],
)
def test_an_action_is_held_to_a_range(line: str) -> None:
    with pytest.raises(BadAction, match="out of range"):
        parse_action(TOY, line)


# --- records -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def match() -> Match:
    """Red and Blue meet: line 7 of the record is an attack that hits."""
    match = Match.new(TOY, TOY.configure(weather=False), Scripted([2] * 10))
    for action in (March("red0", ("0100", "0200")), Done(), March("blue0", ("0300",)), Done()):
        match.play(action, Scripted())
    match.play(Attack("red0", "blue0"), Scripted([3, 6]))
    match.play(Hold(), Scripted())
    return match


@pytest.fixture(scope="module")
def whole() -> Match:
    """A match to its end."""
    match, rng = Match.new(TOY, TOY.configure(), Scripted([1] * 10 + [0])), Random(1)
    while match.state.outcome is None:
        match.play(rng.choice(legal(match.state)), match.seeded(1))
    return match


def edited(match: Match, line: int, **changed: Any) -> str:
    """The record with other values in one of its lines; None takes a value out."""
    lines = record_text(match).splitlines()
    row = json.loads(lines[line - 1]) | changed
    lines[line - 1] = json.dumps({key: value for key, value in row.items() if value is not None})
    return "\n".join(lines) + "\n"


def test_a_record_is_readable_and_gives_the_match_again(match: Match) -> None:
    text = record_text(match, players=["Anna", "Zoé \u2028 X"])
    rows = [json.loads(line) for line in text.rstrip("\n").split("\n")]
    assert rows[0]["players"] == ["Anna", "Zoé \u2028 X"]
    assert rows[6] == {
        "seat": "red",
        "do": "attack red0 blue0",
        "dice": [3, 6],
        "check": digest(match.states[5]),
    }
    again = parse_record(GAMES, text)
    assert (again.setup, again.journal, again.states) == (match.setup, match.journal, match.states)
    assert record_text(again, players=["Anna", "Zoé \u2028 X"]) == text


def test_a_record_may_have_the_line_ends_of_windows_and_no_last_one(match: Match) -> None:
    text = record_text(match)
    assert parse_record(GAMES, text.replace("\n", "\r\n")).states == match.states
    assert parse_record(GAMES, text.rstrip("\n")).states == match.states


def test_a_record_may_lack_its_fingerprints(match: Match) -> None:
    assert parse_record(GAMES, edited(match, 7, check=None)).states == match.states


def test_fingerprints_can_be_ignored(match: Match) -> None:
    assert parse_record(GAMES, edited(match, 7, check="0"), verify=False).states == match.states


@pytest.mark.parametrize(
    ("line", "changed", "place", "problem"),
    [
        (1, {"legatus": "position"}, "", "not a record"),
        (1, {"version": 7}, "version", "1, 2 or 3 expected, 7 found"),
        (1, {"game": "chess"}, "game", "one of outpost expected, 'chess' found"),
        (1, {"edition": None}, "edition", "an edition from 1 to 1 expected, None found"),
        (1, {"edition": 0}, "edition", "an edition from 1 to 1 expected, 0 found"),
        (1, {"edition": "1"}, "edition", "an edition from 1 to 1 expected, '1' found"),
        (1, {"edition": 2}, "edition", "edition 1 or an earlier one expected, 2 found: this needs a newer"),
        (3, {"resumed": 3}, "line 3", 'an object with "edition" and "lost", and a position, expected'),
        (3, {"resumed": {"edition": 1, "lost": 2}}, "line 3", "and a position, expected"),
        (1, {"scenario": None}, "line 1", "missing required field `scenario`"),
        (1, {"scenario": {"name": "hills"}}, "line 1", "'plain' expected, 'hills' found"),
        (1, {"options": {"length": "endless"}}, "line 1", "one of short, long expected, 'endless' found"),
        (1, {"options": {"magic": True}}, "line 1", "unknown field `magic`"),
        (2, {"dice": [2] * 9}, "line 2", "more dice expected"),
        (2, {"dice": [2] * 11}, "line 2", "1 dice too many"),
        (2, {"dice": [4] * 10}, "line 2", "4 is not a face of a d3"),
        (2, {"dice": None}, "line 2", 'an object with "dice", a list of whole numbers, expected'),
        (3, {"seat": "blue"}, "line 3", "seat 'red' expected, 'blue' found"),
        (3, {"seat": None}, "line 3", "seat 'red' expected, None found"),
        (3, {"do": "march red0 0404"}, "line 3", "illegal: [T3.1] 0404 is not beside 0000."),
        (
            3,
            {"do": "hold"},
            "line 3",
            "illegal: [T2.1] Not now: something else has to be decided first (march, attack, done).",
        ),
        (3, {"do": "fly away"}, "line 3", "an action begins with one of"),
        (3, {"do": None}, "line 3", "an action begins with one of"),
        (3, {"dice": [1]}, "line 3", "1 dice too many"),
        (3, {"do": "march red0 0100"}, "line 3", "replays to another state"),
        (7, {"dice": []}, "line 7", "more dice expected"),
        (7, {"dice": [3]}, "line 7", "2 result(s) expected, 1 given"),
        (7, {"dice": [3, 7]}, "line 7", "7 is not a face of a d6"),
        (7, {"dice": [3, 5.5]}, "line 7", "a list of whole numbers"),
        (7, {"dice": [3, True]}, "line 7", "a list of whole numbers"),
        (7, {"dice": "36"}, "line 7", "a list of whole numbers"),
        (7, {"dice": [6, 6]}, "line 7", "replays to another state than the one recorded"),
        (7, {"check": "0123456789ab"}, "line 7", "replays to another state than the one recorded"),
    ],
)
def test_a_bad_record_is_told(
    match: Match, line: int, changed: dict[str, Any], place: str, problem: str
) -> None:
    with pytest.raises(BadFile) as bad:
        parse_record(GAMES, edited(match, line, **changed), "my.jsonl")
    assert (bad.value.file, bad.value.place) == ("my.jsonl", place)
    assert problem in bad.value.problem


@pytest.mark.parametrize(
    ("line", "changed", "french"),
    [
        (1, {"scenario": {"name": "hills"}}, "ligne 1 : scenario : name : 'plain' attendu, 'hills' trouvé"),
        (1, {"options": {"magic": True}}, "ligne 1 : champ inconnu `magic`"),
        (2, {"dice": [4] * 10}, "ligne 2 : 4 n'est pas une face d'un d3"),
        (2, {"dice": [2] * 11}, "ligne 2 : 1 dé(s) de trop"),
        (3, {"do": "march red0 0404"}, "ligne 3 : interdit : [T3.1] 0404 n'est pas voisin de 0000."),
        (
            3,
            {"do": "hold"},
            (
                "ligne 3 : interdit : [T2.1] Pas maintenant : "
                "il faut d'abord décider autre chose (march, attack, done)."
            ),
        ),
        (7, {"dice": [3]}, "ligne 7 : 2 résultat(s) attendu(s), 1 donné(s)"),
    ],
)
def test_a_bad_record_is_told_in_french(
    match: Match, line: int, changed: dict[str, Any], french: str
) -> None:
    with pytest.raises(BadFile) as bad:
        parse_record(GAMES, edited(match, line, **changed), "my.jsonl")
    assert bad.value.say("fr") == f"my.jsonl : {french}"


def test_a_record_cut_short_is_told_or_a_match_that_goes_on(match: Match) -> None:
    text = record_text(match)
    for end in range(len(text) - 1):
        try:
            again = parse_record(GAMES, text[:end], "my.jsonl")
        except BadFile as bad:
            assert bad.file == "my.jsonl"  # noqa: PT017
            assert bad.problem  # noqa: PT017
        else:
            assert text[end] == "\n" or text[end - 1] == "\n", "half a line was taken"
            assert again.journal == match.journal[: len(again.journal)]


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("", "line 1", "not JSON"),
        ("\n", "line 1", "not JSON"),
        ("not a record", "line 1", "not JSON"),
        ("[1]", "", "not a record"),
        ('{"legatus": "record"}', "version", "1, 2 or 3 expected, None found"),
        ("[" * 100_000, "line 1", "not JSON"),
    ],
)
def test_what_is_no_record_is_told(text: str, place: str, problem: str) -> None:
    with pytest.raises(BadFile) as bad:
        parse_record(GAMES, text, "my.jsonl")
    assert bad.value.place == place
    assert problem in bad.value.problem


def test_a_head_alone_is_no_record(match: Match) -> None:
    with pytest.raises(BadFile, match=r"my.jsonl: line 2: the dice of the set-up expected"):
        parse_record(GAMES, record_text(match).splitlines()[0], "my.jsonl")


def test_nothing_follows_the_end(whole: Match) -> None:
    lines = record_text(whole).splitlines()
    for more in (lines[-1], '{"dice": []}'):
        with pytest.raises(BadFile, match=f"line {len(lines) + 1}: the game was over"):
            parse_record(GAMES, "\n".join([*lines, more]))


# --- files ---------------------------------------------------------------------------------------


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="No such file") as bad:
        read_text(tmp_path / "none.json")
    assert bad.value.file.endswith("none.json")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="directory"):
        read_text(tmp_path)


def test_a_file_that_is_not_utf8_is_told(tmp_path: Path) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes("é".encode("latin-1"))
    with pytest.raises(BadFile, match=r"latin.json: not a UTF-8 text file"):
        read_text(path)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old é")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert read_text(path) == "old é"
    write_text(path, "new")
    assert read_text(path) == "new"
    assert list(tmp_path.iterdir()) == [path]


class Row(Struct):
    name: str
    count: int = 1


class Table(Struct):
    title: str
    row: list[Row] = []


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("title = ", "", "not TOML: Invalid value (at"),
        ("row = []", "$", "missing required field `title`"),
        ("# a table\ntitle = 3", "line 2 (title)", "Expected `str`, got `int`"),
        (
            "title = 'x'\n[[row]]\nname = 'a'\n\n[[row]]\nname = 'b'\ncount = 'c'\n",
            "line 7 (row[1].count)",
            "Expected `int`, got `str`",
        ),
        ("title = 'x'\n[[row]]\ncount = 2\n", "line 2 (row[0])", "missing required field `name`"),
    ],
)
def test_a_bad_toml_file_names_the_line(tmp_path: Path, text: str, place: str, problem: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as bad:
        read_toml(path, Table)
    assert bad.value.file == str(path)
    assert bad.value.place in (place, place.removeprefix("$"))
    assert problem in bad.value.problem


def test_a_good_toml_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("title = 'x'\n[[row]]\nname = 'é'\n", encoding="utf-8")
    assert read_toml(path, Table) == Table("x", [Row("é")])


def test_positions_of_other_steps_are_taken() -> None:
    state = position(todo=(Ready(), Orders(RED)), red0=("0102", 2))
    assert parse_position(GAMES, position_text(TOY, state))[1] == state


def test_an_action_without_a_sentence_is_called_as_it_is_said() -> None:
    action = Attack("red0", "blue0", all_out=True)
    assert label(TOY, duel(), action, "fr") == say(action) == "attack red0 blue0 all-out"


def test_what_has_no_end_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 30_000_000 < files.MAX_BYTES < 100_000_000
    monkeypatch.setattr(files, "MAX_BYTES", 1_000)
    path = tmp_path / "long.json"
    path.write_bytes(b"x" * 1_000)
    assert read_text(path) == "x" * 1_000
    for endless in (Path("/dev/zero"), path):
        path.write_bytes(b"x" * 1_001)
        with pytest.raises(BadFile, match="longer than 1000 bytes"):
            read_text(endless)


def test_of_what_is_no_record_one_line_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(records, "parse_json", lambda text, *_: read.append(text) or {})
    with pytest.raises(BadFile):
        parse_record(GAMES, "{}\n" * 1_000)
    assert read == ["{}"]
