"""17: the deck, its cards, and what events do."""

from collections import Counter

import pytest

from legatus.games.onus.cards import BOUND, CARDS, DECK, EVENTS, ORDERS, PHASES, card_id, take_top
from legatus.games.onus.combat import EventChoice, NoEvent, PlayEvent
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.modifiers import has_priority
from legatus.games.onus.shooting import Shoot, Shooting
from legatus.games.onus.state import OnusState
from legatus.kernel import Play, Scripted, legal
from tests.rules import rule

from .stage import CALM, at, battle, card, do, flees, hold, refusals, run, told, values, wounds

MISS = [1, 1, 1, 1]
FACE = "A hastati 10 9", "X african-infantry 10 8.12"
RANGE = "A archers 10 12", "X hastati 10 9.5"


def fight(state: OnusState, *dice: int) -> Play:
    return do(at(state, Fights(0)), Engage("A", "X"), dice)


def shoot(state: OnusState, *dice: int) -> Play:
    return do(at(state, Shooting(0)), Shoot("A", "X"), dice)


# --- the deck ------------------------------------------------------------------------------------


@rule("OH.deck.1")
def test_seventy_two_cards() -> None:
    assert len(CARDS) == DECK == sum(ORDERS.values()) == sum(EVENTS.values()) == 72
    assert list(ORDERS.values()) == [12, 14, 12, 6, 4, 4, 4, 3, 4, 2, 2, 2, 2, 1]
    assert list(EVENTS.values()) == [20, 8, 8, 4, 6, 4, 6, 6, 4, 4, 2]
    assert Counter(order for order, _ in CARDS) == ORDERS
    assert Counter(event for _, event in CARDS) == EVENTS


@rule("OH.deck.1", "OH.deck.4")
def test_phases_and_what_is_bound_to_a_unit() -> None:
    assert PHASES == {
        "fierce-onset": "melee",
        "ambush": "melee",
        "bad-ground": "melee",
        "second-volley": "ranged",
        "wind": "ranged",
    }
    assert set(EVENTS) - set(BOUND) == {"no-event", "wind", "weak-point", "bad-ground"}


@rule("OH.deck.3")
def test_which_order_shares_a_card_with_which_event() -> None:
    assert CARDS[0] == ("one-unit", "no-event")
    assert CARDS[1] == ("one-unit", "fierce-onset")
    assert CARDS[2] == ("one-unit", "shaken")  # event 58
    assert CARDS[71] == ("new-plans", "wind")


@rule("OH.deck.2")
def test_the_last_card_exhausts_the_deck() -> None:
    state = battle(*FACE)
    state.deck, state.discards = [0] * 72, list(range(60))
    state.deck[70] = state.deck[71] = 1
    play = Play(state, Scripted([70, 71]))
    assert take_top(play) == 70
    assert state.exhausted == 0
    assert take_top(play) == 71
    assert (state.exhausted, sum(state.deck), state.discards) == (1, 60, [])


# --- playing events ------------------------------------------------------------------------------


@rule("OH.deck.4", "OH.ranged.3", "OH.melee.2")
def test_the_top_card_is_turned_then_attacker_and_defender_may_play() -> None:
    wind, firm = card(event="wind"), card(event="stand-firm")
    state = hold(hold(battle(*RANGE), "attacker", wind), "defender", firm)
    first = shoot(state, CALM).state
    assert isinstance(first.decision, EventChoice)
    assert first.decision.seat == 0
    assert set(legal(first)) == {PlayEvent(card_id(wind)), NoEvent()}
    second = run(first, NoEvent())
    assert second.decision is not None
    assert second.decision.seat == 1
    assert refusals(second, PlayEvent(card_id(wind))) == ["OH.deck.1"]
    after = run(second, PlayEvent(card_id(firm)), dice=[5, 5, 5, 5])  # 2 + 5 is not more than 7
    assert wounds(after, "X") == 0
    assert after.hands == [[wind], []]
    assert set(after.discards) == {CALM, firm}


@rule("OH.deck.4")
def test_an_event_of_another_phase_does_nothing() -> None:
    wind = card(event="wind")
    play = fight(battle(*FACE), wind, *MISS, *MISS)
    assert ("OH.deck.4", "event.random_idle") in told(play)
    state = hold(battle(*FACE), "attacker", wind)
    choice = fight(state, CALM).state
    assert refusals(choice, PlayEvent(card_id(wind))) == ["OH.deck.4"]


