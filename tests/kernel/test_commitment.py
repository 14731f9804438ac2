"""Dice that follow from a promised seed and from contributions: the scheme, word for word, and its parts."""

from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from legatus.bots import mood
from legatus.games import GAMES
from legatus.kernel import Luck, Match, Seeded, legal
from legatus.kernel.chance import Committed
from legatus.kernel.commitment import (
    COMMITTED,
    SEEDED,
    Contribution,
    bot_seed,
    commitment_of,
    dice_of,
    given_at,
    new_contribution,
    new_seed,
)
from legatus.kernel.files import BadFile
from legatus.kernel.match import CannotUndo
from legatus.kernel.records import parse_record, record_text

SEED = "legatus"
SEATS = ("rome", "barbarians")


def by_hand(seed: str, row: int, given: str, sides: int, n: int) -> list[int]:
    """The scheme as the documentation tells it, written a second time."""
    words: list[int] = []
    for block in range(n):
        stream = hmac.new(seed.encode(), f"dice/{row}/{block}/{given}".encode(), sha256).digest()
        words += [int.from_bytes(stream[i : i + 4], "big") for i in range(0, 32, 4)]
    fair = 2**32 // sides * sides
    return [word % sides for word in words if word < fair][:n]


@given(st.text(min_size=1), st.integers(0, 10**6), st.sampled_from(["", "a/b", "/b"]), st.integers(1, 100))
def test_dice_are_those_of_the_documented_scheme(seed: str, row: int, given: str, sides: int) -> None:
    seed = seed.encode(errors="ignore").decode()
    dice = Committed(seed, row, given.split("/")).answer(Luck(20, sides))
    assert dice == [face + 1 for face in by_hand(seed, row, given, sides, 20)]


def test_an_example_that_never_changes() -> None:
    """It stands in docs/concepts/luck.md too."""
    assert commitment_of(SEED) == "06a6cb62e56c75283ecc85622b50c147d6df0de597d2452e8f711bcc0717e997"
    dice = Committed(SEED, 12, ("a1b2", ""))
    assert dice.answer(Luck(5, 6)) == [6, 6, 1, 1, 3]


def test_questions_go_on_along_one_stream() -> None:
    whole = Committed(SEED, 3).answer(Luck(20, 6))
    parts = Committed(SEED, 3)
    assert parts.answer(Luck(7, 6)) + [parts.roll(6, ()) for _ in range(13)] == whole


def test_a_die_that_is_marked_from_nought() -> None:
    faces = Committed(SEED, 0).answer(Luck(500, 10, low=0))
    assert set(faces) == set(range(10))


def test_draws_go_by_weights_and_never_to_what_is_gone() -> None:
    weights = (0, 1, 0, 3, 0)
    drawn = Counter(Committed(SEED, row).answer(Luck(1, 0, (), weights))[0] for row in range(4000))
    assert set(drawn) == {1, 3}
    assert 2850 < drawn[3] < 3150


def test_dice_are_fair() -> None:
    fell = Counter(Committed(SEED, 1).answer(Luck(60_000, 6)))
    assert set(fell) == set(range(1, 7))
    assert all(9_600 < n < 10_400 for n in fell.values())


def test_words_that_would_favour_low_faces_are_passed_over() -> None:
    """With so many sides nearly every second word is too great; taken all the same it would be a low face."""
    sides = 2**31 + 1
    assert Committed(SEED, 5).answer(Luck(40, sides, low=0)) == by_hand(SEED, 5, "", sides, 40)
    block = hmac.digest(SEED.encode(), b"dice/5/0/", "sha256")
    words = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4)]
    fair = [word for word in words if word < sides]
    assert 0 < len(fair) < len(words)
    assert Committed(SEED, 5).answer(Luck(len(fair), sides, low=0)) == fair


@pytest.mark.parametrize("other", [("b", ""), ("", "a"), ("a", "a"), ("", "")])
def test_every_contribution_counts_and_its_seat_too(other: tuple[str, str]) -> None:
    """The same text from another seat makes other dice, and two of the same do not cancel out."""
    luck = Luck(30, 6)
    assert Committed(SEED, 1, other).answer(luck) != Committed(SEED, 1, ("a", "")).answer(luck)


