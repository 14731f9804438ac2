"""5 Assault: climbing, what defenders do meanwhile, and getting in."""

import pytest

from legatus.games.onus.assault import Ascent, Atop, Climb, Descend, StepIn
from legatus.games.onus.contact import in_melee, level_of
from legatus.games.onus.envelop import Envelop, Enveloping, Tidy
from legatus.games.onus.forming import Form
from legatus.games.onus.measure import cases
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.modifiers import attack_terms, defence_terms, dice_of, formation_of, has_priority
from legatus.games.onus.morale import morale_terms
from legatus.games.onus.movement import Halt, Moves, Moving
from legatus.games.onus.orders import Done, PassOrders
from legatus.games.onus.pieces import Advance, Slide, Turn
from legatus.games.onus.shooting import Shoot, Shooting, shot_dice
from legatus.games.onus.sight import Mark
from legatus.games.onus.state import GAINED, INSIDE, NO_FORMATION, NOBODY, PHALANX, OnusState, Rules
from legatus.games.onus.stones import Stones, stone_dice, stone_terms
from legatus.games.onus.turn import PlayerTurn
from legatus.kernel import Play, legal
from legatus.kernel.objects import replace
from tests.rules import rule

from .stage import (
    CALM,
    at,
    battle,
    do,
    go_on,
    index,
    moving,
    over,
    place,
    refusals,
    run,
    told,
    values,
    wounds,
)

FORT = "standard 10 4"  # its south face at 5.76; wall-2 from 7.36 to 9.12, the gate to 10.88, wall-1 to 12.64
BELOW, ABOVE = "8.24 6.2", "8.24 4.88"  # before and behind wall-2


def siege(attacker: str = "", defender: str = "", active: str = "attacker") -> OnusState:
    return battle(attacker, defender, fortress=FORT, active=active)


def climber(level: int, kind: str = "hastati", wall: str = "wall-2", where: str = BELOW) -> str:
    return f"A {kind} {where} climbs={wall} climbed={level}"


def ascend(state: OnusState, seat: int = 0) -> OnusState:
    """The beginning of movement; then nothing."""
    up: OnusState = go_on(at(state, Ascent(seat))).state
    return up


def climb(state: OnusState, structure: str, left: int = 0, right: int = 0) -> Play:
    return do(moving(state, "A"), Climb(structure, left, right))


# --- climbing ------------------------------------------------------------------------------------


@rule("O5.assault.equipment", "O5.assault.marker-red", "O5.assault.time")
def test_a_unit_that_faces_a_wall_begins_to_climb_and_is_still_on_the_ground() -> None:
    play = climb(siege(f"A hastati {BELOW}", f"X african-infantry {ABOVE}"), "wall-2")
    assert play.state.climbs[0] == play.state.roster.structure_index["wall-2"]
    assert (play.state.climbed[0], level_of(play.state, 0)) == (0, 0)
    assert ("O5.assault.marker-red", "event.begins_climb") in told(play)
    assert not isinstance(play.state.decision, Moving)
    assert in_melee(play.state, 0) == []


@rule("O5.assault.equipment", "O2.cavalry.no-assault")
@pytest.mark.parametrize("kind", ["roman-cavalry", "elephants", "scorpion"])
def test_only_foot_climbs(kind: str) -> None:
    assert "O5.assault.equipment" in refusals(moving(siege(f"A {kind} {BELOW}"), "A"), Climb("wall-2"))


@rule("O5.assault.marker-red")
def test_who_only_faces_the_wall_gets_no_marker() -> None:
    state = run(moving(siege(f"A hastati {BELOW}"), "A"), Halt())
    assert state.climbs[0] == NOBODY
    assert refusals(moving(siege("A hastati 8.24 7"), "A"), Climb("wall-2")) == ["O5.assault.align-marks"]


@rule("O5.assault.marker-green", "O5.assault.time", "O5.assault.no-activation", "OH.turn.2")
def test_a_level_in_each_own_turn_without_activation() -> None:
    state = siege(climber(0) + " still", f"X african-infantry {ABOVE}")
    up = ascend(state)
    assert (up.climbed[0], level_of(up, 0)) == (1, 1)
    assert up.flags[0] & GAINED
    assert ascend(up).climbed[0] == 1
    assert ascend(state, 1).climbed[0] == 0


@rule("O5.assault.marker-green", "OH.turn.2")
def test_climbers_rise_before_anybody_moves() -> None:
    state = at(siege(climber(0), f"X african-infantry {ABOVE}"), PlayerTurn(0))
    state.hands = [[], []]
    play = do(go_on(state).state, PassOrders())
    assert play.state.climbed[0] == 1


