"""1 Set-up: terrain (1.6), sides and blind deployment (1.7), who begins (V1.7d)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step
from .closing import Closing, Done
from .plan import standard_places
from .sequence import Turn
from .state import (
    FACEDOWN,
    PLACE,
    PLACES,
    SEATS,
    WAITING,
    VirtusState,
    column,
    other,
    owner,
    put,
    reserve,
    sector,
    sectors,
    units_at,
)
from .terrain import GROUND, NATURE_DICE, SECTOR_DICE, combine

MOST_DECOYS = 6  # V7d: a sector's, where the option leaves the number free
DICE_NAMES = ("P", "M", "B")
TABLE_SIDES = ("south", "north")


class DrawLots(Step):
    """V1.6b: lots decide who is player A, the attacker."""

    def run(self, play: Play) -> None:
        play.state.attacker = play.draw((1, 1), SEATS)
        play.tell("V1.6b", "event.attacker", side=SEATS[play.state.attacker])


class Field(Step):
    """V1.6a V1.6b: the nature of the field is the scenario's, or the attacker rolls for it."""

    def __init__(self, nature: str) -> None:
        self.nature: Final = nature

    def run(self, play: Play) -> None:
        attacker = play.state.attacker
        if self.nature:
            play.then(RollTerrain(self.nature), SideChoice(other(attacker)))
        else:
            play.then(DieChoice(attacker))


class ChooseDie(Action):
    """V1.6b: the attacker picks the die P, M or B that favours plain, hills or woods."""

    def __init__(self, die: str) -> None:
        self.die: Final = die

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        if self.die not in DICE_NAMES:
            yield Refusal("V1.6b", "refusal.no_such_die", {"die": self.die})

    def perform(self, play: Play) -> None:
        face = play.roll(6)
        nature = NATURE_DICE[self.die][str(face)]
        play.tell("V1.6b", "event.nature", die=self.die, face=face, nature=nature)
        play.then(RollTerrain(nature), SideChoice(other(play.state.attacker)))


class DieChoice(Decision):
    """V1.6b: asked of the attacker, unless the scenario fixes the nature of the field."""

    clause = "V1.6b"
    accepts = (ChooseDie,)

    def prompt(self, state: VirtusState) -> Message:
        return Message("prompt.die", {"side": SEATS[self.seat]})

    def candidates(self, state: VirtusState) -> list[Action]:
        return [ChooseDie(die) for die in DICE_NAMES]


class RollTerrain(Step):
    """V1.6c V1.6d V1.6e: for every sector of both camps both players roll one die."""

    def __init__(self, nature: str) -> None:
        self.nature: Final = nature

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        table = SECTOR_DICE[self.nature]
        for place in (*sectors(state, 0), *sectors(state, 1)):
            mine = play.roll(table.sides, *_bands(table.attacker))
            yours = play.roll(table.sides, *_bands(table.defender))
            ground = combine(table.attacker.get(str(mine), ""), table.defender.get(str(yours), ""))
            state.terrain[place] = ground
            play.tell("V1.6c", "event.terrain", place=PLACES[place], ground=ground)


def _bands(faces: dict[str, str]) -> list[int]:
    """Each face that gives terrain is told apart from those below it."""
    return [int(face) - below for face in faces for below in (0, 1)]


class ChooseSide(Action):
    """V1.7a: the defender picks the edge of the table that he will have."""

    def __init__(self, edge: str) -> None:
        self.edge: Final = edge

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        if self.edge not in TABLE_SIDES:
            yield Refusal("V1.7a", "refusal.no_such_edge", {"edge": self.edge})

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        side = play.taken.seat
        play.tell("V1.7a", "event.edge", side=SEATS[side], edge=self.edge)
        if TABLE_SIDES.index(self.edge) != side:  # Rome's camp is drawn in the south: turn the table round
            n = state.roster.rules.columns
            before = state.terrain[:]
            for camp in (0, 1):
                for segment in range(1, n + 1):
                    state.terrain[sector(camp, segment)] = before[sector(other(camp), n + 1 - segment)]
            play.tell("V1.7a", "event.table_turned")
            for place in (*sectors(state, 0), *sectors(state, 1)):
                if state.terrain[place] != "clear":
                    play.tell("V1.7a", "event.terrain", place=PLACES[place], ground=state.terrain[place])


class SideChoice(Decision):
    """V1.7a: asked of the defender once the terrain lies."""

    clause = "V1.7a"
    accepts = (ChooseSide,)

    def prompt(self, state: VirtusState) -> Message:
        return Message("prompt.edge", {"side": SEATS[self.seat]})

    def candidates(self, state: VirtusState) -> list[Action]:
        return [ChooseSide(edge) for edge in TABLE_SIDES]


# --- deployment ----------------------------------------------------------------------------------


