"""6: torches, incendiary missiles, fires at the end of turns, collapse, and putting them out."""

from __future__ import annotations

from typing import Final

import pytest

from legatus.games.onus.cards import CARDS, card_id
from legatus.games.onus.combat import NoEvent, PlayEvent
from legatus.games.onus.damage import is_burning, sections_at
from legatus.games.onus.fire import Extinguish, Ignite, Structures, Torches, doused, torch_dice
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.modifiers import has_priority, structure_cover
from legatus.games.onus.movement import Move, Moves
from legatus.games.onus.orders import Done
from legatus.games.onus.razing import PlaceFire, Remainder, Spread, harm
from legatus.games.onus.shooting import Shoot, Shooting
from legatus.games.onus.state import NOBODY, OnusState
from legatus.games.onus.stones import Stones
from legatus.kernel import Play, Step, legal
from tests.rules import rule

from .stage import (
    CALM,
    at,
    battle,
    card,
    do,
    go_on,
    hold,
    index,
    is_lost,
    keys,
    over,
    refusals,
    run,
    told,
    values,
    wounds,
)

# The standard fortress with its middle at (10, 3): its front is at y 4.76, its inner face at 4.32.
# From the east: tower-1, wall-1 (x 10.88 to 12.64), gate-1 (9.12 to 10.88), wall-2 (7.36 to 9.12), tower-2.
FORT = "standard 10 3"
FOOT = 5.2  # the y of a card whose front lies against the front of the fortress
CALM_TOO = next(n for n, (_, event) in enumerate(CARDS) if n != CALM and event == "no-event")
TOP = 3.88  # the y of a card that mans it


def siege(attacker: str = "", defender: str = "", fortress: str = FORT, **more: str) -> OnusState:
    return battle(attacker, defender, fortress=fortress, **more)  # type: ignore[arg-type]


def piece(state: OnusState, name: str) -> int:
    return state.roster.structure_index[name]


def torch(state: OnusState, *dice: int, at_: str = "wall-1", gate: bool = False) -> Play:
    """A uses torches; the first number is the card that is turned."""
    return do(at(state, Torches(0)), Ignite("A", at_, gate), dice)


def barred(state: OnusState, structure: str = "wall-1", gate: bool = False) -> list[str]:
    return refusals(at(state, Torches(0)), Ignite("A", structure, gate))


def end_turn(state: OnusState, *dice: int) -> OnusState:
    """Step 6 of a turn."""
    after: OnusState = go_on(at(state, Structures()), dice).state
    return after


def aflame(state: OnusState, name: str, old: int, new: int = 0) -> OnusState:
    state = state.copy()
    state.fire[piece(state, name)], state.lit[piece(state, name)] = old, new
    return state


# --- torches -------------------------------------------------------------------------------------


@rule("O6.ignite.dice", "O6.ignite.split")
@pytest.mark.parametrize(
    ("x", "dice"),
    [
        (11.76, {"wall-1": 3}),  # all four on one wall
        (10.88, {"wall-1": 1, "gate-1": 1}),  # two and two
        (11.32, {"wall-1": 2, "gate-1": 0}),  # three and one
    ],
)
def test_one_die_less_than_sections(x: float, dice: dict[str, int]) -> None:
    state = siege(f"A hastati {x} {FOOT}")
    found = {name: torch_dice(state, 0, piece(state, name), gate=False) for name in dice}
    assert found == dice
    able = {(action.structure, action.gate) for action in legal(at(state, Torches(0))) if action != Done()}
    assert {name for name, gate in able if not gate} == {name for name, number in dice.items() if number}


@rule("O6.ignite.dice")
def test_a_single_section_lights_nothing() -> None:
    state = siege(f"A hastati 11.32 {FOOT}")
    assert [len(sections_at(state, 0, piece(state, name))) for name in ("wall-1", "gate-1")] == [3, 1]
    assert barred(state, "gate-1") == ["O6.ignite.dice"]


