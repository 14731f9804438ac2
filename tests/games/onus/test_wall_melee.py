"""2 and 4: melee on walls and in breaches, stacks of units, charges along a wall, flight inside."""

import pytest

from legatus.games.onus.aftermath import TakeOver, Taking
from legatus.games.onus.assault import Climb
from legatus.games.onus.charges import Pursue, Pursuit, Withdraw
from legatus.games.onus.contact import angle_of, in_melee, sections
from legatus.games.onus.envelop import Envelop, Enveloping
from legatus.games.onus.forming import Extend, Form
from legatus.games.onus.lateral import ChargeAlong
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.modifiers import attack_terms, defence_of, defence_terms, dice_of, has_priority
from legatus.games.onus.morale import Flight
from legatus.games.onus.movement import Move, Moves
from legatus.games.onus.orders import Done, RallyOne, RallyUnit
from legatus.games.onus.pieces import Advance, Slide
from legatus.games.onus.rams import Batter
from legatus.games.onus.refuge import FleeTo, Refuge
from legatus.games.onus.shooting import Shoot, Shooting
from legatus.games.onus.state import CHARGED, GAINED, LIMITED, OnusState
from legatus.games.onus.turn import FlightStep
from legatus.kernel import Play, legal
from legatus.parts.plane import FRONT, LEFT, REAR, RIGHT
from tests.rules import rule

from .stage import (
    CALM,
    at,
    battle,
    do,
    flees,
    go_on,
    index,
    is_lost,
    moving,
    over,
    place,
    refusals,
    run,
    told,
)

FORT = "standard 10 4"  # its south face at 5.76; wall-2 from 7.36 to 9.12, the gate to 10.88, wall-1 to 12.64
BELOW, ABOVE = "8.24 6.2", "8.24 4.88"
UP = f"A hastati {BELOW} climbs=wall-2 climbed=1"
MISS = [1, 1, 1, 1]
CALM_TOO = 5  # another card without event


def siege(attacker: str = "", defender: str = "", active: str = "attacker") -> OnusState:
    return battle(attacker, defender, fortress=FORT, active=active)


def break_gate(state: OnusState, damage: int = 5) -> OnusState:
    state.damage[state.roster.structure_index["gate-1"]] = damage
    return state


def pull_down(state: OnusState, name: str) -> OnusState:
    state.gone[state.roster.structure_index[name]] = 1
    return state


def attack(state: OnusState, one: str, two: str) -> list[tuple[str, int]]:
    return [(t.clause, t.value) for t in attack_terms(state, index(state, one), index(state, two))]


def cover(state: OnusState, one: str, two: str) -> list[tuple[str, int, int]]:
    found = defence_terms(state, index(state, one), index(state, two))
    return [(t.clause, t.value, armour) for t, armour in found]


def defence(state: OnusState, one: str, two: str) -> tuple[int, int]:
    i, j = index(state, one), index(state, two)
    return defence_of(state, j, defence_terms(state, i, j))


def dice(state: OnusState, one: str, two: str) -> int:
    return dice_of(state, index(state, one), index(state, two))


def first(state: OnusState, one: str, two: str) -> bool:
    return has_priority(state, index(state, one), index(state, two))


def fight(state: OnusState, *rolls: int, one: str = "A", two: str = "X") -> Play:
    seat = state.roster.units[index(state, one)].side
    return do(at(state, Fights(seat)), Engage(one, two), rolls)


# --- who is in melee -----------------------------------------------------------------------------


@rule("O2.melee-same-height", "OH.contact.2")
@pytest.mark.parametrize(("climbed", "met"), [(0, False), (1, True)])
def test_enemies_on_two_sides_of_a_wall_meet_on_one_level(climbed: int, met: bool) -> None:
    state = siege(f"A hastati {BELOW} climbs=wall-2 climbed={climbed}", f"X african-infantry {ABOVE}")
    assert bool(in_melee(state, 0)) == bool(in_melee(state, 1)) == met
    clauses = refusals(at(state, Fights(0)), Engage("A", "X"))
    assert clauses == ([] if met else ["O2.melee-same-height"])


