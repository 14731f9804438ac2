"""14 Flight inside a fortress: to the nearest wall that no enemy touches, and no farther."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Final

from ...kernel import Action, Decision, Message, Play, Refusal
from ...parts import plane
from ...parts.plane import TOLERANCE, Pose
from .hidden import label
from .morale import destroy, disturb
from .motion import friends_under, has_room
from .ramparts import faces, strips, strips_of, walls_by
from .sorts import CORNER
from .state import CARD, FIELD, NOBODY, SECTION, WALLS, OnusState, other
from .table import shape_of, units_on
from .walls import closed_pieces, lay, manning, tuck

ALONG = range(-3 * SECTION, 3 * SECTION + 1, SECTION)  # the marks of a wall at which a card may stand


def attacked_walls(state: OnusState, side: int) -> set[int]:
    """O4.flee.inside: the walls that an enemy touches."""
    foes = units_on(state, other(side))
    return {n for j in foes for n in walls_by(state, j) if _touches(state, j, n)}


def is_clear(state: OnusState, i: int, pose: Pose, attacked: set[int]) -> bool:
    """O4.flee.inside: a card would touch there no attacked wall and no enemy."""
    edges = [face.inner for n in attacked for face in faces(state, n)]
    foes = units_on(state, other(state.roster.units[i].side))
    card = plane.card(pose, CARD)
    return not any(strips(pose, CARD, 0, edge) for edge in edges) and not any(
        plane.touches(card, shape_of(state, j)) for j in foes
    )


def _touches(state: OnusState, j: int, n: int) -> bool:
    """OH.contact.1: a section of a unit lies against a face of a wall, within or without."""
    edges = [edge for face in faces(state, n) for edge in (face.outer, face.inner)]
    return any(strips_of(state, j, edge) for edge in edges)


def refuges(state: OnusState, i: int) -> list[tuple[int, Pose]]:
    """OH.flight.3: the nearest places for its card, overlap allowed, clear of enemies and what they touch.

    Clear of the place that it leaves, too, which the victor may take; if there is none, then not.
    """
    here, old = state.pose[i], shape_of(state, i)
    attacked = attacked_walls(state, state.roster.units[i].side)
    walls = [n for n in closed_pieces(state) if state.roster.structures[n].kind in WALLS]
    found = []
    for n in (n for n in walls if n not in attacked):
        shifts = (0,) if state.roster.structures[n].kind == CORNER else ALONG
        for post in manning(state, n):
            found += [(n, plane.moved(post, shift, 0)) for shift in shifts]
    away = sorted((hypot(pose.x - here.x, pose.y - here.y), n, pose) for n, pose in found)
    off = [place for place in away if not plane.touches(plane.card(place[2], CARD), old)]
    return _nearest(state, i, off, attacked) or _nearest(state, i, away, attacked)


def _nearest(
    state: OnusState, i: int, away: list[tuple[float, int, Pose]], attacked: set[int]
) -> list[tuple[int, Pose]]:
    """Of some places with their distances the nearest ones with room that are clear, one a wall."""
    nearest: list[tuple[int, Pose]] = []
    limit = 0.0
    for far, n, pose in away:
        if nearest and far > limit + TOLERANCE:
            break
        if has_room(state, i, pose) and is_clear(state, i, pose, attacked):
            limit = far if not nearest else limit
            nearest.append((n, pose))
    return list(dict(reversed(nearest)).items())[::-1]


def flee_inside(play: Play, i: int) -> None:
    """O4.flee.inside OH.flight.3: into the interior, at once; who finds no place is destroyed."""
    state: OnusState = play.state
    places = refuges(state, i)
    if not places:
        destroy(play, i, "OH.flight.3")
    elif len(places) == 1:
        take_refuge(play, i, places[0][1])
    else:
        play.then(Refuge(state.roster.units[i].side, i))


def take_refuge(play: Play, i: int, end: Pose) -> None:
    """O4.flee.breaks-friends O4.flee.stuck: through friends, whom it breaks; there it stays, underneath."""
    state: OnusState = play.state
    start = state.pose[i]
    if start != end:
        for j in friends_under(state, i, plane.hull(start, end, CARD)):
            disturb(play, j, "O4.flee.breaks-friends")
    state.where[i], state.inside[i], state.way[i], state.pose[i] = FIELD, NOBODY, 0, end
    lay(state, i)
    for j in [under for top, under in state.over if top == i]:
        tuck(state, i, j)
    play.tell("O4.flee.inside", "event.takes_refuge", unit=label(state, i))


class FleeTo(Action):
    """O4.flee.inside: to which of several walls that are equally near."""

    def __init__(self, structure: str) -> None:
        self.structure: Final = structure

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        refuge = state.decision
        n = state.roster.structure_index.get(self.structure, NOBODY)
        if isinstance(refuge, Refuge) and n not in dict(refuges(state, refuge.unit)):
            yield Refusal("O4.flee.inside", "refusal.no_refuge", {"structure": self.structure})

    def perform(self, play: Play) -> None:
        i = play.taken.unit
        n = play.state.roster.structure_index[self.structure]
        take_refuge(play, i, dict(refuges(play.state, i))[n])


class Refuge(Decision):
    """O4.flee.inside: the owner chooses between places that are equally near."""

    clause = "O4.flee.inside"
    accepts = (FleeTo,)

    def __init__(self, seat: int, unit: int) -> None:
        super().__init__(seat)
        self.unit: Final = unit

    def prompt(self, state: OnusState) -> Message:
        return Message("prompt.refuge", {"unit": state.roster.units[self.unit].id})

    def candidates(self, state: OnusState) -> list[Action]:
        structures = state.roster.structures
        return [FleeTo(structures[n].id) for n, _ in refuges(state, self.unit)]
