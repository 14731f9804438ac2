"""``audit``: the command."""

import json
from pathlib import Path

import pytest

from legatus.games import GAMES
from legatus.kernel import Match, Seeded, legal, say
from legatus.kernel.records import digest

from .conftest import Run


def short_game(run: Run, *players: str) -> Path:
    """Somebody deploys, changes his mind, and leaves; then others take seats, one after the other."""
    file = Path("battle.legatus.jsonl")
    played = run(
        *("play", "virtus", "--scenario", "bridge", "--seed", 3, "--save", file, "--seat", "rome=human"),
        *("--seat", "barbarians=greedy"),
        stdin="deploy-rest\nundo\ndeploy-rest\ndone\nquit\n",
    )
    assert played.code == 0, played.err
    for player in players:
        run("play", "--resume", file, "--seat", player, stdin="quit\n")
    return file


def test_a_game_at_the_terminal_is_reproduced(run: Run) -> None:
    file = short_game(run)
    found = run("audit", file)
    assert found.code == 0, found.err
    assert "All were reproduced." in found.out
    assert "The barbarians" in found.out
    data = run("audit", file, "--json", "--seat", "barbarians", "-j", 2).json
    bots = data["bots"]
    assert bots == [{"seat": "barbarians", "bot": "greedy", "decisions": 2, "reproduced": 2}]
    assert data == {"game": "virtus", "honest": True, "bots": bots, "first": None}
    assert "Toutes sont retrouvées" in run("audit", file, "--lang", "fr").out


def test_players_may_be_replaced(run: Run) -> None:
    file = short_game(run, "barbarians=random", "rome=random")
    head = json.loads(file.read_text(encoding="utf-8").split("\n")[0])
    assert [sitting["seats"]["barbarians"] for sitting in head["before"]] == ["greedy", "random"]
    data = run("audit", file, "--json").json
    assert data["honest"]
    assert {(one["seat"], one["bot"]) for one in data["bots"]} == {
        ("rome", "random"),
        ("barbarians", "greedy"),
        ("barbarians", "random"),
    }


def test_what_is_taken_back_is_not_of_those_before(run: Run) -> None:
    file = short_game(run)
    entries = len(file.read_text(encoding="utf-8").splitlines()) - 1
    lay = "1\nquit\n"
    run("play", "--resume", file, stdin=lay)
    run("play", "--resume", file, "--seed", 4, stdin="undo\n" + lay)
    head = json.loads(file.read_text(encoding="utf-8").split("\n")[0])
    assert head["seed"] == 4
    assert [(one["seed"], one["until"]) for one in head["before"]] == [(3, entries)]
    assert run("audit", file, "--json").json["honest"]


def test_a_record_that_was_changed_is_told_with_its_entry(run: Run) -> None:
    file = short_game(run)
    head, *lines = file.read_text(encoding="utf-8").splitlines()
    game = GAMES["virtus"]
    match = Match.new(game, game.configure("bridge"), Seeded("3/0"))
    for line in lines[1:3]:
        done = next(a for a in legal(match.state) if say(a) == json.loads(line)["do"])
        match.play(done, Seeded("none"))
    recorded = json.loads(lines[3])
    assert recorded["seat"] == "barbarians"
    other = next(a for a in legal(match.state) if say(a) != recorded["do"])
    match.play(other, Seeded("none"))
    changed = {"seat": "barbarians", "do": say(other), "dice": [], "check": digest(match.state)}
    file.write_text("\n".join([head, *lines[:3], json.dumps(changed)]) + "\n", encoding="utf-8")
    found = run("audit", file)
    assert found.code == 1
    assert "Entry 3 was not reproduced: The barbarians, greedy." in found.out
    assert f"recorded: {say(other)}; now: {recorded['do']}" in found.out
    first = run("audit", file, "--json").json["first"]
    assert first == {
        "entry": 3,
        "seat": "barbarians",
        "bot": "greedy",
        "done": say(other),
        "again": recorded["do"],
    }


@pytest.mark.parametrize(
    ("notes", "words"),
    [
        ({"seats": None}, ("who played",)),
        ({"seed": None}, ("no seed",)),
        ({"seats": {"rome": "human", "barbarians": "human"}}, ("no bot",)),
        ({"seats": {"rome": "human", "barbarians": "hal"}}, ("hal", "greedy")),
        ({"seats": {"roma": "greedy"}}, ("roma", "'rome'")),
    ],
)
def test_what_cannot_be_audited_is_said(run: Run, notes: dict[str, object], words: tuple[str, ...]) -> None:
    file = short_game(run)
    head, rest = file.read_text(encoding="utf-8").split("\n", 1)
    file.write_text(json.dumps(json.loads(head) | notes) + "\n" + rest, encoding="utf-8")
    run("audit", file).fails(2, file.name, *words)


def test_wrong_seats_are_refused(run: Run) -> None:
    file = short_game(run)
    run("audit", file, "--seat", "carthage").fails(2, "carthage")
    run("audit", file, "--seat", "rome").fails(2, "no bot")
    run("audit", file, "--jobs", 0).fails(2, "--jobs")
