"""The journal, and taking back."""

import pytest

from legatus.kernel import IllegalAction, Match, Scripted
from legatus.kernel.match import CannotUndo
from legatus.kernel.records import entry_text
from tests.toy import BLUE, RED, TOY, Attack, Done, Hold, March, Orders


@pytest.fixture
def match() -> Match:
    return Match.new(TOY, TOY.configure(weather=False), Scripted([2] * 10))


def test_a_journal_begins_with_the_luck_of_the_set_up(match: Match) -> None:
    (entry,) = match.journal
    assert (entry.seat, entry.action, entry.dice, entry.sealed) == (None, None, (2,) * 10, True)
    assert match.state.decision == Orders(RED)


def test_playing_writes_who_did_what_and_what_fell(match: Match) -> None:
    events = match.play(March("red0", ("0100", "0200")), Scripted())
    match.play(Done(), Scripted())
    match.play(March("blue0", ("0300",)), Scripted())
    match.play(Done(), Scripted())
    match.play(Attack("red0", "blue0"), Scripted([3, 6]))
    assert events == match.events[1]
    assert [entry.seat for entry in match.journal] == [None, RED, RED, BLUE, BLUE, RED]
    assert match.journal[-1].dice == (3, 6)
    assert [entry.sealed for entry in match.journal] == [True, False, False, False, False, True]
    assert [entry_text(entry) for entry in match.journal[-2:]] == ["done", "attack red0 blue0 [3 6]"]
    assert entry_text(match.journal[0]) == "set-up [2 2 2 2 2 2 2 2 2 2]"
    assert len(match.states) == len(match.events) == len(match.journal) == 6


def test_an_illegal_action_leaves_the_match_as_it_was(match: Match) -> None:
    with pytest.raises(IllegalAction):
        match.play(Hold(), Scripted())
    assert len(match.journal) == len(match.states) == len(match.events) == 1


def test_a_player_takes_back_to_the_start_of_his_turn(match: Match) -> None:
    states = [match.state]
    for unit in ("red0", "red1", "red2"):
        match.play(March(unit, (match.state.at[int(unit[-1])].replace("00", "01", 1),)), Scripted())
        states.append(match.state)
    while len(states) > 1:
        assert match.can_undo(RED)
        assert states.pop() is match.state
        match.undo(RED)
        assert match.state is states[-1]
    assert not match.can_undo(RED)
    with pytest.raises(CannotUndo):
        match.undo(RED)


def test_nobody_takes_back_what_another_did(match: Match) -> None:
    match.play(Done(), Scripted())
    assert not match.can_undo(BLUE)
    with pytest.raises(CannotUndo):
        match.undo(BLUE)
    assert match.undo(RED) == Done()
    match.play(Done(), Scripted())
    match.play(March("blue0", ("0300",)), Scripted())
    assert not match.can_undo(RED)


def test_nothing_is_taken_back_past_luck(match: Match) -> None:
    for action in (March("red0", ("0100", "0200")), Done(), March("blue0", ("0300",)), Done()):
        match.play(action, Scripted())
    match.play(Attack("red0", "blue0"), Scripted([1, 1]))
    assert not match.can_undo(RED)
    match.play(March("red1", ("0101",)), Scripted())
    match.undo(RED)
    with pytest.raises(CannotUndo):
        match.undo(RED)


def test_a_replay_needs_the_journal_only(match: Match) -> None:
    for action in (March("red0", ("0100", "0200")), Done(), March("blue0", ("0300",)), Done()):
        match.play(action, Scripted())
    match.play(Attack("red0", "blue0"), Scripted([5, 1]))
    again = Match.replay(TOY, match.setup, match.journal)
    assert (again.journal, again.states, again.events) == (match.journal, match.states, match.events)


def test_seeded_dice_depend_on_the_seed_and_the_entry(match: Match) -> None:
    def faces(seed: int) -> list[int]:
        dice = match.seeded(seed)
        return [dice.roll(6, ()) for _ in range(20)]

    first = faces(1)
    assert faces(1) == first
    assert faces(2) != first
    match.play(Done(), Scripted())
    assert faces(1) != first
    match.undo(RED)
    assert faces(1) == first
