"""2, 3, 4 and 13: melee: dice, modifiers, priority, works, villages, what follows."""

import pytest

from legatus.games.onus.aftermath import Follow, Following, TakePlace
from legatus.games.onus.contact import angle_of, in_melee, opponents, shelter, work_between
from legatus.games.onus.envelop import Envelop, Enveloping, Tidy, free_sections
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.modifiers import attack_terms, defence_of, defence_terms, dice_of, has_priority
from legatus.games.onus.orders import Done
from legatus.games.onus.state import EMERGED, FIELD, INSIDE, OnusState
from legatus.kernel import Play, legal
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
    over,
    place,
    refusals,
    run,
    told,
    values,
    wounds,
)

MISS = [1, 1, 1, 1]
FACE = "A hastati 10 9", "X african-infantry 10 8.12"


def fight(state: OnusState, *dice: int) -> Play:
    """A attacks X; the first number is the card that is turned."""
    return do(at(state, Fights(0)), Engage("A", "X"), dice)


def attack(state: OnusState, one: str = "A", two: str = "X") -> list[tuple[str, int]]:
    return [(t.clause, t.value) for t in attack_terms(state, index(state, one), index(state, two))]


def cover(state: OnusState, one: str = "A", two: str = "X") -> list[tuple[str, int, int]]:
    """What is added to the defence of ``two`` against ``one``."""
    found = defence_terms(state, index(state, one), index(state, two))
    return [(t.clause, t.value, armour) for t, armour in found]


def defence(state: OnusState, one: str = "A", two: str = "X") -> tuple[int, int]:
    i, j = index(state, one), index(state, two)
    return defence_of(state, j, defence_terms(state, i, j))


def priority(state: OnusState, one: str = "A", two: str = "X") -> bool:
    return has_priority(state, index(state, one), index(state, two))


def dice(state: OnusState, one: str = "A", two: str = "X") -> int:
    return dice_of(state, index(state, one), index(state, two))


# --- contact and dice ----------------------------------------------------------------------------


@rule("OH.melee.1", "OH.contact.1")
@pytest.mark.parametrize(
    ("x", "number"),
    [(10, 4), (10.35, 4), (10.36, 3), (10.79, 3), (10.8, 2), (11.24, 1), (11.67, 1), (11.68, 0)],
)
def test_a_die_for_each_section_of_which_a_quarter_touches(x: float, number: int) -> None:
    """0.11 DU of its edge, with a tolerance of 0.02."""
    state = battle("A hastati 10 9", f"X african-infantry {x} 8.12")
    assert dice(state) == dice(state, "X", "A") == number


@rule("OH.contact.1", "OH.measure.1")
@pytest.mark.parametrize(("y", "touches"), [(8.12, True), (8.10, True), (8.09, False)])
def test_two_hundredths_are_tolerated(y: float, touches: bool) -> None:
    state = battle("A hastati 10 9", f"X african-infantry 10 {y}")
    assert bool(in_melee(state, 0)) == touches


@rule("OH.melee.1", "OH.card.1")
def test_a_flank_has_two_sections() -> None:
    state = battle("A hastati 10 9", "X african-infantry 10 7.68 90")
    assert (dice(state), dice(state, "X", "A")) == (2, 2)


@rule("OH.melee.1", "OH.formation.6")
def test_an_extended_unit_rolls_up_to_six_dice() -> None:
    state = battle("A hastati 10 9 wings=3", "X african-infantry 9 8.12; Y african-infantry 10.9 8.12")
    assert dice(state, "A", "X") + dice(state, "A", "Y") == 6
    both = battle("A hastati 10 9 wings=3", "X african-infantry 10 8.12 wings=3")
    assert dice(both) == 6


# --- the sequence --------------------------------------------------------------------------------


