"""Recruitment: prices, army lists and what is against them, scenarios, options, and the roster they make."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from legatus.games.virtus import army as army_module
from legatus.games.virtus.recruit import (
    DEFAULT_SCENARIO,
    DEFAULTS,
    OPTIONS,
    TYPES,
    Army,
    CustomType,
    Scenario,
    check,
    configure,
    cost,
    enlist,
    formula,
    lines,
    price,
    type_of,
    unpack,
    validate,
)
from legatus.games.virtus.state import PLACES, Roster
from legatus.kernel import BadFile, Setup
from legatus.kernel.fields import fields_of
from legatus.kernel.files import read_toml
from legatus.kernel.rulebook import folder
from tests.rules import rule

HOME = folder(army_module.__file__)
ARMIES = HOME.names("armies")
SCENARIOS = HOME.names("scenarios")

# VREF.b V10-troops.4c V10-troops.5b: printed, elite and rabble cost of every row.
PRICES = {
    "legionaries": (11, 17, 6),
    "veteran_legionaries": (12, 18, 6),
    "veteran_auxiliaries": (11, 17, 6),
    "trained_auxiliaries": (10, 15, 5),
    "barbarian_auxiliaries": (9, 14, 5),
    "palestinian_auxiliaries": (10, 15, 5),
    "lanciarii": (9, 14, 5),
    "formed_archers": (9, 14, 5),
    "javelinmen": (7, 11, 4),
    "light_archers": (7, 11, 4),
    "slingers": (7, 11, 4),
    "cataphracts": (28, 42, 14),
    "heavy_cavalry": (24, 36, 12),
    "medium_cavalry": (20, 30, 10),
    "dromedarii": (16, 24, 8),
    "cataphract_dromedaries": (22, 33, 11),
    "light_cavalry": (14, 21, 7),
    "horse_archers": (16, 24, 8),
    "scorpions": (8, 12, 4),
    "ballistas": (8, 12, 4),
    "noble_warriors": (11, 17, 6),
    "warriors": (9, 14, 5),
    "horde": (10, 15, 5),
    "fanatics": (10, 15, 5),
    "dacian_falxmen": (10, 15, 5),
    "light_chariots": (16, 24, 8),
    "elephants": (24, 36, 12),
}
AXEMEN = {
    "en": "Axemen",
    "fr": "Porteurs de hache",
    "stem": "axemen",
    "vo": 4,
    "vd": 2,
    "vc": 3,
    "mvt": 1,
    "arm": "infantry",
    "order": "other",
}
SMALL: dict[str, Any] = {
    "name": "A small army",
    "budget": 150,
    "unit": [{"type": "warriors", "count": 12}],
    "general": [{"name": "Caratacus"}],
}


def make(**changes: Any) -> Army:
    return msgspec.convert({**SMALL, **changes}, Army)


def custom(**changes: Any) -> Army:
    """A small army with one unit of its own type."""
    return make(unit=[*SMALL["unit"], {"type": "axemen"}], type={"axemen": {**AXEMEN, **changes}})


def told(army: Army, **asked: Any) -> list[tuple[str, str, str, str]]:
    return [(p.severity, p.place, p.refusal.clause, p.refusal.key) for p in check(army, **asked)]


def roster(*armies: Army, options: dict[str, bool | str] | None = None, **plan: Any) -> Roster:
    raw: dict[str, Any] = {"name": "x", "columns": 4, "budget": 200, "armies": ("a", "b"), **plan}
    first, second = armies if len(armies) == 2 else (armies[0], make())
    return enlist(msgspec.convert(raw, Scenario), (first, second), {**DEFAULTS, **(options or {})})


# --- prices --------------------------------------------------------------------------------------


def test_the_table_has_27_rows() -> None:
    assert list(TYPES) == list(PRICES)


@rule("VREF.b", "VREF.g", "V10-troops.4c", "V10-troops.5b")
@pytest.mark.parametrize("key", PRICES)
def test_every_row_costs_what_is_printed_and_what_the_formula_gives(key: str) -> None:
    kind = TYPES[key]
    assert formula(kind) == kind.cost
    assert (price(kind), price(kind, elite=True), price(kind, rabble=True)) == PRICES[key]


@rule("VREF.c", "VREF.f")
def test_rows_of_cohesion_4_are_dense_and_dispersed_ones_have_2_at_most() -> None:
    for key, kind in TYPES.items():
        assert kind.vc < 4 or kind.order == "dense", key
        assert kind.order != "dispersed" or kind.vc <= 2 or key == "dromedarii"


@rule("VREF.a", "VREF.d", "VREF.e")
def test_printed_values_stay_within_the_levels_of_the_legend() -> None:
    for kind in TYPES.values():
        assert 1 <= kind.vo <= 4
        assert 0 <= kind.vt <= 4
        assert 1 <= kind.vd <= 4
        assert kind.mvt <= 2


@rule("VREF.g")
def test_a_custom_type_costs_the_sum_of_its_values_twice_if_mounted() -> None:
    kind = msgspec.convert(AXEMEN, CustomType)
    rider = msgspec.structs.replace(kind, arm="cavalry", mounted=True, vt=1)
    assert price(kind) == 10
    assert price(rider) == 22
    assert (price(rider, elite=True), price(rider, rabble=True)) == (33, 11)


@rule("V8c", "V13.1a", "V13.2a")
@pytest.mark.parametrize(
    ("qualities", "points"),
    [
        ((), 10),
        (("superior",), 20),
        (("charismatic",), 20),
        (("superior", "charismatic"), 30),
        (("hero",), 20),
        (("devotio",), 20),
        (("superior", "charismatic", "hero", "devotio"), 50),
        (("chief",), 10),
    ],
)
def test_generals_cost_ten_and_ten_a_quality(qualities: tuple[str, ...], points: int) -> None:
    army = make(unit=[], general=[dict.fromkeys(qualities, True)])
    assert cost(army) == points


@rule("V14.2a")
def test_a_camp_costs_ten() -> None:
    assert cost(make(camp=True)) - cost(make()) == 10


@rule("V1.2b")
def test_the_priced_list_adds_up() -> None:
    army = make(
        camp=True,
        unit=[{"type": "warriors", "count": 3, "elite": True, "name": "Iceni"}, {"type": "slingers"}],
    )
    priced = lines(army)
    assert [(line.key, line.name, line.marks, line.count, line.each, line.total) for line in priced] == [
        ("general", "Caratacus", (), 1, 10, 10),
        ("warriors", "Iceni", ("elite",), 3, 14, 42),
        ("slingers", "", (), 1, 7, 7),
        ("camp", "", (), 1, 10, 10),
    ]
    assert cost(army) == 69


@rule("V10-troops.3b", "V11.4a")
def test_stoic_and_pikes_are_free() -> None:
    plain, named = {"type": "warriors", "count": 12}, {"stoic": True, "pikes": True}
    assert cost(make(unit=[{**plain, **named}])) == cost(make(unit=[plain]))


@rule("V10-troops.a")
@pytest.mark.parametrize(
    ("option", "change"),
    [
        ("elite", {"unit": [{"type": "warriors", "count": 12, "elite": True}]}),
        ("rabble", {"unit": [{"type": "warriors", "count": 12, "rabble": True}]}),
        ("leaders", {"general": [{"hero": True}]}),
        ("devotio", {"general": [{"devotio": True}]}),
        ("camps", {"camp": True}),
    ],
)
def test_what_is_switched_off_is_not_paid_for(option: str, change: dict[str, Any]) -> None:
    army = make(**change)
    assert cost(army) != cost(make())
    assert cost(army, {option: False}) == cost(make())


# --- checks --------------------------------------------------------------------------------------


def test_a_sound_army_has_nothing_against_it() -> None:
    assert check(make()) == []


@rule("V1.2a")
def test_an_army_needs_a_general_and_units() -> None:
    assert told(make(general=[])) == [("error", "general", "V1.2a", "army.no_general")]
    assert told(make(unit=[])) == [("error", "unit", "V1.2a", "army.no_units")]


@rule("V1.2a")
def test_a_line_holds_at_least_one_unit() -> None:
    army = make(unit=[*SMALL["unit"], {"type": "slingers", "count": 0}])
    assert told(army) == [("error", "unit[1].count", "V1.2a", "army.count")]


@rule("VREF.b")
def test_an_unknown_type_is_refused_with_the_known_ones() -> None:
    problems = check(make(unit=[*SMALL["unit"], {"type": "legionnaires"}]))
    assert [(p.place, p.refusal.clause, p.refusal.key) for p in problems] == [
        ("unit[1].type", "VREF.b", "army.unknown_type")
    ]
    known = problems[0].refusal.values["known"]
    assert isinstance(known, tuple)
    assert "legionaries" in known


@rule("V1.2b")
def test_overspending_is_refused_and_underspending_allowed() -> None:
    army = make()
    assert cost(army) == 118
    assert check(army, budget=150) == []
    over = check(army, budget=117)[0]
    assert (over.severity, over.place, over.refusal.clause) == ("error", "budget", "V1.2b")
    assert over.refusal.values == {"cost": 118, "budget": 117, "over": 1}
    assert all(p.severity == "warning" for p in check(army, budget=118))


@rule("V1.2b")
def test_the_budget_of_the_list_holds_where_no_scenario_sets_one() -> None:
    army = make(unit=[{"type": "noble_warriors", "count": 14}])
    assert told(army) == [("error", "budget", "V1.2b", "army.cost")]
    assert told(army, budget=200) == []


@rule("V1.2b")
def test_a_switched_off_quality_may_bring_an_army_within_its_budget() -> None:
    army = make(unit=[{"type": "warriors", "count": 12, "elite": True}])
    assert told(army) == [("error", "budget", "V1.2b", "army.cost")]
    assert told(army, options={"elite": False}) == []


@rule("V10-troops.5b", "V10-troops.4c")
def test_no_unit_is_elite_and_rabble() -> None:
    army = make(unit=[*SMALL["unit"], {"type": "slingers", "elite": True, "rabble": True}])
    assert told(army) == [("error", "unit[1]", "V10-troops.5b", "army.elite_rabble")]


@rule("V10-troops.5b")
@pytest.mark.parametrize("key", ["fanatics", "elephants"])
def test_troops_without_a_dark_die_cannot_be_rabble(key: str) -> None:
    army = make(unit=[*SMALL["unit"], {"type": key, "rabble": True}])
    assert told(army) == [("error", "unit[1].rabble", "V10-troops.5b", "army.no_rabble")]


@rule("V10-troops.5b", "V10-troops.2a", "V16d")
@pytest.mark.parametrize(
    ("key", "option", "each"), [("fanatics", "fanatics", 5), ("elephants", "elephants", 12)]
)
def test_they_can_be_where_the_options_make_them_roll_one(key: str, option: str, each: int) -> None:
    army = make(unit=[*SMALL["unit"], {"type": key, "rabble": True}])
    assert told(army, options={option: False}) == []
    assert lines(army, {option: False})[-1].each == each
    assert told(army, options={option: True})[0][3] == "army.no_rabble"
    other = {"fanatics": "elephants", "elephants": "fanatics"}[option]
    assert told(army, options={other: False})[0][3] == "army.no_rabble"
    made = [unit for unit in roster(army, options={option: False}).units if unit.type == key]
    assert [(unit.rabble, unit.fanatic, unit.elephant) for unit in made] == [(True, False, False)]


@rule("V10-troops.5b")
def test_a_custom_type_is_judged_by_its_die_and_not_by_its_arm() -> None:
    """An elephant without the ability rolls the dark die like everybody."""
    tame = {**AXEMEN, "arm": "elephant", "order": "dense", "mounted": True, "vc": 4}
    army = make(unit=[*SMALL["unit"], {"type": "tame", "rabble": True}], type={"tame": tame})
    assert told(army) == []
    wild = make(
        unit=[*SMALL["unit"], {"type": "wild", "rabble": True}],
        type={"wild": {**tame, "abilities": ["elephant"]}},
    )
    assert told(wild)[0][3] == "army.no_rabble"


@rule("V11.4a")
def test_only_infantry_carries_pikes() -> None:
    army = make(unit=[*SMALL["unit"], {"type": "light_cavalry", "pikes": True}])
    assert told(army) == [("error", "unit[1].pikes", "V11.4a", "army.pikes")]
    assert told(make(unit=[{"type": "warriors", "count": 12, "pikes": True}])) == []


@rule("V8d")
def test_of_several_generals_one_is_chief() -> None:
    two = [{"name": "a"}, {"name": "b"}]
    assert told(make(general=two)) == [("error", "general", "V8d", "army.no_chief")]
    assert told(make(general=[{**two[0], "chief": True}, two[1]])) == []
    chiefs = [{**entry, "chief": True} for entry in two]
    assert told(make(general=chiefs)) == [("error", "general[1].chief", "V8d", "army.chiefs")]


@rule("V1.2a")
def test_about_a_dozen_units_is_advice_and_twenty_a_limit() -> None:
    def size(n: int) -> list[tuple[str, str, str, str]]:
        return told(make(unit=[{"type": "javelinmen", "rabble": True, "count": n}]))

    assert size(9) == size(15) == []
    assert size(8) == size(16) == size(20) == [("warning", "unit", "V1.2a", "army.dozen")]
    assert size(21) == [("error", "unit", "V1.2a", "army.too_many")]


@rule("V1.2b")
@pytest.mark.parametrize("budget", [149, 201])
def test_an_unusual_budget_is_only_a_warning(budget: int) -> None:
    assert told(make(budget=budget)) == [("warning", "budget", "V1.2b", "army.budget")]


def test_errors_come_before_warnings() -> None:
    problems = told(make(budget=10, unit=[{"type": "warriors", "count": 2}]))
    assert [severity for severity, *_ in problems] == ["error", "warning", "warning"]


@rule("VREF.f", "VREF.c", "VREF.g", "V11.1b", "V16a")
@pytest.mark.parametrize(
    ("change", "place", "clause", "key"),
    [
        ({"vo": 7}, "vo", "VREF.f", "type_value"),
        ({"vd": -1}, "vd", "VREF.f", "type_value"),
        ({"vc": 0}, "vc", "VREF.f", "type_value"),
        ({"vc": 4}, "order", "VREF.f", "type_dense"),
        ({"order": "dispersed"}, "vc", "VREF.f", "type_dispersed"),
        ({"vd": 3, "abilities": ["two_handed"]}, "vd", "V11.1b", "type_two_handed"),
        ({"arm": "artillery"}, "order", "VREF.c", "type_artillery"),
        ({"order": "artillery"}, "order", "VREF.c", "type_artillery"),
        ({"mounted": True}, "mounted", "VREF.g", "type_mounted"),
        ({"arm": "cavalry"}, "mounted", "VREF.g", "type_mounted"),
        ({"arm": "elephant", "mounted": True}, "", "V16a", "type_elephant"),
        ({"order": "loose"}, "order", "VREF.b", "type_word"),
        ({"abilities": ["flying"]}, "abilities", "VREF.b", "type_word"),
        ({"stem": "Axe men"}, "stem", "VREF.b", "type_stem"),
    ],
)
def test_custom_types_keep_to_the_limits(change: dict[str, Any], place: str, clause: str, key: str) -> None:
    where = f"type.axemen.{place}" if place else "type.axemen"
    assert told(custom(**change)) == [("error", where, clause, f"army.{key}")]


@rule("VREF.f", "VREF.c")
def test_sound_custom_types_pass() -> None:
    assert check(custom()) == []
    assert check(custom(vc=4, order="dense")) == []
    assert check(custom(vc=2, order="dispersed", abilities=["missiles", "sling"])) == []
    assert check(custom(arm="elephant", mounted=True, order="dense", abilities=["elephant"])) == []


@rule("VREF.b")
def test_a_custom_type_cannot_replace_a_printed_one() -> None:
    army = make(type={"warriors": AXEMEN})
    assert told(army) == [("error", "type.warriors", "VREF.b", "army.type_printed")]
    assert type_of(army, "warriors") is TYPES["warriors"]


def test_every_message_has_a_sentence_in_both_languages() -> None:
    keys = set(re.findall(r'"(army\.\w+)"', Path(army_module.__file__).read_text("utf-8")))
    assert len(keys) == 23
    for lang, messages in HOME.messages.items():
        assert [key for key in sorted(keys) if key not in messages] == [], lang


# --- shipped armies ------------------------------------------------------------------------------


@rule("V1.2a", "V1.2b")
@pytest.mark.parametrize("name", ARMIES)
def test_shipped_armies_are_sound_and_spend_their_budget(name: str) -> None:
    army = read_toml(ARMIES[name], Army)
    assert check(army) == []
    assert name == f"{army.people}-{army.budget}"
    assert army.budget - 5 <= cost(army) <= army.budget
    assert army.name
    assert army.name_fr


def test_shipped_armies_use_every_type_and_every_quality() -> None:
    armies = [read_toml(path, Army) for path in ARMIES.values()]
    assert {entry.type for army in armies for entry in army.unit} == set(TYPES)
    for quality in ("elite", "rabble", "stoic", "pikes"):
        assert any(getattr(entry, quality) for army in armies for entry in army.unit), quality
    for quality in ("chief", "superior", "charismatic", "hero", "devotio"):
        assert any(getattr(entry, quality) for army in armies for entry in army.general), quality
    assert any(army.camp for army in armies)
    assert len({army.people for army in armies}) >= 6


# --- the roster ----------------------------------------------------------------------------------


@rule("VREF.b")
def test_units_are_numbered_by_stem_over_both_sides_rome_first() -> None:
    first = make(unit=[{"type": "slingers", "count": 2}, {"type": "legionaries", "name": "Legio X"}])
    made = roster(first, make(unit=[{"type": "slingers"}]))
    assert [(unit.id, unit.number, unit.side) for unit in made.units] == [
        ("slingers-1", 1, 0),
        ("slingers-2", 2, 0),
        ("legion-1", 1, 0),
        ("slingers-3", 3, 1),
    ]
    assert made.units[2].name == "Legio X"
    assert made.of == (range(3), range(3, 4))


def test_generals_are_called_by_their_names_and_like_nothing_else() -> None:
    names = ["Vercingétorix", "Lusius Quietus", "", "rome1", "Joker", "Slingers 1"]
    first = make(unit=[{"type": "slingers"}], general=[{"name": name} for name in names])
    second = make(general=[{"name": "Vercingetorix"}, {"name": "", "chief": True}])
    ids = [general.id for general in roster(first, second).generals]
    assert ids[:6] == ["vercingetorix", "lusius-quietus", "general-1", "rome1-2", "joker-2", "slingers-1-2"]
    assert ids[6:] == ["vercingetorix-2", "general-2"]


@rule("V8d")
def test_a_single_general_is_chief_without_saying() -> None:
    assert roster(make()).generals[0].chief
    pair = roster(make(general=[{"name": "a"}, {"name": "b", "chief": True}])).generals
    assert [general.chief for general in pair[:2]] == [False, True]


@rule("V6.4-march-a", "V15b")
@pytest.mark.parametrize(
    ("key", "march"),
    [
        ("legionaries", 3),
        ("warriors", 4),
        ("javelinmen", 5),
        ("light_cavalry", 5),
        ("dromedarii", 4),
        ("cataphract_dromedaries", 3),
        ("elephants", 3),
        ("scorpions", 0),
    ],
)
def test_forced_march_thresholds(key: str, march: int) -> None:
    assert roster(make(unit=[{"type": key}])).units[0].march == march


@rule("V16a")
def test_elephants_are_mounted_and_dense() -> None:
    beast = roster(make(unit=[{"type": "elephants"}])).units[0]
    assert (beast.mounted, beast.order) == (True, "dense")


@rule("V12.3a", "V12.4b")
def test_shieldwall_is_for_any_unit_of_vd_3_and_orbis_for_all_infantry() -> None:
    made = roster(make(unit=[{"type": key} for key in TYPES]), make(unit=[]))
    assert all(unit.shieldwall == (unit.vd >= 3) for unit in made.units)
    assert {"heavy_cavalry", "cataphracts", "elephants"} < {u.type for u in made.units if u.shieldwall}
    assert all(unit.orbis == (unit.arm == "infantry") for unit in made.units)


@rule("V12.3a")
def test_an_option_keeps_the_shieldwall_for_infantry_of_vd_3() -> None:
    listed = make(unit=[{"type": key} for key in TYPES])
    made = roster(listed, make(unit=[]), options={"shieldwall_any": False})
    assert {unit.type for unit in made.units if unit.shieldwall} == {
        "legionaries",
        "veteran_legionaries",
        "veteran_auxiliaries",
        "trained_auxiliaries",
        "lanciarii",
        "noble_warriors",
    }
    off = roster(listed, options={"shieldwall_any": True, "shieldwall": False})
    assert not any(unit.shieldwall for unit in off.units)


@rule("V11.1b")
def test_two_handed_units_have_vd_2_at_most() -> None:
    army = make(unit=[{"type": "axemen"}], type={"axemen": {**AXEMEN, "vd": 4, "abilities": ["two_handed"]}})
    assert roster(army).units[0].vd == 2


def test_a_custom_unit_carries_the_name_of_its_type() -> None:
    unit = roster(custom()).units[12]
    assert (unit.id, unit.type, unit.name) == ("axemen-1", "axemen", "Axemen")


ALL = {
    "unit": [{"type": key, "stoic": True, "pikes": True, "elite": True} for key in TYPES]
    + [{"type": "horde", "rabble": True}],
    "general": [{"name": "g", "hero": True, "devotio": True}],
    "camp": True,
}
STRIPPED = {
    "impetuous": ["impetuous"],
    "fanatics": ["fanatic"],
    "stoic": ["stoic"],
    "elite": ["elite"],
    "rabble": ["rabble"],
    "two_handed": ["two_handed"],
    "missiles": ["missiles", "sling", "bolts"],
    "pila": ["pila"],
    "pikes": ["pikes"],
    "overhead": ["overhead"],
    "testudo": ["testudo"],
    "shieldwall": ["shieldwall"],
    "orbis": ["orbis"],
    "dromedaries": ["dromedary"],
    "elephants": ["elephant"],
}


@rule("V10-troops.a")
@pytest.mark.parametrize("option", STRIPPED)
def test_an_option_switched_off_strips_exactly_its_abilities(option: str) -> None:
    def held(options: dict[str, bool | str]) -> set[str]:
        fields = [field.name for field in fields_of(type(made.units[0])) if field.type is bool]
        units = roster(make(**ALL), options=options).units
        return {name for name in fields if any(getattr(unit, name) for unit in units)}

    made = roster(make(**ALL))
    assert held({}) - held({option: False}) == set(STRIPPED[option])


@rule("V13.1a", "V13.2a", "V14.2a")
def test_heroes_devotio_and_camps_go_with_their_options() -> None:
    made = roster(make(**ALL))
    assert (made.generals[0].hero, made.generals[0].devotio, made.camps) == (True, True, (1, 0))
    off = roster(make(**ALL), options={"leaders": False, "devotio": False, "camps": False})
    assert (off.generals[0].hero, off.generals[0].devotio, off.camps) == (False, False, (0, 0))
    assert not off.rules.leaders


@rule("V14.1a")
def test_rivers_say_how_many_units_cross() -> None:
    water = {"seg1": "deep", "seg2": "bridge", "seg4": "river"}
    assert roster(make(), rivers=water).rivers == (0, 1, 3, 0, 2)
    assert roster(make(), rivers=water, options={"rivers": False}).rivers == (0, 0, 0, 0, 0)


@rule("V17b")
def test_attrition_means_nothing_with_pips() -> None:
    rules = roster(make(), options={"pips": True, "attrition": True, "decoys": "none"}, columns=3).rules
    assert (rules.columns, rules.pips, rules.attrition, rules.decoys) == (3, True, False, "none")


# --- scenarios and set-ups -----------------------------------------------------------------------


@rule("V1.5c", "V1.6a")
@pytest.mark.parametrize("name", SCENARIOS)
def test_shipped_scenarios_configure_and_their_ids_are_unique(name: str) -> None:
    setup = configure(HOME, name)
    plan, armies, options = unpack(setup)
    made = enlist(plan, armies, options)
    ids = [unit.id for unit in made.units] + [general.id for general in made.generals]
    assert len({*ids, *PLACES}) == len(ids) + len(PLACES)
    assert all(re.fullmatch(r"[a-z0-9-]+", ident) for ident in ids)
    assert validate(setup) == setup
    assert validate(msgspec.json.decode(msgspec.json.encode(setup), type=Setup)) == setup
    assert (plan.columns, plan.budget) in ((4, 200), (3, 150))
    assert plan.name
    assert plan.name_fr
    assert plan.text
    assert plan.text_fr
    assert bool(plan.terrain) == (name in ("bridge", "camp", "thick-forest"))


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_pair_of_armies_of_its_budget_fits_a_scenario(name: str) -> None:
    budget = configure(HOME, name).scenario["budget"]
    for army in ARMIES:
        if army.endswith(f"-{budget}"):
            assert configure(HOME, name, [army, army]).armies[0]["name"]


def test_the_default_is_an_open_battle() -> None:
    assert configure(HOME) == configure(HOME, DEFAULT_SCENARIO)


def test_an_army_is_found_by_its_people_and_the_budget() -> None:
    setup = configure(HOME, "open-small", ["late-romans", "gauls"])
    assert [army["people"] for army in setup.armies] == ["late-romans", "gauls"]
    assert [army["budget"] for army in setup.armies] == [150, 150]


@rule("V1.2b")
def test_an_army_too_dear_for_the_scenario_is_refused() -> None:
    with pytest.raises(BadFile, match=r"dacians-200\.toml: line \d+ \(budget\).*V1\.2b"):
        configure(HOME, "open-small", ["dacians-200", "dacians-150"])


def test_options_given_go_over_those_of_the_scenario_and_these_over_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(
        'name = "s"\nedition = 2\ncolumns = 4\nbudget = 200\narmies = ["gauls", "germans"]\n'
        '[options]\npips = true\ndecoys = "free"\n',
        "utf-8",
    )
    options = configure(HOME, str(file), options={"decoys": "none"}).options
    assert options == {**DEFAULTS, "pips": True, "decoys": "none"}
    assert set(options) == {option.key for option in OPTIONS}


@rule("V10-troops.a")
def test_all_options_are_on_but_attrition_and_pips() -> None:
    off = {option.key for option in OPTIONS if option.default is False}
    assert off == {"attrition", "pips"}
    assert {option.clause for option in OPTIONS} <= set(HOME.rulebooks["en"].clauses)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"morale": True}, r"options\.morale: one of 'impetuous', .*'morale' found"),
        ({"elite": "yes"}, r"options\.elite: true or false expected, 'yes' found"),
        ({"decoys": True}, r"options\.decoys: one of 'equal', 'none', 'free' expected, True found"),
    ],
)
def test_wrong_options_are_refused_with_what_was_expected(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadFile, match=said):
        configure(HOME, options=options)
    setup = configure(HOME)
    with pytest.raises(BadFile, match=said):
        validate(Setup(setup.scenario, setup.armies, options))


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(BadFile, match=r"cannae: a \.toml file or one of bridge, .*expected"):
        configure(HOME, "cannae")
    with pytest.raises(BadFile, match=r"huns: a \.toml file or one of britons-150, .*expected"):
        configure(HOME, "open", ["huns", "gauls"])
    with pytest.raises(BadFile, match="2 armies expected, 1 found"):
        configure(HOME, "open", ["gauls"])


@pytest.mark.parametrize(
    ("wanted", "french"),
    [
        ({"scenario": "cannae"}, "cannae : on attendait un fichier .toml ou l'un de ces noms : bridge, camp"),
        ({"armies": ["gauls"]}, "armies : 2 armées attendues, 1 trouvée(s)"),
        (
            {"options": {"decoys": True}},
            "options : options.decoys : on attendait une de ces valeurs : 'equal', 'none', 'free' ; trouvé",
        ),
        ({"options": {"elite": "yes"}}, "options : options.elite : true ou false attendu, 'yes' trouvé"),
        (
            {"armies": [{**SMALL, "general": []}, "gauls"]},
            "armée du camp rome : general : une armée a besoin d'au moins un général, et celle-ci n'en a",
        ),
        (
            {"armies": [{**SMALL, "unit": [{"type": "warriors", "count": "x"}]}, "gauls"]},
            "armée du camp rome : unit[0].count : `int` attendu, `str` trouvé",
        ),
    ],
)
def test_what_is_wrong_is_told_in_french(wanted: dict[str, Any], french: str) -> None:
    with pytest.raises(BadFile) as bad:
        configure(HOME, **wanted)
    assert bad.value.say("fr").startswith(french)


ARMY_FILE = """\
name = "Mine"
budget = 150