def test_contributions_count_from_their_row_on() -> None:
    given = [Contribution("barbarians", 4, "ben"), Contribution("rome", 0, "anna")]
    assert given_at(given, SEATS, 3) == ("anna", "")
    assert given_at(given, SEATS, 4) == ("anna", "ben")
    luck = Luck(30, 6)
    before, after = (dice_of(COMMITTED, SEED, row, given, SEATS).answer(luck) for row in (3, 4))
    assert before == Committed(SEED, 3, ("anna", "")).answer(luck)
    assert after == Committed(SEED, 4, ("anna", "ben")).answer(luck)


def test_matches_from_before_keep_their_dice() -> None:
    luck = Luck(30, 6)
    assert dice_of(SEEDED, 7, 12).answer(luck) == Seeded("7/12").answer(luck)
    assert bot_seed(SEEDED, 7) == 7


def test_the_chance_of_bots_does_not_hold_the_seed() -> None:
    """Python's generator can be run backwards to what it was seeded with; that is a hash of the seed."""
    seed = new_seed()
    mind = bot_seed(COMMITTED, seed)
    assert mind == bot_seed(COMMITTED, seed) != seed
    assert mind == hmac.new(seed.encode(), b"bots", sha256).hexdigest()
    assert mood(mind, 3).random() == mood(mind, 3).random() != mood(seed, 3).random()


def test_seeds_and_contributions_cannot_be_guessed() -> None:
    assert len({new_seed() for _ in range(100)}) == 100
    assert len(bytes.fromhex(new_seed())) == 32
    assert len(bytes.fromhex(new_contribution())) == 16
    assert commitment_of(7) == sha256(b"7").hexdigest()


@pytest.mark.parametrize("text", ["", "a/b", "é", "a" * 65, "a b"])
def test_a_contribution_is_of_plain_characters(text: str) -> None:
    """A slash would let one seat speak for another."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"seat": "rome", "row": 0, "text": text}, Contribution)


# --- rows ----------------------------------------------------------------------------------------


def taken_back() -> Match:
    """A battle in which two actions were taken back before the third stood."""
    virtus = GAMES["virtus"]
    match = Match.new(virtus, virtus.configure("bridge"), Seeded("rows"))
    for n in (0, 1):
        match.play(legal(match.state)[n], Seeded("none"))
        match.undo(0)
    for _ in range(2):
        match.play(legal(match.state)[0], Seeded("none"))
    return match


def test_what_was_taken_back_has_used_up_its_number() -> None:
    match = taken_back()
    assert [entry.row for entry in match.journal] == [0, 5, 6]
    assert match.rows == 7
    again = Match.replay(match.game, match.setup, match.journal)
    assert (again.journal, again.rows) == (match.journal, match.rows)


def test_a_record_tells_the_rows_that_are_not_in_it() -> None:
    match = taken_back()
    text = record_text(match)
    assert [line.count('"row": 5') for line in text.splitlines()[1:]] == [0, 1, 0]
    assert text.count('"row"') == 1
    assert parse_record(GAMES, text).journal == match.journal


@pytest.mark.parametrize("row", ["0", "-1", "true", '"5"', "2147483648", "1.5"])
def test_rows_go_upwards(row: str) -> None:
    text = record_text(taken_back()).replace('"row": 5', f'"row": {row}')
    with pytest.raises(BadFile, match="line 3"):
        parse_record(GAMES, text)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_what_consumed_luck_cannot_be_taken_back(game) -> None:  # type: ignore[no-untyped-def]
    """Or somebody could roll until he likes it."""
    match = Match.new(game, game.configure(), Seeded("sealed/0"))
    fell = 0
    for n in range(400):
        decision = match.state.decision
        if decision is None or fell >= 5:
            break
        actions = legal(match.state)
        match.play(actions[n % len(actions)], Seeded(f"sealed/{n}"))
        if match.journal[-1].dice:
            fell += 1
            with pytest.raises(CannotUndo):
                match.undo(decision.seat)
    assert fell
