"""The verbs of the kernel: five pure functions, and ``playout``, the same rules in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from .chance import Dice, NeedLuck, Scripted
from .codec import state_from
from .errors import DeadEnd, IllegalAction, TooManyOutcomes
from .model import Action, Decision, Game, Play, Refusal, State, verb
from .setup import Setup
from .words import Plain

OUTCOME_LIMIT = 200_000


def start(game: Game, setup: Setup, dice: Dice) -> Play:
    """Set a game up, as far as the first decision; a branch begins at its position."""
    branch = setup.branch
    return _advance(Play(game.begin(setup) if branch is None else state_from(game, branch.state), dice))


def why_not(state: State, action: Action) -> list[Refusal]:
    """Every reason why ``action`` is not allowed now, the first one first; empty if it is legal."""
    decision = state.decision
    if decision is None:
        clause = state.outcome.clause if state.outcome else ""
        return [Refusal(clause, "kernel.over")]
    if not isinstance(action, decision.accepts):
        verbs = tuple(Plain(verb(kind)) for kind in decision.accepts)
        return [Refusal(decision.clause, "kernel.not_now", {"verbs": verbs})]
    return list(action.refuse(state))


def legal(state: State) -> list[Action]:
    """The candidates that are not refused."""
    decision = state.decision
    if decision is None:
        return []
    return [a for a in decision.candidates(state) if next(a.refuse(state), None) is None]


def apply(state: State, action: Action, dice: Dice, alone: bool = False) -> Play:
    """Carry ``action`` out on a copy, and go on to the next decision; the given state is untouched.

    ``alone`` stops when what the action set going is over, before the steps that waited already:
    the odds of a fight should not depend on the cards that the next turn draws.
    """
    refusals = why_not(state, action)
    if refusals:
        raise IllegalAction(refusals)
    return _perform(Play(state.copy(), dice), action, alone)


def try_action(state: State, action: Action, dice: Dice, alone: bool = False) -> Any:
    """The state after a legal action, not judged again and without a log: for bots that look ahead."""
    return _perform(Play(state.copy(), dice, quiet=True), action, alone).state


def run_on(state: State, dice: Dice, waiting: int = 0) -> None:
    """Run a state that was left ``alone`` on to the next decision, in place and without a log.

    It stops before the lowest ``waiting`` steps of the stack.
    """
    _advance(Play(state, dice, quiet=True), waiting)


def outcomes(
    state: State, action: Action, limit: int = OUTCOME_LIMIT, alone: bool = False
) -> Iterator[tuple[Fraction, Any]]:
    """Every (probability, state) to which the action can lead, by branching on what luck is asked for."""
    refusals = why_not(state, action)
    if refusals:
        raise IllegalAction(refusals)
    pending: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(1), ())]
    runs = 0
    while pending:
        runs += 1
        if runs > limit:
            raise TooManyOutcomes(f"more than {limit} branches")
        chance, faces = pending.pop()
        try:
            yield chance, try_action(state, action, Scripted(faces), alone)
        except NeedLuck as need:
            pending += [(chance * p, (*faces, *answer)) for p, answer in need.luck.branches()]


def _perform(play: Play, action: Action, alone: bool = False) -> Play:
    """The decision is taken off the stack; the action pushes what follows."""
    todo = play.state.todo
    play.taken = todo.pop()
    waiting = len(todo) if alone else 0
    action.perform(play)
    return _advance(play, waiting)


def _advance(play: Play, waiting: int = 0) -> Play:
    """Run automatic steps until somebody has something to decide, or only ``waiting`` steps are left."""
    state = play.state
    todo = state.todo
    while state.outcome is None and len(todo) > waiting:
        step = todo[-1]
        if not step.waits:
            todo.pop().run(play)
        elif step.is_moot(state):
            todo.pop()
        else:
            break
    return play


Chooser = Callable[[Any, Decision, Random], Action]


def random_action(state: Any, decision: Decision, rng: Random) -> Action:
    """A legal action, each as likely as the others, without judging more candidates than needed."""
    options = decision.candidates(state)
    left = len(options)
    while left:
        i = int(rng.random() * left)
        action = options[i]
        if next(action.refuse(state), None) is None:
            return action
        left -= 1
        options[i] = options[left]
    raise DeadEnd(repr(decision))


def playout(
    state: State, dice: Dice, rng: Random, choose: Chooser = random_action, limit: int = 100_000
) -> int:
    """Play ``state`` itself on to the end, or for ``limit`` decisions; how many were made.

    For search and simulation: no copies, no log.  Give it a copy of what you want to keep.
    """
    play = Play(state, dice, quiet=True)
    todo = state.todo
    made = 0
    while state.outcome is None and made < limit:
        decision: Any = todo[-1]
        _perform(play, choose(state, decision, rng))
        made += 1
    return made
