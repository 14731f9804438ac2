"""Whole sieges, one for each way in which a siege is decided: they replay to the letter.

``python -m tests.games.onus.sieges --journals`` plays them again after a change of the rules.
"""

from functools import cache

import pytest

from legatus.games import GAMES
from legatus.kernel import Match
from legatus.kernel.records import parse_record
from tests.rules import rule

from .sieges import JOURNALS, WAYS, besiegers_inside, openings, verdict

ATTACKER, DEFENDER = 0, 1
TOLD = {  # what must have happened, whoever judges it
    "ladder": ["event.climbs"],
    "ram": ["event.rams", "event.gate_falls"],
    "siege-tower": ["event.rolls"],
    "breach": ["event.razed"],
    "fire": ["event.lit", "event.burns"],
}


@cache
def journal(way: str) -> Match:
    """Replayed; every state is compared with its fingerprint."""
    path = JOURNALS / f"{way}.jsonl"
    return parse_record(GAMES, path.read_text(encoding="utf-8"), path.name)


def keys(match: Match) -> list[str]:
    return [event.key for events in match.events for event in events]


def test_there_is_a_siege_for_every_way() -> None:
    assert {path.stem for path in JOURNALS.glob("*.jsonl")} == {*WAYS}


@pytest.mark.parametrize("way", WAYS)
def test_a_siege_replays_to_the_letter_and_is_decided_so(way: str) -> None:
    match = journal(way)
    assert match.journal[0].action is None  # from the set-up
    assert match.state.outcome is not None  # to the end
    assert verdict(match).way == way


@pytest.mark.parametrize("way", TOLD)
def test_a_siege_that_is_stormed_is_won_by_who_got_in(way: str) -> None:
    match = journal(way)
    assert match.state.outcome.winner == ATTACKER  # type: ignore[union-attr]
    assert any(besiegers_inside(state) for state in match.states)  # type: ignore[arg-type]
    assert set(TOLD[way]) <= set(keys(match))


@pytest.mark.parametrize("way", ["ram", "breach", "fire"])
def test_what_fell_fell_by_that(way: str) -> None:
    assert way in {cause for events in journal(way).events for cause in openings(events).values()}


@rule("O7.victory.attacker.empty")
def test_an_emptied_fortress_is_lost_though_nobody_got_in() -> None:
    match = journal("emptied")
    assert match.state.outcome.clause == "O7.victory.attacker.empty"  # type: ignore[union-attr]
    assert not any(besiegers_inside(state) for state in match.states)  # type: ignore[arg-type]


@rule("O7.victory.defender.deck")
def test_a_fortress_that_stands_when_the_deck_is_exhausted_has_held_out() -> None:
    match = journal("deck")
    outcome = match.state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.clause) == (DEFENDER, "O7.victory.defender.deck")
    assert keys(match).count("event.exhausted") == 2
