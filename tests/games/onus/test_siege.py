"""7 and 18: victory in a siege, points, fields, and the scenarios that come with the game."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from legatus.games.onus import ONUS
from legatus.games.onus.battlefield import BATTLES, enlist
from legatus.games.onus.scenario import Scenario, cost
from legatus.games.onus.setup import Deploying
from legatus.games.onus.siege import (
    DeckEnd,
    Losses,
    is_abandoned,
    losses,
    must_test,
    units_points,
    works_points,
)
from legatus.games.onus.state import FIELD, LOST, Goals, OnusState, Roster
from legatus.games.onus.turn import PlayerTurn
from legatus.kernel import BadFile, Outcome, Seeded, Setup, engine
from legatus.kernel.objects import replace
from tests.rules import rule

from .stage import at, battle, go_on

FORT = "standard 10 3"
CLAUSE = {0: "O7.victory.defender.losses", 1: "O7.victory.attacker.losses"}


def changed(state: OnusState, **goals: Any) -> OnusState:
    """The same under other goals."""
    new = state.copy()
    new.roster = replace(state.roster, goals=replace(state.roster.goals, **goals))
    return new


def judge(state: OnusState, *dice: int) -> Outcome | None:
    outcome: Outcome | None = go_on(at(state, Losses()), dice).state.outcome
    return outcome


# --- the defender's losses -----------------------------------------------------------------------

# 60 + 80 + 60 = 200 points: 75 per cent are 150
GARRISON = "X hastati 10 2.5 general{x}; Y african-infantry 8.24 2.5{y}; Z hastati 11.76 2.5{z}"


def garrison(x: str = "", y: str = "", z: str = "", attacker: str = "A hastati 10 15 general") -> OnusState:
    marks = {name: f" {mark}" if mark else "" for name, mark in (("x", x), ("y", y), ("z", z))}
    return battle(attacker, GARRISON.format(**marks), fortress=FORT)


@rule("O7.victory.attacker.losses", "OH.army.5")
@pytest.mark.parametrize(("lost", "tests"), [(749, False), (750, True), (1000, True)])
def test_three_quarters_of_the_value_of_the_army(lost: int, tests: bool) -> None:
    """1000 points: from 750 on there is a check."""
    state = battle("A hastati 10 15", "X hastati 10 2.5; Y hastati 8.24 2.5", fortress=FORT)
    units = state.roster.units
    values = {"A": 60, "X": 1000 - lost, "Y": lost}
    made = tuple(replace(unit, kind=replace(unit.kind, points=values[unit.id])) for unit in units)
    state.roster = replace(state.roster, units=made)
    state.where[2] = LOST
    assert must_test(state, 1) == tests


@rule("O7.victory.attacker.losses", "OH.army.6")
def test_the_check_decides_and_fleeing_units_count() -> None:
    assert judge(garrison(y="lost")) is None  # 80 of 200
    state = garrison("", "lost", "lost")  # 140: in the open it would be due
    assert judge(state) is None
    broken = garrison("fleeing", "lost", "")  # 140
    assert judge(broken) is None
    due = battle(
        "A hastati 10 15 general", "X hastati 10 2.5 general; Y triarii 8.24 2.5 fleeing", fortress=FORT
    )
    due.fleeing[2] = 0
    due.where[2] = LOST  # 140 of 200
    assert judge(due) is None
    most = battle(
        "A hastati 10 15 general",
        "X hastati 10 2.5 general; Y triarii 8.24 2.5 lost; Z hastati 11.76 2.5 lost",
        fortress=FORT,
    )  # 200 of 260
    assert judge(most, 3, 4) == Outcome(0, "O7.victory.attacker.losses", "end.attacker_army_breaks")
    assert judge(most, 3, 3) is None


@rule("O7.victory.attacker.scenario")
def test_a_scenario_has_other_numbers() -> None:
    state = garrison("", "lost", "")  # 40 per cent
    assert must_test(changed(state, defender_losses=40), 1)
    assert not must_test(changed(state, defender_losses=41), 1)
    assert not is_abandoned(changed(garrison("fleeing", "lost", "lost"), empty=False))


# --- an empty fortress ---------------------------------------------------------------------------


@rule("O7.victory.attacker.empty")
@pytest.mark.parametrize(
    ("units", "empty"),
    [
        ("X hastati 10 2.5", False),
        ("X hastati 10 3.88", False),  # on the gate
        ("X hastati in=tower-1", False),
        ("X hastati 10 8", True),  # outside
        ("X hastati 10 2.5 fleeing; Y hastati 10 8", True),
        ("X hastati 10 2.5 fleeing; Y hastati 8.24 2.5", False),
    ],
)
def test_no_defender_who_does_not_flee_is_left_inside(units: str, empty: bool) -> None:
    state = battle("A hastati 10 15 general", units, fortress=FORT)
    assert is_abandoned(state) == empty
    state.lost_points = [0, 1000]  # no test
    outcome = judge(state)
    assert outcome == (Outcome(0, "O7.victory.attacker.empty", "end.abandoned") if empty else None)


@rule("O7.victory.attacker.empty")
@pytest.mark.parametrize("active", ["attacker", "defender"])
def test_an_empty_fortress_comes_before_the_tests(active: str) -> None:
    both = battle(
        "A hastati 10 15 general; B hastati 8 15 lost; C hastati 6 15 lost",
        "X hastati 10 8",
        fortress=FORT,
        active=active,
    )
    assert judge(both) == Outcome(0, "O7.victory.attacker.empty", "end.abandoned")


@rule("O7.victory.attacker.empty")
def test_in_the_open_there_is_nothing_to_empty() -> None:
    assert not is_abandoned(battle("A hastati 10 15", "X hastati 10 2.5 fleeing"))


# --- the attacker's losses -----------------------------------------------------------------------

ARMY = "A hastati 3 15 general; B hastati 6 15 {b}; C hastati 9 15 {c}; D triarii 12 15 {d}"


def besiegers(b: str = "", c: str = "", d: str = "") -> OnusState:
    return battle(ARMY.format(b=b, c=c, d=d), "X hastati 10 2.5 general", fortress=FORT)


@rule("O7.victory.defender.losses", "OH.army.5")
def test_strictly_more_than_half_of_the_units_by_number() -> None:
    assert losses(besiegers("lost", "fleeing"), 0) == (2, 4)
    assert judge(besiegers("lost", "fleeing")) is None  # half
    assert judge(besiegers(d="lost")) is None  # 140 of 320 points, a quarter of the units
    assert judge(besiegers("lost", "fleeing", "lost"), 6, 6) == Outcome(
        1, CLAUSE[0], "end.defender_army_breaks"
    )
    assert judge(besiegers("lost", "fleeing", "lost"), 1, 5) is None


@rule("O7.victory.defender.losses")
def test_the_option_counts_points() -> None:
    state = besiegers(d="lost")
    state.where[1] = LOST  # 200 of 320 points, half of the units
    assert not must_test(state, 0)
    state.roster = replace(state.roster, rules=replace(state.roster.rules, count_points=True))
    assert losses(state, 0) == (200, 320)
    assert must_test(state, 0)


@rule("O7.victory.defender.losses", "OH.army.6")
def test_without_a_general_the_besieger_fails() -> None:
    state = besiegers("lost", "lost", "lost")
    state.where[0], state.where[3] = LOST, FIELD
    assert judge(state) == Outcome(1, CLAUSE[0], "end.defender_no_general")


# --- the deck ------------------------------------------------------------------------------------


@rule("O7.victory.defender.deck")
def test_who_holds_out_until_the_deck_is_used_up_has_won() -> None:
    state = garrison("", "lost", "lost")
    state.exhausted = 1
    assert go_on(at(state, DeckEnd())).state.outcome is None
    state.exhausted = 2
    outcome = go_on(at(state, DeckEnd())).state.outcome
    assert outcome == Outcome(1, "O7.victory.defender.deck", "end.held_out")


@rule("O7.victory.attacker.scenario")
@pytest.mark.parametrize(
    ("units", "winner"),
    [
        (("A hastati 10 8.2", "X hastati 2 2"), 0),
        (("A hastati 10 8.2", "X hastati 10 4.9"), None),
        (("A hastati 10 8.2 fleeing", "X hastati 10 4.9"), 1),
        (("A hastati 10 12", "X hastati 2 2"), None),
    ],
)
def test_a_prize_decides_when_the_decks_are_used_up(units: tuple[str, str], winner: int | None) -> None:
    """The bridge is 1.44 long: from 5.78 to 7.22; cards touch it at 7.66 and 5.34."""
    place = "span stone-bridge 10 6.5"
    attacker, defender = (text.replace("8.2", "7.66").replace("4.9", "5.34") for text in units)
    state = changed(battle(attacker, defender, structure=place), prize="span")
    state.exhausted = 2
    outcome = go_on(at(state, DeckEnd())).state.outcome
    assert outcome is not None
    won_by_prize = outcome.clause == "O7.victory.attacker.scenario"
    assert (outcome.winner if won_by_prize else None) == winner


# --- scenario files ------------------------------------------------------------------------------

BASE = """
name = "x"
size = [{size}]
{more}
[fortress]
design = "standard"
at = [8, 3]
{fortress}
[[army]]
side = "attacker"
{besieger}
[[army.unit]]
kind = "hastati"
count = 3
general = true
{place}
[[army]]
side = "defender"
{units}
[[army.unit]]
kind = "african-infantry"
count = 2
general = true
"""


def configure(tmp_path: Path, **said: str) -> Setup:
    told = dict.fromkeys(("more", "fortress", "besieger", "place", "units"), "")
    text = BASE.format(**{"size": "16, 16", **told, **said})
    path = tmp_path / "x.toml"
    path.write_text(text)
    return ONUS.configure(str(path))


def roster(setup: Setup) -> Roster:
    return enlist(setup)


def wrong(tmp_path: Path, **said: str) -> str:
    with pytest.raises(BadFile) as caught:
        configure(tmp_path, **said)
    return str(caught.value)


def units(kind: str, count: int) -> str:
    return f'[[army.unit]]\nkind = "{kind}"\ncount = {count}\n'


@rule("O7.field.size", "O7.field.minimum", "OH.field.1")
def test_a_siege_needs_room(tmp_path: Path) -> None:
    assert roster(configure(tmp_path, size="14, 14")).width == 1400
    assert "14 to 60 DU expected, 13.9 found" in wrong(tmp_path, size="16, 13.9")
    assert Scenario(name="x", army=()).size == (20, 18)


@rule("O7.field.minimum", "OH.field.2")
def test_a_besieger_begins_eight_du_from_the_walls(tmp_path: Path) -> None:
    """The walls end at y 4.76: a card whose front is at 12.76 stands at 13.2."""
    place = "at = [[4, {y}, 0], [8, 15, 0], [12, 15, 0]]"
    configure(tmp_path, place=place.format(y=13.21))
    assert "8 DU" in wrong(tmp_path, place=place.format(y=13.1))


@rule("O7.field.size")
def test_a_fortress_stands_on_the_table(tmp_path: Path) -> None:
    text = BASE.replace("at = [8, 3]", "at = [3, 3]")
    path = tmp_path / "off.toml"
    told = dict.fromkeys(("more", "fortress", "besieger", "place", "units"), "")
    path.write_text(text.format(**{"size": "16, 16", **told}))
    with pytest.raises(BadFile) as caught:
        ONUS.configure(str(path))
    assert "field" in str(caught.value)


@rule("OH.army.1")
def test_battles_of_three_sizes(tmp_path: Path) -> None:
    configure(tmp_path, more="points = 1500")
    assert "1000" in wrong(tmp_path, more="points = 1200")


@rule("OH.army.2", "O7.points.summary", "OH.general.1")
def test_the_defender_pays_units_fortress_and_works(tmp_path: Path) -> None:
    """630 for the fortress and 160 for two African infantry, with 16 for their general: 806."""
    trench = '[[structure]]\nid = "t{n}"\nkind = "trench"\nat = [8, {y}]\nowner = "defender"\n'
    text = wrong(tmp_path, more="points = 1000", units=units("sacred-band", 2))
    assert "defender" in text
    assert "1092" in text  # 630 + 420 + 42
    setup = configure(tmp_path, more="points = 1000", units=units("african-infantry", 2))
    plan = BATTLES.plan(setup)
    assert cost(plan, plan.army[1]) == 630 + 320 + 32
    path = tmp_path / "y.toml"
    said = dict.fromkeys(("besieger", "place", "fortress"), "")
    works = "".join(trench.format(n=n, y=6 + n) for n in range(3))
    filled = {"size": "16, 16", "more": "points = 1000", "units": units("african-infantry", 2), **said}
    path.write_text(BASE.format(**filled) + works)
    with pytest.raises(BadFile) as caught:
        ONUS.configure(str(path))
    assert "1012" in str(caught.value)


@rule("OH.army.3")
def test_the_attacker_pays_units_rams_and_siege_towers(tmp_path: Path) -> None:
    """Three hastati are 180 and 18 for the general; rams 20 and a siege tower 70."""
    cart = '\n[[structure]]\nid = "cart"\nkind = "siege-tower"\nat = [8, 14]\nowner = "attacker"\n'
    path = tmp_path / "z.toml"
    told = dict.fromkeys(("fortress", "besieger", "place"), "")
    more = {"size": "16, 16", "more": "points = 1000\nrams = 2", "units": "", **told}
    path.write_text(BASE.format(**more) + cart)
    plan = BATTLES.plan(ONUS.configure(str(path)))
    assert [cost(plan, army) for army in plan.army] == [198 + 40 + 70, 630 + 176]
    besieger = units("triarii", 6)  # 1020 and 102
    assert "attacker" in wrong(tmp_path, more="points = 1000", besieger=besieger)


@rule("O7.points.defender-first", "OH.army.2")
def test_at_most_two_artillery_units_for_the_defender(tmp_path: Path) -> None:
    configure(tmp_path, units=units("scorpion", 2), besieger=units("onager", 3))
    assert "2" in wrong(tmp_path, units=units("scorpion", 2) + units("onager", 1))


@rule("O7.victory.defender.deck")
@pytest.mark.parametrize(
    ("more", "decks"),
    [
        ("", 2),
        ("points = 1000", 2),
        ("points = 1500", 2),
        ("points = 2000", 3),
        ("points = 2000\ndecks = 1", 1),
    ],
)
def test_decks_by_the_size_of_the_battle(tmp_path: Path, more: str, decks: int) -> None:
    assert roster(configure(tmp_path, more=more)).goals.decks == decks


@rule("O7.victory.attacker.scenario")
def test_goals_of_a_scenario(tmp_path: Path) -> None:
    goals = '[goals]\nprize = "{prize}"\ndefender_losses = 60\nattacker_losses = 40\nempty = false'
    found = roster(configure(tmp_path, more=goals.format(prize="gate-1"))).goals
    assert found == Goals(2, "gate-1", 60, 40, False)
    assert "gate-2" in wrong(tmp_path, more=goals.format(prize="gate-2"))


@rule("O7.first-turn")
@pytest.mark.parametrize(("more", "first"), [("", 0), ('first = "defender"', 1)])
def test_the_attacker_begins_unless_the_scenario_says_otherwise(
    tmp_path: Path, more: str, first: int
) -> None:
    state = ONUS.begin(configure(tmp_path, more=more))
    assert state.todo[0] == PlayerTurn(first)


@rule("O7.points.defender-first", "O7.points.units", "O7.deploy.attacker")
def test_the_defender_says_what_was_spent_before_anybody_deploys(tmp_path: Path) -> None:
    opened = engine.start(ONUS, configure(tmp_path), Seeded("x"))
    assert [(event.clause, event.values["points"]) for event in opened.events[:2]] == [
        ("O7.points.defender-first", 630),
        ("O7.points.units", 160),
    ]
    assert isinstance(opened.state.decision, Deploying)
    assert opened.state.decision.seat == 1
    table = opened.state.roster
    assert (works_points(table), units_points(table, 0)) == (630, 180)
    assert works_points(enlist(ONUS.configure("wooden-fortress"))) == 630  # not the attacker's siege tower


# --- the scenarios that come with the game -------------------------------------------------------

SIEGES = ("first-siege", "wooden-fortress", "stone-fortress")
OPEN = ("camp", "open-field", "crossings", "village")
SPENT = {"wooden-fortress": 1500, "stone-fortress": 2000, "open-field": 1000}


@pytest.mark.parametrize("name", [*SIEGES, *OPEN])
def test_a_scenario_has_titles_and_texts_in_both_languages(name: str) -> None:
    plan = BATTLES.plan(ONUS.configure(name))
    assert all((plan.name, plan.name_fr, plan.text, plan.text_fr))
    assert plan.name != plan.name_fr
    assert plan.text != plan.text_fr


@rule("OH.field.1", "OH.army.1")
@pytest.mark.parametrize("name", [*SIEGES, *OPEN])
def test_their_fields_and_points(name: str) -> None:
    setup = ONUS.configure(name)
    plan = BATTLES.plan(setup)
    least = (14, 14) if plan.fortress else (20, 18)
    assert all(side >= needed for side, needed in zip(plan.size, least, strict=True))
    assert (plan.fortress is not None) == (name in SIEGES)
    assert plan.points == SPENT.get(name, 0)
    if plan.points:
        spent = [cost(plan, army) for army in plan.army]
        assert all(plan.points - 60 <= one <= plan.points for one in spent), spent


@pytest.mark.parametrize("name", [*SIEGES, *OPEN])
def test_what_lies_on_them_fits(name: str) -> None:
    """Nothing is off the table; structures lie neither over each other nor over impassable ground."""
    table = enlist(ONUS.configure(name))
    assert all(table.field.covers(ground.shape) for ground in table.grounds if ground.kind != "river")
    assert all(table.field.covers(one.inner) for one in table.structures)
    for n, one in enumerate(table.structures):
        for two in table.structures[:n]:
            assert not one.inner.intersects(two.inner), (one.id, two.id)
    assert list(ONUS.invariants(ONUS.begin(ONUS.configure(name)))) == []


@rule("O7.points.recommended")
def test_the_stone_fortress_has_siege_towers_rams_and_artillery() -> None:
    table = enlist(ONUS.configure("stone-fortress"))
    kinds = Counter(one.kind for one in table.structures)
    assert kinds["siege-tower"] >= 1
    assert table.rams >= 1
    engines = Counter(unit.side for unit in table.units if "siege" in unit.kind.traits)
    assert engines[0] >= 1
    assert 1 <= engines[1] <= 2
    assert all(one.material == "stone" for one in table.structures if one.material)


def test_the_first_siege_has_three_units_a_side() -> None:
    table = enlist(ONUS.configure("first-siege"))
    assert Counter(unit.side for unit in table.units) == {0: 3, 1: 3}
    assert Counter(one.kind for one in table.structures)["gate"] == 1
