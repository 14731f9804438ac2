"""5, 9 and 12: values, dice, ranged attacks on units and on structures."""

from fractions import Fraction

import pytest

from legatus.games.onus.bombard import NameVictim, Victims
from legatus.games.onus.cards import card_id
from legatus.games.onus.combat import PlayEvent, needed
from legatus.games.onus.kinds import kinds
from legatus.games.onus.measure import cases, measure
from legatus.games.onus.movement import MoveOn, Moving, MovingOn
from legatus.games.onus.orders import Done
from legatus.games.onus.shooting import Shoot, Shooting, cover_terms, shot_dice
from legatus.games.onus.sight import mark_of
from legatus.games.onus.sorts import sorts
from legatus.games.onus.state import FIELD, LOST, OnusState
from legatus.kernel import Message, Play, legal, outcomes
from legatus.parts.plane import Pose
from tests.rules import rule

from .stage import (
    CALM,
    at,
    battle,
    card,
    do,
    flees,
    hold,
    index,
    is_lost,
    over,
    place,
    refusals,
    run,
    told,
    values,
    wounds,
)

NO_TERMS = Message("term.none")


def shoot(state: OnusState, *dice: int, target: str = "X") -> Play:
    """A shoots; the first number is the card that is turned."""
    return do(at(state, Shooting(0)), Shoot("A", target), dice)


def barred(state: OnusState, target: str = "X") -> list[str]:
    return refusals(at(state, Shooting(0)), Shoot("A", target))


def cover(state: OnusState, name: str = "X") -> list[tuple[str, int, int]]:
    return [(t.clause, t.value, armour) for t, armour in cover_terms(state, index(state, name))]


# --- values and dice -----------------------------------------------------------------------------


@rule("OH.dice.1", "OH.dice.5")
@pytest.mark.parametrize(
    ("value", "number", "face"),
    [
        (3, 6, 4),
        (4, 7, 4),
        (4, 6, 3),
        (4, 8, 5),
        (2, 6, 5),
        (1, 7, 6),
        (0, 9, 6),
        (5, 4, 2),
        (5, 6, 2),
        (-4, 3, 5),
    ],
)
def test_a_die_must_be_higher(value: int, number: int, face: int) -> None:
    """Always a 6, never a 1; a value below -1 counts as -1."""
    assert needed(value, number) == face


@rule("OH.value.1", "OH.value.2", "OH.value.5", "OH.value.6", "OH.value.4", "OH.trait.4")
def test_the_scales_of_the_values() -> None:
    for kind in kinds().values():
        assert all(1 <= value <= 5 for value in kind.melee)
        assert 4 <= kind.defence[0] <= 6
        assert 3 <= kind.defence[1] <= 7
        assert 3 <= kind.life <= 6
        if "javelins" in kind.traits:
            assert kind.short == kind.long == 100
        elif kind.shoots:
            assert kind.short * 2 == kind.long
        foot = {"mounted", "siege"}.isdisjoint(kind.traits)
        if foot:
            assert 2 <= kind.move <= 4
        elif "siege" in kind.traits:
            assert kind.move == 1
        else:
            assert kind.move == 4 if kind.id == "elephants" else kind.move in (5, 6)


@rule("OH.dice.2", "OH.ranged.3", "OH.value.3")
def test_hits_are_rolled_again_and_a_six_wounds_at_once() -> None:
    # archers 2 against 6/5: a 5 hits, a 6 wounds at once; damage needs a 4
    play = shoot(battle("A archers 10 12", "X hastati 10 9.5"), CALM, 5, 5, 6, 4, 4, 3, 2, 2)
    assert wounds(play.state, "X") == 2
    said = {"unit": "A", "dice": 4, "hits": 3, "wounds": 2, "need": 5, "pierce": 4, "added": NO_TERMS}
    assert values(play, "event.strikes") == said
    assert [key for _, key in told(play)][-3:] == ["event.strikes", "event.wounds", "event.holds"]