@rule("O2.melee-same-height")
def test_they_meet_where_a_section_has_collapsed() -> None:
    state = siege(f"A hastati {BELOW}", f"X african-infantry {ABOVE}")
    assert in_melee(state, 0) == []
    assert in_melee(pull_down(state, "wall-2"), 0) == [1]


@rule("O2.melee-same-height", "O4.mounted.no-defences")
@pytest.mark.parametrize(("kind", "met"), [("african-infantry", True), ("roman-cavalry", False)])
def test_horse_behind_a_wall_stands_on_the_ground(kind: str, met: bool) -> None:
    state = siege(UP, f"X {kind} {ABOVE}")
    assert bool(in_melee(state, 0)) == met
    assert in_melee(pull_down(state, "wall-2"), 0) == [1]


@rule("OH.melee.8", "O2.structure-flank.outside")
def test_outside_a_climber_finds_flanks_as_everybody_does() -> None:
    state = siege(UP, "X african-infantry 10 6.2 180")
    assert angle_of(state, 0, 1) == angle_of(state, 1, 0) == (True, False)


@rule("O2.no-shooting-into-melee", "OH.ranged.6")
def test_nobody_shoots_at_who_is_in_melee_across_a_wall() -> None:
    state = siege(f"{UP}; B archers 8.24 8", f"X african-infantry {ABOVE}")
    assert refusals(at(state, Shooting(0)), Shoot("B", "X")) == ["O2.no-shooting-into-melee"]
    broken = pull_down(siege(f"A hastati {BELOW}; B archers 9.9 8", f"X african-infantry {ABOVE}"), "wall-2")
    assert "O2.no-shooting-into-melee" in refusals(at(broken, Shooting(0)), Shoot("B", "X"))


@rule("O4.wall.ranged-while-facing")
def test_who_has_just_come_up_to_the_wall_shoots_and_is_shot_at() -> None:
    state = siege(f"A hastati {BELOW} moved", f"X archers {ABOVE}")
    assert in_melee(state, 0) == []
    assert refusals(at(state, Shooting(0)), Shoot("A", "X")) == []
    state.active = 1
    assert refusals(at(state, Shooting(1)), Shoot("X", "A")) == []


@rule("O4.wall.attacker-ways")
def test_a_wall_is_climbed_or_battered_but_not_walked_through() -> None:
    state = siege(f"A hastati {BELOW} ram", f"X african-infantry {ABOVE}")
    assert "O3.impassable" in refusals(moving(state, "A"), Advance(50))
    assert refusals(at(state, Fights(0)), Batter("A", "wall-2")) == []
    state.ram[0] = 0
    assert refusals(moving(state, "A"), Climb("wall-2")) == []


# --- modifiers on a wall -------------------------------------------------------------------------


@rule("O4.wall.defender-bonus", "O4.wall.values", "OH.melee.3")
def test_the_defender_of_a_wall_against_a_climber() -> None:
    state = siege(UP, f"X african-infantry {ABOVE}")
    assert attack(state, "X", "A") == [("O4.wall.defender-bonus", 1)]
    assert attack(state, "A", "X") == []
    assert first(state, "X", "A")
    assert not first(state, "A", "X")
    assert cover(state, "A", "X") == [("O4.wall.values", 2, 0)]
    assert cover(state, "X", "A") == []


@rule("O4.wall.defender-bonus", "O2.structure-flank.inside", "O4.wall.values")
def test_it_ends_when_the_attacker_stands_inside() -> None:
    state = siege("A hastati 8.24 4 180", f"X african-infantry {ABOVE}")
    assert in_melee(state, 0) == [1]
    assert attack(state, "X", "A") == []
    assert not first(state, "X", "A")
    assert [clause for clause, *_ in cover(state, "A", "X")] == ["OH.melee.8"]


