"""14 Victory: the score, the edges of every band, and sudden victory."""

from __future__ import annotations

from typing import Any

import pytest

from legatus.games.julian import JULIAN
from legatus.games.julian.state import BARBARIAN, ROMAN, JulianState, score
from legatus.games.julian.victory import EndTurn, band
from legatus.kernel import Outcome
from tests.rules import rule

from .stage import at, campaign, go_on, told

ALL_ROMAN = " ".join(f"{city.id}=roman" for city in campaign().roster.cities)
ALL_BARBARIAN = ALL_ROMAN.replace("=roman", "=barbarian")
BOTH = "treverorum=barbarian lugdunum=barbarian"


def ended(state: JulianState) -> Outcome | None:
    return go_on(at(state, EndTurn())).state.outcome


def scored(points: int, turn: int = 8, scenario: str = "gaul") -> JulianState:
    """A position with this score: by plunder that counts, and by the cities that are Roman."""
    roster = campaign(scenario=scenario).roster
    first = set(roster.values.sudden_cities)  # with one of them no sudden victory interferes
    order = sorted(range(len(roster.cities)), key=lambda n: (n not in first, roster.cities[n].value))
    for number in range(1, len(order) + 1):
        owners = {n: "roman" if n in order[:number] else "barbarian" for n in order}
        holders = " ".join(f"{roster.cities[n].id}={owner}" for n, owner in owners.items())
        settings: Any = {"turn": turn, "holders": holders, "operating": False, "scenario": scenario}
        state = campaign("alamanni-warband-1 0105", **settings)
        if 0 <= score(state) - points <= roster.values.most_plunder:
            state.plunder = score(state) - points
            assert score(state) == points
            return state
    raise AssertionError(points)


@rule("JH.victory")
@pytest.mark.parametrize(
    ("holders", "plunder", "points"),
    [
        ("", 0, 13),
        ("", 5, 8),
        ("colonia=roman", 0, 16),
        ("lugdunum=barbarian", 0, 10),
        ("colonia=roman lugdunum=barbarian", 0, 13),
        (ALL_ROMAN, 0, 24),
        (ALL_BARBARIAN, 0, -11),
    ],
)
def test_the_score_opens_with_13_and_a_city_that_changes_hands_counts_once(
    holders: str, plunder: int, points: int
) -> None:
    state = campaign(holders=holders)
    state.plunder = plunder
    assert score(state) == points


@rule("JH.victory")
@pytest.mark.parametrize(("plunder", "points"), [(11, 2), (12, 1), (13, 1), (60, 1)])
def test_plunder_counts_at_most_12(plunder: int, points: int) -> None:
    state = campaign()
    state.plunder = plunder
    assert score(state) == points


@rule("JH.victory")
@pytest.mark.parametrize(
    ("lang", "plunder", "told"),
    [("en", 12, "12"), ("en", 17, "17, 12 of them count"), ("fr", 17, "17, dont 12 comptent")],
)
def test_the_screen_says_how_much_of_the_plunder_counts(lang: str, plunder: int, told: str) -> None:
    state = campaign()
    state.plunder = plunder
    tracks = {track.id: track.value for track in JULIAN.scene(state, None, lang).tracks}
    assert tracks["plunder"] == told


@rule("JH.victory")
def test_nothing_leads_far_beyond_20_points() -> None:
    best, worst = campaign(holders=ALL_ROMAN), campaign(holders=ALL_BARBARIAN)
    worst.plunder = 99
    assert (score(best), score(worst)) == (24, -23)


ENDINGS = [  # from the best for Rome
    (ROMAN, "end.roman_decisive"),
    (ROMAN, "end.roman_marginal"),
    (None, "end.draw"),
    (BARBARIAN, "end.barbarian_marginal"),
    (BARBARIAN, "end.barbarian_decisive"),
]
BANDS = {  # the best and the worst score of each
    "gaul": [(24, 11), (10, 9), (8, 6), (5, -6), (-7, -20)],
    "argentoratum": [(15, 8), (7, 0), (-1, -3), (-4, -10), (-11, -18)],
}
EDGES = [
    (scenario, points, number)
    for scenario, edges in BANDS.items()
    for number, pair in enumerate(edges)
    for points in pair
]


@rule("JH.victory", "JH.scenario")
@pytest.mark.parametrize(("scenario", "points", "number"), EDGES)
def test_the_bands_of_the_score(scenario: str, points: int, number: int) -> None:
    state = scored(points, campaign(scenario=scenario).roster.values.turns, scenario)
    outcome = ended(state)
    winner, key = ENDINGS[number]
    assert outcome is not None
    assert (outcome.winner, outcome.clause, outcome.key) == (winner, "JH.victory", key)
    assert band(state) == number


