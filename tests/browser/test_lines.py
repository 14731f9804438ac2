"""When the line breaks: the page comes back by itself, and nothing is lost."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.server.client import NO_LIMITS, Server

CLEAR = "bridge"  # Rome's sectors are clear there whatever the dice say: a click deploys, without a question
BROKEN = r"ERR_CONNECTION|ERR_INTERNET_DISCONNECTED|ERR_NETWORK|WebSocket connection"


@pytest.fixture
def begin(tmp_path):
    """Starts servers on one database, the later ones where the first one was."""
    started: list[Server] = []

    def start() -> Server:
        port = started[0].address.rpartition(":")[2] if started else "0"
        started.append(Server(tmp_path, *NO_LIMITS, "--port", port))
        return started[-1]

    yield start
    for server in started:
        server.kill()


def turn_of(visitor, rng):
    """Up to the deployment of Rome."""
    while "deploy-rest" not in [button["do"] for button in visitor.wait()["buttons"]]:
        visitor.choose(rng)
    return visitor.seen()


def deploy(visitor, unit, area):
    number = visitor.wait()["number"]
    visitor.pick(unit)
    visitor.pick(area)
    visitor.wait_number(number + 1)
    visitor.wait()


def test_reload(server, visit):
    owner = server.player()
    match = owner.open("me", "bot", scenario=CLEAR)["id"]
    rome = visit(server, key=owner.key).sit(match)
    turn_of(rome, Random(1))
    deploy(rome, "legion-1", "rome2")
    rome.pick("legion-2")
    before = rome.seen()
    told = rome.at("log").inner_text()
    rome.page.reload()
    after = rome.wait()
    for what in ("number", "entry", "prompt", "pieces"):
        assert after[what] == before[what]
    assert rome.at("log").inner_text() == told
    deploy(rome, "legion-2", "rome1")


def test_server_restarts(begin, visit):
    first = begin()
    owner = first.player()
    match = owner.open("me", "bot", scenario=CLEAR)["id"]
    rome = visit(first, key=owner.key).sit(match)
    turn_of(rome, Random(1))
    deploy(rome, "legion-1", "rome2")
    number = rome.seen()["number"]
    rome.allow(BROKEN)
    first.stop()
    expect(rome.at("lost")).to_be_visible()
    second = begin()
    assert second.url == first.url
    expect(rome.at("lost")).to_have_count(0)
    assert rome.wait()["number"] == number
    deploy(rome, "legion-2", "rome1")
    second.kill()  # as a power cut does, in the middle of a command
    rome.pick("legion-3")
    rome.pick("rome3")
    begin()
    again = rome.at("trouble").get_by_role("button", name=rome.say("table.retry"))
    placed = rome.page.locator('[data-id="legion-3"][aria-label*="Rome 3"]')
    placed.or_(again).first.wait_for()  # it tries for some seconds, then it asks
    if again.count():
        again.click()
    expect(placed).to_be_visible()
    assert rome.wait()["number"] == number + 2  # done once, however often it was said


def test_offline(server, visit):
    owner = server.player()
    match = owner.open("me", "friend", scenario="plain-small")
    friend = server.player()
    friend.join(match)
    ident = match["id"]
    rome = visit(server, key=owner.key).sit(ident)
    rome.allow(BROKEN)
    rng = Random(2)
    while not (frame := friend.frame(ident))["yours"]:
        mine = owner.frame(ident)
        do = [a["do"] for w in ("deploy-rest", "done") for a in mine["actions"] if a["do"] == w]
        owner.act(ident, mine["number"], do[0] if do else rng.choice(mine["actions"])["do"])
    number = owner.frame(ident)["number"]
    rome.wait_number(number)
    rome.context.set_offline(True)
    expect(rome.at("lost")).to_be_visible()
    while owner.frame(ident)["number"] == number:  # what the friend does in secret is not in our numbers
        frame = friend.frame(ident)
        do = [a["do"] for w in ("deploy-rest", "done") for a in frame["actions"] if a["do"] == w]
        friend.act(ident, frame["number"], do[0] if do else rng.choice(frame["actions"])["do"])
    assert rome.seen()["number"] == number
    rome.context.set_offline(False)
    rome.wait_number(number + 1)
    expect(rome.at("lost")).to_have_count(0)
