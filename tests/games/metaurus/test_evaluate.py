"""What bots strive for."""

from __future__ import annotations

from legatus.games.metaurus import METAURUS

from .stage import battle


def test_a_map_without_enemies_can_be_judged() -> None:
    """Who has nobody left on the map may still have a game: his last unit has just left it."""
    alone = battle("X MI 0504")
    near = battle("X MI 0504", "A LEGION 0505")
    for seat in (0, 1):
        assert METAURUS.evaluate(alone, seat) != METAURUS.evaluate(near, seat)


def test_two_angles_are_worth_more_than_one() -> None:
    """M4.mod.combo: front and flank together, rather than two in front."""
    both = battle("A LEGION 0505; B LEGION 0604 nw", "X HI 0504")
    ahead = battle("A LEGION 0505; B LEGION 0405 n", "X HI 0504")
    assert METAURUS.evaluate(both, 0) > METAURUS.evaluate(ahead, 0)


def test_an_attack_that_was_made_is_no_hope_for_this_turn() -> None:
    fresh = battle("A LEGION 0505", "X MI 0504 n")
    spent = battle("A LEGION 0505 attacked", "X MI 0504 n")
    assert METAURUS.evaluate(fresh, 0) > METAURUS.evaluate(spent, 0)


def test_a_friend_covers_a_flank() -> None:
    """An enemy at 0704 is a step away from the eastern flank of A; a slinger there is in his way."""
    covered = battle("X MI 0704", "A HI 0505 n; B LI 0605 n")
    bare = battle("X MI 0704", "A HI 0505 n; B LI 0404 n")
    assert METAURUS.evaluate(covered, 1) > METAURUS.evaluate(bare, 1)


def test_two_orders_at_once_are_a_risk() -> None:
    """M3.two_orders.3: the legions may remain idle."""
    state = battle("A LEGION 0505", "X MI 0504")
    before = METAURUS.evaluate(state, 0)
    state.tried = True
    assert METAURUS.evaluate(state, 0) < before
