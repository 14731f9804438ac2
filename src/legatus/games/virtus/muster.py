"""1.2 Armies as people build them (V1.2a V1.2b), and what a lobby lists: scenarios and ready armies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from ...kernel.files import read_toml
from ...kernel.muster import ArmyCard, Mark, Muster, MusterLine, MusterProblem, Recruit, ScenarioCard
from ...kernel.rulebook import folder
from ...kernel.setup import settle
from .army import (
    CAMP,
    EDITION,
    GENERAL,
    OPTIONS,
    QUALITY,
    TYPES,
    Army,
    Line,
    UnitType,
    check,
    cost,
    lines,
    price,
    rolls_dark_die,
    type_of,
)
from .recruit import Scenario, source_of

HOME = folder(__file__)
MARKS = {"elite": "V10-troops.4a", "rabble": "V10-troops.5a", "stoic": "V10-troops.3a", "pikes": "V11.4a"}
QUALITIES = {
    "chief": "V8d",
    "superior": "V8b",
    "charismatic": "V8b",
    "hero": "V13.1a",
    "devotio": "V13.2a",
}


def _say(key: str, lang: str) -> str:
    return HOME.messages[lang].sentences.get(key, key)


def _in(thing: Struct, field: str, lang: str) -> str:
    """A text of a file in a language; English where it has no other."""
    return str(getattr(thing, f"{field}_{lang}", "") or getattr(thing, field))


# --- the lobby -----------------------------------------------------------------------------------


@cache
def scenarios(lang: str) -> tuple[ScenarioCard, ...]:
    """V1.6a: the fields of battle, with the armies that meet there unless others are chosen."""
    plans = {key: read_toml(path, Scenario) for key, path in HOME.names("scenarios").items()}
    return tuple(
        ScenarioCard(key, _in(plan, "name", lang), _in(plan, "text", lang), plan.armies, plan.budget)
        for key, plan in plans.items()
    )


@cache
def armies(lang: str) -> tuple[ArmyCard, ...]:
    """V1.2b: the ready armies with what they cost."""
    hosts = {key: read_toml(path, Army) for key, path in HOME.names("armies").items()}
    return tuple(
        ArmyCard(key, _in(army, "name", lang), cost(army), army.budget) for key, army in hosts.items()
    )


# --- building ------------------------------------------------------------------------------------


@cache
def recruits(lang: str) -> tuple[Recruit, ...]:
    """VREF.b V8c V14.2a: troop types, generals, the fortified camp."""
    types = [_type(key, kind, lang) for key, kind in TYPES.items()]
    general = Recruit(
        section="general",
        shape="single",
        key="general",
        label=_say("muster.general", lang),
        price=GENERAL,
        clause="V8c",
        icon="general",
        marks=tuple(
            Mark(mark, _say(f"name.{mark}", lang), clause, 0 if mark == "chief" else QUALITY)
            for mark, clause in QUALITIES.items()
        ),
    )
    camp = Recruit("camp", "flag", "camp", _say("muster.camp", lang), CAMP, "V14.2a")
    return (*types, general, camp)


def _type(key: str, kind: UnitType, lang: str) -> Recruit:
    values = {"VO": kind.vo, "VT": kind.vt, "VD": kind.vd, "VC": kind.vc, "Mvt": kind.mvt}
    return Recruit(
        section="unit",
        shape="typed",
        key=key,
        label=getattr(kind, lang),
        price=kind.cost,
        clause="VREF.b",
        icon=kind.icon,
        values={name: str(value or "–") for name, value in values.items()},
        marks=tuple(_mark(mark, kind, lang) for mark in MARKS if _may_be(kind, mark)),
    )


def _may_be(kind: UnitType, mark: str) -> bool:
    """V10-troops.5b V11.4a: by the default options, rabble rolls a dark die; pikes are for infantry."""
    if mark == "rabble":
        return rolls_dark_die(kind)
    return mark != "pikes" or kind.arm == "infantry"


def _mark(mark: str, kind: UnitType, lang: str) -> Mark:
    """V10-troops.4c V10-troops.5b: elite and rabble change the price."""
    more = price(kind, elite=mark == "elite", rabble=mark == "rabble") - kind.cost
    return Mark(mark, _say(f"name.{mark}", lang), MARKS[mark], more)


# --- judging -------------------------------------------------------------------------------------


def muster(
    raw: dict[str, Any],
    lang: str,
    budget: int | None = None,
    options: Mapping[str, bool | str] | None = None,
) -> Muster:
    """V1.2a V1.2b: a list priced line by line, with everything against it."""
    army = source_of("army").take(raw, Army, EDITION)
    settled = settle(OPTIONS, dict(options or {}), source_of("options"))
    found = tuple(
        MusterProblem(p.place, p.severity, p.refusal.clause, HOME.messages[lang].render(p.refusal))
        for p in check(army, settled, budget)
    )
    return Muster(
        name=_in(army, "name", lang),
        cost=cost(army, settled),
        budget=army.budget if budget is None else budget,
        ok=not any(problem.severity == "error" for problem in found),
        lines=tuple(_line(line, army, lang) for line in lines(army, settled)),
        problems=found,
    )


def _line(line: Line, army: Army, lang: str) -> MusterLine:
    kind = type_of(army, line.key)
    what = _say(f"muster.{line.key}", lang) if kind is None else getattr(kind, lang)
    added = [line.name] if line.name else []
    added += [_say(f"name.{mark}", lang) for mark in line.marks]
    label = f"{what} ({', '.join(added)})" if added else what
    return MusterLine(
        place=line.place,
        label=label,
        count=line.count,
        each=line.each,
        total=line.total,
        key=line.key,
        what=what,
        name=line.name,
        marks=line.marks,
    )
