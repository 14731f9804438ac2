"""Where players throw their own dice, or draw their own cards: nothing is done before all is said."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from legatus.games import GAMES
from legatus.kernel.records import parse_record

from .client import SMALL, Player, Server


def throw(luck: Any, rng: Random) -> list[int]:
    """What fell, as somebody types it."""
    if luck["sides"]:
        return [rng.randint(1, luck["sides"]) for _ in range(luck["n"])]
    return [rng.choice(luck["choices"])[0] for _ in range(luck["n"])]


def act(player: Player, match: str, frame: Any, rng: Random, seen: Callable[[Any], None]) -> int:
    """Do something, and say what falls until it is done; ``seen`` is shown every question."""
    do, dice = rng.choice(frame["actions"])["do"], []
    while True:
        done = player.act(match, frame["number"], do, dice=dice)
        if done["luck"] is None:
            return int(done["number"])
        assert done["number"] == frame["number"], "something was done"
        assert done["luck"]["dice"] == dice
        seen(done["luck"])
        dice = dice + throw(done["luck"], rng)


def play(player: Player, match: str, seed: int, seen: Callable[[Any], None], most: int = 400) -> Any:
    rng, frame = Random(seed), player.frame(match)
    for _ in range(most):
        if frame["ending"]:
            break
        number = act(player, match, frame, rng, seen)
        frame = player.frame(match)
        assert frame["number"] == number == frame["entry"] + 1
    return frame


def until_asked(player: Player, match: str, rng: Random, sides: bool = True) -> tuple[Any, str, Any]:
    """Play on until an action wants dice (or a draw): the frame, the action and the question."""
    for _ in range(5):
        frame = player.frame(match)
        while not frame["ending"]:
            do = rng.choice(frame["actions"])["do"]
            dice: list[int] = []
            while (luck := player.act(match, frame["number"], do, dice=dice)["luck"]) is not None:
                if bool(luck["sides"]) == sides:
                    return frame, do, luck
                dice = dice + throw(luck, rng)
            frame = player.frame(match)
        match = player.open("me", "me", **SMALL, luck=player.match(match)["luck"])["id"]
    raise AssertionError("nothing was asked for")


# --- dice ----------------------------------------------------------------------------------------


def test_a_game_with_dice_of_ones_own(server: Server) -> None:
    """Dice are asked for, draws are not: those are the server's."""
    anna = server.player()
    for seed in range(5):
        match = anna.open("me", "me", **SMALL, luck="dice")["id"]
        asked: list[Any] = []
        play(anna, match, seed, asked.append)
        record = parse_record(GAMES, anna.record(match))
        if asked:
            break
    assert asked
    assert all(luck["sides"] > 1 and luck["n"] > 0 and luck["choices"] == [] for luck in asked)
    assert any(luck["told"] for luck in asked)
    assert sum(luck["n"] for luck in asked) < sum(len(entry.dice) for entry in record.journal)


def test_what_was_said_is_what_fell(server: Server) -> None:
    anna, rng = server.player(), Random(2)
    first = anna.open("me", "me", **SMALL, luck="dice")["id"]
    frame, do, luck = until_asked(anna, first, rng)
    match, dice = frame["match"], luck["dice"] + throw(luck, rng)
    while (done := anna.act(match, frame["number"], do, dice=dice))["luck"] is not None:
        dice = dice + throw(done["luck"], rng)
    entry = parse_record(GAMES, anna.record(match)).journal[-1]
    left = list(entry.dice)
    for face in dice:  # in this order, among the draws of the server
        left = left[left.index(face) + 1 :]
    lines = anna.frame(match, entry=frame["entry"] + 1, seen_as=frame["turn"])["log"][0]["lines"]
    shown = [face for line in lines for face in line["dice"]]
    assert shown == dice


@pytest.mark.parametrize("mode", ["dice", "all"])
def test_what_cannot_have_fallen_is_refused_and_nothing_is_done(server: Server, mode: str) -> None:
    anna, rng = server.player("fr"), Random(3)
    frame, do, luck = until_asked(anna, anna.open("me", "me", **SMALL, luck=mode)["id"], rng)
    match, number = frame["match"], frame["number"]
    before = luck["dice"]
    for face in (0, -1, luck["sides"] + 1, 10**9):
        wrong = [*before, *[1] * (luck["n"] - 1), face]
        failure = anna.act(match, number, do, expect=400, dice=wrong)
        assert failure["code"] == "wrong-dice"
        assert failure["message"] == f"{face} n'est pas une face d'un d{luck['sides']}"
    if luck["n"] > 1:
        failure = anna.act(match, number, do, expect=400, dice=[*before, 1])
        assert failure["code"] == "wrong-dice"
    again = anna.frame(match, seen_as=frame["turn"])
    assert {**again, "log_from": 0, "log": []} == {**frame, "log_from": 0, "log": []}
    assert anna.match(match)["number"] == number


@pytest.mark.parametrize("mode", ["dice", "all"])
def test_more_than_was_asked_for_is_refused_and_nothing_is_done(server: Server, mode: str) -> None:
    anna, rng = server.player(), Random(4)
    frame, do, luck = until_asked(anna, anna.open("me", "me", **SMALL, luck=mode)["id"], rng)
    match, number, dice = frame["match"], frame["number"], luck["dice"]
    while luck is not None:
        dice = dice + throw(luck, rng)
        failure = anna.act(match, number, do, expect=400, dice=[*dice, 99, 99])
        assert failure["code"] == "wrong-dice"
        if failure["message"] == "2 results more were given than were asked for":
            break
        luck = anna.act(match, number, do, dice=dice)["luck"]
    assert luck is not None, "it was done without a word about dice that nobody asked for"
    assert failure["number"] is None
    assert anna.match(match)["number"] == number
    assert anna.act(match, number, do, dice=dice) == {"number": number + 1, "luck": None}


