"""Nobody doubts a die: the seed is promised, players contribute, and in the end everybody can recompute."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import suppress
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Any

import pytest

from legatus.games import GAMES
from legatus.kernel import legal, say
from legatus.kernel.commitment import COMMITTED, commitment_of
from legatus.kernel.records import parse_record, record_text
from legatus.lab.verify import Verdict, verify
from legatus.server.desk import Desk
from legatus.server.faults import Fault
from legatus.server.honesty import notes
from legatus.server.settings import Settings
from legatus.server.wire import Act, Join, NewMatch, SeatPlan, Undo

from .client import NO_LIMITS, SMALL, Player, Server, serving, until
from .processes import new_database
from .test_dice import play as play_with_own_dice


def judged(record: str) -> Verdict:
    return verify(parse_record(GAMES, record), head_of(record))


def head_of(record: str) -> Any:
    return json.loads(record.split("\n", 1)[0])


def promised(player: Player, request: str) -> str:
    return str(player.post("/api/commitments", {"request": request})["commitment"])


def verdict(player: Player, match: str, expect: int = 200) -> Any:
    return player.get(f"/api/matches/{match}/verify", expect)


def join(player: Player, match: Any, text: str, expect: int = 200, invite: str = "") -> Any:
    invite = invite or next(seat["invite"] for seat in match["seats"] if seat["invite"])
    return player.post(f"/api/matches/{match['id']}/join", {"invite": invite, "contribution": text}, expect)


def play_on(match: str, players: dict[str, Player], rng: Random, most: int = 5000) -> Any:
    """At random, with much taken back, to the end or for a while; the last frame."""
    some = next(iter(players.values()))
    frame = some.frame(match)
    for _ in range(most):
        if frame["ending"]:
            break
        player = players[frame["turn"]]
        frame = player.frame(match, seen_as=frame["turn"])
        player.act(match, frame["number"], rng.choice(frame["actions"])["do"])
        frame = player.frame(match)
        if frame["undo"] and rng.random() < 0.2:
            player.undo(match, frame["number"])
            frame = player.frame(match)
    return frame


@pytest.fixture(scope="module")
def over(shared_server: Server) -> tuple[Player, str, dict[str, str]]:
    """Two friends have played to the end; the second came when some had been done, and contributed then."""
    anna, ben = shared_server.player(), shared_server.player()
    request = token_hex(8)
    seen = {"before": promised(anna, request)}
    match = anna.open("me", "friend", **SMALL, request=request, contribution="anna")
    seen["opened"], invite = match["commitment"], match["seats"][1]["invite"]
    seen["invite"] = invite
    if (frame := anna.frame(match["id"]))["turn"] == "rome":
        anna.act(match["id"], 1, frame["actions"][0]["do"])
    seen["running"] = anna.match(match["id"])["seed"]
    seen["row"] = str(anna.match(match["id"])["number"])
    join(ben, match, "ben")
    play_on(match["id"], {"rome": anna, "barbarians": ben}, Random(2))
    return anna, match["id"], seen


# --- the promise ---------------------------------------------------------------------------------


def test_the_server_is_bound_before_it_hears_what_players_add(over: tuple[Player, str, Any]) -> None:
    anna, match, seen = over
    info = anna.match(match)
    assert info["commitment"] == seen["before"] == seen["opened"] == commitment_of(info["seed"])
    assert seen["running"] == ""
    assert info["scheme"] == COMMITTED
    assert len(bytes.fromhex(info["seed"])) == 32


def test_a_late_contribution_counts_from_the_next_row_on(over: tuple[Player, str, Any]) -> None:
    anna, match, seen = over
    given = [
        {"seat": "rome", "row": 0, "text": "anna"},
        {"seat": "barbarians", "row": int(seen["row"]) + 1, "text": "ben"},
    ]
    assert anna.match(match)["contributions"] == given
    record = anna.record(match)
    assert head_of(record)["contributions"] == given
    assert int(seen["row"]) not in [entry.row for entry in parse_record(GAMES, record).journal]


def test_every_die_can_be_recomputed(server: Server, over: tuple[Player, str, Any]) -> None:
    anna, match, _ = over
    record = anna.record(match)
    found = judged(record)
    assert found.finding == "verified"
    assert found.dice == sum(len(entry.dice) for entry in parse_record(GAMES, record).journal) > 0
    assert found.gaps >= 1  # the joining
    told = verdict(anna, match)
    assert (told["verified"], told["finding"], told["dice"]) == (True, "verified", found.dice)
    french = anna.get(f"/api/matches/{match}/verify", lang="fr")["text"]
    assert len(french) == len(told["text"])
    assert french[0] != told["text"][0]
    assert verdict(server.stranger(), match, 401)["code"] == "bad-key"


def test_a_record_that_was_changed_is_found_by_the_server_too(
    server: Server, over: tuple[Player, str, Any]
) -> None:
    anna, match, _ = over
    record = anna.record(match)
    for change in ("", "other"):
        text = record.replace('"text": "ben"', f'"text": "{change or "ben"}"')
        shown = anna.post("/api/replays", {"request": token_hex(8), "text": text}, 201)
        told = verdict(anna, shown["id"])
        assert told["finding"] == ("differs" if change else "verified")
        assert anna.match(shown["id"])["commitment"] == commitment_of(head_of(record)["seed"])
        again = judged(anna.record(shown["id"]))
        assert again.finding == told["finding"]
        assert again.entry == told["entry"]


def test_the_seed_is_secret_until_the_match_is_over(server: Server) -> None:
    anna = server.player()
    match = anna.open("me", "me", scenario="bridge", contribution="anna")["id"]
    play_on(match, {"rome": anna, "barbarians": anna}, Random(3), most=8)
    record = anna.record(match)
    assert "seed" not in head_of(record)
    assert head_of(record)["commitment"] == anna.match(match)["commitment"]
    assert judged(record).finding == "unrevealed"
    told = verdict(anna, match)
    assert (told["verified"], told["finding"]) == (False, "unrevealed")
    assert anna.match(match)["seed"] == ""
    listed = next(one for one in anna.get("/api/matches")["matches"] if one["id"] == match)
    assert (listed["seed"], listed["commitment"]) == ("", head_of(record)["commitment"])


# --- attacks -------------------------------------------------------------------------------------


def test_a_request_with_another_contribution_changes_nothing(server: Server) -> None:
    anna, request = server.player(), token_hex(8)
    first = anna.open("me", "me", scenario="bridge", request=request, contribution="one")
    again = anna.open("me", "me", scenario="bridge", request=request, contribution="two")
    assert (again["id"], again["contributions"]) == (first["id"], first["contributions"])
    assert {one["text"] for one in again["contributions"]} == {"one"}
    assert promised(anna, request) == first["commitment"]
    assert promised(anna, token_hex(8)) != first["commitment"]
    assert promised(server.player(), request) != first["commitment"], "requests of others are others'"


def test_joining_twice_does_not_grind(server: Server) -> None:
    anna, ben = server.player(), server.player()
    match = anna.open("me", "friend", scenario="bridge", contribution="anna")
    invite = match["seats"][1]["invite"]
    first = join(ben, match, "ben")
    for text in ("again", "ben", ""):
        then = join(ben, match, text, invite=invite)
        assert then["contributions"] == first["contributions"]
        assert then["number"] == first["number"] == match["number"], "nothing happened that players see"
    assert join(server.player(), match, "carl", 409, invite)["code"] == "taken"
    assert anna.match(match["id"])["contributions"] == first["contributions"]


def test_the_same_text_from_another_seat_cancels_nothing(server: Server) -> None:
    anna, ben = server.player(), server.player()
    match = anna.open("me", "friend", **SMALL, contribution="same")
    join(ben, match, "same")
    play_on(match["id"], {"rome": anna, "barbarians": ben}, Random(4))
    record = anna.record(match["id"])
    assert [one["text"] for one in head_of(record)["contributions"]] == ["same", "same"]
    assert judged(record).good


@pytest.mark.parametrize("text", ["a/b", "é", "x" * 65, "a b", "\0", "\n", "abc\n"])
def test_a_contribution_speaks_for_one_seat_only(server: Server, text: str) -> None:
    anna = server.player()
    wish = {"request": token_hex(8), "game": "virtus", "seats": [{"who": "me"}, {"who": "friend"}]}
    assert anna.post("/api/matches", {**wish, "contribution": text}, 400)["code"] == "bad-request"
    match = anna.open("me", "friend", scenario="bridge")
    assert join(server.player(), match, text, 400)["code"] == "bad-request"


def test_nobody_is_held_up_by_who_joins(server: Server) -> None:
    """A joining is a row, but changes nothing that a player saw: his command still fits."""
    anna, ben = server.player(), server.player()
    match = anna.open("me", "friend", scenario="bridge", contribution="anna")
    frame = anna.frame(match["id"])
    join(ben, match, "ben")
    assert anna.frame(match["id"])["number"] == frame["number"]
    done = anna.act(match["id"], frame["number"], "deploy-rest")
    assert done["number"] == frame["number"] + 1
    assert anna.act(match["id"], frame["number"], "done", 409)["code"] == "conflict"
    assert anna.undo(match["id"], done["number"])["number"] == done["number"] + 1


def test_what_was_begun_with_own_dice_is_not_begun_again_by_a_joining(server: Server) -> None:
    """Cards that the server drew for it would be others: so nothing is added then."""
    anna, ben = server.player(), server.player()
    match = anna.open("bot:random", "me", scenario="bridge", luck="dice")
    number = until(lambda: (frame := anna.frame(match["id"]))["yours"] and frame["number"])
    number = anna.act(match["id"], number, "deploy-rest")["number"]
    assert anna.act(match["id"], number, "done", dice=[])["luck"]
    friends = anna.open("me", "friend", scenario="bridge", luck="dice")
    anna.act(friends["id"], 1, "deploy-rest")
    number = anna.act(friends["id"], 2, "done")["number"]
    invite = friends["seats"][1]["invite"]
    ben.join(friends)
    number = ben.frame(friends["id"])["number"]
    number = ben.act(friends["id"], number, "deploy-rest")["number"]
    assert ben.act(friends["id"], number, "done")["luck"]["sides"] == 6
    assert ben.act(friends["id"], number, "done", dice=[3])["luck"]
    assert join(ben, friends, "late", invite=invite)["contributions"] == []
    assert ben.act(friends["id"], number, "done", 409, dice=[4, 4])["code"] == "pledged"
    assert ben.act(friends["id"], number, "done", dice=[3, 5])["number"] == number + 1
    assert join(ben, friends, "late", invite=invite)["contributions"][0]["row"] == number + 1


# --- who contributes nothing, and dice of one's own ----------------------------------------------


def test_clients_of_before_are_served(server: Server) -> None:
    anna, ben = server.player(), server.player()
    match = anna.open("me", "friend", **SMALL)
    ben.join(match)
    assert anna.match(match["id"])["contributions"] == []
    play_on(match["id"], {"rome": anna, "barbarians": ben}, Random(5))
    found = judged(anna.record(match["id"]))
    assert (found.finding, found.silent) == ("verified", ("rome", "barbarians"))
    assert "Contributed nothing: Rome." in verdict(anna, match["id"])["text"]


@pytest.mark.parametrize("luck", ["dice", "all"])
def test_dice_that_people_threw_are_told_apart(server: Server, luck: str) -> None:
    anna = server.player()
    match = anna.open("me", "me", **SMALL, luck=luck, contribution="anna")["id"]
    frame = play_with_own_dice(anna, match, 3, lambda _: None, most=3000)
    assert frame["ending"]
    found, journal = judged(anna.record(match)), parse_record(GAMES, anna.record(match)).journal
    assert (found.finding, found.good) == ("typed", False)
    assert found.typed > 0
    assert found.dice + found.typed == sum(len(entry.dice) for entry in journal)
    assert found.dice > len(journal[0].dice) if luck == "dice" else found.dice == len(journal[0].dice)
    told = verdict(anna, match)
    assert (told["typed"], told["finding"], told["verified"]) == (found.typed, "typed", False)


def test_against_the_computer_and_what_if(server: Server) -> None:
    """A branch has a seed, a promise and contributions of its own; so have matches of bots alone.

    But it begins at a position, to which no die led.
    """
    anna, request = server.player(), token_hex(8)
    match = anna.open("bot:random", "bot:random", **SMALL)["id"]
    info = until(lambda: (found := anna.match(match))["over"] and found, 240)
    assert judged(anna.record(match)).good
    said = promised(anna, request)
    body = {"request": request, "entry": 6, "seat": "rome", "bot": "random", "contribution": "anna"}
    left = anna.post(f"/api/matches/{match}/branch", body, 201)
    assert left["commitment"] == said != info["commitment"]
    assert [(one["seat"], one["row"]) for one in left["contributions"]] == [("rome", 0)]
    rng = Random(6)
    while True:
        until(lambda: (frame := anna.frame(left["id"]))["yours"] or frame["ending"])
        frame = anna.frame(left["id"])
        if frame["ending"]:
            break
        anna.act(left["id"], frame["number"], rng.choice(frame["actions"])["do"])
    found = judged(anna.record(left["id"]))
    assert (found.finding, found.silent, found.early) == ("position", (), ())
    assert found.dice > 0


# --- before and after ----------------------------------------------------------------------------


def test_a_match_from_before_goes_on_with_its_old_dice(tmp_path: Path) -> None:
    seed = "5a" * 16
    with serving(tmp_path, *NO_LIMITS) as server:
        anna = server.player()
        match = anna.open("me", "me", scenario="bridge")["id"]
    with sqlite3.connect(tmp_path / "legatus.sqlite3") as database:
        database.execute("UPDATE matches SET fairness = NULL, seed = ?", (seed,))
    with serving(tmp_path, *NO_LIMITS) as again:
        anna = Player(again, anna.key)
        assert play_on(match, {"rome": anna, "barbarians": anna}, Random(7))["ending"]
        record, info = anna.record(match), anna.match(match)
        assert (info["scheme"], info["commitment"], info["seed"]) == ("seeded", "", seed)
        found = judged(record)
        assert (found.finding, found.commitment, found.scheme) == ("unpromised", "", "seeded")
        assert found.dice > 0
        told = verdict(anna, match)
        assert (told["verified"], told["finding"]) == (False, "unpromised")
        assert "not promised" in told["text"][1]


class Pair:
    """Two processes on one database, but for the processes."""

    def __init__(self, url: str) -> None:
        self.desks = [Desk(Settings(database=url)) for _ in range(2)]
        for desk in self.desks:
            desk.open()
            desk.notes = None

    def close(self) -> None:
        for desk in self.desks:
            desk.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_two_processes_write_rows_while_somebody_joins(kind: str, tmp_path: Path) -> None:
    """Whichever row comes first, each die follows from what had been contributed by then."""
    url = new_database() if kind == "postgresql" else f"sqlite:///{tmp_path / 'db.sqlite3'}"
    house = Pair(url)
    a, b = house.desks

    async def act(desk: Desk, ident: str, who: str, rng: Random, moves: int) -> None:
        table = await desk.hall.table(ident)
        for _ in range(moves):
            await desk.hall.catch_up(table)
            turn = table.turn
            if turn is None or turn not in table.seats_of(who):
                await asyncio.sleep(0.001)
                continue
            with suppress(Fault):  # the other process was faster
                do, bits = say(rng.choice(legal(table.match.state))), table.bits_of(who)
                await desk.hall.act(table, who, Act(table.counting.number(bits), token_hex(8), do))
                if table.match.can_undo(turn) and rng.random() < 0.2:
                    await desk.hall.undo(table, who, Undo(table.counting.number(bits), token_hex(8)))

    async def play() -> tuple[str, bool]:
        wish = NewMatch(token_hex(8), "virtus", (SeatPlan("me"), SeatPlan("friend")), "open-small")
        assert a.seed_for("anna", wish.request) == b.seed_for("anna", wish.request)
        table = await a.open_match(wish, "anna")
        ident = table.head.id
        await act(a, ident, "anna", Random(1), 3)
        there = await b.hall.table(ident)
        invite = b.keys.invite(ident, 1)
        joined = (b.join(there, Join(invite, "", f"ben{n}"), "ben") for n in range(3))
        await asyncio.gather(act(a, ident, "anna", Random(2), 40), *joined)
        for desk in (a, b):
            await desk.hall.catch_up(await desk.hall.table(ident))
            (await desk.hall.table(ident)).seats = await asyncio.to_thread(desk.store.seats_of, ident)
        await asyncio.gather(
            act(a, ident, "anna", Random(3), 150),
            act(b, ident, "ben", Random(4), 150),
            act(a, ident, "ben", Random(5), 150),
        )
        for desk in (a, b):
            mine = await desk.hall.table(ident)
            await desk.hall.catch_up(mine)
            assert len(mine.contributions) == 1
        one, two = a.hall.at_hand(ident), b.hall.at_hand(ident)
        assert one.contributions == two.contributions
        assert one.match.journal == two.match.journal
        shown = {**notes(one), "seed": one.head.seed, "seats": {"rome": "human", "barbarians": "human"}}
        return record_text(one.match, **shown), one.match.state.outcome is not None

    try:
        record, over = asyncio.run(play())
    finally:
        house.close()
    found = judged(record)
    assert (found.finding, found.silent) == ("verified" if over else "unfinished", ("rome",))
    assert found.entries > 40
    assert found.dice > 0