@rule("OH.dice.2")
def test_the_example_of_the_hastati_and_the_iberians() -> None:
    """3/2 against 6/5: a 4 or 5 hits, a 6 wounds; damage from 4 on."""
    hastati, iberians = kinds()["hastati"], kinds()["iberian-infantry"]
    assert needed(hastati.melee[0], iberians.defence[0]) == 4
    assert needed(hastati.melee[1], iberians.defence[1]) == 4


@rule("OH.trait.2")
def test_professionals_roll_ones_again_once() -> None:
    play = shoot(battle("A scorpion 10 12", "X hastati 10 9.5"), CALM, 1, 1, 1, 3, 1, 6, 2, 2, 2)
    assert wounds(play.state, "X") == 1
    plain = shoot(battle("A archers 10 12", "X hastati 10 9.5"), CALM, 1, 1, 1, 3)
    assert wounds(plain.state, "X") == 0


@rule("OH.ranged.1", "OH.value.4")
@pytest.mark.parametrize(("y", "dice"), [(9.5, 4), (8.1, 4), (8.09, 2), (5.1, 2)])
def test_four_dice_at_short_range_and_two_at_long(y: float, dice: int) -> None:
    state = battle("A archers 10 12", f"X hastati 10 {y}")  # 3 DU end at 8.56, 6 at 5.56
    assert shot_dice(state, 0, mark_of(state, "X")) == dice


@rule("OH.value.3")
@pytest.mark.parametrize(("y", "clauses"), [(5.1, []), (5.09, ["OH.value.3"])])
def test_beyond_the_maximum_range_nothing_is_shot(y: float, clauses: list[str]) -> None:
    assert barred(battle("A archers 10 12", f"X hastati 10 {y}")) == clauses


@rule("OH.value.3")
def test_who_has_no_missiles_does_not_shoot() -> None:
    assert barred(battle("A triarii 10 12", "X hastati 10 10.5"))[0] == "OH.value.3"


@rule("OH.ranged.2", "OH.broken.1")
def test_a_broken_shooter_has_one_less() -> None:
    state = at(battle("A archers 10 12 broken", "X hastati 10 9.5"), Shooting(0))
    assert [(t.clause, t.value) for t in Shoot("A", "X").terms(state)] == [("OH.broken.1", -1)]
    play = do(state, Shoot("A", "X"), [CALM, 5, 5, 5, 5])  # 1 + 5 is not more than 6
    assert wounds(play.state, "X") == 0


@rule("O4.village.defence", "O4.watchtower.values", "O4.tower.values", "OH.melee.4", "OH.formation.1")
def test_what_protects_from_missiles() -> None:
    where = {"structure": "half village 10 9; post watchtower 5 9"}
    assert cover(battle("", "X hastati in=half", **where)) == [("O4.village.defence", 2, 2)]
    assert cover(battle("", "X hastati in=post", **where)) == [("O4.watchtower.values", 2, 0)]
    assert cover(battle("", "X hastati 10 5 formation=shield-wall broken")) == [
        ("OH.formation.1", 1, 1),
        ("OH.broken.1", -1, -1),
    ]


@rule("O4.works.bonus")
def test_works_do_not_protect_from_missiles() -> None:
    state = battle("A archers 10 12", "X hastati 10 9", structure="ditch trench 10 9.66 owner=defender")
    assert cover(state) == []


# --- who shoots ----------------------------------------------------------------------------------


@rule("OH.turn.3")
def test_activated_units_shoot_once() -> None:
    assert barred(battle("A archers 10 12 still", "X hastati 10 9.5")) == ["OH.turn.3"]
    assert barred(battle("A archers 10 12 shot", "X hastati 10 9.5")) == ["OH.turn.3"]
    state = at(battle("A archers 10 12; B archers 12 12", "X hastati 10 9.5"), Shooting(0))
    assert set(legal(state)) == {Shoot("A", "X"), Shoot("B", "X"), Done()}
    after = run(state, Shoot("A", "X"), dice=[CALM, 1, 1, 1, 1])
    assert legal(after) == [Shoot("B", "X"), Done()]


