"""13 Melee: what follows a fight: the place left empty is taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from ...parts import plane
from ...parts.plane import FRONT, UNIT, Pose
from .assault import THICK, Place, step_in
from .contact import FLANKS, Spot, in_melee, meets, sections, spot
from .morale import unhook
from .motion import farthest, friends_on, has_room, swept, walls
from .orders import Done
from .ramparts import can_man, faced, in_siege_tower, is_within
from .state import (
    CARD,
    CHARGED,
    FIELD,
    LOST,
    LUNGE,
    NOBODY,
    SIEGE,
    TOWERS,
    VILLAGE,
    OnusState,
    other,
)
from .table import holder, shape_of, units_on
from .walls import lay

Stood = tuple[int, Pose]  # the structure, or -1, and the pose


class After(Step):
    """OH.melee.10: whoever has beaten his enemy may take the place left empty."""

    def __init__(
        self,
        attacker: int,
        target: int,
        mine: Stood,
        theirs: Stood,
        under: tuple[tuple[int, ...], tuple[int, ...]] = ((), ()),  # on whom each of them lay
    ) -> None:
        self.attacker: Final = attacker
        self.target: Final = target
        self.mine: Final = mine
        self.theirs: Final = theirs
        self.under: Final = under

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        for i, j, own, lost, under in (
            (self.attacker, self.target, self.mine, self.theirs, self.under[1]),
            (self.target, self.attacker, self.theirs, self.mine, self.under[0]),
        ):
            beaten = state.where[j] == LOST or state.fleeing[j]
            unmoved = state.pose[i] == own[1] and not state.fleeing[i] and state.where[i] != LOST
            if not beaten or not unmoved:
                continue
            seat = state.roster.units[i].side
            if comes_over(state, i):
                play.then(Taking(seat, i, lost[1], lost[0], bool(under)))
            elif state.where[i] == FIELD:
                play.then(Following(seat, i, _room(state, i, lost), _home(state, i, lost)))


def _room(state: OnusState, i: int, lost: Stood) -> int:
    """OH.melee.10 OH.trait.7: how far it may go: through the empty place; half a move after a lunge."""
    unit = state.roster.units[i]
    lunge = LUNGE in unit.kind.traits and bool(state.flags[i] & CHARGED)
    half = unit.kind.move * UNIT // 2 if lunge else 0
    if lost[0] != NOBODY or not meets(spot(state, i), Spot(lost[1], CARD))[FRONT]:
        return half
    front = plane.at(state.pose[i], 0, CARD.depth / 2)
    depths = [_ahead(state.pose[i], front, corner) for corner in plane.corners(lost[1], CARD)]
    return max(half, round(max(depths)))


def _ahead(pose: Pose, start: plane.XY, point: plane.XY) -> float:
    s, c = plane.sine(pose.turn) / 10**9, plane.cosine(pose.turn) / 10**9
    return (point[0] - start[0]) * s - (point[1] - start[1]) * c


def _home(state: OnusState, i: int, lost: Stood) -> int:
    """The village half that has become empty, or the tower if it was fought from inside; or -1."""
    n = lost[0]
    if n == NOBODY or state.gone[n] or holder(state, n) >= 0:
        return NOBODY
    kind = state.roster.structures[n].kind
    storms = kind in TOWERS and can_man(state, i) and is_within(state, i)  # O5.assault.take-space
    return n if kind == VILLAGE or storms else NOBODY


class Follow(Action):
    """OH.melee.10 OH.trait.7: straight on into the place left empty, or half a move after a lunge."""

    def __init__(self, distance: int) -> None:
        self.distance: Final = distance

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        following = state.decision
        if isinstance(following, Following) and not following.allows(state, self.distance):
            yield Refusal("OH.melee.10", "refusal.no_follow")

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i = play.taken.unit
        unhook(state, i)
        state.pose[i], state.way[i] = plane.moved(state.pose[i], 0, self.distance), 0
        lay(state, i)
        play.tell("OH.melee.10", "event.follows", unit=state.roster.units[i].id)


class TakePlace(Action):
    """OH.melee.10 O4.village.occupy: into the village half that was left."""

    def __init__(self, structure: str) -> None:
        self.structure: Final = structure

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        following = state.decision
        if isinstance(following, Following):
            n = state.roster.structure_index.get(self.structure, NOBODY)
            if n < 0 or n != following.home or holder(state, n) >= 0:
                yield Refusal("OH.melee.10", "refusal.no_follow")

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i, n = play.taken.unit, state.roster.structure_index[self.structure]
        village = state.roster.structures[n].kind == VILLAGE
        step_in(play, i, n, "O4.village.occupy" if village else "O5.assault.take-space")


class Following(Decision):
    """OH.melee.10: the advance after victory is voluntary."""

    clause = "OH.melee.10"
    accepts = (Follow, TakePlace, Done)

    def __init__(self, seat: int, unit: int, far: int, home: int = NOBODY) -> None:
        super().__init__(seat)
        self.unit: Final = unit
        self.far: Final = far
        self.home: Final = home

    def prompt(self, state: OnusState) -> Message:
        values: Values = {"unit": state.roster.units[self.unit].id}
        return Message("prompt.follow", values)

    def allows(self, state: OnusState, distance: int) -> bool:
        """Whether so far straight on is free, on nobody's card and not against another enemy."""
        i = self.unit
        way = state.pose[i], plane.moved(state.pose[i], 0, distance)
        foes = units_on(state, other(state.roster.units[i].side))
        return (
            0 < distance <= self.far
            and not swept(state, i, way, walls(state, i))
            and has_room(state, i, way[1])
            and not friends_on(state, i, way)
            and not any(plane.touches(shape_of(state, i, 0, way[1]), shape_of(state, j)) for j in foes)
        )

    def reach(self, state: OnusState) -> int:
        """How far it may go."""
        if self.far <= 0 or self.allows(state, self.far):
            return max(0, self.far)
        return farthest(self.far, lambda n: n == 0 or self.allows(state, n))

    def is_moot(self, state: OnusState) -> bool:
        held = state.where[self.unit] != FIELD or bool(in_melee(state, self.unit))
        return held or (self.reach(state) <= 0 and self.home == NOBODY)

    def candidates(self, state: OnusState) -> list[Action]:
        found: list[Action] = []
        if self.home != NOBODY:
            found.append(TakePlace(state.roster.structures[self.home].id))
        reach = self.reach(state)
        return [*([Follow(reach)] if reach > 0 else []), *found, Done()]


