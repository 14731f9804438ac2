"""Nothing leaks: what is sent to a seat, or to a spectator, depends only on what they may know.

First on tables in this process, where secrets can be dealt anew; then on whole games over the wire, of which
every byte is kept and held against the record.
"""

from __future__ import annotations

import copy
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from legatus.games import GAMES
from legatus.games.virtus.state import FACEDOWN, WAITING
from legatus.kernel import Action, Match, Seeded, legal, say, why_not
from legatus.kernel.codec import action_from, to_plain_data
from legatus.kernel.fields import fields_of
from legatus.kernel.records import parse_record
from legatus.server.editions import judge
from legatus.server.frames import Eyes, frame, whole_log
from legatus.server.jobs import rows_of
from legatus.server.live import Table
from legatus.server.store import MatchRow, SeatRow, Stored
from legatus.server.whynot import reasons
from legatus.server.wire import Ask

from .client import FOREST, GERMANS, ROMANS, Line, Player, Server
from .planted import noticed

VIRTUS = GAMES["virtus"]
SEATS = (0, 1, None)
PLACES = [f"{side}{n}" for side in ("rome", "barb") for n in range(4)] + ["waiting", "nowhere", ""]


# --- tables --------------------------------------------------------------------------------------


@cache
def battle(scenario: str, seed: int, small: bool, most: int = 250) -> Match:
    """A random battle; face-down markers are what is looked for, so they are laid where they can be."""
    rng = Random(f"{scenario}/{seed}")
    setup = VIRTUS.configure(scenario, (ROMANS, GERMANS) if small else ())
    match = Match.new(VIRTUS, setup, Seeded(f"{seed}/0"))
    while match.state.decision is not None and len(match.journal) < most:
        actions = legal(match.state)
        hiding = [action for action in actions if say(action).endswith("hidden")]
        match.play(rng.choice(hiding if hiding and rng.random() < 0.5 else actions), match.seeded(seed))
    return match


def table_of(match: Match) -> Table:
    head = MatchRow(
        id="m",
        game=match.game.key,
        setup=msgspec.json.encode(match.setup).decode(),
        luck="server",
        seed="seed",
        replay=False,
        maker="",
        request="",
        started="",
        moved="",
        number=1,
        turn=0,
        over=False,
    )
    rows, position = rows_of(match, "m", "")
    stored = Stored(head, [SeatRow("m", 0, "h0"), SeatRow("m", 1, "h1")], rows, position)
    return Table(stored, judge(stored))


def at(table: Table, moment: int, states: list[Any]) -> Table:
    """The table as it stood then, with these states for the true ones."""
    earlier = copy.copy(table)
    earlier.match = copy.copy(table.match)
    end = moment + 1
    earlier.match.journal = table.match.journal[:end]
    earlier.match.events = table.match.events[:end]
    earlier.match.states = states[:end]
    earlier.number = end
    earlier.counting = copy.copy(table.counting)
    earlier.counting.entries = table.counting.entries[:end]
    return earlier


def sent(table: Table, who: Eyes, asks: list[Ask]) -> bytes:
    """All that one might be sent at this moment."""
    everything = [
        frame(table, who, log_from=0),
        [frame(table, who, entry) for entry in range(0, len(table.match.states), 25)],
        whole_log(table, who),
        [reasons(table, who, ask) for ask in asks],
    ]
    return msgspec.json.encode(everything)


def any_action(state: Any, rng: Random) -> Action:
    """Something that somebody might try, with ids of everything that there is."""
    roster = state.roster
    ids = [thing.id for thing in (*roster.units, *roster.generals)] + PLACES
    kind = rng.choice(VIRTUS.actions)
    values: dict[str, Any] = {}
    for field in fields_of(kind):
        if field.type is bool:
            values[field.name] = rng.random() < 0.3
        elif field.type is int:
            values[field.name] = rng.randrange(8)
        elif "tuple" in str(field.type):
            values[field.name] = tuple(rng.choice(ids) for _ in range(rng.randrange(3)))
        else:
            values[field.name] = rng.choice(ids)
    try:
        return action_from(kind, values)
    except msgspec.ValidationError:
        return any_action(state, rng)


def as_json(action: Action) -> str:
    return msgspec.json.encode(to_plain_data(action)).decode()


BATTLES = [("thick-forest", 1, True), ("thick-forest", 2, False), ("open", 4, False)]


