"""3 and 4: section markers in gates and breaches, over walls and from siege towers.

The fortress looks to the south: its outer face at y = 5.76, the inner one at 5.32; wall-2 from x = 7.36 to
9.12, the gate to 10.88 with its opening from 9.56 to 10.44, wall-1 to 12.64, then tower-1.
"""

from __future__ import annotations

import random

import pytest

from legatus.games.onus import ONUS
from legatus.games.onus.aftermath import TakeOver, Taking
from legatus.games.onus.assault import Ascent, Atop, Descend, StepIn
from legatus.games.onus.charges import Charge, Pursue, Pursuit, Withdraw
from legatus.games.onus.contact import angle_of, in_melee, sections
from legatus.games.onus.crossing import Cross, sections_wide
from legatus.games.onus.entering import Sally
from legatus.games.onus.evaluate import evaluate
from legatus.games.onus.ghost import ghost, grips_of
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.modifiers import defence_of, defence_terms, dice_of
from legatus.games.onus.morale import Flight
from legatus.games.onus.movement import Halt
from legatus.games.onus.orders import Done
from legatus.games.onus.passages import passages
from legatus.games.onus.pieces import Advance, Slide
from legatus.games.onus.ramparts import is_within
from legatus.games.onus.razing import Razed
from legatus.games.onus.refuge import refuges
from legatus.games.onus.state import ACTIVATED, CROSSING, FIELD, INSIDE, LIMITED, OnusState
from legatus.games.onus.towers import Dock, Haul
from legatus.games.onus.walls import OUT_OF
from legatus.kernel import legal
from legatus.parts.plane import FRONT, Pose
from tests.rules import rule

from .stage import (
    CALM,
    at,
    battle,
    do,
    farthest,
    flees,
    go_on,
    index,
    keys,
    moving,
    place,
    refusals,
    run,
    told,
    wounds,
)
from .sweep import Case, cases, is_within_reach, position

FORT = "standard 10 4"
FAR = "X sacred-band 2 16"
MISS = [1, 1, 1, 1]


def siege(
    attacker: str = "", defender: str = FAR, structure: str = "", active: str = "attacker"
) -> OnusState:
    return battle(attacker, defender, fortress=FORT, structure=structure, active=active)


def broken_gate(attacker: str, defender: str = FAR) -> OnusState:
    state = siege(attacker, defender)
    state.damage[state.roster.structure_index["gate-1"]] = 5
    return state


def breached(attacker: str, defender: str = FAR, piece: str = "wall-2") -> OnusState:
    state = siege(attacker, defender)
    state.gone[state.roster.structure_index[piece]] = 1
    return state


def next_turn(state: OnusState, active: int = 0) -> OnusState:
    new = state.copy()
    new.turn, new.active = new.turn + 2, active
    new.flags = [ACTIVATED if unit.side == active else 0 for unit in new.roster.units]
    return new


def front(state: OnusState, one: str, two: str) -> int:
    """With how many sections of its front a unit touches another."""
    return len(sections(state, index(state, one), index(state, two))[FRONT])


# --- through a gate ------------------------------------------------------------------------------


@rule("O3.choke.when", "O3.choke.free-way", "O4.wall.breach-move")
def test_triarii_go_through_a_fallen_gate_in_two_turns() -> None:
    state = moving(broken_gate("A triarii 10 6.2"), "A")
    assert farthest(state, Advance) == 1
    part = run(state, Advance(100))
    assert part.where[0] == CROSSING
    assert part.way[0] == 100
    assert sections_wide(part, 0) == 2
    assert part.flags[0] & LIMITED
    on = moving(next_turn(run(part, Halt())), "A")
    assert refusals(on, Advance(10))
    through = run(on, Cross(32))
    assert through.where[0] == FIELD
    assert place(through, "A") == (10, 4.88, 0)
    assert is_within(through, 0)


@rule("O3.choke.free-way", "O5.ram.halving")
def test_bearers_of_a_ram_take_three_turns() -> None:
    state = moving(broken_gate("A triarii 10 6.2 ram"), "A")
    assert farthest(state, Advance) == 0.5
    state = run(moving(next_turn(run(state, Advance(50), Halt())), "A"), Cross(50), Halt())
    assert state.way[0] == 100
    assert run(moving(next_turn(state), "A"), Cross(32)).where[0] == FIELD


