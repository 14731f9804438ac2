"""1 Map and set-up: the printed tables, who is placed where, treasury and opening hands."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from legatus.games.julian import JULIAN
from legatus.games.julian.combat import Combats
from legatus.games.julian.setup import Deployment, Opening, PlaceRest
from legatus.games.julian.state import (
    BARBARIAN,
    CLOSED,
    GROUNDS,
    MARKERS,
    ROMAN,
    SEATS,
    JulianState,
    is_winter,
)
from legatus.games.julian.throws import throw
from legatus.games.julian.victory import EndTurn
from legatus.kernel import NeedLuck, Play, Scripted, start
from tests.rules import rule

from .stage import at, campaign, clauses, do, go_on, hand, holder, legal_lines, run, told, where

ROSTER = campaign().roster
MAP = ROSTER.grid


def opened() -> JulianState:
    """The first decision of a campaign."""
    return start(JULIAN, JULIAN.configure("gaul"), Scripted([])).state  # type: ignore[no-any-return]


def cells_of(name: str) -> set[str]:
    return {MAP.names[cell] for cell, ground in enumerate(ROSTER.ground) if GROUNDS[ground] == name}


# --- the scenario --------------------------------------------------------------------------------


@rule("JH.scenario")
@pytest.mark.parametrize("turn", range(1, 9))
def test_odd_turns_are_summers_and_even_turns_are_winters(turn: int) -> None:
    assert is_winter(campaign(turn=turn)) == (turn in (2, 4, 6, 8))
    season = "winter" if turn in (2, 4, 6, 8) else "summer"
    state = opened()
    state.turn = turn
    track = JULIAN.scene(state, None, "en").tracks[0]
    assert track.value.startswith(f"{turn}/8")
    assert track.value.endswith(str((356, 356, 357, 357, 358, 358, 359, 359)[turn - 1]))
    assert season in track.value


@rule("JH.scenario")
def test_two_players_three_commands_each_and_four_peoples() -> None:
    assert JULIAN.seats == ("roman", "barbarian")
    assert [(c.id, SEATS[c.side]) for c in ROSTER.commands] == [
        ("caesar", "roman"),
        ("equitum", "roman"),
        ("peditum", "roman"),
        ("alamanni", "barbarian"),
        ("southern", "barbarian"),
        ("franks", "barbarian"),
    ]
    assert [people.id for people in ROSTER.peoples] == ["salii", "batavi", "laeti", "burgundians"]
    assert (ROSTER.values.turns, ROSTER.values.year) == (8, 356)


@rule("JH.dice")
def test_every_die_has_six_sides() -> None:
    with pytest.raises(NeedLuck) as need:
        go_on(at(campaign(), Opening()))
    assert (need.value.luck.n, need.value.luck.sides, need.value.luck.low) == (1, 6, 1)
    battle = at(campaign("caesar-auxilia-1 0105; alamanni-warband-1 0205", acting="caesar"), Combats(ROMAN))
    with pytest.raises(NeedLuck) as need:
        run(battle, "attack 0205", "fight")
    assert (need.value.luck.n, need.value.luck.sides, need.value.luck.low) == (1, 6, 1)
    with pytest.raises(NeedLuck) as need:
        throw(Play(campaign(), Scripted([])), "JH.dice", "raise", ROMAN, EndTurn())
    assert (need.value.luck.n, need.value.luck.sides, need.value.luck.low) == (1, 6, 1)


# --- the map -------------------------------------------------------------------------------------

FORESTS = "0600 0800 0501 0701 0202 0402 0602 0802 0303 0703 0504 0704 0705 0606 0607 0108"
MOUNTAINS = "0406 0407 0807 0608 0409 0509 0010 0110 0410"
SEA = "0000 0100 0200 0001"
WASTE = "0708 0808 0609 0709 0809 0510 0610 0710 0810"


@rule("JH.map")
@pytest.mark.parametrize(
    ("ground", "hexes"),
    [("forest", FORESTS), ("mountain", MOUNTAINS), ("closed", f"{SEA} {WASTE}")],
    ids=["forest", "mountain", "closed"],
)
def test_the_ground_of_the_map(ground: str, hexes: str) -> None:
    assert cells_of(ground) == set(hexes.split())


@rule("JH.map")
def test_the_map_has_86_playable_hexes() -> None:
    assert (MAP.columns, MAP.rows) == (9, 11)
    assert sum(ground != CLOSED for ground in ROSTER.ground) == 86
    assert len(cells_of("clear")) == 61


@rule("JH.map")
def test_odd_rows_lie_half_a_hex_further_east() -> None:
    around = {MAP.names[cell] for cell in MAP.neighbours[MAP.cells["0205"]]}
    assert around == {"0204", "0304", "0105", "0305", "0206", "0306"}
    around = {MAP.names[cell] for cell in MAP.neighbours[MAP.cells["0304"]]}
    assert around == {"0203", "0303", "0204", "0404", "0205", "0305"}


@rule("JH.map")
def test_barbarian_land_lies_east_of_the_rhine() -> None:
    east = {0: 5, 1: 5, 2: 6, 3: 6, 4: 7, 5: 6, 6: 6, 7: 6}
    wanted = {f"{column:02}{row:02}" for row, first in east.items() for column in range(first, 9)}
    land = {MAP.names[n] for n, ground in enumerate(ROSTER.ground) if ground != CLOSED and not ROSTER.gaul[n]}
    assert land == wanted


@rule("JH.map")
@pytest.mark.parametrize(
    ("a", "b", "river"),
    [
        ("0505", "0605", True),
        ("0605", "0505", True),
        ("0604", "0605", True),
        ("0608", "0607", True),
        ("0505", "0604", False),
        ("0605", "0606", False),
        ("0205", "0305", False),
    ],
)
def test_between_gaul_and_barbarian_land_is_the_rhine(a: str, b: str, river: bool) -> None:
    assert ROSTER.is_rhine(MAP.cells[a], MAP.cells[b]) == river


CITIES = """
noviomagus 0400 1 barbarian; tricensima 0401 1 barbarian; bononia 0002 1 roman; atuatuca 0302 1 roman;
colonia 0502 3 barbarian; samarobriva 0003 1 roman; treverorum 0403 3 roman; mogontiacum 0503 2 barbarian;
durocortorum 0204 2 roman; divodurum 0404 2 roman; borbetomagus 0604 1 barbarian; lutetia 0005 2 roman;
tres-tabernae 0405 1 barbarian; argentoratum 0505 2 barbarian; agedincum 0106 1 roman;
tricasses 0206 1 roman; autessiodurum 0107 1 roman; andematunnum 0307 1 roman; raurica 0507 1 roman;
augustodunum 0208 2 roman; cabillonum 0308 1 roman; vesontio 0408 1 roman; lugdunum 0310 3 roman
"""


@rule("JH.map")
@pytest.mark.parametrize("row", CITIES.strip().split(";"))
def test_a_city_with_its_hex_its_value_and_who_holds_it(row: str) -> None:
    name, hex_, value, side = row.split()
    city = ROSTER.cities[ROSTER.city_index[name]]
    assert (MAP.names[city.cell], city.value, SEATS[city.holder]) == (hex_, int(value), side)
    assert holder(campaign(), name) == side


@rule("JH.map", "JH.calibration")
def test_there_are_23_cities_worth_24_and_11() -> None:
    assert len(ROSTER.cities) == 23
    worth = [sum(city.value for city in ROSTER.cities if city.holder == side) for side in (ROMAN, BARBARIAN)]
    assert worth == [24, 11]


ROADS = (
    "0310 0309 0308 0307 0306 0305 0404 0403 0502",
    "0308 0208 0107 0106 0005 0004 0003 0002",
    "0106 0206 0205 0204 0203 0302 0402 0502",
    "0204 0304 0404 0405 0505",
    "0507 0506 0505 0604 0503 0502 0401 0400",
    "0307 0408 0508 0507",
    "0403 0503",
)


@rule("JH.map", "JH.calibration")
def test_roads_run_through_neighbouring_hexes() -> None:
    wanted = set()
    for chain in ROADS:
        names = chain.split()
        for a, b in pairwise(names):
            assert MAP.distance(MAP.cells[a], MAP.cells[b]) == 1
            wanted |= {(a, b), (b, a)}
    assert {(MAP.names[a], MAP.names[b]) for a, b in ROSTER.road} == wanted


# --- the counters --------------------------------------------------------------------------------

KINDS = {  # combat, movement, price
    "comitatenses": (4, 3, 5),
    "auxilia": (3, 3, 4),
    "equites": (2, 4, 3),
    "limitanei": (1, 1, 1),
    "garrison": (2, 0, 2),
    "retinue": (3, 3, 0),
    "warband": (2, 2, 0),
    "raiders": (1, 4, 0),
    "foederati": (3, 3, 0),
    "band": (2, 2, 0),
}


@rule("JH.units")
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_counter_shows(kind: str) -> None:
    shown = {(unit.combat, unit.move, unit.cost) for unit in ROSTER.units if unit.kind == kind}
    assert shown == {KINDS[kind]}


@rule("JH.units", "JH.leaders")
@pytest.mark.parametrize(
    ("name", "bonus", "move"),
    [
        ("julian", 1, 5),
        ("marcellus", 0, 5),
        ("severus", 1, 5),
        ("barbatio", 0, 5),
        ("chnodomar", 1, 4),
        ("vadomar", 0, 4),
        ("nebisgast", 0, 4),
    ],
)
def test_leaders_have_no_combat_factor(name: str, bonus: int, move: int) -> None:
    unit = ROSTER.units[ROSTER.index[name]]
    assert (unit.leader, unit.combat, unit.bonus, unit.move) == (True, 0, bonus, move)


COMMANDS = {  # units in all, of these on the map, start places
    "caesar": ("comitatenses=3/2 auxilia=3/2 equites=1/1", "julian", "0208 0107"),
    "equitum": ("comitatenses=2/1 auxilia=3/2 equites=2/1 limitanei=4/2", "marcellus", "0204 0404"),
    "peditum": ("comitatenses=3/2 auxilia=2/1 equites=1/1 limitanei=2/1", "barbatio", "0507 0408"),
    "alamanni": ("retinue=3/2 warband=7/4 raiders=2/1", "chnodomar", "0505 0405 0604 0605"),
    "southern": ("retinue=2/1 warband=6/3 raiders=2/1", "vadomar", "0606 0607 0506"),
    "franks": ("retinue=2/1 warband=6/4 raiders=2/1", "nebisgast", "0502 0503 0401 0400"),
}


@rule("JH.commands")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_with_its_units_leader_and_places(name: str) -> None:
    c = ROSTER.command_index[name]
    command = ROSTER.commands[c]
    kinds = Counter(ROSTER.units[i].kind for i in ROSTER.of_command[c] if not ROSTER.units[i].leader)
    begin = Counter(ROSTER.units[i].kind for i in command.opening if not ROSTER.units[i].leader)
    found = " ".join(f"{kind}={number}/{begin[kind]}" for kind, number in kinds.items())
    leaders = [ROSTER.units[i].id for i in command.opening if ROSTER.units[i].leader]
    units, leader, places = COMMANDS[name]
    assert (found, leaders) == (units, [leader])
    assert [MAP.names[cell] for cell in command.start] == places.split()


@rule("JH.commands")
@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("alamanni", (3, 4, 5, 6)),
        ("southern", (6, 7)),
        ("franks", (0, 1, 2)),
        ("caesar", ()),
        ("peditum", ()),
    ],
)
def test_home_is_barbarian_land_of_some_rows(name: str, rows: tuple[int, ...]) -> None:
    home = set(ROSTER.commands[ROSTER.command_index[name]].home)
    land = [n for n, ground in enumerate(ROSTER.ground) if ground != CLOSED and not ROSTER.gaul[n]]
    assert home == {cell for cell in land if MAP.row(cell) in rows}


@rule("JH.commands", "JH.6_0")
def test_garrisons_and_federates_have_no_command() -> None:
    free = [unit for unit in ROSTER.units if unit.command < 0]
    assert {unit.kind for unit in free} == {"garrison", "foederati", "band"}
    assert Counter(unit.kind for unit in free)["garrison"] == 8
    peoples = {
        people.id: Counter(ROSTER.units[i].kind for i in ROSTER.of_people[p])
        for p, people in enumerate(ROSTER.peoples)
    }
    assert peoples == {
        "salii": {"foederati": 1, "band": 2},
        "batavi": {"band": 2},
        "laeti": {"band": 2},
        "burgundians": {"foederati": 1, "band": 3},
    }


@rule("JH.leaders")
def test_severus_waits_to_take_the_place_of_marcellus() -> None:
    severus = ROSTER.units[ROSTER.index["severus"]]
    assert (ROSTER.units[severus.follows].id, severus.turn) == ("marcellus", 3)
    assert where(opened(), "severus") == "later"


@rule("JH.pool")
def test_the_pool_holds_32_markers() -> None:
    assert dict(zip(MARKERS, ROSTER.pool, strict=True)) == {
        "agentes": 6,
        "credo": 4,
        "dux": 5,
        "federate": 6,
        "imperium": 4,
        "military": 7,
    }


# --- placing -------------------------------------------------------------------------------------


@rule("JH.setup", "JH.6_0")
def test_garrisons_and_peoples_stand_ready_and_no_city_is_sacked() -> None:
    state = opened()
    garrisons = ["0403", "0404", "0005", "0310", "0208", "0204", "pool", "pool"]
    assert [where(state, f"garrison-{n}") for n in range(1, 9)] == garrisons
    homes = {"salii": "0201", "batavi": "0300", "laeti": "0207", "burgundians": "0804"}
    for unit in ROSTER.units:
        if unit.people >= 0:
            assert where(state, unit.id) == homes[ROSTER.peoples[unit.people].id]
        elif unit.kind != "garrison":
            assert where(state, unit.id) in ("pool", "later")
    assert not any(state.sacked)
    assert set(state.ally) == {2}


@rule("JH.setup")
def test_the_barbarian_places_first_and_then_the_roman() -> None:
    state = opened()
    assert state.decision == Deployment(BARBARIAN)
    state = run(state, "place-rest")
    assert state.decision == Deployment(ROMAN)
    with pytest.raises(NeedLuck):  # and then the treasury is rolled for
        run(state, "place-rest")


@rule("JH.setup")
def test_a_unit_goes_to_a_start_place_of_its_command() -> None:
    state = opened()  # the first unit is a retinue of the Alamanni
    assert legal_lines(state) == ["place 0505", "place 0405", "place 0604", "place 0605", "place-rest"]
    for hex_ in ("0606", "0502", "0504", "0000", "nowhere"):
        assert clauses(state, f"place {hex_}") == ["JH.setup"]
    after = do(state, "place 0604")
    assert where(after.state, "alamanni-retinue-1") == "0604"
    assert ("JH.setup", "event.placed") in told(after)
    assert after.state.decision == Deployment(BARBARIAN)


@rule("JH.setup")
def test_a_start_place_takes_three_units() -> None:
    state = run(opened(), "place 0505", "place 0505", "place 0505")
    assert clauses(state, "place 0505") == ["JH.setup"]
    assert legal_lines(state) == ["place 0405", "place 0604", "place 0605", "place-rest"]
    assert clauses(run(opened(), "place 0505", "place 0505"), "place 0505") == []


@rule("JH.setup")
def test_garrisons_are_not_counted_among_the_three() -> None:
    state = run(opened(), "place-rest")  # Augustodunum has a garrison
    for _ in range(3):
        assert clauses(state, "place 0208") == []
        state = run(state, "place 0208")
    assert clauses(state, "place 0208") == ["JH.setup"]
    assert clauses(state, "place 0107") == []


@rule("JH.setup")
def test_a_leader_is_placed_with_a_unit_of_his_command() -> None:
    state = run(opened(), *["place 0505"] * 3, *["place 0405"] * 3, "place 0604")
    assert legal_lines(state) == ["place 0505", "place 0405", "place 0604", "place-rest"]  # full ones too
    assert clauses(state, "place 0605") == ["JH.setup"]
    assert where(run(state, "place 0505"), "chnodomar") == "0505"


@rule("JH.setup")
def test_the_rest_is_placed_within_the_rules() -> None:
    state = run(opened(), "place 0505", "place-rest")
    assert where(state, "alamanni-retinue-1") == "0505"
    for command in ROSTER.commands[3:]:
        cells = [state.cell[i] for i in command.opening if not ROSTER.units[i].leader]
        assert set(cells) <= set(command.start)
        assert max(Counter(cells).values()) <= 3
        leader = next(i for i in command.opening if ROSTER.units[i].leader)
        assert state.cell[leader] in cells
    spread = Counter(state.cell[i] for i in ROSTER.commands[3].opening if not ROSTER.units[i].leader)
    assert sorted(spread.values()) == [1, 2, 2, 2]


@rule("JH.setup")
@pytest.mark.parametrize("scenario", JULIAN.folder.names("scenarios"))
def test_the_rest_is_placed_as_a_sensible_player_would(scenario: str) -> None:
    """Leaders with the strongest stack of their command; no start place left empty for a crowd in another."""
    state = start(JULIAN, JULIAN.configure(scenario), Scripted([])).state
    roster = state.roster
    for seat in (BARBARIAN, ROMAN):
        plan = Play(state, Scripted([]))
        plan.taken = Deployment(seat)
        PlaceRest().perform(plan)
    for command in roster.commands:
        force = Counter[int]()
        for i in command.opening:
            if not roster.units[i].leader:
                force[state.cell[i]] += roster.units[i].combat
        held = Counter(state.cell[i] for i in command.opening if not roster.units[i].leader)
        assert max(held.values()) - min(held[cell] for cell in command.start) <= 1, command.id
        for i in command.opening:
            if roster.units[i].leader:
                assert force[state.cell[i]] == max(force.values()), roster.units[i].id


@rule("JH.setup")
def test_the_other_units_are_in_the_force_pools() -> None:
    state = run(run(opened(), "place-rest"), "place-rest", dice=[1, 1, 0, 1, 0])
    placed = {i for command in ROSTER.commands for i in command.opening}
    for i, unit in enumerate(ROSTER.units):
        if unit.command >= 0 and i not in placed and unit.id != "severus":
            assert where(state, unit.id) == "pool"
        elif unit.command >= 0 and i in placed:
            assert state.cell[i] >= 0


# --- treasury and hands --------------------------------------------------------------------------


@rule("JH.treasury", "JH.setup")
@pytest.mark.parametrize("face", range(1, 7))
def test_the_treasury_opens_with_eight_and_twice_a_die(face: int) -> None:
    state = go_on(at(campaign(tp=0), Opening()), [face, 1, 0, 1, 0]).state
    assert state.tp == {1: 10, 2: 12, 3: 14, 4: 16, 5: 18, 6: 20}[face]


@rule("JH.pool", "JH.setup")
@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("seat", SEATS)
def test_the_opening_hand_follows_a_die(seat: str, face: int) -> None:
    number = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3}[face]
    first, second = [face, *[2] * number], [1, 5]
    dice = [3, *first, *second] if seat == "roman" else [3, *second, *first]
    state = go_on(at(campaign(), Opening()), dice).state
    assert hand(state, seat) == {"dux": number}
    assert hand(state, SEATS[1 - SEATS.index(seat)]) == {"military": 1}
    assert state.pool == [6, 4, 5 - number, 6, 4, 6]


@rule("JH.setup")
def test_the_treasury_comes_first_then_the_roman_hand_then_the_other() -> None:
    play = go_on(at(campaign(), Opening()), [2, 1, 0, 1, 1])
    public = [event.key for event in play.events if event.to is None]
    assert public == ["event.treasury", *["event.opening_hand", "event.draws"] * 2]
    sides = [event.values["side"] for event in play.events if event.key == "event.opening_hand"]
    assert sides == ["roman", "barbarian"]
    assert [event.to for event in play.events if event.key == "event.draws_which"] == [0, 1]


@rule("JH.setup")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_no_marker_is_played_during_the_set_up(seat: int) -> None:
    hands = ("agentes imperium", "agentes imperium")
    state = at(campaign(hands=hands, operating=False, active=SEATS[seat]), Deployment(seat))
    assert clauses(state, "spy") == ["JS.agentes.1"]
    assert clauses(state, "spy imperium") == ["JS.agentes.1"]
    assert {line.split()[0] for line in legal_lines(state)} == {"place", "place-rest"}


@rule("JH.setup")
def test_both_options_are_agreed_beforehand_and_off_by_themselves() -> None:
    assert not ROSTER.rules.supply
    assert not ROSTER.rules.crises
    assert not ROSTER.rules.three_or_more
    rules = campaign(supply=True, crises=True, field_armies="three-or-more").roster.rules
    assert (rules.supply, rules.crises, rules.three_or_more) == (True, True, True)
