"""10: the seven steps of a turn."""

from legatus.games.onus.cards import card_id
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.movement import Moves
from legatus.games.onus.orders import Activate, Cards, Done, GiveOrder, Orders, PassOrders
from legatus.games.onus.shooting import Shoot, Shooting
from legatus.games.onus.state import ACTIVATED, MOVED
from legatus.games.onus.turn import Opening, PlayerTurn, Structures
from tests.rules import rule

from .stage import CALM, at, battle, card, flees, go_on, hold, index, place, run

SIDES = "A archers 4 9 general; B hastati 10 9", "X hastati 4 6.5 general; Y hastati 10 8.12"
MISS = [1, 1, 1, 1]


@rule("OH.turn.1", "OH.turn.2", "OH.turn.3", "OH.turn.4", "OH.turn.7", "OH.combat.1")
def test_a_turn_from_step_to_step() -> None:
    order = card("one-unit")
    state = go_on(at(hold(battle(*SIDES), "attacker", order), PlayerTurn(0))).state
    assert (state.turn, state.active) == (4, 0)
    assert isinstance(state.decision, Orders)
    state = run(state, GiveOrder(card_id(order)), Activate("A"))
    assert isinstance(state.decision, Moves)
    state = run(state, Done())
    assert isinstance(state.decision, Shooting)
    state = run(state, Shoot("A", "X"), dice=[CALM + 5, *MISS])
    assert isinstance(state.decision, Fights)  # not activated, and it fights all the same
    state = run(state, Engage("B", "Y"), dice=[CALM + 7, *MISS, *MISS, 20, 21])
    assert state.hands[0] == [20, 21]
    assert isinstance(state.decision, Orders)
    assert (state.decision.seat, state.turn, state.active) == (1, 5, 1)


@rule("OH.turn.1")
def test_what_a_unit_has_done_is_forgotten_with_the_turn() -> None:
    state = battle("A hastati 4 9 activated moved charged", "X hastati 10 3")
    state.marching, state.backward, state.ordered, state.refill = 100, True, True, True
    after = go_on(at(state, PlayerTurn(1))).state
    assert not after.flags[0] & (ACTIVATED | MOVED)
    assert (after.marching, after.backward, after.ordered, after.refill) == (0, False, False, False)


@rule("OH.turn.5")
def test_only_the_fleeing_units_of_the_active_player_run() -> None:
    own = "A hastati 4 9 180 fleeing; G triarii 15 15 general"
    state = battle(own, "X hastati 14 6 0 fleeing; Y triarii 4 3 general")
    after = run(go_on(at(state, PlayerTurn(0))).state, PassOrders(), dice=[0, 1, 2, 3, 4, 5])
    assert place(after, "A") == (4, 12, 180)
    assert place(after, "X") == (14, 6, 0)
    assert flees(after, "A")


@rule("OH.turn.6", "O6.razed.threshold")
def test_step_six_removes_what_has_taken_enough_damage() -> None:
    state = battle(*SIDES, structure="half village 15 9; post watchtower 15 5")
    state.damage = [7, 7]
    assert go_on(at(state, Structures())).state.gone == [1, 0]


@rule("OH.deck.1", "OH.general.1")
def test_both_hands_are_dealt_at_first() -> None:
    state = battle(*SIDES, leadership=(6, 7))
    after = go_on(at(state, Opening()), list(range(13))).state
    assert [len(hand) for hand in after.hands] == [6, 7]
    assert sum(after.deck) == 59


@rule("OH.turn.7")
def test_cards_may_be_discarded_before_drawing() -> None:
    state = go_on(at(hold(battle(*SIDES), "attacker", 30, 31), Cards(0))).state
    assert isinstance(state.decision, Cards)
    assert index(state, "A") == 0