@rule("JH.victory")
@pytest.mark.parametrize(("points", "number"), [(20, 0), (13, 0), (7, 2), (0, 3), (-4, 3), (-12, 4)])
def test_scores_within_a_band_count_like_its_edges(points: int, number: int) -> None:
    assert band(scored(points)) == number


@rule("JH.victory", "JQ.III.E")
@pytest.mark.parametrize("turn", range(1, 9))
def test_the_game_ends_after_turn_8(turn: int) -> None:
    play = go_on(at(scored(20, turn), EndTurn()))
    assert ("JQ.III.E", "event.turn_ends") in told(play)
    assert (play.state.outcome is not None) == (turn == 8)


@rule("JH.victory", "JH.scenario")
def test_the_short_scenario_has_figures_of_its_own() -> None:
    for turn in (1, 2):
        state = campaign("alamanni-warband-1 0105", scenario="argentoratum", turn=turn)
        assert (ended(state) is not None) == (turn == 2)
    values = campaign(scenario="argentoratum").roster.values
    assert (values.turns, values.bands, values.sudden_turn) == (2, (8, 0, -3, -10), 2)


# --- sudden victory ------------------------------------------------------------------------------


@rule("JH.victory")
@pytest.mark.parametrize("turn", range(1, 9))
def test_the_barbarian_wins_at_once_with_both_capitals(turn: int) -> None:
    outcome = ended(campaign(turn=turn, holders=BOTH))
    assert outcome is not None
    assert (outcome.winner, outcome.clause, outcome.key) == (BARBARIAN, "JH.victory", "end.barbarian_sudden")


@rule("JH.victory")
@pytest.mark.parametrize("holders", ["treverorum=barbarian", "lugdunum=barbarian"])
def test_but_not_with_one_of_them(holders: str) -> None:
    assert ended(campaign(turn=3, holders=holders)) is None


@rule("JH.victory")
@pytest.mark.parametrize("turn", range(1, 9))
def test_the_roman_wins_from_turn_4_on_with_all_cities_and_gaul_free(turn: int) -> None:
    outcome = ended(campaign("franks-warband-1 0605", turn=turn, holders=ALL_ROMAN))
    if turn < 4:
        assert outcome is None
    else:
        assert outcome is not None
        assert (outcome.winner, outcome.clause, outcome.key) == (ROMAN, "JH.victory", "end.roman_sudden")


@rule("JH.victory", "JH.6_0")
@pytest.mark.parametrize(
    ("units", "settings", "free"),
    [
        ("franks-warband-1 0605", {}, True),
        ("franks-warband-1 0505", {}, False),
        ("franks-raiders-1 0010", {}, False),
        ("nebisgast 0505", {}, False),  # a leader is a unit
        ("laeti-band-1 0207", {}, True),  # neutral
        ("laeti-band-1 0207", {"allies": "laeti=barbarian"}, False),
        ("laeti-band-1 0207", {"allies": "laeti=roman"}, True),
        ("julian 0207", {}, True),
    ],
)
def test_what_denies_it_to_him(units: str, settings: dict[str, str], free: bool) -> None:
    state: Any = campaign(units, turn=5, holders=ALL_ROMAN, **settings)
    assert (ended(state) is not None) == free


@rule("JH.victory")
@pytest.mark.parametrize("city", [city.id for city in campaign().roster.cities])
def test_every_city_must_be_roman(city: str) -> None:
    assert ended(campaign(turn=5, holders=f"{ALL_ROMAN} {city}=barbarian")) is None


@rule("JH.victory")
def test_sudden_victory_comes_before_the_score() -> None:
    state = campaign(turn=8, holders=f"{ALL_ROMAN} {BOTH}")  # a score of 18
    outcome = ended(state)
    assert outcome is not None
    assert outcome.key == "end.barbarian_sudden"
    state = campaign(turn=8, holders=ALL_ROMAN)
    state.plunder = 40
    outcome = ended(state)
    assert outcome is not None
    assert outcome.key == "end.roman_sudden"


@rule("JH.victory", "JH.cities")
def test_the_example_of_the_rulebook() -> None:
    state = campaign(holders="argentoratum=roman tres-tabernae=roman bononia=barbarian", turn=8)
    state.plunder = 17
    assert score(state) == 3
    outcome = ended(state)
    assert outcome is not None
    assert outcome.key == "end.barbarian_marginal"