@rule("OH.move.3", "O2.limited.ranged")
def test_after_a_reduced_move_nobody_shoots_and_after_a_limited_one_everybody() -> None:
    assert barred(battle("A archers 10 12 reduced", "X hastati 10 9.5")) == ["OH.move.3"]
    assert barred(battle("A archers 10 12 limited", "X hastati 10 9.5")) == []
    assert barred(battle("A archers 10 12 idle", "X hastati 10 9.5")) == ["OH.turn.2"]


@rule("O5.artillery.move-or-shoot", "OH.move.6")
def test_artillery_that_has_moved_does_not_shoot() -> None:
    assert barred(battle("A onager 10 12 moved", "X hastati 10 9.5")) == ["O5.artillery.move-or-shoot"]


@rule("OH.flight.1")
def test_who_flees_does_not_shoot() -> None:
    assert barred(battle("A archers 10 12 fleeing", "X hastati 10 9.5")) == ["OH.flight.1"]


@rule("OH.order.8")
def test_after_the_order_to_fall_back_nobody_shoots() -> None:
    state = battle("A archers 10 12", "X hastati 10 9.5")
    state.backward = True
    assert barred(state) == ["OH.order.8"]


@rule("OH.ranged.6", "O2.no-shooting-into-melee")
def test_nobody_shoots_into_melee_or_out_of_it() -> None:
    into = battle("A archers 12 12; B hastati 10 9", "X hastati 10 8.12")
    assert barred(into) == ["OH.ranged.6"]
    out = battle("A archers 10 9", "X hastati 10 8.12; Y hastati 10 6")
    assert "OH.ranged.6" in barred(out, "Y")


@rule("O4.barricade.contact", "OH.ranged.6")
def test_across_a_barricade_nobody_is_in_melee() -> None:
    state = battle("A slingers 10 9.22", "X hastati 10 8.12", structure="fence barricade 10 8.67")
    assert barred(state) == []


@rule("OH.ranged.5", "OH.trait.4")
def test_javelins_are_thrown_at_the_enemy_charged_in_this_turn() -> None:
    assert barred(battle("A hastati 10 9 charged", "X african-infantry 10 8.12")) == []
    assert barred(battle("A hastati 10 9", "X african-infantry 10 8.12")) == ["OH.ranged.6", "OH.ranged.6"]
    slingers = battle("A slingers 10 9 charged", "X african-infantry 10 8.12")
    assert barred(slingers) == ["OH.ranged.6", "OH.ranged.6"]
    beside = battle("A hastati 10 9 charged", "X african-infantry 9.1 8.12; Y african-infantry 10.95 7.6")
    assert barred(beside) == []
    assert barred(beside, "Y") == ["OH.ranged.6"]


@rule("OH.ranged.3")
def test_only_enemies_are_shot_at() -> None:
    state = battle("A archers 10 12; B hastati 10 9.5", "X hastati 4 4")
    assert barred(state, "B") == barred(state, "nobody") == ["OH.ranged.3"]


@rule("OH.trait.1")
def test_skirmishers_move_on_after_their_shot() -> None:
    state = battle("A slingers 10 12 moved", "X hastati 10 9.5")
    state.spent[0] = 100
    after = do(at(state, Shooting(0), MovingOn(0)), Shoot("A", "X"), [CALM, 1, 1, 1, 1]).state
    assert MoveOn("A") in legal(after)
    moving = run(after, MoveOn("A")).decision
    assert isinstance(moving, Moving)
    assert moving.left(after) == 300
    archers = battle("A archers 10 12 moved", "X hastati 10 9.5")
    assert over(do(at(archers, Shooting(0), MovingOn(0)), Shoot("A", "X"), [CALM, 1, 1, 1, 1]).state)


# --- artillery against structures ----------------------------------------------------------------

PLANK = "plank wooden-bridge 10 8"  # 0.88 wide, from 7.28 to 8.72
BROOK = "brook river 10 8 20x1.44"