@rule("OH.melee.2", "OH.combat.1", "OH.dice.2")
def test_the_active_player_strikes_first_and_the_other_strikes_back() -> None:
    play = fight(battle(*FACE), CALM, 4, 5, 3, 2, 4, 3, 1, 1, 4, 4, 6, 1, 3, 2, 3, 3)
    # A hits with 4 and 5, damages with 4; X holds with 2; X hits with 4, 4 and 6, damages with 3
    assert (wounds(play.state, "X"), wounds(play.state, "A")) == (1, 2)
    assert [key for _, key in told(play)] == [
        "event.engages",
        "event.random_idle",
        "event.strikes",
        "event.wounds",
        "event.holds",
        "event.strikes",
        "event.wounds",
        "event.holds",
    ]


@rule("OH.melee.2", "OH.morale.2")
def test_a_victim_that_flees_does_not_strike_back() -> None:
    play = fight(battle(*FACE), CALM, 6, 1, 1, 1, 6, 6)
    assert flees(play.state, "X")
    assert wounds(play.state, "A") == 0


@rule("OH.melee.2", "OH.value.5")
def test_a_victim_that_is_destroyed_neither_checks_nor_strikes_back() -> None:
    play = fight(battle("A hastati 10 9", "X african-infantry 10 8.12 wounds=4"), CALM, 6, 1, 1, 1)
    assert is_lost(play.state, "X")
    assert ("OH.value.5", "event.destroyed") in told(play)


@rule("OH.turn.4", "OH.melee.2")
def test_all_engaged_units_fight_activated_or_not_in_any_order() -> None:
    state = battle(
        "A hastati 10 9 still; B hastati 13 9 still", "X african-infantry 10 8.12; Y slingers 13 8.12"
    )
    state = at(state, Fights(0))
    assert set(legal(state)) == {Engage("A", "X"), Engage("B", "Y")}
    assert refusals(state, Done()) == ["OH.turn.4", "OH.turn.4"]  # both must
    after = run(state, Engage("B", "Y"), dice=[CALM, *MISS, *MISS])
    assert legal(after) == [Engage("A", "X")]
    assert refusals(after, Engage("B", "Y")) == ["OH.melee.2"]
    assert over(run(after, Engage("A", "X"), dice=[CALM + 5, *MISS, *MISS]))


@rule("OH.melee.2")
def test_only_units_in_contact_fight() -> None:
    state = at(battle("A hastati 10 9; B hastati 14 9", "X african-infantry 10 8.12"), Fights(0))
    assert refusals(state, Engage("B", "X")) == ["OH.contact.1"]
    assert refusals(state, Engage("X", "A")) == ["OH.turn.1", "OH.melee.2"]


# --- attack --------------------------------------------------------------------------------------


HILL = "rise hill 10 6 5x4"  # from 4 to 8


@rule("O2.height-melee", "O3.hill.attack", "O3.hill.priority", "OH.melee.3")
def test_who_is_on_top_of_a_hill_strikes_first_and_better() -> None:
    state = battle("A hastati 10 8.44", "X african-infantry 10 7.56", ground=HILL)
    assert attack(state, "X", "A") == [("O3.hill.attack", 1)]
    assert attack(state, "A", "X") == []
    assert (priority(state, "X", "A"), priority(state, "A", "X")) == (True, False)


@rule("O3.hill.priority", "O2.height-melee.where")
def test_two_units_on_top_are_level() -> None:
    state = battle("A hastati 10 7.5", "X african-infantry 10 6.62", ground=HILL)
    assert attack(state) == attack(state, "X", "A") == []
    assert not priority(state)
    assert not priority(state, "X", "A")


@rule("O3.hill.morale-before-counter", "OH.melee.5")
def test_the_lower_unit_checks_morale_before_it_strikes_back() -> None:
    state = battle("A hastati 10 8.44", "X african-infantry 10 7.56", ground=HILL)
    play = fight(state, CALM, 6, 1, 1, 1, 6, 6)  # X strikes first, A flees and never strikes
    assert flees(play.state, "A")
    assert wounds(play.state, "X") == 0


