"""10 and 17: orders, who is activated, rallying and healing; the hand."""

import pytest

from legatus.games.onus.cards import card_id
from legatus.games.onus.orders import (
    Activate,
    ActivateAll,
    Activation,
    Cards,
    Done,
    GiveOrder,
    Heal,
    Healing,
    Orders,
    PassOrders,
    RallyOne,
    RallyUnit,
    Refill,
    ThrowAway,
)
from legatus.games.onus.state import ACTIVATED, OnusState
from legatus.kernel import legal
from tests.rules import rule

from .stage import at, battle, card, flees, go_on, hold, over, place, refusals, run, wounds

ARMY = (
    "A hastati 3 15 general; B velites 6 15; C archers 9 15; D roman-cavalry 12 15; E elephants 15 15",
    "X hastati 10 3",
)


def ordered(order: str, army: tuple[str, str] = ARMY, *, beside: str = "", leads: int = 6) -> OnusState:
    """An order has been given."""
    cards = [card(order), *([card(beside)] if beside else [])]
    state = hold(battle(*army, leadership=(leads, 6)), "attacker", *cards)
    state.flags = [0] * len(state.flags)
    action = GiveOrder(*(card_id(one) for one in cards))
    return run(at(state, Orders(0)), action)


def activated(state: OnusState) -> str:
    return "".join(unit.id for i, unit in enumerate(state.roster.units) if state.flags[i] & ACTIVATED)


def activate(state: OnusState, names: str) -> OnusState:
    return run(state, *(Activate(name) for name in names))


def number(state: OnusState) -> int:
    return state.decision.left if isinstance(state.decision, Activation) else 0


# --- step 1 --------------------------------------------------------------------------------------


@rule("OH.turn.1", "OH.deck.1")
def test_one_order_or_none() -> None:
    one, two = card("one-unit"), card("two-units")
    state = at(hold(battle(*ARMY), "attacker", one, two), Orders(0))
    state.flags = [0] * len(state.flags)
    assert set(legal(state)) == {GiveOrder(card_id(one)), GiveOrder(card_id(two)), PassOrders()}
    after = run(state, GiveOrder(card_id(one)))
    assert after.hands[0] == [two]
    assert after.discards == [one]
    assert after.ordered
    assert over(activate(after, "A"))
    assert not run(state, PassOrders()).ordered
    assert refusals(state, GiveOrder(card_id(card("half-the-army")))) == ["OH.deck.1"]
    assert refusals(state, GiveOrder("nonsense")) == ["OH.deck.1"]


@rule("OH.turn.1", "OH.order.13", "OH.order.14")
def test_forced_march_and_new_plans_only_beside_an_order() -> None:
    march, plans, one = card("forced-march"), card("new-plans"), card("one-unit")
    state = at(hold(battle(*ARMY), "attacker", march, plans, one), Orders(0))
    assert refusals(state, GiveOrder(card_id(march))) == ["OH.order.13"]
    assert refusals(state, GiveOrder(card_id(plans))) == ["OH.order.14"]
    assert refusals(state, GiveOrder(card_id(one), card_id(one))) == ["OH.deck.1"]
    assert refusals(state, GiveOrder(card_id(one), card_id(march))) == []
    both = at(hold(battle(*ARMY), "attacker", one, card("two-units")), Orders(0))
    assert refusals(both, GiveOrder(card_id(one), card_id(card("two-units")))) == ["OH.turn.1"]


@rule("OH.order.13", "OH.move.7")
def test_a_forced_march_gives_one_du() -> None:
    assert ordered("one-unit", beside="forced-march").marching == 100
    assert ordered("one-unit").marching == 0


@rule("OH.order.1", "OH.order.2")
@pytest.mark.parametrize(("order", "most"), [("one-unit", 1), ("two-units", 2)])
def test_one_unit_or_two(order: str, most: int) -> None:
    state = ordered(order)
    assert number(state) == most
    after = activate(state, "ABC"[:most])
    assert activated(after) == "ABC"[:most]
    assert over(after)
    assert over(run(state, Done()))


@rule("OH.order.3", "OH.general.1")
def test_the_leaders_call() -> None:
    assert number(ordered("leaders-call", leads=8)) == 8
    orphans = (ARMY[0].replace("general", "lost"), ARMY[1])
    assert number(ordered("leaders-call", orphans, leads=8)) == 3


@rule("OH.order.4")
def test_half_the_army_rounded_down() -> None:
    assert number(ordered("half-the-army")) == 2


@rule("OH.order.5")
def test_the_whole_army() -> None:
    state = ordered("whole-army")
    assert ActivateAll() in legal(state)
    assert activated(run(state, ActivateAll())) == "ABCDE"
    assert refusals(ordered("two-units"), ActivateAll()) == ["OH.turn.1"]


@rule("OH.order.6")
def test_horse() -> None:
    state = ordered("horse")
    assert refusals(state, Activate("A")) == ["OH.order.6"]
    assert activated(run(state, ActivateAll())) == "DE"


@rule("OH.order.7")
def test_shooters_without_javelins() -> None:
    state = ordered("shooters")
    assert refusals(state, Activate("B")) == refusals(state, Activate("D")) == ["OH.order.7"]
    assert activated(run(state, ActivateAll())) == "C"


@rule("OH.order.8")
def test_fall_back() -> None:
    state = ordered("fall-back", leads=4)
    assert number(state) == 4
    assert state.backward
    assert not ordered("leaders-call").backward


