"""What a side could do from where it stands: ways over the map, battles by the odds table, cities to enter.

For bots.  Ways are those of an empty map; who would have to pass by an enemy does not get through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from . import weights
from .combat import column
from .results import TABLE
from .state import DIE, Roster

FAR = 99
BARELY = 2  # factors: who comes out of a bloodbath with no more has not won the hex
WEAK = 3  # printed factors; fewer are stopped by every enemy
WAYS = 2  # of the ways to attack a hex from each bank, how many are thought of
SHARE = 0.8  # of the markers that a result moves: hands and pool may be empty

# Which part of its strength a result costs the attacker and the defender, and the markers to and fro.
ATTACKER_LOSES = {"AC": 1.1, "AR": 0.65, "AD": 0.55}
DEFENDER_LOSES = {"DD": 0.58, "DR": 0.65, "DC": 1.0}
SWING = {"AC": -4, "AR": -2, "AD": -2, "BB": 0, "DD": 2, "DR": 2, "DC": 4}


# --- the map -------------------------------------------------------------------------------------


class Atlas:
    """The ways of a map: half points from hex to hex, and the hexes between, as bits."""

    def __init__(self, roster: Roster) -> None:
        cells = range(roster.grid.size)
        self.around, self.gaul = roster.around, roster.gaul
        self.bit = tuple(1 << cell for cell in cells)
        self.zone = tuple(_bits((cell, *roster.around[cell])) for cell in cells)
        found = [_ways(roster, cell) for cell in cells]
        self.cost = tuple(tuple(cost) for cost, _ in found)
        self.between = tuple(tuple(between) for _, between in found)
        self.towards = tuple(tuple(self.cost[a][b] for a in cells) for b in cells)
        self._walks: dict[int, dict[int, int]] = {}
        self._strikes: dict[int, dict[int, tuple[Way, ...]]] = {}

    def walks(self, cell: int, budget: int) -> dict[int, int]:
        """The hexes that can be entered, with those to be passed on the way."""
        key = cell * FAR + budget
        found = self._walks.get(key)
        if found is None:
            near = self.around[cell] if budget else ()
            between, prices = self.between[cell], enumerate(self.cost[cell])
            found = {to: between[to] for to, price in prices if 0 < price <= budget or to in near}
            self._walks[key] = found
        return found

    def strikes(self, cell: int, budget: int) -> dict[int, tuple[Way, ...]]:
        """The hexes that can be attacked, with ways to their neighbours, those on the same bank first."""
        key = cell * FAR + budget
        found = self._strikes.get(key)
        if found is None:
            ends = {cell: 0, **self.walks(cell, budget)}
            ways: dict[int, list[Way]] = {}
            for end in sorted(ends, key=self.cost[cell].__getitem__):
                for to in self.around[end]:
                    here = self.bit[end] if end != cell else 0
                    ways.setdefault(to, []).append((self.gaul[end] != self.gaul[to], ends[end], here))
            ways.pop(cell, None)
            found = self._strikes[key] = {to: _few(those) for to, those in ways.items()}
        return found


Way = tuple[bool, int, int]  # whether one strikes over the Rhine, the hexes passed, the end


def _few(ways: list[Way]) -> tuple[Way, ...]:
    """The shortest few of each bank."""
    return tuple(way for bank in (False, True) for way in [w for w in ways if w[0] is bank][:WAYS])


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in set(cells))


def _ways(roster: Roster, start: int) -> tuple[list[int], list[int]]:
    """The cheapest ways from a hex: their prices, and the hexes between."""
    size = roster.grid.size
    cost, between = [FAR] * size, [0] * size
    queue = [(0, start, 0)]
    while queue:
        spent, cell, passed = heappop(queue)
        if cost[cell] <= spent:
            continue
        cost[cell], between[cell] = spent, passed
        more = passed | (1 << cell if cell != start else 0)
        for to in roster.around[cell]:
            if cost[to] == FAR:
                heappush(queue, (spent + roster.price(cell, to), to, more))
    return cost, between


_atlases: dict[tuple[object, ...], Atlas] = {}


def atlas(roster: Roster) -> Atlas:
    """The ways of a map, made once."""
    found: Atlas | None = roster.kept.get("atlas")
    if found is None:
        key = (roster.columns, roster.rows, roster.ground, roster.gaul, roster.roads)
        found = _atlases.get(key) or _atlases.setdefault(key, Atlas(roster))
        roster.kept["atlas"] = found
    return found


# --- battles -------------------------------------------------------------------------------------


class Worth(NamedTuple):
    """What an attacker counts by: a factor of each side, a marker, and the chances of a Military."""

    own: float
    foe: float
    marker: float
    military: float  # the price of a Military
    helped: float  # how likely the attacker has one
    opposed: float  # how likely the defender has one


@lru_cache(20_000)
def exchange(attack: int, defence: int, ours: int, theirs: int, added: int) -> tuple[float, ...]:
    """JH.crt: factors that both lose, how often the hex is won, and the markers that change hands."""
    n = max(column(attack, defence), 0)
    lost = taken = won = swing = 0.0
    for face in range(1, DIE + 1):
        result = TABLE[min(max(face + added, 1), DIE) - 1][n]
        swing += SWING[result]
        if result == "BB":
            least = min(ours, theirs)
            lost, taken, won = lost + least, taken + least, won + (ours - theirs > BARELY)
        else:
            lost += ours * ATTACKER_LOSES.get(result, 0.0)
            taken += theirs * DEFENDER_LOSES.get(result, 0.0)
            won += result in DEFENDER_LOSES
    return lost / DIE, taken / DIE, won / DIE, swing / DIE * SHARE


@lru_cache(20_000)
def battle(ours: int, theirs: int, factor: int, added: int, field: bool, prize: float, worth: Worth) -> float:
    """What an attack may be expected to bring, with and against a Military where one is held."""
    plain = met(ours, theirs, factor, added, field, prize, worth, 0)
    if not worth.helped:
        return plain
    doubled = met(ours, theirs, factor, added, field, prize, worth, 1) - worth.military
    return plain + worth.helped * max(0.0, doubled - plain)


def met(
    ours: int, theirs: int, factor: int, added: int, field: bool, prize: float, worth: Worth, helped: int
) -> float:
    """The same when the attacker has declared, with a Military or without."""

    def value(opposed: int) -> float:
        attack, defence = ours * (1 + helped), theirs * (factor + opposed)
        lost, taken, won, swing = exchange(attack, defence, ours, theirs, added)
        return taken * worth.foe - lost * worth.own + won * prize + swing * worth.marker * field

    plain = value(0)
    return plain + worth.opposed * min(0.0, value(1) + worth.military - plain)


# --- plans ---------------------------------------------------------------------------------------


class Body(NamedTuple):
    """Some units of a hex that can act together."""

    cell: int
    budget: int  # half points to spend
    force: int
    men: int  # how many can go apart
    captor: bool  # takes cities, not only sacks them
    field: bool
    bonus: bool


class Post(NamedTuple):
    """Those who can be attacked in a hex."""

    force: int
    factor: int
    field: bool
    bonus: bool
    prize: float  # of the city there, for who takes it ...
    loot: float  # ... and for who only sacks it


class Host(NamedTuple):
    """A side as its enemy sees it."""

    posts: dict[int, Post]
    bare: dict[int, tuple[float, float]]  # its cities without troops: what they are worth, taken and sacked
    zone: int  # hexes where its stacks stop everybody who is weak ...
    firm: int  # ... and those where its strong ones stop others
    held: int  # where it stands
    struck: dict[tuple[int, int, bool], tuple[tuple[int, bool], ...]]  # see _targets, as far as asked for
    entered: dict[tuple[int, int, bool, bool], tuple[int, ...]]  # see _openings, as far as asked for


Option = tuple[float, int, list[tuple[int, bool]], bool]  # gain, hex, who (over the Rhine?), a mere walk


def plan(ways: Atlas, bodies: tuple[Body, ...], host: Host, worth: Worth) -> float:
    """What these bodies can do, the best first; nobody is used twice."""
    options = [*_attacks(ways, bodies, host, worth), *_entries(ways, bodies, host)]
    if len(options) > 1:
        options.sort(key=lambda option: -option[0])
    used = [0] * len(bodies)
    total = 0.0
    for gain, cell, those, walk in options:
        if walk:
            free = [n for n, _ in those if used[n] < bodies[n].men]
            if free:
                n = min(free, key=lambda n: (not bodies[n].captor, bodies[n].force))
                used[n] += 1
                total += weights.UNMET * host.bare[cell][not bodies[n].captor]
            continue
        fresh = [pair for pair in those if not used[pair[0]]]
        if len(fresh) < len(those):
            gain = attack(bodies, fresh, host.posts[cell], worth) if fresh else 0.0
        if gain > 0:
            total += gain
            for n, _ in fresh:
                used[n] = bodies[n].men
    return total


def _attacks(ways: Atlas, bodies: tuple[Body, ...], host: Host, worth: Worth) -> list[Option]:
    hits: dict[int, list[tuple[int, bool]]] = {}
    posts, struck = host.posts, host.struck
    for n, body in enumerate(bodies):
        key = (body.cell, body.budget, body.force < WEAK)
        targets = struck.get(key)
        if targets is None:
            targets = struck[key] = _targets(ways, host, *key)
        for cell, across in targets:
            hits.setdefault(cell, []).append((n, across))
    found = []
    for cell, those in hits.items():
        gain = attack(bodies, those, posts[cell], worth)
        if gain > 0:
            found.append((gain, cell, those, False))
    return found


def _targets(ways: Atlas, host: Host, cell: int, budget: int, weak: bool) -> tuple[tuple[int, bool], ...]:
    """The posts that can be attacked from a hex, and whether only over the Rhine."""
    strikes, held = ways.strikes(cell, budget), host.held
    barrier = host.zone if weak else host.firm
    found = []
    for to in host.posts.keys() & strikes.keys():
        for across, passed, end in strikes[to]:
            if not (passed & barrier or end & held):
                found.append((to, across))
                break
    return tuple(found)


def _entries(ways: Atlas, bodies: tuple[Body, ...], host: Host) -> list[Option]:
    hits: dict[int, list[tuple[int, bool]]] = {}
    bare, entered = host.bare, host.entered
    for n, body in enumerate(bodies):
        if body.budget and bare:
            key = (body.cell, body.budget, body.force < WEAK, body.captor)
            goals = entered.get(key)
            if goals is None:
                goals = entered[key] = _openings(ways, host, *key)
            for cell in goals:
                hits.setdefault(cell, []).append((n, False))
    return [
        (bare[cell][not any(bodies[n].captor for n, _ in those)], cell, those, True)
        for cell, those in hits.items()
    ]


def _openings(ways: Atlas, host: Host, cell: int, budget: int, weak: bool, captor: bool) -> tuple[int, ...]:
    """The bare cities that can be entered from a hex and bring something."""
    walks, bare = ways.walks(cell, budget), host.bare
    barrier = host.zone if weak else host.firm
    return tuple(to for to in bare.keys() & walks.keys() if not walks[to] & barrier and bare[to][not captor])


def attack(bodies: tuple[Body, ...], those: list[tuple[int, bool]], post: Post, worth: Worth) -> float:
    """JH.combat: what these bring by attacking that post together; some may have to come up first."""
    force, captor, field, led, over, ready = 0, False, False, False, True, True
    for n, across in those:
        _, budget, more, _, captors, fields, bonus = bodies[n]
        force += more
        captor |= captors
        field |= fields
        led |= bonus
        over &= across
        ready &= not budget
    gain = storm(force, captor, field, led, over, post, worth)
    return gain if ready else weights.UNMET * gain


def storm(force: int, captor: bool, field: bool, led: bool, across: bool, post: Post, worth: Worth) -> float:
    """JH.crt: what so many factors bring against a post; nothing if they may not attack it."""
    factor = 2 if across else post.factor
    if 3 * force < post.force * factor:
        return 0.0
    prize = post.prize if captor else post.loot
    return battle(force, post.force, factor, led - post.bonus, field or post.field, prize, worth)


# --- waves ---------------------------------------------------------------------------------------

Strikes = dict[int, tuple[int, bool, bool, bool, bool]]  # by hex: see storm
Entries = dict[int, list[tuple[int, bool, bool]]]  # by city: hexes passed, weak, captors


class Wave(NamedTuple):
    """What those can reach who act together some time: a command, a people."""

    strikes: Strikes
    entries: Entries


class Waves(NamedTuple):
    """All waves of a side."""

    numbers: tuple[int, ...]
    waves: tuple[Wave, ...]
    entries: dict[int, list[tuple[int, list[tuple[int, bool, bool]]]]]  # by city: which wave, and how
    known: dict[Worth, dict[tuple[int, Post], list[tuple[int, float]]]]  # see _storms, as far as asked for


def wave_of(ways: Atlas, bodies: Iterable[Body], cities: Collection[int]) -> Wave:
    strikes: Strikes = {}
    entries: Entries = {}
    for body in bodies:
        weak = body.force < WEAK
        for cell, those in ways.strikes(body.cell, body.budget).items():
            force, captor, field, led, across = strikes.get(cell, (0, False, False, False, True))
            strikes[cell] = (
                force + body.force,
                captor or body.captor,
                field or body.field,
                led or body.bonus,
                across and those[0][0],
            )
        walks = ways.walks(body.cell, body.budget)
        for cell in walks.keys() & cities:
            entries.setdefault(cell, []).append((walks[cell], weak, body.captor))
    return Wave(strikes, entries)


def waves_of(waves: dict[int, Wave]) -> Waves:
    """The waves of a side by their numbers."""
    entries: dict[int, list[tuple[int, list[tuple[int, bool, bool]]]]] = {}
    for n, wave in enumerate(waves.values()):
        for cell, those in wave.entries.items():
            entries.setdefault(cell, []).append((n, those))
    return Waves(tuple(waves), tuple(waves.values()), entries, {})


def menaces(waves: Waves, host: Host, worth: Worth) -> list[list[tuple[float, int]]]:
    """What each wave could do to a side, the best first: gains and hexes."""
    zone, firm, entries = host.zone, host.firm, waves.entries
    known = waves.known.setdefault(worth, {})
    found: list[list[tuple[float, int]]] = [[] for _ in waves.numbers]
    for item in host.posts.items():
        gains = known.get(item)
        if gains is None:
            gains = known[item] = _storms(waves, *item, worth)
        for n, gain in gains:
            found[n].append((gain, item[0]))
    for cell, prize in host.bare.items():
        for n, those in entries.get(cell, ()):
            gain = 0.0
            for passed, weak, captor in those:
                if not passed & (zone if weak else firm) and prize[not captor] > gain:
                    gain = prize[not captor]
            if gain > 0:
                found[n].append((gain, cell))
    for few in found:
        few.sort(reverse=True)
    return found


def _storms(waves: Waves, cell: int, post: Post, worth: Worth) -> list[tuple[int, float]]:
    """Which waves would attack a post, and what that would bring."""
    those = [(n, wave.strikes[cell]) for n, wave in enumerate(waves.waves) if cell in wave.strikes]
    gains = [(n, storm(*strike, post, worth)) for n, strike in those]
    return [(n, gain) for n, gain in gains if gain > 0]
