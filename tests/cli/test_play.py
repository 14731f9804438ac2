"""``play``: whole games through the keyboard, and everything that can be said at the prompt."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from legatus.kernel.match import States

from .conftest import Person, Run

ONES = "1\n" * 5000


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_whole_game_by_the_first_number(run: Run, tmp_path: Path, lang: str) -> None:
    result = run(
        "play",
        "virtus",
        "--seed",
        1,
        "--seat",
        "barbarians=random",
        "--lang",
        lang,
        "--save",
        "g.jsonl",
        stdin=ONES,
    )
    assert result.code == 0, result.err
    assert ("Victory for " if lang == "en" else "Victoire : ") in result.out
    assert re.search(r"Vict.*\[V[\w.-]+\]", result.out, re.S)
    assert "g.jsonl" in result.out.splitlines()[-1]
    assert run("replay", "g.jsonl", "--verify").code == 0
    run("play", "--resume", "g.jsonl").fails(1, "g.jsonl")


def test_a_long_battle_stays_quick(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told after an entry needs the latest states: hardly any older one is made again."""
    made: list[int] = []
    again = States._made_again
    monkeypatch.setattr(States, "_made_again", lambda self, index: made.append(index) or again(self, index))
    run("play", "virtus", "--seed", 1, "--seat", "barbarians=random", "--save", "g.jsonl", stdin=ONES)
    assert len(made) < len(rows(Path("g.jsonl")))


def test_quit_and_resume_is_the_same_game(run: Run, tmp_path: Path) -> None:
    run("play", "virtus", "--seed", 4, "--seat", "barbarians=random", "--save", "whole.jsonl", stdin=ONES)
    left = run(
        "play",
        "virtus",
        "--seed",
        4,
        "--seat",
        "barbarians=r",
        "--save",
        "half.jsonl",
        stdin="1\n1\n1\nquit\n",
    )
    assert left.code == 0
    assert "legatus play --resume half.jsonl" in left.out
    again = run("play", "--resume", "half.jsonl", stdin="1\n")  # the end of the input leaves the table too
    assert "legatus play --resume half.jsonl" in again.out
    assert run("play", "--resume", "half.jsonl", stdin=ONES).code == 0
    assert (tmp_path / "half.jsonl").read_text() == (tmp_path / "whole.jsonl").read_text()


def test_the_default_is_a_person_against_greedy_and_a_new_file(run: Run, tmp_path: Path) -> None:
    run("play", "virtus", stdin="quit\n")
    run("play", "virtus", stdin="quit\n")
    files = list(tmp_path.glob("virtus-*.legatus.jsonl"))
    assert len(files) == 2
    assert rows(files[0])[0]["seats"] == {"rome": "human", "barbarians": "greedy"}


def test_bots_can_play_each_other(run: Run) -> None:
    result = run("play", "virtus", "--seat", "rome=random", "--seat", "barbarians=random", "--seed", 3)
    assert result.code == 0
    assert "Victory" in result.out


def talk(run: Run, *said: str, lang: str = "en", seats: tuple[str, ...] = ("barbarians=random",)) -> str:
    """What the screen shows when these lines are typed in the first deployment of the bridge."""
    args = [word for seat in seats for word in ("--seat", seat)]
    result = run(
        "play",
        "virtus",
        "-s",
        "bridge",
        "--seed",
        1,
        *args,
        "--lang",
        lang,
        stdin="\n".join([*said, "quit", ""]),
    )
    assert result.code == 0, result.err
    return result.out


def test_a_bot_thinks_on_several_processes_and_does_the_same(run: Run, tmp_path: Path) -> None:
    for name, jobs in (("one", 1), ("two", 2)):
        left = run(
            *("play", "metaurus", "--scenario", "vanguard", "--seed", 3, "--save", f"{name}.jsonl"),
            *("--seat", "carthage=normal", "--jobs", jobs),
            stdin="1\n" * 12 + "quit\n",
        )
        assert left.code == 0, left.err
    one, two = rows(tmp_path / "one.jsonl"), rows(tmp_path / "two.jsonl")
    assert [row.get("do") for row in one] == [row.get("do") for row in two]
    assert sum(row.get("seat") == "carthage" for row in one) > 1
    run("play", "metaurus", "--jobs", 0).fails(2, "--jobs")


