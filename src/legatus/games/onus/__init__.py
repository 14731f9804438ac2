"""Onus: an open table without a grid; cards that move by measured distances, terrain, and the fortress.

Read it beside ``rules.en.md``: the chapters of the rulebook are the files of this folder (README.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random
from types import ModuleType
from typing import Any, TypeVar

from ...kernel import Action, Setup, State, Step
from ...kernel.drafts import CheckedDesign, Workshop
from ...kernel.rulebook import folder
from ...parts.scenarios import ScenarioGame
from ...scene.model import Ghost, Look, Scene
from . import (
    aftermath,
    assault,
    battlefield,
    bombard,
    building,
    charges,
    combat,
    envelop,
    fire,
    hidden,
    lateral,
    manning,
    melee,
    morale,
    movement,
    orders,
    rams,
    razing,
    refuge,
    shooting,
    siege,
    stones,
    structures,
    towers,
    turn,
)
from . import setup as deployment
from .drafting import judged, workshop
from .evaluate import evaluate
from .ghost import ghost
from .measure import cases, measure, stilled
from .naming import say_name
from .scene import look, scene
from .state import FIELD, SEATS, OnusState, blank, uneven
from .view import guess, invariants, view

T = TypeVar("T")
CHAPTERS = (
    *(building, deployment, turn, orders, movement, structures, shooting, combat, melee, morale),
    *(aftermath, bombard, charges, envelop),
    *(fire, razing, siege),
    *(manning, hidden),
    *(assault, lateral, rams, refuge, stones, towers),
)


def _all(kind: type[T], modules: Iterable[ModuleType]) -> tuple[type[T], ...]:
    """What these modules define of a kind, but for what others are built on."""
    found = [thing for module in modules for thing in vars(module).values() if isinstance(thing, type)]
    own = [c for c in dict.fromkeys(found) if issubclass(c, kind) and c.__module__.startswith(__name__)]
    return tuple(c for c in own if not c.__subclasses__())


class Onus(ScenarioGame):
    """O0.provenance: the attacker and the defender, on an open table."""

    key = "onus"
    edition = battlefield.EDITION
    seats = SEATS
    default_scenario = battlefield.DEFAULT_SCENARIO
    options = battlefield.OPTIONS
    battles = battlefield.BATTLES
    folder = folder(__file__)
    trials = 3_000
    state_type: type[State] = OnusState
    steps: tuple[type[Step], ...] = _all(Step, CHAPTERS)
    actions: tuple[type[Action], ...] = _all(Action, CHAPTERS)

    def workshop(self, lang: str) -> Workshop | None:
        return workshop(lang)

    def judge_design(self, design: dict[str, Any], lang: str) -> CheckedDesign:
        return judged(design, lang)

    def begin(self, setup: Setup) -> OnusState:
        """OH.field.2 OH.deck.1 O7.first-turn: deployment, hands, and the attacker's first turn."""
        state = blank(battlefield.enlist(setup))
        for i, unit in enumerate(state.roster.units):
            if unit.start is not None:
                state.where[i] = FIELD
        first = state.roster.first
        state.todo = [turn.PlayerTurn(first), turn.Opening(), rams.Bearers(0)]
        state.todo.append(deployment.Deployment())
        state.todo += building.preparations() if state.roster.site else [siege.Announcement()]
        return state

    def uneven(self, state: OnusState) -> Iterable[str]:
        return uneven(state)

    def invariants(self, state: OnusState) -> Iterable[str]:
        return invariants(state)

    def view(self, state: OnusState, seat: int | None) -> OnusState:
        return view(state, seat)

    def guess(self, view: OnusState, seat: int, rng: Random) -> OnusState:
        return guess(view, seat, rng)

    def scene(self, view: OnusState, seat: int | None, lang: str) -> Scene:
        return scene(view, seat, lang)

    def look(self, view: OnusState, seat: int | None, piece: str, lang: str) -> Look | None:
        return look(view, seat, piece, lang)

    def ghost(
        self, view: OnusState, seat: int, piece: str, grip: str, to: tuple[int, int], lang: str
    ) -> Ghost | None:
        return ghost(view, seat, piece, grip, to, lang)

    def evaluate(self, state: OnusState, seat: int) -> float:
        return evaluate(state, seat)

    def measure(self, before: OnusState, after: OnusState) -> dict[str, int]:
        return measure(before, after)

    def cases(
        self, view: OnusState, seat: int, action: Action, rng: Random
    ) -> list[tuple[Fraction, OnusState]]:
        """OH.deck.4: odds are without events."""
        return cases(guess(view, seat, rng), action)

    def stilled(self, state: OnusState, action: Action) -> OnusState:
        return stilled(state, action)

    def name(self, state: OnusState, value: str, lang: str) -> str:
        return say_name(state, value, lang)


ONUS = Onus()