@rule("O2.structure-flank.outside", "O4.wall.defender-bonus")
def test_a_unit_on_a_wall_has_no_flank_for_who_is_outside() -> None:
    state = siege(UP, f"X african-infantry {ABOVE} 0")
    assert sections(state, 1, 0)[REAR]
    assert angle_of(state, 0, 1) == (False, False)


@rule("O4.wall.example-two-fights")
def test_three_sections_against_one_and_one_against_the_other() -> None:
    state = siege(
        "A triarii 8.68 6.2 climbs=wall-2 climbed=1", f"X iberian-infantry {ABOVE}; Y sacred-band 10 4.88"
    )
    assert (dice(state, "A", "X"), dice(state, "A", "Y")) == (3, 1)
    fights = at(state, Fights(0))
    assert {Engage("A", "X"), Engage("A", "Y")} == set(legal(fights))


@rule("O4.wall.envelop-inside", "OH.melee.7", "OH.melee.8")
def test_a_climber_that_is_activated_later_envelops_over_the_wall() -> None:
    state = siege("A triarii 9.12 6.2 climbs=wall-2 climbed=1", f"X sacred-band {ABOVE}")
    assert dice(state, "A", "X") == 2
    enveloping = at(state, Enveloping(0))
    assert refusals(enveloping, Envelop("A", "X", "left", 2)) == []
    state = run(enveloping, Envelop("A", "X", "left", 2))
    assert dice(state, "A", "X") == 4
    assert cover(state, "A", "X") == [("OH.melee.8", -1, -1)]
    assert not first(state, "X", "A")
    assert attack(state, "X", "A") == []


@rule("O4.wall.envelop-inside", "OH.melee.8")
def test_flank_and_rear_both_count() -> None:
    state = siege("A triarii 9.12 6.2 climbs=wall-2 climbed=1", f"X sacred-band {ABOVE}")
    state.hooks = [(0, 1, LEFT, 1), (0, 1, REAR, 1)]
    assert defence(state, "A", "X") == (3, 3)
    state.hooks = [(0, 1, REAR, 1)]
    assert defence(state, "A", "X") == (4, 4)


@rule("O4.wall.envelop-inside", "O2.structure-flank.outside")
def test_only_sections_that_have_got_inside_find_a_side() -> None:
    state = siege("A triarii 9.12 6.2 climbs=wall-2 climbed=1", f"X sacred-band {ABOVE} 0")
    state.hooks = [(0, 1, LEFT, 1)]
    assert angle_of(state, 0, 1) == (True, False)


@rule("O4.wall.envelop-inside")
def test_not_in_the_turn_in_which_it_has_come_up_and_not_without_activation() -> None:
    state = siege("A triarii 9.12 6.2 climbs=wall-2 climbed=1", f"X sacred-band {ABOVE}")
    state.flags[0] |= GAINED
    assert "O5.assault.envelop-first" in refusals(at(state, Enveloping(0)), Envelop("A", "X", "left", 2))
    state.flags[0] = 0
    assert "OH.melee.7" in refusals(at(state, Enveloping(0)), Envelop("A", "X", "left", 2))


# --- breaches ------------------------------------------------------------------------------------


@rule("O4.wall.breach-defended", "O4.gate.example-ram", "O4.wall.values")
def test_two_sections_of_each_meet_in_a_fallen_gate() -> None:
    state = break_gate(siege("A triarii 10 6.2", "X african-infantry 10 4.88"))
    assert in_melee(state, 0) == [1]
    assert (dice(state, "A", "X"), dice(state, "X", "A")) == (2, 2)
    assert cover(state, "A", "X") == cover(state, "X", "A") == []
    assert attack(state, "X", "A") == []
    whole = break_gate(state, 4)
    assert in_melee(whole, 0) == []


@rule("O4.wall.breach-example", "O4.wall.breach-defended", "OH.unit.2")
def test_sections_pushed_through_a_gate_reach_a_flank() -> None:
    state = break_gate(siege("A triarii 10 6.2", "X sacred-band 8.68 4.88"))
    assert in_melee(state, 0) == [1]
    assert dice(state, "A", "X") == 2
    assert defence(state, "A", "X") == (5, 5)
    assert angle_of(state, 0, 1) == (True, False)
    assert in_melee(break_gate(state, 4), 0) == []


