"""5 Assault: rams and elephants against structures."""

from functools import partial

import pytest

from legatus.games.onus import ONUS
from legatus.games.onus.cards import card_id
from legatus.games.onus.combat import EventChoice, NoEvent, PlayEvent
from legatus.games.onus.forming import Extend, Form
from legatus.games.onus.measure import cases
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.modifiers import defence_terms, dice_of
from legatus.games.onus.morale import Flight
from legatus.games.onus.motion import LIMITED, REDUCED, REGULAR, allowance
from legatus.games.onus.movement import Halt
from legatus.games.onus.orders import Done
from legatus.games.onus.pieces import Advance, Slide
from legatus.games.onus.rams import Batter, Bearers, DropRam, GiveRam, TakeRam, ram_values
from legatus.games.onus.shooting import Shoot, Shooting
from legatus.games.onus.state import OnusState
from legatus.kernel import Play, legal
from legatus.kernel.objects import replace
from tests.rules import rule

from .stage import (
    CALM,
    at,
    battle,
    card,
    do,
    farthest,
    go_on,
    hold,
    left,
    moving,
    place,
    refusals,
    run,
    told,
    values,
    wounds,
)

FORT = "standard 10 4"  # its south face at 5.76; wall-2 from 7.36 to 9.12, the gate to 10.88, wall-1 to 12.64
GATE = "A triarii 10 6.2 ram"


def siege(attacker: str, defender: str = "", fortress: str = FORT) -> OnusState:
    return battle(attacker, defender, fortress=fortress)


def damage(state: OnusState, name: str) -> int:
    return state.damage[state.roster.structure_index[name]]


def ram(state: OnusState, *rolls: int, structure: str = "gate-1", part: str = "gate") -> Play:
    return do(at(state, Fights(0)), Batter("A", structure, part), [CALM, *rolls])


# --- who carries it ------------------------------------------------------------------------------


@rule("O2.cavalry.no-ram", "OH.trait.5")
@pytest.mark.parametrize(
    ("kind", "able"), [("triarii", True), ("roman-cavalry", False), ("elephants", False)]
)
def test_mounted_units_carry_no_ram(kind: str, able: bool) -> None:
    state = battle(f"A {kind} 10 9", "X archers 10 3", rams=1)
    assert refusals(at(state, Bearers(0)), GiveRam("A")) == ([] if able else ["O2.cavalry.no-ram"])
    lying = moving(state, "A")
    lying.rams = [(1000, 880)]
    assert ("O2.cavalry.no-ram" in refusals(lying, TakeRam())) != able


@rule("O5.ram.movement")
def test_rams_are_given_out_before_the_battle() -> None:
    state = go_on(at(battle("A triarii 10 9; B hastati 13 9", "X archers 10 3", rams=1), Bearers(0))).state
    assert legal(state) == [GiveRam("A"), GiveRam("B"), Done()]
    state = run(state, GiveRam("B"))
    assert state.ram == [0, 1, 0]
    assert not isinstance(state.decision, Bearers)
    assert Bearers in ONUS.steps


@rule("O5.ram.movement", "OH.move.5")
@pytest.mark.parametrize(("kind", "distance"), [("triarii", 1), ("hastati", 2), ("velites", 3)])
def test_a_ram_costs_one_du(kind: str, distance: float) -> None:
    state = moving(battle(f"A {kind} 10 12 ram", "X archers 10 3"), "A")
    assert left(state) == farthest(state, Advance) == distance


@rule("O5.ram.halving", "O5.ram.movement")
def test_the_ram_comes_off_before_the_halving() -> None:
    """Triarii 2: with a ram 1, and diagonally 0.5; skirmishers lose 1 DU in a limited move, too."""
    state = moving(battle("A triarii 10 12 ram", "X archers 10 3"), "A")
    assert (farthest(state, Advance), farthest(state, partial(Slide, 450))) == (1, 0.5)
    velites = battle("A velites 10 12 ram", "X archers 10 3")
    assert [allowance(velites, 0, mode) for mode in (REGULAR, LIMITED, REDUCED)] == [300, 200, 300]
    state.marching = 100
    assert allowance(state, 0, LIMITED) == 100


