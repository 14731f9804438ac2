"""Terrain: hills (V7a), woods (V7b-c), ground that stops (V7e, V7g), marsh, rocks, crevasse (V7f, V7h)."""

from __future__ import annotations

import pytest

from legatus.games.virtus.generals import EndTests
from legatus.games.virtus.saves import Saves
from legatus.games.virtus.sequence import EndTurn
from legatus.games.virtus.state import CHARGED, PLACE, put
from legatus.games.virtus.terrain import GROUND
from tests.rules import rule

from .field import (
    at,
    battle,
    cohesion,
    declares,
    do,
    fights,
    go_on,
    legal_lines,
    moves,
    place,
    refusals,
    run,
    skirmish,
    tokens,
    unit,
)
from .field import tests as about_to_test

HILLS = ("hill", "wooded_hill", "steep_height")
WOODS = ("woods", "wooded_hill", "thick_forest")
MARSHES = ("marsh", "crevasse")
ROCKS = ("rocks", "crevasse")
STOPS = {"thick_forest": "V7e", "steep_height": "V7g", "marsh": "V7f", "rocks": "V7f", "crevasse": "V7h"}
NO_ARTILLERY = ("marsh", "rocks", "crevasse")
ALL = ("clear", "hill", "woods", "wooded_hill", "thick_forest", "steep_height", "marsh", "rocks", "crevasse")
TOKEN = {"w": "white", "g": "green", "s": "bolt", "v": "violet"}


def fights_at(kind: str, ground: str, value: int) -> bool:
    """Whether a unit fights on this ground with exactly this Offensive Value."""
    state = skirmish(f"A {kind} rome1", "X legionaries rome1", terrain={"rome1": ground})
    dice = cohesion(state, "A")
    hit = len(tokens(do(fights(state, 1), "fight A", dice=[value] * dice).state, "X"))
    missed = len(tokens(do(fights(state, 1), "fight A", dice=[value + 1] * dice).state, "X"))
    return (hit, missed) == (dice, 0)


def flanks_at(kind: str, here: str, there: str, value: int) -> bool:
    """Whether a unit outflanks from one ground into another with exactly this value."""
    state = skirmish(f"A {kind} rome1", "X legionaries rome2", terrain={"rome1": here, "rome2": there})
    dice = cohesion(state, "A")
    hit = len(tokens(do(fights(state, 1), "outflank A rome2", dice=[value] * dice).state, "X"))
    missed = len(tokens(do(fights(state, 1), "outflank A rome2", dice=[value + 1] * dice).state, "X"))
    return (hit, missed) == (dice, 0)


def saves_at(kind: str, ground: str, value: int, token: str = "w", charged: bool = False) -> bool:
    """Whether a unit saves against a token received on this ground with exactly this value."""
    state = skirmish(f"A {kind} rome1 tokens={token}", terrain={"rome1": ground})
    state.flags[unit(state, "A")] |= CHARGED * charged
    full, line = cohesion(state, "A"), f"save A {TOKEN[token]}"
    held = cohesion(do(about_to_test(state), line, dice=[value, 6]).state, "A")
    lost = cohesion(do(about_to_test(state), line, dice=[value + 1, 6]).state, "A")
    return (held, lost) == (full, full - 1)


# --- hills (V7a) ---------------------------------------------------------------------------------


@rule("V7a", "V4.3h")
def test_the_holder_of_a_hill_may_buy_a_die_for_a_point() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome1", terrain={"rome1": "hill"})
    after = do(fights(state, 1, points=2), "fight A hill", dice=[3, 3, 3, 3, 3]).state
    assert tokens(after, "X") == "wwwww"
    assert after.points[1] == 0
    assert refusals(fights(state, 1, points=1), "fight A hill") == ["V4.3a"]


@rule("V7a")
def test_the_hills_die_is_a_choice() -> None:
    state = skirmish("A trained_auxiliaries rome1", "X warriors rome1", terrain={"rome1": "hill"})
    assert legal_lines(fights(state, 1)) == ["fight A", "fight A hill", "done", "end-segment"]
    assert do(fights(state, 1, points=1), "fight A", dice=[6, 6, 6]).state.points[1] == 0