@rule("O6.ignite.dice", "O4.gate.melee-choice")
@pytest.mark.parametrize(("x", "dice"), [(10, 1), (10.44, 1), (10.88, 0), (11.32, 0)])
def test_at_the_gate_itself_too_a_single_section_lights_nothing(x: float, dice: int) -> None:
    """The gate is in the two middle sections of its wall, x 9.56 to 10.44."""
    state = siege(f"A hastati {x} {FOOT}")
    assert torch_dice(state, 0, piece(state, "gate-1"), gate=True) == dice


@rule("O6.ignite.split")
def test_four_sections_round_a_tower_roll_three_dice() -> None:
    """Two are before tower-2, and the other two find room on its left; what is at a wall stays there."""
    state = siege(f"A hastati 6.48 {FOOT}")
    n = piece(state, "tower-2")
    assert len(sections_at(state, 0, n)) == 2
    assert torch_dice(state, 0, n, gate=False) == 3
    one_at_wall = siege(f"A hastati 6.92 {FOOT}")
    assert torch_dice(one_at_wall, 0, n, gate=False) == 2
    no_room = siege(f"A hastati 6.48 {FOOT}; B hastati 6.04 3.88 270")
    assert torch_dice(no_room, 0, n, gate=False) == 1


@rule("O6.ignite.split")
def test_both_walls_may_be_tried_each_once() -> None:
    state = siege(f"A hastati 10.88 {FOOT}")
    # hastati 3/2 against 6: a 4 hits, damage needs a 5
    once = torch(state, CALM, 4, 5)
    assert refusals(once.state, Ignite("A", "wall-1")) == ["O6.ignite.who"]
    twice = do(once.state, Ignite("A", "gate-1"), [CALM_TOO, 3])
    assert over(twice.state)
    assert [twice.state.lit[piece(twice.state, name)] for name in ("wall-1", "gate-1")] == [1, 0]


@rule("O6.ignite.who", "OH.dice.4", "O1.fire-marker", "O6.fire.example")
def test_each_success_is_a_fire_marker_and_a_six_counts_once() -> None:
    state = siege(f"A hastati 11.76 {FOOT}")
    play = torch(state, CALM, 4, 6, 3, 5, 6)
    n = piece(play.state, "wall-1")
    assert (play.state.lit[n], play.state.fire[n], play.state.damage[n]) == (2, 0, 0)
    assert is_burning(play.state, n)
    assert values(play, "event.torch") == {"unit": "A", "dice": 3, "markers": 2}
    after = end_turn(end_turn(play.state))
    assert after.damage[n] == 2


@rule("OH.dice.4", "OH.trait.2", "OH.broken.1")
def test_torches_have_the_melee_values() -> None:
    # triarii 4/3 against 6: a 3 hits, damage needs a 4; ones are rolled again
    play = torch(siege(f"A triarii 11.76 {FOOT}"), CALM, 1, 3, 2, 3, 4, 3)
    assert play.state.lit[piece(play.state, "wall-1")] == 1
    broken = torch(siege(f"A triarii 11.76 {FOOT} broken"), CALM, 3, 3, 3)
    assert not any(broken.state.lit)


@rule("O6.ignite.who", "O4.mounted.engage")
def test_who_uses_torches() -> None:
    assert barred(siege(f"A roman-cavalry 11.76 {FOOT}")) == []
    assert barred(siege(f"A onager 11.76 {FOOT}")) == ["O6.ignite.who"]
    assert barred(siege(f"A elephants 11.76 {FOOT}")) == ["O6.ignite.who"]
    assert barred(siege(f"A hastati 11.76 {FOOT} still")) == ["O6.ignite.who"]
    assert keys(at(siege(f"A hastati 11.76 {FOOT} still"), Torches(0)), Ignite("A", "wall-1")) == [
        "refusal.not_activated"
    ]
    assert barred(siege(f"A hastati 11.76 {FOOT} fleeing")) == ["OH.flight.1"]
    assert barred(siege("A hastati 11.76 6"), "wall-1") == ["O6.ignite.dice"]
    assert barred(siege(f"A hastati 11.76 {FOOT}", fortress=f"{FORT} stone")) == ["O4.gate.material"]


