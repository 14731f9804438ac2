"""How sieges are decided: ``python -m tests.games.onus.sieges --games 200`` plays and counts them.

A siege that the besiegers win is decided by the way on which they first got in: ladder, ram, siege tower,
breach or fire; if they never got in, and in every siege that the besieged win, by how it ended: emptied
fortress, losses or deck.  ``--journals`` plays one siege for each way and writes ``journals/<way>.jsonl``.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from legatus.bots import Bot, make_bot
from legatus.games.onus import ONUS
from legatus.games.onus.assault import Climb, StepIn
from legatus.games.onus.fire import Extinguish, Ignite
from legatus.games.onus.orders import PassOrders
from legatus.games.onus.ramparts import in_siege_tower, is_within
from legatus.games.onus.rams import Batter, DropRam, GiveRam
from legatus.games.onus.setup import Garrison
from legatus.games.onus.shooting import Shoot
from legatus.games.onus.state import CARD, NOBODY, OnusState
from legatus.games.onus.towers import Dock
from legatus.kernel import Action, Event, Match, Setup, legal
from legatus.kernel.records import record_text
from legatus.parts import plane

LADDER, RAM, TOWER, BREACH, FIRE = "ladder", "ram", "siege-tower", "breach", "fire"
EMPTIED, LOSSES, DECK = "emptied", "losses", "deck"
WAYS = (LADDER, RAM, TOWER, BREACH, FIRE, EMPTIED, LOSSES, DECK)
ENDINGS = {
    "O7.victory.attacker.empty": EMPTIED,
    "O7.victory.attacker.losses": LOSSES,
    "O7.victory.defender.losses": LOSSES,
    "OH.army.4": LOSSES,
    "O7.victory.defender.deck": DECK,
}
BLOWS = {"event.burns": FIRE, "event.rams": RAM, "event.bombards": BREACH}
FALLS = ("event.razed", "event.gate_falls")
SCENARIOS = ("first-siege", "wooden-fortress", "stone-fortress", "free-siege")
JOURNALS = Path(__file__).parent / "journals"
TOWER_SIEGE = Path(__file__).parent / "tower-siege.toml"
ATTACKER = 0
MOST = 8000  # decisions of one siege


# --- by which way --------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """How a siege was decided: the way, and how the rules ended it."""

    way: str
    ending: str
    winner: int | None


def verdict(match: Match) -> Verdict:
    """Read from the journal how a siege was decided; ``way`` is empty if it is not over."""
    outcome = match.state.outcome
    if outcome is None:
        return Verdict("", "", None)
    ending = ENDINGS[outcome.clause]
    entered = first_entry(match) if outcome.winner == ATTACKER else ""
    return Verdict(entered or ending, ending, outcome.winner)


def first_entry(match: Match) -> str:
    """The way on which a besieger first got into the fortress, or nothing."""
    causes: dict[str, str] = {}
    states: list[Any] = match.states
    for number in range(1, len(states)):
        before, after = states[number - 1], states[number]
        causes = openings(match.events[number]) | causes
        inside = besiegers_inside(before)
        for i in besiegers_inside(after):
            if i not in inside:
                return way_of(before, after, i, causes)
    return ""


def openings(events: list[Event]) -> dict[str, str]:
    """What fell, and by what: a gate or a wall by fire, a gate by a ram, a wall by missiles or a ram."""
    blows: dict[Any, str] = {}
    found: dict[str, str] = {}
    for event in events:
        name = event.values.get("structure")
        if event.key in BLOWS:
            blows[name] = BLOWS[event.key]
        elif event.key in FALLS:
            blow = blows.get(name, BREACH)
            found.setdefault(str(name), BREACH if (blow, event.key) == (RAM, "event.razed") else blow)
    return found


def besiegers_inside(state: OnusState) -> list[int]:
    """The besiegers within the walls."""
    return [i for i in state.roster.of_side[ATTACKER] if is_within(state, i)]


def way_of(before: OnusState, after: OnusState, i: int, causes: dict[str, str]) -> str:
    """How a unit got in between two states: up a ladder, out of a siege tower, through what has fallen."""
    if before.climbs[i] != NOBODY:
        return LADDER
    if in_siege_tower(before, i):
        return TOWER
    card = plane.card(after.pose[i], CARD)
    fallen = [structure for structure in after.roster.structures if structure.id in causes]
    return causes[min(fallen, key=lambda structure: plane.apart(structure.shape, card)).id]


# --- playing -------------------------------------------------------------------------------------


def play(setup: Setup, seed: str, bots: tuple[Bot, Bot], most: int = MOST) -> Match:
    """A whole siege; the same seed gives the same one."""
    rng = Random(f"{seed}/bots")
    match = Match.new(ONUS, setup, Match(ONUS, setup).seeded(seed))
    while match.state.decision is not None and len(match.journal) < most:
        seat = match.state.decision.seat
        action = bots[seat].choose(ONUS, ONUS.view(match.state, seat), seat, rng)
        match.play(action, match.seeded(seed))
    return match


class Steered:
    """A greedy bot that takes an action that it wants whenever one is legal, and avoids others if it can."""

    def __init__(self, wants: Callable[[Action], bool], avoids: Callable[[Action], bool]) -> None:
        self.wants, self.avoids, self.greedy = wants, avoids, make_bot("greedy")

    def choose(self, game: Any, view: Any, seat: int, rng: Random) -> Action:
        actions = legal(view)
        wanted = [action for action in actions if self.wants(action) and not self.avoids(action)]
        if wanted:
            return wanted[int(rng.random() * len(wanted))]
        found = self.greedy.choose(game, view, seat, rng)
        rest = [action for action in actions if not self.avoids(action)]
        return rest[int(rng.random() * len(rest))] if self.avoids(found) and rest else found


def doing(*kinds: type[Action]) -> Callable[[Action], bool]:
    return lambda action: isinstance(action, kinds)


def burns(action: Action) -> bool:
    return isinstance(action, Ignite) or (isinstance(action, Shoot) and action.incendiary)


def shoots_walls(action: Action) -> bool:
    """Missiles of artillery at a piece of the fortress, or a ram against the wall."""
    if isinstance(action, Batter):
        return action.part == "wall"
    return isinstance(action, Shoot) and not action.incendiary and action.target.startswith(("wall", "gate-"))


class Recipe(NamedTuple):
    """In which sieges a way is searched for: the scenario, who attacks, who defends, how long at most."""

    scenario: str
    attacker: Bot
    defender: Bot
    most: int = 1500


def recipes() -> dict[str, list[Recipe]]:
    """For each way sieges that may be decided by it."""
    greedy, idle = make_bot("greedy"), Steered(doing(PassOrders), doing())
    no_climb = (Climb, StepIn)
    arson = Steered(burns, doing(*no_climb, Batter, GiveRam))
    careless = Steered(doing(), doing(Extinguish))
    breaker = Steered(shoots_walls, lambda action: isinstance(action, no_climb) or burns(action))
    rammer = Steered(doing(Batter), lambda action: isinstance(action, (*no_climb, DropRam)) or burns(action))
    through = Steered(doing(), lambda action: isinstance(action, (*no_climb, DropRam)) or burns(action))
    roller = Steered(doing(Garrison, Dock), doing(*no_climb[:1], Ignite))
    small, wood, rolling = "first-siege", "wooden-fortress", str(TOWER_SIEGE)
    return {
        LADDER: [Recipe(small, greedy, greedy)],
        RAM: [Recipe(small, rammer, greedy), Recipe(small, through, greedy)],
        TOWER: [Recipe(rolling, roller, greedy)],
        BREACH: [Recipe(small, greedy, greedy), Recipe(small, breaker, greedy)],
        FIRE: [Recipe(small, arson, careless)],
        EMPTIED: [Recipe(small, greedy, greedy)],
        LOSSES: [Recipe(small, greedy, greedy)],
        DECK: [Recipe(small, idle, greedy), Recipe(wood, greedy, greedy, 3000)],
    }


def search(way: str, tries: int = 60) -> Iterator[tuple[str, Match, Verdict]]:
    """Sieges in the order of the recipes until one is decided by a way; the last one is, or there is none."""
    for number, recipe in enumerate(recipes()[way]):
        setup = ONUS.configure(recipe.scenario)
        for seed in range(tries):
            name = f"{way}/{number}/{seed}"
            match = play(setup, name, (recipe.attacker, recipe.defender), recipe.most)
            found = verdict(match)
            yield name, match, found
            if found.way == way:
                return


def write_journals(ways: tuple[str, ...]) -> None:
    """One siege for each way."""
    JOURNALS.mkdir(exist_ok=True)
    for way in ways:
        began = time.perf_counter()
        seen: Counter[str] = Counter()
        for name, match, found in search(way):
            seen[found.way or "unfinished"] += 1
            if found.way == way:
                (JOURNALS / f"{way}.jsonl").write_text(record_text(match), encoding="utf-8")
                text = f"{name}, {len(match.journal)} entries, ended by {found.ending}"
                print(f"{way}: {text} ({time.perf_counter() - began:.0f} s)", flush=True)
                break
        else:
            print(f"{way}: none found among {dict(seen)}", flush=True)


def count(games: int, seed: str, scenarios: tuple[str, ...]) -> Counter[str]:
    """Greedy sieges of the scenarios in turn, and by which ways they were decided."""
    ways: Counter[str] = Counter()
    greedy = make_bot("greedy")
    began = time.perf_counter()
    for number in range(games):
        scenario = scenarios[number % len(scenarios)]
        match = play(ONUS.configure(scenario), f"{seed}/{number}", (greedy, greedy))
        found = verdict(match)
        ways[found.way or "unfinished"] += 1
        spent = time.perf_counter() - began
        line = f"{number + 1}/{games} {scenario}: {found.way} ({found.ending}), {len(match.journal)} entries"
        print(f"{line} | {dict(ways)} | {spent:.0f} s", flush=True)
    return ways


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--scenario", action="append", help="several if given more than once")
    parser.add_argument("--journals", action="store_true", help="write a siege for each way")
    parser.add_argument("--way", action="append", choices=WAYS, help="only these journals")
    told = parser.parse_args()
    if told.journals:
        write_journals(tuple(told.way or WAYS))
        return
    ways = count(told.games, told.seed, tuple(told.scenario or SCENARIOS))
    for way in WAYS:
        print(f"{way:12} {ways[way]}")
    print(f"{sum(ways[way] > 0 for way in WAYS)} of {len(WAYS)} ways")


if __name__ == "__main__":
    main()