@rule("O3.choke.when")
@pytest.mark.parametrize(("x", "turn"), [(10.3, 0), (9.8, 10), (10, 350)])
def test_in_the_gate_the_markers_lie_along_its_axis(x: float, turn: int) -> None:
    state = run(moving(broken_gate(f"A hastati {x} 6.5 {turn}"), "A"), Advance(90))
    assert state.where[0] == CROSSING
    assert place(state, "A")[0::2] == (10, 0)


@rule("O3.choke.when")
def test_the_middle_of_the_front_must_lead_into_the_gate() -> None:
    assert refusals(moving(broken_gate("A hastati 10.6 6.2"), "A"), Advance(60)) == ["O3.impassable"]
    assert refusals(moving(siege("A hastati 10 6.2"), "A"), Advance(60)) == ["O3.impassable"]  # it is shut


@rule("O3.choke.when")
def test_one_unit_at_a_time_is_in_a_gate() -> None:
    state = moving(broken_gate("A hastati 10 7; B hastati in=gate-1 way=90"), "A")
    assert "refusal.passage_taken" in keys(state, Advance(120))


@rule("O3.choke.when", "OH.move.3")
def test_back_out_of_a_gate_is_a_reduced_move() -> None:
    state = moving(broken_gate("A hastati in=gate-1 way=90"), "A")
    after = run(state, Cross(-90))
    assert place(after, "A") == (10, 6.2, 0)
    assert "OH.move.3" in refusals(after, Charge("X"))


@rule("O4.gate.pass", "O3.choke.when")
def test_a_garrison_may_stop_in_its_own_gate_and_come_back() -> None:
    state = siege("A hastati 10 12", "D african-infantry 10 4.88", active="defender")
    part = run(moving(state, "D"), Advance(100), Halt())
    assert part.where[1] == CROSSING
    back = run(moving(next_turn(part, 1), "D"), Cross(-100))
    assert place(back, "D") == (10, 4.88, 180)
    out = run(moving(next_turn(part, 1), "D"), Cross(32))
    assert not is_within(out, 1)


@rule("O4.gate.blocked", "O4.gate.pass")
def test_who_touches_his_own_gate_from_outside_goes_in() -> None:
    """Blocked means blocked by somebody else."""
    state = moving(siege("A hastati 10 12", "D slingers 10 6.2", active="defender"), "D")
    assert is_within(run(state, Slide(1800, 132)), 1)
    half = run(state, Slide(1800, 60))
    assert half.where[1] == CROSSING
    assert place(half, "D") == (10, 5.6, 180)
    facing = moving(siege("A hastati 10 12", "D slingers 10 6.2 0", active="defender"), "D")
    assert is_within(run(facing, Advance(132)), 1)
    friend = siege("A hastati 10 12", "D slingers 10 7.2 0; E slingers 11.2 6.2", active="defender")
    assert refusals(moving(friend, "D"), Advance(240)) == ["O3.impassable"]


# --- the fight beyond ----------------------------------------------------------------------------


@rule("O4.wall.breach-example", "O4.wall.breach-defended", "O3.bridge.width")
def test_triarii_charge_through_the_fallen_gate_with_2_sections() -> None:
    """The defender lies against it within: on the width of the gate, without the bonus of the wall."""
    state = run(moving(broken_gate("A triarii 10 6.7", "X sacred-band 10 4.88"), "A"), Charge("X"))
    assert state.where[0] == CROSSING
    assert in_melee(state, 0) == [1]
    assert (dice_of(state, 0, 1), dice_of(state, 1, 0)) == (2, 2)
    assert defence_of(state, 1, defence_terms(state, 0, 1)) == (6, 6)


