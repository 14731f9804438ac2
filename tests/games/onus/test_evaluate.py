"""What bots strive for: in positions where it is plain what to do, they do it."""

from random import Random

import pytest

from legatus.bots import make_bot
from legatus.games.onus import ONUS
from legatus.games.onus.assault import Climb
from legatus.games.onus.cards import card_id
from legatus.games.onus.charges import Charge
from legatus.games.onus.combat import NoEvent, PlayEvent
from legatus.games.onus.evaluate import evaluate
from legatus.games.onus.fire import Extinguish, Ignite, Torches
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.movement import Moves
from legatus.games.onus.orders import Activate, Activation, Done, GiveOrder, Orders, Refill
from legatus.games.onus.rams import Batter, DropRam
from legatus.games.onus.setup import Arrange, Deploying, is_in_lane
from legatus.games.onus.shooting import Shoot, Shooting
from legatus.games.onus.state import ACTIVATED, FIELD, LOST, MOVED, OnusState
from legatus.games.onus.table import units_on
from legatus.games.onus.towers import Haul
from legatus.games.onus.worth import THROWN_OFF, attack, going_on, thrown_off
from legatus.kernel import Action, Match, Seeded, apply, legal
from legatus.parts.plane import Pose

from .stage import CALM, at, battle, card, hold, index, moving, run

FORT = "standard 10 4"  # its south face at 5.76; wall-2 from 7.36 to 9.12, the gate to 10.88
BELOW, ABOVE = "8.24 6.2", "8.24 4.88"  # before and behind wall-2


def choice(state: OnusState) -> Action:
    """What the greedy bot does."""
    seat = state.decision.seat
    return make_bot("greedy").choose(ONUS, ONUS.view(state, seat), seat, Random(1))


def siege(attacker: str, defender: str, active: str = "attacker") -> OnusState:
    return battle(attacker, defender, fortress=FORT, active=active)


def both(state: OnusState) -> list[float]:
    """What both sides think of a position."""
    return [evaluate(state, seat) for seat in (0, 1)]


def test_orders_are_given_and_not_saved() -> None:
    state = battle("A hastati 10 9 still; B hastati 12 9 still", "X african-infantry 10 3")
    some, whole = card("one-unit"), card("whole-army")
    state = at(hold(state, "attacker", some, whole), Orders(0))
    assert choice(state) == GiveOrder(card_id(whole))


def test_the_strong_charge_the_weak_and_not_the_other_way_round() -> None:
    state = moving(battle("A triarii 10 9", "X slingers 10 7.5"), "A")
    assert choice(state) == Charge("X")
    state = moving(battle("A slingers 10 9", "X sacred-band 10 7.5"), "A")
    assert choice(state) != Charge("X")


@pytest.mark.parametrize(("event", "wise"), [("fierce-onset", True), ("confusion", False)])
def test_events_are_played_that_help(event: str, wise: bool) -> None:
    state = battle("A hastati 10 9", "X african-infantry 10 8.12")
    played = card(event=event)
    state = run(at(hold(state, "attacker", played), Fights(0), Refill(0)), Engage("A", "X"), dice=[CALM])
    assert choice(state) == (PlayEvent(card_id(played)) if wise else NoEvent())


@pytest.mark.parametrize(
    ("unit", "action"),
    [
        ("hastati 10 6.2 ram", Batter("A", "gate-1", "gate")),
        ("hastati 8.24 6.2", Ignite("A", "wall-2")),
        ("onager 8.24 9", Shoot("A", "wall-2")),
    ],
)
def test_events_count_in_what_an_attack_on_a_structure_is_worth(unit: str, action: Action) -> None:
    phase = {Batter: Fights, Ignite: Torches, Shoot: Shooting}[type(action)]
    helpful = "second-volley" if phase is Shooting else "fierce-onset"
    cards = [card(event=name) for name in (helpful, "confusion", "weak-point")]
    state = hold(siege(f"A {unit}", "X archers 10 4"), "attacker", *cards)
    state = run(at(state, phase(0)), action, dice=[CALM])
    steps = state.todo

    def worth(*events: str) -> float:
        state.events = [(name, 0) for name in events]
        return attack(state, 0, going_on(steps))

    assert worth(helpful) > worth() > worth("confusion") > 0
    assert worth("weak-point") > worth()


def test_who_stands_before_a_wall_climbs_it() -> None:
    state = moving(siege(f"A hastati {BELOW}", "X armed-civilians 10 4"), "A")
    assert isinstance(choice(state), Climb)


def test_a_ram_is_carried_to_the_gate() -> None:
    state = moving(siege("A hastati 10 9 ram", f"X hastati {ABOVE}"), "A")
    before = state.pose[index(state, "A")]
    taken = choice(state)
    assert taken != DropRam()
    after = run(state, taken)
    assert after.pose[index(after, "A")].y < before.y


