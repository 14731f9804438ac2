"""``rules`` and ``games``."""

from .conftest import VIRTUS, Run

CLAUSES = VIRTUS.folder.rulebooks["en"].clauses


def test_rules_as_json_list_every_clause(run: Run) -> None:
    listed = run("rules", "virtus", "--json").json
    assert [clause["id"] for clause in listed] == list(CLAUSES)
    for clause in listed:
        assert {"id", "chapter", "kind", "house", "informative", "text"} <= set(clause)
    assert sum(not clause["house"] for clause in listed) == 169


def test_the_contents_show_every_clause_below_its_chapter(run: Run) -> None:
    result = run("rules", "virtus")
    assert result.code == 0
    for clause in CLAUSES.values():
        assert f"  {clause.id} " in result.out
        assert clause.chapter in result.out


def test_one_clause_in_both_languages(run: Run) -> None:
    english, french = run("rules", "virtus", "V1.2b"), run("rules", "virtus", "v1.2b", "--lang", "fr")
    assert "V1.2b" in english.out
    assert "budget" in english.out
    assert "V1.2b" in french.out
    assert english.out != french.out
    assert run("rules", "virtus", "V1.2b", "--json").json[0]["id"] == "V1.2b"


def test_search(run: Run) -> None:
    found = run("rules", "virtus", "--search", "PILA", "--json").json
    assert "V11.3a" in [clause["id"] for clause in found]
    assert "V11.3a" in run("rules", "virtus", "--search", "pila").out
    run("rules", "virtus", "--search", "gunpowder").fails(1, "gunpowder")
    assert run("rules", "virtus", "--search", "gunpowder", "--json").json == []


def test_an_unknown_clause_names_the_nearest(run: Run) -> None:
    run("rules", "virtus", "V1.2").fails(2, "V1.2a", "V1.2b")
    run("rules", "virtus", "zzz").fails(2, "V0a")


def test_games_say_what_can_be_played(run: Run) -> None:
    (game,) = (game for game in run("games", "--json").json if game["game"] == "virtus")
    assert game["seats"] == ["rome", "barbarians"]
    assert game["default_scenario"] in game["scenarios"]
    assert game["clauses"]["sheet"] == 169
    assert {option["key"] for option in game["options"]} == {option.key for option in VIRTUS.options}
    for lang in ("en", "fr"):
        text = run("games", "--lang", lang).out
        for name in (*game["scenarios"], *(f"{o['key']}={o['default']}" for o in game["options"])):
            assert name in text
