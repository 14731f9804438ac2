"""Commands carry a number and an id of their own: said twice they are done once, and of two only one wins."""

from __future__ import annotations

import threading
from random import Random
from secrets import token_hex
from typing import Any

import pytest

from legatus.games import GAMES
from legatus.kernel import Match, say
from legatus.kernel.records import parse_record

from .client import FOREST, SMALL, Player, Server, until


@pytest.fixture
def anna(server: Server) -> Player:
    return server.player()


# --- the same again ------------------------------------------------------------------------------


def test_to_open_again_opens_nothing_more(anna: Player) -> None:
    first = anna.open("me", "friend", request="open-0001", **SMALL)
    again = anna.open("me", "friend", request="open-0001", **SMALL)
    assert again == first
    assert len(anna.get("/api/matches")["matches"]) == 1
    assert anna.open("me", "friend", request="open-0002", **SMALL)["id"] != first["id"]


def test_the_requests_of_others_are_others(server: Server) -> None:
    one, two = (server.player().open("me", "friend", request="open-0001", **SMALL) for _ in range(2))
    assert one["id"] != two["id"]


def test_to_join_again_changes_nothing(anna: Player, server: Server) -> None:
    match, ben = anna.open("me", "friend", **SMALL), server.player()
    assert ben.join(match, name="Ben") == ben.join(match, name="Ben")
    assert ben.match(match["id"])["number"] == 1


def test_to_act_and_undo_again_is_answered_as_the_first_time(anna: Player) -> None:
    ident = anna.open("me", "me", **SMALL)["id"]
    do = anna.frame(ident)["actions"][0]["do"]
    acted = anna.act(ident, 1, do, request="act-00001")
    assert anna.act(ident, 1, do, request="act-00001") == acted == {"number": 2, "luck": None}
    undone = anna.undo(ident, 2, request="undo-0001")
    assert anna.undo(ident, 2, request="undo-0001") == undone == {"number": 3, "luck": None}
    assert anna.act(ident, 1, do, request="act-00001") == acted  # however long ago it was
    info = anna.match(ident)
    assert (info["number"], info["entries"]) == (3, 1)


def test_after_an_undo_the_same_can_be_done_anew(anna: Player) -> None:
    ident = anna.open("me", "me", **SMALL)["id"]
    do = anna.frame(ident)["actions"][0]["do"]
    for number in (1, 3, 5):
        assert anna.act(ident, number, do)["number"] == number + 1
        assert anna.undo(ident, number + 1)["number"] == number + 2
    assert anna.match(ident)["entries"] == 1


# --- conflicts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1, 3, 99, -1, 10**12])
def test_another_number_is_a_conflict_that_says_where_the_match_stands(anna: Player, number: int) -> None:
    ident = anna.open("me", "me", **SMALL)["id"]
    anna.act(ident, 1, anna.frame(ident)["actions"][0]["do"])
    do = anna.frame(ident)["actions"][0]["do"]
    for failure in (anna.act(ident, number, do, expect=409), anna.undo(ident, number, expect=409)):
        assert (failure["code"], failure["number"]) == ("conflict", 2)
        assert "stands at 2" in failure["message"]
    assert anna.match(ident)["number"] == 2


def test_of_two_at_the_same_time_exactly_one_wins(anna: Player) -> None:
    ident, rng = anna.open("me", "me", **SMALL)["id"], Random(1)
    for _ in range(8):
        frame = anna.frame(ident)
        wishes = [rng.choice(frame["actions"])["do"] for _ in range(6)]
        gate, answers = threading.Barrier(len(wishes)), []

        def send(do: str, number: int, gate: Any = gate, answers: list[Any] = answers) -> None:
            wish = {"number": number, "request": token_hex(8), "do": do}
            gate.wait()
            answers.append(anna.ask("POST", f"/api/matches/{ident}/act", json=wish))

        threads = [threading.Thread(target=send, args=(do, frame["number"])) for do in wishes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answer.status_code for answer in answers) == [200, *[409] * 5]
        for answer in answers:
            body = answer.json()
            assert body["number"] == frame["number"] + 1
            assert answer.status_code == 200 or body["code"] == "conflict"
        assert anna.match(ident)["number"] == frame["number"] + 1