@rule("O3.bridge.values", "O4.value.resistance", "O4.value.durability", "O4.value.height")
@rule("O4.structures-table", "OH.village.1", "O4.village.halves", "O4.village.height", "O4.watchtower.values")
def test_the_table_of_structures() -> None:
    kinds = ("wooden-bridge", "stone-bridge", "village", "watchtower")
    found = {kind: sorts()[kind] for kind in kinds}
    assert {kind: (s.height, s.resistance, s.durability, s.burns) for kind, s in found.items()} == {
        "wooden-bridge": (0, 7, 7, "yes"),
        "stone-bridge": (0, 8, 8, "no"),
        "village": (1, 6, 7, "yes"),
        "watchtower": (2, 7, 8, "yes"),
    }


@rule("O4.damage-sources", "O5.artillery.targets", "OH.trait.6")
def test_only_siege_units_shoot_at_structures() -> None:
    where = f"{PLANK}; half village 13 8; post watchtower 7 8; fence barricade 10 10"
    state = battle("A onager 10 13", structure=where, ground=BROOK)
    shots = [Shoot("A", n, fire) for n in ("plank", "half", "post") for fire in (False, True)]
    assert set(legal(at(state, Shooting(0)))) == {*shots, Done()}
    archers = battle("A archers 10 11", structure=where, ground=BROOK)
    assert barred(archers, "plank") == ["O4.damage-sources"]
    assert barred(state, "fence") == ["OH.ranged.3"]


@rule("O5.artillery.targets", "OH.sight.1")
def test_who_stands_on_a_bridge_does_not_hide_it() -> None:
    where = f"{PLANK}; post watchtower 10 12"
    state = battle("A ballista in=post", "X hastati in=plank way=44 turn=0", structure=where, ground=BROOK)
    state.pose[1] = Pose(1000, 872, 0)  # its front 0.44 on the bridge
    assert barred(state, "plank") == []
    blind = battle("A ballista in=post", "Y hastati 10 10", structure=where, ground=BROOK)
    assert barred(blind, "plank") == ["O2.los.high.obstacle-near-target"]


@rule("O5.artillery.hit", "O5.artillery.damage", "OH.dice.3", "O5.artillery.scope", "O4.value.resistance")
def test_hits_and_damage_are_rolled_against_the_resistance() -> None:
    state = battle("A onager 10 12", structure=PLANK, ground=BROOK)  # 4 against 7
    play = shoot(state, CALM, 2, 3, 4, 5, 3, 4, target="plank")
    assert play.state.damage == [1]
    assert values(play, "event.bombards")["hits"] == 2
    stone = battle("A onager 10 12", structure="arch stone-bridge 10 8", ground=BROOK)  # 4 against 8
    assert shoot(stone, CALM, 2, 3, 4, 5, 5, target="arch").state.damage == [1]


@rule("O5.artillery.critical", "O5.artillery.example", "O6.razed.threshold")
def test_the_example_of_the_sixes() -> None:
    state = battle("A onager 10 14", structure=PLANK, ground=BROOK)  # long range: 2 dice
    play = shoot(state, CALM, 6, 6, 6, 6, 6, 6, target="plank")
    assert values(play, "event.bombards") == {"unit": "A", "structure": "plank", "hits": 4, "damage": 8}
    assert play.state.gone == [1]


@rule("O5.collateral.example-2", "O5.collateral.roll", "O5.collateral.no-critical", "O3.bridge.collateral")
def test_the_example_of_collateral_damage() -> None:
    """A 4 is needed: 2, 3, 5, 6 are 3 hits; 2, 3, 6 are 2 damage; then 2 dice, and a 6 counts once."""
    state = battle("A onager 10 12", "X archers in=plank way=100 turn=0", structure=f"{PLANK}", ground=BROOK)
    play = shoot(state, CALM, 2, 3, 5, 6, 2, 3, 6, 6, 1, 1, 1, target="plank")
    assert values(play, "event.bombards")["hits"] == 3
    assert play.state.damage == [2]
    assert values(play, "event.collateral") == {"unit": "X", "dice": 2, "wounds": 1}
    assert wounds(play.state, "X") == 1