@rule("O6.ignite.who", "OH.turn.4")
def test_not_in_melee_not_with_a_ram_and_not_while_climbing() -> None:
    fighting = siege(f"A hastati 11.76 {FOOT}", "X hastati 11.76 6.08 0")
    assert "OH.turn.4" in barred(fighting)
    ram = siege(f"A hastati 11.76 {FOOT}")
    ram.ram[0] = 1
    assert barred(ram) == ["O5.ram.not-incendiary"]
    climber = siege(f"A hastati 11.76 {FOOT}")
    climber.climbs[0] = piece(climber, "wall-1")
    assert barred(climber) == ["O6.fire.no-climbing"]


@rule("O6.ignite.who")
def test_nobody_burns_what_his_own_side_holds() -> None:
    state = siege(f"A hastati 11.76 {TOP} 180", "X hastati 8.24 3.88")
    assert barred(state) == ["O6.ignite.who"]  # inside, on the wall that it has taken
    inside = battle(
        "A hastati 12 9; B hastati in=post", "X hastati 16 9", structure="post watchtower 12 8.12"
    )
    assert barred(inside, "post") == ["O6.ignite.who"]
    own = battle("", f"X hastati 11.76 {FOOT} 0", fortress=FORT, active="defender")
    assert refusals(at(own, Torches(1)), Ignite("X", "wall-1")) == ["O6.ignite.who"]


@rule("O4.gate.material", "O4.gate.melee-choice", "O4.gate.resistance")
def test_a_gate_burns_even_in_a_stone_wall() -> None:
    stone = siege(f"A hastati 10 {FOOT}", fortress=f"{FORT} stone")
    assert barred(stone, "gate-1") == ["O4.gate.material"]
    assert legal(at(stone, Torches(0))) == [Ignite("A", "gate-1", True), Done()]
    # two sections at the gate: one die; 3/2 against 6
    assert torch(stone, CALM, 4, 5, at_="gate-1", gate=True).state.lit[piece(stone, "gate-1")] == 1
    assert not any(torch(stone, CALM, 4, 4, at_="gate-1", gate=True).state.lit)
    # a wooden wall has resistance 6, its gate 5
    wood = siege(f"A hastati 10 {FOOT}")
    assert set(legal(at(wood, Torches(0)))) == {Ignite("A", "gate-1"), Ignite("A", "gate-1", True), Done()}
    assert torch(wood, CALM, 3, 4, at_="gate-1", gate=True).state.lit[piece(wood, "gate-1")] == 1
    assert barred(siege(f"A hastati 11.76 {FOOT}"), "wall-1", gate=True)[0] == "O4.gate.melee-choice"


@rule("O4.gate.material")
def test_with_the_gate_of_a_stone_wall_its_fire_is_gone() -> None:
    state = aflame(siege(f"A hastati 10 {FOOT}", fortress=f"{FORT} stone"), "gate-1", 2, 1)
    n = piece(state, "gate-1")
    state.damage[n] = 4
    after = end_turn(state)
    assert (after.damage[n], after.fire[n], after.lit[n], after.gone[n]) == (6, 0, 0, 0)
    assert barred(after, "gate-1", gate=True)[0] == "O4.gate.melee-choice"
    wooden = aflame(siege(), "gate-1", 2)
    wooden.damage[n] = 3
    assert end_turn(wooden).fire[n] == 2  # the wall of wood burns on


@rule("O6.fire.collapse", "O4.gate.shared-damage", "O4.gate.material")
def test_a_gate_that_burns_in_a_stone_wall_does_not_raze_the_stone() -> None:
    """5 points and 3 markers: the gate falls by one of them, with 6; the wall, which has 8, stands."""
    state = aflame(siege("A hastati 10 9", f"X hastati 10 {TOP}", fortress=f"{FORT} stone"), "gate-1", 3)
    n = piece(state, "gate-1")
    state.damage[n] = 5
    play = go_on(at(state, Structures()), [1])  # one point, one die of collateral damage
    after = play.state
    assert (after.damage[n], after.fire[n], after.gone[n]) == (6, 0, 0)
    assert ("O4.gate.shared-damage", "event.gate_falls") in told(play)
    assert wounds(after, "X") == 0
    wooden = aflame(siege(), "gate-1", 3)
    wooden.damage[n] = 5
    assert end_turn(wooden).gone[n] == 1


