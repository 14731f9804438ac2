"""Exact odds: they sum to one, and they are what really happens."""

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random
from typing import Any

import pytest

from legatus.bots import GreedyBot
from legatus.games import GAMES
from legatus.games.virtus.state import ORBIS, VirtusState, put, sectors
from legatus.kernel import Action, Game, Match, Seeded, TooManyOutcomes, legal, outcomes, say
from legatus.kernel.engine import try_action
from legatus.kernel.objects import field_values
from legatus.kernel.records import digest
from legatus.lab.odds import Odds, seen_odds

from .common import CASES, FUZZ, MEASURED, Case, new_match, random_match, scenarios
from .witness import WITNESSES, Branch, Start, Unsettled, branches, samples

BRANCHES = 3000  # more would take too long for a test; the kernel's own limit is higher
FEWER = 1000  # where many actions are asked; a roll that is made again on a tie never ends
ROLLS = 12  # rolling actions of each match whose odds are summed
COMPARED = 6 * FUZZ  # kinds of rolling actions of each game that are sampled
SAMPLES = 10_000
RARE = 5  # results expected less often than this are counted together
POSITIONS = 6 * FUZZ  # of each match that is asked for odds: in as many there is something to attack
WEIGHED, OTHERS = 3, 1  # actions of a position: those that show odds, and others of which they can be asked
SOME, FEW = 120, 40  # branches of luck of either that are all looked at; where there are more,
TRIED = 15  # so many throws are
BOLD = 240  # decisions of a match between two greedy players
WHIM = 0.15  # how often they do anything instead
FAR = 5.0  # standard deviations that nobody has seen in 10,000 samples


def rolling(match: Match) -> list[tuple[Any, Action]]:
    """The actions of a match that asked for luck, with the states before them."""
    return [(match.states[i], entry.action) for i, entry in enumerate(match.journal[1:]) if entry.dice]


def exact(state: Any, action: Action, alone: bool = False) -> dict[str, Fraction] | None:
    """The probability of every state that may follow; None if there are too many."""
    chances: dict[str, Fraction] = {}
    try:
        for chance, after in outcomes(state, action, BRANCHES, alone):
            name = digest(after)
            chances[name] = chances.get(name, Fraction(0)) + chance
    except TooManyOutcomes:
        return None
    return chances


def test_outcomes_sum_to_one_and_are_seldom_too_many(match: Match) -> None:
    asked = rolling(match)
    asked = Random(1).sample(asked, min(ROLLS, len(asked)))
    found = [chance for state, action in asked if (chance := whole(state, action)) is not None]
    assert all(chance == 1 for chance in found)
    assert len(found) * 2 >= len(asked), f"only {len(found)} of {len(asked)} have exact odds"


def whole(state: Any, action: Action) -> Fraction | None:
    """The probabilities of all that may follow, added up; of its own consequences, where those are too many.

    None if even they are too many.
    """
    for alone in (False, True):
        with suppress(TooManyOutcomes):
            return sum((chance for chance, _ in outcomes(state, action, FEWER, alone)), Fraction(0))
    return None


