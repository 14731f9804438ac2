"""Virtus: pitched battles of Rome and its enemies, with cards and dice; by Pierre Laporte.

Read it beside ``rules.en.md``: the chapters of the rulebook are the files of this folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from ...kernel import Action, Game, Setup, State, Step
from ...kernel.muster import ArmyCard, Muster, Recruit, ScenarioCard
from ...kernel.rulebook import folder
from ...scene.model import Look, Scene
from . import (
    attack,
    cards,
    charges,
    combat,
    generals,
    movement,
    moves,
    muster,
    rally,
    saves,
    segments,
    sequence,
    setup,
    troops,
)
from .closing import Done, EndOfSegment, EndOfTurn
from .evaluate import evaluate
from .look import look
from .measure import measure
from .naming import say_name
from .recruit import DEFAULT_SCENARIO, EDITION, OPTIONS, configure, enlist, unpack, validate
from .scene import scene
from .state import PLACE, ROME, SEATS, VirtusState, blank, other, uneven
from .view import guess, invariants, view


class Virtus(Game):
    """V2a: two players, Rome and the barbarians, turn and turn about."""

    key = "virtus"
    edition = EDITION
    seats = SEATS
    default_scenario = DEFAULT_SCENARIO
    options = OPTIONS
    folder = folder(__file__)
    state_type: type[State] = VirtusState
    steps: tuple[type[Step], ...] = (
        setup.DrawLots,
        setup.Field,
        setup.DieChoice,
        setup.RollTerrain,
        setup.SideChoice,
        setup.Deployment,
        setup.Reveal,
        setup.FirstPlayer,
        sequence.Turn,
        sequence.BeginTurn,
        generals.DevotioChoice,
        generals.TestAttached,
        saves.Saves,
        saves.RerollChoice,
        saves.EvadeChoice,
        saves.Trample,
        generals.TestGenerals,
        generals.EndTests,
        cards.MakeHand,
        cards.Cards,
        segments.StartActivation,
        charges.Declarations,
        segments.Segments,
        combat.Fights,
        attack.Share,
        attack.ShareChoice,
        charges.Charges,
        moves.Moves,
        segments.CloseSegment,
        segments.CloseSegments,
        rally.Rallies,
        sequence.EndTurn,
    )
    actions: tuple[type[Action], ...] = (
        setup.ChooseDie,
        setup.ChooseSide,
        setup.Deploy,
        setup.DeployRest,
        setup.Decoy,
        setup.Fortify,
        generals.Devote,
        saves.Save,
        saves.Reroll,
        saves.Evade,
        saves.Accept,
        cards.Lay,
        cards.Discard,
        cards.Keep,
        generals.Attach,
        charges.DeclareCharge,
        segments.Activate,
        combat.Fight,
        combat.Shoot,
        combat.Outflank,
        attack.Take,
        charges.Charge,
        movement.Move,
        movement.Form,
        troops.Hold,
        generals.Ride,
        rally.Rally,
        Done,
        EndOfSegment,
        EndOfTurn,
    )

    def configure(
        self, scenario: str | None = None, armies: Sequence[str | dict[str, Any]] = (), **options: bool | str
    ) -> Setup:
        return configure(self.folder, scenario, armies, options)

    def validate(self, setup: Setup) -> Setup:
        return validate(setup)

    def scenarios(self, lang: str) -> tuple[ScenarioCard, ...]:
        return muster.scenarios(lang)

    def armies(self, lang: str) -> tuple[ArmyCard, ...]:
        return muster.armies(lang)

    def recruits(self, lang: str) -> tuple[Recruit, ...]:
        return muster.recruits(lang)

    def muster(
        self,
        army: dict[str, Any],
        lang: str,
        budget: int | None = None,
        options: Mapping[str, bool | str] | None = None,
    ) -> Muster:
        return muster.muster(army, lang, budget, options)

    def begin(self, setup_: Setup) -> VirtusState:
        """V1.6a V1.7c: the field, by dice unless the scenario fixes it; deployment; the first turn."""
        plan, armies, options = unpack(setup_)
        state = blank(enlist(plan, armies, options))
        for place, ground in plan.terrain.items():
            state.terrain[PLACE[place]] = ground
        for place in plan.camps if options["camps"] else ():
            state.camp[PLACE[place]] = 1
        attacker = SEATS.index(plan.attacker) if plan.attacker else ROME
        state.attacker = attacker
        state.todo = list(reversed(self._opening(not plan.attacker, bool(plan.terrain), plan.nature)))
        return state

    def _opening(self, lots: bool, fixed: bool, nature: str) -> list[Step]:
        steps: list[Step] = [setup.DrawLots()] if lots else []
        if not fixed:
            steps.append(setup.Field(nature))
        return [
            *steps,
            setup.Deployment(ROME),
            setup.Deployment(other(ROME)),
            setup.Reveal(),
            setup.FirstPlayer(),
        ]

    def uneven(self, state: VirtusState) -> Iterable[str]:
        return uneven(state)

    def invariants(self, state: VirtusState) -> Iterable[str]:
        return invariants(state)

    def view(self, state: VirtusState, seat: int | None) -> VirtusState:
        return view(state, seat)

    def guess(self, view: VirtusState, seat: int, rng: Random) -> VirtusState:
        return guess(view, seat, rng)

    def scene(self, view: VirtusState, seat: int | None, lang: str) -> Scene:
        return scene(view, seat, lang)

    def look(self, view: VirtusState, seat: int | None, piece: str, lang: str) -> Look | None:
        return look(view, seat, piece, lang)

    def evaluate(self, state: VirtusState, seat: int) -> float:
        return evaluate(state, seat)

    def measure(self, before: VirtusState, after: VirtusState) -> dict[str, int]:
        return measure(before, after)

    def name(self, state: VirtusState, value: str, lang: str) -> str:
        return say_name(state, value, lang)


VIRTUS = Virtus()
