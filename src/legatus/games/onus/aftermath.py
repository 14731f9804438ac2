"""13 Melee: what follows a fight: the place left empty is taken."""

from __future__ import annotations

from collections.abc import Iterator

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Values
from ...parts import plane
from ...parts.plane import FRONT, UNIT, Pose
from .contact import Spot, in_melee, meets, spot
from .morale import unhook
from .motion import farthest, friends_under, has_room, solid
from .orders import Done
from .state import (
    CARD,
    CHARGED,
    FIELD,
    INSIDE,
    LOST,
    LUNGE,
    NO_FORMATION,
    NOBODY,
    VILLAGE,
    OnusState,
    other,
)
from .table import holder, shape_of, units_on

Place = tuple[int, Pose]  # the structure, or -1, and the pose


class After(Step, frozen=True):
    """OH.melee.10: whoever has beaten his enemy may take the place left empty."""

    attacker: int
    target: int
    mine: Place
    theirs: Place

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        for i, j, own, lost in (
            (self.attacker, self.target, self.mine, self.theirs),
            (self.target, self.attacker, self.theirs, self.mine),
        ):
            beaten = state.where[j] == LOST or state.fleeing[j]
            unmoved = state.pose[i] == own[1] and not state.fleeing[i]
            if beaten and unmoved and state.where[i] == FIELD:
                play.then(Following(state.roster.units[i].side, i, _room(state, i, lost), _home(state, lost)))


def _room(state: OnusState, i: int, lost: Place) -> int:
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


def _home(state: OnusState, lost: Place) -> int:
    """The village half that has become empty, or -1."""
    n = lost[0]
    empty = n != NOBODY and not state.gone[n] and holder(state, n) < 0
    return n if empty and state.roster.structures[n].kind == VILLAGE else NOBODY


class Follow(Action, frozen=True):
    """OH.melee.10 OH.trait.7: straight on into the place left empty, or half a move after a lunge."""

    distance: int

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        following = state.decision
        if isinstance(following, Following) and not 0 < self.distance <= following.reach(state):
            yield Refusal("OH.melee.10", "refusal.no_follow")

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i = play.taken.unit
        unhook(state, i)
        state.pose[i] = plane.moved(state.pose[i], 0, self.distance)
        play.tell("OH.melee.10", "event.follows", unit=state.roster.units[i].id)


class TakePlace(Action, frozen=True):
    """OH.melee.10 O4.village.occupy: into the village half that was left."""

    structure: str

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        following = state.decision
        if isinstance(following, Following):
            n = state.roster.structure_index.get(self.structure, NOBODY)
            if n < 0 or n != following.home or holder(state, n) >= 0:
                yield Refusal("OH.melee.10", "refusal.no_follow")

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        i, n = play.taken.unit, state.roster.structure_index[self.structure]
        pose = state.roster.structures[n].pose
        unhook(state, i)
        state.where[i], state.inside[i] = INSIDE, n
        state.pose[i] = Pose(pose.x, pose.y, state.pose[i].turn)
        state.formation[i], state.wings[i] = NO_FORMATION, 0
        unit = state.roster.units[i].id
        play.tell("O4.village.occupy", "event.occupies", unit=unit, structure=self.structure)


class Following(Decision, frozen=True):
    """OH.melee.10: the advance after victory is voluntary."""

    unit: int
    far: int
    home: int = NOBODY
    clause = "OH.melee.10"
    accepts = (Follow, TakePlace, Done)

    def prompt(self, state: OnusState) -> Message:
        values: Values = {"unit": state.roster.units[self.unit].id}
        return Message("prompt.follow", values)

    def reach(self, state: OnusState) -> int:
        """How far straight on is free, and not against another enemy."""
        i = self.unit
        pose = state.pose[i]
        foes = [shape_of(state, j) for j in units_on(state, other(state.roster.units[i].side))]
        blocks = solid(state, i)

        def is_free(n: int) -> bool:
            end = plane.moved(pose, 0, n)
            cover = plane.swept(pose, end, CARD)
            card = plane.card(end, CARD)
            return (
                not any(cover.intersects(shape) for shape in blocks)
                and has_room(state, i, end)
                and not friends_under(state, i, cover)
                and not any(plane.touches(card, foe) for foe in foes)
            )

        if self.far <= 0 or is_free(self.far):
            return max(0, self.far)
        return max(0, farthest(self.far, is_free))

    def is_moot(self, state: OnusState) -> bool:
        held = state.where[self.unit] != FIELD or bool(in_melee(state, self.unit))
        return held or (self.reach(state) <= 0 and self.home == NOBODY)

    def candidates(self, state: OnusState) -> list[Action]:
        found: list[Action] = []
        if self.home != NOBODY:
            found.append(TakePlace(state.roster.structures[self.home].id))
        reach = self.reach(state)
        return [*([Follow(reach)] if reach > 0 else []), *found, Done()]
