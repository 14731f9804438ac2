"""1 Set-up: the deck (1.4), the field (1.5), terrain (1.6), deployment and who begins (1.7), camps (14.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.cards import MakeHand
from legatus.games.virtus.setup import Deployment, DieChoice, FirstPlayer, RollTerrain, SideChoice
from legatus.games.virtus.state import (
    CARD,
    CARDS,
    DECK,
    KINDS,
    PLACE,
    PLACES,
    WAITING,
    VirtusState,
    beside,
    facing,
    owner,
    reserve,
    sectors,
)
from legatus.kernel import NeedLuck, Play, Scripted, Setup, start
from tests.games.virtus.field import battle, decision, do, go_on, legal_lines, refusals, run, told, unit
from tests.rules import rule

ROMANS = {
    "name": "Romans",
    "budget": 150,
    "unit": [{"type": "legionaries", "count": 2}, {"type": "scorpions"}],
    "general": [{"name": "Varus", "chief": True}, {"name": "Numonius"}],
}
GERMANS = {
    "name": "Germans",
    "budget": 150,
    "unit": [{"type": "warriors", "count": 2}],
    "general": [{"name": "Arminius"}],
}
NATURES = ("plain", "hilly", "wooded")
FLAT = 2  # a face that gives nothing, to either player, on every ground

# V1.6d: the chances of each ground in a sector, as worked out in the inventory.
ODDS = {
    "plain": {
        "clear": 64,
        "hill": 8,
        "marsh": 8,
        "rocks": 8,
        "woods": 8,
        "wooded_hill": 1,
        "steep_height": 1,
        "thick_forest": 1,
        "crevasse": 1,
    },
    "hilly": {
        "clear": 12,
        "hill": 8,
        "marsh": 4,
        "rocks": 3,
        "woods": 3,
        "wooded_hill": 2,
        "steep_height": 2,
        "thick_forest": 1,
        "crevasse": 1,
    },
    "wooded": {
        "clear": 12,
        "hill": 3,
        "marsh": 3,
        "rocks": 4,
        "woods": 8,
        "wooded_hill": 2,
        "steep_height": 1,
        "thick_forest": 2,
        "crevasse": 1,
    },
}


def opening(
    *dice: int, rome: dict[str, Any] | None = None, options: dict[str, bool | str] | None = None, **plan: Any
) -> Play:
    """A match of three columns from its very beginning; ``plan`` changes the scenario."""
    scenario = {"name": "x", "columns": 3, "budget": 150, "armies": ("a", "b"), **plan}
    setup = VIRTUS.validate(Setup(scenario, (rome or ROMANS, GERMANS), options or {}))
    script = Scripted(dice)
    play = start(VIRTUS, setup, script)
    assert script.unused == 0
    return play


def deploying(terrain: dict[str, str] | None = None, **plan: Any) -> VirtusState:
    """Rome is about to deploy on given ground."""
    return opening(terrain=terrain or {"rome1": "clear"}, attacker="rome", **plan).state


def lay_out(nature: str, *pairs: tuple[int, int], columns: int = 3) -> dict[str, str]:
    """The ground of every sector after these pairs of dice, the attacker's first; the rest is flat."""
    state = battle(columns=columns)
    missing = 2 * columns - len(pairs)
    state.todo = [DieChoice(0), RollTerrain(nature)]
    done = go_on(state, [face for pair in (*pairs, *[(FLAT, FLAT)] * missing) for face in pair]).state
    return {PLACES[p]: done.terrain[p] for side in (0, 1) for p in sectors(done, side)}


def begins(*faces: int, terrain: dict[str, str] | None = None, **position: Any) -> str:
    """Who begins after these dice; each side has its chief and a unit in reserve, so he draws one card."""
    state = battle(
        rome="A legionaries rome-reserve",
        barbarians="X warriors barb-reserve",
        generals="G rome rome-reserve chief; H barbarians barb-reserve chief",
        terrain=terrain,
        **position,
    )
    state.turn = 0
    state.todo = [FirstPlayer()]
    done = go_on(state, [*faces, CARD["face"]]).state
    assert done.turn == 1
    return ("rome", "barbarians")[done.active]


# --- 1.4 the deck --------------------------------------------------------------------------------


