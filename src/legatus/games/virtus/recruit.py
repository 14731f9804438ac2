"""1.2 Recruitment: a scenario, two armies and options become the set-up of a match, and that its roster."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import chain, count
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ...kernel import BadFile, Message, Setup
from ...kernel.files import Source, parse_toml, read_text
from ...kernel.rulebook import Folder
from ...kernel.rulebook import folder as folder_of
from ...kernel.setup import settle
from .army import (
    ABILITIES,
    DEFAULTS,
    EDITION,
    MARCH,
    OPTIONS,
    QUALITIES,
    TWO_HANDED_VD,
    TYPES,
    Army,
    CustomType,
    GeneralEntry,
    Line,
    Options,
    Problem,
    UnitEntry,
    UnitType,
    check,
    cost,
    formula,
    is_on,
    lines,
    price,
    qualities,
    type_of,
)
from .state import CARDS, FORMATIONS, PLACES, SEATS, SEGMENTS, STRIDE, General, Roster, Rules, Unit
from .terrain import GROUND, SECTOR_DICE

__all__ = [
    "DEFAULTS",
    "DEFAULT_SCENARIO",
    "EDITION",
    "OPTIONS",
    "TYPES",
    "Army",
    "CustomType",
    "GeneralEntry",
    "Line",
    "Problem",
    "Scenario",
    "Source",
    "UnitEntry",
    "UnitType",
    "check",
    "configure",
    "cost",
    "enlist",
    "formula",
    "lines",
    "price",
    "settle",
    "source_of",
    "type_of",
    "unpack",
    "validate",
]

T = TypeVar("T")

DEFAULT_SCENARIO = "open"
COLUMNS = (3, 4)  # V1.5c
RIVERS = {"river": 2, "bridge": 3, "deep": 1}  # V14.1a: units that may cross a turn
DROMEDARY_MARCH = 4  # V15b
SHIELDWALL_VD = 3  # V12.3a


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """V1.5c V1.6a: the field and the sides; given terrain is fixed, what it leaves out is clear ground."""

    name: str
    columns: int
    budget: int
    armies: tuple[str, str]
    name_fr: str = ""
    text: str = ""
    text_fr: str = ""
    attacker: str = ""  # empty: by lot
    nature: str = ""  # empty: the attacker picks a die (V1.6b)
    terrain: dict[str, str] = {}
    rivers: dict[str, str] = {}
    camps: tuple[str, ...] = ()
    options: dict[str, Any] = {}
    edition: int = 1


# --- enlisting -----------------------------------------------------------------------------------


def enlist(scenario: Scenario, armies: tuple[Army, Army], options: Options) -> Roster:
    """V1.2a: the units and generals of both sides, Rome's first, with what the options leave them."""
    numbers: Counter[str] = Counter()
    units: list[Unit] = []
    for side, army in enumerate(armies):
        for entry in army.unit:
            kind = type_of(army, entry.type)
            if kind is None:
                continue  # refused by check
            for _ in range(entry.count):
                numbers[kind.stem] += 1
                units.append(_unit(kind, entry, side, numbers[kind.stem], options))
    rivers = [0] * STRIDE
    for segment, water in scenario.rivers.items():
        rivers[SEGMENTS.index(segment)] = RIVERS[water] if is_on(options, "rivers") else 0
    rules = Rules(
        columns=scenario.columns,
        pips=is_on(options, "pips"),
        attrition=is_on(options, "attrition") and not is_on(options, "pips"),  # V17b: meaningless there
        leaders=is_on(options, "leaders"),
        decoys=str(options.get("decoys", DEFAULTS["decoys"])),
    )
    camps = tuple(int(army.camp and is_on(options, "camps")) for army in armies)
    generals = _generals(armies, options, {unit.id for unit in units})
    return Roster(tuple(units), generals, rules, tuple(rivers), camps)


