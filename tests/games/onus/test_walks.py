"""Walks at random through whole positions: what holds whatever is played, in the open and in a fortress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random

import pytest

from legatus.games import GAMES
from legatus.games.onus import ONUS, turn
from legatus.games.onus.charges import run_in
from legatus.games.onus.choke import sides
from legatus.games.onus.contact import opponents, sections
from legatus.games.onus.motion import LIMITED, REDUCED, REGULAR, walls
from legatus.games.onus.pieces import OnTheMove, Piece
from legatus.games.onus.ramparts import faced, manned
from legatus.games.onus.sorts import CORNER
from legatus.games.onus.state import CARD, FIELD, NOBODY, RESERVE, OnusState
from legatus.games.onus.table import engaged, position
from legatus.games.onus.view import invariants
from legatus.games.onus.walls import beside, friends_at, is_in_line, through
from legatus.kernel import Action, Match, Play, Seeded, apply, legal, say
from legatus.kernel.engine import _advance
from legatus.kernel.objects import replace
from legatus.kernel.records import digest, parse_record, record_text
from legatus.parts import plane
from legatus.parts.plane import FULL, LEFT, RIGHT, RIGHT_ANGLE, Pose
from tests.rules import rule

from .stage import battle

OUTSIDE = (
    "A principes 10 5.2 general ram; B hastati 11.76 5.2; C archers 8.24 7; D onager 13 9;"
    "E triarii 8.24 5.2; F velites 11.76 7; G elephants 3 6; H hastati in=cart"
)
GARRISON = (
    "X african-infantry 10 3.88 general; Y hastati 11.76 3.88; Z archers in=tower-2; W scorpion in=tower-1;"
    "V iberian-infantry 8.24 3.88; U slingers 10 2.6; T numidian-cavalry 12 2.6"
)
THINGS = "cart siege-tower 5.6 5.2 owner=attacker; half village 15.5 8; other village 17.26 8"
FIELDS = ("wood forest 8 8 3x2; hill hill 13 8 4x2 20; tarn lake 10.5 7 1.5x1 30; rock mountain 5 7 1x2", "")


def siege(seed: int) -> OnusState:
    """Both armies at the walls, and the turn of one of them."""
    fort = f"standard 10 3 {('wood', 'stone')[seed % 2]}"
    return begun(battle(OUTSIDE, GARRISON, fortress=fort, structure=THINGS), seed)


def field(seed: int) -> OnusState:
    """Two armies close to each other in rough ground."""
    rng, names = Random(seed), iter("ABCDEFGHIJKL")
    sides = [_row(rng, names, turn) for turn in (0, 180)]
    state = battle(*sides, ground=FIELDS[seed % 2], structure="v village 15 10; w barricade 9 9.5")
    return begun(cleared(state), seed)


def _row(rng: Random, names: Iterator[str], turn: int) -> str:
    kinds = rng.sample(["hastati", "velites", "triarii", "roman-cavalry", "elephants", "archers"], 6)
    rows = [(next(names), kind, rng.uniform(4, 16), rng.uniform(6, 12), rng.gauss(0, 40)) for kind in kinds]
    return ";".join(f"{name} {kind} {x:.2f} {y:.2f} {turn + aside:.1f}" for name, kind, x, y, aside in rows)


def cleared(state: OnusState) -> OnusState:
    """The position without those who stand where they cannot."""
    index = state.roster.index
    while faults := list(invariants(state)):
        state.where[next(index[word] for word in faults[0].split() if word in index)] = RESERVE
    return state


def begun(state: OnusState, seed: int) -> OnusState:
    state.turn, state.todo = 0, [turn.PlayerTurn(seed % 2), turn.Opening()]
    return _advance(Play(state, Seeded(f"begin {seed}"))).state


def walk(state: OnusState, seed: int, steps: int) -> Iterator[tuple[OnusState, Action, OnusState]]:
    """What somebody does who takes any legal action, moves rather than words: before, the action, after."""
    rng = Random(seed)
    for n in range(steps):
        choice = legal(state)
        if not choice:
            return
        moves = [one for one in choice if say(one).split()[0] not in ("done", "halt", "throw-away")]
        action = rng.choice(moves if moves and rng.random() < 0.8 else choice)
        after = apply(state, action, Seeded(f"{seed}/{n}")).state
        yield state, action, after
        state = after


Make = Callable[[int], OnusState]
START = [pytest.param(make, n, id=f"{make.__name__}-{n}") for make in (siege, field) for n in range(3)]


@rule("OH.move.8", "OH.field.1", "O3.impassable", "O4.overlap.align", "O4.wall.inner-contact", "O2.overlap")
@pytest.mark.parametrize(("make", "seed"), START)
def test_no_legal_action_leaves_cards_where_they_cannot_lie(make: Make, seed: int) -> None:
    done = 0
    for _, action, after in walk(make(seed), seed, 120):
        assert list(invariants(after)) == [], say(action)
        done += 1
    assert done > 50


@rule("O4.overlap.choose-top")
@pytest.mark.parametrize("seed", range(3))
def test_of_two_cards_that_overlap_one_lies_on_top(seed: int) -> None:
    for _, action, after in walk(siege(seed), 10 + seed, 100):
        on = [i for i, where in enumerate(after.where) if where == FIELD and not after.fleeing[i]]
        under = [(i, j) for i in on for j in friends_at(after, i, after.pose[i]) if j in on]
        inline = {pair for pair in under if is_in_line(*(after.pose[i] for i in pair))}
        assert {pair for pair in after.over if {*pair} <= {*on}} <= inline, say(action)
        assert all((pair in after.over) != (pair[::-1] in after.over) for pair in inline), say(action)


@rule("O3.impassable", "O4.wall.attacker-ways", "O4.gate.pass", "O4.wall.breach-move")
@pytest.mark.parametrize(("make", "seed"), START)
def test_no_piece_of_a_move_passes_through_what_blocks_it(make: Make, seed: int) -> None:
    for state, action, _ in walk(make(seed), 20 + seed, 80):
        if not isinstance(action, Piece) or not isinstance(state.decision, OnTheMove):
            continue
        i = state.decision.unit
        path = action.path(state, i)
        assert path is not None
        gaps = through(state, i, path.stations)
        spared = beside(state, gaps) if gaps else []
        spared += sides(state, path.passage) if path.passage != NOBODY else []  # on section markers
        blocks = [one.shape for one in walls(state, i) if one not in spared]
        under = [one for one in blocks if plane.card(state.pose[i], CARD, 4).intersects(one)]
        for pose in _between(path.stations):
            card = plane.card(pose, CARD, 4)
            assert not any(card.intersects(one) for one in blocks if one not in under), say(action)


def _between(stations: tuple[Pose, ...]) -> Iterator[Pose]:
    for a, b in pairwise(stations):
        for step in range(9):
            x, y = a.x + (b.x - a.x) * step / 8, a.y + (b.y - a.y) * step / 8
            yield Pose(round(x), round(y), (a.turn + plane.between(a.turn, b.turn) * step // 8) % FULL)


@rule("OH.move.1", "OH.move.5", "O2.difficult.cost")
@pytest.mark.parametrize(("make", "seed"), START)
def test_what_a_piece_costs_is_its_length_and_what_is_difficult_of_it(make: Make, seed: int) -> None:
    for state, action, after in walk(make(seed), 30 + seed, 80):
        moving = state.decision
        if not isinstance(action, Piece) or not isinstance(moving, OnTheMove):
            continue
        path = action.path(state, moving.unit)
        assert path is not None
        a, b = path.stations[0], path.end
        far = ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5
        if a.turn == b.turn and len(path.stations) == 2:
            assert far - 2 <= path.cost <= 2 * far + 3
            assert (path.cost > far + 2) <= path.ground
        assert after.spent[moving.unit] == moving.spent + path.cost
        assert moving.mode in (REGULAR, LIMITED, REDUCED)


# --- mirrors -------------------------------------------------------------------------------------


def mirrored(state: OnusState) -> OnusState:
    """The same position seen in a mirror: east is west."""
    wide, roster = state.roster.width, state.roster
    turned = {n: RIGHT_ANGLE for n, one in enumerate(roster.structures) if one.kind == CORNER}
    poses = [_flipped(one.pose, wide, turned.get(n, 0)) for n, one in enumerate(roster.structures)]
    structures = tuple(
        replace(one, pose=pose, outline=_outline(one.outline, wide))
        for one, pose in zip(roster.structures, poses, strict=True)
    )
    grounds = tuple(replace(one, outline=_outline(one.outline, wide)) for one in roster.grounds)
    keep = roster.keep
    if keep is not None:
        keep = replace(keep, outline=_outline(keep.outline, wide), floor=_outline(keep.floor, wide))
    new = state.copy()
    new.roster = replace(roster, structures=structures, grounds=grounds, keep=keep)
    new.pose = [_flipped(pose, wide) for pose in state.pose]
    new.spots = [_flipped(pose, wide, turned.get(n, 0)) for n, pose in enumerate(state.spots)]
    new.wings = [(wings & 1) * 2 + wings // 2 for wings in state.wings]
    return new


def _outline(points: tuple[tuple[int, int], ...], wide: int) -> tuple[tuple[int, int], ...]:
    return tuple((wide - x, y) for x, y in reversed(points))


def _flipped(pose: Pose, wide: int, more: int = 0) -> Pose:
    return Pose(wide - pose.x, pose.y, (-pose.turn - more) % FULL)


def _counts(found: tuple[tuple[int, ...], ...]) -> list[int]:
    return [len(numbers) for numbers in found]


@rule("OH.measure.1", "OH.move.9", "OH.contact.1")
@pytest.mark.parametrize(("make", "seed"), START)
def test_in_a_mirror_the_same_units_touch_and_can_charge(make: Make, seed: int) -> None:
    compared = 0
    for n, (state, _, _) in enumerate(walk(make(seed), 40 + seed, 80)):
        if n % 16 == 0:
            compared += _agree(state, mirrored(state))
    assert compared


def _agree(here: OnusState, there: OnusState) -> int:
    """Contact and charges are the same in two positions; how many charges there are."""
    assert list(invariants(there)) == []
    charges = 0
    for i, j in _pairs(here):
        mine, theirs = (_counts(sections(state, i, j)) for state in (here, there))
        theirs[RIGHT], theirs[LEFT] = theirs[LEFT], theirs[RIGHT]
        assert mine == theirs
        ways = [run_in(state, i, j) for state in (here, there)]
        assert (ways[0] is None) == (ways[1] is None)
        if ways[0] is not None and ways[1] is not None:
            charges += 1
            assert abs(ways[0].cost - ways[1].cost) <= 2
            assert ways[0].limited == ways[1].limited
    for ask in (opponents, engaged, manned, faced):
        for i in position(here).patches:
            assert sorted(ask(here, i)) == sorted(ask(there, i)), ask.__name__
    return charges


def _pairs(state: OnusState) -> list[tuple[int, int]]:
    on, units = list(position(state).patches), state.roster.units
    return [(i, j) for i in on for j in on if units[i].side != units[j].side]


# --- replays -------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["crossings", "first-siege"])
def test_a_replay_is_the_same_to_the_last_bit(scenario: str) -> None:
    match, rng = Match.new(ONUS, ONUS.configure(scenario), Seeded(scenario)), Random(scenario)
    for n in range(80):
        match.play(rng.choice(legal(match.state)), Seeded(f"{scenario} {n}"))
    text = record_text(match)
    again = parse_record(GAMES, text)
    assert record_text(again) == text
    assert [digest(state) for state in again.states] == [digest(state) for state in match.states]
