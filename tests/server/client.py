"""A real server in a process of its own, and players who talk to it over HTTP and sockets."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0  # seconds, for whatever should take a moment
NO_LIMITS = ("--requests", "0", "--openings", "0", "--sockets", "0")


def until(found: Any, seconds: float = PATIENCE) -> Any:
    """What ``found`` gives as soon as it gives something."""
    end = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.02)
    return value


class Server:
    """``legatus serve`` on a database of its own; ``options`` are those of the command line."""

    def __init__(self, folder: Path, *options: str, database: str = "", env: dict[str, str] | None = None):
        self.database = database or str(folder / "legatus.sqlite3")
        self.log = folder / f"serve-{token_hex(4)}.log"
        self.out = self.log.with_suffix(".out")
        command = [sys.executable, "-m", "legatus", "serve", "--no-browser", "--port", "0"]
        command += ["--database", self.database, *options]
        with self.log.open("wb") as err, self.out.open("wb") as out:
            self.process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env={**os.environ, "LEGATUS_LANG": "en", **(env or {})},
            )
        self.http = httpx.Client(timeout=PATIENCE)  # for all players: it may be used by several threads
        try:
            self.address: str = until(self._said)
            self.url = f"http://{self.address}"
            until(self._healthy)
        except BaseException:
            self.kill()
            raise
        self._read = 0

    def _said(self) -> str:
        assert self.process.poll() is None, self.log.read_text()
        found = re.search(r"http://(\S+?)/\s", self.out.read_text())
        return found[1] if found else ""

    def _healthy(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        try:
            return self.http.get(f"{self.url}/health").status_code == 200
        except httpx.TransportError:
            return False

    def complaints(self) -> str:
        """What the log has that should not be there, since it was asked last."""
        lines = self.log.read_text().splitlines()
        new, self._read = lines[self._read :], len(lines)
        bad = [
            line for line in new if re.search(r'Traceback|"trace"|Warning|"level": "(error|critical)"', line)
        ]
        return "\n".join(bad)

    def stop(self) -> None:
        """As whoever runs it does; it goes in peace."""
        self.http.close()
        assert self.process.poll() is None, f"it died: {self.log.read_text()}"
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        assert code in (0, -signal.SIGTERM), f"{code}: {self.log.read_text()}"
        assert not self.complaints()

    def kill(self) -> None:
        """As a power cut does."""
        self.http.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)

    def player(self, lang: str = "en") -> Player:
        """Somebody with a new key."""
        player = Player(self, "", lang)
        player.key = player.post("/api/keys", expect=201)["key"]
        return player

    def stranger(self, lang: str = "en") -> Player:
        return Player(self, "", lang)


@contextmanager
def serving(folder: Path, *options: str, **named: Any) -> Iterator[Server]:
    """A server that must stop cleanly in the end."""
    server = Server(folder, *options, **named)
    try:
        yield server
    except BaseException:
        server.kill()
        raise
    server.stop()


class Player:
    """Somebody with a key, or without one.  ``heard`` are the bytes of all answers."""

    def __init__(self, server: Server, key: str = "", lang: str = "en") -> None:
        self.server, self.key, self.lang = server, key, lang
        self.heard: list[bytes] = []

    def ask(self, method: str, path: str, **named: Any) -> httpx.Response:
        """Any request, with the key and the language; whatever the answer is."""
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        params = {"lang": self.lang, **named.pop("params", {})}
        headers |= named.pop("headers", {})
        answer = self.server.http.request(
            method, self.server.url + path, params=params, headers=headers, **named
        )
        self.heard.append(answer.content)
        return answer

    def get(self, path: str, expect: int = 200, **params: Any) -> Any:
        answer = self.ask("GET", path, params=params)
        assert answer.status_code == expect, answer.text
        return answer.json()

    def post(self, path: str, body: Any = None, expect: int = 200, **params: Any) -> Any:
        answer = self.ask("POST", path, json=body, params=params)
        assert answer.status_code == expect, answer.text
        return answer.json()

    # --- matches

    def open(self, *who: str, expect: int = 201, request: str = "", game: str = "virtus", **wish: Any) -> Any:
        """A match with these in its seats: ``me``, ``friend``, ``bot``, or ``bot:random``."""
        seats = [{"who": w} | ({"bot": bot} if bot else {}) for w, _, bot in (w.partition(":") for w in who)]
        wish = {"request": request or token_hex(8), "game": game, "seats": seats, **wish}
        return self.post("/api/matches", wish, expect)

    def join(self, match: Any, invite: str = "", name: str = "", expect: int = 200) -> Any:
        """Take the seat that the maker's ``match`` has an invitation for."""
        invite = invite or next(seat["invite"] for seat in match["seats"] if seat["invite"])
        return self.post(f"/api/matches/{match['id']}/join", {"invite": invite, "name": name}, expect)

    def match(self, match: str, expect: int = 200) -> Any:
        return self.get(f"/api/matches/{match}", expect)

    def frame(self, match: str, expect: int = 200, **params: Any) -> Any:
        return self.get(f"/api/matches/{match}/frame", expect, **params)

    def log(self, match: str, expect: int = 200, **params: Any) -> Any:
        """The entries of the log."""
        answer = self.get(f"/api/matches/{match}/log", expect, **params)
        return answer["entries"] if expect == 200 else answer

    def act(
        self, match: str, number: int, do: str, expect: int = 200, request: str = "", dice: Any = None
    ) -> Any:
        wish = {"number": number, "request": request or token_hex(8), "do": do}
        wish |= {} if dice is None else {"dice": dice}
        return self.post(f"/api/matches/{match}/act", wish, expect)

    def undo(self, match: str, number: int, expect: int = 200, request: str = "") -> Any:
        wish = {"number": number, "request": request or token_hex(8)}
        return self.post(f"/api/matches/{match}/undo", wish, expect)

    def record(self, match: str, expect: int = 200) -> str:
        answer = self.ask("GET", f"/api/matches/{match}/record")
        assert answer.status_code == expect, answer.text
        return answer.text

    @contextmanager
    def watch(self, match: str, **hello: Any) -> Iterator[Line]:
        """A socket on a match, after Hello."""
        where = f"ws://{self.server.address}/api/matches/{match}/live"
        with connect(where, max_size=None, open_timeout=PATIENCE) as socket:
            line = Line(socket, self.heard)
            line.send({"key": self.key, "lang": self.lang, **hello})
            yield line


