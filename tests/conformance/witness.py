"""What a reader of the screen and of the log counts: the columns of odds, found without ``Game.measure``.

A witness of a game looks at scenes, at events and at what a player is asked, never at the columns of a state.
It returns the values that a column may have: more than one where the rest is up to somebody's answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from legatus.kernel import Action, Event, Game, Message, NeedLuck, Play, Scripted, Seat, Seeded, apply, legal
from legatus.scene.model import Piece, Scene

ANSWERS = 400  # ways to answer what an action asks, at most

Found = dict[str, set[int]]


class Unsettled(Exception):
    """What an action asks can be answered in too many ways."""


class Start:
    """A position from which an action is tried."""

    def __init__(self, game: Game, state: Any) -> None:
        self.game, self.state = game, state

    @cached_property
    def scene(self) -> Scene:
        return seen(self.game, self.state)


class Branch:
    """One way in which luck can fall for an action, up to where its own consequences end."""

    def __init__(self, start: Start, play: Play, chance: Fraction) -> None:
        self.start, self.game, self.before = start, start.game, start.state
        self.chance, self.after, self.events = chance, play.state, play.events
        self.floor = len(start.state.todo) - 1  # steps that waited already when the action was said
        self.seat: Seat = start.state.decision.seat

    @property
    def then(self) -> Scene:
        return self.start.scene

    @cached_property
    def now(self) -> Scene:
        return seen(self.game, self.after)

    @property
    def asked(self) -> Message | None:
        """The question that the action led to; None if it led to none of its own."""
        decision = self.after.decision
        if decision is None or len(self.after.todo) <= self.floor:
            return None
        prompt: Message = decision.prompt(self.after)
        return prompt

    def told(self, *keys: str) -> list[Event]:
        return [event for event in self.events if event.key in keys]

    def settled(self, question: str) -> Iterator[Any]:
        """Every state in which the action's questions of this kind are answered."""
        pending, seen = [self.after], 0
        while pending:
            seen += 1
            if seen > ANSWERS:
                raise Unsettled
            state = pending.pop()
            decision = state.decision
            mine = decision is not None and len(state.todo) > self.floor
            if not mine or decision.prompt(state).key != question:
                yield state
                continue
            pending += [apply(state, answer, Scripted([]), alone=True).state for answer in legal(state)]


def branches(start: Start, action: Action, limit: int) -> list[Branch] | None:
    """Every way in which luck can fall, with what is told of it; None if there are more than ``limit``."""
    found: list[Branch] = []
    pending: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(1), ())]
    for _ in range(limit):
        if not pending:
            return found
        chance, faces = pending.pop()
        try:
            found.append(Branch(start, apply(start.state, action, Scripted(faces), alone=True), chance))
        except NeedLuck as need:
            pending += [(chance * p, (*faces, *answer)) for p, answer in need.luck.branches()]
    return None if pending else found


def samples(start: Start, action: Action, number: int) -> list[Branch]:
    """Some of the ways in which luck can fall."""
    plays = (apply(start.state, action, Seeded(f"witness/{n}"), alone=True) for n in range(number))
    return [Branch(start, play, Fraction(1, number)) for play in plays]


# --- what is seen --------------------------------------------------------------------------------


def seen(game: Game, state: Any) -> Scene:
    """The scene in which each side's counters are as it sees them itself: those that lie face down too."""
    scenes = [game.scene(state, seat, "en") for seat in range(len(game.seats))]
    neutral = [piece for piece in scenes[0].pieces if piece.side >= len(scenes)]
    own = [piece for seat, scene in enumerate(scenes) for piece in scene.pieces if piece.side == seat]
    return replace(scenes[0], pieces=(*own, *neutral))


def pieces(scene: Scene) -> dict[str, Piece]:
    return {piece.id: piece for piece in scene.pieces}


def pairs(branch: Branch, now: Scene | None = None) -> list[tuple[Piece, Piece | None]]:
    """Every counter as it was and as it is; None if it is not to be seen any more."""
    after = pieces(now or branch.now)
    return [(piece, after.get(name)) for name, piece in pieces(branch.then).items()]


def whole(piece: Piece) -> int:
    """What is left of its strength."""
    return piece.strength - piece.losses


