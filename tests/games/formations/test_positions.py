"""Flying and infiltrating (AH25.special_positions), and a scenario in which every condition can be met."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.activation import WingTurn
from legatus.games.formations.endphase import EndPhase
from legatus.games.formations.menu import menu
from legatus.games.formations.state import FLYING, GROUND, INFILTRATING, FormationsState, Prize
from legatus.kernel import Play, Seeded, apply, say, start, why_not
from legatus.kernel.engine import random_action
from tests.rules import rule

from .phases import melee, phase
from .stage import (
    acting,
    battle,
    do,
    legal_lines,
    marks,
    place,
    refusals,
    run,
    terms,
    told,
)
from .test_sheet import SHEET

TYPES = (
    "hawk archer special=flying profile=ordinary; creeper forester special=infiltrating; "
    "bat goblin special=flying"
)
SOURCE = "M chief 0506"


def one(words: str, foes: str = "", **more: Any) -> FormationsState:
    return acting(battle(words, foes, types=TYPES, **more))


def end(state: FormationsState, dice: Sequence[int] = ()) -> Play:
    return phase(state, EndPhase(), dice=dice)


# --- taking a position ---------------------------------------------------------------------------


@rule("AH25.special_positions", "A.def.position")
def test_a_flyer_lands_and_takes_off_again() -> None:
    play = do(one("A hawk 0505 flying"), "take-position A ground")
    assert marks(play.state, "A") == {"activated"}
    assert told(play) == [("AH25.special_positions", "event.position")]
    assert marks(do(one("A hawk 0505"), "take-position A flying").state, "A") == {"flying", "activated"}
    assert marks(do(one("A creeper 0505"), "take-position A infiltrating").state, "A") == {
        "infiltrating",
        "activated",
    }


@rule("AH25.special_positions")
@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("A hawk 0505", "take-position A infiltrating"),
        ("A hawk 0505", "take-position A ground"),
        ("A hawk 0505 flying", "take-position A flying"),
        ("A creeper 0505", "take-position A flying"),
        ("A archer 0505", "take-position A flying"),
        ("A archer 0505", "take-position A nowhere"),
        ("A hawk 0505+0605", "take-position A flying"),
        ("A leader 0505", "take-position A flying"),
    ],
)
def test_a_unit_takes_only_the_position_of_its_type(words: str, line: str) -> None:
    assert refusals(one(words), line) == ["AH25.special_positions"]


@rule("AH25.special_positions", "AH8.engage")
def test_who_is_engaged_stays_on_the_ground() -> None:
    assert refusals(one("A hawk 0505", "X orc 0504"), "take-position A flying") == ["AH25.special_positions"]
    assert refusals(one("A hawk 0505", "X orc 0504 n"), "take-position A flying") == []


@rule("AH25.special_positions")
def test_it_is_offered_to_those_who_can() -> None:
    state = one("A hawk 0505; B creeper 0705 infiltrating; C archer 0905")
    lines = [line for line in legal_lines(state) if line.startswith("take-position")]
    assert lines == ["take-position A flying", "take-position B ground"]


# --- what the card asks ----------------------------------------------------------------------------


@rule("A.reload.c2", "AH25.special_positions")
@pytest.mark.parametrize(("kind", "word"), [("hawk", "flying"), ("creeper", "infiltrating")])
def test_reload_takes_a_unit_on_the_ground(kind: str, word: str) -> None:
    state = one(f"A {kind} 0505 spent {word}; {SOURCE}")
    assert refusals(state, "reload A") == ["A.reload.c2"]
    landed = acting(do(state, "take-position A ground").state)
    landed.flags = [0] * len(landed.flags)
    assert refusals(landed, "reload A") == []


@rule("A.constitute.c3", "AH25.special_positions")
def test_flyers_constitute_no_formation() -> None:
    words = "A hawk 0505 ordered{0}; B hawk 0605 ordered{1}"
    assert refusals(one(words.format("", "")), "constitute A B") == []
    assert refusals(one(words.format(" flying", "")), "constitute A B") == ["A.constitute.c3"]
    assert refusals(one(words.format("", " flying")), "constitute A B") == ["A.constitute.c3"]


# --- moving -----------------------------------------------------------------------------------------


@rule("AH25.special_positions", "AH7.move")
def test_a_flyer_pays_a_point_a_hex_and_goes_any_way() -> None:
    state = one("A hawk 0505 flying", difficult="0605 0705", rough="0805", stakes="0505=ne")
    after = run(state, "move A", "step-to 0605", "step-to 0705", "step-to 0805", "step-to 0806", "face s")
    assert (place(after, "A"), marks(after, "A")) == ("0806", {"flying", "moved", "activated"})


@rule("AH25.special_positions", "AH7.move")
def test_an_infiltrator_goes_any_way_and_pays_for_the_ground() -> None:
    state = one("A creeper 0505 infiltrating", difficult="0605", rough="0705")
    after = run(state, "move A", "step-to 0605")
    assert (after.decision.left, place(after, "A")) == (1, "0605")  # type: ignore[union-attr]
    assert refusals(after, "step-to 0705") == ["AH7.move"]


@rule("AH25.special_positions", "AH8.engage", "AH7.move")
@pytest.mark.parametrize("words", ["hawk 0505 flying", "creeper 0505 infiltrating"])
def test_no_front_stops_or_engages_them(words: str) -> None:
    state = one(f"A {words}", "X orc 0503; Y orc 0703")
    after = run(state, "move A", "step-to 0504", "step-to 0604")
    assert place(after, "A") == "0604"
    assert after.decision.left == 2  # type: ignore[union-attr]
    assert refusals(one(f"A {words}", "X orc 0504"), "move A") == []
    assert refusals(one(f"A {words}", "X orc 0504"), "disengage A 0506") == ["AH8.engage"]
    assert refusals(one(f"A {words}", "X orc 0503"), "charge A 0404")[0] == "AH25.special_positions"


@rule("AH25.special_positions", "AH7.move")
def test_they_enter_neither_enemies_nor_blazes() -> None:
    state = run(one("A hawk 0505 flying", "X orc 0504", fire="0604=blaze"), "move A")
    assert refusals(state, "step-to 0504") == refusals(state, "step-to 0604") == ["AH7.move"]


# --- fighting -----------------------------------------------------------------------------------------


@rule("AH25.special_positions", "AH11.melee")
def test_flyers_neither_attack_nor_are_attacked() -> None:
    assert told(melee(one("A hawk 0505 flying", "X orc 0504"))) == []


@rule("AH25.special_positions", "AH11.melee", "AH29.stack_order")
def test_who_stands_below_a_flyer_is_attacked() -> None:
    play = melee(one("A hawk 0505 flying; B spear 0505 s", "X orc 0504"), 6, 6)
    assert [event.values.get("target") for event in play.events if event.key == "event.strikes"] == ["B"]


@rule("AH25.special_positions", "AH11.melee")
def test_infiltrators_are_attacked_and_do_not_attack() -> None:
    play = melee(one("A creeper 0505 infiltrating", "X orc 0504"), 6, 6)
    assert [event.values.get("target") for event in play.events if event.key == "event.strikes"] == ["A"]


@rule("AH25.special_positions", "AH14.missile")
def test_flyers_shoot_and_are_harder_to_hit() -> None:
    assert refusals(one("A hawk 0505 flying", "X orc 0503"), "shoot A X") == []
    plain = terms(one("A archer 0505", "X bat 0503"), "shoot A X")
    assert terms(one("A archer 0505", "X bat 0503 flying"), "shoot A X") == [
        *plain,
        ("AH25.special_positions", 1),
    ]


@rule("AH25.special_positions", "AH14.missile")
def test_infiltrators_do_not_shoot_and_are_seen_from_two_hexes() -> None:
    assert refusals(one("A creeper 0505 infiltrating", "X orc 0503"), "shoot A X") == [
        "AH25.special_positions"
    ]
    hidden = "X creeper {0} infiltrating"
    assert refusals(one("A archer 0505", hidden.format("0503")), "shoot A X") == []
    assert refusals(one("A archer 0505", hidden.format("0502")), "shoot A X") == ["AH14.missile"]
    assert refusals(one("A archer 0505", "X creeper 0502"), "shoot A X") == []


@rule("AH25.special_positions", "AH16.rout")
def test_who_goes_into_rout_is_on_the_ground() -> None:
    play = do(one("A archer 0505", "X bat 0503 flying shaken"), "shoot A X", [2, 2, 6, 6])
    assert "rout" in marks(play.state, "X")
    assert "flying" not in marks(play.state, "X")


@rule("AH25.special_positions", "AH15.fatigue")
def test_flying_tires_and_who_is_exhausted_lands() -> None:
    after = end(one("A hawk 0505 flying"), [3]).state
    assert marks(after, "A") == {"flying", "winded"}
    assert marks(end(one("A hawk 0505 flying"), [4]).state, "A") == {"flying"}
    assert marks(end(one("A hawk 0505 flying winded"), [3]).state, "A") == {"exhausted"}
    assert marks(end(one("A creeper 0505 infiltrating")).state, "A") == {"infiltrating"}


@rule("AH25.special_positions", "AH27.victory")
def test_only_who_is_on_the_ground_holds_the_beacon() -> None:
    prize = Prize(beacon=5 * 12 + 5)
    for words, held in (("hawk 0505", 0), ("hawk 0505 flying", -1), ("creeper 0505 infiltrating", -1)):
        state = one(f"A {words}; B spear 1010", "X orc 0000", prize=prize)
        assert end(state, [6] * ("flying" in words)).state.beacon == held


# --- the scenario -------------------------------------------------------------------------------------


@rule("AH25.special_positions", "A.def.position")
def test_the_scenario_has_a_flyer_and_infiltrators() -> None:
    state = start(FORMATIONS, FORMATIONS.configure("crows"), Seeded(1)).state
    assert {GROUND, FLYING, INFILTRATING} == set(state.position)


# Nobody stands in a blaze (AH22.fire).  A break lacks room only beside an odd load; a rally takes an order
# or an Elite unit that has not run off the map: both are too rare for random games.
SELDOM = {"A.douse.c2", "A.break.c5", "rally"}
CONDITIONS = re.compile(r"^### (A\.\S+) · condition$", re.MULTILINE)


@rule("A.def.sheet", "AH25.special_positions")
def test_every_condition_of_the_card_can_be_met_in_play() -> None:
    """In random games of the scenario each condition holds for somebody and fails for somebody."""
    wanted = set(CONDITIONS.findall(FORMATIONS.folder.text("rules.en.md"))) - SELDOM
    failed: set[str] = set()
    allowed: set[str] = set()
    for game in (0, 4, 23, 39):  # games that show them all together
        rng, dice = Random(game), Seeded(f"crows-{game}")
        state = start(FORMATIONS, FORMATIONS.configure("crows"), dice).state
        for _ in range(1_500):
            if state.outcome:
                break
            decision = state.decision
            assert decision
            if isinstance(decision, WingTurn) and rng.random() < 0.3:
                for i in decision.called(state):
                    for action in menu(state, i):
                        clauses = {refusal.clause for refusal in why_not(state, action)}
                        failed |= clauses
                        allowed |= set() if clauses else {say(action).split()[0]}
            state = apply(state, random_action(state, decision, rng), dice).state
    assert wanted - failed == set()
    assert set(SHEET) - SELDOM - allowed == set()