@rule("O6.events", "OH.event.10")
def test_only_the_attacker_adds_an_event_and_what_is_tied_to_a_unit_is_idle() -> None:
    state = hold(siege(f"A hastati 11.76 {FOOT}", "X hastati 16 2"), "defender", card(event="stand-firm"))
    assert over(torch(state, card(event="fierce-onset"), 4, 3, 3, 4).state)
    weak = torch(state, card(event="weak-point"), 4, 3, 3, 4).state
    assert weak.lit[piece(weak, "wall-1")] == 1
    assert not any(torch(state, CALM, 4, 3, 3, 4).state.lit)
    windy = torch(state, card(event="wind"), 3, 3, 3)  # of another phase
    assert ("OH.deck.4", "event.random_idle") in told(windy)


@rule("OH.deck.4", "OH.event.3")
def test_a_fierce_onset_from_the_hand_helps_torches() -> None:
    onset = card(event="fierce-onset")
    state = hold(siege(f"A hastati 11.76 {FOOT}", "X hastati 16 2"), "attacker", onset)
    state = torch(state, CALM).state
    fierce = run(state, PlayEvent(card_id(onset)), dice=[3, 3, 2, 4, 4])  # 4/3 against 6
    assert fierce.lit[piece(fierce, "wall-1")] == 2
    assert not any(run(state, NoEvent(), dice=[3, 3, 2]).lit)


# --- incendiary missiles -------------------------------------------------------------------------


def shot(state: OnusState, *dice: int, target: str = "wall-1") -> Play:
    return do(at(state, Shooting(0)), Shoot("A", target, True), dice)


def shot_barred(state: OnusState, target: str = "wall-1", incendiary: bool = True) -> list[str]:
    return refusals(at(state, Shooting(0)), Shoot("A", target, incendiary))


@rule("O6.incendiary.who", "O6.shooting.normal", "O4.gate.ranged")
def test_arrows_and_javelins_burn_wood_and_sling_stones_do_not() -> None:
    archers = siege("A archers 11.76 7.2")
    assert shot_barred(archers) == []
    assert shot_barred(archers, incendiary=False) == ["O4.damage-sources"]
    assert shot_barred(siege("A hastati 11.76 6")) == []
    assert shot_barred(siege("A onager 11.76 8")) == []
    assert shot_barred(siege("A slingers 11.76 7")) == ["O6.incendiary.who"]
    stone = siege("A archers 11.76 7.2", fortress=f"{FORT} stone")
    assert shot_barred(stone) == ["O6.incendiary.who"]
    assert shot_barred(stone, "gate-1") == ["O4.gate.ranged"]
    man = siege("A archers 11.76 7.2", f"X hastati 11.76 {TOP}")
    assert shot_barred(man, "X") == ["O6.incendiary.who"]


@rule("O6.incendiary.dice", "O6.incendiary.marker")
@pytest.mark.parametrize(("y", "dice"), [(7.2, 3), (8.7, 1)])
def test_one_die_less_and_markers_instead_of_damage(y: float, dice: int) -> None:
    """Archers 2 against 6: a 5 hits and a 5 damages; sixes are double on both rolls."""
    state = siege(f"A archers 11.76 {y}")
    misses = [2] * (dice - 1)
    play = shot(state, CALM, 5, *misses, 5)
    n = piece(state, "wall-1")
    assert (play.state.lit[n], play.state.damage[n]) == (1, 0)
    double = shot(state, CALM, 6, *misses, 6, 4)
    assert double.state.lit[n] == 2
    spent = shot(state, CALM, 5, *misses, 4)  # it hits and does no damage
    assert "event.lit" not in [key for _, key in told(spent)]
    assert spent.state.lit[n] == 0


@rule("O6.incendiary.declare")
def test_it_is_said_before_the_events() -> None:
    state = hold(siege("A archers 11.76 7.2"), "attacker", card(event="weak-point"))
    asked = do(at(state, Shooting(0)), Shoot("A", "wall-1", True), [CALM]).state
    assert asked.decision is not None
    assert asked.decision.combat.incendiary
    shots = [action for action in legal(at(state, Shooting(0))) if action != Done()]
    assert Shoot("A", "wall-1", True) in shots
    assert all(action.incendiary for action in shots)