def test_the_same_request_many_times_at_once_is_one_row(anna: Player) -> None:
    ident = anna.open("me", "me", **SMALL)["id"]
    do, answers = anna.frame(ident)["actions"][0]["do"], []
    gate = threading.Barrier(6)

    def send() -> None:
        gate.wait()
        answers.append(anna.act(ident, 1, do, request="one-and-only"))

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [{"number": 2, "luck": None}] * 6
    assert anna.match(ident)["number"] == 2


def test_nobody_can_take_the_requests_of_the_computer(anna: Player) -> None:
    """Else its row would be taken for one that is there already, and it would think for ever."""
    ident, rng = anna.open("me", "bot:random", **SMALL)["id"], Random(1)

    def answered() -> Any:
        frame = anna.frame(ident)
        return frame if frame["yours"] or frame["ending"] else None

    tried = 0
    while tried < 6:
        frame = until(answered)
        if frame["ending"]:  # a short battle: the next one goes on
            ident = anna.open("me", "bot:random", **SMALL)["id"]
            continue
        tried += 1
        for made_up in ("bot-{:08d}", "bot_{:08d}", "start-{:08d}"):
            number = frame["number"]
            anna.act(ident, number, rng.choice(frame["actions"])["do"], request=made_up.format(number + 1))
            frame = anna.frame(ident)
            if not frame["yours"]:
                break
    until(answered)


# --- undo ----------------------------------------------------------------------------------------


def test_luck_is_not_taken_back(anna: Player) -> None:
    """Through a game: undo is offered and taken exactly where the last action was one's own and sure."""
    ident, rng = anna.open("me", "me", **SMALL)["id"], Random(4)
    frame, offered, refused = anna.frame(ident), 0, 0
    while not frame["ending"] and (offered < 5 or refused < 5):
        number = anna.act(ident, frame["number"], rng.choice(frame["actions"])["do"])["number"]
        match = parse_record(GAMES, anna.record(ident))
        last = match.journal[-1]
        seats = [anna.frame(ident, seen_as=seat)["undo"] for seat in match.game.seats]
        ended = match.state.outcome is not None
        assert seats == [seat == last.seat and not last.sealed and not ended for seat in range(2)]
        if last.sealed and not ended:
            refused += 1
            assert anna.undo(ident, number, expect=409)["code"] == "no-undo"
            assert anna.match(ident)["number"] == number
        elif not ended:
            offered += 1
            assert anna.undo(ident, number)["number"] == number + 1
            anna.act(ident, number + 1, rng.choice(anna.frame(ident)["actions"])["do"])
        frame = anna.frame(ident)
    assert offered


def test_the_set_up_and_the_moves_of_others_are_not_taken_back(anna: Player, server: Server) -> None:
    match, ben = anna.open("me", "friend", **SMALL), server.player()
    ident = match["id"]
    ben.join(match)
    for player in (anna, ben):
        assert player.undo(ident, 1, expect=409)["code"] == "no-undo"
    for _ in range(3):  # at first a side is chosen, and the other may deploy: then nothing is taken back
        mover, waiter = (anna, ben) if anna.frame(ident)["yours"] else (ben, anna)
        frame = mover.frame(ident)
        number = mover.act(ident, frame["number"], frame["actions"][0]["do"])["number"]
        if mover.frame(ident)["undo"]:
            break
    for other in (waiter, server.player()):
        assert other.undo(ident, other.frame(ident)["number"], expect=409)["code"] == "no-undo"
    assert mover.undo(ident, number)["number"] == number + 1


# --- the log -------------------------------------------------------------------------------------


