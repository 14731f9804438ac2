"""7 and 18 Building: both sides spend their points, the defender first; what they buy is secret until all is.

A purchase changes the roster at once, so that names, screens and rules know what is there.  As long as
``Opened`` waits, a view has nothing of what the other side has bought.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import ClassVar, Final

from ...kernel import Action, BadFile, Message, Play, Refusal, Step, Values
from ...kernel.fields import field_names
from ...kernel.objects import replace
from .design import ready
from .fortress import Fortress, check, in_du
from .kinds import kinds
from .market import (
    EARTHWORKS,
    ENGINES,
    PERCENT,
    cheapest,
    counts,
    engines,
    fortified,
    fortress_of_walk,
    general_of,
    is_artillery,
    is_unit,
    item,
    most,
    ordered,
    price_of,
    spent,
    stocked,
)
from .orders import Done, Unfinished
from .scenario import MOST_ARTILLERY
from .siege import ATTACKER, DEFENDER, units_points, works_points
from .sorts import MATERIALS
from .state import SEATS, OnusState, Roster, Site, blank

GENERALS = {f"general-{leadership}": leadership for leadership in PERCENT}
PURSES = ("OH.army.3", "OH.army.2")  # what each side pays for
LONGEST = 81  # words of a walk: 80 pieces, perhaps after ``edge``
SUMS = (
    ("O7.points.defender-first", "event.works_announced"),
    ("O7.points.units", "event.units_announced"),
)


def site_of(state: OnusState) -> Site:
    site = state.roster.site
    assert site is not None
    return site


def is_building(state: OnusState) -> bool:
    """Somebody buys, and the lists are not open yet."""
    return state.roster.site is not None and any(isinstance(step, Opened) for step in state.todo)


def left(state: OnusState, side: int) -> int:
    """OH.army.1: the points that a side has left; while it fortifies it keeps enough for one unit."""
    kept = cheapest() if isinstance(state.decision, Fortifying) else 0
    return site_of(state).points - spent(state.roster, side) - kept


def rebuild(state: OnusState, roster: Roster) -> None:
    """Another roster, and columns that fit it: nothing has happened yet."""
    fresh = blank(roster)
    for name in field_names(OnusState):
        if name not in ("todo", "outcome"):
            setattr(state, name, getattr(fresh, name))


def affordable(state: OnusState, side: int, price: int, good: str, back: int = 0) -> Iterator[Refusal]:
    """OH.army.1 OH.army.2 OH.army.3: whether a side can pay for it, with what it gets back."""
    rest = left(state, side) + back
    if price > rest:
        values: Values = {"good": good, "price": price, "left": rest}
        yield Refusal(PURSES[side], "refusal.too_dear", values)


# --- buying --------------------------------------------------------------------------------------


class Buy(Action):
    """OH.army.2 OH.army.3: a unit, a ram, a siege tower or a work; it has its usual place."""

    def __init__(self, good: str) -> None:
        self.good: Final = good

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert isinstance(decision, Building)
        side, name = decision.seat, Values({"good": self.good})
        if self.good not in decision.goods():
            yield Refusal(PURSES[side], "refusal.not_for_sale", name)
            return
        price = spent(with_one(state.roster, side, self.good), side) - spent(state.roster, side)
        yield from affordable(state, side, price, self.good)
        have, room = counts(state.roster, side), most(state.roster, self.good)
        of_sort = sum(have[good] for good in kinds()) if is_unit(self.good) else have[self.good]
        if of_sort >= room:
            yield Refusal(PURSES[side], "refusal.no_more", name | {"most": room})
        if side == DEFENDER and is_artillery(self.good) and engines(have) >= MOST_ARTILLERY:
            yield Refusal("O7.points.defender-first", "refusal.artillery", {"most": MOST_ARTILLERY})

    def perform(self, play: Play) -> None:
        state, seat = play.state, play.taken.seat
        rebuild(state, with_one(state.roster, seat, self.good))
        play.tell(PURSES[seat], "event.buys", to=seat, good=self.good, points=price_of(self.good))
        play.then(play.taken)

    def remark(self, state: OnusState) -> Message:
        return Message("remark.price", {"points": price_of(self.good)})


def with_one(roster: Roster, side: int, good: str, more: int = 1) -> Roster:
    goods = counts(roster, side)
    goods[good] += more
    return stocked(roster, side, goods)


def last_items(roster: Roster, side: int) -> dict[str, str]:
    """What can be given back: the last one of each good."""
    return {item(side, good, number): good for good, number in counts(roster, side).items()}


class GiveBack(Action):
    """OH.army.2 OH.army.3: as long as one buys, the last one of a kind may be given back."""

    def __init__(self, thing: str) -> None:
        self.thing: Final = thing

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert isinstance(decision, Building)
        good = last_items(state.roster, decision.seat).get(self.thing)
        if good not in decision.goods():
            yield Refusal(PURSES[decision.seat], "refusal.not_bought", {"thing": self.thing})

    def perform(self, play: Play) -> None:
        state, seat = play.state, play.taken.seat
        good = last_items(state.roster, seat)[self.thing]
        rebuild(state, with_one(state.roster, seat, good, -1))
        play.tell(PURSES[seat], "event.gives_back", to=seat, good=good, points=price_of(good))
        play.then(play.taken)


class Building(Unfinished):
    """OH.army.1: a side spends points; who has some left may stop all the same."""

    secret = True
    asked: ClassVar[str] = ""

    def goods(self) -> tuple[str, ...]:
        """What is for sale."""
        raise NotImplementedError

    def prompt(self, state: OnusState) -> Message:
        return Message(self.asked, {"side": SEATS[self.seat], "left": max(0, left(state, self.seat))})

    def trade(self, state: OnusState) -> list[Action]:
        """What can be bought and given back."""
        goods = self.goods()
        back = [thing for thing, good in last_items(state.roster, self.seat).items() if good in goods]
        return [*(Buy(good) for good in goods), *(GiveBack(thing) for thing in back)]


# --- the fortress --------------------------------------------------------------------------------


class Raise(Action):
    """O7.points.defender-first O7.design.continuity: a fortress, in place of the one before.

    ``walk`` is the name of a ready design, or the words of one's own (``design.of_walk``).
    """

    def __init__(self, walk: tuple[str, ...], material: str) -> None:
        self.walk: Final = walk
        self.material: Final = material

    def fortress(self, site: Site) -> Fortress | None:
        """Nothing if a word of it is none."""
        if self.material not in MATERIALS or not 0 < len(self.walk) <= LONGEST:
            return None
        try:
            return fortress_of_walk(self.walk, self.material, site.agreed)
        except BadFile:
            return None

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        site = site_of(state)
        fortress = self.fortress(site)
        if fortress is None:
            yield Refusal("OH.piece.1", "refusal.no_design")
            return
        faults = [problem.refusal for problem in check(fortress)]
        yield from faults
        size = fortress.size
        if size.front > site.room.front or size.depth > site.room.depth:
            values: Values = {"wide": in_du(site.room.front), "deep": in_du(site.room.depth)}
            yield Refusal("O7.deploy.fortress", "refusal.fortress_too_big", values)
        elif not faults:
            now = sum(structure.sort.cost for structure in state.roster.structures if structure.material)
            yield from affordable(state, DEFENDER, fortress.cost, "fortress", now)

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        fortress = self.fortress(site_of(state))
        assert fortress is not None
        rebuild(state, fortified(state.roster, fortress))
        key, seat = "event.raises", play.taken.seat
        values: Values = {"pieces": len(fortress.pieces), "material": self.material, "points": fortress.cost}
        play.tell("O7.points.defender-first", key, to=seat, **values)
        play.then(play.taken)

    def remark(self, state: OnusState) -> Message | None:
        fortress = self.fortress(site_of(state))
        return Message("remark.price", {"points": fortress.cost}) if fortress else None


class Fortifying(Building):
    """O7.points.defender-first: the fortress and other works, before all else."""

    clause = "O7.points.defender-first"
    accepts = (Raise, Buy, GiveBack, Done)
    asked = "prompt.fortify"

    def goods(self) -> tuple[str, ...]:
        return EARTHWORKS

    def duties(self, state: OnusState) -> Iterator[Refusal]:
        if state.roster.keep is None:
            yield Refusal("O7.points.defender-first", "refusal.no_fortress")

    def candidates(self, state: OnusState) -> list[Action]:
        designs = [Raise((name,), material) for name, material in product(ready(), MATERIALS)]
        return [*designs, *self.trade(state), Done()]


# --- armies --------------------------------------------------------------------------------------


class Appoint(Action):
    """OH.general.1: a general, who costs a part of what the units cost."""

    def __init__(self, general: str) -> None:
        self.general: Final = general

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        side, leadership = decision.seat, GENERALS.get(self.general, 0)
        if leadership in (0, state.roster.leadership[side]):
            yield Refusal("OH.general.1", "refusal.no_such_general", {"general": self.general})
        else:
            price = spent(ordered(state.roster, side, leadership), side) - spent(state.roster, side)
            yield from affordable(state, side, price, self.general)

    def perform(self, play: Play) -> None:
        state, seat = play.state, play.taken.seat
        rebuild(state, ordered(state.roster, seat, GENERALS[self.general]))
        play.tell("OH.general.1", "event.appoints", to=seat, general=self.general)
        play.then(play.taken)

    def remark(self, state: OnusState) -> Message | None:
        leadership = GENERALS.get(self.general, 0)
        return Message("text.general", {"percent": PERCENT[leadership]}) if leadership else None


class Lead(Action):
    """OH.general.2: the unit with which the general rides: the first one of a kind."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        if self.unit not in escorts(state.roster, decision.seat):
            yield Refusal("OH.general.2", "refusal.no_escort", {"unit": self.unit})

    def perform(self, play: Play) -> None:
        state, seat = play.state, play.taken.seat
        rebuild(state, stocked(state.roster, seat, counts(state.roster, seat), self.unit))
        play.tell("OH.general.2", "event.leads", to=seat, unit=self.unit)
        play.then(play.taken)