@rule("V1.4a")
def test_each_player_has_the_same_nineteen_cards() -> None:
    state = deploying()
    rome, barbarians = state.pile[:KINDS], state.pile[KINDS:]
    numbers = dict.fromkeys("123456", 2)
    assert {CARDS[card]: n for card, n in enumerate(rome) if n} == {**numbers, "face": 6, "joker": 1}
    assert sum(rome) == 19
    assert rome == barbarians
    assert not any(state.hand + state.discard + state.removed)


@rule("V1.4a")
def test_a_card_too_many_or_too_few_is_noticed() -> None:
    state = deploying()
    assert not list(VIRTUS.invariants(state))
    state.pile[CARD["6"]] += 1
    assert [line.split(":")[0] for line in VIRTUS.invariants(state)] == ["V1.4a"]


@rule("V1.4b")
def test_each_side_draws_from_its_own_pile_where_every_card_is_as_likely() -> None:
    state = battle(rome="A legionaries rome1", barbarians="X warriors barb3")
    state.todo = [DieChoice(0), MakeHand(1)]
    with pytest.raises(NeedLuck) as need:
        go_on(state)
    chances = {CARDS[answer[0]]: chance for chance, answer in need.value.luck.branches()}
    assert chances == {CARDS[card]: Fraction(n, 19) for card, n in enumerate(DECK) if n}
    drawn = go_on(state, [CARD["joker"]]).state
    assert sum(drawn.pile[:KINDS]) == 19
    assert sum(drawn.pile[KINDS:]) == 18
    assert not drawn.pile[KINDS + CARD["joker"]]


# --- 1.5 the field -------------------------------------------------------------------------------


@rule("V1.5a", "V1.5c")
def test_the_table_has_four_sectors_a_camp_and_three_will_do_for_150_points() -> None:
    folder = VIRTUS.folder
    assert VIRTUS.configure().scenario["columns"] == 4
    sizes = {VIRTUS.configure(name).scenario["columns"]: set() for name in folder.names("scenarios")}
    for name in folder.names("scenarios"):
        plan = VIRTUS.configure(name).scenario
        sizes[plan["columns"]].add(plan["budget"])
    assert sizes == {3: {150}, 4: {200}}


@rule("V1.5a", "V1.5b", "V1.5c")
@pytest.mark.parametrize("columns", [3, 4])
def test_a_camp_is_a_reserve_and_its_sectors(columns: int) -> None:
    state = battle(columns=columns)
    for side, camp in enumerate(("rome", "barb")):
        assert PLACES[reserve(side)] == f"{camp}-reserve"
        names = [PLACES[p] for p in sectors(state, side)]
        assert names == [f"{camp}{n}" for n in range(1, columns + 1)]
        assert all(owner(PLACE[name]) == side for name in (*names, f"{camp}-reserve"))


@rule("V1.5b")
@pytest.mark.parametrize("columns", [3, 4])
def test_sectors_of_one_number_face_each_other_and_neighbours_lie_side_by_side(columns: int) -> None:
    state = battle(columns=columns)
    for n in range(1, columns + 1):
        assert PLACES[facing(PLACE[f"rome{n}"])] == f"barb{n}"
        assert PLACES[facing(PLACE[f"barb{n}"])] == f"rome{n}"
    for camp in ("rome", "barb"):
        line = [f"{camp}{n}" for n in range(1, columns + 1)]
        next_to = {name: {PLACES[p] for p in beside(state, PLACE[name])} for name in line}
        assert next_to[line[0]] == {line[1]}
        assert next_to[line[-1]] == {line[-2]}
        assert all(next_to[name] == {line[i], line[i + 2]} for i, name in enumerate(line[1:-1]))
        assert beside(state, PLACE[f"{camp}-reserve"]) == []


@rule("V1.5c")
def test_a_table_of_three_columns_has_no_fourth_sector_to_deploy_in() -> None:
    assert refusals(deploying(columns=3), "deploy legion-1 rome4") == ["V1.7b"]
    assert refusals(deploying(columns=4), "deploy legion-1 rome4") == []


# --- 1.6 terrain ---------------------------------------------------------------------------------


@rule("V1.6a")
def test_a_scenario_that_fixes_the_terrain_asks_for_no_dice() -> None:
    state = opening(attacker="rome", terrain={"rome2": "hill", "barb3": "crevasse"}).state
    assert isinstance(decision(state), Deployment)
    grounds = {PLACES[p]: ground for p, ground in enumerate(state.terrain) if ground != "clear"}
    assert grounds == {"rome2": "hill", "barb3": "crevasse"}