@rule("O5.ram.drop", "O5.ram.left-behind")
def test_a_unit_lets_go_and_moves_as_it_can_without() -> None:
    state = moving(battle("A triarii 10 12 ram", "X archers 10 3"), "A")
    play = do(state, DropRam())
    assert (play.state.ram[0], play.state.rams) == (0, [(1000, 1156)])
    assert left(play.state) == 2
    assert ("O5.ram.drop", "event.drops_ram") in told(play)
    assert refusals(play.state, DropRam()) == ["O5.ram.drop"]


@rule("O5.ram.left-behind")
def test_who_has_let_go_of_a_ram_takes_none_up_in_the_same_move() -> None:
    state = battle("A triarii 10 12", "X archers 10 3")
    state.rams = [(1000, 1190)]
    state = run(moving(state, "A"), TakeRam(), DropRam(), Advance(20))
    assert refusals(state, TakeRam()) == ["O5.ram.left-behind"]
    state.todo[-1] = replace(state.todo[-1], dropped=False)
    assert refusals(state, TakeRam()) == []


@rule("O5.ram.left-behind", "OH.move.2")
def test_who_passes_over_a_ram_takes_it_up_by_a_limited_move() -> None:
    state = battle("A hastati 10 12", "X archers 10 3")
    state.rams = [(1000, 1100)]
    state = moving(state, "A")
    assert refusals(state, TakeRam()) == ["O5.ram.left-behind"]
    state = run(state, Advance(60), TakeRam())
    assert (state.ram[0], state.rams) == (1, [])
    assert left(state) == 0.4  # 3 - 1, halved, less 0.6
    far = moving(battle("A hastati 10 12", "X archers 10 3"), "A")
    far.rams = [(1000, 1000)]
    assert "O2.limited.half" in refusals(run(far, Advance(200)), TakeRam())


@rule("O5.ram.left-behind")
@pytest.mark.parametrize("how", ["flees", "destroyed"])
def test_a_ram_lies_where_its_bearers_fled_or_fell(how: str) -> None:
    if how == "flees":
        state = go_on(at(battle("A hastati 10 12 ram", "X archers 10 3"), Flight(0, 1))).state
    else:
        state = battle("A hastati 10 12 ram wounds=4", "X archers 10 9")
        state.active = 1
        state.flags[1] = 1
        state = do(at(state, Shooting(1)), Shoot("X", "A"), [CALM, 6, 1, 1, 1]).state
    assert (state.ram[0], state.rams) == (0, [(1000, 1156)])


@rule("O5.ram.no-ranged", "OH.formation.5")
def test_with_a_ram_neither_missiles_nor_formations() -> None:
    state = battle("A principes 10 9 ram", "X african-infantry 10 7.7")
    assert refusals(at(state, Shooting(0)), Shoot("A", "X")) == ["O5.ram.no-ranged"]
    assert "O5.ram.no-ranged" in refusals(moving(state, "A"), Form("shield-wall"))
    state.ram[0] = 0
    assert refusals(at(state, Shooting(0)), Shoot("A", "X")) == []
    assert refusals(moving(state, "A"), Form("shield-wall")) == []


# --- battering -----------------------------------------------------------------------------------


@rule("O5.ram.value", "OH.unit.2")
def test_the_values_of_a_ram() -> None:
    state = siege(f"{GATE}; B elephants 3 9 ram; C hastati 3 12 ram broken")
    assert ram_values(state, 0) == (5, 4)
    assert ram_values(state, 2) == (3, 2)
    assert [(t.clause, t.value) for t in Batter("A", "gate-1").terms(state)] == [("O5.ram.value", 1)]
    assert Batter.weighed