@pytest.mark.parametrize(("scenario", "seed", "small"), BATTLES)
def test_dealing_the_secrets_anew_changes_no_byte(scenario: str, seed: int, small: bool) -> None:
    match = battle(scenario, seed, small)
    table, rng = table_of(match), Random(seed)
    assert table.match.states == match.states
    length = len(match.states)
    moments = sorted({*range(0, min(30, length), 6), *rng.sample(range(length), min(7, length))})
    differ = 0
    for dealer in (0, 1):
        dealt = [VIRTUS.guess(state, dealer, rng) for state in match.states]
        differ += sum(a != b for a, b in zip(dealt, match.states, strict=True))
        for moment in moments:
            asks = [Ask(do=as_json(any_action(match.states[moment], rng))) for _ in range(5)]
            asks += [Ask(clicks=(rng.choice(PLACES),)), Ask(clicks=(match.state.roster.units[0].id,))]
            true, other = at(table, moment, match.states), at(table, moment, dealt)
            for who in (Eyes(dealer, "en"), Eyes(dealer, "fr"), Eyes(None, "en")):
                assert sent(true, who, asks) == sent(other, who, asks)
    assert differ > length / 2, "there were hardly any secrets"


@pytest.mark.parametrize(("scenario", "seed", "small"), BATTLES)
def test_an_action_is_judged_by_what_its_player_knows(scenario: str, seed: int, small: bool) -> None:
    """A refusal of what was tried in earnest, with ids of hidden things, would be a way to ask for them."""
    rng = Random(seed)
    for state in battle(scenario, seed, small).states:
        if state.decision is not None:
            view = VIRTUS.view(state, state.decision.seat)
            for _ in range(10):
                action = any_action(state, rng)
                assert why_not(state, action) == why_not(view, action)


def test_this_test_would_find_a_leak() -> None:
    """Eyes that see everything do not pass."""
    match = battle("thick-forest", 1, True)
    table, rng = table_of(match), Random(1)
    dealt = [VIRTUS.guess(state, 0, rng) for state in match.states]
    who = Eyes(None, "en", open=True)
    moment = len(match.states) - 1
    assert sent(at(table, moment, match.states), who, []) != sent(at(table, moment, dealt), who, [])


# --- whole games over the wire -------------------------------------------------------------------


class Heard(NamedTuple):
    """Somebody and all that he was sent; his seat is None if he only looked on."""

    player: Player
    seat: int | None
    offered: set[str]


def dice_for(luck: Any, rng: Random) -> list[int]:
    if luck["sides"]:
        return [rng.randint(1, luck["sides"]) for _ in range(luck["n"])]
    return [rng.choice(luck["choices"])[0]]


def poke(somebody: Heard, match: str, frame: Any, rng: Random) -> None:
    """Ask for everything that there is to ask for, and try what is not allowed."""
    player, number = somebody.player, frame["number"]
    ids = [piece["id"] for piece in frame["scene"]["pieces"]] + PLACES
    where, again = f"/api/matches/{match}", {"request": "x" * 8}
    tries = [
        ("GET", where, None),
        ("GET", f"{where}/log", None),
        ("GET", f"{where}/frame?entry={rng.randrange(number)}", None),
        ("GET", f"{where}/frame?seen_as=open", None),
        ("GET", f"{where}/log?seen_as=rome", None),
        ("GET", f"{where}/log?seen_as=barbarians", None),
        ("GET", f"{where}/record", None),
        ("POST", f"{where}/why", {"clicks": [rng.choice(ids)]}),
        ("POST", f"{where}/why", {"clicks": [rng.choice(ids), rng.choice(PLACES)]}),
        ("POST", f"{where}/why", {"do": f"move {rng.choice(ids)} {rng.choice(PLACES)}"}),
        ("POST", f"{where}/act", {**again, "number": number, "do": f"move {rng.choice(ids)} nowhere"}),
        ("POST", f"{where}/act", {**again, "number": number + 1, "do": "end-turn"}),
        ("POST", f"{where}/join", {"invite": "x"}),
        ("POST", f"{where}/undo", {**again, "number": number + 5}),
    ]
    risky = [action["do"] for action in frame["actions"] if action["odds"]]
    if risky and rng.random() < 0.2:
        tries.append(("POST", f"{where}/odds", {"do": rng.choice(risky)}))
    for method, path, body in rng.sample(tries, 4):
        path, _, query = path.partition("?")
        params = dict([query.split("=")]) if query else {}
        assert player.ask(method, path, json=body, params=params).status_code < 500


