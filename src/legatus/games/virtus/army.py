"""1.2 Armies: troop types and their prices (VREF), options, army lists and what can be wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from ...kernel import Option, Refusal
from ...kernel.rulebook import folder
from ...kernel.words import Value
from .state import MAX_GENERALS

Options = dict[str, bool | str]

EDITION = 2  # of the rulebook
OPTIONS: tuple[Option, ...] = (
    Option("impetuous", "V10-troops.1a"),
    Option("fanatics", "V10-troops.2a"),
    Option("stoic", "V10-troops.3a"),
    Option("elite", "V10-troops.4a"),
    Option("rabble", "V10-troops.5a"),
    Option("two_handed", "V11.1a"),
    Option("missiles", "V11.2a"),
    Option("pila", "V11.3a"),
    Option("pikes", "V11.4a"),
    Option("overhead", "V12.1a"),
    Option("testudo", "V12.2a"),
    Option("shieldwall", "V12.3a"),
    Option("orbis", "V12.4a"),
    Option("leaders", "V13.1a"),
    Option("devotio", "V13.2a"),
    Option("rivers", "V14.1a"),
    Option("camps", "V14.2a"),
    Option("dromedaries", "V15a"),
    Option("elephants", "V16b"),
    # any unit of VD 3, mounted ones too; off: infantry only
    Option("shieldwall_any", "V12.3a", earlier={1: False}),
    Option("attrition", "V10-attrition-a", default=False),
    Option("pips", "V17a", default=False),
    Option("decoys", "V7d", default="equal", choices=("equal", "none", "free")),
)
DEFAULTS: Options = {option.key: option.default for option in OPTIONS}

# VREF.b: what a troop type can do, and the option that switches it on; cataphracts and ballistas are kept.
ABILITIES: dict[str, str] = {
    "impetuous": "impetuous",
    "fanatic": "fanatics",
    "two_handed": "two_handed",
    "missiles": "missiles",
    "sling": "missiles",
    "bolts": "missiles",
    "ballista": "",
    "pila": "pila",
    "overhead": "overhead",
    "testudo": "testudo",
    "dromedary": "dromedaries",
    "elephant": "elephants",
    "cataphract": "",
}
QUALITIES = ("elite", "rabble", "stoic", "pikes")  # what a list adds to a unit; each is its own option
NO_DARK_DIE = ("fanatic", "elephant")  # V10-troops.2a V16d
FOOT = ("infantry", "artillery")
ARMS = (*FOOT, "cavalry", "dromedary", "chariot", "elephant")
MARCH = {"dense": 3, "dispersed": 5, "other": 4, "artillery": 0}  # V6.4-march-a; artillery never marches
LOWEST, HIGHEST = 0, 6  # of a custom value: ours, the sheet's own go from 0 to 4
DENSE_VC, DISPERSED_VC = 4, 2  # VREF.f
TWO_HANDED_VD = 2  # V11.1b
DOZEN = (9, 15)  # V1.2a: about a dozen
MOST_UNITS = 20  # ours
BUDGETS = (150, 200)  # V1.2b: recommended
GENERAL, QUALITY, CAMP = 10, 10, 10  # V8c: a general and each of his qualities; V14.2a


class CustomType(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """VREF.d VREF.e VREF.f: a troop type of an army's own, priced by the formula VREF.g."""

    en: str
    fr: str
    stem: str
    vo: int
    vd: int
    vc: int
    mvt: int
    arm: str
    order: str
    vt: int = 0
    mounted: bool = False
    abilities: tuple[str, ...] = ()


class UnitType(CustomType, frozen=True, kw_only=True):
    """VREF.b: a row of the reference table, with its printed cost and what its counters show."""

    cost: int
    icon: str