@rule("V7a")
def test_an_invader_has_no_die_from_the_hill() -> None:
    state = battle("A legionaries barb1", "X warriors barb1", terrain={"barb1": "hill"})
    assert refusals(fights(state, 1), "fight A hill") == ["V7a"]
    assert refusals(declares(state, {1: 9}), "declare-charge A hill") == ["V7a"]


@rule("V7a")
def test_a_conquered_hill_serves_its_conqueror_and_no_longer_its_owner() -> None:
    ground, held = {"barb1": "hill"}, {"barb1": "rome"}
    state = battle("A legionaries barb1", "X warriors barb1", terrain=ground, holder=held)
    assert refusals(fights(state, 1), "fight A hill") == []
    state = battle(
        "A legionaries barb1", "X warriors barb1", terrain=ground, holder=held, active="barbarians"
    )
    assert refusals(fights(state, 1), "fight X hill") == ["V7a"]


@rule("V7a")
def test_a_hill_is_conquered_by_the_check_as_the_enemys_turn_ends_and_stays_so_when_enemies_return() -> None:
    state = skirmish(
        "A legionaries barb1", "X warriors barb2", terrain={"barb1": "hill"}, active="barbarians"
    )
    state = go_on(at(state, EndTurn(1))).state
    put(state, unit(state, "X"), PLACE["barb1"])
    assert refusals(fights(state, 1), "fight A hill") == []
    state.active = 1
    state = go_on(at(state, EndTurn(1))).state
    assert refusals(fights(state, 1), "fight A hill") == []


@rule("V7a")
@pytest.mark.parametrize("ground", ["clear", "woods", "marsh"])
def test_other_ground_gives_no_die(ground: str) -> None:
    state = battle("A legionaries rome1", "X warriors rome1", terrain={"rome1": ground})
    assert refusals(fights(state, 1), "fight A hill") == ["V7a"]


@rule("V7a")
def test_the_hills_die_serves_a_charge() -> None:
    state = skirmish("A trained_auxiliaries rome1", "X warriors rome1", terrain={"rome1": "hill"})
    state = run(declares(state, {1: 3}), "declare-charge A hill", "activate seg1")
    assert tokens(do(state, "charge A X", dice=[3, 3, 3, 3]).state, "X") == "wwww"
    state = skirmish("A trained_auxiliaries rome1", "X warriors rome1", terrain={"rome1": "hill"})
    state = run(declares(state, {1: 2}), "declare-charge A", "activate seg1")
    assert tokens(do(state, "charge A X", dice=[3, 3, 3]).state, "X") == "www"


@rule("V7a")
def test_the_hill_gives_nothing_to_shots_and_flank_attacks_from_it() -> None:
    state = skirmish("A formed_archers rome1", "X warriors rome2", terrain={"rome1": "hill"})
    with pytest.raises(ValueError, match="too much"):
        refusals(fights(state, 1), "outflank A rome2 hill")
    with pytest.raises(ValueError, match="too much"):
        refusals(fights(state, 1), "shoot A hill")
    assert refusals(fights(state, 1), "fight A hill") == ["V5c"]
    assert tokens(do(fights(state, 1, points=1), "outflank A rome2", dice=[1, 1, 1]).state, "X") == "ggg"


# --- woods (V7b, V7c) ----------------------------------------------------------------------------


@rule("V7b", "V7c")
@pytest.mark.parametrize("ground", WOODS)
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("cataphracts", 1),
        ("medium_cavalry", 1),
        ("light_chariots", 1),
        ("dromedarii", 1),
        ("elephants", 1),
        ("legionaries", 2),
        ("dacian_falxmen", 2),
        ("horde", 2),
        ("trained_auxiliaries", 3),
        ("noble_warriors", 4),
        ("warriors", 4),
        ("javelinmen", 2),
    ],
)
def test_in_woods_and_into_them_horse_has_one_and_dense_infantry_two_at_most(
    kind: str, value: int, ground: str
) -> None:
    assert fights_at(kind, ground, value)
    assert flanks_at(kind, "clear", ground, value)