def play(server: Server, seed: int, wish: dict[str, Any]) -> tuple[str, list[Heard], str]:
    """A battle in which everybody listens and asks; the match, who heard what, and the record."""
    rng = Random(seed)
    anna, ben = server.player("en"), server.player("fr")
    eve = server.stranger("en")
    match = anna.open("me", "friend", **wish)
    ident = match["id"]
    ben.join(match)
    people = [Heard(anna, 0, set()), Heard(ben, 1, set()), Heard(eve, None, set())]
    with ExitStack() as stack:
        lines: list[Line] = [stack.enter_context(somebody.player.watch(ident)) for somebody in people]
        frames = [line.frame() for line in lines]
        while True:
            for n, somebody in enumerate(people):  # who notices nothing is sent nothing
                number = somebody.player.match(ident)["number"]
                frames[n] = lines[n].frame(number) if number > frames[n]["number"] else frames[n]
            for somebody, frame in zip(people, frames, strict=True):
                somebody.offered.update(action["do"] for action in frame["actions"])
            if frames[0]["ending"]:
                break
            if rng.random() < 0.4:
                one = rng.randrange(3)
                poke(people[one], ident, frames[one], rng)
            mover = next(n for n, frame in enumerate(frames) if frame["yours"])
            actions = frames[mover]["actions"]
            hiding = [a for a in actions if a["do"].endswith("hidden")]
            do = rng.choice(hiding if hiding and rng.random() < 0.6 else actions)["do"]
            dice = [] if wish.get("luck") else None
            number = frames[mover]["number"]
            while (done := people[mover].player.act(ident, number, do, dice=dice))["luck"] is not None:
                dice = done["luck"]["dice"] + dice_for(done["luck"], rng)
    return ident, people, server.stranger().record(ident)


