"""Two matches with the same lines that differ in one secret: whoever is not entitled must be sent the same.

They are made in this process, by random play with known luck: one entry is replaced by another legal one,
or one draw by another, so that the views of all others stay equal; then both go on with the same lines as
long as that is so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from legatus.kernel import (
    Action,
    Game,
    IllegalAction,
    Match,
    NeedLuck,
    Play,
    Scripted,
    Seeded,
    Setup,
    apply,
    legal,
    why_not,
)
from legatus.kernel.chance import WrongLuck

TRIES = 8  # actions tried before twins are said to part
Line = tuple[Action, tuple[int, ...]]


class Twins(NamedTuple):
    """Both matches, whose secret it is, and the entry in which they differ first."""

    matches: tuple[Match, Match]
    owner: int
    entry: int
    seed: int  # that of the set-up

    @property
    def is_drawn(self) -> bool:
        """Whether they differ in a draw, and not in an action."""
        one, other = (match.journal[self.entry] for match in self.matches)
        return one.action == other.action and one.dice != other.dice

    @property
    def others(self) -> tuple[int | None, ...]:
        """The seats that are not entitled, and spectators."""
        game = self.matches[0].game
        return (*(seat for seat in range(len(game.seats)) if seat != self.owner), None)


def twins(game: Game, setup: Setup, seed: int, before: int, after: int) -> Twins | None:
    """Twins that part within ``before`` entries and go on for up to ``after`` more, if there are any."""
    rng = Random(f"twins/{seed}")
    match = Match.new(game, setup, Seeded(f"{seed}/0"))
    found: list[tuple[Match, Match, int, int]] = []
    while match.state.decision is not None and len(match.journal) < before:
        twin = _parted(match, rng)
        if twin is not None:
            found.append(twin)
        match.play(rng.choice(legal(match.state)), match.seeded(seed))
    if not found:
        return None
    one, other, owner, entry = found[-1]
    pair = Twins((one, other), owner, entry, seed)
    _go_on(pair, rng, seed, after)
    return pair


def same_for_others(game: Game, states: Sequence[Any], owner: int) -> bool:
    others = [seat for seat in (*range(len(game.seats)), None) if seat != owner]
    return all(game.view(states[0], seat) == game.view(states[1], seat) for seat in others)


def _parted(match: Match, rng: Random) -> tuple[Match, Match, int, int] | None:
    """The match and a twin, one entry further, that differ in one secret, if there is one."""
    game, state = match.game, match.state
    owner = state.decision.seat  # type: ignore[union-attr]
    actions = legal(state)
    rng.shuffle(actions)
    plays = [(action, apply(state, action, match.seeded("twin"))) for action in actions[:TRIES]]
    for n, (action, play) in enumerate(plays):
        others = [(other, again) for other, again in plays[n + 1 :] if again.faces == play.faces]
        others += [(action, again) for again in _redrawn(state, action, play)]
        for other, again in others:
            hidden = [event for event in again.events if event.to is None]
            same = hidden == [event for event in play.events if event.to is None]
            for whose in (owner, 1 - owner):
                states = (play.state, again.state)
                if same and states[0] != states[1] and same_for_others(game, states, whose):
                    pair = _copied(match, action, play), _copied(match, other, again)
                    return (*pair, whose, len(match.journal))
    return None


def _redrawn(state: Any, action: Action, play: Play) -> Iterator[Play]:
    """The same action with one answer of luck changed."""
    for n in range(len(play.faces)):
        for face in range(9):
            if face != play.faces[n]:
                try:
                    yield apply(state, action, Scripted([*play.faces[:n], face, *play.faces[n + 1 :]]))
                except (NeedLuck, WrongLuck):
                    continue


def _copied(match: Match, action: Action, play: Play) -> Match:
    copy = Match(match.game, match.setup)
    copy.journal, copy.states, copy.events = match.journal[:], match.states[:], match.events[:]
    copy.rows = match.rows
    copy.play(action, Scripted(play.faces))
    return copy


def _go_on(pair: Twins, rng: Random, seed: int, most: int) -> None:
    """The same lines for both, as long as both may be played and nobody else sees a difference."""
    one, other = pair.matches
    for _ in range(most):
        decisions = [match.state.decision for match in pair.matches]
        if decisions[0] is None or decisions[1] is None or decisions[0].seat != decisions[1].seat:
            return
        actions = legal(one.state)
        rng.shuffle(actions)
        for action in actions[:TRIES]:
            if why_not(other.state, action):
                continue
            play = apply(one.state, action, one.seeded(seed))
            try:
                again = apply(other.state, action, Scripted(play.faces))
            except (NeedLuck, WrongLuck, IllegalAction):
                continue
            states = (play.state, again.state)
            over = any(state.outcome is not None for state in states)
            if not over and same_for_others(one.game, states, pair.owner):
                one.play(action, Scripted(play.faces))
                other.play(action, Scripted(play.faces))
                break
        else:
            return


def some_twins(
    game: Game, setup: Setup, wanted: int, before: int, after: int, good: Callable[[Twins], bool]
) -> list[Twins]:
    """As many twins as are wanted, of one seed after the other."""
    found = []
    for seed in range(60):
        pair = twins(game, setup, seed, before, after)
        if pair is not None and good(pair):
            found.append(pair)
        if len(found) == wanted:
            return found
    raise AssertionError(f"only {len(found)} twins of {game.key} were found")