@rule("O4.wall.breach-example", "O4.wall.breach-defended", "OH.unit.2")
def test_triarii_pushed_through_the_fallen_gate_reach_a_flank_with_2_sections() -> None:
    """They come up to the gate, and the Sacred Band on the wall beside it defends with 5/5."""
    state = run(moving(broken_gate("A triarii 10 7", "X sacred-band 8.68 4.88"), "A"), Advance(80), Halt())
    assert in_melee(state, 0) == [1]
    assert dice_of(state, 0, 1) == 2
    assert angle_of(state, 0, 1) == (True, False)
    assert defence_of(state, 1, defence_terms(state, 0, 1)) == (5, 5)


@rule("O3.choke.partial-block", "O3.choke.overlap", "O4.exit-overlap.when")
@pytest.mark.parametrize("gap", [5, 10, 43, 44, 80, 88, 100])
def test_who_stands_off_the_gate_is_charged_with_4_sections_over_the_wall(gap: int) -> None:
    y = 5.32 - gap / 100 - 0.44
    state = run(moving(broken_gate("A hastati 10 6.2", f"X sacred-band 10 {y:.2f}"), "A"), Charge("X"))
    assert state.where[0] == FIELD
    assert front(state, "A", "X") == 4
    assert dice_of(state, 0, 1) == 4
    gate = state.roster.structure_index["gate-1"]
    assert state.way[0] == (OUT_OF + gate if gap < 88 else 0)


@rule("O3.choke.partial-block", "O4.wall.breach-defended")
def test_a_unit_in_the_gate_charges_on_in_a_later_turn() -> None:
    state = broken_gate("A triarii in=gate-1 way=44", "X sacred-band 10 4.3")
    after = run(moving(state, "A"), Charge("X"))
    assert front(after, "A", "X") == 4
    assert is_within(after, 0)


@rule("O4.gate.example-sortie", "O4.exit-overlap.when", "O3.choke.overlap")
@pytest.mark.parametrize("gap", [3, 10, 50, 85, 90, 106])
def test_the_sacred_band_comes_out_against_a_ram_with_4_sections(gap: int) -> None:
    y = 5.76 + gap / 100 + 0.44
    state = siege(f"A triarii 10 {y:.2f} ram", "X sacred-band 10 4.88", active="defender")
    after = run(moving(state, "X"), Charge("A"))
    assert front(after, "X", "A") == 4
    assert after.flags[1] & LIMITED
    assert dice_of(after, 1, 0) == 4


@rule("O4.gate.blocked")
def test_no_sortie_against_who_touches_the_gate() -> None:
    state = siege("A triarii 10 6.2 ram", "X sacred-band 10 4.88", active="defender")
    assert refusals(moving(state, "X"), Charge("A"))


@rule("O3.choke.partial-block", "O4.exit-overlap.when")
def test_sections_over_other_walls_do_not_fight() -> None:
    """The one beside the gate, 0.2 DU behind wall-2, is met by what is clear of wall-2."""
    state = run(moving(broken_gate("A hastati 10 6.2", "X sacred-band 8.46 4.68"), "A"), Charge("X"))
    touching = front(state, "A", "X")
    assert 0 < touching < 4


@rule("OH.move.8", "O3.choke.when")
@pytest.mark.parametrize(("x", "broken"), [(11.6, 1), (11.8, 0)])
def test_up_to_a_gate_friends_are_passed_through_by_all_of_the_card(x: float, broken: int) -> None:
    """The markers would not meet the one beside the way, nor does the card where it would lie in the end."""
    state = moving(broken_gate(f"A velites 10 8.2; B hastati {x} 7.1"), "A")
    after = run(state, Advance(210))
    assert after.where[0] == CROSSING
    assert after.broken == [0, broken, 0]


@rule("OH.contact.1", "O3.choke.when")
def test_markers_in_a_gate_can_be_charged_from_within() -> None:
    state = broken_gate("A hastati in=gate-1 way=60", "X sacred-band 10 3.6")
    after = run(moving(next_turn(state, 1), "X"), Charge("A"))
    assert in_melee(after, 1) == [0]
    assert (dice_of(after, 1, 0), dice_of(after, 0, 1)) == (2, 2)
    assert refusals(moving(next_turn(after), "A"), Cross(5))[0] == "O3.bridge.width"


