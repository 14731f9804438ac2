"""How ids are called in sentences and on the screen."""

from __future__ import annotations

from ...kernel.rulebook import folder
from .army import TYPES
from .state import Unit, VirtusState


def unit_label(unit: Unit, lang: str) -> str:
    """The unit's own name or that of its type, and its number."""
    kind = TYPES.get(unit.type)
    name = unit.name or (getattr(kind, lang) if kind else unit.type)
    return f"{name} {unit.number}"


def say_name(state: VirtusState, value: str, lang: str) -> str:
    """Units and generals by their names, all else from the table ``name`` of the messages."""
    i = state.roster.index.get(value)
    if i is not None:
        return unit_label(state.roster.units[i], lang)
    g = state.roster.general_index.get(value)
    if g is not None and state.roster.generals[g].name:
        return state.roster.generals[g].name
    return folder(__file__).messages[lang].sentences.get(f"name.{value}", value)