@rule("V7b")
@pytest.mark.parametrize(("kind", "value"), [("medium_cavalry", 3), ("legionaries", 3), ("elephants", 4)])
def test_attacks_on_the_flank_out_of_woods_are_not_hampered(kind: str, value: int) -> None:
    assert flanks_at(kind, "woods", "clear", value)


@rule("V7b")
def test_a_charge_in_woods_is_hampered_too() -> None:
    state = skirmish("A heavy_cavalry rome1", "X warriors rome1", terrain={"rome1": "woods"})
    state = run(declares(state, {1: 1}), "declare-charge A", "activate seg1")
    assert tokens(do(state, "charge A X", dice=[1, 2, 2, 2]).state, "X") == "w"


@rule("V7b", "V7c")
@pytest.mark.parametrize("ground", WOODS)
@pytest.mark.parametrize(("kind", "value"), [("javelinmen", 4), ("light_archers", 3), ("slingers", 3)])
def test_dispersed_infantry_saves_two_better_in_woods(kind: str, value: int, ground: str) -> None:
    assert saves_at(kind, ground, value)
    assert saves_at(kind, "clear", value - 2)


@rule("V7b")
@pytest.mark.parametrize(
    ("kind", "value"), [("light_cavalry", 1), ("light_chariots", 2), ("trained_auxiliaries", 3), ("horde", 2)]
)
def test_nobody_else_saves_better_in_woods(kind: str, value: int) -> None:
    assert saves_at(kind, "woods", value)


@rule("V7b")
def test_dispersed_infantry_that_was_charged_has_no_cover_for_any_token_of_the_turn() -> None:
    foes = "X noble_warriors rome1; Z noble_warriors rome1"
    state = skirmish("A javelinmen rome1", foes, terrain={"rome1": "woods"}, active="barbarians")
    uncharged = run(fights(state, 1, points=1), "fight X", dice=[4, 6, 6])
    assert cohesion(do(uncharged, "save A white", dice=[4, 1]).state, "A") == 2
    state = run(declares(state, {1: 3}), "declare-charge Z", "activate seg1")
    state = run(state, "fight X", "charge Z A", dice=[4, 6, 6, 6, 6, 6])
    assert tokens(state, "A") == "w"
    assert cohesion(do(state, "save A white", dice=[3, 1]).state, "A") == 1
    assert cohesion(do(state, "save A white", dice=[2, 1]).state, "A") == 2


@rule("V7b")
def test_the_cover_of_woods_returns_in_the_next_turn() -> None:
    state = skirmish("A javelinmen rome1", "X noble_warriors rome1", terrain={"rome1": "woods"})
    state.active = 1
    state = run(declares(state, {1: 2}), "declare-charge X", "activate seg1", "charge X A", dice=[6, 6, 6])
    assert state.flags[unit(state, "A")] & CHARGED
    state = go_on(at(state, EndTests(0), Saves(1))).state
    state.tokens[unit(state, "A")] = "w"
    state.active = 0
    assert cohesion(do(about_to_test(state), "save A white", dice=[4, 1]).state, "A") == 2


@rule("V7c", "V7a")
def test_a_wooded_hill_is_a_hill_and_a_wood() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome1", terrain={"rome1": "wooded_hill"})
    after = do(fights(state, 1, points=2), "fight A hill", dice=[2, 2, 3, 3, 3]).state
    assert tokens(after, "X") == "ww"


# --- ground that ends a move (V7e, V7f, V7g, V7h) ------------------------------------------------


@rule("V7e", "V7f", "V7g", "V7h")
@pytest.mark.parametrize("ground", ALL)
def test_entering_difficult_ground_ends_the_move(ground: str) -> None:
    state = skirmish("A heavy_cavalry rome-reserve", terrain={"rome1": ground})
    assert refusals(moves(state, 1), "move A rome1>barb1") == ([STOPS[ground]] if ground in STOPS else [])
    assert ("move A rome1>barb1" in legal_lines(moves(state, 1))) == (ground not in STOPS)
    assert place(do(moves(state, 1), "move A rome1").state, "A") == "rome1"