@rule("O3.choke.free-way")
def test_an_enemy_in_the_way_is_not_met_without_a_charge() -> None:
    state = moving(broken_gate("A hastati 10 6.2", "X sacred-band 10 4.4"), "A")
    assert refusals(state, Advance(100)) == ["O3.choke.free-way"]
    assert not refusals(state, Advance(88))


# --- through a breach ----------------------------------------------------------------------------


@rule("O4.wall.breach-move", "O3.choke.when")
@pytest.mark.parametrize(("x", "where"), [(8.24, FIELD), (8.5, CROSSING)])
def test_in_a_breach_a_card_that_does_not_fit_goes_on_markers(x: float, where: int) -> None:
    state = run(moving(breached(f"A triarii {x} 6.2"), "A"), Advance(60))
    assert state.where[0] == where
    if where == CROSSING:
        assert sections_wide(state, 0) == 4
        assert run(moving(next_turn(state), "A"), Cross(72)).where[0] == FIELD


@rule("O4.wall.breach-defended", "O3.choke.overlap")
@pytest.mark.parametrize("gap", [5, 30, 80])
@pytest.mark.parametrize("x", [8.24, 8.6])
def test_who_stands_behind_a_breach_is_charged(x: float, gap: int) -> None:
    y = 5.32 - gap / 100 - 0.44
    state = breached(f"A hastati {x} 6.2", f"X sacred-band 8.24 {y:.2f}")
    after = run(moving(state, "A"), Charge("X"))
    assert front(after, "A", "X") == 4


@rule("O3.choke.when", "O4.wall.breach-move")
def test_where_a_tower_stood_the_way_is_as_wide_as_it_opens_to_the_inside() -> None:
    state = breached("A hastati 12.86 7.5", piece="tower-1")
    ways = passages(state, state.roster.structure_index["tower-1"])
    assert sorted((way.place.turn, way.sections) for way in ways) == [(900, 1), (1800, 1)]


# --- what befalls a unit in a passage ------------------------------------------------------------


@rule("O4.wall.collapse", "O6.razed.wounds")
def test_a_wall_that_collapses_hurts_who_is_in_its_gate() -> None:
    state = broken_gate("A hastati in=gate-1 way=60")
    state.damage[state.roster.structure_index["gate-1"]] = 7
    after = go_on(at(state, Razed(state.roster.structure_index["gate-1"])), [1, 1]).state
    assert wounds(after, "A") == 2
    assert after.where[0] == CROSSING
    assert sections_wide(after, 0) == 4


@rule("OH.flight.1", "O3.choke.when")
def test_who_flees_from_a_gate_goes_back_to_where_it_came_from() -> None:
    state = broken_gate("A hastati in=gate-1 way=60", "X sacred-band 10 4.5")
    after = go_on(at(state, Flight(0, 1))).state
    assert after.where[0] == FIELD
    assert place(after, "A")[1] > 7


@rule("O4.flee.inside", "O3.choke.when")
def test_a_defender_flees_from_his_gate_to_a_wall_inside() -> None:
    state = siege("A hastati 10 6.9", "X sacred-band in=gate-1 way=60 turn=180")
    choice = go_on(at(state, Flight(1, 0))).state
    after = run(choice, legal(choice)[0])  # two walls are equally near
    assert after.where[1] == FIELD
    assert after.way[1] == 0
    assert is_within(after, 1)


# --- over a wall ---------------------------------------------------------------------------------

UP = "A hastati 8.24 6.2 climbs=wall-2 climbed=1"


@rule("O4.occupy.enter", "O4.occupy.fight", "O5.assault.take-space")
@pytest.mark.parametrize("gap", [5, 10, 40, 80, 85])
def test_a_climber_steps_in_up_to_who_stands_behind_the_wall_and_fights_him(gap: int) -> None:
    y = 5.32 - gap / 100 - 0.44
    state = siege(UP, f"X sacred-band 8.24 {y:.2f}")
    atop = go_on(at(state, Ascent(0))).state
    assert isinstance(atop.decision, Atop)
    after = run(atop, StepIn())
    assert in_melee(after, 0) == [1]
    assert dice_of(after, 0, 1) == 4
    assert after.way[0] == OUT_OF + after.roster.structure_index["wall-2"]
    assert defence_of(after, 1, defence_terms(after, 0, 1)) == (6, 6)