[[general]]
name = "Me"

[[unit]]
type = "warriors"
count = 10

[[unit]]
type = "elephants"
rabble = true

[[unit]]
type = "axemen"

[type.axemen]
en = "Axemen"
fr = "Porteurs de hache"
stem = "axemen"
vo = 4
vd = 2
vc = 3
mvt = 1
arm = "infantry"
order = "other"
"""


@rule("V1.2a", "V1.2b")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", r"line 13 \(unit\[1\]\.rabble\): .+ \(V10-troops\.5b\)"),
        ("count = 10", "count = 0", r"line 9 \(unit\[0\]\.count\): .+ \(V1\.2a\)"),
        ('"elephants"', '"mammoths"', r"line 12 \(unit\[1\]\.type\): .+ \(VREF\.b\)"),
        ('rabble = true\n\n[[unit]]\ntype = "axemen"', "count = 9", r"line 2 \(budget\): .+ \(V1\.2b\)"),
        ("rabble = true\n", "", None),
        ("budget = 150", 'budget = "x"', r"line 2 \(budget\): Expected `int`"),
        ("count = 10", "cuont = 10", r"line 7 \(unit\[0\]\): .+unknown field `cuont`"),
        ("count = 10", "count = ten", r"not TOML: .+line 9"),
    ],
)
def test_army_files_are_refused_with_file_line_and_clause(
    tmp_path: Path, old: str, new: str, said: str | None
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(ARMY_FILE.replace(old, new), "utf-8")
    if said is None:
        assert configure(HOME, "open-small", [str(file), file]).armies[0]["name"] == "Mine"
        return
    with pytest.raises(BadFile, match=re.escape(str(file)) + ": " + said):
        configure(HOME, "open-small", [str(file), "gauls"])


@rule("VREF.f")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("vo = 4", "vo = 9", r"line 22 \(type\.axemen\.vo\): .+ \(VREF\.f\)"),
        ("vc = 3", "vc = 4", r"line 27 \(type\.axemen\.order\): .+ \(VREF\.f\)"),
        ('arm = "infantry"', 'arm = "cavalry"', r"line 18 \(type\.axemen\.mounted\): .+ \(VREF\.g\)"),
    ],
)
def test_custom_types_are_refused_with_their_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(ARMY_FILE.replace("rabble = true", "elite = false").replace(old, new), "utf-8")
    with pytest.raises(BadFile, match=said):
        configure(HOME, "open-small", [file, "gauls"])


def test_armies_given_as_data_are_refused_with_their_path() -> None:
    with pytest.raises(BadFile, match=r"army of barbarians: unit\[0\]\.type: .+VREF\.b"):
        configure(HOME, "open", ["gauls", {**SMALL, "unit": [{"type": "huns", "count": 9}]}])
    with pytest.raises(BadFile, match=r"army of rome: unit\[0\]\.count: Expected `int`"):
        configure(HOME, "open", [{**SMALL, "unit": [{"type": "warriors", "count": "x"}]}, "gauls"])
    assert configure(HOME, "open", [SMALL, SMALL]).armies[1]["name"] == "A small army"


SCENARIO_FILE = """\
name = "s"
columns = 3
budget = 150
armies = ["gauls", "germans"]
attacker = "rome"
nature = "plain"
camps = ["rome2"]

