"""``army list`` and ``army check``."""

from pathlib import Path

import pytest

from .conftest import VIRTUS, Run

ARMIES = list(VIRTUS.folder.names("armies"))
BAD = """\
name = "Too many"
budget = 150

[[unit]]
type = "veteran_legionaries"
count = 14

[[unit]]
type = "hoplites"
"""


def test_list(run: Run) -> None:
    assert [row["army"] for row in run("army", "list", "--json").json] == ARMIES
    for lang in ("en", "fr"):
        text = run("army", "list", "--lang", lang).out
        assert all(name in text for name in ARMIES)


@pytest.mark.parametrize("name", ARMIES)
def test_every_ready_army_is_in_order(run: Run, name: str) -> None:
    checked = run("army", "check", name, "--json").json
    assert checked["ok"]
    assert checked["cost"] == sum(line["total"] for line in checked["lines"]) <= checked["budget"]


def test_check_prints_the_prices_and_the_total(run: Run) -> None:
    result = run("army", "check", VIRTUS.folder.names("armies")["dacians-200"])
    assert result.code == 0
    assert "200" in result.out
    assert "Decebalus" in result.out
    french = run("army", "check", "dacians-200", "--lang", "fr")
    assert french.code == 0
    assert french.out != result.out


def test_a_smaller_budget_is_overspent(run: Run) -> None:
    result = run("army", "check", "dacians-200", "--budget", "180")
    assert result.code == 1
    assert "V1.2b" in result.out


def test_errors_name_line_and_clause(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(BAD)
    for lang, place in (("en", "bad.toml: line 9"), ("fr", "bad.toml : ligne 9")):
        result = run("army", "check", "bad.toml", "--lang", lang)
        assert result.code == 1
        assert place in result.out
        for clause in ("V1.2a", "V1.2b", "VREF.b"):
            assert f"[{clause}]" in result.out
    problems = run("army", "check", "bad.toml", "--json").json["problems"]
    assert {"severity", "place", "clause", "text"} == set(problems[0])


def test_a_list_is_judged_by_the_options_of_the_match(run: Run, tmp_path: Path) -> None:
    """V10-troops.5b: fanatics who roll a dark die may be rabble."""
    unit = '[[unit]]\ntype = "fanatics"\nrabble = true\ncount = 12\n'
    (tmp_path / "wild.toml").write_text(f'name = "Wild"\nbudget = 150\ngeneral = [{{}}]\n{unit}')
    assert "[V10-troops.5b]" in run("army", "check", "wild.toml").out
    result = run("army", "check", "wild.toml", "--option", "fanatics=off")
    assert result.code == 0
    assert "V10-troops.5b" not in result.out
    run("army", "check", "wild.toml", "-o", "fanatic=off").fails(2, "fanatic=off", "shieldwall_any")


def test_what_is_no_army_is_bad_input(run: Run, tmp_path: Path) -> None:
    run("army", "check", "nobody").fails(2, "nobody", "dacians-150")
    (tmp_path / "broken.toml").write_text("name = ")
    run("army", "check", "broken.toml").fails(2, "broken.toml", "TOML")
    (tmp_path / "typo.toml").write_text('name = "x"\nbudget = 150\nbuget = 3\n')
    run("army", "check", "typo.toml").fails(2, "typo.toml", "buget")
    (tmp_path / "wrong.toml").write_text('name = "x"\nbudget = "much"\n')
    run("army", "check", "wrong.toml").fails(2, "wrong.toml", "line 2")