@rule("O4.occupy.enter", "O4.exit-overlap.when")
@pytest.mark.parametrize(("gap", "sections"), [(10, 3), (30, 3), (60, 4)])
def test_a_climber_before_two_walls_steps_straight_in_over_the_one_that_he_touches_most(
    gap: int, sections: int
) -> None:
    """Three sections lie along wall-2, one along the gate; farther aside no more of them would fight."""
    y = 5.32 - gap / 100 - 0.44
    state = siege("A hastati 8.68 6.2 climbs=wall-2 climbed=1", f"X sacred-band 8.68 {y:.2f}")
    after = run(go_on(at(state, Ascent(0))).state, StepIn())
    assert place(after, "A") == (8.68, round(y + 0.88, 2), 0)
    assert after.way[0] == OUT_OF + after.roster.structure_index["wall-2"]
    assert front(after, "A", "X") == sections


@rule("O4.occupy.enter")
def test_an_activated_climber_is_offered_the_way_in() -> None:
    state = moving(siege(UP, "X sacred-band 8.24 4.48"), "A")
    assert {StepIn(), Descend(), Halt()} <= set(legal(state))
    assert in_melee(run(state, StepIn()), 0) == [1]


@rule("O4.occupy.enter", "O4.mounted.no-defences")
def test_horse_right_behind_a_wall_is_fought_from_its_top() -> None:
    atop = go_on(at(siege(UP, "X roman-cavalry 8.24 4.88"), Ascent(0))).state
    after = run(atop, StepIn())
    assert in_melee(after, 0) == [1]


@rule("O5.assault.take-space")
def test_who_is_fought_at_the_top_does_not_step_in() -> None:
    state = siege(UP, "X sacred-band 8.24 4.88")
    assert not isinstance(go_on(at(state, Ascent(0))).state.decision, Atop)
    assert "O5.assault.take-space" in refusals(moving(state, "A"), StepIn())


@rule("O4.wall.example-two-fights")
def test_the_triarii_on_the_wall_against_two_units() -> None:
    state = siege(
        "A triarii 8.68 6.2 climbs=wall-2 climbed=1", "X iberian-infantry 8.24 4.88; Y sacred-band 10 4.88"
    )
    assert (dice_of(state, 0, 1), dice_of(state, 0, 2)) == (3, 1)
    stepped = go_on(
        at(
            siege(
                "A triarii 8.68 6.2 climbs=wall-2 climbed=1",
                "X iberian-infantry 8.24 4.6; Y sacred-band 10.4 4.6",
            ),
            Ascent(0),
        )
    ).state
    after = run(stepped, StepIn())
    assert in_melee(after, 0)


@rule("O4.exit-overlap.when", "O3.choke.overlap")
def test_who_lies_over_a_wall_that_he_has_left_goes_on_inwards() -> None:
    state = run(go_on(at(siege(UP, "X sacred-band 8.24 4.48"), Ascent(0))).state, StepIn())
    state.pose[1] = Pose(1500, 1500, 0)
    free = moving(next_turn(state), "A")
    assert refusals(free, Slide(1800, 20)) == ["O3.impassable"]
    assert run(free, Advance(60)).way[0] == 0


# --- the loser's place ---------------------------------------------------------------------------


@rule("O4.beat-defender.occupy", "O4.flee.inside")
def test_who_flees_from_a_wall_is_clear_of_it_and_his_place_is_offered() -> None:
    state = siege(UP, "X african-infantry 8.24 4.88")
    play = do(at(state, Fights(0)), Engage("A", "X"), [CALM, *MISS, 6, 1, 1, 1, 6, 6])
    assert flees(play.state, "X")
    assert in_melee(play.state, 0) == []
    assert isinstance(play.state.decision, Taking)
    taken = run(play.state, TakeOver())
    assert place(taken, "A") == (8.24, 4.88, 0)