@rule("O5.assault.marker-green")
def test_two_levels_at_a_tower() -> None:
    state = siege("A hastati 13.08 6.2 climbs=tower-1", "X african-infantry in=tower-1")
    assert in_melee(state, 0) == []
    state = ascend(state)
    assert (level_of(state, 0), in_melee(state, 0)) == (1, [])
    state = ascend(state)
    assert (level_of(state, 0), in_melee(state, 0)) == (2, [1])


@rule("O5.assault.marker-green", "O6.fire.no-climbing")
@pytest.mark.parametrize("why", ["broken", "fire"])
def test_a_turn_does_not_count(why: str) -> None:
    state = siege(climber(0) + (" broken" if why == "broken" else ""), f"X african-infantry {ABOVE}")
    if why == "fire":
        state.fire[state.roster.structure_index["wall-2"]] = 1
    assert ascend(state).climbed[0] == 0


@rule("O5.assault.uses-all-movement")
@pytest.mark.parametrize("piece", [Advance(50), Slide(1800, 50), Turn(450)])
def test_who_climbs_does_nothing_else(piece: Advance | Slide | Turn) -> None:
    state = moving(siege(climber(0)), "A")
    assert refusals(state, piece) == ["O5.assault.uses-all-movement"]
    free = moving(siege(f"A hastati {BELOW}"), "A")
    assert "O5.assault.uses-all-movement" not in refusals(free, piece)


@rule("O5.assault.uses-all-movement")
def test_who_gives_up_is_on_the_ground_and_has_moved() -> None:
    state = run(moving(siege(climber(1), f"X african-infantry {ABOVE}"), "A"), Descend())
    assert (state.climbs[0], level_of(state, 0)) == (NOBODY, 0)
    assert not isinstance(state.decision, Moving)
    assert "O5.assault.uses-all-movement" in refusals(moving(siege(f"A hastati {BELOW}"), "A"), Descend())


@rule("O5.assault.auto-engage", "O5.assault.align-marks")
@pytest.mark.parametrize(("x", "end"), [(8.3, 8.24), (8.4, 8.24), (8.5, 8.68), (8.24, 8.24)])
def test_the_card_is_aligned_with_the_marks_for_nothing(x: float, end: float) -> None:
    play = climb(siege(f"A hastati {x} 6.2"), "wall-2")
    assert place(play.state, "A") == (end, 6.2, 0)


@rule("O5.assault.auto-engage", "O5.assault.align-marks")
def test_who_touches_the_wall_askew_turns_to_it() -> None:
    play = climb(siege("A hastati 8.24 6.64 90"), "wall-2")
    assert place(play.state, "A")[1:] == (6.2, 0)


@rule("O5.assault.envelop-first", "O4.tower.width", "O5.assault.tower-example")
def test_four_sections_round_a_tower_and_two_turns_of_stones() -> None:
    state = siege("A hastati 13.08 6.2", "X african-infantry in=tower-1 still")
    state = climb(state, "tower-1", 0, 2).state
    state.active = 1
    for level in (0, 1):
        assert state.climbed[0] == level
        assert refusals(at(state, Fights(0)), Engage("A", "X")) == ["O2.melee-same-height"]
        assert refusals(at(state, Shooting(1)), Stones("X", "A")) == []
        state = ascend(state)
    assert refusals(at(state, Fights(0)), Engage("A", "X")) == []
    assert (dice_of(state, 0, 1), dice_of(state, 1, 0)) == (4, 4)


@rule("O5.assault.envelop-first", "O4.tower.width")
def test_without_wrapping_two_sections_fight_at_a_tower() -> None:
    state = siege("A hastati 13.08 6.2 climbs=tower-1 climbed=2", "X african-infantry in=tower-1")
    assert (dice_of(state, 0, 1), dice_of(state, 1, 0)) == (2, 2)


@rule("O5.assault.envelop-first")
def test_no_marker_where_a_wall_is_and_not_more_than_sections_are_free() -> None:
    state = moving(siege("A hastati 13.08 6.2", "X african-infantry in=tower-1"), "A")
    assert refusals(state, Climb("tower-1", 1, 0)) == ["O5.assault.envelop-first"]
    assert refusals(state, Climb("tower-1", 0, 3)) == ["O5.assault.envelop-first"]
    assert refusals(state, Climb("tower-1", 0, 2)) == []


