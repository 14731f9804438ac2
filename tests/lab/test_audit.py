"""The audit of bots: what it reproduces, what it finds, what it cannot be asked."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from legatus.bots import BOTS, RandomBot, make_bot, mood
from legatus.games import GAMES
from legatus.kernel import Action, Game, Match, Seeded, legal, say
from legatus.kernel.records import digest, parse_record, record_text
from legatus.lab.audit import Audit, CannotAudit, Sitting, audit, sittings

SEED = 11
SMALL = {"virtus": "bridge", "metaurus": "vanguard", "onus": "skirmish"}


def play(game: Game, names: tuple[str, str], entries: int, see: Any = None) -> Match:
    """Some entries of a match of bots, with dice that have nothing to do with the seed of the bots."""
    bots = [make_bot(name) for name in names]
    match = Match.new(game, game.configure(SMALL.get(game.key)), Seeded("own dice"))
    while match.state.decision is not None and len(match.journal) < entries:
        seat = match.state.decision.seat
        known = (see or game.view)(match.state, seat)
        action = bots[seat].choose(game, known, seat, mood(SEED, len(match.journal)))
        match.play(action, match.seeded("own dice"))
    return match


def heard(match: Match, names: tuple[str, ...], **more: Any) -> Audit:
    """The audit of the record, as a file has it."""
    notes = {"seats": dict(zip(match.game.seats, names, strict=True)), "seed": SEED, **more}
    text = record_text(match, **notes)
    match = parse_record(GAMES, text)
    return audit(match, sittings(json.loads(text.split("\n", 1)[0]), match.game))


@pytest.mark.parametrize("key", GAMES)
def test_every_decision_of_a_bot_follows_from_its_view(key: str) -> None:
    game, names = GAMES[key], ("random", "greedy") if key == "virtus" else ("greedy", "random")
    match = play(game, names, 40)
    found = heard(match, names)
    assert found.broken is None
    assert len(found.deeds) == len(match.journal) - 1
    assert {who: made for who, (made, same) in found.tally().items() if made == same} == {
        (seat, name): sum(entry.seat == seat for entry in match.journal)
        for seat, name in enumerate(names)
        if any(entry.seat == seat for entry in match.journal)
    }


def other_action(match: Match, number: int) -> Match:
    """The same match up to an entry, at which something else is done."""
    changed = Match.replay(match.game, match.setup, match.journal[:number])
    done = match.journal[number].action
    changed.play(next(a for a in legal(changed.state) if a != done), Seeded("changed"))
    return changed


def test_a_decision_that_was_tampered_with_is_found() -> None:
    names = ("random", "greedy")
    match = play(GAMES["virtus"], names, 60)
    number = next(
        n for n in range(20, 60) if match.journal[n].seat == 1 and len(legal(match.states[n - 1])) > 1
    )
    found = heard(other_action(match, number), names).broken
    assert found is not None
    done = match.journal[number].action
    assert done is not None
    assert (found.entry, found.seat, found.bot, found.again) == (number, 1, "greedy", say(done))
    assert found.done != found.again


class Peeker:
    """Chooses by all that it is shown, to the last hidden order."""

    def choose(self, game: Game, view: Any, seat: int, rng: Random) -> Action:
        return Random(digest(view)).choice(legal(view))


def test_a_bot_that_peeks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "peeker", Peeker)
    names, game = ("peeker", "random"), GAMES["metaurus"]
    honest = play(game, names, 60)
    assert heard(honest, names).broken is None
    cheats = play(game, names, 60, see=lambda state, seat: state if seat == 0 else game.view(state, seat))
    found = heard(cheats, names).broken
    assert found is not None
    assert found.seat == 0
    before = cheats.states[found.entry - 1]
    assert game.view(before, 0) != before, "it went wrong where something was hidden"


class Spy(RandomBot):
    """Keeps what it was shown."""

    shown: list[Any]

    def choose(self, game: Game, view: Any, seat: int, rng: Random) -> Action:
        Spy.shown.append((seat, view))
        return super().choose(game, view, seat, rng)


def test_a_bot_is_asked_with_its_view_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "spy", Spy)
    game, names = GAMES["metaurus"], ("spy", "spy")
    Spy.shown = []
    match = play(game, names, 40)
    Spy.shown = []
    assert heard(match, names).broken is None
    seats = [entry.seat for entry in match.journal[1:]]
    assert Spy.shown == [(s, game.view(b, s or 0)) for s, b in zip(seats, match.states, strict=False)]
    assert any(view != before for (_, view), before in zip(Spy.shown, match.states, strict=False))


def test_who_was_replaced_is_asked_for_what_he_did() -> None:
    names = ("greedy", "random")
    match = play(GAMES["virtus"], names, 30)
    assert heard(match, ("human", "random")).broken is None
    assert heard(match, ("random", "random")).broken is not None
    before = [Sitting(dict(zip(match.game.seats, names, strict=True)), SEED, 30).notes()]
    found = heard(match, ("human", "greedy"), before=before)
    assert found.broken is None
    assert {bot for _, bot in found.tally()} == {"greedy", "random"}


def test_several_processes_say_the_same() -> None:
    match = play(GAMES["virtus"], ("random", "random"), 40)
    sat = [Sitting({"rome": "random", "barbarians": "random"}, SEED)]
    assert audit(match, sat, 0, jobs=2) == audit(match, sat, 0)
    other = [Sitting({"rome": "random", "barbarians": "random"}, SEED + 1)]
    assert audit(match, other).broken is not None


@pytest.mark.parametrize(
    ("head", "key"),
    [
        ({"seed": 1}, "audit.seats"),
        ({"seats": ["greedy"], "seed": 1}, "audit.seats"),
        ({"seats": {"rome": "greedy"}}, "audit.seed"),
        ({"seats": {"rome": 3}, "seed": 1}, "audit.notes"),
        ({"seats": {"rome": "greedy"}, "seed": [1]}, "audit.notes"),
        ({"seats": {"roma": "greedy"}, "seed": 1}, "audit.notes"),
        ({"seats": {"rome": "zork"}, "seed": 1}, "audit.notes"),
    ],
)
def test_what_a_record_does_not_tell_is_said(head: dict[str, Any], key: str) -> None:
    with pytest.raises(CannotAudit) as found:
        sittings(head, GAMES["virtus"])
    assert found.value.said.key == key


def test_without_bots_there_is_nothing_to_audit() -> None:
    with pytest.raises(CannotAudit) as found:
        heard(play(GAMES["virtus"], ("random", "random"), 5), ("human", "human"))
    assert found.value.said.key == "audit.nobody"