@rule("V7e", "V7g")
@pytest.mark.parametrize("ground", STOPS)
def test_it_stops_withdrawals_and_forced_marches_as_well(ground: str) -> None:
    terrain = {"rome1": ground}
    state = battle("A heavy_cavalry barb1; B trained_auxiliaries rome-reserve", terrain=terrain)
    assert refusals(moves(state, 1), "move A rome1>rome-reserve") == [STOPS[ground]]
    assert refusals(moves(state, 1), "move B rome1>barb1") == [STOPS[ground]]


@rule("V7e", "V7i")
@pytest.mark.parametrize("ground", STOPS)
def test_a_unit_that_starts_on_difficult_ground_leaves_it_freely(ground: str) -> None:
    state = skirmish("A heavy_cavalry rome1", terrain={"rome1": ground})
    assert place(do(moves(state, 1), "move A rome-reserve>rome2").state, "A") == "rome2"


@rule("V7e", "V7i")
@pytest.mark.parametrize("ground", STOPS)
def test_a_move_may_end_on_difficult_ground(ground: str) -> None:
    state = skirmish("A heavy_cavalry rome-reserve", terrain={"barb1": ground})
    assert place(do(moves(state, 1), "move A rome1>barb1").state, "A") == "barb1"


@rule("V7i")
@pytest.mark.parametrize("ground", STOPS)
def test_retreats_are_not_stopped(ground: str) -> None:
    terrain = {"rome1": ground, "barb1": ground}
    state = skirmish("A noble_warriors barb1 tokens=w; B noble_warriors rome1 tokens=w", terrain=terrain)
    after = run(about_to_test(state), "save A white", "save B white", dice=[6, 6, 6, 6])
    assert (place(after, "A"), place(after, "B")) == ("rome1", "rome-reserve")


# --- marsh, rocks, crevasse (V7f, V7h) -----------------------------------------------------------


@rule("V7f", "V7h")
@pytest.mark.parametrize("ground", MARSHES)
@pytest.mark.parametrize("token", ["w", "g", "s"])
@pytest.mark.parametrize("kind", ["legionaries", "trained_auxiliaries", "cataphracts", "light_chariots"])
def test_in_a_marsh_every_token_is_saved_on_one(kind: str, token: str, ground: str) -> None:
    assert saves_at(kind, ground, 1, token)


@rule("V7f")
def test_a_formation_does_not_help_in_a_marsh() -> None:
    state = skirmish("A legionaries rome1 tokens=w form=testudo", terrain={"rome1": "marsh"})
    assert cohesion(do(about_to_test(state), "save A white", dice=[2, 1]).state, "A") == 3


@rule("V7f", "V7h")
@pytest.mark.parametrize("ground", MARSHES)
def test_a_marsh_does_not_hamper_dispersed_infantry_but_dispersed_horse(ground: str) -> None:
    assert saves_at("javelinmen", ground, 2)
    assert saves_at("light_chariots", ground, 1)
    assert saves_at("javelinmen", ground, 3, token="g")


@rule("V7f")
def test_the_marsh_counts_where_the_token_was_received() -> None:
    state = skirmish("A trained_auxiliaries rome1 tokens=ww", terrain={"rome1": "marsh"})
    state = run(about_to_test(state), "save A white", dice=[2, 6])
    assert (place(state, "A"), cohesion(state, "A")) == ("rome-reserve", 2)
    assert cohesion(do(state, "save A white", dice=[2, 1]).state, "A") == 1


@rule("V7f", "V7h")
@pytest.mark.parametrize("ground", ROCKS)
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("legionaries", 1),
        ("trained_auxiliaries", 1),
        ("warriors", 1),
        ("heavy_cavalry", 1),
        ("light_cavalry", 1),
        ("elephants", 1),
        ("javelinmen", 2),
        ("slingers", 2),
    ],
)
def test_in_rocks_all_but_dispersed_infantry_fight_with_one(kind: str, value: int, ground: str) -> None:
    assert fights_at(kind, ground, value)
    assert flanks_at(kind, ground, "clear", value)


@rule("V7f", "V7h")
@pytest.mark.parametrize("ground", [*ROCKS, "marsh"])
def test_attackers_from_outside_are_not_hampered(ground: str) -> None:
    assert flanks_at("legionaries", "clear", ground, 3)
    assert flanks_at("heavy_cavalry", "clear", ground, 3)