class UnitEntry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of an army list: so many units of a type."""

    type: str
    count: Annotated[int, Meta(ge=-1_000, le=1_000)] = 1
    name: str = ""
    elite: bool = False
    rabble: bool = False
    stoic: bool = False
    pikes: bool = False


class GeneralEntry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """V8b V8c V13.1a V13.2a: a general and his qualities."""

    name: str = ""
    chief: bool = False
    superior: bool = False
    charismatic: bool = False
    hero: bool = False
    devotio: bool = False


class Army(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """V1.2a V1.2b: an army list, built for a budget."""

    name: str
    budget: Annotated[int, Meta(ge=-100_000, le=100_000)]
    unit: Annotated[tuple[UnitEntry, ...], Meta(max_length=100)] = ()
    general: Annotated[tuple[GeneralEntry, ...], Meta(max_length=MAX_GENERALS // 2)] = ()
    name_fr: str = ""
    people: str = ""
    camp: bool = False
    type: dict[str, CustomType] = {}
    edition: int = 1


class Problem(Struct, frozen=True):
    """What is wrong with an army list, or merely unusual, and where in it."""

    place: str
    severity: Literal["error", "warning"]
    refusal: Refusal


class Line(Struct, frozen=True):
    """A priced line: ``key`` is a troop type, "general" or "camp"; ``marks`` what was added to it."""

    place: str
    key: str
    name: str
    marks: tuple[str, ...]
    count: int
    each: int

    @property
    def total(self) -> int:
        return self.count * self.each


TYPES: dict[str, UnitType] = msgspec.convert(folder(__file__).toml("data/units.toml"), dict[str, UnitType])


def is_on(options: Options | None, key: str) -> bool:
    """V10-troops.a: every option is a switch; one that is not mentioned stands as by default."""
    return not key or bool((options or {}).get(key, DEFAULTS[key]))


def type_of(army: Army, key: str) -> CustomType | None:
    return TYPES.get(key) or army.type.get(key)


def rolls_dark_die(kind: CustomType, options: Options | None = None) -> bool:
    """V10-troops.2a V16d: not fanatics and elephants, unless an option is off that makes them such."""
    return not any(mark in kind.abilities and is_on(options, ABILITIES[mark]) for mark in NO_DARK_DIE)


# --- prices --------------------------------------------------------------------------------------


def formula(kind: CustomType) -> int:
    """VREF.g: the sum of the values, doubled if mounted."""
    return (kind.vo + kind.vt + kind.vd + kind.vc + kind.mvt) * (2 if kind.mounted else 1)


def price(kind: CustomType, elite: bool = False, rabble: bool = False, options: Options | None = None) -> int:
    """VREF.b VREF.g V10-troops.4c V10-troops.5b: elite half as much again, rabble half, both rounded up."""
    cost = kind.cost if isinstance(kind, UnitType) else formula(kind)
    if elite and is_on(options, "elite"):
        return (3 * cost + 1) // 2
    if rabble and is_on(options, "rabble"):
        return (cost + 1) // 2
    return cost


def lines(army: Army, options: Options | None = None) -> list[Line]:
    """V1.2b V8c V13.1a V13.2a V14.2a: the list with its prices, without what is switched off."""
    priced = []
    for i, entry in enumerate(army.general):
        marks = qualities(entry, options)
        bought = [mark for mark in marks if mark != "chief"]
        priced.append(Line(f"general[{i}]", "general", entry.name, marks, 1, GENERAL + QUALITY * len(bought)))
    for i, unit in enumerate(army.unit):
        kind = type_of(army, unit.type)
        if kind is not None:
            each = price(kind, unit.elite, unit.rabble, options)
            marks = tuple(mark for mark in QUALITIES if getattr(unit, mark) and is_on(options, mark))
            priced.append(Line(f"unit[{i}]", unit.type, unit.name, marks, unit.count, each))
    if army.camp and is_on(options, "camps"):
        priced.append(Line("camp", "camp", "", (), 1, CAMP))
    return priced


def cost(army: Army, options: Options | None = None) -> int:
    """V1.2b: units, generals, their qualities and the camp come out of one budget."""
    return sum(line.total for line in lines(army, options))


def qualities(entry: GeneralEntry, options: Options | None) -> tuple[str, ...]:
    """V8d V8b V13.1a V13.2a: what a general is, of what the options leave him."""
    switches = {"chief": "", "superior": "", "charismatic": "", "hero": "leaders", "devotio": "devotio"}
    return tuple(mark for mark, key in switches.items() if getattr(entry, mark) and is_on(options, key))


# --- checks --------------------------------------------------------------------------------------


def check(army: Army, options: Options | None = None, budget: int | None = None) -> list[Problem]:
    """V1.2a V1.2b: everything against an army, errors first; a scenario may set another ``budget``."""
    found = [
        *_check_units(army, options),
        *_check_generals(army),
        *_check_types(army),
        *_check_size(army, options, army.budget if budget is None else budget),
    ]
    return sorted(found, key=lambda problem: problem.severity)


def _error(place: str, clause: str, key: str, **values: Value) -> Problem:
    return Problem(place, "error", Refusal(clause, key, values))


def _check_units(army: Army, options: Options | None) -> Iterator[Problem]:
    """VREF.b V10-troops.5b V11.4a: lines that cannot be recruited."""
    if not army.unit:
        yield _error("unit", "V1.2a", "army.no_units")
    for i, entry in enumerate(army.unit):
        at, kind = f"unit[{i}]", type_of(army, entry.type)
        if entry.count < 1:
            yield _error(f"{at}.count", "V1.2a", "army.count", type=entry.type, count=entry.count)
        if kind is None:
            known = (*TYPES, *army.type)
            yield _error(f"{at}.type", "VREF.b", "army.unknown_type", type=entry.type, known=known)
            continue
        if entry.elite and entry.rabble:
            yield _error(at, "V10-troops.5b", "army.elite_rabble", type=entry.type)
        if entry.rabble and not rolls_dark_die(kind, options):
            yield _error(f"{at}.rabble", "V10-troops.5b", "army.no_rabble", type=entry.type)
        if entry.pikes and kind.arm != "infantry":
            yield _error(f"{at}.pikes", "V11.4a", "army.pikes", type=entry.type)


def _check_generals(army: Army) -> Iterator[Problem]:
    """V1.2a V8d: at least one general; among several, one commander-in-chief."""
    chiefs = [i for i, entry in enumerate(army.general) if entry.chief]
    if not army.general:
        yield _error("general", "V1.2a", "army.no_general")
    elif len(army.general) > 1 and not chiefs:
        yield _error("general", "V8d", "army.no_chief", generals=len(army.general))
    elif len(chiefs) > 1:
        yield _error(f"general[{chiefs[1]}].chief", "V8d", "army.chiefs", chiefs=len(chiefs))


def _check_size(army: Army, options: Options | None, budget: int) -> Iterator[Problem]:
    """V1.2a V1.2b: overspending is refused, underspending is not; the sheet's sizes are advice."""
    total, spent = sum(entry.count for entry in army.unit), cost(army, options)
    if spent > budget:
        yield _error("budget", "V1.2b", "army.cost", cost=spent, budget=budget, over=spent - budget)
    if total > MOST_UNITS:
        yield _error("unit", "V1.2a", "army.too_many", units=total, most=MOST_UNITS)
    elif army.unit and not DOZEN[0] <= total <= DOZEN[1]:
        values: dict[str, Value] = {"units": total, "low": DOZEN[0], "high": DOZEN[1]}
        yield Problem("unit", "warning", Refusal("V1.2a", "army.dozen", values))
    if not BUDGETS[0] <= budget <= BUDGETS[1]:
        values = {"budget": budget, "low": BUDGETS[0], "high": BUDGETS[1]}
        yield Problem("budget", "warning", Refusal("V1.2b", "army.budget", values))