def walk(thing: Any) -> Iterator[dict[str, Any]]:
    """Every object in an answer, however deep."""
    if isinstance(thing, dict):
        yield thing
        for value in thing.values():
            yield from walk(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from walk(value)


class Truth:
    """What the record says that somebody may be told."""

    def __init__(self, match: Match, seat: int | None, lang: str) -> None:
        self.match, self.seat, self.lang = match, seat, lang
        self.shown = noticed(match, seat)

    def entry(self, message: Any, counted: int) -> int:
        """The entry of the record that a message means; when a match is over everybody counts all."""
        return counted if message.get("ending") else self.shown[counted]

    def text(self, entry: int, said: Any) -> str:
        state = self.match.states[entry]
        name = lambda word: VIRTUS.name(state, word, self.lang)  # noqa: E731
        return VIRTUS.folder.messages[self.lang].render(said, name)

    def lines(self, entry: int, for_me: bool = True) -> list[dict[str, Any]]:
        """What an entry told him; or what it told somebody else only."""
        return [
            {
                "clause": event.clause,
                "text": self.text(entry, event),
                "dice": list(event.dice),
                "private": event.to is not None,
            }
            for event in self.match.events[entry]
            if (event.to is None or event.to == self.seat) == for_me
        ]

    @cache  # noqa: B019
    def scene(self, entry: int) -> Any:
        view = VIRTUS.view(self.match.states[entry], self.seat)
        return json.loads(msgspec.json.encode(VIRTUS.scene(view, self.seat, self.lang)))


WISHES: list[dict[str, Any]] = [FOREST, {**FOREST, "luck": "dice"}]


Game = tuple[Server, str, list[Heard], Match]


@pytest.fixture(scope="module", params=range(len(WISHES)), ids=["server", "dice"])
def game(request: pytest.FixtureRequest, shared_server: Server) -> Game:
    for attempt in range(10):
        ident, people, record = play(shared_server, attempt, WISHES[request.param])
        match = parse_record(GAMES, record)
        if any(state.turn and any(flag & FACEDOWN for flag in state.flags) for state in match.states):
            return shared_server, ident, people, match
    raise AssertionError("nothing was ever face down")


def test_every_frame_shows_what_its_reader_may_see(game: Game) -> None:
    _, _, people, match = game
    for player, seat, _ in people:
        truth, seen = Truth(match, seat, player.lang), set()
        for heard in player.heard:
            for thing in walk(json.loads(heard)) if heard.startswith((b"{", b"[")) else ():
                if "scene" in thing:
                    entry = truth.entry(thing, thing["entry"])
                    seen.add(entry)
                    spared = {} if thing["board"] else {"areas": [], "lines": []}
                    assert thing["scene"] == {**truth.scene(entry), **spared}
                    assert thing["seen_as"] == ("spectator" if seat is None else VIRTUS.seats[seat])
        assert seen == {*truth.shown, len(match.states) - 1}


def test_behind_the_screen_and_face_down_nobody_is_seen(game: Game) -> None:
    """The same without asking ``view``: no piece of the other side that is still hidden has a place."""
    _, _, people, match = game
    hidden = down = 0
    for player, seat, _ in people:
        truth = Truth(match, seat, player.lang)
        for heard in player.heard:
            message = json.loads(heard)
            if "scene" not in message:
                continue
            state = match.states[truth.entry(message, message["entry"])]
            for i, unit in enumerate(state.roster.units):
                if unit.side == seat:
                    continue
                shown = [piece["place"] for piece in message["scene"]["pieces"] if piece["id"] == unit.id]
                if state.turn == 0:
                    hidden += state.place[i] != WAITING
                    assert set(shown) <= {"waiting"}
                elif state.flags[i] & FACEDOWN:
                    down += 1
                    assert shown == []
            for card in message["scene"]["cards"]:
                if card["place"] == "hand" and card["side"] != seat:
                    assert card["kind"] in ("back", "die")
    assert hidden
    assert down


def test_every_line_of_the_log_was_for_its_reader(game: Game) -> None:
    _, _, people, match = game
    for player, seat, _ in people:
        truth, seen = Truth(match, seat, player.lang), set()
        for heard in player.heard:
            message = json.loads(heard)
            for thing in walk(message):
                if "lines" in thing and "entry" in thing:
                    entry = truth.entry(message, thing["entry"])
                    seen.add(entry)
                    assert set(thing) == {"entry", "seat", "lines"}
                    assert thing["lines"] == truth.lines(entry)
                    who = match.journal[entry].seat
                    assert thing["seat"] == ("" if who is None else VIRTUS.seats[who])
        assert len(seen) == len(match.journal)


def test_no_byte_tells_what_was_for_others(game: Game) -> None:
    server, ident, people, match = game
    with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as database:
        seed, maker = database.execute("select seed, maker from matches where id = ?", (ident,)).fetchone()
        rows = database.execute("select do, request from journal where match_id = ?", (ident,)).fetchall()
    assert len(rows) == len(match.journal)
    opened = next(body for body in map(json.loads, people[0].player.heard) if "seats" in body)
    invite = opened["seats"][1]["invite"]
    assert invite
    keys = [somebody.player.key for somebody in people[:2]]
    holders = [hashlib.sha256(key.encode()).hexdigest() for key in keys]
    assert maker == holders[0]
    secrets_found = 0
    for player, seat, offered in people:
        heard = b"\n".join(player.heard).decode()
        assert not any(seed.encode() in one for one in player.heard if b'"over":true' not in one)
        secrets = [*holders, *(key for key in keys if key != player.key)]
        secrets += [invite] if seat != 0 else []
        truth = Truth(match, seat, player.lang)
        told = {line["text"] for entry in range(len(match.journal)) for line in truth.lines(entry)}
        others = {line["text"] for entry in range(len(match.journal)) for line in truth.lines(entry, False)}
        secrets_found += len(others - told)
        secrets += [json.dumps(text, ensure_ascii=False)[1:-1] for text in others - told]
        for entry in match.journal:
            if entry.action is not None and entry.seat != seat:
                do = say(entry.action)
                if " " in do and do not in offered:
                    secrets.append(f'"{do}"')
        for secret in secrets:
            assert secret not in heard, secret
    assert secrets_found


def test_what_luck_asks_for_tells_no_more_than_the_log(game: Game) -> None:
    _, _, people, match = game
    for player, seat, _ in people:
        truth = Truth(match, seat, player.lang)
        told = {line["text"] for entry in range(len(match.journal)) for line in truth.lines(entry)}
        for heard in player.heard:
            luck = json.loads(heard).get("luck")
            if isinstance(luck, dict):
                assert {line["text"] for line in luck["told"]} <= told
