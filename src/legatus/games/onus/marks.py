"""What a unit's line says besides its values: its state, where it fights from, who lies on top, traits."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Message, Values
from ...kernel.rulebook import folder
from .hidden import label
from .naming import say_name
from .ramparts import manned
from .state import FIELD, NOBODY, OnusState
from .table import LEFT_WING, RIGHT_WING

ENDS = {LEFT_WING: "left", RIGHT_WING: "right", LEFT_WING | RIGHT_WING: "both"}
SIDES = ("front", "right", "rear", "left")


def marks_of(state: OnusState, i: int, states: list[str], lang: str) -> tuple[str, ...]:
    """OH.unit.1: all that decides its fights and is not among its values."""
    told = {"extended": _wings(state, i), "climbing": _climb(state, i), "climbed": _climb(state, i)}
    found = [_say(state, told.get(name) or Message(f"name.{name}"), lang) for name in states]
    found += overlaps(state, i, lang)
    found += [_say(state, message, lang) for message in (*_walls(state, i), *_hooks(state, i))]
    return (*found, *(say_name(state, trait, lang) for trait in state.roster.units[i].kind.traits))


def overlaps(state: OnusState, i: int, lang: str) -> list[str]:
    """O4.overlap.choose-top: on whom it lies, and who lies on top of it."""
    found = [Message("mark.on_top", {"unit": label(state, lower)}) for top, lower in state.over if top == i]
    found += [Message("mark.under", {"unit": label(state, top)}) for top, lower in state.over if lower == i]
    return [_say(state, message, lang) for message in found]


def _say(state: OnusState, message: Message, lang: str) -> str:
    named = {
        key: say_name(state, one, lang) if isinstance(one, str) else one
        for key, one in message.values.items()
    }
    return folder(__file__).messages[lang].fill(Message(message.key, named))


def _wings(state: OnusState, i: int) -> Message | None:
    """OH.formation.6: to which side its front is extended."""
    ends = ENDS.get(state.wings[i])
    return Message("mark.extended", {"ends": ends}) if ends else None


def _climb(state: OnusState, i: int) -> Message | None:
    """O5.assault.marker-green: what it climbs, and how high it is."""
    n = state.climbs[i]
    if n == NOBODY:
        return None
    structure = state.roster.structures[n]
    values: Values = {"structure": structure.id, "level": state.climbed[i], "height": structure.sort.height}
    return Message("mark.climbs", values)


def _walls(state: OnusState, i: int) -> Iterator[Message]:
    """O4.wall.inner-contact: which walls it mans."""
    for n in manned(state, i) if state.where[i] == FIELD else ():
        yield Message("mark.mans", {"structure": state.roster.structures[n].id})


def _hooks(state: OnusState, i: int) -> Iterator[Message]:
    """OH.melee.7 O5.assault.envelop-first: whom or what it envelops, with how many sections."""
    units, structures = state.roster.units, state.roster.structures
    for upon, whom, side, number in state.hooks:
        if upon == i:
            name = units[whom].id if whom >= 0 else structures[~whom].id
            yield Message("mark.envelops", {"unit": name, "side": SIDES[side], "number": number})