FORD = "stream river 10 9 20x1.44; shallow ford 10 9 2x1.44"  # from 8.28 to 9.72


@rule("O3.ford.bank-bonus", "O2.height-melee.where")
def test_the_bank_counts_as_higher_against_who_comes_out_of_a_ford() -> None:
    state = battle("A hastati 10 8.7", "X african-infantry 10 7.82", ground=FORD)
    assert attack(state, "X", "A") == [("O3.ford.bank-bonus", 1)]
    assert priority(state, "X", "A")
    assert attack(state) == []


@rule("O3.ford.not-facing")
def test_a_defender_who_does_not_face_the_river_has_no_bonus() -> None:
    state = battle("A hastati 10 8.7", "X african-infantry 10 7.82 0", ground=FORD)
    assert attack(state, "X", "A") == []
    assert not priority(state, "X", "A")


@rule("O3.ford.both-in-ford")
def test_in_the_ford_melee_is_as_anywhere() -> None:
    state = battle("A hastati 10 9.3", "X african-infantry 10 8.42", ground=FORD)
    assert attack(state, "X", "A") == attack(state) == []
    assert not priority(state)
    assert not priority(state, "X", "A")


@rule("O3.ford.formations", "OH.formation.5")
def test_neither_lunge_nor_formation_in_a_ford() -> None:
    state = battle("A iberian-infantry 10 8.7 charged", "X african-infantry 10 7.82 0", ground=FORD)
    assert attack(state) == []
    assert attack(battle("A iberian-infantry 10 9 charged", FACE[1])) == [("OH.trait.7", 1)]
    ford = battle("A african-infantry 10 8.7 formation=phalanx", "X hastati 10 7.82 0", ground=FORD)
    assert attack(ford) == []
    assert not priority(ford)


@rule("OH.broken.1", "OH.melee.3")
def test_broken_units_attack_and_defend_worse() -> None:
    state = battle("A hastati 10 9 broken", "X african-infantry 10 8.12 broken")
    assert attack(state) == attack(state, "X", "A") == [("OH.broken.1", -1)]
    assert cover(state) == [("OH.broken.1", -1, -1)]


# --- defence -------------------------------------------------------------------------------------


@rule("O3.forest.defence", "O3.forest.centre", "OH.melee.4")
@pytest.mark.parametrize(("top", "sheltered"), [(7.9, True), (8.4, False)])
def test_a_forest_protects_whose_centre_is_in_it(top: float, sheltered: bool) -> None:
    # the wood reaches down to 9.5, so that A is in it in either case, and up to ``top``
    wood = f"wood forest 10 {(9.5 + top) / 2} 4x{9.5 - top}"
    state = battle(*FACE, ground=wood)
    assert (cover(state) == [("O3.forest.defence", 1, 1)]) == sheltered
    assert cover(state, "X", "A") == [("O3.forest.defence", 1, 1)]


@rule("OH.melee.8", "OH.melee.4", "OH.unit.2")
@pytest.mark.parametrize(
    ("turn", "y", "expected"),
    [(180, 8.12, (6, 6)), (90, 7.68, (5, 5)), (270, 7.68, (5, 5)), (0, 8.12, (4, 4))],
)
def test_flank_and_rear(turn: int, y: float, expected: tuple[int, int]) -> None:
    assert defence(battle("A hastati 10 9", f"X sacred-band 10 {y} {turn}")) == expected


@rule("OH.melee.8", "OH.morale.3")
def test_flank_and_rear_count_for_morale_the_worse_one_alone() -> None:
    state = battle("A hastati 10 9", "X sacred-band 10 8.12 0")
    state.hooks = [(0, 1, 1, 1)]
    assert defence(state) == (3, 3)
    play = fight(state, CALM, 6, 1, 1, 1, 1, 4, 4)  # five dice
    assert values(play, "event.breaks")["added"] == "-2"


