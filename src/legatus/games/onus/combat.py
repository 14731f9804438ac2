"""12 Shooting and 13 Melee: what counts for both: events and dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ...kernel import Action, Decision, Message, Play, Refusal, Step, Term, Values
from ...kernel.objects import ValueObject
from ...kernel.words import Plain
from .cards import BOUND, CARDS, OF_TARGET, card_id, card_of, discard, phase_fits, take_top
from .hidden import BACK
from .state import DIE, NOBODY, PROFESSIONAL, SEATS, OnusState, other

FLOOR = -1  # OH.dice.5


class Combat(ValueObject):
    """OH.combat.1: the active player's unit attacks a unit, or a structure."""

    def __init__(
        self,
        phase: str,
        attacker: int,
        target: int,
        structure: int = NOBODY,
        incendiary: bool = False,  # O6.incendiary.declare: said before any event
        # O4.hidden.reveal-on-shot: the card back under which the target lies, as long as it does
        back: int = 0,
    ) -> None:
        self.phase: Final = phase
        self.attacker: Final = attacker
        self.target: Final = target
        self.structure: Final = structure
        self.incendiary: Final = incendiary
        self.back: Final = back

    def name(self, state: OnusState) -> str:
        """The id of what is attacked."""
        if self.structure != NOBODY:
            return state.roster.structures[self.structure].id
        return f"{BACK}{self.back}" if self.back else state.roster.units[self.target].id


def has(state: OnusState, event: str, seat: int | None = None) -> int:
    """How often an event is in force in this combat, of a seat or of any."""
    return sum(name == event and seat in (None, whose) for name, whose in state.events)


# --- events --------------------------------------------------------------------------------------


def is_idle(event: str, combat: Combat, bound: tuple[str, ...] = BOUND) -> bool:
    """OH.deck.4 O6.events: of another phase, or bound to a unit where a structure is attacked."""
    return not phase_fits(event, combat.phase) or (combat.structure != NOBODY and event in bound)


class RandomEvent(Step):
    """OH.deck.4: the top card is turned for its event; then attacker and defender may add one each."""

    def __init__(self, combat: Combat) -> None:
        self.combat: Final = combat

    def run(self, play: Play) -> None:
        state: OnusState = play.state
        state.events = []
        card = take_top(play)
        discard(state, card)
        event, combat = CARDS[card][1], self.combat
        seat = state.roster.units[combat.attacker].side
        idle = is_idle(event, combat)
        play.reveal("OH.deck.4", "event.random_idle" if idle else "event.random", event=event)
        if not idle:
            state.events.append((event, seat))
        asked = [EventChoice(seat, combat)]
        if combat.structure == NOBODY:  # O6.events
            asked.append(EventChoice(other(seat), combat))
        play.then(*asked)


class PlayEvent(Action):
    """OH.deck.4: a card of the hand as an event."""

    def __init__(self, card: str) -> None:
        self.card: Final = card

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        choice = state.decision
        if not isinstance(choice, EventChoice):
            return
        card = card_of(self.card)
        if card < 0 or card not in state.hands[choice.seat]:
            yield Refusal("OH.deck.1", "refusal.no_such_card", {"card": self.card})
        elif is_idle(CARDS[card][1], choice.combat, OF_TARGET):  # O5.ram.events
            yield Refusal("OH.deck.4", "refusal.idle_event", {"event": CARDS[card][1]})

    def perform(self, play: Play) -> None:
        state: OnusState = play.state
        choice: EventChoice = play.taken
        card = card_of(self.card)
        state.hands[choice.seat].remove(card)
        discard(state, card)
        event = CARDS[card][1]
        play.reveal("OH.deck.4", "event.plays", side=SEATS[choice.seat], event=event)
        state.events.append((event, choice.seat))