@rule("V7f")
@pytest.mark.parametrize("ground", ROCKS)
def test_rocks_do_not_change_the_shooting_value(ground: str) -> None:
    assert flanks_at("formed_archers", ground, "clear", 2)


@rule("V7f")
def test_marsh_leaves_the_offensive_and_rocks_the_defensive_value_alone() -> None:
    assert fights_at("legionaries", "marsh", 3)
    assert saves_at("legionaries", "rocks", 3)


@rule("V7f", "V7h")
@pytest.mark.parametrize("ground", ALL)
def test_artillery_does_not_enter_marsh_rocks_or_crevasse(ground: str) -> None:
    expected = ["V7f"] if ground in NO_ARTILLERY else []
    state = battle("A scorpions rome-reserve; B scorpions rome2", terrain={"rome1": ground, "barb2": ground})
    assert refusals(moves(state, 1), "move A rome1") == expected
    assert refusals(moves(state, 2), "move B barb2") == expected
    state = battle("A trained_auxiliaries rome-reserve", terrain={"rome1": ground})
    assert refusals(moves(state, 1), "move A rome1") == []


# --- steep heights (V7g) -------------------------------------------------------------------------


@rule("V7g")
def test_a_steep_height_is_a_hill_that_is_not_crossed() -> None:
    state = skirmish("A legionaries rome1", "X warriors rome1", terrain={"rome1": "steep_height"})
    assert tokens(do(fights(state, 1, points=2), "fight A hill", dice=[3] * 5).state, "X") == "wwwww"
    state = battle("A heavy_cavalry rome-reserve", terrain={"rome1": "steep_height"})
    assert refusals(moves(state, 1), "move A rome1>barb1") == ["V7g"]
    state = battle("A heavy_cavalry rome-reserve", terrain={"rome1": "hill"})
    assert refusals(moves(state, 1), "move A rome1>barb1") == []


# --- the summary (V7i) ---------------------------------------------------------------------------

# ground: extra die; VO of medium cavalry, legionaries, auxiliaries, javelins; VD of legionaries, javelins;
# may be shot into; ends a move; open to artillery
SUMMARY = {
    "clear": (False, (3, 3, 3, 2), (3, 2), True, False, True),
    "hill": (True, (3, 3, 3, 2), (3, 2), True, False, True),
    "woods": (False, (1, 2, 3, 2), (3, 4), False, False, True),
    "wooded_hill": (True, (1, 2, 3, 2), (3, 4), False, False, True),
    "thick_forest": (False, (1, 2, 3, 2), (3, 4), False, True, True),
    "steep_height": (True, (3, 3, 3, 2), (3, 2), True, True, True),
    "marsh": (False, (3, 3, 3, 2), (1, 2), True, True, False),
    "rocks": (False, (1, 1, 1, 2), (3, 2), True, True, False),
    "crevasse": (False, (1, 1, 1, 2), (1, 2), True, True, False),
}


@rule("V7i")
@pytest.mark.parametrize("ground", SUMMARY)
def test_the_summary_of_terrain(ground: str) -> None:
    die, offence, defence, shots, stops, artillery = SUMMARY[ground]
    here = {"rome1": ground}
    melee = battle("A legionaries rome1", "X warriors rome1", terrain=here)
    assert (refusals(fights(melee, 1), "fight A hill") == []) == die
    for kind, value in zip(
        ("medium_cavalry", "legionaries", "trained_auxiliaries", "javelinmen"), offence, strict=True
    ):
        assert fights_at(kind, ground, value)
    for kind, value in zip(("legionaries", "javelinmen"), defence, strict=True):
        assert saves_at(kind, ground, value)
    assert saves_at("javelinmen", ground, 2, charged=True)
    shot = battle("A formed_archers rome1", "X warriors barb1", terrain={"barb1": ground})
    assert (refusals(fights(shot, 1), "shoot A") == []) == shots
    way = battle("A heavy_cavalry rome-reserve; B scorpions rome-reserve", terrain=here)
    assert (refusals(moves(way, 1), "move A rome1>barb1") != []) == stops
    assert (refusals(moves(way, 1), "move B rome1") == []) == artillery


@rule("V7i")
def test_the_summary_names_every_ground() -> None:
    assert set(SUMMARY) == set(GROUND)