@rule("OH.flight.2")
def test_a_fleeing_unit_is_struck_in_the_rear_and_dies_of_one_wound() -> None:
    state = battle("A hastati 10 9", "X african-infantry 10 8.12 fleeing")
    assert defence(state) == (4, 3)
    play = fight(state, CALM, 6, 1, 1, 1)
    assert is_lost(play.state, "X")
    assert ("OH.flight.2", "event.destroyed") in told(play)
    alive = fight(state, CALM, *MISS)
    assert wounds(alive.state, "A") == 0
    assert not is_lost(alive.state, "X")
    high = "A iberian-infantry 10 8.44 charged", "X african-infantry 10 7.56 fleeing"
    both = fight(battle(*high, ground="rise hill 10 6 5x4"), CALM, *MISS)  # X would have priority, too
    assert wounds(both.state, "A") == 0


@rule("OH.flight.1", "OH.turn.4")
def test_who_flees_does_not_attack() -> None:
    state = at(battle("A hastati 10 9 fleeing", FACE[1]), Fights(0))
    assert refusals(state, Engage("A", "X")) == ["OH.flight.1"]
    assert over(go_on(state).state)


# --- trenches and barricades ---------------------------------------------------------------------


DITCH = "ditch trench 10 8.78"  # from 8.56 to 9
BEHIND = "X african-infantry 10 8.12"


@rule("O4.works.bonus", "O4.trench.charged")
def test_a_trench_shelters_its_owner_who_strikes_first_when_charged() -> None:
    state = battle("A hastati 10 9 charged", BEHIND, structure=f"{DITCH} owner=defender")
    assert cover(state) == [("O4.works.bonus", 1, 1)]
    assert priority(state, "X", "A")
    assert cover(state, "X", "A") == []
    later = battle("A hastati 10 9", BEHIND, structure=f"{DITCH} owner=defender")
    assert cover(later) == [("O4.works.bonus", 1, 1)]
    assert not priority(later, "X", "A")


@rule("O4.trench.lined")
def test_a_trench_shelters_one_side_only() -> None:
    state = battle("A hastati 10 9 charged", BEHIND, structure=f"{DITCH} owner=attacker")
    assert cover(state) == []
    assert not priority(state, "X", "A")
    # its owner has crossed it to attack: nobody has a modifier
    crossed = battle(
        "A hastati 10 9.44", "X african-infantry 10 8.56 charged", structure=f"{DITCH} owner=defender"
    )
    assert cover(crossed) == cover(crossed, "X", "A") == []
    assert not priority(crossed)
    assert not priority(crossed, "X", "A")


@rule("O4.trench.choice")
def test_to_line_a_trench_is_no_combat() -> None:
    state = battle("A hastati 10 9.44", BEHIND, structure=f"{DITCH} owner=defender")
    assert opponents(state, 0) == []


@rule("O4.trench.simultaneous", "OH.melee.6")
def test_two_priorities_make_a_fight_simultaneous() -> None:
    attacker = "A african-infantry 10 9 charged formation=phalanx"
    state = battle(attacker, "X hastati 10 8.12 wounds=4", structure=f"{DITCH} owner=defender")
    assert priority(state)
    assert priority(state, "X", "A")
    play = fight(state, CALM, 6, 1, 1, 1, 6, 1, 1, 1, 1, 1)  # X dies, but its blow counts; A holds
    assert is_lost(play.state, "X")
    assert wounds(play.state, "A") == 1


@rule("O4.works.no-lunge")
def test_no_lunge_across_works() -> None:
    lunging = "A iberian-infantry 10 9 charged"
    assert attack(battle(lunging, BEHIND)) == [("OH.trait.7", 1)]
    assert attack(battle(lunging, BEHIND, structure=f"{DITCH} owner=attacker")) == []
    fence = "fence barricade 10 8.67"
    assert attack(battle("A iberian-infantry 10 9.22 charged", BEHIND, structure=fence)) == []