def turned(branch: Branch, state: str, side: Seat | None = None) -> int:
    """Counters, of a side or of both, that have come into a state."""
    return sum(
        now is not None and state in now.states and state not in then.states
        for then, now in pairs(branch)
        if side in (None, then.side)
    )


def names(event: Event, key: str) -> tuple[str, ...]:
    """Ids that an event tells."""
    value = event.values[key]
    return value if isinstance(value, tuple) else (str(value),)  # type: ignore[return-value]


def rank(piece: Piece | None, *states: str) -> int:
    """How far a counter is along some states; 0 if it is in none of them."""
    return max((n for n, state in enumerate(states, 1) if piece and state in piece.states), default=0)


# --- the games -----------------------------------------------------------------------------------


def virtus(branch: Branch) -> Found:
    """Tokens as they lie when all hits are shared out; the rest from the counters."""
    shared = [seen(branch.game, state) for state in branch.settled("prompt.share")]

    def tokens(now: Scene, general: bool) -> int:
        both = (
            (then, new) for then, new in pairs(branch, now) if new and (then.kind == "general") == general
        )
        return sum(max(0, len(new.tokens) - len(then.tokens)) for then, new in both)

    units = [(then, now) for then, now in pairs(branch) if then.kind not in ("general", "marker", "decoy")]
    told = {event.values["unit"]: int(str(event.values["left"])) for event in branch.told("event.loses")}
    left = [(whole(then), whole(now) if now else told.get(then.id, whole(then))) for then, now in units]
    return {
        "tokens": {tokens(now, False) for now in shared},
        "general_tokens": {tokens(now, True) for now in shared},
        "losses": {sum(max(0, then - now) for then, now in left)},
        "rallied": {sum(max(0, now - then) for then, now in left)},
        "retreats": {sum(now is not None and now.facing == "back" != then.facing for then, now in units)},
        "eliminated": {sum(now is None for _, now in units)},
        "generals": {sum(now is None for then, now in pairs(branch) if then.kind == "general")},
    }


def metaurus(branch: Branch) -> Found:
    """Counters by the states that are written on them; engagements as the log tells them."""
    foe = 1 - branch.seat
    lost = {side: sum(now is None for then, now in pairs(branch) if then.side == side) for side in (0, 1)}
    calm = [now for then, now in pairs(branch) if "disordered" in then.states]
    asked = branch.asked
    bound = {frozenset(branch.before.roster.units[i].id for i in pair) for pair in branch.before.links}
    told = branch.told("event.engaged")
    engaged = {
        frozenset((one, event.values["target"])) for event in told for one in names(event, "attackers")
    }
    return {
        "foes_disordered": {turned(branch, "disordered", foe)},
        "foes_lost": {lost[foe]},
        "own_disordered": {turned(branch, "disordered", branch.seat)},
        "own_lost": {lost[branch.seat]},
        "engaged": {len(engaged - bound)},
        "reformed": {sum(now is not None and "disordered" not in now.states for now in calm)},
        "again": {int(asked is not None and asked.key == "prompt.again")},
        "retreat": {int(asked is not None and asked.key == "prompt.retreat")},
    }


RESULTS = ("ac", "ar", "ad", "bb", "dd", "dr", "dc")


def julian(branch: Branch) -> Found:
    """The result as the log tells it; the factors of counters that left the map, or will have to."""
    results = [str(event.values["result"]).lower() for event in branch.told("event.clash")]
    lost = {0: 0, 1: 0, 2: 0}
    hexes = {area.id for area in branch.then.areas if area.width == 1}
    for then, now in pairs(branch):
        if then.place in hexes and (now is None or now.place not in hexes):
            lost[then.side] += factors(then)
    if branch.asked is not None and branch.asked.key == "prompt.losses":
        seat = branch.after.decision.seat
        named = {str(answer.clicks()[0]) for answer in legal(branch.after) if answer.clicks()}
        involved = [factors(piece) for name, piece in pieces(branch.now).items() if name in named]
        lost[seat] += least_sum(involved, int(str(branch.asked.values["points"])))
    foes = sum(lost.values()) - lost[branch.seat]
    return {
        **{name: {int(results[-1:] == [name])} for name in RESULTS},
        "own_lost": {lost[branch.seat]},
        "foes_lost": {foes},
    }