# --- over a wall ---------------------------------------------------------------------------------


def comes_over(state: OnusState, i: int) -> bool:
    """O4.beat-defender.occupy: it fights over a wall, or for the tower that it has climbed."""
    if state.climbs[i] != NOBODY:
        return state.climbed[i] >= state.roster.structures[state.climbs[i]].sort.height
    return in_siege_tower(state, i)


class TakeOver(Action):
    """O4.beat-defender.occupy O5.assault.take-space: into the loser's place, or into his tower."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        taking = state.decision
        if isinstance(taking, Taking) and taking.place(state) is None:
            yield Refusal("O4.beat-defender.occupy", "refusal.no_follow")

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        taking: Taking = play.taken
        place = taking.place(state)
        assert place is not None
        step_in(play, taking.unit, place, "O4.beat-defender.occupy")
        play.then(FlankFight(taking.unit))


class Taking(Decision):
    """O5.assault.take-space: whoever has beaten a defender may take the place left empty, or stay."""

    clause = "O5.assault.take-space"
    accepts = (TakeOver, Done)

    def __init__(
        self,
        seat: int,
        unit: int,
        pose: Pose,  # of the loser
        home: int,  # the tower in which he was, or -1
        stacked: bool,  # he lay over another unit
    ) -> None:
        super().__init__(seat)
        self.unit: Final = unit
        self.pose: Final = pose
        self.home: Final = home
        self.stacked: Final = stacked

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.atop", {"unit": state.roster.units[self.unit].id})

    def place(self, state: OnusState) -> Place | int | None:
        """O4.beat-defender.occupy: the tower, or the loser's place, its front inwards."""
        i = self.unit
        if SIEGE in state.roster.units[i].kind.traits or state.where[i] == LOST or self.stacked:
            return None
        if self.home != NOBODY:
            free = not state.gone[self.home] and holder(state, self.home) < 0
            return self.home if free else None
        inwards = self._inwards(state)
        ends = []
        if plane.between(self.pose.turn, inwards) % (plane.FULL // 2) == 0:
            ends.append(Pose(self.pose.x, self.pose.y, inwards))
        if state.where[i] == FIELD:
            ends.append(plane.moved(state.pose[i], 0, THICK))
        return next(((end, NOBODY) for end in ends if has_room(state, i, end)), None)

    def _inwards(self, state: OnusState) -> int:
        """The direction in which it came over the wall."""
        if state.where[self.unit] == FIELD:
            return state.pose[self.unit].turn
        n = next(iter(faced(state, self.unit)), NOBODY)
        return (state.roster.structures[n].pose.turn + plane.FULL // 2) % plane.FULL if n >= 0 else 0

    def is_moot(self, state: OnusState) -> bool:
        return self.place(state) is None

    def candidates(self, state: OnusState) -> list[Action]:
        return [TakeOver(), Done()]


class FlankFight(Step):
    """O4.beat-defender.flank-fight: who touches a flank of who has come in fights him in this turn, again."""

    def __init__(self, unit: int) -> None:
        self.unit: Final = unit

    def run(self, play: Play) -> None:
        from .melee import settle

        state: OnusState = play.state
        i = self.unit
        foes = units_on(state, other(state.roster.units[i].side))
        beside = {j for j in foes if any(sections(state, i, j)[side] for side in FLANKS)}
        settle(state, lambda fought: tuple(pair for pair in fought if i not in pair or not beside & {*pair}))
