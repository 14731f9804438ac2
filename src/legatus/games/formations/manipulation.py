"""11 Manipulation, and the options that are such: 12 Set fire, 13 Douse, 14 Plant and 15 Remove stakes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from ...kernel import Play, Term
from ...parts.hexes import CORNERS
from .cohesion import DOUBLE_ONE, DOUBLE_SIX, two_dice
from .recover import other_large
from .sheet import Condition, UnitAction
from .state import CHARACTER, FORMATION, FRESH, NO_FIRE, NO_STAKES, NOBODY, START, FormationsState
from .units import cells_of, is_bad, kind_of

CLASS_TERMS = {  # A.manipulate.m1 A.manipulate.m2 A.manipulate.m3
    "monstrous": Term("A.manipulate.m1", "term.monstrous", -2),
    "dragon": Term("A.manipulate.m2", "term.dragon", -4),
    "bestial": Term("A.manipulate.m3", "term.bestial", 2),
}
SET_FIRE = (2, 3, 4, 6)  # A.set_fire.p2: by weather
DOUSE = (4, 3, 2, 0)  # A.douse.p2
PLANT = (2, 3, 4)  # A.plant_stakes.p2: by terrain
REMOVE = (0, 1, 2)  # A.remove_stakes.p2


class Manipulation(UnitAction):
    """11 Manipulation: conditions, dice and modifiers of all that is done by hand in one's own hex."""

    weighed = True
    failing: ClassVar[str] = "A.manipulate.p6"
    test: ClassVar[str] = ""  # what the log calls it

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "A.manipulate.c1", not is_bad(state, i) and state.fatigue[i] == FRESH, "shaken_or_tired"
        yield "A.manipulate.c2", state.kind[i] != FORMATION, "is_formation"

    def has(self, state: FormationsState, cell: int) -> int:
        """How much a hex has of what it takes."""
        return 0

    def where(self, state: FormationsState, i: int) -> int:
        """A.manipulate.c3: the hex of the unit; of the two of a formation the one that has what it takes."""
        return max(cells_of(state, i), key=lambda cell: self.has(state, cell))

    def difficulty(self, state: FormationsState, i: int) -> Term:
        raise NotImplementedError

    def effect(self, play: Play, i: int) -> None:
        raise NotImplementedError

    def added(self, state: FormationsState, i: int) -> Iterator[Term]:
        """A.manipulate.m4 A.manipulate.m5 A.manipulate.m6 and the classes of weapons."""
        kind = kind_of(state, i)
        if kind.weapon:
            yield CLASS_TERMS[kind.weapon]
        yield self.difficulty(state, i)
        if kind.small:
            yield Term("A.manipulate.m5", "term.small", 2)
        elif others := other_large(state, i):
            yield Term("A.manipulate.m6", "term.crowd", others)

    def terms(self, state: FormationsState) -> list[Term]:
        return list(self.added(state, state.ids.index(self.unit)))

    def carry_out(self, play: Play, i: int) -> None:
        """A.manipulate.p1 A.manipulate.p2 A.manipulate.p3 A.manipulate.p4."""
        state: FormationsState = play.state
        one, two = two_dice(play)
        natural, added = one + two, sum(term.value for term in self.added(state, i))
        number = kind_of(state, i).number
        done = natural != DOUBLE_SIX and (natural == DOUBLE_ONE or natural + added <= number)
        key = "event.passes" if done else "event.fails_test"
        clause = "A.manipulate.p5" if done else self.failing
        told: dict[str, Any] = {"roll": natural, "added": f"{added:+}", "number": number}
        play.tell(clause, key, unit=self.unit, test=self.test, **told)
        if done:
            self.effect(play, i)


def here(state: FormationsState, i: int) -> str:
    """The hex of a unit by its name."""
    return state.roster.grid.names[state.cell[i]]