def factors(piece: Piece) -> int:
    """Its printed strength; a leader has none."""
    return int(piece.values.get("F", "0"))


def least_sum(numbers: list[int], least: int) -> int:
    """Whole units that come to so many factors, and to no more than they must."""
    sums = {0}
    for number in numbers:
        sums |= {one + number for one in sums}
    return min(one for one in sums if one >= least)


def formations(branch: Branch) -> Found:
    """Success as the log tells it; steps, states and points as they are seen."""
    both = [(then, now) for then, now in pairs(branch) if "P" in then.values]
    steps = [
        sum(int(p.values.get("P", 0)) for p in s.pieces if p.side == side)
        for s in (branch.then, branch.now)
        for side in (0, 1)
    ]
    points = [
        [int(track.value) for track in scene.tracks if track.id.startswith("points-")]
        for scene in (branch.then, branch.now)
    ]
    gained = [now - then for then, now in zip(*points, strict=True)]
    return {
        "passed": {int(bool(branch.told("event.passes", "event.mode", "event.reloads")))},
        "steps": {max(0, steps[0] - steps[2]) + max(0, steps[1] - steps[3])},
        "shaken": {
            sum(rank(now, "shaken", "rout") == 1 > rank(then, "shaken", "rout") for then, now in both)
        },
        "routs": {sum(rank(now, "rout") > rank(then, "rout") for then, now in both)},
        "tired": {
            sum(
                max(0, rank(now, "winded", "exhausted") - rank(then, "winded", "exhausted"))
                for then, now in both
            )
        },
        "ammunition": {
            sum(
                max(0, rank(now, "diminished", "spent") - rank(then, "diminished", "spent"))
                for then, now in both
            )
        },
        "points": {gained[branch.seat] - gained[1 - branch.seat]},
    }


def onus(branch: Branch) -> Found:
    """Wounds and damage as they are printed, states as they are written on cards and structures."""
    told: Counter[str] = Counter()
    for event in branch.told("event.wounds"):
        told[str(event.values["unit"])] += int(str(event.values["number"]))
    destroyed = {str(event.values["unit"]) for event in branch.told("event.destroyed")}
    found: Counter[str] = Counter()
    for then, now in pairs(branch):
        own = "own_" if then.side == branch.seat else ""
        if now is None:  # what is left of a card that is gone stands in the log only
            found[own + "wounds"] += min(told[then.id], whole(then))
            found[own + "destroyed"] += then.id in destroyed
            continue
        found[own + "wounds"] += max(0, whole(then) - whole(now))
        found["healed"] += max(0, whole(now) - whole(then))
        for name in BAD:
            found[own + name] += name in now.states and name not in then.states
        found["rallied"] += len(set(BAD) & set(now.states)) < len(set(BAD) & set(then.states))
    areas = {area.id: area for area in branch.now.areas}
    razed = {str(event.values["structure"]) for event in branch.told("event.razed")}
    for area in branch.then.areas:
        if area.id in areas or area.id in razed:
            found["damage"] += (areas[area.id].losses if area.id in areas else area.strength) - area.losses
    found["fire"] = fires(branch.now) - fires(branch.then)
    most = {"damage": OVERKILL * len(razed)}
    return {name: set(range(found[name], found[name] + most.get(name, 0) + 1)) for name in ONUS}


OVERKILL = 12  # damage beyond what a structure can take: it is not to be seen any more
BAD = ("fleeing", "broken")
HURT = ("wounds", "destroyed", *BAD)
ONUS = (*HURT, *(f"own_{name}" for name in HURT), "rallied", "healed", "damage", "fire")


def fires(scene: Scene) -> int:
    """The figures in what is written on structures: nothing but fire markers is counted there."""
    marks = [mark for area in scene.areas if area.strength for mark in area.marks]
    return sum(int(figure) for mark in marks for figure in re.findall(r"\d+", mark))


WITNESSES: dict[str, Callable[[Branch], Found]] = {
    "virtus": virtus,
    "metaurus": metaurus,
    "julian": julian,
    "formations": formations,
    "onus": onus,
}