@rule("O4.wall.breach-defended")
def test_a_section_is_pushed_through_only_where_nobody_stands() -> None:
    behind = "X african-infantry 10.88 4.88; Y sacred-band 8.68 4.88"
    state = break_gate(siege("A triarii 10 6.2", behind))
    assert (dice(state, "A", "X"), dice(state, "A", "Y")) == (1, 1)


@rule("O4.wall.breach-defended")
def test_a_climber_over_the_gate_fights_with_all_its_sections() -> None:
    state = siege("A triarii 10 6.2 climbs=gate-1 climbed=1", "X african-infantry 10 4.88")
    assert dice(state, "A", "X") == 4


# --- along a wall --------------------------------------------------------------------------------

ALONG = siege("A triarii 8.24 4.88 0", "X iberian-infantry 10.44 4.88", active="defender")


@rule("O4.lateral.charge", "O4.beat-defender.example", "O4.beat-defender.flank-fight")
def test_a_charge_along_the_wall_side_against_side() -> None:
    """Iberians (3) slide 0.44 and meet the Triarii who have taken a place on the wall."""
    state = moving(ALONG, "X")
    assert ChargeAlong("A") in legal(state)
    play = do(state, ChargeAlong("A"))
    state = play.state
    assert place(state, "X") == (10, 4.88, 180)
    assert state.flags[index(state, "X")] & CHARGED
    assert state.flags[index(state, "X")] & LIMITED
    assert ("O4.lateral.charge", "event.charges_along") in told(play)
    assert (dice(state, "X", "A"), dice(state, "A", "X")) == (2, 2)
    assert attack(state, "X", "A") == attack(state, "A", "X") == []
    assert cover(state, "X", "A") == cover(state, "A", "X") == [("OH.melee.8", -1, -1)]


@rule("O4.lateral.charge")
def test_no_other_charge_leads_sideways() -> None:
    field = battle("A hastati 10 9", "X african-infantry 12.2 9", active="defender")
    assert "O4.lateral.charge" in refusals(moving(field, "X"), ChargeAlong("A"))
    court = siege("A triarii 8.24 4 0", "X iberian-infantry 10.44 4", active="defender")
    assert "O4.lateral.charge" in refusals(moving(court, "X"), ChargeAlong("A"))


@rule("O4.lateral.charge", "O2.limited.half")
def test_it_is_a_limited_move() -> None:
    """Iberians 3 DU: 1.5; the gap is 1.76."""
    far = siege("A triarii 8.24 4.88 0", "X iberian-infantry 11.76 4.88", active="defender")
    assert refusals(moving(far, "X"), ChargeAlong("A")) != []
    near = siege("A triarii 8.24 4.88 0", "X iberian-infantry 11.32 4.88", active="defender")
    assert refusals(moving(near, "X"), ChargeAlong("A")) == []


# --- a place on the wall -------------------------------------------------------------------------


@rule("O4.beat-defender.occupy", "O5.assault.take-space")
def test_who_has_beaten_a_defender_may_take_his_place_or_stay() -> None:
    state = siege(UP, f"X african-infantry {ABOVE} wounds=4")
    play = fight(state, CALM, *MISS, 6, 1, 1, 1)
    assert is_lost(play.state, "X")
    assert isinstance(play.state.decision, Taking)
    taken = run(play.state, TakeOver())
    assert place(taken, "A") == (8.24, 4.88, 0)
    assert taken.climbs[0] == -1
    assert place(run(play.state, Done()), "A") == (8.24, 6.2, 0)


@rule("O4.beat-defender.occupy", "O4.overlap.new-combat")
def test_not_if_he_lay_over_another() -> None:
    state = siege(UP, f"Y african-infantry {ABOVE}; X african-infantry {ABOVE} wounds=4 over=Y")
    play = fight(state, CALM, *MISS, 6, 1, 1, 1, CALM_TOO, *MISS, *MISS)
    assert not isinstance(play.state.decision, Taking)


