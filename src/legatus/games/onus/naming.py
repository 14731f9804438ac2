"""How ids are called in sentences and on the screen."""

from __future__ import annotations

from functools import cache

from ...kernel.rulebook import folder
from .cards import CARDS, card_of
from .design import read_fortress, ready
from .hidden import BACK
from .state import NOBODY, Ground, OnusState, Structure

NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")


def say_name(state: OnusState, value: str, lang: str) -> str:
    """Units by kind and number, cards by their order and event, all else from the messages."""
    names = _names(state, lang)
    if value in names:
        return names[value]
    if value.startswith(BACK):
        return _word("back", lang).format(number=value.removeprefix(BACK))
    card = card_of(value) if value.startswith("card-") else -1
    if card >= 0:
        return _card(card, lang)
    return _word(value, lang) if _word(value, lang) != value else _numbered(value, lang)


def _numbered(value: str, lang: str) -> str:
    """What is not on the table, or not yet: ``a-triarii-2``, ``trench-1``, the pieces of a design."""
    kind, _, number = value.rpartition("-")
    if not kind or not number.isdecimal():
        return value
    side = "ad".find(kind[:1]) if kind[1:2] == "-" else -1
    said = f"{_word(kind if side < 0 else kind[2:], lang)} {number}"
    return said if side < 0 else _word(f"of-{side}", lang).format(unit=said)


def _card(card: int, lang: str) -> str:
    """By order and event; of cards that are alike (OH.deck.3) with a number."""
    order, event = (_word(name, lang) for name in CARDS[card])
    said = _word("card", lang).format(order=order, event=event)
    return said if CARDS.count(CARDS[card]) == 1 else f"{said} ({NUMERALS[CARDS[:card].count(CARDS[card])]})"


def _word(key: str, lang: str) -> str:
    return folder(__file__).messages[lang].sentences.get(f"name.{key}", key)


@cache
def design_names(lang: str) -> dict[str, str]:
    """The ready designs."""
    found = {name: read_fortress(name) for name in ready()}
    return {name: one.name_fr if lang == "fr" else one.name for name, one in found.items()}


def _names(state: OnusState, lang: str) -> dict[str, str]:
    """Of units, and of what lies on the table; made once.  What was bought is called by its number."""
    kept, roster = state.roster.kept, state.roster
    key = f"names-{lang}"
    if key not in kept:
        sides: dict[str, set[int]] = {}
        counts: dict[tuple[str, int], int] = {}
        built = roster.site is not None
        units = () if built else roster.units
        for unit in units:
            sides.setdefault(unit.kind.id, set()).add(unit.side)
            counts[unit.kind.id, unit.side] = unit.number
        names: dict[str, str] = {}
        for unit in units:
            plain = _word(unit.kind.id, lang)
            alone = counts[unit.kind.id, unit.side] == 1
            name = plain if alone else f"{plain} {unit.number}"
            both = len(sides[unit.kind.id]) > 1
            names[unit.id] = _word(f"of-{unit.side}", lang).format(unit=name) if both else name
        numbers: dict[str, int] = {}
        given = [structure for structure in roster.structures if not built or structure.owner == NOBODY]
        things: list[Ground | Structure] = [*roster.grounds, *given]
        several = {kind for kind in {t.kind for t in things} if sum(t.kind == kind for t in things) > 1}
        for thing in things:
            numbers[thing.kind] = numbers.get(thing.kind, 0) + 1
            plain = _word(thing.kind, lang)
            own = thing.name_fr if lang == "fr" else thing.name
            names[thing.id] = own or (f"{plain} {numbers[thing.kind]}" if thing.kind in several else plain)
        kept[key] = names | (design_names(lang) if built else {})
    found: dict[str, str] = kept[key]
    return found