@rule("O5.ram.value")
def test_never_more_than_five() -> None:
    state = siege(GATE)
    unit = state.roster.units[0]
    strong = replace(unit, kind=replace(unit.kind, melee=(5, 5)))
    state.roster = replace(state.roster, units=(strong,))
    assert ram_values(state, 0) == (5, 5)


@rule("O5.ram.dice", "OH.dice.4", "O5.ram.not-incendiary", "O4.gate.resistance")
def test_four_dice_whatever_touches_no_criticals_and_no_fire() -> None:
    """Hastati 4/3 at the gate (5): a 2 hits and a 3 damages; a 6 counts once.  One section is enough."""
    for x in (10, 10.88):
        play = ram(siege(f"A hastati {x} 6.2 ram"), 6, 6, 2, 1, 6, 6, 2)
        assert values(play, "event.rams") == {"unit": "A", "structure": "gate-1", "dice": 4, "damage": 2}
        assert damage(play.state, "gate-1") == 2
        assert sum(play.state.fire) == sum(play.state.lit) == 0


@rule("O5.ram.choose-section", "O4.gate.melee-choice")
def test_it_chooses_between_sections_and_between_wall_and_gate() -> None:
    state = at(siege("A triarii 9.56 6.2 ram"), Fights(0))
    offered = {Batter("A", "wall-2", "wall"), Batter("A", "gate-1", "gate"), Batter("A", "gate-1", "wall")}
    assert offered == {action for action in legal(state) if isinstance(action, Batter)}
    aside = at(siege("A triarii 8.68 6.2 ram"), Fights(0))
    assert refusals(aside, Batter("A", "gate-1", "gate")) == ["O4.gate.melee-choice"]
    assert refusals(aside, Batter("A", "gate-1", "wall")) == []


@rule("O4.gate.melee-choice", "O4.gate.resistance")
def test_the_gate_is_weaker_than_its_wall() -> None:
    """Hastati with a ram 4/3: at the gate (5) a 2 hits and a 3 damages; at the wall (6) a 3 and a 4."""
    state = siege("A hastati 10 6.2 ram")
    assert damage(ram(state, 2, 1, 1, 1, 3).state, "gate-1") == 1
    assert damage(ram(state, 2, 3, 1, 1, 3, part="wall").state, "gate-1") == 0
    assert damage(ram(state, 3, 1, 1, 1, 4, part="wall").state, "gate-1") == 1


@rule("O4.damage-sources", "O4.gate.material", "O4.wall.attacker-ways")
def test_stone_withstands_but_not_its_gate() -> None:
    state = at(siege(GATE, fortress="standard 10 4 stone"), Fights(0))
    assert refusals(state, Batter("A", "gate-1", "wall")) == ["O4.damage-sources"]
    assert refusals(state, Batter("A", "gate-1", "gate")) == []


@rule("O5.ram.continues")
def test_who_has_begun_goes_on_without_activation_once_a_turn() -> None:
    still = at(siege(GATE + " still"), Fights(0))
    assert refusals(still, Batter("A", "gate-1", "gate")) == ["O5.ram.continues"]
    begun = ram(siege(GATE), *[1] * 4, *[2] * 4, *[1] * 4).state  # ones of professionals are rolled again
    assert "OH.turn.4" in refusals(at(begun, Fights(0)), Batter("A", "gate-1", "gate"))
    begun.flags = [0]
    assert refusals(at(begun, Fights(0)), Batter("A", "gate-1", "gate")) == []


@rule("O2.limited.reduced-prevails", "O5.elephants")
@pytest.mark.parametrize("unit", ["elephants 10 6.2", "hastati 10 6.2 ram"])
def test_who_has_made_a_reduced_move_does_not_batter(unit: str) -> None:
    free = at(siege(f"A {unit} moved"), Fights(0))
    assert refusals(free, Batter("A", "gate-1", "gate")) == []
    reduced = at(siege(f"A {unit} reduced"), Fights(0))
    assert refusals(reduced, Batter("A", "gate-1", "gate")) == ["O2.limited.reduced-prevails"]
    assert legal(reduced) == [Done()]