def test_actions_are_taken_as_lines(run: Run, tmp_path: Path) -> None:
    talk(run, "deploy trajan rome1", "deploy-rest", "done")
    (record,) = tmp_path.glob("*.jsonl")
    assert [row.get("do") for row in rows(record)[2:5]] == ["deploy trajan rome1", "deploy-rest", "done"]


def test_the_scenario_introduces_itself(run: Run) -> None:
    assert "The bridge\nA great river runs between the armies." in talk(run)
    assert "Le pont\nUn grand fleuve sépare les armées." in talk(run, lang="fr")


def test_several_actions_on_a_line_until_one_is_refused(run: Run, tmp_path: Path) -> None:
    text = talk(run, "deploy trajan rome1; deploy legion-1 barb1; deploy legion-2 rome2")
    (record,) = tmp_path.glob("*.jsonl")
    assert [row.get("do") for row in rows(record)[2:]] == ["deploy trajan rome1"]
    assert "✗" in text


def test_enter_plays_the_only_action(run: Run, tmp_path: Path) -> None:
    text = talk(run, "deploy-rest", "")
    (record,) = tmp_path.glob("*.jsonl")
    assert [row.get("do") for row in rows(record)[2:4]] == ["deploy-rest", "done"]
    assert "(Enter plays it)" in text


def test_the_field_is_drawn_once_for_each_kind_of_question(run: Run) -> None:
    assert talk(run, "deploy trajan rome1", "deploy legion-1 rome2").count("barb-reserve") == 1
    assert talk(run, "deploy trajan rome1", "", "deploy legion-1 rome2").count("barb-reserve") == 2


def test_refused_input_shows_every_reason_with_its_clause(run: Run) -> None:
    text = talk(run, "deploy trajan barb1", "why deploy trajan barb1", "done")
    assert text.count("✗") == 3
    assert text.count("  V1.7b: ") == 3


def test_nonsense_is_answered_with_help(run: Run) -> None:
    text = talk(
        run, "surrender", "deploy", "9999", "0", "{", "why", "odds", "why 1", "odds deploy-rest", "help"
    )
    assert "an action begins with one of" in text
    assert "deploy PIECE PLACE" in text
    assert "9999: a number from 1 to" in text
    assert "every reason against" in text


