"""15: formations, traits and generals in a fight."""

import re

import pytest

from legatus.games.onus.contact import angle_of
from legatus.games.onus.kinds import kinds
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.modifiers import attack_terms, defence_terms, has_priority
from legatus.games.onus.orders import leadership
from legatus.games.onus.scenario import GENERALS, HOME
from legatus.games.onus.state import FORMATIONS, NO_FORMATION, PHALANX, TRAITS, OnusState
from legatus.kernel import Play
from tests.rules import rule

from .stage import CALM, at, battle, card, do, flees, index, told, wounds

MISS = [1, 1, 1, 1]
FOE = "X hastati 10 8.12"


def fight(state: OnusState, *dice: int) -> Play:
    return do(at(state, Fights(0)), Engage("A", "X"), dice)


def attack(state: OnusState, one: str = "A", two: str = "X") -> list[tuple[str, int]]:
    return [(t.clause, t.value) for t in attack_terms(state, index(state, one), index(state, two))]


def cover(state: OnusState, one: str, two: str) -> list[tuple[str, int, int]]:
    found = defence_terms(state, index(state, one), index(state, two))
    return [(t.clause, t.value, armour) for t, armour in found]


def priority(state: OnusState, one: str = "A", two: str = "X") -> bool:
    return has_priority(state, index(state, one), index(state, two))


@rule("OH.formation.1")
def test_a_shield_wall_defends_better_and_attacks_worse() -> None:
    state = battle("A principes 10 9 formation=shield-wall", FOE)
    assert attack(state) == [("OH.formation.1", -1)]
    assert cover(state, "X", "A") == [("OH.formation.1", 1, 1)]


@rule("OH.formation.2")
def test_a_phalanx_strikes_first_and_better_once() -> None:
    state = battle("A hastati 10 9", "X triarii 10 8.12 formation=phalanx")
    assert attack(state, "X", "A") == [("OH.formation.2", 1)]
    assert priority(state, "X", "A")
    # X strikes first: 5/4 against 6/5, a 2 hits, damage from 2 on
    play = fight(state, CALM, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, *MISS)
    assert wounds(play.state, "A") == 3
    assert ("OH.formation.2", "event.phalanx_spent") in told(play)
    assert play.state.formation[1] == NO_FORMATION
    assert not priority(play.state, "X", "A")


@rule("OH.formation.2")
def test_a_phalanx_is_of_use_to_the_front_only() -> None:
    state = battle("A hastati 10 9", "X triarii 10 7.68 90 formation=phalanx")
    assert attack(state, "X", "A") == []
    assert not priority(state, "X", "A")
    play = fight(state, CALM, 1, 1, 2, 2)
    assert play.state.formation[1] == PHALANX


@rule("OH.formation.3", "O2.structure-flank.outside")
@pytest.mark.parametrize(("formation", "flanked"), [("square", False), ("plain", True)])
def test_a_square_has_neither_flank_nor_rear(formation: str, flanked: bool) -> None:
    side = battle("A hastati 10 9", f"X triarii 10 7.68 90 formation={formation}")
    assert angle_of(side, 0, 1) == (flanked, False)
    back = battle("A hastati 10 9", f"X triarii 10 8.12 0 formation={formation}")
    assert angle_of(back, 0, 1) == (False, flanked)


@rule("OH.formation.4")
def test_a_wedge_helps_on_the_charge() -> None:
    charge = battle("A roman-cavalry 10 9 formation=wedge charged", FOE)
    assert ("OH.formation.4", 1) in attack(charge)
    assert attack(battle("A roman-cavalry 10 9 formation=wedge", FOE)) == []
    fought = battle("A roman-cavalry 10 9 formation=wedge charged fought", FOE)
    assert attack(fought) == []
    for kind in kinds().values():
        assert "mounted" in kind.traits or 4 not in kind.formations


@rule("OH.trait.7")
def test_a_lunge_is_the_first_attack_after_a_charge() -> None:
    state = battle("A iberian-infantry 10 9 charged", FOE)
    assert attack(state) == [("OH.trait.7", 1)]
    assert priority(state)
    assert attack(battle("A iberian-infantry 10 9", FOE)) == []
    assert not priority(battle("A iberian-infantry 10 9 charged fought", FOE))
    assert attack(battle("A hastati 10 9 charged", FOE)) == []