@rule("O4.beat-defender.occupy")
def test_not_even_a_place_beside_if_he_lay_over_another() -> None:
    stack = "Y african-infantry 10 4.88; X african-infantry 9.12 4.88 wounds=4 over=Y"
    play = fight(siege(UP, stack), CALM, 1, 1, 6, 1)
    assert is_lost(play.state, "X")
    assert over(play.state)
    alone = fight(siege(UP, "X african-infantry 9.12 4.88 wounds=4"), CALM, 1, 1, 6, 1)
    assert isinstance(alone.state.decision, Taking)


@rule("O4.beat-defender.occupy")
def test_the_place_in_a_tower() -> None:
    state = siege("A hastati 13.08 6.2 climbs=tower-1 climbed=2", "X african-infantry in=tower-1 wounds=4")
    play = fight(state, CALM, 1, 1, 6, 1)
    state = run(play.state, TakeOver())
    assert state.inside[0] == state.roster.structure_index["tower-1"]


@rule("O4.beat-defender.flank-fight")
def test_who_touches_his_flank_fights_him_in_the_same_turn() -> None:
    state = siege(UP, f"X african-infantry {ABOVE} wounds=4; Y african-infantry 10 4.88")
    play = fight(state, CALM, *MISS, 6, 1, 1, 1)
    state = run(play.state, TakeOver())
    assert isinstance(state.decision, Fights)
    assert legal(state) == [Engage("A", "Y")]
    assert attack(state, "Y", "A") == attack(state, "A", "Y") == []
    assert dice(state, "A", "Y") == 2


@rule("O4.beat-defender.flank-fight")
def test_even_if_they_have_fought_before() -> None:
    state = siege(
        "A hastati 8.68 6.2 climbs=wall-2 climbed=1",
        f"X african-infantry {ABOVE} wounds=4; Y african-infantry 10 4.88",
    )
    play = fight(state, CALM, 1, 1, one="A", two="Y")
    play = do(play.state, Engage("A", "X"), [CALM_TOO, 1, 1, 1, 6, 1, 1])
    taken = run(play.state, TakeOver())
    assert legal(taken) == [Engage("A", "Y")]


# --- stacks --------------------------------------------------------------------------------------

STACK = f"Y iberian-infantry {ABOVE}; X african-infantry {ABOVE} wounds=4 over=Y"


@rule("O4.overlap.top-fights", "O4.overlap.target")
def test_only_the_unit_on_top_fights() -> None:
    state = siege(UP, STACK)
    assert in_melee(state, 0) == [index(state, "X")]
    assert in_melee(state, index(state, "Y")) == []
    part = siege(UP, f"Y iberian-infantry {ABOVE}; X african-infantry 9.12 4.88 over=Y")
    assert (dice(part, "A", "X"), dice(part, "A", "Y")) == (2, 2)


@rule("O4.overlap.top-fights")
def test_the_same_among_units_inside() -> None:
    court = "Y iberian-infantry 10 3.6; X african-infantry 10 3.6 over=Y"
    state = siege("A hastati 10 4.48", court)
    assert in_melee(state, 0) == [index(state, "X")]
    assert dice(state, "A", "X") == 4
    state.over = []
    assert len(in_melee(state, 0)) == 2


@rule("O4.overlap.target")
def test_missiles_are_for_the_unit_on_top() -> None:
    state = siege("B archers 8.24 8", STACK)
    shooting = at(state, Shooting(0))
    assert refusals(shooting, Shoot("B", "X")) == []
    assert "O4.overlap.target" in refusals(shooting, Shoot("B", "Y"))


@rule("O4.overlap.ranged")
def test_one_uncovered_section_is_enough_to_shoot() -> None:
    def clauses(x: float) -> list[str]:
        stack = f"Y archers {ABOVE}; X african-infantry {x} 4.88 over=Y"
        state = siege(f"A hastati {BELOW}", stack, active="defender")
        return refusals(at(state, Shooting(1)), Shoot("Y", "A"))

    assert "O4.overlap.ranged" in clauses(8.24)
    assert clauses(8.68) == []