@rule("O4.works.bypass")
def test_one_section_beside_the_work_is_enough() -> None:
    # the trench ends where the fourth section of A begins
    ditch = "ditch trench 9.56 8.78 owner=defender"
    state = battle("A hastati 10 9 charged", BEHIND, structure=ditch)
    assert dice(state) == 4
    assert cover(state) == []
    assert not priority(state, "X", "A")


@rule("O4.works.bypass", "O4.works.example")
def test_the_example_of_the_trench_and_the_section_that_envelops() -> None:
    state = battle(
        "A hastati 10.44 9 charged", BEHIND, structure="ditch trench 10 8.78 2.64x0.44 owner=defender"
    )
    assert dice(state) == 3
    assert cover(state) == [("O4.works.bonus", 1, 1)]
    assert priority(state, "X", "A")
    state = run(at(state, Enveloping(0)), Envelop("A", "X", "left", 1))
    assert dice(state) == 4
    assert cover(state) == [("OH.melee.8", -1, -1)]
    assert not priority(state, "X", "A")


FENCE = "fence barricade 10 8.67"  # from 8.56 to 8.78
ACROSS = "A hastati 10 9.22", "X african-infantry 10 8.12"


@rule("OH.contact.2", "O4.barricade.attack", "O4.barricade.both")
def test_a_barricade_shelters_who_is_attacked_across_it() -> None:
    state = battle(*ACROSS, structure=FENCE)
    assert dice(state) == dice(state, "X", "A") == 4
    assert cover(state) == [("O4.works.bonus", 1, 1)]
    assert cover(state, "X", "A") == []
    charged = battle("A hastati 10 9.22 charged", ACROSS[1], structure=FENCE)
    assert not priority(charged, "X", "A")
    other = battle(*ACROSS, structure=FENCE, active="defender")
    assert cover(other) == []
    assert cover(other, "X", "A") == [("O4.works.bonus", 1, 1)]


@rule("O4.barricade.contact", "O4.barricade.attack", "OH.turn.4")
def test_across_a_barricade_one_fights_if_one_likes() -> None:
    state = at(battle(*ACROSS, structure=FENCE), Fights(0))
    assert legal(state) == [Engage("A", "X"), Done()]
    assert in_melee(state, 0) == []
    assert over(run(state, Done()))
    assert legal(at(battle(*FACE), Fights(0))) == [Engage("A", "X")]


@rule("OH.contact.2")
def test_across_a_barricade_sections_count_that_lie_opposite() -> None:
    state = battle("A hastati 10.88 9.22", ACROSS[1], structure=FENCE)
    assert dice(state) == 2
    assert work_between(state, 0, 1) is not None
    assert shelter(state, 0, 1) == "barricade"


# --- villages and towers -------------------------------------------------------------------------


HALVES = "west village 9.12 8; east village 10.88 8"


@rule("O4.village.defence", "OH.melee.4")
def test_a_village_protects_in_melee() -> None:
    state = battle("A hastati 9.12 9.32", "X african-infantry in=west", structure=HALVES)
    assert dice(state) == dice(state, "X", "A") == 4
    assert cover(state) == [("O4.village.defence", 1, 1)]


@rule("O2.structure-flank.outside", "O4.structures-table", "O4.tower.no-flank")
def test_in_a_village_nobody_has_a_flank() -> None:
    state = battle("A hastati 7.8 8 90", "X african-infantry in=west turn=0", structure=HALVES)
    assert angle_of(state, 0, 1) == (False, False)
    open_field = battle("A hastati 9 8 90", "X african-infantry 10.32 8 0")
    assert angle_of(open_field, 0, 1) == (True, False)
    tower = battle("A hastati 9.12 8 90", "X slingers in=post turn=0", structure="post watchtower 10 8")
    assert angle_of(tower, 0, 1) == (False, False)