class NoEvent(Action):
    """OH.deck.4: none."""

    def refuse(self, state: OnusState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        pass


class EventChoice(Decision):
    """OH.deck.4: an event from the hand, the attacker first; who has cards is asked, whatever they are."""

    clause = "OH.deck.4"
    accepts = (PlayEvent, NoEvent)

    def __init__(self, seat: int, combat: Combat) -> None:
        super().__init__(seat)
        self.combat: Final = combat

    def prompt(self, state: OnusState) -> Message:
        values: Values = {"side": SEATS[self.seat], "target": self.combat.name(state)}
        values["unit"] = state.roster.units[self.combat.attacker].id
        return Message("prompt.event", values)

    def candidates(self, state: OnusState) -> list[Action]:
        return [*(PlayEvent(card_id(card)) for card in state.hands[self.seat]), NoEvent()]

    def is_moot(self, state: OnusState) -> bool:
        return not state.hands[self.seat]


class CombatOver(Step):
    """OH.deck.4: with a combat its events are over."""

    def run(self, play: Play) -> None:
        play.state.events = []


def event_morale(state: OnusState, combat: Combat, i: int) -> list[Term]:
    """OH.event.2 OH.event.8 OH.event.9: what events do to the morale of the target in this combat."""
    if i != combat.target:
        return []
    found = [
        Term("OH.event.2", "term.stand_firm", 2 * has(state, "stand-firm")),
        Term("OH.event.8", "term.shaken", -has(state, "shaken")),
        Term("OH.event.9", "term.courage", 2 * has(state, "courage")),
    ]
    return [term for term in found if term.value]


def with_events(state: OnusState, values: tuple[int, int]) -> tuple[int, int]:
    """OH.event.3 OH.event.10 O5.ram.events: melee values against a structure, with the events in force."""
    onset = has(state, "fierce-onset")
    return values[0] + onset, values[1] + onset + has(state, "weak-point")


def wind_terms(state: OnusState) -> list[Term]:
    """OH.event.5."""
    return [Term("OH.event.5", "term.wind", -has(state, "wind"))] if has(state, "wind") else []


# --- dice ----------------------------------------------------------------------------------------


def needed(value: int, number: int) -> int:
    """OH.dice.1 OH.dice.5: the lowest face with which a die succeeds: always a 6, never a 1."""
    return min(DIE, max(2, number - max(value, FLOOR) + 1))


def bands(low: int, ones: bool) -> tuple[int, ...]:
    """What a hit die tells apart: misses, hits, sixes; and ones where they are rolled again."""
    return tuple(sorted({*((1,) if ones else ()), low - 1, DIE - 1, DIE}))


def is_professional(state: OnusState, i: int) -> bool:
    return PROFESSIONAL in state.roster.units[i].kind.traits


class Aim(NamedTuple):
    """The dice of an attack, its values, the defence against it, and the modifiers that are in them."""

    dice: int
    values: tuple[int, int]
    defence: tuple[int, int]
    terms: tuple[Term, ...]


def strike(play: Play, i: int, aim: Aim, clause: str) -> int:
    """OH.dice.2: wounds of so many dice: a 6 wounds at once, other hits are rolled again against armour."""
    state: OnusState = play.state
    dice, values, defence, terms = aim
    if dice <= 0:
        return 0
    low, ones = needed(values[0], defence[0]), is_professional(state, i)
    faces = play.roll_pool(dice, DIE, bands(low, ones))
    if ones:  # OH.trait.2
        again = play.roll_pool(faces.count(1), DIE, bands(low, False))
        faces = [face for face in faces if face != 1] + again
    sixes, hits = faces.count(DIE), sum(low <= face < DIE for face in faces)
    wounds = sixes + succeed(play, hits, values[1], defence[1])
    play.tell(
        clause,
        "event.strikes",
        unit=state.roster.units[i].id,
        dice=dice,
        need=low,
        hits=hits + sixes,
        pierce=needed(values[1], defence[1]),
        wounds=wounds,
        added=listed(terms),
    )
    return wounds


def listed(terms: Iterable[Term]) -> Message:
    """The modifiers of a roll, each with its number, as the end of a sentence."""
    told = tuple(Message("term.one", {"term": Message(t.key), "value": Plain(f"{t.value:+}")}) for t in terms)
    return Message("term.all", {"terms": told}) if told else Message("term.none")


def succeed(play: Play, dice: int, value: int, number: int) -> int:
    """OH.dice.1: how many of some dice succeed."""
    need = needed(value, number)
    return sum(face >= need for face in play.roll_pool(dice, DIE, (need - 1, DIE)))


def total(terms: Iterable[Term]) -> int:
    return sum(term.value for term in terms)
