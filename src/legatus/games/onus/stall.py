"""What a player sees who buys: all that is for sale as cards, what it costs, and what is left."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Message
from ...kernel.rulebook import folder
from ...scene.model import Card, Piece, Track
from .building import GENERALS, Building, Enlisting, Fortifying, is_building, left, site_of
from .design import ready
from .kinds import kinds, written
from .market import PERCENT, RAMS, fortress_of_walk, is_unit, item, price_of, spent
from .naming import say_name
from .scenario import led
from .siege import ATTACKER, DEFENDER, units_points
from .sorts import MATERIALS
from .state import OnusState

HAND, ASIDE = "hand", "aside"
FACE = "stratagem"


def wares(state: OnusState, seat: int | None, lang: str) -> Iterator[Card]:
    """Only for who buys: to others they would tell who chooses among what."""
    decision = state.decision
    if not isinstance(decision, Building) or decision.seat != seat:
        return
    if isinstance(decision, Fortifying):
        for name in ready():
            wood, stone = (fortress_of_walk((name,), material, ()).cost for material in MATERIALS)
            text = _said("text.design", lang, wood=wood, stone=stone)
            yield _card(state, seat, name, lang, f"{wood}/{stone}", text)
        for material in MATERIALS:
            yield _card(state, seat, material, lang)
    for good in decision.goods():
        yield _card(state, seat, good, lang, str(price_of(good)), _about(good, lang))
    if isinstance(decision, Enlisting):
        for general, leadership in GENERALS.items():
            text = _said("text.general", lang, percent=PERCENT[leadership])
            yield _card(state, seat, general, lang, f"{PERCENT[leadership]}%", text)


def _about(good: str, lang: str) -> str:
    price = _said("remark.price", lang, points=price_of(good))
    values = written(kinds()[good]) if is_unit(good) else {}
    return " · ".join([price, *(f"{name} {value}" for name, value in values.items())])


def _card(state: OnusState, side: int, ident: str, lang: str, price: str = "", text: str = "") -> Card:
    label = " · ".join(filter(None, (_capital(say_name(state, ident, lang)), price)))
    return Card(ident, label, side, HAND, text, FACE)


def rams(state: OnusState, lang: str) -> Iterator[Piece]:
    """O5.ram.movement: rams that are bought and that nobody carries yet."""
    for number in range(1, state.roster.rams + 1) if is_building(state) else ():
        ident = item(ATTACKER, RAMS, number)
        label, kind = _capital(say_name(state, ident, lang)), say_name(state, RAMS, lang)
        yield Piece(ident, label, ASIDE, ATTACKER, kind, clauses=("O5.ram.movement", "OH.cost.1"))


def purses(state: OnusState, seat: int | None, lang: str) -> Iterator[Track]:
    """OH.army.1 O7.points.defender-first: the own points, and what the defender has announced."""
    site, roster = site_of(state), state.roster
    if seat is not None:
        units = led(units_points(roster, seat), PERCENT[roster.leadership[seat]])
        besides = "points-fortress" if seat == DEFENDER else "points-engines"
        yield _track(state, "points-left", f"{max(0, left(state, seat))}/{site.points}", lang)
        yield _track(state, besides, str(spent(roster, seat) - units), lang)
        yield _track(state, "points-units", str(units), lang)
    told = site.told if seat != DEFENDER else ()  # who announced it sees it already
    for name, points in zip(("told-works", "told-units"), told, strict=False):
        yield _track(state, name, str(points), lang)


def _track(state: OnusState, name: str, value: str, lang: str) -> Track:
    return Track(name, _capital(say_name(state, name, lang)), value)


def _said(key: str, lang: str, **values: int) -> str:
    return folder(__file__).messages[lang].fill(Message(key, {**values}))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