@rule("O5.collateral.example-1", "O5.collateral.roll", "O5.collateral.no-events")
def test_collateral_damage_uses_the_value_of_the_shooter_against_armour() -> None:
    state = battle("A onager 10 12", "X archers in=half", structure="half village 10 8")
    state.damage = [0]
    # value 4 against 6: 3 hits; armour 4 + 2 of the village against 4: from 3 on
    play = shoot(state, CALM, 3, 3, 2, 2, 3, 3, 3, 2, 1, 1, target="half")
    assert play.state.damage == [2]
    assert wounds(play.state, "X") == 1
    weak = shoot(state, card(event="weak-point"), 3, 3, 2, 2, 2, 2, 2, 2, target="half")
    assert weak.state.damage == [2]  # +1 on the damage rolls, but not on those of collateral damage
    assert wounds(weak.state, "X") == 0


@rule("O6.events", "OH.deck.4")
def test_against_a_structure_the_defender_plays_nothing_and_bound_events_do_nothing() -> None:
    state = battle("A onager 10 12", "X hastati 3 3", structure=PLANK, ground=BROOK)
    idle = shoot(state, card(event="confusion"), 1, 1, 1, 1, 2, 2, 2, 2, target="plank")  # still 4 dice
    assert ("OH.deck.4", "event.random_idle") in told(idle)
    wind = shoot(state, card(event="wind"), 4, 4, 4, 4, target="plank")  # 3 against 7: a 4 misses
    assert wind.state.damage == [0]
    armed = hold(state, "defender", card(event="wind"))
    assert over(shoot(armed, CALM, 2, 2, 2, 2, target="plank").state)


@rule("OH.deck.4", "OH.event.4", "OH.event.7")
def test_a_second_volley_from_the_hand_strikes_the_structure_again() -> None:
    """An onager, 4 against 7: a 4 hits; the second volley only if the bridge still stands."""
    volley, muddle = card(event="second-volley"), card(event="confusion")
    state = battle("A onager 10 12", "X hastati 3 3", structure=PLANK, ground=BROOK)
    state = hold(state, "attacker", volley, muddle, card(event="shaken"))
    state = shoot(state, CALM, target="plank").state
    assert refusals(state, PlayEvent(card_id(card(event="shaken")))) == ["OH.deck.4"]
    twice = run(state, PlayEvent(card_id(volley)), dice=[4, 2, 2, 2, 4, 4, 2, 2, 2, 4])
    assert twice.damage == [2]
    once = run(state, PlayEvent(card_id(muddle)), dice=[4, 2, 2, 4])
    assert once.damage == [1]
    state.damage = [6]
    fallen = run(state, PlayEvent(card_id(volley)), dice=[4, 2, 2, 2, 4])
    assert fallen.gone == [1]


@rule("O5.artillery.fumble")
def test_a_one_twice_with_nobody_near_is_a_miss() -> None:
    state = battle("A onager 10 12; B hastati 14 12", structure=PLANK, ground=BROOK)
    play = shoot(state, CALM, 1, 2, 2, 2, 1, target="plank")
    assert ("O5.artillery.fumble", "event.fumbles") in told(play)
    assert wounds(play.state, "B") == 0


@rule("O5.artillery.fumble")
def test_a_one_and_then_a_five_is_a_hit() -> None:
    state = battle("A onager 10 12", structure=PLANK, ground=BROOK)
    assert shoot(state, CALM, 1, 2, 2, 2, 5, 4, target="plank").state.damage == [1]


@rule("O5.artillery.fumble")
def test_a_fumble_hits_the_friend_within_two_du() -> None:
    near = battle("A onager 10 12; B hastati 13.76 12", structure=PLANK, ground=BROOK)  # 2 DU apart
    play = shoot(near, CALM, 1, 2, 2, 2, 1, 2, 2, 2, target="plank")  # 4 + 2 beats 5: one wound
    assert wounds(play.state, "B") == 1
    far = battle("A onager 10 12; B hastati 13.79 12", structure=PLANK, ground=BROOK)
    assert wounds(shoot(far, CALM, 1, 2, 2, 2, 1, target="plank").state, "B") == 0