def test_outcomes_of_an_action_without_luck_are_certain(match: Match) -> None:
    sure = [i for i, entry in enumerate(match.journal[1:]) if not entry.dice]
    for i in sure[:: max(1, len(sure) // 10)]:
        after = list(outcomes(match.states[i], match.journal[i + 1].action))
        assert after == [(1, match.states[i + 1])]


def test_outcomes_agree_with_ten_thousand_samples(game: Game) -> None:
    compared: set[tuple[Any, ...]] = set()
    for case in CASES:
        if case.key == game.key:
            for state, action in rolling(random_match(case)):
                kind = (type(action), *(value for value in field_values(action) if isinstance(value, bool)))
                if kind not in compared and len(compared) < COMPARED and compare(state, action):
                    compared.add(kind)
    assert compared, "no rolling action with exact odds"


def compare(state: Any, action: Action) -> bool:
    chances = exact(state, action, alone=True)
    if chances is None or len(chances) < 2:
        return False
    dice = Seeded("sample")
    seen = Counter(digest(try_action(state, action, dice, alone=True)) for _ in range(SAMPLES))
    unknown = seen.keys() - chances.keys()
    assert not unknown, f"{action}: {sum(seen[name] for name in unknown)} samples are no outcome"
    assert deviation(chances, seen) < FAR, f"{action}: {seen.most_common(5)} are not the odds"
    return True


def deviation(chances: dict[str, Fraction], seen: Counter[str]) -> float:
    """Chi-square of the samples as standard deviations of a normal (Wilson and Hilferty)."""
    bins: list[tuple[float, int]] = []
    expected, found = 0.0, 0
    for name, chance in sorted(chances.items(), key=lambda pair: -pair[1]):
        expected, found = expected + float(chance) * SAMPLES, found + seen[name]
        if expected >= RARE:
            bins.append((expected, found))
            expected, found = 0.0, 0
    bins[-1] = (bins[-1][0] + expected, bins[-1][1] + found)
    free = len(bins) - 1
    if free < 1:
        return 0.0
    chi = sum((found - expected) ** 2 / expected for expected, found in bins)
    return ((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / sqrt(2 / (9 * free))


# --- what odds say is what is seen ---------------------------------------------------------------

FIELDS = [
    Case(key, name, seed)
    for key, game in GAMES.items()
    for n, name in enumerate(scenarios(game))
    for seed in (0, 1)
    if key not in MEASURED or n % 2 == seed or FUZZ > 1  # there greedy is slow
]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_odds_are_what_happens(field: Case) -> None:
    """Of attacks as of all else that can be asked for; of a match at random, or one that is fought out."""
    assert field.key in WITNESSES, "witness.py does not know what to look at in this game"
    match = random_match(field) if field.seed else bold_match(field)
    game, rng = match.game, Random(f"{field}/odds")
    asked = [(state, action) for state in positions(match, rng) for action in chosen(state, rng)]
    wrong = [problem for state, action in asked for problem in disagreements(game, state, action)]
    assert asked
    assert not wrong, "\n".join(wrong[:10])


@pytest.mark.parametrize("key", GAMES)
def test_every_game_shows_odds_that_were_compared(key: str) -> None:
    """The matches of the test above have fights in them."""
    fields = [field for field in FIELDS if field.key == key and not field.seed]
    kinds = {
        type(action) for field in fields for state in bold_match(field).states for action in fights(state)
    }
    assert kinds, "nobody attacks"


def fights(state: Any) -> list[Action]:
    """What shows its odds, if it is legal."""
    decision = state.decision
    if decision is None or not any(kind.weighed for kind in decision.accepts):
        return []
    return [action for action in legal(state) if action.weighed]


@cache
def bold_match(case: Case) -> Match:
    """Greedy players who do anything now and then."""
    match, bot, rng = new_match(case), GreedyBot(), Random(f"{case}/bold")
    while match.state.decision is not None and len(match.journal) <= BOLD:
        state = match.state
        seat = state.decision.seat
        if rng.random() < WHIM:
            action = rng.choice(legal(state))
        else:
            action = bot.choose(match.game, match.game.view(state, seat), seat, rng)
        match.play(action, match.seeded(str(case)))
    return match


def positions(match: Match, rng: Random) -> list[Any]:
    """As many in which somebody can attack as others."""
    waiting = [state for state in match.states if state.decision is not None]
    fought = [state for state in waiting if fights(state)]
    found = [state for some in (fought, waiting) for state in rng.sample(some, min(POSITIONS, len(some)))]
    if match.game.key in SCATTERED and fought:
        found += [SCATTERED[match.game.key](rng.choice(fought), rng) for _ in range(3 * POSITIONS)]
    assert not [broken for state in found for broken in match.game.invariants(state)]
    return found


def scattered(state: VirtusState, rng: Random) -> VirtusState:
    """The same armies set down anywhere, many in orbis: neighbours that seldom meet in play."""
    state = state.copy()
    state.markers, state.decoys = [0] * len(state.markers), [0] * len(state.decoys)
    state.points = [9] * len(state.points)
    spots = [place for side in (0, 1) for place in sectors(state, side)]
    for i, unit in enumerate(state.roster.units):
        if state.place[i] >= 0:
            put(state, i, rng.choice(spots))
            state.flags[i], state.form[i] = 0, ORBIS * (unit.orbis and rng.random() < 0.5)
    return state


SCATTERED = {"virtus": scattered}


def chosen(state: Any, rng: Random) -> list[Action]:
    actions = legal(state)
    rng.shuffle(actions)
    attacks = [action for action in actions if action.weighed]
    kinds = {type(action): action for action in attacks}  # one of each at least
    attacks = list(dict.fromkeys([*kinds.values(), *attacks]))
    others = [action for action in actions if not action.weighed]
    return [*attacks[:WEIGHED], *others[:OTHERS]]


def disagreements(game: Game, state: Any, action: Action) -> list[str]:
    """Where the odds of an action, as its player is told them, are not what he then sees."""
    seat = state.decision.seat
    view = game.view(state, seat)
    found: list[tuple[Fraction, dict[str, int]]] = []
    wrong: list[str] = []
    for weight, full in game.cases(view, seat, action, Random("odds")):
        start = Start(game, full)
        every = branches(start, action, SOME if action.weighed else FEW)
        for branch in samples(start, action, TRIED) if every is None else every:
            row, problems = compare_columns(game, action, branch)
            found.append((weight * branch.chance, row))
            wrong += problems
        if every is None:
            return wrong  # the table is one of samples
    table = seen_odds(game, view, seat, action, Random("odds"))
    return wrong or [f"{say(action)}: {problem}" for problem in compare_table(table, found)]


def compare_columns(game: Game, action: Action, branch: Branch) -> tuple[dict[str, int], list[str]]:
    """What is measured of a branch, and where a witness sees something else."""
    row = game.measure(branch.before, branch.after)
    with suppress(Unsettled):
        seen = WITNESSES[game.key](branch)
        assert seen.keys() == row.keys(), "other columns"
        told = [event.key for event in branch.events]
        return row, [
            f"{say(action)}: {column} is {row[column]}, and {sorted(values)} is seen; {told}"
            for column, values in seen.items()
            if row[column] not in values
        ]
    return row, []


def compare_table(table: Odds, found: list[tuple[Fraction, dict[str, int]]]) -> list[str]:
    """Where the columns of a table are not the sums of the branches."""
    sums: dict[str, dict[int, Fraction]] = {}
    for chance, row in found:
        for column, value in row.items():
            values = sums.setdefault(column, {})
            values[value] = values.get(value, Fraction(0)) + chance
    if not table.exact or sum(chance for chance, _ in found) != 1:
        return ["not exact"]
    return [
        f"{name}: {table.columns[name]}, and not {sums[name]}"
        for name in sums
        if table.columns[name] != sums[name]
    ]
