"""How ids are called in sentences and on the screen."""

from __future__ import annotations

import re

from ...kernel.rulebook import folder
from .state import FormationsState

MADE = re.compile(r"(.+)-([fn])(\d+)")  # what state.add calls units that are made during the battle


def say_name(state: FormationsState, value: str, lang: str) -> str:
    """Units by type and number, characters, wings and devices by their names, all else from the messages."""
    names = _names(state, lang)
    if value in names:
        return names[value]
    made = MADE.fullmatch(value)
    if made and made[1] in state.roster.type_index:
        kind = state.roster.types[state.roster.type_index[made[1]]]
        name = kind.name_fr if lang == "fr" else kind.name_en
        key = "name.formation" if made[2] == "f" else "name.troop"
        return (
            folder(__file__)
            .messages[lang]
            .sentences.get(key, "{name} {number}")
            .format(name=name, number=made[3])
        )
    return folder(__file__).messages[lang].sentences.get(f"name.{value}", value)


def _names(state: FormationsState, lang: str) -> dict[str, str]:
    """What the scenario names, made once."""
    kept, roster = state.roster.kept, state.roster
    key = f"names-{lang}"
    if key not in kept:
        field = f"name_{lang}"
        names: dict[str, str] = {wing.id: getattr(wing, field) for wing in roster.wings}
        names |= {device.id: getattr(device, field) for device in roster.devices}
        for piece in roster.pieces:
            number = piece.id.rpartition("-")[2]
            plain = getattr(roster.types[piece.type], field)
            own = getattr(piece, field)
            names[piece.id] = own or (f"{plain} {number}" if number.isdecimal() else plain)
        kept[key] = names
    found: dict[str, str] = kept[key]
    return found