@rule("O5.artillery.fumble")
def test_of_several_friends_the_opponent_names_the_victim() -> None:
    state = battle("A onager 10 12; B hastati 12 12; C hastati 8 12", structure=PLANK, ground=BROOK)
    play = shoot(state, CALM, 1, 2, 2, 2, 1, target="plank")
    assert isinstance(play.state.decision, Victims)
    assert play.state.decision.seat == 1
    assert refusals(play.state, NameVictim("A")) == ["O5.artillery.fumble"]
    after = run(play.state, NameVictim("C"), dice=[6, 1, 1])
    assert (wounds(after, "B"), wounds(after, "C")) == (0, 1)


@rule("O6.razed.threshold", "O6.razed.closed", "O4.value.durability")
def test_a_village_that_falls_buries_who_is_in_it() -> None:
    state = battle("A onager 10 12", "X hastati in=half", structure="half village 10 8")
    state.damage = [5]
    play = shoot(state, CALM, 3, 2, 2, 2, 3, 1, target="half")
    assert play.state.damage == [6]
    assert not is_lost(play.state, "X")
    state.damage = [6]
    play = shoot(state, CALM, 3, 2, 2, 2, 3, 1, target="half")
    assert play.state.gone == [1]
    assert is_lost(play.state, "X")


@rule("O3.bridge.destroyed", "O6.razed.wounds", "OH.morale.2")
def test_a_bridge_that_falls_sends_its_unit_back() -> None:
    # X has come from the north, so its bank is at 7.28
    state = battle("A onager 10 12", "X hastati in=plank way=100 turn=180", structure=PLANK, ground=BROOK)
    state.damage = [6]
    play = shoot(state, CALM, 4, 2, 2, 2, 4, 1, 2, 2, target="plank")
    after = play.state
    assert after.gone == [1]
    assert (after.where[1], wounds(after, "X")) == (FIELD, 2)
    assert place(after, "X")[1] <= 7.28 - 0.44
    assert ("OH.morale.1", "event.holds") in told(play)


@rule("OH.morale.4", "O4.flee.artillery", "O5.artillery.flee", "OH.trait.6")
def test_artillery_that_has_to_flee_is_destroyed() -> None:
    state = battle("A archers 10 12", "X ballista 10 9.5")
    play = shoot(state, CALM, 6, 1, 1, 1, 6, 6)
    assert is_lost(play.state, "X")
    assert not flees(play.state, "X")


# --- odds ----------------------------------------------------------------------------------------


@rule("OH.deck.4", "OH.dice.2", "OH.morale.1")
def test_the_odds_of_a_shot_are_exact_and_without_events() -> None:
    state = hold(at(battle("A archers 10 12", "X hastati 10 9.5"), Shooting(0)), "defender", 3, 4)
    ((weight, quiet),) = cases(state, Shoot("A", "X"))
    found = [(p, measure(quiet, after)) for p, after in outcomes(quiet, Shoot("A", "X"), alone=True)]
    assert weight == sum(p for p, _ in found) == 1
    # a die wounds with a 6, and with a 5 in one case of two; morale 7 fails in 15 of 36
    assert sum(p * row["wounds"] for p, row in found) == 4 * (Fraction(1, 6) + Fraction(1, 12))
    spared = Fraction(3, 4) ** 4
    assert sum(p * row["fleeing"] for p, row in found) == (1 - spared) * Fraction(15, 36)
    assert state.hands[1] == [3, 4]


@rule("O5.artillery.damage", "O6.razed.closed")
def test_what_an_odds_table_counts() -> None:
    state = battle("A onager 10 12", "X hastati in=half; Y hastati 15 3", structure="half village 10 8")
    before = at(state, Shooting(0))
    after = before.copy()
    after.damage, after.where[1], after.fleeing[2], after.wounds[0] = [7], LOST, 1, 2
    found = {name: number for name, number in measure(before, after).items() if number}
    assert found == {"destroyed": 1, "fleeing": 1, "own_wounds": 2, "damage": 7}
    back = {name: number for name, number in measure(after, before).items() if number}
    assert back == {"rallied": 1, "healed": 2, "damage": -7}