@rule("O4.flee.inside")
def test_no_refuge_touches_the_attacked_wall_with_a_section() -> None:
    """Opposite, at 8.68, the card would touch wall-5, at which B stands; so it goes to 8.24."""
    state = siege(f"{UP}; B hastati 10 1.8 180", "X african-infantry 8.68 4.88")
    assert [place for _, place in refuges(state, 2)] == [Pose(824, 312, 0)]


# --- siege towers --------------------------------------------------------------------------------

TOWER = "T siege-tower 8.24 6.2 owner=attacker"


@rule("O4.siege-tower.boarding", "O4.occupy.enter")
def test_a_crew_goes_over_onto_an_unmanned_wall_by_a_limited_move() -> None:
    state = moving(siege("A triarii in=T", "X sacred-band 11.76 4.88", TOWER), "A")
    assert Sally("front") in legal(state)
    after = run(state, Sally("front"))
    assert place(after, "A") == (8.24, 4.88, 0)
    assert after.where[0] == FIELD
    assert after.flags[0] & LIMITED
    manned = moving(siege("A triarii in=T", "X sacred-band 8.24 4.88", TOWER), "A")
    assert refusals(manned, Sally("front"))


@rule("O4.siege-tower.boarding", "O4.occupy.fight")
@pytest.mark.parametrize("gap", [10, 60])
def test_a_crew_goes_over_up_to_who_stands_behind_the_wall(gap: int) -> None:
    y = 5.32 - gap / 100 - 0.44
    state = moving(siege("A triarii in=T", f"X sacred-band 8.24 {y:.2f}", TOWER), "A")
    after = run(state, Sally("front"))
    assert in_melee(after, 0) == [1]
    assert front(after, "A", "X") == 4


@rule("O4.siege-tower.boarding", "O4.occupy.enter")
def test_a_crew_goes_over_into_an_empty_tower() -> None:
    state = siege("A triarii in=T", "X sacred-band 8.24 4.88", "T siege-tower 13.08 6.2 owner=attacker")
    after = run(moving(state, "A"), Sally("front"))
    assert after.where[0] == INSIDE
    assert after.roster.structures[after.inside[0]].id == "tower-1"
    held = siege("A triarii in=T", "X sacred-band in=tower-1", "T siege-tower 13.08 6.2 owner=attacker")
    assert refusals(moving(held, "A"), Sally("front"))


@rule("O5.withdrawal.attacker-follow", "O4.siege-tower.as-tower")
@pytest.mark.parametrize("back", [30, 60, 100])
@pytest.mark.parametrize("how", ["in=T", "8.24 6.2 climbs=wall-2 climbed=1"])
def test_crew_and_climber_keep_contact_with_who_withdraws(back: int, how: str) -> None:
    tower = TOWER if "T" in how else ""
    state = siege(f"A hastati {how}", "X sacred-band 8.24 4.88", tower, active="defender")
    after = run(moving(state, "X"), Withdraw(back))
    assert isinstance(after.decision, Pursuit)
    kept = run(after, Pursue())
    assert front(kept, "A", "X") == 4
    assert run(after, Done()).where[0] == state.where[0]


@rule("O4.siege-tower.move", "O2.facing-free")
def test_a_siege_tower_docks_once_a_move_and_no_farther_than_needed() -> None:
    askew = "T siege-tower 8.3 6.2 owner=attacker"
    state = moving(siege("A triarii in=T", FAR, askew), "A")
    play = do(state, Dock("wall-2"))
    docked = play.state
    assert told(play) == [("O2.facing-free", "event.docks")]
    assert docked.spots[docked.inside[0]] == Pose(824, 620, 0)
    assert refusals(docked, Dock("wall-2"))[0] == "O4.siege-tower.move"
    assert Dock("wall-2") not in legal(docked)
    aside = run(docked, Haul(900, 20))
    assert keys(aside, Dock("wall-2")) == ["refusal.aligned_already"]
    aligned = moving(siege("A triarii in=T", FAR, TOWER), "A")
    assert refusals(aligned, Dock("wall-2"))[0] == "O4.siege-tower.move"


# --- what players and bots see -------------------------------------------------------------------


