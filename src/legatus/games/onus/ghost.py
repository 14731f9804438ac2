"""A card that is dragged: the nearest place that the rules allow, and what decided it.

``grip`` is what the player holds: the card itself (straight on, sideways, back, a charge), one of its front
corners (a wheel about the other one), or the handle of a turn about its middle.
"""

from __future__ import annotations

from collections.abc import Callable

from ...kernel import Action, Refusal, say, why_not
from ...kernel.rulebook import folder
from ...parts import plane
from ...parts.plane import FRONT_LEFT, FRONT_RIGHT, FULL, RIGHT_ANGLE, TOLERANCE, UNIT, Pose
from ...scene.model import Ghost, Line
from .crossing import Cross
from .hidden import label, named
from .motion import LIMITED, REGULAR, allowance, farthest
from .movement import CORNER_NAMES, Advance, Charge, Moving, Piece, Slide, Turn, Wheel, run_in
from .naming import say_name
from .passages import passage_at
from .setup import Deploying, Place
from .state import CARD, CROSSING, FIELD, OnusState, other
from .table import shape_of, units_on

CARD_GRIP, TURN_GRIP = "card", "turn"
GRIPS = (CARD_GRIP, TURN_GRIP, "front-left", "front-right")
STRAIGHT = 100  # tenths of a degree to either side that still mean straight on
SQUARE = 30  # so near to a right angle a turn or a slide is one
NEAR = 3 * UNIT  # how far tapes to enemies are drawn


def grips_of(state: OnusState, seat: int | None, i: int) -> tuple[str, ...]:
    """By what a player can drag a card now: all of his while he deploys, else the one that moves."""
    decision = state.decision
    if decision is None or decision.seat != seat or state.roster.units[i].side != seat:
        return ()
    if isinstance(decision, Deploying):
        return (CARD_GRIP, TURN_GRIP) if state.where[i] == FIELD else (CARD_GRIP,)
    if not isinstance(decision, Moving) or decision.unit != i:
        return ()
    return (CARD_GRIP,) if state.where[i] == CROSSING else GRIPS


def ghost(state: OnusState, seat: int, piece: str, grip: str, to: tuple[int, int], lang: str) -> Ghost | None:
    """What becomes of it; None if this card is not to be moved now."""
    i, decision = state.roster.index.get(piece, -1), state.decision
    if i < 0 or decision is None or decision.seat != seat or grip not in GRIPS:
        return None
    if isinstance(decision, Deploying) and state.roster.units[i].side == seat:
        return _deployed(state, i, grip, to, lang)
    if not isinstance(decision, Moving) or decision.unit != i:
        return None
    if grip == CARD_GRIP:
        return _carried(state, decision, to, lang)
    return _turned(state, decision, grip, to, lang)


def _snapped(angle: int) -> int:
    """A direction that is nearly a right angle is meant as one."""
    nearest = round(angle / RIGHT_ANGLE) * RIGHT_ANGLE
    return (nearest if abs(angle - nearest) <= SQUARE else angle) % FULL


# --- deployment ----------------------------------------------------------------------------------


