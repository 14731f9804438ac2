"""How ids are called in sentences and on the screen."""

from __future__ import annotations

from ...kernel.rulebook import folder
from .cards import CARDS, card_of
from .state import Ground, OnusState, Structure


def say_name(state: OnusState, value: str, lang: str) -> str:
    """Units by kind and number, cards by their order and event, all else from the messages."""
    names = _names(state, lang)
    if value in names:
        return names[value]
    card = card_of(value) if value.startswith("card-") else -1
    if card >= 0:
        order, event = (_word(name, lang) for name in CARDS[card])
        return _word("card", lang).format(order=order, event=event)
    return _word(value, lang)


def _word(key: str, lang: str) -> str:
    return folder(__file__).messages[lang].sentences.get(f"name.{key}", key)


def _names(state: OnusState, lang: str) -> dict[str, str]:
    """Of units, and of what lies on the table; made once."""
    kept, roster = state.roster.kept, state.roster
    key = f"names-{lang}"
    if key not in kept:
        sides: dict[str, set[int]] = {}
        counts: dict[tuple[str, int], int] = {}
        for unit in roster.units:
            sides.setdefault(unit.kind.id, set()).add(unit.side)
            counts[unit.kind.id, unit.side] = unit.number
        names: dict[str, str] = {}
        for unit in roster.units:
            plain = _word(unit.kind.id, lang)
            alone = counts[unit.kind.id, unit.side] == 1
            name = plain if alone else f"{plain} {unit.number}"
            both = len(sides[unit.kind.id]) > 1
            names[unit.id] = _word(f"of-{unit.side}", lang).format(unit=name) if both else name
        numbers: dict[str, int] = {}
        things: list[Ground | Structure] = [*roster.grounds, *roster.structures]
        several = {kind for kind in {t.kind for t in things} if sum(t.kind == kind for t in things) > 1}
        for thing in things:
            numbers[thing.kind] = numbers.get(thing.kind, 0) + 1
            plain = _word(thing.kind, lang)
            own = thing.name_fr if lang == "fr" else thing.name
            names[thing.id] = own or (f"{plain} {numbers[thing.kind]}" if thing.kind in several else plain)
        kept[key] = names
    found: dict[str, str] = kept[key]
    return found
