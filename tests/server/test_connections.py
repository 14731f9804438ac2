"""Nobody stops the server with connections: half-sent requests, too many, slow readers, floods of frames."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import threading
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from legatus.server import Settings, connections, create_app
from legatus.server import socket as its_socket
from legatus.server.connections import Config, Connections
from legatus.server.desk import Desk
from legatus.server.faults import Fault
from legatus.server.keys import digest
from legatus.server.socket import Watcher
from legatus.server.wire import Hello, NewMatch, SeatPlan

from .client import NO_LIMITS, PATIENCE, Line, Player, Server, until
from .conftest import Start
from .planted import fortresses_raised

HALF_A_HEAD = b"GET /api/lobby HTTP/1.1\r\nhost: legatus\r\nx-slow: "
HALF_A_BODY = (
    b"POST /api/games/virtus/army HTTP/1.1\r\nhost: legatus\r\n"
    b"content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"
)


class Inside(Server):
    """A server in a thread of this process: its constants can be patched."""

    def __init__(self, folder: Path, buffer: int = 0, **settings: Any) -> None:
        wish = {"requests": 0, "openings": 0, "sockets": 0, "connections": 0, **settings}
        self.settings = Settings(database=f"sqlite:///{folder / 'inside.sqlite3'}", **wish)
        self.config = Config(create_app(self.settings), self.settings)
        self.listener = socket.create_server(("127.0.0.1", 0))
        if buffer:  # of the kernel, for what is sent
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
        self.uvicorn = uvicorn.Server(self.config)
        self.thread = threading.Thread(target=self.uvicorn.run, args=([self.listener],))
        self.thread.start()
        self.address = "{}:{}".format(*self.listener.getsockname()[:2])
        self.url = f"http://{self.address}"
        self.http = httpx.Client(timeout=PATIENCE)
        until(lambda: self.uvicorn.started)

    @property
    def open(self) -> int:
        return len(self.config.connections)

    def stop(self) -> None:
        self.http.close()
        self.uvicorn.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


@contextmanager
def inside(folder: Path, buffer: int = 0, **settings: Any) -> Iterator[Inside]:
    server = Inside(folder, buffer, **settings)
    try:
        yield server
    finally:
        server.stop()


def line_to(server: Server, data: bytes = b"", source: str = "127.0.0.1", buffer: int = 0) -> socket.socket:
    """A connection on which this was sent."""
    host, port = server.address.split(":")
    line = socket.socket()
    if buffer:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.settimeout(PATIENCE)
    line.bind((source, 0))
    line.connect((host, int(port)))
    line.sendall(data)
    return line


def is_cut(line: socket.socket) -> bool:
    """Whether the server has hung up by now; what it said before is read."""
    line.setblocking(False)
    try:
        while line.recv(65_536):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def last_words(line: socket.socket) -> bytes:
    """What comes until the server hangs up, the end of it."""
    heard = b""
    line.settimeout(PATIENCE)
    with suppress(ConnectionResetError):
        while data := line.recv(1_000_000):
            heard = (heard + data)[-2_000:]
    return heard


def next_message(line: socket.socket) -> bytes:
    """One message of the server, whole."""

    def exactly(size: int) -> bytes:
        return line.recv(size, socket.MSG_WAITALL)

    size = exactly(2)[1]
    return exactly(int.from_bytes(exactly({126: 2, 127: 8}[size]), "big") if size > 125 else size)


def plays(player: Player, moves: int) -> None:
    """Somebody opens a battle and makes some moves, with answers in time."""
    match = player.open("me", "me")["id"]
    for _ in range(moves):
        frame = player.frame(match)
        if not frame["yours"]:
            frame = player.frame(match, seen_as=frame["turn"])
        player.act(match, frame["number"], frame["actions"][0]["do"])


# --- half-sent requests --------------------------------------------------------------------------


@contextmanager
def files(number: int, for_children: int) -> Iterator[Any]:
    """This process may have so many files; ``with`` its answer, a new process only so many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < number:
        pytest.skip(f"only {hard} files at a time are allowed here")

    @contextmanager
    def children() -> Iterator[None]:
        resource.setrlimit(resource.RLIMIT_NOFILE, (for_children, hard))
        yield
        resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))

    try:
        yield children
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_half_sent_requests_hold_nobody_up(start: Start) -> None:
    """1,100 of them, of which bodies go on to trickle, and a server that is started with 1,024 files."""
    with files(4_096, 1_024) as children, ExitStack() as stack:
        with children():
            server = start(*NO_LIMITS)
        heads = [stack.enter_context(line_to(server, HALF_A_HEAD)) for _ in range(550)]
        bodies = [stack.enter_context(line_to(server, HALF_A_BODY)) for _ in range(550)]
        began = time.monotonic()
        server.http.close()
        server.http = httpx.Client(timeout=20)  # who comes now, and has no connection yet
        for player in (server.player(), server.player()):
            plays(player, 5)
            for body in bodies:
                body.sendall(b" ")
        assert time.monotonic() - began < 40
        until(lambda: all(map(is_cut, heads)), connections.HEAD_SECONDS + 40)
        assert not server.complaints()