class Work(Manipulation):
    """11 Manipulation AH31.devices: work what is in the hex."""

    tag: ClassVar[str] = "work"

    test = "working"

    def has(self, state: FormationsState, cell: int) -> int:
        return device(state, cell) >= 0

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield from super().conditions(state, i)
        n = device(state, self.where(state, i))
        yield "A.manipulate.c3", n >= 0, "nothing_here"
        yield "AH31.devices", n < 0 or state.worked[n] != state.side[i], "worked"

    def difficulty(self, state: FormationsState, i: int) -> Term:
        n = device(state, state.cell[i])
        return Term("A.manipulate.m4", "term.difficulty", state.roster.devices[n].difficulty)

    def effect(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        n = device(state, state.cell[i])
        state.worked[n] = state.side[i]
        play.tell("AH31.devices", "event.works", unit=self.unit, device=state.roster.devices[n].id)


def device(state: FormationsState, cell: int) -> int:
    """AH31.devices: the number of the device in a hex, or NOBODY."""
    found = [n for n, one in enumerate(state.roster.devices) if one.cell == cell]
    return found[0] if found else NOBODY


class SetFire(Manipulation):
    """12 Set fire: A.set_fire.p1, a manipulation."""

    failing = "A.set_fire.p4"
    test = "setting-fire"

    def has(self, state: FormationsState, cell: int) -> int:
        return cell in state.roster.burns

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "A.set_fire.option", state.roster.rules.fire, "no_fire_rules"
        yield from super().conditions(state, i)
        cell = self.where(state, i)
        yield "A.set_fire.c1", cell in state.roster.burns, "not_inflammable"
        yield "AH22.fire", state.fire[cell] == NO_FIRE, "burns_already"

    def difficulty(self, state: FormationsState, i: int) -> Term:
        return Term("A.set_fire.p2", "term.weather", SET_FIRE[state.weather])

    def effect(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        state.fire[state.cell[i]] = START
        play.tell("A.set_fire.p3", "event.sets_fire", unit=self.unit, hex=here(state, i))


class Douse(Manipulation):
    """13 Put out fire: A.douse.p1, a manipulation."""

    failing = "A.douse.p4"
    test = "dousing"

    def has(self, state: FormationsState, cell: int) -> int:
        return (state.fire[cell] == START) + (state.fire[cell] != NO_FIRE)

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "A.douse.option", state.roster.rules.fire, "no_fire_rules"
        yield from super().conditions(state, i)
        fire = state.fire[self.where(state, i)]
        yield "A.douse.c1", fire != NO_FIRE, "no_fire"
        yield "A.douse.c2", fire in (NO_FIRE, START), "blaze"

    def difficulty(self, state: FormationsState, i: int) -> Term:
        return Term("A.douse.p2", "term.weather", DOUSE[state.weather])

    def effect(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        state.fire[state.cell[i]] = NO_FIRE
        play.tell("A.douse.p3", "event.douses", unit=self.unit, hex=here(state, i))


class PlantStakes(Manipulation):
    """14 Plant stakes: A.plant_stakes.p1.  AH28.characters: a character says which way, others face it."""

    failing = "A.plant_stakes.p5"
    test = "planting"

    def __init__(self, unit: str, corner: str = "") -> None:
        super().__init__(unit)
        self.corner: Final = corner

    def clicks(self) -> tuple[str, ...]:
        return (self.unit, self.corner) if self.corner else (self.unit,)

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "A.plant_stakes.option", state.roster.rules.stakes, "no_stakes_rules"
        yield from super().conditions(state, i)
        cells = cells_of(state, i)
        yield "A.plant_stakes.c1", not any(cell in state.roster.inside for cell in cells), "indoors"
        yield "A.plant_stakes.p3", all(state.stakes[cell] == NO_STAKES for cell in cells), "stakes_already"
        corners = CORNERS if state.kind[i] == CHARACTER else ("",)
        yield "A.plant_stakes.p4", self.corner in corners, "stakes_as_it_faces"

    def difficulty(self, state: FormationsState, i: int) -> Term:
        return Term("A.plant_stakes.p2", "term.terrain", PLANT[state.roster.terrain[state.cell[i]]])

    def effect(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        facing = CORNERS.index(self.corner) if self.corner else state.facing[i]
        state.stakes[state.cell[i]] = facing  # A.plant_stakes.p4
        play.tell("A.plant_stakes.p3", "event.plants", unit=self.unit, hex=here(state, i))


class RemoveStakes(Manipulation):
    """15 Remove stakes: A.remove_stakes.p1, a manipulation."""

    failing = "A.remove_stakes.p4"
    test = "removing"

    def has(self, state: FormationsState, cell: int) -> int:
        return state.stakes[cell] != NO_STAKES

    def conditions(self, state: FormationsState, i: int) -> Iterator[Condition]:
        yield "A.remove_stakes.option", state.roster.rules.stakes, "no_stakes_rules"
        yield from super().conditions(state, i)
        yield "A.remove_stakes.c1", state.stakes[self.where(state, i)] != NO_STAKES, "no_stakes"

    def difficulty(self, state: FormationsState, i: int) -> Term:
        return Term("A.remove_stakes.p2", "term.terrain", REMOVE[state.roster.terrain[state.cell[i]]])

    def effect(self, play: Play, i: int) -> None:
        state: FormationsState = play.state
        state.stakes[state.cell[i]] = NO_STAKES
        play.tell("A.remove_stakes.p3", "event.unplants", unit=self.unit, hex=here(state, i))