@rule("O4.overlap.new-combat")
def test_the_unit_beneath_fights_at_once_with_new_events() -> None:
    play = fight(siege(UP, STACK), CALM, *MISS, 6, 1, 1, 1, CALM_TOO, *MISS, *MISS)
    state = play.state
    assert is_lost(state, "X")
    assert not state.broken[index(state, "Y")]
    assert ("O4.overlap.new-combat", "event.engages") in told(play)
    assert sum(event.key.startswith("event.random") for event in play.events) == 2
    assert over(state)


@rule("O4.overlap.broken-below", "O4.overlap.new-combat")
def test_if_the_one_on_top_has_fled_the_one_beneath_is_broken() -> None:
    """Morale 8 and 1 for the fortress: 10 fails.  Broken Iberians: 3 - 1 + 1 for the wall."""
    state = siege(UP, STACK.replace(" wounds=4", ""))
    play = fight(state, CALM, *MISS, 6, 1, 1, 1, 5, 5, CALM_TOO, *MISS, *MISS)
    state = play.state
    assert flees(state, "X")
    assert state.broken[index(state, "Y")]
    assert ("OH.broken.1", -1) in attack(state, "Y", "A")


@rule("O4.overlap.broken-below")
def test_the_one_on_top_flees_clear_of_the_enemy() -> None:
    """No enemy touches its wall, but one touches it: it does not stay in its own place."""
    stack = "Y iberian-infantry 10 3.12 0; X african-infantry 10 3.12 0 over=Y"
    play = fight(siege("A hastati 10.44 4", stack), CALM, 6, 1, 1, 5, 5, CALM_TOO, *MISS, 1, 1)
    state = play.state
    assert place(state, "X")[:2] != (10, 3.12)
    assert state.over == []
    assert in_melee(state, index(state, "X")) == []
    assert state.broken[index(state, "Y")]


# --- withdrawing ---------------------------------------------------------------------------------


@rule("O5.withdrawal.defender", "OH.melee.9")
def test_a_defender_withdraws_from_climbers() -> None:
    state = moving(siege(UP, f"X african-infantry {ABOVE}", active="defender"), "X")
    assert "OH.melee.9" in refusals(state, Slide(1800, 100))
    assert refusals(state, Withdraw(100)) == []
    play = do(state, Withdraw(100))
    assert place(play.state, "X") == (8.24, 3.88, 180)
    assert in_melee(play.state, 0) == []


@rule("O5.withdrawal.attacker-follow")
def test_the_attacker_on_top_follows_or_stays() -> None:
    state = moving(siege(UP, f"X african-infantry {ABOVE}", active="defender"), "X")
    state = do(state, Withdraw(100)).state
    assert isinstance(state.decision, Pursuit)
    after = run(state, Pursue())
    assert place(after, "A") == (8.24, 4.76, 0)
    assert after.climbs[0] == -1
    assert in_melee(after, 0) == [1]
    assert place(run(state, Done()), "A") == (8.24, 6.2, 0)


@rule("O5.withdrawal.attacker-follow", "O2.melee-same-height")
def test_who_is_not_as_high_holds_nobody() -> None:
    low = siege(UP.replace("climbed=1", "climbed=0"), f"X african-infantry {ABOVE}", active="defender")
    assert "OH.melee.9" in refusals(moving(low, "X"), Withdraw(100))
    assert refusals(moving(low, "X"), Slide(1800, 100)) == []


@rule("O5.withdrawal.formations", "OH.formation.5")
def test_on_a_wall_units_extend_but_do_not_form() -> None:
    state = moving(siege("", "X sacred-band 10 4.88", active="defender"), "X")
    assert "O5.withdrawal.formations" in refusals(state, Form("phalanx"))
    assert refusals(state, Extend("right")) == []
    court = moving(siege("", "X sacred-band 8.24 4", active="defender"), "X")
    assert refusals(court, Form("phalanx")) == []


# --- flight --------------------------------------------------------------------------------------


