"""What bots think of: positions, of which a change of any column is seen, and actions."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from legatus.bots.greedy import sensible
from legatus.games.julian import JULIAN, weights
from legatus.games.julian.activation import Activation
from legatus.games.julian.markers import Spy
from legatus.games.julian.movement import Moves
from legatus.games.julian.promises import prizes
from legatus.games.julian.prospects import exchange
from legatus.games.julian.reinforcement import Reinforcing
from legatus.games.julian.state import BARBARIAN, DUX, IMPERIUM, ROMAN, JulianState
from legatus.games.julian.throws import Again
from legatus.kernel import Seeded, legal, parse_action
from legatus.kernel.codec import state_from, state_to_json
from legatus.kernel.engine import try_action
from tests.rules import rule

from .stage import at, campaign, go_on, run


def position() -> JulianState:
    units = "caesar-comitatenses-1 0404; caesar-comitatenses-2 0404; alamanni-warband-1 0405"
    return at(campaign(units, acting="caesar", turn=3), Moves(ROMAN))


def values(state: JulianState) -> list[float]:
    return [JULIAN.evaluate(state, seat) for seat in (ROMAN, BARBARIAN)]


def freeze(state: JulianState) -> None:
    state.frozen = state.turn


def flipped(column: str) -> Callable[[JulianState], None]:
    return lambda state: setattr(state, column, [1 - value for value in getattr(state, column)])


def single(column: str, value: int) -> Callable[[JulianState], None]:
    return lambda state: setattr(state, column, value)


CHANGES = {
    "frozen": freeze,
    "holder": flipped("holder"),
    "sacked": flipped("sacked"),
    "drawn": flipped("drawn"),
    "acting": flipped("acting"),
    "tp": single("tp", 3),
    "plunder": single("plunder", 4),
    "operating": single("operating", False),
    "active": single("active", BARBARIAN),
    "turn": single("turn", 4),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen_although_the_position_was_judged_before(name: str) -> None:
    state = position()
    before = values(state)
    CHANGES[name](state)
    warm = values(state)
    fresh: JulianState = state_from(JULIAN, msgspec.json.decode(state_to_json(state)))
    assert warm == pytest.approx(values(fresh), rel=1e-12)
    if name in ("holder", "sacked", "tp", "plunder", "turn"):
        assert warm != before


def test_who_barely_outlives_a_bloodbath_has_not_won_the_hex() -> None:
    """At 1:2 a bloodbath is the best that can fall: raiders that are left over take no city."""
    barely, clearly = exchange(9, 16, 9, 8, 0), exchange(9, 16, 12, 8, 0)
    assert barely[2] < clearly[2]


@pytest.mark.parametrize(
    ("theirs", "known", "thought_of"),
    [("", "", False), ("dux", "dux", False), ("dux", "", True), ("dux dux", "dux", True)],
)
def test_nobody_spies_on_a_hand_that_he_knows(theirs: str, known: str, thought_of: bool) -> None:
    """Legal it is (JS.agentes.1); bots put decisions off with it, and spent an Imperium on that."""
    state = at(campaign("", acting="caesar", hands=("agentes imperium", theirs)), Activation(ROMAN))
    state.known[ROMAN][DUX] = len(known.split())
    spying = {Spy(False), Spy(True)}
    assert spying <= set(legal(state))
    assert spying & set(sensible(state)) == (spying if thought_of else set())


@rule("JH.victory")
@pytest.mark.parametrize(("plunder", "more"), [(0, 2.0), (11, 1.0), (12, 0.0), (40, 0.0)])
def test_bots_count_plunder_only_as_far_as_the_score_does(plunder: int, more: float) -> None:
    state = at(campaign(turn=8, operating=False), Moves(ROMAN))
    city = state.roster.city_index["lutetia"]
    state.plunder = plunder
    assert prizes(state, city)[1] == more
    after = state.copy()
    after.plunder += 2
    assert JULIAN.evaluate(state, ROMAN) - JULIAN.evaluate(after, ROMAN) == pytest.approx(more)


@rule("JS.imperium.2", "JH.windows")
def test_greedy_has_a_bad_throw_of_the_other_repeated_and_lets_a_good_one_stand() -> None:
    """Also one that was thrown again already: the face that lies there counts."""
    for face, line in ((6, "reroll"), (1, "pass")):
        state = campaign("alamanni-warband-1 0605", hands=("imperium", "imperium"), acting="alamanni")
        state.active = BARBARIAN
        state = go_on(at(state, Reinforcing(BARBARIAN))).state
        state = run(state, "raise-units alamanni", dice=[3])
        state = run(state, "reroll", dice=[face])
        assert state.decision == Again(ROMAN)
        values = {}
        for say in ("pass", "reroll"):
            after = try_action(state, parse_action(JULIAN, say), Seeded("x"), alone=True)
            values[say] = JULIAN.evaluate(after, ROMAN)
        gain = values["reroll"] - values["pass"]
        assert (gain > -weights.MARKER[IMPERIUM]) == (line == "reroll")
