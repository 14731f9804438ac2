"""Metaurus: the battle of 207 BC on hexes, with hidden orders.

Read it beside ``rules.en.md``: the chapters of the rulebook are the files of this folder.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random

from ...kernel import Action, Setup, State, Step
from ...kernel.rulebook import folder
from ...parts.scenarios import ScenarioGame
from ...scene.model import Look, Scene
from . import activation, battlefield, combat, facing, movement, orders, retreat, setup, turn
from .evaluate import evaluate
from .measure import measure
from .naming import say_name
from .scene import look, scene
from .state import CARTHAGE, ROME, SEATS, MetaurusState, blank, uneven
from .view import cases, guess, invariants, view


class Metaurus(ScenarioGame):
    """M0.title: two players, the Romans and the Carthaginians, on a map of hexes."""

    key = "metaurus"
    edition = battlefield.EDITION
    seats = SEATS
    default_scenario = battlefield.DEFAULT_SCENARIO
    options = battlefield.OPTIONS
    battles = battlefield.BATTLES
    folder = folder(__file__)
    state_type: type[State] = MetaurusState
    steps: tuple[type[Step], ...] = (
        setup.Array,
        setup.Deployment,
        setup.Spot,
        turn.Turn,
        turn.Initiative,
        turn.FirstChoice,
        orders.BeginPlacing,
        orders.Placing,
        orders.EndPlacing,
        turn.PlayerTurns,
        turn.PlayerTurn,
        activation.Activations,
        activation.Elephants,
        activation.Rampage,
        activation.FoeFright,
        activation.OwnFright,
        activation.Restless,
        activation.Reforming,
        movement.Moves,
        movement.Marching,
        facing.Turning,
        combat.Combats,
        retreat.Fallback,
        retreat.RetreatTest,
        combat.Clash,
        combat.AgainChoice,
        facing.Advance,
        turn.EndTurn,
    )
    actions: tuple[type[Action], ...] = (
        setup.Deploy,
        setup.Place,
        setup.DeployRest,
        turn.GoesFirst,
        turn.GoesSecond,
        orders.Lay,
        orders.Done,
        activation.Activate,
        activation.TwoOrders,
        activation.Frighten,
        movement.March,
        movement.Go,
        facing.Face,
        combat.Attack,
        combat.Again,
        combat.LetBe,
        retreat.Retreat,
        retreat.StandFast,
    )

    def begin(self, setup_: Setup) -> MetaurusState:
        """MH10.setup MH15.free_setup: everybody to his place, or Carthage and then Rome deploy; turn 1."""
        roster = battlefield.enlist(setup_)
        state = blank(roster)
        free = [setup.Deployment(CARTHAGE), setup.Deployment(ROME)]
        opening: list[Step] = [*free] if roster.zones else [setup.Array()]
        state.todo = list(reversed([*opening, turn.Turn()]))
        return state

    def uneven(self, state: MetaurusState) -> Iterable[str]:
        return uneven(state)

    def invariants(self, state: MetaurusState) -> Iterable[str]:
        return invariants(state)

    def view(self, state: MetaurusState, seat: int | None) -> MetaurusState:
        return view(state, seat)

    def guess(self, view: MetaurusState, seat: int, rng: Random) -> MetaurusState:
        return guess(view, seat, rng)

    def cases(
        self, view: MetaurusState, seat: int, action: Action, rng: Random
    ) -> list[tuple[Fraction, MetaurusState]]:
        return cases(view, seat, action, rng)

    def scene(self, view: MetaurusState, seat: int | None, lang: str) -> Scene:
        return scene(view, seat, lang)

    def look(self, view: MetaurusState, seat: int | None, piece: str, lang: str) -> Look | None:
        return look(view, seat, piece, lang)

    def evaluate(self, state: MetaurusState, seat: int) -> float:
        return evaluate(state, seat)

    def measure(self, before: MetaurusState, after: MetaurusState) -> dict[str, int]:
        return measure(before, after)

    def name(self, state: MetaurusState, value: str, lang: str) -> str:
        return say_name(state, value, lang)


METAURUS = Metaurus()
