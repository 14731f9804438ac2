"""What the tests of the house rules share: the phases of a turn, one by one, and dice that do not change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from legatus.games.formations import FORMATIONS
from legatus.games.formations.melee import MeleePhase, blow_terms
from legatus.games.formations.state import SEATS, FormationsState
from legatus.kernel import Dice, Luck, Play, Step, Term, apply, parse_action
from legatus.kernel.engine import _advance

from .stage import acting, at, go_on, index, legal_lines, run

Terms = list[tuple[str, int]]


class Always(Dice):
    """Every die shows the same face: with sixes nothing ever happens in melee."""

    def __init__(self, face: int) -> None:
        self.face = face

    def answer(self, luck: Luck) -> list[int]:
        return [self.face] * luck.n


def phase(state: FormationsState, *steps: Step, dice: Sequence[int] = (), first: str = "league") -> Play:
    """Run these steps, up to the next decision."""
    state = at(state, *steps)
    state.first = SEATS.index(first)
    return go_on(state, dice)


def melee(state: FormationsState, *dice: int, first: str = "league") -> Play:
    return phase(state, MeleePhase(), dice=dice, first=first)


def moving(state: FormationsState, name: str, wing: str = "boar") -> FormationsState:
    """A unit is taken up to move."""
    return run(acting(state, wing), f"move {name}")


def ways(state: FormationsState) -> set[str]:
    """Where the unit that moves may step to."""
    return {line.split()[1] for line in legal_lines(state) if line.startswith("step-to")}


def reach(state: FormationsState, verb: str) -> set[str]:
    """The last words of all legal actions with this verb."""
    return {line.split()[-1] for line in legal_lines(state) if line.split()[0] == verb}


def plain(terms: Iterable[Term]) -> Terms:
    return [(term.clause, term.value) for term in terms]


def blow(state: FormationsState, attacker: str = "A", target: str = "X") -> Terms:
    """What is added to the roll of an attack: the list, and whether the roll itself heeds it."""
    play = melee_of_sixes(state, target)
    told = [e for e in play.events if e.key == "event.strikes" and e.values["unit"] == attacker]
    assert {e.values["target"] for e in told} == {target}
    terms = plain(blow_terms(state, index(state, attacker), index(state, target)))
    assert int(str(told[0].values["added"])) == sum(value for _, value in terms)
    return terms


def melee_of_sixes(state: FormationsState, target: str) -> Play:
    """A melee phase in which nobody is hurt; who has a choice attacks ``target`` if he can."""
    play = _advance(Play(at(state, MeleePhase()), Always(6)))
    while len(play.state.todo) > 1:
        lines = legal_lines(play.state)
        line = f"strike {target}" if f"strike {target}" in lines else lines[0]
        play = apply(play.state, parse_action(FORMATIONS, line), Always(6))
    return play


def pair(total: int) -> tuple[int, int]:
    """Two dice that show this together, no double if it can be."""
    one = max(1, total - 6)
    while one == total - one and one > 1 and total - one < 6:
        one -= 1
    return one, total - one


def value(play: Play, key: str, name: str) -> list[object]:
    """One of the values of all log lines with this key."""
    return [event.values[name] for event in play.events if event.key == key]