def _check_types(army: Army) -> Iterator[Problem]:
    """VREF.f VREF.g V11.1b V16a: the limits of custom troop types."""
    for key, kind in army.type.items():
        at = f"type.{key}"
        if key in TYPES:
            yield _error(at, "VREF.b", "army.type_printed", type=key)
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", kind.stem):
            yield _error(f"{at}.stem", "VREF.b", "army.type_stem", type=key, stem=kind.stem)
        yield from _check_values(at, key, kind)
        if kind.vc >= DENSE_VC and kind.order != "dense":
            yield _error(f"{at}.order", "VREF.f", "army.type_dense", type=key, vc=kind.vc)
        if kind.order == "dispersed" and kind.vc > DISPERSED_VC:
            yield _error(f"{at}.vc", "VREF.f", "army.type_dispersed", type=key, vc=kind.vc, most=DISPERSED_VC)
        if "two_handed" in kind.abilities and kind.vd > TWO_HANDED_VD:
            yield _error(
                f"{at}.vd", "V11.1b", "army.type_two_handed", type=key, vd=kind.vd, most=TWO_HANDED_VD
            )
        if (kind.arm == "artillery") != (kind.order == "artillery"):
            yield _error(f"{at}.order", "VREF.c", "army.type_artillery", type=key)
        if kind.mounted == (kind.arm in FOOT):
            yield _error(f"{at}.mounted", "VREF.g", "army.type_mounted", type=key, arm=kind.arm)
        if "elephant" in (kind.arm, *kind.abilities) and (not kind.mounted or kind.order != "dense"):
            yield _error(at, "V16a", "army.type_elephant", type=key)


def _check_values(at: str, key: str, kind: CustomType) -> Iterator[Problem]:
    """VREF.c VREF.f: numbers within bounds (a VC of 0 would be a lost unit), words that the rules know."""
    for field in ("vo", "vt", "vd", "vc", "mvt"):
        value, low = getattr(kind, field), 1 if field == "vc" else LOWEST
        if not low <= value <= HIGHEST:
            said: dict[str, Value] = {"type": key, "value": field.upper(), "found": value}
            yield _error(f"{at}.{field}", "VREF.f", "army.type_value", low=low, high=HIGHEST, **said)
    words = [("arm", kind.arm, ARMS), ("order", kind.order, tuple(MARCH))]
    words += [("abilities", ability, tuple(ABILITIES)) for ability in kind.abilities]
    for field, word, known in words:
        if word not in known:
            asked: dict[str, Value] = {"field": field, "word": word, "known": known}
            yield _error(f"{at}.{field}", "VREF.b", "army.type_word", type=key, **asked)
