"""``fortress list``, ``fortress check`` and ``fortress show``."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from legatus.games.onus.design import ready

from .conftest import Run

NAMES = list(ready())
GOOD = """\
name = "Mine"
name_fr = "Le mien"
material = "stone"
walk = ["corner gate", "corner wall", "corner wall", "corner wall"]
"""
BAD = """\
name = "Two mistakes"
material = "wood"
walk = [
    "tower-right wall", # no gate
    "corner wall",
    "corner stone-wall",
    "corner wall",
]
"""


def test_alone_it_gives_help(run: Run) -> None:
    result = run("fortress")
    assert result.code == 0
    assert "check" in result.out


def test_list(run: Run) -> None:
    rows = run("fortress", "list", "--json").json
    assert [row["fortress"] for row in rows] == NAMES
    assert {row["fortress"]: (row["wood"], row["stone"]) for row in rows}["unusual"] == (590, 1180)
    assert {row["fortress"]: row["size"] for row in rows}["standard"] == [7.04, 3.52]
    texts = [run("fortress", "list", "--lang", lang).out for lang in ("en", "fr")]
    assert all(name in text for name in NAMES for text in texts)
    assert texts[0] != texts[1]


@pytest.mark.parametrize("name", NAMES)
def test_every_ready_design_is_in_order(run: Run, name: str) -> None:
    checked = run("fortress", "check", name, "--json").json
    assert checked["ok"]
    assert checked["cost"] == sum(line["total"] for line in checked["lines"]) == checked["wood"]


def test_check_prints_the_prices_and_the_total(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GOOD)
    result = run("fortress", "check", "mine.toml")
    assert result.code == 0
    assert "Mine" in result.out
    assert "total 460 points (all of wood 230, all of stone 460)" in result.out
    assert "no error" in result.out
    french = run("fortress", "check", "mine.toml", "--lang", "fr")
    assert "Le mien" in french.out
    assert "mur d'angle en pierre" in french.out


def test_errors_name_line_and_clause(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(BAD)
    for lang, place in (
        ("en", "bad.toml: line 6 (walk(6)): error"),
        ("fr", "bad.toml : ligne 6 (walk(6)) : "),
    ):
        result = run("fortress", "check", "bad.toml", "--lang", lang)
        assert result.code == 1
        assert place in result.out
        assert "[O7.design.gate]" in result.out
        assert "[O7.design.material]" in result.out
    problems = run("fortress", "check", "bad.toml", "--json").json["problems"]
    assert [(problem["place"], problem["clause"]) for problem in problems] == [
        ("line 3 (walk)", "O7.design.gate"),
        ("line 6 (walk(6))", "O7.design.material"),
    ]


def test_what_is_no_design_is_bad_input(run: Run, tmp_path: Path) -> None:
    for command in ("check", "show"):
        run("fortress", command, "nothing").fails(2, "nothing", "standard")
        run("fortress", command).fails(2, "FILE")
        run("fortress", command, tmp_path).fails(2, str(tmp_path))
        for name, text, words in (
            ("broken.toml", "name = ", ["TOML"]),
            ("typo.toml", GOOD.replace("gate", "gait"), ["line 4", "'gait'", "gate"]),
            ("mud.toml", GOOD.replace("stone", "mud"), ["line 3", "material", "'wood'"]),
            ("number.toml", GOOD.replace('"Mine"', "3"), ["line 1", "name", "str"]),
            ("more.toml", f"{GOOD}moat = true\n", ["moat"]),
            ("none.toml", 'name = "x"\n', ["material"]),
        ):
            (tmp_path / name).write_text(text)
            run("fortress", command, name).fails(2, name, *words)
    (tmp_path / "noise.toml").write_bytes(b"\xff\xfe\x00\x81")
    run("fortress", "check", "noise.toml").fails(2, "noise.toml", "UTF-8")
    run("fortress", "check", "typo.toml", "--lang", "fr").fails(2, "typo.toml : ligne 4", "trouvé")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_show(run: Run, lang: str) -> None:
    result = run("fortress", "show", "gatehouse", "--lang", lang)
    assert result.code == 0
    assert "▓▓▓▓████▒▒╌╌╌╌▒▒████▓▓▓▓\n▓▓  ████        ████  ▓▓\n" in result.out
    for words in {
        "en": ["gate 1", "0.00 -1.54", "270°", "430"],
        "fr": ["porte 1", "tour 2", "en pierre 860"],
    }[lang]:
        assert words in result.out


def test_show_for_programs(run: Run) -> None:
    shown = run("fortress", "show", "small", "--json").json
    gate = next(place for place in shown["places"] if place["id"] == "gate-1")
    assert gate["at"] == [0, -1.54]
    assert gate["opening"] == [[-0.44, -1.76], [0.44, -1.76], [0.44, -1.32], [-0.44, -1.32]]
    assert gate["neighbours"] == ["tower-1", "corner-1"]
    assert shown["size"] == [3.52, 3.52]
    assert len(shown["floor"]) == 6
    assert shown["ok"]
    root = ElementTree.fromstring(run("fortress", "show", "small", "--svg").out)
    assert root.tag.endswith("svg")


def test_show_draws_what_is_not_in_order_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "open.toml").write_text(GOOD.replace(', "corner wall"]', "]"))
    result = run("fortress", "show", "open.toml")
    assert result.code == 0
    assert "▒▒╌╌╌╌▒▒" in result.out
    assert "[OH.piece.2]" in result.out
    assert run("fortress", "show", "open.toml", "--json").json["ok"] is False
    (tmp_path / "gap.toml").write_text(
        'agreed = ["gaps"]\n' + GOOD.replace('"corner wall"]', '"corner gap-1.76"]')
    )
    assert "gap between corner wall 4 and corner wall 1" in run("fortress", "show", "gap.toml").out