def _deployed(state: OnusState, i: int, grip: str, to: tuple[int, int], lang: str) -> Ghost:
    """OH.field.2: a card is laid where the pointer is."""
    pose = state.pose[i]
    if grip == CARD_GRIP:
        facing = pose.turn if state.where[i] == FIELD else (0, FULL // 2)[state.roster.units[i].side]
        new = Pose(to[0], to[1], facing)
    else:
        new = Pose(pose.x, pose.y, _snapped(plane.bearing((pose.x, pose.y), to)))
    action = Place(state.roster.units[i].id, *new)
    against = why_not(state, action)
    reasons = tuple((_sentence(state, refusal, lang), refusal.clause) for refusal in against)
    return Ghost(pose=new, do="" if against else say(action), reasons=reasons)


# --- moves ---------------------------------------------------------------------------------------


def _carried(state: OnusState, moving: Moving, to: tuple[int, int], lang: str) -> Ghost:
    """OH.move.1 OH.move.3 OH.move.9: straight to where the pointer is, as far as that is allowed."""
    i = moving.unit
    pose = state.pose[i]
    far = round(((to[0] - pose.x) ** 2 + (to[1] - pose.y) ** 2) ** 0.5)
    angle = plane.between(pose.turn, plane.bearing((pose.x, pose.y), to))
    if abs(angle) <= STRAIGHT:
        far = round(far * plane.cosine(angle) / 10**9)

    def piece(distance: int) -> Piece:
        if state.where[i] == CROSSING:
            return Cross(distance if abs(angle) <= RIGHT_ANGLE else -distance)
        return Advance(distance) if abs(angle) <= STRAIGHT else Slide(_snapped(angle), distance)

    struck = _struck(state, i, to, far if abs(angle) <= STRAIGHT else 0)
    if struck is not None and not why_not(state, struck):
        return _answer(state, moving, struck, (), lang)
    return _nearest(state, moving, piece, far, lang, struck)


def _struck(state: OnusState, i: int, to: tuple[int, int], far: int) -> Charge | None:
    """OH.move.9: the enemy under the pointer, or else the nearest one that the card would run into."""
    pose, foes = state.pose[i], units_on(state, other(state.roster.units[i].side))
    shapes = {j: shape_of(state, j) for j in foes if state.where[j] == FIELD}
    found = [j for j, shape in shapes.items() if plane.contains(shape, Pose(*to))]
    if not found and far:
        way = plane.swept(pose, plane.moved(pose, 0, far), CARD)
        found = [j for j, shape in shapes.items() if way.intersects(shape)]
    own = shape_of(state, i)
    nearest = min(found, key=lambda j: plane.apart(own, shapes[j]), default=None)
    return None if nearest is None else Charge(label(state, nearest))


def _turned(state: OnusState, moving: Moving, grip: str, to: tuple[int, int], lang: str) -> Ghost:
    """OH.move.1 OH.move.3: a wheel about the corner that is not held, or a turn about the middle."""
    pose = state.pose[moving.unit]
    if grip == TURN_GRIP:
        wanted = plane.between(pose.turn, _snapped(plane.bearing((pose.x, pose.y), to)))
        return _nearest(state, moving, lambda n: Turn(n if wanted > 0 else -n), abs(wanted), lang)
    held = CORNER_NAMES.index(grip)
    pivot = FRONT_RIGHT if held == FRONT_LEFT else FRONT_LEFT
    corners = plane.corners(pose, CARD)
    start = plane.bearing(corners[pivot], corners[held])
    wanted = plane.between(start, plane.bearing(corners[pivot], to))

    def piece(tenths: int) -> Piece:
        return Wheel(CORNER_NAMES[pivot], tenths if wanted > 0 else -tenths)

    return _nearest(state, moving, piece, abs(wanted), lang)


def _nearest(
    state: OnusState,
    moving: Moving,
    piece: Callable[[int], Piece],
    far: int,
    lang: str,
    struck: Charge | None = None,
) -> Ghost:
    """The longest piece up to where the pointer is that is allowed, and why no longer one is."""
    pose = state.pose[moving.unit]
    wanted = piece(far) if far else None
    against = why_not(state, wanted) if wanted else []
    if struck is not None:
        against = [*why_not(state, struck), *against]
    reasons = tuple({_sentence(state, refusal, lang): refusal.clause for refusal in against}.items())
    best = farthest(far, lambda n: n == 0 or not why_not(state, piece(n)))
    best -= _over(state, moving, piece(best)) if best > 0 else 0
    if best <= 0:
        return Ghost(pose=pose, left=measure(moving.left(state)), reasons=reasons)
    return _answer(state, moving, piece(best), reasons, lang)


def _over(state: OnusState, moving: Moving, action: Piece) -> int:
    """By how much a piece of a move uses the tolerance of its allowance: nobody asks for that by hand."""
    path = action.path(state, moving.unit)
    if path is None or isinstance(action, Wheel | Turn):
        return 0
    mode = action.mode(state, moving.unit)
    kind = mode if mode != REGULAR else moving.mode
    kind = LIMITED if kind == REGULAR and moving.limits(path) else kind
    over = moving.spent + path.cost - allowance(state, moving.unit, kind)
    return over if 0 < over <= TOLERANCE else 0


def _answer(
    state: OnusState, moving: Moving, action: Action, reasons: tuple[tuple[str, str], ...], lang: str
) -> Ghost:
    """The pose after an action, its price, what the card would touch, and tapes to the enemies near it."""
    i = moving.unit
    if isinstance(action, Charge):
        path = run_in(state, i, named(state, action.target))
    else:
        assert isinstance(action, Piece)
        path = action.path(state, i)
    assert path is not None
    mode = action.mode(state, i) if isinstance(action, Piece) else moving.mode
    kind = mode if mode != "regular" else "limited" if moving.limits(path) else moving.mode
    left = allowance(state, i, kind) - moving.spent - path.cost
    narrow = path.where == CROSSING
    shape = plane.card(path.end, passage_at(state, path.passage, path.end.turn).markers if narrow else CARD)
    lines = [Line("way", _point(state.pose[i]), _point(path.end), measure(path.cost), "OH.move.1")]
    touches = []
    for j in units_on(state, other(moving.seat)):
        foe = shape_of(state, j)
        if plane.touches(shape, foe):
            touches.append(label(state, j))
        elif plane.reaches(shape, foe, NEAR):
            start, end = plane.nearest(shape, foe)
            far = measure(round(plane.apart(shape, foe)))
            lines.append(Line("tape", _rounded(start), _rounded(end), far, "OH.measure.1"))
    return Ghost(
        pose=path.end,
        do=say(action),
        cost=measure(path.cost),
        left=measure(max(0, left)),
        touches=tuple(touches),
        lines=tuple(lines),
        reasons=reasons,
    )


def measure(hundredths: int) -> str:
    """OH.measure.1: in DU."""
    return f"{hundredths / UNIT:g}"


def _point(pose: Pose) -> tuple[int, int]:
    return pose.x, pose.y


def _rounded(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def _sentence(state: OnusState, refusal: Refusal, lang: str) -> str:
    messages = folder(__file__).messages[lang]
    return messages.render(refusal, lambda word: say_name(state, word, lang))