ROLLING = "rolling siege-tower 8.24 12 owner=attacker"


def test_a_siege_tower_is_activated_and_rolls_to_a_wall_even_if_there_is_a_breach() -> None:
    units = "A triarii in=rolling still; B hastati 14 8 still"
    state = battle(units, "X archers 10 4", fortress=FORT, structure=ROLLING)
    state.gone[state.roster.structure_index["wall-1"]] = 1
    assert choice(at(state, Activation(0, 1, "one-unit"), Moves(0))) == Activate("A")
    state.flags[0] = ACTIVATED
    assert choice(moving(state, "A")) == Haul(0, 200)


def test_friends_keep_out_of_the_way_of_a_siege_tower() -> None:
    clear, barred = (
        battle(f"A triarii in=rolling; B archers {x} 10", "X archers 10 4", fortress=FORT, structure=ROLLING)
        for x in (11, 9)
    )
    assert evaluate(clear, 0) > evaluate(barred, 0) + 0.05
    state = Match.new(ONUS, ONUS.configure("wooden-fortress"), Seeded("lane")).state
    while isinstance(state.decision, Deploying):
        state = apply(state, Arrange() if Arrange() in legal(state) else Done(), Seeded("lane")).state
    assert not any(is_in_lane(state, i, state.pose[i]) for i in units_on(state, 0) if state.where[i] == FIELD)


def test_defenders_put_out_a_fire_and_stay_inside() -> None:
    state = siege("A archers 10 12", f"X hastati {ABOVE}", active="defender")
    state.fire[state.roster.structure_index["wall-2"]] = 2
    assert choice(at(state, Moves(1))) == Extinguish("X")
    out = siege("A archers 10 12", "X hastati 8.24 7.5", active="defender")
    assert evaluate(siege("A archers 10 12", f"X hastati {ABOVE}"), 1) > evaluate(out, 1)


def test_damage_and_time_are_good_for_one_side_only() -> None:
    state = siege("A archers 10 12", f"X hastati {ABOVE}")
    hurt, late = state.copy(), state.copy()
    hurt.damage[state.roster.structure_index["gate-1"]] = 3
    late.exhausted = 1
    for seat, sign in ((0, 1), (1, -1)):
        assert sign * (evaluate(hurt, seat) - evaluate(state, seat)) > 0
        assert sign * (evaluate(late, seat) - evaluate(state, seat)) < 0


def test_broken_and_fleeing_units_are_worth_less() -> None:
    sound = battle("A hastati 10 9", "X hastati 10 3")
    broken = battle("A hastati 10 9 broken", "X hastati 10 3")
    fleeing = battle("A hastati 10 9 fleeing", "X hastati 10 3")
    assert evaluate(sound, 0) > evaluate(broken, 0) > evaluate(fleeing, 0)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("pose", Pose(824, 900, 0)), ("wings", 3), ("fleeing", 1), ("broken", 1), ("wounds", 1)),
        *(("ram", 0), ("climbs", 1), ("where", LOST)),
        *(("gone", 1), ("damage", 5), ("fire", 2)),
    ],
)
def test_what_is_known_of_one_position_is_not_said_of_another(column: str, value: object) -> None:
    state = siege(f"A hastati {BELOW} ram", f"X hastati {ABOVE}")
    changed = state.copy()
    entries = getattr(changed, column)
    entries[0 if len(entries) == 2 else state.roster.structure_index["gate-1"]] = value
    before, known = both(state), both(changed)
    state.roster.kept.clear()
    assert before != known == both(changed)


def test_nobody_moves_for_nothing() -> None:
    still = battle("A hastati 10 9", "X hastati 10 3")
    moved = still.copy()
    moved.flags[index(moved, "A")] |= MOVED
    assert evaluate(moved, 0) < evaluate(still, 0)
    assert evaluate(moved, 1) == evaluate(still, 1)


def test_a_ram_at_the_gate_is_not_dropped() -> None:
    state = moving(siege("A hastati 10 6.2 ram", f"X hastati {ABOVE}"), "A")
    assert choice(state) != DropRam()


def test_fire_under_own_climbers_is_dear() -> None:
    """O6.fire.no-climbing: they are thrown off."""
    state = siege(f"A archers 10 12; B hastati {BELOW}", f"X hastati {ABOVE}")
    wall, archers, climber = state.roster.structure_index["wall-2"], index(state, "A"), index(state, "B")
    assert thrown_off(state, archers, wall, 2.0) == 0
    state.climbs[climber] = wall
    assert thrown_off(state, archers, wall, 2.0) == THROWN_OFF
    assert thrown_off(state, archers, wall, 0.5) == THROWN_OFF / 2
    assert thrown_off(state, index(state, "X"), wall, 2.0) == 0
