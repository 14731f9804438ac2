"""Odds of one action after another: "attack with A, then with B"."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from msgspec.structs import replace

from ..bots import GreedyBot
from ..kernel import (
    Action,
    Dice,
    Game,
    IllegalAction,
    NeedLuck,
    Scripted,
    Seeded,
    TooManyOutcomes,
    say,
    why_not,
)
from ..kernel.codec import state_to_json
from ..kernel.engine import run_on, try_action
from .odds import Odds, Row, tabulate

THEN = " → "  # between the actions, in the name of a sequence
BRANCHES = 5_000  # of luck that are followed; where there are more,
SAMPLES = 2_000  # throws are made
ANSWERS = 40  # decisions between two actions of a sequence, at most


def sequence_odds(
    game: Game,
    state: Any,
    actions: Sequence[Action],
    limit: int = BRANCHES,
    samples: int = SAMPLES,
    seed: int | str = 0,
) -> Odds:
    """What a sequence leads to; the first action must be legal now, the others are if they still can be.

    What an action sets going is carried out before the next one, and who is asked something in between
    answers as greedy would.  An action that is not legal then ends the sequence there: ``Odds.possible`` has
    the share of every action.  The state knows all secrets.
    """
    refusals = why_not(state, actions[0])
    if refusals:
        raise IllegalAction(refusals)
    line = _Line(game, state, actions)
    try:
        ends, exact = line.exactly(limit), True
    except TooManyOutcomes:
        ends, exact = line.sampled(samples, seed), False
    found = tabulate(THEN.join(map(say, actions)), exact, [(p, row) for p, row, _ in ends])
    share = [sum((p for p, _, made in ends if made > n), Fraction(0)) for n in range(len(actions))]
    return replace(found, possible=tuple(share))


End = tuple[Fraction, Row, int]
"""How probable, what it measures, and how many of the actions were done."""


class _Line:
    """A sequence from one position.

    A place on it is a state and its floor: so many steps waited already when the last action was said; what
    lies above them was set going by it.
    """

    def __init__(self, game: Game, state: Any, actions: Sequence[Action]) -> None:
        self.game, self.start, self.actions = game, state, actions
        self.seat = int(state.decision.seat)
        self.answers: dict[bytes, Action] = {}  # by state: what greedy answers

    def exactly(self, limit: int) -> list[End]:
        """Every way that luck can fall, action by action; equal states are followed once."""
        ends: list[End] = []
        runs = 0
        here: dict[Any, tuple[Fraction, Any, int]] = {b"": (Fraction(1), self.start, 0)}
        for number in range(len(self.actions)):
            after: dict[Any, tuple[Fraction, Any, int]] = {}
            for whole, state, floor in here.values():
                pending: list[tuple[Fraction, tuple[int, ...]]] = [(whole, ())]
                while pending:
                    runs += 1
                    if runs > limit:
                        raise TooManyOutcomes(f"more than {limit} branches")
                    chance, faces = pending.pop()
                    try:
                        led, made, below = self._step(state, floor, number, Scripted(faces))
                    except NeedLuck as need:
                        pending += [(chance * p, (*faces, *answer)) for p, answer in need.luck.branches()]
                        continue
                    if not made:
                        ends.append((chance, self._row(led), number))
                        continue
                    key = (state_to_json(led), below)
                    after[key] = (chance + after[key][0] if key in after else chance, led, below)
            here = after
        return ends + [(p, self._row(state), len(self.actions)) for p, state, _ in here.values()]

    def sampled(self, samples: int, seed: int | str) -> list[End]:
        """The same by throws."""
        ends: list[End] = []
        for i in range(samples):
            dice, state, floor, number, made = Seeded(f"sequence/{seed}/{i}"), self.start, 0, 0, True
            while made and number < len(self.actions):
                state, made, floor = self._step(state, floor, number, dice)
                number += made
            ends.append((Fraction(1, samples), self._row(state), number))
        return ends

    def _row(self, state: Any) -> Row:
        return self.game.measure(self.start, state)

    def _step(self, state: Any, floor: int, number: int, dice: Dice) -> tuple[Any, bool, int]:
        """One action and what it sets going, with the new floor; False if it is not possible any more."""
        action = self.actions[number]
        if number:
            state, possible = self._until(state, floor, action, dice)
            if not possible:
                return state, False, floor
        return try_action(state, action, dice, alone=True), True, len(state.todo) - 1

    def _until(self, state: Any, floor: int, action: Action, dice: Dice) -> tuple[Any, bool]:
        """On to where the next action is to be said: what the last one asked is answered first."""
        own = True  # whether we are still in what the last action set going
        for _ in range(ANSWERS):
            decision = state.decision
            if state.outcome is not None:
                return state, False
            if decision is None or decision.is_moot(state):
                own = len(state.todo) > floor
                state = state.copy()
                run_on(state, dice, floor if own else 0)
                continue
            if not why_not(state, action):
                return state, True
            its_place = decision.seat == self.seat and isinstance(action, decision.accepts)
            if its_place or not own or len(state.todo) <= floor:
                return state, False
            state = try_action(state, self._answer(state), dice, alone=True)
        return state, False

    def _answer(self, state: Any) -> Action:
        """What greedy does; the same in the same state, so that odds can be exact."""
        key = state_to_json(state)
        if key not in self.answers:
            seat = state.decision.seat
            view = self.game.view(state, seat)
            self.answers[key] = GreedyBot().choose(self.game, view, seat, Random("sequence"))
        return self.answers[key]
