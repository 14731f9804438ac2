"""Every die of a record is recomputed: what is right is verified, and whatever was changed is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from legatus.games import GAMES
from legatus.kernel import BadFile, Branch, Dice, Luck, Match, Scripted, Setup, legal
from legatus.kernel.codec import state_to_json
from legatus.kernel.commitment import COMMITTED, SEEDED, Contribution, Scheme, commitment_of, dice_of
from legatus.kernel.match import CannotUndo, Resumption
from legatus.kernel.records import parse_record, record_text
from legatus.lab.audit import Sitting
from legatus.lab.verify import Verdict, verify

from ..server.client import SMALL

VIRTUS = GAMES["virtus"]
SMALL_SETUP = VIRTUS.configure_known(SMALL["scenario"], SMALL["armies"], {})
SEED = "5e" * 32
SEATS = {"rome": "human", "barbarians": "human"}
JOINED = 9  # the row at which the second player joined: his contribution counts from the next one on
GIVEN = (Contribution("rome", 0, "anna"), Contribution("barbarians", JOINED + 1, "ben"))
SAT = Sitting(SEATS, SEED, scheme=COMMITTED, commitment=commitment_of(SEED), contributions=GIVEN)


class Thrown(Dice):
    """Dice that people throw; the server draws the cards."""

    def __init__(self, rng: Random, draws: Dice) -> None:
        self.rng, self.draws = rng, draws

    def answer(self, luck: Luck) -> list[int]:
        if luck.weights:
            return self.draws.answer(luck)
        return [self.rng.randint(luck.low, luck.high) for _ in range(luck.n)]


def play(game: Any = VIRTUS, sat: Sitting = SAT, entries: int = 10_000, setup: Setup | None = None) -> Match:
    """A match at random in which much is taken back, and somebody joins at a row of its own; to its end."""
    rng, match = Random(5), Match(game, setup or (SMALL_SETUP if game is VIRTUS else game.configure()))

    def dice() -> Dice:
        own = dice_of(sat.scheme, sat.seed or 0, match.rows, sat.contributions, game.seats)
        return Thrown(rng, own) if sat.dice == "dice" and match.journal else own

    match.begin(dice())
    while len(match.journal) < entries and (decision := match.state.decision) is not None:
        if match.rows == JOINED:
            match.rows += 1
        match.play(rng.choice(legal(match.state)), dice())
        if rng.random() < 0.3:
            try:
                match.undo(decision.seat)
            except CannotUndo:
                continue
    return match


@pytest.fixture(scope="module")
def text() -> str:
    return record_text(play(), **SAT.notes())


def judged(text: str, *noted: str, given: Sequence[str] = ()) -> Verdict:
    return verify(parse_record(GAMES, text), json.loads(text.split("\n", 1)[0]), noted, given)


def changed(text: str, **head: Any) -> str:
    """The record with other notes in its head; None takes one away."""
    first, rest = text.split("\n", 1)
    notes = {name: value for name, value in {**json.loads(first), **head}.items() if value is not None}
    return json.dumps(notes) + "\n" + rest


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def told(verdict: Verdict) -> str:
    return " ".join(VIRTUS.folder.messages["en"].render(said) for said in verdict.said())


# --- what is right -------------------------------------------------------------------------------


def test_every_die_of_a_match_with_undone_rows_and_a_joining_is_recomputed(text: str) -> None:
    found, match = judged(text, commitment_of(SEED)), parse_record(GAMES, text)
    assert (found.finding, found.good) == ("verified", True)
    assert found.dice == sum(len(entry.dice) for entry in match.journal) > 20
    assert found.gaps == match.rows - len(match.journal) > 2
    assert found.silent == ()
    assert f"{found.dice} dice and cards" in told(found)


def test_dice_before_somebody_joined_are_told() -> None:
    late = (Contribution("rome", 0, "anna"), Contribution("barbarians", 40, "ben"))
    sat = Sitting(SEATS, SEED, scheme=COMMITTED, commitment=commitment_of(SEED), contributions=late)
    match = play(sat=sat)
    found = judged(record_text(match, **sat.notes()))
    early = sum(len(entry.dice) for entry in match.journal if entry.row < 40)
    assert found.good
    assert [(one.seat, one.dice) for one in found.early] == [("barbarians", early)]
    assert early
    assert f"before barbarians had contributed: {early} dice" in told(found)


@pytest.mark.parametrize("key", GAMES)
def test_every_game(key: str) -> None:
    """Dice marked from 0, pools, draws by weight, dice thrown again."""
    game = GAMES[key]
    sat = Sitting(
        dict.fromkeys(game.seats, "human"),
        SEED,
        scheme=COMMITTED,
        commitment=commitment_of(SEED),
        contributions=tuple(Contribution(seat, 0, seat) for seat in game.seats),
    )
    match = play(game, sat, 60)
    found = judged(record_text(match, **sat.notes()))
    assert (found.finding, found.early, found.silent) == ("unfinished", (), ())
    assert found.dice == sum(len(entry.dice) for entry in match.journal) > 0


def test_a_record_from_before_follows_from_a_seed_that_nobody_promised() -> None:
    sat = Sitting(SEATS, 7)
    text = record_text(play(sat=sat), **sat.notes())
    assert "scheme" not in text.split("\n", 1)[0]
    found = judged(text)
    assert (found.finding, found.good, found.commitment) == ("unpromised", False, "")
    assert found.dice > 20
    assert "not promised beforehand" in told(found)


def test_who_contributed_nothing_is_named(text: str) -> None:
    sat = Sitting(SEATS, SEED, scheme=COMMITTED, commitment=commitment_of(SEED))
    found = judged(record_text(play(sat=sat), **sat.notes()))
    assert (found.good, found.silent) == (True, ("rome", "barbarians"))


# --- what was changed ----------------------------------------------------------------------------


def other_die(text: str, games: Callable[[str], bool]) -> str:
    """A record with one die changed, and without the fingerprint that would tell at once."""
    lines = lines_of(text)
    head, rows = lines[0], lines[1:]
    for number in range(len(rows) - 1, 0, -1):
        for place, face in enumerate(rows[number]["dice"]):
            for other in range(7):
                dice = [*rows[number]["dice"]]
                dice[place] = other
                row = {**rows[number], "dice": dice}
                for name in ("check", "position"):
                    row.pop(name, None)
                new = "\n".join(json.dumps(line) for line in (head, *rows[:number], row)) + "\n"
                if other != face and games(new):
                    return new
    raise AssertionError("no die can be changed")


def replays(text: str) -> bool:
    try:
        parse_record(GAMES, text)
    except BadFile:
        return False
    return True


def test_a_changed_die_is_found_with_what_it_had_to_be(text: str) -> None:
    forged = other_die(text, replays)
    found, number = judged(forged), len(lines_of(forged)) - 2
    before, after = lines_of(text)[number + 1]["dice"], lines_of(forged)[number + 1]["dice"]
    assert (found.finding, found.good, found.entry) == ("differs", False, number)
    assert found.expected != found.found
    assert ",".join(map(str, found.expected)) in ",".join(map(str, before))
    assert ",".join(map(str, found.found)) in ",".join(map(str, after))
    assert f"Entry {number}" in told(found)


@pytest.mark.parametrize(
    "given",
    [
        [{"seat": "rome", "row": 0, "text": "carl"}, {"seat": "barbarians", "row": 10, "text": "ben"}],
        [{"seat": "rome", "row": 0, "text": "anna"}, {"seat": "barbarians", "row": 10, "text": "anna"}],
        [{"seat": "rome", "row": 0, "text": "ben"}, {"seat": "barbarians", "row": 10, "text": "anna"}],
        [{"seat": "rome", "row": 0, "text": "anna"}, {"seat": "barbarians", "row": 0, "text": "ben"}],
        [{"seat": "rome", "row": 0, "text": "anna"}],
        [],
    ],
    ids=["another", "copied", "swapped", "earlier", "one-left-out", "all-left-out"],
)
def test_a_changed_contribution_is_found(text: str, given: list[Any]) -> None:
    assert judged(changed(text, contributions=given)).finding == "differs"


def test_a_changed_seed_is_found(text: str) -> None:
    other = "5f" * 32
    found = judged(changed(text, seed=other))
    assert (found.finding, found.commitment) == ("commitment", commitment_of(SEED))
    assert commitment_of(other) in told(found)
    both = changed(text, seed=other, commitment=commitment_of(other))
    assert judged(both).finding == "differs"
    assert judged(text, commitment_of(other)).finding == "commitment"
    assert judged(changed(text, commitment=commitment_of(other))).finding == "commitment"


def test_a_whole_match_made_up_afterwards_is_found_by_who_noted_the_commitment() -> None:
    """A record alone proves that its dice follow from its seed; not when that seed was chosen."""
    sat = Sitting(
        SEATS, "a1" * 32, scheme=COMMITTED, commitment=commitment_of("a1" * 32), contributions=GIVEN
    )
    forged = record_text(play(sat=sat), **sat.notes())
    assert judged(forged).good
    assert judged(forged, commitment_of(SEED)).finding == "commitment"


@pytest.mark.parametrize("until", [0, 149, 10**6])
def test_a_promise_that_is_kept_for_other_dice_is_none(until: int) -> None:
    """A forged match beside the seed that was promised: every die must follow from that one."""
    sat = replace(SAT, seed="a1" * 32, commitment=commitment_of("a1" * 32))
    forged = replace(sat, until=until).notes() if until else sat.notes()
    kept = SAT.notes() if until else replace(SAT, until=until).notes()
    before, last = (forged, kept) if until else (kept, forged)
    text = record_text(play(sat=sat), **{**last, "before": [before]})
    assert judged(text).good
    found = judged(text, commitment_of(SEED))
    assert (found.finding, found.other) == ("commitment", sat.commitment)


def test_a_contribution_that_was_replaced_is_found_by_who_made_it(text: str) -> None:
    others = replace(SAT, contributions=(GIVEN[0], replace(GIVEN[1], text="not-ben")))
    forged = record_text(play(sat=others), **others.notes())
    assert judged(forged, commitment_of(SEED)).good
    found = judged(forged, commitment_of(SEED), given=["ben"])
    assert (found.finding, found.good, found.contribution) == ("contribution", False, "ben")
    assert "ben" in told(found)
    for seat in ("anna", "ben"):
        assert judged(text, commitment_of(SEED), given=[seat]).good


def test_a_contribution_may_be_missing_only_where_somebody_had_another(text: str) -> None:
    match = play(entries=60)
    other = Sitting(SEATS, "77" * 32, scheme=COMMITTED, commitment=commitment_of("77" * 32))
    until, rng = len(match.journal), Random(8)
    while match.state.decision is not None:
        own = dice_of(COMMITTED, other.seed or 0, match.rows, other.contributions, VIRTUS.seats)
        match.play(rng.choice(legal(match.state)), own)
    whole = record_text(match, **{**other.notes(), "before": [{**SAT.notes(), "until": until}]})
    assert judged(whole, SAT.commitment, other.commitment).good
    assert judged(whole, given=["anna"]).finding == "contribution"


def test_a_second_contribution_of_a_seat_counts_for_nothing() -> None:
    more = replace(SAT, contributions=(*GIVEN, Contribution("rome", 40, "better")))
    match, forged = play(), record_text(play(), **more.notes())
    assert judged(forged).good
    assert [entry.dice for entry in play(sat=more).journal] == [entry.dice for entry in match.journal]


# --- less is proven than it seems ----------------------------------------------------------------

AGAINST_A_BOT = {"rome": "human", "barbarians": "greedy"}
MINE = Contribution("rome", 0, "mine")


def forged(seats: dict[str, str], *given: Contribution, scheme: Scheme = COMMITTED) -> str:
    """A match of which the seed was promised to Rome, who contributed ``mine`` when it was opened."""
    sat = replace(SAT, seats=seats, scheme=scheme, contributions=given)
    return record_text(play(sat=sat), **sat.notes())


def test_who_gives_what_he_contributed_is_told_from_which_row_it_counts() -> None:
    honest = forged(AGAINST_A_BOT, MINE)
    for given in ("mine", "mine@0"):
        found = judged(honest, SAT.commitment, given=[given])
        assert found.good
        assert [(one.seat, one.row, one.text) for one in found.given] == [("rome", 0, "mine")]
        assert "Contributed by rome: mine, for all dice from row 0 on." in told(found)


@pytest.mark.parametrize("note", ["commitment", "contributions"])
def test_a_promise_beside_the_scheme_that_has_none_is_told(note: str) -> None:
    """Dice of the old scheme do not follow from contributions: who noted his must not be deceived."""
    text = forged(AGAINST_A_BOT, MINE, scheme=SEEDED)
    found = judged(text, SAT.commitment, given=["mine"])
    assert (found.finding, found.good) == ("scheme", False)
    other = "contributions" if note == "commitment" else "commitment"
    found = judged(changed(text, **{other: None}))
    assert (found.finding, found.good) == ("scheme", False)
    assert "seeded" in told(found)


def test_a_contribution_at_the_seat_of_a_bot_is_told() -> None:
    """Who chooses it can try out many."""
    text = forged(AGAINST_A_BOT, MINE, Contribution("barbarians", 0, "ground"))
    for given in ((), ("mine",)):
        found = judged(text, SAT.commitment, given=given)
        assert (found.finding, found.good, found.seat) == ("nobody", False, "barbarians")
        assert "ground" in told(found)
    unknown = judged(changed(text, seats=None))
    assert (unknown.finding, unknown.seat) == ("nobody", "rome")


@pytest.mark.parametrize("dice", ["own", "all"])
def test_dice_that_are_said_to_be_typed_for_a_while_are_not_verified(dice: str) -> None:
    """Whoever makes the record up chooses them."""
    until, rng = 60, Random(11)
    match, sat = (
        play(sat=replace(SAT, contributions=(MINE,)), entries=30),
        replace(SAT, contributions=(MINE,)),
    )
    while match.state.decision is not None:
        own = dice_of(COMMITTED, SEED, match.rows, sat.contributions, VIRTUS.seats)
        match.play(rng.choice(legal(match.state)), Thrown(rng, own) if len(match.journal) < until else own)
    before = [replace(sat, until=30).notes(), Sitting(SEATS, until=until, dice=dice).notes()]
    found = judged(record_text(match, **sat.notes(), before=before), SAT.commitment, given=["mine@0"])
    assert (found.finding, found.good) == ("typed", False)
    assert found.typed > 0
    assert found.dice > 0


def test_who_sat_there_for_no_entry_contributed_nothing() -> None:
    """A seating in which nothing happened makes no person of a bot."""
    ground = (MINE, Contribution("barbarians", 0, "ground"))
    text = forged(AGAINST_A_BOT, *ground)
    for before in (
        [Sitting(SEATS, until=0, contributions=ground)],
        [Sitting(SEATS, until=0, dice="own", contributions=ground)],
        [
            replace(SAT, seats=AGAINST_A_BOT, contributions=ground, until=20),
            replace(SAT, contributions=ground, until=20),
            replace(SAT, contributions=ground, until=10),
        ],
    ):
        ghosts = changed(text, before=[one.notes() for one in before])
        found = judged(ghosts, SAT.commitment, given=["mine@0"])
        assert (found.finding, found.seat, found.good) == ("nobody", "barbarians", False)


def test_who_was_replaced_by_a_bot_has_contributed() -> None:
    """What counts is who sat there at the row from which the contribution counts."""
    before = [replace(SAT, until=40).notes()]
    text = record_text(play(), **replace(SAT, seats=AGAINST_A_BOT).notes(), before=before)
    assert judged(text, SAT.commitment, given=["anna@0"]).good


def parted(first: Sitting, last: Sitting, until: int) -> str:
    """A match of which ``first`` is noted for its first entries, and ``last`` for the others."""
    rng, match = Random(5), Match(VIRTUS, SMALL_SETUP)

    def dice() -> Dice:
        given = (first if len(match.journal) < until else last).contributions
        return dice_of(COMMITTED, SEED, match.rows, given, VIRTUS.seats)

    match.begin(dice())
    while match.state.decision is not None:
        match.play(rng.choice(legal(match.state)), dice())
    return record_text(match, **last.notes(), before=[replace(first, until=until).notes()])


BEN = Contribution("barbarians", 0, "ben")


@pytest.mark.parametrize("seats", [SEATS, {"rome": "greedy", "barbarians": "human"}, {"barbarians": "human"}])
def test_each_contribution_is_followed_to_the_end(seats: dict[str, str]) -> None:
    """That of another player, which lasts, does not make up for one that was dropped."""
    first, last = (replace(SAT, contributions=given) for given in ((MINE, BEN), (BEN,)))
    text = parted(first, replace(last, seats=seats), 1)
    for given in (["mine@0", "ben@0"], ["mine@0"], ["mine"], ["ben", "mine"]):
        found = judged(text, SAT.commitment, given=given)
        assert (found.finding, found.contribution) == ("contribution", "mine")
    found = judged(text, SAT.commitment, given=["ben@0"])
    assert found.good
    assert [(one.seat, one.row, one.until) for one in found.given] == [
        ("rome", 0, 0),
        ("barbarians", 0, None),
    ]
    assert "mine, for the dice of rows 0 to 0 only" in told(found)


@pytest.mark.parametrize("seats", [SEATS, AGAINST_A_BOT, {"barbarians": "greedy"}])
@pytest.mark.parametrize("row", [0, 30])
def test_a_contribution_counts_from_where_those_who_sat_there_begin(seats: dict[str, str], row: int) -> None:
    """Dice before do not follow from it, whatever row is noted with it."""
    mine = replace(MINE, row=row)
    last = replace(SAT, seats=AGAINST_A_BOT, contributions=(mine,))
    text = parted(replace(SAT, seats=seats, contributions=()), last, 30)
    found = judged(text, SAT.commitment, given=["mine@0"])
    assert (found.finding, found.contribution) == ("contribution", "mine")
    found = judged(text, SAT.commitment)
    assert found.finding == ("nobody" if row == 0 else "verified")
    if row:
        assert judged(text, SAT.commitment, given=["mine@30"]).good
        assert [(one.row, one.until) for one in found.given] == [(30, None)]
        assert [one.seat for one in found.early] == ["rome"]
        assert found.early[0].dice > 0


def test_a_contribution_is_looked_for_at_its_seat() -> None:
    """Whoever wrote it down for the other player may have chosen his own for mine."""
    swapped = forged(SEATS, replace(MINE, seat="barbarians"), Contribution("rome", 0, "ground"))
    assert judged(swapped, SAT.commitment, given=["mine@0"]).good  # the list tells whose it is
    for given in ("rome=mine@0", "rome=mine", "nobody=mine"):
        found = judged(swapped, SAT.commitment, given=[given])
        assert (found.finding, found.contribution) == ("contribution", "mine")
    same = forged(SEATS, replace(MINE, row=5), replace(MINE, seat="barbarians"))
    found = judged(same, given=["barbarians=mine@0", "rome=mine@0"])
    assert (found.finding, found.contribution) == ("contribution", "mine")
    for given in ("barbarians=mine@0", "rome=ground"):
        assert judged(swapped, SAT.commitment, given=[given]).good


def test_who_contributes_again_gives_both() -> None:
    """A new contribution replaces the old one from the row that was noted with it."""
    again = Contribution("rome", 30, "again")
    text = parted(replace(SAT, contributions=(MINE,)), replace(SAT, contributions=(again,)), 30)
    for given in (["mine@0", "again@30"], ["again@30", "mine"], ["again"]):
        assert judged(text, given=given).good
    for given in (["mine@0"], ["mine"], ["mine@0", "again@20"], ["again@0", "mine@0"]):
        assert judged(text, given=given).finding == "contribution"


@pytest.mark.parametrize("given", [[""], ["", "mine"], ["mine", ""], ["mine", "mine@0"]])
def test_each_contribution_that_is_given_is_looked_for(given: list[str]) -> None:
    text = forged(AGAINST_A_BOT, replace(MINE, row=3))
    assert judged(text, given=given).finding == "contribution"


@pytest.mark.parametrize(
    ("seats", "given"),
    [
        ({"rome": "greedy", "barbarians": "greedy"}, [Contribution("rome", 10**6, "mine")]),
        ({}, [Contribution("rome", 10**6, "mine")]),
        ({"barbarians": "greedy"}, [Contribution("rome", 10**6, "mine")]),
        (AGAINST_A_BOT, [Contribution("rome", 10**6, "mine")]),
        (AGAINST_A_BOT, [replace(MINE, text="other"), Contribution("barbarians", 10**6, "mine")]),
        (AGAINST_A_BOT, [replace(MINE, text="other"), Contribution("barbarians", 0, "mine")]),
        ({"rome": "greedy", "barbarians": "greedy"}, [MINE]),
        ({}, [MINE]),
    ],
    ids=["bot", "nobody", "left-out", "after-all-dice", "swapped", "swapped-early", "own-bot", "own-nobody"],
)
def test_what_was_contributed_enters_dice_at_the_seat_of_a_person(
    seats: dict[str, str], given: list[Contribution]
) -> None:
    found = judged(forged(seats, *given), SAT.commitment, given=["mine"])
    assert (found.finding, found.good, found.contribution) == ("contribution", False, "mine")


def test_a_contribution_that_was_put_off_is_told() -> None:
    """Who knows the row from which his contribution counts says so; else the dice before are counted."""
    text = forged(AGAINST_A_BOT, replace(MINE, row=30))
    found = judged(text, SAT.commitment, given=["mine"])
    assert found.early[0].dice > 10
    assert "from row 30 on" in told(found)
    for row in (0, 29):
        late = judged(text, SAT.commitment, given=[f"mine@{row}"])
        assert (late.finding, late.contribution) == ("contribution", "mine")
    assert judged(text, SAT.commitment, given=["mine@30"]).good


def test_a_match_that_was_cut_short_is_not_verified(text: str) -> None:
    found = judged("\n".join(text.split("\n")[:200]) + "\n", commitment_of(SEED), given=["anna"])
    assert (found.finding, found.good) == ("unfinished", False)
    assert "not over" in told(found)


def test_a_position_that_was_put_in_is_not_verified() -> None:
    """No die leads there, so whoever puts it in chooses it."""
    match, other = play(entries=100), play(sat=replace(SAT, seed="a1" * 32), entries=60)
    position, rng = json.loads(state_to_json(other.state)), Random(9)
    match.resume(Resumption(VIRTUS.edition, 0, position))
    while match.state.decision is not None:
        own = dice_of(COMMITTED, SEED, match.rows, GIVEN, VIRTUS.seats)
        match.play(rng.choice(legal(match.state)), own)
    found = judged(record_text(match, **SAT.notes()), SAT.commitment, given=["anna"])
    assert (found.finding, found.good, found.position) == ("position", False, 100)
    assert "entry 100" in told(found)

    left = replace(SMALL_SETUP, branch=Branch("x", 100, "rome", False, position))
    branch = Match.new(VIRTUS, left, Scripted())
    while branch.state.decision is not None:
        own = dice_of(COMMITTED, SEED, branch.rows, (MINE,), VIRTUS.seats)
        branch.play(rng.choice(legal(branch.state)), own)
    sat = replace(SAT, contributions=(MINE,))
    found = judged(record_text(branch, **sat.notes()), SAT.commitment, given=["mine"])
    assert (found.finding, found.good, found.position) == ("position", False, 0)
    short = judged(record_text(branch, **sat.notes()).rsplit("\n", 3)[0] + "\n")
    assert (short.finding, short.also) == ("position", ("unfinished",))
    assert "not over" in told(short)


def test_a_promise_that_was_cut_off_is_no_promise(text: str) -> None:
    bare = changed(text, scheme=None, commitment=None, contributions=None)
    assert judged(bare).finding == "unnumbered"
    assert judged(changed(text, commitment=None)).finding == "missing"
    assert judged(changed(text, seed=None)).finding == "unrevealed"
    assert judged(changed(text, scheme="dice")).finding == "missing"


def test_rows_that_were_moved_are_found(text: str) -> None:
    """Another row number would be another throw."""
    lines = lines_of(text)
    number = next(n for n in range(len(lines) - 1, 1, -1) if lines[n]["dice"])
    rows = parse_record(GAMES, text).journal
    lines[number]["row"] = rows[number - 1].row + 2
    later = rows[number - 1].row + 2
    for n in range(number + 1, len(lines)):
        later += 1
        lines[n]["row"] = later
    moved = "\n".join(map(json.dumps, lines)) + "\n"
    found = judged(moved)
    assert (found.finding, found.entry) == ("differs", number - 1)


def test_entries_in_another_order_are_found(text: str) -> None:
    """Each fingerprint is that of the state to which its own order led."""
    lines = text.splitlines()
    swapped = "\n".join([*lines[:2], lines[3], lines[2], *lines[4:]]) + "\n"
    assert not replays(swapped)


# --- what cannot be said -------------------------------------------------------------------------


def test_a_match_that_is_not_over_has_not_shown_its_seed(text: str) -> None:
    found = judged(changed(text, seed=None, seats=None))
    assert (found.finding, found.good, found.dice) == ("unrevealed", False, 0)
    assert commitment_of(SEED) in told(found)


def test_typed_dice_are_not_verifiable(text: str) -> None:
    typed = judged(changed(text, dice="typed"))
    assert (typed.finding, typed.dice, typed.typed) == ("typed", 0, judged(text).dice)
    all_of_it = judged(changed(text, dice="all"))
    first = len(parse_record(GAMES, text).journal[0].dice)
    assert (all_of_it.dice, all_of_it.typed) == (first, typed.typed - first)
    assert (all_of_it.finding, all_of_it.good) == ("typed", False)


def test_cards_are_verified_where_players_throw_only_dice() -> None:
    sat = replace(SAT, dice="dice")
    match = play(sat=sat)
    text = record_text(match, **sat.notes())
    found = judged(text)
    assert (found.finding, found.good) == ("typed", False)
    assert found.dice > 0
    assert found.typed > 0
    assert "Not verified as a whole" in told(found)
    assert found.dice + found.typed == sum(len(entry.dice) for entry in match.journal)
    assert told(found).count(f"{found.typed} dice and cards that people") == 1
    assert judged(changed(text, dice="seeded")).finding == "differs"


def test_a_bot_never_types_dice(text: str) -> None:
    seats = {"rome": "human", "barbarians": "random"}
    found = judged(changed(text, dice="all", seats=seats))
    match = parse_record(GAMES, text)
    assert found.dice == sum(len(entry.dice) for entry in match.journal if entry.seat != 0) > 0


@pytest.mark.parametrize("head", [{"seed": None, "commitment": None, "scheme": None}, {"contributions": 3}])
def test_a_record_that_does_not_say_is_not_verified(text: str, head: dict[str, Any]) -> None:
    assert judged(changed(text, **head)).finding == "missing"


def test_who_played_first_had_a_seed_of_his_own(text: str) -> None:
    """A match that was resumed with another seed: each part follows from its own."""
    match = play(entries=60)
    other = "77" * 32
    last = Sitting(SEATS, other, scheme=COMMITTED, commitment=commitment_of(other))
    until, rng = len(match.journal), Random(8)
    while match.state.decision is not None:
        match.play(rng.choice(legal(match.state)), dice_of(COMMITTED, other, match.rows, (), VIRTUS.seats))
    notes = {**last.notes(), "before": [{**SAT.notes(), "until": until}]}
    whole = record_text(match, **notes)
    found = judged(whole)
    assert found.finding == "verified"
    assert found.dice == sum(len(entry.dice) for entry in match.journal)
    before = [{**notes["before"][0], "until": until - 30}]
    assert judged(changed(whole, before=before)).finding == "differs"
    hidden = [{name: value for name, value in notes["before"][0].items() if name != "seed"}]
    assert judged(changed(whole, before=hidden)).finding == "unrevealed"
