"""Two matches that differ in one secret are the same to everybody who is not entitled to it.

The lines of ``tests.twins`` are played on a real server, with luck that the players type.  Everything that
can be asked is asked on the way, and all that sockets send is kept; but for ids, keys and times it is equal.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from functools import cache
from random import Random
from time import monotonic
from typing import Any

import pytest
from msgspec.structs import replace

from legatus.games import GAMES
from legatus.kernel import Match, Seeded, Setup, apply, legal, say
from legatus.kernel.codec import state_to_json
from legatus.kernel.setup import Branch
from legatus.server.live import PACE
from tests.twins import Twins, some_twins

from .client import Line, Player, Server
from .planted import answers, plain, plant

SEEDS = {"virtus": 2, "metaurus": 1, "julian": 2, "onus": 1}  # pairs of twins for each game
SCENARIOS = {"virtus": "thick-forest", "metaurus": "vanguard", "julian": "", "onus": "wooden-fortress"}
LENGTH = (45, 25)  # entries before the secret and after it, at most
ASKED_AT = (0, 1, 8)  # so many entries after the secret everything is asked


@cache
def pairs(key: str) -> list[Twins]:
    game = GAMES[key]
    setup = game.configure(SCENARIOS[key] or None)
    return some_twins(
        game, setup, SEEDS[key], *LENGTH, lambda pair: len(pair.matches[0].journal) > pair.entry + 4
    )


class Seen:
    """One of the twins on the server, and what was sent to each of those who look on."""

    def __init__(
        self, server: Server, stack: ExitStack, match: Match, seed: str, viewers: tuple[Any, ...]
    ) -> None:
        game = match.game
        self.true = match
        self.seats = [server.player() for _ in game.seats]
        self.eve = server.player()
        self.id = plant(server, match.setup, game.key, self.seats, seed, "all")
        self.lines: dict[Any, Line] = {}
        self.sent: dict[Any, list[str]] = {viewer: [] for viewer in viewers}
        for viewer in viewers:
            self.lines[viewer] = stack.enter_context(self.player(viewer).watch(self.id))
            self.listen()  # that the next one looks on is told in a message of its own

    def player(self, viewer: int | None) -> Player:
        return self.eve if viewer is None else self.seats[viewer]

    def play(self, entry: int) -> None:
        """The line of an entry, by the seat that decides there."""
        line = self.true.journal[entry]
        assert line.seat is not None
        assert line.action is not None
        player = self.seats[line.seat]
        number = player.match(self.id)["number"]
        done = player.act(self.id, number, say(line.action), dice=list(line.dice))
        assert done["luck"] is None

    def listen(self) -> None:
        """Everything that the sockets have sent so far."""
        for viewer, line in self.lines.items():
            number = self.player(viewer).match(self.id)["number"]
            while line.number < number:
                self.sent[viewer].append(plain(json.dumps(line.next()), self.id))

    def told(self, viewer: int | None, asked: dict[str, Any], last: int) -> str:
        seat = "spectator" if viewer is None else self.true.game.seats[viewer]
        return answers(self.player(viewer), self.id, seat, (0, max(0, last - 2), last), asked)


def questions(pair: Twins, entry: int) -> dict[str, Any]:
    """Pieces and actions to ask about: of all sides, those of the secret, and nonsense."""
    rng, match = Random(entry), pair.matches[0]
    state = match.states[entry]
    units = [unit.id for unit in getattr(state.roster, "units", ())]
    scene = match.game.scene(match.game.view(state, None), None, "en")
    pieces = [
        *rng.sample(units, min(2, len(units))),
        *[one.id for one in scene.pieces[:1]],
        "nobody",
        "back-1",
    ]
    actions = [say(one.journal[pair.entry].action) for one in pair.matches if one.journal[pair.entry].action]
    actions += [say(action) for action in rng.sample(legal(state), 1)] if state.decision else []
    return {"pieces": pieces, "actions": [*actions, "end-turn", "nonsense"]}


@pytest.mark.parametrize(("key", "number"), [(key, n) for key, most in SEEDS.items() for n in range(most)])
def test_nobody_else_is_sent_a_different_byte(server: Server, key: str, number: int) -> None:
    pair = pairs(key)[number]
    one, other = pair.matches
    differs = 0
    with ExitStack() as stack:
        # the same luck for what the server would still draw, and for the set-up
        worlds = [
            Seen(server, stack, match, str(pair.seed), (pair.owner, *pair.others)) for match in pair.matches
        ]
        for entry in range(1, len(one.journal)):
            for world in worlds:
                world.play(entry)
                world.listen()
            assert worlds[0].sent[None] == worlds[1].sent[None]
            if entry - pair.entry in ASKED_AT or entry == len(one.journal) - 1:
                asked = questions(pair, entry)
                for viewer in pair.others:
                    last = worlds[0].player(viewer).match(worlds[0].id)["entries"] - 1
                    told = [world.told(viewer, asked, last) for world in worlds]
                    assert told[0] == told[1], (viewer, entry)
            # this would find a leak: whose secret it is, is told different things
            differs += worlds[0].sent[pair.owner] != worlds[1].sent[pair.owner]
        for viewer in pair.others:
            assert worlds[0].sent[viewer] == worlds[1].sent[viewer]
        assert [state == twin for state, twin in zip(one.states, other.states, strict=True)][
            pair.entry
        ] is False
        assert differs


# --- how long a bot takes ------------------------------------------------------------------------


def reaction() -> tuple[Setup, Setup, int, str]:
    """Julian before an action of a seat after which the other may react: with and without a fit marker."""
    game = GAMES["julian"]
    for seed in range(30):
        match, rng = Match.new(game, game.configure(), Seeded(f"{seed}/0")), Random(seed)
        while match.state.decision is not None and len(match.journal) < 120:
            before = match.state
            seat = before.decision.seat
            action = rng.choice(legal(before))
            play = apply(before, action, Seeded("pace/1"))
            asked = play.state.decision
            if asked is not None and asked.seat != seat and len(legal(play.state)) == 1 and not play.faces:
                for deal in range(20):
                    other = game.guess(before, seat, Random(deal))
                    after = apply(other, action, Seeded("pace/1")).state
                    if type(after.decision) is type(asked) and len(legal(after)) > 1:
                        assert game.view(other, seat) == game.view(before, seat)
                        return (*(begun(match, one) for one in (before, other)), seat, say(action))
            match.play(action, match.seeded(seed))
    raise AssertionError("nobody is ever asked for nothing")


def begun(match: Match, state: Any) -> Setup:
    """A set-up that begins at a state."""
    left = Branch("x", 0, match.game.seats[0], False, json.loads(state_to_json(state)))
    return replace(match.setup, branch=left)


def test_a_bot_that_cannot_react_takes_its_time_too(server: Server) -> None:
    """It answers at the end of a step, whatever its hand; until then all that is sent is the same."""
    *setups, seat, do = reaction()
    waited, heard = [], []
    for setup in setups:
        player = server.player()
        seats: list[Player | str] = ["normal", "normal"]
        seats[seat] = player
        match = plant(server, setup, "julian", seats, "pace")
        with player.watch(match) as line:
            said = [plain(json.dumps(line.next()), match), plain(json.dumps(line.next()), match)]
            began = monotonic()
            number = player.act(match, 1, do)["number"]
            said.append(plain(json.dumps(line.frame(number)), match))
            line.frame(number + 1)
            waited.append(monotonic() - began)
        heard.append(said)
    assert heard[0] == heard[1]
    assert min(waited) > PACE
