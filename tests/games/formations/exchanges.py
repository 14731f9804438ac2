"""What eight steps inflict and lose in one melee phase or one volley: loose, in March and in every mode.

``python -m tests.games.formations.exchanges`` prints the table of the game's README.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import product

from legatus.games.formations import FORMATIONS
from legatus.games.formations.melee import MeleePhase
from legatus.games.formations.state import MODES, FormationsState
from legatus.kernel import Dice, Luck, Play, apply, legal, parse_action
from legatus.kernel.engine import _advance

from .stage import acting, at, battle

Exchange = tuple[float, float]  # steps inflicted and lost, on average
COLUMNS = ("loose", *MODES)
TYPES = "rider spear move=mounted; bow archer capacity=ordinary"
LOOSE = "A spear 0505 {0}; B spear 0605 {0}; C spear 0505; D spear 0605"
FORMED = "A spear 0505+0605 steps=8 mode={1} {0}"
FACES = range(1, 7)
# By situation: the enemy, and whether he shoots.
SITUATIONS: dict[str, tuple[str, bool]] = {
    "foot in March, front": ("X orc 0504+0604", False),
    "foot in Shield Wall, front": ("X orc 0504+0604 mode=shield-wall", False),
    "loose foot, front": ("X orc 0504; Y orc 0704", False),
    "loose foot, flank": ("X orc 0405 ne", False),
    "horse that charges, front": ("X rider 0504 charged; Y rider 0704 charged", False),
    "horse that charges, flank": ("X rider 0405 ne charged", False),
    "archers, front": ("X bow 0503", True),
    "archers, flank": ("X bow 0305 se", True),
}
TIRES = {"rank-rotation": 1 / 6}  # AH15.fatigue: a turn of melee; else one in two
LONG, TURNS = "foot in Shield Wall, front", 3


class Loaded(Dice):
    """These faces first, and then ones: they pass every test of cohesion."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces = list(faces)

    def answer(self, luck: Luck) -> list[int]:
        return [self.faces.pop(0) if self.faces else 1 for _ in range(luck.n)]


def position(column: str, enemy: str, words: str = "") -> FormationsState:
    own = LOOSE.format(words) if column == "loose" else FORMED.format(words, column)
    return battle(own, enemy, types=TYPES)


def fought(state: FormationsState, faces: tuple[int, ...]) -> Play:
    """A melee phase with these dice; who has a choice attacks the first enemy."""
    dice = Loaded(faces)
    play = _advance(Play(at(state, MeleePhase()), dice))
    while len(play.state.todo) > 1:
        play = apply(play.state, legal(play.state)[0], dice)
    return play


def shot(state: FormationsState, faces: tuple[int, ...]) -> Play:
    line = "shoot X A"
    return apply(acting(state, "black"), parse_action(FORMATIONS, line), Loaded(faces))


def lost(before: FormationsState, after: FormationsState) -> dict[int, int]:
    pairs = enumerate(zip(before.steps, after.steps, strict=False))
    return {i: was - now for i, (was, now) in pairs if was != now}


@cache
def exchange(column: str, situation: str, words: str = "") -> Exchange:
    """Exactly: each attack with all its dice by itself, then all of them together."""
    enemy, shoots = SITUATIONS[situation]
    state = position(column, enemy, words)
    if shoots:
        blows = 1
    else:
        blows = sum(event.key == "event.strikes" for event in fought(state, (6,) * 40).events)
    odds: dict[int, dict[int, float]] = defaultdict(lambda: {0: 1.0})  # by unit, how likely it loses so much
    for blow in range(blows):
        single: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for pair in product(FACES, repeat=2):
            faces = (6, 6) * blow + pair + (6, 6) * (blows - blow - 1)
            after = (shot if shoots else fought)(state, faces).state
            for i, steps in lost(state, after).items():
                single[i][steps] += 1 / 36
        for i, ways in single.items():
            odds[i] = _together(odds[i], {**ways, 0: 1 - sum(ways.values())}, state.steps[i])
    means = [0.0, 0.0]
    for i, ways in odds.items():
        means[state.side[i]] += sum(steps * chance for steps, chance in ways.items())
    return means[1], means[0]


def _together(one: dict[int, float], two: dict[int, float], most: int) -> dict[int, float]:
    """AH17.losses: nobody loses more than he has."""
    found: dict[int, float] = defaultdict(float)
    for (a, p), (b, q) in product(one.items(), two.items()):
        found[min(a + b, most)] += p * q
    return found


def long_fight(column: str) -> Exchange:
    """After some turns of melee: by the fatigue that they bring (AH15.fatigue)."""
    tires = TIRES.get(column, 1 / 2)
    levels = [1.0, 0.0, 0.0]
    for _ in range(TURNS):
        fresh, winded, worn = levels
        levels = [fresh * (1 - tires), fresh * tires + winded * (1 - tires), worn + winded * tires]
    each = [exchange(column, LONG, words) for words in ("", "winded", "exhausted")]
    inflicted, suffered = (
        sum(level * pair[n] for level, pair in zip(levels, each, strict=True)) for n in (0, 1)
    )
    return inflicted, suffered


def table() -> list[str]:
    """The rows of the README."""
    lines = ["| against | " + " | ".join(COLUMNS) + " |", "|---" * (1 + len(COLUMNS)) + "|"]
    rows = {name: [exchange(column, name) for column in COLUMNS] for name in SITUATIONS}
    rows["the same after three turns of melee"] = [long_fight(column) for column in COLUMNS]
    for name, pairs in rows.items():
        lines.append(f"| {name} | " + " | ".join(f"{a:.2f} / {b:.2f}" for a, b in pairs) + " |")
    return lines


if __name__ == "__main__":
    print("\n".join(table()))
