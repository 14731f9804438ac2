"""How ids are called in sentences and on the screen."""

from __future__ import annotations

from ...kernel.rulebook import folder
from .army import TYPES
from .state import Unit, VirtusState


def unit_label(unit: Unit, lang: str) -> str:
    """That of its type and its number; or its own name, with the id by which it is called on."""
    kind = TYPES.get(unit.type)
    if kind is None or unit.name:
        return f"{unit.name or unit.type} ({unit.id})"
    return f"{getattr(kind, lang)} {unit.number}"


def say_name(state: VirtusState, value: str, lang: str) -> str:
    """Units and generals by their names, types by their rows, all else from the table ``name``."""
    i = state.roster.index.get(value)
    if i is not None:
        return unit_label(state.roster.units[i], lang)
    g = state.roster.general_index.get(value)
    if g is not None and state.roster.generals[g].name:
        return state.roster.generals[g].name
    kind = TYPES.get(value)
    if kind is not None:
        name: str = getattr(kind, lang)
        return name
    return folder(__file__).messages[lang].sentences.get(f"name.{value}", value)