def test_a_head_and_a_body_have_their_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert connections.HEAD_SECONDS <= 20
    assert connections.BODY_SECONDS <= 120
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    monkeypatch.setattr(connections, "BODY_SECONDS", 2.0)
    with inside(tmp_path) as server, ExitStack() as stack:
        silent = stack.enter_context(line_to(server))
        head = stack.enter_context(line_to(server, HALF_A_HEAD))
        body = stack.enter_context(line_to(server, HALF_A_BODY))
        refused = stack.enter_context(line_to(server, HALF_A_BODY.replace(b"1000", b"9000000")))
        again = stack.enter_context(line_to(server, b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n"))
        assert again.recv(65_536).startswith(b"HTTP/1.1 200")
        again.sendall(HALF_A_HEAD)  # on a line on which a request was answered
        idle = server.stranger()
        assert idle.get("/health")
        lines = [silent, head, body, refused, again]

        def trickle() -> bool:
            for line in lines:
                if line is not silent:
                    with suppress(OSError):
                        line.sendall(b" ")
            return all(map(is_cut, lines))

        until(trickle)
        assert refused is not None
        assert idle.get("/health")  # whoever only thinks keeps his connection
        assert server.open == 1


def test_a_head_has_an_end(tmp_path: Path) -> None:
    with inside(tmp_path) as server, line_to(server, HALF_A_HEAD) as head:
        with suppress(OSError):
            for _ in range(10):
                head.sendall(b"x" * 50_000)
        until(lambda: is_cut(head))


def test_so_has_a_body(tmp_path: Path) -> None:
    chunked = HALF_A_BODY.replace(b"content-length: 1000", b"transfer-encoding: chunked").replace(b"{", b"")
    with inside(tmp_path, body_limit=10_000) as server, line_to(server, chunked) as body:
        with suppress(OSError):
            for _ in range(100):
                body.sendall(b"1;" + b"x" * 5_000 + b"\r\nx\r\n")  # a byte, and an extension
        until(lambda: is_cut(body))


# --- how many ------------------------------------------------------------------------------------


def test_when_there_are_too_many_the_slowest_goes(tmp_path: Path) -> None:
    with inside(tmp_path) as server, ExitStack() as stack:
        server.config.connections.most = 30
        player = server.player()
        match = player.open("me", "me")["id"]
        line = stack.enter_context(player.watch(match))
        line.frame()
        halves = [HALF_A_HEAD, HALF_A_BODY, b""] * 20
        lines = [stack.enter_context(line_to(server, half)) for half in halves]
        until(lambda: all(map(is_cut, lines[:20])))
        assert not is_cut(lines[-1])
        assert server.open <= 30
        plays(player, 3)
        line.send({"key": player.key})
        assert line.frame()  # a match that is watched is not among them


def test_an_address_has_only_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a proxy all have one address: a proxy has as many as it needs."""
    with inside(tmp_path, connections=10) as server, ExitStack() as stack:
        for source, cut in (("127.0.0.2", 20), ("127.0.0.1", 0)):
            lines = [stack.enter_context(line_to(server, HALF_A_HEAD, source)) for _ in range(30)]
            until(lambda lines=lines, cut=cut: sum(map(is_cut, lines)) == cut)
            assert sum(map(is_cut, lines)) == cut
        assert server.stranger().get("/health")


def test_as_many_files_as_may_be_are_asked_for() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(900, hard), hard))
        most = connections.raise_file_limit()
        now, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert now == hard or now >= connections.MOST_FILES
        assert 0 < most < now
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("testclient", "other", False),
    ],
)
def test_one_client_may_have_a_network_of_addresses(one: str, other: str, same: bool) -> None:
    assert (connections.of_one_client(one) == connections.of_one_client(other)) is same


# --- sockets -------------------------------------------------------------------------------------


def deaf(server: Server, player: Player, match: str, buffer: int = 4_096) -> socket.socket:
    """A client that watches a match and does not read; so many bytes wait for it on its side."""
    line = line_to(server, buffer=buffer)
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    line.sendall(
        f"GET /api/matches/{match}/live HTTP/1.1\r\nhost: {server.address}\r\nupgrade: websocket\r\n"
        f"connection: upgrade\r\nsec-websocket-key: {key}\r\nsec-websocket-version: 13\r\n\r\n".encode()
    )
    assert line.recv(65_536).startswith(b"HTTP/1.1 101")
    line.sendall(framed(0x81, f'{{"key": "{player.key}"}}'.encode()))
    return line


def framed(head: int, data: bytes) -> bytes:
    """A frame of a client; a mask of zeros leaves it as it is."""
    long = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return bytes([head]) + long + b"\0\0\0\0" + data


def test_nothing_is_kept_for_who_does_not_read(tmp_path: Path) -> None:
    """However often others come and go, and whatever happens; tests/attack measures a whole server."""
    desk = Desk(Settings(database=f"sqlite:///{tmp_path / 'legatus.sqlite3'}"))
    desk.open()
    wish = NewMatch("request-1", "virtus", (SeatPlan("me"), SeatPlan("me")))
    key = desk.keys.new()

    async def come_and_go() -> tuple[int, list[Any]]:
        table = await desk.open_match(wish, digest(key))
        watcher = Watcher(desk, table, "")
        table.watchers.append(watcher)
        assert watcher.greet(Hello(key))
        fault = Fault("no-undo")
        tracemalloc.start()
        for _ in range(20_000):
            desk.announce_presence(table)
            desk.hall.tell(table)
            watcher.complain(fault)
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return held, [json.loads(await watcher.next())["type"] for _ in range(3)]

    held, told = asyncio.run(come_and_go())
    desk.close()
    assert held < 100_000
    assert told == ["error", "match", "frame"]


@pytest.mark.parametrize("reads", [True, False])
def test_a_slow_reader_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: bool) -> None:
    """He is told why, if he reads at last; and if he never does, his connection is cut."""
    assert connections.READ_SECONDS <= 30
    assert connections.CLOSE_SECONDS <= 30
    monkeypatch.setattr(connections, "READ_SECONDS", 1.0)
    monkeypatch.setattr(connections, "CLOSE_SECONDS", 60.0 if reads else 1.0)
    with inside(tmp_path, buffer=8_192) as server:
        anna = server.player()
        match = anna.open("me", "me")["id"]
        with deaf(server, anna, match) as slow:
            until(lambda: "legatus_sockets 1.0" in anna.ask("GET", "/metrics").text)
            end = time.monotonic() + (4 if reads else 60)
            while time.monotonic() < end and server.open > 1:
                for seen_as in ("rome", "barbarians"):
                    frame = anna.frame(match, seen_as=seen_as)
                    if frame["yours"]:
                        anna.act(match, frame["number"], frame["actions"][0]["do"])
                time.sleep(0.1)
            if reads:
                assert b"\x03\xf5too slow" in last_words(slow)  # 1013
        until(lambda: server.open == 1)


@pytest.mark.parametrize("head", [0x89, 0x8A, 0x00], ids=["pings", "pongs", "parts"])
def test_who_floods_us_with_frames_is_dropped(tmp_path: Path, head: int) -> None:
    with inside(tmp_path) as server:
        anna = server.player()
        match = anna.open("me", "me")["id"]
        with deaf(server, anna, match, buffer=1_000_000) as flood:  # what has not come may be lost at the end
            while b'"type":"frame"' not in next_message(flood):
                pass
            if head == 0x00:
                flood.sendall(framed(0x01, b"{"))
            with suppress(OSError):
                for _ in range(20):
                    flood.sendall(framed(head, b"") * 1_000)
            assert b"\x03\xf5too many frames" in last_words(flood)
        plays(anna, 1)


def greet_for_ever(line: Line, player: Player) -> None:
    while True:
        line.frame()
        line.send({"key": player.key})


def test_a_socket_says_hello_only_so_often(server: Server) -> None:
    anna = server.player()
    match = anna.open("me", "me")["id"]
    with anna.watch(match) as line:
        for _ in range(its_socket.HELLOS[0] - 1):
            assert line.frame()
            line.send({"key": anna.key})
        with pytest.raises(ConnectionClosed) as closed:
            greet_for_ever(line, anna)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1013


def test_to_connect_counts_as_a_request(start: Start) -> None:
    server = start("--requests", "20", "--openings", "0")
    anna = server.player()
    match = anna.open("me", "me")["id"]
    codes = []
    for _ in range(30):
        with connect(f"ws://{server.address}/api/matches/{match}/live") as line:
            try:
                line.recv(timeout=0.2)
                line.recv()
            except TimeoutError:
                continue
            except ConnectionClosed as closed:
                codes.append(closed.rcvd.code if closed.rcvd else 0)
    assert codes
    assert set(codes) == {1013}


def test_nobody_is_told_twice_who_is_there(server: Server) -> None:
    """A Hello that changes nothing is answered, and told to nobody else."""
    anna, ben = server.player(), server.player()
    match = anna.open("me", "friend")
    ben.join(match)
    with anna.watch(match["id"]) as hers, ben.watch(match["id"]) as his:
        his.frame()
        until(lambda: hers.next("match")["match"]["seats"][1]["online"])
        for _ in range(3):
            his.send({"key": ben.key, "lang": "fr"})
            assert his.next("match")
            assert his.next("frame")
        with pytest.raises(TimeoutError):
            hers.next("match", seconds=1)
        his.send({"key": ben.key, "seen_as": "spectator"})
        assert not hers.next("match")["match"]["seats"][1]["online"]


def half_an_upload(server: Server, size: int, key: str, source: str, left: int = 1) -> socket.socket:
    """A connection on which so much of a record has come, and its end has not."""
    head = (
        "POST /api/replays HTTP/1.1\r\nhost: legatus\r\ncontent-type: application/json\r\n"
        f"authorization: Bearer {key}\r\ncontent-length: {size + left}\r\n\r\n"
    )
    return line_to(server, head.encode() + b"x" * size, source)


@pytest.mark.parametrize("bound", ["BODIES_OF_ADDRESS", "BODIES"])
def test_half_bodies_have_a_common_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    """The first of those who hold most is cut; somebody else's upload, though it came before, is not."""
    assert connections.BODIES_OF_ADDRESS == 20_000_000
    assert connections.BODIES == 200_000_000
    monkeypatch.setattr(connections, bound, 500_000)
    with inside(tmp_path) as server, ExitStack() as stack:
        key = server.player().key
        held = server.config.connections._held
        other = stack.enter_context(half_an_upload(server, 100_000, key, "127.0.0.3"))
        until(lambda: held.total() >= 100_000)
        lines = []
        for n in range(1, 9):
            lines.append(stack.enter_context(half_an_upload(server, 100_000, key, "127.0.0.2")))
            until(lambda n=n: held.total() >= 100_000 * min(n, 4) or any(map(is_cut, lines)))
        until(lambda: is_cut(lines[0]))
        until(lambda: is_cut(lines[2]))
        assert not is_cut(lines[-1])
        assert not is_cut(other)
        until(lambda: held.total() <= 600_000)
        assert max(held.values()) <= 500_000
        for line in [*lines, other]:
            line.close()
        until(lambda: not held)
        plays(server.player(), 2)


def test_who_goes_on_sending_is_not_cut_for_bodies_that_stand_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even by others at his own address, who came later."""
    monkeypatch.setattr(connections, "BODIES_OF_ADDRESS", 500_000)
    with inside(tmp_path) as server, ExitStack() as stack:
        key = server.player().key
        held = server.config.connections._held
        slow = stack.enter_context(half_an_upload(server, 100_000, key, "127.0.0.2", left=100_000))
        until(lambda: held.total() >= 100_000)
        lines = []
        for n in range(12):
            lines.append(stack.enter_context(half_an_upload(server, 80_000, key, "127.0.0.2")))
            until(lambda n=n: held.total() >= 100_000 + 1_000 * n + 80_000 * min(n + 1, 4))
            slow.sendall(b"x" * 1_000)
            until(
                lambda n=n: max(one.held for one in server.config.connections._bodies) >= 101_000 + 1_000 * n
            )
            assert not is_cut(slow)
        until(lambda: is_cut(lines[0]))
        assert not is_cut(lines[-1])


def test_who_hangs_up_or_talks_nonsense_fills_no_log(start: Start) -> None:
    """Several requests in the line: the one that is being answered is not the last one."""
    server = start(*NO_LIMITS)
    for _ in range(15):
        line = line_to(server, b"GET /health HTTP/1.1\r\nhost: legatus\r\n\r\n" * 500)
        line.recv(2_000)
        line.close()
        with line_to(server, b"\x16\x03\x01 nonsense\r\n\r\n") as line:
            line.recv(2_000)
    plays(server.player(), 1)
    told = server.log.read_text(encoding="utf-8")
    assert "Traceback" not in told
    assert "Invalid HTTP" not in told


def test_bodies_of_requests_that_were_answered_are_not_held(tmp_path: Path) -> None:
    """What comes after the answer is thrown away."""
    with inside(tmp_path) as server, half_an_upload(server, 500_000, "", "127.0.0.2") as line:
        assert line.recv(12) == b"HTTP/1.1 401"
        line.sendall(b"x")
        until(lambda: not server.config.connections._held)


def test_bodies_that_came_whole_are_not_held(tmp_path: Path) -> None:
    with inside(tmp_path) as server:
        player = server.player()
        wish = json.dumps({"request": "upload-1", "text": fortresses_raised(1)}) + " " * 500_000
        for _ in range(3):
            answer = player.ask("POST", "/api/replays", content=wish.encode())
            assert answer.status_code == 201, answer.text
        assert not server.config.connections._held


def test_the_key_is_asked_for_before_the_body_is_read(tmp_path: Path) -> None:
    with inside(tmp_path) as server, half_an_upload(server, 100, "", "127.0.0.1") as line:
        assert line.recv(12) == b"HTTP/1.1 401"


def test_what_is_waited_for_is_counted() -> None:
    """Connections that are gone are forgotten, whatever became of them."""

    class Line:
        held = 0
        client = ("192.0.2.7", 1)
        deadline = 0.0

        def __init__(self) -> None:
            self.loop, self.transport = self, self
            self.aborted = False

        def call_later(self, *_: object) -> None: ...

        def abort(self) -> None:
            self.aborted = True

    lines: Sequence[Any] = [Line() for _ in range(8)]
    found = Connections(4, 2, Config(None, Settings()).connections.proxies)
    assert [found.enter(line) for line in lines[:3]] == [True, True, False]
    found.is_waited_for(lines[1])
    assert found.enter(lines[3])
    assert lines[1].aborted
    assert not lines[0].aborted
    for line in lines:
        found.leave(line)
    assert len(found) == 0
    assert not found._of
    assert not found._waiting