@rule("O4.village.shared", "O4.village.shared-bonus", "O4.village.example")
def test_between_the_halves_one_fights_if_one_likes_and_without_the_bonus() -> None:
    state = battle("A iberian-infantry in=west", "X triarii in=east", structure=HALVES)
    assert dice(state) == dice(state, "X", "A") == 4
    fights = at(state, Fights(0))
    assert legal(fights) == [Engage("A", "X"), Done()]
    assert cover(state) == [("O4.village.defence", 1, 1)]
    assert cover(state, "X", "A") == []
    other = battle("A iberian-infantry in=west", "X triarii in=east", structure=HALVES, active="defender")
    assert cover(other) == []
    assert cover(other, "X", "A") == [("O4.village.defence", 1, 1)]
    outside = battle("A iberian-infantry in=west", "X triarii 9.12 6.68", structure=HALVES)
    assert cover(outside, "X", "A") == [("O4.village.defence", 1, 1)]


@rule("O2.cavalry.no-assault")
def test_horse_does_not_attack_into_a_building() -> None:
    state = battle("A roman-cavalry 9.12 9.32", "X african-infantry in=west", structure=HALVES)
    assert refusals(at(state, Fights(0)), Engage("A", "X")) == ["O2.cavalry.no-assault"]
    assert over(go_on(at(state, Fights(0))).state)
    mine = battle(
        "A roman-cavalry 9.12 9.32", "X african-infantry in=west", structure=HALVES, active="defender"
    )
    assert legal(at(mine, Fights(1))) == [Engage("X", "A")]


@rule("O4.watchtower.rules", "O2.melee-same-height")
def test_a_watchtower_is_not_fought_from_the_ground() -> None:
    state = battle("A hastati 10 9", "X slingers in=post", structure="post watchtower 10 8.12")
    assert opponents(state, 0) == []
    assert refusals(at(state, Fights(0)), Engage("A", "X")) == ["O2.melee-same-height"]


@rule("O4.tower.width", "OH.melee.1")
def test_a_tower_fights_with_two_dice_a_side() -> None:
    state = battle("A hastati 10 9", "X slingers in=post", structure="post watchtower 10 8.12")
    assert dice(state, "X", "A") == 2
    assert dice(state, "A", "X") == 2
    askew = battle("A hastati 10.2 9", "X slingers in=post", structure="post watchtower 10 8.12")
    assert dice(askew, "A", "X") == 2  # three of its sections touch, but the side is two wide


@rule("O3.bridge.width", "O3.bridge.markers", "O3.bridge.example")
@pytest.mark.parametrize(("width", "number"), [("0.88", 2), ("0.44", 1)])
def test_on_a_bridge_one_fights_with_as_many_sections_as_it_is_wide(width: str, number: int) -> None:
    state = battle(
        "A triarii in=plank way=144",
        "X african-infantry 10 7.84",
        structure=f"plank wooden-bridge 10 9 {width}x1.44",
        ground="brook river 10 9 20x1.44",
    )
    assert dice(state) == dice(state, "X", "A") == number
    assert legal(at(state, Fights(0))) == [Engage("A", "X")]


# --- enveloping ----------------------------------------------------------------------------------


@rule("OH.melee.7", "OH.marker.1", "OH.melee.1")
def test_free_sections_envelop_an_enemy() -> None:
    state = at(battle("A hastati 10.88 9", BEHIND), Enveloping(0))
    assert dice(state) == 2
    after = run(state, Envelop("A", "X", "left", 2))
    assert dice(after) == 4
    assert dice(after, "X", "A") == 4  # its flank is in contact, too
    assert angle_of(after, 0, 1) == (True, False)


@rule("OH.melee.7", "OH.marker.1")
@pytest.mark.parametrize("number", [1, 2])
def test_sections_that_envelop_are_free_no_more(number: int) -> None:
    state = at(battle("A hastati 10.88 9", BEHIND), Enveloping(0))
    assert free_sections(state, 0) == 2
    after = run(state, Envelop("A", "X", "left", number))
    assert free_sections(after, 0) == 2 - number


