"""A closer look at one counter: what it is, what it can do, and who fights it."""

from __future__ import annotations

from ...kernel import Message, Values
from ...kernel.rulebook import folder
from ...scene.model import Look
from .naming import say_name
from .state import WAITING, Unit, VirtusState, attached_to, is_engaged, other, units_at

ARMED = (  # what decides how it hits and saves
    "impetuous",
    "fanatic",
    "stoic",
    "elite",
    "rabble",
    "pikes",
    "pila",
    "two_handed",
    "missiles",
    "sling",
    "bolts",
    "ballista",
    "overhead",
    "cataphract",
)
FORMS = ("testudo", "shieldwall", "orbis")

Said = list[tuple[Message, str]]


def look(state: VirtusState, seat: int | None, piece: str, lang: str) -> Look | None:
    """VREF.b V12.2a V5c V13.1a: describe a unit or a general that the seat can see."""
    i, g = state.roster.index.get(piece, -1), state.roster.general_index.get(piece, -1)
    said: Said = []
    if i >= 0 and _is_seen(state.place[i], state.roster.units[i].side == seat):
        said = _of_unit(state, i)
    elif g >= 0 and _is_seen(state.gplace[g], state.roster.generals[g].side == seat):
        said = _of_general(state, g)
    messages = folder(__file__).messages[lang]
    lines = [(messages.render(one, lambda word: say_name(state, word, lang)), clause) for one, clause in said]
    return Look(lines=tuple(lines)) if lines else None


def _is_seen(place: int, own: bool) -> bool:
    return place >= 0 or (own and place == WAITING)


def _of_unit(state: VirtusState, i: int) -> Said:
    unit = state.roster.units[i]
    said: Said = [(_arm(unit), "VREF.b")]
    if unit.name:  # else the label tells the type
        said.insert(0, (Message("look.type", {"type": unit.type}), "VREF.b"))
    traits = tuple(trait for trait in ARMED if getattr(unit, trait))
    if traits:
        said.append((Message("look.traits", {"traits": traits}), "VREF.b"))
    forms = tuple(form for form in FORMS if getattr(unit, form))
    if forms:
        said.append((Message("look.forms", {"forms": forms}), "V12.2a"))
    if unit.surcharge:
        said.append((Message("look.surcharge", {"points": unit.surcharge}), "V4.3h"))
    g = attached_to(state, i)
    if g >= 0:
        said.append((Message("look.led", {"general": state.roster.generals[g].id}), "V13.1a"))
    if is_engaged(state, i):
        foes = units_at(state, other(unit.side), state.place[i])
        values: Values = {"units": tuple(state.roster.units[j].id for j in foes)}
        said.append((Message("look.engaged", values), "V5c"))
    return said


def _arm(unit: Unit) -> Message:
    """VREF.b V16b: arm and order; artillery has no order."""
    if unit.artillery:
        return Message("look.artillery", {"arm": unit.arm})
    order = unit.order if unit.order in ("dense", "dispersed") else "other-order"
    return Message("look.arm", {"arm": unit.arm, "order": order})


def _of_general(state: VirtusState, g: int) -> Said:
    """V8b V13.1b: a general who fights with a unit gives no activation points."""
    if state.attached[g] >= 0:
        unit = state.roster.units[state.attached[g]].id
        return [(Message("look.fights_with", {"unit": unit}), "V13.1a")]
    return [(Message("look.bonus", {"points": state.roster.generals[g].bonus}), "V8b")]