@rule("O2.limited.reduced-prevails")
def test_elephants_that_change_formation_at_the_gate_do_not_batter_it() -> None:
    state = run(moving(siege("A elephants 10 6.2"), "A"), Extend("left"), Halt())
    assert refusals(at(state, Fights(0)), Batter("A", "gate-1", "gate")) == ["O2.limited.reduced-prevails"]


@rule("OH.turn.4", "O5.ram.continues")
def test_who_is_attacked_outside_has_no_hands_free_for_the_ram() -> None:
    state = at(siege(GATE, "X african-infantry 10 7.08 0"), Fights(0))
    assert refusals(state, Batter("A", "gate-1", "gate")) == ["OH.turn.4"]


@rule("O5.ram.events", "O5.ram.no-defender-event", "O6.events")
def test_events_a_random_one_and_the_attackers_but_not_the_defenders() -> None:
    """Weak point helps the damage roll: Hastati 3 + 1 against 5."""
    weak = card(event="weak-point")
    state = siege("A hastati 10 6.2 ram", "X african-infantry 10 4.88")
    state = hold(hold(state, "attacker", weak), "defender", card(event="courage"))
    state = do(at(state, Fights(0)), Batter("A", "gate-1", "gate"), [CALM]).state
    assert isinstance(state.decision, EventChoice)
    assert state.decision.seat == 0
    struck = run(state, PlayEvent(card_id(weak)), dice=[2, 1, 1, 1, 2])
    assert damage(struck, "gate-1") == 1
    plain = run(state, NoEvent(), dice=[2, 1, 1, 1, 2])
    assert damage(plain, "gate-1") == 0
    assert not isinstance(plain.decision, EventChoice)


@rule("O5.ram.events", "OH.deck.4", "OH.event.3", "OH.event.7")
def test_hand_events_that_concern_the_bearers_are_played_and_count() -> None:
    """Hastati with a ram strike at 4/3 against 5: a fierce onset makes it 5/4, confusion takes a die."""
    names = ("fierce-onset", "confusion", "stand-firm", "ambush", "shaken", "courage", "second-volley")
    cards = {name: card(event=name) for name in names}
    state = hold(siege("A hastati 10 6.2 ram", "X african-infantry 10 4.88"), "attacker", *cards.values())
    state = do(at(state, Fights(0)), Batter("A", "gate-1", "gate"), [CALM]).state
    played = [name for name in names if not refusals(state, PlayEvent(card_id(cards[name])))]
    assert played == ["fierce-onset", "confusion"]
    assert refusals(state, PlayEvent(card_id(cards["courage"]))) == ["OH.deck.4"]
    fierce = run(state, PlayEvent(card_id(cards["fierce-onset"])), dice=[2, 2, 1, 1, 2, 2])
    assert damage(fierce, "gate-1") == 2
    assert damage(run(state, NoEvent(), dice=[2, 2, 1, 1, 2, 2]), "gate-1") == 0
    confused = run(state, PlayEvent(card_id(cards["confusion"])), dice=[2, 1, 1, 3])
    assert damage(confused, "gate-1") == 1


@rule("O6.events", "OH.deck.4")
def test_a_random_event_that_is_bound_to_a_unit_does_nothing_to_a_structure() -> None:
    state = at(siege("A hastati 10 6.2 ram"), Fights(0))
    play = do(state, Batter("A", "gate-1", "gate"), [card(event="fierce-onset"), 2, 1, 1, 1, 2])
    assert ("OH.deck.4", "event.random_idle") in told(play)
    assert damage(play.state, "gate-1") == 0


@rule("O5.ram.events")
def test_odds_of_a_ram() -> None:
    state = at(siege(GATE), Fights(0))
    [(_, full)] = cases(state, Batter("A", "gate-1", "gate"))
    assert sum(full.deck) == 1