@rule("V1.6a", "V1.6b")
def test_otherwise_lots_are_drawn_and_the_attacker_picks_a_die() -> None:
    with pytest.raises(NeedLuck) as need:
        opening()
    assert list(need.value.luck.branches()) == [(Fraction(1, 2), (0,)), (Fraction(1, 2), (1,))]
    for attacker in (0, 1):
        state = opening(attacker).state
        assert decision(state) == DieChoice(attacker)
        assert state.attacker == attacker


@rule("V1.6a", "V1.6b")
def test_a_scenario_may_fix_the_attacker_and_the_nature_of_the_field() -> None:
    assert decision(opening(attacker="barbarians").state) == DieChoice(1)
    state = opening(*[6, 6] * 6, attacker="barbarians", nature="wooded").state
    assert decision(state) == SideChoice(0)
    assert state.terrain[PLACE["rome1"]] == "wooded_hill"


@rule("V1.6b")
@pytest.mark.parametrize(
    ("die", "natures"),
    [
        ("P", ["hilly", "wooded", "plain", "plain", "plain", "plain"]),
        ("M", ["plain", "wooded", "hilly", "hilly", "hilly", "hilly"]),
        ("B", ["plain", "hilly", "wooded", "wooded", "wooded", "wooded"]),
    ],
)
def test_the_die_settles_the_nature_of_the_field(die: str, natures: list[str]) -> None:
    # A pair of fives is nothing in the plain, a hill in the hills, woods in the woods.
    fives = {"plain": "clear", "hilly": "hill", "wooded": "woods"}
    state = opening(0).state
    for face, nature in enumerate(natures, 1):
        play = do(state, f"choose-die {die}", dice=[face, *[5] * 12])
        assert play.state.terrain[PLACE["rome1"]] == fives[nature]
        assert [event.values["nature"] for event in play.events if event.key == "event.nature"] == [nature]


@rule("V1.6b")
def test_there_are_three_dice_to_choose_from() -> None:
    state = opening(0).state
    assert legal_lines(state) == ["choose-die P", "choose-die M", "choose-die B"]
    assert refusals(state, "choose-die A") == ["V1.6b"]


@rule("V1.6c")
@pytest.mark.parametrize("columns", [3, 4])
def test_both_players_roll_for_every_sector_of_both_camps(columns: int) -> None:
    for k in range(2 * columns):
        pairs = [(FLAT, FLAT)] * (2 * columns)
        pairs[k] = (1, FLAT)
        grounds = lay_out("plain", *pairs, columns=columns)
        assert list(grounds.values()).count("marsh") == 1
        assert list(grounds)[k] == next(place for place in grounds if grounds[place] == "marsh")


@rule("V1.6c")
def test_reserves_have_no_terrain() -> None:
    state = opening(0).state
    state = do(state, "choose-die M", dice=[3, *[6] * 12]).state
    assert [state.terrain[PLACE[name]] for name in ("rome-reserve", "barb-reserve")] == ["clear", "clear"]
    assert all(state.terrain[p] == "wooded_hill" for side in (0, 1) for p in sectors(state, side))


@rule("V1.6c", "V1.6e")
@pytest.mark.parametrize(
    ("nature", "mine", "yours"),
    [
        ("plain", {1: "marsh", 10: "hill"}, {1: "rocks", 10: "woods"}),
        ("hilly", {1: "marsh", 5: "hill", 6: "hill"}, {1: "rocks", 6: "woods"}),
        ("wooded", {1: "marsh", 6: "hill"}, {1: "rocks", 5: "woods", 6: "woods"}),
    ],
)
def test_each_face_gives_the_ground_of_the_table_or_none(
    nature: str, mine: dict[int, str], yours: dict[int, str]
) -> None:
    for face in range(1, 11 if nature == "plain" else 7):
        assert lay_out(nature, (face, FLAT))["rome1"] == mine.get(face, "clear")
        assert lay_out(nature, (FLAT, face))["rome1"] == yours.get(face, "clear")


@rule("V1.6c")
def test_the_dice_have_ten_faces_in_the_plain_and_six_elsewhere() -> None:
    for nature, sides in (("plain", 10), ("hilly", 6), ("wooded", 6)):
        state = battle()
        state.todo = [DieChoice(0), RollTerrain(nature)]
        for known in ([], [FLAT]):  # the attacker's die, then the defender's
            with pytest.raises(NeedLuck) as need:
                go_on(state, known)
            assert need.value.luck.sides == sides