def _unit(kind: CustomType, entry: UnitEntry, side: int, number: int, options: Options) -> Unit:
    """VREF.b V11.1b V12.3a V12.4b V15b: one unit as the options make it."""
    can = {ability for ability in kind.abilities if is_on(options, ABILITIES[ability])}
    can |= {quality for quality in QUALITIES if getattr(entry, quality) and is_on(options, quality)}
    infantry = kind.arm == "infantry"
    vd = min(kind.vd, TWO_HANDED_VD) if "two_handed" in can else kind.vd
    walls = is_on(options, "shieldwall") and (infantry or is_on(options, "shieldwall_any"))
    if walls and vd >= SHIELDWALL_VD:
        can.add("shieldwall")
    if is_on(options, "orbis") and infantry:
        can.add("orbis")
    camel = "dromedary" in can and kind.order == "dispersed"
    return Unit(
        id=f"{kind.stem}-{number}",
        type=entry.type,
        side=side,
        number=number,
        vo=kind.vo,
        vt=kind.vt,
        vd=vd,
        vc=kind.vc,
        mvt=kind.mvt,
        arm=kind.arm,
        order=kind.order,
        name=entry.name or ("" if isinstance(kind, UnitType) else kind.en),
        mounted=kind.mounted,
        march=DROMEDARY_MARCH if camel else MARCH[kind.order],
        **dict.fromkeys(can, True),
    )


def _generals(armies: tuple[Army, Army], options: Options, ids: set[str]) -> tuple[General, ...]:
    """V8d: generals by their names, never called like anything else in the game; a single one is chief."""
    taken = {*SEATS, *PLACES, *SEGMENTS, *CARDS, *FORMATIONS, *GROUND, *ABILITIES, *ids}
    generals = []
    for side, army in enumerate(armies):
        for entry in army.general:
            plain = unicodedata.normalize("NFKD", entry.name).encode("ascii", "ignore").decode().lower()
            slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
            more = (f"{slug or 'general'}-{n}" for n in count(2 if slug else 1))
            ident = next(name for name in chain([slug] if slug else [], more) if name not in taken)
            taken.add(ident)
            marks = dict.fromkeys(qualities(entry, options), True)
            if len(army.general) == 1:
                marks["chief"] = True
            generals.append(General(id=ident, side=side, name=entry.name, **marks))
    return tuple(generals)


# --- set-ups -------------------------------------------------------------------------------------


def source_of(file: str | Message, text: str = "") -> Source:
    return Source(file, text, folder_of(__file__).messages)


def _bad(file: str | Message, place: str | Message, problem: Message) -> BadFile:
    return BadFile(file, place, problem, folder_of(__file__).messages)


def _wrong_number(armies: int) -> BadFile:
    """V1.2a: every side has one."""
    return _bad("armies", "", Message("file.armies", {"expected": len(SEATS), "found": armies}))


def configure(
    folder: Folder,
    scenario: str | None = None,
    armies: Sequence[str | dict[str, Any]] = (),
    options: dict[str, Any] | None = None,
) -> Setup:
    """V1.2b V1.6a: look names up, fill in defaults, check everything; a BadFile says what is wrong."""
    plan, source = _read(folder, "scenarios", [str(scenario or DEFAULT_SCENARIO)], Scenario)
    _check_scenario(plan, source)
    settled = settle(OPTIONS, plan.options, source, edition=plan.edition)
    settled = settle(OPTIONS, options or {}, source_of("options"), settled)
    chosen: Sequence[str | dict[str, Any]] = armies or plan.armies
    if len(chosen) != len(SEATS):
        raise _wrong_number(len(chosen))
    hosts = []
    for side, wanted in enumerate(chosen):
        if isinstance(wanted, dict):
            source = source_of(Message("army.of", {"side": SEATS[side]}))
            army = source.take(wanted, Army, EDITION)
        else:  # "dacians" is the list of that name for the scenario's budget
            army, source = _read(folder, "armies", [str(wanted), f"{wanted}-{plan.budget}"], Army)
        hosts.append(_checked(army, source, settled, plan.budget))
    return _pack(plan, hosts, settled)


