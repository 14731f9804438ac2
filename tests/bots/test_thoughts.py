"""What bots considered, and the chance of their decisions."""

from __future__ import annotations

from random import Random

from legatus.bots import GreedyBot, RandomBot, Thought, decide, mood
from legatus.games import GAMES
from legatus.kernel import Seeded, legal, start
from legatus.kernel.codec import state_to_json

METAURUS = GAMES["metaurus"]


def view():
    state = start(METAURUS, METAURUS.configure("vanguard"), Seeded("thoughts")).state
    return METAURUS.view(state, state.decision.seat), state.decision.seat


def test_greedy_tells_all_that_it_looked_at_the_chosen_one_first() -> None:
    known, seat = view()
    for seed in range(5):
        bot = GreedyBot()
        assert bot.thoughts == ()
        chosen = bot.choose(METAURUS, known, seat, Random(seed))
        assert bot.thoughts[0].action == chosen
        assert sorted(map(repr, legal(known))) == sorted(repr(one.action) for one in bot.thoughts)
        values = [one.value for one in bot.thoughts]
        assert values == sorted(values, reverse=True)
        assert {one.tries for one in bot.thoughts} <= {1, bot.samples}


def test_a_value_is_that_of_one_look() -> None:
    known, seat = view()
    one, many = GreedyBot(samples=1), GreedyBot(samples=4)
    one.choose(METAURUS, known, seat, Random(1))
    many.choose(METAURUS, known, seat, Random(1))
    assert abs(one.thoughts[0].value - many.thoughts[0].value) < max(1.0, abs(one.thoughts[0].value))


def test_where_there_is_no_choice_nothing_is_looked_at() -> None:
    class Narrow(GreedyBot):
        def options(self, view):
            return legal(view)[:1]

    known, seat = view()
    bot = Narrow()
    chosen = bot.choose(METAURUS, known, seat, Random(1))
    assert bot.thoughts == (Thought(chosen, 0.0, 0),)


def test_who_is_given_a_view_as_json_decides_as_with_the_view() -> None:
    known, seat = view()
    told = state_to_json(known)
    for number in range(5):
        for name, bot in (("greedy", GreedyBot()), ("random", RandomBot())):
            chosen = bot.choose(METAURUS, known, seat, mood("seed", number))
            found = decide(name, METAURUS, told, seat, mood("seed", number))
            assert found.action == chosen
            assert bool(found.thoughts) == (name == "greedy")


def test_a_mood_depends_on_seed_and_number_only() -> None:
    def first(seed: int | str, number: int) -> float:
        return mood(seed, number).random()

    assert first(7, 3) == first("7", 3)
    assert len({first(7, 3), first(7, 4), first(8, 3)}) == 3
    assert first(7, 3) == Random("7/bot/3").random(), "records that are there can be audited"