@rule("O5.assault.envelop-first")
def test_once_the_climb_has_begun_markers_are_neither_added_nor_taken_away() -> None:
    state = climb(siege("A hastati 13.08 6.2", "X african-infantry in=tower-1"), "tower-1", 0, 1).state
    state = go_on(at(state, Tidy())).state
    assert [hook[3] for hook in state.hooks] == [1]
    top = at(ascend(ascend(state)), Enveloping(0))
    assert legal(top) == [Done()]
    wall = siege(climber(0), f"X african-infantry {ABOVE}")
    assert "O5.assault.envelop-first" in refusals(at(wall, Enveloping(0)), Envelop("A", "X", "right", 1))


@rule("O5.assault.extend", "OH.formation.6")
def test_an_extended_unit_attacks_with_six_sections() -> None:
    wall = siege(climber(1) + " wings=3", f"X african-infantry {ABOVE}; Y african-infantry 10 4.88")
    assert dice_of(wall, 0, 1) + dice_of(wall, 0, 2) == 5
    state = battle("A hastati 10 10 wings=3", "X african-infantry in=T", structure="T watchtower 10 9.12")
    state = climb(state, "T", 2, 2).state
    assert dice_of(ascend(ascend(state)), 0, 1) == 6


@rule("O5.assault.no-formations", "OH.formation.5")
def test_no_formation_while_climbing() -> None:
    state = moving(siege(climber(0, "triarii")), "A")
    assert "O5.assault.no-formations" in refusals(state, Form("phalanx"))
    assert refusals(moving(siege(f"A triarii {BELOW}"), "A"), Form("phalanx")) == []
    begun = climb(siege(f"A triarii {BELOW} formation=phalanx"), "wall-2").state
    assert begun.formation[0] == NO_FORMATION


@rule("O5.assault.no-formations")
def test_who_faces_a_collapsed_wall_may_form() -> None:
    state = siege(f"A triarii {BELOW}", f"X african-infantry {ABOVE}")
    state.gone[state.roster.structure_index["wall-2"]] = 1
    state.formation[0] = PHALANX
    assert formation_of(state, 0) == PHALANX