class Deploy(Action):
    """V1.7b: set a unit or a general up in the own reserve or in a sector of the own camp."""

    def __init__(self, piece: str, place: str, hidden: bool = False) -> None:
        self.piece: Final = piece
        self.place: Final = place
        self.hidden: Final = hidden

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        seat = state.decision.seat if state.decision else 0
        place = PLACE.get(self.place, -1)
        if place < 0 or owner(place) != seat or column(place) > state.roster.rules.columns:
            yield Refusal("V1.7b", "refusal.not_your_camp", {"place": self.place})
            return
        i, g = state.roster.index.get(self.piece, -1), state.roster.general_index.get(self.piece, -1)
        if i >= 0 and state.roster.units[i].side == seat:
            yield from self._refuse_unit(state, i, place)
        elif g >= 0 and state.roster.generals[g].side == seat:
            yield from self._refuse_general(state, g, place)
        else:
            yield Refusal("V1.7b", "refusal.not_your_unit", {"unit": self.piece})

    def _refuse_unit(self, state: VirtusState, i: int, place: int) -> Iterator[Refusal]:
        ground = GROUND[state.terrain[place]]
        if state.place[i] != WAITING:
            yield Refusal("V1.7b", "refusal.deployed_already", {"unit": self.piece})
        if state.roster.units[i].artillery and ground.no_artillery:
            yield Refusal("V7f", "refusal.no_artillery", {"unit": self.piece, "place": self.place})
        if self.hidden and not ground.markers:
            yield Refusal("V7d", "refusal.no_markers", {"place": self.place})

    def _refuse_general(self, state: VirtusState, g: int, place: int) -> Iterator[Refusal]:
        if state.gplace[g] != WAITING:
            yield Refusal("V1.7b", "refusal.deployed_already", {"unit": self.piece})
        if column(place) and place in state.gplace:
            yield Refusal("V8d", "refusal.two_generals", {"place": self.place})
        if self.hidden:
            yield Refusal("V7d", "refusal.generals_show", {"general": self.piece})

    def perform(self, play: Play) -> None:
        state: VirtusState = play.state
        place_piece(state, self.piece, PLACE[self.place], self.hidden)
        play.tell("V1.7b", "event.deploys", to=play.taken.seat, unit=self.piece, place=self.place)
        play.then(play.taken)


def place_piece(state: VirtusState, name: str, place: int, hidden: bool = False) -> None:
    i = state.roster.index.get(name, -1)
    if i < 0:
        state.gplace[state.roster.general_index[name]] = place
        return
    put(state, i, place)
    if hidden:
        state.flags[i] |= FACEDOWN
        state.markers[place] += 1


class DeployRest(Action):
    """V1.7b: set all that still waits up by a standard plan: a camp in the middle, thick forest as cover."""

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        if state.decision is not None and not _waiting(state, state.decision.seat):
            yield Refusal("V1.7b", "refusal.all_deployed")

    def perform(self, play: Play) -> None:
        state, seat = play.state, play.taken.seat
        for place in sorted(
            sectors(state, seat), key=lambda p: abs(2 * column(p) - state.roster.rules.columns - 1)
        ):
            if camps_left(state, seat) and GROUND[state.terrain[place]].camp and not state.camp[place]:
                state.camp[place] = BOUGHT
        for name, place in standard_places(state, seat).items():
            hidden = GROUND[state.terrain[place]].markers and name in state.roster.index  # V7d
            place_piece(state, name, place, hidden)
        for place in sectors(state, seat):
            _add_decoys(state, seat, place)
        play.tell("V1.7b", "event.deploys_rest", to=play.taken.seat)
        play.then(play.taken)


def _add_decoys(state: VirtusState, seat: int, place: int) -> None:
    """V7d: as many decoys as units hidden there, if the match allows any."""
    hidden = sum(bool(state.flags[i] & FACEDOWN) for i in units_at(state, seat, place))
    more = max(0, min(hidden, decoy_limit(state, seat, place)) - state.decoys[place])
    state.decoys[place] += more
    state.markers[place] += more


class Decoy(Action):
    """V7d: a marker in thick forest that stands for nothing."""

    def __init__(self, place: str) -> None:
        self.place: Final = place

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        seat = state.decision.seat if state.decision else 0
        place = PLACE.get(self.place, -1)
        if place not in sectors(state, seat):
            yield Refusal("V1.7b", "refusal.not_your_camp", {"place": self.place})
        elif not GROUND[state.terrain[place]].markers:
            yield Refusal("V7d", "refusal.no_markers", {"place": self.place})
        elif state.decoys[place] >= decoy_limit(state, seat, place):
            yield Refusal("V7d", "refusal.decoys", {"limit": decoy_limit(state, seat, place)})

    def perform(self, play: Play) -> None:
        place = PLACE[self.place]
        play.state.decoys[place] += 1
        play.state.markers[place] += 1
        play.tell("V7d", "event.decoy", to=play.taken.seat, place=self.place)
        play.then(play.taken)