@rule("OH.melee.7")
def test_only_free_sections_beside_the_enemy_can_envelop() -> None:
    state = at(battle("A hastati 10.44 9; B hastati 4 4", BEHIND), Enveloping(0))
    assert refusals(state, Envelop("A", "X", "left", 2)) == ["OH.marker.1"]  # only one is free
    assert refusals(state, Envelop("A", "X", "right", 1)) == ["OH.marker.1"]  # out of its reach
    assert refusals(state, Envelop("B", "X", "left", 1)) == ["OH.melee.7"]  # not engaged
    assert refusals(state, Envelop("A", "X", "left", 1)) == []
    still = at(battle("A hastati 10.44 9 still", BEHIND), Enveloping(0))
    assert refusals(still, Envelop("A", "X", "left", 1)) == ["OH.melee.7"]
    full = at(battle(*FACE), Enveloping(0))
    assert refusals(full, Envelop("A", "X", "left", 1)) == ["OH.marker.1"]


@rule("OH.melee.7", "O3.choke.example")
def test_who_has_just_left_a_choke_point_does_not_envelop_with_another_enemy_near() -> None:
    alone = battle("A hastati 10.44 9", BEHIND)
    alone.flags[0] |= EMERGED
    assert refusals(at(alone, Enveloping(0)), Envelop("A", "X", "left", 1)) == []
    watched = battle("A hastati 10.44 9", f"{BEHIND}; Y hastati 13.2 9")
    assert refusals(at(watched, Enveloping(0)), Envelop("A", "X", "left", 1)) == []
    watched.flags[0] |= EMERGED
    assert refusals(at(watched, Enveloping(0)), Envelop("A", "X", "left", 1)) == ["O3.choke.example"]


@rule("OH.marker.1")
def test_a_marker_needs_room() -> None:
    blocked = at(battle("A hastati 10.88 9; B hastati 11.8 8.1", BEHIND), Enveloping(0))
    assert refusals(blocked, Envelop("A", "X", "left", 1)) == ["OH.marker.1"]
    lake = at(battle("A hastati 10.88 9", BEHIND, ground="tarn lake 11.9 8 2x0.6"), Enveloping(0))
    assert refusals(lake, Envelop("A", "X", "left", 2)) == ["OH.marker.1"]


@rule("OH.marker.1")
def test_markers_are_taken_up_when_their_unit_goes() -> None:
    state = run(at(battle("A hastati 10.88 9", BEHIND), Enveloping(0)), Envelop("A", "X", "left", 1))
    assert state.hooks
    play = do(at(state, Fights(0)), Engage("A", "X"), [CALM, 6, 1, 1, 6, 6])
    assert flees(play.state, "X")
    assert play.state.hooks == []


@rule("OH.marker.1")
def test_markers_of_units_that_have_come_apart_are_taken_up() -> None:
    state = battle("A hastati 10 9.2", BEHIND)
    state.hooks = [(0, 1, 3, 1)]
    assert go_on(at(state, Tidy())).state.hooks == []
    near = battle("A hastati 10.44 9", BEHIND)
    near.hooks = [(0, 1, 3, 1)]
    assert go_on(at(near, Tidy())).state.hooks == [(0, 1, 3, 1)]


# --- afterwards ----------------------------------------------------------------------------------


@rule("OH.melee.10")
def test_the_winner_may_take_the_place_left_empty() -> None:
    play = fight(battle(*FACE), CALM, 6, 1, 1, 1, 6, 6)
    assert isinstance(play.state.decision, Following)
    assert set(legal(play.state)) == {Follow(88), Done()}
    assert refusals(play.state, Follow(89)) == ["OH.melee.10"]
    after = run(play.state, Follow(88))
    assert place(after, "A") == (10, 8.12, 0)
    assert place(run(play.state, Done()), "A") == (10, 9, 0)