@rule("O5.collateral.example-1")
def test_an_incendiary_shot_hurts_who_is_there_at_once() -> None:
    """Two markers, two dice with the onager's 4 against the armour 5 of the hastati: a 2 wounds."""
    state = siege("A onager 11.76 8", f"X hastati 11.76 {TOP}")
    play = shot(state, CALM, 6, 2, 2, 6, 2, 2, 1, 3, 3)
    n = piece(state, "wall-1")
    assert (play.state.lit[n], play.state.damage[n], wounds(play.state, "X")) == (2, 0, 1)
    assert ("O5.collateral.roll", "event.collateral") in told(play)
    plain = do(at(state, Shooting(0)), Shoot("A", "wall-1"), [CALM, 6, 2, 2, 2, 6, 2, 2, 1, 3, 3])
    assert (plain.state.damage[n], wounds(plain.state, "X")) == (2, 1)


# --- burning -------------------------------------------------------------------------------------


@rule("O6.fire.timing", "O6.fire.cumulative", "OH.fire.2", "OH.turn.6")
def test_markers_burn_from_the_end_of_the_next_turn_on() -> None:
    state = aflame(siege(), "wall-1", 0, 2)  # attacker, turn 1
    n = piece(state, "wall-1")
    found = []
    state = end_turn(state)
    found.append(state.damage[n])
    state = end_turn(state)  # defender, turn 1
    found.append(state.damage[n])
    state.lit[n] = 1  # attacker, turn 2
    state = end_turn(state)
    found.append(state.damage[n])
    assert not state.gone[n]
    state = end_turn(state)  # defender, turn 2: durability 7 is reached
    assert [*found, state.damage[n], state.gone[n]] == [0, 2, 4, 7, 1]


@rule("O6.fire.collateral", "OH.fire.1", "O4.overlap.wall-collateral")
def test_fire_hurts_everybody_on_the_wall() -> None:
    """d6 + 2 against an armour of 5: a 4 wounds; a 6 counts once; the covered ones of a stack too."""
    stack = f"X hastati 11.76 {TOP}; Y hastati 11.76 {TOP}; Z hastati 8.24 {TOP}"
    state = aflame(siege("", stack), "wall-1", 2)
    state.over = [(index(state, "X"), index(state, "Y"))]
    play = go_on(at(state, Structures()), [4, 3, 6, 6, 3, 3, 3, 3])
    assert [wounds(play.state, name) for name in "XYZ"] == [1, 2, 0]
    assert [key for _, key in told(play)].count("event.holds") == 2
    assert ("O6.fire.collateral", "event.collateral") in told(play)


@rule("O6.fire.collateral")
def test_who_stands_at_the_foot_of_a_burning_wall_is_not_in_it() -> None:
    state = aflame(siege(f"A hastati 11.76 {FOOT}"), "wall-1", 2)
    assert wounds(end_turn(state), "A") == 0


@rule("O6.fire.collateral")
def test_a_village_does_not_shelter_from_fire() -> None:
    state = battle("A hastati 2 2", "X hastati in=half", structure="half village 10 8")
    state.fire[0] = 1
    assert wounds(end_turn(state, 4, 3, 3), "X") == 1  # its +2 is against missiles


@rule("O6.fire.collapse", "O6.razed.threshold")
def test_fire_brings_down_what_it_has_used_up() -> None:
    state = aflame(siege(), "wall-1", 3)
    n = piece(state, "wall-1")
    state.damage[n] = 3
    assert not end_turn(state).gone[n]
    state.damage[n] = 4
    assert end_turn(state, *()).gone[n]


# --- collapse ------------------------------------------------------------------------------------


class Harm(Step):
    """So much damage to a structure."""

    def __init__(self, structure: int, points: int) -> None:
        self.structure: Final = structure
        self.points: Final = points

    def run(self, play: Play) -> None:
        harm(play, self.structure, self.points)


def damage(state: OnusState, name: str, points: int, *dice: int) -> Play:
    return go_on(at(state, Harm(piece(state, name), points)), dice)


