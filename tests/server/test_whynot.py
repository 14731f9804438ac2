"""Why not: what somebody clicks is taken for what he may have meant, and each reason has its clause."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from legatus.games import GAMES
from legatus.kernel import Seeded, apply, parse_action, start
from legatus.server.frames import Eyes
from legatus.server.whynot import reasons
from legatus.server.wire import Ask

VIRTUS = GAMES["virtus"]
PLACED = ("deploy archers-1 rome2", "deploy legion-1 rome3", "deploy legion-2 rome2")
OPENING = (*PLACED, "deploy-rest", "done", "deploy-rest", "done")
ROME = 0


def ask(lines: tuple[str, ...], lang: str = "en", seat: int = ROME, **asked: Any) -> Any:
    """The answer after these lines at the bridge."""
    dice = Seeded("42")
    state = start(VIRTUS, VIRTUS.configure("bridge"), dice).state
    for line in (*OPENING, *lines):
        state = apply(state, parse_action(VIRTUS, line), dice).state
    table: Any = SimpleNamespace(game=VIRTUS, match=SimpleNamespace(state=state), over=False)
    return reasons(table, Eyes(seat, lang), Ask(**asked))


SHOOTING = ("lay 6 seg2", "done", "activate seg2")


@pytest.mark.parametrize(
    ("lines", "clicks", "clause", "word"),
    [
        (SHOOTING, ("legion-1",), "V5a", "segment 2"),  # of another segment
        (SHOOTING, ("legion-2",), "V5.3a", "Shooting Value"),  # it cannot shoot
        ((*SHOOTING, "done"), ("archers-1", "rome4"), "V6.1b", "no direct way"),
        ((), ("6", "barb2"), "V4b", "segment"),  # a card is laid on a segment
    ],
)
def test_a_click_is_answered_with_what_speaks_against_it(
    lines: tuple[str, ...], clicks: tuple[str, ...], clause: str, word: str
) -> None:
    answer = ask(lines, clicks=clicks)
    assert not answer.legal
    assert clause in {reason.clause for reason in answer.reasons}
    assert any(word in reason.text for reason in answer.reasons)


def test_nobody_can_mean_anything_by_it() -> None:
    """The question that is open is told again instead."""
    [reason] = ask((), "fr", clicks=("legion-1",)).reasons
    assert reason.text.startswith("Il n'y a rien à en faire maintenant. Rome : posez vos cartes")
    assert reason.clause == "V4.2a"


def test_an_action_is_told_every_reason() -> None:
    answer = ask(SHOOTING, do="fight archers-1 pila")
    assert [reason.clause for reason in answer.reasons] == ["V5c", "V11.3a"]


def test_clicks_that_begin_something_legal_are_not_refused() -> None:
    assert ask((), clicks=("6",)).legal


def test_whoever_is_not_to_decide_is_told_so() -> None:
    [reason] = ask((), seat=1, clicks=("6",)).reasons
    assert "Rome" in reason.text