def decoy_limit(state: VirtusState, seat: int, place: int) -> int:
    """V7d: as many decoys as units hidden there, unless the match has it otherwise."""
    cap = state.roster.rules.decoys
    if cap != "equal":
        return MOST_DECOYS if cap == "free" else 0
    return sum(bool(state.flags[i] & FACEDOWN) for i in units_at(state, seat, place))


class Fortify(Action):
    """V14.2a: the buyer of a fortified camp places it in a sector of his own, on clear ground or a hill."""

    def __init__(self, place: str) -> None:
        self.place: Final = place

    def refuse(self, state: VirtusState) -> Iterator[Refusal]:
        seat = state.decision.seat if state.decision else 0
        place = PLACE.get(self.place, -1)
        if place not in sectors(state, seat):
            yield Refusal("V14.2a", "refusal.not_your_camp", {"place": self.place})
            return
        if not camps_left(state, seat):
            yield Refusal("V14.2a", "refusal.no_camp_left")
        if not GROUND[state.terrain[place]].camp:
            yield Refusal("V14.2a", "refusal.camp_ground", {"ground": state.terrain[place]})
        if state.camp[place]:
            yield Refusal("V14.2a", "refusal.camp_stands", {"place": self.place})

    def perform(self, play: Play) -> None:
        place = PLACE[self.place]
        play.state.camp[place] = BOUGHT
        play.tell("V14.2a", "event.fortifies", to=play.taken.seat, place=self.place)
        play.then(play.taken)


BOUGHT = 2  # in the column of camps: placed by its buyer; 1: part of the scenario


def camps_left(state: VirtusState, seat: int) -> int:
    return state.roster.camps[seat] - sum(state.camp[p] == BOUGHT for p in sectors(state, seat))


def _waiting(state: VirtusState, seat: int) -> list[str]:
    roster = state.roster
    units = [roster.units[i].id for i in roster.of[seat] if state.place[i] == WAITING]
    return units + [roster.generals[g].id for g in roster.generals_of[seat] if state.gplace[g] == WAITING]


class Deployment(Closing):
    """V1.7b V1.7c: each side deploys unseen by the other; both are revealed together."""

    secret = True
    clause = "V1.7b"
    accepts = (Deploy, DeployRest, Decoy, Fortify, Done)

    def prompt(self, state: VirtusState) -> Message:
        left = len(_waiting(state, self.seat))
        return Message("prompt.deploy", {"side": SEATS[self.seat], "left": left})

    def unfinished(self, state: VirtusState) -> Iterator[Refusal]:
        left = len(_waiting(state, self.seat))
        if left:
            yield Refusal("V1.7b", "refusal.still_waiting", {"left": left})
        grounds = (state.terrain[p] for p in sectors(state, self.seat) if not state.camp[p])
        if camps_left(state, self.seat) and any(GROUND[ground].camp for ground in grounds):
            yield Refusal("V14.2a", "refusal.camp_waits")

    def offers(self, state: VirtusState) -> Iterator[Action]:
        own = [reserve(self.seat), *sectors(state, self.seat)]
        forests = [p for p in own if column(p) and GROUND[state.terrain[p]].markers]
        for name in _waiting(state, self.seat):
            for place in own:
                yield Deploy(name, PLACES[place])
            for place in forests:
                yield Deploy(name, PLACES[place], hidden=True)
        for place in forests:
            yield Decoy(PLACES[place])
        for place in own[1:] if camps_left(state, self.seat) else ():
            yield Fortify(PLACES[place])
        yield DeployRest()


class Reveal(Step):
    """V1.7c: the screen is taken away; markers in thick forest stay face down (V7d)."""

    def run(self, play: Play) -> None:
        play.reveal("V1.7c", "event.deployed")


class FirstPlayer(Step):
    """V1.7d: a die and the terrain elements of the own camp; the lower begins, ties are rolled again."""

    def run(self, play: Play) -> None:
        state: VirtusState = play.state
        elements = [sum(state.terrain[p] != "clear" for p in sectors(state, side)) for side in (0, 1)]
        while True:
            faces = [play.roll(6), play.roll(6)]
            totals = [faces[side] + elements[side] for side in (0, 1)]
            values = {"rome": totals[0], "barbarians": totals[1]}
            play.tell("V1.7d", "event.first_roll", **values)
            if totals[0] != totals[1]:
                break
        first = int(totals[1] < totals[0])
        play.tell("V1.7d", "event.first", side=SEATS[first])
        play.then(Turn(first, 1))