@rule("OH.trait.7", "OH.melee.6", "OH.formation.2")
def test_a_lunge_and_a_phalanx_cancel_each_other() -> None:
    state = battle("A iberian-infantry 10 9 charged", "X african-infantry 10 8.12 formation=phalanx")
    assert attack(state) == attack(state, "X", "A") == []
    assert priority(state)
    assert priority(state, "X", "A")
    # both roll before anything counts: 3/3 against 6/5 on both sides, a 3 is no hit
    play = fight(state, CALM, 6, 3, 3, 3, 6, 3, 3, 3, 6, 6, 1, 1)
    assert (wounds(play.state, "A"), wounds(play.state, "X")) == (1, 1)
    assert flees(play.state, "X")
    assert play.state.formation[1] == NO_FORMATION


@rule("OH.event.11")
def test_bad_ground_takes_lunge_wedge_and_phalanx_away() -> None:
    bad = card(event="bad-ground")
    lunge = battle("A iberian-infantry 10 9 charged", FOE)
    lunge.events = [("bad-ground", 0)]
    assert attack(lunge) == []
    assert not priority(lunge)
    wedge = battle("A roman-cavalry 10 9 formation=wedge charged", FOE)
    wedge.events = [("bad-ground", 1)]
    assert attack(wedge) == []
    phalanx = battle("A hastati 10 9", "X triarii 10 8.12 formation=phalanx")
    play = fight(phalanx, bad, *MISS, 2, 2, 2, 2)  # A strikes first; a 2 of X does not hit: 4 + 2 = 6
    assert wounds(play.state, "A") == 0


@rule("OH.trait.2")
def test_who_is_professional() -> None:
    found = {kind.id for kind in kinds().values() if "professional" in kind.traits}
    assert found == {"triarii", "principes", "sacred-band", "scorpion", "ballista", "onager"}


@rule("OH.trait.3", "OH.trait.4", "OH.trait.5", "OH.trait.6")
def test_who_has_which_trait() -> None:
    def having(trait: str) -> set[str]:
        return {kind.id for kind in kinds().values() if trait in kind.traits}

    assert having("parabolic") == {"archers", "onager"}
    assert having("javelins") == {"velites", "hastati", "principes", "numidian-cavalry"}
    assert having("mounted") == {"roman-cavalry", "numidian-cavalry", "elephants"}
    assert having("siege") == {"scorpion", "ballista", "onager"}


@rule("OH.general.1")
def test_generals() -> None:
    assert GENERALS == {"standard": (6, 10), "scipio": (7, 20), "hannibal": (8, 25)}
    state = battle("A hastati 10 9 general", "X hastati 10 3 general", leadership=(7, 8))
    assert [leadership(state, seat) for seat in (0, 1)] == [7, 8]


@rule("OH.general.2", "OH.order.3")
def test_a_general_is_lost_with_his_unit() -> None:
    state = battle("A hastati 10 9 general lost; B hastati 14 9", "X hastati 10 3", leadership=(7, 8))
    assert leadership(state, 0) == 3


@rule("OH.unit.1", "OH.value.3")
def test_the_table_of_units_is_that_of_the_rulebook() -> None:
    text = (HOME.path / "rules.en.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.count(" | ") == 10]
    found = {}
    for name, _, melee, ranged, defence, move, morale, life, points, traits, formations in rows[1:]:
        shot = re.fullmatch(r"(\d)\((\d); (\d)\)", ranged)
        found[name.lower().replace(" ", "-")] = (
            melee,
            tuple(map(int, shot.groups())) if shot else None,
            defence,
            [int(number) for number in (move, morale, life, points)],
            {trait for trait in traits.split(", ") if trait != "none"},
            {word.replace(" ", "-") for word in formations.split(", ") if word != "none"},
        )
    assert len(found) == 16
    for kind in kinds().values():
        shot_at = (kind.ranged, kind.long // 100, kind.short // 100) if kind.shoots else None
        assert found.pop(kind.id) == (
            "/".join(map(str, kind.melee)),
            shot_at,
            "/".join(map(str, kind.defence)),
            [kind.move, kind.morale, kind.life, kind.points],
            set(kind.traits),
            {FORMATIONS[form] for form in kind.formations},
        )
    assert not found


@rule("OH.unit.1")
def test_traits_are_always_listed_in_the_same_order() -> None:
    """So that a position is the same text on every machine."""
    for kind in kinds().values():
        assert kind.traits == tuple(trait for trait in TRAITS if trait in kind.traits)