[terrain]
rome2 = "hill"
barb3 = "woods"

[rivers]
seg2 = "bridge"
"""


@rule("V1.5c", "V14.1a", "V14.2a")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", None),
        ("columns = 3", "columns = 5", r"line 2 \(columns\): one of 3, 4 expected, 5 found"),
        ('"rome"', '"carthage"', r"line 5 \(attacker\): one of '', 'rome', 'barbarians' expected"),
        ('"plain"', '"desert"', r"line 6 \(nature\): one of '', 'plain', 'hilly', 'wooded' expected"),
        ("barb3", "barb4", r"line 11 \(terrain\.barb4\): one of 'rome1', .*'barb3' expected, 'barb4'"),
        ("barb3", "barb-reserve", r"line 11 \(terrain\.barb-reserve\): one of"),
        ('"woods"', '"jungle"', r"line 11 \(terrain\.barb3\): one of 'clear', .+ 'jungle' found"),
        ("seg2", "seg4", r"line 14 \(rivers\.seg4\): one of 'seg1', 'seg2', 'seg3' expected"),
        ('"bridge"', '"ford"', r"line 14 \(rivers\.seg2\): one of 'river', 'bridge', 'deep' expected"),
        ('["rome2"]', '["rome4"]', r"line 7 \(camps\): one of 'rome1'"),
        ('["rome2"]', '["barb3"]', r"line 7 \(camps\): barb3 is woods; .*clear, hill \(V14\.2a\)"),
        ('[terrain]\nrome2 = "hill"\nbarb3 = "woods"\n', "", r"line 7 \(camps\): .*\(V14\.2a\)"),
        ("budget = 150\n", "", r"missing required field `budget`"),
        ('"gauls", ', "", r"line 4 \(armies\)"),
    ],
)
def test_scenario_files_are_refused_with_file_line_and_what_was_expected(
    tmp_path: Path, old: str, new: str, said: str | None
) -> None:
    file = tmp_path / "s.toml"
    file.write_text(SCENARIO_FILE.replace(old, new), "utf-8")
    if said is None:
        assert configure(HOME, file).scenario["camps"] == ["rome2"]
        return
    with pytest.raises(BadFile, match=f"s.toml: .*{said}"):
        configure(HOME, str(file))


@pytest.mark.parametrize(
    ("old", "new", "french"),
    [
        (
            "columns = 3",
            "columns = 5",
            "ligne 2 (columns) : on attendait une de ces valeurs : 3, 4 ; trouvé : 5",
        ),
        (
            '["rome2"]',
            '["barb3"]',
            "ligne 7 (camps) : barb3 est woods ; un camp ne peut se trouver que sur : clear, hill (V14.2a)",
        ),
        (
            '[terrain]\nrome2 = "hill"\nbarb3 = "woods"\n',
            "",
            "ligne 7 (camps) : un scénario qui donne camps fixe aussi le terrain (V14.2a)",
        ),
    ],
)
def test_scenario_files_are_refused_in_french(tmp_path: Path, old: str, new: str, french: str) -> None:
    file = tmp_path / "s.toml"
    file.write_text(SCENARIO_FILE.replace(old, new), "utf-8")
    with pytest.raises(BadFile) as bad:
        configure(HOME, file)
    assert bad.value.say("fr") == f"{file} : {french}"


def test_a_record_with_a_broken_set_up_is_refused() -> None:
    setup = configure(HOME)
    with pytest.raises(BadFile, match="scenario: columns: one of 3, 4 expected"):
        validate(Setup({**setup.scenario, "columns": 9}, setup.armies, setup.options))
    with pytest.raises(BadFile, match="2 armies expected, 1 found"):
        validate(Setup(setup.scenario, setup.armies[:1], setup.options))
    bad = {**setup.armies[0], "general": []}
    with pytest.raises(BadFile, match=r"army of rome: general: .+V1\.2a"):
        validate(Setup(setup.scenario, (bad, setup.armies[1]), setup.options))


@rule("V12.3a")
def test_a_set_up_of_edition_1_reads_omitted_options_with_its_own_defaults() -> None:
    setup = configure(HOME)
    assert validate(Setup(setup.scenario, setup.armies, edition=2)).options == DEFAULTS
    first = validate(Setup(setup.scenario, setup.armies, edition=1)).options
    assert first == {**DEFAULTS, "shieldwall_any": False}
