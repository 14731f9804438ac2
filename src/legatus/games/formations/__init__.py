"""Formations: the fifteen actions of a sheet of miscellaneous actions, and a battle in which they matter.

Read it beside ``rules.en.md``: the chapters of the rulebook are the files of this folder.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...kernel import Action, Setup, State, Step
from ...kernel.rulebook import folder
from ...parts.scenarios import ScenarioGame
from ...scene.model import Look, Scene
from . import (
    activation,
    battlefield,
    charge,
    cohesion,
    endphase,
    forming,
    manipulation,
    melee,
    missiles,
    movement,
    positions,
    ranking,
    recover,
    rout,
    turn,
)
from .evaluate import evaluate
from .measure import measure
from .menu import menu
from .naming import say_name
from .scene import look, scene
from .state import SEATS, FormationsState, blank, uneven
from .view import invariants


class Formations(ScenarioGame):
    """A.def.sheet: the League and the Horde, on a map of hexes."""

    key = "formations"
    edition = battlefield.EDITION
    seats = SEATS
    default_scenario = battlefield.DEFAULT_SCENARIO
    options = battlefield.OPTIONS
    battles = battlefield.BATTLES
    folder = folder(__file__)
    state_type: type[State] = FormationsState
    steps: tuple[type[Step], ...] = (
        turn.Weather,
        turn.Turn,
        turn.Initiative,
        turn.FirstChoice,
        turn.Orders,
        turn.Command,
        activation.Activation,
        activation.NextWing,
        activation.WingChoice,
        activation.WingTurn,
        activation.EndOfWing,
        movement.Moving,
        movement.Facing,
        ranking.Ranking,
        movement.Touch,
        melee.MeleePhase,
        melee.TargetChoice,
        melee.Blows,
        melee.Losses,
        cohesion.CohesionTest,
        rout.Flight,
        rout.FlightChoice,
        cohesion.RemnantChoice,
        rout.Danger,
        rout.GoAlong,
        rout.Rejoin,
        endphase.EndPhase,
        endphase.Fatigue,
        endphase.Routs,
        endphase.Fires,
        endphase.Escape,
        endphase.EscapeChoice,
        endphase.CleanUp,
        endphase.Judgement,
    )
    actions: tuple[type[Action], ...] = (
        turn.Begin,
        turn.Instruct,
        turn.Order,
        turn.Done,
        activation.ActivateWing,
        activation.EndWing,
        movement.Move,
        movement.StepTo,
        movement.Turn,
        movement.Wheel,
        movement.TurnAbout,
        movement.Halt,
        movement.Face,
        ranking.InFront,
        ranking.Behind,
        charge.Charge,
        charge.Disengage,
        missiles.Shoot,
        recover.Rest,
        recover.Reorganise,
        recover.Rally,
        recover.Reload,
        forming.Merge,
        forming.ChangeMode,
        forming.Join,
        forming.Constitute,
        forming.Leave,
        forming.Break,
        manipulation.Work,
        manipulation.SetFire,
        manipulation.Douse,
        manipulation.PlantStakes,
        manipulation.RemoveStakes,
        positions.TakePosition,
        melee.Strike,
        rout.Flee,
        cohesion.Stay,
        rout.Follow,
        rout.Remain,
        endphase.RunTo,
    )

    def begin(self, setup: Setup) -> FormationsState:
        """AH26.scenario: everybody stands; weather, then turn 1."""
        state = blank(battlefield.enlist(setup))
        state.todo = [turn.Turn(), turn.Weather()]
        return state

    def uneven(self, state: FormationsState) -> Iterable[str]:
        return uneven(state)

    def invariants(self, state: FormationsState) -> Iterable[str]:
        return invariants(state)

    def scene(self, view: FormationsState, seat: int | None, lang: str) -> Scene:
        return scene(view, seat, lang)

    def look(self, view: FormationsState, seat: int | None, piece: str, lang: str) -> Look | None:
        return look(view, seat, piece, lang)

    def menu(self, view: FormationsState, piece: str) -> list[Action]:
        """A.def.sheet: in the turn of its wing, every action of the sheet."""
        decision = view.decision
        if not isinstance(decision, activation.WingTurn) or piece not in view.ids:
            return super().menu(view, piece)
        return menu(view, view.ids.index(piece))

    def evaluate(self, state: FormationsState, seat: int) -> float:
        return evaluate(state, seat)

    def measure(self, before: FormationsState, after: FormationsState) -> dict[str, int]:
        return measure(before, after)

    def name(self, state: FormationsState, value: str, lang: str) -> str:
        return say_name(state, value, lang)


FORMATIONS = Formations()
