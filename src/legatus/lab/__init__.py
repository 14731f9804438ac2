"""Many matches, many cores: simulation, fuzzing, exact odds.  It knows the kernel and the bots, no game."""

from .fuzz import Failure, FuzzReport, fuzz
from .odds import Odds, odds
from .simulate import Report, simulate, wilson

__all__ = ["Failure", "FuzzReport", "Odds", "Report", "fuzz", "odds", "simulate", "wilson"]
