"""How ids are called in sentences and on the screen."""

from __future__ import annotations

from ...kernel.rulebook import folder
from .state import MetaurusState, Unit


def unit_label(unit: Unit, lang: str) -> str:
    name = unit.name_fr if lang == "fr" else unit.name_en
    return f"{name} {unit.number}" if unit.number else name


def say_name(state: MetaurusState, value: str, lang: str) -> str:
    """Units by their names, hexes by their numbers, all else from the table ``name`` of the messages."""
    i = state.roster.index.get(value)
    if i is not None:
        return unit_label(state.roster.units[i], lang)
    return folder(__file__).messages[lang].sentences.get(f"name.{value}", value)