@rule("O4.gate.shared-damage", "O4.gate.durability")
@pytest.mark.parametrize(
    ("material", "points", "gate", "wall"),
    [
        ("wood", 4, False, False),
        ("wood", 5, True, False),
        ("stone", 5, False, False),
        ("stone", 6, True, False),
        ("wood", 7, True, True),
        ("stone", 7, True, False),
        ("stone", 8, True, True),
    ],
)
def test_one_track_for_gate_and_wall(material: str, points: int, gate: bool, wall: bool) -> None:
    state = siege(fortress=f"{FORT} {material}")
    play = damage(state, "gate-1", points)
    found = [key for _, key in told(play)]
    assert bool(play.state.gone[piece(state, "gate-1")]) == wall
    assert ("event.gate_falls" in found) == (gate and not wall)
    assert ("event.razed" in found) == wall


@rule("O4.wall.collapse", "O6.razed.wounds", "O4.overlap.wall-collateral")
def test_a_wound_for_each_section_at_the_wall_that_falls() -> None:
    """X has three sections at wall-1 and one at the gate; Y lies under it; both check in any case."""
    state = siege("", f"X principes 11.32 {TOP}; Y sacred-band 11.32 {TOP}; Z triarii 8.24 {TOP}")
    state.over = [(0, 1)]
    play = damage(state, "wall-1", 7, 3, 3, 3, 3)
    assert [wounds(play.state, name) for name in "XYZ"] == [3, 3, 0]
    assert [event.values["unit"] for event in play.events if event.key == "event.holds"] == ["X", "Y"]


@rule("O4.wall.collapse")
def test_in_a_corner_wall_there_is_one_section() -> None:
    state = battle("", "X hastati 2 16", fortress="small 10 8")
    n = piece(state, "corner-1")
    pose = next(iter(_posts(state, n)))
    state.pose[0] = pose
    assert len(sections_at(state, 0, n)) == 1
    assert wounds(damage(state, "corner-1", 7, 3, 3).state, "X") == 1


def _posts(state: OnusState, n: int) -> tuple[object, ...]:
    from legatus.games.onus.fortress import Piece

    one = state.roster.structures[n]
    return Piece(one.id, one.kind, one.material, one.pose).posts


@rule("O4.tower.collapse", "O6.razed.closed")
@pytest.mark.parametrize(("name", "clause"), [("tower-1", "O4.tower.collapse"), ("cart", "O6.razed.closed")])
def test_a_tower_takes_its_unit_with_it(name: str, clause: str) -> None:
    state = siege("", f"X hastati in={name}", structure="cart siege-tower 16 12 owner=attacker")
    play = damage(state, name, 8)
    assert is_lost(play.state, "X")
    assert (clause, "event.destroyed") in told(play)


@rule("O6.fire.no-climbing", "O6.razed.threshold")
def test_who_climbs_is_back_on_the_ground() -> None:
    state = siege(f"A hastati 11.76 {FOOT}; B hastati 10 {FOOT}")
    n = piece(state, "wall-1")
    state.climbs[0], state.climbed[0] = n, 1
    state.climbs[1] = piece(state, "gate-1")
    lit = _spread_to(state, n)
    assert (lit.state.climbs[0], lit.state.climbed[0]) == (NOBODY, 0)
    assert lit.state.climbs[1] == piece(state, "gate-1")
    fallen = damage(state, "wall-1", 7)
    assert (fallen.state.climbs[0], fallen.state.climbed[0]) == (NOBODY, 0)
    tower = siege(f"A hastati 6.48 {FOOT}")
    k = piece(tower, "tower-2")
    tower.climbs[0], tower.hooks = k, [(0, ~k, 3, 2)]
    assert go_on(at(tower, Harm(k, 8))).state.hooks == []


@rule("O6.razed.mixed-front")
@pytest.mark.parametrize(("fallen", "cover"), [("wall-2", ["O4.wall.values"]), ("gate-1", [])])
def test_before_a_fallen_and_a_standing_section_the_wall_does_not_help(fallen: str, cover: list[str]) -> None:
    """A has climbed, its front along wall-1 and the gate; wall-2 is not before it."""
    state = siege(f"A hastati 10.88 {FOOT}", f"X hastati 10.88 {TOP}")
    state.climbs[0], state.climbed[0] = piece(state, "wall-1"), 1
    state.gone[piece(state, fallen)] = 1
    assert [term.clause for term, _ in structure_cover(state, 1, 0)] == cover
    assert has_priority(state, 1, 0) == bool(cover)