def escorts(roster: Roster, side: int) -> list[str]:
    """With whom a general could ride besides."""
    own = [unit for unit in roster.units if unit.side == side and unit.number == 1]
    return [unit.id for unit in own if unit.id != general_of(roster, side)]


class Enlisting(Building):
    """O7.points.units OH.army.3: units and their general; of the attacker siege markers, too."""

    clause = "O7.points.units"
    accepts = (Buy, GiveBack, Appoint, Lead, Done)
    asked = "prompt.enlist"

    def goods(self) -> tuple[str, ...]:
        return (*kinds(), *(ENGINES if self.seat == ATTACKER else ()))

    def duties(self, state: OnusState) -> Iterator[Refusal]:
        if not general_of(state.roster, self.seat):
            yield Refusal(PURSES[self.seat], "refusal.no_units")

    def candidates(self, state: OnusState) -> list[Action]:
        others = [name for name, leadership in GENERALS.items() if leadership != self._led(state)]
        escort = [Lead(unit) for unit in escorts(state.roster, self.seat)]
        return [*self.trade(state), *map(Appoint, others), *escort, Done()]

    def _led(self, state: OnusState) -> int:
        return state.roster.leadership[self.seat]


# --- the order of it -----------------------------------------------------------------------------


class Announced(Step):
    """O7.points.defender-first O7.points.units: the besieged say what they spent: on works, then on units."""

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        roster, site = state.roster, site_of(state)
        told = (works_points(roster), units_points(roster, DEFENDER))[len(site.told)]
        clause, key = SUMS[len(site.told)]
        rebuild(state, replace(roster, site=replace(site, told=(*site.told, told))))
        play.reveal(clause, key, side=SEATS[DEFENDER], points=told)


class Opened(Step):
    """OH.army.1: when both have bought, the lists are laid open."""

    def run(self, play: Play) -> None:
        roster = play.state.roster
        for side, name in enumerate(SEATS):
            goods = counts(roster, side)
            order = [good for good in (*kinds(), *ENGINES, *EARTHWORKS) if goods[good]]
            said = [Message("event.so_many_and", {"number": goods[good], "good": good}) for good in order]
            said[-1] = Message("event.so_many", said[-1].values)
            points = spent(roster, side)
            play.reveal("OH.army.1", "event.list_opened", side=name, goods=tuple(said), points=points)


def preparations() -> list[Step]:
    """O7.points.defender-first O7.points.units: what comes before deployment, the last of it first."""
    stages = (Fortifying(DEFENDER), Announced(), Enlisting(DEFENDER), Announced(), Enlisting(ATTACKER))
    return [Opened(), *reversed(stages)]