@rule("V1.6d")
@pytest.mark.parametrize("nature", NATURES)
def test_two_elements_make_one_combined_ground(nature: str) -> None:
    top = 10 if nature == "plain" else 6
    assert lay_out(nature, (top, top))["rome1"] == "wooded_hill"
    assert lay_out(nature, (top, 1))["rome1"] == "steep_height"
    assert lay_out(nature, (1, top))["rome1"] == "thick_forest"
    assert lay_out(nature, (1, 1))["rome1"] == "crevasse"


@rule("V1.6c", "V1.6d", "V1.6e")
@pytest.mark.parametrize("nature", NATURES)
def test_all_faces_together_give_the_odds_of_the_inventory(nature: str) -> None:
    faces = range(1, 11 if nature == "plain" else 7)
    found = Counter(lay_out(nature, pair)["rome1"] for pair in product(faces, faces))
    assert found == ODDS[nature]


@rule("V1.6c", "V1.6d")
@pytest.mark.parametrize("nature", NATURES)
def test_exact_odds_of_a_sector_are_those_of_the_inventory(nature: str) -> None:
    """The same odds by the branches that ``outcomes`` would take: luck asked for in bands of faces."""
    state = battle()
    state.todo = [DieChoice(0), RollTerrain(nature)]
    found: dict[str, Fraction] = {}
    for chance, one in branches(state, ()):
        for more, two in branches(state, one):
            ground = lay_out(nature, (one[0], two[0]))["rome1"]
            found[ground] = found.get(ground, Fraction(0)) + chance * more
    total = sum(ODDS[nature].values())
    assert found == {ground: Fraction(n, total) for ground, n in ODDS[nature].items()}


def branches(state: VirtusState, known: Sequence[int]) -> list[tuple[Fraction, tuple[int, ...]]]:
    with pytest.raises(NeedLuck) as need:
        go_on(state, known)
    return list(need.value.luck.branches())


# --- 1.7 sides and deployment --------------------------------------------------------------------


@rule("V1.7a")
@pytest.mark.parametrize("attacker", [0, 1])
def test_the_defender_picks_his_edge_once_the_terrain_lies(attacker: int) -> None:
    state = opening(attacker).state
    state = do(state, "choose-die P", dice=[3, *[FLAT] * 12]).state
    assert decision(state) == SideChoice(1 - attacker)
    assert legal_lines(state) == ["choose-side south", "choose-side north"]
    assert refusals(state, "choose-side east") == ["V1.7a"]


@rule("V1.7a")
@pytest.mark.parametrize("columns", [3, 4])
@pytest.mark.parametrize(("defender", "stays", "turns"), [(0, "south", "north"), (1, "north", "south")])
def test_the_other_edge_turns_the_table_round(columns: int, defender: int, stays: str, turns: str) -> None:
    state = battle(terrain={"rome1": "hill", "rome2": "marsh", f"barb{columns}": "woods"}, columns=columns)
    state.todo = [Deployment(0), SideChoice(defender)]
    assert run(state, f"choose-side {stays}").terrain == state.terrain
    turned = run(state, f"choose-side {turns}").terrain
    grounds = {PLACES[p]: ground for p, ground in enumerate(turned) if ground != "clear"}
    assert grounds == {f"barb{columns}": "hill", f"barb{columns - 1}": "marsh", "rome1": "woods"}


@rule("V1.7b")
@pytest.mark.parametrize("columns", [3, 4])
def test_units_and_generals_go_anywhere_in_their_own_camp_and_nowhere_else(columns: int) -> None:
    state = deploying(columns=columns)
    own = ["rome-reserve", *(f"rome{n}" for n in range(1, columns + 1))]
    for piece in ("legion-1", "scorpions-1", "varus"):
        for place in PLACES:
            wanted = [] if place in own else ["V1.7b"]
            assert refusals(state, f"deploy {piece} {place}") == wanted, (piece, place)
        assert refusals(state, f"deploy {piece} nowhere") == ["V1.7b"]