def with_board(frame: Any, board: dict[str, Any]) -> None:
    """A frame of a socket made whole: areas and lines that are as before are left out of it."""
    if frame["board"]:
        board.update({name: frame["scene"][name] for name in ("areas", "lines")})
    else:
        assert frame["scene"]["areas"] == frame["scene"]["lines"] == []
        frame["scene"].update(board)


class Line:
    """A socket; ``log`` is kept as a client keeps it, and ``number`` what it has."""

    def __init__(self, socket: ClientConnection, heard: list[bytes]) -> None:
        self.socket, self.heard = socket, heard
        self.log: list[Any] = []
        self.number = 0
        self.board: dict[str, Any] = {}

    def send(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def next(self, kind: str = "", seconds: float = PATIENCE) -> Any:
        """The next message, of a kind if given: frame, match or error."""
        while True:
            text = self.socket.recv(timeout=seconds)
            assert isinstance(text, str)
            self.heard.append(text.encode())
            message = json.loads(text)
            if message["type"] == "frame":
                self.log[message["log_from"] :] = message["log"]
                self.number = message["number"]
                with_board(message, self.board)
            if kind in ("", message["type"]):
                return message

    def frame(self, number: int = 0) -> Any:
        """The next frame that is as late as this number."""
        while True:
            frame = self.next("frame")
            if frame["number"] >= number:
                return frame


def play_out(rng: Random, match: str, players: dict[str, Player], limit: int = 5000) -> Any:
    """Go on at random over HTTP alone until it is over; the last frame."""
    some = next(iter(players.values()))
    frame = some.frame(match)
    for _ in range(limit):
        if frame["ending"]:
            return frame
        player = players[frame["turn"]]
        if not frame["yours"] or frame["seen_as"] != frame["turn"]:
            frame = player.frame(match, seen_as=frame["turn"])
        player.act(match, frame["number"], rng.choice(frame["actions"])["do"])
        frame = player.frame(match)
    raise AssertionError("it goes on")


# --- small armies: their battles are short

ROMANS = {
    "name": "A cohort",
    "budget": 150,
    "general": [{"name": "Varus"}],
    "unit": [{"type": "legionaries", "count": 3}],
}
GERMANS = {
    "name": "A band",
    "budget": 150,
    "general": [{"name": "Arminius"}],
    "unit": [{"type": "warriors", "count": 3}],
}
SMALL: dict[str, Any] = {"scenario": "plain-small", "armies": [ROMANS, GERMANS]}
FOREST: dict[str, Any] = {"scenario": "thick-forest", "armies": [ROMANS, GERMANS]}