def routed(state: OnusState, name: str = "X", foe: str = "A") -> Play:
    return go_on(at(state, Flight(index(state, name), index(state, foe))))


@rule("O4.flee.inside", "OH.flight.3")
def test_a_defender_flees_to_the_nearest_wall_that_no_enemy_touches() -> None:
    """From wall-2, which A touches, clear of it and of the place that it leaves: to the north wall."""
    play = routed(siege(UP, f"X african-infantry {ABOVE}"))
    state = play.state
    assert flees(state, "X")
    assert ("O4.flee.inside", "event.takes_refuge") in told(play)
    assert place(state, "X") == (8.24, 3.12, 0)
    assert in_melee(state, index(state, "X")) == []


@rule("O4.flee.inside")
def test_the_owner_chooses_between_equally_near_places() -> None:
    """A friend bars the wall opposite; to the left and to the right of him it is equally far."""
    court = "X african-infantry 10 4.88; Y iberian-infantry 10 3.3"
    state = routed(siege("A hastati 10 6.2 climbs=gate-1 climbed=1", court)).state
    assert isinstance(state.decision, Refuge)
    assert state.decision.seat == 1
    found = [action for action in legal(state) if isinstance(action, FleeTo)]
    places = sorted(place(run(state, action), "X") for action in found)
    assert places == [(8.24, 3.12, 0), (11.76, 3.12, 0)]
    assert refusals(state, FleeTo("wall-2")) == ["O4.flee.inside"]


@rule("O4.flee.inside", "OH.flight.3")
def test_who_finds_no_place_is_destroyed() -> None:
    state = siege(UP, f"X african-infantry {ABOVE}")
    for n in state.roster.keep.pieces if state.roster.keep else ():
        state.gone[n] = 1
    assert is_lost(routed(state).state, "X")


@rule("OH.flight.3", "O4.flee.stuck")
def test_it_flees_only_once_and_stays_until_it_is_rallied() -> None:
    state = routed(siege(UP, f"X african-infantry {ABOVE}")).state
    here = place(state, "X")
    state.active = 1
    later = go_on(at(state, FlightStep(1))).state
    assert place(later, "X") == here
    assert flees(later, "X")
    later.flags[index(later, "X")] = 1
    assert "OH.flight.1" in refusals(at(later, Moves(1)), Move("X"))
    rallied = run(at(later, RallyOne(1)), RallyUnit("X"))
    assert refusals(at(rallied, Moves(1)), Move("X")) == []


@rule("O4.flee.breaks-friends")
def test_it_breaks_friends_through_whom_it_passes() -> None:
    state = siege(
        UP, f"X african-infantry {ABOVE}; Y iberian-infantry 8.24 3.12 0; Z iberian-infantry 10.2 4"
    )
    after = routed(state).state
    assert after.broken[index(after, "Y")]
    assert not after.broken[index(after, "Z")]


@rule("O4.flee.inside", "OH.flight.1")
def test_attackers_flee_away_from_the_wall() -> None:
    state = routed(siege(UP, f"X african-infantry {ABOVE}"), "A", "X").state
    assert place(state, "A")[1] > 7
    assert state.climbs[0] == -1


@rule("O4.flee.inside")
def test_out_of_a_tower_into_the_interior() -> None:
    state = routed(
        siege("A hastati 13.08 6.2 climbs=tower-1 climbed=2", "X african-infantry in=tower-1")
    ).state
    assert state.inside[index(state, "X")] == -1
    assert place(state, "X")[0] < 13.08


@rule("O4.tower.width", "O4.tower.no-flank")
def test_a_tower_is_attacked_by_two_sections_a_side() -> None:
    state = siege("A hastati 13.08 6.2 climbs=tower-1 climbed=2", "X african-infantry in=tower-1")
    assert len(sections(state, 0, 1)[FRONT]) == 2
    assert dice(state, "A", "X") == dice(state, "X", "A") == 2
    assert angle_of(state, 0, 1) == (False, False)
    assert not sections(state, 0, 1)[RIGHT]
