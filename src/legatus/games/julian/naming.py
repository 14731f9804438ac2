"""How ids are called in sentences and on the screen."""

from __future__ import annotations

from ...kernel.rulebook import folder
from .state import Command, JulianState, People, Unit

HALF = ".5"  # JH.move: half points


def unit_label(state: JulianState, unit: Unit, lang: str) -> str:
    """A leader by his name; others by kind and number, with their command or people."""
    if unit.leader:
        return _own(unit, lang)
    kind = _word(unit.kind, lang)
    name = f"{kind[:1].upper()}{kind[1:]} {unit.number}"
    roster = state.roster
    if unit.command < 0 and unit.people < 0:
        return name
    whose = roster.commands[unit.command] if unit.command >= 0 else roster.peoples[unit.people]
    return f"{name} ({_own(whose, lang)})"


def say_name(state: JulianState, value: str, lang: str) -> str:
    """What the scenario names by its name, hexes of cities with these, all else by its word."""
    roster = state.roster
    if value in roster.index:
        return unit_label(state, roster.units[roster.index[value]], lang)
    if value in roster.command_index:
        return _own(roster.commands[roster.command_index[value]], lang)
    if value in roster.people_index:
        return _own(roster.peoples[roster.people_index[value]], lang)
    if value in roster.city_index:
        return roster.cities[roster.city_index[value]].name
    if value in roster.grid.cells:
        city = roster.city_at.get(roster.grid.cells[value], -1)
        return f"{roster.cities[city].name} ({value})" if city >= 0 else value
    if value.endswith(HALF):
        return f"{value.removesuffix(HALF).lstrip('0')}½"
    return _word(value, lang)


def _own(thing: Unit | Command | People, lang: str) -> str:
    return thing.name_fr if lang == "fr" else thing.name_en


def _word(value: str, lang: str) -> str:
    """The word for it; a kind of unit has its own."""
    words = folder(__file__).messages[lang].sentences
    return words.get(f"name.{value}", words.get(f"name.kind.{value}", value))