def validate(setup: Setup) -> Setup:
    """V1.2b: the set-up of a record, checked anew; options that it does not name stand as by default."""
    source = source_of("scenario")
    plan = source.take(setup.scenario, Scenario, EDITION)
    _check_scenario(plan, source)
    settled = settle(OPTIONS, setup.options, source_of("options"), edition=setup.edition)
    if len(setup.armies) != len(SEATS):
        raise _wrong_number(len(setup.armies))
    hosts = []
    for seat, raw in zip(SEATS, setup.armies, strict=True):
        source = source_of(Message("army.of", {"side": seat}))
        hosts.append(_checked(source.take(raw, Army, EDITION), source, settled, plan.budget))
    return _pack(plan, hosts, settled)


def unpack(setup: Setup) -> tuple[Scenario, tuple[Army, Army], Options]:
    """The parts of a set-up that was configured or validated."""
    rome, barbarians = (msgspec.convert(army, Army) for army in setup.armies)
    return msgspec.convert(setup.scenario, Scenario), (rome, barbarians), setup.options


def _pack(plan: Scenario, hosts: list[Army], options: Options) -> Setup:
    """Plain data, exactly as a record holds it."""
    return Setup(_plain(plan), tuple(map(_plain, hosts)), options, edition=EDITION)


def _plain(thing: Scenario | Army) -> Any:
    return msgspec.json.decode(msgspec.json.encode(thing))


def _read(folder: Folder, kind: str, names: list[str], form: type[T]) -> tuple[T, Source]:
    """A file of the game by one of its ``names``, or the .toml file that the first one is the path of."""
    known = folder.names(kind)
    path = next((str(known[name]) for name in names if name in known), "")
    if not path and names[0].endswith(".toml"):
        path = names[0]
    if not path:
        raise _bad(names[0], "", Message("file.named", {"known": tuple(known)}))
    text = read_text(path)
    source = source_of(path, text)
    return source.take(parse_toml(text, path), form, EDITION), source


def _checked(army: Army, source: Source, options: Options, budget: int) -> Army:
    """V1.2b: the first error against an army is told with its clause; warnings pass."""
    for problem in check(army, options, budget):
        if problem.severity == "error":
            refusal = problem.refusal
            reason = Message(refusal.key, refusal.values)
            raise source.bad(
                problem.place, Message("army.refused", {"reason": reason, "clause": refusal.clause})
            )
    return army


def _check_scenario(plan: Scenario, source: Source) -> None:
    """V1.5c V1.6a V14.1a V14.2a: the places exist, and hold what may be there."""
    source.one_of("columns", plan.columns, COLUMNS)
    source.one_of("attacker", plan.attacker, ("", *SEATS))
    source.one_of("nature", plan.nature, ("", *SECTOR_DICE))
    places = [name for i, name in enumerate(PLACES) if 1 <= i % STRIDE <= plan.columns]
    for place, ground in plan.terrain.items():
        source.one_of(f"terrain.{place}", place, places)
        source.one_of(f"terrain.{place}", ground, list(GROUND))
    for segment, water in plan.rivers.items():
        source.one_of(f"rivers.{segment}", segment, SEGMENTS[1 : plan.columns + 1])
        source.one_of(f"rivers.{segment}", water, list(RIVERS))
    for what, clause in (("camps", "V14.2a"), ("rivers", "V14.1a")):
        if getattr(plan, what) and not plan.terrain:
            raise source.bad(what, Message("file.terrain", {"what": what, "clause": clause}))
    for place in plan.camps:
        source.one_of("camps", place, places)
        ground = plan.terrain.get(place, "clear")
        if not GROUND[ground].camp:
            fit = tuple(name for name, kind in GROUND.items() if kind.camp)
            raise source.bad(
                "camps",
                Message("file.camp", {"place": place, "ground": ground, "fit": fit, "clause": "V14.2a"}),
            )
