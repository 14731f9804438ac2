"""Julian: the campaign in Gaul, AD 356 to 359, with chits, stratagem markers and seven combat results.

Read it beside ``rules.en.md``.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random

from ...kernel import Action, Setup, State, Step
from ...kernel.rulebook import folder
from ...parts.scenarios import ScenarioGame
from ...scene.model import Look, Scene
from . import (
    activation,
    battlefield,
    combat,
    crises,
    interphase,
    markers,
    movement,
    places,
    pursuit,
    reinforcement,
    results,
    retreat,
    setup,
    stratagems,
    supply,
    throws,
    turn,
    victory,
)
from .evaluate import evaluate
from .measure import measure
from .naming import say_name
from .scene import look, scene
from .state import BARBARIAN, ROMAN, SEATS, JulianState, blank, uneven
from .view import cases, guess, invariants, view


class Julian(ScenarioGame):
    """J0.title: two players, the Roman and the barbarian."""

    key = "julian"
    edition = battlefield.EDITION
    seats = SEATS
    default_scenario = battlefield.DEFAULT_SCENARIO
    options = battlefield.OPTIONS
    battles = battlefield.BATTLES
    folder = folder(__file__)
    ahead = 0  # whose phase is next is drawn from a cup: what it brings tells little
    state_type: type[State] = JulianState
    steps: tuple[type[Step], ...] = (
        setup.Array,
        setup.Deployment,
        setup.Opening,
        turn.Turn,
        stratagems.BeginPhaseOne,
        stratagems.Stratagems,
        stratagems.FreeMarkers,
        stratagems.HandLimit,
        turn.PickTurn,
        turn.PickChit,
        turn.CupTurns,
        turn.EndOperations,
        markers.Counter,
        markers.ShowHand,
        throws.Again,
        activation.Activation,
        activation.Called,
        activation.Swaying,
        activation.Swayed,
        reinforcement.Reinforcing,
        reinforcement.Raised,
        reinforcement.LotChoice,
        reinforcement.Levy,
        reinforcement.Found,
        reinforcement.Return,
        reinforcement.Restored,
        movement.Moves,
        movement.Marching,
        combat.Combats,
        combat.Gathering,
        combat.Defence,
        combat.Clash,
        results.Effects,
        results.Losses,
        results.Delay,
        results.Delays,
        results.Leaders,
        results.Company,
        retreat.Fallback,
        retreat.Falling,
        retreat.Retreating,
        pursuit.Pursuit,
        places.Escape,
        places.Escaped,
        places.Displace,
        places.Displaced,
        interphase.Interphase,
        interphase.Keeping,
        interphase.Homeward,
        interphase.Withdrawal,
        interphase.Eastward,
        interphase.Back,
        interphase.Taxes,
        interphase.Repairs,
        supply.Supply,
        supply.Attrition,
        supply.Hunger,
        supply.Starved,
        crises.Crisis,
        crises.Befalls,
        crises.Rumours,
        crises.Recall,
        crises.Feud,
        victory.EndTurn,
    )
    actions: tuple[type[Action], ...] = (
        setup.Place,
        setup.PlaceRest,
        stratagems.PlayCredo,
        stratagems.BuyMarker,
        stratagems.RollMarkers,
        stratagems.Discard,
        turn.Pick,
        markers.Spy,
        markers.Annul,
        markers.Pass,
        throws.Reroll,
        activation.PlayDux,
        activation.CallInstead,
        activation.CallAlong,
        activation.Sway,
        reinforcement.Recruit,
        reinforcement.BringLeader,
        reinforcement.RaiseUnits,
        reinforcement.TakeLot,
        reinforcement.Muster,
        reinforcement.SeekLeader,
        reinforcement.Welcome,
        reinforcement.Steal,
        reinforcement.Restore,
        movement.March,
        movement.Leave,
        movement.ForceMarch,
        movement.Go,
        combat.Attack,
        combat.HoldBack,
        combat.CallOff,
        combat.Fight,
        combat.Double,
        results.Lose,
        results.Join,
        retreat.FallBack,
        pursuit.Pursue,
        places.Settle,
        interphase.Keep,
        interphase.Withdraw,
        interphase.Repair,
        supply.Spare,
        crises.SendEast,
        crises.Quarrel,
    )

    def begin(self, setup_: Setup) -> JulianState:
        """JH.setup: garrisons and peoples, the barbarian's units, the Roman's, treasury and hands; turn 1."""
        roster, garrisons = battlefield.enlist(setup_)
        state = blank(roster)
        steps = (
            setup.Array(garrisons),
            setup.Deployment(BARBARIAN),
            setup.Deployment(ROMAN),
            setup.Opening(),
            turn.Turn(),
        )
        state.todo = list(reversed(steps))
        return state

    def uneven(self, state: JulianState) -> Iterable[str]:
        return uneven(state)

    def invariants(self, state: JulianState) -> Iterable[str]:
        return invariants(state)

    def view(self, state: JulianState, seat: int | None) -> JulianState:
        return view(state, seat)

    def guess(self, view: JulianState, seat: int, rng: Random) -> JulianState:
        return guess(view, seat, rng)

    def cases(
        self, view: JulianState, seat: int, action: Action, rng: Random
    ) -> list[tuple[Fraction, JulianState]]:
        return cases(view, seat, action, rng)

    def scene(self, view: JulianState, seat: int | None, lang: str) -> Scene:
        return scene(view, seat, lang)

    def look(self, view: JulianState, seat: int | None, piece: str, lang: str) -> Look | None:
        return look(view, seat, piece, lang)

    def evaluate(self, state: JulianState, seat: int) -> float:
        return evaluate(state, seat)

    def stage(self, state: JulianState) -> tuple[int, int]:
        """JH.chits: an operations phase; a turn has as many as chits.  Phase III goes with the last."""
        in_interphase = any(isinstance(step, victory.EndTurn) for step in state.todo)
        return state.turn, len(state.drawn) if in_interphase else sum(state.drawn)

    def measure(self, before: JulianState, after: JulianState) -> dict[str, int]:
        return measure(before, after)

    def name(self, state: JulianState, value: str, lang: str) -> str:
        return say_name(state, value, lang)


JULIAN = Julian()