@rule("O4.gate.example-ram", "O4.gate.shared-damage")
def test_a_gate_with_five_points_is_down_and_two_sections_of_each_meet() -> None:
    state = siege(GATE, "X african-infantry 10 4.88")
    state.damage[state.roster.structure_index["gate-1"]] = 3
    play = ram(state, 2, 2, 2, 3, 2, 2, 1, 1)
    assert damage(play.state, "gate-1") == 5
    assert ("O4.gate.shared-damage", "event.gate_falls") in told(play)
    assert (dice_of(play.state, 0, 1), dice_of(play.state, 1, 0)) == (2, 2)


@rule("O4.gate.example-ram", "O4.wall.collapse")
def test_after_that_the_ram_strikes_the_wall_which_falls_on_the_defender() -> None:
    """Two more points: then a wound for each of the 4 sections at the wall, and a check."""
    state = siege(GATE, "X african-infantry 10 4.88")
    state.damage[state.roster.structure_index["gate-1"]] = 5
    fights = at(state, Fights(0))
    assert {Batter("A", "gate-1", "wall"), Engage("A", "X"), Done()} == set(legal(fights))
    play = do(fights, Batter("A", "gate-1", "wall"), [CALM, 3, 3, 2, 2, 3, 3, 2, 2, 1, 1])
    assert damage(play.state, "gate-1") == 7
    assert play.state.gone[play.state.roster.structure_index["gate-1"]]
    assert wounds(play.state, "X") == 4


@rule("O4.gate.example-ram", "O4.wall.values")
def test_or_they_fight_through_the_gate() -> None:
    state = siege(GATE, "X african-infantry 10 4.88")
    state.damage[state.roster.structure_index["gate-1"]] = 5
    assert dice_of(state, 0, 1) == 2
    assert defence_terms(state, 0, 1) == []
    rammed = do(at(state, Fights(0)), Batter("A", "gate-1", "wall"), [CALM, *[2] * 8]).state
    assert refusals(at(rammed, Fights(0)), Engage("A", "X")) == ["O4.gate.example-ram"]


# --- elephants -----------------------------------------------------------------------------------


@rule("O5.elephants", "O2.cavalry.elephants")
def test_elephants_batter_with_their_own_values() -> None:
    """4/5 against a wooden wall (6): a 3 hits, a 2 damages."""
    state = siege("A elephants 8.24 6.2")
    assert ram_values(state, 0) == (4, 5)
    play = ram(state, 3, 2, 1, 1, 2, structure="wall-2", part="wall")
    assert damage(play.state, "wall-2") == 1
    assert allowance(play.state, 0, REGULAR) == 400
    assert Batter("A", "wall-2").terms(state) == []


@rule("O5.elephants", "O4.gate.material")
def test_elephants_only_against_wood_and_gates() -> None:
    stone = at(siege("A elephants 10 6.2", fortress="standard 10 4 stone"), Fights(0))
    assert refusals(stone, Batter("A", "gate-1", "wall")) == ["O4.damage-sources"]
    assert refusals(stone, Batter("A", "gate-1", "gate")) == []
    horse = at(siege("A roman-cavalry 10 6.2"), Fights(0))
    assert "O5.ram.dice" in refusals(horse, Batter("A", "gate-1", "gate"))


@rule("O5.elephants")
def test_elephants_go_up_to_a_wall() -> None:
    state = moving(siege("A elephants 8.24 9"), "A")
    state = run(state, Advance(280), Halt())
    assert place(state, "A")[1] == 6.2
    assert refusals(at(state, Fights(0)), Batter("A", "wall-2")) == []


@rule("O5.ram.dice", "O4.watchtower.rules")
def test_a_ram_strikes_towers_too() -> None:
    state = battle("A hastati 10 9 ram", "X archers in=T", structure="T watchtower 10 8.12")
    assert Batter("A", "T", "wall") in legal(at(state, Fights(0)))
