"""The scenarios of the game and its options; how a set-up becomes a roster."""

from __future__ import annotations

from ...kernel import Option, Setup
from ...parts.scenarios import Scenarios
from .checks import check_plan
from .scenario import HOME, Scenario, enrol
from .state import Roster, Rules

DEFAULT_SCENARIO = "skirmish"
EDITION = 2  # of the rulebook
OPTIONS = (
    Option("rivers", "O3.river.scenario", "closed", ("closed", "open")),
    Option("attacker_losses", "O7.victory.defender.losses", "units", ("units", "points")),
    Option("stones", "O5.defender.stones", "range", ("range", "damage")),
    Option("points", "OH.army.1", "1500", ("1000", "1500", "2000")),
)
BATTLES = Scenarios(HOME, Scenario, check_plan, OPTIONS, DEFAULT_SCENARIO, EDITION)


def enlist(setup: Setup) -> Roster:
    """The roster of a set-up, with its options in force."""
    rules = Rules(
        open_rivers=setup.options["rivers"] == "open",
        count_points=setup.options["attacker_losses"] == "points",
        stones_damage=setup.options["stones"] == "damage",
    )
    return enrol(BATTLES.plan(setup), rules, int(setup.options["points"]))
