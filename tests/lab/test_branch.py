"""What if: branches begin at a moment of another match, tell nothing that was secret, and leave it alone."""

from __future__ import annotations

import json
from random import Random

import pytest

from legatus.games import GAMES
from legatus.kernel import BadFile, Game, Match, Seeded, legal, playout
from legatus.kernel.codec import state_to_json
from legatus.kernel.engine import random_action
from legatus.kernel.records import parse_record, record_text
from legatus.lab.branch import CannotBranch, branch

from ..toy import TOY

ALL: list[Game] = [*GAMES.values(), TOY]
MOMENTS = 25


def played(game: Game, seed: str = "branch", most: int = 3_000) -> Match:
    match = Match.new(game, game.configure(), Seeded(f"{seed}/0"))
    rng = Random(seed)
    while match.state.decision is not None and len(match.journal) < most:
        match.play(random_action(match.state, match.state.decision, rng), match.seeded(seed))
    return match


@pytest.fixture(scope="module", params=ALL, ids=lambda game: game.key)
def match(request: pytest.FixtureRequest) -> Match:
    return played(request.param)


def moments(match: Match) -> list[int]:
    """Some of the moments at which somebody has to decide."""
    waiting = [n for n, state in enumerate(match.states) if state.decision is not None]
    return waiting[:: max(1, len(waiting) // MOMENTS)]


def seats(match: Match) -> range:
    return range(len(match.game.seats))


def test_a_branch_goes_on_from_any_moment_for_any_seat(match: Match) -> None:
    for entry in moments(match):
        for seat in seats(match):
            new = branch(match, entry, seat, "other", Random(f"{entry}/{seat}"))
            assert legal(new.state)
            assert not list(match.game.invariants(new.state))
            left = new.setup.branch
            assert left is not None
            assert (left.of, left.entry, left.seat, left.dealt) == (
                "other",
                entry,
                match.game.seats[seat],
                True,
            )
            playout(new.state.copy(), Seeded(f"on/{entry}"), Random(entry), limit=60)


def test_a_branch_of_what_is_over_has_the_secrets_that_were_there(match: Match) -> None:
    entry = moments(match)[len(moments(match)) // 2]
    new = branch(match, entry, 0, "other")
    assert new.state == match.states[entry]
    assert new.setup.branch is not None
    assert not new.setup.branch.dealt


def test_nothing_but_the_view_of_the_seat_goes_into_a_branch(match: Match) -> None:
    """Two matches that look the same to a seat have the same branches for it: it learns no secret by them."""
    game = match.game
    differ = 0
    for entry in moments(match):
        for seat in seats(match):
            twin = Match(game, match.setup)
            twin.states = [game.guess(game.view(match.states[entry], seat), seat, Random("twin"))]
            differ += twin.states[0] != match.states[entry]
            for seed in range(3):
                ours = branch(match, entry, seat, "other", Random(seed))
                theirs = branch(twin, 0, seat, "other", Random(seed))
                assert state_to_json(ours.state) == state_to_json(theirs.state)
    assert bool(differ) == game.has_secrets, "the twin must have other secrets, or this shows nothing"


def test_the_match_that_was_left_is_as_it_was(match: Match) -> None:
    before = [state_to_json(state) for state in match.states], list(match.journal)
    entry = moments(match)[1]
    for rng in (None, Random(1)):
        new = branch(match, entry, 0, "other", rng)
        new.play(legal(new.state)[0], Seeded("on"))
    assert ([state_to_json(state) for state in match.states], list(match.journal)) == before


def test_a_branch_is_a_record_of_its_own(match: Match) -> None:
    games = {match.game.key: match.game}
    new = branch(match, moments(match)[2], 1, "battle.jsonl", Random(5))
    rng = Random(6)
    while new.state.decision is not None and len(new.journal) < 20:
        new.play(random_action(new.state, new.state.decision, rng), new.seeded("on"))
    text = record_text(new)
    head = json.loads(text.split("\n", 1)[0])
    assert head["version"] == 3
    assert head["branch"]["of"] == "battle.jsonl"
    again = parse_record(games, text)
    assert again.states == new.states
    assert again.setup.branch == new.setup.branch


def test_records_that_begin_with_a_set_up_name_no_branch(match: Match) -> None:
    head = json.loads(record_text(match).split("\n", 1)[0])
    assert head["version"] == 3
    assert "branch" not in head


def test_a_branch_can_be_left_by_another() -> None:
    match = played(TOY)
    first = branch(match, 3, 0, "a", Random(1))
    first.play(legal(first.state)[0], Seeded("on"))
    second = branch(first, 1, 1, "b", Random(2))
    assert second.setup.branch is not None
    assert (second.setup.branch.of, second.setup.branch.entry) == ("b", 1)


def test_nobody_goes_on_after_the_end() -> None:
    match = played(TOY)
    assert match.state.outcome is not None
    with pytest.raises(CannotBranch, match="over"):
        branch(match, len(match.journal) - 1, 0, "other")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (None, "branch"),
        ({"of": "x"}, "entry"),
        ({"seat": "green"}, "'red', 'blue'"),
        ({"state": {}}, "branch.state.*outcome"),
        ({"state": {"todo": 3}}, "branch.state"),
    ],
)
def test_a_bad_branch_is_refused_at_its_line(changed: dict[str, object] | None, words: str) -> None:
    new = branch(played(TOY), 4, 0, "x", Random(1))
    head, rest = record_text(new).split("\n", 1)
    raw = json.loads(head)
    raw["branch"] = None if changed is None else {**raw["branch"], **changed}
    if changed == {"of": "x"}:
        del raw["branch"]["entry"]
    with pytest.raises(BadFile, match=words) as caught:
        parse_record({TOY.key: TOY}, f"{json.dumps(raw)}\n{rest}", "some.jsonl")
    assert str(caught.value).startswith("some.jsonl: line 1")


def test_a_record_that_began_elsewhere_is_refused() -> None:
    """The fingerprint of the first line is that of the position."""
    match = played(TOY)
    one, other = (record_text(branch(match, entry, 0, "x")).split("\n") for entry in (3, 9))
    with pytest.raises(BadFile, match="another state"):
        parse_record({TOY.key: TOY}, "\n".join([one[0], other[1]]))
    assert parse_record({TOY.key: TOY}, "\n".join(one[:2])).journal[0].dice == ()