def test_dice_are_not_for_those_whose_server_throws(server: Server) -> None:
    anna = server.player()
    match = anna.open("me", "me", **SMALL)["id"]
    do = anna.frame(match)["actions"][0]["do"]
    failure = anna.act(match, 1, do, expect=400, dice=[6])
    assert failure["code"] == "wrong-dice"
    assert anna.match(match)["number"] == 1
    assert anna.act(match, 1, do, dice=[])["number"] == 2


def test_the_computer_throws_nothing_itself(server: Server) -> None:
    anna = server.player()
    match = anna.open("bot:random", "bot:random", **SMALL, luck="all")["id"]
    with server.stranger().watch(match) as line:
        while not line.frame()["ending"]:
            pass
    assert parse_record(GAMES, anna.record(match)).state.outcome is not None


# --- draws ---------------------------------------------------------------------------------------


def test_draws_are_choices_where_everything_is_drawn_by_hand(server: Server) -> None:
    anna, rng = server.player("fr"), Random(5)
    frame, do, luck = until_asked(anna, anna.open("me", "me", **SMALL, luck="all")["id"], rng, sides=False)
    match = frame["match"]
    assert (luck["n"], luck["sides"]) == (1, 0)
    numbers, names = zip(*luck["choices"], strict=True)
    assert len(set(numbers)) == len(numbers) > 1
    assert all(names)
    nothing = next(n for n in range(100) if n not in numbers)
    for face in (nothing, -1, 99):
        failure = anna.act(match, frame["number"], do, expect=400, dice=[*luck["dice"], face])
        assert failure["code"] == "wrong-dice"
        assert failure["message"] == f"{face} ne peut pas être tiré"
    assert anna.match(match)["number"] == frame["number"]


def test_a_game_in_which_everything_is_thrown_and_drawn_by_hand(server: Server) -> None:
    """The record holds what was said and nothing else; it is told what each question is for."""
    anna = server.player()
    match = anna.open("me", "me", **SMALL, luck="all")["id"]
    rng, frame, kinds = Random(6), anna.frame(match), set()
    for _ in range(60):
        if frame["ending"]:
            break
        do, dice = rng.choice(frame["actions"])["do"], []
        while (luck := anna.act(match, frame["number"], do, dice=dice)["luck"]) is not None:
            kinds.add(bool(luck["sides"]))
            dice = dice + throw(luck, rng)
        assert list(parse_record(GAMES, anna.record(match)).journal[-1].dice) == dice
        frame = anna.frame(match)
    assert False in kinds


def test_what_the_server_draws_for_one_is_not_told_to_the_other(server: Server) -> None:
    """The other sees backs; what is written of it is in ``test_secrets``."""
    anna, ben = server.player(), server.player()
    match = anna.open("me", "friend", **SMALL, luck="dice")
    ben.join(match)
    ident, rng, seats = match["id"], Random(7), {"rome": anna, "barbarians": ben}
    drawn = 0
    while not drawn:
        turn = anna.frame(ident)["turn"]
        act(seats[turn], ident, seats[turn].frame(ident), rng, lambda luck: None)
        for side, (seat, player) in enumerate(seats.items()):
            frame = player.frame(ident)
            assert frame["seen_as"] == seat
            hands = [card for card in frame["scene"]["cards"] if card["place"] == "hand"]
            assert all(card["kind"] != "back" for card in hands if card["side"] == side)
            assert all(card["kind"] == "back" and not card["text"] for card in hands if card["side"] != side)
            drawn += sum(card["side"] != side for card in hands)


# --- what was begun is gone on with -----------------------------------------------------------------


def test_an_action_that_has_shown_something_must_be_gone_on_with(server: Server) -> None:
    """The second player's screen is taken away before dice are asked for: he cannot deploy anew then."""
    anna = server.player("fr")
    match = anna.open("me", "me", scenario="bridge", luck="dice")["id"]
    number = 1
    for do in ("deploy-rest", "done", "deploy-rest"):
        number = anna.act(match, number, do)["number"]
    asked = anna.act(match, number, "done")["luck"]
    assert asked["sides"] == 6
    assert anna.undo(match, number, expect=409)["code"] == "pledged"
    more = anna.act(match, number, "done", dice=[3])["luck"]
    assert more["dice"] == [3]
    failure = anna.act(match, number, "done", expect=409, dice=[4, 4])
    assert failure["code"] == "pledged"
    assert "« done »" in failure["message"]
    assert anna.act(match, number, "done", dice=[3, 5])["number"] == number + 1


def test_an_attack_can_be_dropped_before_its_dice_have_fallen(server: Server) -> None:
    anna, rng = server.player(), Random(5)
    match = anna.open("me", "me", scenario="bridge", luck="dice")["id"]
    frame = anna.frame(match)
    while len(frame["actions"]) < 2 or not any(action["odds"] for action in frame["actions"]):
        act(anna, match, frame, rng, lambda _: None)
        frame = anna.frame(match)
    attacks = [action["do"] for action in frame["actions"] if action["odds"]]
    assert anna.act(match, frame["number"], attacks[0])["luck"]["dice"] == []
    others = [action["do"] for action in frame["actions"] if action["do"] != attacks[0]]
    anna.act(match, frame["number"], others[-1], expect=200)