# --- spreading -----------------------------------------------------------------------------------


@rule("O6.spread", "O6.spread.example")
def test_equal_shares_and_the_defender_places_the_rest() -> None:
    """wall-2 lies between the gate and tower-2."""
    state = aflame(siege(), "wall-2", 2, 1)
    play = damage(state, "wall-2", 7)
    gate, tower = piece(state, "gate-1"), piece(state, "tower-2")
    assert (play.state.lit[gate], play.state.lit[tower]) == (1, 1)
    assert isinstance(play.state.decision, Remainder)
    assert play.state.decision.seat == 1
    assert set(legal(play.state)) == {PlaceFire("gate-1"), PlaceFire("tower-2")}
    assert refusals(play.state, PlaceFire("wall-1")) == ["O6.spread"]
    after = run(play.state, PlaceFire("tower-2"))
    assert (after.lit[gate], after.lit[tower]) == (1, 2)
    assert not is_burning(after, piece(state, "wall-2"))


@rule("O6.spread")
def test_a_single_neighbour_gets_all_and_without_any_they_are_gone() -> None:
    state = aflame(siege(), "wall-2", 3)
    state.gone[piece(state, "tower-2")] = 1
    assert damage(state, "wall-2", 7).state.lit[piece(state, "gate-1")] == 3
    lone = battle(structure="post watchtower 10 8")
    lone.fire[0] = 3
    play = damage(lone, "post", 8)
    assert ("O6.spread", "event.fire_dies") in told(play)
    assert not any(play.state.lit)


@rule("O6.spread")
def test_only_what_burns_and_adjoins_catches_fire() -> None:
    """A siege tower at the wall does, a stone bridge does not, nor does what lies apart."""
    state = battle(
        structure="left village 9 8; right village 10.76 8; bridge stone-bridge 9 9.6; far village 14 8"
    )
    state.fire[0] = 2
    assert damage(state, "left", 7).state.lit == [0, 2, 0, 0]
    at_wall = aflame(siege(structure="cart siege-tower 11.76 5.2 owner=attacker"), "wall-1", 3)
    lit = damage(at_wall, "wall-1", 7).state.lit
    assert [lit[piece(at_wall, name)] for name in ("tower-1", "gate-1", "cart")] == [1, 1, 1]


@rule("O6.spread")
def test_what_is_left_over_goes_to_different_neighbours() -> None:
    state = aflame(siege(structure="cart siege-tower 11.76 5.2 owner=attacker"), "wall-1", 5)
    asked = damage(state, "wall-1", 7).state
    once = do(asked, PlaceFire("cart")).state
    assert set(legal(once)) == {PlaceFire("tower-1"), PlaceFire("gate-1")}
    assert refusals(once, PlaceFire("cart")) == ["O6.spread"]
    after = do(once, PlaceFire("gate-1")).state
    assert over(after)
    assert [after.lit[piece(state, name)] for name in ("tower-1", "gate-1", "cart")] == [1, 2, 2]


@rule("O6.spread", "O6.fire.timing")
def test_fire_that_has_spread_burns_from_the_next_turn_on() -> None:
    state = aflame(siege(), "wall-2", 4)
    state.damage[piece(state, "wall-2")] = 4
    after = end_turn(state)
    tower = piece(state, "tower-2")
    assert (after.fire[tower], after.lit[tower], after.damage[tower]) == (2, 0, 0)
    assert end_turn(after).damage[tower] == 2


def _spread_to(state: OnusState, n: int) -> Play:
    """wall-1 catches the fire of the tower beside it."""
    assert n == piece(state, "wall-1")
    other = piece(state, "wall-7")
    state = state.copy()
    state.gone[other] = 1
    return go_on(at(state, Spread(piece(state, "tower-1"), 1)))


# --- putting it out ------------------------------------------------------------------------------