@rule("OH.deck.4")
def test_events_are_over_with_their_combat() -> None:
    both = battle("A archers 10 12; B archers 12 12", "X hastati 10 9.5")
    first = shoot(both, card(event="wind"), 5, 5, 5, 5).state
    assert wounds(first, "X") == 0
    assert first.events == []
    assert Shoot("B", "X").terms(first) == []
    after = do(first, Shoot("B", "X"), [CALM, 5, 1, 1, 1, 4, 1, 1]).state
    assert wounds(after, "X") == 1


# --- what events do ------------------------------------------------------------------------------


@rule("OH.event.1")
def test_none() -> None:
    blank = card(event="no-event")
    choice = fight(hold(battle(*FACE), "attacker", blank), card("two-units", "no-event")).state
    assert choice.events == []
    assert refusals(choice, PlayEvent(card_id(blank))) == ["OH.deck.4"]


@rule("OH.event.2")
def test_stand_firm_helps_the_target_and_not_the_attacker() -> None:
    firm = card(event="stand-firm")
    # A needs a 5 now, and 5 for damage; X needs a 4 as ever
    play = fight(battle(*FACE), firm, 4, 4, 5, 1, 4, 4, 1, 1, 1, 3, 1, 1)
    assert (wounds(play.state, "X"), wounds(play.state, "A")) == (0, 1)
    shot = shoot(battle(*RANGE), firm, 6, 5, 5, 1, 5, 4)
    assert values(shot, "event.holds") == {"unit": "X", "roll": 9, "morale": 7, "added": "+2"}


@rule("OH.event.3")
def test_fierce_onset_helps_the_attacking_unit() -> None:
    onset = card(event="fierce-onset")
    play = fight(battle(*FACE), onset, 3, 2, 2, 2, 3, 1, 1, 3, 3, 3, 3)  # X needs a 4: no hit
    assert (wounds(play.state, "X"), wounds(play.state, "A")) == (1, 0)


@rule("OH.event.4")
def test_second_volley() -> None:
    volley = card(event="second-volley")
    play = shoot(battle(*RANGE), volley, 6, 1, 1, 1, 1, 1, 6, 1, 1, 1, 1, 2)
    assert wounds(play.state, "X") == 2
    fled = shoot(battle("A velites 10 9", "X hastati 10 7.5"), volley, 6, 1, 1, 1, 6, 6)
    assert flees(fled.state, "X")
    assert wounds(fled.state, "X") == 1


@rule("OH.event.5")
def test_wind() -> None:
    play = shoot(battle(*RANGE), card(event="wind"), 5, 5, 5, 5)  # 1 + 5 is not more than 6
    assert wounds(play.state, "X") == 0


@rule("OH.event.6")
@pytest.mark.parametrize("seat", [0, 1])
def test_ambush_gives_priority_to_whose_event_it_is(seat: int) -> None:
    state = battle(*FACE)
    state.events = [("ambush", seat)]
    assert (has_priority(state, 0, 1), has_priority(state, 1, 0)) == (seat == 0, seat == 1)
    random = fight(battle(*FACE), card(event="ambush"), 6, 1, 1, 1, 6, 6)  # a random one is the attacker's
    assert flees(random.state, "X")
    ambush = card(event="ambush")
    played = fight(hold(battle(*FACE), "defender", ambush), CALM).state
    after = run(played, PlayEvent(card_id(ambush)), dice=[6, 1, 1, 1, 6, 6])
    assert flees(after, "A")


@rule("OH.event.7")
def test_confusion_costs_the_attacker_a_die() -> None:
    confusion = card(event="confusion")
    assert values(fight(battle(*FACE), confusion, 1, 1, 1, *MISS), "event.strikes")["dice"] == 3
    assert values(shoot(battle(*RANGE), confusion, 1, 1, 1), "event.strikes")["dice"] == 3


@rule("OH.event.8")
def test_shaken() -> None:
    play = shoot(battle(*RANGE), card(event="shaken"), 6, 1, 1, 1, 3, 4)
    assert flees(play.state, "X")
    own = fight(battle(*FACE), card(event="shaken"), *MISS, 6, 1, 1, 1, 3, 4)  # A is not the target
    assert not flees(own.state, "A")


@rule("OH.event.9")
def test_courage() -> None:
    play = shoot(battle(*RANGE), card(event="courage"), 6, 1, 1, 1, 4, 5)
    assert not flees(play.state, "X")


@rule("OH.event.10")
def test_weak_point() -> None:
    weak = card(event="weak-point")
    play = shoot(battle(*RANGE), weak, 5, 5, 1, 1, 3, 2, 1, 1)  # a 3 is enough for damage
    assert wounds(play.state, "X") == 1