@rule("OH.turn.1")
def test_nobody_is_activated_twice_and_only_the_own() -> None:
    state = activate(ordered("two-units"), "A")
    assert refusals(state, Activate("A")) == ["OH.turn.1"]
    assert refusals(state, Activate("X")) == ["OH.turn.1"]


# --- rallying and healing ------------------------------------------------------------------------

ROUTED = "A hastati 3 9 180 fleeing; B velites 6 9 broken; C archers 9 9", "X hastati 3 3"


@rule("OH.order.9", "OH.flight.4")
def test_rally_one_and_it_turns_as_it_likes() -> None:
    state = ordered("rally-one", ROUTED)
    assert isinstance(state.decision, RallyOne)
    assert refusals(state, RallyUnit("C")) == ["OH.order.9"]
    assert {RallyUnit("A"), RallyUnit("A", -1800), RallyUnit("B")} <= set(legal(state))
    after = run(state, RallyUnit("A", -1800))
    assert not flees(after, "A")
    assert place(after, "A") == (3, 9, 0)
    assert after.broken[1]
    assert not activated(after.copy()) or after.flags[0] == state.flags[0]  # nobody is activated by it


@rule("OH.order.9")
def test_a_turn_needs_room() -> None:
    tight = "A hastati 3 9 180 fleeing; B velites 3 9.88", "X hastati 12 9 270"
    state = ordered("rally-one", tight)
    assert refusals(state, RallyUnit("A", -900)) == ["OH.flight.4"]
    assert refusals(state, RallyUnit("A", 1800)) == []


@rule("OH.order.10")
def test_rally_all() -> None:
    cards = card("rally-all")
    state = at(hold(battle(*ROUTED), "attacker", cards), Orders(0))
    after = run(state, GiveOrder(card_id(cards)), dice=[4, 4, 4, 3])  # 8 against 7 + 1, 7 against 6 - 1 + 1
    assert not flees(after, "A")
    assert after.broken[1]


HURT = "A hastati 10 9 wounds=3; B velites 14 9 wounds=1; C archers 3 9", "X hastati 10 8.12"


@rule("OH.order.11")
def test_tend_wounds() -> None:
    state = ordered("tend-wounds", HURT)
    assert isinstance(state.decision, Healing)
    assert refusals(state, Heal("A")) == ["OH.order.11"]  # in melee
    assert refusals(state, Heal("C")) == ["OH.order.11"]  # unhurt
    assert legal(state) == [Heal("B")]
    assert wounds(run(state, Heal("B")), "B") == 0


@rule("OH.order.12")
def test_reserves() -> None:
    assert wounds(run(ordered("reserves", HURT), Heal("A")), "A") == 2
    free = "A hastati 10 9 wounds=3", "X hastati 10 3"
    assert wounds(run(ordered("reserves", free), Heal("A")), "A") == 1


# --- step 7 --------------------------------------------------------------------------------------


def refilled(state: OnusState, *draws: int) -> list[int]:
    return go_on(at(state, Refill(0)), list(draws)).state.hands[0]


@rule("OH.turn.7", "O7.victory.defender.tactic")
def test_without_an_order_the_hand_is_filled_up() -> None:
    state = hold(battle(*ARMY), "attacker", 0, 1)
    assert refilled(state, 10, 11, 12, 13) == [0, 1, 10, 11, 12, 13]
    full = hold(battle(*ARMY), "attacker", *range(6))
    thrown = run(at(full, Cards(0), Refill(0)), *(ThrowAway(card_id(n)) for n in range(5)))
    after = run(thrown, Done(), dice=[10, 11, 12, 13, 14])
    assert after.hands[0] == [5, 10, 11, 12, 13, 14]
    assert after.discards == [0, 1, 2, 3, 4]


@rule("OH.turn.7")
def test_with_an_order_two_cards_are_drawn_and_never_above_leadership() -> None:
    state = hold(battle(*ARMY), "attacker", 0, 1)
    state.ordered = True
    assert refilled(state, 10, 11) == [0, 1, 10, 11]
    nearly = hold(battle(*ARMY), "attacker", 0, 1, 2, 3, 4)
    nearly.ordered = True
    assert refilled(nearly, 10) == [0, 1, 2, 3, 4, 10]
    orphans = hold(battle(ARMY[0].replace("general", "lost"), ARMY[1]), "attacker", 0, 1, 2, 3)
    assert refilled(orphans) == [0, 1, 2, 3]


@rule("OH.order.14")
def test_new_plans_fill_the_hand_in_spite_of_the_order() -> None:
    state = ordered("one-unit", beside="new-plans")
    assert state.refill
    assert len(refilled(state, 20, 21, 22, 23, 24, 25)) == 6


@rule("OH.turn.7")
def test_who_gave_no_order_discards_a_card_at_least() -> None:
    state = at(hold(battle(*ARMY), "attacker", 0, 1), Cards(0), Refill(0))
    assert refusals(state, Done()) == ["OH.turn.7"]
    assert Done() not in legal(state)
    assert state.decision is not None
    assert state.decision.prompt(state).key == "prompt.cards_due"
    thrown = run(state, ThrowAway(card_id(0)))
    assert refusals(thrown, Done()) == []
    assert thrown.decision is not None
    assert thrown.decision.prompt(thrown).key == "prompt.cards"
    state.ordered = True
    assert refusals(state, Done()) == []


@rule("OH.turn.7")
def test_only_cards_of_the_hand_are_thrown_away() -> None:
    state = at(hold(battle(*ARMY), "attacker", 0), Cards(0))
    assert refusals(state, ThrowAway(card_id(1))) == ["OH.deck.1"]
    assert refusals(state, ThrowAway("card--1")) == ["OH.deck.1"]