@rule("V1.7b")
def test_nobody_deploys_the_other_side_or_anything_twice() -> None:
    state = run(deploying(), "deploy legion-1 rome1", "deploy varus rome2")
    assert refusals(state, "deploy warriors-1 rome1") == ["V1.7b"]
    assert refusals(state, "deploy arminius rome1") == ["V1.7b"]
    assert refusals(state, "deploy legion-1 rome2") == ["V1.7b"]
    assert refusals(state, "deploy varus rome3") == ["V1.7b"]
    assert state.place[unit(state, "legion-1")] == PLACE["rome1"]


@rule("V1.7b")
def test_deployment_ends_when_everything_stands() -> None:
    state = run(deploying(), "deploy legion-1 rome1", "deploy legion-2 rome1", "deploy scorpions-1 rome1")
    assert refusals(state, "done") == ["V1.7b"]
    state = run(state, "deploy varus rome-reserve")
    assert refusals(state, "done") == ["V1.7b"]
    state = run(state, "deploy numonius rome-reserve")  # all in one sector, both generals in reserve
    assert refusals(state, "done") == []
    assert refusals(state, "deploy-rest") == ["V1.7b"]
    assert decision(run(state, "done")) == Deployment(1)


@rule("V1.7b")
def test_the_short_way_sets_up_what_waits_and_leaves_the_rest() -> None:
    state = deploying({"rome1": "marsh", "rome2": "rocks", "rome3": "crevasse"})
    state = run(state, "deploy legion-1 rome3", "deploy-rest")
    assert state.place[unit(state, "legion-1")] == PLACE["rome3"]
    assert WAITING not in [state.place[i] for i in state.roster.of[0]]
    assert state.place[unit(state, "scorpions-1")] == PLACE["rome-reserve"]  # V7f
    assert refusals(state, "done") == []
    assert not list(VIRTUS.invariants(state))


@rule("V1.7b", "V7f")
@pytest.mark.parametrize("ground", ["marsh", "rocks", "crevasse"])
def test_artillery_is_not_set_up_in_marsh_or_rocks(ground: str) -> None:
    state = deploying({"rome1": ground})
    assert refusals(state, "deploy scorpions-1 rome1") == ["V7f"]
    assert refusals(state, "deploy legion-1 rome1") == []


@rule("V1.7b", "V8d")
def test_two_generals_start_in_one_place_only_in_the_reserve() -> None:
    state = deploying()
    assert refusals(run(state, "deploy varus rome2"), "deploy numonius rome2") == ["V8d"]
    assert refusals(run(state, "deploy varus rome2"), "deploy numonius rome3") == []
    assert refusals(run(state, "deploy varus rome-reserve"), "deploy numonius rome-reserve") == []


@rule("V1.7c")
def test_both_sides_deploy_before_either_is_revealed() -> None:
    state = run(deploying(), "deploy-rest")
    play = do(state, "done")
    assert decision(play.state) == Deployment(1)
    assert not any(event.key == "event.deployed" for event in play.events)
    state = run(play.state, "deploy-rest")
    last = do(state, "done", dice=[1, 6, *[CARD["face"]] * 4])  # Rome begins and draws
    assert ("V1.7c", "event.deployed") in told(last)
    assert last.sealed


@rule("V1.7c")
def test_a_deployment_is_told_to_nobody_else() -> None:
    state = deploying({"rome1": "thick_forest"}, rome={**ROMANS, "camp": True})
    for line in ("deploy legion-1 rome1 hidden", "decoy rome1", "fortify rome2", "deploy-rest"):
        play = do(state, line)
        assert {event.to for event in play.events} == {0}, line
        state = play.state


# --- who begins ----------------------------------------------------------------------------------


@rule("V1.7d")
def test_the_lower_die_begins() -> None:
    assert begins(2, 3) == "rome"
    assert begins(3, 2) == "barbarians"


@rule("V1.7d")
def test_equal_totals_are_rolled_again() -> None:
    assert begins(4, 4, 6, 6, 5, 1) == "barbarians"
    assert begins(4, 4, 1, 5) == "rome"


@rule("V1.7d")
def test_each_terrain_element_of_the_own_camp_counts_one() -> None:
    hills = {"rome1": "hill", "rome3": "woods"}
    assert begins(3, 6, terrain=hills) == "rome"  # 5 to 6
    assert begins(4, 6, 1, 4, terrain=hills) == "rome"  # 6 to 6, then 3 to 4
    assert begins(4, 5, terrain=hills) == "barbarians"  # 6 to 5
    assert begins(6, 4, 6, 3, terrain={"barb2": "marsh", "barb1": "rocks"}) == "barbarians"  # 6 to 5
    assert begins(5, 4, terrain={"barb2": "marsh", "barb1": "rocks"}) == "rome"  # 5 to 6