def active(defender: str, attacker: str = "", **more: str) -> OnusState:
    return siege(attacker, defender, active="defender", **more)


@rule("O6.extinguish.action")
def test_a_marker_for_each_section_even_of_different_walls() -> None:
    state = aflame(aflame(active(f"X hastati 11.32 {TOP}"), "wall-1", 5), "gate-1", 2)
    assert doused(state, 0) == {piece(state, "wall-1"): 3, piece(state, "gate-1"): 1}
    after = do(at(state, Moves(1)), Extinguish("X")).state
    assert [after.fire[piece(state, name)] for name in ("wall-1", "gate-1")] == [2, 1]


@rule("O6.extinguish.action")
def test_a_section_works_at_one_of_two_structures() -> None:
    """The second section lies half at the gate and half at the wall."""
    state = aflame(aflame(active(f"X hastati 11.1 {TOP}"), "wall-1", 4), "gate-1", 4)
    assert [len(sections_at(state, 0, piece(state, name))) for name in ("wall-1", "gate-1")] == [3, 2]
    assert sum(doused(state, 0).values()) == 4


@rule("O6.extinguish.action")
def test_in_a_tower_a_unit_counts_as_four_sections() -> None:
    state = aflame(active("X hastati in=tower-1"), "tower-1", 5, 1)
    after = do(at(state, Moves(1)), Extinguish("X")).state
    n = piece(state, "tower-1")
    assert (after.fire[n], after.lit[n]) == (1, 1)
    few = do(at(aflame(active("X hastati in=tower-1"), "tower-1", 2, 1), Moves(1)), Extinguish("X")).state
    assert not is_burning(few, n)


@rule("O6.extinguish.action")
def test_who_can_put_it_out() -> None:
    def barred(defender: str, old: int = 2) -> list[str]:
        return refusals(at(aflame(active(defender), "wall-1", old), Moves(1)), Extinguish("X"))

    assert barred(f"X hastati 11.76 {TOP}") == []
    assert barred(f"X hastati 11.76 {TOP}", 0) == ["O6.extinguish.action"]
    assert barred("X hastati 11.76 3") == ["O6.extinguish.action"]
    assert barred(f"X hastati 11.76 {TOP} still") == ["O6.extinguish.action"]
    assert barred(f"X hastati 11.76 {TOP} moved") == ["O6.extinguish.nothing-else"]
    assert barred(f"X hastati 11.76 {TOP} fleeing") == ["OH.flight.1"]


@rule("O6.extinguish.nothing-else", "O6.extinguish.no-mix")
def test_it_does_nothing_else_and_is_struck_without_striking_back() -> None:
    """The enemy is inside, behind it."""
    state = aflame(active(f"X hastati 11.76 {TOP}", "A hastati 11.76 3 0"), "wall-1", 2)
    busy = do(at(state, Moves(1), Shooting(1), Torches(1), Fights(1)), Extinguish("X")).state
    assert legal(busy) == [Engage("X", "A")]
    assert refusals(at(busy, Moves(1)), Move("X")) == ["OH.turn.2"]
    play = do(busy, Engage("X", "A"), [CALM, 1, 1, 1, 1])
    assert [event.values["unit"] for event in play.events if event.key == "event.strikes"] == ["A"]
    later = play.state.copy()  # in the enemy's turn it fights as usual again
    later.flags, later.active = [1, 0], 0
    again = do(at(later, Fights(0)), Engage("A", "X"), [CALM_TOO, *[1] * 8])
    assert [event.values["unit"] for event in again.events if event.key == "event.strikes"] == ["A", "X"]


@rule("O6.extinguish.nothing-else")
def test_who_fights_a_fire_drops_no_stones() -> None:
    state = aflame(active(f"X african-infantry 11.32 {TOP}", f"A hastati 10.88 {FOOT}"), "wall-1", 2)
    state.climbs[0] = piece(state, "gate-1")
    assert refusals(at(state, Shooting(1)), Stones("X", "A")) == []
    busy = do(at(state, Moves(1), Shooting(1)), Extinguish("X")).state
    assert refusals(at(busy, Shooting(1)), Stones("X", "A")) == ["O6.extinguish.nothing-else"]