def test_candidates_lead_into_a_gate_and_on() -> None:
    assert Advance(100) in legal(moving(broken_gate("A triarii 10 6.2", "X sacred-band 10 3.5"), "A"))
    inside = moving(broken_gate("A triarii in=gate-1 way=60", "X sacred-band 10 3.5"), "A")
    assert {Cross(72), Cross(100), Cross(-60)} <= set(legal(inside))


@pytest.mark.parametrize(("to", "way"), [(524, "advance 96"), (560, "advance 60")])
def test_a_card_is_dragged_into_a_gate(to: int, way: str) -> None:
    state = moving(broken_gate("A hastati 10 6.2"), "A")
    found = ghost(state, 0, "A", "card", (1002, to), "en")
    assert found is not None
    assert found.do == way
    assert found.pose == (1000, to, 0)


def test_markers_are_dragged_on() -> None:
    state = moving(broken_gate("A hastati in=gate-1 way=60"), "A")
    assert grips_of(state, 0, 0) == ("card",)
    on, back = (ghost(state, 0, "A", "card", (1000, y), "en") for y in (540, 600))
    assert on is not None
    assert back is not None
    assert (on.do, back.do) == ("cross 20", "cross -40")


@rule("O3.choke.when")
@pytest.mark.parametrize("gone", [0, 1])
def test_the_page_shows_the_markers(gone: int) -> None:
    state = broken_gate("A hastati in=gate-1 way=60")
    state.gone[state.inside[0]] = gone
    piece = ONUS.scene(state, 0, "en").pieces[0]
    wide = 4 if gone else 2
    assert piece.size == (wide * 44, 88)
    assert piece.sections == (wide, 2)
    assert "on section markers" in piece.marks


def test_a_besieger_in_a_gate_is_better_placed_than_before_it_and_best_inside() -> None:
    values = [
        evaluate(broken_gate(f"A triarii {where}", "X sacred-band 13 3.5"), 0)
        for where in ("10 7", "10 6.2", "in=gate-1 way=30", "10 4.88")
    ]
    assert values == sorted(values)
    horse = [
        evaluate(broken_gate(f"A roman-cavalry {where}", "X sacred-band 12 3.5"), 0)
        for where in ("10 9", "10 7")
    ]
    assert horse == sorted(horse)


# --- nobody is out of reach ----------------------------------------------------------------------


@rule("O3.choke.partial-block", "O4.wall.breach-defended")
@pytest.mark.parametrize(("depth", "offset", "heading"), [(31, -53, 448), (31, -19, 413), (45, -51, 1332)])
def test_an_enemy_who_stands_askew_and_reaches_into_a_breach_is_charged(
    depth: int, offset: int, heading: int
) -> None:
    state = position(Case("breach", depth, offset, heading))
    assert state is not None
    assert is_within_reach(state)


@rule("O4.occupy.enter")
@pytest.mark.parametrize("x", [8.3, 11.7])
def test_an_enemy_who_only_grazes_the_place_behind_a_wall_keeps_nobody_out(x: float) -> None:
    """By 0.06 DU, too little to be fought: the climber steps in beside him."""
    state = siege("A hastati 10 6.2 climbs=gate-1 climbed=1", f"X sacred-band {x} 4.48")
    after = run(go_on(at(state, Ascent(0))).state, StepIn())
    assert place(after, "A")[0] == pytest.approx(10, abs=0.11)
    assert is_within(after, 0)
    assert after.way[0] == 0


@rule("O4.occupy.enter", "O4.occupy.fight")
@pytest.mark.parametrize("offset", [-88, -53, 0])
def test_an_enemy_askew_whose_corner_is_at_the_wall_is_reached_from_its_top(offset: int) -> None:
    """As near as he may stand: his corner lies in the wall by the tolerance, and by what was rounded."""
    state = position(Case("wall", 47, offset, 448))
    assert state is not None
    assert is_within_reach(state)


@rule("O3.choke.partial-block", "O4.wall.breach-defended", "O4.occupy.fight")
@pytest.mark.parametrize("seed", range(10))
def test_no_defender_blocks_and_cannot_be_reached(seed: int) -> None:
    """A sample; ``make fuzz`` goes through all of them."""
    for case in random.Random(seed).sample(list(cases()), 40):
        state = position(case)
        assert state is None or is_within_reach(state), case