@rule("V1.7d")
@pytest.mark.parametrize("ground", ["wooded_hill", "steep_height", "thick_forest", "crevasse"])
def test_a_combined_terrain_is_one_element(ground: str) -> None:
    assert begins(3, 4, 3, 5, terrain={"rome2": ground}) == "rome"  # 4 to 4, then 4 to 5


@rule("V1.7d")
def test_rivers_and_camps_are_no_terrain_elements() -> None:
    assert begins(3, 4, camps=["rome1", "rome2"], rivers={"seg1": "river"}) == "rome"
    assert begins(4, 3, camps=["barb1", "barb2"], rivers={"seg1": "river"}) == "barbarians"


# --- 14.2 placing a camp -------------------------------------------------------------------------


@rule("V14.2a")
@pytest.mark.parametrize(
    ("ground", "allowed"),
    [
        ("clear", True),
        ("hill", True),
        ("woods", False),
        ("wooded_hill", False),
        ("thick_forest", False),
        ("steep_height", False),
        ("marsh", False),
        ("rocks", False),
        ("crevasse", False),
    ],
)
def test_a_camp_stands_on_clear_ground_or_a_hill(ground: str, allowed: bool) -> None:
    state = deploying({"rome2": ground}, rome={**ROMANS, "camp": True})
    assert refusals(state, "fortify rome2") == ([] if allowed else ["V14.2a"])


@rule("V14.2a")
def test_the_buyer_places_his_camp_in_a_sector_of_his_own() -> None:
    state = deploying(rome={**ROMANS, "camp": True})
    for place in ("barb1", "rome-reserve", "rome4", "nowhere"):
        assert refusals(state, f"fortify {place}") == ["V14.2a"], place
    assert "fortify rome2" in legal_lines(state)
    state = run(state, "fortify rome2")
    assert [PLACES[p] for p, camp in enumerate(state.camp) if camp] == ["rome2"]


@rule("V14.2a")
def test_a_camp_is_placed_once_and_must_be_if_it_can() -> None:
    pieces = ("legion-1", "legion-2", "scorpions-1", "varus", "numonius")
    state = deploying(rome={**ROMANS, "camp": True})
    state = run(state, *(f"deploy {piece} rome-reserve" for piece in pieces))
    assert refusals(state, "done") == ["V14.2a"]
    state = run(state, "fortify rome2")
    assert refusals(state, "done") == []
    assert refusals(state, "fortify rome1") == ["V14.2a"]
    assert decision(run(state, "done")) == Deployment(1)


@rule("V14.2a")
def test_the_short_way_places_a_bought_camp_where_it_may_stand() -> None:
    state = deploying({"rome2": "woods", "rome3": "marsh"}, rome={**ROMANS, "camp": True})
    state = run(state, "deploy-rest")
    assert [PLACES[p] for p, camp in enumerate(state.camp) if camp] == ["rome1"]
    assert refusals(state, "fortify rome1")[0] == "V14.2a"
    assert refusals(state, "done") == []


@rule("V14.2a")
def test_who_bought_no_camp_places_none() -> None:
    state = deploying()
    assert refusals(state, "fortify rome2") == ["V14.2a"]
    assert not any(line.startswith("fortify") for line in legal_lines(state))


@rule("V14.2a")
def test_a_camp_that_fits_nowhere_stays_away() -> None:
    grounds = {"rome1": "marsh", "rome2": "steep_height", "rome3": "wooded_hill"}
    state = run(deploying(grounds, rome={**ROMANS, "camp": True}), "deploy-rest")
    assert refusals(state, "done") == []


@rule("V14.2a")
def test_no_camp_is_built_on_a_camp_of_the_scenario() -> None:
    grounds = {"rome1": "marsh", "rome2": "hill", "rome3": "wooded_hill"}
    state = deploying(grounds, camps=["rome2"], rome={**ROMANS, "camp": True})
    assert refusals(state, "fortify rome2") == ["V14.2a"]
    state = deploying({"rome2": "hill"}, camps=["rome2"], rome={**ROMANS, "camp": True})
    assert refusals(state, "fortify rome1") == []
