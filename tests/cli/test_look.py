"""``look UNIT``: all about one unit or place, at the prompt and in a replay."""

import pytest

from legatus.cli.look import NotSeen, find, look_at
from legatus.cli.words import Words
from legatus.games import GAMES
from legatus.kernel import Match, Seeded
from legatus.scene.text import short_names

from .conftest import Run

EN = Words("en")
FIRST = {  # a unit of a game, and what must be told of it
    "virtus": ("legion-1", ["VO 3", "VD 3", "infantry, dense order", "pila", "Can form: testudo", "V11.3a "]),
    "metaurus": (
        "nero-1",
        ["Nero's picked foot 1 (legion)", "1511 ↑", "Mor 8", "Mvt 5", "Front: ", "[M4.mod.flank]"],
    ),
    "julian": ("caesar-comitatenses-1", ["Comitatenses 1", "F 4", "M 3", "JH.units "]),
    "formations": ("spearmen-1", ["N ", "P ", "morale", "Flank: ", "AH11.melee "]),
    "onus": (
        "a-hastati-1",
        ["A 3/2", "Mo 7", "✗0/5", "morale check", "short range: 1", "OH.unit.1 "],
    ),
}


def begin(key: str) -> Match:
    game = GAMES[key]
    return Match.new(game, game.configure(), Seeded("look"))


def told(key: str, name: str, lang: str = "en") -> str:
    match = begin(key)
    view = match.game.view(match.state, 0)
    return "\n".join(line.plain for line in look_at(match.game, view, 0, name, Words(lang)))


@pytest.mark.parametrize("key", FIRST)
def test_a_look_tells_figures_state_abilities_and_clauses(key: str) -> None:
    name, expected = FIRST[key]
    text = told(key, name)
    assert not [part for part in expected if part not in text], text


@pytest.mark.parametrize(
    ("key", "place", "expected"),
    [("julian", "0400", "Noviomagus Batavorum, value 1"), ("formations", "0608", "Granary")],
)
def test_a_look_at_a_place_tells_what_lies_there(key: str, place: str, expected: str) -> None:
    assert f"Here: {expected}" in told(key, place)


@pytest.mark.parametrize("key", FIRST)
def test_every_counter_and_place_can_be_looked_at_in_both_languages(key: str) -> None:
    match = begin(key)
    scene = match.game.scene(match.game.view(match.state, 0), 0, "en")
    for thing in (*scene.pieces, *scene.areas[:5], *scene.areas[-5:]):
        for lang in ("en", "fr"):
            view = match.game.view(match.state, 0)
            lines = look_at(match.game, view, 0, thing.id, Words(lang))
            assert thing.id in lines[0].plain
            assert all(line.plain.strip() for line in lines)


def test_a_unit_is_found_by_its_short_name_its_label_and_the_beginning_of_either() -> None:
    match = begin("metaurus")
    scene = match.game.scene(match.state, 0, "en")
    short = short_names(scene)["nero-1"]
    for name in (short, "nero-1", "Nero's picked foot 1", "NERO-1", "nero-horse-1"[:12]):
        assert find(scene, name, EN).id.startswith("nero-"), name
    assert find(scene, short, EN).id == "nero-1"


def test_a_name_of_several_or_of_none_is_answered_with_what_it_may_be() -> None:
    scene = begin("metaurus").game.scene(begin("metaurus").state, 0, "en")
    with pytest.raises(NotSeen, match="may be nero-1, nero-2"):
        find(scene, "nero-", EN)
    with pytest.raises(NotSeen, match="no unit and no place 'nerro-1' to be seen; near it: nero-1"):
        find(scene, "nerro-1", EN)
    with pytest.raises(NotSeen, match=r"no unit and no place 'zzz' to be seen$"):
        find(scene, "zzz", EN)
    with pytest.raises(NotSeen, match="look at what"):
        find(scene, " ", EN)


def test_a_look_tells_no_secret() -> None:
    """V1.7c: what the other side deploys is not to be seen before all is revealed."""
    match = begin("virtus")
    foe = next(unit.id for unit in match.state.roster.units if unit.side == 1)
    view = match.game.view(match.state, 0)
    with pytest.raises(NotSeen):
        look_at(match.game, view, 0, foe, EN)
    assert match.game.look(view, 0, foe, "en") is None


def test_look_at_the_prompt_in_both_languages_with_what_is_legal_now(run: Run) -> None:
    said = ["look nero-1", "look livius-1", "look nobody", "quit", ""]
    args = ("play", "metaurus", "-s", "vanguard", "--seed", 1, "--save", "a.jsonl")
    text = run(*args, stdin="\n".join(said)).out
    assert "nero-1: Nero's picked foot 1 (legion), Rome" in text
    assert "no unit and no place 'nobody'" in text
    french = run(*args[:-1], "b.jsonl", "--lang", "fr", stdin="regarder nero-1\nvoir legion\nquitter\n").out
    assert "nero-1 : " in french
    assert "(légion)" in french
    assert "ni unité ni lieu 'legion' en vue" in french
    text = run(
        *("play", "virtus", "-s", "bridge", "--seed", 1, "--save", "c.jsonl"), stdin="look legion-1\nquit\n"
    ).out
    assert "Legal now:" in text.split("> look legion-1")[1]
    assert "deploy legion-1" in text.split("Legal now:")[1]


def test_help_names_it(run: Run) -> None:
    text = run("play", "virtus", "--seed", 1, stdin="help\nquit\n").out
    assert "look UNIT" in text


def test_a_line_of_the_map_says_the_arm(run: Run) -> None:
    """M4.matrix: the arm decides a fight as much as morale does."""
    text = run("play", "metaurus", "-s", "vanguard", "--seed", 1, stdin="quit\n").out
    assert "Livius' foot (legion) 7/4" in text
    assert "Gauls (medium infantry)" in text


def test_a_line_of_the_board_says_arm_order_and_weapons(run: Run) -> None:
    text = run("play", "virtus", "-s", "bridge", "--seed", 1, stdin="quit\n").out
    assert "dense order" in text
    assert "pila" in text
