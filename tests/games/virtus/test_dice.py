"""A line of the log that speaks of dice has exactly them; no other line has any."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.setup import RollTerrain
from legatus.games.virtus.state import CHARGING
from legatus.kernel import Event, Match, Seeded, legal
from legatus.kernel.chance import Dice, Luck
from tests.games.virtus.field import at, battle, charges, do, go_on, moves, skirmish

MOMENTS = 400  # of a match: several turns of each side


def _one(name: str) -> Callable[[Event], tuple[object, ...]]:
    return lambda event: (event.values[name],)


def _all(name: str) -> Callable[[Event], tuple[object, ...]]:
    return lambda event: tuple(event.values[name])  # type: ignore[arg-type]


def _both(event: Event) -> tuple[object, ...]:
    return event.values["light"], event.values["dark"]


SPEAK: dict[str, Callable[[Event], tuple[object, ...]]] = {
    **dict.fromkeys(("event.rolls", "event.general_tests"), _all("faces")),
    **dict.fromkeys(("event.saved", "event.failed"), _both),
    **dict.fromkeys(("event.saved_light", "event.failed_light"), _one("light")),
    **dict.fromkeys(("event.faces_pikes", "event.shaken", "event.march_test", "event.nature"), _one("face")),
    **dict.fromkeys(("event.rallied", "event.not_rallied"), _one("face")),
    "event.rerolled": _one("dark"),
}
TWO = {("V1.7d", "event.first_roll"), ("V1.6c", "event.terrain")}  # sums, and what they mean


def assert_shown(event: Event) -> None:
    if event.key in SPEAK:
        assert event.dice == SPEAK[event.key](event), event
    elif event.key == "event.pips":
        less = event.clause == "V17b"
        assert tuple(die - less for die in event.dice) == event.values["scores"], event
    else:
        assert len(event.dice) == 2 * ((event.clause, event.key) in TWO), event


class Counted(Dice):
    """Dice of which the faces are kept, but not what is drawn."""

    def __init__(self, name: str) -> None:
        self.source, self.faces = Seeded(name), list[int]()

    def answer(self, luck: Luck) -> list[int]:
        answer = self.source.answer(luck)
        self.faces += () if luck.weights else answer
        return answer


@pytest.mark.parametrize("pips", [False, True])
@pytest.mark.parametrize("scenario", ["open-small", "plain-small", "thick-forest"])
def test_every_die_of_a_battle_is_shown_where_it_is_spoken_of(scenario: str, pips: bool) -> None:
    rng, dice = Random(scenario), Counted("set-up")
    match = Match.new(VIRTUS, VIRTUS.configure(scenario, pips=pips), dice)
    while match.state.outcome is None and len(match.journal) < MOMENTS:
        assert [die for event in match.events[-1] for die in event.dice] == dice.faces
        for event in match.events[-1]:
            assert_shown(event)
        dice = Counted(f"{scenario}/{len(match.journal)}")
        match.play(rng.choice(legal(match.state)), dice)


def test_terrain_is_told_sector_by_sector_with_its_two_dice() -> None:
    state = at(battle("A legionaries rome1 tokens=w", columns=3), RollTerrain("hilly"))
    play = go_on(state, dice=[6, 6, *(3, 3) * 5])
    rolled = [event for event in play.events if event.key == "event.terrain"]
    assert [event.dice for event in rolled] == [(6, 6), *((3, 3),) * 5]
    assert [event.values["ground"] for event in rolled] == ["wooded_hill", *("clear",) * 5]


def test_a_charge_on_pikes_shows_its_test_and_its_roll_apart() -> None:
    state = battle("A heavy_cavalry barb1", "X warriors barb1 pikes")
    state.flags[0] |= CHARGING
    play = do(charges(state, 1), "charge A X", dice=[2, 6, 1, 3, 4])
    assert [(e.key, e.dice) for e in play.events if e.dice] == [
        ("event.faces_pikes", (2,)),
        ("event.rolls", (6, 1, 3, 4)),
    ]


def test_a_forced_march_shows_its_test_only() -> None:
    state = moves(skirmish("A legionaries rome-reserve", "X warriors barb2"), 1)
    play = do(state, "move A rome1>barb1", dice=[5])
    assert [(e.key, e.dice) for e in play.events[:2]] == [("event.marches", ()), ("event.march_test", (5,))]
