"""Many matches, many cores: simulation, fuzzing, odds, analysis.  It knows the kernel and bots, no game."""

from .analyse import Analysis, Plan, analyse
from .audit import Audit, Sitting, audit, sittings
from .balance import Battle, Examination, battles
from .branch import branch
from .figures import Balance
from .fuzz import Failure, FuzzReport, fuzz
from .odds import Odds, odds
from .pool import Local
from .sequence import sequence_odds
from .simulate import Report, simulate
from .stats import wilson

__all__ = [
    "Analysis",
    "Audit",
    "Balance",
    "Battle",
    "Examination",
    "Failure",
    "FuzzReport",
    "Local",
    "Odds",
    "Plan",
    "Report",
    "Sitting",
    "analyse",
    "audit",
    "battles",
    "branch",
    "fuzz",
    "odds",
    "sequence_odds",
    "simulate",
    "sittings",
    "wilson",
]