def watch_and_compare(server: Server, seed: int, rows: int, wish: dict[str, Any]) -> int:
    """A random game with undos; at every row the log that a client keeps is the one that it can ask for.

    Lines are cut and taken up again, with what was there before; returns how many undos there were.
    """
    rng, undos = Random(seed), 0
    anna, ben, eve = server.player(), server.player("fr"), server.stranger()
    match = anna.open("me", "friend", **wish)
    ident = match["id"]
    ben.join(match)
    seats = {"rome": anna, "barbarians": ben}
    kept: dict[Player, tuple[int, list[Any]]] = {player: (0, []) for player in (anna, ben, eve)}
    played, over = 0, False
    while played < rows and not over:
        watched = {player: rng.random() < 0.7 for player in kept}  # the others come back later
        lines = {}
        managers = []
        for player, (known, log) in kept.items():
            if watched[player]:
                manager = player.watch(ident, number=known, entries=len(log))
                line = manager.__enter__()
                managers.append(manager)
                line.log = list(log)
                lines[player] = line
        shown = {player: line.frame() for player, line in lines.items()}
        for _ in range(rng.randint(1, 6)):
            frame = anna.frame(ident)
            if frame["ending"]:
                over = True
                break
            mover = seats[frame["turn"]]
            undoers = [player for player in seats.values() if player.frame(ident)["undo"]]
            if undoers and rng.random() < 0.35:
                undoers[0].undo(ident, undoers[0].frame(ident)["number"])
                undos += 1
            else:
                frame = mover.frame(ident)
                mover.act(ident, frame["number"], rng.choice(frame["actions"])["do"])
            played += 1
            for player, line in lines.items():
                number = player.match(ident)["number"]
                if number > shown[player]["number"]:
                    shown[player] = line.frame(number)
                assert shown[player]["number"] == number
                assert line.log == player.log(ident)
                assert len(line.log) == shown[player]["entry"] + 1
        for player, line in lines.items():
            kept[player] = (line.number, line.log)
        for manager in managers:
            manager.__exit__(None, None, None)
    return undos


@pytest.mark.parametrize(("seed", "wish"), [(1, SMALL), (2, FOREST)])
def test_the_log_is_kept_by_its_rule_through_undos_and_cut_lines(
    server: Server, seed: int, wish: dict[str, Any]
) -> None:
    undos = 0
    for game in range(4):
        undos += watch_and_compare(server, 10 * seed + game, 80, wish)
        if undos > 8:
            return
    assert undos


def test_what_was_taken_back_while_one_was_away_is_told_anew(anna: Player) -> None:
    """As many entries stand as one has, and yet the last one is another."""
    ident = anna.open("me", "me", **SMALL)["id"]
    seat = anna.frame(ident)["turn"]
    first, *others = anna.frame(ident)["actions"]
    anna.act(ident, 1, first["do"])
    with anna.watch(ident, seen_as=seat) as line:
        line.frame()
        before = line.log
    number = 2
    for other in others:
        anna.undo(ident, number)
        number = anna.act(ident, number + 1, other["do"])["number"]
        if (log := anna.log(ident, seen_as=seat)) != before:
            break
    assert len(log) == len(before) == 2
    assert log != before
    with anna.watch(ident, seen_as=seat, number=2, entries=2) as line:
        line.log = list(before)
        line.frame()
        assert line.log == log


def test_what_was_known_is_not_told_again(anna: Player) -> None:
    ident = anna.open("me", "me", **SMALL)["id"]
    for number in range(1, 6):
        anna.act(ident, number, anna.frame(ident)["actions"][0]["do"])
    with anna.watch(ident, seen_as="rome", number=6, entries=6) as line:
        assert line.frame()["log_from"] == 5
    with anna.watch(ident, seen_as="rome", number=4, entries=4) as line:
        assert line.frame()["log_from"] == 4
    for number, entries in ((0, 0), (0, 6), (7, 6), (-1, 3), (6, 0), (6, -1), (6, -(10**9))):
        with anna.watch(ident, seen_as="rome", number=number, entries=entries) as line:
            frame = line.frame()
            assert frame["log_from"] == 0
            assert line.log == anna.log(ident, seen_as="rome")


def test_a_journal_with_undos_is_the_record_of_what_stands(anna: Player) -> None:
    ident, rng = anna.open("me", "me", **SMALL)["id"], Random(8)
    stands: list[str] = []
    for number in range(1, 40):
        frames = [anna.frame(ident, seen_as=seat) for seat in ("rome", "barbarians")]
        if any(frame["undo"] for frame in frames) and rng.random() < 0.4:
            anna.undo(ident, number)
            stands.pop()
            continue
        actions = [action for frame in frames for action in frame["actions"]]
        if not actions:
            break
        stands.append(rng.choice(actions)["do"])
        anna.act(ident, number, stands[-1])
    match: Match = parse_record(GAMES, anna.record(ident))
    assert [say(entry.action) for entry in match.journal[1:] if entry.action] == stands