@rule("OH.melee.10")
def test_the_advance_stops_before_another_enemy() -> None:
    state = battle("A hastati 10 9", "X african-infantry 10 8.12 wounds=4; Y slingers 10 7.24")
    play = fight(state, CALM, 6, 1, 1, 1)
    assert max(a.distance for a in legal(play.state) if isinstance(a, Follow)) == 85


@rule("OH.melee.10", "OH.trait.7")
def test_the_advance_may_pass_an_enemy_but_not_stop_against_him() -> None:
    foes = "X african-infantry 10 8.12 wounds=4; Y slingers 11.83 8.56 45"  # a corner of Y is beside the way
    play = fight(battle("A iberian-infantry 10 9 charged", foes), CALM, 6, 1, 1, 1)
    assert Follow(150) in legal(play.state)
    assert refusals(play.state, Follow(20)) == []
    assert refusals(play.state, Follow(100)) == ["OH.melee.10"]


@rule("OH.melee.10", "OH.formation.6")
def test_an_extended_unit_needs_room_for_its_wings() -> None:
    state = battle(
        "A hastati 10 9 wings=2", "X african-infantry 10 8.12 wounds=4", ground="tarn lake 12 7.9 2x0.6"
    )
    play = fight(state, CALM, 6, 1, 1, 1)  # the lake is from 7.6 to 8.2, the wing from 10.88 to 11.32
    assert max(a.distance for a in legal(play.state) if isinstance(a, Follow)) < 40


@rule("OH.melee.10")
def test_nobody_advances_who_still_has_an_enemy_before_him() -> None:
    state = battle("A hastati 10 9", "X african-infantry 9.1 8.12 wounds=4; Y african-infantry 10.9 8.12")
    play = fight(state, CALM, 6, 1)
    assert is_lost(play.state, "X")
    assert legal(play.state) == [Engage("A", "Y")]


@rule("OH.trait.7")
def test_after_a_lunge_half_a_move() -> None:
    state = battle("A iberian-infantry 10 9 charged", "X african-infantry 10 8.12 wounds=4")
    play = fight(state, CALM, 6, 1, 1, 1)
    assert Follow(150) in legal(play.state)


@rule("OH.melee.10", "O4.village.occupy")
def test_a_village_half_that_was_left_may_be_taken() -> None:
    state = battle("A hastati 9.12 9.32", "X african-infantry in=west wounds=4", structure=HALVES)
    play = fight(state, CALM, 6, 1, 1, 1)
    assert legal(play.state) == [TakePlace("west"), Done()]
    after = run(play.state, TakePlace("west"))
    assert (after.where[0], after.inside[0]) == (INSIDE, 0)
    assert run(play.state, Done()).where[0] == FIELD


# --- odds ----------------------------------------------------------------------------------------


@rule("OH.melee.3", "OH.melee.4")
def test_the_terms_of_an_attack_are_those_of_its_dice() -> None:
    wood = "wood forest 10 7.4 4x2.4"
    state = battle("A iberian-infantry 10 9 charged", "X hastati 10 8.12 formation=shield-wall", ground=wood)
    terms = [(t.clause, t.value) for t in Engage("A", "X").terms(at(state, Fights(0)))]
    assert terms == [("OH.trait.7", 1), ("O3.forest.defence", -1), ("OH.formation.1", -1)]


@rule("OH.melee.9")
def test_who_has_withdrawn_is_not_fought_in_this_turn() -> None:
    state = battle(*FACE)
    state.truces = [(state.turn, 0, 1)]
    assert refusals(at(state, Fights(0)), Engage("A", "X")) == ["OH.melee.9"]
    assert over(go_on(at(state, Fights(0))).state)
    state.truces = [(state.turn - 2, 0, 1)]
    assert refusals(at(state, Fights(0)), Engage("A", "X")) == []