@rule("O5.assault.melee-at-top", "O2.melee-same-height", "O4.wall.defender-bonus")
def test_at_the_top_the_defender_strikes_first() -> None:
    low = siege(climber(0), f"X african-infantry {ABOVE}")
    assert refusals(at(low, Fights(0)), Engage("A", "X")) == ["O2.melee-same-height"]
    state = siege(climber(1), f"X african-infantry {ABOVE}")
    play = do(at(state, Fights(0)), Engage("A", "X"), [CALM, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    strikers = [dict(event.values)["unit"] for event in play.events if event.key == "event.strikes"]
    assert strikers == ["X", "A"]
    assert wounds(play.state, "A") == 1


@rule("O2.height-melee.where", "O2.height-melee", "O5.assault.melee-at-top")
@pytest.mark.parametrize("tower", ["tower-1", "post", "rolling"])
def test_in_a_tower_that_is_climbed_the_defender_has_priority_and_the_bonus(tower: str) -> None:
    """African infantry, 3/3, strike at 4/4: against 6 a 3 hits, against an armour of 5 a 2 wounds."""
    spot = {"tower-1": "13.08 6.2", "post": "4 9.88", "rolling": "16 9.88"}[tower]
    state = battle(
        f"A hastati {spot} climbs={tower} climbed=2",
        f"X african-infantry in={tower}",
        fortress=FORT,
        structure="post watchtower 4 9; rolling siege-tower 16 9",
    )
    assert has_priority(state, 1, 0)
    assert not has_priority(state, 0, 1)
    assert [(term.clause, term.value) for term in attack_terms(state, 1, 0)] == [("O2.height-melee.where", 1)]
    assert attack_terms(state, 0, 1) == []
    play = do(at(state, Fights(0)), Engage("A", "X"), [CALM, 2, 2, 2, 2])
    [first, _] = [dict(event.values) for event in play.events if event.key == "event.strikes"]
    assert (first["unit"], first["need"], first["pierce"]) == ("X", 3, 2)


# --- getting in ----------------------------------------------------------------------------------


@rule("O5.assault.take-space", "O4.tower.enter-outside")
def test_nobody_at_the_top() -> None:
    state = go_on(at(siege(climber(0) + " still"), Ascent(0))).state
    assert isinstance(state.decision, Atop)
    inside = run(state, StepIn())
    assert place(inside, "A") == (8.24, 4.88, 0)
    assert inside.climbs[0] == NOBODY
    stays = run(state, Done())
    assert place(stays, "A") == (8.24, 6.2, 0)
    assert isinstance(go_on(at(stays, Ascent(0))).state.decision, Atop)


@rule("O4.tower.enter-outside")
def test_an_empty_tower_is_entered_after_two_levels() -> None:
    state = ascend(siege("A hastati 13.08 6.2 climbs=tower-1"))
    assert over(state)
    state = run(go_on(at(state, Ascent(0))).state, StepIn())
    assert (state.where[0], state.inside[0]) == (INSIDE, state.roster.structure_index["tower-1"])


@rule("O5.assault.take-space")
def test_a_defender_at_the_top_bars_the_way() -> None:
    assert over(ascend(siege(climber(0), "X african-infantry 8.68 4.88")))


# --- from inside ---------------------------------------------------------------------------------

GATEHOUSE = "gatehouse 10 4"


def inside_tower() -> OnusState:
    """A touches the inner side of a tower of the gatehouse with two sections."""
    state = battle("A hastati 10 4", "X african-infantry in=tower-1", fortress=GATEHOUSE)
    tower = state.roster.structures[state.roster.structure_index["tower-1"]]
    back = (tower.pose.y - 44) / 100
    return battle(
        f"A hastati {tower.pose.x / 100} {back - 0.44} 180",
        "X african-infantry in=tower-1",
        fortress=GATEHOUSE,
    )


@rule("O5.assault.from-inside", "O5.assault.from-inside-example", "O4.tower.values")
def test_a_tower_attacked_from_inside_the_fortress() -> None:
    state = inside_tower()
    assert refusals(at(state, Fights(0)), Engage("A", "X")) == []
    assert dice_of(state, 0, 1) == 2
    assert defence_terms(state, 0, 1) == []
    assert attack_terms(state, 1, 0) == []  # nobody climbs: priority, but no bonus for height
    assert has_priority(state, 1, 0)
    assert not has_priority(state, 0, 1)
    outside = siege("A hastati 13.08 6.2 climbs=tower-1 climbed=2", "X african-infantry in=tower-1")
    assert [(t.clause, t.value, armour) for t, armour in defence_terms(outside, 0, 1)] == [
        ("O4.tower.values", 2, 0)
    ]


# --- defenders -----------------------------------------------------------------------------------


@rule("O5.defender.free-attack")
def test_a_defender_shoots_unasked_at_who_faces_the_wall() -> None:
    state = siege(f"A hastati {BELOW}; B hastati 8.24 8", f"X archers {ABOVE} still", active="defender")
    shooting = at(state, Shooting(1))
    assert refusals(shooting, Shoot("X", "A")) == []
    assert refusals(shooting, Shoot("X", "B")) == ["O5.defender.free-attack"]
    shot = run(shooting, Shoot("X", "A"), dice=[CALM, 1, 1, 1, 1])
    assert "OH.turn.3" in refusals(at(shot, Shooting(1)), Shoot("X", "A"))
    field = siege(f"A hastati {BELOW}", "X archers 8.24 3.9 still", active="defender")
    assert "OH.turn.3" in refusals(at(field, Shooting(1)), Shoot("X", "A"))


@rule("O5.defender.free-attack")
def test_a_defender_fights_unasked_who_has_come_up() -> None:
    state = siege(climber(1), f"X african-infantry {ABOVE} still", active="defender")
    assert refusals(at(state, Fights(1)), Engage("X", "A")) == []


@rule("O5.defender.stones")
@pytest.mark.parametrize(("x", "dice"), [(8.24, 4), (8.68, 3), (9.12, 2), (9.56, 1)])
def test_a_stone_for_each_section_over_the_climber(x: float, dice: int) -> None:
    state = siege(climber(0), f"X african-infantry {x} 4.88 still", active="defender")
    assert stone_dice(state, 1, 0) == dice
    assert refusals(at(state, Shooting(1)), Stones("X", "A")) == []


@rule("O5.defender.stones")
def test_stones_only_from_who_has_no_missiles_on_who_climbs_beneath() -> None:
    archers = siege(climber(0), f"X archers {ABOVE} still", active="defender")
    assert "O5.defender.stones" in refusals(at(archers, Shooting(1)), Stones("X", "A"))
    facing = siege(f"A hastati {BELOW}", f"X african-infantry {ABOVE} still", active="defender")
    assert "O5.defender.stones" in refusals(at(facing, Shooting(1)), Stones("X", "A"))
    beside = siege(climber(0), "X african-infantry 11.76 4.88 still", active="defender")
    assert "O5.defender.stones" in refusals(at(beside, Shooting(1)), Stones("X", "A"))


@rule("O5.defender.stones", "O5.defender.height-bonus")
def test_stones_hit_and_damage_with_two() -> None:
    """Hastati 6/5: 2 + 5 hits, 2 + 4 damages."""
    state = siege(climber(0), f"X african-infantry {ABOVE} still", active="defender")
    assert [(t.clause, t.value) for t in stone_terms(state, 1, 0)] == [("O5.defender.height-bonus", 1)]
    play = do(at(state, Shooting(1)), Stones("X", "A"), [CALM, 4, 5, 5, 1, 3, 4, 3, 3])
    assert wounds(play.state, "A") == 1
    told = values(play, "event.strikes")
    assert {key: told[key] for key in ("unit", "dice", "hits", "wounds")} == {
        "unit": "X",
        "dice": 4,
        "hits": 2,
        "wounds": 1,
    }


@rule("O5.defender.height-bonus")
def test_no_bonus_against_who_is_as_high() -> None:
    state = siege(climber(1), f"X african-infantry {ABOVE}")
    assert stone_terms(state, 1, 0) == []


@rule("O5.defender.stones")
def test_the_other_reading_one_to_hit_and_none_to_damage() -> None:
    """Damage 0 + 1: a 4 is not above 5 any more, a 5 is."""
    state = siege(climber(0), f"X african-infantry {ABOVE} still", active="defender")
    state.roster = replace(state.roster, rules=Rules(stones_damage=True))
    play = do(at(state, Shooting(1)), Stones("X", "A"), [CALM, 1, 5, 5, 1, 4, 5, 3, 3])
    assert wounds(play.state, "A") == 1


@rule("O5.defender.stones")
def test_odds_of_stones_are_without_events() -> None:
    state = at(siege(climber(0), f"X african-infantry {ABOVE}", active="defender"), Shooting(1))
    assert Stones("X", "A") in legal(state)
    assert Stones.weighed
    assert [(t.clause, t.value) for t in Stones("X", "A").terms(state)] == [("O5.defender.height-bonus", 1)]
    [(_, full)] = cases(state, Stones("X", "A"))
    assert sum(full.deck) == 1


@rule("O5.defender.morale", "OH.morale.3")
def test_morale_of_who_defends_the_fortress() -> None:
    def terms(state: OnusState, name: str) -> list[tuple[str, int]]:
        return [(t.clause, t.value) for t in morale_terms(state, index(state, name))]

    state = siege("A hastati 10 4", f"X african-infantry {ABOVE}; Y archers in=tower-1; Z archers 10 9")
    assert terms(state, "X") == terms(state, "Y") == [("O5.defender.morale", 1)]
    assert terms(state, "Z") == terms(state, "A") == []
    led = siege("", f"X african-infantry {ABOVE} general")
    assert terms(led, "X") == [("OH.general.2", 1), ("O5.defender.morale", 1)]


# --- artillery -----------------------------------------------------------------------------------


@rule("O5.artillery.self-defence", "O5.artillery.counter-climbers")
@pytest.mark.parametrize("level", [0, 1])
def test_artillery_in_a_tower_strikes_climbers_with_its_ranged_value(level: int) -> None:
    """Ballista 4 and 1 for height: against 6/5 a 2 hits and a 2 damages."""
    climbs = f"A hastati 13.08 6.2 climbs=tower-1 climbed={level}"
    state = at(siege(climbs, "X ballista in=tower-1 still", active="defender"), Shooting(1))
    assert refusals(state, Shoot("X", "A")) == []
    assert shot_dice(state, 1, Mark(unit=0)) == 4
    play = do(state, Shoot("X", "A"), [CALM, 2, 2, 2, 2, 2, 1, 1, 1, 3, 3])
    assert wounds(play.state, "A") == 1


@rule("O5.artillery.counter-climbers")
def test_artillery_that_is_not_in_a_structure_waits_for_its_activation() -> None:
    state = siege(climber(0), "X ballista 10 4 still", active="defender")
    assert "OH.turn.3" in refusals(at(state, Shooting(1)), Shoot("X", "A"))


# --- what a player is offered --------------------------------------------------------------------


def test_candidates_at_a_wall() -> None:
    state = moving(siege(f"A hastati {BELOW}", f"X african-infantry {ABOVE}"), "A")
    assert Climb("wall-2") in legal(state)
    climbing = at(siege(climber(0)), Moves(0))
    assert legal(moving(climbing, "A")) == [Descend(), Halt()]