def test_long_lists_are_paged_and_can_be_searched(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    text = talk(run, "more", "list trajan rome1", "list zzz")
    assert re.search(r"more \(.*deploy-rest\): `more`", text, re.S)
    assert re.search(r"^deploy trajan +\d+ rome1$", text, re.M)
    assert "'zzz'" in text


def test_undo_until_luck_speaks(run: Run, tmp_path: Path) -> None:
    text = talk(run, "deploy trajan rome1", "undo", "undo")
    assert "Taken back: deploy trajan rome1" in text
    assert "Nothing can be taken back" in text
    (record,) = tmp_path.glob("*.jsonl")
    assert len(rows(record)) == 2


def test_rules_log_save_and_field(run: Run, tmp_path: Path) -> None:
    text = talk(
        run,
        "rules V1.7b",
        "rules pila",
        "rules zzz",
        "deploy-rest",
        "log",
        "log all",
        "save copy.jsonl",
        "save",
        "",
        "field",
    )
    assert "V1.7b · 1" in text
    assert "V11.3a" in text
    assert "no clause 'zzz'" in text
    assert "Saved: copy.jsonl" in text
    assert run("replay", tmp_path / "copy.jsonl", "--verify").code == 0


def test_french_commands(run: Run) -> None:
    text = talk(
        run,
        "aide",
        "deploy trajan rome1",
        "annuler",
        "pourquoi done",
        "suite",
        "liste trajan",
        "journal",
        "quitter",
        lang="fr",
    )
    assert "pourquoi ACTION" in text
    assert "Repris : deploy trajan rome1" in text
    assert "✗" in text


def test_a_curtain_falls_between_two_people(run: Run) -> None:
    seats = ("rome=human", "barbarians=human")
    text = talk(run, "deploy-rest", "done", "", "deploy-rest", "log", seats=seats)
    before, after = text.split("Hand over to the barbarians")
    assert "Hand over" not in before  # nothing to hide yet
    assert "vet-legion-1" in before
    assert "vet-legion-1" not in after


def test_dice_typed_at_the_table(run: Run, tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(screen: str) -> str:
        wanted = re.search(r"roll (\d+)d(\d+)[^:]*: $", screen)
        lots = re.search(r"draw one of ([\w-]+) [^:]*: $", screen)
        if len(asked) > 25:
            return "quit"
        if wanted:
            asked.append(wanted[0])
            return "x" if len(asked) == 1 else " ".join(["2"] * int(wanted[1])) if len(asked) % 5 else "1"
        return lots[1] if lots else "1"

    args = ("--seat", "barbarians=random", "--seed", 1, "--dice", "typed", "--save", "typed.jsonl")
    result = run("play", "virtus", "-s", "bridge", *args, stdin=Person(answer))
    assert result.code == 0, result.err
    assert "whole numbers expected" in result.out
    assert len(asked) > 20
    assert rows(tmp_path / "typed.jsonl")[0]["dice"] == "typed"
    assert run("replay", "typed.jsonl", "--verify").code == 0


def test_a_script_that_runs_out_says_so_and_keeps_the_game(run: Run, tmp_path: Path) -> None:
    args = ("--seat", "barbarians=random", "--dice", "script:1,6", "--save", "script.jsonl")
    result = run("play", "virtus", "-s", "bridge", *args, stdin=ONES)
    assert result.code == 2
    assert "legatus: more dice wanted" in result.err
    assert "--resume script.jsonl" in result.err
    assert run("replay", "script.jsonl", "--verify").code == 0


def test_bad_input(run: Run, tmp_path: Path) -> None:
    run("play").fails(2, "virtus")
    run("play", "virtus", "--seat", "rome").fails(2, "SEAT=PLAYER")
    run("play", "virtus", "--seat", "carthage=human").fails(2, "carthage", "rome")
    run("play", "virtus", "--seat", "rome=hannibal").fails(2, "hannibal", "greedy")
    run("play", "virtus", "--dice", "loaded").fails(2, "loaded")
    run("play", "virtus", "--scenario", "moon").fails(2, "moon", "bridge")
    run("play", "virtus", "--resume", "nowhere.jsonl").fails(2, "nowhere.jsonl")
    (tmp_path / "there.jsonl").write_text("")
    run("play", "virtus", "--save", "there.jsonl").fails(2, "there.jsonl", "--resume")
    result = run("play", "virtus", "--save", "no/such/folder.jsonl")
    assert result.code == 2
    assert "folder.jsonl" in result.err
    assert list(tmp_path.glob("virtus*")) == []


def test_without_a_game_a_terminal_offers_a_choice(tmp_path: Path) -> None:
    """A real terminal: choose the third scenario, the other side, and leave."""
    keyboard, terminal = pty.openpty()
    env = {**os.environ, "LEGATUS_LANG": "en", "COLUMNS": "100", "TERM": "dumb"}
    command = [sys.executable, "-m", "legatus", "play"]
    process = subprocess.Popen(
        command, stdin=terminal, stdout=terminal, stderr=terminal, cwd=tmp_path, env=env
    )
    os.close(terminal)
    screen = ""
    talk = [("game?", "virtus"), ("scenario?", "bridge"), ("side", "2"), ("other side", ""), ("> ", "quit")]
    for wait, answer in talk:
        screen += read_until(keyboard, wait)
        os.write(keyboard, f"{answer}\n".encode())
    screen += read_until(keyboard, "--resume")
    assert process.wait(10) == 0
    os.close(keyboard)
    (record,) = tmp_path.glob("*.jsonl")
    head = rows(record)[0]
    assert head["seats"] == {"rome": "greedy", "barbarians": "human"}
    assert "Greedy" not in screen


def read_until(keyboard: int, text: str) -> str:
    screen, end = "", time.monotonic() + 20
    while text not in screen.replace("\r", "") and (left := end - time.monotonic()) > 0:
        if select.select([keyboard], [], [], left)[0]:
            screen += os.read(keyboard, 65536).decode(errors="replace")
    assert text in screen.replace("\r", ""), screen
    return screen
